// The engine of TQUANT with block scales: groups of elements become small floats beside the exponent of a power of two
// each, which brings the group's largest magnitude to the top of what the type has.
#include <algorithm>
#include <bit>
#include <cstring>

#include "src/engine/irregular.h"
#include "src/objects/storage.h"

namespace pto {

namespace {

constexpr uint32_t kMagnitude = 0x7fffffff;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kFraction = 0x007fffff;
constexpr uint32_t kNan = 0x7fc00000;

// Constants of a type: the exponent of its largest number, and the reciprocal of that number as f32.
struct Top {
  uint32_t exponent;
  float reciprocal;
};
constexpr Top kTopE4M3 = {8, 1.0F / 448};
constexpr Top kTopE2M1 = {2, 1.0F / 6};

// The exponent, as e8m0, of a group whose largest magnitude has these bits.
uint32_t ExponentOf(uint32_t most, const Top& top, bool tight) {
  if (most > kInfinity) return 255;
  if (!tight) return std::max(most >> 23, top.exponent) - top.exponent;
  if (most == kInfinity) return 254;
  const auto scaled = std::bit_cast<uint32_t>(std::bit_cast<float>(most) * top.reciprocal);
  const uint32_t field = scaled >> 23;
  // Up to the next power of two; below the normal numbers that is 2^-126.
  if (field == 0) return (scaled & kFraction) > 0x400000 ? 1 : 0;
  return field + ((scaled & kFraction) != 0 ? 1 : 0);
}

// 2^(127 - exponent), NaN beside NaN.
float MultiplierOf(uint32_t exponent) {
  if (exponent == 255) return std::bit_cast<float>(kNan);
  return std::bit_cast<float>(exponent == 254 ? uint32_t{0x00400000} : (254 - exponent) << 23);
}

// Lines of a panel: their groups lie along them, or down its columns, one in each.
class Panel {
 public:
  Panel(const Rows& rows, const OpInfo& op)
      : rows_(rows),
        by_row_(op.operands[1].extent == Extent::kRowGroups),
        tight_(rows.Number(kScaleAlgMode) == 1),
        cols_(rows.Count()),
        groups_(by_row_ ? static_cast<size_t>(ScaleGroups(static_cast<int32_t>(cols_))) : cols_),
        words_(reinterpret_cast<float*>(rows.Room())),
        most_(words_ + kLines * cols_),
        by_(most_ + (by_row_ ? kLines : 1) * groups_) {}

  static constexpr size_t kLines = kScaleGroup;

  void Run(size_t first, size_t lines) {
    const pto_tile& src = rows_.Lead();
    Convert(words_, DType::kF32, ElementAt(kSrc, first), src.dtype(), lines, static_cast<int64_t>(cols_),
            rows_.At(kSrc).line, cols_);
    FindMost(lines);
    const Top& top = rows_.Tile(kDst).dtype() == DType::kE4M3 ? kTopE4M3 : kTopE2M1;
    // Lines of groups.
    const size_t line = by_row_ ? first : first / kLines;
    const size_t count = by_row_ ? lines : 1;
    for (size_t r = 0; r < count; ++r) {
      uint8_t* const exponents = ElementAt(kExp, line + r);
      for (size_t g = 0; g < groups_; ++g) {
        const uint32_t exponent = ExponentOf(std::bit_cast<uint32_t>(most_[r * groups_ + g]), top, tight_);
        by_[r * groups_ + g] = MultiplierOf(exponent);
        exponents[g] = static_cast<uint8_t>(exponent);
      }
    }
    for (const int operand : {kMax, kScaling}) {
      Convert(ElementAt(operand, line), rows_.Tile(operand).dtype(), operand == kMax ? most_ : by_, DType::kF32, count,
              rows_.At(operand).line, static_cast<int64_t>(groups_), groups_);
    }
    Multiply(lines);
    Convert(ElementAt(kDst, first), rows_.Tile(kDst).dtype(), words_, DType::kF32, lines, rows_.At(kDst).line,
            static_cast<int64_t>(cols_), cols_);
  }

 private:
  enum { kDst, kExp, kMax, kScaling, kSrc };

  uint8_t* ElementAt(int operand, size_t line) const {
    const RowPlane& plane = rows_.At(operand);
    return plane.data + static_cast<int64_t>(line) * plane.line * rows_.Tile(operand).ElementBytes();
  }

  // Exact except for dst, which is rounded and clamped.
  void Convert(void* to, DType to_type, const void* from, DType from_type, size_t lines, int64_t to_line,
               int64_t from_line, size_t count) const {
    auto* out = static_cast<uint8_t*>(to);
    const auto* in = static_cast<const uint8_t*>(from);
    if (to_type != from_type) {
      const bool clamps = to_type == rows_.Tile(kDst).dtype();
      Call(rows_.Context()->conversions.Of(rows_.Target(), from_type, to_type, Round::kRint, clamps),
           ConvertGrid{out, in, to_line, from_line, lines, count});
      return;
    }
    for (size_t r = 0; r < lines; ++r) {
      CopyBytes(out + static_cast<int64_t>(r) * to_line * 4, in + static_cast<int64_t>(r) * from_line * 4,
                static_cast<int64_t>(count) * 4);
    }
  }

  // As integers magnitudes are in order, NaN above all. Signed ones, which every vector compares.
  void FindMost(size_t lines) {
    const auto magnitude = [](float x) { return static_cast<int32_t>(std::bit_cast<uint32_t>(x) & kMagnitude); };
    const size_t all = (by_row_ ? lines : 1) * groups_;
    if (by_row_) {
      for (size_t at = 0; at < all; ++at) {
        const size_t first = at % groups_ * kScaleGroup;
        const float* const group = words_ + at / groups_ * cols_ + first;
        const size_t count = std::min<size_t>(kScaleGroup, cols_ - first);
        int32_t most = 0;
        for (size_t k = 0; k < count; ++k) most = std::max(most, magnitude(group[k]));
        most_[at] = std::bit_cast<float>(most);
      }
    } else {
      std::fill(most_, most_ + all, 0.0F);
      for (size_t r = 0; r < lines; ++r) {
        const float* const line = words_ + r * cols_;
        for (size_t c = 0; c < cols_; ++c) {
          most_[c] = std::bit_cast<float>(std::max(std::bit_cast<int32_t>(most_[c]), magnitude(line[c])));
        }
      }
    }
    for (size_t g = 0; g < all; ++g) {
      if (std::bit_cast<uint32_t>(most_[g]) > kInfinity) most_[g] = std::bit_cast<float>(kNan);
    }
  }

  // e2m1 has no NaN: its largest number represents it.
  void Multiply(size_t lines) {
    const bool replaces = rows_.Tile(kDst).dtype() == DType::kE2M1;
    const auto scale = [replaces](float* out, const float* by, size_t step, size_t count) {
      for (size_t c = 0; c < count; ++c) out[c] *= by[c * step];
      for (size_t c = 0; c < count && replaces; ++c) out[c] = out[c] != out[c] ? 6.0F : out[c];
    };
    for (size_t r = 0; r < lines; ++r) {
      float* const line = words_ + r * cols_;
      if (!by_row_) {
        scale(line, by_, 1, cols_);
        continue;
      }
      for (size_t g = 0; g < groups_; ++g) {
        scale(line + g * kScaleGroup, by_ + r * groups_ + g, 0, std::min<size_t>(kScaleGroup, cols_ - g * kScaleGroup));
      }
    }
  }

  const Rows& rows_;
  bool by_row_, tight_;
  size_t cols_, groups_;
  float *words_, *most_, *by_;  // elements; of each group its largest magnitude, and what it is multiplied by
};

}  // namespace

int64_t QuantiseRoom(const OpInfo& op, const Args& args) {
  const pto_tile& src = *args.tiles[op.lead];
  const int64_t words = int64_t{kScaleGroup} * src.ValidCols();
  // A line of groups has one group per column or, for each of the lines, a 32nd of the columns.
  return (words + 2 * RoundUp(src.ValidCols(), kScaleGroup)) * 4;
}

void RunQuantise(const Rows& rows, const OpInfo& op) {
  Panel panel(rows, op);
  for (size_t first = 0; first < rows.Lines(); first += Panel::kLines) {
    panel.Run(first, std::min(Panel::kLines, rows.Lines() - first));
  }
}

}  // namespace pto
