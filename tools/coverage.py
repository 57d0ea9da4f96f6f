"""What the tests of a build with gcc's counters ran of src/: prints it by folder, names the lines that were never run,
and keeps the table in docs/reliability.md.

    coverage.py BUILD PAGE

Branches are those of the sources. So two things that gcc counts are none here: the edge that a call takes when it throws
(gcc marks it; memory that fails is tried by tests/memory), and a branch of a template, of a function in a header or of a kernel
once more for each type, file or SIMD target that it is compiled for. As with lines, what one instance takes is taken."""
import collections
import datetime
import json
import os
import platform
import re
import subprocess
import sys

BEGIN, END = "<!-- coverage -->", "<!-- end of coverage -->"


def gcov(build):
    """What gcov tells of each object: dictionaries of its JSON format, by source file."""
    data = [os.path.join(folder, name) for folder, _, names in os.walk(build) for name in names if name.endswith(".gcda")]
    for at in range(0, len(data), 20):
        out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *map(os.path.abspath, data[at:at + 20])], check=True,
                             cwd=build, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        for line in out.splitlines():
            told = json.loads(line)
            for file in told["files"]:
                yield os.path.relpath(os.path.join(build, file["file"])), file


def counted(build):
    """By file below src/: lines and branches, covered and all, and the lines that were never run or only in part."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    branches = collections.defaultdict(dict)  # of a file: by line and how many branches it has in an instance, their counts
    for name, file in gcov(build):
        if not name.startswith("src/"):
            continue
        for line in file["lines"]:
            lines[name][line["line_number"]] += line["count"]
            counts = [branch["count"] for branch in line["branches"] if not branch["throw"]]
            if counts:
                before = branches[name].get((line["line_number"], len(counts)), [0] * len(counts))
                branches[name][line["line_number"], len(counts)] = [a + b for a, b in zip(before, counts)]
    files = {}
    for name, counts in lines.items():
        taken = [count for group in branches[name].values() for count in group]
        files[name] = {
            "lines": (sum(count > 0 for count in counts.values()), len(counts)),
            "branches": (sum(count > 0 for count in taken), len(taken)),
            "missed": sorted(line for line, count in counts.items() if count == 0),
            "half": sorted({line for (line, _), group in branches[name].items() if counts[line] > 0 and 0 in group}),
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
    compiler = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    table = ["gcc %s, %s, %s:" % (compiler, platform.machine(), datetime.date.today().isoformat()), "",
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
