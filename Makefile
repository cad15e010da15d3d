# The front door. CMake does the building; this file finds the tools (tools/setup.sh), calls it, and runs what is built.
PREFIX ?= /usr/local
DESTDIR ?=
PARTS ?=
FUZZ_SECONDS ?= 60

.PHONY: help build mpi demo check test python bench install uninstall format lint fuzz clean
help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /  make \1\t/p' Makefile | expand -t 18
	@echo 'Missing Debian packages are installed when root or a sudo without password allows it.'

build: ## the program, at build/odim, and the library
	@tools/setup.sh build
	@tools/build.sh release odim odim_static odim_shared

mpi: ## odim-mpi, the program for many machines, at build/odim-mpi
	@tools/setup.sh build
	@tools/setup.sh mpi
	@tools/build.sh release odim-mpi

demo: build ## finds the faults in a table of machine readings
	@demo/run.sh build/odim

check: ## the everyday tests: unit, golden and command line, in under two minutes
	@tools/setup.sh build
	@tools/setup.sh locale || echo 'set-up: without a locale with a decimal comma its tests are skipped' >&2
	@tests/run check

test: ## everything; PARTS="unit cli" runs some (see tests/run)
	@tools/setup.sh test
	@tools/setup.sh locale || echo 'set-up: without a locale with a decimal comma its tests are skipped' >&2
	@tools/setup.sh mpi || echo 'set-up: without MPI the tests of odim-mpi are skipped' >&2
	@tools/setup.sh browser || echo 'set-up: without a browser its tests are skipped' >&2
	@tools/setup.sh python || echo 'the tests of the Python package will be skipped' >&2
	@tests/run $(PARTS)

python: ## the package for Python, a wheel in build/python, and an environment to try it in
	@tools/setup.sh build
	@tools/setup.sh python
	@tools/python.sh

bench: ## accuracy and speed, into the terminal
	@tools/setup.sh bench
	@tools/build.sh bench
	@bench/run.sh build-bench

install: ## to PREFIX (/usr/local), below DESTDIR if that is set
	@tools/setup.sh build
	@tools/install.sh "$(PREFIX)" "$(DESTDIR)"

uninstall: ## removes what `make install` with the same PREFIX and DESTDIR put there
	@tools/install.sh --remove "$(PREFIX)" "$(DESTDIR)"

format: ## clang-format on every C file
	@tools/setup.sh test
	@tools/format.sh

lint: ## clang-tidy and cppcheck
	@tools/setup.sh lint
	@tools/lint.sh

fuzz: ## each fuzz target for FUZZ_SECONDS (60), from its corpus
	@tools/setup.sh fuzz
	@tools/fuzz.sh $(FUZZ_SECONDS)

clean: ## removes all that was built
	@rm -rf build build-*
