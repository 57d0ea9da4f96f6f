// Kernels that move elements of a width: transposition, short lines, fills, pairs.
#include "src/kernels/shuffle.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "src/kernels/pickers.h"

#include "src/kernels/each_target.h"
// After each_target.h.

#include "src/kernels/turn-inl.h"
#include "src/kernels/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {
namespace {

// ---- transposition ----

// Where no block fits: few lines, or a few columns.
template <typename T>
HWY_INLINE void TransposeElements(const T* src, ptrdiff_t src_line, T* dst, ptrdiff_t dst_line,
                                  size_t lines, size_t count) {
  for (size_t k = 0; k < count; ++k, ++src, dst += dst_line) {
    const T* from = src;
    for (size_t i = 0; i < lines; ++i, from += src_line) std::memcpy(dst + i, from, sizeof(T));
  }
}

#if HWY_TARGET == HWY_SCALAR
template <typename T>
void Transpose(const TransposeGrid& g) {
  TransposeElements(static_cast<const T*>(g.src), g.src_line, static_cast<T*>(g.dst), g.dst_line,
                    g.lines, g.count);
}
#else

// A pointer moved by `elements`, opaque to the compiler: gcc would rather keep all
// multiples of a line, in vector registers where no others are free.
template <typename T>
HWY_INLINE T* Next(T* at, ptrdiff_t elements) {
  at += elements;
  asm("" : "+r"(at));
  return at;
}

// Blocks of kRows x kCols elements become kCols lines of one vector. Its 16-byte parts hold groups
// of kCols rows, which are transposed at once: a perfect shuffle of kCols vectors, repeated until
// each is a column.
template <typename T, size_t kVectorBytes>
struct BlockOf {
  using D = hn::CappedTag<T, kVectorBytes / sizeof(T)>;
  using Part = hn::CappedTag<T, 16 / sizeof(T)>;
  static constexpr size_t kCols = 16 / sizeof(T);
  static constexpr size_t kRows = hn::MaxLanes(D());

  template <size_t kBytes>
  static HWY_INLINE auto Parts(const T* src, ptrdiff_t line) {
    const hn::CappedTag<T, kBytes / sizeof(T)> d;
    if constexpr (kBytes == 16) {
      return hn::LoadU(d, src);
    } else {
      const auto upper = static_cast<ptrdiff_t>(kBytes / 2 / 16 * kCols) * line;
      return hn::Combine(d, Parts<kBytes / 2>(src + upper, line), Parts<kBytes / 2>(src, line));
    }
  }

  static HWY_INLINE void Transpose(const T* HWY_RESTRICT src, ptrdiff_t src_line,
                                   T* HWY_RESTRICT dst, ptrdiff_t dst_line) {
    const D d;
    hn::Vec<D> v[kCols];
    hn::Vec<D> w[kCols];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kCols; ++i, src += src_line)
      v[i] = Parts<kRows * sizeof(T)>(src, src_line);
    PTO_UNROLL_WHOLE
    for (size_t stage = 1; stage < kCols; stage *= 2) {
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kCols / 2; ++i) {
        w[2 * i] = hn::InterleaveLower(d, v[i], v[i + kCols / 2]);
        w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kCols / 2]);
      }
      PTO_UNROLL_WHOLE
      for (size_t i = 0; i < kCols; ++i) v[i] = w[i];
    }
    PTO_UNROLL_WHOLE
    for (size_t k = 0; k < kCols; ++k) {
      hn::StoreU(v[k], d, dst);
      dst = Next(dst, dst_line);
    }
  }
};

#if PTO_AVX512
// Words, sixteen columns of a vector each: loads of whole vectors, and four exchanges a vector.
// Parts of vectors that are put together as they are loaded need the same share of the units that
// exchange, and more loads.
struct SquareOfWords {
  static constexpr size_t kCols = 16;
  static constexpr size_t kRows = 16;
  static HWY_INLINE void Transpose(const uint32_t* HWY_RESTRICT src, ptrdiff_t src_line,
                                   uint32_t* HWY_RESTRICT dst, ptrdiff_t dst_line) {
    const DU d;
    VU v[4], r[kRows];
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < kRows; i += 4) {
      PTO_UNROLL_WHOLE
      for (ptrdiff_t k = 0; k < 4; ++k) v[k] = hn::LoadU(d, src + k * src_line);
      TurnFour(d, v, r + i);
      src = Next(src, 4 * src_line);
    }
    // Block c of r[4 * i + k] is column 4 * c + k of rows 4 * i to 4 * i + 3.
    const ptrdiff_t four = 4 * dst_line;
    PTO_UNROLL_WHOLE
    for (size_t k = 0; k < 4; ++k) {
      const __m512i low = _mm512_shuffle_i32x4(r[k].raw, r[k + 4].raw, 0x44);
      const __m512i high = _mm512_shuffle_i32x4(r[k].raw, r[k + 4].raw, 0xee);
      const __m512i low2 = _mm512_shuffle_i32x4(r[k + 8].raw, r[k + 12].raw, 0x44);
      const __m512i high2 = _mm512_shuffle_i32x4(r[k + 8].raw, r[k + 12].raw, 0xee);
      hn::StoreU(VU{_mm512_shuffle_i32x4(low, low2, 0x88)}, d, dst);
      hn::StoreU(VU{_mm512_shuffle_i32x4(low, low2, 0xdd)}, d, dst + four);
      hn::StoreU(VU{_mm512_shuffle_i32x4(high, high2, 0x88)}, d, dst + 2 * four);
      hn::StoreU(VU{_mm512_shuffle_i32x4(high, high2, 0xdd)}, d, dst + 3 * four);
      dst = Next(dst, dst_line);
    }
  }
};

// Words, eight columns of a vector each.
struct BlockOfWords {
  static constexpr size_t kCols = 8;
  static constexpr size_t kRows = 16;
  static HWY_INLINE void Transpose(const uint32_t* HWY_RESTRICT src, ptrdiff_t src_line,
                                   uint32_t* HWY_RESTRICT dst, ptrdiff_t dst_line) {
    VU v[kCols];
    TurnEight(reinterpret_cast<const uint8_t*>(src), 4 * src_line, v);
    PTO_UNROLL_WHOLE
    for (size_t k = 0; k < kCols; ++k)
      hn::StoreU(v[k], DU(), dst + static_cast<ptrdiff_t>(k) * dst_line);
  }
};
#endif

// A rectangle of at least one block, block by block; the last of a line or column overlaps the one
// before it. Lines of dst are finished before the next ones begin: halves of their cache lines meet
// again before they leave for memory.
template <class B, typename T>
HWY_INLINE void TransposeBlocks(const T* src, ptrdiff_t src_line, T* dst, ptrdiff_t dst_line,
                                size_t lines, size_t count) {
  for (size_t k = 0; k < count; k += B::kCols) {
    const auto col = static_cast<ptrdiff_t>(std::min(k, count - B::kCols));
    const T* from = src + col;
    T* to = dst + col * dst_line;
    for (size_t i = 0;;) {
      B::Transpose(from, src_line, to, dst_line);
      const size_t left = lines - B::kRows - i;
      if (left == 0) break;
      const size_t step = std::min(B::kRows, left);
      i += step;
      from += static_cast<ptrdiff_t>(step) * src_line;
      to += step;
    }
  }
}

// Beyond the first cache, squares of whole cache lines: each is read and written once.
template <class B, typename T>
void TransposeRectangle(const T* src, ptrdiff_t src_line, T* dst, ptrdiff_t dst_line, size_t lines,
                        size_t count) {
  constexpr size_t kSquare = 64 / sizeof(T);
  constexpr size_t kNear = size_t{48} << 10;
  if (2 * lines * count * sizeof(T) <= kNear || lines < 2 * kSquare || count < 2 * kSquare) {
    return TransposeBlocks<B>(src, src_line, dst, dst_line, lines, count);
  }
  for (size_t k = 0; k < count; k += kSquare) {
    // The rest is at least a square.
    const size_t width = count - k < 2 * kSquare ? count - k : kSquare;
    const auto col = static_cast<ptrdiff_t>(k);
    for (size_t i = 0; i < lines; i += kSquare) {
      const size_t height = lines - i < 2 * kSquare ? lines - i : kSquare;
      const auto row = static_cast<ptrdiff_t>(i);
      TransposeBlocks<B>(src + row * src_line + col, src_line, dst + col * dst_line + row, dst_line,
                         height, width);
      if (height != kSquare) break;
    }
    if (width != kSquare) break;
  }
}

template <typename T>
void Transpose(const TransposeGrid& g) {
  using Wide = BlockOf<T, 32>;
  using Narrow = BlockOf<T, 16>;
  const T* src = static_cast<const T*>(g.src);
  T* dst = static_cast<T*>(g.dst);
#if PTO_AVX512
  if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
    if constexpr (sizeof(T) == 4) {
      if (g.lines >= SquareOfWords::kRows && g.count >= SquareOfWords::kCols) {
        return TransposeRectangle<SquareOfWords>(src, g.src_line, dst, g.dst_line, g.lines,
                                                 g.count);
      }
    }
    using Widest = std::conditional_t<sizeof(T) == 4, BlockOfWords, BlockOf<T, 64> >;
    if (g.lines >= Widest::kRows && g.count >= Widest::kCols) {
      return TransposeRectangle<Widest>(src, g.src_line, dst, g.dst_line, g.lines, g.count);
    }
  }
#endif
  if (g.lines >= Wide::kRows && g.count >= Wide::kCols) {
    TransposeRectangle<Wide>(src, g.src_line, dst, g.dst_line, g.lines, g.count);
  } else if (g.lines >= Narrow::kRows && g.count >= Narrow::kCols) {
    TransposeBlocks<Narrow>(src, g.src_line, dst, g.dst_line, g.lines, g.count);
  } else {
    TransposeElements(src, g.src_line, dst, g.dst_line, g.lines, g.count);
  }
}
#endif

// ---- lines of bytes: copies and fills ----

// The source of a line: bytes of another one, or the same bytes again and again.
struct Copied {
  const uint8_t* from;
  const uint8_t* At(size_t at) const { return from + at; }
};
struct Filled {
  const uint8_t* value;  // 64 bytes of it
  const uint8_t* At(size_t) const { return value; }
};

template <size_t kBytes>
struct Piece {
  template <class Source>
  static HWY_INLINE void Put(uint8_t* to, const Source& from, size_t at) {
    if constexpr (kBytes >= 16) {
      const hn::CappedTag<uint8_t, kBytes> d;
      hn::StoreU(hn::LoadU(d, from.At(at)), d, to + at);
    } else {
      std::memcpy(to + at, from.At(at), kBytes);
    }
  }
};

#if HWY_TARGET == HWY_SCALAR
constexpr size_t kLongest = 8;
#else
constexpr size_t kLongest = hn::MaxLanes(hn::ScalableTag<uint8_t>());
#endif

// Lines of at least a piece. The last piece of one overlaps the one before it.
template <size_t kBytes, class Source>
HWY_INLINE void PutLines(uint8_t* to, ptrdiff_t to_line, Source from, ptrdiff_t from_line,
                         size_t lines, size_t bytes) {
  using P = Piece<kBytes>;
  const auto next = [&] {
    to += to_line;
    from = {from.At(0) + from_line};
  };
  if (bytes == kBytes) {
    size_t i = 0;
    for (; i + 4 <= lines; i += 4) {
      PTO_UNROLL_WHOLE
      for (ptrdiff_t k = 0; k < 4; ++k)
        P::Put(to + k * to_line, Source{from.At(0) + k * from_line}, 0);
      to += 4 * to_line;
      from = {from.At(0) + 4 * from_line};
    }
    for (; i < lines; ++i, next()) P::Put(to, from, 0);
  } else if (bytes <= 2 * kBytes) {
    for (size_t i = 0; i < lines; ++i, next()) {
      P::Put(to, from, 0);
      P::Put(to, from, bytes - kBytes);
    }
  } else {
    for (size_t i = 0; i < lines; ++i, next()) {
      PTO_UNROLL_4
      for (size_t at = 0; at + kBytes <= bytes; at += kBytes) P::Put(to, from, at);
      P::Put(to, from, bytes - kBytes);
    }
  }
}

template <class Source>
HWY_INLINE void PutAll(uint8_t* to, ptrdiff_t to_line, Source from, ptrdiff_t from_line,
                       size_t lines, size_t bytes) {
  if (bytes >= kLongest) return PutLines<kLongest>(to, to_line, from, from_line, lines, bytes);
  if constexpr (kLongest > 32) {
    if (bytes >= 32) return PutLines<32>(to, to_line, from, from_line, lines, bytes);
  }
  if constexpr (kLongest > 16) {
    if (bytes >= 16) return PutLines<16>(to, to_line, from, from_line, lines, bytes);
  }
  if constexpr (kLongest > 8) {
    if (bytes >= 8) return PutLines<8>(to, to_line, from, from_line, lines, bytes);
  }
  if (bytes >= 4) return PutLines<4>(to, to_line, from, from_line, lines, bytes);
  if (bytes >= 2) return PutLines<2>(to, to_line, from, from_line, lines, bytes);
  if (bytes == 1) PutLines<1>(to, to_line, from, from_line, lines, bytes);
}

constexpr size_t kBoxLine = 32;  // bytes of most boxes

// Pieces of a box's line. Two lie beside one another in what is written: one store, or two
// to one cache line, which some processors do at once.
[[maybe_unused]] HWY_INLINE void PutBeside(uint8_t* to, ptrdiff_t to_step, const uint8_t* from,
                                           ptrdiff_t beside, ptrdiff_t from_step, size_t count) {
  PTO_UNROLL_4
  for (size_t i = 0; i < count; ++i, to += to_step, from += from_step) {
#if HWY_TARGET <= HWY_AVX3
    const hn::CappedTag<uint8_t, 2 * kBoxLine> d;
    const hn::Half<decltype(d)> dh;
    hn::StoreU(hn::Combine(d, hn::LoadU(dh, from + beside), hn::LoadU(dh, from)), d, to);
#else
    Piece<kBoxLine>::Put(to, Copied{from}, 0);
    Piece<kBoxLine>::Put(to + kBoxLine, Copied{from + beside}, 0);
#endif
  }
}

template <typename T>
void Lines(const LinesGrid& g) {
  constexpr auto size = static_cast<ptrdiff_t>(sizeof(T));
  auto* to = static_cast<uint8_t*>(g.dst);
  const auto* from = static_cast<const uint8_t*>(g.src);
  const ptrdiff_t to_line = g.dst_line * size;
  const ptrdiff_t from_line = g.src_line * size;
  const ptrdiff_t to_panel = g.dst_panel * size;
  const ptrdiff_t from_panel = g.src_panel * size;
  const size_t bytes = g.count * sizeof(T);
  constexpr ptrdiff_t kBox = kBoxLine;
  size_t panel = 0;
  if constexpr (kLongest >= kBoxLine) {
    if (bytes == kBoxLine && to_panel == kBox) {  // lines of two boxes are one of rows
      for (; panel + 2 <= g.panels; panel += 2, to += 2 * to_panel, from += 2 * from_panel)
        PutBeside(to, to_line, from, from_panel, from_line, g.lines);
    }
    if (bytes == kBoxLine && to_line == kBox) {  // two lines of a box
      for (; panel < g.panels; ++panel, to += to_panel, from += from_panel) {
        PutBeside(to, 2 * kBox, from, from_line, 2 * from_line, g.lines / 2);
        if (g.lines % 2 != 0) {
          const auto last = static_cast<ptrdiff_t>(g.lines - 1);
          Piece<kBoxLine>::Put(to + last * to_line, Copied{from + last * from_line}, 0);
        }
      }
    }
  }
  for (; panel < g.panels; ++panel, to += to_panel, from += from_panel) {
    PutAll(to, to_line, Copied{from}, from_line, g.lines, bytes);
  }
}

template <typename T>
void Fill(const FillGrid& g) {
  constexpr auto size = static_cast<ptrdiff_t>(sizeof(T));
  alignas(64) T value[64 / sizeof(T)];
  for (T& element : value) std::memcpy(&element, g.value, sizeof(T));
  PutAll(static_cast<uint8_t*>(g.dst), g.dst_line * size,
         Filled{reinterpret_cast<const uint8_t*>(value)}, 0, g.lines, g.count * sizeof(T));
}

// ---- pairs ----

struct Zipped {
  template <class D, typename T>
  static HWY_INLINE void Vector(D d, T* whole, T* even, T* odd) {
    hn::StoreInterleaved2(hn::LoadU(d, even), hn::LoadU(d, odd), d, whole);
  }
  template <class D, typename T>
  static HWY_INLINE void Vectors(D d, T* whole, T* even, T* odd) {
    constexpr size_t kLanes = hn::MaxLanes(D());
    Vector(d, whole, even, odd);
    Vector(d, whole + 2 * kLanes, even + kLanes, odd + kLanes);
  }
  template <typename T>
  static HWY_INLINE void Pair(T* whole, T* even, T* odd) {
    std::memcpy(whole, even, sizeof(T));
    std::memcpy(whole + 1, odd, sizeof(T));
  }
};

struct Unzipped {
  template <class D, typename T>
  static HWY_INLINE void Vector(D d, T* whole, T* even, T* odd) {
#if HWY_TARGET == HWY_SCALAR
    hn::Vec<D> v0;
    hn::Vec<D> v1;
    hn::LoadInterleaved2(d, whole, v0, v1);
    hn::StoreU(v0, d, even);
    hn::StoreU(v1, d, odd);
#else
    const auto first = hn::LoadU(d, whole);
    const auto second = hn::LoadU(d, whole + hn::Lanes(d));
    hn::StoreU(hn::ConcatEven(d, second, first), d, even);
    hn::StoreU(hn::ConcatOdd(d, second, first), d, odd);
#endif
  }
  // Two vectors of the one, then of the other: what shares a cache line is written in one go.
  template <class D, typename T>
  static HWY_INLINE void Vectors(D d, T* whole, T* even, T* odd) {
#if HWY_TARGET == HWY_SCALAR
    Vector(d, whole, even, odd);
    Vector(d, whole + 2, even + 1, odd + 1);
#else
    constexpr size_t kLanes = hn::MaxLanes(D());
    const auto a = hn::LoadU(d, whole);
    const auto b = hn::LoadU(d, whole + kLanes);
    const auto c = hn::LoadU(d, whole + 2 * kLanes);
    const auto e = hn::LoadU(d, whole + 3 * kLanes);
    hn::StoreU(hn::ConcatEven(d, b, a), d, even);
    hn::StoreU(hn::ConcatEven(d, e, c), d, even + kLanes);
    hn::StoreU(hn::ConcatOdd(d, b, a), d, odd);
    hn::StoreU(hn::ConcatOdd(d, e, c), d, odd + kLanes);
#endif
  }
  template <typename T>
  static HWY_INLINE void Pair(T* whole, T* even, T* odd) {
    std::memcpy(even, whole, sizeof(T));
    std::memcpy(odd, whole + 1, sizeof(T));
  }
};

// For lines that have a vector's elements: the last vectors of a line overlap those before them.
template <class Direction, class D, typename T>
HWY_INLINE void PairLines(D d, const ZipGrid& g, T* whole, T* even, T* odd) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  // One vector per line, as for 64 x 64, is 10 to 25 % faster without the loop over a line.
  if (g.pairs == kLanes) {
    for (size_t i = 0; i < g.lines; ++i) {
      Direction::Vector(d, whole, even, odd);
      whole += g.whole_line, even += g.even_line, odd += g.odd_line;
    }
    return;
  }
  for (size_t i = 0; i < g.lines;
       ++i, whole += g.whole_line, even += g.even_line, odd += g.odd_line) {
    size_t k = 0;
    if constexpr (kLanes * sizeof(T) < 64) {
      for (; k + 2 * kLanes <= g.pairs; k += 2 * kLanes)
        Direction::Vectors(d, whole + 2 * k, even + k, odd + k);
    }
    for (; k + kLanes <= g.pairs; k += kLanes)
      Direction::Vector(d, whole + 2 * k, even + k, odd + k);
    if (k != g.pairs) {
      k = g.pairs - kLanes;
      Direction::Vector(d, whole + 2 * k, even + k, odd + k);
    }
  }
}

// With the widest vectors that a line fills, of kMost elements, half of them and so on down to 16
// bytes.
template <class Direction, size_t kMost, typename T>
HWY_INLINE void PairsUpTo(const ZipGrid& g, T* whole, T* even, T* odd) {
  const hn::CappedTag<T, kMost> d;
  constexpr size_t kLanes = hn::MaxLanes(d);
  if (g.pairs >= kLanes) return PairLines<Direction>(d, g, whole, even, odd);
  if constexpr (kLanes * sizeof(T) > 16) {
    return PairsUpTo<Direction, kLanes / 2>(g, whole, even, odd);
  }
  for (size_t i = 0; i < g.lines;
       ++i, whole += g.whole_line, even += g.even_line, odd += g.odd_line) {
    for (size_t k = 0; k < g.pairs; ++k) Direction::Pair(whole + 2 * k, even + k, odd + k);
  }
}

template <class Direction, typename T>
void Pairs(const ZipGrid& g) {
  PairsUpTo<Direction, hn::MaxLanes(hn::ScalableTag<T>())>(
      g, static_cast<T*>(g.whole), static_cast<T*>(g.even), static_cast<T*>(g.odd));
}

template <typename T>
constexpr Shuffles kShuffles = {Transpose<T>, Lines<T>, Fill<T>, Pairs<Zipped, T>,
                                Pairs<Unzipped, T>};

// ---- halves of bytes ----
using DByte = hn::ScalableTag<uint8_t>;
using VByte = hn::Vec<DByte>;

// The last vector overlaps the one before it.
template <class Vector>
HWY_INLINE void OverBytes(size_t bytes, Vector vector) {
  constexpr size_t kLanes = hn::MaxLanes(DByte());
  size_t k = 0;
  for (; k + kLanes <= bytes; k += kLanes) vector(k);
  if (k != bytes) vector(bytes - kLanes);
}

void UnpackNibbles(const uint8_t* packed, size_t bytes, uint8_t* codes) {
  const DByte d;
  if (bytes < hn::MaxLanes(d)) {
    for (size_t k = 0; k < bytes; ++k) {
      codes[2 * k] = packed[k] & 15;
      codes[2 * k + 1] = packed[k] >> 4;
    }
    return;
  }
  OverBytes(bytes, [&](size_t k) HWY_ATTR {
    const VByte both = hn::LoadU(d, packed + k);
    hn::StoreInterleaved2(hn::And(both, hn::Set(d, uint8_t{15})), hn::ShiftRight<4>(both), d,
                          codes + 2 * k);
  });
}

void PackNibbles(const uint8_t* codes, size_t bytes, uint8_t* packed) {
  const DByte d;
  if (bytes < hn::MaxLanes(d)) {
    for (size_t k = 0; k < bytes; ++k) {
      packed[k] = static_cast<uint8_t>((codes[2 * k] & 15) | codes[2 * k + 1] << 4);
    }
    return;
  }
  OverBytes(bytes, [&](size_t k) HWY_ATTR {
    VByte low, high;
    hn::LoadInterleaved2(d, codes + 2 * k, low, high);
    hn::StoreU(hn::Or(hn::And(low, hn::Set(d, uint8_t{15})), hn::ShiftLeft<4>(high)), d,
               packed + k);
  });
}

}  // namespace

static Nibbles PickNibblesHere() { return {UnpackNibbles, PackNibbles}; }

static Shuffles PickShufflesHere(int bytes) {
  return bytes == 1   ? kShuffles<uint8_t>
         : bytes == 2 ? kShuffles<uint16_t>
         : bytes == 4 ? kShuffles<uint32_t>
                      : kShuffles<uint64_t>;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickShufflesHere);
HWY_EXPORT(PickNibblesHere);

Shuffles PickShuffles(int target, int bytes) {
  return HWY_DISPATCH_TABLE(PickShufflesHere)[TableIndex(TargetBit(target))](bytes);
}

Nibbles PickNibbles(int target) {
  return HWY_DISPATCH_TABLE(PickNibblesHere)[TableIndex(TargetBit(target))]();
}

}  // namespace pto
#endif
