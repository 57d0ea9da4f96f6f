"""The tile that a call without dst writes: type, shape and layout, where they follow from the sources."""
from __future__ import annotations

import typing

from . import raw as _raw
from ._ops import BLayout, DType, Extent, Location, Profile, Role, SLayout
from ._tile import Tile

if typing.TYPE_CHECKING:
    from . import Context

_DTYPES = [DType(value) for value in range(32) if value in DType.__members__.values()]
Shape = typing.Tuple[typing.Optional[int], typing.Optional[int]]


class _Plan:
    """What the library's table has about the operands of an instruction whose first operand is its result."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.op = op = _raw.pto_op_find(name)
        self.lead = _raw.pto_op_lead(op)
        roles = [_raw.pto_op_operand_role(op, i) for i in range(_raw.pto_op_operand_count(op))]
        # Callers pass all but modes, scratch and flags, in the order of the table.
        self.given = [i for i, role in enumerate(roles) if i and role not in (Role.MODE, Role.TMP, Role.FLAGS)]
        self.extents = {i: _raw.pto_op_operand_extent(op, i) for i, role in enumerate(roles) if role in (Role.OUT, Role.IN)}

    def unclear(self, what: str) -> TypeError:
        return TypeError("%s: %s does not follow from the operands; pass the result as dst" % (self.name, what))

    def shape(self, tiles: dict[int, Tile]) -> tuple[int, int]:
        """The valid region of the result."""
        if self.lead != 0:
            rows, cols = tiles[self.lead].shape
            found = {Extent.SAME: (rows, cols), Extent.ROW_RESULTS: (rows, 1), Extent.COL_RESULTS: (1, cols),
                     Extent.TRANSPOSED: (cols, rows)}.get(Extent(self.extents[0]))
            if found is None:
                raise self.unclear("the shape of dst")
            return found
        seen: list[Shape] = []
        for i, tile in tiles.items():
            rows, cols = tile.shape
            known: dict[int, Shape] = {Extent.SAME: (rows, cols), Extent.PART: (rows, cols), Extent.INDEX: (rows, cols),
                                       Extent.TRANSPOSED: (cols, rows), Extent.LEFT: (rows, None), Extent.RIGHT: (None, cols)}
            seen.append(known.get(self.extents[i], (None, None)))
        # Of sources that repeat along each row, the widest has the columns of the result.
        repeated = [tile.shape for i, tile in tiles.items() if self.extents[i] == Extent.REPEAT]
        if repeated:
            seen += [(rows, max(cols for _, cols in repeated)) for rows, _ in repeated]
        all_rows, all_cols = ({shape[axis] for shape in seen if shape[axis] is not None} for axis in (0, 1))
        if len(all_rows) != 1 or len(all_cols) != 1:
            raise self.unclear("the shape of dst")
        return typing.cast("tuple[int, int]", (*all_rows, *all_cols))

    def dtype(self, tiles: dict[int, Tile], profile: int) -> DType:
        """The one element type that the result can have."""
        found = set()
        for lead in [tiles[self.lead].dtype] if self.lead else _DTYPES:
            sets = {i: _raw.pto_op_operand_dtypes(self.op, i, profile, lead) for i in (0, *tiles)}
            if all(sets[i] >> tile.dtype & 1 for i, tile in tiles.items()):
                # Operands with the same set of several types have the same type.
                alike = [tile.dtype for i, tile in tiles.items() if sets[i] == sets[0] and sets[i] & (sets[i] - 1)]
                found.update(alike or [held for held in _DTYPES if sets[0] >> held & 1])
        first = next(iter(tiles.values())).dtype
        if self.extents[0] not in (Extent.ROW_RESULTS, Extent.COL_RESULTS) and first in found and len({_raw.pto_dtype_bits(held) for held in found}) == 1:
            return first  # types of one width: bits are moved, and nothing is converted
        if len(found) > 1:
            names = sorted(held.name for held in found)
            raise self.unclear("the element type of dst (%s or %s)" % (", ".join(names[:-1]), names[-1]))
        # The instruction itself reports sources that it does not take together.
        return found.pop() if found else first

    def result(self, ctx: Context, sources: tuple[typing.Any, ...]) -> Tile:
        tiles = {i: source for i, source in zip(self.given, sources) if i in self.extents}
        for source in tiles.values():
            if not isinstance(source, Tile):
                raise TypeError("%s where a libpto.Tile is needed" % type(source).__name__)
        if not tiles:
            raise self.unclear("the type of dst")
        profile = ctx.profile
        dtype, shape = self.dtype(tiles, profile), self.shape(tiles)
        if Extent.LEFT in self.extents.values():  # an accumulator, as the ISA has it
            rows, cols = (-(-n // 16) * 16 for n in shape)
            return Tile(ctx, dtype, rows, cols, valid=shape, location=Location.ACC, blayout=BLayout.COL_MAJOR, slayout=SLayout.ROW_MAJOR,
                        fractal=1024)
        for i, tile in tiles.items():
            if tile.shape == shape and tile.dtype == dtype and self.extents[i] in (Extent.SAME, Extent.PART, Extent.REPEAT):
                return Tile(ctx, dtype, tile.rows, tile.cols, valid=shape, location=tile.location, blayout=tile.blayout, slayout=tile.slayout,
                            fractal=tile.fractal, compact=tile.compact)
        bits = _raw.pto_dtype_bits(dtype)
        unit = (2 if bits == 4 else 1) if profile == Profile.CPU else 256 // bits  # hardware has rows of 32 bytes
        return Tile(ctx, dtype, max(shape[0], 1), -(-max(shape[1], 1) // unit) * unit, valid=shape)


_plans: dict[str, _Plan] = {}


def result(ctx: Context, name: str, *sources: typing.Any) -> Tile:
    plan = _plans.get(name)
    if plan is None:
        plan = _plans[name] = _Plan(name)
    return plan.result(ctx, sources)
