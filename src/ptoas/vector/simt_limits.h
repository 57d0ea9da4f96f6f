// How many work items a launch may have, and what they may keep.
#ifndef PTO_SRC_PTOAS_VECTOR_SIMT_LIMITS_H_
#define PTO_SRC_PTOAS_VECTOR_SIMT_LIMITS_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas::vec {

inline constexpr int kGroup = 32;  // work items that meet at votes, shuffles and reductions
inline constexpr int64_t kMostItems = 2048;
inline constexpr int kSimtSlots = 123;  // of pto.keep and pto.resume

// What is wrong with the extents x, y and z of a launch; empty: nothing.
inline std::string LaunchFault(const int64_t (&extents)[3], const Func& func) {
  const int64_t promised = IntAttr(func.attrs, "pto.simt_max_threads", kMostItems);
  const int64_t most = std::clamp<int64_t>(promised, 0, kMostItems);
  int64_t count = 1;
  bool good = true;
  for (const int64_t extent : extents) {
    good = good && extent >= 1 && extent <= most;
    if (good) count *= extent;
    good = good && count <= most;
  }
  if (good) return {};
  return std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " x " + std::to_string(extents[2]) +
         " work items, where @" + std::string(func.name) + " runs as 1 to " + std::to_string(most);
}

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_SIMT_LIMITS_H_
