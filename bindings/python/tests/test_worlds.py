"""Worlds of ranks in Python: windows, communication, and programs on several ranks."""
import os
import re
import threading
import unittest

import numpy as np

import libpto
from case import Case

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
RING = os.path.join(ROOT, "examples", "ring.pto")
VECTORS = os.environ.get("PTO_VECTORS", os.path.join(ROOT, "build", "tests", "conformance", "vectors.txt"))


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


class Vectors(Case):
    """ranks.txt, which tests/conformance/generate_ranks.c makes: calls between ranks, and the windows after them."""

    def test_every_vector(self):
        count = 0
        before = {}
        with open(os.path.join(os.path.dirname(VECTORS), "ranks.txt"), encoding="utf-8") as file:
            for line in file:
                words = line.split()
                if words[0] == "world":
                    ranks, size = map(int, words[1:])
                elif words[0] == "window":
                    before[int(words[1])] = bytearray.fromhex(words[2])
                elif words[0] == "case":
                    name, case = words[1], []
                elif words[0] == "end":
                    self.replay(name, case, ranks, size, before)
                    count += 1
                elif words[0] != "#":
                    case.append((words, line.rstrip("\n")[5:]))
        self.assertGreater(count, 300)

    def replay(self, name, case, ranks, size, before):
        ctx = self.ctx
        world = libpto.World(ctx, ranks, size)
        contexts = [world.context(ctx, rank) for rank in range(ranks)]
        windows = [world.tensor(ctx, rank, "uint8", (size,)) for rank in range(ranks)]
        for rank, window in enumerate(windows):
            window.write(ctx, np.frombuffer(before[rank], np.uint8))
        after = {rank: bytearray(data) for rank, data in before.items()}
        made = {"-": None}
        error = None
        for words, text in case:
            if words[0] == "tensor":
                rank, rows, cols, stride, offset = map(int, words[2:3] + words[4:8])
                made[words[1]] = world.tensor(ctx, rank, libpto.DType[words[3].upper()], (rows, cols), offset, (stride, 1))
            elif words[0] == "tile":
                rows, cols, location = map(int, words[3:6])
                made[words[1]] = libpto.Tile(ctx, libpto.DType[words[2].upper()], rows, cols, location=libpto.Location(location))
            elif words[0] == "group":
                made[words[1]] = libpto.Group(ctx, int(words[2]), [made[member] for member in words[3:]])
            elif words[0] == "call":
                error = result = None
                arguments = [made[word] if word in made else int(word) for word in words[3:]]
                try:
                    result = getattr(contexts[int(words[1])], words[2])(*arguments)
                except libpto.Error as caught:
                    error = caught
            elif words[0] == "want":
                got = ["0", "-", "-"] if error is None else [str(int(error.status)), error.rule, error.operand or "-"]
                self.assertEqual(words[1:], [*got, "-" if result is None else str(int(result))], name)
            elif words[0] in ("text", "help"):
                pieces = re.split(r"\b(?:NULL|(?:pto|PTO)_\w+)\b", text)
                said = error.remedy if words[0] == "help" else str(error).split("\n")[0]
                self.assertRegex(said, "^" + r"[\w.]+".join(map(re.escape, pieces)), name)
            else:
                data = bytes.fromhex(words[3])
                after[int(words[1])][int(words[2]):int(words[2]) + len(data)] = data
        for rank, window in enumerate(windows):
            self.assertEqual(after[rank], window.read(ctx).tobytes(), name)


if __name__ == "__main__":
    unittest.main()
