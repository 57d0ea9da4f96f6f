// Elements of half a byte: two a byte in memory, the first in its low half. Include pto-inst.hpp, which includes this
// file.
#ifndef PTO_PTO_PACKED_HPP_
#define PTO_PTO_PACKED_HPP_

#include "pto/pto-float8.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// -8 to 7; of other integers the low four bits.
class Int4 {
 public:
  using Number = int;
  Int4() = default;
  template <typename T_, std::enable_if_t<std::is_integral_v<T_>, int> = 0>
  constexpr Int4(T_ value) noexcept : bits_(static_cast<uint8_t>(static_cast<unsigned>(value) & 15)) {}
  constexpr operator int() const noexcept { return bits_ < 8 ? bits_ : bits_ - 16; }
  constexpr uint8_t bits() const noexcept { return bits_; }
  static constexpr Int4 from_bits(unsigned bits) noexcept { return Int4(bits); }

 private:
  uint8_t bits_;
};

// Neither infinity nor NaN: what is beyond the largest number becomes it, NaN becomes -0.
using Float4E2M1 = SmallFloat<IeeeFloat<2, 1, 7, 8>>;
using Float4E1M2 = SmallFloat<IeeeFloat<1, 2, 7, 8>>;

// A byte of two elements: what tiles, tensors and pointers of packed types are made of.
template <class Half>
class Pair {
 public:
  using Element = Half;
  Pair() = default;
  constexpr Pair(Half first, Half second) noexcept : bits_(static_cast<uint8_t>(first.bits() | second.bits() << 4)) {}
  constexpr Half first() const noexcept { return Half::from_bits(bits_ & 15U); }
  constexpr Half second() const noexcept { return Half::from_bits(static_cast<unsigned>(bits_) >> 4); }
  constexpr uint8_t bits() const noexcept { return bits_; }
  static constexpr Pair from_bits(unsigned bits) noexcept {
    return Pair(Half::from_bits(bits & 15), Half::from_bits(bits >> 4 & 15));
  }

 private:
  uint8_t bits_;
};

// One of the two, to be read and assigned to.
template <class Half>
class HalfReference {
 public:
  HalfReference(Pair<Half>* pair, bool second) noexcept : pair_(pair), second_(second) {}
  HalfReference(const HalfReference&) = default;
  operator Half() const noexcept { return second_ ? pair_->second() : pair_->first(); }
  operator typename Half::Number() const noexcept { return value(); }
  Half value() const noexcept { return operator Half(); }
  uint8_t bits() const noexcept { return value().bits(); }
  HalfReference& operator=(Half value) noexcept {
    *pair_ = second_ ? Pair<Half>(pair_->first(), value) : Pair<Half>(value, pair_->second());
    return *this;
  }
  // As with a reference it is the element that is copied.
  HalfReference& operator=(const HalfReference& other) noexcept { return *this = other.value(); }

 private:
  Pair<Half>* pair_;
  bool second_;
};

template <class Half>
struct Elements<Pair<Half>> {
  using Element = Half;
  using Reference = HalfReference<Half>;
  using ConstReference = Half;
  static constexpr int kEach = 2;
  static constexpr int64_t Bytes(int64_t count) noexcept { return (count + 1) / 2; }
  static Reference At(Pair<Half>* first, int64_t n) noexcept { return {first + n / 2, n % 2 != 0}; }
  static ConstReference At(const Pair<Half>* first, int64_t n) noexcept {
    return n % 2 != 0 ? first[n / 2].second() : first[n / 2].first();
  }
};

}  // namespace pto_detail

using float4_e2m1x2_t =
    pto_detail::Pair<pto_detail::Float4E2M1>;  // OCP: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives
using float4_e1m2x2_t = pto_detail::Pair<pto_detail::Float4E1M2>;  // 0, 0.25 to 1.75 and their negatives
using int4b_t = pto_detail::Pair<pto_detail::Int4>;

static_assert(sizeof(int4b_t) == 1 && std::is_trivially_copyable_v<int4b_t>);

namespace pto_detail {

// The results of DTypeOf for these types.
template <>
inline constexpr int kSmallDType<float4_e2m1x2_t> = PTO_DTYPE_E2M1;
template <>
inline constexpr int kSmallDType<float4_e1m2x2_t> = PTO_DTYPE_E1M2;
template <>
inline constexpr int kSmallDType<int4b_t> = PTO_DTYPE_I4;

}  // namespace pto_detail

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_PACKED_HPP_
