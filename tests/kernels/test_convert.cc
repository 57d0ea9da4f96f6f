// Conversions on every target: all pairs of types, all modes, saturating and not, all lengths of line, in
// place, between pages that fault; all inputs of 16 bits and less, and around every power of two of
// 32 and 64. Against rounding as its definition has it, in long double.
//
// With --exhaustive: all inputs of 32 bits, every mode, on one target (the argument after it, or the best) or on `all`;
// of one pair of types (f32-e4m3, the next argument) or, with `small`, from f32 to each type of a byte and less. At the
// end stands a table, as docs/accuracy.md has it. Results that rise with the input are proven by running every input:
// where neighbours have the same result it is right for both if it is right at the ends of such a run.
#include "src/kernels/convert.h"

#include <cstring>
#include <ctime>
#include <map>
#include <span>
#include <string>

#include "guarded.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;
using pto::Round;

constexpr int kRounds = 7;
constexpr const char* kRoundNames[kRounds] = {"none", "rint", "round", "floor", "ceil", "trunc", "odd"};

Guarded dst_memory, src_memory;

struct Conversion {
  DType src, dst;
  Round mode;
  bool saturate;
};

RoundsUp RoundsUpBy(Round mode) {
  switch (mode) {
    case Round::kRound:
      return [](long double part, bool, bool) { return part >= 0.5L; };
    case Round::kFloor:
      return [](long double part, bool, bool negative) { return part > 0 && negative; };
    case Round::kCeil:
      return [](long double part, bool, bool negative) { return part > 0 && !negative; };
    case Round::kTrunc:
      return [](long double, bool, bool) { return false; };
    case Round::kOdd:
      return [](long double part, bool odd, bool) { return part > 0 && !odd; };
    default:
      return ToEven;
  }
}

// Of a whole number; fmod() takes its time.
bool IsOdd(long double whole) { return std::floor(whole / 2) != whole / 2; }

long double Integral(long double v, Round mode) {
  if (std::isnan(v) || std::isinf(v)) return v;
  const long double size = std::fabs(v);
  const long double whole = std::floor(size);
  const bool up = RoundsUpBy(mode)(size - whole, IsOdd(whole), std::signbit(v));
  return std::copysign(whole + (up ? 1.0L : 0.0L), v);
}

// ---- floats of a byte, and of half of one ----
constexpr DType kSmall[] = {DType::kE4M3, DType::kE5M2, DType::kHiF8, DType::kE8M0, DType::kE2M1, DType::kE1M2};
bool IsSmall(DType t) { return std::find(std::begin(kSmall), std::end(kSmall), t) != std::end(kSmall); }
bool IsHalf(DType t) { return t >= DType::kE2M1; }
// The bits that count: kernels hold a packed element in the low half of a byte.
uint64_t Mask(DType t) { return ~uint64_t{0} >> (64 - (IsHalf(t) ? 4 : 8 * Bytes(t))); }
bool IsAnyFloat(DType t) { return IsFloat(t) || IsSmall(t); }

// The numbers of codes, as the formats are defined; sizes alone in Sizes.
double HiFloat(int code) {
  if (code == 0x80) return NAN;
  char digits[8];  // after the sign
  for (int i = 0; i < 7; ++i) digits[i] = static_cast<char>('0' + (code >> (6 - i) & 1));
  digits[7] = 0;
  const auto number = [&](int at, int count) {
    return count == 0 ? 0 : std::stoi(std::string(digits + at, static_cast<size_t>(count)), nullptr, 2);
  };
  const auto starts = [&](const char* dot) { return std::strncmp(digits, dot, std::strlen(dot)) == 0; };
  double size = 0;
  const struct {
    const char* dot;
    int exponent_bits;
  } classes[] = {{"11", 4}, {"10", 3}, {"01", 2}, {"001", 1}, {"0001", 0}};
  if (starts("0000")) {
    size = number(4, 3) == 0 ? 0 : std::ldexp(1.0, number(4, 3) - 23);
  } else {
    for (const auto& c : classes) {
      if (!starts(c.dot)) continue;
      const int at = static_cast<int>(std::strlen(c.dot));
      const int fraction_at = at + c.exponent_bits;
      int exponent = 0;
      if (c.exponent_bits > 0) {
        // The first is the sign; a one is hidden before the others.
        exponent = (1 << (c.exponent_bits - 1)) + number(at + 1, c.exponent_bits - 1);
        if (digits[at] == '1') exponent = -exponent;
      }
      const int left = 7 - fraction_at;
      size = std::ldexp(1.0 + std::ldexp(number(fraction_at, left), -left), exponent);
      break;
    }
  }
  if ((code & 0x7f) == 0x6f) size = HUGE_VAL;
  return code >= 0x80 ? -size : size;
}

double SmallValue(DType t, uint64_t bits) {
  const int code = static_cast<int>(bits);
  if (t == DType::kHiF8) return HiFloat(code);
  if (t == DType::kE8M0) return code == 255 ? NAN : std::ldexp(1.0, code - 127);
  const int fraction_bits = t == DType::kE4M3 ? 3 : t == DType::kE2M1 ? 1 : 2;
  const int bias = IsHalf(t) ? 1 : t == DType::kE4M3 ? 7 : 15;
  const int sign = IsHalf(t) ? 8 : 128;
  const int fraction = code & ((1 << fraction_bits) - 1), exponent = (code & (sign - 1)) >> fraction_bits;
  const int steps = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  double size = std::ldexp(steps, std::max(exponent, 1) - bias - fraction_bits);
  if (t == DType::kE4M3 && (code & 0x7f) == 0x7f) size = NAN;
  if (t == DType::kE5M2 && exponent == 31) size = fraction == 0 ? HUGE_VAL : NAN;
  return (code & sign) != 0 ? -size : size;
}

struct Sizes {
  std::vector<std::pair<double, uint64_t>> codes;  // finite and positive, and zero, in their order
  double next;                                     // as if exponents had no end
  uint64_t over, nan, sign;
};

const Sizes& SizesOf(DType t) {
  static Sizes all[std::size(kSmall)];
  Sizes& s = all[static_cast<int>(t) - static_cast<int>(DType::kE4M3)];
  if (!s.codes.empty()) return s;
  for (uint64_t code = 0; code < (t == DType::kE8M0 ? 256U : IsHalf(t) ? 8U : 128U); ++code) {
    const double v = SmallValue(t, code);
    if (std::isfinite(v)) s.codes.emplace_back(v, code);
  }
  std::sort(s.codes.begin(), s.codes.end());
  s.next = t == DType::kE4M3 ? 480 : t == DType::kE5M2 ? 65536 : t == DType::kHiF8 ? 49152 : 0x1p128;
  s.over = t == DType::kE4M3 ? 0x7f : t == DType::kE5M2 ? 0x7c : t == DType::kHiF8 ? 0x6f : 0xff;
  s.nan = t == DType::kE4M3 ? 0x7f : t == DType::kE5M2 ? 0x7e : t == DType::kHiF8 ? 0x80 : 0xff;
  s.sign = t == DType::kE8M0 ? 0 : 0x80;
  if (IsHalf(t)) {
    // Neither infinity nor NaN: the largest number, and -0.
    s.next = t == DType::kE2M1 ? 8 : 2;
    s.over = 7;
    s.nan = s.sign = 8;
  }
  return s;
}

// One of the two neighbours. For a tie the number of units shows which of them is odd: of two
// powers of two without a fraction both are. For rounding to odd the last bit of the code does.
uint64_t SmallBits(DType t, long double v, Round mode, bool clamp) {
  const Sizes& s = SizesOf(t);
  const bool negative = std::signbit(v);
  if (std::isnan(v) || (t == DType::kE8M0 && (negative || v == 0))) return s.nan;
  const long double size = std::fabs(v);
  const size_t last = s.codes.size() - 1;
  size_t at = static_cast<size_t>(
      std::upper_bound(s.codes.begin(), s.codes.end(), size, [](long double x, const auto& c) { return x < c.first; }) -
      s.codes.begin());
  bool beyond = size >= s.next;
  if (at == 0) {
    at = 0;  // less than the least, of a type without zero
  } else if (!beyond) {
    --at;
    const long double low = s.codes[at].first, high = at == last ? s.next : s.codes[at + 1].first;
    const bool odd = mode == Round::kOdd ? s.codes[at].second % 2 != 0 : IsOdd(low / (high - low));
    if (RoundsUpBy(mode)((size - low) / (high - low), odd, negative)) ++at;
    beyond = at > last;
  }
  if (beyond && !clamp && s.over == s.nan) return s.nan;
  const uint64_t code = beyond ? (clamp ? s.codes[last].second : s.over) : s.codes[at].second;
  if (t == DType::kHiF8 && code == 0) return 0;
  return negative ? code | s.sign : code;
}

long double AnyFloatValue(DType t, uint64_t bits) { return IsSmall(t) ? SmallValue(t, bits) : FloatValue(t, bits); }

// Whether a type has every value of another one, infinities included.
bool Holds(DType dst, DType src) {
  if (dst == src || dst == DType::kF32) return true;
  if (src == DType::kF32) return false;
  static std::map<std::pair<DType, DType>, bool> known;
  const auto [found, is_new] = known.try_emplace({dst, src}, true);
  for (uint64_t code = 0; is_new && found->second && code <= Mask(src); ++code) {
    const long double v = AnyFloatValue(src, code);
    const uint64_t is = IsSmall(dst) ? SmallBits(dst, v, Round::kRint, false) : FloatBits(dst, v, ToEven, false);
    found->second = std::isnan(v) || AnyFloatValue(dst, is) == v;
  }
  return found->second;
}

uint64_t Converted(const Conversion& c, uint64_t bits) {
  const uint64_t mask = Mask(c.dst);
  bits &= Mask(c.src);
  const bool from_float = IsAnyFloat(c.src), to_float = IsAnyFloat(c.dst);
  const Round none = from_float && !to_float ? Round::kTrunc : c.dst == DType::kHiF8 ? Round::kRound : Round::kRint;
  const Round mode = c.mode == Round::kNone ? none : c.mode;
  if (to_float) {
    long double v = from_float ? AnyFloatValue(c.src, bits) : static_cast<long double>(IntValue(c.src, bits));
    if (c.src == c.dst) v = Integral(v, mode);
    // To a type that has every value of src, an infinity stays one.
    const bool clamp = c.saturate && !(from_float && Holds(c.dst, c.src));
    return IsSmall(c.dst) ? SmallBits(c.dst, v, mode, clamp) : FloatBits(c.dst, v, RoundsUpBy(mode), clamp);
  }
  const Wide least = IntValue(c.dst, IsSigned(c.dst) ? mask - mask / 2 : 0);
  const Wide largest = IntValue(c.dst, IsSigned(c.dst) ? mask / 2 : mask);
  Wide x;
  if (from_float) {
    const long double v = Integral(AnyFloatValue(c.src, bits), mode);
    if (std::isnan(v)) return 0;
    if (c.saturate) {
      if (v >= static_cast<long double>(largest)) return static_cast<uint64_t>(largest) & mask;
      if (v <= static_cast<long double>(least)) return static_cast<uint64_t>(least) & mask;
    } else if (std::isinf(v)) {
      if (c.dst == DType::kU64) return v > 0 ? mask : 0;
      return (v > 0 ? ~uint64_t{0} >> 1 : uint64_t{1} << 63) & mask;
    }
    x = static_cast<Wide>(std::fabs(v) < 0x1p64L ? v : std::fmod(v, 0x1p64L));
  } else {
    x = IntValue(c.src, bits);
    if (c.saturate) x = std::min(std::max(x, least), largest);
  }
  return static_cast<uint64_t>(x) & mask;
}

template <class Visit>
void ForEachConversion(Visit visit) {
  for (int src = 0; src < pto::kDTypeCount; ++src) {
    for (int dst = 0; dst < pto::kDTypeCount; ++dst) {
      for (int mode = 0; mode < kRounds; ++mode) {
        for (const bool saturate : {false, true}) {
          visit(Conversion{static_cast<DType>(src), static_cast<DType>(dst), static_cast<Round>(mode), saturate});
        }
      }
    }
  }
}

void Describe(int target, const Conversion& c) {
  std::snprintf(description, sizeof description, "%s %s to %s, %s, saturating %d", pto::TargetName(target),
                pto::Info(c.src).name, pto::Info(c.dst).name, kRoundNames[static_cast<int>(c.mode)], c.saturate);
}

void TryShape(int target, const Conversion& c, size_t lines, size_t count) {
  const size_t from = Bytes(c.src), to = Bytes(c.dst);
  const bool in_place = from == to && OneIn(3);
  const size_t src_line = count + (OneIn(2) ? 0 : Below(40));
  const size_t dst_line = in_place ? src_line : count + (OneIn(2) ? 0 : Below(40));
  Describe(target, c);
  const size_t end = std::strlen(description);
  std::snprintf(description + end, sizeof description - end, ": %zu x %zu, lines %zu %zu, in place %d", lines, count,
                dst_line, src_line, in_place);
  const std::vector<uint64_t> special = SpecialNumbers(c.src);
  const size_t elements = (lines - 1) * src_line + count;
  uint8_t* const src = src_memory.Place(elements * from, from, 0);
  for (size_t i = 0; i < elements; ++i) PutElement(src, i, from, AnyNumber(c.src, special));
  src_memory.Expect();
  uint8_t* const apart = dst_memory.Place(((lines - 1) * dst_line + count) * to, to, 0xdb);
  Guarded& memory = in_place ? src_memory : dst_memory;
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < count; ++k) {
      PutElement(memory.expected(), i * dst_line + k, to, Converted(c, ElementAt(src, i * src_line + k, from)));
    }
  }
  pto::Call(pto::PickConvert(target, c.src, c.dst, c.mode, c.saturate),
            pto::ConvertGrid{in_place ? src : apart, src, static_cast<ptrdiff_t>(dst_line),
                             static_cast<ptrdiff_t>(src_line), lines, count});
  uint8_t* const written = in_place ? src : apart;
  for (size_t i = 0; i < lines && IsHalf(c.dst); ++i) {
    for (size_t k = 0; k < count; ++k) written[i * dst_line + k] &= 15;
  }
  if (const ptrdiff_t at = memory.Difference(); at != PTRDIFF_MAX) fail_msg("%s: byte %td", description, at);
}

void Shapes(void**) {
  ForEachTarget([](int target) {
    size_t length = 0;
    ForEachConversion([&](const Conversion& c) {
      for (int i = 0; i < 5; ++i) TryShape(target, c, 1 + Below(5), 1 + length++ % 150);
      TryShape(target, c, 1 + Below(60), 1 + Below(20));
      if (OneIn(8)) TryShape(target, c, 1 + Below(2), 500 + Below(700));
    });
  });
}

// Elements, converted on every target, are what they should be.
void TryAll(const Conversion& c, const std::vector<uint64_t>& numbers) {
  const size_t from = Bytes(c.src), to = Bytes(c.dst);
  std::vector<uint8_t> src(numbers.size() * from), want(numbers.size() * to), got(want.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    PutElement(src.data(), i, from, numbers[i]);
    PutElement(want.data(), i, to, Converted(c, numbers[i]));
  }
  ForEachTarget([&](int target) {
    Describe(target, c);
    pto::Call(pto::PickConvert(target, c.src, c.dst, c.mode, c.saturate),
              pto::ConvertGrid{got.data(), src.data(), 0, 0, 1, numbers.size()});
    for (uint8_t& code : got) code = static_cast<uint8_t>(code & (IsHalf(c.dst) ? 15 : 255));
    if (got == want) return;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const uint64_t is = ElementAt(got.data(), i, to), should = ElementAt(want.data(), i, to);
      if (is != should) {
        fail_msg("%s: %llx becomes %llx, not %llx", description, static_cast<unsigned long long>(numbers[i]),
                 static_cast<unsigned long long>(is), static_cast<unsigned long long>(should));
      }
    }
  });
}

// Codes become the numbers of their definition, on every path.
void AllCodes(void**) {
  ForEachTarget([](int target) {
    for (const DType t : kSmall) {
      uint8_t codes[256];
      float values[256];
      for (int i = 0; i < 256; ++i) codes[i] = static_cast<uint8_t>(i);
      pto::Call(pto::PickConvert(target, t, DType::kF32, Round::kNone, true),
                pto::ConvertGrid{values, codes, 0, 0, 1, 256});
      for (int i = 0; i < 256; ++i) {
        const double want = SmallValue(t, static_cast<uint64_t>(i) & Mask(t));
        const bool same = std::isnan(want) ? std::bit_cast<uint32_t>(values[i]) == 0x7fc00000
                                           : want == values[i] && std::signbit(want) == std::signbit(values[i]);
        if (!same)
          fail_msg("%s: %s %02x is %g, not %g", pto::TargetName(target), pto::Info(t).name, i, values[i], want);
      }
    }
  });
}

// One number that needs care among ordinary ones is found at every place, in lines of every length, one or many.
void OneAmongOrdinary(void**) {
  constexpr std::pair<DType, DType> kPairs[] = {
      {DType::kF32, DType::kF16}, {DType::kF32, DType::kBF16}, {DType::kF16, DType::kF32}, {DType::kBF16, DType::kF32}};
  constexpr uint32_t kOfF32[] = {0x7f800000, 0x7f800001, 0x7fffffff, 0x477fefff, 0x477ff000,
                                 0x5f7fffff, 0x5f800000, 0x7f7f7fff, 0x7f7f8000, 0x7f7fffff};
  constexpr uint32_t kOf16Bits[] = {0x7c00, 0x7c01, 0x7e00, 0x7f80, 0x7f81, 0x7fc1, 0x7fff};
  constexpr std::pair<size_t, size_t> kShapes[] = {{1, 16},  {1, 17},   {1, 63},   {1, 64},   {1, 127},
                                                   {1, 150}, {1, 2047}, {1, 2048}, {1, 2113}, {1, 3200},
                                                   {21, 18}, {37, 63},  {32, 70},  {33, 150}};
  ForEachTarget([&](int target) {
    for (const auto& [src, dst] : kPairs) {
      const size_t from = Bytes(src), to = Bytes(dst);
      const std::span<const uint32_t> careful = from == 4 ? std::span<const uint32_t>(kOfF32) : kOf16Bits;
      for (const bool saturate : {false, true}) {
        const Conversion c{src, dst, Round::kRint, saturate};
        const pto::ConvertKernel kernel = pto::PickConvert(target, src, dst, c.mode, saturate);
        Describe(target, c);
        for (const auto& [lines, count] : kShapes) {
          const size_t all = lines * count, src_line = count + 5, dst_line = count + 3;
          std::vector<uint8_t> in(lines * src_line * from), want(lines * dst_line * to), got(want);
          const auto put = [&, width = count](size_t i, uint64_t bits) {
            PutElement(in.data(), i / width * src_line + i % width, from, bits);
            PutElement(want.data(), i / width * dst_line + i % width, to, Converted(c, bits));
          };
          const auto ordinary = [&] {
            const auto bits = static_cast<uint32_t>(random_bits());
            // Of 16 bits exponents of a few values; as much of f32.
            return from == 4 ? (bits & 0x83ffffff) | 0x3c000000 : (bits & 0x83ff) | 0x3c00;
          };
          for (size_t i = 0; i < all; ++i) put(i, ordinary());
          for (size_t i = 0; i < all; i += (all > 200 ? 1 + Below(60) : 1) * sparse()) {
            const uint32_t special = careful[Below(careful.size())];
            put(i, OneIn(2) ? special : special | (from == 4 ? 0x80000000 : 0x8000));
            pto::Call(kernel, pto::ConvertGrid{got.data(), in.data(), static_cast<ptrdiff_t>(dst_line),
                                               static_cast<ptrdiff_t>(src_line), lines, count});
            if (got != want) fail_msg("%s: %x at %zu of %zu x %zu", description, special, i, lines, count);
            put(i, ordinary());
          }
        }
      }
    }
  });
}

// Every number by the modes of a pair of types together, each by one in seven of them; by every mode in ./dev test
// thorough.
void AllNumbersOf16Bits(void**) {
  size_t first = 0;
  ForEachConversion([&](const Conversion& c) {
    // Integers become f32 without rounding, and are then converted as integers of more bits are.
    if (Bytes(c.src) > 2 || (c.mode == Round::kNone && IsAnyFloat(c.src) && c.dst != DType::kHiF8)) return;
    const size_t step = Bytes(c.src) == 1 || sparse() == 1 ? 1 : 7;
    std::vector<uint64_t> all;
    for (size_t i = first++ % step; i < size_t{1} << 8 * Bytes(c.src); i += step) all.push_back(i);
    TryAll(c, all);
  });
}

// Of more bits: around each power of two, and around what lies in the middle of two results.
void NumbersNearBoundaries(void**) {
  for (int t = 0; t < pto::kDTypeCount; ++t) {
    const auto src = static_cast<DType>(t);
    const int bits = 8 * static_cast<int>(Bytes(src));
    if (bits < 32) continue;
    const uint64_t mask = ~uint64_t{0} >> (64 - bits);
    std::vector<uint64_t> numbers;
    for (int top = 0; top < bits; ++top) {
      for (int low = 0; low < 32; ++low) {
        for (int d = -2; d <= 2; ++d) {
          uint64_t v = (uint64_t{1} << top) + (low < top ? uint64_t{1} << (top - 1 - low) : 0);
          if (OneIn(2)) v += random_bits() % (uint64_t{1} << top) >> low % 16 << low % 16;
          v += static_cast<uint64_t>(d);
          numbers.insert(numbers.end(), {v & mask, ~v & mask});
        }
      }
    }
    if (src == DType::kF32) {
      // Numbers of a byte, what is in the middle of two, and the next on each side.
      for (const DType small : kSmall) {
        const Sizes& s = SizesOf(small);
        for (size_t i = 0; i < s.codes.size(); ++i) {
          const double next = i + 1 < s.codes.size() ? s.codes[i + 1].first : s.next;
          for (const double v : {s.codes[i].first, (s.codes[i].first + next) / 2, std::min(s.next, 0x1.fffffep127)}) {
            const auto bits = std::bit_cast<uint32_t>(static_cast<float>(v));
            for (uint32_t d = 0; d < 3; ++d) numbers.insert(numbers.end(), {bits + d - 1, (bits + d - 1) ^ 0x80000000});
          }
        }
      }
      // All exponents, ends of mantissas.
      for (uint64_t exponent = 0; exponent < 512; ++exponent) {
        for (int low = 0; low < 23; ++low) {
          for (int d = -1; d <= 1; ++d) {
            const uint64_t fraction = ((random_bits() << (low + 1)) | uint64_t{1} << low) + static_cast<uint64_t>(d);
            numbers.push_back(exponent << 23 | (fraction & 0x7fffff));
          }
        }
      }
    }
    ForEachConversion([&](const Conversion& c) {
      if (c.src == src) TryAll(c, numbers);
    });
  }
}

void Defaults(void**) {
  assert_true(pto::SaturatesByDefault(DType::kF32, DType::kI8));
  assert_true(pto::SaturatesByDefault(DType::kF32, DType::kF16));
  assert_true(pto::SaturatesByDefault(DType::kI32, DType::kU16));
  for (const auto& [src, dst] : {std::pair(DType::kF16, DType::kU8), std::pair(DType::kF16, DType::kI8),
                                 std::pair(DType::kF16, DType::kI16), std::pair(DType::kF32, DType::kI16),
                                 std::pair(DType::kI64, DType::kI32), std::pair(DType::kI32, DType::kI16)}) {
    assert_false(pto::SaturatesByDefault(src, dst));
  }
}

struct Exhausted {
  uint64_t runs, wrong, asked;
  double seconds;
};

// All 2^32 inputs in the order of their values; stops at the first that is wrong. Results are T in memory.
template <typename T>
Exhausted Exhaust(int target, const Conversion& c) {
  const std::clock_t start = std::clock();
  constexpr size_t kChunk = size_t{1} << 16;
  std::vector<uint32_t> in(kChunk);
  std::vector<T> out(kChunk);
  const pto::ConvertKernel kernel = pto::PickConvert(target, c.src, c.dst, c.mode, c.saturate);
  Describe(target, c);
  const bool to_float = IsAnyFloat(c.dst), from_float = IsFloat(c.src);
  uint64_t asked = 0, wrong = 0;
  uint64_t before = 0;
  const auto check = [&](uint64_t x, uint64_t is) {
    ++asked;
    const uint64_t should = Converted(c, x);
    if (is == should) return;
    if (wrong++ == 0) {
      std::printf("%s: %llx becomes %llx, not %llx\n", description, static_cast<unsigned long long>(x),
                  static_cast<unsigned long long>(is), static_cast<unsigned long long>(should));
    }
  };
  for (uint64_t base = 0; base < uint64_t{1} << 32 && wrong == 0; base += kChunk) {
    for (size_t i = 0; i < kChunk; ++i) in[i] = static_cast<uint32_t>(base + i);
    pto::Call(kernel, pto::ConvertGrid{out.data(), in.data(), 0, 0, 1, kChunk});
    for (T& code : out) code = static_cast<T>(code & Mask(c.dst));
    const bool starts = base == 0 || base == uint64_t{1} << 31;
    const uint64_t exponent = base >> 23 & 0xff;  // one for all of them
    if (!from_float && !to_float && !c.saturate) {
      for (size_t i = 0; i < kChunk; ++i) {
        const uint64_t x = base + i;
        if (out[i] != (static_cast<uint64_t>(IntValue(c.src, x)) & Mask(c.dst))) check(x, out[i]);
      }
    } else if (from_float && !to_float && !c.saturate && exponent >= 150 && exponent != 255) {
      // Whole numbers: their low bits, whatever the mode.
      const uint64_t shift = exponent - 150;
      for (size_t i = 0; i < kChunk; ++i) {
        const uint64_t x = base + i;
        const uint64_t size = shift > 63 ? 0 : ((x & 0x7fffff) | 0x800000) << shift;
        if (out[i] != ((x >> 31 != 0 ? 0 - size : size) & Mask(c.dst))) check(x, out[i]);
      }
    } else {
      if (!starts) check(base - 1, before);
      check(base, out[0]);
      constexpr size_t kSome = 512;
      for (size_t some = 0; some < kChunk; some += kSome) {
        const size_t first = std::max<size_t>(some, 1);
        if (std::memcmp(&out[first], &out[first - 1], (some + kSome - first) * sizeof(T)) == 0) continue;
        for (size_t i = first; i < some + kSome; ++i) {
          if (out[i] == out[i - 1]) continue;
          check(base + i - 1, out[i - 1]);
          check(base + i, out[i]);
        }
      }
    }
    before = out[kChunk - 1];
  }
  check(0xffffffff, before);
  std::printf("%s: %llu wrong, reference asked %llu times\n", description, static_cast<unsigned long long>(wrong),
              static_cast<unsigned long long>(asked));
  std::fflush(stdout);
  return {1, wrong, asked, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

int ExhaustAll(const std::string& wanted, const std::string& pair) {
  Exhausted (*const exhaust[])(int, const Conversion&) = {nullptr, Exhaust<uint8_t>,  Exhaust<uint16_t>,
                                                          nullptr, Exhaust<uint32_t>, nullptr,
                                                          nullptr, nullptr,           Exhaust<uint64_t>};
  std::vector<int> targets;
  for (int target = 0; target < pto::TargetCount(); ++target) {
    const bool named = wanted == "all" || (wanted.empty() ? targets.empty() : wanted == pto::TargetName(target));
    if (named && pto::TargetSupported(target)) targets.push_back(target);
  }
  if (targets.empty()) return 2;
  std::vector<std::pair<std::string, Exhausted>> table;
  ForEachConversion([&](const Conversion& c) {
    // Not to round is a mode of its own where ties go another way.
    if (Bytes(c.src) != 4 || (c.mode == Round::kNone && c.dst != DType::kHiF8)) return;
    // Between integers the mode is not looked at.
    if (!IsFloat(c.src) && !IsAnyFloat(c.dst) && c.mode != Round::kRint) return;
    const std::string name = std::string(pto::Info(c.src).name) + "-" + pto::Info(c.dst).name;
    const bool small = pair == "small" && c.src == DType::kF32 && Bytes(c.dst) == 1;
    if (!pair.empty() && pair != name && !small) return;
    if (table.empty() || table.back().first != name) table.emplace_back(name, Exhausted{});
    Exhausted& sum = table.back().second;
    for (const int target : targets) {
      const Exhausted one = exhaust[Bytes(c.dst)](target, c);
      sum = {sum.runs + one.runs, sum.wrong + one.wrong, sum.asked + one.asked, sum.seconds + one.seconds};
    }
  });
  std::printf("\nOn");
  for (const int target : targets) std::printf(" %s", pto::TargetName(target));
  std::printf(":\n\n| conversion | modes, saturations and targets | inputs | wrong | ends of runs judged | CPU s |\n");
  std::printf("|---|---|---|---|---|---|\n");
  bool failed = false;
  for (const auto& [name, sum] : table) {
    std::printf("| %s | %llu | all 2^32 | %llu | %llu | %.0f |\n", name.c_str(),
                static_cast<unsigned long long>(sum.runs), static_cast<unsigned long long>(sum.wrong),
                static_cast<unsigned long long>(sum.asked), sum.seconds);
    failed = failed || sum.wrong != 0;
  }
  return failed || table.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--exhaustive") {
    return ExhaustAll(argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
  }
  static const CMUnitTest tests[] = {
      cmocka_unit_test(Defaults),         cmocka_unit_test(AllCodes),           cmocka_unit_test(Shapes),
      cmocka_unit_test(OneAmongOrdinary), cmocka_unit_test(AllNumbersOf16Bits), cmocka_unit_test(NumbersNearBoundaries),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
