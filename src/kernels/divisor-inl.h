// Integers of 8, 16 and 32 bits divided by one number: it becomes a multiplier once, and a quotient
// a product's upper half (Granlund and Montgomery, Division by Invariant Integers using
// Multiplication, 1994). x / 0 = 0 and MIN / -1 = MIN.
#if defined(PTO_SRC_KERNELS_DIVISOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_DIVISOR_INL_H_
#undef PTO_SRC_KERNELS_DIVISOR_INL_H_
#else
#define PTO_SRC_KERNELS_DIVISOR_INL_H_
#endif

#include "src/kernels/lanes-inl.h"
#include "src/kernels/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

#if PTO_COMMON_TARGET && HWY_TARGET != HWY_SCALAR

// The upper halves of products.
template <class V>
HWY_INLINE V UpperProduct(V a, V b) {
  const hn::DFromV<V> d;
  using T = hn::TFromD<decltype(d)>;
  if constexpr (sizeof(T) == 2) {
    return hn::MulHigh(a, b);
  } else {
    const hn::Repartition<uint64_t, decltype(d)> d64;
    const auto even = hn::ShiftRight<32>(hn::BitCast(d64, hn::MulEven(a, b)));
    const V odd_a = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, a)));
    return hn::OddEven(hn::BitCast(d, hn::MulEven(odd_a, b)), hn::BitCast(d, even));
  }
}

template <typename T>
constexpr uint64_t SizeOf(T divisor) {
  const auto bits = static_cast<uint64_t>(divisor);
  return divisor < 0 ? 0 - bits : bits;
}

// The least l with n <= 2^l.
constexpr int Log2Above(uint64_t n) {
  int l = 0;
  while ((uint64_t{1} << l) < n) ++l;
  return l;
}

// Quotients of vectors by one number. 0 until Set().
template <typename T>
class Divisor {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  HWY_INLINE Divisor() { Set(0); }

  HWY_INLINE void Set(T divisor) {
    const D d;
    const bool negative = divisor < 0;
    const uint64_t size = SizeOf(divisor);
    sign_ = hn::Set(d, static_cast<T>(negative ? -1 : 0));
    if (size == 0) {  // the shifts leave nothing
      multiplier_ = hn::Zero(d);
      shift_ = kBits - 1;
      halve_ = 1;
    } else if constexpr (std::is_signed_v<T>) {
      shift_ = HWY_MAX(Log2Above(size), 1) - 1;
      // Less 2^kBits, which Quotient() adds.
      multiplier_ = hn::Set(d, static_cast<T>((uint64_t{1} << (kBits + shift_)) / size + 1));
    } else {
      const int log = Log2Above(size);
      const uint64_t rest = (uint64_t{1} << log) - size;
      multiplier_ = hn::Set(d, static_cast<T>((rest << kBits) / size + 1));
      shift_ = HWY_MAX(log, 1) - 1;
      halve_ = HWY_MIN(log, 1);
    }
  }

  HWY_INLINE V Quotient(V a) const {
    const V upper = UpperProduct(a, multiplier_);
    if constexpr (std::is_signed_v<T>) {
      const V floored = hn::ShiftRightSame(hn::Add(a, upper), shift_);
      const V truncated = hn::Sub(floored, hn::ShiftRight<kBits - 1>(a));
      return hn::Sub(hn::Xor(truncated, sign_), sign_);
    } else {
      return hn::ShiftRightSame(hn::Add(upper, hn::ShiftRightSame(hn::Sub(a, upper), halve_)),
                                shift_);
    }
  }

 private:
  static constexpr int kBits = 8 * sizeof(T);
  V multiplier_, sign_;
  int shift_, halve_;
};

// Quotients by a number whose multiplier takes no bit more than an element has; so it is with half
// of them, and with none of 8 bits.
template <typename T>
class ShortDivisor {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  HWY_INLINE ShortDivisor() : multiplier_(hn::Zero(D())) {}

  // With m = ceil(2^(bits + shift) / divisor), a m / 2^(bits + shift) is above a / divisor by less
  // than the distance to the next integer. Quotients below 0 are rounded down and get one more,
  // so theirs must not be exact, and may reach that integer.
  static bool Takes(T divisor) {
    const uint64_t size = SizeOf(divisor);
    if (size < 3) return false;
    const int shift = ShiftFor(size);
    const uint64_t power = uint64_t{1} << (kBits + shift);
    const uint64_t above = MultiplierFor(size) * size - power;
    const uint64_t limit = uint64_t{1} << (shift + (std::is_signed_v<T> ? 1 : 0));
    if constexpr (std::is_signed_v<T>) {
      return above != 0 && (above < limit || (above == limit && divisor > 0));
    } else {
      return above <= limit;
    }
  }

  // Precondition: Takes(divisor).
  HWY_INLINE void Set(T divisor) {
    const uint64_t size = SizeOf(divisor);
    const uint64_t multiplier = MultiplierFor(size);
    shift_ = ShiftFor(size);
    multiplier_ = hn::Set(D(), static_cast<T>(divisor < 0 ? 0 - multiplier : multiplier));
  }

  HWY_INLINE V Quotient(V a) const {
    const V floored = hn::ShiftRightSame(UpperProduct(a, multiplier_), shift_);
    if constexpr (!std::is_signed_v<T>) return floored;
    return hn::Sub(floored, hn::ShiftRight<kBits - 1>(floored));
  }

 private:
  static constexpr int kBits = 8 * sizeof(T);
  // So that the multiplier has all bits but the sign.
  static HWY_INLINE int ShiftFor(uint64_t size) {
    return Log2Above(size) - (std::is_signed_v<T> ? 2 : 1);
  }
  static HWY_INLINE uint64_t MultiplierFor(uint64_t size) {
    return ((uint64_t{1} << (kBits + ShiftFor(size))) + size - 1) / size;
  }

  V multiplier_;
  int shift_ = 0;
};

// For 8 bits, as magnitudes in the upper halves of words of 16: their products with 2^16 / divisor,
// rounded up, end less than 2^-8 above the quotient.
template <typename T>
requires(sizeof(T) == 1) class Divisor<T> {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  HWY_INLINE Divisor() { Set(0); }

  HWY_INLINE void Set(T divisor) {
    const int size = divisor < 0 ? -divisor : divisor;
    // 2^16 does not fit: numbers divided by one are their own quotients.
    const bool unit = size == 1;
    whole_ = hn::Set(DB(), static_cast<uint8_t>(unit ? 0xff : 0));
    const int multiplier = size <= 1 ? 0 : (0x10000 + size - 1) / size;
    multiplier_ = hn::Set(DW(), static_cast<uint16_t>(multiplier));
    sign_ = hn::Set(D(), static_cast<T>(divisor < 0 ? -1 : 0));
  }

  HWY_INLINE V Quotient(V a) const {
    const DW dw;
    const DB db;
    VB size = hn::BitCast(db, a);
    if constexpr (std::is_signed_v<T>) size = hn::BitCast(db, hn::Abs(a));
    const auto words = hn::BitCast(dw, size);
    const auto low = hn::Set(dw, uint16_t{0xff});
    const auto even = hn::MulHigh(hn::And(words, low), multiplier_);
    const auto odd = hn::AndNot(low, hn::MulHigh(hn::AndNot(low, words), multiplier_));
    const VB q = hn::Or(hn::BitCast(db, hn::Or(even, odd)), hn::And(size, whole_));
    if constexpr (std::is_signed_v<T>) {
      const D d;
      const V sign = hn::Xor(hn::VecFromMask(d, hn::Lt(a, hn::Zero(d))), sign_);
      return hn::Sub(hn::Xor(hn::BitCast(d, q), sign), sign);
    } else {
      return q;
    }
  }

 private:
  using DB = hn::Repartition<uint8_t, D>;
  using DW = hn::Repartition<uint16_t, D>;
  using VB = hn::Vec<DB>;
  hn::Vec<DW> multiplier_;
  VB whole_;
  V sign_;
};

// Lines often have the same divisor as the one before.
template <typename T, class Division>
struct ByDivisor : ByElement<T> {
  static constexpr size_t kUnroll = 2;

  HWY_INLINE ByDivisor() {}
  HWY_INLINE void Prepare(T b) {
    if (b == this->by) return;
    this->by = b;
    division.Set(b);
  }

  Division division;
};

template <typename T>
struct QuotientBy {
  template <class Division>
  struct With : ByDivisor<T, Division> {
    using V = hn::Vec<hn::ScalableTag<T>>;
    HWY_INLINE With() {}
    HWY_INLINE V operator()(V a, V) const { return this->division.Quotient(a); }
  };
};

// The sign of the divisor if floored, otherwise the sign of the dividend; x rem 0 is 0.
template <typename T, bool kFloored>
struct RemainderBy {
  template <class Division>
  struct With : ByDivisor<T, Division> {
    using V = hn::Vec<hn::ScalableTag<T>>;
    HWY_INLINE With() {}
    HWY_INLINE V operator()(V a, V b) const {
      const hn::ScalableTag<T> d;
      const V r = hn::Sub(a, MulWrap(this->division.Quotient(a), b));
      const auto by_zero = hn::Eq(b, hn::Zero(d));
      if constexpr (kFloored) {
        // Apart in sign: of 0 only where b is below it.
        const auto apart = hn::AndNot(hn::Eq(r, hn::Zero(d)), hn::Lt(hn::Xor(r, b), hn::Zero(d)));
        return hn::IfThenZeroElse(by_zero, hn::Add(r, hn::IfThenElseZero(apart, b)));
      } else {
        return hn::IfThenZeroElse(by_zero, r);
      }
    }
  };
};

// Lines too short to be worth a multiplier of their own go the way of other divisors, laid out.
template <class Fun, class By>
void DivideUniform(void* dst, const void* a, const void* b, ptrdiff_t dst_line, ptrdiff_t a_line,
                   ptrdiff_t b_line, size_t lines, size_t count, const void* /*c*/,
                   ptrdiff_t /*c_line*/) {
  using T = typename Fun::T;
  constexpr size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  const bool one = b_line == 0 || lines == 1;
  // Elements that share a multiplier, of one for each line a quarter: they pay for it more often.
  // Without masks a line must have a vector as well.
  const bool worth = (!one ? count / 4 : PTO_AVX512 ? lines * count : count) >= kLanes;
  if constexpr (sizeof(T) > 1) {
    if (one && worth && ShortDivisor<T>::Takes(*static_cast<const T*>(b))) {
      using Short = typename By::template With<ShortDivisor<T>>;
      return Loop<Short, true>(dst, a, b, dst_line, a_line, b_line, lines, count);
    }
  }
  if (worth) {
    using Any = typename By::template With<Divisor<T>>;
    Loop<Any, true>(dst, a, b, dst_line, a_line, b_line, lines, count);
  } else {
    Loop<Fun, true>(dst, a, b, dst_line, a_line, b_line, lines, count);
  }
}

// A kernel with another functor for a last source that has one element per line.
template <class Fun, class By>
constexpr Kernel PlainBy() {
  Kernel kernel = KernelOf<Fun>(Loop<Fun>, StreamOf<Fun>(), DivideUniform<Fun, By>);
  kernel.uniform_first = true;
  return kernel;
}

#else

template <typename T>
struct QuotientBy {};
template <typename T, bool kFloored>
struct RemainderBy {};
template <class Fun, class By>
constexpr Kernel PlainBy() {
  return Plain<Fun>();
}

#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_DIVISOR_INL_H_
