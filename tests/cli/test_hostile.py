"""Signals, full memory, wrong headers: the command ends in order, prints the reason in one line, and leaves
either all of its outputs or none, and no file of its own."""
import errno
import itertools
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import time
import unittest

SHIM = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 and sys.argv[2].endswith(".so") else None

from harness import PTO, THOROUGH, CommandTest

import npy

# Rounds of what is tried at random: few in each run of the tests, any number by name (./dev test fuzz).
ROUNDS = int(os.environ.get("PTO_FUZZ_ROUNDS", "60" if THOROUGH else "8"))
SEED = int(os.environ.get("PTO_FUZZ_SEED", "11"))

ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# Who starts the tests in the background, or by nohup, has them ignore some of these, and the command would inherit it.
for ending in ENDINGS:
    signal.signal(ending, signal.SIG_DFL)
# Output files have names from the start, as on systems without unnamed files.
NAMED = {} if SHIM is None else {"LD_PRELOAD": SHIM, "PTO_SHIM_ACCESS": str(errno.EACCES)}
COPY = "%t = tload %x : !pto.partition_tensor_view<64x64xf32> -> !pto.tile<...>\n"


class Hostile(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("p.pto", COPY)
        npy.save(self.path("x.npy"), "f32", (64, 64), [1.5] * 4096)

    def start(self, *args, **more):
        return subprocess.Popen([PTO, *args], cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def wait_for(self, what):
        end = time.monotonic() + 60
        while not what():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)


class Signals(Hostile):
    def test_no_temporary_file_is_left(self):
        # 400 KB to a pipe without a reader: the command waits there, its other output written and not renamed.
        npy.save(self.path("big.npy"), "f32", (100000,), [0.5] * 100000)
        self.write("q.pto", "func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {\n  return\n}\n")
        args = ["run", "q.pto", "--in", "x=big.npy", "--in", "y=x.npy", "--out", "x=-", "--out", "y=keep.npy"]
        before = self.files()
        for ending, variables in itertools.product(ENDINGS, ({}, NAMED)):
            child = self.start(*args, env={**os.environ, **variables})
            self.wait_for(lambda: (not variables or len(self.files()) > len(before)) and select.select([child.stdout], [], [], 0)[0])
            child.send_signal(ending)
            child.communicate()
            self.assertEqual(child.returncode, -ending)
            self.assertEqual(self.files(), before)
        # The reader closes the pipe, as `head` does.
        child = self.start(*args)
        os.read(child.stdout.fileno(), 10)
        child.stdout.close()
        self.assertEqual(child.wait(), -signal.SIGPIPE)
        self.assertEqual(child.stderr.read(), b"")
        child.stderr.close()
        self.assertEqual(self.files(), before)
        # If the parent ignores signals, the command continues.
        child = self.start(*args, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for(lambda: select.select([child.stdout], [], [], 0)[0])
        child.send_signal(signal.SIGHUP)
        child.communicate()
        self.assertEqual(child.returncode, 0)
        self.assertEqual(self.files(), sorted(before + ["keep.npy"]))

    def test_at_random_times(self):
        dice = random.Random(SEED)
        begin = time.monotonic()
        self.pto("run", "p.pto", "--in", "x=x.npy", "--out", "t=a.npy", "--out", "x=b.npy")
        usual = time.monotonic() - begin
        with open(self.path("a.npy"), "rb") as file:
            good = file.read()
        before = self.files()
        for _ in range(ROUNDS):
            for name in ("a.npy", "b.npy"):
                self.write(name, "old")
            ending = dice.choice(ENDINGS)
            child = self.start("run", "p.pto", "--in", "x=x.npy", "--out", "t=a.npy", "--out", "x=b.npy")
            time.sleep(dice.uniform(0, 1.5 * usual))
            child.send_signal(ending)
            child.communicate()
            self.assertIn(child.returncode, (0, -ending))
            self.assertEqual(self.files(), before)
            contents = set()
            for name in ("a.npy", "b.npy"):
                with open(self.path(name), "rb") as file:
                    contents.add(file.read())
            self.assertIn(contents, ({b"old"}, {good}))
            if child.returncode == 0:
                self.assertEqual(contents, {good})


@unittest.skipIf(SHIM is None, "a sanitizer has replaced malloc")
class Shim(Hostile):
    def shim(self, *args, **variables):
        """Runs the command with the shim; returns its exit code, standard error and what the shim told."""
        out, into = os.pipe()
        try:
            env = {**os.environ, "LD_PRELOAD": SHIM, "PTO_SHIM_LOG": str(into), **variables}
            done = subprocess.run([PTO, *args], cwd=self.folder.name, env=env, pass_fds=[into], capture_output=True, timeout=120)
            os.close(into)
            into = None
            told = os.read(out, 1000).decode().split()
        finally:
            os.close(out)
            if into is not None:
                os.close(into)
        # With coverage, the runtime of the compiler reports counts that it cannot write.
        return done.returncode, re.sub("^LLVM Profile .*\n", "", done.stderr.decode(), flags=re.MULTILINE), told

    def test_outputs_are_synced_before_they_are_renamed(self):
        args = ["run", "p.pto", "--in", "x=x.npy", "--out", "t=a.npy", "--out", "x=b.npy"]
        before = self.files()
        # A file without a name is linked to the output's name if that is free. Otherwise it gets a temporary name and
        # replaces the output.
        self.assertEqual(self.shim(*args), (0, "", ["fsync", "fsync", "link", "link"]))
        self.assertEqual(self.shim(*args), (0, "", ["fsync", "fsync", "link", "link", "rename", "link", "link", "rename"]))
        for word in ("fsync", "linkat", "rename"):
            self.broken_step(args, word)
        for name in ("a.npy", "b.npy"):
            os.unlink(self.path(name))
        self.assertEqual(self.files(), before)
        for word in ("fsync", "linkat"):
            self.broken_step(args, word)
        self.assertEqual(self.shim(*args, **NAMED), (0, "", ["fsync", "fsync", "rename", "rename"]))
        for word in ("fsync", "rename"):
            self.broken_step(args, word, **NAMED)
        # Not every file system supports fsync.
        for code in (errno.EINVAL, errno.ENOTSUP):
            self.assertEqual(self.shim(*args, PTO_SHIM_FSYNC=str(code))[0], 0)

    def broken_step(self, args, word, **variables):
        """A step that fails ends the command with one line, and leaves the files as they were."""
        before = self.files()
        code, said, told = self.shim(*args, **variables, **{"PTO_SHIM_" + word.upper(): str(errno.EIO)})
        self.assertEqual((code, said.count("\n"), told[-1]), (2, 1, word.removesuffix("at")))
        self.assertIn(os.strerror(errno.EIO), said)
        self.assertEqual(self.files(), before)

    def test_each_step_of_writing_may_fail(self):
        args = ["run", "p.pto", "--in", "x=x.npy", "--out", "t=a.npy"]
        self.write("a.npy", "old")
        before = self.files()
        # A file without a name is closed after it was linked.
        for variable, named in (("FCHMOD", {}), ("FCHMOD", NAMED), ("CLOSE", NAMED), ("REALPATH", {})):
            code, said, _ = self.shim(*args, **named, **{"PTO_SHIM_" + variable: str(errno.EIO)})
            self.assertEqual((code, said), (2, "pto: a.npy: %s\n" % os.strerror(errno.EIO)), variable)
            self.assertEqual(self.files(), before)
            with open(self.path("a.npy")) as file:
                self.assertEqual(file.read(), "old")

    def test_what_is_interrupted_goes_on(self):
        npy.save(self.path("small.npy"), "f32", (2,), [1.5, 2.5])
        self.write("q.pto", "func.func @f(%x: !pto.ptr<f32>) {\n  return\n}\n")
        code, said, _ = self.shim("run", "q.pto", "--in", "x=small.npy", "--out", "x=b.npy", PTO_SHIM_EINTR="1")
        self.assertEqual((code, said), (0, ""))
        self.assertEqual(npy.load(self.path("b.npy")), ("f32", (2,), [1.5, 2.5]))

    def test_memory_fails_anywhere(self):
        self.write("bad.pto", "%d = = x\n")
        self.write("x.png", self.picture())
        commands = (
            ["run", "p.pto", "--in", "x=x.npy", "--out", "t=a.npy", "--trace", "t.json", "--dump", "t"],
            ["run", "p.pto", "--in", "x=x.png", "--out", "t=a.png"],
            ["check", "--json", "bad.pto", "p.pto"], ["check", "bad.pto"], ["fmt", "--write", "p.pto"], ["ops", "--json"],
            ["diff", "x.npy", "x.npy"], ["info"], ["--help"], ["run", "--wrong"],
        )
        dice = random.Random(SEED)
        before = self.files()
        for args in commands:
            usual = self.shim(*args)[0]
            made = [name for name in self.files() if name not in before]
            for name in made:
                os.unlink(self.path(name))
            refused, n = True, 0
            while refused:
                mode = dice.choice(("", "+"))
                code, said, told = self.shim(*args, PTO_SHIM_FAIL=str(n) + mode)
                refused = "refused" in told
                # A statement of the program that found no memory is reported as a diagnostic.
                at_statement = code == 1 and "[memory]" in said
                self.assertTrue(code in (usual, 2) or at_statement, (args, n, mode, code, said))
                if code == 2 and usual != 2:
                    self.assertEqual(said.count("\n"), 1, (args, n, mode, said))
                    self.assertRegex(said, "^pto: ")
                left = [name for name in self.files() if name not in before]
                # Of a run that failed there is the trace of what ran until then.
                recorded = [name for name in made if at_statement and name == "t.json"]
                self.assertIn(left, ([], made, recorded), (args, n, mode))
                for name in left:
                    os.unlink(self.path(name))
                n += dice.randint(1, max(1, 1200 // ROUNDS))
            self.assertGreater(n, 5, args)

    def picture(self):
        from test_cli import png
        return png(64, 64, 0, [[(r * c) % 256 for c in range(64)] for r in range(64)])


class Files(Hostile):
    @unittest.skipIf(SHIM is None, "a sanitizer takes more address space than the limit")
    def test_headers_are_held_against_the_file(self):
        def limited():
            import resource
            resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

        def run(*args, stdin=None):
            return subprocess.run([PTO, *args], cwd=self.folder.name, stdin=stdin, capture_output=True, preexec_fn=limited, timeout=60)

        # Nothing in it, and 200 million columns.
        npy.save(self.path("wide.npy"), "f32", (0, 200000000), [])
        done = run("diff", "wide.npy", "wide.npy")
        self.assertEqual((done.returncode, done.stdout), (0, b"same: 0 elements of f32\n"), done.stderr)
        from test_cli import png
        lie = bytearray(png(3, 2, 0, [[0, 1, 2], [3, 4, 5]]))
        lie[16:24] = (16384).to_bytes(4, "big") * 2
        self.write("lie.png", bytes(lie))
        npy.save(self.path("huge.npy"), "f32", (0, 5 * 10**17, 5 * 10**17), [])
        good = npy.dumps("f32", (2,), [0.0] * 2)
        self.write("head.npy", good[:6] + b"\x02\0" + (2**32 - 1).to_bytes(4, "little"))
        with open(self.path("sparse.pto"), "wb") as file:
            file.truncate(1 << 40)
        for name in ("zero.npy", "zero.png", "zero.pto"):
            os.symlink("/dev/zero", self.path(name))
        cases = [
            ("huge.npy", "the shape 0x500000000000000000x500000000000000000 is too large"),
            ("lie.png", "cannot hold 16384 x 16384 pixels"),
            ("head.npy", "ends inside the header"),
            ("zero.npy", "is not an .npy file"),
            ("zero.png", "is not a .png file"),
        ]
        for name, reason in cases:
            for args in (["diff", name, name], ["run", "p.pto", "--in", "x=" + name]):
                done = run(*args)
                self.assertEqual((done.returncode, done.stderr.count(b"\n")), (2, 1), done.stderr)
                self.assertIn(reason.encode(), done.stderr)
        for name in ("sparse.pto", "zero.pto"):
            done = run("check", name)
            self.assertEqual((done.returncode, done.stderr), (2, b"pto: %s: File too large\n" % name.encode()))
        # The same through a pipe, whose size is unknown.
        for content, reason in ((good[:-1], "7 bytes of data"), (good + b"x", "9 bytes of data"),
                                (npy.dumps("f32", (2**31, 2), []), "is too large"), (good[:30], "ends inside the header"),
                                (good[:6] + b"\x02\0" + b"\xff" * 70, "a header of 4294967295 bytes")):
            self.assertIn(reason, self.pto("diff", "-", "x.npy", stdin=content, code=2))

    @unittest.skipIf(SHIM is None, "a sanitizer takes more address space than the limit")
    def test_little_address_space_is_advised_on(self):
        def limited():
            import resource
            resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

        def run(*args):
            return subprocess.run([PTO, "run", "placed.pto", *args], cwd=self.folder.name, capture_output=True, text=True, preexec_fn=limited)
        self.write("placed.pto", "func.func @f() {\n  %a = arith.constant 0 : i64\n  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x8xf32>\n  return\n}\n")
        done = run()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("there is no address space for the 1073741824 bytes of memory that vec may have [on-chip-memory]", done.stderr)
        self.assertIn("help: Lower the run's limit of on-chip memory (pto run --on-chip-limit), or use a hardware profile.", done.stderr)
        for advice in (["--on-chip-limit", "1048576"], ["--profile", "a5"]):
            self.assertEqual(run(*advice).returncode, 0)

    @unittest.skipIf(SHIM is None, "a sanitizer's memory is its own")
    def test_a_long_trace_is_never_in_memory(self):
        """What the command holds for it is what it holds for --stats, which records the same; the file is of 16 MB. Less than half of
        that is pages of the command itself and of its buffers, whose number differs from run to run by 3 MB."""
        self.write("long.pto", "func.func @f(%t: !pto.tile_buf<vec, 1x8xf32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                   "  %n = arith.constant 60000 : index\n  scf.for %i = %c0 to %n step %c1 {\n"
                   "    pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)\n  }\n  return\n}\n")
        most = []
        for option in (["--stats"], ["--trace", "t.json"]):
            child = subprocess.Popen([PTO, "run", "long.pto", "--in", "t=zeros", *option], cwd=self.folder.name, stdout=subprocess.DEVNULL,
                                     env=dict(os.environ, MALLOC_PERTURB_="0"))
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(child.returncode, 0)
            most.append(usage.ru_maxrss)
        self.assertGreater(os.path.getsize(self.path("t.json")), 12 << 20)
        self.assertLess(most[1] - most[0], 8 << 10)
        with open(self.path("t.json")) as file:
            events = json.load(file)
        self.assertEqual(sum(e["ph"] == "X" for e in events), 60000)

    def test_no_array_has_many_dimensions(self):
        # Each element of it would be put in its place by way of all dimensions.
        for rank, code in ((64, 0), (65, 2), (300000, 2)):
            header = b"{'descr': '|u1', 'fortran_order': True, 'shape': (" + b"1," * (rank - 1) + b"20000,), }\n"
            self.write("deep.npy", b"\x93NUMPY\x02\0" + len(header).to_bytes(4, "little") + header + bytes(20000))
            said = self.pto("diff", "deep.npy", "deep.npy", code=code)
            self.assertEqual(said, "pto: deep.npy: more than 64 dimensions\n" if code == 2 else "same: 20000 elements of u8\n")

    def test_names_as_long_as_there_are(self):
        name = "n" * 251 + ".pto"
        self.write(name, "%d   =  trsqrt   %s\n")
        before = self.files()
        self.pto("fmt", "--write", name)
        self.assertEqual(self.files(), before)
        with open(self.path(name)) as file:
            self.assertEqual(file.read(), "%d = trsqrt %s\n")

    def test_no_option_is_no_number(self):
        for args in (["run", "p.pto", "--in", "x=x.npy", "--timeout"], ["diff", "x.npy", "x.npy", "--ulp"],
                     ["diff", "x.npy", "x.npy", "--rtol"], ["diff", "x.npy", "x.npy", "--atol"]):
            self.pto(*args, "1")
            for number in ("nan", "-nan", "nan(1)"):
                self.pto(*args[:-1], args[-1] + "=" + number, code=2)

    def test_what_is_no_file(self):
        os.mkdir(self.path("folder"))
        os.mkdir(self.path("folder.npy"))
        for args in (["check", "folder"], ["diff", "folder.npy", "x.npy"], ["run", "p.pto", "--in", "x=folder.npy"]):
            self.assertIn("older", self.pto(*args, code=2))
            self.assertTrue(self.stderr.endswith(": Is a directory\n") and self.stderr.count("\n") == 1, self.stderr)
        self.assertIn("Is a directory", self.pto("run", "p.pto", "--in", "x=x.npy", "--out", "t=folder.npy", code=2))
        self.assertIn("No such file", self.pto("run", "p.pto", "--in", "x=x.npy", "--out", "t=none/y.npy", code=2))
        self.assertEqual(os.listdir(self.path("folder.npy")), [])

    def test_rights_that_new_content_must_not_have(self):
        self.write("r.pto", "%d   =  trsqrt   %s\n")
        os.chmod(self.path("r.pto"), 0o6750)
        self.pto("fmt", "--write", "r.pto")
        self.assertEqual(os.stat(self.path("r.pto")).st_mode & 0o7777, 0o750)

    def test_names_cannot_steer_a_terminal(self):
        name = "a\n\033[2J\u009b\u202e.pto"
        shown = "a\\x0A\\x1B[2J\\xC2\\x9B\\xE2\\x80\\xAE.pto"
        self.assertEqual(self.pto("check", name, code=2), "pto: %s: No such file or directory\n" % shown)
        self.write(name, "bad\n")
        self.pto("check", name, code=1)
        self.assertTrue(self.stderr.startswith(shown + ":1:1: error: "), self.stderr)
        self.pto("ops", name, code=1)
        self.assertIn(shown, self.stderr)
        self.assertEqual(self.stderr.count("\n"), 1)
        for args in (["info", name], ["run", "p.pto", "--blocks", name], ["--" + name]):
            text = self.pto(*args, code=2)
            self.assertNotIn("\033", text)
            self.assertNotIn("\u009b", text)
        self.write(name, "%u = tabs %t : !pto.tile<f32, 64, 64>\n")
        self.write("q.pto", "%u = trsqrt %t : !pto.tile<f32, 64, 64>\n")
        bind = ["--in", "t=x.npy"]
        self.assertIn(shown + ":1:6: tabs writes %u\n", self.pto("bisect", name, "q.pto", *bind, code=1))
        self.write(name, "%u = tabs %t : !pto.tile<f32, 64, 64>\n%u = tabs %u\n")
        self.assertTrue(self.pto("lint", name, "--format", "line", "--checks", "repeated-operation", code=1).startswith(shown + ":2:"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
