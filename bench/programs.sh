#!/bin/sh
# ./dev bench programs: whole programs against ONNX Runtime, numpy and fused loops in C, on one thread or --threads 2.
set -eu
peers=build/bench-peers/bin/python
if "$peers" -c 'import numpy' 2>/dev/null; then python=$peers; else python=/usr/bin/python3; fi
export OPENBLAS_NUM_THREADS=1
# OpenBLAS 0.3.21 takes no processor of AMD for one with AVX-512.
[ -n "${OPENBLAS_CORETYPE:-}" ] || ! grep -q avx512bw /proc/cpuinfo || export OPENBLAS_CORETYPE=SkylakeX
case " $* " in
  *" --threads "*) "$python" bench/programs.py "$@" ;;
  *) taskset -c 1 "$python" bench/programs.py "$@" ;;
esac
