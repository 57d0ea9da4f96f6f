"""pto lint: each check on a program that has what it finds and one that has not (tests/ptoas/lint), comments and
options that allow, every format, and no finding in the programs of the examples and documents."""
import glob
import json
import os
import re
import subprocess
import sys
import unittest

from harness import PTO, ROOT, CommandTest

CORPUS = os.path.join(ROOT, "tests", "ptoas", "lint")
GOLDEN = os.path.join(CORPUS, "golden.txt")
PAGE = os.path.join(ROOT, "docs", "lint.md")
WRITE = "--write" in sys.argv and not sys.argv.remove("--write")

UNUSED = """func.func @f(%x: !pto.partition_tensor_view<8x8xf32>, %y: !pto.partition_tensor_view<8x8xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%x : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<...>)
  pto.tstore ins(%t : !pto.tile_buf<...>) outs(%y : !pto.partition_tensor_view<8x8xf32>)
  return
}
"""


def read(path):
    with open(path) as file:
        return file.read()


def programs(check):
    return re.split(r"// ---- and without ----\n", read(os.path.join(CORPUS, check + ".pto")))


class Checks(CommandTest):
    def checks(self):
        return re.findall(r"(?m)^(\S+) +\S", self.pto("lint", "--list"))

    def lint(self, text, *options):
        """The lines that are found."""
        return self.pto("lint", "-", "--format", "line", *options, stdin=text.encode(), code=1).splitlines()

    def ids(self, text, *options):
        """All findings. The exit code must match."""
        self.write("p.pto", text)
        done = subprocess.run([PTO, "lint", "p.pto", "--format", "line", *options], capture_output=True,
                              cwd=self.folder.name, timeout=120)
        self.assertEqual(done.returncode, 1 if done.stdout else 0, (options, done))
        self.assertEqual(done.stderr, b"")
        return re.findall(r"(?m)\[(\S+)\]$", done.stdout.decode())

    def test_each_on_a_program_that_has_it_and_one_that_has_not(self):
        checks = self.checks()
        self.assertGreaterEqual(len(checks), 25)
        self.assertEqual(sorted(checks), sorted(os.path.basename(f)[:-4] for f in glob.glob(CORPUS + "/*.pto")))
        golden = ""
        for check in checks:
            bad, good = programs(check)
            found = self.lint(bad, "--checks", check)
            self.assertTrue(found, check)
            for line in found:
                self.assertTrue(line.endswith("[%s]" % check), line)
                golden += line.replace("stdin:", check + ".pto:", 1) + "\n"
            # Good programs pass all checks, not only their own.
            self.assertEqual(self.ids(good), [], (check, good))
            self.assertNotIn(check, self.ids(bad, "--allow", check))
        if WRITE:
            with open(GOLDEN, "w") as out:
                out.write(golden)
        self.assertEqual(golden, read(GOLDEN), "if that is meant, run this test with --write")

    def test_what_is_nearly_a_finding_is_none(self):
        for path in sorted(glob.glob(os.path.join(ROOT, "tests", "ptoas", "lint_near", "*.pto"))):
            text = read(path)
            want = [(str(number), line.rsplit("  // ", 1)[1]) for number, line in enumerate(text.split("\n"), 1) if "  // " in line]
            self.assertTrue(want, path)
            found = [re.match(r"stdin:(\d+):.*\[(\S+)\]$", line).groups() for line in self.lint(text)]
            self.assertEqual(found, want, path)

    def test_the_page_has_a_section_for_each(self):
        page = read(PAGE)
        head, tail = page.split("<!-- checks, printed by tests/cli/test_lint.py --write -->\n")
        rules = json.loads(self.pto("lint", "-", "--format", "sarif", stdin=b""))["runs"][0]["tool"]["driver"]["rules"]
        want = ""
        for rule in rules:
            bad = programs(rule["id"])[0].strip()
            want += "\n## %s\n\n%s. %s *%s*\n\n```\n%s\n```\n" % (
                rule["id"], rule["shortDescription"]["text"], rule["fullDescription"]["text"], rule["help"]["text"], bad)
        if WRITE:
            tail = want
            with open(PAGE, "w") as out:
                out.write(head + "<!-- checks, printed by tests/cli/test_lint.py --write -->\n" + want)
        self.assertEqual(tail, want, "run this test with --write")

    def test_no_finding_in_examples_and_documents(self):
        """If there is one, the program contains the reason."""
        found = {}
        for path in sorted(glob.glob(os.path.join(ROOT, "examples", "**", "*.pto"), recursive=True)):
            found[path] = self.ids(read(path))
        for path in glob.glob(os.path.join(ROOT, "tests", "cli", "documents", "*.txt")):
            for block in read(path).split("\n\n"):
                found[block] = self.ids(block)
        whole = 0
        for path in [os.path.join(ROOT, "README.md"), *glob.glob(os.path.join(ROOT, "docs", "*.md")),
                     *glob.glob(os.path.join(ROOT, "bindings", "*", "README.md"))]:
            # Pages of code that is wrong on purpose.
            if path in (PAGE, os.path.join(ROOT, "docs", "troubleshooting.md")):
                continue
            for block in re.findall(r"(?ms)^```\w*\n(.*?)^```", read(path)):
                if "func.func @" in block and "..." not in re.sub(r"<\.\.\.>", "", block):
                    whole += 1
                    found[block] = self.ids(block)
        self.assertGreater(whole, 0)
        self.assertEqual({name: ids for name, ids in found.items() if ids}, {})

    def test_pipes_that_the_text_does_not_tell_are_passed_over(self):
        lost = programs("push-not-popped")[0]
        self.assertEqual(self.ids(lost), ["push-not-popped"])
        pipe = re.search(r"  %p = .*\n", lost).group()
        push = re.search(r"  .*pto.tpush.*\n", lost).group()
        # Made on each core: by the order, which depends on the run. With a flag both are the same pipe.
        apart = lost.replace(pipe, "").replace(" {\n    %", " {\n  " + pipe + "    %")
        self.assertEqual(apart.count(pipe), 2)
        self.assertEqual(self.ids(apart), [])
        self.assertEqual(self.ids(apart.replace("slot_size", "flag_base = 4, slot_size")), ["push-not-popped"])
        # An argument.
        passed = "func.func private @g(%p: !pto.pipe) {\n  pto.tfree(%p : !pto.pipe)\n  return\n}\n"
        self.assertEqual(self.ids(passed + lost, "--allow", "unused-function,no-effect"), [])
        # Code of no kind of core.
        anywhere = re.sub(r"(?s)  pto.section.cube \{\n(.*?)  \}\n", r"\1", lost)
        self.assertEqual(self.ids(anywhere), [])
        # To the cube core.
        back = programs("one-way-pipe")[0].replace("section.cube", "section.x").replace("section.vector", "section.cube")
        back = back.replace("section.x", "section.vector")
        self.assertEqual(self.ids(back), ["one-way-pipe"])
        self.assertIn("used to the cube core", self.lint(back)[0])
        # A flag by a number of the run, and one of code of no kind of core.
        flags = programs("core-flag-pair")[0]
        constant = "  %n = arith.constant 3 : index\n"
        self.assertEqual(self.ids(flags.replace(") attributes", ", %n: index) attributes").replace("<PIPE_FIX>, 3", "<PIPE_FIX>, %n")), [])
        self.assertEqual(self.ids(flags.replace("  pto.section.cube", constant + "  pto.section.cube").replace("<PIPE_FIX>, 3", "<PIPE_FIX>, %n")),
                         ["core-flag-pair"] * 2)
        self.assertEqual(self.ids(re.sub(r"(?s)  pto.section.cube \{\n(.*?)  \}\n", r"\1", flags), "--checks", "core-flag-pair"), [])
        # Used in a branch after the tfree, which other rounds may be: not told. Passed to a function: it may push.
        late = programs("slot-after-free")[0]
        load = re.search(r"  .*pto.tload ins\(%v.*\n", late).group()
        self.assertEqual(self.ids(late.replace(load, "    scf.if %c {\n" + load + "    }\n").replace(") attributes", ", %c: i1) attributes"),
                                  "--checks", "slot-after-free"), [])
        slot = programs("slot-not-pushed")[0].replace("  pto.section.vector", "  SECTION", 1)
        called = ("func.func private @g(%s: !pto.tensor_view<16x16xf32>)\n" + slot.replace("  }\n  SECTION", "    func.call @g(%s) : "
                  "(!pto.tensor_view<16x16xf32>) -> ()\n  }\n  pto.section.vector"))
        called = called.replace("func.func private @g(%s: !pto.tensor_view<16x16xf32>)\n",
                                "func.func private @g(%s: !pto.tensor_view<16x16xf32>) {\n  return\n}\n")
        self.assertEqual(self.ids(called, "--checks", "slot-not-pushed"), [])

    def test_sums_in_loops(self):
        """In f16, over the rounds of a loop; not where each round begins anew, or has a tile of its own."""
        program = """func.func @f(%x: !pto.partition_tensor_view<16x16xELEM>, %y: !pto.partition_tensor_view<16x16xELEM>, %n: index) attributes {pto.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : ELEM
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xELEM>
  %u = pto.alloc_tile : !pto.tile_buf<vec, 16x16xELEM>
  pto.tload ins(%x : !pto.partition_tensor_view<16x16xELEM>) outs(%t : !pto.tile_buf<...>)
  pto.texpands ins(%zero : ELEM) outs(%u : !pto.tile_buf<...>)
  scf.for %i = %c0 to %n step %c1 {
    SUM
  }
  pto.tstore ins(%u : !pto.tile_buf<...>) outs(%y : !pto.partition_tensor_view<16x16xELEM>)
  return
}
"""
        tiles = "!pto.tile_buf<...>, !pto.tile_buf<...>"
        add = "pto.tadd ins(%%u, %%t : %s) outs(%%u : !pto.tile_buf<...>)" % tiles
        scaled = "pto.taxpy ins(%t, %zero : !pto.tile_buf<...>, ELEM) outs(%u : !pto.tile_buf<...>)"
        anew = "pto.tmov ins(%%t : !pto.tile_buf<...>) outs(%%u : !pto.tile_buf<...>)\n    %s" % add
        own = ("%%w = pto.alloc_tile : !pto.tile_buf<vec, 16x16xELEM>\n    pto.tmov ins(%%t : !pto.tile_buf<...>) outs(%%w : !pto.tile_buf<...>)\n"
               "    pto.tadd ins(%%w, %%t : %s) outs(%%w : !pto.tile_buf<...>)\n    pto.tmov ins(%%w : !pto.tile_buf<...>) outs(%%u : !pto.tile_buf<...>)" % tiles)
        apart = "pto.tadd ins(%%t, %%t : %s) outs(%%u : !pto.tile_buf<...>)" % tiles
        difference = "pto.tsub ins(%%u, %%t : %s) outs(%%u : !pto.tile_buf<...>)" % tiles
        for elem in "f16", "bf16", "f32":
            for statement, found in (add, True), (scaled, True), (anew, False), (own, False), (apart, False), (difference, False):
                text = program.replace("SUM", statement).replace("ELEM", elem)
                want = ["half-sum"] if found and elem != "f32" else []
                self.assertEqual(self.ids(text, "--checks", "half-sum"), want, text)
        before = program.replace("  scf.for", "  %s\n  scf.for" % add).replace("    SUM\n", "").replace("ELEM", "f16")
        self.assertEqual(self.ids(before, "--checks", "half-sum"), [])
        # Of a column in an order, or by rows: the number of valid ones in that direction.
        for name, rows, cols, found in ("tcolsum", 63, 128, False), ("tcolsum", 64, 16, True), ("trowsum", 128, 48, False), ("trowsum", 16, 64, True):
            out = "1x%d" % cols if name == "tcolsum" else "%dx16" % rows
            valid = out if name == "tcolsum" else "%dx1" % rows
            text = ("func.func @f(%%t: !pto.tile_buf<vec, %dx%dxf16>, %%r: !pto.tile_buf<vec, %sxf16, valid=%s>) {\n"
                    "  pto.%s ins(%%t : !pto.tile_buf<...>) outs(%%r : !pto.tile_buf<...>)\n  return\n}\n" % (rows, cols, out, valid, name))
            self.assertEqual(self.ids(text, "--checks", "half-sum"), ["half-sum"] if found else [], text)

    def test_barriers_are_compared_whatever_form_they_are_written_in(self):
        barriers = programs("repeated-barrier")[0]
        one = "  pto.barrier <PIPE_V>\n"
        self.assertEqual(self.ids(barriers), ["repeated-barrier"])
        # Something between them, or another block.
        self.assertEqual(self.ids(barriers.replace(one + one, one + "  pto.barrier <PIPE_M>\n" + one)), [])
        self.assertEqual(self.ids(barriers.replace(one + one, one + "  scf.if %c {\n" + one + "  }\n").replace(") attributes", ", %c: i1) attributes")), [])
        self.assertEqual(self.ids(one + one, "--checks", "repeated-barrier"), ["repeated-barrier"])
        self.assertEqual(self.ids(one, "--checks", "repeated-barrier"), [])
        generic = '  "pto.barrier"() {pipe = #pto.pipe<PIPE_%s>} : () -> ()\n'
        self.assertEqual(self.ids(generic % "V" + generic % "M", "--checks", "repeated-barrier"), [])
        self.assertEqual(self.ids(generic % "V" + one, "--checks", "repeated-barrier"), ["repeated-barrier"])

    # A program of A5 or A2A3 with a body; a finding for each of the operands that the messages name.
    @staticmethod
    def kernel(body, args=""):
        return "func.func @f(%s) attributes {pto.entry} {\n  %s\n  return\n}\n" % (args, body.strip().replace("\n", "\n  "))

    def portable(self, body, args=""):
        self.write("p.pto", self.kernel(body, args))
        done = subprocess.run([PTO, "lint", "p.pto", "--format", "line", "--checks", "portability"], capture_output=True,
                              cwd=self.folder.name, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (1 if done.stdout else 0, b""), done)
        found = done.stdout.decode().splitlines()
        return [re.search(r"warning: (.*) \[portability\]", line).group(1) for line in found]

    def test_moves_that_overlap(self):
        """A device moves block by block; what it reads may be written already. Elements that stay where they are may not."""
        tile = "!pto.tile_buf<vec, 16x16xf32>"
        make = "".join("%%c%d = arith.constant %d : index\n%%a%d = arith.constant %d : i64\n" % (i, i, i, 64 * i) for i in (0, 4, 8))
        make += "".join("%%%s = pto.alloc_tile : %s\n" % (name, tile) for name in "tu")
        make += "%%p = pto.alloc_tile addr = %%a0 : %s\n%%q = pto.alloc_tile addr = %%a8 : %s\n" % (tile, tile)
        for name, source, row, col, size in (("w", "t", 0, 0, "16, 8"), ("x", "t", 0, 8, "16, 8"), ("y", "t", 0, 4, "16, 8"), ("z", "t", 8, 0, "8, 16")):
            make += "%%%s = pto.subset %%%s[%%c%d, %%c%d] sizes [%s] : %s\n" % (name, source, row, col, size, tile)
        move = "pto.tmov ins(%%%s : !pto.tile_buf<...>) outs(%%%s : !pto.tile_buf<...>)"
        turn = "pto.ttrans ins(%%%s, %%%s : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%%%s : !pto.tile_buf<...>)"
        join = "pto.tconcat ins(%%%s, %%%s : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%%%s : !pto.tile_buf<...>)"
        for statement, found in ((move % ("w", "x"), 0), (move % ("w", "y"), 1), (move % ("y", "x"), 1), (move % ("w", "w"), 0),
                                 (move % ("t", "u"), 0), (move % ("p", "q"), 1), (turn % ("t", "u", "t"), 1), (turn % ("t", "u", "u"), 0),
                                 (turn % ("p", "u", "q"), 1), (turn % ("p", "q", "t"), 0), (join % ("w", "x", "t"), 1), (join % ("w", "x", "u"), 0)):
            self.assertEqual(len(self.portable(make + statement)), found, statement)
        self.assertEqual(self.portable(make + move % ("w", "y"))[0],
                         "%w shares bytes with %y: a device moves block by block, and reads what it has written")

    def test_accumulators_with_fewer_rows(self):
        for valid, compact, found in (("", "", 0), (", valid=32x16", "", 0), (", valid=17x16", "", 0), (", valid=16x16", "", 1), (", valid=1x16", "", 1),
                                      (", valid=16x16", ", compact=1", 0)):
            tile = "!pto.tile_buf<acc, 32x16xf32%s, blayout=col_major, slayout=row_major, fractal=1024%s>" % (valid, compact)
            self.assertEqual(len(self.portable("%%t = pto.alloc_tile : %s" % tile)), found, tile)
        tile = "!pto.tile_buf<acc, 32x16xf32, valid=?x16, blayout=col_major, slayout=row_major, fractal=1024>"
        rows = "%%n = arith.constant %d : index\n%%t = pto.alloc_tile valid_row = %%n : " + tile
        self.assertEqual([len(self.portable(rows % count)) for count in (8, 16, 20, 32)], [1, 1, 0, 0])
        self.assertEqual(self.portable("%t = pto.alloc_tile valid_row = %n : " + tile, "%n: index"), [])

    def test_tiles_whose_slot_is_free(self):
        program = programs("push-not-popped")[1]
        free = re.search(r" *pto.tfree.*\n", program).group()
        use = re.search(r" *pto.tstore ins\(%u.*\n", program).group()
        self.assertLess(program.index(use), program.index(free))
        late = program.replace(free, "").replace(use, free + use)
        self.assertEqual(self.ids(late, "--checks", "portability"), ["portability"])
        self.assertEqual(self.ids(program, "--checks", "portability"), [])
        # Another pop has brought something else; the first of two is the one that is freed.
        pop = re.search(r" *pto.tpop.*\n|.*= pto.tpop.*\n", program).group()
        if "=" not in pop.split("pto.")[0]:
            self.assertEqual(self.ids(program.replace(use, pop + free + free + use), "--checks", "portability"), ["portability"])
            self.assertEqual(self.ids(program.replace(use, free + pop + use), "--checks", "portability"), [])

    def test_event_ids_of_two_pipes(self):
        def flag(does, to, number=0):
            return "pto.%s_flag[<PIPE_V>, <PIPE_%s>, <EVENT_ID%d>]\n" % (does, to, number)
        both = flag("set", "MTE2") + flag("set", "MTE3") + flag("wait", "MTE2") + flag("wait", "MTE3")
        self.assertEqual(self.portable(both), ["EVENT_ID0 of PIPE_V is set for PIPE_MTE3 while PIPE_MTE2 has not waited for it"])
        self.assertEqual(self.portable(flag("set", "MTE2") + flag("wait", "MTE2") + flag("set", "MTE3") + flag("wait", "MTE3")), [])
        self.assertEqual(self.portable(flag("set", "MTE2") + flag("set", "MTE3", 1) + flag("wait", "MTE2") + flag("wait", "MTE3", 1)), [])

    def test_unwritten_tiles_at_addresses(self):
        """A tile at an address is written through any tile that shares bytes with it, and perhaps by a function that is called."""
        tile = "!pto.tile_buf<vec, 16x16xf32>"
        make = "%%a0 = arith.constant 0 : i64\n%%a1 = arith.constant 512 : i64\n%%a2 = arith.constant 4096 : i64\n%%t = pto.alloc_tile addr = %%a0 : %s\n" % tile
        make += "%%u = pto.alloc_tile addr = %%a1 : %s\n%%w = pto.alloc_tile addr = %%a2 : %s\n%%v = pto.alloc_tile addr = %%n : %s\n" % (tile, tile, tile)
        make += "%%m = pto.alloc_tile addr = %%a0 : %s\n" % tile.replace("vec", "mat")
        write = "pto.texpands ins(%%z : f32) outs(%%%s : !pto.tile_buf<...>)\n"
        read = "pto.tabs ins(%t : !pto.tile_buf<...>) outs(%w : !pto.tile_buf<...>)\n"
        call = "func.call @g() : () -> ()\n"
        scratch = "pto.trowsum ins(%w, %t : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%u : !pto.tile_buf<...>)\n"
        for before, found in (("", 1), (write % "t", 0), (write % "u", 0), (write % "w", 1), (write % "v", 0), (call, 0), (write % "w" + scratch, 0)):
            text = self.kernel(make + before + read, "%n: i64, %z: f32") + "func.func @g() {\n  return\n}\n"
            self.assertEqual(self.ids(text, "--checks", "read-unwritten"), ["read-unwritten"] * found, before)
        # Who is called finds what the caller left; a branch may have been taken before.
        called = self.kernel(make + read, "%n: i64, %z: f32").replace("func.func @f", "func.func private @f").replace(" attributes {pto.entry}", "")
        called += "func.func @h(%n: i64, %z: f32) attributes {pto.entry} {\n  func.call @f(%n, %z) : (i64, f32) -> ()\n  return\n}\n"
        self.assertEqual(self.ids(called, "--checks", "read-unwritten"), [])
        branch = "scf.if %c {\n" + read + "}\n"
        self.assertEqual(self.ids(self.kernel(make + branch, "%n: i64, %z: f32, %c: i1"), "--checks", "read-unwritten"), [])

    def test_tmp_that_a_device_does_not_touch_takes_no_memory(self):
        """Three tiles of 64 KiB and a tmp: A5 has 256 KiB and does not touch the tmp, A2A3 has 192."""
        tile = "!pto.tile_buf<vec, 128x128xf32>"
        names = "abcde"
        body = "".join("%%%s = pto.alloc_tile : %s\n" % (name, tile) for name in names) + "%%r = pto.alloc_tile : !pto.tile_buf<vec, 128x8xf32, valid=128x1>\n"
        body = body.replace("%%", "%")
        body += "".join("pto.texpands ins(%%z : f32) outs(%%%s : !pto.tile_buf<...>)\n" % name for name in "abc")
        body += "pto.trowsum ins(%a, %d : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%r : !pto.tile_buf<...>)\n"
        body += "pto.tadd ins(%b, %c : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%a : !pto.tile_buf<...>)\n"
        body = body.replace("%e = pto.alloc_tile : " + tile + "\n", "")
        for arch, found in (("a2a3", 1), ("a5", 0)):
            text = 'module attributes {pto.target_arch = "%s"} {\n%s}\n' % (arch, self.kernel(body, "%z: f32"))
            self.assertEqual(self.ids(text, "--checks", "capacity"), ["capacity"] * found, arch)

    def test_what_lies_between_two_statements(self):
        """Two of a kind are nothing for nothing where something in between reads, writes, or may do either."""
        def between(check, where, text, arguments=""):
            bad = programs(check)[0]
            self.assertIn(where, bad)
            bad = bad.replace(where, text + where).replace(") attributes", arguments + ") attributes")
            return self.ids(bad, "--checks", check)
        neg = "  pto.tneg ins(%t : !pto.tile_buf<...>) outs(%t : !pto.tile_buf<...>)\n"
        store = "  pto.tstore ins(%t : !pto.tile_buf<...>) outs(%y : !pto.partition_tensor_view<16x16xf32>)\n"
        other = "  pto.tstore ins(%t : !pto.tile_buf<...>) outs(%x : !pto.partition_tensor_view<16x16xf32>)\n"
        load = "  pto.tload ins(%x : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<...>)\n"
        away = "  scf.if %c {\n  " + load + "  }\n"
        # An operation and its opposite.
        self.assertEqual(between("repeated-operation", neg + neg, ""), ["repeated-operation"])
        self.assertEqual(between("repeated-operation", neg + neg, neg), ["repeated-operation"] * 2)
        self.assertEqual(between("repeated-operation", store, away + neg, ", %c: i1"), ["repeated-operation"])
        self.assertEqual(between("repeated-operation", store, load + neg), ["repeated-operation"])
        bad = programs("repeated-operation")[0]
        for text in (load, neg.replace("neg", "abs"), away):
            apart = bad.replace(neg + neg, neg + text + neg).replace(") attributes", ", %c: i1) attributes")
            self.assertEqual(self.ids(apart, "--checks", "repeated-operation"), [], apart)
        absolute = bad.replace(neg + neg, neg.replace("neg", "abs") * 2)
        self.assertIn("changes nothing", self.lint(absolute, "--checks", "repeated-operation")[0])
        self.assertIn("is what was there before", self.lint(bad, "--checks", "repeated-operation")[0])
        # A conversion and back: not where the middle is used, too, or is of the same type.
        back = "  pto.tcvt ins(%h : !pto.tile_buf<...>) outs(%t : !pto.tile_buf<...>)\n"
        used = "  pto.tstore ins(%h : !pto.tile_buf<...>) outs(%z : !pto.partition_tensor_view<16x16xf16>)\n"
        half = ", %z: !pto.partition_tensor_view<16x16xf16>"
        self.assertEqual(between("converted-back", back, used, half), [])
        self.assertEqual(between("converted-back", back, "  pto.tabs ins(%h : !pto.tile_buf<...>) outs(%h : !pto.tile_buf<...>)\n"), [])
        self.assertEqual(between("converted-back", back, ""), ["converted-back"])
        # A store and another to the same place.
        bad = programs("store-lost")[0]
        again = "  pto.tabs"
        for text, found in (("", 1), (other, 1), (store, 2), (load, 0), (away, 0), ("  scf.if %c {\n  }\n", 0)):
            self.assertEqual(self.ids(bad.replace(again, text + again, 1).replace(") attributes", ", %c: i1) attributes"), "--checks", "store-lost"),
                             ["store-lost"] * found, text)
        # A load of what is there already.
        second = "  pto.tload ins(%x : !pto.partition_tensor_view<16x16xf32>) outs(%u : !pto.tile_buf<...>)\n"
        for text, found in (("", 1), (neg, 0), (store, 0), (other, 0), ("  scf.if %c {\n  }\n", 0), ("  pto.barrier <PIPE_V>\n", 1)):
            self.assertEqual(between("repeated-load", second, text, ", %c: i1"), ["repeated-load"] * found, text)

    def test_loops_that_load_the_same_each_time(self):
        bad = programs("invariant-load")[0]
        load = "    pto.tload"
        self.assertEqual(self.ids(bad, "--checks", "invariant-load"), ["invariant-load"])
        view = re.search(r"  %w = .*\n", bad).group()
        self.assertEqual(self.ids(bad.replace(view, "").replace(load, view + load), "--checks", "invariant-load"), ["invariant-load"])
        moving = view.replace("[%c0, %c0]", "[%i, %c0]")
        self.assertEqual(self.ids(bad.replace(view, "").replace(load, moving + load), "--checks", "invariant-load"), [])
        tile = "  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n"
        for text in (tile, "    pto.texpands ins(%z : f32) outs(%t : !pto.tile_buf<...>)\n",
                     "    pto.tstore ins(%u : !pto.tile_buf<...>) outs(%w : !pto.partition_tensor_view<16x16xf32>)\n",
                     "    pto.store_scalar %z, %p[%c0] : !pto.ptr<f32>, f32\n", "    func.call @g() : () -> ()\n"):
            changed = bad.replace(tile, "") if text == tile else bad
            changed = changed.replace(load, text + load) + "func.func @g() {\n  return\n}\n"
            self.assertEqual(self.ids(changed, "--checks", "invariant-load"), [], changed)

    def test_last_rounds(self):
        bad = programs("loop-overrun")[0]
        for old, new, found in (("constant 60", "constant 64", 0), ("constant 60", "constant 59", 2), ("index\n  %cs = arith.constant 8", "index\n  %cs = arith.constant 60", 0),
                                ("%c0 to %cn", "%cn to %cn", 0), ("%c0 to %cn", "%c0 to %c16", 0), ("[%cn, %c16]", "[%c16, %c16]", 2)):
            text = bad.replace(old, new)
            if "constant 6" in new or "constant 5" in new:
                rows = re.search(r"%cn = arith.constant (\d+)", text).group(1)
                step = re.search(r"%cs = arith.constant (\d+)", text).group(1)
                text = text.replace("60x16", rows + "x16").replace("8x16", step + "x16")
            if "c16, %c16]" in new:
                text = text.replace("60x16", "16x16")
            self.assertEqual(self.ids(text, "--checks", "loop-overrun"), ["loop-overrun"] * found, text)

    def test_comments_allow(self):
        self.assertEqual(self.ids(UNUSED), ["unused-argument", "unused-constant"])
        constant = "  %c1 = arith.constant 1 : index"
        behind = UNUSED.replace(constant, constant + "  // lint: allow unused-constant: for the reader")
        before = UNUSED.replace(constant, "  // lint: allow unused-constant: for the reader\n\n  // more\n" + constant)
        hash_ = UNUSED.replace(constant, "# lint: allow unused-constant: for the reader\n" + constant)
        for text in behind, before, hash_:
            self.assertEqual(self.ids(text), ["unused-argument"], text)
        self.assertEqual(self.ids("// lint: allow-file unused-constant, unused-argument: a skeleton\n" + UNUSED), [])
        # Of another line, or another check: that is found, and the comment is useless.
        self.assertEqual(self.ids("// lint: allow unused-constant: too early\n" + UNUSED),
                         ["allow-useless", "unused-argument", "unused-constant"])
        self.assertEqual(self.ids(behind.replace("unused-constant:", "unused-tile:")),
                         ["unused-argument", "unused-constant", "allow-useless"])
        # Nothing is useless that was not looked for.
        self.assertEqual(self.ids(behind.replace("unused-constant:", "unused-tile:"), "--checks", "unused-view,allow-useless"), [])

    def test_options_choose(self):
        self.assertEqual(self.ids(UNUSED, "--checks", "unused-constant"), ["unused-constant"])
        self.assertEqual(self.ids(UNUSED, "--checks", "-unused-constant"), ["unused-argument"])
        self.assertEqual(self.ids(UNUSED, "--allow", "unused-constant", "--allow", "unused-argument"), [])
        self.assertEqual(self.ids(UNUSED, "--checks", "unused-constant,unused-tile,-unused-constant"), [])
        for wrong in "nothing", "-nothing", "unused-constant,,x", "unused_constant":
            text = self.pto("lint", "-", "--checks", wrong, stdin=UNUSED.encode(), code=2)
            self.assertIn("there is no check", text)
            self.assertEqual(text.count("\n"), 1, text)

    def test_text_has_place_excerpt_and_remedy(self):
        self.write("p.pto", UNUSED)
        self.assertEqual(self.pto("lint", "p.pto", "--checks", "unused-constant", code=1),
                         "p.pto:2:3: warning: constant %c1 is never used [unused-constant]\n"
                         "  %c1 = arith.constant 1 : index\n  ^^^\nhelp: Remove the constant.\n")

    def test_json(self):
        self.write("p.pto", UNUSED)
        found = json.loads(self.pto("lint", "p.pto", "--format", "json", code=1))
        self.assertEqual([(f["file"], f["line"], f["column"], f["severity"], f["rule"]) for f in found],
                         [("p.pto", 1, 96, "warning", "unused-argument"), ("p.pto", 2, 3, "warning", "unused-constant")])
        self.assertEqual(json.loads(self.pto("lint", "-", "--format", "json")), [])

    def test_sarif(self):
        """Against what the standard asks of a log: 3.13, 3.14, 3.19, 3.27, 3.28, 3.30 of SARIF 2.1.0."""
        self.write("a b.pto", UNUSED)
        self.write("broken.pto", "nonsense")
        log = json.loads(self.pto("lint", "a b.pto", "broken.pto", "--format", "sarif", code=1))
        self.assertEqual(log["version"], "2.1.0")
        self.assertTrue(log["$schema"].endswith("sarif-schema-2.1.0.json"))
        self.assertEqual(set(log), {"version", "$schema", "runs"})
        run, = log["runs"]
        self.assertEqual(set(run), {"tool", "results", "columnKind"})
        self.assertIn(run["columnKind"], ("utf16CodeUnits", "unicodeCodePoints"))
        driver = run["tool"]["driver"]
        self.assertTrue(driver["name"])
        self.assertRegex(driver["version"], r"^\d+\.\d+\.\d+$")
        ids = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(ids), len(set(ids)))
        for rule in driver["rules"]:
            for text in "shortDescription", "fullDescription", "help":
                self.assertTrue(rule[text]["text"])
        self.assertGreater(len(run["results"]), 2)
        for result in run["results"]:
            self.assertLessEqual(set(result), {"ruleId", "ruleIndex", "level", "message", "locations"})
            self.assertIn(result["level"], ("none", "note", "warning", "error"))
            self.assertTrue(result["message"]["text"])
            if result["level"] == "warning":
                self.assertEqual(ids[result["ruleIndex"]], result["ruleId"])
            else:
                self.assertNotIn("ruleIndex", result)
            place = result["locations"][0]["physicalLocation"]
            self.assertIn(place["artifactLocation"]["uri"], ("a%20b.pto", "broken.pto"))
            self.assertGreaterEqual(place["region"]["startLine"], 1)
            self.assertGreaterEqual(place["region"]["startColumn"], 1)

    def test_errors_come_without_advice(self):
        self.write("p.pto", UNUSED.replace("8x8xf32>\n", "8x8xf31>\n", 1))
        self.assertEqual(self.pto("lint", "p.pto", "--format", "line", code=1).count("error:"), 1)
        self.assertNotIn("warning", self.pto("lint", "p.pto", "--format", "line", code=1))

    def test_a_file_is_written_whole_or_not_at_all(self):
        self.write("p.pto", UNUSED)
        self.pto("lint", "p.pto", "--format", "json", "--out", "found.json", code=1)
        self.assertEqual(len(json.loads(read(self.path("found.json")))), 2)
        self.assertIn("no/such.json", self.pto("lint", "p.pto", "--out", "no/such.json", code=2))
        self.pto("lint", "p.pto", "absent.pto", "--out", "found.json", code=2)
        self.assertEqual(len(json.loads(read(self.path("found.json")))), 2)
        self.assertEqual(self.files(), ["found.json", "p.pto"])
        self.assertEqual(self.pto("lint", code=2).count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
