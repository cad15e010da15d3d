"""Data frames of other libraries, dicts of columns, structured arrays and sparse matrices, as the package sees them.

Whatever has names keeps them, so that columns are matched by name and never by position. Anything with
``__arrow_c_stream__`` (polars, pyarrow, DuckDB) goes to the library as it is, by the Arrow C data interface; anything
else with ``__dataframe__`` is read column by column. pandas is not handled here: see _tables.py.
"""
from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_void_p, cast
from typing import Any, Iterator, List, Mapping, Optional, Protocol, Sequence, Union

import numpy as np

from numpy.typing import ArrayLike

from . import _native
from ._errors import OdimError


class ArrowStream(Protocol):
    """Frames of polars, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class Interchange(Protocol):
    """Frames of other libraries."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any: ...


class Sparse(Protocol):
    """Sparse matrices of SciPy."""

    def toarray(self) -> Any: ...


# What the estimators take as a table.
Data = Union[ArrayLike, Mapping[str, Any], ArrowStream, Interchange, Sparse]

# Bytes of a block of rows of a sparse matrix, when it is made dense.
BLOCK_BYTES = 64 << 20


# ---- columns ---------------------------------------------------------------------------------------------------

class Category:
    """A column of codes and the texts that they stand for; negative codes are missing."""

    def __init__(self, codes: np.ndarray, categories: Sequence[Any]) -> None:
        self.codes = codes
        self.categories = categories

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> Any:
        code = self.codes[row]
        return None if code < 0 else self.categories[code]


class Columns:
    """A table of named columns: NumPy arrays of one dimension, or categories."""

    def __init__(self, names: Sequence[Any], values: Sequence[Any]) -> None:
        self.columns = list(names)
        self.values = list(values)
        lengths = sorted({len(column) for column in self.values})
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {lengths[0]} and {lengths[-1]}")
        self.shape = (lengths[0] if lengths else 0, len(self.values))

    def select(self, names: Sequence[Any]) -> "Columns":
        return Columns(names, [self.values[self.columns.index(name)] for name in names])

    def cell(self, row: int, col: int) -> Any:
        return self.values[col][row]

    @property
    def is_numbers(self) -> bool:
        return all(isinstance(v, np.ndarray) and v.dtype.kind in "iuf" for v in self.values)

    def to_numpy(self) -> np.ndarray:
        return np.column_stack(self.values)


def _one_dimension(name: Any, column: Any) -> np.ndarray:
    values = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if isinstance(column, np.ma.MaskedArray):
        values = column.astype(np.result_type(column.dtype, np.float32)).filled(np.nan)
    if values.dtype.kind in "US" and not isinstance(column, np.ndarray):
        values = np.array(column, dtype=object)  # a list of words and numbers keeps what each of them is
    if values.ndim != 1:
        raise ValueError(f"column {name!r} has {values.ndim} dimensions; a column has one")
    return values


def from_dict(columns: Any) -> Columns:
    return Columns(list(columns), [_one_dimension(name, column) for name, column in columns.items()])


def from_structured(x: np.ndarray) -> Columns:
    """A structured array, as numpy.genfromtxt and records make them."""
    x = np.atleast_1d(x)
    for name in x.dtype.names or ():
        if x.dtype[name].names or x.dtype[name].shape:
            raise TypeError(f"field {name!r} of the structured array is not a single value")
    if isinstance(x, np.ma.MaskedArray):
        return Columns(x.dtype.names, [_one_dimension(name, x[name]) for name in x.dtype.names])
    return Columns(x.dtype.names or (), [np.ascontiguousarray(x[name]) for name in x.dtype.names or ()])


# ---- the interchange protocol ----------------------------------------------------------------------------------

_INT, _UINT, _FLOAT, _BOOL, _STRING, _DATETIME, _CATEGORICAL = 0, 1, 2, 20, 21, 22, 23
_NO_NULLS, _NAN, _SENTINEL, _BITS, _BYTES = range(5)
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


def _buffer(buffer: Any, dtype: Any, offset: int, count: int) -> np.ndarray:
    """`count` values of a buffer from `offset` on, which may be inside a larger piece of memory."""
    dtype = np.dtype(dtype)
    have = buffer.bufsize // dtype.itemsize
    if offset + count > have:
        raise ValueError("a column of __dataframe__ is longer than its buffer")
    raw = (ctypes.c_char * buffer.bufsize).from_address(buffer.ptr) if buffer.bufsize else b""
    return np.frombuffer(raw, dtype=dtype, count=have)[offset:offset + count].copy()


def _bits(buffer: Any, offset: int, count: int) -> np.ndarray:
    raw = _buffer(buffer, np.uint8, 0, (offset + count + 7) // 8)
    return np.unpackbits(raw, bitorder="little")[offset:offset + count].astype(bool)


def _missing(column: Any, values: np.ndarray, buffers: Any) -> Optional[np.ndarray]:
    kind, value = column.describe_null
    if kind in (_BITS, _BYTES):
        if buffers["validity"] is None:
            return None
        buffer, count = buffers["validity"][0], column.size()
        mask = (_bits(buffer, column.offset, count) if kind == _BITS else
                _buffer(buffer, np.uint8, column.offset, count).astype(bool))
        return mask == bool(value)
    return values == value if kind == _SENTINEL else None


def _texts(column: Any, buffers: Any) -> np.ndarray:
    width = buffers["offsets"][1][1]
    offsets = _buffer(buffers["offsets"][0], f"i{width // 8}", column.offset, column.size() + 1)
    raw = _buffer(buffers["data"][0], np.uint8, 0, buffers["data"][0].bufsize).tobytes()
    cells = [raw[a:b].decode("utf-8") for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist())]
    out = np.empty(len(cells), dtype=object)
    out[:] = cells
    return out


def _interchange_chunk(column: Any, name: Any) -> Any:
    kind, width, form, _ = column.dtype
    buffers, count = column.get_buffers(), column.size()
    if kind == _STRING:
        values: Any = _texts(column, buffers)
    elif kind == _BOOL and width == 1:
        values = _bits(buffers["data"][0], column.offset, count)
    elif kind in (_INT, _UINT, _FLOAT, _BOOL, _DATETIME, _CATEGORICAL):
        (stored_kind, stored_width, _, _) = buffers["data"][1]
        letter = {_FLOAT: "f", _UINT: "u", _BOOL: "u"}.get(stored_kind, "i")
        values = _buffer(buffers["data"][0], f"{letter}{stored_width // 8}", column.offset, count)
    else:
        raise TypeError(f"column {name!r} has values that are not single ones, or of a type that is not known")
    missing = _missing(column, values, buffers)
    if kind == _DATETIME:
        if form.startswith("td"):
            values = values.astype("M8[D]" if form == "tdD" else "M8[ms]")
        elif form.startswith("ts") and form[2:3] in _UNITS:
            values = values.astype(np.int64).view(f"M8[{_UNITS[form[2]]}]")
        else:
            raise TypeError(f"column {name!r} holds times of a kind that is not known ({form})")
        if missing is not None:
            values[missing] = np.datetime64("NaT")
    elif kind == _CATEGORICAL:
        values = values.astype(np.int32)
        if missing is not None:
            values[missing] = -1
    elif kind == _BOOL:
        values = values.astype(bool)
    if missing is not None and missing.any() and kind in (_INT, _UINT, _FLOAT):
        values = values.astype(np.float64)
        values[missing] = np.nan
    elif missing is not None and missing.any() and kind in (_BOOL, _STRING):
        values = values.astype(object)
        values[missing] = None
    return values


def _interchange_column(column: Any, name: Any) -> Any:
    values = np.concatenate([_interchange_chunk(chunk, name) for chunk in column.get_chunks()])
    if column.dtype[0] != _CATEGORICAL:
        return values
    described = column.describe_categorical
    inner = described["categories"]
    texts = _interchange_column(inner, name) if inner is not None else [
        described["mapping"][k] for k in range(len(described["mapping"]))]
    return Category(values, texts)


def from_interchange(X: Any) -> Columns:
    frame = X.__dataframe__(allow_copy=True)
    names = list(frame.column_names())
    return Columns(names, [_interchange_column(frame.get_column(j), name) for j, name in enumerate(names)])


# ---- Arrow -----------------------------------------------------------------------------------------------------

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, c_char_p]


class ArrowFrame:
    """Data with ``__arrow_c_stream__``. Its rows are read once, when a table is made of it."""

    def __init__(self, X: Any) -> None:
        self._capsule = X.__arrow_c_stream__()
        pointer = _capsule_pointer(self._capsule, b"arrow_array_stream")
        self.stream = cast(pointer, POINTER(_native.ArrowArrayStream))
        self.columns: List[str] = []
        self.categories: List[str] = []
        self._read_schema()
        self.shape = (None, len(self.columns))
        self._as_array = X.__array__ if hasattr(X, "__array__") else None

    def _read_schema(self) -> None:
        schema = _native.ArrowSchema()
        code = self.stream.contents.get_schema(self.stream, byref(schema))
        if code:
            raise OdimError(f"the producer of the Arrow stream failed: error {code}")
        try:
            for j in range(schema.n_children):
                child = schema.children[j].contents
                if child.format in (b"z", b"Z", b"vz") or child.format.startswith(b"w:"):
                    continue  # bytes: left out, which the library says in a note
                name = (child.name or b"").decode("utf-8", "replace")
                self.columns.append(name or f"x{j + 1}")
                if child.dictionary:
                    self.categories.append(self.columns[-1])
        finally:
            if schema.release:
                schema.release(byref(schema))

    def in_order(self) -> Any:
        """The columns by position, for a model without names."""
        if self._as_array is None:
            raise ValueError("the model was fitted without column names, so these columns cannot be matched: give an "
                             "array")
        return np.asarray(self._as_array())


# ---- sparse matrices -------------------------------------------------------------------------------------------

def is_sparse(X: Any) -> bool:
    return callable(getattr(X, "toarray", None)) and hasattr(X, "nnz") and hasattr(X, "tocsr")


def _row_blocks(rows: int, cols: int, itemsize: int) -> Iterator[slice]:
    step = max(1, BLOCK_BYTES // max(1, cols * itemsize))
    return (slice(at, min(at + step, rows)) for at in range(0, rows, step))


def densify(X: Any) -> np.ndarray:
    """A sparse matrix as an array, block by block, so that little more memory is used than for the array."""
    x = X.tocsr()
    dtype = np.float32 if x.dtype == np.float32 or x.dtype.kind in "biu" and x.dtype.itemsize <= 2 else np.float64
    if x.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{X!r}\n")
    out = np.empty(x.shape, dtype)
    for rows in _row_blocks(*x.shape, out.itemsize):
        out[rows] = x[rows].toarray()
    return out


def sparse_blocks(X: Any) -> Iterator[np.ndarray]:
    """The rows of a sparse matrix as arrays, one block at a time."""
    x = X.tocsr()
    for rows in _row_blocks(*x.shape, 8):
        yield densify(x[rows])


# ---- all of them -----------------------------------------------------------------------------------------------

def adapt(X: Any) -> Any:
    """X as Columns or as an ArrowFrame; None if it is nothing of that kind."""
    if isinstance(X, (Columns, ArrowFrame)):
        return X
    if hasattr(X, "__arrow_c_stream__"):
        return ArrowFrame(X)
    if hasattr(X, "__dataframe__"):
        return from_interchange(X)
    if isinstance(X, dict) and not is_sparse(X):
        return from_dict(X)
    if isinstance(X, (np.ndarray, np.void)) and X.dtype.names:
        return from_structured(X)
    return None
