#!/bin/sh
# serve.sh [SECONDS [ROWS]]: how fast odim serve scores, as Markdown: single rows as JSON with wrk, CSV in bulk with curl, memory.
#
# wrk and curl run on the same machine and take their share of the cores. Needs wrk, curl, python3 and build/odim.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-10}
rows=${2:-1000000}
odim=$PWD/build/odim
tmp=$(mktemp -d)
server=
end()
{
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$tmp"
}
trap end EXIT
trap 'exit 130' INT TERM

python3 - "$tmp" "$rows" <<'END'
import random, sys
random.seed(4)
def write(name, rows):
    with open(f"{sys.argv[1]}/{name}", "w") as f:
        f.write("a,b,c,d,e,f,city,open\n")
        for _ in range(rows):
            a, b = random.gauss(0, 1), random.gauss(0, 1)
            f.write(f"{a:.4f},{b:.4f},{a + b + random.gauss(0, 0.1):.4f},{random.expovariate(1):.3f},{random.randint(0, 50)},"
                    f"{2 * a:.3f},{random.choice(['Rome', 'Oslo', 'Bonn'])},{random.choice(['yes', 'no'])}\n")
write("train.csv", 20000)
write("bulk.csv", int(sys.argv[2]))
END
cat >"$tmp/row.lua" <<'END'
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"a": 0.5, "b": -1.25, "c": -0.75, "d": 0.31, "e": 17, "f": 1.002, "city": "Rome", "open": "yes"}'
END
{ cat "$tmp/row.lua" && echo 'function delay() return 10 end'; } >"$tmp/calm.lua"
mkdir "$tmp/models"
"$odim" fit "$tmp/train.csv" --preset fast -o "$tmp/models/fast.odim" -q
"$odim" serve --models "$tmp/models" --port 0 --max-upload 2G >"$tmp/address" &
server=$!
while [ ! -s "$tmp/address" ]; do sleep 0.05; done
address=$(sed 's,/$,,' "$tmp/address")
score=$address/v1/models/fast/score

resident()
{
    awk '$1 == "VmRSS:" { printf "%.1f", $2 / 1024 }' "/proc/$server/status"
}

# load NAME SCRIPT CONNECTIONS: a line of the table; sets $rate.
load()
{
    wrk -t1 -c"$3" -d"${seconds}s" --latency -s "$tmp/$2.lua" "$score" >"$tmp/wrk"
    rate=$(awk '$1 == "Requests/sec:" { printf "%d", $2 }' "$tmp/wrk")
    if grep -E 'Non-2xx|Socket errors' "$tmp/wrk" >&2; then exit 1; fi
    echo "| $1 | $3 | $rate | $(awk '$1 == "50%" { print $2 }' "$tmp/wrk") | $(awk '$1 == "99%" { print $2 }' "$tmp/wrk") |"
}

echo "- Machine and version: $(awk -F ': ' '/model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores; odim $("$odim" version | awk '{ print $2; exit }')"
echo
echo '| single rows, preset `fast`, 8 columns | connections | requests/s | median | p99 |'
echo '|:--|--:|--:|--:|--:|'
load 'full load' row 16 >/dev/null # warms up
before=$(resident)
asked=$(curl -s "$address/metrics" | awk '$1 == "odim_rows_scored_total" { print $2 }')
load 'full load' row 16
# Each connection waits 10 ms before it asks again: so many make half of that.
load 'half load' calm $((rate / 200 + 1))
echo
asked=$(curl -s "$address/metrics" | awk -v before="$asked" '$1 == "odim_rows_scored_total" { print $2 - before }')
echo "Resident memory before $before MB, after $asked more requests $(resident) MB."
echo
for way in 'odim score -m MODEL FILE' 'odim score -m MODEL -' 'POST /score'; do
    for try in 1 2 3; do
        begin=$(date +%s.%N)
        case $way in
        *FILE) "$odim" score -m "$tmp/models/fast.odim" "$tmp/bulk.csv" -q -o "$tmp/file.csv" ;;
        *-) "$odim" score -m "$tmp/models/fast.odim" - -q -o "$tmp/pipe.csv" <"$tmp/bulk.csv" ;;
        *) curl -s --fail -H Expect: -T "$tmp/bulk.csv" -X POST "$score" -o "$tmp/served.csv" ;;
        esac
        echo "$way	$(echo "$begin $(date +%s.%N)" | awk -v rows=$rows '{ print rows / ($2 - $1) }')"
    done
done >"$tmp/bulk"
cmp "$tmp/pipe.csv" "$tmp/served.csv"
echo "| $rows rows of CSV, the best of 3 | rows/s | of the command |"
echo '|:--|--:|--:|'
awk -F '\t' '
    !($1 in best) { order[++n] = $1 }
    $2 > best[$1] { best[$1] = $2 }
    END { for (i = 1; i <= n; i++) printf "| `%s` | %d | %.0f %% |\n", order[i], best[order[i]], 100 * best[order[i]] / best[order[2]] }' "$tmp/bulk"
