# odim trace: how a model learns.
. "$(dirname "$0")/lib.sh"

make_table 300 >data.csv
SHORT='--preset paper --id name --members 2 --samples 4 --length 60 --updates 7,40'

run trace data.csv --label fault $SHORT
expect_exit 0
expect_stderr
expect_golden trace
run trace data.csv --ignore fault $SHORT
expect_exit 0
expect_golden trace-unlabelled
run trace data.csv --label fault $SHORT --json
expect_exit 0
expect_golden trace-json

# It is the model that detect makes: where it stops, and what it keeps.
FIT='--id name --ignore fault --members 2 --samples 4'
run detect data.csv $FIT --json --quiet
sed -n 's/.*"best_update": \([0-9]*\), "distance": \([^}]*\)}.*/\1 \2/p' out >want
sed -n 's/.*{"updates": \([0-9]*\), .*/\1/p' out >stops
run trace data.csv $FIT --length 600 --json
sed -n 's/.*"best_update": \([0-9]*\), "distance": \([^,]*\), .*/\1 \2/p' out >got
sed -n 's/.*{"stop": \([0-9]*\), .*/\1/p' out >traced
expect 'there are members' [ "$(wc -l <want)" -eq 2 ]
expect_same want got
expect_same stops traced

# Any number of threads, from a pipe as from a file.
run trace data.csv --label fault $SHORT --json --threads 1
expect_golden trace-json
run_sh "cat data.csv | \"\$ODIM\" trace - --label fault $SHORT --threads 3 | tail -n 4"
tail -n 4 "$test_dir/expected/trace" >want
expect_same want out

# The figure.
run trace data.csv --label fault $SHORT --plot trace.svg
expect_exit 0
expect_golden trace
expect 'three histograms, distance and AUC' [ "$(grep -c 'class="frame"' trace.svg)" -eq 5 ]
expect 'inliers and outliers' [ "$(grep -c 'class="bar s[01] f[01]" d=' trace.svg)" -eq 6 ]
expect_match trace.svg '>after 7 updates<'
expect_match trace.svg '>kept<'
expect_match trace.svg 'prefers-color-scheme:dark'
expect 'no number that is none' sh -c '! grep -q -e nan -e inf trace.svg'
run trace data.csv --ignore fault $SHORT --plot plain.svg
expect 'three histograms and the distance' [ "$(grep -c 'class="frame"' plain.svg)" -eq 4 ]
cp data.csv '<b>&.csv'
run trace '<b>&.csv' --label fault $SHORT --plot odd.svg
expect_match odd.svg '&lt;b&gt;&amp;\.csv: losses of 300 rows'
if command -v python3 >/dev/null && python3 -c 'import xml.dom.minidom' 2>/dev/null; then
    for file in trace.svg plain.svg odd.svg; do
        last="the XML of $file"
        expect 'it is well formed' python3 -c "import sys, xml.dom.minidom as m; m.parse('$file')"
    done
else
    skip 'no python3 to parse the XML'
fi

# What is labelled alike has no AUC.
sed 's/,[01]$/,0/' data.csv >alike.csv
run trace alike.csv --label fault $SHORT
expect_exit 0
expect_match out '^ +40 +0\.[0-9]+ +- +-?[0-9.]+ +-?[0-9.]+ +-?[0-9.]+ +- +- +-$'

# A few rows of many: of each kind.
run trace data.csv --label fault $SHORT --rows 20 --json
expect_match out '"rows_looked_at": 20,'

run trace data.csv --id name --ignore fault --members 1 --samples 2 --length 10
expect_match out '^stop rule: 0 of 1 member would have stopped'

# The last update is always looked at.
for length in 7 45; do
    run trace data.csv --id name --label fault --members 1 --samples 2 --length $length --json
    sed -n 's/.*{"update": \([0-9]*\), .*/\1/p' out >moments
    expect 'the last one' [ "$(tail -n 1 moments)" = $length ]
done
expect 'and the usual ones' grep -qx 10 moments

refuse 2 "trace needs a FILE, '-' for standard input" trace --json
refuse 2 "--updates must be whole numbers of at least 1 with commas between, not '5,x'" trace data.csv --updates 5,x
refuse 2 "--updates must be whole numbers of at least 1 with commas between, not '0'" trace data.csv --updates 0
refuse 2 "--length must be a whole number of at least 1, not '0'" trace data.csv --length 0
refuse 2 'cannot record losses after update 50 of 40' trace data.csv --id name --length 40 --updates 50
refuse 2 'data.csv: is the input; write to another file' trace data.csv --plot data.csv
# What has no meaning here is not offered.
for option in --dp-epsilon --contamination --max-updates; do
    run trace data.csv --id name $option 1
    expect_exit 2
    expect_match err "unknown option.*$option"
    run trace --help=all
    expect "no $option in the help" sh -c "! grep -q -e $option out"
done
refuse 2 '--plot needs the name of a file' trace data.csv --plot -
refuse 1 'no/such/folder.svg: No such file or directory' trace data.csv --plot no/such/folder.svg
refuse 1 "absent.csv: cannot open: No such file or directory" trace absent.csv
cp trace.svg old.svg
run trace absent.csv --plot trace.svg
expect_exit 1
expect_same old.svg trace.svg
run_sh "\"\$ODIM\" trace data.csv --label fault $SHORT >/dev/full"
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'
run_sh "\"\$ODIM\" trace data.csv --label fault $SHORT --plot /dev/full"
expect_exit 1
expect_tidy .

# On a terminal there are histograms below the table.
if command -v script >/dev/null && script -qec true typescript </dev/null >/dev/null 2>&1; then
    last='trace on a terminal'
    script -qec "stty cols 80 rows 24; LC_ALL=C.UTF-8 \"\$ODIM\" trace data.csv --label fault --quiet $SHORT" typescript \
        </dev/null >seen 2>&1
    expect_match seen '^ +after 7  inliers .*█'
    expect_match seen '^ +40  inliers '
    expect_match seen '^ +outliers .*█'
    script -qec "stty cols 80 rows 24; \"\$ODIM\" trace data.csv --label fault --quiet $SHORT" typescript \
        </dev/null >seen 2>&1
    expect_match seen '^ +after 7  inliers .*#'
else
    skip 'no script(1) to make a terminal'
fi

finish
