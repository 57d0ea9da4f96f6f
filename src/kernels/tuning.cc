// The caches and the maker of the processor decide how large results are written.
#include "src/kernels/tuning.h"

#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>

namespace pto {

constinit Tuning tuning = {
    .stream_bytes = size_t{48} << 20, .stream_pages = 1, .gathers = false, .assists = true};

namespace {

// Runs before main(); until then the values above hold.
[[maybe_unused]] const bool tuned = [] {
#ifdef _SC_LEVEL3_CACHE_SIZE
  // Many cores share a cache beyond 48 MiB, so one core has less of it.
  const auto cache = static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
  tuning.stream_bytes = std::clamp(cache, size_t{16} << 20, size_t{48} << 20);
#endif
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool intel = __builtin_cpu_is("intel") != 0;
  tuning.stream_pages = intel ? 8 : 1;
  tuning.assists = __builtin_cpu_is("amd") == 0;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  // Several third caches of AMD's are one for the C library: 256 MiB where cores have 32.
  if (__builtin_cpu_is("amd") != 0 && __get_cpuid_count(0x8000001d, 3, &a, &b, &c, &d) != 0 &&
      (a >> 5 & 7) == 3) {
    const size_t third =
        (size_t{b >> 22} + 1) * ((b >> 12 & 0x3ff) + 1) * ((b & 0xfff) + 1) * (size_t{c} + 1);
    tuning.stream_bytes = std::clamp(third, size_t{16} << 20, size_t{48} << 20);
  }
#ifdef _SC_LEVEL2_CACHE_SIZE
  // Servers of Intel from Skylake on have a large second cache. What it evicts fills the third one,
  // which is slow. Bypassing both is 1.1 to 1.9 times as fast there from 3 MiB on (Emerald Rapids).
  const auto second = static_cast<size_t>(std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE)));
  const bool server = intel && __builtin_cpu_supports("avx512f") != 0;
  if (server && second >= size_t{1} << 20) tuning.stream_bytes = second + second / 2;
#endif
  // Intel's from Alder Lake and Sapphire Rapids on, which have AVX-VNNI: those before must gather
  // slowly, because others could read what they gather (Downfall).
  tuning.gathers = intel && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a >> 4 & 1) != 0;
#endif
  return true;
}();

}  // namespace
}  // namespace pto
