# JSON, JSON lines and zip archives: the same tables as in CSV, pipes, and what is refused.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN { print "a,b,c,d,e"; for (i = 1; i <= 60; i++)
    printf "%d.25,%d,x%d,2024-01-%02d,%s\n", i * i % 37, i % 7, i % 3, 1 + i % 28, i % 9 ? i % 2 ? "true" : "false" : "" }' >t.csv
awk -F, 'NR > 1 { printf "{\"a\":%s,\"b\":%s, \"c\":\"%s\",\"d\":\"%s\",\"e\":%s}\n", $1, $2, $3, $4, $5 == "" ? "null" : $5 }' t.csv >t.jsonl
{ echo '['; sed '$!s/$/,/' t.jsonl; echo ']'; } >t.json
{ printf '{"count": 60, "data": '; cat t.json; echo '}'; } >wrapped.json
gzip -c t.json >packed.json.gz

# The same table gives the same scores.
run detect t.csv $FAST -q -o want
expect_exit 0
for file in t.json t.jsonl wrapped.json packed.json.gz; do
    run detect $file $FAST -q -o got
    expect_exit 0
    expect_same want got
done
run_sh "\"\$ODIM\" detect - $FAST -q -o got <t.jsonl"
expect_exit 0
expect_same want got
cp t.jsonl other.txt
run detect other.txt --format jsonl $FAST -q -o got
expect_same want got
run detect t.csv $FAST --stream -q -o want
for file in t.json t.jsonl; do
    run detect $file $FAST --stream -q -o got
    expect_exit 0
    expect_same want got
done

# Fitted on one, scored on the other.
run fit t.csv $FAST -q -o csv.odim
run fit t.json $FAST -q -o json.odim
expect_exit 0
run score -m csv.odim t.csv -q -o want
for file in t.csv t.json t.jsonl; do
    run score -m json.odim $file -q -o got
    expect_exit 0
    expect_same want got
    run score -m csv.odim $file -q -o got
    expect_same want got
done
run_sh '"$ODIM" score -m csv.odim - -q -o want <t.csv'
run_sh '"$ODIM" score -m csv.odim - -q -o got <t.jsonl'
expect_exit 0
expect_same want got
run score -m csv.odim t.jsonl --stream -q -o got
expect_exit 0
expect_same want got

# A pipe is answered row by row, and a key that the first object lacks is found later.
mkfifo rows scores
"$ODIM" score -m csv.odim - -q <rows >scores 2>err &
exec 3>rows 4<scores
head -n 1 t.jsonl | sed 's/"b":[0-9]*,//' >&3
read -r line <&4
read -r line <&4
expect 'the first row is scored at once' test "${line%%,*}" = 1
sed -n 2p t.jsonl >&3
read -r line <&4
expect 'the second row has its score' test "$line" = "$(sed -n 3p want)"
exec 3>&- 4<&-
wait

# Bad lines.
awk 'NR == 20 { $0 = "{\"a\": 1," } NR == 30 { $0 = "{\"a\": [1]}" } { print }' t.jsonl >bad.jsonl
refuse 1 'bad.jsonl: line 20, byte 1038: the line ends within a value' detect bad.jsonl $FAST --bad-rows stop
run detect bad.jsonl $FAST --bad-rows skip -o got
expect_exit 0
expect_match err '^odim: note: skipped: line 20, byte [0-9]*: the line ends within a value$'
expect_match err "^odim: note: skipped: row 30 \(line 30\): 'a' is an array, which cannot be a cell"
expect '58 rows' test "$(wc -l <got)" = 59
run_sh '"$ODIM" score -m csv.odim - <bad.jsonl >got'
expect_exit 0
expect_match err '^odim: 2 rows could not be read and are skipped$'

# What is refused.
printf '[{"a":1,"tags":[1,2]}]' >tags.json
refuse 1 "tags.json: row 1 (line 1): 'tags' is an array, which cannot be a cell; leave it out (--ignore)" detect tags.json
head -c 500 t.json >cut.json
run detect cut.json --bad-rows skip
expect_exit 1
expect_match err '^odim: cut.json: line [0-9]+, byte 501: the file ends within a string$'
printf '[{"a":NaN}]' >nan.json
refuse 1 "nan.json: line 1, byte 10: 'NaN' before it is not JSON; a missing value is null" detect nan.json

# Zip archives.
if ! command -v python3 >/dev/null; then
    skip 'python3 makes the zip archives'
    finish
    exit
fi
python3 - <<'EOF'
import zipfile
def save(name, *members):
    with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED) as z:
        for m in members: z.write(m)
open('README.txt', 'w').write('words')
save('csv.zip', 'README.txt', 't.csv')
save('json.zip', 't.json')
save('two.zip', 't.csv', 't.jsonl')
save('nested.zip', 'csv.zip')
with open('huge.csv', 'w') as f: f.write('a,b\n' + '1,2\n' * 500000)
save('bomb.zip', 'huge.csv')
EOF
run detect t.csv $FAST -q -o want
for archive in csv.zip json.zip 'two.zip --entry t.jsonl'; do
    run detect $archive $FAST -q -o got
    expect_exit 0
    expect_same want got
done
run_sh "\"\$ODIM\" detect - $FAST -q -o got <csv.zip"
expect_same want got
run score -m csv.odim t.csv -q -o want
# A file that is read twice is wrapped both times.
run score -m csv.odim wrapped.json -q -o got
expect_same want got
refuse 1 'nested.zip: csv.zip: a zip archive in a zip archive is not read; unpack it first' detect nested.zip
run score -m csv.odim csv.zip -q -o got
expect_same want got
refuse 1 'two.zip: the zip archive has 2 files (t.csv, t.jsonl): name one (--entry)' detect two.zip
refuse 1 "two.zip: there is no file 'x' in the zip archive; it has t.csv, t.jsonl" detect two.zip --entry x
refuse 1 't.csv: it is not a zip archive: entry does not apply' detect t.csv --entry x
run detect bomb.zip --unpacked 1M
expect_exit 1
expect_match err '^odim: bomb.zip: unpacks to more than 1.0 MB'
finish
