#!/usr/bin/env python3
"""scikit-learn's outlier detectors with their defaults: what `odim detect` is compared with.

    sklearn_peers.py FILE.npz [--only NAME,...] [--seed N]

FILE holds X (rows, columns) and y (1 = outlier). Columns are brought to [0, 1] before the clock starts: some of them
measure distances, and would otherwise judge by the columns with the largest numbers. OneClassSVM, whose time
grows with the square of the rows, is left out above 20,000 rows. Prints a line of JSON for each detector: AUC, average
precision, wall seconds of fitting and of scoring, CPU seconds of both together.
"""
import argparse
import json
import time

import numpy as np
from sklearn.covariance import EllipticEnvelope
from sklearn.ensemble import IsolationForest
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.neighbors import LocalOutlierFactor
from sklearn.preprocessing import minmax_scale
from sklearn.svm import OneClassSVM

# How to make each, and how to get the scores (high = outlier) once it is fitted to x.
DETECTORS = {
    "IsolationForest": (lambda seed: IsolationForest(random_state=seed), lambda fitted, x: -fitted.score_samples(x)),
    # Fitting scores the rows already.
    "LocalOutlierFactor": (lambda seed: LocalOutlierFactor(), lambda fitted, x: -fitted.negative_outlier_factor_),
    "OneClassSVM": (lambda seed: OneClassSVM(), lambda fitted, x: -fitted.score_samples(x)),
    "EllipticEnvelope": (lambda seed: EllipticEnvelope(random_state=seed), lambda fitted, x: -fitted.score_samples(x)),
}
MOST_ROWS = {"OneClassSVM": 20000}


def measure(name, x, y, seed):
    make, score = DETECTORS[name]
    detector = make(seed)
    start, cpu_start = time.perf_counter(), time.process_time()
    detector.fit(x)
    fitted = time.perf_counter()
    scores = score(detector, x)
    done, cpu_done = time.perf_counter(), time.process_time()
    return {
        "detector": name,
        "auc": roc_auc_score(y, scores),
        "ap": average_precision_score(y, scores),
        "fit": fitted - start,
        "score": done - fitted,
        "cpu": cpu_done - cpu_start,
    }


def main():
    parser = argparse.ArgumentParser(description="outlier detectors of scikit-learn")
    parser.add_argument("file")
    parser.add_argument("--only", metavar="NAME,...", default=",".join(DETECTORS),
                        help="some of " + ", ".join(DETECTORS))
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    names = args.only.split(",")
    for name in names:
        if name not in DETECTORS:
            parser.error(f"unknown detector '{name}'")

    with np.load(args.file) as data:
        x, y = minmax_scale(data["X"].astype(np.float64)), data["y"].ravel()
    for name in names:
        if len(x) > MOST_ROWS.get(name, len(x)):
            print(json.dumps({"detector": name, "skipped": f"more than {MOST_ROWS[name]} rows"}))
        else:
            print(json.dumps(measure(name, x, y, args.seed)))


if __name__ == "__main__":
    main()
