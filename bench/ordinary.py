#!/usr/bin/env python3
"""Are obvious errors in ordinary tables called, first, and explained by the right column?

    bench/ordinary.py ODIM [--half choose|look] [--state N] [--tables NAME,...] [--write DIR] [--misses]

It runs `ODIM detect` on tables of ordinary_tables.py with planted errors, and on their clean twins. --half: the
tables that rules were chosen on, or the others. --misses: lists the errors that were not called, or explained by
another column, and the rows that were called without an error. --write: keeps the files.
"""

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile

import ordinary_tables


def make(table, state):
    """Names, clean rows, spoilt rows, and the errors by row."""
    r = random.Random(f"{table.__name__} {state}")
    names, clean, errors = table(r)
    spoilt, truth = [list(row) for row in clean], {}
    for kind, columns, obvious, spoil in errors:
        while True:
            i = r.randrange(len(clean))
            length = int(spoil.split(":")[2]) if isinstance(spoil, str) else 1
            if i + length < len(clean) and not any(k in truth for k in range(i, i + length)):
                break
        for k in range(i, i + length):
            if isinstance(spoil, str):
                col = names.index(columns[0])
                spoilt[k][col] = spoilt[i][col]
            else:
                row = dict(zip(names, spoilt[k]))
                spoil(row)
                spoilt[k] = [row[n] for n in names]
            truth[k] = (kind, columns, obvious)
    return names, clean, spoilt, truth


def write(path, names, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows([names, *rows])


def detect(odim, path):
    out = path + ".scores"
    done = subprocess.run([odim, "detect", path, "--explain", "2", "-o", out], capture_output=True, text=True)
    if done.returncode:
        print(f"{path}: {done.stderr.strip()}", file=sys.stderr)
        return [], done.stderr
    with open(out, newline="") as f:
        return list(csv.DictReader(f)), done.stderr


def named(reason, columns):
    return any(reason.startswith(c + " ") or f": {c} " in reason for c in columns)


def judge(odim, folder, table, a):
    names, clean, spoilt, truth = make(table, a.state)
    paths = [os.path.join(folder, f"{table.__name__}{end}.csv") for end in ("", ".clean")]
    for path, rows in zip(paths, (spoilt, clean)):
        write(path, names, rows)
    found, said = detect(odim, paths[0])
    twin, _ = detect(odim, paths[1])
    n = dict.fromkeys("planted called obvious obvious_called obvious_first right".split(), 0)
    for i, (kind, columns, obvious) in truth.items():
        noted = f"row {i + 1}:" in said or f"row {i + 1}," in said
        row = found[i] if found else None
        called = bool(row) and row["is_outlier"] == "1"
        right = called and named(row["reason1"], columns)
        n["planted"] += 1
        n["called"] += called
        n["right"] += right
        n["obvious"] += obvious
        n["obvious_called"] += obvious and called
        n["obvious_first"] += obvious and bool(row) and int(row["rank"]) <= 3 + len(truth)
        if a.misses and not right:
            print(f"  {table.__name__} row {i + 1} {kind} in {'+'.join(columns)}: {'' if obvious else '(subtle) '}"
                  f"{','.join(spoilt[i])}: {'called: ' + row['reason1'] if called else 'missed' + (', noted' if noted else '') + (', score ' + row['score'] if row else '')}")
    others = [i for i, row in enumerate(found) if row["is_outlier"] == "1" and i not in truth]
    false = [i for i, row in enumerate(twin) if row["is_outlier"] == "1"]
    if a.misses:
        for i in others:
            print(f"  {table.__name__} row {i + 1} called without an error: {','.join(spoilt[i])}: {found[i]['reason1']}")
        for i in false:
            print(f"  {table.__name__} row {i + 1} called in the clean twin: {','.join(clean[i])}: {twin[i]['reason1']}")
    return {**n, "others": len(others), "clean": len(false), "rows": len(clean)}


def show(name, n):
    print(f"| {name} | {n['rows']} | {n['planted']} | {n['called']} | {n['right']} | {n['obvious_called']} of {n['obvious']} | "
          f"{n['obvious_first']} of {n['obvious']} | {n['others']} | {n['clean']} |", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("odim")
    p.add_argument("--half", choices=["choose", "look"])
    p.add_argument("--state", type=int, default=1)
    p.add_argument("--tables")
    p.add_argument("--write")
    p.add_argument("--misses", action="store_true")
    a = p.parse_args()
    tables = ordinary_tables.TABLES
    if a.half:
        tables = tables[a.half == "look"::2]
    if a.tables:
        tables = [t for t in tables if t.__name__ in a.tables.split(",")]
    print("| table | rows | planted | called | right column first | obvious called | obvious in the first ranks | "
          "others called | called in the clean twin |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|")
    total = {}
    with tempfile.TemporaryDirectory() as folder:
        if a.write:
            os.makedirs(a.write, exist_ok=True)
        for table in tables:
            n = judge(a.odim, a.write or folder, table, a)
            show(table.__name__, n)
            for k, v in n.items():
                total[k] = total.get(k, 0) + v
    show("all", total)


if __name__ == "__main__":
    main()
