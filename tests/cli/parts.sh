# Parts of the rows, for those who have only a queue: the outputs of all parts are that of --stream.
. "$(dirname "$0")/lib.sh"

FIND="--preset paper $FIND"
make_mixed 400 >data.csv
"$ODIM" fit data.csv --id name $FIND -o model.odim || exit 1

# in_parts N FORMAT ARGUMENT...: scores data.csv in N parts and compares with all at once.
in_parts()
{
    parts=$1 format=$2
    shift 2
    "$ODIM" score -m model.odim "$@" --stream --quiet --output-format "$format" -o "whole.$format" || exit 1
    rm -f part.*
    for i in $(seq "$parts"); do
        run score -m model.odim "$@" --part "$i/$parts" --quiet --output-format "$format" -o "part.$(printf %03d "$i")"
        expect_exit 0
    done
    cat part.* >joined
    expect_same "whole.$format" joined
}

in_parts 1 csv data.csv --id name
in_parts 3 csv data.csv --id name
in_parts 7 tsv data.csv --id name --raw-scores
in_parts 7 jsonl data.csv --id name --explain 2
in_parts 5 csv data.csv --keep --explain 2 --provenance
# More parts than rows: those at the end are empty.
head -n 4 data.csv >short.csv
in_parts 5 csv short.csv
expect_text part.004
# Several files, packed, with bad rows that are left out.
gzip -c data.csv >packed.csv.gz
sed '5s/,/,,,/' data.csv >bad.csv
in_parts 4 csv packed.csv.gz bad.csv --bad-rows skip

# The summary is that of the part.
run score -m model.odim data.csv --id name --part 2/4
expect_exit 0
expect_stderr '3 of 100 rows are outliers (3 %)'

# ---- what cannot be

for part in 0/3 4/3 x 1/ 1/3x 1 -1/2 /2 1/1000001; do
    run score -m model.odim data.csv --part "$part"
    expect_exit 2
    expect_stderr "odim: --part $part must be a part of how many, such as 1/8"
done
run_sh '"$ODIM" score -m model.odim - --part 1/2 <data.csv'
expect_exit 2
expect_stderr 'odim: --part 1/2 needs a file, which is read twice'
run score -m model.odim data.csv --part 1/2 -o scores.npy
expect_exit 2
expect_stderr 'odim: --part 1/2 cannot write NPY, which begins with the number of all rows; use csv, tsv or jsonl'
run score -m model.odim data.csv --part 1/2 --top 3
expect_exit 2
expect_stderr 'odim: --top needs all scores at once, which --stream does not have; use --threshold or --contamination'
finish
