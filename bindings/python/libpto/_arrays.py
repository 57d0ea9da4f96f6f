"""Arrays: element types, conversions, memory that is shared with NumPy and through DLPack, and how elements are shown."""
from __future__ import annotations

import ctypes
import html
import math
import operator
import typing

import numpy as np

from . import raw as _raw
from ._handle import Error
from ._ops import DType, Round, Sat, Status

Array = np.ndarray[typing.Any, np.dtype[typing.Any]]
# Names of element types: DType.F32, np.float32, np.dtype("f4"), ml_dtypes.bfloat16, "f32", "float32".
DTypeLike = typing.Union[DType, int, str, type, "np.dtype[typing.Any]"]

DTYPES = {
    "int8": DType.I8, "uint8": DType.U8, "int16": DType.I16, "uint16": DType.U16, "int32": DType.I32, "uint32": DType.U32,
    "int64": DType.I64, "uint64": DType.U64, "float16": DType.F16, "bfloat16": DType.BF16, "float32": DType.F32,
    "float8_e4m3fn": DType.E4M3, "float8_e5m2": DType.E5M2, "float8_e8m0fnu": DType.E8M0,
    "float4_e2m1fn": DType.E2M1, "int4": DType.I4,
}
# Two elements per byte in tiles and tensors; one code per byte in arrays.
PACKED = (DType.E2M1, DType.E1M2, DType.I4)
# NumPy has no such types: their bits travel as these, where ml_dtypes does not bring them. No package has hif8 and e1m2.
BITS = {DType.BF16: DType.U16, DType.E4M3: DType.U8, DType.E5M2: DType.U8, DType.HIF8: DType.U8, DType.E8M0: DType.U8}
BITS.update((held, DType.U8) for held in PACKED)
NUMPY: dict[DType, np.dtype[typing.Any]] = {held: np.dtype(name) for name, held in DTYPES.items() if held not in BITS}
NUMPY.update((held, NUMPY[bits]) for held, bits in BITS.items())
try:
    import ml_dtypes as _ml_dtypes

    NUMPY.update((held, np.dtype(getattr(_ml_dtypes, name))) for name, held in DTYPES.items() if hasattr(_ml_dtypes, name))
except ImportError:
    pass


def as_dtype(name: DTypeLike) -> DType:
    """The element type of a DType, of a type of NumPy or ml_dtypes, or of a name; the library validates numbers."""
    if isinstance(name, DType):
        return name
    if isinstance(name, str) and name.upper() in DType.__members__:
        return DType[name.upper()]
    try:
        return DType(operator.index(typing.cast(int, name)))
    except TypeError:
        pass
    try:
        kind = name if name in DTYPES else np.dtype(typing.cast(typing.Any, name)).name  # ml_dtypes' names need not be NumPy's
        return DTYPES[typing.cast(str, kind)]
    except (KeyError, TypeError):
        shown = name if isinstance(name, str) else getattr(name, "__name__", name)
        raise TypeError("libpto has no element type %s; use one of %s" % (shown, ", ".join(held.name.lower() for held in DType))) from None


def dtype(array: Array) -> DType:
    try:
        return DTYPES[array.dtype.name]
    except KeyError:
        raise TypeError("libpto has no elements of type %s; convert the array, for example with array.astype(np.float32)"
                        % array.dtype) from None


# ---- conversions ----
def _refused(value: typing.Any, held: DType) -> Error:
    return Error(Status.ARGUMENT, "the array has the element %s, which %s does not have" % (value, held.name.lower()), "scalar-range", "array",
                 "Use numbers that the element type has, or round the array first.")


def _integer(value: typing.Any, held: DType, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        if not math.isfinite(value) or value != int(value):
            raise _refused(value, held) from None
        number = int(value)
    if not least <= number <= most:
        raise _refused(value, held)
    return number


def _double(value: typing.Any) -> float:
    """A number as f64: of an integer that f64 does not have, a neighbour that rounds to what the integer rounds to."""
    try:
        number = operator.index(value)
    except TypeError:
        return float(value)
    excess = abs(number).bit_length() - 53
    if excess > 0:
        size = abs(number) >> excess
        size = (size | (size << excess != abs(number))) << excess  # round to odd
        number = -size if number < 0 else size
    return float(number)


def _bfloat16(values: Array) -> Array:
    """The bits of the nearest bf16 of f64: to f32 with rounding to odd, from there to nearest, ties to even."""
    with np.errstate(over="ignore", invalid="ignore"):
        near = values.astype(np.float32)
        short = np.where(np.abs(near) > np.abs(values), np.nextafter(near, np.float32(0)), near)
    bits: Array = short.view(np.uint32)
    bits = np.where(short != values, bits | 1, bits)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, bits).astype(np.uint16)


def converted(source: typing.Any, held: DType) -> Array:
    """Numbers as an array of an element type, by the library's rules for scalars: an integer must be in range, a float is
    rounded once. Accepts what NumPy makes an array of."""
    kind = NUMPY[held]
    if held in BITS and held != DType.BF16:
        raise TypeError("numbers are not converted to %s; give an array of its codes (uint8), or use Context.tcvt" % held.name.lower())
    values = source if isinstance(source, np.ndarray) else np.array(source, object)
    if kind.kind in "iu" and held != DType.BF16:
        least, most = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
        if values.dtype == np.float64:
            fits = (values == np.trunc(values)) & (values >= least) & (values < most + 1)
            if not fits.all():
                raise _refused(values[~fits][0], held)
            return values.astype(kind)
        return np.array([_integer(value, held, least, most) for value in values.reshape(-1).tolist()], kind).reshape(values.shape)
    if values.dtype == object:
        values = np.array([_double(value) for value in values.reshape(-1)], np.float64).reshape(values.shape)
    if held == DType.BF16:
        return _bfloat16(values).view(kind)
    with np.errstate(over="ignore"):
        near = values.astype(kind)
    near[np.isnan(near)] = np.nan  # the canonical one
    return near


def given(source: typing.Any, held: DType | None) -> tuple[Array, DType]:
    """What is to be copied into elements of type `held`, as an array and its type; None: the source's own. Lists and float64
    arrays are converted, because the library has no such elements."""
    foreign = isinstance(source, np.ndarray) or not hasattr(source, "__dlpack__")
    if foreign and not hasattr(source, "dtype"):
        if held is None:
            raise TypeError("a %s has no element type; pass dtype, or a NumPy array" % type(source).__name__)
        return converted(source, held), held
    if held is not None and getattr(source, "dtype", None) == np.float64:
        return converted(np.asarray(source), held), held
    array, own = of(source)
    return array, (held if held is not None and own == BITS.get(held) else own)


def _rows(codes: Array) -> Array:
    return codes.reshape(int(np.prod(codes.shape[:-1])), codes.shape[-1])


def packed(codes: Array) -> Array:
    """Rows of two codes per byte, the first in its low half, each row from a byte of its own; from rows of one code per byte."""
    rows = _rows(codes)
    both = rows[:, 0::2] & 15
    both[:, :rows.shape[1] // 2] |= rows[:, 1::2] << 4
    return both.reshape(-1)


def unpack(data: Array, codes: Array) -> None:
    """The other way, into the codes."""
    rows = _rows(codes)
    both = data.reshape(len(rows), (rows.shape[1] + 1) // 2)
    rows[:, 0::2] = both & 15
    rows[:, 1::2] = both[:, :rows.shape[1] // 2] >> 4


def native_order(array: Array) -> Array:
    """The array where its bytes are shared, which must be in this machine's order."""
    if not array.dtype.isnative:
        raise TypeError("the bytes of %s are in another machine's order; use array.astype(array.dtype.newbyteorder('='))" % array.dtype.str)
    return array


def memory(owner: typing.Any, address: int, size: int) -> typing.Any:
    """Bytes with a buffer, which keep their owner alive."""
    held: typing.Any = (ctypes.c_uint8 * size).from_address(address)
    held.owner = owner
    return held


# ---- DLPack ----
CPU = (1, 0)
_CODES = {"i": 0, "u": 1, "f": 2}
_OF = {DType.BF16: 4, DType.E4M3: 10, DType.E5M2: 12, DType.HIF8: _CODES["u"], DType.E8M0: 14}


def to_dlpack(array: Array, held: DType) -> typing.Any:
    code = _OF[held] if held in _OF else _CODES[array.dtype.kind]
    size = array.dtype.itemsize
    steps = [stride // size for stride in array.strides]
    return _raw.dlpack_give(array, array.ctypes.data, code, 8 * size, list(array.shape), steps)


def of(source: typing.Any) -> tuple[Array, DType]:
    """An array over the memory of whatever has DLPack or is an array, a copy of anything else; and its element type."""
    if isinstance(source, np.ndarray) or not hasattr(source, "__dlpack__"):
        array = np.asarray(source)
        return array, dtype(array)
    if source.__dlpack_device__()[0] != CPU[0]:
        raise TypeError("the %s is not in the memory of the CPU; move it there first" % type(source).__name__)
    owner, address, code, bits, lanes, shape, steps = _raw.dlpack_take(source.__dlpack__())
    kinds = {(letter, number) for letter, number in _CODES.items() if number == code}
    ours = {held for held, number in _OF.items() if number == code and bits == 8 * NUMPY[held].itemsize and held != DType.HIF8}
    if lanes != 1 or not (kinds or ours):
        raise TypeError("no element type of libpto is DLPack's (%d, %d, %d)" % (code, bits, lanes))
    kind = NUMPY[next(iter(ours))] if ours else np.dtype("%s%d" % (kinds.pop()[0], bits // 8))
    held = ours.pop() if ours else dtype(np.empty(0, kind))
    if 0 in shape:
        return np.empty(shape, kind), held
    if steps is None:
        return np.ndarray(shape, kind, memory(owner, address, kind.itemsize * int(np.prod(shape)))), held
    if min(steps) < 0:
        raise TypeError("an array with negative strides cannot be shared; copy it first")
    size = 1 + sum((dim - 1) * step for dim, step in zip(shape, steps))
    return np.ndarray(shape, kind, memory(owner, address, kind.itemsize * size), 0, [kind.itemsize * step for step in steps]), held


# ---- showing ----
def shown(array: Array, held: DType) -> Array:
    """As numbers, which the bits of a bf16 or a smaller float are not."""
    if held in BITS and BITS[held] == DType.U8:
        from . import Context, Tile
        count = max(array.size + array.size % 2, 2)
        with Context() as ctx, Tile(ctx, held, 1, count) as codes, Tile(ctx, DType.F32, 1, count) as values:
            codes.write(ctx, np.resize(array.view(np.uint8), codes.shape))
            ctx.tcvt(values, codes, Round.RINT, Sat.ON)
            return values.read(ctx).reshape(-1)[:array.size].reshape(array.shape)
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32) if held == DType.BF16 else array


def _number(value: typing.Any) -> str:
    return "%d" % value if isinstance(value, np.integer) else "%.6g" % float(value)


def corners(array: Array) -> str:
    """The corner values, as NumPy would abbreviate them: [[0 1 ... 7] ... [56 ... 63]]."""
    def line(items: Array, show: typing.Callable[[typing.Any], str]) -> str:
        n = len(items)
        picked = [show(items[i]) for i in (range(n) if n <= 4 else (0, 1))] + ([] if n <= 4 else ["...", show(items[n - 1])])
        return "[" + " ".join(picked) + "]"

    def level(items: typing.Any) -> str:
        return _number(items) if np.ndim(items) == 0 else line(items, level)

    return level(array)


def heat_map(title: str, array: Array | None, most: int = 24) -> str:
    """A table of coloured cells, of all elements or of those that fit, evenly spread."""
    out = ['<div style="font-family:monospace">%s</div>' % html.escape(title)]
    if array is None or array.size == 0:
        return out[0]
    flat = array.reshape(-1, array.shape[-1])
    rows, cols = (np.unique(np.linspace(0, n - 1, min(n, most)).astype(int)) for n in flat.shape)
    seen = flat[np.ix_(rows, cols)]
    values = seen.astype(np.float64)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    out.append('<table style="border-collapse:collapse;border:none">')
    for texts, line in zip(seen, values):
        out.append("<tr>")
        for text, value in zip(texts, line):
            share = 0.5 if high == low else (value - low) / (high - low)
            colour = "hsl(%d 70%% %d%%)" % (240 - 200 * share, 30 + 45 * share) if np.isfinite(value) else "#f0f"
            out.append('<td title="%s" style="padding:0;border:none;width:14px;height:14px;background:%s"></td>' % (_number(text), colour))
        out.append("</tr>")
    out.append('</table><div style="font-family:monospace">%s (blue) to %s (yellow)%s</div>' % (
        "%.6g" % low, "%.6g" % high, "" if finite.size == values.size else ", not finite: magenta"))
    return "".join(out)
