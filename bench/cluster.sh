#!/bin/sh
# cluster.sh FOLDER [ROWS...]: odim-mpi on this machine, for docs/CLUSTER.md. For each number of rows (1e5, 1e6): what each
# stage took and sent, with three ranks; then two ranks of one thread against one rank of two and one of one: seconds, and
# the peak memory of a rank. FAST=1: few updates and samples, for tables of bytes. OPTIONS: further options. Needs an idle machine for its times.
set -u
cd "$(dirname "$0")/.." || exit 1
mpi=$PWD/$1/odim-mpi
shift
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
tmp=${TMPDIR:-/tmp}/odim-cluster.$$
mkdir "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
options="--seed 1 --quiet ${OPTIONS-}"
[ -z "${FAST-}" ] || options="$options --members 10 --max-updates 20 --samples 5"

# Five numbers on a curve, a category, one row in 500 off the curve.
table() # ROWS
{
    awk -v n="$1" 'BEGIN {
        srand(1)
        print "a,b,c,d,e,kind"
        for (i = 1; i <= n; i++) {
            t = rand() * 6.28; f = i % 500 ? 1 : 3 * rand()
            printf "%.4f,%.4f,%.4f,%.4f,%.4f,%s\n", sin(t), cos(t) * f, sin(2 * t), rand(), t + rand() / 9, substr("uvw", i % 3 + 1, 1)
        }
    }'
}

# run RANKS THREADS: seconds in `took`, CPU seconds in `cpu`, the largest peak memory of a rank in MiB in `peak`.
run()
{
    start=$(date +%s%N)
    # shellcheck disable=SC2086
    mpirun --oversubscribe --bind-to none -n "$1" "$mpi" detect "$tmp/rows.csv" $options --threads "$2" \
        -o "$tmp/scores.csv" --traffic >"$tmp/said" 2>&1 </dev/null || { cat "$tmp/said" && exit 1; }
    took=$(awk -v a="$start" -v b="$(date +%s%N)" 'BEGIN { printf "%.1f", (b - a) / 1e9 }')
    cpu=$(sed -n 's/.* \([0-9.]*\) s of CPU time.*/\1/p' "$tmp/said")
    peak=$(sed -n 's/.*at most \([0-9]*\) MiB.*/\1/p' "$tmp/said")
}

[ $# -gt 0 ] || set -- 100000 1000000
for rows in "$@"; do
    table "$rows" >"$tmp/rows.csv"
    run 3 1
    echo "$rows rows, $(wc -c <"$tmp/rows.csv") bytes, 3 ranks of 1 thread: $took s, $cpu s of CPU time, $peak MiB"
    grep bytes "$tmp/said" | sed 's/^/    /'
    [ -z "${FAST-}" ] || continue
    for how in '1 1' '1 2' '2 1'; do
        # shellcheck disable=SC2086
        run $how
        echo "    $how (ranks, threads each): $took s, $cpu s of CPU time, $peak MiB per rank"
    done
done
