# The default preset, auto: another view of the rows, a jury, and the rows that it trusts. Detect, fit, score, explain, stream, save and load.
. "$(dirname "$0")/lib.sh"

make_table 300 >data.csv
AUTO='--members 4'
FIT="--id name --label fault $AUTO"

expect_same_by_every_way 0.99 $AUTO

run detect data.csv $FIT --preset auto --quiet
expect_same out want.csv

# ---- what is in it

run inspect model.odim --json
expect_exit 0
expect_match out '"transform": *"log-pca"'
run explain -m model.odim data.csv --id name --row 25
expect_exit 0
expect_golden explain-auto

# ---- each half of it by itself; one column; types

run detect data.csv --id name --preset fast --members 2 --transform log-pca --save-model half.odim --quiet
expect_exit 0
cp out want.csv
run score -m half.odim data.csv --id name --quiet
expect_same out want.csv
run detect data.csv --id name --preset fast --members 2 --with subsample-knn:0.5,iforest --top 1
expect_exit 0
cut -d, -f1,2 data.csv >one.csv
run detect one.csv --id name $AUTO --top 1
expect_exit 0
make_mixed 200 >mixed.csv
run detect mixed.csv --id name $AUTO --explain 1 --save-model mixed.odim
expect_exit 0
run explain -m mixed.odim mixed.csv --id name --row 40
expect_exit 0
expect_match out '%  size '
run trace data.csv --id name --label fault $AUTO --length 60
expect_exit 0

# ---- what it has not

refuse 2 'with dp-epsilon, transform must be none, with must be none and trusted-fraction must be off: they store values of training rows' detect data.csv --id name --preset auto --dp-epsilon 5
refuse 2 "--transform must be one of none|log-pca, not 'hard'" detect data.csv --transform hard

finish
