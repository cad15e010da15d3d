"""Partial fits: what a fit takes from parts of a table, collected anywhere and merged in any order."""
from __future__ import annotations

import weakref
from ctypes import byref, c_size_t, c_void_p, string_at
from typing import Any

from . import _native
from ._errors import check
from ._estimator import ODIM
from ._frames import ArrowFrame, Data
from ._model import Model
from ._native import lib
from ._run import run
from ._tables import as_data, make_table


class Partial:
    """A part of a fit, for engines that divide the rows of a table: Dask, Spark, Ray.

    Each part gets its rows with the number of the first of them among all rows. The model is, to the bit, the one that
    ``odim fit`` makes of the whole table. Columns of texts are categories.

    Parameters
    ----------
    params : ODIM
        The parameters of the fit. Parts that are merged need the same ``seed``.

    Examples
    --------
    >>> import numpy as np
    >>> from odim import ODIM, Partial
    >>> X = np.random.default_rng(0).normal(size=(500, 3))
    >>> clf = ODIM(preset="fast")
    >>> first, second = Partial(clf).add(X[:200], 0), Partial(clf).add(X[200:], 200)
    >>> merged = Partial.from_bytes(clf, second.to_bytes()).merge(first)
    >>> merged.fit().to_bytes() == clf.fit(X).to_bytes()
    True
    """

    def __init__(self, params: ODIM) -> None:
        handle, error = c_void_p(), _native.odim_error()
        self._params = params
        check(lib.odim_partial_new(byref(handle), params._params(), byref(error)), error)
        self._own(handle)

    def _own(self, handle: c_void_p) -> None:
        self._as_parameter_ = handle
        weakref.finalize(self, lib.odim_partial_free, handle)

    def add(self, X: Data, first: int) -> "Partial":
        """Adds rows, of which the first is number ``first`` of all rows, from 0."""
        data = as_data(X)
        if isinstance(data, ArrowFrame):
            raise TypeError("types of columns are found from all rows of an Arrow stream: give a frame of pandas, a dict "
                            "of columns or an array")
        table, error = make_table(data, fixed=True, typed=True), _native.odim_error()
        check(lib.odim_partial_add(self, table, first, byref(error)), error)
        return self

    def merge(self, other: "Partial") -> "Partial":
        """Adds what another part has. Rows that both have are an error."""
        error = _native.odim_error()
        check(lib.odim_partial_merge(self, other, byref(error)), error)
        return self

    def to_bytes(self) -> bytes:
        """Bytes to send or to keep, for the same version of the library."""
        data, size, error = c_void_p(), c_size_t(), _native.odim_error()
        check(lib.odim_partial_save_memory(self, byref(data), byref(size), byref(error)), error)
        try:
            return string_at(data, size.value)
        finally:
            lib.odim_free(data)

    @classmethod
    def from_bytes(cls, params: ODIM, data: bytes) -> "Partial":
        handle, error = c_void_p(), _native.odim_error()
        check(lib.odim_partial_load_memory(byref(handle), data, len(data), byref(error)), error)
        self = cls.__new__(cls)
        self._params = params
        self._own(handle)
        return self

    def fit(self) -> ODIM:
        """The fitted estimator. Fails if rows are missing between number 0 and the last."""
        handle: Any = c_void_p()
        params = self._params._params()
        notes = run(lambda hooks, error: lib.odim_partial_fit(self, params, hooks, byref(handle), error),
                    self._params.progress)
        model = Model(handle)
        clf = type(self._params)(**self._params.get_params())
        clf._take_own(model)
        clf.notes_ = notes
        return clf
