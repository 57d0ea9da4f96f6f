#!/bin/sh
# The cost of special data: ./dev bench cliffs [--only NAMES] [--types TYPES].
set -eu
ninja -C build bench/cliffs >/dev/null
taskset -c 1 build/bench/cliffs "$@"
PTO_TARGET=AVX2 taskset -c 1 build/bench/cliffs "$@"
