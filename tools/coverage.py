"""What the tests of a build with clang's counters ran of src/: prints it by folder, names the lines that were never run
and the conditions that never went both ways, and keeps the table in docs/reliability.md.

    coverage.py BUILD PAGE

Counted are the lines and the conditions of the sources: clang maps each operand of an if, a loop, ?:, && and || to
its place in the text, with how often it was true and how often false, and each case with how often it was chosen. What is
compiled several times, for types, files or SIMD targets, is counted once: what one of these takes is taken. Conditions that
the compiler decides, as in if constexpr, do not count. Functions that only the compiler calls, so that no program has them,
have no lines to run."""
import collections
import datetime
import json
import os
import platform
import re
import subprocess
import sys

BEGIN, END = "<!-- coverage -->", "<!-- end of coverage -->"
IS_CASE = re.compile(r"(case|default)\b")


def told(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def export(build):
    """The output of llvm-cov for all programs of the build: lines of its lcov format, and functions of its JSON format."""
    profiles = [os.path.join(folder, name) for folder, _, names in os.walk(build) for name in names if name.endswith(".profraw")]
    if not profiles:
        sys.exit("no test was run")
    merged = os.path.join(build, "all.profdata")
    with open(os.path.join(build, "profiles.txt"), "w") as names:
        names.write("\n".join(profiles))
    # A process that was killed while it wrote leaves a file that cannot be read.
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-failure-mode=all", "-input-files=" + names.name, "-o", merged],
                   check=True, stderr=subprocess.DEVNULL)
    targets = json.loads(told(["meson", "introspect", "--targets", build]))
    programs = [name for target in targets if target["type"] in ("executable", "shared library", "shared module")
                for name in target["filename"] if os.path.exists(name)]
    command = ["llvm-cov", "export", "-instr-profile=" + merged, programs[0]]
    for name in programs[1:]:
        command += ["-object", name]
    lines = told(command + ["-format=lcov", "-skip-functions"]).splitlines()
    symbols = {line.split()[-1] for name in programs for line in told(["nm", "--defined-only", name]).splitlines()}
    return lines, json.loads(told(command + ["-skip-expansions"]))["data"][0]["functions"], symbols


def counted(build):
    """By file below src/: lines and branches, covered and all, and the lines that were never run or only in part."""
    lcov, functions, symbols = export(build)
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    name = None
    for line in lcov:
        if line.startswith("SF:"):
            name = os.path.relpath(line[3:])
        elif line.startswith("DA:"):
            number, count = map(int, line[3:].split(",")[:2])
            lines[name][number] += count
    places = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for function in functions:
        for row in function["branches"]:
            counts = places[os.path.relpath(function["filenames"][row[6]])][tuple(row[:4])]
            counts[0] += row[4]
            counts[1] += row[5]
    # Lines of functions, by whether there is code of them: a local one is called FILE:NAME.
    coded, uncoded = (collections.defaultdict(set) for _ in range(2))
    for function in functions:
        body = function["regions"][0]
        of = coded if function["count"] > 0 or function["name"].split(":")[-1] in symbols else uncoded
        of[os.path.relpath(function["filenames"][body[5]])].update(range(body[0], body[2] + 1))
    files = {}
    for name, counts in lines.items():
        for number in [n for n, count in counts.items() if count == 0 and n in uncoded[name] - coded[name]]:
            del counts[number]
        if not name.startswith("src/"):
            continue
        with open(name) as source:
            text = [""] + source.read().split("\n")
        taken = collections.defaultdict(list)
        for (line, column, _, _), (true, false) in places[name].items():
            taken[line] += [true] if IS_CASE.match(text[line][column - 1:]) else [true, false]
        files[name] = {
            "lines": (sum(count > 0 for count in counts.values()), len(counts)),
            "branches": (sum(count > 0 for group in taken.values() for count in group), sum(map(len, taken.values()))),
            "missed": sorted(number for number, count in counts.items() if count == 0),
            "half": sorted(number for number, group in taken.items() if counts[number] > 0 and 0 in group),
            "open": {number: (group.count(0), len(group)) for number, group in sorted(taken.items()) if 0 in group},
        }
    return files


def percent(pair):
    return "%.1f %%" % (100 * pair[0] / pair[1]) if pair[1] else "-"


def main(build, page):
    files = counted(os.path.relpath(build))
    folders = {}
    for name, file in files.items():
        for folder in (os.path.dirname(name), "all"):
            sums = folders.setdefault(folder, {"lines": [0, 0], "branches": [0, 0]})
            for kind in sums:
                sums[kind] = [a + b for a, b in zip(sums[kind], file[kind])]
    for name, file in sorted(files.items()):
        if file["missed"] or file["half"]:
            print("%s: never run: %s; in part: %s" % (name, " ".join(map(str, file["missed"])), " ".join(map(str, file["half"]))))
    compiler = subprocess.run(["clang", "-dumpversion"], capture_output=True, text=True).stdout.strip()
    table = ["clang %s, %s, %s:" % (compiler, platform.machine(), datetime.date.today().isoformat()), "",
             "| part | lines | branches |", "|---|---|---|"]
    for folder, sums in sorted(folders.items(), key=lambda item: (item[0] == "all", item[0])):
        table.append("| %s | %s of %d | %s of %d |" % ("all" if folder == "all" else "`%s`" % folder, percent(sums["lines"]), sums["lines"][1],
                                                      percent(sums["branches"]), sums["branches"][1]))
    print("\n".join(table))
    with open(page) as file:
        text = file.read()
    text, times = re.subn("%s.*?%s" % (BEGIN, END), lambda _: "%s\n%s\n%s" % (BEGIN, "\n".join(table), END), text, flags=re.S)
    if times != 1:
        sys.exit("%s has no place for the table" % page)
    with open(page, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
