"""pto gen: inputs by seed and distribution, goldens. pto bisect: the first instruction after which two runs differ."""
import math
import os
import random
import re
import struct
import subprocess
import unittest

from harness import PTO, THOROUGH, CommandTest, last_target

import npy

# A recorder allocates 64 MB and uses little of it. With this variable set, glibc writes all of it in each run.
if not THOROUGH:
    os.environ["MALLOC_PERTURB_"] = "0"

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
REGISTERS = """func.func @main() {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c3 = arith.constant 3 : index
  %%zero = arith.constant 0.0 : f32
  %%s = arith.constant %s : f32
  %%t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
  pto.vecscope {
    %%m = pto.pset_b32 "%s" : !pto.mask<b32>
    %%v = pto.vci %%zero : f32 -> !pto.vreg<64xf32>
    scf.for %%i = %%c0 to %%c3 step %%c1 {
      %%w = pto.vmuls %%v, %%s, %%m : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.vreg<64xf32>
      %%k = arith.constant %s : f32
      pto.texpands ins(%%k : f32) outs(%%t : !pto.tile_buf<...>)
    }
  }
  return
}
"""
HALVE = "pto.tmuls ins(%u, %c : !pto.tile_buf<...>, f32) outs(%u : !pto.tile_buf<...>)"
MAXIMUM = "pto.tmax ins(%u, %u : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%u : !pto.tile_buf<...>)"
# Numbers of a row of a recording: pto_event_field, pto_event_tile_field.
EVENT = {"size": 18, "first_tile": 16}
TILE_SIZE, TILE_LENGTH, TILE_DIGEST = 23, 3, 18
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

DISTRIBUTIONS = "uniform", "normal", "special", "ties", "overflow", "denormal", "mixed"


class Gen(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("k.pto", KERNEL % ("0.5", HALVE))

    def gen(self, *args, code=0):
        return self.pto("gen", "--force", "k.pto", "--shape", "x=4x8", *args, code=code)

    def draw(self, distribution, dtype="f32", count=4096, seed=0):
        text = "%%d = tmov %%a : !pto.tile<1x%dx%s>\n" % (count, dtype)
        self.write("d.pto", text)
        self.pto("gen", "--force", "d.pto", "--in", "a=" + distribution, "--shape", "a=1x%d:%s" % (count, dtype), "--seed", str(seed))
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
            for distribution in DISTRIBUTIONS:
                values = self.draw(distribution, dtype)
                self.assertTrue(all(least <= v <= most for v in values), (dtype, distribution))
            self.assertLessEqual({least, most, 0, 1}, set(self.draw("special", dtype)))
            self.assertTrue(all(v % 2 == 1 for v in self.draw("ties", dtype) if v not in (0, most, least)))

    def test_packed_types_and_exponents(self):
        """What gen writes of them are codes, a byte each; a half byte has no sign bit where a byte has one."""
        e2m1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
        e1m2 = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]
        for dtype, values in ("e2m1", e2m1), ("e1m2", e1m2):
            drawn = {d: [(-1 if c & 8 else 1) * values[c & 7] for c in self.draw(d, dtype)] for d in DISTRIBUTIONS}
            self.assertEqual({v for v in drawn["uniform"]}, {s * v for v in values if v <= 1 for s in (1, -1)}, dtype)
            self.assertLess(abs(sum(drawn["uniform"]) / 4096), 0.05)
            self.assertLess(abs(sum(drawn["normal"]) / 4096), 0.1)
            for value in 0, 1, values[-1], -values[-1], values[1]:
                self.assertIn(value, drawn["special"])
            self.assertGreater(sum(abs(v) == values[-1] for v in drawn["overflow"]), 100)
            self.assertTrue(all(abs(v) <= 1.5 for v in drawn["denormal"]))
        for distribution in DISTRIBUTIONS:
            codes = self.draw(distribution, "e8m0")
            self.assertEqual(255 in codes, distribution in ("special", "mixed"), distribution)
            self.assertGreater(len(set(codes)), 1, distribution)
        self.assertEqual({c & 15 for c in self.draw("uniform", "i4")}, set(range(16)))
        self.assertLessEqual({0, 1, 2, 7, 8, 9}, {c & 15 for c in self.draw("special", "i4")})
        self.assertTrue(all(c & 1 for c in self.draw("ties", "i4")))

    def test_every_type_is_drawn(self):
        """The type and shape of a tile in the program itself, by the number of the argument."""
        for dtype, words in (("bf16", "bf16"), ("e4m3", "e4m3"), ("e5m2", "e5m2"), ("hif8", "hif8"), ("e8m0", "e8m0"), ("i64", "i64")):
            self.write("d.pto", "%%d = tmov %%a : !pto.tile<2x32x%s>\n" % words)
            for distribution in "uniform", "special", "ties", "overflow", "denormal", "mixed":
                self.pto("gen", "--force", "d.pto", "--in", "0=" + distribution, "--seed", "1")
                with open(self.path("0.npy"), "rb") as file:
                    content = file.read()
                self.assertIn(b"(2, 32)", content, dtype)
                self.assertGreater(len(set(content[-64:])), 1, (dtype, distribution))
            self.assertEqual(self.pto("run", "d.pto", "--in", "a=0.npy", "--out", "d=d.npy"), "")
            with open(self.path("d.npy"), "rb") as file:
                self.assertEqual(file.read()[-64:], content[-64:])

    def test_programs_that_do_not_run(self):
        self.write("wrong.pto", "%d = tnothing %a\n")
        self.assertIn("tnothing", self.pto_errors("gen", "wrong.pto", "--in", "a=uniform", code=1))
        self.write("trap.pto", KERNEL % ("0.5", "pto.trap"))
        args = "gen", "trap.pto", "--shape", "x=4x8", "--in", "x=normal", "--shape", "y=4x8", "--out", "y"
        self.assertIn("trap", self.pto_errors(*args, code=1))
        self.assertIn("step", self.pto_errors("gen", "k.pto", *args[2:], "--max-steps", "2", code=1))
        self.assertIn("%y takes a tensor", self.gen("--in", "x=normal", "--out", "u", code=2))
        self.assertEqual(self.files(), ["k.pto", "trap.pto", "wrong.pto"])

    def pto_errors(self, *args, code):
        self.pto(*args, code=code)
        return self.stderr

    def test_mistakes_leave_nothing(self):
        for args, word in ((("--in", "x=gaussian"), "gaussian"), (("--in", "z=normal"), "z"),
                           (("--in", "x=normal", "--shape", "y=4x8", "--out", "nothing"), "nothing"),
                           (("--in", "x=normal", "--folder", "k.pto/no"), "--folder k.pto/no: Not a directory")):
            text = self.gen(*args, code=2)
            self.assertIn(word, text)
            self.assertEqual(text.count("\n"), 1, text)
        self.assertIn("--shape x", self.pto("gen", "--force", "k.pto", "--in", "x=normal", code=2))
        self.assertEqual(self.files(), ["k.pto"])


class Bisect(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("a.pto", KERNEL % ("0.5", HALVE))
        self.pto("gen", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--folder", "new/folder")
        self.assertTrue(os.path.exists(self.path("new/folder/x.npy")))
        self.pto("gen", "--force", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5")
        self.args = ["--in", "x=x.npy", "--shape", "y=4x8"]

    def bisect(self, *args, code=0):
        return self.pto("bisect", *args, *self.args, code=code)

    def test_the_same(self):
        self.assertEqual(self.bisect("a.pto", "a.pto"), "4 writes are the same.\n")
        self.assertEqual(self.bisect("a.pto", "--target-a", last_target()), "4 writes are the same.\n")

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
        # A record in an older form: its digests differ, so elements decide.
        with open(self.path("a.rec"), "rb") as file:
            head, rest = file.read().split(b"\n", 1)
        events, tiles = map(int, head.split()[2:4])
        rows = bytearray(rest)
        for row in range(tiles):
            at = 8 * (events * EVENT["size"] + row * TILE_SIZE + TILE_DIGEST)
            rows[at:at + 8] = struct.pack("<q", row + 1)
        for version in (b" 1 ", b" 2 "):
            self.write("a.rec", head.replace(b" 3 ", version, 1) + b"\n" + rows)
            self.assertEqual(self.bisect("a.pto", "--against", "a.rec"), "4 writes are the same.\n")
            self.assertEqual(self.bisect("b.pto", "--against", "a.rec", code=1).splitlines(), lines)
        self.write("a.rec", head.replace(b" 3 ", b" 4 ", 1) + b"\n" + rows)
        self.assertIn("is not a recording", self.bisect("a.pto", "--against", "a.rec", code=2))

    def test_corrupt_recordings(self):
        self.bisect("a.pto", "--save", "a.rec")
        with open(self.path("a.rec"), "rb") as file:
            content = file.read()
        cases = [content[:n] for n in range(0, len(content), 97)] + [content + b"x", b"pto-recording 3 " + b"9" * 200 + b"\n",
                 b"pto-recording 3 18446744073709551615 18446744073709551615 1 1 0\n" + content]
        for case in cases:
            self.write("bad.rec", case)
            text = self.bisect("a.pto", "--against", "bad.rec", code=2)
            self.assertEqual((text.count("\n"), "bad.rec" in text), (1, True), text)
        # Each number of its rows in turn: of all rows with PTO_TEST_THOROUGH, else of one event and one tile.
        head, rest = content.split(b"\n", 1)
        rows = list(map(int, head.split()[2:4]))
        events, tiles = rows if THOROUGH else (1, 1)
        of_events = range(0, 8 * events * EVENT["size"], 8)
        of_tiles = range(8 * rows[0] * EVENT["size"], 8 * (rows[0] * EVENT["size"] + tiles * TILE_SIZE), 8)
        refused = 0
        for at in (*of_events, *of_tiles):
            for number in -1, 2 ** 40:
                self.write("bad.rec", head + b"\n" + rest[:at] + struct.pack("<q", number) + rest[at + 8:])
                done = subprocess.run([PTO, "bisect", "a.pto", "--against", "bad.rec", *self.args], capture_output=True,
                                      cwd=self.folder.name, timeout=60)
                self.assertIn(done.returncode, (0, 1, 2), done)
                refused += b"a row of it points outside" in done.stderr
        # The tiles of an event; the name, type, steps (none is too large) and bytes of a tile.
        self.assertEqual(refused, 4 * events + 12 * tiles)
        dice = random.Random(1)
        for _ in range(60):  # whatever the bytes are: an answer, no crash
            broken = bytearray(content)
            for _ in range(4):
                broken[dice.randrange(len(broken))] = dice.randrange(256)
            self.write("bad.rec", bytes(broken))
            done = subprocess.run([PTO, "bisect", "a.pto", "--against", "bad.rec", *self.args], capture_output=True,
                                  cwd=self.folder.name, timeout=60)
            self.assertIn(done.returncode, (0, 1, 2), done)

    def test_a_recording_is_read_in_the_time_of_its_size(self):
        """Events that claim the tiles of others, and tiles with names as long as the text, are refused."""
        self.bisect("a.pto", "--save", "a.rec")
        with open(self.path("a.rec"), "rb") as file:
            content = file.read()
        head, rest = content.split(b"\n", 1)
        events, tiles, data, text, lost = map(int, head.split()[2:])
        longer = b"pto-recording 3 %d %d %d %d %d\n" % (events, tiles, data, text + 5000, lost)
        first = EVENT["first_tile"]
        for at, number, words in ((EVENT["size"] + first, 0, "points outside"), (events * EVENT["size"] + TILE_LENGTH, 4097, "at length"),
                                  (events * EVENT["size"] + TILE_LENGTH, 4096, None)):
            broken = longer + rest[:8 * at] + struct.pack("<q", number) + rest[8 * at + 8:] + b" " * 5000
            self.write("bad.rec", broken)
            done = subprocess.run([PTO, "bisect", "a.pto", "--against", "bad.rec", *self.args], capture_output=True, text=True,
                                  cwd=self.folder.name, timeout=60)
            self.assertEqual(words is not None, done.returncode == 2, done)
            self.assertIn(words or "", done.stderr)

    def test_goldens(self):
        self.pto("gen", "--force", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5", "--shape", "y=4x8", "--out", "u")
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
        self.pto("gen", "--force", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5", "--shape", "y=4x8", "--out", "u")
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

    def test_blocks_types_and_limits(self):
        block = (KERNEL % ("0.5", HALVE)).replace("%c = arith.constant 0.5 : f32", """%i = pto.get_block_idx
  %j = arith.index_cast %i : i64 to index
  %k = arith.index_cast %j : index to i32
  %c = arith.sitofp %k : i32 to f32""")
        self.write("a.pto", block)
        self.write("b.pto", block.replace("arith.index_cast %j : index to i32", "arith.constant 0 : i32"))
        lines = self.bisect("a.pto", "b.pto", "--blocks", "2", code=1).splitlines()
        self.assertEqual([line.split(" ", 1)[1] for line in lines[:2]], ["tadds writes %u, block 1"] * 2)
        self.write("b.pto", block.replace("4x8", "4x16"))
        self.pto("gen", "--force", "b.pto", "--shape", "x=4x16", "--in", "x=uniform", "--folder", ".", "--seed", "5")
        self.pto("bisect", "b.pto", "--in", "x=x.npy", "--shape", "y=4x16", "--save", "b.rec")
        self.pto("gen", "--force", "a.pto", "--shape", "x=4x8", "--in", "x=uniform", "--seed", "5")
        self.assertIn("4x16", self.bisect("a.pto", "--against", "b.rec", code=1))
        # Without elements, digests decide; a missing row is reported.
        self.assertEqual(self.bisect("a.pto", "a.pto", "--limit", "4000"), "4 writes are the same.\n")
        text = self.bisect("a.pto", "a.pto", "--limit", "700")
        self.assertTrue(text.endswith("there was no room for all: raise --limit.\n"), text)

    def test_what_cannot_be_run_or_compared(self):
        self.write("wrong.pto", "%d = tnothing %a\n")
        for args in ("wrong.pto", "a.pto"), ("a.pto", "wrong.pto"):
            self.pto("bisect", *args, *self.args[:2], "--shape", "y=4x8", code=1)
            self.assertIn("tnothing", self.stderr)
        self.assertIn("name one of", self.bisect("a.pto", "a.pto", "--against", "a.rec", code=2))
        values = [1.0] * 96
        npy.save(self.path("u.npy"), "f32", (3, 4, 8), values)
        self.assertIn("has 3 times where %u is written 2 times", self.bisect("a.pto", "--golden", "u=u.npy", code=2))
        npy.save(self.path("u.npy"), "f32", (96,), values)
        self.assertIn("has the shape 96 where", self.bisect("a.pto", "--golden", "u=u.npy", code=2))
        npy.save(self.path("u.npy"), "f32", (4, 24), values)
        self.assertIn("4x24", self.bisect("a.pto", "--golden", "u=u.npy", code=1))
        # Where only some rows were kept, a golden is not said to be held.
        self.write("l.pto", (KERNEL % ("0.5", HALVE)).replace("4x8", "64x64"))
        shapes = "--shape", "y=64x64"
        self.pto("gen", "--force", "l.pto", *shapes, "--shape", "x=64x64", "--in", "x=uniform", "--out", "u")
        args = *shapes, "--in", "x=x.npy", "--golden", "u=u.golden.npy"
        report = "run", "l.pto", *args, "--report", "r.html", "--report-limit"
        for limit, kept in (1 << 20, True), (20000, False):
            self.assertEqual(self.pto(*report, str(limit)), "")
            self.assertEqual("the elements of 1 tiles were not all kept; raise --report-limit" in self.stderr, not kept, self.stderr)
        self.assertIn("2 instructions were not recorded", self.pto(*report, "1600", code=2))
        self.assertIn("1 were not all kept: raise --limit", self.pto("bisect", "l.pto", *args, "--limit", "20000"))

    def test_shapes_and_names(self):
        self.write("b.pto", (KERNEL % ("0.5", HALVE)).replace("%u", "%v").replace("%t", "%w"))
        self.assertIn("no tile or register of one name", self.bisect("a.pto", "b.pto", code=2))
        self.assertIn("name a second program", self.bisect("a.pto", code=2))
        self.assertIn("no such target", self.bisect("a.pto", "--target-a", "NOTHING", code=2))

    def test_registers(self):
        """Registers and masks are compared, too, in the order of all that ran."""
        for name, scale, pattern, c in (("a", "2.0", "PAT_VL8", "1.0"), ("b", "3.0", "PAT_VL8", "1.0"), ("c", "2.0", "PAT_H", "1.0"),
                                        ("d", "2.0", "PAT_VL8", "5.0")):
            self.write(name + ".pto", REGISTERS % (scale, pattern, c))
        bisect = lambda *args, **more: self.pto("bisect", *args, **more).splitlines()
        self.assertEqual(bisect("a.pto", "a.pto"), ["8 writes are the same."])
        lines = bisect("a.pto", "b.pto", code=1)
        self.assertEqual(lines, ["a.pto:12:12: vmuls writes %w", "b.pto:12:12: vmuls writes %w",
                                 "element (0, 1) is 2 (0x40000000) here and 3 (0x40400000) there; 7 of 64 differ",
                                 "Before it, 2 writes are the same."])
        lines = bisect("a.pto", "c.pto", code=1)
        self.assertEqual(lines[0], "a.pto:9:10: pset_b32 writes %m")
        self.assertEqual(lines[2], "element (0, 8) is 0 (0x00) here and 1 (0x01) there; 24 of 64 differ")
        # An instruction between them.
        self.assertEqual(bisect("a.pto", "d.pto", code=1)[::3], ["a.pto:14:7: texpands writes %t", "Before it, 3 writes are the same."])
        # As a recording in a file, and against a golden.
        self.assertEqual(bisect("a.pto", "--save", "a.rec"), [])
        self.assertEqual(bisect("a.pto", "--against", "a.rec"), ["8 writes are the same."])
        self.assertEqual(bisect("b.pto", "--against", "a.rec", code=1)[:2], ["b.pto:12:12: vmuls writes %w", "a.rec:12:12: vmuls writes %w"])
        npy.save(self.path("w.npy"), "f32", (1, 64), [2.0 * i if i < 8 else 0.0 for i in range(64)])
        self.assertEqual(bisect("a.pto", "--golden", "w=w.npy"), ["1 writes are the same; 7 here and 0 there have no other."])
        self.assertEqual(bisect("b.pto", "--golden", "w=w.npy", code=1)[:2], ["b.pto:12:12: vmuls writes %w, time 3", "golden of %w"])
        # The report leads there.
        self.pto("run", "b.pto", "--report", "r.html", "--golden", "w=w.npy", code=1)
        with open(self.path("r.html")) as file:
            self.assertIn('"marked":6,"mark":"b.pto:12:12: vmuls writes %w, time 3', file.read())

    def test_a_run_that_fails_is_compared_until_then(self):
        self.write("b.pto", KERNEL % ("0.5", "pto.trap"))
        self.assertEqual(self.bisect("b.pto", "a.pto"), "3 writes are the same; 0 here and 1 there have no other.\n")
        self.assertIn("trap", self.stderr)


if __name__ == "__main__":
    unittest.main()
