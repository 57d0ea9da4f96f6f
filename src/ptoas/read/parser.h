// From text to tree. Any bytes are accepted as input; what cannot be read is
// reported and skipped, and the rest is still read.
#ifndef PTO_SRC_PTOAS_PARSER_H_
#define PTO_SRC_PTOAS_PARSER_H_

#include <string_view>

#include "src/ptoas/read/ast.h"
#include "src/ptoas/read/diagnostic.h"

namespace pto::ptoas {

inline constexpr size_t kMaxSourceBytes = size_t{64} << 20;
inline constexpr int kMaxNesting = 100;  // regions, attributes and types inside one another

// Reads a program. Always returns a tree, of what could be read; it is to be
// run only when `diagnostics` has no errors, after Verify() too. The text is
// copied; `diagnostics` refers to that copy, so the program must outlive it.
// Time and memory grow linearly with the text. Throws std::bad_alloc only.
Program Parse(std::string_view text, Diagnostics* diagnostics);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_PARSER_H_
