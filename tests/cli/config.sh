# Settings from a file: --config and --init-config.
. "$(dirname "$0")/lib.sh"

make_table 100 >data.csv
PLAIN='--only a,b,c --members 2 --samples 4 --max-updates 40'

for verb in detect fit score explain report inspect eval trace dp-budget; do
    run $verb --init-config
    expect_exit 0
    expect_stderr
    expect_golden "init-config-$verb"
    expect 'no line is longer than 80 columns' awk 'length > 80 { exit 1 }' out
    # Nothing is set in it; and with every line uncommented every setting is at its default.
    cp out commented
    sed 's/^#\([a-z]\)/\1/' commented >defaults
    expect 'it sets something' grep -q '^[a-z-]* = ' defaults
    expect 'a setting for each option' sh -c '
        "$ODIM" help '$verb' --all | sed -n "s/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p" |
            grep -v -x -e config -e init-config -e help -e no-header | sort >want
        sed -n "s/^\([a-z-]*\) =.*/\1/p" defaults | sort >got
        cmp -s want got'
    for file in commented defaults; do
        cp $file $file-$verb
    done
done

run detect data.csv --ignore name,fault --json $FAST
cp out want.json
cp err want.err
for file in commented-detect defaults-detect; do
    run detect data.csv --ignore name,fault --json $FAST --config $file
    expect_exit 0
    expect_same want.json out
    expect_same want.err err
done
run detect data.csv --only a,b --label fault
cp out want.csv
cp err want.err
run detect data.csv --only a,b --label fault --config=defaults-detect
expect_exit 0
expect_same want.csv out
expect_same want.err err
printf 'score,y\n2,1\n1,0\n' >scores.csv
run eval scores.csv --label y
cp out want.txt
run eval scores.csv --label y --config defaults-eval
expect_exit 0
expect_same want.txt out

# Every kind of setting, and all that the syntax allows.
run detect data.csv $PLAIN --no-batch-norm --json --top 3 --quiet -o want.json
printf '\357\273\277# a comment\r\n\n  members=2\n\tsamples =4   # few\nmax-updates = 40\r\nonly = "a,b" # not all\n' >run.conf
printf 'batch-norm = no\njson = yes\ntop = 3\nquiet = on\nid =\n   # another\nlabel = # none\noutput = "got.json"' >>run.conf
run detect data.csv --config run.conf --only a,b,c
expect_exit 0
expect_stdout
expect_stderr
expect_same want.json got.json
run detect data.csv $PLAIN
cp out want.csv
# name_is NAME VALUE: an output that is set like that is called so.
name_is()
{
    printf 'output = %s\n' "$2" >run.conf
    run detect data.csv $PLAIN --config run.conf
    expect_exit 0
    expect_same want.csv "$1"
    rm -f "$1"
}
name_is ' # 1.csv' '" # 1.csv"  # quoted'
name_is '"q".csv' '"""q"".csv"'
name_is 'a"b".csv' 'a"b".csv'
name_is 'a#b c.csv' "$(printf 'a#b c.csv\t# not quoted')"

# The command line wins, whatever stands first: a value, a list, a switch, a parameter, the opposite of a switch.
printf 'only = a\nmembers = 7\njson = yes\ntop = 2\nno-header = yes\nbatch-norm = off\noutput = elsewhere\n' >run.conf
run detect data.csv $PLAIN --top 3 --header --json -o want.json
for order in 'data.csv --config run.conf' '--config=run.conf data.csv'; do
    run detect $order $PLAIN --top 3 --header --batch-norm -o got.json
    expect_exit 0
    expect_same want.json got.json
    rm got.json
done
expect 'the output of the file is not made' [ ! -e elsewhere ]
run detect data.csv $PLAIN --top 5 -o want.csv
run detect data.csv $PLAIN --header --batch-norm --no-json --config run.conf --top 5 -o got.csv
expect_exit 0
expect_same want.csv got.csv

# A switch that is denied.
for off in no off; do
    printf 'header = %s\nquiet = %s\n' $off $off >run.conf
    printf '1,2\n3,4\n5,9\n' >numbers.csv
    run detect numbers.csv --config run.conf $FAST
    expect 'the first line is data' [ "$(wc -l <out)" -eq 4 ]
    run detect numbers.csv --config run.conf --header $FAST
    expect 'the first line is names' [ "$(wc -l <out)" -eq 3 ]
done
run detect data.csv --label fault --ignore name --quiet --no-quiet $FAST
expect_match err '^AUC'

# wrong MESSAGE LINE...: a file of these lines is refused.
wrong()
{
    message=$1
    shift
    printf '%s\n' "$@" >run.conf
    refuse 2 "run.conf: $message" detect data.csv --config run.conf
}
wrong 'line 2: unknown setting membres; did you mean members?' '# x' 'membres = 3'
wrong 'line 1: unknown setting --members; did you mean members?' '--members = 3'
wrong 'line 1: unknown setting no-batch-norm; did you mean batch-norm?' 'no-batch-norm = yes'
wrong "line 1: unknown setting frobnicate; 'odim detect --init-config' lists them" 'frobnicate = 3'
wrong "line 1: unknown setting help; did you mean keep?" 'help = yes'
wrong "line 1: unknown setting config; 'odim detect --init-config' lists them" 'config = other'
wrong "line 3: members must be a whole number from 1 to 10000, not '0'" '' '' 'members = 0'
wrong "line 1: members must be a whole number from 1 to 10000, not '5#'" 'members = 5#'
wrong "line 1: top must be a whole number of at least 1, not 'x'" 'top = x'
wrong "line 1: json must be yes or no, not 'maybe'" 'json = maybe'
wrong "line 1: batch-norm must be yes or no, not 'maybe'" 'batch-norm = maybe'
wrong "line 1: output-format must be one of csv|tsv|jsonl|npy, not 'xml'" 'output-format = xml'
wrong 'line 3: members is set in line 1 already' 'members = 3' '' 'members = 3'
wrong 'line 2: no-header is set in line 1 already' 'header = yes' 'no-header = yes'
wrong "line 1: this is not 'name = value'" 'members'
wrong "line 1: this is not 'name = value'" '= 3'
wrong 'line 1: the quote is not closed' 'id = "x'
wrong 'line 1: something follows the closing quote' 'id = "x" y'
printf 'quiet = yes\nid = a\000b\n' >run.conf
run detect data.csv --config run.conf
expect_exit 2
expect_stderr 'odim: run.conf: line 2: this is not text'
run detect data.csv --config "$ODIM"
expect_exit 2
expect_match err ': is larger than 64 KiB, too large for a settings file$'
head -c 1000 "$ODIM" >binary
run detect data.csv --config binary
expect_exit 2
expect_stderr 'odim: binary: line 1: this is not text'

# As large as allowed, one byte more, and endless.
run detect data.csv $PLAIN
cp out want.csv
(echo 'members = 2' && head -c 65524 /dev/zero | tr '\0' '#') >largest
run detect data.csv $PLAIN --config largest
expect_exit 0
expect_same want.csv out
(cat largest && printf '#') >larger
truncate -s 1G huge
for file in larger huge /dev/zero; do
    run detect data.csv --config $file
    expect_exit 2
    expect_stderr "odim: $file: is larger than 64 KiB, too large for a settings file"
done
run detect data.csv $PLAIN --config /dev/null
expect_same want.csv out

run detect data.csv --config nowhere
expect_exit 1
expect_stderr 'odim: nowhere: cannot open: No such file or directory'
run detect data.csv --config .
expect_exit 1
expect_stderr 'odim: .: cannot read: Is a directory'
run detect data.csv --config a --config b
expect_exit 2
expect_stderr 'odim: --config is there twice, for a and b; one file is read'
run detect data.csv --config
expect_exit 2
expect_stderr 'odim: --config needs a value: --config FILE'
run detect --init-config=x
expect_exit 2
expect_stderr 'odim: --init-config takes no value'
run help --init-config
expect_exit 2
expect_stderr "odim: unknown option --init-config; 'odim help help --all' lists them"
run_sh '"$ODIM" detect --init-config >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'
# What is asked for on the command line comes before what is wrong in the file.
run detect --config nowhere --help
expect_exit 0

finish
