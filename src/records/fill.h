// Records of the instructions that make elements of none.
#ifndef PTO_SRC_RECORDS_FILL_H_
#define PTO_SRC_RECORDS_FILL_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTCi = {
    .id = 130,
    .name = "tci",
    .brief = "Fills row 0 with numbers that count up or down.",
    .formula = "dst[0,k] = start + k, or start - k",
    .operands = {Out("dst", "receives the numbers"), Tmp("may be NULL; not touched"),
                 ScalarIn("start", "the first number"), Mode("direction", &kDirectionMode, "the direction"), Flags()},
    .walk = Walk::kFill,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8),
               .a5 = dtypes::kI16 | dtypes::kU16 | dtypes::kI32 | dtypes::kU32},
    .scalar_unit = profiles::kEvery,
    .scalar_unit_alone = profiles::kCpu | profiles::kA2A3,
    .rules = {{Rule::kOneList, profiles::kHardware}},
    .outside = "Only row 0 of the valid region of dst is written. If it is empty, the call succeeds and does nothing.",
    .specials = "Integers wrap modulo 2^W. Floats: start +- k, rounded once; zeros are +0.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kIrregular,
    .source = "TCI",
};

inline constexpr OpInfo kTTri = {
    .id = 131,
    .name = "ttri",
    .brief = "Fills a tile with a triangle of ones.",
    .formula = "dst[i,j] = j <= i + diagonal ? 1 : 0; upper: j >= i + diagonal ? 1 : 0",
    .operands = {Out("dst", "receives ones and zeros"),
                 Int("diagonal", "by how many columns the diagonal lies to the right"),
                 Mode("triangle", &kTriangleMode, "the triangle"), Flags()},
    .walk = Walk::kFill,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain | dtypes::kU16 | dtypes::kU32, .a5 = dtypes::kComputed},
    .specials = "Ones and zeros of the element type.",
    .accuracy = "Exact.",
    .family = Family::kIrregular,
    .source = "TTRI",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_FILL_H_
