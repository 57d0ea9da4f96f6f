"""The assembly lines of the instructions' documents, as they are written there (documents/*.txt): every
spelling, under every profile, as they stand (auto) and with their tassign lines switched on (manual), with data."""
import glob
import os
import re
import struct
import unittest

from harness import PROFILES, ROOT, SPARSE, CommandTest

import npy

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents")
ROWS, COLS = 9, 16
COUNT = ROWS * COLS


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


# The contents of the sources, and the result of the elements at (i, j); all of it is exact in f32.
NUMBERS = [f32((k % 23 - 11) / 4) for k in range(COUNT)]
POWERS = [2.0 ** (k % 7 - 3) for k in range(COUNT)]
CASES = {
    "tpow": ({"base": POWERS, "exp": [float(k % 5 - 2) for k in range(COUNT)]}, lambda k, x: x["base"][k] ** x["exp"][k]),
    "trsqrt": ({"src": [4.0 ** (k % 9 - 4) for k in range(COUNT)]}, lambda k, x: x["src"][k] ** -0.5),
    "tprelu": ({"src0": NUMBERS, "src1": POWERS},
               lambda k, x: x["src0"][k] if x["src0"][k] > 0 else x["src0"][k] * x["src1"][k]),
    "tpartadd": ({"src0": NUMBERS, "src1": POWERS}, lambda k, x: x["src0"][k] + x["src1"][k]),
    "tcolexpanddiv": ({"src0": NUMBERS, "src1": POWERS}, lambda k, x: x["src0"][k] / x["src1"][k % COLS]),
}


def blocks(name):
    with open(os.path.join(FOLDER, name + ".txt")) as file:
        return file.read().split("\n\n")


class Documents(CommandTest):
    def run_text(self, text, inputs, want, profile, more=()):
        args = ["run", "-", "--profile", profile, "--werror", "--out", "dst=dst.npy"]
        for name, values in inputs.items():
            npy.save(self.path(name + ".npy"), "f32", (ROWS, COLS), values)
            args += ["--in", "%s=%s.npy" % (name, name), "--out", "%s=%s.after.npy" % (name, name)]
        self.pto(*args, *more, stdin=text.encode())
        self.assertEqual(self.stderr, "")
        self.assertEqual(npy.load(self.path("dst.npy")), ("f32", (ROWS, COLS), want), (profile, text))
        for name, values in inputs.items():
            self.assertEqual(npy.load(self.path(name + ".after.npy"))[2], values, (profile, text))

    def test_every_block_under_every_profile(self):
        ran = 0
        for name, (inputs, result) in CASES.items():
            want = [result(k, inputs) for k in range(COUNT)]
            self.assertEqual([f32(v) for v in want], want, name)
            for block in blocks(name):
                manual = re.sub(r"(?m)^# (pto\.tassign )", r"\1", block)
                for text in dict.fromkeys([block, manual]):
                    for profile in PROFILES:
                        self.run_text(text + "\n", inputs, want, profile)
                        ran += 1
        self.assertEqual(ran, 5 * 7 * len(PROFILES))

    def test_spellings_are_all_there(self):
        for name in CASES:
            text = "\n".join(blocks(name))
            for spelling in (r"^%%dst = %s %%", r"^%%dst = pto\.%s %%", r"^pto\.%s ins\(", r"^# pto\.tassign %%arg0"):
                pattern = spelling % name if spelling.count("%s") else spelling % ()
                self.assertRegex(text, re.compile(pattern, re.M), name)

    def test_pages_have_the_documents_lines(self):
        for name in CASES:
            (page,) = glob.glob(os.path.join(ROOT, "docs", "ops", "*", name + ".md"))
            with open(page) as file:
                assembly = file.read().split("## Assembly")[1]
            for line in blocks(name)[:3]:
                self.assertIn("\n%s\n" % line, assembly, name)
            self.assertEqual("PowAlgorithm::HIGH_PRECISION" in assembly, name == "tpow")

    def test_lines_of_every_page_are_programs(self):
        lines = 0
        for page in sorted(glob.glob(os.path.join(ROOT, "docs", "ops", "*", "*.md"))):
            with open(page) as file:
                assembly = file.read().split("## Assembly")[1]
            for line in assembly.split("```")[1].strip().split("\n"):
                lines += 1
                if not SPARSE or lines % 10 == 0:
                    self.pto("check", "-", stdin=line.encode() + b"\n")
        self.assertGreater(lines, 3 * 150)

    def test_tiles_lie_where_tassign_puts_them(self):
        # A tile that is made at the address sees what is there.
        look = ("%%a%d = arith.constant 0x%d000 : i64\n"
                "%%at%d = pto.alloc_tile addr = %%a%d : !pto.tile_buf<vec, 9x16xf32>\n")
        for name, (inputs, result) in CASES.items():
            manual = re.sub(r"(?m)^# (pto\.tassign )", r"\1", next(b for b in blocks(name) if "tassign" in b)) + "\n"
            places = len(re.findall(r"^pto\.tassign", manual, re.M))
            order = list(inputs.values()) + ([[result(k, inputs) for k in range(COUNT)]] if name == "trsqrt" else [])
            order = order[:places]  # the third of tpow is tmp
            more = [word for k in range(len(order)) for word in ("--out", "at%d=at%d.npy" % (k, k))]
            text = manual + "".join(look % (k, k + 1, k, k) for k in range(len(order)))
            for profile in PROFILES:
                self.run_text(text, inputs, [result(k, inputs) for k in range(COUNT)], profile, more)
                for k, values in enumerate(order):
                    self.assertEqual(npy.load(self.path("at%d.npy" % k))[2], values, (name, profile, k))

    def test_a_name_of_its_own_is_no_number(self):
        # %arg1 is the first operand here: tassign means the names, whatever their numbers.
        inputs, result = CASES["tprelu"]
        text = ("pto.tassign %arg1, @tile(0x1000)\npto.tassign %dst, @tile(0x3000)\npto.tassign %arg0, @tile(0x2000)\n"
                "%dst = tprelu %arg1, %arg0 : !pto.tile<...>\n")
        named = {"arg1": inputs["src0"], "arg0": inputs["src1"]}
        for profile in PROFILES:
            self.run_text(text, named, [result(k, inputs) for k in range(COUNT)], profile)
        self.pto("run", "-", "--in", "s=arg1.npy", code=2,
                 stdin=b"pto.tassign %arg2, @tile(0x1000)\n%d = trsqrt %s : !pto.tile<...>\n")
        self.assertIn("%arg2 takes a tile and is not bound", self.stderr)


def grid(rows, cols, value):
    return [value(r, c) for r in range(rows) for c in range(cols)]


def records(keys, first=0):
    """Records of f32 keys and u32 numbers, as the f32 that hold their bits, largest key first."""
    pairs = sorted(((key, first + k) for k, key in enumerate(keys)), key=lambda pair: (-pair[0], pair[1]))
    return list(struct.unpack("<%df" % (2 * len(pairs)), b"".join(struct.pack("<fI", *pair) for pair in pairs)))


def bits(values):
    return struct.pack("<%df" % len(values), *values)


KEYS = [[float((k * 37 + 11 * n) % 101) for k in range(32)] for n in range(4)]
LISTS = {"src%d" % n: ("f32", (1, 64), records(KEYS[n], 32 * n)) for n in range(4)}
MERGED = {n: records([key for keys in KEYS[:n] for key in keys]) for n in (2, 3, 4)}
SORTED = [x for r in range(3) for x in records([float((5 * r + 7 * c) % 64) for c in range(32)])]
WORDS = [(k * 2654435761) % 65536 for k in range(3 * 32)]
LEFT, RIGHT = grid(4, 8, lambda r, c: 10.0 * r + c), grid(4, 16, lambda r, c: -10.0 * r - c)
NEITHER = PROFILES
TWO = ("cpu", "a5")

# Lines with an undescribed destination whose shape or type differs from the sources: profiles, lines, bound
# arguments, output.
OPEN = [
    (NEITHER, ["%dst = tgather %src {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile<...> -> !pto.tile<...>",
               "%dst = pto.tgather %src {maskPattern = #pto.mask_pattern<P0101>}: !pto.tile<...> -> !pto.tile<...>",
               "pto.tgather ins(%src, {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)"],
     {"src": ("f32", (8, 64), grid(8, 64, lambda r, c: r + c / 64))},
     {"dst": ("f32", (8, 32), grid(8, 32, lambda r, c: r + c / 32))}),
    (NEITHER, ["%dst = tgather %src {maskPattern = #pto.mask_pattern<P0010>, gatherAxis = COL} : !pto.tile<...> -> !pto.tile<...>"],
     {"src": ("i16", (10, 16), grid(10, 16, lambda r, c: 100 * r + c))},
     {"dst": ("i16", (3, 16), grid(3, 16, lambda r, c: 100 * (4 * r + 1) + c))}),
    (NEITHER, ["%dst = tscatter %src {maskPattern = #pto.mask_pattern<P1010>} : !pto.tile<...> -> !pto.tile<...>"],
     {"src": ("f32", (4, 8), LEFT)},
     {"dst": ("f32", (4, 16), grid(4, 16, lambda r, c: LEFT[8 * r + c // 2] if c % 2 else 0.0))}),
    (NEITHER, ["%dst, %executed = tmrgsort %src0, %src1 {exhausted = false}",
               "%dst, %executed = pto.tmrgsort %src0, %src1 {exhausted = false} : (!pto.tile<...>, !pto.tile<...>) -> (!pto.tile<...>, vector<4xi16>)",
               "pto.tmrgsort ins(%src0, %src1 {exhausted = false} : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst, %executed : !pto.tile_buf<...>, vector<4xi16>)"],
     {name: LISTS[name] for name in ("src0", "src1")},
     {"dst": ("f32", (1, 128), MERGED[2]), "executed": ("i16", (1, 4), [32, 32, 0, 0])}),
    # The pages leave tmp out. Without it the last of four tiles could be tmp: test_sorts.py.
    (NEITHER, ["%dst, %executed = pto.tmrgsort %src0, %src1, %src2, %src3, %tmp {exhausted = false} : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> (!pto.tile<...>, vector<4xi16>)",
               "pto.tmrgsort ins(%src0, %src1, %src2, %src3, %tmp {exhausted = false} : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst, %executed : !pto.tile_buf<...>, vector<4xi16>)"],
     LISTS, {"dst": ("f32", (1, 256), MERGED[4]), "executed": ("i16", (1, 4), [32, 32, 32, 32])}),
    (NEITHER, ["%dst = tsort32 %src, %idx : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
               "pto.tsort32 ins(%src, %idx : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)"],
     {"src": ("f32", (3, 32), grid(3, 32, lambda r, c: float((5 * r + 7 * c) % 64))), "idx": ("u32", (1, 32), list(range(32)))},
     {"dst": ("f32", (3, 64), SORTED)}),
    (NEITHER, ["%dst = ttrans %src : !pto.tile<...> -> !pto.tile<...>",
               "%dst = pto.ttrans %src : !pto.tile<...> -> !pto.tile<...>",
               "pto.ttrans ins(%src : !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)"],
     {"src": ("f32", (4, 16), RIGHT)}, {"dst": ("f32", (16, 4), grid(16, 4, lambda r, c: RIGHT[16 * c + r]))}),
    (NEITHER, ["%dst = pto.tconcat %src0, %src1 : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
               "pto.tconcat ins(%src0, %src1 : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)"],
     {"src0": ("f32", (4, 8), LEFT), "src1": ("f32", (4, 16), RIGHT)},
     {"dst": ("f32", (4, 24), grid(4, 24, lambda r, c: LEFT[8 * r + c] if c < 8 else RIGHT[16 * r + c - 8]))}),
    (TWO, ["%dst0, %dst1 = tdeinterleave %src : !pto.tile<...>",
           "%dst0, %dst1 = pto.tdeinterleave %src : (!pto.tile<...>) -> (!pto.tile<...>, !pto.tile<...>)",
           "pto.tdeinterleave ins(%src : !pto.tile_buf<...>) outs(%dst0, %dst1 : !pto.tile_buf<...>, !pto.tile_buf<...>)"],
     {"src": ("f32", (4, 16), RIGHT)}, {"dst0": ("f32", (4, 8), RIGHT[0::2]), "dst1": ("f32", (4, 8), RIGHT[1::2])}),
    (NEITHER, ["%dst = mgather %mem, %idx : !pto.memref<...>, !pto.tile<...> -> !pto.tile<...>",
               "%dst = pto.mgather %mem, %idx : (!pto.partition_tensor_view<MxNxdtype>, !pto.tile<...>) -> !pto.tile<...>",
               "pto.mgather ins(%mem, %idx : !pto.partition_tensor_view<MxNxdtype>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)"],
     {"mem": ("f32", (4, 16), RIGHT), "idx": ("i32", (1, 3), [2, 0, 2])},
     {"dst": ("f32", (3, 16), RIGHT[32:48] + RIGHT[:16] + RIGHT[32:48])}),
    (TWO, ["%dst = mgather.elem %mem, %idx : !pto.memref<...>, !pto.tile<...> -> !pto.tile<...>"],
     {"mem": ("f32", (4, 16), RIGHT), "idx": ("i32", (2, 8), [(7 * k) % 64 for k in range(16)])},
     {"dst": ("f32", (2, 8), [RIGHT[(7 * k) % 64] for k in range(16)])}),
    (TWO, ["pto.thistogram ins(%src, %idx : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>) {isMSB = true}",
           "%dst = thistogram %src, %idx {isMSB = true} : !pto.tile<...>"],
     {"src": ("u16", (3, 32), WORDS), "idx": ("u8", (3, 32), [0] * 96)},
     {"dst": ("u32", (3, 256), grid(3, 256, lambda r, b: sum(w >> 8 <= b for w in WORDS[32 * r:32 * r + 32])))}),
    (TWO, ["pto.tpack ins(%src : !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)", "%dst = pto.tpack %src : !pto.tile<...>"],
     {"src": ("u32", (3, 32), [70000 * k for k in range(96)])},
     {"dst": ("u16", (3, 32), [70000 * k % 65536 for k in range(96)])}),
    (NEITHER, ["%dst = tgatherb %src, %offsets : !pto.tile<...> -> !pto.tile<...>"],
     {"src": ("f32", (4, 16), RIGHT), "offsets": ("u32", (1, 3), [64, 224, 0])},
     {"dst": ("f32", (1, 24), RIGHT[16:24] + RIGHT[56:64] + RIGHT[:8])}),
    (("cpu",), ["%r = arith.constant 1 : index\n%c = arith.constant 8 : index\n%dst = textract %src[%r, %c] : !pto.tile<...> -> !pto.tile<...>"],
     {"src": ("f32", (4, 16), RIGHT)}, {"dst": ("f32", (3, 8), grid(3, 8, lambda r, c: RIGHT[16 * (r + 1) + 8 + c]))}),
    (("cpu",), ["%r = arith.constant 1 : index\n%c = arith.constant 8 : index\n" + line for line in (
        "%dst = pto.subview %src, %r, %c : !pto.tile<...>, i16, i16",
        "%dst = pto.subview %src, %r, %c : (!pto.tile<...>, i16, i16) -> !pto.tile<...>",
        "pto.subview ins(%src, %r, %c : !pto.tile_buf<...>, i16, i16) outs(%dst : !pto.tile_buf<...>)")],
     {"src": ("f32", (4, 16), RIGHT)}, {"dst": ("f32", (3, 8), grid(3, 8, lambda r, c: RIGHT[16 * (r + 1) + 8 + c]))}),
    (("a2a3",), ["pto.tgather ins(%src, %kValue, %tmp : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) "
                 "outs(%dst, %cdst : !pto.tile_buf<...>, !pto.tile_buf<...>) {cmpMode = #pto<cmp gt>, offset = 5 : i32}",
                 "%dst, %cdst = tgather %src, %kValue {cmpMode = gt, offset = 5}"],
     {"src": ("f32", (1, 16), RIGHT[:16]), "kValue": ("i32", (1, 1), [-13])},
     {"cdst": ("i32", (1, 1), [13])}),
    (("cpu",), ["%addr = arith.constant 64 : i64\n" + line + "\n%dst = tneg %tile : !pto.tile<...>" for line in (
        "tassign %tile, %addr : !pto.tile<...>, i64",
        "pto.tassign %tile, %addr : !pto.tile<...>, dtype",
        "pto.tassign ins(%tile, %addr : !pto.tile_buf<...>, dtype)")],
     {"tile": ("f32", (4, 8), LEFT)}, {"dst": ("f32", (4, 8), [-x for x in LEFT])}),
    (("cpu",), ["%dst = tpartadd %src0, %src1 : !pto.tile<...>"],
     {"src0": ("f32", (4, 8), LEFT), "src1": ("f32", (4, 16), RIGHT)},
     {"dst": ("f32", (4, 16), grid(4, 16, lambda r, c: RIGHT[16 * r + c] + (LEFT[8 * r + c] if c < 8 else 0)))}),
]


class OpenDestinations(CommandTest):
    def run_case(self, profile, text, inputs, outputs):
        args = ["run", "-", "--profile", profile, "--werror"]
        for name, (dtype, shape, values) in inputs.items():
            npy.save(self.path(name + ".npy"), dtype, shape, values)
            args += ["--in", "%s=%s.npy" % (name, name)]
        for name in outputs:
            args += ["--out", "%s=%s.out.npy" % (name, name)]
        self.pto(*args, stdin=(text + "\n").encode())
        self.assertEqual(self.stderr, "")
        for name, (dtype, shape, values) in outputs.items():
            has = npy.load(self.path(name + ".out.npy"))
            self.assertEqual(has[:2], (dtype, shape), (profile, text))
            # Numbers of records may be the bits of a NaN.
            exact = bits if dtype == "f32" else list
            self.assertEqual(exact(has[2]), exact(values), (profile, text))

    def test_layouts_by_name(self):
        # n, c, h, w: one pixel per row.
        text = """func.func @f(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>) attributes {pto.entry} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c96 = arith.constant 96 : index
  %v = pto.make_tensor_view %p, shape = [%c1, %c1, %c4, %c3, %c8], strides = [%c96, %c96, %c24, %c8, %c1] {layout = #pto.layout<LAYOUT>} : !pto.tensor_view<1x1x4x3x8xf32>
  %w = pto.make_tensor_view %q, shape = [%c24, %c4], strides = [%c4, %c1] : !pto.tensor_view<24x4xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 24x8xf32, valid=24x4>
  pto.tload ins(%v : !pto.tensor_view<1x1x4x3x8xf32>) outs(%t : !pto.tile_buf<vec, 24x8xf32, valid=24x4>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 24x8xf32, valid=24x4>) outs(%w : !pto.tensor_view<24x4xf32>)
  return
}"""
        numbers = [float(k) for k in range(96)]
        for layout in ("nchw", "NCHW"):
            npy.save(self.path("p.npy"), "f32", (96,), numbers)
            npy.save(self.path("q.npy"), "f32", (24, 4), [0.0] * 96)
            self.pto("run", "-", "--in", "p=p.npy", "--in", "q=q.npy", "--out", "q=o.npy",
                     stdin=text.replace("LAYOUT", layout).encode())
            self.assertEqual(npy.load(self.path("o.npy"))[2], [numbers[24 * c + p] for p in range(24) for c in range(4)])
        self.pto("check", "-", code=1, stdin=text.replace("LAYOUT", "scale").encode())
        self.assertIn("attribute-value", self.stderr)

    def test_every_line_under_its_profiles(self):
        for profiles, lines, inputs, outputs in OPEN:
            for profile in profiles:
                for line in lines:
                    with self.subTest(profile=profile, line=line):
                        self.run_case(profile, line, inputs, outputs)


if __name__ == "__main__":
    unittest.main(verbosity=1)
