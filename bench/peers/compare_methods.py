#!/usr/bin/env python3
"""Times odim's methods beside what scikit-learn has of them, on one thread, as Markdown.

    ODIM_DATA=DIR /usr/bin/python3 bench/peers/compare_methods.py build/odim [SET...] > table.md

DIR/tabular has the tables: NPZ files with X (rows, columns) and y (1 = outlier). Seconds are CPU seconds. odim's are those
of the whole command: reading, fitting, calibration, scores of all rows, writing. scikit-learn's are those of fitting and
scoring rows in memory: OneClassSVM (nu 0.5, gamma 1/d) for ocsvm, KMeans (8 clusters, 10 starts) and the distances to its
centers for cblof, 10 LocalOutlierFactor on random subsets of the columns for bagging. loda, cof and sod are not in
scikit-learn. LIMITS names the most rows that scikit-learn gets, where more would take it many minutes; the table marks such
times by ">", since all rows take longer.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is loaded

import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import minmax_scale, scale
from sklearn.svm import OneClassSVM

DATA = pathlib.Path(os.environ.get("ODIM_DATA", "../shared/data"))
TABLES = {"satellite": "30_satellite", "musk": "25_musk", "shuttle": "32_shuttle", "cover": "10_cover"}
LIMITS = {"ocsvm": 20000, "bagging": 50000}
METHODS = ("ocsvm", "cblof", "loda", "cof", "sod", "bagging")


def ocsvm(x):
    z = scale(x)
    OneClassSVM(nu=0.5, gamma=1 / x.shape[1]).fit(z).decision_function(z)


def cblof(x):
    KMeans(8, n_init=10, random_state=0).fit(x).transform(x).min(1)


def bagging(x):
    rng = np.random.default_rng(0)
    for _ in range(10):
        count = rng.integers(x.shape[1] // 2, x.shape[1] + 1)
        lof(x[:, rng.permutation(x.shape[1])[:count]])


def lof(x):
    return LocalOutlierFactor(20).fit(x).negative_outlier_factor_


PEERS = {"ocsvm": ocsvm, "cblof": cblof, "bagging": bagging}


def seconds_of_peer(method, x):
    most = LIMITS.get(method, len(x))
    rows = np.random.default_rng(0).permutation(len(x))[:most]
    start = time.process_time()
    PEERS[method](x[rows])
    return ("> " if len(x) > most else "") + f"{time.process_time() - start:.1f}"


def seconds_of_odim(odim, method, path, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([odim, "detect", path, "--method", method, "--threads", "1", "--quiet", "-o",
                    os.path.join(folder, "scores.csv")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.1f}"


def main():
    warnings.filterwarnings("ignore")
    odim, chosen = sys.argv[1], sys.argv[2:] or TABLES
    print(f"scikit-learn {sklearn.__version__}; CPU seconds, odim / scikit-learn\n")
    print("| set | rows | columns |" + "".join(f" `{m}` |" for m in METHODS))
    print("|:--|--:|--:|" + "--:|" * len(METHODS), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for short in chosen:
            path = DATA / "tabular" / (TABLES[short] + ".npz")
            with np.load(path) as z:
                x = minmax_scale(z["X"].astype(np.float64))
            print(f"| {short} | {len(x)} | {x.shape[1]} |", end="")
            for method in METHODS:
                ours = seconds_of_odim(odim, method, path, folder)
                theirs = seconds_of_peer(method, x) if method in PEERS else "-"
                print(f" {ours} / {theirs} |", end="", flush=True)
            print(flush=True)


main()
