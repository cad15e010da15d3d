#!/bin/sh
# browser.sh FOLDER report|serve: the report, or the page of `odim serve`, in a headless Chromium (tests/browser). Skipped where
# there is no browser; tools/setup.sh browser gets one. SHOTS=DIR keeps pictures.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
odim=$PWD/$1/odim
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

if ! CHROMIUM=$(tools/setup.sh --browser); then
    skip "no browser, or not what drives it (tools/setup.sh browser)"
    finish
fi
export CHROMIUM
if [ "$2" = serve ] && ! ldconfig -p 2>/dev/null | grep -q libmicrohttpd; then
    skip "no libmicrohttpd"
    finish
fi
node "tests/browser/$2.mjs" "$odim" "$tmp" ${SHOTS:+"$SHOTS"}
