// How the members of a group share elements that all of them reduce: each has a segment, as long as the others' or one
// element longer.
#ifndef PTO_SRC_RECORDS_SEGMENT_H_
#define PTO_SRC_RECORDS_SEGMENT_H_

#include <cstdint>
#include <limits>

namespace pto {

// From begin to before end.
struct Segment {
  int64_t begin = 0;
  int64_t end = std::numeric_limits<int64_t>::max();
};

constexpr Segment SegmentOf(int64_t count, int32_t members, int32_t member) {
  const auto start = [&](int64_t i) { return count / members * i + (count % members < i ? count % members : i); };
  return {start(member), start(member + 1)};
}

}  // namespace pto

#endif  // PTO_SRC_RECORDS_SEGMENT_H_
