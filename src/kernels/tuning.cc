// The third-level cache and the maker of the processor decide how large results are written.
#include "src/kernels/tuning.h"

#include <unistd.h>

#include <algorithm>

namespace pto {

constinit Tuning tuning = {.stream_bytes = size_t{48} << 20, .stream_pages = 1};

namespace {

// Runs before main(); until then the values above hold.
[[maybe_unused]] const bool tuned = [] {
#ifdef _SC_LEVEL3_CACHE_SIZE
  // Of a cache beyond 48 MiB, one of many cores has less to itself.
  const auto cache = static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
  tuning.stream_bytes = std::clamp(cache, size_t{16} << 20, size_t{48} << 20);
#endif
#if defined(__x86_64__)
  __builtin_cpu_init();
  tuning.stream_pages = __builtin_cpu_is("intel") ? 8 : 1;
#endif
  return true;
}();

}  // namespace
}  // namespace pto
