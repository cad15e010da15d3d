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

echo "3000 readings of a cooling-water pump. The most unusual and why, found without rules or known faults:"
echo
"$odim" detect "$here/machine.csv" --id time --ignore fault --top 8 --explain 2 --quiet
echo
"$odim" detect "$here/machine.csv" --id time --label fault -o "$scores"

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
    FNR == 1 { file++; for (i = 1; i <= NF; i++) at[$i] = i; next }
    file == 1 { kind[$1] = $2; next }
    $at["is_outlier"] { called++ }
    $1 in kind {
        k = kind[$1]
        if (!(k in planted)) order[++kinds] = k
        planted[k]++
        all++
        ranks[k] = ranks[k] " " $at["rank"]
        if ($at["is_outlier"]) { found[k]++; total++ }
    }
    END {
        printf "\n%d faults were planted. Among the %d readings that were called outliers are:\n\n", all, called
        printf "%-18s %7s %7s %12s\n", "kind of fault", "planted", "found", "median rank"
        for (i = 1; i <= kinds; i++) {
            k = order[i]
            printf "%-18s %7d %7d %12g\n", k, planted[k], found[k], median(ranks[k])
        }
        printf "%-18s %7d %7d   (%.0f %%, and %d false alarms)\n", "all", all, total, 100 * total / all, called - total
    }' "$here/truth.csv" "$scores"
