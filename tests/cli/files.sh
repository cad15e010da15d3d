# The output file: it appears only when complete, and whatever goes wrong leaves what was there.
. "$(dirname "$0")/lib.sh"

make_table 100 >data.csv
DETECT="detect data.csv --only a,b,c $FAST"
run $DETECT
cp out plain.csv

# A new file gets the permissions of the umask, an old one keeps its own.
(umask 027 && "$ODIM" $DETECT -o new.csv)
expect 'mode of a new file' [ "$(stat -c %a new.csv)" = 640 ]
echo old >old.csv
chmod 604 old.csv
run $DETECT -o old.csv
expect_exit 0
expect_same plain.csv old.csv
expect 'mode of an old file' [ "$(stat -c %a old.csv)" = 604 ]

# Through links: the target is replaced, the link stays.
mkdir sub
echo old >sub/target.csv
ln -s sub/target.csv link.csv
ln -s link.csv link2.csv
ln -s sub/made.csv dangling.csv
ln -s loop.csv loop.csv
run $DETECT -o link2.csv
expect_exit 0
expect 'the link is a link' [ -L link.csv ]
expect 'the link to it is a link' [ -L link2.csv ]
expect_same plain.csv sub/target.csv
run $DETECT -o dangling.csv
expect_exit 0
expect 'the link is a link' [ -L dangling.csv ]
expect_same plain.csv sub/made.csv
run $DETECT -o loop.csv
expect_exit 1
expect_stderr 'odim: loop.csv: Too many levels of symbolic links'
ln -s data.csv same.csv
run $DETECT -o same.csv
expect_exit 2
expect_stderr 'odim: same.csv: is the input; write to another file'
run_sh '"$ODIM" detect - -o data.csv <data.csv'
expect_exit 2
expect_stderr 'odim: data.csv: is the input; write to another file'

# What is not a regular file is written to, not replaced.
run $DETECT -o /dev/null
expect_exit 0
expect '/dev/null is still a device' [ -c /dev/null ]
mkfifo pipe
cat pipe >through &
run $DETECT -o pipe
wait
expect_exit 0
expect 'the pipe is still a pipe' [ -p pipe ]
expect_same plain.csv through

# Failures.
run $DETECT -o sub
expect_exit 1
expect_stderr 'odim: sub: Is a directory'
run $DETECT -o nowhere/x.csv
expect_exit 1
expect_stderr 'odim: nowhere/x.csv: No such file or directory'
run $DETECT -o ''
expect_exit 1
expect_stderr 'odim: : No such file or directory'
run $DETECT -o /dev/full
expect_exit 1
expect_stderr 'odim: /dev/full: No space left on device'
for format in '' --json '--top 5'; do
    run_sh "\"\$ODIM\" $DETECT $format >/dev/full"
    expect_exit 1
    expect_stderr 'odim: standard output: No space left on device'
    run_sh "\"\$ODIM\" $DETECT $format >&-"
    expect_exit 1
    expect_stderr 'odim: standard output: Bad file descriptor'
done
run_sh "\"\$ODIM\" detect - <&-"
expect_exit 1
expect_stderr 'odim: <stdin>: cannot read: Bad file descriptor'
run_sh "\"\$ODIM\" $DETECT -o quiet.csv 2>&-"
expect_exit 0
expect_same plain.csv quiet.csv

# The data is bad: an old output stays, no new one appears.
echo old >kept.csv
echo old >old
printf 'a\n1\nx\n' >bad.csv
run detect bad.csv -o kept.csv
expect_exit 1
expect_same old kept.csv
run detect bad.csv -o fresh.csv
expect_exit 1
expect 'no file appears' [ ! -e fresh.csv ]

# A file that must not grow: a limit of one block, where the table needs more.
make_table 3000 >big.csv
run_sh "ulimit -f 8; \"\$ODIM\" detect big.csv --only a,b,c $FAST -o kept.csv"
expect_exit 1
expect_stderr 'odim: kept.csv: File too large'
expect_same old kept.csv
expect_tidy .

# A full disk.
mkdir disk
if mount -t tmpfs -o size=16k none disk 2>/dev/null; then
    cp old disk/kept.csv
    for name in kept fresh; do
        run detect big.csv --only a,b,c $FAST -o disk/$name.csv
        expect_exit 1
        expect_stderr "odim: disk/$name.csv: No space left on device"
    done
    expect_same old disk/kept.csv
    expect 'no file appears' [ ! -e disk/fresh.csv ]
    expect_tidy disk
    umount disk
else
    skip 'no small disk can be mounted here'
fi

# Permissions, as somebody who is not root.
mkdir guarded
cp data.csv guarded/unreadable.csv
cp old guarded/readonly.csv
chmod 000 guarded/unreadable.csv
chmod 444 guarded/readonly.csv
if [ "$(id -u)" != 0 ]; then
    as_user=''
elif chmod 755 "$scratch" && chown -R 65534:65534 guarded &&
    setpriv --reuid=65534 --regid=65534 --clear-groups "$ODIM" --version >/dev/null 2>&1; then
    as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
else
    as_user=none
fi
if [ "$as_user" = none ]; then
    skip 'root may do anything'
else
    run_sh "$as_user \"\$ODIM\" detect guarded/unreadable.csv"
    expect_exit 1
    expect_stderr 'odim: guarded/unreadable.csv: cannot open: Permission denied'
    run_sh "$as_user \"\$ODIM\" $DETECT -o guarded/readonly.csv"
    expect_exit 1
    expect_stderr 'odim: guarded/readonly.csv: Permission denied'
    expect_same old guarded/readonly.csv
    chmod 555 guarded
    run_sh "$as_user \"\$ODIM\" $DETECT -o guarded/new.csv"
    expect_exit 1
    expect_stderr 'odim: guarded/new.csv: Permission denied'
    chmod 755 guarded
fi
expect_tidy .

finish
