#!/bin/sh
# Finds the faults in ten days of pump readings, compares them with those that were planted, and writes a report.
#
#     demo/run.sh build/odim [demo.html]
#
# The report goes next to the program unless another file is named. tools/demo_data.c makes machine.csv and truth.csv, and says
# what the columns and the faults are.
set -eu

odim=${1:?usage: demo/run.sh PROGRAM [PAGE]}
page=${2:-$(dirname "$odim")/demo.html}
here=$(dirname "$0")
scores=$(mktemp)
trap 'rm -f "$scores"' EXIT
trap 'exit 130' INT TERM HUP

echo "3000 readings of a cooling-water pump. The most unusual ones and why, found without rules or known faults:"
echo
"$odim" detect "$here/machine.csv" --id time --ignore fault --top 8 --explain 2 --quiet
echo
"$odim" detect "$here/machine.csv" --id time --label fault -o "$scores" --report "$page"

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

cat <<END

The report is in $page: open it in a browser.

Next, with a table of your own:
  $odim detect data.csv                        the outliers and their reasons
  $odim detect data.csv --report report.html   a report like this one
  $odim help detect                            the common options
  $odim serve                                  all of it in your browser: drop a table on the page
END
