// The last resort of correctly rounded powers: one pair in multiple precision.
#ifndef PTO_SRC_KERNELS_POW_ROUND_H_
#define PTO_SRC_KERNELS_POW_ROUND_H_

namespace pto {

// base ** exponent rounded to nearest even. Precondition: base and exponent are
// finite, base > 0, exponent != 0, and base != 1.
float PowRounded(float base, float exponent);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_POW_ROUND_H_
