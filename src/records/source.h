// The source of each rule: document, tile model, implementation or libpto. Every page in docs/ops names it for each
// rule and profile: the one in the instruction's record, or else the usual source of the rule.
#ifndef PTO_SRC_RECORDS_SOURCE_H_
#define PTO_SRC_RECORDS_SOURCE_H_

#include "src/records/profile.h"

namespace pto {

// A set of sources, one bit each.
using SourceSet = uint8_t;
namespace sources {
inline constexpr SourceSet kDocument = 1;
inline constexpr SourceSet kModel = 2;
inline constexpr SourceSet kImplementation = 4;
inline constexpr SourceSet kDialect = 8;
inline constexpr SourceSet kLibrary = 16;

struct ByProfile {
  SourceSet cpu = 0;
  SourceSet hardware = 0;
};
constexpr ByProfile Everywhere(SourceSet set) { return {.cpu = set, .hardware = set}; }
inline constexpr ByProfile kAsserted = {.cpu = kLibrary, .hardware = kImplementation};
}  // namespace sources

struct SourceInfo {
  const char* name;
  const char* meaning;
};
inline constexpr SourceInfo kSources[] = {
    {"document", "the instruction's own document states it for the profile, or for all"},
    {"tile model", "the ISA's general part: which memory a unit of the hardware sees, what a tile is"},
    {"implementation", "the implementation for the profile asserts it, or computes something else without it"},
    {"PTO-AS", "the assembly dialect's verifier refuses it"},
    {"libpto", "libpto alone: without it a call would have no meaning, or reach where no operand holds data"},
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_SOURCE_H_
