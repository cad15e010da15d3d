#!/bin/sh
# everyday.sh FOLDER: the tables that bench/everyday makes: what it says it planted is what is there, and nothing else.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
everyday=$PWD/$1/bench/everyday
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

run() # ARGUMENT...: into out.txt and err.txt
{
    "$everyday" "$@" >"$tmp/out.txt" 2>"$tmp/err.txt"
}

write() # FOLDER ARGUMENT...
{
    folder=$tmp/$1
    shift
    mkdir "$folder" && run --write "$folder" --most-rows 1200 "$@" && [ ! -s "$tmp/err.txt" ] && return
    cat "$tmp/err.txt"
    return 1
}

refuses() # TEXT ARGUMENT...
{
    text=$1
    shift
    ! run "$@" && grep -q -F -e "$text" "$tmp/err.txt" && return
    cat "$tmp/out.txt" "$tmp/err.txt"
    return 1
}

# sound BASE: BASE.csv and BASE.clean.csv differ where BASE.truth.csv says so and nowhere else; the gross errors are
# beyond all clean values by a quarter of their range or, above a skewed column, by twice the largest. Of its own
# making, so that the program is not asked about itself.
sound()
{
    awk -F , '
        function number(text, part) {
            if (text !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-/) return text + 0
            split(text, part, "[- :]")
            return part[1] * 365.25 + (part[2] - 1) * 30.4 + part[3]
        }
        function wrong(why) {
            print FILENAME ": row " row ": " why
            bad = 1
        }
        FNR == 1 { file++ }
        file < 3 && FNR == 1 { for (c = 1; c <= NF; c++) column[$c] = c; cols = NF }
        file < 3 && NF != cols { row = FNR - 1; wrong("has " NF " cells") }
        file == 1 && FNR > 1 {
            rows = FNR - 1
            for (c = 1; c <= NF; c++) {
                clean[rows, c] = $c
                if ($c != "") value[c, count[c]++] = number($c)
                if ($c ~ /^-?[0-9.]+$/) numbers[c]++
            }
        }
        file == 2 && FNR > 1 {
            spoilt_rows = FNR - 1
            for (c = 1; c <= NF; c++) {
                spoilt[FNR - 1, c] = $c
                if ($c != clean[FNR - 1, c]) changed[FNR - 1, c] = 1
            }
        }
        file == 3 && FNR == 1 && $0 != "row,kind,gross,column" { wrong("the head is " $0) }
        file == 3 && FNR > 1 {
            row = $1
            if (NF != 4 || row !~ /^[0-9]+$/ || row < 1 || row > rows) wrong("is no row of the table: " $0)
            if (row + 0 <= last) wrong("is not after " last)
            last = row + 0
            if ($3 !~ /^[01]$/) wrong("gross is " $3)
            outside = 0
            n = split($4, names, "+")
            for (i = 1; i <= n; i++) {
                c = column[names[i]]
                if (!c) { wrong("no column " names[i]); continue }
                if (!((row, c) in changed)) wrong(names[i] " was not changed")
                delete changed[row, c]
                if ($3 == 1) outside += far(c, number(spoilt[row, c]))
            }
            if ($3 == 1 && !outside) wrong($4 " is not far outside: " $0)
            planted++
        }
        function far(c, v, i, low, high, below, skewed) {
            low = high = value[c, 0]
            for (i = 0; i < count[c]; i++) {
                if (value[c, i] < low) low = value[c, i]
                if (value[c, i] > high) high = value[c, i]
            }
            # The median is below a tenth of the largest when more than half of the values are.
            for (i = 0; i < count[c]; i++) below += value[c, i] < high / 10
            skewed = numbers[c] && low >= 0 && below > count[c] / 2
            return v < low - (high - low) / 4 || v > (skewed ? 3 * high : high + (high - low) / 4)
        }
        END {
            if (file != 3 || rows != spoilt_rows || !planted) { row = 0; wrong("files do not go together") }
            for (cell in changed) {
                split(cell, part, SUBSEP)
                row = part[1]
                wrong("column " part[2] " was changed, and nothing says so")
            }
            exit bad
        }' "$1.clean.csv" "$1.csv" "$1.truth.csv"
}

unsound() # TEXT: of the changed files of staff
{
    ! sound "$tmp/12_staff" >"$tmp/out.txt" && grep -q -F -e "$1" "$tmp/out.txt" && return
    cat "$tmp/out.txt"
    return 1
}

kinds() # FOLDER: how many different ones
{
    cat "$tmp/$1"/*.truth.csv | grep '^[0-9]' | cut -d , -f 2 | sort -u | wc -l
}

[ "$1" != build ] || check "build" tools/build.sh release everyday

check "no such option" refuses '--nonsense: unknown option' --nonsense 1
check "no value" refuses '--state: its value is missing' --state
check "no half" refuses 'both: not even or odd' --half both
check "no such table" refuses 'tables: none is wanted' --tables nonsense
check "no such folder" refuses "$tmp/none/02_team.csv: No such file" --write "$tmp/none" --tables team

for state in 1 2 3; do
    check "state $state" write "$state" --state "$state"
    for truth in "$tmp/$state"/*.truth.csv; do
        base=${truth%.truth.csv}
        check "state $state: $(basename "$base")" sound "$base"
    done
done
check "twenty tables of at most 1200 rows" test "$(find "$tmp/1" -name '*.truth.csv' | wc -l)" = 20
check "many kinds of errors" test "$(kinds 1)" -ge 15
check "the same state" write again --state 1
check "gives the same bytes" diff -r "$tmp/1" "$tmp/again"
check "another state gives others" sh -c '! cmp -s "$1/1/12_staff.csv" "$1/2/12_staff.csv"' sh "$tmp"
check "even half" write even --half even
check "odd half" write odd --half odd
check "both are all" test "$(find "$tmp/even" "$tmp/odd" -name '*.truth.csv' | wc -l)" = 20
check "even numbers" test -z "$(find "$tmp/even" -name '?[13579]_*')"
check "kinds in the even half" test "$(kinds even)" -ge 12
check "kinds in the odd half" test "$(kinds odd)" -ge 12

# What is wrong would be seen.
cp "$tmp/1"/12_staff* "$tmp"
sed '5s/Acme/Acne/' "$tmp/1/12_staff.csv" >"$tmp/12_staff.csv"
check "a change that nobody planted" unsound 'was changed, and nothing says so'
cp "$tmp/1/12_staff.csv" "$tmp"
sed 's/,0,/,1,/' "$tmp/1/12_staff.truth.csv" >"$tmp/12_staff.truth.csv"
check "gross that is not" unsound 'is not far outside'
sed '2s/^[0-9]*/301/' "$tmp/1/12_staff.truth.csv" >"$tmp/12_staff.truth.csv"
check "a row that is not there" unsound 'is no row of the table'

check "a run" run --tables team,seedlings --set preset=fast --set members=1
check "its table" grep -q '^| 02 team | 8 | 1 | [01] | [01]/1 | [01]/1 | [0-9.]* % | [0-9.]* % |' "$tmp/out.txt"
check "its total" grep -q '^| planted | 4 |$' "$tmp/out.txt"
check "its kinds" grep -q '^| extra digit | 1 |' "$tmp/out.txt"

# Tables as people write them. Columns of each kind are among these: money, rates, units, dates, times, whole numbers
# only, gaps.
formats() # ARGUMENT...: the same scores as from the plain CSV
{
    run --formats all --set preset=fast --set members=1 "$@" && [ ! -s "$tmp/err.txt" ] && return
    cat "$tmp/out.txt" "$tmp/err.txt"
    return 1
}
check "no such format" refuses 'martian: not all, us, german, swiss, french or indian' --formats martian
check "local formats" formats --tables expenses,bills,invoices,clinic,houses,fleet,weather,orders,survey
check "one line per table and format" test "$(grep -c '^| [0-9][0-9] ' "$tmp/out.txt")" = 45
check "their summary" grep -q '^1[0-9][0-9] files give the same scores and called rows as the plain CSV, 0 do not.$' "$tmp/out.txt"
mkdir "$tmp/local"
check "local files" run --write "$tmp/local" --formats german --tables invoices
check "in German" grep -q '^20230001;02.01.2023;Miller;113,86 €;19 %;' "$tmp/local/09_invoices.german.UTF-8.csv"
finish
