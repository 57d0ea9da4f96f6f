// Kernels that move elements and know their width only. The header of these kernels, like kernels.h
// without Highway.
//
// Precondition of all: what is written shares no byte with what is read. Addresses are aligned to
// the element only; no byte outside the elements that are named is read or written. Lines are
// counted in elements.
#ifndef PTO_SRC_KERNELS_SHUFFLE_H_
#define PTO_SRC_KERNELS_SHUFFLE_H_

#include <cstddef>
#include <cstdint>

namespace pto {

// dst[k * dst_line + i] = src[i * src_line + k] for 0 <= i < lines, 0 <= k < count.
struct TransposeGrid {
  void* dst;
  const void* src;
  ptrdiff_t dst_line;
  ptrdiff_t src_line;
  size_t lines;
  size_t count;
};

// dst[p * dst_panel + i * dst_line + k] = src[p * src_panel + i * src_line + k] for 0 <= p <
// panels, 0 <= i < lines, 0 <= k < count: lines of one or a few vectors, as boxes have them.
struct LinesGrid {
  void* dst;
  const void* src;
  ptrdiff_t dst_line;
  ptrdiff_t src_line;
  size_t lines;
  size_t count;
  ptrdiff_t dst_panel = 0;
  ptrdiff_t src_panel = 0;
  size_t panels = 1;
};

// dst[i * dst_line + k] = *value for 0 <= i < lines, 0 <= k < count.
struct FillGrid {
  void* dst;
  const void* value;
  ptrdiff_t dst_line;
  size_t lines;
  size_t count;
};

// even[k], odd[k] beside whole[2 * k], whole[2 * k + 1] for 0 <= k < pairs, in each of `lines`
// lines.
struct ZipGrid {
  void* whole;
  void* even;
  void* odd;
  ptrdiff_t whole_line;
  ptrdiff_t even_line;
  ptrdiff_t odd_line;
  size_t lines;
  size_t pairs;
};

// The kernels of one width and target.
struct Shuffles {
  void (*transpose)(const TransposeGrid& grid);
  void (*lines)(const LinesGrid& grid);
  void (*fill)(const FillGrid& grid);
  void (*zip)(const ZipGrid& grid);    // writes whole
  void (*unzip)(const ZipGrid& grid);  // reads whole
};

// Two elements a byte, the first in its low half, and a byte each. Nothing but the low half of a
// code is packed.
struct Nibbles {
  void (*unpack)(const uint8_t* packed, size_t bytes, uint8_t* codes);
  void (*pack)(const uint8_t* codes, size_t bytes, uint8_t* packed);
};

Nibbles PickNibbles(int target);

// By the bytes of an element: 1, 2, 4, 8.
Shuffles PickShuffles(int target, int bytes);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_SHUFFLE_H_
