#!/usr/bin/env python3
"""The commands of the bindings' READMEs, in the order in which they are written, in a copy of what a clone has.

usage: test_readmes.py ROOT BUILD LANGUAGE...    go rust python java
Only what builds and installs libpto is left out: the environment names this build instead.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
READMES = {"go": "bindings/go/README.md", "rust": "bindings/rust/pto/README.md", "python": "bindings/python/README.md", "java": "bindings/java/README.md"}
WANTED = {"go": "[1 8 9 2]", "rust": "exp is valid in 1x5 where dst is in 1x6", "python": "exp is valid in 1x4 where dst is in 3x4", "java": "valid-covers"}
BUILDS = re.compile(r"\./dev |pip install |python3 -m venv ")
failed = 0


def commands(text):
    block = re.search(r"^```sh\n(.*?)^```$", text, re.S | re.M)[1]
    return [line for line in block.splitlines() if not BUILDS.match(line)]


for language in sys.argv[3:]:
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder) / "libpto"
        for part in ("bindings", "examples"):
            shutil.copytree(root / part, clone / part, ignore=shutil.ignore_patterns("target"))
        jars = build.glob("bindings/java/**/maven/pto-*.jar")
        for jar in jars if language == "java" else []:
            (clone / "build/bindings/java/maven").mkdir(parents=True, exist_ok=True)
            shutil.copy(jar, clone / "build/bindings/java/maven")
        # The Python that has NumPy, which runs this.
        (pathlib.Path(folder) / "bin").mkdir()
        python = pathlib.Path(folder) / "bin/python3"
        python.write_text('#!/bin/sh\nexec "%s" "$@"\n' % sys.executable)
        python.chmod(0o755)
        script = "\n".join(commands((root / READMES[language]).read_text()))
        environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled"), "LD_LIBRARY_PATH": str(build),
                       "PYTHONPATH": str(build / "bindings/python"), "CARGO_NET_OFFLINE": "true", "GOFLAGS": "", "GOTOOLCHAIN": "local"}
        environment["PATH"] = "%s:%s" % (python.parent, environment["PATH"])
        environment.pop("CARGO_TARGET_DIR", None)
        done = subprocess.run(["sh", "-eux"], input=script, cwd=clone, capture_output=True, text=True, env=environment)
        ok = done.returncode == 0 and WANTED[language] in done.stdout
        print("%s: %s" % (language, "ok" if ok else "FAILED (%d)\n%s%s" % (done.returncode, done.stdout, done.stderr)))
        failed += not ok
sys.exit(failed != 0)
