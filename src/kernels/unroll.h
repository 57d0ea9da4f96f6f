// How far loops of a constant number of turns are unrolled. gcc does so by itself at -O3 only, and
// arrays of vectors that are left in memory cost half the speed: their loops are unrolled whole.
// For other work four turns hide the loop around it. clang needs no pragma.
#ifndef PTO_SRC_KERNELS_UNROLL_H_
#define PTO_SRC_KERNELS_UNROLL_H_

#if defined(__GNUC__) && !defined(__clang__)
#define PTO_UNROLL_WHOLE _Pragma("GCC unroll 16")
#define PTO_UNROLL_4 _Pragma("GCC unroll 4")
#else
#define PTO_UNROLL_4
#define PTO_UNROLL_WHOLE
#endif

#endif  // PTO_SRC_KERNELS_UNROLL_H_
