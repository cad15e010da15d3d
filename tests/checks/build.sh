#!/bin/sh
# build.sh PRESET [TARGET...]: the preset builds, and without a warning.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"' EXIT
check "build of $1" tools/build.sh "$@" 2>"$tmp"
cat "$tmp"
check "no warning" eval '! grep -q "warning:" "$tmp"'
finish
