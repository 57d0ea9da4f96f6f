// Records of the instructions of a tile and a scalar.
#ifndef PTO_SRC_RECORDS_SCALAR_H_
#define PTO_SRC_RECORDS_SCALAR_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTAddS = {
    .id = 40,
    .name = "tadds",
    .brief = "Adds a scalar to each element.",
    .formula = "dst[i,j] = src[i,j] + scalar",
    .operands = {Out("dst", "receives the sums"), In("src", "the elements"), ScalarIn("scalar", "the right summand"),
                 Flags()},
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "Floats: IEEE addition, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kScalar,
    .source = "TADDS",
};

inline constexpr OpInfo kTSubS = {
    .id = 43,
    .name = "tsubs",
    .brief = "Subtracts a scalar from each element.",
    .formula = "dst[i,j] = src[i,j] - scalar",
    .operands = {Out("dst", "receives the differences"), In("src", "the elements"),
                 ScalarIn("scalar", "the subtrahend"), Flags()},
    .lane = Lane::kSub,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "Floats: IEEE subtraction, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .others = "A2A3 negates an i32 scalar through f32, which is inexact beyond 2^24.",
    .family = Family::kScalar,
    .source = "TSUBS",
};

inline constexpr OpInfo kTMulS = {
    .id = 44,
    .name = "tmuls",
    .brief = "Multiplies each element by a scalar.",
    .formula = "dst[i,j] = src[i,j] * scalar",
    .operands = {Out("dst", "receives the products"), In("src", "the elements"), ScalarIn("scalar", "the right factor"),
                 Flags()},
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kComputed & ~(dtypes::kI8 | dtypes::kU8)},
    .specials = "Floats: IEEE multiplication, 0 * inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kScalar,
    .source = "TMULS",
};

inline constexpr OpInfo kTDivS = {
    .id = 45,
    .name = "tdivs",
    .brief = "Divides each element by a scalar.",
    .formula = "dst[i,j] = src[i,j] / scalar",
    .operands = {Out("dst", "receives the quotients"), In("src", "the elements"), ScalarIn("scalar", "the divisor"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kDiv,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .specials =
        "Floats: IEEE division, x/0 is +-inf, 0/0 and inf/inf are NaN. Integers: the quotient is truncated, x/0 is 0 "
        "and MIN/-1 is MIN.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .others = "A2A3 multiplies by a rounded reciprocal in place.",
    .family = Family::kScalar,
    .source = "TDIVS",
};

inline constexpr OpInfo kTDivSScalar = {
    .id = 46,
    .name = "tdivs_scalar",
    .mnemonic = "tdivs",
    .brief = "Divides a scalar by each element.",
    .formula = "dst[i,j] = scalar / src[i,j]",
    .operands = {Out("dst", "receives the quotients"), In("src", "the divisors"), ScalarIn("scalar", "the dividend"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .scalar_at = 0,
    .lane = Lane::kDiv,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kDstApart, profiles::kA2A3}},
    .specials =
        "Floats: IEEE division, x/0 is +-inf, 0/0 and inf/inf are NaN. Integers: the quotient is truncated, x/0 is 0 "
        "and MIN/-1 is MIN.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .family = Family::kScalar,
    .source = "TDIVS",
};

inline constexpr OpInfo kTMinS = {
    .id = 49,
    .name = "tmins",
    .brief = "Takes the smaller of each element and a scalar.",
    .formula = "dst[i,j] = min(src[i,j], scalar)",
    .operands = {Out("dst", "receives the minima"), In("src", "the elements"), ScalarIn("scalar", "the other element"),
                 Flags()},
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "A NaN in either operand gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .family = Family::kScalar,
    .source = "TMINS",
};

inline constexpr OpInfo kTMaxS = {
    .id = 50,
    .name = "tmaxs",
    .brief = "Takes the larger of each element and a scalar.",
    .formula = "dst[i,j] = max(src[i,j], scalar)",
    .operands = {Out("dst", "receives the maxima"), In("src", "the elements"), ScalarIn("scalar", "the other element"),
                 Flags()},
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "A NaN in either operand gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .family = Family::kScalar,
    .source = "TMAXS",
};

inline constexpr OpInfo kTAndS = {
    .id = 51,
    .name = "tands",
    .brief = "Combines each element and a scalar by a bitwise AND.",
    .formula = "dst[i,j] = src[i,j] & scalar",
    .operands = {Out("dst", "receives the results"), In("src", "the elements"), ScalarIn("scalar", "the right operand"),
                 Flags()},
    .lane = Lane::kAnd,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .rules = {{Rule::kDstApart, profiles::kA2A3}},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .family = Family::kScalar,
    .source = "TANDS",
};

inline constexpr OpInfo kTOrS = {
    .id = 52,
    .name = "tors",
    .brief = "Combines each element and a scalar by a bitwise OR.",
    .formula = "dst[i,j] = src[i,j] | scalar",
    .operands = {Out("dst", "receives the results"), In("src", "the elements"), ScalarIn("scalar", "the right operand"),
                 Flags()},
    .lane = Lane::kOr,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .rules = {{Rule::kDstApart, profiles::kA2A3}},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .family = Family::kScalar,
    .source = "TORS",
};

inline constexpr OpInfo kTXorS = {
    .id = 53,
    .name = "txors",
    .brief = "Combines each element and a scalar by a bitwise exclusive OR.",
    .formula = "dst[i,j] = src[i,j] ^ scalar",
    .operands = {Out("dst", "receives the results"), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 ScalarIn("scalar", "the right operand"), Flags()},
    .lane = Lane::kXor,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpValidEqual, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kNoOverlap, profiles::kA2A3}},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .aliasing = "CPU and A5: dst may overlap src in any way. A2A3: no operand may share memory with another.",
    .family = Family::kScalar,
    .source = "TXORS",
};

inline constexpr OpInfo kTShlS = {
    .id = 54,
    .name = "tshls",
    .brief = "Shifts each element to the left by a scalar.",
    .formula = "dst[i,j] = src[i,j] << scalar",
    .operands = {Out("dst", "receives the shifted elements"), In("src", "the elements"),
                 ScalarIn("scalar", "the count"), Flags()},
    .lane = Lane::kShl,
    .dtypes = {.cpu = dtypes::kIntegers,
               .a2a3 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32,
               .a5 = dtypes::kIntegers},
    .specials = "The count is taken modulo the width of the type; bits that leave are lost.",
    .accuracy = "Exact.",
    .family = Family::kScalar,
    .source = "TSHLS",
};

inline constexpr OpInfo kTShrS = {
    .id = 55,
    .name = "tshrs",
    .brief = "Shifts each element to the right by a scalar.",
    .formula = "dst[i,j] = src[i,j] >> scalar",
    .operands = {Out("dst", "receives the shifted elements"), In("src", "the elements"),
                 ScalarIn("scalar", "the count"), Flags()},
    .lane = Lane::kShr,
    .dtypes = {.cpu = dtypes::kIntegers,
               .a2a3 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32,
               .a5 = dtypes::kIntegers},
    .specials = "The count is taken modulo the width of the type; signed types keep their sign.",
    .accuracy = "Exact.",
    .family = Family::kScalar,
    .source = "TSHRS",
};

inline constexpr OpInfo kTLRelu = {
    .id = 56,
    .name = "tlrelu",
    .brief = "Keeps positive elements and multiplies the others by a scalar (leaky ReLU).",
    .formula = "dst[i,j] = src[i,j] > 0 ? src[i,j] : src[i,j] * slope",
    .operands = {Out("dst", "receives the results"), In("src", "the elements"), ScalarIn("slope", "the slope"),
                 Flags()},
    .lane = Lane::kPrelu,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials =
        "The comparison is strict: a zero or a NaN gives the product, so -0 * 2 is -0. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded: one rounding of the product. Integers: exact modulo 2^W.",
    .family = Family::kScalar,
    .source = "TLRELU",
};

// What TAXPY adds to elements of a type: numbers of the type, and narrower ones to f32.
inline constexpr TypeMap kScaledTypes = [] {
  TypeMap map;
  for (auto& of : map.of) {
    for (int d = 0; d < kComputedCount; ++d) of[d] = DTypeSet{1} << d;
    of[static_cast<int>(DType::kF32)] |= dtypes::kF16;
  }
  return map;
}();

inline constexpr OpInfo kTAxpy = {
    .id = 57,
    .name = "taxpy",
    .brief = "Adds the product of a tile and a scalar to a tile.",
    .formula = "dst[i,j] = src[i,j] * scalar + dst[i,j]",
    .operands = {InOut("dst", "the summands, receives the results"),
                 In("src", Extent::kSame, "the left factors", &kScaledTypes),
                 ScalarIn("scalar", "the right factor, of the type of src", &kScaledTypes), Flags()},
    .lane = Lane::kMulAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials =
        "IEEE fused multiply-add: 0 * inf is NaN, inf - inf is NaN. f16 factors of an f32 dst are widened first. "
        "Integers wrap modulo 2^W.",
    .accuracy = "One rounding. Integers: exact modulo 2^W.",
    .others = "Some implementations round the product first, of f16 factors to f16.",
    .family = Family::kScalar,
    .source = "TAXPY",
};

inline constexpr OpInfo kTAddSC = {
    .id = 42,
    .name = "taddsc",
    .brief = "Adds a scalar, then a second tile.",
    .formula = "dst[i,j] = (src0[i,j] + scalar) + src1[i,j]",
    .operands = {Out("dst", "receives the sums"), In("src0", "the first summands"), In("src1", "the last summands"),
                 ScalarIn("scalar", "the second summand"), Flags()},
    .scalar_at = 1,
    .lane = Lane::kAddAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kNone, .a5 = dtypes::kNone},
    .specials = "Operations run from left to right. Floats are rounded after each operation, integers wrap modulo 2^W.",
    .accuracy = "Each addition correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kScalar,
    .source = "TADDSC",
};

inline constexpr OpInfo kTSubSC = {
    .id = 58,
    .name = "tsubsc",
    .brief = "Subtracts a scalar, then adds a second tile.",
    .formula = "dst[i,j] = (src0[i,j] - scalar) + src1[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the minuends"), In("src1", "the last summands"),
                 ScalarIn("scalar", "the subtrahend"), Flags()},
    .scalar_at = 1,
    .lane = Lane::kSubAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kNone, .a5 = dtypes::kNone},
    .specials = "Operations run from left to right. Floats are rounded after each operation, integers wrap modulo 2^W.",
    .accuracy = "Each operation correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kScalar,
    .source = "TSUBSC",
};

inline constexpr OpInfo kTPowS = {
    .id = 59,
    .name = "tpows",
    .brief = "Raises each element to the power of a scalar.",
    .formula = "dst[i,j] = base[i,j] ** exp",
    .operands = {Out("dst", "receives the powers"), In("base", "the bases"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 ScalarIn("exp", "the exponent"), Flags("0 or PTO_HIGH_PRECISION")},
    .lane = Lane::kPow,
    .high_lane = Lane::kPowExact,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kUpTo32Bits, .a2a3 = dtypes::kInts | dtypes::kF32, .a5 = dtypes::kUpTo32Bits},
    .rules = {{Rule::kPrecisionFloat, profiles::kA5, dtypes::kInts},
              {Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpValidEqual, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kDstApart, profiles::kA2A3, dtypes::kF32}},
    .specials =
        "Floats follow the C99 table of pow, as TPOW does. Integers wrap modulo 2^W; b**0 is 1; a negative exponent "
        "gives 0 unless the base is 1 or -1.",
    .accuracy =
        "f32: at most 1 ulp; with PTO_HIGH_PRECISION correctly rounded for every input. f16 and bf16: correctly "
        "rounded. Integers: exact.",
    .aliasing = "CPU and A5: dst may overlap base in any way. A2A3: an f32 dst must not share memory with it.",
    .family = Family::kScalar,
    .source = "TPOWS",
};

inline constexpr OpInfo kTExpandS = {
    .id = 41,
    .name = "texpands",
    .brief = "Fills a tile with a scalar.",
    .formula = "dst[i,j] = scalar",
    .operands = {Out("dst", "receives the scalar"), ScalarIn("scalar", "the value"), Flags()},
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kComputed},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationLoad, profiles::kHardware}},
    .sources = {{Rule::kLocationLoad, profiles::kHardware, sources::kImplementation}},
    .specials = "The scalar is stored bit for bit.",
    .accuracy = "Exact.",
    .others =
        "A2A3 fills rows that are narrower than the tile one after another, without the gaps between them, and of a "
        "tile in mat also what is not valid.",
    .family = Family::kScalar,
    .source = "TEXPANDS",
};

inline constexpr OpInfo kTRemS = {
    .id = 47,
    .name = "trems",
    .brief = "Takes the remainder of a floored division by a scalar.",
    .formula = "dst[i,j] = src[i,j] - floor(src[i,j] / scalar) * scalar",
    .operands = {Out("dst", "receives the remainders"), In("src", "the dividends"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 ScalarIn("scalar", "the divisor"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kRem,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kI32 | dtypes::kF32,
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kTmpCols, profiles::kA2A3},
              {Rule::kDstApart, profiles::kA2A3}},
    .specials =
        "Floats: the result has the sign of the divisor. If the exact remainder of the truncated division has the "
        "other sign, the divisor is added, and the sum is rounded: trems(-1e-10, 3) is 3, the divisor itself. x rem "
        "+-inf is x, or +-inf if the signs differ. A zero divisor or an infinite dividend gives NaN. A zero result "
        "keeps the sign of the dividend. Integers: x rem 0 is 0, MIN rem -1 is 0.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .family = Family::kScalar,
    .source = "TREMS",
};

inline constexpr OpInfo kTFmodS = {
    .id = 48,
    .name = "tfmods",
    .brief = "Takes the remainder of a truncated division by a scalar.",
    .formula = "dst[i,j] = src[i,j] - trunc(src[i,j] / scalar) * scalar",
    .operands = {Out("dst", "receives the remainders"), In("src", "the dividends"), ScalarIn("scalar", "the divisor"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kFmod,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF32, .a5 = dtypes::kPlain | dtypes::kU16 | dtypes::kU32},
    .rules = {{Rule::kDstApart, profiles::kA2A3}},
    .specials =
        "Floats: exact, as C fmod; the result has the sign of the dividend. x rem +-inf is x. A zero divisor or an "
        "infinite dividend gives NaN. A zero result keeps the sign of the dividend. Integers: x rem 0 is 0, MIN rem "
        "-1 is 0.",
    .accuracy = "Exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .family = Family::kScalar,
    .source = "TFMODS",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_SCALAR_H_
