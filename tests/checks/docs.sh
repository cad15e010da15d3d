#!/bin/sh
# docs.sh: every link of the documents to a file of the tree leads to one.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh

links_lead() # DOCUMENT
{
    broken=$(grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -E '^$|^[a-z]+:' |
        while read -r link; do
            [ -e "$(dirname "$1")/$link" ] || echo "$1: $link is not there"
        done)
    [ -z "$broken" ] || { printf '%s\n' "$broken" && return 1; }
}

for document in *.md docs/*.md bench/*.md demo/*.md; do
    [ ! -f "$document" ] || check "links of $document" links_lead "$document"
done
finish
