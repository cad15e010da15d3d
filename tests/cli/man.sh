# The manual page: its option lists are the program's, and its text is well-formed.
. "$(dirname "$0")/lib.sh"

root=$test_dir/../..
last='tools/man-options.sh docs/odim.1'
sh "$root/tools/man-options.sh" "$ODIM" "$root/docs/odim.1" >want
expect_same want "$root/docs/odim.1"

"$ODIM" help detect | grep -Eo -e '--[a-z][a-z-]*' | sort -u >flags
expect 'the help names flags' [ -s flags ]
while read -r flag; do
    expect "$flag is in the manual" grep -q -e "Fl -${flag#--}" "$root/docs/odim.1"
done <flags

if command -v groff >/dev/null; then
    run_sh "groff -mandoc -Tascii -ww '$root/docs/odim.1'"
    expect_exit 0
    expect_stderr
else
    skip 'no groff'
fi

finish
