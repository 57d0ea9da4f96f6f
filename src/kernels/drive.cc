// The code that depends on the width of the elements only, compiled once for all targets and lane
// functions: lines too short for a block are packed, operands of step 0 are laid out, large results
// go past the caches. Plain C++: moving bytes needs no vector wider than the baseline's.
#include <algorithm>
#include <cstring>

#include "hwy/cache_control.h"
#include "src/kernels/stream.h"
#include "src/kernels/kernels.h"

namespace pto {
namespace {

// Fewer than 64 bytes in overlapping moves; all is read before anything is written.
template <typename T>
[[gnu::always_inline]] inline void CopyShort(const T* from, T* to, size_t count) {
  const auto* f = reinterpret_cast<const uint8_t*>(from);
  auto* t = reinterpret_cast<uint8_t*>(to);
  const size_t bytes = count * sizeof(T);
  const auto ends = [f, t, bytes](auto word) {
    auto last = word;
    std::memcpy(&word, f, sizeof word);
    std::memcpy(&last, f + bytes - sizeof word, sizeof word);
    std::memcpy(t, &word, sizeof word);
    std::memcpy(t + bytes - sizeof word, &last, sizeof word);
  };
  struct Bytes16 {
    uint64_t low, high;
  };
  struct Bytes32 {
    Bytes16 low, high;
  };
  if (bytes >= 32) {
    ends(Bytes32());
  } else if (bytes >= 16) {
    ends(Bytes16());
  } else if (bytes >= 8) {
    ends(uint64_t{0});
  } else if (bytes >= 4) {
    ends(uint32_t{0});
  } else if (bytes >= 2) {
    ends(uint16_t{0});
  } else {
    *t = *f;
  }
}

// In whole words: up to 15 bytes past the end are written, too.
template <typename T>
[[gnu::always_inline]] inline void Fill(T* to, size_t count, T value) {
  T values[16 / sizeof(T)];
  for (T& v : values) v = value;
  // Lines begin anywhere: clang takes a vector type with aligned(1) for an aligned one.
  for (size_t k = 0; k < count; k += 16 / sizeof(T)) std::memcpy(to + k, values, 16);
}
constexpr size_t kSlack = 64;

// Elements that a block may read as if they were a line.
template <typename T, size_t kBytes>
struct Buffer {
  static constexpr size_t kCapacity = kBytes / sizeof(T);
  alignas(64) T at[kCapacity + kSlack / sizeof(T)];
};

// `lines` short lines one after another. May write kSlack bytes past the end.
template <typename T>
void Gather(const T* from, ptrdiff_t line, int32_t step, size_t lines, size_t count, T* to) {
  if (count == 1) {
    for (size_t i = 0; i < lines; ++i, from += line) to[i] = *from;
  } else if (step == 1) {
    for (size_t i = 0; i < lines; ++i, from += line, to += count) CopyShort(from, to, count);
  } else {
    for (size_t i = 0; i < lines; ++i, from += line, to += count) Fill(to, count, *from);
  }
}

template <typename T>
void Scatter(const T* from, size_t lines, size_t count, T* to, ptrdiff_t line) {
  if (count == 1) {
    for (size_t i = 0; i < lines; ++i, to += line) *to = from[i];
  } else {
    for (size_t i = 0; i < lines; ++i, to += line, from += count) CopyShort(from, to, count);
  }
}

// A grid with its element type, which moves on by lines.
template <typename T>
struct Operands {
  explicit Operands(const Grid& g)
      : dst(static_cast<T*>(g.dst)),
        a(static_cast<const T*>(g.a)),
        b(static_cast<const T*>(g.b)),
        c(static_cast<const T*>(g.c)) {}
  void Next(const Grid& g, size_t lines) {
    const auto n = static_cast<ptrdiff_t>(lines);
    dst += n * g.dst_line;
    a += n * g.a_line;
    b += n * g.b_line;
    c += n * g.c_line;
  }
  T* dst;
  const T* a;
  const T* b;
  const T* c;
};

template <typename T>
[[gnu::noinline]] void Packed(const Kernel& k, const Grid& g) {
  Buffer<T, kPackBytes> a, b, c, out;
  Operands<T> at(g);
  const size_t group = a.kCapacity / g.count;
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = std::min(group, g.lines - i);
    const size_t used = lines * g.count;
    const size_t whole = std::max<size_t>(used, k.least);
    // Filled up with operands that occur together.
    const auto pack = [&](const T* from, ptrdiff_t line, int32_t step, T* to) {
      Gather(from, line, step, lines, g.count, to);
      std::fill(to + used, to + whole, to[0]);
    };
    if (k.arity >= 1) pack(at.a, g.a_line, g.a_step, a.at);
    if (k.arity >= 2) pack(at.b, g.b_line, g.b_step, b.at);
    if (k.arity >= 3) pack(at.c, g.c_line, 1, c.at);
    k.block(out.at, a.at, k.arity >= 2 ? b.at : a.at, 0, 0, 0, 1, whole, c.at, 0);
    Scatter(out.at, lines, g.count, at.dst, g.dst_line);
    at.Next(g, lines);
  }
}

// Operands of step 0 in lines that are not long: several lines of them are laid out for each call.
template <typename T>
[[gnu::noinline]] void BroadcastLines(const Kernel& k, const Grid& g) {
  Buffer<T, kBroadcastBytes> a, b;
  Operands<T> at(g);
  const auto count = static_cast<ptrdiff_t>(g.count);
  const bool a_same = g.a_step == 0 && g.a_line == 0;
  const bool b_same = g.b_step == 0 && g.b_line == 0;
  if (a_same) Fill(a.at, g.count, *at.a);
  if (b_same) Fill(b.at, g.count, *at.b);
  // With nothing left to lay out for each line, one call does.
  const bool all = (g.a_step != 0 || a_same) && (g.b_step != 0 || b_same);
  const size_t group = all ? g.lines : a.kCapacity / g.count;
  for (size_t i = 0; i < g.lines; i += group) {
    const size_t lines = std::min(group, g.lines - i);
    if (g.a_step == 0 && !a_same) Gather(at.a, g.a_line, 0, lines, g.count, a.at);
    if (g.b_step == 0 && !b_same) Gather(at.b, g.b_line, 0, lines, g.count, b.at);
    k.block(at.dst, g.a_step == 0 ? a.at : at.a, g.b_step == 0 ? b.at : at.b, g.dst_line,
            g.a_step != 0 ? g.a_line
            : a_same      ? 0
                          : count,
            g.b_step != 0 ? g.b_line
            : b_same      ? 0
                          : count,
            lines, g.count, at.c, g.c_line);
    at.Next(g, lines);
  }
}

// The same in long lines: each is cut into `parts` lines of `part` and a rest that is not shorter
// than a block takes.
template <typename T>
[[gnu::noinline]] void BroadcastParts(const Kernel& k, const Grid& g) {
  Buffer<T, 2 * kPartBytes> a, b;
  Operands<T> at(g);
  constexpr size_t part = kPartBytes / sizeof(T);
  constexpr auto step = static_cast<ptrdiff_t>(part);
  const size_t parts = g.count % part == 0 ? g.count / part : g.count / part - 1;
  const size_t done = parts * part;
  const size_t rest = g.count - done;  // less than 2 * part
  for (size_t i = 0; i < g.lines; ++i, at.Next(g, 1)) {
    const size_t longest = std::max(part, rest);
    if (g.a_step == 0 && (i == 0 || g.a_line != 0)) Fill(a.at, longest, *at.a);
    if (g.b_step == 0 && (i == 0 || g.b_line != 0)) Fill(b.at, longest, *at.b);
    k.block(at.dst, g.a_step == 0 ? a.at : at.a, g.b_step == 0 ? b.at : at.b, step, g.a_step * step,
            g.b_step * step, parts, part, at.c, step);
    if (rest == 0) continue;
    k.block(at.dst + done, g.a_step == 0 ? a.at : at.a + done, g.b_step == 0 ? b.at : at.b + done,
            0, 0, 0, 1, rest, at.c + done, 0);
  }
}

// Results too large for the caches. Precondition: dst overlaps no source, a line is at least two
// units of streaming long.
template <typename T>
[[gnu::noinline]] void Stream(const Kernel& k, const Grid& g) {
  constexpr size_t kPage = kPageBytes / sizeof(T);
  constexpr size_t kUnit = kStreamUnit / sizeof(T);
  Buffer<T, kPageBytes> a_page, b_page;
  Operands<T> at(g);
  const ptrdiff_t a_step = g.a_step;
  const ptrdiff_t b_step = g.b_step;
  // A kernel that puts elements off computes these at the end of each call: long calls have fewer.
  const bool at_once = tuning.stream_pages == 1 && (a_step & b_step) == 1;
  for (size_t i = 0; i < g.lines; ++i, at.Next(g, 1)) {
    if (a_step == 0 && (i == 0 || g.a_line != 0)) Fill(a_page.at, kPage, *at.a);
    if (b_step == 0 && (i == 0 || g.b_line != 0)) Fill(b_page.at, kPage, *at.b);
    const T* a = a_step == 0 ? a_page.at : at.a;
    const T* b = b_step == 0 ? b_page.at : at.b;
    const auto block = [&](size_t first, size_t count) {
      const auto offset = static_cast<ptrdiff_t>(first);
      k.block(at.dst + first, a + offset * a_step, b + offset * b_step, 0, 0, 0, 1, count,
              at.c + offset, 0);
    };
    // Cache lines that dst has in part are written as usual. All later stores wait for such a line
    // if it is not in the cache, so the last one is fetched before the others are written.
    const T* const end = at.dst + g.count;
    if (reinterpret_cast<uintptr_t>(end) % 64 != 0) __builtin_prefetch(end, 1);
    // To the first cache line that dst has whole; elements computed twice do no harm.
    size_t done = (0 - reinterpret_cast<uintptr_t>(at.dst)) % 64 / sizeof(T);
    if (done != 0) block(0, std::max<size_t>(done, k.least));
    while (g.count - done >= kUnit) {
      const size_t left = g.count - done;
      const size_t pages =
          at_once || left < kPage ? 1 : std::min(left / kPage, tuning.stream_pages);
      const size_t count = at_once || left < kPage ? left / kUnit * kUnit : kPage;
      const auto offset = static_cast<ptrdiff_t>(done);
      T* to = at.dst + done;
      const T* from_a = a + offset * a_step;
      const T* from_b = b + offset * b_step;
      if (pages == 1) {  // steps that follow one another, too, are lines
        const size_t step = k.stream.step / sizeof(T);
        const auto line = static_cast<ptrdiff_t>(step);
        k.stream.block(to, from_a, from_b, line, line, line, count / step, step);
      } else {
        constexpr auto page = static_cast<ptrdiff_t>(kPage);
        k.stream.block(to, from_a, from_b, page, page * a_step, page * b_step, pages, count);
      }
      done += pages * count;
    }
    const size_t rest = done == g.count ? 0 : std::max<size_t>(g.count - done, k.least);
    if (rest != 0) block(g.count - rest, rest);
  }
  hwy::FlushStream();
}

// Whether the results are worth writing past the caches. A source that repeats counts for nothing.
bool BeyondCaches(const Kernel& k, const Grid& g) {
  const auto moves = [&](ptrdiff_t line, int32_t step) {
    return step != 0 && (line != 0 || g.lines == 1);
  };
  const size_t moving =
      1U + moves(g.a_line, g.a_step) + (k.arity == 2 && moves(g.b_line, g.b_step));
  return g.lines * g.count * k.size * moving >= tuning.stream_bytes;
}

// The word by itself: a load of several that the caller has just stored one by one would wait until
// they are in the cache.
template <typename T>
[[gnu::always_inline]] inline T Word(T word) {
#if defined(__GNUC__)
  asm("" : "+r"(word));
#endif
  return word;
}

template <typename T, bool kPastCaches = false>
[[gnu::always_inline]] inline void DriveType(const Kernel& k, const Grid& grid) {
  if (grid.lines == 0 || grid.count == 0) return;
  Grid g{Word(grid.dst),    Word(grid.a),      Word(grid.b),      Word(grid.dst_line),
         Word(grid.a_line), Word(grid.b_line), Word(grid.a_step), Word(grid.b_step),
         Word(grid.lines),  Word(grid.count),  Word(grid.c),      Word(grid.c_line)};
  if (k.arity == 0) {  // sources that are there and cost nothing
    g.a = g.dst;
    g.a_line = g.dst_line;
    g.a_step = 1;
  }
  if (k.arity <= 1) {
    g.b = g.a;
    g.b_line = g.a_line;
    g.b_step = g.a_step;
  }
  if (k.arity <= 2) {
    g.c = g.dst;
    g.c_line = g.dst_line;
  }
  if (g.count == 1) {  // a repeated element may as well be one along the line
    g.a_step = g.a_line != 0;
    g.b_step = g.b_line != 0;
  }
  const auto count = static_cast<ptrdiff_t>(g.count);
  if (g.lines == 1 || (g.dst_line == count && g.a_line == count * g.a_step &&
                       g.b_line == count * g.b_step && g.c_line == count)) {
    g.count *= g.lines;
    g.lines = 1;
    g.dst_line = g.a_line = g.b_line = g.c_line = 0;
  }
  if (g.count < k.least) return Packed<T>(k, g);
  const bool uniform = g.b_step == 0 && (g.a_step == 1 || k.arity == 1) && k.uniform != nullptr;
  if (k.stream.block != nullptr && g.count * sizeof(T) >= 2 * kStreamUnit &&
      (kPastCaches || BeyondCaches(k, g)) && g.dst != g.a && g.dst != g.b &&
      !(uniform && k.uniform_first)) [[unlikely]] {
    return Stream<T>(k, g);
  }
  if (uniform) {
    return k.uniform(g.dst, g.a, g.b, g.dst_line, g.a_line, g.b_line, g.lines, g.count, g.c,
                     g.c_line);
  }
  if (g.a_step == 0 || g.b_step == 0) {
    return g.count * sizeof(T) < 2 * kPartBytes ? BroadcastLines<T>(k, g) : BroadcastParts<T>(k, g);
  }
  k.block(g.dst, g.a, g.b, g.dst_line, g.a_line, g.b_line, g.lines, g.count, g.c, g.c_line);
}

}  // namespace

void CallPastCaches(const Kernel& kernel, const Grid& grid) {
  switch (kernel.size) {
    case 1:
      return DriveType<uint8_t, true>(kernel, grid);
    case 2:
      return DriveType<uint16_t, true>(kernel, grid);
    case 4:
      return DriveType<uint32_t, true>(kernel, grid);
    default:
      return Call(kernel, grid);
  }
}

template <>
void DriveWidth<1>(const Kernel& kernel, const Grid& grid) {
  DriveType<uint8_t>(kernel, grid);
}
template <>
void DriveWidth<2>(const Kernel& kernel, const Grid& grid) {
  DriveType<uint16_t>(kernel, grid);
}
template <>
void DriveWidth<4>(const Kernel& kernel, const Grid& grid) {
  DriveType<uint32_t>(kernel, grid);
}
template <>
void DriveWidth<8>(const Kernel& kernel, const Grid& grid) {
  DriveType<uint64_t>(kernel, grid);
}

}  // namespace pto
