#!/bin/sh
# r.sh: makes the source package of R in build/r, with the sources of the library in it: odim_VERSION.tar.gz.
# r.sh --install FOLDER: installs that package into FOLDER; --find: fails where R is missing.
set -eu
cd "$(dirname "$0")/.."
to=build/r
version=$(sed -n 's/^#define ODIM_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/odim.h | paste -s -d .)

case ${1:-} in
--find)
    command -v R >/dev/null
    exit
    ;;
--install)
    mkdir -p "$2"
    R CMD INSTALL --no-test-load -l "$2" "$to/odim_$version.tar.gz"
    exit
    ;;
esac

rm -rf "$to/odim" "$to"/odim_*.tar.gz
mkdir -p "$to/odim"
cp -R r/. "$to/odim"
sed "s/@VERSION@/$version/" r/DESCRIPTION.in >"$to/odim/DESCRIPTION"
rm "$to/odim/DESCRIPTION.in"
# What CMakeLists.txt reads when it is added to another project.
mkdir -p "$to/odim/src/odim/tools"
cp -R CMakeLists.txt LICENSE include src common "$to/odim/src/odim"
cp tools/odim.pc.in "$to/odim/src/odim/tools"
if ! (cd "$to" && R CMD build --no-manual odim) >"$to/build.log" 2>&1; then
    cat "$to/build.log" >&2
    exit 1
fi
rm -rf "$to/odim"
echo "built $to/odim_$version.tar.gz"
echo "to install it: R CMD INSTALL $to/odim_$version.tar.gz"
