// Records of the instructions whose sources may be valid in a part of dst only.
#ifndef PTO_SRC_OPS_PARTIAL_H_
#define PTO_SRC_OPS_PARTIAL_H_

#include "src/ops/op_info.h"

namespace pto {

inline constexpr OpInfo kTPartAdd = {
    .id = 5,
    .name = "tpartadd",
    .brief = "Adds two tiles where both are valid and copies the valid one where only one is.",
    .formula = "dst[i,j] = src0[i,j] + src1[i,j] where both are valid, src0[i,j] or src1[i,j] where only that one is",
    .operands = {Out("dst", "receives the sums; its valid region is the domain"), In("src0", "the left summands"),
                 In("src1", "the right summands"), Flags("0")},
    .walk = Walk::kPartial,
    .lane = Lane::kAdd,
    .dtypes = {dtypes::kAll, dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kF32, dtypes::kAll},
    .rules = {Rule::kLocationVec, {Rule::kRowMajor, profiles::kHardware}, Rule::kSameDType, Rule::kPartialValid},
    .shapes =
        "At least one source has the valid region of dst; the other exceeds it in neither direction and may be empty.",
    .specials = "Floats: IEEE addition. Integers wrap modulo 2^W. A copy keeps every bit, those of a NaN too.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .aliasing =
        "dst may overlap src0 and src1 in any way, the narrower one too: the result is as if both had been read first.",
    .since = "0.1",
    .source = "PTO ISA, irregular instructions: TPARTADD",
};

}  // namespace pto

#endif  // PTO_SRC_OPS_PARTIAL_H_
