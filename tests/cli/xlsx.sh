# Excel workbooks: the same rows as CSV give the same scores; sheets, notes and errors.
. "$(dirname "$0")/lib.sh"

little_endian() # NUMBER BYTES
{
    number=$1
    for byte in $(seq "$2"); do
        printf "\\$(printf %03o $((number % 256)))"
        number=$((number / 256))
    done
}

# make_zip FILE MEMBER...: a zip archive of stored files, as they are named in the current folder.
make_zip()
{
    archive=$1
    shift
    : >"$archive"
    : >directory
    for member; do
        size=$(wc -c <"$member")
        {
            printf '\024\000\000\000\000\000\000\000\000\000'
            gzip -c "$member" | tail -c 8 | head -c 4 # its CRC-32
            little_endian "$size" 4
            little_endian "$size" 4
            little_endian ${#member} 2
            printf '\000\000'
        } >facts
        start=$(wc -c <"$archive")
        {
            printf 'PK\001\002\024\000'
            cat facts
            printf '\000\000\000\000\000\000\000\000\000\000'
            little_endian "$start" 4
            printf %s "$member"
        } >>directory
        {
            printf 'PK\003\004'
            cat facts
            printf %s "$member"
            cat "$member"
        } >>"$archive"
    done
    start=$(wc -c <"$archive")
    {
        cat directory
        printf 'PK\005\006\000\000\000\000'
        little_endian $# 2
        little_endian $# 2
        little_endian "$(wc -c <directory)" 4
        little_endian "$start" 4
        printf '\000\000'
    } >>"$archive"
}

# sheet [ROWS] <CSV: its cells as XML from column B on, below a title and so many rows. Texts are shared, dates are
# numbers in style 1, other numbers are percentages, style 2.
sheet()
{
    awk -F , -v top="${1-0}" '
        function days(date,    y, m, era, yoe, doy) {
            y = substr(date, 1, 4) + 0; m = substr(date, 6, 2) + 0
            if (m <= 2) y--
            yoe = y % 400; era = (y - yoe) / 400
            doy = int((153 * (m > 2 ? m - 3 : m + 9) + 2) / 5) + substr(date, 9, 2) - 1
            return era * 146097 + yoe * 365 + int(yoe / 4) - int(yoe / 100) + doy - 719468 + 25569
        }
        BEGIN {
            while ((getline line <"strings") > 0) seen[line] = count++
            print "<worksheet><sheetData>"
            if (top) print "<row r=\"1\"><c r=\"B1\" t=\"inlineStr\"><is><t>Staff of all branches</t></is></c></row>"
        }
        {
            printf "<row r=\"%d\">", NR + top
            for (i = 1; i <= NF; i++) {
                at = sprintf("r=\"%c%d\"", 65 + i, NR + top)
                if ($i == "" || $i == "NA") continue
                else if ($i ~ /^[0-9]+-[0-9]+-[0-9]+$/) printf "<c %s s=\"1\"><v>%d</v></c>", at, days($i)
                else if ($i ~ /^[0-9.]+$/) printf "<c %s s=\"2\"><v>%s</v></c>", at, $i
                else {
                    if (!($i in seen)) { seen[$i] = count++; print $i >>"strings" }
                    printf "<c %s t=\"s\"><v>%d</v></c>", at, seen[$i]
                }
            }
            print "</row>"
        }
        END { print "</sheetData></worksheet>" }'
    { echo '<sst>' && sed 's|.*|<si><t>&</t></si>|' strings && echo '</sst>'; } >xl/sharedStrings.xml
}

relation() # ID TYPE TARGET
{
    printf '<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" ' "$1" "$2"
    printf 'Target="%s"/>' "$3"
}

mkdir -p xl/_rels xl/worksheets _rels
echo '<Types/>' >'[Content_Types].xml'
{ echo '<Relationships>' && relation rId1 officeDocument xl/workbook.xml && echo '</Relationships>'; } >_rels/.rels
{
    echo '<Relationships>'
    relation rId1 worksheet worksheets/sheet1.xml
    relation rId2 worksheet worksheets/sheet2.xml
    relation rId3 sharedStrings sharedStrings.xml
    relation rId4 styles styles.xml
    echo '</Relationships>'
} >xl/_rels/workbook.xml.rels
{
    echo '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\.mm\.yyyy"/></numFmts>'
    echo '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>'
} >xl/styles.xml
make_workbook() # FILE
{
    make_zip "$1" '[Content_Types].xml' _rels/.rels xl/workbook.xml xl/_rels/workbook.xml.rels \
        xl/worksheets/sheet1.xml xl/worksheets/sheet2.xml xl/sharedStrings.xml xl/styles.xml
}
sheets() # ATTRIBUTE: of the second sheet
{
    echo "<workbook><sheets><sheet name=\"Staff\" sheetId=\"1\" r:id=\"rId1\"/>"
    echo "<sheet name=\"Old Staff\" sheetId=\"2\" r:id=\"rId2\" $1/></sheets></workbook>"
}

make_mixed 300 >staff.csv
make_mixed 200 5 >old.csv
: >strings
sheet 3 <staff.csv >xl/worksheets/sheet1.xml
echo '<worksheet><sheetData/></worksheet>' >xl/worksheets/sheet2.xml
sheets 'state="hidden"' >xl/workbook.xml
make_workbook staff.xlsx

# The same table gives the same model and scores, at once, streamed and from a pipe.
run detect staff.csv --id name $FAST --save-model csv.odim
expect_exit 0
cp out want.csv
cp err want.err
run detect staff.xlsx --id name $FAST --save-model xlsx.odim
expect_exit 0
expect_same out want.csv
expect_match err '^odim: note: 1 row above the table is skipped$'
grep -v 'above the table' err >got
expect_same got want.err
expect_same csv.odim xlsx.odim
run_sh '"$ODIM" detect - --id name '"$FAST"' --quiet <staff.xlsx'
expect_same out want.csv
run_sh 'cat staff.xlsx | "$ODIM" detect - --id name '"$FAST"' --quiet'
expect_same out want.csv
run detect staff.xlsx --id name $FAST --quiet --format xlsx --sheet Staff
expect_same out want.csv
run fit staff.csv --id name $FAST -o a.odim
run fit staff.xlsx --id name $FAST -o b.odim
expect_exit 0
expect_same a.odim b.odim
run detect staff.csv --id name $FAST --quiet --stream -o a.csv
run detect staff.xlsx --id name $FAST --quiet --stream -o b.csv
expect_exit 0
expect_same a.csv b.csv

# In a zip archive.
echo 'read me' >readme.txt
make_zip mail.zip readme.txt staff.xlsx
run detect mail.zip --id name $FAST --quiet
expect_exit 0
expect_same out want.csv

# A model of one reads the other.
run score -m csv.odim staff.csv --id name --quiet
cp out want.csv
run score -m csv.odim staff.xlsx --id name --quiet
expect_exit 0
expect_same out want.csv
run score -m xlsx.odim staff.csv --id name --quiet
expect_same out want.csv
run score -m xlsx.odim staff.csv --id name --quiet --stream
cp out want.csv
run score -m xlsx.odim staff.xlsx --id name --quiet --stream
expect_exit 0
expect_same out want.csv

# Sheets.
sheet <old.csv >xl/worksheets/sheet2.xml
sheets '' >xl/workbook.xml
make_workbook two.xlsx
run detect two.xlsx --id name $FAST -o /dev/null
expect_exit 0
expect_match err "^odim: note: sheet 'Staff' is read; the workbook also has 'Old Staff' \(--sheet\)$"
run detect old.csv --id name $FAST --quiet
cp out want.csv
for name in 'Old Staff' 'old staff' 2; do
    run detect two.xlsx --id name $FAST --quiet --sheet "$name"
    expect_exit 0
    expect_same out want.csv
done
refuse 2 "two.xlsx: there is no sheet 'New'; the workbook has 'Staff' and 'Old Staff'" detect two.xlsx --sheet New

# Errors name the row of the sheet.
sed '121s/,[0-9.]*,/,many,/' staff.csv >wrong.csv
sheet 3 <wrong.csv >xl/worksheets/sheet1.xml
make_workbook wrong.xlsx
run detect wrong.xlsx --id name $FAST --quiet --numeric size --sheet 1 --bad-rows stop
expect_exit 1
expect_stderr "odim: wrong.xlsx: row 120 (sheet row 124), column 'size': 'many' is not a number"
run detect wrong.xlsx --id name $FAST --quiet --numeric size --sheet 1 --bad-rows skip
expect_exit 0
expect 'one row less' [ "$(wc -l <out)" -eq 300 ]
head -c 3000 staff.xlsx >cut.xlsx
run detect cut.xlsx
expect_exit 1
expect_match err '^odim: cut.xlsx: not a whole zip archive.*: the file is truncated$'
refuse 1 'staff.xlsx: xl/worksheets/sheet1.xml: it unpacks to more than 0.1 MB, the most that is allowed; if the file '\
'can be trusted, allow more (--unpacked)' detect staff.xlsx --unpacked 60k
printf '\320\317\021\340\241\261\032\341 and more' >old.xls
refuse 1 'old.xls: it is an old Excel file (.xls), which cannot be read; save it as .xlsx or CSV' detect old.xls
printf '\320\317\021\340\241\261 E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0' >locked.xlsx
refuse 1 'locked.xlsx: it is an encrypted workbook; save it without a password, as .xlsx or CSV' detect locked.xlsx
echo x >xl/workbook.bin
make_zip binary.xlsb '[Content_Types].xml' xl/workbook.bin
refuse 1 'binary.xlsb: it is a binary workbook (.xlsb), which cannot be read; save it as .xlsx or CSV' detect binary.xlsb

# A workbook that is cut; options for other formats.
head -c 5000 "$test_dir/../data/orders.xlsx" >cut.xlsx
refuse 1 'cut.xlsx: not a whole zip archive: its directory, which belongs at the end, is missing: the file is truncated' \
    detect cut.xlsx
refuse 2 'staff.csv: it is not a workbook: sheet does not apply' detect staff.csv --sheet Staff
refuse 2 'old.csv: it is not a workbook: sheet does not apply' detect old.csv staff.csv --sheet 1
refuse 2 'staff.xlsx: it is not a folder of pictures: pixels does not apply' detect staff.xlsx --pixels 8x8
refuse 2 'staff.xlsx: tables and queries are for databases, which it is not' detect staff.xlsx --table Staff

# Workbooks of other programs with the rows of orders.csv: dates, times, currency, per cent, booleans, formulas and errors.
# orders.xlsx and orders.ods are by LibreOffice, with a merged title and a hidden sheet; orders-1904.xlsx by XlsxWriter, in the other date
# system.
data=$test_dir/../data
run detect "$data/orders.csv" $FIND
expect_exit 0
cp out want.csv
run detect "$data/orders.xlsx" $FIND
expect_exit 0
expect_same out want.csv
expect_match err "^odim: note: sheet 'Orders' is read; the workbook also has 'Prices' \(--sheet\)$"
expect_match err '^odim: note: 1 row above the table is skipped$'
expect_match err '^odim: note: 16 cells of the sheet with an error such as #N/A are missing \(first K11\)$'
run detect "$data/orders.ods" $FIND
expect_exit 0
expect_same out want.csv
expect_match err "^odim: note: sheet 'Orders' is read; the workbook also has 'Prices' \(--sheet\)$"
expect_match err '^odim: note: 16 cells of the sheet with an error such as #N/A are missing \(first K11\)$'
run_sh '"$ODIM" detect - --format ods '"$FIND"' <"'"$data"'/orders.ods"'
expect_exit 0
expect_same out want.csv
run detect "$data/orders.ods" --sheet notes $FIND
expect_exit 1
refuse 2 "$data/orders.ods: there is no sheet 'May'; the workbook has 'Orders' and 'Prices'" detect "$data/orders.ods" --sheet May
run detect "$data/orders-1904.xlsx" $FIND
expect_exit 0
expect_same out want.csv
run fit "$data/orders-1904.xlsx" $FIND -o 1904.odim -q
run score -m 1904.odim "$data/orders-1904.xlsx"
cp out want.csv
run score -m 1904.odim "$data/orders.xlsx"
expect_exit 0
expect_same out want.csv

finish
