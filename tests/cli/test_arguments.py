"""What arguments are bound to: data that is missing, numbers and shapes that do not fit, and files that must stay."""
import json
import math
import os
import unittest

from harness import PTO, CommandTest

import npy

# y = x + x, then z = y + y.
TWICE = """func.func @twice(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %z: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %xs = pto.make_tensor_view %x, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>
  %ys = pto.make_tensor_view %y, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>
  %zs = pto.make_tensor_view %z, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
  pto.tload ins(%xs : !pto.tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%ys : !pto.tensor_view<2x8xf32>)
  pto.tload ins(%ys : !pto.tensor_view<2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%t : !pto.tile_buf<vec, 2x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%zs : !pto.tensor_view<2x8xf32>)
  return
}
"""
# Reads one row more than it has written.
BEYOND = TWICE.replace("%ys = pto.make_tensor_view %y, shape = [%c2, %c8]", "%y1 = pto.make_tensor_view %y, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>\n"
                       "  %ys = pto.make_tensor_view %y, shape = [%c2, %c8]").replace(
    "outs(%ys : !pto.tensor_view<2x8xf32>)", "outs(%y1 : !pto.tensor_view<1x8xf32>)").replace(
    "pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xf32>) outs(%y1",
    "%top = pto.subset %t[%c0, %c0] sizes [1, 8] : !pto.tile_buf<vec, 2x8xf32>\n"
    "  pto.tstore ins(%top : !pto.tile_buf<vec, 1x8xf32>) outs(%y1").replace(
    "  %c1 =", "  %c0 = arith.constant 0 : index\n  %c1 =", 1)
OUTPUTS = ("--shape", "y=2x8", "--shape", "z=2x8")


# Stores sums by a word; with `add` they are added to what is there.
ACC = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"
SUMS = """func.func @f(%x: !pto.tensor_view<16x16xf32>, %y: !pto.tensor_view<16x16xi8>) {
  %word = arith.constant 70369809694720 : i64
  %acc = pto.alloc_tile : ACC
  pto.tload ins(%x : !pto.tensor_view<16x16xf32>) outs(%acc : ACC)
  pto.tstore ins(%acc, %word : ACC, i64) outs(%y : !pto.tensor_view<16x16xi8>)HOW
  return
}
""".replace("ACC", ACC)


class MissingData(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("p.pto", TWICE)
        npy.save(self.path("x.npy"), "f32", (2, 8), [float(i) for i in range(16)])

    def test_memory_for_results_is_no_data(self):
        text = self.pto("run", "p.pto", "--shape", "x=2x8", *OUTPUTS, "--out", "z=z.npy", code=2)
        self.assertEqual(text, "pto: p.pto: byte 0 of %x is read before it is written, and %x has no data (line 9 of the program); "
                         "add --in x=FILE, or --in x=zeros\n")
        self.assertEqual(self.files(), ["p.pto", "x.npy"])
        # Written and then read.
        self.pto("run", "p.pto", "--in", "x=x.npy", *OUTPUTS, "--out", "z=z.npy")
        self.assertEqual(npy.load(self.path("z.npy")), ("f32", (2, 8), [4.0 * i for i in range(16)]))
        self.assertIn("%x has no data", self.pto("bisect", "p.pto", "--save", "a.rec", "--shape", "x=2x8", *OUTPUTS, code=2))

    def test_bytes_count_one_by_one(self):
        self.write("p.pto", BEYOND)
        text = self.pto("run", "p.pto", "--in", "x=x.npy", *OUTPUTS, code=2)
        self.assertIn("byte 32 of %y is read before it is written", text)
        for threads in ("1", "2"):
            text = self.pto("run", "p.pto", "--in", "x=x.npy", *OUTPUTS, "--blocks", "2", "--threads", threads, code=2)
            self.assertIn("byte 32 of %y", text)

    def test_stores_from_accumulators(self):
        shapes = ("--in", "x=iota", "--shape", "x=16x16", "--shape", "y=16x16", "--out", "y=y.npy")
        self.write("p.pto", SUMS.replace("HOW", " {reluPreMode = #pto<relu_pre_mode normal_relu>}"))
        self.pto("run", "p.pto", *shapes)
        self.assertEqual(npy.load(self.path("y.npy"))[2][:3], [0, 1, 2])
        self.write("p.pto", SUMS.replace("HOW", " {atomicType = #pto<atomic_type atomic_add>}"))
        self.assertIn("byte 0 of %y is read before it is written", self.pto("run", "p.pto", *shapes, code=2))

    def test_data_on_purpose(self):
        for made, want in (("zeros", [0.0] * 16), ("iota", [4.0 * i for i in range(16)])):
            self.pto("run", "p.pto", "--in", "x=" + made, "--shape", "x=2x8", *OUTPUTS, "--out", "z=z.npy")
            self.assertEqual(npy.load(self.path("z.npy"))[2], want)
        runs = []
        for seed in ("7", "0x7", "07", "8"):
            self.pto("run", "p.pto", "--in", "x=random:" + seed, "--shape", "x=2x8", *OUTPUTS, "--out", "x=r.npy")
            runs.append(npy.load(self.path("r.npy"))[2])
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])
        self.assertNotEqual(runs[0], runs[3])
        self.assertTrue(all(-1 <= v <= 1 for v in runs[0]))
        self.assertIn("add --shape x=RxC", self.pto("run", "p.pto", "--in", "x=zeros", *OUTPUTS, code=2))
        for how in ("random", "random:", "random:x", "random:18446744073709551616"):
            self.assertIn("write random:SEED", self.pto("run", "p.pto", "--in", "x=" + how, "--shape", "x=2x8", *OUTPUTS, code=2))

    def test_iota_of_a_type_that_ends(self):
        self.write("q.pto", "func.func @f(%x: !pto.ptr<ui8>) {\n  return\n}\n")
        self.pto("run", "q.pto", "--in", "x=iota", "--shape", "x=300", "--out", "x=y.npy")
        self.assertEqual(npy.load(self.path("y.npy"))[2], [i % 256 for i in range(300)])

    def test_tiles(self):
        self.write("t.pto", "func.func @f(%t: !pto.tile_buf<vec, 1x8xf32>) {\n"
                   "  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n  return\n}\n")
        self.assertIn("byte 0 of %t is read before it is written", self.pto("run", "t.pto", "--out", "t=t.npy", code=2))
        self.pto("run", "t.pto", "--in", "t=iota", "--out", "t=t.npy")
        self.assertEqual(npy.load(self.path("t.npy"))[2], [2.0 * i for i in range(8)])
        # One that is written first; and elements, that the scalar unit reads.
        self.write("t.pto", "pto.texpands ins(%s) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n"
                   "pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n")
        self.pto("run", "t.pto", "--int", "s=3", "--out", "t=t.npy")
        self.assertEqual(npy.load(self.path("t.npy"))[2], [6.0] * 8)
        self.write("t.pto", "func.func @f(%t: !pto.tile_buf<vec, 1x8xf32>) {\n  pto.tprint ins(%t : !pto.tile_buf<vec, 1x8xf32>)\n  return\n}\n")
        self.assertIn("%t has no data", self.pto("run", "t.pto", code=2))

    def test_elements_and_additions(self):
        self.write("e.pto", "func.func @f(%x: !pto.ptr<f32>) {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
                   " %f = arith.constant 1.0 : f32\n pto.store_scalar %f, %x[%c0] : !pto.ptr<f32>, f32\n"
                   " %g = pto.load_scalar %x[%C] : !pto.ptr<f32> -> f32\n pto.store_scalar %g, %x[%c1] : !pto.ptr<f32>, f32\n return\n}\n")
        for place, code in (("%c0", 0), ("%c1", 2)):
            with open(self.path("e.pto")) as file:
                text = file.read()
            self.write("f.pto", text.replace("%C", place))
            shown = self.pto("run", "f.pto", "--shape", "x=4", "--out", "x=y.npy", code=code)
            if code:
                self.assertIn("byte 4 of %x is read", shown)
        self.assertEqual(npy.load(self.path("y.npy"))[2], [1.0, 1.0, 0.0, 0.0])
        self.write("p.pto", TWICE.replace("outs(%zs : !pto.tensor_view<2x8xf32>)",
                                          "outs(%zs : !pto.tensor_view<2x8xf32>) {atomicType = #pto<atomic_type atomic_add>}"))
        self.assertIn("byte 0 of %z is read", self.pto("run", "p.pto", "--in", "x=x.npy", *OUTPUTS, code=2))
        self.pto("run", "p.pto", "--in", "x=x.npy", "--in", "z=zeros", *OUTPUTS, "--out", "z=z.npy")
        self.assertEqual(npy.load(self.path("z.npy"))[2], [4.0 * i for i in range(16)])

    def test_orders_are_looked_at_on_zeros(self):
        shapes = ("--shape", "x=2x8", *OUTPUTS)
        self.pto("run", "p.pto", *shapes, "--sync")
        self.pto("check", "p.pto", *shapes, "--sync")
        self.assertNotIn("no data", self.stderr)

    def test_numbers_too(self):
        self.write("n.pto", "func.func @f(%n: i32, %s: f32) {\n return\n}\n")
        self.assertIn("; add --int n=N", self.pto("run", "n.pto", code=2))
        self.assertIn("; add --float s=X", self.pto("run", "n.pto", "--int", "n=1", code=2))


class Numbers(CommandTest):
    def test_integers_do_not_wrap(self):
        self.write("p.pto", "func.func @f(%n: TYPE) {\n return\n}\n")
        for dtype, low, high in (("i8", -128, 127), ("ui8", 0, 255), ("i1", 0, 1), ("i16", -32768, 32767), ("i32", -2**31, 2**31 - 1),
                                 ("ui32", 0, 2**32 - 1), ("i64", -2**63, 2**63 - 1), ("ui64", 0, 2**63 - 1), ("index", -2**63, 2**63 - 1)):
            self.write("p.pto", "func.func @f(%%n: %s) {\n return\n}\n" % dtype)
            self.pto("run", "p.pto", "--int", "n=%d" % low)
            self.pto("run", "p.pto", "--int", "n=%d" % high)
            for value in (low - 1, high + 1):
                text = self.pto("run", "p.pto", "--int", "n=%d" % value, code=2)
                if -2**63 <= value < 2**63:
                    self.assertIn("%%n is bound to %d, outside the range of %s: %d to %d" % (value, dtype, low, high), text)
                else:
                    self.assertIn("is not a 64-bit integer", text)

    def test_numbers_are_decimal(self):
        self.write("p.pto", "func.func @f(%n: i64) {\n  pto.print ins(\"%d\", %n : i64)\n  return\n}\n")
        for text, value in (("010", 10), ("0x10", 16), ("-010", -10), ("-0x10", -16), ("+7", 7), ("0", 0), ("09", 9)):
            self.assertEqual(self.pto("run", "p.pto", "--int", "n=" + text), "%d\n" % value)
        for text in ("0b1", "1_000", "0x", "1e3", "--1", "+-1", " 1", "1 "):
            self.assertIn("is not a 64-bit integer", self.pto("run", "p.pto", "--int", "n=" + text, code=2))
        # As --blocks 010 is ten blocks.
        self.assertEqual(self.pto("run", "p.pto", "--int", "n=1", "--blocks", "010"), "1\n" * 10)
        self.pto("run", "p.pto", "--int", "n=1", "--max-steps", "0x1000")

    def test_numbers_beyond_their_range_are_refused(self):
        self.write("p.pto", "func.func @f(%x: !pto.ptr<f32>) {\n  return\n}\n")
        for option, value, bounds in (("--max-steps", "9223372036854775808", "from 1 to 9223372036854775807"), ("--blocks", "2147483648", "from 1 to 2147483647"),
                                      ("--blocks", "0", "from 1 to 2147483647"), ("--threads", "1025", "from 1 to 1024"),
                                      ("--on-chip-limit", "99999999999999999999", "from 1 to")):
            text = self.pto("run", "p.pto", option, value, code=2)
            self.assertIn("%s: %s is not an integer %s" % (option, value, bounds), text)
            self.assertLess(len(text), 200)
        gen = ("gen", "p.pto", "--in", "x=uniform", "--shape", "x=4", "--seed")
        for seed in ("18446744073709551616", "-1", "x", "1.5"):
            self.assertIn("%s is not an integer from 0 to 18446744073709551615" % seed, self.pto(*gen, seed, code=2))
        self.pto(*gen, "18446744073709551615")


class Shapes(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("p.pto", TWICE)

    def run_with(self, shape, *more, code=0):
        count = 1
        for extent in shape:
            count *= extent
        npy.save(self.path("x.npy"), "f32", shape, [float(i) for i in range(count)])
        return self.pto("run", "p.pto", "--in", "x=x.npy", *OUTPUTS, *more, code=code)

    def test_another_shape_is_refused(self):
        for shape in ((8, 2), (4, 4), (2, 9), (3, 8), (16, 1), (2, 8, 1), (2, 2, 4), (2, 8, 3)):
            text = self.run_with(shape, code=2)
            count = math.prod(shape)
            self.assertEqual(text, "pto: x.npy: %%x is viewed as 2x8%s and is bound to a tensor of %s%s (line 1 of the program); %s\n" % (
                "" if count == 16 else " (16 elements)", "x".join(map(str, shape)), "" if count == 16 else " (%d elements)" % count,
                "add --flat to take the elements in their order" if count == 16 else
                "bind an array of that shape, or add --flat if the program moves the pointer within the array"))
            self.run_with(shape, "--flat", "--out", "z=z.npy")
            self.assertEqual(npy.load(self.path("z.npy"))[2], [4.0 * i for i in range(16)])
        for shape in ((2, 8), (1, 2, 8), (1, 1, 2, 8), (16,), (17,), (1, 16), (1, 1, 17)):
            self.run_with(shape)
        self.run_with((8, 2), "--shape", "x=2x8")

    def test_views_that_differ_say_nothing(self):
        self.write("p.pto", TWICE.replace("  %t =", "  %w = pto.make_tensor_view %x, shape = [%c8, %c2], strides = [%c2, %c1] : !pto.tensor_view<8x2xf32>\n  %t =", 1))
        self.run_with((4, 4))
        self.write("p.pto", TWICE.replace("(%x: ", "(%n: index, %x: ").replace("%x, shape = [%c2,", "%x, shape = [%n,").replace(
            "%xs = pto.make_tensor_view %x, shape = [%n, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>",
            "%xs = pto.make_tensor_view %x, shape = [%n, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>").replace(
            "ins(%xs : !pto.tensor_view<2x8xf32>)", "ins(%xs : !pto.tensor_view<?x8xf32>)"))
        self.run_with((4, 4), "--int", "n=2")

    def test_results_too(self):
        npy.save(self.path("x.npy"), "f32", (2, 8), [0.0] * 16)
        text = self.pto("run", "p.pto", "--in", "x=x.npy", "--shape", "y=8x2", "--shape", "z=2x8", code=2)
        self.assertIn("%y is viewed as 2x8 and is bound to a tensor of 8x2", text)


class Replacing(CommandTest):
    """Outputs leave the program and the inputs alone, whatever name they have."""

    def setUp(self):
        super().setUp()
        self.write("p.pto", TWICE)
        npy.save(self.path("x.npy"), "f32", (2, 8), [1.0] * 16)
        os.link(self.path("x.npy"), self.path("hard.npy"))
        os.symlink("x.npy", self.path("soft.npy"))
        self.run_it = ("run", "p.pto", "--in", "x=x.npy", *OUTPUTS)
        self.before = self.contents()

    def contents(self):
        found = {}
        for name in self.files():
            with open(self.path(name), "rb") as file:
                found[name] = file.read()
        return found

    def refused(self, *args, reason="is an input of this command"):
        text = self.pto(*args, code=2)
        self.assertIn(reason, text, args)
        self.assertEqual(self.contents(), self.before, args)

    def test_a_run(self):
        for name in ("x.npy", "./x.npy", "hard.npy", "soft.npy"):
            self.refused(*self.run_it, "--out", "z=" + name)
            self.refused(*self.run_it, "--trace", name)
            self.refused(*self.run_it, "--report", name)
        for option in (("--report", "p.pto"), ("--trace", "p.pto"), ("--report", "p.pto", "--force")):
            self.refused(*self.run_it, *option, reason="p.pto: is the program")
        self.refused(*self.run_it, "--out", "z=p.pto", reason="name a .npy or .png file")
        self.pto(*self.run_it, "--force", "--out", "z=x.npy")
        self.assertEqual(npy.load(self.path("x.npy"))[2], [4.0] * 16)

    def test_a_program_from_standard_input(self):
        with open(self.path("p.pto"), "rb") as program:
            import subprocess
            done = subprocess.run([PTO, "run", "-", "--in", "x=x.npy", *OUTPUTS, "--report", "p.pto"], stdin=program, cwd=self.folder.name,
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("p.pto: is the program, as standard input", done.stderr)
        self.assertEqual(self.contents(), self.before)

    def test_goldens_lint_bisect_and_diff(self):
        self.refused(*self.run_it, "--golden", "t=x.npy", "--report", "soft.npy")
        self.refused(*self.run_it, "--golden", "t=hard.npy", "--report", "hard.npy")
        self.refused("lint", "p.pto", "--out", "p.pto", reason="is the program")
        self.write("q.pto", TWICE)
        self.before = self.contents()
        bisect = ("bisect", "p.pto", *self.run_it[2:])
        self.refused(*bisect, "--save", "p.pto", reason="is the program")
        self.refused("bisect", "p.pto", "q.pto", *self.run_it[2:], "--save", "q.pto", reason="is the program")
        self.refused(*bisect, "--save", "hard.npy")
        self.pto(*bisect, "--save", "a.rec")
        self.before = self.contents()
        self.refused(*bisect, "--against", "a.rec", "--save", "a.rec")
        self.pto(*bisect, "--against", "a.rec", "--save", "a.rec", "--force")
        npy.save(self.path("a.npy"), "u8", (2, 2), [1, 2, 3, 4])
        self.write("one.pto", "func.func @f(%x: !pto.ptr<ui8>) {\n  return\n}\n")
        self.pto("run", "one.pto", "--in", "x=a.npy", "--out", "x=a.png")
        self.before = self.contents()
        self.refused("diff", "a.png", "a.npy", "--picture", "a.png")

    def test_gen_asks_before_it_replaces(self):
        gen = ("gen", "p.pto", "--in", "x=uniform", "--shape", "x=2x8", *OUTPUTS, "--folder", ".")
        self.refused(*gen, reason="x.npy: exists; add --force to replace it")
        self.pto(*gen, "--force")
        os.remove(self.path("x.npy"))
        os.remove(self.path("soft.npy"))
        self.write("z.golden.npy", "a golden")
        self.before = self.contents()
        self.refused(*gen, "--out", "z", reason="z.golden.npy: exists")

    def test_an_unknown_format_is_refused_before_the_run(self):
        for name in ("z.txt", "z", "z.NPY", "z.npz", "z.csv"):
            self.refused(*self.run_it, "--out", "z=" + name, "--trace", "t.json", reason="%s: name a .npy or .png file" % name)
        self.pto(*self.run_it, "--out", "z=/dev/null")


class Words(CommandTest):
    """Names that are nearly right, and names that are right in another spelling."""

    def test_did_you_mean(self):
        self.write("p.pto", TWICE)
        npy.save(self.path("x.npy"), "f32", (2, 8), [1.0] * 16)
        for args, question in ((["rnu", "p.pto"], "there is no command rnu; did you mean run?"), (["help", "lnit"], "there is no command lnit; did you mean lint?"),
                               (["run", "p.pto", "--shpae", "x=2x8"], "Did you mean --shape?\n"),
                               (["run", "p.pto", "--entry", "twise"], "no function is called twise; did you mean twice?")):
            self.assertIn(question, self.pto(*args, code=2), args)
        self.write("photo.pto", "func.func @f(%photo: !pto.ptr<f32>) {\n  return\n}\n")
        for option in ("--in", "--shape", "--int", "--float"):
            self.assertIn("the entry has no argument phto; did you mean photo?", self.pto("run", "photo.pto", option, "phto=1", code=2))
        self.pto("ops", "taddd", code=1)
        self.assertIn("no instruction is called taddd; did you mean tadd?", self.stderr)
        for name, text in (("pto.reshape", "did you mean treshape?"), ("foo.bar", "no instruction is called foo.bar; `pto ops` lists them"),
                           ("bfloat16", "bfloat16 is an element type, not an instruction; `pto info` lists the types, and this one as bf16"),
                           ("float32", "float32 is an element type"), ("pto.matmul", "no instruction is called pto.matmul; did you mean tmatmul?"),
                           ("tnotify", "did you mean comm.tnotify?"), ("vaddd", "did you mean vadd?"), ("scf.fro", "did you mean scf.for?")):
            self.pto("ops", name, code=1)
            self.assertIn(text, self.stderr)
        # Statements, and operations of the vector level.
        for name, text in (("pto.load", "load: The element at an address; another spelling of load_scalar.\n\n    %r = pto.load %ptr[%offset] : ptr -> type\n\n"
                                        "  described in docs/statements.md\n  not the instruction tload\n"),
                           ("TRESHAPE", "%r = pto.treshape %tile : tile -> tile"), ("scf.for", "[%r =] scf.for %i = %lo to %hi step %s"),
                           ("math.exp", "arith: "), ("comm.tput", "pto.comm.tput(%dst, %src, buf(%ping [, %pong]) : view, view, tile, tile)"),
                           ("pto.vadd", "vadd: a + b. Integers wrap; floats round once.")):
            self.assertIn(text, self.pto("ops", name), name)
        self.assertEqual(json.loads(self.pto("ops", "vadd", "--json"))["page"], "docs/vector/binary.md")
        self.pto("run", "p.pto", "--in", "x=x.npy", "--in", "y=x.npy", "--shape", "z=2x8", "--dump", "c", code=2)
        self.assertIn("no tile is called %c; the tiles are %", self.stderr)
        self.pto("ops", "nothing_like_it", code=1)
        self.assertIn("`pto ops` lists them", self.stderr)
        for text, question in ((TWICE.replace("pto.tadd ins", "pto.taddd ins", 1), "libpto does not know pto.taddd; did you mean tadd?"),
                               (TWICE.replace("ins(%xs :", "ins(%xss :", 1), "%xss is not defined here; did you mean %xs?"), (TWICE.replace("strides = [%c8, %c1]", "strides = [%c8, %cc1]", 1), "%cc1 is not defined here; did you mean %c1?"),
                               (TWICE.replace("  return", "  func.call @twic(%x, %y, %z) : (!pto.ptr<f32>, !pto.ptr<f32>, !pto.ptr<f32>) -> ()\n  return"), "did you mean @twice?"),
                               (TWICE.replace("outs(%zs : !pto.tensor_view<2x8xf32>)", "outs(%zs : !pto.tensor_view<2x8xf32>) {atomcType = ADD}"),
                                "tstore has no attribute 'atomcType'; did you mean atomicType?")):
            self.write("q.pto", text)
            self.pto("check", "q.pto", code=0 if "atomc" in text else 1)
            self.assertIn(question, self.stderr)

    def test_any_case(self):
        for name in ("TADD", "tadd", "TAdd", "pto.tadd", "PTO.TADD"):
            self.assertTrue(self.pto("ops", name).startswith("tadd: "))
        self.assertEqual(json.loads(self.pto("ops", "TADD", "--json"))["name"], "tadd")

    def test_help(self):
        self.assertEqual(self.pto("help", "run"), self.pto("run", "--help"))
        self.assertEqual(self.pto("help"), self.pto("--help"))
        self.assertIn("--flat", self.pto("help", "run"))

    def test_types_as_programs_write_them(self):
        for name, dtype in (("ui8", "u8"), ("u8", "u8"), ("half", "f16"), ("float", "f32"), ("f8E4M3FN", "e4m3"), ("f8E5M2", "e5m2"), ("bfloat16_t", "bf16"),
                            ("int8_t", "i8"), ("f4E2M1FN", "e2m1"), ("si16", "i16")):
            self.write("p.pto", "func.func @f(%%x: !pto.ptr<%s>) {\n  return\n}\n" % name)
            self.pto("run", "p.pto", "--in", "x=zeros", "--shape", "x=2x4:" + name, "--out", "x=x.npy")
            with open(self.path("x.npy"), "rb") as file:
                self.assertIn({**npy.CODES, **npy.SMALL}[dtype][0].encode(), file.read())
            npy.save(self.path("y.npy"), dtype, (2, 4), [0] * 8)
            self.pto("diff", "x.npy", "y.npy", "--dtype", name) if dtype in npy.SMALL else self.pto("diff", "x.npy", "y.npy")
        self.write("p.pto", "func.func @f(%x: !pto.ptr<f32>) {\n  return\n}\n")
        for name in ("f99", "index", "f64", "i1", "!pto.ptr", "f32>)"):
            self.assertIn("no element type is called", self.pto("run", "p.pto", "--shape", "x=2x4:" + name, code=2))


if __name__ == "__main__":
    unittest.main()
