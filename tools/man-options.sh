#!/bin/sh
# Prints the manual with its option lists made anew from `odim help VERB`, so that it has what the program has,
# defaults included. tests/cli/man.sh fails where the two differ; this brings them together again:
#
#     tools/man-options.sh build/odim docs/odim.1 >odim.1 && mv odim.1 docs/
set -eu

odim=$1
manual=$2

# Group headings become subsections, "  -o, --output FILE   text" with its continuation lines a list item.
list_options()
{
    "$odim" help "$1" | awk '
        function flush_item(    n, words, i, line) {
            if (head == "") return
            n = split(head, words, " ")
            line = ".It"
            for (i = 1; i <= n; i++) {
                if (words[i] ~ /^-/) {
                    comma = sub(/,$/, "", words[i])
                    line = line " Fl " substr(words[i], 2) (comma ? " ," : "")
                } else {
                    line = line " Ar " words[i]
                }
            }
            print line
            print text
            head = ""
        }
        function end_group() {
            flush_item()
            if (group != "") print ".El"
            group = ""
        }
        /^[A-Z][A-Za-z ]*:$/ {
            end_group()
            if ($0 == "Examples:") next
            group = substr($0, 1, length($0) - 1)
            print ".Ss " group
            print ".Bl -tag -width Ds"
            next
        }
        group == "" { next }
        /^  -/ {
            flush_item()
            line = substr($0, 3)
            split_at = index(line, "  ")
            head = split_at ? substr(line, 1, split_at - 1) : line
            text = split_at ? substr(line, split_at) : ""
            sub(/^ +/, "", text)
            next
        }
        /^   / {
            sub(/^ +/, "")
            text = text (text == "" ? "" : " ") $0
            next
        }
        { end_group() }
        END { end_group() }
    '
}

# Only what stands between '.\" begin options VERB' and '.\" end options' is replaced.
skip=0
while IFS= read -r line; do
    case $line in
    '.\" begin options '*)
        printf '%s\n' "$line"
        list_options "${line##* }"
        skip=1
        ;;
    '.\" end options')
        printf '%s\n' "$line"
        skip=0
        ;;
    *) [ "$skip" = 1 ] || printf '%s\n' "$line" ;;
    esac
done <"$manual"
