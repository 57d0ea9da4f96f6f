// Folds of columns, and places of their largest elements.
#include "src/kernels/fold_pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/fold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// The number of column vectors in flight.
#if HWY_TARGET <= HWY_AVX3
inline constexpr size_t kWide = 4;
#elif HWY_TARGET == HWY_SCALAR
inline constexpr size_t kWide = 1;
#else
inline constexpr size_t kWide = 8;
#endif

// Vectors v ... v + kVectors of columns, top to bottom. The last of a line ends where that does.
template <size_t kVectors, class Source, class Op, typename A = hn::TFromD<typename Source::D>>
HWY_INLINE void FoldVectors(A* acc, const typename Source::T* src, ptrdiff_t src_line, size_t lines,
                            size_t count, bool fresh, size_t v, Op op) {
  const typename Source::D d;
  constexpr size_t kStep = hn::MaxLanes(typename Source::D());
  size_t at[kVectors];
  hn::Vec<typename Source::D> a[kVectors];
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kVectors; ++i) {
    at[i] = HWY_MIN((v + i) * kStep, count - kStep);
    a[i] = fresh ? hn::Set(d, Op::template Neutral<A>()) : hn::LoadU(d, acc + (v + i) * kStep);
  }
  for (size_t r = 0; r < lines; ++r, src += src_line) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kVectors; ++i) a[i] = op(a[i], Source::Load(src + at[i]));
  }
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kVectors; ++i) {
    hn::StoreU(CanonicalNaN(a[i]), d, acc + (v + i) * kStep);
  }
}

// Columns that are less than a vector.
template <class Source, class Op, typename A = hn::TFromD<typename Source::D>>
HWY_INLINE void FoldShort(A* acc, const typename Source::T* src, ptrdiff_t src_line, size_t lines,
                          size_t count, bool fresh, Op op) {
  const typename Source::D d;
  auto a = fresh ? hn::Set(d, Op::template Neutral<A>()) : hn::LoadU(d, acc);
  for (size_t r = 0; r < lines; ++r, src += src_line) a = op(a, LoadFirst<Source>(src, count));
  hn::StoreU(CanonicalNaN(a), d, acc);
}

// Vectors v ... vectors, kVectors at a time and then the half of it: each waits for its own last
// result only.
template <size_t kVectors, class Source, class Op, typename A = hn::TFromD<typename Source::D>>
HWY_INLINE void FoldWide(A* acc, const typename Source::T* src, ptrdiff_t src_line, size_t lines,
                         size_t count, bool fresh, size_t v, size_t vectors, Op op) {
  for (; v + kVectors <= vectors; v += kVectors)
    FoldVectors<kVectors, Source>(acc, src, src_line, lines, count, fresh, v, op);
  if constexpr (kVectors > 1)
    FoldWide<kVectors / 2, Source>(acc, src, src_line, lines, count, fresh, v, vectors, op);
}

template <class Source, class Op>
HWY_INLINE void FoldAll(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count,
                        bool fresh, Op op) {
  using A = hn::TFromD<typename Source::D>;
  A* const out = static_cast<A*>(acc);
  const auto* const from = static_cast<const typename Source::T*>(src);
  constexpr size_t kStep = hn::MaxLanes(typename Source::D());
  if (count < kStep) return FoldShort<Source>(out, from, src_line, lines, count, fresh, op);
  const size_t vectors = (count + kStep - 1) / kStep;
  FoldWide<kWide, Source>(out, from, src_line, lines, count, fresh, 0, vectors, op);
}

template <class Source, class Op>
void FoldCols(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count,
              bool fresh, uint64_t) {
  FoldAll<Source>(acc, src, src_line, lines, count, fresh, Op());
}

// Signed accumulators: elements are mapped to an order and flipped, with NaN on top.
template <typename T, T kInfinity>
struct MaxOfOrder {
  template <class V>
  HWY_INLINE V operator()(V a, V x) const {
    const hn::DFromV<V> d;
    const V flipped = hn::Set(d, flip);
    if constexpr (kInfinity == 0) {
      return hn::Max(a, hn::Xor(x, flipped));
    } else {
      const V top = hn::Set(d, std::numeric_limits<T>::max());
      const auto nan = hn::Gt(hn::And(x, top), hn::Set(d, kInfinity));
      return hn::Max(a, hn::IfThenElse(nan, top, hn::Xor(OrderOfFloat(x), flipped)));
    }
  }
  // A key that only equal elements have.
  template <typename A>
  static constexpr A Neutral() {
    return std::numeric_limits<A>::min();
  }
  T flip;
};

template <typename T, T kInfinity>
void FoldColsMax(void* acc, const void* src, ptrdiff_t src_line, size_t lines, size_t count,
                 bool fresh, uint64_t flip) {
  MaxOfOrder<T, kInfinity> op;
  op.flip = static_cast<T>(flip);
  FoldAll<AsStored<T>>(acc, src, src_line, lines, count, fresh, op);
}

// Keys of elements: in their order, zeros equal, NaN on top of all. Lanes have 4 bytes, or 8.
template <typename T>
struct IntKeys {
  using Element = T;
  using Key = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
  using D = hn::ScalableTag<Key>;
  static HWY_INLINE hn::Vec<D> Load(const T* from, Key flip) {
    const D d;
    if constexpr (sizeof(T) < 4) {
      return hn::Xor(hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), from)), hn::Set(d, flip));
    } else {
      return hn::Xor(hn::LoadU(d, from), hn::Set(d, flip));
    }
  }
};

template <class Source>
struct FloatKeys {
  using Element = typename Source::T;
  using Key = int32_t;
  using D = DI;
  static HWY_INLINE VI Load(const Element* from, Key flip) {
    const DI di;
    const VI x = hn::BitCast(di, Source::Load(from));
    const VI top = hn::Set(di, 0x7fffffff);
    const VI size = hn::And(x, top);
    const VI sign = hn::ShiftRight<31>(x);
    const VI key = hn::Xor(hn::Sub(hn::Xor(size, sign), sign), hn::Set(di, flip));
    return hn::IfThenElse(hn::Gt(size, hn::Set(di, 0x7f800000)), top, key);
  }
};

template <class Keys>
void ArgCols(void* best_keys, void* indices, const void* src, ptrdiff_t src_line, size_t first,
             size_t lines, size_t count, uint64_t flip_bits) {
  using Key = typename Keys::Key;
  const typename Keys::D d;
  constexpr size_t kStep = hn::MaxLanes(typename Keys::D());
  const Key flip = static_cast<Key>(flip_bits);
  Key* const keys = static_cast<Key*>(best_keys);
  Key* const index = static_cast<Key*>(indices);
  for (size_t at = 0; at < count; at += kStep) {
    const auto* from = static_cast<const typename Keys::Element*>(src) + HWY_MIN(at, count - kStep);
    auto best = hn::LoadU(d, keys + at);
    auto which = hn::LoadU(d, index + at);
    auto row = hn::Set(d, static_cast<Key>(first));
    const auto one = hn::Set(d, Key{1});
    for (size_t r = 0; r < lines; ++r, from += src_line) {
      const auto key = Keys::Load(from, flip);
      const auto better = hn::Gt(key, best);
      best = hn::Max(best, key);
      which = hn::IfThenElse(better, row, which);
      row = hn::Add(row, one);
    }
    hn::StoreU(best, d, keys + at);
    hn::StoreU(which, d, index + at);
  }
}

// Products of bytes are computed in 16 bits: accumulators of 2 bytes; one byte is the result.
template <class Source, class Op>
constexpr FoldKernel ColKernel() {
  using A = hn::TFromD<typename Source::D>;
  using T = typename Source::T;
  return {DriveColFold,
          FoldCols<Source, Op>,
          nullptr,
          nullptr,
          0,
          0,
          hn::MaxLanes(typename Source::D()),
          sizeof(T),
          sizeof(A),
          sizeof(T)};
}

template <typename T, T kInfinity>
constexpr FoldKernel ColMaxKernel(uint64_t flip, FoldFinish finish) {
  return {DriveColFold, FoldColsMax<T, kInfinity>,          finish,    nullptr,   0,
          flip,         hn::MaxLanes(hn::ScalableTag<T>()), sizeof(T), sizeof(T), sizeof(T)};
}

static FoldKernel PickMax(Fold fold, DType dtype) {
  const uint64_t flip = FlipOf(fold, dtype);
  switch (dtype) {
    case DType::kF16:
      return ColMaxKernel<int16_t, 0x7c00>(flip, UnflipFloats(dtype));
    case DType::kBF16:
      return ColMaxKernel<int16_t, 0x7f80>(flip, UnflipFloats(dtype));
    case DType::kF32:
      return ColMaxKernel<int32_t, 0x7f800000>(flip, UnflipFloats(dtype));
    default:
      break;
  }
  switch (Info(dtype).bytes) {
    case 1:
      return ColMaxKernel<int8_t, 0>(flip, UnflipInts(1));
    case 2:
      return ColMaxKernel<int16_t, 0>(flip, UnflipInts(2));
    case 4:
      return ColMaxKernel<int32_t, 0>(flip, UnflipInts(4));
    default:
      return ColMaxKernel<int64_t, 0>(flip, UnflipInts(8));
  }
}

template <class Source>
static FoldKernel PickFloat(Fold fold, DType src, DType dst) {
  const bool prod = fold == Fold::kProd;
  FoldKernel kernel = {DriveColFold,
                       prod ? FoldCols<Source, ProdOp> : FoldCols<Source, SumOp>,
                       FinishOf(dst),
                       nullptr,
                       0,
                       0,
                       hn::MaxLanes(DF()),
                       Info(src).bytes,
                       4,
                       Info(dst).bytes};
  if (fold == Fold::kTreeSum) {
    kernel.drive = DriveTreeSum;
    kernel.upper = FoldCols<AsStored<float>, SumOp>;
  }
  return kernel;
}

static FoldKernel PickColFoldHere(Fold fold, DType src, DType dst) {
  if (fold == Fold::kMax || fold == Fold::kMin)
    return src == dst ? PickMax(fold, src) : FoldKernel{};
  const bool prod = fold == Fold::kProd;
  if ((Bit(src) & dtypes::kFloats) != 0) {
    if (dst != src && (prod || dst != DType::kF32)) return {};
    return src == DType::kF16    ? PickFloat<FromF16>(fold, src, dst)
           : src == DType::kBF16 ? PickFloat<FromBF16>(fold, src, dst)
                                 : PickFloat<AsStored<float>>(fold, src, dst);
  }
  if (src != dst) return {};
  switch (Info(src).bytes) {
    case 1:
      return prod ? ColKernel<Widened<uint8_t, uint16_t>, ProdOp>()
                  : ColKernel<AsStored<uint8_t>, SumOp>();
    case 2:
      return prod ? ColKernel<AsStored<uint16_t>, ProdOp>()
                  : ColKernel<AsStored<uint16_t>, SumOp>();
    case 4:
      return prod ? ColKernel<AsStored<uint32_t>, ProdOp>()
                  : ColKernel<AsStored<uint32_t>, SumOp>();
    default:
      return prod ? ColKernel<AsStored<uint64_t>, ProdOp>()
                  : ColKernel<AsStored<uint64_t>, SumOp>();
  }
}

template <class Keys>
constexpr ArgKernel ColArg() {
  ArgKernel kernel = {};
  kernel.drive = DriveColArg;
  kernel.block = ArgCols<Keys>;
  kernel.least = hn::MaxLanes(typename Keys::D());
  kernel.size = sizeof(typename Keys::Element);
  kernel.key = sizeof(typename Keys::Key);
  return kernel;
}

static ArgKernel PickColArgHere(DType dtype) {
  switch (dtype) {
    case DType::kI8:
      return ColArg<IntKeys<int8_t>>();
    case DType::kU8:
      return ColArg<IntKeys<uint8_t>>();
    case DType::kI16:
      return ColArg<IntKeys<int16_t>>();
    case DType::kU16:
      return ColArg<IntKeys<uint16_t>>();
    case DType::kI32:
    case DType::kU32:
      return ColArg<IntKeys<int32_t>>();
    case DType::kI64:
    case DType::kU64:
      return ColArg<IntKeys<int64_t>>();
    case DType::kF16:
      return ColArg<FloatKeys<FromF16>>();
    case DType::kBF16:
      return ColArg<FloatKeys<FromBF16>>();
    default:
      return ColArg<FloatKeys<AsStored<float>>>();
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickColFoldHere);
HWY_EXPORT(PickColArgHere);

FoldKernel PickColFold(int target, Fold fold, DType src, DType dst) {
  return HWY_DISPATCH_TABLE(PickColFoldHere)[TableIndex(TargetBit(target))](fold, src, dst);
}

ArgKernel PickColArg(int target, Fold fold, DType dtype) {
  ArgKernel kernel = HWY_DISPATCH_TABLE(PickColArgHere)[TableIndex(TargetBit(target))](dtype);
  kernel.flip = FlipOf(fold, dtype);
  // Keys of 8 and 16 bits have widened to 32 of their own sign.
  if (Info(dtype).bytes < 4) kernel.flip = fold == Fold::kMin ? ~uint64_t{0} : 0;
  return kernel;
}
}  // namespace pto
#endif
