// Records of the instructions that broadcast one scalar a column.
#ifndef PTO_SRC_OPS_EXPAND_H_
#define PTO_SRC_OPS_EXPAND_H_

#include "src/ops/op_info.h"

namespace pto {

inline constexpr OpInfo kTColExpandDiv = {
    .id = 4,
    .name = "tcolexpanddiv",
    .brief = "Divides each column by its own scalar.",
    .formula = "dst[i,j] = src0[i,j] / src1[0,j]",
    .operands = {Out("dst", "receives the quotients"), In("src0", "the dividends"),
                 In("src1", "the divisors, one a column: row 0, or a column-major tile of one column"), Flags("0")},
    .walk = Walk::kColExpand,
    .lane = Lane::kDiv,
    .dtypes = {dtypes::kAll, dtypes::kF16 | dtypes::kF32, dtypes::kAll},
    .rules = {Rule::kLocationVec,
              {Rule::kRowMajor, profiles::kHardware},
              {Rule::kColVector, profiles::kHardware},
              Rule::kSameDType,
              Rule::kValidEqual,
              Rule::kColsCovered},
    .shapes = "The valid regions of dst and src0 are equal; src1 has a valid row and covers the valid columns of dst.",
    .specials =
        "Floats: IEEE division, x/0 is +-inf, 0/0 and inf/inf are NaN. Integers: the quotient is truncated, x/0 is 0 "
        "and MIN/-1 is MIN.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .aliasing = "dst may overlap src0 and src1 in any way: the result is as if both had been read first.",
    .since = "0.1",
    .source = "PTO ISA, reduce and expand instructions: TCOLEXPANDDIV",
};

inline constexpr OpInfo kTColExpandMul = {
    .id = 6,
    .name = "tcolexpandmul",
    .brief = "Multiplies each column by its own scalar.",
    .formula = "dst[i,j] = src0[i,j] * src1[0,j]",
    .operands = {Out("dst", "receives the products"), In("src0", "the left factors"),
                 In("src1", "the right factors, one a column: row 0, or a column-major tile of one column"),
                 Flags("0")},
    .walk = Walk::kColExpand,
    .lane = Lane::kMul,
    .dtypes = {dtypes::kAll, dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kF32, dtypes::kAll},
    .rules = {Rule::kLocationVec,
              {Rule::kRowMajor, profiles::kHardware},
              {Rule::kColVector, profiles::kHardware},
              Rule::kSameDType,
              Rule::kValidEqual,
              Rule::kColsCovered},
    .shapes = "The valid regions of dst and src0 are equal; src1 has a valid row and covers the valid columns of dst.",
    .specials = "Floats: IEEE multiplication, 0 * inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .aliasing = "dst may overlap src0 and src1 in any way: the result is as if both had been read first.",
    .since = "0.1",
    .source = "PTO ISA, reduce and expand instructions: TCOLEXPANDMUL",
};

}  // namespace pto

#endif  // PTO_SRC_OPS_EXPAND_H_
