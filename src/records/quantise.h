// Records of what quantises, to integers and to small floats with block scales, and back.
#ifndef PTO_SRC_RECORDS_QUANTISE_H_
#define PTO_SRC_RECORDS_QUANTISE_H_

#include <initializer_list>

#include "src/records/op_info.h"

namespace pto {

inline constexpr TypeMap kQuantisedTypes = TypeMap::Any(dtypes::kI8 | dtypes::kI16);

inline constexpr OpInfo kTDequant = {
    .id = 386,
    .name = "tdequant",
    .brief = "Converts quantised integers back to f32, with an offset and a scale for each row.",
    .formula = "dst[i,j] = (src[i,j] - offset[i,0]) * scale[i,0]",
    .operands = {Out("dst", "receives the numbers"), In("src", Extent::kSame, "the integers", &kQuantisedTypes),
                 In("scale", Extent::kColumn, "the steps between integers, f32: multipliers, one a row"),
                 In("offset", Extent::kColumn, "the integers that represent 0, as f32, one per row"), Flags()},
    .walk = Walk::kChain,
    .lane = Lane::kSub,
    .steps = {Become(DType::kF32), Do(Lane::kSub, 3), Do(Lane::kMul, 2), BecomeDst()},
    .dtypes = {.cpu = dtypes::kF32, .a2a3 = dtypes::kF32, .a5 = dtypes::kF32},
    .specials =
        "Integers are exact in f32. The difference and the product are each rounded to f32, as in IEEE 754: an "
        "infinite scale times a difference of 0 is NaN. A NaN is canonical.",
    .accuracy = "Two roundings to nearest, ties to even.",
    .others =
        "The document and the common simulator take further columns of scale and offset for further columns of src, "
        "the last one for the rest; hardware takes column 0 for all, and so does libpto. The document calls the "
        "scale an inverse one; every implementation multiplies by it.",
    .family = Family::kIrregular,
    .source = "TDEQUANT",
};

inline constexpr TypeMap kSymmetricTypes = TypeMap::Any(dtypes::kI8);
inline constexpr TypeMap kAsymmetricTypes = TypeMap::Any(dtypes::kU8);

// TQUANT to integers; `offset`: asymmetric, to u8.
constexpr OpInfo QuantisedToInteger(int32_t id, const char* name, bool offset, const char* brief, const char* formula) {
  const TypeMap* to = offset ? &kAsymmetricTypes : &kSymmetricTypes;
  const Operand zero = In("offset", Extent::kColumn, "what is added to each row, the integer that 0 becomes");
  return OpInfo{
      .id = id,
      .name = name,
      .mnemonic = "tquant",
      .own_mnemonic = true,
      .brief = brief,
      .formula = formula,
      .operands = {Out("dst", Extent::kSame, "receives the integers", to), In("src", "the numbers"),
                   In("scale", Extent::kColumn, "what each row is multiplied by, the reciprocal of a step"),
                   offset ? zero : Flags(), offset ? Flags() : Operand()},
      .lead = 1,
      .walk = Walk::kChain,
      .lane = Lane::kMul,
      .steps = {Do(Lane::kMul, 2), offset ? Do(Lane::kAdd, 3) : BecomeDst(), offset ? BecomeDst() : Step()},
      .dtypes = {.cpu = dtypes::kF32, .a2a3 = dtypes::kF32, .a5 = dtypes::kF32},
      .specials =
          "Each step is rounded to f32. The result is rounded to the nearest integer, ties to even, and clamped to "
          "the range of its type. NaN gives 0.",
      .accuracy = "Each step is correctly rounded.",
      .others =
          "A document of the ISA divides by the scale and clamps to the range of i8 for both types; every "
          "implementation multiplies, as here. NaN is undefined there. A2A3 destroys src and needs scratch of its "
          "size; here src does not change and no scratch is needed.",
      .family = Family::kIrregular,
      .source = "TQUANT",
  };
}

inline constexpr OpInfo kTQuantAsym =
    QuantisedToInteger(387, "tquant_asym", true, "Quantises f32 to u8, with a scale and an offset for each row.",
                       "dst[i,j] = src[i,j] * scale[i,0] + offset[i,0] as u8");
inline constexpr OpInfo kTQuant = QuantisedToInteger(
    388, "tquant", false, "Quantises f32 to i8, with a scale for each row.", "dst[i,j] = src[i,j] * scale[i,0] as i8");

// Small floats of groups, by the type of the elements. A2A3 has none, and A5 no e2m1 of f32.
inline constexpr TypeMap kGroupedTypes = [] {
  TypeMap map;
  map.Set(profiles::kCpu | profiles::kA5, dtypes::kFloats, dtypes::kE4M3 | dtypes::kE2M1);
  map.Set(profiles::kA5, dtypes::kF32, dtypes::kE4M3);
  return map;
}();
inline constexpr TypeMap kExponentTypes = TypeMap::Any(dtypes::kE8M0 | dtypes::kU8);
// Powers of two that f16 has not.
inline constexpr TypeMap kMultiplierTypes = [] {
  TypeMap map;
  for (auto& row : map.of) {
    row[static_cast<int>(DType::kF32)] = dtypes::kF32;
    row[static_cast<int>(DType::kF16)] = row[static_cast<int>(DType::kBF16)] = dtypes::kBF16;
  }
  return map;
}();

// TQUANT to small floats; `groups`: where the 32 elements of a scale lie.
constexpr OpInfo QuantisedToGroups(int32_t id, const char* name, Extent groups, const char* brief, const char* formula,
                                   const char* source) {
  return OpInfo{
      .id = id,
      .name = name,
      .brief = brief,
      .formula = formula,
      .operands = {Out("dst", Extent::kSame, "receives the elements", &kGroupedTypes),
                   Out("exp", groups, "receives the exponent of each group as e8m0", &kExponentTypes),
                   Out("max", groups, "receives the largest magnitude of each group"),
                   Out("scaling", groups, "receives the factor of each group, 2^(127-exp)", &kMultiplierTypes),
                   In("src", "the numbers"), Mode("alg", &kScaleAlgMode, "how the exponents are chosen"), Flags()},
      .lead = 4,
      .walk = Walk::kQuantise,
      .lane = Lane::kMul,
      .dtypes = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kNone, .a5 = dtypes::kFloats},
      .rules = {{Rule::kDstsApart}},
      .sources = {{Rule::kDstsApart, profiles::kEvery, sources::kLibrary}},
      .shapes = "exp, max and scaling have one element per group of src; the last group of a line may be shorter.",
      .outside =
          "Nothing outside the valid region of src, and outside its groups, is written. If it is empty, the call "
          "succeeds and does nothing.",
      .specials =
          "OCP: exp is the exponent of max minus 8 (e4m3) or 2 (e2m1), at least 0. NV: exp is the exponent of max / "
          "448 or max / 6, rounded up to the next power of two; the reciprocal and the product are each rounded to "
          "f32; infinity gives 254. scaling is exactly 2^(127-exp). If a group has a NaN, max and scaling are NaN "
          "and exp is 255. Products are rounded once to the type, ties to even; overflow and infinity give its "
          "largest number. NaN becomes 0x7f as e4m3, and 6 as e2m1, which has no NaN.",
      .accuracy = "One rounding.",
      .others =
          "A document of the ISA uses 1 for the exponent of e2m1 and rounds stochastically; implementations do not. "
          "The common simulator has no e4m3, writes the bytes to i8, and needs whole groups. Hardware can write the "
          "exponents in boxes at once; here exp is a tile of any layout.",
      .family = Family::kIrregular,
      .source = source,
  };
}

inline constexpr OpInfo kTQuantMx = QuantisedToGroups(
    389, "tquant_mx", Extent::kRowGroups, "Quantises rows to e4m3 or e2m1 with a scale for each 32 elements.",
    "dst[i,j] = src[i,j] * scaling[i,j/32] as a small float", "TQUANT, MX 1-D");
inline constexpr OpInfo kTQuantDn = QuantisedToGroups(
    390, "tquant_dn", Extent::kColGroups, "Quantises columns to e4m3 or e2m1 with a scale for each 32 elements.",
    "dst[i,j] = src[i,j] * scaling[i/32,j] as a small float", "TQUANT, MX grouped");

}  // namespace pto

#endif  // PTO_SRC_RECORDS_QUANTISE_H_
