#!/usr/bin/env python3
"""Writes tests/golden/rows_*.txt: what scikit-learn's NearestNeighbors, LocalOutlierFactor, PCA and MinCovDet say about
small tables.

    tools/golden_classic_rows.py tests/golden

Needs Debian's python3-sklearn; the tests need the files only. Values are floats, exactly as written, and the reference
computes with them in double.
"""
import sys

import numpy as np
import sklearn
from sklearn.covariance import MinCovDet
from sklearn.decomposition import PCA
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors

K = 10
NEW = 20
SEEDS = 5


def table(n, d, seed):
    """Mixed normals, an eighth of them moved away together, and new rows of both kinds."""
    rng = np.random.RandomState(seed)
    mix = np.eye(d) + rng.normal(size=(d, d)) / np.sqrt(d)
    x = rng.normal(size=(n + NEW, d)) @ mix + rng.normal(size=d)
    odd = np.arange(n + NEW) % 8 == 0
    x[odd] = rng.normal(size=(odd.sum(), d)) * 0.7 + 6 * rng.choice([-1, 1], size=d)
    x = x.astype(np.float32).astype(float)
    assert len(np.unique(x, axis=0)) == len(x)  # copies would be ties
    return x[:n], x[n:]


def log_det(rows):
    return np.linalg.slogdet(np.atleast_2d(np.cov(rows.T, bias=True)))[1]


def reference(x, new):
    yield "x", x, "%.9g"
    yield "new", new, "%.9g"
    near = NearestNeighbors(n_neighbors=K).fit(x)
    yield "knn", near.kneighbors(None)[0][:, -1], "%.12g"
    yield "knn_new", near.kneighbors(new)[0][:, -1], "%.12g"
    lof = LocalOutlierFactor(n_neighbors=K, novelty=True).fit(x)
    yield "lof", -lof.negative_outlier_factor_, "%.12g"
    yield "lof_new", -lof.score_samples(new), "%.12g"
    scale = lambda rows: (rows - x.mean(0)) / x.std(0)
    pca = PCA(whiten=True).fit(scale(x))
    over = len(x) / (len(x) - 1)  # scikit-learn divides by n - 1
    yield "pca", (pca.transform(scale(x)) ** 2).sum(1) * over, "%.12g"
    yield "pca_new", (pca.transform(scale(new)) ** 2).sum(1) * over, "%.12g"
    found = [MinCovDet(random_state=seed).fit(x) for seed in range(SEEDS)]
    yield "mcd_log_det", np.array([log_det(x[m.raw_support_]) for m in found]), "%.12g"
    best = min(found, key=lambda m: log_det(x[m.raw_support_]))
    yield "mcd_location", best.location_, "%.12g"
    yield "mcd_covariance", best.covariance_, "%.12g"
    yield "mcd", best.mahalanobis(x), "%.12g"
    yield "mcd_new", best.mahalanobis(new), "%.12g"


def main():
    for name, n, d in (("one", 100, 1), ("three", 200, 3), ("groups", 800, 5), ("seven", 250, 7)):
        x, new = table(n, d, n + d)
        with open("%s/rows_%s.txt" % (sys.argv[1], name), "w") as f:
            f.write("# tools/golden_classic_rows.py, scikit-learn %s\n" % sklearn.__version__)
            for what, values, form in reference(x, new):
                values = np.ravel(values)
                f.write("%s %d\n" % (what, len(values)))
                for i in range(0, len(values), 8):
                    f.write(" ".join(form % v for v in values[i : i + 8]) + "\n")


main()
