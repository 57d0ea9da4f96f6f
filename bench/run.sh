#!/bin/sh
# ./dev bench: builds and runs the benchmark and draws the chart. Options go to pto-bench.
#   ./dev bench --avx2 ...   the target AVX2, and peers compiled for it: what a machine without AVX-512 would see
set -eu
suffix=
if [ "${1:-}" = --avx2 ]; then
  shift
  suffix=-avx2
  export PTO_TARGET=AVX2
  # numpy, oneDNN and LIBXSMM choose their code by themselves.
  export NPY_DISABLE_CPU_FEATURES="AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL" DNNL_MAX_CPU_ISA=AVX2
  export LIBXSMM_TARGET=hsw
fi
ninja -C build bench/pto-bench$suffix >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }
# The interpreter that has a module: the first in the path, or the distribution's own.
python_with() {
  for python in python3 /usr/bin/python3; do
    "$python" -W ignore -c "import $1" 2>/dev/null && { echo "$python"; return; }
  done
}
worker=$(python_with numpy)
if [ -n "$worker" ]; then worker="$worker -W ignore bench/numpy_worker.py"; else echo "numpy is missing: skipped"; fi
for table in sleef eigen dnnl xnnpack xsmm; do
  if grep -q "define PTO_NO_$(echo $table | tr a-z A-Z)" build/bench/peers_absent.c; then
    echo "$table is missing: skipped"
  fi
done
OMP_NUM_THREADS=1 build/bench/pto-bench$suffix --json build/bench$suffix.json --numpy "$worker" "$@" |
  tee build/bench$suffix.txt
python=$(python_with matplotlib)
if [ -n "$python" ]; then
  "$python" bench/chart.py build/bench$suffix.json docs/bench$suffix.svg
else
  echo "matplotlib is missing: no chart"
fi
