#!/usr/bin/env python3
"""Runs SWIG and the generators, and writes or checks what is committed of their output.

usage: generate.py [--check] [--swig SWIG]     (./dev gen and the test of the same name)
       generate.py --python FOLDER [--swig SWIG]  (the Python package's own, when it is built)
       generate.py --man FOLDER VERSION [--swig SWIG]   (pages of the manual for the C functions)

Exit status 77 means to meson that a check was skipped: SWIG's own half of the Go binding
looks different from version to version, so only the version that made it can be compared.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import gen_go
import gen_man
import gen_python
import gen_rust

BINDINGS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWIG_VERSION = "4.1"

# Generated file -> where it is committed, below bindings/.
RUST = {"bindings.rs": "rust/pto-sys/src", "types.rs": "rust/pto/src", "ops.rs": "rust/pto/src", "words.rs": "rust/pto/src",
        "dispatch.rs": "rust/pto/tests/generated"}
GO = {"types.go": "go", "ops.go": "go", "calls.go": "go", "words.go": "go"}
GO_SWIG = {"internal/cpto/pto.go": "go", "internal/cpto/pto_wrap.c": "go"}


def run_swig(swig, args):
    """In bindings/ and by relative names: nothing of this machine gets into the output."""
    subprocess.run([swig, "-Wall", "-Werror", "-I../include", *args, "pto.i"], cwd=BINDINGS, check=True)


def parse_tree(swig, folder):
    xml = os.path.join(folder, "pto.xml")
    # -xml writes no comments in SWIG 4.1; a Python run with -xmlout does. Its own output is not used.
    run_swig(swig, ["-python", "-doxygen", "-DPTO_RUST", "-xmlout", xml, "-outdir", folder, "-o", os.path.join(folder, "unused.c")])
    return xml


def generate_python(swig, out):
    with tempfile.TemporaryDirectory() as folder:
        package = os.path.join(BINDINGS, "python/libpto")
        sources = [os.path.join(package, name) for name in sorted(os.listdir(package)) if name.endswith(".py")]
        gen_python.main(parse_tree(swig, folder), out, sources)


def generate(swig, folder):
    xml = parse_tree(swig, folder)
    run_swig(swig, ["-go", "-cgo", "-intgosize", "64", "-package", "cpto", "-outdir", folder, "-o", os.path.join(folder, "pto_wrap.c")])
    gen_rust.main(xml, folder)
    gen_go.main(xml, folder, folder)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--swig", default="swig")
    parser.add_argument("--python", metavar="FOLDER")
    parser.add_argument("--man", nargs=2, metavar=("FOLDER", "VERSION"))
    options = parser.parse_args()
    if options.man:
        with tempfile.TemporaryDirectory() as folder:
            gen_man.main(parse_tree(options.swig, folder), os.path.abspath(options.man[0]), options.man[1])
        return
    if options.python:
        generate_python(options.swig, os.path.abspath(options.python))
        return
    version = re.search(r"Version (\S+)", subprocess.run([options.swig, "-version"], capture_output=True, text=True, check=True).stdout)[1]
    same_swig = version.startswith(SWIG_VERSION + ".")
    if not same_swig and not options.check:
        sys.exit("generate.py: SWIG is %s; the committed files are made with %s" % (version, SWIG_VERSION))
    stale = 0
    with tempfile.TemporaryDirectory() as folder:
        generate(options.swig, folder)
        for name, where in {**RUST, **GO, **(GO_SWIG if same_swig else {})}.items():
            path = os.path.join(BINDINGS, where, name)
            text = read(os.path.join(folder, name))
            if read(path) == text:
                continue
            stale += 1
            shown = os.path.relpath(path, os.path.dirname(BINDINGS))
            if options.check:
                print("stale: %s; run ./dev gen" % shown)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            print("wrote " + shown)
    if options.check and stale:
        sys.exit(1)
    if not same_swig:
        print("cannot be had: SWIG %s.*; SWIG %s makes another half of the Go binding, which was not compared" % (SWIG_VERSION, version))
        sys.exit(77)


if __name__ == "__main__":
    main()
