#!/bin/sh
# r.sh FOLDER: the R package, from the source package to its tests. FOLDER has the program and the static library.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
if ! tools/r.sh --find; then
    skip "no R (tools/setup.sh r installs it)"
    finish
fi
tmp=$(mktemp -d) || exit 1
tmp=$(cd "$tmp" && pwd -P)
trap 'rm -rf "$tmp"' EXIT
root=$PWD
folder=$root/$1
# The check must not depend on a network or on the settings of a user. Warnings that only say that a tool of the check
# is missing are left out with it.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=false R_PROFILE_USER=/dev/null R_ENVIRON_USER=/dev/null
export R_DEFAULT_INTERNET_TIMEOUT=5
# In the locale C the check asks for en_US.UTF-8, and warns where that is not installed.
export LC_ALL=C.UTF-8
command -v checkbashisms >/dev/null || export _R_CHECK_BASHISMS_=false
export ODIM_COMMAND="$folder/odim" ODIM_LIBRARY="$folder/libodim.a"

# Passes with "Status: OK", or with one NOTE, that of a package that CRAN does not have. The library comes from FOLDER;
# `bundled` compiles the sources in the package.
checks()
{
    (cd "$tmp" && R CMD check --as-cran --no-manual "$root"/build/r/odim_*.tar.gz) >"$tmp/check.log" 2>&1
    log=$tmp/odim.Rcheck/00check.log
    if ! grep -q -E '^Status: (OK|1 NOTE)$' "$log" || grep -E '\.\.\. .*NOTE$' "$log" | grep -v -q 'CRAN incoming'; then
        cat "$log" "$tmp"/odim.Rcheck/00install.out "$tmp"/odim.Rcheck/tests/*.fail 2>/dev/null
        return 1
    fi
}

# Without optimization, which is quicker to compile and gives the same bits.
bundled()
{
    (unset ODIM_LIBRARY && ODIM_BUILD_TYPE=Debug tools/r.sh --install "$tmp/library") >"$tmp/install.log" 2>&1 &&
        grep -q 'Built target odim_static' "$tmp/install.log" || { cat "$tmp/install.log" && return 1; }
}

same_bits()
{
    R_LIBS=$tmp/library Rscript r/tests/command.R
}

# The examples of the document, one after the other; lines that begin with #> are what the line before prints.
document()
{
    sed -n '/^```r$/,/^```$/p' docs/R.md | grep -v '^```' >"$tmp/document.R"
    grep -q 'odim(' "$tmp/document.R" &&
        (cd "$tmp" && R_LIBS=$tmp/library Rscript "$root/tests/checks/shown.R" document.R)
}

readme()
{
    {
        echo 'new <- iris[1:3, ]; pdf(NULL)'
        sed -n '/^```r$/,/^```$/p' README.md | grep -v '^```'
    } >"$tmp/readme.R"
    [ "$(wc -l <"$tmp/readme.R")" = 4 ] && R_LIBS=$tmp/library Rscript "$tmp/readme.R" >"$tmp/readme.txt" &&
        grep -q p_outlier "$tmp/readme.txt"
}

check "the source package is built" tools/r.sh
check "R CMD check --as-cran" checks
check "the sources in the package build the library" bundled
check "scores of the command, to the bit, without optimization" same_bits
check "the examples of docs/R.md" document
check "the README's three lines" readme
finish
