# odim eval: scores against labels, worked out by hand.
. "$(dirname "$0")/lib.sh"

# Two outliers of five. By score: 1 0 1 0 0. Of the six pairs five are in order: AUC 5/6. Precision at the two
# outliers 1/1 and 2/3: average 5/6. Of the two highest scores one is an outlier.
printf 'row,score,rank,y\n1,0.5,5,0\n2,9,1,1\n3,3,3,1\n4,5,2,0\n5,1,4,0\n' >scores.csv
run eval scores.csv --label y
expect_exit 0
expect_stderr
expect_stdout 'rows                5' \
    'outliers            2' \
    'AUC                 0.8333' \
    'average precision   0.8333' \
    'precision at 2      0.5000'
cp out five
run eval scores.csv --label y --json
expect_exit 0
expect_match out '^  "version": "[0-9.]+",$'
grep -v version out >json
expect_text json '{' '  "file": "scores.csv",' '  "rows": 5,' '  "outliers": 2,' '  "auc": 0.833333333,' \
    '  "average_precision": 0.833333333,' '  "precision_at_outliers": 0.5' '}'
run eval scores.csv --label 4 --score 2
expect_same five out
run_sh '"$ODIM" eval - --label y <scores.csv'
expect_same five out
run eval scores.csv --label y --score rank
expect_match out '^AUC  +0\.1667$'

# Ties count half: 1 and 0 share the highest score.
printf 'score,y\n2,1\n2,0\n1,0\n' >ties.csv
run eval ties.csv --label y
expect_match out '^AUC  +0\.7500$'
expect_match out '^average precision  +0\.5000$'

# Labels from the data, other columns of which need not be numbers.
printf 'name,fault,x\nann,0,1\nbob,1,2\ncy,1,3\ndi,0,4\nel,0,5\n' >data.csv
cut -d, -f1-3 scores.csv >unlabelled.csv
run eval unlabelled.csv --data data.csv --label fault
expect_exit 0
expect_same five out
run eval unlabelled.csv --data data.csv --label 2
expect_same five out
# In another order: matched by `row`.
(head -n 1 unlabelled.csv && sed 1d unlabelled.csv | sort -t, -k3n) >sorted.csv
run eval sorted.csv --data data.csv --label fault
expect_same five out
run_sh 'sort -r unlabelled.csv | "$ODIM" eval - --data data.csv --label fault'
expect_same five out
# Without `row`: in the same order.
cut -d, -f2 unlabelled.csv >bare.csv
run eval bare.csv --data data.csv --label fault
expect_same five out
# Words for labels.
sed -e 's/,0,/,false,/' -e 's/,1,/,TRUE,/' data.csv | cut -d, -f2- >words.csv
run eval unlabelled.csv --data words.csv --label fault
expect_same five out
# Some of the rows.
grep -v '^1,' unlabelled.csv >some.csv
run eval some.csv --data data.csv --label fault
expect_match out '^rows  +4$'

# A round trip.
make_table 200 >table.csv
run_sh '"$ODIM" detect table.csv --id name --label fault '"$FAST"' -o s.csv 2>summary &&
    "$ODIM" eval s.csv --data table.csv --label fault'
expect_exit 0
auc=$(sed -n 's/^AUC  *//p' out)
ap=$(sed -n 's/^average precision  *//p' out)
expect_text summary "AUC $auc, average precision $ap (8 outliers of 200 rows)" '8 of 200 rows are outliers (4 %)'

head -n 5 data.csv >short.csv
cut -d, -f2,3 data.csv >numbers.csv

# bad CODE MESSAGE ARGUMENT...
bad()
{
    want=$1
    message=$2
    shift 2
    run eval "$@"
    expect_exit "$want"
    expect_stdout
    expect_stderr "odim: $message"
}
bad 1 'nowhere.csv: cannot open: No such file or directory' nowhere.csv --label y
bad 1 '.: cannot read: Is a directory' . --label y
bad 1 "nowhere.csv: cannot open: No such file or directory" scores.csv --label y --data nowhere.csv
bad 1 'bare.csv: 5 scores for the 4 rows of short.csv' bare.csv --data short.csv --label fault
bad 1 "unlabelled.csv: row 5, column 'row': short.csv has rows 1 to 4, not 5" unlabelled.csv --data short.csv \
    --label fault
bad 1 "data.csv: row 2, column 'x': a label must be 0 or 1, not 2" unlabelled.csv --data data.csv --label x
bad 1 'numbers.csv: has no labels of its own; name their column with --label' unlabelled.csv --data numbers.csv

bad 1 "data.csv: there is no column 'falt'; did you mean 'fault'?" unlabelled.csv --data data.csv --label falt
bad 1 "unlabelled.csv: there is no column 'fault'; there are row, score, rank" unlabelled.csv --label fault
bad 1 "data.csv: there is no column 'score'; there are name, fault, x; --score names the column of the scores" \
    data.csv --label fault
bad 1 "data.csv: there is no column 'score'; there are name, fault, x; --score names the column of the scores" \
    data.csv --data data.csv --label fault
printf 'row,score\n1,2\n2,3\n1,4\n' >twice.csv
bad 1 "twice.csv: row 3, column 'row': 1 occurs twice" twice.csv --data data.csv --label fault
bad 2 'SCORES and --data cannot both be standard input' - --data -
printf 'row,score\n1,2\n2,x\n' >text.csv
bad 1 "text.csv: row 2 (line 3), column 'score': 'x' is not a number" text.csv --data data.csv --label fault
printf 'score,y\n1,0\n2,0\n' >one-kind.csv
run eval one-kind.csv --label y
expect_exit 1
expect_stdout
expect_stderr 'odim: one-kind.csv: the labels are all 0: both kinds are needed'
run_sh '"$ODIM" eval scores.csv --label y >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'

finish
