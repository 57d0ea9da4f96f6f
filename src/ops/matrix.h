// Records of the products of matrices.
#ifndef PTO_SRC_OPS_MATRIX_H_
#define PTO_SRC_OPS_MATRIX_H_

#include "src/ops/op_info.h"

namespace pto {

// Whose products which accumulators sum.
inline constexpr TypeMap kFactorTypes = [] {
  TypeMap map;
  for (auto& types : map.of) {
    types[static_cast<int>(DType::kI32)] = dtypes::kI8;
    types[static_cast<int>(DType::kF32)] = dtypes::kFloats;
  }
  return map;
}();
inline constexpr DTypeSet kSumTypes = dtypes::kI32 | dtypes::kF32;

inline constexpr OpInfo kTMatMul = {
    .id = 220,
    .name = "tmatmul",
    .brief = "Multiplies two matrices.",
    .formula = "dst[i,j] = sum over k of a[i,k] * b[k,j]",
    .operands = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                 In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                 In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes), Flags()},
    .walk = Walk::kMatMul,
    .lane = Lane::kMul,
    .dtypes = {kSumTypes, kSumTypes, kSumTypes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMatrix, profiles::kHardware},
              {Rule::kMatrixLayout, profiles::kHardware},
              {Rule::kMatrixSize, profiles::kHardware}},
    .shapes =
        "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b its valid "
        "columns "
        "(CPU: or more).",
    .specials =
        "Floats: each sum is a chain of fused multiply-adds over k in increasing order from +0 on, each rounded once "
        "to f32; f16 and bf16 are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32.",
    .accuracy =
        "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
        "machine. Integers: exact modulo 2^32.",
    .others = "Hardware does not document the order in which it sums.",
    .source = "PTO ISA, matrix and matrix-vector instructions: TMATMUL",
};

inline constexpr OpInfo kTMatMulAcc = {
    .id = 221,
    .name = "tmatmul_acc",
    .brief = "Multiplies two matrices and adds what an accumulator holds.",
    .formula = "dst[i,j] = acc_in[i,j] + sum over k of a[i,k] * b[k,j]",
    .operands = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                 In("acc_in", "the accumulator that the sums start from"),
                 In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                 In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes), Flags()},
    .walk = Walk::kMatMul,
    .lane = Lane::kMul,
    .dtypes = {kSumTypes, kSumTypes, kSumTypes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMatrix, profiles::kHardware},
              {Rule::kMatrixLayout, profiles::kHardware},
              {Rule::kMatrixSize, profiles::kHardware}},
    .shapes =
        "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b its valid "
        "columns (CPU: or more).",
    .specials =
        "Floats: each sum is a chain of fused multiply-adds over k in increasing order from acc_in on, each rounded "
        "once "
        "to f32; f16 and bf16 are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32.",
    .accuracy =
        "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
        "machine. Integers: exact modulo 2^32.",
    .others =
        "Hardware adds to what dst holds and does not look at acc_in: there the two are one tile. The common simulator "
        "sums from 0 and adds acc_in last.",
    .source = "PTO ISA, matrix and matrix-vector instructions: TMATMUL_ACC",
};

inline constexpr OpInfo kTMatMulBias = {
    .id = 222,
    .name = "tmatmul_bias",
    .brief = "Multiplies two matrices and adds a bias to each row.",
    .formula = "dst[i,j] = bias[0,j] + sum over k of a[i,k] * b[k,j]",
    .operands = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                 In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                 In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes),
                 In("bias", Extent::kRow, "a row that the sums start from"), Flags()},
    .walk = Walk::kMatMul,
    .lane = Lane::kMul,
    .dtypes = {kSumTypes, kSumTypes, kSumTypes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMatrix, profiles::kHardware},
              {Rule::kMatrixLayout, profiles::kHardware},
              {Rule::kMatrixSize, profiles::kHardware}},
    .shapes =
        "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b its valid "
        "columns "
        "(CPU: or more).",
    .specials =
        "Floats: each sum is a chain of fused multiply-adds over k in increasing order from the bias on, each rounded "
        "once to f32; f16 and bf16 are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32.",
    .accuracy =
        "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
        "machine. Integers: exact modulo 2^32.",
    .others = "Hardware does not document the order in which it sums. The common simulator adds the bias last.",
    .source = "PTO ISA, matrix and matrix-vector instructions: TMATMUL_BIAS",
};

inline constexpr OpInfo kTGemv = {
    .id = 223,
    .name = "tgemv",
    .brief = "Multiplies a row and a matrix.",
    .formula = "dst[i,j] = sum over k of a[i,k] * b[k,j]",
    .operands = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                 In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                 In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes), Flags()},
    .walk = Walk::kMatMul,
    .lane = Lane::kMul,
    .dtypes = {kSumTypes, kSumTypes, kSumTypes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMatrix, profiles::kHardware},
              {Rule::kMatrixLayout, profiles::kHardware},
              {Rule::kMatrixSize, profiles::kHardware},
              {Rule::kOneRow, profiles::kHardware}},
    .shapes =
        "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b its valid "
        "columns "
        "(CPU: or more). A2A3 and A5: m is 1.",
    .specials =
        "Floats: each sum is a chain of fused multiply-adds over k in increasing order from +0 on, each rounded once "
        "to f32; f16 and bf16 are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32.",
    .accuracy =
        "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
        "machine. Integers: exact modulo 2^32.",
    .others = "Hardware does not document the order in which it sums.",
    .source = "PTO ISA, matrix and matrix-vector instructions: TGEMV",
};

inline constexpr OpInfo kTGemvAcc = {
    .id = 224,
    .name = "tgemv_acc",
    .brief = "Multiplies a row and a matrix and adds what an accumulator holds.",
    .formula = "dst[i,j] = acc_in[i,j] + sum over k of a[i,k] * b[k,j]",
    .operands = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                 In("acc_in", "the accumulator that the sums start from"),
                 In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                 In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes), Flags()},
    .walk = Walk::kMatMul,
    .lane = Lane::kMul,
    .dtypes = {kSumTypes, kSumTypes, kSumTypes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMatrix, profiles::kHardware},
              {Rule::kMatrixLayout, profiles::kHardware},
              {Rule::kMatrixSize, profiles::kHardware},
              {Rule::kOneRow, profiles::kHardware}},
    .shapes =
        "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b its valid "
        "columns (CPU: or more). A2A3 and A5: m is 1.",
    .specials =
        "Floats: each sum is a chain of fused multiply-adds over k in increasing order from acc_in on, each rounded "
        "once "
        "to f32; f16 and bf16 are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32.",
    .accuracy =
        "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
        "machine. Integers: exact modulo 2^32.",
    .others =
        "Hardware adds to what dst holds and does not look at acc_in: there the two are one tile. The common simulator "
        "sums from 0 and adds acc_in last.",
    .source = "PTO ISA, matrix and matrix-vector instructions: TGEMV_ACC",
};

inline constexpr OpInfo kTGemvBias = {
    .id = 225,
    .name = "tgemv_bias",
    .brief = "Multiplies a row and a matrix and adds a bias.",
    .formula = "dst[i,j] = bias[0,j] + sum over k of a[i,k] * b[k,j]",
    .operands = {Out("dst", "receives the sums; its valid region, m x n, is the domain"),
                 In("a", Extent::kLeft, "the left matrix, valid in m x k", &kFactorTypes),
                 In("b", Extent::kRight, "the right matrix, valid in k x n", &kFactorTypes),
                 In("bias", Extent::kRow, "a row that the sums start from"), Flags()},
    .walk = Walk::kMatMul,
    .lane = Lane::kMul,
    .dtypes = {kSumTypes, kSumTypes, kSumTypes},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMatrix, profiles::kHardware},
              {Rule::kMatrixLayout, profiles::kHardware},
              {Rule::kMatrixSize, profiles::kHardware},
              {Rule::kOneRow, profiles::kHardware}},
    .shapes =
        "The valid columns of a are the valid rows of b, k of them; a has the valid rows of dst and b its valid "
        "columns "
        "(CPU: or more). A2A3 and A5: m is 1.",
    .specials =
        "Floats: each sum is a chain of fused multiply-adds over k in increasing order from the bias on, each rounded "
        "once to f32; f16 and bf16 are exact in f32. Subnormals are kept, a NaN is canonical. i8: exact, modulo 2^32.",
    .accuracy =
        "One rounding to nearest even for each product that is added; the same bits for every layout, blocking and "
        "machine. Integers: exact modulo 2^32.",
    .others = "Hardware does not document the order in which it sums. The common simulator adds the bias last.",
    .source = "PTO ISA, matrix and matrix-vector instructions: TGEMV_BIAS",
};

}  // namespace pto

#endif  // PTO_SRC_OPS_MATRIX_H_
