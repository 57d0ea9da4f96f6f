#!/bin/sh
# ./dev bench ranks: what ranks of one process cost: turns, signals, copies, the checker.
set -eu
ninja -C build bench/ranks-bench >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }
build/bench/ranks-bench
