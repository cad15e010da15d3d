#!/bin/sh
# cli.sh FOLDER: runs the command-line tests on FOLDER/odim. Each gets the program's path in ODIM and an empty folder
# of its own in TMP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
ODIM=$PWD/$1/odim
export ODIM
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
for script in tests/cli/*.sh; do
    name=$(basename "$script" .sh)
    [ "$name" != lib ] || continue
    mkdir "$tmp/$name"
    tally "$(log_of "$name")" 100 env TMP="$tmp/$name" sh "$script" || show "$name"
done
finish
