#!/bin/sh
# python.sh: builds a wheel of the package odim in build/python, and installs it in a new virtual environment next to it,
# which also sees the system's packages. Downloads nothing.
# python.sh --find: prints a Python that has the modules needed here and by the tests, or fails. Debian's packages belong
# to /usr/bin/python3, which may not be the first in PATH.
set -eu
cd "$(dirname "$0")/.."

find_python()
{
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import importlib.util as u, sys
sys.exit(not all(map(u.find_spec, ("numpy", "pip", "setuptools", "wheel", "ensurepip", "pandas", "sklearn"))))' \
            2>/dev/null; then
            command -v "$python"
            return
        fi
    done
    return 1
}

if [ "${1:-}" = --find ]; then
    find_python
    exit
fi

python=$(find_python) || {
    echo 'found no Python with numpy, pip, setuptools, wheel, venv, pandas and scikit-learn' >&2
    exit 1
}
to=build/python
log=$to/build.log
tools/build.sh release odim odim_shared
rm -rf "$to"
mkdir -p "$to"
if ! {
    ODIM_LIBRARY=$PWD/build/libodim.so "$python" -m pip wheel --no-build-isolation --no-index --no-deps \
        --wheel-dir "$to" . &&
        "$python" -m venv --system-site-packages "$to/venv" &&
        "$to/venv/bin/python" -m pip install --no-index --no-deps "$to"/odim-*.whl
} >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
echo "built $(ls "$to"/odim-*.whl)"
echo "to try it: $to/venv/bin/python"
