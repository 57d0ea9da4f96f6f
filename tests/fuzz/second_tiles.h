// Tiles of the second executor (second.h): made from their types, halved for pipes, and what instructions do to an
// element.
#ifndef PTO_TESTS_FUZZ_SECOND_TILES_H_
#define PTO_TESTS_FUZZ_SECOND_TILES_H_

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/fuzz/second_values.h"

namespace second {

// A box of 512 bytes has 16 lines of 32, of rows or of columns; one of 1024 is 16x16, one of 32 is 16x2.
inline void Boxes(const std::string& type, bool rows, Tile* tile) {
  const std::string fractal = Between(type, "fractal=", ",");
  const int64_t line = 32 / tile->memory->elem.bytes();
  tile->box_rows = fractal.empty() && !rows ? line : 16;
  tile->box_cols = fractal.starts_with("32") ? 2 : fractal.empty() && rows ? line : 16;
  tile->box_down = rows ? tile->box_cols : 1;
  tile->box_right = rows ? 1 : tile->box_rows;
}

// !pto.tile_buf<vec, 4x8xf32, valid=?x?, blayout=col_major>
inline Tile TileOf(const std::string& type) {
  Tile tile;
  char* at = nullptr;
  const std::string dims = Between(Between(type, "<", ">"), ", ", "");
  tile.rows = std::strtoll(dims.c_str(), &at, 10);
  tile.cols = std::strtoll(at + 1, &at, 10);
  const std::string elem(at + 1);
  tile.memory = std::make_shared<Memory>();
  tile.memory->elem = ElemOf(elem.substr(0, elem.find(',')));
  tile.valid_rows = tile.rows;
  tile.valid_cols = tile.cols;
  const bool columns = type.find("blayout=col_major") != std::string::npos;
  const std::string inside = Between(type, "slayout=", "_major");
  if (!inside.empty()) Boxes(type, inside == "row", &tile);
  const int64_t down = (tile.rows + tile.box_rows - 1) / tile.box_rows;  // how many, as far as boxes are whole
  const int64_t right = (tile.cols + tile.box_cols - 1) / tile.box_cols;
  const int64_t size = tile.box_rows * tile.box_cols;
  tile.down = size * (columns ? 1 : right);
  tile.right = size * (columns ? down : 1);
  tile.memory->at.resize(static_cast<size_t>(size * down * right));
  return tile;
}

// The first half of what a split cuts, and the whole; 1 and 3 cut rows, 2 and 4 columns.
inline int64_t Border(int64_t split, int64_t extent) {
  if (split < 3 && extent % 2 != 0) throw Stop{"pipe-slot"};
  return (extent + 1) / 2;
}

// The part of a tile that a vector core sends or gets, as far as it is valid: all of it where nothing is cut.
struct Part {
  int64_t row = 0, col = 0, rows = 0, cols = 0;
};
inline Part PartOf(const Tile& tile, int64_t split, int64_t lane) {
  Part part = {0, 0, tile.valid_rows, tile.valid_cols};
  if (split == 0) return part;
  const bool by_rows = split % 2 == 1;
  const int64_t extent = by_rows ? tile.rows : tile.cols;
  const int64_t border = Border(split, extent);
  (by_rows ? part.row : part.col) = lane == 0 ? 0 : border;
  int64_t& count = by_rows ? part.rows : part.cols;
  count = std::clamp<int64_t>(count - (lane == 0 ? 0 : border), 0, lane == 0 ? border : extent - border);
  return part;
}

// An element of an instruction.
inline uint64_t One(const std::string& op, uint64_t a, uint64_t b, Elem e) {
  const std::string name = op.ends_with("s") && op != "tabs" ? op.substr(0, op.size() - 1) : op;
  if (name == "tmov" || name == "texpand") return a;
  const uint64_t sign = uint64_t{1} << (e.bits - 1);
  if (!e.is_float) {
    const bool below = e.is_unsigned ? a < b : Signed(a, e.bits) < Signed(b, e.bits);
    const bool negative = !e.is_unsigned && (a & sign) != 0;
    uint64_t result = 0;
    if (name == "tadd" || name == "tpartadd")
      result = a + b;
    else if (name == "tsub")
      result = a - b;
    else if (name == "tmul")
      result = a * b;
    else if (name == "tmax")
      result = below ? b : a;
    else if (name == "tmin")
      result = below ? a : b;
    else if (name == "tneg" || (name == "tabs" && negative))
      result = 0 - a;
    else if (name == "tabs")
      result = a;
    else if (name == "trelu")
      result = negative ? 0 : a;
    else if (name == "tprelu")
      result = a == 0 || negative ? a * b : a;
    else
      throw Strange{op};
    return result & Mask(e.bits);
  }
  const double x = FromBits(a, e);
  const double y = FromBits(b, e);
  if (name == "tabs") return a & ~sign;
  if (name == "tneg") return a ^ sign;
  if (name == "tadd" || name == "tpartadd") return BitsOf(FloatBinary("addf", x, y, e), e);
  if (name == "tsub") return BitsOf(FloatBinary("subf", x, y, e), e);
  if (name == "tmul") return BitsOf(FloatBinary("mulf", x, y, e), e);
  if (name == "tmax") return BitsOf(FloatBinary("maximumf", x, y, e), e);
  if (name == "tmin") return BitsOf(FloatBinary("minimumf", x, y, e), e);
  if (name == "trelu") return std::isnan(x) ? BitsOf(Nan(), e) : x > 0 ? a : 0;
  if (name == "tprelu") return x > 0 ? a : BitsOf(FloatBinary("mulf", x, y, e), e);
  throw Strange{op};
}

inline std::string Shown(double x) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

// As tprint writes it, after its name.
inline std::string Shown(const Tile& tile) {
  const Elem e = tile.memory->elem;
  std::string shown = std::to_string(tile.valid_rows) + "x" + std::to_string(tile.valid_cols) + " of " +
                      (e.is_float      ? (e.fraction == 7 ? "bf" : "f")
                       : e.is_unsigned ? "u"
                                       : "i") +
                      std::to_string(e.bits) + "\n";
  for (int64_t r = 0; r < tile.valid_rows; ++r) {
    shown += " ";
    for (int64_t c = 0; c < tile.valid_cols; ++c) {
      const uint64_t bits = tile.At(r, c);
      shown += " " + (e.is_float      ? Shown(FromBits(bits, e))
                      : e.is_unsigned ? std::to_string(bits)
                                      : std::to_string(Signed(bits, e.bits)));
    }
    shown += "\n";
  }
  return shown;
}

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_TILES_H_
