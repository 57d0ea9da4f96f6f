// CarefulStrip(): products of f32 where numbers may be subnormal, at about the speed of others.
//
// x86 takes 50 to 130 ns, instead of 1, for a step with a subnormal factor, sum or result. Here most blocks of a strip
// are multiplied without any, by the same kernel, with the same bits. A block takes the first of these ways that fits:
//
//   plain   No number is subnormal, and no step can make one: the factors are too large for that. Or the factors are so
//           small that all sums are zeros, which are fast.
//   scaled  All factors are made smaller, by 2^s and 2^t, until they are below 2^-26. One that would fall below 2^-126
//           becomes 2^-126 with its sign. The processor makes zeros of subnormal results, and sets a mark if there was
//           one. If there is no mark, each sum was 0, or at least 2^-126 times 2^(s + t) without the scales. Then the
//           results are right, for two reasons:
//             - steps round as they do without scales, since s + t >= 0;
//             - a product with a factor that was replaced is below 2^-152, as it is with the factor itself. It does
//               not change a sum of 2^-126 or more, and beside a sum of 0 it sets the mark.
//   fixed   All sums are below 2^-127. Then they are multiples of 2^-149, and each step rounds to such a multiple.
//           A sum that begins with 1.5 * 2^-126 rounds in the same way, because its exponent does not change. Scales
//           make the numbers normal.
//   exact   Each step is computed in f64. The first 1, 2, 4 ... steps of a block are done in this way, and the others
//           are scaled, since sums often grow with the first steps.
//
// It is not known in advance whether numbers are subnormal. A thread that has met one keeps the marks of the processor.
// Its products look for marks around each strip. After a strip that set one, CarefulStrip() multiplies the next strips.
#include <algorithm>
#include <bit>

#include "src/engine/product.h"

namespace pto {

namespace {

constexpr size_t kBlockRows = 16;
constexpr size_t kMostWidth = 32;
constexpr ptrdiff_t kLeftLine = kDepth + kLeftGap;
constexpr uint32_t kLeastNormal = 0x00800000;
constexpr uint8_t kStripsAfter = 255;

struct Room {
  uint32_t left[kBlockRows * kLeftLine];
  uint32_t right[kDepth * kMostWidth];
  uint32_t sums[kBlockRows * kMostWidth];
};

constexpr int ExponentOf(uint32_t bits) { return static_cast<int>(bits >> 23) - 127; }

class Careful {
 public:
  Careful(const MatMulKernel& kernel, const MatMulStrip& strip, Marks* marks, Room* room)
      : kernel_(kernel),
        strip_(strip),
        marks_(*marks),
        room_(*room),
        width_(static_cast<ptrdiff_t>(strip.vectors) * kernel.lanes),
        depth_(static_cast<int>(std::bit_width(strip.groups))) {}

  static bool Takes(const MatMulKernel& kernel, const MatMulStrip& strip) {
    return strip.groups != 0 && strip.groups <= kDepth && strip.vectors * kernel.lanes <= kMostWidth;
  }

  // Returns whether a block was not plain.
  bool Run() {
    kernel_.range(Right(), &b_);
    bool any = false;
    for (size_t row = 0; row < strip_.rows; row += kBlockRows) {
      MatMulStrip block = strip_;
      block.a = static_cast<const uint32_t*>(strip_.a) + static_cast<ptrdiff_t>(row) * strip_.a_line;
      block.c = static_cast<uint32_t*>(strip_.c) + static_cast<ptrdiff_t>(row) * strip_.c_line;
      block.rows = std::min(kBlockRows, strip_.rows - row);
      any |= Block(block);
    }
    return any;
  }

 private:
  MatMulPanel Right() {
    return {room_.right, width_, strip_.b, strip_.b_line * 4, strip_.groups, static_cast<size_t>(width_)};
  }

  // The left matrix of a block in pieces of rows.
  template <class Each>
  void EachLeft(const MatMulStrip& s, const Each& each) {
    const auto* from = static_cast<const uint32_t*>(s.a);
    uint32_t* to = room_.left;
    for (size_t k = 0; k < s.groups; k += s.run, from += s.a_jump, to += s.run) {
      const size_t count = std::min(s.run, s.groups - k);
      if (s.a_step == 1) {
        each(MatMulPanel{to, kLeftLine, from, s.a_line * 4, s.rows, count});
        continue;
      }
      for (size_t i = 0; i < s.rows; ++i) {
        for (size_t j = 0; j < count; ++j) {
          to[static_cast<ptrdiff_t>(i) * kLeftLine + static_cast<ptrdiff_t>(j)] =
              from[static_cast<ptrdiff_t>(i) * s.a_line + static_cast<ptrdiff_t>(j) * s.a_step];
        }
      }
      each(MatMulPanel{to, kLeftLine, to, kLeftLine * 4, s.rows, count});
    }
  }

  // The sums of a block, vector by vector: their places, and the places of their copies.
  template <class Each>
  void EachSum(const MatMulStrip& s, const Each& each) {
    for (size_t v = 0; v < s.vectors; ++v) {
      each(static_cast<uint32_t*>(s.c) + static_cast<ptrdiff_t>(v) * s.c_vector,
           room_.sums + static_cast<ptrdiff_t>(v) * kernel_.lanes);
    }
  }
  MatMulRange RangeOfSums(const MatMulStrip& s) {
    MatMulRange c;
    EachSum(s, [&](uint32_t* at, uint32_t* copy) {
      kernel_.range({copy, width_, at, s.c_line * 4, s.rows, kernel_.lanes}, &c);
    });
    return c;
  }

  bool Block(const MatMulStrip& s) {
    a_ = {};
    EachLeft(s, [this](const MatMulPanel& p) { kernel_.range(p, &a_); });
    const MatMulRange c = s.fresh ? MatMulRange{} : RangeOfSums(s);
    if (Plain(c)) {
      kernel_.strip(s);
      return false;
    }
    // Products are below 2^product, and sums of them below 2^sum.
    const int product = ExponentOf(a_.most) + ExponentOf(b_.most) + 2;
    const int sum = product + depth_;
    const int largest = std::max({ExponentOf(a_.most), ExponentOf(b_.most), sum, ExponentOf(c.most) + 1});
    if (s.fresh && product <= -150) {
      Keep();
      kernel_.strip(s);
    } else if (largest > 125) {
      Exact(s, 0, s.groups);
    } else if (sum <= -128 && c.most < kLeastNormal / 4) {
      if (!Fixed(s)) Exact(s, 0, s.groups);
    } else {
      Scaled(s);
    }
    return true;
  }

  // Sums are multiples of the last place of the least product.
  bool Plain(const MatMulRange& c) const {
    if (a_.least == 0 || b_.least == 0) return true;  // zeros do not change sums, and are fast
    if (std::min(a_.least, b_.least) < kLeastNormal) return false;
    return ExponentOf(a_.least) + ExponentOf(b_.least) >= -80 && (c.least == 0 || ExponentOf(c.least) >= -103);
  }

  void Scale(const MatMulStrip& s, int left, int right) {
    EachLeft(s, [&](const MatMulPanel& p) { kernel_.rescale(p, left); });
    if (right != right_power_) kernel_.rescale(Right(), right);
    right_power_ = right;
  }

  // Subnormal numbers are not zeros.
  void Keep() {
    if (flushes_) marks_.Usual();
    flushes_ = false;
  }

  // The steps from `done` on, of the scaled factors, to the copies of sums.
  void Multiply(const MatMulStrip& s, size_t done, bool fresh) {
    MatMulStrip part = s;
    part.a = room_.left + done;
    part.a_line = kLeftLine;
    part.a_step = 1;
    part.a_jump = 0;
    part.groups = part.run = s.groups - done;
    part.b = room_.right + static_cast<ptrdiff_t>(done) * width_;
    part.b_line = width_;
    part.c = room_.sums;
    part.c_line = width_;
    part.c_vector = kernel_.lanes;
    part.fresh = fresh;
    part.finish = false;
    kernel_.strip(part);
  }

  void Exact(const MatMulStrip& s, size_t done, size_t end) {
    Keep();
    MatMulStrip part = s;
    part.fresh = s.fresh && done == 0;
    part.b = static_cast<const uint32_t*>(s.b) + static_cast<ptrdiff_t>(done) * s.b_line;
    for (size_t k = done; k < end; k += part.groups) {
      part.a = static_cast<const uint32_t*>(s.a) + static_cast<ptrdiff_t>(k / s.run) * s.a_jump +
               static_cast<ptrdiff_t>(k % s.run) * s.a_step;
      part.groups = std::min(end - k, s.run - k % s.run);
      part.finish = s.finish && k + part.groups == s.groups;
      kernel_.by_f64(part);
      part.fresh = false;
      part.b = static_cast<const uint32_t*>(part.b) + static_cast<ptrdiff_t>(part.groups) * s.b_line;
    }
  }

  void Scaled(const MatMulStrip& s) {
    const int left = std::max(ExponentOf(a_.most) + 27, 0), right = std::max(ExponentOf(b_.most) + 27, 0);
    Scale(s, -left, -right);
    size_t done = 0;
    if (s.fresh && StartsTiny(s)) Exact(s, 0, done = 1);
    bool marked = false;
    while (done < s.groups) {
      const bool fresh = s.fresh && done == 0;
      const MatMulRange c = fresh ? MatMulRange{} : RangeOfSums(s);
      if (c.least == 0 || ExponentOf(c.least) - left - right >= -126) {
        if (!flushes_ || marked) marks_.Clear(true);
        flushes_ = true;
        if (!fresh) {
          EachSum(s, [&](uint32_t* at, uint32_t* copy) {
            kernel_.rescale({copy, width_, at, s.c_line * 4, s.rows, kernel_.lanes}, -left - right);
          });
        }
        Multiply(s, done, fresh);
        marked = Marks::Any();
        if (!marked) break;
      }
      const size_t end = std::min(s.groups, done == 0 ? 1 : 2 * done);
      Exact(s, done, end);
      done = end;
    }
    if (done == s.groups) return;
    EachSum(s, [&](uint32_t* at, uint32_t* copy) {
      kernel_.rescale({at, s.c_line, copy, width_ * 4, s.rows, kernel_.lanes}, left + right);
    });
  }

  // Whether a factor of the first step was replaced: most likely there would be a mark.
  bool StartsTiny(const MatMulStrip& s) const {
    bool any = false;
    for (size_t i = 0; i < s.rows; ++i) {
      any |= (room_.left[static_cast<ptrdiff_t>(i) * kLeftLine] & 0x7fffffff) == kLeastNormal;
    }
    for (ptrdiff_t j = 0; j < width_; ++j) any |= (room_.right[j] & 0x7fffffff) == kLeastNormal;
    return any;
  }

  // Returns false if a sum is a zero, whose sign is not known.
  bool Fixed(const MatMulStrip& s) {
    const int left = a_.least < kLeastNormal ? 24 : 0, right = b_.least < kLeastNormal ? 24 : 0;
    Scale(s, left, right);
    const auto zero = static_cast<int32_t>(static_cast<uint32_t>(1 + left + right) << 23 | 1 << 22);
    bool zeros = false;
    const auto each = [&](const auto& visit) {
      EachSum(s, [&](uint32_t* at, uint32_t* copy) {
        for (size_t r = 0; r < s.rows; ++r, at += s.c_line, copy += width_) {
          for (size_t j = 0; j < kernel_.lanes; ++j) visit(at[j], copy[j]);
        }
      });
    };
    each([&](uint32_t& at, uint32_t& copy) {
      const auto size = static_cast<int32_t>(s.fresh ? 0 : at & 0x7fffffff);
      copy = static_cast<uint32_t>(zero + (s.fresh || at >> 31 == 0 ? size : -size));
    });
    Multiply(s, 0, false);
    each([&](uint32_t&, uint32_t& copy) { zeros |= copy == static_cast<uint32_t>(zero); });
    if (zeros) return false;
    each([&](uint32_t& at, uint32_t& copy) {
      const int32_t sum = static_cast<int32_t>(copy) - zero;
      at = sum < 0 ? 0x80000000 | static_cast<uint32_t>(-sum) : static_cast<uint32_t>(sum);
    });
    return true;
  }

  const MatMulKernel& kernel_;
  const MatMulStrip& strip_;
  Marks& marks_;
  Room& room_;
  const ptrdiff_t width_;
  const int depth_;
  MatMulRange a_, b_;
  int right_power_ = 1;   // that the copy of the right matrix has; 1: there is no copy
  bool flushes_ = false;  // subnormal numbers are zeros
};

}  // namespace

void CarefulStrip(pto_context* ctx, const MatMulKernel& kernel, const MatMulStrip& strip) {
  Room* room = nullptr;
  if (ctx->careful_strips != 0 && Careful::Takes(kernel, strip)) {
    --ctx->careful_strips;
    room = reinterpret_cast<Room*>(ctx->careful.Take(sizeof(Room)));
  }
  // Without memory it is slower, with the same bits.
  Marks marks;
  if (room == nullptr) {
    marks.Clear();
    kernel.strip(strip);
  }
  if (room != nullptr ? Careful(kernel, strip, &marks, room).Run() : Marks::Any()) ctx->careful_strips = kStripsAfter;
}

}  // namespace pto
