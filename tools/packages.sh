#!/bin/sh
# packages.sh: makes Debian packages and a tarball with a statically linked program in build/packages, from what the preset
# release has built. Needs dpkg-dev; without MPI there is no odim-mpi. packaging/debian describes the packages.
set -eu
cd "$(dirname "$0")/.."
to=$PWD/build/packages
work=$to/work
rm -rf "$to"
mkdir -p "$work/cmake/completions" "$work/debian"

fail()
{
    printf 'packages: %s\n' "$*" >&2
    exit 1
}

version=$(sed -n 's/^#define ODIM_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/odim.h | tr '\n' . | sed 's/\.$//')
[ "$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)" = "$version" ] ||
    fail "packaging/debian/changelog is not of version $version"
# shellcheck disable=SC2046 # one word or none
tools/build.sh release odim odim_static odim_shared odim_standalone completions $(! command -v mpicc >/dev/null || echo odim-mpi)

# What CMake would install with the prefix /usr. It is configured for that prefix in a folder of its own, with copies of what
# the release build has linked, so nothing is compiled again.
arch=$(dpkg --print-architecture)
lib=usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH 2>/dev/null)
cmake -S . -B "$work/cmake" -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX=/usr -D CMAKE_INSTALL_LIBDIR="${lib#usr/}" \
    -D ODIM_TESTS=OFF >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cp -a build/odim build/libodim.* "$work/cmake"
[ ! -x build/odim-mpi ] || cp -a build/odim-mpi "$work/cmake"
cp build/completions/* "$work/cmake/completions"
all=$work/all
DESTDIR=$all cmake --install "$work/cmake" --strip >"$work/log" 2>&1 || fail "$(cat "$work/log")"
cp packaging/debian/control packaging/debian/changelog "$work/debian"

move() # PACKAGE PATH...: from what was installed into the package
{
    package=$1
    shift
    for path; do
        mkdir -p "$work/$package/$(dirname "$path")"
        mv "$all/$path" "$work/$package/$path"
    done
}

# finish PACKAGE: adds what every package has, and builds it.
finish()
{
    root=$work/$1
    doc=$root/usr/share/doc/$1
    mkdir -p "$doc" "$root/DEBIAN"
    cp packaging/debian/copyright "$doc"
    gzip -9nc packaging/debian/changelog >"$doc/changelog.gz"
    find "$root/usr/share" -name '*.1' -type f -exec gzip -9n {} +
    chmod -R u=rwX,go=rX "$root"
    [ ! -d "$root/usr/bin" ] || chmod 755 "$root"/usr/bin/*
    : >"$work/$1.substvars"
    # shellcheck disable=SC2046 # a list of paths without blanks
    programs=$(find "$root/usr/bin" "$root/$lib" -type f \( -perm -100 -o -name '*.so.*' \) 2>/dev/null || true)
    # shellcheck disable=SC2086 # a list of paths without blanks
    [ -z "$programs" ] || (cd "$work" && dpkg-shlibdeps -T"$1.substvars" --ignore-missing-info $programs 2>>log)
    (cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2 >DEBIAN/md5sums)
    (cd "$work" && dpkg-gencontrol -p"$1" -P"$1" -T"$1.substvars" -n"$1.deb" -ffiles 2>>log) || fail "$(cat "$work/log")"
    dpkg-deb --root-owner-group --build "$root" "$to/$1_${version}_$arch.deb" >>"$work/log"
}

if [ -x "$all/usr/bin/odim-mpi" ]; then
    move odim-mpi usr/bin/odim-mpi
    mkdir -p "$work/odim-mpi/usr/share/man/man1"
    cp packaging/odim-mpi.1 "$work/odim-mpi/usr/share/man/man1"
    finish odim-mpi
fi

abi=${version%.*}
move "libodim$abi" "$lib/libodim.so.$abi" "$lib/libodim.so.$version"
mkdir -p "$work/libodim$abi/DEBIAN"
chmod 644 "$work/libodim$abi/$lib/libodim.so.$version"
echo "libodim $abi libodim$abi" >"$work/libodim$abi/DEBIAN/shlibs"
echo 'activate-noawait ldconfig' >"$work/libodim$abi/DEBIAN/triggers"
finish "libodim$abi"

move libodim-dev usr/include "$lib/libodim.so" "$lib/libodim.a" "$lib/pkgconfig" "$lib/cmake"
finish libodim-dev

modules=usr/lib/python3/dist-packages
python=$work/python3-odim
mkdir -p "$python/$modules/odim" "$python/$modules/odim-$version.dist-info" "$python/DEBIAN"
cp python/odim/*.py python/odim/*.pyi python/odim/py.typed "$python/$modules/odim"
ln -s "../../../${lib#usr/lib/}/libodim.so.$abi" "$python/$modules/odim/libodim.so"
printf 'Metadata-Version: 2.1\nName: odim\nVersion: %s\n' "$version" >"$python/$modules/odim-$version.dist-info/METADATA"
for script in postinst prerm; do
    cp "packaging/debian/python3-odim.$script" "$python/DEBIAN/$script"
    chmod 755 "$python/DEBIAN/$script"
done
finish python3-odim

move odim usr/bin/odim usr/share/man usr/share/bash-completion usr/share/zsh usr/share/fish
mkdir -p "$work/odim/usr/share/zsh/vendor-completions"
mv "$work/odim/usr/share/zsh/site-functions/_odim" "$work/odim/usr/share/zsh/vendor-completions" # where Debian's zsh looks
rmdir "$work/odim/usr/share/zsh/site-functions"
finish odim

# The tarball.
name=odim-$version-linux-$(uname -m)
mkdir -p "$work/$name/man" "$work/$name/completion"
cp LICENSE README.md CHANGELOG.md "$work/$name"
cp packaging/STATIC.md "$work/$name/INSTALL.md"
cp docs/man/*.1 "$work/$name/man"
cp build/completions/* "$work/$name/completion"
strip -o "$work/$name/odim" build/odim_standalone
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$to/$name.tar.gz" "$name"
rm -rf "$work"
ls "$to"
