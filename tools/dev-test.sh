# Part of ./dev: running the tests. Every test is a meson test of some suite; tools/test.py builds and runs the tests of a build
# directory. `quick` is everything that the main build has and no second build of the library. `thorough` is the rest:
# the tests that meson.build gives the suite "thorough", and the parts below, each with a build directory of its own.

parts="asan fuzz tsan compilers arm wasm archives format embedding docs unplanned"
# Only by name: the first fetches sources and builds the kernels twice for eight targets, the next build for long, then one that
# makes all packages, with a build of the library for each, and tries them.
more_parts="highway coverage mutation packages"

# What each part runs is run_PART, below. It adds its results with run_tests or with run_command.
do_test() {
  case ${1:-} in
    --list) list_tests; return ;;
    --exhaustive) shift; do_build
      # Conversions take no options and keep no state.
      [ $# -gt 0 ] || "$build/tests/kernels/test_convert" --exhaustive || exit 1
      exec "$build/tests/accuracy/exhaustive" --write-docs "$root/docs/accuracy.md" "$@" ;;
  esac
  if [ "${1:-}" = fuzz ] && [ "${2:-}" = --minutes ]; then fuzz_for "${3:?how many minutes?}"; return; fi
  times=
  wanted_parts=
  embedded=
  # All words that are not parts are for tools/test.py; they may have blanks.
  count=$#
  while [ "$count" -gt 0 ]; do
    count=$((count - 1))
    word=$1
    shift
    case " $parts $more_parts " in
      *" $word "*) wanted_parts="$wanted_parts $word"; continue ;;
    esac
    case $word in
      --times) times=--times ;;
      thorough) wanted_parts="$wanted_parts $parts"; embedded="meson-debug cmake-Debug cmake-Release"; set -- "$@" "$word" ;;
      *) set -- "$@" "$word" ;;
    esac
  done
  [ $# -gt 0 ] || [ -n "$wanted_parts" ] || set -- quick
  case "$wanted_parts $* " in *asan*|*fuzz*|*tsan*|*compilers*|*coverage*|*packages*|*" thorough "*|*" bindings "*|*" cpp "*) need build test thorough ;; *) need build test ;; esac
  mkdir -p "$build"
  python3 tools/test.py clear
  if [ $# -gt 0 ]; then
    configure "$build"
    run_tests "$build" "$@"
  fi
  for part in $wanted_parts; do
    echo "== $part"
    "run_$part" "$build-$part"
  done
  python3 tools/test.py report $times
}

list_tests() {
  echo "quick; thorough: tests with a star and the parts $parts; and only by name: $more_parts"
  [ ! -f "$build/build.ninja" ] || python3 tools/test.py list "$build"
}

# Builds and runs tests of a build directory: its suites, or others of tools/test_select.py's words.
run_tests() { python3 tools/test.py run "$@" || exit 2; }

# run_command NAME COMMAND...: a test that is a command.
run_command() {
  name=$1
  shift
  python3 tools/test.py command "$build" "$name" "$@"
}

# Every fuzz target for its share of some minutes, and the command at random; what was executed is
# added to docs/reliability.md.
fuzz_for() {
  need build test thorough
  configure "$build"
  configure_asan
  python3 tools/test.py clear
  targets=$(ls tests/fuzz/fuzz_*.cc | wc -l)
  PTO_TEST_PATIENCE=1000 PTO_FUZZ_SECONDS=$(($1 * 60 / targets)) run_tests "$build-asan" fuzz
  PTO_TEST_PATIENCE=1000 PTO_FUZZ_ROUNDS=$(($1 * 20)) PTO_FUZZ_SEED=$(date +%s) run_tests "$build" pto-test_hostile
  python3 tools/reliability.py "$build-asan/fuzz/executions" docs/reliability.md
  python3 tools/test.py report
}

# with COMPILER COMMAND...: a command with CC and CXX. meson uses ccache by itself only if CC is not set.
with() {
  cc=$1
  shift
  CC="${ccache:+ccache }$cc" CXX="${ccache:+ccache }$(echo "$cc" | sed 's/gcc/g++/; s/clang/clang++/')" "$@"
}

# Entry points have the whole path of a usual call in them, 332 times: out of line, sanitizers make them in a tenth of the time.
out_of_line=-Dalways_inline=unused

# A build by clang that notices when an access is beyond memory, and what C++ leaves undefined; it counts what is run, for
# fuzzers. gcc takes up to twice as long to make one. clang does not define gcc's macro of a sanitizer, for which sources ask.
configure_asan() {
  # One target: all have the same source, and the memory suite of the main build puts each of them between guard pages.
  how="-gline-tables-only -fsanitize=fuzzer-no-link -D__SANITIZE_ADDRESS__ $out_of_line"
  with clang configure "$build-asan" -Dtargets=native -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 \
    "-Dc_args=$how" "-Dcpp_args=$how" \
    -Dexamples=false -Dbench=false -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled
}

# The suites that go through memory, and the digests: this build has the other compiler's lowest level of optimisation.
run_asan() {
  configure_asan
  # Each check is a call: tests take up to ten times as long.
  PTO_TEST_SPARSE=1 PTO_TEST_PATIENCE=10 run_tests "$build-asan" quick:unit quick:table quick:rules quick:memory quick:ptoas quick:cli digests
}

# Each fuzzer, from seeds that are checked in.
run_fuzz() {
  configure_asan
  run_tests "$build-asan" fuzz
}

# What runs on several threads, in a build that notices when two of them touch the same memory without order.
run_tsan() {
  # Threads meet in the same places whatever the vectors.
  with clang configure "$1" -Dtargets=scalar -Db_sanitize=thread -Db_lundef=false -Doptimization=1 \
    -Dc_args=-D__SANITIZE_THREAD__ "-Dcpp_args=-D__SANITIZE_THREAD__ $out_of_line" \
    -Dexamples=false -Dbench=false -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled
  run_tests "$1" tsan
}

# Programs as they are executed without plans, in the main build.
run_unplanned() {
  configure "$build"
  PTO_PLAN=off run_tests "$build" tests/program tests/ptoas tests/cli tests/ranks
}

# The digests from builds by other compilers, at other levels of optimisation: of all targets by the other compiler as it is
# used, of the best target where only the level differs (clang's other level is the part asan).
run_compilers() {
  run_digests "$1-clang-O3" clang 3 all
  run_digests "$1-gcc-O1" gcc 1 native
}

# run_digests BUILD COMPILER LEVEL TARGETS
run_digests() {
  with "$2" configure "$1" -Doptimization="$3" "-Dtargets=$4" \
    -Ddigests=true -Dexamples=false -Dbench=false
  run_tests "$1" accuracy
}

# The digests from a build for aarch64, under an emulator.
run_arm() {
  need arm
  mkdir -p "$1"
  sh tools/arm.sh "$1" || { python3 tools/test.py note "$build" arm failed; return; }
  wrapper=$(sed -n "s/^exe_wrapper = //p" "$1/cross.ini" | tr -d "[],'")
  PTO_TEST_WRAPPER=$wrapper run_tests "$1/meson" accuracy
}

# The digests from a build for WebAssembly.
run_wasm() {
  need wasm
  run_command "making wasm" sh tools/package.sh "$root" "$build" wasm
  run_command wasm python3 tests/packages/test_packages.py "$build/packages" wasm
}

# clang-tidy, which takes half an hour of processor time, is for ./dev lint.
run_format() {
  need lint
  run_command format ./dev lint --format
}

# The site, made from nothing and opened in a browser; screenshots are kept beside it.
run_docs() {
  need thorough
  run_command "making docs" ./dev docs
  run_command docs python3 tests/docs/test_site.py "$build/docs/html" "$build/docs/screenshots"
}

# The digests from builds on the newest Highway.
run_highway() {
  need highway
  mkdir -p "$1"
  run_command highway sh tools/highway.sh "$1"
  [ -f "$1/prefix/lib/pkgconfig/libhwy.pc" ] || return 0
  echo "Highway $(sed -n 's/^Version: //p' "$1/prefix/lib/pkgconfig/libhwy.pc")"
  for compiler in gcc clang; do PKG_CONFIG_PATH=$1/prefix/lib/pkgconfig run_digests "$1/$compiler" "$compiler" 3 all; done
}

# The quick suites in a build that counts what is run; docs/reliability.md keeps the figures.
run_coverage() {
  counters=-fprofile-instr-generate
  # Without ccache: an object names the folder of its sources, which must not be in another clone.
  CC=clang CXX=clang++ configure "$1" -Doptimization=0 -Dc_args="$counters -fcoverage-mapping" -Dcpp_args="$counters -fcoverage-mapping" \
    -Dc_link_args=$counters -Dcpp_link_args=$counters -Dexamples=false -Dbench=false \
    -Drust=disabled -Dgo=disabled -Djava=disabled -Dpython=disabled
  rm -rf "$1/profiles"
  # A file a program, in which its processes add up. Where a test limits files or memory, they cannot be written, and say so.
  PTO_TEST_PATIENCE=10 LLVM_PROFILE_FILE=$(realpath "$1")/profiles/%4m.profraw run_tests "$1" unit table rules memory ptoas cli gen random
  run_command coverage python3 tools/coverage.py "$1" docs/reliability.md
}

# Changes to single lines of src/checks, src/engine, src/objects and src/ptoas, a sample of them: which does no test notice?
run_mutation() { run_command mutation python3 tools/mutate.py "$1" docs/reliability.md; }

# Each package in an empty folder, by what its users type first.
run_packages() {
  [ -f "$build/packages/SHA256SUMS" ] || run_command "making packages" ./dev package
  run_command packages python3 tests/packages/test_packages.py "$build/packages"
}

# libpto inside other projects. `thorough` takes the builds that differ most; `./dev test embedding` takes all.
run_embedding() {
  need build test thorough
  mkdir -p "$1"
  # shellcheck disable=SC2086
  run_command embedding python3 tests/install/test_embedding.py "$root" "$1" $embedded
}

# The static library, installed, and the packages that have it.
run_archives() {
  run_command "making archives" ./dev package source go java
  run_command "installed static" python3 tests/install/test_install.py static "$build-static" "$root"
  run_command archives python3 tests/packages/test_packages.py "$build/packages" go java
}
