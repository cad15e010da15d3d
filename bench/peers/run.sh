#!/bin/sh
# run.sh PROGRAM [OPTION...]: compares PROGRAM, an odim, with PyTorch and scikit-learn; --help lists the options.
# It finds a Python that has both. Debian's packages belong to /usr/bin/python3, which need not be the first in PATH.
here=$(dirname "$0")
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import importlib.util as u, sys
sys.exit(not all(map(u.find_spec, ("numpy", "sklearn", "torch"))))' 2>/dev/null; then
        exec "$python" -B "$here/compare.py" "$@"
    fi
done
echo 'skipped: no Python with numpy, sklearn and torch (Debian: python3-numpy python3-sklearn python3-torch)'
