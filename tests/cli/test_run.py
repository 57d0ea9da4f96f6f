"""`pto run`, `pto check`, `pto fmt`, and the examples."""
import json
import math
import ctypes
import os
import re
import resource
import struct
import subprocess
import unittest

from harness import PROFILES, PTO, ROOT, CommandTest

import npy

EXAMPLES = os.path.join(ROOT, "examples")

COPY = """func.func @copy(%x: !pto.ptr<TYPE>, %y: !pto.ptr<TYPE>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %xs = pto.make_tensor_view %x, shape = [%c2, %c3], strides = [%c3, %c1] : !pto.tensor_view<2x3xTYPE>
  %ys = pto.make_tensor_view %y, shape = [%c2, %c3], strides = [%c3, %c1] : !pto.tensor_view<2x3xTYPE>
  %xw = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c2, %c3] : !pto.tensor_view<2x3xTYPE> -> !pto.partition_tensor_view<2x3xTYPE>
  %yw = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c2, %c3] : !pto.tensor_view<2x3xTYPE> -> !pto.partition_tensor_view<2x3xTYPE>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x3xTYPE>
  pto.tload ins(%xw : !pto.partition_tensor_view<2x3xTYPE>) outs(%t : !pto.tile_buf<vec, 2x3xTYPE>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 2x3xTYPE>) outs(%yw : !pto.partition_tensor_view<2x3xTYPE>)
  return
}
"""


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


class Run(CommandTest):
    def test_every_type_goes_in_and_out(self):
        for dtype in npy.CODES:
            name = dtype.replace("u", "ui") if dtype[0] == "u" else dtype
            self.write("copy.pto", COPY.replace("TYPE", name))
            npy.save(self.path("x.npy"), dtype, (2, 3), [1, 2, 3, 4, 5, 6])
            self.pto("run", "copy.pto", "--in", "x=x.npy", "--out", "y=y.npy", "--shape", "y=2x3")
            self.assertEqual(npy.load(self.path("y.npy")), (dtype, (2, 3), [1, 2, 3, 4, 5, 6]))

    def test_bf16_from_u2(self):
        self.write("copy.pto", COPY.replace("TYPE", "bf16"))
        npy.save(self.path("x.npy"), "u16", (6,), [1, 2, 3, 4, 5, 6])
        self.pto("run", "copy.pto", "--in", "0=x.npy", "--out", "1=y.npy", "--shape", "1=6:bf16")
        self.assertEqual(npy.load(self.path("y.npy")), ("bf16", (6,), [1, 2, 3, 4, 5, 6]))

    def test_standard_input_and_output(self):
        npy.save(self.path("x.npy"), "i32", (2, 3), [1, 2, 3, 4, 5, 6])
        self.pto("run", "-", "--in", "x=x.npy", "--out", "y=-", "--shape", "y=2x3",
                 stdin=COPY.replace("TYPE", "i32").encode())
        self.assertEqual(self.stdout, npy.dumps("i32", (2, 3), [1, 2, 3, 4, 5, 6]))

    def test_boxes_in_global_memory(self):
        """A dense 32x16 matrix in boxes of 16x8, by its layout; and what is inferred from sizes and strides."""
        text = """func.func @main(%%p: !pto.ptr<f32>, %%o: !pto.ptr<f32>) {
  %%c1 = arith.constant 1 : index
  %%c2 = arith.constant 2 : index
  %%c8 = arith.constant 8 : index
  %%c16 = arith.constant 16 : index
  %%c128 = arith.constant 128 : index
  %%c256 = arith.constant 256 : index
  %%c512 = arith.constant 512 : index
  %%v = pto.make_tensor_view %%p, shape = [%s], strides = [%s]%s : !pto.tensor_view<?x?x?x?x?xf32>
  %%w = pto.make_tensor_view %%o, shape = [%%c1, %%c1, %%c1, %%c1, %%c512], strides = [%%c1, %%c1, %%c1, %%c1, %%c1] : !pto.tensor_view<?x?x?x?x?xf32>
  %%t = pto.alloc_tile : !pto.tile_buf<vec, %sxf32>
  pto.tload ins(%%v) outs(%%t)
  %%u = pto.treshape %%t : !pto.tile_buf<vec, %sxf32> -> !pto.tile_buf<vec, 1x512xf32>
  pto.tstore ins(%%u) outs(%%w)
  return
}
"""
        values = list(range(512))
        npy.save(self.path("p.npy"), "f32", (512,), values)
        npy.save(self.path("o0.npy"), "f32", (512,), [0] * 512)
        for shape, strides, layout, tile, want in (
                ("%c1, %c2, %c2, %c16, %c8", "%c512, %c256, %c128, %c8, %c1", " {layout = #pto.layout<nz>}", "32x16",
                 [c // 8 * 256 + r * 8 + c % 8 for r in range(32) for c in range(16)]),
                # Rows are (16, 8), columns (2, 2): the dialect reads them as boxes.
                ("%c1, %c2, %c16, %c8, %c2", "%c1, %c256, %c16, %c2, %c1", "", "128x4",
                 [c // 2 * 256 + r * 2 + c % 2 for r in range(128) for c in range(4)])):
            self.write("boxes.pto", text % (shape, strides, layout, tile, tile))
            self.pto("run", "boxes.pto", "--in", "p=p.npy", "--in", "o=o0.npy",
                     "--out", "o=o.npy")
            self.assertEqual(npy.load(self.path("o.npy"))[2], want, layout)

    def test_stores_that_add(self):
        npy.save(self.path("x.npy"), "i32", (2, 3), [1, 2, 3, 4, 5, 6])
        npy.save(self.path("y.npy"), "i32", (2, 3), [10, 20, 30, 40, 50, 60])
        for attribute, want in (("", [1, 2, 3, 4, 5, 6]), (" {atomicType = #pto<atomic_type atomic_none>}", [1, 2, 3, 4, 5, 6]),
                                (" {atomicType = #pto<atomic_type atomic_add>}", [11, 22, 33, 44, 55, 66])):
            self.pto("run", "-", "--in", "x=x.npy", "--in", "y=y.npy", "--out", "y=z.npy",
                     stdin=COPY.replace("TYPE", "i32").replace("\n  return", attribute + "\n  return").encode())
            self.assertEqual(npy.load(self.path("z.npy")), ("i32", (2, 3), want), attribute)

    def test_bare_statement(self):
        self.write("p.pto", "%dst = tpow %base, %exp, %tmp : !pto.tile<...>\n")
        npy.save(self.path("b.npy"), "f32", (2, 2), [2, 3, 4, 5])
        npy.save(self.path("e.npy"), "f32", (2, 2), [3, 2, 1, 0])
        for profile in PROFILES:
            self.pto("run", "p.pto", "--profile", profile, "--in", "base=b.npy", "--in", "exp=e.npy", "--shape", "tmp=2x2:f32",
                     "--out", "dst=d.npy")
            self.assertEqual(npy.load(self.path("d.npy")), ("f32", (2, 2), [8, 9, 4, 1]))
        self.assertIn("%dst: 2x2 of f32\n  8 9\n  4 1\n",
                      self.pto("run", "p.pto", "--in", "base=b.npy", "--in", "exp=e.npy", "--in", "tmp=e.npy", "--dump", "%dst"))

    def test_trace(self):
        self.write("p.pto", "%dst = trsqrt %src : !pto.tile<...>\n")
        npy.save(self.path("s.npy"), "f32", (1, 1), [4])
        self.pto("run", "p.pto", "--in", "src=s.npy", "--trace", "t.json", "--blocks", "2")
        with open(self.path("t.json")) as file:
            events = json.load(file)
        self.assertEqual([(e["name"], e["pid"], e["ph"]) for e in events if e["ph"] != "M"], [("trsqrt", 0, "X"), ("trsqrt", 1, "X")])

    def test_a_failing_run_writes_nothing(self):
        self.write("copy.pto", COPY.replace("TYPE", "f32"))
        npy.save(self.path("x.npy"), "f32", (5,), [1, 2, 3, 4, 5])
        text = self.pto("run", "copy.pto", "--in", "x=x.npy", "--out", "y=y.npy", "--shape", "y=2x3", code=2)
        self.assertRegex(text, r"^pto: x\.npy: .*24 bytes where the memory has 20 \(line 6 of the program\)\n$")
        self.assertEqual(self.files(), ["copy.pto", "x.npy"])
        self.write("trap.pto", COPY.replace("TYPE", "f32").replace("  return", "  pto.trap\n  return"))
        npy.save(self.path("x.npy"), "f32", (2, 3), [1] * 6)
        self.pto("run", "trap.pto", "--in", "x=x.npy", "--out", "y=y.npy", "--shape", "y=2x3", code=1)
        self.assertRegex(self.stderr, r"^trap\.pto:13:3: error: .*\[trap\]\n")
        self.assertEqual(self.files(), ["copy.pto", "trap.pto", "x.npy"])

    def test_an_output_that_is_written_in_part(self):
        """A warning, once: unless the program reads it, or it is bound to data."""
        self.write("copy.pto", COPY.replace("TYPE", "f32"))
        npy.save(self.path("x.npy"), "f32", (2, 3), [1] * 6)
        warning = "6 of the 12 elements of %y are not written [output-part]"
        base = ["run", "copy.pto", "--in", "x=x.npy", "--flat"]
        self.pto(*base, "--shape", "y=4x3", "--out", "y=y.npy")
        self.assertEqual(self.stderr.count(warning), 1, self.stderr)
        self.assertEqual(npy.load(self.path("y.npy"))[2], [1] * 6 + [0] * 6)
        for more in (["--shape", "y=2x3"], ["--in", "y=zeros", "--shape", "y=4x3"]):
            self.pto(*base, *more)
            self.assertEqual(self.stderr, "")

    def test_usage(self):
        self.write("copy.pto", COPY.replace("TYPE", "f32"))
        npy.save(self.path("x.npy"), "f32", (2, 3), [1] * 6)
        npy.save(self.path("i.npy"), "i32", (2, 3), [1] * 6)
        base = ["run", "copy.pto"]
        cases = [
            (["--in", "x"], "--in x: write NAME=FILE, such as x=x.npy"), (["--out", "%y="], "--out %y=: write NAME=FILE, such as %y=y.npy"), (["--shape", "x"], "write NAME=RxC, such as x=16x16:f32"), (["--int", "=3"], "--int =3: write NAME=N\n"),
            (["--in", "x=x.npy", "--in", "x=x.npy"], "is given twice"),
            (["--in", "z=x.npy"], "has no argument z"),
            (["--in", "x=none.npy"], "none.npy: No such file"),
            (["--out", "y=y.npy"], "add --shape y=RxC"),
            (["--shape", "y=2x"], "write extents by x"),
            (["--shape", "y=2x3:f99"], "no element type is called f99"),
            (["--in", "x=x.npy", "--shape", "x=7"], "has the shape 2x3 where 7 is asked for"),
            (["--in", "x=x.npy", "--shape", "x=i32"], "holds f32 where i32 is asked for"),
            (["--int", "x=1"], "--int x: the argument takes something else; it is an array: --in x=FILE, or --shape x=RxC:DTYPE"),
            (["--float", "x=1"], "--float x: the argument takes something else"),
            (["--shape", "y=100000x100000"], "--shape y: more than 8 GiB"),
            (["--entry", "none"], "copy.pto: no function is called none"),
            (["--in", "x=x.npy"], "copy.pto: %y takes a pointer and is not bound (line 1 of the program)"),
            (["--profile", "a9"], "a9"),
            (["--blocks", "0"], "blocks"),
            (["--threads", "0"], "threads"),
        ]
        for options, message in cases:
            self.assertIn(message, self.pto(*base, *options, code=2))
        self.assertIn("No such file", self.pto("run", "none.pto", code=2))
        out = ["--in", "x=x.npy", "--shape", "y=2x3"]
        self.assertIn("nowhere/y.npy: No such file", self.pto(*base, *out, "--out", "y=nowhere/y.npy", code=2))
        self.assertIn("a picture is RxC", self.pto(*base, "--in", "x=x.npy", "--shape", "y=6", "--out", "y=y.png", code=2))
        text = self.pto(*base, "--in", "x=i.npy", "--out", "y=y.npy", "--shape", "y=2x3", code=2)
        self.assertEqual(text, "pto: i.npy: %x holds f32 and is bound to i32 (line 1 of the program)\n")
        self.write("numbers.pto", "func.func @f(%n: index, %s: f32) {\n return\n}\n")
        for options in (["--in", "n=x.npy"], ["--shape", "n=2"], ["--float", "n=1"]):
            self.assertIn("the argument takes something else; it is an integer: --int n=N\n", self.pto("run", "numbers.pto", *options, code=2))
        self.assertIn("something else; it is a number: --float s=X", self.pto("run", "numbers.pto", "--in", "s=x.npy", code=2))
        self.assertIn("%s takes a float and is bound to an integer",
                      self.pto("run", "numbers.pto", "--int", "n=1", "--int", "s=1", code=2))
        # A bare statement leaves the type of a number open.
        for option in ("--int", "--float"):
            line = b"pto.texpands ins(%s) outs(%t : !pto.tile_buf<vec, 2x8xf32>)\n"
            self.pto("run", "-", option, "s=3", "--out", "t=t.npy", stdin=line)
            self.assertEqual(npy.load(self.path("t.npy")), ("f32", (2, 8), [3.0] * 16))
        self.assertIn("is not a 64-bit integer", self.pto("run", "numbers.pto", "--int", "n=1.5", code=2))
        self.assertIn("is not a number", self.pto("run", "numbers.pto", "--float", "s=1.5x", code=2))
        # Views and tiles have a shape of their own in the program.
        for statement, reason in (("%t = tload %x : !pto.partition_tensor_view<2x4xf32> -> !pto.tile<...>", "other dimensions"),
                                  ("%t = trsqrt %x : !pto.tile<2x2xf32>", "has the shape 2x3 where the tile has 2x2"),
                                  ("%t = trsqrt %x : !pto.tile<2x3xf16>", "holds f32 where the program declares f16")):
            self.write("one.pto", statement + "\n")
            text = self.pto("run", "one.pto", "--in", "x=x.npy", code=2)
            self.assertRegex(text, r"^pto: x\.npy: .*%s.*\n$" % reason)

    def test_outputs_appear_together_or_not_at_all(self):
        self.write("copy.pto", COPY.replace("TYPE", "f32"))
        npy.save(self.path("x.npy"), "f32", (2, 3), [1] * 6)
        self.write("y.npy", "before")
        good = ["run", "copy.pto", "--in", "x=x.npy", "--shape", "y=2x3", "--out", "y=y.npy"]
        for out, reason in (("nowhere/x.npy", "No such file"), ("/dev/full", "No space left"), (".", "Is a directory")):
            for option in (["--out", "x=" + out], ["--trace", out]):
                text = self.pto(*good, *option, code=2)
                self.assertEqual(text.count("\n"), 1)
                self.assertRegex(text, "^pto: %s: %s" % (re.escape(out), reason))
                self.assertEqual(self.files(), ["copy.pto", "x.npy", "y.npy"])
                with open(self.path("y.npy")) as file:
                    self.assertEqual(file.read(), "before")
        # A limit on the size of files stops the second of two, as a full disk would.
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        args = [PTO, "run", "copy.pto", "--in", "x=x.npy", "--in", "y=zeros", "--shape", "y=600", "--out", "x=a.npy", "--out", "y=b.npy"]
        # The runtime of coverage would report on stderr that it cannot write, either.
        env = {**os.environ, "LLVM_PROFILE_FILE": os.devnull}
        done = subprocess.run(args, cwd=self.folder.name, preexec_fn=small, stderr=subprocess.PIPE, env=env)
        self.assertEqual((done.returncode, done.stderr), (2, b"pto: b.npy: File too large\n"))
        self.assertEqual(self.files(), ["copy.pto", "x.npy", "y.npy"])
        self.pto(*good, "--out", "x=x2.npy", "--trace", "t.json")
        self.assertEqual(self.files(), ["copy.pto", "t.json", "x.npy", "x2.npy", "y.npy"])

    def test_a_protected_file_is_not_replaced(self):
        self.write("p.pto", "%d   =  trsqrt   %s\n")
        os.chmod(self.path("p.pto"), 0o444)

        def mortal():  # root, too, obeys permissions once it has lost CAP_DAC_OVERRIDE
            ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)

        done = subprocess.run([PTO, "fmt", "--write", "p.pto"], cwd=self.folder.name, preexec_fn=mortal, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("p.pto: Permission denied", done.stderr)
        self.assertEqual(self.files(), ["p.pto"])

    def test_fmt_keeps_owner_and_hard_links(self):
        self.write("p.pto", "%d   =  trsqrt   %s   // as long as it is\n")
        os.link(self.path("p.pto"), self.path("same.pto"))
        before = os.stat(self.path("p.pto"))
        self.pto("fmt", "--write", "p.pto")
        after = os.stat(self.path("p.pto"))
        self.assertEqual((after.st_ino, after.st_nlink, after.st_uid, after.st_gid, after.st_mode), (before.st_ino, 2, before.st_uid, before.st_gid, before.st_mode))
        with open(self.path("same.pto")) as file:
            self.assertEqual(file.read(), "%d = trsqrt %s  // as long as it is\n")
        # A canonical file is not touched.
        os.utime(self.path("p.pto"), ns=(1, 1))
        self.pto("fmt", "--write", "p.pto")
        self.assertEqual(os.stat(self.path("p.pto")).st_mtime_ns, 1)

    def test_fmt_keeps_another_owner(self):
        self.write("p.pto", "%d   =  trsqrt   %s\n")
        # Only root can give files away; others have their own group at least.
        wanted = (1234, 2345) if os.geteuid() == 0 else (os.geteuid(), os.getgroups()[-1] if os.getgroups() else os.getegid())
        os.chown(self.path("p.pto"), *wanted)
        self.pto("fmt", "--write", "p.pto")
        found = os.stat(self.path("p.pto"))
        self.assertEqual((found.st_uid, found.st_gid), wanted)
        with open(self.path("p.pto")) as file:
            self.assertEqual(file.read(), "%d = trsqrt %s\n")

    def test_an_output_keeps_rights_and_links(self):
        self.write("p.pto", "%d   =  trsqrt   %s\n")
        os.chmod(self.path("p.pto"), 0o640)
        os.symlink("p.pto", self.path("link.pto"))
        self.pto("fmt", "--write", "link.pto")
        self.assertTrue(os.path.islink(self.path("link.pto")))
        self.assertEqual(os.stat(self.path("p.pto")).st_mode & 0o777, 0o640)
        with open(self.path("p.pto")) as file:
            self.assertEqual(file.read(), "%d = trsqrt %s\n")

    def test_a_link_to_no_file_is_written_through(self):
        self.write("p.pto", "%d   =  trsqrt   %s\n")
        os.mkdir(self.path("sub"))
        os.symlink("sub/one", self.path("link"))
        os.symlink("two.json", self.path("sub/one"))
        self.pto("lint", "p.pto", "--format", "json", "--out", "link")
        self.assertTrue(os.path.islink(self.path("link")) and os.path.islink(self.path("sub/one")))
        self.assertTrue(os.path.isfile(self.path("sub/two.json")))
        os.symlink(self.path("full.json"), self.path("absolute"))
        self.pto("lint", "p.pto", "--format", "json", "--out", "absolute")
        self.assertTrue(os.path.isfile(self.path("full.json")))
        os.symlink("round", self.path("round"))
        self.assertIn("round: Too many levels of symbolic links", self.pto("lint", "p.pto", "--format", "json", "--out", "round", code=2))
        os.symlink("none/x", self.path("nowhere"))
        self.assertIn("nowhere: No such file", self.pto("lint", "p.pto", "--format", "json", "--out", "nowhere", code=2))

    def test_two_outputs_to_one_file(self):
        self.write("p.pto", "func.func @f(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>) {\n %c0 = arith.constant 0 : index\n"
                   " %f = arith.constant 1.0 : f32\n pto.store_scalar %f, %a[%c0] : !pto.ptr<f32>, f32\n"
                   " pto.print ins(\"ran\")\n return\n}\n")
        run = ["run", "p.pto", "--shape", "a=1x4", "--shape", "b=1x4", "--out", "a=x.npy", "--out"]
        before = self.files()
        os.symlink("x.npy", self.path("link.npy"))
        os.symlink(".", self.path("here"))
        for other in ("x.npy", "./x.npy", "link.npy", "here/x.npy", self.path("x.npy")):
            with self.subTest(other):
                self.pto(*run, "b=" + other, code=2)
                self.assertIn("another output already uses this file, as ", self.stderr)
                self.assertNotIn(b"ran", self.stdout)
                self.assertFalse(os.path.exists(self.path("x.npy")))
        self.pto(*run, "b=y.npy", "--report", "./y.npy", code=2)
        self.assertEqual(set(self.files()), {*before, "link.npy", "here"})
        self.pto(*run, "b=/dev/null", "--trace", "/dev/null")
        self.assertTrue(os.path.exists(self.path("x.npy")))

    def test_step_limit(self):
        self.write("p.pto", "func.func @f() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
                   " %n = arith.constant 1000000000000 : index\n scf.for %i = %c0 to %n step %c1 {\n }\n return\n}\n")
        self.pto("run", "p.pto", "--max-steps", "1000", code=1)
        self.assertIn("[step-limit]", self.stderr)
        self.pto("run", "p.pto", "--max-steps", "9000000000000000000", "--timeout", "0.02", code=1)
        self.assertIn("[time-limit]", self.stderr)
        for wrong in ("0", "-1", "x"):
            self.pto("run", "p.pto", "--timeout", wrong, code=2)

    def test_on_chip_limit(self):
        self.write("p.pto", "func.func @f() {\n %a = arith.constant 1073741824 : i64\n"
                   " %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>\n return\n}\n")
        self.pto("run", "p.pto", code=1)
        self.assertIn("1073741824 end after the 1073741824 bytes of vec under CPU [address-range]", self.stderr)
        self.assertIn("help: ", self.stderr)
        self.pto("run", "p.pto", "--on-chip-limit", "1073742080")
        self.pto("run", "p.pto", "--on-chip-limit", "1073742079", code=1)
        self.pto("run", "p.pto", "--on-chip-limit", "65536", "--profile", "a5", code=2)
        self.assertIn("65536 bytes under A5", self.stderr)
        for wrong in ("0", "-1", "x"):
            self.pto("run", "p.pto", "--on-chip-limit", wrong, code=2)

    def test_pictures(self):
        self.write("copy.pto", COPY.replace("TYPE", "f32"))
        npy.save(self.path("x.npy"), "f32", (2, 3), [0, 0.2, 0.4, 0.6, 2, -1])
        self.pto("run", "copy.pto", "--in", "x=x.npy", "--out", "y=y.png", "--shape", "y=2x3")
        npy.save(self.path("want.npy"), "u8", (2, 3), [0, 51, 102, 153, 255, 0])
        self.pto("diff", "y.png", "want.npy")
        # And back: a picture becomes numbers of the program's type, 0 to 1.
        self.pto("run", "copy.pto", "--in", "x=y.png", "--out", "y=y.npy", "--shape", "y=2x3")
        self.assertEqual(npy.load(self.path("y.npy"))[2], [f32(v / 255) for v in (0, 51, 102, 153, 255, 0)])


class CheckAndFmt(CommandTest):
    def test_check_names_every_file(self):
        self.write("good.pto", "%d = trsqrt %s : !pto.tile<...>\n")
        self.write("bad.pto", "func.func @f() {\n %x = arith.constant : i32\n return\n}\n")
        self.pto("check", "good.pto")
        self.pto("check", "good.pto", "bad.pto", code=1)
        self.assertRegex(self.stderr, r"^bad\.pto:2:\d+: error: .*\[[a-z-]+\]\n arith|bad\.pto:2")
        self.assertIn("^", self.stderr)
        found = json.loads(self.pto("check", "--json", "good.pto", "bad.pto", code=1))
        self.assertEqual([(d["file"], d["line"], d["severity"]) for d in found], [("bad.pto", 2, "error")])
        self.assertEqual(json.loads(self.pto("check", "--json", "good.pto")), [])
        self.assertIn("none.pto: No such file", self.pto("check", "--json", "bad.pto", "none.pto", code=2))
        self.assertEqual(self.stdout, b"")  # no half of a list
        self.assertIn("/dev/zero: File too large", self.pto("check", "/dev/zero", code=2))

    def test_warnings_are_errors_on_demand(self):
        self.write("warned.pto", "%t = pto.alloc_tile {addres = 32} : !pto.tile_buf<vec, 2x2xf32>\n"
                                 "pto.print ins(\"here\")\n")
        for command in ("check", "run"):
            self.assertEqual(self.pto(command, "warned.pto"), "here\n" if command == "run" else "")
            self.assertRegex(self.stderr, r"^warned\.pto:1:\d+: warning: .*addres.*\[unknown-attribute\]\n")
            self.assertEqual(self.pto(command, "--werror", "warned.pto", code=1), "")
            self.assertIn("[unknown-attribute]", self.stderr)
        found = json.loads(self.pto("check", "--json", "warned.pto"))
        self.assertEqual([d["severity"] for d in found], ["warning"])
        self.pto("check", "--json", "--werror", "warned.pto", code=1)

    def test_a_nul_is_refused_and_nothing_is_cut(self):
        for text in (b"// a\0b\n%d = trsqrt %s\n", b"%d = trsqrt %s {a = \"x\0y\"}\n", b"%d = trsqrt %s\n\0"):
            self.write("p.pto", text)
            self.pto("fmt", "--write", "p.pto", code=1)
            self.assertIn("[character]", self.stderr)
            with open(self.path("p.pto"), "rb") as file:
                self.assertEqual(file.read(), text)

    def test_profile_of_the_program_and_of_the_caller(self):
        text = ("module attributes {pto.target_arch = \"a3\"} {\n func.func @f() {\n"
                "  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x4xf32>\n  return\n }\n}\n")
        self.write("p.pto", text)
        self.pto("check", "p.pto", code=1)
        self.assertIn("[row-bytes]", self.stderr)
        self.pto("check", "--profile", "cpu", "p.pto")

    def test_fmt_is_stable_in_every_form(self):
        for name in os.listdir(EXAMPLES):
            if not name.endswith(".pto"):
                continue
            for form in ([], ["--form", "asm"], ["--form", "ssa"], ["--form", "dps"]):
                once = self.pto("fmt", os.path.join(EXAMPLES, name), *form)
                self.assertEqual(self.pto("fmt", "-", *form, stdin=once.encode()), once)
                self.pto("check", "-", stdin=once.encode())
        self.write("p.pto", "%d   =  trsqrt   %s : !pto.tile<...>\n")
        self.pto("fmt", "--write", "p.pto")
        with open(self.path("p.pto")) as file:
            self.assertEqual(file.read(), "%d = trsqrt %s : !pto.tile<...>\n")
        # An invalid program stays one: the first block ends without a branch, whatever it is called.
        generic = '"func.func"() <{function_type = () -> (), sym_name = "f"}> ({\n^first:\n^bb1:\n  "func.return"() : () -> ()\n}) : () -> ()\n'
        for text in ("func.func @f() {\n^bb0:\n^bb1:\n  return\n}\n", "func.func @f() {\n  // nothing\n^bb0:\n^bb1:\n  return\n}\n", generic):
            self.pto("check", "-", stdin=text.encode(), code=1)
            once = self.pto("fmt", "-", stdin=text.encode())
            self.pto("check", "-", stdin=once.encode(), code=1)
            self.assertIn("[terminator]", self.stderr)
            self.assertEqual(self.pto("fmt", "-", stdin=once.encode()), once)
        self.write("bad.pto", "%d = = x\n")
        self.pto("fmt", "--write", "bad.pto", code=1)
        with open(self.path("bad.pto")) as file:
            self.assertEqual(file.read(), "%d = = x\n")


class Examples(CommandTest):
    def example(self, name):
        return os.path.join(EXAMPLES, name)

    def test_tail(self):
        x = [f32(i * 0.37 - 100) for i in range(1000)]
        scale = [f32(1 + i / 64) for i in range(256)]
        npy.save(self.path("x.npy"), "f32", (1000,), x)
        npy.save(self.path("scale.npy"), "f32", (256,), scale)
        for n in (1, 255, 256, 257, 1000):
            self.pto("run", self.example("tail.pto"), "--in", "x=x.npy", "--in", "scale=scale.npy", "--out", "y=y.npy",
                     "--shape", "y=1000", "--int", "n=%d" % n)
            want = [f32(x[i] * scale[i % 256]) if i < n else 0.0 for i in range(1000)]
            self.assertEqual(npy.load(self.path("y.npy"))[2], want)

    def test_normalize(self):
        x = [f32(math.sin(i * 1.7) * (1 + i % 32)) for i in range(64 * 32)]
        npy.save(self.path("x.npy"), "f32", (64, 32), x)
        self.pto("run", self.example("normalize.pto"), "--in", "x=x.npy", "--out", "y=y.npy", "--shape", "y=64x32")
        y = npy.load(self.path("y.npy"))[2]
        for c in range(32):
            rms = math.sqrt(sum(x[r * 32 + c] ** 2 for r in range(64)) / 64)
            for r in range(64):
                self.assertAlmostEqual(y[r * 32 + c], x[r * 32 + c] / rms, delta=1e-5)

    def test_photo(self):
        light = [f32(0.5 + c / 1024) for c in range(512)]
        npy.save(self.path("light.npy"), "f32", (512,), light)
        args = ["run", self.example("photo.pto"), "--in", "photo=" + os.path.join(EXAMPLES, "camera.png"),
                "--in", "light=light.npy", "--shape", "out=512x512", "--blocks", "8"]
        self.pto(*args, "--out", "out=out.npy")
        self.pto(*args, "--out", "out=out.png")
        self.pto("run", "-", "--in", "x=" + os.path.join(EXAMPLES, "camera.png"), "--shape", "x=512x512:f32", "--out", "t=in.npy",
                 stdin=b"%t = pto.tload %x : !pto.partition_tensor_view<512x512xf32> -> !pto.tile<...>\n")
        before = npy.load(self.path("in.npy"))[2]
        after = npy.load(self.path("out.npy"))[2]
        for k in range(0, 512 * 512, 997):
            even = (before[k] / light[k % 512]) ** 0.9 - 0.35
            want = ((even if even > 0 else even * 0.7) + 0.35) * light[k % 512]
            self.assertAlmostEqual(after[k], want, delta=1e-5)

    def test_spellings(self):
        npy.save(self.path("b.npy"), "f32", (16, 16), [2] * 256)
        npy.save(self.path("e.npy"), "f32", (16, 16), [3] * 256)
        self.pto("run", self.example("spellings.pto"), "--in", "base=b.npy", "--in", "exp=e.npy", "--shape", "tmp=16x16:f32",
                 "--out", "d2=d2.npy")
        self.assertEqual(npy.load(self.path("d2.npy"))[2], [2.0 ** 27] * 256)

    def test_instructions_of_the_documents(self):
        values = {"base": 2.0, "exp": 3.0, "src": 4.0, "src0": -6.0, "src1": 4.0}
        args = ["--shape", "tmp=16x16:f32"]
        for name, value in values.items():
            npy.save(self.path(name + ".npy"), "f32", (16, 16), [value] * 256)
            args += ["--in", "%s=%s.npy" % (name, name)]
        for name in ("pow", "root", "relu", "div", "sum"):
            for k in range(3):
                args += ["--out", "%s%d=%s%d.npy" % (name, k, name, k)]
        self.pto("run", self.example("instructions.pto"), *args)
        for name, want in {"pow": 8.0, "root": 0.5, "relu": -24.0, "div": -1.5, "sum": -2.0}.items():
            for k in range(3):
                self.assertEqual(npy.load(self.path("%s%d.npy" % (name, k))), ("f32", (16, 16), [want] * 256))

    def test_manual(self):
        npy.save(self.path("b.npy"), "f32", (16, 16), [2.0] * 256)
        npy.save(self.path("e.npy"), "f32", (16, 16), [3.0] * 256)
        args = ["run", self.example("manual.pto"), "--in", "x=b.npy", "--in", "y=e.npy"]
        for tile in ("base", "exp", "tmp"):
            args += ["--shape", tile + "=16x16:f32"]
        for profile in PROFILES:
            self.pto(*args, "--profile", profile, "--out", "dst=d.npy")
            self.assertEqual(npy.load(self.path("d.npy"))[2], [8.0] * 256)


if __name__ == "__main__":
    unittest.main(verbosity=1)
