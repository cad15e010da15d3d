# Ctrl-C, SIGTERM and readers that go away: a prompt end, a clear message, nothing half-written.
. "$(dirname "$0")/lib.sh"

make_table 2000 >data.csv
LONG='detect data.csv --only a,b,c --members 10000'
echo old >old
cp old kept.csv

# interrupt SIGNAL CODE: during the fit, which would take many minutes.
interrupt()
{
    run_sh "\"\$UNTIL\" $1 1 \"\$ODIM\" $LONG -o kept.csv"
    expect_exit "$2"
    expect_stdout
    expect_stderr 'odim: interrupted'
    expect_same old kept.csv
    expect_tidy .
}
interrupt INT 130
interrupt TERM 143
interrupt HUP 129
run_sh "\"\$UNTIL\" INT 1 \"\$ODIM\" $LONG --json"
expect_exit 130
expect_stdout

# During the scoring: a fit of one update, then many rows.
awk 'BEGIN { for (i = 0; i < 300000; i++) printf "%d,%d\n", (i * 7919) % 10007, (i * 104729) % 1009 }' >long.csv
run_sh "\"\$UNTIL\" INT 2 \"\$ODIM\" detect long.csv --max-updates 1 --samples 10000 -o kept.csv"
expect_exit 130
expect_stderr 'odim: interrupted'
expect_same old kept.csv
expect_tidy .

# While it reads, from a pipe that says nothing.
mkfifo silent
sleep 3000 >silent &
sleeper=$!
run_sh '"$UNTIL" INT 1 "$ODIM" detect - -o kept.csv <silent'
expect_exit 130
expect_stderr 'odim: interrupted'
expect_same old kept.csv
expect_tidy .
kill $sleeper
wait

# Nobody reads: ends as cat does, without a word.
run_sh "{ \"\$ODIM\" detect long.csv --members 1 --samples 1 --max-updates 1; echo \$? >code; } | head -n 1"
expect_stdout 'row,score,rank,p_outlier,is_outlier'
expect_stderr
expect_text code 141
# Somebody has switched SIGPIPE off: then it is an error like any other.
run_sh "trap '' PIPE; { \"\$ODIM\" detect long.csv --members 1 --samples 1 --max-updates 1; echo \$? >code; } | head -n 1"
expect_stderr 'odim: standard output: Broken pipe'
expect_text code 1

finish
