// How C++ spells the names of C in the library's texts: "Set one valid region on all of them with pto_tile_set_valid."
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_WORDS_HPP_
#define PTO_PTO_WORDS_HPP_

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "pto/pto-base.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace detail {

struct Word {
  std::string_view c;
  std::string_view cpp;
};

// Constants (PTO_PROFILE_CPU) and types (pto_dtype) are those of C++, too; instructions have their mnemonics.
inline constexpr Word kWords[] = {
    {"NULL", "nullptr"},
    {"pto_bits", "a scalar"},
    {"pto_context_limit_on_chip", "SetOnChipLimit"},
    {"pto_context_print", "TPRINT"},
    {"pto_float", "a float"},
    {"pto_int", "an integer"},
    {"pto_program_diagnostic_text", "Recording::Findings"},
    {"pto_tassign", "TASSIGN"},
    {"pto_tensor_bytes", "GlobalTensor"},
    {"pto_tensor_create", "GlobalTensor"},
    {"pto_tensor_desc", "GlobalTensor"},
    {"pto_tensor_read", "GlobalTensor"},
    {"pto_tensor_read_as", "GlobalTensor"},
    {"pto_tensor_view", "GlobalTensor"},
    {"pto_tensor_wrap", "GlobalTensor"},
    {"pto_tensor_write", "GlobalTensor"},
    {"pto_tensor_write_as", "GlobalTensor"},
    {"pto_tile_create", "Tile"},
    {"pto_tile_create_from", "Tile"},
    {"pto_tile_desc", "Tile"},
    {"pto_tile_read", "Tile::GetValue"},
    {"pto_tile_read_as", "Tile::GetValue"},
    {"pto_tile_reshape", "TRESHAPE"},
    {"pto_tile_set_valid", "Tile::SetValidShape"},
    {"pto_tile_valid_bytes", "Tile"},
    {"pto_tile_view", "TSUBVIEW"},
    {"pto_tile_wrap", "Tile"},
    {"pto_tile_write", "Tile::SetValue"},
    {"pto_tile_write_as", "Tile::SetValue"},
    {"pto_tprint", "TPRINT"},
    {"pto_uint", "an unsigned integer"},
};

// A name of C as C++ has it: by the list, or the mnemonic of an instruction ("pto_tstore_atomic" is TSTORE).
[[gnu::cold, gnu::noinline]] inline std::string WordOf(const std::string& name) {
  for (const Word& word : kWords) {
    if (word.c == name) return std::string(word.cpp);
  }
  const int32_t op = name.compare(0, 4, "pto_") == 0 ? pto_op_find(name.c_str() + 4) : -1;
  std::string mnemonic = op < 0 ? name : std::string(pto_op_mnemonic(op));
  if (op >= 0) {
    for (char& letter : mnemonic) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return mnemonic;
}

// A text of the library in the words of C++.
[[gnu::cold, gnu::noinline]] inline std::string InCpp(std::string_view text) {
  const auto part = [](char letter) { return letter == '_' || std::isalnum(static_cast<unsigned char>(letter)) != 0; };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && part(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::string name(text.substr(i, end - i));
    const std::string word = WordOf(name);
    out += word;
    i = end;
    if (word != name && text.substr(i, 2) == "()") i += 2;
  }
  return out;
}

}  // namespace detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_WORDS_HPP_
