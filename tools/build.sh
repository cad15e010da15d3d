#!/bin/sh
# build.sh PRESET [TARGET...]: builds into the folder of a preset of CMakePresets.json, with all cores.
# It prints only warnings and errors; the whole output is in FOLDER/build.log.
set -u
cd "$(dirname "$0")/.." || exit 1
preset=$1
shift
folder=build
[ "$preset" = release ] || folder=build-$preset
log=$folder/build.log

# The options of a calling make are not for the make that CMake runs.
unset MAKEFLAGS MFLAGS MAKELEVEL

if [ ! -f "$folder/build.ninja" ] && [ ! -f "$folder/Makefile" ]; then
    ! command -v ninja >/dev/null || export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
    mkdir -p "$folder"
    echo "building in $folder" >&2
    if ! cmake --preset "$preset" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$folder/CMakeCache.txt" # it would keep choices, such as the compiler, that may be the cause
        exit 1
    fi
fi
# MPI may have been installed after the folder was made.
if command -v mpicc >/dev/null && grep -q '^MPI_C_COMPILER:.*NOTFOUND' "$folder/CMakeCache.txt"; then
    cmake "$folder" >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }
fi
if ! cmake --build "$folder" --parallel "$(getconf _NPROCESSORS_ONLN)" ${1:+--target "$@"} >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
# The linker says of every static program with SQLite that it cannot load extensions, which odim does not use.
if grep 'warning:' "$log" | grep -q -v 'statically linked applications'; then cat "$log" >&2; fi
