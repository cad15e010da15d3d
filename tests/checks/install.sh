#!/bin/sh
# install.sh: installs into an empty folder, builds programs against what is there (with pkg-config and with CMake's
# find_package; shared and static), runs them, and uninstalls. Also builds the library as a part of another project.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
root="$tmp/a root" # with a blank, as a user's folder may have
version=$(sed -n 's/^#define ODIM_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/odim.h | tr '\n' . | sed 's/\.$//')
# The part of the version that changes with the ABI: major and minor number before 1.0, then the major number.
case $version in
0.*) abi=${version%.*} ;;
*) abi=${version%%.*} ;;
esac

installed() # NAME: the one file of that name
{
    find "$root" -name "$1" | grep .
}

make -s install DESTDIR="$root" PREFIX=/opt/odim >"$tmp/log" 2>&1
check "make install" test $? = 0
cat "$tmp/log"
lib=$(dirname "$(installed libodim.so)")
PKG_CONFIG_PATH=$lib/pkgconfig
LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH

# compile OUT PKG-CONFIG-FLAG...: builds a program with pkg-config. --define-prefix uses the files where they are now,
# instead of where a package would have them. pkg-config quotes for a shell, hence eval.
compile()
{
    out=$1
    shift
    eval "${CC:-cc} examples/array.c $(pkg-config --define-prefix "$@" --cflags --libs odim) -lm -o '$out'"
}

# configure NAME VERSION: a small project that asks for that version with find_package.
configure()
{
    cmake -S "$tmp/client" -B "$tmp/$1" -D CMAKE_PREFIX_PATH="$root/opt/odim" -D ODIM_WANTED="$2" >"$tmp/log" 2>&1
}

build_client()
{
    configure built "$version" && cmake --build "$tmp/built" >>"$tmp/log" 2>&1 || { cat "$tmp/log" && return 1; }
}

build_modern()
{
    cmake -S "$tmp/modern" -B "$tmp/modern/built" -D CMAKE_PREFIX_PATH="$root/opt/odim" >"$tmp/log" 2>&1 &&
        cmake --build "$tmp/modern/built" >>"$tmp/log" 2>&1 && return
    cat "$tmp/log"
    return 1
}

# A project that builds the library from these sources.
add_subdirectory()
{
    cmake -S "$tmp/parent" -B "$tmp/parent/built" -D ODIM_SOURCE="$PWD" >"$tmp/log" 2>&1 &&
        cmake --build "$tmp/parent/built" --parallel >>"$tmp/log" 2>&1 && return
    cat "$tmp/log"
    return 1
}

only_the_library() # the programs and libraries that were built
{
    find "$tmp/parent/built" -type f \( -perm -u+x -o -name '*.a' \) ! -path '*/CMakeFiles/*' -exec basename {} \; | sort |
        tr '\n' ' ' >"$tmp/out"
    cat "$tmp/out"
    test "$(cat "$tmp/out")" = "libodim.a libodim.so.$version shared static "
}

uses_shared() # PROGRAM
{
    readelf -d "$1" | grep -q "NEEDED.*\[libodim.so.$abi\]"
}

soname()
{
    readelf -d "$lib/libodim.so" | grep -q "SONAME.*\[libodim.so.$abi\]"
}

clean()
{
    left=$(find "$root" ! -type d -o -name '*odim*' ! -path "$root/opt/odim")
    [ -z "$left" ] || { printf 'left: %s\n' "$left" && return 1; }
}

check "the links lead to libodim.so.$version" test "$(readlink -f "$lib/libodim.so")" = "$(readlink -f "$lib/libodim.so.$version")"
check "libodim.so.$abi is there" test -e "$lib/libodim.so.$abi"
check "SONAME" soname
check "pkg-config knows the version" test "$(pkg-config --modversion odim)" = "$version"
check "pkg-config knows the prefix" test "$(pkg-config --variable=prefix odim)" = /opt/odim
check "header" installed odim.h
check "header of the wrapper for C++" installed odim.hpp
for page in docs/man/*.1; do check "$page" installed "$(basename "$page")"; done
check "licence" installed LICENSE
check "completion in bash" bash -n "$root/opt/odim/share/bash-completion/completions/odim"
check "completion in zsh" test -s "$root/opt/odim/share/zsh/site-functions/_odim"
check "completion in fish" test -s "$root/opt/odim/share/fish/vendor_completions.d/odim.fish"
check "the program runs" "$root/opt/odim/bin/odim" --version
check "a program against the shared library" compile "$tmp/shared"
check "it runs" "$tmp/shared"
check "it uses the shared library" uses_shared "$tmp/shared"
mkdir "$tmp/client"
cp examples/array.c "$tmp/client"
cat >"$tmp/client/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(client LANGUAGES C)
find_package(odim ${ODIM_WANTED} REQUIRED)
add_executable(shared array.c)
target_link_libraries(shared PRIVATE odim::odim m)
add_executable(static array.c)
target_link_libraries(static PRIVATE odim::odim_static)
END
check "find_package: programs against both libraries" build_client
check "find_package: the shared one runs" "$tmp/built/shared"
check "find_package: it uses the shared library" uses_shared "$tmp/built/shared"
check "find_package: the static one runs" "$tmp/built/static"
check "find_package: it does not use the shared library" eval '! uses_shared "$tmp/built/static"'
if command -v "${CXX:-c++}" >/dev/null; then
    mkdir "$tmp/modern"
    cp examples/modern.cpp "$tmp/modern"
    cat >"$tmp/modern/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(modern LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(odim REQUIRED)
add_executable(modern modern.cpp)
target_link_libraries(modern PRIVATE odim::odim)
END
    check "find_package: a program in C++" build_modern
else
    skip "a program in C++: no C++ compiler"
fi
check "find_package: any patch of the version" configure same "$abi"
check "find_package: not another version" eval '! configure other "$((${abi%%.*} + 1)).0"'
mkdir "$tmp/parent"
cp examples/array.c "$tmp/parent"
cat >"$tmp/parent/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(parent LANGUAGES C)
add_subdirectory(${ODIM_SOURCE} odim)
add_executable(shared array.c)
target_link_libraries(shared PRIVATE odim::odim m)
add_executable(static array.c)
target_link_libraries(static PRIVATE odim::odim_static)
END
check "add_subdirectory: programs against both libraries" add_subdirectory
check "add_subdirectory: nothing else is built" only_the_library
check "add_subdirectory: the shared one runs" "$tmp/parent/built/shared"
check "add_subdirectory: the static one runs" "$tmp/parent/built/static"
rm -f "$lib"/libodim.so*
check "a program against the static library" compile "$tmp/static" --static
check "it runs" "$tmp/static"
make -s install DESTDIR="$root" PREFIX=/opt/odim >/dev/null && make -s uninstall DESTDIR="$root" PREFIX=/opt/odim
check "make uninstall" test $? = 0
check "nothing is left" clean
finish
