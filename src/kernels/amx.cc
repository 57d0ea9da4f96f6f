// The tile instructions, for amx.h. They are written as assembly: the intrinsics of GCC 12 and
// Clang 14 name neither the memory that they read nor that they read any, so stores before them may
// vanish. Everything around them is AVX-512, which each processor with tiles has.
#include "src/kernels/amx.h"

#include "src/kernels/targets.h"
// After targets.h.
#include "hwy/base.h"

#if HWY_ARCH_X86_64 && defined(__linux__)

#include <cpuid.h>
// GCC's header leaves vectors undefined on purpose.
HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4701, ignored "-Wuninitialized")
#if HWY_COMPILER_GCC_ACTUAL
HWY_DIAGNOSTICS_OFF(disable : 4703, ignored "-Wmaybe-uninitialized")
#endif
#include <immintrin.h>
HWY_DIAGNOSTICS(pop)
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace pto::amx {

bool Present() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  const bool tiles =
      (d >> 22 & 1) != 0 && (d >> 24 & 1) != 0 && (d >> 25 & 1) != 0;  // BF16, tiles, INT8
  const bool vectors =
      (b >> 16 & 1) != 0 && (b >> 30 & 1) != 0 && (c >> 1 & 1) != 0;  // F, BW, VBMI
  if (!tiles || !vectors || __get_cpuid(1, &a, &b, &c, &d) == 0 || (c >> 27 & 1) == 0) return false;
  // The state that the system saves: XCR0 has bits for tiles, and for masks and halves of vectors.
  constexpr unsigned kSaved = 3U << 17 | 7U << 5 | 6U;
  unsigned low = 0;
  asm("xgetbv" : "=a"(low) : "c"(0) : "edx");
  return (low & kSaved) == kSaved;
}

bool Granted() {
  constexpr long kRequest = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;
  static std::atomic<int8_t> granted{-1};
  int8_t known = granted.load(std::memory_order_relaxed);
  if (known < 0) {
    const char* wish = std::getenv("PTO_AMX");
    const bool off = wish != nullptr && std::strcmp(wish, "off") == 0;
    known = !off && Present() && syscall(SYS_arch_prctl, kRequest, kTileData) == 0 ? 1 : 0;
    granted.store(known, std::memory_order_relaxed);
  }
  return known != 0;
}

HWY_PUSH_ATTRIBUTES(
    "avx,avx2,bmi,bmi2,fma,f16c,avx512f,avx512vl,avx512dq,avx512bw,avx512cd,avx512vbmi")
namespace {

#define PTO_TILE_ZERO(t) asm volatile("tilezero %%tmm%c0" ::"i"(t) : "memory")
#define PTO_TILE_LOAD(t, at, line)                                \
  asm volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(t), "r"(at), \
               "r"(static_cast<ptrdiff_t>(line))                  \
               : "memory")
#define PTO_TILE_STORE(t, at, line)                                \
  asm volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(t), "r"(at), \
               "r"(static_cast<ptrdiff_t>(line))                   \
               : "memory")
#define PTO_TILE_DOT(name, c, a, b) \
  asm volatile(name " %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(c), "i"(a), "i"(b) : "memory")

struct alignas(64) Config {
  uint8_t palette = 1, start = 0, none[14] = {};
  uint16_t line_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t lines[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(Config) == 64);

// A mask of the first bytes.
inline __mmask64 First(ptrdiff_t count) {
  return count >= 64 ? ~uint64_t{0} : count <= 0 ? 0 : (uint64_t{1} << count) - 1;
}
inline __mmask32 First32(ptrdiff_t count) {
  return static_cast<__mmask32>(First(std::min<ptrdiff_t>(count, 32)));
}

inline __m128i Load16(const uint8_t* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
// Lanes of 16 bytes, from four places.
inline __m512i Lanes(const uint8_t* a, const uint8_t* b, const uint8_t* c, const uint8_t* d) {
  __m512i v = _mm512_castsi128_si512(Load16(a));
  v = _mm512_mask_broadcast_i32x4(v, 0x00f0, Load16(b));
  v = _mm512_mask_broadcast_i32x4(v, 0x0f00, Load16(c));
  return _mm512_mask_broadcast_i32x4(v, 0xf000, Load16(d));
}

inline __m256i Load32(const uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
inline __m512i Halves(__m256i low, __m256i high) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// A byte of 64 for each byte of a line: words of four i8, or of two bf16, of one column.
template <ptrdiff_t kSize>
struct Order {
  alignas(64) uint8_t at[64];
  constexpr Order() : at() {
    for (int i = 0; i < 64; ++i) {
      const int from = kSize == 1 ? i % 4 * 16 + i / 4 : i % 4 / 2 * 32 + i / 4 * 2 + i % 2;
      at[i] = static_cast<uint8_t>(from);
    }
  }
};

// Up to 64 bytes of k of whole tiles of columns that lie in rows. A cache line is read once, whole.
template <ptrdiff_t kSize>
inline void TilesOfRows(const uint8_t* from, ptrdiff_t line, ptrdiff_t rest, ptrdiff_t tiles,
                        uint8_t* const* out) {
  constexpr ptrdiff_t kEach = 4 / kSize;  // rows of a word
  static constexpr Order<kSize> kOrder;
  alignas(64) static constexpr uint8_t kZeros[128] = {};
  const __m512i order = _mm512_load_si512(kOrder.at);
  for (ptrdiff_t g = 0; g < 16; ++g) {
    const uint8_t* row[kEach];
    for (ptrdiff_t i = 0; i < kEach; ++i) {
      row[i] = (kEach * g + i) * kSize < rest ? from + (kEach * g + i) * line : kZeros;
    }
    for (ptrdiff_t t = 0; t < tiles; ++t) {
      __m512i v;
      if constexpr (kSize == 1) {
        v = Lanes(row[0] + 16 * t, row[1] + 16 * t, row[2] + 16 * t, row[3] + 16 * t);
      } else {
        v = Halves(Load32(row[0] + 32 * t), Load32(row[1] + 32 * t));
      }
      _mm512_store_si512(out[t] + 64 * g, _mm512_permutexvar_epi8(order, v));
    }
  }
}

// 32 bytes of k of 16 columns, each in one piece: words are turned, four columns of each lane at a
// time.
inline void HalfOfTile(const uint8_t* from, ptrdiff_t line, uint8_t* out) {
  for (int half = 0; half < 2; ++half, from += 16, out += 256) {
    __m512i v[4];
    for (int i = 0; i < 4; ++i) {
      const uint8_t* at = from + i * line;
      v[i] = Lanes(at, at + 4 * line, at + 8 * line, at + 12 * line);
    }
    const __m512i a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpackhi_epi32(v[0], v[1]);
    const __m512i c = _mm512_unpacklo_epi32(v[2], v[3]), d = _mm512_unpackhi_epi32(v[2], v[3]);
    _mm512_store_si512(out, _mm512_unpacklo_epi64(a, c));
    _mm512_store_si512(out + 64, _mm512_unpackhi_epi64(a, c));
    _mm512_store_si512(out + 128, _mm512_unpacklo_epi64(b, d));
    _mm512_store_si512(out + 192, _mm512_unpackhi_epi64(b, d));
  }
}

// The same where fewer bytes or columns count.
inline void PartOfTile(const uint8_t* from, ptrdiff_t line, ptrdiff_t rest, ptrdiff_t cols,
                       uint8_t* out) {
  if (rest >= 32 && cols >= 16) return HalfOfTile(from, line, out);
  alignas(64) uint8_t some[512];
  for (ptrdiff_t n = 0; n < 16; ++n, from += line) {
    const __m256i v = _mm256_maskz_loadu_epi8(n < cols ? First32(rest) : 0, from);
    _mm256_store_si256(reinterpret_cast<__m256i*>(some + 32 * n), v);
  }
  HalfOfTile(some, 32, out);
}

// All columns: for each 32 of them two tiles for each 64 bytes along k.
template <ptrdiff_t kSize>
inline void PackRight(const Right& b, ptrdiff_t depth, ptrdiff_t cols, uint8_t* panel) {
  alignas(64) uint8_t some[64 / kSize * kWide * kSize];
  const ptrdiff_t panel_bytes = 2 * kTile * RoundedUp(depth, 64) / 64;
  const ptrdiff_t tiles = RoundedUp(cols, 16) / 16;
  for (ptrdiff_t q = 0; q < depth; q += 64, panel += 2 * kTile) {
    const ptrdiff_t rest = std::min<ptrdiff_t>(64, depth - q);
    uint8_t* const out[4] = {panel, panel + kTile, panel + panel_bytes,
                             panel + panel_bytes + kTile};
    if (b.turned) {
      for (ptrdiff_t t = 0; t < tiles; ++t) {
        const uint8_t* from = b.at + q / 32 * b.jump + 16 * t * b.line;
        PartOfTile(from, b.line, rest, cols - 16 * t, out[t]);
        PartOfTile(from + (rest > 32 ? b.jump : 0), b.line, rest - 32, cols - 16 * t, out[t] + 512);
      }
      continue;
    }
    const uint8_t* from = b.at + q / kSize * b.line;
    if (cols % 16 == 0) {
      TilesOfRows<kSize>(from, b.line, rest, tiles, out);
      continue;
    }
    std::memset(some, 0, sizeof some);
    for (ptrdiff_t i = 0; i * kSize < rest; ++i) {
      std::memcpy(some + kWide * kSize * i, from + i * b.line, static_cast<size_t>(cols * kSize));
    }
    TilesOfRows<kSize>(some, kWide * kSize, rest, tiles, out);
  }
}

inline void Copy(const int32_t* from, ptrdiff_t from_line, int32_t* to, ptrdiff_t to_line,
                 ptrdiff_t rows, ptrdiff_t cols) {
  for (ptrdiff_t i = 0; i < rows; ++i) {
    std::memcpy(to + i * to_line, from + i * from_line, static_cast<size_t>(cols) * 4);
  }
}

// A block of results.
struct Block {
  int32_t* at = nullptr;
  ptrdiff_t rows = 0, cols = 0;
};

// Each NaN of a block becomes the canonical one.
inline void FinishNaN(const Block& block, const Result& c) {
  for (ptrdiff_t n = 0; n < block.cols; n += 16) {
    const auto some = static_cast<__mmask16>(First(std::min<ptrdiff_t>(block.cols - n, 16)));
    int32_t* at = block.at + n / 16 * c.jump;
    for (ptrdiff_t i = 0; i < block.rows; ++i, at += c.line) {
      const __m512 v = _mm512_maskz_loadu_ps(some, at);
      const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
      if (nan != 0) _mm512_mask_storeu_epi32(at, nan, _mm512_set1_epi32(0x7fc00000));
    }
  }
}

enum class Kind { kI8, kBF16 };

// Products of two rows of tiles and two columns of them, or fewer. Tiles 0 to 3 are sums, 4 and 5
// left, 6 and 7 right.
template <Kind kKind, bool tall, bool wide>
inline void Sums(const uint8_t* a, ptrdiff_t a_next, const uint8_t* b, ptrdiff_t tiles,
                 const int32_t* to, ptrdiff_t line, ptrdiff_t jump) {
  const auto dot = [](auto c, auto left, auto right) {
    if constexpr (kKind == Kind::kI8) {
      PTO_TILE_DOT("tdpbssd", c.value, left.value, right.value);
    } else {
      PTO_TILE_DOT("tdpbf16ps", c.value, left.value, right.value);
    }
  };
  using std::integral_constant;
  // Rows of the result come near with each tile: all at once they would hold up the loads.
  const ptrdiff_t each = (32 + tiles - 1) / tiles;
  for (ptrdiff_t q = 0; q < tiles; ++q, a += kTile, b += 2 * kTile) {
    if (to != nullptr) {
      for (ptrdiff_t i = 0; i < each; ++i, to += line) {
        __builtin_prefetch(to, 1);
        if (wide) __builtin_prefetch(to + jump, 1);
      }
    }
    PTO_TILE_LOAD(4, a, 64);
    PTO_TILE_LOAD(6, b, 64);
    dot(integral_constant<int, 0>(), integral_constant<int, 4>(), integral_constant<int, 6>());
    if constexpr (wide) {
      PTO_TILE_LOAD(7, b + kTile, 64);
      dot(integral_constant<int, 1>(), integral_constant<int, 4>(), integral_constant<int, 7>());
    }
    if constexpr (tall) {
      PTO_TILE_LOAD(5, a + a_next, 64);
      dot(integral_constant<int, 2>(), integral_constant<int, 5>(), integral_constant<int, 6>());
      if constexpr (wide)
        dot(integral_constant<int, 3>(), integral_constant<int, 5>(), integral_constant<int, 7>());
    }
  }
}

// A tile of sums, from or to results. Some of its rows and columns may be missing.
template <int kTileIndex, bool kLoad>
inline void MoveSums(int32_t* at, ptrdiff_t line, ptrdiff_t rows, ptrdiff_t cols, int32_t* spare) {
  const bool whole = rows >= 16 && cols >= 16;
  const ptrdiff_t r = std::min<ptrdiff_t>(rows, 16), n = std::min<ptrdiff_t>(cols, 16);
  if constexpr (kLoad) {
    if (!whole) Copy(at, line, spare, 16, r, n);
    PTO_TILE_LOAD(kTileIndex, whole ? at : spare, whole ? line * 4 : 64);
  } else {
    PTO_TILE_STORE(kTileIndex, whole ? at : spare, whole ? line * 4 : 64);
    if (!whole) Copy(spare, 16, at, line, r, n);
  }
}
template <bool kLoad>
inline void MoveAllSums(int32_t* at, const Result& c, ptrdiff_t rows, ptrdiff_t cols,
                        int32_t* spare) {
  MoveSums<0, kLoad>(at, c.line, rows, cols, spare);
  if (cols > 16) MoveSums<1, kLoad>(at + c.jump, c.line, rows, cols - 16, spare);
  if (rows > 16) MoveSums<2, kLoad>(at + 16 * c.line, c.line, rows - 16, cols, spare);
  if (rows > 16 && cols > 16)
    MoveSums<3, kLoad>(at + 16 * c.line + c.jump, c.line, rows - 16, cols - 16, spare);
}

template <Kind kKind>
void Multiply(const Part& p) {
  alignas(64) int32_t spare[256] = {};
  PackRight<kKind == Kind::kI8 ? 1 : 2>(p.b, p.depth, p.cols, p.right);
  const ptrdiff_t tiles = RoundedUp(p.depth, 64) / 64;
  const ptrdiff_t a_next = tiles * kTile;
  // Results are read again after the next block, when they have left the store buffer.
  Block last;
  const Config config;
  asm volatile("ldtilecfg %0" ::"m"(config) : "memory");
  for (ptrdiff_t n = 0; n < p.cols; n += 32) {
    const uint8_t* const panel = p.right + n / 32 * 2 * a_next;
    const ptrdiff_t cols = std::min<ptrdiff_t>(32, p.cols - n);
    for (ptrdiff_t m = 0; m < p.rows; m += 32) {
      const ptrdiff_t rows = std::min<ptrdiff_t>(32, p.rows - m);
      int32_t* const at = p.c.at + n / 16 * p.c.jump + m * p.c.line;
      const int32_t* near = nullptr;
      if (p.fresh) {
        PTO_TILE_ZERO(0);
        PTO_TILE_ZERO(1);
        PTO_TILE_ZERO(2);
        PTO_TILE_ZERO(3);
        near = at;
      } else {
        MoveAllSums<true>(at, p.c, rows, cols, spare);
      }
      const uint8_t* const from = p.left + m / 16 * a_next;
      if (rows > 16 && cols > 16) {
        Sums<kKind, true, true>(from, a_next, panel, tiles, near, p.c.line, p.c.jump);
      } else if (rows > 16) {
        Sums<kKind, true, false>(from, a_next, panel, tiles, near, p.c.line, p.c.jump);
      } else if (cols > 16) {
        Sums<kKind, false, true>(from, a_next, panel, tiles, near, p.c.line, p.c.jump);
      } else {
        Sums<kKind, false, false>(from, a_next, panel, tiles, near, p.c.line, p.c.jump);
      }
      MoveAllSums<false>(at, p.c, rows, cols, spare);
      if (kKind == Kind::kI8 || !p.finish) continue;
      FinishNaN(last, p.c);
      last = {at, rows, cols};
    }
  }
  FinishNaN(last, p.c);
  // Else each switch of threads would save the tiles.
  asm volatile("tilerelease" ::: "memory");
}

}  // namespace

void PackLeft(const Left& a, ptrdiff_t rows, ptrdiff_t depth, uint8_t* out) {
  for (ptrdiff_t m = 0; m < rows; m += 16) {
    for (ptrdiff_t q = 0; q < depth; q += 64, out += kTile) {
      const uint8_t* low = a.at + q / 32 * a.jump + m * a.line;
      const ptrdiff_t rest = depth - q;
      if (rows - m >= 16 && rest >= 64) {
        for (ptrdiff_t i = 0; i < 16; ++i, low += a.line) {
          _mm512_store_si512(out + 64 * i, Halves(Load32(low), Load32(low + a.jump)));
        }
        continue;
      }
      for (ptrdiff_t i = 0; i < 16; ++i) {
        const bool there = m + i < rows;
        const uint8_t* from = there ? low + i * a.line : low;
        const __m256i x = _mm256_maskz_loadu_epi8(there ? First32(rest) : 0, from);
        const bool second = there && rest > 32;
        const __m256i y =
            _mm256_maskz_loadu_epi8(second ? First32(rest - 32) : 0, second ? from + a.jump : from);
        _mm512_store_si512(out + 64 * i, Halves(x, y));
      }
    }
  }
}

void MultiplyI8(const Part& part) { Multiply<Kind::kI8>(part); }
void MultiplyBF16(const Part& part) { Multiply<Kind::kBF16>(part); }

HWY_POP_ATTRIBUTES

}  // namespace pto::amx

#else

namespace pto::amx {

bool Present() { return false; }
bool Granted() { return false; }
void PackLeft(const Left&, ptrdiff_t, ptrdiff_t, uint8_t*) {}
void MultiplyI8(const Part&) {}
void MultiplyBF16(const Part&) {}

}  // namespace pto::amx

#endif
