#!/bin/sh
# layers.sh: who includes whom. The arrows point one way, so that each folder can be read, and tested, knowing only
# the ones below it; the same holds for the files of a folder. Also: names of files are unique, and every file of src/
# has a test.
#
# layers.sh --tree DIR checks another tree and only exits; the self-test below feeds it trees that are wrong.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh

# Each folder of src/, and the other folders of src/ that it may include. common/ includes only itself; everything except
# examples/ may include it. cli/, r/ and examples/, which stand for any program that uses the library, may include odim.h
# and nothing else of the library; serve/ also what reads tables (prep, io, base), since uploads are described before a fit;
# plot/ not even that; mpi/ may include everything.
arrows='
base
kern   base
io     base
prep   io kern base
net    kern base
detectors kern base
model  detectors net prep base
score  model detectors net prep kern base
fit    score privacy model detectors net prep kern base
privacy base
api    fit score privacy model prep io kern base
'
# A system header, and the folders that may use it, since they hide what it is for.
owners='
zlib.h       io model
lzma.h       io
zstd.h       io
lz4frame.h   io
bzlib.h      io
iconv.h      io
sqlite3.h    io
png.h        io cli
jpeglib.h    io cli
jerror.h     io
expat.h      io
dlfcn.h      common
microhttpd.h serve
pthread.h    base common kern mpi serve
mpi.h        mpi
immintrin.h  kern
arm_neon.h   kern
'

include_errors() # in the current folder; prints each wrong line
{
    find common src cli serve examples plot mpi r -name '*.[ch]' 2>/dev/null | sort | xargs awk -v arrows="$arrows" -v owners="$owners" '
        BEGIN {
            n = split(arrows, lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], w, " ")
                if (m) known[w[1]] = 1
                for (j = 1; j <= m; j++) allowed[w[1], w[j]] = 1
            }
            n = split(owners, lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], w, " ")
                if (m) owned[w[1]] = 1
                for (j = 2; j <= m; j++) owner[w[1], w[j]] = 1
            }
        }
        function wrong(why) { printf "%s:%d: %s\n", FILENAME, FNR, why }
        FNR == 1 {
            split(FILENAME, path, "/")
            inside = path[1] == "src"
            here = inside ? path[2] : path[1]
            if (inside && !(here in known)) wrong("src/" here " has no line in the table of arrows")
        }
        !/^[ \t]*#[ \t]*include/ { next }
        {
            target = $0
            sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
            quoted = substr(target, 1, 1) == "\""
            sub(/^["<]/, "", target)
            sub(/[">].*/, "", target)
            if (!quoted) {
                if (target in owned && !((target, here) in owner)) wrong(here " may not use <" target ">")
            } else if (target == "odim.h") {
                if (here == "plot" || here == "common") wrong(here " may not include odim.h")
            } else if (here == "common") {
                if (target !~ /^common\/[^\/]*$/) wrong("common may include only its own headers, not " target)
            } else if (target ~ /^common\/[^\/]*$/) {
                if (here == "examples") wrong("examples may include only odim.h")
            } else if (inside) {
                if (split(target, to, "/") != 2) wrong("\"" target "\" is not written as folder/file")
                else if (!((here, to[1]) in allowed)) wrong("src/" here " may not include " target)
            } else if (here == "mpi") {
                if (split(target, to, "/") == 2 && !(to[1] in known)) wrong("there is no src/" to[1])
            } else if (here == "serve" && target ~ /^(base|io|prep)\//) {
                next
            } else if (target ~ /\//) {
                wrong(here " may include only odim.h and its own headers, not " target)
            }
        }'
}

# x.c and x.h are one unit. No unit may include itself by way of others; odim.h is not of the unit of odim.c, since every
# file may include it. Prints each include from which a way leads back.
cycle_errors()
{
    find common src cli serve plot mpi r -name '*.[ch]' 2>/dev/null | sort | xargs awk '
        function unit(path) { sub(/.*\//, "", path); sub(/\.[ch]$/, "", path); return path }
        function leads(from, to,    i, n, list) {
            if (from == to) return 1
            if (met[from]++) return 0
            n = split(includes[from], list, " ")
            for (i = 1; i <= n; i++) if (leads(list[i], to)) return 1
            return 0
        }
        FNR == 1 { from = unit(FILENAME) }
        !/^[ \t]*#[ \t]*include[ \t]*"/ { next }
        {
            target = $0
            sub(/^[^"]*"/, "", target)
            sub(/".*/, "", target)
            if (target == "odim.h" || unit(target) == from) next
            target = unit(target)
            includes[from] = includes[from] " " target
            source[++count] = from
            into[count] = target
            place[count] = FILENAME ":" FNR
        }
        END {
            for (i = 1; i <= count; i++) {
                split("", met)
                if (leads(into[i], source[i])) printf "%s: a cycle: %s leads back to %s\n", place[i], into[i], source[i]
            }
        }'
}

name_errors()
{
    find common src cli serve plot mpi r tests fuzz bench experiments -name '*.[ch]' 2>/dev/null | sed 's|.*/||' | sort | uniq -d |
        sed 's/$/: this file name is there twice/'
}

# A file common/x.c, src/*/x.c or plot/x.c is tested by tests/unit/test_x.c, or by a test that says so: a line with "tests: x y".
test_errors()
{
    for source in common/*.c src/*/*.c plot/*.c; do
        [ -f "$source" ] || continue
        name=$(basename "$source" .c)
        [ ! -f "tests/unit/test_$name.c" ] || continue
        grep -q -r -w "tests: .*$name" tests/unit tests/golden tests/fault tests/api 2>/dev/null ||
            echo "$source: no tests/unit/test_$name.c, and no other test says 'tests: $name'"
    done
}

quiet() # COMMAND: prints what it prints, and succeeds when that is nothing
{
    found=$("$@")
    [ -z "$found" ] || { printf '%s\n' "$found" && return 1; }
}

if [ "${1:-}" = --tree ]; then
    cd "$2" || exit 2
    bad=0
    for kind in include cycle name test; do quiet ${kind}_errors || bad=1; done
    exit $bad
fi

check "arrows" quiet include_errors
check "no cycles between files" quiet cycle_errors
check "unique names" quiet name_errors
check "a test for each file" quiet test_errors

# The self-test: a small tree that is right, then one mistake at a time.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

tree() # [FILE LINE]...: the right tree, with each LINE added to its FILE
{
    rm -rf "$tmp/tree"
    mkdir -p "$tmp/tree/src/io" "$tmp/tree/src/base" "$tmp/tree/cli" "$tmp/tree/tests/unit"
    (
        cd "$tmp/tree" || exit
        printf '#include <zlib.h>\n#include "base/mem.h"\n#include "io/csv.h"\n#include "odim.h"\n' >src/io/csv.c
        : >src/io/csv.h
        printf '#include <pthread.h>\n#include "base/mem.h"\n' >src/base/mem.c
        : >src/base/mem.h
        printf '#include "odim.h"\n#include "cli.h"\n' >cli/main.c
        : >cli/cli.h
        echo '/* tests: mem csv */' >tests/unit/test_all.c
        while [ $# -gt 0 ]; do
            mkdir -p "$(dirname "$1")"
            printf '%s\n' "$2" >>"$1"
            shift 2
        done
    )
}

verdict() # [FILE LINE]...
{
    tree "$@"
    sh tests/checks/layers.sh --tree "$tmp/tree"
}

caught() # FILE LINE: the mistake is seen, and the file that has it named
{
    ! verdict "$1" "$2" >"$tmp/out" && grep -q "$(basename "$1" .c)" "$tmp/out"
}

caught_cycle() # [FILE LINE]...: the cycle is seen, with every include of it and no other
{
    ! verdict "$@" >"$tmp/out" || return 1
    [ "$(wc -l <"$tmp/out")" -eq $(($# / 2)) ] || return 1
    while [ $# -gt 0 ]; do
        grep -q "^$1:[0-9]*: a cycle" "$tmp/out" || return 1
        shift 2
    done
}

check "self-test: a right tree" verdict src/io/csv.c ''
check "self-test: an arrow upwards" caught src/base/mem.c '#include "io/csv.h"'
check "self-test: the same, with blanks" caught src/base/mem.c '  #  include "io/csv.h"'
check "self-test: a folder without arrows" caught src/new/odd.c ''
check "self-test: a path without folder" caught src/io/csv.c '#include "csv.h"'
check "self-test: a path by ../" caught src/io/csv.c '#include "../base/mem.h"'
check "self-test: cli looks inside" caught cli/main.c '#include "base/mem.h"'
check "self-test: the R package looks inside" caught r/src/r_x.c '#include "base/mem.h"'
check "self-test: plot knows the library" caught plot/draw.c '#include "odim.h"'
check "self-test: common knows the library" caught common/utf8.c '#include "odim.h"'
check "self-test: common looks elsewhere" caught common/utf8.c '#include "base/mem.h"'
check "self-test: an example looks into common" caught examples/scan.c '#include "common/utf8.h"'
check "self-test: mpi looks where nothing is" caught mpi/comm.c '#include "bass/mem.h"'
check "self-test: the library knows MPI" caught src/io/csv.c '#include <mpi.h>'
check "self-test: a foreign system header" caught src/io/csv.c '#include <pthread.h>'
check "self-test: files in a row" verdict src/base/mem_pool.h '#include "base/mem.h"'
check "self-test: a cycle of two files" caught_cycle src/base/mem_pool.h '#include "base/mem.h"' \
    src/base/mem.h '#include "base/mem_pool.h"'
check "self-test: a cycle of three files" caught_cycle src/base/mem_pool.h '#include "base/mem.h"' \
    src/base/mem.h '#include "base/arena.h"' src/base/arena.h '#include "base/mem_pool.h"'
check "self-test: a cycle through a .c file" caught_cycle src/base/mem_pool.h '#include "base/mem.h"' \
    src/base/mem.c '#include "base/mem_pool.h"'
check "self-test: a cycle in cli" caught_cycle cli/help.h '#include "args.h"' cli/args.h '#include "help.h"'
check "self-test: a name used twice" caught cli/csv.h ''
check "self-test: a file without a test" caught src/io/npy.c ''
finish
