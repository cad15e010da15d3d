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
tmp=$(cd "$tmp" && pwd -P)
trap 'rm -rf "$tmp"' EXIT
export PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
python=$PWD/build/python/venv/bin/python

wheel_is_true()
{
    "$python" python/tests/check_wheel.py build/python/odim-*.whl
}

# The source package is unpacked elsewhere, and has nothing but what is in it.
sdist_builds()
{
    "$python" -c 'import sys
from setuptools import build_meta
build_meta.build_sdist(sys.argv[1])' "$tmp/sdist" >"$tmp/sdist.log" 2>&1 && mkdir "$tmp/source" &&
        tar -xzf "$tmp"/sdist/odim-*.tar.gz -C "$tmp/source" --strip-components 1 &&
        "$python" -m pip wheel --no-build-isolation --no-index --no-deps --wheel-dir "$tmp/wheel" "$tmp/source" \
            >>"$tmp/sdist.log" 2>&1 &&
        "$python" python/tests/check_wheel.py "$tmp"/wheel/odim-*.whl || { cat "$tmp/sdist.log" && return 1; }
}

# It imports from the folder, and sees a change there at once.
editable_install()
{
    "$python" -m venv --system-site-packages "$tmp/venv" &&
        "$tmp/venv/bin/python" -m pip install --no-build-isolation --no-index --no-deps -e "$tmp/source" \
            >"$tmp/editable.log" 2>&1 || { cat "$tmp/editable.log" && return 1; }
    echo 'changed = 1' >>"$tmp/source/python/odim/__init__.py"
    [ "$(cd / && "$tmp/venv/bin/python" -c 'import odim
print(odim.changed, odim.ODIM(method="hbos").fit([[1.0], [2.0], [3.5]]).n_features_in_, odim.__file__)')" = \
        "1 1 $tmp/source/python/odim/__init__.py" ]
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
check "the wheel's tag, license and metadata are true" wheel_is_true
check "the source package builds a wheel" sdist_builds
check "an editable install imports from the folder" editable_install
check "the README's three lines" three_lines
check "examples/quickstart.py" quickstart
run_test python_tests "$python" python/tests/run.py "$PWD/$1/odim" "$PWD/include/odim.h"
finish
