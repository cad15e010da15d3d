# Ctrl-C, SIGTERM and readers that go away: a prompt end, a clear message, nothing half-written.
. "$(dirname "$0")/lib.sh"

make_table 2000 >data.csv
LONG='detect data.csv --only a,b,c --members 10000'
echo old >old
cp old kept.csv

# interrupt SIGNAL CODE: during the fit, which would take many minutes.
interrupt()
{
    run_sh "ulimit -c 0; \"\$UNTIL\" $1 1 \"\$ODIM\" $LONG -o kept.csv"
    expect_exit "$2"
    expect_stdout
    expect_stderr 'odim: interrupted'
    expect_same old kept.csv
    expect_tidy .
}
interrupt INT 130
interrupt TERM 143
interrupt HUP 129
interrupt QUIT 131

# by_signal SIGNAL NUMBER COMMAND: it dies by the signal, and does not only exit with its number: a shell ends a
# loop around it, and who started it can tell. Python says -NUMBER for one and 128 + NUMBER for the other.
by_signal()
{
    cat >by.py <<'END'
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
run = subprocess.Popen(sys.argv[2:], stderr=subprocess.DEVNULL)
number = int(sys.argv[1])

def caught(): # the signals that it has handlers for: not before it is ready for them
    mask = [line.split()[1] for line in open(f"/proc/{run.pid}/status") if line.startswith("SigCgt")]
    return int(mask[0], 16) >> (number - 1) & 1

while run.poll() is None and not caught():
    time.sleep(0.01)
time.sleep(0.2)
run.send_signal(number)
print(run.wait(1800))
END
    run_sh "ulimit -c 0; python3 by.py $2 \"\$ODIM\" $3"
    expect_stdout "-$2"
    rm by.py
    expect_same old kept.csv
    expect_tidy .
}
if command -v python3 >/dev/null; then
    mkfifo quiet
    sleep 4000 >quiet &
    writer=$!
    for signal in INT:2 TERM:15 HUP:1 QUIT:3; do
        by_signal ${signal%:*} ${signal#*:} "$LONG -o kept.csv"
        by_signal ${signal%:*} ${signal#*:} "detect quiet -o kept.csv" # at once, not when a call has ended
        by_signal ${signal%:*} ${signal#*:} "fit - -o kept.csv <quiet"
    done
    kill $writer
    rm quiet
fi
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
