# Helpers of the tests of the command; sourced by each of them. A test is: run something, then say what to expect.
#
#     run detect data.csv --top 3        odim with these arguments; sets $code and fills the files out and err
#     run_sh '"$ODIM" detect - <x.csv'   a whole shell command
#     expect_exit 0
#     expect_stdout 'line 1' 'line 2'    exactly these lines; none given: nothing at all
#     expect_stderr 'line 1'
#     expect_wrote model.odim            the last line of stderr says that a fit wrote this, and is taken out
#     expect_golden help-detect          stdout is what tests/cli/expected/help-detect has
#     expect_match out 'pattern'         a line of the file matches (grep -E)
#     expect_same a b                    two files are equal
#     expect_same_fit a b                two models are equal, but for the columns of the files that they were fitted on
#     expect 'what it is about' cmd ...  the command succeeds
#     skip 'why'
#     finish                             prints "N passed, M failed" and, if so, ", K skipped"; the last line of every test
#
# $ODIM is the program. Everything happens in a directory of its own under $TMP, where a test finds itself.
set -u

: "${ODIM:?must name the program to be tested}"
case $ODIM in
/*) ;;
*) ODIM=$PWD/$ODIM ;;
esac
export ODIM

test_dir=$(cd "$(dirname "$0")" && pwd)
test_name=$(basename "$0" .sh)
UNTIL=$test_dir/../checks/until.sh # UNTIL SIGNAL SECONDS COMMAND...: interrupts COMMAND
export UNTIL
scratch=$(mktemp -d "${TMP:-/tmp}/odim-$test_name-XXXXXX") || exit 1
cd "$scratch" || exit 1
trap 'cd /; rm -rf "$scratch"' EXIT

# What a user may have in the environment must not change what a test sees.
unset NO_COLOR COLUMNS ODIM_KERN ODIM_THREADS
export LC_ALL=C TERM=xterm

# A fit that takes no time, and one that finds what there is to be found in a small table.
FAST='--members 2 --samples 4 --max-updates 40'
FIND='--members 3 --samples 8'

passed=0
failed=0
skipped=0
last=''
code=0

run()
{
    last="odim $*"
    "$ODIM" "$@" >out 2>err
    code=$?
}

run_sh()
{
    last=$1
    sh -c "$1" >out 2>err
    code=$?
}

pass()
{
    passed=$((passed + 1))
}

fail()
{
    failed=$((failed + 1))
    printf 'FAILED %s: %s: %s\n' "$test_name" "$last" "$1"
}

expect()
{
    what=$1
    shift
    if "$@"; then pass; else fail "$what"; fi
}

expect_exit()
{
    if [ "$code" = "$1" ]; then
        pass
    else
        fail "exit $code, expected $1"
        head -n 5 err
    fi
}

expect_text()
{
    file=$1
    shift
    if [ $# = 0 ]; then : >.want; else printf '%s\n' "$@" >.want; fi
    if cmp -s .want "$file"; then
        pass
    else
        fail "$file is not what was expected:"
        diff .want "$file" | head -n 20
    fi
}

expect_stdout()
{
    expect_text out "$@"
}

expect_stderr()
{
    expect_text err "$@"
}

# expect_wrote MODEL: the last line of err says that a fit wrote it, and is taken out of err.
expect_wrote()
{
    case $(tail -n 1 err) in
    "odim: wrote $1 ("*" columns, "*" kB); score new rows with: odim score -m $1 new.csv") pass ;;
    *) fail "err does not end with what was written: $(tail -n 1 err)" ;;
    esac
    sed -i '$d' err
}

# refuse CODE MESSAGE ARGUMENT...: the command ends with CODE, says MESSAGE and writes nothing.
refuse()
{
    refusal=$1 reason=$2
    shift 2
    run "$@"
    expect_exit "$refusal"
    expect_stdout
    expect_stderr "odim: $reason"
}

# ODIM_UPDATE=1 takes what the program says now as right; the difference shows up in review.
expect_golden()
{
    golden=$test_dir/expected/$1
    [ -z "${ODIM_UPDATE-}" ] || cp out "$golden"
    if cmp -s "$golden" out; then
        pass
    else
        fail "stdout differs from expected/$1:"
        diff "$golden" out | head -n 20
    fi
}

expect_match()
{
    if grep -Eq -e "$2" "$1"; then
        pass
    else
        fail "no line of $1 matches '$2':"
        head -n 5 "$1"
    fi
}

expect_same()
{
    if cmp -s "$1" "$2"; then pass; else fail "$1 and $2 differ"; fi
}

# without_file MODEL: its bytes, without the header and the section FILE, which is the last.
without_file()
{
    sections=$(od -An -tu4 -j12 -N4 "$1" | tr -d ' ')
    entry=$((16 + 24 * (sections - 1)))
    case $(tail -c +$((entry + 1)) "$1" | head -c 4) in
    FILE) ;;
    *) return 1 ;;
    esac
    begin=$((entry + 24 + 4)) end=$(od -An -tu8 -j$((entry + 8)) -N8 "$1" | tr -d ' ')
    tail -c +$((begin + 1)) "$1" | head -c $((end - begin))
}

expect_same_fit()
{
    if without_file "$1" >.one && without_file "$2" >.two && [ -s .one ] && cmp -s .one .two; then pass; else
        fail "$1 and $2 differ in more than the columns of files"
    fi
}

# expect_same_by_every_way AUC FIT-OPTION...: fits data.csv (of make_table) and expects that AUC, and the same model and
# scores by every way: any number of threads, the reference kernels, a pipe, a stream, a row alone. Leaves model.odim and
# the scores in want.csv.
expect_same_by_every_way()
{
    least=$1
    shift
    set -- --id name --label fault "$@"
    run detect data.csv "$@" --save-model model.odim
    expect_exit 0
    cp out want.csv
    auc=$(sed -n 's/^AUC \([0-9.]*\),.*/\1/p' err)
    expect "AUC $auc is above $least" awk "BEGIN { exit !($auc > $least) }"

    for threads in 1 3; do
        run fit data.csv "$@" --threads $threads -o again.odim
        expect_exit 0
        expect_same again.odim model.odim
    done
    run_sh '"$ODIM" fit - '"$*"' -o again.odim <data.csv'
    expect_same again.odim model.odim
    run_sh 'ODIM_KERN=ref "$ODIM" fit data.csv '"$*"' -o again.odim'
    expect_same again.odim model.odim
    rm again.odim
    run detect data.csv "$@" --stream --save-model again.odim
    expect_exit 0
    expect_same again.odim model.odim

    run score -m model.odim data.csv --id name --quiet --threads 3
    expect_exit 0
    expect_same out want.csv
    cut -d, -f1-3 want.csv >want
    run score -m model.odim data.csv --id name --quiet --stream
    expect_exit 0
    cut -d, -f1-3 out >got
    expect_same got want
    run_sh '"$ODIM" score -m model.odim - --id name --quiet --stream --threads 1 <data.csv'
    expect_exit 0
    cut -d, -f1-3 out >got
    expect_same got want

    # A row alone has the same score as among others.
    sed -n '1p;26p' data.csv >one.csv
    run score -m model.odim one.csv --id name --quiet --stream
    sed 1d out | cut -d, -f2,3 >got
    sed -n 26p want.csv | cut -d, -f2,3 >want
    expect_same got want
}

# No temporary file is left over in a directory.
expect_tidy()
{
    left=$(find "$1" -name '.odim-*')
    if [ -z "$left" ]; then pass; else fail "left behind: $left"; fi
}

skip()
{
    skipped=$((skipped + 1))
    printf 'skipped: %s\n' "$1"
}

finish()
{
    count="$passed passed, $failed failed"
    [ "$skipped" = 0 ] || count="$count, $skipped skipped"
    echo "$count"
    [ "$failed" = 0 ]
    exit
}

# make_table ROWS [SEED]: a table of three correlated columns and a label; every 25th row is an outlier.
make_table()
{
    awk -v rows="$1" -v seed="${2-1}" '
        function uniform() {
            seed = (seed * 16807) % 2147483647
            return seed / 2147483647
        }
        BEGIN {
            print "name,a,b,c,fault"
            for (i = 1; i <= rows; i++) {
                fault = i % 25 == 0
                t = uniform() + uniform() - 1
                printf "row %d,%.6f,%.6f,%.6f,%d\n", i, t + (fault ? 4 : 0), 2 * t + uniform(),
                    (fault ? 5 : 0) - t + uniform() / 2, fault
            }
        }'
}

# make_mixed ROWS [SEED]: a table of people: a number, a category with gaps, yes and no, a date, numbers with gaps, a
# name. Every 40th row has a size of 900 and a job that no other has.
make_mixed()
{
    awk -v rows="$1" -v seed="${2-1}" '
        function uniform() {
            seed = (seed * 16807) % 2147483647
            return seed / 2147483647
        }
        BEGIN {
            split("cook clerk nurse", job, " ")
            print "name,size,job,member,since,weight"
            for (i = 1; i <= rows; i++) {
                odd = i % 40 == 0
                t = uniform() + uniform() - 1
                printf "n%04d,%.2f,", i, odd ? 900 + t : 170 + 20 * t
                printf "%s,", odd ? "king" i : i % 17 == 0 ? "" : job[1 + int(3 * uniform())]
                printf "%s,", uniform() < 0.5 ? "yes" : "no"
                printf "2024-%02d-%02d,", 1 + int(12 * uniform()), 1 + int(28 * uniform())
                printf "%s\n", i % 13 == 0 ? "NA" : sprintf("%.1f", 70 + 30 * t + 2 * uniform())
            }
        }'
}
