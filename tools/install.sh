#!/bin/sh
# install.sh [--remove] PREFIX DESTDIR: builds and installs into DESTDIR/PREFIX, or removes what that would install.
set -eu
cd "$(dirname "$0")/.."
remove=
if [ "$1" = --remove ]; then
    remove=yes
    shift
fi
prefix=$1
destdir=$2
case $destdir in
'' | /*) ;;
*) destdir=$PWD/$destdir ;;
esac

tools/build.sh release odim completions odim_static odim_shared
# odim.pc contains the prefix, so CMake must know it.
cmake -D CMAKE_INSTALL_PREFIX="$prefix" build >build/install.log 2>&1 || {
    cat build/install.log >&2
    exit 1
}

if [ -n "$remove" ]; then
    # Installing into a temporary folder writes the list of files, regardless of what was installed before.
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    DESTDIR=$stage cmake --install build >/dev/null
    while IFS= read -r file || [ -n "$file" ]; do
        rm -f "$destdir$file"
        case $file in */doc/odim/* | */cmake/odim/* | */odim/libduckdb.so) rmdir "$(dirname "$destdir$file")" 2>/dev/null || true ;; esac
    done <build/install_manifest.txt
    echo "removed from $destdir$prefix"
else
    DESTDIR=$destdir cmake --install build >/dev/null
    echo "installed in $destdir$prefix"
fi
# The loader's cache belongs to the running system. Leave it alone when installing into a folder for a package.
if [ -z "$destdir" ] && [ "$(id -u)" = 0 ] && [ -x /sbin/ldconfig ]; then /sbin/ldconfig; fi
