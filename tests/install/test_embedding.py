#!/usr/bin/env python3
"""libpto inside another project: a meson subproject and CMake's add_subdirectory(), in each build type.

Every build must link and give the results of README.md's example. The CMake project also installs itself with
install(EXPORT), and a third project finds it, with the plug-ins for MPI whose compilers are there. Two ranks run on each.
Only the scalar kernels are compiled, to save time.

usage: test_embedding.py ROOT WORK [BUILD...]    a BUILD is meson-TYPE or cmake-TYPE; all of them without one
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

WANT = ["1 ** 2 = 1", "2 ** 2 = 4"]
SCALAR = "-DHWY_COMPILE_ONLY_SCALAR"

MESON = """project('outside', 'c', 'cpp')
executable('outside', 'example.c', dependencies: dependency('pto'))
"""
# An embedding project: a library of its own that uses libpto, installed with it.
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(outside C CXX)
add_subdirectory("%(root)s" pto)
add_library(powers STATIC powers.c)
target_link_libraries(powers PUBLIC pto::pto)
add_executable(outside example.c)
target_link_libraries(outside PRIVATE powers)
install(TARGETS powers EXPORT powers DESTINATION lib)
install(EXPORT powers NAMESPACE powers:: DESTINATION lib/cmake/powers)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/powersConfig.cmake"
  "include(CMakeFindDependencyMacro)\\nfind_dependency(pto 0.1)\\ninclude(\\"\\${CMAKE_CURRENT_LIST_DIR}/powers.cmake\\")\\n")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/powersConfig.cmake" DESTINATION lib/cmake/powers)
"""
# Each rank is a process. It adds one to what the rank before it has.
RANKS = r"""#include <stdio.h>
#include <string.h>
#include <pto_c.h>
int main(void) {
  pto_context *maker = pto_context_create(PTO_PROFILE_CPU);
  pto_world *world = pto_world_create(maker, 2, 64);
  pto_context *ctx = world == NULL ? NULL : pto_world_context(maker, world, -1);
  if (ctx == NULL) return fprintf(stderr, "%s\n", pto_context_error_message(maker)), 1;
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_I32;
  desc.rank = desc.dim0 = 1;
  const int32_t rank = pto_context_rank(ctx);
  pto_tensor *own = pto_world_tensor(ctx, world, rank, &desc, 0), *next = pto_world_tensor(ctx, world, 1 - rank, &desc, 0);
  pto_status status = pto_comm_tnotify(ctx, next, 3, PTO_NOTIFY_SET);
  if (status == PTO_OK) status = pto_comm_twait(ctx, own, 3, PTO_WAIT_CMP_EQ);
  if (status == PTO_OK) puts(pto_world_transport(world));
  pto_tensor_release(own), pto_tensor_release(next), pto_context_release(ctx), pto_world_release(world), pto_context_release(maker);
  return status != PTO_OK;
}
"""
USER = """cmake_minimum_required(VERSION 3.16)
project(user C CXX)
find_package(powers REQUIRED)
add_executable(user example.c)
target_link_libraries(user PRIVATE powers::powers)
"""


def run(*command, **environment):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def expect(program, what):
    lines = run(program).splitlines()
    assert lines[:2] == WANT, f"{what}: {lines}"
    print(f"{what}: links and runs", flush=True)


def folder_of(work, name, root, files):
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    example = re.search(r"```c\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)[1]
    for file, text in {"example.c": example, **files}.items():
        (folder / file).write_text(text)
    return folder


def try_meson(root, work, kind):
    folder = folder_of(work, f"meson-{kind}", root, {"meson.build": MESON})
    (folder / "subprojects").mkdir()
    (folder / "subprojects/pto").symlink_to(root)
    run("meson", "setup", folder / "build", folder, f"-Dbuildtype={kind}", "-Dpto:targets=scalar")
    run("ninja", "-C", folder / "build")
    expect(folder / "build/outside", f"meson subproject, {kind}")


def try_cmake(root, work, kind):
    files = {"CMakeLists.txt": CMAKE % {"root": root}, "powers.c": '#include "pto_c.h"\nint powers(void) { return (int)pto_version(); }\n'}
    folder = folder_of(work, f"cmake-{kind}", root, files)
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_BUILD_TYPE={kind}", f"-DCMAKE_CXX_FLAGS={SCALAR}",
        f"-DCMAKE_INSTALL_PREFIX={folder / 'at first'}", "-DPTO_MPI=ON", *launcher)
    run("cmake", "--build", folder / "build")
    expect(folder / "build/outside", f"CMake add_subdirectory, {kind}")
    if kind != "Release":
        return
    run("cmake", "--install", folder / "build")
    # An installed tree may be moved.
    (folder / "at first").rename(folder / "moved")
    have, want = ({str(p.relative_to(top)) for p in top.rglob("*.h*")} for top in (folder / "moved/include", root / "include"))
    assert have == want, have ^ want
    version = run(folder / "moved/libexec/pto/simulator/g++-15", "--version")
    assert "libpto 0.1" in version, version
    user = folder_of(work, "cmake-user", root, {"CMakeLists.txt": USER})
    run("cmake", "-G", "Ninja", "-S", user, "-B", user / "build", f"-DCMAKE_PREFIX_PATH={folder / 'moved'}")
    run("cmake", "--build", user / "build")
    expect(user / "build/user", "CMake install(EXPORT)")
    for library in ("openmpi", "mpich", "lam"):
        try_plugin(root, work, folder / "moved", library)


def try_plugin(root, work, prefix, library):
    """The component of a plug-in for MPI, and two ranks on it."""
    files = {"CMakeLists.txt": USER.replace("find_package(powers", f"find_package(pto 0.1 REQUIRED COMPONENTS mpi-{library})\nfind_package(powers")
             + f'get_target_property(where pto::mpi-{library} LOCATION)\nmessage(STATUS "plug-in ${{where}}")\n', "example.c": RANKS}
    user = folder_of(work, f"cmake-{library}", root, files)
    configure = ["cmake", "-G", "Ninja", "-S", str(user), "-B", str(user / "build"), f"-DCMAKE_PREFIX_PATH={prefix}"]
    if shutil.which(f"mpicc.{library}") is None:
        done = subprocess.run(configure, capture_output=True, text=True)
        assert done.returncode != 0 and f"libpto was installed without mpi-{library}" in done.stderr.replace("\n  ", " "), done.stderr
        return
    plugin = pathlib.Path(re.search("plug-in (.*)", run(*configure))[1])
    run("cmake", "--build", user / "build")
    assert plugin.is_relative_to(prefix), plugin
    # A program that libpto is a part of looks for plug-ins where it is, and where the loader looks.
    more = ["--oversubscribe"] if library == "openmpi" else []
    said = run(f"mpirun.{library}", "-n", "2", *more, user / "build/user", PTO_TRANSPORT="mpi", LD_LIBRARY_PATH=str(plugin.parent),
               OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    assert said.split() == ["mpi", "mpi"], said
    print(f"CMake, {plugin.name}: two ranks", flush=True)


TYPES = {"meson": (try_meson, ["debug", "release", "debugoptimized"]), "cmake": (try_cmake, ["Debug", "Release", "RelWithDebInfo"])}


def main():
    root, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    builds = sys.argv[3:] or [f"{tool}-{kind}" for tool, (_, kinds) in TYPES.items() for kind in kinds]
    for build in builds:
        tool, kind = build.split("-")
        TYPES[tool][0](root, work, kind)


main()
