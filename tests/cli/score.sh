# odim score: rows under a model that was fitted before. Columns are matched by name; what does not fit is refused with
# its place; --threshold, --contamination and --top say what an outlier is.
. "$(dirname "$0")/lib.sh"

# The plain method calls the ten odd rows of make_mixed outliers, and no others.
FAST="--preset paper $FAST"
FIND="--preset paper $FIND"

make_mixed 400 >data.csv
"$ODIM" fit data.csv --id name $FIND -o model.odim || exit 1
SCORE='score -m model.odim'
run $SCORE data.csv --id name
expect_exit 0
expect_stderr '10 of 400 rows are outliers (2.5 %)'
cp out scores.csv
cut -d, -f1,3- scores.csv >plain.csv
run $SCORE data.csv # the model remembers the id
expect_stderr '10 of 400 rows are outliers (2.5 %)'
expect_same scores.csv out
run $SCORE data.csv --quiet --threads 1
expect_stderr
expect_same scores.csv out
cut -d, -f2- data.csv >nameless.csv
run $SCORE nameless.csv
expect_stderr '10 of 400 rows are outliers (2.5 %)'
expect_same plain.csv out

# ---- columns

# In another order, and with others between.
awk -F, -v OFS=, '{ print $6, NR == 1 ? "memo" : "x" NR, $4, $3, $5, $2, NR == 1 ? "extra" : 7 }' data.csv >order.csv
run $SCORE order.csv
expect_exit 0
expect_stderr "odim: note: column 'memo' is not in the model: ignored" \
    "odim: note: column 'extra' is not in the model: ignored" '10 of 400 rows are outliers (2.5 %)'
expect_same plain.csv out
# Missing ones.
cut -d, -f1,2,4,6 data.csv >missing.csv
run $SCORE missing.csv
expect_exit 1
expect_stdout
expect_stderr "odim: missing.csv: the model needs columns 'job', 'since', which are not there"
cut -d, -f1-5 data.csv >missing.csv
run $SCORE missing.csv --stream
expect_exit 1
expect_stdout
expect_stderr "odim: missing.csv: the model needs column 'weight', which is not there"
printf 'height\n170\n' >other.csv
run $SCORE other.csv
expect_exit 1
expect_stderr "odim: other.csv: the model needs columns 'size', 'job', 'member', 'since', 'weight', which are not there"
run $SCORE data.csv --id size
expect_exit 2
expect_stderr "odim: data.csv: column 'size' cannot be both a feature of the model and the id"
# Without names: by position.
sed 1d data.csv | cut -d, -f2- >bare.csv
run $SCORE bare.csv
expect_exit 0
expect_stderr "odim: note: the file has no column names: its columns are taken in the model's order" \
    '10 of 400 rows are outliers (2.5 %)'
expect_same plain.csv out
cut -d, -f1-4 bare.csv >few.csv
run $SCORE few.csv
expect_exit 1
expect_match err "^odim: few.csv: the model needs columns 'size', 'job', 'member', 'since', 'weight', which are not there$"
# One column, with a name that is another's.
printf 'a\n1\n2\n4\n' >single.csv
"$ODIM" fit single.csv $FAST -o single.odim
printf 'b\n1\n2\n' >renamed.csv
run score -m single.odim renamed.csv
expect_exit 1
expect_stdout
expect_stderr "odim: renamed.csv: the model needs column 'a', which is not there"
# A model of arrays takes a CSV file without names.
printf '1,2\n3,4\n5,1\n' >rows.csv
"$ODIM" fit rows.csv $FAST -o array.odim
run score -m array.odim rows.csv
expect_exit 0
expect_stderr '0 of 3 rows are outliers (0 %)'

# ---- cells

head -n 3 data.csv >few.csv
# cell LINE MESSAGE: the row after two good ones is refused, and nothing comes out.
cell()
{
    (cat few.csv && echo "$1") >cell.csv
    run $SCORE cell.csv --quiet
    expect_exit 1
    expect_stdout
    expect_stderr "odim: cell.csv: row 3 (line 4)$2"
}
cell 'n,tall,cook,yes,2024-05-01,70' ", column 'size': 'tall' is not a number"
cell 'n,"1,70",cook,yes,2024-05-01,70' ", column 'size': '1,70' is not a plain number such as 1234.5"
cell 'n,inf,cook,yes,2024-05-01,70' \
    ", column 'size': 'inf' is not a finite number; correct it, or count it as missing (--na)"
cell 'n,170,cook,maybe,2024-05-01,70' ", column 'member': 'maybe' is not true or false"
cell 'n,170,cook,yes,1.5.2024,70' ", column 'since': '1.5.2024' is not an ISO 8601 date or time"
cell 'n,170,cook,yes,2024-05-01' ': 5 fields, expected 6'
# Missing in any place, a category never seen, other ways to write the same: all have a score.
(
    head -n 1 data.csv
    echo 'a,170,cook,yes,2024-05-01,70'
    echo 'b,170.0,cook,TRUE,2024-05-01T00:00:00,7e1'
    echo 'c,170,acrobat,yes,2024-05-01,70'
    echo 'd,170,juggler,yes,2024-05-01,70'
    echo 'e,170,,yes,2024-05-01,70'
    echo 'f,170,NA,yes,2024-05-01,70'
    echo 'g,,?,null,nan,'
    echo 'h,-,-,-,-,-'
) >odd.csv
run $SCORE odd.csv --id name --na - --quiet
expect_exit 0
sed 1d out | cut -d, -f3 >s
expect 'a and b are the same' [ "$(sed -n 1p s)" = "$(sed -n 2p s)" ]
expect 'what was never seen is all the same' [ "$(sed -n 3p s)" = "$(sed -n 4p s)" ]
expect 'and counts against a row' awk 'NR == 1 { known = $1 } NR == 3 { exit !($1 > known) }' s
expect 'e and f are the same' [ "$(sed -n 5p s)" = "$(sed -n 6p s)" ]
expect 'g and h are the same' [ "$(sed -n 7p s)" = "$(sed -n 8p s)" ]
expect 'a score for each' [ "$(grep -c -E '^-?[0-9.]+(e[-+]?[0-9]+)?$' s)" -eq 8 ]

# ---- what an outlier is

# is_outlier is the last column of plain.csv and others made from it by the rank, which is the third.
flag_by() # CONDITION of awk
{
    awk -F, -v OFS=, "NR > 1 { \$5 = ($1) ? 1 : 0 } 1" plain.csv
}
awk -F, '$3 == 24 || $3 == 25 { sum += $2 } END { printf "%.9g\n", sum / 2 }' plain.csv >threshold
run $SCORE nameless.csv --quiet --threshold "$(cat threshold)"
flag_by '$3 < 25' >want
expect_same want out
run $SCORE nameless.csv --quiet --threshold=1e9
flag_by 0 >want
expect_same want out
run $SCORE data.csv --id name --threshold -1e9
expect_stderr '400 of 400 rows are outliers (100 %)'
run $SCORE nameless.csv --quiet --contamination 0.05
flag_by '$3 <= 20' >want
expect_same want out
run $SCORE nameless.csv --quiet --contamination 0.5
flag_by '$3 <= 200' >want
expect_same want out
run $SCORE data.csv --id name --contamination 0.0001
expect_stderr '0 of 400 rows are outliers (0 %)'
run $SCORE nameless.csv --quiet --contamination auto
expect_same plain.csv out
run detect data.csv --ignore name $FIND --quiet --contamination 0.05
flag_by '$3 <= 20' | cut -d, -f1-3,5 >want
cut -d, -f1-3,5 out >got
expect_same want got
"$ODIM" fit data.csv --ignore name $FIND --quiet --contamination 0.05 -o share.odim
run score -m share.odim data.csv --quiet
cut -d, -f1-3,5 out >got
expect_same want got
run $SCORE nameless.csv --quiet --top 7 -o top.csv
flag_by '$3 <= 7' >want
expect_same want top.csv
expect 'and the table' [ "$(awk '{ printf "%s ", $1 }' out)" = 'rank 1 2 3 4 5 6 7 ' ]
run $SCORE data.csv --quiet --top 7 --json
expect 'all are flagged' [ "$(grep -c '"is_outlier": true' out)" -eq 7 ]
expect_match out '^  "flagged": 7,$'
run $SCORE data.csv --quiet --json
expect_match out '^  "flagged": 10,$'
expect_match out '^  "file": "data.csv",$'

# ---- wrong usage

# wrong MESSAGE ARGUMENT...
wrong()
{
    message=$1
    shift
    refuse 2 "$message" score "$@"
}
wrong "score needs a model: --model MODEL, written by 'odim fit'" data.csv
wrong "score needs a FILE, '-' for standard input" -m model.odim
wrong '--threshold and --top both define what an outlier is: use one of them' -m model.odim data.csv --threshold 3 --top 3
wrong '--contamination and --top both define what an outlier is: use one of them' \
    -m model.odim data.csv --contamination .1 --top 3
wrong '--contamination and --threshold both define what an outlier is: use one of them' \
    -m model.odim data.csv --contamination .1 --threshold 3
wrong '--contamination needs all scores at once, which --stream does not have; use --threshold' \
    -m model.odim data.csv --contamination .1 --stream
wrong "--contamination must be a number from 1e-09 to 0.5 or auto, not '0.7'" -m model.odim data.csv --contamination 0.7
wrong "--threads must be a whole number from 1 to 1024 or auto, not '0'" -m model.odim data.csv --threads 0
for number in '' x 1x nan 1e999; do
    wrong "--threshold must be a number, not '$number'" -m model.odim data.csv --threshold "$number"
done
wrong '--explain gives at most 100 reasons per row' -m model.odim data.csv --explain 101
wrong 'data.csv: is the input; write to another file' -m model.odim data.csv -o data.csv
wrong 'model.odim: is the input; write to another file' -m model.odim data.csv -o model.odim
wrong "unknown option --seed; did you mean --sheet?" -m model.odim data.csv --seed 3
wrong "unknown option --ignore; 'odim help score --all' lists them" -m model.odim data.csv --ignore name
run detect data.csv --contamination 0.1 --top 3
expect_exit 2
expect_stderr 'odim: --contamination and --top both define what an outlier is: use one of them'

# ---- files that are no model

size=$(wc -c <model.odim)
# changed OFFSET BYTE: the model with one byte changed.
changed()
{
    head -c "$1" model.odim
    printf "$2"
    tail -c +$(($1 + 2)) model.odim
}
# no_model FILE MESSAGE: all that read a model refuse it, and an output that is there stays.
echo old >old
no_model()
{
    cp old kept.csv
    for command in 'score data.csv -o kept.csv -m' 'score data.csv --stream -o kept.csv -m' 'explain data.csv --row 1 -m' \
        inspect; do
        run $command "$1"
        expect_exit 1
        expect_stdout
        expect_stderr "odim: $1: $2"
    done
    expect_same old kept.csv
    expect_tidy .
}
no_model nowhere.odim 'cannot open: No such file or directory'
no_model . 'cannot read: Is a directory'
no_model data.csv 'not a model of odim'
no_model /dev/null 'not a model of odim'
head -c 10 model.odim >header.odim
no_model header.odim 'the header is cut short'
head -c $((size - 1)) model.odim >cut.odim
no_model cut.odim 'section FILE: the file ends before it does'
(cat model.odim && echo more) >long.odim
no_model long.odim '5 bytes after the end of the last section'
changed 3 x >magic.odim
no_model magic.odim 'not a model of odim'
changed 8 '\002' >newer.odim
no_model newer.odim 'a model of format version 2, from a newer odim; this one reads up to version 1: update odim, or fit the model again with this one'
changed 20 '\001' >head.odim
no_model head.odim 'damaged: the header does not match its checksum'
changed $((size - 1)) '\377' >damaged.odim
no_model damaged.odim 'section FILE: damaged: it does not match its checksum'

finish
