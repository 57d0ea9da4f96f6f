"""Adds the executions of fuzz targets to the table of docs/reliability.md.

    reliability.py EXECUTIONS PAGE

EXECUTIONS has a line "target count" a run (tests/fuzz/run.sh writes it) and is empty afterwards."""
import os
import re
import sys


def main(executions, page):
    if not os.path.exists(executions):
        return
    with open(executions) as file:
        runs = [line.split() for line in file if line.strip()]
    with open(page) as file:
        text = file.read()
    for target, count in runs:
        row = re.compile(r"(\| `%s` \|[^|]*\| )([\d ]+)( \|)" % re.escape(target))
        if not row.search(text):
            sys.exit("%s has no row for %s" % (page, target))
        text = row.sub(lambda m: m[1] + "{:,}".format(int(m[2].replace(" ", "")) + int(count)).replace(",", " ") + m[3], text)
    with open(page, "w") as file:
        file.write(text)
    open(executions, "w").close()


if __name__ == "__main__":
    main(*sys.argv[1:])
