"""Compares ways to fit one-class support vector machines to many rows: ocsvm_rows.py [SET...]. Prints Markdown: AUC and AP.

All rows; 4096 random rows, as in `--method ocsvm`; and random Fourier features of all rows with a linear machine. Columns are
standardized, nu is 0.5, gamma 1 / columns; means over three seeds.
"""
import os, sys
import numpy as np
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import SGDOneClassSVM
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.preprocessing import scale
from sklearn.svm import OneClassSVM
import sets

ROWS, SEEDS = 4096, 3


def sampled(x, rows, seed):
    chosen = np.random.default_rng(seed).permutation(len(x))[:rows]
    return -OneClassSVM(nu=0.5, gamma=1 / x.shape[1]).fit(x[chosen]).decision_function(x)


def fourier(x, features, seed):
    z = RBFSampler(gamma=1 / x.shape[1], n_components=features, random_state=seed).fit_transform(x)
    return -SGDOneClassSVM(nu=0.5, random_state=seed).fit(z).decision_function(z)


WAYS = (("all rows", 1, lambda x, seed: sampled(x, len(x), seed)), (f"{ROWS} rows", SEEDS, lambda x, seed: sampled(x, ROWS, seed)),
        ("256 Fourier features", SEEDS, lambda x, seed: fourier(x, 256, seed)),
        ("1024 Fourier features", SEEDS, lambda x, seed: fourier(x, 1024, seed)))

print("| set | rows |" + "".join(f" {name} |" for name, _, _ in WAYS))
print("|:--|--:|" + "--:|" * len(WAYS))
for name in sys.argv[1:] or ("30_satellite", "28_pendigits", "23_mammography"):
    with np.load(os.path.join(sets.DATA, "tabular", name + ".npz")) as z:
        x, y = scale(z["X"].astype(float)), z["y"].ravel()
    print(f"| {name} | {len(x)} |", end="")
    for _, seeds, way in WAYS:
        scores = [way(x, seed) for seed in range(seeds)]
        auc, ap = (np.mean([f(y, s) for s in scores]) for f in (roc_auc_score, average_precision_score))
        print(f" {auc:.3f}, {ap:.3f} |", end="", flush=True)
    print()
