# Help texts, versions, and command lines that are wrong.
. "$(dirname "$0")/lib.sh"

run help
expect_exit 0
expect_stderr
expect_golden help
for flag in --help -h; do
    run $flag
    expect_exit 0
    expect_golden help
done
run
expect_exit 2
expect_stdout
expect_same err "$test_dir/expected/help"

for verb in detect fit score explain report inspect eval trace dp-budget help version man completion; do
    run help $verb
    expect_exit 0
    expect_stderr
    expect_golden help-$verb
    expect 'no line is longer than 80 columns' awk 'length > 80 { exit 1 }' out
    expect 'it fits on a screen' [ "$(wc -l <out)" -le 42 ]
    for flag in --help -h; do
        run $verb $flag
        expect_exit 0
        expect_golden help-$verb
    done
    run help $verb --all
    expect_exit 0
    expect_stderr
    expect_golden help-all-$verb
    expect 'no line is longer than 80 columns' awk 'length > 80 { exit 1 }' out
    run $verb --help=all
    expect_exit 0
    expect_golden help-all-$verb
done
for verb in detect fit score explain report inspect eval trace dp-budget completion; do
    run $verb
    expect_exit 2
    expect_stdout
    expect_same err "$test_dir/expected/help-$verb"
done
run detect no-such-file --members 3 --help
expect_exit 0
expect_golden help-detect

for flag in --version -V version; do
    run $flag
    expect_exit 0
    expect_match out '^odim [0-9]+\.[0-9]+\.[0-9]+ \(kernels: [a-z0-9]+\)$'
done
run_sh 'ODIM_KERN=ref "$ODIM" --version'
expect_match out 'kernels: ref'
run_sh '"$ODIM" --version >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'

# wrong MESSAGE ARGUMENT...: the command line is refused with that message.
wrong()
{
    message=$1
    shift
    refuse 2 "$message" "$@"
}

echo 1 >data.csv
wrong "unknown command 'detcet'; did you mean 'detect'?" detcet
wrong "unknown command 'data.csv'; did you mean 'odim detect data.csv'?" data.csv
wrong "unknown command 'fit.csv'; did you mean 'odim detect fit.csv'?" fit.csv
wrong "unexpected argument 'a.csv' after 'm.odim'; did you mean 'odim score -m m.odim a.csv'?" score m.odim a.csv
wrong "unexpected argument 'm.odim' after 'a.csv'; did you mean 'odim explain -m m.odim a.csv'?" explain a.csv m.odim --row 1
wrong "unexpected argument 'm.odim' after 'a.csv'" score -m other.odim a.csv m.odim
wrong "score needs a model: --model MODEL, written by 'odim fit'; did you mean 'odim score -m m.odim FILE'?" score m.odim
wrong 'it is --help or --help=all, not --help=more' detect --help=more
wrong "unknown command 'frobnicate'; 'odim help' lists the commands" frobnicate
wrong "unknown command 'frobnicate'; 'odim help' lists the commands" help frobnicate
wrong "unknown option '--frobnicate'; 'odim help' lists the commands" --frobnicate
wrong "unexpected argument 'eval' after 'detect'" help detect eval
wrong "detect needs a FILE, '-' for standard input" detect --json
wrong "unexpected argument 'b.csv' after 'a.csv'" trace a.csv b.csv
wrong "unexpected argument '--json' after 'a.csv'" trace -- a.csv --json

wrong 'unknown option --membres; did you mean --members?' detect data.csv --membres 3
wrong 'unknown option --member; did you mean --members?' detect data.csv --member=3
wrong 'unknown option --max; did you mean --max-features?' detect data.csv --max 3
wrong 'unknown option --output-file; did you mean --output?' detect data.csv --output-file x
wrong 'unknown option -members; did you mean --members?' detect data.csv -members 3
wrong 'unknown option -quiet; did you mean --quiet?' detect data.csv -quiet
wrong 'unknown option --no-batchnorm; did you mean --no-batch-norm?' detect data.csv --no-batchnorm
wrong "unknown option --frobnicate; 'odim help detect --all' lists them" detect data.csv --frobnicate
wrong "unknown option -x; 'odim help detect --all' lists them" detect data.csv -x
wrong 'unknown option --no-members; did you mean --members?' detect data.csv --no-members
wrong "unknown option --; 'odim help eval --all' lists them" eval --=
wrong 'unknown option --lable; did you mean --label?' eval data.csv --lable x
wrong "unknown option --members; 'odim help eval --all' lists them" eval data.csv --members 3

wrong '--label needs a value: --label COL' detect data.csv --label
wrong '--label needs a value: --label COL' detect data.csv --label --json
wrong '--output needs a value: --output FILE' detect data.csv -o
wrong '--members needs a value: --members N' detect data.csv --members
wrong '--json takes no value' detect data.csv --json=yes
wrong '--no-batch-norm takes no value' detect data.csv --no-batch-norm=on
for value in 0 -1 x 1.5 '' 99999999999999999999; do
    wrong "--top must be a whole number of at least 1, not '$value'" detect data.csv --top "$value"
done
wrong "--members must be a whole number from 1 to 10000, not '0'" detect data.csv --members 0
wrong "--members must be a whole number from 1 to 10000, not 'ten'" detect data.csv --members ten
wrong "--batch-norm must be one of on|off, not 'maybe'" detect data.csv --batch-norm=maybe
wrong "--likelihood must be one of paper|gaussian|unit|bernoulli, not 'cauchy'" detect data.csv --likelihood cauchy
wrong "--seed must be a whole number from 0 to 2^64 - 1, not '-1'" detect data.csv --seed -1
wrong "--delimiter must be one character or 'tab', not '::'" detect data.csv --delimiter ::
wrong 'data.csv: is the input; write to another file' detect data.csv -o data.csv
wrong "eval needs a SCORES file, '-' for standard input" eval --label y
wrong 'eval needs the labels: --label COL for a column of SCORES, --data FILE for another file' eval data.csv

finish
