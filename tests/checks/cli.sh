#!/bin/sh
# cli.sh FOLDER [NAME...]: runs the command-line tests, all or those named, on FOLDER/odim. Each gets the program's path
# in ODIM and an empty folder of its own in TMP.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
ODIM=$PWD/$1/odim
export ODIM
shift
# shellcheck disable=SC2046 # a list of words
[ $# -gt 0 ] || set -- $(basename -a -s .sh tests/cli/*.sh | grep -v -x lib)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
for name; do
    mkdir "$tmp/$name"
    run_test "$name" env TMP="$tmp/$name" sh "tests/cli/$name.sh"
done
finish
