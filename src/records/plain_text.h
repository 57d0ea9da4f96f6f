// Text of others on its way to a terminal or into a message: what would move the
// cursor, change colours or reorder what is read is written as \xNN, byte by byte.
#ifndef PTO_SRC_RECORDS_PLAIN_TEXT_H_
#define PTO_SRC_RECORDS_PLAIN_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pto {

// The last line of output that was longer than 1 MiB, in place of the lines that were cut.
inline constexpr std::string_view kCutLine = "... cut: no more than 1 MiB is kept\n";

// Bytes of the well-formed UTF-8 character at text[at]; 0 if it is malformed. `*point` is its code point.
inline size_t CharacterAt(std::string_view text, size_t at, uint32_t* point) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  const uint32_t first = byte(at);
  *point = first;
  if (first < 0x80) return 1;
  const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || size > text.size() - at) return 0;
  *point = first & (0x7FU >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
    *point = *point << 6 | (byte(at + i) & 0x3FU);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = *point >= 0xD800 && *point <= 0xDFFF;
  return *point < kLeast[size] || *point > 0x10FFFF || surrogate ? 0 : size;
}

// Controls of ASCII and of C1, and those that end lines or turn the direction of text.
inline bool IsControl(uint32_t point) {
  return point < ' ' || (point >= 0x7F && point < 0xA0) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

// Appends the character at text[at], or a byte if it is malformed, and returns its number of bytes.
inline size_t AppendPlain(std::string_view text, size_t at, std::string_view keep, std::string* out) {
  uint32_t point = 0;
  const size_t size = CharacterAt(text, at, &point);
  const bool kept = size == 1 && keep.find(text[at]) != std::string_view::npos;
  if (size != 0 && (kept || !IsControl(point))) {
    out->append(text.substr(at, size));
    return size;
  }
  constexpr char kDigits[] = "0123456789ABCDEF";
  const size_t bytes = size == 0 ? 1 : size;
  for (size_t i = 0; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    *out += "\\x";
    *out += kDigits[byte >> 4];
    *out += kDigits[byte & 15];
  }
  return bytes;
}

// A whole string; the control characters in `keep` do not change.
inline std::string Plain(std::string_view text, std::string_view keep = "") {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) at += AppendPlain(text, at, keep, &out);
  return out;
}

}  // namespace pto

#endif  // PTO_SRC_RECORDS_PLAIN_TEXT_H_
