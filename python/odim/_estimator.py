"""The estimator: parameters of the library, conventions of scikit-learn, attribute names of PyOD."""
from __future__ import annotations

import inspect
import textwrap
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from ._errors import not_fitted
from ._model import Model, Reason
from ._params import PARAMETERS, Params, document, of_model
from ._frames import ArrowFrame, Columns, is_sparse, sparse_blocks
from ._tables import (as_data, chosen_rows, column_names, frame_names, is_frame, known_rows, make_table, public_bounds,
                      reorder, table_cell)

# The parameters, with their defaults, in the order of the signature.
DEFAULTS: Dict[str, Any] = {**{p.name: p.default for p in PARAMETERS}, "progress": None}


def _signature(function: Any) -> Any:
    """Gives __init__ the signature that DEFAULTS describes, for help texts and for scikit-learn, which inspects it."""
    keyword = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
               for name, default in DEFAULTS.items()]
    function.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *keyword])
    return function


class ODIM:
    """Finds outliers in a table with an ensemble of small autoencoders that are stopped early.

    High scores are outliers. ``odim.sklearn.ODIM`` is the same with scikit-learn's signs.

    Parameters
    ----------
    {parameters}
    progress : None, True or callable
        True: a bar, if standard error is a terminal. A function is called with a :class:`Progress` about ten times per
        second, in the thread that fits or scores; if it returns a true value, the call ends with :class:`Cancelled`.

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

    _model: Optional[Model] = None

    @_signature
    def __init__(self, **params: Any) -> None:
        for name in params:
            if name not in DEFAULTS:
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {name!r}; the parameters "
                                f"are: {', '.join(DEFAULTS)}")
        for name, default in DEFAULTS.items():
            setattr(self, name, params.get(name, default))

    # ---- parameters, as scikit-learn wants them --------------------------------------------------------------

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """All parameters, by name."""
        return {name: getattr(self, name) for name in DEFAULTS}

    def set_params(self, **params: Any) -> "ODIM":
        """Sets parameters. They take effect at the next ``fit``."""
        for name, value in params.items():
            if name not in DEFAULTS:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                                 f"{list(DEFAULTS)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value is not DEFAULTS[name] and repr(value) != repr(DEFAULTS[name])]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _params(self) -> Params:
        return Params({p.flag: getattr(self, p.name) for p in PARAMETERS})

    def _threads(self) -> Params:
        """The parameters that scoring uses."""
        return Params({"threads": self.threads})  # type: ignore[attr-defined]

    # ---- fitting ---------------------------------------------------------------------------------------------

    def fit(self, X: ArrayLike, y: Any = None, *, known_outliers: Optional[ArrayLike] = None,
            bounds: Union[None, Tuple[ArrayLike, ArrayLike], Dict[Any, Tuple[float, float]]] = None) -> "ODIM":
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
        return self

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

    def _scores(self, X: ArrayLike, raw: bool = False) -> np.ndarray:
        model = self._fitted()
        if is_sparse(X) and X.shape[0]:
            return np.concatenate([self._scores(block, raw) for block in sparse_blocks(X)])
        data = self._matched(as_data(X))
        return model.score(make_table(data, self._columns, model), self._threads(), self.progress, raw)

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """The scores of rows, high = outlier. Those of the training rows are ``decision_scores_``."""
        return self._scores(X)

    def raw_scores(self, X: ArrayLike) -> np.ndarray:
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

    def score_samples(self, X: ArrayLike) -> np.ndarray:
        """The scores with scikit-learn's sign: low = outlier."""
        return -self._scores(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """1 for outliers, 0 for the others, as in PyOD."""
        return self._outliers(self._scores(X)).astype(int)

    def fit_predict(self, X: ArrayLike, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fits, and returns the labels of the training rows."""
        return self.fit(X, y, **fit_params).labels_

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """(rows, 2): the probabilities of being an inlier and an outlier.

        They depend only on the scores, with 0.5 at a score of 4, and not on ``contamination``.
        """
        p = self._fitted().probability(self._scores(X))
        return np.column_stack([1 - p, p])

    def explain(self, X: ArrayLike, top: int = 3, rows: Optional[ArrayLike] = None) -> List[List[Reason]]:
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
        """Writes the model to a file that ``odim score`` and ``ODIM.load`` read. Nothing in it is ever executed."""
        self._fitted().save(path)

    @classmethod
    def load(cls, path: Any) -> "ODIM":
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
        model = Model.load(path)
        self = cls(**of_model(model.param))
        names = list(dict.fromkeys(model.sources()))
        self._take(model, names, names if model.has_names else None)
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
        self.__dict__.update(state)

    # ---- what scikit-learn asks ------------------------------------------------------------------------------

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True, "binary_only": True}  # predict_proba has two columns

    def __sklearn_tags__(self) -> Any:  # from scikit-learn 1.6 on
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=getattr(self, "_estimator_type", None), target_tags=TargetTags(required=False),
                    input_tags=InputTags(allow_nan=True))


ODIM.__doc__ = (ODIM.__doc__ or "").replace("{parameters}", textwrap.indent(document(), "    ").lstrip())


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
