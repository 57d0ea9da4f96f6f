// Groups of vectors: how one is read, computed and written, what becomes of elements whose
// rounding is open, and how short lines are gathered into groups.
#if defined(PTO_SRC_KERNELS_GROUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_GROUP_INL_H_
#undef PTO_SRC_KERNELS_GROUP_INL_H_
#else
#define PTO_SRC_KERNELS_GROUP_INL_H_
#endif

#include "hwy/base.h"
#include "hwy/cache_control.h"
#include "src/kernels/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Further properties of a functor of groups.
template <int kCount>
struct GroupBase : FunBase<kCount> {
  // How many vectors are computed before the first is stored. With kJoint, there is a
  // Joint(a, b, dst) for them all, which returns what ApplyGroup() does. If it leaves elements
  // open, kSpan is how many share 16 bits of the result, and Careful() computes those.
  static constexpr size_t kGroup = 4;
  static constexpr bool kJoint = false;
  static constexpr size_t kSpan = 0;
  // Whether a vector costs so much that short lines are better packed together.
  static constexpr bool kHeavy = false;
  // Whether memory is the limit, so that large results are worth non-temporal stores.
  static constexpr bool kStream = false;
};

// One of f32. It makes NaN canonical itself.
template <class Fun>
struct GroupF32 : Fun {
  using T = float;
  using D = DF;
  static constexpr T kOne = 1.0f;

  HWY_INLINE GroupF32() {}
};

// A Grid with its element type, all steps 1.
template <typename T>
struct Rect {
  T* dst;
  const T* a;
  const T* b;
  ptrdiff_t dst_line, a_line, b_line;
  size_t lines, count;
};

template <class Fun, typename T = typename Fun::T>
HWY_INLINE hn::Vec<typename Fun::D> Apply(const Fun& fun, const T* a, const T* b) {
  const typename Fun::D d;
  if constexpr (Fun::kArity == 1) {
    return fun(hn::LoadU(d, a));
  } else {
    return fun(hn::LoadU(d, a), hn::LoadU(d, b));
  }
}

// Where a group is read or written, element k of it. In one piece:
template <typename Element>
struct Piece {
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, size_t k) const {
    return hn::LoadU(d, at + k);
  }
  template <class D>
  HWY_INLINE void Store(hn::Vec<D> v, D d, size_t k) const {
    hn::StoreU(v, d, at + k);
  }
  HWY_INLINE Element* At(size_t k) const { return at + k; }
  Element* at;
};

// The same, written past the caches; aligned to vectors.
template <typename Element>
struct UncachedPiece {
  template <class D>
  HWY_INLINE void Store(hn::Vec<D> v, D d, size_t k) const {
    hn::Stream(v, d, at + k);
  }
  HWY_INLINE Element* At(size_t k) const { return at + k; }
  Element* at;
};

// A group of vectors, the number that the functor keeps in flight. What was stored is
// not a result yet for the elements whose bit is set: 16 bits for every Fun::kSpan elements,
// bit i for those whose number is i modulo 16.
template <class Fun, class Src, class Dst>
HWY_INLINE uint64_t ApplyGroup(const Fun& fun, Src a, Src b, Dst dst) {
  if constexpr (Fun::kJoint) {
    return fun.Joint(a, b, dst);
  } else {
    const typename Fun::D d;
    const size_t lanes = hn::Lanes(d);
    hn::Vec<typename Fun::D> r[Fun::kGroup];
    for (size_t i = 0; i < Fun::kGroup; ++i) r[i] = Apply(fun, a.At(i * lanes), b.At(i * lanes));
    for (size_t i = 0; i < Fun::kGroup; ++i) dst.Store(r[i], d, i * lanes);
    return 0;
  }
}

// Elements that were left open, to be computed with care, a vector of them at a time.
template <class Fun>
class OpenElements {
 public:
  using T = typename Fun::T;

  explicit HWY_INLINE OpenElements(const Fun& f) : fun(f) {}

  template <class Src, class Dst>
  HWY_INLINE void Add(Src a, Src b, Dst dst, uint64_t open) {
    for (; open != 0; open &= open - 1) {
      const size_t bit = hwy::Num0BitsBelowLS1Bit_Nonzero64(open);
      const size_t first = bit / 16 * Fun::kSpan;
      for (size_t k = first + bit % 16; k < first + Fun::kSpan; k += 16) {
        T* to = dst.At(k);
        if (to == nullptr) continue;
        a_[used_] = *a.At(k);
        if constexpr (Fun::kArity == 2) b_[used_] = *b.At(k);
        place_[used_] = to;
        if (++used_ == kLanes) Flush();
      }
    }
  }

  HWY_INLINE void Flush() {
    const typename Fun::D d;
    if (used_ == 0) return;
    for (size_t i = used_; i < kLanes; ++i) a_[i] = b_[i] = Fun::kOne;
    if constexpr (Fun::kArity == 1) {
      hn::Store(fun.Careful(hn::Load(d, a_)), d, out_);
    } else {
      hn::Store(fun.Careful(hn::Load(d, a_), hn::Load(d, b_)), d, out_);
    }
    for (size_t i = 0; i < used_; ++i) *place_[i] = out_[i];
    used_ = 0;
  }

 private:
  static constexpr size_t kLanes = hn::MaxLanes(typename Fun::D());
  const Fun& fun;
  size_t used_ = 0;
  T* place_[kLanes];
  HWY_ALIGN T a_[kLanes];
  HWY_ALIGN T b_[kLanes];
  HWY_ALIGN T out_[kLanes];
};

template <class Fun, class Src, class Dst>
static HWY_NOINLINE void Mend(const Fun& fun, Src a, Src b, Dst dst, uint64_t open) {
  OpenElements<Fun> elements(fun);
  elements.Add(a, b, dst, open);
  elements.Flush();
}

// A copy of a group's source, which the results are about to overwrite.
template <class Fun, typename T = typename Fun::T>
class Kept {
 public:
  template <class Src>
  HWY_INLINE Piece<const T> Keep(Src from) {
    const typename Fun::D d;
    const size_t lanes = hn::Lanes(d);
    for (size_t i = 0; i < Fun::kGroup; ++i)
      hn::Store(from.Load(d, i * lanes), d, copy_ + i * lanes);
    return {copy_};
  }

 private:
  HWY_ALIGN T copy_[Fun::kGroup * hn::MaxLanes(typename Fun::D())];
};

// Groups one after another. Those with open elements are put off where the sources outlive
// the results: computing them at once would empty the processor's queues each time, by
// a branch mispredicted at the end of a long chain.
template <class Fun>
class Groups {
 public:
  using T = typename Fun::T;

  HWY_INLINE Groups(const Fun& f, bool in_place) : fun_(f), in_place_(in_place) {}

  template <class Dst>
  HWY_INLINE void Apply(const T* a, const T* b, Dst dst) {
    const Piece<const T> src_a{a};
    const Piece<const T> src_b{b};
    if constexpr (Fun::kSpan == 0) {
      ApplyGroup(fun_, src_a, src_b, dst);
    } else if (in_place_) {
      ApplyNow(src_a, src_b, dst);
    } else {
      const uint64_t open = ApplyGroup(fun_, src_a, src_b, dst);
      put_off_[count_] = {a, b, dst.At(0), open};
      count_ += open != 0;
      if (HWY_UNLIKELY(count_ == kCapacity)) Finish();
    }
  }

  // A group that is not put off, whatever its places.
  template <class Src, class Dst>
  HWY_INLINE void ApplyNow(Src a, Src b, Dst dst) {
    if constexpr (Fun::kSpan == 0) {
      ApplyGroup(fun_, a, b, dst);
    } else if (in_place_) {
      Kept<Fun> a_kept, b_kept;
      const auto a_copy = a_kept.Keep(a);
      const auto b_copy = Fun::kArity == 2 ? b_kept.Keep(b) : a_copy;
      const uint64_t open = ApplyGroup(fun_, a_copy, b_copy, dst);
      if (HWY_UNLIKELY(open != 0)) Mend(fun_, a_copy, b_copy, dst, open);
    } else {
      const uint64_t open = ApplyGroup(fun_, a, b, dst);
      if (HWY_UNLIKELY(open != 0)) Mend(fun_, a, b, dst, open);
    }
  }

  HWY_INLINE void Finish() {
    if constexpr (Fun::kSpan != 0) {
      if (count_ != 0) MendAll();
    }
  }

 private:
  static constexpr size_t kCapacity = 16;
  struct Group {
    const T* a;
    const T* b;
    T* dst;
    uint64_t open;
  };

  HWY_NOINLINE void MendAll() {
    OpenElements<Fun> elements(fun_);
    for (size_t g = 0; g < count_; ++g) {
      const Group& at = put_off_[g];
      elements.Add(Piece<const T>{at.a}, Piece<const T>{at.b}, Piece<T>{at.dst}, at.open);
    }
    elements.Flush();
    count_ = 0;
  }

  const Fun& fun_;
  const bool in_place_;
  size_t count_ = 0;
  Group put_off_[kCapacity];
};

#if PTO_AVX512
template <class Fun, class D, class M, typename T = typename Fun::T>
HWY_INLINE hn::Vec<D> LoadMasked(D d, M mask, const T* from) {
  const auto v = hn::MaskedLoad(mask, d, from);
  if constexpr (Fun::kPadWithOnes) return hn::IfThenElse(mask, v, hn::Set(d, Fun::kOne));
  return v;
}

// The elements in the mask; touches no other.
template <class Fun, class M, typename T = typename Fun::T>
HWY_INLINE void ApplyMasked(const Fun& fun, M mask, const T* a, const T* b, T* dst) {
  const typename Fun::D d;
  const auto va = LoadMasked<Fun>(d, mask, a);
  if constexpr (Fun::kArity == 1) {
    hn::BlendedStore(fun(va), mask, d, dst);
  } else {
    hn::BlendedStore(fun(va, LoadMasked<Fun>(d, mask, b)), mask, d, dst);
  }
}

// A group whose vectors are in different places, and may be short; see Piece.
template <class Fun, typename Element>
struct Scattered {
  static constexpr size_t kLanes = hn::MaxLanes(typename Fun::D());

  template <class D>
  HWY_INLINE hn::Mask<D> Mask(D, size_t k) const {
    hn::Mask<D> mask;
    mask.raw = static_cast<decltype(mask.raw)>(bits[k / kLanes] >> (k % kLanes));
    return mask;
  }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, size_t k) const {
    return LoadMasked<Fun>(d, Mask(d, k), places[k / kLanes] + k % kLanes);
  }
  template <class D>
  HWY_INLINE void Store(hn::Vec<D> v, D d, size_t k) const {
    hn::BlendedStore(v, Mask(d, k), d, places[k / kLanes] + k % kLanes);
  }
  // nullptr past the end of a short vector.
  HWY_INLINE Element* At(size_t k) const {
    const bool within = (bits[k / kLanes] >> (k % kLanes) & 1) != 0;
    return within ? places[k / kLanes] + k % kLanes : nullptr;
  }

  Element* const* places;
  const uint64_t* bits;  // of the elements that each vector has
};

// The vectors of lines that are shorter than a group, one after another.
template <typename T>
class VectorsOfLines {
 public:
  HWY_INLINE VectorsOfLines(const Rect<T>& r, size_t lanes)
      : a(r.a),
        b(r.b),
        dst(r.dst),
        a_skip_(r.a_line - static_cast<ptrdiff_t>(r.count)),
        b_skip_(r.b_line - static_cast<ptrdiff_t>(r.count)),
        dst_skip_(r.dst_line - static_cast<ptrdiff_t>(r.count)),
        lanes_(lanes),
        count_(r.count),
        left_(r.count) {}

  HWY_INLINE size_t Count() const { return HWY_MIN(left_, lanes_); }
  HWY_INLINE void Next() {
    const size_t step = Count();
    a += step;
    b += step;
    dst += step;
    left_ -= step;
    if (left_ != 0) return;
    left_ = count_;
    a += a_skip_;
    b += b_skip_;
    dst += dst_skip_;
  }

  const T* a;
  const T* b;
  T* dst;

 private:
  const ptrdiff_t a_skip_, b_skip_, dst_skip_;
  const size_t lanes_, count_;
  size_t left_;
};

// Lines of fewer elements than a group: their vectors are gathered until they are a group.
template <class Fun, typename T = typename Fun::T>
HWY_NOINLINE void GatheredLines(const Fun& fun_by_ref, const Rect<T>& rect) {
  const Fun fun = fun_by_ref;
  const Rect<T> r = rect;
  constexpr size_t kLanes = hn::MaxLanes(typename Fun::D());
  Groups<Fun> groups(fun, r.a == r.dst || r.b == r.dst);
  VectorsOfLines<T> vectors(r, kLanes);
  const size_t total = r.lines * ((r.count + kLanes - 1) / kLanes);
  for (size_t i = 0; i < total / Fun::kGroup; ++i) {
    // No loop writes these by index: what it stored would be read too soon.
    const T* a[Fun::kGroup];
    const T* b[Fun::kGroup];
    T* dst[Fun::kGroup];
    uint64_t bits[Fun::kGroup];
    const auto take = [&](size_t v) HWY_ATTR {
      a[v] = vectors.a;
      b[v] = vectors.b;
      dst[v] = vectors.dst;
      bits[v] = ~uint64_t{0} >> (64 - vectors.Count());
      vectors.Next();
    };
    take(0);
    take(1);
    if constexpr (Fun::kGroup >= 4) {
      take(2);
      take(3);
    }
    if constexpr (Fun::kGroup == 8) {
      take(4);
      take(5);
      take(6);
      take(7);
    }
    groups.ApplyNow(Scattered<Fun, const T>{a, bits}, Scattered<Fun, const T>{b, bits},
                    Scattered<Fun, T>{dst, bits});
  }
  for (size_t i = 0; i < total % Fun::kGroup; ++i, vectors.Next()) {
    const auto mask = hn::FirstN(typename Fun::D(), vectors.Count());
    ApplyMasked(fun, mask, vectors.a, vectors.b, vectors.dst);
  }
}
#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_GROUP_INL_H_
