# The formats of detect's rows: CSV, TSV, JSON lines, NPY; by option or by the ending of the output's name.
. "$(dirname "$0")/lib.sh"

printf 'id,a,b\n"x, y",1,5\n"say ""hi""",2,4\n"tab\there\\",3,3\n"two\nlines",4,9\nplain,5,1\n' >data.csv
DETECT="detect data.csv --id id $FAST"
run $DETECT --output-format csv
expect_exit 0
expect_stderr '0 of 5 rows are outliers (0 %)'
cp out scores.csv
run $DETECT
expect_same scores.csv out

# All but the ids, which CSV may break over lines: the reference for the other formats.
run detect data.csv --only a,b $FAST
cp out plain.csv
sed 1d plain.csv | while IFS=, read -r row score rank p flag; do
    rest=$(printf '%s\t%s\t%s\t%s' "$score" "$rank" "$p" "$flag")
    case $row in
    1) printf '%s\tx, y\t%s\n' "$row" "$rest" ;;
    2) printf '%s\tsay "hi"\t%s\n' "$row" "$rest" ;;
    3) printf '%s\ttab\\there\\\\\t%s\n' "$row" "$rest" ;;
    4) printf '%s\ttwo\\nlines\t%s\n' "$row" "$rest" ;;
    5) printf '%s\tplain\t%s\n' "$row" "$rest" ;;
    esac
done >rows
(printf 'row\tid\tscore\trank\tp_outlier\tis_outlier\n' && cat rows) >scores.tsv
run $DETECT --output-format tsv
expect_exit 0
expect_same scores.tsv out
# The escapes of the two are alike here, but for the quote.
awk -F '\t' '{
    gsub(/"/, "\\\"", $2)
    printf "{\"row\": %s, \"id\": \"%s\", \"score\": %s, \"rank\": %s, ", $1, $2, $3, $4
    printf "\"p_outlier\": %s, \"is_outlier\": %s}\n", $5, $6 ? "true" : "false"
}' rows >scores.jsonl
run $DETECT --output-format jsonl
expect_exit 0
expect_same scores.jsonl out

# NPY: the header, and as many bytes as 5 rows of four numbers of 8 bytes and a flag take. Ids have no place in it.
run $DETECT --output-format npy
expect_exit 0
expect_stderr 'odim: note: NPY holds numbers only: texts are left out' '0 of 5 rows are outliers (0 %)'
cp out scores.npy
head -c 10 scores.npy | od -An -tx1 >got
expect_text got ' 93 4e 55 4d 50 59 01 00 b6 00'
tail -c +11 scores.npy | head -n 1 | sed 's/ *$//' >got
expect_text got \
    "{'descr': [('row', '<i8'), ('score', '<f8'), ('rank', '<i8'), ('p_outlier', '<f8'), ('is_outlier', '|u1')], \
'fortran_order': False, 'shape': (5,), }"
expect 'a header of 192 bytes and 5 rows of 33' [ "$(wc -c <scores.npy)" -eq 357 ]
# A row has an odd length, so od takes the rows one by one.
for row in 0 1 2 3 4; do
    tail -c $((165 - 33 * row)) scores.npy | head -c 33 >row.bin
    set -- $(head -c 24 row.bin | od -An -v -td8 -w24)
    ends="$1,%.9g,$3,%.9g,$(tail -c 1 row.bin | od -An -tu1 | tr -d ' ')\n"
    head -c 32 row.bin | od -An -v -tf8 -w32 | awk -v f="$ends" '{ printf f, $2, $4 }'
done >got
sed 1d plain.csv >want
expect_same want got
run $DETECT --output-format npy --quiet
expect_stderr
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2>/dev/null && break
    python=
done
if [ -n "$python" ]; then
    run_sh "$python -c \"import numpy; [print('%d,%.9g,%d,%.9g,%d' % tuple(r)) for r in numpy.load('scores.npy')]\""
    expect_exit 0
    sed 1d plain.csv >want
    expect_same want out
else
    skip 'no NumPy to read the NPY file'
fi

# By the name of the output; the option wins.
for format in csv tsv jsonl npy; do
    run $DETECT --quiet -o "made.$format"
    expect_exit 0
    expect_same "scores.$format" "made.$format"
    run $DETECT --quiet --output-format "$format" -o made.txt
    expect_same "scores.$format" made.txt
done
run $DETECT --quiet -o made.ndjson
expect_same scores.jsonl made.ndjson
run $DETECT -o made.npy --output-format tsv --top 2
expect_exit 0
awk -F '\t' -v OFS='\t' 'NR > 1 { $6 = $4 <= 2 ? 1 : 0 } 1' scores.tsv >want
expect_same want made.npy
expect 'the table is on stdout' [ "$(wc -l <out)" -eq 3 ]

# wrong MESSAGE ARGUMENT...
wrong()
{
    message=$1
    shift
    run detect data.csv "$@"
    expect_exit 2
    expect_stdout
    expect_stderr "odim: $message"
}
wrong "--output-format must be one of csv|tsv|jsonl|npy, not 'xml'" --output-format xml
wrong "--output-format must be one of csv|tsv|jsonl|npy, not ''" --output-format=
wrong "--output-format must be one of csv|tsv|jsonl|npy, not 'csv|tsv'" --output-format 'csv|tsv'
wrong '--output-format is for rows of scores; --json is a format of its own' --output-format tsv --json
wrong '--output-format is for rows of scores; with --top they need an --output FILE' --output-format tsv --top 3
wrong '--output-format is for rows of scores; with --top they need an --output FILE' --output-format tsv --top 3 -o -
expect_tidy .

finish
