# What a model holds of single rows: what the file has is what is said of it, and --share-safe keeps rows out.
. "$(dirname "$0")/lib.sh"

# 1000 rows, of which 20 are copies of others. The column code has 800 made-up numbers that one row has, and 10 that four
# rows have; city has two that are misspelt.
awk 'BEGIN {
    seed = 5
    print "code,city,a,b,c"
    for (i = 1; i <= 980; i++) {
        for (j = 1; j <= 3; j++) { seed = (seed * 16807) % 2147483647; u[j] = seed / 2147483647 }
        code = i <= 800 ? sprintf("SECRET-%05d", 10000 + i * 37) : i <= 840 ? "FEW-" int((i - 1) / 4) : "other"
        city = i == 777 ? "Berlni" : i == 778 ? "Pairs" : i % 3 ? "Berlin" : "Paris"
        line = sprintf("%s,%s,%.5f,%.5f,%.5f", code, city, 100 * u[1], 5 + u[2], u[1] + u[3] / 2)
        print line
        if (i > 960) print line
    }
}' >data.csv
secrets() # MODEL
{
    grep -a -o -E 'SECRET-[0-9]{5}|Berlni|Pairs' "$1" | sort -u | wc -l
}
FEW="--preset paper --members 2 --samples 4 --max-updates 40"

# ---- texts

run fit data.csv $FEW -o model.odim
expect_exit 0
expect_wrote model.odim
expect_stderr
expect 'no text of a single row' [ "$(secrets model.odim)" = 0 ]
expect 'nor of a few rows' sh -c '! grep -q -a FEW- model.odim'
expect 'those of many rows' grep -q -a Berlin model.odim
run inspect model.odim
expect_match out '^holds: 0 training rows; up to 30 single values; 3 levels, 0 of them seen once$'
expect_match out '^code +categorical .* 1 level: other; rarer ones in 840 rows$'
expect_match out '^city +categorical .* 2 levels: Berlin, Paris; rarer ones in 2 rows$'
run inspect model.odim --json
expect_match out '"levels_seen_once": 0$'
expect_match out '"levels": \{"Berlin": 667, "Paris": 331\}, "rare": 2\}'

run fit data.csv $FEW --min-level-count 1 -o all.odim
expect_exit 0
expect_wrote all.odim
expect_stderr 'odim: note: the model contains 802 category levels seen once and up to 30 single values, readable by anyone who has the file; --share-safe keeps rows out, --dp-epsilon makes the model private'
expect 'all texts' [ "$(secrets all.odim)" = 802 ]
run inspect all.odim
expect_match out '^holds: 0 training rows; up to 30 single values; 815 levels, 802 of them seen once$'
run fit data.csv $FEW --min-level-count 2 -o two.odim
expect 'no text of a single row' [ "$(secrets two.odim)" = 0 ]
expect 'texts of a few rows' grep -q -a FEW- two.odim
run fit data.csv $FEW --min-level-count 400 -o many.odim
run inspect many.odim
expect_match out '^city +categorical .* 1 level: Berlin; rarer ones in 333 rows$'
expect_match out '^code +categorical .* ignored: it has no frequent level$'
run fit data.csv $FEW --min-level-count 0 -o x.odim
expect_exit 2

# What few rows have is as odd as what was never seen, and the reasons name it.
run detect data.csv --preset fast --only city,a,b,c --top 2 --explain 1 --save-model city.odim --quiet
expect_match out " city 'Berlni' .*: in fewer than [35] training rows, did you mean 'Berlin'\\?$"
expect_match out " city 'Pairs' .*: in fewer than [35] training rows, did you mean 'Paris'\\?$"
run score -m city.odim data.csv --quiet
awk -F, '$5 == 1 { print $1 }' out >found
expect 'both are outliers' sh -c 'grep -q -x 777 found && grep -q -x 778 found'
(sed -n '1p;778p' data.csv && sed -n '778s/Berlni/Brelin/p' data.csv) >new.csv
run score -m city.odim new.csv --quiet
expect 'what is not kept looks like what was never seen' [ "$(sed -n 2p out | cut -d, -f2)" = "$(sed -n 3p out | cut -d, -f2)" ]
run explain -m city.odim new.csv --row 2
expect_match out " city +Brelin +Berlin  in fewer than [35] training rows; did you mean 'Berlin'\\?$"
# Where many rows have such a text it is nothing odd: as odd as a text that few rows have and the model keeps.
run detect data.csv $FEW --only code,a,b,c --quiet
cp out want
run detect data.csv $FEW --only code,a,b,c --min-level-count 1 --quiet
expect_same want out

# The same model whichever way.
run detect data.csv $FEW --stream --save-model again.odim --quiet
expect_same model.odim again.odim
run detect data.csv $FEW --save-model again.odim --quiet
expect_same model.odim again.odim
run score -m model.odim data.csv --quiet
cp out want
run detect data.csv $FEW --quiet
expect_same out want

# ---- rows

# held OPTIONS ROWS VALUES: so much is said to be in the model.
held()
{
    run fit data.csv $1 -o model.odim
    expect_exit 0
    rows=$2
    [ "$rows" != 1 ] && rows="$rows training rows" || rows='1 training row'
    expect_wrote model.odim
    expect_stderr "odim: note: the model contains $rows and up to $3 single values, readable by anyone who has the file; --share-safe keeps rows out, --dp-epsilon makes the model private"
    run inspect model.odim
    expect_match out "^holds: $rows; up to $3 single values; "
    run inspect model.odim --json
    expect_match out "^    \"training_rows\": $2,$"
    expect_match out "^    \"single_values\": $3,$"
}
# found MODEL: how many different rows have each of their numbers, scaled, somewhere in the file.
cat >found.py <<'END'
import csv, struct, sys
model = open(sys.argv[1], "rb").read()
rows = [[float(row[c]) for c in "abc"] for row in csv.DictReader(open("data.csv"))]
low = [min(column) for column in zip(*rows)]
width = [max(column) - min(column) for column in zip(*rows)]
there = lambda x, j: struct.pack("<f", (x - low[j]) / width[j]) in model
print(sum(all(there(x, j) for j, x in enumerate(row)) for row in set(map(tuple, rows))))
END
found()
{
    last="python3 found.py $1"
    python3 found.py "$1"
}
python=
! python3 -c '' 2>/dev/null || python=yes
[ -n "$python" ] || skip 'no python3 to look for rows'

for method in knn lof; do
    held "--method $method" 980 30
    [ -z "$python" ] || expect 'all rows are there' [ "$(found model.odim)" = 980 ]
done
for method in cof sod bagging; do
    held "--method $method" 980 30
done
for method in iforest mcd pca hbos loda; do
    held "--method $method" 1 30
    [ -z "$python" ] || expect 'one row is there' [ "$(found model.odim)" -ge 1 ]
    run fit data.csv --method $method --share-safe -o safe.odim
    expect_exit 0
    expect_wrote safe.odim
    expect_stderr
    run inspect safe.odim
    expect_match out '^holds: 0 training rows; '
    [ -z "$python" ] || expect 'no row is there' [ "$(found safe.odim)" = 0 ]
    run detect data.csv --method $method --quiet
    cp out want
    run score -m safe.odim data.csv --quiet
    expect_same want out
done
# Values of all columns: 0 and 1, or 0, 1 and no other, of each feature of a category.
for method in ecod copod; do
    run fit data.csv --method $method -o model.odim
    expect_match err 'contains 1 training row and up to [0-9]{4} single values'
done
head -n 90 data.csv >small.csv
run fit small.csv $FEW --only a,b,c --with subsample-knn -o model.odim
run inspect model.odim
expect_match out '^holds: 89 training rows; '
run fit data.csv $FEW --with subsample-knn,knn -o model.odim
run inspect model.odim
expect_match out '^holds: 980 training rows; '
run fit data.csv $FEW --share-safe -o safe.odim
expect_exit 0
expect_wrote safe.odim
expect_stderr
[ -z "$python" ] || expect 'no row is there' [ "$(found safe.odim)" = 0 ]

# ---- what is refused, before there is any work

instead='use preset paper or fast, or method iforest, mcd, pca or hbos, or train with differential privacy (dp-epsilon)'
for method in knn lof cof sod bagging; do
    refuse 2 "share-safe: method $method keeps the training rows; $instead" fit nowhere.csv --method $method --share-safe -o x.odim
done
for method in ecod copod; do
    refuse 2 "share-safe: method $method keeps values of every column, sorted; $instead" \
        fit nowhere.csv --method $method --share-safe -o x.odim
done
refuse 2 "share-safe: method ocsvm keeps training rows; $instead" fit nowhere.csv --method ocsvm --share-safe -o x.odim
refuse 2 "share-safe: method cblof keeps centers of clusters, which may be single rows; $instead" fit nowhere.csv --method cblof --share-safe -o x.odim
refuse 2 "share-safe: trusted-fraction (of preset auto) keeps up to 2048 training rows; $instead" fit nowhere.csv --share-safe -o x.odim
refuse 2 "share-safe: trusted-fraction keeps up to 2048 training rows; $instead" fit nowhere.csv --trusted-fraction 0.5 --share-safe -o x.odim
refuse 2 "share-safe: with subsample-knn keeps training rows; $instead" fit nowhere.csv --preset paper --with iforest,subsample-knn --share-safe -o x.odim
refuse 2 'share-safe: min-level-count 1 keeps texts that a single row has; leave it out, or take 2 or more' \
    fit nowhere.csv --preset paper --min-level-count 1 --share-safe -o x.odim
refuse 2 'min-level-count is of no use with dp-epsilon: levels are given and not counted' \
    fit data.csv --min-level-count 3 --dp-epsilon 3 -o x.odim
expect 'no model is made' [ ! -e x.odim ]

finish
