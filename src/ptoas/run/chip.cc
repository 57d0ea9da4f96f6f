#include "src/ptoas/run/chip.h"

#include <cstring>
#include <new>
#include <utility>

#include "src/objects/on_chip.h"

namespace pto::ptoas {

namespace {

bool Alike(const pto_context* a, const pto_context* b) {
  return pto_context_profile(a) == pto_context_profile(b) && pto_context_target(a) == pto_context_target(b) &&
         pto_context_capacity(a, PTO_LOCATION_VEC) == pto_context_capacity(b, PTO_LOCATION_VEC);
}

}  // namespace

void Chip::Clear(const Spans& spared) {
  for (int location = 0; location < kLocCount; ++location) {
    Spans& used = used_[location];
    const auto clear = [&](int64_t begin, int64_t end) { return ClearOnChip(ctx_.get(), location, begin, end); };
    if (whole_[static_cast<size_t>(location)]) {
      int64_t bytes = 0;
      if (OnChipBytes(ctx_.get(), location, &bytes) != nullptr) used.Add(0, bytes);
    }
    if (location != PTO_LOCATION_VEC) {
      for (const Span& span : used) clear(span.begin, span.end);
      used.clear();
      continue;
    }
    for (const Span& span : stale_) used.Add(span.begin, span.end);
    stale_.clear();
    std::swap(used, dirty_);
    used.clear();
    // Memory that a tile of the caller's still lies in is left to it.
    bool kept = !dirty_.empty() && clear(0, 0);
    dirty_.EachOutside(spared, [&](int64_t begin, int64_t end) { kept = kept && clear(begin, end); });
    if (kept) dirty_.EachInside(spared, [&](int64_t begin, int64_t end) { stale_.Add(begin, end); });
  }
  whole_.reset();
}

void Chip::ClearSpared(const Spans& bytes) {
  if (stale_.empty() || bytes.empty()) return;
  int64_t size = 0;
  uint8_t* const memory = OnChipBytes(ctx_.get(), PTO_LOCATION_VEC, &size);
  if (memory == nullptr) return;
  stale_.EachInside(
      bytes, [&](int64_t begin, int64_t end) { std::memset(memory + begin, 0, static_cast<size_t>(end - begin)); });
}

pto_context* Chip::Clean(const pto_context* like, const Spans& spared) {
  if (ctx_ != nullptr && Alike(ctx_.get(), like)) {
    Clear(spared);
    return ctx_.get();
  }
  for (Spans& used : used_) used.clear();
  stale_.clear();
  whole_.reset();
  if (world_ != nullptr) {
    // It keeps the error of one call, which no other thread makes meanwhile.
    ctx_.reset(pto_world_context(const_cast<pto_context*>(like), world_, rank_));
    if (ctx_ == nullptr) throw std::bad_alloc();
    return ctx_.get();
  }
  ctx_.reset(pto_context_create_for(pto_context_profile(like), pto_context_target(like)));
  if (ctx_ == nullptr) throw std::bad_alloc();
  const int64_t bytes = pto_context_capacity(like, PTO_LOCATION_VEC);
  if (pto_context_capacity(ctx_.get(), PTO_LOCATION_VEC) != bytes) pto_context_limit_on_chip(ctx_.get(), bytes);
  return ctx_.get();
}

}  // namespace pto::ptoas
