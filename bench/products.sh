#!/bin/sh
# Products of matrices against other libraries, on one thread: ./dev bench products.
set -eu
ninja -C build bench/products >/dev/null
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 BLIS_NUM_THREADS=1
# OpenBLAS 0.3.21 takes no processor of AMD for one with AVX-512.
[ -n "${OPENBLAS_CORETYPE:-}" ] || ! grep -q avx512bw /proc/cpuinfo || export OPENBLAS_CORETYPE=SkylakeX
# BLIS 0.9 knows no Zen 5 either; its numbers are 0 for AVX-512 and 3 for AVX2.
[ -n "${BLIS_ARCH_TYPE:-}" ] || ! grep -q avx512bw /proc/cpuinfo || export BLIS_ARCH_TYPE=0
taskset -c 1 build/bench/products
taskset -c 1 /usr/bin/python3 bench/products_numpy.py
PTO_TARGET=AVX2 DNNL_MAX_CPU_ISA=AVX2 LIBXSMM_TARGET=hsw OPENBLAS_CORETYPE=Haswell BLIS_ARCH_TYPE=3 taskset -c 1 build/bench/products
