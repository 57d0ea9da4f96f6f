// Records of the instructions that change element types.
#ifndef PTO_SRC_RECORDS_CONVERT_H_
#define PTO_SRC_RECORDS_CONVERT_H_

#include "src/records/op_info.h"

namespace pto {

// From which types TCVT converts to a type.
inline constexpr TypeMap kConvertedTypes = [] {
  TypeMap map;
  using namespace dtypes;
  using profiles::kA2A3, profiles::kA5;
  map.Set(profiles::kCpu, kStored, kStored);
  map.Set(kA2A3, kI4 | kI8 | kU8, kF16);
  map.Set(kA2A3, kI16, kI32 | kF16 | kF32);
  map.Set(kA2A3, kI32, kFloats | kI64);
  map.Set(kA2A3, kI64, kI32 | kF32);
  map.Set(kA2A3, kF16, kI4 | kI8 | kU8 | kI16 | kI32 | kF32);
  map.Set(kA2A3, kBF16, kF32);
  map.Set(kA2A3, kF32, kPlain | kI64 | kBF16);
  map.Set(kA5, kI8, kF16);
  map.Set(kA5, kU8, kI16 | kI32 | kU32 | kF16);
  map.Set(kA5, kI16, kI8 | kI32 | kU32 | kF16 | kF32);
  map.Set(kA5, kU16, kU8 | kI32 | kU32);
  map.Set(kA5, kI32, kI8 | kI16 | kI64 | kF16 | kBF16 | kF32);
  map.Set(kA5, kU32, kI16);
  map.Set(kA5, kI64, kI32 | kF32);
  map.Set(kA5, kF16, kI8 | kU8 | kI16 | kBF16 | kF32);
  map.Set(kA5, kBF16, kF32 | kFloat4);
  map.Set(kA5, kF32, kPlain | kI64 | kBF16 | kFloat8);
  map.Set(kA5, kE4M3 | kE5M2, kF32);
  map.Set(kA5, kHiF8, kF16 | kF32);
  map.Set(kA5, kE2M1 | kE1M2, kBF16);
  return map;
}();

inline constexpr OpInfo kTCvt = {
    .id = 65,
    .name = "tcvt",
    .brief = "Converts elements to another type.",
    .formula = "dst[i,j] = src[i,j] as an element of the type of dst",
    .operands = {Out("dst", "receives the converted elements"),
                 In("src", Extent::kSame, "the elements", &kConvertedTypes), Tmp("may be NULL; not touched"),
                 Mode("mode", &kRoundMode, "the rounding"),
                 Mode("sat_mode", &kSaturationMode, "what becomes of values that the type has not"), Flags()},
    .cpp_template = "dst src tmp | ctrl dst src tmp",
    .walk = Walk::kConvert,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored,
               .a2a3 = dtypes::kI4 | dtypes::kI8 | dtypes::kU8 | dtypes::kI16 | dtypes::kI32 | dtypes::kI64 |
                       dtypes::kF16 | dtypes::kBF16 | dtypes::kF32,
               .a5 = dtypes::kUpTo32Bits | dtypes::kI64 | dtypes::kFloat8 | dtypes::kFloat4},
    .specials =
        "Floats to integers: rounded by the mode. PTO_SAT_ON clamps; NaN gives 0. PTO_SAT_OFF keeps the low bits of "
        "the rounded value; an infinity counts as the nearest 64-bit integer (unsigned for u64). To narrower floats: "
        "rounded once by the mode. Overflow and infinity give the largest number with PTO_SAT_ON, infinity with "
        "PTO_SAT_OFF. A NaN becomes canonical. A float converted to its own type is rounded to an integer. If the "
        "target type contains every value of src, the conversion is exact and an infinity stays infinite. "
        "PTO_ROUND_ODD sets the last bit of an inexact result. Small floats: e4m3 and e8m0 have no infinity; with "
        "PTO_SAT_OFF overflow gives NaN. hif8 has one zero, and PTO_ROUND_NONE rounds ties to it away from zero. A "
        "tie between two adjacent powers of two gives the larger one. Zero and negative numbers are NaN as e8m0; "
        "numbers below 2^-127 become its smallest value, 0x00. e2m1 and e1m2 have neither infinity nor NaN: overflow "
        "gives the largest number in both modes of saturation, and a NaN is -0.",
    .accuracy = "One rounding.",
    .others =
        "A2A3 clamps some pairs to i32 before it keeps low bits; the common simulator rounds ODD to ties. A5 rounds to "
        "e4m3 and e5m2 to even and to hif8 away from zero, whatever the mode. The common simulator cuts off small "
        "floats, wraps their exponents and knows no NaN.",
    .family = Family::kElementwise,
    .source = "TCVT",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_CONVERT_H_
