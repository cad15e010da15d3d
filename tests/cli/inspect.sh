# odim inspect: what is in a model, for people and for programs.
. "$(dirname "$0")/lib.sh"

# The plain method: a model of networks only.
FAST="--preset paper $FAST"
FIND="--preset paper $FIND"

make_mixed 400 | awk '{ print $0 "," (NR == 1 ? "site" : "x") }' >data.csv
"$ODIM" fit data.csv $FIND --quiet -o model.odim || exit 1
run inspect model.odim
expect_exit 0
expect_stderr
expect_golden inspect
run inspect model.odim --json
expect_exit 0
expect_golden inspect-json
cp out model.json

# It is the model that detect names, and what made it is the same.
run detect data.csv $FIND --quiet --json
for member in model threshold; do
    grep "^  \"$member\":" model.json >want
    grep "^  \"$member\":" out >got
    expect_same want got
done
sed -n '/"parameters"/,/}/p' model.json >want
sed -n '/"parameters"/,/}/p' out >got
expect_same want got
sed -n '/"members": \[/,/\]/p' model.json >want
sed -n '/"members": \[/,/\]/p' out >got
expect_same want got

# Names and levels that are long, odd or many.
printf '"a\nb","say ""hi""",level\n' >odd.csv
for i in 1 2 3 4 5 6; do
    printf '%d,%d,"\303\244\303\266\303\274\303\244\303\266\303\274\303\244\303\266\303\274x\303\244\303\266\303\274 %d"\n' \
        "$i" $((i * i)) $((i % 5))
    printf '%d,%d,"\033[31mred"\n' "$i" $((7 - i))
done >>odd.csv
"$ODIM" fit odd.csv $FAST --quiet -o odd.odim
run inspect odd.odim
expect_exit 0
expect 'no escape sequence gets through' [ "$(tr -dc '\033' <out | wc -c)" -eq 0 ]
expect 'it is UTF-8 to the last byte' sh -c 'iconv -f UTF-8 -t UTF-8 out >converted && cmp -s out converted'
expect_match out '^a\\nb +numeric '
expect_match out '^say "hi" +numeric '
run inspect odd.odim --json
expect_match out '"name": "a\\nb", '
expect_match out '"levels": \{"\\u001b\[31mred": 6, '

printf 'id,when\n1234567890123,2024-05-01 10:00\n1234567890124,2024-05-01 10:01\n1234567890129,2024-05-02\n' >exact.csv
"$ODIM" fit exact.csv $FAST -o exact.odim
run inspect exact.odim --json
expect_match out '"low": 1234567890123, "high": 1234567890129, '
expect_match out '"low": 1714557600, "high": 1714608000, '
run inspect exact.odim
expect_match out ' 1234567890123 to 1234567890129  1234567890123 to 1234567890129$'

run inspect --json
expect_exit 2
expect_stderr 'odim: inspect needs a MODEL'
run inspect model.odim data.csv
expect_exit 2
expect_stderr "odim: unexpected argument 'data.csv' after 'model.odim'"
run_sh '"$ODIM" inspect model.odim >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'
if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
    "$ODIM" inspect odd.odim --json >odd.json
    for file in model.json odd.json; do
        last="python3 -m json.tool $file"
        expect 'it is JSON' sh -c "python3 -m json.tool $file >parsed"
    done
else
    skip 'no python3 to parse the JSON'
fi

finish
