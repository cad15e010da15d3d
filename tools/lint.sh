#!/bin/sh
# lint.sh: runs clang-tidy (checks in .clang-tidy) and cppcheck on everything that is built except the tests, which run
# under the sanitizers. Benchmarks and experiments are checked by cppcheck only. Fails on any finding.
set -u
cd "$(dirname "$0")/.." || exit 1
tools/build.sh release odim || exit 1 # writes build/compile_commands.json
cores=$(getconf _NPROCESSORS_ONLN)
bad=0

echo 'clang-tidy' >&2
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/compile_commands.json | grep -v -e '/tests/[^/]*/test_' -e '/bench/' -e '/experiments/' | sort -u |
    tr '\n' '\0' | xargs -0 -n 1 -P "$cores" clang-tidy -p build --quiet >build/clang-tidy.log 2>&1 || bad=1
grep -v -E '^[0-9]+ warnings? (generated|treated)' build/clang-tidy.log

# Suppressed: scratch memory allocated as doubles may be used as floats; and a false alarm about an array that is read
# only where it was filled.
echo 'cppcheck' >&2
cppcheck --suppress=invalidPointerCast --suppress=uninitvar:src/kern/avx2.c \
    --std=c11 -I include -I src --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    --quiet -j "$cores" bench cli examples experiments fuzz include serve src tools || bad=1
exit $bad
