"""`pto ops`, `pto info`, `pto diff` and what all commands share."""
import json
import math
import os
import re
import struct
import unittest
import zlib

from harness import ROOT, CommandTest

import npy


def png(width, height, kind, rows):
    """A PNG of 8-bit grey (kind 0) or RGB (kind 2) rows."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


class Common(CommandTest):
    def test_version_and_help(self):
        self.assertRegex(self.pto("--version"), r"^pto \d+\.\d+\.\d+\n$")
        self.assertIn("Usage: pto", self.pto("--help"))

    def test_usage_errors_are_exit_code_2(self):
        for args in [[], ["nonsense"], ["diff", "a.npy"], ["diff", "a", "b", "--ulp", "-1"], ["ops", "--wrong"]]:
            self.assertNotEqual(self.pto(*args, code=2), "")

    def test_no_colour_off_a_terminal(self):
        self.pto("ops", "none-such", code=1)
        self.assertNotIn("\033", self.stderr)

    def test_colour_on_a_terminal(self):
        import pty
        import subprocess
        from harness import PTO
        self.write("bad.pto", "%d = = x\n")

        def shown(*args, **env):
            main, terminal = pty.openpty()
            done = subprocess.run([PTO, *args], cwd=self.folder.name, stdin=terminal, stdout=terminal, stderr=terminal, timeout=60,
                                  env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, **env})
            os.close(terminal)
            text = b""
            try:
                while True:
                    text += os.read(main, 4096)
            except OSError:  # all was read
                os.close(main)
            return done.returncode, text.decode()
        for args in (["ops", "none-such"], ["diff", "none.npy", "none.npy"], ["check", "bad.pto"]):
            code, coloured = shown(*args)
            self.assertNotEqual(code, 0)
            self.assertIn("\033[1;31m", coloured, args)
            plain = re.sub("\033\\[[0-9;]*m", "", coloured)
            self.assertEqual(shown(*args, NO_COLOR="1"), (code, plain))

    def test_full_disk_is_reported(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        import subprocess
        from harness import PTO
        for args in (["ops"], ["ops", "--json"], ["info"], ["--version"], ["--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PTO, *args], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, b"^pto: standard output: [^\n]*\n$")

    def test_manual_names_every_option(self):
        with open(os.path.join(ROOT, "docs", "man", "pto.1")) as file:
            manual = file.read().replace("\\-", "-")
        commands = re.findall(r"^  ([a-z]+) {3,}", self.pto("--help").split("Subcommands:")[1], re.M)
        self.assertGreaterEqual(len(commands), 3)
        for command in commands:
            self.assertIn("pto %s" % command, manual)
            for option in set(re.findall(r"--[a-z-]+", self.pto(command, "--help"))) - {"--help"}:
                self.assertIn(option, manual, command)


class Ops(CommandTest):
    def test_list_and_json_agree(self):
        names = [line.split()[0] for line in self.pto("ops").splitlines()]
        table = json.loads(self.pto("ops", "--json"))
        self.assertEqual([op["name"] for op in table], names)
        self.assertEqual(names, sorted(names))
        with open(os.path.join(ROOT, "docs", "ops", "ops.json")) as file:
            documented = {op["name"]: op for op in json.load(file)}
        for op in table:
            for key in ("id", "brief", "formula", "operands", "flags", "dtypes"):
                self.assertEqual(op[key], documented[op["name"]][key], (op["name"], key))

    def test_one(self):
        self.assertIn("base[i,j] ** exp[i,j]", self.pto("ops", "tpow"))
        self.assertIn("  mode     mode: EQ NE LT LE GT GE\n", self.pto("ops", "tcmp"))
        modes = [o for o in json.loads(self.pto("ops", "tcmp", "--json"))["operands"] if o["role"] == "mode"]
        self.assertEqual([o["values"] for o in modes], [["EQ", "NE", "LT", "LE", "GT", "GE"]])
        self.assertEqual(json.loads(self.pto("ops", "tload", "--json"))["operands"][1],
                         {"name": "src", "role": "tensor in"})

    def test_unknown(self):
        self.pto("ops", "tnothing", code=1)
        self.assertEqual(self.stdout, b"")
        self.assertIn("no instruction is called tnothing", self.stderr)

    def test_info(self):
        text = self.pto("info")
        self.assertRegex(text, r"(?m)^target +\S+$")
        self.assertIn("bf16", text)


class Diff(CommandTest):
    def diff(self, dtype, a, b, *options, shape=None, code=0):
        shape = shape or (len(a),)
        npy.save(self.path("a.npy"), dtype, shape, a)
        npy.save(self.path("b.npy"), dtype, shape, b)
        return self.pto("diff", "a.npy", "b.npy", *options, code=code)

    def test_every_type_equals_itself(self):
        for dtype in npy.CODES:
            self.assertIn("same: 4 elements of %s\n" % dtype, self.diff(dtype, [0, 1, 2, 3], [0, 1, 2, 3]))

    def test_nan_inf_and_sign_are_errors_whatever_the_tolerance(self):
        for x, y, word in [(math.nan, 1.0, "NaN"), (1.0, math.inf, "infinity"), (0.0, -0.0, "signs"), (1.0, -1.0, "signs")]:
            for a, b in ((x, y), (y, x)):
                for dtype in ("f32", "f16"):
                    text = self.diff(dtype, [1.0, a], [1.0, b], "--ulp", "1e18", "--rtol", "1e9", code=1)
                    self.assertIn("different: 1 of 2", text)
                    self.assertIn(word, text)
        self.diff("f32", [math.nan, math.inf], [math.nan, math.inf])

    def test_ulp_of_every_float(self):
        for dtype, bits in (("f32", 0x3f800000), ("f16", 0x3c00), ("bf16", 0x3f80)):
            code = {"f32": ("<I", "<f"), "f16": ("<H", "<e"), "bf16": ("<H", "<H")}[dtype]
            def value(word):
                return struct.unpack(code[1], struct.pack(code[0], word))[0]
            text = self.diff(dtype, [value(bits), value(bits + 3)], [value(bits), value(bits)], "--ulp", "2", code=1)
            self.assertIn(", 3 ulp,", text)
            self.assertIn("worst    [1]:", text)
            self.assertIn("at most 3 ulp", self.diff(dtype, [value(bits + 3)], [value(bits)], "--ulp", "3"))

    def test_relative_to_zero(self):
        npy.save(self.path("a.npy"), "f32", (1,), [1.0])
        npy.save(self.path("b.npy"), "f32", (1,), [0.0])
        for rtol in ("0.5", "1e30"):
            self.pto("diff", "a.npy", "b.npy", "--rtol", rtol, code=1)

    def test_absolute(self):
        self.diff("f32", [1.0, 0.0], [1.25, 0.25], "--atol", "0.25")
        self.diff("f32", [1.0, 0.0], [1.25, 0.25], "--atol", "0.24", code=1)
        self.diff("i32", [1, -5], [3, -3], "--atol", "2")
        for x, y in ((math.nan, 1.0), (math.inf, 1.0), (1.0, -1.0)):
            self.diff("f32", [x], [y], "--atol", "1e30", code=1)
        self.pto("diff", "a.npy", "b.npy", "--atol", "-1", code=2)

    def test_json(self):
        a = [1.0, 2.0, math.nan, 4.0, -5.0, 6.0, math.inf, 8.0]
        b = [1.0, 2.0, 3.0, 4.0 + 2.0 ** -21, 5.0, 7.0, 1.0, 9.0]
        got = json.loads(self.diff("f32", a, b, "--json", "--ulp", "1", shape=(2, 4), code=1))
        self.assertEqual((got["same"], got["dtype"], got["shape"], got["elements"], got["different"], got["within"]),
                         (False, "f32", [2, 4], 8, 5, 1))
        self.assertEqual({k["kind"]: (k["count"], k["first"]) for k in got["kinds"]},
                         {"values apart": (2, [1, 1]), "NaN on one side": (1, [0, 2]), "infinity on one side": (1, [1, 2]), "signs apart": (1, [1, 0])})
        self.assertEqual((got["worst"]["at"], got["worst"]["a"], got["worst"]["b"], got["worst"]["ulp"]), ([1, 1], "6", "7", 2 ** 21))
        self.assertEqual(got["where"], {"rows": [0, 1], "columns": [0, 3], "busiest": [1, 2]})
        got = json.loads(self.diff("f32", [1.0], [1.0], "--json"))
        self.assertEqual((got["same"], got["different"], got["kinds"]), (True, 0, []))
        npy.save(self.path("b.npy"), "f32", (2,), [1.0, 2.0])
        self.assertFalse(json.loads(self.pto("diff", "a.npy", "b.npy", "--json", code=1))["same"])

    def test_picture(self):
        a = [1.0, 1.0, math.nan, math.inf, -1.0, 1.0]
        b = [1.0, 1.0 + 2.0 ** -23, 1.0, 1.0, 1.0, 2.0]
        self.diff("f32", a, b, "--ulp", "1", "--picture", "d.png", shape=(2, 3), code=1)
        with open(self.path("d.png"), "rb") as file:
            data = file.read()
        self.assertEqual(struct.unpack(">II", data[16:24]), (3, 2))
        self.pto("run", "-", "--in", "p=d.png", "--out", "p=d.npy", stdin=b"func.func @f(%p: !pto.ptr<u8>) {\n  return\n}\n")
        dtype, shape, pixels = npy.load(self.path("d.npy"))
        self.assertEqual((dtype, shape), ("u8", (2, 3, 3)))
        colours = [tuple(pixels[i:i + 3]) for i in range(0, 18, 3)]
        self.assertEqual(colours[:5], [(0, 0, 0), (0, 96, 0), (255, 0, 200), (255, 60, 0), (0, 190, 255)])
        self.assertGreater(sum(colours[5]), 300)
        self.assertIn("name a .png", self.pto("diff", "a.npy", "b.npy", "--picture", "d.npy", code=2))
        for out, reason in (("nowhere/d.png", "No such file"), ("/dev/full", "")):
            self.pto("diff", "a.npy", "b.npy", "--picture", out, code=2)
        self.assertEqual(len(data), os.path.getsize(self.path("d.png")))

    def test_rtol_and_integers(self):
        self.diff("f32", [101.0], [100.0], "--rtol", "0.0101")
        self.diff("f32", [101.0], [100.0], "--rtol", "0.009", code=1)
        self.assertIn("9223372036854775807 against 9223372036854775806",
                      self.diff("i64", [2**63 - 1], [2**63 - 2], code=1))
        self.assertIn("1 ulp", self.diff("u64", [2**64 - 1], [2**64 - 2], code=1))
        self.assertIn("255 ulp", self.diff("i8", [-128], [127], code=1))

    def test_clusters(self):
        a = [0] * 64
        b = list(a)
        for place in (3 * 8 + 5, 3 * 8 + 6, 5 * 8 + 6):
            b[place] = 7
        text = self.diff("i32", a, b, shape=(8, 8), code=1)
        self.assertIn("where    rows 3..5 of 8, columns 5..6 of 8", text)
        self.assertIn("busiest  row 3 (2), column 6 (2)", text)
        self.assertIn("the first at [3,5]: 0 against 7", text)

    def test_types_of_a_byte_or_less(self):
        """A file has their codes and not their type; steps are those between values, whatever the codes."""
        for dtype in npy.SMALL:
            codes = list(range(16)) if dtype in ("e2m1", "e1m2", "i4") else list(range(256))
            self.assertIn("same: %d elements of %s\n" % (len(codes), dtype), self.diff(dtype, codes, codes, "--dtype", dtype))
        steps = [("e2m1", 5, 6, 1, "3 against 4"), ("e2m1", 7, 0, 7, "6 against 0"), ("e1m2", 9, 11, 2, "-0.25 against -0.75"),
                 ("e8m0", 127, 128, 1, "1 against 2"), ("e4m3", 0x7E, 0x7D, 1, "448 against 416"), ("i4", 7, 8, 15, "7 against -8"),
                 ("hif8", 8, 9, 1, "1 against 1.125"), ("hif8", 15, 16, 1, "1.875 against 2")]
        for dtype, a, b, ulps, text in steps:
            found = self.diff(dtype, [a], [b], "--dtype", dtype, code=1)
            self.assertIn("%s, %d ulp" % (text, ulps), found, dtype)
            self.diff(dtype, [a], [b], "--dtype", dtype, "--ulp", str(ulps))
            self.diff(dtype, [a], [b], "--dtype", dtype, "--ulp", str(ulps - 0.5), code=1)
        self.assertIn("signs apart", self.diff("e2m1", [0], [8], "--dtype", "e2m1", code=1))
        self.assertIn("NaN on one side", self.diff("e8m0", [255], [8], "--dtype", "e8m0", code=1))
        self.assertIn("--dtype e9m9: there is no such element type", self.diff("u8", [0], [0], "--dtype", "e9m9", code=2))
        self.assertIn("holds f32 where e4m3 is asked for", self.diff("f32", [0], [0], "--dtype", "e4m3", code=2))

    def test_shapes_and_types_differ(self):
        npy.save(self.path("a.npy"), "f32", (2, 2), [0] * 4)
        npy.save(self.path("b.npy"), "f32", (4,), [0] * 4)
        npy.save(self.path("c.npy"), "i32", (4,), [0] * 4)
        self.assertIn("2x2 of f32 against 4 of f32", self.pto("diff", "a.npy", "b.npy", code=1))
        self.assertIn("4 of f32 against 4 of i32", self.pto("diff", "b.npy", "c.npy", code=1))

    def test_empty_and_scalar(self):
        npy.save(self.path("a.npy"), "f32", (0, 3), [])
        npy.save(self.path("b.npy"), "f32", (), [1.0])
        self.pto("diff", "a.npy", "a.npy")
        self.pto("diff", "b.npy", "b.npy")

    def test_pictures(self):
        self.write("a.png", png(3, 2, 0, [[0, 1, 2], [3, 4, 5]]))
        self.write("b.png", png(3, 2, 0, [[0, 1, 2], [3, 4, 6]]))
        self.write("c.png", png(1, 2, 2, [[0, 1, 2], [3, 4, 5]]))
        npy.save(self.path("a.npy"), "u8", (2, 3), range(6))
        npy.save(self.path("c.npy"), "u8", (2, 1, 3), range(6))
        self.pto("diff", "a.png", "a.npy")
        self.pto("diff", "c.png", "c.npy")
        self.assertIn("[1,2]: 5 against 6", self.pto("diff", "a.png", "b.png", code=1))


class Npy(CommandTest):
    def test_versions_and_fortran_order(self):
        npy.save(self.path("a.npy"), "i16", (2, 3), [1, 2, 3, 4, 5, 6])
        for version in (1, 2, 3):
            npy.save(self.path("b.npy"), "i16", (2, 3), [1, 4, 2, 5, 3, 6], version=version, fortran=True)
            self.pto("diff", "a.npy", "b.npy")

    def test_standard_input(self):
        npy.save(self.path("a.npy"), "i16", (2,), [1, 2])
        self.pto("diff", "-", "a.npy", stdin=npy.dumps("i16", (2,), [1, 2]))

    def test_other_formats_say_how_to_convert(self):
        for name, how in (("x.csv", 'np.save("x.npy", np.loadtxt("x.csv", np.float32, delimiter=","))'), ("x.txt", 'np.loadtxt("x.txt", np.float32)'),
                          ("x.bin", 'np.fromfile("x.bin", np.float32).reshape(ROWS, COLS)'), ("x.npz", 'np.load("x.npz")["NAME"]')):
            self.write(name, "1,2\n3,4\n")
            self.assertIn("%s is not an .npy file. Inputs are .npy or .png files; convert it: " % name, self.pto("diff", name, name, code=2))
            self.assertIn(how, self.stderr)
        npy.save(self.path("f.npy"), "f32", (2,), [0.0] * 2)
        for dtype, how in (("bf16", "x.astype(ml_dtypes.bfloat16), or the bits as np.uint16"), ("f16", "x.astype(np.float16)"), ("u32", "x.astype(np.uint32)"),
                           ("e4m3", "x.astype(ml_dtypes.float8_e4m3fn), or the bits as np.uint8"), ("i4", "its codes as np.uint8, one byte for each element")):
            self.assertIn("holds f32 where %s is asked for; save %s\n" % (dtype, how), self.pto("diff", "f.npy", "f.npy", "--dtype", dtype, code=2))

    def test_bad_files_name_file_and_reason(self):
        good = npy.dumps("f32", (2, 2), [0.0] * 4)
        cases = [
            (b"", "is not an .npy file"),
            (b"hello, world, this is text", "is not an .npy file"),
            (good[:40], "ends inside the header"),
            (good[:-1], "15 bytes of data where the shape 2x2 of f32 has 16"),
            (good + b"x", "17 bytes of data"),
            (good[:6] + b"\x09" + good[7:], "version 9"),
            (good[:6] + b"\0" + good[7:], "version 0"),
            (good[:6] + b"\4" + good[7:], "version 4"),
            (b"\x93NUMPX" + good[6:], "is not an .npy file"),
            (good[:6] + b"\2" + good[7:11], "ends inside the header"),
            (good.replace(b"'<f4'", b"''   "), "element type  is not supported"),
            (npy.dumps("f32", (2,), [0.0] * 2, descr=">f4"), "save it little-endian"),
            (npy.dumps("f32", (2,), [0.0] * 2, descr="<f8"), "element type <f8 is not supported; save x.astype(np.float32)"),
            (npy.dumps("u8", (2,), [0] * 2, descr="|b1"), "element type |b1 is not supported; save x.astype(np.uint8)"),
            (npy.dumps("f32", (2,), [0.0] * 2, descr="|O"), "element type |O"),
            (good.replace(b"'descr'", b"'wrong'"), "is not an .npy header"),
            (good.replace(b"(2, 2)", b"(-2,2)"), "is not an .npy header"),
            (good.replace(b"(2, 2)", b"(2, 2 "), "is not an .npy header"),
            (npy.dumps("f32", (2**40, 2**40), []), "0 bytes of data"),
        ]
        for content, reason in cases:
            self.write("bad.npy", content)
            text = self.pto("diff", "bad.npy", "bad.npy", code=2)
            self.assertEqual(text.count("\n"), 1, text)
            self.assertIn("bad.npy", text)
            self.assertIn(reason, text)
        self.assertIn("none.npy: No such file", self.pto("diff", "none.npy", "none.npy", code=2))
        self.write("bad.png", b"\x89PNG\r\n\x1a\nrubbish")
        self.assertIn("bad.png: ", self.pto("diff", "bad.png", "bad.png", code=2))

    def test_every_cut_of_a_file_is_refused(self):
        good = npy.dumps("u8", (2, 2), [1, 2, 3, 4])
        for size in range(0, len(good), 7):
            self.write("cut.npy", good[:size])
            self.pto("diff", "cut.npy", "cut.npy", code=2)

    def test_numpy_agrees(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not there")
        for dtype in ("int8", "uint16", "float16", "float32", "uint64"):
            array = numpy.arange(12).reshape(3, 4).astype(dtype)
            numpy.save(self.path("a.npy"), array)
            numpy.save(self.path("b.npy"), numpy.asfortranarray(array))
            self.pto("diff", "a.npy", "b.npy")


if __name__ == "__main__":
    unittest.main(verbosity=1)
