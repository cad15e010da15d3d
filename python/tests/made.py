"""Data for the tests, and the command line on it."""
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

COMMAND = os.environ.get("ODIM_COMMAND", "odim")
# Settings that make a fit a matter of milliseconds.
QUICK = {"members": 2, "samples": 5, "max_updates": 30, "threads": 1}


def numbers(rows=300, cols=4, seed=0, dtype=np.float64):
    x = np.random.default_rng(seed).normal(size=(rows, cols))
    x[7] = 9
    return x.astype(dtype)


def quick(**params):
    from odim import ODIM

    return ODIM(**{**QUICK, **params})


def flags(**params):
    """Parameters as the command has them."""
    return [f"--{name.replace('_', '-')}={value}" for name, value in params.items()]


def command(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def command_results(verb, path, *arguments):
    """What a verb says of the rows of a file, exactly: an array with fields score, p_outlier, is_outlier."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.npy"
        command(verb, path, "-o", out, *arguments)
        return np.load(out)
