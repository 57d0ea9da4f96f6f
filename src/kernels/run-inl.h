// The loop that every kernel shares: lines, vectors, remainders, broadcasts and
// narrow regions, written once for all lane functions.
#if defined(PTO_SRC_KERNELS_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_RUN_INL_H_
#undef PTO_SRC_KERNELS_RUN_INL_H_
#else
#define PTO_SRC_KERNELS_RUN_INL_H_
#endif

#include <cstring>

#include "hwy/base.h"
#include "hwy/cache_control.h"
#include "src/kernels/group-inl.h"
#include "src/kernels/kernels.h"
#include "src/kernels/tuning.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// All lines. Any number of elements on AVX-512, at least one vector of them elsewhere.
template <class Fun, typename T = typename Fun::T>
HWY_NOINLINE void Lines(const Fun& fun_by_ref, const Rect<T>& r) {
  const Fun fun = fun_by_ref;
  const typename Fun::D d;
  const size_t lanes = hn::Lanes(d);
  // Each is loaded alone, not in a vector of it and its neighbours: who has just written them
  // word by word would make such a load wait until the stores have left the store buffer.
  const size_t count = Register(r.count);
  const ptrdiff_t a_line = Register(r.a_line);
  const ptrdiff_t b_line = Register(r.b_line);
  const ptrdiff_t dst_line = Register(r.dst_line);
  const T* a = Register(r.a);
  const T* b = Register(r.b);
  T* dst = Register(r.dst);
#if PTO_AVX512
  constexpr bool kGather = Fun::kJoint && Fun::kHeavy;
  const auto tail = hn::FirstN(d, count % lanes);
#else
  constexpr bool kGather = false;
#endif
  const size_t lines = Register(r.lines);
  const size_t grouped = count - count % (Fun::kGroup * lanes);
  Groups<Fun> groups(fun, r);
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
  if (kGather && grouped != count) {
    GatheredLines(fun, Rect<T>{r.dst + grouped, r.a + grouped, r.b + grouped, dst_line, a_line,
                               b_line, lines, count - grouped});
  }
#endif
}

// `count` elements, fewer than 64 bytes of them, in a few overlapping moves. All is
// read before anything is written.
template <typename T>
HWY_INLINE void CopyShort(const T* from, T* to, size_t count) {
  const uint8_t* f = reinterpret_cast<const uint8_t*>(from);
  uint8_t* t = reinterpret_cast<uint8_t*>(to);
  const size_t bytes = count * sizeof(T);
  const auto ends = [f, t, bytes](auto word) {
    constexpr size_t kSize = sizeof(word);
    auto last = word;
    std::memcpy(&word, f, kSize);
    std::memcpy(&last, f + bytes - kSize, kSize);
    std::memcpy(t, &word, kSize);
    std::memcpy(t + bytes - kSize, &last, kSize);
  };
  struct Bytes16 {
    uint64_t low, high;
  };
  struct Bytes32 {
    Bytes16 low, high;
  };
  if (bytes >= 32) {
    ends(Bytes32());
  } else if (bytes >= 16) {
    ends(Bytes16());
  } else if (bytes >= 8) {
    ends(uint64_t{0});
  } else if (bytes >= 4) {
    ends(uint32_t{0});
  } else if (bytes >= 2) {
    ends(uint16_t{0});
  } else {
    *t = *f;
  }
}

template <typename T>
HWY_INLINE void Gather(const T* from, ptrdiff_t line, ptrdiff_t step, size_t lines, size_t count,
                       T* to) {
  if (count == 1) {
    for (size_t i = 0; i < lines; ++i, from += line) to[i] = *from;
  } else if (step == 1) {
    for (size_t i = 0; i < lines; ++i, from += line, to += count) CopyShort(from, to, count);
  } else {
    for (size_t i = 0; i < lines; ++i, from += line) {
      for (size_t k = 0; k < count; ++k) *to++ = *from;
    }
  }
}

// Lines shorter than a vector are packed, several at a time.
template <class Fun, typename T = typename Fun::T>
HWY_NOINLINE void Narrow(const Fun& fun, const Grid& g) {
  const typename Fun::D d;
  constexpr size_t kCapacity =
      HWY_MAX(4 * hn::MaxLanes(typename Fun::D()), kMinPackBytes / sizeof(T));
  HWY_ALIGN T a_pack[kCapacity];
  HWY_ALIGN T b_pack[kCapacity];
  HWY_ALIGN T out[kCapacity];
  for (size_t i = 0; i < kCapacity; ++i) {
    a_pack[i] = Fun::kOne;
    b_pack[i] = Fun::kOne;
  }
  const T* a = static_cast<const T*>(g.a);
  const T* b = static_cast<const T*>(g.b);
  T* dst = static_cast<T*>(g.dst);
  const size_t group = kCapacity / g.count;
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = HWY_MIN(group, g.lines - i);
    const size_t used = lines * g.count;
    const size_t lanes = hn::Lanes(d);
    Gather(a, g.a_line, g.a_step, lines, g.count, a_pack);
    if constexpr (Fun::kArity == 2) Gather(b, g.b_line, g.b_step, lines, g.count, b_pack);
    const size_t whole = (used + lanes - 1) / lanes * lanes;
    Lines(fun, Rect<T>{out, a_pack, b_pack, 0, 0, 0, 1, whole});
    const T* from = out;
    if (g.count == 1) {
      for (size_t j = 0; j < lines; ++j, dst += g.dst_line) *dst = from[j];
    } else {
      for (size_t j = 0; j < lines; ++j, dst += g.dst_line, from += g.count) {
        CopyShort(from, dst, g.count);
      }
    }
    a += static_cast<ptrdiff_t>(lines) * g.a_line;
    if constexpr (Fun::kArity == 2) b += static_cast<ptrdiff_t>(lines) * g.b_line;
  }
}

// Operands of step 0 are laid out in a block that Lines() then reads.
template <class Fun, typename T = typename Fun::T>
HWY_NOINLINE void Broadcast(const Fun& fun, const Grid& g) {
  constexpr size_t kCapacity = kBroadcastBytes / sizeof(T);
  HWY_ALIGN T a_block[kCapacity];
  HWY_ALIGN T b_block[kCapacity];
  const typename Fun::D d;
  const size_t lanes = hn::Lanes(d);
  const T* a = static_cast<const T*>(g.a);
  const T* b = static_cast<const T*>(g.b);
  T* dst = static_cast<T*>(g.dst);
  const size_t filled = HWY_MIN(g.count, kCapacity - lanes);  // rounded up when stored
  for (size_t i = 0; i < g.lines; ++i) {
    if (g.a_step == 0 && (i == 0 || g.a_line != 0)) {
      for (size_t k = 0; k < filled; k += lanes) hn::StoreU(hn::Set(d, *a), d, a_block + k);
    }
    if (g.b_step == 0 && (i == 0 || g.b_line != 0)) {
      for (size_t k = 0; k < filled; k += lanes) hn::StoreU(hn::Set(d, *b), d, b_block + k);
    }
    for (size_t k = 0; k < g.count;) {
      // The last two blocks share what is left: none is shorter than a vector.
      const size_t left = g.count - k;
      const size_t n = left <= filled ? left : HWY_MIN(filled, left - lanes);
      Lines(fun, Rect<T>{dst + k, g.a_step == 0 ? a_block : a + k, g.b_step == 0 ? b_block : b + k,
                         0, 0, 0, 1, n});
      k += n;
    }
    a += g.a_line;
    b += g.b_line;
    dst += g.dst_line;
  }
}

// Lines() for results too large for the caches: non-temporal stores, over several pages
// in turn. Precondition: dst overlaps no source, count is at least two vectors.
template <class Fun, typename T = typename Fun::T>
HWY_NOINLINE void StreamLines(const Fun& fun_by_ref, const Rect<T>& r) {
  const Fun fun = fun_by_ref;
  const typename Fun::D d;
  const size_t lanes = hn::Lanes(d);
  constexpr size_t kPage = kPageBytes / sizeof(T);
  const size_t step = Fun::kGroup * lanes;
  Groups<Fun> groups(fun, r);
  const T* a = r.a;
  const T* b = r.b;
  T* dst = r.dst;
  for (size_t i = 0; i < r.lines; ++i, a += r.a_line, b += r.b_line, dst += r.dst_line) {
    // Non-temporal stores are aligned; the first vector overlaps them.
    const size_t odd = reinterpret_cast<uintptr_t>(dst) / sizeof(T) % lanes;
    size_t k = odd == 0 ? 0 : lanes - odd;
    if (k != 0) hn::StoreU(Apply(fun, a, b), d, dst);
    while (r.count - k >= kPage) {
      const size_t pages = HWY_MIN((r.count - k) / kPage, tuning.stream_pages);
      for (size_t at = k; at < k + kPage; at += step) {
        for (size_t p = 0; p < pages; ++p) {
          const size_t j = at + p * kPage;
          groups.Apply(a + j, b + j, UncachedPiece<T>{dst + j});
        }
      }
      k += pages * kPage;
    }
    for (; k + lanes <= r.count; k += lanes) hn::Stream(Apply(fun, a + k, b + k), d, dst + k);
    const size_t last = r.count - lanes;
    if (k != r.count) hn::StoreU(Apply(fun, a + last, b + last), d, dst + last);
  }
  groups.Finish();
  hwy::FlushStream();
}

// Lines that follow one another without a gap in every operand are one line.
HWY_INLINE void Fuse(Grid& g, bool binary) {
  if (g.count == 1) {  // a repeated element may as well be one along the line
    g.a_step = g.a_line != 0;
    g.b_step = g.b_line != 0;
  }
  const ptrdiff_t count = static_cast<ptrdiff_t>(g.count);
  const auto follows = [count](ptrdiff_t line, int32_t step) { return line == count * step; };
  if (g.lines == 1 || (g.dst_line == count && follows(g.a_line, g.a_step) &&
                       (!binary || follows(g.b_line, g.b_step)))) {
    g.count *= g.lines;
    g.lines = 1;
    g.dst_line = g.a_line = g.b_line = 0;
  }
}

// Whether the results are worth writing past the caches. A line that repeats counts for nothing.
template <typename T>
HWY_INLINE bool BeyondCaches(const Grid& g, int arity) {
  const size_t moving = 2 + (arity == 2 && (g.b_line != 0 || g.lines == 1));
  return g.lines * g.count * sizeof(T) * moving >= tuning.stream_bytes;
}

// The body of a kernel. Touches exactly the elements that the grid names.
template <class Fun>
HWY_INLINE void Run(const Fun& fun, const Grid& grid) {
  using T = typename Fun::T;
  if (grid.lines == 0 || grid.count == 0) return;
  // See Lines().
  Grid g = {Register(grid.dst),      Register(grid.a),      Register(grid.b),
            Register(grid.dst_line), Register(grid.a_line), Register(grid.b_line),
            Register(grid.a_step),   Register(grid.b_step), Register(grid.lines),
            Register(grid.count)};
  if constexpr (Fun::kArity == 1) {
    g.b = g.a;
    g.b_line = g.a_line;
    g.b_step = g.a_step;
  }
  Fuse(g, Fun::kArity == 2);
  constexpr size_t kLanes = hn::MaxLanes(typename Fun::D());
#if PTO_AVX512
  // Masks serve any line; packing pays only where it saves vectors worth more than it.
  const bool narrow = g.count <= (Fun::kHeavy ? kLanes / 2 : kLanes / 16);
#else
  const bool narrow = g.count < kLanes;
#endif
  if (narrow) {
    Narrow(fun, g);
  } else if (g.a_step == 0 || g.b_step == 0) {
    Broadcast(fun, g);
  } else {
    const Rect<T> r = {static_cast<T*>(g.dst),
                       static_cast<const T*>(g.a),
                       static_cast<const T*>(g.b),
                       g.dst_line,
                       g.a_line,
                       g.b_line,
                       g.lines,
                       g.count};
    // Of less than 16 bytes Highway's Stream would write 16.
    if constexpr (Fun::kStream && kLanes * sizeof(T) >= 16) {
      if (HWY_UNLIKELY(BeyondCaches<T>(g, Fun::kArity) && g.count >= 2 * kLanes && g.dst != g.a &&
                       g.dst != g.b)) {
        StreamLines(fun, r);
        return;
      }
    }
    Lines(fun, r);
  }
}

// The kernel itself, for a functor that names its storage.
template <class Fun>
void RunKernel(const Grid& grid) {
  Run(Fun(), grid);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_RUN_INL_H_
