# Bad input: a clear message that names the place and the fix, exit 1, nothing on stdout. And input that only
# looks bad.
. "$(dirname "$0")/lib.sh"

# bad MESSAGE ARGUMENT...: detect refuses it.
bad()
{
    message=$1
    shift
    run detect "$@" $FAST
    expect_exit 1
    expect_stdout
    expect_stderr "odim: $message"
}

# good ROWS ARGUMENT...: detect gives so many finite scores.
good()
{
    rows=$1
    shift
    run detect "$@" $FAST
    expect_exit 0
    expect "$rows scores" awk -F, -v n="$rows" 'NR > 1 && $2 !~ /^-?[0-9.]+(e-?[0-9]+)?$/ { exit bad = 1 }
        END { exit bad || NR != n + 1 }' out
}

# ---- too little

: >empty.csv
bad 'empty.csv: the file is empty' empty.csv
printf '\n\r\n\n' >blank.csv
bad 'blank.csv: the file is empty' blank.csv
printf '\357\273\277' >bom.csv
bad 'bom.csv: the file is empty' bom.csv
echo a,b >header.csv
bad 'header.csv: there is a header and no rows below it' header.csv
printf 'a,b\n1,2\n' >one.csv
bad 'one.csv: one row alone cannot be compared: at least 2 are needed' one.csv
run_sh '"$ODIM" detect - <one.csv'
expect_exit 1
expect_stderr 'odim: <stdin>: one row alone cannot be compared: at least 2 are needed'
run_sh '"$ODIM" detect - </dev/null'
expect_exit 1
expect_stderr 'odim: <stdin>: the file is empty'
printf 'a,b\n1,2\n3,4\n' >two.csv
good 2 two.csv
expect_stderr '0 of 2 rows are outliers (0 %)'

# ---- columns that say nothing

printf 'a,b\n1,2\n1,4\n1,3\n' >constant.csv
good 3 constant.csv
expect_stderr "odim: note: column 'a' is constant: ignored" '0 of 3 rows are outliers (0 %)'
run detect constant.csv --quiet $FAST
expect_stderr
printf 'a,b\n1,2\n1,2\n1,2\n' >same.csv
for scale in minmax standard none; do
    bad 'same.csv: no usable columns: all are constant or ignored' same.csv --scale $scale
done
printf 'a,b\n1,\n2,NA\n3,?\n' >missing.csv
good 3 missing.csv
expect_stderr "odim: note: column 'b' is empty: ignored" '0 of 3 rows are outliers (0 %)'
bad 'missing.csv: no usable columns: all are constant or ignored' missing.csv --only b

# ---- cells

cell()
{
    printf 'a;b\n1;2\n3;4\n5;%s\n' "$1" >cell.csv
    bad "cell.csv: row 3 (line 4), column 'b': $2" cell.csv
}
for word in inf -Infinity; do
    cell "$word" "'$word' is not a finite number; correct it, or count it as missing (--na)"
done
cell 1e400 "'1e400' is too large for a number of 64 bits"
cell -1e99999 "'-1e99999' is too large for a number of 64 bits"
printf 'a,b\n1,1e300\n2,-1e300\n3,5e-324\n' >extreme.csv
good 3 extreme.csv

printf 'name,a\nx,1\ny,2\n' >text.csv
good 2 text.csv
expect_stderr "odim: note: column 'name' has no frequent level: ignored" '0 of 2 rows are outliers (0 %)'
good 2 text.csv --ignore name
expect_stderr '0 of 2 rows are outliers (0 %)'

# ---- rows

printf 'a,b\n1,2\n1,2,3\n' >long.csv
bad 'long.csv: row 2 (line 3): 3 fields, expected 2' long.csv
printf 'a,b\n1,2\n1\n' >short.csv
bad 'short.csv: row 2 (line 3): 1 field, expected 2' short.csv
printf 'a,b\n1,"2\n3,4\n' >quote.csv
bad 'quote.csv: row 1 (line 2): the quote that opens here is never closed' quote.csv

# ---- a first line that may be either, blank lines

printf 'err,2.5\n1.5,3\n2.5,4\n9,1\n' >either.csv
bad "either.csv: line 1 holds words and the number '2.5': say whether it is a header or data (--header or --no-header)" \
    either.csv
good 3 either.csv --header
# Wavelengths above the spectra, and what pandas writes above columns without names.
awk 'BEGIN { for (i = 0; i < 12; i++) printf "%s%.1f", i ? "," : "", 400 + i / 2; print ""
    for (r = 0; r < 9; r++) { for (i = 0; i < 12; i++) printf "%s%.3f", i ? "," : "", (r * 7 + i * 5) % 11; print "" } }' >axis.csv
good 9 axis.csv
good 10 axis.csv --no-header
printf 'site,2019,2020\n1,2,3\n2,3,4\n9,1,1\n' >years.csv
good 3 years.csv
# In a table of one column a blank line between others is a missing cell, however it is read. At the ends it is nothing.
{
    printf '\nvalue\n\n'
    i=0
    while [ $i -lt 40 ]; do i=$((i + 1)) && printf '%d\n' $((i * 7 % 11)) && [ $((i % 9)) != 0 ] || echo; done
    printf '5\n \n\n77\n\n \n'
} >gap.csv
sed 's/^ *$/NA/' gap.csv | sed -e 1d -e '/^77$/q' >na.csv
rows=$(($(wc -l <na.csv) - 1))
good $rows gap.csv
"$ODIM" detect na.csv $FAST --quiet -o want.csv
for how in 'gap.csv' 'gap.csv --stream' '- <gap.csv'; do
    run_sh "\"\$ODIM\" detect $FAST --quiet $how"
    expect_exit 0
    case $how in
    *stream) cut -d , -f 1,2,4,5 want.csv >want ;;
    *) cp want.csv want ;;
    esac
    expect_same want out
done
run detect gap.csv $FAST --keep --quiet
expect 'the cell is there, and empty' grep -q '^1,,' out
"$ODIM" fit na.csv $FAST --quiet -o gap.odim
run score -m gap.odim na.csv --quiet
cp out want
run score -m gap.odim gap.csv --quiet
expect_same want out
cat na.csv | "$ODIM" score -m gap.odim --quiet - >want
run_sh 'cat gap.csv | "$ODIM" score -m gap.odim --quiet -'
expect_same want out
# A blank line does not hold up the rows before it: its writer waits for them.
: >live.csv
{
    cat na.csv && echo
    n=0
    while [ $n -lt 300 ] && [ "$(wc -l <live.csv)" -le $rows ]; do n=$((n + 1)) && sleep 0.1; done
    [ $n = 300 ] || : >came
} | "$ODIM" score -m gap.odim - --quiet >live.csv
expect 'rows come before what follows the blank line' [ -e came ]
# Without a header: the first line that holds something is row 1.
printf '\n\n1\n\n2\n3\n4\n\n' >bare1.csv
good 5 bare1.csv
# Where it is no number a mistake is in the right row and line.
printf 'a\n1\n\n3\ninf\n' >inf.csv
bad "inf.csv: row 4 (line 5), column 'a': 'inf' is not a finite number; correct it, or count it as missing (--na)" inf.csv
# Blanks before an opening quote, and behind a closing one, are not part of the cell.
printf 'a, "b, c",d\n1, "x, y" ,2\n2,x,3\n3, "x, y",1\n' >blanks.csv
run detect blanks.csv --keep --quiet $FAST
expect 'three columns' [ "$(head -n 1 out)" = 'row,a,"b, c",d,score,rank,p_outlier,is_outlier' ]
expect_match out '^1,1,"x, y",2,'
printf 'a,b\n1,2\n\n3,5\n4,4\n\n\n' >gaps.csv
good 3 gaps.csv

# ---- columns that are asked for

bad "text.csv: there is no column 'foo'; there are name, a" text.csv --label foo
bad "text.csv: there is no column '3'; there are name, a" text.csv --id 3
bad "text.csv: there is no column 'foo'; there are name, a" text.csv --ignore name,foo
bad "text.csv: there is no column 'foo'; there are name, a" text.csv --only foo
bad 'text.csv: no feature column is left: of 2, all are the label, the id, what is known or ignored' text.csv --ignore name,a
printf 'y,a\n2,1\n0,2\n' >label.csv
bad "label.csv: row 1 (line 2), column 'y': '2' is not a label; labels are 1 (outlier) and 0 (inlier): recode the \
column, or name another as the label" label.csv --label y
for arguments in '--id name --only name' '--format orc'; do
    run detect text.csv $arguments
    expect_exit 2
    expect_stdout
done
expect_stderr "odim: --format must be one of csv|tsv|npy|npz|idx|json|jsonl|xlsx|ods|sqlite|parquet|arrow|duckdb, not 'orc'"

awk 'BEGIN { for (i = 0; i < 3; i++) for (j = 1; j <= 100000; j++) printf "%d%s", i * j % 7, j < 100000 ? "," : "\n" }' >wide.csv
bad 'wide.csv: 100000 feature columns; at most 16384 can be used: choose some (--only or --ignore) or reduce the dimension first' wide.csv
good 3 wide.csv --only 1,500,100000

# ---- ways to say what the file is

printf '1|2\n3|4\n5|1\n' >bars.txt
good 3 bars.txt
cp out want
good 2 bars.txt --header
good 3 bars.txt --no-header
expect_same want out
tr '|' '\t' <bars.txt >tabs.txt
for form in '' '--delimiter tab' '--delimiter \t' '--format tsv'; do
    good 3 tabs.txt $form
    expect_same want out
done
tr '|' ':' <bars.txt >colons.txt
good 3 colons.txt --delimiter :
expect_same want out

# ---- files

bad 'nowhere.csv: cannot open: No such file or directory' nowhere.csv
bad '.: the folder has no pictures (.png, .jpg, .jpeg)' .
bad '.: cannot read: Is a directory' . --format csv
gzip -c two.csv | head -c 20 >cut.csv.gz
bad 'cut.csv.gz: the gzip data ends too early: the file is truncated' cut.csv.gz

# An NPZ file is a zip archive, here of one stored array; an array is a text header and the values.
#     make_npy DTYPE SHAPE BYTES (as printf takes them)
#     make_npz FILE: of the array on standard input
make_npy()
{
    text=$(printf "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" "$1" "$2")
    printf '\223NUMPY\001\000\166\000%-117s\n' "$text"
    printf "$3"
}
little_endian() # NUMBER BYTES
{
    number=$1
    for byte in $(seq "$2"); do
        printf "\\$(printf %03o $((number % 256)))"
        number=$((number / 256))
    done
}
make_npz()
{
    cat >member
    size=$(wc -c <member)
    {
        printf '\024\000\000\000\000\000\000\000\000\000'
        gzip -c member | tail -c 8 | head -c 4 # its CRC-32
        little_endian "$size" 4
        little_endian "$size" 4
        printf '\005\000\000\000'
    } >facts
    {
        printf 'PK\003\004'
        cat facts
        printf X.npy
        cat member
        printf 'PK\001\002\024\000'
        cat facts
        little_endian 0 14
        printf X.npy
        printf 'PK\005\006'
        little_endian 0 4
        little_endian 1 2
        little_endian 1 2
        little_endian 51 4
        little_endian $((35 + size)) 4
        little_endian 0 2
    } >"$1"
}
make_npy '|u1' '(3, 2)' '\001\002\003\004\005\001' >bytes.npy
good 3 bytes.npy
expect_same want out
make_npz bytes.npz <bytes.npy
good 3 bytes.npz
expect_same want out
head -c 100 bytes.npz >truncated.npz
bad 'truncated.npz: not a whole zip archive: its directory, which belongs at the end, is missing: the file is truncated' truncated.npz
head -c 130 bytes.npy >truncated.npy
run detect truncated.npy
expect_exit 1
expect_stderr 'odim: truncated.npy: the data ends after 2 of 6 bytes: the file is truncated, or its header wrong'
make_npy '|O' '(3, 2)' 'pickled' | make_npz objects.npz
run detect objects.npz
expect_exit 1
expect_match err '^odim: objects.npz: X.npy: it is an object array'

finish
