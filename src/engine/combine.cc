// Combinations of a few elements at once; where another thread, or an earlier element of the same place, was faster,
// one is combined again.
#include "src/engine/combine.h"

#include <algorithm>
#include <atomic>

namespace pto {

namespace {

// place(k) is the address for element k, or nullptr for none.
template <class T, class Place>
void CombineElements(const Kernel& lane, Place place, const uint8_t* from, int64_t step, int64_t count) {
  constexpr int64_t kSome = 64;
  T old[kSome];
  T more[kSome];
  T result[kSome];
  const auto* source = reinterpret_cast<const T*>(from);
  for (int64_t k = 0; k < count; k += kSome) {
    const int64_t n = std::min(kSome, count - k);
    for (int64_t i = 0; i < n; ++i) {
      more[i] = source[(k + i) * step];
      T* const at = place(k + i);
      old[i] = at == nullptr ? more[i] : std::atomic_ref<T>(*at).load(std::memory_order_relaxed);
    }
    Call(lane, Grid{result, old, more, 0, 0, 0, 1, 1, 1, static_cast<size_t>(n)});
    for (int64_t i = 0; i < n; ++i) {
      T* const at = place(k + i);
      if (at == nullptr) continue;
      const std::atomic_ref<T> element(*at);
      while (!element.compare_exchange_weak(old[i], result[i], std::memory_order_relaxed)) {
        Call(lane, Grid{&result[i], &old[i], &more[i], 0, 0, 0, 1, 1, 1, 1});
      }
    }
  }
}

// By the width of the kernel's elements.
template <class Run>
void ByWidth(const Kernel& lane, Run run) {
  switch (lane.size) {
    case 1:
      return run(uint8_t{});
    case 2:
      return run(uint16_t{});
    case 4:
      return run(uint32_t{});
    default:
      return run(uint64_t{});
  }
}

}  // namespace

void Combine(const Kernel& lane, uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step, int64_t count) {
  ByWidth(lane, [&](auto zero) {
    using T = decltype(zero);
    auto* const base = reinterpret_cast<T*>(to);
    CombineElements<T>(
        lane, [&](int64_t k) { return base + k * to_step; }, from, from_step, count);
  });
}

void CombineAt(const Kernel& lane, uint8_t* to, const int64_t* places, const uint8_t* from, int64_t count) {
  ByWidth(lane, [&](auto zero) {
    using T = decltype(zero);
    auto* const base = reinterpret_cast<T*>(to);
    CombineElements<T>(
        lane, [&](int64_t k) { return places[k] < 0 ? nullptr : base + places[k]; }, from, 1, count);
  });
}

}  // namespace pto
