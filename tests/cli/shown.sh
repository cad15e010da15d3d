# Text from a file that would turn the direction of writing, break a line, or not be seen: shown to people as an escape,
# in files of data as it is.
. "$(dirname "$0")/lib.sh"

# All of them: controls of C1, soft hyphen, marks and overrides of direction, line separators, zero width, no UTF-8.
c1='\302\205\302\233\302\237' hyphen='\302\255' marks='\330\234\342\200\216\342\200\217'
embed='\342\200\252\342\200\253\342\200\254\342\200\255\342\200\256' isolate='\342\201\246\342\201\247\342\201\250\342\201\251'
lines='\342\200\250\342\200\251' zero='\342\200\213\342\200\215\342\201\240\357\273\277' bad='\377\303'
# The text of a table is always UTF-8: what is not is converted when it is read.
text="$c1$hyphen$marks$embed$isolate$lines$zero"
all="$text$bad"

# What is neither ASCII nor a letter that we wrote (U+00E9 here; U+2026, U+202F and U+FFFD are the report's own).
expect_safe() # FILE
{
    LC_ALL=C sed -e 's/\xc3\xa9//g' -e 's/\xe2\x80\xa6//g' -e 's/\xe2\x80\xaf//g' "$1" | LC_ALL=C tr -d '\n\t -~' >rest
    if [ ! -s rest ]; then pass; else
        fail "$1 shows what is to be hidden: $(od -An -tx1 rest | head -n 3)"
    fi
}

hostile() # CHARACTERS: a table with them in the names of columns, in ids, in cells
{
    printf "na${1}me,siz${1}e,jo\303\251${1}b\n"
    i=0
    while [ $i -lt 60 ]; do
        i=$((i + 1))
        printf "r$i$1x,%d,k$((i % 3))$1\n" $((i * 7 % 13))
    done
    printf "last${1}x,900,odd${1}\n"
}
hostile "$text" >all.csv
run detect all.csv --id 1 $FAST --top 5 --quiet
expect_exit 0
expect_safe out
expect_match out 'na\\u0085\\u009b'
run detect all.csv --id 1 $FAST --top 5 --explain 2 --quiet
expect_safe out
expect_match out 'siz\\u0085'

# Each by its number.
hostile '\342\200\256' >rlo.csv
run detect rlo.csv --id 1 $FAST --top 1 --quiet
expect_match out 'na\\u202eme'
expect_match out 'odd\\u202e'
run fit all.csv --ignore 1 $FAST -o model.odim
run inspect model.odim
expect_exit 0
expect_safe out
run explain -m model.odim all.csv --id 1 --row 61
expect_exit 0
expect_safe out
expect_match out '^row 61 \(last\\u0085'

# Notes and messages, names of files among them.
{
    printf "a,b,c${text}onst\n"
    i=0
    while [ $i -lt 30 ]; do i=$((i + 1)) && echo "$i,$((i % 7)),5"; done
} >const.csv
run detect const.csv $FAST -o s.csv
expect_match err 'note: .*c\\u0085.*onst'
expect_safe err
printf "a,b${text}\n1,2\n2,3\n3,x${text}\n" >cell.csv
run detect cell.csv --numeric 1,2
expect_exit 1
expect_match err "row 3 \(line 4\), column 'b.u0085"
expect_safe err
odd=$(printf "gone$all")
run detect "$odd"
expect_exit 1
expect_safe err
run inspect "$odd"
expect_safe err
cp model.odim "$odd"
run inspect "$odd"
expect_exit 0
expect_safe out
run detect all.csv --"$odd"
expect_exit 2
expect_safe err
run "$odd"
expect_exit 2
expect_safe err
run detect all.csv --ignore "$odd"
expect_safe err

# A cell that is not UTF-8 is read as Windows-1252, where 81 has no letter.
printf 'id,a\nr\351\201,1\ns,2\nt,3\nu,4\n' >latin.csv
run detect latin.csv --id id $FAST --top 4 --quiet
expect_exit 0
expect 'an accent, and no control' grep -q "r$(printf '\303\251\357\277\275') " out

# A joiner stays where writing needs it: Persian.
printf 'a,\331\205\333\214\342\200\214\330\256\331\210\n1,2\n2,3\n3,4\n4,4\n' >persian.csv
run detect persian.csv $FAST --top 1 --quiet
expect 'a joiner between letters stays' grep -q "$(printf '\331\205\333\214\342\200\214\330\256\331\210')" out

# Data is data.
cell=$(printf 'odd\342\200\256')
run detect rlo.csv --id 1 $FAST --keep -o kept.csv --quiet
expect 'CSV keeps them' grep -q "last$(printf '\342\200\256')x,900,$cell" kept.csv
run detect rlo.csv --id 1 $FAST -o ids.jsonl --quiet
expect 'JSON keeps them' grep -q "last$(printf '\342\200\256')x" ids.jsonl
run fit rlo.csv --ignore 1 --categorical 3 $FAST -o rlo.odim --quiet
run explain -m rlo.odim rlo.csv --row 61 --json
expect 'explain --json keeps them' grep -q "\"value\": \"$cell\"" out
expect 'of what is expected too' grep -q "\"expected\": \"k[012]$(printf '\342\200\256')\"" out
run inspect rlo.odim --json
expect 'inspect --json keeps them' grep -q "k1$(printf '\342\200\256')" out

# The report and its pictures.
run detect all.csv --id 1 --categorical 3 $FAST --report page.html --plot pair.svg -o s.csv --quiet
expect_exit 0
expect_safe page.html
expect_safe pair.svg
cp all.csv "$(printf 'a\342\200\256.csv')"
run detect "$(printf 'a\342\200\256.csv')" --id 1 $FAST --report page.html -o s.csv --quiet
expect_safe page.html
expect_match page.html '<title>Outliers in a.u202e.csv</title>'
run trace all.csv --ignore 1 --members 2 --samples 4 --updates 20 --plot trace.svg --quiet
expect_exit 0
expect_safe trace.svg

finish
