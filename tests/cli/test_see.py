"""What a kernel did: trace, statistics, progress and the report, whose page is opened in headless Chromium
and Firefox where they are."""
import base64
import json
import math
import os
import pty
import re
import struct
import subprocess
import sys
import time
import unittest

from harness import PTO, RING_ARGS, ROOT, CommandTest, in_thorough

import npy

sys.path.insert(0, os.path.join(ROOT, "tests", "common"))
from browser import Chromium, Firefox  # noqa: E402

T = "!pto.tile_buf<vec, 4x8xf32>"
# Loads x, multiplies it by 2^16 in each of ten rounds, subtracts it from itself and stores the last.
PROGRAM = """func.func @grow(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 10 : index
  %big = arith.constant 65536.0 : f32
  %vx = pto.make_tensor_view %x, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>
  %vy = pto.make_tensor_view %y, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>
  %t = pto.alloc_tile : TILE
  %u = pto.alloc_tile : TILE
  pto.tload ins(%vx : !pto.tensor_view<4x8xf32>) outs(%t : TILE)
  scf.for %i = %c0 to %n step %c1 {
    pto.tmuls ins(%t, %big : TILE, f32) outs(%t : TILE)
    pto.tsub ins(%t, %t : TILE, TILE) outs(%u : TILE)
  }
  pto.tstore ins(%u : TILE) outs(%vy : !pto.tensor_view<4x8xf32>)
  return
}
""".replace("TILE", T)
# The round, from 0, in which 2^16 (k + 1) is infinite, and infinity less infinity no number.
INFINITE = 7
VALUES = [float(i % 5 + 1) for i in range(32)]
INPUTS = ("--in", "x=x.npy", "--shape", "y=4x8", "--out", "y=y.npy")


LANES = """func.func @main() {
  %none = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
  pto.vecscope {
    %third = pto.pset_b32 "PAT_M3" : !pto.mask<b32>
    %n = pto.vci %none : f32 -> !pto.vreg<64xf32>
    %e = pto.vneg %n, %third : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    %h = pto.vcvt %e, %third {rnd = "R", sat = "SAT", part = "EVEN"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>
    scf.for %i = %c0 to %c3 step %c1 {
      pto.texpands ins(%none : f32) outs(%t : !pto.tile_buf<...>)
      %s = pto.vadd %e, %n, %third : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    }
  }
  return
}
"""


def embedded(page):
    """The data of a report, its tables as lists of numbers."""
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))
    for table in ("events", "tiles"):
        columns = []
        for column in data[table]["columns"]:
            raw = base64.b64decode(column[1:], validate=True)
            columns.append(struct.unpack("<%d%s" % (len(raw) // int(column[0]), {"1": "b", "2": "h", "4": "i", "8": "q"}[column[0]]), raw))
            assert len(columns[-1]) == data[table]["rows"]
        data[table] = list(zip(*columns))
    data["elements"] = base64.b64decode(data["elements"], validate=True)
    return data


class See(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("grow.pto", PROGRAM)
        npy.save(self.path("x.npy"), "f32", (4, 8), VALUES)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_trace(self):
        self.pto("run", "grow.pto", *INPUTS, "--trace", "t.json", "--blocks", "2")
        trace = json.loads(self.read("t.json"))
        names = {(e["pid"], e["tid"], e["name"]): e["args"]["name"] for e in trace if e["ph"] == "M"}
        self.assertEqual({names[pid, tid, "process_name"] for pid, tid, _ in names}, {"block 0", "block 1"})
        events = [e for e in trace if e["ph"] == "X"]
        per_block = [("tload", 12)] + [("tmuls", 14), ("tsub", 15)] * 10 + [("tstore", 17)]
        self.assertEqual([(e["name"], e["args"]["line"]) for e in events], per_block * 2)
        self.assertEqual([e["pid"] for e in events], [0] * 22 + [1] * 22)
        for e in events:
            pipe = names[e["pid"], e["tid"], "thread_name"].split()[0]
            self.assertEqual(pipe, {"tload": "MTE2", "tstore": "MTE3"}.get(e["name"], "V"))
            args = e["args"]
            self.assertEqual((args["dtype"], args["rows"], args["cols"], args["elements"]), ("f32", 4, 8, 32))
            self.assertEqual(args["bytes"], 384 if e["name"] == "tsub" else 256)
            self.assertTrue(PROGRAM.encode()[args["offset"]:].startswith(("pto." + e["name"]).encode()))
            if e["dur"]:
                self.assertAlmostEqual(args["GB/s"], args["bytes"] / e["dur"] / 1000, delta=0.01 + args["GB/s"] / 1000)
        for before, after in zip(events, events[1:]):
            self.assertGreaterEqual(after["ts"] + 1e-3, before["ts"] + before["dur"])

    def test_stats(self):
        out = self.pto("run", "grow.pto", *INPUTS, "--stats", "--blocks", "3")
        by_name, by_line = out.split("\n\n")
        for text, width, want in ((by_name, 1, {"tload": (3, 96), "tmuls": (30, 960), "tsub": (30, 960), "tstore": (3, 96)}),
                                  (by_line, 2, {"12 tload": (3, 96), "14 tmuls": (30, 960), "15 tsub": (30, 960), "17 tstore": (3, 96)})):
            rows = [line.split() for line in text.splitlines()[1:]]
            self.assertEqual({" ".join(r[:width]): (int(r[width]), int(r[width + 1])) for r in rows}, want)
            times = [float(r[width + 2]) for r in rows]
            self.assertEqual(times, sorted(times, reverse=True))
            self.assertAlmostEqual(sum(float(r[-1].rstrip("%")) for r in rows), 100, delta=0.5)

    def test_report_data(self):
        self.pto("run", "grow.pto", *INPUTS, "--report", "r.html")
        page = self.read("r.html")
        self.assertNotRegex(page, r"(src|href)=|https?:")
        data = embedded(page)
        self.assertEqual((data["name"], data["text"], data["notes"], data["lost"]), ("grow.pto", PROGRAM, [], 0))
        self.assertEqual(len(data["events"]), 22)
        for i, event in enumerate(data["events"][1:21]):
            tiles = data["tiles"][event[16]:event[16] + event[17]]
            after = tiles[-1]
            self.assertEqual(data["ops"][str(event[2])], "tsub" if i % 2 else "tmuls")
            rounds = i // 2
            want = [v * 2.0 ** (16 * (rounds + 1)) for v in VALUES]
            want = [math.inf if v >= 2.0 ** 128 else v for v in want]
            if i % 2:
                want = [math.nan if v == math.inf else 0.0 for v in want]
            got = struct.unpack("<32f", data["elements"][after[21]:after[21] + after[22]])
            self.assertEqual([str(v) for v in got], [str(v) for v in want])
            self.assertEqual(after[13:15], (sum(map(math.isnan, want)), sum(map(math.isinf, want))))
        self.assertEqual(npy.load(self.path("y.npy"))[1], (4, 8))

    def test_registers(self):
        """Registers and masks of statements of the vector level, and the mask that each register has."""
        self.write("lanes.pto", LANES)
        self.pto("run", "lanes.pto", "--report", "r.html")
        data = embedded(self.read("r.html"))
        register, mask = map(data["locations"].index, ("register", "mask"))
        kept = []
        for event in data["events"]:
            tiles = range(event[16], event[16] + event[17])
            kept.append([(data["names"][data["tileNames"][i]], data["tiles"][i]) for i in tiles])
        shape = [[(name, t[5], data["dtypes"][t[4]], t[12], t[1], t[8]) for name, t in one] for one in kept]
        third = ("%third", mask, "u8", 64, 0, 0)
        self.assertEqual(shape[:4], [
            [("%third", mask, "u8", 64, 1, 0)], [("%n", register, "f32", 64, 1, 0)],
            [("%n", register, "f32", 64, 0, 2), third, ("%e", register, "f32", 64, 1, 2)],
            # A mask of 64 lanes is not one of 128.
            [("%e", register, "f32", 64, 0, 2), third, ("%h", register, "f16", 128, 1, 0)]])
        self.assertEqual(len(kept), 4 + 3 * 2)
        lanes = lambda tile, letter: struct.unpack("<%d%s" % (tile[12], letter), data["elements"][tile[21]:tile[21] + tile[22]])
        self.assertEqual(lanes(kept[2][1][1], "B"), tuple(1 if i % 3 == 0 else 0 for i in range(64)))
        self.assertEqual(lanes(kept[1][0][1], "f"), tuple(map(float, range(64))))
        self.assertEqual(lanes(kept[2][2][1], "f"), tuple(-float(i) if i % 3 == 0 else 0.0 for i in range(64)))
        # Instructions and statements of the vector level, as they ran.
        begins = [event[0] for event in data["events"]]
        self.assertEqual(begins, sorted(begins))
        self.assertEqual(set(data["ops"].values()), {"texpands"})

    def test_registers_within_the_limit(self):
        self.write("lanes.pto", LANES.replace("constant 3 : index", "constant 3000 : index"))
        self.pto("run", "lanes.pto", "--report", "r.html", "--report-limit", "400000")
        data = embedded(self.read("r.html"))
        registers = sum(tile[22] for tile in data["tiles"] if tile[5] == data["locations"].index("register"))
        self.assertLessEqual(registers, 100000)
        self.assertGreater(registers, 20000)
        self.assertLessEqual(len(data["elements"]), 200000)
        self.assertGreater(data["lost"], 0)

    def test_bytes_that_nothing_wrote(self):
        """A report notes reads of UB before a write, once for each statement; examples have none."""
        with open(os.path.join(ROOT, "tests", "ptoas", "lint", "ub-unwritten.pto")) as file:
            bad, good = file.read().split("// ---- and without ----\n")
        self.write("bad.pto", bad)
        self.write("good.pto", good)
        self.pto("run", "bad.pto", "--shape", "y=64:f32", "--blocks", "2", "--report", "r.html")
        self.assertEqual([(n["line"], n["rule"], n["error"], n["message"]) for n in embedded(self.read("r.html"))["notes"]],
                         [(11, "ub-unwritten", False, "bytes 0 to 255 of UB are read before they are written")])
        self.pto("run", "bad.pto", "--shape", "y=64:f32")
        self.assertEqual(self.stderr, "")  # without a report
        self.pto("run", "good.pto", "--in", "x=iota", "--shape", "x=64:f32", "--shape", "y=64:f32", "--blocks", "2", "--report", "r.html")
        self.assertEqual(self.stderr, "")
        rows = ("--in", "x=random:1", "--shape", "x=9x300:f32", "--int", "n=9", "--int", "m=300", "--shape", "y=9x300:f32")
        tiles = ("--in", "x=random:1", "--shape", "x=16x64:f32", "--shape", "y=16x64:f32")
        copy = ("--in", "x=iota", "--shape", "x=8:f32")
        for name, arguments in (("vector_softmax", rows), ("vector_tiles", tiles), ("vector/copy", copy), ("vector/sort", ())):
            self.pto("run", os.path.join(ROOT, "examples", name + ".pto"), *arguments, "--report", "r.html")
            self.assertEqual(self.stderr, "", name)

    def test_dumps_of_registers(self):
        self.write("lanes.pto", LANES)
        third = "%third: 1x64 of u8\n  " + " ".join("1" if i % 3 == 0 else "0" for i in range(64)) + "\n"
        self.assertEqual(self.pto("run", "lanes.pto", "--dump", "%third"), third)
        out = self.pto("run", "lanes.pto", "--dump", "all")
        self.assertEqual(re.findall(r"(?m)^%\w+: \S+ of \w+", out),
                         ["%t: 2x8 of f32", "%third: 1x64 of u8", "%n: 1x64 of f32", "%e: 1x64 of f32", "%h: 1x128 of f16", "%s: 1x64 of f32"])
        self.assertIn("\n  " + " ".join(str(i) for i in range(64)) + "\n", out)
        self.pto("run", "lanes.pto", "--out", "n=n.npy")
        self.assertEqual(npy.load(self.path("n.npy")), ("f32", (1, 64), [float(i) for i in range(64)]))

    def test_a_hostile_text_stays_data(self):
        text = '// </script><script>alert(1)</script> "quoted\\" @STYLE@ \u00e9 \x01\n' + PROGRAM
        self.write("<b>.pto", text.encode())
        self.pto("run", "<b>.pto", *INPUTS, "--report", "r.html")
        page = self.read("r.html")
        self.assertEqual(page.count("</script>"), 2)
        self.assertIn('"quoted\\" @STYLE@ \u00e9 \\x01', embedded(page)["text"])

    def test_the_limit_is_kept_and_named(self):
        self.pto("run", "grow.pto", *INPUTS, "--blocks", "50", "--report", "r.html", "--report-limit", "100000")
        data = embedded(self.read("r.html"))
        self.assertEqual(data["limit"], 100000)
        self.assertLessEqual(len(data["elements"]), 100000)
        self.assertGreater(len(data["elements"]), 10000)
        self.assertGreater(data["lost"], 0)
        self.assertEqual(data["lost"] + len(data["events"]), 50 * 22)
        self.pto("run", "grow.pto", *INPUTS, "--report", "r.html", "--report-limit", "0", code=2)

    def test_a_run_that_fails_tells_what_it_did(self):
        self.write("trap.pto", PROGRAM.replace("  pto.tstore", "  pto.trap\n  pto.tstore"))
        out = self.pto("run", "trap.pto", *INPUTS, "--report", "r.html", "--trace", "t.json", "--stats", code=1)
        self.assertRegex(self.stderr, r"^trap\.pto:17:3: error: .*\[trap\]\n")
        self.assertIn("15 tsub", out)
        data = embedded(self.read("r.html"))
        told = re.search(r": error: (.*) \[trap\]\n(?s:.*)\nhelp: (.*)\n", self.stderr)
        self.assertEqual([(n["line"], n["rule"], n["error"], n["message"], n["remedy"]) for n in data["notes"]], [(17, "trap", True, *told.groups())])
        self.assertEqual(len(data["events"]), 21)
        self.assertEqual(len([e for e in json.loads(self.read("t.json")) if e["ph"] == "X"]), 21)
        self.assertFalse(os.path.exists(self.path("y.npy")))

    def test_what_cannot_be_written_leaves_the_old_file(self):
        self.write("r.html", "old")
        for out, reason in (("nowhere/r.html", "No such file"), ("/dev/full", "No space left"), (".", "Is a directory")):
            for program, code in (("grow.pto", 2), ("trap.pto", 2)):
                self.write("trap.pto", PROGRAM.replace("  pto.tstore", "  pto.trap\n  pto.tstore"))
                text = self.pto("run", program, *INPUTS, "--report", out, code=code)
                self.assertRegex(text, "^pto: %s: %s.*\n$" % (re.escape(out), reason))
        self.assertEqual(self.files(), ["grow.pto", "r.html", "trap.pto", "x.npy"])
        self.assertEqual(self.read("r.html"), "old")

    def test_progress_is_for_terminals(self):
        self.write("long.pto", "func.func @main() {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                   "  %n = arith.constant 1000000000000 : index\n  scf.for %i = %c0 to %n step %c1 {\n  }\n  return\n}\n")
        command = [PTO, "run", "long.pto", "--timeout", "3", "--blocks", "4", "--max-steps", "100000000000000"]
        controller, terminal = pty.openpty()
        done = subprocess.Popen(command, cwd=self.folder.name, stderr=terminal, stdout=subprocess.PIPE)
        os.close(terminal)
        said = b""
        try:
            while chunk := os.read(controller, 4096):
                said += chunk
        except OSError:  # the terminal is closed
            pass
        self.assertEqual((done.wait(), done.stdout.read()), (1, b""))
        done.stdout.close()
        os.close(controller)
        self.assertRegex(said, rb"\r\[ *\] block 0 of 4, [0-9.]+ million steps, \d+ s")
        self.assertRegex(said, rb"time-limit")
        self.pto(*command[1:], code=1)
        self.assertNotIn("million", self.stderr)

    @in_thorough
    @unittest.skipUnless(Chromium.there(), "no chromium-driver: the page is not opened")
    def test_page_in_chromium(self):
        self.check_page(Chromium, os.environ.get("PTO_SCREENSHOT", self.path("report.png")))

    @in_thorough
    @unittest.skipUnless(Firefox.there(), "no firefox: the page is not opened")
    def test_page_in_firefox(self):
        self.check_page(Firefox, self.path("report.png"))

    def check_page(self, kind, picture):
        failing = PROGRAM.replace("  pto.tstore", "  pto.trap\n  pto.tstore")
        self.write("trap.pto", failing)
        self.pto("run", "grow.pto", *INPUTS, "--report", "r.html", "--blocks", "2")
        self.pto("run", "trap.pto", *INPUTS, "--report", "t.html", code=1)
        wanted = [v * 65536.0 ** k for k in range(3) for v in VALUES]
        wanted[2 * 32 + 1 * 8 + 3] += 2.0 ** 40
        npy.save(self.path("t.npy"), "f32", (3, 4, 8), wanted)
        said = self.pto("run", "grow.pto", *INPUTS, "--report", "g.html", "--golden", "t=t.npy", code=1)
        self.assertTrue(said.startswith("grow.pto:14:5: tmuls writes %t, time 3\ngolden of %t\nelement (1, 3) is"), said)
        browser = kind(self.folder.name, height=1100)
        self.addCleanup(browser.close)
        # Errors of a page are noticed.
        self.write("bad.html", "<!doctype html><meta charset=utf-8><script>console.error('told'); undefined.thrown</script>")
        browser.go("file://" + self.path("bad.html"))
        heard = ""
        ends = time.monotonic() + 60
        while time.monotonic() < ends and not ("told" in heard and "thrown" in heard):
            heard += " ".join(browser.complaints())
        self.assertTrue("told" in heard and "thrown" in heard, heard)
        run = browser.run
        browser.go("file://" + self.path("r.html"))
        self.assertEqual(browser.complaints(), [])
        title = lambda: run("return document.getElementById('event-title').textContent")
        click = lambda name: run("document.getElementById('%s').click()" % name)
        self.assertEqual(run("return document.getElementById('status').textContent"), "The run came to its end.")
        self.assertIn("44 instructions; 2 blocks", run("return document.getElementById('facts').textContent"))
        self.assertEqual(title(), "tload, line 12, block 0")
        # Every line is there unchanged; lines that ran are buttons.
        self.assertEqual(run("return document.querySelectorAll('#program li').length"), PROGRAM.count("\n") + 1)
        self.assertEqual(run("return [...document.querySelectorAll('#program button')].map((b) => b.textContent.trim().split(' ')[0])"),
                         ["pto.tload", "pto.tmuls", "pto.tsub", "pto.tstore"])
        click("first-inf")
        self.assertEqual(title(), "tmuls, line 14, block 0")
        at = lambda: run("return document.getElementById('repeat-at').textContent")
        self.assertEqual(at(), "%d of 20" % (INFINITE + 1))
        cells = run("return [...document.querySelectorAll('figure:last-child td')].map((c) => c.textContent)")
        self.assertEqual(cells[1], "Infinity")
        click("first-nan")
        self.assertEqual((title(), at()), ("tsub, line 15, block 0", "%d of 20" % (INFINITE + 1)))
        self.assertEqual(run("return document.getElementById('first-error').disabled"), True)
        # The slider moves through the rounds.
        run("const s = document.getElementById('repeat'); s.value = 3; s.oninput()")
        self.assertEqual(at(), "4 of 20")
        # Values by pointer and by key; the first figure is of a source: %t after four rounds.
        value = "return document.querySelector('figure .value').textContent"
        run("document.querySelector('figure canvas').dispatchEvent(new PointerEvent('pointermove', {clientX: 0, clientY: 0}))")
        run("const c = document.querySelector('figure canvas'); for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) "
            "c.dispatchEvent(new KeyboardEvent('keydown', {key}))")
        row, col, shown = re.fullmatch(r"\[(\d),(\d)\] = (\d+)", run(value)).groups()
        self.assertAlmostEqual(int(shown) / 2.0 ** 64, VALUES[int(row) * 8 + int(col)], places=6)
        self.assertEqual(run(value), run("return document.getElementById('say').textContent"))
        # NaN have their colour in the picture.
        click("first-nan")
        pixel = run("const c = [...document.querySelectorAll('figure')].at(-1).querySelector('canvas');"
                    "return [...c.getContext('2d').getImageData(c.width / 16, c.height / 8, 1, 1).data]")
        self.assertEqual(pixel[:3], [255, 0, 200])
        # Search, and a step from match to match.
        run("const s = document.getElementById('search'); s.value = 'tstore'; s.oninput()")
        self.assertEqual(run("return document.getElementById('matches').textContent"), "2 matches")
        click("next-match")
        self.assertEqual(title(), "tstore, line 17, block 0")
        click("next-match")
        self.assertEqual(title(), "tstore, line 17, block 1")
        # Timeline: keys, zoom, and a click on a row.
        run("document.getElementById('timeline').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
        self.assertEqual(title(), "tsub, line 15, block 1")
        span = lambda: run("return document.getElementById('span').textContent")
        whole = span()
        click("zoom-in")
        self.assertNotEqual(span(), whole)
        click("zoom-all")
        self.assertEqual(span(), whole)
        run("const t = document.getElementById('timeline'), r = t.getBoundingClientRect();"
            "t.dispatchEvent(new MouseEvent('click', {clientX: r.left + 112, clientY: r.top + 5, bubbles: true}))")
        self.assertTrue(title().endswith("block 0"), title())
        before = run("return getComputedStyle(document.body).backgroundColor")
        click("theme")
        self.assertNotEqual(run("return getComputedStyle(document.body).backgroundColor"), before)
        click("first-nan")
        # A failure is shown at its statement.
        browser.go("file://" + self.path("t.html"))
        self.assertRegex(run("return document.getElementById('status').textContent"), "^The run ended early, at line 17: ")
        note = run("return document.querySelector('#program li:nth-child(17) .error').textContent")
        self.assertRegex(note, r"\[trap\]help: ")
        # The first write that is not what it was to be: the second round's, at (1, 3).
        browser.go("file://" + self.path("g.html"))
        self.assertEqual(run("return document.getElementById('marked').hidden"), False)
        self.assertEqual(run("return document.getElementById('mark').hidden"), True)
        click("marked")
        self.assertEqual((title(), at()), ("tmuls, line 14, block 0", "2 of 10"))
        self.assertIn("element (1, 3) is", run("return document.getElementById('mark').textContent"))
        self.assertEqual(run("return document.getElementById('mark').hidden"), False)
        self.assertEqual(browser.complaints(), [])
        self.photograph(browser, picture)

    @in_thorough
    @unittest.skipUnless(Chromium.there(), "no chromium-driver: the page is not opened")
    def test_registers_in_chromium(self):
        self.write("lanes.pto", LANES)
        self.pto("run", "lanes.pto", "--report", "r.html")
        browser = Chromium(self.folder.name, height=1100)
        self.addCleanup(browser.close)
        browser.go("file://" + self.path("r.html"))
        run = browser.run
        run("[...document.querySelectorAll('#program button')].find((b) => b.textContent.includes('vneg')).click()")
        self.assertEqual(run("return [...document.querySelectorAll('#tiles figcaption')].map((one) => one.textContent)"),
                         ["%n: 64 lanes of f32, 22 active", "%third: mask of 64 lanes, 22 set", "\u2192 %e: 64 lanes of f32, 22 active"])
        run("const c = document.querySelectorAll('#tiles canvas')[0]; for (let i = 0; i < 5; ++i) c.onkeydown({ key: 'ArrowRight', preventDefault() {} })")
        self.assertEqual(run("return document.querySelector('#tiles .value').textContent"), "lane 4 = 4, inactive")
        self.assertEqual(browser.complaints(), [])  # before pixels are read back
        # Lane 4 is inactive: the diagonals cross its colour. Lane 3 has one colour.
        colours = "const c = document.querySelectorAll('#tiles canvas')[2], seen = new Set(); const d = c.getContext('2d').getImageData(%d, 2, 4, 18).data; " \
            "for (let i = 0; i < d.length; i += 4) seen.add(d.slice(i, i + 4).join()); return seen.size"
        self.assertEqual(run(colours % 15), 1)
        self.assertGreater(run(colours % 20), 1)
        if picture := os.environ.get("PTO_SCREENSHOT_LANES"):
            with open(picture, "wb") as file:
                file.write(browser.screenshot())

    @in_thorough
    @unittest.skipUnless(Chromium.there(), "no chromium-driver: the page is not opened")
    def test_ranks_side_by_side_in_chromium(self):
        self.pto("run", os.path.join(ROOT, "examples", "ring.pto"), "--ranks", "3", *RING_ARGS, "--report", "r.html")
        browser = Chromium(self.folder.name, height=1100)
        self.addCleanup(browser.close)
        browser.go("file://" + self.path("r.html"))
        run = browser.run
        run("[...document.querySelectorAll('#program button')].find((b) => b.textContent.includes('tstore')).click()")
        sides = "return [...document.querySelectorAll('#tiles section')].map((side) => [side.querySelector('button').textContent, " \
            "side.querySelectorAll('figure').length, Math.round(side.getBoundingClientRect().top)])"
        shown = run(sides)
        self.assertEqual([name for name, _, _ in shown], ["rank 0", "rank 1", "rank 2"])
        self.assertEqual({(tiles, top) for _, tiles, top in shown}, {(1, shown[0][2])})
        for rank in (2, 1):
            run("document.querySelectorAll('#tiles section button')[%d].click()" % rank)
            self.assertRegex(run("return document.getElementById('event-title').textContent"), "^tstore, line [0-9]+, rank %d, block 0$" % rank)
            self.assertEqual(run("return document.querySelector('#tiles [aria-current=true]').textContent"), "rank %d" % rank)
            self.assertEqual(run(sides), shown)
        self.assertEqual(browser.complaints(), [])
        if picture := os.environ.get("PTO_SCREENSHOT_RANKS"):
            with open(picture, "wb") as file:
                file.write(browser.screenshot())

    def photograph(self, browser, to):
        """docs/report.png, if PTO_SCREENSHOT is set."""
        with open(os.path.join(ROOT, "examples", "attention.pto")) as file:
            self.write("attention.pto", file.read())
        camera = "%s/examples/camera.png" % ROOT
        self.pto("run", "attention.pto", "--in", "q=" + camera, "--in", "k=" + camera, "--in", "v=" + camera, "--int", "n=4096",
                 "--shape", "out=512x512", "--blocks", "8", "--report", "p.html", "--report-limit", "64000000")
        browser.go("file://" + self.path("p.html"))
        browser.run("[...document.querySelectorAll('#program button')].find((b) => b.textContent.includes('trowexpandsub') ||"
                    "b.textContent.includes('trowexpandexpdif')).click();"
                    "for (let i = 0; i < 8; ++i) document.getElementById('zoom-in').click()")
        picture = browser.screenshot()
        self.assertEqual((picture[:4], browser.complaints()), (b"\x89PNG", []))
        with open(to, "wb") as file:
            file.write(picture)

    @in_thorough
    @unittest.skipUnless(Chromium.there(), "no chromium-driver: the page is not opened")
    def test_many_instructions_do_not_freeze_chromium(self):
        self.check_many(Chromium)

    @in_thorough
    @unittest.skipUnless(Firefox.there(), "no firefox: the page is not opened")
    def test_many_instructions_do_not_freeze_firefox(self):
        self.check_many(Firefox)

    def check_many(self, kind):
        self.write("many.pto", PROGRAM.replace("arith.constant 10 : index", "arith.constant 50000 : index"))
        self.pto("run", "many.pto", *INPUTS, "--report", "r.html", "--report-limit", "100000000")
        browser = kind(self.folder.name)
        self.addCleanup(browser.close)
        browser.go("file://" + self.path("r.html"))
        self.assertIn("100002 instructions", browser.run("return document.getElementById('facts').textContent"))
        began = time.monotonic()
        browser.run("document.getElementById('zoom-in').click(); document.getElementById('first-nan').click()")
        self.assertEqual(browser.run("return document.getElementById('repeat-at').textContent"), "%d of 50000" % (INFINITE + 1))
        print("two clicks among 100002 instructions: %.2f s" % (time.monotonic() - began))
        self.assertEqual(browser.complaints(), [])


if __name__ == "__main__":
    unittest.main()
