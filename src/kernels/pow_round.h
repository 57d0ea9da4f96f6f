// The last resort of correctly rounded powers, exponentials and logarithms: one element in multiple
// precision, rounded to nearest even.
#ifndef PTO_SRC_KERNELS_POW_ROUND_H_
#define PTO_SRC_KERNELS_POW_ROUND_H_

namespace pto {

// base ** exponent. Precondition: base and exponent are finite, base > 0, exponent != 0, and base
// != 1.
float PowRounded(float base, float exponent);

// e ** x. Precondition: 0 < |x| < 150.
float ExpRounded(float x);

// The natural logarithm. Precondition: x is positive and finite, and not 1.
float LogRounded(float x);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_POW_ROUND_H_
