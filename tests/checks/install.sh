#!/bin/sh
# install.sh: installs into an empty folder, builds a program against what is there, runs it, and removes all again.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
root="$tmp/a root" # with a blank, as a user's folder may have
version=$(sed -n 's/^#define ODIM_VERSION_[MP][AI][A-Z]* //p' include/odim.h | tr '\n' . | sed 's/\.$//')
major=${version%%.*}

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

# compile OUT PKG-CONFIG-FLAG...: --define-prefix means where the files are now, as opposed to where the finished
# package will have them. pkg-config quotes for a shell, hence eval.
compile()
{
    out=$1
    shift
    eval "${CC:-cc} examples/array.c $(pkg-config --define-prefix "$@" --cflags --libs odim) -lm -o '$out'"
}

soname()
{
    readelf -d "$lib/libodim.so" | grep -q "SONAME.*\[libodim.so.$major\]"
}

clean()
{
    left=$(find "$root" ! -type d -o -name '*odim*' ! -path "$root/opt/odim")
    [ -z "$left" ] || { printf 'left: %s\n' "$left" && return 1; }
}

check "the links lead to libodim.so.$version" test "$(readlink -f "$lib/libodim.so")" = "$(readlink -f "$lib/libodim.so.$version")"
check "libodim.so.$major is there" test -e "$lib/libodim.so.$major"
check "SONAME" soname
check "pkg-config knows the version" test "$(pkg-config --modversion odim)" = "$version"
check "pkg-config knows the prefix" test "$(pkg-config --variable=prefix odim)" = /opt/odim
check "header" installed odim.h
for page in docs/man/*.1; do check "$page" installed "$(basename "$page")"; done
check "licence" installed LICENSE
check "completion in bash" bash -n "$root/opt/odim/share/bash-completion/completions/odim"
check "completion in zsh" test -s "$root/opt/odim/share/zsh/site-functions/_odim"
check "completion in fish" test -s "$root/opt/odim/share/fish/vendor_completions.d/odim.fish"
check "the program runs" "$root/opt/odim/bin/odim" --version
check "a program against the shared library" compile "$tmp/shared"
check "it runs" "$tmp/shared"
rm -f "$lib"/libodim.so*
check "a program against the static library" compile "$tmp/static" --static
check "it runs" "$tmp/static"
make -s install DESTDIR="$root" PREFIX=/opt/odim >/dev/null && make -s uninstall DESTDIR="$root" PREFIX=/opt/odim
check "make uninstall" test $? = 0
check "nothing is left" clean
finish
