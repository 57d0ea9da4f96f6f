#!/bin/sh
# Part of ./dev test highway: the newest Highway as a static library below DIR/prefix,
# with its pkg-config file. Exit status 77 when its sources cannot be had.
set -eu
dir=$1
[ ! -f "$dir/prefix/lib/pkgconfig/libhwy.pc" ] || exit 0
rm -rf "$dir"/numpy-*.tar.gz "$dir/source"
mkdir -p "$dir/backend" "$dir/source"

# NumPy's source distribution carries Highway, mostly newer than the latest release. pip asks
# its build backend for the metadata, which takes minutes; PKG-INFO has them already.
cat >"$dir/backend/mesonpy.py" <<'PYTHON'
import os, shutil

def prepare_metadata_for_build_wheel(directory, config_settings=None):
    os.mkdir(os.path.join(directory, "numpy.dist-info"))
    shutil.copy("PKG-INFO", os.path.join(directory, "numpy.dist-info", "METADATA"))
    return "numpy.dist-info"
PYTHON
PYTHONPATH=$dir/backend timeout 120 python3 -m pip download --no-deps --no-binary numpy --no-build-isolation \
  --ignore-requires-python -d "$dir" numpy >"$dir/pip.log" 2>&1 || exit 77
tar -xf "$dir"/numpy-*.tar.gz -C "$dir/source" --wildcards --strip-components=1 '*/src/highway'

cmake -S "$dir/source/numpy/_core/src/highway" -B "$dir/cmake" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
  -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF \
  -DCMAKE_INSTALL_PREFIX="$dir/prefix" -DCMAKE_INSTALL_LIBDIR=lib >"$dir/cmake.log" 2>&1 &&
  ninja -C "$dir/cmake" install >>"$dir/cmake.log" 2>&1 || { cat "$dir/cmake.log"; exit 1; }
