#!/usr/bin/env python3
"""crowded.py ODIM [--half choose|look]: how many rows of clean tables with many columns per row are called?

Each table has four hidden causes, noise, and units that differ by a factor of six. A line per number of rows, with the rows
that are called in tables of 20, 40, 60 and 99 columns, three or four tables each. The numbers of the verdict were chosen on
one half of the tables.
"""
import argparse
import csv
import os
import subprocess
import tempfile

import numpy as np

COLUMNS = (20, 40, 60, 99)
STATES = {"choose": (0, 1, 2), "look": (10, 11, 12, 13)}


def clean(n, d, state):
    rng = np.random.default_rng([state, n, d])
    causes = rng.standard_normal((n, 4)) @ rng.standard_normal((4, d))
    x = causes + rng.standard_normal((n, d)) * rng.uniform(0.3, 1.5, d)
    return (x * rng.uniform(0.5, 3, d) + 20).astype(np.float32)


def called(program, x, folder):
    path, scores = os.path.join(folder, "rows.npy"), os.path.join(folder, "scores.csv")
    np.save(path, x)
    subprocess.run([program, "detect", path, "-q", "-o", scores], check=True)
    with open(scores, encoding="utf-8", newline="") as f:
        return sum(int(row["is_outlier"]) for row in csv.DictReader(f))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--half", choices=STATES, default="choose")
    args = parser.parse_args()
    rows = total = 0
    print("| rows | " + " | ".join(f"{d} columns" for d in COLUMNS) + " |\n|--:|" + "--:|" * len(COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        for n in (60, 100, 200, 400, 800, 1500):
            counts = [[called(args.program, clean(n, d, s), folder) for s in STATES[args.half]] for d in COLUMNS]
            print(f"| {n} | " + " | ".join(", ".join(map(str, c)) for c in counts) + " |")
            rows += n * len(COLUMNS) * len(STATES[args.half])
            total += sum(map(sum, counts))
    print(f"\n{total} of {rows} rows called ({100 * total / rows:.2f} %)")


if __name__ == "__main__":
    main()
