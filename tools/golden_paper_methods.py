#!/usr/bin/env python3
"""Writes tests/golden/paper_methods.txt: what scikit-learn and plain NumPy make of a small table by ocsvm, cblof, loda,
cof, sod and bagging.

    tools/golden_paper_methods.py tests/golden

One-class SVMs, the clusters of CBLOF and the local outlier factors of feature bagging come from scikit-learn. LODA, COF
and SOD come from their definitions, row by row. LODA and feature bagging are random: the file has the mean over very many
projections, and the mean over all subsets of the features, each as likely as it is drawn. Needs python3-sklearn.
tools/golden.py explains the format of the file; here it is

    shape   n rows to fit, m new rows, d columns
    x       (n, d), floats
    new     (m, d)
    NAME    (n) scores of the rows; NAME_new (m) of the new ones
"""
import itertools
import os
import sys

import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.neighbors import LocalOutlierFactor
from sklearn.svm import OneClassSVM

N, M, D = 240, 30, 4
K = 8
CLUSTERS, REFERENCES, BINS, PROJECTIONS = 5, 6, 10, 20000


def make(rng):
    """Crowds of 120, 60, 40, 12 and 8 rows, far from each other; new rows in between."""
    centers = 12 * np.array([[0, 0, 0, 0], [1, 1, 0, 0], [-1, 1, 1, 0], [0, -1, 1, 1], [1, 0, -1, 1]])
    x = np.concatenate([rng.normal(size=(rows, D)) + center for rows, center in zip((120, 60, 40, 12, 8), centers)])
    new = x[rng.integers(0, N, M)] + rng.normal(size=(M, D)) * rng.choice([0.5, 4], size=(M, 1))
    return x[rng.permutation(N)].astype(np.float32).astype(float), new.astype(np.float32).astype(float)


def ocsvm(x, new):
    scale = x.std(0)
    machine = OneClassSVM(nu=0.5, gamma=1 / D, tol=1e-10).fit(x / scale)
    return [-machine.decision_function(rows / scale) for rows in (x, new)]


def cblof(x, new):
    """As in PyOD, by the cluster of a row and by whether it is large."""
    found = KMeans(CLUSTERS, n_init=50, random_state=0).fit(x)
    size = np.bincount(found.labels_)
    order = np.argsort(-size, kind="stable")
    enough = [i for i in range(1, CLUSTERS) if size[order[:i]].sum() >= 0.9 * len(x)]
    steep = [i for i in range(1, CLUSTERS) if size[order[i - 1]] >= 5 * size[order[i]]]
    both = [i for i in enough if i in steep]
    large = order[: (both or enough or steep)[0]]
    for rows in (x, new):
        away = np.sqrt(((rows[:, None] - found.cluster_centers_) ** 2).sum(2))
        own = found.predict(rows)
        yield np.where(np.isin(own, large), away[np.arange(len(rows)), own], away[:, large].min(1))


def loda(x, new, rng):
    sums = [np.zeros(len(x)), np.zeros(len(new))]
    for _ in range(PROJECTIONS):
        weight = np.zeros(D)
        weight[rng.permutation(D)[: int(np.sqrt(D))]] = rng.normal(size=int(np.sqrt(D)))
        values = x @ weight
        count, edge = np.histogram(values, BINS)
        for sum, rows in zip(sums, (x, new)):
            at = rows @ weight
            bin = np.clip(np.searchsorted(edge, at, side="right") - 1, 0, BINS - 1)
            inside = (at >= values.min()) & (at <= values.max())
            sum -= np.log(np.maximum(np.where(inside, count[bin], 0), 0.5) / len(x))
    return [sum / PROJECTIONS for sum in sums]


def neighbors(x, row, own=None):
    """The numbers of the K nearest rows, nearest first; own is the number of the row itself."""
    away = np.sqrt(((x - row) ** 2).sum(1))
    if own is not None:
        away[own] = np.inf
    return np.argsort(away, kind="stable")[:K]


def chaining(x, row, near):
    """The mean of the distances by which neighbors are connected, in which the first counts most."""
    connected, total = [row], 0.0
    for i, j in enumerate(near):
        total += 2 * (K - i) / (K * (K + 1)) * min(np.linalg.norm(x[j] - other) for other in connected)
        connected.append(x[j])
    return total


def cof(x, new):
    own = np.array([chaining(x, x[i], neighbors(x, x[i], i)) for i in range(N)])
    near_own = [neighbors(x, x[i], i) for i in range(N)]
    near_new = [neighbors(x, row) for row in new]
    yield np.array([own[i] / own[near].mean() for i, near in enumerate(near_own)])
    yield np.array([chaining(x, row, near) / own[near].mean() for row, near in zip(new, near_new)])


def sod(x, new):
    lists = [set(neighbors(x, x[i], i)) for i in range(N)]

    def degree(row, own):
        mine = set(neighbors(x, row, own))
        shared = np.array([len(mine & other) for other in lists])
        away = np.linalg.norm(x - row, axis=1)
        order = [i for i in sorted(range(N), key=lambda i: (-shared[i], away[i])) if i != own and shared[i] > 0]
        order += [i for i in neighbors(x, row, own) if i not in order]
        reference = x[order[:REFERENCES]]
        variance, mean = reference.var(0), reference.mean(0)
        counts = variance < 0.8 * variance.mean()
        if not counts.any():
            counts[:] = True
        return np.sqrt(((row - mean)[counts] ** 2).mean())

    yield np.array([degree(x[i], i) for i in range(N)])
    yield np.array([degree(row, None) for row in new])


def bagging(x, new):
    """The mean over the sizes of subsets of the mean over the subsets of this size."""
    sums = [np.zeros(N), np.zeros(M)]
    sizes = range(D // 2, D + 1)
    for size in sizes:
        subsets = list(itertools.combinations(range(D), size))
        for subset in subsets:
            factor = LocalOutlierFactor(n_neighbors=K, novelty=True).fit(x[:, subset])
            share = 1 / len(sizes) / len(subsets)
            sums[0] -= factor.negative_outlier_factor_ * share
            sums[1] -= factor.score_samples(new[:, subset]) * share
    return sums


def main():
    rng = np.random.default_rng(5)
    x, new = make(rng)
    tensors = [("shape", np.array([N, M, D])), ("x", x), ("new", new)]
    for name, pair in (("ocsvm", ocsvm(x, new)), ("cblof", cblof(x, new)), ("loda", loda(x, new, rng)),
                       ("cof", cof(x, new)), ("sod", sod(x, new)), ("bagging", bagging(x, new))):
        own, other = pair
        tensors += [(name, own), (name + "_new", other)]
    with open(os.path.join(sys.argv[1], "paper_methods.txt"), "w") as f:
        f.write("# tools/golden_paper_methods.py, scikit-learn %s\n" % sklearn.__version__)
        for name, values in tensors:
            values = np.ravel(values)
            f.write("%s %d\n" % (name, len(values)))
            for i in range(0, len(values), 8):
                f.write(" ".join("%.9g" % v for v in values[i : i + 8]) + "\n")


if __name__ == "__main__":
    main()
