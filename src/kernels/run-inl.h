// Kernels of groups: blocks as loop-inl.h makes them, for functors that compute several vectors
// together (group-inl.h). They compile slowly; plain functors have no need of them.
#if defined(PTO_SRC_KERNELS_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_RUN_INL_H_
#undef PTO_SRC_KERNELS_RUN_INL_H_
#else
#define PTO_SRC_KERNELS_RUN_INL_H_
#endif

#include "src/kernels/group-inl.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// The block. In AVX-512 the lines of heavy functors may be of any length, elsewhere they have a
// vector.
template <class Fun>
void GroupLines(void* dst_bytes, const void* a_bytes, const void* b_bytes, ptrdiff_t dst_line,
                ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count, const void* /*c*/,
                ptrdiff_t /*c_line*/) {
  using T = typename Fun::T;
  const Fun fun;
  const typename Fun::D d;
  const size_t lanes = hn::Lanes(d);
  T* dst = static_cast<T*>(dst_bytes);
  const T* a = static_cast<const T*>(a_bytes);
  const T* b = static_cast<const T*>(Fun::kArity == 1 ? a_bytes : b_bytes);
  if constexpr (Fun::kArity == 1) b_line = a_line;
#if PTO_AVX512
  constexpr bool kGather = Fun::kJoint && Fun::kHeavy;
  const auto tail = hn::FirstN(d, count % lanes);
#else
  constexpr bool kGather = false;
#endif
  const size_t grouped = count - count % (Fun::kGroup * lanes);
  Groups<Fun> groups(fun, a == dst || b == dst);
#if PTO_AVX512
  const Rect<T> rest{dst + grouped, a + grouped, b + grouped, dst_line,
                     a_line,        b_line,      lines,       count - grouped};
#endif
  for (size_t i = 0; i < lines; ++i, a += a_line, b += b_line, dst += dst_line) {
#if !PTO_AVX512
    // The last vector overlaps the one before it. Its inputs may be dst, so it is
    // computed before anything is stored.
    const size_t last = count - lanes;
    const auto remainder = Apply(fun, a + last, b + last);
#endif
    size_t k = 0;
    for (; k < grouped; k += Fun::kGroup * lanes) {
      groups.Apply(a + k, b + k, Piece<T>{dst + k});
    }
    if constexpr (!kGather) {
      for (; k + lanes <= count; k += lanes) {
        hn::StoreU(Apply(fun, a + k, b + k), d, dst + k);
      }
      if (k == count) continue;
#if PTO_AVX512
      ApplyMasked(fun, tail, a + k, b + k, dst + k);
#else
      hn::StoreU(remainder, d, dst + last);
#endif
    }
  }
  groups.Finish();
#if PTO_AVX512
  if (kGather && grouped != count) GatheredLines(fun, rest);
#endif
}

// The block past the caches.
template <class Fun>
void GroupStream(void* dst_bytes, const void* a_bytes, const void* b_bytes, ptrdiff_t dst_line,
                 ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count) {
  using T = typename Fun::T;
  const Fun fun;
  const size_t step = Fun::kGroup * hn::Lanes(typename Fun::D());
  Groups<Fun> groups(fun, false);
  for (size_t k = 0; k < count; k += step) {
    T* dst = static_cast<T*>(dst_bytes) + k;
    const T* a = static_cast<const T*>(a_bytes) + k;
    const T* b = static_cast<const T*>(b_bytes) + k;
    for (size_t i = 0; i < lines; ++i, dst += dst_line, a += a_line, b += b_line) {
      groups.Apply(a, b, UncachedPiece<T>{dst});
    }
  }
  groups.Finish();
}

// The kernel. Packing pays on AVX-512 where it saves vectors worth more than it.
template <class Fun>
constexpr Kernel GroupKernel(Block uniform = nullptr) {
  constexpr size_t kLanes = hn::MaxLanes(typename Fun::D());
  constexpr size_t kMaskedFrom = Fun::kHeavy ? kLanes / 2 + 1 : kLanes / 16 + 1;
  constexpr size_t kStep = Fun::kGroup * kLanes * sizeof(typename Fun::T);
  PastCaches stream;
  if constexpr (Fun::kStream && kLanes * sizeof(typename Fun::T) >= 16) {
    static_assert(kStreamUnit % kStep == 0);
    stream = {GroupStream<Fun>, kStep};
  }
  return KernelOf<Fun>(GroupLines<Fun>, stream, uniform, kMaskedFrom);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_RUN_INL_H_
