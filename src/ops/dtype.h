// Element types as the library's own code names them: the values of pto_dtype,
// their sizes and names, and sets of them. Nothing here allocates or computes.
#ifndef PTO_SRC_OPS_DTYPE_H_
#define PTO_SRC_OPS_DTYPE_H_

#include <cstdint>

namespace pto {

// Same values as pto_dtype; src/api proves it with static_assert.
enum class DType : uint8_t {
  kI8 = 0,
  kU8 = 1,
  kI16 = 2,
  kU16 = 3,
  kI32 = 4,
  kU32 = 5,
  kI64 = 6,
  kU64 = 7,
  kF16 = 8,
  kBF16 = 9,
  kF32 = 10,
  // Storage only: instructions move and convert them.
  kE4M3 = 11,
  kE5M2 = 12,
  kHiF8 = 13,
  kE8M0 = 14,
  // Storage only and packed: two elements a byte, the first in its low half.
  kE2M1 = 15,
  kE1M2 = 16,
  kI4 = 17,
};
inline constexpr int kDTypeCount = 18;
// The first ones have arithmetic.
inline constexpr int kComputedCount = 11;

struct DTypeInfo {
  constexpr DTypeInfo(const char* name_, int bits_)
      : name(name_), bits(static_cast<uint8_t>(bits_)), bytes(static_cast<uint8_t>(bits_ < 8 ? 1 : bits_ / 8)) {}

  const char* name;
  uint8_t bits;   // in storage
  uint8_t bytes;  // where engines and kernels meet it: what is packed has been unpacked to a code a byte
};

inline constexpr DTypeInfo kDTypes[kDTypeCount] = {
    {"i8", 8},   {"u8", 8},   {"i16", 16}, {"u16", 16},  {"i32", 32}, {"u32", 32},
    {"i64", 64}, {"u64", 64}, {"f16", 16}, {"bf16", 16}, {"f32", 32}, {"e4m3", 8},
    {"e5m2", 8}, {"hif8", 8}, {"e8m0", 8}, {"e2m1", 4},  {"e1m2", 4}, {"i4", 4},
};

constexpr const DTypeInfo& Info(DType dtype) { return kDTypes[static_cast<int>(dtype)]; }

// What so many elements take in storage, one after another from the start of a byte; also how many bytes further an
// element begins, of a packed type one that begins a byte.
constexpr int64_t BytesOf(DType dtype, int64_t elements) { return (elements * Info(dtype).bits + 7) / 8; }

// A set of element types, one bit each: records read `kF16 | kF32`.
using DTypeSet = uint32_t;

constexpr DTypeSet Bit(DType dtype) { return DTypeSet{1} << static_cast<int>(dtype); }

// Several elements share a byte.
constexpr bool IsPacked(DType dtype) { return Info(dtype).bits < 8; }

// The unsigned integer of as many bytes: what kernels that copy have.
constexpr DType WordOf(DType dtype) {
  const int bytes = Info(dtype).bytes;
  return bytes == 1 ? DType::kU8 : bytes == 2 ? DType::kU16 : bytes == 4 ? DType::kU32 : DType::kU64;
}

namespace dtypes {
inline constexpr DTypeSet kNone = 0;
inline constexpr DTypeSet kI8 = Bit(DType::kI8), kU8 = Bit(DType::kU8);
inline constexpr DTypeSet kI16 = Bit(DType::kI16), kU16 = Bit(DType::kU16);
inline constexpr DTypeSet kI32 = Bit(DType::kI32), kU32 = Bit(DType::kU32);
inline constexpr DTypeSet kI64 = Bit(DType::kI64), kU64 = Bit(DType::kU64);
inline constexpr DTypeSet kF16 = Bit(DType::kF16), kBF16 = Bit(DType::kBF16);
inline constexpr DTypeSet kF32 = Bit(DType::kF32);
inline constexpr DTypeSet kE4M3 = Bit(DType::kE4M3), kE5M2 = Bit(DType::kE5M2);
inline constexpr DTypeSet kHiF8 = Bit(DType::kHiF8), kE8M0 = Bit(DType::kE8M0);
inline constexpr DTypeSet kFloats = kF16 | kBF16 | kF32;
inline constexpr DTypeSet kInts = kI8 | kU8 | kI16 | kU16 | kI32 | kU32;
inline constexpr DTypeSet kWide = kI64 | kU64;
inline constexpr DTypeSet kIntegers = kInts | kWide;
// What most arithmetic of A2A3 takes.
inline constexpr DTypeSet kPlain = kI16 | kI32 | kF16 | kF32;
inline constexpr DTypeSet kAll = kInts | kFloats;
// Every type that instructions compute with.
inline constexpr DTypeSet kBits = kAll | kI64 | kU64;
// Floats of a byte, which are stored and computed with in other types.
inline constexpr DTypeSet kFloat8 = kE4M3 | kE5M2 | kHiF8;
inline constexpr DTypeSet kSmall = kFloat8 | kE8M0;
// What instructions take that move bits and compute nothing.
inline constexpr DTypeSet kMoved = kBits | kSmall;
// Two elements a byte.
inline constexpr DTypeSet kE2M1 = Bit(DType::kE2M1), kE1M2 = Bit(DType::kE1M2), kI4 = Bit(DType::kI4);
inline constexpr DTypeSet kFloat4 = kE2M1 | kE1M2;
inline constexpr DTypeSet kPacked = kFloat4 | kI4;
// What instructions take that move bits and that the ISA lists for packed types.
inline constexpr DTypeSet kStored = kMoved | kPacked;
// Floats that instructions do not compute with.
inline constexpr DTypeSet kCodes = kSmall | kFloat4;
}  // namespace dtypes

}  // namespace pto

#endif  // PTO_SRC_OPS_DTYPE_H_
