#!/bin/sh
# header.sh: odim.h compiles alone, as C11 and as C++17, and so do its example and its initializers; every other header
# needs nothing before it.
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

# Every struct that begins with its size has an initializer, which sets all fields and so warns of none.
initializers()
{
    echo '#include <odim.h>'
    echo 'int main(void)'
    echo '{'
    sed -n 's/^#define ODIM_\([A-Z_]*\)_INIT.*/\1/p' include/odim.h | while read -r name; do
        type=odim_$(echo "$name" | tr 'A-Z' 'a-z')
        echo "    $type x_$type = ODIM_${name}_INIT;"
        echo "    if (x_$type.size != sizeof($type)) return 1;"
    done
    echo '    return ODIM_VERSION_NUMBER / 10000 != ODIM_VERSION_MAJOR;'
    echo '}'
}

initialized() # COMPILER...
{
    initializers | "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -
}

sized() # the structs with a size and their initializers are the same
{
    awk '/^typedef struct odim_.* \{$/ { name = $3 }
        /^    size_t size;$/ { print toupper(name) "_INIT" }' include/odim.h | sort >"$tmp/structs"
    sed -n 's/^#define \(ODIM_[A-Z_]*_INIT\).*/\1/p' include/odim.h | sort >"$tmp/macros"
    test -s "$tmp/structs" && diff "$tmp/structs" "$tmp/macros"
}

# The example at the head of the header, as the body of a program.
example()
{
    printf '#include <odim.h>\n#include <stdio.h>\n#include <stdlib.h>\n'
    printf 'static int fail(const odim_error *err)\n{\n    return puts(err->msg) < 0 ? 2 : 1;\n}\n'
    printf 'int main(void)\n{\n'
    sed -n '/^ \* odim /,/^ \* Ownership/s/^ \*     //p' include/odim.h
    printf 'return 0;\n}\n'
}

compiled() # COMPILER...
{
    example | "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -
}

# The same of the wrapper for C++.
wrapped() # COMPILER...
{
    {
        printf '#include <odim.hpp>\n#include <iostream>\nint main()\n{\n'
        sed -n '/^ \* odim for C/,/^ \* It is a thin/s/^ \*     //p' include/odim.hpp
        printf '}\n'
    } | "$@" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -
}

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# shellcheck disable=SC2086 # CC may be two words, as in "ccache gcc"
{
    check "odim.h as C11" alone odim.h ${CC:-cc} -x c -std=c11
    check "odim.h as C++17" alone odim.h ${CXX:-c++} -x c++ -std=c++17
    check "odim.hpp as C++17" alone odim.hpp ${CXX:-c++} -x c++ -std=c++17
    check "odim.hpp as C++20" alone odim.hpp ${CXX:-c++} -x c++ -std=c++20
    check "the example of odim.hpp compiles" wrapped ${CXX:-c++} -x c++ -std=c++17
    check "every struct with a size has an initializer" sized
    check "initializers as C11" initialized ${CC:-cc} -x c -std=c11
    check "initializers as C++17" initialized ${CXX:-c++} -x c++ -std=c++17
    check "the example compiles" compiled ${CC:-cc} -x c -std=c11
    for header in $(cd src && ls -- */*.h); do
        check "$header" alone "$header" ${CC:-cc} -x c -std=c11 -D_POSIX_C_SOURCE=200809L
    done
}
finish
