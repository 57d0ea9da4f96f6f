"""The synchronisation checker: programs of tests/ptoas/sync and the report of `pto run --sync` on each. In good_* every
order is there, and nothing is found; bad_* have one error, or a flag too many. `--write` as the last argument renews the reports."""
import json
import pathlib
import random
import re
import subprocess
import sys
import unittest

WRITE = "--write" in sys.argv and sys.argv.remove("--write") is None

from harness import PTO, ROOT, SPARSE, THOROUGH, CommandTest

RACE = "examples/race.pto --shape x=512x64:f32 --shape y=512x64:f32"
FOLDER = pathlib.Path(ROOT) / "tests" / "ptoas" / "sync"
# Of the tests that run the command most, ./dev test runs one case in three.
SHARE = 1 if THOROUGH else 15 if SPARSE else 3


class Sync(CommandTest):
    def report(self, program):
        text = program.read_text()
        self.write(program.name, text)
        arguments = text.splitlines()[0].removeprefix("// run:").split()
        done, found = self.run_any(program.name, *arguments)
        self.assertEqual(done.returncode, 1 if "error: " in found else 0, program.name)
        return found

    def run_any(self, *arguments):
        done = subprocess.run([PTO, "run", *arguments, "--sync"], capture_output=True, cwd=self.folder.name, timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done, done.stderr.decode()

    @staticmethod
    def expected(program):
        report = program.with_suffix(".txt")
        return report.read_text() if report.exists() else ""

    def check(self, pattern, least):
        programs = sorted(FOLDER.glob(pattern))
        self.assertGreaterEqual(len(programs), least)
        for program in programs:
            with self.subTest(program=program.name):
                found = self.report(program)
                if WRITE:
                    program.with_suffix(".txt").write_text(found)
                self.assertEqual(found, self.expected(program))

    def test_correct_programs(self):
        self.check("good_*.pto", 40)
        for program in FOLDER.glob("good_*.txt"):
            self.assertNotRegex(program.read_text(), r"sync-(?!auto)", program.name)

    def test_mistakes(self):
        self.check("bad_*.pto", 40)
        for program in FOLDER.glob("bad_*.txt"):
            self.assertRegex(program.read_text(), r"\[sync-(?!auto)", program.name)

    def test_document(self):
        """The program of docs/sync.md, with the command and what it prints as the page has them."""
        blocks = (pathlib.Path(ROOT) / "docs" / "sync.md").read_text().split("```")[1::2]
        command, program, printed = (block[block.index("\n") + 1:] for block in blocks[:3])
        self.write("scale.pto", program)
        words = command.split()
        self.assertEqual(words[:2], ["pto", "run"])
        self.assertEqual(words[-1], "--sync")
        done, found = self.run_any(*words[2:-1])
        self.assertEqual((done.returncode, found), (1, printed))

    @staticmethod
    def arguments(program):
        return program.read_text().splitlines()[0].removeprefix("// run:").split()

    def told(self, *arguments, code=0):
        self.pto(*arguments, code=code)
        return self.stderr

    def test_check(self):
        """`pto check --sync` reports the same as `pto run --sync`, and what it needs to run at all."""
        for program in sorted(FOLDER.glob("*_cores_*.pto")) + [FOLDER / "bad_auto_blocks.pto"]:
            found = self.report(program)
            check = ["check", "--sync", program.name, *self.arguments(program)]
            code = 1 if "error: " in found else 0
            with self.subTest(program=program.name):
                self.assertEqual(self.told(*check, code=code), found)
                rules = [one["rule"] for one in json.loads(self.pto(*check, "--json", code=code))]
                self.assertEqual(rules, re.findall(r"\[([a-z-]+)\]\n", found))
        self.assertRegex(self.told("check", "--sync", program.name, code=2), "^pto: .*is not bound")
        self.write("wrong.pto", "func.func @main(%a: index) {\n  pto.none\n}\n")
        self.assertIn("wrong.pto:2:", self.told("check", "--sync", "wrong.pto", code=1))
        self.assertIn("--sync", self.told("check", program.name, "--int", "n=1", code=2))

    def test_check_that_ends_early(self):
        """A run that ends with an error, or that has no memory, is reported as by `pto run`."""
        self.write("trap.pto", "func.func @main() {\n  pto.trap\n  return\n}\n")
        self.assertIn("trap.pto:2:3: error: ", self.told("check", "--sync", "trap.pto", code=1))

    def test_warnings_as_errors(self):
        """With --werror a run that only warns ends with 1, and writes nothing."""
        program = FOLDER / "bad_cores_wait_useless.pto"
        found = self.report(program)
        self.assertIn("warning: ", found)
        check = ["check", "--sync", program.name, *self.arguments(program)]
        run = ["run", "--sync", program.name, *self.arguments(program), "--out", "y=y.npy"]
        self.assertEqual(self.told(*run, "--werror", code=1), found)
        self.assertNotIn("y.npy", self.files())
        self.assertEqual(self.told(*check, "--werror", code=1), found)
        self.assertEqual(self.told(*check), found)
        self.assertEqual(self.told(*run), found)
        self.assertIn("y.npy", self.files())

    def test_example(self):
        """examples/race.pto as README shows it, and without a finding once its flags are there."""
        readme = (pathlib.Path(ROOT) / "README.md").read_text()
        self.assertIn("pto run %s --sync\n" % RACE, readme)
        done, found = self.run_any(str(pathlib.Path(ROOT) / "examples" / "race.pto"), *RACE.split()[1:])
        lines = found.replace(ROOT + "/", "").splitlines()
        self.assertEqual((done.returncode, len(lines)), (1, 8))
        self.assertIn("\n".join(lines[:4]) + "\n", readme)
        text = (pathlib.Path(ROOT) / "examples" / "race.pto").read_text()
        flag = "      pto.%s_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID%d>]\n"
        for i, tile in enumerate(("even", "odd")):
            text = re.sub(r"(.*pto.tload .*outs\(%%%s .*\n)" % tile, flag % ("wait", i) + r"\1", text)
            text = re.sub(r"(.*pto.tstore ins\(%%%s .*\n)" % tile, r"\1" + flag % ("set", i), text)
            text = text.replace("    scf.for", flag % ("set", i) + "    scf.for").replace("    return", flag % ("wait", i) + "    return")
        self.write("race.pto", text)
        done, found = self.run_any("race.pto", *RACE.split()[1:])
        self.assertEqual((done.returncode, found), (0, ""))


class Fix(CommandTest):
    """`pto fix --sync`: the programs of the corpus, without their flags, barriers and events, get what they lack."""

    ORDER = re.compile(r"^ *pto\.(?:set_flag|wait_flag|set_flag_dyn|wait_flag_dyn|barrier|record_event|wait_event)\b.*\n", re.M)

    def arguments(self, program):
        return program.read_text().splitlines()[0].removeprefix("// run:").split()

    def fix(self, text, arguments, *more):
        self.write("p.pto", text)
        done = subprocess.run([PTO, "fix", "p.pto", "--sync", *arguments, *more], capture_output=True, text=True, cwd=self.folder.name, timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def found(self, text, arguments):
        self.write("q.pto", text)
        done = subprocess.run([PTO, "check", "q.pto", "--sync", *arguments], capture_output=True, text=True, cwd=self.folder.name, timeout=60)
        return done.stderr

    @staticmethod
    def orders(text):
        """Flags that are set, events, and barriers."""
        return len(re.findall(r"pto\.(?:set_flag|set_flag_dyn|barrier|record_event)\b", text))

    def test_corpus(self):
        """Nothing is left that flags within a core can order; where there are no loops, no more than the author had."""
        clean = straight = 0
        for program in sorted(FOLDER.glob("*.pto"))[::SHARE]:
            text, arguments = program.read_text(), self.arguments(program)
            without = self.ORDER.sub("", text)
            if without == text and program.name.startswith("bad_"):
                continue
            with self.subTest(program=program.name):
                done = self.fix(without, arguments)
                found = self.found(done.stdout, arguments)
                self.assertEqual(done.stderr.count("error: "), found.count("error: "), (done.stderr, found))
                # Of two cores, of two blocks, and tiles that others overwrite: no flag of a core orders these.
                for line in re.findall(r".*\[sync-[a-z-]+\]", found):
                    self.assertRegex(line, r"here and on|\[sync-blocks\]|\[sync-overwritten\]|wait orders nothing|sync.wait orders nothing")
                clean += found == ""
                placed = self.orders(text) > 0  # else a compiler was to order it
                if placed and program.name.startswith("good_") and "scf." not in text and "get_buf" not in text:
                    straight += 1
                    self.assertLessEqual(self.orders(done.stdout), self.orders(text), done.stdout)
        self.assertGreater(clean, 120 // SHARE)
        self.assertGreater(straight, 30 // SHARE)

    def test_no_order_can_be_left_out(self):
        for name in ("good_matmul_steps", "good_loop", "good_ping_pong", "good_hazard_products", "good_auto"):
            program = FOLDER / (name + ".pto")
            arguments = self.arguments(program)
            fixed = self.fix(self.ORDER.sub("", program.read_text()), arguments).stdout
            self.assertEqual(self.found(fixed, arguments), "", name)
            self.assertEqual(self.fix(fixed, arguments).stdout, fixed)
            lines = fixed.splitlines(keepends=True)
            for i, line in enumerate(lines):
                if "pto.barrier" in line:
                    left = lines[:i] + lines[i + 1:]
                elif "pto.set_flag[" in line:
                    wait = next(k for k in range(i, len(lines)) if lines[k].strip() == line.strip().replace("set_flag", "wait_flag"))
                    left = lines[:i] + lines[i + 1:wait] + lines[wait + 1:]
                else:
                    continue
                self.assertRegex(self.found("".join(left), arguments), r"\[sync-(race|hazard|auto)\]", (name, line))

    def test_half_a_flag_is_completed(self):
        """Without its set, or without its wait, each flag gets what is missing, in its place and with its id."""
        halves = 0
        for program in sorted(FOLDER.glob("good_*.pto"))[::SHARE]:
            text, arguments = program.read_text(), self.arguments(program)
            if "scf." in text or "get_buf" in text or "pto.set_flag" not in text or self.found(text, arguments) != "":
                continue
            fixed = self.fix(self.ORDER.sub("", text), arguments).stdout
            lines = fixed.splitlines(keepends=True)
            for i, line in enumerate(lines):
                if "pto.set_flag[" in line or "pto.wait_flag[" in line:
                    halves += 1
                    done = self.fix("".join(lines[:i] + lines[i + 1:]), arguments)
                    with self.subTest(program=program.name, line=line):
                        self.assertEqual(self.found(done.stdout, arguments), "")
                        self.assertEqual(sorted(done.stdout.splitlines()), sorted(fixed.splitlines()))
        self.assertGreater(halves, 200 // SHARE)

    def test_results_stay(self):
        program = FOLDER / "good_matmul_steps.pto"
        text, results = program.read_text(), []
        inputs = ["--in", "x=random:1", "--in", "y=random:2"]
        for variant in (text, self.fix(self.ORDER.sub("", text), self.arguments(program)).stdout):
            self.write("r.pto", variant)
            self.pto("run", "r.pto", *self.arguments(program), *inputs, "--out", "dst=dst.npy", "--force")
            results.append(pathlib.Path(self.path("dst.npy")).read_bytes())
        self.assertEqual(*results)

    def test_calls_share_a_barrier(self):
        """Two calls of one function are in no loop and no common block: a barrier orders them."""
        text = """func.func private @step(%p: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %base = arith.constant 0 : i64
  %v = pto.make_tensor_view %p, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %t = pto.alloc_tile addr = %base : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%v : !pto.tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%v : !pto.tensor_view<8x8xf32>)
  return
}
func.func @main(%p: !pto.ptr<f32>) attributes {pto.entry} {
  func.call @step(%p) : (!pto.ptr<f32>) -> ()
  func.call @step(%p) : (!pto.ptr<f32>) -> ()
  return
}
"""
        arguments = ["--shape", "p=64:f32"]
        fixed = self.fix(text, arguments).stdout
        self.assertIn("  pto.barrier <PIPE_ALL>\n  pto.tload", fixed)
        self.assertEqual(self.found(fixed, arguments), "")

    def test_command(self):
        program = FOLDER / "bad_no_load_flag.pto"
        arguments = self.arguments(program)
        fixed = self.fix(program.read_text(), arguments).stdout
        done = self.fix(program.read_text(), arguments, "--write")
        self.assertEqual((done.returncode, done.stdout, pathlib.Path(self.path("p.pto")).read_text()), (0, "", fixed))
        self.assertIn("--sync", self.told_by("fix", "p.pto"))
        self.assertRegex(self.told_by("fix", "p.pto", "--sync"), "^pto: .*is not bound")

    def told_by(self, *arguments):
        self.pto(*arguments, code=2)
        return self.stderr


class Windows(CommandTest):
    """Windows of tiles in boxes: one pipe reads, another writes without a flag. They race where a box has both."""

    # The direction of boxes of 512 bytes, their lengths down and across, and the tile that receives a window.
    KINDS = (("f16, blayout=col_major, slayout=row_major", 16, 16, "left"), ("f16, blayout=row_major, slayout=col_major", 16, 16, "right"),
             ("f32, blayout=col_major, slayout=row_major", 16, 8, "left"), ("f32, blayout=row_major, slayout=col_major", 8, 16, "right"),
             ("i8, blayout=row_major, slayout=row_major", 16, 32, "left"))

    def test_windows_of_boxes(self):
        numbers, raced = random.Random(self.id()), 0
        rounds = 18 if SPARSE else 90
        for round in range(rounds):
            layout, down, across, to = self.KINDS[round % len(self.KINDS)]
            boxes = [(numbers.randrange(4), numbers.randrange(4), numbers.randint(1, 2), numbers.randint(1, 2)) for _ in range(2)]
            boxes = [(min(r, 4 - h), min(c, 4 - w), h, w) for r, c, h, w in boxes]
            both = set.intersection(*({(r + i, c + k) for i in range(h) for k in range(w)} for r, c, h, w in boxes))
            lines = ["func.func @main() {", "%a = arith.constant 0 : i64"]
            lines += ["%%%s%d = arith.constant %d : index" % (name, i, size * box[k])
                      for i, box in enumerate(boxes) for k, (name, size) in enumerate((("r", down), ("c", across)))]
            lines += ["%%%s = pto.alloc_tile addr = %%a : !pto.tile_buf<%s, %dx%dx%s>" % (name, where, down * h, across * w, layout)
                      for name, where, h, w in (("t", "mat", 4, 4), ("u", to, *boxes[0][2:]), ("v", "vec", *boxes[1][2:]))]
            lines += ["pto.textract ins(%t, %r0, %c0 : !pto.tile_buf<...>, index, index) outs(%u : !pto.tile_buf<...>)",
                      "pto.tinsert ins(%v, %r1, %c1 : !pto.tile_buf<...>, index, index) outs(%t : !pto.tile_buf<...>)", "return", "}", ""]
            self.write("w.pto", "\n".join(lines))
            done = subprocess.run([PTO, "run", "w.pto", "--sync"], capture_output=True, cwd=self.folder.name, timeout=60)
            said = done.stderr.decode()
            self.assertEqual(re.findall(r"\[([a-z-]+)\]\n", said), ["sync-race"] if both else [], (lines, said))
            if both:
                # Boxes follow each other in the direction of blayout; bytes are the tile's, from the first shared one to the last.
                order = sorted((4 * c + r if "blayout=col_major" in layout else 4 * r + c) for r, c in both)
                first, last = map(int, re.search(r"writes bytes (\d+) to (\d+) of %t", said).groups())
                self.assertTrue(first <= 512 * order[0] and last >= 512 * order[-1] + 511, (lines, said))
                self.assertTrue(max(h * w for _, _, h, w in boxes) > 1 or last - first == 511, (lines, said))
            raced += bool(both)
        self.assertTrue(2 * rounds < 9 * raced < 7 * rounds, raced)


class Places(CommandTest):
    """Windows that a device cannot address: `pto check` reports by constants what a run reports, each profile by its own rules."""

    TILES = {"vec": "vec, 64x64xf32", "mat": "mat, 64x64xf32, blayout=col_major, slayout=row_major",
             "left": "left, 16x16xf32, blayout=col_major, slayout=row_major", "small": "vec, 16x16xf32"}

    def rules(self, body, profile):
        self.write("w.pto", "func.func @main() {\n%s\nreturn\n}\n" % body)
        found = []
        for command in ("check", "run"):
            done = subprocess.run([PTO, command, "w.pto", "--profile", profile], capture_output=True, cwd=self.folder.name, timeout=60)
            found.append(re.findall(r"\[([a-z-]+)\]\n", (done.stdout + done.stderr).decode()))
        self.assertEqual(*found, body)
        return found[0]

    def test_windows(self):
        tile = "%%%s = pto.alloc_tile : !pto.tile_buf<%s>"
        start = "%%r = arith.constant %d : index\n%%c = arith.constant %d : index\n"
        extract = "pto.textract ins(%a, %r, %c : !pto.tile_buf<...>, index, index) outs(%b : !pto.tile_buf<...>)"
        window = "%w = pto.subset %a[%r, %c] sizes [16, 16] : !pto.tile_buf<vec, 64x64xf32>\npto.tabs ins(%w : !pto.tile_buf<...>) outs(%b : !pto.tile_buf<...>)"
        zero = "%z = arith.constant 0.0 : f32\npto.texpands ins(%z : f32) outs(%a : !pto.tile_buf<...>)\n"
        for row, col in ((0, 0), (1, 0), (16, 8), (16, 4), (8, 8), (32, 24)):
            block = col % 8 == 0
            for source, to, statement, a2a3, a5, rule in (
                    ("mat", "left", extract, block and row % 16 == 0, block and row % 16 == 0, "window-place"),
                    ("vec", "small", extract, block, True, "window-place"), ("vec", "small", window, block, block, "view-alignment")):
                fill = zero if source == "vec" else ""
                body = "\n".join((tile % ("a", self.TILES[source]), tile % ("b", self.TILES[to]), fill + start % (row, col) + statement))
                for profile, good in (("cpu", True), ("a2a3", a2a3), ("a5", a5)):
                    self.assertEqual(self.rules(body, profile), [] if good else [rule], (source, row, col, profile))


class Limits(CommandTest):
    def test_tiles_that_were_written_over(self):
        """Of tiles whose memory others have, 256 are remembered; of more nothing is said, and nothing wrong."""
        for count, told in ((256, 6), (300, 6)):
            tile = "!pto.tile_buf<vec, 1x8xf32>"
            lines = ["func.func @main() {", "%c = arith.constant 1.0 : f32"]
            for i in range(count):
                lines.append("%%a%d = arith.constant %d : i64" % (i, 32 * i))
                lines += ["%%%s%d = pto.alloc_tile addr = %%a%d : %s" % (name, i, i, tile) for name in "tu"]
            for name in "tu":
                lines += ["pto.texpands ins(%%c : f32) outs(%%%s%d : %s)" % (name, i, tile) for i in range(count)]
            lines += ["%%b = arith.constant %d : i64" % (32 * count), "%%d = pto.alloc_tile addr = %%b : %s" % tile]
            lines += ["pto.tabs ins(%%t%d : %s) outs(%%d : %s)" % (i, tile, tile) for i in range(250, count)]
            self.write("o.pto", "\n".join(lines + ["return", "}", ""]))
            done = subprocess.run([PTO, "run", "o.pto", "--sync"], capture_output=True, cwd=self.folder.name, timeout=60)
            self.assertEqual((done.returncode, done.stderr.count(b"[sync-overwritten]")), (0, told), done.stderr[-300:])


class Random(CommandTest):
    """Random programs whose order is complete, by a search through what is before what that shares nothing with the checker."""

    PIPES = ("MTE2", "V", "MTE3")
    OVERLAPPING = ()  # pipes whose instructions a barrier must order
    PROFILE = "cpu"
    ROUNDS = 60 // SHARE

    def setUp(self):
        super().setUp()
        self.numbers = random.Random(self.id())

    def steps(self):
        """(pipe, reads, writes) of memory: tiles by number, rows of global memory by r and number."""
        for _ in range(self.numbers.randint(4, 14)):
            a, b, row = self.numbers.randrange(3), self.numbers.randrange(3), "r%d" % self.numbers.randrange(4)
            yield self.numbers.choice([("MTE2", {row}, {a}), ("V", {a}, {b}), ("MTE3", {a}, {row})])

    @staticmethod
    def clash(a, b):
        return a[2] & (b[1] | b[2]) or b[2] & a[1]

    def before(self, lines):
        """For each line the lines that are done when it begins: earlier ones of its pipe, if it keeps their order, and what its flag passes on."""
        done, flags = [], {}
        known, issued = {pipe: set() for pipe in self.PIPES}, {pipe: set() for pipe in self.PIPES}
        for at, line in enumerate(lines):
            pipe = line[2] if line[0] == "wait" else line[1] if line[0] in ("set", "barrier") else line[0]
            if line[0] == "wait":
                known[pipe] |= flags.pop(line[1:])
            if line[0] == "barrier":
                known[pipe] |= issued[pipe]
            done.append(known[pipe] | (set() if pipe in self.OVERLAPPING else issued[pipe]))
            if line[0] == "set":
                flags[line[1:]] = known[pipe] | issued[pipe]
            issued[pipe].add(at)
        return done

    def ordered(self, lines):
        done = self.before(lines)
        ops = [(at, line) for at, line in enumerate(lines) if line[0] in self.PIPES]
        return all(a in done[b] for a, x in ops for b, y in ops
                   if a < b and (x[0] != y[0] or x[0] in self.OVERLAPPING) and self.clash(x, y))

    def program(self):
        lines = []
        for step in self.steps():
            for pipe in self.PIPES:
                clashes = [at for at, line in enumerate(lines) if line[0] == pipe != step[0] and self.clash(line, step)]
                if not clashes or all(at in self.before(lines + [step])[-1] for at in clashes):
                    continue
                flag = (pipe, step[0], self.numbers.randrange(7))
                place = self.numbers.choice([clashes[-1] + 1, len(lines)])
                if any(line[1:] == flag for line in lines[place:]) or self.open(lines[:place], flag):
                    place = len(lines)
                lines[place:place] = [("set",) + flag]
                lines.append(("wait",) + flag)
            own = [at for at, line in enumerate(lines) if line[0] == step[0] in self.OVERLAPPING and self.clash(line, step)]
            if not all(at in self.before(lines + [step])[-1] for at in own):
                lines.append(("barrier", step[0]))
            lines.append(step)
        return lines

    @staticmethod
    def open(lines, flag):
        return sum(line[1:] == flag and (1 if line[0] == "set" else -1) for line in lines if line[0] in ("set", "wait"))

    def text(self, lines):
        tile, row, view = "!pto.tile_buf<vec, 1x8xf32>", "!pto.partition_tensor_view<1x8xf32>", "!pto.tensor_view<4x8xf32>"
        out = ["func.func @main(%m: !pto.ptr<f32>) {"]
        out += ["%%c%d = arith.constant %d : index" % (i, i) for i in (0, 1, 2, 3, 4, 8)]
        out += ["%v = pto.make_tensor_view %m, shape = [%c4, %c8], strides = [%c8, %c1] : " + view]
        for i in range(4):
            out.append("%%r%d = pto.partition_view %%v, offsets = [%%c%d, %%c0], sizes = [%%c1, %%c8] : %s -> %s" % (i, i, view, row))
        for i in range(3):
            out.append("%%a%d = arith.constant %d : i64\n%%t%d = pto.alloc_tile addr = %%a%d : %s" % (i, 32 * i, i, i, tile))
        for line in lines:
            if line[0] in ("set", "wait"):
                out.append("pto.%s_flag[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%d>]" % line)
                continue
            if line[0] == "barrier":
                out.append("pto.barrier <PIPE_%s>" % line[1])
                continue
            (source,), (to,) = line[1], line[2]
            if line[0] == "MTE2":
                out.append("pto.tload ins(%%%s : %s) outs(%%t%d : %s)" % (source, row, to, tile))
            elif line[0] == "V":
                out.append("pto.tabs ins(%%t%d : %s) outs(%%t%d : %s)" % (source, tile, to, tile))
            else:
                out.append("pto.tstore ins(%%t%d : %s) outs(%%%s : %s)" % (source, tile, to, row))
        return "\n".join(out + ["return", "}", ""])

    def found(self, lines):
        self.write("p.pto", self.text(lines))
        done = subprocess.run([PTO, "run", "p.pto", "--shape", "m=4x8:f32", "--sync", "--profile", self.PROFILE], capture_output=True,
                              cwd=self.folder.name, timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        rules = re.findall(r"\[(sync-[a-z-]+)\]", done.stderr.decode())
        self.assertEqual(done.returncode, 1 if set(rules) & {"sync-race", "sync-hazard", "sync-set-twice", "sync-never-set"} else 0)
        return rules

    def judge(self, lines):
        """Whether an order is missing: the checker reports it exactly then."""
        ordered = self.ordered(lines)
        self.assertEqual(not {"sync-race", "sync-hazard"} & set(self.found(lines)), ordered, self.text(lines))
        return not ordered

    def test_flags_taken_away_and_added(self):
        taken = needed = self.barriers = 0
        for _ in range(self.ROUNDS):
            lines = self.program()
            self.assertTrue(self.ordered(lines))
            rules = self.found(lines)
            self.assertLessEqual(set(rules), {"sync-useless"}, self.text(lines))
            for at, line in enumerate(lines):
                if line[0] == "barrier":
                    self.barriers += self.judge(lines[:at] + lines[at + 1:])
                if line[0] != "set":
                    continue
                end = lines.index(("wait",) + line[1:], at)
                taken += 1
                needed += self.judge(lines[:at] + lines[at + 1:end] + lines[end + 1:])
            for at, line in enumerate(lines):
                # The same flag once more, under an id that the program has not.
                if line[0] != "set" or self.numbers.random() < 0.7:
                    continue
                end = lines.index(("wait",) + line[1:], at)
                if not any(other[0] in self.PIPES and other[0] == line[2] for other in lines[end:]):
                    continue
                again = line[1:3] + (7,)
                more = (lines[:at + 1] + [("set",) + again] + lines[at + 1:end + 1] + [("wait",) + again] +
                        lines[end + 1:])
                self.assertEqual(self.found(more), rules + ["sync-useless"], self.text(more))
        self.assertGreater(needed, taken // 2)
        self.assertGreater(needed, self.ROUNDS * 5 // 6)
        self.assertGreaterEqual(self.barriers, self.ROUNDS // 2 if self.OVERLAPPING else 0)


class Overlapping(Random):
    """The same for A2A3, where V orders its own instructions by barriers only."""

    OVERLAPPING = ("V",)
    PROFILE = "a2a3"
    ROUNDS = 30 // SHARE


if __name__ == "__main__":
    unittest.main()
