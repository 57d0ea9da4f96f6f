// Kernels that move elements, on every target: all widths, short and long lines, at odd addresses, between pages that
// fault. Against loops over elements.
#include "src/kernels/shuffle.h"

#include "guarded.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;

Guarded to_memory, from_memory, odd_memory;

// Lines of elements; alignment is asked of no kernel.
struct Matrix {
  uint8_t* data;
  size_t lines, count, line, bytes;
  size_t Index(size_t i, size_t k) const { return i * line + k; }
};

Matrix Make(Guarded* memory, size_t lines, size_t count, size_t bytes) {
  const size_t line = count + (OneIn(2) ? 0 : Below(20));
  const size_t elements = lines == 0 || count == 0 ? 0 : (lines - 1) * line + count;
  uint8_t* data = memory->Place(elements * bytes, 1, 0x5a);
  for (size_t i = 0; i < elements * bytes; ++i) data[i] = static_cast<uint8_t>(random_bits());
  return {data, lines, count, line, bytes};
}

void Compare(Guarded* memory) {
  if (memory->Difference() != PTRDIFF_MAX) fail_msg("%s: byte %td differs", description, memory->Difference());
}

size_t Length() { return OneIn(4) ? Below(300) : Below(70); }

void TestTranspose(int target, int bytes) {
  const auto size = static_cast<size_t>(bytes);
  const size_t lines = Length();
  const size_t count = Length();
  std::snprintf(description, sizeof description, "transpose of %zu x %zu, %d bytes, on %s", lines, count, bytes,
                pto::TargetName(target));
  const Matrix src = Make(&from_memory, lines, count, size);
  const Matrix dst = Make(&to_memory, count, lines, size);
  to_memory.Expect();
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < count; ++k) {
      PutElement(to_memory.expected(), dst.Index(k, i), size, ElementAt(src.data, src.Index(i, k), size));
    }
  }
  pto::PickShuffles(target, bytes)
      .transpose(
          {dst.data, src.data, static_cast<ptrdiff_t>(dst.line), static_cast<ptrdiff_t>(src.line), lines, count});
  Compare(&to_memory);
}

void TestLines(int target, int bytes) {
  const auto size = static_cast<size_t>(bytes);
  const size_t lines = Below(20);
  const size_t count = Below(200);
  std::snprintf(description, sizeof description, "%zu lines of %zu, %d bytes, on %s", lines, count, bytes,
                pto::TargetName(target));
  const Matrix src = Make(&from_memory, lines, count, size);
  const Matrix dst = Make(&to_memory, lines, count, size);
  const uint64_t value = random_bits();
  for (const bool fill : {false, true}) {
    to_memory.Expect();
    for (size_t i = 0; i < lines; ++i) {
      for (size_t k = 0; k < count; ++k) {
        PutElement(to_memory.expected(), dst.Index(i, k), size,
                   fill ? value : ElementAt(src.data, src.Index(i, k), size));
      }
    }
    const pto::Shuffles shuffles = pto::PickShuffles(target, bytes);
    const auto dst_line = static_cast<ptrdiff_t>(dst.line);
    if (fill) {
      shuffles.fill({dst.data, &value, dst_line, lines, count});
    } else {
      shuffles.lines({dst.data, src.data, dst_line, static_cast<ptrdiff_t>(src.line), lines, count});
    }
    Compare(&to_memory);
  }
}

void TestPairs(int target, int bytes) {
  const auto size = static_cast<size_t>(bytes);
  const size_t pairs = Length();
  std::snprintf(description, sizeof description, "%zu pairs, %d bytes, on %s", pairs, bytes, pto::TargetName(target));
  const pto::Shuffles shuffles = pto::PickShuffles(target, bytes);
  Matrix even = Make(&from_memory, 1, pairs, size);
  Matrix odd = Make(&odd_memory, 1, pairs, size);
  Matrix whole = Make(&to_memory, 1, 2 * pairs, size);
  to_memory.Expect();
  for (size_t k = 0; k < pairs; ++k) {
    PutElement(to_memory.expected(), 2 * k, size, ElementAt(even.data, k, size));
    PutElement(to_memory.expected(), 2 * k + 1, size, ElementAt(odd.data, k, size));
  }
  shuffles.zip({whole.data, even.data, odd.data, pairs});
  Compare(&to_memory);
  from_memory.Expect();
  odd_memory.Expect();
  std::memset(even.data, 0, pairs * size);
  std::memset(odd.data, 0, pairs * size);
  shuffles.unzip({whole.data, even.data, odd.data, pairs});
  Compare(&from_memory);
  Compare(&odd_memory);
}

void TestAll(void**) {
  ForEachTarget([](int target) {
    for (const int bytes : {1, 2, 4, 8}) {
      for (int n = 0; n < 400; ++n) {
        TestTranspose(target, bytes);
        TestLines(target, bytes);
        TestPairs(target, bytes);
      }
    }
  });
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(TestAll)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
