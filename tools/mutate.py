"""Which changes of the sources does no test notice? Changes single lines of src/checks, src/engine, src/objects and src/ptoas, a sample of them,
builds what the next test needs of it and runs the quick suites until one fails. docs/reliability.md keeps the result, and the changes
that came through.

    mutate.py WORK PAGE          all of the sample
    PTO_MUTANTS=N, PTO_MUTANTS_SEED=S    size of the sample, another one

Everything happens in WORK, in a copy of the tree. Headers are left alone: a change there compiles half of the library.

A change that no program could notice counts neither way: tools/same.txt lists those that were examined, each with the reason."""
import datetime
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

COUNT = int(os.environ.get("PTO_MUTANTS", "80"))
SEED = int(os.environ.get("PTO_MUTANTS_SEED", "1"))
LIBRARY = ("src/checks", "src/engine", "src/objects")
FOLDERS = (*LIBRARY, "src/ptoas")
BEGIN, END = "<!-- mutation -->", "<!-- end of mutation -->"
# In the order in which they run: the quick ones, and those that notice most, first; then the others of their suites, but
# without tests of kernels alone.
TESTS = {
    "library": ["rules", "near_calls", "test_tensor", "test_transfer", "test_transfer_rules", "test_tile_view", "layout", "quick", "doors", "lifetimes", "bad_arguments", "no_memory",
                 "fuzz-api at random", "test_differential", "tmov", "sampled", "floating-point environment", "test_halt"],
    "src/ptoas": ["test_diagnostics", "test_near_misses", "test_verifier", "test_everywhere", "test_print", "test_program", "test_calls", "test_arith", "rules", "test_limits", "bad_programs", "no_memory_programs",
                  "test_differential", "fuzz-grammar at random", "pto-test_run", "pto-test_edges", "fuzz-run at random", "test_robust",
                  "pto-test_documents", "pto-test_scaling", "functions of programs"],
}
TESTS.update({folder: list(TESTS["library"]) for folder in LIBRARY})
SUITES = {**dict.fromkeys(LIBRARY, {"unit", "table", "rules", "memory"}), "src/ptoas": {"ptoas", "cli", "memory"}}
APART = re.compile("targets.*|grids|bits|convert|fold|rounded|shuffle|values|count")
SWAPS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "), (" && ", " || "), (" || ", " && "),
         (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " * "), (" << ", " >> "), (" >> ", " << "), (" & ", " | "),
         (" | ", " & "), (" += ", " -= "), ("++", "--"), ("true", "false"), ("false", "true")]
# Begins with a keyword, or with a type and a name.
DECLARES = re.compile(r"\s*((const|auto|return|case|default|break|continue|throw|else)\b|[\w:<>, ]+[&* ]+\w+( =|;|\{|\(|\[))")


def same():
    """By file, line and what becomes of it: why nothing can be seen of that change."""
    known = {}
    with open(os.path.join(os.path.dirname(__file__), "same.txt")) as file:
        for entry in file.read().split("\n\n"):
            lines = [line for line in entry.strip().split("\n") if not line.startswith("#")]
            if lines and lines[0]:
                known[tuple(lines[:3])] = " ".join(lines[3:])
    return known


def blind(line):
    """The line with its strings and comment as blanks, so that places stay."""
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', lambda m: "\0" * len(m.group()), line)
    return re.sub(r"//.*", lambda m: "\0" * len(m.group()), line)


def changes(lines, at):
    """What may become of a line."""
    line = lines[at]
    code = blind(line)
    if not code.strip() or re.match(r"\s*(#|static_assert|namespace|using|template|///?|\}|public:|private:)", code):
        return
    for old, new in SWAPS:
        for match in re.finditer(re.escape(old), code):
            word = old.isalpha() and (code[match.start() - 1:match.start()].isidentifier() or code[match.end():match.end() + 1].isidentifier())
            if not word:
                yield line[:match.start()] + new + line[match.end():]
    for match in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        yield line[:match.start()] + str(int(match.group()) + 1) + line[match.end():]
    match = re.match(r"(.*\bif \()(.*)(\) (\{|return\b.*;|continue;|break;))$", code.rstrip("\0 "))
    if match and match.group(2).count("(") == match.group(2).count(")"):
        yield match.group(1) + "!(" + line[match.end(1):match.end(2)] + ")" + line[match.end(2):]
    whole = at > 0 and re.search(r"[;{}:]\s*$", blind(lines[at - 1]).replace("\0", " ").rstrip()) or not blind(lines[at - 1]).strip("\0 ")
    if whole and re.match(r"\s+[\w.>\[\]*()-]+.*;$", code) and code.count("(") == code.count(")") and not DECLARES.match(code):
        yield re.match(r"\s*", line).group() + ";"


def sample(tree):
    dice = random.Random(SEED)
    places = []
    for folder in FOLDERS:
        for path in sorted(glob.glob(folder + "/**/*.cc", root_dir=tree, recursive=True)):
            with open(os.path.join(tree, path)) as file:
                lines = file.read().split("\n")
            places += [(path, at, lines) for at in range(len(lines)) if any(True for _ in changes(lines, at))]
    for path, at, lines in dice.sample(places, min(len(places), 3 * COUNT)):
        yield path, at, lines, dice.choice(list(changes(lines, at)))


class Build:
    def __init__(self, work):
        self.tree, self.build = os.path.join(work, "tree"), os.path.join(work, "tree", "build")
        os.makedirs(self.tree, exist_ok=True)
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=True).stdout
        for name in names.decode().split("\0"):
            if not name or not os.path.isfile(name):
                continue
            target = os.path.join(self.tree, name)
            with open(name, "rb") as new:
                content = new.read()
            if os.path.exists(target):
                with open(target, "rb") as old:
                    if old.read() == content:
                        continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(name, target)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            subprocess.run(["meson", "setup", self.build, self.tree, "-Dalone=true", "-Dexamples=false", "-Dbench=false", "-Drust=disabled", "-Dgo=disabled", "-Djava=disabled",
                            "-Dpython=disabled"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", self.build, "build.ninja"], check=True, stdout=subprocess.DEVNULL)
        told = json.loads(subprocess.run(["meson", "introspect", "--tests", self.build], capture_output=True, check=True).stdout)
        self.tests = {test["name"]: test for test in told}
        for folder, suites in SUITES.items():
            of_suites = [test["name"] for test in told if suites & {suite.removeprefix("pto:") for suite in test["suite"]}]
            TESTS[folder] += [name for name in of_suites if name not in TESTS[folder] and not APART.fullmatch(name)]
        told = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], capture_output=True, check=True, text=True).stdout
        self.targets = {line.split(":")[0] for line in told.split("\n")}
        self.usual = {}  # how long a test takes that passes

    def compiles(self, words=()):
        """Builds the library, and the words that are programs of the build."""
        named = {os.path.relpath(os.path.join(self.build, word), self.build) for word in words}
        return subprocess.run(["ninja", "-C", self.build, "libpto.so.0.1.0", *sorted(named & self.targets)], stdout=subprocess.DEVNULL).returncode == 0

    def passes(self, name):
        test = self.tests[name]
        if not self.compiles(test["cmd"]):
            return False
        begin = time.monotonic()
        try:
            limit = 20 + 8 * self.usual[name] if name in self.usual else test["timeout"]
            code = subprocess.run(test["cmd"], env={**os.environ, **test["env"]}, cwd=test["workdir"] or self.build, timeout=limit,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        except subprocess.TimeoutExpired:
            return False
        passes = code in (0, 77)
        if passes:
            self.usual.setdefault(name, time.monotonic() - begin)
        return passes

    def notices(self, folder):
        """The first test that fails, or none."""
        return next((name for name in TESTS[folder] if not self.passes(name)), None)


def main(work, page):
    build = Build(os.path.abspath(work))
    killed, survivors, known, alike = 0, [], same(), []
    for path, at, lines, line in sample(build.tree):
        if killed + len(survivors) + len(alike) == COUNT:
            break
        folder = next(folder for folder in FOLDERS if path.startswith(folder + "/"))
        file = os.path.join(build.tree, path)
        with open(file, "w") as out:
            out.write("\n".join(lines[:at] + [line] + lines[at + 1:]))
        try:
            if not build.compiles():
                continue
            by = build.notices(folder)
        finally:
            with open(file, "w") as out:
                out.write("\n".join(lines))
        # One that has not passed yet may be one that never does.
        if by is not None and by not in build.usual and not build.passes(by):
            sys.exit("%s fails before anything is changed" % by)
        killed += by is not None
        why = known.get((path, lines[at].strip(), line.strip()))
        verdict = "killed by %s:" % by if by else "SURVIVES:" if why is None else "IS THE SAME (%s):" % why
        print("%s %s:%d: %s -> %s" % (verdict, path, at + 1, lines[at].strip(), line.strip()), flush=True)
        if by is None:
            (survivors if why is None else alike).append((path, lines[at].strip(), line.strip(), why))
    build.compiles()
    tried = killed + len(survivors)
    text = ["%s, the seed %d: of %d changes %d change nothing that could be seen; of the other %d, %d are noticed: %.1f %%." % (
        datetime.date.today().isoformat(), SEED, tried + len(alike), len(alike), tried, killed, 100 * killed / tried)]
    for heading, changed in (("Unnoticed:", survivors), ("The same (tools/same.txt):", alike)):
        if changed:
            text += ["", heading, ""] + ["- `%s`: `%s` as `%s`%s" % (path, old, new or ";", ": " + why if why else "") for path, old, new, why in changed]
    print("\n".join(text))
    with open(page) as file:
        before = file.read()
    after, times = re.subn("%s.*?%s" % (BEGIN, END), lambda _: "%s\n%s\n%s" % (BEGIN, "\n".join(text), END), before, flags=re.S)
    if times != 1:
        sys.exit("%s has no place for the result" % page)
    with open(page, "w") as file:
        file.write(after)


if __name__ == "__main__":
    main(*sys.argv[1:])
