#!/usr/bin/env python3
"""How long single rows take from Python, and how soon Ctrl-C ends a long call, as Markdown.

    make python
    build/python/venv/bin/python bench/python_calls.py

Rows have 20 columns; the time is the smallest mean of ten rounds of 100 calls. "In a thread" is the way of longer calls,
which start a thread. Ctrl-C is sent to a new process at several moments of a call; the time is the longest until the
exception arrives.
"""
import signal
import subprocess
import sys
import time
from unittest import mock

import numpy as np
import odim
import pandas as pd
from odim import ODIM, _estimator

ENDLESS = """
import numpy as np
from odim import ODIM
x = np.random.default_rng(0).normal(size=({rows}, 10)).astype(np.float32)
clf = ODIM(method={method!r}).fit(x[:2000])
call = {{"fit": clf.fit, "decision_function": clf.decision_function}}[{call!r}]
print("ready", flush=True)
try:
    call(x)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def microseconds(call, row):
    call(row)
    best = float("inf")
    for _ in range(10):
        start = time.perf_counter()
        for _ in range(100):
            call(row)
        best = min(best, (time.perf_counter() - start) * 1e4)
    return best


def single_rows():
    x = np.random.default_rng(0).normal(size=(2000, 20))
    frame = pd.DataFrame(x, columns=[f"c{j}" for j in range(20)])
    print(f"- odim {odim.__version__}, microseconds for one row of 20 columns\n")
    print("| | array | array, in a thread | data frame | data frame, in a thread |\n|:--|--:|--:|--:|--:|")
    for title, params in (("fast", {"preset": "fast"}), ("hbos", {"method": "hbos"}), ("pca", {"method": "pca"})):
        times = []
        for data in (x, frame):
            clf = ODIM(**params).fit(data)
            times.append(microseconds(clf.decision_function, data[:1]))
            with mock.patch.object(_estimator, "FEW_ROWS", 0):
                times.append(microseconds(clf.decision_function, data[:1]))
        print(f"| {title} | " + " | ".join(f"{t:.0f}" for t in times) + " |", flush=True)


def until_interrupted(call, method, rows):
    longest = 0.0
    for delay in (0.05, 0.15, 0.3, 0.6, 1.2):
        code = ENDLESS.format(call=call, method=method, rows=rows)
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            time.sleep(delay)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            line = process.stdout.readline()
            if line == "interrupted\n":
                longest = max(longest, time.monotonic() - start)
            process.kill()
    return longest


def main():
    single_rows()
    print("\n| Ctrl-C in | rows | longest, s |\n|:--|--:|--:|")
    for call, method, rows in (("decision_function", "hbos", 4000000), ("decision_function", "pca", 4000000),
                               ("fit", "knn", 400000), ("fit", "odim", 1000000), ("fit", "mcd", 1000000)):
        print(f"| {call}, {method} | {rows} | {until_interrupted(call, method, rows):.2f} |", flush=True)


if __name__ == "__main__":
    main()
