#!/usr/bin/env python3
"""The C++ tests with one compiler and one standard, warnings as errors, and the enumerations held to the table of their
values, enums.tsv.

The build system has one compiler; users have theirs. With "programs" the tests are built and run; with "check" they are
checked without making code; with "headers" each public header is compiled alone, too.

usage: matrix.py programs|check|headers COMPILER STD INCLUDE_DIR LIBRARY TEST_DIR
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# Program, then its other translation units; test_handler.cc alone has no exceptions.
PROGRAMS = [["test_seeds"], ["test_half"], ["test_tile"], ["test_errors"], ["test_kernel"], ["test_interface"], ["test_unchanged"], ["test_packed"], ["test_pipes"], ["test_fixpipe"], ["test_meetings"],
            ["test_record"], ["test_threads", "threads_partner"], ["test_handler", "handler_partner"]]
# Names under which sources for the NPU include the library, below pto/.
NAMES = [f"common/{name}" for name in ("pto_instr.hpp", "constants.hpp", "pto_tile.hpp", "type.hpp", "memory.hpp", "event.hpp",
                                       "debug.h", "utils.hpp", "fifo.hpp", "fixpipe.hpp")] + ["cpu/tile_offsets.hpp"]
USE = "inline void use() { pto::Tile<pto::TileType::Vec, half, 16, 16> t; pto::TRSQRT(t, t); }\n"
# A program with such names of its own.
OWN = """#define PTO_NO_GLOBAL_NAMES
#include <pto/pto-inst.hpp>
struct half {};
enum pipe_t { PIPE_S };
inline void dsb() {}
inline pto::half use() { return pto::half(1); }
"""


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(" ".join(command), "\n", done.stdout, done.stderr[:4000])
    return done.returncode == 0


def enums(table):
    """Assertions of every enumerator, of the underlying types, and of the names that need their enumeration's."""
    lines = ["#include <pto/pto-inst.hpp>", "#include <utility>"]
    with open(table, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    for name, kind, underlying, enumerators in rows:
        lines.append(f"static_assert(std::is_same_v<std::underlying_type_t<pto::{name}>, "
                     f"{underlying if underlying == 'int' else 'std::' + underlying}>);")
        scoped = f"static_assert({'!' if kind == 'scoped' else ''}std::is_convertible_v<pto::{name}, int>);"
        lines.append(scoped)
        for label, value in re.findall(r"(\w+)=(\w+)", enumerators):
            lines.append(f"static_assert(static_cast<long long>(pto::{name}::{label}) == {value});")
    assert len(rows) > 60 and len(lines) > 500, (len(rows), len(lines))
    return "\n".join(lines) + "\n"


def main():
    what, compiler, std, include, library, tests = sys.argv[1:7]
    extra = [] if "clang" in compiler else ["-Wuseless-cast"]
    base = [compiler, f"-std={std}", "-O1", *WARNINGS, *extra, f"-I{include}"]
    failed = 0
    headers = sorted(glob.glob(f"{include}/pto/**/*.h*", recursive=True))
    names = [os.path.relpath(header, f"{include}/pto") for header in headers]
    assert set(NAMES) < set(names), names
    # Names that builds define, and a kernel's own namespace `detail`.
    defined = "".join(f"#define {letter} 1\n" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ") + "#define NONE 1\n"
    own_detail = "\nnamespace detail { inline int own() { return 1; } }\nusing namespace pto;\ninline int use() { return detail::own(); }\n"
    everything = "".join(f"#include <{std_header}>\n" for std_header in ("atomic", "condition_variable", "cstdarg", "cstdio", "cstring", "deque",
                         "functional", "map", "mutex", "stdexcept", "string", "thread", "tuple", "vector"))
    letters = everything + defined + "#include <pto/pto-inst.hpp>\n#include <pto/pto-launch.hpp>\n" + own_detail
    sources = [OWN, letters, enums(os.path.join(tests, "enums.tsv"))]
    if what == "headers":
        sources += [f"#include <pto/{name}>\n" + (USE if name in NAMES else "") for name in names]
    with tempfile.TemporaryDirectory() as out:
        for source in sources:
            alone = os.path.join(out, "alone.cc")
            with open(alone, "w", encoding="utf-8") as file:
                file.write(source)
            failed += not run([*base, "-fsyntax-only", alone])
        for units in PROGRAMS:
            objects = []
            for unit in units:
                objects.append(os.path.join(out, unit + ".o"))
                without = ["-fno-exceptions"] if unit == "test_handler" else []
                made = ["-fsyntax-only"] if what != "programs" else ["-c", "-o", objects[-1]]
                failed += not run([*base, *without, *made, os.path.join(tests, unit + ".cc")])
            if what != "programs":
                continue
            program = os.path.join(out, units[0])
            built = run([compiler, *objects, library, "-Wl,-rpath," + os.path.dirname(library), "-pthread", "-o", program])
            failed += not (built and run([program]))
    print(f"{len(sources)} sources, {len(PROGRAMS)} programs, {failed} failed ({what}, {compiler} {std})")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
