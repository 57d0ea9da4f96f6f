// A sum that is rounded once.
#ifndef PTO_SRC_ENGINE_SUM_H_
#define PTO_SRC_ENGINE_SUM_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace pto {

// a + b rounded to odd, so that rounding it to a type of less than half the digits is as good as rounding once.
inline double SumToOdd(double a, double b) {
  double sum = a + b;
  const double back = sum - a;
  const double error = (a - (sum - back)) + (b - back);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error != 0 && (bits & 1) == 0 && std::isfinite(sum)) {
    bits += (error > 0) == (sum > 0) ? 1 : ~uint64_t{0};
    sum = std::bit_cast<double>(bits);
  }
  return sum;
}

}  // namespace pto

#endif  // PTO_SRC_ENGINE_SUM_H_
