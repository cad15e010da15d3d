# Several files as one table: by name or by a quoted pattern, in detect, fit and score.
. "$(dirname "$0")/lib.sh"

cp "$test_dir/../data/shop.csv" .
mkdir part
sed -n '1,25p' shop.csv >part/1.csv
(sed -n 1p shop.csv && sed -n '26,61p' shop.csv) >part/2.csv
# The same table, but for the names of the files and the rows in them.
strip() # FILE
{
    sed 's/^part[^,]*,[^,]*,//; s/^file,row,/row,/; s/^row,//' "$1"
}
run detect shop.csv $FAST
expect_exit 0
sed 's/^[^,]*,//' out >want.csv
run detect part/1.csv part/2.csv $FAST
expect_exit 0
strip out >got.csv
expect_same want.csv got.csv
cut -d , -f 1,2 out | sed -n '1,2p;25,27p;$p' >got
expect_text got file,row part/1.csv,1 part/1.csv,24 part/2.csv,1 part/2.csv,2 part/2.csv,36
run detect 'part/?.csv' $FAST
expect_exit 0
strip out >got.csv
expect_same want.csv got.csv
# A file that is called like a pattern is that file.
cp part/1.csv 'part[1].csv'
run detect 'part[1].csv' $FAST
expect_exit 0
expect 'one file' [ "$(head -n 1 out)" = row,score,rank,p_outlier,is_outlier ]

# The columns may be in another order.
awk -F , -v OFS=, 'NF == 4 { print $4, $3, $2, $1 }' part/2.csv >part/turned
awk -F , 'NF == 4' part/2.csv >part/plain
run detect part/1.csv part/plain $FAST
cut -d , -f 2- out >want
run detect part/1.csv part/turned $FAST
expect_exit 0
cut -d , -f 2- out | cmp -s - want && pass || fail 'the order of columns matters'

# As a stream, as a model, and for a model.
run detect shop.csv --stream $FAST
sed 's/^[^,]*,//' out >want.csv
run detect part/1.csv part/2.csv --stream $FAST
expect_exit 0
strip out >got.csv
expect_same want.csv got.csv
run fit shop.csv -o one.odim --seed 1 $FAST
run fit part/1.csv part/2.csv -o two.odim --seed 1 $FAST
expect_exit 0
expect_same one.odim two.odim
run score -m one.odim shop.csv
sed 's/^[^,]*,//' out >want.csv
run score -m one.odim 'part/*.csv'
expect_exit 0
strip out >got.csv
expect_same want.csv got.csv
run score -m one.odim part/1.csv part/2.csv --stream
expect_exit 0
expect_match out '^part/2.csv,36,'

# Where people and programs look.
run detect part/1.csv part/2.csv --top 1 $FIND --quiet
expect_exit 0
expect_match out '^rank  file        row '
expect_match out '^   1  part/2.csv    7 '
run detect part/1.csv part/2.csv --top 1 --json $FIND --quiet
expect_match out '^ *\{"file": "part/2.csv", "row": 7, '
run detect part/1.csv part/2.csv --keep --quiet $FAST
expect_match out '^file,row,amount,items,city,day,score,'
run detect part/1.csv part/2.csv --report page.html --quiet $FAST
expect_exit 0
expect_match page.html '"row":7,"id":"part/2.csv"|"row": 7, "id": "part/2.csv"'

# Errors.
refuse 2 "no file matches 'nothing/*.csv'" detect 'nothing/*.csv'
refuse 2 'part/2.csv: is the input; write to another file' detect part/1.csv part/2.csv -o part/2.csv
refuse 2 'part/2.csv: is the input; write to another file' fit part/1.csv part/2.csv -o part/2.csv
cut -d , -f 1,2 part/2.csv >narrow.csv
refuse 1 "narrow.csv: there is no column 'city', which part/1.csv has; files of one table have the same columns" \
    detect part/1.csv narrow.csv
sed 's/$/,1/; 1s/,1$/,more/' part/2.csv >wide.csv
refuse 1 "wide.csv: there is a column 'more', which part/1.csv does not have" detect part/1.csv wide.csv
printf 'amount,items,city,day\n1,2,x,2024-01-01\n1,2\n' >short.csv
refuse 1 'short.csv: row 2 (line 3): 2 fields, expected 4' detect part/1.csv short.csv --bad-rows stop
finish
