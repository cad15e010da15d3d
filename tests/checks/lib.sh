# shellcheck shell=sh
# Counting, for tests/run and the checks beside this file. Every test of this project, whatever it is, prints
# "N passed, N failed" last (", N skipped" may follow) and exits non-zero when something failed.
passed=0
failed=0
skipped=0

# Seconds, for one test and for a job of tests/run. They are there for what hangs, so they are many times what the
# slowest takes on a machine that is slow and busy.
test_limit=1800
# shellcheck disable=SC2034
job_limit=3600

pass()
{
    passed=$((passed + 1))
}

fail() # WHAT: one failure
{
    failed=$((failed + 1))
    printf 'FAILED %s\n' "$*"
}

skip() # WHY
{
    skipped=$((skipped + 1))
    printf 'skipped: %s\n' "$*"
}

check() # WHAT COMMAND...: passes when COMMAND succeeds
{
    checked=$1
    shift
    if "$@"; then pass; else fail "$checked"; fi
}

finish()
{
    if [ "$skipped" -gt 0 ]; then
        printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    else
        printf '%d passed, %d failed\n' "$passed" "$failed"
    fi
    [ "$failed" = 0 ]
    exit
}

child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 130' INT TERM

# limited SECONDS COMMAND...: COMMAND with no input and a time limit; 124 when it took too long. It runs in a group of
# its own, so that all it started ends with it, also when this script is interrupted. The shell starts what is in
# the background with interrupts ignored, which env undoes.
limited()
{
    seconds=$1
    shift
    timeout -k 5 "$seconds" env --default-signal=INT "$@" </dev/null &
    child=$!
    wait "$child"
    ended=$?
    child=
    return "$ended"
}

# tally LOG SECONDS COMMAND...: runs a test, keeps its output in LOG and adds its count to ours. One that prints no
# count, counts nothing, or exits non-zero without a failure counts as a failure. Non-zero when anything failed.
tally()
{
    log=$1
    mkdir -p "$(dirname "$log")"
    limit=$2
    shift 2
    limited "$limit" "$@" >"$log" 2>&1
    ended=$?
    count=$(LC_ALL=C sed -n \
        's/^\([0-9]\{1,\}\) passed, \([0-9]\{1,\}\) failed\(, \([0-9]\{1,\}\) skipped\)\{0,1\}$/\1 \2 \4/p' "$log" |
        tail -n 1)
    # shellcheck disable=SC2086 # two or three numbers
    set -- ${count:-0 0}
    bad=$2
    if [ "$ended" = 124 ]; then
        echo "took longer than $limit s" >>"$log"
        bad=$(($2 + 1))
    elif [ "$ended" != 0 ] && [ "$2" = 0 ]; then
        echo "exit status $ended" >>"$log"
        bad=1
    elif [ $(($1 + $2 + ${3:-0})) = 0 ]; then
        echo "ran no test" >>"$log"
        bad=1
    fi
    passed=$((passed + $1))
    failed=$((failed + bad))
    skipped=$((skipped + ${3:-0}))
    [ "$bad" = 0 ]
}

# run_test NAME COMMAND...: tally for one test of several in a part. Its log is a file of its own; the part's log gets
# the reasons of what was skipped and, if it failed, the end of the log.
run_test()
{
    name=$1
    own_log=${LOGS:-build/test-logs/single}/$name.log
    shift
    if tally "$own_log" "$test_limit" "$@"; then
        LC_ALL=C sed -n "s|^skipped:* |skipped $name: |p" "$own_log"
    else
        printf -- '--- %s (%s)\n' "$name" "$own_log"
        tail -n 60 "$own_log"
    fi
}
