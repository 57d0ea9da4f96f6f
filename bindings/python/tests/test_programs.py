"""PTO-AS programs in Python: runs, events, what ends a run."""
import gc
import signal
import threading
import unittest

import numpy as np

import libpto
from case import Case


class Programs(Case):
    def test_programs(self):
        text = "%d = tpow %base, %exp, %tmp : !pto.tile<...>\n"
        with libpto.Program(self.ctx, text, "t.pto") as program:
            for name in ("base", "exp", "tmp"):
                program.bind(self.ctx, name, libpto.Tile.wrap(self.ctx, np.array([[2, 3]], np.float32)))
            gc.collect()
            program.run(self.ctx)
            np.testing.assert_array_equal(program.tile(self.ctx, "d").read(self.ctx), [[4, 27]])
            self.assertEqual("argument-name", self.refusal(program.tile, self.ctx, "nothing").rule)
        wrong = libpto.Program(self.ctx, "%d = tpower %a")
        self.assertEqual(libpto.Status.PROGRAM, self.refusal(wrong.run, self.ctx).status)
        self.assertIn("tpower", "".join(wrong.diagnostics))
        same = libpto.Program(self.ctx, "%d = tsub %a, %a")
        self.assertIn("[equal-operands]", "".join(same.lint(self.ctx)))
        self.assertEqual([], same.lint(self.ctx, "-equal-operands"))
        self.assertEqual("lint-check", self.refusal(same.lint, self.ctx, "nothing").rule)
        self.assertEqual(1, libpto.ArgKind.TILE)

    def test_events(self):
        with libpto.Program(self.ctx, "%d = tadd %a, %a\n%e = tdiv %d, %z\n", "t.pto") as program:
            for name, value in (("a", [[1, 2]]), ("z", [[0, 2]])):
                program.bind(self.ctx, name, libpto.Tile.copy(self.ctx, np.array(value, np.float32)))
            program.record(self.ctx, libpto.Record.TILES)
            program.run(self.ctx)
            events, tiles = program.events(self.ctx), program.event_tiles(self.ctx)
            self.assertEqual([(libpto.Op(e["op"]), e["line"], e["elements"], e["tiles"]) for e in events],
                             [(libpto.Op.TADD, 1, 2, 3), (libpto.Op.TDIV, 2, 2, 3)])
            self.assertEqual([t["infs"] for t in tiles], [0, 0, 0, 0, 0, 1])
            for tile, want in ((tiles[2], [2, 4]), (tiles[5], [np.inf, 2])):
                data = program.event_elements(self.ctx, tile["data"], tile["data_bytes"])
                np.testing.assert_array_equal(np.frombuffer(data, np.float32), want)
            page = program.report(self.ctx)
            self.assertTrue(page.startswith("<!doctype html>"))
            self.assertIn("&lt;!doctype html&gt;", page._repr_html_())
            self.assertEqual(page, libpto.report(program))
            self.assertEqual((events[1:], []), (program.events(self.ctx, 1), program.events(self.ctx, 2)))
            self.assertEqual((3, 0), (program.steps_so_far, program.events_lost))
            self.assertEqual("limit", self.refusal(program.record, self.ctx, libpto.Record.TIMES, 0).rule)
            self.assertEqual("byte-count", self.refusal(program.event_elements, self.ctx, 40, 9).rule)

    def test_a_run_is_followed(self):
        """Only who reads events while the run is under way ends it."""
        endless = ("func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
                   " %n = arith.constant 9000000000000000000 : index\n %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>\n"
                   " scf.for %i = %c0 to %n step %c1 {\n  pto.tadd ins(%t, %t) outs(%t)\n }\n return\n}\n")
        with libpto.Program(self.ctx, endless) as program, libpto.Context() as mine:
            program.limit(self.ctx, steps=2 ** 62)
            program.record(self.ctx, libpto.Record.TIMES, 1 << 20)
            rules = []
            worker = threading.Thread(target=lambda: rules.append(self.refusal(program.run, self.ctx).rule))
            worker.start()
            seen = []
            while len(seen) < 1000:
                seen += program.events(mine, len(seen))
            self.assertEqual((0, []), (program.blocks_so_far, program.event_tiles(mine)))
            program.stop()
            worker.join()
            self.assertEqual(["stopped"], rules)
            for early, late in zip(seen, program.events(mine)):
                self.assertEqual({**early, "begin": 0, "end": 0}, {**late, "begin": 0, "end": 0})
                self.assertEqual((libpto.Op.TADD, 7), (early["op"], early["line"]))

    def test_control_c_ends_a_run(self):
        # A shell without job control starts commands in the background with SIGINT ignored.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        endless = ("func.func @main() {\n %c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n"
                   " %n = arith.constant 9000000000000000000 : index\n scf.for %i = %c0 to %n step %c1 {\n }\n return\n}\n")
        with libpto.Program(self.ctx, endless) as program:
            program.limit(self.ctx, steps=2 ** 62, bytes=2 ** 20)
            for _ in range(5):
                ended = threading.Event()

                def press():  # again, since Python drops what it raises in a callback of the collector
                    wait = 0.02
                    while not ended.wait(wait):
                        signal.raise_signal(signal.SIGINT)
                        wait = 2

                control_c = threading.Thread(target=press)
                with self.assertRaises(KeyboardInterrupt):
                    control_c.start()
                    program.run(self.ctx)
                ended.set()
                control_c.join()
            other = threading.Timer(0.01, program.stop)
            other.start()
            self.assertEqual("stopped", self.refusal(program.run, self.ctx).rule)
            other.join()
            # Nothing of it is left for the next run.
            program.limit(self.ctx, seconds=0.005)
            self.assertEqual("time-limit", self.refusal(program.run, self.ctx).rule)
            program.stop()
            program.forget_stop()
            self.assertEqual("time-limit", self.refusal(program.run, self.ctx).rule)
            rules = []
            worker = threading.Thread(target=lambda: rules.append(self.refusal(program.run, self.ctx).rule))
            worker.start()
            worker.join()
            self.assertEqual(["time-limit"], rules)


if __name__ == "__main__":
    unittest.main()
