// The values of the second executor (second.h): numbers, and the memory of tiles and views.
#ifndef PTO_TESTS_FUZZ_SECOND_VALUES_H_
#define PTO_TESTS_FUZZ_SECOND_VALUES_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/second_numbers.h"
#include "tests/fuzz/second_text.h"

namespace second {

// Elements that follow each other, of a tile or of global memory.
struct Memory {
  Elem elem;
  std::vector<uint64_t> at;  // bits of each
};
using Shared = std::shared_ptr<Memory>;

struct Tile {
  Shared memory;
  int64_t first = 0, rows = 0, cols = 0;
  int64_t down = 0, right = 1;  // from an element to the next, and from a box to the next
  int64_t box_rows = 1, box_cols = 1;
  int64_t box_down = 0, box_right = 0;  // from an element of a box to the next
  int64_t valid_rows = 0, valid_cols = 0;
  uint64_t& At(int64_t r, int64_t c) const {
    const int64_t box = r / box_rows * down + c / box_cols * right;
    return memory->at.at(static_cast<size_t>(first + box + r % box_rows * box_down + c % box_cols * box_right));
  }
};

struct View {
  Shared memory;
  int64_t first = 0;
  std::vector<int64_t> dims, strides;
};

struct Value {
  uint64_t bits = 0;  // of an integer, or a pointer's elements from the first
  double number = 0;
  Shared memory;  // of a pointer
  std::shared_ptr<Tile> tile;
  std::shared_ptr<View> view;
  std::vector<std::shared_ptr<Tile>> tiles;   // to be picked by number
  std::shared_ptr<std::vector<Value>> array;  // of scalars
  std::vector<int64_t> dims;                  // of the array
};
using Values = std::vector<Value>;

// The results of a run, besides the memory that it was given.
struct Outcome {
  std::string rule;  // by which it ended early
  std::string output;
};

inline Value Of(uint64_t bits, int width) {
  Value value;
  value.bits = bits & Mask(width);
  return value;
}

inline Value Of(double number) {
  Value value;
  value.number = number;
  return value;
}

inline Value Of(Tile tile) {
  Value value;
  value.tile = std::make_shared<Tile>(std::move(tile));
  return value;
}

inline Value Of(View view) {
  Value value;
  value.view = std::make_shared<View>(std::move(view));
  return value;
}

// A number as an element of a tile, and back.
inline uint64_t BitsIn(const Value& value, Elem e) {
  return e.is_float ? BitsOf(value.number, e) : value.bits & Mask(e.bits);
}
inline Value FromIn(uint64_t bits, Elem e) { return e.is_float ? Of(FromBits(bits, e)) : Of(bits, e.bits); }

inline Elem ElemIn(const Value& value) {
  return (value.tile != nullptr ? value.tile->memory : value.view->memory)->elem;
}

inline Value Constant(const std::string& rest) {
  if (rest == "true" || rest == "false") return Of(rest == "true" ? 1 : 0, 1);
  const Elem e = ElemOf(TypeOf(rest));
  const bool hex = rest.starts_with("0x");
  if (!e.is_float) {
    const uint64_t bits =
        hex ? std::strtoull(rest.c_str(), nullptr, 16) : static_cast<uint64_t>(std::strtoll(rest.c_str(), nullptr, 10));
    return Of(bits, e.bits);
  }
  if (hex) return Of(FromBits(std::strtoull(rest.c_str(), nullptr, 16), e));
  return Of(Round(std::strtod(rest.c_str(), nullptr), e));
}

inline Value Cast(const std::string& op, const Value& a, Elem from, Elem to) {
  if (op == "extf" || op == "truncf") return Of(Round(a.number, to));
  if (op == "fptosi" || op == "fptoui") return Of(ToInt(a.number, to.bits, op == "fptoui"), to.bits);
  if (op == "uitofp") return Of(FromInt(false, a.bits, to));
  if (op == "extui" || op == "index_castui") return Of(a.bits, to.bits);
  const int64_t wide = from.is_float ? 0 : Signed(a.bits, from.bits);
  if (op == "sitofp")
    return Of(FromInt(wide < 0, wide < 0 ? 0 - static_cast<uint64_t>(wide) : static_cast<uint64_t>(wide), to));
  if (op == "extsi" || op == "trunci" || op == "index_cast") return Of(static_cast<uint64_t>(wide), to.bits);
  if (op != "bitcast") throw Strange{op};
  const uint64_t bits = from.is_float ? BitsOf(a.number, from) : a.bits;
  return to.is_float ? Of(FromBits(bits, to)) : Of(bits, to.bits);
}

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_VALUES_H_
