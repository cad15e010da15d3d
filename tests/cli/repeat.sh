# Same seed, same bytes: for any number of threads, run after run; and equal rows get equal scores.
. "$(dirname "$0")/lib.sh"

make_table 500 >data.csv
DETECT='detect data.csv --only a,b,c --members 5 --samples 8 --max-updates 60'

run $DETECT --threads 1
expect_exit 0
cp out one.csv
for threads in 1 2 7; do
    run $DETECT --threads $threads
    expect_same one.csv out
done
run $DETECT
expect_same one.csv out
# More threads than members, and the kernels in plain C.
run $DETECT --threads 13
expect_same one.csv out
run_sh 'ODIM_KERN=ref "$ODIM" '"$DETECT"
expect_same one.csv out
run_sh 'ODIM_KERN=sse "$ODIM" '"$DETECT"
expect_exit 2
expect_stdout
expect_stderr "odim: ODIM_KERN in the environment must be ref, avx2, avx512 or neon, not 'sse'"
run $DETECT --seed 0
expect_same one.csv out
run $DETECT --seed 1
expect 'another seed gives other scores' sh -c '! cmp -s one.csv out'
cp out seed1.csv
run $DETECT --seed 1 --threads 2
expect_same seed1.csv out

# A locale with a decimal comma changes nothing.
if why=$("$test_dir/../checks/locale.sh" "$PWD/locale"); then
    expect 'a decimal comma' [ "$(LOCPATH=locale LC_ALL=de_DE locale decimal_point)" = , ]
    run_sh 'LOCPATH=locale LC_ALL=de_DE "$ODIM" '"$DETECT"
    expect_same one.csv out
else
    skip "decimal comma: $why"
fi

# Each row three times, far apart: the score depends on the row alone.
(cat data.csv && sed 1d data.csv && sed 1d data.csv) >thrice.csv
run detect thrice.csv --only a,b,c $FAST --threads 2
expect_exit 0
sed 1d out | cut -d, -f2 >scores
head -n 500 scores >first
sed -n '501,1000p' scores >second
tail -n 500 scores >third
expect_same first second
expect_same first third
expect 'the scores are not all the same' [ "$(sort -u first | wc -l)" -gt 400 ]

finish
