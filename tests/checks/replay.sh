#!/bin/sh
# replay.sh FOLDER: feeds each fuzz target's corpus to its replay program.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
for corpus in fuzz/corpus/*/; do
    name=$(basename "$corpus")
    run_test "$name" "$1/fuzz/replay_$name" "$corpus"
done
finish
