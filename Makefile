# The front door: installs missing tools (tools/setup.sh), calls CMake, and runs what was built.
PREFIX ?= /usr/local
DESTDIR ?=
PARTS ?=
FUZZ_SECONDS ?= 60

.PHONY: help build duckdb mpi demo check test python r docs bench install packages uninstall format lint fuzz files clean
help: ## show this list
	@sed -n 's/^\([a-z]*\):[^#]*## /  make \1\t/p' Makefile | expand -t 18
	@echo 'Missing Debian packages are listed and then installed, as root or through sudo without a password.'

build: ## build the program (build/odim) and the library
	@tools/setup.sh build
	@tools/build.sh release odim odim_static odim_shared

duckdb: ## fetch libduckdb (build/duckdb), which reads Parquet and DuckDB files and answers SQL
	@tools/setup.sh duckdb

mpi: ## build build/odim-mpi, the program for clusters
	@tools/setup.sh mpi
	@tools/build.sh release odim-mpi

demo: build ## find the faults in a table of machine readings
	@demo/run.sh build/odim

check: ## run the everyday tests: unit, golden and command line, in under two minutes
	@tools/setup.sh build
	@tools/setup.sh locale || echo 'set-up: no locale with a decimal comma: its tests will be skipped' >&2
	@tests/run check

test: ## run all tests; PARTS="unit cli" runs only these (see tests/run)
	@tools/setup.sh test
	@tools/setup.sh locale || echo 'set-up: no locale with a decimal comma: its tests will be skipped' >&2
	@tools/setup.sh mpi || echo 'set-up: no MPI: the tests of odim-mpi will be skipped' >&2
	@tools/setup.sh browser || echo 'set-up: no browser: the tests of the report page will be skipped' >&2
	@tools/setup.sh python || echo 'set-up: no Python: the tests of the Python package will be skipped' >&2
	@tools/setup.sh duckdb || echo 'set-up: no libduckdb: the tests of Parquet and SQL will be skipped' >&2
	@tools/setup.sh r || echo 'set-up: no R: the tests of the R package will be skipped' >&2
	@tools/setup.sh docs || echo 'set-up: the tests of the documents as a site will be skipped' >&2
	@tools/setup.sh packages || echo 'set-up: no dpkg-dev, lintian or mmdebstrap: tests of the packages will be skipped' >&2
	@tools/setup.sh arm || echo 'set-up: no cross compiler or emulator: the tests on ARM will be skipped' >&2
	@tests/run $(PARTS)

python: ## build the Python package: a wheel in build/python, and an environment to try it in
	@tools/setup.sh build
	@tools/setup.sh python
	@tools/python.sh

r: ## build the R package: a source package in build/r
	@tools/setup.sh build
	@tools/setup.sh r
	@tools/r.sh

docs: ## render the documents and manual pages as a site in build/site
	@tools/setup.sh docs
	@tools/site.py build/site

bench: ## measure accuracy and speed (about two hours)
	@tools/setup.sh bench
	@tools/build.sh bench
	@bench/run.sh build-bench

install: ## install to PREFIX (/usr/local), below DESTDIR if set
	@tools/setup.sh build
	@tools/install.sh "$(PREFIX)" "$(DESTDIR)"

packages: ## make Debian packages and a tarball with a static program in build/packages
	@tools/setup.sh build
	@tools/setup.sh mpi || echo 'set-up: no MPI: there will be no package odim-mpi' >&2
	@tools/setup.sh packages
	@tools/packages.sh

uninstall: ## remove what `make install` installed with the same PREFIX and DESTDIR
	@tools/install.sh --remove "$(PREFIX)" "$(DESTDIR)"

format: ## format every C file (clang-format)
	@tools/setup.sh test
	@tools/format.sh

lint: ## run clang-tidy and cppcheck
	@tools/setup.sh lint
	@tools/lint.sh

fuzz: ## run each fuzz target for FUZZ_SECONDS (60), starting from its corpus
	@tools/setup.sh fuzz
	@tools/fuzz.sh $(FUZZ_SECONDS)

files: ## list the source files and what each is for
	@tools/files.sh

clean: ## remove everything that was built
	@rm -rf build build-*
