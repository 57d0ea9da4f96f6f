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

// Panels one below another, or lines of boxes in turn.
void TestLines(int target, int bytes) {
  const auto size = static_cast<size_t>(bytes);
  const size_t lines = Below(20);
  const size_t count = OneIn(2) ? 32 / size : Below(200);
  const size_t panels = 1 + Below(5);
  std::snprintf(description, sizeof description, "%zu panels of %zu lines of %zu, %d bytes, on %s", panels, lines,
                count, bytes, pto::TargetName(target));
  const pto::Shuffles shuffles = pto::PickShuffles(target, bytes);
  const bool across[2] = {OneIn(2), OneIn(2)};
  // Across: a line of all panels follows another one; else a panel follows another one.
  const auto matrix = [&](Guarded* memory, bool wide) {
    return Make(memory, wide ? lines : panels * lines, wide ? panels * count : count, size);
  };
  const Matrix src = matrix(&from_memory, across[0]);
  const Matrix dst = matrix(&to_memory, across[1]);
  const auto step = [&](const Matrix& m, bool wide) { return wide ? count : lines * m.line; };
  to_memory.Expect();
  for (size_t p = 0; p < panels; ++p) {
    for (size_t i = 0; i < lines; ++i) {
      for (size_t k = 0; k < count; ++k) {
        PutElement(to_memory.expected(), p * step(dst, across[1]) + dst.Index(i, k), size,
                   ElementAt(src.data, p * step(src, across[0]) + src.Index(i, k), size));
      }
    }
  }
  shuffles.lines({dst.data, src.data, static_cast<ptrdiff_t>(dst.line), static_cast<ptrdiff_t>(src.line), lines, count,
                  static_cast<ptrdiff_t>(step(dst, across[1])), static_cast<ptrdiff_t>(step(src, across[0])), panels});
  Compare(&to_memory);
}

void TestFill(int target, int bytes) {
  const auto size = static_cast<size_t>(bytes);
  const size_t lines = Below(20);
  const size_t count = Below(200);
  std::snprintf(description, sizeof description, "%zu lines filled of %zu, %d bytes, on %s", lines, count, bytes,
                pto::TargetName(target));
  const Matrix dst = Make(&to_memory, lines, count, size);
  const uint64_t value = random_bits();
  to_memory.Expect();
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < count; ++k) PutElement(to_memory.expected(), dst.Index(i, k), size, value);
  }
  pto::PickShuffles(target, bytes).fill({dst.data, &value, static_cast<ptrdiff_t>(dst.line), lines, count});
  Compare(&to_memory);
}

void TestPairs(int target, int bytes) {
  const auto size = static_cast<size_t>(bytes);
  const size_t lines = Below(4);
  const size_t pairs = Length();
  std::snprintf(description, sizeof description, "%zu lines of %zu pairs, %d bytes, on %s", lines, pairs, bytes,
                pto::TargetName(target));
  const pto::Shuffles shuffles = pto::PickShuffles(target, bytes);
  const Matrix even = Make(&from_memory, lines, pairs, size);
  const Matrix odd = Make(&odd_memory, lines, pairs, size);
  const Matrix whole = Make(&to_memory, lines, 2 * pairs, size);
  from_memory.Expect();
  odd_memory.Expect();
  to_memory.Expect();
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < pairs; ++k) {
      PutElement(to_memory.expected(), whole.Index(i, 2 * k), size, ElementAt(even.data, even.Index(i, k), size));
      PutElement(to_memory.expected(), whole.Index(i, 2 * k + 1), size, ElementAt(odd.data, odd.Index(i, k), size));
    }
  }
  const pto::ZipGrid grid{whole.data,
                          even.data,
                          odd.data,
                          static_cast<ptrdiff_t>(whole.line),
                          static_cast<ptrdiff_t>(even.line),
                          static_cast<ptrdiff_t>(odd.line),
                          lines,
                          pairs};
  shuffles.zip(grid);
  Compare(&to_memory);
  // And back, over elements that are gone.
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < pairs; ++k) {
      PutElement(even.data, even.Index(i, k), size, 0);
      PutElement(odd.data, odd.Index(i, k), size, 0);
    }
  }
  shuffles.unzip(grid);
  Compare(&from_memory);
  Compare(&odd_memory);
}

void TestAll(void**) {
  ForEachTarget([](int target) {
    for (const int bytes : {1, 2, 4, 8}) {
      for (int n = 0; n < 400; ++n) {
        TestTranspose(target, bytes);
        TestLines(target, bytes);
        TestFill(target, bytes);
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
