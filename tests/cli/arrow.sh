# Arrow files and streams: the same results as from CSV and Parquet, pipes, several files, and what cannot be read.
. "$(dirname "$0")/lib.sh"

cp "$test_dir"/../data/arrow/*.arrow "$test_dir"/../data/arrow/*.arrows "$test_dir"/../data/arrow/table.csv .
cp table.arrow table.feather

# The same scores and the same model, byte for byte, whatever the file.
run detect table.csv $FIND --explain 2 --save-model csv.odim -q
expect_exit 0
cp out want.csv
for file in table.arrow table.feather grow.arrow table.arrows replace.arrows lz4.arrow zstd.arrow zstd.arrows; do
    run detect "$file" $FIND --explain 2 --save-model other.odim -q
    expect_exit 0
    expect_stderr
    expect_same out want.csv
    expect_same other.odim csv.odim
done
run detect legacy.arrows --format arrow $FIND --explain 2 -q
expect_exit 0
expect_same out want.csv

# From a pipe, packed, and in an archive.
for file in table.arrow table.arrows lz4.arrow zstd.arrows; do
    run_sh "cat $file | \"\$ODIM\" detect - $FIND --explain 2 -q"
    expect_exit 0
    expect_same out want.csv
    gzip -c "$file" >packed.gz
    run detect packed.gz $FIND --explain 2 -q
    expect_exit 0
    expect_same out want.csv
done

# A model of one scores the other, whole and in blocks; a stream comes through a pipe.
run score -m csv.odim table.csv -q
cp out scored.csv
run score -m csv.odim table.csv --stream -q
cp out streamed.csv
for file in table.arrow replace.arrows zstd.arrows lz4.arrow; do
    run score -m csv.odim "$file" -q
    expect_exit 0
    expect_same out scored.csv
    run score -m csv.odim "$file" --stream -q
    expect_exit 0
    expect_same out streamed.csv
    run_sh "cat $file | \"\$ODIM\" score -m csv.odim - --stream -q"
    expect_exit 0
    expect_same out streamed.csv
done
run fit zstd.arrows $FIND -o arrow.odim -q
expect_same arrow.odim csv.odim
run detect table.csv --stream $FIND -q
cp out streamed.csv
for file in grow.arrow zstd.arrows; do
    run detect "$file" --stream $FIND -q
    expect_exit 0
    expect_same out streamed.csv
done

# Rows of a pipe are scored as they arrive, before it ends.
mkfifo pipe
"$ODIM" score -m csv.odim --stream -q - <pipe >first.csv 2>err &
reader=$!
exec 9>pipe
cat table.arrows >&9
waited=0
while [ "$(wc -l <first.csv)" -lt 91 ] && [ $waited -lt 300 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
expect 'all rows of a stream that goes on' test "$(wc -l <first.csv)" = 91
exec 9>&-
wait $reader

# Several files, of different formats.
head -41 table.csv >part-1.csv
(head -1 table.csv && tail -n +42 table.csv) >part-2.csv
run detect part-1.csv part-2.csv $FIND -q
cp out want.csv
run detect table.arrow $FIND -q
cut -d, -f3- out >one
cut -d, -f4- want.csv >two
expect_same one two
run detect table.arrow zstd.arrows $FIND -q
expect_exit 0
expect 'rows of both' test "$(wc -l <out)" = 181
run detect table.csv table.csv $FIND -q
cut -d, -f2- out >want
run detect table.arrow table.csv $FIND -q
cut -d, -f2- out >got
expect_same got want

# Against Parquet.
SQL=$(dirname "$ODIM")/tests/duckdb_sql
if "$SQL" '' "COPY (FROM read_csv('table.csv')) TO 'table.parquet'" >/dev/null 2>&1; then
    run detect table.parquet $FIND -q
    expect_exit 0
    cp out want.csv
    run detect table.arrow $FIND -q
    expect_same out want.csv
else
    skip 'no libduckdb'
fi

# Columns that are not single values, and what cannot be read.
refuse 1 "types.arrow: column 'list' is of type list, which is not a single value: ignore it, or split it into columns of single values" \
    detect types.arrow
run detect types.arrow --ignore list,struct --method hbos
expect_exit 0
expect_match err "^odim: note: column 'bytes' has bytes \(binary\): left out$"
refuse 2 'table.arrow: tables and queries are for databases, which it is not' detect table.arrow --sql 'SELECT 1'
head -c 3000 table.arrow >cut.arrow
refuse 1 'cut.arrow: the Arrow data ends too early: the file is truncated' detect cut.arrow
head -c 5000 table.arrows >cut.arrows
refuse 1 'cut.arrows: the Arrow data ends too early: the file is truncated' detect cut.arrows --bad-rows skip
refuse 1 'zstd.arrow: a batch unpacks to more than 0.0 MB, the most that is allowed; if the file can be trusted, set unpacked to allow more' \
    detect zstd.arrow --unpacked 1000
cut -d, -f1-5 table.csv >narrow.csv
run fit narrow.csv --ignore amount $FAST -o narrow.odim -q
run score -m narrow.odim types.arrow -q
expect_exit 1
expect_match err "^odim: types.arrow: the model needs columns 'day', 'at', 'count', which are not there$"

finish
