#include "src/cli/known.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace pto::cli {

namespace {

// One element that differs.
struct Pair {
  pto_dtype dtype;
  double a;
  double b;
  double ulps;
  double b_as_f16;  // of bf16: the bits of b as f16
  double largest;   // of a type of floats: its largest finite number
};

bool IsByte(pto_dtype dtype) { return dtype == PTO_DTYPE_I8 || dtype == PTO_DTYPE_U8; }

// Significant bits of a number.
int Bits(double value) {
  int exponent = 0;
  double left = std::fabs(std::frexp(value, &exponent));
  int bits = 0;
  for (; left != 0 && bits < 60; ++bits) left = left * 2 - std::floor(left * 2);
  return bits;
}

bool IsInfinity(const Pair& e) {
  const double high = std::max(std::fabs(e.a), std::fabs(e.b));
  const double low = std::min(std::fabs(e.a), std::fabs(e.b));
  return IsFloat(e.dtype) && std::isinf(high) && low == e.largest && std::signbit(e.a) == std::signbit(e.b);
}

bool IsNan(const Pair& e) { return std::isnan(e.a) && !std::isnan(e.b); }

bool IsZeroSign(const Pair& e) { return e.a == 0 && e.b == 0 && IsFloat(e.dtype); }

bool IsOffset(const Pair& e) { return IsByte(e.dtype) && std::fabs(e.a - e.b) == 1; }

// The result on x86 for a float that the type of integers does not have.
bool IsOutOfRange(const Pair& e) {
  if (IsFloat(e.dtype) || IsByte(e.dtype)) return false;
  return (e.dtype == PTO_DTYPE_I32 && e.b == -0x1p31) || (e.dtype == PTO_DTYPE_I64 && e.b == -0x1p63) ||
         ((e.dtype == PTO_DTYPE_I16 || e.dtype == PTO_DTYPE_U16) && e.b == 0);
}

bool IsHalfForBf16(const Pair& e) {
  const auto near = [](double x, double y, double part) {
    return std::isfinite(x) && std::isfinite(y) && y != 0 && std::fabs(x - y) <= part * std::fabs(y);
  };
  if (e.dtype == PTO_DTYPE_BF16) return near(e.a, e.b_as_f16, 0x1p-7);
  return e.dtype == PTO_DTYPE_F32 && near(e.a, e.b, 0x1p-7) && Bits(e.a) <= 8 && Bits(e.b) > 8 && Bits(e.b) <= 11;
}

bool IsSumOrder(const Pair& e) {
  if (!std::isfinite(e.a) || !std::isfinite(e.b)) return false;
  return (e.dtype == PTO_DTYPE_F32 && e.ulps <= 64) || (e.dtype == PTO_DTYPE_F16 && e.ulps <= 4) ||
         (e.dtype == PTO_DTYPE_BF16 && e.ulps <= 4);
}

struct Shape {
  Known known;
  bool (*fits)(const Pair&);  // nullptr: a shape of the whole array
};

// The first that fits explains an element.
constexpr Shape kShapes[] = {
    {{"mask-rows", "each row of a mask begins with a byte of its own; the simulator has one stream of bits"}, nullptr},
    {{"pad-infinity", "pads and overflow are infinite; the simulator has the largest finite number in some tools"},
     IsInfinity},
    {{"nan-extremes", "a NaN among the operands of a maximum or minimum gives NaN; the simulator drops some"}, IsNan},
    {{"zero-sign", "ReLU of a negative zero is +0, as pto-spec has it; the simulator keeps its sign"}, IsZeroSign},
    {{"quant-offset", "quantisation rounds, then adds the offset, as hardware does; the simulator adds first"},
     IsOffset},
    {{"conversion-range", "a float out of range is converted by its low bits; the simulator has what x86 makes of it"},
     IsOutOfRange},
    {{"bf16-native", "bf16 is bf16; the simulator computes in f16 unless it is built as C++23"}, IsHalfForBf16},
    {{"sum-order", "sums of rows have 16 lanes and multiply-adds round once; the simulator has another order"},
     IsSumOrder},
};

bool BitAt(const Array& array, int64_t bit) {
  return (static_cast<unsigned char>(array.data[static_cast<size_t>(bit / 8)]) >> (bit % 8) & 1U) != 0;
}

// Whether b holds the rows of a as one stream of bits, each row of the same number of them.
bool IsMaskStream(const Array& a, const Array& b) {
  if (!IsByte(a.dtype) || a.shape.size() != 2 || a.shape[0] < 2 || a.data == b.data) return false;
  const int64_t rows = a.shape[0];
  const int64_t cols = a.shape[1] * 8;
  for (int64_t width = cols - 1; width > 0; --width) {
    bool same = true;
    bool any = false;
    for (int64_t row = 0; row < rows && same; ++row) {
      for (int64_t col = 0; col < cols && same; ++col) {
        // After its valid columns a mask of libpto is zero.
        const bool bit = col < width && BitAt(b, row * width + col);
        same = BitAt(a, row * cols + col) == bit;
        any |= bit;
      }
    }
    if (same && any) return true;
  }
  return false;
}

double LargestOf(pto_dtype dtype) {
  switch (dtype) {
    case PTO_DTYPE_F32:
      return 0x1.fffffep127;
    case PTO_DTYPE_F16:
      return 65504;
    case PTO_DTYPE_BF16:
      return 0x1.fep127;
    default:
      return INFINITY;
  }
}

}  // namespace

std::vector<Explained> Explain(const Array& a, const Array& b, const std::vector<int64_t>& different,
                               const std::vector<double>& ulps) {
  std::vector<Explained> all;
  if (different.empty()) return all;
  if (IsMaskStream(a, b)) return {{&kShapes[0].known, static_cast<int64_t>(different.size()), different[0]}};
  for (const Shape& shape : kShapes) all.push_back({&shape.known, 0, -1});
  Array halves = b;
  halves.dtype = PTO_DTYPE_F16;
  for (size_t n = 0; n < different.size(); ++n) {
    const int64_t i = different[n];
    const double half = a.dtype == PTO_DTYPE_BF16 ? ElementAt(halves, i) : 0;
    const Pair pair{a.dtype, ElementAt(a, i), ElementAt(b, i), ulps[n], half, LargestOf(a.dtype)};
    for (size_t s = 1; s < all.size(); ++s) {
      if (!kShapes[s].fits(pair)) continue;
      if (all[s].count++ == 0) all[s].first = i;
      break;
    }
  }
  std::erase_if(all, [](const Explained& one) { return one.count == 0; });
  return all;
}

}  // namespace pto::cli
