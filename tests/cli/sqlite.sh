# SQLite databases: tables, views and queries, and that they are never changed.
. "$(dirname "$0")/lib.sh"

# shop.csv has the rows of the table orders of shop.db, except for a column of blobs; there are a second table and a view.
cp "$test_dir/../data/shop.db" "$test_dir/../data/shop.csv" .
cp shop.db before.db
detect() # ARGUMENT...
{
    run detect "$@" $FAST
}

# The same rows as CSV and in the database.
detect shop.csv
expect_exit 0
cp out want.csv
detect shop.db --table orders
expect_exit 0
expect_same want.csv out
expect_match err "^odim: note: column 'photo' contains blobs: ignored$"
detect shop.db --format sqlite --sql 'SELECT amount, items, city, day FROM orders'
expect_exit 0
expect_same want.csv out
run_sh "\"\$ODIM\" detect - --table orders $FAST <shop.db"
expect_same want.csv out
run_sh "cat shop.db | \"\$ODIM\" detect - --table orders $FAST"
expect_same want.csv out
gzip -k shop.db
detect shop.db.gz --table orders
expect_same want.csv out
detect shop.db --table large
expect_exit 0
detect shop.db --sql 'SELECT * FROM orders WHERE amount > 40; '
expect_exit 0

# As a stream, and with a model of the other.
detect shop.csv --stream
cp out stream.csv
detect shop.db --table orders --stream
expect_exit 0
expect_same stream.csv out
run fit shop.csv -o csv.odim --seed 1 $FAST
expect_exit 0
run fit shop.db --table orders -o db.odim --seed 1 $FAST
expect_exit 0
expect_same csv.odim db.odim
run score -m db.odim shop.csv
expect_exit 0
cp out want.csv
run score -m csv.odim shop.db --table ORDERS
expect_exit 0
expect_same want.csv out
run score -m csv.odim shop.db --table orders --stream
expect_exit 0

# Errors.
refuse 1 'shop.db: it has several tables; choose one (--table): orders (60 rows), customers (2 rows), view large (34 rows)' \
    detect shop.db
refuse 1 "shop.db: there is no table 'order'; did you mean 'orders'?" detect shop.db --table order
refuse 1 'shop.db: the query must only read: one SELECT statement' detect shop.db --sql 'DROP TABLE orders'
refuse 1 'shop.db: the query must be one statement, without others' detect shop.db --sql 'SELECT 1; SELECT 2'
refuse 1 'shop.db: the query is wrong: no such column: price' detect shop.db --sql 'SELECT price FROM orders'
refuse 2 'shop.csv: tables and queries are for databases, which it is not' detect shop.csv --table orders
refuse 2 'shop.db: rows are those of a table or of a query, not of both' detect shop.db --table orders --sql 'SELECT 1'
refuse 1 'shop.db: the query must only read: one SELECT statement' detect shop.db --sql 'EXPLAIN SELECT * FROM orders'
refuse 1 'shop.db: the query must only read: one SELECT statement' detect shop.db --sql 'explain query plan select 1'
refuse 2 'shop.db: it is not a workbook: sheet does not apply' detect shop.db --table orders --sheet May
head -c 700 shop.db >short.db
run detect short.db --table orders
expect_exit 1
expect_match err '^odim: short.db: the database is damaged'
expect_same before.db shop.db
expect 'nothing is left next to it' [ ! -e shop.db-journal ] && [ ! -e shop.db-wal ]
finish
