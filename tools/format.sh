#!/bin/sh
# format.sh [--check]: formats every C file of the tree, or lists those that are not formatted.
# Versions of clang-format disagree; this tree uses version 14, which Debian 12 has.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks/lib.sh
tool=clang-format
! command -v clang-format-14 >/dev/null || tool=clang-format-14
major=$("$tool" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')

files()
{
    find . -name '*.[ch]' ! -path './build*' | sort
}

formatted()
{
    files | xargs "$tool" --dry-run -Werror >"$tmp" 2>&1 && return
    sed -n 's/^\(.*\):[0-9]*:[0-9]*: error.*/\1 is not formatted (make format)/p' "$tmp" | uniq
    return 1
}

tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"' EXIT
if [ "${1:-}" = --check ]; then
    if [ "$major" = 14 ]; then
        check "format" formatted
    else
        skip "clang-format is version $major, the tree is formatted with 14"
    fi
    finish
elif [ "$major" = 14 ]; then
    files | xargs "$tool" -i
else
    echo "format: this needs clang-format 14, found version $major" >&2
    exit 1
fi
