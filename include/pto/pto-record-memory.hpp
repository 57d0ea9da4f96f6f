// The memory of a recording. Include pto-record.hpp, which includes this file.
#ifndef PTO_PTO_RECORD_MEMORY_HPP_
#define PTO_PTO_RECORD_MEMORY_HPP_

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "pto/pto-base.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
namespace pto_detail {

// Copies of bytes: as they were when they were first looked at, and as they were the last time.
class Shadow {
 public:
  // Calls changed(i, fresh) for each element that is not what it was the last time, or that is looked at first: fresh.
  template <typename Changed>
  void Look(const unsigned char* data, int64_t bytes, int element, Changed&& changed) {
    for (int64_t at = 0; at < bytes;) {
      Page& page = At(data + at);
      const size_t from = OffsetOf(data + at);
      const auto some = std::min(bytes - at, static_cast<int64_t>(kBytes - from));
      if (!page.known.all() || std::memcmp(&page.now[from], data + at, static_cast<size_t>(some)) != 0) {
        for (int64_t i = at; i < at + some; i += element) {
          const size_t k = OffsetOf(data + i);
          const bool fresh = !page.known[k];
          const auto size = static_cast<size_t>(std::min<int64_t>(element, at + some - i));
          if (!fresh && std::memcmp(&page.now[k], data + i, size) == 0) continue;
          changed(i / element, fresh);
          for (size_t b = 0; b < size; ++b) page.Know(k + b, data[i + static_cast<int64_t>(b)]);
        }
      }
      at += some;
    }
  }
  // The present contents are not a change.
  void Take(const unsigned char* data, int64_t bytes) {
    for (int64_t at = 0; at < bytes;) {
      Page& page = At(data + at);
      const size_t from = OffsetOf(data + at);
      const size_t some = std::min(static_cast<size_t>(bytes - at), kBytes - from);
      for (size_t k = 0; k < some && !page.known.all(); ++k) page.Know(from + k, data[at + static_cast<int64_t>(k)]);
      std::memcpy(&page.now[from], data + at, some);
      at += static_cast<int64_t>(some);
    }
  }
  void Clear() {
    pages_.clear();
    last_ = nullptr;
  }
  // Puts what was there first of [begin, begin + bytes) to another place.
  void CopyFirst(uintptr_t begin, size_t bytes, unsigned char* to) const {
    for (auto it = pages_.lower_bound(begin / kBytes); it != pages_.end() && it->first * kBytes < begin + bytes; ++it) {
      for (size_t k = 0; k < kBytes; ++k) {
        const uintptr_t at = it->first * kBytes + k;
        if (at >= begin && at < begin + bytes && it->second->known[k]) to[at - begin] = it->second->first[k];
      }
    }
  }

 private:
  static constexpr size_t kBytes = 4096;
  struct Page {
    std::array<unsigned char, kBytes> first;
    std::array<unsigned char, kBytes> now;
    std::bitset<kBytes> known;
    void Know(size_t k, unsigned char value) {
      if (!known[k]) first[k] = value;
      known[k] = true;
      now[k] = value;
    }
  };
  static size_t OffsetOf(const unsigned char* p) { return reinterpret_cast<uintptr_t>(p) % kBytes; }
  Page& At(const unsigned char* p) {
    const uintptr_t number = reinterpret_cast<uintptr_t>(p) / kBytes;
    if (last_ != nullptr && number == last_number_) return *last_;
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    last_ = page.get();
    last_number_ = number;
    return *last_;
  }

  std::map<uintptr_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  uintptr_t last_number_ = 0;
};

// Memory in place of the memory of a kernel's tensors: what overlaps there overlaps here.
class Memory {
 public:
  void Clear() { parts_.clear(); }
  void Add(const void* data, int64_t bytes) {
    if (bytes > 0)
      parts_.push_back({reinterpret_cast<uintptr_t>(data), static_cast<size_t>(bytes), {nullptr, &std::free}});
  }
  // False: there is not that much.
  bool Make() {
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.begin < b.begin; });
    std::vector<Part> joined;
    for (Part& part : parts_) {
      if (!joined.empty() && part.begin <= joined.back().begin + joined.back().bytes) {
        joined.back().bytes = std::max(joined.back().bytes, part.begin + part.bytes - joined.back().begin);
      } else {
        joined.push_back(std::move(part));
      }
    }
    parts_ = std::move(joined);
    return Reset([](uintptr_t, size_t, unsigned char*) {});
  }
  // Zeros, then what fill(begin, bytes, to) puts there.
  template <typename Fill>
  bool Reset(Fill&& fill) {
    for (Part& part : parts_) {
      // The copy has the same offset in a cache line as its original. Untouched zero pages take no memory.
      if (part.memory == nullptr)
        part.memory.reset(static_cast<unsigned char*>(std::calloc(part.bytes + 2 * kLine, 1)));
      if (part.memory == nullptr) return false;
      fill(part.begin, part.bytes, Start(part));
    }
    return true;
  }
  unsigned char* Find(const void* data) const {
    const auto at = reinterpret_cast<uintptr_t>(data);
    for (const Part& part : parts_) {
      if (at >= part.begin && at - part.begin < part.bytes) return Start(part) + (at - part.begin);
    }
    return nullptr;
  }

 private:
  static constexpr uintptr_t kLine = 64;
  struct Part {
    uintptr_t begin;
    size_t bytes;
    std::unique_ptr<unsigned char, void (*)(void*)> memory;
  };
  static unsigned char* Start(const Part& part) {
    const auto at = reinterpret_cast<uintptr_t>(part.memory.get());
    return part.memory.get() + (kLine - at % kLine) + part.begin % kLine;
  }
  std::vector<Part> parts_;
};

}  // namespace pto_detail
}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_RECORD_MEMORY_HPP_
