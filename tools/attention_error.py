#!/usr/bin/env python3
"""Draws docs/attention_error.svg: how far examples/attention.pto is from the softmax of real numbers, beside attention with
each number rounded to f16.

usage: tools/attention_error.py PTO > docs/attention_error.svg

q, k and v are f16 of a fixed sequence, normally distributed; errors are of 16 rows of the result, as a share of its root mean
square. What is compared with: doubles. The plain way keeps everything in f16: each product and each sum of the scores, the
exponentials, their sum, the weighted sums and the quotients.
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
SIZES = (128, 256, 512, 1024, 2048, 4096)
DEPTH = 64
ROWS = 16


def numbers(count, seed):
    """f16, normally distributed, the same on every machine: sums of twelve parts of a linear congruence."""
    state, out = seed, []
    for _ in range(count):
        total = 0
        for _ in range(12):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            total += state >> 40
        out.append(total / 2**24 - 6)
    return numpy.array(out).astype(numpy.float16).reshape(-1, DEPTH)


def exact(q, k, v):
    scores = q.astype(float) @ k.astype(float).T / 8
    weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return weights @ v.astype(float) / weights.sum(axis=1, keepdims=True)


def plain(q, k, v):
    """In f16 from end to end, in the order of the indices."""
    half = numpy.float16
    scores = numpy.zeros((len(q), len(k)), half)
    for at in range(DEPTH):
        scores = (scores + (q[:, at:at + 1] * k[:, at]).astype(half)).astype(half)
    scores = (scores * half(0.125)).astype(half)
    shifted = (scores - scores.max(axis=1, keepdims=True)).astype(half)
    weights = numpy.vectorize(math.exp)(shifted.astype(float)).astype(half)
    total = numpy.zeros((len(q), 1), half)
    out = numpy.zeros((len(q), DEPTH), half)
    for at in range(len(k)):
        total = (total + weights[:, at:at + 1]).astype(half)
        out = (out + (weights[:, at:at + 1] * v[at]).astype(half)).astype(half)
    return (out / total).astype(half)


def ours(pto, folder, n, q, k, v):
    paths = {name: os.path.join(folder, name + ".npy") for name in ("q", "k", "v", "out")}
    for name, matrix in (("q", q), ("k", k), ("v", v)):
        numpy.save(paths[name], matrix)
    command = [pto, "run", os.path.join(ROOT, "examples", "attention.pto"), "--int", "n=%d" % n, "--shape", "out=%dx%d" % (n, DEPTH),
               "--out", "out=" + paths["out"]]
    for name in ("q", "k", "v"):
        command += ["--in", "%s=%s" % (name, paths[name])]
    subprocess.run(command, check=True)
    return numpy.load(paths["out"])


def measure(pto):
    """For each size the largest errors: of ours, and of the plain way."""
    errors = []
    with tempfile.TemporaryDirectory() as folder:
        for n in SIZES:
            q, k, v = (numbers(n * DEPTH, 1000 * n + which) for which in range(3))
            rows = slice(0, n, n // ROWS)
            right = exact(q[rows], k, v)
            scale = math.sqrt((right**2).mean())
            results = ours(pto, folder, n, q, k, v)[rows], plain(q[rows], k, v)
            errors.append([float(abs(result.astype(float) - right).max() / scale) for result in results])
    return errors


def svg(errors):
    chart = Chart("tools/attention_error.py", "Attention of n x 64 in f16: the largest error of a result",
                  "as a share of the root mean square of the results", SIZES, "n", -5, 130)
    for which, colour, name in (1, "#c0392b", "all in f16"), (0, "#1f6fb2", "attention.pto"):
        chart.line(name, colour, [pair[which] for pair in errors], 1)
    return chart.svg()


if __name__ == "__main__":
    print(svg(measure(sys.argv[1])))
