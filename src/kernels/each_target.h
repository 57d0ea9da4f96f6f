// Compiles what includes it once for each SIMD target, and last for the baseline. Include it before
// the headers of vectors, *-inl.h. It starts the file that the compiler was given from the top
// again, so several kernel files in one unit share each target's headers: half of the time of a
// small one.
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE __BASE_FILE__
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
