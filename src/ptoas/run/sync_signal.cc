#include "src/ptoas/run/sync_signal.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pto::ptoas::sync {

namespace {

// Notices that are kept; of more the first ones count as heard.
constexpr size_t kMost = 256;

int32_t Apply(int32_t value, const Notice& notice) {
  if (notice.set) return notice.value;
  return static_cast<int32_t>(static_cast<uint32_t>(value) + static_cast<uint32_t>(notice.value));
}

}  // namespace

int32_t Signal::ValueWithout(const std::vector<bool>& left_out) const {
  int32_t value = base_;
  for (size_t i = 0; i < notices_.size(); ++i) {
    if (left_out.empty() || !left_out[i]) value = Apply(value, notices_[i]);
  }
  return value;
}

void Signal::Reset(int32_t value) {
  notices_.clear();
  base_ = value;
}

void Signal::Add(Notice notice) {
  if (notices_.size() >= kMost) {
    base_ = Apply(base_, notices_[0]);
    Hear(notices_[0]);
    notices_.erase(notices_.begin());
  }
  notices_.push_back(std::move(notice));
}

const Notice* Signal::Unseen() const {
  for (const Notice& notice : notices_) {
    if (!notice.seen && !notice.own) return &notice;
  }
  return nullptr;
}

void Signal::Hear(const Notice& notice) { heard_[notice.core].Join(notice.clock); }

bool Signal::See(const std::function<bool(int32_t)>& holds, const std::function<void(int, const Clock&)>& tell) {
  std::vector<int> cores;
  for (Notice& notice : notices_) {
    notice.seen = true;
    if (std::find(cores.begin(), cores.end(), notice.core) == cores.end()) cores.push_back(notice.core);
  }
  bool any = false;
  for (const int core : cores) {
    std::vector<bool> left_out(notices_.size());
    // From the core's last notification on, until the wait would not hold.
    size_t last = notices_.size();
    while (last > 0) {
      const size_t i = last - 1;
      if (notices_[i].core == core) {
        left_out[i] = true;
        if (!holds(ValueWithout(left_out))) break;
      }
      --last;
    }
    for (size_t i = 0; i < last; ++i) {
      if (notices_[i].core != core) continue;
      any |= !notices_[i].heard;
      notices_[i].heard = true;
    }
  }
  // Notices that were heard become the base if the value stays the same: before all others.
  size_t kept = 0;
  while (kept < notices_.size() && notices_[kept].heard) {
    base_ = Apply(base_, notices_[kept]);
    Hear(notices_[kept]);
    ++kept;
  }
  for (size_t i = kept; i < notices_.size(); ++i) {
    if (notices_[i].heard) Hear(notices_[i]);
  }
  notices_.erase(notices_.begin(), notices_.begin() + static_cast<std::ptrdiff_t>(kept));
  for (const auto& [core, clock] : heard_) tell(core, clock);
  return any;
}

}  // namespace pto::ptoas::sync
