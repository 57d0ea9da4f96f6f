#!/usr/bin/env python3
"""Prints the cost of the C++ header: the seconds that compilers need for a source that includes it, and for a kernel of
ten intrinsics; the least of several turns, of the processor and by the clock.

usage: ./dev bench header [COMPILER...]
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TURNS = 5
SOURCES = {
    "nothing": "int main() {}\n",
    "include": "#include <pto/pto-inst.hpp>\nint main() {}\n",
    "kernel of 10": """#include <pto/pto-inst.hpp>
using namespace pto;
using T = Tile<TileType::Vec, float, 16, 64>;
using C = Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor>;
using G = GlobalTensor<float, Shape<1, 1, 1, 16, 64>, Stride<1, 1, 1, 64, 1>>;
AICORE void Kernel(float* y, float* x) {
  T a, b;
  C c;
  G from(x), to(y);
  TLOAD(a, from);
  TROWMAX(c, a, b);
  TROWEXPANDSUB(a, a, c);
  TEXP(a, a);
  TROWSUM(c, a, b);
  TROWEXPANDDIV(a, a, c);
  TMULS(b, a, 2.0F);
  TADD(a, a, b);
  TMAX(a, a, b);
  TSTORE(to, a);
}
int main() {}
""",
}


def seconds(command):
    before = os.times()
    start = time.perf_counter()
    subprocess.run(command, check=True)
    clock = time.perf_counter() - start
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, clock


def main():
    compilers = sys.argv[1:] or [name for name in ("g++", "clang++", "clang++-22", "clang++-19") if shutil.which(name)]
    print("%-12s %-8s %-14s %10s %10s" % ("compiler", "options", "source", "processor", "clock"))
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            for options in (["-O0"], ["-O2"]):
                for name, text in SOURCES.items():
                    path = os.path.join(folder, "source.cc")
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                    command = [compiler, "-std=c++20", *options, "-I" + os.path.join(ROOT, "include"), "-c", path, "-o", path + ".o"]
                    turns = [seconds(command) for _ in range(TURNS)]
                    print("%-12s %-8s %-14s %8.2f s %8.2f s" % (compiler, " ".join(options), name, *map(min, zip(*turns))))


if __name__ == "__main__":
    main()
