#!/bin/sh
# kill.sh FOLDER: `odim fit` and `odim score` are killed (SIGKILL, which nothing can catch) at 200 random moments. Each
# time the file they write is, to the byte, the old one or the new one. What they leave behind, a temporary file at
# most, is in nobody's way. The moments come from a generator with a fixed seed.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
odim=$PWD/$1/odim
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# Little to compute and much to write, so that many of the moments fall into the writing.
awk 'BEGIN { for (i = 1; i <= 2000; i++) print (i * 7919) % 1009 "," (i * i) % 997 "," i % 31 }' >rows.csv
head -n 100 rows.csv >train.csv
FIT='--preset paper --members 3 --samples 1 --max-updates 1 --hidden 512,256 --batch-norm off --threads 1 --quiet'

# exec where the shell itself is to become the command, so that the process killed is the right one.
how=

fit() # SEED MODEL
{
    # shellcheck disable=SC2086 # a list of options
    $how "$odim" fit train.csv $FIT --seed "$1" -o "$2"
}

score() # MODEL OUTPUT
{
    $how "$odim" score --model "$1" rows.csv --threads 1 --quiet -o "$2"
}

now() # in milliseconds
{
    echo $(($(date +%s%N) / 1000000))
}

# killed MILLISECONDS COMMAND...: COMMAND, which has so long to live.
killed()
{
    delay=$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))
    shift
    (how='exec' && "$@") &
    victim=$!
    sleep "$delay"
    kill -9 "$victim"
    wait "$victim"
} 2>/dev/null

# is_whole FILE KIND: it is the old or the new one; sets `state`.
is_whole()
{
    state=neither
    ! cmp -s "$1" "old.$2" || state=old
    ! cmp -s "$1" "new.$2" || state=new
    [ "$state" != neither ]
}

random=20240607
# trials COUNT KIND FILE COMMAND...: COMMAND replaces FILE, which is old.KIND, by new.KIND.
trials()
{
    count=$1 kind=$2 file=$3 old=0 new=0 trial=0
    shift 3
    start=$(now)
    "$@"
    whole=$(($(now) - start))
    while [ "$trial" -lt "$count" ]; do
        trial=$((trial + 1))
        random=$((random * 16807 % 2147483647))
        cp "old.$kind" "$file"
        # Every other one late, when it writes.
        first=$((trial % 2 * whole * 2 / 3))
        killed $((first + random % (whole * 5 / 4 - first + 2))) "$@"
        check "$kind, trial $trial" is_whole "$file" "$kind"
        # How long it takes depends on what else the machine does: follow it.
        case $state in
        old) old=$((old + 1)) whole=$((whole + whole / 16 + 1)) ;;
        new) new=$((new + 1)) whole=$((whole - whole / 16)) ;;
        esac
    done
    left=$(find . -name '.odim-*' | wc -l)
    echo "$kind: $count kills, $old before and $new after; $left temporary files left over"
    check "$kind: some kills came too early and some too late" eval '[ "$old" -gt 0 ] && [ "$new" -gt 0 ]'
    # With all that lies about.
    cp "old.$kind" "$file"
    check "$kind: the next run" "$@"
    check "$kind: its result" cmp "$file" "new.$kind"
}

check "old model" fit 1 old.odim
check "new model" fit 2 new.odim
check "old scores" score old.odim old.csv
check "new scores" score new.odim new.csv
check "they differ" eval '! cmp -s old.odim new.odim && ! cmp -s old.csv new.csv'
trials 100 odim model.odim fit 2 model.odim
trials 100 csv scores.csv score new.odim scores.csv
finish
