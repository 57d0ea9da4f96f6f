// Allocation of tile memory.
#include "src/core/storage.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "src/core/layout.h"

namespace pto {

std::atomic<int64_t> g_live_handles{0};

namespace {
// A cache line, and the widest vector.
constexpr int64_t kAlignment = 64;
}  // namespace

Storage* Storage::Allocate(int64_t bytes) {
  auto* storage = new (std::nothrow) Storage;
  if (storage == nullptr) return nullptr;
  const auto size = static_cast<size_t>(RoundUp(bytes, kAlignment));
  storage->data = static_cast<uint8_t*>(std::aligned_alloc(kAlignment, size));
  if (storage->data == nullptr) {
    delete storage;
    return nullptr;
  }
  std::memset(storage->data, 0, size);
  storage->bytes = bytes;
  storage->owned = true;
  return storage;
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
  if (storage->owned) std::free(storage->data);
  delete storage;
}

}  // namespace pto
