#!/bin/sh
# locale.sh FOLDER: builds the locale de_DE, which has a decimal comma, for processes that run with LOCPATH=FOLDER.
# Prints the reason and fails where it cannot be built.
set -u
command -v localedef >/dev/null || { echo 'no localedef' && exit 1; }
mkdir -p "$1" || exit 1
localedef -i de_DE -f ISO-8859-1 "$1/de_DE" >"$1/log" 2>&1 && exit
echo 'localedef cannot build de_DE (the package locales has what it needs)'
exit 1
