"""Code as users write it, read by mypy and pyright and never run: what is right has the type that is asserted, what is wrong
is an error of the checker. A comment that ignores no error is an error, too."""
import numpy as np
from typing_extensions import assert_type

import libpto


def right(ctx: libpto.Context, array: "np.ndarray[tuple[int, int], np.dtype[np.float32]]") -> None:
    a = libpto.Tile.wrap(ctx, array)
    assert_type(a, libpto.Tile)
    assert_type(libpto.Tile(ctx, "f32", 2, 4, valid=(1, 2), location=libpto.Location.VEC), libpto.Tile)
    assert_type(libpto.Tile.copy(ctx, [[1, 2], [3, 4]], dtype=np.float16), libpto.Tile)
    assert_type(a.dtype, libpto.DType)
    assert_type(a.shape, tuple[int, int])
    assert_type(a.rows, int)
    assert_type(ctx.tadd(a, a), libpto.Tile)
    assert_type(ctx.tadd(a, a, a), libpto.Tile)
    assert_type(ctx.tadds(a, 2.5), libpto.Tile)
    assert_type(ctx.tadds(a, a, np.float32(2.5), flags=libpto.Flags.HIGH_PRECISION), libpto.Tile)
    assert_type(ctx.tpow(a, a, tmp=a), libpto.Tile)
    assert_type(ctx.tcvt(a, a, libpto.Round.FLOOR), libpto.Tile)
    assert_type(ctx.tmatmul(a, a, a, mad=libpto.Mad.NONE), libpto.Tile)
    ctx.texpands(a, libpto.Scalar.of_bits(1))
    tensor = libpto.Tensor.wrap(ctx, array.T, layout=libpto.Layout.DN)
    ctx.tload(a, tensor)
    assert_type(tensor.shape, tuple[int, ...])
    with libpto.Program(ctx, "%d = tadd %a, %a") as program:
        assert_type(program, libpto.Program)
        program.bind(ctx, "a", array)
        program.set_blocks(ctx, 2)
        assert_type(program.arguments(), list[libpto.Argument])
        assert_type(program.arguments()[0].kind, libpto.ArgKind)
        assert_type(program.print(ctx), str)
        assert_type(program.tile(ctx, "d"), libpto.Tile)
    error = libpto.Error(libpto.Status.SHAPE, "text")
    assert_type(error.rule, str)
    assert_type(libpto.targets(), list[str])


def wrong(ctx: libpto.Context, a: libpto.Tile, tensor: libpto.Tensor) -> None:
    ctx.tadd(a, tensor)  # type: ignore[call-overload]
    ctx.tadd(a)  # type: ignore[call-overload]
    ctx.tadds(a, "2")  # type: ignore[call-overload]
    ctx.tload(tensor, tensor)  # type: ignore[arg-type]
    ctx.tad(a, a)  # type: ignore[attr-defined]
    libpto.Tile(ctx, 2.5, 1, 1)  # type: ignore[arg-type]
    libpto.Tile(ctx, "f32", 1, 1, vaild=(1, 1))  # type: ignore[call-arg]
    a.set_valid(1, 1)  # type: ignore[arg-type]
    a.rows = 3  # type: ignore[misc]
    libpto.DType.F64  # type: ignore[attr-defined]
