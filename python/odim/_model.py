"""A fitted model: the contents of an odim_model, and the calls that use it."""
from __future__ import annotations

import os
import threading
import weakref
from ctypes import byref, c_double, c_size_t, c_void_p, create_string_buffer, string_at
from math import lgamma
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _native
from ._errors import check
from ._native import lib
from ._params import Params
from ._run import ProgressCallback, run
from ._tables import Table


class Reason(NamedTuple):
    """One reason why a row is an outlier."""

    column: Any
    "The name of the column, or its number from 0 if columns have no names."
    share: float
    "The share of everything unusual about the row, from 0 to 1."
    value: Any
    "What is in the cell."
    expected: Any
    "What the model expected there; None if the value is unusual only in combination with the other columns."
    text: str
    "All of it for people: 'flow 912 (62 %): expected about 41.3, usually 12 to 77'."
    kind: str
    """What is unusual: "value" (beyond what is usual in the column), "combination" (with the other columns),
    "contradiction" (the other columns determine another value), "level" (new or rare) or "missing"."""


class Privacy(NamedTuple):
    """The privacy cost of a private model; docs/PRIVACY.md says what it covers."""

    epsilon: float
    delta: float
    updates: int
    "Of each member."
    rate: float
    "The probability of a row to be in an update."
    noise: float
    "Its standard deviation, in units of clip."
    clip: float
    "The norm that gradients are cut to."
    other_noise: float
    "The same on what else was counted: bounds, scores."
    bounds_given: bool
    "Bounds came from the caller; else they were counted."
    scores_counted: bool
    "What scores mean was counted; else there were too few rows for that."
    insecure: bool
    "The noise came from the seed: there is no privacy against who knows it."


class Reasons:
    """Owns an odim_reasons: the reasons of rows, by their place in the list of rows that were asked for."""

    def __init__(self, handle: c_void_p) -> None:
        self._as_parameter_ = handle
        weakref.finalize(self, lib.odim_reasons_free, handle)

    def of(self, index: int) -> List[_native.odim_reason]:
        """Those of one row, foremost first. They are valid as long as this is."""
        return [lib.odim_reasons_at(self, index, k).contents for k in range(lib.odim_reasons_count(self, index))]


class Handle:
    """Owns an odim_model, for all that use it."""

    def __init__(self, handle: c_void_p) -> None:
        self._as_parameter_ = handle
        weakref.finalize(self, lib.odim_model_free, handle)


class Scorer:
    """Owns an odim_scorer, which scores a few rows at once without starting threads. It belongs to one thread."""

    def __init__(self, model: Handle) -> None:
        handle, error = c_void_p(), _native.odim_error()
        check(lib.odim_scorer_new(byref(handle), model, byref(error)), error)
        self._as_parameter_ = handle
        self.model = model  # outlives the scorer
        weakref.finalize(self, lib.odim_scorer_free, handle)

    def score(self, values: np.ndarray, raw: bool) -> np.ndarray:
        scores, error = np.empty(len(values)), _native.odim_error()
        at = scores.ctypes.data
        check(lib.odim_scorer_score(self, values.ctypes.data, len(values), 0, None if raw else at, at if raw else None,
                                    byref(error)), error)
        return scores

    def score_table(self, table: Table, raw: bool) -> np.ndarray:
        scores, error = np.empty(table.rows), _native.odim_error()
        at = scores.ctypes.data
        check(lib.odim_scorer_table(self, table, None if raw else at, at if raw else None, byref(error)), error)
        return scores


def _path(path: Any) -> bytes:
    return _native.c_text(os.fsencode(path), "a path")


# What describes a free text: see docs/TABLES.md.
_TEXT_COLUMNS = ("length", "digits", "upper case", "punctuation", "non-ASCII", "rare characters", "rare sequences",
                 "rare words")


class Model:
    """Owns an odim_model. It never changes, and several threads may use it at the same time."""

    def __init__(self, handle: c_void_p) -> None:
        self.handle = Handle(handle)
        self._as_parameter_ = handle
        self._local = threading.local()  # the scorer of each thread
        error, info = _native.odim_error(), _native.odim_column_info()
        self.names: List[str] = []
        self.ignored: List[str] = []
        self.types: List[int] = []
        for j in range(lib.odim_model_cols(self)):
            check(lib.odim_model_column(self, j, byref(info), byref(error)), error)
            self.names.append(info.name.decode("utf-8", "replace"))
            self.types.append(info.type)
            if info.ignored:
                self.ignored.append(f"{self.names[-1]!r} {info.ignored.decode('utf-8', 'replace')}")
        self.is_numeric = all(kind == _native.NUMERIC for kind in self.types)
        own = list(dict.fromkeys(self.sources()))
        self.has_names = own != [f"x{j + 1}" for j in range(len(own))]
        self.threshold: float = lib.odim_model_threshold(self)
        self.unusual: float = lib.odim_model_unusual(self)

    def takes_numbers(self, columns: Sequence[str]) -> bool:
        """True if the columns of the data are those of the model, and all are numbers."""
        return self.is_numeric and self.names == columns

    def sources(self, names: Sequence[str] = ()) -> List[str]:
        """The column of the data that each column of the model comes from: "memo" for "memo: length"."""
        def source(name: str) -> str:
            head, _, tail = name.rpartition(": ")
            return head if head and tail in _TEXT_COLUMNS and name not in names else name
        return [source(name) for name in self.names]

    @classmethod
    def fit(cls, table: Table, params: Params, progress: ProgressCallback) -> Tuple["Model", np.ndarray, List[str]]:
        """Returns the model, the scores of the table's rows, and the notes."""
        handle = c_void_p()
        scores = np.empty(table.rows)
        notes = run(lambda hooks, error: lib.odim_detect(table, params, hooks, byref(handle), scores.ctypes.data,
                                                         error), progress)
        return cls(handle), scores, notes

    @classmethod
    def fit_only(cls, table: Table, params: Params, progress: ProgressCallback) -> Tuple["Model", List[str]]:
        handle = c_void_p()
        notes = run(lambda hooks, error: lib.odim_fit(table, params, hooks, byref(handle), error), progress)
        return cls(handle), notes

    @classmethod
    def fit_file(cls, path: Any, options: Any, params: Params, progress: ProgressCallback) -> Tuple["Model", List[str]]:
        """Fits to a file, without holding its rows in memory."""
        handle, name = c_void_p(), _path(path)
        notes = run(lambda hooks, error: lib.odim_fit_file(name, byref(options), params, hooks, byref(handle), error),
                    progress, path)
        return cls(handle), notes

    def score(self, table: Table, params: Params, progress: ProgressCallback, raw: bool = False) -> np.ndarray:
        scores = np.empty(table.rows)
        call = lib.odim_score_raw if raw else lib.odim_score
        run(lambda hooks, error: call(self, table, params, hooks, scores.ctypes.data, error), progress)
        return scores

    def scorer(self) -> Scorer:
        """That of the calling thread, for a few rows."""
        scorer = getattr(self._local, "scorer", None)
        if scorer is None:
            scorer = self._local.scorer = Scorer(self.handle)
        return scorer

    def probability(self, scores: np.ndarray) -> np.ndarray:
        probabilities, error = np.empty(len(scores)), _native.odim_error()
        scores = np.ascontiguousarray(scores, dtype=np.float64)
        check(lib.odim_model_probabilities(self, scores.ctypes.data, len(scores), probabilities.ctypes.data,
                                           byref(error)), error)
        return probabilities

    def explain(self, table: Table, rows: np.ndarray, top: int, params: Params,
                progress: ProgressCallback) -> "Reasons":
        handle = c_void_p()
        listed = np.append(rows, 0)  # never a null pointer, which would mean all rows
        which = _native.odim_explain_options(rows=listed.ctypes.data, count=len(rows), top=min(top, len(self.names)))
        run(lambda hooks, error: lib.odim_explain(self, table, byref(which), params, hooks, byref(handle), error),
            progress)
        return Reasons(handle)

    def reason_text(self, table: Table, row: int, reason: _native.odim_reason) -> str:
        buffer = create_string_buffer(512)
        return lib.odim_reason_text(self, table, row, byref(reason), buffer, len(buffer)).decode("utf-8", "replace")

    @staticmethod
    def reason_kind(reason: _native.odim_reason) -> str:
        return lib.odim_reason_kind_text(reason.kind).decode()

    def value(self, col: int, number: float) -> Any:
        """A value of a column as a Python object."""
        if number != number:
            return None
        if self.types[col] == _native.CATEGORICAL:
            level = lib.odim_model_level(self, col, int(number), None)
            return None if level is None else level.decode("utf-8", "replace")
        if self.types[col] == _native.TIME:
            return np.datetime64(round(number * 1000), "ms")
        return number >= 0.5 if self.types[col] == _native.BOOLEAN else number

    def param(self, flag: str) -> Optional[str]:
        buffer = create_string_buffer(256)
        text = lib.odim_model_get(self, flag.encode(), buffer, len(buffer))
        return None if text is None else text.decode()

    def privacy(self) -> Optional[Privacy]:
        found = lib.odim_model_privacy(self)
        if not found:
            return None
        info = found.contents
        return Privacy(info.epsilon, info.delta, info.updates, info.rate, info.noise, info.clip, info.other_noise,
                       bool(info.bounds_given), bool(info.scores_counted), bool(info.insecure))

    # ---- files ---------------------------------------------------------------------------------------------

    def save(self, path: Any) -> None:
        error = _native.odim_error()
        check(lib.odim_model_save(self, _path(path), byref(error)), error)

    @classmethod
    def load(cls, path: Any) -> "Model":
        handle, error = c_void_p(), _native.odim_error()
        check(lib.odim_model_load(byref(handle), _path(path), byref(error)), error, path)
        return cls(handle)

    def to_bytes(self) -> bytes:
        data, size, error = c_void_p(), c_size_t(), _native.odim_error()
        check(lib.odim_model_save_memory(self, byref(data), byref(size), byref(error)), error)
        try:
            return string_at(data, size.value)
        finally:
            lib.odim_free(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Model":
        handle, error = c_void_p(), _native.odim_error()
        check(lib.odim_model_load_memory(byref(handle), data, len(data), byref(error)), error)
        return cls(handle)


# ---- judging ---------------------------------------------------------------------------------------------------

def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    """The area under the ROC curve; labels are 1 and 0."""
    scores, labels = np.ascontiguousarray(scores), np.ascontiguousarray(labels, dtype=np.int8)
    out, error = c_double(), _native.odim_error()
    check(lib.odim_auc(scores.ctypes.data, labels.ctypes.data, len(scores), byref(out), byref(error)), error)
    return out.value


def _beta(x: np.ndarray, a: float, b: float) -> np.ndarray:
    """The regularized incomplete beta function, by its continued fraction (modified Lentz)."""
    swap = x > (a + 1) / (a + b + 2)
    x, p, q = np.where(swap, 1 - x, x), np.where(swap, b, a), np.where(swap, a, b)
    tiny = 1e-300
    c, d = np.ones_like(x), 1 - (p + q) * x / (p + 1)
    d = 1 / np.where(np.abs(d) < tiny, tiny, d)
    h = d.copy()
    for m in range(1, 100000):
        before = h.copy()
        for top in (m * (q - m) * x / ((p + 2 * m - 1) * (p + 2 * m)),
                    -(p + m) * (p + q + m) * x / ((p + 2 * m) * (p + 2 * m + 1))):
            d, c = 1 + top * d, 1 + top / c
            d = 1 / np.where(np.abs(d) < tiny, tiny, d)
            c = np.where(np.abs(c) < tiny, tiny, c)
            h *= c * d
        if np.all(np.abs(h - before) <= 1e-12 * np.abs(h)):
            break
    front = lgamma(a + b) - lgamma(a) - lgamma(b)
    value = np.exp(front + p * np.log(x) + q * np.log1p(-x)) * h / p
    return np.where(swap, 1 - value, value)


def confidence(scores: np.ndarray, training: np.ndarray, is_outlier: np.ndarray, outliers: int) -> np.ndarray:
    """The confidence in labels. training: the sorted scores of the training rows, of which so many are outliers."""
    n = len(training)
    p = (1 + np.searchsorted(training, scores, side="right")) / (2 + n)  # that a row is below this one
    # More than n - outliers of n rows are below it: only then it is among the outliers.
    sure = _beta(p, n - outliers + 1, outliers) if outliers else np.zeros(len(scores))
    return np.where(is_outlier, sure, 1 - sure)
