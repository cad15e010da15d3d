#!/bin/sh
# demo.sh FOLDER: the demonstration runs and finds at least four faults in five; its table is what its maker writes.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

finds()
{
    demo/run.sh "$1/odim" "$tmp/page.html" >"$tmp/out" 2>&1 || { cat "$tmp/out" && return 1; }
    # The last line of the table: all PLANTED FOUND
    grep '^all ' "$tmp/out"
    grep '^all ' "$tmp/out" | awk '{ exit !($1 == "all" && $2 > 0 && $3 >= 0.8 * $2) }'
}

ends_well()
{
    grep -q '^<!doctype html>' "$tmp/page.html" && grep -q -F "The report is in $tmp/page.html" "$tmp/out" &&
        tail -n 3 "$tmp/out" | grep -q -F ' detect data.csv '
}

made()
{
    mkdir "$tmp/made"
    ${CC:-cc} -std=c11 -O1 -ffp-contract=off tools/demo_data.c -lm -o "$tmp/demo_data" &&
        "$tmp/demo_data" "$tmp/made" && diff -q -r "$tmp/made" demo --exclude=run.sh
}

check "demo finds the faults" finds "$1"
check "demo writes a page and says what to do next" ends_well
check "tools/demo_data.c makes the demo's table" made
finish
