#!/bin/sh
# mpi.sh FOLDER [PART]: tests odim-mpi. Without PART: model and scores with 1, 2, 3 and 5 ranks are, to the byte, those
# of `odim --stream`; an error on one rank ends all of them, with one message and no output.
#
# kill: a random rank is killed at 20 random moments; each time the same command resumes from the checkpoint, with another
# number of ranks, and gives the same bytes. hosts: three hosts as network namespaces; a run over TCP, runs whose link is
# cut in the middle, and one after the repair. Needs root.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
odim=$PWD/$1/odim
mpi=$PWD/$1/odim-mpi
part=${2:-same}
if [ ! -x "$mpi" ] || ! command -v mpirun >/dev/null; then
    skip "there is no odim-mpi, or no mpirun"
    finish
fi
tmp=$(mktemp -d) || exit 1
trap 'clean_up; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

clean_up()
{
    :
}

# A job that is long enough to be interrupted.
BUSY='--members 9 --seed 5 --threads 1 --quiet --id id'
# Open MPI refuses to run as root, the only user in many containers.
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# A limit in seconds for jobs that hang. On a busy machine a rank may be silent for a long time.
LIMIT=900
export ODIM_MPI_SILENCE=300
FEW='--members 3 --max-updates 20 --samples 5 --seed 5 --threads 1 --quiet'

# A table with numbers, gaps, frequent and rare categories, dates, and quoted line ends that look like rows.
table() # ROWS
{
    awk -v n="$1" 'BEGIN {
        print "id,x,y,c,note,day,known"
        for (i = 1; i <= n; i++) {
            r = (i * 7919 + int(i / 13)) % 10007
            note = i % 5 == 0 ? "\"two\nlines, \"\"quoted\"\"\n1,2,3,a,b,c,d\n\"" : i % 5 == 1 ? "5\" pipe" : "plain"
            c = i % 211 == 0 ? "rare" i : substr("abcde", i % 5 + 1, 1)
            printf "%d,%s,%g,%s,%s,20%02d-%02d-11,%s\n", i, i % 17 ? r / 100 : "", (r % 97) * (i % 400 ? 1 : 9),
                i % 19 ? c : "", note, i % 30, i % 12 + 1, i % 300 == 0 ? 1 : i % 300 == 1 ? 0 : ""
        }
    }'
}

# Runs odim-mpi on RANKS ranks with these arguments; the messages go to `said`.
ranks() # RANKS ARGUMENT...
{
    count=$1
    shift
    timeout --foreground "$LIMIT" mpirun --oversubscribe -n "$count" "$mpi" "$@" >said 2>&1 </dev/null
}

# Runs odim-mpi and compares its outputs with those of `odim`.
same() # RANKS OUTPUTS FILES ARGUMENT...
{
    for file in $2; do rm -f "$file"; done
    files=$3
    number=$1 outputs=$2
    shift 3
    # shellcheck disable=SC2086 # lists of words
    ranks "$number" "$@" $files || { cat said; return 1; }
    for file in $outputs; do cmp "$file" "want.$file" || return; done
}

alike() # WHAT OUTPUTS FILE FILES VERB ARGUMENT...
{
    what=$1 outputs=$2 whole=$3 pieces=$4
    shift 4
    case $1 in fit) stream= ;; *) stream=--stream ;; esac
    for file in $outputs; do rm -f "$file"; done
    # shellcheck disable=SC2086
    check "$what: odim" "$odim" "$@" "$whole" $stream
    for file in $outputs; do mv "$file" "want.$file"; done
    for n in ${RANKS:-1 2 3 5}; do check "$what: $n ranks" same "$n" "$outputs" "$pieces" "$@"; done
}

# A run that must fail with this status and a message that contains TEXT, and without output.
fails() # STATUS TEXT COMMAND...
{
    wanted=$1 text=$2
    shift 2
    rm -f scores.csv model.odim
    "$@"
    got=$?
    if [ "$got" != "$wanted" ] || ! grep -q -e "$text" said; then
        echo "status $got, expected $wanted and: $text"
        cat said
        return 1
    fi
    [ "$(grep -c '^odim: ' said)" = 1 ] || { cat said && return 1; }
    [ ! -e scores.csv ] && [ ! -e model.odim ] || { echo 'there is an output' && return 1; }
    [ -z "$(find . -name '.odim-*')" ] || { find . -name '.odim-*' && return 1; }
}

same_bytes()
{
    table 6000 >all.csv
    # shellcheck disable=SC2086
    {
        alike "CSV" 'scores.csv model.odim' all.csv all.csv detect $FEW --id id --known-outliers known \
            -o scores.csv --save-model model.odim
        RANKS=3 alike "auto, explained, raw scores, kept" 'scores.csv model.odim' all.csv all.csv detect $FEW --ignore id \
            --explain 2 --raw-scores --keep --provenance -o scores.csv --save-model model.odim
        RANKS=3 alike "no networks" 'scores.csv model.odim' all.csv all.csv detect --method iforest --seed 5 --threads 1 \
            --quiet --id id -o scores.csv --save-model model.odim
        RANKS=2 alike "fit" model.odim all.csv all.csv fit $FEW --id id -o model.odim
        cp want.model.odim given.odim
        RANKS='2 5' alike "score, NPY" scores.npy all.csv all.csv score -m given.odim --threads 1 -q -o scores.npy
        RANKS=3 alike "score, JSON lines" scores.jsonl all.csv all.csv score -m given.odim --threads 1 -q -o scores.jsonl
        # Several files: one ends without a line end, one is compressed, one is short.
        head -n 1 all.csv >head.csv
        awk 'NR > 1' all.csv >body
        records=$(grep -n '^1500,' body | cut -d : -f 1)
        awk -v to="$records" 'NR < to' body | cat head.csv - >one.csv
        awk -v from="$records" 'NR >= from' body | cat head.csv - >rest.csv
        second=$(grep -n '^1502,' rest.csv | cut -d : -f 1)
        awk -v to="$second" 'NR < to { printf("%s%s", (NR > 1 ? "\n" : ""), $0) }' rest.csv >two.csv
        awk -v from="$second" 'NR >= from' rest.csv | cat head.csv - | gzip >three.csv.gz
        RANKS='1 2 5' alike "several files" 'scores.csv model.odim' all.csv 'one.csv two.csv three.csv.gz' detect $FEW \
            --id id -o scores.csv --save-model model.odim
        # Arrays: any bytes are an array of bytes.
        {
            printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (7001, 4), }"
            head -c 28004 all.csv
        } >rows.npy
        RANKS='1 3 5' alike "NPY" 'scores.csv model.odim' rows.npy rows.npy detect $FEW -o scores.csv --save-model model.odim
        # A header that is longer than a chunk.
        awk 'BEGIN {
            for (i = 0; i < 90; i++) printf "%sa_very_long_name_for_a_column_of_a_table_that_has_many_of_them_%d", i ? "," : "", i
            for (n = 0; n < 60; n++) for (i = 0; i < 90; i++) printf "%s%d", i ? "," : "\n", (n * 37 + i * i * n) % 41
            print ""
        }' >wide.csv
        RANKS='2 5' alike "a long header" 'scores.csv model.odim' wide.csv wide.csv detect $FEW -o scores.csv \
            --save-model model.odim
        # Decimal commas, units, days first, an id that is found: in Windows-1252, so that parts are recoded.
        awk 'BEGIN {
            print "Auftrag;Preis;Tag;Stra\337e"
            for (i = 1; i <= 4000; i++) printf "K-%d;%d.%03d,%02d \200;%02d.%02d.2024;%s\n", 90000 - i * 7, 1 + i % 9,
                i * 37 % 1000, i % 100, 1 + i % 28, 1 + i % 12, i % 3 ? "Stra\337e" : "M\374hle"
        }' >german.csv
        RANKS='2 3' alike "numbers and dates in a local way" 'scores.csv model.odim' german.csv german.csv detect $FEW --keep \
            -o scores.csv --save-model model.odim
        # One column in which blank lines are cells: at the beginning, several in a row, and a whole chunk of them.
        awk 'BEGIN {
            print "\nvalue\n"
            for (i = 0; i < 9000; i++) print i % 13 ? (i * 7919) % 1009 : i % 26 ? "" : "\n \n"
            for (i = 0; i < 3000; i++) print ""
            print "5\n\n"
        }' >gaps.csv
        RANKS='1 2 3 5' alike "one column with blank lines" 'scores.csv model.odim' gaps.csv gaps.csv detect $FEW \
            --keep -o scores.csv --save-model model.odim
        sed 1,2d gaps.csv >bare.csv
        RANKS='2 5' alike "the same without a header" 'scores.csv model.odim' bare.csv bare.csv detect $FEW --keep \
            -o scores.csv --save-model model.odim
        # A category with more levels than are kept.
        awk 'BEGIN { print "a,w"; for (i = 0; i < 100000; i++) print i % 97 ",w" (i % 3 ? i % 70000 : i % 50) }' >words.csv
        RANKS=3 alike "too many levels" 'model.odim' words.csv words.csv fit $FEW --categorical w -o model.odim
    }
}

# Rank 0 reports the progress of all ranks.
progresses()
{
    export ODIM_MPI_EVERY=0.1
    # shellcheck disable=SC2086
    ranks 3 detect all.csv --members 9 --threads 1 --id id -o scores.csv && cat said &&
        grep -q '^odim: fitting: [0-9]* %$' said && [ "$(grep -c 'of 6000 rows ' said)" = 1 ]
    told=$?
    unset ODIM_MPI_EVERY
    return $told
}

# A checkpoint folder with other files: they stay, and ours are removed.
leaves_others()
{
    mkdir -p shelf && : >shelf/model-mine.odim && : >shelf/jobs.txt && : >shelf/chunk-12 || return
    # shellcheck disable=SC2086
    ranks 2 fit all.csv $FEW --id id -o model.odim --checkpoint shelf || return
    [ "$(echo shelf/*)" = 'shelf/chunk-12 shelf/jobs.txt shelf/model-mine.odim' ] || { ls shelf && return 1; }
}

mistakes()
{
    printf '9,8\n' | cat all.csv - >short.csv
    printf '9,oops,1,a,n,2001-01-01,\n' | cat all.csv - >odd.csv
    sed 's/^3000,/"3000,/' all.csv >open.csv
    mkdir elsewhere
    table 6001 >elsewhere/all.csv
    # shellcheck disable=SC2086
    {
        "$odim" fit short.csv $FEW -o x.odim 2>said
        check "a short row: the message of odim" fails 1 "rank 2 ([^)]*): $(sed 's/odim: //' said)" \
            ranks 3 detect short.csv $FEW -o scores.csv
        "$odim" fit odd.csv $FEW -o x.odim 2>said
        check "an odd cell" fails 1 "$(sed 's/odim: //; s/[][*]/./g' said)" ranks 3 detect odd.csv $FEW -o scores.csv
        check "an open quote" fails 1 'row [0-9]* (line [0-9]*)' ranks 3 detect open.csv $FEW -o scores.csv
        check "no file" fails 1 'none.csv: cannot open' ranks 2 detect none.csv $FEW -o scores.csv
        check "files of other columns" fails 1 "rows.npy: 4 feature columns" ranks 2 detect all.csv rows.npy $FEW \
            -o scores.csv
        check "no place to write" fails 1 'nowhere/s.csv' ranks 2 detect all.csv $FEW -o nowhere/s.csv
        check "usage" fails 2 'FILE is needed' ranks 2 detect $FEW -o scores.csv
        check "no output" fails 2 'output FILE' ranks 2 detect all.csv $FEW
        check "privately" fails 2 'dp-epsilon' ranks 2 fit all.csv $FEW --dp-epsilon 3 -o model.odim
        check "unreadable on one rank" fails 1 'rank 1 ([^)]*): all.csv: ' apart . / all.csv
        check "another file on one rank" fails 1 'rank 1 ([^)]*): all.csv: is not the file' apart . elsewhere all.csv
        check "other arguments on one rank" fails 2 'rank 1 ([^)]*): was started with different' differ
        check "a full disk" fails 1 'rank [0-9] ([^)]*): .*File too large' limited_ranks
        check "progress of all" progresses
        check "a folder with other things" leaves_others
        check "another job's checkpoint" fails 2 'kept: is the checkpoint of another job (different parameters)' resumed
        check "other names at the end of a long list" fails 2 'long: is the checkpoint of another job (different reading)' \
            late_names
        check "options that look alike" fails 2 'alike: is the checkpoint of another job (different reading)' look_alikes
        check "a changed cell, the time set back" fails 2 'cell: is the checkpoint of another job (different input)' \
            changed_cell
        check "a copy with another time and mode" fails 1 'column .x.' copied
        check "a folder in use" in_use
        check "a folder for each rank" own_folders
        check "a folder that cannot be made" fails 1 'nowhere/kept: No such file' ranks 2 fit all.csv $FEW -o model.odim \
            --checkpoint nowhere/kept
    }
}

apart() # DIR DIR FILE: rank 1 looks for it elsewhere
{
    # shellcheck disable=SC2086
    timeout --foreground "$LIMIT" mpirun --oversubscribe -n 1 -wdir "$PWD/$1" "$mpi" fit "$3" $FEW -o "$PWD/model.odim" : \
        -n 1 -wdir "$(realpath "$2")" "$mpi" fit "$3" $FEW -o "$PWD/model.odim" >said 2>&1 </dev/null
}

differ()
{
    # shellcheck disable=SC2086
    timeout --foreground "$LIMIT" mpirun --oversubscribe -n 1 "$mpi" fit all.csv $FEW -o model.odim : \
        -n 1 "$mpi" fit all.csv $FEW --seed 8 -o model.odim >said 2>&1 </dev/null
}

# The system allows no file longer than a few blocks.
limited_ranks()
{
    timeout --foreground "$LIMIT" mpirun --oversubscribe -n 2 --mca btl tcp,self sh -c "ulimit -f 2; exec '$mpi' score -m given.odim \
        all.csv --keep --threads 1 -q -o scores.csv" >said 2>&1 </dev/null
}

resumed()
{
    # shellcheck disable=SC2086
    ! ranks 2 fit odd.csv $FEW -o model.odim --checkpoint kept || return
    # shellcheck disable=SC2086
    ranks 2 fit odd.csv $FEW --members 4 -o model.odim --checkpoint kept
}

# Two lists of 100 long names that differ in the last name.
late_names()
{
    awk 'BEGIN {
        for (i = 0; i < 101; i++) printf "%sa_column_no_%03d", i ? "," : "", i
        for (n = 0; n < 60; n++) for (i = 0; i < 101; i++) printf "%s%d", i ? "," : "\n", (n * 37 + i * i * n) % 41
        print "\n1,2"
    }' >long.csv
    names=$(head -n 1 long.csv | cut -d , -f 1-99)
    # shellcheck disable=SC2086
    ! ranks 2 fit long.csv $FEW --only "$names,a_column_no_099" -o model.odim --checkpoint long || return
    # shellcheck disable=SC2086
    ranks 2 fit long.csv $FEW --only "$names,a_column_no_100" -o model.odim --checkpoint long
}

# The value of one option looks like two options.
look_alikes()
{
    awk 'BEGIN { print "a,b,c,b only=c"; for (i = 0; i < 60; i++) print i % 7 "," i % 11 "," i % 13 "," i % 5; print "1,2" }' \
        >alike.csv
    # shellcheck disable=SC2086
    ! ranks 2 fit alike.csv $FEW --ignore 'b only=c' -o model.odim --checkpoint alike || return
    # shellcheck disable=SC2086
    ranks 2 fit alike.csv $FEW --ignore b --only c -o model.odim --checkpoint alike
}

# A job that fails in its last row, and so leaves a checkpoint.
begin_cell()
{
    cp odd.csv cell.csv
    # shellcheck disable=SC2086
    ! ranks 2 fit cell.csv $FEW -o model.odim --checkpoint cell && grep -q oops said
}

# The new cell is as long as the old one.
changed_cell()
{
    rm -rf cell
    begin_cell || return
    sed '/^2222,/s/,[0-9]\([0-9.]*\),/,7\1,/' cell.csv >changed.csv
    [ "$(cmp -l cell.csv changed.csv | wc -l)" = 1 ] || { echo 'not one byte is other' && return; }
    touch -r cell.csv changed.csv && cat changed.csv >cell.csv && touch -r changed.csv cell.csv || return
    # shellcheck disable=SC2086
    ranks 2 fit cell.csv $FEW -o model.odim --checkpoint cell
}

# The same bytes are the same input: the job resumes, with another number of ranks, and meets the same error.
copied()
{
    rm -rf cell
    begin_cell || return
    cp cell.csv copy.csv && mv copy.csv cell.csv && touch -d 2001-01-01 cell.csv && chmod 600 cell.csv || return
    # shellcheck disable=SC2086
    ranks 3 fit cell.csv $FEW -o model.odim --checkpoint cell
}

# Starts a job of two ranks next to its checkpoint folder, and stops its processes once it has the folder.
hold() # FOLDER COMMAND...
{
    taken=$PWD/$1
    shift
    (cd "$(dirname "$taken")" && exec mpirun --oversubscribe -n 2 "$@") >first 2>&1 </dev/null &
    job=$!
    waited=0
    while [ ! -e "$taken/job" ] && kill -0 "$job" 2>/dev/null && [ "$waited" -lt 600 ]; do
        sleep 0.05
        waited=$((waited + 1))
    done
    held=$(victims "$job")
    # shellcheck disable=SC2086
    [ -n "$held" ] && kill -STOP $held
}

let_go()
{
    # shellcheck disable=SC2086
    kill -CONT $held
    wait "$job"
}

# The same command again while the first run is stopped. Afterwards the first run continues.
in_use()
{
    rm -rf used scores.csv
    # shellcheck disable=SC2086
    "$odim" detect all.csv --stream $BUSY -o want.scores.csv || return
    # shellcheck disable=SC2086
    hold used "$mpi" detect all.csv $BUSY -o scores.csv --checkpoint used || return
    # shellcheck disable=SC2086
    ranks 2 detect all.csv $BUSY -o scores.csv --checkpoint used
    got=$?
    [ ! -e scores.csv ] || got="$got, with an output"
    let_go || { cat first && return 1; }
    [ "$got" = 1 ] && grep -q "used: is in use by another job (process [0-9]* on $(hostname)" said &&
        grep -q 'use another folder' said || { echo "status $got" && cat said && return 1; }
    cmp scores.csv want.scores.csv && [ ! -e used ]
    done=$?
    rm -f scores.csv
    return $done
}

# One folder per rank, as on machines that share nothing. Then again while another job uses the folder of rank 1.
own_folders()
{
    mkdir -p here there && cp all.csv here && cp all.csv there || return
    # shellcheck disable=SC2086
    set -- "$mpi" fit all.csv $BUSY -o "$PWD/model.odim" --checkpoint own
    timeout 60 mpirun --oversubscribe -n 1 -wdir "$PWD/here" "$@" : -n 1 -wdir "$PWD/there" "$@" >said 2>&1 </dev/null &&
        [ -s model.odim ] && [ ! -e here/own ] && [ ! -e there/own ] || { cat said && return 1; }
    rm -f model.odim
    hold there/own "$@" || return
    timeout 60 mpirun --oversubscribe -n 1 -wdir "$PWD/here" "$@" : -n 1 -wdir "$PWD/there" "$@" >said 2>&1 </dev/null
    got=$?
    let_go || { cat first && return 1; }
    [ "$got" = 1 ] && grep -q 'rank 1 ([^)]*): own: is in use by another job' said || { cat said && return 1; }
    rm -f model.odim
}

# ---- killing -----------------------------------------------------------------------------------------------------

random=20240607
next() # a random number below $1, in `drawn`
{
    random=$((random * 16807 % 2147483647))
    drawn=$((random % $1))
}

# The ranks of a run: mpirun's children.
victims() # PID
{
    for stat in /proc/[0-9]*/stat; do
        # shellcheck disable=SC2034
        { read -r pid name state parent rest <"$stat"; } 2>/dev/null || continue
        [ "$name" != '(odim-mpi)' ] || [ "$parent" != "$1" ] || echo "$pid"
    done
}

# The ranks of this run.
all_ranks()
{
    for exe in /proc/[0-9]*/exe; do
        [ "$(readlink "$exe")" != "$mpi" ] || echo "$exe"
    done 2>/dev/null
}

# Kills one of the ranks after some time. In every third trial the time counts from the first finished member, so that
# there is something to resume from on slow machines too.
killed() # RANKS
{
    # shellcheck disable=SC2086
    mpirun --oversubscribe -n "$1" "$mpi" detect all.csv $LONG -o scores.csv --save-model model.odim --checkpoint kept \
        >said 2>&1 </dev/null &
    job=$!
    waited=0 most=1700
    while [ $((trial % 3)) = 1 ] && [ ! -e kept/member-000000 ] && kill -0 "$job" 2>/dev/null && [ "$waited" -lt $((20 * LIMIT)) ]; do
        sleep 0.05
        waited=$((waited + 1)) most=100
    done
    next "$most"
    sleep "$(printf '%d.%03d' $((drawn / 1000)) $((drawn % 1000)))"
    # shellcheck disable=SC2046
    set -- $(victims "$job")
    if [ $# -gt 0 ]; then
        next $#
        shift "$drawn"
        kill -9 "$1" 2>/dev/null
    fi
    # mpirun ends the other ranks. Open MPI 4 may wait forever if a rank was killed while it started; a user would then
    # end mpirun, and so does this test.
    waited=0
    while kill -0 "$job" 2>/dev/null && [ "$waited" -lt $((10 * LIMIT)) ]; do
        sleep 0.1
        waited=$((waited + 1))
        if [ $# -gt 0 ] && [ "$waited" = 600 ]; then
            stuck=$((stuck + 1))
            kill -9 "$job"
        fi
    done
    while [ -n "$(all_ranks)" ] && [ "$waited" -lt $((10 * LIMIT)) ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    if kill -0 "$job" 2>/dev/null || [ -n "$(all_ranks)" ]; then
        echo "still there after $LIMIT s; killed: ${1:-none}"
        all_ranks
        cat said
        kill -9 "$job"
        return 1
    fi
    wait "$job" || :
}

is_old_or_new() # FILE: absent, or complete
{
    [ ! -e "$1" ] || cmp -s "$1" "want.$1"
}

# Damaged files of a checkpoint are computed again.
damage()
{
    for file in kept/member-000000 kept/model-000000 kept/chunk-000001; do
        [ ! -e "$file" ] || printf x | dd of="$file" bs=1 seek=100 conv=notrunc 2>/dev/null
    done
}

kills()
{
    table 8000 >all.csv
    LONG='--members 4 --max-updates 40 --seed 5 --threads 1 --quiet --id id'
    # shellcheck disable=SC2086
    check "undisturbed" "$odim" detect all.csv --stream $LONG -o want.scores.csv --save-model want.model.odim
    trial=0 went_on=0 stuck=0
    while [ "$trial" -lt 20 ]; do
        trial=$((trial + 1))
        rm -rf kept scores.csv model.odim
        next 4
        check "trial $trial: all end" killed $((drawn + 2))
        check "trial $trial: outputs whole or absent" eval 'is_old_or_new scores.csv && is_old_or_new model.odim'
        [ ! -e kept/member-000000 ] || went_on=$((went_on + 1))
        [ $((trial % 3)) != 0 ] || damage
        next 4
        # shellcheck disable=SC2086
        check "trial $trial: resumed" same $((drawn + 1)) 'scores.csv model.odim' all.csv detect $LONG -o scores.csv \
            --save-model model.odim --checkpoint kept
        check "trial $trial: nothing is kept any more" eval '[ ! -e kept ]'
    done
    echo "$went_on of 20 had members to resume from; mpirun was stuck in $stuck"
    check "some had something to resume from" eval '[ "$went_on" -gt 3 ]'
}

# ---- hosts -------------------------------------------------------------------------------------------------------

# The names of the namespaces are unique, because several runs may be active.
net=odim$$

hosts_down()
{
    for host in 1 2 3; do ip netns del "$net-$host"; done
    ip netns del "$net-switch"
} 2>/dev/null

hosts_up()
{
    hosts_down
    ip netns add "$net-switch" && ip -n "$net-switch" link add br0 type bridge && ip -n "$net-switch" link set br0 up || return
    for host in 1 2 3; do
        ip netns add "$net-$host" &&
            ip link add "v$host" netns "$net-$host" type veth peer name "p$host" netns "$net-switch" &&
            ip -n "$net-$host" addr add "10.77.0.$host/24" dev "v$host" &&
            ip -n "$net-$host" link set "v$host" up && ip -n "$net-$host" link set lo up &&
            ip -n "$net-switch" link set "p$host" master br0 up || return
    done
}

# Runs a command on a host, which has its own name.
on_host() # NUMBER COMMAND...
{
    number=$1
    shift
    ip netns exec "$net-$number" unshare --uts sh -c "hostname odim$number; exec $*"
}

# Runs the job on three hosts over TCP, one rank each. mpirun reaches the other hosts through `agent` instead of ssh.
# `launch` has further options of mpirun.
launch=
spread() # ARGUMENT...
{
    # shellcheck disable=SC2086 # a list of words
    on_host 1 timeout --foreground "$LIMIT" mpirun $launch --mca plm_rsh_agent "$tmp/agent" --mca pml ob1 --mca btl tcp,self \
        --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 \
        --host 10.77.0.1:1,10.77.0.2:1,10.77.0.3:1 -n 3 "$mpi" "$@" >said 2>&1 </dev/null
}

# Starts the job and cuts the link to host 3 as soon as the job has its checkpoint folder.
start_and_cut()
{
    rm -rf kept
    # shellcheck disable=SC2086
    spread detect all.csv $LONG -o scores.csv --checkpoint "$tmp/kept" 2>/dev/null &
    job=$!
    until [ -e kept ] || ! kill -0 "$job" 2>/dev/null; do sleep 0.05; done
    ip -n "$net-switch" link set p3 down
}

# mpirun and its daemons on all hosts: the processes that were given our agent.
launchers()
{
    grep -l -s -F "$tmp/agent" /proc/[0-9]*/cmdline | cut -d / -f 3
}

repair()
{
    ip -n "$net-switch" link set p3 up
    sleep 1
}

# The settings of docs/CLUSTER.md: mpirun notices the lost host, names it, and ends the job.
launcher_ends_job()
{
    launch=$KEEPALIVE
    start_and_cut
    wait "$job"
    status=$?
    launch=
    echo "ended with $status"
    cat said
    [ "$status" != 0 ] && [ "$status" != 124 ] && grep -q 'odim3\|10\.77\.0\.3' said && [ ! -e scores.csv ]
}

# Without these settings rank 0 reports the lost rank, and the ranks end. Then mpirun waits for the lost host until TCP
# gives up, which takes too long for a test.
heartbeat_reports()
{
    export ODIM_MPI_SILENCE=5
    start_and_cut
    waited=0
    while kill -0 "$job" 2>/dev/null && ! grep -q '^odim: rank' said && [ "$waited" -lt $((10 * LIMIT)) ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    ended=0
    until [ -z "$(all_ranks)" ] || [ "$ended" -ge $((10 * LIMIT)) ]; do
        sleep 0.1
        ended=$((ended + 1))
    done
    # shellcheck disable=SC2046 # a list of numbers
    kill -9 $(launchers) 2>/dev/null
    wait "$job"
    export ODIM_MPI_SILENCE=300
    cat said
    [ -z "$(all_ranks)" ] && grep -q '^odim: rank [0-9] (odim[0-9]) has not been heard of' said && [ ! -e scores.csv ]
}

hosts()
{
    if ! hosts_up; then
        skip "network namespaces cannot be made here"
        return
    fi
    clean_up()
    {
        hosts_down
    }
    export net
    cat >agent <<'END'
#!/bin/sh
number=${1##*.}
shift
exec ip netns exec "$net-$number" unshare --uts sh -c "hostname odim$number; $*"
END
    chmod +x agent
    table 6000 >all.csv
    LONG='--members 9 --seed 5 --threads 1 --quiet --id id'
    KEEPALIVE='--mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 3'
    # shellcheck disable=SC2086
    {
        check "undisturbed" "$odim" detect all.csv --stream $LONG --threads 2 -o want.scores.csv
        check "three hosts" spread detect all.csv $LONG -o scores.csv
        check "three hosts: the same bytes" cmp scores.csv want.scores.csv
        rm -f scores.csv
        check "a link is cut: the launcher ends the job" launcher_ends_job
        repair
        check "a link is cut: rank 0 reports it and the ranks end" heartbeat_reports
        repair
        check "after repair" spread detect all.csv $LONG -o scores.csv --checkpoint "$tmp/kept"
        check "after repair: the same bytes" cmp scores.csv want.scores.csv
    }
}

case $part in
same)
    same_bytes
    mistakes
    ;;
kill) kills ;;
hosts) hosts ;;
esac
finish
