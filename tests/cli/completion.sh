# Completion scripts: they are what the shells understand, and they know every command, option and choice.
. "$(dirname "$0")/lib.sh"

for shell in bash zsh fish; do
    run completion $shell
    expect_exit 0
    expect_stderr
    cp out script.$shell
done
# The commands, and the options of one, by the help.
"$ODIM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' >commands
flags()
{
    "$ODIM" help "$1" --all | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p'
}
expect 'there are commands' grep -q -x detect commands

# ---- bash

last='bash -n script.bash'
expect 'it is well-formed' bash -n script.bash
if command -v shellcheck >/dev/null; then
    last='shellcheck script.bash'
    expect 'nothing is found' shellcheck -s bash script.bash
else
    skip 'no shellcheck'
fi

# offer WORD...: what bash offers in place of the last word, one a line, in the file `got`.
offer()
{
    last="completion of: $*"
    bash -c '
        odim() { "$ODIM" "$@"; }
        source ./script.bash
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _odim
        [ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' bash "$@" >got 2>&1
}
offer odim ''
(cat commands && printf '%s\n' --help --version) >want
expect_same want got
offer odim det
expect_text got detect
offer odim --v
expect_text got --version
while read -r verb; do
    offer odim "$verb" --
    grep -v -e '^--no-batch-norm$' -e '^--no-share-safe$' -e '^--no-dp-insecure-seed$' -e '^--keep=safe$' -e '^--help=all$' got | sed 's/^--//' >long
    flags "$verb" >want
    expect_same want long
done <commands
offer odim detect data.csv --me
expect_text got --memory --method --members
offer odim detect --max
expect_text got --max-features --max-updates
offer odim detect -
expect_match got '^-o$'
expect_match got '^-q$'
offer odim detect --no-
expect_text got --no-header --no-batch-norm --no-share-safe --no-dp-insecure-seed
offer odim detect --preset ''
expect_text got auto fast paper
offer odim detect data.csv --likelihood g
expect_text got gaussian
offer odim detect --likelihood =
expect_text got paper gaussian unit bernoulli
offer odim detect --likelihood = b
expect_text got bernoulli
offer odim detect --batch-norm o
expect_text got on off
offer odim detect --batch-norm --b
expect_text got --bad-rows --bins --bags --batch-norm --batch
offer odim detect --output-format ''
expect_text got csv tsv jsonl npy
offer odim eval --preset ''
expect_text got
offer odim help ''
expect_same commands got
offer odim completion ''
expect_text got bash zsh fish
for words in 'detect da' 'detect --output da' 'detect -o da' 'detect --members 1' 'detect --config da' 'eval sc' 'nonsense x'; do
    offer odim $words
    expect_text got
done
# The columns of the table, also of a list; no name that a shell would have to quote.
printf 'size,speed,"a b",x;y\n1,2,3,4\n2,3,4,5\n' >data.csv
offer odim detect data.csv --ignore ''
expect_text got size speed
offer odim detect data.csv --ignore size,sp
expect_text got size,speed
offer odim detect data.csv --id = sp
expect_text got speed
offer odim detect nowhere.csv --id s
expect_text got

# What the shells are told: a value after '=' in the same word, descriptions, and where files are wanted.
run __complete detect --preset=f
expect_stdout --preset=fast
run __complete insp
expect_stdout "$(printf 'inspect\tshow what a model contains')"
for words in 'detect da' 'detect --output da' 'detect --output=da' 'score -m mo' 'detect --config x'; do
    run __complete $words
    expect_stdout :files
done
for words in 'detect --members 1' 'dp-budget x' 'nonsense x' 'version x'; do
    run __complete $words
    expect_exit 0
    expect_stdout
done

# Where nothing is offered bash takes the names of files, unless a number is wanted.
last='complete -p odim'
bash -c '. ./script.bash; complete -p odim' >got
expect_text got 'complete -o default -F _odim odim'

# ---- zsh and fish, where they are installed: what they offer.

if command -v zsh >/dev/null; then
    last='zsh -n script.zsh'
    expect 'it is well-formed' zsh -n script.zsh
    run_sh 'zsh -fc "compdef() { echo compdef \$*; }; . ./script.zsh; whence -w _odim"'
    expect_stdout 'compdef _odim odim' '_odim: function'
    # What the function hands to zsh, whose completion works on a terminal only.
    cat >offer.zsh <<'END'
compdef() { : }
odim() { "$ODIM" "$@" }
compset() { print -r compset "$@" }
_files() { print -r files }
_describe() { print -rl -- ${(P)2} }
. ./script.zsh
words=("$@")
CURRENT=$#
_odim
END
    run_sh 'zsh -f offer.zsh odim detect --preset ""'
    expect_stdout auto fast paper
    run_sh 'zsh -f offer.zsh odim insp'
    expect_stdout 'inspect:show what a model contains'
    run_sh 'zsh -f offer.zsh odim detect --output=da'
    expect_stdout 'compset -P --*=' files
    run_sh 'zsh -f offer.zsh odim detect --memb'
    expect_match out '^--members:'
else
    skip 'no zsh'
fi
if command -v fish >/dev/null; then
    last='fish -n script.fish'
    expect 'it is well-formed' fish -n script.fish
    # offered LINE: what fish offers at the end of it.
    offered()
    {
        run_sh "HOME=$scratch fish --no-config -c 'source script.fish; function odim; \$ODIM \$argv; end; complete -C \"$1\"' | cut -f1"
    }
    offered 'odim detect --presets'
    expect_stdout
    offered 'odim detect --preset '
    expect_stdout auto fast paper
    offered 'odim detect --memb'
    expect_stdout --members
    offered 'odim comp'
    expect_stdout completion
else
    skip 'no fish'
fi

# wrong MESSAGE ARGUMENT...
wrong()
{
    message=$1
    shift
    refuse 2 "$message" completion "$@"
}
wrong "no completion for 'csh'; choose bash, zsh or fish" csh
wrong 'completion needs the name of a shell: bash, zsh or fish' --
wrong "unknown option --members; 'odim help completion --all' lists them" bash --members 3
run_sh '"$ODIM" completion bash >/dev/full'
expect_exit 1
expect_stderr 'odim: standard output: No space left on device'

finish
