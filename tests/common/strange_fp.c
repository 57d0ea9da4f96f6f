/* strange_fp.c: see strange_fp.h. */
#include "strange_fp.h"

#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

void strange_fp_enter(void) {
#if defined(__SSE2__)
  _mm_setcsr((_mm_getcsr() & ~0x6000U) | 0x4000U | 0x8040U);
#else
  fesetround(FE_UPWARD);
#endif
}

int strange_fp_leave(void) {
#if defined(__SSE2__)
  const int kept = (_mm_getcsr() & ~0x3fU) == 0xdfc0U;
  _mm_setcsr(0x1f80U);
#else
  const int kept = fegetround() == FE_UPWARD;
  fesetround(FE_TONEAREST);
#endif
  return kept;
}
