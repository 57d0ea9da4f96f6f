#!/usr/bin/env python3
"""tools/words.py in a repository of three files: what it reports, and that its baseline only falls."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class Words(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "tools").mkdir()
        shutil.copy(TOOLS / "words.py", self.root / "tools")
        shutil.copytree(TOOLS / "words", self.root / "tools/words")
        for name in ("allowed", "dictionary", "baseline"):
            (self.root / ("tools/words/%s.txt" % name)).write_text("")
        self.git("init", "-q")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments], check=True, capture_output=True)

    def check(self, code, *options, **files):
        for name, text in files.items():
            (self.root / name.replace("_", ".")).write_text(text)
        done = subprocess.run([sys.executable, self.root / "tools/words.py", *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_new_phrases(self):
        said = self.check(1, a_c='// Adds.\nint x; // what is no tile\nconst char* m = "the tile behind it";\nint behind;\n',
                          b_md="One.\n\n`behind` is code.\n\n```\nbehind\n```\n", c_py="# It answers a value.\nx = 'behind'\n")
        self.assertIn('a.c:2: is no: "is not a", "there is no"\n', said)
        self.assertIn('a.c:3: behind: "after"\n', said)
        self.assertIn("c.py:1: answers:", said)
        self.assertNotIn("b.md", said)
        self.assertNotIn("a.c:4", said)
        self.assertNotIn("c.py:2", said)

    def test_exceptions(self):
        (self.root / "tools/words/allowed.txt").write_text("a.md\tthe tile behind it\n")
        self.check(0, a_md='They say "the tile behind it".\n')

    def test_sentences(self):
        said = self.check(1, a_md="Hm.\n\n" + "word " * 30 + "end.\n")
        self.assertIn("a.md:3: 31 words: split", said)
        self.assertIn("31.0 words a sentence", said)
        self.check(0, a_md="- " + "word " * 15 + "end.\n- " + "word " * 15 + "end.\n")

    def test_links(self):
        said = self.check(1, a_md="# A heading\n\n[x](#a-heading) [x](#none) [x](b.md#b) [x](b.md#c) [x](gone.md)\n", b_md="# `b`\n")
        self.assertEqual(sorted(line.split(": ")[1].split()[0] for line in said.splitlines()), ["#none", "b.md#c", "gone.md"])

    @unittest.skipUnless(shutil.which("codespell"), "codespell is not installed")
    def test_spelling(self):
        self.assertIn("a.c:2: recieve ==> receive", self.check(1, a_c="// Fine.\n// They recieve.\n"))
        (self.root / "tools/words/dictionary.txt").write_text("recieve\n")
        self.check(0)

    def test_baseline_only_falls(self):
        baseline = self.root / "tools/words/baseline.txt"
        baseline.write_text("a.c words=2\n")
        self.check(0, a_c="// behind\n// behind\n")
        self.git("add", ".")
        self.git("commit", "-qm", "x")
        # New phrases are shown, old ones are not.
        said = self.check(1, a_c="// behind\n// in front of\n// behind\n")
        self.assertIn("a.c:2: in front of", said)
        self.assertNotIn("behind:", said)
        self.assertIn("a.c: 3 words, 2 allowed", said)
        self.check(1, "--write")
        self.assertIn("words=2", baseline.read_text())
        self.check(0, "--write", a_c="// behind\n")
        self.assertIn("a.c words=1\n", baseline.read_text())
        self.check(1, a_c="// behind\n// behind\n")
        (self.root / "a.c").rename(self.root / "b.c")
        self.check(1, b_c="// behind\n")
        self.check(0, "--moved", "a.c", "b.c")
        self.check(0)


unittest.main()
