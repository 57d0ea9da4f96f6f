// The arithmetic that an instruction applies to each element. A lane function
// has the arithmetic's name; the record of an instruction names its lane, and
// src/kernels implements it for every element type.
#ifndef PTO_SRC_RECORDS_LANE_H_
#define PTO_SRC_RECORDS_LANE_H_

#include <cstdint>
#include <iterator>

#include "src/records/dtype.h"

namespace pto {

enum class Lane : uint8_t {
#define LANE(enumerator, name, types) enumerator,
#include "src/records/lanes.inc"
};

// A row of lanes.inc, which explains the fields.
struct LaneInfo {
  const char* name;
  DTypeSet types;
};
namespace dtypes {
inline constexpr LaneInfo kLanes[] = {
#define LANE(enumerator, name, types) {name, types},
#include "src/records/lanes.inc"
};
}  // namespace dtypes
inline constexpr int kLaneCount = static_cast<int>(std::size(dtypes::kLanes));
constexpr const LaneInfo& Info(Lane lane) { return dtypes::kLanes[static_cast<int>(lane)]; }

}  // namespace pto

#endif  // PTO_SRC_RECORDS_LANE_H_
