#!/bin/sh
# ./dev bench ranks [PART...]: what ranks of one process cost: turns, ring, checker, copies, signals.
set -eu
ninja -C build bench/ranks-bench >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }
build/bench/ranks-bench "$@"
