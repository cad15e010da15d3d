#!/bin/sh
# counting.sh: the counting of lib.sh, on which every other part rests: nothing that goes wrong may pass for success.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

counts() # EXPECTED SCRIPT: what tally makes of a test that is SCRIPT
(
    passed=0 failed=0 skipped=0
    if tally "$tmp/log" 2 sh -c "$2"; then verdict=good; else verdict=bad; fi
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
check "too slow" counts 'bad 3 1 0' 'echo 3 passed, 0 failed; sleep 20'
check "not there" counts 'bad 0 1 0' 'exec ./no-such-program'
check "no input to read" counts 'good 1 0 0' 'cat; echo 1 passed, 0 failed'
finish
