// Which stages a conversion has, and the driver that runs them over any grid. Plain C++.
#include "src/kernels/convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "src/kernels/convert_small.h"
#include "src/kernels/convert_stages.h"
#include "src/kernels/elements.h"
#include "src/records/small_float.h"

namespace pto {
namespace {

bool IsSmall(DType t) { return (Bit(t) & dtypes::kCodes) != 0; }
bool IsFloat(DType t) { return (Bit(t) & (dtypes::kFloats | dtypes::kCodes)) != 0; }
// Whether each value of one float type is a value of another. Such a conversion is exact, so that
// saturation has nothing to do and an infinity stays one.
bool Widens(DType src, DType dst) {
  return Info(dst).largest >= Info(src).largest && Info(dst).digits >= Info(src).digits;
}
int Bits(DType t) { return Info(t).bits; }

// Least and largest integers of a type.
int64_t Least(DType t) {
  return IsSignedInteger(t) ? std::numeric_limits<int64_t>::min() >> (64 - Bits(t)) : 0;
}
uint64_t Largest(DType t) { return ~uint64_t{0} >> (64 - Bits(t) + IsSignedInteger(t)); }

// Elements as they are.
void CopyLines(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line, size_t lines,
               size_t count, const StageArgs& args) {
  const auto size = static_cast<size_t>(args.high);
  for (size_t i = 0; i < lines; ++i) {
    const auto line = static_cast<ptrdiff_t>(i);
    std::memmove(At(dst, line * dst_line, size), At(src, line * src_line, size), count * size);
  }
}

constexpr std::array<uint32_t, 256> kHiFloats = [] {
  std::array<uint32_t, 256> all = {};
  for (uint32_t code = 0; code < 256; ++code) all[code] = HiFloatBits(code);
  return all;
}();

void WidenHiFloats(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line, size_t lines,
                   size_t count, const StageArgs&) {
  const auto* from = static_cast<const uint8_t*>(src);
  auto* to = static_cast<uint32_t*>(dst);
  for (size_t i = 0; i < lines; ++i, from += src_line, to += dst_line) {
    for (size_t k = 0; k < count; ++k) to[k] = kHiFloats[from[k]];
  }
}

// The codes nearest to floats by sign, exponent and four bits of fraction: no halfway between two
// HiFloat8 has more, and ties go away from zero. What would be the next number beyond the largest
// one is infinity.
constexpr int kHiFloatDrop = 19;
using HiFloatCodes = std::array<uint8_t, size_t{1} << (32 - kHiFloatDrop)>;
constexpr HiFloatCodes NearestHiFloats(bool saturate) {
  constexpr uint8_t kLargest = 0x6e, kInfinity = 0x6f;
  std::array<uint8_t, 128> order = {};
  for (uint32_t code = 0; code < 128; ++code) order[code] = static_cast<uint8_t>(code);
  std::sort(order.begin(), order.end(),
            [](uint8_t a, uint8_t b) { return kHiFloats[a] < kHiFloats[b]; });
  const auto number = [](uint8_t code) {
    return code == kInfinity ? 1.5F * std::bit_cast<float>(kHiFloats[kLargest])
                             : std::bit_cast<float>(kHiFloats[code]);
  };
  HiFloatCodes codes = {};
  constexpr uint32_t kSign = 1u << (31 - kHiFloatDrop);
  size_t at = 0;
  for (uint32_t i = 0; i < kSign; ++i) {
    while (at + 1 < order.size() &&
           i << kHiFloatDrop >=
               std::bit_cast<uint32_t>((number(order[at]) + number(order[at + 1])) / 2))
      ++at;
    const uint8_t code = saturate && order[at] == kInfinity ? kLargest : order[at];
    codes[i] = code;
    codes[kSign | i] = code == 0 ? code : static_cast<uint8_t>(code | 0x80);  // one zero
  }
  return codes;
}
constexpr HiFloatCodes kNearestHiFloats[2] = {NearestHiFloats(false), NearestHiFloats(true)};

// kRound, which is hardware's: less than half the time of the arithmetic that has all modes.
void RoundHiFloats(void* dst, const void* src, ptrdiff_t dst_line, ptrdiff_t src_line, size_t lines,
                   size_t count, const StageArgs& args) {
  const HiFloatCodes& codes = kNearestHiFloats[args.saturate ? 1 : 0];
  const auto* from = static_cast<const uint32_t*>(src);
  auto* to = static_cast<uint8_t*>(dst);
  for (size_t i = 0; i < lines; ++i, from += src_line, to += dst_line) {
    for (size_t k = 0; k < count; ++k) {
      const uint32_t bits = from[k];
      const uint8_t code = codes[bits >> kHiFloatDrop];
      to[k] = (bits & 0x7fffffff) > 0x7f800000 ? uint8_t{0x80} : code;
    }
  }
}

class Chain {
 public:
  // Fills in the kernel. Most of it is left as it is: cleared and copied it costs more than small
  // tiles.
  Chain(int target, DType src, DType dst, Round mode, bool saturate, ConvertKernel& kernel)
      : stages_(PickStages(target)),
        small_(PickSmallStages(target)),
        src_(src),
        dst_(dst),
        mode_(mode),
        saturate_(saturate),
        kernel_(kernel) {
    if (mode_ == Round::kNone) {
      mode_ = IsFloat(src) && !IsFloat(dst) ? Round::kTrunc
              : dst == DType::kHiF8         ? Round::kRound
                                            : Round::kRint;
    }
    kernel_.count = 0;
    kernel_.bytes[0] = Info(src).bytes;
    if (IsFloat(src_)) {
      ReadFloat();
      if (IsFloat(dst_)) {
        // A conversion of a type to itself rounds to whole numbers.
        if (src_ == dst_) Add(stages_.integral, 4);
        WriteFloat(saturate_ && !Widens(src_, dst_));
      } else {
        FloatToInt();
      }
    } else if (IsFloat(dst_)) {
      IntToFloat();
    } else {
      IntToInt();
    }
  }

 private:
  StageArgs& Add(Stage stage, uint8_t bytes) {
    kernel_.stages[kernel_.count] = stage;
    StageArgs& args = kernel_.args[kernel_.count];
    args = {};
    args.mode = mode_;
    args.saturate = saturate_;
    kernel_.bytes[++kernel_.count] = bytes;
    return args;
  }

  void ReadFloat() {
    if (src_ == DType::kF16) Add(stages_.f16_f32, 4);
    if (src_ == DType::kBF16) Add(stages_.bf16_f32, 4);
    if (IsSmall(src_)) Add(src_ == DType::kHiF8 ? WidenHiFloats : small_.Of(src_).read, 4);
  }

  void WriteFloat(bool saturate) {
    if (dst_ == DType::kF32) return;
    const bool rint = mode_ == Round::kRint;
    if (IsSmall(dst_)) {
      const SmallStages::Codec& codec = small_.Of(dst_);
      const bool table = dst_ == DType::kHiF8 && mode_ == Round::kRound;
      Add(table ? RoundHiFloats : rint ? codec.even : codec.write, 1).saturate = saturate;
      return;
    }
    const bool half = dst_ == DType::kF16;
    const Stage any = half ? stages_.f32_f16 : stages_.f32_bf16;
    const Stage even = half ? stages_.even_f16 : stages_.even_bf16;
    Add(rint ? even : any, 2).saturate = saturate;
  }

  // Integers of less than 32 bits as such of 32.
  void ReadInt() {
    const bool is_signed = IsSignedInteger(src_);
    if (src_ == DType::kI4) Add(small_.i4_i32, 4);
    if (Bits(src_) == 8) Add(is_signed ? stages_.i8_i32 : stages_.u8_i32, 4);
    if (Bits(src_) == 16) Add(is_signed ? stages_.i16_i32 : stages_.u16_i32, 4);
  }

  // The low bits, of 32 or 64.
  void WriteInt(int bits) {
    if (bits == 64 && Bits(dst_) < 64) Add(stages_.i64_i32, 4);
    if (Bits(dst_) == 16) Add(stages_.i32_i16, 2);
    if (Bits(dst_) <= 8) Add(stages_.i32_i8, 1);  // of i4 the low half is packed
  }

  void SaturateInt() {
    const bool is_signed = IsSignedInteger(dst_);
    if (Bits(dst_) == 8) Add(is_signed ? stages_.i32_sat_i8 : stages_.i32_sat_u8, 1);
    if (Bits(dst_) == 16) Add(is_signed ? stages_.i32_sat_i16 : stages_.i32_sat_u16, 2);
  }

  // 32 bits that hold src become 64.
  void Lengthen() {
    if (Bits(src_) < 64) Add(src_ == DType::kU32 ? stages_.u32_i64 : stages_.i32_i64, 8);
  }

  void IntToFloat() {
    if (src_ != DType::kI4 && Bits(src_) < 32) {
      const bool is_signed = IsSignedInteger(src_);
      Add(Bits(src_) == 8 ? (is_signed ? stages_.i8_f32 : stages_.u8_f32)
                          : (is_signed ? stages_.i16_f32 : stages_.u16_f32),
          4);
      WriteFloat(saturate_);
      return;
    }
    ReadInt();
    if (src_ == DType::kI4 ||
        (src_ == DType::kI32 && dst_ == DType::kF32 && mode_ == Round::kRint)) {
      Add(stages_.i32_f32, 4);
    } else {
      Lengthen();
      Add(src_ == DType::kU64 ? stages_.u64_f64 : stages_.i64_f64, 8);
      // Rounded to odd, so that the last rounding is as good as the only one.
      Add(stages_.f64_f32, 4).mode = dst_ == DType::kF32 ? mode_ : Round::kOdd;
    }
    WriteFloat(saturate_);
  }

  void IntToInt() {
    const bool contained = Least(src_) >= Least(dst_) && Largest(src_) <= Largest(dst_);
    const bool clamps = saturate_ && !contained;
    if (!clamps && Bits(src_) == Bits(dst_)) {
      Add(CopyLines, Info(src_).bytes).high = Info(src_).bytes;
      return;
    }
    if (!clamps && Bits(src_) == 16 && Bits(dst_) == 8) {
      Add(stages_.i16_i8, 1);
      return;
    }
    const int bits = std::max({Bits(src_), Bits(dst_), 32});
    ReadInt();
    if (bits == 64) Lengthen();
    // The lanes hold signed numbers, unless they are full of unsigned ones.
    if (clamps && bits == 32 && src_ != DType::kU32 && Bits(dst_) < 32 && Bits(dst_) >= 8) {
      SaturateInt();
      return;
    }
    if (clamps) {
      StageArgs& args =
          Add(bits == 64 ? stages_.clamp64 : stages_.clamp32, static_cast<uint8_t>(bits / 8));
      // Unsigned ones that fill the lanes are ordered by their sign.
      const bool flips = !IsSignedInteger(src_) && Bits(src_) == bits;
      args.flip = flips ? static_cast<int64_t>(uint64_t{1} << (bits - 1)) : 0;
      const uint64_t most = std::min(Largest(src_), Largest(dst_));
      args.low = std::max(Least(src_), Least(dst_)) ^ args.flip;
      args.high = static_cast<int64_t>(most ^ static_cast<uint64_t>(args.flip));
    }
    WriteInt(bits);
  }

  void FloatToInt() {
    if (saturate_ && Bits(dst_) == 8 && (mode_ == Round::kTrunc || mode_ == Round::kRint)) {
      const bool trunc = mode_ == Round::kTrunc;
      Add(dst_ == DType::kI8 ? (trunc ? stages_.trunc_i8 : stages_.round_i8)
                             : (trunc ? stages_.trunc_u8 : stages_.round_u8),
          1);
      return;
    }
    const bool is_long = Bits(dst_) == 64;
    const bool rounds = mode_ == Round::kRint && !is_long;
    if (mode_ != Round::kTrunc && !rounds) Add(stages_.integral, 4);
    StageArgs& args =
        is_long ? Add(stages_.f32_i64, 8) : Add(rounds ? stages_.round_i32 : stages_.f32_i32, 4);
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    // Infinities: the ends of the 64-bit range, or the low bits of these.
    args.at_low = dst_ == DType::kI64 ? std::numeric_limits<int64_t>::min() : 0;
    args.at_high = dst_ == DType::kI64 ? std::numeric_limits<int64_t>::max() : -1;
    if (saturate_) {
      args.at_low = Least(dst_);
      args.at_high = static_cast<int64_t>(Largest(dst_));
      low = static_cast<double>(Least(dst_));
      // For 64 bits the next power of two.
      high = static_cast<double>(Largest(dst_));
    }
    args.low = std::bit_cast<int64_t>(low);
    args.high = std::bit_cast<int64_t>(high);
    WriteInt(is_long ? 64 : 32);
  }

  const Stages& stages_;
  const SmallStages& small_;
  const DType src_, dst_;
  Round mode_;
  const bool saturate_;
  ConvertKernel& kernel_;
};

// Elements between two stages, at most; they stay in L1.
constexpr size_t kPiece = 512;

// All stages, of lines that fit between them: count is at least kStageLeast.
void RunStages(const ConvertKernel& k, void* dst, const void* src, ptrdiff_t dst_line,
               ptrdiff_t src_line, size_t lines, size_t count) {
  alignas(64) uint8_t between[2][8 * kPiece];
  const auto packed = static_cast<ptrdiff_t>(count);
  for (int s = 0; s < k.count; ++s) {
    const bool first = s == 0, last = s + 1 == k.count;
    k.stages[s](last ? dst : between[s % 2], first ? src : between[(s + 1) % 2],
                last ? dst_line : packed, first ? src_line : packed, lines, count, k.args[s]);
  }
}

// Lines shorter than a stage takes, several together.
void RunPacked(const ConvertKernel& k, const ConvertGrid& g) {
  const size_t from = k.bytes[0], to = k.bytes[k.count];
  alignas(64) uint8_t in[8 * kPiece] = {};
  alignas(64) uint8_t out[8 * kPiece];
  const size_t group = kPiece / g.count;
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = std::min(group, g.lines - i);
    const auto first = static_cast<ptrdiff_t>(i);
    for (size_t j = 0; j < lines; ++j) {
      const auto line = first + static_cast<ptrdiff_t>(j);
      std::memcpy(in + j * g.count * from, At(g.src, line * g.src_line, from), g.count * from);
    }
    RunStages(k, out, in, 0, 0, 1, std::max(lines * g.count, kStageLeast));
    for (size_t j = 0; j < lines; ++j) {
      const auto line = first + static_cast<ptrdiff_t>(j);
      std::memcpy(At(g.dst, line * g.dst_line, to), out + j * g.count * to, g.count * to);
    }
  }
}

}  // namespace

ConvertKernel PickConvert(int target, DType src, DType dst, Round mode, bool saturate) {
  ConvertKernel kernel;
  Chain(target, src, dst, mode, saturate, kernel);
  return kernel;
}

bool SaturatesByDefault(DType src, DType dst) {
  const DTypeSet narrow = src == DType::kF16   ? dtypes::kU8 | dtypes::kI8 | dtypes::kI16
                          : src == DType::kF32 ? dtypes::kI16
                          : src == DType::kI64 ? dtypes::kI32
                          : src == DType::kI32 ? dtypes::kI16
                                               : dtypes::kNone;
  return (narrow & Bit(dst)) == 0;
}

void CallInPieces(const ConvertKernel& k, const ConvertGrid& g) {
  if (g.count == 0) return;
  if (g.count < kStageLeast) return RunPacked(k, g);
  const size_t from = k.bytes[0], to = k.bytes[k.count];
  // Several lines at a time, or a line in pieces whose last one is not too short.
  const size_t group = std::max<size_t>(kPiece / g.count, 1);
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = std::min(group, g.lines - i);
    const auto line = static_cast<ptrdiff_t>(i);
    for (size_t at = 0, n; at < g.count; at += n) {
      const size_t left = g.count - at;
      n = left <= kPiece ? left : left - kPiece < kStageLeast ? kPiece - kStageLeast : kPiece;
      const auto k0 = static_cast<ptrdiff_t>(at);
      RunStages(k, At(g.dst, line * g.dst_line + k0, to), At(g.src, line * g.src_line + k0, from),
                g.dst_line, g.src_line, lines, n);
    }
  }
}

}  // namespace pto
