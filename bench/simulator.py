#!/usr/bin/env python3
"""Prints what a kernel costs through the compilers of `pto info --simulator-toolchain`: the seconds to compile it as a runtime's
simulation platform does, and the time of one run. The run is timed within the loaded kernel, after some runs that are not.

usage: ./dev bench simulator [COMPILER]
"""
import ctypes
import datetime
import os
import platform
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TURNS = 5
RUNS = 200
FLAGS = ("-shared -O2 -fPIC -std=c++23 -fpermissive -Wno-macro-redefined -Wno-ignored-attributes -D__CPU_SIM "
         "-DPTO_CPU_MAX_THREADS=1 -DNDEBUG -D__DAV_VEC__").split()
HEAD = """#include <pto/pto-inst.hpp>
using namespace pto;
template <int R, int C>
using Matrix = GlobalTensor<float, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;
static AICORE void Run(__gm__ float *a, __gm__ float *b, __gm__ float *out) {
"""
TAIL = """}
extern "C" void kernel_entry(int64_t *args) {
  Run(reinterpret_cast<float *>(args[0]), reinterpret_cast<float *>(args[1]), reinterpret_cast<float *>(args[2]));
}
"""
KERNELS = {
    "softmax of 64x256": """  Tile<TileType::Vec, float, 64, 256> x, t;
  Tile<TileType::Vec, float, 64, 1, BLayout::ColMajor> row;
  Matrix<64, 256> from(a), to(out);
  TLOAD(x, from);
  TROWMAX(row, x, t);
  TROWEXPANDSUB(x, x, row);
  TEXP(x, x);
  TROWSUM(row, x, t);
  TROWEXPANDDIV(x, x, row);
  TSTORE(to, x);
""",
    "matmul of 128x128x128": """  using L1 = Tile<TileType::Mat, float, 128, 128, BLayout::ColMajor, 128, 128, SLayout::RowMajor, 512>;
  L1 m, n;
  TileLeft<float, 128, 128> left;
  TileRight<float, 128, 128> right;
  TileAcc<float, 128, 128> acc;
  Matrix<128, 128> from(a), with(b), to(out);
  TLOAD(m, from);
  TLOAD(n, with);
  TMOV(left, m);
  TMOV(right, n);
  TMATMUL(acc, left, right);
  TSTORE(to, acc);
""",
}


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def least(turns, call):
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    pto = os.path.join(ROOT, "build/src/cli/pto")
    folder = subprocess.run([pto, "info", "--simulator-toolchain"], capture_output=True, text=True, check=True).stdout.strip()
    environment = dict(os.environ)
    if sys.argv[1:]:
        environment["PTO_CXX"] = sys.argv[1]
    wrapper = os.path.join(folder, "g++-15")
    version = subprocess.run([wrapper, "--version"], capture_output=True, text=True, check=True, env=environment).stdout.splitlines()
    print("%s; %d processors: %s; %s" % (version[0], os.cpu_count(), processor(), datetime.date.today()))
    print("%-24s %12s %12s" % ("kernel", "compile", "run"))
    floats = 128 * 128
    arrays = [(ctypes.c_float * floats)(*(scale * (i % 7) for i in range(floats))) for scale in (1, 0.5, 0)]
    arguments = (ctypes.c_int64 * 3)(*map(ctypes.addressof, arrays))
    with tempfile.TemporaryDirectory() as work:
        for number, (name, body) in enumerate(KERNELS.items()):
            source = os.path.join(work, "kernel%d.cpp" % number)
            with open(source, "w", encoding="utf-8") as file:
                file.write(HEAD + body + TAIL)
            library = source + ".so"
            command = [wrapper, *FLAGS, "-o", library, source]
            compiling = least(TURNS, lambda: subprocess.run(command, check=True, env=environment))
            entry = ctypes.CDLL(library, mode=os.RTLD_NOW | os.RTLD_LOCAL).kernel_entry
            for _ in range(10):
                entry(arguments)
            print("%-24s %10.2f s %9.0f us" % (name, compiling, 1e6 * least(RUNS, lambda: entry(arguments))))


if __name__ == "__main__":
    main()
