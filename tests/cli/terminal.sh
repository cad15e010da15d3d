# On a terminal: the progress line, tables cut to the width, Ctrl-C typed at the keyboard.
. "$(dirname "$0")/lib.sh"

if ! command -v script >/dev/null || ! script -qec true typescript </dev/null >/dev/null 2>&1; then
    skip 'no script(1) to make a terminal'
    finish
fi

# A fit and a scoring of a second or so.
make_table 4000 >data.csv
SLOW='--preset paper --only a,b,c --members 10 --samples 50 --score-samples 400 --threads 1 --max-updates 60'

# on_terminal COLUMNS COMMAND: what appears on a terminal of that width, in the file `seen`; sets $code.
on_terminal()
{
    last="$2 ($1 columns)"
    script -qec "stty cols $1 rows 24; $2" typescript </dev/null >seen 2>&1
    code=$?
}
escape=$(printf '\033')

# The states the line went through, without colors, one a line. U+2501 counts as one column.
frames()
{
    tr '\r' '\n' <seen | sed -e "s/$escape\[[0-9;]*[mK]//g" -e 's/━/=/g'
}

on_terminal 120 "\"\$ODIM\" detect data.csv $SLOW -o scores.csv"
expect_exit 0
frames >frames
expect_match frames '^reading data.csv$'
expect_match frames '^fitting  [#.]{30}  ( [0-9]|[0-9]{2})[0-9]%  .*[0-9]+/10 members  +[0-9]+ updates'
expect_match frames 'distance [0-9.e-]+$'
expect_match frames '^scoring  [#.]{30}  .*[0-9]+/4000 rows$'
expect_match seen "$escape\[36m"
expect 'the line is removed at the end' [ "$(grep . frames | tail -n 1)" = '160 of 4000 rows are outliers (4 %)' ]
expect_match seen "$escape\[Kscores -?[0-9.]+ "
expect_match seen '^160 of 4000 rows'

on_terminal 120 "NO_COLOR=1 LC_ALL=C.UTF-8 \"\$ODIM\" detect data.csv $SLOW -o scores.csv"
frames >frames
expect_match frames '^fitting  =* *  [ 0-9]{3}%'
expect 'no color' sh -c "! grep -q '$escape\[[0-9]*m' seen"

for columns in 60 1; do
    on_terminal $columns "\"\$ODIM\" detect data.csv $SLOW --score-samples 40 -o scores.csv"
    expect_exit 0
    frames | grep -v '^[0-9]* of 4000 rows ' >frames
    expect "no line reaches column $columns" awk -v n=$columns 'length >= n && length > 0 { exit 1 }' frames
done

# At least "reading" would show, however short the run.
QUICK="--only a,b,c -o scores.csv $FAST"
on_terminal 80 "\"\$ODIM\" detect data.csv $QUICK"
expect_match seen '^reading data.csv'
on_terminal 80 "TERM=dumb \"\$ODIM\" detect data.csv $QUICK"
expect_text seen "$(printf '160 of 4000 rows are outliers (4 %%)\r')"
for quiet in "\"\$ODIM\" detect data.csv $QUICK --quiet" \
    "\"\$ODIM\" detect data.csv $QUICK 2>/dev/null"; do
    on_terminal 80 "$quiet"
    expect_exit 0
    expect 'nothing is drawn' [ ! -s seen ]
done

# A note or an error takes the place of the line.
printf 'a,b\n1,2\ninf,3\n' >bad.csv
on_terminal 80 '"$ODIM" detect bad.csv'
expect_exit 1
expect_match seen "${escape}\[Kodim: bad.csv: row 2"

# The table of the most outlying rows.
awk 'BEGIN {
    for (j = 1; j <= 20; j++) printf "column%d%s", j, j < 20 ? "," : "\n"
    for (i = 1; i <= 10; i++) for (j = 1; j <= 20; j++) printf "%d%s", (i * j) % 7, j < 20 ? "," : "\n"
}' >wide.csv
for columns in 100 60 30 10; do
    on_terminal $columns "\"\$ODIM\" detect wide.csv --top 3 --quiet $FAST"
    frames >frames
    [ $columns = 10 ] || expect "it fits into $columns columns" awk -v n=$columns 'length > n { exit 1 }' frames
    expect_match frames '^rank +row +score'
    expect_match frames '^\([0-9]+ more columns\)$'
done

# Texts of any length are broken into lines, beside the other columns or below them; no word is lost.
make_mixed 400 >mixed.csv
"$ODIM" fit mixed.csv --id name --preset paper $FIND -o model.odim
for command in 'score -m model.odim mixed.csv --id name --top 5 --explain 2 --quiet' 'inspect model.odim' \
    'explain -m model.odim mixed.csv --row 40'; do
    "$ODIM" $command | sed '/^parameters:/,$d' | tr -s ' ' '\n' >words
    for columns in 100 80 70; do
        on_terminal $columns "\"\$ODIM\" $command"
        frames | sed '/^parameters:/,$d' >frames
        expect "it fits into $columns columns" awk -v n=$columns '/^ *[0-9]|^[a-z]+  / && length > n { exit 1 }' frames
        tr -s ' \n' '\n' <frames >got
        tr -s '\n' <words >want
        expect_same want got
    done
done
on_terminal 60 '"$ODIM" score -m model.odim mixed.csv --id name --top 2 --explain 1 --quiet'
frames | grep . >frames
expect_match frames '^rank +row +name +score +p_outlier$'
expect_match frames '^      reasons$'
expect_match frames '^      size 899.5 .*: expected about 187.1, usually 152.6$'
expect_match frames '^      to 187.1$'

# ---- without --output: an answer for people

# seen as text, without the progress line and the carriage returns.
answer()
{
    tr -d '\r' <seen | sed -e "s/.*$escape\[K//" -e '/^reading /d'
}
make_table 1200 >table.csv
on_terminal 80 "\"\$ODIM\" detect table.csv --id name --ignore fault $FAST"
expect_exit 0
answer >answer
grep . answer | head -n 1 >first
expect_match first '^48 of 1,200 rows are outliers(; [0-9]+ more (is|are) unusual)?[.]$'
expect_match answer '^ *row  name +score  reasons$'
expect 'twenty rows' [ "$(grep -c -E '^ *[0-9]+  row [0-9]+ +[0-9]+\.[0-9][0-9]  [abc] .*: ((expected )?about |contradicts )' answer)" -eq 20 ]
expect_match answer '^and 28 more: --top 48 or -o FILE$'
expect_match answer '^  --report report.html   an HTML page$'
expect_match answer '^  -o scores.csv          the score of every row$'
expect 'no line is wider than the terminal' awk 'length > 80 { exit 1 }' answer
expect 'no reason needs two lines' sh -c '! grep -E "^ +to |^ +-?[0-9.]+$" answer'
expect 'no color' sh -c "sed -n '/^Next/,\$p' seen | grep -q '$escape' && exit 1; exit 0"

# No outliers: the highest rows.
on_terminal 120 "\"\$ODIM\" detect table.csv --id name --ignore fault $FAST --threshold 1000 --quiet"
expect_exit 0
answer >answer
expect_match answer '^No outliers in 1,200 rows; [0-9]+ are unusual, which need not mean an error:$'
expect 'five rows' [ "$(grep -c -E '^ *[0-9]+  row [0-9]+' answer)" -eq 5 ]
expect_match answer '^  --top 50               the rows with the highest scores$'
printf 'a,b\n1,2\n2,3\n' >two.csv
on_terminal 80 "\"\$ODIM\" detect two.csv $FAST --quiet"
expect_exit 0
answer >answer
expect_match answer '^No outliers in 2 rows\. The highest score is 0\.00; outliers are above 4\.$'
expect 'no rows' sh -c '! grep -q reasons answer'

# Whoever asks for reasons, other scores or a report gets these as well.
on_terminal 100 "\"\$ODIM\" detect table.csv --id name --ignore fault $FAST --explain 1 --raw-scores --report page.html"
answer >answer
expect_match answer '^ *row  name +score  raw_score  reasons$'
expect 'a reason for each row' [ "$(grep -c -E "^ *[0-9]+  row .*: ((expected )?about |contradicts )" answer)" -eq 20 ]
expect 'there is a page' [ -s page.html ]
expect 'and none is proposed' sh -c '! grep -q -e --report answer'

# Scores of a model: the same answer. From a stream rows come as they are scored.
on_terminal 80 '"$ODIM" score -m model.odim mixed.csv --id name'
answer >answer
expect_match answer '^10 of 400 rows are outliers'
on_terminal 80 '"$ODIM" score -m model.odim - --id name --quiet <mixed.csv'
answer >answer
expect_match answer '^row,name,score,p_outlier,is_outlier$'

# What asks for rows gets rows, and so does a pipe.
"$ODIM" detect table.csv --id name --ignore fault $FAST --quiet >rows.csv
for form in '-o -' '--output-format csv' '| cat'; do
    on_terminal 80 "\"\$ODIM\" detect table.csv --id name --ignore fault $FAST --quiet $form"
    expect_exit 0
    answer >answer
    expect_same answer rows.csv
done
for form in '--keep' '--provenance' '--stream'; do
    on_terminal 80 "\"\$ODIM\" detect table.csv --id name --ignore fault $FAST --quiet $form"
    answer >answer
    expect 'every row' [ "$(grep -c -E '^[0-9]+,' answer)" -eq 1200 ]
done

# Ctrl-C at the keyboard, when what is on the screen says that the program is at work.
control_c_at() # PATTERN
{
    until grep -q -e "$1" seen || ! kill -0 $$; do sleep 0.05; done
    sleep 0.5
    printf '\003'
}
last='Ctrl-C'
echo old >old
cp old kept.csv
: >seen
control_c_at fitting |
    script -qefc "\"\$ODIM\" detect data.csv --only a,b,c --members 10000 -o kept.csv" typescript >seen 2>&1
code=$?
expect_exit 130
expect_match seen 'odim: interrupted'
expect_same old kept.csv
expect_tidy .

# And before there is anything to cancel: while it reads from a keyboard where nobody types.
last='Ctrl-C while reading'
: >seen
control_c_at reading | script -qefc "\"\$ODIM\" detect - -o kept.csv" typescript >seen 2>&1
code=$?
expect_exit 130
expect_match seen "${escape}\[Kodim: interrupted"
expect_same old kept.csv
expect_tidy .

finish
