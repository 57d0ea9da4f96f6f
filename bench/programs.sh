#!/bin/sh
# ./dev bench programs: whole programs against numpy and fused loops in C, on one thread.
set -eu
if [ ! -e build/bindings/python/libpto/raw.py ]; then
  echo "programs: there is no build/bindings/python: SWIG, NumPy or Python's headers are missing" >&2
  exit 1
fi
export OPENBLAS_NUM_THREADS=1 PYTHONPATH=build/bindings/python
# OpenBLAS 0.3.21 takes no processor of AMD for one with AVX-512.
[ -n "${OPENBLAS_CORETYPE:-}" ] || ! grep -q avx512bw /proc/cpuinfo || export OPENBLAS_CORETYPE=SkylakeX
taskset -c 1 /usr/bin/python3 bench/programs.py "$@"
