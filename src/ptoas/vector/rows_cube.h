// The rows of the cube: products, and copies from and to its memories.
#ifndef PTO_SRC_PTOAS_VECTOR_ROWS_CUBE_H_
#define PTO_SRC_PTOAS_VECTOR_ROWS_CUBE_H_

#include "src/ptoas/vector/row_makers.h"

namespace pto::ptoas::vec::rows {

constexpr ClauseInfo Flag(std::string_view word) { return {word, 0, 0, false, false, TypeStyle::kPlain}; }
constexpr ClauseInfo Flag(std::string_view word, std::span<const std::string_view> options) {
  ClauseInfo info = Flag(word);
  info.options = options;
  return info;
}

inline constexpr std::string_view kUnitFlags[] = {"check_only", "check_and_set"};
inline constexpr std::string_view kOutFlags[] = {"check_only", "check_and_clear"};
inline constexpr std::string_view kRoundings[] = {"round_even", "round_away"};
inline constexpr std::string_view kSplits[] = {"split_m", "split_n"};
inline constexpr std::string_view kPreserves[] = {"preserve_nan"};
inline constexpr std::string_view kNamed[] = {"mode", "clip"};
inline constexpr std::string_view kAtomics[] = {"type", "op"};

inline constexpr ClauseInfo kProductClauses[] = {
    Flag("unit_flag", kUnitFlags), Flag("disable_gemv"), Flag("sat"), Flag("nosat"),
    Flag("tf32_mode", kRoundings), Flag("n_dir")};
inline constexpr ClauseInfo kOutClauses[] = {
    {"dst_mode", 0, 1, true, false, TypeStyle::kPlain, kSplits},
    Flag("unit_flag", kOutFlags),
    {"pre_quant", 1, 1, false, false, TypeStyle::kPlain, kNamed},
    {"pre_relu", 0, 2, false, false, TypeStyle::kPlain, kNamed},
    Flag("nz2nd"),
    {"nz2dn", 0, 1, false, false, TypeStyle::kPlain},
    {"nz2nz", 0, 1, false, false, TypeStyle::kPlain},
    {"loop3", 3, 3, false, false, TypeStyle::kPlain},
    Flag("sat", kPreserves),
    Flag("nosat"),
    Flag("atomic", kAtomics),
};
// Only one memory has two owners, and only one can be added to.
inline constexpr std::span<const ClauseInfo> kOutToUb = std::span(kOutClauses).first(10);
inline constexpr std::span<const ClauseInfo> kOutToL1 = std::span(kOutClauses).subspan(1, 9);
inline constexpr std::span<const ClauseInfo> kOutToGlobal = std::span(kOutClauses).subspan(1);

inline constexpr ClauseInfo kBoxes[] = {
    {"nd2nz", 0, 0, false, false, TypeStyle::kNamed},    {"dn2nz", 0, 0, false, false, TypeStyle::kNamed},
    {"shape", 2, 2, true, false, TypeStyle::kNamed},     {"src_layout", 1, 2, true, false, TypeStyle::kParens},
    {"dst_group", 4, 4, true, false, TypeStyle::kNamed}, {"ctrl", 2, 2, true, false, TypeStyle::kNamed}};

constexpr Op Cube(std::string_view name, std::string_view takes, std::span<const ClauseInfo> clauses,
                  std::string_view does, bool commas = false) {
  Op op = Judged(In(Make(name, Family::kCube, takes, "", kAny, does), Scope::kAnywhere), Also::kCube);
  op.clauses = clauses;
  op.commas = commas;
  return op;
}
constexpr Op Product(std::string_view name, bool bias, std::string_view does) {
  return Cube(name, bias ? "l0a l0b l0c bt i i i" : "l0a l0b l0c i i i", kProductClauses, does);
}
inline constexpr std::string_view kPacked =
    "its control words are packed by a compiler; no program is written with them";
inline constexpr std::string_view kOldLoops = "no program uses it, and no document gives its fields";

// In the order of names.
inline constexpr Op kCubeOps[] = {
    Refused("copy_cbuf_to_bt", kOldLoops),
    Cube("copy_cbuf_to_fbuf", "l1 fb i i i i", {}, "mte_l1_fb as it was written before: bursts, length, gaps."),
    Cube("copy_cbuf_to_ubuf", "l1 p i i i i i", {},
         "mte_l1_ub as it was written before, into the UB of a vector core."),
    Cube("copy_gm_to_cbuf", "g l1 i i i i", {}, "mte_gm_l1 as it was written before: bursts, length, strides."),
    Refused("copy_gm_to_cbuf_multi_dn2nz", kPacked),
    Refused("copy_gm_to_cbuf_multi_nd2nz", kPacked),
    Refused("copy_matrix_cc_to_cbuf", kPacked),
    Refused("copy_matrix_cc_to_gm", kPacked),
    Refused("copy_matrix_cc_to_ub", kPacked),
    Cube("copy_ubuf_to_cbuf", "p l1 i i i i i", {}, "mte_ub_l1 as it was written before."),
    Keyed(Cube("load_cbuf_to_ca", "l1 l0a i i i i i i", {}, "Boxes of 512 bytes to L0A: starts, numbers, strides."),
          &kTranspose),
    Refused("load_cbuf_to_ca_mx", kOldLoops),
    Refused("load_cbuf_to_ca_s4", kOldLoops),
    Keyed(Cube("load_cbuf_to_cb", "l1 l0b i i i i i i", {}, "Boxes of 512 bytes to L0B: starts, numbers, strides."),
          &kTranspose),
    Refused("load_cbuf_to_cb_mx", kOldLoops),
    Refused("load_cbuf_to_cb_s4", kOldLoops),
    Product("mad", false, "c = a * b, for m rows, n columns and k products each."),
    Product("mad_acc", false, "c += a * b."),
    Product("mad_bias", true, "c = bias + a * b."),
    Refused("mad_bias_raw", kPacked),
    Product("mad_mx", false, "c = a * b of factors with block scales, one for 32 elements along k."),
    Product("mad_mx_acc", false, "c += a * b with block scales."),
    Product("mad_mx_bias", true, "c = bias + a * b with block scales."),
    Refused("mad_mx_bias_raw", kPacked),
    Refused("mad_mx_raw", kPacked),
    Refused("mad_raw", kPacked),
    Cube("mte_gm_l1", "g l1 i", kWithoutPad, "Copies bursts of bytes from global memory into L1."),
    Cube("mte_gm_l1_frac", "g l1", kBoxes, "Copies matrices from global memory into L1, in boxes.", true),
    Cube("mte_l0c_gm", "l0c g i i i i i i", kOutToGlobal, "Converts sums and writes them to global memory.", true),
    Cube("mte_l0c_l1", "l0c l1 i i i i", kOutToL1, "Converts sums and writes them to L1.", true),
    Cube("mte_l0c_ub", "l0c p i i i i", kOutToUb, "Converts sums and writes them to the UB of vector cores.", true),
    Cube("mte_l1_bt", "l1 bt i", kBurstOnly, "Loads the bias table; f16 and bf16 become f32."),
    Cube("mte_l1_fb", "l1 fb i", kBurstOnly, "Loads scales and slopes for the way out of the accumulator."),
    Keyed(Cube("mte_l1_l0a", "l1 l0a i i i? i?", {}, "Loads the left matrix, m x k."), &kTranspose),
    Cube("mte_l1_l0a_mx", "l1 l0a i i", {}, "Loads the block scales of the left matrix, m x k/32."),
    Keyed(Cube("mte_l1_l0b", "l1 l0b i i i? i?", {}, "Loads the right matrix, k x n."), &kTranspose),
    Cube("mte_l1_l0b_mx", "l1 l0b i i", {}, "Loads the block scales of the right matrix, n x k/32."),
    Cube("mte_l1_ub", "l1 p i", kWithoutPad, "Copies bursts of 32-byte blocks into the UB of vector core 0."),
    Cube("mte_ub_l1", "p l1 i", kBurstOnly, "Copies bursts of 32-byte blocks from UB into L1."),
};

}  // namespace pto::ptoas::vec::rows

#endif  // PTO_SRC_PTOAS_VECTOR_ROWS_CUBE_H_
