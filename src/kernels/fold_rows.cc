// Folds of lines: each becomes one element.
#include "src/kernels/fold_pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/fold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// The 16 partials of a line are kParts vectors; 8 vectors of lines are in flight, and
// trees of kTree lines are folded together.
inline constexpr size_t kLanes = hn::MaxLanes(DF());
inline constexpr size_t kParts = 16 / kLanes;
inline constexpr size_t kFlight = kParts > 8 ? 1 : 8 / kParts;
inline constexpr size_t kTree = HWY_MIN(size_t{8}, kLanes);

// The rest of 16 partials after 8 + 8 and, with shorter vectors, after more steps.
using DPart = hn::CappedTag<float, 8>;
using VPart = hn::Vec<DPart>;

template <class Op>
HWY_INLINE VPart JoinParts(const VF* a, Op op) {
#if HWY_TARGET == HWY_SCALAR
  float p[16];
  for (size_t i = 0; i < 16; ++i) p[i] = hn::GetLane(a[i]);
  for (size_t half = 8; half != 0; half /= 2) {
    for (size_t i = 0; i < half; ++i)
      p[i] = hn::GetLane(op(hn::Set(DF(), p[i]), hn::Set(DF(), p[i + half])));
  }
  return hn::Set(DPart(), p[0]);
#else
  if constexpr (kParts == 1) {
    const hn::Half<DF> dh;
    return op(hn::LowerHalf(dh, a[0]), hn::UpperHalf(dh, a[0]));
  } else if constexpr (kParts == 2) {
    return op(a[0], a[1]);
  } else {
    return op(op(a[0], a[2]), op(a[1], a[3]));
  }
#endif
}

// The rest of the tree for kTree lines at once: lane r is the fold of line r.
template <class Op>
HWY_INLINE VPart FoldTree(const VPart* v, Op op) {
  const DPart d;
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  (void)op;
  return v[0];
#else
  // Where two lines meet half of each stays where it is, so that a blend takes it, and one shuffle
  // brings the others: the second line's are added in reverse, which gives the same.
  const auto halves = [&](VPart x, VPart y) HWY_ATTR {
    return op(hn::ConcatUpperLower(d, y, x), hn::ConcatLowerUpper(d, y, x));
  };
  if constexpr (kTree == 4) {
    const VPart x = halves(v[0], v[1]), y = halves(v[2], v[3]);
    return op(hn::ConcatEven(d, y, x), hn::ConcatOdd(d, y, x));
  } else {
    const hn::Repartition<double, DPart> dd;
    const auto pairs = [&](VPart x, VPart y) HWY_ATTR {
      const auto xd = hn::BitCast(dd, x), yd = hn::BitCast(dd, y);
      return op(hn::BitCast(d, hn::OddEven(yd, xd)), hn::CombineShiftRightBytes<8>(d, y, x));
    };
    // Such lines together that the last shuffle leaves them in order.
    const VPart x = pairs(halves(v[0], v[4]), halves(v[2], v[6]));
    const VPart y = pairs(halves(v[1], v[5]), halves(v[3], v[7]));
    return op(hn::OddEven(y, x), hn::Shuffle2301(hn::OddEven(x, y)));
  }
#endif
}

#if HWY_TARGET != HWY_SCALAR
// Bytes from `count` on are moved to the front; the bytes after them are arbitrary.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V MoveDown(D d, V v, size_t count) {
  alignas(16) static constexpr uint8_t kPlaces[32] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                      8, 9, 10, 11, 12, 13, 14, 15};
  const hn::Repartition<uint8_t, D> bytes;
  return hn::BitCast(
      d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadU(bytes, kPlaces + count)));
}
#endif

// Elements at + v * kLanes ... of the last, incomplete 16; the others are neutral. `behind`: others
// of the line precede them, so that a vector may end where the line does.
template <class Source, class Op, typename T = typename Source::T>
HWY_INLINE VF LoadRest(const T* at, size_t rest, size_t v, T neutral,
                       [[maybe_unused]] bool behind) {
  const size_t skip = HWY_MIN(rest, v * kLanes);
  const size_t n = HWY_MIN(rest - skip, kLanes);
  const VF others = Const(Op::template Neutral<float>());
  if constexpr (Source::kMasked) {
    return hn::IfThenElse(hn::FirstN(DF(), n), Source::LoadSome(at + skip, n), others);
  } else {
#if HWY_TARGET != HWY_SCALAR
    if (HWY_LIKELY(behind)) {
      const typename Source::DRaw d;
      const auto last = hn::LoadU(d, at + skip + n - kLanes);
      const auto moved = MoveDown(d, last, (kLanes - n) * sizeof(T));
      return hn::IfThenElse(hn::FirstN(DF(), n), Source::Widen(moved), others);
    }
#endif
    HWY_ALIGN T some[kLanes];
    for (T& e : some) e = neutral;
    std::memcpy(some, at + skip, n * sizeof(T));
    return Source::Load(some);
  }
}

// Where kCount lines from the first on begin; after the last one that one again. Most have no end
// among them, and take an addition each.
template <size_t kCount, typename T>
HWY_INLINE void LinesAt(const T* base, ptrdiff_t src_line, size_t first, size_t lines,
                        const T** line) {
  if (HWY_LIKELY(first + kCount <= lines)) {
    PTO_UNROLL_WHOLE
    for (size_t r = 0; r < kCount; ++r)
      line[r] =
          base + static_cast<ptrdiff_t>(first) * src_line + static_cast<ptrdiff_t>(r) * src_line;
  } else {
    PTO_UNROLL_WHOLE
    for (size_t r = 0; r < kCount; ++r)
      line[r] = base + static_cast<ptrdiff_t>(HWY_MIN(first + r, lines - 1)) * src_line;
  }
}

// Sums and products, into f32.
template <class Source, class Op, uint32_t kNeutral>
void FoldRowsFloat(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count, bool,
                   uint64_t) {
  using T = typename Source::T;
  const Op op;
  const T* const base = static_cast<const T*>(src);
  float* const out = static_cast<float*>(acc);
  const uint32_t neutral_bits = kNeutral;
  T neutral;
  std::memcpy(&neutral, &neutral_bits, sizeof(T));
  const size_t whole = count / 16 * 16;
  for (size_t i = 0; i < lines; i += kTree) {
    VPart part[kTree];
    PTO_UNROLL_WHOLE
    for (size_t h = 0; h < kTree; h += kFlight) {
      const T* line[kFlight];
      VF a[kFlight * kParts];
      LinesAt<kFlight>(base, src_line, i + h, lines, line);
      size_t k = 0;
      if (whole == 0) {
        PTO_UNROLL_WHOLE
        for (VF& v : a) v = Const(Op::template Neutral<float>());
      } else {
        PTO_UNROLL_WHOLE
        for (size_t v = 0; v < kFlight * kParts; ++v)
          a[v] = Source::Load(line[v / kParts] + v % kParts * kLanes);
        k = 16;
      }
      for (; k < whole; k += 16) {
        PTO_UNROLL_WHOLE
        for (size_t v = 0; v < kFlight * kParts; ++v) {
          a[v] = op(a[v], Source::Load(line[v / kParts] + k + v % kParts * kLanes));
        }
      }
      if (k != count) {
        PTO_UNROLL_WHOLE
        for (size_t v = 0; v < kFlight * kParts; ++v) {
          a[v] = op(a[v], LoadRest<Source, Op>(line[v / kParts] + k, count - k, v % kParts, neutral,
                                               whole != 0));
        }
      }
      PTO_UNROLL_WHOLE
      for (size_t r = 0; r < kFlight; ++r) part[h + r] = JoinParts(a + r * kParts, op);
    }
    hn::StoreU(CanonicalNaN(FoldTree(part, op)), DPart(), out + i);
  }
}

// The last vector of a line, or all of one that is shorter; the others are `other`. Such lines are
// read where there are masks.
template <class Source, bool kShort>
HWY_INLINE hn::Vec<typename Source::D> LoadLast(const typename Source::T* line, size_t count,
                                                hn::Vec<typename Source::D> other) {
  const typename Source::D d;
  if constexpr (kShort) {
    return hn::IfThenElse(hn::FirstN(d, count), Source::LoadSome(line, count), other);
  } else {
    return Source::Load(line + count - hn::MaxLanes(typename Source::D()));
  }
}
template <class Source>
constexpr uint8_t LeastOf() {
  return Source::kMasked ? 1 : hn::MaxLanes(typename Source::D());
}

template <class Source, class Op, typename To, bool kShort>
HWY_INLINE void FoldRowsIntOf(void* acc, const void* src, ptrdiff_t src_line, size_t lines,
                              size_t count) {
  using T = typename Source::T;
  using D = typename Source::D;
  const Op op;
  const D d;
  constexpr size_t kStep = hn::MaxLanes(D());
  const auto neutral = hn::Set(d, Op::template Neutral<hn::TFromD<D>>());
  const T* line = static_cast<const T*>(src);
  // The part of the last vector that the one before had.
  const auto done = hn::FirstN(d, kShort ? 0 : (kStep - count % kStep) % kStep);
  for (size_t i = 0; i < lines; ++i, line += src_line) {
    auto a = hn::IfThenElse(done, neutral, LoadLast<Source, kShort>(line, count, neutral));
    for (size_t k = 0; k + kStep < count; k += kStep) a = op(a, Source::Load(line + k));
    static_cast<To*>(acc)[i] = static_cast<To>(FoldLanes(d, a, op));
  }
}

// Sums and products of integers that wrap. count >= LeastOf().
template <class Source, class Op, typename To>
void FoldRowsInt(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count, bool,
                 uint64_t) {
  if constexpr (Source::kMasked) {
    if (count < hn::MaxLanes(typename Source::D()))
      return FoldRowsIntOf<Source, Op, To, true>(acc, src, src_line, lines, count);
  }
  FoldRowsIntOf<Source, Op, To, false>(acc, src, src_line, lines, count);
}

// Elements as signed integers of their order.
template <typename Int>
struct IntOrder {
  using T = Int;
  static constexpr bool kNaN = false;
  template <class V>
  static HWY_INLINE V Order(V x) {
    return x;
  }
};

template <typename Int, Int kInf, Int kQuiet>
struct FloatOrder {
  using T = Int;
  static constexpr bool kNaN = true;
  static constexpr T kInfinity = kInf;
  static constexpr T kCanonical = kQuiet;
  template <class V>
  static HWY_INLINE V Order(V x) {
    return OrderOfFloat(x);
  }
};
using OrderF16 = FloatOrder<int16_t, 0x7c00, 0x7e00>;
using OrderBF16 = FloatOrder<int16_t, 0x7f80, 0x7fc0>;
using OrderF32 = FloatOrder<int32_t, 0x7f800000, 0x7fc00000>;

template <class Order, bool kShort>
HWY_INLINE void FoldRowsMaxOf(void* acc, const void* src, ptrdiff_t src_line, size_t lines,
                              size_t count, uint64_t flip_bits) {
  using T = typename Order::T;
  const hn::ScalableTag<T> d;
  constexpr size_t kStep = hn::MaxLanes(hn::ScalableTag<T>());
  const T flip = static_cast<T>(flip_bits);
  const auto vflip = hn::Set(d, flip);
  const auto sizes = hn::Set(d, std::numeric_limits<T>::max());
  const T* line = static_cast<const T*>(src);
  for (size_t i = 0; i < lines; ++i, line += src_line) {
    const auto last = LoadLast<AsStored<T>, kShort>(line, count, hn::Set(d, *line));
    auto best = hn::Xor(Order::Order(last), vflip);
    auto size = hn::And(last, sizes);
    for (size_t k = 0; k + kStep < count; k += kStep) {
      const auto x = hn::LoadU(d, line + k);
      best = hn::Max(best, hn::Xor(Order::Order(x), vflip));
      if constexpr (Order::kNaN) size = hn::Max(size, hn::And(x, sizes));
    }
    const T order = static_cast<T>(FoldLanes(d, best, MaxOp()) ^ flip);
    const hn::CappedTag<T, 1> d1;
    T value = hn::GetLane(Order::Order(hn::Set(d1, order)));
    if constexpr (Order::kNaN) {
      if (FoldLanes(d, size, MaxOp()) > Order::kInfinity) value = Order::kCanonical;
    }
    static_cast<T*>(acc)[i] = value;
  }
}

// Maximum or minimum. count >= LeastOf().
template <class Order>
void FoldRowsMax(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count, bool,
                 uint64_t flip) {
  using Source = AsStored<typename Order::T>;
  if constexpr (Source::kMasked) {
    if (count < hn::MaxLanes(typename Source::D()))
      return FoldRowsMaxOf<Order, true>(acc, src, src_line, lines, count, flip);
  }
  FoldRowsMaxOf<Order, false>(acc, src, src_line, lines, count, flip);
}

#if HWY_TARGET != HWY_SCALAR
struct MinOp {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Min(a, b);
  }
};

// The signs of extrema that are zeros. No number of their lines is beyond, so a maximum is -0 if
// all numbers have the sign, and a minimum if one has it.
template <bool kMax>
static HWY_NOINLINE void SignZeros(float* out, const float* line, ptrdiff_t src_line, size_t lines,
                                   size_t count) {
  const DF df;
  const DI di;
  for (size_t r = 0; r < lines; ++r, line += src_line) {
    if (out[r] != 0) continue;
    VU all = Bits(hn::LoadU(df, line + (count - kLanes)));
    for (size_t k = 0; k + kLanes < count; k += kLanes) {
      const VU bits = Bits(hn::LoadU(df, line + k));
      all = kMax ? hn::And(all, bits) : hn::Or(all, bits);
    }
    const auto negative = hn::Lt(hn::BitCast(di, all), hn::Zero(di));
    const bool sign = kMax ? hn::AllTrue(di, negative) : !hn::AllFalse(di, negative);
    out[r] = sign ? -0.0f : 0.0f;
  }
}

static HWY_NOINLINE bool LineHasNaN(const float* line, size_t count) {
  const DF df;
  for (size_t k = 0;; k = HWY_MIN(k + kLanes, count - kLanes)) {
    if (!hn::AllFalse(df, hn::IsNaN(hn::LoadU(df, line + k)))) return true;
    if (k + kLanes == count) return false;
  }
}

// For f32, by the maximum that processors have, which may lose NaN and the sign of a zero: a sum
// beside it shows whether a NaN can be there. Then, and where results are zeros, lines are looked
// at again.
template <class Op>
void FoldRowsMaxF32(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count,
                    bool, uint64_t) {
  const Op op;
  const DF df;
  const float* const base = static_cast<const float*>(src);
  float* const out = static_cast<float*>(acc);
  constexpr size_t kHalf = HWY_MAX(kFlight / 2, size_t{1});
  for (size_t i = 0; i < lines; i += kTree) {
    VPart part[kTree];
    VF doubt = hn::Zero(df);
    PTO_UNROLL_WHOLE
    for (size_t h = 0; h < kTree; h += kHalf) {
      const float* line[kHalf];
      VF a[kHalf * kParts], s[kHalf * kParts];
      LinesAt<kHalf>(base, src_line, i + h, lines, line);
      PTO_UNROLL_WHOLE
      for (size_t v = 0; v < kHalf * kParts; ++v) {
        s[v] = a[v] = hn::LoadU(df, line[v / kParts] + v % kParts * kLanes);
      }
      const auto take = [&](size_t k) HWY_ATTR {
        PTO_UNROLL_WHOLE
        for (size_t v = 0; v < kHalf * kParts; ++v) {
          const VF x = hn::LoadU(df, line[v / kParts] + k + v % kParts * kLanes);
          a[v] = op(a[v], x);
          s[v] = hn::Add(s[v], x);
        }
      };
      for (size_t k = 16; k + 16 <= count; k += 16) take(k);
      if (count % 16 != 0) take(count - 16);
      PTO_UNROLL_WHOLE
      for (size_t r = 0; r < kHalf; ++r) part[h + r] = JoinParts(a + r * kParts, op);
      PTO_UNROLL_WHOLE
      for (const VF& v : s) doubt = hn::Add(doubt, v);
    }
    const VPart result = FoldTree(part, op);
    hn::StoreU(result, DPart(), out + i);
    const float* const first = base + static_cast<ptrdiff_t>(i) * src_line;
    const size_t some = HWY_MIN(kTree, lines - i);
    if (HWY_UNLIKELY(!hn::AllFalse(df, hn::IsNaN(doubt)))) {
      for (size_t r = 0; r < some; ++r) {
        if (LineHasNaN(first + static_cast<ptrdiff_t>(r) * src_line, count)) out[i + r] = NAN;
      }
    }
    if (HWY_UNLIKELY(!hn::AllFalse(DPart(), hn::Eq(result, hn::Zero(DPart()))))) {
      SignZeros<std::is_same_v<Op, MaxOp>>(out + i, first, src_line, some, count);
    }
  }
}
#endif

template <typename T>
size_t FindFirst(const void* src, size_t count, uint64_t mask_bits, uint64_t value) {
  const hn::ScalableTag<T> d;
  constexpr size_t kStep = hn::MaxLanes(hn::ScalableTag<T>());
  const T* from = static_cast<const T*>(src);
  const auto mask = hn::Set(d, static_cast<T>(mask_bits));
  const auto wanted = hn::Set(d, static_cast<T>(value));
  const auto first_in = [&](hn::Vec<decltype(d)> v) HWY_ATTR {
    return hn::FindFirstTrue(d, hn::Eq(hn::And(v, mask), wanted));
  };
  // The new element follows the present one.
  if (count < kStep) return static_cast<size_t>(first_in(LoadFirst<AsStored<T>>(from, count)));
  for (size_t k = 0;; k = HWY_MIN(k + kStep, count - kStep)) {
    const intptr_t first = first_in(hn::LoadU(d, from + k));
    if (first >= 0 || k + kStep == count) return k + static_cast<size_t>(first);
  }
}

static FoldDrive const kDrive = DriveRowFold;

template <class Op, uint32_t kF16, uint32_t kBF16, uint32_t kF32>
constexpr FoldBlock FloatBlock(DType src) {
  switch (src) {
    case DType::kF16:
      return FoldRowsFloat<FromF16, Op, kF16>;
    case DType::kBF16:
      return FoldRowsFloat<FromBF16, Op, kBF16>;
    default:
      return FoldRowsFloat<AsStored<float>, Op, kF32>;
  }
}

template <class Source, class Op, typename To = typename Source::T>
constexpr FoldKernel IntKernel() {
  using T = typename Source::T;
  return {kDrive,
          FoldRowsInt<Source, Op, To>,
          nullptr,
          nullptr,
          static_cast<uint64_t>(Op::template Neutral<T>()),
          0,
          LeastOf<Source>(),
          sizeof(T),
          sizeof(To),
          sizeof(To)};
}

template <class Order>
constexpr FoldKernel MaxKernel(uint64_t flip) {
  constexpr uint8_t kBytes = sizeof(typename Order::T);
  return {kDrive,
          FoldRowsMax<Order>,
          nullptr,
          nullptr,
          kRepeatFirst,
          flip,
          LeastOf<AsStored<typename Order::T>>(),
          kBytes,
          kBytes,
          kBytes};
}

static FoldKernel PickRowFoldHere(Fold fold, DType src, DType dst) {
  const uint8_t bytes = Info(src).bytes;
  const bool is_float = (Bit(src) & dtypes::kFloats) != 0;
  if (fold == Fold::kMax || fold == Fold::kMin) {
    if (src != dst) return {};
    const uint64_t flip = FlipOf(fold, src);
    switch (src) {
      case DType::kF16:
        return MaxKernel<OrderF16>(flip);
      case DType::kBF16:
        return MaxKernel<OrderBF16>(flip);
      case DType::kF32: {
        FoldKernel kernel = MaxKernel<OrderF32>(flip);
#if HWY_TARGET != HWY_SCALAR
        kernel.block = fold == Fold::kMax ? FoldRowsMaxF32<MaxOp> : FoldRowsMaxF32<MinOp>;
        kernel.least = 16;
#endif
        return kernel;
      }
      default:
        break;
    }
    switch (bytes) {
      case 1:
        return MaxKernel<IntOrder<int8_t>>(flip);
      case 2:
        return MaxKernel<IntOrder<int16_t>>(flip);
      case 4:
        return MaxKernel<IntOrder<int32_t>>(flip);
      default:
        return MaxKernel<IntOrder<int64_t>>(flip);
    }
  }
  if (fold == Fold::kTreeSum) return {};
  const bool sum = fold == Fold::kSum;
  if (is_float) {
    if (dst != src && !(sum && dst == DType::kF32)) return {};
    const FoldBlock block = sum ? FloatBlock<SumOp, 0x8000, 0x8000, 0x80000000>(src)
                                : FloatBlock<ProdOp, 0x3c00, 0x3f80, 0x3f800000>(src);
    return {kDrive, block, FinishOf(dst), nullptr, 0, 0, 1, bytes, 4, Info(dst).bytes};
  }
  if (sum && src == DType::kI16 && dst == DType::kI32)
    return IntKernel<Widened<int16_t, int32_t>, SumOp, int32_t>();
  if (src != dst) return {};
  switch (bytes) {
    case 1:
      return sum ? IntKernel<AsStored<uint8_t>, SumOp>()
                 : IntKernel<Widened<uint8_t, uint16_t>, ProdOp>();
    case 2:
      return sum ? IntKernel<AsStored<uint16_t>, SumOp>() : IntKernel<AsStored<uint16_t>, ProdOp>();
    case 4:
      return sum ? IntKernel<AsStored<uint32_t>, SumOp>() : IntKernel<AsStored<uint32_t>, ProdOp>();
    default:
      return sum ? IntKernel<AsStored<uint64_t>, SumOp>() : IntKernel<AsStored<uint64_t>, ProdOp>();
  }
}

static ArgKernel PickFindHere(DType dtype) {
  ArgKernel kernel = {};
  kernel.size = Info(dtype).bytes;
  kernel.find = kernel.size == 1   ? FindFirst<uint8_t>
                : kernel.size == 2 ? FindFirst<uint16_t>
                : kernel.size == 4 ? FindFirst<uint32_t>
                                   : FindFirst<uint64_t>;
  return kernel;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickRowFoldHere);
HWY_EXPORT(PickFindHere);

FoldKernel PickRowFold(int target, Fold fold, DType src, DType dst) {
  return HWY_DISPATCH_TABLE(PickRowFoldHere)[TableIndex(TargetBit(target))](fold, src, dst);
}

ArgKernel PickFind(int target, DType dtype) {
  return HWY_DISPATCH_TABLE(PickFindHere)[TableIndex(TargetBit(target))](dtype);
}
}  // namespace pto
#endif
