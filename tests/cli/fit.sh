# odim fit: a model from a file, the same one that detect makes; and what happens to an old one when it goes wrong.
. "$(dirname "$0")/lib.sh"

# The plain method, whose models hold no rows and say nothing of them.
FAST="--preset paper $FAST"
FIND="--preset paper $FIND"

make_mixed 400 >data.csv

# ---- the same model and the same scores, whichever way

run fit data.csv --id name $FIND -o model.odim
expect_exit 0
expect_stdout
expect_wrote model.odim
expect_stderr
run detect data.csv --id name $FIND --save-model saved.odim
expect_exit 0
expect_stderr '10 of 400 rows are outliers (2.5 %)'
cp out detected.csv
expect_same model.odim saved.odim
run score -m model.odim data.csv --id name
expect_exit 0
expect_stderr '10 of 400 rows are outliers (2.5 %)'
expect_same detected.csv out

FIT="fit data.csv --id name $FAST"
run $FIT -o model.odim
for format in csv tsv jsonl npy; do
    run detect data.csv --id name --quiet $FAST -o "want.$format"
    run score -m model.odim data.csv --id name --quiet -o "got.$format"
    expect_exit 0
    expect_same "want.$format" "got.$format"
done
for threads in 1 2 5; do
    run $FIT --threads $threads -o again.odim
    expect_same model.odim again.odim
done
run_sh '"$ODIM" fit - --id name '"$FAST"' -o again.odim <data.csv'
expect_exit 0
expect_same model.odim again.odim
run_sh 'gzip -c data.csv | "$ODIM" fit - --id name '"$FAST"' -o again.odim'
expect_same model.odim again.odim
mkfifo pipe
cat data.csv >pipe &
run fit pipe --id name $FAST -o again.odim
wait
expect_same model.odim again.odim
run_sh "\"\$ODIM\" $FIT -o - >again.odim"
expect_exit 0
expect_same model.odim again.odim
run detect data.csv --id name $FAST --stream --save-model again.odim
expect_same model.odim again.odim
run $FIT --seed 1 -o other.odim
expect 'another seed, another model' sh -c '! cmp -s model.odim other.odim'

# Labels are no feature; neither is what is left out.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "fault" : NR % 40 == 1 ? 1 : 0 }' data.csv >labelled.csv
run fit labelled.csv --label fault --id name $FAST -o again.odim
expect_same_fit model.odim again.odim
run fit labelled.csv --ignore fault,name $FAST -o again.odim
expect_same_fit model.odim again.odim
run fit labelled.csv --only size,job,member,since,weight $FAST -o again.odim
expect_same_fit model.odim again.odim

# Remarks go to stderr, unless they are not wanted.
run fit data.csv $FAST -o again.odim
expect_exit 0
expect_wrote again.odim
expect_stderr "odim: note: column 'name' has a different value in almost every row (looks like an ID): used as the name of the \
rows"
expect_same model.odim again.odim
run fit data.csv $FAST --quiet -o again.odim
expect_stderr

# ---- where it is written

(umask 027 && "$ODIM" $FIT -o new.odim)
expect 'mode of a new model' [ "$(stat -c %a new.odim)" = 640 ]
echo old >old.odim
chmod 604 old.odim
ln -s old.odim link.odim
run $FIT -o link.odim
expect_exit 0
expect 'the link is a link' [ -L link.odim ]
expect_same model.odim old.odim
expect 'mode of an old model' [ "$(stat -c %a old.odim)" = 604 ]

# Known before the fit, which would take long.
mkdir folder
for target in folder nowhere/x.odim; do
    run_sh "timeout 500 \"\$ODIM\" fit data.csv --members 10000 -o $target"
    expect_exit 1
    expect_stdout
    run_sh "timeout 500 \"\$ODIM\" detect data.csv --members 10000 --save-model $target"
    expect_exit 1
    expect_stdout
done
expect_stderr 'odim: nowhere/x.odim: No such file or directory'
expect_tidy .

# ---- wrong usage

# wrong MESSAGE ARGUMENT...
wrong()
{
    message=$1
    shift
    refuse 2 "$message" "$@"
}
wrong 'fit needs a file for the model: --output MODEL' fit data.csv
wrong "fit needs a FILE, '-' for standard input" fit -o x.odim
wrong 'data.csv: is the input; write to another file' fit data.csv -o data.csv
wrong 'data.csv: is the input; write to another file' detect data.csv --save-model data.csv
wrong 'x: --output and --save-model cannot both write there' detect data.csv -o x --save-model x
wrong 'link.odim: --output and --save-model cannot both write there' detect data.csv -o old.odim --save-model link.odim
wrong 'stdout: --output and --save-model cannot both write there' detect data.csv --save-model -
wrong "unknown option --top; 'odim help fit --all' lists them" fit data.csv -o x.odim --top 3
wrong "data.csv: column 'size' cannot be both a feature and the id" fit data.csv -o x.odim --id size --only size,job
wrong "--contamination must be a number from 1e-09 to 0.5 or auto, not '2'" fit data.csv -o x.odim --contamination 2
expect 'no scores are made' [ ! -e x ]
expect 'no model is made' [ ! -e x.odim ]

# ---- an old model survives

echo old >old
# survives CODE MESSAGE COMMAND: the model that was there is there, and none appears that was not.
survives()
{
    cp old kept.odim
    for target in kept.odim fresh.odim; do
        run_sh "$3 -o $target"
        expect_exit "$1"
        expect_stdout
        expect_stderr "odim: $2"
    done
    expect_same old kept.odim
    expect 'no model appears' [ ! -e fresh.odim ]
    expect_tidy .
}
printf 'a,b\n1,2\n3,inf\n' >inf.csv
survives 1 "inf.csv: row 2 (line 3), column 'b': 'inf' is not a finite number; correct it, or count it as missing (--na)" \
    '"$ODIM" fit inf.csv'
printf 'a,b\n1,2\n' >one.csv
survives 1 'one.csv: one row alone cannot be compared: at least 2 are needed' '"$ODIM" fit one.csv'
printf 'a,b\n1,2\n1,2\n' >same.csv
survives 1 'same.csv: no usable columns: all are constant or ignored' '"$ODIM" fit same.csv'
survives 1 '<stdin>: the file is empty' '"$ODIM" fit - </dev/null'
survives 1 'nowhere.csv: cannot open: No such file or directory' '"$ODIM" fit nowhere.csv'
survives 130 interrupted '"$UNTIL" INT 1 "$ODIM" fit data.csv --quiet --members 10000'
survives 143 interrupted '"$UNTIL" TERM 1 "$ODIM" fit data.csv --quiet --members 10000'

# A model that must not grow, and a full disk.
cp old kept.odim
run_sh "ulimit -f 8; \"\$ODIM\" $FIT -o kept.odim"
expect_exit 1
expect_stderr 'odim: kept.odim: File too large'
run_sh "ulimit -f 100; \"\$ODIM\" detect data.csv --id name $FAST --members 40 --quiet --save-model kept.odim"
expect_exit 1
expect_stdout
expect_stderr 'odim: kept.odim: File too large'
expect_same old kept.odim
mkdir disk
if mount -t tmpfs -o size=16k none disk 2>/dev/null; then
    cp old disk/kept.odim
    for name in kept fresh; do
        run $FIT -o disk/$name.odim
        expect_exit 1
        expect_stderr "odim: disk/$name.odim: No space left on device"
    done
    expect_same old disk/kept.odim
    expect 'no model appears' [ ! -e disk/fresh.odim ]
    expect_tidy disk
    umount disk
else
    skip 'no small disk can be mounted here'
fi
run $FIT -o /dev/full
expect_exit 1
expect_stderr 'odim: /dev/full: No space left on device'
expect_tidy .

finish
