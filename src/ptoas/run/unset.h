// Memory that a program's outputs are bound to: which of its elements the run has written so far. Whoever reads others
// would read what no one gave. Threads that run blocks share it.
#ifndef PTO_SRC_PTOAS_UNSET_H_
#define PTO_SRC_PTOAS_UNSET_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>

#include "include/pto_c.h"
#include "src/ptoas/run/sync_area.h"

namespace pto::ptoas {

class Unset {
 public:
  // An element that was not written, of an output.
  struct Missing {
    std::string_view argument;  // as the binding names it; empty: nothing is missing
    int64_t byte = 0;           // from the begin of the output's memory
  };

  // `name` must outlive the run.
  void Add(std::string_view name, pto_tensor* tensor);
  void Add(std::string_view name, pto_tile* tile);
  bool empty() const { return regions_.empty(); }

  void Write(const sync::Area& area);
  Missing Find(const sync::Area& area) const;
  // Outputs that the run wrote in part and did not read: visit(name, elements that were not written, all elements).
  template <class Visit>
  void EachPart(Visit visit) const {
    for (const Region& region : regions_) {
      const int64_t written = region.Written();
      if (written > 0 && written < region.elements && !region.read.load(std::memory_order_relaxed))
        visit(region.name, region.elements - written, region.elements);
    }
  }
  // A tile's data moved.
  void Move(const void* from, const void* to);

 private:
  using Word = std::atomic<uint64_t>;
  struct Region {
    std::string_view name;
    uintptr_t begin;
    int64_t bytes;
    int64_t unit;  // bytes that one bit represents: of an element, which is written as a whole
    int64_t elements;
    std::unique_ptr<Word[]> written;
    mutable std::atomic<bool> read = false;

    Region(std::string_view name, uintptr_t begin, int64_t bytes, int64_t unit, int64_t elements);
    int64_t Written() const;
  };

  void Add(std::string_view name, const void* begin, int64_t bytes, int64_t unit, int64_t elements);
  template <class Visit>
  static bool EachWord(const Region& region, const sync::Area& area, Visit visit);

  std::deque<Region> regions_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_UNSET_H_
