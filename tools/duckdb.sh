#!/bin/sh
# duckdb.sh: puts libduckdb, which reads Parquet and DuckDB files and answers SQL, into build/duckdb.
# duckdb.sh --find: prints the library that the tests can use, or fails; installs nothing.
#
# The library is in an npm package whose version and checksum tools/duckdb/package-lock.json pins. npm unpacks it in a
# private folder, and only the library and its license are kept.
set -u
cd "$(dirname "$0")/.." || exit 1
to=build/duckdb

fail()
{
    printf 'set-up: %s\n' "$*" >&2
    exit 1
}

if [ "${1-}" = --find ]; then
    [ -n "${ODIM_DUCKDB-}" ] || ODIM_DUCKDB=$PWD/$to/libduckdb.so
    [ -f "$ODIM_DUCKDB" ] && echo "$ODIM_DUCKDB"
    exit
fi
# The version that is there, so that a newer one replaces it.
cmp -s tools/duckdb/package-lock.json "$to/package-lock.json" && [ -f "$to/libduckdb.so" ] && exit
command -v npm >/dev/null || fail 'npm is missing (Debian: npm); it fetches libduckdb'
mkdir -p build
tmp=$(mktemp -d build/duckdb-XXXXXX) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
echo 'set-up: fetching libduckdb with npm into build/duckdb' >&2
cp tools/duckdb/package.json tools/duckdb/package-lock.json "$tmp"
(cd "$tmp" && npm ci --no-audit --no-fund --ignore-scripts) >"$tmp/npm" 2>&1 ||
    fail "npm cannot fetch libduckdb: $(grep -m 1 -e 'reason:' -e 'ERR! code' "$tmp/npm")"
for package in "$tmp"/node_modules/@duckdb/node-bindings-linux-*; do
    [ -f "$package/libduckdb.so" ] || fail "there is no libduckdb for this machine ($(uname -m))"
    mkdir -p "$to" && cp "$package/LICENSE" "$tmp/package-lock.json" "$to" && mv "$package/libduckdb.so" "$to" || exit 1
done
