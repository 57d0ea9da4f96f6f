#include "src/ptoas/run/scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/ops/small_float.h"

namespace pto::ptoas {

namespace {

// A pass for integers and one for floats, of which a compiler makes vectors: signed words, which even the oldest
// vectors compare. Words become keys that are ordered as the elements are; -0 comes before 0.
template <class Word>
void ScanIntegers(const Word* words, size_t count, Word flip, Scan* scan) {
  using Limits = std::numeric_limits<Word>;
  Word least = Limits::max();
  Word most = Limits::min();
  for (size_t i = 0; i < count; ++i) {
    const auto key = static_cast<Word>(words[i] ^ flip);
    least = std::min(least, key);
    most = std::max(most, key);
  }
  using Bits = std::make_unsigned_t<Word>;
  scan->min = static_cast<Bits>(least ^ flip);
  scan->max = static_cast<Bits>(most ^ flip);
}

template <class Word, Word kInfinity>
void ScanFloats(const Word* words, size_t count, Scan* scan) {
  using Limits = std::numeric_limits<Word>;
  constexpr Word kMagnitude = Limits::max();
  Word least = Limits::max();
  Word most = Limits::min();
  constexpr auto kNormal = static_cast<Word>(kInfinity & -kInfinity);  // the least one: the lowest bit of the exponent
  // Counted in words for as long as those cannot run over.
  constexpr size_t kChunk = 128;
  for (size_t begin = 0; begin < count; begin += kChunk) {
    const size_t end = std::min(count, begin + kChunk);
    // Differences of magnitudes do not run over: their signs, 0 or -1, are counted without a choice, which a compiler
    // would make branches of.
    const auto sign = [](int32_t difference) {
      return static_cast<Word>(static_cast<Word>(difference) >> (sizeof(Word) * 8 - 1));
    };
    Word nans = 0;
    Word not_finite = 0;
    Word not_normal = 0;
    Word zeros = 0;
    for (size_t i = begin; i < end; ++i) {
      const auto magnitude = static_cast<Word>(words[i] & kMagnitude);
      nans = static_cast<Word>(nans - sign(kInfinity - magnitude));
      not_finite = static_cast<Word>(not_finite - sign(kInfinity - 1 - magnitude));
      not_normal = static_cast<Word>(not_normal - sign(magnitude - kNormal));
      zeros = static_cast<Word>(zeros - sign(magnitude - 1));
    }
    // By masks: a compiler makes no vectors of choices that depend on one another.
    for (size_t i = begin; i < end; ++i) {
      const Word word = words[i];
      const auto nan = static_cast<Word>((word & kMagnitude) > kInfinity ? -1 : 0);
      const auto key = static_cast<Word>(word ^ ((word >> (sizeof(Word) * 8 - 1)) & kMagnitude));
      least = std::min(least, static_cast<Word>((key & ~nan) | (nan & Limits::max())));
      most = std::max(most, static_cast<Word>((key & ~nan) | (nan & Limits::min())));
    }
    scan->nans += nans;
    scan->infs += not_finite - nans;
    scan->subnormals += not_normal - zeros;
  }
  if (scan->nans == static_cast<int64_t>(count)) return;
  using Bits = std::make_unsigned_t<Word>;
  const auto back = [](Word key) { return static_cast<Bits>(key < 0 ? key ^ kMagnitude : key); };
  scan->min = back(least);
  scan->max = back(most);
}

// Of a byte or less: how often each code is there says all.
void ScanCodes(DType dtype, const uint8_t* codes, size_t count, Scan* scan) {
  int64_t times[256] = {};
  for (size_t i = 0; i < count; ++i) ++times[codes[i]];
  float least = 0;
  float most = 0;
  bool any = false;
  for (uint32_t code = 0; code < 256; ++code) {
    if (times[code] == 0) continue;
    const auto value = std::bit_cast<float>(SmallFloatBits(dtype, code));
    if (std::isnan(value)) {
      scan->nans += times[code];
      continue;
    }
    if (std::isinf(value)) scan->infs += times[code];
    const bool subnormal = dtype == DType::kE4M3   ? (code & 0x78) == 0
                           : dtype == DType::kE5M2 ? (code & 0x7c) == 0
                           : dtype == DType::kE2M1 ? (code & 6) == 0
                                                   : dtype == DType::kE1M2 && (code & 4) == 0;
    if (subnormal && value != 0) scan->subnormals += times[code];
    if (!any || value < least || (value == 0 && least == 0 && std::signbit(value))) {
      least = value;
      scan->min = code;
    }
    if (!any || value > most || (value == 0 && most == 0 && !std::signbit(value))) {
      most = value;
      scan->max = code;
    }
    any = true;
  }
}

// Four chains, so that one multiplication need not wait for the last. Bytes in the order of little-endian words, which
// is that of all machines that the library runs on.
uint64_t Digest(const char* data, size_t bytes) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
  uint64_t chains[4] = {1, 2, 3, 4};
  size_t at = 0;
  uint64_t words[4];
  for (; at + sizeof words <= bytes; at += sizeof words) {
    std::memcpy(words, data + at, sizeof words);
    for (int i = 0; i < 4; ++i) chains[i] = (chains[i] ^ words[i]) * kFactor;
    for (uint64_t& chain : chains) chain ^= chain >> 32;
  }
  std::memset(words, 0, sizeof words);
  if (at < bytes) std::memcpy(words, data + at, bytes - at);
  uint64_t digest = bytes;
  for (int i = 0; i < 4; ++i) {
    digest = (digest ^ chains[i] ^ words[i]) * kFactor;
    digest ^= digest >> 29;
  }
  return digest;
}

}  // namespace

Scan ScanElements(pto_dtype dtype, const void* data, size_t count) {
  Scan scan;
  if (count == 0) return scan;
  const auto integers = [&](auto word, bool is_signed) {
    using Word = decltype(word);
    ScanIntegers(static_cast<const Word*>(data), count, is_signed ? Word{0} : std::numeric_limits<Word>::min(), &scan);
  };
  switch (dtype) {
    case PTO_DTYPE_E4M3:
    case PTO_DTYPE_E5M2:
    case PTO_DTYPE_HIF8:
    case PTO_DTYPE_E8M0:
    case PTO_DTYPE_E2M1:
    case PTO_DTYPE_E1M2:
      ScanCodes(static_cast<DType>(dtype), static_cast<const uint8_t*>(data), count, &scan);
      break;
    case PTO_DTYPE_F16:
      ScanFloats<int16_t, 0x7C00>(static_cast<const int16_t*>(data), count, &scan);
      break;
    case PTO_DTYPE_BF16:
      ScanFloats<int16_t, 0x7F80>(static_cast<const int16_t*>(data), count, &scan);
      break;
    case PTO_DTYPE_F32:
      ScanFloats<int32_t, 0x7F800000>(static_cast<const int32_t*>(data), count, &scan);
      break;
    case PTO_DTYPE_I4:
    case PTO_DTYPE_I8:
    case PTO_DTYPE_U8:
      integers(int8_t{}, dtype != PTO_DTYPE_U8);
      break;
    case PTO_DTYPE_I16:
    case PTO_DTYPE_U16:
      integers(int16_t{}, dtype == PTO_DTYPE_I16);
      break;
    case PTO_DTYPE_I32:
    case PTO_DTYPE_U32:
      integers(int32_t{}, dtype == PTO_DTYPE_I32);
      break;
    default:
      integers(int64_t{}, dtype == PTO_DTYPE_I64);
  }
  scan.digest = Digest(static_cast<const char*>(data), count * static_cast<size_t>(pto_dtype_bytes(dtype)));
  return scan;
}

}  // namespace pto::ptoas
