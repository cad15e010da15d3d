#!/bin/sh
# arm.sh FOLDER: cross-builds for 64-bit ARM and runs under qemu: the kernels against the reference, the golden tests, tests of
# the command, and fits whose models and scores must have the bytes of those of FOLDER/odim.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
here=$PWD/$1/odim

left_out() # WHY
{
    skip "ARM: $1"
    finish
}

[ "$(uname -m)" != aarch64 ] || left_out 'this machine is one, and all tests run on it'
command -v aarch64-linux-gnu-gcc >/dev/null || left_out 'no cross compiler (Debian: gcc-aarch64-linux-gnu)'
command -v qemu-aarch64 >/dev/null || left_out 'no emulator (Debian: qemu-user)'
tools/arm64.sh --find || left_out 'its libraries were not fetched (tools/setup.sh arm)'
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# shellcheck disable=SC2046 # a list of words
check "build for ARM" tools/build.sh arm64 odim test_kern $(basename -a -s .c tests/golden/test_*.c) 2>"$tmp/log"
cat "$tmp/log"
check "no warning" eval '! grep -q "warning:" "$tmp/log"'
mkdir -p build-arm64/qemu
printf '#!/bin/sh\nexec qemu-aarch64 "%s/build-arm64/odim" "$@"\n' "$PWD" >build-arm64/qemu/odim
chmod +x build-arm64/qemu/odim
arm=$PWD/build-arm64/qemu/odim

check "it is a program for ARM, with its kernels" eval '"$arm" --version | grep -q "(kernels: neon)"'
for name in test_kern $(basename -a -s .c tests/golden/test_*.c); do
    run_test "$name" qemu-aarch64 "build-arm64/tests/$name"
done
for name in help eval; do
    mkdir "$tmp/$name"
    run_test "$name" env ODIM="$arm" TMP="$tmp/$name" sh "tests/cli/$name.sh"
done

same() # NAME FIT-OPTION...: both fit the same model, byte by byte, and give the rows the same scores and reasons
{
    name=$1
    shift
    "$here" detect "$@" --explain 2 --quiet --save-model "$tmp/$name-x86.odim" -o "$tmp/$name-x86.csv" &&
        "$arm" detect "$@" --explain 2 --quiet --save-model "$tmp/$name-arm.odim" -o "$tmp/$name-arm.csv" &&
        cmp "$tmp/$name-x86.odim" "$tmp/$name-arm.odim" && cmp "$tmp/$name-x86.csv" "$tmp/$name-arm.csv" &&
        "$arm" score -m "$tmp/$name-x86.odim" "$table" --quiet -o "$tmp/$name-again.csv" &&
        "$here" score -m "$tmp/$name-arm.odim" "$table" --quiet -o "$tmp/$name-want.csv" &&
        cmp "$tmp/$name-want.csv" "$tmp/$name-again.csv"
}

table=$tmp/table.csv
head -n 151 demo/machine.csv >"$table"
small='--members 2 --samples 4 --max-updates 10'
# shellcheck disable=SC2086 # a list of words
{
    check "same model and scores: default preset" same auto "$table" $small
    check "same model and scores: preset paper" same paper "$table" $small --preset paper
    check "same model and scores: a flow" same flow "$table" --members 1 --max-updates 10 --preset paper --model flow
    check "same model and scores: Bernoulli" same bernoulli "$table" $small --preset paper --likelihood bernoulli
}
for method in iforest mcd; do
    check "same model and scores: $method" same "$method" "$table" --method "$method"
done
finish
