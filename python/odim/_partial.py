"""Partial fits: what a fit takes from parts of a table, collected anywhere and merged in any order."""
from __future__ import annotations

import weakref
from ctypes import byref, c_size_t, c_void_p, string_at
from typing import Any, Optional

from . import _native
from ._errors import check
from ._estimator import ODIM
from ._frames import ArrowFrame, Data
from ._model import Model
from ._native import lib
from ._run import run
from ._tables import Cells, as_data, build_scanned, column_names, make_table


def _rows(X: Data, at_least: int = 1) -> Any:
    data = as_data(X, at_least)
    if isinstance(data, ArrowFrame):
        raise TypeError("types of columns are found from all rows of an Arrow stream: give a frame of pandas, a dict "
                        "of columns or an array")
    return data


class Scan:
    """The first pass over the parts of a table: how many rows each has, and what decides the types of the columns.

    Columns of texts may be numbers, dates, categories, ids or free text, which only all rows tell. Parts have numbers
    from 0, in the order of the rows.

    Examples
    --------
    >>> from odim import ODIM, Partial, Scan
    >>> rows = {"when": [f"{i % 28 + 1}/{i % 12 + 1}/2024" for i in range(90)], "x": [i * 7 % 31 for i in range(90)]}
    >>> parts = [{name: column[i:i + 30] for name, column in rows.items()} for i in (0, 30, 60)]
    >>> scan = Scan()
    >>> for i in (2, 0, 1):
    ...     scan = scan.merge(Scan().add(parts[i], i))
    >>> clf = ODIM(method="hbos")
    >>> merged = Partial(clf)
    >>> for i, part in enumerate(parts):
    ...     merged = merged.merge(Partial(clf).add(part, scan.first(i), scan))
    >>> merged.fit().to_bytes() == clf.fit(rows).to_bytes()
    True
    """

    def __init__(self) -> None:
        handle, error = c_void_p(), _native.odim_error()
        check(lib.odim_scan_new(byref(handle), byref(error)), error)
        self._own(handle)

    def _own(self, handle: c_void_p) -> None:
        self._as_parameter_ = handle
        weakref.finalize(self, lib.odim_scan_free, handle)

    def add(self, X: Data, part: int) -> "Scan":
        """Adds the rows of a part, of which there may be none."""
        data = _rows(X, 0)
        cells, error = Cells(data, column_names(data)), _native.odim_error()
        check(lib.odim_scan_add(self, part, cells.columns, cells.cols, cells.rows, byref(error)), error)
        return self

    def merge(self, other: "Scan") -> "Scan":
        """Adds what another scan has. Parts that both have are an error."""
        error = _native.odim_error()
        check(lib.odim_scan_merge(self, other, byref(error)), error)
        return self

    def first(self, part: int) -> int:
        """The number of rows before a part."""
        first = int(lib.odim_scan_first(self, part))
        if first < 0:
            raise ValueError(f"parts before number {part} are missing")
        return first

    def to_bytes(self) -> bytes:
        """Bytes to send or to keep, for the same version of the library."""
        data, size, error = c_void_p(), c_size_t(), _native.odim_error()
        check(lib.odim_scan_save_memory(self, byref(data), byref(size), byref(error)), error)
        try:
            return string_at(data, size.value)
        finally:
            lib.odim_free(data)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Scan":
        handle, error = c_void_p(), _native.odim_error()
        check(lib.odim_scan_load_memory(byref(handle), data, len(data), byref(error)), error)
        self = cls.__new__(cls)
        self._own(handle)
        return self

    def __reduce__(self) -> Any:
        return Scan.from_bytes, (self.to_bytes(),)


class Partial:
    """A part of a fit, for engines that divide the rows of a table: Dask, Spark, Ray.

    Each part gets its rows with the number of the first of them among all rows. The model is, to the bit, the one that
    ``odim fit`` makes of the whole table. Columns of texts are categories, unless a :class:`Scan` says what they are.

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

    def add(self, X: Data, first: int, scan: Optional[Scan] = None) -> "Partial":
        """Adds rows, of which the first is number ``first`` of all rows, from 0. ``scan`` has all parts."""
        data, error = _rows(X), _native.odim_error()
        table = build_scanned(data, scan) if scan is not None else make_table(data, fixed=True, typed=True)
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
