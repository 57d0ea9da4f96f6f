#include "src/ptoas/run/unset.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "src/ptoas/run/sync_tile.h"

namespace pto::ptoas {

namespace {

constexpr int64_t kWordBits = 64;

}  // namespace

Unset::Region::Region(std::string_view name, uintptr_t begin, int64_t bytes, int64_t unit, int64_t elements)
    : name(name),
      begin(begin),
      bytes(bytes),
      unit(unit),
      elements(elements),
      written(std::make_unique<Word[]>(static_cast<size_t>((bytes / unit + kWordBits) / kWordBits))) {}

int64_t Unset::Region::Written() const {
  int64_t count = 0;
  for (int64_t word = 0; word * kWordBits * unit < bytes; ++word) {
    count += std::popcount(written[static_cast<size_t>(word)].load(std::memory_order_relaxed));
  }
  return count;
}

void Unset::Add(std::string_view name, const void* begin, int64_t bytes, int64_t unit, int64_t elements) {
  if (begin == nullptr || bytes <= 0) return;
  regions_.emplace_back(name, reinterpret_cast<uintptr_t>(begin), bytes, unit, elements);
}

void Unset::Add(std::string_view name, pto_tensor* tensor) {
  std::vector<sync::Area> areas;
  sync::AreasOf(tensor, INT64_MAX, INT64_MAX, &areas);
  if (areas.empty()) return;
  const auto ends_before = [](const sync::Area& a, const sync::Area& b) { return a.end() < b.end(); };
  const sync::Area& last = *std::max_element(areas.begin(), areas.end(), ends_before);
  const auto* begin = static_cast<const char*>(pto_tensor_data(tensor));
  const int64_t unit = pto_dtype_bytes(pto_tensor_dtype(tensor));
  int64_t elements = 0;
  for (const sync::Area& area : areas) elements += area.rows * area.bytes / unit;
  Add(name, begin, static_cast<int64_t>(last.end() - reinterpret_cast<uintptr_t>(begin)), unit, elements);
}

// Tiles may be reshaped to other element types: each byte has a bit.
void Unset::Add(std::string_view name, pto_tile* tile) {
  // What is outside the valid region does not count: a program may write it or not.
  Add(name, pto_tile_data(tile), pto_tile_bytes(tile), 1, 0);
}

// The words of the elements that are in both, each with its bits. Ends with true as soon as a visit does.
template <class Visit>
bool Unset::EachWord(const Region& region, const sync::Area& area, Visit visit) {
  const auto end = region.begin + static_cast<uintptr_t>(region.bytes);
  if (area.empty() || area.begin >= end || area.end() <= region.begin) return false;
  for (int64_t row = 0; row < area.rows; ++row) {
    const uintptr_t begin = area.begin + static_cast<uintptr_t>(row * area.stride);
    const uintptr_t low = std::max(begin, region.begin);
    const uintptr_t high = std::min(begin + static_cast<uintptr_t>(area.bytes), end);
    if (low >= high) continue;
    const int64_t first = static_cast<int64_t>(low - region.begin) / region.unit;
    const int64_t last = (static_cast<int64_t>(high - region.begin) + region.unit - 1) / region.unit;
    for (int64_t at = first; at < last;) {
      const int64_t in_word = at % kWordBits;
      const int64_t count = std::min(kWordBits - in_word, last - at);
      const uint64_t bits = (~uint64_t{0} >> (kWordBits - count)) << in_word;
      if (visit(&region.written[static_cast<size_t>(at / kWordBits)], bits, at - in_word)) return true;
      at += count;
    }
  }
  return false;
}

void Unset::Write(const sync::Area& area) {
  for (const Region& region : regions_) {
    EachWord(region, area, [](Word* word, uint64_t bits, int64_t) {
      // Most words are written once, and many by one block only.
      if ((word->load(std::memory_order_relaxed) & bits) != bits) word->fetch_or(bits, std::memory_order_relaxed);
      return false;
    });
  }
}

Unset::Missing Unset::Find(const sync::Area& area) const {
  Missing missing;
  for (const Region& region : regions_) {
    const bool found = EachWord(region, area, [&](const Word* word, uint64_t bits, int64_t first) {
      region.read.store(true, std::memory_order_relaxed);
      const uint64_t absent = ~word->load(std::memory_order_relaxed) & bits;
      if (absent == 0) return false;
      missing = {region.name, (first + std::countr_zero(absent)) * region.unit};
      return true;
    });
    if (found) break;
  }
  return missing;
}

void Unset::Move(const void* from, const void* to) {
  for (Region& region : regions_) {
    if (region.begin == reinterpret_cast<uintptr_t>(from)) region.begin = reinterpret_cast<uintptr_t>(to);
  }
}

}  // namespace pto::ptoas
