"""Writes the types of the estimator's parameters for type checkers: python/odim/_parameters.pyi.

    python_stubs.py [--check]

The list comes from the library, so run it with an installed odim. --check: fails if the file is not up to date.
"""
import sys
from pathlib import Path

from odim._params import PARAMETERS

STUB = Path(__file__).parents[1] / "python" / "odim" / "_parameters.pyi"
HEAD = '''"""The types of the estimator's parameters. Made by tools/python_stubs.py: do not edit."""
from typing import Any, Dict, Literal, Optional, Sequence, Union

import numpy as np
from typing_extensions import Self

from ._params import Params
from ._run import ProgressCallback

DEFAULTS: Dict[str, Any]

RandomState = Union[None, int, np.random.RandomState, np.random.Generator]

'''


def annotation(p):
    """The type of a parameter: what the library takes for it, and None where that is the default."""
    kind, _, word = p.kind.partition(" or ")
    if kind.startswith("'"):
        types = [f"Literal[{', '.join(kind.split(' | '))}]"]
    elif kind == "list of int":
        types = ["Sequence[int]", "str"]
    elif kind == "str":
        types = ["str", "Sequence[str]"]
    else:
        types = [kind] + ([f"Literal[{p.library!r}]"] if word else [])
    if p.default is None:
        types.append("None")
    return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"


def stub():
    types = {p.name: annotation(p) for p in PARAMETERS}
    types.update({"progress": "ProgressCallback", "random_state": "RandomState", "n_jobs": "Optional[int]"})
    defaults = {p.name: p.default for p in PARAMETERS}
    lines = ["class Parameters:\n"]
    lines += [f"    {name}: {kind}\n" for name, kind in types.items()]
    lines.append("    def __init__(\n        self,\n        *,\n")
    lines += [f"        {name}: {kind} = {defaults.get(name)!r},\n" for name, kind in types.items()]
    lines.append("    ) -> None: ...\n    def get_params(self, deep: bool = True) -> Dict[str, Any]: ...\n"
                 "    def set_params(\n        self,\n        *,\n")
    lines += [f"        {name}: {kind} = ...,\n" for name, kind in types.items()]
    lines.append("    ) -> Self: ...\n    def _params(self) -> Params: ...\n    def _threads(self) -> Params: ...\n"
                 "    def __setstate__(self, state: Dict[str, Any]) -> None: ...\n")
    return HEAD + "".join(lines).replace("'", '"')


def main():
    if "--check" not in sys.argv:
        STUB.write_text(stub())
    elif STUB.read_text() != stub():
        sys.exit(f"{STUB} is not what the library says: run tools/python_stubs.py")


if __name__ == "__main__":
    main()
