"""docs/attention_error.svg is what tools/attention_error.py draws of the errors that are measured now."""
import importlib.util
import os
import unittest

from harness import PTO, ROOT, CommandTest


class AttentionError(CommandTest):
    def test_the_picture_is_that_of_today(self):
        path = os.path.join(ROOT, "tools", "attention_error.py")
        spec = importlib.util.spec_from_file_location("attention_error", path)
        tool = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tool)
        errors = tool.measure(PTO)
        for ours, plain in errors:
            self.assertLess(ours, 2**-9)  # two roundings to f16: of the weights and of the result
            self.assertGreater(plain, 4 * ours)
        with open(os.path.join(ROOT, "docs", "attention_error.svg")) as file:
            self.assertTrue(file.read() == tool.svg(errors) + "\n",
                            "docs/attention_error.svg is stale: tools/attention_error.py PTO > docs/attention_error.svg")


if __name__ == "__main__":
    unittest.main(verbosity=1)
