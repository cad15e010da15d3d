"""Distances in wide tables: which scaling of columns and axes finds outliers in embeddings (docs/experiments/wide.md).

    python3 experiments/beyond/wide.py FILE.npz ...

Each file has X and y. Prints AUC and average precision of every distance, and their means. Large tables are represented
by 2000 rows.
"""
import sys

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

ROWS, NEIGHBORS = 2000, 5


def slog(z):
    return np.sign(z) * np.log1p(np.abs(z))


def views(x):
    """The columns, scaled in four ways."""
    deviation = x.std(0)
    low, middle, high = np.quantile(x, [0.25, 0.5, 0.75], axis=0)
    spread = np.where(high > low, high - low, deviation)
    return {"as they are": x, "root of deviation": x / np.sqrt(deviation), "deviation": x / deviation,
            "soft": slog((x - middle) / spread)}


def turn(z):
    """Places on all principal axes, and the variances along them, largest first."""
    z = z - z.mean(0)
    _, s, axes = np.linalg.svd(z, full_matrices=False)
    return z @ axes.T, s**2 / len(z)


def nearest(p):
    """The mean distance to the nearest rows."""
    square = (p**2).sum(1)
    distance = np.sqrt(np.maximum(square[:, None] + square - 2 * p @ p.T, 0))
    np.fill_diagonal(distance, np.inf)
    return np.partition(distance, NEIGHBORS - 1, axis=1)[:, :NEIGHBORS].mean(1)


def scores(z):
    p, variance = turn(z)
    kept = variance > 0.02**2 * variance[0]
    floor = 0.1 * variance.sum() / z.shape[1]
    return {"Mahalanobis": (p[:, kept]**2 / variance[kept]).sum(1), "neighbors": nearest(p),
            "whitened": nearest(p[:, kept] / np.sqrt(variance[kept])),
            "half whitened": nearest(p / (variance + floor)**0.25)}


def main():
    found = {}
    for path in sys.argv[1:]:
        with np.load(path, allow_pickle=True) as data:
            x, y = data["X"].astype(float), data["y"].astype(int).ravel()
        if len(x) > ROWS:
            some = np.random.default_rng(0).choice(len(x), ROWS, replace=False)
            x, y = x[some], y[some]
        x = x[:, x.std(0) > 0]
        for view, z in views(x).items():
            for name, score in scores(z).items():
                result = roc_auc_score(y, score), average_precision_score(y, score)
                found.setdefault((view, name), []).append(result)
        print(path, *x.shape, flush=True)
    for (view, name), results in found.items():
        auc, ap = np.mean(results, axis=0)
        print(f"{view:20}{name:16}{auc:.4f} {ap:.4f}")


main()
