// Comparisons that write one bit per element, and selections that read them. The header of
// these kernels, like kernels.h without Highway.
//
// A bit mask has one bit per element, least significant first; each of its lines starts on a
// byte of its own, (count + 7) / 8 bytes of it are meant.
#ifndef PTO_SRC_KERNELS_BITS_H_
#define PTO_SRC_KERNELS_BITS_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/kernels.h"

namespace pto {

// Values of pto_cmp.
enum class Compare : uint8_t { kEq = 0, kNe = 1, kLt = 2, kLe = 3, kGt = 4, kGe = 5 };
inline constexpr int kCompareCount = 6;

// The operands of the vector loop of a comparison. Operands of step 0 are 64 bytes of equal
// elements, which it reads again and again.
struct CompareWork {
  uint8_t* dst;
  const void* a;
  const void* b;
  ptrdiff_t dst_line;  // in bytes
  ptrdiff_t a_line;
  ptrdiff_t b_line;
  int32_t a_step;
  int32_t b_step;
  size_t lines;
  size_t count;
  uint64_t invert;  // 0 or ~0: the bits are turned over
  int16_t beyond;   // one more than infinity, of floats of 16 bits
};
using CompareBlock = void (*)(const CompareWork& work);

struct CompareKernel {
  CompareBlock block;
  uint16_t least;  // the fewest elements of a line that block takes
  uint8_t size;    // bytes of an element
  bool swap;       // block is given b and a
  bool invert;
  int16_t beyond;

  explicit constexpr operator bool() const { return block != nullptr; }
};

// bit(i, k) of dst = a[i * a_line + k * a_step] <mode> b[i * b_line + k * b_step]. A Grid whose
// dst_line counts bytes; the bits of a line's last byte past count become 0. With a NaN
// only kNe is true; the two zeros are equal. Precondition: dst shares no byte with a source.
// Every element type has all six.
CompareKernel PickCompare(int target, Compare mode, DType dtype);
void Call(const CompareKernel& kernel, const Grid& grid);

// dst[i * dst_line + k] = bit(i, k) of mask ? a[i * a_line + k] : b[i * b_line + k * b_step],
// bit for bit. mask_line counts bytes, the others elements. Bits past count are not looked at.
// Precondition: a and b each are dst (same address, same line, step 1) or share no byte
// with it; mask shares none.
struct SelectGrid {
  void* dst;
  const uint8_t* mask;
  const void* a;
  const void* b;
  ptrdiff_t dst_line;
  ptrdiff_t mask_line;
  ptrdiff_t a_line;
  ptrdiff_t b_line;
  int32_t b_step;
  size_t lines;
  size_t count;
};
// Its vector loop; b of step 0 is 64 bytes of equal elements.
using SelectBlock = void (*)(const SelectGrid& work);

struct SelectKernel {
  SelectBlock block;
  uint16_t least;
  uint8_t size;
};

// By the bytes of an element: 1, 2, 4, 8.
SelectKernel PickSelect(int target, int bytes);
void Call(const SelectKernel& kernel, const SelectGrid& grid);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_BITS_H_
