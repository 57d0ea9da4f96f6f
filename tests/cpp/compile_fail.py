#!/usr/bin/env python3
"""Compiles snippets that must not compile and looks for the text of the static rule they break.

Each case is a pair: a body that breaks one rule, and the nearest body that does not. The second one, compiled
with the lines of all cases, shows that the rule stops the compiler, not a slip of the snippet.

usage: compile_fail.py COMPILER STD INCLUDE_DIR
"""
import os
import re
import subprocess
import sys
import tempfile

VEC = "TileType::Vec"


def tiles(*types):
    return " ".join(f"Tile<{t}> t{i};" for i, t in enumerate(types))


F16x16 = f"{VEC}, float, 16, 16"
I16x16 = f"{VEC}, int32_t, 16, 16"
SMALL = f"{VEC}, float, 16, 16, BLayout::RowMajor, 8, 8"
NARROW = f"{VEC}, float, 16, 16, BLayout::RowMajor, 16, 8"
DYN = f"{VEC}, float, 16, 16, BLayout::RowMajor, -1, -1"
SETTINGS = "template <QuantMode_t Mode> struct Sets { static constexpr QuantMode_t QuantMode = Mode; };\nstruct Other { static constexpr QuantMode_t quantMode = NoQuant; };\n"
PUSHES = "using P = TPipe<0, DIR_C2V, 1024, 2>; P p; TileAcc<float, 16, 16> sums; "
MAT = "TileType::Mat, float, 16, 16"
NZ = f"{MAT}, BLayout::ColMajor, 16, 16, SLayout::RowMajor"

# name, expected text, body that breaks the rule, body that does not
DATA = "static float data[256]; "
TENSOR = "GlobalTensor<float, Shape<1, 1, 1, 16, 16>, Stride<256, 256, 256, 16, 1>> g(data); "
VIEW = "GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, -1, 1>> g(data); "
IMAGE = "ConvTile<TileType::Mat, float, 64, Layout::NC1HWC0, ConvTileShape<1, 1, 2, 4, 8>> c; "
PATCHES = ("ConvTile<TileType::Mat, int8_t, 64, Layout::NC1HWC0, ConvTileShape<1, 1, 1, 1, 64>> c; "
           "Tile<TileType::Left, int8_t, 16, 64, BLayout::ColMajor, 8, 64, SLayout::RowMajor> t; TIMG2COL(t, c);")
CASES = [
    # Tiles.
    ("dtype_known", "the element type must be one of", tiles(f"{VEC}, double, 16, 16"), tiles(F16x16)),
    ("dtype_known_bool", "[dtype-known]", tiles(f"{VEC}, bool, 16, 32"), tiles(f"{VEC}, uint8_t, 16, 32")),
    ("half_byte", "ends inside of a byte: give it an even length [half-byte]", tiles(f"{VEC}, int4b_t, 32, 7"), tiles(f"{VEC}, int4b_t, 7, 32")),
    ("half_byte_columns", "[half-byte]", tiles(f"{VEC}, float4_e2m1x2_t, 7, 32, BLayout::ColMajor"), tiles(f"{VEC}, float4_e2m1x2_t, 32, 7, BLayout::ColMajor")),
    ("packed_image", "TIMG2COL: the element type of dst must be one of", PATCHES.replace("int8_t", "int4b_t"), PATCHES),
    ("packed_width", "[same-width]", DATA + TENSOR.replace("float", "uint8_t").replace("data", "nullptr") + tiles(f"{VEC}, int4b_t, 16, 16") + " TLOAD(t0, g);",
     TENSOR.replace("float", "int4b_t").replace("data", "nullptr") + tiles(f"{VEC}, int4b_t, 16, 16") + " TLOAD(t0, g);"),
    ("packed_arithmetic", "[dtype]", tiles(f"{VEC}, int4b_t, 16, 16") + " TABS(t0, t0);", tiles(f"{VEC}, int8_t, 16, 16") + " TNOT(t0, t0);"),
    ("tile_shape", "at least one row and one column", tiles(f"{VEC}, float, 0, 16"), tiles(f"{VEC}, float, 1, 16")),
    ("location", "not a value of TileType [location]", tiles("static_cast<TileType>(10), float, 16, 16"), tiles(MAT)),
    ("location_ctrl", "no tile lives in TileType::Ctrl [location]", tiles("TileType::Ctrl, float, 16, 16"), tiles(MAT)),
    ("tile_size", "fewer than 2^31 elements [tile-size]", tiles(f"{VEC}, int8_t, 65536, 32768"), tiles(f"{VEC}, int8_t, 65536, 32736")),
    ("valid_range_rows", "the valid region is larger than the tile", tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, 9, 8"),
     tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, 8, 8")),
    ("valid_range_cols", "[valid-range]", tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, 8, 9"),
     tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, 0, 0")),
    ("valid_range_negative", "a count, or -1 (DYNAMIC)", tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, -2, 8"),
     tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, -1, 8")),
    ("fractal", "a box is 512, 1024 or 32 bytes",
     tiles("TileType::Mat, float, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 256"),
     tiles("TileType::Mat, float, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 1024")),
    ("compact", "not a value of CompactMode [compact]",
     tiles("TileType::Mat, float, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 512, PadValue::Null, static_cast<CompactMode>(4)"),
     tiles("TileType::Mat, float, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 512, PadValue::Null, CompactMode::RowAlignedPadding")),
    ("compact_offset", "depends on the valid rows",
     "(void)Tile<TileType::Mat, float, 32, 32, BLayout::ColMajor, -1, 32, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Normal>::Offset(0, 0);",
     "(void)Tile<TileType::Mat, float, 32, 32, BLayout::ColMajor, 20, 32, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Normal>::Offset(0, 0);"),
    ("pad", "must be Null, Zero, Max, Min or a value of PadValueCustom [pad]",
     tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, 8, 8, SLayout::NoneBox, 512, static_cast<PadValue>(7)"),
     tiles(f"{VEC}, float, 8, 8, BLayout::RowMajor, 8, 8, SLayout::NoneBox, 512, PadValue::Min")),
    ("image_layout", "loaded from its own layout, NC1HWC0 also from NCHW", DATA + TENSOR + IMAGE + "TLOAD(c, g);", IMAGE),
    ("image_event", "TSTORE: an argument after the operands is not an event", DATA + TENSOR + IMAGE + "int n = 0; TSTORE(g, c, n);", IMAGE),
    ("image_load_event", "TLOAD: an argument after the operands is not an event", DATA + TENSOR + IMAGE + "int n = 0; TLOAD(c, g, n);", IMAGE),
    ("image_width", "different numbers of bytes [same-width]",
     IMAGE + "static half h[8]; GlobalTensor<half, Shape<1, 1, 1, 1, 8>, Stride<8, 8, 8, 8, 1>, Layout::NC1HWC0> g(h); TLOAD(c, g);", IMAGE),
    ("print_tile", "TPRINT: src is a tile", "int number = 0; TPRINT(number);", tiles(F16x16) + "TPRINT(t0);"),
    ("reshape_tile", "TRESHAPE: dst and src are tiles [operand-kind]", DATA + TENSOR + tiles(F16x16) + "TRESHAPE(t0, g);",
     tiles(F16x16, I16x16) + "TRESHAPE(t0, t1);"),
    ("reshape_event", "TRESHAPE: an argument after the operands is not an event", tiles(F16x16, F16x16) + "int n = 0; TRESHAPE(t0, t1, n);",
     tiles(F16x16, F16x16) + "RecordEvent e; TRESHAPE(t0, t1, e);"),
    ("reshape_bytes", "different numbers of bytes [reshape-bytes]", tiles(f"{VEC}, float, 16, 8", F16x16) + "TRESHAPE(t0, t1);",
     tiles(f"{VEC}, half, 32, 16", F16x16) + "TRESHAPE(t0, t1);"),
    ("reshape_memory", "TRESHAPE: dst and src are in different memories", tiles(MAT, F16x16) + "TRESHAPE(t0, t1);", tiles(MAT, MAT) + "TRESHAPE(t0, t1);"),
    ("reshape_boxes", "only one of dst and src has boxes", tiles(NZ, MAT) + "TRESHAPE(t0, t1);", tiles(NZ, NZ) + "TRESHAPE(t0, t1);"),
    ("subview_tile", "TSUBVIEW: dst and src are tiles [operand-kind]", DATA + TENSOR + tiles(F16x16) + "TSUBVIEW(t0, g, 0, 0);",
     tiles(F16x16, F16x16) + "TSUBVIEW(t0, t1, 0, 0);"),
    ("subview_event", "TSUBVIEW: an argument after the operands is not an event", tiles(F16x16, F16x16) + "int n = 0; TSUBVIEW(t0, t1, 0, 0, n);",
     tiles(F16x16, F16x16) + "RecordEvent e; TSUBVIEW(t0, t1, 0, 0, e);"),
    ("subview_memory", "TSUBVIEW: dst and src are in different memories", tiles(MAT, F16x16) + "TSUBVIEW(t0, t1, 0, 0);", tiles(MAT, MAT) + "TSUBVIEW(t0, t1, 0, 0);"),
    ("subview_dtype", "TSUBVIEW: dst and src have different element types", tiles(I16x16, F16x16) + "TSUBVIEW(t0, t1, 0, 0);",
     tiles(I16x16, I16x16) + "TSUBVIEW(t0, t1, 0, 0);"),
    ("subview_layout", "TSUBVIEW: dst and src have different layouts", tiles(NZ, MAT) + "TSUBVIEW(t0, t1, 0, 0);", tiles(NZ, NZ) + "TSUBVIEW(t0, t1, 0, 0);"),
    ("subview_pitch", "the lines of dst are not as far apart", tiles(f"{VEC}, float, 8, 8", F16x16) + "TSUBVIEW(t0, t1, 0, 0);",
     tiles(f"{VEC}, float, 1, 8", F16x16) + "TSUBVIEW(t0, t1, 3, 8);"),
    ("subview_pad", "TSUBVIEW: dst has another pad value", tiles(f"{F16x16}, BLayout::RowMajor, 16, 16, SLayout::NoneBox, 512, PadValue::Max", F16x16) +
     "TSUBVIEW(t0, t1, 0, 0);", tiles(F16x16, f"{F16x16}, BLayout::RowMajor, 16, 16, SLayout::NoneBox, 512, PadValue::Max") + "TSUBVIEW(t0, t1, 0, 0);"),
    ("fillpad_mode", "TFILLPAD: the mode is a value of TFillPadMode", "constexpr auto kMode = static_cast<TFillPadMode>(3); " + tiles(F16x16, F16x16) + "TFILLPAD<kMode>(t0, t1);",
     tiles(F16x16, F16x16) + "TFILLPAD<TFillPadMode::Normal>(t0, t1);"),
    ("fillpad_mat", "a Mat tile is padded with zeros", f"using M = Tile<{NZ}>; M t0, t1; TFILLPAD<M, PadValue::Max>(t0, t1);",
     f"using M = Tile<{NZ}>; M t0, t1; TFILLPAD<M, PadValue::Null>(t0, t1);"),
    ("fillpad_mat_event", "TFILLPAD: an argument after the operands is not an event", f"using M = Tile<{NZ}>; M t0, t1; int n = 0; TFILLPAD<M, PadValue::Null>(t0, t1, n);",
     f"using M = Tile<{NZ}>; M t0, t1; RecordEvent e; TFILLPAD<M, PadValue::Null>(t0, t1, e);"),
    ("print_format", "a value of PrintFormat [mode]", tiles(F16x16) + "TPRINT<static_cast<PrintFormat>(3)>(t0);",
     tiles(F16x16) + "TPRINT<PrintFormat::Width8_Precision2>(t0);"),
    ("print_tmp", "tmp is a GlobalTensor", tiles(F16x16, F16x16) + "TPRINT(t0, t1);",
     DATA + TENSOR + tiles(F16x16) + "TPRINT(t0, g);"),
    ("set_valid_row", "the valid rows of this type are fixed", tiles(F16x16) + "t0.SetValidRow(3);",
     tiles(DYN) + "t0.SetValidRow(3);"),
    ("set_valid_col", "the valid columns of this type are fixed", tiles(F16x16) + "t0.SetValidCol(3);",
     tiles(DYN) + "t0.SetValidCol(3);"),
    ("set_valid_shape", "a valid extent of this type is fixed", tiles(F16x16) + "t0.SetValidShape(3, 3);",
     tiles(DYN) + "t0.SetValidShape(3, 3);"),
    ("get_value", "in vector memory only", tiles(MAT) + "(void)t0.GetValue(0);", tiles(F16x16) + "(void)t0.GetValue(0);"),
    ("data_assigned", "assign", tiles(F16x16) + "t0.data() = nullptr;", tiles(F16x16) + "auto copy = t0; (void)copy;"),
    # Addresses.
    ("address_alignment", "not a multiple of 32 bytes [address-alignment]", tiles(F16x16) + "TASSIGN<0x1010>(t0);",
     tiles(F16x16) + "TASSIGN<0x1020>(t0);"),
    ("address_huge", "[address-range]", tiles(F16x16) + "TASSIGN<0xffffffffffffffe0>(t0);", tiles(F16x16) + "TASSIGN<0>(t0);"),
    ("address_kind", "the address of a tile is an integer", tiles(F16x16) + "TASSIGN(t0, 1.5);", tiles(F16x16) + "TASSIGN(t0, 32);"),
    # Tensors.
    ("tensor_dtype", "GlobalTensor: the element type must be one of", "GlobalTensor<double, Shape<>, Stride<>> g;",
     "GlobalTensor<const float, Shape<>, Stride<>> g;"),
    ("tensor_layout", "the layout does not describe a matrix [tensor-layout]", "GlobalTensor<float, Shape<>, Stride<>, Layout::SCALE> g;",
     "GlobalTensor<float, Shape<>, Stride<>, Layout::DN> g;"),
    ("tensor_form", "no form of two dimensions [tensor-layout]", "TileShape2D<float, 16, 16, Layout::NCHW> s; (void)s;",
     "TileShape2D<float, 16, 16, Layout::NZ> s; (void)s;"),
    ("tensor_dim", "0 or more, or -1 (DYNAMIC) [tensor-dim]", "Shape<1, 1, 1, -2, 1> s;", "Shape<1, 1, 1, -1, 0> s; (void)s;"),
    ("tensor_count", "more numbers than dynamic dimensions", "Shape<1, 1, 1, -1, 1> s(2, 3);", "Shape<1, 1, 1, -1, 1> s(2); (void)s;"),
    ("tensor_dimension", "dimensions 0 to 4", DATA + TENSOR + "(void)g.GetShape<5>();", DATA + TENSOR + "(void)g.GetShape<4>();"),
    ("set_shape_fixed", "SetShape: this dimension is fixed by the type", DATA + TENSOR + "g.SetShape<3>(8);",
     DATA + VIEW + "g.SetShape<3>(8);"),
    ("set_stride_fixed", "SetStride: this dimension is fixed by the type", DATA + TENSOR + "g.SetStride<3>(8);",
     DATA + VIEW + "g.SetStride<3>(8);"),
    ("set_shape_dimension", "SetShape: this dimension is fixed by the type", DATA + VIEW + "g.SetShape<5>(8);",
     DATA + VIEW + "g.SetShape<3, 4>(8, 9);"),
    ("set_stride_count", "SetStride: one number for each dimension", DATA + VIEW + "g.SetStride<3>(8, 9);",
     DATA + VIEW + "g.SetStride<3>(8);"),
    ("pad_custom", "a number of at most 32 bits", "(void)PadValueCustom(int64_t{1});", "(void)PadValueCustom(1);"),
    ("tensor_address", "a pointer to its element type", DATA + TENSOR + "TASSIGN(g, 4096);", DATA + TENSOR + "TASSIGN(g, data);"),
    ("same_width", "TLOAD: the element types of tile and tensor have different numbers of bytes: use types of one size [same-width]",
     DATA + TENSOR + tiles(f"{VEC}, half, 16, 16") + "TLOAD(t0, g);", DATA + TENSOR + tiles(I16x16) + "TLOAD(t0, g);"),
    ("transfer_covers", "fewer rows or columns than the valid region of the tile: reduce ValidRow or ValidCol [transfer-covers]",
     DATA + TENSOR + tiles(f"{VEC}, float, 8, 32") + "TSTORE(g, t0);", DATA + TENSOR + tiles(SMALL) + "TSTORE(g, t0);"),
    ("store_const", "TSTORE: dst is const", DATA + TENSOR.replace("<float", "<const float") + tiles(F16x16) + "TSTORE(g, t0);",
     DATA + TENSOR.replace("<float", "<const float") + tiles(F16x16) + "TLOAD(t0, g);"),
    ("load_kind", "TLOAD: src is not a GlobalTensor", tiles(F16x16) + "TLOAD(t0, t0);", tiles(F16x16, F16x16) + "TMOV(t0, t1);"),
    # Instructions.
    ("same_dtype", "TPOW: exp and dst have different element types: use one type, or convert with TCVT [same-dtype]",
     tiles(F16x16, F16x16, I16x16, F16x16) + "TPOW(t0, t1, t2, t3);", tiles(F16x16, F16x16, F16x16, I16x16) + "TPOW(t0, t1, t2, t3);"),
    ("dtype", "TRSQRT: the element type of dst must be one of f16 bf16 f32 [dtype]", tiles(I16x16) + "TRSQRT(t0, t0);",
     tiles(f"{VEC}, bfloat16_t, 16, 16") + "TRSQRT(t0, t0);"),
    ("dtype_64", "TPRELU: the element type of dst", tiles(f"{VEC}, int64_t, 16, 16") + "TPRELU(t0, t0, t0, t0);",
     tiles(I16x16) + "TPRELU(t0, t0, t0, t0);"),
    ("location_vec", "TPARTADD: src1 is not in vector memory", tiles(F16x16, MAT) + "TPARTADD(t0, t0, t1);",
     tiles(F16x16, F16x16) + "TPARTADD(t0, t0, t1);"),
    ("valid_covers", "TPRELU: src0 has a smaller valid region than dst: enlarge it, or reduce the region of dst [valid-covers]",
     tiles(F16x16, SMALL) + "TPRELU(t0, t1, t0, t0);", tiles(F16x16, DYN) + "TPRELU(t0, t1, t0, t0);"),
    ("cols_covered", "TCOLEXPANDDIV: src1 has fewer valid columns than dst: enlarge ValidCol [cols-covered]",
     tiles(F16x16, NARROW) + "TCOLEXPANDDIV(t0, t0, t1);", tiles(F16x16, NARROW) + "TCOLEXPANDDIV(t1, t1, t0);"),
    ("cols_covered_column", "[cols-covered]", tiles(F16x16, f"{VEC}, float, 8, 1, BLayout::ColMajor") + "TCOLEXPANDMUL(t0, t0, t1);",
     tiles(F16x16, f"{VEC}, float, 16, 1, BLayout::ColMajor") + "TCOLEXPANDMUL(t0, t0, t1);"),
    ("partial_valid_beyond", "TPARTADD: a source has a larger valid region than dst", tiles(SMALL, F16x16) + "TPARTADD(t0, t0, t1);",
     tiles(SMALL, F16x16) + "TPARTADD(t1, t0, t1);"),
    ("partial_valid_none", "TPARTADD: no source has the valid region of dst", tiles(F16x16, SMALL, NARROW) + "TPARTADD(t0, t1, t2);",
     tiles(F16x16, SMALL, DYN) + "TPARTADD(t0, t1, t2);"),
    ("operand_kind", "TPARTADD: src1 is not a Tile [operand-kind]", tiles(F16x16) + "float x = 0; TPARTADD(t0, t0, x);",
     tiles(F16x16) + "TPARTADD(t0, t0, t0);"),
    ("operand_const", "TPARTADD: dst is const", tiles(F16x16) + "const auto& c = t0; TPARTADD(c, t0, t0);",
     tiles(F16x16) + "const auto& c = t0; TPARTADD(t0, c, c);"),
    ("events", "TPARTADD: an argument after the operands is not an event", tiles(F16x16) + "TPARTADD(t0, t0, t0, t0);",
     tiles(F16x16) + "auto e = TPARTADD(t0, t0, t0); TPARTADD(t0, t0, t0, e);"),
    ("sync", "TSYNC: every argument must be an event", tiles(F16x16) + "TSYNC(t0);", "RecordEvent e; TSYNC(e);"),
    ("push_sums", "TPUSH: the QuantMode does not fit the element type of the tile [operand-dtype]", PUSHES + "using S = Sets<DEQF16>; TPUSH<P, decltype(sums), S>(p, sums);",
     PUSHES + "TPUSH<P, decltype(sums), Sets<F322F16>>(p, sums);"),
    ("push_other", "TPUSH: the configuration has no member QuantPre", PUSHES + "TPUSH<P, decltype(sums), Other>(p, sums);",
     PUSHES + "TPUSH<P, decltype(sums), Sets<NoQuant>>(p, sums);"),
    ("push_vec", "TPUSH: a configuration converts sums: pass a TileType::Acc [location-acc]", PUSHES + tiles(F16x16) + "using S = Sets<NoQuant>; TPUSH<P, decltype(t0), S>(p, t0);",
     PUSHES + "TPUSH<P, decltype(sums), Sets<NoQuant>>(p, sums);"),
    ("quant_words", "SET_QUANT_VECTOR: words of quantisation are", tiles(F16x16) + "SET_QUANT_VECTOR(t0);",
     "Tile<TileType::Scaling, uint64_t, 1, 16> t0; SET_QUANT_VECTOR(t0);"),
    ("algorithm", "a value of the instruction's own Algorithm", tiles(F16x16) + "TPOW<1>(t0, t0, t0, t0);",
     tiles(F16x16) + "TPOW<PowAlgorithm::HIGH_PRECISION>(t0, t0, t0, t0);"),
]


class Compiler:
    """What all snippets include is parsed once: a header that the compiler keeps parsed, and finds beside its name."""

    def __init__(self, folder, compiler, std, include):
        self.folder = folder
        self.command = [compiler, f"-std={std}", f"-I{include}", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
        self.header = self.write("header.h", "#include <pto/pto-inst.hpp>\n#include <utility>\n")
        kept = self.header + (".pch" if "clang" in compiler else ".gch")
        subprocess.run([*self.command, "-x", "c++-header", self.header, "-o", kept], check=True)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def compiles(self, bodies):
        kernels = "".join(f"void kernel{i}();\nvoid kernel{i}() {{ {body} }}\n" for i, body in enumerate(bodies))
        source = self.write("snippet.cc", f"using namespace pto;\n{SETTINGS}{kernels}")
        run = subprocess.run([*self.command, "-include", self.header, "-fsyntax-only", source], capture_output=True, text=True)
        return run.returncode == 0, run.stderr


# A tile's type as g++ and clang print it, with up to eleven parameters.
TYPE = re.compile(r"\bTile<pto::(?:\w+::)?TileType::")


def operands(body):
    """How many tiles the last call of a body has: its error prints the type of each of them once."""
    calls = re.findall(r"\bT[A-Z]+(?:<[^>]*>)?\(([^)]*)\)", body)
    return calls[-1].count(",") + 1 if calls else 1


def failures(compiler):
    failed = 0
    for name, text, bad, _ in CASES:
        built, output = compiler.compiles([bad])
        if built or text not in output:
            print(f"{name}: {'compiled' if built else 'the text is missing'}: {text}\n{output[:2000]}")
            failed += 1
        elif re.search("static.assert", output) and len(TYPE.findall(output)) > operands(bad):
            print(f"{name}: the types of {operands(bad)} operands are printed {len(TYPE.findall(output))} times\n{output}")
            failed += 1
    built, output = compiler.compiles([good for _, _, _, good in CASES])
    if not built:
        print(f"a twin that breaks no rule does not compile\n{output[:4000]}")
        failed += 1
    return failed


def main():
    compiler, std, include = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        failed = failures(Compiler(folder, compiler, std, include))
    print(f"{len(CASES)} static rules, {failed} failed ({compiler} {std})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
