"""examples/softmax.pto against doubles, and with any number of blocks and threads."""
import math
import os
import random
import unittest
import unittest.mock

from harness import ROOT, CommandTest

import npy

SOFTMAX = os.path.join(ROOT, "examples", "softmax.pto")
TILE = 512  # columns


class Softmax(CommandTest):
    """How far a quotient may be from the exact one. u is 2**-24, x the distance from the smallest number of a row to its
    largest, t its tiles. The exponent has an error of u x and the exponential of 1 ulp, 2 u: (x + 2) u in the numerator and as
    much in the sum, where factors that scale down add (x + 2) u and the products and sums between tiles 2 t u, and a tile's sum
    at most 512 u, also the sum of a row of up to 4096 columns, which is one tile and summed by lanes. 1.01 covers the division, and products of two of these errors."""

    def softmax(self, rows, cols, *more):
        self.pto("run", SOFTMAX, "--werror", "--in", "x=x.npy", "--int", "n=%d" % rows, "--int", "m=%d" % cols,
                 "--shape", "y=%dx%d" % (rows, cols), "--out", "y=y.npy", *more)
        dtype, shape, y = npy.load(self.path("y.npy"))
        self.assertEqual((dtype, shape), ("f32", (rows, cols)))
        return y

    def test_plan(self):
        """Rows of 512 numbers, eight at a time: neither load nor store copies, but in the last round; no bit changes."""
        npy.save(self.path("x.npy"), "f32", (64, 512), [i * 37 % 1001 / 64 for i in range(64 * 512)])
        with_plan = self.softmax(64, 512, "--plan", "--blocks", "2")
        self.assertEqual(self.stderr.count("plan: "), 1, self.stderr)
        self.assertIn("6 instructions by 8 of 8 rows: tload (no copy) trowmax trowexpandexpdif trowsum trowexpanddiv tstore (no copy)", self.stderr)
        self.assertEqual(with_plan, self.softmax(64, 512))

    def test_plan_beyond_the_caches(self):
        """18 MB: a plan writes one strip at a time, past the caches."""
        results = []
        for plan in ("print", "off"):
            with unittest.mock.patch.dict(os.environ, PTO_PLAN=plan):
                self.pto("run", SOFTMAX, "--in", "x=random:5", "--shape", "x=1104x4096", "--int", "n=1104", "--int", "m=4096",
                         "--shape", "y=1104x4096", "--out", "y=y.npy")
            self.assertEqual("plan: " in self.stderr, plan == "print")
            with open(self.path("y.npy"), "rb") as file:
                results.append(file.read())
        self.assertTrue(results[0] == results[1])

    def test_against_doubles(self):
        numbers = random.Random(5)
        for rows, cols in ((16, 1), (32, 7), (48, 512), (16, 513), (64, 1500), (16, 4096), (32, 4097), (16, 4700)):
            x = [numbers.randint(-4000, 4000) / 512 for _ in range(rows * cols)]
            npy.save(self.path("x.npy"), "f32", (rows, cols), x)
            y = self.softmax(rows, cols)
            tiles = -(-cols // TILE)
            for row in range(rows):
                line = x[row * cols:(row + 1) * cols]
                top = max(line)
                weights = [math.exp(number - top) for number in line]
                whole = math.fsum(weights)
                bound = 1.01 * 2**-24 * (3 * (top - min(line) + 2) + 2 * tiles + min(cols, TILE) + 1)
                for weight, got in zip(weights, y[row * cols:(row + 1) * cols]):
                    self.assertLessEqual(abs(got - weight / whole), bound * weight / whole, (rows, cols, row))
            for blocks, threads in ((2, 1), (3, 2), (8, 2)):
                self.assertTrue(self.softmax(rows, cols, "--blocks", str(blocks), "--threads", str(threads)) == y)

    def test_infinities(self):
        for cols in 800, 4400:
            line = [0.0, -math.inf, 1.0, -math.inf] * (cols // 4)
            npy.save(self.path("x.npy"), "f32", (16, cols), line * 16)
            y = self.softmax(16, cols, "--blocks", "2")
            self.assertEqual(y[1::2], [0.0] * (8 * cols))
            self.assertTrue(all(number > 0 for number in y[::2]))

    def test_a_strip_that_is_cut_is_answered(self):
        for cols in 4, 4097:
            npy.save(self.path("x.npy"), "f32", (17, cols), [1] * (17 * cols))
            self.pto("run", SOFTMAX, "--in", "x=x.npy", "--int", "n=17", "--int", "m=%d" % cols, "--shape", "y=17x%d" % cols,
                     "--out", "y=y.npy", code=1)
            self.assertIn("[window]", self.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
