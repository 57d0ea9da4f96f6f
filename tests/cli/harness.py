"""Runs the command under test in its own folder."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PTO = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Arguments of examples/ring.pto.
RING_ARGS = ("--shape", "own=1x16", "--in", "own=zeros", "--shape", "sig=1x1", "--in", "sig=zeros", "--peer", "next=own@+1", "--peer", "nsig=sig@+1",
             "--int", "rank=@rank")

# The names of all profiles, as --profile accepts them.
with open(os.path.join(ROOT, "tests", "common", "profiles.h")) as header:
    PROFILES = tuple(re.findall(r'"(\w+)"', header.read().split("PROFILE_NAMES")[1].lower()))

# Whether ./dev test thorough runs this.
THOROUGH = "PTO_TEST_THOROUGH" in os.environ

# Whether the command is one for sanitizers, where a process takes a tenth of a second: cases of one kind are then a few.
SPARSE = "PTO_TEST_SPARSE" in os.environ


def in_thorough(test):
    """A decorator of tests that take long, or need what ./dev test does not install."""
    return test if THOROUGH else None


def last_target():
    """The last SIMD target that the library has: SCALAR, unless it was built for one."""
    info = subprocess.run([PTO, "info"], capture_output=True, text=True, check=True).stdout
    return next(line.split()[-1] for line in info.splitlines() if line.startswith("targets"))


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, content):
        with open(self.path(name), "wb" if isinstance(content, bytes) else "w") as out:
            out.write(content)
        return name

    def pto(self, *args, stdin=b"", code=0, env=None):
        """Runs the command; returns its standard output, or its standard error when it should fail with 2."""
        done = subprocess.run([PTO, *args], input=stdin, capture_output=True, cwd=self.folder.name,
                              env={**os.environ, **(env or {})}, timeout=120)
        self.assertEqual(done.returncode, code, (args, done.stdout, done.stderr))
        self.stderr = done.stderr.decode()
        self.stdout = done.stdout
        if code == 2:
            return self.stderr
        return done.stdout.decode(errors="replace")

    def files(self):
        return sorted(os.listdir(self.folder.name))
