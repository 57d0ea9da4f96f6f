// The loop of a kernel of two sources that computes a group of vectors together.
#if defined(PTO_SRC_KERNELS_TOGETHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_TOGETHER_INL_H_
#undef PTO_SRC_KERNELS_TOGETHER_INL_H_
#else
#define PTO_SRC_KERNELS_TOGETHER_INL_H_
#endif

#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Fun::Together(r, b) puts the results of the kUnroll vectors r and b in the place of r. `kRest` is
// the kernel for the rest of each line, and for lines shorter than a group.
template <class Fun, Block kRest>
void LoopTogether(void* dst_bytes, const void* a_bytes, const void* b_bytes, ptrdiff_t dst_line,
                  ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count, const void* c,
                  ptrdiff_t c_line) {
  using T = typename Fun::T;
  const typename Fun::D d;
  constexpr size_t kLanes = hn::MaxLanes(typename Fun::D());
  constexpr size_t kStep = Fun::kUnroll * kLanes;
  size_t whole = count - count % kStep;
  // Without masks the last vector of a line overlaps the one before, which must then be of the
  // rest.
  if (!PTO_AVX512 && whole != 0 && whole != count && count - whole < kLanes) whole -= kStep;
  T* dst = static_cast<T*>(dst_bytes);
  const T* a = static_cast<const T*>(a_bytes);
  const T* b = static_cast<const T*>(b_bytes);
  if (whole != 0) {
    const Fun fun;
    for (size_t i = 0; i < lines; ++i) {
      T* const to = dst + static_cast<ptrdiff_t>(i) * dst_line;
      const T* const from = a + static_cast<ptrdiff_t>(i) * a_line;
      const T* const by = b + static_cast<ptrdiff_t>(i) * b_line;
      for (size_t k = 0; k < whole; k += kStep) {
        hn::Vec<typename Fun::D> r[Fun::kUnroll], vb[Fun::kUnroll];
        PTO_UNROLL_WHOLE
        for (size_t n = 0; n < Fun::kUnroll; ++n) {
          r[n] = hn::LoadU(d, from + k + n * kLanes);
          vb[n] = hn::LoadU(d, by + k + n * kLanes);
        }
        fun.Together(r, vb);
        PTO_UNROLL_WHOLE
        for (size_t n = 0; n < Fun::kUnroll; ++n) hn::StoreU(r[n], d, to + k + n * kLanes);
      }
    }
  }
  if (whole != count)
    kRest(dst + whole, a + whole, b + whole, dst_line, a_line, b_line, lines, count - whole, c,
          c_line);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_TOGETHER_INL_H_
