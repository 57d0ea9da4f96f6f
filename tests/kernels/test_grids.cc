// Every kernel on every target: a grid gives the same results as its elements one by one, writes
// those and no others, and touches nothing around them. In all geometries of a Grid, in place, past
// the caches, and with many elements whose rounding the kernels decide later than the others'.
// tests/records and tests/accuracy check what one element should be.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "src/kernels/kernels.h"
#include "src/kernels/tuning.h"
#include "tests/kernels/draws.h"

extern "C" {
#include "testing.h"
}

namespace {

using kernel_test::Below;
using kernel_test::OneIn;
using kernel_test::random_bits;
using pto::DType;
using pto::Grid;
using pto::Info;
using pto::Kernel;
using pto::Lane;

bool IsFloat(DType dtype) { return (pto::Bit(dtype) & pto::dtypes::kFloats) != 0; }
bool IsNarrow(DType dtype) { return IsFloat(dtype) && dtype != DType::kF32; }

int MantissaBits(DType dtype) { return dtype == DType::kF16 ? 10 : dtype == DType::kBF16 ? 7 : 23; }

double Value(DType dtype, uint64_t bits) {
  if (dtype == DType::kBF16) return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  if (dtype == DType::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const int mantissa = static_cast<int>(bits & 1023);
  const double size = exponent == 31  ? (mantissa != 0 ? NAN : HUGE_VAL)
                      : exponent == 0 ? std::ldexp(mantissa, -24)
                                      : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -size : size;
}

// Whether v is within distance * v of the middle of two numbers of the type.
bool NearMiddle(DType dtype, double v, double distance) {
  if (!(v > 0x1p-10 && v < 0x1p15)) return false;
  int exponent;
  const double units = std::ldexp(std::frexp(v, &exponent), MantissaBits(dtype) + 1);
  return std::fabs(units - std::floor(units) - 0.5) <= distance * units;
}

// Of e ** x these are as rare as one in 2^19: some of f32.
constexpr uint32_t kCloseExponents[] = {0x3f76527b, 0xc0f76590, 0x3e6902d5, 0x40264c6c, 0x401b6c99, 0xbf615575,
                                        0x4001b249, 0x3e393c9d, 0x3fa79ee2, 0xbf268c37, 0x40efdbb9, 0x3fe67199};

// Whether the kernels look twice at x, as 1 / sqrt(x), log x, x ** 2 or x ** x is so close to a middle.
bool IsClose(Lane lane, DType dtype, double x, bool to_itself) {
  switch (lane) {
    case Lane::kRsqrt:
      return NearMiddle(dtype, 1 / std::sqrt(x), 0x1p-36);
    case Lane::kLogExact:
      return NearMiddle(dtype, std::fabs(std::log(x)), 0x1p-40);
    default:
      return NearMiddle(dtype, std::pow(x, to_itself ? x : 2), 0x1p-23);
  }
}

uint64_t CloseNumber(Lane lane, DType dtype, bool to_itself) {
  const uint64_t positive = dtype == DType::kF32 ? 0x7fffffff : 0x7fff;
  if (lane == Lane::kExpExact) return kCloseExponents[Below(std::size(kCloseExponents))];
  for (;;) {
    const uint64_t bits = random_bits() & positive;
    if (IsClose(lane, dtype, Value(dtype, bits), to_itself)) return bits;
  }
}

// The numbers of the operands: ordinary numbers, the first one is 2; close ones; and those
// that kernels treat apart.
constexpr size_t kOrdinary = 32;
constexpr size_t kClose = 16;
constexpr size_t kSpecial = 24;
constexpr size_t kNumbers = kOrdinary + kClose + kSpecial;

std::vector<uint64_t> MakeNumbers(Lane lane, DType dtype) {
  const uint64_t sign = uint64_t{1} << (8 * Info(dtype).bytes - 1);
  std::vector<uint64_t> numbers;
  if (!IsFloat(dtype)) {
    for (uint64_t i = 0; i < kOrdinary; ++i) numbers.push_back(2 + i);
    for (size_t i = 0; i < kClose; ++i) numbers.push_back(random_bits());
    for (const uint64_t v : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, sign - 1, sign - 2, sign / 2, sign | 1,
                             uint64_t{7}, uint64_t{8}, uint64_t{100}, uint64_t{255}}) {
      numbers.insert(numbers.end(), {v, ~v});
    }
    return numbers;
  }
  const uint64_t binade = uint64_t{1} << MantissaBits(dtype);
  const uint64_t two = dtype == DType::kF32 ? 0x40000000 : 0x4000;
  const uint64_t one = two - binade;
  const uint64_t infinity = sign - binade;
  numbers.push_back(two);
  while (numbers.size() < kOrdinary) numbers.push_back(one - binade + Below(3 * binade));
  const bool pow = lane == Lane::kPow || lane == Lane::kPowExact;
  const bool alone = lane == Lane::kRsqrt || lane == Lane::kExpExact || lane == Lane::kLogExact;
  const bool put_off = alone ? dtype == DType::kF32 : pow && IsNarrow(dtype);
  for (size_t i = 0; i < kClose; ++i) {
    // There is no such bf16 x ** x.
    const bool to_itself = dtype == DType::kF16 && i % 4 == 0;
    const uint64_t bits = put_off ? CloseNumber(lane, dtype, to_itself) : random_bits();
    numbers.push_back(!alone && i % 4 == 1 ? bits | sign : bits);
  }
  // Ends of the subnormal and normal numbers, NaN that signal and that are quiet, quotients and
  // powers that do not fit.
  for (const uint64_t v : {uint64_t{0}, uint64_t{1}, binade - 1, binade, infinity - 1, infinity, infinity + 1,
                           infinity + binade / 2 + 1, one, two, one / 2, one + one / 2}) {
    numbers.insert(numbers.end(), {v, v | sign});
  }
  return numbers;
}

// Results for pairs of numbers, or triples, each from a grid of one element, made on demand.
class Results {
 public:
  Results(const Kernel& kernel, DType dtype, const std::vector<uint64_t>& numbers)
      : kernel_(kernel), mask_(~uint64_t{0} >> (64 - 8 * Info(dtype).bytes)), numbers_(numbers) {}

  // Of the numbers i and j, on top of the k-th where the kernel reads what it writes.
  uint64_t Of(size_t k, size_t i, size_t j) {
    const size_t at = (k * kNumbers + i) * kNumbers + j;
    if (!known_[at]) {
      uint64_t& r = results_[at];
      if (kernel_.arity == 3) std::memcpy(&r, &numbers_[k], kernel_.size);
      Call(kernel_, {&r, &numbers_[i], &numbers_[j], 1, 1, 1, 1, 1, 1, 1});
      assert_int_equal(r & ~mask_, 0);
      known_[at] = true;
    }
    return results_[at];
  }

 private:
  const Kernel& kernel_;
  const uint64_t mask_;
  const std::vector<uint64_t>& numbers_;
  // Only kernels of three sources read what dst holds.
  std::vector<uint64_t> results_ = std::vector<uint64_t>((kernel_.arity == 3 ? kNumbers : 1) * kNumbers * kNumbers);
  std::vector<bool> known_ = std::vector<bool>(results_.size());
};

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
constexpr size_t kPages = 64;

// Memory between pages that fault; of the other kind, every second page of it does so too.
class Arena {
 public:
  explicit Arena(bool every_second_faults) {
    void* all = mmap(nullptr, (kPages + 2) * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) std::abort();
    base_ = static_cast<uint8_t*>(all) + kPage;
    for (size_t page = 0; page < kPages; page += every_second_faults ? 2 : 1) {
      if (mprotect(base_ + page * kPage, kPage, PROT_READ | PROT_WRITE) != 0) std::abort();
    }
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { munmap(base_ - kPage, (kPages + 2) * kPage); }

  uint8_t* base() const { return base_; }

 private:
  uint8_t* base_;
};

// Where the lines of an operand are: one after the other, with or without a gap, or each at an end of
// a page with a page that faults on both sides; the first element of all, or the last, touches a
// page that faults in any case.
struct Place {
  bool in_pages;
  size_t first;    // bytes from the arena's start
  ptrdiff_t line;  // bytes
  size_t lines, line_bytes;
};

Place MakePlace(DType dtype, size_t lines, size_t count, size_t gap, bool in_pages, bool at_end, bool backwards) {
  const size_t bytes = Info(dtype).bytes;
  const size_t line_bytes = count * bytes;
  Place place = {in_pages && line_bytes <= kPage && lines <= kPages / 2, 0, 0, lines, line_bytes};
  size_t line = line_bytes + gap * bytes;
  if (place.in_pages) {
    line = 2 * kPage;
    if (at_end) place.first = kPage - line_bytes;
  } else if (at_end) {
    place.first = kPages * kPage - ((lines - 1) * line + line_bytes);
  }
  place.line = static_cast<ptrdiff_t>(line);
  if (backwards) {
    place.first += (lines - 1) * line;
    place.line = -place.line;
  }
  return place;
}

Place RandomPlace(DType dtype, size_t lines, size_t count) {
  return MakePlace(dtype, lines, count, OneIn(2) ? 0 : 1 + Below(9), OneIn(3), OneIn(2), OneIn(8));
}

size_t At(const Place& place, size_t line) {
  return static_cast<size_t>(static_cast<ptrdiff_t>(place.first) + static_cast<ptrdiff_t>(line) * place.line);
}

// Calls visit(offset, bytes) for the lines and what surrounds them.
template <class Visit>
void ForEachSurrounding(const Place& place, Visit visit) {
  constexpr size_t kAround = 192;
  for (size_t i = 0; i < place.lines; ++i) {
    const size_t at = At(place, i);
    const size_t low = place.in_pages ? at / kPage * kPage : 0;
    const size_t high = place.in_pages ? low + kPage : kPages * kPage;
    const size_t from = std::max(at, low + kAround) - kAround;
    visit(from, std::min(at + place.line_bytes + kAround, high) - from);
  }
}

enum Alias { kApart, kDstIsA, kDstIsB, kAllSame, kAliases };

enum OperandB { kAnything, kALine, kAnElement };  // the last two for all lines, or for all of a line

// The current work of the processor, in case it faults.
char description[256];

void OnFault(int) {
  // NOLINTNEXTLINE(bugprone-unused-return-value)
  if (write(STDERR_FILENO, description, std::strlen(description)) < 0) _exit(2);
  _exit(1);
}

class KernelTest {
 public:
  KernelTest(int target, Lane lane, DType dtype, const Kernel& kernel)
      : lane_(lane),
        dtype_(dtype),
        bytes_(Info(dtype).bytes),
        kernel_(kernel),
        target_(pto::TargetName(target)),
        numbers_(MakeNumbers(lane, dtype)),
        results_(kernel_, dtype, numbers_) {}

  void Try(size_t lines, size_t count, OperandB b_is = kAnything) {
    const size_t aliases = kernel_.arity < 2 || b_is != kAnything ? kDstIsB : kAliases;
    const Alias alias = static_cast<Alias>(Below(aliases));
    const bool a_is_dst = alias == kDstIsA || alias == kAllSame;
    const bool b_is_dst = alias == kDstIsB || alias == kAllSame;
    Source a = {!a_is_dst && OneIn(8) ? size_t{0} : 1, !a_is_dst && OneIn(6)};
    Source b = {!b_is_dst && OneIn(5) ? size_t{0} : 1, !b_is_dst && OneIn(3)};
    if (b_is != kAnything) a = {1, false};
    if (b_is == kALine) b = {1, true};
    if (b_is == kAnElement) b = {0, false};
    const Place dst_place = RandomPlace(dtype_, lines, count);
    const Place a_place = a_is_dst ? dst_place : PlaceOf(a, lines, count);
    const Place b_place = b_is_dst ? dst_place : PlaceOf(b, lines, count);
    // The third source is what dst holds, or is somewhere else.
    const bool c_is_dst = kernel_.arity < 3 || OneIn(2);
    const Source c = {1, !c_is_dst && OneIn(6)};
    const Place c_place = c_is_dst ? dst_place : PlaceOf(c, lines, count);
    uint8_t* const dst_base = arenas_[0][dst_place.in_pages].base();
    uint8_t* const a_base = arenas_[a_is_dst ? 0 : 1][a_place.in_pages].base();
    uint8_t* const b_base = arenas_[b_is_dst ? 0 : 2][b_place.in_pages].base();
    uint8_t* const c_base = arenas_[c_is_dst ? 0 : 3][c_place.in_pages].base();
    std::snprintf(description, sizeof description,
                  "%s %s %s: %zu lines of %zu, lines %td %td %td %td, steps %zu %zu, alias %d, streams %d\n", target_,
                  pto::Info(lane_).name, Info(dtype_).name, lines, count, dst_place.line, a_place.line, b_place.line,
                  c_place.line, a.step, b.step, alias, pto::tuning.stream_bytes == 0);

    ChooseNumbers(lines, count, a, b, alias);
    ChooseThirds(lines, count, c, c_is_dst && alias != kApart ? (b_is_dst ? &b_chosen_ : &a_chosen_) : nullptr);
    ForEachSurrounding(dst_place, [&](size_t at, size_t n) {
      std::memset(dst_base + at, 0xa5, n);
      std::memset(expected_.data() + at, 0xa5, n);
    });
    for (size_t i = 0; i < lines; ++i) {
      for (size_t k = 0; k < count; ++k) {
        const size_t e = i * count + k;
        Put(a_base + At(a_place, a.fixed ? 0 : i) + k * a.step * bytes_, numbers_[a_chosen_[e]]);
        if (kernel_.arity >= 2) {
          Put(b_base + At(b_place, b.fixed ? 0 : i) + k * b.step * bytes_, numbers_[b_chosen_[e]]);
        }
        if (kernel_.arity == 3) Put(c_base + At(c_place, c.fixed ? 0 : i) + k * bytes_, numbers_[c_chosen_[e]]);
        Put(expected_.data() + At(dst_place, i) + k * bytes_, results_.Of(c_chosen_[e], a_chosen_[e], b_chosen_[e]));
      }
    }
    Call(kernel_,
         {dst_base + dst_place.first, a_base + a_place.first, kernel_.arity < 2 ? nullptr : b_base + b_place.first,
          Elements(dst_place.line), a.fixed ? 0 : Elements(a_place.line), b.fixed ? 0 : Elements(b_place.line),
          static_cast<int32_t>(a.step), static_cast<int32_t>(b.step), lines, count, c_base + c_place.first,
          c.fixed ? 0 : Elements(c_place.line)});
    bool same = true;
    ForEachSurrounding(dst_place, [&](size_t at, size_t n) {
      same = same && std::memcmp(dst_base + at, expected_.data() + at, n) == 0;
    });
    if (!same) Compare(dst_place);
  }

  // A NaN that signals, and in the same lane of another vector of a group each number that kernels treat apart.
  void TryBesideNaN() {
    constexpr size_t kVectors = 4;
    constexpr size_t kNaN = kOrdinary + kClose + 12;
    if (!IsFloat(dtype_)) return;
    const std::string_view target = target_;
    const size_t lanes = (target == "AVX3" ? 64U : target == "AVX2" ? 32U : 16U) / bytes_;
    std::vector<size_t> chosen;
    for (size_t place = 0; place < kSpecial * kVectors * kVectors; ++place) {
      const size_t first = place % kVectors;
      const size_t second = place / kVectors % kVectors;
      const size_t begin = chosen.size();
      for (size_t i = 0; i < kVectors * lanes; ++i) chosen.push_back(Below(kOrdinary));
      const size_t lane = begin + Below(lanes);
      chosen[lane + first * lanes] = kNaN + Below(2);
      chosen[lane + second * lanes] = kOrdinary + kClose + place / kVectors / kVectors;
    }
    const size_t count = chosen.size();
    const std::vector<size_t> twos(count, 0);
    uint8_t* const base[] = {arenas_[0][0].base(), arenas_[1][0].base(), arenas_[2][0].base(), arenas_[3][0].base()};
    std::snprintf(description, sizeof description, "%s %s %s: beside NaN\n", target_, pto::Info(lane_).name,
                  Info(dtype_).name);
    for (int side = 0; side < std::min<int>(kernel_.arity, 2); ++side) {
      const std::vector<size_t>& a = side == 0 ? chosen : twos;
      const std::vector<size_t>& b = side == 0 ? twos : chosen;
      for (size_t i = 0; i < count; ++i) {
        Put(base[1] + i * bytes_, numbers_[a[i]]);
        Put(base[2] + i * bytes_, numbers_[b[i]]);
        Put(base[3] + i * bytes_, numbers_[0]);
      }
      Call(kernel_, {base[0], base[1], kernel_.arity < 2 ? nullptr : base[2], 0, 0, 0, 1, 1, 1, count, base[3], 0});
      for (size_t i = 0; i < count; ++i) {
        const uint64_t want = results_.Of(0, a[i], kernel_.arity < 2 ? 0 : b[i]);
        uint64_t got = 0;
        std::memcpy(&got, base[0] + i * bytes_, bytes_);
        if (got == want) continue;
        fail_msg("%selement %zu: f(%llx, %llx) = %llx, not %llx", description, i,
                 static_cast<unsigned long long>(numbers_[a[i]]), static_cast<unsigned long long>(numbers_[b[i]]),
                 static_cast<unsigned long long>(got), static_cast<unsigned long long>(want));
      }
    }
  }

 private:
  struct Source {
    size_t step;
    bool fixed;  // one line for all
  };

  Place PlaceOf(const Source& s, size_t lines, size_t count) const {
    return RandomPlace(dtype_, s.fixed ? 1 : lines, s.step == 0 ? 1 : count);
  }
  ptrdiff_t Elements(ptrdiff_t line) const { return line / static_cast<ptrdiff_t>(bytes_); }
  void Put(uint8_t* to, uint64_t bits) const { std::memcpy(to, &bits, bytes_); }

  // From hardly anything but ordinary numbers to hardly any.
  void ChooseNumbers(size_t lines, size_t count, const Source& a, const Source& b, Alias alias) {
    static constexpr size_t kRarities[] = {2, 100, SIZE_MAX};
    const size_t special = kRarities[Below(3)];
    const size_t close = kRarities[Below(3)];
    const bool close_ends = OneIn(4);
    // Of b: ordinary numbers, these and one that is not, or all kinds.
    const size_t b_kind = Below(3);
    const size_t b_special_number = kOrdinary + Below(kClose + kSpecial);
    const auto choose_b = [&] {
      if (b_kind == 2) return Choose(special, close);
      return b_kind == 1 && OneIn(special) ? b_special_number : Below(kOrdinary);
    };
    a_chosen_.resize(lines * count);
    b_chosen_.resize(lines * count);
    for (size_t i = 0; i < lines; ++i) {
      for (size_t k = 0; k < count; ++k) {
        const size_t e = i * count + k;
        const auto before = [&](const Source& s) { return (s.fixed ? 0 : i * count) + k * s.step; };
        const bool end = close_ends && k + 1 == count;
        a_chosen_[e] = before(a) == e ? Choose(special, end ? 1 : close) : a_chosen_[before(a)];
        b_chosen_[e] = before(b) != e ? b_chosen_[before(b)] : end || OneIn(2) ? 0 : choose_b();
        if (alias == kAllSame) b_chosen_[e] = a_chosen_[e];
        if (kernel_.arity < 2) b_chosen_[e] = 0;
      }
    }
  }

  // Of the third source, which may be what another one is.
  void ChooseThirds(size_t lines, size_t count, const Source& c, const std::vector<size_t>* same) {
    c_chosen_.assign(lines * count, 0);
    if (kernel_.arity < 3) return;
    for (size_t e = 0; e < lines * count; ++e) {
      c_chosen_[e] = same != nullptr ? (*same)[e] : c.fixed && e >= count ? c_chosen_[e - count] : Choose(100, 100);
    }
  }

  static size_t Choose(size_t special, size_t close) {
    if (OneIn(close)) return kOrdinary + Below(kClose);
    if (OneIn(special)) return kOrdinary + kClose + Below(kSpecial);
    return Below(kOrdinary);
  }

  void Compare(const Place& dst_place) {
    const uint8_t* const dst_base = arenas_[0][dst_place.in_pages].base();
    const size_t count = dst_place.line_bytes / bytes_;
    for (size_t i = 0; i < dst_place.lines; ++i) {
      for (size_t k = 0; k < count; ++k) {
        const size_t at = At(dst_place, i) + k * bytes_;
        uint64_t got = 0, want = 0;
        std::memcpy(&got, dst_base + at, bytes_);
        std::memcpy(&want, expected_.data() + at, bytes_);
        Put(expected_.data() + at, got);
        if (got == want) continue;
        fail_msg("%selement %zu of line %zu: f(%llx, %llx) = %llx, not %llx", description, k, i,
                 static_cast<unsigned long long>(numbers_[a_chosen_[i * count + k]]),
                 static_cast<unsigned long long>(numbers_[b_chosen_[i * count + k]]),
                 static_cast<unsigned long long>(got), static_cast<unsigned long long>(want));
      }
    }
    ForEachSurrounding(dst_place, [&](size_t at, size_t n) {
      if (std::memcmp(dst_base + at, expected_.data() + at, n) != 0) {
        fail_msg("%swrote beside the elements", description);
      }
    });
  }

  const Lane lane_;
  const DType dtype_;
  const size_t bytes_;
  const Kernel kernel_;
  const char* const target_;
  const std::vector<uint64_t> numbers_;
  Results results_;
  std::vector<size_t> a_chosen_, b_chosen_, c_chosen_;
  static inline Arena arenas_[4][2] = {{Arena(false), Arena(true)},
                                       {Arena(false), Arena(true)},
                                       {Arena(false), Arena(true)},
                                       {Arena(false), Arena(true)}};  // dst, a, b, c
  static inline std::vector<uint8_t> expected_ = std::vector<uint8_t>(kPages * kPage);
};

// Lines from one element to some vectors, and those that non-temporal stores spread over pages.
void TryGrids(KernelTest& test, DType dtype) {
  const pto::Tuning before = pto::tuning;
  for (int i = 0; i < 60 / sparse(); ++i) {
    pto::tuning.stream_bytes = OneIn(4) ? 0 : SIZE_MAX;
    test.Try(1 + Below(20), 1 + Below(OneIn(2) ? 40 : 200));
  }
  for (int i = 0; i < 6; i += sparse()) {
    pto::tuning.stream_bytes = i < 4 ? 0 : SIZE_MAX;
    pto::tuning.stream_pages = size_t{1} << 3 * (i % 2);
    test.Try(1 + Below(2), (pto::kPageBytes + Below(9 * pto::kPageBytes)) / Info(dtype).bytes);
  }
  pto::tuning = before;
}

// Whole groups of vectors and all kinds of rest, for every length of line.
void TryLengths(KernelTest& test) {
  const pto::Tuning before = pto::tuning;
  pto::tuning.stream_bytes = SIZE_MAX;
  for (size_t count = 1 + Below(sparse()); count <= 200; count += sparse()) test.Try(1 + Below(4), count);
  pto::tuning = before;
}

// Operands that repeat, in lines that are longer than the blocks which kernels make of these.
void TryRepeated(KernelTest& test, DType dtype) {
  const pto::Tuning before = pto::tuning;
  pto::tuning.stream_bytes = SIZE_MAX;
  const size_t block = pto::kBroadcastBytes / Info(dtype).bytes;
  for (int i = 0; i < (dtype == DType::kF32 ? 40 / sparse() : 4); ++i) {
    test.Try(8 + Below(8), 2 + Below(60), kALine);
    test.Try(8 + Below(4), block - 10 + Below(50), kALine);
    test.Try(1 + Below(2), block - 1 - Below(block / 64), kAnElement);
  }
  pto::tuning = before;
}

template <class Visit>
void ForEachKernel(Visit visit) {
  signal(SIGSEGV, OnFault);
  signal(SIGBUS, OnFault);
  for (int target = 0; target < pto::TargetCount(); ++target) {
    if (!pto::TargetSupported(target)) continue;
    for (int l = 0; l < pto::kLaneCount; ++l) {
      for (int t = 0; t < pto::kDTypeCount; ++t) {
        const Lane lane = static_cast<Lane>(l);
        const DType dtype = static_cast<DType>(t);
        if (const Kernel kernel = pto::PickKernel(target, lane, dtype)) {
          KernelTest test(target, lane, dtype, kernel);
          visit(test, dtype);
        }
      }
    }
  }
}

void AGridIsItsElements(void**) { ForEachKernel(TryGrids); }

void RepeatedOperands(void**) { ForEachKernel(TryRepeated); }

void AnyLengthOfLine(void**) {
  ForEachKernel([](KernelTest& test, DType) { TryLengths(test); });
}

void NumbersBesideNaN(void**) {
  ForEachKernel([](KernelTest& test, DType) { test.TryBesideNaN(); });
}

}  // namespace

int main() {
  static const CMUnitTest tests[] = {
      cmocka_unit_test(AGridIsItsElements),
      cmocka_unit_test(AnyLengthOfLine),
      cmocka_unit_test(RepeatedOperands),
      cmocka_unit_test(NumbersBesideNaN),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
