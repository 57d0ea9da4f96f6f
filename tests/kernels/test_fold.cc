// Folds of lines and columns, places of the largest and sums of neighbours, on every target: all
// types and lengths, steps, NaN, zeros of both signs, between pages that fault. Against loops over elements
// in the order that the header states.
#include "src/kernels/fold.h"

#include "guarded.h"

extern "C" {
#include "testing.h"
}

namespace {

using namespace kernel_test;
using pto::Fold;

Guarded dst_memory, src_memory, index_memory;

constexpr const char* kFoldNames[] = {"sum", "prod", "max", "min", "tree sum"};

// A matrix of elements, by lines.
struct Matrix {
  DType dtype;
  size_t lines, count;
  ptrdiff_t line;

  uint64_t At(size_t i, size_t k) const {
    return ElementAt(src_memory.data(), static_cast<size_t>(static_cast<ptrdiff_t>(i) * line) + k, Bytes(dtype));
  }
};

Matrix MakeMatrix(DType t, size_t lines, size_t count) {
  const size_t line = count + (OneIn(2) ? 0 : Below(40));
  const size_t elements = (lines - 1) * line + count;
  const size_t bytes = Bytes(t);
  uint8_t* const to = src_memory.Place(elements * bytes, bytes, 0);
  const std::vector<uint64_t> special = SpecialNumbers(t);
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  const uint64_t one = CanonicalNaN(t) / 2 & ~((sign >> 8) - 1);
  // Anything; floats of ordinary sizes, now and then another; zeros; a number again and again.
  const size_t kind = Below(5);
  const uint64_t same = AnyNumber(t, special);
  for (size_t i = 0; i < elements; ++i) {
    uint64_t bits = AnyNumber(t, special);
    if (kind < 3 && IsFloat(t) && !OneIn(kind == 0 ? 2 : 500)) {
      bits = one - Below(size_t{4} << MantissaBits(t)) + (random_bits() & sign);
    }
    if (kind == 3) bits = OneIn(20) ? 0 : IsFloat(t) ? sign : uint64_t{OneIn(50)};
    if (kind == 4 && !OneIn(100)) bits = same;
    PutElement(to, i, bytes, bits);
  }
  return {t, lines, count, static_cast<ptrdiff_t>(line)};
}

// The floats of a line or column, folded in its order; integers wrap.
uint64_t Folded(Fold fold, DType src, DType dst, const std::vector<uint64_t>& all, bool of_line) {
  const uint64_t mask = ~uint64_t{0} >> (64 - 8 * Bytes(dst));
  if (fold == Fold::kMax || fold == Fold::kMin) {
    const bool max = fold == Fold::kMax;
    uint64_t best = all[0];
    for (const uint64_t e : all) {
      if (!IsFloat(src)) {
        const Wide x = IntValue(src, e), y = IntValue(src, best);
        if (max ? x > y : x < y) best = e;
        continue;
      }
      const double x = FloatValue(src, e), y = FloatValue(src, best);
      if (std::isnan(x)) return CanonicalNaN(src);
      const bool signs = x == y && std::signbit(x) != std::signbit(y);
      if (signs ? std::signbit(y) == max : max ? x > y : x < y) best = e;
    }
    return best;
  }
  const bool sum = fold != Fold::kProd;
  if (!IsFloat(src)) {
    uint64_t r = sum ? 0 : 1;
    for (const uint64_t e : all) {
      const auto x = static_cast<uint64_t>(IntValue(src, e));
      r = sum ? r + x : r * x;
    }
    return r & mask;
  }
  const auto apply = [sum](float x, float y) { return sum ? x + y : x * y; };
  const float neutral = sum ? -0.0f : 1.0f;
  std::vector<float> p(16, neutral);
  if (fold == Fold::kTreeSum) {
    p.clear();
    for (const uint64_t e : all) p.push_back(static_cast<float>(FloatValue(src, e)));
    while (p.size() > 1) {
      std::vector<float> next;
      for (size_t i = 0; i + 1 < p.size(); i += 2) next.push_back(p[i] + p[i + 1]);
      if (p.size() % 2 != 0) next.back() += p.back();
      p = next;
    }
  } else if (of_line) {
    for (size_t k = 0; k < all.size(); ++k) p[k % 16] = apply(p[k % 16], static_cast<float>(FloatValue(src, all[k])));
    for (size_t half = 8; half != 0; half /= 2) {
      for (size_t i = 0; i < half; ++i) p[i] = apply(p[i], p[i + half]);
    }
  } else {
    for (const uint64_t e : all) p[0] = apply(p[0], static_cast<float>(FloatValue(src, e)));
  }
  return FloatBits(dst, p[0], ToEven, false);
}

std::vector<uint64_t> Taken(const Matrix& m, size_t result, bool of_lines) {
  std::vector<uint64_t> all;
  for (size_t i = 0; i < (of_lines ? m.count : m.lines); ++i) {
    all.push_back(of_lines ? m.At(result, i) : m.At(i, result));
  }
  return all;
}

ptrdiff_t AnyStep() { return OneIn(2) ? 1 : static_cast<ptrdiff_t>(1 + Below(20)); }

uint8_t* PlaceResults(Guarded& memory, size_t results, ptrdiff_t step, size_t bytes) {
  return memory.Place(((results - 1) * static_cast<size_t>(step) + 1) * bytes, bytes, 0xdb);
}

void TryFold(int target, bool of_lines, Fold fold, DType src, DType dst, size_t lines, size_t count) {
  const pto::FoldKernel kernel =
      of_lines ? pto::PickRowFold(target, fold, src, dst) : pto::PickColFold(target, fold, src, dst);
  if (!kernel) return;
  const Matrix m = MakeMatrix(src, lines, count);
  const size_t results = of_lines ? lines : count;
  const ptrdiff_t step = AnyStep();
  std::snprintf(description, sizeof description, "%s %s of %s, %s to %s: %zu x %zu, line %td, step %td",
                pto::TargetName(target), kFoldNames[static_cast<int>(fold)], of_lines ? "lines" : "columns",
                pto::Info(src).name, pto::Info(dst).name, lines, count, m.line, step);
  uint8_t* const to = PlaceResults(dst_memory, results, step, Bytes(dst));
  for (size_t r = 0; r < results; ++r) {
    PutElement(dst_memory.expected(), r * static_cast<size_t>(step), Bytes(dst),
               Folded(fold, src, dst, Taken(m, r, of_lines), of_lines));
  }
  pto::Call(kernel, pto::FoldGrid{to, src_memory.data(), step, m.line, lines, count});
  if (const ptrdiff_t at = dst_memory.Difference(); at != PTRDIFF_MAX) fail_msg("%s: byte %td", description, at);
}

void TryArg(int target, bool of_lines, Fold fold, DType t, size_t lines, size_t count) {
  const Matrix m = MakeMatrix(t, lines, count);
  const size_t results = of_lines ? lines : count;
  const size_t index_bytes = OneIn(2) ? 2 : 4;
  const ptrdiff_t value_step = AnyStep(), index_step = AnyStep();
  const bool no_value = OneIn(4), no_index = !no_value && OneIn(4);
  std::snprintf(description, sizeof description, "%s arg%s of %s of %s: %zu x %zu, line %td, steps %td %td",
                pto::TargetName(target), kFoldNames[static_cast<int>(fold)], of_lines ? "lines" : "columns",
                pto::Info(t).name, lines, count, m.line, value_step, index_step);
  uint8_t* const value = PlaceResults(dst_memory, results, value_step, Bytes(t));
  uint8_t* const index = PlaceResults(index_memory, results, index_step, index_bytes);
  for (size_t r = 0; r < results; ++r) {
    const std::vector<uint64_t> all = Taken(m, r, of_lines);
    size_t best = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      const bool max = fold == Fold::kMax;
      bool better;
      if (IsFloat(t)) {
        const double x = FloatValue(t, all[i]), y = FloatValue(t, all[best]);
        better = !std::isnan(y) && (std::isnan(x) || (max ? x > y : x < y));
      } else {
        const Wide x = IntValue(t, all[i]), y = IntValue(t, all[best]);
        better = max ? x > y : x < y;
      }
      if (better) best = i;
    }
    if (!no_value) PutElement(dst_memory.expected(), r * static_cast<size_t>(value_step), Bytes(t), all[best]);
    if (!no_index) PutElement(index_memory.expected(), r * static_cast<size_t>(index_step), index_bytes, best);
  }
  const pto::ArgKernel kernel = of_lines ? pto::PickRowArg(target, fold, t) : pto::PickColArg(target, fold, t);
  pto::Call(kernel, pto::ArgGrid{no_value ? nullptr : value, no_index ? nullptr : index, src_memory.data(), value_step,
                                 index_step, m.line, lines, count, static_cast<int32_t>(index_bytes)});
  if (const ptrdiff_t at = dst_memory.Difference(); at != PTRDIFF_MAX)
    fail_msg("%s: byte %td of values", description, at);
  if (const ptrdiff_t at = index_memory.Difference(); at != PTRDIFF_MAX)
    fail_msg("%s: byte %td of indices", description, at);
}

void TryPairs(int target, DType t, size_t lines, size_t count) {
  const Matrix m = MakeMatrix(t, lines, count);
  const size_t bytes = Bytes(t);
  const bool in_place = OneIn(3);
  const size_t dst_line = in_place ? static_cast<size_t>(m.line) : count + (OneIn(2) ? 0 : Below(40));
  std::snprintf(description, sizeof description, "%s sums of neighbours of %s: %zu x %zu, lines %zu %td, in place %d",
                pto::TargetName(target), pto::Info(t).name, lines, count, dst_line, m.line, in_place);
  uint8_t* const apart = dst_memory.Place(((lines - 1) * dst_line + count) * bytes, bytes, 0xdb);
  Guarded& memory = in_place ? src_memory : dst_memory;
  src_memory.Expect();
  for (size_t i = 0; i < lines; ++i) {
    for (size_t k = 0; k < count; ++k) {
      uint64_t want = 0;
      if (2 * k + 1 < count) {
        want = Folded(Fold::kSum, t, t, {m.At(i, 2 * k), m.At(i, 2 * k + 1)}, false);
      } else if (2 * k < count) {
        want = m.At(i, 2 * k);
      }
      PutElement(memory.expected(), i * dst_line + k, bytes, want);
    }
  }
  uint8_t* const to = in_place ? src_memory.data() : apart;
  pto::Call(pto::PickPairSum(target, t),
            pto::Grid{to, src_memory.data(), nullptr, static_cast<ptrdiff_t>(dst_line), m.line, 0, 1, 1, lines, count});
  if (const ptrdiff_t at = memory.Difference(); at != PTRDIFF_MAX) fail_msg("%s: byte %td", description, at);
}

// All lengths of line up to some vectors, heights beyond what is done at a time, and some large ones.
template <class Try>
void TryShapes(Try attempt) {
  for (size_t count = 1; count <= 150; ++count) attempt(1 + Below(6), count);
  for (int i = 0; i < 12; ++i) attempt(1 + Below(200), 1 + Below(30));
  attempt(1 + Below(5), 900 + Below(1500));
  attempt(9 + Below(20), 65 + Below(300));
}

template <class Try>
void TryTypes(Try attempt) {
  ForEachTarget([&](int target) {
    for (int t = 0; t < pto::kComputedCount; ++t) attempt(target, static_cast<DType>(t));
  });
}

void TryFolds(bool of_lines) {
  TryTypes([of_lines](int target, DType src) {
    for (int fold = 0; fold < 5; ++fold) {
      for (int dst = 0; dst < pto::kComputedCount; ++dst) {
        TryShapes([&](size_t lines, size_t count) {
          TryFold(target, of_lines, static_cast<Fold>(fold), src, static_cast<DType>(dst), lines, count);
        });
      }
    }
  });
}

void FoldsOfLines(void**) { TryFolds(true); }
void FoldsOfColumns(void**) { TryFolds(false); }

void PlacesOfTheLargest(void**) {
  TryTypes([](int target, DType t) {
    for (const Fold fold : {Fold::kMax, Fold::kMin}) {
      TryShapes([&](size_t lines, size_t count) { TryArg(target, true, fold, t, lines, count); });
      TryShapes([&](size_t lines, size_t count) { TryArg(target, false, fold, t, lines, count); });
    }
  });
}

void SumsOfNeighbours(void**) {
  TryTypes(
      [](int target, DType t) { TryShapes([&](size_t lines, size_t count) { TryPairs(target, t, lines, count); }); });
}

// The kernels that exist, and those that do not.
void Kernels(void**) {
  TryTypes([](int target, DType t) {
    for (const Fold fold : {Fold::kSum, Fold::kProd, Fold::kMax, Fold::kMin}) {
      assert_true(static_cast<bool>(pto::PickRowFold(target, fold, t, t)));
      assert_true(static_cast<bool>(pto::PickColFold(target, fold, t, t)));
    }
    assert_false(static_cast<bool>(pto::PickRowFold(target, Fold::kTreeSum, t, t)));
    assert_true(static_cast<bool>(pto::PickColFold(target, Fold::kTreeSum, t, t)));
    const bool narrow = t == DType::kF16 || t == DType::kBF16 || t == DType::kF32;
    assert_int_equal(static_cast<bool>(pto::PickRowFold(target, Fold::kSum, t, DType::kF32)), narrow);
    assert_int_equal(static_cast<bool>(pto::PickColFold(target, Fold::kSum, t, DType::kF32)), narrow);
    assert_int_equal(static_cast<bool>(pto::PickRowFold(target, Fold::kSum, t, DType::kI32)),
                     t == DType::kI16 || t == DType::kI32);
    assert_int_equal(static_cast<bool>(pto::PickRowFold(target, Fold::kMax, t, DType::kF32)), t == DType::kF32);
  });
}

}  // namespace

int main() {
  static const CMUnitTest tests[] = {
      cmocka_unit_test(Kernels),          cmocka_unit_test(FoldsOfLines),
      cmocka_unit_test(FoldsOfColumns),   cmocka_unit_test(PlacesOfTheLargest),
      cmocka_unit_test(SumsOfNeighbours),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
