#!/bin/sh
# Runs a fuzzer for a while.
#   run.sh BUILD_ROOT FUZZER DICTIONARY RUNS SEEDS...
# RUNS inputs from one seed, on any machine. The counts of coverage that guide the fuzzer depend on clocks,
# so runs differ a little. PTO_FUZZ_SECONDS in the environment gives other inputs, for this time. The number of executions is added to
# BUILD_ROOT/fuzz/executions, one line per run.
set -eu
work=$1/fuzz fuzzer=$2 dictionary=$3 runs=$4
shift 4
target=$(basename "$fuzzer")
mkdir -p "$work/$target.corpus"
# Inputs that other runs found belong to those.
corpus=$work/$target.corpus
length="-max_total_time=${PTO_FUZZ_SECONDS:-}"
if [ -z "${PTO_FUZZ_SECONDS:-}" ]; then
  length="-seed=1 -runs=$runs"
  corpus=$(mktemp -d "$work/$target.XXXXXX")
  trap 'rm -rf "$corpus"' EXIT
fi
# libFuzzer returns 77 for a crash, which means a skipped test to meson.
code=0
# shellcheck disable=SC2086
"$fuzzer" -error_exitcode=1 $length -timeout=20 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
  -dict="$dictionary" -artifact_prefix="$work/" "$corpus" "$@" >"$work/$target.log" 2>&1 || code=$?
tail -n 40 "$work/$target.log"
sed -n "s/^stat::number_of_executed_units: */$target /p" "$work/$target.log" >>"$work/executions"
exit $code
