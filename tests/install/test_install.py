#!/usr/bin/env python3
"""The installed library in a program outside the tree: the example of README.md.

Through pkg-config, statically through pkg-config --static, and through CMake, each
from a tree that was moved after it was installed.

usage: test_install.py shared|static BUILD ROOT WORK
With static a build directory below WORK is made, and kept for the next time.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What the example prints: six powers, and the answer to the mistake.
LAST = "tpow: exp is valid in 2x2 where dst is in 2x3 (rows x columns)"
WANT = ["1 ** 2 = 1", "2 ** 2 = 4", "3 ** 2 = 9", "4 ** 0.5 = 2", "5 ** 0.5 = 2.23607", "6 ** 0.5 = 2.44949", LAST]

CMAKE = """cmake_minimum_required(VERSION 3.13)
project(outside C)
find_package(pto 0.1 REQUIRED)
add_executable(outside example.c)
target_link_libraries(outside PRIVATE pto::pto)
set_target_properties(outside PROPERTIES LINKER_LANGUAGE C C_STANDARD 99)
"""


def run(*command, **environment):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def expect(program, library):
    lines = run(program, LD_LIBRARY_PATH=str(library), ASAN_OPTIONS="detect_leaks=0").splitlines()
    assert lines == WANT, lines


def main():
    kind, build, root, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    if kind == "static":
        build = work / "static"
        if not (build / "build.ninja").exists():
            run("meson", "setup", build, root, "-Ddefault_library=static", "-Dtests=false", "-Dexamples=false")
        run("ninja", "-C", build)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder / "at first")
        config = next((folder / "at first").rglob("pto.pc"))
        libdir = config.parent.parent
        levels = len(libdir.relative_to(folder / "at first").parts)
        # Move the prefix: /usr/local of the destination, by default.
        prefix = next((folder / "at first").rglob("include")).parent
        moved = folder / "moved"
        shutil.move(prefix, moved)
        library = moved / libdir.relative_to(prefix)
        assert levels > 0 and (library / "pkgconfig/pto.pc").exists()
        names = sorted(p.name for p in (moved / "include").iterdir())
        assert names == ["pto", "pto_c.h", "pto_c_ops.h"], names

        example = folder / "example.c"
        example.write_text(re.search(r"```c\n(.*?)```", (root / "README.md").read_text(), re.DOTALL).group(1))
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        pkg_config = ["pkg-config", "--cflags", "--libs"] + (["--static"] if kind == "static" else []) + ["pto"]
        linked = run(*pkg_config, PKG_CONFIG_PATH=str(library / "pkgconfig")).split()
        assert any(str(moved) in os.path.normpath(flag[2:]) for flag in linked if flag.startswith("-I")), linked
        run("cc", *flags, example, "-o", folder / "example", *linked)
        expect(folder / "example", library)
        needs = run("readelf", "-d", folder / "example")
        assert ("libpto.so.0" in needs) == (kind == "shared"), needs
        print(f"{kind}: pkg-config")

        if shutil.which("cmake") is None:
            print("cmake is not there: find_package(pto) was not tried")
            return
        (folder / "CMakeLists.txt").write_text(CMAKE)
        run("cmake", "-S", folder, "-B", folder / "cmake", f"-DCMAKE_PREFIX_PATH={moved}")
        run("cmake", "--build", folder / "cmake")
        expect(folder / "cmake/outside", library)
        too_new = CMAKE.replace("pto 0.1", "pto 99.0")
        (folder / "CMakeLists.txt").write_text(too_new)
        done = subprocess.run(["cmake", "-S", folder, "-B", folder / "new", f"-DCMAKE_PREFIX_PATH={moved}"],
                              capture_output=True, text=True)
        assert done.returncode != 0, "find_package(pto 99.0) was satisfied"
        print(f"{kind}: CMake")


main()
