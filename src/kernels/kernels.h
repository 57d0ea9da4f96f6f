// The border between the library and its SIMD code. Kernels know nothing of
// tiles, contexts or errors: they fill a grid of numbers. This header includes
// no Highway, so that only the files beside it do.
#ifndef PTO_SRC_KERNELS_KERNELS_H_
#define PTO_SRC_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "src/kernels/tuning.h"
#include "src/records/dtype.h"
#include "src/records/lane.h"

namespace pto {

// Work for one call of a kernel: `lines` lines of `count` elements,
//   dst[i * dst_line + k] = f(a[i * a_line + k * a_step], b[i * b_line + k * b_step],
//                             c[i * c_line + k])
// for 0 <= i < lines, 0 <= k < count. Lines are counted in elements and may be
// anything (0 repeats one line, which broadcasts it); steps are 0 (one element for the whole
// line) or 1. Unary kernels ignore b (fastest if it names a, too). All but the kernels of three
// sources ignore c, which is what dst holds unless documented otherwise.
//
// Precondition: a source either is dst exactly (same address, line and step 1)
// or shares no byte with it. Addresses are aligned to the element only. A kernel
// reads and writes no byte outside the elements named above, not even to put
// the same value back. The floating-point environment is the default one.
struct Grid {
  void* dst;
  const void* a;
  const void* b;
  ptrdiff_t dst_line;
  ptrdiff_t a_line;
  ptrdiff_t b_line;
  int32_t a_step;
  int32_t b_step;
  size_t lines;
  size_t count;
  const void* c = dst;
  ptrdiff_t c_line = dst_line;
};

// The vector loop of a kernel: a grid whose steps are 1 and whose count is at least
// Kernel::least. Ten words, six of them in registers: nothing is written to memory that a
// kernel would read too soon.
using Block = void (*)(void* dst, const void* a, const void* b, ptrdiff_t dst_line,
                       ptrdiff_t a_line, ptrdiff_t b_line, size_t lines, size_t count,
                       const void* c, ptrdiff_t c_line);

// The same past the caches, in steps of `step` bytes, a divisor of kStreamUnit: a step of each of
// `lines` lines in turn, then the next. Distances are in elements. Precondition: dst is aligned to
// 64 bytes and apart from the sources; there are lines, and steps in them, all whole. The caller
// has the stores drained.
struct PastCaches {
  void (*block)(void* dst, const void* a, const void* b, ptrdiff_t dst_line, ptrdiff_t a_line,
                ptrdiff_t b_line, size_t lines, size_t count) = nullptr;
  uint16_t step = 0;
};
inline constexpr size_t kStreamUnit = 256;

struct Kernel;
// Any grid, empty ones too. One function for each element width: drive.cc.
using Drive = void (*)(const Kernel& kernel, const Grid& grid);

// Everything that the library knows of one lane function, element type and target: a row of
// constants, which is in a table of its file.
struct Kernel {
  Block block;
  PastCaches stream;  // none where memory is not the limit
  Drive drive;
  uint16_t least;  // the fewest elements of a line that block takes
  uint8_t size;    // bytes of an element
  uint8_t arity;   // sources: 0, a, a and b, or these and c
  // block where the last of a and b is one element for a whole line; nullptr: such are laid out.
  Block uniform = nullptr;
  // Whether uniform saves more than writing past the caches does: one divisor has a multiplier.
  bool uniform_first = false;

  explicit constexpr operator bool() const { return size != 0; }
};

// Element widths of 1, 2, 4 and 8 bytes.
template <size_t kBytes>
void DriveWidth(const Kernel& kernel, const Grid& grid);

// The one way to call a kernel. The usual grid, and one whose last source is one element for a
// line, cost a few compares, inlined into the caller, and one indirect call; all others go to the
// driver. It gets a copy, so that the caller's grid need not lie in memory.
[[gnu::always_inline]] inline void Call(const Kernel& kernel, const Grid& g) {
  const size_t bytes = g.lines * g.count * kernel.size;
  const bool uniform = g.b_step == 0;
  const Block block = uniform ? kernel.uniform : kernel.block;
  const bool along_a = g.a_step == (uniform ? kernel.arity != 1 : 1);
  // Unsigned, so that an empty grid takes the general path, too.
  if (bytes - 1 < tuning.stream_bytes / 4 && along_a && block != nullptr) [[likely]] {
    const auto count = static_cast<ptrdiff_t>(g.count);
    const bool one_line = ((g.dst_line ^ count) | (g.a_line ^ (g.a_step * count)) |
                           (g.b_line ^ (g.b_step * count)) | (g.c_line ^ count)) == 0;
    const size_t lines = one_line ? 1 : g.lines;
    const size_t along = one_line ? g.count * g.lines : g.count;
    if (along >= kernel.least) [[likely]] {
      block(g.dst, g.a, g.b, g.dst_line, g.a_line, g.b_line, lines, along, g.c, g.c_line);
      return;
    }
  }
  const Grid copy = g;
  kernel.drive(kernel, copy);
}

// SIMD targets compiled in, best first. The index is what PickKernel() takes.
int TargetCount();
const char* TargetName(int target);
bool TargetSupported(int target);

// The kernel for a lane and an element type on a target; an empty one when the lane
// has no meaning for the type (kRsqrt of an integer, for example). Integer
// types have no exactness to choose: kPow and kPowExact are the same kernel.
Kernel PickKernel(int target, Lane lane, DType dtype);

}  // namespace pto

#endif  // PTO_SRC_KERNELS_KERNELS_H_
