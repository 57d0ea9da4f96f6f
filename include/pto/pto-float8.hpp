// Floats of a byte, and what they share with floats of half a byte: stored as they are, computed as float. Include
// pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_FLOAT8_HPP_
#define PTO_PTO_FLOAT8_HPP_

#include "pto/pto-base.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// 2 ** exponent, of a normal double.
constexpr double PowerOfTwo(int exponent) noexcept {
  return BitCast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

// The nearest integer to 0 <= value < 2^52, ties to even or, with `away`, up.
constexpr int Nearest(double value, bool away) noexcept {
  const auto whole = static_cast<int>(value);
  const double rest = value - whole;
  return whole + static_cast<int>(rest > 0.5 || (rest == 0.5 && (away || whole % 2 != 0)));
}

constexpr int ExponentOf(double size) noexcept {
  return static_cast<int>(BitCast<uint64_t>(size) >> 52 & 0x7ff) - 1023;
}

// A format defines the value of a code, without its sign, and the code that is nearest to a finite size. An overflow
// gives kOver: infinity, NaN or, if the format has neither, the largest number.
template <int ExponentBits, int FractionBits, int Over, int NaN>
struct IeeeFloat {
  static constexpr int kOver = Over, kNaN = NaN, kSign = 1 << (ExponentBits + FractionBits);
  static constexpr int kBias = ExponentBits == 1 ? 1 : (1 << (ExponentBits - 1)) - 1;
  static constexpr bool kHasZero = true, kInfinity = (Over & ((1 << FractionBits) - 1)) == 0;
  static constexpr bool IsNaN(int code) noexcept { return (code & (kSign - 1)) > Over - (Over == NaN ? 1 : 0); }
  static constexpr double Value(int code) noexcept {
    const int fraction = code & ((1 << FractionBits) - 1);
    const int field = code >> FractionBits;
    const int steps = field == 0 ? fraction : fraction + (1 << FractionBits);
    return steps * PowerOfTwo((field == 0 ? 1 : field) - kBias - FractionBits);
  }
  static constexpr int Code(double size) noexcept {
    int exponent = ExponentOf(size);
    if (exponent > kBias + 1) return kOver;
    if (exponent < 1 - kBias) exponent = 1 - kBias;
    const int steps = Nearest(size * PowerOfTwo(FractionBits - exponent), false);
    // A carry runs on into the exponent.
    const int code = ((exponent + kBias - 1) << FractionBits) + steps;
    return code < kOver ? code : kOver;
  }
};
using E4M3 = IeeeFloat<4, 3, 0x7f, 0x7f>;
using E5M2 = IeeeFloat<5, 2, 0x7c, 0x7e>;

struct E8M0 {
  static constexpr int kOver = 0xff, kNaN = 0xff, kSign = 0x100;  // none
  static constexpr bool kHasZero = false, kInfinity = false;
  static constexpr bool IsNaN(int code) noexcept { return code == kNaN; }
  static constexpr double Value(int code) noexcept { return PowerOfTwo(code - 127); }
  static constexpr int Code(double size) noexcept {
    const int exponent = ExponentOf(size);
    const int code = exponent + 127 + static_cast<int>(size >= 1.5 * PowerOfTwo(exponent < -1022 ? -1022 : exponent));
    return code < 0 ? 0 : code < kOver ? code : kOver;
  }
};

struct HiF8 {
  static constexpr int kOver = 0x6f, kNaN = 0x80, kSign = 0x80;
  static constexpr bool kHasZero = true, kInfinity = true;
  static constexpr bool IsNaN(int code) noexcept { return code == kNaN; }
  static constexpr int Digits(int exponent) noexcept {
    const int distance = exponent < 0 ? -exponent : exponent;
    return distance < 4 ? 3 : distance < 8 ? 2 : exponent < -15 ? 0 : 1;
  }
  static constexpr double Value(int code) noexcept {
    if (code < 8) return code == 0 ? 0.0 : PowerOfTwo(code - 23);
    const int digits = code >= 0x60 ? 4 : code >= 0x40 ? 3 : code >= 0x20 ? 2 : code >= 0x10 ? 1 : 0;
    const int left = digits > 2 ? 5 - digits : 3;
    const int top = digits == 0 ? 0 : 1 << (digits - 1);
    const int field = code >> left & ((1 << digits) - 1);
    const int exponent = (field & top) != 0 ? -(field | top) : field | top;
    return ((1 << left) + (code & ((1 << left) - 1))) * PowerOfTwo(exponent - left);
  }
  // Ties go away from zero, as hardware rounds.
  static constexpr int Code(double size) noexcept {
    int exponent = ExponentOf(size);
    if (exponent > 15) return kOver;
    if (exponent < -22) return size >= PowerOfTwo(-23) ? 1 : 0;
    int steps = Nearest(size * PowerOfTwo(Digits(exponent) - exponent), true);
    if (steps == 2 << Digits(exponent)) steps = 1 << Digits(++exponent);
    if (exponent < -15) return exponent + 23;
    const int fraction = steps - (1 << Digits(exponent));
    const int distance = exponent < 0 ? -exponent : exponent;
    const int digits = distance == 0 ? 0 : distance == 1 ? 1 : distance < 4 ? 2 : distance < 8 ? 3 : 4;
    const int left = digits > 2 ? 5 - digits : 3;
    constexpr int kFirst[] = {0x08, 0x10, 0x20, 0x40, 0x60};
    const int top = digits == 0 ? 0 : 1 << (digits - 1);
    const int field = digits == 0 ? 0 : distance - top + (exponent < 0 ? top : 0);
    const int code = kFirst[digits] + (field << left) + fraction;
    return exponent > 14 && code >= kOver ? kOver : code;
  }
};

// Converts to float exactly and from any number with one rounding, to nearest. A number beyond the largest one becomes
// kOver of the format.
template <class Format>
class SmallFloat {
 public:
  using Number = float;
  SmallFloat() = default;
  template <typename T_, std::enable_if_t<std::is_arithmetic_v<T_> && !std::is_same_v<T_, long double>, int> = 0>
  constexpr SmallFloat(T_ value) noexcept : bits_(Encode(Exactly(value))) {}
  constexpr operator float() const noexcept {
    if (Format::IsNaN(bits_)) return BitCast<float>(0x7fc00000U);
    const bool negative = (bits_ & Format::kSign) != 0;
    const int size = bits_ & (Format::kSign - 1);
    const bool infinite = Format::kInfinity && size == Format::kOver;
    const float value = infinite ? BitCast<float>(0x7f800000U) : static_cast<float>(Format::Value(size));
    return negative ? -value : value;
  }
  // The encoding, for data that is not numbers yet.
  constexpr uint8_t bits() const noexcept { return bits_; }
  static constexpr SmallFloat from_bits(unsigned bits) noexcept {
    SmallFloat value(1.0F);
    value.bits_ = static_cast<uint8_t>(bits % (2 * Format::kSign));
    return value;
  }

 private:
  static constexpr uint8_t Encode(double value) noexcept {
    const bool negative = BitCast<uint64_t>(value) >> 63 != 0;
    const double size = negative ? -value : value;
    const bool none = Format::kSign > 0xff && negative;
    if (value != value || none || (!Format::kHasZero && value == 0)) return Format::kNaN;
    const int code = ExponentOf(size) == 1024 ? Format::kOver : Format::Code(size);
    if (code == Format::kNaN) return Format::kNaN;
    const bool one_zero = std::is_same_v<Format, HiF8> && code == 0;
    return static_cast<uint8_t>(code | (negative && !one_zero ? Format::kSign : 0));
  }

  uint8_t bits_;
};

}  // namespace pto_detail

using float8_e4m3_t = pto_detail::SmallFloat<pto_detail::E4M3>;  // OCP: no infinity, NaN is S1111111
using float8_e5m2_t = pto_detail::SmallFloat<pto_detail::E5M2>;  // OCP: infinities and NaNs as IEEE 754
using hifloat8_t = pto_detail::SmallFloat<pto_detail::HiF8>;     // 3 bits of fraction near 1, fewer far away
using float8_e8m0_t = pto_detail::SmallFloat<pto_detail::E8M0>;  // a scale: 2^(x-127), 0xff is NaN

static_assert(sizeof(float8_e4m3_t) == 1 && std::is_trivially_copyable_v<float8_e4m3_t>);

namespace pto_detail {

// The results of DTypeOf for these types.
template <>
inline constexpr int kSmallDType<float8_e4m3_t> = PTO_DTYPE_E4M3;
template <>
inline constexpr int kSmallDType<float8_e5m2_t> = PTO_DTYPE_E5M2;
template <>
inline constexpr int kSmallDType<hifloat8_t> = PTO_DTYPE_HIF8;
template <>
inline constexpr int kSmallDType<float8_e8m0_t> = PTO_DTYPE_E8M0;

}  // namespace pto_detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_FLOAT8_HPP_
