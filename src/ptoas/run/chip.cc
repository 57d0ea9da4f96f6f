#include "src/ptoas/run/chip.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "src/objects/on_chip.h"

namespace pto::ptoas {

namespace {

bool Alike(const pto_context* a, const pto_context* b) {
  return pto_context_profile(a) == pto_context_profile(b) && pto_context_target(a) == pto_context_target(b) &&
         pto_context_capacity(a, PTO_LOCATION_VEC) == pto_context_capacity(b, PTO_LOCATION_VEC);
}

}  // namespace

pto_context* Chip::Clean(const pto_context* like) {
  if (ctx_ != nullptr && Alike(ctx_.get(), like)) {
    for (const auto& [from, end] : used_) {
      if (!whole_[static_cast<size_t>(from.first)]) ClearOnChip(ctx_.get(), from.first, from.second, end);
    }
    for (int location = 0; location < kLocCount; ++location) {
      if (!whole_[static_cast<size_t>(location)]) continue;
      int64_t bytes = 0;
      if (OnChipBytes(ctx_.get(), location, &bytes) != nullptr) ClearOnChip(ctx_.get(), location, 0, bytes);
    }
    used_.clear();
    whole_.reset();
    return ctx_.get();
  }
  used_.clear();
  whole_.reset();
  if (world_ != nullptr) {
    // It keeps the error of one call, which no other thread makes meanwhile.
    ctx_.reset(pto_world_context(const_cast<pto_context*>(like), world_, rank_));
    if (ctx_ == nullptr) throw std::bad_alloc();
    return ctx_.get();
  }
  ctx_.reset(pto_context_create_for(pto_context_profile(like), pto_context_target(like)));
  if (ctx_ == nullptr) throw std::bad_alloc();
  if (pto_context_profile(like) == PTO_PROFILE_CPU) {
    pto_context_limit_on_chip(ctx_.get(), pto_context_capacity(like, PTO_LOCATION_VEC));
  }
  return ctx_.get();
}

int64_t Chip::Use(int location, int64_t begin, int64_t end) {
  int64_t fresh = end - begin;
  int64_t first = begin;
  int64_t last = end;
  auto it = used_.lower_bound({location, begin});
  if (it != used_.begin() && std::prev(it)->first.first == location && std::prev(it)->second >= begin) --it;
  // All that it touches becomes one span.
  while (it != used_.end() && it->first.first == location && it->first.second <= last) {
    fresh -= std::max<int64_t>(std::min(it->second, end) - std::max(it->first.second, begin), 0);
    first = std::min(first, it->first.second);
    last = std::max(last, it->second);
    it = used_.erase(it);
  }
  used_[{location, first}] = last;
  return fresh;
}

}  // namespace pto::ptoas
