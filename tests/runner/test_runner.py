#!/usr/bin/env python3
"""tools/test.py and tools/test_select.py: what is chosen, what is skipped, what is printed.

usage: test_runner.py ROOT BUILD
"""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

ROOT, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools"))
# tools/test.py, not the package of that name in the standard library.
import importlib.util  # noqa: E402

import test_select  # noqa: E402

spec = importlib.util.spec_from_file_location("runner", ROOT / "tools/test.py")
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)


def made(name, script="true", suite="unit", timeout=30):
    return test_select.Test({"name": name, "suite": ["pto:" + s for s in suite.split()], "cmd": ["sh", "-c", script], "env": {},
                             "workdir": None, "timeout": timeout, "depends": []}, [])


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.addCleanup(setattr, runner, "RESULTS", runner.RESULTS)
        runner.RESULTS = self.build / "results.json"
        self.addCleanup(os.environ.update, {k: os.environ[k] for k in ("CI",) if k in os.environ})
        os.environ.pop("CI", None)

    def run_all(self, *tests):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            runner.run_all(self.build, list(tests))
            code = runner.report(False)
        return code, out.getvalue()

    def test_all_pass(self):
        code, said = self.run_all(made("a"), made("b", suite="abi"))
        self.assertEqual(code, 0)
        self.assertEqual(said.splitlines()[-1], "2 passed, 0 failed")
        self.assertRegex(said, r"(?m)^  abi +1 passed")

    def test_a_failure_names_the_command_that_repeats_it(self):
        code, said = self.run_all(made("a"), made("b c", "echo the reason; exit 3", "thorough"))
        self.assertEqual(code, 1)
        self.assertIn("the reason", said)
        self.assertIn("failed: b c\n  repeat it with: ", said)
        self.assertEqual(said.splitlines()[-1], "1 passed, 1 failed")

    def test_a_skip_is_reported_and_fails_where_ci_is_set(self):
        skips = made("s", "echo go is not installed; exit 77"), made("absent", "echo cannot be had: no such package; exit 77")
        code, said = self.run_all(made("a"), *skips)
        self.assertEqual(code, 0)
        self.assertIn("skipped: s: go is not installed\n", said)
        os.environ["CI"] = "true"
        self.addCleanup(os.environ.pop, "CI")
        runner.RESULTS.unlink()
        code, said = self.run_all(made("a"), *skips)
        self.assertEqual(code, 1)
        self.assertIn("failed: s", said)
        self.assertEqual(said.splitlines()[-1], "1 passed, 1 failed")

    def test_a_test_that_hangs_fails_with_its_children(self):
        code, said = self.run_all(made("h", "sleep 60 & sleep 60", timeout=1))
        self.assertEqual(code, 1)
        self.assertIn("failed: h: took longer than 1 s", said)

    def test_nothing_ran(self):
        self.assertEqual(self.run_all()[0], 1)

    def test_processor_time_is_that_of_the_test(self):
        self.run_all(made("busy", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"), made("idle", "sleep 0.1"))
        cpu = {result["name"]: result["cpu"] for result in runner.results()}
        self.assertGreater(cpu["busy"], cpu["idle"])


class Choosing(unittest.TestCase):
    def setUp(self):
        self.tests = test_select.load(BUILD)

    def choose(self, *words):
        return {test.name for test in test_select.choose(ROOT, BUILD, self.tests, words)}

    def test_quick_and_thorough_are_all(self):
        quick, thorough = self.choose("quick"), self.choose("thorough")
        self.assertFalse(quick & thorough)
        self.assertEqual(quick | thorough, {test.name for test in self.tests})
        self.assertTrue(quick and thorough)

    def test_a_test_by_its_names(self):
        for word in ("test_print", "print"):
            self.assertEqual(self.choose(word), {"test_print"})
        self.assertEqual(self.choose("pto-test_lint"), self.choose("tests/cli/test_lint.py") - {"test_names"})

    def test_an_instruction(self):
        chosen = self.choose("tsort32")
        self.assertLessEqual({"sampled", "digests", "near_calls", "records"}, chosen)
        self.assertEqual({test.env["PTO_TEST_OP"] for test in self.tests if test.name == "sampled"}, {"tsort32"})
        self.assertLess(len(chosen), len(self.tests) / 3)

    def test_files(self):
        chosen = self.choose("src/engine/sort.cc")
        self.assertLessEqual({"sampled", "pto-test_sorts"}, chosen)
        self.assertEqual({test.env["PTO_TEST_OP"] for test in self.tests if test.name == "sampled"}, {"tmrgsort tsort32"})
        self.assertEqual(self.choose("tests/records/test_tpow.c"), {"tpow"})
        self.assertIn("pto-test_lint", self.choose("src/ptoas/lint/lint.cc"))
        self.assertLessEqual({"near_calls", "test_near_misses"}, self.choose("tests/common/golden.h"))

    def test_an_unknown_word(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            self.choose("tsortt32")
        self.assertEqual(ended.exception.code, 2)
        self.assertRegex(said.getvalue(), "'tsortt32' is not a .*similar: .*tsort32")


os.chdir(ROOT)
unittest.main()
