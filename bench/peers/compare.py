#!/usr/bin/env python3
"""Time and accuracy of odim beside those of other detectors, as Markdown. Start it by run.sh, which finds a Python.

What is timed: of odim the whole process, from start to exit, reading the file and writing the scores included; of the
others fitting and scoring only, without starting Python, imports and reading. CPU time is user and system time of all
threads. Every run is a process of its own. In each round every program runs once, so that what else happens on
the machine hits all of them alike; the numbers are medians over the rounds.
"""
import argparse
import glob
import gzip
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("ODIM_DATA", "../shared/data"))
TABLES = {
    "mammography": "tabular/23_mammography.npz",
    "pendigits": "tabular/28_pendigits.npz",
    "satellite": "tabular/30_satellite.npz",
    "shuttle": "tabular/32_shuttle.npz",
    "cover": "tabular/10_cover.npz",
}
FASHION = "fashion-mnist"
SETS = [*TABLES, FASHION]
QUICK_SETS = ["mammography", "pendigits"]
SKLEARN = ["IsolationForest", "LocalOutlierFactor", "OneClassSVM"]
SCORES = "scores.csv"
SLOW = 60  # seconds; what takes longer than this runs once


# ---- the sets -------------------------------------------------------------------------------------------------


def read_idx(path):
    """An IDX file of bytes as an array: two zeros, type 8, the number of axes, their lengths, the bytes."""
    with gzip.open(path) as f:
        raw = f.read()
    shape = np.frombuffer(raw, ">u4", count=raw[3], offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def make_fashion(scratch):
    """Class 0 as inliers and images of the other classes as a tenth of the rows, raw pixels; None without the files."""
    files = [DATA / f"images/fashion/train-{name}-ubyte.gz" for name in ("images-idx3", "labels-idx1")]
    if not all(f.exists() for f in files):
        return None
    images, labels = map(read_idx, files)
    rng = np.random.default_rng(0)
    inliers = np.flatnonzero(labels == 0)
    outliers = rng.choice(np.flatnonzero(labels != 0), round(len(inliers) / 9), replace=False)
    rows = rng.permutation(np.concatenate([inliers, outliers]))
    path = scratch / f"{FASHION}.npz"
    np.savez(path, X=images[rows].reshape(len(rows), -1), y=(labels[rows] != 0).astype(np.uint8))
    return path


def find_set(name, scratch):
    if name == FASHION:
        return make_fashion(scratch)
    if name in TABLES:
        path = DATA / TABLES[name]
        return path if path.exists() else None
    places = (f"tabular/*_{glob.escape(name)}.npz", f"*/{glob.escape(name)}.npz")
    return next((path for place in places for path in sorted(DATA.glob(place))), None)


# ---- the programs ---------------------------------------------------------------------------------------------


@dataclass
class Program:
    """One of those compared. command(file, scratch) is the line that runs it."""
    name: str
    command: object
    is_odim: bool


@dataclass
class Result:
    """What a program did on one set."""
    wall: list = field(default_factory=list)
    cpu: list = field(default_factory=list)
    auc: float = float("nan")
    ap: float = float("nan")
    instructions: int = 0
    skipped: str = ""


def run_process(command):
    """Runs to the end: its output, wall seconds, CPU seconds."""
    start = time.perf_counter()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    with process.stdout:
        output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return output, wall, usage.ru_utime + usage.ru_stime


def run_odim(program, path, scratch, result):
    """Times of one run."""
    command = program.command(path, scratch)
    _, wall, cpu = run_process(command)
    if not result.wall:  # the scores are the same every time
        judged = json.loads(run_process([command[0], "eval", scratch / SCORES, "--data", path, "--json"])[0])
        result.auc, result.ap = judged["auc"], judged["average_precision"]
    return wall, cpu


def run_peer(program, path, scratch, result):
    """Times of one run, None when there is nothing to time."""
    try:
        answer = json.loads(run_process(program.command(path, scratch))[0])
    except subprocess.CalledProcessError as error:  # out of memory, say; the other programs go on
        answer = {"skipped": f"exit status {error.returncode}"}
    if "skipped" in answer:
        result.skipped = answer["skipped"]
        return None
    result.auc, result.ap = answer["auc"], answer["ap"]
    return answer["fit"] + answer["score"], answer["cpu"]


def run_once(program, path, scratch, result):
    """One run, added to the result; whether another is wanted."""
    times = (run_odim if program.is_odim else run_peer)(program, path, scratch, result)
    if times is None:
        return False
    result.wall.append(times[0])
    result.cpu.append(times[1])
    return times[0] <= SLOW


def odim_program(path, flags, threads):
    def command(file, scratch):
        return [path, "detect", file, "--threads", threads, *shlex.split(flags), "-q", "-o", scratch / SCORES]
    return Program(f"odim {flags} --threads {threads}", command, True)


def torch_program(flags):
    def command(file, _):
        return [sys.executable, "-B", HERE / "odim_torch.py", file, *shlex.split(flags)]
    return Program(f"PyTorch {flags}".strip(), command, False)


def sklearn_program(name):
    def command(file, _):
        return [sys.executable, "-B", HERE / "sklearn_peers.py", file, "--only", name]
    return Program(name, command, False)


def list_programs(args):
    programs = [odim_program(args.program, flags, t) for flags in args.odim for t in args.threads]
    if "PyTorch" in args.peers:
        programs += [torch_program(flags) for flags in args.torch]
    return programs + [sklearn_program(name) for name in SKLEARN if name in args.peers]


# ---- instructions ---------------------------------------------------------------------------------------------


def count_instructions(command, scratch):
    """Of all threads in user space, by the processor's counters; None where perf or the counters are missing.

    Callgrind could count without them, but has to imitate every fused multiply-add by a call: minutes for what takes
    a second.
    """
    if not shutil.which("perf"):
        return None
    report = scratch / "perf.txt"
    subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "-o", report, *map(str, command)],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    found = re.search(r"^(\d+),.*instructions", report.read_text() if report.exists() else "", re.MULTILINE)
    return int(found[1]) if found else None


# ---- the tables -----------------------------------------------------------------------------------------------


def number(x):
    """Three significant digits, without powers of ten."""
    return f"{x:.0f}" if x >= 100 else f"{x:#.3g}"


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def heading(first, *numbers):
    row(first, *numbers)
    row(":--", *["--:"] * len(numbers))


def print_set(name, shape, results, counters):
    print(f"\n### {name}: {shape[0]} rows, {shape[1]} columns\n")
    extra = ["10^9 instructions"] if counters else []
    heading("program", "wall s", "CPU s", "AUC", "AP", "runs", *extra)
    for program, r in results.items():
        if r.skipped:
            row(program, f"skipped: {r.skipped}", *[""] * (4 + len(extra)))
        else:
            counted = [number(r.instructions / 1e9) if r.instructions else ""] if counters else []
            row(program, number(statistics.median(r.wall)), number(statistics.median(r.cpu)), f"{r.auc:.3f}",
                f"{r.ap:.3f}", f"{len(r.wall)}{' (slow)' if max(r.wall) > SLOW else ''}", *counted)
    sys.stdout.flush()


def print_ratios(what, measure, programs, done):
    """Rows: sets and ways to run odim; columns: the others; cells: odim's time divided by the other's."""
    ours = [p.name for p in programs if p.is_odim]
    others = [p.name for p in programs if not p.is_odim]
    if not others or not done:
        return
    print(f"\n## {what} of odim divided by that of\n")
    heading("set, program", *others)
    for name, results in done.items():
        for our in ours:
            mine = statistics.median(measure(results[our]))
            row(f"{name}, {our}", *["" if results[o].skipped else number(mine / statistics.median(measure(results[o])))
                                    for o in others])


def processor():
    try:
        cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        cpuinfo = ""
    found = re.search(r"^model name\s*:\s*(.*)", cpuinfo, re.MULTILINE)
    return found[1] if found else platform.machine()


def print_head(args):
    import sklearn
    try:
        import torch
        pytorch = f"PyTorch {torch.__version__}"
    except ImportError:
        pytorch = "no PyTorch"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    version = run_process([args.program, "--version"])[0].splitlines()[0]
    print("## odim and its peers\n")
    print(f"- Machine: {processor()}, {os.cpu_count()} cores, {memory:.0f} GiB; {platform.system()} "
          f"{platform.release()}; load average at the start {os.getloadavg()[0]:.2f}")
    print(f"- Versions: {version}; Python {platform.python_version()}, NumPy {np.__version__}, "
          f"{pytorch}, scikit-learn {sklearn.__version__}")
    print("- Threads: odim as shown; PyTorch one unless shown; scikit-learn its default (n_jobs unset)")
    print(f"- Runs: {args.repeat} of each, interleaved, medians shown; slow: took more than {SLOW} s, run once")
    print("- Times: odim the whole process with reading and writing; the others fitting and scoring only")
    if not args.counters:
        print("- Instructions: not counted, perf or the processor's counters are not there")
    print(f"- Command: `bench/peers/run.sh {shlex.join(sys.argv[1:])}`")
    sys.stdout.flush()


# ---- the run --------------------------------------------------------------------------------------------------


def compare_on(path, programs, args, scratch):
    results = {p.name: Result() for p in programs}
    wanted = list(programs)
    for turn in range(args.repeat):
        for program in list(wanted):
            print(f"  run {turn + 1} of {args.repeat}: {program.name}", file=sys.stderr)
            if not run_once(program, path, scratch, results[program.name]):
                wanted.remove(program)
    for program in programs:
        if args.counters and program.is_odim:
            results[program.name].instructions = count_instructions(program.command(path, scratch), scratch)
    return results


def names_of(known):
    def parse(text):
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown '{name}': some of {','.join(known)}")
        return names
    return parse


def numbers(text):
    return [int(t) for t in text.split(",")]


def parse_args():
    parser = argparse.ArgumentParser(prog="bench/peers/run.sh", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="the odim to measure")
    parser.add_argument("--odim", action="append", metavar="FLAGS",
                        help="flags of a way to run it, such as --odim='--preset fast'; may be repeated "
                             "[--preset paper]")
    parser.add_argument("--threads", type=numbers, default=[1, 2], metavar="N,...", help="of odim, each in turn [1,2]")
    parser.add_argument("--torch", action="append", metavar="FLAGS",
                        help="flags of a way to run odim_torch.py, such as --torch=--no-batch-norm; may be "
                             "repeated [none]")
    peers = ["PyTorch", *SKLEARN]
    parser.add_argument("--peers", type=names_of(peers), default=peers, metavar="NAME,...",
                        help=f"some of {','.join(peers)} [all]")
    parser.add_argument("--sets", type=lambda text: text.split(","), metavar="NAME,...",
                        help=f"{','.join(SETS)} [all], or others that are in the data as tabular/<number>_NAME.npz or <folder>/NAME.npz")
    parser.add_argument("--repeat", type=int, metavar="N", help="runs of each [5]")
    parser.add_argument("--quick", action="store_true", help=f"one run, and only {' and '.join(QUICK_SETS)}")
    args = parser.parse_args()
    args.odim = args.odim or ["--preset paper"]
    args.torch = args.torch or [""]
    args.sets = args.sets or (QUICK_SETS if args.quick else SETS)
    args.repeat = args.repeat or (1 if args.quick else 5)
    return args


def main():
    args = parse_args()
    programs = list_programs(args)
    done = {}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        args.counters = count_instructions([args.program, "--version"], scratch) is not None
        print_head(args)
        for name in args.sets:
            path = find_set(name, scratch)
            if path is None:
                print(f"\n### {name}\n\nskipped: no data (ODIM_DATA is the folder that holds tabular/ and images/)")
                continue
            print(name, file=sys.stderr)
            with np.load(path) as data:
                shape = data["X"].shape
            done[name] = compare_on(path, programs, args, scratch)
            print_set(name, shape, done[name], args.counters)
    print_ratios("Wall time", lambda r: r.wall, programs, done)
    print_ratios("CPU time", lambda r: r.cpu, programs, done)


if __name__ == "__main__":
    main()
