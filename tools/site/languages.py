#!/usr/bin/env python3
"""Makes the documentation of the bindings with each language's own tool, for the site: rustdoc, javadoc and `go doc`.

usage: languages.py ROOT BUILD FOLDER

FOLDER gets a folder of HTML for Rust and Java, and go.md for Go, which has no static pages of its own. A language whose
tool is missing is left out, and named.
"""
import os
import pathlib
import shutil
import subprocess
import sys


def rust(root, build, folder):
    environment = {**os.environ, "DOCS_RS": "1", "CARGO_TARGET_DIR": str(build / "docs/cargo"), "RUSTDOCFLAGS": "-D warnings"}
    subprocess.run(["cargo", "doc", "--quiet", "--locked", "--no-deps"], cwd=root / "bindings/rust/pto", env=environment, check=True)
    shutil.copytree(build / "docs/cargo/doc", folder / "rust")


def java(root, build, folder):
    """SWIG's half of the classes comes from a build."""
    sources = [*(root / "bindings/java/src/main/java").rglob("*.java"), *(build / "bindings/java/generated").rglob("*.java")]
    done = subprocess.run(["javadoc", "-quiet", "-Xdoclint:none", "-encoding", "UTF-8", "-notimestamp", "-windowtitle", "libpto", "-d", folder / "java",
                           *map(str, sources)], capture_output=True, text=True)
    if done.returncode != 0:  # its warnings are about SWIG's classes, which are not public
        sys.exit(done.stdout + done.stderr)


def go(root, build, folder):
    text = subprocess.run(["go", "doc", "-all", "."], cwd=root / "bindings/go", check=True, capture_output=True, text=True).stdout
    (folder / "go.md").write_text("# Go API\n\n```text\n%s\n```\n" % text.replace("```", "'''").rstrip())


def main():
    root, build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for tool, make in {"cargo": rust, "javadoc": java, "go": go}.items():
        missing = tool if not shutil.which(tool) else "a build of bindings/java" if make is java and not (build / "bindings/java/generated").is_dir() else ""
        if missing:
            print("the site has no %s documentation: %s is missing" % (make.__name__, missing), file=sys.stderr)
        else:
            make(root, build, folder)


main()
