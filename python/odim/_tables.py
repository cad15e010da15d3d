"""Makes an odim_table from arrays, without a copy if possible, and from data frames, column by column or by Arrow.

A column of a data frame means the same as in the CSV file that `DataFrame.to_csv` writes: numbers, booleans, dates and
missing values keep their types, and the type of a text column is found from its cells. In addition, a column of pandas'
type `category` is a category regardless of its values (like `odim --categorical` for a file). A column that names or
numbers the rows is not a feature, and free text is described by several columns.
"""
from __future__ import annotations

import datetime
import numbers
import weakref
from ctypes import POINTER, byref, c_char_p, c_void_p, create_string_buffer, pointer
from typing import Any, List, Optional, Sequence

import numpy as np

from . import _native
from ._errors import check
from ._frames import ArrowFrame, Category, Columns, adapt, densify, is_sparse
from ._native import lib


class Table:
    """Owns an odim_table and keeps the arrays that it borrows alive."""

    def __init__(self, handle: c_void_p, rows: int, cols: int, borrowed: Any = None) -> None:
        self._as_parameter_ = handle
        self.rows = rows
        self.cols = cols
        self.borrowed = borrowed
        self.notes: List[str] = []
        weakref.finalize(self, lib.odim_table_free, handle)

    def with_notes(self) -> "Table":
        """Reads the remarks about the columns, such as which one names the rows."""
        while (note := lib.odim_table_note(self, len(self.notes))) is not None:
            self.notes.append(note.decode("utf-8", "replace"))
        return self

    def set_known(self, known: np.ndarray) -> None:
        error = _native.odim_error()
        check(lib.odim_table_set_known(self, known.ctypes.data, byref(error)), error)

    def set_bounds(self, low: np.ndarray, high: np.ndarray) -> None:
        error = _native.odim_error()
        check(lib.odim_table_set_bounds(self, low.ctypes.data, high.ctypes.data, byref(error)), error)


def is_pandas(X: Any) -> bool:
    # Asking the class for dtypes: asking the frame would make them.
    return hasattr(type(X), "dtypes") and hasattr(X, "columns") and hasattr(X, "iloc")


def is_frame(X: Any) -> bool:
    return is_pandas(X) or isinstance(X, (Columns, ArrowFrame))


def frame_names(X: Any) -> Optional[List[str]]:
    """The column names of a data frame if all are strings, as scikit-learn requires; otherwise None."""
    if not is_frame(X):
        return None
    names = list(X.columns)
    return names if names and all(isinstance(name, str) for name in names) else None


def _texts(texts: Sequence[str]):
    encoded = [_native.c_text(text, "a text") for text in texts]
    return (c_char_p * max(1, len(encoded)))(*encoded)


# ---- arrays ----------------------------------------------------------------------------------------------------

def _check_shape(shape: tuple, at_least: int = 1) -> None:
    if len(shape) != 2:
        raise ValueError(f"Expected 2D array, got {len(shape)}D array instead. Reshape your data using "
                         "array.reshape(-1, 1) if it has one column or array.reshape(1, -1) if it is one row.")
    for count, least, what in zip(shape, (at_least, 1), ("sample", "feature")):
        if count < least:
            raise ValueError(f"Found array with {count} {what}(s) (shape={shape}) while a minimum of {least} is "
                             "required.")


def _as_floats(x: np.ndarray) -> np.ndarray:
    """A C-ordered array of float32 if that is exact, otherwise float64; x itself if it is one."""
    small = x.dtype.kind in "biu" and x.dtype.itemsize <= 2 or x.dtype == np.float16
    dtype = np.dtype(np.float32 if small or x.dtype.newbyteorder("=") == np.float32 else np.float64)
    x = x.astype(dtype, copy=False)
    row, cell = x.strides
    in_rows = (x.shape[1] == 1 or cell == dtype.itemsize) and x.flags.aligned
    in_order = x.shape[0] == 1 or (row >= x.shape[1] * dtype.itemsize and row % dtype.itemsize == 0)
    return x if in_rows and in_order else np.array(x, dtype=dtype, order="C")


def wrap(x: np.ndarray, names: Optional[Sequence[str]]) -> Table:
    """A table of numbers."""
    x = _as_floats(x)
    rows, cols = x.shape
    stride = x.strides[0] // x.itemsize if rows > 1 else cols
    call = lib.odim_table_wrap_f32 if x.dtype == np.float32 else lib.odim_table_wrap_f64
    handle, error = c_void_p(), _native.odim_error()
    check(call(byref(handle), x.ctypes.data, rows, cols, stride, None if names is None else _texts(names),
               byref(error)), error)
    return Table(handle, rows, cols, x)


# ---- columns ---------------------------------------------------------------------------------------------------

def _number_column(values: np.ndarray, time: bool = False):
    values = np.ascontiguousarray(values, dtype=np.float64)
    column = _native.odim_column(numbers=values.ctypes.data, typed=time, type=_native.TIME if time else 0)
    return column, values


def _text_column(codes: np.ndarray, texts: Sequence[str], category: bool = False):
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    array = _texts(texts)
    column = _native.odim_column(codes=codes.ctypes.data, texts=array, text_count=len(texts), typed=category,
                                 type=_native.CATEGORICAL if category else 0)
    return column, (codes, array)


def _seconds(times: np.ndarray) -> np.ndarray:
    """datetime64 as seconds since 1970, rounded as the library rounds what it reads."""
    unit, count = np.datetime_data(times.dtype)
    ticks = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}.get(unit) if count == 1 else None
    if ticks is None:
        times, ticks = times.astype("datetime64[us]"), 10**6
    whole, part = np.divmod(times.view(np.int64), ticks)
    return np.where(np.isnat(times), np.nan, whole.astype(np.float64) + part / ticks)


def _is_gap(cell: Any) -> bool:
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, numbers.Real) and
                                                                            cell != cell)


def _cell_text(cell: Any) -> str:
    """A cell as text, as in a CSV file."""
    if isinstance(cell, (str, numbers.Real, np.bool_, datetime.date)) or type(cell).__name__ == "Decimal":
        return str(cell)
    if isinstance(cell, bytes):
        return cell.decode("utf-8")
    if isinstance(cell, np.datetime64):
        return str(cell)
    raise TypeError(f"argument must be a string or a number, not {type(cell).__name__!r}: a cell of a table is a "
                    "number, a text, a truth value or a date")


def _object_column(cells: Sequence[Any]):
    codes = np.empty(len(cells), dtype=np.int32)
    code_of: dict = {}
    for i, cell in enumerate(cells):
        if type(cell) is str:  # most are
            codes[i] = code_of.setdefault(cell, len(code_of))
        else:
            codes[i] = -1 if _is_gap(cell) else code_of.setdefault(_cell_text(cell), len(code_of))
    return _text_column(codes, list(code_of))


def _category_column(values: Any):
    return _text_column(values.codes, [_cell_text(text) for text in values.categories], category=True)


def _plain_column(values: np.ndarray, name: Any):
    """A column that is a NumPy array."""
    kind = values.dtype.kind
    if kind == "b":
        return _text_column(values, ["False", "True"])
    if kind in "iuf":
        return _number_column(values)
    if kind == "M":
        return _number_column(_seconds(values), time=True)
    if kind == "m":
        raise TypeError(f"column {name!r} holds durations: make them numbers, such as seconds")
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r}")
    return _object_column(values.tolist() if kind in "US" else values)


def _frame_column(series: Any, name: Any):
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return _plain_column(series.to_numpy(), name)
    if hasattr(dtype, "categories"):
        return _category_column(series.array)
    if hasattr(dtype, "tz"):
        return _number_column(_seconds(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()), time=True)
    kind = getattr(dtype, "kind", "O")
    if kind == "b":
        codes = series.astype("Int8").to_numpy(dtype=np.int32, na_value=-1)
        return _text_column(codes, ["False", "True"])
    if kind in "iuf":
        return _number_column(series.to_numpy(dtype=np.float64, na_value=np.nan))
    return _object_column(series.to_numpy(dtype=object))


def _is_truth(X: Any, j: int) -> bool:
    dtype = X.dtypes.iloc[j] if is_pandas(X) else X.values[j].dtype if isinstance(X, Columns) else X.dtype
    return getattr(dtype, "kind", "O") == "b"


class Cells:
    """The columns of data as the library takes them. It keeps the arrays alive."""

    def __init__(self, X: Any, names: Optional[Sequence[str]], fixed: bool = False, typed: bool = False) -> None:
        self.rows, self.cols = X.shape
        if isinstance(X, Columns):
            parts = [_category_column(v) if isinstance(v, Category) else _plain_column(v, name)
                     for name, v in zip(X.columns, X.values)]
        elif is_frame(X):
            parts = [_frame_column(X.iloc[:, j], X.columns[j]) for j in range(self.cols)]
        else:
            parts = [_plain_column(X[:, j], j) for j in range(self.cols)]
        for j, (column, _) in enumerate(parts):
            if fixed and column.numbers and not column.typed:
                column.typed, column.type = 1, _native.NUMERIC
            if typed and column.codes and not column.typed:
                column.typed, column.type = 1, _native.BOOLEAN if _is_truth(X, j) else _native.CATEGORICAL
        for (column, _), name in zip(parts, names or ()):
            column.name = _native.c_text(name, "the name of a column")
        self.parts = parts
        self.columns = (POINTER(_native.odim_column) * self.cols)(*(pointer(column) for column, _ in parts))


def build(X: Any, names: Optional[Sequence[str]], model: Any, fixed: bool = False, typed: bool = False) -> Table:
    """A table of columns of any type; with a model, a table of the model's columns.

    With ``fixed``, columns of numbers are features whatever they hold. With ``typed``, columns of texts are categories,
    so that each part of a table has the same types.
    """
    cells = Cells(X, names, fixed, typed)
    handle, error = c_void_p(), _native.odim_error()
    check(lib.odim_table_build(byref(handle), cells.columns, cells.cols, cells.rows, model, byref(error)), error)
    return Table(handle, cells.rows, cells.cols).with_notes()


def build_scanned(X: Any, scan: Any) -> Table:
    """A table of some of the rows, with the types that a scan of all rows has found."""
    names = column_names(X)
    if _is_numbers(X):
        return wrap(X.to_numpy() if is_frame(X) else X, names)
    cells, handle, error = Cells(X, names), c_void_p(), _native.odim_error()
    check(lib.odim_scan_table(scan, cells.columns, cells.cols, cells.rows, byref(handle), byref(error)), error)
    return Table(handle, cells.rows, cells.cols).with_notes()


# ---- Arrow -----------------------------------------------------------------------------------------------------

def _list(texts: Sequence[str]) -> Any:
    """Texts, and a null pointer behind them."""
    return (c_char_p * (len(texts) + 1))(*[_native.c_text(text, "the name of a column") for text in texts], None)


def take(X: ArrowFrame, model: Any, fixed: bool = False) -> Table:
    """A table of an Arrow stream; with a model, a table of the model's columns, which are found by name."""
    options = _native.odim_read_options(id=b"" if fixed else None, categorical=None if model else _list(X.categories),
                                        like=model._as_parameter_ if model else None)
    handle, error = c_void_p(), _native.odim_error()
    check(lib.odim_table_arrow(byref(handle), X.stream, byref(options), byref(error)), error)
    return Table(handle, lib.odim_table_rows(handle), lib.odim_table_cols(handle)).with_notes()


def table_cell(table: Table, row: int, name: str, kind: int) -> Any:
    """A cell of a table: a number, or a text if it is anything else; None if it is missing."""
    for col in range(table.cols):
        if lib.odim_table_name(table, col).decode("utf-8", "replace") == name:
            number, buffer = lib.odim_table_value(table, row, col), create_string_buffer(4096)
            text = lib.odim_table_text(table, row, col, buffer, len(buffer)).decode("utf-8", "replace")
            return None if number != number else number if kind == _native.NUMERIC else text
    return None


# ---- all -------------------------------------------------------------------------------------------------------

def as_data(X: Any, at_least: int = 1) -> Any:
    """X itself if it is a data frame, its columns if it is a frame of another kind, otherwise an array.

    Raises if X can be none of these, or has too few rows.
    """
    if is_pandas(X):
        _check_shape(X.shape, at_least)
        return X
    frame = adapt(X)
    if frame is not None:
        if not isinstance(frame, ArrowFrame):  # whose rows are counted when they are read
            _check_shape(frame.shape, at_least)
        return frame
    if is_sparse(X):
        _check_shape(X.shape, at_least)
        return densify(X)
    if isinstance(X, np.ma.MaskedArray):
        X = X.astype(np.result_type(X.dtype, np.float32)).filled(np.nan)  # masked cells are missing
    x = np.asarray(X)
    if x.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{X}\n")
    _check_shape(x.shape, at_least)
    return x


def reorder(X: Any, names: Sequence[str]) -> Any:
    """A frame with its columns in another order."""
    if isinstance(X, ArrowFrame):
        return X  # the library matches them by name
    return X.select(names) if isinstance(X, Columns) else X[list(names)]


def _is_numbers(X: Any) -> bool:
    if isinstance(X, Columns):
        return X.is_numbers
    if not is_frame(X):
        return X.dtype.kind in "biuf"
    return all(isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in X.dtypes)


def few_numbers(X: Any, most: int) -> Optional[np.ndarray]:
    """The values of at most so many rows, if all are numbers; else None, also for infinite values, which are errors."""
    if isinstance(X, ArrowFrame) or X.shape[0] > most or not _is_numbers(X):
        return None
    values = np.ascontiguousarray(X.to_numpy() if is_frame(X) else X, dtype=np.float64)
    return None if np.isinf(values).any() else values


def column_names(X: Any) -> List[str]:
    """The names of the columns, as the library has them."""
    return [str(name) for name in X.columns] if is_frame(X) else [f"x{j + 1}" for j in range(X.shape[1])]


def make_table(X: Any, names: Optional[Sequence[str]] = None, model: Any = None, fixed: bool = False,
               typed: bool = False) -> Table:
    """The table of the data that as_data returned. With a model, its columns, which are found by ``names``.

    With ``fixed``, columns of numbers are features whatever they hold. With ``typed``, columns of texts are categories.
    """
    if isinstance(X, ArrowFrame):
        return take(X, model, fixed)
    names = names or column_names(X)
    if _is_numbers(X) and (model is None or model.takes_numbers(names)):
        return wrap(X.to_numpy() if is_frame(X) else X, names)
    return build(X, names, model, fixed, typed)


def known_rows(known_outliers: Any, rows: int) -> np.ndarray:
    """What is known about each row: 1 for an outlier, 0 for an inlier, -1 for unknown."""
    given = np.asarray(known_outliers)
    if given.ndim != 1:
        raise ValueError(f"known_outliers has {given.ndim} dimensions; one entry a row, or a list of rows, is needed")
    known = np.full(rows, -1, dtype=np.int8)
    if len(given) == rows:
        if given.dtype.kind == "f":
            given = np.where(np.isnan(given), -1, given)
        if given.dtype.kind == "b":
            known[given] = 1
            return known
        if not np.isin(given, (-1, 0, 1)).all():
            raise ValueError("known_outliers: an entry a row is True or False, or 1 (outlier), 0 (inlier) or -1 (not "
                             "known; also NaN)")
        return given.astype(np.int8)
    if len(given) and given.dtype.kind not in "iu":
        raise ValueError(f"known_outliers has {len(given)} entries for {rows} rows; give one a row, or the positions "
                         "of the outliers, from 0")
    if len(given) and (given.min() < 0 or given.max() >= rows):
        raise ValueError(f"known_outliers: positions are from 0 to {rows - 1}")
    known[given.astype(np.int64)] = 1
    return known


def chosen_rows(rows: Any, count: int) -> np.ndarray:
    """The positions that ``rows`` selects in a table: a boolean mask, positions, or None for all rows."""
    if rows is None:
        return np.arange(count, dtype=np.int64)
    given = np.atleast_1d(np.asarray(rows))
    if given.ndim != 1:
        raise ValueError(f"rows has {given.ndim} dimensions; positions from 0 are needed, or True or False for each "
                         "row")
    if given.dtype.kind == "b":
        if len(given) != count:
            raise IndexError(f"rows has {len(given)} entries of True or False; the table has {count} rows")
        return np.flatnonzero(given).astype(np.int64)
    if len(given) == 0:
        return np.empty(0, dtype=np.int64)
    if given.dtype.kind not in "iu":
        raise TypeError(f"rows are positions from 0, or True or False for each row, not {given.dtype}")
    outside = given[(given < 0) | (given >= count)]
    if len(outside):
        raise IndexError(f"there is no row {outside[0]}: the table has {count} rows, numbered from 0 to {count - 1}")
    return np.ascontiguousarray(given, dtype=np.int64)


_BOUNDS = ("bounds is (low, high), each a number or one number a column, or a dict from each column to its (low, high)")
_LEVELS = ("levels of categories, and bounds of times, can be given for a file only: 'odim fit --dp-bounds', "
           "docs/PRIVACY.md")


def _pair(pair: Any, what: str) -> Any:
    if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) != 2:
        raise ValueError(f"{what}, not {pair!r}")
    return tuple(pair)


def _named_bounds(bounds: Any, X: Any) -> Any:
    """Bounds from a dict, whose keys are the column names of a data frame, or column numbers of an array from 0."""
    keys = list(X.columns) if is_frame(X) else list(range(X.shape[1]))
    unknown, missing = [key for key in bounds if key not in keys], [key for key in keys if key not in bounds]
    if unknown:
        raise ValueError(f"bounds: there is no column {unknown[0]!r}; the columns are {', '.join(map(repr, keys[:20]))}"
                         + (", ..." if len(keys) > 20 else ""))
    if missing:
        raise ValueError(f"bounds: column {missing[0]!r} has none; each column needs its (low, high)")
    for key, pair in bounds.items():
        pair = _pair(pair, f"bounds of column {key!r} must be (low, high)")
        if not all(isinstance(side, numbers.Real) for side in pair):
            raise ValueError(f"bounds of column {key!r} must be two numbers, not {pair!r}; {_LEVELS}")
    return zip(*(bounds[key] for key in keys))


def public_bounds(bounds: Any, X: Any) -> List[np.ndarray]:
    """Arrays with the lower and upper bound of each column."""
    sides = _named_bounds(bounds, X) if isinstance(bounds, dict) else _pair(bounds, _BOUNDS)
    try:
        return [np.array(np.broadcast_to(np.asarray(side, dtype=np.float64), X.shape[1])) for side in sides]
    except (TypeError, ValueError):
        raise ValueError(f"{_BOUNDS}: this table has {X.shape[1]} columns; {_LEVELS}") from None
