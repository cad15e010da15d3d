# Errors that anyone would see: codes, totals, the order of dates, stuck values, names of rows.
. "$(dirname "$0")/lib.sh"

# called NUMBER PATTERN: row NUMBER is an outlier, and its first reason matches.
called()
{
    expect_match scores.csv "^$1,[^,]*(,[^,]*)?,[0-9]+,[0-9.]+,1,\"?$2"
}

# A postal code that lost its zero, and one that is written with the letter O.
awk 'BEGIN {
    print "zip,size,price"
    for (i = 1; i <= 120; i++) {
        zip = i % 3 == 0 ? "02139" : i % 3 == 1 ? "02140" : "10115"
        if (i == 50) zip = "2139"
        if (i == 70) zip = "O2140"
        print zip "," i * 7 % 31 + 40 "," i * 13 % 17 + 200
    }
}' >zip.csv
run detect zip.csv $FAST --explain 1 -o scores.csv
expect_exit 0
expect_match err "^odim: note: column 'zip': its numbers are codes and not amounts: read as a category$"
expect_match err '^2 of 120 rows are outliers \(1.7 %\)$'
called 50 "zip '2139' \\([0-9]+ %\\): written unlike the others, which look like 99999"
called 70 "zip 'O2140' \\([0-9]+ %\\): written unlike the others, which look like 99999"

# A total that is not what quantity, price and discount make, a delivery before its order, a status with a digit too
# many next to a rare but ordinary one.
awk 'BEGIN {
    print "ordered,shipped,quantity,price,discount,total,status"
    for (i = 1; i <= 200; i++) {
        day = i % 20 + 1; ship = day + i % 7; q = i * 7 % 5 + 1; p = i * 37 % 53 + 0.5; d = i * 3 % 4 * 5
        t = q * p * (1 - d / 100); status = i % 9 ? 200 : 404
        if (i == 40) t += 212 # more than a wrong price could explain
        if (i == 60) ship = 1
        if (i == 60) day = 20
        if (i == 80) status = 2000
        if (i == 90) status = 500
        printf "2024-03-%02d,2024-03-%02d,%d,%.2f,%d,%.4f,%d\n", day, ship, q, p, d, t, status
    }
}' >orders.csv
run detect orders.csv $FAST --explain 1 -o scores.csv
expect_exit 0
expect_match err '^3 of 200 rows are outliers \(1.5 %\)$'
called 40 'total [0-9.]+ \([0-9]+ %\): expected [0-9.]+, since total = quantity x price x \(1 - discount / 100\)"$'
called 60 '(shipped 2024-03-01 \([0-9]+ %\): before ordered 2024-03-20|ordered 2024-03-20 \([0-9]+ %\): after shipped 2024-03-01), never so elsewhere"$'
called 80 'status 2000 '
# The model knows the rules, too.
run fit orders.csv $FAST -q -o model.odim
run score -m model.odim orders.csv --explain 1 -q -o again.csv
expect_same scores.csv again.csv

# A sensor that is stuck, in a table whose only key is a running number.
awk 'BEGIN {
    print "n,a,b"
    for (i = 1; i <= 150; i++) {
        a = i * 37 % 101 + 0.25; if (i > 60 && i <= 70) a = 47.25
        print i "," a "," i * 53 % 97
    }
}' >stuck.csv
run detect stuck.csv $FAST --explain 1 -o scores.csv
expect_exit 0
expect_match err '^10 of 150 rows are outliers \(6.7 %\)$'
called 65 'a 47.2 \([0-9]+ %\): the same value in many rows in a row, as if stuck'

# Names of rows: one that occurs twice, and one that is written unlike the others.
awk 'BEGIN {
    print "member,a,b"
    for (i = 1; i <= 60; i++) print (i == 50 ? "M1x50" : sprintf("M%04d", i == 41 ? 18 : i)) "," i * 7 % 11 "," i * 13 % 23
}' >names.csv
run detect names.csv $FAST -o scores.csv
expect_stderr "odim: note: column 'member' has a different value in almost every row (looks like an ID): used as the name of the rows
odim: note: column 'member': 'M0018' occurs in rows 18 and 41, and nearly all other values only once
odim: note: column 'member': 'M1x50' in row 50 is written unlike the others, which look like A9999
0 of 60 rows are outliers (0 %)"

finish
