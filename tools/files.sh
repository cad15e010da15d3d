#!/bin/sh
# files.sh [FILE...]: prints each source file with the first sentence of the comment at its head.
# Without arguments it lists src, cli, mpi, plot, common and r. A file without such a comment is listed with an empty sentence.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ $# = 0 ]; then
    # shellcheck disable=SC2046 # no path here contains blanks
    set -- $(find src cli mpi plot common r -name '*.[ch]' -o -name '*.def' 2>/dev/null | LC_ALL=C sort)
fi
awk '
    function flush() {
        if (path == "") return
        gsub(/[ \t]+/, " ", text)
        sub(/^ /, "", text)
        sub(/ $/, "", text)
        end = match(text, /[.!?]( |$)/)
        printf "%-32s %s\n", path, end ? substr(text, 1, RSTART) : text
    }
    FNR == 1 {
        flush()
        path = FILENAME
        text = ""
        inside = sub(/^\/\*/, "")
    }
    inside {
        line = $0
        last = sub(/\*\/.*/, "", line)
        sub(/^[ \t]*\*/, "", line)
        if (line ~ /^[ \t]*$/ && text != "") last = 1
        text = text " " line
        if (last) inside = 0
    }
    END { flush() }' "$@"
