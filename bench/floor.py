#!/usr/bin/env python3
"""floor.py ODIM: what each stage of `odim detect` has to do on wide tables, and how far the whole is from it.

    bench/floor.py ODIM [--most-cells N]

Counts the multiply-adds of the default preset for n rows of D numbers in one unit, and the bytes of the table. The floor is
the time that they take at the rates of one core, which are arguments as well; then ODIM is run on such a table, on one
thread. Tables of more than N cells (200 million) are counted but not run.
"""
import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

MEMBERS, SAMPLES, SCORE_SAMPLES, HIDDEN, BATCH, UPDATES = 6, 5, 10, (32, 16), 16, 250
SEEN, AXES, KEPT = 128, 128, 2048  # values per network, axes, rows that distances are taken to


def network(d):
    """Multiply-adds of encoder and decoder for a row and a sample."""
    h1, h2 = HIDDEN
    encoder = d * h1 + h1 * h2 + h2 * h2  # mean and variance: half of the last layer each
    decoder = h2 // 2 * h2 + h2 * h1 + h1 * 2 * d
    return encoder, decoder


def axes_of(rows, columns, count):
    """Products and, by subspace iteration, the leading vectors."""
    small, large = min(rows, columns), max(rows, columns)
    vectors = min(count, small) + 16
    return small * small * large / 2 + 5 * small * small * vectors + 10 * small * vectors * vectors


def stages(n, d):
    """Multiply-adds by stage: (of floats, of doubles)."""
    few = min(n, 8192, max(2, 2**24 // d))
    q = min(AXES, n, d)
    encoder, decoder = network(min(d, SEEN))
    moved = min(d, 1024)  # columns that the transform turns; of more it has no axes
    turned = axes_of(few, d, min(AXES, few // 5)) if d <= moved else 0
    judged, kept = n + few, min(KEPT, few)
    return {
        "limits": (0, min(n, max(2, 2**24 // d)) * d * math.log2(max(n, 2))),
        "transform": (judged * d * min(AXES, few // 5) if d <= moved else 0, turned),
        "covariance": (0, axes_of(min(few, 2048), d, 300) + few * d * min(300, few // 3) + 3 * 5e7),
        "training": (3 * MEMBERS * UPDATES * BATCH * (encoder + SAMPLES * decoder), 0),
        "losses": (judged * MEMBERS * (encoder + SCORE_SAMPLES * decoder), 0),
        "distances": (judged * kept * q, axes_of(min(few, 1024 if d > 1024 else few), d, q) + judged * d * q),
    }


def measure(program, n, d, folder):
    """CPU seconds of a run on groups of rows in one unit."""
    path = os.path.join(folder, "rows.npy")
    rng = np.random.default_rng(0)
    mix = rng.standard_normal((10, d)).astype(np.float32)
    x = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n, d))
    for first in range(0, n, 1000):
        count = min(1000, n - first)
        x[first:first + count] = rng.standard_normal((count, 10), np.float32) @ mix + rng.standard_normal((count, d), np.float32)
    x.flush()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "detect", path, "--threads", "1", "-q"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--most-cells", type=float, default=2e8)
    parser.add_argument("--floats", type=float, default=5e10, help="multiply-adds of floats per second and core [5e10]")
    parser.add_argument("--doubles", type=float, default=1e10, help="the same of doubles, not fused [1e10]")
    args = parser.parse_args()
    names = list(stages(2, 2))
    print("| D | n | MB | " + " | ".join(f"{name}, 10^6" for name in names) + " | floor s | CPU s | ratio |")
    print("|--:|--:|--:|" + "--:|" * (len(names) + 3))
    with tempfile.TemporaryDirectory() as folder:
        for d in (100, 500, 1500, 5000):
            for n in (100, 1000, 100000):
                work = stages(n, d)
                floor = sum(f / args.floats + g / args.doubles for f, g in work.values())
                cells = [f"{(f + g) / 1e6:,.0f}" for f, g in work.values()]
                times = " | "
                if n * d <= args.most_cells:
                    cpu = measure(args.program, n, d, folder)
                    times = f"{cpu:.2f} | {cpu / floor:.1f}"
                print(f"| {d} | {n} | {n * d * 4e-6:.1f} | {' | '.join(cells)} | {floor:.2f} | {times} |")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
