#!/bin/sh
# docs.sh FOLDER: links and paths in the documents exist, what a document shows as the output of odim is what FOLDER/odim
# prints, and every source file begins with a comment that says what it is.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
PATH=$PWD/$1:$PATH

links_lead() # DOCUMENT
{
    broken=$(grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -E '^$|^[a-z]+:' |
        while read -r link; do
            [ -e "$(dirname "$1")/$link" ] || echo "$1: $link is not there"
        done)
    [ -z "$broken" ] || { printf '%s\n' "$broken" && return 1; }
}

paths_exist() # DOCUMENT: every `folder/file.ext` in it; NAME stands for any name
{
    missing=$(grep -o '`[a-z]*/[A-Za-z0-9_./-]*\.[a-z]*`' "$1" | tr -d '`' | grep -v NAME | sort -u |
        grep -E '^(bench|cli|common|demo|docs|examples|experiments|fuzz|include|mpi|plot|python|r|report|src|tests|tools)/' |
        while read -r path; do
            [ -e "$path" ] || echo "$1: $path does not exist"
        done)
    [ -z "$missing" ] || { printf '%s\n' "$missing" && return 1; }
}

described() # FILE: the comment at its head has at least three words
{
    [ "$(tools/files.sh "$1" | wc -w)" -gt 3 ]
}

# Writes each block of DOCUMENT that begins with "$ odim ..." to two files: command and what it is to print.
split_shows() # DOCUMENT
{
    awk -v to="$tmp/show" '
        /^```/ { inside = !inside; first = inside; if (n && !inside) shown = 0; next }
        inside && first && /^\$ odim / { n++; shown = 1; print substr($0, 3) > (to n ".sh"); first = 0; next }
        { first = 0 }
        inside && shown { print > (to n ".txt") }' "$1"
}

prints() # COMMAND-FILE
{
    sh "$1" >"$tmp/out" 2>&1 || { cat "$tmp/out" && return 1; }
    diff "${1%.sh}.txt" "$tmp/out"
}

for document in *.md docs/*.md docs/experiments/*.md bench/*.md demo/*.md experiments/*.md experiments/*/*.md; do
    [ -f "$document" ] || continue
    check "links of $document" links_lead "$document"
    check "paths in $document" paths_exist "$document"
    split_shows "$document"
    for command in "$tmp"/show*.sh; do
        [ ! -f "$command" ] || check "$document: $(cat "$command")" prints "$command"
    done
    rm -f "$tmp"/show*
done
for file in $(find src cli mpi plot common r -name '*.[ch]' -o -name '*.def' 2>/dev/null | sort); do
    check "$file: no comment at its head says what it is" described "$file"
done

# The check of head comments can fail.
printf '#include <stdio.h>\n' >"$tmp/bare.c"
printf '/* tests: x */\n' >"$tmp/empty.c"
printf '/*\n * Reads CSV, row by row. More follows.\n */\n' >"$tmp/good.c"
check "self-test: no comment" eval '! described "$tmp/bare.c"'
check "self-test: a comment that says nothing" eval '! described "$tmp/empty.c"'
check "self-test: a comment" described "$tmp/good.c"
check "self-test: its first sentence" test "$(tools/files.sh "$tmp/good.c" | cut -d ' ' -f 2- | sed 's/^ *//')" = 'Reads CSV, row by row.'
finish
