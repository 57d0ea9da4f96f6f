#!/usr/bin/env python3
"""Builds the C++ tests with one compiler and one standard, warnings as errors, and runs them.

The build system has one compiler; users have theirs. Each public header is compiled alone too.

usage: matrix.py COMPILER STD INCLUDE_DIR LIBRARY TEST_DIR
"""
import glob
import os
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
# Program, then its other translation units; test_handler.cc alone has no exceptions.
PROGRAMS = [["test_seeds"], ["test_half"], ["test_tile"], ["test_errors"], ["test_kernel"],
            ["test_threads", "threads_partner"], ["test_handler", "handler_partner"]]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print(" ".join(command), "\n", done.stdout, done.stderr[:4000])
    return done.returncode == 0


def main():
    compiler, std, include, library, tests = sys.argv[1:6]
    base = [compiler, f"-std={std}", "-O1", *WARNINGS, f"-I{include}"]
    failed = 0
    headers = sorted(glob.glob(f"{include}/pto/*.hpp") + glob.glob(f"{include}/*.hpp"))
    with tempfile.TemporaryDirectory() as out:
        for header in headers:
            alone = os.path.join(out, "alone.cc")
            with open(alone, "w", encoding="utf-8") as file:
                file.write(f'#include "{os.path.relpath(header, include)}"\n')
            failed += not run([*base, "-fsyntax-only", alone])
        for units in PROGRAMS:
            objects = []
            for unit in units:
                objects.append(os.path.join(out, unit + ".o"))
                extra = ["-fno-exceptions"] if unit == "test_handler" else []
                failed += not run([*base, *extra, "-c", os.path.join(tests, unit + ".cc"), "-o", objects[-1]])
            program = os.path.join(out, units[0])
            built = run([compiler, *objects, library, "-Wl,-rpath," + os.path.dirname(library), "-pthread", "-o", program])
            failed += not (built and run([program]))
    print(f"{len(headers)} headers, {len(PROGRAMS)} programs, {failed} failed ({compiler} {std})")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
