#!/usr/bin/env python3
"""What the Python package costs beside the calls of the library that it makes, as Markdown.

    make python
    build/python/venv/bin/python bench/python_overhead.py

The same array is fitted, and scored, by ODIM and by the bare calls of libodim (odim_table_wrap_f32, odim_detect,
odim_score), one after the other in rounds, with one thread; the times are the smallest of the rounds, since whatever
else the machine does only adds. "Own" is the CPU time of the thread that calls: it does all that Python does and
waits while the library is at work in another, so this holds on a busy machine too.
"""
import argparse
import time
import tracemalloc
from ctypes import byref, c_void_p

import numpy as np
import odim
from odim import ODIM
from odim._native import lib
from odim._params import Params
from odim._tables import make_table


def bare_table(x):
    handle = c_void_p()
    assert lib.odim_table_wrap_f32(byref(handle), x.ctypes.data, *x.shape, 0, None, None) == 0
    return handle


def bare_fit(x, params):
    table, model, scores = bare_table(x), c_void_p(), np.empty(len(x))
    assert lib.odim_detect(table, params, None, byref(model), scores.ctypes.data, None) == 0
    lib.odim_table_free(table)
    return model, scores


def bare_score(x, model, params):
    table, scores = bare_table(x), np.empty(len(x))
    assert lib.odim_score(model, table, params, None, scores.ctypes.data, None) == 0
    lib.odim_table_free(table)
    return scores


def timed(function):
    clocks = time.perf_counter, time.process_time, time.thread_time
    before = [clock() for clock in clocks]
    function()
    return [clock() - start for clock, start in zip(clocks, before)]


def compare(what, bare, whole, rounds):
    """Both in turn; prints the least of wall and CPU time, what the package adds, and what is its own."""
    times = {"bare": [], "whole": []}
    for _ in range(rounds):
        for name, function in (("bare", bare), ("whole", whole)):
            times[name].append(timed(function))
    b, w = ([1e3 * min(column) for column in zip(*times[n])] for n in ("bare", "whole"))
    print(f"| {what} | {b[0]:.2f} | {w[0]:.2f} | {100 * (w[0] / b[0] - 1):+.1f} % | {b[1]:.2f} | {w[1]:.2f} | "
          f"{100 * (w[1] / b[1] - 1):+.1f} % | {w[2]:.2f} | {100 * w[2] / b[1]:.2f} % |", flush=True)


def main():
    parser = argparse.ArgumentParser(description="what the Python package costs")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--cols", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    x = np.random.default_rng(0).normal(size=(args.rows, args.cols)).astype(np.float32)
    print(f"- {args.rows} x {args.cols} float32, one thread, best of {args.rounds} rounds; odim {odim.__version__}")
    print()
    print("| | C, wall ms | Python, wall ms | more | C, CPU ms | Python, CPU ms | more | own, ms | own / C |")
    print("|:--|" + "--:|" * 8)
    for preset in ("paper", "fast"):
        params = Params({"preset": preset, "threads": 1})
        clf = ODIM(preset=preset, threads=1).fit(x)
        model, scores = bare_fit(x, params)
        assert scores.tobytes() == clf.decision_scores_.tobytes()
        rounds = args.rounds if preset == "fast" else max(5, args.rounds // 3)
        compare(f"fit and score, {preset}", lambda: bare_fit(x, params)[1],
                lambda: ODIM(preset=preset, threads=1).fit(x), rounds)
        compare(f"score, {preset}", lambda: bare_score(x, model, params), lambda: clf.decision_function(x), args.rounds)
        lib.odim_model_free(model)

    big = np.ones((2000000, args.cols), np.float32)
    tracemalloc.start()
    table = make_table(big)
    peak = tracemalloc.get_traced_memory()[1]
    print(f"\nA table of {big.nbytes / 1e6:.0f} MB of C-ordered float32: the library has the array's own address: "
          f"{table.borrowed.ctypes.data == big.ctypes.data}; memory taken meanwhile: {peak / 1e6:.3f} MB.")


if __name__ == "__main__":
    main()
