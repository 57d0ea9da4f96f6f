// Every kernel on every target, against plain C++ that shares no code with them
// where the arithmetic is simple, and against the first target where it is not
// (powers and rsqrt: same bits everywhere); in all geometries of Grid, in place, and
// with guard bytes around what may be written. Prints what differs; exit status 1.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "src/kernels/kernels.h"

namespace pto {
namespace {

constexpr const char* kLaneNames[kLaneCount] = {"copy", "add", "mul", "div", "prelu", "pow", "powexact", "rsqrt"};

int g_failures = 0;

float F32FromBits(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

uint32_t BitsOfF32(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

float FromF16(uint16_t h) {
  const int exponent = (h >> 10) & 31;
  const int mantissa = h & 1023;
  double v = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31) v = mantissa != 0 ? std::nan("") : HUGE_VAL;
  return static_cast<float>((h & 0x8000) != 0 ? -v : v);
}

// Nearest, ties to even, by searching the neighbours.
uint16_t ToF16(float f) {
  if (std::isnan(f)) return 0x7e00;
  const uint16_t sign = std::signbit(f) ? 0x8000 : 0;
  const double a = std::fabs(static_cast<double>(f));
  if (a >= 65520) return static_cast<uint16_t>(sign | 0x7c00);
  int exponent = a == 0 ? -14 : std::max(std::ilogb(a), -14);
  const double unit = std::ldexp(1.0, exponent - 10);
  const double q = std::nearbyint(a / unit);  // exact quotient, default rounding
  const double r = q * unit;
  exponent = r == 0 ? -15 : std::ilogb(r);
  if (exponent < -14) return static_cast<uint16_t>(sign | static_cast<int>(r * 0x1p24));
  const int mantissa = static_cast<int>(std::ldexp(r, 10 - exponent)) - 1024;
  return static_cast<uint16_t>(sign | ((exponent + 15) << 10) | mantissa);
}

float FromBF16(uint16_t h) { return F32FromBits(uint32_t{h} << 16); }

uint16_t ToBF16(float f) {
  if (std::isnan(f)) return 0x7fc0;
  const uint32_t bits = BitsOfF32(f);
  const uint32_t rest = bits & 0xffff;
  uint32_t high = bits >> 16;
  if (rest > 0x8000 || (rest == 0x8000 && (high & 1) != 0)) ++high;
  return static_cast<uint16_t>(high);
}

bool IsFloat(DType t) { return t >= DType::kF16; }

bool IsSigned(DType t) { return t == DType::kI8 || t == DType::kI16 || t == DType::kI32 || t == DType::kI64; }

uint64_t Raw(const uint8_t* p, int bytes) {
  uint64_t v = 0;
  std::memcpy(&v, p, static_cast<size_t>(bytes));
  return v;
}

float ToFloat(DType t, uint64_t raw) {
  if (t == DType::kF16) return FromF16(static_cast<uint16_t>(raw));
  if (t == DType::kBF16) return FromBF16(static_cast<uint16_t>(raw));
  return F32FromBits(static_cast<uint32_t>(raw));
}

uint64_t FromFloat(DType t, float f) {
  if (t == DType::kF16) return ToF16(f);
  if (t == DType::kBF16) return ToBF16(f);
  return std::isnan(f) ? 0x7fc00000 : BitsOfF32(f);
}

int64_t Extend(DType t, uint64_t raw) {
  const int shift = 64 - 8 * Info(t).bytes;
  if (!IsSigned(t)) return static_cast<int64_t>(raw);
  return static_cast<int64_t>(raw << shift) >> shift;
}

// *known is false where this file has no arithmetic for it.
uint64_t Expect(Lane lane, DType t, uint64_t a, uint64_t b, bool* known) {
  *known = true;
  const uint64_t mask = ~uint64_t{0} >> (64 - 8 * Info(t).bytes);
  if (lane == Lane::kCopy) return a;
  if (IsFloat(t)) {
    const float x = ToFloat(t, a);
    const float y = ToFloat(t, b);
    switch (lane) {
      case Lane::kAdd:
        return FromFloat(t, x + y);
      case Lane::kMul:
        return FromFloat(t, x * y);
      case Lane::kDiv:
        return FromFloat(t, x / y);
      case Lane::kPrelu:
        return x > 0 ? a : FromFloat(t, x * y);
      default:
        *known = false;
        return 0;
    }
  }
  const int64_t x = Extend(t, a);
  const int64_t y = Extend(t, b);
  switch (lane) {
    case Lane::kAdd:
      return (a + b) & mask;
    case Lane::kMul:
      return (a * b) & mask;
    case Lane::kDiv:
      return y == 0 ? 0 : static_cast<uint64_t>(x / y) & mask;
    case Lane::kPrelu:
      return x > 0 ? a : (a * b) & mask;
    default: {
      if (y < 0) {
        if (x == 1) return 1;
        if (x == -1) return (y & 1) != 0 ? mask : 1;
        return 0;
      }
      uint64_t r = 1;
      uint64_t base = a;
      for (uint64_t e = b; e != 0; e >>= 1, base *= base) {
        if ((e & 1) != 0) r *= base;
      }
      return r & mask;
    }
  }
}

bool IsNaNOf(DType t, uint64_t raw) { return IsFloat(t) && std::isnan(ToFloat(t, raw)); }

struct Case {
  size_t lines, count;
  ptrdiff_t gap, b_gap;  // extra elements between lines
  int a_step, b_step;
  bool a_fixed, b_fixed;  // line distance 0
  int alias;              // 0 none, 1 dst is a, 2 dst is b
};

std::mt19937_64 g_random(12345);

// Half random bits, half the numbers where things go wrong.
void Fill(DType t, std::vector<uint8_t>* bytes) {
  static const uint32_t kF32[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                  0x7fc00000, 0x7f800001, 0x00000001, 0x80000001, 0x40000000, 0xc0000000,
                                  0x40400000, 0xc0400000, 0x3f000000, 0x7f7fffff, 0x00800000, 0x007fffff,
                                  0x3f7fffff, 0x3f800001, 0x42f00000, 0xc2f00000, 0x4b000001, 0x4b800001};
  static const uint16_t kF16[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 1,      0x8001,
                                  0x4000, 0xc000, 0x4200, 0xc200, 0x7bff, 0x0400, 0x03ff, 0x3bff, 0x3c01, 0x4a80};
  const size_t size = Info(t).bytes;
  for (size_t i = 0; i < bytes->size(); i += size) {
    uint64_t v = g_random();
    const uint64_t pick = g_random();
    if (t == DType::kF32 && (pick & 3) < 2) {
      v = (pick & 3) == 1 ? BitsOfF32(static_cast<float>(pick >> 40) / 4194304.0f) : kF32[pick / 4 % std::size(kF32)];
    } else if (t == DType::kF16 && (pick & 3) == 0) {
      v = kF16[pick / 4 % std::size(kF16)];
    } else if (t == DType::kBF16 && (pick & 3) == 0) {
      v = kF32[pick / 4 % std::size(kF32)] >> 16;
    } else if (!IsFloat(t) && (pick & 3) != 0) {
      const uint64_t low = uint64_t{1} << (8 * size - 1);
      const uint64_t kInts[] = {0, 1, 2, 3, 7, ~uint64_t{0}, ~uint64_t{1}, low, low - 1, low + 1};
      v = kInts[pick / 4 % std::size(kInts)];
    }
    std::memcpy(bytes->data() + i, &v, size);
  }
}

void RunCase(int target, Lane lane, DType t, const Case& c, const Kernel reference) {
  const Kernel kernel = PickKernel(target, lane, t);
  const int size = Info(t).bytes;
  const auto extent = [&](ptrdiff_t line, int step) {
    return static_cast<size_t>(line) * (c.lines == 0 ? 0 : c.lines - 1) +
           (c.count == 0 ? 0 : (c.count - 1) * static_cast<size_t>(step) + 1);
  };
  const ptrdiff_t count = static_cast<ptrdiff_t>(c.count);
  const ptrdiff_t dst_line = count + c.gap;
  const ptrdiff_t a_line = c.a_fixed ? 0 : c.alias == 1 ? dst_line : count * c.a_step + c.b_gap;
  const ptrdiff_t b_line = c.b_fixed ? 0 : c.alias == 2 ? dst_line : count * c.b_step + c.b_gap;
  // Buffers end exactly at the last element, so that a sanitizer sees any excess.
  std::vector<uint8_t> a(extent(a_line, c.a_step) * static_cast<size_t>(size));
  std::vector<uint8_t> b(extent(b_line, c.b_step) * static_cast<size_t>(size));
  std::vector<uint8_t> dst(extent(dst_line, 1) * static_cast<size_t>(size), 0xa5);
  Fill(t, &a);
  Fill(t, &b);
  if (c.alias == 1) dst = a;
  if (c.alias == 2) dst = b;
  const std::vector<uint8_t> before = dst;
  Grid g;
  g.dst = dst.data();
  g.a = c.alias == 1 ? dst.data() : a.data();
  g.b = c.alias == 2 ? dst.data() : b.data();
  g.dst_line = dst_line;
  g.a_line = a_line;
  g.b_line = b_line;
  g.a_step = c.a_step;
  g.b_step = c.b_step;
  g.lines = c.lines;
  g.count = c.count;
  kernel(g);
  std::vector<uint8_t> other = before;
  if (reference != nullptr) {
    Grid r = g;
    r.dst = other.data();
    r.a = a.data();
    r.b = b.data();
    if (c.alias == 1) r.a = other.data();
    if (c.alias == 2) r.b = other.data();
    reference(r);
  }
  std::vector<bool> inside(dst.size() / static_cast<size_t>(size));
  const size_t bytes = static_cast<size_t>(size);
  for (size_t i = 0; i < c.lines; ++i) {
    for (size_t k = 0; k < c.count; ++k) {
      const size_t at = i * static_cast<size_t>(dst_line) + k;
      const size_t pa = i * static_cast<size_t>(a_line) + k * static_cast<size_t>(c.a_step);
      const size_t pb = i * static_cast<size_t>(b_line) + k * static_cast<size_t>(c.b_step);
      inside[at] = true;
      const uint64_t x = Raw(a.data() + pa * bytes, size);
      const uint64_t y = Raw(b.data() + pb * bytes, size);
      const uint64_t got = Raw(dst.data() + at * bytes, size);
      bool known;
      uint64_t want = Expect(lane, t, x, y, &known);
      if (!known) {
        if (reference == nullptr) continue;
        want = Raw(other.data() + at * bytes, size);
      }
      const bool same = lane != Lane::kCopy && IsNaNOf(t, want) ? IsNaNOf(t, got) : got == want;
      if (!same && ++g_failures <= 40) {
        std::printf(
            "%s %s %s lines %zu count %zu steps %d %d alias %d [%zu,%zu]: f(%llx, %llx) = %llx, "
            "not %llx\n",
            TargetName(target), kLaneNames[static_cast<int>(lane)], Info(t).name, c.lines, c.count, c.a_step, c.b_step,
            c.alias, i, k, static_cast<unsigned long long>(x), static_cast<unsigned long long>(y),
            static_cast<unsigned long long>(got), static_cast<unsigned long long>(want));
      }
    }
  }
  for (size_t at = 0; at < inside.size(); ++at) {
    if (!inside[at] && Raw(dst.data() + at * bytes, size) != Raw(before.data() + at * bytes, size) &&
        ++g_failures <= 40) {
      std::printf("%s %s %s: wrote outside at %zu\n", TargetName(target), kLaneNames[static_cast<int>(lane)],
                  Info(t).name, at);
    }
  }
}

int Main() {
  std::vector<Case> cases;
  for (size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130, 255, 259, 512, 1000}) {
    cases.push_back({1, count, 0, 0, 1, 1, false, false, 0});
    cases.push_back({3, count, 0, 0, 1, 1, false, false, 0});
    cases.push_back({5, count, 1, 3, 1, 1, false, false, 0});
    cases.push_back({4, count, 2, 2, 1, 1, false, false, 1});
    cases.push_back({4, count, 2, 2, 1, 1, false, false, 2});
    cases.push_back({4, count, 0, 0, 1, 1, false, true, 0});
    cases.push_back({4, count, 0, 1, 1, 1, true, false, 2});
    cases.push_back({3, count, 0, 1, 1, 0, false, false, 0});
    cases.push_back({3, count, 1, 1, 0, 1, false, false, 0});
    cases.push_back({3, count, 1, 1, 0, 0, false, true, 0});
    cases.push_back({3, count, 1, 1, 1, 0, false, true, 1});
  }
  cases.push_back({0, 17, 0, 0, 1, 1, false, false, 0});
  cases.push_back({70, 1, 63, 63, 1, 1, false, false, 1});
  cases.push_back({2, 5000, 3, 3, 1, 0, false, false, 0});
  cases.push_back({9, 5000, 3, 3, 1, 1, false, true, 0});
  cases.push_back({1, 20000, 0, 0, 1, 1, false, false, 0});
  cases.push_back({1, 20001, 0, 0, 0, 0, false, false, 0});
  int first = -1;
  for (int target = 0; target < TargetCount(); ++target) {
    if (!TargetSupported(target)) {
      std::printf("%s: compiled, not supported here\n", TargetName(target));
      continue;
    }
    if (first < 0) first = target;
    for (int lane = 0; lane < kLaneCount; ++lane) {
      for (int type = 0; type < kDTypeCount; ++type) {
        const Lane l = static_cast<Lane>(lane);
        const DType t = static_cast<DType>(type);
        const bool wide = t == DType::kI64 || t == DType::kU64;
        const bool expected = l == Lane::kRsqrt ? IsFloat(t) : l == Lane::kCopy || !wide;
        const bool there = PickKernel(target, l, t) != nullptr;
        if (there != expected) {
          std::printf("%s %s %s: kernel %s\n", TargetName(target), kLaneNames[lane], Info(t).name,
                      there ? "unexpected" : "missing");
          ++g_failures;
        }
        if (!there) continue;
        for (const Case& c : cases) {
          RunCase(target, l, t, c, target == first ? nullptr : PickKernel(first, l, t));
        }
      }
    }
    std::printf("%s: %d failures so far\n", TargetName(target), g_failures);
  }
  return g_failures != 0;
}

}  // namespace
}  // namespace pto

int main() { return pto::Main(); }
