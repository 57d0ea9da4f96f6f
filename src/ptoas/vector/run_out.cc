// The way out of the accumulator: mte_l0c_gm, mte_l0c_l1, mte_l0c_ub.
//
// L0C has boxes of 16 x 16 sums. The boxes of 16 columns follow each other down the rows, `stride` rows in all. A line
// of sums passes these stages, each over a piece of it that stays in the nearest cache:
//
//   sums -> times a scale -> slope of negative ones -> not above a limit -> element type -> destination
//
// f32 sums are f32 from stage to stage, each rounded once. i32 sums become f64, which holds their products.
#include <algorithm>
#include <bit>
#include <cmath>

#include "src/engine/combine.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/cube.h"
#include "src/ptoas/vector/way_out.h"

namespace pto::ptoas::vec {

DType ElementOf(const Stmt& stmt, size_t operand) {
  const Operand& pointer = stmt.operands[operand];
  pto_dtype dtype = PTO_DTYPE_F32;
  const Type* type = pointer.value == nullptr ? nullptr : pointer.value->type;
  return type != nullptr && DTypeOf(type->elem, &dtype) ? static_cast<DType>(dtype) : DType::kF32;
}

int8_t SaturationOf(const Stmt& stmt) {
  if (GivenClause(stmt, "sat") != nullptr) return 1;
  return GivenClause(stmt, "nosat") != nullptr ? 0 : -1;
}

namespace {

constexpr int kPiece = 256;  // sums at a time

bool IsByteType(DType type) { return (Bit(type) & kQuantBytes) != 0; }

void UseOut(const Stmt& stmt, Step* step) {
  step->t = ElementOf(stmt, 0);
  step->result = ElementOf(stmt, 1);
  WayOut& way = step->out_way;
  const auto operand = [](const Clause* clause, int at) {
    return clause != nullptr && clause->begin + at < clause->end ? static_cast<uint8_t>(clause->begin + at)
                                                                 : uint8_t{0};
  };
  if (const Clause* scale = GivenClause(stmt, "pre_quant"); scale != nullptr) {
    const QuantWord word = FindQuant(OptionOf(scale, "mode"));
    way.scale = !word.mode->scales ? WayOut::Scale::kPlain : word.each ? WayOut::Scale::kEach : WayOut::Scale::kOne;
    way.scale_at = operand(scale, 0);
  }
  if (const Clause* relu = GivenClause(stmt, "pre_relu"); relu != nullptr) {
    way.relu = static_cast<WayOut::Relu>(FindRelu(OptionOf(relu, "mode")));
    const bool slopes = way.relu == WayOut::Relu::kOne || way.relu == WayOut::Relu::kEach;
    way.relu_at = slopes ? operand(relu, 0) : uint8_t{0};
    const bool clips = std::any_of(relu->options.begin(), relu->options.end(),
                                   [](const NamedAttr& option) { return option.name == "clip"; });
    if (clips) way.clip_at = static_cast<uint8_t>(relu->end - 1);
  }
  if (GivenClause(stmt, "nz2dn") != nullptr) way.turn = WayOut::Turn::kColumns;
  const Clause* target = GivenClause(stmt, "dst_mode");
  const std::string_view split = OptionOf(target);
  if (!split.empty()) way.split = split == "split_m" ? WayOut::Split::kRows : WayOut::Split::kColumns;
  way.lane_at = operand(target, 0);
  way.loop_at = operand(GivenClause(stmt, "loop3"), 0);
  way.saturates = SaturationOf(stmt);
  way.keeps_nan = OptionOf(GivenClause(stmt, "sat")) == "preserve_nan";
  if (const std::string_view op = OptionOf(GivenClause(stmt, "atomic"), "op"); !op.empty()) {
    const auto lane = op == "add" ? pto::Lane::kAdd : op == "max" ? pto::Lane::kMax : pto::Lane::kMin;
    step->kernel = PickKernel(step->target, lane, step->result);
  }
  step->convert = PickConvert(step->target, DType::kF32, step->result, Round::kRint, false);
  step->second = {};
  step->lanes = [](uint8_t*, const uint8_t*, const uint8_t*) {};
}

class Out {
 public:
  Out(Machine& m, Node& node, Frame frame)
      : m_(m), node_(node), frame_(frame), s_(*node.step), way_(s_.out_way), access_(m, node, frame) {}

  void Run() {
    const Stmt& stmt = *node_.stmt;
    rows_ = access_.Count(2);
    cols_ = access_.Count(3);
    stride_ = access_.Count(4);
    pitch_ = access_.Count(5);
    size_ = Info(s_.result).bytes;
    if (way_.loop_at != 0 && access_.Count(way_.loop_at) > 1) {
      m_.Fail(stmt, Rule::kRunUnsupported, "loop3 with more than one round: its units are not documented");
    }
    if (rows_ == 0 || cols_ == 0) return;
    m_.Work(stmt, rows_ * cols_);
    if (s_.kernel) m_.AwaitTurn();
    const RunValue sums = access_.Pointer(0);
    const int64_t read = ((cols_ - 1) / 16 * stride_ + rows_) * kRowBytes;
    sums_ = access_.Reach(sums, 0, read);
    used_[0] = {&sums, 0, read, false, 1, 0, stmt.operands[0].name};
    used_count_ = 1;
    Parameters();
    saturates_ = Saturates(m_, way_.saturates) && (s_.result == DType::kF16 || s_.result == DType::kBF16);
    if (way_.lane_at != 0) {
      ToLane(m_.IntOf(stmt, stmt.operands[way_.lane_at], frame_), 0, rows_, 0, cols_);
    } else if (way_.split == WayOut::Split::kRows) {
      ToLane(0, 0, rows_ / 2, 0, cols_);
      ToLane(1, rows_ / 2, rows_, 0, cols_);
    } else if (way_.split == WayOut::Split::kColumns) {
      ToLane(0, 0, rows_, 0, cols_ / 2);
      ToLane(1, 0, rows_, cols_ / 2, cols_);
    } else {
      Write(access_.Pointer(1), 0, rows_, 0, cols_);
    }
  }

 private:
  static constexpr int64_t kRowBytes = 64;  // 16 sums

  float NumberAt(size_t operand) {
    return std::bit_cast<float>(static_cast<uint32_t>(m_.ScalarBits(node_, frame_, operand, Elem::kF32)));
  }

  void Parameters() {
    if (way_.scale == WayOut::Scale::kOne) scale_ = NumberAt(way_.scale_at);
    if (way_.scale == WayOut::Scale::kEach) words_ = Table(way_.scale_at, 8);
    if (way_.relu == WayOut::Relu::kOne) slope_ = NumberAt(way_.relu_at);
    if (way_.relu == WayOut::Relu::kEach) slopes_ = Table(way_.relu_at, 4);
    if (way_.clip_at != 0) limit_ = NumberAt(way_.clip_at);
  }
  const uint8_t* Table(size_t operand, int64_t size) {
    RunValue& table = tables_[used_count_ - 1];
    table = access_.Pointer(operand);
    used_[used_count_++] = {&table, 0, cols_ * size, false, 1, 0, node_.stmt->operands[operand].name};
    return access_.Reach(table, 0, cols_ * size);
  }

  void ToLane(int64_t lane, int64_t row, int64_t end_row, int64_t col, int64_t end_col) {
    const int64_t address = access_.Pointer(1).integer();
    if (row < end_row && col < end_col) {
      Write(m_.MemoryAt(*node_.stmt, Loc::kVec, address, lane), row, end_row, col, end_col);
    }
  }

  void Write(const RunValue& dst, int64_t row, int64_t end_row, int64_t col, int64_t end_col) {
    const bool columns = way_.turn == WayOut::Turn::kColumns;
    const int64_t lines = columns ? end_col - col : end_row - row;
    const int64_t length = (columns ? end_row - row : end_col - col) * size_;
    const int64_t pitch = pitch_ * size_;
    uint8_t* to = access_.Reach(dst, 0, (lines - 1) * pitch + length);
    if (m_.watched()) [[unlikely]] {
      const bool gaps = pitch >= length;
      used_[used_count_] = {&dst,
                            0,
                            gaps ? length : (lines - 1) * pitch + length,
                            true,
                            gaps ? lines : 1,
                            pitch,
                            node_.stmt->operands[1].name};
      m_.WatchBytes(*node_.stmt, std::span(used_, used_count_ + 1));
    }
    for (int64_t i = row; i < end_row; ++i) {
      for (int64_t j = col; j < end_col; j += kPiece) {
        const int count = static_cast<int>(std::min<int64_t>(kPiece, end_col - j));
        if (s_.t == DType::kF32) {
          FromFloat(i, j, count);
        } else {
          FromInt(i, j, count);
        }
        if (columns) {
          for (int k = 0; k < count; ++k)
            Store(to + (j - col + k) * pitch + (i - row) * size_, results_ + k * size_, 1);
        } else {
          Store(to + (i - row) * pitch + (j - col) * size_, results_, count);
        }
      }
    }
  }

  void Store(uint8_t* to, const uint8_t* from, int count) {
    if (s_.kernel) {
      Combine(s_.kernel, to, 1, from, 1, count);
    } else {
      std::memcpy(to, from, static_cast<size_t>(count * size_));
    }
  }

  // The word of a column: a scale of 1.8.10 bits, an offset, and whether bytes have a sign.
  uint64_t WordAt(int64_t col) const {
    uint64_t word = 0;
    std::memcpy(&word, words_ + 8 * col, sizeof word);
    return word;
  }
  float ScaleAt(int64_t col) const {
    if (way_.scale != WayOut::Scale::kEach) return scale_;
    return std::bit_cast<float>(static_cast<uint32_t>(WordAt(col)) & 0xFFFFE000U);
  }
  float SlopeAt(int64_t col) const {
    float slope = slope_;
    if (slopes_ != nullptr) std::memcpy(&slope, slopes_ + 4 * col, sizeof slope);
    return slope;
  }

  template <class Word>
  void Gather(Word* to, int64_t row, int64_t col, int count) const {
    for (int k = 0; k < count;) {
      const int64_t at = col + k;
      const int part = static_cast<int>(std::min<int64_t>(16 - at % 16, count - k));
      std::memcpy(to + k, sums_ + (at / 16 * stride_ + row) * kRowBytes + at % 16 * 4, static_cast<size_t>(part) * 4);
      k += part;
    }
  }

  void FromFloat(int64_t row, int64_t col, int count) {
    Gather(values_, row, col, count);
    if (way_.scale == WayOut::Scale::kOne) {
      for (int k = 0; k < count; ++k) values_[k] *= scale_;
    } else if (way_.scale == WayOut::Scale::kEach) {
      for (int k = 0; k < count; ++k) values_[k] *= ScaleAt(col + k);
    }
    if (way_.relu == WayOut::Relu::kZero) {
      for (int k = 0; k < count; ++k) values_[k] = values_[k] <= 0 ? 0.0F : values_[k];
    } else if (way_.relu != WayOut::Relu::kNone) {
      for (int k = 0; k < count; ++k) values_[k] = values_[k] >= 0 ? values_[k] : values_[k] * SlopeAt(col + k);
    }
    if (way_.clip_at != 0) {
      for (int k = 0; k < count; ++k) values_[k] = values_[k] > limit_ ? limit_ : values_[k];
    }
    if (IsByteType(s_.result)) {
      for (int k = 0; k < count; ++k) results_[k] = ByteOf(double{values_[k]}, col + k);
    } else if (s_.result == DType::kF32) {
      std::memcpy(results_, values_, static_cast<size_t>(count) * 4);
    } else {
      if (saturates_) Saturate(count);
      Call(s_.convert, {results_, values_, 0, 0, 1, static_cast<size_t>(count)});
    }
  }

  void FromInt(int64_t row, int64_t col, int count) {
    int32_t ints[kPiece];
    Gather(ints, row, col, count);
    const Elem elem = ElemOf(static_cast<pto_dtype>(s_.result));
    for (int k = 0; k < count; ++k) {
      double value = ints[k];
      if (way_.scale != WayOut::Scale::kNone) value *= static_cast<double>(ScaleAt(col + k));
      if (way_.relu == WayOut::Relu::kZero) {
        value = value <= 0 ? 0.0 : value;
      } else if (way_.relu != WayOut::Relu::kNone && !(value >= 0)) {
        value *= static_cast<double>(SlopeAt(col + k));
      }
      if (way_.clip_at != 0 && value > static_cast<double>(limit_)) value = static_cast<double>(limit_);
      if (IsByteType(s_.result)) {
        results_[k] = ByteOf(value, col + k);
      } else if (way_.scale == WayOut::Scale::kNone) {
        Put<int32_t>(results_, k, static_cast<int32_t>(value));
      } else {
        if (saturates_) value = Kept(value);
        Put<uint16_t>(results_, k, static_cast<uint16_t>(BitsFromFloat(elem, value)));
      }
    }
  }

  // Rounded to nine bits, then the offset, then eight bits.
  uint8_t ByteOf(double value, int64_t col) const {
    int offset = 0;
    bool with_sign = s_.result == DType::kI8;
    if (way_.scale == WayOut::Scale::kEach) {
      const uint64_t word = WordAt(col);
      const int field = static_cast<int>(word >> 37 & 511);
      offset = field < 256 ? field : field - 512;
      with_sign = (word >> 46 & 1) != 0;
    }
    const double rounded = std::isnan(value) ? 0.0 : std::nearbyint(std::clamp(value, -256.0, 255.0));
    const int sum = static_cast<int>(rounded) + offset;
    return static_cast<uint8_t>(with_sign ? std::clamp(sum, -128, 127) : std::clamp(sum, 0, 255));
  }

  double Largest() const {
    const bool half = s_.result == DType::kF16;
    return FloatFromBits(half ? Elem::kF16 : Elem::kBF16, half ? 0x7BFF : 0x7F7F);
  }
  double Kept(double value) const {
    if (std::isnan(value)) return way_.keeps_nan ? value : 0.0;
    return std::clamp(value, -Largest(), Largest());
  }
  void Saturate(int count) {
    const auto largest = static_cast<float>(Largest());
    for (int k = 0; k < count; ++k) {
      const float value = values_[k];
      const float kept = value > largest ? largest : value < -largest ? -largest : value;
      values_[k] = std::isnan(value) && !way_.keeps_nan ? 0.0F : kept;
    }
  }

  Machine& m_;
  Node& node_;
  Frame frame_;
  const Step& s_;
  const WayOut& way_;
  CubeAccess access_;
  int64_t rows_ = 0, cols_ = 0, stride_ = 0, pitch_ = 0;
  int size_ = 4;
  bool saturates_ = false;
  const uint8_t* sums_ = nullptr;
  const uint8_t* words_ = nullptr;
  const uint8_t* slopes_ = nullptr;
  float scale_ = 1, slope_ = 0, limit_ = 0;
  RunValue tables_[2];
  Machine::BytesUsed used_[4] = {};
  size_t used_count_ = 0;
  alignas(64) float values_[kPiece];
  alignas(64) uint8_t results_[kPiece * 4];
};

Flow RunOut(Machine& m, Node& node, Frame frame) {
  Out(m, node, frame).Run();
  return Flow::kNext;
}

constexpr OpRun kOutRows[] = {
    {"mte_l0c_gm", RunOut, UseOut},
    {"mte_l0c_l1", RunOut, UseOut},
    {"mte_l0c_ub", RunOut, UseOut},
};

}  // namespace

const OpRuns kOutRuns = kOutRows;

}  // namespace pto::ptoas::vec
