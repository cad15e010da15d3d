#!/bin/sh
# docs.sh FOLDER: the documents are true: links lead somewhere, every file of src/ is explained, and what a document
# shows as the output of odim is what FOLDER/odim prints.
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

explained() # FILE: `name` or `name.c` is in the architecture page
{
    name=$(basename "$1" | sed 's/\..*//')
    grep -q -E "\`$name(\.[a-z]+)?\`" docs/ARCHITECTURE.md
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

for document in *.md docs/*.md docs/experiments/*.md bench/*.md demo/*.md; do
    [ -f "$document" ] || continue
    check "links of $document" links_lead "$document"
    split_shows "$document"
    for command in "$tmp"/show*.sh; do
        [ ! -f "$command" ] || check "$document: $(cat "$command")" prints "$command"
    done
    rm -f "$tmp"/show*
done
for file in common/*.[ch] src/*/*.[ch] src/*/*.def; do
    check "$file is not in docs/ARCHITECTURE.md" explained "$file"
done
finish
