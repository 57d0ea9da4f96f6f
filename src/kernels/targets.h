// Which Highway targets are compiled, for every file that includes Highway:
// include this header before all of Highway's.
#ifndef PTO_SRC_KERNELS_TARGETS_H_
#define PTO_SRC_KERNELS_TARGETS_H_

// A namespace of its own: cpu.cc defines what Highway's library would, and a program may hold
// libpto.a and another Highway. Never a debug build: its assertions call the library.
#define hwy pto_hwy
#define HWY_IS_DEBUG_BUILD 0
#include "hwy/detect_compiler_arch.h"

// Functors keep vectors as members, which sizeless vector types cannot be. Arm
// machines with SVE run the NEON code.
// No x86 machine that is still in use has SSSE3 and not SSE4.
#if !defined(HWY_DISABLED_TARGETS) && HWY_ARCH_ARM
#define HWY_DISABLED_TARGETS (HWY_SVE2_128 | HWY_SVE_256 | HWY_SVE2 | HWY_SVE)
#elif !defined(HWY_DISABLED_TARGETS) && HWY_ARCH_X86
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif

// The fallback is Highway's plain scalars. Its emulated vectors are not IEEE: depending
// on the version, x / 0 is 0, or infinity becomes the largest finite number.
#ifndef HWY_BROKEN_EMU128
#define HWY_BROKEN_EMU128 1
#endif

#endif  // PTO_SRC_KERNELS_TARGETS_H_
