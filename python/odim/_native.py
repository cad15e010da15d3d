"""libodim as ctypes sees it: every type and function of odim.h that the package uses, and nothing else.

A test holds all of it against the header: names, types of arguments and results, sizes and offsets of structures,
values of enumerations. Handles and arrays are c_void_p; where a null pointer has a meaning, so is None.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int64, c_size_t,
                    c_void_p, sizeof)
from pathlib import Path
from typing import Union

# enum odim_status
OK, ERR_NOMEM, ERR_IO, ERR_FORMAT, ERR_DATA, ERR_PARAM, ERR_CANCELLED, ERR_SYSTEM = range(8)
# enum odim_type
NUMERIC, BOOLEAN, CATEGORICAL, TIME = range(4)
# enum odim_stage
STAGE_FITTING, STAGE_SCORING, STAGE_EXPLAINING, STAGE_READING = range(4)


class Sized(Structure):
    """A structure that begins with its size, which is set by itself."""

    def __init__(self, **fields) -> None:
        super().__init__(size=sizeof(type(self)), **fields)


class odim_error(Structure):
    _fields_ = [("status", c_int), ("row", c_int64), ("col", c_int64), ("msg", c_char * 512)]


class odim_column(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("numbers", c_void_p), ("codes", c_void_p), ("texts", POINTER(c_char_p)),
                ("text_count", c_int64), ("typed", c_int), ("type", c_int)]


class odim_param_info(Structure):
    # "def" is a word of Python's own: reach it with getattr.
    _fields_ = [("name", c_char_p), ("arg", c_char_p), ("group", c_char_p), ("def", c_char_p), ("help", c_char_p)]


class odim_progress(Structure):
    _fields_ = [("stage", c_int), ("members", c_int), ("members_done", c_int),
                ("updates", c_int64), ("distance", c_double), ("rows", c_int64), ("rows_done", c_int64),
                ("fraction", c_double), ("member", c_int), ("update", c_int64), ("losses", POINTER(c_float)),
                ("loss_count", c_int64), ("checks", c_void_p), ("check_count", c_int64), ("recent", POINTER(c_float)),
                ("recent_count", c_int64), ("recent_member", c_int), ("recent_update", c_int64)]


progress_function = CFUNCTYPE(c_int, POINTER(odim_progress), c_void_p)
note_function = CFUNCTYPE(None, c_char_p, c_void_p)


class odim_hooks(Sized):
    _fields_ = [("size", c_size_t), ("progress", progress_function), ("note", note_function), ("user", c_void_p)]


class odim_column_info(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("type", c_int), ("ignored", c_char_p), ("missing", c_int64), ("low", c_double),
                ("high", c_double), ("usual_low", c_double), ("usual_high", c_double), ("levels", c_int64),
                ("own_levels", c_int64), ("features", c_int64), ("least", c_int64), ("dropped", c_int64)]


class odim_privacy_info(Structure):
    _fields_ = [("epsilon", c_double), ("delta", c_double), ("updates", c_int64), ("rate", c_double),
                ("noise", c_double), ("clip", c_double), ("other_noise", c_double), ("bounds_given", c_int),
                ("scores_counted", c_int), ("insecure", c_int)]


class odim_reason(Structure):
    _fields_ = [("col", c_int64), ("share", c_double), ("value", c_double), ("expected", c_double), ("kind", c_int)]


class odim_read_options(Sized):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("delimiter", c_int), ("header", c_int), ("label", c_char_p), ("id", c_char_p),
                ("known", c_char_p), ("known_rows", c_char_p), ("ignore", POINTER(c_char_p)), ("only", POINTER(c_char_p)),
                ("numeric", POINTER(c_char_p)), ("boolean", POINTER(c_char_p)), ("categorical", POINTER(c_char_p)),
                ("time", POINTER(c_char_p)), ("na", POINTER(c_char_p)), ("like", c_void_p), ("keep", c_int),
                ("unpacked", c_int64), ("bounds", c_char_p), ("encoding", c_char_p), ("decimal", c_int),
                ("formats", POINTER(c_char_p)), ("bad_rows", c_int), ("entry", c_char_p), ("sheet", c_char_p),
                ("table", c_char_p), ("sql", c_char_p), ("more_files", POINTER(c_char_p)),
                ("pixels", c_char_p), ("hooks", POINTER(odim_hooks)), ("threads", c_int64)]


class ArrowSchema(Structure):
    c_name = "struct ArrowSchema"


ArrowSchema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
                        ("n_children", c_int64), ("children", POINTER(POINTER(ArrowSchema))),
                        ("dictionary", POINTER(ArrowSchema)), ("release", CFUNCTYPE(None, c_void_p)),
                        ("private_data", c_void_p)]


class ArrowArrayStream(Structure):
    c_name = "struct ArrowArrayStream"
    _fields_ = [("get_schema", CFUNCTYPE(c_int, c_void_p, POINTER(ArrowSchema))),
                ("get_next", CFUNCTYPE(c_int, c_void_p, c_void_p)), ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)),
                ("release", CFUNCTYPE(None, c_void_p)), ("private_data", c_void_p)]


class odim_explain_options(Sized):
    _fields_ = [("size", c_size_t), ("rows", c_void_p), ("count", c_int64), ("top", c_int)]


def c_text(text: Union[str, bytes], what: str) -> bytes:
    """The text for a const char *, which would end at the first zero byte, and be another text."""
    encoded = text.encode("utf-8") if isinstance(text, str) else text
    if b"\0" in encoded:
        raise ValueError(f"{what} with a zero byte: {text!r}")
    return encoded


_handle_out = POINTER(c_void_p)
_error = POINTER(odim_error)
_hooks = POINTER(odim_hooks)

# name: (result, arguments)
FUNCTIONS = {
    "odim_version": (c_char_p, []),
    "odim_hints_set": (None, [c_int]),
    "odim_table_wrap_f32": (c_int, [_handle_out, c_void_p, c_int64, c_int64, c_int64, POINTER(c_char_p), _error]),
    "odim_table_wrap_f64": (c_int, [_handle_out, c_void_p, c_int64, c_int64, c_int64, POINTER(c_char_p), _error]),
    "odim_table_build": (c_int, [_handle_out, POINTER(POINTER(odim_column)), c_int64, c_int64, c_void_p, _error]),
    "odim_table_read": (c_int, [_handle_out, c_char_p, POINTER(odim_read_options), _error]),
    "odim_table_read_memory": (c_int, [_handle_out, c_void_p, c_size_t, c_char_p, POINTER(odim_read_options), _error]),
    "odim_table_arrow": (c_int, [_handle_out, POINTER(ArrowArrayStream), POINTER(odim_read_options), _error]),
    "odim_table_rows": (c_int64, [c_void_p]),
    "odim_table_cols": (c_int64, [c_void_p]),
    "odim_table_name": (c_char_p, [c_void_p, c_int64]),
    "odim_table_value": (c_double, [c_void_p, c_int64, c_int64]),
    "odim_table_text": (c_char_p, [c_void_p, c_int64, c_int64, c_char_p, c_size_t]),
    "odim_table_note": (c_char_p, [c_void_p, c_int]),
    "odim_table_free": (None, [c_void_p]),
    "odim_table_set_known": (c_int, [c_void_p, c_void_p, _error]),
    "odim_table_set_bounds": (c_int, [c_void_p, c_void_p, c_void_p, _error]),
    "odim_param_count": (c_int, []),
    "odim_param_at": (POINTER(odim_param_info), [c_int]),
    "odim_params_new": (c_void_p, []),
    "odim_params_free": (None, [c_void_p]),
    "odim_params_set": (c_int, [c_void_p, c_char_p, c_char_p, _error]),
    "odim_params_get": (c_char_p, [c_void_p, c_char_p]),
    "odim_fit": (c_int, [c_void_p, c_void_p, _hooks, _handle_out, _error]),
    "odim_fit_file": (c_int, [c_char_p, POINTER(odim_read_options), c_void_p, _hooks, _handle_out, _error]),
    "odim_partial_new": (c_int, [_handle_out, c_void_p, _error]),
    "odim_partial_free": (None, [c_void_p]),
    "odim_partial_add": (c_int, [c_void_p, c_void_p, c_int64, _error]),
    "odim_partial_merge": (c_int, [c_void_p, c_void_p, _error]),
    "odim_partial_save_memory": (c_int, [c_void_p, _handle_out, POINTER(c_size_t), _error]),
    "odim_partial_load_memory": (c_int, [_handle_out, c_void_p, c_size_t, _error]),
    "odim_partial_fit": (c_int, [c_void_p, c_void_p, _hooks, _handle_out, _error]),
    "odim_scan_new": (c_int, [_handle_out, _error]),
    "odim_scan_free": (None, [c_void_p]),
    "odim_scan_add": (c_int, [c_void_p, c_int64, POINTER(POINTER(odim_column)), c_int64, c_int64, _error]),
    "odim_scan_merge": (c_int, [c_void_p, c_void_p, _error]),
    "odim_scan_first": (c_int64, [c_void_p, c_int64]),
    "odim_scan_save_memory": (c_int, [c_void_p, _handle_out, POINTER(c_size_t), _error]),
    "odim_scan_load_memory": (c_int, [_handle_out, c_void_p, c_size_t, _error]),
    "odim_scan_table": (c_int, [c_void_p, POINTER(POINTER(odim_column)), c_int64, c_int64, _handle_out, _error]),
    "odim_detect": (c_int, [c_void_p, c_void_p, _hooks, _handle_out, c_void_p, _error]),
    "odim_score": (c_int, [c_void_p, c_void_p, c_void_p, _hooks, c_void_p, _error]),
    "odim_score_raw": (c_int, [c_void_p, c_void_p, c_void_p, _hooks, c_void_p, _error]),
    "odim_scorer_new": (c_int, [_handle_out, c_void_p, _error]),
    "odim_scorer_free": (None, [c_void_p]),
    "odim_scorer_table": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, _error]),
    "odim_scorer_score": (c_int, [c_void_p, c_void_p, c_int64, c_int64, c_void_p, c_void_p, _error]),
    "odim_auc": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, _error]),
    "odim_model_free": (None, [c_void_p]),
    "odim_model_threshold": (c_double, [c_void_p]),
    "odim_model_unusual": (c_double, [c_void_p]),
    "odim_model_probabilities": (c_int, [c_void_p, c_void_p, c_int64, c_void_p, _error]),
    "odim_model_cols": (c_int64, [c_void_p]),
    "odim_model_column": (c_int, [c_void_p, c_int64, POINTER(odim_column_info), _error]),
    "odim_model_level": (c_char_p, [c_void_p, c_int64, c_int64, POINTER(c_int64)]),
    "odim_model_get": (c_char_p, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "odim_model_privacy": (POINTER(odim_privacy_info), [c_void_p]),
    "odim_model_save": (c_int, [c_void_p, c_char_p, _error]),
    "odim_model_load": (c_int, [_handle_out, c_char_p, _error]),
    "odim_model_save_memory": (c_int, [c_void_p, _handle_out, POINTER(c_size_t), _error]),
    "odim_model_load_memory": (c_int, [_handle_out, c_void_p, c_size_t, _error]),
    "odim_free": (None, [c_void_p]),
    "odim_stage_text": (c_char_p, [c_int]),
    "odim_explain": (c_int, [c_void_p, c_void_p, POINTER(odim_explain_options), c_void_p, _hooks, _handle_out, _error]),
    "odim_reasons_free": (None, [c_void_p]),
    "odim_reasons_count": (c_int, [c_void_p, c_int64]),
    "odim_reasons_at": (POINTER(odim_reason), [c_void_p, c_int64, c_int]),
    "odim_reason_kind_text": (c_char_p, [c_int]),
    "odim_reason_text": (c_char_p, [c_void_p, c_void_p, c_int64, POINTER(odim_reason), c_char_p, c_size_t]),
}

# What the package has no use for, and why. A name may end in *.
_FILES = "files are the command's business; Python has its own ways to read them"
_LOOK = "Python has the data itself"
_INSPECT = "odim inspect shows it"
_JUDGE = "scikit-learn judges scores"
NOT_BOUND = {
    "odim_kernels": "odim --version shows them",
    "odim_version_number": "__version__ is the text",
    "odim_status_text": "each status is an exception of its own",
    "odim_type_text": "types are not shown",
    "odim_reader_*": _FILES, "odim_picture_*": _FILES, "odim_model_pixels": _FILES,
    "odim_model_place": _FILES, "odim_explain_cells": "explain has the cells that matter",
    "odim_table_label*": _FILES, "odim_table_id*": _FILES, "odim_table_kept*": _FILES,
    "odim_table_row_number": _FILES, "odim_table_skipped": _FILES, "odim_table_bad_row": _FILES,
    "odim_table_file": _FILES,
    "odim_table_type": _LOOK, "odim_table_known": _LOOK, "odim_model_text": _LOOK,
    "odim_table_duplicates": _LOOK, "odim_printable": _LOOK,
    "odim_model_probability": "odim_model_probabilities takes arrays",
    "odim_reasons_rows": _LOOK,
    "odim_model_rows": _INSPECT, "odim_model_features": _INSPECT, "odim_model_member*": _INSPECT,
    "odim_model_check*": _INSPECT, "odim_model_fingerprint": _INSPECT, "odim_model_format": _INSPECT, "odim_model_held": _INSPECT,
    "odim_reason_usual": "the text of a reason has it",
    "odim_partial_rows": "merging checks the rows", "odim_scan_parts": "a scan knows which part is missing",
    "odim_scan_file": _FILES, "odim_scan_open": _FILES,
    "odim_scorer_model": _LOOK,
    "odim_model_value": _FILES, "odim_model_bad_row_score": _FILES,
    "odim_score_members": "for those who study the method",
    "odim_average_precision": _JUDGE, "odim_rank": _JUDGE,
    "odim_dp_*": "the command plans a budget: odim dp-budget",
    "odim_trace_*": "the command looks at training: odim trace",
}


# odim_hints: a table from memory has no options that a message could name.
HINTS_NONE = 2


def _load() -> ctypes.CDLL:
    path = os.environ.get("ODIM_LIBRARY") or str(Path(__file__).with_name("libodim.so"))
    library = ctypes.CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _load()
