#!/usr/bin/env python3
"""The examples of the instruction pages run, in all four languages, and give the numbers on their pages.

usage: test_op_examples.py ROOT BUILD

- Python: tools/op_examples/write.py --check runs each one, compares with NumPy, and with the page: numbers, drawing, special
  values. So a number on a page that is changed by hand is noticed there.
- PTO-AS: each block runs in this process and gives the same bits.
- C and C++: the blocks are one translation unit each. What they print is compared, to the digits that they print.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path[:0] = [str(root / "tools/op_examples"), str(build / "bindings/python")]
import libpto
import languages
import special
import write
from records import Tensor

failures = []


def blocks(page):
    text = page.read_text()
    part = text[text.index(write.BEGIN):text.index(write.END)]
    return dict(re.findall(r"```(\w+)\n(.*?)```", part, re.S))


def same(name, language, got, want):
    got, want = np.asarray(got, np.float64).reshape(-1), np.asarray(want, np.float64).reshape(-1)
    near = 0 if language == "PTO-AS" else 5.1e-5 + 5e-6 * np.abs(want)
    with np.errstate(invalid="ignore"):
        alike = got.size == want.size and ((got == want) | (np.abs(got - want) <= near) | (np.isnan(got) & np.isnan(want))).all()
    if not alike:
        failures.append("%s: %s computes\n%s\nwhere the page has\n%s" % (name, language, got, want))


def pto_as(example, text, results, given):
    """The block with its arguments bound to the tiles of the Python example, before that one wrote them."""
    with libpto.Context() as ctx:
        space = {}
        python = re.sub(r"(?s)\nctx\.%s\(.*" % example.name, "\n", example.python())
        exec(python.replace("libpto.Context(libpto.Profile.CPU)", "ctx"), space | {"ctx": ctx}, space)
        program = libpto.Program(ctx, text)
        for argument in program.arguments():
            program.bind(ctx, argument.name, space[argument.name])
        program.run(ctx)
        for name in example.outputs:
            same("%s.%s" % (example.name, name), "PTO-AS", languages.decoded(space[name].read(ctx), example.operands[name].dtype), results[name])


def unit(language, found):
    """One program of all blocks: includes first, the main functions renamed."""
    includes, bodies, calls = {}, [], []
    for example, text in found:
        lines = []
        for line in text.splitlines():
            if line.startswith("#include"):
                includes[line] = None
            elif line != "using namespace pto;":
                lines.append(line)
        bodies.append(re.sub(r"\bint main\(", "static int main_%s(" % example.name, "\n".join(lines)).rstrip()[:-1] + "return 0;\n}")
        calls.append('puts("== %s"); main_%s(); fflush(stdout);' % (example.name, example.name) + (" ClearOutput();" if language == "cpp" else ""))
    space = "using namespace pto;\n" if language == "cpp" else ""
    return "\n".join([*includes, space, *bodies, "int main(void) {", *calls, "}"]) + "\n"


def compiled(language, compiler, found, results, work):
    source = work / ("examples." + language)
    source.write_text(unit(language, found))
    flags = ["-O0", "-Wall", "-Werror", "-fmax-errors=500", "-I%s" % (root / "include"), "-L%s" % build, "-lpto", "-lm"]
    done = subprocess.run([*compiler, str(source), "-o", str(work / language), *flags], capture_output=True, text=True)
    if done.returncode != 0:
        failures.append("%s: %s" % (language, done.stderr[:300000]))
        return
    done = subprocess.run([str(work / language)], capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": str(build)})
    printed = dict(re.findall(r"== (\w+)\n(.*?)(?=== |\Z)", done.stdout, re.S))
    if done.returncode != 0:
        failures.append("%s: exit status %d after %s\n%s" % (language, done.returncode, list(printed)[-1:], done.stderr[-2000:]))
    for example, _ in found:
        numbers = re.sub(r"(?m)^TPRINT.*$", "", printed.get(example.name, ""))
        try:
            got = [float(word) for word in numbers.split()]
        except ValueError:
            failures.append("%s: %s prints\n%s" % (example.name, language, numbers))
            continue
        same(example.name, language, got, np.concatenate([np.asarray(v, np.float64).reshape(-1) for v in results[example.name].values()]))


def main():
    stale = write.check(root)
    failures.extend(stale)
    found, results = [], {}
    for page, example, _ in write.examples(root):
        try:
            found.append((example, blocks(page)))
            results[example.name], _ = special.run(example)
            pto_as(example, found[-1][1]["pto"], results[example.name], None)
        except Exception as error:
            failures.append("%s: %s: %s" % (example.name, type(error).__name__, error))
    assert len(found) > 160
    with tempfile.TemporaryDirectory() as work:
        for language, compiler in (("c", ["cc", "-std=gnu11"]), ("cpp", ["c++", "-std=c++17"])):
            compiled(language, compiler, [(example, text[language]) for example, text in found], results, pathlib.Path(work))
    if failures:
        print("\n\n".join(failures))
        sys.exit("%d failures" % len(failures))
    print("%d examples in C, C++, PTO-AS and Python" % len(found))


main()
