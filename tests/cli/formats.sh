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
expect_stderr 'odim: note: NPY contains only numbers: texts are left out' '0 of 5 rows are outliers (0 %)'
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
    refuse 2 "$message" detect data.csv "$@"
}
wrong "--output-format must be one of csv|tsv|jsonl|npy, not 'xml'" --output-format xml
wrong "--output-format must be one of csv|tsv|jsonl|npy, not ''" --output-format=
wrong "--output-format must be one of csv|tsv|jsonl|npy, not 'csv|tsv'" --output-format 'csv|tsv'
wrong '--output-format is for rows of scores; --json is a format of its own' --output-format tsv --json
wrong '--output-format is for rows of scores; with --top they need an --output FILE' --output-format tsv --top 3
wrong '--output-format is for rows of scores; with --top they need an --output FILE' --output-format tsv --top 3 -o -

# ---- --keep: the columns of the file, as they are

printf 'id;price;note\n07;1.50;"a;b"\n8;;"say ""hi"""\n9;1e3;"two\nlines, one cell"\n10;NA; x \n' >kept.csv
KEEP="detect kept.csv --keep --quiet --only price --threshold 1e9 $FAST"
run $KEEP
expect_exit 0
sed -E 's/,[^,]*,[0-9]+,[^,]*,0$/,.../' out >got
expect_text got row,id,price,note,score,rank,p_outlier,is_outlier '1,07,1.50,a;b,...' '2,8,,"say ""hi""",...' \
    '3,9,1e3,"two' 'lines, one cell",...' '4,10,NA," x ",...'
run $KEEP --output-format tsv
awk -F '\t' -v OFS='\t' '{ print $1, $2, $3, $4, NF }' out >got
expect_text got "$(printf 'row\tid\tprice\tnote\t8')" "$(printf '1\t07\t1.50\ta;b\t8')" \
    "$(printf '2\t8\t\tsay "hi"\t8')" "$(printf '3\t9\t1e3\ttwo\\nlines, one cell\t8')" "$(printf '4\t10\tNA\t x \t8')"
run $KEEP --output-format jsonl
sed 's/, "score":.*/}/' out >got
expect_text got '{"row": 1, "id": "07", "price": 1.50, "note": "a;b"}' \
    '{"row": 2, "id": 8, "price": "", "note": "say \"hi\""}' \
    '{"row": 3, "id": 9, "price": 1e3, "note": "two\nlines, one cell"}' \
    '{"row": 4, "id": 10, "price": "NA", "note": " x "}'
run detect kept.csv --keep --only price --preset paper $FAST -o kept.npy
expect_stderr 'odim: note: NPY contains only numbers: texts are left out' '0 of 4 rows are outliers (0 %)'
# The id is one of them, and not there twice. Ignored columns are kept as well.
run $KEEP --id id
expect 'the heading' [ "$(head -n 1 out)" = row,id,price,note,score,rank,p_outlier,is_outlier ]
# What is written can be read again, and kept again, even though the names are taken.
run detect kept.csv --keep --quiet --only price $FAST --explain 1 -o once.csv
run detect once.csv --keep --quiet --only price $FAST --explain 1
expect_exit 0
expect 'the heading' [ "$(head -n 1 out)" = row,input_row,id,price,note,input_score,input_rank,input_p_outlier,\
input_is_outlier,input_reason1,score,rank,p_outlier,is_outlier,reason1 ]
expect 'the cells' [ "$(sed -n '2s/^1,1,07,1.50,a;b,.*/fine/p' out)" = fine ]
# Without names there are x1, x2, ...; an array has its numbers.
printf '1,2\n3,4\n5,1\n' >bare.csv
run detect bare.csv --keep --quiet $FAST
expect 'the heading' [ "$(head -n 1 out)" = row,x1,x2,score,rank,p_outlier,is_outlier ]

# ---- --keep=safe: no formulas for a spreadsheet

{
    echo '=1+1,+x,price'
    echo '"=cmd|"" /C calc""!A0",-5,1'
    echo '+3.2,-,2'
    printf '@SUM(A1),"\ttab",3\n-2+3,"\rcr",4\n'
    printf 'a=b,\357\274\235wide,5\n-1e-3,+.5,1\n-1e,"-x, y",2\n'
} >formula.csv
SAFE="detect formula.csv --only price --threshold 1e9 --quiet $FAST"
run $SAFE --keep
expect_exit 0
expect 'as it is' grep -q '^4,-2+3,' out
run $SAFE --keep=safe
expect_exit 0
tr '\r' '~' <out | sed -E 's/,[^,]*,[0-9]+,[^,]*,0$//' >got
expect_text got "row,'=1+1,'+x,price,score,rank,p_outlier,is_outlier" "1,\"'=cmd|\"\" /C calc\"\"!A0\",-5,1" '2,+3.2,-,2' \
    "$(printf "3,'@SUM(A1),'\\ttab,3")" "4,'-2+3,\"'~cr\",4" "$(printf "5,a=b,'\\357\\274\\235wide,5")" '6,-1e-3,+.5,1' \
    "7,'-1e,\"'-x, y\",2"
run $SAFE --keep=safe --output-format tsv
expect_match out "^1$(printf '\t')'=cmd.*$(printf '\t')-5$(printf '\t')1"
expect_match out "^3$(printf '\t')'@SUM.A1.$(printf '\t')'.ttab"
run $SAFE --keep=safe --stream -o streamed.csv
expect_match streamed.csv "^4,'-2"
# A reason begins with the name of a column.
awk 'BEGIN { print "=1+1,b"; for (i = 0; i < 80; i++) print (i == 70 ? 900 : i % 7) "," i % 5 }' >why.csv
run detect why.csv --quiet --keep=safe --explain 1 --contamination 0.01 --method iforest
expect_exit 0
expect_match out ",1,\"?'=1[+]1 900 "
expect 'no reason is a formula' sh -c '! grep -q ",\"*=" out'
printf 'keep = safe\n' >safe.conf
run $SAFE --config safe.conf
expect_match out "^4,'-2"
printf 'keep = maybe\n' >safe.conf
refuse 2 "safe.conf: line 1: keep must be yes, safe or no, not 'maybe'" $SAFE --config safe.conf
refuse 2 'it is --keep or --keep=safe, not --keep=sage' $SAFE --keep=sage
refuse 2 '--quiet takes no value' $SAFE --quiet=safe
run $SAFE --keep=safe --no-keep
expect 'taken back' [ "$(head -n 1 out)" = row,score,rank,p_outlier,is_outlier ]
for format in jsonl npy; do
    refuse 2 '--keep=safe is for CSV and TSV, which spreadsheets open; use --keep for other formats' \
        $SAFE --keep=safe --output-format $format
done

# ---- --provenance: the first line says what made the file

run detect data.csv --only a,b --quiet --json $FAST
fingerprint=$(sed -n 's/^  "model": "\(.*\)",$/\1/p' out)
{
    version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' out)
    printf '{"version": "%s", "file": "data.csv", "model": "%s", "parameters": ' "$version" "$fingerprint"
    sed -n '/"parameters"/,/}/p' out | sed -e 's/.*"parameters": //' -e 's/^    \(.*,\)$/\1 /' -e 's/^    //' |
        tr -d '\n' | sed -e 's/  },\{0,1\}$/}/' -e 's/},$/}/'
    echo '}'
} >made-by
run detect data.csv --only a,b --quiet $FAST --provenance
expect_exit 0
expect_text out "# odim $(cat made-by)" "$(cat plain.csv)"
cp out made.csv
run detect data.csv --only a,b --quiet $FAST --provenance --output-format tsv
expect 'the first line of TSV' [ "$(head -n 1 out)" = "# odim $(cat made-by)" ]
run detect data.csv --only a,b --quiet $FAST --provenance --output-format jsonl
expect 'the first line of JSON lines' [ "$(head -n 1 out)" = "{\"odim\": $(cat made-by)}" ]
run detect data.csv --only a,b $FAST --provenance -o made.npy
expect_stderr 'odim: note: NPY contains only numbers: texts are left out' '0 of 5 rows are outliers (0 %)'
# The model has the same name wherever it is used.
run detect data.csv --only a,b --quiet $FAST --save-model model.odim -o /dev/null
run score -m model.odim data.csv --quiet --provenance
expect_match out "^# odim .*\"model\": \"$fingerprint\", "
run inspect model.odim
expect_match out "model $fingerprint, "
# Such a file is read like any other: the remark is none of its rows.
(echo y && printf '0\n0\n0\n1\n0\n') >y.csv
run eval made.csv --data y.csv --label y --json
expect_exit 0
grep -v -e version -e '"file"' out >want
run eval plain.csv --data y.csv --label y --json
grep -v -e version -e '"file"' out >got
expect_same want got
(head -n 1 made.csv && cat data.csv) >remark.csv
run score -m model.odim remark.csv --quiet
expect_exit 0
expect_same plain.csv out
wrong '--provenance is for rows of scores; with --top they need an --output FILE' --provenance --top 3
wrong '--keep is for rows of scores; with --top they need an --output FILE' --keep --top 3
wrong '--keep is for rows of scores, not for --json' --keep --json
expect_tidy .

finish
