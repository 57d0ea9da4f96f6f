// Which bytes of memory an instruction touches, and what is known of bytes that were touched before.
#ifndef PTO_SRC_PTOAS_SYNC_AREA_H_
#define PTO_SRC_PTOAS_SYNC_AREA_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pto::ptoas::sync {

// Rows of bytes at equal distances: what a window of a matrix is in memory.
struct Area {
  uintptr_t begin = 0;
  int64_t bytes = 0;  // of a row
  int64_t rows = 1;
  int64_t stride = 0;  // from one row to the next, not less than `bytes`; 0 where there is one row

  // Rows that follow each other without gaps, or share bytes, are one.
  static Area Of(const void* begin, int64_t bytes, int64_t rows, int64_t stride);

  bool operator==(const Area&) const = default;
  bool empty() const { return bytes <= 0 || rows <= 0; }
  uintptr_t end() const { return begin + static_cast<uintptr_t>((rows - 1) * stride + bytes); }
};

bool Overlap(const Area& a, const Area& b);

// Bytes that may be read or written; which of them are is unknown.
enum class Use : uint8_t { kRead, kWrite, kAdd, kMayRead, kMayWrite };
inline constexpr int kUses = 5;
constexpr bool IsRead(Use use) { return use == Use::kRead || use == Use::kMayRead; }
constexpr bool IsCertain(Use use) { return use < Use::kMayRead; }
// Whether two accesses to the same bytes need an order. Sums of one kind come out in any.
constexpr bool Conflict(Use a, Use b) { return a == Use::kAdd || b == Use::kAdd ? a != b : !IsRead(a) || !IsRead(b); }

// The caller's key of a statement, and the meaning of its name to the reader.
using Where = const void*;

// An access that was.
struct Mark {
  uint64_t at = 0;  // the instruction's number
  Where where = nullptr;
  std::string_view name;
  int32_t agent = 0;  // the core and pipe
  int32_t block = 0;
  bool done = false;  // before the next statement of its core, though not for other cores
};

// All that is known of an area that some instruction touched.
struct Region {
  using Marks = std::pmr::vector<Mark>;
  Region(const Area& where, std::pmr::memory_resource* memory)
      : area(where), marks{Marks(memory), Marks(memory), Marks(memory), Marks(memory), Marks(memory)}, near(memory) {}

  Area area;
  Marks marks[kUses];
  std::pmr::vector<Region*> near;  // others that share bytes with it
  const void* tile = nullptr;      // that wrote it last

  void Touch(Use use, const Mark& mark);
  void Forget();
};

// Regions of a memory, each once, with those that they overlap.
class Shadow {
 public:
  // Where the caller keeps what it found, valid until Clear().
  struct Cached {
    Region* region = nullptr;
    uint64_t era = 0;
  };

  Region* Find(const Area& area, Cached* cached) {
    if (cached->era == era_ && cached->region->area == area) return cached->region;
    cached->region = Find(area);
    cached->era = era_;
    return cached->region;
  }
  // The bytes have a new owner, who knows nothing of what was.
  void Forget(const Area& area);
  void Clear();
  int64_t bytes() const { return bytes_; }
  int64_t work() const { return work_; }  // regions looked at so far

 private:
  struct Hash {
    size_t operator()(const Area& area) const {
      uint64_t h = area.begin * 0x9E3779B97F4A7C15u;
      h ^= (static_cast<uint64_t>(area.bytes) + (static_cast<uint64_t>(area.rows) << 32)) * 0xC2B2AE3D27D4EB4Fu;
      h ^= static_cast<uint64_t>(area.stride) * 0x165667B19E3779F9u;
      return h ^ h >> 29;
    }
  };

  Region* Find(const Area& area);
  template <class Visit>
  void VisitNear(const Area& area, Visit visit);

  // Areas that are new take small pieces of memory, which are allocated one after the other and released together.
  struct Known {
    std::pmr::monotonic_buffer_resource memory;
    std::pmr::unordered_map<Area, Region, Hash> regions{&memory};
    // By the power of two that holds the length from the first byte to the last, so that a search
    // looks at little more than what it finds.
    std::array<std::optional<std::pmr::multimap<uintptr_t, Region*>>, 64> by_begin;
  };
  std::unique_ptr<Known> known_ = std::make_unique<Known>();
  uint64_t levels_ = 0;  // one bit for each that is not empty
  uint64_t era_ = 1;
  int64_t bytes_ = 0;
  int64_t work_ = 0;
};

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_AREA_H_
