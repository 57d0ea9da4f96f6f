"""libpto: the PTO tile instruction set on any CPU, for NumPy arrays.

    import numpy as np, libpto

    with libpto.Context() as ctx:
        base = libpto.Tile.wrap(ctx, np.array([[1, 2, 3]], np.float32))   # the array's memory, no copy
        exp = libpto.Tile.copy(ctx, np.array([[2, 2, .5]], np.float32))
        ctx.tpow(base, base, exp)                      # into a tile of yours
        double = ctx.tadd(base, base)                  # into a new one
        print(double.read(ctx))

The instructions are methods of Context, made from the library's own header. What the library
refuses is a libpto.Error with status, rule, operand and remedy. One thread at a time uses a
context; handles may be closed in any order, or left to the garbage collector.
"""
from __future__ import annotations

import typing

try:
    from . import raw as raw
except ImportError as error:
    # The compiled half is missing, or it was made for another Python or machine.
    if getattr(error, "name", None) not in (__name__ + ".raw", __name__ + "._raw", "_raw", None):
        raise
    raise ImportError("libpto's compiled half does not load here (%s): install a wheel for this Python and machine, or build one "
                      "with `pip install --no-binary libpto libpto`" % error) from error
from ._handle import Error as Error, Handle as Handle
from ._ops import *
from ._ops import VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH, Instructions, Profile as Profile, Status as Status
from ._program import Argument as Argument, Inst as Inst, Program as Program, Report as Report
from ._result import result as _result_of
from ._scalar import Number as Number, Scalar as Scalar
from ._tile import Tensor as Tensor, Tile as Tile
from ._world import Group as Group, World as World

_raw = raw
for _kind in (Argument, Error, Group, Handle, Inst, Program, Report, Scalar, Tensor, Tile, World):
    _kind.__module__ = __name__  # where users know them from
__version__ = "%d.%d.%d" % (VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH)


class Context(Instructions, Handle):
    """A profile, a SIMD target and on-chip memory; its methods are the instructions."""

    _INSTEAD = "make one in each process and thread."

    def __init__(self, profile: Profile | int = Profile.CPU, target: str | None = None) -> None:
        native = _raw.pto_context_create_for(profile, target)
        if native is None:
            known = targets()
            if target is not None and target not in known:
                raise Error(Status.UNKNOWN, "Context: target is %r where this machine has %s" % (target, ", ".join(known)),
                            operand="target", remedy="Use a name of libpto.targets().")
            if profile not in Profile.__members__.values():
                raise Error(Status.ARGUMENT, "Context: profile is %d" % profile, operand="profile", remedy="Use a value of libpto.Profile.")
            raise MemoryError("no memory for a context")
        super().__init__(native)

    @property
    def profile(self) -> Profile:
        return Profile(_raw.pto_context_profile(self))

    @property
    def target(self) -> str:
        return _raw.pto_context_target(self)

    @property
    def rank(self) -> int | None:
        """The rank of a world that the context belongs to; None for a context of no world."""
        rank = int(_raw.pto_context_rank(self))
        return None if rank < 0 else rank

    def ttest(self, signal: Tensor, value: int, cmp: WaitCmp | int) -> bool:
        """Whether all elements of a signal compare true with a value now (TTEST)."""
        return _raw.pto_context_ttest(self, signal, value, cmp) != 0

    def tput_async(self, dst: Tensor, src: Tensor, session: int = 0) -> int:
        """Begins to copy src to dst, a tensor of another rank, and returns the event of the session (TPUT_ASYNC)."""
        return int(_raw.pto_context_tput_async(self, dst, src, session))

    def tget_async(self, dst: Tensor, src: Tensor, session: int = 0) -> int:
        """Begins to copy src, a tensor of another rank, to dst, and returns the event of the session (TGET_ASYNC)."""
        return int(_raw.pto_context_tget_async(self, dst, src, session))

    def test_async_event(self, event: int, session: int = 0) -> bool:
        """Whether the copy of an event, and all before it in its session, are complete."""
        return _raw.pto_context_test_async_event(self, event, session) != 0

    def limit_on_chip(self, bytes: int) -> None:
        """Sets how many bytes of on-chip memory each location has under Profile.CPU, before a tile has an address."""
        _raw.pto_context_limit_on_chip(self, bytes)

    def saturate(self, saturates: bool) -> None:
        """Sets whether f32 sums that leave an accumulator as f16 or bf16 saturate, or overflow to infinity as at first."""
        _raw.pto_context_saturate(self, int(saturates))

    def capacity(self, location: Location) -> int:
        """How many bytes of on-chip memory a location has."""
        return _raw.pto_context_capacity(self, location)

    def tassign(self, tile: Tile, address: int) -> None:
        """Gives a tile an address in the context's on-chip memory (TASSIGN)."""
        _raw.pto_tassign(self, tile, address)

    def tprint(self, src: Tile, format: PrintFormat | int = PrintFormat.WIDTH8_PRECISION4) -> None:
        """Prints the valid region of a tile to the context's output (TPRINT)."""
        _raw.pto_tprint(self, src, format)

    @property
    def output(self) -> str:
        """What was printed since the context was made or its output cleared, at most 1 MiB."""
        return _raw.pto_context_output(self)

    def print(self, text: str) -> None:
        """Appends a string to the output, as tprint() does."""
        _raw.pto_context_print(self, text)

    def clear_output(self) -> None:
        """Empties the output."""
        _raw.pto_context_clear_output(self)

    def _result(self, name: str, *sources: typing.Any) -> Tile:
        return _result_of(self, name, *sources)

    def _tells(self) -> str:
        return " %s on %s" % (self.profile.name, self.target)


def targets() -> list[str]:
    """The SIMD targets that this machine can run, best first."""
    return [_raw.pto_target_name(i) for i in range(_raw.pto_target_count()) if _raw.pto_target_supported(i)]


def report(program: Program) -> Report:
    """The page that shows what the latest run of a program recorded: at the end of a notebook's cell it is shown."""
    with Context() as ctx:
        return program.report(ctx)


def live_handles() -> int:
    """Counts the handles of all kinds that are alive in this process."""
    return _raw.pto_live_handles()
