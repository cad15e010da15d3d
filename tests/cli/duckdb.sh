# Parquet files, DuckDB files and SQL, through libduckdb: the same results as from CSV, streams, and what cannot be read.
. "$(dirname "$0")/lib.sh"

# Without the library there is a message that says how to get it.
printf 'PAR1\025more' >no.parquet
run_sh 'ODIM_DUCKDB=/no/such/file "$ODIM" detect no.parquet'
expect_exit 1
expect_stdout
expect_stderr "odim: no.parquet: libduckdb cannot be loaded from '/no/such/file', which ODIM_DUCKDB names"
cp "$ODIM" alone
run_sh 'unset ODIM_DUCKDB; ./alone detect no.parquet'
expect_exit 1
# Where the system has the library, it is the file that is wrong.
expect_match err 'needs libduckdb, which was not found: run .make duckdb.|rror'
run detect --top 3
expect_exit 2
expect_stderr "odim: detect needs a FILE, '-' for standard input"

SQL=$(dirname "$ODIM")/tests/duckdb_sql
"$SQL" '' 'SELECT 1' >out
if [ $? != 0 ]; then
    skip 'no libduckdb'
    finish
fi

make_mixed 400 >people.csv
"$SQL" '' "CREATE TABLE people AS FROM read_csv('people.csv', nullstr = ['', 'NA'])" \
    "COPY people TO 'people.parquet'" \
    "COPY (FROM people LIMIT 150) TO 'part-1.parquet'" "COPY (FROM people OFFSET 150) TO 'part-2.parquet'" \
    "COPY (SELECT *, [1, 2] AS list FROM people) TO 'nested.parquet'" \
    "COPY (SELECT *, 'x'::BLOB AS photo FROM people) TO 'bytes.parquet'"
"$SQL" people.duckdb "CREATE TABLE people AS FROM 'people.parquet'"

# The same scores, byte for byte, whatever the file.
run detect people.csv $FIND --explain 2 --save-model csv.odim -q
expect_exit 0
cp out want.csv
for file in people.parquet 'part-*.parquet' people.duckdb; do
    run detect "$file" $FIND --explain 2 --save-model other.odim -q
    expect_exit 0
    expect_same out want.csv
    expect_same other.odim csv.odim
done
run detect --sql "SELECT * FROM 'people.parquet'" $FIND --explain 2 -q
expect_exit 0
expect_same out want.csv
run detect people.duckdb --sql 'FROM people' $FIND --explain 2 -q
expect_same out want.csv
run detect people.duckdb --table people $FIND --explain 2 -q
expect_same out want.csv
run detect --sql "SELECT * FROM 'part-1.parquet' UNION ALL SELECT * FROM 'part-2.parquet'" $FIND --explain 2 -q
expect_same out want.csv

# A model of one fits the other.
run score -m csv.odim people.csv -q
expect_exit 0
cp out scored.csv
run score -m csv.odim people.parquet -q
expect_exit 0
expect_same out scored.csv
run fit people.parquet $FIND -o parquet.odim -q
expect_same parquet.odim csv.odim
run fit --sql "FROM 'people.parquet'" $FIND -o sql.odim -q
expect_same sql.odim csv.odim

# Block by block.
run score -m csv.odim people.csv --stream -q
cp out streamed.csv
run score -m csv.odim people.parquet --stream -q
expect_exit 0
expect_same out streamed.csv
run score -m csv.odim 'part-*.parquet' --stream -q
expect_same out streamed.csv
run score -m csv.odim --sql "FROM 'people.parquet'" --stream -q
expect_same out streamed.csv
run detect people.csv --stream $FIND -q
cp out streamed.csv
run detect people.parquet --stream $FIND -q
expect_exit 0
expect_same out streamed.csv

# A model of numbers with a decimal comma takes a column of numbers as it is, whether cells are kept or not.
awk 'BEGIN { for (i = 1; i <= 60; i++) printf "%s%d,%03d;%d,5\n", i == 1 ? "x;y\n" : "", i % 9, i * 7, i % 5 }' >comma.csv
"$SQL" '' "COPY (SELECT replace(x, ',', '.')::DOUBLE AS x, replace(y, ',', '.')::DOUBLE AS y
    FROM read_csv('comma.csv', delim = ';', all_varchar = true)) TO 'comma.parquet'"
run fit comma.csv $FAST -o comma.odim -q
run score -m comma.odim comma.csv -q
cp out scored.csv
run score -m comma.odim comma.parquet -q
expect_same out scored.csv
run score -m comma.odim comma.parquet -q --keep
expect_exit 0
score_column() # FILE: its column named score
{
    awk -F, 'NR == 1 { for (k = 1; $k != "score"; k++); } { print $k }' "$1"
}
score_column scored.csv >want
score_column out >got
expect_same got want

# Columns that are not single values.
run detect nested.parquet -q
expect_exit 1
expect_stdout
expect_stderr "odim: nested.parquet: column 'list' is a LIST, which is not a single value: ignore it, or select parts of it with SQL"
run detect nested.parquet --ignore list $FIND --explain 2 -q
expect_exit 0
expect_same out want.csv
run score -m csv.odim nested.parquet -q
expect_exit 0
run detect bytes.parquet $FIND --explain 2
expect_exit 0
expect_same out want.csv
expect_match err "^odim: note: column 'photo' has bytes \(BLOB\): left out$"

# A file that is small because it is packed is streamed if its cells are not: a stream has no ranks.
"$SQL" '' "COPY (SELECT i % 7 AS a, i % 5 AS b FROM range(20000) t(i)) TO 'small.parquet' (FORMAT parquet)"
expect 'it is packed' test "$(wc -c <small.parquet)" -lt 200000
for file in small.parquet '*mall.parquet'; do
    run detect "$file" --memory 300K --method hbos
    expect_exit 0
    expect_match out '^row,score,p_outlier'
    run detect "$file" --memory 400K --method hbos
    expect_exit 0
    expect_match out '^row,score,rank,'
done

# What cannot be read.
refuse 2 '<sql>: the query must be a SELECT, which changes nothing' detect --sql "explain select * from 'people.parquet'"
refuse 2 '<sql>: it is a query: sheet does not apply' detect --sql "select * from 'people.parquet'" --sheet 1
refuse 2 '<sql>: it is a query: entry does not apply' detect --sql "select * from 'people.parquet'" --entry 1
refuse 2 'people.parquet: it is not a folder of pictures: pixels does not apply' detect people.parquet --pixels 8x8
"$SQL" people.duckdb 'CREATE TABLE other AS SELECT 1 AS x'
refuse 1 'people.duckdb: it has 2 tables: choose one (--table): other, people' detect people.duckdb
refuse 2 'people.csv: tables and queries are for databases, which it is not' detect people.csv --sql 'SELECT 1'
refuse 2 "people.parquet: a query names its files itself: leave out the file, and select from 'people.parquet'" \
    detect people.parquet --sql 'SELECT 1'
refuse 2 "<sql>: the query must be a SELECT, which changes nothing" detect --sql "COPY (SELECT 1) TO 'made.csv'"
expect 'nothing was written' test ! -e made.csv
run detect --sql "SELECT nothing FROM 'people.parquet'"
expect_exit 1
expect_stdout
expect_match err '^odim: <sql>: Binder Error: Referenced column "nothing" not found'
run detect 'no-such-*.parquet'
expect_exit 1
expect_match err '^odim: no-such-\*\.parquet: IO Error: No files found'
run_sh '"$ODIM" detect - <people.parquet'
expect_exit 1
expect_stderr 'odim: <stdin>: Parquet and DuckDB files cannot be read from a pipe or packed; save it as a plain file first'
head -c 3000 people.parquet >cut.parquet
run detect cut.parquet --bad-rows skip
expect_exit 1
expect_stdout
expect_match err '^odim: cut.parquet: '

finish
