#!/bin/sh
# replay.sh FOLDER: feeds each fuzz target's corpus to its replay program.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
for corpus in fuzz/corpus/*/; do
    name=$(basename "$corpus")
    tally "$(log_of "$name")" "$test_limit" "$1/fuzz/replay_$name" "$corpus" || show "$name"
done
finish
