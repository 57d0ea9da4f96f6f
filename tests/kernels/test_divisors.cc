// Integers and f32 divided by one number per line, which have kernels of their own: every integer divisor of 8 and 16
// bits and many of 32, each with the dividends where a quotient changes. Judged element by element in 64 bits.
//   test_divisors --exhaustive    every dividend of 16 bits, too
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "guarded.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;  // NOLINT(google-build-using-namespace)
using pto::Kernel;
using pto::Lane;

bool exhaustive = false;

int64_t Expected(Lane lane, int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (lane == Lane::kDiv) return a / b;
  const int64_t r = a % b;
  return lane == Lane::kRem && r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

template <typename T>
std::vector<T> Divisors() {
  std::vector<T> all;
  if (sizeof(T) <= 2) {
    for (int64_t d = std::numeric_limits<T>::min(); d <= std::numeric_limits<T>::max(); ++d)
      all.push_back(static_cast<T>(d));
    return all;
  }
  for (int64_t d = -300; d <= 300; ++d) all.push_back(static_cast<T>(d));
  for (int bit = 8; bit < 32; ++bit) {
    for (int64_t near = -3; near <= 3; ++near) {
      all.push_back(static_cast<T>((int64_t{1} << bit) + near));
      all.push_back(static_cast<T>(-(int64_t{1} << bit) + near));
    }
  }
  for (int i = 0; i < 4000; ++i) all.push_back(static_cast<T>(random_bits() >> Below(64)));
  return all;
}

// Multiples of the divisor and their neighbours, among them the smallest and the largest.
template <typename T>
std::vector<T> Dividends(T divisor) {
  std::vector<T> all;
  if (exhaustive && sizeof(T) == 2) {
    for (int64_t a = std::numeric_limits<T>::min(); a <= std::numeric_limits<T>::max(); ++a)
      all.push_back(static_cast<T>(a));
    return all;
  }
  constexpr int64_t kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  const int64_t d = divisor == 0 ? 1 : divisor;
  for (int64_t near = -2; near <= 2; ++near) {
    for (const int64_t a : {int64_t{0}, kLeast, kMost, kLeast / d * d, kMost / d * d})
      all.push_back(static_cast<T>(a + near));
  }
  while (all.size() < 128) {
    const auto a = static_cast<T>(random_bits() >> Below(64));
    all.push_back(OneIn(3) ? a : static_cast<T>(a / d * d + static_cast<int64_t>(Below(3)) - 1));
  }
  return all;
}

template <typename T>
void Check(int target, Lane lane, DType t) {
  const Kernel kernel = pto::PickKernel(target, lane, t);
  std::vector<T> out;
  for (const T divisor : Divisors<T>()) {
    const std::vector<T> dividends = Dividends(divisor);
    out.assign(dividends.size(), T{77});
    Call(kernel, {out.data(), dividends.data(), &divisor, 0, 0, 0, 1, 0, 1, out.size()});
    for (size_t i = 0; i < out.size(); ++i) {
      const auto expected = static_cast<T>(Expected(lane, dividends[i], divisor));
      if (out[i] == expected) continue;
      fail_msg("%s %s %s: f(%lld, %lld) = %lld, not %lld", pto::TargetName(target), pto::Info(lane).name,
               pto::Info(t).name, static_cast<long long>(dividends[i]), static_cast<long long>(divisor),
               static_cast<long long>(out[i]), static_cast<long long>(expected));
    }
  }
}

// Each line has its own divisor, in lines long and short; dst is a.
template <typename T>
void CheckLines(int target, Lane lane, DType t) {
  const Kernel kernel = pto::PickKernel(target, lane, t);
  for (const int size : {3, 17, 64, 100, 257, 300}) {
    const auto count = static_cast<size_t>(size);
    std::vector<T> a(40 * count), b(40);
    for (T& v : a) v = static_cast<T>(random_bits());
    for (T& v : b) v = static_cast<T>(random_bits() >> Below(64));
    b[6] = b[7] = 1;
    b[8] = 0;
    std::vector<T> out = a;
    const auto line = static_cast<ptrdiff_t>(count);
    Call(kernel, {out.data(), out.data(), b.data(), line, line, 1, 1, 0, b.size(), count});
    for (size_t i = 0; i < out.size(); ++i) {
      if (out[i] == static_cast<T>(Expected(lane, a[i], b[i / count]))) continue;
      fail_msg("%s %s %s: element %zu of lines of %zu", pto::TargetName(target), pto::Info(lane).name,
               pto::Info(t).name, i, count);
    }
  }
}

void QuotientsAndRemaindersByOneNumber(void**) {
  for (const Lane lane : {Lane::kDiv, Lane::kRem, Lane::kFmod}) {
    ForEachTarget([&](int target) {
      const auto check = [&](auto number, DType t) {
        Check<decltype(number)>(target, lane, t);
        CheckLines<decltype(number)>(target, lane, t);
      };
      check(int8_t{0}, DType::kI8);
      check(uint8_t{0}, DType::kU8);
      check(int16_t{0}, DType::kI16);
      check(uint16_t{0}, DType::kU16);
      check(int32_t{0}, DType::kI32);
      check(uint32_t{0}, DType::kU32);
    });
  }
}

// Floats: lines with a divisor each, of ordinary size, far from it, zero, infinite and NaN; dividends alike.
void QuotientsOfLines(void**) {
  const auto number = [] {
    constexpr uint32_t kFar[] = {0,          0x80000000, 1,          0x7fffff,   0x800000,   0x30000000, 0x307fffff,
                                 0x4e800000, 0x4e800001, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001};
    const auto bits = static_cast<uint32_t>(random_bits());
    if (OneIn(40)) return std::bit_cast<float>(kFar[Below(std::size(kFar))]);
    if (OneIn(40)) return std::bit_cast<float>(bits);
    return std::bit_cast<float>((bits & 0x87ffffff) | 0x38000000);
  };
  ForEachTarget([&](int target) {
    const Kernel kernel = pto::PickKernel(target, Lane::kDiv, DType::kF32);
    for (const int size : {1, 3, 8, 17, 31, 32, 35, 63, 64, 100, 257, 319, 320, 321, 327, 1000}) {
      const auto count = static_cast<size_t>(size);
      std::vector<float> a(90 * count), b(90);
      for (float& v : a) v = number();
      for (float& v : b) v = number();
      std::vector<float> out = a;
      const auto line = static_cast<ptrdiff_t>(count);
      Call(kernel, {out.data(), out.data(), b.data(), line, line, 1, 1, 0, b.size(), count});
      for (size_t i = 0; i < out.size(); ++i) {
        const float quotient = a[i] / b[i / count];
        const uint32_t want = std::isnan(quotient) ? 0x7fc00000 : std::bit_cast<uint32_t>(quotient);
        if (std::bit_cast<uint32_t>(out[i]) == want) continue;
        fail_msg("%s: %a / %a = %a, element %zu of lines of %zu", pto::TargetName(target), static_cast<double>(a[i]),
                 static_cast<double>(b[i / count]), static_cast<double>(out[i]), i, count);
      }
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  exhaustive = argc > 1 && std::strcmp(argv[1], "--exhaustive") == 0;
  static const CMUnitTest tests[] = {cmocka_unit_test(QuotientsAndRemaindersByOneNumber),
                                     cmocka_unit_test(QuotientsOfLines)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
