#!/usr/bin/env python3
"""versions.py BEFORE AFTER: accuracy, verdicts and CPU time of two builds of odim on the labeled tables, as Markdown.

Each program detects every table of $ODIM_DATA with each seed, on one thread. Of long tables some rows are used, the same
for both. AUC, average precision and the F1 of the verdict are means over the seeds. What differs by less than --show is
only in the means.
"""
import argparse
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

DATA = pathlib.Path(os.environ.get("ODIM_DATA", "../shared/data"))
FOLDERS = ["tabular", "image-embeddings", "text-embeddings"]


def load(path, most):
    """Rows and labels of a table, at most `most` rows of it."""
    with np.load(path, allow_pickle=True) as data:
        x, y = data["X"], data["y"].ravel() > 0
    if len(x) > most:
        some = np.sort(np.random.default_rng(0).permutation(len(x))[:most])
        x, y = x[some], y[some]
    return x, y


def auc(y, score):
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    rank = ((last - count + 1 + last) / 2)[place]
    ones = y.sum()
    return (rank[y].sum() - ones * (ones + 1) / 2) / (ones * (len(y) - ones))


def average_precision(y, score):
    order = np.argsort(-score, kind="stable")
    score, found = score[order], np.cumsum(y[order])
    last = np.r_[score[1:] != score[:-1], True]  # equal scores are found together
    precision, recall = found[last] / (np.flatnonzero(last) + 1), found[last] / y.sum()
    return float(np.sum(np.diff(np.r_[0, recall]) * precision))


def f1(y, called):
    return 2 * (y & called).sum() / max(1, y.sum() + called.sum())


def detect(program, table, flags, seed):
    """AUC, average precision, F1 and CPU seconds of one run."""
    path, y = table
    with tempfile.TemporaryDirectory() as folder:
        scores = os.path.join(folder, "scores.csv")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "detect", path, *flags, "--seed", str(seed), "--threads", "1", "-q", "-o", scores],
                       check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(scores, encoding="utf-8") as f:
            names = f.readline().strip().split(",")
        columns = [names.index("score"), names.index("is_outlier")]
        score, called = np.loadtxt(scores, delimiter=",", skiprows=1, usecols=columns, unpack=True)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return auc(y, score), average_precision(y, score), f1(y, called > 0), cpu


def compare(job):
    """The means over the seeds of both programs, in turns."""
    name, table, programs, flags, seeds = job
    runs = [[detect(p, table, flags, seed) for p in programs] for seed in seeds]
    return name, np.mean(runs, axis=0)


def show(name, before, after):
    cells = [f"{b:.4f} | {a - b:+.4f}" for b, a in zip(before[:3], after[:3])]
    print(f"| {name} | {' | '.join(cells)} | {before[3]:.2f} | {after[3]:.2f} | {after[3] / before[3]:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--flags", default="--preset auto", help="of both programs [--preset auto]")
    parser.add_argument("--seeds", default="0,1,2", help="[0,1,2]")
    parser.add_argument("--most-rows", type=int, default=12000, help="of a table [12000]")
    parser.add_argument("--sets", help="names that contain one of these, such as wide,MVTec")
    parser.add_argument("--show", type=float, default=0.01, help="differences of AUC or AP that are shown [0.01]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tables at a time [cores]")
    args = parser.parse_args()
    files = sorted(f for folder in FOLDERS for f in (DATA / folder).glob("*.npz"))
    if args.sets:
        files = [f for f in files if any(s in f.stem for s in args.sets.split(","))]
    if not files:
        print("skipped: no data (ODIM_DATA is the folder that holds tabular/)")
        return
    seeds = [int(s) for s in args.seeds.split(",")]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        jobs = []
        for f in files:
            x, y = load(f, args.most_rows)
            path = os.path.join(folder, f.stem + ".npz")
            np.savez(path, X=x, y=y)
            jobs.append((f.stem, (path, y), (args.before, args.after), args.flags.split(), seeds))
        print(f"`bench/versions.py BEFORE AFTER --flags '{args.flags}' --seeds {args.seeds} --most-rows {args.most_rows}`\n")
        print("| table | AUC | change | AP | change | F1 | change | CPU s | after | ratio |")
        print("|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        found = []
        for name, (before, after) in pool.map(compare, jobs):
            found.append((before, after))
            if np.abs(after - before)[:2].max() >= args.show:
                show(name, before, after)
                sys.stdout.flush()
    before, after = np.mean(found, axis=0)
    show(f"mean of {len(found)}", before, after)


if __name__ == "__main__":
    main()
