"""The exceptions of the package. Each is also a built-in exception, so that `except ValueError` works."""
from __future__ import annotations

import os
import sys
from typing import Any, Optional

from . import _native

_native.lib.odim_hints_set(_native.HINTS_NONE)

class OdimError(Exception):
    """An error that libodim returned.

    Attributes
    ----------
    row : int or None
        The row to blame, counted from 1 as in the message: ``X[error.row - 1]``.
    column : int or None
        The column to blame, counted from 1.
    """

    row: Optional[int] = None
    column: Optional[int] = None

    def __reduce__(self):  # the attributes survive a process pool
        return type(self), self.args, {"row": self.row, "column": self.column}


class DataError(OdimError, ValueError):
    """The data cannot be used: an infinite value, a text among numbers, no rows."""


class ParamError(OdimError, ValueError):
    """A parameter is out of its range."""


class FormatError(OdimError, ValueError):
    """A file is not a model, or is damaged."""


class FileError(OdimError, OSError):
    """A file cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file."""


class IgnoredColumnWarning(UserWarning):
    """A column of the training table is not used, because it is constant or looks like an ID."""


class OutOfMemoryError(OdimError, MemoryError):
    """There is not enough memory."""


class SystemFailure(OdimError, OSError):
    """The operating system refused something else, such as a thread."""


class Cancelled(OdimError):
    """The progress callback asked to stop."""


_BY_STATUS = {
    _native.ERR_NOMEM: OutOfMemoryError,
    _native.ERR_IO: FileError,
    _native.ERR_FORMAT: FormatError,
    _native.ERR_DATA: DataError,
    _native.ERR_PARAM: ParamError,
    _native.ERR_CANCELLED: Cancelled,
    _native.ERR_SYSTEM: SystemFailure,
}


def check(status: int, error: _native.odim_error, path: Any = None) -> None:
    """Raises the exception for a status other than OK. path: the file that was to be read."""
    if status == _native.OK:
        return
    kind = _BY_STATUS.get(status, OdimError)
    if kind is FileError and path is not None and not os.path.lexists(path):
        kind = MissingFileError
    exception = kind(error.msg.decode("utf-8", "replace"))
    # Of the library from 0; here from 1, as in the message.
    exception.row = error.row + 1 if error.row >= 0 else None
    exception.column = error.col + 1 if error.col >= 0 else None
    raise exception


class NotFittedError(ValueError, AttributeError):
    """The estimator is not fitted. If scikit-learn is loaded, its exception of the same name is raised instead."""


def not_fitted(name: str) -> Exception:
    kind = NotFittedError
    if "sklearn.exceptions" in sys.modules:
        kind = sys.modules["sklearn.exceptions"].NotFittedError
    return kind(f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
                "estimator.")
