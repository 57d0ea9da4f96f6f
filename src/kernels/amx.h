// Products of i8 and bf16 by AMX, the tile instructions of x86 processors since Sapphire Rapids.
//
// The results equal the ones of the other kernels, bit by bit. i8 is exact, and sums of bf16 have
// AMX's order on every target (paired-inl.h).
//
// A process must ask the kernel for tiles. The permission holds for all its threads and for what it
// forks. It has a side effect on the whole process: from then on, sigaltstack() refuses stacks that
// do not hold the tiles (ENOMEM for 8192 bytes). Therefore the first product that is large enough
// asks, not the start of the library, and PTO_AMX=off in the environment keeps libpto from it.
#ifndef PTO_SRC_KERNELS_AMX_H_
#define PTO_SRC_KERNELS_AMX_H_

#include <cstddef>
#include <cstdint>

namespace pto::amx {

// Whether the processor has tiles of i8 and bf16, and the system saves them.
bool Present();
// Whether this process may use them. The first call asks, all others have its answer. Refused where
// PTO_AMX is "off", where a thread has a small signal stack (ENOSPC), or by a filter of system
// calls (EPERM).
bool Granted();

// A tile is 16 lines of 64 bytes. Factors become tiles in scratch, some rows and some bytes along k
// at a time. The left ones stay in the second cache. Strides are in bytes, and k counts
// bytes.
inline constexpr ptrdiff_t kTile = 1024;
inline constexpr ptrdiff_t kDeep = 2048;
inline constexpr ptrdiff_t kTall = 512;
inline constexpr ptrdiff_t kWide = 64;

// Byte k of row m is at[k / 32 * jump + m * line + k % 32]. For rows without boxes jump is 32.
struct Left {
  const uint8_t* at;
  ptrdiff_t line, jump;
};
// Byte k of column n: if `turned`, at[k / 32 * jump + n * line + k % 32], else k steps through
// lines of elements.
struct Right {
  const uint8_t* at;
  ptrdiff_t line, jump;
  bool turned;
};
// Word (m, n) is at[n / 16 * jump + m * line + n % 16]. Strides are in words.
struct Result {
  int32_t* at;
  ptrdiff_t line, jump;
};

constexpr ptrdiff_t RoundedUp(ptrdiff_t x, ptrdiff_t to) { return (x + to - 1) / to * to; }
// Bytes of scratch for factors of at most kTall rows and kWide columns.
constexpr ptrdiff_t LeftBytes(ptrdiff_t rows, ptrdiff_t depth) {
  return RoundedUp(rows, 32) * RoundedUp(depth, 64);
}
constexpr ptrdiff_t RightBytes(ptrdiff_t depth) { return kWide * RoundedUp(depth, 64); }

// Rows as tiles; what is missing is zero.
void PackLeft(const Left& a, ptrdiff_t rows, ptrdiff_t depth, uint8_t* out);

// c = (fresh ? 0 : c) + a * b, where `left` has all rows of a as tiles, and b has at most kWide
// columns, which become tiles in `right`. Configures and releases the tiles.
struct Part {
  Result c;
  const uint8_t* left;
  Right b;
  uint8_t* right;
  ptrdiff_t rows, cols, depth;
  bool fresh;
  bool finish;  // NaNs become the canonical one
};
void MultiplyI8(const Part& part);
void MultiplyBF16(const Part& part);

}  // namespace pto::amx

#endif  // PTO_SRC_KERNELS_AMX_H_
