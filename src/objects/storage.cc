// Allocation of tile memory.
#include "src/objects/storage.h"

#include <cstdlib>
#include <new>

#include "src/objects/layout.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace pto {

std::atomic<int64_t> g_live_handles{0};

namespace {
// A cache line, and the widest vector.
constexpr int64_t kAlignment = 64;
}  // namespace

Storage* Storage::Allocate(int64_t bytes) {
  if (!Addressable(bytes)) return nullptr;
  auto* storage = new (std::nothrow) Storage;
  if (storage == nullptr) return nullptr;
  // calloc() takes fresh pages of the system as they are, zeroed: a large tile costs
  // what is touched of it.
  const int64_t size = RoundUp(bytes, kAlignment) + kAlignment;
  storage->block = std::calloc(1, static_cast<size_t>(size));
  if (storage->block == nullptr) {
    delete storage;
    return nullptr;
  }
  auto* first = static_cast<uint8_t*>(storage->block);
  storage->data = first + (kAlignment - reinterpret_cast<uintptr_t>(first) % kAlignment) % kAlignment;
  storage->bytes = bytes;
  return storage;
}

Storage* Storage::Reserve(int64_t bytes, [[maybe_unused]] bool* no_space, [[maybe_unused]] bool shared) {
#if defined(MAP_ANONYMOUS)
#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif
  if (!Addressable(bytes)) return nullptr;
  auto* storage = new (std::nothrow) Storage;
  if (storage == nullptr) return nullptr;
  const int flags = (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const block = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (block == MAP_FAILED) {
    *no_space = true;
    delete storage;
    return nullptr;
  }
  storage->block = block;
  storage->data = static_cast<uint8_t*>(block);
  storage->bytes = bytes;
  storage->reserved = bytes;
  return storage;
#else
  return Allocate(bytes);
#endif
}

Storage* Storage::Wrap(void* data, int64_t bytes) {
  auto* storage = new (std::nothrow) Storage;
  if (storage == nullptr) return nullptr;
  storage->data = static_cast<uint8_t*>(data);
  storage->bytes = bytes;
  return storage;
}

void Storage::Release(Storage* storage) {
  if (storage == nullptr || !storage->refs.Release()) return;
#if defined(MAP_ANONYMOUS)
  if (storage->reserved != 0) {
    munmap(storage->block, static_cast<size_t>(storage->reserved));
    storage->block = nullptr;
  }
#endif
  std::free(storage->block);
  delete storage;
}

}  // namespace pto
