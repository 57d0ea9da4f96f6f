#!/usr/bin/env python3
"""Part of ./dev package wasm: libpto as a WebAssembly module, and the test of its digests for Node.

usage: wasm.py ROOT BUILD        needs emscripten; BUILD/highway is what tools/highway.sh makes
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# What counts elements has 64 bits, and fits into 32 where there is memory for them.
COMPILE = ["-O3", "-DNDEBUG", "-msimd128", "-fwasm-exceptions", "-Wno-c++11-narrowing"]
LINK = ["em++", "-O1", "-fwasm-exceptions", "-sALLOW_MEMORY_GROWTH", "-sMAXIMUM_MEMORY=2147483648", "-sTOTAL_STACK=1048576"]
TEST = ["tests/accuracy/" + name for name in ("test_digests.c", "sha256.c", "run_op.c", "special_inputs.c")]


def known(flag, build):
    """Whether the compiler has a flag, and a use for it."""
    empty = build / "empty.cc"
    empty.touch()
    command = ["em++", "-Werror", flag, "-c", empty, "-o", build / ("flag%s.o" % re.sub(r"\W", "_", flag))]
    return subprocess.run([str(part) for part in command], capture_output=True).returncode == 0


def sources(root, build):
    """Each unit of src/sources.txt with its flags that the compiler has."""
    flags, sizes, files = {}, {}, collections.defaultdict(list)
    for line in (root / "src/sources.txt").read_text().splitlines():
        line = line.strip()
        if ":" in line and not line.startswith("#"):
            group, text = line.split(":", 1)
            words = text.split()
            sizes[group] = max([1, *(int(word.removeprefix("units=")) for word in words if word.startswith("units="))])
            flags[group] = [word for word in words if not word.startswith("units=") and known(word, build)]
        elif line and not line.startswith("#"):
            files[group].append(root / line)
    for group, names in files.items():
        units = names
        size = sizes[group]
        if size > 1:
            units = []
            for first in range(0, len(names), size):
                units.append(build / f"{group}{first}.cc")
                units[-1].write_text("".join(f'#include "{name}"\n' for name in names[first:first + size]))
        for unit in units:
            yield unit, flags["all"] + flags[group]


def run(*command):
    # Where Debian keeps the parser of JavaScript that emscripten asks for.
    environment = {**os.environ, "NODE_PATH": os.pathsep.join(filter(None, [os.environ.get("NODE_PATH"), "/usr/share/nodejs"]))}
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (" ".join(map(str, command)), done.stderr))


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    (build / "objects").mkdir(parents=True, exist_ok=True)
    folders = [root / folder for folder in ("src", "include", "tests/accuracy", "bindings/wasm")]
    newest = max(p.stat().st_mtime for folder in folders for p in folder.rglob("*") if p.suffix in (".c", ".cc", ".h", ".txt", ""))

    def compile(job):
        name, flags = job
        out = build / "objects" / (name.name + ".o")
        if out.exists() and out.stat().st_mtime > newest:
            return out
        language = ["em++", "-std=c++20", "-include", root / "bindings/wasm/libcxx/libcxx.h", "-I", root / "bindings/wasm/libcxx"] if name.suffix == ".cc" else ["emcc", "-std=c11"]
        run(*language, *COMPILE, *flags, "-fvisibility=hidden", "-DHWY_STATIC_DEFINE", "-I", root, "-I", root / "include",
            "-isystem", build / "highway/prefix/include", "-c", name, "-o", out)
        return out

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        library = list(pool.map(compile, sources(root, build)))
        test = list(pool.map(compile, ((root / name, []) for name in TEST)))
    exports = re.findall(r"^ *(pto_\w+);", (root / "src/api/libpto.map").read_text(), re.MULTILINE) + ["malloc", "free"]
    run(*LINK, *library, "--no-entry", "-sSTANDALONE_WASM", *("-Wl,--export=" + name for name in exports), "-o", build / "libpto.wasm")
    run(*LINK, *library, *test, "-sNODERAWFS", "-o", build / "test_digests.js")


if __name__ == "__main__":
    main()
