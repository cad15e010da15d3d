"""Tables from files: the options of the library's readers as Python keywords."""
from __future__ import annotations

import os
from ctypes import POINTER, byref, c_char_p, c_void_p, cast
from typing import Any

from . import _native
from ._native import lib
from ._run import ProgressCallback, run
from ._tables import Table

_TEXTS = ("format", "label", "id", "known", "known_rows", "bounds", "encoding", "entry", "sheet", "table", "sql",
          "pixels")
_LISTS = ("ignore", "only", "numeric", "boolean", "categorical", "time", "na", "more_files")
_BAD_ROWS = ("stop", "skip", "call")
OPTIONS = (*_TEXTS, *_LISTS, "delimiter", "decimal", "header", "bad_rows", "formats")


def _text(value: Any, name: str) -> bytes:
    return _native.c_text(os.fsencode(value) if hasattr(value, "__fspath__") else str(value), f"{name} is a text")


def _list(values: Any, name: str) -> Any:
    """An array of texts that ends with a null pointer."""
    values = [values] if isinstance(values, str) else list(values)
    return (c_char_p * (len(values) + 1))(*[_text(value, name) for value in values], None)


def read_options(given: Any, like: Any = None) -> _native.odim_read_options:
    """The options for the library. None means that an option is not given; id=False means that no column is the id."""
    options = _native.odim_read_options(like=like._as_parameter_ if like else None)
    for name, value in given.items():
        if name not in OPTIONS:
            raise TypeError(f"unknown option of a file {name!r}; the options are: {', '.join(OPTIONS)}")
        if value is None:
            continue
        if name == "id" and value is False:
            value = ""
        if name in _TEXTS:
            setattr(options, name, _text(value, name))
        elif name in _LISTS:
            setattr(options, name, _list(value, name))
        elif name == "formats":  # {"price": "comma"}
            options.formats = _list([text for pair in value.items() for text in pair], name)
        elif name == "header":
            options.header = 1 if value else -1
        elif name == "bad_rows":
            if value not in _BAD_ROWS:
                raise ValueError(f"bad_rows is 'stop', 'skip' or 'call', not {value!r}")
            options.bad_rows = _BAD_ROWS.index(value)
        else:
            if not isinstance(value, str) or len(value) != 1:
                raise ValueError(f"{name} is one character, not {value!r}")
            setattr(options, name, ord(value))
    return options


def is_stream(file: Any) -> bool:
    return hasattr(file, "read")


def _contents(file: Any) -> bytes:
    data = file.read()
    return data.encode("utf-8") if isinstance(data, str) else bytes(data)


def read_table(file: Any, options: _native.odim_read_options, progress: ProgressCallback) -> Table:
    """The table in a file, given as a path or as an open file, whose rest is read."""
    handle = c_void_p()
    if is_stream(file):
        data, given = _contents(file), getattr(file, "name", None)
        name = _text(os.path.basename(given), "a name") if isinstance(given, str) else None

        def read(hooks: Any, error: Any) -> int:
            options.hooks = cast(hooks, POINTER(_native.odim_hooks))
            return lib.odim_table_read_memory(byref(handle), data, len(data), name, byref(options), error)
    else:
        path = _native.c_text(os.fsencode(file), "a path")

        def read(hooks: Any, error: Any) -> int:
            options.hooks = cast(hooks, POINTER(_native.odim_hooks))
            return lib.odim_table_read(byref(handle), path, byref(options), error)
    run(read, progress, None if is_stream(file) else file)
    options.hooks = None
    return Table(handle, lib.odim_table_rows(handle), lib.odim_table_cols(handle)).with_notes()
