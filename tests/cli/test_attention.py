"""The kernels of the matrix unit, examples/gemm.pto and examples/attention.pto, on real sizes."""
import math
import operator
import os
import random
import struct
import unittest

from harness import ROOT, CommandTest

import npy

GEMM = os.path.join(ROOT, "examples", "gemm.pto")
ATTENTION = os.path.join(ROOT, "examples", "attention.pto")
SPLIT = os.path.join(ROOT, "examples", "split_attention.pto")
DEPTH = 64
KEYS = 128


# Long lists are compared by assertTrue: unittest would look for the smallest difference of two, for minutes.
def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def f16(values):
    code = "<%de" % len(values)
    return list(struct.unpack(code, struct.pack(code, *values)))


def dot(left, right):
    return sum(map(operator.mul, left, right))


class Gemm(CommandTest):
    def product(self, name, rows, cols, inner, *more):
        self.pto("run", GEMM, "--werror", "--in", "a=a.npy", "--in", "b=b.npy", "--int", "m=%d" % rows, "--int", "n=%d" % cols,
                 "--int", "k=%d" % inner, "--shape", "c=%dx%d" % (rows, cols), "--out", "c=" + name, *more)
        return npy.load(self.path(name))

    def test_the_bits_are_those_of_the_chain(self):
        """Numbers are multiples of 2**-11 up to 1. So are products and sums of 2**-22, which stay below 2**10: doubles hold
        a sum before it is rounded to f32, exactly, and rounding that once is a fused multiply-add."""
        numbers = random.Random(1)
        for rows, cols, inner in ((512, 512, 512), (128, 256, 384)):
            a = [numbers.randint(-2048, 2048) / 2048 for _ in range(rows * inner)]
            b = [numbers.randint(-2048, 2048) / 2048 for _ in range(inner * cols)]
            npy.save(self.path("a.npy"), "f16", (rows, inner), a)
            npy.save(self.path("b.npy"), "f16", (inner, cols), b)
            dtype, shape, c = self.product("c.npy", rows, cols, inner, "--blocks", "4")
            self.assertEqual((dtype, shape), ("f32", (rows, cols)))
            rounded = 0
            # 331 is prime to the sides: of the larger product, elements of every row and of every column.
            for at in range(0, rows * cols, 331):
                row, col = divmod(at, cols)
                total = 0.0
                for left, right in zip(a[row * inner:(row + 1) * inner], b[col::cols]):
                    exact = total + left * right
                    total = f32(exact)
                    rounded += total != exact
                self.assertEqual(c[at], total, (row, col))
            self.assertGreater(rounded, rows)
            for blocks, profile in (("1", "a5"), ("3", "a5"), ("3", "a2a3"), ("9", "cpu")):
                more = ("--blocks", blocks, "--profile", profile)
                self.assertTrue(self.product("d.npy", rows, cols, inner, *more)[2] == c, more)

    def test_other_sizes_are_answered(self):
        npy.save(self.path("a.npy"), "f16", (160, 128), [1] * 160 * 128)
        npy.save(self.path("b.npy"), "f16", (128, 128), [1] * 128 * 128)
        self.pto("run", GEMM, "--in", "a=a.npy", "--in", "b=b.npy", "--int", "m=160", "--int", "n=128", "--int", "k=128",
                 "--shape", "c=160x128", "--out", "c=c.npy", code=1)
        self.assertIn("[window]", self.stderr)
        self.assertEqual(self.files(), ["a.npy", "b.npy"])


class Attention(CommandTest):
    """How far out may be from the softmax of real numbers. u is 2**-24 and h 2**-11, the relative errors of a rounding to f32
    and f16; a product by 1 / 8 is exact. Of row i let s be the scores, m the largest, z the largest sum of |q k| / 8, x the
    distance from the smallest score to m, w the weights, t the number of tiles of keys.

    Both the numerator sum of p v and the denominator sum of p are sums over j of p = exp(s - m) times 1 + e, with |e| <= f,
      f = u (64 z             64 fused multiply-adds of the score, in the exponent
             + x + 2          the difference in the exponent, and 1 ulp of its exponential
             + x + 2 t        the same of the factors that scale down, whose exponents sum up to x at most
             + 2 t            the products by these and the sums with what is there
             + 128)           the sum within a tile
    In the numerator p is rounded to f16, too: by h, or by 2**-25 where it is subnormal, before factors of 1 at most and in
    front of a denominator of 1 at least. So the quotient is wrong by at most
      (h + 2 f) sum |w v| + 2**-25 sum |v|,
    and its rounding to f16 adds h |out|, or 2**-25 where that is subnormal. 1.01 covers products of two of these errors
    and the division."""

    def run_on(self, n, numbers, blocks, profile, fresh=True, kernel=ATTENTION, threads=1, order="0"):
        if fresh:
            # Keys grow, so that later tiles have the larger scores; every seventh row of q is small and weighs all keys alike.
            self.q = f16([numbers.gauss(0, 0.01 if at // DEPTH % 7 == 3 else 2) for at in range(n * DEPTH)])
            self.k = f16([numbers.gauss(0, 1 + at / (n * DEPTH)) for at in range(n * DEPTH)])
            self.v = f16([numbers.gauss(0, 1) for _ in range(n * DEPTH)])
            for name, values in (("q", self.q), ("k", self.k), ("v", self.v)):
                npy.save(self.path(name + ".npy"), "f16", (n, DEPTH), values)
        self.pto("run", kernel, "--werror", "--threads", str(threads), "--profile", profile, "--in", "q=q.npy", "--in", "k=k.npy", "--in", "v=v.npy",
                 "--int", "n=%d" % n, "--blocks", str(blocks), "--shape", "out=%dx%d" % (n, DEPTH), "--out", "out=out.npy",
                 env={"PTO_CORE_ORDER": order})
        dtype, shape, out = npy.load(self.path("out.npy"))
        self.assertEqual((dtype, shape), ("f16", (n, DEPTH)))
        return out

    def check_row(self, n, row, out):
        """The largest error of the row as a share of its bound; and whether scores rose after the first tile."""
        query = self.q[row * DEPTH:(row + 1) * DEPTH]
        keys = [self.k[j * DEPTH:(j + 1) * DEPTH] for j in range(n)]
        scores = [dot(query, key) / 8 for key in keys]
        sizes = [abs(number) for number in query]
        z = max(dot(sizes, map(abs, key)) / 8 for key in keys)
        high, x = max(scores), max(scores) - min(scores)
        exps = [math.exp(score - high) for score in scores]
        total = sum(exps)
        weights = [value / total for value in exps]
        tiles = n // KEYS
        f = 2 ** -24 * (64 * z + 2 * x + 2 + 4 * tiles + KEYS)
        worst = 0
        for col in range(DEPTH):
            values = self.v[col::DEPTH]
            want = dot(weights, values)
            magnitudes = list(map(abs, values))
            bound = (1.01 * ((2 ** -11 + 2 * f) * dot(weights, magnitudes) + 2 ** -25 * sum(magnitudes) + 2 ** -11 * abs(want))
                     + 2 ** -25)
            error = abs(out[row * DEPTH + col] - want)
            self.assertLessEqual(error, bound, (n, row, col, want))
            worst = max(worst, error / bound)
        return worst, max(scores[KEYS:], default=-math.inf) > max(scores[:KEYS])

    def test_errors_stay_within_the_bound(self):
        numbers = random.Random(2)
        for n, step in ((128, 37), (256, 29), (1024, 61)):
            out = self.run_on(n, numbers, 8, "a5")
            found = [self.check_row(n, row, out) for row in range(0, n, step)]
            # The bound is one that is nearly met, and the larger scores do come later.
            self.assertGreater(max(share for share, _ in found), 0.1)
            self.assertEqual(any(rose for _, rose in found), n > KEYS)
            for blocks, profile in ((1, "a5"), (3, "cpu")):
                self.assertTrue(self.run_on(n, numbers, blocks, profile, fresh=False) == out, (n, blocks, profile))

    def test_split_between_cores_the_bits_are_the_same(self):
        numbers = random.Random(3)
        for n in (128, 640):
            out = self.run_on(n, numbers, 1, "a5")
            for blocks, profile, threads, order in ((1, "a5", 1, "0"), (3, "a5", 2, "1"), (5, "cpu", 3, "2"), (8, "cpu", 1, "3")):
                split = self.run_on(n, numbers, blocks, profile, False, SPLIT, threads, order)
                self.assertTrue(split == out, (n, blocks, profile, threads, order))

    def test_large_scores_do_not_overflow(self):
        """The first or the last key is the query a thousand times over: all the weight is on it, and out is its value."""
        n = 256
        for place in (0, n - 1):
            self.q = [1.0] * n * DEPTH
            self.k = [1000.0 if at // DEPTH == place else 0.0 for at in range(n * DEPTH)]
            self.v = [float(at % 13) for at in range(n * DEPTH)]
            for name in "qkv":
                npy.save(self.path(name + ".npy"), "f16", (n, DEPTH), getattr(self, name))
            out = self.run_on(n, None, 2, "a5", fresh=False)
            self.assertTrue(out == self.v[place * DEPTH:(place + 1) * DEPTH] * n, place)


if __name__ == "__main__":
    unittest.main(verbosity=1)
