// Records of the element-wise tile instructions.
#ifndef PTO_SRC_OPS_ELEMENTWISE_H_
#define PTO_SRC_OPS_ELEMENTWISE_H_

#include "src/ops/op_info.h"

namespace pto {

inline constexpr OpInfo kTPow = {
    .id = 1,
    .name = "tpow",
    .brief = "Raises each element of base to the power of the element of exp at the same place.",
    .formula = "dst[i,j] = base[i,j] ** exp[i,j]",
    .operands = {Out("dst", "receives the powers"), In("base", "the bases"), In("exp", "the exponents"),
                 Tmp("scratch; A2A3 needs it for f32, elsewhere it may be NULL and is not touched"),
                 Flags("0 or PTO_HIGH_PRECISION; A2A3 accepts the flag and ignores its rules")},
    .walk = Walk::kTile,
    .lane = Lane::kPow,
    .high_lane = Lane::kPowExact,
    .flags = kHighPrecision,
    .dtypes = {dtypes::kAll, dtypes::kInts | dtypes::kF32, dtypes::kAll},
    .rules = {Rule::kLocationVec,
              {Rule::kRowMajor, profiles::kHardware},
              Rule::kSameDType,
              {Rule::kPrecisionFloat, profiles::kA5, dtypes::kInts},
              Rule::kValidEqual,
              {Rule::kTmpRequired, profiles::kA2A3, dtypes::kF32},
              {Rule::kTmpLayout, profiles::kA2A3, dtypes::kF32},
              {Rule::kTmpValidEqual, profiles::kA2A3, dtypes::kF32},
              {Rule::kTmpApart, profiles::kA2A3, dtypes::kF32}},
    .shapes = "The valid regions of dst, base and exp are equal.",
    .specials =
        "Floats follow the C99 table of pow: x**0 and 1**y are 1 even for NaN, (-1)**+-inf is 1, a zero base with a "
        "negative exponent is inf with the sign of an odd power, a negative base with a non-integer exponent is NaN, "
        "overflow is +-inf, subnormals are kept. Integers wrap modulo 2^W; b**0 is 1; a negative exponent gives 0 "
        "unless the base is 1 or -1.",
    .accuracy =
        "f32: at most 1 ulp; with PTO_HIGH_PRECISION correctly rounded for every input. f16 and bf16: correctly "
        "rounded. Integers: exact.",
    .aliasing = "dst may overlap base and exp in any way: the result is as if both had been read first.",
    .since = "0.1",
    .source = "PTO ISA, elementwise tile-tile instructions: TPOW",
};

inline constexpr OpInfo kTRsqrt = {
    .id = 2,
    .name = "trsqrt",
    .brief = "Takes the reciprocal square root of each element.",
    .formula = "dst[i,j] = 1 / sqrt(src[i,j])",
    .operands = {Out("dst", "receives the reciprocal square roots"), In("src", "the radicands"),
                 Tmp("may be NULL; not touched"), Flags("0")},
    .walk = Walk::kTile,
    .lane = Lane::kRsqrt,
    .dtypes = {dtypes::kFloats, dtypes::kF16 | dtypes::kF32, dtypes::kF16 | dtypes::kF32},
    .rules = {Rule::kLocationVec, {Rule::kRowMajor, profiles::kHardware}, Rule::kSameDType, Rule::kValidEqual},
    .shapes = "The valid regions of dst and src are equal.",
    .specials =
        "+0 gives +inf, -0 gives -inf, +inf gives +0, a negative number gives NaN; subnormals are exact inputs.",
    .accuracy = "Correctly rounded, always.",
    .aliasing = "dst may overlap src in any way: the result is as if src had been read first.",
    .since = "0.1",
    .source = "PTO ISA, elementwise tile-tile instructions: TRSQRT",
};

inline constexpr OpInfo kTPrelu = {
    .id = 3,
    .name = "tprelu",
    .brief = "Keeps positive elements and multiplies the others by a slope of their own (parametric ReLU).",
    .formula = "dst[i,j] = src0[i,j] > 0 ? src0[i,j] : src0[i,j] * src1[i,j]",
    .operands = {Out("dst", "receives the results"), In("src0", "the values"), In("src1", "the slopes"),
                 Tmp("scratch of u8; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags("0")},
    .walk = Walk::kTile,
    .lane = Lane::kPrelu,
    .dtypes = {dtypes::kAll, dtypes::kF16 | dtypes::kF32, dtypes::kF16 | dtypes::kF32},
    .rules = {Rule::kLocationVec,
              {Rule::kRowMajor, profiles::kHardware},
              Rule::kSameDType,
              Rule::kValidEqual,
              {Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpDType, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpSpareRow, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3},
              {Rule::kNoOverlap, profiles::kA2A3}},
    .shapes = "The valid regions of dst, src0 and src1 are equal; under A2A3 tmp has more valid rows than dst.",
    .specials =
        "The comparison is strict: a zero or a NaN takes the product, so 0 * NaN is NaN and -0 * 2 is -0. Integers "
        "wrap modulo 2^W.",
    .accuracy = "Correctly rounded: one rounding of the product. Integers: exact modulo 2^W.",
    .aliasing = "CPU and A5: dst may overlap the sources in any way. A2A3: no operand may share memory with another.",
    .since = "0.1",
    .source = "PTO ISA, elementwise tile-tile instructions: TPRELU",
};

}  // namespace pto

#endif  // PTO_SRC_OPS_ELEMENTWISE_H_
