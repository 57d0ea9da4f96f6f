#!/bin/sh
# Products of matrices against those of other libraries, on one thread: ./dev bench products.
set -eu
ninja -C build bench/products >/dev/null
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
# OpenBLAS 0.3.21 takes no processor of AMD for one with AVX-512.
[ -n "${OPENBLAS_CORETYPE:-}" ] || ! grep -q avx512bw /proc/cpuinfo || export OPENBLAS_CORETYPE=SkylakeX
taskset -c 1 build/bench/products
PTO_TARGET=AVX2 DNNL_MAX_CPU_ISA=AVX2 LIBXSMM_TARGET=hsw OPENBLAS_CORETYPE=Haswell taskset -c 1 build/bench/products
