#!/bin/sh
# until.sh SIGNAL SECONDS COMMAND...: runs COMMAND, sends it SIGNAL (HUP, INT, QUIT or TERM) so many seconds after it can
# handle it, however long that takes on a slow machine, and exits as it does.
set -u
signal=$1 seconds=$2
shift 2
case $signal in
HUP) bit=0 ;;
INT) bit=1 ;;
QUIT) bit=2 ;;
TERM) bit=14 ;;
*) exit 2 ;;
esac

# What the shell starts in the background has no input and ignores INT and QUIT, unless told otherwise.
exec 3<&0
env --default-signal=INT,QUIT "$@" <&3 3<&- &
pid=$!

handles()
{
    caught=$(sed -n 's/^SigCgt:[^0-9a-f]*........//p' "/proc/$pid/status" 2>/dev/null)
    [ $((0x${caught:-0} >> bit & 1)) = 1 ]
}

until handles || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
sleep "$seconds"
kill -s "$signal" "$pid" 2>/dev/null
wait "$pid" 2>/dev/null # where dash says what ended it
