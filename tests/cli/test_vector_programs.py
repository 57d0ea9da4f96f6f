"""The vector level: examples, synchronisation, profiles, and what is refused."""
import json
import math
import os
import random
import re
import unittest

import npy
import vector_oracle as o
from harness import ROOT, CommandTest
from vector_program import HEAD, TAIL, Case


class Examples(Case):
    def example(self, name, arrays, out, *options):
        """Runs an example under A5 on arrays of floats or integers."""
        args = []
        for key, (t, shape, values) in arrays.items():
            npy.save(self.path(key + ".npy"), t, shape, values)
            args += ["--in", "%s=%s.npy" % (key, key)]
        key, shape = out
        self.pto("run", os.path.join(ROOT, "examples", name), *args, "--shape", "%s=%s" % (key, shape), "--out", key + "=out.npy",
                 *options)
        return npy.load(self.path("out.npy"))[2]

    def close(self, got, want, within=2e-6):
        self.assertEqual(len(got), len(want))
        for a, b in zip(got, want):
            self.assertLess(abs(a - b), within * (1 + abs(b)))

    def rows(self, n, m):
        r = random.Random(n * m)
        return [[o.rounded("f32", r.uniform(-6, 6)) for _ in range(m)] for _ in range(n)]

    def test_softmax(self):
        for m in (64, 200, 1):
            x = self.rows(5, m)
            y = self.example("vector_softmax.pto", {"x": ("f32", (5, m), sum(x, []))}, ("y", "5x%d:f32" % m), "--int", "n=5",
                             "--int", "m=%d" % m)
            exps = [[math.exp(v - max(row)) for v in row] for row in x]
            self.close(y, [e / sum(row) for row in exps for e in row])

    def test_layernorm(self):
        x = self.rows(3, 256)
        y = self.example("vector_layernorm.pto", {"x": ("f32", (3, 256), sum(x, []))}, ("y", "3x256:f32"), "--int", "n=3", "--int", "m=256")
        want = []
        for row in x:
            mean = sum(row) / 256
            root = math.sqrt(sum((v - mean) ** 2 for v in row) / 256 + 1e-5)
            want += [(v - mean) / root for v in row]
        self.close(y, want)

    def test_quantise(self):
        x = [o.rounded("f32", v) for row in self.rows(1, 1024) for v in row]
        q = self.example("vector_quantise.pto", {"x": ("f32", (1024,), x)}, ("q", "1024:i8"), "--float", "scale=25.5")
        self.assertEqual(q, [min(max(round(o.mul("f32", v, 25.5)), -128), 127) for v in x])

    def test_gather(self):
        r = random.Random(6)
        table = [o.rounded("f32", r.uniform(-1, 1)) for _ in range(4096)]
        index = [r.randrange(4096) for _ in range(1024)]
        s = self.example("vector_gather.pto", {"table": ("f32", (4096,), table), "rows": ("i32", (16, 64), index)}, ("sums", "16:f32"))
        self.assertEqual(s, [o.tree("f32", [table[i] for i in index[64 * k:64 * k + 64]]) for k in range(16)])

    def test_tiles(self):
        x = sum(self.rows(16, 64), [])
        y = self.example("vector_tiles.pto", {"x": ("f32", (16, 64), x)}, ("y", "16x64:f32"))
        self.assertEqual(y, [o.add("f32", abs(v), 1.0) for v in x])


class Synchronisation(Case):
    def check(self, name, drop=None, *options):
        """The findings of an example without the n-th line that has some text."""
        with open(os.path.join(ROOT, "examples", name)) as file:
            lines = file.read().split("\n")
        if drop:
            at = [i for i, line in enumerate(lines) if drop in line]
            del lines[at[0]]
        self.write("p.pto", "\n".join(lines))
        return self.pto("run", "p.pto", "--sync", *options, code=1 if drop else 0) + self.stderr

    def test_flags(self):
        softmax = ("--shape", "x=2x100:f32", "--shape", "y=2x100:f32", "--int", "n=2", "--int", "m=100")
        quantise = ("--shape", "x=1024:f32", "--shape", "q=1024:i8", "--float", "scale=1")
        gather = ("--shape", "table=4096:f32", "--shape", "rows=16x64:i32", "--shape", "sums=16:f32")
        tiles = ("--shape", "x=16x64:f32", "--shape", "y=16x64:f32")
        for name, shapes in (("softmax", softmax), ("quantise", quantise), ("gather", gather), ("tiles", tiles)):
            self.assertEqual(self.check("vector_%s.pto" % name, None, *shapes), "")
        for name, shapes, drop, rule, says in (
                ("quantise", quantise, 'wait_flag["PIPE_MTE2"', "sync-race", r"vlds \(V\) reads .* mte_gm_ub \(MTE2\)"),
                ("quantise", quantise, 'wait_flag["PIPE_V"', "sync-race", r"mte_ub_gm \(MTE3\) reads .* vsts \(V\)"),
                ("tiles", tiles, 'wait_flag["PIPE_MTE2"', "sync-race", r"vlds \(V\) reads .* tload \(MTE2\)"),
                ("softmax", softmax, 'wait_flag["PIPE_MTE3"', "sync-race", r"mte_gm_ub \(MTE2\) writes .* mte_ub_gm \(MTE3\)"),
                ("softmax", softmax, "mem_bar", "sync-mem-bar", r"vlds reads bytes of %exps that vsts at line \d+ stored")):
            found = self.check("vector_%s.pto" % name, drop, *shapes)
            self.assertRegex(found, says + r".*\[%s\]" % rule)


    def test_blocks_have_ub_of_their_own(self):
        """A scalar that one block stores to UB is not what another block reads there."""
        self.write("b.pto", """func.func @main(%y: !pto.ptr<i32, gm>) {
  %z = arith.constant 64 : i64
  %i = arith.constant 3 : index
  %k = arith.constant 7 : i32
  %p = pto.castptr %z : i64 -> !pto.ptr<i32, ub>
  pto.store_scalar %k, %p[%i] : !pto.ptr<i32, ub>, i32
  %v = pto.load_scalar %p[%i] : !pto.ptr<i32, ub> -> i32
  return
}
""")
        self.assertEqual(self.pto("run", "b.pto", "--sync", "--blocks", "3", "--shape", "y=8:i32") + self.stderr, "")
        # Beside a pipe it is a race, at the bytes of the pointer's memory.
        self.write("r.pto", """func.func @main(%y: !pto.ptr<i32, gm>) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bytes = arith.constant 256 : i64
  %i = arith.constant 3 : index
  %p = pto.castptr %z : i64 -> !pto.ptr<i32, ub>
  pto.mte_gm_ub %y, %p, %z, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
  %v = pto.load_scalar %p[%i] : !pto.ptr<i32, ub> -> i32
  return
}
""")
        self.assertRegex(self.pto("run", "r.pto", "--sync", "--shape", "y=64:i32", code=1) + self.stderr,
                         r"load_scalar \(S\) reads bytes 12 to 15 of %p, which mte_gm_ub \(MTE2\) at line 7 writes")


class Warnings(Case):
    def test_one_statement_may_have_two(self):
        """A statement that reads bytes that nothing wrote and uses slack has a warning of each, once in a run."""
        self.write("w.pto", """func.func @main(%x: !pto.ptr<f32, gm>) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %bytes = arith.constant 64 : i64
  %p = pto.castptr %z : i64 -> !pto.ptr<f32, ub>
  pto.mte_ub_gm %p, %x, %bytes nburst(%two, %z, %bytes) : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
  return
}
""")
        for _ in range(2):
            self.pto("run", "w.pto", "--shape", "x=20:f32", "--slack", "64", "--report", "r.html", "--force")
            self.assertEqual(sorted(re.findall(r"\[([a-z-]+)\]", self.stderr)), ["memory-range", "ub-unwritten"])
            self.assertIn("48 bytes are after the end of the array", self.stderr)


class Traces(Case):
    def test_statements(self):
        """A trace has each statement that a pipe runs, with its lanes, on each core; no pointers and no strips."""
        self.pto("run", os.path.join(ROOT, "examples", "vector_tiles.pto"), "--in", "x=iota", "--shape", "x=16x64:f32", "--shape", "y=16x64:f32",
                 "--trace", "t.json")
        with open(self.path("t.json")) as file:
            events = json.load(file)
        below = [e for e in events if e.get("cat") == "vector"]
        self.assertEqual({name: sum(e["name"] == name for e in below) for name in {e["name"] for e in below}},
                         {"pset_b32": 1, "vlds": 16, "vabs": 16, "vsts": 16})
        self.assertEqual({(e["args"]["dtype"], e["args"]["lanes"]) for e in below if e["name"] != "pset_b32"}, {("f32", 64)})
        self.assertTrue(all(a["ts"] + a["dur"] <= b["ts"] + 0.002 for a, b in zip(below, below[1:])))
        self.assertEqual([e["name"] for e in events if e.get("cat") == "instruction"], ["tload", "tadds", "tstore"])

    def test_threads(self):
        """Blocks on several threads: the trace has the statements of all."""
        program = "func.func @main() {\n  pto.vecscope {\n    %m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n  }\n  return\n}\n"
        self.write("t.pto", program)
        self.pto("run", "t.pto", "--blocks", "5", "--threads", "2", "--trace", "t.json")
        with open(self.path("t.json")) as file:
            self.assertEqual(sorted(e["pid"] for e in json.load(file) if e["name"] == "pset_b32"), [0, 1, 2, 3, 4])


class Entries(Case):
    def test_marks(self):
        """pto.aicore and pto.kernel mark the entry of a module with several functions."""
        for mark in ("pto.aicore", "pto.kernel"):
            self.write("e.pto", "func.func @one() {\n  return\n}\nfunc.func @two() attributes {%s} {\n  %%x = arith.constant 5 : i32\n"
                       "  pto.print ins(\"%%d\", %%x : i32)\n  return\n}\n" % mark)
            self.assertEqual(self.pto("run", "e.pto"), "5\n")


class Profiles(Case):
    def test_alignment(self):
        """Under A5 a plain load begins on a block of 32 bytes; the CPU profile asks for nothing."""
        body = HEAD + ("  %i = arith.constant 3 : index\n  pto.vecscope {\n"
                       "    %v = pto.vlds %a[%i] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n  }\n") + TAIL
        self.write("a.pto", body)
        shapes = ("--shape", "x=8:i32", "--shape", "y=8:i32")
        self.pto("run", "a.pto", *shapes)
        text = self.pto("run", "a.pto", *shapes, "--profile", "a5", code=1)
        self.assertIn("the address 12 is not a multiple of 32 [vector-align]", text + self.stderr)

    def test_constant_addresses(self):
        """`pto check` finds them without a run: of pointers, sums and indices that are constants."""
        head = HEAD + """  %i = arith.constant 3 : index
  %eight = arith.constant 8 : index
  %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
  %q = pto.castptr %c40 : i64 -> !pto.ptr<i32, ub>
  %half = pto.castptr %q : !pto.ptr<i32, ub> -> !pto.ptr<i16, ub>
  %next = pto.addptr %half, %i : !pto.ptr<i16, ub> -> !pto.ptr<i16, ub>
  %zero = arith.constant 0 : index
  %v = pto.vlds %a[%zero] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>
"""
        load = "  %%w = pto.vlds %s : !pto.ptr<%s, ub> -> !pto.vreg<%dx%s>\n"
        for line, address, of in (
                (load % ("%a[%i]", "i32", 64, "i32"), 12, 32), (load % ("%a[%eight]", "i32", 64, "i32"), 0, 0),
                (load % ("%q[%zero]", "i32", 64, "i32"), 40, 32), (load % ("%next[%zero]", "i16", 128, "i16"), 46, 32),
                (load % ('%next[%zero] {dist = "BRC"}', "i16", 128, "i16"), 0, 0), (load % ('%next[%zero] {dist = "BRC_B32"}', "i16", 128, "i16"), 46, 4),
                (load % ('%a[%i] {dist = "E2B_B32"}', "i32", 64, "i32"), 12, 32), (load % ('%half[%zero] {dist = "E2B_B16"}', "i16", 128, "i16"), 40, 16),
                ("  pto.vsts %v, %a[%i], %m : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32>\n", 12, 32),
                ('  pto.vsts %v, %a[%i], %m {dist = "1PT_B32"} : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32>\n', 0, 0),
                ("  %n = pto.vsts %v, %a[%i], %m : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32> -> !pto.ptr<i32, ub>\n", 0, 0),
                ("  pto.mte_gm_ub %x, %q, %c0, %c8 nburst(%c1, %c8, %c8) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64\n", 40, 32),
                ("  pto.mte_ub_gm %q, %x, %c8 nburst(%c1, %c8, %c8) : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64\n", 40, 32)):
            self.write("a.pto", head + line + TAIL)
            self.pto("check", "a.pto")
            text = self.pto("check", "a.pto", "--profile", "a5", code=1 if of else 0) + self.stderr
            self.assertEqual(re.findall(r"the address (\d+) is not a multiple of (\d+) \[vector-align\]", text),
                             [(str(address), str(of))] if of else [], line)
        # A run finds others.
        self.write("a.pto", HEAD + "  %n = pto.castptr %a : !pto.ptr<i32, ub> -> i64\n  %four = arith.addi %n, %c8 : i64\n"
                   "  %q = pto.castptr %four : i64 -> !pto.ptr<i32, ub>\n"
                   "  pto.mte_gm_ub %x, %q, %c0, %c8 nburst(%c1, %c8, %c8) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64\n" + TAIL)
        shapes = ("--in", "x=zeros", "--shape", "x=8:i32", "--shape", "y=8:i32")
        self.pto("run", "a.pto", *shapes)
        text = self.pto("run", "a.pto", *shapes, "--profile", "a5", code=1) + self.stderr
        self.assertIn("the address 8 is not a multiple of 32 [vector-align]", text)

    def test_level(self):
        self.write("a.pto", HEAD + "  pto.sprclr \"AR\"\n" + TAIL)
        text = self.pto("check", "a.pto", "--profile", "a2a3", code=1)
        self.assertIn("[profile-level]", text + self.stderr)


class Refused(CommandTest):
    def test_names(self):
        """What is not executed is refused by name, with the reason."""
        for line, says in (("%x = pto.vmi.vadd %a, %b : !pto.vmi.vreg<128xf32>", "the draft of another level"),
                           ("pto.vselrv2", "no document gives it a meaning"), ("pto.vintlvv2", "no A5 hardware has it"),
                           ("pto.set_intra_block %a, %a : i64, i64", "write pto.sync.set"), ("%x = pto.uvld %a : i64 -> i64", "pto.vldus")):
            self.write("r.pto", "func.func @main(%%a: i64) {\n  %s\n  return\n}\n" % line)
            said = self.pto("check", "r.pto", code=1) + self.stderr
            self.assertRegex(said, "%s.*\\[unsupported-instruction\\]" % says)

    def test_lint(self):
        """A register that nothing reads is computed for nothing; what stores, or counts for vstur, is not."""
        self.write("l.pto", HEAD + """  %c = arith.constant 0 : index
  pto.vecscope {
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %v = pto.vlds %a[%c] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>
    %dead = pto.vadd %v, %v, %all : !pto.vreg<64xi32>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xi32>
    %kept = pto.vsqz %v, %all : !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xi32>
    %p = pto.vsts %v, %b[%c], %all : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32> -> !pto.ptr<i32, ub>
  }
""" + TAIL)
        found = [line for line in self.pto("lint", "l.pto", code=1).split("\n") if "is computed and never used" in line]
        self.assertEqual(len(found), 1, found)
        self.assertIn("%dead is computed and never used [unused-value]", found[0])


if __name__ == "__main__":
    unittest.main()
