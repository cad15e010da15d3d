#!/bin/sh
# experiments.sh FOLDER: FOLDER/experiments/experiment resumes, skips and refuses on a synthetic set, and the pages in
# docs/experiments are exactly what it writes from the results next to them.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
experiment=$PWD/$1/experiments/experiment
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
out=$tmp/out
export ODIM_DATA=$tmp/data

run() # ARGUMENT...: into out.txt and err.txt
{
    "$experiment" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt"
}

quick() # ARGUMENT...: of the experiment on samples, which has eight settings
{
    run samples --sets cardio --set members=1 --set hidden=4,2 --threads 1 --out "$out" "$@"
}

cells() # COUNT: so many are there, and so many were measured now: COUNT NOW
{
    [ "$(grep -c '^cardio' "$out/samples.tsv")" = "$1" ] && [ "$(wc -l <"$tmp/err.txt")" = "$2" ] && return
    cat "$out/samples.tsv" "$tmp/err.txt"
    return 1
}

says() # STATUS FILE TEXT COMMAND...
{
    status=$1 file=$tmp/$2 text=$3
    shift 3
    "$@"
    [ $? = "$status" ] && grep -q -F -e "$text" "$file" && return
    cat "$tmp/out.txt" "$tmp/err.txt"
    return 1
}

[ "$1" != build ] || check "build" tools/build.sh release experiment

# ---- what is refused and what is skipped

check "help" says 0 out.txt '  samples ' run --help
check "no name" says 2 out.txt 'Usage: experiment NAME' run
check "unknown name" says 2 err.txt 'nonsense: no such experiment' run nonsense
check "unknown option" says 2 err.txt '--nonsense: unknown option' run samples --nonsense 1
check "no seeds" says 2 err.txt '--seeds: must be a whole number from 1 to 1000' run samples --seeds 0
check "seeds that are no number" says 2 err.txt '--seeds: must be a whole number' run samples --seeds 2x
check "no such parameter" says 2 err.txt 'nosuch=1: ' run samples --set nosuch=1
check "no such value" says 2 err.txt 'members=-1: ' run samples --set members=-1
check "no assignment" says 2 err.txt 'lr: not PARAMETER=VALUE' run samples --set lr
check "no threads" says 2 err.txt 'threads=0x: ' run samples --threads 0x
check "no data" says 0 out.txt 'skipped: no data' quick
check "no data, no results" test ! -e "$out/samples.tsv"
check "no results to report" says 1 err.txt 'samples.tsv: No such file' quick --report

# ---- measuring, and resuming

mkdir -p "$ODIM_DATA/tabular"
cp tests/data/numpy/stored_C.npz "$ODIM_DATA/tabular/6_cardio.npz"
check "no such set" says 1 err.txt "there is no set 'nosuch'" run samples --sets cardio,nosuch --out "$tmp/none"
check "a run" says 0 out.txt "written: $out/samples.md" quick --quick
check "its cells" cells 8 8
check "its head" grep -q -x '# parameters: members=1 hidden=4,2' "$out/samples.tsv"
check "its page" grep -q '^| cardio | [01]\.[0-9]* | 0.794 |' "$out/samples.md"
cp "$out/samples.tsv" "$tmp/first.tsv"
cp "$out/samples.md" "$tmp/first.md"
check "again" quick --quick
check "nothing is measured again" cells 8 0
check "nothing changed" cmp "$tmp/first.tsv" "$out/samples.tsv"

head -c -9 "$tmp/first.tsv" >"$out/samples.tsv" # as a killed run leaves it
check "after a kill" quick --quick
check "one cell is measured again" cells 8 1
check "to the same values" sh -c 'cut -f 1-5,7 "$1" >"$3/a" && cut -f 1-5,7 "$2" >"$3/b" && cmp "$3/a" "$3/b"' \
    sh "$tmp/first.tsv" "$out/samples.tsv" "$tmp"
check "more seeds" quick --seeds 2
check "the new seed only" cells 16 8
rm "$out/samples.md"
cp "$tmp/first.tsv" "$out/samples.tsv"
check "report" quick --report
check "the same page" cmp "$tmp/first.md" "$out/samples.md"

check "other parameters" says 1 err.txt 'was measured with something else' quick --set samples=3
check "another head" sh -c 'sed "s/^# version: .*/# version: 0.0.0/" "$1" >"$2"' sh "$tmp/first.tsv" "$out/samples.tsv"
check "another version" says 1 err.txt '"# version: 0.0.0"' quick
printf 'nonsense\n' >"$out/samples.tsv"
check "not a file of results" says 1 err.txt 'was measured with something else' quick
sed '$s/\t[^\t]*$/\tnonsense/' "$tmp/first.tsv" >"$out/samples.tsv"
check "not a number" says 1 err.txt "samples.tsv: line $(wc -l <"$tmp/first.tsv") is no row of the table: 'cardio" quick
sed 's/, [0-9]* cores/, 1000 cores/' "$tmp/first.tsv" >"$out/samples.tsv"
check "another machine" quick --seeds 2
check "is named" test "$(grep -c '^# machine: ' "$out/samples.tsv")" = 2

# ---- the pages that are checked in

for results in docs/experiments/*.tsv; do
    name=$(basename "$results" .tsv)
    rm -rf "$out"
    mkdir "$out"
    cp "$results" "$out"
    check "$name: report" run "$name" --report --out "$out"
    for file in "$out/$name"*; do
        check "docs/experiments/$(basename "$file") is not what its results say" cmp "$file" \
            "docs/experiments/$(basename "$file")"
    done
done
finish
