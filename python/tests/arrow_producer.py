"""A data frame with __arrow_c_stream__, made with ctypes: what polars and pyarrow have, without them."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p

import numpy as np
from odim._native import ArrowArrayStream, ArrowSchema


class ArrowArray(Structure):
    pass


ArrowArray._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                       ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
                       ("children", POINTER(POINTER(ArrowArray))), ("dictionary", POINTER(ArrowArray)),
                       ("release", CFUNCTYPE(None, c_void_p)), ("private_data", c_void_p)]

_FIELDS = {name: kind for name, kind in ArrowArrayStream._fields_}
_RELEASE = dict(ArrowArray._fields_)["release"]
_make_capsule = ctypes.pythonapi.PyCapsule_New
_make_capsule.restype = ctypes.py_object
_make_capsule.argtypes = [c_void_p, c_char_p, c_void_p]


def _text_buffers(texts):
    encoded = [("" if t is None else t).encode() for t in texts]
    return [np.cumsum([0] + [len(t) for t in encoded]).astype(np.int32), np.frombuffer(b"".join(encoded) + b" ", np.uint8)]


def _bitmap(flags):
    return np.packbits(np.asarray(flags, bool), bitorder="little")


class Column:
    """format, buffers and dictionary of values: numbers, texts (None is missing), booleans, dates, or categories."""

    def __init__(self, values, category=False):
        self.dictionary = None
        values = list(values) if not isinstance(values, np.ndarray) else values
        missing = [v is None for v in values]
        self.valid = _bitmap([not m for m in missing]) if any(missing) else None
        self.length = len(values)
        if category:
            levels = sorted({v for v in values if v is not None})
            self.dictionary = Column(levels)
            self.format, data = b"i", [np.array([-1 if v is None else levels.index(v) for v in values], np.int32)]
        elif isinstance(values, np.ndarray) and values.dtype.kind == "M":
            self.format, data = b"tsu:", [values.astype("M8[us]").view(np.int64)]
        elif isinstance(values, np.ndarray):
            self.format = {"f8": b"g", "f4": b"f", "i8": b"l", "i4": b"i", "u1": b"C"}[values.dtype.str[1:]]
            data = [np.ascontiguousarray(values)]
        elif any(isinstance(v, bool) for v in values):
            self.format, data = b"b", [_bitmap([bool(v) for v in values])]
        elif any(isinstance(v, bytes) for v in values):
            self.format = b"z"
            data = [np.arange(self.length + 1, dtype=np.int32), np.zeros(self.length + 1, np.uint8)]
        else:
            self.format, data = b"u", _text_buffers(values)
        self.buffers = [self.valid, *data]

    def schema(self, name):
        s = ArrowSchema(format=self.format, name=name)
        if self.dictionary:
            self.inner = self.dictionary.schema(None)
            s.dictionary = ctypes.pointer(self.inner)
        return s

    def array(self, offset=0, length=None):
        pointers = (c_void_p * len(self.buffers))(*[None if b is None else b.ctypes.data for b in self.buffers])
        a = ArrowArray(length=self.length - offset if length is None else length, null_count=-1 if self.valid is not None else 0,
                       offset=offset, n_buffers=len(self.buffers), buffers=pointers)
        if self.dictionary:
            a.dictionary = ctypes.pointer(self.dictionary.array())
        return a


class Frame:
    """Named columns in batches. It counts what is released."""

    def __init__(self, columns, batch=100, categories=(), fail=False):
        self.columns = {name: Column(values, name in categories) for name, values in columns.items()}
        self.batch, self.fail = batch, fail
        self.rows = min(c.length for c in self.columns.values())
        self.given = self.released = self.streams = 0
        self.kept = []  # what C has pointers to

    def __arrow_c_stream__(self, requested_schema=None):
        at = [0]

        def get_schema(_, out):
            children = [c.schema(name.encode()) for name, c in self.columns.items()]
            pointers = (POINTER(ArrowSchema) * len(children))(*[ctypes.pointer(c) for c in children])
            self.kept += [children, pointers]
            out[0] = ArrowSchema(format=b"+s", n_children=len(children), children=pointers, release=release_schema)
            return 0

        def get_next(_, out):
            array = ArrowArray.from_address(out)
            if self.fail and at[0]:
                return 5
            length = min(self.batch, self.rows - at[0])
            if length <= 0:
                array.release = _RELEASE()
                return 0
            children = [c.array(at[0], length) for c in self.columns.values()]
            pointers = (POINTER(ArrowArray) * len(children))(*[ctypes.pointer(c) for c in children])
            self.kept += [children, pointers]
            for name, value in {"length": length, "null_count": 0, "offset": 0, "n_buffers": 1,
                                "buffers": (c_void_p * 1)(None), "n_children": len(children), "children": pointers,
                                "release": release_array}.items():
                setattr(array, name, value)
            at[0] += length
            self.given += 1
            return 0

        def release(address, kind, count):
            setattr(self, count, getattr(self, count) + 1)
            thing = kind.from_address(address)
            thing.release = type(thing.release)()

        release_schema = _RELEASE(lambda a: release(a, ArrowSchema, "schemas"))
        self.schemas = 0
        release_array = _RELEASE(lambda a: release(a, ArrowArray, "released"))
        stream = ArrowArrayStream(get_schema=_FIELDS["get_schema"](get_schema), get_next=_FIELDS["get_next"](get_next),
                                  get_last_error=_FIELDS["get_last_error"](lambda _: None),
                                  release=_FIELDS["release"](lambda a: release(a, ArrowArrayStream, "streams")))
        self.kept += [stream, release_schema, release_array]
        return _make_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)
