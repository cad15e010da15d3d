# Rows as they come: --stream, --memory, and lines from a pipe that is still open.
. "$(dirname "$0")/lib.sh"

# The plain method calls the ten odd rows of make_mixed outliers, and no others.
FIND="--preset paper $FIND"

make_mixed 400 >data.csv
"$ODIM" fit data.csv --id name $FIND -o model.odim || exit 1
run score -m model.odim data.csv --id name
cp out whole.csv
cut -d, -f1-3,5- whole.csv >streamed.csv

# ---- the same, but for the ranks

run score -m model.odim data.csv --id name --stream
expect_exit 0
expect_stderr '10 of 400 rows are outliers (2.5 %)'
expect_same streamed.csv out
run detect data.csv --id name $FIND --stream
expect_exit 0
expect_stderr '10 of 400 rows are outliers (2.5 %)'
expect_same streamed.csv out
run_sh '"$ODIM" score -m model.odim - --id name <data.csv'
expect_same streamed.csv out
run_sh 'cat data.csv | "$ODIM" score -m model.odim - --id name -o got.csv'
expect_stdout
expect_same streamed.csv got.csv
run_sh 'gzip -c data.csv >data.csv.gz; "$ODIM" score -m model.odim data.csv.gz --id name --stream --threads 1'
expect_same streamed.csv out
run detect data.csv.gz --id name $FIND --stream
expect_same streamed.csv out
for format in tsv jsonl npy; do
    run score -m model.odim data.csv --output-format $format --quiet -o "whole.$format"
    run score -m model.odim data.csv --output-format $format --quiet --stream -o "got.$format"
    expect_exit 0
done
cut -f1-3,5- whole.tsv >want.tsv
expect_same want.tsv got.tsv
sed 's/"rank": [0-9]*, //' whole.jsonl >want.jsonl
expect_same want.jsonl got.jsonl
# NPY has the number of rows in its header, which a file allows to be written last.
tail -c +11 got.npy | head -n 1 | sed 's/ *$//' >got
expect_text got "{'descr': [('row', '<i8'), ('score', '<f8'), ('p_outlier', '<f8'), ('is_outlier', '|u1')], \
'fortran_order': False, 'shape': (400,), }"
run score -m model.odim data.csv --output-format npy --quiet --stream
expect_exit 1
expect_stdout
expect_stderr 'odim: standard output: NPY begins with the number of rows, which is not known yet; write to a file'

# More rows than a block has, with all that can be added to them.
(cat data.csv && for copy in $(seq 100); do sed 1d data.csv; done) >long.csv
run score -m model.odim long.csv --keep --explain 2 --provenance --quiet
cp out want.csv
run score -m model.odim long.csv --keep --explain 2 --provenance --quiet --stream
expect_exit 0
sed 's/,rank,p_outlier/,p_outlier/' want.csv | awk -F, -v OFS=, '
    /^#/ || NR == 2 { print; next }
    { for (i = 10; i <= NF; i++) $(i - 1) = $i; NF--; print }' >want
expect_same want out

# ---- when it is one

run score -m model.odim data.csv --id name --memory 1K
expect_same streamed.csv out
run detect data.csv --id name $FIND --memory 1k
expect_same streamed.csv out
for size in 500M 2G 1.5g 1T 100000; do
    run score -m model.odim data.csv --id name --memory $size
    expect_exit 0
    expect_same whole.csv out
done
for size in '' 0 x 1KB 1X -5M '5 ' inf 1e9 1..5 G; do
    run score -m model.odim data.csv --memory "$size"
    expect_exit 2
    expect_stdout
    expect_stderr "odim: --memory must be a size such as 500M or 2G, not '$size'"
done
# What needs all rows at once has them.
run score -m model.odim data.csv --id name --memory 1K --contamination 0.05
expect_stderr '20 of 400 rows are outliers (5 %)'
run score -m model.odim data.csv --memory 1K --top 2 --quiet
expect 'two rows' [ "$(wc -l <out)" -eq 3 ]
run_sh '"$ODIM" score -m model.odim - --top 2 --quiet <data.csv'
expect 'two rows' [ "$(wc -l <out)" -eq 3 ]
run_sh '"$ODIM" detect - --id name '"$FIND"' <data.csv'
expect_same whole.csv out

# wrong MESSAGE ARGUMENT...
wrong()
{
    message=$1
    shift
    refuse 2 "$message" "$@"
}
wrong '--top needs all scores at once, which --stream does not have; use --threshold or --contamination' \
    detect data.csv --stream --top 3
wrong '--json is written as a whole; with --stream use --output-format jsonl' score -m model.odim data.csv --stream --json
wrong '<stdin>: --stream reads the rows twice, which a pipe does not allow; save it to a file first' detect - --stream
mkfifo pipe
wrong 'pipe: --stream reads the rows twice, which a pipe does not allow; save it to a file first' detect pipe --stream

# Labels are read, but what they say needs all scores.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "fault" : NR % 40 == 1 ? 1 : 0 }' data.csv >labelled.csv
run score -m model.odim labelled.csv --id name --label fault --stream
expect_stderr "no AUC: a stream keeps no scores; 'odim eval' takes them from the output" \
    '10 of 400 rows are outliers (2.5 %)'
expect_same streamed.csv out

# ---- something wrong in the middle: what is before it is there on stdout, a file is not

(cat long.csv && echo 'n,tall,cook,yes,2024-05-01,70') >bad.csv
run score -m model.odim bad.csv --stream -o got.csv
expect_exit 1
expect_match err "^odim: bad.csv: row 40401 \(line 40402\), column 'size': 'tall' is not a number$"
expect_same streamed.csv got.csv
expect_tidy .
run_sh '"$ODIM" score -m model.odim - --stream --bad-rows stop <bad.csv'
expect_exit 1
expect 'the rows before' [ "$(wc -l <out)" -gt 10000 ]
run_sh '"$ODIM" score -m model.odim long.csv --stream --quiet >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'
cp streamed.csv kept.csv
run_sh 'ulimit -f 100; "$ODIM" score -m model.odim long.csv --stream --quiet -o kept.csv'
expect_exit 1
expect_stderr 'odim: kept.csv: File too large'
expect_same streamed.csv kept.csv
for input in '</dev/null' '<header.csv'; do
    head -n 1 data.csv >header.csv
    run_sh '"$ODIM" score -m model.odim - '"$input"
    expect_exit 1
    expect_stdout
done
expect_stderr 'odim: <stdin>: there is a header and no rows below it'

# ---- a pipe that stays open: a line comes back before the next is sent

mkfifo in back
# converse MODEL [OPTION...]: starts a score between the pipes `in` (3) and `back` (4).
converse()
{
    last="odim score -m $* - over a pipe"
    "$ODIM" score -m "$@" - <in >back 2>err &
    scorer=$!
    exec 3>in 4<back
}
# answer: the next line, if it comes at all.
answer()
{
    timeout 500 sh -c 'IFS= read -r line <&4 && printf "%s\n" "$line"'
}
hang_up()
{
    exec 3>&-
    cat <&4 >rest
    exec 4<&-
    wait "$scorer"
    code=$?
    expect_exit 0
    expect 'nothing more' [ ! -s rest ]
}
for ending in '\n' '\r\n'; do
    converse model.odim --id name --quiet
    head -n 1 data.csv | tr -d '\n' >&3
    printf "$ending" >&3
    sleep 0.2
    for row in 1 2 3; do
        sed -n "$((row + 1))p" data.csv | tr -d '\n' >&3
        printf "$ending" >&3
        [ $row != 1 ] || expect 'the heading' [ "$(answer)" = row,name,score,p_outlier,is_outlier ]
        expect "row $row" [ "$(answer)" = "$(sed -n "$((row + 1))p" streamed.csv)" ]
    done
    # Two in one piece, and one in two.
    sed -n 5,6p data.csv >&3
    expect 'row 4' [ "$(answer)" = "$(sed -n 5p streamed.csv)" ]
    expect 'row 5' [ "$(answer)" = "$(sed -n 6p streamed.csv)" ]
    sed -n 7p data.csv | head -c 5 >&3
    sleep 0.2
    sed -n 7p data.csv | tail -c +6 >&3
    expect 'row 6' [ "$(answer)" = "$(sed -n 7p streamed.csv)" ]
    # The last line may do without its end.
    sed -n 8p data.csv | tr -d '\n' >&3
    exec 3>&-
    expect 'row 7' [ "$(answer)" = "$(sed -n 8p streamed.csv)" ]
    hang_up
done
converse model.odim --output-format jsonl --quiet
sed -n 1,2p data.csv >&3
expect 'row 1 as JSON' [ "$(answer)" = "$(head -n 1 want.jsonl)" ]
hang_up

# An interruption ends it at once, also while it waits for a line.
converse model.odim --quiet
sed -n 1,2p data.csv >&3
answer >heading
kill -TERM $scorer
wait $scorer
code=$?
expect_exit 143
expect_stderr 'odim: interrupted'
exec 3>&- 4<&-
expect_tidy .

finish
