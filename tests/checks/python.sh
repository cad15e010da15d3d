#!/bin/sh
# python.sh FOLDER: the Python package, from the wheel to its tests. FOLDER has the program and the library.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
if ! tools/python.sh --find >/dev/null; then
    skip "no Python with numpy, pip, setuptools, wheel, venv, pandas and scikit-learn (make python installs them)"
    finish
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
python=$PWD/build/python/venv/bin/python

has_library()
{
    "$python" -m zipfile -l "$(ls build/python/odim-*-py3-none-linux_*.whl)" | grep -q '^odim/libodim\.so '
}

# The environment is fresh, and knows nothing of this folder.
three_lines()
{
    {
        echo 'import numpy; X = numpy.random.default_rng(0).normal(size=(200, 3)); X[7] = 9; new = X[6:8]'
        sed -n '/^```python$/,/^```$/p' README.md | grep -v '^```'
    } >"$tmp/readme.py"
    [ "$(wc -l <"$tmp/readme.py")" = 4 ] && (cd "$tmp" && "$python" -I readme.py >out.txt) &&
        grep -q "Reason(column=" "$tmp/out.txt"
}

quickstart()
{
    cp examples/quickstart.py "$tmp" && (cd "$tmp" && "$python" -I quickstart.py >quickstart.txt 2>&1) ||
        { cat "$tmp/quickstart.txt" && return 1; }
    grep -q '^found' "$tmp/quickstart.txt"
}

check "the wheel is built and installed without a network" tools/python.sh
check "the wheel is for any Python 3 and has the library in it" has_library
check "the README's three lines" three_lines
check "examples/quickstart.py" quickstart
run_test python_tests "$python" python/tests/run.py "$PWD/$1/odim" "$PWD/include/odim.h"
finish
