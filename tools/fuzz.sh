#!/bin/sh
# fuzz.sh SECONDS: runs each fuzz target for that long, starting from its corpus in fuzz/corpus. New inputs are kept in
# build-fuzz/corpus, and inputs that crash in build-fuzz/found. After fixing a bug, add its input to fuzz/corpus.
set -u
cd "$(dirname "$0")/.." || exit 1
tools/build.sh fuzz || exit 1
export ASAN_OPTIONS=allocator_may_return_null=1
mkdir -p build-fuzz/found
bad=0
for seeds in fuzz/corpus/*/; do
    name=$(basename "$seeds")
    log=build-fuzz/fuzz_$name.log
    mkdir -p "build-fuzz/corpus/$name"
    printf '%-8s' "$name"
    if "build-fuzz/fuzz/fuzz_$name" -max_total_time="$1" -timeout=10 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/found/$name-" "build-fuzz/corpus/$name" "$seeds" >"$log" 2>&1; then
        awk '$1 == "stat::number_of_executed_units:" { runs = $2 } / cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") cov = $(i + 1) }
            END { printf "%d runs, nothing found; %d places reached\n", runs, cov }' "$log"
    else
        bad=1
        echo "FAILED: $log ends with"
        tail -n 30 "$log" | sed 's/^/    /'
    fi
done
exit $bad
