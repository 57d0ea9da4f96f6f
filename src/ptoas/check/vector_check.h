// What the checks of statements of the vector level share: verify_op.cc, verify_cube.cc, verify_simt.cc.
#ifndef PTO_SRC_PTOAS_CHECK_VECTOR_CHECK_H_
#define PTO_SRC_PTOAS_CHECK_VECTOR_CHECK_H_

#include <cstdarg>
#include <string_view>

#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {

class VectorCheck {
 protected:
  VectorCheck(const Stmt& stmt, Diagnostics* diagnostics) : stmt_(stmt), op_(*stmt.vector), diagnostics_(diagnostics) {}

  [[gnu::format(printf, 5, 6)]] void Error(TextRule rule, uint32_t offset, uint32_t length, const char* format, ...) {
    va_list args;
    va_start(args, format);
    diagnostics_->AddFormatted(rule, offset, length, true, format, args);
    va_end(args);
  }
  // An error of the whole statement. Returns false, for a check to return.
  [[gnu::format(printf, 3, 4)]] bool Refuse(TextRule rule, const char* format, ...) {
    va_list args;
    va_start(args, format);
    diagnostics_->AddFormatted(rule, stmt_.offset, stmt_.length, true, format, args);
    va_end(args);
    return false;
  }
  const Clause* Given(std::string_view word) const { return vec::GivenClause(stmt_, word); }

  const Stmt& stmt_;
  const vec::Op& op_;
  Diagnostics* diagnostics_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_CHECK_VECTOR_CHECK_H_
