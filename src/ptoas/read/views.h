// The shape in which a function sees the memory that a pointer argument names.
#ifndef PTO_SRC_PTOAS_VIEWS_H_
#define PTO_SRC_PTOAS_VIEWS_H_

#include <string>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Sets Value::viewed of the pointer arguments of all functions. An argument has no such shape if a size of a view is
// known only in a run, if two views differ, or if the pointer is used for more than views and single elements.
void FindViews(Program* program);

// Why a staging tile does not fit a tensor of that many rows and columns, kDynamic: unknown: static valid
// extents divide them. Empty: it fits.
std::string StagingFault(const Type& tile, int64_t rows, int64_t cols);

// The dimensions without leading ones.
std::span<const int64_t> DropOnes(std::span<const int64_t> dims);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VIEWS_H_
