# What the default settings call outliers, without being told how many there are: the demonstration's faults, and
# the mistakes in a table of people that tools/people_data.c makes. The screen for the latter is checked to the letter.
. "$(dirname "$0")/lib.sh"

root=$test_dir/../..

# judge TABLE COLUMN SCORES: "precision recall" of is_outlier, the known ones being those with 1 in COLUMN.
judge()
{
    awk -F, -v column="$2" '
        FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
        file == 1 { known[FNR] = $at[1, column] == 1; all += known[FNR] }
        file == 2 && $at[2, "is_outlier"] == 1 { called++; right += known[FNR] }
        END { printf "%.4f %.4f\n", called ? right / called : 0, all ? right / all : 0 }' "$1" "$3"
}
# at_least PRECISION RECALL: by the file `judged`.
at_least()
{
    awk -v p="$1" -v r="$2" '{ exit !($1 >= p && $2 >= r) }' judged
}

run detect "$root/demo/machine.csv" --label fault --quiet
expect_exit 0
judge "$root/demo/machine.csv" fault out >judged
expect "precision and recall over 0.9, not $(cat judged)" at_least 0.9 0.9

if ! ${CC:-cc} -std=c11 -O1 -ffp-contract=off "$root/tools/people_data.c" -lm -o people_data; then
    fail 'tools/people_data.c does not compile'
    finish
fi
./people_data >people.csv
run detect people.csv --id person --label mistake
expect_exit 0
judge people.csv mistake out >judged
expect "precision at least 0.9 and half of them found, not $(cat judged)" at_least 0.9 0.5
sed 1d err >rest
expect 'the constant column is noted' [ "$(head -n 1 err)" = "odim: note: column 'country' is constant: ignored" ]
expect_match rest '^AUC 0\.9[0-9]+, average precision 0\.[0-9]+ \(20 outliers of 2000 rows\)$'
run detect people.csv --id person --label mistake --top 15 --explain 2
expect_exit 0
expect_golden people

# Nothing is planted: nothing much is found.
awk -F, '$12 != 1' people.csv >clean.csv
run detect clean.csv --id person --ignore mistake --quiet
expect 'at most one row in a hundred' awk -F, '{ called += $NF == 1 } END { exit called > NR / 100 }' out

finish
