# Rows that cannot be read: --bad-rows stop, skip and call; pipes that are scored go on.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { print "a,b,c"; for (i = 1; i <= 60; i++) print i ".5," i % 7 ",x" i % 3 }' >good.csv
awk 'NR == 20 { $0 = "abc,3,x1" } NR == 30 { $0 = "1,2" } NR == 40 { $0 = "\"oops\"x,2,x1" } { print }' good.csv >bad.csv

# Stop: the first one that is met, with its place.
run detect bad.csv $FAST --bad-rows stop
expect_exit 1
expect_stdout
expect_stderr 'odim: bad.csv: row 29 (line 30): 2 fields, expected 3'
sed '30d;40d' bad.csv >cell.csv
run detect cell.csv $FAST --bad-rows stop
expect_exit 1
expect_match err "^odim: cell.csv: row 19 \(line 20\), column 'a': 'abc' is not a number, but nearly all other cells"
run detect bad.csv --bad-rows some
expect_exit 2
expect_stderr "odim: --bad-rows must be one of stop|skip|call, not 'some'"

# By default detect calls a few such rows, and stops where they are many: the file is then something else.
run detect cell.csv $FAST --explain 1 -o called.csv
expect_exit 0
expect_stderr "odim: note: row 19 (line 20), column 'a': 'abc' is not a number; the row is called an outlier
1 of 58 rows is an outlier (1.7 %)"
expect_match called.csv "^19,8,1,.*,1,\"row 19 \(line 20\), column 'a': 'abc' is not a number\"$"
run detect bad.csv $FAST -o called.csv
expect_exit 0
expect_match err "^odim: note: row 19 \(line 20\), column 'a': 'abc' is not a number, and others; such rows are called outliers$"
sed -n '1,8p;30p' bad.csv >many.csv
run detect many.csv $FAST
expect_exit 1
expect_stderr 'odim: many.csv: row 8 (line 9): 2 fields, expected 3'
sed -n '1,8p;20p;30p' bad.csv >many.csv
run detect many.csv $FAST
expect_exit 1
expect_match err '^odim: many.csv: row 9 \(line 10\): 2 fields, expected 3$'

# Skip: the others keep their numbers, and have the scores that they would have without the bad ones.
run detect bad.csv $FAST --bad-rows skip -o skipped.csv
expect_exit 0
expect_match err "^odim: note: skipped: row 19 \(line 20\), column 'a': 'abc' is not a number$"
expect_match err '^odim: note: skipped: row 29 \(line 30\): 2 fields, expected 3$'
expect_match err '^odim: note: skipped: row 39 \(line 40\): text after a closing quote'
expect_match err '^odim: 3 rows could not be read and are skipped$'
expect '57 rows' test "$(wc -l <skipped.csv)" = 58
expect 'their numbers' test "$(cut -d, -f1 skipped.csv | sed -n '19,21p' | tr '\n' ' ')" = '18 20 21 '
sed '20d;30d;40d' bad.csv >without.csv
run detect without.csv $FAST -q -o without.scores
cut -d, -f2- skipped.csv >one
cut -d, -f2- without.scores >two
expect_same one two
run detect bad.csv $FAST --bad-rows skip --stream -q -o streamed.csv
cut -d, -f1,2 skipped.csv >one
cut -d, -f1,2 streamed.csv >two
expect_same one two
run detect bad.csv $FAST --bad-rows skip --keep -q -o kept.csv
expect 'kept cells are their own rows'"'" awk -F, 'NR > 1 && $2 != $1 ".5" { exit 1 }' kept.csv

# Call: they are outliers, and the reason says why.
run detect bad.csv $FAST --bad-rows call --explain 2 -q -o called.csv
expect_exit 0
expect '60 rows' test "$(wc -l <called.csv)" = 61
for row in 19 29 39; do
    expect "row $row is called" awk -F, -v row=$row '$1 == row { found = $5 } END { exit found != 1 }' called.csv
done
expect_match called.csv ",1,\"row 19 \(line 20\), column 'a': 'abc' is not a number\",$"
expect_match called.csv ',1,"row 29 \(line 30\): 2 fields, expected 3",$'
run detect bad.csv $FAST --bad-rows call --explain 1 --json -q
expect_match out '"kind": ?"unreadable"'
run detect bad.csv $FAST --bad-rows call --threshold 100 -q -o called.csv
expect 'whatever the threshold' test "$(cut -d, -f5 called.csv | grep -c 1)" = 3

# A pipe that is scored goes on; a file does not, unless told to.
run fit good.csv $FAST -q -o model.odim
run_sh '"$ODIM" score -m model.odim - <bad.csv >scores'
expect_exit 0
expect_match err '^odim: 3 rows could not be read and are skipped$'
expect '57 rows' test "$(wc -l <scores)" = 58
run score -m model.odim bad.csv
expect_exit 1
run score -m model.odim bad.csv --bad-rows call -q -o scores
expect_exit 0
expect 'three are called' awk -F, 'NR > 1 && $5 == 1 { n++ } END { exit n < 3 }' scores
run_sh '"$ODIM" score -m model.odim - --bad-rows stop <bad.csv'
expect_exit 1

# The first row, with a header and without.
{ sed 1q good.csv && echo '1,"x"y,x1' && sed 1d good.csv; } >first.csv
sed 1d first.csv >bare.csv
for file in first bare; do
    run detect $file.csv $FAST --bad-rows skip -o skipped.csv
    expect_exit 0
    expect_match err '^odim: note: skipped: row 1 \(line [12]\): text after a closing quote'
    run detect $file.csv $FAST --bad-rows call -q -o called.csv
    expect 'it is called' test "$(sed -n 2p called.csv | cut -d, -f1,5)" = 1,1
    run_sh '"$ODIM" score -m model.odim - <'$file'.csv >scores'
    expect_exit 0
    expect_match err '^odim: 1 row could not be read and is skipped$'
    expect '60 rows' test "$(wc -l <scores)" = 61
done
sed 1d good.csv >rows.csv
run fit rows.csv $FAST -q -o bare.odim
run_sh '{ echo one,two && cat rows.csv; } | "$ODIM" score -m bare.odim - >scores'
expect '60 rows' test "$(wc -l <scores)" = 61
{ echo one,two,three,four && cat rows.csv; } >wide.csv
run_sh '"$ODIM" score -m bare.odim - <wide.csv >scores'
expect_match err '^odim: note: skipped: row 1 \(line 1\): 4 fields, expected 3$'
expect '60 rows' test "$(wc -l <scores)" = 61
# Alone, before the others have come.
run_sh '{ echo one,two,three,four && sleep 0.3 && cat rows.csv; } | "$ODIM" score -m bare.odim - >scores'
expect_match err '^odim: note: skipped: row 1 \(line 1\): 4 fields, expected 3$'
expect '60 rows' test "$(wc -l <scores)" = 61
run_sh '{ echo "1,\"x\"y,x1" && sleep 0.3 && cat rows.csv; } | "$ODIM" score -m bare.odim - >scores'
expect_match err '^odim: note: skipped: row 1 \(line 1\): text after a closing quote'
expect '60 rows' test "$(wc -l <scores)" = 61
run_sh '{ echo "{\"a\":}" && awk -F, "NR > 1 { printf \"{\\\"a\\\":%s,\\\"b\\\":%s,\\\"c\\\":\\\"%s\\\"}\\n\", \$1, \$2, \$3 }" good.csv; } |
    "$ODIM" score -m model.odim - >scores'
expect_exit 0
expect_match err "^odim: note: skipped: line 1, byte 6: expected a value, found '}'$"
expect '60 rows' test "$(wc -l <scores)" = 61

# Many: the first ten are named.
awk 'NR > 1 && NR % 3 == 0 { $0 = "1,2" } { print }' good.csv >many.csv
run detect many.csv $FAST --bad-rows skip -o scores
expect 'ten are named' test "$(grep -c 'note: skipped' err)" = 10
expect_match err '^odim: 20 rows could not be read and are skipped$'
finish
