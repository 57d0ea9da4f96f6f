// Groups of 32: one group per lane of 64 bits of a vector at a time, each in a lane of its
// own, through a network of exchanges. A key is the element above the index, so turned over that
// the largest key is first: of floats as a number of double precision, whose larger one
// processors find in one operation, where integers take two or three.
#include "src/kernels/sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "src/kernels/pickers.h"
#include "src/kernels/unroll.h"

#include "src/kernels/each_target.h"

#ifndef PTO_SRC_KERNELS_SORT_CC_ONCE_
#define PTO_SRC_KERNELS_SORT_CC_ONCE_
namespace pto {

// Batcher's odd-even merging network. Depth first, so that few vectors are in use at a time.
struct Network {
  int count = 0;
  std::array<uint8_t, 192> a{};
  std::array<uint8_t, 192> b{};

  constexpr void Exchange(int low, int high) {
    a[static_cast<size_t>(count)] = static_cast<uint8_t>(low);
    b[static_cast<size_t>(count++)] = static_cast<uint8_t>(high);
  }
  constexpr void Merge(int low, int n, int step) {
    if (2 * step >= n) return Exchange(low, low + step);
    Merge(low, n, 2 * step);
    Merge(low + step, n, 2 * step);
    for (int i = low + step; i + step < low + n; i += 2 * step) Exchange(i, i + step);
  }
  constexpr void Sort(int low, int n) {
    if (n == 1) return;
    Sort(low, n / 2);
    Sort(low + n / 2, n / 2);
    Merge(low, n, 1);
  }
};
inline constexpr Network kNetwork = [] {
  Network network;
  network.Sort(0, static_cast<int>(kSortGroup));
  return network;
}();
static_assert(kNetwork.count == 191);

// Keys of `count` groups, one after another; false: a group has an element whose key does not hold
// all of it.
using SortBlock = bool (*)(const SortOrder& order, const SortWork* groups);
struct SortKernel {
  SortBlock block;  // or nullptr
  size_t groups;    // that it takes, all whole
};

}  // namespace pto
#endif

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <int kBytes>
static SortKernel Kernel() {
  return {nullptr, 1};
}
#else

using DL = hn::CappedTag<int64_t, 8>;
using VL = hn::Vec<DL>;
using DI = hn::Repartition<int32_t, DL>;
using VI = hn::Vec<DI>;
using DU = hn::RebindToUnsigned<DI>;
inline constexpr size_t kSortLanes = hn::MaxLanes(DL());

// The smaller one is what is left of both without the larger: one bit operation with AVX-512, two
// or three before, where only floats have a minimum that takes less.
template <class V>
HWY_INLINE void Exchange(V& a, V& b) {
  using T = hn::TFromV<V>;
  const DL dl;
  const V high = hn::Max(a, b);
  if constexpr (HWY_TARGET > HWY_AVX3 && hwy::IsFloat<T>()) {
    b = hn::Min(a, b);
  } else {
    b = hn::BitCast(hn::DFromV<V>(),
                    hn::Xor3(hn::BitCast(dl, a), hn::BitCast(dl, b), hn::BitCast(dl, high)));
  }
  a = high;
}

template <class V, size_t... I>
HWY_INLINE void RunNetwork(V* v, std::index_sequence<I...>) {
  (Exchange(v[kNetwork.a[I]], v[kNetwork.b[I]]), ...);
}

// Sorts each lane of kSortGroup vectors; T: the type in which keys compare.
template <typename T>
static HWY_NOINLINE void SortLanesOf(VL* keys) {
  const hn::Rebind<T, DL> d;
  hn::Vec<decltype(d)> v[kSortGroup];
  PTO_UNROLL_WHOLE
  for (size_t j = 0; j < kSortGroup; ++j) v[j] = hn::BitCast(d, keys[j]);
  RunNetwork(v, std::make_index_sequence<static_cast<size_t>(kNetwork.count)>());
  PTO_UNROLL_WHOLE
  for (size_t j = 0; j < kSortGroup; ++j) keys[j] = hn::BitCast(DL(), v[j]);
}

// Exchanges the upper parts of a with the lower ones of b: elements, blocks of two, halves.
HWY_INLINE void SwapElements(VL& a, VL& b) {
  const DL d;
  const VL low = hn::InterleaveLower(d, a, b);
  b = hn::InterleaveUpper(d, a, b);
  a = low;
}
HWY_INLINE void SwapHalves(VL& a, VL& b) {
  const DL d;
  const VL low = hn::ConcatLowerLower(d, b, a);
  b = hn::ConcatUpperUpper(d, b, a);
  a = low;
}

// Lanes become rows: v[i] lane k is what v[k] lane i was.
HWY_INLINE void Transpose(VL* v) {
  PTO_UNROLL_WHOLE
  for (size_t i = 0; i < kSortLanes; i += 2) SwapElements(v[i], v[i + 1]);
  if constexpr (kSortLanes == 4) {
    SwapHalves(v[0], v[2]);
    SwapHalves(v[1], v[3]);
  }
  if constexpr (kSortLanes == 8) {
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < 8; ++i) {
      if ((i & 2) != 0) continue;
      const VL a = v[i];
      const VL b = v[i + 2];
      v[i] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
      v[i + 2] = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
    }
    PTO_UNROLL_WHOLE
    for (size_t i = 0; i < 4; ++i) SwapHalves(v[i], v[i + 4]);
  }
}

template <int kBytes>
HWY_INLINE VI LoadElements(const void* elements, size_t at) {
  if constexpr (kBytes == 4) return hn::LoadU(DI(), static_cast<const int32_t*>(elements) + at);
  if constexpr (kBytes == 2) {
    const hn::Rebind<int16_t, DI> half;
    return hn::ShiftLeft<16>(
        hn::PromoteTo(DI(), hn::LoadU(half, static_cast<const int16_t*>(elements) + at)));
  }
}

template <int kBytes>
static bool SortBlockOf(const SortOrder& order, const SortWork* groups) {
  const DI di;
  const DL dl;
  const VI turn = hn::Set(di, order.turn);
  const VI flip = hn::Set(di, static_cast<int32_t>(order.flip));
  const VI all = hn::Set(di, -1);
  constexpr size_t kStep = 2 * kSortLanes;  // lanes of 32 bits
  VL v[kSortGroup];
  // Bits of all elements: they show whether one is a NaN or the zero below zero.
  VI least = hn::Zero(di);
  VI most = hn::Zero(di);
  VI furthest = hn::Zero(di);
  PTO_UNROLL_WHOLE
  for (size_t j = 0; j < kSortGroup; j += kStep) {
    PTO_UNROLL_WHOLE
    for (size_t g = 0; g < kSortLanes; ++g) {
      const VI x = LoadElements<kBytes>(groups[g].elements, j);
      least = hn::Min(least, x);
      most = hn::Max(most, x);
      furthest = hn::BitCast(di, hn::Max(hn::BitCast(DU(), furthest), hn::BitCast(DU(), x)));
      const VI index = hn::LoadU(di, reinterpret_cast<const int32_t*>(groups[g].indices) + j);
      const VI key = hn::Xor(x, flip);
      const VI negative = hn::And(hn::ShiftRight<31>(x), turn);
      const VI below = hn::Xor3(index, negative, all);
      // In any order: the network does not mind.
      v[j + g] = hn::BitCast(dl, hn::InterleaveLower(di, below, key));
      v[j + kSortLanes + g] = hn::BitCast(dl, hn::InterleaveUpper(di, below, key));
    }
    Transpose(v + j);
    Transpose(v + j + kSortLanes);
  }
  if (order.turn == 0) {
    SortLanesOf<int64_t>(v);
  } else {
    // Zero below zero, and NaN of both signs.
    const auto strange = hn::Or(
        hn::Or(hn::Eq(least, hn::Set(di, INT32_MIN)), hn::Gt(most, hn::Set(di, order.infinity))),
        hn::RebindMask(di,
                       hn::Gt(hn::BitCast(DU(), furthest),
                              hn::Set(DU(), static_cast<uint32_t>(order.infinity) | 0x80000000U))));
    if (!hn::AllFalse(di, strange)) return false;
    SortLanesOf<double>(v);
  }
  // The element below, the index above.
  const VI even = hn::BitCast(di, hn::Set(dl, int64_t{0xffffffff}));
  const VI back_turn = hn::AndNot(even, turn);
  const VI back_flip = hn::Or(hn::And(flip, even), hn::Not(even));
  PTO_UNROLL_WHOLE
  for (size_t j = 0; j < kSortGroup; j += kSortLanes) {
    Transpose(v + j);
    PTO_UNROLL_WHOLE
    for (size_t g = 0; g < kSortLanes; ++g) {
      const VI key = hn::BitCast(di, v[j + g]);
      const VI negative = hn::And(hn::ShiftRight<31>(key), back_turn);
      VI record = hn::Xor3(hn::Shuffle2301(key), negative, back_flip);
      if constexpr (kBytes == 2)
        record = hn::IfVecThenElse(
            even, hn::BitCast(di, hn::ShiftRight<16>(hn::BitCast(DU(), record))), record);
      hn::StoreU(record, di, static_cast<int32_t*>(groups[g].records) + 2 * j);
    }
  }
  return true;
}

template <int kBytes>
static SortKernel Kernel() {
  return {SortBlockOf<kBytes>, kSortLanes};
}
#endif

static SortKernel PickSortHere(int bytes) { return bytes == 2 ? Kernel<2>() : Kernel<4>(); }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto {
HWY_EXPORT(PickSortHere);

SortOrder OrderOf(DType dtype) {
  const int32_t shift = 32 - 8 * Info(dtype).bytes;
  constexpr int32_t kMost = 0x7fffffff;
  switch (dtype) {
    case DType::kF16:
      return {shift, -1, 0, 0x7c000000};
    case DType::kBF16:
    case DType::kF32:
      return {shift, -1, 0, 0x7f800000};
    case DType::kU16:
    case DType::kU32:
      return {shift, 0, 0x80000000U, kMost};
    default:
      return {shift, 0, 0, kMost};
  }
}

namespace {

// The rank of an element: equal elements share a rank, and a NaN has the smallest.
struct FloatRank {
  int32_t shift;
  int32_t infinity;

  explicit FloatRank(const SortOrder& order) : shift(order.shift), infinity(order.infinity) {}
  int32_t operator()(uint64_t record) const {
    const auto x = static_cast<int32_t>(static_cast<uint32_t>(record) << shift);
    const int32_t magnitude = x & 0x7fffffff;
    const int32_t sign = x >> 31;
    return magnitude <= infinity ? (magnitude ^ sign) - sign : INT32_MIN;
  }
};
struct IntRank {
  int32_t shift;
  uint32_t flip;

  explicit IntRank(const SortOrder& order) : shift(order.shift), flip(order.flip) {}
  int32_t operator()(uint64_t record) const {
    return static_cast<int32_t>((static_cast<uint32_t>(record) << shift) ^ flip);
  }
};
int32_t RankOf(const SortOrder& order, uint64_t record) {
  return order.turn != 0 ? FloatRank(order)(record) : IntRank(order)(record);
}

// Any group, one element after another.
void SortPlain(const SortOrder& order, const SortWork& group) {
  int64_t keys[kSortGroup];
  uint64_t records[kSortGroup];
  for (size_t k = 0; k < group.count; ++k) {
    uint32_t bits = 0;
    if (order.shift == 0) {
      std::memcpy(&bits, static_cast<const uint8_t*>(group.elements) + 4 * k, 4);
    } else {
      std::memcpy(&bits, static_cast<const uint8_t*>(group.elements) + 2 * k, 2);
    }
    const uint32_t index = group.indices[k];
    const auto rank = static_cast<uint64_t>(static_cast<uint32_t>(RankOf(order, bits)));
    const auto key = static_cast<int64_t>(rank << 32 | (index ^ 0xffffffffU));
    const uint64_t record = uint64_t{index} << 32 | bits;
    size_t at = k;
    for (; at > 0 && keys[at - 1] < key; --at) {
      keys[at] = keys[at - 1];
      records[at] = records[at - 1];
    }
    keys[at] = key;
    records[at] = record;
  }
  std::memcpy(group.records, records, group.count * kRecordBytes);
}

constexpr size_t kMostLanes = 8;
// Shorter groups are sorted one element after another in less time than a lane takes.
constexpr size_t kWorthLane = 12;

// A group that is not whole, ended by the record that sorts last: of the smallest element
// and the largest index. One of the group that has the same key is the same record.
struct PaddedGroup {
  alignas(64) uint8_t elements[kSortGroup * 4];
  alignas(64) uint32_t indices[kSortGroup];
  uint64_t records[kSortGroup];

  SortWork Pad(const SortOrder& order, const SortWork& group) {
    const uint32_t lowest = order.turn != 0 ? static_cast<uint32_t>(order.infinity) | 0x80000000U
                                            : order.flip ^ 0x80000000U;
    const uint32_t last = lowest >> order.shift;
    const size_t size = order.shift == 0 ? 4 : 2;
    for (size_t k = group.count; k < kSortGroup; ++k) {
      std::memcpy(elements + k * size, &last, size);
      indices[k] = UINT32_MAX;
    }
    std::memcpy(elements, group.elements, group.count * size);
    std::memcpy(indices, group.indices, group.count * sizeof *indices);
    return {elements, indices, records, kSortGroup};
  }
};

// At most one group per lane; some are not whole; false: as the kernel.
bool SortPadded(const SortKernel& kernel, const SortOrder& order, const SortWork* groups,
                size_t count) {
  SortWork lanes[kMostLanes] = {};
  PaddedGroup padded[kMostLanes];
  uint64_t unused[kSortGroup];
  for (size_t k = 0; k < count; ++k) {
    lanes[k] = groups[k].count == kSortGroup ? groups[k] : padded[k].Pad(order, groups[k]);
  }
  // Lanes that are left sort what another does.
  for (size_t k = count; k < kernel.groups; ++k) {
    lanes[k] = lanes[0];
    lanes[k].records = unused;
  }
  if (!kernel.block(order, lanes)) return false;
  for (size_t k = 0; k < count; ++k) {
    if (groups[k].count != kSortGroup) {
      std::memcpy(groups[k].records, padded[k].records, groups[k].count * kRecordBytes);
    }
  }
  return true;
}

}  // namespace

void SortGroups(int target, const SortOrder& order, const SortWork* groups, size_t count) {
  const SortKernel kernel =
      HWY_DISPATCH_TABLE(PickSortHere)[TableIndex(TargetBit(target))](order.shift == 0 ? 4 : 2);
  size_t done = 0;
  while (done < count) {
    // Groups that follow one another and are worth a lane.
    size_t lanes = 0;
    bool whole = true;
    while (kernel.block != nullptr && lanes < kernel.groups && done + lanes < count &&
           groups[done + lanes].count >= kWorthLane) {
      whole &= groups[done + lanes].count == kSortGroup;
      ++lanes;
    }
    if (lanes <= 1) {
      SortPlain(order, groups[done++]);
      continue;
    }
    const SortWork* const block = groups + done;
    const bool sorted = whole && lanes == kernel.groups ? kernel.block(order, block)
                                                        : SortPadded(kernel, order, block, lanes);
    for (size_t k = 0; k < lanes && !sorted; ++k) SortPlain(order, block[k]);
    done += lanes;
  }
}

namespace {

uint64_t RecordAt(const uint8_t* records, size_t k) {
  uint64_t record;
  std::memcpy(&record, records + k * kRecordBytes, sizeof record);
  return record;
}
void PutRecord(uint8_t* records, size_t k, uint64_t record) {
  std::memcpy(records + k * kRecordBytes, &record, sizeof record);
}

// Merges two lists of keys, which all differ, from the front: in unsorted lists the next key is
// the larger one, too.
void MergeFront(const int64_t* a, size_t a_count, const int64_t* b, size_t b_count, int64_t* dst) {
  const int64_t* const a_end = a + a_count;
  const int64_t* const b_end = b + b_count;
  while (a != a_end && b != b_end) {
    // The number of steps before a list can end.
    for (ptrdiff_t steps = std::min(a_end - a, b_end - b); steps != 0; --steps) {
      const int64_t x = *a;
      const int64_t y = *b;
      const ptrdiff_t second = y > x ? 1 : 0;
      *dst++ = y > x ? y : x;
      b += second;
      a += 1 - second;
    }
  }
  dst = std::copy(a, a_end, dst);
  std::copy(b, b_end, dst);
}

// Two sorted lists of one length from both ends at a time, since a step waits for the one before
// it.
class Ends {
 public:
  Ends(const int64_t* a, const int64_t* b, size_t count, int64_t* dst)
      : a_(a),
        b_(b),
        a_last_(a + count - 1),
        b_last_(b + count - 1),
        dst_(dst),
        dst_last_(dst + 2 * count - 1) {}
  void Step() {
    const int64_t x = *a_;
    const int64_t y = *b_;
    const ptrdiff_t second = y > x ? 1 : 0;
    *dst_++ = y > x ? y : x;
    b_ += second;
    a_ += 1 - second;
    const int64_t u = *a_last_;
    const int64_t v = *b_last_;
    const ptrdiff_t first = v > u ? 1 : 0;
    *dst_last_-- = v > u ? u : v;
    a_last_ -= first;
    b_last_ -= 1 - first;
  }

 private:
  const int64_t* a_;
  const int64_t* b_;
  const int64_t* a_last_;
  const int64_t* b_last_;
  int64_t* dst_;
  int64_t* dst_last_;
};

// Keys of the records of all lists: the rank above, below it what makes an earlier record the
// larger of equals. Returns whether each list is in order.
template <class Rank>
bool MakeKeys(const Rank& rank, const MergeList* lists, int64_t* keys) {
  bool in_order = true;
  uint32_t place = 0xffffffffU;
  for (int i = 0; i < kMergeLists; ++i) {
    int64_t last = INT64_MAX;
    for (size_t k = 0; k < lists[i].count; ++k) {
      const auto high =
          static_cast<uint64_t>(static_cast<uint32_t>(rank(RecordAt(lists[i].records, k)))) << 32;
      const auto key = static_cast<int64_t>(high | place--);
      in_order &= key < last;
      last = key;
      *keys++ = key;
    }
  }
  return in_order;
}

// All records of all lists, in pairs: which of four is next is decided by the same comparisons in
// any order.
void MergeAll(const SortOrder& order, const MergeList* lists, uint8_t* dst, uint8_t* scratch) {
  const size_t low = lists[0].count + lists[1].count;
  const size_t high = lists[2].count + lists[3].count;
  auto* const keys = reinterpret_cast<int64_t*>(scratch);
  int64_t* const pairs = keys + low + high;
  const bool in_order = order.turn != 0 ? MakeKeys(FloatRank(order), lists, keys)
                                        : MakeKeys(IntRank(order), lists, keys);
  const size_t each = lists[0].count;
  const bool even = in_order && each != 0 && lists[1].count == each && lists[2].count == each &&
                    lists[3].count == each;
  if (even) {
    Ends first(keys, keys + each, each, pairs);
    Ends second(keys + low, keys + low + each, each, pairs + low);
    for (size_t k = 0; k < each; ++k) {
      first.Step();
      second.Step();
    }
    Ends last(pairs, pairs + low, low, keys);
    for (size_t k = 0; k < low; ++k) last.Step();
  } else {
    MergeFront(keys, lists[0].count, keys + lists[0].count, lists[1].count, pairs);
    MergeFront(keys + low, lists[2].count, keys + low + lists[2].count, lists[3].count,
               pairs + low);
    MergeFront(pairs, low, pairs + low, high, keys);
  }
  // Where each key comes from, list by list, as if their records followed one another.
  const uint8_t* base[kMergeLists];
  size_t before[kMergeLists];
  for (size_t i = 0, n = 0; i < kMergeLists; n += lists[i++].count) {
    base[i] = lists[i].records;
    before[i] = n;
  }
  for (size_t k = 0; k < low + high; ++k) {
    const auto place = static_cast<size_t>(0xffffffffU - static_cast<uint32_t>(keys[k]));
    const size_t i = (place >= before[1] ? 1U : 0U) + (place >= before[2] ? 1U : 0U) +
                     (place >= before[3] ? 1U : 0U);
    PutRecord(dst, k, RecordAt(base[i], place - before[i]));
  }
}

}  // namespace

size_t MergeRecords(const SortOrder& order, const MergeList* lists, int count, uint8_t* dst,
                    size_t most, bool exhausted, uint8_t* scratch, size_t* taken) {
  MergeList all[kMergeLists] = {};
  size_t records = 0;
  for (int i = 0; i < count; ++i) {
    all[i] = lists[i];
    records += lists[i].count;
  }
  if (!exhausted && records <= most) {
    MergeAll(order, all, dst, scratch);
    for (int i = 0; i < count; ++i) taken[i] = lists[i].count;
    return records;
  }
  int32_t ranks[kMergeLists] = {};
  const auto rank_of = [&](int i) { return RankOf(order, RecordAt(all[i].records, taken[i])); };
  bool ended = false;
  for (int i = 0; i < count; ++i) {
    taken[i] = 0;
    if (all[i].count != 0) ranks[i] = rank_of(i);
    ended |= all[i].count == 0;
  }
  size_t written = 0;
  for (; written < std::min(most, records) && !(exhausted && ended); ++written) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
      if (taken[i] < all[i].count && (best < 0 || ranks[i] > ranks[best])) best = i;
    }
    PutRecord(dst, written, RecordAt(all[best].records, taken[best]));
    ended |= ++taken[best] == all[best].count;
    if (taken[best] < all[best].count) ranks[best] = rank_of(best);
  }
  return written;
}

}  // namespace pto
#endif
