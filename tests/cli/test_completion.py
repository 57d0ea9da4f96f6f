"""Completion of the command in bash, zsh and fish: the files are fresh, and each shell completes with them."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

from harness import PTO, ROOT, CommandTest

FOLDER = os.path.join(ROOT, "src", "cli")
# Command lines, and a word that the shell offers or inserts for them.
CASES = [("pto che", "check"), ("pto run --prof", "--profile"), ("pto check --profile a2", "a2a3"), ("pto ops trsqr", "trsqrt")]


class Completion(CommandTest):
    def environment(self):
        return {**os.environ, "PATH": os.path.dirname(PTO) + os.pathsep + os.environ["PATH"], "TERM": "dumb", "PS1": "> "}

    def test_files_are_fresh(self):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "completion.py"), "--check", PTO, FOLDER], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def typed(self, shell, setup, line, want):
        """What a shell at a terminal shows after a line and the tab key."""
        child, main = pty.fork()
        if child == 0:
            os.execvpe(shell[0], shell, self.environment())
        try:
            shown, ends = b"", time.monotonic() + 60

            def until(text):
                nonlocal shown
                while text not in shown:
                    self.assertLess(time.monotonic(), ends, (shell[0], line, shown))
                    if select.select([main], [], [], 1)[0]:
                        # Without bells and colours.
                        shown = re.sub(rb"\x07|\x1b\[[0-9;]*[A-Za-z]", b"", shown + os.read(main, 4096))
                shown = b""
            os.write(main, (setup + "; echo rea''dy\n").encode())
            until(b"\nready")
            os.write(main, line.encode() + b"\t")
            until(want.encode())
        finally:
            os.close(main)
            os.kill(child, 9)
            os.waitpid(child, 0)

    def test_bash(self):
        for line, want in CASES:
            words = line.split()
            script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pto; echo "${COMPREPLY[@]}"'
            done = subprocess.run(["bash", "-c", script, "bash", os.path.join(FOLDER, "pto.bash"), *words], env=self.environment(), capture_output=True, text=True)
            self.assertIn(want, done.stdout.split(), (line, done.stderr))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        shutil.copy(os.path.join(FOLDER, "pto.zsh"), self.path("_pto"))
        setup = "unsetopt zle_bracketed_paste; fpath=('%s' $fpath); autoload -Uz compinit; compinit -u -D" % self.path("")
        for line, want in CASES:
            self.typed(["zsh", "-f", "-i"], setup, line, want)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        for line, want in CASES:
            script = "source '%s'; complete -C '%s'" % (os.path.join(FOLDER, "pto.fish"), line)
            done = subprocess.run(["fish", "--no-config", "-c", script], env=self.environment(), capture_output=True, text=True)
            self.assertIn(want, done.stdout.split(), (line, done.stderr))


if __name__ == "__main__":
    unittest.main()
