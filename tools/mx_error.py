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

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "examples", "mxfp8.pto")
FORMATS = ("mxfp8", "mxfp4")
DEPTHS = (64, 128, 256, 512, 1024)
LEFT, TOP, WIDTH, HEIGHT = 70, 60, 520, 260
LOWEST, HIGHEST = -3, 0  # powers of ten


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
    """For each format the errors by length, and that of the photograph."""
    found = {}
    for name in FORMATS:
        by_depth = [error(pto, name, numbers(64, k, k), numbers(k, 64, k + 1)) for k in DEPTHS]
        found[name] = by_depth, error(pto, name, photograph(pto), cosines(256))
    return found


def place(at, value):
    return LEFT + WIDTH * at / (len(DEPTHS) - 1), TOP + HEIGHT * (HIGHEST - math.log10(value)) / (HIGHEST - LOWEST)


def svg(found):
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">'
        % (LEFT + WIDTH + 160, TOP + HEIGHT + 60),
        "<!-- Printed by tools/mx_error.py; change that. -->",
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="%d" y="24" font-size="15">Products of matrices in block-scaled floats: their error</text>' % LEFT,
        '<text x="%d" y="43" fill="#555">root mean square, as a share of that of the results; rings: a photograph by cosines</text>' % LEFT,
    ]
    for power in range(LOWEST, HIGHEST + 1):
        y = place(0, 10.0**power)[1]
        lines.append('<path d="M%d %.1fh%d" stroke="#ddd"/>' % (LEFT, y, WIDTH))
        lines.append('<text x="%d" y="%.1f" text-anchor="end">1e%d</text>' % (LEFT - 8, y + 4, power))
    for at, k in enumerate(DEPTHS):
        lines.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (place(at, 1)[0], TOP + HEIGHT + 22, k))
    lines.append('<text x="%d" y="%d" text-anchor="middle">length of the sums</text>' % (LEFT + WIDTH // 2, TOP + HEIGHT + 44))
    for name, colour, label in (("mxfp4", "#c0392b", "MXFP4 (e2m1)"), ("mxfp8", "#1f6fb2", "MXFP8 (e4m3)")):
        by_depth, picture = found[name]
        points = [place(at, value) for at, value in enumerate(by_depth)]
        lines.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>'
                     % (colour, " ".join("%.0f,%.0f" % point for point in points)))
        for (x, y), value in zip(points, by_depth):
            lines.append('<circle cx="%.0f" cy="%.0f" r="3" fill="%s"/>' % (x, y, colour))
            lines.append('<text x="%.0f" y="%.0f" fill="%s" text-anchor="middle" font-size="11">%.2g</text>' % (x, y - 8, colour, value))
        x, y = place(DEPTHS.index(256), picture)
        lines.append('<circle cx="%.0f" cy="%.0f" r="5" fill="none" stroke="%s" stroke-width="2"/>' % (x, y, colour))
        lines.append('<text x="%.0f" y="%.0f" fill="%s" font-size="11">%.2g</text>' % (x + 9, y + 14, colour, picture))
        lines.append('<text x="%.0f" y="%.0f" fill="%s">%s</text>' % (points[-1][0] + 10, points[-1][1] + 4, colour, label))
    lines.append("</svg>")
    return "\n".join(lines)


if __name__ == "__main__":
    print(svg(measure(os.path.abspath(sys.argv[1]))))
