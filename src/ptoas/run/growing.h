// A list that one thread adds to while others read what is there: nothing that it has ever moves.
#ifndef PTO_SRC_PTOAS_RUN_GROWING_H_
#define PTO_SRC_PTOAS_RUN_GROWING_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace pto::ptoas {

template <class T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Growing() = default;
  Growing(Growing&& other) noexcept : chunks_(std::move(other.chunks_)), size_(other.size_.exchange(0)) {}

  // From any thread.
  size_t size() const { return size_.load(std::memory_order_acquire); }
  const T& operator[](size_t index) const { return chunks_[ChunkOf(index)][PlaceOf(index)]; }

  // From one thread.
  void push_back(const T& value) {
    const size_t index = size_.load(std::memory_order_relaxed);
    auto& chunk = chunks_[ChunkOf(index)];
    // Not a constructor's: memory that is not needed is not touched.
    if (chunk == nullptr) chunk.reset(std::allocator<T>().allocate(kFirst << ChunkOf(index)));
    std::construct_at(chunk.get() + PlaceOf(index), value);
    size_.store(index + 1, std::memory_order_release);
  }
  // While no other reads.
  void clear() {
    size_.store(0, std::memory_order_relaxed);
    for (auto& chunk : chunks_) chunk.reset();
  }

 private:
  struct Free {
    void operator()(T* chunk) const { ::operator delete(chunk); }
  };
  // The first chunk has kFirst places; each further chunk doubles the size.
  static constexpr size_t kFirst = 256;
  static size_t ChunkOf(size_t index) {
    return static_cast<size_t>(std::bit_width(index + kFirst) - std::bit_width(kFirst));
  }
  static size_t PlaceOf(size_t index) { return index + kFirst - (kFirst << ChunkOf(index)); }

  std::array<std::unique_ptr<T[], Free>, 40> chunks_;
  std::atomic<size_t> size_ = 0;
};

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_RUN_GROWING_H_
