#!/usr/bin/env python3
"""The pages of the vector level: each example prints what it shows, and each table of special values holds.

usage: test_vector_pages.py ROOT PTO

The pages and their programs are in docs/vector/ and examples/vector/; `fresh` compares them with the rows.
"""
import math
import pathlib
import re
import struct
import subprocess
import sys

REGISTER, MASK = "!pto.vreg<64xf32>", "!pto.mask<b32>"


def bits(text):
    value = float(text)
    # Any NaN: the catalogue does not settle its bits.
    return "nan" if math.isnan(value) else struct.unpack("<i", struct.pack("<f", value))[0]


def run(pto, program, *options):
    done = subprocess.run([pto, "run", *options, "-"] if program else [pto, "run", *options], input=program, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + program
    return done.stdout.split()


def special(page):
    """For each operation with a table: its name, and rows of cells."""
    for name, text in re.findall(r"(?m)^## (\w+)\n((?:(?!^## ).*\n?)*)", page):
        table = re.search(r"\| a \|(?: [bs] \|)? result \|\n\|[-|]+\n((?:\|.*\n)+)", text)
        if table:
            yield name, re.search(r"= pto\.%s (.*?) : " % name, text)[1], [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]


def program_of(name, operands, rows):
    """Each row is a round: scalars, registers that hold them, the operation, and its first lane as an integer."""
    lines = ["func.func @main() {", "%c0 = arith.constant 0 : index", "%at = arith.constant 0 : i64",
             "%p = pto.castptr %at : i64 -> !pto.ptr<f32, ub>", "%q = pto.castptr %at : i64 -> !pto.ptr<i32, ub>"]
    for number, row in enumerate(rows):
        names, types = [], []
        lines.append("pto.vecscope {\n%%all%d = pto.pset_b32 \"PAT_ALL\" : %s" % (number, MASK))
        for i, cell in enumerate(row[:-1]):
            encoded = "0x%08X" % struct.unpack("<I", struct.pack("<f", float(cell)))[0]
            lines.append("%%s%d_%d = arith.constant %s : f32" % (number, i, encoded))
            lines.append("%%v%d_%d = pto.vbr %%s%d_%d : f32 -> %s" % (number, i, number, i, REGISTER))
        for operand in re.findall(r'%\w+|"\w+"', operands):
            if operand[0] == '"':
                names.append(operand)
            elif operand == "%mask":
                names.append("%%all%d" % number)
                types.append(MASK)
            else:
                scalar = operand == "%s"
                names.append("%%%s%d_%d" % ("s" if scalar else "v", number, len(types)))
                types.append("f32" if scalar else REGISTER)
        lines.append("%%r%d = pto.%s %s : %s -> %s" % (number, name, ", ".join(names), ", ".join(types), REGISTER))
        lines.append("pto.vsts %%r%d, %%p[%%c0], %%all%d : %s, !pto.ptr<f32, ub>, %s\n}" % (number, number, REGISTER, MASK))
        lines.append("%%x%d = pto.load_scalar %%q[%%c0] : !pto.ptr<i32, ub> -> i32\npto.print ins(\"%%d\", %%x%d : i32)" % (number, number))
    return "\n".join([*lines, "return", "}", ""])


def main():
    root, pto = pathlib.Path(sys.argv[1]), sys.argv[2]
    pages = {path.stem: path.read_text() for path in sorted((root / "docs/vector").glob("*.md"))}
    examples = sorted((root / "examples/vector").glob("*.pto"))
    assert {path.stem for path in examples} == set(pages) - {"README", "spellings"}, "pages without an example, or examples without a page"
    for path in examples:
        text = path.read_text()
        assert "\n// Prints:\n" in text, path
        command = re.search(r"(?m)^// pto run (.*)$", text)
        arguments = (command[1] if command else "examples/vector/" + path.name).split()
        arguments[0] = str(root / arguments[0])
        want = re.sub(r"(?m)^// ", "", text[text.index("// Prints:\n") + len("// Prints:\n"):]).split()
        assert run(pto, None, *arguments) == want, "%s prints %s" % (path.name, run(pto, None, *arguments))
    listed = set(re.findall(r"\[`(\w+)`\]\(\w+\.md#\1\)", pages["README"]))
    headed = {name for page in pages.values() for name in re.findall(r"(?m)^## (\w+)$", page)} - {"Example", "Names", "Words"}
    assert listed == headed and len(listed) > 150, listed ^ headed
    tables = 0
    for page in pages.values():
        for name, operands, rows in special(page):
            got = run(pto, program_of(name, operands, rows))
            for row, found in zip(rows, got):
                value = struct.unpack("<f", struct.pack("<i", int(found)))[0]
                good = math.isnan(value) if row[-1] == "nan" else int(found) == bits(row[-1])
                assert good, "%s of %s is %s, not %s" % (name, row[:-1], value, row[-1])
            tables += len(rows) == len(got)
    stated = (root / "src/ptoas/vector/contract.h").read_text().count(".special = ")
    assert tables == stated > 20, (tables, stated)
    print("%d examples, %d tables of special values" % (len(examples), tables))


main()
