// Records of the instructions that write bits, one an element, or read them.
#ifndef PTO_SRC_RECORDS_COMPARE_H_
#define PTO_SRC_RECORDS_COMPARE_H_

#include "src/records/op_info.h"

namespace pto {

// What bits may be held in: programs write i8 and mean no sign by it.
inline constexpr TypeMap kBitTypes = TypeMap::Any(dtypes::kInts);

inline constexpr OpInfo kTCmp = {
    .id = 60,
    .name = "tcmp",
    .brief = "Compares two tiles and stores one bit per element.",
    .formula = "bit (i,j) of dst = src0[i,j] <mode> src1[i,j]",
    .operands = {Out("dst", Extent::kBits, "receives the bits", &kBitTypes), In("src0", "the left operands"),
                 In("src1", "the right operands"), Mode("mode", &kCmpMode, "the comparison"), Flags()},
    .lead = 1,
    .walk = Walk::kCompare,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kI32 | dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kComputed},
    .outside =
        "In the last byte of a row, bits after the last column become 0; other bytes of the row and all outside the "
        "valid region of dst are not written. With an empty src0 the call succeeds and does nothing.",
    .specials = "With a NaN, only PTO_CMP_NE is true. The two zeros are equal. Comparisons are exact.",
    .accuracy = "Exact.",
    .others = "A2A3 has only EQ and NE for i32, and leaves the bits after the last column undefined.",
    .family = Family::kElementwise,
    .source = "TCMP",
};

inline constexpr OpInfo kTCmpS = {
    .id = 61,
    .name = "tcmps",
    .brief = "Compares each element with a scalar and stores one bit per element.",
    .formula = "bit (i,j) of dst = src[i,j] <mode> scalar",
    .operands = {Out("dst", Extent::kBits, "receives the bits", &kBitTypes), In("src", "the left operands"),
                 ScalarIn("scalar", "the right operand"), Mode("mode", &kCmpMode, "the comparison"), Flags()},
    .lead = 1,
    .walk = Walk::kCompare,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain | dtypes::kU16, .a5 = dtypes::kComputed},
    .outside =
        "In the last byte of a row, bits after the last column become 0; other bytes of the row and all outside the "
        "valid region of dst are not written. With an empty src the call succeeds and does nothing.",
    .specials = "With a NaN, only PTO_CMP_NE is true. The two zeros are equal. Comparisons are exact.",
    .accuracy = "Exact.",
    .others = "The common simulator compares with a tolerance.",
    .family = Family::kScalar,
    .source = "TCMPS",
};

inline constexpr OpInfo kTCmpSTile = {
    .id = 62,
    .name = "tcmps_tile",
    .mnemonic = "tcmps",
    .brief = "Compares each element with the first element of a tile and stores one bit per element.",
    .formula = "bit (i,j) of dst = src0[i,j] <mode> src1[0,0]",
    .operands = {Out("dst", Extent::kBits, "receives the bits", &kBitTypes), In("src0", "the left operands"),
                 In("src1", Extent::kFirst, "the right operand"), Mode("mode", &kCmpMode, "the comparison"), Flags()},
    .lead = 1,
    .walk = Walk::kCompare,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain | dtypes::kU16, .a5 = dtypes::kComputed},
    .outside =
        "In the last byte of a row, bits after the last column become 0; other bytes of the row and all outside the "
        "valid region of dst are not written. With an empty src0 the call succeeds and does nothing.",
    .specials = "With a NaN, only PTO_CMP_NE is true. The two zeros are equal. Comparisons are exact.",
    .accuracy = "Exact.",
    .others = "A5 compares 64-bit elements with the element at the same place.",
    .family = Family::kScalar,
    .source = "TCMPS",
};

inline constexpr OpInfo kTSel = {
    .id = 63,
    .name = "tsel",
    .brief = "Selects from two tiles by bits.",
    .formula = "dst[i,j] = bit (i,j) of mask ? src0[i,j] : src1[i,j]",
    .operands = {Out("dst", "receives the elements"), In("mask", Extent::kBits, "the bits", &kBitTypes),
                 In("src0", "the elements where the bit is 1"), In("src1", "the elements where it is 0"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .walk = Walk::kSelect,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8),
               .a5 = dtypes::kComputed},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .specials = "All bits of an element are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .others =
        "The common simulator reads the mask as one stream of bits without rows; A5 is correct only for masks of u8. "
        "On hardware dst must not overlap mask.",
    .family = Family::kElementwise,
    .source = "TSEL",
};

inline constexpr OpInfo kTSelS = {
    .id = 64,
    .name = "tsels",
    .brief = "Selects from a tile and a scalar by bits.",
    .formula = "dst[i,j] = bit (i,j) of mask ? src[i,j] : scalar",
    .operands = {Out("dst", "receives the elements"), In("mask", Extent::kBits, "the bits", &kBitTypes),
                 In("src", "the elements where the bit is 1"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 ScalarIn("scalar", "the element where it is 0"), Flags()},
    .scalar_at = 3,
    .walk = Walk::kSelect,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8),
               .a5 = dtypes::kIntegers | dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .specials = "All bits of an element are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .others = "On hardware dst must not overlap mask.",
    .family = Family::kScalar,
    .source = "TSELS",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_COMPARE_H_
