#!/usr/bin/env python3
"""Writes the examples of the instruction pages: numbers, drawing, C, C++, PTO-AS, Python, special values.

usage: write.py ROOT BUILD [--check] [NAME...]

records.py has the operands, languages.py has the four languages. The library in BUILD runs the Python example; its results are the
numbers of the page, if NumPy computes the same (expect.py). --check compares with the pages and writes nothing.
"""
import contextlib
import io
import json
import pathlib
import re
import sys

import numpy as np

import drawing
import expect
import special
from records import RECORDS, Tensor, Tile
from languages import Example

BEGIN, END = "<!-- Written by tools/op_examples/write.py from records.py there; pto-gen keeps it. -->", "<!-- End of the example. -->"


ROUNDING = """| mode | rounds |
|---|---|
| `NONE` | by the default of the pair of types: as `TRUNC` from floats to integers, as `ROUND` to hif8, otherwise as `RINT` |
| `RINT` | to nearest, ties to even |
| `ROUND` | to nearest, ties away from zero |
| `FLOOR` | towards minus infinity |
| `CEIL` | towards plus infinity |
| `TRUNC` | towards zero |
| `ODD` | towards zero; then an inexact result gets an odd last bit |

In C the names begin with `PTO_ROUND_`, in C++ with `RoundMode::CAST_`. `NONE` does not mean that nothing is rounded.

"""


def examples(root):
    """The examples, with what the header and the pages know of their instructions."""
    header = (root / "include/pto_c_ops.h").read_text()
    usual = dict(reversed(pair) for pair in re.findall(r'"pto:usual", "(\w+)"\) (\w+);', (root / "bindings/modes.i").read_text()))
    pages = {path.stem: path for path in (root / "docs/ops").glob("*/*.md")}
    info = {op["name"]: op for op in json.loads((root / "docs/ops/ops.json").read_text())}
    assert set(info) == set(RECORDS), "instructions without a record, or records without an instruction: %s" % (set(info) ^ set(RECORDS))
    for name, record in sorted(RECORDS.items()):
        parameters = re.search(r"PTO_API pto_status pto_%s\(pto_context \*ctx, ([^)]*)\)" % name, header)[1].split(", ")
        prototype = [re.fullmatch(r"(.*?)(\w+)", parameter).groups() for parameter in parameters]
        prototype = [(kind if kind.endswith("*") else kind.strip(), operand) for kind, operand in prototype]
        page = pages[name].read_text()
        mnemonic, sources = re.search(r"(?m)^pto\.(\w+) (?:ins\((.*?) ?(?:\{[^}]*\} )?:|ins\(|outs\()", page[page.index("## Assembly"):]).groups()
        modes = {operand["name"]: operand["values"] for operand in info[name]["operands"] if "values" in operand}
        keys = {}
        for key, values in re.findall(r"(?m)^Attribute `(\w+)`.*?: (`.*?)\. Other", page):
            values = re.findall(r"`(\w+)`", values)
            kind = re.search(r"\b%s = #pto<(\w+) " % key, page)
            for mode, known in modes.items():
                if values == known or (values == ["false", "true"] and len(known) == 2):
                    form = "#pto<%s %%s>" % kind[1] if kind else "%s"
                    keys[mode] = (key, {name: form % value for name, value in zip(known, values)})
        yield pages[name], Example(name, record, prototype, usual, (mnemonic, re.findall(r"%(\w+)", sources or "")), keys), info[name]


def verdicts(example, info):
    """Which profiles accept the example, and by which rules the others refuse it."""
    accepted, refused = [], []
    for profile in (p for p in ("CPU", "A2A3", "A5") if info["dtypes"][p]):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(re.sub(r"(?m)^(print|ctx.tprint)\(.*", "", example.python()).replace("Profile.CPU", "Profile." + profile), {})
            accepted.append(profile)
        except Exception as error:
            if profile == "CPU" or not getattr(error, "rule", None):
                raise
            refused.append("%s refuses it by [`%s`](../../troubleshooting.md#%s)." % (profile, error.rule, error.rule))
    return " ".join(["Legal under %s." % " and ".join(filter(None, [", ".join(accepted[:-1]), accepted[-1]]))] + refused)


def section(example, info):
    results, _ = special.run(example)
    expect.compare(example, results)
    numbers = {n: v for n, v in example.operands.items() if not isinstance(v, Tile)}
    told = ["`%s` = %s" % (n, "0x%X" % v if isinstance(v, int) and v >= 2 ** 31 else v) for n, v in numbers.items()]
    given = "With %s:\n\n" % ", ".join(told) if told else ""
    note = " ".join(filter(None, ["Elements in brackets move." if example.record["moved"] else "", example.record["note"]]))
    parts = ["## Example\n", given + "```\n" + drawing.draw(example, results) + "```\n", " ".join(filter(None, [note, verdicts(example, info)])) + "\n"]
    names = ["`%%%s`" % (n + "_values" if example.record["text"] else n) for n in example.inputs()]
    bound = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    bound = ", with %s bound to the numbers above" % bound if bound else ""
    for title, language, text in (("C", "c", example.c()), ("C++", "cpp", example.cpp()), ("PTO-AS" + bound, "pto", example.text()),
                                  ("Python", "python", example.python())):
        parts.append("%s:\n\n```%s\n%s```\n" % (title, language, text))
    if example.name == "tcvt":
        parts.append("## Rounding modes\n\n" + ROUNDING + special.rounding(example))
    table = special.table(example)
    if table:
        parts.append("## Special values\n\n" + table)
    return BEGIN + "\n\n" + "\n".join(parts) + "\n" + END + "\n\n"


def placed(page, text):
    """The page with the example before its element types."""
    page = re.sub(re.escape(BEGIN) + r".*?" + re.escape(END) + r"\n\n", "", page, flags=re.S)
    return page.replace("## Element types\n", text + "## Element types\n", 1)


def check(root, only=(), write=False):
    """What is wrong with the pages; with `write` they are written first."""
    failures = []
    for path, example, info in examples(root):
        if only and example.name not in only:
            continue
        old = path.read_text()
        try:
            new = placed(old, section(example, info))
        except Exception as error:
            if "--trace" in sys.argv:
                raise
            failures.append("%s: %s: %s" % (example.name, type(error).__name__, error))
            continue
        if old == new:
            continue
        if write:
            path.write_text(new)
            print("wrote", path.relative_to(root))
        else:
            failures.append("stale: the example of %s (run ./dev gen)" % path.relative_to(root))
    return failures


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    root, build = pathlib.Path(arguments[0]), pathlib.Path(arguments[1])
    sys.path.insert(0, str((build / "bindings/python").resolve()))
    failures = check(root, arguments[2:], "--check" not in sys.argv)
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
