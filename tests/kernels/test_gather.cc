// Kernels that move elements to and from places, on every target, by loads and by the processor's gathering: all widths
// and lengths, between pages that fault, and places beyond 2^31.
#include "src/kernels/gather.h"

#include "guarded.h"
#include "src/kernels/tuning.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;

Guarded to_memory, from_memory, place_memory;

template <typename Place, typename Kernel>
void TestOne(const char* name, int target, size_t size, bool gathers, Kernel kernel) {
  const size_t elements = 1 + Below(OneIn(2) ? 9 : 500);
  const size_t count = Below(150);
  std::snprintf(description, sizeof description, "%s of %zu from %zu elements of %zu bytes on %s", name, count,
                elements, size, pto::TargetName(target));
  const size_t to_count = gathers ? count : elements;
  const size_t from_count = gathers ? elements : count;
  uint8_t* const to = to_memory.Place(to_count * size, 1, 0x5a);
  uint8_t* const from = from_memory.Place(from_count * size, 1, 0xa5);
  auto* const place = reinterpret_cast<Place*>(place_memory.Place(count * sizeof(Place), 1, 0));
  for (size_t i = 0; i < from_count * size; ++i) from[i] = static_cast<uint8_t>(random_bits());
  for (size_t i = 0; i < count; ++i) {
    const auto at = static_cast<Place>(Below(elements));
    std::memcpy(place + i, &at, sizeof at);
  }
  to_memory.Expect();
  for (size_t i = 0; i < count; ++i) {
    Place at;
    std::memcpy(&at, place + i, sizeof at);
    const auto there = static_cast<size_t>(at);
    PutElement(to_memory.expected(), gathers ? i : there, size, ElementAt(from, gathers ? there : i, size));
  }
  kernel(to, from, place, count);
  if (to_memory.Difference() != PTRDIFF_MAX) fail_msg("%s: byte %td differs", description, to_memory.Difference());
}

void TestPlaces(int target, bool gathers) {
  pto::tuning.gathers = gathers;
  for (const int bytes : {1, 2, 4, 8}) {
    const pto::PlaceKernels kernels = pto::PickPlaces(target, bytes);
    const auto size = static_cast<size_t>(bytes);
    for (int n = 0; n < 300; ++n) {
      TestOne<uint32_t>("gather32", target, size, true, kernels.gather32);
      TestOne<int64_t>("gather64", target, size, true, kernels.gather64);
      TestOne<uint32_t>("scatter32", target, size, false, kernels.scatter32);
      TestOne<int64_t>("scatter64", target, size, false, kernels.scatter64);
    }
  }
}

// In 16 GiB of memory; next to nothing of it is touched.
void TestFar(int target, bool gathers) {
  pto::tuning.gathers = gathers;
  std::snprintf(description, sizeof description, "gather32 from far places on %s", pto::TargetName(target));
  constexpr size_t kBytes = size_t{16} << 30;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const all = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (all == MAP_FAILED) return skip();
  auto* const from = static_cast<uint32_t*>(all);
  constexpr uint32_t kPlaces[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xc0000000, 0xfffffffe, 0xffffffff};
  uint32_t places[64];
  uint32_t to[64];
  for (size_t i = 0; i < 64; ++i) places[i] = kPlaces[i % std::size(kPlaces)];
  for (const uint32_t place : kPlaces) from[place] = place ^ 0x5a5a5a5a;
  pto::PickPlaces(target, 4).gather32(to, from, places, 64);
  munmap(all, kBytes);
  for (size_t i = 0; i < 64; ++i) {
    if (to[i] != (places[i] ^ 0x5a5a5a5a)) fail_msg("place %#x on %s", places[i], pto::TargetName(target));
  }
}

void ForBoth(void (*test)(int target, bool gathers)) {
  const pto::Tuning before = pto::tuning;
  for (const bool gathers : {false, true}) {
    ForEachTarget([&](int target) { test(target, gathers); });
  }
  pto::tuning = before;
}
void TestAll(void**) { ForBoth(TestPlaces); }
void TestAllFar(void**) { ForBoth(TestFar); }

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(TestAll), cmocka_unit_test(TestAllFar)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
