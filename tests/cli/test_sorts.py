"""Programs that sort, merge and count, in the three spellings, against Python."""
import random
import struct
import unittest

from harness import CommandTest

import npy

SPELLINGS = ("asm", "ssa", "dps")


def tile(rows, cols, dtype):
    return "!pto.tile_buf<vec, %dx%dx%s>" % (rows, cols, dtype)


def statement(spelling, name, ins, outs, attributes=""):
    """ins and outs are pairs of name and type."""
    names = [", ".join("%" + one for one, _ in side) for side in (ins, outs)]
    types = [", ".join(kind for _, kind in side) for side in (ins, outs)]
    attributes = attributes and " " + attributes
    if spelling == "dps":
        return "pto.%s ins(%s%s : %s) outs(%s : %s)" % (name, names[0], attributes, types[0], names[1], types[1])
    left, right = ("(%s)" % types[0], "(%s)" % types[1]) if spelling == "ssa" else types
    return "%s = %s%s %s%s : %s -> %s" % (names[1], "pto." if spelling == "ssa" else "", name, names[0], attributes, left, right)


def program(arguments, *lines):
    head = ", ".join("%%%s: %s" % pair for pair in arguments)
    return "func.func @main(%s) {\n  %s\n  return\n}\n" % (head, "\n  ".join(lines))


def index_word(index):
    """The float that has an index's bits."""
    return struct.unpack("<f", struct.pack("<I", index))[0]


class Sorts(CommandTest):
    def merged(self, lists, room, first_ends):
        """Records, largest first, equal ones in the order of the lists; and the number of records of each list."""
        taken, out = [0] * 4, []
        while len(out) < room:
            heads = [(-part[taken[at]][0], at) for at, part in enumerate(lists) if taken[at] < len(part)]
            if not heads or (first_ends and len(heads) < len(lists)):
                break
            at = min(heads)[1]
            out.append(lists[at][taken[at]])
            taken[at] += 1
        return out, taken

    def test_merges_of_lists(self):
        numbers = random.Random(6)
        # Two lists need no tmp. With more lists, and in ins/outs with any number, tmp is last.
        for count, tmp, spellings in ((2, False, SPELLINGS), (2, True, ("dps",)), (3, True, ("dps",)),
                                      (4, True, SPELLINGS)):
            for spelling in spellings:
                for first_ends in (False, True):
                    lists = []
                    for at in range(count):
                        part = sorted((numbers.randint(0, 12) for _ in range(numbers.choice((1, 5, 16)))), reverse=True)
                        lists.append([(float(value), 100 * at + place) for place, value in enumerate(part)])
                    room = numbers.choice((4, sum(map(len, lists))))
                    ins = [("s%d" % at, tile(1, 2 * len(part), "f32")) for at, part in enumerate(lists)]
                    outs = [("dst", tile(1, 2 * room, "f32")), ("used", tile(1, 16, "ui16"))]
                    scratch = [("tmp", tile(1, 128, "f32"))] if tmp else []
                    self.write("p.pto", program(ins + scratch + outs, statement(
                        spelling, "tmrgsort", ins + scratch, outs, "{exhausted = true}" if first_ends else "")))
                    args = []
                    for (name, _), part in zip(ins, lists):
                        words = [word for value, index in part for word in (value, index_word(index))]
                        npy.save(self.path(name + ".npy"), "f32", (1, len(words)), words)
                        args += ["--in", "%s=%s.npy" % (name, name)]
                    if tmp:
                        # Larger records than the lists have: a merge that treats tmp as a list begins with them.
                        npy.save(self.path("tmp.npy"), "f32", (1, 128), [99.0] * 128)
                        args += ["--in", "tmp=tmp.npy"]
                    npy.save(self.path("dst.npy"), "f32", (1, 2 * room), [7.0] * (2 * room))
                    npy.save(self.path("used.npy"), "u16", (1, 16), [9] * 16)
                    self.pto("run", "p.pto", "--werror", *args, "--in", "dst=dst.npy", "--in", "used=used.npy",
                             "--out", "dst=out.npy", "--out", "used=taken.npy")
                    want, taken = self.merged(lists, room, first_ends)
                    words = [word for value, index in want for word in (value, index_word(index))]
                    got = npy.load(self.path("out.npy"))[2]
                    self.assertEqual(got, words + [7.0] * (2 * room - len(words)), (count, spelling, first_ends))
                    self.assertEqual(npy.load(self.path("taken.npy"))[2], taken + [9] * 12)

    def test_the_last_tile_of_a_merge(self):
        records, counts = tile(1, 64, "f32"), "vector<4xi16>"
        outs = [("d", records), ("e", counts)]
        for tiles in (3, 4):
            ins = [("s%d" % at, records) for at in range(tiles)]
            for spelling in ("asm", "ssa"):
                self.pto("check", "-", code=1, stdin=(statement(spelling, "tmrgsort", ins, outs) + "\n").encode())
                self.assertIn("the last of %d tiles of tmrgsort may be a source or tmp [ambiguous-form]" % tiles, self.stderr)
        for tiles in (2, 3, 4, 5):
            text = statement("dps", "tmrgsort", [("s%d" % at, records) for at in range(tiles)], outs) + "\n"
            for form in SPELLINGS:
                # Whatever form is asked for, what is printed is the same merge.
                printed = self.pto("fmt", "-", "--form", form, stdin=text.encode())
                self.assertEqual(printed.startswith("pto.tmrgsort ins"), form == "dps" or tiles in (3, 4), printed)
                self.pto("check", "-", stdin=printed.encode())
        generic = ('"pto.tmrgsort"(%a, %b, %t, %d, %e) : ({0}, {0}, {0}, {0}, {1}) -> ()\n'.format(records, counts))
        printed = self.pto("fmt", "-", stdin=generic.encode())
        self.assertIn("ins(%a, %b, %t :", printed)
        self.assertIn("outs(%d, %e :", printed)

    def test_sorts_and_merges_of_blocks(self):
        numbers = random.Random(7)
        rows, cols = 3, 128
        x = [float(numbers.randint(-20, 20)) for _ in range(rows * cols)]
        npy.save(self.path("x.npy"), "f32", (rows, cols), x)
        npy.save(self.path("i.npy"), "u32", (1, cols), list(range(cols)))
        runs, out = ("runs", tile(rows, 2 * cols, "f32")), ("out", tile(rows, 2 * cols, "f32"))
        ins = [("x", tile(rows, cols, "f32")), ("i", tile(1, cols, "ui32"))]
        for spelling in SPELLINGS:
            self.write("p.pto", program(ins + [runs, out], "%block = arith.constant 64 : i32",
                                        statement(spelling, "tsort32", ins, [runs]),
                                        statement(spelling, "tmrgsort", [runs, ("block", "i32")], [out])))
            self.pto("run", "p.pto", "--werror", "--in", "x=x.npy", "--in", "i=i.npy", "--out", "out=o.npy")
            got = npy.load(self.path("o.npy"))[2]
            for row in range(rows):
                line = x[row * cols:(row + 1) * cols]
                order = sorted(range(cols), key=lambda at: (-line[at], at))
                want = [word for at in order for word in (line[at], index_word(at))]
                self.assertEqual(got[2 * row * cols:2 * (row + 1) * cols], want)

    def test_counts(self):
        numbers = random.Random(8)
        rows, cols = 4, 32
        x = [numbers.choice((0x0102, 0x01FF, 0x0200, 0xFF02)) for _ in range(rows * cols)]
        npy.save(self.path("x.npy"), "u16", (rows, cols), x)
        npy.save(self.path("f.npy"), "u8", (rows, 32), [1] * rows * 32)
        ins = [("x", tile(rows, cols, "ui16")), ("f", tile(rows, 32, "ui8"))]
        outs = [("out", tile(rows, 256, "ui32"))]
        for spelling in SPELLINGS:
            for byte in (0, 1):
                self.write("p.pto", program(ins + outs, statement(
                    spelling, "thistogram", ins, outs, "{byte = #pto<hist_byte BYTE_%d>}" % byte)))
                self.pto("run", "p.pto", "--werror", "--in", "x=x.npy", "--in", "f=f.npy", "--out", "out=o.npy")
                got = npy.load(self.path("o.npy"))[2]
                for row in range(rows):
                    line = x[row * cols:(row + 1) * cols]
                    counted = [value >> 8 * byte & 255 for value in line if byte == 1 or value >> 8 == 1]
                    want = [sum(one <= value for one in counted) for value in range(256)]
                    self.assertEqual(got[row * 256:(row + 1) * 256], want)


if __name__ == "__main__":
    unittest.main(verbosity=1)
