"""pto gen: inputs by seed and distribution, goldens. pto bisect: the first instruction after which two runs differ."""
import math
import random
import re
import struct
import subprocess
import unittest

from harness import PTO, CommandTest

import npy

KERNEL = """func.func @f(%%x: !pto.partition_tensor_view<4x8xf32>, %%y: !pto.partition_tensor_view<4x8xf32>) {
  %%c = arith.constant %s : f32
  %%t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
  %%u = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
  pto.tload ins(%%x : !pto.partition_tensor_view<4x8xf32>) outs(%%t : !pto.tile_buf<...>)
  pto.texp ins(%%t : !pto.tile_buf<...>) outs(%%t : !pto.tile_buf<...>)
  pto.tadds ins(%%t, %%c : !pto.tile_buf<...>, f32) outs(%%u : !pto.tile_buf<...>)
  %s
  pto.tstore ins(%%u : !pto.tile_buf<...>) outs(%%y : !pto.partition_tensor_view<4x8xf32>)
  return
}
"""
HALVE = "pto.tmuls ins(%u, %c : !pto.tile_buf<...>, f32) outs(%u : !pto.tile_buf<...>)"
MAXIMUM = "pto.tmax ins(%u, %u : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%u : !pto.tile_buf<...>)"
WIDEST = {"f32": (2.0 ** -126, 23, 3.4028234663852886e38), "f16": (2.0 ** -14, 10, 65504.0)}


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def unit_numbers(seed, stream):
    """SplitMix64, its state stirred by the name of the stream; 53 bits of each word."""
    state = seed

    def word():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2 ** 64
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2 ** 64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2 ** 64
        return z ^ z >> 31
    for c in stream.encode():
        state = word() ^ c
    while True:
        yield (word() >> 11) / 2 ** 53


class Gen(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("k.pto", KERNEL % ("0.5", HALVE))

    def gen(self, *args, code=0):
        return self.pto("gen", "k.pto", "--shape", "x=4x8", *args, code=code)

    def draw(self, distribution, dtype="f32", count=4096, seed=0):
        text = "%%d = tmov %%a : !pto.tile<1x%dx%s>\n" % (count, dtype)
        self.write("d.pto", text)
        self.pto("gen", "d.pto", "--in", "a=" + distribution, "--shape", "a=1x%d:%s" % (count, dtype), "--seed", str(seed))
        return npy.load(self.path("a.npy"))[2]

    def test_the_same_seed_the_same_numbers(self):
        def once(*args):
            self.gen("--in", "x=normal", *args)
            with open(self.path("x.npy"), "rb") as file:
                return file.read()
        first = once("--seed", "7")
        self.assertEqual(once("--seed", "7"), first)
        self.assertNotEqual(once("--seed", "8"), first)
        # Of another machine, compiler and version, too.
        once("--seed", "1")
        units = unit_numbers(1, "x:normal")
        want = [f32(sum(next(units) for _ in range(12)) - 6) for _ in range(32)]
        dtype, shape, got = npy.load(self.path("x.npy"))
        self.assertEqual((dtype, shape), ("f32", (4, 8)))
        for a, b in zip(got, want):
            self.assertAlmostEqual(a, b, delta=1e-6)  # the order of the sum is the command's

    def test_goldens_are_what_the_program_makes(self):
        self.gen("--in", "x=uniform", "--shape", "y=4x8", "--out", "y", "--out", "%t", "--seed", "3", "--folder", ".")
        self.assertEqual(self.files(), ["k.pto", "t.golden.npy", "x.npy", "y.golden.npy"])
        x = npy.load(self.path("x.npy"))[2]
        self.assertEqual(len(x), 32)
        for value, golden in zip(x, npy.load(self.path("y.golden.npy"))[2]):
            self.assertAlmostEqual(golden, (math.exp(value) + 0.5) * 0.5, delta=1e-6)
        self.pto("run", "k.pto", "--in", "x=x.npy", "--shape", "y=4x8", "--out", "y=y.npy")
        self.pto("diff", "y.npy", "y.golden.npy")

    def test_distributions(self):
        uniform = self.draw("uniform")
        self.assertTrue(all(-1 <= v < 1 for v in uniform))
        self.assertLess(abs(sum(uniform) / len(uniform)), 0.05)
        normal = self.draw("normal")
        self.assertLess(abs(sum(v * v for v in normal) / len(normal) - 1), 0.1)
        for dtype, (tiny, fraction, most) in WIDEST.items():
            special = self.draw("special", dtype)
            self.assertTrue(any(math.isnan(v) for v in special))
            for value in 0.0, math.inf, -math.inf, 1.0, most, -most, tiny, tiny * 2.0 ** -fraction:
                self.assertIn(value, special)
            ties = self.draw("ties", dtype)
            self.assertTrue(all((4 * v).is_integer() and not v.is_integer() for v in ties))
            self.assertGreater(sum(v % 1 == 0.5 for v in ties), len(ties) / 2)
            overflow = self.draw("overflow", dtype)
            self.assertTrue(all(abs(v) <= most for v in overflow))
            self.assertTrue(any(2 * abs(v) > most for v in overflow) and any(most / 2 < v * v < 2 * most for v in overflow))
            self.assertLess(sum(abs(v) >= tiny for v in self.draw("denormal", dtype)), len(ties) / 2)
            self.assertTrue(any(0 < abs(v) < tiny for v in self.draw("denormal", dtype)))
        for dtype, least, most in ("i8", -128, 127), ("u16", 0, 65535), ("i32", -2 ** 31, 2 ** 31 - 1):
            for distribution in "uniform", "normal", "special", "ties", "overflow", "denormal", "mixed":
                values = self.draw(distribution, dtype)
                self.assertTrue(all(least <= v <= most for v in values), (dtype, distribution))
            self.assertLessEqual({least, most, 0, 1}, set(self.draw("special", dtype)))
            self.assertTrue(all(v % 2 == 1 for v in self.draw("ties", dtype) if v not in (0, most, least)))

    def test_mistakes_leave_nothing(self):
        for args, word in ((("--in", "x=gaussian"), "gaussian"), (("--in", "z=normal"), "z"),
                           (("--in", "x=normal", "--shape", "y=4x8", "--out", "nothing"), "nothing"),
                           (("--in", "x=normal", "--folder", "no"), "no/x.npy")):
            text = self.gen(*args, code=2)
            self.assertIn(word, text)
            self.assertEqual(text.count("\n"), 1, text)
        self.assertIn("--shape x", self.pto("gen", "k.pto", "--in", "x=normal", code=2))
        self.assertEqual(self.files(), ["k.pto"])


class Bisect(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.pto", KERNEL % ("0.5", HALVE))
        self.pto("gen", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5")
        self.args = ["--in", "x=x.npy", "--shape", "y=4x8"]

    def bisect(self, *args, code=0):
        return self.pto("bisect", *args, *self.args, code=code)

    def test_the_same(self):
        self.assertEqual(self.bisect("a.pto", "a.pto"), "4 writes are the same.\n")
        self.assertEqual(self.bisect("a.pto", "--target-a", "SCALAR"), "4 writes are the same.\n")

    def test_the_first_instruction_with_place_element_and_values(self):
        self.write("b.pto", KERNEL % ("0.25", HALVE))
        x = npy.load(self.path("x.npy"))[2]
        lines = self.bisect("a.pto", "b.pto", code=1).splitlines()
        self.assertEqual(lines[0], "a.pto:7:3: tadds writes %u")
        self.assertEqual(lines[1], "b.pto:7:3: tadds writes %u")
        self.assertEqual(lines[3], "Before it, 2 writes are the same.")
        match = re.fullmatch(
            r"element \(0, 0\) is (\S+) \(0x(\w{8})\) here and (\S+) \(0x(\w{8})\) there; 32 of 32 differ", lines[2])
        self.assertAlmostEqual(float(match[1]), math.exp(x[0]) + 0.5, delta=1e-6)
        self.assertAlmostEqual(float(match[3]), math.exp(x[0]) + 0.25, delta=1e-6)
        self.assertAlmostEqual(struct.unpack(">f", bytes.fromhex(match[2]))[0], float(match[1]), delta=1e-6)

    def test_instructions_more_than_the_other_has(self):
        self.write("b.pto", KERNEL % ("0.5", HALVE + "\n  " + MAXIMUM))
        self.assertEqual(self.bisect("a.pto", "b.pto"), "4 writes are the same; 0 here and 1 there have no other.\n")

    def test_a_recording_of_another_version(self):
        self.assertEqual(self.bisect("a.pto", "--save", "a.rec"), "")
        self.assertEqual(self.bisect("a.pto", "--against", "a.rec"), "4 writes are the same.\n")
        self.write("b.pto", KERNEL % ("0.5", MAXIMUM))
        lines = self.bisect("b.pto", "--against", "a.rec", code=1).splitlines()
        self.assertEqual(lines[:2], ["b.pto:8:3: tmax writes %u, time 2", "a.rec:8:3: tmuls writes %u, time 2"])

    def test_corrupt_recordings(self):
        self.bisect("a.pto", "--save", "a.rec")
        with open(self.path("a.rec"), "rb") as file:
            content = file.read()
        cases = [content[:n] for n in range(0, len(content), 97)] + [content + b"x", b"pto-recording 1 " + b"9" * 200 + b"\n",
                 b"pto-recording 1 18446744073709551615 18446744073709551615 1 1 0\n" + content]
        for case in cases:
            self.write("bad.rec", case)
            text = self.bisect("a.pto", "--against", "bad.rec", code=2)
            self.assertEqual((text.count("\n"), "bad.rec" in text), (1, True), text)
        dice = random.Random(1)
        for _ in range(60):  # whatever the bytes are: an answer, no crash
            broken = bytearray(content)
            for _ in range(4):
                broken[dice.randrange(len(broken))] = dice.randrange(256)
            self.write("bad.rec", bytes(broken))
            done = subprocess.run([PTO, "bisect", "a.pto", "--against", "bad.rec", *self.args], capture_output=True,
                                  cwd=self.folder.name, timeout=60)
            self.assertIn(done.returncode, (0, 1, 2), done)

    def test_goldens(self):
        self.pto("gen", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5", "--shape", "y=4x8", "--out", "u")
        self.assertEqual(self.bisect("a.pto", "--golden", "u=u.golden.npy").split(";")[0], "1 writes are the same")
        values = npy.load(self.path("u.golden.npy"))[2]
        values[10] += 1
        npy.save(self.path("u.npy"), "f32", (4, 8), values)
        lines = self.bisect("a.pto", "--golden", "%u=u.npy", code=1).splitlines()
        self.assertEqual(lines[:2], ["a.pto:8:3: tmuls writes %u, time 2", "golden of %u"])
        self.assertIn("element (1, 2) is", lines[2])
        # Both times that it is written.
        before = [2 * v for v in npy.load(self.path("u.golden.npy"))[2]]
        npy.save(self.path("u.npy"), "f32", (2, 4, 8), before + npy.load(self.path("u.golden.npy"))[2])
        self.assertEqual(self.bisect("a.pto", "--golden", "u=u.npy").split(";")[0], "2 writes are the same")
        before[31] = 0.0
        npy.save(self.path("u.npy"), "f32", (2, 4, 8), before + values)
        lines = self.bisect("a.pto", "--golden", "u=u.npy", code=1).splitlines()
        self.assertEqual(lines[0], "a.pto:7:3: tadds writes %u")
        self.assertIn("element (3, 7) is", lines[2])
        self.write("bad.npy", "nothing")
        for golden in "u=bad.npy", "v=u.npy", "u=absent.npy":
            self.assertEqual(self.bisect("a.pto", "--golden", golden, code=2).count("\n"), 1)

    def test_runs_with_goldens(self):
        self.pto("gen", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5", "--shape", "y=4x8", "--out", "u")
        report = ["run", "a.pto", *self.args, "--report", "r.html"]
        self.assertEqual(self.pto(*report, "--golden", "u=u.golden.npy"), "")
        with open(self.path("r.html")) as file:
            self.assertIn('"marked":-1,', file.read())
        values = npy.load(self.path("u.golden.npy"))[2]
        values[31] = -1.0
        npy.save(self.path("u.npy"), "f32", (4, 8), values)
        self.assertIn("element (3, 7) is", self.pto(*report, "--golden", "u=u.npy", code=1))
        with open(self.path("r.html")) as file:
            page = file.read()
        self.assertIn('"marked":3,"mark":"a.pto:8:3: tmuls writes %u, time 2', page)
        self.assertIn("add --report", self.pto("run", "a.pto", *self.args, "--golden", "u=u.npy", code=2))
        self.write("bad.npy", "nothing")
        self.assertEqual(self.pto(*report, "--golden", "u=bad.npy", code=2).count("\n"), 1)
        with open(self.path("r.html")) as file:
            self.assertEqual(file.read(), page)

    def test_shapes_and_names(self):
        self.write("b.pto", (KERNEL % ("0.5", HALVE)).replace("%u", "%v").replace("%t", "%w"))
        self.assertIn("no tile of one name", self.bisect("a.pto", "b.pto", code=2))
        self.assertIn("name a second program", self.bisect("a.pto", code=2))
        self.assertIn("no such target", self.bisect("a.pto", "--target-a", "NOTHING", code=2))

    def test_a_run_that_fails_is_compared_until_then(self):
        self.write("b.pto", KERNEL % ("0.5", "pto.trap"))
        self.assertEqual(self.bisect("b.pto", "a.pto"), "3 writes are the same; 0 here and 1 there have no other.\n")
        self.assertIn("trap", self.stderr)


if __name__ == "__main__":
    unittest.main()
