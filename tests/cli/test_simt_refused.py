"""SIMT: what `pto check`, a run and `--sync` refuse, with their messages."""
import base64
import json
import re
import unittest

from simt_program import Case, HEAD, Items


class Refused(Case):
    def check(self, body, rule, says="", args="%p: !pto.ptr<i32, ub>", launch="", more=""):
        """A program that `pto check` refuses by a rule."""
        text = HEAD + more + "func.func @f(%s) attributes {pto.simt_entry} {\n" % args
        text += """  %c0 = arith.constant 0 : index
  %i = arith.constant 1 : i32
  %b = arith.constant 1 : i1
  %f = arith.constant 1.0 : f32
  %l = arith.constant 1 : i64
""" + "".join("  %s\n" % line for line in body.split("\n")) + "  return\n}\n"
        text += "func.func @main(%p: !pto.ptr<i32, gm>) attributes {pto.aicore} {\n  %z = arith.constant 0 : i64\n  %n = arith.constant 32 : i32\n  %o = arith.constant 1 : i32\n"
        text += "  %q = pto.castptr %z : i64 -> !pto.ptr<i32, ub>\n" + launch + "\n  return\n}\n}\n"
        self.write("r.pto", text)
        said = self.pto("check", "r.pto", code=1) + self.stderr
        self.assertRegex(said, "%s.*\\[%s\\]" % (says, rule))

    def test_check(self):
        for body, rule, says in (
                ("%r = pto.absf %i : i32 -> i32", "vector-element", "it takes f32, vector<2xf16>"),
                ("%r = pto.fmax %f, %i : f32, i32 -> f32", "vector-element", "numbers of one type"),
                ("%r = pto.redux_max %i : i32 -> i32", "vector-mode", "takes signed or unsigned"),
                ("%r = pto.redux_max %f signed : f32 -> f32", "vector-mode", "takes neither"),
                ("%r = pto.redux_add %i signed unsigned : i32 -> i32", "vector-mode", "not both"),
                ("%r = pto.mulhi %i, %i : i32, i32 -> i32", "vector-mode", "takes signed or unsigned"),
                ("%r = pto.shuffle_idx %i, %i {width = 24 : i32} : i32, i32 -> i32", "vector-mode", "one of 16, 32, not 24"),
                ("%r = pto.vote_all %i : i32 -> i1", "operand-type", "takes i1 here, not i32"),
                ("%r = pto.atomic_add %p, %f : !pto.ptr<i32, ub>, f32 -> f32", "vector-element", "through"),
                ("%r = pto.atomic_add %p, %i l2cache(1) signed : !pto.ptr<i32, ub>, i32 -> i32", "syntax|vector-mode|[a-z-]*", ""),
                ("%r = pto.ldg %p[%c0] : !pto.ptr<i32, ub> -> i32", "operand-type", "global memory"),
                ("%r = pto.convert %f round(z) nosat signed : f32 -> i32", "vector-mode", "takes sat"),
                ("%r = pto.convert %f sat signed : f32 -> i32", "vector-mode", "takes round"),
                ("%r = pto.convert %f round(z) signed : f32 -> i32", "vector-mode", "either sat or nosat"),
                ("%r = pto.convert %f round(z) sat : f32 -> i32", "vector-mode", "either signed or unsigned"),
                ("%r = pto.convert %f round(a) sat signed : f32 -> i32", "unsupported-instruction", "documents disagree"),
                ("%r = pto.convert %f round(h) nosat : f32 -> f16", "unsupported-instruction", "no document"),
                ("%r = pto.convert %f round(x) nosat : f32 -> f16", "vector-mode", "one of r, f, c, z, o"),
                ("%r = pto.convert %i round(r) sat signed : i32 -> i64", "vector-element", "no conversion"),
                ("pto.keep %i {slot = 123 : i64} : i32", "simt-slot", "slot 123, where there are 0 to 122"),
                ("pto.keep %l {slot = 122 : i64} : i64", "simt-slot", "takes two"),
                ("pto.keep %i : i32", "simt-slot", "slot = number"),
                ("pto.keep %l {slot = 3 : i64} : i64\npto.keep %i {slot = 4 : i64} : i32", "simt-slot", "kept twice"),
                ("pto.keep %i {slot = 4 : i64} : i32\npto.syncthreads", "simt-slot", "keep is before a statement"),
                ("pto.syncthreads\n%r = pto.resume {slot = 4 : i64} : i32", "simt-slot", "resume is after a statement"),
                ("scf.if %b {\n%r = pto.resume {slot = 4 : i64} : i32\n}", "simt-slot", "a loop or a branch"),
                ("pto.barrier #pto.pipe<PIPE_ALL>", "simt-scope", "barrier does not belong"),
                ("pto.store_vfsimt_info %i, %i, %i : i32, i32, i32", "simt-scope", "does not belong"),
                ("pto.vecscope {\n}", "simt-scope", "does not belong")):
            with self.subTest(body):
                self.check(body, rule, says)
        self.check("%r = pto.atomic_add %p, %l signed : !pto.ptr<i64, ub>, i64 -> i64", "vector-element", "global memory only",
                   args="%p: !pto.ptr<i64, ub>")
        self.check("", "simt-scope", "vote_all belongs in", launch="  %t = arith.constant 1 : i1\n  %r = pto.vote_all %t : i1 -> i1")
        self.check("", "simt-scope", "@g has no pto.simt_entry", more="func.func @g() {\n  return\n}\n",
                   launch="  pto.simt_launch @g<<<%n, %o, %o>>>() : () -> ()")
        self.check("", "call-types", "takes 1 value", launch="  pto.simt_launch @f<<<%n, %o, %o>>>() : () -> ()")
        self.check("", "simt-launch", "1 to 2048", launch="  pto.simt_launch @f<<<%n, %n, %n>>>(%q) : (!pto.ptr<i32, ub>) -> ()")
        self.check("", "simt-scope", "launched in a pto.vecscope",
                   launch="  pto.vecscope {\n  pto.simt_launch @f<<<%n, %n, %n>>>(%q) : (!pto.ptr<i32, ub>) -> ()\n  }")
        self.check("", "simt-scope", "makes values", more="func.func @g() -> i32 attributes {pto.simt_entry} {\n  %r = arith.constant 1 : i32\n  return %r : i32\n}\n")
        self.check("", "simt-scope", "several blocks", more="func.func @g() attributes {pto.simt_entry} {\n  cf.br ^a\n^a:\n  return\n}\n")

    def run_fails(self, body, rule, says="", count=40, launch=None, options=(), args="%p: !pto.ptr<i32, ub>", more=""):
        text = HEAD + more + "func.func @f(%s) attributes {pto.simt_entry} {\n  %%tid = pto.get_tid_x : i32\n  %%id = arith.index_cast %%tid : i32 to index\n" % args
        text += "".join("  %s\n" % line for line in body.split("\n")) + "  return\n}\n"
        text += "func.func @main(%n: i32, %g: !pto.ptr<i32, gm>) attributes {pto.aicore} {\n  %one = arith.constant 1 : i32\n  %z = arith.constant 0 : i64\n"
        text += "  %q = pto.castptr %z : i64 -> !pto.ptr<i32, ub>\n"
        text += (launch or "  pto.simt_launch @f<<<%n, %one, %one>>>(%q) : (!pto.ptr<i32, ub>) -> ()") + "\n  return\n}\n}\n"
        self.write("r.pto", text)
        said = self.pto("run", "r.pto", "--int", "n=%d" % count, "--shape", "g=64:i32", "--in", "g=zeros", *options, code=1) + self.stderr
        self.assertRegex(said, "%s.*\\[%s\\]" % (says, rule))
        return said

    def test_run(self):
        part = "%k = arith.constant 3 : i32\n%on = arith.cmpi slt, %tid, %k : i32\nscf.if %on {\n  "
        self.run_fails(part + "%r = pto.vote_all %on : i1 -> i1\n}", "simt-divergence", "vote_all is reached by a part of the work items 0 to 31; 3 is not")
        self.run_fails(part + "pto.syncthreads\n}", "simt-divergence", "0 to 39; 3 is not among them")
        self.run_fails("%k = arith.constant 32 : i32\n%on = arith.cmpi slt, %tid, %k : i32\nscf.if %on {\n pto.syncthreads\n}", "simt-divergence", "32 is not")
        self.run_fails("%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\nscf.for %i = %c0 to %id step %c1 {\n  %r = pto.redux_add %tid signed : i32 -> i32\n}",
                       "simt-divergence", "redux_add")
        self.run_fails("%k = arith.constant 100000000 : index\npto.store %tid, %p[%k] : !pto.ptr<i32, ub>, i32", "memory-range", "too many")
        self.run_fails("%k = arith.constant -1 : index\n%r = pto.load %p[%k] : !pto.ptr<i32, ub> -> i32", "memory-range", "too many")
        self.run_fails("%k = arith.constant 62 : index\n%j = arith.addi %k, %id : index\n%r = pto.ldg %p[%j] : !pto.ptr<i32, gm> -> i32", "memory-range", "at 256, where the memory has 256",
                       args="%p: !pto.ptr<i32, gm>", launch="  pto.simt_launch @f<<<%n, %one, %one>>>(%g) : (!pto.ptr<i32, gm>) -> ()")
        self.run_fails("%k = arith.constant 2 : i64\n%q = pto.castptr %k : i64 -> !pto.ptr<i32, ub>\n%r = pto.atomic_add %q, %tid signed : !pto.ptr<i32, ub>, i32 -> i32",
                       "vector-align", "the address 2 is not a multiple of 4", options=("--profile", "a5"))
        for n in (0, -1, 2049):
            self.run_fails("", "simt-launch", "%d x 1 x 1 work items" % n, count=n)
        self.run_fails("", "simt-launch", "1 to 8", more="func.func @g() attributes {pto.simt_entry, pto.simt_max_threads = 8 : i32} {\n  return\n}\n",
                       launch="  pto.simt_launch @g<<<%n, %one, %one>>>() : () -> ()")
        self.run_fails("", "simt-launch", "no pto.store_vfsimt_info", launch="  func.call @f(%q) : (!pto.ptr<i32, ub>) -> ()")
        once = "  pto.simt_launch @f<<<%n, %one, %one>>>(%q) : (!pto.ptr<i32, ub>) -> ()\n"
        self.run_fails("%r = pto.resume {slot = 5 : i64} : i32", "simt-slot", "keeps nothing in slot 5")
        keeper = "func.func @g() attributes {pto.simt_entry} {\n  %%k = arith.constant 1 : %s\n  pto.keep %%k {slot = 5 : i64} : %s\n  return\n}\n"
        before = "  pto.simt_launch @g<<<%s, %%one, %%one>>>() : () -> ()\n"
        self.run_fails("%r = pto.resume {slot = 5 : i64} : i32", "simt-slot", "of a launch of 1 x 1 x 1", more=keeper % ("i32", "i32"), launch=before % "%one" + once)
        self.run_fails("%r = pto.resume {slot = 5 : i64} : i32", "simt-slot", "slot 5 has i16, not i32", more=keeper % ("i16", "i16"), launch=before % "%n" + once)
        self.run_fails("%r = pto.resume {slot = 5 : i64} : i32", "simt-slot", "keeps nothing", more=keeper % ("i32", "i32"), launch=before % "%n" + once + once)
        self.run_fails("%t = arith.constant 1 : i1\n%e = scf.while (%w = %tid) : (i32) -> i32 {\n  scf.condition(%t) %w : i32\n} do {\n^bb0(%w: i32):\n  scf.yield %w : i32\n}", "step-limit", "", options=("--max-steps", "100000"))
        self.write("e.pto", HEAD + "func.func @f() attributes {pto.simt_entry} {\n  return\n}\n}\n")
        self.assertIn("unknown-entry", self.pto("run", "e.pto", "--entry", "f", code=1) + self.stderr)

    def test_profile(self):
        p = Items(4)
        p.expect(p.say("{r} = pto.get_laneid : i32"), "i32", [0, 1, 2, 3], "laneid")
        self.judge(p, "--profile", "a5")
        self.assertIn("profile-level", self.pto("check", "p.pto", "--profile", "a2a3", code=1) + self.stderr)

    def test_sync(self):
        """Work items are on the vector pipe: a copy of what they stored waits for it."""
        text = HEAD + """func.func @f(%p: !pto.ptr<i32, ub>) attributes {pto.simt_entry} {
  %tid = pto.get_tid_x : i32
  %id = arith.index_cast %tid : i32 to index
  pto.store %tid, %p[%id] : !pto.ptr<i32, ub>, i32
  pto.syncthreads
  %x = pto.load %p[%id] : !pto.ptr<i32, ub> -> i32
  %y = pto.atomic_add %p, %x signed : !pto.ptr<i32, ub>, i32 -> i32
  return
}
func.func @main(%y: !pto.ptr<i32, gm>) attributes {pto.aicore} {
  %z = arith.constant 0 : i64
  %n = arith.constant 64 : i32
  %one = arith.constant 1 : i32
  %l1 = arith.constant 1 : i64
  %bytes = arith.constant 256 : i64
  %p = pto.castptr %z : i64 -> !pto.ptr<i32, ub>
  pto.simt_launch @f<<<%n, %one, %one>>>(%p) : (!pto.ptr<i32, ub>) -> ()
  FLAGS
  pto.mte_ub_gm %p, %y, %bytes nburst(%l1, %bytes, %bytes) : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64
  return
}
}
"""
        flags = 'pto.set_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]\n  pto.wait_flag["PIPE_V", "PIPE_MTE3", "EVENT_ID0"]'
        self.write("s.pto", text.replace("FLAGS", flags))
        out = self.pto("run", "s.pto", "--sync", "--shape", "y=64:i32", "--out", "y=y.npy") + self.stderr
        self.assertNotIn("[sync", out)
        # A launch is one event of the vector pipe.
        self.pto("run", "s.pto", "--trace", "t.json", "--shape", "y=64:i32", "--out", "y=y.npy")
        with open(self.path("t.json")) as file:
            events = [e for e in json.load(file) if e.get("ph") == "X"]
        self.assertEqual([(e["name"], e["args"]["line"], e["args"]["lanes"]) for e in events], [("simt_launch", 18, 64), ("mte_ub_gm", 21, 0)])
        self.pto("run", "s.pto", "--report", "r.html", "--shape", "y=64:i32", "--out", "y=y.npy")
        with open(self.path("r.html")) as file:
            data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', file.read(), re.DOTALL).group(1))
        self.assertEqual((data["events"]["rows"], data["tiles"]["rows"], data["notes"]), (2, 0, []))
        column = lambda field: base64.b64decode(data["events"]["columns"][field][1:])
        self.assertEqual(list(column(4)), [18, 21])  # lines
        self.assertEqual(list(column(13)), [64, 0])  # work items
        self.write("s.pto", text.replace("FLAGS", ""))
        said = self.pto("run", "s.pto", "--sync", "--shape", "y=64:i32", "--out", "y=y.npy", code=1) + self.stderr
        self.assertRegex(said, r"reads bytes 0 to 3 of %p, which simt_launch \(V\) at line 18 writes in atomic_add at line 8, in no order: "
                         r"insert pto.set_flag\[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>\] after line 18 and its wait_flag before line 20 \[sync-race\]")

    def test_sync_names_both(self):
        """A finding names the launch, around which flags go, and the statement of the work item."""
        text = HEAD + """func.func @f(%q: !pto.ptr<i32, ub>) attributes {pto.simt_entry} {
  %tid = pto.get_tid_x : i32
  %id = arith.index_cast %tid : i32 to index
  scf.if %on {
    %x = pto.load %q[%id] : !pto.ptr<i32, ub> -> i32
  }
  return
}
func.func @main(%y: !pto.ptr<i32, gm>) attributes {pto.aicore} {
  %z = arith.constant 0 : i64
  %n = arith.constant 4 : i32
  %one = arith.constant 1 : i32
  %l1 = arith.constant 1 : i64
  %bytes = arith.constant 256 : i64
  %p = pto.castptr %z : i64 -> !pto.ptr<i32, ub>
  pto.mte_gm_ub %y, %p, %z, %bytes nburst(%l1, %bytes, %bytes) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
  pto.simt_launch @f<<<%n, %one, %one>>>(%p) : (!pto.ptr<i32, ub>) -> ()
  return
}
}
"""
        self.write("s.pto", text.replace("  scf.if %on", "  %three = arith.constant 2 : i32\n  %on = arith.cmpi sgt, %tid, %three : i32\n  scf.if %on"))
        said = self.pto("run", "s.pto", "--sync", "--shape", "y=64:i32", code=1) + self.stderr
        self.assertRegex(said, r"s.pto:20:3: error: simt_launch \(V\) reads bytes 12 to 15 of %q in load_scalar at line 8, which mte_gm_ub \(MTE2\) "
                         r"at line 19 writes as %p, in no order: insert pto.set_flag\[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>\] after line 19 "
                         r"and its wait_flag before line 20 \[sync-race\]")


if __name__ == "__main__":
    unittest.main()
