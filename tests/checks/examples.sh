#!/bin/sh
# examples.sh FOLDER: the programs of examples/, built in FOLDER, find what was planted.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# 400 rows on a curve; row 250 is far off it.
awk 'BEGIN {
    print "a,b,c"
    for (i = 1; i <= 400; i++) {
        t = i / 20
        if (i == 250) print "0.9,-0.9,5"
        else printf "%.6f,%.6f,%.6f\n", sin(t), cos(t) + sin(9 * t) / 20, 2 * sin(t) + cos(11 * t) / 10
    }
}' >"$tmp/curve.csv"

detect()
{
    "$1/detect" "$tmp/curve.csv" >"$tmp/out"
    status=$?
    cat "$tmp/out"
    [ "$status" = 0 ] && [ "$(wc -l <"$tmp/out")" = 5 ] && head -n 1 "$tmp/out" | grep -q '^row 250  score [-0-9.]*$'
}

complains() # of a file that is not there, by name
{
    ! "$1/detect" "$tmp/none.csv" 2>"$tmp/err" && grep -q none.csv "$tmp/err"
}

array()
{
    "$1/array" >"$tmp/out" 2>"$tmp/err"
    status=$?
    cat "$tmp/out"
    [ "$status" = 0 ] && grep -q '^row 417 is the most unusual: position .* current 0\.80$' "$tmp/out"
}

parts()
{
    "$1/parts" "$tmp/curve.csv" >"$tmp/out"
    status=$?
    cat "$tmp/out"
    [ "$status" = 0 ] && grep -q '^4 parts, model \([0-9a-f]*\); the whole table, model \1$' "$tmp/out"
}

stream() # odim is where the folder of the examples is
{
    "$1/../odim" fit "$tmp/curve.csv" --preset paper --members 3 -q -o "$tmp/curve.odim" || return 1
    (sed -n 251p "$tmp/curve.csv" && sed -n 3p "$tmp/curve.csv" && echo 0.1,oops,0.2 && echo 0.1,0.2) |
        "$1/stream" "$tmp/curve.odim" >"$tmp/out"
    status=$?
    cat "$tmp/out"
    [ "$status" = 0 ] && [ "$(sed 's/^[0-9.]*  //' "$tmp/out" | tr '\n' ' ')" = '0.9,-0.9,5 0.1,oops,0.2 0.1,0.2 ' ]
}

modern()
{
    "$1/modern" "$tmp/curve.csv" >"$tmp/out"
    status=$?
    cat "$tmp/out"
    [ "$status" = 0 ] && grep -q '^row 250: ' "$tmp/out" && grep -q '; 400 of 400 scores are the same again$' "$tmp/out"
}

modern_complains()
{
    ! "$1/modern" "$tmp/none.csv" 2>"$tmp/err" && grep -q '^modern: .*none.csv' "$tmp/err"
}

check "detect finds row 250" detect "$1"
check "detect reports a missing file" complains "$1"
check "array finds row 417" array "$1"
check "parts makes the same model" parts "$1"
check "stream calls outliers and bad lines" stream "$1"
if [ -x "$1/modern" ]; then
    check "modern finds row 250, and scores single rows" modern "$1"
    check "modern reports a missing file" modern_complains "$1"
else
    skip "modern" "no C++ compiler"
fi
finish
