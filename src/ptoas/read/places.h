// Lines and columns of a program's text.
#ifndef PTO_SRC_PTOAS_PLACES_H_
#define PTO_SRC_PTOAS_PLACES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pto::ptoas {

struct TextPlace {
  int32_t line = 1;    // from 1
  int32_t column = 1;  // from 1, in characters (UTF-8 code points); a tab counts as one
};

// Finds the place of an offset without going through what is before it, however long lines are.
// The text must outlive it.
class Places {
 public:
  explicit Places(std::string_view source) : source_(source), line_starts_{0} {
    for (size_t at = source.find('\n'); at != source.npos; at = source.find('\n', at + 1)) {
      line_starts_.push_back(static_cast<uint32_t>(at + 1));
    }
    uint32_t characters = 0;
    for (size_t at = 0; at <= source.size(); at += kStretch) {
      characters_.push_back(characters);
      characters += CharactersIn(source.substr(at, kStretch));
    }
  }

  // `offset` is in the text or at its end.
  TextPlace At(uint32_t offset) const {
    const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    return {static_cast<int32_t>(next - line_starts_.begin()),
            static_cast<int32_t>(1 + CharactersBefore(offset) - CharactersBefore(*(next - 1)))};
  }

 private:
  static constexpr size_t kStretch = 256;

  static uint32_t CharactersIn(std::string_view text) {
    return static_cast<uint32_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }
  uint32_t CharactersBefore(uint32_t offset) const {
    const size_t stretch = offset / kStretch;
    return characters_[stretch] + CharactersIn(source_.substr(stretch * kStretch, offset % kStretch));
  }

  std::string_view source_;
  std::vector<uint32_t> line_starts_;
  std::vector<uint32_t> characters_;  // before each stretch
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PLACES_H_
