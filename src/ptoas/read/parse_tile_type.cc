// The types of tiles: their spellings, their options, and what a tile cannot be. parse_type.cc has the other types.
#include <algorithm>
#include <iterator>

#include "src/ptoas/read/parser_impl.h"

namespace pto::ptoas {
namespace {

// Ways to write the same thing in the documents' positional tile types.
std::string_view Plain(std::string_view word, char (&buffer)[16]) {
  size_t n = 0;
  for (char c : word) {
    if (c == '_') continue;
    if (n == sizeof buffer) return {};
    buffer[n++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return {buffer, n};
}

bool SetBLayout(std::string_view word, Type* type) {
  char buffer[16];
  word = Plain(word, buffer);
  if (word != "rowmajor" && word != "colmajor") return false;
  type->blayout = word == "rowmajor" ? BLayout::kRowMajor : BLayout::kColMajor;
  return true;
}

bool SetSLayout(std::string_view word, Type* type) {
  char buffer[16];
  word = Plain(word, buffer);
  if (word != "nonebox" && word != "rowmajor" && word != "colmajor") return false;
  type->slayout = word == "nonebox" ? SLayout::kNoneBox : word == "rowmajor" ? SLayout::kRowMajor : SLayout::kColMajor;
  return true;
}

// For a tile type whose fields have names.
constexpr const char* kTileKeys[] = {"loc",     "dtype",   "rows",    "cols", "v_row",  "v_col",
                                     "blayout", "slayout", "fractal", "pad",  "compact"};
bool IsTileKey(std::string_view word) {
  return std::any_of(std::begin(kTileKeys), std::end(kTileKeys), [&](const char* key) { return word == key; });
}

}  // namespace

bool SetLoc(std::string_view word, Type* type) {
  for (int i = 0; i < kLocCount; ++i) {
    if (word == NameOf(static_cast<Loc>(i))) {
      type->loc = static_cast<Loc>(i);
      return true;
    }
  }
  return false;
}

// The part between the angles of a tile type, in any of its spellings.
bool Parser::RawTile(Type* type) {
  raw_ = lexer_.SkipBlanks(raw_);
  if (RawOpen(raw_, "loc, dtype, rows, cols, blayout, slayout, fractal, pad")) {
    *type = Type();
    type->kind = TypeKind::kAnyTile;
    return true;
  }
  if (!Is(*raw_, kDigitBit) && *raw_ != '?') {
    const char* start = raw_;
    const std::string_view word = RawWord();
    if (IsTileKey(word) && RawEat('=')) {
      raw_ = start;
      return RawTileKeys(type);
    }
    if (ElemByName(word) != Elem::kNone) {
      raw_ = start;
      return RawTilePositional(type);
    }
    if (!SetLoc(word, type)) {
      raw_ = start;
      return RawFail(TextRule::kType, "expected a location such as vec, dimensions, or loc= in a tile type");
    }
    if (!RawExpect(',')) return false;
  }
  if (!RawShape(type)) return false;
  if (type->rank != 2) return RawFail(TextRule::kType, "a tile has 2 dimensions, not %d", type->rank);
  type->valid_row = type->dims[0];
  type->valid_col = type->dims[1];
  return RawTileOptions(type);
}

// A tile type, `, count=N`
bool Parser::RawTiles(Type* type) {
  const char* start = raw_ = lexer_.SkipBlanks(raw_);
  Type tile;
  if (!RawEat('!')) return RawFail(TextRule::kType, "expected the type of a tile");
  std::string_view word = RawWord();
  if (const auto alias = type_aliases_.find(word); alias != type_aliases_.end()) {
    tile = *alias->second.means;
  } else {
    if (word == "pto" && *raw_ == '.') {
      ++raw_;
      word = RawWord();
    }
    if ((word == "tile_buf" || word == "tile") && !RawType("pto.tile_buf", &tile)) return false;
  }
  if (tile.kind != TypeKind::kTile) {
    raw_ = start;
    return RawFail(TextRule::kType, "expected the type of a tile");
  }
  int64_t count = 0;
  if (!RawExpect(',')) return false;
  if (RawWord() != "count") return RawFail(TextRule::kType, "expected count= in the type of several tiles");
  if (!RawExpect('=') || !RawInt(&count)) return false;
  if (count < 2 || count > 16) return RawFail(TextRule::kType, "a multi_tile_buf has 2 to 16 tiles");
  *type = tile;
  type->kind = TypeKind::kMultiTile;
  type->count = static_cast<uint8_t>(count);
  return true;
}

// blayout, slayout, fractal, pad, compact after their `=`.
bool Parser::RawEnum(const char* key, Type* type) {
  const std::string_view name = key;
  if (name == "blayout" || name == "slayout") {
    const char* start = raw_;
    const std::string_view word = RawWord();
    if (name == "blayout" ? SetBLayout(word, type) : SetSLayout(word, type)) return true;
    raw_ = start;
    return RawFail(TextRule::kType, "'%.*s' is not a value of %s", PTO_NAME(word), key);
  }
  int64_t value = 0;
  if (!RawInt(&value)) return false;
  const int64_t clipped = std::min<int64_t>(value, name == "fractal" ? INT32_MAX : 255);
  if (name == "fractal") type->fractal = static_cast<int32_t>(clipped);
  if (name == "pad") {
    type->custom_pad = value >> 32 == 1;
    type->pad = type->custom_pad ? uint8_t{0} : static_cast<uint8_t>(clipped);
    type->pad_bits = type->custom_pad ? static_cast<uint32_t>(value) : 0;
  }
  if (name == "compact") type->compact = static_cast<uint8_t>(clipped);
  return true;
}

// { , key = value }, in any order, each at most once.
bool Parser::RawTileOptions(Type* type) {
  static constexpr const char* kKeys[] = {"valid", "blayout", "slayout", "fractal", "pad", "compact"};
  bool seen[std::size(kKeys)] = {};
  while (RawEat(',')) {
    const char* start = raw_;
    const std::string_view word = RawWord();
    size_t key = 0;
    while (key < std::size(kKeys) && word != kKeys[key]) ++key;
    if (key == std::size(kKeys) || seen[key]) {
      raw_ = start;
      return RawFail(TextRule::kType, key == std::size(kKeys)
                                          ? "expected valid=, blayout=, slayout=, fractal=, pad= or compact="
                                          : "a tile type gives each option once");
    }
    seen[key] = true;
    if (!RawExpect('=')) return false;
    if (key != 0) {
      if (!RawEnum(kKeys[key], type)) return false;
      continue;
    }
    if (!RawExtent(&type->valid_row)) return false;
    raw_ = lexer_.SkipBlanks(raw_);
    if (*raw_ != 'x') return RawFail(TextRule::kType, "expected 'x' between the valid extents");
    ++raw_;
    if (!RawExtent(&type->valid_col)) return false;
  }
  return true;
}

// `loc=` and the other keys in any order, or after `loc=` the positional spelling.
bool Parser::RawTileKeys(Type* type) {
  constexpr size_t kKeys = std::size(kTileKeys);
  constexpr size_t kNeeded = kKeys - 1;  // compact may be left out
  bool seen[kKeys] = {};
  type->rank = 2;
  do {
    const char* start = raw_ = lexer_.SkipBlanks(raw_);
    const std::string_view word = RawWord();
    size_t key = 0;
    while (key < kKeys && word != kTileKeys[key]) ++key;
    if (key == kKeys && seen[0] && std::count(seen, seen + kKeys, true) == 1) {
      raw_ = start;
      return RawTilePositional(type);
    }
    if (key == kKeys || seen[key]) {
      raw_ = start;
      if (key != kKeys) return RawFail(TextRule::kType, "a tile type gives each key once");
      key = static_cast<size_t>(std::find(seen, seen + key, false) - seen);
      return RawFail(TextRule::kType, "expected '%s=' in a tile type", kTileKeys[std::min(key, kNeeded)]);
    }
    seen[key] = true;
    if (!RawExpect('=')) return false;
    switch (key) {
      case 0:
        start = raw_ = lexer_.SkipBlanks(raw_);
        if (SetLoc(RawWord(), type)) break;
        raw_ = start;
        return RawFail(TextRule::kType, "expected a location such as vec or mat");
      case 1:
        if (!RawElem(&type->elem)) return false;
        break;
      case 2:
      case 3:
        if (!RawInt(&type->dims[key - 2])) return false;
        break;
      case 4:
        if (!RawExtent(&type->valid_row)) return false;
        break;
      case 5:
        if (!RawExtent(&type->valid_col)) return false;
        break;
      default:
        if (!RawEnum(kTileKeys[key], type)) return false;
    }
  } while (RawEat(','));
  const auto missing = static_cast<size_t>(std::find(seen, seen + kNeeded, false) - seen);
  if (missing == kNeeded) return true;
  return RawFail(TextRule::kType, "expected ', %s=' in a tile type", kTileKeys[missing]);
}

// The documents' ELEM, ROWS, COLS [, BLAYOUT [, SLAYOUT [, FRACTAL [, PAD]]]].
bool Parser::RawTilePositional(Type* type) {
  type->rank = 2;
  if (!RawElem(&type->elem) || !RawExpect(',') || !RawInt(&type->dims[0]) || !RawExpect(',') ||
      !RawInt(&type->dims[1])) {
    return false;
  }
  type->valid_row = type->dims[0];
  type->valid_col = type->dims[1];
  for (int i = 0; i < 4 && RawEat(','); ++i) {
    const char* start = raw_ = lexer_.SkipBlanks(raw_);
    if (Is(*raw_, kDigitBit) && i >= 2) {
      if (!RawEnum(i == 2 ? "fractal" : "pad", type)) return false;
      continue;
    }
    char buffer[16];
    const std::string_view word = Plain(RawWord(), buffer);
    bool good = false;
    if (i == 0) good = SetBLayout(word, type);
    if (i == 1) good = SetSLayout(word, type);
    // The names of the box orders repeat blayout and slayout.
    if (i == 2) good = word == "none" || word == "nz" || word == "zn" || word == "fr" || word == "rn";
    if (i == 3) {
      good = word == "zero" || word == "null" || word == "invalid" || word == "max" || word == "min";
      type->pad = word == "zero" ? 1 : word == "max" ? 2 : word == "min" ? 3 : 0;
    }
    if (!good) {
      raw_ = start;
      return RawFail(TextRule::kType, "expected a layout, fractal or pad in a positional tile type");
    }
  }
  return true;
}

bool Parser::CheckTile(const Type& type, uint32_t offset, uint32_t length) {
  const auto bad = [&](const char* what, int64_t value) {
    diagnostics_->Error(TextRule::kTileType, offset, length, "%s is %lld", what, static_cast<long long>(value));
  };
  if (type.rows() < 1) bad("rows of a tile", type.rows());
  if (type.cols() < 1) bad("cols of a tile", type.cols());
  if (type.fractal != 32 && type.fractal != 512 && type.fractal != 1024) {
    bad("fractal of a tile", type.fractal);
  }
  if (type.pad > PTO_PAD_MIN) bad("pad of a tile", type.pad);
  if (type.compact > PTO_COMPACT_ROW_ALIGNED_PADDING) bad("compact of a tile", type.compact);
  if (type.valid_row > type.rows() || type.valid_col > type.cols()) {
    diagnostics_->Error(TextRule::kTileValid, offset, length, "valid %lldx%lld exceeds the tile's %lldx%lld",
                        static_cast<long long>(type.valid_row), static_cast<long long>(type.valid_col),
                        static_cast<long long>(type.rows()), static_cast<long long>(type.cols()));
  }
  return true;  // reported, and readable all the same
}

}  // namespace pto::ptoas
