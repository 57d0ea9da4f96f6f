"""Rare uses of the command: every type of picture and of dump, words in place of numbers, headers and pictures
that are almost right, programs and arguments that are wrong together."""
import json
import math
import os
import struct
import unittest
import zlib

from harness import CommandTest
from test_cli import png
from test_run import COPY

import npy

RANGES = {"i8": (-128, 127), "u8": (0, 255), "i16": (-2**15, 2**15 - 1), "u16": (0, 2**16 - 1), "i32": (-2**31, 2**31 - 1),
          "u32": (0, 2**32 - 1), "i64": (-2**63, 2**63 - 1), "u64": (0, 2**64 - 1)}


def half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def bf16_bits(value):
    """Nearest, ties to even, of what fits f32."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


class Pictures(CommandTest):
    def copies(self, dtype, source, target, shape="2x3"):
        name = dtype.replace("u", "ui") if dtype[0] == "u" else dtype
        self.write("copy.pto", COPY.replace("TYPE", name))
        self.pto("run", "copy.pto", "--in", "x=" + source, "--out", "y=" + target, "--shape", "y=" + shape)

    def test_a_picture_becomes_every_type(self):
        levels = [0, 1, 127, 128, 254, 255]
        self.write("x.png", png(3, 2, 0, [levels[:3], levels[3:]]))
        for dtype in npy.CODES:
            if dtype == "i8":  # 255 does not fit
                with self.assertRaisesRegex(AssertionError, "x.png: holds u8 where i8 is asked for"):
                    self.copies(dtype, "x.png", "y.npy")
                continue
            self.copies(dtype, "x.png", "y.npy")
            if dtype in RANGES:
                want = levels
            elif dtype == "bf16":
                want = [bf16_bits(level / 255) for level in levels]
            else:
                want = [half(v / 255) if dtype == "f16" else struct.unpack("<f", struct.pack("<f", v / 255))[0] for v in levels]
            self.assertEqual(npy.load(self.path("y.npy")), (dtype, (2, 3), want))

    def test_every_type_becomes_a_picture(self):
        for dtype in npy.CODES:
            floats = {"f16": lambda v: v, "f32": lambda v: v, "bf16": bf16_bits}.get(dtype)
            if floats is not None:
                values = [floats(v) for v in (0.0, -3.0, 0.5, 1.0, math.inf, math.nan)]
                want = [0, 0, 128, 255, 255, 0]
            else:
                low, high = RANGES[dtype]
                values = [0, low, 7, min(high, 255), high, 100]
                want = values if dtype == "u16" else [0, 0, 7, min(high, 255), min(high, 255), 100]
            npy.save(self.path("x.npy"), dtype, (2, 3), values)
            self.copies(dtype, "x.npy", "y.png")
            npy.save(self.path("want.npy"), "u16" if dtype == "u16" else "u8", (2, 3), want)
            self.pto("diff", "y.png", "want.npy")

    def test_subnormal_halves(self):
        """The smallest halves and bf16 keep their value in a dump."""
        for dtype, bits, value in (("f16", 1, 2.0**-24), ("f16", 0x8000, -0.0), ("f16", 0x03FF, 1023 * 2.0**-24), ("bf16", 1, 2.0**-133),
                                   ("bf16", 0x7F80, math.inf), ("bf16", 0xFF80, -math.inf), ("bf16", 0x7FC0, math.nan)):
            npy.save(self.path("b.npy"), "bf16", (1, 1), [bits])
            with open(self.path("b.npy"), "rb") as file:
                content = file.read().replace(b"<V2", npy.CODES[dtype][0].encode())
            self.write("x.npy", content)
            self.write("p.pto", "%%t = tload %%x : !pto.partition_tensor_view<1x1x%s> -> !pto.tile<%s, 1, 1>\n" % (dtype, dtype))
            shown = self.pto("run", "p.pto", "--in", "x=x.npy", "--dump", "%t").split("\n")[1]
            if math.isnan(value):
                self.assertIn("nan", shown)
            else:
                self.assertEqual(struct.pack("<f", float(shown)), struct.pack("<f", value))

    def test_floats_of_a_byte(self):
        """Their codes pass through, whatever numpy calls them, and a dump shows numbers."""
        known = {"e4m3": {0x38: 1, 0x7E: 448, 0x7F: math.nan, 0x81: -2.0**-9}, "e5m2": {0x3C: 1, 0x7C: math.inf, 0x7F: math.nan},
                 "hif8": {0x08: 1, 0x6E: 32768, 0xEF: -math.inf, 0x80: math.nan}, "e8m0": {127: 1, 0: 2.0**-127, 255: math.nan}}
        spelt = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "hif8": "hif8", "e8m0": "f8E8M0FNU"}
        for dtype, values in known.items():
            self.write("p.pto", "%%t = tload %%x : !pto.partition_tensor_view<1x256x%s> -> !pto.tile<%s, 1, 256>\n"
                       "tstore %%t, %%y : (!pto.tile<%s, 1, 256>, !pto.partition_tensor_view<1x256x%s>) -> ()\n" % ((spelt[dtype],) * 4))
            for descr in ("<V1", "|V1", "|u1"):
                npy.save(self.path("x.npy"), dtype, (1, 256), list(range(256)), descr=descr)
                self.pto("run", "p.pto", "--in", "x=x.npy", "--shape", "y=1x256", "--out", "y=y.npy")
                npy.save(self.path("want.npy"), dtype, (1, 256), list(range(256)))
                with open(self.path("y.npy"), "rb") as got, open(self.path("want.npy"), "rb") as want:
                    self.assertEqual(want.read(), got.read())
            for code, value in values.items():
                npy.save(self.path("x.npy"), dtype, (1, 1), [code])
                self.write("q.pto", "%%t = tload %%x : !pto.partition_tensor_view<1x1x%s> -> !pto.tile<%s, 1, 1>\n" % (dtype, dtype))
                shown = self.pto("run", "q.pto", "--in", "x=x.npy", "--dump", "%t").split("\n")[1]
                if math.isnan(value):
                    self.assertIn("nan", shown)
                else:
                    self.assertEqual(struct.pack("<f", float(shown)), struct.pack("<f", value))

    def test_packed_types(self):
        """One code per byte in files, two in memory: loaded, stored, shown, printed and recorded as their numbers."""
        signed = [1, -1]
        known = {"e2m1": ("f4E2M1FN", [s * v for s in signed for v in (0, 0.5, 1, 1.5, 2, 3, 4, 6)]),
                 "e1m2": ("f4E1M2", [s * k / 4 for s in signed for k in range(8)]),
                 "i4": ("i4", [*range(8), *range(-8, 0)])}
        for dtype, (spelt, values) in known.items():
            codes = [k % 16 for k in range(5, 37)]
            view, tile = "!pto.partition_tensor_view<2x16x%s>" % spelt, "!pto.tile<%s, 2, 16>" % spelt
            self.write("p.pto", "%%t = tload %%x : %s -> %s\ntstore %%t, %%y : (%s, %s) -> ()\n" % (view, tile, tile, view))
            npy.save(self.path("x.npy"), dtype, (2, 16), codes)
            self.pto("run", "p.pto", "--in", "x=x.npy", "--shape", "y=2x16", "--out", "y=y.npy", "--report", "r.html")
            with open(self.path("x.npy"), "rb") as want, open(self.path("y.npy"), "rb") as got:
                self.assertEqual(want.read(), got.read())
            shown = self.pto("run", "p.pto", "--in", "x=x.npy", "--shape", "y=2x16", "--dump", "%t").split("\n")[1:3]
            self.assertEqual([float(v) for line in shown for v in line.split()], [values[code] for code in codes])
            # An odd row and column, out of a tile.
            self.write("q.pto", "%%t = tload %%x : !pto.partition_tensor_view<3x4x%s> -> !pto.tile<%s, 3, 4>\n" % (spelt, spelt))
            npy.save(self.path("x.npy"), dtype, (3, 4), list(range(3, 15)))
            self.pto("run", "q.pto", "--in", "x=x.npy", "--out", "%t=t.npy")
            with open(self.path("x.npy"), "rb") as want, open(self.path("t.npy"), "rb") as got:
                self.assertEqual(want.read(), got.read())
        self.assertIn("cuts a byte of i4", self.pto("run", "q.pto", "--shape", "x=3x5", code=2))

    def test_colour(self):
        self.write("x.png", png(1, 2, 2, [[0, 1, 2], [3, 4, 255]]))
        self.write("p.pto", "func.func @f(%x: !pto.ptr<ui8>) {\n  return\n}\n")
        self.pto("run", "p.pto", "--in", "x=x.png", "--out", "x=y.png")
        self.pto("diff", "x.png", "y.png")
        npy.save(self.path("want.npy"), "u8", (2, 1, 3), [0, 1, 2, 3, 4, 255])
        self.pto("diff", "y.png", "want.npy")

    def test_shapes_that_are_no_picture(self):
        self.write("p.pto", "func.func @f(%x: !pto.ptr<ui8>) {\n  return\n}\n")
        for shape, reason in ((("0", "3"), "no picture has the shape 0x3"), (("3", "0"), "no picture has the shape 3x0"), (("4",), "a picture is RxC or RxCx3, not 4"),
                              (("2", "2", "2"), "a picture is RxC or RxCx3, not 2x2x2")):
            self.assertIn(reason, self.pto("run", "p.pto", "--shape", "x=" + "x".join(shape), "--out", "x=y.png", code=2))
        self.assertEqual(self.files(), ["p.pto"])

    def test_pictures_that_are_damaged(self):
        good = png(3, 2, 0, [[0, 1, 2], [3, 4, 5]])
        head = good[:8]

        def chunk(name, data, check=None):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data) if check is None else check)
        ihdr = struct.pack(">IIBBBBB", 3, 2, 8, 0, 0, 0, 0)
        body = zlib.compress(b"\0\0\1\2\0\3\4\5")
        cases = {
            "no data": head + chunk(b"IHDR", ihdr) + chunk(b"IEND", b""),
            "few data": head + chunk(b"IHDR", ihdr) + chunk(b"IDAT", zlib.compress(b"\0\0\1")) + chunk(b"IEND", b""),
            "data that are not compressed": head + chunk(b"IHDR", ihdr) + chunk(b"IDAT", b"\0" * 20) + chunk(b"IEND", b""),
            "a wrong sum": head + chunk(b"IHDR", ihdr, 1) + chunk(b"IDAT", body) + chunk(b"IEND", b""),
            "no width": head + chunk(b"IHDR", struct.pack(">IIBBBBB", 0, 2, 8, 0, 0, 0, 0)) + chunk(b"IDAT", body) + chunk(b"IEND", b""),
            "too large": head + chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 0, 0, 0, 0)) + chunk(b"IDAT", body),
            "unknown depth": head + chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 5, 0, 0, 0, 0)) + chunk(b"IDAT", body) + chunk(b"IEND", b""),
            "unknown colour type": head + chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 7, 0, 0, 0)) + chunk(b"IDAT", body) + chunk(b"IEND", b""),
            "a chunk that is unknown and needed": head + chunk(b"IHDR", ihdr) + chunk(b"ABCD", b"") + chunk(b"IDAT", body) + chunk(b"IEND", b""),
        }
        for name, content in cases.items():
            self.write("bad.png", content)
            text = self.pto("diff", "bad.png", "bad.png", code=2)
            self.assertEqual((text.count("\n"), text[:14]), (1, "pto: bad.png: "), name)
        for size in range(0, len(good) - 12 - 5, 5):  # libpng can do without the end
            self.write("cut.png", good[:size])
            self.pto("diff", "cut.png", "cut.png", code=2)


class Arrays(CommandTest):
    def test_headers(self):
        def head(text):
            text = text.encode()
            return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text
        good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
        self.write("x.npy", head(good) + b"\0" * 4)
        for text in (good.replace("'", '"'), good.replace("(1,)", "(1L,)"), good.replace("(1,)", "()"), good.replace("False", "True"), good + " \n", good.replace("(1,)", "(1L)"),
                     good.replace("(1,)", "(1 , )")):
            self.write("y.npy", head(text) + b"\0" * 4)
            self.pto("diff", "y.npy", "y.npy")
        bad = [good.replace("(1,)", "(1"), good.replace("(1,)", "(1 2)"), good.replace("(1,)", "(,)"), good.replace("(1,)", "(99999999999999999999,)"),
               good.replace("False", "Maybe"), good.replace("'<f4'", "f4"), good.replace("'<f4'", "'<f4"), good.replace("'descr': ", "'descr' "),
               good.replace(", 'shape': (1,), }", "}"), good.replace("'shape'", "'shapes'"), good.replace(", 'fortran", " 'fortran"), "", "(", "{", "{'",
               "{'descr': '<f4', 'shape': (1,), }", "{'fortran_order': False, 'shape': (1,), }", "{'descr': '<f4', 'fortran_order': False, 'shape': (1",
               "{'descr': '<f4', 'fortran_order': False, 'shape': (1L", "{'descr': '<f4', 'fortran_order': T"]
        for text in bad:
            self.write("y.npy", head(text) + b"\0" * 4)
            self.assertIn("y.npy: the header is not an .npy header", self.pto("diff", "y.npy", "y.npy", code=2), text)
        self.write("y.npy", head(good.replace("'<f4'", "[('a', '<f4')]")) + b"\0" * 4)
        self.assertIn("structured element types", self.pto("diff", "y.npy", "y.npy", code=2))

    def test_every_number_is_dumped(self):
        for dtype in npy.CODES:
            values = [1, 2, 3, 4, 5, 6] if dtype != "bf16" else [bf16_bits(v) for v in (1, 2, 3, 4, 5, 6)]
            npy.save(self.path("x.npy"), dtype, (2, 3), values)
            name = dtype.replace("u", "ui") if dtype[0] == "u" else dtype
            self.write("copy.pto", COPY.replace("TYPE", name))
            shown = self.pto("run", "copy.pto", "--in", "x=x.npy", "--shape", "y=2x3", "--dump", "all")
            self.assertEqual(shown, "%%t: 2x3 of %s\n  1 2 3\n  4 5 6\n" % dtype)
        # Nothing is valid: a tile of no elements.
        self.write("p.pto", "func.func @f() {\n  %c0 = arith.constant 0 : index\n"
                            "  %t = pto.alloc_tile valid_row = %c0 : !pto.tile_buf<vec, 2x8xf32, valid=?x8>\n  return\n}\n")
        self.assertEqual(self.pto("run", "p.pto", "--dump", "all"), "%t: 0x8 of f32\n")
        # A part of no elements, of a view of none in memory of none.
        self.write("p.pto", "func.func @f(%p: !pto.ptr<f32>, %n: index) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                            "  %c8 = arith.constant 8 : index\n"
                            "  %v = pto.make_tensor_view %p, shape = [%n, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x8xf32>\n"
                            "  %w = pto.partition_view %v, offsets = [%n, %c0], sizes = [%n, %c8] : "
                            "!pto.tensor_view<?x8xf32> -> !pto.partition_tensor_view<?x8xf32>\n  return\n}\n")
        self.pto("run", "p.pto", "--shape", "p=0x8:f32", "--int", "n=0")


class Arguments(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("p.pto", "func.func @f(%n: i32, %s: f32) {\n  pto.print ins(\"%d\", %n : i32)\n  pto.print ins(\"%f\", %s : f32)\n  return\n}\n")

    def test_numbers(self):
        self.assertEqual(self.pto("run", "p.pto", "--int", "n=0x10", "--float", "%s=-1.5e1"), "16\n-15\n")
        # Rounded once: as a double the text is half the largest f32's last place above it, which would become infinity.
        self.assertEqual(self.pto("run", "p.pto", "--int", "n=1", "--float", "s=3.4028235677973366163e38"), "1\n3.40282347e+38\n")
        for args, reason in ((["--int", "n=1.5"], "n=1.5: is not a 64-bit integer"), (["--int", "n=99999999999999999999"], "not a 64-bit integer"),
                             (["--float", "s=1x"], "s=1x: is not a number"), (["--int", "n"], "write NAME=N"), (["--int", "=1"], "write NAME=N"),
                             (["--int", "n=1", "--int", "%n=2"], "n is given twice"), (["--float", "n=1"], "takes something else"),
                             (["--int", "n=1", "--int", "s=1"], "takes a float and is bound to an integer"), (["--in", "n=x.npy"], "takes something else"), (["--shape", "n=2x2"], "takes something else"),
                             (["--int", "m=1"], "the entry has no argument m"), (["--float", "m=1"], "the entry has no argument m"),
                             (["--in", "m=x"], "the entry has no argument m"), (["--shape", "m=1"], "the entry has no argument m"),
                             (["--entry", "g"], "no function is called g")):
            self.assertIn(reason, self.pto("run", "p.pto", *args, code=2), args)
        self.pto("run", "p.pto", "--int", "n=1", code=2)

    def test_shapes(self):
        self.write("t.pto", "%d = trsqrt %s : !pto.tile<...>\n")
        for shape, reason in (("2x2", "the program does not say the element type"), ("2x", "write extents by x"), ("x2", "write extents by x"),
                              ("-2", "write extents by x"), ("+2", "write extents by x"), ("2,2", "write extents by x"), ("99999999999999999999", "write extents by x"),
                              ("9999999x9999999", "more than 10^12"), ("2:f99", "no element type is called f99"), (":", "empty"), ("1x1x1x1x1x1", "more than 5"),
                              ("100000x100000:f32", "more than 8 GiB")):
            self.assertIn(reason, self.pto("run", "t.pto", "--shape", "s=" + shape, code=2), shape)
        npy.save(self.path("x.npy"), "f32", (6,), [4.0] * 6)
        self.assertIn("has the shape 6 where 4x2 is asked for", self.pto("run", "t.pto", "--in", "s=x.npy", "--shape", "s=4x2", code=2))
        self.assertIn("holds f32 where f16 is asked for", self.pto("run", "t.pto", "--in", "s=x.npy", "--shape", "s=f16", code=2))
        self.pto("run", "t.pto", "--in", "s=x.npy", "--shape", "s=2x3", "--out", "d=d.npy")
        self.assertEqual(npy.load(self.path("d.npy")), ("f32", (2, 3), [0.5] * 6))
        # More rows, or more columns, than a tile can have.
        for shape in ("3000000000x0", "0x3000000000"):
            self.assertIn("is too large for a tile", self.pto("run", "t.pto", "--shape", "s=%s:f32" % shape, code=2))
        npy.save(self.path("x.npy"), "f32", (), [4.0])
        self.pto("run", "t.pto", "--in", "s=x.npy", "--out", "d=d.npy")
        self.assertEqual(npy.load(self.path("d.npy")), ("f32", (1, 1), [0.5]))

    def test_tiles_that_the_program_sizes(self):
        self.write("t.pto", "func.func @f(%s: !pto.tile_buf<vec, 2x8xf32, valid=?x?>) {\n  pto.tprint ins(%s : !pto.tile_buf<vec, 2x8xf32, valid=?x?>)\n  return\n}\n")
        for dtype, shape, reason in (("f32", (3, 8), "has the shape 3x8 where the tile has 2x8"), ("f32", (2, 9), "where the tile has 2x8"),
                                     ("i32", (2, 8), "holds i32 where the program declares f32")):
            npy.save(self.path("x.npy"), dtype, shape, [0] * (shape[0] * shape[1]))
            self.assertIn(reason, self.pto("run", "t.pto", "--in", "s=x.npy", code=2))
        npy.save(self.path("x.npy"), "f32", (1, 2, 3), [0] * 6)
        self.assertEqual(self.pto("run", "t.pto", "--in", "s=x.npy"), "%s: 2x3 of f32\n  0 0 0\n  0 0 0\n")

    def test_ranks(self):
        self.write("p.pto", "func.func @f(%x: !pto.ptr<f32>) {\n  return\n}\n")
        npy.save(self.path("x.npy"), "f32", (1,) * 6, [1])
        self.assertIn("has 6 dimensions where 5 are the most", self.pto("run", "p.pto", "--in", "x=x.npy", code=2))
        npy.save(self.path("x.npy"), "f32", (0, 3), [])
        self.pto("run", "p.pto", "--in", "x=x.npy")
        self.assertIn("add --shape x=RxC", self.pto("run", "p.pto", "--out", "x=y.npy", code=2))
        self.pto("run", "p.pto", code=2)

    def test_the_program_is_blamed_before_its_arguments(self):
        self.write("p.pto", "func.func @f(%x: !pto.ptr<f32>) attributes {pto.entry} {\n  return\n}\nfunc.func @g() {\n  %a = arith.addi %b, %b : i32\n  return\n}\n")
        npy.save(self.path("x.npy"), "f32", (2,), [1, 2])
        self.pto("run", "p.pto", "--in", "x=none.npy", code=1)
        self.assertIn("undefined-value", self.stderr)
        self.assertNotIn("none.npy", self.stderr)
        # Code that the entry does not reach does not prevent a run.
        self.pto("run", "p.pto", "--in", "x=x.npy", "--out", "x=y.npy", code=0)
        self.pto("run", "p.pto", "--in", "x=x.npy", "--werror", code=1)

    def test_json_of_any_name(self):
        for name, shown in (("a\n\033.pto", "a\\x0A\\x1B.pto"), ('q"\\.pto', 'q"\\.pto'), ("\u009b.pto", "\\xC2\\x9B.pto")):
            self.write(name, "bad\n")
            told = self.pto("check", "--json", name, code=1)
            self.assertEqual({told["file"] for told in json.loads(told)}, {shown})
            self.assertNotIn("\033", told)
            self.assertNotIn("\u009b", told)
        with open(os.path.join(self.folder.name.encode(), b"\xff.pto"), "w") as file:
            file.write("bad\n")
        self.assertEqual(json.loads(self.pto("check", "--json", b"\xff.pto", code=1))[0]["file"], "\\xFF.pto")


if __name__ == "__main__":
    unittest.main(verbosity=1)
