// Records of the products of matrices.
#ifndef PTO_SRC_OPS_MATRIX_H_
#define PTO_SRC_OPS_MATRIX_H_

#include "src/ops/op_info.h"

namespace pto {

// What mixes: floats of a byte with a sign, of either make.
inline constexpr DTypeSet kFloat8Factors = dtypes::kE4M3 | dtypes::kE5M2;
// Whose products which accumulators sum. A2A3 has no floats of a byte.
inline constexpr TypeMap kFactorTypes = [] {
  TypeMap map;
  for (int p = 0; p < kProfileCount; ++p) {
    map.of[p][static_cast<int>(DType::kI32)] = dtypes::kI8;
    map.of[p][static_cast<int>(DType::kF32)] = dtypes::kFloats;
    if (static_cast<Profile>(p) != Profile::kA2A3) map.of[p][static_cast<int>(DType::kF32)] |= dtypes::kFloat8;
  }
  map.mixed[0] = kFloat8Factors;
  return map;
}();
// The same with block scales.
inline constexpr TypeMap kMxFactorTypes = [] {
  TypeMap map;
  for (const Profile p : {Profile::kCpu, Profile::kA5}) {
    map.of[static_cast<int>(p)][static_cast<int>(DType::kF32)] = kFloat8Factors | dtypes::kFloat4;
  }
  map.mixed[0] = kFloat8Factors;
  map.mixed[1] = dtypes::kFloat4;
  return map;
}();
inline constexpr TypeMap kMxScaleTypes = TypeMap::Any(dtypes::kE8M0);
inline constexpr DTypeSet kSumTypes = dtypes::kI32 | dtypes::kF32;

// What sums start from.
enum class ProductStart : uint8_t { kZero = 0, kAcc = 1, kBias = 2 };

// The operands of a product, in their order.
constexpr Operand ProductOperand(ProductStart start, int at) {
  const Operand all[] = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                         In("acc_in", "the accumulator that the sums start from"),
                         In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                         In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes),
                         In("bias", Extent::kRow, "a row that the sums start from"),
                         Mode("mad", &kMadMode, "how a and b are rounded first, where they hold f32"),
                         Flags()};
  const bool has[] = {true, start == ProductStart::kAcc, true, true, start == ProductStart::kBias, true, true};
  for (int i = 0; i < 7; ++i) {
    if (has[i] && at-- == 0) return all[i];
  }
  return Operand();
}

// The record of a product; `row`: hardware multiplies one row.
constexpr OpInfo Product(int32_t id, const char* name, const char* brief, ProductStart start, bool row,
                         const char* source) {
  constexpr const char* kFormulas[] = {"dst[i,j] = sum over k of a[i,k] * b[k,j]",
                                       "dst[i,j] = acc_in[i,j] + sum over k of a[i,k] * b[k,j]",
                                       "dst[i,j] = bias[0,j] + sum over k of a[i,k] * b[k,j]"};
  constexpr const char* kSpecials[] = {
      "Floats: each sum is a chain of fused multiply-adds over k in increasing order from +0 on, each rounded once "
      "to f32; all others are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32. mad "
      "rounds each f32 of a and b once before, subnormals, too; beyond the largest it is infinity.",
      "Floats: each sum is a chain of fused multiply-adds over k in increasing order from acc_in on, each rounded once "
      "to f32; all others are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32. mad "
      "rounds each f32 of a and b once before, subnormals, too; beyond the largest it is infinity.",
      "Floats: each sum is a chain of fused multiply-adds over k in increasing order from the bias on, each rounded "
      "once to f32; all others are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32. "
      "mad rounds each f32 of a and b once before, subnormals, too; beyond the largest it is infinity."};
  constexpr const char* kOthers[] = {
      // In brackets: clang takes two joined texts among others for a forgotten comma.
      ("Hardware does not document the order in which it sums. Its core keeps mad as a state; a test of it takes "
       "subnormals for zero where mad rounds."),
      ("Hardware adds to what dst holds and does not look at acc_in: there the two are one tile. Its core keeps mad as "
       "a state. The common simulator sums from 0 and adds acc_in last."),
      ("Hardware does not document the order in which it sums, and its core keeps mad as a state. The common simulator "
       "adds the bias last.")};
  const int i = static_cast<int>(start);
  return OpInfo{
      .id = id,
      .name = name,
      .brief = brief,
      .formula = kFormulas[i],
      .operands = {ProductOperand(start, 0), ProductOperand(start, 1), ProductOperand(start, 2),
                   ProductOperand(start, 3), ProductOperand(start, 4), ProductOperand(start, 5)},
      .walk = Walk::kMatMul,
      .lane = Lane::kMul,
      .dtypes = {kSumTypes, kSumTypes, kSumTypes},
      .in_vec = profiles::kNone,
      .row_major = profiles::kNone,
      .rules = {{Rule::kLocationMatrix, profiles::kHardware},
                {Rule::kMatrixLayout, profiles::kHardware},
                {Rule::kMatrixSize, profiles::kHardware},
                {Rule::kMadMode, profiles::kHardware},
                row ? RuleUse{Rule::kOneRow, profiles::kHardware} : RuleUse{}},
      .shapes = row ? "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b "
                      "its valid columns (CPU: or more). A2A3 and A5: m is 1."
                    : "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b "
                      "its valid columns (CPU: or more).",
      .specials = kSpecials[i],
      .accuracy =
          "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
          "machine. Integers: exact modulo 2^32.",
      .others = kOthers[i],
      .source = source,
  };
}

inline constexpr OpInfo kTMatMul = Product(220, "tmatmul", "Multiplies two matrices.", ProductStart::kZero, false,
                                           "PTO ISA, matrix and matrix-vector instructions: TMATMUL");
inline constexpr OpInfo kTMatMulAcc =
    Product(221, "tmatmul_acc", "Multiplies two matrices and adds what an accumulator holds.", ProductStart::kAcc,
            false, "PTO ISA, matrix and matrix-vector instructions: TMATMUL_ACC");
inline constexpr OpInfo kTMatMulBias =
    Product(222, "tmatmul_bias", "Multiplies two matrices and adds a bias to each row.", ProductStart::kBias, false,
            "PTO ISA, matrix and matrix-vector instructions: TMATMUL_BIAS");
inline constexpr OpInfo kTGemv = Product(223, "tgemv", "Multiplies a row and a matrix.", ProductStart::kZero, true,
                                         "PTO ISA, matrix and matrix-vector instructions: TGEMV");
inline constexpr OpInfo kTGemvAcc =
    Product(224, "tgemv_acc", "Multiplies a row and a matrix and adds what an accumulator holds.", ProductStart::kAcc,
            true, "PTO ISA, matrix and matrix-vector instructions: TGEMV_ACC");
inline constexpr OpInfo kTGemvBias =
    Product(225, "tgemv_bias", "Multiplies a row and a matrix and adds a bias.", ProductStart::kBias, true,
            "PTO ISA, matrix and matrix-vector instructions: TGEMV_BIAS");

// The operands of a product with block scales, in their order.
constexpr Operand ScaledOperand(ProductStart start, int at) {
  const Operand all[] = {
      Out("dst", "receives the sums; its valid region, m x n, is the domain"),
      In("acc_in", "the accumulator that the sums start from"),
      In("a", Extent::kLeft, "the left matrix, valid in m x k", &kMxFactorTypes),
      In("a_scale", Extent::kLeftScales, "its scales, valid in m x k/32, rounded up", &kMxScaleTypes),
      In("b", Extent::kRight, "the right matrix, valid in k x n", &kMxFactorTypes),
      In("b_scale", Extent::kRightScales, "its scales, valid in k/32, rounded up, x n", &kMxScaleTypes),
      In("bias", Extent::kRow, "a row that the sums start from"),
      Flags()};
  const bool has[] = {true, start == ProductStart::kAcc, true, true, true, true, start == ProductStart::kBias, true};
  for (int i = 0; i < 8; ++i) {
    if (has[i] && at-- == 0) return all[i];
  }
  return Operand();
}

// The record of a product with block scales.
constexpr OpInfo ScaledProduct(int32_t id, const char* name, const char* brief, ProductStart start, bool row,
                               const char* source) {
  constexpr const char* kFormulas[] = {
      "dst[i,j] = sum over k of (a[i,k] * a_scale[i,k/32]) * (b[k,j] * b_scale[k/32,j])",
      "dst[i,j] = acc_in[i,j] + sum over k of (a[i,k] * a_scale[i,k/32]) * (b[k,j] * b_scale[k/32,j])",
      "dst[i,j] = bias[0,j] + sum over k of (a[i,k] * a_scale[i,k/32]) * (b[k,j] * b_scale[k/32,j])"};
  constexpr const char* kSpecials[] = {
      ("Each factor is its element times its scale, a power of two: exact, however large or small. Each sum is a chain "
       "of fused multiply-adds over k in increasing order from +0 on, each rounded once to f32. A scale that is NaN "
       "(255) makes its 32 products NaN, those of zeros too. Subnormals are kept, a NaN is canonical."),
      ("Each factor is its element times its scale, a power of two: exact, however large or small. Each sum is a chain "
       "of fused multiply-adds over k in increasing order from acc_in on, each rounded once to f32. A scale that is "
       "NaN (255) makes its 32 products NaN, those of zeros too. Subnormals are kept, a NaN is canonical."),
      ("Each factor is its element times its scale, a power of two: exact, however large or small. Each sum is a chain "
       "of fused multiply-adds over k in increasing order from the bias on, each rounded once to f32. A scale that is "
       "NaN (255) makes its 32 products NaN, those of zeros too. Subnormals are kept, a NaN is canonical.")};
  const int i = static_cast<int>(start);
  return OpInfo{
      .id = id,
      .name = name,
      .brief = brief,
      .formula = kFormulas[i],
      .operands = {ScaledOperand(start, 0), ScaledOperand(start, 1), ScaledOperand(start, 2), ScaledOperand(start, 3),
                   ScaledOperand(start, 4), ScaledOperand(start, 5), ScaledOperand(start, 6)},
      .walk = Walk::kMatMul,
      .lane = Lane::kMul,
      .dtypes = {dtypes::kF32, dtypes::kNone, dtypes::kF32},
      .in_vec = profiles::kNone,
      .row_major = profiles::kNone,
      .rules = {{Rule::kLocationMatrix, profiles::kA5},
                {Rule::kMatrixLayout, profiles::kA5},
                {Rule::kMatrixSize, profiles::kA5},
                {Rule::kScalePairs, profiles::kA5},
                row ? RuleUse{Rule::kOneRow, profiles::kA5} : RuleUse{}},
      .shapes = Product(id, name, brief, start, row, source).shapes,
      .specials = kSpecials[i],
      .accuracy =
          "One rounding to nearest even for each product that is added; the same bits for every layout, blocking "
          "and machine.",
      .others =
          "Hardware does not document the order in which it sums, and finds scales by the address of their matrix "
          "(TGET_SCALE_ADDR). The common simulator adds an accumulator or a bias last, takes a NaN scale for "
          "2^128, and does not know infinity and NaN of its factors.",
      .source = source,
  };
}

inline constexpr OpInfo kTMatMulMx =
    ScaledProduct(380, "tmatmul_mx", "Multiplies two matrices with block scales.", ProductStart::kZero, false,
                  "PTO ISA, matrix and matrix-vector instructions: TMATMUL_MX");
inline constexpr OpInfo kTMatMulMxAcc = ScaledProduct(
    381, "tmatmul_mx_acc", "Multiplies two matrices with block scales and adds what an accumulator holds.",
    ProductStart::kAcc, false, "PTO ISA, matrix and matrix-vector instructions: TMATMUL_MX");
inline constexpr OpInfo kTMatMulMxBias =
    ScaledProduct(382, "tmatmul_mx_bias", "Multiplies two matrices with block scales and adds a bias to each row.",
                  ProductStart::kBias, false, "PTO ISA, matrix and matrix-vector instructions: TMATMUL_MX");
inline constexpr OpInfo kTGemvMx =
    ScaledProduct(383, "tgemv_mx", "Multiplies a row and a matrix with block scales.", ProductStart::kZero, true,
                  "PTO ISA, matrix and matrix-vector instructions: TGEMV_MX");
inline constexpr OpInfo kTGemvMxAcc = ScaledProduct(
    384, "tgemv_mx_acc", "Multiplies a row and a matrix with block scales and adds what an accumulator holds.",
    ProductStart::kAcc, true, "PTO ISA, matrix and matrix-vector instructions: TGEMV_MX");
inline constexpr OpInfo kTGemvMxBias =
    ScaledProduct(385, "tgemv_mx_bias", "Multiplies a row and a matrix with block scales and adds a bias.",
                  ProductStart::kBias, true, "PTO ISA, matrix and matrix-vector instructions: TGEMV_MX");

}  // namespace pto

#endif  // PTO_SRC_OPS_MATRIX_H_
