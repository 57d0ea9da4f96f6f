// The parts of the C++20 library that libpto uses and that libc++ 13 of Debian's emscripten lacks. Included first.
#ifndef PTO_BINDINGS_WASM_LIBCXX_LIBCXX_H_
#define PTO_BINDINGS_WASM_LIBCXX_LIBCXX_H_

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

template <class T>
unique_ptr<T> make_unique_for_overwrite(size_t count) {
  return unique_ptr<T>(new remove_extent_t<T>[count]);
}

// As much of it as there is use for; there is one thread.
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& place) : place_(&place) {}
  T load(memory_order) const { return __atomic_load_n(place_, __ATOMIC_SEQ_CST); }
  void store(T value, memory_order) const { __atomic_store_n(place_, value, __ATOMIC_SEQ_CST); }
  T fetch_add(T value, memory_order) const { return __atomic_fetch_add(place_, value, __ATOMIC_SEQ_CST); }
  bool compare_exchange_weak(T& old, T value, memory_order) const {
    return __atomic_compare_exchange_n(place_, &old, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

 private:
  T* place_;
};

}  // namespace std
#endif

#endif  // PTO_BINDINGS_WASM_LIBCXX_LIBCXX_H_
