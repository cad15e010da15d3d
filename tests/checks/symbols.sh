#!/bin/sh
# symbols.sh: the shared library exports exactly what odim.h declares, and a test calls all of it with NULL; the static
# one, which has no way to hide a name, defines nothing that could clash with a program's own.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

names() # NM-ARGUMENT...
{
    nm --defined-only --format=posix "$@" | awk 'NF > 1 { print $1 }' | sort -u
}

# A declaration is ODIM_API, a type, and the name before the first parenthesis.
sed -n 's/^ODIM_API [^(]*[ *]\(odim_[a-z0-9_]*\)(.*/\1/p' include/odim.h | sort -u >"$tmp/declared"
names -D build/libodim.so >"$tmp/exported"
names -g build/libodim.a >"$tmp/static"

grep -o 'odim_[a-z0-9_]*' tests/api/test_null.c | sort -u >"$tmp/used"

check "odim.h declares functions" test -s "$tmp/declared"
check "exported (>) and declared (<) are the same" diff "$tmp/declared" "$tmp/exported"
check "static library: only odim_* and od_*" eval '! grep -v -E "^(odim|od)_" "$tmp/static"'
check "tests/api/test_null.c calls every function" eval 'test -z "$(comm -23 "$tmp/declared" "$tmp/used" | tee /dev/stderr)"'
finish
