# The same bytes and messages for any number of threads: the reading of text is cut into pieces, which must not show.
. "$(dirname "$0")/lib.sh"

# More than 256 kB, so that the pieces are real and a thread reads ahead. Quoted line ends and quotes are everywhere.
make_rows() # ROWS
{
    awk -v rows="$1" 'BEGIN {
        print "name,x,color,text,y"
        for (i = 1; i <= rows; i++) {
            s = (s * 16807 + i) % 2147483647
            text = s % 3 ? "plain " s % 11 : "\"two" (s % 2 ? "\r\n" : "\n") "lines, \"\"quoted\"\" " s % 100 "\""
            printf "r%d,%d.%03d,%s,%s,%d.5\n", i, s % 20, s % 1000, substr("redbluegreen", s % 9 + 1, 4), text, s % 7
        }
    }'
}

# alike ARGUMENT...: odim with these, on 1, 2, 3 and 7 threads.
alike()
{
    run "$@" --threads 1
    one=$code
    cp out out.1
    cp err err.1
    for threads in 2 3 7; do
        run "$@" --threads $threads
        expect_exit "$one"
        expect_same out.1 out
        expect_same err.1 err
    done
}

FIND='--method hbos'
make_rows 12000 >data.csv
"$ODIM" fit data.csv $FIND -o model.odim --quiet || exit 1
(printf '\357\273\277' && cat data.csv) >mark.csv
(printf 'A title\n\n' && cat data.csv) >title.csv
sed 's/$/\r/' data.csv >crlf.csv
head -c -1 data.csv >unended.csv
sed '9000,$ s/^\(r[0-9]*\),[0-9]*\.500,/\1,wrong,/' data.csv >bad.csv
sed '9001 s/$/,1,2/' data.csv >wide.csv
sed '7000,$ s/red/r\xE9d/' data.csv >latin.csv

for file in data mark title crlf unended latin; do
    alike detect $file.csv $FIND --stream --keep --explain 1
    expect_exit 0
    alike score -m model.odim $file.csv
    expect_exit 0
done
expect_match err 'line [0-9]+ is not UTF-8'

# A row that does not fit, far from the beginning: all say where.
for file in bad wide; do
    alike detect $file.csv $FIND --stream
    expect_exit 1
    expect_match err "$file.csv: row [0-9]+ \\(line [0-9]+\\)"
    alike detect $file.csv $FIND --stream --bad-rows skip
    expect_match err 'could not be read and'
    alike detect $file.csv $FIND --stream --bad-rows call
    alike detect $file.csv $FIND -o -
    alike score -m model.odim $file.csv --stream --bad-rows skip --raw-scores
done

# Packed, and cut off: the rows before the damage come out on any number of threads.
gzip -c data.csv >data.csv.gz
head -c 60000 data.csv.gz >cut.csv.gz
alike score -m model.odim data.csv.gz --stream
expect_exit 0
"$ODIM" score -m model.odim data.csv --stream >want.csv 2>/dev/null
expect_same want.csv out
alike detect data.csv.gz $FIND --stream
alike score -m model.odim cut.csv.gz --stream
expect_exit 1
expect_match err 'cut.csv.gz: the gzip data ends too early'

# Behind a very long record a piece may be large, and have a level that is too long to be kept.
fill() # CHARACTER MEGABYTES
{
    head -c $(($2 << 20)) /dev/zero | tr '\0' "$1"
}
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "c%d,%d\n", i % 7, i % 5 }' >levels
(echo a,b && cat levels) >few.csv
(cat few.csv && fill x 33 && echo ,1 && fill y 17 && echo ,2 && cat levels) >long.csv
"$ODIM" fit few.csv $FIND --categorical a -o levels.odim --quiet || exit 1
alike score -m levels.odim long.csv
expect_exit 0
expect_match err '2 of 40002 rows are outliers'

# A record that is too long is so on any number of threads.
(cat few.csv levels levels levels levels && fill x 70 && echo ,1) >long.csv
alike score -m levels.odim long.csv --bad-rows stop
expect_exit 1
expect_match err 'row 100001 \(line 100002\): longer than 64 MB'
rm long.csv

# From a pipe.
for threads in 1 2 3 7; do
    run_sh "cat data.csv | \"\$ODIM\" score -m model.odim - --threads $threads --quiet"
    expect_same want.csv out
    run_sh "cat data.csv.gz | \"\$ODIM\" score -m model.odim - --threads $threads --quiet"
    expect_same want.csv out
    run_sh "cat bad.csv | \"\$ODIM\" score -m model.odim - --threads $threads"
    [ $threads = 1 ] && cp out out.1 && cp err err.1
    expect_same out.1 out
    expect_same err.1 err
    # All rows before a mistake come out, however many of them have come with it.
    run_sh "cat bad.csv | \"\$ODIM\" score -m model.odim - --threads $threads --bad-rows stop"
    expect_exit 1
    expect 'the rows before the bad one' grep -q "row $(wc -l <out | tr -d ' ') (line" err
    # So do those that were unpacked before it is known that the data are damaged.
    run_sh "(head -c -8 data.csv.gz && echo damaged) | \"\$ODIM\" score -m model.odim - --threads $threads"
    expect_exit 1
    expect_same want.csv out
    expect_stderr 'odim: <stdin>: the gzip data is corrupt: incorrect data check'
done

# Line by line, also once a thread reads ahead: each answer is awaited before the next row is sent.
mkfifo to from
"$ODIM" score -m model.odim - --threads 3 --quiet <to >from &
exec 3>to 4<from
cat data.csv >&3 &
head -n 12001 <&4 >out
wait $!
expect_same want.csv out
for row in 1 2 3; do
    echo "live$row,$row.5,blue,plain 3,2.5" >&3
    read -r line <&4
    echo "${line%%,live*}"
done >out
expect_text out '12001
12002
12003'
exec 3>&- 4<&-
wait

# The end comes alone, behind a row of totals that has been scored.
for threads in 1 3; do
    "$ODIM" score -m model.odim - --threads $threads <to >from 2>err &
    exec 3>to 4<from
    (grep -v '"' data.csv | head -n 3000 && echo 'all,1.5,Total,plain 3,2.5') >&3 &
    head -n 3001 <&4 >out
    exec 3>&-
    cat <&4 >rest
    exec 4<&-
    wait
    expect_match err "looks like totals \('Total'\)"
done
finish
