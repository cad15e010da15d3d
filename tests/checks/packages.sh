#!/bin/sh
# packages.sh FOLDER: makes the packages from FOLDER, which is the release build, looks at them with lintian, uses the tarball and
# the unpacked development files, and installs, uses and removes the packages in a minimal Debian.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
here=$PWD/$1/odim
command -v dpkg-gencontrol >/dev/null || {
    skip 'packages: no dpkg-dev'
    finish
}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
check "make packages" tools/packages.sh >"$tmp/log" 2>&1
cat "$tmp/log"
version=$("$here" --version | sed 's/^odim \([^ ]*\).*/\1/')
abi=${version%.*}
made=build/packages

deb() # PACKAGE: its file
{
    ls "$made/$1_${version}_"*.deb
}

packages="odim libodim$abi libodim-dev python3-odim"
if command -v mpicc >/dev/null; then packages="$packages odim-mpi"; else skip 'odim-mpi: no MPI'; fi
for package in $packages; do check "package $package" deb "$package"; done
if command -v lintian >/dev/null; then
    check "lintian" lintian --allow-root --fail-on error,warning "$made"/*.deb
else
    skip 'lintian is not installed'
fi

head -n 301 demo/machine.csv >"$tmp/table.csv"
"$here" detect "$tmp/table.csv" --preset fast --quiet -o "$tmp/want.csv"

# The tarball.
tar -C "$tmp" -xzf "$made/odim-$version-linux-$(uname -m).tar.gz"
single=$tmp/odim-$version-linux-$(uname -m)
check "the static program needs no library" eval '! readelf -d "$single/odim" | grep -q NEEDED'
check "the static program runs" eval '"$single/odim" detect "$tmp/table.csv" --preset fast --quiet -o "$tmp/got.csv"'
check "the static program gives the same scores" cmp "$tmp/want.csv" "$tmp/got.csv"
check "the static program says that it cannot serve" eval '"$single/odim" serve 2>&1 | grep -q "not part of a statically linked program"'
check "the tarball has a manual page" test -s "$single/man/odim.1"

# The development files, unpacked.
for package in "libodim$abi" libodim-dev; do dpkg-deb -x "$(deb "$package")" "$tmp/root"; done
lib=$(dirname "$(find "$tmp/root" -name odim.pc)")
builds_with_packages()
{
    # shellcheck disable=SC2046 # a list of words
    ${CC:-cc} examples/array.c $(PKG_CONFIG_SYSROOT_DIR=$tmp/root PKG_CONFIG_PATH=$lib pkg-config --cflags --libs odim) -lm \
        -o "$tmp/array"
}
check "odim.pc has the prefix /usr" test "$(PKG_CONFIG_PATH=$lib pkg-config --variable=prefix odim)" = /usr
check "a program against the unpacked library" builds_with_packages
check "it runs" env LD_LIBRARY_PATH="${lib%/*}" "$tmp/array"
case $packages in
*odim-mpi*)
    dpkg-deb -x "$(deb odim-mpi)" "$tmp/mpi"
    check "odim-mpi is for this machine" test -x "$tmp/mpi/usr/bin/odim-mpi"
    check "odim-mpi has a manual page" test -s "$tmp/mpi/usr/share/man/man1/odim-mpi.1.gz"
    ;;
esac

# A minimal Debian with what the packages depend on, and nothing else.
system=$tmp/system
no_system()
{
    skip "installing in a minimal Debian: $1"
    finish
}
[ "$(id -u)" = 0 ] || no_system 'not root'
command -v mmdebstrap >/dev/null || no_system 'no mmdebstrap'
depends=$(for package in odim "libodim$abi" python3-odim; do dpkg-deb -f "$(deb "$package")" Depends; done |
    tr ',' '\n' | sed 's/(.*//; s/ //g' | grep -v '^libodim' | sort -u | tr '\n' ',')
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mmdebstrap --quiet --variant=essential --include="$depends" --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$system" >"$tmp/log" 2>&1 ||
    no_system "mmdebstrap failed: $(grep -m 1 -E '^(E|W):' "$tmp/log")"
cp "$tmp/table.csv" "$made"/*.deb "$system/root/"

inside() # COMMAND: in the system, in an empty environment
{
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot "$system" sh -c "cd /root && $1"
}

left_over()
{
    find "$system" -path "$system/var" -prune -o -path "$system/root" -prune -o -name '*odim*' ! -name '*twodim*' -print
}

names="odim libodim$abi python3-odim"
check "nothing of it was there" test -z "$(left_over)"
check "install" inside "dpkg -i odim_*.deb libodim${abi}_*.deb python3-odim_*.deb"
check "nothing is missing" inside "! dpkg --audit | grep ."
check "the program runs" inside "odim detect table.csv --preset fast --quiet -o got.csv"
check "the program gives the same scores" cmp "$tmp/want.csv" "$system/root/got.csv"
check "its manual page" test -s "$system/usr/share/man/man1/odim-detect.1.gz"
check "its completion" test -s "$system/usr/share/bash-completion/completions/odim"
check "serve says what it needs" inside "odim serve 2>&1 | grep -q 'apt install libmicrohttpd12'"
check "Python finds the library and the outlier" inside "python3 -c '
import numpy as np, odim
x = np.random.default_rng(0).normal(size=(200, 3)); x[7] = 30
model = odim.ODIM(preset=\"fast\").fit(x)
assert model.decision_scores_.argmax() == 7, model.decision_scores_
import importlib.metadata as m
assert m.version(\"odim\") == \"$version\"'"
check "remove" inside "dpkg --purge $names"
check "nothing is left" test -z "$(left_over)"
left_over
finish
