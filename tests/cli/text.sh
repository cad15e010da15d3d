# Free text: comments, URLs and user agents are described by numbers; strange ones stand out, ordinary ones do not.
. "$(dirname "$0")/lib.sh"

# requests ROWS SEED PLANTED: a table of web requests. Words come from a vocabulary of syllables.
requests()
{
    awk -v rows="$1" -v seed="$2" -v planted="$3" '
    function pick(n) { return int(rand() * n) + 1 }
    function words(n,    s, i) {
        for (i = 0; i < n; i++) s = s (i ? " " : "") (rand() < 0.5 ? word[pick(40)] : word[pick(600)])
        return s
    }
    function comment(    s) {
        s = words(3 + pick(10))
        if (rand() < 0.6) s = s " " name[pick(8)]
        if (rand() < 0.3) s = s " " pick(99999)
        return toupper(substr(s, 1, 1)) substr(s, 2) substr(".!?", pick(3), 1)
    }
    BEGIN {
        srand(seed)
        split("ba de fi go ku la me ni po ru sa te vo sta bre chi", syllable, " ")
        split("Müller Schäfer Köhler Weiß Jäger Smith Jones Vogel", name, " ")
        split("shop cart blog help account search", part, " ")
        split("Chrome Firefox Safari Edge", browser, " ")
        split("Windows NT 10.0|X11; Linux x86_64|Macintosh; Intel Mac OS X|iPhone", system_name, "|")
        for (i = 1; i <= 600; i++) {
            word[i] = ""
            for (k = pick(3); k >= 0; k--) word[i] = word[i] syllable[pick(16)]
        }
        print "method,url,bytes,ms,agent,comment"
        for (i = 1; i <= rows; i++) {
            url = "/" part[pick(6)] "/" word[pick(600)] "/" pick(99999) (rand() < 0.4 ? "?page=" pick(50) : "")
            agent = "Mozilla/5.0 (" system_name[pick(4)] ") Gecko " browser[pick(4)] "/" pick(99) "." pick(9999)
            text = comment()
            if (planted && i == 101) url = "/../../../etc/passwd"
            if (planted && i == 201) text = text " MÃ¼ller"
            if (planted && i == 301) for (k = 0; k < 12; k++) text = text " " comment()
            printf "%s,%s,%d,%.1f,%s,%s\n", rand() < 0.7 ? "GET" : "POST", url, exp(8 + rand() + rand()),
                exp(3 + rand() - rand()), agent, text
        }
    }'
}

requests 500 1 1 >requests.csv
run detect requests.csv --explain 1 -o scores.csv
expect_exit 0
expect_match err "note: columns 'url', 'agent', 'comment': free text, compared by length, kinds of characters and rare parts"
expect 'one note says all' [ "$(wc -l <err)" -eq 2 ]
# Each planted row is among the first five, and its first reason is the right column.
for want in '101 url' '201 comment' '301 comment'; do
    set -- $want
    awk -F , -v row="$1" -v col="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["row"] == row && $at["rank"] <= 5 && index($0, col ": ") { found = 1 }
        END { exit !found }' scores.csv
    expect "row $1 is found by its $2" [ $? -eq 0 ]
done

# The same from a stream, from a model, and from rows without a header.
cut_rank() { awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { print $at["row"], $at["score"], $at["is_outlier"] }' "$1"; }
cut_rank scores.csv >want
run detect requests.csv --stream -o stream.csv
expect_exit 0
cut_rank stream.csv >got
expect_same want got
run fit requests.csv -o model.odim
expect_exit 0
run score -m model.odim requests.csv -o again.csv
expect_exit 0
cut_rank again.csv >got
expect_same want got
run_sh 'sed 1d requests.csv | "$ODIM" score -m model.odim - -o bare.csv'
expect_exit 0
cut_rank bare.csv >got
expect_same want got
# A model needs the column, not the numbers that describe it.
cut -d , -f 1-5 requests.csv >short.csv
run score -m model.odim short.csv
expect_exit 1
expect_stderr "odim: short.csv: the model needs column 'comment', which is not there"

# Ordinary texts are not called.
for seed in 1 2 3 4 5; do
    requests 1000 $seed 0 | cut -d , -f 1,3- >plain.csv
    run detect plain.csv -o plain-scores.csv
    expect_exit 0
    n=$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["is_outlier"] == 1 { n++ } END { print n + 0 }' plain-scores.csv)
    expect "at most 1 % of the rows are called, not $n (seed $seed)" [ "$n" -le 10 ]
done
finish
