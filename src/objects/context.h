// A context: profile, SIMD target with its kernels, on-chip memory, scratch for
// operands that must be rearranged, and the last error.
#ifndef PTO_SRC_OBJECTS_CONTEXT_H_
#define PTO_SRC_OBJECTS_CONTEXT_H_

#include <bit>
#include <cstdint>

#include "src/kernels/bits.h"
#include "src/kernels/convert.h"
#include "src/kernels/fold.h"
#include "src/kernels/gather.h"
#include "src/kernels/kernels.h"
#include "src/kernels/matmul.h"
#include "src/kernels/quantise.h"
#include "src/kernels/shuffle.h"
#include "src/objects/error.h"
#include "src/objects/halt.h"
#include "src/objects/print.h"
#include "src/objects/storage.h"
#include "src/objects/tile.h"
#include "src/records/op_info.h"

namespace pto {

struct RelayStep;
struct World;

inline constexpr int32_t kAsyncSessions = 8;  // of each context

// The kernels of one target, resolved once: a call indexes, it does not search.
struct KernelTable {
  Kernel at[kLaneCount][kDTypeCount];
  Shuffles shuffles[4];  // of 1, 2, 4 and 8 bytes
  Nibbles nibbles;
  MatMulKernel products[kDTypeCount];  // of factors of f32, f16, bf16 and i8
  // For the types that are computed with.
  CompareKernel compares[kCompareCount][kDTypeCount];
  SelectKernel selects[4];  // of 1, 2, 4 and 8 bytes
  PairSumKernel pair_sums[kDTypeCount];
  // For columns and for lines; results of the type of src, and of the wider one that sums may have.
  FoldKernel folds[2][kFoldCount][kDTypeCount][2];
  ArgKernel arg_folds[2][2][kDTypeCount];  // of maxima and minima
  const Quantisers* quantisers;
  Largest largest;
  PlaceKernels places[4];                                // of 1, 2, 4 and 8 bytes
  void (*relay)(const RelayStep*, int, size_t, size_t);  // relay.h; nullptr: the target has none

  const PlaceKernels& PlacesOf(int bytes) const { return places[std::countr_zero(static_cast<unsigned>(bytes))]; }
  const Shuffles& ShufflesOf(int bytes) const { return shuffles[std::countr_zero(static_cast<unsigned>(bytes))]; }
};

// Memory that only grows, so that a steady state allocates nothing.
class ScratchBlock {
 public:
  ScratchBlock() = default;
  ScratchBlock(const ScratchBlock&) = delete;
  ScratchBlock& operator=(const ScratchBlock&) = delete;
  ~ScratchBlock();
  // At least `bytes`, aligned to 64; nullptr when memory is out.
  uint8_t* Take(int64_t bytes);

 private:
  uint8_t* data_ = nullptr;
  int64_t bytes_ = 0;
};

// Conversions are too many for a table. The last ones that a context ran are kept, one to more bytes and one to fewer:
// putting one together costs more than running it over a small tile.
class Conversions {
 public:
  const ConvertKernel& Of(int target, DType src, DType dst, Round mode, bool saturate) {
    Kept& kept = kept_[Info(src).bytes < Info(dst).bytes];
    const uint32_t key = uint32_t{1} << 31 | static_cast<uint32_t>(src) << 24 | static_cast<uint32_t>(dst) << 16 |
                         static_cast<uint32_t>(mode) << 8 | static_cast<uint32_t>(saturate);
    if (kept.key != key) {
      kept.kernel = PickConvert(target, src, dst, mode, saturate);
      kept.key = key;
    }
    return kept.kernel;
  }

 private:
  struct Kept {
    uint32_t key = 0;
    ConvertKernel kernel;
  };
  Kept kept_[2];
};

}  // namespace pto

// The struct of the public handle, hence its name and its place.
struct pto_context {
  pto::Profile profile = pto::Profile::kCpu;
  const pto::KernelTable* kernels = nullptr;
  int target = 0;
  pto::Error error;
  pto::Storage* on_chip[pto::kLocationCount] = {};
  int64_t on_chip_limit = int64_t{1} << 30;  // bytes of each location, under CPU
  pto::ScratchBlock scratch;
  pto::ScratchBlock unpacked;  // operands of packed types, while an engine has the scratch
  pto::Conversions conversions;
  uint8_t soon = 0;            // MatMulStrip::soon
  uint8_t careful_strips = 0;  // how many more strips CarefulStrip() looks at
  pto::ScratchBlock careful;   // for CarefulStrip()
  pto::Output output;
  const pto::Halt* halt = nullptr;                 // who may end a product
  pto::World* world = nullptr;                     // that it belongs to, counted; nullptr: none
  int32_t rank = -1;                               // in that world
  bool passed = false;                             // calls passed their checks before: a plan runs them in parts
  bool past_caches = false;                        // results of a map are a part of a large one: CheckAndRun()
  bool saturates = false;                          // f16 and bf16 that f32 sums become: pto_context_saturate()
  int32_t lane = 0;                                // the vector core that receives its half of a split: ReceiveOn()
  int64_t async_events[pto::kAsyncSessions] = {};  // the last event of each session
  pto::RefCount refs;

  // How many bytes the memory of a location has.
  int64_t Capacity(pto::Location location) const {
    if (!pto::IsHardware(profile)) return on_chip_limit;
    return pto::Info(location).capacity[static_cast<int>(profile)];
  }
};

namespace pto {

// target_name nullptr: PTO_TARGET from the environment if it names a supported
// target, else the best. nullptr is returned for an unknown or unsupported name
// and when memory is out.
pto_context* NewContext(Profile profile, const char* target_name);
void ReleaseContext(pto_context* ctx);

// The on-chip memory of a location, made on first use; nullptr when memory is out or, with `*no_space`, address space.
Storage* OnChip(pto_context* ctx, Location location, bool* no_space);

}  // namespace pto

#endif  // PTO_SRC_OBJECTS_CONTEXT_H_
