#!/usr/bin/env python3
"""The installed library in a program outside the tree: the example of README.md.

Through pkg-config, statically through pto-static.pc, and through CMake, Go and Rust, each
from a tree that was moved after it was installed. No other package is to be found: libpto
needs none.

usage: test_install.py shared|static BUILD ROOT    BUILD has a library of this kind
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The output of the example: six powers, and the message about the error.
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


def refused(needle, *command, **keywords):
    """A command that must fail, and say so in words that hold `needle`."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **keywords)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and needle in " ".join(said.split()), f"{' '.join(map(str, command))}: {said}"


def needs(program):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))


def expect(program, library):
    lines = run(program, LD_LIBRARY_PATH=str(library), ASAN_OPTIONS="detect_leaks=0").splitlines()
    assert lines == WANT, lines


def try_dev_install(build, root, folder):
    """./dev install takes the library that is there, and leaves the build directory as it is."""
    library = build / "libpto.so"
    before = library.stat().st_mtime_ns, (build / "meson-private/cmd_line.txt").read_text(), sorted(os.listdir(root))
    run(root / "dev", "install", folder / "by dev")
    after = library.stat().st_mtime_ns, (build / "meson-private/cmd_line.txt").read_text(), sorted(os.listdir(root))
    assert before == after, (before, after)
    have, want = (sorted(str(p.relative_to(top)) for p in top.rglob("*")) for top in (folder / "by dev", folder / "moved"))
    assert have == want, (have, want)
    assert not list(build.glob("stage.*"))


def try_run_paths(build, moved):
    """The command, and the examples in the build directory, find their library from where they are."""
    command = moved / "bin/pto"
    programs = [command, *(path for path in (build / "examples").glob("*") if path.is_file() and os.access(path, os.X_OK))]
    for program in programs:
        if not program.exists():
            continue
        found = re.search(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", run("readelf", "-d", program))
        assert found and found[1].startswith("$ORIGIN/"), f"{program}: run path {found and found[1]}"
    if command.exists():
        alone = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
        done = subprocess.run([command, "--version"], capture_output=True, text=True, env=alone)
        assert done.returncode == 0 and "0.1" in done.stdout, done.stdout + done.stderr
        try_simulator(command, moved, alone)


def try_simulator(command, moved, environment):
    """The compilers for a simulation platform are there, and compile a kernel with the library of their own tree."""
    folder = run(command, "info", "--simulator-toolchain").strip()
    assert folder == str((moved / "libexec/pto/simulator").resolve()), folder
    assert "libpto 0.1" in run(f"{folder}/g++-15", "--version") and "libpto 0.1" in run(f"{folder}/gcc-15", "--version")
    kernel = moved / "kernel.cpp"
    kernel.write_text("#include <pto_c.h>\nextern \"C\" int entry() { return pto_version(); }\n")
    run(f"{folder}/g++-15", "-shared", "-fPIC", "-D__CPU_SIM", "-o", moved / "kernel.so", kernel)
    load = "import ctypes, sys; assert ctypes.CDLL(sys.argv[1]).entry() == 100, sys.argv"
    done = subprocess.run([sys.executable, "-c", load, str(moved / "kernel.so")], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    for made in (kernel, moved / "kernel.so"):
        made.unlink()


def main():
    kind, build, root = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    if kind == "static":
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
        have, want = ({str(p.relative_to(top)) for p in top.rglob("*.h*")} for top in (moved / "include", root / "include"))
        assert have == want, have ^ want

        example = folder / "example.c"
        example.write_text(re.search(r"```c\n(.*?)```", (root / "README.md").read_text(), re.DOTALL).group(1))
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        # Only this folder: no package of the system can be asked for.
        packages = {"PKG_CONFIG_LIBDIR": str(library / "pkgconfig"), "PKG_CONFIG_PATH": ""}
        cflags = run("pkg-config", "--cflags", "pto", **packages).split()
        assert [os.path.normpath(flag) for flag in cflags] == ["-I" + str(moved / "include")], cflags
        for package in ("pto",) if kind == "shared" else ("pto", "pto-static"):
            linked = run("pkg-config", "--cflags", "--libs", package, **packages).split()
            run("cc", *flags, example, "-o", folder / "example", *linked)
            expect(folder / "example", library)
            # The error in README.md's example breaks the rule that README.md names.
            asks = folder / "asks.c"
            asks.write_text(example.read_text().replace("pto_context_error_message", "pto_context_error_rule"))
            run("cc", *flags, asks, "-o", folder / "asks", *linked)
            rule = run(folder / "asks", LD_LIBRARY_PATH=str(library), ASAN_OPTIONS="detect_leaks=0").splitlines()[-1]
            assert f"id of the rule, `{rule}`" in (root / "README.md").read_text(), rule
            assert ("libpto.so.0.1" in needs(folder / "example")) == (kind == "shared"), needs(folder / "example")
        print(f"{kind}: pkg-config")
        try_run_paths(build, moved)
        if kind == "shared" and build == root / "build":
            try_dev_install(build, root, folder)
            print("./dev install")

        # The folder is a flag, too: Go's cache does not see that the result of pkg-config changed.
        here = {"LD_LIBRARY_PATH": str(library), "CGO_LDFLAGS": f"-L{library}"}
        bindings(kind, root, folder, {**os.environ, **packages, **here})
        if shutil.which("cmake") is None:
            print("cmake is not there: find_package(pto) was not tried")
            return
        try_cmake(kind, folder, moved, library)
        print(f"{kind}: CMake")


def bindings(kind, root, folder, environment):
    """What is asked for statically is linked so, or not at all."""
    programs = []
    if shutil.which("go"):
        command = ["go", "test", "-c", "-tags", "pto_static", "-o", folder / "go", "."]
        programs.append((command, root / "bindings/go", "pto-static", lambda: folder / "go"))
    if shutil.which("cargo"):
        # What refuses is the build script of the crate below.
        crate, what = ("pto-sys", ["--lib"]) if kind == "shared" else ("pto", ["--example", "shadows"])
        command = ["cargo", "build", "--locked", "--offline", "--features", "static", *what]
        target = folder / "target"
        environment |= {"CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}
        programs.append((command, root / "bindings/rust" / crate, "needs libpto.a", lambda: target / "debug/examples/shadows"))
    for command, where, missing, program in programs:
        if kind == "shared":
            refused(missing, *command, cwd=where, env=environment)
        else:
            done = subprocess.run([str(c) for c in command], cwd=where, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            linked = [name for name in needs(program()) if "pto" in name]
            assert not linked, f"{command[0]} linked {linked}"
        print(f"{kind}: {command[0]}")


def try_cmake(kind, folder, moved, library):
    def configure(build, prefix, wanted="0.1"):
        (folder / "CMakeLists.txt").write_text(CMAKE.replace("pto 0.1", "pto " + wanted))
        return ["cmake", "-S", folder, "-B", folder / build, f"-Dpto_DIR={prefix / library.relative_to(moved) / 'cmake/pto'}"]

    run(*configure("cmake", moved))
    run("cmake", "--build", folder / "cmake")
    expect(folder / "cmake/outside", library)
    # In one folder, where CMake looks for the compiler once.
    for version in ("0.0.5", "0.2", "99.0"):
        refused(f'compatible with requested version "{version}"', *configure("tries", moved, version))

    # Plug-ins that were installed are components, others are not there.
    for part in ("mpi-openmpi", "mpi-mpich", "mpi-lam"):
        plugin = moved / library.relative_to(moved) / f"libpto-{part}.so"
        command = configure("tries", moved, f"0.1 COMPONENTS {part}")
        wanted = CMAKE.replace("pto 0.1 REQUIRED", f"pto 0.1 REQUIRED COMPONENTS {part}")
        wanted += f"get_target_property(where pto::{part} LOCATION)\nmessage(STATUS \"plug-in ${{where}}\")\n"
        (folder / "CMakeLists.txt").write_text(wanted)
        if plugin.exists():
            said = run(*command)
            assert pathlib.Path(re.search("plug-in (.*)", said)[1]).resolve() == plugin.resolve(), said
        else:
            refused(f"libpto was installed without {part}", *command)

    # Another libpto with half of it missing, in the same build directory, and then all of it.
    other = folder / "other"
    shutil.copytree(moved, other, symlinks=True)
    name = "libpto.so" if kind == "shared" else "libpto.a"
    found = other / library.relative_to(moved) / name
    found.rename(found.with_suffix(".away"))
    refused(f"{name} referenced by variable _pto_library does not exist", *configure("cmake", other))
    found.with_suffix(".away").rename(found)
    run(*configure("cmake", other))
    shutil.rmtree(moved)
    run("cmake", "--build", folder / "cmake")
    expect(folder / "cmake/outside", other / library.relative_to(moved))


main()
