// The base of the C++ layer: qualifiers of kernel sources, the types half and bfloat16_t, and the map from
// C++ types to element types of the library.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_BASE_HPP_
#define PTO_PTO_BASE_HPP_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "pto_c.h"

#if !defined(PTO_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
#define PTO_NO_EXCEPTIONS
#endif

// Code built with and without exceptions may be linked together: each kind has functions of its own.
#if defined(PTO_NO_EXCEPTIONS)
#define PTO_CPP_ABI handlers_v0
#else
#define PTO_CPP_ABI exceptions_v0
#endif

// Qualifiers that kernel sources carry for the NPU compilers. They mean nothing on a CPU, so they are empty here even
// if the build has defined them: a runtime's own header may define __aicore__ as [aicore].
#undef AICORE
#define AICORE
#undef __aicore__
#define __aicore__
#undef __tf__
#define __tf__
#undef __in__
#define __in__
#undef __out__
#define __out__
#undef __global__
#define __global__
#undef __gm__
#define __gm__
#undef __ubuf__
#define __ubuf__
#undef __cbuf__
#define __cbuf__
#undef __ca__
#define __ca__
#undef __cb__
#define __cb__
#undef __cc__
#define __cc__
#undef __fbuf__
#define __fbuf__
#undef __biasbuf__
#define __biasbuf__
#ifndef PTO_INST
#define PTO_INST inline
#endif
#ifndef PTO_INTERNAL
#define PTO_INTERNAL inline
#endif
#ifndef PTO_DIV_ROUNDUP
#define PTO_DIV_ROUNDUP(x, y) (((x) + (y)-1) / (y))
#endif
#ifndef PTO_CEIL
#define PTO_CEIL(x, y) (PTO_DIV_ROUNDUP(x, y) * (y))
#endif
#ifndef PTO_INLINE
#define PTO_INLINE inline
#endif

namespace pto {
inline namespace PTO_CPP_ABI {

namespace pto_detail {

template <typename To, typename From>
constexpr To BitCast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// The 16-bit float nearest to a double, ties to even; a NaN stays one, quiet, with the upper payload.
template <int FractionBits>
constexpr uint16_t Narrow(double value) noexcept {
  constexpr int kBias = (1 << (14 - FractionBits)) - 1;
  constexpr int kInfinity = (2 * kBias + 1) << FractionBits;
  const auto bits = BitCast<uint64_t>(value);
  const auto sign = static_cast<int>(bits >> 63) << 15;
  const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & 0xfffffffffffff;
  const int exponent = biased - 1023;
  if (biased == 0x7ff) {
    const int payload = static_cast<int>(fraction >> (52 - FractionBits)) | 1 << (FractionBits - 1);
    return static_cast<uint16_t>(sign | kInfinity | (fraction != 0 ? payload : 0));
  }
  if (exponent > kBias) return static_cast<uint16_t>(sign | kInfinity);
  // Below the smallest normal number each step down costs a bit; 54 bits away nothing is left.
  const int lost = exponent < 1 - kBias ? 1 - kBias - exponent : 0;
  const int shift = 52 - FractionBits + lost;
  if (shift > 53) return static_cast<uint16_t>(sign);
  const uint64_t significand = fraction | uint64_t{1} << 52;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t half_step = uint64_t{1} << (shift - 1);
  auto kept = static_cast<int>(significand >> shift);
  if (rest > half_step || (rest == half_step && (kept & 1) != 0)) ++kept;
  // A carry runs on into the exponent, and from the largest number into infinity.
  const int base = lost != 0 ? 0 : (exponent + kBias - 1) << FractionBits;
  return static_cast<uint16_t>(sign | (base + kept));
}

// An integer as a double that rounds to the same 16-bit float as the integer: what does not fit in 53
// bits leaves a trace in the last one.
template <typename T_>
constexpr double Exactly(T_ value) noexcept {
  if constexpr (!std::is_integral_v<T_> || sizeof(T_) < 8) {
    return static_cast<double>(value);
  } else {
    const bool negative = value < T_{0};
    const auto magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    if (magnitude >> 53 == 0) return static_cast<double>(value);
    const uint64_t top = magnitude >> 11 | static_cast<uint64_t>((magnitude & 0x7ff) != 0);
    const double large = static_cast<double>(top) * 2048.0;
    return negative ? -large : large;
  }
}

}  // namespace pto_detail

// IEEE 754 binary16. Converts to float exactly and from any number with one rounding, to nearest even;
// arithmetic is float's.
class half {
 public:
  half() = default;
  template <typename T_, std::enable_if_t<std::is_arithmetic_v<T_> && !std::is_same_v<T_, long double>, int> = 0>
  constexpr half(T_ value) noexcept : bits_(pto_detail::Narrow<10>(pto_detail::Exactly(value))) {}
  constexpr operator float() const noexcept {
    const auto sign = static_cast<uint32_t>(bits_ & 0x8000) << 16;
    const auto magnitude = static_cast<uint32_t>(bits_ & 0x7fff);
    if (magnitude < 0x400) {
      const float small = static_cast<float>(magnitude) * 0x1p-24F;
      return sign != 0 ? -small : small;
    }
    const uint32_t rebias = magnitude >= 0x7c00 ? (255U - 31U) << 23 : (127U - 15U) << 23;
    return pto_detail::BitCast<float>(sign | ((magnitude << 13) + rebias));
  }
  constexpr half operator-() const noexcept { return from_bits(static_cast<uint16_t>(bits_ ^ 0x8000)); }
  constexpr half operator+() const noexcept { return *this; }
  half& operator+=(float value) noexcept { return *this = half(static_cast<float>(*this) + value); }
  half& operator-=(float value) noexcept { return *this = half(static_cast<float>(*this) - value); }
  half& operator*=(float value) noexcept { return *this = half(static_cast<float>(*this) * value); }
  half& operator/=(float value) noexcept { return *this = half(static_cast<float>(*this) / value); }
  half& operator++() noexcept { return *this += 1.0F; }
  half& operator--() noexcept { return *this -= 1.0F; }
  half operator++(int) noexcept {
    const half before = *this;
    ++*this;
    return before;
  }
  half operator--(int) noexcept {
    const half before = *this;
    --*this;
    return before;
  }
  // The encoding, for data that is not numbers yet.
  constexpr uint16_t bits() const noexcept { return bits_; }
  static constexpr half from_bits(uint16_t bits) noexcept {
    half value(0.0F);
    value.bits_ = bits;
    return value;
  }

 private:
  uint16_t bits_;
};

// The upper half of a binary32. Converts to float exactly and from any number with one rounding, to
// nearest even; arithmetic is float's. Not convertible to half but through float.
class bfloat16_t {
 public:
  bfloat16_t() = default;
  template <typename T_, std::enable_if_t<std::is_arithmetic_v<T_> && !std::is_same_v<T_, long double>, int> = 0>
  constexpr bfloat16_t(T_ value) noexcept : bits_(pto_detail::Narrow<7>(pto_detail::Exactly(value))) {}
  constexpr operator float() const noexcept { return pto_detail::BitCast<float>(static_cast<uint32_t>(bits_) << 16); }
  constexpr bfloat16_t operator-() const noexcept { return from_bits(static_cast<uint16_t>(bits_ ^ 0x8000)); }
  constexpr bfloat16_t operator+() const noexcept { return *this; }
  bfloat16_t& operator+=(float value) noexcept { return *this = bfloat16_t(static_cast<float>(*this) + value); }
  bfloat16_t& operator-=(float value) noexcept { return *this = bfloat16_t(static_cast<float>(*this) - value); }
  bfloat16_t& operator*=(float value) noexcept { return *this = bfloat16_t(static_cast<float>(*this) * value); }
  bfloat16_t& operator/=(float value) noexcept { return *this = bfloat16_t(static_cast<float>(*this) / value); }
  bfloat16_t& operator++() noexcept { return *this += 1.0F; }
  bfloat16_t& operator--() noexcept { return *this -= 1.0F; }
  bfloat16_t operator++(int) noexcept {
    const bfloat16_t before = *this;
    ++*this;
    return before;
  }
  bfloat16_t operator--(int) noexcept {
    const bfloat16_t before = *this;
    --*this;
    return before;
  }
  // The encoding, for data that is not numbers yet.
  constexpr uint16_t bits() const noexcept { return bits_; }
  static constexpr bfloat16_t from_bits(uint16_t bits) noexcept {
    bfloat16_t value(0.0F);
    value.bits_ = bits;
    return value;
  }

 private:
  uint16_t bits_;
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);
static_assert(sizeof(bfloat16_t) == 2 && std::is_trivially_copyable_v<bfloat16_t>);

// An extent that is given at run time.
inline constexpr int DYNAMIC = -1;

namespace pto_detail {

// The element whose encoding is in the low bits.
template <typename T_>
constexpr T_ FromBits(uint32_t bits) noexcept {
  if constexpr (std::is_same_v<T_, uint32_t>) {
    return bits;
  } else if constexpr (sizeof(T_) == 4) {
    return BitCast<T_>(bits);
  } else if constexpr (std::is_integral_v<T_>) {
    return static_cast<T_>(bits);
  } else {
    return T_::from_bits(static_cast<uint16_t>(bits));
  }
}

// a + b; integers wrap around.
template <typename T_>
constexpr T_ Sum(T_ a, T_ b) noexcept {
  if constexpr (std::is_integral_v<T_>) {
    T_ sum{};
    __builtin_add_overflow(a, b, &sum);
    return sum;
  } else {
    return T_(a + b);
  }
}

// How elements are stored at a pointer, and the type of one of them: for most types the type itself. The types of
// pto-packed.hpp have two elements per byte.
template <typename T_>
struct Elements {
  using Element = T_;
  using Reference = T_&;
  using ConstReference = const T_&;
  static constexpr int kEach = 1;  // elements a T
  static constexpr int64_t Bytes(int64_t count) noexcept { return count * int64_t{sizeof(T_)}; }
  static Reference At(T_* first, int64_t n) noexcept { return first[n]; }
  static ConstReference At(const T_* first, int64_t n) noexcept { return first[n]; }
};

inline constexpr int kNoDType = -1;
// For the types of pto-float8.hpp and pto-packed.hpp.
template <typename T_>
inline constexpr int kSmallDType = kNoDType;

template <typename T_>
constexpr int DTypeOf() {
  if constexpr (std::is_same_v<T_, half>) {
    return PTO_DTYPE_F16;
  } else if constexpr (std::is_same_v<T_, bfloat16_t>) {
    return PTO_DTYPE_BF16;
  } else if constexpr (std::is_same_v<T_, float>) {
    return PTO_DTYPE_F32;
  } else if constexpr (std::is_integral_v<T_> && !std::is_same_v<T_, bool> &&
                       std::is_same_v<T_, std::remove_cv_t<T_>>) {
    // Two values a size, the signed one first: 1, 2, 4 and 8 bytes.
    const int size = sizeof(T_) == 1   ? PTO_DTYPE_I8
                     : sizeof(T_) == 2 ? PTO_DTYPE_I16
                     : sizeof(T_) == 4 ? PTO_DTYPE_I32
                                       : PTO_DTYPE_I64;
    return sizeof(T_) > 8 ? kNoDType : size + (std::is_signed_v<T_> ? 0 : 1);
  } else {
    return kSmallDType<T_>;
  }
}

}  // namespace pto_detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

// Both are numbers to generic code: limits by their bits.
namespace std {

template <>
class numeric_limits<pto::half> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
  static constexpr int min_exponent = -13, max_exponent = 16;
  static constexpr pto::half min() noexcept { return pto::half::from_bits(0x0400); }
  static constexpr pto::half lowest() noexcept { return pto::half::from_bits(0xfbff); }
  static constexpr pto::half max() noexcept { return pto::half::from_bits(0x7bff); }
  static constexpr pto::half epsilon() noexcept { return pto::half::from_bits(0x1400); }
  static constexpr pto::half infinity() noexcept { return pto::half::from_bits(0x7c00); }
  static constexpr pto::half quiet_NaN() noexcept { return pto::half::from_bits(0x7e00); }
  static constexpr pto::half denorm_min() noexcept { return pto::half::from_bits(0x0001); }
};

template <>
class numeric_limits<pto::bfloat16_t> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = false, is_bounded = true;
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, radix = 2;
  static constexpr int min_exponent = -125, max_exponent = 128;
  static constexpr pto::bfloat16_t min() noexcept { return pto::bfloat16_t::from_bits(0x0080); }
  static constexpr pto::bfloat16_t lowest() noexcept { return pto::bfloat16_t::from_bits(0xff7f); }
  static constexpr pto::bfloat16_t max() noexcept { return pto::bfloat16_t::from_bits(0x7f7f); }
  static constexpr pto::bfloat16_t epsilon() noexcept { return pto::bfloat16_t::from_bits(0x3c00); }
  static constexpr pto::bfloat16_t infinity() noexcept { return pto::bfloat16_t::from_bits(0x7f80); }
  static constexpr pto::bfloat16_t quiet_NaN() noexcept { return pto::bfloat16_t::from_bits(0x7fc0); }
  static constexpr pto::bfloat16_t denorm_min() noexcept { return pto::bfloat16_t::from_bits(0x0001); }
};

}  // namespace std

#endif  // PTO_PTO_BASE_HPP_
