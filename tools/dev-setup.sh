# Part of ./dev: what each job needs, and installing it.
# A tool that is there already, from wherever, is left as it is.

# Debian packages by job. "build" also covers the examples and the tests in C.
packages_build="g++ meson ninja-build pkg-config libhwy-dev libcmocka-dev libpng-dev libcli11-dev libmpfr-dev git python3"
packages_lint="clang clang-format clang-tidy codespell"
packages_bench="libsleef-dev libeigen3-dev libdnnl-dev libxnnpack-dev libpthreadpool-dev libxsmm-dev libopenblas-dev libblis-dev python3-numpy python3-matplotlib python3-mpmath"
packages_highway="cmake clang python3-pip"
packages_arm="g++-aarch64-linux-gnu qemu-user"
packages_test="ccache codespell cmake swig python3-numpy python3-dev fish zsh"
packages_thorough="clang libclang-rt-14-dev llvm qemu-user openmpi-bin libopenmpi-dev mpich libmpich-dev"
packages_wasm="emscripten nodejs cmake python3-pip"

have() { command -v "$1" >/dev/null 2>&1; }

# Packages of a job that are not installed, languages by their command.
missing() {
  eval "list=\$packages_$1"
  for package in $list; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
  if [ "$1" = test ]; then
    have cargo || printf 'RUST '
    have go || printf 'golang-go '
    have javac || printf 'openjdk-17-jdk-headless '
    have mvn || printf 'maven '
  fi
  if [ "$1" = thorough ]; then
    have chromedriver || printf 'BROWSER '
    have firefox-esr || have firefox || printf 'FIREFOX '
  fi
}

# What is called otherwise from release to release. The newest Rust: where its cargo is old there is a second set of
# packages. Browsers for the tests of pages, which are skipped without them: not every distribution packs a driver, or
# Firefox under that name.
by_name() {
  if apt-cache show cargo-web >/dev/null 2>&1; then rust="cargo-web rust-web-clippy"; else rust="cargo rust-clippy"; fi
  if apt-cache show chromium-driver >/dev/null 2>&1; then browser="chromium chromium-driver"; else browser=; fi
  if apt-cache show firefox-esr >/dev/null 2>&1; then firefox=firefox-esr; else firefox=; fi
  echo "$1" | sed "s/RUST/$rust/; s/BROWSER/$browser/; s/FIREFOX/$firefox/"
}

# The crates of the Rust binding, once: its tests run without a network.
fetch_crates() {
  have cargo || return 0
  (cd "$root/bindings/rust" && { cargo fetch -q --locked --offline 2>/dev/null || cargo fetch -q --locked; }) ||
    echo "dev: the crates of bindings/rust could not be fetched; its tests will fail" >&2
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs what the named jobs miss; a second run costs a few look-ups.
need() {
  if ! have apt-get || ! have dpkg-query; then
    have meson && have ninja && return 0
    echo "dev: this is not Debian; install the equivalents of: $packages_build $packages_test" >&2
    exit 1
  fi
  lacking=$(for job in "$@"; do missing "$job"; done)
  [ -n "$lacking" ] || { with_crates "$@"; return 0; }
  echo "installing: $lacking"
  # shellcheck disable=SC2086
  { as_root apt-get update -q && lacking=$(by_name "$lacking") && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $lacking; } \
    >"$root/setup.log" 2>&1 || { tail -n 20 "$root/setup.log"; exit 1; }
  rm -f "$root/setup.log"
  # What was left out of a build directory for want of a tool is now part of it.
  [ ! -f "$build/build.ninja" ] || meson setup --reconfigure "$build" >/dev/null
  with_crates "$@"
}

with_crates() {
  case " $* " in *" test "*) fetch_crates ;; esac
}

do_setup() {
  case ${1:-} in
    docs) setup_docs ;;
    bench) need bench; setup_bench ;;
    "") need build test thorough arm lint bench; echo "everything is installed" ;;
    *) usage >&2; exit 2 ;;
  esac
}

# What makes the site, for nothing else needs it: once, and again when the versions in requirements.txt change.
setup_docs() {
  venv=$build/docs/venv
  cmp -s tools/site/requirements.txt "$venv/requirements.txt" && return 0
  mkdir -p "$build/docs"
  { python3 -m venv --clear "$venv" && "$venv/bin/pip" install -q -r tools/site/requirements.txt; } >"$build/docs/setup.log" 2>&1 ||
    { tail -n 20 "$build/docs/setup.log"; exit 1; }
  cp tools/site/requirements.txt "$venv/requirements.txt"
}

# The newest MKL and ONNX Runtime, which distributions do not pack. Benchmarks find them there; without them they leave them out.
setup_bench() {
  venv=$build/bench-peers
  mkdir -p "$build"
  { python3 -m venv "$venv" && "$venv/bin/pip" install -q --upgrade mkl numpy onnx onnxruntime; } >"$build/bench-peers.log" 2>&1 ||
    { tail -n 20 "$build/bench-peers.log"; exit 1; }
}
