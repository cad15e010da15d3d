#!/bin/sh
# run.sh PROGRAM [OPTION...]: compares PROGRAM, an odim, with PyTorch and scikit-learn; --help lists the options.
here=$(dirname "$0")
if python=$("$here/python.sh"); then
    exec "$python" -B "$here/compare.py" "$@"
fi
echo 'skipped: no Python with numpy and sklearn (Debian: python3-numpy python3-sklearn, and python3-torch for PyTorch)'
