#!/usr/bin/env python3
"""Draws docs/mx-error.svg: what products of matrices lose in block-scaled floats, MXFP8 (e4m3) and MXFP4 (e2m1), with examples/mxfp8.pto.

usage: tools/mx_error.py PTO > docs/mx-error.svg

Two pairs of matrices: the photograph examples/camera.png by the cosines that JPEG pictures are made of, each 256 points long, and
normally distributed numbers of a fixed sequence, of several lengths of sums. The error is the root mean square of what differs from the
product in doubles, as a share of the root mean square of that. To try other matrices, in an interpreter:

    import mx_error
    mx_error.error("pto", "mxfp4", a, b)
"""
import math
import os
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from error_chart import Chart

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "examples", "mxfp8.pto")
FORMATS = ("mxfp8", "mxfp4")
DEPTHS = (64, 128, 256, 512, 1024)


def product(pto, name, a, b):
    """a b as the program makes it."""
    with tempfile.TemporaryDirectory() as folder:
        for which, matrix in (("a", a), ("b", b)):
            numpy.save(os.path.join(folder, which + ".npy"), matrix.astype(numpy.float32))
        sizes = ["--int", "m=%d" % a.shape[0], "--int", "n=%d" % b.shape[1], "--int", "k=%d" % a.shape[1]]
        subprocess.run([pto, "run", PROGRAM, "--entry", name, "--in", "a=a.npy", "--in", "b=b.npy", *sizes, "--shape",
                        "c=%dx%d" % (a.shape[0], b.shape[1]), "--out", "c=c.npy"], check=True, cwd=folder)
        return numpy.load(os.path.join(folder, "c.npy"))


def error(pto, name, a, b):
    right = a.astype(numpy.float32).astype(float) @ b.astype(numpy.float32).astype(float)
    return float(math.sqrt(((product(pto, name, a, b) - right)**2).mean() / (right**2).mean()))


def numbers(rows, cols, seed):
    """Normally distributed, the same on every machine: sums of twelve parts of a linear congruence."""
    state, out = seed, []
    for _ in range(rows * cols):
        total = 0
        for _ in range(12):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            total += state >> 40
        out.append(total / 2**24 - 6)
    return numpy.array(out).reshape(rows, cols)


def photograph(pto):
    """256 x 256 points of it about their mean."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "grey.pto"), "w") as file:
            file.write("%d = tmov %a : !pto.tile<512x512xf32>\n")
        subprocess.run([pto, "run", "grey.pto", "--in", "a=" + os.path.join(ROOT, "examples", "camera.png"), "--shape", "a=512x512:f32",
                        "--out", "d=d.npy"], check=True, cwd=folder)
        grey = numpy.load(os.path.join(folder, "d.npy"))[:256, :256].astype(float)
        return grey - grey.mean()


def cosines(n):
    rows, cols = numpy.meshgrid(numpy.arange(n), numpy.arange(n), indexing="ij")
    return numpy.cos(math.pi / n * (rows + 0.5) * cols) * math.sqrt(2 / n)


def measure(pto):
    """For each format the errors by length, and the error of the photograph."""
    found = {}
    for name in FORMATS:
        by_depth = [error(pto, name, numbers(64, k, k), numbers(k, 64, k + 1)) for k in DEPTHS]
        found[name] = by_depth, error(pto, name, photograph(pto), cosines(256))
    return found


def svg(found):
    chart = Chart("tools/mx_error.py", "Products of matrices in block-scaled floats: their error",
                  "root mean square, as a share of that of the results; rings: a photograph by cosines", DEPTHS, "length of the sums", -3, 160)
    for name, colour, label in ("mxfp4", "#c0392b", "MXFP4 (e2m1)"), ("mxfp8", "#1f6fb2", "MXFP8 (e4m3)"):
        by_depth, picture = found[name]
        chart.line(label, colour, by_depth, 2)
        chart.ring(DEPTHS.index(256), colour, picture, 2)
    return chart.svg()


if __name__ == "__main__":
    print(svg(measure(os.path.abspath(sys.argv[1]))))
