// peers_std.cc: the C++ standard library's algorithms, and its memcpy.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "peers.h"

namespace {

struct Record {
  float value;
  uint32_t index;
};

// Each 32 elements of a row with their indices, largest first, of equals the smaller index. NaN, which std::sort may
// not be given beside numbers, come last.
bool Before(const Record& a, const Record& b) {
  if (a.value != b.value && (a.value == a.value || b.value == b.value)) return a.value > b.value || b.value != b.value;
  return a.index < b.index;
}

void Sort32(void* d, const void* a, const void* b, const void*, int rows, int cols) {
  auto* const records = static_cast<Record*>(d);
  const auto* const values = static_cast<const float*>(a);
  const auto* const indices = static_cast<const uint32_t*>(b);
  const int64_t line = cols;
  for (int64_t row = 0; row < rows * line; row += line) {
    for (int64_t at = row; at < row + line; at += 32) {
      const int64_t end = std::min(at + 32, row + line);
      for (int64_t i = at; i < end; ++i) records[i] = {values[i], indices[i]};
      std::sort(records + at, records + end, Before);
    }
  }
}

// Four blocks of sorted records into one, two by two.
void Merge4(void* d, const void* a, const void*, const void*, int rows, int cols) {
  constexpr int kBlock = 8;  // kSortedBlock elements of cases.cc
  Record half[4 * kBlock];
  auto* to = static_cast<Record*>(d);
  const auto* from = static_cast<const Record*>(a);
  const int64_t records = int64_t{rows} * cols / 2;
  for (int64_t at = 0; at < records; at += 4 * kBlock, from += 4 * kBlock, to += 4 * kBlock) {
    std::merge(from, from + kBlock, from + kBlock, from + 2 * kBlock, half, Before);
    std::merge(from + 2 * kBlock, from + 3 * kBlock, from + 3 * kBlock, from + 4 * kBlock, half + 2 * kBlock, Before);
    std::merge(half, half + 2 * kBlock, half + 2 * kBlock, half + 4 * kBlock, to, Before);
  }
}

// As fast as memory is copied without another order: no peer, as its results are others, but a bound.
template <int kBytes>
void Copy(void* d, const void* a, const void*, const void*, int rows, int cols) {
  std::memcpy(d, a, static_cast<size_t>(rows) * static_cast<size_t>(cols) * kBytes);
}

}  // namespace

#define COPY(op)                                                                       \
  {"memcpy", op, "f32", Copy<4>, nullptr}, {"memcpy", op, "bf16", Copy<2>, nullptr}, { \
    "memcpy", op, "i8", Copy<1>, nullptr                                               \
  }

extern const peer peers_std[] = {{"std::sort", "tsort32", "f32", Sort32, nullptr},
                                 {"std::merge", "tmrgsort", "f32", Merge4, nullptr},
                                 COPY("tload.nz"),
                                 COPY("tmov.nz"),
                                 COPY("tmov.nd"),
                                 COPY("tstore.nd"),
                                 {nullptr, nullptr, nullptr, nullptr, nullptr}};
