#!/bin/sh
# header.sh: odim.h compiles alone, as C11 and as C++17; every other header needs nothing before it.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh

alone() # HEADER COMPILER...: a program that includes HEADER, twice, and nothing else
{
    header=$1
    shift
    printf '#include "%s"\n#include "%s"\nint main(void)\n{\n    return 0;\n}\n' "$header" "$header" |
        "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude -Isrc -I. -fsyntax-only -
}

# shellcheck disable=SC2086 # CC may be two words, as in "ccache gcc"
{
    check "odim.h as C11" alone odim.h ${CC:-cc} -x c -std=c11
    check "odim.h as C++17" alone odim.h ${CXX:-c++} -x c++ -std=c++17
    for header in $(cd src && ls -- */*.h); do
        check "$header" alone "$header" ${CC:-cc} -x c -std=c11 -D_POSIX_C_SOURCE=200809L
    done
}
finish
