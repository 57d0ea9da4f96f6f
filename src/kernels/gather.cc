// Elements to and from places that indices name. Plain loads and stores are what is fastest on most
// machines: most gather instructions need the same number of cycles.
#include "src/kernels/gather.h"

#include <cstring>

#include "src/kernels/pickers.h"
#include "src/kernels/tuning.h"
#include "src/kernels/unaligned.h"
#include "src/kernels/unroll.h"

#include "src/kernels/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors; the last one overlaps the one before.
static uint32_t LargestOf(const uint32_t* numbers, size_t count) {
  const hn::ScalableTag<uint32_t> d;
  constexpr size_t kLanes = hn::MaxLanes(d);
  uint32_t most = 0;
  if (count < kLanes) {
    for (size_t k = 0; k < count; ++k) most = numbers[k] > most ? numbers[k] : most;
    return most;
  }
  auto a = hn::LoadU(d, numbers + count - kLanes);
  auto b = a;
  size_t k = 0;
  PTO_UNROLL_4
  for (; k + 2 * kLanes <= count; k += 2 * kLanes) {
    a = hn::Max(a, hn::LoadU(d, numbers + k));
    b = hn::Max(b, hn::LoadU(d, numbers + k + kLanes));
  }
  if (k + kLanes <= count) a = hn::Max(a, hn::LoadU(d, numbers + k));
  HWY_ALIGN uint32_t lanes[kLanes];
  hn::Store(hn::Max(a, b), d, lanes);
  for (const uint32_t lane : lanes) most = lane > most ? lane : most;
  return most;
}

// Two indices a load: loads are what the loop waits for. Four elements are put together in a vector
// before they are written: on most targets the second to the fourth are loaded into their places.
static void GatherWords(void* dst, const void* src, const uint32_t* place, size_t count) {
  using Four = uint32_t __attribute__((vector_size(16)));
  void* const HWY_RESTRICT to = dst;
  const auto from = [src](uint64_t at) {
    return LoadAt<uint32_t>(src, static_cast<ptrdiff_t>(at));
  };
  size_t k = 0;
  PTO_UNROLL_4
  for (; k + 4 <= count; k += 4) {
    const auto at = static_cast<ptrdiff_t>(k / 2);
    const auto low = LoadAt<uint64_t>(place, at);
    const auto high = LoadAt<uint64_t>(place, at + 1);
    const Four four = {from(static_cast<uint32_t>(low)), from(low >> 32),
                       from(static_cast<uint32_t>(high)), from(high >> 32)};
    StoreAt(to, static_cast<ptrdiff_t>(k / 4), four);
  }
  for (; k < count; ++k) {
    StoreAt(to, static_cast<ptrdiff_t>(k),
            from(LoadAt<uint32_t>(place, static_cast<ptrdiff_t>(k))));
  }
}

#if HWY_TARGET <= HWY_AVX2
// By the processor, whose indices have a sign: counted from the middle of all that there can be.
static void GatherVectors(void* dst, const void* src, const uint32_t* place, size_t count) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  constexpr size_t kLanes = hn::MaxLanes(d);
  constexpr uint32_t kMiddle = 1U << 31;
  const auto middle = hn::Set(d, kMiddle);
  auto* const to = static_cast<uint32_t*>(dst);
  const auto* const from = reinterpret_cast<const uint32_t*>(reinterpret_cast<uintptr_t>(src) +
                                                             uintptr_t{kMiddle} * sizeof *to);
  size_t k = 0;
  PTO_UNROLL_4
  for (; k + kLanes <= count; k += kLanes) {
    const auto index = hn::BitCast(di, hn::Xor(hn::LoadU(d, place + k), middle));
    hn::StoreU(hn::GatherIndex(d, from, index), d, to + k);
  }
  // (after a call in its last place gcc 12 leaves vectors dirty, which SSE then waits for)
  for (; k < count; ++k) {
    const auto at = static_cast<ptrdiff_t>(k);
    StoreAt(dst, at, LoadAt<uint32_t>(src, ptrdiff_t{LoadAt<uint32_t>(place, at)}));
  }
}
#endif

static Largest PickLargestHere() { return LargestOf; }
static Gather32 PickGatherWordsHere() {
#if HWY_TARGET <= HWY_AVX2
  if (tuning.gathers) return GatherVectors;
#endif
  return GatherWords;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickLargestHere);
HWY_EXPORT(PickGatherWordsHere);

Largest PickLargest(int target) {
  return HWY_DISPATCH_TABLE(PickLargestHere)[TableIndex(TargetBit(target))]();
}

namespace {

// Two indices per load, and two elements are read before they are written: a load after a store
// waits until the address of the store is known.
template <typename T>
void GatherTwo(void* dst, const void* src, const uint32_t* place, size_t count) {
  void* const HWY_RESTRICT to = dst;
  const auto even = static_cast<ptrdiff_t>(count & ~size_t{1});
  PTO_UNROLL_4
  for (ptrdiff_t k = 0; k < even; k += 2) {
    const auto two = LoadAt<uint64_t>(place, k / 2);
    StoreAt(to, k, LoadAt<T>(src, ptrdiff_t{static_cast<uint32_t>(two)}));
    StoreAt(to, k + 1, LoadAt<T>(src, static_cast<ptrdiff_t>(two >> 32)));
  }
  if (even != static_cast<ptrdiff_t>(count))
    StoreAt(to, even, LoadAt<T>(src, ptrdiff_t{LoadAt<uint32_t>(place, even)}));
}

template <typename T, typename Place>
void GatherEach(void* dst, const void* src, const Place* place, size_t count) {
  for (ptrdiff_t k = 0; k < static_cast<ptrdiff_t>(count); ++k) {
    StoreAt(dst, k, LoadAt<T>(src, static_cast<ptrdiff_t>(LoadAt<Place>(place, k))));
  }
}

template <typename T, typename Place>
void ScatterEach(void* dst, const void* src, const Place* place, size_t count) {
  for (ptrdiff_t k = 0; k < static_cast<ptrdiff_t>(count); ++k) {
    StoreAt(dst, static_cast<ptrdiff_t>(LoadAt<Place>(place, k)), LoadAt<T>(src, k));
  }
}

template <typename T>
void CopyStepsOf(void* dst, ptrdiff_t dst_step, const void* src, ptrdiff_t src_step, size_t count) {
  for (ptrdiff_t k = 0; k < static_cast<ptrdiff_t>(count); ++k)
    StoreAt(dst, k * dst_step, LoadAt<T>(src, k * src_step));
}

// The byte order of a pair of indices is little-endian, as on all machines with kernels.
template <typename T>
PlaceKernels PlacesWith(Gather32 gather = GatherTwo<T>) {
  return {gather, GatherEach<T, int64_t>, ScatterEach<T, uint32_t>, ScatterEach<T, int64_t>};
}

}  // namespace

PlaceKernels PickPlaces(int target, int bytes) {
  const size_t index = TableIndex(TargetBit(target));
  return bytes == 1   ? PlacesWith<uint8_t>()
         : bytes == 2 ? PlacesWith<uint16_t>()
         : bytes == 4 ? PlacesWith<uint32_t>(HWY_DISPATCH_TABLE(PickGatherWordsHere)[index]())
                      : PlacesWith<uint64_t>();
}

void CopySteps(void* dst, ptrdiff_t dst_step, const void* src, ptrdiff_t src_step, size_t count,
               int bytes) {
  if (dst_step == 1 && src_step == 1) {
    std::memcpy(dst, src, count * static_cast<size_t>(bytes));
    return;
  }
  const auto copy = bytes == 1   ? CopyStepsOf<uint8_t>
                    : bytes == 2 ? CopyStepsOf<uint16_t>
                    : bytes == 4 ? CopyStepsOf<uint32_t>
                                 : CopyStepsOf<uint64_t>;
  copy(dst, dst_step, src, src_step, count);
}

}  // namespace pto
#endif
