#!/bin/sh
# Finds the faults in ten days of pump readings and holds what was found against what was planted.
#
#     demo/run.sh build/odim
#
# machine.csv and truth.csv are made by tools/demo_data.c, which tells what the columns and the faults are.
set -eu

odim=${1:?usage: demo/run.sh PROGRAM}
here=$(dirname "$0")
scores=$(mktemp)
trap 'rm -f "$scores"' EXIT
trap 'exit 130' INT TERM HUP

echo "3000 readings of a cooling-water pump. The most unusual, found without rules or known faults:"
echo
"$odim" detect "$here/machine.csv" --id time --label fault --top 15 -o "$scores"

awk -F, '
    function sort(a, n,    i, j, v) {
        for (i = 2; i <= n; i++) {
            v = a[i]
            for (j = i - 1; j > 0 && a[j] > v; j--) a[j + 1] = a[j]
            a[j + 1] = v
        }
    }
    function median(list,    a, i, n) {
        n = split(list, a, " ")
        for (i = 1; i <= n; i++) a[i] += 0
        sort(a, n)
        return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
    }
    FNR == 1 { file++; for (i = 1; i <= NF; i++) if ($i == "rank") rank_at = i; next }
    file == 1 { kind[$1] = $2; all++; next }
    $1 in kind {
        k = kind[$1]
        if (!(k in planted)) order[++kinds] = k
        planted[k]++
        ranks[k] = ranks[k] " " $rank_at
        if ($rank_at <= all) { found[k]++; total++ }
    }
    END {
        printf "\n%d faults were planted. Among the %d highest scores are:\n\n", all, all
        printf "%-18s %7s %7s %12s\n", "kind of fault", "planted", "found", "median rank"
        for (i = 1; i <= kinds; i++) {
            k = order[i]
            printf "%-18s %7d %7d %12g\n", k, planted[k], found[k], median(ranks[k])
        }
        printf "%-18s %7d %7d   (%.0f %%)\n", "all", all, total, 100 * total / all
    }' "$here/truth.csv" "$scores"
