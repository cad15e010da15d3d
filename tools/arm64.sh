#!/bin/sh
# arm64.sh: puts the libraries that odim needs, for 64-bit ARM, into build/arm64, where tools/arm64.cmake finds them.
# arm64.sh --find: succeeds if they are there; fetches nothing.
#
# They are Debian's development packages, unpacked but not installed. apt-get works on lists of its own, so neither root nor
# a foreign architecture is needed, and this machine's packages stay as they are.
set -u
cd "$(dirname "$0")/.." || exit 1
packages='zlib1g-dev liblzma-dev libzstd-dev liblz4-dev libbz2-dev libexpat1-dev libsqlite3-dev libpng-dev
    libjpeg62-turbo-dev libmicrohttpd-dev'
to=build/arm64

fail()
{
    printf 'set-up: %s\n' "$*" >&2
    exit 1
}

# The list of what was fetched is written last.
[ "$(cat "$to/packages" 2>/dev/null)" != "$packages" ] || exit 0
[ "${1-}" != --find ] || exit 1
command -v apt-get >/dev/null || fail 'apt-get was not found; it fetches the libraries for ARM'
mkdir -p build
tmp=$(mktemp -d "$PWD/build/arm64-XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
echo "set-up: fetching $(echo "$packages" | wc -w) Debian packages for ARM into $to; they are not installed" >&2
mkdir -p "$tmp/lists/partial" "$tmp/archives/partial" "$tmp/root"

apt() # ARGUMENT...: apt-get for ARM, with everything it writes in $tmp
{
    (cd "$tmp" && apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$tmp" \
        -o Dir::State::lists="$tmp/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$tmp" \
        -o APT::Sandbox::User=root "$@") >"$tmp/log" 2>&1 </dev/null
}

apt update || fail "cannot fetch the package lists for ARM: $(grep -m 1 -E '^(E|W|Err):' "$tmp/log")"
# shellcheck disable=SC2086 # a list of words
apt download $packages || fail "cannot fetch the packages for ARM: $(grep -m 1 -E '^(E|W|Err):' "$tmp/log")"
for package in "$tmp"/*.deb; do dpkg-deb -x "$package" "$tmp/root" || exit 1; done
rm -rf "$to"
mkdir -p "$to" && mv "$tmp/root/usr" "$to/usr" || exit 1
printf '%s\n' "$packages" >"$to/packages"
