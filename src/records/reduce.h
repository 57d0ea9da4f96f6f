// Records of the instructions that make one element of a row, a column or a pair.
#ifndef PTO_SRC_RECORDS_REDUCE_H_
#define PTO_SRC_RECORDS_REDUCE_H_

#include "src/records/op_info.h"

namespace pto {

// The unit of rows and columns.
inline constexpr TypeMap kIndexTypes = TypeMap::Any(dtypes::kI32 | dtypes::kU32);
// The same beside values: of two bytes also in two.
inline constexpr TypeMap kIndexOf = [] {
  TypeMap map = TypeMap::Any(dtypes::kI32 | dtypes::kU32);
  for (auto& types : map.of) {
    for (const DType two : {DType::kI16, DType::kU16, DType::kF16, DType::kBF16}) {
      types[static_cast<int>(two)] |= dtypes::kI16 | dtypes::kU16;
    }
  }
  return map;
}();

// Sums: of the type of the elements; CPU also wider ones.
inline constexpr TypeMap kColSumTypes = [] {
  TypeMap map;
  for (auto& types : map.of) {
    for (int d = 0; d < kComputedCount; ++d) types[d] = DTypeSet{1} << d;
  }
  map.Set(profiles::kCpu, dtypes::kF16, dtypes::kF16 | dtypes::kF32);
  map.Set(profiles::kCpu, dtypes::kBF16, dtypes::kBF16 | dtypes::kF32);
  return map;
}();
inline constexpr TypeMap kRowSumTypes = [] {
  TypeMap map = kColSumTypes;
  map.Set(profiles::kCpu, dtypes::kI16, dtypes::kI16 | dtypes::kI32);
  return map;
}();

// How other implementations order sums and products of floats.
#define PTO_OTHER_ORDERS(what)                                                                  \
  "A2A3 and A5 " what                                                                           \
  " in hardware trees whose order is not documented, pto-spec 0.58 from left to right: floats " \
  "can differ in their last bits. Compare with results of devices by a tolerance, not bit by bit."

inline constexpr OpInfo kTRowSum = {
    .id = 100,
    .name = "trowsum",
    .brief = "Sums each row.",
    .formula = "dst[i,0] = sum of src[i,j] over j",
    .operands = {Out("dst", Extent::kRowResults, "receives the results", &kRowSumTypes), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kPlain | dtypes::kI64 | dtypes::kU64},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of dst is written. Without valid rows the call succeeds and does nothing.",
    .specials =
        "Floats: element j is added to partial sum j mod 16, in f32, each starting at -0. The partial sums are "
        "combined 8+8, 4+4, 2+2, 1+1 and rounded to the type of dst once. Integers wrap modulo 2^W, where W is the "
        "number of bits of dst.",
    .accuracy = "One rounding to the type of dst of f32 partial sums, in a fixed order. Integers: exact modulo 2^W.",
    .others = PTO_OTHER_ORDERS("add"),
    .family = Family::kReduce,
    .source = "TROWSUM",
};

inline constexpr OpInfo kTRowProd = {
    .id = 101,
    .name = "trowprod",
    .brief = "Multiplies the elements of each row.",
    .formula = "dst[i,0] = product of src[i,j] over j",
    .operands = {Out("dst", Extent::kRowResults, "receives the results"), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kPlain},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of dst is written. Without valid rows the call succeeds and does nothing.",
    .specials =
        "Floats: element j is multiplied into partial product j mod 16, in f32, each starting at 1. The partial "
        "products are combined 8+8, 4+4, 2+2, 1+1 and rounded to the element type once. Integers wrap modulo 2^W.",
    .accuracy =
        "One rounding to the element type of f32 partial products, in a fixed order. Integers: exact modulo 2^W.",
    .others = PTO_OTHER_ORDERS("multiply"),
    .family = Family::kReduce,
    .source = "TROWPROD",
};

inline constexpr OpInfo kTRowMax = {
    .id = 102,
    .name = "trowmax",
    .brief = "Takes the largest element of each row.",
    .formula = "dst[i,0] = max of src[i,j] over j",
    .operands = {Out("dst", Extent::kRowResults, "receives the results"), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kI8 | dtypes::kU8 | dtypes::kI16 | dtypes::kI32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of dst is written. Without valid rows the call succeeds and does nothing.",
    .specials = "A NaN gives NaN. +0 is larger than -0; the argmax instructions treat them as equal.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWMAX",
};

inline constexpr OpInfo kTRowMin = {
    .id = 103,
    .name = "trowmin",
    .brief = "Takes the smallest element of each row.",
    .formula = "dst[i,0] = min of src[i,j] over j",
    .operands = {Out("dst", Extent::kRowResults, "receives the results"), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kI8 | dtypes::kU8 | dtypes::kI16 | dtypes::kI32 | dtypes::kI64 | dtypes::kU64 |
                     dtypes::kF16 | dtypes::kF32},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of dst is written. Without valid rows the call succeeds and does nothing.",
    .specials = "A NaN gives NaN. -0 is smaller than +0; the argmin instructions treat them as equal.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWMIN",
};

inline constexpr OpInfo kTRowArgmax = {
    .id = 104,
    .name = "trowargmax",
    .brief = "Finds the largest element of each row.",
    .formula = "dst[i,0] = the first j of the largest src[i,j]",
    .operands = {Out("dst", Extent::kRowResults, "receives the columns", &kIndexTypes), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kArgFold,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of the outputs is written. Without valid rows the call succeeds and does "
        "nothing.",
    .specials = "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWARGMAX",
};

inline constexpr OpInfo kTRowArgmaxValue = {
    .id = 105,
    .name = "trowargmax_value",
    .mnemonic = "trowargmax",
    .brief = "Finds the largest element of each row and its column.",
    .formula = "(dst_val[i,0], dst_idx[i,0]) = (src[i,k], k), k the first j of the largest src[i,j]",
    .operands = {Out("dst_val", Extent::kRowResults, "receives the elements"),
                 Out("dst_idx", Extent::kRowResults, "receives the columns", &kIndexOf), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 2,
    .walk = Walk::kArgFold,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of the outputs is written. Without valid rows the call succeeds and does "
        "nothing.",
    .specials =
        "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs. Values "
        "are copied bit for bit.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWARGMAX",
};

inline constexpr OpInfo kTRowArgmin = {
    .id = 106,
    .name = "trowargmin",
    .brief = "Finds the smallest element of each row.",
    .formula = "dst[i,0] = the first j of the smallest src[i,j]",
    .operands = {Out("dst", Extent::kRowResults, "receives the columns", &kIndexTypes), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kArgFold,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of the outputs is written. Without valid rows the call succeeds and does "
        "nothing.",
    .specials = "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWARGMIN",
};

inline constexpr OpInfo kTRowArgminValue = {
    .id = 107,
    .name = "trowargmin_value",
    .mnemonic = "trowargmin",
    .brief = "Finds the smallest element of each row and its column.",
    .formula = "(dst_val[i,0], dst_idx[i,0]) = (src[i,k], k), k the first j of the smallest src[i,j]",
    .operands = {Out("dst_val", Extent::kRowResults, "receives the elements"),
                 Out("dst_idx", Extent::kRowResults, "receives the columns", &kIndexOf), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 2,
    .walk = Walk::kArgFold,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside =
        "Only column 0 of the valid rows of the outputs is written. Without valid rows the call succeeds and does "
        "nothing.",
    .specials =
        "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs. Values "
        "are copied bit for bit.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWARGMIN",
};

inline constexpr OpInfo kTColSum = {
    .id = 110,
    .name = "tcolsum",
    .brief = "Sums each column.",
    .formula = "dst[0,j] = sum of src[i,j] over i",
    .operands = {Out("dst", Extent::kColResults, "receives the results", &kColSumTypes), In("src", "the elements"),
                 Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .outside = "Only row 0 of dst is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "Floats are added in f32 from top to bottom, starting at -0, and rounded to the type of dst once. Integers "
        "wrap modulo 2^W.",
    .accuracy = "One rounding to the type of dst of an f32 sum, in a fixed order. Integers: exact modulo 2^W.",
    .others = PTO_OTHER_ORDERS("add"),
    .family = Family::kReduce,
    .source = "TCOLSUM",
};

inline constexpr OpInfo kTColSumOrder = {
    .id = 111,
    .name = "tcolsum_order",
    .mnemonic = "tcolsum",
    .brief = "Sums each column in a chosen order.",
    .formula = "dst[0,j] = sum of src[i,j] over i",
    .operands = {Out("dst", Extent::kColResults, "receives the results", &kColSumTypes), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"),
                 Mode("order", &kOrderMode, "the order"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .tmp_touched = profiles::kHardware,
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside = "Only row 0 of dst is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "PTO_ORDER_SEQUENTIAL is the order of TCOLSUM. PTO_ORDER_TREE adds neighbours in pairs, then their sums in "
        "the same way; with an odd number, the last element is added to the sum of the pair before it. Floats are "
        "added in f32 and rounded to the type of dst once. Integers wrap modulo 2^W.",
    .accuracy = "One rounding to the type of dst of an f32 sum, in a fixed order. Integers: exact modulo 2^W.",
    .others =
        PTO_OTHER_ORDERS("add") " "
        "With A2A3 the last of an odd number joins the first pair; the common simulator always adds from top to "
        "bottom. Hardware wants half the rows of src in tmp, rounded up.",
    .family = Family::kReduce,
    .source = "TCOLSUM",
};

inline constexpr OpInfo kTColProd = {
    .id = 112,
    .name = "tcolprod",
    .brief = "Multiplies the elements of each column.",
    .formula = "dst[0,j] = product of src[i,j] over i",
    .operands = {Out("dst", Extent::kColResults, "receives the results"), In("src", "the elements"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kPlain,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .outside = "Only row 0 of dst is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "Floats are multiplied in f32 from top to bottom, starting at 1, and rounded to the element type once. "
        "Integers wrap modulo 2^W.",
    .accuracy = "One rounding to the element type of an f32 product, in a fixed order. Integers: exact modulo 2^W.",
    .others = PTO_OTHER_ORDERS("multiply"),
    .family = Family::kReduce,
    .source = "TCOLPROD",
};

inline constexpr OpInfo kTColMax = {
    .id = 113,
    .name = "tcolmax",
    .brief = "Takes the largest element of each column.",
    .formula = "dst[0,j] = max of src[i,j] over i",
    .operands = {Out("dst", Extent::kColResults, "receives the results"), In("src", "the elements"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .outside = "Only row 0 of dst is written. With an empty src the call succeeds and does nothing.",
    .specials = "A NaN gives NaN. +0 is larger than -0; the argmax instructions treat them as equal.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLMAX",
};

inline constexpr OpInfo kTColMin = {
    .id = 114,
    .name = "tcolmin",
    .brief = "Takes the smallest element of each column.",
    .formula = "dst[0,j] = min of src[i,j] over i",
    .operands = {Out("dst", Extent::kColResults, "receives the results"), In("src", "the elements"), Flags()},
    .lead = 1,
    .walk = Walk::kFold,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kComputed},
    .outside = "Only row 0 of dst is written. With an empty src the call succeeds and does nothing.",
    .specials = "A NaN gives NaN. -0 is smaller than +0; the argmin instructions treat them as equal.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLMIN",
};

inline constexpr OpInfo kTColArgmax = {
    .id = 115,
    .name = "tcolargmax",
    .brief = "Finds the largest element of each column.",
    .formula = "dst[0,j] = the first i of the largest src[i,j]",
    .operands = {Out("dst", Extent::kColResults, "receives the rows", &kIndexTypes), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kArgFold,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kU16 | dtypes::kU32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside = "Only row 0 of the outputs is written. With an empty src the call succeeds and does nothing.",
    .specials = "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLARGMAX",
};

inline constexpr OpInfo kTColArgmaxValue = {
    .id = 116,
    .name = "tcolargmax_value",
    .mnemonic = "tcolargmax",
    .brief = "Finds the largest element of each column and its row.",
    .formula = "(dst_val[0,j], dst_idx[0,j]) = (src[k,j], k), k the first i of the largest src[i,j]",
    .operands = {Out("dst_val", Extent::kColResults, "receives the elements"),
                 Out("dst_idx", Extent::kColResults, "receives the rows", &kIndexOf), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 2,
    .walk = Walk::kArgFold,
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kU16 | dtypes::kU32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside = "Only row 0 of the outputs is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs. Values "
        "are copied bit for bit.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLARGMAX",
};

inline constexpr OpInfo kTColArgmin = {
    .id = 117,
    .name = "tcolargmin",
    .brief = "Finds the smallest element of each column.",
    .formula = "dst[0,j] = the first i of the smallest src[i,j]",
    .operands = {Out("dst", Extent::kColResults, "receives the rows", &kIndexTypes), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 1,
    .walk = Walk::kArgFold,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kU16 | dtypes::kU32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside = "Only row 0 of the outputs is written. With an empty src the call succeeds and does nothing.",
    .specials = "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLARGMIN",
};

inline constexpr OpInfo kTColArgminValue = {
    .id = 118,
    .name = "tcolargmin_value",
    .mnemonic = "tcolargmin",
    .brief = "Finds the smallest element of each column and its row.",
    .formula = "(dst_val[0,j], dst_idx[0,j]) = (src[k,j], k), k the first i of the smallest src[i,j]",
    .operands = {Out("dst_val", Extent::kColResults, "receives the elements"),
                 Out("dst_idx", Extent::kColResults, "receives the rows", &kIndexOf), In("src", "the elements"),
                 Tmp("scratch; A2A3 needs it, elsewhere it may be NULL and is not touched"), Flags()},
    .lead = 2,
    .walk = Walk::kArgFold,
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed,
               .a2a3 = dtypes::kU16 | dtypes::kU32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits & ~(dtypes::kI8 | dtypes::kU8)},
    .rules = {{Rule::kTmpRequired, profiles::kA2A3},
              {Rule::kTmpLayout, profiles::kA2A3},
              {Rule::kTmpApart, profiles::kA2A3}},
    .outside = "Only row 0 of the outputs is written. With an empty src the call succeeds and does nothing.",
    .specials =
        "Equal elements give the first one. The two zeros are equal. A NaN wins; the first of several NaNs. Values "
        "are copied bit for bit.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLARGMIN",
};

inline constexpr OpInfo kTPairReduceSum = {
    .id = 120,
    .name = "tpairreducesum",
    .brief = "Adds neighbours along each row.",
    .formula = "dst[i,k] = src[i,2k] + src[i,2k+1] for 2k < C, 0 behind",
    .operands = {Out("dst", "receives the sums, followed by zeros"), In("src", "the summands"), Flags()},
    .walk = Walk::kPairSum,
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials =
        "With an odd number of columns, the last element has no partner and is copied. Floats: IEEE addition. "
        "Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .others = "A2A3 and A5 drop an odd last element and do not write the zeros.",
    .family = Family::kIrregular,
    .source = "TPAIRREDUCESUM",
};

#undef PTO_OTHER_ORDERS

}  // namespace pto

#endif  // PTO_SRC_RECORDS_REDUCE_H_
