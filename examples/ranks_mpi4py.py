"""Ranks that mpirun starts, in a program of mpi4py: libpto uses the MPI that the program has started.

PTO_TRANSPORT=mpi mpirun -n 4 python3 examples/ranks_mpi4py.py
"""
import numpy as np
from mpi4py import MPI

import libpto

COLS = 1000
comm = MPI.COMM_WORLD

ctx = libpto.Context()
world = libpto.World(ctx, comm.size, 4 * COLS + 64)
own = world.context(ctx, -1)  # of the rank of this process
assert own.rank == comm.rank and world.transport == "mpi"


def row(rank):
    return world.tensor(ctx, rank, "float32", (1, COLS))


def part(rank):
    return (np.arange(COLS) % 97 / np.float32(7 + rank)).astype(np.float32)


np.asarray(row(comm.rank))[:] = part(comm.rank)
comm.Barrier()
group = libpto.Group(ctx, 0, [row(rank) for rank in range(comm.size)])
own.comm_allreduce_segment(group, None, None, None, libpto.Reduce.SUM)
comm.Barrier()

# In the order of ranks: the same bits on every rank, and whatever MPI adds in another order differs by roundings.
want = part(0)
for rank in range(1, comm.size):
    want = want + part(rank)
got = np.asarray(row(comm.rank))[0]
np.testing.assert_array_equal(got, want)
of_mpi = np.empty_like(want)
comm.Allreduce(part(comm.rank), of_mpi)
np.testing.assert_allclose(of_mpi, want, rtol=1e-6)
if comm.rank == 0:
    print(f"{comm.size} ranks have the same sum of {COLS} numbers")
