// Records of the products of matrices.
#ifndef PTO_SRC_RECORDS_MATRIX_H_
#define PTO_SRC_RECORDS_MATRIX_H_

#include "src/records/op_info.h"

namespace pto {

// What mixes: floats of a byte with a sign, of either make.
inline constexpr DTypeSet kFloat8Factors = dtypes::kE4M3 | dtypes::kE5M2;
// Factor types that each accumulator type accepts. A2A3 has no 8-bit floats.
inline constexpr TypeMap kFactorTypes = [] {
  TypeMap map;
  map.Set(profiles::kEvery, dtypes::kI32, dtypes::kI8);
  map.Set(profiles::kEvery, dtypes::kF32, dtypes::kFloats | dtypes::kFloat8);
  map.Set(profiles::kA2A3, dtypes::kF32, dtypes::kFloats);
  map.mixed[0] = kFloat8Factors;
  return map;
}();
// The same with block scales.
inline constexpr TypeMap kMxFactorTypes = [] {
  TypeMap map;
  map.Set(profiles::kCpu | profiles::kA5, dtypes::kF32, kFloat8Factors | dtypes::kFloat4);
  map.mixed[0] = kFloat8Factors;
  map.mixed[1] = dtypes::kFloat4;
  return map;
}();
inline constexpr TypeMap kMxScaleTypes = TypeMap::Any(dtypes::kE8M0);
inline constexpr DTypeSet kSumTypes = dtypes::kI32 | dtypes::kF32;

// What sums start from.
enum class ProductStart : uint8_t { kZero = 0, kAcc = 1, kBias = 2 };

// The operands of a product, in their order; `scaled`: with block scales.
constexpr Operand ProductOperand(ProductStart start, bool scaled, int at) {
  const TypeMap* factors = scaled ? &kMxFactorTypes : &kFactorTypes;
  const struct {
    bool there;
    Operand operand;
  } all[] = {
      {true, Out("dst", "receives the sums; its valid region, m x n, is the domain")},
      {start == ProductStart::kAcc, In("acc_in", "the accumulator that the sums start from")},
      {true, In("a", Extent::kLeft, "the left matrix, valid in m x k", factors)},
      {scaled, In("a_scale", Extent::kLeftScales, "its scales, valid in m x k/32, rounded up", &kMxScaleTypes)},
      {true, In("b", Extent::kRight, "the right matrix, valid in k x n", factors)},
      {scaled, In("b_scale", Extent::kRightScales, "its scales, valid in k/32, rounded up, x n", &kMxScaleTypes)},
      {start == ProductStart::kBias, In("bias", Extent::kRow, "a row that the sums start from")},
      {!scaled, Mode("mad", &kMadMode, "how a and b are rounded first, where they hold f32")},
      {true, Flags()}};
  for (const auto& one : all) {
    if (one.there && at-- == 0) return one.operand;
  }
  return Operand();
}

// What differs between the two kinds of products.
struct ProductKind {
  bool scaled;
  const char* formulas[3];  // by ProductStart
  DTypeSet types;
  ProfileSet hardware;  // that have them, and rules of their own
  Rule own;
  const char* specials;
  const char* accuracy;
  const char* others;
};

inline constexpr ProductKind kPlainProduct = {
    .scaled = false,
    .formulas = {"dst[i,j] = sum over k of a[i,k] * b[k,j]", "dst[i,j] = acc_in[i,j] + sum over k of a[i,k] * b[k,j]",
                 "dst[i,j] = bias[0,j] + sum over k of a[i,k] * b[k,j]"},
    .types = kSumTypes,
    .hardware = profiles::kHardware,
    .own = Rule::kMadMode,
    .specials =
        "f32, f16 and 8-bit floats: each sum is a chain of fused multiply-adds over k in increasing order. It starts "
        "at acc_in or the bias if there is one, otherwise at +0. Each step rounds once to f32. Subnormals are kept. "
        "bf16: for each 32 values of k, counted from the start of the call, an even chain (k = 0, 2, 4 ...) and an "
        "odd chain of fused multiply-adds start from +0. Each 32 values add the sum of the two chains to the result. "
        "Each step rounds once to f32. Beyond the last k, factors are +0. Subnormal operands, chains, sums and "
        "results become zeros with their sign; a result counts as subnormal if it is below 2^-126 after rounding to "
        "24 bits. i8: exact, modulo 2^32. A NaN is canonical. mad first rounds each f32 of a and b once, including "
        "subnormals; overflow gives infinity.",
    .accuracy =
        "One rounding to nearest even for each added product, and for bf16 two more for each 32 products. The bits "
        "are the same for every layout, blocking and machine. bf16: two calls with k = 16 give other bits than one "
        "call with k = 32; splitting k at multiples of 32 does not change the bits. Integers: exact modulo 2^32.",
    .others =
        "The order of sums on hardware is not documented, so floats can differ in their last bits: compare with "
        "device results by a tolerance, not bit by bit. Hardware adds to dst and ignores acc_in: there the two are "
        "one tile. Its core keeps mad as a state; one test treats subnormals as zero where mad rounds. The common "
        "simulator sums from 0 and adds an accumulator or a bias last.",
};
inline constexpr ProductKind kScaledProduct = {
    .scaled = true,
    .formulas = {"dst[i,j] = sum over k of (a[i,k] * a_scale[i,k/32]) * (b[k,j] * b_scale[k/32,j])",
                 "dst[i,j] = acc_in[i,j] + sum over k of (a[i,k] * a_scale[i,k/32]) * (b[k,j] * b_scale[k/32,j])",
                 "dst[i,j] = bias[0,j] + sum over k of (a[i,k] * a_scale[i,k/32]) * (b[k,j] * b_scale[k/32,j])"},
    .types = dtypes::kF32,
    .hardware = profiles::kA5,
    .own = Rule::kScalePairs,
    .specials =
        "Each factor is an element times its scale, a power of two; this is exact for all magnitudes. Each sum is a "
        "chain of fused multiply-adds over k in increasing order. It starts at acc_in or the bias if there is one, "
        "otherwise at +0. Each step rounds once to f32. A NaN scale (255) makes its 32 products NaN, including "
        "products of zeros. Subnormals are kept. A NaN is canonical.",
    .accuracy =
        "One rounding to nearest even for each added product. The bits are the same for every layout, blocking and "
        "machine.",
    .others =
        "The order of sums on hardware is not documented, so results can differ in their last bits: compare with "
        "device results by a tolerance, not bit by bit. Hardware derives the address of the scales from the address "
        "of their matrix (TGET_SCALE_ADDR). The common simulator adds an accumulator or a bias last and treats a NaN "
        "scale as 2^128. The common simulator does not support infinity and NaN in factors.",
};

// The record of a product; `row`: hardware multiplies one row.
constexpr OpInfo Product(int32_t id, const char* name, const char* brief, const ProductKind& kind, ProductStart start,
                         bool row, const char* source) {
  const auto operand = [&](int at) { return ProductOperand(start, kind.scaled, at); };
  return OpInfo{
      .id = id,
      .name = name,
      .brief = brief,
      .formula = kind.formulas[static_cast<int>(start)],
      .operands = {operand(0), operand(1), operand(2), operand(3), operand(4), operand(5), operand(6)},
      .walk = Walk::kMatMul,
      .lane = Lane::kMul,
      .dtypes = {.cpu = kind.types,
                 .a2a3 = kind.hardware == profiles::kHardware ? kind.types : dtypes::kNone,
                 .a5 = kind.types},
      .in_vec = profiles::kNone,
      .row_major = profiles::kNone,
      .rules = {{Rule::kLocationMatrix, kind.hardware},
                {Rule::kMatrixLayout, kind.hardware},
                {Rule::kMatrixSize, kind.hardware},
                {kind.own, kind.hardware},
                row ? RuleUse{Rule::kOneRow, kind.hardware} : RuleUse{}},
      .shapes = row ? "a has k valid columns and b has k valid rows. a has the valid rows of dst and b its valid "
                      "columns (CPU: or "
                      "more). A2A3 and A5: m is 1."
                    : "a has k valid columns and b has k valid rows. a has the valid rows of dst and b its valid "
                      "columns (CPU: or more).",
      .specials = kind.specials,
      .accuracy = kind.accuracy,
      .others = kind.others,
      .family = Family::kMatrix,
      .source = source,
  };
}

inline constexpr OpInfo kTMatMul =
    Product(220, "tmatmul", "Multiplies two matrices.", kPlainProduct, ProductStart::kZero, false, "TMATMUL");
inline constexpr OpInfo kTMatMulAcc = Product(221, "tmatmul_acc", "Multiplies two matrices and adds an accumulator.",
                                              kPlainProduct, ProductStart::kAcc, false, "TMATMUL_ACC");
inline constexpr OpInfo kTMatMulBias =
    Product(222, "tmatmul_bias", "Multiplies two matrices and adds a bias to each row.", kPlainProduct,
            ProductStart::kBias, false, "TMATMUL_BIAS");
inline constexpr OpInfo kTGemv =
    Product(223, "tgemv", "Multiplies a row and a matrix.", kPlainProduct, ProductStart::kZero, true, "TGEMV");
inline constexpr OpInfo kTGemvAcc = Product(224, "tgemv_acc", "Multiplies a row and a matrix and adds an accumulator.",
                                            kPlainProduct, ProductStart::kAcc, true, "TGEMV_ACC");
inline constexpr OpInfo kTGemvBias = Product(225, "tgemv_bias", "Multiplies a row and a matrix and adds a bias.",
                                             kPlainProduct, ProductStart::kBias, true, "TGEMV_BIAS");
inline constexpr OpInfo kTMatMulMx = Product(380, "tmatmul_mx", "Multiplies two matrices with block scales.",
                                             kScaledProduct, ProductStart::kZero, false, "TMATMUL_MX");
inline constexpr OpInfo kTMatMulMxAcc =
    Product(381, "tmatmul_mx_acc", "Multiplies two matrices with block scales and adds an accumulator.", kScaledProduct,
            ProductStart::kAcc, false, "TMATMUL_MX");
inline constexpr OpInfo kTMatMulMxBias =
    Product(382, "tmatmul_mx_bias", "Multiplies two matrices with block scales and adds a bias to each row.",
            kScaledProduct, ProductStart::kBias, false, "TMATMUL_MX");
inline constexpr OpInfo kTGemvMx = Product(383, "tgemv_mx", "Multiplies a row and a matrix with block scales.",
                                           kScaledProduct, ProductStart::kZero, true, "TGEMV_MX");
inline constexpr OpInfo kTGemvMxAcc =
    Product(384, "tgemv_mx_acc", "Multiplies a row and a matrix with block scales and adds an accumulator.",
            kScaledProduct, ProductStart::kAcc, true, "TGEMV_MX");
inline constexpr OpInfo kTGemvMxBias =
    Product(385, "tgemv_mx_bias", "Multiplies a row and a matrix with block scales and adds a bias.", kScaledProduct,
            ProductStart::kBias, true, "TGEMV_MX");

}  // namespace pto

#endif  // PTO_SRC_RECORDS_MATRIX_H_
