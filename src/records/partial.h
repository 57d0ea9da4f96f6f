// Records of the instructions whose sources may be valid in a part of dst only.
#ifndef PTO_SRC_RECORDS_PARTIAL_H_
#define PTO_SRC_RECORDS_PARTIAL_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTPartAdd = {
    .id = 5,
    .name = "tpartadd",
    .brief = "Adds two tiles where both are valid, and copies the valid tile elsewhere.",
    .formula = "dst[i,j] = src0[i,j] + src1[i,j] where both are valid, src0[i,j] or src1[i,j] where only that one is",
    .operands = {Out("dst", "receives the sums; its valid region is the domain"),
                 In("src0", Extent::kPart, "the left summands"), In("src1", Extent::kPart, "the right summands"),
                 Flags("0")},
    .walk = Walk::kPartial,
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kComputed},
    .row_major = profiles::kA2A3,
    .sources = {{Rule::kRowMajor, profiles::kA2A3, sources::kDocument},
                {Rule::kSameDType, profiles::kEvery, sources::kDocument},
                {Rule::kPartialValid, profiles::kEvery, sources::kDocument}},
    .shapes =
        "At least one source has the valid region of dst; the other source must not exceed it and may be empty. If "
        "dst is empty, the instruction does nothing.",
    .specials = "Floats: IEEE addition. Integers wrap modulo 2^W. A copy keeps all bits, including NaN payloads.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kIrregular,
    .source = "TPARTADD",
};

inline constexpr OpInfo kTPartMul = {
    .id = 90,
    .name = "tpartmul",
    .brief = "Multiplies two tiles where both are valid, and copies the valid tile elsewhere.",
    .formula = "dst[i,j] = src0[i,j] * src1[i,j] where both are valid, src0[i,j] or src1[i,j] where only that one is",
    .operands = {Out("dst", "receives the results; its valid region is the domain"),
                 In("src0", Extent::kPart, "the left operands"), In("src1", Extent::kPart, "the right operands"),
                 Flags()},
    .walk = Walk::kPartial,
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .row_major = profiles::kA2A3,
    .shapes =
        "At least one source has the valid region of dst; the other source must not exceed it and may be empty. If "
        "dst is empty, the instruction does nothing.",
    .specials = "Floats: IEEE multiplication. Integers wrap modulo 2^W. A copy keeps all bits, including NaN payloads.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kIrregular,
    .source = "TPARTMUL",
};

inline constexpr OpInfo kTPartMax = {
    .id = 91,
    .name = "tpartmax",
    .brief = "Takes the larger element where both tiles are valid, and copies the valid tile elsewhere.",
    .formula =
        "dst[i,j] = max(src0[i,j], src1[i,j]) where both are valid, src0[i,j] or src1[i,j] where only that one is",
    .operands = {Out("dst", "receives the results; its valid region is the domain"),
                 In("src0", Extent::kPart, "the left operands"), In("src1", Extent::kPart, "the right operands"),
                 Flags()},
    .walk = Walk::kPartial,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .row_major = profiles::kA2A3,
    .shapes =
        "Neither source may exceed the valid region of dst; each may be empty. Under A2A3 at least one has the valid "
        "region of dst. Under A5 and CPU, elements of dst that no source covers become the neutral element, -inf or "
        "the smallest integer. If dst is empty, the instruction does nothing.",
    .specials =
        "A NaN in either source gives NaN; +0 is larger than -0. A copy keeps all bits, including NaN payloads.",
    .accuracy = "Exact.",
    .others =
        "In the documents, elements that no source covers are implementation-defined; A5 hardware fills them in the "
        "same way.",
    .family = Family::kIrregular,
    .source = "TPARTMAX",
};

inline constexpr OpInfo kTPartMin = {
    .id = 92,
    .name = "tpartmin",
    .brief = "Takes the smaller element where both tiles are valid, and copies the valid tile elsewhere.",
    .formula =
        "dst[i,j] = min(src0[i,j], src1[i,j]) where both are valid, src0[i,j] or src1[i,j] where only that one is",
    .operands = {Out("dst", "receives the results; its valid region is the domain"),
                 In("src0", Extent::kPart, "the left operands"), In("src1", Extent::kPart, "the right operands"),
                 Flags()},
    .walk = Walk::kPartial,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .row_major = profiles::kA2A3,
    .shapes =
        "Neither source may exceed the valid region of dst; each may be empty. Under A2A3 at least one has the valid "
        "region of dst. Under A5 and CPU, elements of dst that no source covers become the neutral element, +inf or "
        "the largest integer. If dst is empty, the instruction does nothing.",
    .specials =
        "A NaN in either source gives NaN; +0 is larger than -0. A copy keeps all bits, including NaN payloads.",
    .accuracy = "Exact.",
    .others =
        "In the documents, elements that no source covers are implementation-defined; A5 hardware fills them in the "
        "same way.",
    .family = Family::kIrregular,
    .source = "TPARTMIN",
};

// Which indices go with which values.
inline constexpr TypeMap kPartIndexTypes = [] {
  TypeMap map = TypeMap::Any(dtypes::kI32 | dtypes::kU32);
  for (auto& types : map.of) types[static_cast<int>(DType::kF16)] |= dtypes::kI16 | dtypes::kU16;
  map.Set(profiles::kCpu, dtypes::kStored, dtypes::kIntegers);
  return map;
}();

inline constexpr OpInfo kTPartArgmax = {
    .id = 93,
    .name = "tpartargmax",
    .brief = "Takes the larger value and its index where both are valid, and copies the valid pair elsewhere.",
    .formula =
        "(dst, dst_idx)[i,j] = (src0, src0_idx)[i,j] if src0[i,j] is larger than src1[i,j], else (src1, "
        "src1_idx)[i,j]; where only one pair is valid that one",
    .operands = {Out("dst", "receives the values; its valid region is the domain"),
                 Out("dst_idx", Extent::kSame, "receives the indices", &kPartIndexTypes),
                 In("src0", Extent::kPart, "the left values"), In("src1", Extent::kPart, "the right values"),
                 In("src0_idx", Extent::kPart, "their indices", &kPartIndexTypes),
                 In("src1_idx", Extent::kPart, "their indices", &kPartIndexTypes), Flags()},
    .cpp_order = "dst src0 src1 dst_idx src0_idx src1_idx",
    .cpp_template = "dst src0 src1 dst_idx src0_idx src1_idx",
    .walk = Walk::kPartialArg,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .shapes =
        "At least one source has the valid region of dst; the other source must not exceed it and may be empty. If "
        "dst is empty, the instruction does nothing. Each tile of indices has the same valid region as its values.",
    .specials =
        "Equal values give the pair of src1. A NaN wins; of two NaNs, the pair of src1. Values and indices are copied "
        "bit for bit.",
    .accuracy = "Exact.",
    .others = "Hardware gives ties to src0.",
    .family = Family::kIrregular,
    .source = "TPARTARGMAX",
};

inline constexpr OpInfo kTPartArgmin = {
    .id = 94,
    .name = "tpartargmin",
    .brief = "Takes the smaller value and its index where both are valid, and copies the valid pair elsewhere.",
    .formula =
        "(dst, dst_idx)[i,j] = (src0, src0_idx)[i,j] if src0[i,j] is smaller than src1[i,j], else (src1, "
        "src1_idx)[i,j]; where only one pair is valid that one",
    .operands = {Out("dst", "receives the values; its valid region is the domain"),
                 Out("dst_idx", Extent::kSame, "receives the indices", &kPartIndexTypes),
                 In("src0", Extent::kPart, "the left values"), In("src1", Extent::kPart, "the right values"),
                 In("src0_idx", Extent::kPart, "their indices", &kPartIndexTypes),
                 In("src1_idx", Extent::kPart, "their indices", &kPartIndexTypes), Flags()},
    .cpp_order = "dst src0 src1 dst_idx src0_idx src1_idx",
    .cpp_template = "dst src0 src1 dst_idx src0_idx src1_idx",
    .walk = Walk::kPartialArg,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .shapes =
        "At least one source has the valid region of dst; the other source must not exceed it and may be empty. If "
        "dst is empty, the instruction does nothing. Each tile of indices has the same valid region as its values.",
    .specials =
        "Equal values give the pair of src1. A NaN wins; of two NaNs, the pair of src1. Values and indices are copied "
        "bit for bit.",
    .accuracy = "Exact.",
    .others = "Hardware gives ties to src0.",
    .family = Family::kIrregular,
    .source = "TPARTARGMIN",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_PARTIAL_H_
