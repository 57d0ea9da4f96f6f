"""What the tests of a build with gcc's counters ran of src/: prints it by folder, names the lines that were never run,
and keeps the table in docs/reliability.md.

    coverage.py BUILD PAGE

Branches are those of the sources: not the edges that a call takes when it throws."""
import datetime
import json
import os
import platform
import re
import subprocess
import sys

BEGIN, END = "<!-- coverage -->", "<!-- end of coverage -->"


def counted(build):
    """By file below src/: lines and branches, covered and all, and the lines that were never run."""
    places = [build] + [os.path.join(build, folder) for folder in os.listdir(build) if folder.endswith(".p")]
    command = ["gcovr", "--root", ".", "--object-directory", build, "--filter", "src/", "--exclude-throw-branches", "--json",
               os.path.join(build, "src"), *places[1:]]
    told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    files = {}
    for file in told["files"]:
        lines = [line for line in file["lines"] if not line.get("gcovr/noncode")]
        branches = [branch for line in lines for branch in line["branches"]]
        files[file["file"]] = {
            "lines": (sum(line["count"] > 0 for line in lines), len(lines)),
            "branches": (sum(branch["count"] > 0 for branch in branches), len(branches)),
            "missed": [line["line_number"] for line in lines if line["count"] == 0],
            "half": [line["line_number"] for line in lines if line["count"] > 0 and any(branch["count"] == 0 for branch in line["branches"])],
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
