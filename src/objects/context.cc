// Making contexts: choosing the target, resolving its kernels.
#include "src/objects/context.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "src/kernels/relay.h"
#include "src/objects/layout.h"
#include "src/objects/on_chip.h"
#include "src/objects/world.h"

namespace pto {

namespace {

constexpr int kMaxTargets = 32;

// What instructions by rows call.
void FillRows(int target, KernelTable* table) {
  for (int width = 0; width < 4; ++width) table->selects[width] = PickSelect(target, 1 << width);
  table->quantisers = &PickQuantisers(target);
  table->largest = PickLargest(target);
  table->relay = PickRelay(target);
  for (int width = 0; width < 4; ++width) table->places[width] = PickPlaces(target, 1 << width);
  for (int at = 0; at < kDTypeCount; ++at) {
    const auto dtype = static_cast<DType>(at);
    if ((Bit(dtype) & dtypes::kComputed) == 0) continue;
    for (int mode = 0; mode < kCompareCount; ++mode) {
      table->compares[mode][at] = PickCompare(target, static_cast<Compare>(mode), dtype);
    }
    table->pair_sums[at] = PickPairSum(target, dtype);
    const DType wide = dtype == DType::kI16 ? DType::kI32 : DType::kF32;
    for (int fold = 0; fold < kFoldCount; ++fold) {
      for (int wider = 0; wider < 2; ++wider) {
        const DType to = wider != 0 ? wide : dtype;
        table->folds[0][fold][at][wider] = PickColFold(target, static_cast<Fold>(fold), dtype, to);
        table->folds[1][fold][at][wider] = PickRowFold(target, static_cast<Fold>(fold), dtype, to);
      }
    }
    for (int least = 0; least < 2; ++least) {
      const Fold fold = least != 0 ? Fold::kMin : Fold::kMax;
      table->arg_folds[0][least][at] = PickColArg(target, fold, dtype);
      table->arg_folds[1][least][at] = PickRowArg(target, fold, dtype);
    }
  }
}

// Filled once a target and then only read. A target's kernels need no context.
const KernelTable* KernelsOf(int target) {
  static KernelTable tables[kMaxTargets];
  static std::once_flag once[kMaxTargets];
  std::call_once(once[target], [target] {
    for (int lane = 0; lane < kLaneCount; ++lane) {
      for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
        tables[target].at[lane][dtype] = PickKernel(target, static_cast<Lane>(lane), static_cast<DType>(dtype));
      }
    }
    FillRows(target, &tables[target]);
    tables[target].nibbles = PickNibbles(target);
    for (int width = 0; width < 4; ++width) tables[target].shuffles[width] = PickShuffles(target, 1 << width);
    for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16, DType::kI8}) {
      tables[target].products[static_cast<int>(dtype)] = PickMatMul(target, dtype);
    }
  });
  return &tables[target];
}

int FindTarget(const char* name) {
  for (int i = 0; i < TargetCount(); ++i) {
    if (std::strcmp(TargetName(i), name) == 0) return TargetSupported(i) ? i : -1;
  }
  return -1;
}

int BestTarget() {
  for (int i = 0; i < TargetCount(); ++i) {
    if (TargetSupported(i)) return i;
  }
  return -1;
}

}  // namespace

pto_context* NewContext(Profile profile, const char* target_name) {
  int target = -1;
  if (target_name != nullptr) {
    target = FindTarget(target_name);
  } else {
    const char* wish = std::getenv("PTO_TARGET");
    if (wish != nullptr) target = FindTarget(wish);
    if (target < 0) target = BestTarget();
  }
  if (target < 0 || target >= kMaxTargets) return nullptr;
  auto* ctx = new (std::nothrow) pto_context;
  if (ctx == nullptr) return nullptr;
  g_live_handles.fetch_add(1, std::memory_order_relaxed);
  ctx->profile = profile;
  ctx->target = target;
  ctx->kernels = KernelsOf(target);
  return ctx;
}

void HaltBy(pto_context* ctx, const Halt* halt) { ctx->halt = halt; }

void ReleaseContext(pto_context* ctx) {
  if (ctx == nullptr || !ctx->refs.Release()) return;
  for (Storage* memory : ctx->on_chip) Storage::Release(memory);
  if (ctx->world != nullptr) ctx->world->waits.Leave(ctx->rank);
  ReleaseWorld(ctx->world);
  g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  delete ctx;
}

Storage* OnChip(pto_context* ctx, Location location, bool* no_space) {
  Storage*& memory = ctx->on_chip[static_cast<int>(location)];
  if (memory == nullptr) {
    // Statements below tiles address the scaling memory as two segments of 64 KiB. Tiles use a part of the
    // first.
    const int64_t least = location == Location::kScaling ? 128 * kKiB : 0;
    memory = Storage::Reserve(std::max(ctx->Capacity(location), least), no_space);
  }
  return memory;
}

bool ClearOnChip(pto_context* ctx, int location, int64_t begin, int64_t end) {
  // Fresh pages of the system cost less than to clear more than this.
  constexpr int64_t kMuch = int64_t{16} << 20;
  Storage*& memory = ctx->on_chip[location];
  if (memory == nullptr) return false;
  if (end - begin > kMuch) {
    Storage::Release(std::exchange(memory, nullptr));
    return false;
  }
  // The context gives up its reference and takes it again if it had the last one.
  if (!memory->refs.Release()) {
    memory = nullptr;
    return false;
  }
  memory->refs.Retain();
  std::memset(memory->data + begin, 0, static_cast<size_t>(end - begin));
  return true;
}

void ReceiveOn(pto_context* ctx, int32_t lane) { ctx->lane = lane; }

uint8_t* OnChipBytes(pto_context* ctx, int location, int64_t* bytes) {
  bool no_space = false;
  const Storage* memory = OnChip(ctx, static_cast<Location>(location), &no_space);
  if (memory == nullptr) return nullptr;
  *bytes = memory->bytes;
  return memory->data;
}

bool MayLieAt(pto_context* ctx, const pto_tile* tile, int64_t address) {
  static constexpr char kCall[] = "tassign";
  const auto at = static_cast<long long>(address);
  if (address % kOnChipAlignment != 0) {
    ctx->error.Set(Rule::kAddressAlignment, kCall, "address", "address %lld is not a multiple of %lld", at,
                   static_cast<long long>(kOnChipAlignment));
    return false;
  }
  const Location location = tile->geometry.location;
  const int64_t capacity = ctx->Capacity(location);
  if (address >= 0 && tile->bytes <= capacity && address <= capacity - tile->bytes) return true;
  ctx->error.Set(Rule::kAddressRange, kCall, "address", "%lld bytes at address %lld %s the %lld bytes of %s under %s",
                 static_cast<long long>(tile->bytes), at, address < 0 ? "start before" : "end after",
                 static_cast<long long>(capacity), Info(location).name, Info(ctx->profile).name);
  return false;
}

ScratchBlock::~ScratchBlock() { std::free(data_); }

uint8_t* ScratchBlock::Take(int64_t bytes) {
  if (bytes > bytes_) {
    if (!Addressable(bytes)) return nullptr;
    const int64_t size = RoundUp(bytes, 64);
    auto* next = static_cast<uint8_t*>(std::aligned_alloc(64, static_cast<size_t>(size)));
    if (next == nullptr) return nullptr;
    std::free(data_);
    data_ = next;
    bytes_ = size;
  }
  return data_;
}

}  // namespace pto
