// "Did you mean": of the names that there are, the one that is spelled most like a name that there is not.
#ifndef PTO_SRC_RECORDS_NEAREST_H_
#define PTO_SRC_RECORDS_NEAREST_H_

#include <algorithm>
#include <string>
#include <string_view>

namespace pto {

class Nearest {
 public:
  explicit Nearest(std::string_view word)
      : word_(word.substr(0, kLongest)), limit_(std::min(word_.size() / 3, kMost)) {}

  // A candidate, which must outlive this. The first of two at one distance counts.
  void Offer(std::string_view candidate) {
    if (candidate == word_) return;  // there is, but not where it is asked for
    if (candidate.size() > word_.size() + limit_ || candidate.size() + limit_ < word_.size()) return;
    const size_t distance = Distance(candidate);
    if (distance >= limit_ + (best_.empty() ? 1 : 0)) return;
    limit_ = distance;
    best_ = candidate;
  }
  std::string_view best() const { return best_; }
  // For the end of a message; empty if no candidate is near.
  std::string Question(std::string_view before = "") const {
    if (best_.empty()) return "";
    return "; did you mean " + std::string(before) + std::string(best_) + "?";
  }

 private:
  static constexpr size_t kLongest = 64;  // of a word: the rest is not looked at
  static constexpr size_t kMost = 3;      // letters that are wrong

  static char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

  // Letters to insert, remove, replace or swap with the next one; case does not count.
  size_t Distance(std::string_view other) const {
    const size_t length = other.size();
    size_t rows[3][kLongest + kMost + 1];
    size_t* before = rows[0];
    size_t* last = rows[1];
    size_t* now = rows[2];
    for (size_t j = 0; j <= length; ++j) last[j] = j;
    for (size_t i = 1; i <= word_.size(); ++i) {
      now[0] = i;
      for (size_t j = 1; j <= length; ++j) {
        const bool same = Small(word_[i - 1]) == Small(other[j - 1]);
        now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
        const bool swapped =
            i > 1 && j > 1 && Small(word_[i - 1]) == Small(other[j - 2]) && Small(word_[i - 2]) == Small(other[j - 1]);
        if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
      }
      size_t* const free = before;
      before = last;
      last = now;
      now = free;
    }
    return last[length];
  }

  std::string_view word_;
  size_t limit_;  // the greatest distance that counts; after a candidate, its own: a better one is nearer
  std::string_view best_;
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_NEAREST_H_
