// How sums leave the accumulator: the words of pre_quant and pre_relu, and which types they are for.
#ifndef PTO_SRC_PTOAS_VECTOR_WAY_OUT_H_
#define PTO_SRC_PTOAS_VECTOR_WAY_OUT_H_

#include <span>
#include <string_view>

#include "src/records/dtype.h"

namespace pto::ptoas::vec {

// A mode of pre_quant. Most have a suffix: _scalar, which may be left out, or _vec.
struct QuantMode {
  std::string_view word;
  DType from;
  DTypeSet to;
  bool scales;  // else it converts
};
inline constexpr DTypeSet kQuantBytes = dtypes::kI8 | dtypes::kU8;
inline constexpr QuantMode kQuantModes[] = {
    {"f32_f16", DType::kF32, dtypes::kF16, false},     {"f32_bf16", DType::kF32, dtypes::kBF16, false},
    {"qf322f16_pre", DType::kF32, dtypes::kF16, true}, {"qf322bf16_pre", DType::kF32, dtypes::kBF16, true},
    {"qf322f32_pre", DType::kF32, dtypes::kF32, true}, {"qf322b8_pre", DType::kF32, kQuantBytes, true},
    {"deqf16", DType::kI32, dtypes::kF16, true},       {"qs322bf16_pre", DType::kI32, dtypes::kBF16, true},
    {"req8", DType::kI32, kQuantBytes, true},
};
// Modes whose arithmetic no document settles and no program shows.
inline constexpr std::string_view kOpenQuantModes[] = {
    "qf162b8_pre",  "qf322s4_pre",   "qf162s4_pre",          "req4",        "deqs16", "deqs32_int",
    "qf162s16_pre", "qf322hif8_pre", "qf322hif8_pre_hybrid", "qf322fp8_pre"};

struct QuantWord {
  const QuantMode* mode = nullptr;
  bool each = false;  // a word for each column
  bool open = false;  // one of kOpenQuantModes
};
constexpr QuantWord FindQuant(std::string_view word) {
  QuantWord found;
  for (const std::string_view suffix : {"_vec", "_scalar"}) {
    if (!word.ends_with(suffix)) continue;
    word.remove_suffix(suffix.size());
    found.each = suffix == "_vec";
    break;
  }
  for (const QuantMode& mode : kQuantModes) {
    if (mode.word == word) found.mode = &mode;
  }
  for (const std::string_view open : kOpenQuantModes) found.open |= open == word;
  return found;
}

inline constexpr std::string_view kReluWords[] = {"no_relu", "normal_relu", "scalar_relu", "vector_relu"};
// -1: not one of them.
constexpr int FindRelu(std::string_view word) {
  for (int i = 0; i < 4; ++i) {
    if (kReluWords[i] == word) return i;
  }
  return -1;
}

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_WAY_OUT_H_
