// The loop of a plain kernel, and the tables of kernels.
//
// How a lane function is added:
//   1. A value of Lane and a row of kLanes in src/records/lane.h.
//   2. A functor in the file of its family, here one of two sources for every type:
//        struct AddLane : FunBase<2> {
//          template <class V>
//          HWY_INLINE V operator()(V a, V b) const {
//            return hn::Add(a, b);
//          }
//        };
//      It gets vectors of the element type; f16 and bf16 have become VF, vectors of f32. It may
//      depend on the element only, not on its place. NaN of any bits may come out: the adapters
//      (convert-inl.h) make them canonical, unless the functor states that it does so itself
//      (kMakesNaN). A long functor has kUnroll = 1. With FunBase<3> the third vector is of the
//      grid's c. For a last source with one element per line it may name another functor, By.
//   3. A line in the table of the file:
//        {Lane::kAdd, IntsAlike<AddLane>() | Floats<AddLane>()},
//      Ints: a kernel each for i8 to u64; IntsAlike: one for i32 and u32 where the bits of
//      the result do not depend on the sign; Bits: one a width for all types, floats too;
//      Floats: f16, bf16, f32; Only<DType>(entry): one of another make. Tables join by |.
// tests/kernels then tries the kernel in every geometry, on every target; the expected results are
// in tests/kernels/test_values.cc. A new file has one more picker in pickers.h and
// kernels.cc.
#if defined(PTO_SRC_KERNELS_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_LOOP_INL_H_
#undef PTO_SRC_KERNELS_LOOP_INL_H_
#else
#define PTO_SRC_KERNELS_LOOP_INL_H_
#endif

#include "src/kernels/convert-inl.h"
#include "src/kernels/kernels.h"
#include "src/kernels/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// f of the vectors that `load` gives for the sources, and `load_b` for the last of a and b.
template <class Fun, class Load, class LoadB>
HWY_INLINE auto Apply(const Fun& fun, const Load& load, const LoadB& load_b,
                      const typename Fun::T* a, const typename Fun::T* b,
                      const typename Fun::T* c) {
  if constexpr (Fun::kArity == 0) return fun();
  if constexpr (Fun::kArity == 1) return fun(load_b(a));
  if constexpr (Fun::kArity == 2) return fun(load(a), load_b(b));
  if constexpr (Fun::kArity == 3) return fun(load(a), load_b(b), load(c));
}

// A functor's first half, for a group.
template <class Fun>
struct Computed {
  using T = typename Fun::T;
  static constexpr int kArity = Fun::kArity;
  template <class... V>
  HWY_INLINE typename Fun::Raw operator()(V... v) const {
    return fun->Compute(v...);
  }
  const Fun* fun;
};
HWY_INLINE void MakeCanonical(VF& raw) { raw = CanonicalNaN(raw); }
template <class Raw>
HWY_INLINE void MakeCanonical(Raw& raw) {
  raw = {CanonicalNaN(raw.even), CanonicalNaN(raw.odd)};
}
HWY_INLINE bool HasNaN(const VF (&r)[2]) { return AnyNaN(r[0], r[1]); }
HWY_INLINE bool HasNaN(const VF (&r)[4]) { return AnyNaN(r[0], r[1], r[2], r[3]); }
template <class Raw>
HWY_INLINE bool HasNaN(const Raw (&r)[1]) {
  return AnyNaN(r[0].even, r[0].odd);
}
template <class Raw>
HWY_INLINE bool HasNaN(const Raw (&r)[2]) {
  return AnyNaN(r[0].even, r[0].odd, r[1].even, r[1].odd);
}

template <class Fun>
constexpr bool LooksForNaN() {
  if constexpr (requires { Fun::kLooksForNaN; }) return Fun::kLooksForNaN;
  return false;
}

// Whether each vector of a group is stored before the next is loaded: with AVX2 4 KiB take 36 ns
// so, and 39 with all loads before all stores; with three sources 37 and 44 (bare loops, Zen 4).
// Functors with several operations per vector, as products of 8 or 64 bits, are faster with more of
// them under way.
template <class Fun>
constexpr bool OneByOne() {
  constexpr size_t kSize = sizeof(typename Fun::T);
  return PTO_AVX512 == 0 && !LooksForNaN<Fun>() &&
         (Fun::kArity == 3 || (Fun::kArity == 2 && (kSize == 2 || kSize == 4)));
}

// The results of kUnroll vectors, one after another. NaN are rare: a test of the group for NaN
// costs a comparison for two vectors and a branch; a blend of each would cost two
// instructions a vector.
template <class Fun, size_t kUnroll, class Load, class LoadB>
HWY_INLINE void ApplyGroup(const Fun& fun, const Load& load, const LoadB& load_b,
                           const typename Fun::T* a, const typename Fun::T* b,
                           const typename Fun::T* c, size_t lanes,
                           hn::Vec<typename Fun::D> (&r)[kUnroll]) {
  if constexpr (requires { fun.Together(r); }) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i) r[i] = load(a + i * lanes);
    fun.Together(r);
  } else if constexpr (LooksForNaN<Fun>()) {
    typename Fun::Raw raw[kUnroll];
    const Computed<Fun> compute{&fun};
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i)
      raw[i] = Apply(compute, load, load_b, a + i * lanes, b + i * lanes, c + i * lanes);
    if (HWY_UNLIKELY(HasNaN(raw))) {
      if constexpr (HasQuick<decltype(fun.fun)>()) {
        for (size_t i = 0; i < kUnroll; ++i)
          r[i] = Apply(fun, load, load_b, a + i * lanes, b + i * lanes, c + i * lanes);
        return;
      }
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kUnroll; ++i) MakeCanonical(raw[i]);
    }
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i) r[i] = fun.Finish(raw[i]);
  } else {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kUnroll; ++i)
      r[i] = Apply(fun, load, load_b, a + i * lanes, b + i * lanes, c + i * lanes);
  }
}

// With kUniform the last of a and b is one element for a whole line. A functor with Prepare()
// receives it.
template <class Fun, bool kUniform = false>
void Loop(void* dst_bytes, const void* a_bytes, const void* b_bytes, ptrdiff_t dst_line,
          ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count,
          const void* c_bytes = nullptr, ptrdiff_t c_line = 0) {
  using T = typename Fun::T;
  using V = hn::Vec<typename Fun::D>;
  constexpr size_t kUnroll = Fun::kUnroll;
  Fun fun;
  const typename Fun::D d;
  const size_t lanes = hn::Lanes(d);
  T* dst = static_cast<T*>(dst_bytes);
  const T* a = static_cast<const T*>(a_bytes);
  const T* b = static_cast<const T*>(Fun::kArity < 2 ? a_bytes : b_bytes);
  const T* c = static_cast<const T*>(Fun::kArity < 3 ? dst_bytes : c_bytes);
  if constexpr (Fun::kArity < 2) b_line = a_line;
  if constexpr (Fun::kArity < 3) c_line = dst_line;
  const auto load = [d](const T* from) HWY_ATTR { return hn::LoadU(d, from); };
  V uniform = hn::Zero(d);
  // Not every instance reads `uniform`: by name, compilers would warn.
  const auto or_uniform = [&](const auto& other) HWY_ATTR {
    return [&](const T* from) HWY_ATTR {
      if constexpr (kUniform) return uniform;
      return other(from);
    };
  };
  const auto load_b = or_uniform(load);
  const size_t grouped = count - count % (kUnroll * lanes);
#if PTO_AVX512
  // The last vector after the groups is masked even if it is whole: lines of one vector
  // are then never asked for another.
  const size_t whole = grouped == count ? count : (count - 1) / lanes * lanes;
  const auto tail = hn::FirstN(d, count - whole);
  const auto load_tail = [d, tail](const T* from) HWY_ATTR {
    const V v = hn::MaskedLoad(tail, d, from);
    if constexpr (Fun::kPadWithOnes) return hn::IfThenElse(tail, v, hn::Set(d, Fun::kOne));
    return v;
  };
  const auto load_tail_b = or_uniform(load_tail);
#else
  const size_t whole = count - count % lanes;
  const size_t last = count - lanes;
#endif
  for (; lines != 0; --lines, dst += dst_line, a += a_line, b += b_line, c += c_line) {
    if constexpr (kUniform) {
      uniform = hn::Set(d, *b);
      if constexpr (requires { fun.Prepare(*b); }) fun.Prepare(*b);
    }
#if !PTO_AVX512
    // The last vector overlaps the one before it, which may be written over its operands.
    V remainder = hn::Zero(d);
    if (whole != count) remainder = Apply(fun, load, load_b, a + last, b + last, c + last);
#endif
    // Lines of less than a group go straight on, as every jump that is taken costs two cycles; long
    // ones have the time to jump to their groups.
    size_t k = 0;
    if (__builtin_expect(grouped != 0, kUnroll == 1)) {
      do {
        V r[kUnroll];
        constexpr bool kTogether = requires { fun.Together(r); };
        if constexpr (OneByOne<Fun>() && !kTogether) {
          PTO_UNROLL_WHOLE
          for (size_t i = 0; i < kUnroll; ++i) {
            const size_t at = k + i * lanes;
            hn::StoreU(Apply(fun, load, load_b, a + at, b + at, c + at), d, dst + at);
            asm volatile("" : "+r"(k));  // or gcc puts the loads first
          }
        } else {
          ApplyGroup(fun, load, load_b, a + k, b + k, c + k, lanes, r);
          PTO_UNROLL_WHOLE
          for (size_t i = 0; i < kUnroll; ++i) hn::StoreU(r[i], d, dst + k + i * lanes);
        }
      } while ((k += kUnroll * lanes) < grouped);
    }
    if (kUnroll > 1 && __builtin_expect(k < whole, PTO_AVX512 == 0)) {
      do {
        hn::StoreU(Apply(fun, load, load_b, a + k, b + k, c + k), d, dst + k);
      } while ((k += lanes) < whole);
    }
    if (HWY_UNLIKELY(whole == count)) continue;
#if PTO_AVX512
    hn::BlendedStore(Apply(fun, load_tail, load_tail_b, a + k, b + k, c + k), tail, d, dst + k);
#else
    hn::StoreU(remainder, d, dst + last);
#endif
  }
}

template <class Fun>
void StreamLoop(void* dst_bytes, const void* a_bytes, const void* b_bytes, ptrdiff_t dst_line,
                ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count) {
  using T = typename Fun::T;
  constexpr size_t kUnroll = Fun::kUnroll;
  const Fun fun;
  const typename Fun::D d;
  const size_t lanes = hn::Lanes(d);
  const auto load = [d](const T* from) HWY_ATTR { return hn::LoadU(d, from); };
  size_t k = 0;
  do {
    T* dst = static_cast<T*>(dst_bytes) + k;
    const T* a = static_cast<const T*>(a_bytes) + k;
    const T* b = static_cast<const T*>(b_bytes) + k;
    size_t i = lines;
    do {
      hn::Vec<typename Fun::D> r[kUnroll];
      ApplyGroup(fun, load, load, a, b, dst, lanes, r);
      PTO_UNROLL_WHOLE
      for (size_t n = 0; n < kUnroll; ++n) hn::Stream(r[n], d, dst + n * lanes);
      dst += dst_line;
      a += a_line;
      b += b_line;
    } while (--i != 0);
  } while ((k += kUnroll * lanes) < count);
}

// Below 16 bytes Highway's Stream would write 16, and readers of dst have it in the caches. Older
// processors than AVX2's write through the caches: streams would make each kernel larger, for large
// results only.
template <class Fun>
constexpr PastCaches StreamOf() {
  constexpr size_t kVector = hn::MaxLanes(typename Fun::D()) * sizeof(typename Fun::T);
  constexpr size_t kStep = Fun::kUnroll * kVector;
  static_assert(kStreamUnit % kStep == 0);
  if constexpr (kVector >= 16 && PTO_COMMON_TARGET && (Fun::kArity == 1 || Fun::kArity == 2)) {
    return {StreamLoop<Fun>, kStep};
  } else {
    return {};
  }
}

// A kernel of any make, for a functor that names its storage. On AVX-512 masks serve lines shorter
// than a vector, from `masked_from` elements on; the others are packed.
template <class Fun>
constexpr Kernel KernelOf(Block block, PastCaches stream, Block uniform = nullptr,
                          [[maybe_unused]] size_t masked_from = hn::MaxLanes(typename Fun::D()) /
                                                                    16 +
                                                                1) {
  using T = typename Fun::T;
#if PTO_AVX512
  const size_t least = masked_from;
#else
  const size_t least = hn::MaxLanes(typename Fun::D());
#endif
  return {block,       stream, DriveWidth<sizeof(T)>, static_cast<uint16_t>(least), sizeof(T),
          Fun::kArity, uniform};
}

// The base of functors that receive the last source, one element for a whole line. They may have a
// Together(), which puts results in the place of a group of vectors.
template <typename Element>
struct ByElement : FunBase<2> {
  using T = Element;
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  HWY_INLINE ByElement() {}
  HWY_INLINE void Prepare(T b) { by = b; }

  T by = 0;
};

// A functor may name such a one for each element type: By.
template <class Fun>
constexpr Block UniformOf() {
  if constexpr (requires { Fun::kUniform; }) {
    if constexpr (!Fun::kUniform) return nullptr;
    if constexpr (requires { typename Fun::Lane::template By<typename Fun::T>; }) {
      return Loop<typename Fun::Lane::template By<typename Fun::T>, true>;
    } else {
      return Loop<Fun, true>;
    }
  }
  return nullptr;
}

template <class Fun>
constexpr Kernel Plain() {
  return KernelOf<Fun>(Loop<Fun>, StreamOf<Fun>(), UniformOf<Fun>());
}

// The kernels of a lane function, in the order of DType.
struct Kernels {
  Kernel at[kDTypeCount] = {};

  constexpr Kernels operator|(const Kernels& other) const {
    Kernels all = *this;
    for (int t = 0; t < kDTypeCount; ++t) {
      if (other.at[t]) all.at[t] = other.at[t];
    }
    return all;
  }
};

template <DType kDType>
constexpr Kernels Only(Kernel kernel) {
  Kernels one;
  one.at[static_cast<int>(kDType)] = kernel;
  return one;
}

template <class Fun>
constexpr Kernels Unsigned() {
  return {{{},
           Plain<OnPlain<uint8_t, Fun>>(),
           {},
           Plain<OnPlain<uint16_t, Fun>>(),
           {},
           Plain<OnPlain<uint32_t, Fun>>(),
           {},
           Plain<OnPlain<uint64_t, Fun>>()}};
}

template <class Fun>
constexpr Kernels Signed() {
  return {{Plain<OnPlain<int8_t, Fun>>(),
           {},
           Plain<OnPlain<int16_t, Fun>>(),
           {},
           Plain<OnPlain<int32_t, Fun>>(),
           {},
           Plain<OnPlain<int64_t, Fun>>()}};
}

template <class Fun>
constexpr Kernels Ints() {
  return Signed<Fun>() | Unsigned<Fun>();
}

// For both signs the kernels of the unsigned types.
template <class Fun>
constexpr Kernels IntsAlike() {
  Kernels all = Unsigned<Fun>();
  for (int t = 0; t < static_cast<int>(DType::kF16); t += 2) all.at[t] = all.at[t + 1];
  return all;
}

// For floats the kernels of the unsigned types of their widths.
template <class Fun>
constexpr Kernels FloatBits() {
  const Kernels all = Unsigned<Fun>();
  const Kernel& of16 = all.at[static_cast<int>(DType::kU16)];
  return Only<DType::kF16>(of16) | Only<DType::kBF16>(of16) |
         Only<DType::kF32>(all.at[static_cast<int>(DType::kU32)]);
}

template <class Fun>
constexpr Kernels Bits() {
  return IntsAlike<Fun>() | FloatBits<Fun>();
}

template <class Fun, class NarrowFun = Fun>
constexpr Kernels Floats() {
  return Only<DType::kF16>(Plain<OnF16<NarrowFun>>()) |
         Only<DType::kBF16>(Plain<OnBF16<NarrowFun>>()) |
         Only<DType::kF32>(Plain<OnPlain<float, Fun>>());
}

// A line of a file's table.
struct Row {
  Lane lane;
  Kernels kernels;
};

template <size_t kCount>
Kernel Find(const Row (&rows)[kCount], Lane lane, DType dtype) {
  for (const Row& row : rows) {
    if (row.lane == lane) return row.kernels.at[static_cast<int>(dtype)];
  }
  return {};
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_LOOP_INL_H_
