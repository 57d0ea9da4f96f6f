#!/usr/bin/env python3
"""The compilers of `pto info --simulator-toolchain`, called as a runtime's simulation platform calls them.

usage: test_simulator.py PTO INSTALLED_WRAPPER ROOT
"""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PTO, INSTALLED, ROOT = (pathlib.Path(os.path.abspath(argument)) for argument in sys.argv[1:4])
del sys.argv[1:4]
SIMULATOR = subprocess.run([PTO, "info", "--simulator-toolchain"], capture_output=True, text=True, check=True).stdout.strip()
# As the runtime has them, in this order.
FLAGS = ("-shared -O2 -fPIC -std=c++23 -fpermissive -Wno-macro-redefined -Wno-ignored-attributes -D__CPU_SIM "
         "-DPTO_CPU_MAX_THREADS=1 -DNDEBUG -D__DAV_VEC__").split()
# The qualifier as a header of the runtime defines it, before the header of the ISA redefines it.
KERNEL = """#define __aicore__ [aicore]
#include "incore.h"
#include <pto/pto-inst.hpp>
#include "common/constants.hpp"
using namespace pto;
static __aicore__ void add(__gm__ float *a, __gm__ float *b, __gm__ float *out) {
  using Matrix = GlobalTensor<float, pto::Shape<1, 1, 1, 4, 8>, pto::Stride<32, 32, 32, 8, 1>>;
  Tile<TileType::Vec, float, 4, 8> x, y;
  Matrix from_a(a), from_b(b), to(out);
  TLOAD(x, from_a);
  TLOAD(y, from_b);
  TADDS(y, y, kMore);
  TADD(x, x, y);
  TSTORE(to, x);
}
extern "C" void kernel_entry(int64_t *args) {
  add(reinterpret_cast<float *>(args[0]), reinterpret_cast<float *>(args[1]), reinterpret_cast<float *>(args[2]));
}
"""


class Simulator(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *command, folder=SIMULATOR, code=0, **more):
        environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", **more}
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, cwd=self.folder)
        self.assertEqual(done.returncode, code, (command, done.stdout, done.stderr))
        return done.stdout

    def echo(self):
        """A compiler that prints its arguments."""
        path = self.folder / "echo compiler"
        path.write_text('#!/bin/sh\nfor a do printf "<%s>\\n" "$a"; done\nexit "${ECHO_STATUS:-0}"\n')
        path.chmod(0o755)
        return path

    def installed(self, name):
        """A tree as `meson install` leaves it, as far as the wrapper needs it."""
        tools = self.folder / name / "libexec/pto/simulator"
        tools.mkdir(parents=True)
        shutil.copy(INSTALLED, tools / "g++-15")
        shutil.copytree(ROOT / "include", self.folder / name / "include")
        return tools

    def test_a_kernel_is_compiled_against_libpto(self):
        # The ISA's own headers come first in the command, as in the runtime.
        for place in ("isa/include/pto/pto-inst.hpp", "isa/include/pto/common/constants.hpp"):
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / place).write_text('#error "the headers of the ISA"\n')
        (self.folder / "incore").mkdir()
        (self.folder / "incore/incore.h").write_text("constexpr float kMore = 0.5F;\n")
        (self.folder / "kernel.cpp").write_text(KERNEL)
        self.call("g++-15", *FLAGS, "-Iisa/include", "-Iisa/include/pto", "-Iincore", "-o", "kernel.so", "kernel.cpp")
        # The runtime moves it before it loads it.
        moved = self.folder / "moved"
        moved.mkdir()
        (self.folder / "kernel.so").rename(moved / "kernel.so")
        entry = ctypes.CDLL(str(moved / "kernel.so"), mode=os.RTLD_NOW | os.RTLD_LOCAL).kernel_entry
        arrays = [(ctypes.c_float * 32)(*(f * i for i in range(32))) for f in (1, 100, 0)]
        entry((ctypes.c_int64 * 3)(*(ctypes.addressof(a) for a in arrays)))
        self.assertEqual(list(arrays[2]), [101 * i + 0.5 for i in range(32)])

    def test_other_commands_are_passed_on(self):
        echo = self.echo()
        for arguments in (["-c", "a b.c", "", "-I", "isa", "-std=c++23"], ["--version", "-v"], ["-dumpversion"], ["-D__CPU_SIMULATOR"], []):
            for name, variable in (("g++-15", "PTO_CXX"), ("gcc-15", "PTO_CC")):
                told = self.call(name, *arguments, **{variable: str(echo)})
                self.assertEqual(told, "".join(f"<{a}>\n" for a in arguments))
        self.call("gcc-15", "-c", "none.c", code=7, PTO_CC=str(echo), ECHO_STATUS="7")

    def test_what_is_added_to_a_kernels_command(self):
        told = self.call("g++-15", "-D__CPU_SIM", "-I", "a folder", "-fsanitize=address", "-o", "k.so", "k.cpp", PTO_CXX=str(self.echo()))
        arguments = [line[1:-1] for line in told.splitlines()]
        self.assertEqual(arguments[:2], [f"-I{ROOT}/include", f"-I{ROOT}/include/pto"])
        self.assertEqual(arguments[2:9], ["-D__CPU_SIM", "-I", "a folder", "-fsanitize=address", "-o", "k.so", "k.cpp"])
        self.assertEqual(arguments[-1], "-lpto")

    def test_the_standard_has_the_name_that_the_compiler_knows(self):
        old = self.folder / "old"
        old.write_text('#!/bin/sh\ncase "$*" in *c++23*) exit 1 ;; esac\necho "$@"\n')
        old.chmod(0o755)
        self.assertIn(" -std=c++2b ", self.call("g++-15", "-D__CPU_SIM", "-std=c++23", "k.cpp", PTO_CXX=str(old)))

    def test_the_compiler_is_another_one(self):
        """The wrapper does not call itself through a link."""
        links = self.folder / "links"
        links.mkdir()
        (links / "g++").symlink_to(f"{SIMULATOR}/g++-15")
        (links / "g++-15").symlink_to(f"{SIMULATOR}/g++-15")
        told = self.call("g++-15", "-dumpversion", folder=f"{links}{os.pathsep}{SIMULATOR}")
        self.assertRegex(told, r"^\d+")
        alone = self.folder / "alone"
        alone.mkdir()
        for tool in ("dirname", "readlink", "basename"):
            (alone / tool).symlink_to(shutil.which(tool))
        done = subprocess.run([f"{SIMULATOR}/g++-15", "-c", "a.c"], capture_output=True, text=True, env={"PATH": str(alone)})
        self.assertEqual((done.returncode, "PTO_CXX" in done.stderr), (1, True), done.stderr)

    def test_the_version_changes_with_the_headers(self):
        first, second = self.installed("first"), self.installed("second")
        versions = [self.call("g++-15", "--version", folder=f) for f in (SIMULATOR, first, second)]
        self.assertEqual(len(set(versions)), 1, versions)
        self.assertIn("libpto 0.1", versions[0])
        self.assertIn(subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True).stdout, versions[0])
        with open(self.folder / "second/include/pto/pto-tile.hpp", "a") as header:
            header.write("// another libpto\n")
        self.assertNotEqual(self.call("g++-15", "--version", folder=second), versions[0])
        self.assertEqual(self.call("g++-15", "--version", folder=first), versions[0])


unittest.main()
