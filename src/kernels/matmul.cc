// Products of matrices: a block of rows and vectors of columns stays in registers while k runs.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "src/kernels/matmul.h"
#include "src/kernels/pickers.h"
#include "src/kernels/unroll.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/matmul.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"
#include "src/kernels/fma-inl.h"

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

// How many rows and vectors fill the registers: 32 of AVX-512 and NEON, 16 of AVX2. Where
// multiply-adds are emulated their temporaries do.
#if !PTO_FMA
constexpr int kRows = 2;
constexpr int kVectors = 2;
#elif PTO_AVX512
constexpr int kRows = 12;
constexpr int kVectors = 2;
#elif HWY_TARGET == HWY_AVX2
constexpr int kRows = 6;
constexpr int kVectors = 2;
#else
constexpr int kRows = 6;
constexpr int kVectors = 4;
#endif

struct ProductF32 {
  using V = VF;
  using Right = VF;
  static constexpr int kLeftWords = 1;
  static constexpr bool kOffset = false;
  static HWY_INLINE V Zero() { return hn::Zero(DF()); }
  static HWY_INLINE V Load(const uint32_t* from) { return FromBits(hn::LoadU(DU(), from)); }
  static HWY_INLINE void Store(V v, uint32_t* to) { hn::StoreU(Bits(v), DU(), to); }
  static HWY_INLINE V Finish(V v) { return CanonicalNaN(v); }
  static HWY_INLINE Right LoadRight(const uint32_t* from) { return Load(from); }
  static HWY_INLINE V Step(const uint32_t* left, Right right, V sum) {
    float x;
    std::memcpy(&x, left, sizeof x);
    return Fma(hn::Set(DF(), x), right, sum);
  }
};

// Words of four bytes of k each.
struct SumI32 {
  using V = VI;
  static HWY_INLINE V Zero() { return hn::Zero(DI()); }
  static HWY_INLINE V Load(const uint32_t* from) {
    return hn::BitCast(DI(), hn::LoadU(DU(), from));
  }
  static HWY_INLINE void Store(V v, uint32_t* to) { hn::StoreU(hn::BitCast(DU(), v), DU(), to); }
  static HWY_INLINE V Finish(V v) { return v; }
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
static void LeftDotI8(uint32_t* out, const int8_t* in, size_t groups) {
  for (size_t i = 0; i < groups; ++i) {
    uint32_t word;
    std::memcpy(&word, in + 4 * i, sizeof word);
    out[i] = word ^ 0x80808080u;
  }
}
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
static void LeftI8(uint32_t* out, const int8_t* in, size_t groups) {
  for (size_t i = 0; i < groups; ++i, in += 4) {
    const auto pair = [](int low, int high) {
      return static_cast<uint32_t>(low & 0xffff) | static_cast<uint32_t>(high) << 16;
    };
    out[2 * i] = pair(in[0], in[2]);
    out[2 * i + 1] = pair(in[1], in[3]);
  }
}
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
static void LeftI8(uint32_t* out, const int8_t* in, size_t groups) {
  for (size_t i = 0; i < 4 * groups; ++i) out[i] = static_cast<uint32_t>(in[i]);
}
#endif

// kCount rows from `a` and `c` on. Of three rows each a pointer moves: more registers than that
// no loop has for addresses.
template <class Product, int kCount, int kWide>
static HWY_NOINLINE void Block(const MatMulStrip& s, const uint32_t* a, uint32_t* c,
                               const typename Product::V* excess) {
  using V = typename Product::V;
  constexpr int kPointers = (kCount + 2) / 3;
  V sum[kCount][kWide];
  PTO_UNROLL_WHOLE
  for (int r = 0; r < kCount; ++r) {
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) {
      sum[r][v] = s.fresh ? Product::Zero() : Product::Load(c + r * s.c_line + v * s.c_vector);
      if constexpr (Product::kOffset) sum[r][v] = hn::Sub(sum[r][v], excess[v]);
    }
  }
  const uint32_t* left[kPointers];
  PTO_UNROLL_WHOLE
  for (int p = 0; p < kPointers; ++p) left[p] = a + 3 * p * s.a_line;
  const auto* right = static_cast<const uint32_t*>(s.b);
  const ptrdiff_t line = s.a_line;
  const ptrdiff_t step = s.a_step;
  const ptrdiff_t over = s.a_jump - static_cast<ptrdiff_t>(s.run) * step;
  for (size_t rest = s.groups; rest != 0;) {
    const size_t run = std::min(rest, s.run);
    for (size_t k = 0; k < run; ++k) {
      typename Product::Right b[kWide];
      PTO_UNROLL_WHOLE
      for (int v = 0; v < kWide; ++v) {
        b[v] = Product::LoadRight(right + v * static_cast<int>(kLanes));
      }
      PTO_UNROLL_WHOLE
      for (int r = 0; r < kCount; ++r) {
        PTO_UNROLL_WHOLE
        for (int v = 0; v < kWide; ++v) {
          sum[r][v] = Product::Step(left[r / 3] + r % 3 * line, b[v], sum[r][v]);
        }
      }
      PTO_UNROLL_WHOLE
      for (int p = 0; p < kPointers; ++p) left[p] += step;
      right += s.b_line;
    }
    for (int p = 0; p < kPointers; ++p) left[p] += over;
    rest -= run;
  }
  PTO_UNROLL_WHOLE
  for (int r = 0; r < kCount; ++r) {
    PTO_UNROLL_WHOLE
    for (int v = 0; v < kWide; ++v) {
      const V value = s.finish ? Product::Finish(sum[r][v]) : sum[r][v];
      Product::Store(value, c + r * s.c_line + v * s.c_vector);
    }
  }
}

template <class Product>
using BlockOf = void (*)(const MatMulStrip& s, const uint32_t* a, uint32_t* c,
                         const typename Product::V* excess);

template <class Product, int kWide, int... kCounts>
constexpr std::array<BlockOf<Product>, sizeof...(kCounts)> BlocksOf(
    std::integer_sequence<int, kCounts...>) {
  return {Block<Product, kCounts + 1, kWide>...};
}

// Blocks of nearly as many rows each: those of few rows wait for their sums.
template <class Product, int kWide>
static HWY_INLINE void Rows(const MatMulStrip& s) {
  static constexpr auto kBlocks =
      BlocksOf<Product, kWide>(std::make_integer_sequence<int, kRows>());
  typename Product::V excess[kWide];
  if constexpr (Product::kOffset) {
    for (int v = 0; v < kWide; ++v) excess[v] = Product::Zero();
    const auto* right = static_cast<const uint32_t*>(s.b);
    for (size_t k = 0; k < s.groups; ++k, right += s.b_line) {
      PTO_UNROLL_WHOLE
      for (int v = 0; v < kWide; ++v) {
        const auto b = Product::LoadRight(right + v * static_cast<int>(kLanes));
        excess[v] = Product::Excess(b, excess[v]);
      }
    }
  }
  const size_t blocks = (s.rows + kRows - 1) / kRows;
  const size_t least = s.rows / blocks;
  const size_t longer = s.rows - blocks * least;
  const auto* a = static_cast<const uint32_t*>(s.a);
  auto* c = static_cast<uint32_t*>(s.c);
  for (size_t i = 0; i < blocks; ++i) {
    const size_t count = least + (i < longer ? 1 : 0);
    kBlocks[count - 1](s, a, c, excess);
    a += static_cast<ptrdiff_t>(count) * s.a_line;
    c += static_cast<ptrdiff_t>(count) * s.c_line;
  }
}

template <class Product>
static void Strip(const MatMulStrip& s) {
  switch (s.vectors) {
    case 1:
      return Rows<Product, 1>(s);
    case 2:
      return Rows<Product, 2>(s);
#if PTO_FMA && !PTO_AVX512 && HWY_TARGET != HWY_AVX2
    case 3:
      return Rows<Product, 3>(s);
    default:
      return Rows<Product, 4>(s);
#else
    default:
      return;
#endif
  }
}

// As many rows of b at a time as memory likes to be read in streams.
static void RowF32(const MatMulStrip& s) {
  constexpr size_t kStreams = 8;
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

static void TurnOne(uint32_t* out, ptrdiff_t out_line, const uint8_t* in, size_t count) {
  for (size_t k = 0; k < count; ++k, in += 4, out += out_line) std::memcpy(out, in, 4);
}

// Four lines at a time, four words of each.
static void Turn(uint32_t* out, ptrdiff_t out_line, const uint8_t* in, ptrdiff_t in_line,
                 size_t lines, size_t count) {
  size_t j = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::Full128<uint32_t> d;
  const hn::Full128<uint64_t> d64;
  for (; j + 4 <= lines; j += 4, in += 4 * in_line, out += 4) {
    const auto load = [&](ptrdiff_t line, size_t k) HWY_ATTR {
      return hn::LoadU(d, reinterpret_cast<const uint32_t*>(in + line * in_line + 4 * k));
    };
    uint32_t* to = out;
    size_t k = 0;
    for (; k + 4 <= count; k += 4, to += 4 * out_line) {
      const auto a = load(0, k), b = load(1, k), c = load(2, k), e = load(3, k);
      const auto ab = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
      const auto ce = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
      const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
      const auto ce_high = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, ab, ce)), d, to);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, ab, ce)), d, to + out_line);
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, ab_high, ce_high)), d, to + 2 * out_line);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, ab_high, ce_high)), d, to + 3 * out_line);
    }
    for (int line = 0; line < 4; ++line) {
      TurnOne(to + line, out_line, in + line * in_line + 4 * k, count - k);
    }
  }
#endif
  for (; j < lines; ++j, in += in_line, ++out) TurnOne(out, out_line, in, count);
}

static void RightI8(uint32_t* out, const int8_t* const in[4], size_t count) {
  size_t j = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::Full128<int8_t> d;
  const hn::Full128<int16_t> d16;
  for (; j + 16 <= count; j += 16, out += 16) {
    const auto a = hn::LoadU(d, in[0] + j), b = hn::LoadU(d, in[1] + j);
    const auto c = hn::LoadU(d, in[2] + j), e = hn::LoadU(d, in[3] + j);
    const auto ab = hn::BitCast(d16, hn::InterleaveLower(d, a, b));
    const auto ce = hn::BitCast(d16, hn::InterleaveLower(d, c, e));
    const auto ab_high = hn::BitCast(d16, hn::InterleaveUpper(d, a, b));
    const auto ce_high = hn::BitCast(d16, hn::InterleaveUpper(d, c, e));
    const hn::Full128<uint32_t> d32;
    hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d16, ab, ce)), d32, out);
    hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d16, ab, ce)), d32, out + 4);
    hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d16, ab_high, ce_high)), d32, out + 8);
    hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d16, ab_high, ce_high)), d32, out + 12);
  }
#endif
  for (; j < count; ++j, ++out) {
    const int8_t bytes[4] = {in[0][j], in[1][j], in[2][j], in[3][j]};
    std::memcpy(out, bytes, 4);
  }
}

static MatMulKernel PickMatMulHere(DType dtype) {
  constexpr auto kWords = static_cast<uint8_t>(kLanes);
#if PTO_AVX512
  if (dtype == DType::kI8 && (hwy::SupportedTargets() & HWY_AVX3_DL) != 0) {
    return {Strip<DotI8>, nullptr,  Turn, LeftDotI8,        RightI8,
            kWords,       kVectors, 4,    DotI8::kLeftWords};
  }
#endif
  if (dtype == DType::kI8) {
    return {Strip<ProductI8>,     nullptr, Turn, LeftI8, RightI8, kWords, kVectors, 4,
            ProductI8::kLeftWords};
  }
  return {Strip<ProductF32>, RowF32, Turn, nullptr, nullptr, kWords, kVectors, 1, 1};
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
