# Parts of the rows, for those who have only a queue: fits have the bytes of the whole, and the scores of all parts are
# those of --stream.
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

# ---- fits

# Types that only all rows tell: numbers with decimal commas, dates, codes with zeros, ids, free text with line ends.
awk 'BEGIN {
    print "nr;amount;when;zip;kind;ref;note"
    for (i = 1; i <= 600; i++) {
        h = (i * 7919) % 10007
        printf "%d;%d.%03d%s;%02d/%02d/2024;%05d;%s;u%d-%d;\"note %d\nsaid %s\"\n", i, h % 9 + 1, h % 1000,
            i % 150 == 149 ? ",5" : "", i == 560 ? 25 : h % 12 + 1, h % 11 + 1, i % 97 == 96 ? h % 9999 : h + 20000,
            substr("abc", i % 3 + 1, 1), h, i, h * 13 % 9973, i % 5 ? "fine" : "no, never"
    }
}' >rows.csv
"$ODIM" fit rows.csv $FIND -q -o whole.odim || exit 1

# fit_in_parts N OPTION...: fits rows.csv in N parts and compares with the whole.
fit_in_parts()
{
    parts=$1
    shift
    rm -f part.*
    for i in $(seq "$parts"); do
        run fit rows.csv --part "$i/$parts" $FIND -q -o "part.$i" "$@"
        expect_exit 0
        expect_stderr
    done
    run fit --merge part.* $FIND -q -o merged.odim
    expect_exit 0
    expect_same whole.odim merged.odim
}

# scan_in_parts VERB N FILE ARGUMENT...: scans, and merges the scans.
scan_in_parts()
{
    verb=$1 parts=$2
    shift 2
    rm -f scan.*
    for i in $(seq "$parts"); do
        run "$verb" "$@" --scan "$i/$parts" -q -o "scan.$i"
        expect_exit 0
    done
    run fit --merge scan.* -q -o scanned
    expect_exit 0
}

fit_in_parts 1
fit_in_parts 3
scan_in_parts fit 4 rows.csv
fit_in_parts 4 --scanned scanned

# The notes about the file are those of the first part, and those about the model come with the model.
run fit rows.csv --part 2/4 --scanned scanned $FIND -o part.2
expect_exit 0
expect_stderr 'odim: wrote part.2; merge all parts with: odim fit --merge FILE... -o MODEL'
run fit rows.csv --part 1/4 --scanned scanned $FIND -o part.1
expect_exit 0
expect_match err "column 'amount': decimal comma, thousands point"
run fit rows.csv --scan 2/4 -o scan.2
expect_stderr 'odim: wrote scan.2; merge the scans of all parts with: odim fit --merge FILE... -o SCAN'
run fit --merge scan.* -o scanned
expect_stderr 'odim: wrote scanned; fit each part with: odim fit FILE --part I/N --scanned scanned'

# Scores of parts that read only their own bytes.
scan_in_parts score 5 -m whole.odim rows.csv
"$ODIM" score -m whole.odim rows.csv --stream -q --explain 2 -o whole.csv || exit 1
rm -f score.*
for i in 1 2 3 4 5; do
    run score -m whole.odim rows.csv --part "$i/5" --scanned scanned --explain 2 -q -o "score.$i"
    expect_exit 0
done
cat score.* >joined
expect_same whole.csv joined

# ---- what cannot be

run fit rows.csv --part 1/5 --scanned scanned -o x
expect_exit 1
expect_stderr 'odim: rows.csv: is not the file that was scanned, or is read with other options'
run fit rows.csv --part 1/3 --scanned scanned -o x
expect_exit 1
expect_stderr 'odim: scanned: has scans of 5 parts, not of 3'
run fit rows.csv --part 1/3 --scanned part.1 -o x
expect_exit 1
expect_stderr 'odim: part.1: the bytes are damaged, or are not a scan that was saved'
run fit --merge part.1 part.3 -o x
expect_exit 1
expect_match err 'are missing: their part was not merged'
run fit --merge part.1 part.1 -o x
expect_exit 1
expect_match err 'odim: part.1: rows 1 to '
run fit --merge part.1 scan.1 -o x
expect_exit 1
expect_stderr 'odim: scan.1: is a scan, but the files before it are not: merge scans and parts separately'
run fit --merge rows.csv -o x
expect_exit 1
expect_stderr 'odim: rows.csv: is not a part: --merge takes the files that --part and --scan write'
run fit --merge part.1 part.2 --seed 5 -o x
expect_exit 2
expect_stderr 'odim: the parts have different seeds, 5 and 0'
run fit rows.csv --part 9/8 -o x
expect_exit 2
expect_stderr 'odim: --part 9/8 must be a part of how many, such as 1/8'
run fit rows.csv --scan 0/8 -o x
expect_exit 2
expect_stderr 'odim: --scan 0/8 must be a part of how many, such as 1/8'
run fit rows.csv --scan 1/8 --part 1/8 -o x
expect_exit 2
expect_stderr 'odim: --scan, --part and --merge are three steps: give one of them'
run fit rows.csv --scanned scanned -o x
expect_exit 2
expect_stderr 'odim: --scanned is for --part: --part I/N --scanned FILE'
run fit rows.csv --part 1/8 --dp-epsilon 1 -o x
expect_exit 2
expect_stderr 'odim: --dp-epsilon needs all rows at once: it has no --scan, --part and --merge'
run fit rows.csv --part 1/8 --bad-rows skip -o x
expect_exit 2
expect_stderr 'odim: bad rows end the reading of a part: they cannot be left out'
run_sh '"$ODIM" fit - --part 1/2 -o x <rows.csv'
expect_exit 2
expect_stderr 'odim: standard input cannot be divided into parts: give a file'
run score -m whole.odim rows.csv --scanned scanned
expect_exit 2
expect_stderr 'odim: --scanned is for --part: --part I/N --scanned FILE'

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
