// See lexer.h.
#include "src/ptoas/read/lexer.h"

#include <cstring>

namespace pto::ptoas {
namespace {

const char* ScanWhile(const char* p, unsigned bits) {
  while (Is(*p, bits)) ++p;  // the byte after the text is 0, of no class
  return p;
}

// Whether `name =` follows, which gives an attribute a name.
bool DefinesAlias(const char* p) {
  if (!Is(*p, kLetterBit)) return false;
  p = ScanWhile(p, kIdentBit);
  while (*p == ' ' || *p == '\t') ++p;
  return *p == '=' && p[1] != '=';
}

// Whether a `#` begins a comment: a blank follows, or it is the first on its line
// and no attribute (the documents comment with `#`, attributes begin with it too).
bool HashIsComment(const char* p, const char* end, bool fresh_line) {
  if (p + 1 >= end || Is(p[1], kBlankBit) || p[1] == '#' || p[1] == '!') return true;
  return fresh_line && !DefinesAlias(p + 1) &&
         (end - p < 4 || std::memcmp(p, "#pto", 4) != 0 || Is(p[4], kLetterBit | kDigitBit));
}

}  // namespace

const char* Lexer::SkipBlanks(const char* p) {
  while (true) {
    while (Is(*p, kBlankBit)) {
      if (*p == '\n') fresh_line_ = true;
      ++p;
    }
    const bool comment =
        (*p == '/' && p + 1 < end_ && p[1] == '/') || (*p == '#' && HashIsComment(p, end_, fresh_line_));
    if (!comment) return p;
    const void* newline = std::memchr(p, '\n', static_cast<size_t>(end_ - p));
    const char* stop = newline == nullptr ? end_ : static_cast<const char*>(newline);
    const char* last = stop;
    while (last > p && Is(last[-1], kBlankBit)) --last;
    comments_.push_back({{p, static_cast<size_t>(last - p)}, fresh_line_});
    p = stop;
  }
}

void Lexer::Next(Token* token) {
  const char* p = SkipBlanks(at_);
  while (p != end_ && Stray(p)) p = SkipBlanks(at_);
  token->first_on_line = fresh_line_;
  token->indexed = false;
  token->number = 0;
  token->punct = 0;
  token->offset = OffsetOf(p);
  if (p == end_ || diagnostics_->Full()) {
    at_ = end_;
    token->kind = Tok::kEnd;
    token->offset = OffsetOf(end_);
    token->length = 0;
    token->text = {};
    return;
  }
  fresh_line_ = false;
  const char* text = p;
  const char* stop = p + 1;
  switch (*p) {
    case '%': {
      token->kind = Tok::kValue;
      text = p + 1;
      if (Is(*text, kDigitBit)) {
        stop = ScanWhile(text, kDigitBit);
      } else {
        stop = ScanWhile(text, kValueBit);
        if (stop > text && stop[-1] == '-' && *stop == '>') --stop;  // %a->
      }
      token->text = {text, static_cast<size_t>(stop - text)};
      if (*stop == '#' && Is(stop[1], kDigitBit)) {
        token->indexed = true;
        for (++stop; Is(*stop, kDigitBit); ++stop) {
          if (token->number < 100000) token->number = token->number * 10 + static_cast<uint32_t>(*stop - '0');
        }
      }
      at_ = stop;
      token->length = static_cast<uint32_t>(stop - p);
      return;
    }
    case '@':
      token->kind = Tok::kSymbol;
      text = p + 1;
      if (*text == '"') {
        at_ = text;
        Quoted(token);
        token->kind = Tok::kSymbol;
        ++token->length;
        return;
      }
      stop = ScanWhile(text, kValueBit);
      break;
    case '^':
      token->kind = Tok::kLabel;
      text = p + 1;
      stop = ScanWhile(text, kValueBit);
      break;
    case '!':
    case '#':
      token->kind = *p == '!' ? Tok::kBang : Tok::kHash;
      text = p + 1;
      stop = ScanWhile(text, kIdentBit);
      break;
    case '"':
      at_ = p;
      Quoted(token);
      return;
    case '-':
      token->kind = p[1] == '>' ? Tok::kArrow : Tok::kPunct;
      token->punct = '-';
      if (token->kind == Tok::kArrow) ++stop;
      break;
    default:
      if (Is(*p, kLetterBit)) {
        token->kind = Tok::kIdent;
        stop = ScanWhile(p, kIdentBit);
      } else if (Is(*p, kDigitBit)) {
        at_ = p;
        Number(token);
        return;
      } else {
        token->kind = Tok::kPunct;
        token->punct = *p;
      }
  }
  token->text = {text, static_cast<size_t>(stop - text)};
  token->length = static_cast<uint32_t>(stop - p);
  at_ = stop;
}

void Lexer::Number(Token* token) {
  const char* p = at_;
  token->kind = Tok::kInt;
  if (*p == '0' && (p[1] == 'x' || p[1] == 'X') && Is(p[2], kHexBit)) {
    p = ScanWhile(p + 2, kHexBit);
  } else {
    p = ScanWhile(p, kDigitBit);
    const char* exponent = p;
    if (*p == '.') {
      token->kind = Tok::kFloat;
      exponent = p = ScanWhile(p + 1, kDigitBit);
    }
    if (*exponent == 'e' || *exponent == 'E') {
      ++exponent;
      if (*exponent == '+' || *exponent == '-') ++exponent;
      if (Is(*exponent, kDigitBit)) {
        token->kind = Tok::kFloat;
        p = ScanWhile(exponent, kDigitBit);
      }
    }
  }
  token->length = static_cast<uint32_t>(p - at_);
  token->text = {at_, token->length};
  at_ = p;
}

// From the opening quote; a string that does not end is closed at the line's end.
void Lexer::Quoted(Token* token) {
  const char* p = at_ + 1;
  while (p != end_ && *p != '"' && *p != '\n') {
    if (*p == '\\' && p + 1 != end_ && p[1] != '\n') ++p;
    ++p;
  }
  token->kind = Tok::kString;
  token->text = {at_ + 1, static_cast<size_t>(p - at_ - 1)};
  if (p != end_ && *p == '"') {
    ++p;
  } else {
    diagnostics_->Error(TextRule::kString, token->offset, OffsetOf(p) - token->offset, "the string is not closed");
  }
  token->length = static_cast<uint32_t>(p - at_);
  at_ = p;
}

// Reports bytes that begin no token and skips them. False if there are no such bytes.
bool Lexer::Stray(const char* p) {
  static constexpr std::string_view kPunctuation = "(){}[]<>,:=;-*?+/&|";
  const auto stray = [this](const char* q) {
    if (Is(*q, kLetterBit | kDigitBit | kBlankBit) || (*q != 0 && kPunctuation.find(*q) != std::string_view::npos)) {
      return false;
    }
    if (*q == '"') return false;
    if (*q == '%' || *q == '@' || *q == '^' || *q == '!' || *q == '#') {
      return !Is(q[1], kValueBit) && !(*q == '@' && q[1] == '"' && q + 1 != end_);
    }
    return true;
  };
  const char* q = p;
  while (q != end_ && stray(q)) ++q;
  if (q == p) return false;
  const unsigned first = static_cast<unsigned char>(*p);
  if (first > ' ' && first < 0x7F) {
    diagnostics_->Error(TextRule::kCharacter, OffsetOf(p), static_cast<uint32_t>(q - p), "'%c' begins nothing here",
                        *p);
  } else {
    diagnostics_->Error(TextRule::kCharacter, OffsetOf(p), static_cast<uint32_t>(q - p),
                        "byte 0x%02X stands outside a comment or string", first);
  }
  at_ = q;
  return true;
}

}  // namespace pto::ptoas
