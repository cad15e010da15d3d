#!/usr/bin/env python3
"""A large Parquet file with --stream: memory, and the share of reading, as Markdown.

    make duckdb
    tools/build.sh release odim odim_shared duckdb_sql
    bench/parquet.py [ROWS [BUILD]]        default: 10000000 build

DuckDB makes a file of ten columns of numbers. Then, each in a process of its own: a query of DuckDB that reads all of
it, our reader alone, and `odim detect --stream`, which reads the file twice. Times are of the CPU, so that they hold on
a busy machine. Exit status 1 if odim takes 300 MiB or more beside DuckDB, or more than 10 % of its time for reading.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

COLUMNS, LIMIT_MIB, LIMIT_SHARE, PASSES = 10, 300, 0.1, 2


def read(library, path):
    """All blocks of a file, by the library alone."""
    lib = ctypes.CDLL(library)
    lib.odim_table_rows.restype = ctypes.c_int64
    lib.odim_table_rows.argtypes = [ctypes.c_void_p]
    reader, block = ctypes.c_void_p(), ctypes.c_void_p()
    if lib.odim_reader_open(ctypes.byref(reader), path.encode(), None, None):
        sys.exit("cannot be opened")
    while True:
        if lib.odim_reader_next(reader, ctypes.c_int64(8192), ctypes.byref(block), None):
            sys.exit("cannot be read")
        if lib.odim_table_rows(block) == 0:
            break
    lib.odim_reader_free(reader)


def run(*args):
    """The CPU time in seconds and the peak of the memory in MiB."""
    process = subprocess.Popen(args, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"failed: {' '.join(args)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    if sys.argv[1:2] == ["--read"]:
        read(*sys.argv[2:4])
        return 0
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10000000
    build = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else "build")
    os.environ.setdefault("ODIM_DUCKDB", f"{build}/duckdb/libduckdb.so")
    sql = f"{build}/tests/duckdb_sql"
    if subprocess.run([sql, "", "SELECT 1"], stdout=subprocess.DEVNULL, check=False).returncode:
        print("skipped: no libduckdb (make duckdb)")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/rows.parquet"
        columns = ", ".join(f"round({j} * t + random(), 4) AS sensor{j}" for j in range(1, COLUMNS + 1))
        run(sql, "", "SET threads = 1", "SELECT setseed(0.5)",
            f"COPY (SELECT {columns} FROM (SELECT random() AS t FROM range({rows}))) TO '{path}' (FORMAT parquet)")
        sums = ", ".join(f"sum(sensor{j})" for j in range(1, COLUMNS + 1))
        _, empty = run(sql, "", "SELECT 1")
        alone, own = run(sql, "", "SET threads = 1", f"SELECT {sums} FROM '{path}'")
        reading, read_peak = run(sys.executable, __file__, "--read", f"{build}/libodim.so", path)
        total, peak = run(f"{build}/odim", "detect", path, "--stream", "-q", "-o", "/dev/null")
        share = PASSES * reading / total
        print(f"- {rows} rows, {COLUMNS} columns, {os.path.getsize(path) / 1e6:.0f} MB of Parquet\n")
        print("| what | CPU, s | peak, MiB |\n|:--|--:|--:|")
        print(f"| libduckdb, loaded | | {empty:.0f} |")
        print(f"| DuckDB: sums of the columns | {alone:.1f} | {own:.0f} |")
        print(f"| odim: a pass of the reader | {reading:.1f} | {read_peak:.0f} |")
        print(f"| odim detect --stream | {total:.1f} | {peak:.0f} |")
        print(f"\nBeside DuckDB: {peak - own:.0f} MiB. {PASSES} passes of the reader: {100 * share:.1f} % of the time.")
        return peak - own >= LIMIT_MIB or share > LIMIT_SHARE


if __name__ == "__main__":
    sys.exit(main())
