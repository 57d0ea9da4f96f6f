// Names in scope: a hash table whose entries leave in the reverse order they came.
#ifndef PTO_SRC_PTOAS_SCOPE_H_
#define PTO_SRC_PTOAS_SCOPE_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// Multiplies 8 bytes at a time; the seed makes collisions hard to prepare.
inline uint64_t HashText(std::string_view text, uint64_t seed) {
  uint64_t hash = seed ^ (text.size() * 0x9E3779B97F4A7C15U);
  const char* p = text.data();
  size_t n = text.size();
  const auto mix = [&hash](uint64_t word) {
    __extension__ typedef unsigned __int128 Wide;
    const Wide product = static_cast<Wide>(hash ^ word) * 0xD6E8FEB86659FD93U;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  };
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    mix(word);
  }
  uint64_t word = n;
  if (n != 0) std::memcpy(&word, p, n);
  mix(word ^ (uint64_t{n} << 56));
  return hash;
}

class Scope {
 public:
  explicit Scope(uint64_t seed) : seed_(seed), buckets_(64, kEmpty) {}

  Value* Find(std::string_view name, uint32_t index) const {
    const uint64_t hash = HashText(name, seed_ + index);
    for (uint32_t i = buckets_[hash & (buckets_.size() - 1)]; i != kEmpty; i = entries_[i].next) {
      const Entry& entry = entries_[i];
      if (entry.hash == hash && entry.value->index == index && entry.value->name == name) return entry.value;
    }
    return nullptr;
  }

  void Add(Value* value) {
    if (entries_.size() >= buckets_.size()) Grow();
    const uint64_t hash = HashText(value->name, seed_ + value->index);
    uint32_t& bucket = buckets_[hash & (buckets_.size() - 1)];
    entries_.push_back({value, hash, bucket});
    bucket = static_cast<uint32_t>(entries_.size() - 1);
  }

  size_t Mark() const { return entries_.size(); }
  void Leave(size_t mark) {
    while (entries_.size() > mark) {
      buckets_[entries_.back().hash & (buckets_.size() - 1)] = entries_.back().next;
      entries_.pop_back();
    }
  }

 private:
  static constexpr uint32_t kEmpty = ~uint32_t{0};
  struct Entry {
    Value* value;
    uint64_t hash;
    uint32_t next;
  };

  // Entries are chained again in the order they came, so that Leave() stays right.
  void Grow() {
    buckets_.assign(buckets_.size() * 4, kEmpty);
    for (uint32_t i = 0; i < entries_.size(); ++i) {
      uint32_t& bucket = buckets_[entries_[i].hash & (buckets_.size() - 1)];
      entries_[i].next = bucket;
      bucket = i;
    }
  }

  uint64_t seed_;
  std::vector<uint32_t> buckets_;
  std::vector<Entry> entries_;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_SCOPE_H_
