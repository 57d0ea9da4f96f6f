#!/bin/sh
# Builds a fuzz target with clang's sanitizers and runs it for a while.
#   run.sh SOURCE_ROOT BUILD_ROOT TARGET RUNS SEEDS...
# RUNS inputs from one seed, on any machine. The counts of coverage that guide the fuzzer depend on clocks,
# so runs differ a little. PTO_FUZZ_SECONDS in the environment gives other inputs, for this time. The number of executions is added to
# BUILD_ROOT/fuzz/executions, one line per run. Everything but the kernels, which are the build's own, is compiled here with coverage,
# once for all targets: the first one builds what they share, the others wait.
set -eu
root=$1 build=$2 target=$3 runs=$4
shift 4
command -v clang++ >/dev/null 2>&1 || { echo "clang++ is not installed"; exit 77; }
work=$build/fuzz
mkdir -p "$work/$target.corpus"
exec 9>"$work/lock"
flock 9
flags="-std=c++20 -O1 -gline-tables-only -I$root -I$root/include -ffp-contract=off -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
# In the units of src/sources.txt, like the library itself.
mkdir -p "$work/units"
awk -v root="$root" -v units="$work/units" '
  /^[a-z]+:/ { group = substr($1, 1, length($1) - 1); count = 0; size = $2 ~ /^units=/ ? substr($2, 7) : 0 }
  /^ / && size {
    if (count++ % size == 0) { name = units "/" group int(count / size) ".cc.new"; print name }
    print "#include \"" root "/" $1 "\"" > name
  }' "$root/src/sources.txt" >"$work/made"
[ -s "$work/made" ] || { echo "src/sources.txt has no group of the library"; exit 1; }
sources=$root/tests/fuzz/$target.cc
while read -r made; do
  cmp -s "$made" "${made%.new}" || cp "$made" "${made%.new}"
  sources="$sources ${made%.new}"
done <"$work/made"
objects=
for source in $sources; do
  object=$work/$(basename "$source" .cc).o
  objects="$objects $object"
  # Any file may have changed: a stamp of all of them decides. Headers of the tests are for the target alone.
  tests=
  case $source in "$root"/tests/*) tests=$root/tests/fuzz ;; esac
  # shellcheck disable=SC2086
  if [ ! -f "$object" ] || [ "$source" -nt "$object" ] ||
    [ -n "$(find "$root/src" "$root/include" $tests \( -name '*.h' -o -name '*.cc' \) -newer "$object" | head -n 1)" ]; then
    echo "$source -o $object"
  fi
done >"$work/stale"
# shellcheck disable=SC2086
xargs -r -L 1 -P "$(nproc)" clang++ $flags -c <"$work/stale"
flock -u 9
# shellcheck disable=SC2086
clang++ -fsanitize=fuzzer,address,undefined $objects "$build/src/kernels/libpto_kernels.a" -o "$work/$target"
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
"$work/$target" -error_exitcode=1 $length -timeout=20 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
  -dict="$root/tests/fuzz/ptoas.dict" -artifact_prefix="$work/" "$corpus" "$@" >"$work/$target.log" 2>&1 || code=$?
tail -n 40 "$work/$target.log"
sed -n "s/^stat::number_of_executed_units: */$target /p" "$work/$target.log" >>"$work/executions"
exit $code
