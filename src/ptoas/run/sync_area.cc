#include "src/ptoas/run/sync_area.h"

#include <algorithm>
#include <bit>

namespace pto::ptoas::sync {

namespace {

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Whether a row of bytes meets one of an area's.
bool MeetsRow(const Area& area, int64_t from, int64_t bytes) {
  const int64_t at = from - static_cast<int64_t>(area.begin);
  if (area.rows == 1) return at < area.bytes && at + bytes > 0;
  // The first row that ends after the first byte.
  const int64_t row = std::max<int64_t>(FloorDiv(at - area.bytes, area.stride) + 1, 0);
  return row < area.rows && row * area.stride < at + bytes;
}

// Rows of one distance lie on one grid: the second's begin `shift` bytes after some of the first's. Where the first
// byte of each area lies before the last of the other, rows of both are on the same lines of the grid, or on
// neighbouring ones and reach over.
bool MeetOnGrid(const Area& a, const Area& b) {
  const auto delta = static_cast<int64_t>(b.begin - a.begin);
  const int64_t shift = delta - FloorDiv(delta, a.stride) * a.stride;
  return shift < a.bytes || shift + b.bytes > a.stride;
}

int LevelOf(const Area& area) { return static_cast<int>(std::bit_width(area.end() - area.begin - 1)); }

}  // namespace

Area Area::Of(const void* begin, int64_t bytes, int64_t rows, int64_t stride) {
  Area area{reinterpret_cast<uintptr_t>(begin), bytes, rows, stride};
  if (area.empty()) return {area.begin, 0, 1, 0};
  if (rows == 1 || stride <= bytes) {
    area.bytes = (rows - 1) * stride + bytes;
    area.rows = 1;
    area.stride = 0;
  }
  return area;
}

bool Overlap(const Area& a, const Area& b) {
  if (a.empty() || b.empty() || a.begin >= b.end() || b.begin >= a.end()) return false;
  if (a.rows > 1 && a.stride == b.stride) return MeetOnGrid(a, b);
  const Area& fewer = a.rows <= b.rows ? a : b;
  const Area& more = a.rows <= b.rows ? b : a;
  for (int64_t row = 0; row < fewer.rows; ++row) {
    if (MeetsRow(more, static_cast<int64_t>(fewer.begin) + row * fewer.stride, fewer.bytes)) return true;
  }
  return false;
}

// The latest access of each pipe counts, because what is ordered after it is after the earlier ones; and of
// another block any: what conflicts with one conflicts with all.
void Region::Touch(Use use, const Mark& mark) {
  Marks& list = marks[static_cast<int>(use)];
  Mark* other = nullptr;
  int others = 0;
  for (Mark& known : list) {
    if (known.agent != mark.agent) continue;
    if (known.block == mark.block) {
      known = mark;
      return;
    }
    ++others;
    if (other == nullptr || known.at < other->at) other = &known;
  }
  if (others >= 2) {
    *other = mark;
  } else {
    list.push_back(mark);
  }
}

void Region::Forget() {
  for (Marks& list : marks) list.clear();
  tile = nullptr;
}

template <class Visit>
void Shadow::VisitNear(const Area& area, Visit visit) {
  for (uint64_t levels = levels_; levels != 0; levels &= levels - 1) {
    const int level = std::countr_zero(levels);
    const uintptr_t length = uintptr_t{1} << level;
    const auto& map = *known_->by_begin[static_cast<size_t>(level)];
    const uintptr_t from = area.begin < length ? 0 : area.begin - length;
    for (auto it = map.upper_bound(from == 0 ? 0 : from - 1); it != map.end() && it->first < area.end(); ++it) {
      ++work_;
      if (Overlap(it->second->area, area)) visit(it->second);
    }
  }
}

Region* Shadow::Find(const Area& area) {
  const auto [found, fresh] = known_->regions.try_emplace(area, area, &known_->memory);
  Region* made = &found->second;
  if (!fresh) return made;
  bytes_ += static_cast<int64_t>(sizeof(Region) + 3 * sizeof(Area));
  if (area.empty()) return made;
  VisitNear(area, [&](Region* region) {
    region->near.push_back(made);
    made->near.push_back(region);
    bytes_ += 2 * static_cast<int64_t>(sizeof(Region*));
  });
  const int level = LevelOf(area);
  auto& map = known_->by_begin[static_cast<size_t>(level)];
  if (!map.has_value()) map.emplace(&known_->memory);
  map->emplace(area.begin, made);
  levels_ |= uint64_t{1} << level;
  return made;
}

void Shadow::Forget(const Area& area) {
  if (area.empty()) return;
  VisitNear(area, [](Region* region) { region->Forget(); });
}

void Shadow::Clear() {
  known_ = std::make_unique<Known>();
  levels_ = 0;
  ++era_;
  bytes_ = 0;
}

}  // namespace pto::ptoas::sync
