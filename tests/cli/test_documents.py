"""The assembly lines of the instructions' documents, as they are written there (documents/*.txt): every
spelling, under every profile, as they stand (auto) and with their tassign lines switched on (manual), with data."""
import glob
import os
import re
import struct
import unittest

from harness import ROOT, CommandTest

import npy

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "documents")
ROWS, COLS = 9, 16
COUNT = ROWS * COLS


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


# What the sources hold, and the result of the elements at (i, j); all of it is exact in f32.
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
                    for profile in ("cpu", "a2a3", "a5"):
                        self.run_text(text + "\n", inputs, want, profile)
                        ran += 1
        self.assertEqual(ran, 5 * 7 * 3)

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
            for profile in ("cpu", "a2a3", "a5"):
                self.run_text(text, inputs, [result(k, inputs) for k in range(COUNT)], profile, more)
                for k, values in enumerate(order):
                    self.assertEqual(npy.load(self.path("at%d.npy" % k))[2], values, (name, profile, k))

    def test_a_name_of_its_own_is_no_number(self):
        # %arg1 is the first operand here: tassign means the names, whatever their numbers.
        inputs, result = CASES["tprelu"]
        text = ("pto.tassign %arg1, @tile(0x1000)\npto.tassign %dst, @tile(0x3000)\npto.tassign %arg0, @tile(0x2000)\n"
                "%dst = tprelu %arg1, %arg0 : !pto.tile<...>\n")
        named = {"arg1": inputs["src0"], "arg0": inputs["src1"]}
        for profile in ("cpu", "a2a3", "a5"):
            self.run_text(text, named, [result(k, inputs) for k in range(COUNT)], profile)
        self.pto("run", "-", "--in", "s=arg1.npy", code=2,
                 stdin=b"pto.tassign %arg2, @tile(0x1000)\n%d = trsqrt %s : !pto.tile<...>\n")
        self.assertIn("%arg2 takes a tile and is not bound", self.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
