// Facts about arguments of a function from their views, and about views from their uses.
#ifndef PTO_SRC_PTOAS_VIEWS_H_
#define PTO_SRC_PTOAS_VIEWS_H_

#include <string>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Sets Value::moved of views, and Value::viewed of the pointer arguments of all functions. An argument has no such
// shape if a size of a view is known only in a run, if two views differ, or if the pointer is used for more than views
// and single elements.
void FindViews(Program* program);

// Why a staging tile does not fit a tensor of that many rows and columns, kDynamic: unknown: static valid
// extents divide them. Empty: it fits.
std::string StagingFault(const Type& tile, int64_t rows, int64_t cols);

// The make_tensor_view that a view is a part of, as far as the text shows it; nullptr without one.
const Stmt* MakingOf(const Value* view);

// The byte of UB that a pointer names, if the text shows it: a castptr of a constant, and constants that are added.
bool UbAddressOf(const Operand& pointer, int64_t* at);

// The layout that the text gives to a view of make_tensor_view: it, or else a load of it. Empty: none.
std::string_view WrittenLayout(const Stmt& view);

// The dimensions without leading ones.
std::span<const int64_t> DropOnes(std::span<const int64_t> dims);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VIEWS_H_
