#!/bin/sh
# build.sh PRESET [TARGET...]: the preset builds without a warning. With the preset release: tools/setup.sh also says what it
# is about to install.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
check "build of $1" tools/build.sh "$@" 2>"$tmp/log"
cat "$tmp/log"
check "no warning" eval '! grep -q "warning:" "$tmp/log"'

announces() # with a compiler that does not exist, as root, with an apt-get that fails: the list comes before apt-get runs
{
    printf '#!/bin/sh\necho 0\n' >"$tmp/id"
    printf '#!/bin/sh\necho apt-get >>"%s/said"\nexit 1\n' "$tmp" >"$tmp/apt-get"
    chmod +x "$tmp/id" "$tmp/apt-get"
    ! PATH=$tmp:$PATH CC=no-such-compiler tools/setup.sh build 2>>"$tmp/said" || return 1
    head -n 2 "$tmp/said" >"$tmp/first"
    printf 'set-up: installing 2 Debian packages with apt-get: gcc libc6-dev\napt-get\n' | diff - "$tmp/first"
}

[ "$1" != release ] || check "set-up lists packages before it installs them" announces
finish
