"""docs/mx-error.svg is what tools/mx_error.py draws of the errors of examples/mxfp8.pto that are measured now, and the program makes
the definition of its format."""
import importlib.util
import os
import unittest

from harness import PTO, ROOT, CommandTest


class MxError(CommandTest):
    @classmethod
    def setUpClass(cls):
        spec = importlib.util.spec_from_file_location("mx_error", os.path.join(ROOT, "tools", "mx_error.py"))
        cls.tool = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.tool)

    def test_the_picture_is_that_of_today(self):
        found = self.tool.measure(PTO)
        for name, least, most in ("mxfp8", 0.02, 0.06), ("mxfp4", 0.1, 0.2):
            for value in [*found[name][0], found[name][1]]:
                self.assertTrue(least < value < most, (name, value))
        with open(os.path.join(ROOT, "docs", "mx-error.svg")) as file:
            self.assertTrue(file.read() == self.tool.svg(found) + "\n", "docs/mx-error.svg is stale: tools/mx_error.py PTO > docs/mx-error.svg")

    def test_blocks_that_the_formats_have_are_exact(self):
        """Whole numbers of few digits: each block of 32 fits its type, and so does every sum."""
        numpy = self.tool.numpy
        for name, largest in ("mxfp8", 15), ("mxfp4", 3):
            a = (numpy.arange(128 * 192).reshape(128, 192) * 7919 % (2 * largest + 1) - largest).astype(float)
            b = (numpy.arange(192 * 64).reshape(192, 64) * 104729 % (2 * largest + 1) - largest).astype(float)
            a[:, ::32] = b[::32] = largest + 1  # a power of two, the next exponent of the block
            self.assertTrue((self.tool.product(PTO, name, a, b) == a @ b).all(), name)

    def test_sides_that_are_no_multiples(self):
        numpy = self.tool.numpy
        with self.assertRaises(Exception):
            self.tool.product(PTO, "mxfp8", numpy.ones((64, 60)), numpy.ones((60, 64)))


if __name__ == "__main__":
    unittest.main(verbosity=1)
