#!/bin/sh
# ./dev bench: builds and runs the benchmark and draws the chart. Options go to pto-bench.
set -eu
ninja -C build bench/pto-bench >build/bench.log 2>&1 || { cat build/bench.log; exit 1; }
# The interpreter that has a module: the first in the path, or the distribution's own.
python_with() {
  for python in python3 /usr/bin/python3; do
    "$python" -c "import $1" 2>/dev/null && { echo "$python"; return; }
  done
}
worker=$(python_with numpy)
if [ -n "$worker" ]; then worker="$worker bench/numpy_worker.py"; else echo "numpy is missing: skipped"; fi
for table in sleef eigen dnnl; do
  grep -q "define PTO_NO_$(echo $table | tr a-z A-Z)" build/bench/peers_absent.c && echo "$table is missing: skipped"
done
OMP_NUM_THREADS=1 build/bench/pto-bench --json build/bench.json --numpy "$worker" "$@" | tee build/bench.txt
python=$(python_with matplotlib)
if [ -n "$python" ]; then
  "$python" bench/chart.py build/bench.json docs/bench.svg
else
  echo "matplotlib is missing: no chart"
fi
