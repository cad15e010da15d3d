"""The parameters of the library, as Python has them. There is no list of them here: the library is asked."""
from __future__ import annotations

import re
import textwrap
from ctypes import byref, c_void_p
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set

from . import _native
from ._errors import check
from ._native import lib


# scikit-learn has methods of that name, and takes an estimator with `transform` for a transformer; `with` is a word of
# Python's own.
RENAMED = {"score-samples": "scoring_samples", "transform": "feature_transform", "with": "with_"}


class Parameter(NamedTuple):
    name: str        # "check_every"
    flag: str        # "check-every": the library's name
    default: Any     # None: it depends on others, such as the preset
    library: Any     # what the library has without being told
    kind: str        # what to write: "int", "'a' | 'b'"
    group: str
    help: str


def from_text(text: str, arg: str) -> Any:
    """A value as the library writes it, as Python would."""
    if arg == "on|off":
        return text == "on"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def _kind(arg: str, library: Any) -> str:
    """What a value may be, from what a usage line calls it."""
    if "|" in arg:
        return "bool" if arg == "on|off" else " | ".join(map(repr, arg.split("|")))
    kind = {"N": "int", "X": "float", "N,N": "list of int"}.get(arg, "str")
    return f"{kind} or {library!r}" if isinstance(library, str) else kind


def to_text(value: Any) -> str:
    """A value as the library reads it. Numbers of NumPy count as numbers, lists are written with commas."""
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(to_text(item) for item in value)
    return str(value)


class Params:
    """An odim_params with these settings; None leaves a parameter as it is."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self._as_parameter_ = None
        handle = lib.odim_params_new()
        if not handle:
            raise MemoryError("out of memory")
        self._as_parameter_ = c_void_p(handle)
        error = _native.odim_error()
        for flag, value in settings.items():
            if value is not None:
                text = _native.c_text(to_text(value), f"{RENAMED.get(flag, flag.replace('-', '_'))} is a text")
                check(lib.odim_params_set(self, flag.encode(), text, byref(error)), error)

    def get(self, flag: str) -> str:
        return lib.odim_params_get(self, flag.encode()).decode()

    def __del__(self, free=lib.odim_params_free) -> None:
        if self._as_parameter_:
            free(self._as_parameter_)


def _moved(found: List[_native.odim_param_info]) -> Set[str]:
    """The parameters whose defaults depend on another's value, as a preset is where others start: each is tried."""
    plain, moved = Params({}), set()
    for info in found:
        arg = info.arg.decode()
        for text in arg.split("|") if "|" in arg else ["1", "2"]:
            tried = Params({})
            if lib.odim_params_set(tried, info.name, text.encode(), None) == _native.OK:
                moved |= {other.name.decode() for other in found if other.name != info.name and
                          tried.get(other.name.decode()) != plain.get(other.name.decode())}
    return moved


def _list_parameters() -> List[Parameter]:
    found = [lib.odim_param_at(i).contents for i in range(lib.odim_param_count())]
    moved = _moved(found)
    parameters = []
    for info in found:
        flag, arg = info.name.decode(), info.arg.decode()
        library = from_text(getattr(info, "def").decode(), arg)
        # For these "not chosen" differs from any value.
        default = None if flag in moved else library
        parameters.append(Parameter(RENAMED.get(flag, flag.replace("-", "_")), flag, default, library,
                                    _kind(arg, library), info.group.decode(), info.help.decode()))
    return parameters


PARAMETERS = _list_parameters()


def of_model(get: Callable[[str], Optional[str]]) -> Dict[str, Any]:
    """The settings of a model, by name, where they are not what they would be anyway. get: their texts."""
    texts = {p.flag: get(p.flag) for p in PARAMETERS if p.group != "Running"}
    chosen = {p.flag: texts.get(p.flag) for p in PARAMETERS if p.default is not None}
    if texts["preset"] != Params(chosen).get("preset"):  # a method may have moved it; in turn it moves others
        chosen["preset"] = texts["preset"]
    anyway = Params(chosen)
    settings = {}
    for p in PARAMETERS:
        text = texts.get(p.flag)
        unless = anyway if p.default is None and p.flag not in chosen else Params({})
        if text is not None and text != unless.get(p.flag):
            settings[p.name] = from_text(text, "on|off" if isinstance(p.library, bool) else "")
    return settings


def document() -> str:
    """The parameters for a docstring."""
    lines = []
    for p in PARAMETERS:
        default = f"default {p.default!r}" if p.default is not None else f"default by the preset, else {p.library!r}"
        lines.append(f"{p.name} : {p.kind}, {default}")
        lines += textwrap.wrap(p.help + ".", 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)
