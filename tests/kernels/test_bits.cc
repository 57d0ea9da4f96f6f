// Comparisons to bits and selections by bits, on every target: all modes and types, all lengths
// of line, broadcast operands, in place, between pages that fault. Against a loop over elements.
#include "guarded.h"
#include "src/kernels/bits.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;
using pto::Compare;

constexpr int kModes = 6;
Guarded dst_memory, a_memory, b_memory, mask_memory;

template <typename V>
bool Holds(Compare mode, V a, V b) {
  switch (mode) {
    case Compare::kEq:
      return a == b;
    case Compare::kNe:
      return a != b;
    case Compare::kLt:
      return a < b;
    case Compare::kLe:
      return a <= b;
    case Compare::kGt:
      return a > b;
    default:
      return a >= b;
  }
}

bool Holds(Compare mode, DType t, uint64_t a, uint64_t b) {
  return IsFloat(t) ? Holds(mode, FloatValue(t, a), FloatValue(t, b)) : Holds(mode, IntValue(t, a), IntValue(t, b));
}

// A source: its lines are `line` elements apart, or all the same, or one element each.
struct Source {
  int32_t step;
  ptrdiff_t line;
  size_t elements;

  size_t At(size_t i, size_t k) const {
    return static_cast<size_t>(static_cast<ptrdiff_t>(i) * line) + (step != 0 ? k : 0);
  }
};

Source MakeSource(size_t lines, size_t count, bool scalars) {
  Source s;
  s.step = scalars && OneIn(3) ? 0 : 1;
  const size_t along = s.step != 0 ? count : 1;
  s.line = OneIn(4) ? 0 : static_cast<ptrdiff_t>(along + (OneIn(2) ? 0 : Below(40)));
  s.elements = s.At(lines - 1, count - 1) + 1;
  return s;
}

void FillSource(uint8_t* at, DType t, size_t elements, const std::vector<uint64_t>& special) {
  for (size_t i = 0; i < elements; ++i) PutElement(at, i, Bytes(t), AnyNumber(t, special));
}

void TryCompare(int target, Compare mode, DType t, size_t lines, size_t count) {
  const size_t bytes = Bytes(t);
  const size_t bit_bytes = (count + 7) / 8;
  const size_t dst_line = bit_bytes + (OneIn(2) ? 0 : Below(20));
  const Source a = MakeSource(lines, count, true), b = MakeSource(lines, count, true);
  std::snprintf(description, sizeof description, "%s compare %d of %s: %zu x %zu, lines %zu %td %td, steps %d %d",
                pto::TargetName(target), static_cast<int>(mode), pto::Info(t).name, lines, count, dst_line, a.line,
                b.line, a.step, b.step);
  const std::vector<uint64_t> special = SpecialNumbers(t);
  FillSource(a_memory.Place(a.elements * bytes, bytes, 0), t, a.elements, special);
  FillSource(b_memory.Place(b.elements * bytes, bytes, 0), t, b.elements, special);
  if (OneIn(2) && a.elements == b.elements) std::memcpy(b_memory.data(), a_memory.data(), a.elements * bytes);
  uint8_t* const dst = dst_memory.Place((lines - 1) * dst_line + bit_bytes, 1, 0xdb);
  for (size_t i = 0; i < lines; ++i) {
    uint8_t* const want = dst_memory.expected() + i * dst_line;
    std::memset(want, 0, bit_bytes);
    for (size_t k = 0; k < count; ++k) {
      const bool holds =
          Holds(mode, t, ElementAt(a_memory.data(), a.At(i, k), bytes), ElementAt(b_memory.data(), b.At(i, k), bytes));
      want[k / 8] = static_cast<uint8_t>(want[k / 8] | (holds << k % 8));
    }
  }
  pto::Call(pto::PickCompare(target, mode, t),
            pto::Grid{dst, a_memory.data(), b_memory.data(), static_cast<ptrdiff_t>(dst_line), a.line, b.line, a.step,
                      b.step, lines, count});
  if (const ptrdiff_t at = dst_memory.Difference(); at != PTRDIFF_MAX) fail_msg("%s: byte %td", description, at);
}

void TrySelect(int target, size_t bytes, size_t lines, size_t count) {
  const size_t bit_bytes = (count + 7) / 8;
  const auto mask_line = static_cast<ptrdiff_t>(OneIn(2) ? bit_bytes : OneIn(5) ? 0 : bit_bytes + Below(20));
  const size_t dst_line = count + (OneIn(2) ? 0 : Below(20));
  const size_t alias = Below(4);  // 1: a is dst, 2: b is dst, 3: both are
  Source a = MakeSource(lines, count, false), b = MakeSource(lines, count, true);
  const size_t dst_elements = (lines - 1) * dst_line + count;
  const Source in_place = {1, static_cast<ptrdiff_t>(dst_line), dst_elements};
  if (alias & 1) a = in_place;
  if (alias & 2) b = in_place;
  std::snprintf(description, sizeof description,
                "%s select %zu bytes: %zu x %zu, lines %zu %td %td %td, step %d, alias %zu", pto::TargetName(target),
                bytes, lines, count, dst_line, mask_line, a.line, b.line, b.step, alias);
  const size_t mask_bytes = (lines - 1) * static_cast<size_t>(mask_line) + bit_bytes;
  for (Guarded* m : {&a_memory, &b_memory, &mask_memory, &dst_memory}) {
    const size_t size = m == &a_memory      ? a.elements * bytes
                        : m == &b_memory    ? b.elements * bytes
                        : m == &mask_memory ? mask_bytes
                                            : dst_elements * bytes;
    uint8_t* const to = m->Place(size, m == &mask_memory ? 1 : bytes, 0x77);
    for (size_t i = 0; i < size; ++i) to[i] = static_cast<uint8_t>(random_bits());
    m->Expect();
  }
  const uint8_t* const from_a = alias & 1 ? dst_memory.data() : a_memory.data();
  const uint8_t* const from_b = alias & 2 ? dst_memory.data() : b_memory.data();
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < count; ++k) {
      const bool bit =
          mask_memory.data()[static_cast<ptrdiff_t>(i) * mask_line + static_cast<ptrdiff_t>(k / 8)] >> k % 8 & 1;
      PutElement(dst_memory.expected(), i * dst_line + k, bytes,
                 bit ? ElementAt(from_a, a.At(i, k), bytes) : ElementAt(from_b, b.At(i, k), bytes));
    }
  }
  pto::Call(pto::PickSelect(target, static_cast<int>(bytes)),
            pto::SelectGrid{dst_memory.data(), mask_memory.data(), from_a, from_b, static_cast<ptrdiff_t>(dst_line),
                            mask_line, a.line, b.line, b.step, lines, count});
  if (const ptrdiff_t at = dst_memory.Difference(); at != PTRDIFF_MAX) fail_msg("%s: byte %td", description, at);
}

// Every length of line up to some vectors, then some long ones.
template <class Try>
void TryLengths(Try attempt) {
  for (size_t count = 1; count <= 200; ++count) attempt(1 + Below(5), count);
  for (int i = 0; i < 20; ++i) attempt(1 + Below(40), 1 + Below(20));
  for (int i = 0; i < 4; ++i) attempt(1 + Below(3), 1 + Below(3000));
}

void Comparisons(void**) {
  ForEachTarget([](int target) {
    for (int t = 0; t < pto::kComputedCount; ++t) {
      for (int mode = 0; mode < kModes; ++mode) {
        TryLengths([&](size_t lines, size_t count) {
          TryCompare(target, static_cast<Compare>(mode), static_cast<DType>(t), lines, count);
        });
      }
    }
  });
}

void Selections(void**) {
  ForEachTarget([](int target) {
    for (const size_t bytes : {size_t{1}, size_t{2}, size_t{4}, size_t{8}}) {
      for (int i = 0; i < 4; ++i) {
        TryLengths([&](size_t lines, size_t count) { TrySelect(target, bytes, lines, count); });
      }
    }
  });
}

// All narrow floats against those where the result changes: each is compared by its sign, size
// and class alone, so that pairs beyond these show nothing new.
void AllNarrowFloats(void**) {
  for (const DType t : {DType::kF16, DType::kBF16}) {
    std::vector<uint16_t> all(65536);
    std::vector<double> values(65536);
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<uint16_t>(i);
      values[i] = FloatValue(t, i);
    }
    ForEachTarget([&](int target) {
      std::vector<uint64_t> others = SpecialNumbers(t);
      for (int i = 0; i < 10; ++i) others.push_back(Below(65536));
      for (const uint64_t other : others) {
        const auto b = static_cast<uint16_t>(other);
        for (int mode = 0; mode < kModes; ++mode) {
          uint8_t bits[8192];
          pto::Call(pto::PickCompare(target, static_cast<Compare>(mode), t),
                    pto::Grid{bits, all.data(), &b, 8192, 65536, 0, 1, 0, 1, 65536});
          for (size_t i = 0; i < all.size(); ++i) {
            if ((bits[i / 8] >> i % 8 & 1) != Holds(static_cast<Compare>(mode), values[i], values[b])) {
              fail_msg("%s compare %d of %s: %04zx and %04x", pto::TargetName(target), mode, pto::Info(t).name, i, b);
            }
          }
        }
      }
    });
  }
}

}  // namespace

int main() {
  static const CMUnitTest tests[] = {
      cmocka_unit_test(Comparisons),
      cmocka_unit_test(Selections),
      cmocka_unit_test(AllNarrowFloats),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
