"""What the tests of a build with gcc's counters ran of src/: prints it by folder, names the lines that were never run,
and keeps the table in docs/reliability.md.

    coverage.py BUILD PAGE

Branches are those of the sources. So three things that gcc counts are none here. The edge that a call takes when it throws:
gcc marks it, and tests/memory lets memory fail everywhere. What gcc adds where the sources decide nothing, taken or not: calls that
return, destructors at a brace, the null check of delete, a constant compared. And a branch once more for each type, file, SIMD
target or call that a template, a header or a function that is always inlined is compiled for: as with lines, what one of these
takes is taken."""
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


ALWAYS_INLINED = re.compile(r"\bHWY_INLINE\b|\balways_inline\b")
# Where the sources decide: on the line itself, or on one that goes on there.
DECIDES = re.compile(r"\b(if|for|while|do|switch|case|default|all_of|any_of|HWY_MIN|HWY_MAX)\b|&&|[|][|]|[?]|^\s*:")
GOES_ON = re.compile(r"(&&|[|][|]|[?:(,])\s*$")
CONDITION = re.compile(r"\b(if|for|while|HWY_MIN|HWY_MAX)\b|&&|[|][|]|[?]")


def blind(line):
    """The line without texts and comments."""
    return re.sub(r"//.*", "", re.sub(r'"(\\.|[^"\\])*"', "", line))


def folded(text, inlines, lists):
    """The branches of one line, from those of each file that it is compiled into: by which of them a throw takes, their counts.

    Where functions are always inlined, their copies follow one another, so a list that repeats itself is that many copies.
    One has two branches or more for each condition that is written there."""
    least = max(2, 2 * (len(CONDITION.findall(text)) - len(re.findall(r"\bif\b.*(&&|[|][|])", text))))
    sums = {}
    for flags, counts in lists.items():
        repeats = (n for n in range(least, len(flags)) if inlines and len(flags) % n == 0 and flags == flags[:n] * (len(flags) // n))
        size = next(repeats, len(flags))
        of = sums.setdefault(flags[:size], [0] * size)
        for i, count in enumerate(counts):
            of[i % size] += count
    return [count for flags, counts in sums.items() for throws, count in zip(flags, counts) if not throws]


def counted(build):
    """By file below src/: lines and branches, covered and all, and the lines that were never run or only in part."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    branches = collections.defaultdict(lambda: collections.defaultdict(dict))
    for name, file in gcov(build):
        if not name.startswith("src/"):
            continue
        for line in file["lines"]:
            number = line["line_number"]
            lines[name][number] += line["count"]
            flags = tuple(branch["throw"] for branch in line["branches"])
            if flags:
                before = branches[name][number].get(flags, [0] * len(flags))
                branches[name][number][flags] = [a + branch["count"] for a, branch in zip(before, line["branches"])]
    files = {}
    for name, counts in lines.items():
        with open(name) as source:
            text = source.read()
        inlines = ALWAYS_INLINED.search(text) is not None
        text = [""] + [blind(line) for line in text.split("\n")]
        taken = {number: folded(text[number], inlines, lists) for number, lists in branches[name].items()
                 if DECIDES.search(text[number]) or GOES_ON.search(text[number - 1])}
        files[name] = {
            "lines": (sum(count > 0 for count in counts.values()), len(counts)),
            "branches": (sum(count > 0 for group in taken.values() for count in group), sum(map(len, taken.values()))),
            "missed": sorted(number for number, count in counts.items() if count == 0),
            "half": sorted(number for number, group in taken.items() if counts[number] > 0 and 0 in group),
            "open": {number: (group.count(0), len(group)) for number, group in taken.items() if 0 in group},
        }
    return files


def percent(pair):
    return "%.1f %%" % (100 * pair[0] / pair[1]) if pair[1] else "-"


def main(build, page):
    files = counted(os.path.relpath(build))
    if not files:
        sys.exit("no test was run")
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
