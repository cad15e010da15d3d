# Tables that databases print for people, and columns that blanks separate: the same scores as from CSV.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { print "a,b,word"; for (i = 1; i <= 60; i++) printf "%.2f,%d,%s\n", (i * 37 % 61) / 7, i * i % 23, i % 3 ? "x y" : "z" }' >t.csv
run detect t.csv $FAST -q
cp out plain
awk -F, '{ printf " %6s | %4s | %-4s\n", $1, $2, $3 } NR == 1 { print "--------+------+-----" } END { print "(60 rows)\n" }' t.csv >psql
awk -F, 'function rule() { print "+--------+------+------+" }
    NR == 1 { rule() } { printf "| %6s | %4s | %-4s |\n", $1, $2, $3 } NR == 1 { rule() }
    END { rule(); print "60 rows in set (0.00 sec)\n" }' t.csv >mysql
awk -F, '{ print "| " $1 " | " $2 " | " $3 " |" } NR == 1 { print "|--:|---:|:--|" }' t.csv >markdown.md
for file in psql mysql markdown.md; do
    run detect $file $FAST -q
    expect_exit 0
    expect_same plain out
done
run detect psql $FAST -q --keep
expect_match out '^1,5.29,1,x y,'

# sqlcmd: blanks between the columns, so that none may be in the cells.
sed 's/x y/xy/' t.csv >u.csv
run detect u.csv $FAST -q
cp out plain
awk -F, '{ printf "%6s %4s %-4s\n", $1, $2, $3 } NR == 1 { print "------ ---- ----" } END { print "\n(60 rows affected)" }' u.csv >sqlcmd
run detect sqlcmd $FAST -q
expect_same plain out

# Decimal commas between blanks.
run detect t.csv --only a,b $FAST -q
cp out plain
awk -F, '{ sub(/\./, ",", $1); printf "%8s  %8s\n", $1, $2 }' t.csv >commas
run detect commas $FAST
expect_same plain out
expect_match err "^odim: note: column 'a': decimal comma$"

printf '\342\224\214\342\224\200\342\224\220\n\342\224\202a\342\224\202\n' >box
run detect box
expect_exit 1
expect_stderr 'odim: box: it is a table drawn with lines for people; let the program that drew it write CSV'
finish
