// A table with few places in use. A place that is not in use costs four bytes.
#ifndef PTO_SRC_PTOAS_SYNC_USED_H_
#define PTO_SRC_PTOAS_SYNC_USED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace pto::ptoas::sync {

template <class T>
class Used {
 public:
  void Reset(size_t places) {
    at_.assign(places, 0);
    used_.clear();
  }
  T& operator[](size_t place) {
    uint32_t& at = at_[place];
    if (at == 0) {
      used_.push_back({place, T()});
      at = static_cast<uint32_t>(used_.size());
    }
    return used_[at - 1].second;
  }
  // The requests, by place.
  std::vector<std::pair<size_t, const T*>> InOrder() const {
    std::vector<std::pair<size_t, const T*>> all;
    for (const auto& [place, value] : used_) all.emplace_back(place, &value);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::vector<uint32_t> at_;  // in used_, counted from 1; 0: nowhere
  std::deque<std::pair<size_t, T>> used_;
};

}  // namespace pto::ptoas::sync

#endif  // PTO_SRC_PTOAS_SYNC_USED_H_
