#!/bin/sh
# Functions against MKL's vector mathematics, on AVX-512 (where the machine has it) and AVX2: ./dev bench functions.
set -eu
ninja -C build bench/functions >/dev/null
mkl=$(ls build/bench-peers/lib/libmkl_rt.so* 2>/dev/null | head -n 1)
export MKL_THREADING_LAYER=SEQUENTIAL
taskset -c 1 build/bench/functions ${mkl:+"$mkl"}
PTO_TARGET=AVX2 MKL_ENABLE_INSTRUCTIONS=AVX2 taskset -c 1 build/bench/functions ${mkl:+"$mkl"}
