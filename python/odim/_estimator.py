"""The estimator: parameters of the library, conventions of scikit-learn, attribute names of PyOD."""
from __future__ import annotations

import textwrap
import warnings
from typing import Any, Dict, List, Optional, Tuple, Type, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import IgnoredColumnWarning, not_fitted
from ._files import is_stream, read_options, read_table
from ._look import Look
from ._model import Model, Privacy, Reason, auc, confidence
from ._parameters import Parameters
from ._params import document, of_model
from ._frames import ArrowFrame, Columns, Data, is_sparse, sparse_blocks
from ._tables import (as_data, chosen_rows, column_names, few_numbers, frame_names, is_frame, known_rows, make_table,
                      public_bounds, reorder, table_cell)

Self = TypeVar("Self", bound="ODIM")  # typing.Self is for Python 3.11
Floats = NDArray[np.float64]
Ints = NDArray[np.int_]

# Up to so many rows are scored in the calling thread: starting a thread would take longer than scoring them.
FEW_ROWS = 16


class ODIM(Parameters, Look):
    """Finds outliers in a table with an ensemble of small autoencoders that are stopped early.

    High scores are outliers. ``odim.sklearn.ODIM`` is the same with scikit-learn's signs.

    Parameters
    ----------
    {parameters}
    progress : None, True or callable
        True: a bar, if standard error is a terminal or a notebook's. A function is called with a :class:`Progress` about ten times per
        second, in the thread that fits or scores; if it returns a true value, the call ends with :class:`Cancelled`.
    random_state : None, int, RandomState or Generator
        scikit-learn's name for ``seed``. A generator draws the seed at each ``fit``. None means ``seed``: the same call
        gives the same bits.
    n_jobs : None or int
        joblib's name for ``threads``: -1 means all cores, -2 all but one. None means ``threads``.

    None means the default of the library or the preset.

    Attributes
    ----------
    decision_scores_ : ndarray (rows,)
        The scores of the training rows, high = outlier. 0 is the median row, and 84 % of the rows are below 1. They are
        those of ``odim detect`` for the same table, to the bit.
    threshold_ : float
        Rows with a higher score are outliers: 4, unless ``contamination`` is given.
    unusual_ : float
        Rows with a score between this and ``threshold_`` are unusual, and worth a look.
    labels_ : ndarray (rows,)
        1 for the training rows that are outliers, otherwise 0.
    n_features_in_ : int
        Number of columns of the training table.
    feature_names_in_ : ndarray of str
        Their names, if the table was a data frame with names.
    privacy_ : Privacy or None
        The privacy cost of a private fit (``dp_epsilon``).
    notes_ : list of str
        Notes of the library, such as "column 'unit' is constant".

    Examples
    --------
    >>> import numpy as np
    >>> from odim import ODIM
    >>> X = np.random.default_rng(0).normal(size=(500, 4)).astype(np.float32)
    >>> X[7] = 9
    >>> clf = ODIM(seed=0, preset="fast").fit(X)
    >>> int(clf.decision_scores_.argmax())
    7
    >>> int(clf.labels_[7])
    1
    """

    decision_scores_: Floats
    labels_: Ints
    threshold_: float
    unusual_: float
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    privacy_: Optional[Privacy]
    notes_: List[str]

    _model: Optional[Model] = None

    # ---- fitting ---------------------------------------------------------------------------------------------

    def fit(self: Self, X: Data, y: Any = None, *, known_outliers: Optional[ArrayLike] = None,
            bounds: Union[None, Tuple[ArrayLike, ArrayLike], Dict[Any, Tuple[float, float]]] = None,
            **unsupported: Any) -> Self:
        """Fits the ensemble to a table, and scores its rows.

        Parameters
        ----------
        X : array or data frame (rows, columns)
            Data frames of pandas and of anything with ``__arrow_c_stream__`` or ``__dataframe__`` (polars, pyarrow,
            DuckDB), dicts of columns, structured arrays and sparse matrices. Missing values are NaN. C-ordered float32 and float64 arrays are used without a copy. Do not change the
            array in another thread in the meantime.
        y : ignored
            For compatibility with scikit-learn's pipelines.
        known_outliers : array, optional
            Known outliers, which help to find the others. Either one entry per row (True or False; or 1 for an
            outlier, 0 for an inlier, -1 for unknown), or the positions of the outliers from 0.
        bounds : (low, high) or dict, optional
            For a private fit (``dp_epsilon``) of numbers and booleans: public bounds of the columns. Low and high are
            one number, or one number per column. A dict has (low, high) for each column, by its name in a data frame
            or by its number from 0 in an array. Without bounds, some of the budget is spent on finding them. Levels of
            categories can only be given for files (``odim fit --dp-bounds``).

        Examples
        --------
        >>> import numpy as np
        >>> from odim import ODIM
        >>> X = np.random.default_rng(0).normal(size=(300, 3))
        >>> X[:2] += 6
        >>> ODIM(preset="fast").fit(X, known_outliers=[0]).labels_[:2].tolist()
        [1, 1]
        """
        _refuse_weights("fit", unsupported)
        data = as_data(X, at_least=2)
        params = self._params()
        if bounds is not None and params.get("dp-epsilon") == "off":
            raise ValueError("bounds are for a private fit: choose dp_epsilon, or leave them out")
        table = make_table(data, fixed=params.get("dp-epsilon") != "off")  # which rows differ is private
        if known_outliers is not None:
            table.set_known(known_rows(known_outliers, table.rows))
        if bounds is not None:
            table.set_bounds(*public_bounds(bounds, data))
        model, scores, notes = Model.fit(table, params, self.progress)
        self._take(model, column_names(data), frame_names(data))
        self.decision_scores_ = scores
        self.labels_ = self._outliers(scores).astype(int)
        self.notes_ = table.notes + notes
        self._warn()
        return self

    def _warn(self) -> None:
        """Says which columns are not used."""
        ignored = self._fitted().ignored
        if ignored:
            more = f" and {len(ignored) - 10} more" if len(ignored) > 10 else ""
            warnings.warn(f"ignored columns: {'; '.join(ignored[:10])}{more}", IgnoredColumnWarning, stacklevel=3)

    def fit_file(self: Self, file: Any, **options: Any) -> Self:
        """Fits the model that ``odim fit`` makes of a file, without holding its rows in memory.

        ``file`` is a path or an open file, which is read into memory. Options are those of ``odim fit``: ``format``,
        ``delimiter``, ``header``, ``label``, ``id``, ``ignore``, ``only``, ``numeric``, ``categorical``, ``na``,
        ``sheet``, ``sql`` and so on. There are no ``decision_scores_``: see ``detect_file``.
        """
        chosen, params = read_options(options), self._params()
        if is_stream(file):
            table = read_table(file, chosen, self.progress)
            model, notes = Model.fit_only(table, params, self.progress)
            notes = table.notes + notes
        else:
            model, notes = Model.fit_file(file, chosen, params, self.progress)
        self._take_own(model)
        for name in ("decision_scores_", "labels_"):
            self.__dict__.pop(name, None)
        self.notes_ = notes
        self._warn()
        return self

    def detect_file(self, file: Any, **options: Any) -> NDArray[np.void]:
        """Fits to a file and scores its rows, as ``odim detect`` does, with the options of :meth:`fit_file`.

        Returns an array with the fields ``score``, ``p_outlier`` and ``is_outlier``.

        Examples
        --------
        >>> import io
        >>> from odim import ODIM
        >>> file = io.StringIO("a,b\\n" + "".join(f"{i % 7},{i % 5}\\n" for i in range(200)) + "90,50\\n")
        >>> int(ODIM(preset="fast").detect_file(file)["score"].argmax())
        200
        """
        table, params = read_table(file, read_options(options), self.progress), self._params()
        model, scores, notes = Model.fit(table, params, self.progress)
        self._take_own(model)
        self.decision_scores_ = scores
        self.labels_ = self._outliers(scores).astype(int)
        self.notes_ = table.notes + notes
        self._warn()
        return self._results(scores)

    def score_file(self, file: Any, **options: Any) -> NDArray[np.void]:
        """Scores the rows of a file, as ``odim score`` does. Returns the same as :meth:`detect_file`."""
        model = self._fitted()
        table = read_table(file, read_options(options, model), self.progress)
        return self._results(model.score(table, self._threads(), self.progress))

    def _results(self, scores: np.ndarray) -> NDArray[np.void]:
        results = np.empty(len(scores), [("score", "<f8"), ("p_outlier", "<f8"), ("is_outlier", "<i8")])
        results["score"], results["p_outlier"] = scores, self._fitted().probability(scores)
        results["is_outlier"] = self._outliers(scores)
        return results

    def _take_own(self, model: Model) -> None:
        """Takes a model that comes with its columns."""
        names = list(dict.fromkeys(model.sources()))
        self._take(model, names, names if model.has_names else None)

    def _take(self, model: Model, columns: List[str], names: Optional[List[str]]) -> None:
        self._model = model
        self._columns = columns
        self.threshold_ = model.threshold
        self.unusual_ = model.unusual
        self.n_features_in_ = len(columns)
        self.privacy_ = model.privacy()
        if names:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _outliers(self, scores: np.ndarray) -> np.ndarray:
        return scores > self.threshold_

    def _fitted(self) -> Model:
        if self._model is None:
            raise not_fitted(type(self).__name__)
        return self._model

    def __sklearn_is_fitted__(self) -> bool:
        return self._model is not None

    # ---- scoring ---------------------------------------------------------------------------------------------

    _any_order = True  # the columns of a frame may come in any order, and are found by their names

    def _matched(self, data: Any) -> Any:
        """The data with the columns of the model, in its order. Raises if they cannot be."""
        names, own = frame_names(data), getattr(self, "feature_names_in_", None)
        if isinstance(data, ArrowFrame) and own is None:
            data = data.in_order()  # the model has no names either
        if names is not None and own is not None and names != list(own):
            turned = self._any_order and sorted(names) == sorted(own) and len(set(names)) == len(names)
            if not turned:
                raise ValueError(_name_trouble(names, list(own), self._any_order))
            data = reorder(data, own)
        if data.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {data.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input.")
        return data

    def _scores(self, X: Data, raw: bool = False) -> Floats:
        model = self._fitted()
        if is_sparse(X) and X.shape[0]:
            return np.concatenate([self._scores(block, raw) for block in sparse_blocks(X)])
        data = self._matched(as_data(X))
        few = few_numbers(data, FEW_ROWS) if self.progress is None and model.takes_numbers(self._columns) else None
        if few is not None:
            return model.scorer().score(few, raw)
        table = make_table(data, self._columns, model)
        if table.rows <= FEW_ROWS and self.progress is None:
            return model.scorer().score_table(table, raw)
        return model.score(table, self._threads(), self.progress, raw)

    def decision_function(self, X: Data) -> Floats:
        """The scores of rows, high = outlier. Those of the training rows are ``decision_scores_``."""
        return self._scores(X)

    def raw_scores(self, X: Data) -> Floats:
        """The scores in the units of the method: the mean loss for networks, the distance for distances.

        They cannot be compared between models, and do not include the checks of single cells.

        Examples
        --------
        >>> import numpy as np
        >>> from odim import ODIM
        >>> X = np.random.default_rng(0).normal(size=(300, 3))
        >>> clf = ODIM(method="knn").fit(X)
        >>> bool((clf.raw_scores(X) > 0).all())
        True
        """
        return self._scores(X, raw=True)

    def score_samples(self, X: Data) -> Floats:
        """The scores with scikit-learn's sign: low = outlier."""
        return -self._scores(X)

    def predict(self, X: Data) -> Ints:
        """1 for outliers, 0 for the others, as in PyOD."""
        return self._outliers(self._scores(X)).astype(int)

    def fit_predict(self, X: Data, y: Any = None, **fit_params: Any) -> Ints:
        """Fits, and returns the labels of the training rows."""
        return self.fit(X, y, **fit_params).labels_

    def predict_proba(self, X: Data) -> Floats:
        """(rows, 2): the probabilities of being an inlier and an outlier.

        They depend only on the scores, with 0.5 at a score of 4, and not on ``contamination``.
        """
        p = self._fitted().probability(self._scores(X))
        return np.column_stack([1 - p, p])

    def predict_confidence(self, X: Data) -> Floats:
        """How sure each label is: the probability that it would be the same with other training rows of the same kind.

        As in PyOD, by the method of Perini, Vercruyssen and Davis (2020): the share of outliers among the training rows
        is taken as given, and a label is sure if its row is far from that place in their order.
        """
        scores = self._scores(X)
        if not hasattr(self, "decision_scores_"):
            raise ValueError("predict_confidence needs the scores of the training rows, which a model file does not "
                             "have: fit the estimator, or pickle it")
        return confidence(scores, np.sort(self.decision_scores_), self._outliers(scores), int(self.labels_.sum()))

    def score(self, X: Data, y: ArrayLike, sample_weight: None = None) -> float:
        """The area under the ROC curve of the scores of X, where y is 1 for outliers and 0 for the others.

        It is NaN, with a warning, if y has only one kind.

        Examples
        --------
        >>> import numpy as np
        >>> from odim import ODIM
        >>> X = np.random.default_rng(0).normal(size=(300, 3))
        >>> X[:2] += 6
        >>> ODIM(preset="fast").fit(X).score(X, [1, 1] + [0] * 298)
        1.0
        """
        _refuse_weights("score", {"sample_weight": sample_weight})
        scores, labels = self._scores(X), np.asarray(y)
        if labels.shape != scores.shape:
            raise ValueError(f"y has the shape {labels.shape}; one label for each of {len(scores)} rows is needed")
        found = self._is_outlier(labels)
        if found.all() or not found.any():
            warnings.warn(f"y has only {'outliers' if found.any() else 'inliers'}, so there is no score", stacklevel=2)
            return float("nan")
        return auc(scores, found)

    def _is_outlier(self, y: np.ndarray) -> np.ndarray:
        """Labels of the user's as 1 for outliers and 0 for the others."""
        if (y < 0).any():
            raise ValueError("y is 1 for outliers and 0 for the others; labels -1 and 1 are those of odim.sklearn.ODIM")
        return (y > 0).astype(np.int8)

    def explain(self, X: Data, top: int = 3, rows: Optional[ArrayLike] = None) -> List[List[Reason]]:
        """For each row, up to ``top`` columns that make it unusual, the most important first.

        ``rows`` selects the rows to explain, as positions from 0 or as a boolean mask such as
        ``clf.labels_ == 1``. By default all rows are explained, which takes a while.

        Examples
        --------
        >>> import numpy as np
        >>> from odim import ODIM
        >>> X = np.random.default_rng(0).normal(size=(500, 3))
        >>> X[7, 2] = 9
        >>> reasons = ODIM(preset="fast").fit(X).explain(X, top=1, rows=[7])
        >>> reasons[0][0].column, reasons[0][0].value
        (2, 9.0)
        """
        model = self._fitted()
        if top < 1:
            raise ValueError(f"top is {top}; at least one reason can be asked for")
        data = self._matched(as_data(X))
        table = make_table(data, self._columns, model)
        which = chosen_rows(rows, table.rows)
        found = model.explain(table, which, top, self._threads(), self.progress)
        named = hasattr(self, "feature_names_in_")
        sources = [self._columns.index(name) for name in model.sources(self._columns)]

        def reason(row: int, r: Any) -> Reason:
            col = sources[r.col]
            if isinstance(data, ArrowFrame):
                value = table_cell(table, row, model.names[r.col], model.types[r.col])
            elif isinstance(data, Columns):
                value = data.cell(row, col)
            else:
                value = data.iloc[row, col] if is_frame(data) else data[row, col]
            return Reason(model.names[r.col] if named else col, r.share,
                          value.item() if isinstance(value, np.number) else value,
                          model.value(r.col, r.expected), model.reason_text(table, row, r), model.reason_kind(r))

        return [[reason(int(row), r) for r in found.of(i)] for i, row in enumerate(which)]

    # ---- keeping ---------------------------------------------------------------------------------------------

    def save(self, path: Any) -> None:
        """Writes the model to a file that ``odim score`` and ``ODIM.load`` read. Nothing in it is ever executed.

        ``path`` may also be a file that is open for writing bytes.
        """
        if hasattr(path, "write"):
            path.write(self.to_bytes())
        else:
            self._fitted().save(path)

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        return self._fitted().to_bytes()

    @classmethod
    def from_bytes(cls: Type[Self], data: bytes) -> Self:
        """A model from the bytes of a model file.

        Examples
        --------
        >>> import numpy as np
        >>> from odim import ODIM
        >>> clf = ODIM(preset="fast").fit(np.random.default_rng(0).normal(size=(200, 3)))
        >>> ODIM.from_bytes(clf.to_bytes()).to_bytes() == clf.to_bytes()
        True
        """
        return cls._of(Model.from_bytes(bytes(data)))

    @classmethod
    def load(cls: Type[Self], path: Any) -> Self:
        """Loads a model that ``save`` or ``odim fit`` wrote. The file does not contain the scores of the training rows.

        Examples
        --------
        >>> import numpy as np, os, tempfile
        >>> from odim import ODIM
        >>> X = np.random.default_rng(0).normal(size=(200, 3))
        >>> clf = ODIM(preset="fast").fit(X)
        >>> path = os.path.join(tempfile.mkdtemp(), "model.odim")
        >>> clf.save(path)
        >>> bool((ODIM.load(path).decision_function(X) == clf.decision_scores_).all())
        True
        """
        return cls.from_bytes(path.read()) if is_stream(path) else cls._of(Model.load(path))

    @classmethod
    def _of(cls: Type[Self], model: Model) -> Self:
        self = cls(**of_model(model.param))
        self._take_own(model)
        return self

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(self.__dict__)
        if self._model is not None:
            state["_model"] = self._model.to_bytes()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        state = dict(state)
        if state.get("_model") is not None:
            state["_model"] = Model.from_bytes(state["_model"])
        super().__setstate__(state)

    # ---- what scikit-learn asks ------------------------------------------------------------------------------

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True, "binary_only": True}  # predict_proba has two columns

    def __sklearn_tags__(self) -> Any:  # from scikit-learn 1.6 on
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=getattr(self, "_estimator_type", None), target_tags=TargetTags(required=False),
                    input_tags=InputTags(allow_nan=True))


ODIM.__doc__ = (ODIM.__doc__ or "").replace("{parameters}", textwrap.indent(document(), "    ").lstrip())


def _refuse_weights(method: str, arguments: Dict[str, Any]) -> None:
    """Raises for arguments that a method does not have; says why there are no weights."""
    for name, value in arguments.items():
        if name != "sample_weight":
            raise TypeError(f"ODIM.{method}() got an unexpected keyword argument {name!r}")
        if value is not None:
            raise ValueError("sample_weight is not supported: medians, quantiles, duplicates and samples of rows are "
                             "counted in whole rows. Repeat rows, or leave rows out, instead")


def _name_trouble(names: List[str], own: List[str], any_order: bool) -> str:
    """The error message for wrong column names, as in scikit-learn."""
    message = "The feature names should match those that were passed during fit.\n"
    for title, some in (("Feature names unseen at fit time:", sorted(set(names) - set(own))),
                        ("Feature names seen at fit time, yet now missing:", sorted(set(own) - set(names)))):
        if some:
            message += "\n".join([title, *(f"- {name}" for name in some[:5]), *(["- ..."] if len(some) > 5 else [])])
            message += "\n"
    if set(names) == set(own) and not any_order:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
