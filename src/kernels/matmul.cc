// Products of matrices: a block of rows and vectors of columns stays in registers while k runs.
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "src/kernels/amx.h"
#include "src/kernels/matmul.h"
#include "src/kernels/pickers.h"
#include "src/kernels/tuning.h"
#include "src/kernels/unroll.h"

#include "src/kernels/each_target.h"
// After each_target.h.
#include "src/kernels/fma-inl.h"
#include "src/kernels/paired-inl.h"
#include "src/kernels/panels-inl.h"
#include "src/kernels/range-inl.h"

// Sums of two products of 16 bits each.
#undef PTO_DOT_PAIRS
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
#define PTO_DOT_PAIRS 1
#else
#define PTO_DOT_PAIRS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

constexpr size_t kLanes = hn::MaxLanes(DF());

// How many rows and vectors fill the registers: 16 of AVX2, 32 of NEON. AVX-512 has room for 14
// rows, and is fastest with 16 sums. Where multiply-adds are emulated their temporaries fill them.
#if !PTO_FMA
constexpr int kRows = 2;
constexpr int kVectors = 2;
#elif PTO_AVX512
constexpr int kRows = 8;
constexpr int kVectors = 2;
#elif HWY_TARGET == HWY_AVX2
constexpr int kRows = 6;
constexpr int kVectors = 2;
#else
constexpr int kRows = 6;
constexpr int kVectors = 4;
#endif

// Rows of a block by its vectors: a single vector needs more sums to hide their latency.
constexpr int RowsOf(int vectors) { return PTO_AVX512 && vectors == 1 ? 2 * kRows : kRows; }

// The right matrix has f32, or what Source makes one.
template <class Source>
struct ProductOf {
  using V = VF;
  using Right = VF;
  using Element = typename Source::T;
  static constexpr int kLeftWords = 1;
  static constexpr bool kOffset = false;
  static constexpr bool kPaired = false;
  static HWY_INLINE V Zero() { return hn::Zero(DF()); }
  static HWY_INLINE V Load(const uint32_t* from) { return FromBits(hn::LoadU(DU(), from)); }
  static HWY_INLINE void Store(V v, uint32_t* to) { hn::StoreU(Bits(v), DU(), to); }
  static constexpr bool kNaN = true;
  static HWY_INLINE Right LoadRight(const Element* from) { return Source::Load(from); }
  static HWY_INLINE V Step(const uint32_t* left, Right right, V sum) {
    float x;
    std::memcpy(&x, left, sizeof x);
    return Fma(hn::Set(DF(), x), right, sum);
  }
};
using ProductF32 = ProductOf<AsStored<float>>;

// The same in the order of sums of bf16.
template <class Source>
struct PairedOf : ProductOf<Source> {
  static constexpr bool kPaired = true;
};

// Words of four bytes of k each.
struct SumI32 {
  using V = VI;
  static constexpr bool kPaired = false;
  using Element = uint32_t;
  static HWY_INLINE V Zero() { return hn::Zero(DI()); }
  static HWY_INLINE V Load(const uint32_t* from) {
    return hn::BitCast(DI(), hn::LoadU(DU(), from));
  }
  static HWY_INLINE void Store(V v, uint32_t* to) { hn::StoreU(hn::BitCast(DU(), v), DU(), to); }
  static constexpr bool kNaN = false;
};

#if PTO_AVX512
// Dot products of four bytes, which most processors with AVX-512 have, where Highway's AVX3 does
// not count on them. The instruction takes unsigned bytes on one side: the left ones are 128 too
// large, and 128 times the sum of a column is subtracted before.
struct DotI8 : SumI32 {
  using Right = VI;
  static constexpr int kLeftWords = 1;
  static constexpr bool kOffset = true;
  static HWY_INLINE Right LoadRight(const uint32_t* from) { return Load(from); }
  static HWY_INLINE V Dot(VI left, Right right, V sum) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(left.raw), "v"(right.raw));
    return sum;
  }
  static HWY_INLINE V Step(const uint32_t* left, Right right, V sum) {
    int32_t x;
    std::memcpy(&x, left, sizeof x);
    return Dot(hn::Set(DI(), x), right, sum);
  }
  static HWY_INLINE V Excess(Right right, V sum) {
    return Dot(hn::Set(DI(), static_cast<int32_t>(0x80808080)), right, sum);
  }
};
struct LeftDotI8 {
  static constexpr size_t kEach = 1;
  static HWY_INLINE void Put(uint32_t word, uint32_t* out) { *out = word ^ 0x80808080u; }
  template <class D>
  static HWY_INLINE void PutAll(D d, hn::Vec<D> words, uint32_t* out) {
    hn::StoreU(hn::Xor(words, hn::Set(d, 0x80808080u)), d, out);
  }
  // `bytes` bytes, at most a vector, followed by zeros.
  static HWY_INLINE void PutSome(const uint8_t* in, size_t bytes, uint32_t* out) {
    const hn::ScalableTag<uint8_t> d8;
    const VU words = hn::BitCast(DU(), hn::MaskedLoad(hn::FirstN(d8, bytes), d8, in));
    const VU moved = hn::Xor(words, hn::Set(DU(), 0x80808080u));
    hn::BlendedStore(moved, hn::FirstN(DU(), (bytes + 3) / 4), DU(), out);
  }
};
#endif

#if PTO_DOT_PAIRS
// Even and odd bytes as pairs of 16 bits.
struct ProductI8 : SumI32 {
  using D16S = hn::Repartition<int16_t, DI>;
  struct Right {
    hn::Vec<D16S> even, odd;
  };
  static constexpr int kLeftWords = 2;
  static constexpr bool kOffset = false;
  static HWY_INLINE Right LoadRight(const uint32_t* from) {
    const auto v = hn::BitCast(D16S(), Load(from));
    return {hn::ShiftRight<8>(hn::ShiftLeft<8>(v)), hn::ShiftRight<8>(v)};
  }
  static HWY_INLINE V Pairs(const uint32_t* left, hn::Vec<D16S> right, V sum) {
    int32_t x;
    std::memcpy(&x, left, sizeof x);
    V none = Zero();
    return hn::ReorderWidenMulAccumulate(DI(), hn::BitCast(D16S(), hn::Set(DI(), x)), right, sum,
                                         none);
  }
  static HWY_INLINE V Step(const uint32_t* left, const Right& right, V sum) {
    return Pairs(left + 1, right.odd, Pairs(left, right.even, sum));
  }
};
struct LeftI8 {
  static constexpr size_t kEach = 2;
  static HWY_INLINE uint32_t Pair(uint32_t word, int low) {
    const auto at = [word](int shift) {
      return static_cast<uint32_t>(static_cast<int8_t>(word >> shift));
    };
    return (at(low) & 0xffff) | at(low + 16) << 16;
  }
  static HWY_INLINE void Put(uint32_t word, uint32_t* out) {
    out[0] = Pair(word, 0);
    out[1] = Pair(word, 8);
  }
  template <class D>
  static HWY_INLINE void PutAll(D d, hn::Vec<D> words, uint32_t* out) {
    const auto v = hn::BitCast(hn::Repartition<int16_t, D>(), words);
    const auto even = hn::BitCast(d, hn::ShiftRight<8>(hn::ShiftLeft<8>(v)));
    hn::StoreInterleaved2(even, hn::BitCast(d, hn::ShiftRight<8>(v)), d, out);
  }
};
#else
struct ProductI8 : SumI32 {
  using Right = VI;
  static constexpr int kLeftWords = 4;
  static constexpr bool kOffset = false;
  static HWY_INLINE Right LoadRight(const uint32_t* from) { return Load(from); }
  template <int kByte>
  static HWY_INLINE V One(const uint32_t* left, Right right, V sum) {
    int32_t x;
    std::memcpy(&x, left + kByte, sizeof x);
    const VI byte = hn::ShiftRight<24>(hn::ShiftLeft<24 - 8 * kByte>(right));
    return hn::Add(sum, hn::Mul(hn::Set(DI(), x), byte));
  }
  static HWY_INLINE V Step(const uint32_t* left, Right right, V sum) {
    return One<3>(left, right, One<2>(left, right, One<1>(left, right, One<0>(left, right, sum))));
  }
};
struct LeftI8 {
  static constexpr size_t kEach = 4;
  static HWY_INLINE void Put(uint32_t word, uint32_t* out) {
    for (int i = 0; i < 4; ++i) {
      const auto byte = static_cast<int8_t>(word >> 8 * i);
      out[i] = static_cast<uint32_t>(static_cast<int32_t>(byte));
    }
  }
  template <class D>
  static HWY_INLINE void PutAll(D d, hn::Vec<D> words, uint32_t* out) {
    HWY_ALIGN uint32_t some[hn::MaxLanes(D())];
    hn::StoreU(words, d, some);
    for (size_t i = 0; i < hn::MaxLanes(D()); ++i) Put(some[i], out + kEach * i);
  }
};
#endif

// Each NaN of some rows becomes the canonical one.
static HWY_NOINLINE void FinishNaN(const MatMulStrip& s, uint32_t* c, ptrdiff_t rows,
                                   ptrdiff_t vectors) {
  for (ptrdiff_t r = 0; r < rows; ++r) {
    for (ptrdiff_t v = 0; v < vectors; ++v) {
      uint32_t* const at = c + r * s.c_line + v * s.c_vector;
      ProductF32::Store(CanonicalNaN(ProductF32::Load(at)), at);
    }
  }
}

// A NaN among the sums makes theirs one. The adders that look for it are idle while others
// multiply, those that compare are not.
template <int kCount, int kWide>
HWY_INLINE bool NaNAmong(const VF (&sum)[kCount][kWide]) {
  constexpr int kSums = kCount * kWide;
  constexpr int kChains = kSums < 4 ? kSums : 4;
  VF total[kChains];
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kSums; ++i) {
    const VF& one = sum[i / kWide][i % kWide];
    total[i % kChains] = i < kChains ? one : hn::Add(total[i % kChains], one);
  }
  PTO_UNROLL_WHOLE
  for (int i = 1; i < kChains; ++i) total[0] = hn::Add(total[0], total[i]);
  return AnyNaN(total[0], total[0]);
}

// kCount rows from `a` and `c` on. Of three rows each a pointer moves: more registers than that
// no loop has for addresses.
template <class Product, int kCount, int kWide>
static HWY_NOINLINE void RowBlock(const MatMulStrip& s, const uint32_t* a, uint32_t* c,
                                  const typename Product::V* excess) {
  using V = typename Product::V;
  constexpr int kPointers = (kCount + 2) / 3;
  // What is stored could be a field of s for all that the compiler knows.
  const ptrdiff_t c_line = s.c_line;
  const ptrdiff_t c_vector = s.c_vector;
  V sum[kCount][kWide];
  PTO_UNROLL_WHOLE
  for (int r = 0; r < kCount; ++r) {
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) {
      sum[r][v] = s.fresh ? Product::Zero() : Product::Load(c + r * c_line + v * c_vector);
      if constexpr (Product::kOffset) sum[r][v] = hn::Sub(sum[r][v], excess[v]);
    }
  }
  const uint32_t* left[kPointers];
  PTO_UNROLL_WHOLE
  for (int p = 0; p < kPointers; ++p) left[p] = a + 3 * p * s.a_line;
  const auto* right = static_cast<const typename Product::Element*>(s.b);
  const ptrdiff_t b_line = s.b_line;
  const ptrdiff_t line = s.a_line;
  const ptrdiff_t step = s.a_step;
  const ptrdiff_t over = s.a_jump - static_cast<ptrdiff_t>(s.run) * step;
  // At least once: a loop that may end before it begins keeps the sums twice.
  size_t rest = s.groups;
  do {
    const size_t run = std::min(rest, s.run);
    const auto one = [&](ptrdiff_t at) HWY_ATTR {
      typename Product::Right b[kWide];
      PTO_UNROLL_WHOLE
      for (int v = 0; v < kWide; ++v) {
        b[v] = Product::LoadRight(right + v * static_cast<int>(kLanes));
      }
      PTO_UNROLL_WHOLE
      for (int r = 0; r < kCount; ++r) {
        PTO_UNROLL_WHOLE
        for (int v = 0; v < kWide; ++v) {
          sum[r][v] = Product::Step(left[r / 3] + r % 3 * line + at, b[v], sum[r][v]);
        }
      }
      right += b_line;
    };
    size_t k = 0;
    // Steps whose distance is known share the moves of the pointers: 256 sums of f32 take 50 ns
    // instead of 59.
    constexpr bool kTwo = PTO_AVX512 && std::is_same_v<Product, ProductF32> && kCount * kWide >= 14;
    for (; kTwo && step == 1 && k + 2 <= run; k += 2) {
      one(0);
      one(1);
      PTO_UNROLL_WHOLE
      for (int p = 0; p < kPointers; ++p) left[p] += 2;
    }
    for (; k < run; ++k) {
      one(0);
      PTO_UNROLL_WHOLE
      for (int p = 0; p < kPointers; ++p) left[p] += step;
    }
    PTO_UNROLL_WHOLE
    for (int p = 0; p < kPointers; ++p) left[p] += over;
    rest -= run;
  } while (rest != 0);
  uint32_t* to = c;
  PTO_UNROLL_WHOLE
  for (int r = 0; r < kCount; ++r, to += c_line) {
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) Product::Store(sum[r][v], to + v * c_vector);
  }
  if constexpr (Product::kNaN) {
    if (s.finish && HWY_UNLIKELY(NaNAmong(sum))) FinishNaN(s, c, kCount, kWide);
  }
}

template <class Product>
using BlockOf = void (*)(const MatMulStrip& s, const uint32_t* a, uint32_t* c,
                         const typename Product::V* excess);

template <class Product, int kWide, int... kCounts>
constexpr std::array<BlockOf<Product>, sizeof...(kCounts)> BlocksOf(
    std::integer_sequence<int, kCounts...>) {
  return {RowBlock<Product, kCounts + 1, kWide>...};
}

// Blocks have nearly the same number of rows: small ones wait for their sums.
template <int kMost, class Blocks, class Extra>
HWY_INLINE void EachBlock(const MatMulStrip& s, const Blocks& blocks, Extra extra) {
  if (s.rows <= static_cast<size_t>(kMost)) {
    return blocks[s.rows - 1](s, static_cast<const uint32_t*>(s.a), static_cast<uint32_t*>(s.c),
                              extra);
  }
  // With 32 bits: sums of 64 bits take twice as long.
  const auto rows = static_cast<uint32_t>(s.rows);
  const uint32_t parts = (rows + kMost - 1) / kMost;
  const uint32_t least = rows / parts;
  const uint32_t longer = rows - parts * least;
  const auto* a = static_cast<const uint32_t*>(s.a);
  auto* c = static_cast<uint32_t*>(s.c);
  for (uint32_t i = 0; i < parts; ++i) {
    const uint32_t count = least + (i < longer ? 1 : 0);
    blocks[count - 1](s, a, c, extra);
    a += static_cast<ptrdiff_t>(count) * s.a_line;
    c += static_cast<ptrdiff_t>(count) * s.c_line;
  }
}

template <class Product, int kWide>
static HWY_INLINE void Rows(const MatMulStrip& s) {
  constexpr int kMost = RowsOf(kWide);
  static constexpr auto kBlocks =
      BlocksOf<Product, kWide>(std::make_integer_sequence<int, kMost>());
  typename Product::V excess[kWide];
  for (auto& sum : excess) sum = Product::Zero();
  if constexpr (Product::kOffset) {
    const auto* right = static_cast<const typename Product::Element*>(s.b);
    for (size_t k = 0; k < s.groups; ++k, right += s.b_line) {
      PTO_UNROLL_WHOLE
      for (int v = 0; v < kWide; ++v) {
        const auto b = Product::LoadRight(right + v * static_cast<int>(kLanes));
        excess[v] = Product::Excess(b, excess[v]);
      }
    }
  }
  EachBlock<kMost>(s, kBlocks, static_cast<const typename Product::V*>(excess));
}

// `count` steps of a chain; each takes the next but one element along k.
template <class Product, int kCount, int kWide>
HWY_INLINE void PairedChain(VF (&sum)[kCount][kWide], const uint32_t* a, const MatMulStrip& s,
                            const typename Product::Element* right, size_t count) {
  constexpr int kPointers = (kCount + 2) / 3;
  const ptrdiff_t line = s.a_line;
  const ptrdiff_t step = 2 * s.a_step;
  const ptrdiff_t b_line = 2 * s.b_line;
  const uint32_t* left[kPointers];
  PTO_UNROLL_WHOLE
  for (int p = 0; p < kPointers; ++p) left[p] = a + 3 * p * line;
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kCount * kWide; ++i) sum[i / kWide][i % kWide] = hn::Zero(DF());
  for (size_t k = 0; k < count; ++k) {
    VF b[kWide];
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) {
      b[v] = Product::LoadRight(right + v * static_cast<int>(kLanes));
    }
    PTO_UNROLL_WHOLE
    for (int r = 0; r < kCount; ++r) {
      float x;
      std::memcpy(&x, left[r / 3] + r % 3 * line, sizeof x);
      PTO_UNROLL_WHOLE
      for (int v = 0; v < kWide; ++v) {
        sum[r][v] = PairedStep(hn::Set(DF(), x), b[v], sum[r][v]);
      }
    }
    PTO_UNROLL_WHOLE
    for (int p = 0; p < kPointers; ++p) left[p] += step;
    right += b_line;
  }
  // Beyond the last element there is +0 * +0, which makes a -0 another zero. Where nothing but the
  // sum of both chains is added to +0, no result has the sign of a zero of one of them.
  const bool alone = s.fresh && s.groups <= kPairedDepth;
  if (count == kPairedDepth / 2 || alone) return;
  PTO_UNROLL_WHOLE
  for (int i = 0; i < kCount * kWide; ++i) {
    VF& one = sum[i / kWide][i % kWide];
    one = hn::Add(one, hn::Zero(DF()));
  }
}

// Writes the results to c. Returns whether there may be a NaN.
template <class Product, int kCount, int kWide>
static HWY_NOINLINE bool PairedSums(const MatMulStrip& s, const uint32_t* a, const uint32_t* c,
                                    VF (&total)[kCount][kWide]) {
  PTO_UNROLL_WHOLE
  for (int r = 0; r < kCount; ++r) {
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) {
      total[r][v] = s.fresh ? Product::Zero()
                            : ZeroIfNoMode(Product::Load(c + r * s.c_line + v * s.c_vector));
    }
  }
  const auto* right = static_cast<const typename Product::Element*>(s.b);
  for (size_t rest = s.groups; rest != 0;) {
    const size_t count = std::min(rest, kPairedDepth);
    // One chain after the other: both at once would have half the rows.
    VF even[kCount][kWide];
    VF odd[kCount][kWide];
    PairedChain<Product>(even, a, s, right, (count + 1) / 2);
    PairedChain<Product>(odd, a + s.a_step, s, right + s.b_line, count / 2);
    PTO_UNROLL_WHOLE
    for (int r = 0; r < kCount; ++r) {
      PTO_UNROLL_WHOLE
      for (int v = 0; v < kWide; ++v) {
        total[r][v] = PairedAdd(total[r][v], PairedAdd(even[r][v], odd[r][v]));
      }
    }
    a += static_cast<ptrdiff_t>(kPairedDepth) * s.a_step;
    right += static_cast<ptrdiff_t>(kPairedDepth) * s.b_line;
    rest -= count;
  }
  return NaNAmong(total);
}

// As RowBlock().
template <class Product, int kCount, int kWide>
static HWY_NOINLINE void PairedBlock(const MatMulStrip& s, const uint32_t* a, uint32_t* c,
                                     PairedMode* mode) {
  VF total[kCount][kWide];
  bool nan = PairedSums<Product, kCount, kWide>(s, a, c, total);
  if (HWY_UNLIKELY(mode->Again(nan))) nan = PairedSums<Product, kCount, kWide>(s, a, c, total);
  PTO_UNROLL_WHOLE
  for (int r = 0; r < kCount; ++r) {
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) Product::Store(total[r][v], c + r * s.c_line + v * s.c_vector);
  }
  if (HWY_UNLIKELY(nan && s.finish)) FinishNaN(s, c, kCount, kWide);
}

using PairedBlockOf = void (*)(const MatMulStrip& s, const uint32_t* a, uint32_t* c,
                               PairedMode* mode);

template <class Product, int kWide, int... kCounts>
constexpr std::array<PairedBlockOf, sizeof...(kCounts)> PairedBlocksOf(
    std::integer_sequence<int, kCounts...>) {
  return {PairedBlock<Product, kCounts + 1, kWide>...};
}

template <class Product, int kWide>
static HWY_INLINE void PairedRows(const MatMulStrip& s) {
  constexpr int kMost = RowsOf(kWide);
  static constexpr auto kBlocks =
      PairedBlocksOf<Product, kWide>(std::make_integer_sequence<int, kMost>());
  PairedMode mode(s.soon);
  EachBlock<kMost>(s, kBlocks, &mode);
}

// No product at all.
template <class Product>
static HWY_NOINLINE void Nothing(const MatMulStrip& s) {
  auto* c = static_cast<uint32_t*>(s.c);
  for (size_t r = 0; r < s.rows; ++r, c += s.c_line) {
    for (size_t v = 0; v < s.vectors; ++v) {
      uint32_t* const at = c + static_cast<ptrdiff_t>(v) * s.c_vector;
      auto sum = s.fresh ? Product::Zero() : Product::Load(at);
      if constexpr (Product::kPaired) sum = ZeroIfSubnormal(sum);
      if constexpr (Product::kNaN) {
        if (s.finish) sum = CanonicalNaN(sum);
      }
      Product::Store(sum, at);
    }
  }
}

template <class Product, int kWide>
static HWY_INLINE void StripOf(const MatMulStrip& s) {
  if constexpr (Product::kPaired) {
    PairedRows<Product, kWide>(s);
  } else {
    Rows<Product, kWide>(s);
  }
}

template <class Product>
static void Strip(const MatMulStrip& s) {
  if (HWY_UNLIKELY(s.groups == 0)) return Nothing<Product>(s);
  switch (s.vectors) {
    case 1:
      return StripOf<Product, 1>(s);
    case 2:
      return StripOf<Product, 2>(s);
#if PTO_FMA && !PTO_AVX512 && HWY_TARGET != HWY_AVX2
    case 3:
      return StripOf<Product, 3>(s);
    default:
      return StripOf<Product, 4>(s);
#else
    default:
      return;
#endif
  }
}

// The number of rows of b that memory streams best: rows that are a page from each
// other meet in one place of the cache.
static void RowF32(const MatMulStrip& s) {
  constexpr size_t kStreams = PTO_AVX512 ? 4 : 6;
  constexpr auto kStep = static_cast<ptrdiff_t>(kLanes);
  const auto* a = static_cast<const uint32_t*>(s.a);
  auto* const c = static_cast<uint32_t*>(s.c);
  const auto* b = static_cast<const uint32_t*>(s.b);
  bool fresh = s.fresh;
  size_t in_run = 0;
  for (size_t rest = s.groups; rest != 0 || fresh || s.finish;) {
    const size_t count = std::min(std::min(rest, kStreams), s.run - in_run);
    VF x[kStreams];
    for (size_t k = 0; k < kStreams; ++k) {
      float value = 0;
      if (k < count) std::memcpy(&value, a + static_cast<ptrdiff_t>(k) * s.a_step, sizeof value);
      x[k] = hn::Set(DF(), value);
    }
    const bool last = rest == count;
    for (size_t v = 0; v < s.vectors; ++v) {
      uint32_t* const at = c + static_cast<ptrdiff_t>(v) * s.c_vector;
      const uint32_t* from = b + static_cast<ptrdiff_t>(v) * kStep;
      VF sum = fresh ? hn::Zero(DF()) : ProductF32::Load(at);
      if (HWY_LIKELY(count == kStreams)) {
        PTO_UNROLL_WHOLE
        for (size_t k = 0; k < kStreams; ++k, from += s.b_line) {
          sum = Fma(x[k], ProductF32::Load(from), sum);
        }
      } else {
        for (size_t k = 0; k < count; ++k, from += s.b_line) {
          sum = Fma(x[k], ProductF32::Load(from), sum);
        }
      }
      ProductF32::Store(last && s.finish ? CanonicalNaN(sum) : sum, at);
    }
    fresh = false;
    if (last) break;
    rest -= count;
    b += static_cast<ptrdiff_t>(count) * s.b_line;
    a += static_cast<ptrdiff_t>(count) * s.a_step;
    in_run += count;
    if (in_run == s.run) {
      a += s.a_jump - static_cast<ptrdiff_t>(s.run) * s.a_step;
      in_run = 0;
    }
  }
}

// Where widening is an instruction or two, to do it in each of two or three blocks of rows is less
// than once to memory and back.
constexpr uint8_t kFewRows = PTO_AVX512 ? 16 : HWY_TARGET == HWY_AVX2 ? 18 : 0;

static MatMulKernel PickMatMulHere(DType dtype) {
  MatMulKernel kernel = {};
  kernel.lanes = static_cast<uint8_t>(kLanes);
  kernel.vectors = kVectors;
  kernel.group = dtype == DType::kI8 ? 4 : 1;
  kernel.left_words = 1;
  kernel.turn = PanelTurned;
  kernel.round = RoundFloats;
#if PTO_AVX512
  if ((dtype == DType::kI8 || dtype == DType::kBF16) && amx::Present()) {
    kernel.tiles_depth = dtype == DType::kI8 ? 64 : 32;
    kernel.tiles_from = dtype == DType::kI8 ? 1 << 16 : 1 << 14;
  }
#endif
  if (dtype == DType::kI8) {
    kernel.strip = Strip<ProductI8>;
    kernel.left = LeftOf<LeftI8>;
    kernel.right = RightI8;
    kernel.left_words = ProductI8::kLeftWords;
#if PTO_AVX512
    if ((hwy::SupportedTargets() & HWY_AVX3_DL) != 0) {
      kernel.strip = Strip<DotI8>;
      kernel.left = LeftOf<LeftDotI8>;
      kernel.left_words = DotI8::kLeftWords;
    }
#endif
    return kernel;
  }
  kernel.strip = Strip<ProductF32>;
  kernel.row = RowF32;
  if (dtype != DType::kF32) kernel.few_rows = kFewRows;
  switch (dtype) {
    case DType::kF16:
      kernel.left = kernel.right = PanelOfLines<FromF16>;
      kernel.turn = PanelTurnedPairs<PairF16>;
      if constexpr (kFewRows != 0) kernel.few = Strip<ProductOf<FromF16>>;
      break;
    case DType::kBF16:
      kernel.strip = Strip<PairedOf<AsStored<float>>>;
      kernel.left = kernel.right = PanelOfLines<FactorBF16>;
      kernel.turn = PanelTurnedPairs<PairBF16>;
      if constexpr (kFewRows != 0) kernel.few = Strip<PairedOf<FromBF16>>;
      break;
    default:
      kernel.left = kernel.right = PanelOfLines<AsStored<float>>;
#if PTO_FLUSH_MODE
      if (tuning.assists) {
        kernel.range = RangeOfPanel;
        kernel.rescale = RescalePanel;
        kernel.by_f64 = StripByF64;
      }
#endif
  }
  return kernel;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickMatMulHere);

MatMulKernel PickMatMul(int target, DType dtype) {
  return HWY_DISPATCH_TABLE(PickMatMulHere)[TableIndex(TargetBit(target))](dtype);
}

}  // namespace pto
#endif
