#!/bin/sh
# Part of ./dev test arm: BUILD/meson, a build for aarch64 (NEON) whose digests are computed under qemu-user. The arm64
# packages are unpacked below the build directory; nothing of the system changes.
#
# usage: arm.sh BUILD [cross]    with "cross", only BUILD/cross.ini and what it needs are made, with a Java that
#                                ./dev test packages runs the jar by
set -eu
build=$1
sysroot=$build/sysroot
lib=$sysroot/usr/lib/aarch64-linux-gnu
mkdir -p "$build/apt/lists/partial" "$build/apt/cache/archives/partial" "$build/debs"

# unpacked PACKAGE...: below the sysroot
unpacked() {
  options="-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists=$build/apt/lists
    -o Dir::State::status=$build/apt/status -o Dir::Cache=$build/apt/cache -o APT::Sandbox::User=$(id -un)"
  : >"$build/apt/status"
  # shellcheck disable=SC2086
  apt-get $options update >"$build/apt.log" 2>&1
  # shellcheck disable=SC2086
  (cd "$build/debs" && apt-get $options download "$@" >>"$build/apt.log" 2>&1)
  for deb in "$build"/debs/*.deb; do dpkg -x "$deb" "$sysroot"; done
}
[ -f "$lib/libhwy.so" ] || unpacked libhwy-dev libhwy1
if [ "${2:-}" = cross ] && [ ! -d "$sysroot/usr/lib/jvm" ]; then
  # A program of arm64 looks for its loader in /lib, and finds it below the folder that qemu is given.
  unpacked openjdk-17-jre-headless zlib1g libc6 libgcc-s1 libstdc++6
  [ -e "$sysroot/lib/ld-linux-aarch64.so.1" ] || ln -s usr/lib "$sysroot/lib"
fi

cache=
! command -v ccache >/dev/null || cache="'ccache', "
cat >"$build/cross.ini" <<TEXT
[binaries]
c = [$cache'aarch64-linux-gnu-gcc']
cpp = [$cache'aarch64-linux-gnu-g++']
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-E', 'LD_LIBRARY_PATH=$build/meson:$lib']
[built-in options]
c_args = ['-I$sysroot/usr/include', '-I$sysroot/usr/include/aarch64-linux-gnu']
cpp_args = ['-I$sysroot/usr/include', '-I$sysroot/usr/include/aarch64-linux-gnu']
c_link_args = ['-L$lib']
cpp_link_args = ['-L$lib']
[properties]
pkg_config_libdir = '$lib/pkgconfig'
sys_root = '$sysroot'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
TEXT

[ "${2:-}" != cross ] || exit 0
[ -f "$build/meson/build.ninja" ] ||
  meson setup "$build/meson" --cross-file "$build/cross.ini" -Ddigests=true -Dexamples=false -Dbench=false \
    >"$build/meson.log" 2>&1 || { cat "$build/meson.log"; exit 1; }
