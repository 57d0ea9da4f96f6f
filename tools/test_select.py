"""Which tests a word of `./dev test WORD...` means.

    quick, thorough      tests without and with the suite "thorough" in their meson.build
    a suite              its tests, all of them; quick:SUITE those that are not thorough
    a test               by its name, with or without "test_"
    an instruction       the tests that take one in PTO_TEST_OP (suite "by op"), and tests that name it in their sources
    a file or folder     a test's own file: the tests that are compiled from it, as ninja knows.
                         A source: the tests of the folders in ROOMS, tests of the same name, and tests of the instructions that
                         its text names

Nothing here is a list of tests: suites, sources and dependencies come from meson and ninja, instructions from docs/ops/ops.json.
"""
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

# Where the tests of a folder of sources are. The longest match counts.
ROOMS = {
    "src/api": ["tests/abi", "tests/memory"],
    "src/cli": ["tests/cli"],
    "src/checks": ["tests/rules"],
    "src/engine": ["tests/unit", "tests/tensor", "tests/rules"],
    "src/objects": ["tests/unit", "tests/tensor"],
    "src/gen": ["tests/gen"],
    "src/kernels": ["tests/kernels"],
    "src/records": ["tests/rules", "tests/gen"],
    "src/ptoas": ["tests/ptoas", "tests/program"],
    "src/ptoas/lint": ["tests/cli/test_lint.py", "tests/ptoas"],
    "src/ptoas/read": ["tests/ptoas"],
    "src/ptoas/run": ["tests/program"],
    "include/pto": ["tests/cpp"],
    "include": ["tests/abi", "tests/gen"],
    "docs": ["tests/gen", "tests/install"],
    "tools": ["tests/install/test_sources.py"],
    "tools/op_examples": ["tests/docs"],
}
# Seconds that a test of a room may take: longer ones only where their name fits.
BRIEF = 4


class Test:
    def __init__(self, told, targets):
        self.name = told["name"]
        self.suites = [suite.split(":")[-1] for suite in told["suite"]]
        self.suite = self.suites[0]
        self.command = list(told["cmd"])
        self.env = dict(told["env"])
        self.workdir = told["workdir"]
        self.timeout = told["timeout"]
        self.depends = told["depends"]
        # The files that it is made from, below the root.
        self.files = [os.path.realpath(argument) for argument in self.command if os.path.isfile(argument)]
        for target in targets:
            if target["filename"][0] == self.command[0]:
                self.files += [os.path.realpath(file) for group in target["target_sources"] for file in group["sources"]]


def introspect(build, what):
    return json.loads((pathlib.Path(build) / f"meson-info/intro-{what}.json").read_text())


def load(build):
    targets = introspect(build, "targets")
    return [Test(told, targets) for told in introspect(build, "tests")]


def of_instruction(root, tests, op):
    """Tests that take an instruction, told which; tests of its name; and brief ones whose sources name it."""
    word = re.compile(r"\b(pto_)?%s\b" % op, re.IGNORECASE)
    chosen = []
    for test in tests:
        if "by op" in test.suites:
            test.env["PTO_TEST_OP"] = " ".join(filter(None, [test.env.get("PTO_TEST_OP"), op]))
            chosen.append(test)
        elif "thorough" not in test.suites and any(word.search(said) for said in (test.name, *(text(root, file) for file in test.files))):
            chosen.append(test)
    return chosen


def text(root, file):
    """A test's own source. Lists of all instructions name each and say nothing."""
    path = pathlib.Path(file)
    of_tests = root / "tests" in path.parents and path.suffix in (".c", ".cc", ".py") and path.parent.name not in ("common", "conformance")
    return path.read_text(errors="replace") if of_tests else ""


def dependents(build, path):
    """Executables whose objects include a file, by ninja's record of the last build."""
    said = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True).stdout
    objects, now = set(), None
    for line in said.splitlines():
        if line and not line.startswith(" "):
            now = line.split(":")[0]
        elif line and os.path.realpath(os.path.join(build, line.strip())) == str(path):
            objects.add(now.split(".p/")[0])
    return {os.path.join(build, name) for name in objects}


def quick_ones(tests):
    """Those that are not thorough, where there are any."""
    return [test for test in tests if "thorough" not in test.suites] or tests


def of_file(root, build, tests, path, ops):
    relative = path.relative_to(root).as_posix()
    own = [test for test in tests if any(pathlib.Path(file) == path or path in pathlib.Path(file).parents for file in test.files)]
    if relative.startswith("tests/") or own:
        binaries = dependents(build, path) if path.suffix in (".h", ".inc") else set()
        # A folder, or data: the tests of the folder that it is in.
        beside = [] if own or binaries else [test for test in tests if any(pathlib.Path(file).parent == path.parent for file in test.files)]
        return quick_ones(own + beside + [test for test in tests if test.command[0] in binaries])
    if relative.startswith("bindings/"):
        language = relative.split("/")[1]
        all_of_them = [test for test in tests if "bindings" in test.suites]
        return quick_ones([test for test in all_of_them if re.match(r"%s\b" % re.escape(language), test.name)] or all_of_them)
    known = json.loads((build / "test-times.json").read_text()) if (build / "test-times.json").exists() else {}
    room = max((room for room in ROOMS if relative.startswith(room)), key=len, default=None)
    stems = {word.rstrip("s") for word in path.stem.split("_") if len(word) > 3}

    def fits(test):
        if "thorough" in test.suites:
            return False
        if stems & {word.rstrip("s") for word in re.split(r"\W|_", test.name)}:
            return True
        near = room and any(file.startswith(str(root / folder)) for file in test.files for folder in ROOMS[room])
        return near and known.get(test.name, 0) <= BRIEF

    chosen = [test for test in tests if fits(test)]
    named = sorted(op for op in ops if path.is_file() and re.search(r"\b%s\b" % op.upper(), path.read_text(errors="replace")))
    if relative.startswith("src/"):
        for op in named:
            chosen += of_instruction(root, tests, op)
    return chosen


def choose(root, build, tests, words):
    """The tests that the words mean, each once. Exits where a word means nothing."""
    ops = [op["name"] for op in json.loads((root / "docs/ops/ops.json").read_text())]
    by_name = {}
    for test in tests:
        # pto-test_lint, test_print, "go race"
        for name in (test.name, "test_" + test.name, test.name.replace("pto-", "").replace("test_", "")):
            by_name.setdefault(name, test)
    suites = {suite for test in tests for suite in test.suites}
    chosen = []
    for word in words:
        path = pathlib.Path(word).resolve()
        if word == "quick":
            chosen += [test for test in tests if "thorough" not in test.suites]
        elif word.removeprefix("quick:") in suites:
            of_suite = [test for test in tests if word.removeprefix("quick:") in test.suites]
            chosen += quick_ones(of_suite) if word.startswith("quick:") else of_suite
        elif word in (test.name for test in tests) or word in by_name and word.lower() not in ops:
            chosen.append(by_name[word])
        elif word.lower() in ops:
            chosen += of_instruction(root, tests, word.lower())
        elif path.exists() and root in path.parents:
            chosen += of_file(root, build, tests, path, ops)
        else:
            near = difflib.get_close_matches(word, sorted({*suites, *by_name, *ops, "quick"}), 6, 0.5)
            print(f"dev: '{word}' is not a suite, test, instruction or file" + (f"; similar: {', '.join(near)}" if near else ""), file=sys.stderr)
            sys.exit(2)
    return list(dict.fromkeys(chosen))
