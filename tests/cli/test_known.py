"""Known differences to the vendor's simulator: `pto diff --known-differences`, and docs/migrating.md, which lists them.
`--write` as the last argument renews the page's list of instructions."""
import json
import math
import pathlib
import re
import struct
import sys
import unittest

WRITE = "--write" in sys.argv and sys.argv.remove("--write") is None

from harness import ROOT, CommandTest

import npy

PAGE = pathlib.Path(ROOT) / "docs" / "migrating.md"
MARK = "<!-- instructions, printed by tests/cli/test_known.py --write -->\n"
F32_MAX = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]


def bf16(value):
    return struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def f16(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


# Id: element type, shape, libpto's elements, the simulator's; all that differ have the shape.
CASES = {
    "mask-rows": [("u8", (3, 1), [0b1101, 0b0011, 0b1010], [0b00111101, 0b1010, 0])],
    "pad-infinity": [("f32", (4,), [math.inf, -math.inf, 1, 65504], [F32_MAX, -F32_MAX, 1, 65504]), ("f16", (2,), [65504, math.inf], [math.inf, 65504])],
    "nan-extremes": [("f32", (2,), [math.nan, 1], [2, 1])],
    "zero-sign": [("f16", (2,), [0.0, 1], [-0.0, 1])],
    "quant-offset": [("i8", (3,), [7, -3, 100], [6, -2, 100]), ("u8", (1,), [8], [9])],
    "conversion-range": [("i32", (2,), [12345, 1], [-2147483648, 1]), ("i16", (1,), [1234], [0])],
    "bf16-native": [("bf16", (2,), [bf16(1.5), bf16(-100.5)], [f16(1.5), f16(-100.25)]), ("f32", (1,), [1.0078125], [1.0068359375])],
    "sum-order": [("f32", (2,), [1.0, 3], [1.0 + 2.0**-20, 3]), ("f16", (1,), [1.0], [1.0009765625])],
}
# Differences with none of the patterns.
UNKNOWN = [("f32", (2,), [1.0, 2.0], [1.5, 2.0]), ("f32", (1,), [1.0], [-1.0]), ("f32", (1,), [1.0], [math.nan]), ("i8", (1,), [7], [9]),
           ("i32", (1,), [7], [6]), ("f32", (1,), [math.inf], [65504]), ("u8", (2, 1), [1, 2], [4, 8]), ("bf16", (1,), [bf16(1.5)], [f16(2)])]


class Known(CommandTest):
    def diff(self, case, *options, code=1):
        dtype, shape, ours, theirs = case
        npy.save(self.path("a.npy"), dtype, shape, ours)
        npy.save(self.path("b.npy"), dtype, shape, theirs)
        return self.pto("diff", "a.npy", "b.npy", *options, code=code)

    def test_shapes(self):
        for name, cases in CASES.items():
            for case in cases:
                with self.subTest(name=name, case=case):
                    text = self.diff(case, "--known-differences")
                    differ = int(re.search(r"different: (\d+) of", text)[1])
                    self.assertIn("  known    %d look like %s, the first at [" % (differ, name), text)
                    self.assertIn("  unknown  0\n", text)
                    got = json.loads(self.diff(case, "--known-differences", "--json"))
                    self.assertEqual(([(one["id"], one["count"]) for one in got["known"]], got["unknown"]), ([(name, differ)], 0))

    def test_other_differences_are_unknown(self):
        for case in UNKNOWN:
            with self.subTest(case=case):
                got = json.loads(self.diff(case, "--known-differences", "--json"))
                self.assertEqual((got["known"], got["unknown"]), ([], 1 if case[1] != (2, 1) else 2))
                self.assertNotIn("known", self.diff(case))
        self.assertEqual(json.loads(self.diff(("f32", (1,), [1.0], [1.0]), "--known-differences", "--json", code=0))["unknown"], 0)

    def test_several_at_a_time(self):
        text = self.diff(("f32", (4,), [math.inf, 0.0, 1.0, 9.0], [F32_MAX, -0.0, 1.0 + 2.0**-22, 8.0]), "--known-differences")
        self.assertEqual(re.findall(r"known    1 look like ([a-z-]+), the first at \[(\d)\]", text), [("pad-infinity", "0"), ("zero-sign", "1"), ("sum-order", "2")])
        self.assertIn("  unknown  1\n", text)

    def test_page(self):
        """Each shape has its section, and each section its shape."""
        self.assertEqual(re.findall(r"^### (.*)", PAGE.read_text(), re.M), list(CASES))

    def test_instructions(self):
        """This page quotes the instructions' pages about the simulator."""
        said = {}
        for path in sorted((PAGE.parent / "ops").glob("*/*.md")):
            found = re.search(r"^\*\*Differences from hardware and other simulators\.\*\* (.*)", path.read_text(), re.M)
            for sentence in re.split(r"(?<=[.;]) ", found[1]) if found else []:
                if "simulator" in sentence:
                    link = "[%s](%s)" % (path.stem.upper(), path.relative_to(PAGE.parent))
                    said.setdefault(sentence[0].upper() + sentence[1:].rstrip(";.") + ".", []).append(link)
        self.assertGreater(len(said), 20)
        head = PAGE.read_text().split(MARK)[0]
        page = head + MARK + "".join("\n- %s: %s" % (", ".join(links), sentence) for sentence, links in sorted(said.items(), key=lambda one: one[1])) + "\n"
        if WRITE:
            PAGE.write_text(page)
        self.assertEqual(PAGE.read_text(), page)


class Choices(CommandTest):
    """libpto has the results that the page describes."""

    def run_one(self, body, dtype, out, values, shape=(1, 8), more=""):
        """x of 1 x 8 to y of 1 x 8, by statements between load and store; `out` is y's type."""
        tile = {"x": f"!pto.tile_buf<vec, 1x8x{dtype}>", "y": f"!pto.tile_buf<vec, 1x8x{out}>"}
        text = f"""func.func @f(%px: !pto.ptr<{dtype}>, %py: !pto.ptr<{out}>) {{
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %vx = pto.make_tensor_view %px, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8x{dtype}>
  %vy = pto.make_tensor_view %py, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8x{out}>
  %x = pto.alloc_tile : {tile["x"]}
  %y = pto.alloc_tile : {tile["y"]}
  pto.tload ins(%vx : !pto.tensor_view<1x8x{dtype}>) outs(%x : {tile["x"]})
  {body.format(**{k: v for k, v in tile.items()})}
  pto.tstore ins(%y : {tile["y"]}) outs(%vy : !pto.tensor_view<1x8x{out}>)
  return
}}
"""
        self.write("f.pto", text)
        npy.save(self.path("x.npy"), dtype, (1, 8), values)
        self.pto("run", "f.pto", "--in", "px=x.npy", "--shape", f"py=1x8:{out}", "--out", "py=y.npy")
        return npy.load(self.path("y.npy"))[2]

    def test_relu(self):
        got = self.run_one("pto.trelu ins(%x : {x}) outs(%y : {y})", "f32", "f32", [-0.0, 0.0, -1, 1, 2, 3, 4, math.nan])
        self.assertEqual([math.copysign(1, v) for v in got[:7]], [1] * 7)
        self.assertTrue(math.isnan(got[7]))

    def test_extremes(self):
        for op in ("tmax", "tmin"):
            got = self.run_one(f"pto.{op} ins(%x, %x : {{x}}, {{x}}) outs(%y : {{y}})", "f32", "f32", [math.nan] + [1.0] * 7)
            self.assertTrue(math.isnan(got[0]), op)

    def test_conversion(self):
        got = self.run_one("pto.tcvt ins(%x {{rmode = #pto<round_mode TRUNC>, sat_mode = #pto<sat_mode OFF>}} : {x}) outs(%y : {y})", "f32", "i16",
                           [65536.0 + 5, math.nan, 1.5, -1.5, 0, 1, 2, 3])
        self.assertEqual(got[:4], [5, 0, 1, -1])


unittest.main()
