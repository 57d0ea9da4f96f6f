// Records of the instructions that broadcast one element per column, or one per row.
#ifndef PTO_SRC_RECORDS_EXPAND_H_
#define PTO_SRC_RECORDS_EXPAND_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTColExpandDiv = {
    .id = 4,
    .name = "tcolexpanddiv",
    .brief = "Divides each column by its own scalar.",
    .formula = "dst[i,j] = src0[i,j] / src1[0,j]",
    .operands = {Out("dst", "receives the quotients"), In("src0", "the dividends"),
                 In("src1", Extent::kRow, "the divisors, one per column: row 0, or a column-major tile of one column"),
                 Flags("0")},
    .cpp_template = "dst src0 src1 | precision dst src0 src1",
    .lane = Lane::kDiv,
    .dtypes = {.cpu = dtypes::kUpTo32Bits, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kUpTo32Bits},
    .sources = {{Rule::kRowMajor, profiles::kHardware, sources::kDocument | sources::kImplementation},
                {Rule::kValidEqual, profiles::kHardware, sources::kImplementation | sources::kDialect},
                {Rule::kColsCovered, profiles::kEvery, sources::kDocument}},
    .specials =
        "Floats: IEEE division, x/0 is +-inf, 0/0 and inf/inf are NaN. Integers: the quotient is truncated, x/0 is 0 "
        "and MIN/-1 is MIN.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDDIV",
};

inline constexpr OpInfo kTColExpandMul = {
    .id = 6,
    .name = "tcolexpandmul",
    .brief = "Multiplies each column by its own scalar.",
    .formula = "dst[i,j] = src0[i,j] * src1[0,j]",
    .operands = {Out("dst", "receives the products"), In("src0", "the left factors"),
                 In("src1", Extent::kRow,
                    "the right factors, one a column: row 0, or a column-major tile of one column"),
                 Flags("0")},
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kUpTo32Bits,
               .a2a3 = dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits},
    .sources = {{Rule::kRowMajor, profiles::kHardware, sources::kDocument | sources::kImplementation},
                {Rule::kValidEqual, profiles::kHardware, sources::kImplementation | sources::kDialect},
                {Rule::kColsCovered, profiles::kEvery, sources::kDocument}},
    .specials = "Floats: IEEE multiplication, 0 * inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDMUL",
};

inline constexpr OpInfo kTRowExpand = {
    .id = 70,
    .name = "trowexpand",
    .brief = "Fills each row with its own element.",
    .formula = "dst[i,j] = src[i,0]",
    .operands = {Out("dst", "receives the elements"), In("src", Extent::kColumn, "one element per row"), Flags()},
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kComputed | dtypes::kSmall},
    .rules = {{Rule::kVectorEqual, profiles::kHardware}},
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWEXPAND",
};

inline constexpr OpInfo kTColExpand = {
    .id = 80,
    .name = "tcolexpand",
    .brief = "Fills each column with its own element.",
    .formula = "dst[i,j] = src[0,j]",
    .operands = {Out("dst", "receives the elements"), In("src", Extent::kRow, "one element per column"), Flags()},
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = dtypes::kUpTo32Bits, .a5 = dtypes::kComputed | dtypes::kSmall},
    .rules = {{Rule::kVectorEqual, profiles::kA5}},
    .specials = "All bits are kept, including NaN payloads.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLEXPAND",
};

inline constexpr OpInfo kTRowExpandMul = {
    .id = 71,
    .name = "trowexpandmul",
    .brief = "Multiplies each row by its own scalar.",
    .formula = "dst[i,j] = src0[i,j] * src1[i,0]",
    .operands = {Out("dst", "receives the products"),
                 In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags()},
    .lane = Lane::kMul,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .hidden_scratch = profiles::kA2A3,
    .specials = "Floats: IEEE multiplication, 0 * inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kReduce,
    .source = "TROWEXPANDMUL",
};

inline constexpr OpInfo kTRowExpandAdd = {
    .id = 72,
    .name = "trowexpandadd",
    .brief = "Adds to each row its own scalar.",
    .formula = "dst[i,j] = src0[i,j] + src1[i,0]",
    .operands = {Out("dst", "receives the sums"), In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags()},
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .hidden_scratch = profiles::kA2A3,
    .specials = "Floats: IEEE addition, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kReduce,
    .source = "TROWEXPANDADD",
};

inline constexpr OpInfo kTRowExpandSub = {
    .id = 73,
    .name = "trowexpandsub",
    .brief = "Subtracts from each row its own scalar.",
    .formula = "dst[i,j] = src0[i,j] - src1[i,0]",
    .operands = {Out("dst", "receives the differences"),
                 In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags()},
    .lane = Lane::kSub,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .hidden_scratch = profiles::kA2A3,
    .specials = "Floats: IEEE subtraction, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kReduce,
    .source = "TROWEXPANDSUB",
};

inline constexpr OpInfo kTRowExpandDiv = {
    .id = 74,
    .name = "trowexpanddiv",
    .brief = "Divides each row by its own scalar.",
    .formula = "dst[i,j] = src0[i,j] / src1[i,0]",
    .operands = {Out("dst", "receives the quotients"),
                 In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags("0 or PTO_HIGH_PRECISION, which changes nothing: results are correctly rounded without it")},
    .lane = Lane::kDiv,
    .flags = kHighPrecision,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kUpTo32Bits},
    .hidden_scratch = profiles::kA2A3,
    .specials =
        "Floats: IEEE division, x/0 is +-inf, 0/0 and inf/inf are NaN. Integers: the quotient is truncated, x/0 is 0 "
        "and MIN/-1 is MIN.",
    .accuracy = "Correctly rounded. Integers: exact.",
    .family = Family::kReduce,
    .source = "TROWEXPANDDIV",
};

inline constexpr OpInfo kTRowExpandMax = {
    .id = 75,
    .name = "trowexpandmax",
    .brief = "Takes the larger of each element and the scalar of its row.",
    .formula = "dst[i,j] = max(src0[i,j], src1[i,0])",
    .operands = {Out("dst", "receives the maxima"),
                 In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags()},
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .hidden_scratch = profiles::kA2A3,
    .specials = "A NaN in either source gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWEXPANDMAX",
};

inline constexpr OpInfo kTRowExpandMin = {
    .id = 76,
    .name = "trowexpandmin",
    .brief = "Takes the smaller of each element and the scalar of its row.",
    .formula = "dst[i,j] = min(src0[i,j], src1[i,0])",
    .operands = {Out("dst", "receives the minima"),
                 In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags()},
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .hidden_scratch = profiles::kA2A3,
    .specials = "A NaN in either source gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TROWEXPANDMIN",
};

inline constexpr OpInfo kTColExpandAdd = {
    .id = 81,
    .name = "tcolexpandadd",
    .brief = "Adds to each column its own scalar.",
    .formula = "dst[i,j] = src0[i,j] + src1[0,j]",
    .operands = {Out("dst", "receives the sums"), In("src0", "the left operands"),
                 In("src1", Extent::kRow,
                    "the right operands, one a column: row 0, or a column-major tile of one column"),
                 Flags()},
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .specials = "Floats: IEEE addition, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDADD",
};

inline constexpr OpInfo kTColExpandSub = {
    .id = 82,
    .name = "tcolexpandsub",
    .brief = "Subtracts from each column its own scalar.",
    .formula = "dst[i,j] = src0[i,j] - src1[0,j]",
    .operands = {Out("dst", "receives the differences"), In("src0", "the left operands"),
                 In("src1", Extent::kRow,
                    "the right operands, one a column: row 0, or a column-major tile of one column"),
                 Flags()},
    .lane = Lane::kSub,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .specials = "Floats: IEEE subtraction, inf - inf is NaN. Integers wrap modulo 2^W.",
    .accuracy = "Correctly rounded. Integers: exact modulo 2^W.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDSUB",
};

inline constexpr OpInfo kTColExpandMax = {
    .id = 83,
    .name = "tcolexpandmax",
    .brief = "Takes the larger of each element and the scalar of its column.",
    .formula = "dst[i,j] = max(src0[i,j], src1[0,j])",
    .operands = {Out("dst", "receives the maxima"), In("src0", "the left operands"),
                 In("src1", Extent::kRow,
                    "the right operands, one a column: row 0, or a column-major tile of one column"),
                 Flags()},
    .lane = Lane::kMax,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .specials = "A NaN in either source gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDMAX",
};

inline constexpr OpInfo kTColExpandMin = {
    .id = 84,
    .name = "tcolexpandmin",
    .brief = "Takes the smaller of each element and the scalar of its column.",
    .formula = "dst[i,j] = min(src0[i,j], src1[0,j])",
    .operands = {Out("dst", "receives the minima"), In("src0", "the left operands"),
                 In("src1", Extent::kRow,
                    "the right operands, one a column: row 0, or a column-major tile of one column"),
                 Flags()},
    .lane = Lane::kMin,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = dtypes::kPlain, .a5 = dtypes::kUpTo32Bits},
    .specials = "A NaN in either source gives NaN; +0 is larger than -0.",
    .accuracy = "Exact.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDMIN",
};

inline constexpr OpInfo kTRowExpandExpdif = {
    .id = 77,
    .name = "trowexpandexpdif",
    .brief = "Subtracts from each row its own scalar and takes the exponential.",
    .formula = "dst[i,j] = exp(src0[i,j] - src1[i,0])",
    .operands = {Out("dst", "receives the exponentials"),
                 In("src0", Extent::kRepeat, "the left operands, all or one per row"),
                 In("src1", Extent::kRepeat, "the right operands, one per row or all"), Tmp("may be NULL; not touched"),
                 Flags()},
    .lane = Lane::kExpDif,
    .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .hidden_scratch = profiles::kA2A3,
    .specials =
        "f16 and bf16: the difference is exact, and its exponential is rounded once. f32: the difference is rounded to "
        "f32 first. -inf gives +0, overflow +inf.",
    .accuracy =
        "f32: at most 1 ulp of the exponential of the rounded difference. f16 and bf16: the exponential of the exact "
        "difference, correctly rounded.",
    .family = Family::kReduce,
    .source = "TROWEXPANDEXPDIF",
};

inline constexpr OpInfo kTColExpandExpdif = {
    .id = 85,
    .name = "tcolexpandexpdif",
    .brief = "Subtracts from each column its own scalar and takes the exponential.",
    .formula = "dst[i,j] = exp(src0[i,j] - src1[0,j])",
    .operands = {Out("dst", "receives the exponentials"), In("src0", "the left operands"),
                 In("src1", Extent::kRow,
                    "the right operands, one a column: row 0, or a column-major tile of one column"),
                 Flags()},
    .lane = Lane::kExpDif,
    .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kF16 | dtypes::kF32, .a5 = dtypes::kF16 | dtypes::kF32},
    .specials =
        "f16 and bf16: the difference is exact, and its exponential is rounded once. f32: the difference is rounded to "
        "f32 first. -inf gives +0, overflow +inf.",
    .accuracy =
        "f32: at most 1 ulp of the exponential of the rounded difference. f16 and bf16: the exponential of the exact "
        "difference, correctly rounded.",
    .family = Family::kReduce,
    .source = "TCOLEXPANDEXPDIF",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_EXPAND_H_
