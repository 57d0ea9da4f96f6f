# Part of ./dev: running the tests. Every test is a meson test of some suite; asan is
# the same tests from a second build directory, tsan those with threads from a third; compilers, arm and highway build the library in
# other ways and hold it to the digests of its results.

suites="unit table rules memory abi reference accuracy gen install bindings cpp ptoas fuzz asan tsan compilers arm"
# Only by name: the first fetches sources and builds the kernels twice for eight targets, the next build for long, the last
# installs and tries what ./dev package has made.
more_suites="highway coverage mutation packages"

do_test() {
  case ${1:-} in
    --list) echo "$suites; and only by name: $more_suites"; return ;;
    --exhaustive) shift; do_build
      # Conversions take no options and keep no state.
      [ $# -gt 0 ] || "$build/tests/kernels/test_convert" --exhaustive || exit 1
      exec "$build/tests/accuracy/exhaustive" --write-docs "$root/docs/accuracy.md" "$@" ;;
  esac
  if [ "${1:-}" = fuzz ] && [ "${2:-}" = --minutes ]; then fuzz_for "${3:?how many minutes?}"; return; fi
  need build test
  passed=0
  failed=0
  wanted=${*:-$suites}
  for suite in $wanted; do
    case " $suites $more_suites " in
      *" $suite "*) ;;
      *) echo "dev: no suite is called '$suite'; there are: $suites $more_suites" >&2; exit 2 ;;
    esac
  done
  # Those that are run by name only build what they need.
  for suite in $suites; do case " $wanted " in *" $suite "*) do_build; break ;; esac; done
  # The suites of the first build directory in one run: beside a long test of one suite there are those of others.
  own=
  for suite in $wanted; do case " $more_suites asan tsan compilers arm " in *" $suite "*) ;; *) own="$own $suite" ;; esac; done
  if [ -n "$own" ]; then
    echo "==$own"
    # shellcheck disable=SC2046,SC2086
    run_meson "$build" $(printf ' --suite %s' $own)
  fi
  for suite in $wanted; do
    case $suite in
      asan) run_asan "$build-asan" ;;
      tsan) run_tsan "$build-tsan" ;;
      compilers)
        for way in gcc:1 clang:1 clang:3; do run_digests "$build-${way%:*}-O${way#*:}" "${way%:*}" "${way#*:}"; done ;;
      highway) run_highway "$build-highway" ;;
      coverage) run_coverage "$build-coverage" ;;
      mutation) run_mutation "$build-mutation" ;;
      packages) echo "== packages"; run_packages "$build/packages" ;;
      arm) need arm; echo "== arm"; mkdir -p "$build-arm"; sh tools/arm.sh "$build-arm" && run_meson "$build-arm/meson" || failed=$((failed + 1)) ;;
    esac
  done
  echo
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# Every fuzz target for its share of some minutes, and the command at random; what was executed is
# added to docs/reliability.md.
fuzz_for() {
  need build test
  configure "$build"
  build_tests "$build" fuzz ptoas || exit 1
  passed=0
  failed=0
  targets=$(ls tests/fuzz/fuzz_*.cc | wc -l)
  PTO_FUZZ_SECONDS=$(($1 * 60 / targets)) run_meson "$build" --suite fuzz --timeout-multiplier 0
  PTO_FUZZ_ROUNDS=$(($1 * 20)) PTO_FUZZ_SEED=$(date +%s) run_meson "$build" pto-test_hostile --timeout-multiplier 0
  python3 tools/reliability.py "$build/fuzz/executions" docs/reliability.md
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# Builds what the tests of some suites of a build directory need, and nothing else.
build_tests() {
  dir=$1
  shift
  # What meson tells is of the latest configuration.
  ninja -C "$dir" build.ninja >"$dir/ninja.log" 2>&1 || { cat "$dir/ninja.log"; return 1; }
  targets=$(python3 -c 'import json, os, subprocess, sys
def told(what): return json.loads(subprocess.check_output(["meson", "introspect", what, sys.argv[1]]))
wanted = {needed for test in told("--tests") for needed in test["depends"] if any(suite.split(":")[-1] in sys.argv[2:] for suite in test["suite"])}
for target in told("--targets"):
    if target["id"] in wanted: print(*(os.path.relpath(name, sys.argv[1]) for name in target["filename"]))' "$(realpath "$dir")" "$@")
  # shellcheck disable=SC2086
  ninja -C "$dir" $targets >"$dir/ninja.log" 2>&1 || { cat "$dir/ninja.log"; return 1; }
}

# Builds and runs some suites of a build directory; adds to passed and failed.
run_suites() {
  dir=$1
  shift
  build_tests "$dir" "$@" || { failed=$((failed + 1)); return; }
  # shellcheck disable=SC2046
  run_meson "$dir" $(printf ' --suite %s' "$@")
}

# The suites that go through memory, in a build that notices when an access is beyond it, and what C++ leaves undefined.
run_asan() {
  dir=$1
  echo "== asan"
  # Lines but no variables: gcc spends minutes on tracking these through the kernels.
  # No -fsanitize=null and its kin: gcc then takes no address for a constant other than 0, and the records ask
  # for that while compiling. Null pointers stop a program anyway. Of std::regex it then warns without cause.
  unchecked="-Wno-maybe-uninitialized -fno-sanitize=null -fno-sanitize=nonnull-attribute -fno-sanitize=returns-nonnull-attribute"
  # Checks of addresses as calls: written out, those of kernels take gcc longer than all else together.
  unchecked="$unchecked --param=asan-instrumentation-with-call-threshold=0"
  configure "$dir" -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 -Dc_args=-g1 "-Dcpp_args=-g1 $unchecked" \
    -Dexamples=false -Dbench=false -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled
  run_suites "$dir" unit table rules memory ptoas
}

# What runs on several threads, in a build that notices when two of them touch the same memory without order.
run_tsan() {
  dir=$1
  echo "== tsan"
  # Threads meet in the same places whatever the vectors: one target of kernels is enough.
  configure "$dir" -Db_sanitize=thread -Db_lundef=false -Doptimization=1 -Dcpp_args=-DHWY_COMPILE_ONLY_STATIC \
    -Dexamples=false -Dbench=false -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled
  run_suites "$dir" tsan
}

# The digests from a build by another compiler, at another level of optimisation.
run_digests() {
  dir=$1
  echo "== $2 -O$3"
  CC=$2 CXX=$(echo "$2" | sed 's/gcc/g++/; s/clang/clang++/') configure "$dir" -Doptimization="$3" -Ddigests=true -Dexamples=false -Dbench=false
  run_suites "$dir" accuracy
}

# The digests from builds on the newest Highway.
run_highway() {
  dir=$1
  need highway
  mkdir -p "$dir"
  code=0
  sh tools/highway.sh "$dir" || code=$?
  case $code in
    0) ;;
    77) echo "== highway: skipped, its newest sources cannot be had ($dir/pip.log)"; return ;;
    *) failed=$((failed + 1)); return ;;
  esac
  echo "== highway $(sed -n 's/^Version: //p' "$dir/prefix/lib/pkgconfig/libhwy.pc")"
  for compiler in gcc clang; do PKG_CONFIG_PATH=$1/prefix/lib/pkgconfig run_digests "$1/$compiler" "$compiler" 3; done
}

# The quick suites in a build that counts what is run; docs/reliability.md keeps the figures.
run_coverage() {
  dir=$1
  echo "== coverage"
  counters=-fprofile-instr-generate
  CC=clang CXX=clang++ configure "$dir" -Doptimization=0 -Dc_args="$counters -fcoverage-mapping" -Dcpp_args="$counters -fcoverage-mapping" \
    -Dc_link_args=$counters -Dcpp_link_args=$counters -Dexamples=false -Dbench=false \
    -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled
  counted="unit table rules memory ptoas gen random"
  # shellcheck disable=SC2086
  build_tests "$dir" $counted || { failed=$((failed + 1)); return; }
  rm -rf "$dir/profiles"
  # A file a program, in which its processes add up. Where a test limits files or memory, they cannot be written, and say so.
  # shellcheck disable=SC2046
  LLVM_PROFILE_FILE=$(realpath "$dir")/profiles/%4m.profraw run_meson "$dir" --timeout-multiplier 10 $(printf ' --suite %s' $counted)
  python3 tools/coverage.py "$dir" docs/reliability.md || failed=$((failed + 1))
}

# Changes to single lines of src/core and src/ptoas, a sample of them: which does no test notice?
run_mutation() {
  echo "== mutation"
  python3 tools/mutate.py "$1" docs/reliability.md || failed=$((failed + 1))
}

# Each package in an empty folder, by what its users type first.
run_packages() {
  [ -f "$1/SHA256SUMS" ] || { echo "there are none: ./dev package makes them"; failed=$((failed + 1)); return; }
  if python3 tests/packages/test_packages.py "$1"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# Runs tests of a build directory and adds to passed and failed.
run_meson() {
  dir=$1
  shift
  log=$dir/meson-logs/testlog.json
  rm -f "$log"
  meson test -C "$dir" --no-rebuild --print-errorlogs "$@" 2>&1 | grep -vE '^(ninja:|Full log|$)' || true
  [ -f "$log" ] || { echo "no test of this suite"; return; }
  ok=$(grep -c '"result": "\(OK\|EXPECTEDFAIL\|SKIP\)"' "$log" || true)
  bad=$(grep -c '"result": "\(FAIL\|TIMEOUT\|ERROR\|INTERRUPT\|UNEXPECTEDPASS\)"' "$log" || true)
  passed=$((passed + ok))
  failed=$((failed + bad))
}
