// Numbers for the inputs of tests: the same for a seed on every machine.
#ifndef PTO_SRC_CLI_DISTRIBUTION_H_
#define PTO_SRC_CLI_DISTRIBUTION_H_

#include <cstdint>
#include <span>
#include <string>

#include "src/cli/array.h"

namespace pto::cli {

struct Distribution {
  const char* name;
  const char* what;
};
std::span<const Distribution> Distributions();
// Failure for a name that there is not.
void NeedDistribution(const std::string& name);

// An array of a shape and type. `stream` gives each argument its own numbers for one seed.
Array Draw(const std::string& distribution, pto_dtype dtype, const std::vector<int64_t>& shape, uint64_t seed,
           const std::string& stream);

// Data that is in no file: zeros; iota, which counts from 0 as far as the type does, and then again; random:SEED,
// numbers of the distribution uniform.
bool IsMade(const std::string& how);
Array Make(const std::string& how, pto_dtype dtype, const std::vector<int64_t>& shape, const std::string& stream);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_DISTRIBUTION_H_
