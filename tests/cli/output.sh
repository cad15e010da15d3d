# What detect writes: CSV, the readable table, JSON; to stdout or to a file that is there only when complete.
. "$(dirname "$0")/lib.sh"

make_table 100 >data.csv
INPUT='--id name --label fault'

# CSV: every row in the order of the input, ranks a permutation, rank 1 the highest score.
run detect data.csv $INPUT $FAST
expect_exit 0
expect_match err '^AUC [01]\.[0-9]{4}, average precision [01]\.[0-9]{4} \(4 outliers of 100 rows\)$'
expect 'one line more on stderr' [ "$(sed 1d err)" = '4 of 100 rows are outliers (4 %)' ]
expect 'the heading' [ "$(head -n 1 out)" = row,name,score,rank,p_outlier,is_outlier ]
expect 'rows, ids, ranks and scores agree' awk -F, '
    NR > 1 {
        if (NF != 6 || $1 != NR - 1 || $2 != "row " $1 || $4 < 1 || $4 > 100 || $4 in score) exit bad = 1
        if ($5 < 0 || $5 > 1 || $6 != ($4 <= 4)) exit bad = 1
        score[$4] = $3
        p[$4] = $5
    }
    END {
        if (bad || NR != 101) exit 1
        for (i = 1; i < 100; i++) if (score[i] + 0 < score[i + 1] + 0 || p[i] + 0 < p[i + 1] + 0) exit 1
    }' out
cp out with-id.csv
run detect data.csv --ignore name,fault $FAST
expect_exit 0
expect_stderr '4 of 100 rows are outliers (4 %)'
expect 'the heading without ids' [ "$(head -n 1 out)" = row,score,rank,p_outlier,is_outlier ]
cut -d, -f1,3- with-id.csv >want
expect_same want out
cp out plain.csv
run detect data.csv --ignore name --ignore fault --quiet $FAST
expect_same plain.csv out
run detect data.csv --only a,b,c $FAST
expect_same plain.csv out
run detect data.csv --only 2 --only 3,4 $FAST
expect_same plain.csv out
run detect data.csv --label fault --ignore name --quiet $FAST
expect_same plain.csv out
expect_stderr
run_sh '"$ODIM" detect - --only a,b,c '"$FAST"' <data.csv'
expect_same plain.csv out
run_sh 'cat data.csv | gzip | "$ODIM" detect - --only a,b,c '"$FAST"
expect_same plain.csv out

# Ways to write an option.
for form in '--members=3' '--members 3' '--members 9 --members 3'; do
    run detect data.csv --only a,b,c $FAST $form
    cp out "form-$(echo "$form" | cksum | cut -d' ' -f1)"
done
expect_same "form-$(echo '--members=3' | cksum | cut -d' ' -f1)" "form-$(echo '--members 3' | cksum | cut -d' ' -f1)"
expect_same "form-$(echo '--members=3' | cksum | cut -d' ' -f1)" \
    "form-$(echo '--members 9 --members 3' | cksum | cut -d' ' -f1)"
for form in --no-batch-norm '--batch-norm off' --batch-norm=off; do
    run detect data.csv --only a,b,c --json $FAST $form
    expect_match out '"batch-norm": false,'
done
for form in --batch-norm '--batch-norm on' --batch-norm=on; do
    run detect $form data.csv --only a,b,c --json $FAST
    expect_exit 0
    expect_match out '"batch-norm": true,'
done
cp data.csv ./-data.csv
run detect --only a,b,c $FAST -- -data.csv
expect_same plain.csv out

# Ids: quoted where CSV needs it, renamed where the name is taken.
printf 'rank,a\n"x, y",1\n"say ""hi""",2\n" lead",3\nplain,4\n' >ids.csv
run detect ids.csv --id rank $FAST
expect 'the renamed id' [ "$(head -n 1 out)" = row,id,score,rank,p_outlier,is_outlier ]
sed -e 's/\(,[^,]*\)\{4\}$//' out >ids
expect_text ids 'row,id' '1,"x, y"' '2,"say ""hi"""' '3," lead"' '4,plain'

# The method's own scores beside the readable ones, which stay as they are.
run detect data.csv $INPUT $FAST --quiet --raw-scores --save-model raw.odim
expect_exit 0
expect 'the heading' [ "$(head -n 1 out)" = row,name,score,raw_score,rank,p_outlier,is_outlier ]
cut -d, -f1-3,5- out >got
expect_same with-id.csv got
cp out raw.csv
run score -m raw.odim data.csv --id name --quiet --raw-scores
expect_same raw.csv out
for command in "detect data.csv $INPUT $FAST" 'score -m raw.odim data.csv --id name'; do
    run $command --quiet --raw-scores --stream
    expect_exit 0
    cut -d, -f1-4,6- raw.csv >want
    expect_same want out
done
run detect data.csv $INPUT $FAST --quiet --raw-scores --output-format jsonl
sed -n 's/.*"row": \([0-9]*\), .*"raw_score": \([^,]*\),.*/\1,\2/p' out >got
sed 1d raw.csv | cut -d, -f1,4 >want
expect_same want got
run detect data.csv $INPUT $FAST --quiet --json
sed -n 's/.*"row": \([0-9]*\), .*"raw_score": \([^,]*\),.*/\1,\2/p' out >got
expect_same want got
run detect data.csv $INPUT $FAST --quiet --raw-scores --top 1
expect_match out '^rank +row +name +score +raw_score +p_outlier +label'
printf 'raw_score,a\n1,2\n3,5\n4,4\n' >taken.csv
run detect taken.csv --only a --keep --quiet --raw-scores $FAST
expect 'a column of that name is renamed' [ "$(head -n 1 out)" = row,input_raw_score,a,score,raw_score,rank,p_outlier,is_outlier ]

# Labels of one kind only.
awk -F, -v OFS=, 'NR > 1 { $5 = 0 } 1' data.csv >none.csv
run detect none.csv $INPUT $FAST
expect_exit 0
expect_stderr 'no AUC: all 100 rows are labeled inliers' '4 of 100 rows are outliers (4 %)'
awk -F, -v OFS=, 'NR > 1 { $5 = 1 } 1' data.csv >all.csv
run detect all.csv $INPUT $FAST
expect_exit 0
expect_stderr 'no AUC: all 100 rows are labeled outliers' '4 of 100 rows are outliers (4 %)'

# The readable table.
run detect data.csv $INPUT $FAST --top 3
expect_exit 0
expect 'a heading and three rows' [ "$(wc -l <out)" -eq 4 ]
expect_match err '^AUC .* rows\)$'
expect 'no count on stderr' [ "$(wc -l <err)" -eq 1 ]
expect_match out '^rank +row +name +score +p_outlier +label +a +b +c$'
expect_match out '^ +1 +[0-9]+ +row [0-9]+ +-?[0-9.]+ +[01]\.[0-9]{3} +[01] +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+$'
expect 'ranks 1, 2, 3' [ "$(awk 'NR > 1 { printf "%s ", $1 }' out)" = '1 2 3 ' ]
expect 'all lines are equally long' awk 'NR == 1 { n = length } length != n { exit 1 }' out
awk -F, '$4 == 1 { print $1 }' with-id.csv >want
awk '$1 == 1 { print $2 }' out >got
expect_same want got
printf 'a,b\n1234567,1719800000.25\n1234568,1719800300.5\n1234599,0.125\n' >digits.csv
run detect digits.csv --top 3 $FAST
expect_match out ' 1234567  1719800000.25$'
expect_match out ' 1234599 +0.125$'
run detect data.csv --only a --top 1000 $FAST
expect 'no more rows than there are' [ "$(wc -l <out)" -eq 101 ]
awk 'BEGIN {
    for (j = 1; j <= 50; j++) printf "x%d%s", j, j < 50 ? "," : "\n"
    for (i = 1; i <= 10; i++) for (j = 1; j <= 50; j++) printf "%d%s", (i * j) % 7, j < 50 ? "," : "\n"
}' >wide.csv
run detect wide.csv --top 2 $FAST
expect 'the last line counts what is not shown' [ "$(tail -n 1 out)" = '(22 more columns)' ]
printf 'id,a\n\033[31mred,1\nan id that is much longer than a table would bear,2\n\303\251t\303\251,3\n' >odd.csv
run detect odd.csv --id id --top 3 --quiet $FAST
expect 'no escape sequence gets through' [ "$(tr -dc '\033' <out | wc -c)" -eq 0 ]
expect_match out 'an id that is much lon\.\.'
expect 'an accent is one column' awk '/t/ { gsub(/\303\251/, "e") } NR == 1 { n = length } length != n { exit 1 }' out

# JSON.
run detect data.csv $INPUT $FAST --json
expect_exit 0
for pattern in '^\{$' '^\}$' '^  "version": "[0-9.]+",$' '^  "file": "data.csv",$' '^  "rows": 100,$' \
    '^  "columns": 3,$' '^    "members": 2,$' '^    "max-updates": 40,$' '^    "batch-norm": true,$' \
    '^    "likelihood": "paper",$' '^  "members": \[$' '^  "outliers": 4,$' '^  "auc": [01](\.[0-9]+)?,$' \
    '^  "average_precision": [01](\.[0-9]+)?,$' \
    '^    \{"updates": [0-9]+, "best_update": [0-9]+, "distance": [0-9.e-]+\},?$' \
    '^  "model": "[0-9a-f]{16}",$' '^  "threshold": -?[0-9.]+,$' '^  "unusual_threshold": [34](\.[0-9]+)?,$' '^  "flagged": 4,$' '^  "unusual": [0-9]+,$' \
    '^    \{"row": 1, "id": "row 1", "score": -?[0-9.e-]+, "raw_score": [0-9.]+, "rank": [0-9]+, "p_outlier": [0-9.e-]+, "is_outlier": false, "unusual": false\},$'; do
    expect_match out "$pattern"
done
expect 'two members' [ "$(grep -c '"updates"' out)" -eq 2 ]
expect 'every row' [ "$(grep -c '"row"' out)" -eq 100 ]
sed -n -e 's/"is_outlier": false/"is_outlier": 0/' -e 's/"is_outlier": true/"is_outlier": 1/' \
    -e 's/^    {"row": \([0-9]*\), "id": "\(.*\)", "score": \(.*\), "raw_score": .*, "rank": \([0-9]*\), "p_outlier": \(.*\), "is_outlier": \([01]\), "unusual": .*},*$/\1,\2,\3,\4,\5,\6/p' \
    out >got
sed 1d with-id.csv >want
expect_same want got
cp out full.json
run detect data.csv $INPUT $FAST --json --top 2
expect 'two rows, the worst first' [ "$(sed -n 's/.*"rank": \([0-9]*\).*/\1/p' out | tr '\n' ' ')" = '1 2 ' ]
cp out top.json
printf 'id,a\n"q""b\\s",1\n"t\tn\nc\001",2\nbad\377\300\257,3\ncut\342\202,4\n\303\251,5\n' >odd.csv
run detect odd.csv --id id --json $FAST
expect_match out '"id": "q\\"b\\\\s",'
expect_match out '"id": "t\\tn\\nc\\u0001",'
expect_match out "\"id\": \"bad$(printf '\303\277\303\200\302\257')\"," # taken as Windows-1252
expect_match out "\"id\": \"cut$(printf '\303\242\342\200\232')\","
expect_match out "\"id\": \"$(printf '\303\251')\","
cp out odd.json
if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
    for file in full.json top.json odd.json; do
        last="python3 -m json.tool $file"
        expect 'it is JSON' sh -c "python3 -m json.tool $file >parsed"
    done
else
    skip 'no python3 to parse the JSON'
fi

# -o: what is written is the same; a table or JSON besides.
run detect data.csv --only a,b,c $FAST -o scores.csv
expect_exit 0
expect_stdout
expect_same plain.csv scores.csv
run detect data.csv --only a,b,c $FAST -oscores2.csv --top 2
awk -F, -v OFS=, 'NR > 1 { $5 = $3 <= 2 ? 1 : 0 } 1' plain.csv >want
expect_same want scores2.csv
expect 'the table is on stdout' [ "$(wc -l <out)" -eq 3 ]
run detect data.csv $INPUT $FAST --json --top 2 --output=scores.json
expect_stdout
expect_same top.json scores.json
run detect data.csv --only a,b,c $FAST -o -
expect_same plain.csv out
expect_tidy .

finish
