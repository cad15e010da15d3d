# The types of columns: found from the cells, or said; what is left out, and what cannot be read.
. "$(dirname "$0")/lib.sh"

# The plain method, whose models hold no rows and say nothing of them.
FAST="--preset paper $FAST"

# types FILE [OPTION...]: columns and types of the model, one a line, in the file `types`; what is ignored is marked.
types()
{
    run fit "$@" $FAST -o model.odim
    expect_exit 0
    "$ODIM" inspect model.odim --json |
        sed -n 's/^    {"name": "\(.*\)", "type": "\([a-z]*\)", \(.\).*/\1 \2 \3/p' | sed -e 's/ "$//' >types
    "$ODIM" inspect model.odim --json | sed -n 's/.*"name": "\([^"]*\)".*"ignored": "\([^"]*\)".*/\1: \2/p' >ignored
}
# Twenty rows, a column for each case.
awk 'BEGIN {
    print "number,gaps,flag,word,level,day,moment,code,constant,void,name"
    for (i = 1; i <= 20; i++)
        printf "%g,%s,%s,%s,%s,2024-03-%02d,%s,%d,7,%s,n%d\n", 1.5 * i, i % 5 ? i : "NA", i % 2 ? "true" : "FALSE",
            i % 3 ? "yes" : "no", i % 4 ? "red" : "blue", i, sprintf("2024-01-01T%02d:30:00Z", i), 1000 + i % 2,
            i % 2 ? "" : "?", i
}' >data.csv
types data.csv
expect_text types 'number numeric' 'gaps numeric' 'flag boolean' 'word boolean' 'level categorical' 'day time' \
    'moment time' 'code numeric' 'constant numeric' 'void numeric'
expect_text ignored 'constant: is constant' 'void: is empty'
expect_wrote model.odim
expect_stderr "odim: note: column 'name' has a different value in almost every row (looks like an ID): used as the name of the \
rows" "odim: note: column 'constant' is constant: ignored" "odim: note: column 'void' is empty: ignored"

# As the user says, by name or by number, in one list or several.
types data.csv --categorical code,gaps --ignore name,void,constant
expect_text types 'number numeric' 'gaps categorical' 'flag boolean' 'word boolean' 'level categorical' 'day time' \
    'moment time' 'code categorical'
cp types want
types data.csv --categorical 8 --categorical 2 --ignore name,void,constant
expect_same want types
types data.csv --types code=categorical,gaps=categorical --ignore name,void,constant
expect_same want types
types data.csv --types 'code=categorical, 2=categorical' --types number=numeric --ignore name,void,constant
expect_same want types
types data.csv --types day=categorical,flag=categorical --only day,flag
expect_text types 'flag categorical' 'day categorical'

# wrong CODE MESSAGE ARGUMENT...
wrong()
{
    want=$1
    message=$2
    shift 2
    refuse "$want" "$message" detect "$@"
}
wrong 1 "data.csv: row 1 (line 2), column 'level': 'red' is not a number" data.csv --numeric level --bad-rows stop
wrong 1 "data.csv: row 1 (line 2), column 'number': '1.5' is not an ISO 8601 date or time" data.csv --types number=time --bad-rows stop
wrong 1 "data.csv: row 1 (line 2), column 'level': 'red' is not true or false" data.csv --types level=boolean --bad-rows stop
wrong 1 "data.csv: there is no column 'colour'; there are number, gaps, flag, word, level, day, moment, code, constant, \
void, name" data.csv --categorical colour
wrong 2 "--types: 'level' is not COLUMN=TYPE with number, boolean, category or date" data.csv --types level
wrong 2 "--types: 'level=text' is not COLUMN=TYPE with number, boolean, category or date" data.csv \
    --types level=text
wrong 2 "data.csv: column 'code' cannot be both numeric and categorical" data.csv --numeric code --categorical code

# One cell that does not fit its column is a mistake, not another type.
awk 'BEGIN { print "a;b"; for (i = 1; i <= 200; i++) printf "%s;%d\n", i == 150 ? "12,5" : i + 0.5, i % 7 }' >comma.csv
OTHERS="but nearly all other cells of the column are; correct it, count it as missing (--na), take the column as a category (--categorical), \
or tolerate bad rows (--bad-rows)"
wrong 1 "comma.csv: row 150 (line 151), column 'a': '12,5' is not a plain number such as 1234.5, $OTHERS" comma.csv --bad-rows stop
sed 's/^12,5/unknown/' comma.csv >word.csv
wrong 1 "word.csv: row 150 (line 151), column 'a': 'unknown' is not a number, $OTHERS" word.csv --bad-rows stop
types word.csv --na unknown
expect_text types 'a numeric' 'b numeric'
"$ODIM" inspect model.odim --json >out
expect_match out '"name": "a", "type": "numeric", "missing": 1, '
types word.csv --categorical a
expect_text types 'a categorical' 'b numeric'
# Texts that stand for a missing cell, whatever else is asked for.
printf 'a,b\n1,x\n2,y\nNA,x\nnan,NULL\n?,y\n,x\n-,y\nn/a,x\n7,y\n' >na.csv
types na.csv --na -
"$ODIM" inspect model.odim --json >out
expect_match out '"name": "a", "type": "numeric", "missing": 6, '
expect_match out '"name": "b", "type": "categorical", "missing": 1, '

# The same file, typed the same, has the same scores when it is a stream.
run detect data.csv --categorical code --quiet $FAST
cut -d, -f1-3,5- out >want
run detect data.csv --categorical code --quiet --stream $FAST
expect_same want out

finish
