#!/bin/sh
# python.sh: prints the Python that has what the scripts here import, or fails. Debian's packages (python3-numpy,
# python3-sklearn, python3-torch) belong to /usr/bin/python3, which need not be the first in PATH. Without torch, what
# needs it is skipped.
for modules in '"numpy", "sklearn", "torch"' '"numpy", "sklearn"'; do
    for python in python3 /usr/bin/python3; do
        if "$python" -c "import importlib.util as u, sys
sys.exit(not all(map(u.find_spec, ($modules))))" 2>/dev/null; then
            echo "$python"
            exit
        fi
    done
done
exit 1
