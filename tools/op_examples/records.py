"""The examples of the instruction pages: operands and what is expected of them.

One record has an example for each instruction that it names. Operands are tiles, tensors and numbers, by the names of the
page; those that a record leaves out (scratch, modes) are left to the library. `want` is the result as NumPy computes it:
an expression in the operands, one for each output. It shares no code with the library.

    T(values)           a tile of these values: f32, in vector memory, row-major
    O(rows, cols)       a tile that receives the result; with `init` it holds these values before
    M(values), N(...)   a tensor in global memory, and one that receives the result
    i32(values), ...    the same with another element type
    alloc=(r, c)        more rows and columns than are valid
    at="left"           the memory, with the layout that hardware wants there

`cpp` is the call in C++ where it is not NAME(operands in the order of C), `text` what PTO-AS has before the instruction.
`special` chooses the table of special values: a kind of special.py, the cases, Fill or Lists. `moved`: the drawing marks the elements that the instruction moves.
`index_bits`: it has every other element as bits.
"""
import numpy as np


class Tile:
    def __init__(self, values=None, shape=None, dtype="f32", alloc=None, at="vec", layout=None, pad=None, init=None):
        self.values = values if values is None else np.array(values)
        self.init = init if init is None else np.array(init)
        self.shape = shape or self.values.shape
        self.dtype, self.alloc, self.at, self.pad = dtype, alloc or self.shape, at, pad
        self.layout = layout or {"left": "nz", "right": "zn", "acc": "nz", "mat": "nz", "scale_left": "zz", "scale_right": "nn"}.get(at, "row")
        self.fractal = 1024 if at == "acc" else 32 if at.startswith("scale_") else 512

    @property
    def given(self):
        return self.values if self.values is not None else self.init


class Tensor(Tile):
    pass


def T(values, **keywords):
    return Tile(values, **keywords)


def O(rows, cols, dtype="f32", **keywords):
    return Tile(None, (rows, cols), dtype, **keywords)


def M(values, dtype="f32", **keywords):
    return Tensor(values, None, dtype, **keywords)


def N(*shape, init=None, dtype="f32"):
    return Tensor(None, shape, dtype, init=init)


def iota(*shape, start=0):
    return np.arange(start, start + int(np.prod(shape))).reshape(shape)


RECORDS = {}


class Fill:
    """Runs the example once for each value, with an operand that has it everywhere, and shows an element that depends on it."""
    def __init__(self, name, values, checked=True, at=0):
        self.name, self.values, self.checked, self.at = name, values, checked, at  # which of the elements that depend on it


class Lists:
    """Runs the example with other values of some operands, and shows all of them."""
    def __init__(self, checked=True, **values):
        self.values, self.checked = values, checked


def record(names, want, special=None, moved=False, cpp=None, text="", note=None, index_bits=False, **operands):
    for name in names.split():
        assert name not in RECORDS, name
        RECORDS[name] = {"want": [want] if isinstance(want, str) else list(want), "special": special, "moved": moved, "cpp": cpp, "text": text, "note": note,
                         "index_bits": index_bits, "operands": operands}


def each(table, **keywords):
    """Records that differ in their results alone."""
    for line in table.strip().splitlines():
        names, _, want = line.partition(":")
        record(names, want.strip(), **keywords)


# ---- elementwise ------------------------------------------------------------
INF, NAN, LARGEST = np.inf, np.nan, float(np.finfo(np.float32).max)
# Cases of special values, for instructions of three operands and of two.
THREE = ([INF, INF, NAN, -0.0, LARGEST, 0, 1], [1, -INF, 1, 1, LARGEST, INF, 1], [-INF, 1, 1, -0.0, -LARGEST, 1, -1])
TWO = ([INF, -INF, NAN, -0.0, LARGEST, 1], [-INF, 1, 1, -0.0, LARGEST, -1])
A = T([[1, 2, 3, 4, 5, 6, 7, 8], [-1, -2, -3, -4, 0.5, 0.25, 0, 100]])
B = T([[10, 20, 30, 40, 50, 60, 70, 80], [2, -2, 2, -2, 2, 4, 8, 0.5]])
C = T([[0.5] * 8, [1, 1, 1, 1, -1, -1, -1, -1]])
D = O(2, 8)
each("""
tadd: src0 + src1
tsub: src0 - src1
tmul: src0 * src1
tdiv: src0 / src1
tmax: larger(src0, src1)
tmin: smaller(src0, src1)
tsubrelu: rectified(src0 - src1)
tfmod: fmod(src0, src1)
trem: floored(src0, src1)
tprelu: np.where(src0 > 0, src0, src0 * src1)
""", src0=A, src1=B, dst=D, special="binary")
record("tpow", "near(power(f64(base), f64(exp)))", special="binary", base=T([[1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2, 2, 4, 9, -2, -8]]),
       exp=T([[2] * 8, [0, 1, -1, 10, 0.5, 1.5, 3, -1]]), dst=D)
each("""
taddc: (src0 + src1) + src2
tsubc: (src0 - src1) + src2
""", src0=A, src1=B, src2=C, dst=D, special=dict(zip(("src0", "src1", "src2"), THREE)))
each("""
tabs: np.abs(src)
tneg: -src
trelu: rectified(src)
trecip: 1 / src
texp: near(np.exp(f64(src)))
""", src=A, dst=D, special="unary")
each("""
tlog: near(np.log(f64(src)))
tsqrt: np.sqrt(src)
trsqrt: once(1 / np.sqrt(f64(src)))
""", src=T([[1, 2, 3, 4, 5, 6, 7, 8], [0.25, 0.5, 9, 16, 25, 36, 49, 100]]), dst=D, special="unary")
each("""
tfusedmuladd: fma(src0, dst, src1)
tfusedmuladdrelu: rectified(fma(src0, dst, src1))
tmuladddst: fma(src0, src1, dst)
""", src0=A, src1=B, dst=O(2, 8, init=C.values), special=dict(zip(("src0", "src1", "dst"), THREE)))
E, F = T([[1, 2, 3, 12, 255, 256, 1000, -1]], dtype="i32"), T([[1, 3, 1, 10, 15, 255, 3, 7]], dtype="i32")
each("""
tand: src0 & src1
tor: src0 | src1
txor: src0 ^ src1
""", src0=E, src1=F, dst=O(1, 8, "i32"), special="binary")
record("tnot", "~src", src=E, dst=O(1, 8, "i32"), special="unary")
each("""
tshl: left(src0, src1)
tshr: right(src0, src1)
""", src0=E, src1=T([[0, 1, 2, 3, 4, 5, 6, 7]], dtype="i32"), dst=O(1, 8, "i32"), special="shift")
record("tcmp", "bits(src0 > src1)", src0=A, src1=T([[4] * 8, [-2] * 8]), dst=O(2, 1, "u8", alloc=(2, 32)), mode="GT",
       note="Bit j of a row is column j: 240 is 0b11110000, the last four columns.", cpp="TCMP(dst, src0, src1, CmpMode::GT);",
       special="compare")
record("tsel", "np.where(unbits(mask, 8), src0, src1)", mask=T([[240], [85]], dtype="u8", alloc=(2, 32)), src0=A, src1=B, dst=D,
       note="240 is 0b11110000: the last four columns. 85 is 0b01010101: every other column, from column 0 on.")
record("tcvt", "np.rint(src)", src=T([[1.4, 1.5, 2.5, -1.5, -2.6, 0.5, 3e9, 7]]), dst=O(1, 8, "i32"), mode="RINT",
       special="convert", cpp="TCVT(dst, src, RoundMode::CAST_RINT);",
       note="The default rounds to nearest, ties to even, and saturates.")
record("tadddeqrelu", "np.minimum(rectified((src0 + src1).astype(np.float32) * np.float32(deq_scale)), 65504)", src0=E, src1=F,
       dst=O(1, 8, "f16", alloc=(1, 16)), deq_scale=0.5,
       special={"src0": [2 ** 31 - 1, 100000, 131000, -5, 1], "src1": [1, 100000, 7, 3, 0]})
G, H = T([[100, 50, -20, 7, 1, 2, 3, 4]], dtype="i16", alloc=(1, 16)), T([[100, -60, 25, 7, 1, 1, 1, 1]], dtype="i16", alloc=(1, 16))
each("""
taddreluconv: np.clip(src0 + src1, 0, 127)
tsubreluconv: np.clip(src0 - src1, 0, 127)
""", src0=G, src1=H, dst=O(1, 8, "i8", alloc=(1, 32)), special={"src0": [32767, -32768, 200, -3], "src1": [1, 1, 100, 1]})

# ---- tile and scalar --------------------------------------------------------
each("""
tadds: src + scalar
tsubs: src - scalar
tmuls: src * scalar
tdivs: src / scalar
tdivs_scalar: scalar / src
tmaxs: larger(src, scalar)
tmins: smaller(src, scalar)
tfmods: fmod(src, scalar)
trems: floored(src, scalar)
""", src=A, dst=D, scalar=2.5, special="scalar")
RECORDS["tdivs_scalar"]["cpp"] = "TDIVS(dst, 2.5F, src);"
record("tlrelu", "np.where(src > 0, src, src * slope)", src=A, dst=D, slope=0.125, special="scalar")
record("tpows", "near(power(f64(base), exp))", base=T([[1, 2, 3, 4, 5, 6, 7, 8]]), dst=O(1, 8), exp=1.5, special="scalar")
record("texpands", "np.full((2, 8), scalar)", dst=D, scalar=3.5)
record("taxpy", "fma(src, scalar, dst)", src=A, dst=O(2, 8, init=C.values), scalar=10.0, special=dict(zip(("src", "dst"), TWO)))
each("""
taddsc: (src0 + scalar) + src1
tsubsc: (src0 - scalar) + src1
""", src0=A, src1=C, dst=D, scalar=2.5, special=dict(zip(("src0", "src1"), TWO)))
for name in ("taddsc", "tsubsc"):
    RECORDS[name]["cpp"] = name.upper() + "(dst, src0, 2.5F, src1);"
each("""
tands: src & scalar
tors: src | scalar
txors: src ^ scalar
""", src=E, dst=O(1, 8, "i32"), scalar=6, special="scalar")
each("""
tshls: left(src, scalar)
tshrs: right(src, scalar)
""", src=E, dst=O(1, 8, "i32"), scalar=3, special="shift_scalar")
record("tcmps", "bits(src >= scalar)", src=A, dst=O(2, 1, "u8", alloc=(2, 32)), scalar=3.0, mode="GE",
       cpp="TCMPS(dst, src, 3.0F, CmpMode::GE);",
       note="Bit j of a row is column j: 252 is 0b11111100, all but the first two columns.", special="compare_scalar")
record("tcmps_tile", "bits(src0 < src1[0, 0])", src0=A, src1=T([[3, 0, 0, 0, 0, 0, 0, 0]]), dst=O(2, 1, "u8", alloc=(2, 32)),
       mode="LT", cpp="TCMPS(dst, src0, src1, CmpMode::LT);",
       note="Bit j of a row is column j: 3 is 0b00000011, the first two columns.")
record("tsels", "np.where(unbits(mask, 8), src, scalar)", mask=T([[15], [170]], dtype="u8", alloc=(2, 32)), src=A, dst=D,
       scalar=0.0, cpp="TSELS(dst, mask, src, tmp, 0.0F);",
       note="15 is 0b00001111: the first four columns. 170 is 0b10101010: every other column, from column 1 on.")

# ---- rows and columns -------------------------------------------------------
R = T([[3, 1, 4, 1, 5, 9, 2, 6], [-5, 3, -5, 8, 9, 7, 9, 3], [0.5, 0.25, 2, 4, 0.5, 1, 1, 1]])
ROW = O(3, 1, alloc=(3, 8))
each("""
trowsum: folded(np.add, src, 1)
trowprod: folded(np.multiply, src, 1)
trowmax: folded(larger, src, 1)
trowmin: folded(smaller, src, 1)
""", src=R, dst=ROW, special="row")
each("""
tcolsum: folded(np.add, src, 0)
tcolprod: folded(np.multiply, src, 0)
tcolmax: folded(larger, src, 0)
tcolmin: folded(smaller, src, 0)
""", src=R, dst=O(1, 8), special="col")
record("tcolsum_order", "folded(np.add, src, 0)", src=R, dst=O(1, 8), order="TREE", tmp=O(3, 8),
       cpp="TCOLSUM(dst, src, tmp, true);", special="col")
each("""
trowargmax: src.argmax(1).reshape(-1, 1)
trowargmin: src.argmin(1).reshape(-1, 1)
""", src=R, dst=O(3, 1, "i32", alloc=(3, 8)), special="row")
each("""
tcolargmax: src.argmax(0).reshape(1, -1)
tcolargmin: src.argmin(0).reshape(1, -1)
""", src=R, dst=O(1, 8, "i32"), special="col")
record("trowargmax_value", ("np.take_along_axis(src, src.argmax(1).reshape(-1, 1), 1)", "src.argmax(1).reshape(-1, 1)"), src=R, dst_val=ROW,
       dst_idx=O(3, 1, "i32", alloc=(3, 8)), special="row")
record("trowargmin_value", ("np.take_along_axis(src, src.argmin(1).reshape(-1, 1), 1)", "src.argmin(1).reshape(-1, 1)"), src=R, dst_val=ROW,
       dst_idx=O(3, 1, "i32", alloc=(3, 8)), special="row")
record("tcolargmax_value", ("np.take_along_axis(src, src.argmax(0).reshape(1, -1), 0)", "src.argmax(0).reshape(1, -1)"), src=R, dst_val=O(1, 8),
       dst_idx=O(1, 8, "i32"), special="col")
record("tcolargmin_value", ("np.take_along_axis(src, src.argmin(0).reshape(1, -1), 0)", "src.argmin(0).reshape(1, -1)"), src=R, dst_val=O(1, 8),
       dst_idx=O(1, 8, "i32"), special="col")
S = T([[10, 20, 30, 40, 50, 60, 70, 80], [1, 2, 3, 4, 5, 6, 7, 8]])
for way, x in (("trow", T([[2], [4]], alloc=(8, 1), layout="col")), ("tcol", T([[1, 2, 3, 4, 5, 6, 7, 8]]))):
    each("".join("%sexpand%s: %s\n" % (way, name, want) for name, want in (
        ("add", "src0 + src1"), ("sub", "src0 - src1"), ("mul", "src0 * src1"), ("div", "src0 / src1"), ("max", "larger(src0, src1)"),
        ("min", "smaller(src0, src1)"))), src0=S, src1=x, dst=D, special=way)
    record(way + "expandexpdif", "near(np.exp(f64(src0 - src1)))", src0=T([[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]),
           src1=T([[8], [8]], alloc=(8, 1), layout="col") if way == "trow" else T([[8] * 8]), dst=D, special=way)
record("trowexpand", "np.repeat(src[:, :1], 8, 1)", src=T([[1], [2]], alloc=(2, 8)), dst=D, moved=True)
record("tcolexpand", "np.repeat(src[:1], 2, 0)", src=T([[1, 2, 3, 4, 5, 6, 7, 8]]), dst=D, moved=True)

# ---- irregular --------------------------------------------------------------
record("tci", "(start + np.arange(8)).astype(np.int32).reshape(1, 8)", dst=O(1, 8, "i32"), start=5, cpp="TCI(dst, 5, false);")
record("ttri", "np.tri(4, 8, max(min(diagonal, 8), -4))", dst=O(4, 8), diagonal=1, cpp="TTRI(dst, 1, false);")
record("tpairreducesum", "np.pad(src[:, ::2] + src[:, 1::2], ((0, 0), (0, src.shape[1] // 2)))", src=S, dst=D,
       special={"src": [[INF, -INF], [NAN, 1], [-0.0, -0.0], [-0.0, 0], [LARGEST, LARGEST]]})
record("tgather", "src0.reshape(-1)[indices]", src0=T(iota(2, 8, start=10)), indices=T([[0, 15, 7, 8, 1, 1, 14, 3]], dtype="i32"),
       dst=O(1, 8), tmp=O(1, 8, "i32"), moved=True)
record("tgather_mask", "src[:, ::2]", src=T(iota(2, 8, start=10)), dst=O(1, 8), pattern="P0101", moved=True,
       cpp="TGATHER<decltype(dst), decltype(src), MaskPattern::P0101>(dst, src);")
record("tgather_cmp", ("np.array([[1, 2, 3, 5, 7], [10, 12, 13, 14, 15]])", "np.array([[5], [5]])"),
       src0=T([[0, 9, 8, 7, 1, 6, 2, 5], [0, 1, 8, 2, 7, 6, 5, 4]]), k_value=T([[3], [3]], alloc=(2, 8)),
       dst=O(2, 5, "i32", alloc=(2, 8)), cdst=O(2, 1, "i32", alloc=(2, 8)), tmp=O(2, 8), offset=0, mode="GT",
       cpp="TGATHER<decltype(dst), decltype(src0), decltype(k_value), decltype(cdst), decltype(tmp), CmpMode::GT>(dst, src0, k_value, cdst, tmp, 0);",
       note="Places count row by row: 10 is row 1, column 2.")
record("tgatherb", "src.reshape(-1, 8)[offset.reshape(-1) // 32].reshape(1, 16)", src=T(iota(4, 8, start=10)),
       offset=T([[96, 32]], dtype="u32", alloc=(1, 8)), dst=O(1, 16), moved=True,
       note="A block has 32 bytes, here 8 elements. Offset 96 is row 3, offset 32 is row 1.")
record("tscatter", "scattered(dst, src, indexes)", src=T([[10, 11, 12, 13, 14, 15, 16, 17]]),
       indexes=T([[15, 0, 8, 7, 2, 9, 3, 12]], dtype="i32"), dst=O(2, 8), moved=True)
record("tscatter_mask", "np.insert(src, range(4), 0, 1)[:, [1, 0, 3, 2, 5, 4, 7, 6]]", src=T(iota(2, 4, start=10), alloc=(2, 8)),
       dst=D, pattern="P0101", moved=True, cpp="TSCATTER<MaskPattern::P0101>(dst, src);")
record("tpartadd", "part(src0, src1, np.add)", src0=S, src1=T([[1, 2, 3, 4]], alloc=(1, 8)), dst=D, special="binary")
record("tpartmul", "part(src0, src1, np.multiply)", src0=S, src1=T([[1, 2, 3, 4]], alloc=(1, 8)), dst=D, special="binary")
record("tpartmax", "part(src0, src1, larger)", src0=S, src1=T([[15, 15, 35, 35]], alloc=(1, 8)), dst=D, special="binary")
record("tpartmin", "part(src0, src1, smaller)", src0=S, src1=T([[15, 15, 35, 35]], alloc=(1, 8)), dst=D, special="binary")
for name, test in (("tpartargmax", "(src0 > src1) | np.isnan(src0) & ~np.isnan(src1)"), ("tpartargmin", "(src0 < src1) | np.isnan(src0) & ~np.isnan(src1)")):
    record(name, ("np.where(%s, src0, src1)" % test, "np.where(%s, src0_idx, src1_idx)" % test), src0=T([[1, 9, 3, 7, 5, 5, 0, 8]]),
           src1=T([[2, 8, 4, 6, 5, 6, 1, 7]]), src0_idx=T([[0, 1, 2, 3, 4, 5, 6, 7]], dtype="i32"),
           src1_idx=T([[10, 11, 12, 13, 14, 15, 16, 17]], dtype="i32"), dst=O(1, 8), dst_idx=O(1, 8, "i32"),
           special={"src0": [1, NAN, 1, NAN, 0, -0.0], "src0_idx": [0, 0, 0, 0, 0, 0], "src1": [1, 1, NAN, NAN, -0.0, 0], "src1_idx": [1, 1, 1, 1, 1, 1]},
           cpp=name.upper() + "(dst, src0, src1, dst_idx, src0_idx, src1_idx);")
record("tquant", "np.clip(np.rint(src * scale), -128, 127)",
       src=T([[1, 2, 3, -4, 5.5, 60, 700, 0], [0.1, 0.2, 0.3, -0.4, 0.5, 6, 7, 0]]), scale=T([[2], [10]], alloc=(2, 8)),
       dst=O(2, 8, "i8", alloc=(2, 32)), special={"src": [NAN, INF, -INF, 200, 2.5, 3.5, -0.0], "scale": [1] * 7})
record("tquant_asym", "np.clip(np.rint(src * scale + offset), 0, 255)",
       src=T([[1, 2, 3, -4, 5.5, 60, 700, 0], [0.1, 0.2, 0.3, -0.4, 0.5, 6, 7, 0]]), scale=T([[2], [10]], alloc=(2, 8)),
       offset=T([[10], [100]], alloc=(2, 8)), dst=O(2, 8, "u8", alloc=(2, 32)),
       special={"src": [NAN, INF, -INF, 200, 2.5, 3.5], "scale": [1] * 6, "offset": [10] * 5 + [9]})
record("tdequant", "(src - offset) * scale",
       src=T([[12, 14, 16, 2, 21, 127, -128, 10], [1, 2, 3, -4, 5, 60, 70, 0]], dtype="i8", alloc=(2, 32)),
       scale=T([[0.5], [0.25]], alloc=(2, 8)), offset=T([[10], [0]], alloc=(2, 8)), dst=D, special={"src": [127, -128, 5, 5, 6], "scale": [INF, 1, NAN, INF, 0], "offset": [0, 0, 0, 5, INF]})
Q = np.array([[1.0, -2.5, 3.25, 8, 0.1, -0.3, 0, 5]])
record("tquant_mx", ("mx(src, 1)[0]", "1 / mx(src, 1)[1]", "np.abs(src).max(1)", "mx(src, 1)[1]"), src=T(Q),
       dst=O(1, 8, "e4m3", alloc=(1, 32)), exp=O(1, 1, "e8m0", alloc=(1, 32)), max=O(1, 1, alloc=(1, 8)),
       scaling=O(1, 1, alloc=(1, 8)), cpp="TQUANT_MX(dst, exp, max, scaling, src, QuantScaleAlg::OCP);",
       note="A row of up to 32 elements has one exponent. The largest magnitude is 8 = 2^3, so exp is 2^(3 - 8) and scaling 2^5. 0.1 * 32 = 3.2 becomes 3.25, the nearest e4m3.")
record("tquant_dn", ("mx(src, 0)[0]", "1 / mx(src, 0)[1]", "np.abs(src).max(0)", "mx(src, 0)[1]"),
       src=T([[1.0, -2.5, 3.25, 8]], alloc=(1, 8)), dst=O(1, 4, "e4m3", alloc=(1, 32)), exp=O(1, 4, "e8m0", alloc=(1, 32)),
       max=O(1, 4, alloc=(1, 8)), scaling=O(1, 4, alloc=(1, 8)), cpp="TQUANT_DN(dst, exp, max, scaling, src, QuantScaleAlg::OCP);",
       note="Each column of up to 32 elements has an exponent of its own.")
record("thistogram", "np.cumsum(np.bincount(src[0][src[0] >> 8 == idx[0, 0]] & 255, minlength=256)).reshape(1, 256)",
       src=T([[0, 1, 1, 2, 5, 5, 5, 255]], dtype="u16", alloc=(1, 16)), idx=T([[0]], dtype="u8", alloc=(1, 32)),
       dst=O(1, 256, "u32"), byte="BYTE_0", cpp="THISTOGRAM<HistByte::BYTE_0>(dst, src, idx);",
       note="dst[0,b] counts the elements up to b.")
record("trandom", "philox([counter0, counter1, counter2, counter3], [key0, key1])", dst=O(1, 4, "u32", alloc=(1, 8)), key0=1, key1=2, counter0=0, counter1=0,
       counter2=0, counter3=0, cpp="TRandomKey key = {1, 2};\nTRandomCounter counter = {0, 0, 0, 0};\nTRANDOM(dst, key, counter);")
record("tsort32", "sort_records(src, idx)", src=T([[3, 1, 4, 1, 5, 9, 2, 6]]), idx=T([[0, 1, 2, 3, 4, 5, 6, 7]], dtype="u32"),
       dst=O(1, 16), index_bits=True,
       note="A record is an element and the bits of its index, which C, C++ and Python print as a tiny f32.")
L0, L1, L2, L3 = ([[9, 0, 5, 1]], [[8, 0, 6, 1]], [[7, 0, 2, 1]], [[4, 0, 3, 1]])
record("tmrgsort", "merged(src.reshape(4, 4))", src=T([[9, 0, 5, 1, 8, 0, 6, 1, 7, 0, 2, 1, 4, 0, 3, 1]]), dst=O(1, 16),
       block_len=4, note="A record is an element and an index, here 0 or 1. Blocks of two records each are merged.")
for count, name in ((2, "two"), (3, "three"), (4, "four")):
    record("tmrgsort_" + name,
           ("merged(%s)" % ", ".join("src%d" % i for i in range(count)), "np.array([%s])" % ([2] * count + [0] * (4 - count))),
           **{"src%d" % i: T(values, alloc=(1, 8)) for i, values in enumerate((L0, L1, L2, L3)[:count])},
           dst=O(1, 4 * count, alloc=(1, 16)), tmp=O(1, 16), executed=O(1, 4, "u16", alloc=(1, 16)),
           note="A record is an element and an index, here 0 or 1. executed counts the records that were used of each list.",
           cpp="MrgSortExecutedNumList executed = {};\nTMRGSORT<decltype(dst), decltype(tmp), %s, false>(dst, executed, tmp, %s);"
           % (", ".join("decltype(src%d)" % i for i in range(count)), ", ".join("src%d" % i for i in range(count))))

# ---- layout and rearrangement -----------------------------------------------
W = T(iota(4, 8, start=10))
record("textract", "src[1:3, 2:6]", src=W, dst=O(2, 4, alloc=(2, 8)), index_row=1, index_col=2, moved=True)
record("textract_two", ("src[0:2, 0:4]", "src[2:4, 4:8]"), src=W, dst0=O(2, 4, alloc=(2, 8)), dst1=O(2, 4, alloc=(2, 8)),
       index_row0=0, index_col0=0, index_row1=2, index_col1=4, moved=True)
record("tinsert tinsert_split", "placed(dst, src, 1, 2)", src=T(iota(2, 4, start=10), alloc=(2, 8)),
       dst=O(4, 8, init=np.zeros((4, 8))), index_row=1, index_col=2, moved=True)
RECORDS["tinsert_split"]["cpp"] = "TINSERT<TInsertMode::SPLIT2>(dst, src, 1, 2);"
record("ttrans", "src.T", src=T(iota(2, 8, start=10)), dst=O(8, 2, alloc=(8, 8)), tmp=O(8, 8), moved=True)
record("tmov", "src", src=T(iota(2, 8, start=10)), dst=D, moved=True)
record("tconcat", "np.hstack([src0, src1])", src0=T(iota(2, 4, start=10), alloc=(2, 8)), src1=T(iota(2, 4, start=20), alloc=(2, 8)),
       dst=D, moved=True)
for name, wants in (("tconcat_counts", ("joined(src0, src1, [1, 3], [4, 2])",)), ("tconcat_counts_out", ("joined(src0, src1, [1, 3], [4, 2])", "np.array([[20], [20]])"))):
    record(name, wants, src0=T(iota(2, 4, start=10), alloc=(2, 8)), src1=T(iota(2, 4, start=20), alloc=(2, 8)),
           src0_idx=T([[4], [12]], dtype="i32", alloc=(2, 8)), src1_idx=T([[16], [8]], dtype="i32", alloc=(2, 8)),
           dst=O(2, 5, alloc=(2, 8)), moved=True, note="Counts are in bytes of their type: 12 is three elements.",
           **{"dst_idx": O(2, 1, "i32", alloc=(2, 8)), "cpp": "TCONCAT(dst, src0, src1, dst_idx, src0_idx, src1_idx);"} if name.endswith("out") else {})
record("tinterleave", ("np.stack([src0, src1], 2).reshape(2, 16)[:, :8]", "np.stack([src0, src1], 2).reshape(2, 16)[:, 8:]"),
       src0=T(iota(2, 8, start=10)), src1=T(iota(2, 8, start=30)), dst0=D, dst1=D, moved=True,
       cpp="TINTERLEAVE(dst1, dst0, src1, src0);")
record("tdeinterleave", ("np.hstack([src0, src1])[:, ::2]", "np.hstack([src0, src1])[:, 1::2]"), src0=T(iota(2, 8, start=10)),
       src1=T(iota(2, 8, start=30)), dst0=D, dst1=D, moved=True, cpp="TDEINTERLEAVE(dst1, dst0, src1, src0);")
record("tdeinterleave_one", ("src[:, ::2]", "src[:, 1::2]"), src=T(iota(2, 8, start=10)), dst0=O(2, 4, alloc=(2, 8)),
       dst1=O(2, 4, alloc=(2, 8)), moved=True, cpp="TDEINTERLEAVE(dst1, dst0, src);")
record("tpack", "src & 255", src=T([[1, 255, 256, 257, 511, 1000, 4096, 4095]], dtype="u16", alloc=(1, 16)),
       dst=O(1, 8, "u8", alloc=(1, 32)))
record("tfillpad", "padded(src, 4, 8, np.inf)", src=T(iota(2, 6, start=10), alloc=(4, 8)), dst=O(4, 8, pad="max"), moved=True)
record("tfillpad_expand", "padded(src, 4, 16, 0)", src=T(iota(2, 6, start=10), alloc=(2, 8)), dst=O(4, 16, pad="zero"), moved=True)
record("tfillpad_inplace", "padded(src, 4, 8, -np.inf)", src=T(iota(2, 6, start=10), alloc=(4, 8)), dst=O(4, 8, pad="min"),
       moved=True, note="Hardware has dst and src in one place. Here they may be, and need not.")
IMAGE = np.arange(1, 10).reshape(1, 1, 3, 3, 1)
IMAGE_CPP = """src.SetFilterH(2);
src.SetFilterW(2);
src.SetStrideH(1);
src.SetStrideW(1);
src.SetPadValue(0);
SETFMATRIX(src);
SET_IMG2COL_RPT(src);
SET_IMG2COL_PADDING(src);
TIMG2COL(dst, src);"""
IMAGE_TEXT = """%src = pto.make_tensor_view %src_values, shape = [1, 1, 3, 3, 1], strides = [9, 9, 3, 1, 1]
    {layout = #pto.layout<NC1HWC0>} : !pto.tensor_view<1x1x3x3x1xf32>
"""
record("timg2col", "np.array([[src.reshape(3, 3)[y + i, x + j] for i in (0, 1) for j in (0, 1)] for y in (0, 1) for x in (0, 1)])", src=M(IMAGE, layout="NC1HWC0"),
       dst=O(4, 4, alloc=(16, 8), at="left"), pad=0.0, pos_m=0, pos_k=0, filter_h=2, filter_w=2, stride_h=1, stride_w=1,
       dilation_h=1, dilation_w=1, pad_left=0, pad_right=0, pad_top=0, pad_bottom=0, channels=0,
       cpp=IMAGE_CPP, text=IMAGE_TEXT,
       note="src is an image of 3x3 with one channel. Each row of dst is what a filter of 2x2 sees at one of its places.")

# ---- sums on their way out of the accumulator -------------------------------
ACC = T([[1.5, -2, 3.25, 100], [0.1, 65504, -0.5, 1e6]], alloc=(16, 16), at="acc")
SUMS = T([[10, -20, 30, 1000], [1, 2, 3, -4]], dtype="i32", alloc=(16, 16), at="acc")
WORD = 0x400000000000 | 0x3F000000  # signed bytes, scale 0.5
WORDS = T([[WORD] * 4], dtype="u64", alloc=(1, 16), at="scaling")
HALF = O(2, 4, "f16", alloc=(16, 16), at="mat")
BYTES = O(2, 4, "i8", alloc=(16, 32), at="mat")
QUANTISED, WORD_NOTE = "np.clip(np.rint(%s * 0.5), -128, 127)", "The word 0x40003F000000 is the bits of the scale 0.5, and bit 46 for signed bytes."
# Cases of special values: to f16, and to signed bytes by the scale 0.5.
NARROWED = {"src": [INF, -INF, NAN, 65519, 65520, 2049, 1e-8, -0.0]}
HALVED = {"src": [2 ** 31 - 1, -2 ** 31, 5, 7, -5, 1]}
record("tmov_acc", "src", src=ACC, dst=HALF, relu="NO_RELU", special=NARROWED, note="1e6 has no f16: it becomes infinite.", cpp="TMOV(dst, src);")
record("tmov_quant", QUANTISED % "src", special=HALVED, src=SUMS, dst=BYTES, pre_quant_scalar=WORD, note=WORD_NOTE,
       cpp="TMOV(dst, src, uint64_t{0x40003F000000});")
record("tmov_fp", QUANTISED % "src", src=SUMS, fp=WORDS, dst=BYTES, note=WORD_NOTE, cpp="TMOV_FP(dst, src, fp);")
WINDOW = O(1, 2, "f16", alloc=(16, 16), at="mat")
record("textract_acc", "src[1:2, 1:3]", src=ACC, dst=WINDOW, index_row=1, index_col=1, cpp="TEXTRACT(dst, src, 1, 1);")
record("textract_quant", QUANTISED % "src[1:2, 1:3]", src=SUMS, dst=O(1, 2, "i8", alloc=(16, 32), at="mat"), pre_quant_scalar=WORD,
       index_row=1, index_col=1, note=WORD_NOTE, cpp="TEXTRACT(dst, src, uint64_t{0x40003F000000}, 1, 1);")
record("textract_fp", QUANTISED % "src[1:2, 1:3]", src=SUMS, fp=WORDS, dst=O(1, 2, "i8", alloc=(16, 32), at="mat"), index_row=1,
       index_col=1, note=WORD_NOTE, cpp="TEXTRACT_FP(dst, src, fp, 1, 1);")
SMALL, FEW = T([[1.5, -2], [0.1, 1e6]], alloc=(16, 16), at="acc"), T([[10, -21], [1000, -4]], dtype="i32", alloc=(16, 16), at="acc")
INTO = dict(alloc=(16, 32), at="mat", init=np.zeros((4, 4)))
record("tinsert_acc", "placed(dst, np.float16(src), 1, 2)", src=SMALL, dst=O(4, 4, "f16", **INTO), index_row=1, index_col=2,
       cpp="TINSERT(dst, src, 1, 2);")
record("tinsert_quant", "placed(dst, %s, 1, 2)" % (QUANTISED % "src"), src=FEW, dst=O(4, 4, "i8", **INTO), pre_quant_scalar=WORD,
       index_row=1, index_col=2, note=WORD_NOTE, cpp="TINSERT(dst, src, uint64_t{0x40003F000000}, 1, 2);")
record("tinsert_fp", "placed(dst, %s, 1, 2)" % (QUANTISED % "src"), src=FEW,
       fp=T([[WORD] * 2], dtype="u64", alloc=(1, 16), at="scaling"), dst=O(4, 4, "i8", **INTO), index_row=1, index_col=2,
       note=WORD_NOTE, cpp="TINSERT_FP(dst, src, fp, 1, 2);")

# ---- global memory ----------------------------------------------------------
record("tload tprefetch", "src[:2, :6]", src=M(iota(4, 8, start=10)), dst=O(2, 6, alloc=(2, 8)), moved=True)
record("tstore", "src", src=T(iota(2, 8, start=10)), dst=N(2, 8), moved=True)
record("tstore_atomic", "dst + src", src=T(iota(2, 8, start=10)), dst=N(2, 8, init=np.full((2, 8), 100)), atomic="ADD",
       cpp="TSTORE<decltype(src), decltype(dst), AtomicType::AtomicAdd>(dst, src);")
record("tstore_acc", "rectified(src)", src=ACC, dst=N(2, 4), relu="NORMAL_RELU",
       cpp="TSTORE<decltype(src), decltype(dst), AtomicType::AtomicNone, ReluPreMode::NormalRelu>(dst, src);")
record("tstore_quant", QUANTISED % "src", src=SUMS, dst=N(2, 4, dtype="i8"), pre_quant_scalar=WORD, note=WORD_NOTE,
       cpp="TSTORE(dst, src, uint64_t{0x40003F000000});")
record("tstore_fp", QUANTISED % "src", src=SUMS, fp=WORDS, dst=N(2, 4, dtype="i8"), note=WORD_NOTE, cpp="TSTORE_FP(dst, src, fp);")
TABLE = iota(4, 8, start=10)
record("mgather", "table[idx[0]]", table=M(TABLE), idx=T([[3, 1]], dtype="i32", alloc=(1, 8)), dst=O(2, 8), coalesce="ROW",
       moved=True, cpp="MGATHER<Coalesce::Row>(dst, table, idx);")
record("mscatter", "rows_placed(table, src, idx[0])", src=T(iota(2, 8, start=10)), idx=T([[3, 1]], dtype="i32", alloc=(1, 8)),
       table=N(4, 8, init=np.zeros((4, 8))), coalesce="ROW", moved=True, cpp="MSCATTER<Coalesce::Row>(table, src, idx);")

# ---- matrix products --------------------------------------------------------
LEFT, RIGHT = [[1, 2, 3], [4, 5, 6]], [[1, 0, 2, 1], [0, 1, 0, 1], [1, 1, 1, 1]]
SUM, BIAS = [[10, 20, 30, 40], [50, 60, 70, 80]], [[100, 200, 300, 400]]
for kind, rows in (("tmatmul", 2), ("tgemv", 1)):
    a, b = T(LEFT[:rows], alloc=(16, 16), at="left"), T(RIGHT, alloc=(16, 16), at="right")
    dst, acc = O(rows, 4, alloc=(16, 16), at="acc"), T(SUM[:rows], alloc=(16, 16), at="acc")
    bias = T(BIAS, alloc=(1, 16), at="bias")
    record(kind, "chain(a, b)", a=a, b=b, dst=dst, special="dot")
    record(kind + "_acc", "chain(a, b, acc_in)", acc_in=acc, a=a, b=b, dst=dst)
    record(kind + "_bias", "chain(a, b, bias)", a=a, b=b, bias=bias, dst=dst)
    mx = dict(a=T(LEFT[:rows], dtype="e4m3", alloc=(16, 64), at="left"), b=T(RIGHT, dtype="e4m3", alloc=(64, 16), at="right"),
              a_scale=T([[2.0]] * rows, dtype="e8m0", alloc=(16, 2), at="scale_left"), b_scale=T([[1.0, 1.0, 0.5, 4.0]], dtype="e8m0", alloc=(2, 16), at="scale_right"), dst=dst)
    scaled = "a * a_scale, b * b_scale"
    record(kind + "_mx", "chain(%s)" % scaled, **mx)
    record(kind + "_mx_acc", "chain(%s, acc_in)" % scaled, acc_in=acc, **mx)
    record(kind + "_mx_bias", "chain(%s, bias)" % scaled, bias=bias, **mx)


# ---- scratch ----------------------------------------------------------------
# Where A2A3 needs scratch, the examples have it.
for name in """tadddeqrelu tcolargmax tcolargmax_value tcolargmin tcolargmin_value tpow tpows tprelu trem trems trowargmax trowargmax_value trowargmin
trowargmin_value trowmax trowmin trowprod trowsum tsel tsels txor txors""".split():
    operands = RECORDS[name]["operands"]
    source = next(operands[n] for n in ("src", "src0", "base") if n in operands)
    rows, cols = source.shape
    operands["tmp"] = O(rows + (name == "tprelu"), cols, source.dtype)


# ---- special values ---------------------------------------------------------
# Instructions that move elements keep their bits.
KEPT = [-INF, -LARGEST, -1.0, -0.0, 0.0, 1e-45, LARGEST, INF, NAN]
for name, operand in (line.split() for line in """
tsel src0
tsels src
tgather src0
tgather_mask src
tgatherb src
tscatter src
tscatter_mask src
tconcat src0
tconcat_counts src0
tconcat_counts_out src0
tdeinterleave src0
tdeinterleave_one src
tinterleave src0
textract src
textract_two src
tinsert src
tinsert_split src
ttrans src
tmov src
tfillpad src
tfillpad_expand src
tfillpad_inplace src
timg2col src
mgather table
mscatter src
tload src
tprefetch src
tstore src
tstore_acc src
tcolexpand src
trowexpand src
texpands scalar
""".strip().split("\n")):
    RECORDS[name]["special"] = Fill(operand, KEPT)
for name in ("textract_acc", "tinsert_acc"):
    RECORDS[name]["special"] = Fill("src", NARROWED["src"])
for name in ("textract_quant", "tinsert_quant", "tstore_quant", "textract_fp", "tinsert_fp", "tstore_fp", "tmov_fp"):
    RECORDS[name]["special"] = Fill("src", HALVED["src"])
RECORDS["tstore_atomic"]["special"] = Fill("src", [-INF, -0.0, 1e-45, LARGEST, INF, NAN])
for kind in ("tmatmul", "tgemv"):
    for name, operand in (("_acc", "acc_in"), ("_bias", "bias"), ("_mx_acc", "acc_in"), ("_mx_bias", "bias")):
        RECORDS[kind + name]["special"] = Fill(operand, [-INF, -LARGEST, -0.0, 1e-45, LARGEST, INF, NAN])
    RECORDS[kind + "_mx"]["special"] = Fill("a_scale", [2.0 ** -127, 1.0, 2.0 ** 127, NAN])
RECORDS["tcmps_tile"]["special"] = Fill("src0", [-INF, -0.0, 3.0, INF, NAN])
RECORDS["tgather_cmp"]["special"] = Fill("src0", [-INF, 3.0, INF, NAN], checked=False)
RECORDS["tci"]["special"] = Fill("start", [-2 ** 31, -1, 2 ** 31 - 1], at=-1)
RECORDS["ttri"]["special"] = Fill("diagonal", [-2 ** 31, -1, 0, 2 ** 31 - 1])
RECORDS["trandom"]["special"] = Fill("counter0", [0, 1, 2 ** 31 - 1])
RECORDS["thistogram"]["special"] = Fill("src", [0, 255, 256, 65535])
RECORDS["tpack"]["special"] = Fill("src", [0, 255, 256, 65535])
for name in ("tquant_mx", "tquant_dn"):
    RECORDS[name]["special"] = Fill("src", [0.0, -0.0, 1e-45, LARGEST, INF, NAN], checked=False)
RECORDS["tsort32"]["special"] = Lists(src=[[1.0, NAN, -INF, -0.0, INF, 0.0, 1e-45, NAN]], checked=False)
RECORDS["tmrgsort"]["special"] = Lists(src=[[INF, 0, -0.0, 1, NAN, 0, 1, 1, 0.0, 0, -INF, 1, 4, 0, 3, 1]], checked=False)
for count, name in ((2, "two"), (3, "three"), (4, "four")):
    lists = ([[INF, 0, -0.0, 1]], [[NAN, 0, 1, 1]], [[0.0, 0, -INF, 1]], [[4, 0, 3, 1]])
    RECORDS["tmrgsort_" + name]["special"] = Lists(checked=False, **{"src%d" % i: lists[i] for i in range(count)})
