#!/usr/bin/env python3
"""ODIM beside scikit-learn's outlier detectors on labelled tables, all from Python, as Markdown.

    make python
    ODIM_DATA=DIR build/python/venv/bin/python bench/peers/compare_sklearn.py > table.md

DIR/tabular has the tables: NPZ files with X (rows, columns) and y (1 = outlier). All detectors have their defaults and
the same columns, brought to [0, 1], and one thread. Seconds are CPU seconds of fitting and scoring the same rows. What
takes too long is left out, by LIMITS: LocalOutlierFactor and OneClassSVM grow with the square of the rows,
EllipticEnvelope with the cube of the columns. --keep FILE notes each measurement in FILE as it is made, and takes those
that are there: a run that was ended goes on where it was.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is loaded

import argparse
import json
import pathlib
import platform
import re
import statistics
import sys
import warnings

import numpy as np
import odim
import sklearn
from sklearn.preprocessing import minmax_scale
from sklearn_peers import DETECTORS, measure

DATA = pathlib.Path(os.environ.get("ODIM_DATA", "../shared/data"))
DETECTORS["odim"] = (lambda seed: odim.ODIM(seed=seed, threads=1), lambda fitted, x: fitted.decision_scores_)
DETECTORS["odim, fast"] = (lambda seed: odim.ODIM(seed=seed, threads=1, preset="fast"),
                           lambda fitted, x: fitted.decision_scores_)
NAMES = {"odim": "odim", "odim, fast": "odim, fast", "IsolationForest": "Isolation Forest",
         "LocalOutlierFactor": "LOF", "OneClassSVM": "One-Class SVM", "EllipticEnvelope": "Elliptic Envelope"}
# Most rows, most columns.
LIMITS = {"LocalOutlierFactor": (11000, 1000), "OneClassSVM": (11000, 1000), "EllipticEnvelope": (11000, 150),
          "odim": (1000000, 1000)}


def fits(name, x):
    rows, cols = LIMITS.get(name, x.shape)
    return x.shape[0] <= rows and x.shape[1] <= cols


def table(title, measured, key, digits, best):
    """Rows of Markdown; the best of each in bold, and the mean over the sets that all detectors did."""
    lines = ["", f"## {title}", "", "| set | rows | columns | " + " | ".join(NAMES.values()) + " |",
             "|:--|--:|--:|" + "--:|" * len(NAMES)]
    for label, (shape, results) in measured.items():
        values = {n: r[key] for n, r in results.items()}
        top = best(round(v, digits) for v in values.values())
        cells = [(f"**{values[n]:.{digits}f}**" if round(values[n], digits) == top else f"{values[n]:.{digits}f}")
                 if n in values else "" for n in NAMES]
        lines.append(f"| {label} | {shape[0]} | {shape[1]} | " + " | ".join(cells) + " |")
    whole = [results for _, results in measured.values() if len(results) == len(NAMES)]
    if whole:
        means = [f"{statistics.mean(r[n][key] for r in whole):.{digits}f}" for n in NAMES]
        lines.append(f"| mean over the {len(whole)} with all | | | " + " | ".join(means) + " |")
    return lines


class Notes:
    """Measurements by set and detector, in a file of JSON lines if there is one."""

    def __init__(self, path):
        self.path, self.made = path, {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                note = json.loads(line)
                self.made[note["set"], note["detector"]] = note

    def measure(self, label, name, x, y, seed):
        if (label, name) not in self.made:
            print(f"{label}: {name}", file=sys.stderr)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of singular covariances
                self.made[label, name] = {"set": label, **measure(name, x, y, seed)}
            if self.path:
                with open(self.path, "a") as file:
                    print(json.dumps(self.made[label, name]), file=file)
        return self.made[label, name]


def main():
    parser = argparse.ArgumentParser(description="odim and scikit-learn's detectors on labelled tables")
    parser.add_argument("--sets", metavar="NAME,...", help="some of the tables, by name; all without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", metavar="FILE", type=pathlib.Path, help="note measurements, and go on from them")
    args = parser.parse_args()
    notes = Notes(args.keep)
    files = sorted((DATA / "tabular").glob("*.npz"), key=lambda p: re.sub(r"^\d+_", "", p.stem).lower())
    measured = {}
    for path in files:
        label = re.sub(r"^\d+_", "", path.stem)
        if args.sets and label not in args.sets.split(","):
            continue
        with np.load(path) as data:
            x, y = minmax_scale(data["X"].astype(np.float64)), data["y"].ravel()
        results = {name: notes.measure(label, name, x, y, args.seed) for name in NAMES if fits(name, x)}
        measured[label] = (x.shape, results)
    if not measured:
        sys.exit(f"no tables in {DATA / 'tabular'}: set ODIM_DATA")
    print(f"- Versions: odim {odim.__version__}; Python {platform.python_version()}, NumPy {np.__version__}, "
          f"scikit-learn {sklearn.__version__}")
    print(f"- Seed: {args.seed}; one thread each, one after the other in one process")
    print("- Left out: " + "; ".join(f"{NAMES[n]} above {r} rows or {c} columns" for n, (r, c) in LIMITS.items()))
    print("\n".join(table("AUC", measured, "auc", 3, max) + table("Average precision", measured, "ap", 3, max) +
                    table("CPU seconds, fitting and scoring", measured, "cpu", 2, min)))


if __name__ == "__main__":
    main()
