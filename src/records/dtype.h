// Element types as the library's own code names them: the values of pto_dtype,
// their sizes and names, and sets of them. Nothing here allocates or computes.
#ifndef PTO_SRC_RECORDS_DTYPE_H_
#define PTO_SRC_RECORDS_DTYPE_H_

#include <cstdint>

namespace pto {

// Same values as pto_dtype; src/api proves it with static_assert.
enum class DType : uint8_t {
#define DTYPE(enumerator, c_name, ...) enumerator,
#include "src/records/dtypes.inc"
};

enum class DTypeKind : uint8_t { kSigned, kUnsigned, kFloat };

// A row of dtypes.inc, which explains the fields.
struct DTypeInfo {
  const char* name;
  uint8_t bits;  // in storage
  DTypeKind kind;
  bool stored_only = false;
  bool scale = false;  // has no sign and no fraction
  uint8_t digits = 0;
  // As engines and kernels see it: a packed type is unpacked to one code per byte first.
  uint8_t bytes = static_cast<uint8_t>(bits < 8 ? 1 : bits / 8);
  double largest = 0;
  double least_normal = 0;
};
static_assert(sizeof(DTypeInfo) <= 32);  // calls look up sizes here

inline constexpr DTypeInfo kDTypes[] = {
#define DTYPE(enumerator, c_name, ...) {__VA_ARGS__},
#include "src/records/dtypes.inc"
};
inline constexpr int kDTypeCount = sizeof kDTypes / sizeof kDTypes[0];
// Instructions compute with the first rows; the rows after these are stored only.
inline constexpr int kComputedCount = [] {
  int count = 0;
  while (count < kDTypeCount && !kDTypes[count].stored_only) ++count;
  return count;
}();

constexpr const DTypeInfo& Info(DType dtype) { return kDTypes[static_cast<int>(dtype)]; }

// The bytes that a number of elements take in storage, one after another from the start of a byte; also the distance in
// bytes to an element (of a packed type: to one that begins a byte).
constexpr int64_t BytesOf(DType dtype, int64_t elements) { return (elements * Info(dtype).bits + 7) / 8; }

// A set of element types, one bit each: records read `kF16 | kF32`.
using DTypeSet = uint32_t;

constexpr DTypeSet Bit(DType dtype) { return DTypeSet{1} << static_cast<int>(dtype); }

// Several elements share a byte.
constexpr bool IsPacked(DType dtype) { return Info(dtype).bits < 8; }

// The unsigned integer of the same number of bytes: what kernels that copy have.
constexpr DType WordOf(DType dtype) {
  const int bytes = Info(dtype).bytes;
  return bytes == 1 ? DType::kU8 : bytes == 2 ? DType::kU16 : bytes == 4 ? DType::kU32 : DType::kU64;
}

// The types that have a property; constexpr, so that records can use it.
template <class Property>
constexpr DTypeSet TypesWith(Property property) {
  DTypeSet set = 0;
  for (int i = 0; i < kDTypeCount; ++i) {
    if (property(kDTypes[i])) set |= DTypeSet{1} << i;
  }
  return set;
}

namespace dtypes {
inline constexpr DTypeSet kNone = 0;
#define DTYPE(enumerator, c_name, ...) inline constexpr DTypeSet enumerator = Bit(DType::enumerator);
#include "src/records/dtypes.inc"
// Types that instructions compute with: floats, integers of up to 32 bits, of 64 bits, and all of them.
inline constexpr DTypeSet kComputed = TypesWith([](const DTypeInfo& t) { return !t.stored_only; });
static_assert(kComputed == (DTypeSet{1} << kComputedCount) - 1);
inline constexpr DTypeSet kFloats =
    kComputed & TypesWith([](const DTypeInfo& t) { return t.kind == DTypeKind::kFloat; });
inline constexpr DTypeSet kIntegers = kComputed & ~kFloats;
inline constexpr DTypeSet kWide = TypesWith([](const DTypeInfo& t) { return t.bits == 64; });
inline constexpr DTypeSet kInts = kIntegers & ~kWide;
inline constexpr DTypeSet kUpTo32Bits = kComputed & ~kWide;
inline constexpr DTypeSet kSigned = TypesWith([](const DTypeInfo& t) { return t.kind == DTypeKind::kSigned; });
// What most arithmetic of A2A3 takes.
inline constexpr DTypeSet kPlain = kI16 | kI32 | kF16 | kF32;
// Types that share bytes.
inline constexpr DTypeSet kPacked = TypesWith([](const DTypeInfo& t) { return t.bits < 8; });
// Floats that instructions do not compute with: of 4 bits, of a byte, and of a byte with the scales.
inline constexpr DTypeSet kCodes =
    TypesWith([](const DTypeInfo& t) { return t.stored_only && t.kind == DTypeKind::kFloat; });
inline constexpr DTypeSet kFloat4 = kCodes & kPacked;
inline constexpr DTypeSet kSmall = kCodes & ~kPacked;
inline constexpr DTypeSet kFloat8 = kSmall & ~TypesWith([](const DTypeInfo& t) { return t.scale; });
// What instructions take that move bits and compute nothing.
inline constexpr DTypeSet kMoved = kComputed | kSmall;
// What instructions take that move bits and that the ISA lists for packed types.
inline constexpr DTypeSet kStored = kMoved | kPacked;
}  // namespace dtypes

constexpr bool IsSignedInteger(DType dtype) { return (Bit(dtype) & dtypes::kSigned) != 0; }

}  // namespace pto

#endif  // PTO_SRC_RECORDS_DTYPE_H_
