"""What the tests of the binding have in common: each leaves no live handle."""
import gc
import unittest

import libpto


class Case(unittest.TestCase):
    def setUp(self):
        gc.collect()
        self.before = libpto.live_handles()
        self.ctx = libpto.Context()

    def tearDown(self):
        self.ctx.close()
        gc.collect()
        self.assertEqual(self.before, libpto.live_handles())

    def refusal(self, function, *args, **keywords):
        with self.assertRaises(libpto.Error) as caught:
            function(*args, **keywords)
        return caught.exception
