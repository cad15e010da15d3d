# Tables as people write them: the same table in local ways gives the same scores, to the byte.
. "$(dirname "$0")/lib.sh"

# Numbers with two decimals and thousands, dates, words: rows as "day;price;weight;share;city", with a point.
awk 'BEGIN {
    split("Köln Ulm Bern", city, " ")
    for (i = 1; i <= 300; i++) {
        printf "%04d-%02d-%02d;%.2f;%.1f;%.1f;%s\n", 2020 + i % 4, 1 + i % 12, 1 + i * 7 % 28,
            (i == 77 ? -98765432.25 : 1000 + (i * 7919 % 100000) * 12.5), i * 31 % 977 / 10, i * 13 % 1000 / 10, city[1 + i % 3]
    }
}' >rows

# table DELIMITER DECIMAL THOUSANDS DATE CURRENCY PERCENT [GROUPING]: the rows in a local way. Names are the same.
table()
{
    awk -F';' -v delimiter="$1" -v decimal="$2" -v thousands="$3" -v date="$4" -v currency="$5" -v percent="$6" -v grouping="${7-3}" '
        # Thousands of the whole part; in India the groups above the first have two digits.
        function group(whole,    out, size) {
            size = 3
            while (length(whole) > size) {
                out = thousands substr(whole, length(whole) - size + 1) out
                whole = substr(whole, 1, length(whole) - size)
                size = grouping
            }
            return whole out
        }
        function number(text,    parts, sign) {
            sign = sub(/^-/, "", text) ? "-" : ""
            split(text, parts, ".")
            return sign group(parts[1]) decimal parts[2]
        }
        function quote(text) { return index(text, delimiter) ? "\"" text "\"" : text }
        function day(text,    d) {
            split(text, d, "-")
            return date == "dmy" ? d[3] "." d[2] "." d[1] : date == "d/m/y" ? d[3] "/" d[2] "/" d[1] : date == "m/d/y" ? d[2] "/" d[3] "/" d[1] : text
        }
        BEGIN { print "day" delimiter "price" delimiter "weight" delimiter "share" delimiter "city" }
        {
            price = number($2)
            price = currency ~ /^</ ? substr(currency, 2) price : price currency
            print day($1) delimiter quote(price) delimiter quote(number($3)) delimiter quote(number($4) percent) delimiter $5
        }' rows
}

table , . '' iso '' '' >plain.csv
run detect plain.csv $FAST -o plain.scores
expect_exit 0
expect_stderr '1 of 300 rows is an outlier (0.33 %)'

# The notes about how a file was read.
expect_notes()
{
    sed -n -e '/: the model contains /d' -e 's/^odim: note: //p' err >notes
    expect_text notes "$@"
}

# alike NAME NOTE...: NAME.csv has the scores of the plain table, from memory, as a stream and from a pipe. The notes say
# how it was read.
alike()
{
    name=$1
    shift
    run detect "$name.csv" $FAST -o "$name.scores"
    expect_exit 0
    expect_notes "$@"
    expect_same plain.scores "$name.scores"
    run_sh '"$ODIM" detect - '"$FAST --quiet <$name.csv"
    expect_same plain.scores out
    run detect "$name.csv" $FAST --stream --quiet
    cut -d, -f1,2 plain.scores >want
    cut -d, -f1,2 out >got
    expect_same want got
    # Kept in the model, and used for new rows.
    run fit "$name.csv" $FAST --quiet -o "$name.odim"
    expect_exit 0
    run score -m "$name.odim" "$name.csv" --quiet
    expect_same plain.scores out
    run detect "$name.csv" $FAST --quiet --stream --save-model again.odim
    expect_same "$name.odim" again.odim
}

table , . , m/d/y '<$' % >us.csv
alike us "column 'day': month/day/year" "column 'price': decimal point, thousands comma, \$" "column 'share': %"
table ';' , . dmy ' €' ' %' | iconv -f utf-8 -t cp1252 >german.csv
alike german "column 'day': day/month/year" "column 'price': decimal comma, thousands point, EUR" \
    "column 'weight': decimal comma" "column 'share': decimal comma, %" \
    'line 2 is not UTF-8: such text is read as Windows-1252, unless another encoding is given (--encoding)'
table ';' . "'" dmy '<CHF ' % >swiss.csv
alike swiss "column 'day': day/month/year" "column 'price': decimal point, thousands apostrophe, CHF" "column 'share': %"
nbsp=$(printf '\302\240') narrow=$(printf '\342\200\257')
table ';' , "$narrow" d/m/y "$nbsp€" "$nbsp%" >french.csv
alike french "column 'day': day/month/year" "column 'price': decimal comma, thousands space, EUR" \
    "column 'weight': decimal comma" "column 'share': decimal comma, %"
table , . , d/m/y '<₹' % 2 >indian.csv
alike indian "column 'day': day/month/year" "column 'price': decimal point, thousands comma, INR" "column 'share': %"

# ---- encodings

for encoding in UTF-16 UTF-16BE UTF-16LE UTF-32; do
    # iconv writes a byte order mark where the name does not say the order.
    {
        case $encoding in
        UTF-16BE) printf '\376\377' ;;
        UTF-16LE) printf '\377\376' ;;
        esac
        iconv -f utf-8 -t $encoding plain.csv
    } >wide.csv
    alike wide
done
iconv -f utf-8 -t cp437 plain.csv >dos.csv
run detect dos.csv $FAST --encoding cp437 --keep -o kept.csv
expect_exit 0
expect_stderr '1 of 300 rows is an outlier (0.33 %)'
expect 'what is written is UTF-8' grep -q ',Köln,' kept.csv
run detect dos.csv $FAST --encoding ascii -o out.csv
expect_exit 1
expect_match err '^odim: dos.csv: the byte at offset [0-9]+ is not valid in the encoding ascii; name the right one \(--encoding\)$'
run detect dos.csv $FAST --encoding utf-8 --keep -o kept.csv
expect 'taken as it is' grep -q ",K$(printf '\224')ln," kept.csv
run detect dos.csv $FAST --encoding klingon
expect_exit 2
expect_match err "^odim: .*'klingon'"

# ---- around the table

{
    printf 'Report of the warehouse\n\n'
    cat plain.csv
} >title.csv
run detect title.csv $FAST -o got.scores
expect_exit 0
expect_match err '^odim: note: .*line'
expect_same plain.scores got.scores
{
    printf '# written by hand\n# twice\n'
    cat plain.csv
} >comments.csv
alike comments
{
    echo 'sep=;'
    table ';' . '' iso '' ''
} >sep.csv
alike sep
sed 's/$/,/' plain.csv >trailing.csv
alike trailing
table '^' . '' iso '' '' >caret.csv
run detect caret.csv $FAST --delimiter '^' -o got.scores
expect_same plain.scores got.scores
table ' ' . '' iso '' '' >blanks.csv
alike blanks

# ---- what the caller says

# 1,234 is a thousand or a little more than one: nothing in the table tells.
awk 'BEGIN { print "a,b"; for (i = 0; i < 50; i++) printf "\"%d,%03d\",%d\n", 1 + i % 7, i * 37 % 1000, i % 5 }' >either.csv
run fit either.csv $FAST -o either.odim
expect_exit 0
expect_match err "^odim: note: column 'a': decimal point, thousands comma \\(1,234 is read as 1234\\)$"
"$ODIM" inspect either.odim --json >out
expect_match out '"name": "a", .*"high": 7[0-9]{3}[,.}]'
for option in '--decimal comma' '--types a=number:comma'; do
    run fit either.csv $FAST $option -o either.odim
    expect_exit 0
    expect_notes "column 'a': decimal comma"
    "$ODIM" inspect either.odim --json >out
    expect_match out '"name": "a", .*"high": 7\.[0-9]'
done
awk 'BEGIN { print "d,b"; for (i = 0; i < 50; i++) printf "%02d/%02d/2024,%d\n", 1 + i % 12, 1 + i % 11, i % 5 }' >days.csv
run fit days.csv $FAST -o days.odim
expect_match err "^odim: note: column 'd': month/day/year \\(days and months could be swapped: no cell tells\\)$"
run fit days.csv $FAST --types d=date:dmy -o days.odim
expect_notes
refuse 1 "either.csv: row 1 (line 2), column 'a': '1,000' is not a date or time (day/month/year); 50 of 50 rows cannot be read" \
    detect either.csv --types a=date:dmy
refuse 2 "either.csv: formats: 'german' is not a format; use comma or point for numbers, and iso, ymd, dmy, mdy, named, \
unix or unix-ms for dates" detect either.csv --types a=number:german
refuse 2 "--decimal must be one of comma|point, not ';'" detect either.csv --decimal ';'

# ---- a model reads what it was fitted on, and nothing else

run score -m german.odim us.csv
expect_exit 1
expect_stdout
expect_match err "^odim: us.csv: row 1 \\(line 2\\), column 'price': '.*' is not a number \\(decimal comma, thousands point, EUR\\)$"
run score -m us.odim german.csv
expect_exit 1
expect_match err "^odim: german.csv: row [0-9]+ \\(line [0-9]+\\), column '[a-z]+': '.*' is not a "
run score -m german.odim plain.csv
expect_exit 1
expect_match err "^odim: plain.csv: row 1 \\(line 2\\), column 'day': '2021-02-08' is not a date or time \\(day/month/year\\)$"
"$ODIM" fit plain.csv $FAST --quiet -o plain.odim
run score -m plain.odim swiss.csv
expect_exit 1
expect_match err "^odim: swiss.csv: row 1 \\(line 2\\), column 'day': '08.02.2021' is not an ISO 8601 date or time$"

# Nothing is decided by the first rows: the last ones of a long file have another format.
late() # CELL: 20000 rows with decimal commas, then some with CELL
{
    awk -v cell="$1" 'BEGIN {
        print "name;price;b"
        for (i = 1; i <= 20000; i++) printf "n%d;%d,%02d;%d\n", i, i % 977, i % 100, i % 7
        for (i = 1; i <= 5; i++) printf "m%d;%s;%d\n", i, cell, i
    }' >late.csv
    message="late.csv: row 20001 (line 20002), column 'price': '$1' is not a number (decimal comma), but nearly all other \
cells of the column are; correct it, count it as missing (--na), take the column as a category (--categorical), or \
tolerate bad rows (--bad-rows)"
    refuse 1 "$message" detect late.csv $FAST --bad-rows stop
    refuse 1 "$message" detect late.csv $FAST --stream
    refuse 1 "$message" fit late.csv $FAST -o late.odim
    if [ -x "${ODIM%/*}/odim-mpi" ] && command -v mpirun >/dev/null; then
        run_sh "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 '${ODIM%/*}/odim-mpi' detect \
            $FAST late.csv -o late.scores </dev/null"
        expect 'odim-mpi fails too' [ "$code" != 0 ]
        expect 'with the same message' grep -q -F -e "$message" err
    else
        skip 'there is no odim-mpi, or no mpirun'
    fi
}
late 12.5
late '12,5 kg'
late sold

# ---- names

# The model remembers the id and what was left out.
awk -F, 'BEGIN { OFS = "," } { print (NR == 1 ? "order" : "K" NR * 7), $0, (NR == 1 ? "memo" : "m" NR % 3) }' plain.csv >named.csv
run fit named.csv $FAST --ignore memo -o named.odim
expect_exit 0
expect_notes "column 'order' has a different value in almost every row (looks like an ID): used as the name of the \
rows"
run score -m named.odim named.csv
expect_exit 0
expect_stderr '1 of 300 rows is an outlier (0.33 %)'
expect_match out '^77,K546,.*,1$'
cp out named.scores
# Lines without names, as tail -f gives them, are taken in the order of the fitted file.
sed 1d named.csv >bare.csv
run_sh '"$ODIM" score -m named.odim - <bare.csv'
expect_exit 0
expect_stderr 'odim: note: the file has no column names: its columns are taken in the order of the file that the model was fitted on' \
    '1 of 300 rows is an outlier (0.33 %)'
cut -d, -f1-3,5- named.scores >want
expect_same want out
run_sh '(sed -n 77p bare.csv; sleep 1; sed -n 78p bare.csv) | "$ODIM" score -m named.odim - --quiet'
expect_exit 0
expect 'a header and two rows' [ "$(wc -l <out)" -eq 3 ]
expect_match out '^1,K546,.*,1$'
# A header with other names is a header, and a first line of words is a row where the model has words.
sed '1s/price/amount/' named.csv >renamed.csv
refuse 1 "renamed.csv: the model needs column 'price', which is not there" score -m named.odim renamed.csv
awk 'BEGIN { print "color,size"; for (i = 0; i < 90; i++) print "c" i * 7 % 5 "," (i % 3 ? "large" : "small") }' >words.csv
"$ODIM" fit words.csv $FAST --quiet -o words.odim
run_sh 'sed 1d words.csv | "$ODIM" score -m words.odim - --quiet'
expect 'every line is a row' [ "$(wc -l <out)" -eq 91 ]
run score -m named.odim bare.csv --id none --quiet
expect 'no id' [ "$(head -n 1 out)" = row,score,rank,p_outlier,is_outlier ]

# Did you mean; two columns of one name.
refuse 1 "named.csv: there is no column 'prise'; did you mean 'price'?" detect named.csv --only prise
sed '1s/weight/price/' plain.csv >twins.csv
run fit twins.csv $FAST -o twins.odim
expect_exit 0
expect_notes "1 column has the name of an earlier one and got a number: column 3 is now 'price (2)'"
run score -m twins.odim twins.csv --quiet
expect_same plain.scores out
finish
