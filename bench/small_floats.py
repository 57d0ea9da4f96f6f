#!/usr/bin/env python3
"""Times libpto's small floats from Python: conversions against ml_dtypes on numpy's arrays, quantisation with block scales against
numpy, and products of matrices with block scales against libpto's of f32.

usage: PYTHONPATH=build/bindings/python python3 bench/small_floats.py [ROUNDS]        (numpy and ml_dtypes; PTO_TARGET=AVX2)

One thread, contestants in turn, medians; the results of both are compared first. hif8 and e1m2 are in no library of Python: they
are compared with e4m3 and e2m1 of ml_dtypes.
"""
import statistics
import sys
import time

import libpto
import ml_dtypes
import numpy as np
from libpto import DType, Round, Sat, Tile

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
SIZES = (64, 1024)
# Type, what rounds to it, ml_dtypes' type, and whether that has the same numbers.
TYPES = (("e4m3", Round.RINT, "float8_e4m3fn", True), ("e5m2", Round.RINT, "float8_e5m2", True),
         ("hif8", Round.ROUND, "float8_e4m3fn", False), ("e2m1", Round.RINT, "float4_e2m1fn", True),
         ("e1m2", Round.RINT, "float4_e2m1fn", False))


def medians(*calls):
    """Nanoseconds that each takes, in rounds of some milliseconds in turn."""
    repeats = []
    for call in calls:
        call()
        start = time.thread_time_ns()
        call()
        repeats.append(max(1, 3_000_000 // max(time.thread_time_ns() - start, 1)))
    taken = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, times, mine in zip(calls, repeats, taken):
            start = time.thread_time_ns()
            for _ in range(times):
                call()
            mine.append((time.thread_time_ns() - start) / times)
    return [statistics.median(mine) for mine in taken]


def say(what, n, elements, ours, theirs, name):
    print("%-16s %4dx%-4d  libpto %7.3f ns  %s %7.3f ns  %6.2f times" %
          (what, n, n, ours / elements, name, theirs / elements, theirs / ours), flush=True)


def conversions(ctx, n):
    # In the range of all of them, where nothing saturates, which ml_dtypes does not do.
    numbers = np.random.default_rng(1).uniform(-1.5, 1.5, (n, n)).astype(np.float32)
    wide = Tile.copy(ctx, numbers)
    back = Tile(ctx, DType.F32, n, n)
    for name, mode, theirs, same in TYPES:
        small = Tile(ctx, DType[name.upper()], n, n)
        held = np.empty((n, n), getattr(ml_dtypes, theirs))
        widened = np.empty((n, n), np.float32)
        encode = lambda: ctx.tcvt(small, wide, mode, Sat.ON)
        decode = lambda: ctx.tcvt(back, small, Round.RINT, Sat.OFF)
        their_encode = lambda: np.copyto(held, numbers, casting="unsafe")
        their_decode = lambda: np.copyto(widened, held, casting="unsafe")
        for call in (encode, decode, their_encode, their_decode):
            call()
        if same and not (back.read(ctx) == widened).all():
            sys.exit("f32>%s: other results than ml_dtypes" % name)
        say("f32>" + name, n, n * n, *medians(encode, their_encode), "ml_dtypes " + theirs)
        say(name + ">f32", n, n * n, *medians(decode, their_decode), "ml_dtypes " + theirs)


def quantisation(ctx, n):
    numbers = np.random.default_rng(2).standard_normal((n, n)).astype(np.float32)
    src = Tile.copy(ctx, numbers)
    groups = n // 32
    for name, theirs, largest, top in (("e4m3", ml_dtypes.float8_e4m3fn, 448, 8), ("e2m1", ml_dtypes.float4_e2m1fn, 6, 2)):
        dst, exp = Tile(ctx, DType[name.upper()], n, n), Tile(ctx, DType.E8M0, n, groups)
        most, scaling = Tile(ctx, DType.F32, n, groups), Tile(ctx, DType.F32, n, groups)
        ours = lambda: ctx.tquant_mx(dst, exp, most, scaling, src, libpto.ScaleAlg.OCP)

        def numpys():
            lines = numbers.reshape(n, groups, 32)
            exponents = np.maximum((np.abs(lines).max(axis=2).view(np.uint32) >> 23).astype(np.int32) - top, 0)
            multipliers = ((254 - exponents) << 23).view(np.float32)
            scaled = lines * multipliers[:, :, None]
            return np.clip(scaled, -largest, largest, out=scaled).astype(theirs), exponents

        ours()
        elements, exponents = numpys()
        if not (dst.read(ctx).astype(np.float32) == elements.reshape(n, n).astype(np.float32)).all():
            sys.exit("tquant_mx %s: other results than numpy" % name)
        say("tquant_mx " + name, n, n * n, *medians(ours, numpys), "numpy")


def products(ctx, n):
    random = np.random.default_rng(3)
    a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
    out, left, right = Tile(ctx, DType.F32, n, n), Tile.copy(ctx, a), Tile.copy(ctx, b)
    plain = lambda: ctx.tmatmul(out, left, right, libpto.Mad.NONE)
    ones = np.full((n, n // 32), 127, np.uint8)
    for name in ("e4m3", "e5m2", "e2m1", "e1m2"):
        small = [Tile(ctx, DType[name.upper()], n, n) for _ in range(2)]
        for to, of in zip(small, (left, right)):
            ctx.tcvt(to, of, Round.RINT, Sat.ON)
        scales = [Tile.copy(ctx, np.ascontiguousarray(one), DType.E8M0) for one in (ones, ones.T)]
        ours = lambda: ctx.tmatmul_mx(out, small[0], scales[0], small[1], scales[1])
        say("tmatmul_mx " + name, n, n**3, *medians(ours, plain), "tmatmul f32")


with libpto.Context() as context:
    print("%s, %d rounds, an element (of products: a multiplication); how many times as fast" % (context.target, ROUNDS))
    for size in SIZES:
        conversions(context, size)
        quantisation(context, size)
    products(context, 128)
