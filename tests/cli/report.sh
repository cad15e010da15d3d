# The report and its pictures, as files; what a browser makes of them is tests/browser's.
. "$(dirname "$0")/lib.sh"

make_table 300 >data.csv
FIT="--id name --preset paper --members 3 --samples 8 --contamination 0.04"

# plain FILE: the report without what depends on time, threads and place, and on whether the model was saved.
plain()
{
    sed -e '/<th scope="row">time<\/th>/d' -e '/^<pre class="command"/d' -e '/<li>note: <bdi>the model contains /d' "$1"
}

run detect data.csv --label fault $FIT --report report.html -o scores.csv --save-model model.odim
expect_exit 0
expect_match err '^AUC'
expect 'it is one page' [ "$(grep -c '^<!doctype html>' report.html)" -eq 1 ]
for id in answer scores list columns labels learning quality run; do
    expect "section $id" [ "$(grep -c "<section id=\"$id\"" report.html)" -eq 1 ]
done
flagged=$(awk -F, 'NR > 1 { n += $NF } END { print n }' scores.csv)
expect 'there are outliers' [ "$flagged" -ge 10 ]
expect_match report.html "\"headline-count\">$flagged</span> <span id=\"headline-rest\">outliers among 300 rows</span>"
expect_match report.html '^<pre class="command".*>odim detect data.csv --label fault --id name --preset paper'
# The page names what may run by hashes of the very text between the tags.
hash_of() # FILE
{
    bash -c 'printf "$(sha256sum <"$1" | cut -c1-64 | sed "s/../\\\\x&/g")"' bash "$1" | base64
}
for file in plot/plot.css report/report.css report/report.js; do
    expect "the hash of $file" grep -q -F "'sha256-$(hash_of "$test_dir/../../$file")'" report.html
done
expect_match report.html "default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}=' 'sha256-[A-Za-z0-9+/]{43}='; style-src 'sha256-"
grep -o '[a-z]*://[^" ]*' report.html | sort -u >found
expect_text found 'http://www.w3.org/2000/svg'
expect 'nothing is fetched' sh -c '! grep -q -E "<(link|img|iframe|object|embed|base)|@import|url\(| src=| on[a-z]+=" report.html'
expect 'below 2 MB' [ "$(wc -c <report.html)" -lt 2000000 ]

# The same bytes for any number of threads, and whether the model was fitted or loaded.
plain report.html >want
run detect data.csv --label fault $FIT --report other.html -o scores.csv --threads 3
plain other.html >got
expect_same want got
run report scores.csv -m model.odim --data data.csv --label fault --id name -o other.html
expect_exit 0
expect_stdout
plain other.html >got
expect_same want got
run_sh '"$ODIM" report - -m model.odim --data data.csv --label fault --id name -o other.html <scores.csv'
plain other.html >got
expect_same want got

# Rows in another order are found by their numbers.
(head -n 1 scores.csv && tail -n +2 scores.csv | sort -r) >mixed.csv
run report mixed.csv -m model.odim --data data.csv --label fault --id name -o other.html
plain other.html >got
expect_same want got

# The rows may be in the scores; without them there are no reasons.
run score data.csv -m model.odim --keep -o kept.csv --quiet
run report kept.csv -m model.odim -o kept.html
expect_exit 0
expect_stderr
expect_match kept.html '<section id="columns"'
expect_match kept.html '"reasons": \['
run report scores.csv -m model.odim -o bare.html
expect_exit 0
expect_stderr 'odim: note: the scores come without the rows: --data FILE adds values and reasons'
expect 'no columns' sh -c '! grep -q "<section id=\"columns\"" bare.html'
expect_match bare.html 'note: <bdi>the scores come without the rows'
expect_match bare.html '<section id="learning"'

# --top and --threshold say what an outlier is.
run score data.csv -m model.odim --report top.html --top 7
expect_match top.html '"headline-count">7</span> <span id="headline-rest">outliers( and [0-9]+ unusual rows?)? among 300'
expect_match top.html '"thresholdName": "the threshold that --top set"'
run report scores.csv -m model.odim -o t.html --threshold 1e9 --quiet
expect_match t.html '"headline-count">No</span> <span id="headline-rest">outliers(, [0-9]+ unusual rows?)? among 300'
expect_match t.html '<strong>outlier</strong> if its score is above 1e\+09, the threshold that --threshold set,'
expect_match t.html '<p>The 5 rows with the highest scores are [0-9]+ \([0-9.]+\), '
expect_match t.html '"thresholdName": "the threshold that --threshold set"'
# That of the model was set too, by its contamination; that of another was found.
expect_match report.html '"thresholdName": "the threshold that --contamination set"'
run detect data.csv --label fault --id name $FAST --report found.html -o s.csv --quiet
expect_match found.html '"thresholdName": "the model.s threshold"'
# A threshold far away is at the edge, and the scores take the width all the same.
expect_match t.html '>threshold 1e\+09 \(out of range\)</text>'
sed -n 's/.*"low": \([^,]*\), "high": \([^,]*\),.*/\2/p' t.html >high
expect 'the range is that of the scores' [ "$(awk '{ print ($1 < 1e6) }' high)" = 1 ]
run report scores.csv -m model.odim -o t.html --threshold -1e9 --quiet
expect_match t.html '"headline-count">300</span> <span id="headline-rest">outliers among 300 rows<'
expect_match t.html '>threshold -1e\+09 \(out of range\)</text>'
head -n 2 data.csv >one.csv
run score one.csv -m model.odim --id name --contamination 0.5 --report one.html -o s.csv --quiet
expect_exit 0
expect_match one.html '"headline-count">1</span> <span id="headline-rest">outlier among 1 row</span></h1>'
expect_match one.html '"thresholdName": "the threshold that --contamination set"'
expect 'its threshold is a number' sh -c "! grep -q '\"threshold\": null' one.html"

# Hostile names and cells are text, in the page and in its data.
cat >hostile.csv <<'END'
id,"</script><img src=x onerror=alert(1)>",b,kind
"<b>bold</b>",1,2,"<svg onload=alert(2)>"
"--><script>alert(3)</script>",2,3,"&lt;"
"' onclick='x",3,4,"<svg onload=alert(2)>"
END
i=0
while [ $i -lt 60 ]; do
    printf '"row %d","%d",%d,"<i>k%d</i>"\n' $i $((i % 7)) $((i % 7 + i % 3)) $((i % 2))
    i=$((i + 1))
done >>hostile.csv
printf '"\342\200\250line","90",-50,"</style>"\n' >>hostile.csv
run detect hostile.csv --id id $FAST --report hostile.html -o s.csv --quiet
expect_exit 0
for bad in '<img' '<b>bold' 'onload=alert(2)>' '<script>alert' '<i>k' "</style>\""; do
    expect "no $bad" sh -c "! grep -qF '$bad' hostile.html"
done
expect 'three scripts, one of them data' [ "$(grep -o '<script' hostile.html | wc -l)" -eq 3 ]
expect_match hostile.html '&lt;/script&gt;&lt;img src=x onerror=alert\(1\)&gt;'
expect_match hostile.html '\\u003c/script\\u003e\\u003cimg'

# Characters that turn the direction of writing are shown as escapes; letters from right to left stand by themselves.
printf 'a\342\200\256b,\327\220\n1,2\n2,3\n3,5\n4,4\n9,1\n5,5\n' >turned.csv
run detect turned.csv $FAST --report turned.html -o s.csv --quiet
expect_match turned.html '<h3><bdi>a\\u202eb</bdi></h3>'
expect_match turned.html "<h3><bdi>$(printf '\327\220')</bdi></h3>"

# Of many columns and long cells it holds what there is room for.
awk 'BEGIN {
    for (j = 1; j <= 500; j++) printf "a column with quite a long name, number %d%s", j, j < 500 ? ";" : "\n"
    for (i = 1; i <= 120; i++) for (j = 1; j <= 500; j++) {
        v = (i * j * 7919) % 101
        printf "%s%s", j % 50 ? v + (i == 60) * 500 : (v % 3) "<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", j < 500 ? ";" : "\n"
    }
}' >wide.csv
run detect wide.csv --members 1 --samples 2 --max-updates 20 --hidden 8,4 --contamination 0.5 --report wide.html -o s.csv --quiet
expect_exit 0
expect 'below 2 MB' [ "$(wc -c <wide.html)" -lt 2000000 ]

# Dates are dates on the axis too.
awk 'BEGIN {
    print "when,a"
    for (i = 0; i < 100; i++) printf "2024-%02d-%02d,%d\n", i % 12 + 1, i % 28 + 1, i == 40 ? 500 : i * 7 % 11
}' >times.csv
run detect times.csv $FAST --report times.html -o s.csv --quiet
expect_match times.html '>2024-0[1-9]</text>'
expect 'no seconds since 1970' sh -c "! grep -q '>1,7[0-9][0-9],' times.html"

# A private model does not say how it learned, and the page says that it is not private.
run detect data.csv --id name --ignore fault --dp-epsilon 5 --dp-insecure-seed --members 2 --dp-updates 20 \
    --report private.html -o s.csv --quiet
expect_exit 0
expect_match private.html 'That protects the model, but not this page'
expect_match private.html 'does not contain the training history'
expect 'no losses of rows' sh -c '! grep -q "Inliers are learnt first" private.html'

# Tables that are hardly any.
printf 'a\n1\n2\n' >two.csv
printf 'a,b\n1,x\n1,x\n1,y\n' >same.csv
printf 'a,b\n1,\n,2\n3,\n,4\n5,\n' >gaps.csv
awk 'BEGIN { print "k"; for (i = 0; i < 60; i++) print i % 3 ? "x" : "y" }' >levels.csv
for file in two same gaps levels; do
    run detect $file.csv $FAST --types "$([ $file = levels ] && echo k=categorical || echo a=numeric)" --report $file.html -o s.csv --quiet
    expect_exit 0
    expect_match $file.html '</html>'
    expect 'no number that is none' sh -c "! grep -q -e '[\" ]-*nan' -e '[\" ]-*inf[\" ]' $file.html"
done

# Scores as far apart as numbers can be, or hardly apart.
for pair in '1e308 -1e308' '1e308 1e308' '5e-324 0' '1e300 1'; do
    printf 'score\n%s\n%s\n' $pair >far.csv
    run report far.csv -m model.odim -o far.html --quiet
    expect_exit 0
    expect 'no number that is none' sh -c "! grep -q -e '[\" ]-*nan' -e '[\" ]-*inf[\" ]' far.html"
done

# The pictures, one by one.
for picture in scores pair learning labels; do
    run score data.csv -m model.odim --label fault --id name --plot $picture.svg --plot-kind $picture -o s.csv --quiet
    expect_exit 0
    expect_match $picture.svg '^<svg xmlns="http://www.w3.org/2000/svg" class="plot"'
done
run report scores.csv -m model.odim --plot again.svg --quiet
expect_same scores.svg again.svg

# Both levels are in the headline and in the picture, and a column's axis ends with its outlier.
awk 'BEGIN {
    print "age,weight,city"
    for (i = 0; i < 1200; i++) {
        age = 20 + (i * 7919) % 61
        print (i == 411 ? 412 : age) "," 50 + age / 2 + (i * 104729) % 21 "," (i % 3 ? "Bern" : "Basel")
    }
}' >people.csv
run detect people.csv --report people.html -o s.csv --quiet
expect_exit 0
expect_match people.html '"headline-count">1</span> <span id="headline-rest">outlier( and [0-9]+ unusual rows?)? among 1,200'
expect_match people.html '>threshold 4</text>'
expect_match people.html '>unusual above [34]'
expect_match people.html '>ordinary rows</text>'
expect_match people.html '>outliers</text>'
expect_match people.html '>412</text>'
expect 'no fitted curves' sh -c '! grep -q "inliers, as fitted" people.html'
expect_match people.html '<dt>most common main reason</dt><dd><bdi>age</bdi></dd>'
expect_match people.html '<dt>rows</dt><dd>1,200</dd>'
# Every row is held, up to 2,000.
expect 'all rows are held' [ "$(grep -o '"row": ' people.html | wc -l)" -eq 1200 ]
awk 'BEGIN { print "a,b"; for (i = 0; i < 3000; i++) print i * 7919 % 1009 "," i * 104729 % 1013 }' >many.csv
run detect many.csv $FIND --report many.html -o s.csv --quiet
expect 'of more, 2,000' [ "$(grep -o '"row": ' many.html | wc -l)" -eq 2000 ]
expect 'below 2 MB' [ "$(wc -c <many.html)" -lt 2000000 ]
# Without outliers there is no bar of them.
awk 'BEGIN { print "a,b"; for (i = 0; i < 300; i++) print i * 7919 % 101 "," i * 104729 % 103 }' >even.csv
run detect even.csv $FIND --plot even.svg -o s.csv
expect_stderr '0 of 300 rows are outliers (0 %)'
expect 'no bar of outliers' sh -c '! grep -q ">outliers<" even.svg'
# All rows are outliers, by decree.
run report scores.csv -m model.odim --data data.csv --id name --label fault -o every.html --threshold -1e9 --quiet
expect_exit 0
expect_match every.html '>300 \(100'
# Of many categories the important ones are shown, and of many columns too.
awk 'BEGIN { print "shop,a"; for (i = 0; i < 2000; i++) print "shop " i * 7919 % 200 "," (i == 77 ? 5000 : i * 104729 % 103) }' >shops.csv
run detect shops.csv $FIND --report shops.html -o s.csv --quiet
expect_match shops.html '<p>and 194 more categories</p>'
expect_match wide.html '<summary>488 more columns</summary>'
expect 'the first columns are few' [ "$(sed '/<details id="more-columns">/,$d' wide.html | grep -c '</td></tr>$')" -lt 60 ]
# Long names keep their ends, by which they differ.
awk 'BEGIN {
    for (j = 1; j <= 3; j++) printf "the average daily consumption of district heating in megawatt hours %d%s", j, j < 3 ? "," : "\n"
    for (i = 0; i < 60; i++) print i * 7919 % 11 "," i * 31 % 13 "," (i == 9) * 90 + i % 7
}' >named.csv
run detect named.csv $FAST --report named.html -o s.csv --quiet
expect_match named.html '<h3><bdi>the average daily consumption of distri.*megawatt hours 3</bdi></h3>'
# What it needs is known before the work: nothing is written.
draw='-o none.csv --plot none.svg --quiet'
refuse 2 '--plot-kind labels needs labels: --label COL' score data.csv -m model.odim --id name $draw --plot-kind labels
refuse 2 '--plot-kind labels needs labels: --label COL' detect data.csv --id name --max-updates 100000000 --patience 1000000 \
    $draw --plot-kind labels
sed 's/,[01]$/,0/' data.csv >alike.csv
refuse 2 '--plot-kind labels needs labels of both kinds; all rows have the same label' \
    detect alike.csv --id name --label fault $draw --plot-kind labels
refuse 2 '--plot-kind pair needs two columns of numbers' detect two.csv $draw --plot-kind pair
refuse 2 '--plot-kind learning needs a model that is not private: the plot would show how it learned' \
    detect data.csv --id name --dp-epsilon 5 $draw --plot-kind learning
refuse 2 '--plot-kind pair needs the rows: --data FILE' report scores.csv -m model.odim --plot none.svg --plot-kind pair --quiet
refuse 2 '--plot-kind labels needs labels: --label COL' report scores.csv -m model.odim --plot none.svg --plot-kind labels --quiet
run fit data.csv --id name --ignore fault --dp-epsilon 5 --dp-insecure-seed --members 2 --dp-updates 20 -o private.odim --quiet
refuse 2 '--plot-kind learning needs a model with its training history, which private models, classical methods and models of older versions do not have' \
    score data.csv -m private.odim --id name $draw --plot-kind learning
expect 'nothing is written' [ ! -e none.csv -a ! -e none.svg ]
if command -v python3 >/dev/null && python3 -c 'import xml.dom.minidom' 2>/dev/null; then
    for file in scores pair learning; do
        last="the XML of $file.svg"
        expect 'it is well formed' python3 -c "import xml.dom.minidom as m; m.parse('$file.svg')"
    done
else
    skip 'no python3 to parse the XML'
fi

# What cannot be.
refuse 2 '--report needs all scores at once, which --stream does not have' detect data.csv --stream --report r.html
refuse 2 '--report needs the name of a file' detect data.csv --report -
refuse 2 'data.csv: is the input; write to another file' detect data.csv --report data.csv
refuse 2 'r.html: --output and --report cannot both write there' detect data.csv --report r.html -o r.html
refuse 2 'r.html: --report and --plot cannot both write there' detect data.csv --report r.html --plot r.html
refuse 2 '--plot-kind needs --plot SVG: it says which plot to write' detect data.csv --plot-kind pair
refuse 1 'no/folder.html: No such file or directory' detect data.csv --report no/folder.html
refuse 2 "report needs a model: --model MODEL, written by 'odim fit'" report scores.csv -o r.html
refuse 2 'report needs a file for the report: --output HTML, or for one of its plots: --plot SVG' \
    report scores.csv -m model.odim
refuse 2 "report needs a SCORES file, '-' for standard input" report -m model.odim -o r.html
refuse 2 'model.odim: is the input; write to another file' report scores.csv -m model.odim -o model.odim
refuse 2 "--threshold must be a number, not 'x'" report scores.csv -m model.odim -o r.html --threshold x
refuse 1 'scores.csv: has no rows but only their scores: --data FILE names the file with the column of --label' \
    report scores.csv -m model.odim -o r.html --label fault
run score data.csv -m model.odim --id name --keep -o kept.csv --quiet
run report kept.csv -m model.odim -o r.html --label nosuch
expect_exit 1
expect_match err "there is no column 'nosuch'"
# Formats that are for other programs.
for format in npy jsonl; do
    run score data.csv -m model.odim -o s.$format --quiet
done
run score data.csv -m model.odim --json -o s.json --quiet
only="scores are read from CSV or TSV, as 'odim detect -o scores.csv' writes them"
refuse 1 "s.npy: is an NPY file of named fields; $only" report s.npy -m model.odim -o r.html
refuse 1 "s.jsonl: is JSON; $only" report s.jsonl -m model.odim -o r.html
refuse 1 "s.json: is JSON; $only" report s.json -m model.odim -o r.html
refuse 1 "s.npy: is an NPY file of named fields; $only" eval s.npy --data data.csv --label fault
refuse 1 "s.jsonl: is JSON; $only" eval s.jsonl --label fault
head -n 50 scores.csv >few.csv
refuse 1 'few.csv: has 49 scores, which are not those of the 300 rows of data.csv' \
    report few.csv -m model.odim --data data.csv -o r.html --quiet
refuse 1 "data.csv: there is no column 'score'; there are name, a, b, c, fault" report data.csv -m model.odim -o r.html
expect 'no report is left over' [ ! -e r.html ]
run_sh "\"\$ODIM\" report scores.csv -m model.odim -o /dev/full"
expect_exit 1
expect_tidy .

# On a terminal: a small histogram above the summary.
if command -v script >/dev/null && script -qec true typescript </dev/null >/dev/null 2>&1; then
    last='detect on a terminal'
    script -qec "stty cols 80 rows 24; LC_ALL=C.UTF-8 \"\$ODIM\" score data.csv -m model.odim -o s.csv" typescript \
        </dev/null | tr -d '\r' >seen
    expect_match seen 'scores -?[0-9.]+ .*█.* (over )?-?[0-9.]+$'
    expect_match seen '^ +\^ threshold -?[0-9.]+$|threshold -?[0-9.]+ \^$'
    script -qec "stty cols 80 rows 24; \"\$ODIM\" score data.csv -m model.odim -o s.csv" typescript </dev/null |
        tr -d '\r' >seen
    expect_match seen 'scores -?[0-9.]+ .*#.* (over )?-?[0-9.]+$'
    script -qec "stty cols 80 rows 24; \"\$ODIM\" score data.csv -m model.odim -o s.csv --quiet" typescript \
        </dev/null >seen
    expect 'nothing when quiet' [ ! -s seen ]
else
    skip 'no script(1) to make a terminal'
fi

finish
