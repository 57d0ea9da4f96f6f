// Decimal numbers in strings, exactly: what a literal means before it is rounded to its type.
#ifndef PTO_SRC_PTOAS_READ_DECIMAL_H_
#define PTO_SRC_PTOAS_READ_DECIMAL_H_

#include <string_view>

#include "src/ptoas/read/type.h"

namespace pto::ptoas {

// A number that was written in decimal. A double that was rounded to nearest must not be rounded again to a
// narrower type: where it falls on a tie, the text may lie on either side. A double that was rounded to odd (towards
// zero, with the last bit set if that was inexact) falls on a tie only if the text does.
struct Decimal {
  double nearest = 0;
  double odd = 0;

  // The double to round to a type.
  double For(Elem elem) const { return elem == Elem::kF64 ? nearest : odd; }
};

// Reads digits with at most one point, then perhaps an exponent: e or E, a sign, digits. A sign before them and
// infinities are not part of the form. Returns false for any other text.
bool ReadDecimal(std::string_view text, Decimal* out);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_READ_DECIMAL_H_
