// A decimal text is D * 10^e with an integer D. As a quotient N / M of integers (one of them a power of ten) it is
// divided bit by bit, after both were shifted until 1 <= N / M < 2. The bits of the quotient that a double holds, the
// next one and whether anything is left after it decide both roundings. All of it is integer arithmetic, so that
// neither the caller's rounding mode nor the C library has an effect.
#include "src/ptoas/read/decimal.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace pto::ptoas {

namespace {

// A double, and the middle between two of them, has at most 768 digits. Later digits can only show that the number is
// not one of these.
constexpr int kMostDigits = 780;
// Powers of ten of the first digit beyond which the number is infinite or less than half the least double.
constexpr int64_t kLargestPower = 309, kLeastPower = -325;

// A nonnegative integer of up to 4096 bits: 10^(kMostDigits + 1 - kLeastPower) has 3675.
class Big {
 public:
  // this = this * factor + add
  void MultiplyAdd(uint32_t factor, uint32_t add) {
    uint64_t carry = add;
    for (int i = 0; i < size_; ++i) {
      carry += uint64_t{words_[i]} * factor;
      words_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words_[size_++] = static_cast<uint32_t>(carry);
  }
  void MultiplyByPowerOfTen(int64_t power) {
    for (; power >= 9; power -= 9) MultiplyAdd(1000000000, 0);
    for (; power > 0; --power) MultiplyAdd(10, 0);
  }
  void ShiftLeft(int bits) {
    for (; bits >= 32; bits -= 32) {
      std::copy_backward(words_, words_ + size_, words_ + size_ + 1);
      words_[0] = 0;
      ++size_;
    }
    if (bits != 0) MultiplyAdd(uint32_t{1} << bits, 0);
  }
  int BitLength() const { return size_ == 0 ? 0 : 32 * size_ - std::countl_zero(words_[size_ - 1]); }
  bool IsZero() const { return size_ == 0; }
  bool IsLess(const Big& other) const {
    if (size_ != other.size_) return size_ < other.size_;
    for (int i = size_ - 1; i >= 0; --i) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i];
    }
    return false;
  }
  // Precondition: other is not larger.
  void Subtract(const Big& other) {
    uint64_t borrow = 0;
    for (int i = 0; i < size_; ++i) {
      const uint64_t less = borrow + (i < other.size_ ? other.words_[i] : 0);
      borrow = words_[i] < less ? 1 : 0;
      words_[i] -= static_cast<uint32_t>(less);
    }
    while (size_ > 0 && words_[size_ - 1] == 0) --size_;
  }

 private:
  uint32_t words_[128] = {};
  int size_ = 0;
};

// D and e of the text. D is 0 for zero.
struct Digits {
  Big integer;
  int count = 0;         // of digits of D
  int64_t exponent = 0;  // e
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool ReadDigits(std::string_view text, Digits* out) {
  bool any = false, point = false, lost = false;
  size_t at = 0;
  for (; at < text.size() && (IsDigit(text[at]) || (text[at] == '.' && !point)); ++at) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    any = true;
    const auto digit = static_cast<uint32_t>(text[at] - '0');
    const bool keeps = out->count < kMostDigits;
    if (keeps && (digit != 0 || out->count != 0)) {
      out->integer.MultiplyAdd(10, digit);
      ++out->count;
    }
    if (!keeps) lost = lost || digit != 0;
    out->exponent += (keeps ? 0 : 1) - (point ? 1 : 0);
  }
  if (!any) return false;
  if (lost) {
    out->integer.MultiplyAdd(10, 1);
    ++out->count;
    --out->exponent;
  }
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at == text.size()) return false;
  int64_t power = 0;
  for (; at < text.size(); ++at) {
    if (!IsDigit(text[at])) return false;
    // More than any number of digits that fits into memory can make up for.
    power = std::min<int64_t>(10 * power + (text[at] - '0'), int64_t{1} << 59);
  }
  out->exponent += negative ? -power : power;
  return true;
}

// N / M; neither is 0.
Decimal Divide(Big n, Big m) {
  int exponent = n.BitLength() - m.BitLength();
  (exponent < 0 ? n : m).ShiftLeft(exponent < 0 ? -exponent : exponent);
  if (n.IsLess(m)) {
    n.ShiftLeft(1);
    --exponent;
  }
  constexpr uint64_t kInfinity = uint64_t{0x7ff} << 52;
  if (exponent > 1023) return {std::bit_cast<double>(kInfinity), std::bit_cast<double>(kInfinity - 1)};
  // Bits that count; subnormal numbers have fewer. Less than 0: the number is below half of the least one.
  const int bits = 53 - std::max(-1022 - exponent, 0);
  uint64_t quotient = 0;
  for (int i = 0; i <= bits; ++i) {
    const bool one = !n.IsLess(m);
    if (one) n.Subtract(m);
    quotient = 2 * quotient + (one ? 1 : 0);
    n.ShiftLeft(1);
  }
  const bool half = (quotient & 1) != 0, rest = !n.IsZero();
  const uint64_t significand = quotient >> 1;
  // A normal significand adds its hidden bit to the exponent; a carry moves on into it, and to infinity.
  const uint64_t code = (static_cast<uint64_t>(std::max(exponent + 1022, 0)) << 52) + significand;
  const uint64_t up = half && (rest || (significand & 1) != 0) ? 1 : 0;
  return {std::bit_cast<double>(code + up), std::bit_cast<double>(code | (half || rest ? 1 : 0))};
}

}  // namespace

bool ReadDecimal(std::string_view text, Decimal* out) {
  Digits digits;
  if (!ReadDigits(text, &digits)) return false;
  if (digits.count == 0) {
    *out = {};
    return true;
  }
  // Far beyond all doubles 10^kLargestPower and 10^kLeastPower round alike.
  int64_t power = digits.exponent + digits.count - 1;
  if (power > kLargestPower || power < kLeastPower) {
    digits = {};
    digits.integer.MultiplyAdd(0, 1);
    digits.exponent = std::clamp(power, kLeastPower, kLargestPower);
  }
  Big denominator;
  denominator.MultiplyAdd(0, 1);
  denominator.MultiplyByPowerOfTen(-digits.exponent);
  digits.integer.MultiplyByPowerOfTen(digits.exponent);
  *out = Divide(digits.integer, denominator);
  return true;
}

}  // namespace pto::ptoas
