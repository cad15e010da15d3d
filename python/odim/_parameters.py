"""The parameters of the estimator, as scikit-learn wants them.

_parameters.pyi has their types for type checkers, and comes from tools/python_stubs.py.
"""
from __future__ import annotations

import inspect
import os
from typing import Any, Dict

import numpy as np

from ._params import PARAMETERS, Params

# The parameters, with their defaults, in the order of the signature.
DEFAULTS: Dict[str, Any] = {**{p.name: p.default for p in PARAMETERS}, "progress": None, "random_state": None,
                            "n_jobs": None}


def _signature(function: Any) -> Any:
    """Gives __init__ the signature that DEFAULTS describes, for help texts and for scikit-learn, which inspects it."""
    keyword = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
               for name, default in DEFAULTS.items()]
    function.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *keyword])
    return function


def _seed(random_state: Any) -> int:
    """The seed that scikit-learn's random_state stands for."""
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31))
    if random_state is np.random or hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool) and random_state >= 0:
        return int(random_state)
    raise ValueError(f"random_state is None, a number from 0, or a generator of NumPy's, not {random_state!r}")


def _thread_count(n_jobs: Any) -> Any:
    """The number of threads that joblib's n_jobs stands for."""
    if not isinstance(n_jobs, (int, np.integer)) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs is None, a number of threads, or -1 for all cores, not {n_jobs!r}")
    if n_jobs == -1:
        return "auto"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, cores + 1 + int(n_jobs))


class Parameters:
    """What an estimator is told before it is fitted."""

    @_signature
    def __init__(self, **params: Any) -> None:
        for name in params:
            if name not in DEFAULTS:
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {name!r}; the parameters "
                                f"are: {', '.join(DEFAULTS)}")
        for name, default in DEFAULTS.items():
            setattr(self, name, params.get(name, default))

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """All parameters, by name."""
        return {name: getattr(self, name) for name in DEFAULTS}

    def set_params(self, **params: Any) -> Any:
        """Sets parameters. They take effect at the next ``fit``."""
        for name, value in params.items():
            if name not in DEFAULTS:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                                 f"{list(DEFAULTS)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        changed = [f"{name}={value!r}" for name, value in self.get_params().items()
                   if value is not DEFAULTS[name] and repr(value) != repr(DEFAULTS[name])]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update({name: default for name, default in DEFAULTS.items() if name not in state})  # newer ones
        self.__dict__.update(state)

    def _alias(self, name: str, alias: str, meaning: Any) -> Any:
        """The value of a parameter that has another name in scikit-learn."""
        own, other = getattr(self, name), getattr(self, alias)
        if other is None:
            return own
        if own != DEFAULTS[name]:
            raise ValueError(f"{alias}={other!r} and {name}={own!r} mean the same: give one of them")
        return meaning(other)

    def _params(self) -> Params:
        settings = {p.flag: getattr(self, p.name) for p in PARAMETERS}
        settings["seed"] = self._alias("seed", "random_state", _seed)
        settings["threads"] = self._alias("threads", "n_jobs", _thread_count)
        return Params(settings)

    def _threads(self) -> Params:
        """The parameters that scoring uses."""
        return Params({"threads": self._alias("threads", "n_jobs", _thread_count)})
