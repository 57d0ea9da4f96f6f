"""Worlds of ranks in Python: windows, communication, and programs on several ranks."""
import os
import threading
import unittest

import numpy as np

import libpto
from case import Case

RING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples", "ring.pto")


class Worlds(Case):
    def test_ranks_on_threads(self):
        world = libpto.World(self.ctx, 2, 4096)
        self.assertEqual((2, 4096, "local", None), (world.ranks, world.window_bytes, world.transport, self.ctx.rank))
        ranks = [world.context(self.ctx, rank) for rank in range(2)]
        self.assertEqual([0, 1], [ctx.rank for ctx in ranks])
        part = [world.tensor(self.ctx, rank, "float32", (4,), offset=64) for rank in range(2)]
        signal = world.tensor(self.ctx, 1, "int32", (1,))
        part[0].write(self.ctx, np.arange(4, dtype=np.float32))

        def first():
            ranks[0].comm_tput(part[1], part[0], None, None)
            ranks[0].comm_tnotify(signal, 1, libpto.Notify.SET)

        worker = threading.Thread(target=first)
        worker.start()
        ranks[1].comm_twait(signal, 1, libpto.WaitCmp.EQ)
        worker.join()
        np.testing.assert_array_equal(part[1].read(self.ctx), [0, 1, 2, 3])
        self.assertIs(True, ranks[1].ttest(signal, 1, libpto.WaitCmp.EQ))
        self.assertIs(False, ranks[1].ttest(signal, 2, libpto.WaitCmp.EQ))
        self.assertEqual("signal-own", self.refusal(ranks[0].ttest, signal, 1, libpto.WaitCmp.EQ).rule)
        group = libpto.Group(self.ctx, 0, part)
        self.assertEqual((2, 0), (group.size, group.root))
        total = libpto.Tensor(self.ctx, "float32", (4,))
        ranks[0].comm_treduce(total, group, None, None, None, libpto.Reduce.SUM)
        np.testing.assert_array_equal(total.read(self.ctx), [0, 2, 4, 6])
        ranks[0].comm_allreduce(group, None, None, None, libpto.Reduce.SUM)
        for one in part:
            np.testing.assert_array_equal(one.read(self.ctx), [0, 2, 4, 6])
        self.assertEqual("group-root", self.refusal(ranks[1].comm_allreduce, group, None, None, None, libpto.Reduce.SUM).rule)
        self.assertEqual("group-root", self.refusal(ranks[1].comm_treduce, total, group, None, None, None, libpto.Reduce.SUM).rule)
        for ctx in ranks:
            ctx.comm_allreduce_segment(group, None, None, None, libpto.Reduce.MAX)
        np.testing.assert_array_equal(part[1].read(self.ctx), [0, 2, 4, 6])
        event = ranks[0].tput_async(part[1], part[0], 3)
        self.assertIs(True, ranks[0].test_async_event(event, 3))
        ranks[0].comm_wait_async_event(event, 3)
        self.assertEqual("async-event", self.refusal(ranks[0].test_async_event, event + 1, 3).rule)
        self.assertEqual("async-event", self.refusal(ranks[0].tget_async, part[0], part[1], 8).rule)
        self.assertEqual("ranks", self.refusal(libpto.World, self.ctx, 65, 1).rule)
        world.limit_wait(self.ctx, 10)

    def test_program_on_ranks(self):
        with open(RING, encoding="utf-8") as file:
            program = libpto.Program(self.ctx, file.read(), "ring.pto")
        world = libpto.World(self.ctx, 4, 4096)
        program.set_world(self.ctx, world)
        for rank in range(4):
            program.bind_on(self.ctx, rank)
            for name, peer in (("own", rank), ("next", (rank + 1) % 4)):
                program.bind(self.ctx, name, world.tensor(self.ctx, peer, "float32", (1, 16)))
            for name, peer in (("sig", rank), ("nsig", (rank + 1) % 4)):
                program.bind(self.ctx, name, world.tensor(self.ctx, peer, "int32", (1, 1), offset=256))
            program.bind(self.ctx, "rank", rank)
        program.set_schedule(self.ctx, 7)
        program.set_late_data(self.ctx, True)
        program.run(self.ctx)
        np.testing.assert_array_equal(np.asarray(world.tensor(self.ctx, 0, "float32", (1, 16))), np.full((1, 16), 6))
        self.assertEqual("rank", self.refusal(program.bind_on, self.ctx, 4).rule)
        program.set_world(self.ctx, None)
        self.assertEqual("unbound-argument", self.refusal(program.run, self.ctx).rule)


if __name__ == "__main__":
    unittest.main()
