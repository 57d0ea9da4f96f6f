// Sets of bytes: sorted spans [begin, end) of an address space. No span touches the next.
#ifndef PTO_SRC_PTOAS_SPANS_H_
#define PTO_SRC_PTOAS_SPANS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pto::ptoas {

struct Span {
  int64_t begin = 0;
  int64_t end = 0;
};

class Spans {
 public:
  // Returns the number of these bytes that the set did not have.
  int64_t Add(int64_t begin, int64_t end) {
    if (begin >= end) return 0;
    int64_t fresh = end - begin;
    Span all{begin, end};
    auto first = std::lower_bound(spans_.begin(), spans_.end(), begin, EndsBefore);
    auto last = first;
    for (; last != spans_.end() && last->begin <= end; ++last) {
      fresh -= std::max<int64_t>(std::min(last->end, end) - std::max(last->begin, begin), 0);
      all = {std::min(all.begin, last->begin), std::max(all.end, last->end)};
    }
    if (first == last) {
      spans_.insert(first, all);
    } else {
      *first = all;
      spans_.erase(first + 1, last);
    }
    return fresh;
  }
  void Remove(int64_t begin, int64_t end) {
    Spans rest;
    EachOutside(begin, end, [&](int64_t from, int64_t to) { rest.Add(from, to); });
    *this = std::move(rest);
  }
  bool Any(int64_t begin, int64_t end) const {
    const auto at = std::upper_bound(spans_.begin(), spans_.end(), begin,
                                     [](int64_t value, const Span& span) { return value < span.end; });
    return at != spans_.end() && at->begin < end;
  }
  // The first of these bytes that the set does not have; `end`: it has them all.
  int64_t FirstOutside(int64_t begin, int64_t end) const {
    const auto at = std::upper_bound(spans_.begin(), spans_.end(), begin,
                                     [](int64_t value, const Span& span) { return value < span.end; });
    return at == spans_.end() || at->begin > begin ? begin : std::min(at->end, end);
  }
  // visit(begin, end) for the parts that another set has, too.
  template <class Visit>
  void EachInside(const Spans& other, Visit visit) const {
    auto theirs = other.spans_.begin();
    for (const Span& span : spans_) {
      while (theirs != other.spans_.end() && theirs->end <= span.begin) ++theirs;
      for (auto at = theirs; at != other.spans_.end() && at->begin < span.end; ++at) {
        visit(std::max(span.begin, at->begin), std::min(span.end, at->end));
      }
    }
  }
  // visit(begin, end) for the parts that another set lacks.
  template <class Visit>
  void EachOutside(const Spans& other, Visit visit) const {
    auto theirs = other.spans_.begin();
    for (const Span& span : spans_) {
      int64_t from = span.begin;
      while (theirs != other.spans_.end() && theirs->end <= from) ++theirs;
      for (auto at = theirs; at != other.spans_.end() && at->begin < span.end; ++at) {
        if (at->begin > from) visit(from, at->begin);
        from = std::max(from, at->end);
      }
      if (from < span.end) visit(from, span.end);
    }
  }
  bool empty() const { return spans_.empty(); }
  void clear() { spans_.clear(); }
  auto begin() const { return spans_.begin(); }
  auto end() const { return spans_.end(); }

 private:
  static bool EndsBefore(const Span& span, int64_t begin) { return span.end < begin; }
  template <class Visit>
  void EachOutside(int64_t begin, int64_t end, Visit visit) const {
    Spans other;
    other.Add(begin, end);
    EachOutside(other, visit);
  }

  std::vector<Span> spans_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_SPANS_H_
