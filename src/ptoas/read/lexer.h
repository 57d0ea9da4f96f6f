// Tokens of PTO-AS. They are read one at a time, without copying; comments are
// put aside for whoever reads the statement they belong to. Types are not cut into
// tokens here: `32x64xf32` needs the reader of types (parse_type.cc).
#ifndef PTO_SRC_PTOAS_LEXER_H_
#define PTO_SRC_PTOAS_LEXER_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {

enum class Tok : uint8_t {
  kEnd,
  kIdent,   // module, func.func, pto.tadd
  kValue,   // %name or %name#2: text is the name, number the index
  kSymbol,  // @name or @"name": text is the name
  kLabel,   // ^name
  kBang,    // !pto.tile_buf: text is pto.tile_buf
  kHash,    // #pto.layout: text is pto.layout
  kInt,
  kFloat,
  kString,  // text is the part between the quotes
  kArrow,   // ->
  kPunct,   // any other character: `punct`
};

struct Token {
  Tok kind = Tok::kEnd;
  char punct = 0;
  bool first_on_line = false;
  bool indexed = false;  // kValue: #number was written
  uint32_t offset = 0;
  uint32_t length = 0;  // of all of it, sigil and quotes too
  uint32_t number = 0;
  std::string_view text;
};

struct Comment {
  std::string_view text;  // from // or # to the end of the line, without blanks at its end
  bool own_line = false;
};

class Lexer {
 public:
  // The byte after the text must be readable and 0.
  Lexer(std::string_view text, Diagnostics* diagnostics)
      : begin_(text.data()), end_(text.data() + text.size()), at_(begin_), diagnostics_(diagnostics) {}

  // Reads a token; kEnd forever at the end, and once there are too many errors.
  void Next(Token* token);

  const char* begin() const { return begin_; }
  const char* end() const { return end_; }
  // Where the next token is looked for. The reader of types moves it.
  const char* at() const { return at_; }
  void set_at(const char* at) { at_ = at; }
  uint32_t OffsetOf(const char* p) const { return static_cast<uint32_t>(p - begin_); }
  // Steps over blanks and comments from p.
  const char* SkipBlanks(const char* p);

  std::vector<Comment>& comments() { return comments_; }

 private:
  void Number(Token* token);
  void Quoted(Token* token);
  bool Stray(const char* p);

  const char* begin_;
  const char* end_;
  const char* at_;
  Diagnostics* diagnostics_;
  bool fresh_line_ = true;  // no token yet on this line
  std::vector<Comment> comments_;
};

// Character classes.
inline constexpr unsigned kDigitBit = 1, kLetterBit = 2, kIdentBit = 4, kValueBit = 8, kBlankBit = 16, kHexBit = 32;
constexpr std::array<uint8_t, 256> MakeCharClasses() {
  std::array<uint8_t, 256> table{};
  for (int c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    unsigned bits = 0;
    if (digit) bits |= kDigitBit;
    if (letter) bits |= kLetterBit;
    if (letter || digit || c == '$' || c == '.') bits |= kIdentBit | kValueBit;
    if (c == '-') bits |= kValueBit;
    if (c == ' ' || (c >= '\t' && c <= '\r')) bits |= kBlankBit;
    if (digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) bits |= kHexBit;
    table[static_cast<size_t>(c)] = static_cast<uint8_t>(bits);
  }
  return table;
}
inline constexpr std::array<uint8_t, 256> kCharClass = MakeCharClasses();
inline bool Is(char c, unsigned bits) { return (kCharClass[static_cast<unsigned char>(c)] & bits) != 0; }

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_LEXER_H_
