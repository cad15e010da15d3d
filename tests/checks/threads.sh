#!/bin/sh
# threads.sh FOLDER: FOLDER/odim, built with the thread sanitizer, on more threads than there are cores; the sanitizer
# makes it fail on a data race. The result is that of one thread, byte for byte. Once with the rows in memory, once
# from a stream, once for rows that come through a pipe, also packed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
odim=$1/odim
# More rows than a block of a stream.
awk 'NR == 1 { head = $0 } NR > 1 { row[NR] = $0 }
    END { print head; for (i = 0; i < 12; i++) for (r = 2; r <= NR; r++) print row[r] }' demo/machine.csv >"$tmp/long.csv"

detect() # THREADS OUTPUT FILE ARGUMENT...
{
    threads=$1 output=$2
    shift 2
    "$odim" detect "$@" --id time --label fault --members 5 --samples 5 --max-updates 30 --threads "$threads" \
        --quiet -o "$tmp/$output.$threads.csv"
}

fit()
{
    "$odim" fit "$tmp/long.csv" --ignore time,fault --members 3 --samples 5 --max-updates 30 --threads 4 --quiet \
        -o "$tmp/model.odim"
}

score() # THREADS FILE
{
    # shellcheck disable=SC2002 # a pipe is what is tested
    cat "$tmp/$2" | "$odim" score -m "$tmp/model.odim" - --explain 1 --threads "$1" --quiet \
        -o "$tmp/score.$1.csv"
}

alike() # WHAT OUTPUT ARGUMENT...
{
    what=$1 output=$2
    shift 2
    check "$what on four threads" detect 4 "$output" "$@"
    check "$what on one thread" detect 1 "$output" "$@"
    check "$what: same result" cmp "$tmp/$output.1.csv" "$tmp/$output.4.csv"
}

alike "detect" whole demo/machine.csv
alike "detect --stream" stream "$tmp/long.csv" --stream
alike "detect --stream --explain" explain demo/machine.csv --stream --explain 2 --keep
alike "detect --preset paper --stream" paper demo/machine.csv --stream --preset paper
check "fit, which is always of a stream" fit
gzip -k "$tmp/long.csv"
for file in long.csv long.csv.gz; do
    check "score $file from a pipe on four threads" score 4 "$file"
    check "score $file from a pipe on one thread" score 1 "$file"
    check "score $file from a pipe: same result" cmp "$tmp/score.1.csv" "$tmp/score.4.csv"
done
alike "detect --stream of a packed file" packed "$tmp/long.csv.gz" --stream
finish
