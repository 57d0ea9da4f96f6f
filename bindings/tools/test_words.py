#!/usr/bin/env python3
"""No text of the library has a name of C in another language: each name has a word there that is not C's.

usage: test_words.py ROOT [FOLDER...]    FOLDERs have what is generated at build time: Java's Words.java, Python's _ops.py
"""
import pathlib
import re
import sys

root, folders = pathlib.Path(sys.argv[1]), [pathlib.Path(folder) for folder in sys.argv[2:]]
TABLES = {  # how each language lists its words
    "words.go": r'"(\w+)":\s+"([^"]*)"',
    "words.rs": r'\("(\w+)", "([^"]*)"\)',
    "Words.java": r'OF\.put\("(\w+)", "([^"]*)"\)',
    "_ops.py": r'(?m)^    "(\w+)": "([^"]*)",$',
}


def literals():
    """The literals of the sources whose messages users see: rules, checks and calls."""
    for path in [*(root / "src/records/rules").glob("*.inc"), *(root / "src/objects").glob("*.cc"), *(root / "src/checks").glob("*.cc"), *(root / "src/engine").glob("*.cc"), *(root / "src/api").glob("*.*")]:
        if path.name in ("api_ops.cc", "libpto.map"):
            continue
        for line in path.read_text().splitlines():
            if not re.match(r"\s*(#|//)", line) and "getenv" not in line:
                yield from re.findall(r'"((?:[^"\\]|\\.)*)"', line)


# Variables of the environment have one name in every language.
variables = {name for path in (root / "src").rglob("*.cc") for name in re.findall(r'getenv\("(\w+)"\)', path.read_text())}
names = {"NULL"} | {name for text in literals() for name in re.findall(r"\b(?:pto|PTO)_\w+", text)} - variables
assert {"pto_tile_set_valid", "PTO_PROFILE_CPU", "pto_tile_create"} <= names, "the messages are not found"
failed = 0
for path in [root / "bindings/go/words.go", root / "bindings/rust/pto/src/words.rs", *(p for folder in folders for name in TABLES for p in folder.rglob(name))]:
    words = dict(re.findall(TABLES[path.name], path.read_text()))
    lacking = ["%s: %s" % (name, words.get(name, "no word")) for name in sorted(names)
               if name not in words or re.search(r"\bpto_|\bPTO_|^NULL$|\bsys::|\braw\.", words[name])]
    print("%s: %s" % (path.name, "ok" if not lacking else "FAILED\n  " + "\n  ".join(lacking)))
    failed += bool(lacking)
sys.exit(failed != 0)
