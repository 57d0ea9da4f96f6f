// half and bfloat16_t: every encoding, every threshold between two neighbours, and single rounding from
// double and from integers; the expected values come from ldexp and comparisons alone.
#include <pto/pto-inst.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "check.h"

using pto::bfloat16_t;
using pto::half;

namespace {

// The value of an encoding, by the definition of the format.
double Decode(unsigned bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

template <typename T, int kExponentBits, int kFractionBits>
void TestFormat() {
  const auto decode = [](unsigned bits) { return Decode(bits, kExponentBits, kFractionBits); };
  const unsigned infinity = ((1U << kExponentBits) - 1) << kFractionBits;
  const unsigned quiet = 1U << (kFractionBits - 1);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const T value = T::from_bits(static_cast<uint16_t>(bits));
    const float wide = value;
    const bool nan = (bits & 0x7fff) > infinity;
    if (nan) {
      CHECK(std::isnan(wide));
      CHECK(T(wide).bits() == (bits | quiet));
    } else {
      CHECK(double{wide} == decode(bits) && std::signbit(wide) == (bits >= 0x8000));
      CHECK(T(wide).bits() == bits);
      CHECK(T(double{wide}).bits() == bits);
    }
  }
  // Between two neighbours the result changes at the midpoint, which rounds to the even one; with the
  // thresholds right and the function monotonic, every value is right.
  for (unsigned bits = 0; bits < infinity; ++bits) {
    const double low = decode(bits);
    const double high = bits + 1 < infinity ? decode(bits + 1) : 2 * decode(bits) - decode(bits - 1);
    const double middle = (low + high) / 2;
    const unsigned even = (bits & 1U) == 0 ? bits : bits + 1;
    for (const unsigned sign : {0U, 0x8000U}) {
      const double s = sign == 0 ? 1.0 : -1.0;
      CHECK(T(s * middle).bits() == (sign | even));
      CHECK(T(s * std::nextafter(middle, 0.0)).bits() == (sign | bits));
      CHECK(T(s * std::nextafter(middle, HUGE_VAL)).bits() == (sign | (bits + 1)));
      CHECK(T(s * std::nextafter(low, HUGE_VAL)).bits() == (sign | bits));
      CHECK(T(s * std::nextafter(high, 0.0)).bits() == (sign | (bits + 1)));
      // Thresholds of float are double's: the midpoint is a float where the format is narrower.
      const auto narrow = static_cast<float>(middle);
      if (double{narrow} == middle) {
        CHECK(T(static_cast<float>(s) * narrow).bits() == (sign | even));
        CHECK(T(static_cast<float>(s) * std::nextafter(narrow, 0.0F)).bits() == (sign | bits));
      }
    }
  }
  CHECK(T(HUGE_VAL).bits() == infinity && T(-HUGE_VAL).bits() == (infinity | 0x8000));
  CHECK(T(std::numeric_limits<double>::max()).bits() == infinity);
  CHECK(T(-1e-300).bits() == 0x8000 && T(std::numeric_limits<double>::denorm_min()).bits() == 0);
}

// Random floats against the nearer of the two neighbours that truncation gives.
void TestRandomFloats() {
  std::mt19937 random(20260822);
  for (int k = 0; k < 200000; ++k) {
    const auto bits = static_cast<uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    if (std::isnan(value)) continue;
    const unsigned low = bits >> 16;
    if ((low & 0x7f80U) == 0x7f80U) continue;
    // For bfloat16 the neighbours are the encodings below and above the cut.
    const double below = std::abs(double{value}) - std::abs(Decode(low, 8, 7));
    const double step = std::abs(Decode((low & 0x7f80U) | 1U, 8, 7)) - std::abs(Decode(low & 0x7f80U, 8, 7));
    const unsigned expected = below * 2 > step || (below * 2 == step && (low & 1U) != 0) ? low + 1 : low;
    CHECK(bfloat16_t(value).bits() == expected);
  }
}

void TestIntegers() {
  CHECK(half(2049).bits() == half(2048.0F).bits() && half(2051).bits() == half(2052.0F).bits());
  CHECK(static_cast<float>(half(-7)) == -7.0F && static_cast<float>(half(uint8_t{200})) == 200.0F);
  CHECK(half(65519).bits() == 0x7bff && half(65520).bits() == 0x7c00);
  // A 64-bit integer just past a tie, which double would round onto it.
  const int64_t tie = (int64_t{1} << 62) + (int64_t{1} << 54);
  CHECK(bfloat16_t(tie).bits() == bfloat16_t(0x1p62).bits());
  CHECK(bfloat16_t(tie + 1).bits() == bfloat16_t(0x1p62).bits() + 1);
  CHECK(bfloat16_t(-tie - 1).bits() == (bfloat16_t(0x1p62).bits() + 1) + 0x8000);
  CHECK(bfloat16_t(std::numeric_limits<uint64_t>::max()).bits() == bfloat16_t(0x1p64).bits());
  CHECK(bfloat16_t(std::numeric_limits<int64_t>::min()).bits() == bfloat16_t(-0x1p63).bits());
}

void TestUse() {
  half a = 1.5F;
  const half b = 2;
  a += b;
  CHECK(a == 3.5F && a > b && a * b + 1 == 8.0F && -a == -3.5F);
  a *= 2.0F;
  a -= 1.0F;
  a /= b;
  CHECK(static_cast<float>(a) == 3.0F);
  bfloat16_t c = 256;
  c += 1.0F;  // rounds back to 256
  CHECK(c == 256.0F);
  c *= 2.0F;
  c -= 12.0F;
  c /= 4.0F;
  CHECK(c == 125.0F);
  CHECK(half(float{bfloat16_t(3.0F)}) == 3.0F);
  static_assert(half(1.0F).bits() == 0x3c00 && bfloat16_t(1.0F).bits() == 0x3f80, "conversions are constexpr");
  static_assert(float{half::from_bits(0x3555)} < 0.3334F, "and back");
  static_assert(!std::is_same_v<half, bfloat16_t> && !std::is_convertible_v<half, bfloat16_t>, "distinct types");
  static_assert(std::numeric_limits<half>::max() == 65504.0F && std::numeric_limits<half>::min() == 0x1p-14F &&
                    std::numeric_limits<half>::denorm_min() == 0x1p-24F &&
                    std::numeric_limits<half>::epsilon() == 0x1p-10F,
                "limits of half");
  static_assert(std::numeric_limits<bfloat16_t>::max() == 0x1.fep127F &&
                    std::numeric_limits<bfloat16_t>::min() == 0x1p-126F &&
                    std::numeric_limits<bfloat16_t>::epsilon() == 0x1p-7F,
                "limits of bfloat16_t");
  CHECK(std::isinf(float{std::numeric_limits<half>::infinity()}));
  CHECK(std::isnan(float{std::numeric_limits<half>::quiet_NaN()}));
  CHECK(std::isinf(float{std::numeric_limits<bfloat16_t>::infinity()}));
  CHECK(std::isnan(float{std::numeric_limits<bfloat16_t>::quiet_NaN()}));
}

// The library and the header mean the same by a half: 1 / sqrt(x) of 4 ** k in both types.
template <typename T>
void TestLibrary() {
  using namespace pto;
  Tile<TileType::Vec, T, 4, 16> src, dst;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 16; ++j) src(i, j) = std::ldexp(1.0F, 2 * (j % 8) - 2 * i);
  }
  TRSQRT(dst, src);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 16; ++j) CHECK(dst(i, j) == std::ldexp(1.0F, i - j % 8));
  }
}

// The library and the header mean the same by each code of a float of a byte, and by each number that becomes one:
// every bf16, and all ends of mantissas of f32.
template <typename T>
void TestFloat8() {
  using namespace pto;
  Tile<TileType::Vec, T, 8, 32> codes;
  Tile<TileType::Vec, float, 8, 32> values;
  for (int i = 0; i < 256; ++i) codes(i / 32, i % 32) = T::from_bits(static_cast<unsigned>(i));
  TCVT(values, codes, RoundMode::CAST_RINT);
  for (int i = 0; i < 256; ++i) {
    const float theirs = values(i / 32, i % 32);
    const float ours = float{T::from_bits(static_cast<unsigned>(i))};
    CHECK(std::memcmp(&ours, &theirs, sizeof ours) == 0);
  }
  std::mt19937 random(20260822);
  Tile<TileType::Vec, T, 64, 64> out;
  Tile<TileType::Vec, float, 64, 64> in;
  for (uint32_t part = 0; part < 32; ++part) {
    for (int k = 0; k < 64 * 64; ++k) {
      uint32_t bits = (part % 16 * 4096 + static_cast<uint32_t>(k)) << 16;
      if (part >= 16) bits += static_cast<uint32_t>(random() % 3) - 1;
      std::memcpy(&in(k / 64, k % 64), &bits, sizeof bits);
    }
    TCVT(out, in, RoundMode::CAST_NONE, SaturationMode::OFF);
    for (int k = 0; k < 64 * 64; ++k) CHECK(out(k / 64, k % 64).bits() == T(in(k / 64, k % 64)).bits());
  }
  static_assert(T(1.0F).bits() == T(1).bits() && float{T(2.0)} == 2.0F, "conversions are constexpr");
}

}  // namespace

int main() {
  TestFloat8<pto::float8_e4m3_t>();
  TestFloat8<pto::float8_e5m2_t>();
  TestFloat8<pto::hifloat8_t>();
  TestFloat8<pto::float8_e8m0_t>();
  TestFormat<half, 5, 10>();
  TestFormat<bfloat16_t, 8, 7>();
  TestRandomFloats();
  TestIntegers();
  TestUse();
  TestLibrary<half>();
  TestLibrary<bfloat16_t>();
  return check::Report("half");
}
