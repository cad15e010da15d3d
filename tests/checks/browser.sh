#!/bin/sh
# browser.sh FOLDER: the report in a headless Chromium (tests/browser). Skipped where there is no browser; tools/setup.sh
# browser gets one.
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
node tests/browser/report.mjs "$odim" "$tmp" ${SHOTS:+"$SHOTS"}
