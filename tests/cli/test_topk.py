"""examples/topk.pto against Python's sort."""
import math
import os
import random
import unittest

from harness import ROOT, CommandTest

import npy

TOPK = os.path.join(ROOT, "examples", "topk.pto")
MOST = 128
TOP = 8


class TopK(CommandTest):
    def check(self, n, m, x, *more):
        npy.save(self.path("x.npy"), "f32", (n, m), x)
        self.pto("run", TOPK, "--werror", "--in", "x=x.npy", "--int", "n=%d" % n, "--int", "m=%d" % m,
                 "--shape", "scores=%dx%d" % (m, TOP), "--out", "scores=scores.npy",
                 "--shape", "places=%dx%d" % (m, TOP), "--out", "places=places.npy", *more)
        scores = npy.load(self.path("scores.npy"))
        places = npy.load(self.path("places.npy"))
        self.assertEqual(scores[:2], ("f32", (m, TOP)))
        self.assertEqual(places[:2], ("i32", (m, TOP)))
        for query in range(m):
            # -inf follows the last item; NaN is last of all; equal numbers keep the order of their places.
            column = x[query::m] + [-math.inf] * (MOST - n)
            order = sorted(range(MOST), key=lambda at: (math.isnan(column[at]), -column[at] if column[at] == column[at] else 0, at))
            at = slice(query * TOP, query * TOP + TOP)
            self.assertEqual(places[2][at], order[:TOP], (n, m, query))
            self.assertEqual([str(value) for value in scores[2][at]], [str(column[place]) for place in order[:TOP]])

    def test_any_number_of_items(self):
        numbers = random.Random(3)
        for n, m in ((1, 32), (7, 32), (31, 64), (32, 32), (33, 96), (100, 64), (127, 32), (128, 64)):
            self.check(n, m, [numbers.randint(-40, 40) / 4 for _ in range(n * m)], "--blocks", str(1 + n % 3))

    def test_numbers_that_are_none(self):
        numbers = random.Random(4)
        pool = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, 1.5, -2.0]
        for n in (20, 128):
            self.check(n, 32, [numbers.choice(pool) for _ in range(n * 32)])


if __name__ == "__main__":
    unittest.main(verbosity=1)
