#!/bin/sh
# setup.sh build|test|locale|mpi|browser|python|r|docs|duckdb|arm|packages|bench|lint|fuzz: makes sure that the tools for a purpose are installed.
# setup.sh --browser: prints the browser that the tests can use, or fails; installs nothing.
#
# It looks for the tools themselves, not for packages, so it is silent and quick on any system that has them. It prints
# the list of what is missing, then installs it with apt-get, as root or through a sudo that asks no password. If it can
# do neither, it prints the command to run and fails.
set -u

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

fail()
{
    printf 'set-up: %s\n' "$*" >&2
    exit 1
}

# Each of these tests whether one tool works. -------------------------------------------------------------------

have()
{
    command -v "$1" >/dev/null 2>&1
}

compiles() # LANGUAGE COMPILER...: can build a program that includes the C library's headers
{
    language=$1
    shift
    printf '#include <math.h>\nint main(void)\n{\n    return 0;\n}\n' |
        "$@" -x "$language" - -o "$tmp/program" >/dev/null 2>&1
}

compiles_for_arm()
{
    compiles c aarch64-linux-gnu-gcc -static
}

fuzzes()
{
    printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *p, size_t n)\n{\n    return p && n && 0;\n}\n' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o "$tmp/fuzzer" >/dev/null 2>&1
}

links() # NAME: a program can be linked with that library
{
    # shellcheck disable=SC2086 # CC may be two words
    compiles c ${CC:-cc} "-l$1"
}

library() # NAME: pkg-config knows it
{
    pkg-config --exists "$1" 2>/dev/null
}

bzip2() # pkg-config does not know it everywhere
{
    [ -f /usr/include/bzlib.h ] || links bz2
}

messages() # MPI programs can be built and started
{
    have mpicc && have mpirun
}

comma_locale() # a locale with a decimal comma can be built
{
    "$(dirname "$0")/../tests/checks/locale.sh" "$tmp/locale" >/dev/null
}

peers() # a Python has the libraries that odim is compared with
{
    "$(dirname "$0")/../bench/peers/python.sh" >/dev/null
}

# The report is tested in Debian's Chromium, driven by two npm packages; a third checks the types of the Python package.
# package-lock.json pins their versions. They are installed in tests/browser only.
browser_tests="$(dirname "$0")/../tests/browser"

browser_modules()
{
    [ -d "$browser_tests/node_modules/playwright-core" ] && [ -d "$browser_tests/node_modules/axe-core" ] &&
        [ -d "$browser_tests/node_modules/pyright" ]
}

browser()
{
    browser_modules && have node && command -v chromium
}

install_modules()
{
    browser_modules && return
    echo 'set-up: installing 3 npm packages in tests/browser: playwright-core axe-core pyright' >&2
    (cd "$browser_tests" && npm ci --no-audit --no-fund --ignore-scripts) >"$tmp/npm" 2>&1 ||
        fail "npm cannot install the packages that drive the browser: $(grep -m 1 -e 'reason:' -e 'ERR! code' "$tmp/npm")"
}

python() # a Python has the modules that the package odim is built and tested with
{
    "$(dirname "$0")/python.sh" --find >/dev/null
}

python_extras() # optional: what bundles libraries in the wheel, plots, and runs a cluster of Dask
{
    have patchelf && /usr/bin/python3 -c 'import importlib.util as u, sys
sys.exit(not all(map(u.find_spec, ("matplotlib", "distributed"))))' 2>/dev/null
}

# need PACKAGES TEST...: if TEST fails, PACKAGES must be installed.
need()
{
    packages=$1
    shift
    "$@" || missing="$missing $packages"
}

# What each purpose needs; docs/DEPENDENCIES.md gives the reasons. -----------------------------------

python_packages='python3 python3-numpy python3-pip python3-setuptools python3-wheel python3-venv'
python_packages="$python_packages python3-pandas python3-sklearn"

find_missing() # PURPOSE
{
    missing=
    if [ "$1" = docs ]; then # compiles nothing
        need cmark-gfm have cmark-gfm
        need mandoc have mandoc
        need python3 have python3
        return
    fi
    # shellcheck disable=SC2086 # CC may be two words, as in "ccache gcc"
    need 'gcc libc6-dev' compiles c ${CC:-cc}
    have ninja || need make have make
    need cmake have cmake
    need pkg-config have pkg-config
    need zlib1g-dev library zlib
    need liblzma-dev library liblzma
    need libzstd-dev library libzstd
    need liblz4-dev library liblz4
    need libbz2-dev bzip2
    need libexpat1-dev library expat
    need libsqlite3-dev library sqlite3
    need libpng-dev library libpng
    need libjpeg62-turbo-dev library libjpeg
    need libmicrohttpd-dev library libmicrohttpd
    case $1 in
    build) ;;
    test)
        # shellcheck disable=SC2086
        need g++ compiles c++ ${CXX:-c++}
        have clang-format-14 || need clang-format have clang-format
        ;;
    locale) need locales comma_locale ;;
    mpi)
        need 'libopenmpi-dev openmpi-bin' messages
        need iproute2 have ip
        ;;
    browser)
        need chromium have chromium
        need 'nodejs npm' have npm
        ;;
    python)
        need "$python_packages" python
        ! have apt-get || need 'patchelf python3-matplotlib python3-distributed' python_extras
        ;;
    r)
        need r-base-core have R
        ! have apt-get || need devscripts have checkbashisms
        ;;
    duckdb)
        [ -f "$(dirname "$0")/../build/duckdb/libduckdb.so" ] || need 'nodejs npm' have npm
        ;;
    arm)
        need 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' compiles_for_arm
        need qemu-user have qemu-aarch64
        ;;
    packages)
        need dpkg-dev have dpkg-gencontrol
        need lintian have lintian
        need mmdebstrap have mmdebstrap
        ;;
    bench)
        need libopenblas-dev links openblas
        need libblis-serial-dev links blis
        need libdnnl-dev links dnnl
        need libxsmm-dev library libxsmm
        need wrk have wrk
        need 'python3-numpy python3-sklearn python3-torch' peers
        ;;
    lint)
        need clang-tidy have clang-tidy
        need cppcheck have cppcheck
        ;;
    fuzz) need 'clang libclang-rt-dev' fuzzes ;;
    *) fail "unknown purpose '$1': build, test, locale, mpi, browser, python, r, docs, duckdb, arm, packages, bench, lint or fuzz" ;;
    esac
}

# Installing. ----------------------------------------------------------------------------------------------------

# apt ARGUMENTS: runs apt-get as root and appends its output to $tmp/log. Waits up to five minutes for another package
# manager.
apt()
{
    tries=0
    until $root env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 "$@" \
        >"$tmp/last" 2>&1 </dev/null; do
        cat "$tmp/last" >>"$tmp/log"
        # The option above waits for dpkg's lock only; a locked package list fails at once.
        grep -q 'Could not get lock' "$tmp/last" && [ "$tries" -lt 60 ] || return 1
        [ "$tries" -gt 0 ] || echo 'set-up: waiting for another package manager to finish' >&2
        tries=$((tries + 1))
        sleep 5
    done
    cat "$tmp/last" >>"$tmp/log"
}

announce() # PACKAGE...: says what is about to be installed, and how
{
    plural=s
    [ $# != 1 ] || plural=
    echo "set-up: installing $# Debian package$plural with ${root:+sudo }apt-get: $*" >&2
}

install_missing()
{
    command="apt-get install --no-install-recommends$missing"
    have apt-get || fail "missing packages (Debian names):$missing
set-up: apt-get was not found; please install them with this system's package manager"
    if [ "$(id -u)" = 0 ]; then
        root=
    elif have sudo && sudo -n true 2>/dev/null; then
        root='sudo -n'
    else
        fail "missing packages:$missing
set-up: cannot install them: not root, and no sudo without a password. Please run:
    sudo apt-get update && sudo $command"
    fi
    # shellcheck disable=SC2086 # $missing is a list of words
    announce $missing
    # The package lists are usually there; if they are missing or stale, fetch them and try again.
    # shellcheck disable=SC2086 # $missing is a list of words
    apt install --no-install-recommends $missing && return
    : >"$tmp/log"
    # shellcheck disable=SC2086
    apt update && apt install --no-install-recommends $missing && return
    grep -E '^(E|W|Err):' "$tmp/log" | sort -u | head -n 2 >&2
    if grep -q -E 'Could not (connect|resolve)|Failed to fetch|Temporary failure' "$tmp/log"; then
        fail "cannot reach the package servers; missing:$missing. When the network is up: apt-get update && $command"
    fi
    fail "apt-get failed; missing:$missing. To install them by hand: apt-get update && $command"
}

[ $# = 1 ] || fail 'usage: tools/setup.sh build|test|locale|mpi|browser|python|r|docs|duckdb|arm|packages|bench|lint|fuzz'
if [ "$1" = --browser ]; then
    browser
    exit
fi
find_missing "$1"
if [ -n "$missing" ]; then
    install_missing
    hash -r
    find_missing "$1"
    [ -z "$missing" ] || fail "still not working after installation:$missing"
fi
[ "$1" != browser ] || install_modules
[ "$1" != duckdb ] || "$(dirname "$0")/duckdb.sh"
[ "$1" != arm ] || "$(dirname "$0")/arm64.sh"
