#!/bin/sh
# counting.sh: the counting of lib.sh and jobs.sh, on which every other part rests: nothing that goes wrong may pass for
# success, and nothing stays behind.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

counts() # EXPECTED SCRIPT: what tally makes of a test that is SCRIPT
(
    passed=0 failed=0 skipped=0
    if tally "$tmp/log" "${limit:-300}" sh -c "$2"; then verdict=good; else verdict=bad; fi
    [ "$verdict $passed $failed $skipped" = "$1" ] || {
        echo "expected $1, got $verdict $passed $failed $skipped of: $2"
        return 1
    }
)

check "all passed" counts 'good 3 0 0' 'echo 3 passed, 0 failed'
check "the last count holds" counts 'good 3 0 0' 'echo 1 passed, 1 failed; echo 3 passed, 0 failed; echo bye >&2'
check "skipped ones" counts 'good 3 0 2' 'echo 3 passed, 0 failed, 2 skipped'
check "only skipped ones" counts 'good 0 0 1' 'echo 0 passed, 0 failed, 1 skipped'
check "failures" counts 'bad 3 4 0' 'echo 3 passed, 4 failed; exit 1'
check "failures, but exit 0" counts 'bad 3 4 0' 'echo 3 passed, 4 failed'
check "exit non-zero after success" counts 'bad 3 1 0' 'echo 3 passed, 0 failed; exit 1'
check "killed by a signal" counts 'bad 3 1 0' 'echo 3 passed, 0 failed; kill -SEGV $$'
check "no count" counts 'bad 0 1 0' 'echo fine'
check "nothing counted" counts 'bad 0 1 0' 'echo 0 passed, 0 failed'
check "a count inside a line" counts 'bad 0 1 0' 'echo so far 3 passed, 0 failed'
limit=1
check "too slow" counts 'bad 3 1 0' 'echo 3 passed, 0 failed; sleep 1000'
limit=
check "not there" counts 'bad 0 1 0' 'exec ./no-such-program'
check "no input to read" counts 'good 1 0 0' 'cat; echo 1 passed, 0 failed'

# ---- several tests in a part

# tells EXPECTED SCRIPT: what run_test adds to the part's log for a test that is SCRIPT
tells()
{
    told=$(LOGS=$tmp && run_test sky sh -c "$2")
    [ "$told" = "$1" ] || {
        echo "expected '$1', got '$told'"
        return 1
    }
}

check "run_test: silent when all passed" tells '' 'echo talk; echo 1 passed, 0 failed'
check "run_test: why it was skipped" tells 'skipped sky: no moon' \
    'echo talk; echo skipped: no moon; echo 0 passed, 0 failed, 1 skipped'
check "run_test: which part of it was skipped" tells 'skipped sky: moon: too dark' \
    'echo skipped moon: too dark; echo 0 passed, 0 failed, 1 skipped'
check "run_test: the log of a failure" tells "--- sky ($tmp/sky.log)
oh no
0 passed, 1 failed" 'echo oh no; echo 0 passed, 1 failed; exit 1'

# ---- jobs at the same time

# as NAME: makes a job of the script on standard input
as()
{
    { echo '#!/bin/sh' && cat; } >"$tmp/$1" && chmod +x "$tmp/$1"
}

# list WIDTH ASKED: makes $tmp/list, which runs the parts on standard input, so many jobs at a time
list()
{
    {
        printf '. tests/checks/lib.sh\n. tests/checks/jobs.sh\nTEST_JOBS=%s asked="%s" logs=%s job_limit=300\n' \
            "$1" "$2" "$tmp/logs"
        cat
        printf 'run_parts\n[ "$skipped" = 0 ] || echo "$skipped skipped"\nskipped=0\nfinish\n'
    } | sed "s|@|$tmp/|g" >"$tmp/list"
    rm -rf "$tmp/logs" "$tmp"/made.*
    mkdir "$tmp/logs"
}

# gives STATUS LAST-LINE [PARTS]: what comes of $tmp/list; PARTS: the first words of the other lines that have no indent
gives()
{
    sh -u "$tmp/list" >"$tmp/out" 2>&1
    status=$?
    lines=$(sed '$d' "$tmp/out" | sed -n 's/^\([a-z-]\{1,\}\) .*/\1/p' | tr '\n' ' ')
    [ "$status" = "$1" ] && [ "$(tail -n 1 "$tmp/out")" = "$2" ] && [ "${3-$lines}" = "${lines% }" ] && return
    echo "status $status, and:"
    cat "$tmp/out"
    return 1
}

says() # TEXT: in what the list printed
{
    grep -q -F -e "$1" "$tmp/out"
}

as good <<'END'
echo 3 passed, 0 failed
END
as bad <<'END'
echo oh no
echo 2 passed, 1 failed
exit 1
END
as mute <<'END'
echo fine
END
as hangs <<'END'
echo $$ >$(dirname "$0")/made.pid
echo 1 passed, 0 failed
sleep 1000
END
as skips <<'END'
echo skipped: no moon
echo 1 passed, 0 failed, 2 skipped
END
as opens <<'END'
: >$(dirname "$0")/made.door
echo 1 passed, 0 failed
END
as waits <<'END'
until [ -e $(dirname "$0")/made.door ]; do sleep 0.05; done
echo 1 passed, 0 failed
END
as follows <<'END'
[ -e $(dirname "$0")/made.door ] && echo 1 passed, 0 failed
END
as alone <<'END'
cd $(dirname "$0") && mkdir made.room && sleep 0.1 && rmdir made.room && echo 1 passed, 0 failed
END

list 3 '' <<'END'
part one
job @good
job @good
part two
job @skips
END
check "jobs: the counts add up" gives 0 '7 passed, 0 failed' 'one two'
check "jobs: skipped ones" says '2 skipped'
check "jobs: why they were skipped" says '    skipped: no moon'
list 2 '' <<'END'
part one
job @waits
part two
job @opens
END
check "jobs: at the same time, and told in order" gives 0 '2 passed, 0 failed' 'one two'
list 2 '' <<'END'
early=two
part one
job @waits
job @waits
part two
job @opens
END
check "jobs: an early one first" gives 0 '3 passed, 0 failed' 'one two'
list 4 '' <<'END'
part one two
job @follows
part two three
job @opens
part three
job @good
END
check "jobs: one after another" gives 0 '5 passed, 0 failed' 'one two three'
list 1 '' <<'END'
part one
job @alone
job @alone
part two
job @alone
END
check "jobs: no more than allowed" gives 0 '3 passed, 0 failed' 'one two'
list 2 'two' <<'END'
part one
job @bad
part two one
job @good
part two-more two
job @good
END
check "jobs: those that are asked for" gives 0 '6 passed, 0 failed' 'two two-more'
list 2 '' <<'END'
part one
job @good
job @bad
job @good
part two one
job @good
END
check "jobs: one fails" gives 1 '11 passed, 1 failed' 'one two'
check "jobs: it is shown" says '    oh no'
list 2 '' <<'END'
part one
job @mute
job @good
END
check "jobs: one prints no count" gives 1 '3 passed, 1 failed' 'one'
check "jobs: that is shown" says '    ran no test'
list 2 '' <<'END'
part one
part two one
job @good
END
check "jobs: a part has none" gives 1 '3 passed, 1 failed' 'one two'
list 2 '' <<'END'
part one
job @no-such-program
job @good
END
check "jobs: one is not there" gives 1 '3 passed, 1 failed' 'one'
list 2 '' <<'END'
job_limit=1
part one
job @hangs
part two one
job @good
END
check "jobs: one hangs" gives 1 '4 passed, 1 failed' 'one two'
check "jobs: that it did" says '    took longer than 1 s'
check "jobs: it has ended" eval '! kill -0 "$(cat "$tmp/made.pid")" 2>/dev/null'
list 2 '' <<'END'
part one two
job @good
part two one
job @good
END
check "jobs: parts that wait for each other" gives 1 '0 passed, 1 failed'

# ends SIGNAL: the list is told to end while jobs run; they end before it does
ends()
{
    rm -rf "$tmp"/made.* "$tmp"/logs/*
    env --default-signal=INT sh -u "$tmp/list" >"$tmp/out" 2>&1 &
    job=$!
    until [ -s "$tmp/made.pid" ] || ! kill -0 "$job"; do sleep 0.05; done
    kill "-$1" "$job"
    wait "$job"
    status=$?
    [ "$status" = 130 ] && ! kill -0 "$(cat "$tmp/made.pid")" 2>/dev/null && return
    echo "status $status, and:"
    cat "$tmp/out"
    return 1
}

list 2 '' <<'END'
part one
job @hangs
job @waits
job @good
END
check "jobs: interrupted" ends INT
check "jobs: told to end" ends TERM
finish
