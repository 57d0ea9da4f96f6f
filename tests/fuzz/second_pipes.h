// Pipes of the second executor (second.h): their contents, slots in global memory, and what cores report to each
// other.
#ifndef PTO_TESTS_FUZZ_SECOND_PIPES_H_
#define PTO_TESTS_FUZZ_SECOND_PIPES_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/fuzz/second_tiles.h"

namespace second {

// A core of a run: of several blocks, each a cube core and vector cores.
struct Place {
  bool cube = false;
  int64_t lane = 0, lanes = 1;
  int64_t block = 0, blocks = 1;
};

// The elements of a tile, or of its part for a vector core, on their way through a pipe; or that a slot is there.
struct Parcel {
  Elem elem;
  int64_t rows = 0, cols = 0;
  std::vector<uint64_t> at;
  bool slot = false;
  int64_t number = 0;  // how many were popped before
};

// A core's end of a pipe.
struct Pipe {
  std::string name;
  bool both = false;  // ways
  int64_t slots = 0, slot_bytes = 0;
  Value memory;                   // where slots in global memory are
  std::deque<int64_t> allocated;  // slots that are not pushed yet: where each begins
};

// What cores report and send to each other. A pipe of a block is known by its name, its parcels by the vector
// core that gets or sends them.
class Others {
 public:
  virtual ~Others() = default;
  virtual void Set(const Place& at, int64_t id, int64_t mode) = 0;
  virtual void Wait(const Place& at, int64_t id) = 0;
  // A meeting of the cores that take part: aiv_only, aic_only or mix.
  virtual void Meet(const Place& at, const std::string& cores) = 0;
  // Slots of the rings to or from these vector cores, for a push that follows: how many were taken before.
  virtual int64_t Take(const Place& at, const std::string& pipe, int64_t slots, const std::vector<int64_t>& lanes) = 0;
  virtual void Push(const Place& at, const std::string& pipe, std::map<int64_t, Parcel> parcels) = 0;
  virtual std::map<int64_t, Parcel> Pop(const Place& at, const std::string& pipe, const std::vector<int64_t>& lanes,
                                        bool slots) = 0;
  virtual void Free(const Place& at, const std::string& pipe, const std::vector<int64_t>& lanes) = 0;
};

// A slot in global memory as a core sees it, by the type of a view: !pto.tensor_view<4x8xf32>. Those to the cube core
// follow the others. A vector core has a half of it, by rows (1 and 3) or by columns (2 and 4).
inline View SlotOf(const Pipe& pipe, const Place& place, int64_t split, const std::string& type, bool to_cube,
                   int64_t number) {
  if (pipe.memory.memory == nullptr) throw Stop{"pipe-order"};
  if (!place.cube && split == 0 && place.lane > 0) throw Stop{"core-kind"};
  View view;
  view.memory = pipe.memory.memory;
  const Elem elem = view.memory->elem;
  std::string left = Between(type, "<", ">");
  for (size_t x = left.find('x'); x != std::string::npos; x = left.find('x')) {
    view.dims.push_back(std::atoll(left.c_str()));
    left = left.substr(x + 1);
  }
  if (ElemOf(left) != elem) throw Stop{"pipe-tile"};
  const bool half = !place.cube && split != 0, across = half && split % 2 == 0;
  view.strides.resize(view.dims.size());
  int64_t all = 1;
  for (size_t i = view.dims.size(); i-- > 0;) {
    view.strides[i] = all;
    all *= view.dims[i] * (across && i + 1 == view.dims.size() ? 2 : 1);
  }
  const int64_t below = all;
  if (half && !across) all *= 2;
  if (all * elem.bytes() > pipe.slot_bytes) throw Stop{"pipe-slot"};
  const int64_t before = (to_cube && pipe.both ? pipe.slots : 0) + number % pipe.slots;
  view.first = static_cast<int64_t>(pipe.memory.bits) + before * (pipe.slot_bytes / elem.bytes());
  if (half) view.first += place.lane * (across ? view.dims.back() : below);
  return view;
}

}  // namespace second

#endif  // PTO_TESTS_FUZZ_SECOND_PIPES_H_
