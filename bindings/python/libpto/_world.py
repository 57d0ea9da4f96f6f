"""Worlds: ranks that exchange data through windows of memory, and groups of them."""
from __future__ import annotations

import typing

from . import raw as _raw
from ._handle import Handle
from ._ops import Layout
from ._tile import Tensor, _tensor_desc

if typing.TYPE_CHECKING:
    from . import Context
    from ._arrays import DTypeLike


class World(Handle):
    """Ranks, each with a window of memory that all of them reach.

        world = libpto.World(ctx, 4, 4096)
        mine = world.tensor(ctx, 0, "float32", (4, 16), offset=256)   # part of the window of rank 0
        np.asarray(mine)[:] = 1                                      # the window itself, no copy

    A program runs on it after program.set_world(ctx, world). Or run each rank on a thread of your own, with a context of
    world.context(ctx, rank)."""

    _INSTEAD = "make one in each process."

    def __init__(self, ctx: Context, ranks: int, window_bytes: int) -> None:
        super().__init__(_raw.pto_world_create(ctx, ranks, window_bytes))

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return int(_raw.pto_world_ranks(self))

    @property
    def window_bytes(self) -> int:
        """The bytes of each rank's window."""
        return int(_raw.pto_world_window_bytes(self))

    @property
    def transport(self) -> str:
        """How the ranks reach each other: "local", "shm" or "mpi"."""
        return str(_raw.pto_world_transport(self))

    def context(self, ctx: Context, rank: int) -> Context:
        """A new context of a rank, with the profile, target and limits of ctx. -1: of the rank of this process."""
        return typing.cast("Context", type(ctx)._own(_raw.pto_world_context(ctx, self, rank)))

    def tensor(self, ctx: Context, rank: int, dtype: DTypeLike, dims: typing.Sequence[int], offset: int = 0,
               strides: typing.Sequence[int] | None = None, layout: Layout | int = Layout.ND) -> Tensor:
        """A tensor over a part of a rank's window, `offset` bytes from its beginning, without a copy."""
        desc = _tensor_desc(dtype, dims, strides, layout)
        return typing.cast(Tensor, Tensor._own(_raw.pto_world_tensor(ctx, self, rank, desc, offset)))

    def limit_wait(self, ctx: Context, milliseconds: int) -> None:
        """Limits how long ctx.comm_twait() waits; 60000 milliseconds unless set."""
        _raw.pto_world_limit_wait(ctx, self, milliseconds)


class Group(Handle):
    """One tensor of each rank that takes part in a collective instruction; the root's rank calls the instruction."""

    _INSTEAD = "make one in each process."

    def __init__(self, ctx: Context, root: int, tensors: typing.Iterable[Tensor] = ()) -> None:
        super().__init__(_raw.pto_group_create(ctx, root))
        for tensor in tensors:
            self.add(ctx, tensor)

    def add(self, ctx: Context, tensor: Tensor) -> None:
        """Adds the tensor of the next rank."""
        _raw.pto_group_add(ctx, self, tensor)

    @property
    def size(self) -> int:
        """The number of members."""
        return int(_raw.pto_group_size(self))

    @property
    def root(self) -> int:
        """Which member is the root's."""
        return int(_raw.pto_group_root(self))
