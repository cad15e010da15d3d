#!/bin/sh
# marks.sh FOLDER: what the default settings call outliers, without being told how many there are: the demonstration's
# faults, and the mistakes in the table of people that tools/people_data.c makes. The screen for the latter is compared
# to the letter; ODIM_UPDATE=1 takes it as it is now.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
odim=$PWD/$1/odim
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
people=$tmp/people.csv
screen=tests/cli/expected/people

# marks TABLE COLUMN PRECISION RECALL OPTION...: the rows that are called outliers, held against those with 1 in COLUMN.
marks()
{
    table=$1 column=$2 precision=$3 recall=$4
    shift 4
    "$odim" detect "$table" --label "$column" --quiet "$@" -o "$tmp/scores.csv" &&
        awk -F, -v column="$column" -v least="$precision" -v found="$recall" '
            FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
            file == 1 { known[FNR] = $at[1, column] == 1; all += known[FNR] }
            file == 2 && $at[2, "is_outlier"] == 1 { called++; right += known[FNR] }
            END {
                printf "%d called outliers, %d of them right, of %d\n", called, right, all
                exit !(called && all && right / called >= least && right / all >= found)
            }' "$table" "$tmp/scores.csv"
}

shows()
{
    (cd "$tmp" && "$odim" detect people.csv --id person --label mistake --top 15 --explain 2 >screen 2>rest) || return
    [ -z "${ODIM_UPDATE-}" ] || cp "$tmp/screen" "$screen"
    diff "$screen" "$tmp/screen" &&
        [ "$(head -n 1 "$tmp/rest")" = "odim: note: column 'country' is constant: ignored" ] &&
        sed 1d "$tmp/rest" | grep -q -x 'AUC [01]\.[09][0-9]*, average precision [01]\.[0-9]* (20 outliers of 2000 rows)'
}

# Nothing is planted: at most one row in a hundred is called an outlier.
spares()
{
    awk -F, '$NF != 1' "$people" >"$tmp/clean.csv"
    "$odim" detect "$tmp/clean.csv" --id person --ignore mistake --quiet |
        awk -F, 'NR > 1 { called += $NF } END { printf "%d of %d\n", called, NR - 1; exit NR < 1900 || called > NR / 100 }'
}

check "the demo's faults: precision and recall at least 0.9" marks demo/machine.csv fault 0.9 0.9
check "tools/people_data.c compiles" ${CC:-cc} -std=c11 -O1 -ffp-contract=off tools/people_data.c -lm -o "$tmp/people_data"
"$tmp/people_data" >"$people"
check "the people's mistakes: precision at least 0.9, nearly all found" marks "$people" mistake 0.9 0.95 --id person
check "the screen is $screen" shows
check "people without mistakes" spares
finish
