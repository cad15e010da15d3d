# shellcheck shell=sh
# shellcheck disable=SC2154 # variables of lib.sh and tests/run, or set by eval
# Parts made of jobs, several jobs at a time; for tests/run, which sources lib.sh first and sets `logs`, a folder, and
# `asked`, the parts that are wanted ("": all of them).
#
#     part NAME [AFTER...]   a part, which begins when the parts AFTER have ended
#     job COMMAND...         a job of that part: a test, as tally knows it. No word has a blank in it.
#     run_parts              runs them all, and prints a line for each part in the order in which they were named, with
#                            the reasons of what was skipped
#
# A job never waits for another of its part. The parts in `early` begin as soon as they can: those that take long, so
# that nothing is left to wait for at the end. TEST_JOBS says how many jobs run at a time; it is the number of cores.
known=
early=
parts=0
jobs=0
taken=
running=

wanted() # NAME
{
    [ -n "$asked" ] || return 0
    for word in $asked; do
        case $1 in "$word" | "$word"-*) return 0 ;; esac
    done
    return 1
}

part() # NAME [AFTER...]
{
    known="$known $1"
    taken=
    wanted "$1" || return 0
    taken=yes
    parts=$((parts + 1))
    eval "name_$parts=\$1"
    shift
    eval "after_$parts=\$* left_$parts=0 good_$parts=0 bad_$parts=0 began_$parts= over_$parts=0 cpu_$parts=0 logs_$parts="
}

job() # COMMAND...
{
    [ -n "$taken" ] || return 0
    jobs=$((jobs + 1))
    eval "part_of_$jobs=$parts command_$jobs=\$*"
    eval "left_$parts=\$((left_$parts + 1))"
}

# Parts that are not taken need not be waited for.
is_ready() # PART
{
    eval "after=\$after_$1"
    for other in $after; do
        case " $unfinished " in *" $other "*) return 1 ;; esac
    done
}

# The job in a shell of its own, which leaves its counts and times in a file and says that it is done.
start() # JOB
{
    eval "command=\$command_$1 of=\$part_of_$1"
    eval "name=\$name_$of"
    (
        trap 'kill "$child" 2>/dev/null; wait "$child"; exit 130' TERM
        passed=0 failed=0 skipped=0
        export LOGS="$logs/$name"
        began=$(date +%s)
        # shellcheck disable=SC2086 # a list of words
        tally "$work/$1.log" "$job_limit" $command 3>&-
        times >"$work/$1.times"
        echo "$passed $failed $skipped $began $(date +%s) $(cpu_time <"$work/$1.times")" >"$work/$1.count"
        echo "$1" >&3
    ) &
    running="$running $1:$!"
}

cpu_time() # of the children, in hundredths of a second; `times` has it in its second line, as in 1m2.50s 0m0.10s
{
    awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%.0f", 6000 * (t[1] + t[3]) + 100 * (t[2] + t[4]) }'
}

# Sets `chosen` to the first job of the queue that can begin, and takes it out.
choose()
{
    chosen='' rest='' waiting=' '
    for number in $queue; do
        eval "of=\$part_of_$number"
        if [ -n "$chosen" ]; then
            :
        elif case $waiting in *" $of "*) false ;; esac && is_ready "$of"; then
            chosen=$number
            continue
        else
            waiting="$waiting$of "
        fi
        rest="$rest $number"
    done
    queue=$rest
    [ -n "$chosen" ]
}

# Adds what a job counted to its part and to the whole.
collect() # JOB
{
    eval "of=\$part_of_$1"
    kept=
    for pair in $running; do
        [ "${pair%:*}" = "$1" ] || kept="$kept $pair"
    done
    running=$kept
    read -r good bad left_out began over cpu <"$work/$1.count"
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left_out))
    eval "good_$of=\$((good_$of + good)) bad_$of=\$((bad_$of + bad)) cpu_$of=\$((cpu_$of + cpu)) over_$of=$over"
    eval "began_$of=\${began_$of:-$began} left_$of=\$((left_$of - 1))"
    eval "[ \$left_$of -gt 0 ] || end_of_part $of"
}

end_of_part() # PART
{
    eval "name=\$name_$1"
    kept=
    for other in $unfinished; do
        [ "$other" = "$name" ] || kept="$kept $other"
    done
    unfinished=$kept
    number=0
    while [ "$number" -lt "$jobs" ]; do
        number=$((number + 1))
        eval "[ \$part_of_$number != $1 ]" || cat "$work/$number.log"
    done >"$logs/$name.log"
    # Those before it may still be at work.
    while [ "$printed" -lt "$parts" ]; do
        eval "[ \$left_$((printed + 1)) = 0 ]" || return 0
        printed=$((printed + 1))
        print_part "$printed"
    done
}

print_part() # PART
{
    eval "name=\$name_$1 good=\$good_$1 bad=\$bad_$1 cpu=\$(((cpu_$1 + 50) / 100)) took=\$((over_$1 - began_$1))"
    if [ "$bad" = 0 ]; then
        printf '%-14s%5d passed %5d s, of CPU %5d s\n' "$name" "$good" "$took" "$cpu"
        LC_ALL=C sed -n 's/^skipped/    &/p' "$logs/$name.log"
    else
        printf '%-14s     FAILED %5d s, of CPU %5d s   (%s)\n' "$name" "$took" "$cpu" "$logs/$name.log"
        # Its own count would look like the last line.
        grep -v -E '^[0-9]+ passed, [0-9]+ failed' "$logs/$name.log" | head -n 200 | sed 's/^/    /'
    fi
}

# Ends what is running, and waits until it has ended.
stop_all()
{
    trap '' INT TERM
    for pair in $running; do kill "${pair#*:}" 2>/dev/null; done
    wait
}

run_parts()
{
    work=$logs/jobs
    mkdir -p "$work"
    mkfifo "$work/done" || exit 1
    exec 3<>"$work/done"
    trap 'stop_all; exit 130' INT TERM
    unfinished='' printed=0 queue='' later='' number=0 busy=0
    while [ "$number" -lt "$parts" ]; do
        number=$((number + 1))
        eval "unfinished=\"\$unfinished \$name_$number\""
        eval "[ \$left_$number = 0 ]" || continue
        # A part that has lost its tests fails, as a job does that runs none.
        jobs=$((jobs + 1))
        eval "part_of_$jobs=$number command_$jobs=true left_$number=1"
    done
    number=0
    while [ "$number" -lt "$jobs" ]; do
        number=$((number + 1))
        eval "of=\$part_of_$number"
        eval "name=\$name_$of"
        case " $early " in *" $name "*) queue="$queue $number" ;; *) later="$later $number" ;; esac
    done
    queue="$queue$later"
    width=${TEST_JOBS:-$(getconf _NPROCESSORS_ONLN)}
    while :; do
        while [ "$busy" -lt "$width" ] && choose; do
            start "$chosen"
            busy=$((busy + 1))
        done
        [ "$busy" -gt 0 ] || break
        read -r number <&3 || continue
        busy=$((busy - 1))
        collect "$number"
    done
    [ -z "$queue" ] || fail "these parts wait for each other:$unfinished"
}
