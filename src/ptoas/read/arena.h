// Bump allocation: everything a program's tree is made of lives in one arena and
// dies with it. Nothing is freed singly and no destructor runs.
#ifndef PTO_SRC_PTOAS_ARENA_H_
#define PTO_SRC_PTOAS_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/ptoas/read/large_pages.h"

namespace pto::ptoas {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Throws std::bad_alloc, like all that allocates here.
  void* Allocate(size_t bytes, size_t align) {
    const size_t at = (used_ + align - 1) & ~(align - 1);
    if (at + bytes <= size_) {
      used_ = at + bytes;
      return block_ + at;
    }
    return AllocateSlow(bytes);
  }

  template <class T>
  T* New() {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (Allocate(sizeof(T), alignof(T))) T();
  }

  // Copies the elements; an empty span costs nothing.
  template <class T>
  std::span<T> Copy(const T* data, size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    if (count == 0) return {};
    const size_t bytes = std::span<const T>(data, count).size_bytes();
    T* copy = static_cast<T*>(Allocate(bytes, alignof(T)));
    std::memcpy(static_cast<void*>(copy), data, bytes);
    return {copy, count};
  }

  std::string_view Copy(std::string_view text) {
    const std::span<char> copy = Copy(text.data(), text.size());
    return {copy.data(), copy.size()};
  }

 private:
  static constexpr size_t kBlockBytes = size_t{1} << 16;

  void* AllocateSlow(size_t bytes) {
    // Blocks double up to 16 MiB, so that a small program stays small and a large
    // one makes few system calls. A large piece has a block of its own.
    if (bytes > next_bytes_ / 4) {
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
      return blocks_.back().get();
    }
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(next_bytes_));
    block_ = blocks_.back().get();
    AskForLargePages(block_, next_bytes_);
    size_ = next_bytes_;
    used_ = bytes;
    if (next_bytes_ < kBlockBytes * 256) next_bytes_ *= 2;
    return block_;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* block_ = nullptr;
  size_t size_ = 0;
  size_t used_ = 0;
  size_t next_bytes_ = kBlockBytes / 16;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_ARENA_H_
