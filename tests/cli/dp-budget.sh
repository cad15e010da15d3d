# odim dp-budget: epsilon, steps or noise, for people and for programs.
. "$(dirname "$0")/lib.sh"

RUN_OF='--rate 0.04 --delta 1e-5'

# meaning EPSILON: what is said below the numbers.
meaning()
{
    printf '%s\n' 'One row more or less changes the probability of any outcome by a factor of at' \
        "most e^$1, plus 1e-05." \
        'This is for one run. The B members of an ensemble on the same rows are B runs:' \
        'together they take B times the steps.'
}

# A published value: 7.32911117143.
run dp-budget $RUN_OF --noise 1.5 --steps 2250
expect_exit 0
expect_stderr
expect_stdout 'rate     0.04' 'noise    1.5' 'steps    2250' 'epsilon  7.3292 (order 3.9)' 'delta    1e-05' '' \
    "$(meaning 7.3292)"

# How many steps: the last number that fits.
run dp-budget $RUN_OF --noise 1.5 --epsilon 10
expect_exit 0
expect_stdout 'rate     0.04' 'noise    1.5' 'steps    3848' 'epsilon  9.9994 of 10 (order 3.3)' 'delta    1e-05' '' \
    "$(meaning 9.9994)"
run dp-budget $RUN_OF --noise 1.5 --steps 3849
expect_match out '^epsilon  10\.0'
run dp-budget $RUN_OF --noise 0.1 --epsilon 0.01
expect_exit 0
expect_stdout 'rate     0.04' 'noise    0.1' 'steps    0' 'epsilon  0.0000 of 0.01' 'delta    1e-05' '' \
    'Even a single update exceeds the budget.'

# How much noise: the least of its grid.
run dp-budget $RUN_OF --epsilon 10 --steps 2250
expect_exit 0
expect_stdout 'rate     0.04' 'noise    1.2325' 'steps    2250' 'epsilon  9.9993 of 10 (order 3.2)' 'delta    1e-05' '' \
    "$(meaning 9.9993)"
run dp-budget $RUN_OF --noise 1.2324 --steps 2250
expect_match out '^epsilon  10\.0'

run dp-budget $RUN_OF --noise 1e-200 --steps 1
expect_exit 0
expect_stdout 'rate     0.04' 'noise    1e-200' 'steps    1' 'epsilon  inf' 'delta    1e-05' '' 'There is no guarantee.'

# json LINE...: what follows the version.
json()
{
    expect_exit 0
    expect_stderr
    expect_match out '^  "version": "[0-9.]+",$'
    grep -v version out >json
    expect_text json '{' '  "rate": 0.04,' "$@" '}'
}
run dp-budget $RUN_OF --noise 1.5 --steps 2250 --json
json '  "noise": 1.5,' '  "steps": 2250,' '  "delta": 1e-05,' '  "epsilon": 7.32911117,' '  "order": 3.9'
run dp-budget $RUN_OF --noise 1.5 --epsilon 10 --json
json '  "noise": 1.5,' '  "steps": 3848,' '  "delta": 1e-05,' '  "epsilon": 9.9993832,' '  "epsilon_limit": 10,' \
    '  "order": 3.3'
run dp-budget $RUN_OF --epsilon 10 --steps 2250 --json
json '  "noise": 1.2325,' '  "steps": 2250,' '  "delta": 1e-05,' '  "epsilon": 9.99928074,' '  "epsilon_limit": 10,' \
    '  "order": 3.2'
run dp-budget $RUN_OF --noise 0.1 --epsilon 0.01 --json
json '  "noise": 0.1,' '  "steps": 0,' '  "delta": 1e-05,' '  "epsilon": 0,' '  "epsilon_limit": 0.01,' '  "order": null'
run dp-budget $RUN_OF --noise 1e-200 --steps 1 --json
json '  "noise": 1e-200,' '  "steps": 1,' '  "delta": 1e-05,' '  "epsilon": null,' '  "order": null'

# From a settings file.
printf 'rate = 0.04\nnoise = 1.5\nsteps = 2250\ndelta = 1e-5\n' >run.conf
run dp-budget --config run.conf
expect_match out '^epsilon  7\.3292 '
printf 'rate = much\n' >run.conf
run dp-budget --config run.conf
expect_exit 2
expect_stderr "odim: run.conf: line 1: rate must be a number, not 'much'"

# wrong MESSAGE ARGUMENT...
wrong()
{
    message=$1
    shift
    refuse 2 "$message" dp-budget "$@"
}
two='dp-budget needs two of --noise, --steps and --epsilon, and finds the third'
wrong 'dp-budget needs --rate and --delta' --noise 1 --steps 5
wrong 'dp-budget needs --rate and --delta' --rate 0.1 --noise 1 --steps 5
wrong "$two" $RUN_OF
wrong "$two" $RUN_OF --noise 1
wrong "$two" $RUN_OF --epsilon 1
wrong "$two" $RUN_OF --noise 1 --steps 5 --epsilon 1
wrong 'dp-budget takes options only' $RUN_OF --noise 1 --steps 5 data.csv
for value in x '' 1x nan inf 1e999; do
    wrong "--noise must be a number, not '$value'" $RUN_OF --steps 5 --noise "$value"
done
wrong "--steps must be a whole number of at least 1, not '0'" $RUN_OF --noise 1 --steps 0
wrong '--rate must be above 0 and at most 1, not 1.5' --rate 1.5 --delta 1e-5 --noise 1 --steps 5
wrong '--rate must be above 0 and at most 1, not -0.5' --rate -0.5 --delta 1e-5 --noise 1 --steps 5
wrong '--delta must be above 0 and below 1, not 0' --rate 0.1 --delta 0 --noise 1 --steps 5
wrong '--noise must be a number above 0, not 0' $RUN_OF --noise 0 --epsilon 1
wrong '--epsilon must be a number above 0, not -1' $RUN_OF --noise 1 --epsilon -1
wrong '--epsilon is too small: no noise up to 1073741824 is enough for it' $RUN_OF --steps 1 --epsilon 1e-6

run_sh '"$ODIM" dp-budget --rate 0.04 --delta 1e-5 --noise 1 --steps 5 >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'

finish
