"""Samples of PNG pictures come as the file has them, or the picture is refused; `pto` and examples/photo share the reader."""
import os
import struct
import subprocess
import sys
import unittest
import zlib

PHOTO = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else None

from harness import CommandTest

import npy

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def picture(width, height, bits, kind, rows, *chunks, interlaced=False):
    """A PNG with these rows of bytes, and more chunks before them."""
    head = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 1 if interlaced else 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return b"\x89PNG\r\n\x1a\n" + b"".join([chunk(b"IHDR", head), *chunks, chunk(b"IDAT", body), chunk(b"IEND", b"")])


GAMMA = chunk(b"gAMA", struct.pack(">I", 100000))  # linear light
SRGB = chunk(b"sRGB", b"\0")
SAMPLES = [0, 1, 16, 127, 128, 255]
WIDE = [0, 1, 16, 257, 128, 65535]


def wide(values):
    return struct.pack(">%dH" % len(values), *values)


class Samples(CommandTest):
    def read(self, content, dtype="u8", code=0):
        self.write("x.png", content)
        self.write("p.pto", "func.func @f(%%x: !pto.ptr<%s>) {\n  return\n}\n" % dtype.replace("u", "ui"))
        text = self.pto("run", "p.pto", "--in", "x=x.png", "--out", "x=y.npy", code=code)
        return text if code else npy.load(self.path("y.npy"))

    def test_samples_are_as_the_file_has_them(self):
        rows = [SAMPLES[:3], SAMPLES[3:]]
        for more in ((), (GAMMA,), (SRGB,)):
            self.assertEqual(self.read(picture(3, 2, 8, GREY, rows, *more)), ("u8", (2, 3), SAMPLES))
            self.assertEqual(self.read(picture(1, 2, 8, RGB, rows, *more)), ("u8", (2, 1, 3), SAMPLES))
            content = picture(3, 2, 16, GREY, [wide(WIDE[:3]), wide(WIDE[3:])], *more)
            self.assertEqual(self.read(content, "u16"), ("u16", (2, 3), WIDE))
            content = picture(1, 2, 16, RGB, [wide(WIDE[:3]), wide(WIDE[3:])], *more)
            self.assertEqual(self.read(content, "u16"), ("u16", (2, 1, 3), WIDE))

    def test_an_interlaced_picture(self):
        """Of 2 x 1 pixels: the first is in pass 1, the second in pass 6."""
        self.assertEqual(self.read(picture(2, 1, 8, GREY, [[16], [128]], interlaced=True)), ("u8", (1, 2), [16, 128]))

    def test_a_palette_becomes_the_colours_that_it_names(self):
        colours = chunk(b"PLTE", bytes([16, 128, 1, 255, 0, 127]))
        self.assertEqual(self.read(picture(2, 1, 8, PALETTE, [[1, 0]], GAMMA, colours)),
                         ("u8", (1, 2, 3), [255, 0, 127, 16, 128, 1]))
        self.assertEqual(self.read(picture(2, 1, 1, PALETTE, [[0b10000000]], colours)),
                         ("u8", (1, 2, 3), [255, 0, 127, 16, 128, 1]))
        self.assertIn("the palette does not have", self.read(picture(2, 1, 8, PALETTE, [[2, 0]], colours), code=2))

    def test_what_would_change_is_refused(self):
        clear = chunk(b"tRNS", b"\0\0")
        colours = chunk(b"PLTE", bytes([16, 128, 1])) + chunk(b"tRNS", b"\x80")
        for content, reason in ((picture(1, 1, 8, GREY_ALPHA, [[16, 128]]), "alpha channel"),
                                (picture(1, 1, 8, RGBA, [[16, 16, 16, 128]]), "alpha channel"),
                                (picture(1, 1, 16, RGBA, [wide([16, 16, 16, 128])]), "alpha channel"),
                                (picture(1, 1, 8, GREY, [[16]], clear), "transparent colour"),
                                (picture(1, 1, 8, PALETTE, [[0]], colours), "transparent colour"),
                                (picture(4, 1, 1, GREY, [[0b10100000]]), "less than 8 bits"),
                                (picture(2, 1, 4, GREY, [[0x1F]]), "less than 8 bits")):
            text = self.read(content, code=2)
            self.assertRegex(text, r"^pto: x\.png: .*%s.*\n$" % reason)

    def test_types_hold_all_samples_or_refuse_them(self):
        narrow = picture(3, 2, 8, GREY, [SAMPLES[:3], SAMPLES[3:]])
        content = picture(3, 2, 16, GREY, [wide(WIDE[:3]), wide(WIDE[3:])])
        self.assertEqual(self.read(content, "i32"), ("i32", (2, 3), WIDE))
        self.assertEqual(self.read(narrow, "i16"), ("i16", (2, 3), SAMPLES))
        self.assertEqual(self.read(content, "f32")[2], [struct.unpack("<f", struct.pack("<f", v / 65535))[0] for v in WIDE])
        for samples, dtype, bits in ((content, "u8", 16), (content, "i16", 16), (narrow, "i8", 8)):
            self.assertIn("holds u%d where %s is asked for" % (bits, dtype), self.read(samples, dtype, code=2))

    def test_sixteen_bits_go_out_and_in(self):
        npy.save(self.path("x.npy"), "u16", (2, 3), WIDE)
        self.write("p.pto", "func.func @f(%x: !pto.ptr<ui16>) {\n  return\n}\n")
        self.pto("run", "p.pto", "--in", "x=x.npy", "--out", "x=x.png")
        with open(self.path("x.png"), "rb") as file:
            content = file.read()
        self.assertEqual(content[24], 16)
        for name in (b"gAMA", b"sRGB", b"iCCP"):
            self.assertNotIn(name, content)
        self.pto("diff", "x.png", "x.npy")

    @unittest.skipIf(PHOTO is None, "the examples are not built")
    def test_the_example_has_the_same_reader(self):
        def photo(content, code):
            self.write("in.png", content)
            done = subprocess.run([PHOTO, "in.png", "out.png"], cwd=self.folder.name, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            return done.stderr
        rows = [[(r * c) % 256 for c in range(8)] for r in range(4)]
        photo(picture(8, 4, 8, GREY, rows), 0)
        with open(self.path("out.png"), "rb") as file:
            plain = file.read()
        # The same samples, whatever gamma is written beside them, and with 16 bits.
        for content in (picture(8, 4, 8, GREY, rows, GAMMA),
                        picture(8, 4, 16, GREY, [wide([v * 257 for v in row]) for row in rows])):
            photo(content, 0)
            with open(self.path("out.png"), "rb") as file:
                self.assertEqual(file.read(), plain)
        photo(picture(8, 4, 8, RGB, [[v for v in row for _ in range(3)] for row in rows]), 0)
        self.assertIn("alpha channel", photo(picture(8, 4, 8, GREY_ALPHA, [[v for v in row for _ in range(2)] for row in rows]), 1))


if __name__ == "__main__":
    unittest.main()
