#!/bin/sh
# ./dev bench ptoas: what reading, checking and running programs costs.
set -eu
ninja -C build bench/ptoas-bench src/cli/pto >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }
build/bench/ptoas-bench build/src/cli/pto examples/*.pto tests/ptoas/valid/*.pto
