"""Four ranks with NumPy arrays, each on a thread: every rank hands its row to the next one, and all sum what they have.

python3 examples/ranks.py
"""
import threading

import numpy as np

import libpto

RANKS = 4
COLS = 64

ctx = libpto.Context()
world = libpto.World(ctx, RANKS, 4096)


def row(own, rank, offset):
    return world.tensor(own, rank, "float32", (1, COLS), offset=offset)


def signal(own, rank, number):
    return world.tensor(own, rank, "int32", (1,), offset=2048 + 64 * number)


def run(own, rank):
    np.asarray(row(own, rank, 0))[:] = np.arange(COLS) + 100 * rank  # the window itself, no copy

    following = (rank + 1) % RANKS
    own.comm_tput(row(own, following, 1024), row(own, rank, 0), None, None)
    own.comm_tnotify(signal(own, following, 0), 1, libpto.Notify.SET)
    own.comm_twait(signal(own, rank, 0), 1, libpto.WaitCmp.EQ)

    # All have their rows: each rank sums a quarter of the columns, for all.
    meet(own, rank, 1)
    group = libpto.Group(own, 0, [row(own, i, 1024) for i in range(RANKS)])
    own.comm_allreduce_segment(group, None, None, None, libpto.Reduce.SUM)
    meet(own, rank, 2)


def meet(own, rank, number):
    for other in range(RANKS):
        if other != rank:
            own.comm_tnotify(signal(own, other, number), 1, libpto.Notify.ATOMIC_ADD)
    own.comm_twait(signal(own, rank, number), RANKS - 1, libpto.WaitCmp.GE)


# A context serves one thread at a time, so each thread gets one.
contexts = [world.context(ctx, rank) for rank in range(RANKS)]
threads = [threading.Thread(target=run, args=(own, rank)) for rank, own in enumerate(contexts)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
want = 4 * np.arange(COLS, dtype=np.float32) + 600
for rank in range(RANKS):
    np.testing.assert_array_equal(np.asarray(row(ctx, rank, 1024))[0], want)
print(f"{RANKS} ranks have the same sum of {COLS} numbers")
