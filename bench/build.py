"""What the library costs to build, and what that has done to its speed: the table of docs/lab-book.md.

usage: ./dev bench build [--demo measure|SECONDS] [--test measure|SECONDS] [--versus COMMIT] [--no-build]

Clean builds are made below build-cost/, without ccache. --demo and --test run ./dev demo and ./dev test in a fresh clone,
or take the seconds that an earlier run took; without them these lines say so. --no-build leaves out the builds that
are there already.
"""
import argparse
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time

SCRATCH = "build-cost"
# One compiler on each at a time.
CORES = os.cpu_count() or 1
FEATURES = ["-Dbench=true", "-Dtests=false", "-Dexamples=false"]
OLD_FEATURES = ["-Dtests=false", "-Dexamples=false"]
ENV = dict(os.environ, CCACHE_DISABLE="1")


def run(command, cwd=None):
    done = subprocess.run(command, cwd=cwd, env=ENV, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench build: {' '.join(command)} failed\n{done.stdout}{done.stderr}")
    return done.stdout


def cpu(command, cwd=None):
    """Seconds of processor time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, cwd)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def configure(directory, source, features):
    if not os.path.exists(os.path.join(directory, "build.ninja")):
        run(["meson", "setup", directory, source, *features])


def text_of(library):
    for line in run(["size", "-A", library]).splitlines():
        if line.startswith(".text "):
            return int(line.split()[1])
    return 0


def kernel_price(build):
    """CPU seconds of arith.cc, alone and beside others, and of its headers; its kernels, and their bytes of text."""
    # As its unit is compiled, but alone.
    target = next(t for t in run(["ninja", "-C", build, "-t", "targets", "all"]).split() if t.endswith("pto_plain-unity0.cpp.o:"))
    command = run(["ninja", "-C", build, "-t", "commands", target[:-1]]).splitlines()[-1].split()
    command = [part for part in command if part != "ccache"]
    source = next(i for i, part in enumerate(command) if part.endswith(".cpp"))
    command[source] = os.path.abspath("src/kernels/arith.cc")
    empty = os.path.join(os.path.abspath(SCRATCH), "empty.cc")
    with open(command[source], encoding="utf-8") as file:
        text = file.read()
    # The same headers for the same targets, and no table.
    head = text[: text.index("struct AddLane")]
    with open(empty, "w", encoding="utf-8") as file:
        file.write(head + "}  // namespace HWY_NAMESPACE\n}  // namespace pto\nHWY_AFTER_NAMESPACE();\n")
    command = [part.replace("'", "").replace('"', "") for part in command]
    made = command[command.index("-o") + 1] = os.path.join(os.path.abspath(SCRATCH), "arith.o")
    command[command.index("-MF") + 1] = os.devnull
    # Beside the same number of others as in the build, which makes all of them slower.
    beside = cpu(["sh", "-c", f"{shlex.join(command)} & " * CORES + "wait"], build) / CORES
    whole = min(cpu(command, build) for _ in range(2))
    sizes = {}
    for line in run(["nm", "-C", "-S", "--defined-only", made]).splitlines():
        parts = line.split(None, 3)
        if len(parts) == 4 and parts[2] in "tTwW" and re.search(r"::(Stream)?Loop<", parts[3]):
            sizes[parts[3]] = int(parts[1], 16)
    kernels = sum("StreamLoop<" not in name and ", true>" not in name for name in sizes)
    command[source] = empty
    headers = min(cpu(command, build) for _ in range(2))
    return whole, beside, headers, kernels, sum(sizes.values()) / kernels


def elapsed(how, command):
    """Wall seconds of a command in a fresh clone, as the row prints them."""
    if how is None:
        return "not measured (ask for it)"
    if how != "measure":
        return f"{float(how):.0f} s (of an earlier run)"
    clone = os.path.join(SCRATCH, "clone")
    shutil.rmtree(clone, ignore_errors=True)
    run(["git", "clone", "-q", ".", clone])
    start = time.time()
    run(command, clone)
    return f"{time.time() - start:.0f} s"


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--demo")
    parser.add_argument("--test")
    parser.add_argument("--versus", default="4106009")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()
    os.makedirs(SCRATCH, exist_ok=True)
    build = os.path.abspath(os.path.join(SCRATCH, "new"))
    library = os.path.join(build, "libpto.so")
    seconds = None
    if not (options.no_build and os.path.exists(library)):
        shutil.rmtree(build, ignore_errors=True)
        configure(build, ".", FEATURES)
        seconds = cpu(["ninja", "-C", build, f"-j{CORES}", "libpto.so.0.1.0"])
    whole, beside, headers, kernels, text = kernel_price(build)
    print("| | measured | must |\n|---|---|---|")
    print(f"| plain kernel, CPU s ({whole:.1f} s of arith.cc, {headers:.1f} s of headers, {kernels} kernels) "
          f"| {(whole - headers) / kernels:.3f} | <= 0.04 |")
    print(f"| plain kernel, bytes of text | {text:.0f} | <= 700 |")
    clean, ratio = ("not measured",) * 2 if seconds is None else (f"{seconds:.0f}", f"{seconds / beside:.1f}")
    print(f"| clean build of libpto.so, CPU s, {CORES} compilers at a time | {clean} | |")
    print(f"| the same in CPU s of arith.cc beside others, {beside:.1f} | {ratio} | <= {230 / 10.5:.1f} |")
    print(f"| text of libpto.so, bytes | {text_of(library)} | <= 6 M |")
    print(f"| ./dev demo, fresh clone | {elapsed(options.demo, ['./dev', 'demo'])} | <= 90 s |")
    print(f"| ./dev test, fresh clone | {elapsed(options.test, ['./dev', 'test'])} | <= 12 min |", flush=True)

    tree = os.path.join(SCRATCH, options.versus)
    old = os.path.abspath(os.path.join(tree, "build"))
    if not os.path.exists(tree):
        run(["git", "worktree", "add", "--detach", tree, options.versus])
    configure(old, os.path.abspath(tree), OLD_FEATURES)
    run(["ninja", "-C", old, "libpto.so.0.1.0"])
    run(["ninja", "-C", build, "bench/versus"])
    print(f"\nThe instructions of commit {options.versus}, that build against this one:\n", flush=True)
    subprocess.run([os.path.join(build, "bench/versus"), os.path.join(old, "libpto.so"), library], check=True)


main()
