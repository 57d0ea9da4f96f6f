// Records of the element-wise tile instructions.
#ifndef PTO_SRC_RECORDS_ELEMENTWISE_H_
#define PTO_SRC_RECORDS_ELEMENTWISE_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTPow = {
    .id = 1,
    .name = "tpow",
    .brief = "Raises each element of base to the power of the corresponding element of exp.",
    .formula = "dst[i,j] = base[i,j] ** exp[i,j]",
    .operands = {Out("dst", "receives the powers"), In("base", "the bases"), In("exp", "the exponents"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 Flags("0 or PTO_HIGH_PRECISION, which A2A3 accepts and ignores")},
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
    .sources = {{Rule::kLocationVec, profiles::kEvery, sources::kDocument},
                {Rule::kRowMajor, profiles::kHardware, sources::kDocument},
                {Rule::kSameDType, profiles::kEvery, sources::kDocument},
                {Rule::kValidEqual, profiles::kHardware, sources::kDocument},
                {Rule::kPrecisionFloat, profiles::kA5, sources::kDocument},
                {Rule::kTmpRequired, profiles::kA2A3, sources::kDocument},
                {Rule::kTmpLayout, profiles::kA2A3, sources::kDocument},
                {Rule::kTmpValidEqual, profiles::kA2A3, sources::kDocument}},
    .specials =
        "Floats follow the C99 table of pow: x**0 and 1**y are 1 even for NaN, (-1)**+-inf is 1, a zero base with a "
        "negative exponent is inf with the sign of an odd power, a negative base with a non-integer exponent is NaN, "
        "overflow is +-inf, subnormals are kept. Integers wrap modulo 2^W; b**0 is 1; a negative exponent gives 0 "
        "unless the base is 1 or -1.",
    .accuracy =
        "f32: at most 1 ulp; with PTO_HIGH_PRECISION correctly rounded for every input. f16 and bf16: correctly "
        "rounded. Integers: exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: an f32 dst must not share memory with them.",
    .family = Family::kElementwise,
    .source = "TPOW",
};

inline constexpr OpInfo kTRsqrt = {
    .id = 2,
    .name = "trsqrt",
    .brief = "Takes the reciprocal square root of each element.",
    .formula = "dst[i,j] = 1 / sqrt(src[i,j])",
    .operands = {Out("dst", "receives the reciprocal square roots"), In("src", "the radicands"),
                 Tmp("may be NULL; not touched"), Flags("0")},
    .cpp_template = "dst src tmp | precision dst src tmp",
    .lane = Lane::kRsqrt,
    .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .sources = {{Rule::kLocationVec, profiles::kHardware, sources::kDocument},
                {Rule::kRowMajor, profiles::kHardware, sources::kDocument},
                {Rule::kSameDType, profiles::kEvery, sources::kDocument},
                {Rule::kValidEqual, profiles::kHardware, sources::kDocument}},
    .specials = "+0 gives +inf, -0 gives -inf, +inf gives +0, a negative number gives NaN. Subnormal inputs are exact.",
    .accuracy = "Correctly rounded, always.",
    .family = Family::kElementwise,
    .source = "TRSQRT",
};

inline constexpr OpInfo kTPrelu = {
    .id = 3,
    .name = "tprelu",
    .brief = "Keeps positive elements and multiplies the others by their own slope (parametric ReLU).",
    .formula = "dst[i,j] = src0[i,j] > 0 ? src0[i,j] : src0[i,j] * src1[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the values"), In("src1", "the slopes"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags("0")},
    .lane = Lane::kPrelu,
    .dtypes = {.cpu = dtypes::kUpTo32Bits, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpSpareRow, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kNoOverlap, profiles::kA2A3}},
    .sources = {{Rule::kTmpRequired, profiles::kA2A3, sources::kDocument},
                {Rule::kTmpSpareRow, profiles::kA2A3, sources::kDocument | sources::kImplementation},
                {Rule::kTmpApart, profiles::kA2A3, sources::kDocument},
                {Rule::kNoOverlap, profiles::kA2A3, sources::kDocument}},
    .shapes =
        "Under A2A3, tmp has at least one valid row more than dst has valid rows, as the hardware needs, or more than "
        "dst has valid columns, as the document specifies.",
    .specials =
        "The comparison is strict: a zero or a NaN gives the product, so 0 * NaN is NaN and -0 * 2 is -0. Integers "
        "wrap modulo 2^W.",
    .accuracy = "Correctly rounded: one rounding of the product. Integers: exact modulo 2^W.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: no operand may share memory with another.",
    .family = Family::kElementwise,
    .source = "TPRELU",
};

inline constexpr OpInfo kTAdd = {
    .id = 10,
    .name = "tadd",
    .brief = "Adds two tiles element by element.",
    .formula = "dst[i,j] = src0[i,j] + src1[i,j]",
    .operands = {Out("dst", "receives the sums"), In("src0", "the left summands"), In("src1", "the right summands"),
                 Flags()},
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "Floats: IEEE addition, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kElementwise,
    .source = "TADD",
};

inline constexpr OpInfo kTSub = {
    .id = 12,
    .name = "tsub",
    .brief = "Subtracts the second tile from the first, element by element.",
    .formula = "dst[i,j] = src0[i,j] - src1[i,j]",
    .operands = {Out("dst", "receives the differences"), In("src0", "the minuends"), In("src1", "the subtrahends"),
                 Flags()},
    .lane = Lane::kSub,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "Floats: IEEE subtraction, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kElementwise,
    .source = "TSUB",
};

inline constexpr OpInfo kTMul = {
    .id = 11,
    .name = "tmul",
    .brief = "Multiplies two tiles element by element.",
    .formula = "dst[i,j] = src0[i,j] * src1[i,j]",
    .operands = {Out("dst", "receives the products"), In("src0", "the left factors"), In("src1", "the right factors"),
                 Flags()},
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kComputed & ~(dtypes::kI8 | dtypes::kU8)},
    .specials = "Floats: IEEE multiplication, 0 * inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kElementwise,
    .source = "TMUL",
};

inline constexpr OpInfo kTDiv = {
    .id = 13,
    .name = "tdiv",
    .brief = "Divides the first tile by the second, element by element.",
    .formula = "dst[i,j] = src0[i,j] / src1[i,j]",
    .operands = {Out("dst", "receives the quotients"), In("src0", "the dividends"), In("src1", "the divisors"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kDiv,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .specials =
        "Floats: IEEE division, x/0 is +-inf, 0/0 and inf/inf are NaN. Integers: the quotient is truncated, x/0 is 0 "
        "and MIN/-1 is MIN.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .family = Family::kElementwise,
    .source = "TDIV",
};

inline constexpr OpInfo kTMin = {
    .id = 14,
    .name = "tmin",
    .brief = "Takes the smaller of two elements.",
    .formula = "dst[i,j] = min(src0[i,j], src1[i,j])",
    .operands = {Out("dst", "receives the minima"), In("src0", "elements"), In("src1", "elements"), Flags()},
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "A NaN in either source gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .others = "Some implementations drop a NaN, or keep only a NaN of the first source.",
    .family = Family::kElementwise,
    .source = "TMIN",
};

inline constexpr OpInfo kTMax = {
    .id = 15,
    .name = "tmax",
    .brief = "Takes the larger of two elements.",
    .formula = "dst[i,j] = max(src0[i,j], src1[i,j])",
    .operands = {Out("dst", "receives the maxima"), In("src0", "elements"), In("src1", "elements"), Flags()},
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .specials = "A NaN in either source gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .others = "Some implementations drop a NaN, or keep only a NaN of the first source.",
    .family = Family::kElementwise,
    .source = "TMAX",
};

inline constexpr OpInfo kTAbs = {
    .id = 16,
    .name = "tabs",
    .brief = "Takes the absolute value of each element.",
    .formula = "dst[i,j] = |src[i,j]|",
    .operands = {Out("dst", "receives the absolute values"), In("src", "the elements"), Flags()},
    .lane = Lane::kAbs,
    .dtypes = {.cpu = dtypes::kI8 | dtypes::kI16 | dtypes::kI32 | dtypes::kI64 | dtypes::kF16 | dtypes::kBF16 |
                      dtypes::kF32,
               .a2a3 = dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kPlain | dtypes::kI8},
    .specials = "Floats: the sign bit becomes 0, also for a NaN. Integers wrap: |MIN| is MIN.",
    .accuracy = "Exact.",
    .family = Family::kElementwise,
    .source = "TABS",
};

inline constexpr OpInfo kTNeg = {
    .id = 17,
    .name = "tneg",
    .brief = "Negates each element.",
    .formula = "dst[i,j] = -src[i,j]",
    .operands = {Out("dst", "receives the negated elements"), In("src", "the elements"), Flags()},
    .lane = Lane::kNeg,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kComputed & ~(dtypes::kI8 | dtypes::kU8)},
    .specials = "Floats: the sign bit is inverted, also for a NaN. Integers wrap: -MIN is MIN.",
    .accuracy = "Exact.",
    .family = Family::kElementwise,
    .source = "TNEG",
};

inline constexpr OpInfo kTRelu = {
    .id = 18,
    .name = "trelu",
    .brief = "Replaces negative elements with zero.",
    .formula = "dst[i,j] = max(src[i,j], 0)",
    .operands = {Out("dst", "receives the results"), In("src", "the elements"), Flags()},
    .lane = Lane::kRelu,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kI32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kI32 | dtypes::kF16 | dtypes::kF32},
    .specials = "NaN stays NaN; both zeros give +0. Unsigned integers are copied.",
    .accuracy = "Exact.",
    .others = "The micro-operation of some hardware turns NaN into 0, and the common simulator keeps -0.",
    .family = Family::kElementwise,
    .source = "TRELU",
};

inline constexpr OpInfo kTNot = {
    .id = 19,
    .name = "tnot",
    .brief = "Inverts all bits of each element.",
    .formula = "dst[i,j] = ~src[i,j]",
    .operands = {Out("dst", "receives the results"), In("src", "the elements"), Flags()},
    .lane = Lane::kNot,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .family = Family::kElementwise,
    .source = "TNOT",
};

inline constexpr OpInfo kTAnd = {
    .id = 20,
    .name = "tand",
    .brief = "Combines two tiles by a bitwise AND.",
    .formula = "dst[i,j] = src0[i,j] & src1[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the left operands"), In("src1", "the right operands"),
                 Flags()},
    .lane = Lane::kAnd,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .family = Family::kElementwise,
    .source = "TAND",
};

inline constexpr OpInfo kTOr = {
    .id = 21,
    .name = "tor",
    .brief = "Combines two tiles by a bitwise OR.",
    .formula = "dst[i,j] = src0[i,j] | src1[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the left operands"), In("src1", "the right operands"),
                 Flags()},
    .lane = Lane::kOr,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .family = Family::kElementwise,
    .source = "TOR",
};

inline constexpr OpInfo kTXor = {
    .id = 22,
    .name = "txor",
    .brief = "Combines two tiles by a bitwise exclusive OR.",
    .formula = "dst[i,j] = src0[i,j] ^ src1[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the left operands"), In("src1", "the right operands"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lane = Lane::kXor,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kInts},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpValidEqual, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kNoOverlap, profiles::kA2A3}},
    .specials = "Bits.",
    .accuracy = "Exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: no operand may share memory with another.",
    .family = Family::kElementwise,
    .source = "TXOR",
};

inline constexpr OpInfo kTShl = {
    .id = 23,
    .name = "tshl",
    .brief = "Shifts each element to the left.",
    .formula = "dst[i,j] = src0[i,j] << src1[i,j]",
    .operands = {Out("dst", "receives the shifted elements"), In("src0", "the elements"), In("src1", "the counts"),
                 Flags()},
    .lane = Lane::kShl,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kIntegers},
    .specials = "The count is taken modulo the width of the type; bits that leave are lost.",
    .accuracy = "Exact.",
    .others = "The documents leave counts beyond the width open.",
    .family = Family::kElementwise,
    .source = "TSHL",
};

inline constexpr OpInfo kTShr = {
    .id = 24,
    .name = "tshr",
    .brief = "Shifts each element to the right.",
    .formula = "dst[i,j] = src0[i,j] >> src1[i,j]",
    .operands = {Out("dst", "receives the shifted elements"), In("src0", "the elements"), In("src1", "the counts"),
                 Flags()},
    .lane = Lane::kShr,
    .dtypes = {.cpu = dtypes::kIntegers, .a2a3 = dtypes::kInts, .a5 = dtypes::kIntegers},
    .specials = "The count is taken modulo the width of the type; signed types keep their sign.",
    .accuracy = "Exact.",
    .others = "The documents leave counts beyond the width open.",
    .family = Family::kElementwise,
    .source = "TSHR",
};

inline constexpr OpInfo kTSqrt = {
    .id = 27,
    .name = "tsqrt",
    .brief = "Takes the square root of each element.",
    .formula = "dst[i,j] = sqrt(src[i,j])",
    .operands = {Out("dst", "receives the roots"), In("src", "the radicands"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kSqrt,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials = "-0 gives -0, a negative number NaN.",
    .accuracy = "Correctly rounded, always.",
    .family = Family::kElementwise,
    .source = "TSQRT",
};

inline constexpr OpInfo kTRecip = {
    .id = 28,
    .name = "trecip",
    .brief = "Takes the reciprocal of each element.",
    .formula = "dst[i,j] = 1 / src[i,j]",
    .operands = {Out("dst", "receives the reciprocals"), In("src", "the divisors"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kRecip,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kDstApart, profiles::kA2A3}},
    .specials = "Floats: 1/+-0 is +-inf. Integers: truncated; 1/0 is 0.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .aliasing = "CPU and A5: dst may overlap src in any way. A2A3: dst must not share memory with src.",
    .family = Family::kElementwise,
    .source = "TRECIP",
};

inline constexpr OpInfo kTAddC = {
    .id = 31,
    .name = "taddc",
    .brief = "Adds three tiles.",
    .formula = "dst[i,j] = (src0[i,j] + src1[i,j]) + src2[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the first operands"),
                 In("src1", "the second operands"), In("src2", "the last summands"), Flags()},
    .lane = Lane::kAddAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kNone, .a5 = dtypes::kNone},
    .specials = "Operations run from left to right. Floats are rounded after each operation, integers wrap modulo 2^W.",
    .accuracy = "Each operation correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kElementwise,
    .source = "TADDC",
};

inline constexpr OpInfo kTSubC = {
    .id = 32,
    .name = "tsubc",
    .brief = "Subtracts the second tile from the first, then adds the third.",
    .formula = "dst[i,j] = (src0[i,j] - src1[i,j]) + src2[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the first operands"),
                 In("src1", "the second operands"), In("src2", "the last summands"), Flags()},
    .lane = Lane::kSubAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kNone, .a5 = dtypes::kNone},
    .specials = "Operations run from left to right. Floats are rounded after each operation, integers wrap modulo 2^W.",
    .accuracy = "Each operation correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kElementwise,
    .source = "TSUBC",
};

inline constexpr OpInfo kTMulAddDst = {
    .id = 33,
    .name = "tmuladddst",
    .brief = "Adds products to a tile.",
    .formula = "dst[i,j] = src0[i,j] * src1[i,j] + dst[i,j]",
    .operands = {InOut("dst", "the summands, receives the results"), In("src0", "the left factors"),
                 In("src1", "the right factors"), Flags()},
    .lane = Lane::kMulAddTwice,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials = "IEEE multiply-add, fused except for f16: 0 * inf is NaN, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "One rounding; for f16 two: the product and the sum. Integers: exact modulo 2^W.",
    .others = "The hardware rounds in the same way; some implementations also round the product of other types first.",
    .family = Family::kElementwise,
    .source = "TMULADDDST",
};

inline constexpr OpInfo kTFusedMulAdd = {
    .id = 34,
    .name = "tfusedmuladd",
    .brief = "Multiplies a tile by dst and adds another tile.",
    .formula = "dst[i,j] = src0[i,j] * dst[i,j] + src1[i,j]",
    .operands = {InOut("dst", "the right factors, receives the results"), In("src0", "the left factors"),
                 In("src1", "the summands"), Flags()},
    .lane = Lane::kFma,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials = "IEEE multiply-add, fused except for f16: 0 * inf is NaN, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "One rounding; for f16 two: the product and the sum. Integers: exact modulo 2^W.",
    .others = "The hardware rounds in the same way; some implementations also round the product of other types first.",
    .family = Family::kElementwise,
    .source = "TFUSEDMULADD",
};

inline constexpr OpInfo kTFusedMulAddRelu = {
    .id = 35,
    .name = "tfusedmuladdrelu",
    .brief = "Multiplies a tile by dst, adds another tile and replaces negative results with zero.",
    .formula = "dst[i,j] = max(src0[i,j] * dst[i,j] + src1[i,j], 0)",
    .operands = {InOut("dst", "the right factors, receives the results"), In("src0", "the left factors"),
                 In("src1", "the summands"), Flags()},
    .lane = Lane::kFmaRelu,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials =
        "IEEE multiply-add, fused except for f16: 0 * inf is NaN, inf - inf is NaN. NaN stays NaN; both zeros give "
        "+0. Integers wrap modulo 2^W first.",
    .accuracy = "One rounding; for f16 two: the product and the sum. Integers: exact modulo 2^W.",
    .others = "The hardware rounds in the same way; some implementations also round the product of other types first.",
    .family = Family::kElementwise,
    .source = "TFUSEDMULADDRELU",
};

inline constexpr OpInfo kTSubRelu = {
    .id = 36,
    .name = "tsubrelu",
    .brief = "Subtracts two tiles and replaces negative differences with zero.",
    .formula = "dst[i,j] = max(src0[i,j] - src1[i,j], 0)",
    .operands = {Out("dst", "receives the results"), In("src0", "the minuends"), In("src1", "the subtrahends"),
                 Flags()},
    .lane = Lane::kSubRelu,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials = "IEEE subtraction. NaN stays NaN; both zeros give +0. Integers wrap modulo 2^W first.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kElementwise,
    .source = "TSUBRELU",
};

// Types that an addition or subtraction is done in before it is narrowed to one.
inline constexpr TypeMap kNarrowedTypes = [] {
  TypeMap map;
  for (auto& of : map.of) {
    of[static_cast<int>(DType::kF16)] = dtypes::kF32;
    of[static_cast<int>(DType::kI8)] = dtypes::kF16 | dtypes::kI16;
  }
  return map;
}();

inline constexpr OpInfo kTAddReluConv = {
    .id = 37,
    .name = "taddreluconv",
    .brief = "Adds two tiles, replaces negative sums with zero and converts to a narrower type.",
    .formula = "dst[i,j] = max(src0[i,j] + src1[i,j], 0) as an element of the type of dst",
    .operands = {Out("dst", "receives the results"), In("src0", Extent::kSame, "the left summands", &kNarrowedTypes),
                 In("src1", Extent::kSame, "the right summands", &kNarrowedTypes), Flags()},
    .walk = Walk::kChain,
    .lane = Lane::kAdd,
    .steps = {Do(Lane::kAdd, 2), Do(Lane::kRelu), BecomeDst()},
    .dtypes = {.cpu = dtypes::kI8 | dtypes::kF16, .a2a3 = dtypes::kI8 | dtypes::kF16, .a5 = dtypes::kI8 | dtypes::kF16},
    .specials =
        "The sum has the type of the sources: rounded, or modulo 2^16. Both zeros give +0. The conversion rounds to "
        "nearest, ties to even, and clamps: +inf gives the largest number. NaN gives NaN as f16 and 0 as i8.",
    .accuracy = "The sum and the conversion are each correctly rounded.",
    .others = "No document specifies the result of an i16 sum that overflows.",
    .family = Family::kElementwise,
    .source = "TADDRELUCONV",
};

inline constexpr OpInfo kTSubReluConv = {
    .id = 38,
    .name = "tsubreluconv",
    .brief = "Subtracts two tiles, replaces negative differences with zero and converts to a narrower type.",
    .formula = "dst[i,j] = max(src0[i,j] - src1[i,j], 0) as an element of the type of dst",
    .operands = {Out("dst", "receives the results"), In("src0", Extent::kSame, "the minuends", &kNarrowedTypes),
                 In("src1", Extent::kSame, "the subtrahends", &kNarrowedTypes), Flags()},
    .walk = Walk::kChain,
    .lane = Lane::kSubRelu,
    .steps = {Do(Lane::kSubRelu, 2), BecomeDst()},
    .dtypes = {.cpu = dtypes::kI8 | dtypes::kF16, .a2a3 = dtypes::kI8 | dtypes::kF16, .a5 = dtypes::kI8 | dtypes::kF16},
    .specials =
        "The difference has the type of the sources: rounded, or modulo 2^16. Both zeros give +0. The conversion "
        "rounds to nearest, ties to even, and clamps: +inf gives the largest number. NaN gives NaN of f16 and 0 of "
        "i8.",
    .accuracy = "The difference and the conversion are each correctly rounded.",
    .others = "No document specifies the result of an i16 difference that overflows.",
    .family = Family::kElementwise,
    .source = "TSUBRELUCONV",
};

inline constexpr TypeMap kDequantisedTypes = TypeMap::Any(dtypes::kI32);
inline constexpr TypeMap kScaleTypes = TypeMap::Any(dtypes::kF32);

inline constexpr OpInfo kTAddDeqRelu = {
    .id = 39,
    .name = "tadddeqrelu",
    .brief = "Adds two tiles of integers, scales the sums by a float and replaces negative results with zero.",
    .formula = "dst[i,j] = max((src0[i,j] + src1[i,j]) * deq_scale, 0) as f16",
    .operands = {Out("dst", "receives the results"), In("src0", Extent::kSame, "the left summands", &kDequantisedTypes),
                 In("src1", Extent::kSame, "the right summands", &kDequantisedTypes),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 ScalarIn("deq_scale", "the scale, f32", &kScaleTypes), Flags()},
    .walk = Walk::kChain,
    .lane = Lane::kAdd,
    .steps = {Do(Lane::kAdd, 2), Become(DType::kF32), Do(Lane::kMul, 4), Do(Lane::kRelu), BecomeDst()},
    .dtypes = {.cpu = dtypes::kF16, .a2a3 = dtypes::kF16, .a5 = dtypes::kF16},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpValidEqual, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kDstApart, profiles::kA2A3}},
    .specials =
        "The sum wraps modulo 2^32 and is converted to f32. It is multiplied in f32, and the product is converted to "
        "f16. Each step rounds to nearest, ties to even; f16 saturates. Both zeros give +0, NaN stays NaN.",
    .accuracy = "Three roundings.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .others =
        "Hardware multiplies by 2^-17, the scale and 2^17, which differs where a product is subnormal; A2A3 destroys "
        "the sources, here they stay; the common simulator does not clamp.",
    .family = Family::kElementwise,
    .source = "TADDDEQRELU",
};

inline constexpr OpInfo kTExp = {
    .id = 26,
    .name = "texp",
    .brief = "Takes the exponential of each element.",
    .formula = "dst[i,j] = e ** src[i,j]",
    .operands = {Out("dst", "receives the exponentials"), In("src", "the exponents"), Flags("0 or PTO_HIGH_PRECISION")},
    .lane = Lane::kExp,
    .high_lane = Lane::kExpExact,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials = "-inf gives +0, +inf gives +inf, overflow gives +inf; subnormal results are kept.",
    .accuracy =
        "f32: at most 1 ulp; with PTO_HIGH_PRECISION correctly rounded for every input. f16 and bf16: correctly "
        "rounded.",
    .family = Family::kElementwise,
    .source = "TEXP",
};

inline constexpr OpInfo kTLog = {
    .id = 25,
    .name = "tlog",
    .brief = "Takes the natural logarithm of each element.",
    .formula = "dst[i,j] = ln(src[i,j])",
    .operands = {Out("dst", "receives the logarithms"), In("src", "the elements"), Flags("0 or PTO_HIGH_PRECISION")},
    .lane = Lane::kLog,
    .high_lane = Lane::kLogExact,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials = "+-0 gives -inf, a negative number gives NaN, +inf gives +inf. Subnormal inputs are exact.",
    .accuracy =
        "f32: at most 1 ulp; with PTO_HIGH_PRECISION correctly rounded for every input. f16 and bf16: correctly "
        "rounded.",
    .family = Family::kElementwise,
    .source = "TLOG",
};

inline constexpr OpInfo kTRem = {
    .id = 29,
    .name = "trem",
    .brief = "Takes the remainder of a floored division.",
    .formula = "dst[i,j] = src0[i,j] - floor(src0[i,j] / src1[i,j]) * src1[i,j]",
    .operands = {Out("dst", "receives the remainders"), In("src0", "the dividends"), In("src1", "the divisors"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
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
        "other sign, the divisor is added, and the sum is rounded: trem(-1e-10, 3) is 3, the divisor itself. x rem "
        "+-inf is x, or +-inf if the signs differ. A zero divisor or an infinite dividend gives NaN. A zero result "
        "keeps the sign of the dividend. Integers: x rem 0 is 0, MIN rem -1 is 0.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: dst must not share memory with a source.",
    .others = "A5 truncates 64-bit remainders; others lose accuracy for large quotients.",
    .family = Family::kElementwise,
    .source = "TREM",
};

inline constexpr OpInfo kTFmod = {
    .id = 30,
    .name = "tfmod",
    .brief = "Takes the remainder of a truncated division.",
    .formula = "dst[i,j] = src0[i,j] - trunc(src0[i,j] / src1[i,j]) * src1[i,j]",
    .operands = {Out("dst", "receives the remainders"), In("src0", "the dividends"), In("src1", "the divisors"),
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
    .family = Family::kElementwise,
    .source = "TFMOD",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_ELEMENTWISE_H_
