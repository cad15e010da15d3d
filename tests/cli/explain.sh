# Reasons: odim explain for one row, --explain for all outliers, in every format.
. "$(dirname "$0")/lib.sh"

# The plain method: reasons of networks.
FIND="--preset paper $FIND"

make_mixed 400 >data.csv
"$ODIM" fit data.csv --id name $FIND -o model.odim || exit 1
EXPLAIN='explain -m model.odim data.csv'

# ---- one row

run $EXPLAIN --row 40 --id name
expect_exit 0
expect_stderr
expect_golden explain
cp out row40
run_sh '"$ODIM" explain -m model.odim - --row 40 --id name <data.csv'
expect_same row40 out
# The same row in another place of another file, its columns in another order.
awk -F, -v OFS=, 'NR == 1 || NR == 41 { print $6, $1, $5, $4, $3, $2 }' data.csv >single.csv
run explain -m model.odim single.csv --row 1 --id name
sed 's/^row 1 /row 40 /' out >got
expect_same row40 got
run $EXPLAIN --row 40
expect_same row40 out # the model remembers the id
cut -d, -f2- data.csv >nameless.csv
run explain -m model.odim nameless.csv --row 40
sed 's/ (n0040)//' row40 >want
expect_same want out
run $EXPLAIN --row 40 --id name --reasons 2
head -n 5 row40 | tr -s ' ' >want
tr -s ' ' <out >got
expect_same want got
run $EXPLAIN --row 40 --id name --reasons 9999999999999
expect_same row40 out
run $EXPLAIN --row 40 --id name --json
expect_exit 0
expect_golden explain-json
# Shares are of the whole: no more than that together, the greatest first.
sed -n 's/.*"share": \([0-9.e-]*\).*/\1/p' out >shares
expect 'shares fall and make at most 1' awk 'NR > 1 && $1 > last { exit bad = 1 } { last = $1; sum += $1 }
    END { exit bad || sum > 1.0000001 || NR < 1 || NR > 5 }' shares
# The score is that of score.
run score -m model.odim data.csv --id name --quiet
sed -n '41s/^40,n0040,\([0-9.]*\),.*/\1/p' out >want
run $EXPLAIN --row 40 --json
sed -n 's/^  "score": \(.*\),$/\1/p' out >got
expect_same want got

# Values that are missing, a category never seen, where training rows had some that were not kept, a date far away.
(
    head -n 1 data.csv
    echo 'a,170,acrobat,yes,2024-06-15,70'
    echo 'b,,,,,'
    echo 'c,170,cook,yes,1924-06-15T12:30,70'
    echo 'd,170,"a
b",no,2024-06-15,70'
    echo 'e,1e300,cook,yes,2024-06-15,70'
) >odd.csv
for row in 1 2 3 4; do
    run explain -m model.odim odd.csv --row $row --id name
    expect_exit 0
    cat out >>odd
done
cp odd out
expect_golden explain-odd
# A value that is too large for any scaling is the reason, and no error: not for its row, and not for the others.
run explain -m model.odim odd.csv --row 5 --id name
expect_exit 0
expect_match out '^row 5 .e.: score [0-9.e+]+, an outlier \(above 4\); probability of an outlier [01].[0-9]+$'
expect_match out '^ *100 %  size +1e\+300 +[0-9.]+  [0-9.]+ to [0-9.]+$'
run score -m model.odim odd.csv --id name --quiet
expect_exit 0
expect 'the extreme row comes first' [ "$(sed -n '6s/,.*//p' out),$(sed -n '6p' out | cut -d, -f4)" = 5,1 ]
expect_match odd '^ *[0-9]+ %  job +acrobat +[a-z]+  seen at most once in training$'
expect_match odd '^ *[0-9]+ %  size +missing +[0-9.]+  the row is empty$'
expect_match odd '^ *[0-9]+ %  since +1924-06-15 12:30 +2024-[0-9-]+  2024-[0-9-]+ to 2024-[0-9-]+$'
printf 'a,b\n1,1\n1,2\n2,1\n2,2\n' >square.csv

# ---- wrong

# wrong CODE MESSAGE ARGUMENT...
wrong()
{
    want=$1
    message=$2
    shift 2
    refuse "$want" "$message" explain "$@"
}
wrong 2 "explain needs a model: --model MODEL, written by 'odim fit'" data.csv --row 1
wrong 2 "explain needs a FILE, '-' for standard input" -m model.odim --row 1
wrong 2 'explain needs a row: --row N, or with --id COL the id of a row' -m model.odim data.csv
wrong 1 'data.csv: has 400 rows; there is no row 401' -m model.odim data.csv --row 401
wrong 1 'data.csv: has 400 rows; there is no row 9223372036854775807' -m model.odim data.csv --row 9223372036854775807
# The model remembers the column of ids.
for row in 0 -1 x 9223372036854775808; do
    wrong 1 "data.csv: none of its 400 rows has the id '$row' in column 'name'" -m model.odim data.csv --row $row
    wrong 2 "--row must be the number of a row, from 1, or with --id COL an id, not '$row'" \
        -m model.odim data.csv --id none --row $row
done
wrong 1 "data.csv: none of its 400 rows has the id 'nobody' in column 'name'" -m model.odim data.csv --id name --row nobody
wrong 2 "--reasons must be a whole number of at least 1, not '0'" -m model.odim data.csv --row 1 --reasons 0
wrong 1 'nowhere.csv: cannot open: No such file or directory' -m model.odim nowhere.csv --row 1
wrong 1 "square.csv: the model needs columns 'size', 'job', 'member', 'since', 'weight', which are not there" \
    -m model.odim square.csv --row 1
# The last row may be in a later block.
(cat data.csv && for copy in $(seq 50); do sed 1d data.csv; done) >long.csv
run explain -m model.odim long.csv --row 20040 --id name
sed 's/^row 20040 /row 40 /' out >got
expect_same row40 got
run_sh '"$ODIM" explain -m model.odim data.csv --row 40 >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'

# By id. An id that is a number comes before the row of that number, except from a pipe; else a number is a row.
run explain -m model.odim data.csv --id name --row "$(sed -n '41s/,.*//p' data.csv)"
expect_exit 0
expect_same row40 out
awk -F, -v OFS=, 'NR > 1 { $1 = NR == 41 ? 7 : "n" NR } { print }' data.csv >ids.csv
run explain -m model.odim ids.csv --id name --row 7
expect_match out '^row 40 \(7\): '
run explain -m model.odim ids.csv --id name --row 8
expect_match out '^row 8 \(n9\): '
run_sh '"$ODIM" explain -m model.odim - --id name --row 7 <ids.csv'
expect_match out '^row 7 \(n8\): '

# ---- all outliers

SCORE='score -m model.odim data.csv --id name --quiet'
run $SCORE
cp out plain.csv
run $SCORE --explain 2
expect_exit 0
expect 'the heading' [ "$(head -n 1 out)" = row,name,score,rank,p_outlier,is_outlier,reason1,reason2 ]
cut -d, -f1-6 out >got
expect_same plain.csv got
grep -v ',0,,$' out | sed 's/^\([^,]*,[^,]*\),[^,]*,[^,]*,[^,]*,/\1,/' >outliers
expect 'outliers alone have reasons' [ "$(grep -v -c -E ',1,"?[a-z]+ .* \([0-9]+ %\): ' outliers)" -eq 1 ]
cp outliers out
expect_golden explain-outliers
run $SCORE --explain 2 --output-format tsv
sed -n 's/^40\t.*\t1\t//p' out >got
expect_text got "$(sed -n 's/^40,.*,1,"\(.*\)",\(.*\)$/\1\t\2/p' outliers)"
run $SCORE --explain 2 --output-format jsonl
sed -n 's/^{"row": 40, .*"is_outlier": true, //p' out >got
expect_text got "$(sed -n 's/^40,.*,1,"\(.*\)",\(.*\)$/"reason1": "\1", "reason2": "\2"}/p' outliers)"
expect_match out '^\{"row": 1, .*"is_outlier": false, "reason1": "", "reason2": ""\}$'
run $SCORE --json --explain 2
expect_exit 0
sed -n 's/^ *"reasons": //p; s/.*{"row": 40, .*"is_outlier": true, "unusual": false, "reasons": //p' out | head -n 1 >got
expect_match got '^\[\{"column": "size", "number": 1, "kind": "value", "share": 0\.[0-9]+, "text": "size 899.*"\}, \{.*\}\]\},?$'
run score -m model.odim data.csv --id name --explain 2 --output-format npy -o out.npy
expect_exit 0
expect_match err '^odim: note: NPY contains only numbers: texts are left out$'
expect_match err '^[0-9]+ of 400 rows are outliers'
run $SCORE --output-format npy -o want.npy
expect_same want.npy out.npy
# As many as are asked for, in all the ways of saying what an outlier is.
run $SCORE --explain 1 --threshold 1e9
expect 'none is called: the five highest rows' [ "$(awk -F, '$6 == 0 && $7 != "" && $4 <= 5' out | wc -l)" -eq 5 ]
expect 'and no others' [ "$(grep -c ',0,$' out)" -eq 395 ]
run $SCORE --explain 1 --threshold 1e9 --stream
expect 'none in a stream, which has no ranks' [ "$(grep -c ',0,$' out)" -eq 400 ]
run $SCORE --explain 1 --threshold 1e9 --json
expect 'the same in JSON' [ "$(grep -c '"text"' out)" -eq 5 ]
run $SCORE --explain 1 --contamination 0.05
expect 'twenty' [ "$(grep -c ',1,.* %)' out)" -eq 20 ]
run $SCORE --explain 1 --top 3 -o top.csv
expect 'three' [ "$(grep -c ',1,.* %)' top.csv)" -eq 3 ]
run $SCORE --explain 100 -o wide.csv
expect 'a hundred columns' awk -F, 'NR == 1 { exit NF != 106 }' wide.csv

# The table of the most outlying rows, with reasons in place of values.
run $SCORE --top 3 --explain 2
expect_exit 0
expect_golden explain-top

# ---- what the reasons say

# The total is price times number. One price is beyond all others, one total is wrong, a city is misspelt, a price is
# missing, one row is mostly empty, and two columns have the same name.
awk 'BEGIN {
    seed = 7
    print "at,price,number,total,city,note,note"
    for (i = 1; i <= 300; i++) {
        for (k = 0; k < 6; k++) { seed = (seed * 16807) % 2147483647; u[k] = seed / 2147483647 }
        price = int(100 + 900 * u[0]) / 100; number = 1 + int(8 * u[1]); total = price * number
        city = u[2] < 0.5 ? "Berlin" : "Paris"
        at = sprintf("2024-03-%02dT%02d:%02d", 1 + i % 9, int(24 * u[3]), i % 60)
        if (i == 50) { price = 210; total = 420 }
        if (i == 60) total = total * 0.2
        if (i == 70) city = "Berlni"
        if (i == 80) price = ""
        if (i == 90) { number = ""; total = ""; city = ""; at = "" }
        printf "%s,%s,%s,%s,%s,%.1f,%.1f\n", at, price, number, total, city, 10 * u[4], i == 100 ? 77 : 10 * u[5]
    }
}' >orders.csv
"$ODIM" fit orders.csv $FIND -o orders.odim 2>/dev/null || exit 1
# first ROW PATTERN: the first reason.
first()
{
    run explain -m orders.odim orders.csv --row "$1" --reasons 1
    expect_exit 0
    expect_match out "$2"
}
first 50 '^ *[0-9]+ %  (price|total) +[24][12]0 +[0-9.]+  [0-9.]+ to [0-9]{1,2}(\.[0-9]+)?$'
first 60 '^ *[0-9]+ %  total .*; contradicts the others$'
first 70 "^ *[0-9]+ %  city +Berlni +Berlin  seen at most once in training; did you mean 'Berlin'\\?$"
first 80 '^ *[0-9]+ %  price +missing .*  hardly ever missing otherwise$'
first 90 '^ *[0-9]+ %  [a-z]+ +missing .*  the row is mostly empty, with 4 of 7 values missing$'
first 100 '^ *[0-9]+ %  note \(2\) +77 +[0-9.]+  [0-9.]+ to [0-9.]+$'
run detect orders.csv $FIND --explain 1 --quiet
expect_match out '^60,.*,1,"total .* %\): expected [0-9.]+, since total = [a-z_]+ x [a-z_]+"$'
expect_match out "^70,.*,1,\"city 'Berlni' \\([0-9]+ %\\): occurs only once in this table, did you mean 'Berlin'\\?\"$"
expect_match out '^80,.*,1,price is missing \([0-9]+ %\): hardly ever missing otherwise$'
expect_match out '^100,.*,1,"note \(2\) 77 '
for pair in 50:value 60:contradiction 70:level 80:missing; do
    run explain -m orders.odim orders.csv --row "${pair%:*}" --reasons 1 --json
    expect_match out '"kind": "'"${pair#*:}"'"'
done
# Times have their time of day, in a value and in what is usual.
printf 'at,price,number,total,city,note,note\n1999-03-05T12:30,5,3,15,Paris,5,3\n' >old.csv
run explain -m orders.odim old.csv --row 1 --reasons 1
expect_match out '^ *[0-9]+ %  at +1999-03-05 12:30 +2024-03-[0-9]+ [0-9:]+  2024-03-[0-9]+ [0-9:]+ to 2024-03-[0-9]+ [0-9:]+$'

finish
