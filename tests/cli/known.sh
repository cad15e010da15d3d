# Outliers that are known before fitting: from a column or a list, in detect and fit, beside labels.
. "$(dirname "$0")/lib.sh"

# The plain method, which learns from known outliers only; auto trusts known inliers as well.
FIND="--preset paper $FIND"

# 400 rows; every 20th breaks the bond between a and b, and is hard to find. Of these every second is known.
awk 'BEGIN {
    print "id,a,b,c,fault,seen"
    for (i = 1; i <= 400; i++) {
        odd = i % 20 == 0
        a = i * 37 % 101
        print "r" i "," a "," (odd ? 100 - a : a) + i * 13 % 7 "," i * 59 % 31 "," odd "," (i % 40 == 0 ? 1 : i % 50 == 1 ? 0 : "")
    }
}' >data.csv
awk -F, '$6 == 1 { print $1 }' data.csv >ids
awk -F, '$6 == 1 { print NR - 1 }' data.csv >rows
cut -d, -f1-5 data.csv >plain.csv
FIT="--id id --label fault $FIND"

# ---- a column, a list of ids, a list of row numbers: the same model and the same scores

run detect data.csv $FIT --known-outliers seen --save-model model.odim
expect_exit 0
cp out want.csv
expect_match err '^odim: note: known beforehand: 10 outliers, 8 inliers; with so few known'
expect_match err '^AUC [01]\.[0-9]+, average precision [01]\.[0-9]+ \(10 outliers of 382 rows that were not known\)$'
run detect plain.csv $FIT --known-rows ids --save-model again.odim
expect_exit 0
expect_match err '^odim: note: known beforehand: 10 outliers, 0 inliers; with so few known'
expect_same out want.csv
expect_same_fit again.odim model.odim
run detect plain.csv --ignore id --label fault $FIND --known-rows rows --save-model again.odim
expect_exit 0
expect_same_fit again.odim model.odim
for threads in 1 3; do
    run fit data.csv $FIT --known-outliers seen --threads $threads -o again.odim
    expect_exit 0
    expect_stdout
    expect_wrote again.odim
    expect_stderr 'odim: note: known beforehand: 10 outliers, 8 inliers; with so few known outliers the model may miss other kinds'
    expect_same again.odim model.odim
done
run_sh '"$ODIM" fit - '"$FIT"' --known-rows ids -o again.odim <plain.csv'
expect_exit 0
expect_same_fit again.odim model.odim
run_sh '"$ODIM" fit - '"$FIT"' --known-outliers 6 -o again.odim <data.csv'
expect_same again.odim model.odim
run score -m model.odim plain.csv --id id --quiet
expect_exit 0
expect_same out want.csv
for known in '--known-outliers seen' '--known-rows ids --ignore seen'; do
    run detect data.csv $FIT $known --stream --save-model again.odim
    expect_exit 0
    expect_same_fit again.odim model.odim
    cut -d, -f1-3 out >got
    cut -d, -f1-3 want.csv >want
    expect_same got want
done

run detect plain.csv --id none --ignore id --label fault $FIND --known-rows rows --save-model again.odim # row numbers, not ids
expect_exit 0
expect_same_fit again.odim model.odim

# ---- what is known is no feature, and helps

run detect data.csv $FIT --ignore seen --save-model other.odim
cp err err.without
run detect plain.csv $FIT --save-model again.odim
expect_same_fit other.odim again.odim
expect 'known outliers change the model' sh -c '! cmp -s model.odim other.odim'
run detect data.csv $FIT --known-outliers seen
auc() { sed -n 's/^AUC \([0-9.]*\),.*/\1/p' "$1"; }
expect 'and the AUC of the others is higher' awk "BEGIN { exit !($(auc err) > $(auc err.without)) }"
run detect data.csv $FIT --known-outliers seen --known-weight 0.01 --save-model again.odim
expect_exit 0
expect 'their weight counts' sh -c '! cmp -s model.odim again.odim'
run inspect again.odim --json
expect_match out '"known-weight": *"?0.01'

# Only inliers are known, or nothing at all: as if nothing were.
awk -F, -v OFS=, 'NR > 1 && $6 == 1 { $6 = "" } { print }' data.csv >inliers.csv
run fit inliers.csv $FIT --known-outliers seen -o again.odim
expect_wrote again.odim
expect_stderr 'odim: note: known beforehand: 0 outliers, 8 inliers'
expect_same_fit again.odim other.odim
: >empty
run fit plain.csv $FIT --known-rows empty -o again.odim
expect_exit 0
expect_wrote again.odim
expect_stderr
expect_same_fit again.odim other.odim

# One known outlier will do.
echo 40 >one
run detect plain.csv $FIND --ignore id --label fault --known-rows one --top 1
expect_exit 0
expect_match err '19 outliers of 399 rows that were not known'

# In a settings file, too.
printf 'preset = paper\nknown-rows = ids\nknown-weight = 1\nid = id\nlabel = fault\nmembers = 3\nsamples = 8\n' >settings
run fit plain.csv --config settings -o again.odim
expect_exit 0
expect_same_fit again.odim model.odim

# ---- mistakes

run detect data.csv $FIT --known-outliers seen --known-rows ids
expect_exit 2
expect_stderr 'odim: known outliers are given by a column or by a file of rows, not by both'
run detect data.csv --known-outliers nothing
expect_exit 1
expect_stderr "odim: data.csv: there is no column 'nothing'; there are id, a, b, c, fault, seen"
run detect data.csv --known-outliers c
expect_exit 1
expect_match err "column 'c': '28' is not what can be known of a row: 1 \(outlier\), 0 \(inlier\) or empty"
run detect data.csv --label fault --known-outliers fault
expect_exit 2
expect_match err "column 'fault' cannot be both what is known and the label"
run fit plain.csv --known-rows missing -o again.odim
expect_exit 1
expect_stderr 'odim: missing: cannot open: No such file or directory'
run fit plain.csv --known-rows ids -o again.odim
expect_exit 1
expect_stderr "odim: ids: line 1: 'r40' is not the number of a row, which count from 1; ids need an id column (--id)"
echo r401 >>ids
run fit plain.csv --id id --known-rows ids -o again.odim
expect_exit 1
expect_stderr "odim: ids: line 11: no row has the id 'r401'"
echo 401 >>rows
run detect plain.csv --ignore id --known-rows rows
expect_exit 1
expect_stderr 'odim: rows: line 11: there is no row 401; there are 400'
seq 400 >rows
run detect plain.csv --ignore id --known-rows rows $FAST
expect_exit 1
expect_match err 'all rows are known outliers: at least 2 rows are needed that are not'

finish
