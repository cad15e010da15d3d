#!/bin/sh
# threads.sh FOLDER: FOLDER/odim, built with the thread sanitizer, on more threads than there are cores; the sanitizer
# makes it fail on a data race. The result is that of one thread, byte for byte.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

detect() # FOLDER THREADS
{
    "$1/odim" detect demo/machine.csv --id time --label fault --members 5 --samples 5 --max-updates 30 \
        --threads "$2" -o "$tmp/$2.csv"
}

check "detect on four threads" detect "$1" 4
check "detect on one thread" detect "$1" 1
check "same result" cmp "$tmp/1.csv" "$tmp/4.csv"
finish
