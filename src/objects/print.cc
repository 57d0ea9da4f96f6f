// TPRINT: tiles as text.
#include "src/objects/print.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "src/objects/context.h"
#include "src/objects/scalar.h"
#include "src/records/plain_text.h"
#include "src/records/small_float.h"

namespace pto {

namespace {

constexpr int64_t kCutBytes = kCutLine.size();

struct FormatInfo {
  int width;
  int precision;
};
constexpr FormatInfo kFormats[kPrintFormatCount] = {{8, 4}, {8, 2}, {10, 6}};

// Room for a sign, the 39 digits of the largest number, a point and six digits more.
using Number = char[56];

// The digits of a number times 2^exponent, the last one at `end`; returns the first.
char* WriteDigits(uint64_t number, int exponent, char* end) {
  char* first = end;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  for (; exponent > 0; --exponent) {
    int carry = 0;
    for (char* at = end; at != first;) {
      --at;
      const int twice = 2 * (*at - '0') + carry;
      *at = static_cast<char>('0' + twice % 10);
      carry = twice / 10;
    }
    if (carry != 0) *--first = '1';
  }
  return first;
}

// By integer arithmetic: the locale, and how the host rounds, do not matter.
void WriteFloat(FloatParts parts, FormatInfo format, Number number) {
  Number text;
  char* const end = text + sizeof text - 1;
  *end = '\0';
  char* first = end;
  if (!parts.finite) {
    const char* const name = parts.magnitude != 0 ? "nan" : parts.negative ? "-inf" : "inf";
    std::snprintf(number, sizeof(Number), "%*s", format.width, name);
    return;
  }
  uint64_t unit = 1;
  for (int i = 0; i < format.precision; ++i) unit *= 10;
  uint64_t whole = parts.magnitude;
  uint64_t fraction = 0;
  // Magnitudes have at most 24 bits: what is below 2^-64 rounds to 0.
  const int shift = std::min(std::max(-parts.exponent, 0), 63);
  if (shift != 0) {
    const uint64_t mask = (uint64_t{1} << shift) - 1;
    const uint64_t scaled = (whole & mask) * unit;
    const uint64_t half = uint64_t{1} << (shift - 1);
    whole >>= shift;
    fraction = scaled >> shift;
    fraction += (scaled & mask) > half || ((scaled & mask) == half && (fraction & 1) != 0);
    if (fraction == unit) {
      ++whole;
      fraction = 0;
    }
  }
  first = WriteDigits(fraction + unit, 0, end);
  *first = '.';
  first = WriteDigits(whole, parts.exponent, first);
  if (parts.negative) *--first = '-';
  std::snprintf(number, sizeof(Number), "%*s", format.width, first);
}

void Write(DType dtype, uint64_t bits, FormatInfo format, Number number) {
  const int rest = 64 - Info(dtype).bits;
  if ((Bit(dtype) & dtypes::kCodes) != 0) {
    WriteFloat(PartsOf(SmallFloatBits(dtype, static_cast<uint32_t>(bits)), DType::kF32), format, number);
  } else if ((Bit(dtype) & dtypes::kFloats) != 0) {
    WriteFloat(PartsOf(bits, dtype), format, number);
  } else if ((Bit(dtype) & (dtypes::kI4 | dtypes::kI8 | dtypes::kI16 | dtypes::kI32 | dtypes::kI64)) != 0) {
    const int64_t value = static_cast<int64_t>(bits << rest) >> rest;
    std::snprintf(number, sizeof(Number), "%*lld", format.width, static_cast<long long>(value));
  } else {
    std::snprintf(number, sizeof(Number), "%*llu", format.width, static_cast<unsigned long long>(bits));
  }
}

}  // namespace

Output::~Output() { std::free(text_); }

bool Output::Reserve(int64_t bytes) {
  if (bytes <= room_) return true;
  constexpr int64_t kLeast = 512;
  const int64_t room = std::clamp(std::max(2 * room_, kLeast), bytes, kLimit);
  auto* const next = static_cast<char*>(std::realloc(text_, static_cast<size_t>(room)));
  if (next == nullptr) return false;
  text_ = next;
  room_ = room;
  return true;
}

bool Output::Append(const char* text, int64_t bytes) {
  if (full_) return true;
  // The room for the line `... cut` is reserved.
  const int64_t left = kLimit - 1 - kCutBytes - bytes_;
  const bool fits = bytes <= left;
  if (!Reserve(bytes_ + std::min(bytes, left) + kCutBytes + 1)) return false;
  std::memcpy(text_ + bytes_, text, static_cast<size_t>(std::min(bytes, left)));
  bytes_ += std::min(bytes, left);
  if (!fits) Fill();
  text_[bytes_] = '\0';
  return true;
}

void Output::Fill() {
  while (bytes_ != 0 && text_[bytes_ - 1] != '\n') --bytes_;
  std::memcpy(text_ + bytes_, kCutLine.data(), kCutBytes);
  bytes_ += kCutBytes;
  full_ = true;
}

void Output::Cut(int64_t bytes) {
  bytes_ = bytes;
  full_ = false;
  if (bytes == 0) {
    std::free(text_);
    text_ = nullptr;
    room_ = 0;
  } else {
    text_[bytes_] = '\0';
  }
}

bool PrintTile(pto_context* ctx, const pto_tile& tile, PrintFormat format) {
  Output& output = ctx->output;
  if (output.full()) return true;
  const int64_t before = output.bytes();
  const FormatInfo how = kFormats[static_cast<int>(format)];
  const auto size = static_cast<size_t>(tile.ElementBytes());
  char head[48];
  const int length = std::snprintf(head, sizeof head, "TPRINT %dx%d\n", tile.ValidRows(), tile.ValidCols());
  bool good = output.Append(head, length);
  for (int32_t r = 0; r < tile.ValidRows() && good && !output.full(); ++r) {
    for (int32_t c = 0; c < tile.ValidCols() && good && !output.full(); ++c) {
      uint64_t bits = 0;
      std::memcpy(&bits, tile.data + static_cast<size_t>(tile.layout.Offset(r, c)) * size, size);
      Number number;
      Write(tile.dtype(), bits, how, number);
      good = (c == 0 || output.Append(" ", 1)) && output.Append(number, static_cast<int64_t>(std::strlen(number)));
    }
    good = good && output.Append("\n", 1);
  }
  if (!good) output.Cut(before);
  return good;
}

}  // namespace pto
