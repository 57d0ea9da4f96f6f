// x ** y for f16 and bf16, correctly rounded.
#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/narrow-inl.h"
#include "src/kernels/pow_narrow-inl.h"
#include "src/kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Bits of a power that is rounded to them first; see below.
template <class Format>
constexpr int kSnapBits = Format::kBits == F16Format::kBits ? 44 : 40;

// |x| ** y exactly representable in the format, correctly rounded, for x and y of
// the format, x != 0 and both finite. Of all such pairs the closest to a middle
// without being one is 2^-43.05 of itself away in f16 (0x01fe ** 0xa0ea) and more than
// 2^-36 in bf16. Rounding to kSnapBits first restores the exact middles, which PowF64
// misses by less, and moves nothing across one: checked for all 2^32 pairs of each.
template <class Format>
HWY_INLINE VD PowRoundedHalf(const PowF64& power, VD ax, VD y) {
  const DD dd;
  const VD s = power(ax, y);
  const VD snapped = RoundAt(s, hn::Set(dd, 0x1p-1000), kSnapBits<Format>);
  return RoundAt(snapped, hn::Set(dd, Format::kMinNormal), Format::kBits);
}

template <class Format>
static HWY_NOINLINE VF PowRoundedF64(VF x, VF y) {
  const DD dd;
  const PowF64 power;
  const VF ax = hn::Abs(x);
#if HWY_TARGET == HWY_SCALAR
  return ToF32(PowRoundedHalf<Format>(power, hn::PromoteTo(dd, ax), hn::PromoteTo(dd, y)));
#else
  const hn::Half<DF> dh;
  const VD low = PowRoundedHalf<Format>(power, hn::PromoteTo(dd, hn::LowerHalf(dh, ax)),
                                        hn::PromoteTo(dd, hn::LowerHalf(dh, y)));
  const VD high = PowRoundedHalf<Format>(power, hn::PromoteTo(dd, hn::UpperHalf(dh, ax)),
                                         hn::PromoteTo(dd, hn::UpperHalf(dh, y)));
  return JoinF64(high, low);
#endif
}

// x ** y as an f32 that rounds to the right answer, for any x and y.
template <class Format>
static HWY_NOINLINE VF PowCareful(VF x, VF y) {
  return PowSpecial(x, y, PowRoundedF64<Format>(x, y), hn::Not(hn::Lt(hn::Abs(y), Infinity())));
}

#if PTO_FMA

// For two magnitudes.
HWY_INLINE VF Larger(VF a, VF b) { return FromBits(hn::Max(Bits(a), Bits(b))); }

// How a storage vector becomes two of f32 and back. Round() stores r, close to powers with
// |exponents| up to abs_t, rounded; it returns the LaneBits() that r leaves open.
struct SplitF16 {
  using Format = F16Format;
  static constexpr uint16_t kOne = 0x3c00;
  // The least base that PowNarrowF32 accepts, and infinity.
  static constexpr uint16_t kLeast = 1;
  static constexpr uint16_t kInfinity = 0x7c00;

  // The first half and the second half.
  template <class Src>
  static HWY_INLINE void Load(Src from, size_t k, VF* HWY_RESTRICT out) {
    const DH d;
    out[0] = PromoteF16(from.Load(d, k));
    out[1] = PromoteF16(from.Load(d, k + hn::Lanes(d)));
  }

  template <class Dst>
  static HWY_INLINE void Store(const VF* HWY_RESTRICT r, Dst to, size_t k) {
    const DH d;
    to.Store(DemoteF16(r[0]), d, k);
    to.Store(DemoteF16(r[1]), d, k + hn::Lanes(d));
  }

  template <class Dst>
  static HWY_INLINE uint64_t Round(const VF* HWY_RESTRICT r, VF abs_t, Dst to, size_t k) {
    const DH d;
    const VF margin = hn::MulAdd(abs_t, Const(kPowNarrowSlope), Const(kPowNarrowError));
    VH apart[2];
    for (size_t i = 0; i < 2; ++i) {
      const VH out = DemoteF16(hn::NegMulAdd(r[i], margin, r[i]));
      apart[i] = hn::Xor(out, DemoteF16(hn::MulAdd(r[i], margin, r[i])));
      to.Store(out, d, k + i * hn::Lanes(d));
    }
    return LaneBits(d, hn::Gt(hn::Or(apart[0], apart[1]), hn::Zero(d)));
  }
};

struct SplitBF16 {
  using Format = BF16Format;
  static constexpr uint16_t kOne = 0x3f80;
  static constexpr uint16_t kLeast = 0x80;
  static constexpr uint16_t kInfinity = 0x7f80;

  // The even elements and the odd ones, as in OnBF16.
  template <class Src>
  static HWY_INLINE void Load(Src from, size_t k, VF* HWY_RESTRICT out) {
    const DU du;
    const VU u = hn::BitCast(du, from.Load(D16(), k));
    out[0] = FromBits(hn::ShiftLeft<16>(u));
    out[1] = FromBits(hn::And(u, hn::Set(du, 0xffff0000u)));
  }

  template <class Dst>
  static HWY_INLINE void Store(const VF* HWY_RESTRICT r, Dst to, size_t k) {
    to.Store(Uppers(RoundToBF16(r[0]), RoundToBF16(r[1])), D16(), k);
  }

  // r is open if the distance of the dropped bits from their middle is at most the
  // error reaches, in units of r's last place, at least 2^-24 r, and one more.
  template <class Dst>
  static HWY_INLINE uint64_t Round(const VF* HWY_RESTRICT r, VF abs_t, Dst to, size_t k) {
    const D16 d;
    const hn::RebindToSigned<D16> di;
    const V16 dropped = Lowers(Bits(r[0]), Bits(r[1]));
    // No tie is decided here.
    to.Store(hn::Add(Uppers(Bits(r[0]), Bits(r[1])), hn::ShiftRight<15>(dropped)), d, k);
    const V16 middle = hn::Set(d, uint16_t{0x8000});
    const V16 distance = hn::BitCast(d, hn::Abs(hn::BitCast(di, hn::Xor(dropped, middle))));
    const VU error = Bits(hn::MulAdd(abs_t, Const(0x1p24f * kPowNarrowSlope),
                                     Const(0x1p23f + 0x1p24f * kPowNarrowError + 1.0f)));
    return LaneBits(d, hn::Gt(Lowers(error, error), distance));
  }

 private:
  static HWY_INLINE V16 Uppers(VU even, VU odd) {
    const D16 d;
    return hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<16>(even)));
  }
  static HWY_INLINE V16 Lowers(VU even, VU odd) {
    const D16 d;
    return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<16>(odd)), hn::BitCast(d, even));
  }
};

// An exponent whose error no rounding survives, in both formats.
constexpr float kOpen = 0x1p15f;

template <class Split>
struct PowNarrowLane : GroupBase<2> {
  using T = uint16_t;
  using D = D16;
  static constexpr T kOne = Split::kOne;
  static constexpr bool kPadWithOnes = true;
  static constexpr bool kHeavy = true;
  static constexpr size_t kGroup = 4;
  static constexpr bool kJoint = true;
  static constexpr size_t kSpan = hn::MaxLanes(D16());

  HWY_INLINE PowNarrowLane() {}

  template <class Src, class Dst>
  HWY_INLINE uint64_t Joint(Src a, Src b, Dst dst) const {
    const size_t lanes = hn::Lanes(D());
    Stash<2 * kGroup> highs, lows;
    for (size_t i = 0; i < kGroup; ++i) {
      VF x[2], high[2], low[2];
      Split::Load(a, i * lanes, x);
      power.Log<2>(x, high, low);
      for (size_t j = 0; j < 2; ++j) {
        highs.Put(2 * i + j, high[j]);
        lows.Put(2 * i + j, low[j]);
      }
    }
    uint64_t open = 0;
    for (size_t i = 0; i < kGroup; ++i) {
      const VF high[2] = {highs.Get(2 * i), highs.Get(2 * i + 1)};
      const VF low[2] = {lows.Get(2 * i), lows.Get(2 * i + 1)};
      open |= Exp(a, b, i * lanes, high, low, dst) << (16 * i);
    }
    return open;
  }

  HWY_INLINE V16 operator()(V16 a, V16 b) const {
    const Buffer at_a(a), at_b(b);
    Buffer out(a);
    VF x[2], high[2], low[2];
    Split::Load(at_a.Read(), 0, x);
    power.Log<2>(x, high, low);
    if (Exp(at_a.Read(), at_b.Read(), 0, high, low, out.Write()) != 0) return Careful(a, b);
    return out.Vector();
  }

  HWY_INLINE V16 Careful(V16 a, V16 b) const {
    Buffer at_a(a);
    const Buffer at_b(b);
    VF x[2], y[2];
    Split::Load(at_a.Read(), 0, x);
    Split::Load(at_b.Read(), 0, y);
    for (size_t i = 0; i < 2; ++i) x[i] = PowCareful<typename Split::Format>(x[i], y[i]);
    Split::Store(x, at_a.Write(), 0);
    return at_a.Vector();
  }

 private:
  // A vector as a place in memory.
  class Buffer {
   public:
    explicit HWY_INLINE Buffer(V16 v) { hn::Store(v, D16(), elements_); }
    HWY_INLINE Piece<const T> Read() const { return {elements_}; }
    HWY_INLINE Piece<T> Write() { return {elements_}; }
    HWY_INLINE V16 Vector() const { return hn::Load(D16(), elements_); }

   private:
    HWY_ALIGN T elements_[hn::MaxLanes(D16())];
  };

  // The storage vector from element k on; returns its open LaneBits().
  template <class Src, class Dst>
  HWY_INLINE uint64_t Exp(Src a, Src b, size_t k, const VF* HWY_RESTRICT log_high,
                          const VF* HWY_RESTRICT log_low, Dst to) const {
    VF y[2], r[2], t[2];
    Split::Load(b, k, y);
    power.Exp<2>(y, log_high, log_low, r, t);
    const VF farthest = Larger(hn::Abs(t[0]), hn::Abs(t[1]));
    if (HWY_UNLIKELY(AnySpecialOf(a, k, farthest))) {
      VF x[2];
      Split::Load(a, k, x);
      VF complete[2];
      for (size_t i = 0; i < 2; ++i) {
        const MF extreme = IsExtreme(t[i]);
        complete[i] = PowSpecial(x[i], y[i], r[i], extreme);
        r[i] = hn::IfThenElse(extreme, Const(1.0f), r[i]);
        t[i] = hn::IfThenZeroElse(extreme, hn::Abs(t[i]));
#if !PTO_AVX512
        // Elements without a path of their own are open, whatever else they are.
        const VF ax = hn::Abs(x[i]);
        const MF tiny = hn::And(hn::Gt(ax, hn::Zero(DF())), hn::Lt(ax, Const(0x1p-126f)));
        const MF astray = hn::Or(tiny, hn::Ge(t[i], Const(kPowNarrowFar)));
        r[i] = hn::IfThenElse(astray, Const(1.0f), r[i]);
        t[i] = hn::IfThenElse(astray, Const(kOpen), t[i]);
#endif
      }
      const uint64_t open = Split::Round(r, Larger(t[0], t[1]), to, k);
      Split::Store(complete, to, k);
      return open;
    }
    return Split::Round(r, farthest, to, k);
  }

  // Whether some base is not what PowNarrowF32 takes, or some power is far.
  template <class Src>
  static HWY_INLINE bool AnySpecialOf(Src a, size_t k, VF farthest) {
#if PTO_AVX512
    // Zeros and infinities of x make t one of them too: only x's sign is left to look at.
    const hn::RebindToSigned<D16> di;
    const auto negative = hn::Lt(hn::BitCast(di, a.Load(D16(), k)), hn::Zero(di));
    return !hn::AllFalse(di, negative) ||
           !hn::AllFalse(DU(), hn::Gt(Bits(farthest), hn::Set(DU(), kExtremeBits - 1)));
#else
    const D16 d;
    const V16 above = hn::Sub(a.Load(d, k), hn::Set(d, Split::kLeast));
    const V16 range = hn::Set(d, static_cast<uint16_t>(Split::kInfinity - Split::kLeast));
    const auto special =
        hn::BitCast(DU(), hn::VecFromMask(d, hn::Eq(hn::Max(above, range), above)));
    const DI di;
    const VI limit = hn::BitCast(di, Const(kPowNarrowFar));
    // NaN are far too.
    const MF near = hn::RebindMask(DF(), hn::Gt(limit, hn::BitCast(di, farthest)));
    return !hn::AllTrue(DF(), hn::And(near, hn::RebindMask(DF(), hn::Eq(special, hn::Zero(DU())))));
#endif
  }

  PowNarrowF32 power;
};

constexpr Kernel kPowF16 = GroupKernel<PowNarrowLane<SplitF16>>();
constexpr Kernel kPowBF16 = GroupKernel<PowNarrowLane<SplitBF16>>();

#else

template <class Format>
struct PowCarefulLane : FunBase<2> {
  static constexpr bool kMakesNaN = false;
  static constexpr size_t kUnroll = 1;

  HWY_INLINE VF operator()(VF x, VF y) const { return PowCareful<Format>(x, y); }
};

constexpr Kernel kPowF16 = Plain<OnF16<PowCarefulLane<F16Format>>>();
constexpr Kernel kPowBF16 = Plain<OnBF16<PowCarefulLane<BF16Format>>>();

#endif

static constexpr Kernels kPowNarrow = Only<DType::kF16>(kPowF16) | Only<DType::kBF16>(kPowBF16);
static constexpr Row kPowNarrowRows[] = {{Lane::kPow, kPowNarrow}, {Lane::kPowExact, kPowNarrow}};

static Kernel PickPowNarrowHere(Lane lane, DType dtype) {
  return Find(kPowNarrowRows, lane, dtype);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickPowNarrowHere);

Kernel PickPowNarrow(int64_t target, Lane lane, DType dtype) {
  return HWY_DISPATCH_TABLE(PickPowNarrowHere)[TableIndex(target)](lane, dtype);
}
}  // namespace pto
#endif
