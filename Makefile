# The everyday commands. CMake does the work: see CMakePresets.json. JOBS=4 make test builds with four processes.
SHELL := bash
JOBS ?= $(shell nproc)
export JOBS
.DEFAULT_GOAL := help
.PHONY: help demo test fuzz build bench docs format lint package clean

help:    ## this list
	@sed -n 's/^\([a-z]*\): *\(.*\)## */  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

demo:    ## the paper's four examples: tables, figures and a report of every map, on one page, demo/index.html
	@scripts/setup demo
	@cmake --preset user >/dev/null
	@cmake --build --preset user -j $(JOBS) --target itomap_cli
	@build/user/bin/itomap reproduce all --out demo --force

test:    ## all tests: unit, property and differential tests under ASan and UBSan, the rest optimised
	@scripts/setup test
	@scripts/test

SECONDS ?= 60
fuzz:    ## all fuzzers, one after the other, each for SECONDS=60: damaged files, result directories, whole problems
	@scripts/setup fuzz
	@scripts/fuzz $(SECONDS)

build:   ## the library, the command line and everything else, optimised, into build/release
	@scripts/setup test
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

bench: build  ## micro benchmarks, then the whole command beside SciPy and others, into docs/benchmarks.md
	@scripts/setup bench
	@build/release/bench/micro_benchmarks --benchmark_counters_tabular=true
	@bench/compare/setup
	@bench/compare/run --markdown docs/benchmarks.md

docs:    ## checks every link and every code block of the documentation, and makes its site, build/docs/index.html
	@scripts/setup docs
	@scripts/check_docs
	@cmake --preset user >/dev/null
	@cmake --build --preset user -j $(JOBS) --target examples
	@cmake --preset python >/dev/null
	@cmake --build --preset python -j $(JOBS) --target itomap_python itomap_python_sources
	@scripts/docs

format:  ## formats all C++ files in place
	@scripts/setup lint
	@git ls-files '*.cpp' '*.hpp' '*.inl' | xargs clang-format-14 -i

lint:    ## format, layering, headers that stand alone, instruction sets, clang-tidy
	@scripts/setup lint
	@scripts/lint

package: ## two .deb, itomap and python3-itomap, and a source tarball, into build/package
	@scripts/setup test
	@cmake --preset python >/dev/null
	@cmake --build --preset python -j $(JOBS)
	@scripts/package

clean:   ## removes everything built
	@rm -rf build demo
