// Differences to the vendor's simulator that libpto has by choice, by the shape that they leave in arrays of results.
// docs/migrating.md has a section for each, under its id.
#ifndef PTO_SRC_CLI_KNOWN_H_
#define PTO_SRC_CLI_KNOWN_H_

#include <cstdint>
#include <vector>

#include "src/cli/array.h"

namespace pto::cli {

struct Known {
  const char* id;
  const char* text;  // what libpto does, and what the simulator does
};

// A known difference that explains elements.
struct Explained {
  const Known* known;
  int64_t count;
  int64_t first;  // element
};

// Explains elements of `a`, from libpto, that differ from `b`, from the simulator. `ulps` has the steps between the
// two values of each. Elements that no entry of the result counts are unknown.
std::vector<Explained> Explain(const Array& a, const Array& b, const std::vector<int64_t>& different,
                               const std::vector<double>& ulps);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_KNOWN_H_
