# The manual pages: those in docs/man are what the program prints, one for each command, and they are well-formed.
# ODIM_UPDATE=1 writes them anew.
. "$(dirname "$0")/lib.sh"

pages=$test_dir/../../docs/man
"$ODIM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' >commands
(echo odim.1 && sed 's/.*/odim-&.1/' commands) | sort >want
[ -z "${ODIM_UPDATE-}" ] || rm -f "$pages"/*.1
for command in '' $(cat commands); do
    page=odim${command:+-$command}.1
    run man $command
    expect_exit 0
    expect_stderr
    [ -z "${ODIM_UPDATE-}" ] || cp out "$pages/$page"
    if [ -f "$pages/$page" ] && cmp -s out "$pages/$page"; then
        pass
    else
        fail "docs/man/$page is not what the program prints; tests/cli/man.sh with ODIM_UPDATE=1 writes it anew"
        diff "$pages/$page" out | head -n 20
    fi
    cp out "$page"
    for heading in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
        expect "$page has the section $heading" grep -q -x "\.SH $heading" "$page"
    done
done
last='ls docs/man'
(cd "$pages" && ls) >got
expect_same want got

# Each option of each command is in its page, with its default.
while read -r command; do
    last="odim man $command"
    "$ODIM" help "$command" --all | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' >flags
    expect 'the help names flags' [ -s flags ]
    while read -r flag; do
        escaped=$(printf '%s' "--$flag" | sed 's/-/\\-/g')
        expect "--$flag is there" grep -q -F -e "\\fB$escaped\\fR" "odim-$command.1"
    done <flags
done <commands
expect_match odim-detect.1 '^networks in the ensemble .* \[6\]$'
expect_match odim-detect.1 '^\.SS Output$'
for heading in ENVIRONMENT FILES; do
    expect_match odim-detect.1 "^\.SH $heading\$"
done
for variable in ODIM_KERN NO_COLOR COLUMNS; do
    expect_match odim-detect.1 "^.fB$variable.fR\$"
done

# What roff makes of them: no complaint, and the text as it is meant.
if command -v groff >/dev/null; then
    for page in *.1; do
        run_sh "groff -man -Tascii -ww $page"
        expect_exit 0
        expect_stderr
        run_sh "groff -man -Tascii -P-cbou -rLL=78n $page | awk 'length > 80'"
        expect_stdout
    done
    run_sh 'groff -man -Tascii -P-cbou odim-completion.1'
    expect_match out '^ +eval "\$\(odim completion bash\)"$'
    expect_match out '^ +odim completion zsh > ~/\.zfunc/_odim$'
    run_sh 'groff -man -Tascii -P-cbou odim.1'
    expect_match out 'written$|written \\t, \\n, \\r or'
    expect_match out '^ +\.odim-\*\.tmp$'
else
    skip 'no groff'
fi
if command -v man >/dev/null && man --version >/dev/null 2>&1; then
    for page in *.1; do
        run_sh "man --warnings -l ./$page >/dev/null"
        expect_exit 0
        expect_stderr
    done
else
    skip 'no man'
fi

run man detcet
expect_exit 2
expect_stderr "odim: unknown command 'detcet'; did you mean 'detect'?"

finish
