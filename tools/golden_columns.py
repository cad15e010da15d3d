#!/usr/bin/env python3
"""Writes tests/golden/columns.txt: what scikit-learn and plain NumPy make of a small table.

    tools/golden_columns.py tests/golden

Isolation forests are random: scikit-learn's scores are the means of so many trees that little of that is left.
HBOS, ECOD and COPOD come from their definitions, row by row and column by column, with counts instead of sorted
columns. Needs python3-sklearn and python3-scipy. tools/golden.py explains the format of the file; here it is

    shape         n rows to fit, m new rows, d columns
    x             (n, d), floats
    new           (m, d)
    iforest       (n), scikit-learn, trees of 128 rows
    hbos, ecod, copod              (n)
    hbos_new, ecod_new, copod_new  (m)
"""
import os
import sys

import numpy as np
from scipy.stats import skew
from sklearn.ensemble import IsolationForest

N, M, D = 300, 40, 5


def make(rng, n):
    """Two clusters, a long tail, a few whole numbers, a mirrored long tail, and now and then a row far off."""
    side = rng.integers(0, 2, n)
    x = np.column_stack([
        rng.normal(3 * side, 1), rng.lognormal(0, 1, n), rng.integers(0, 4, n), -rng.gamma(2, 1, n),
        0.5 * side + rng.uniform(0, 1, n)])
    far = rng.random(n) < 0.05
    x[far] += rng.normal(0, 4, (far.sum(), D))
    return x.astype(np.float32)


def hbos(x, rows):
    score = np.zeros(len(rows))
    for j in range(x.shape[1]):
        column = x[:, j].astype(float)
        count, edge = np.histogram(column, bins=10, range=(column.min(), column.max()))
        for i, v in enumerate(rows[:, j].astype(float)):
            height = 0.0
            if column.min() <= v <= column.max():
                height = count[min(np.searchsorted(edge, v, side="right") - 1, 9)] / len(x) * 10
            score[i] -= np.log2(height + 0.1)
    return score


def tails(x, rows):
    """-log of the shares on the left, on the right, and on the side of the long tail: each (rows, columns)."""
    n = len(x)
    left = np.array([[max((x[:, j] <= v).sum(), 0.5) / n for j, v in enumerate(row)] for row in rows])
    right = np.array([[max((x[:, j] >= v).sum(), 0.5) / n for j, v in enumerate(row)] for row in rows])
    left, right = -np.log(left), -np.log(right)
    return left, right, np.where(skew(x.astype(float), axis=0) < 0, left, right)


def ecod(x, rows):
    return np.max([side.sum(axis=1) for side in tails(x, rows)], axis=0)


def copod(x, rows):
    left, right, long = tails(x, rows)
    return np.maximum(long, (left + right) / 2).sum(axis=1)


def iforest(x):
    forests = [IsolationForest(n_estimators=500, max_samples=128, random_state=s).fit(x) for s in range(8)]
    return -np.mean([f.score_samples(x) for f in forests], axis=0)


def main(folder):
    rng = np.random.default_rng(5)
    x, new = make(rng, N), make(rng, M)
    new[0], new[1] = x.min(axis=0) - 1, x.max(axis=0) + 1
    new[2] = x[7]
    out = {"shape": np.array([N, M, D]), "x": x, "new": new, "iforest": iforest(x)}
    for method in hbos, ecod, copod:
        out[method.__name__] = method(x, x)
        out[method.__name__ + "_new"] = method(x, new)
    with open(os.path.join(folder, "columns.txt"), "w", encoding="ascii") as f:
        print("# Written by tools/golden_columns.py, which explains the format.", file=f)
        for name, values in out.items():
            values = np.asarray(values).ravel()
            print(name, len(values), file=f)
            for i in range(0, len(values), 8):
                print(*(f"{v:.{9 if values.dtype == np.float32 else 12}g}" for v in values[i:i + 8]), file=f)


if __name__ == "__main__":
    main(sys.argv[1])
