#!/bin/sh
# programs.sh FOLDER KIND...: runs the test programs of tests/KIND/ built in FOLDER. KIND may also be the name of one,
# as in unit/test_parallel, or of one to leave out, as in -test_fit. FOLDER may be --list: prints their names.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
folder=$1
shift
left_out=" $* "
for kind; do
    case $kind in
    -*) continue ;;
    */*) sources=tests/$kind.c ;;
    *) sources=$(ls tests/"$kind"/test_*.c) ;;
    esac
    for source in $sources; do
        name=$(basename "$source" .c)
        case $left_out in *" -$name "*) continue ;; esac
        if [ "$folder" = --list ]; then
            echo "$(basename "$(dirname "$source")")/$name"
        else
            run_test "$name" "$folder/tests/$name"
        fi
    done
done
[ "$folder" = --list ] || finish
