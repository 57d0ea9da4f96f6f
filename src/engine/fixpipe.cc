// The stages between an accumulator and what receives its sums. Each is a kernel over a piece of a line: the
// rectifier, the scale, and the conversions of TCVT.
#include "src/engine/fixpipe.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "src/kernels/convert.h"
#include "src/kernels/quantise.h"

namespace pto {

namespace {

// The columns of a piece, which stay in L1 between stages.
constexpr int32_t kColumnsAtOnce = 256;
static_assert(kColumnsAtOnce % int32_t{kQuantiseUnit} == 0, "kernels write whole units of a piece");
// Sources and results of a strip.
constexpr int64_t kNear = 32 << 10;

constexpr bool IsByte(DType type) { return (Bit(type) & (dtypes::kI8 | dtypes::kU8)) != 0; }

// The fields of a quantisation word.
float ScaleOf(uint64_t word, bool short_scale) {
  return std::bit_cast<float>(static_cast<uint32_t>(word) & (short_scale ? 0xffffe000U : 0xffffffffU));
}
int32_t ShiftOf(uint64_t word) { return static_cast<int32_t>(word >> 32 & 15) + 1; }
int32_t OffsetOf(uint64_t word) {
  const auto field = static_cast<int32_t>(word >> 37 & 511);
  return field < 256 ? field : field - 512;
}
int32_t LowOf(uint64_t word) { return (word >> 46 & 1) != 0 ? -128 : 0; }

}  // namespace

bool Fixpipe::Converts(const OpInfo& op, const Args& args) {
  if (op.ScalarIndex() >= 0 || op.Has(Extent::kRow) || ModeOf(op, args, kReluMode) != 0) return true;
  if (!op.Transfers()) return args.tiles[0]->ElementBytes() != args.tiles[op.Outputs()]->ElementBytes();
  return op.walk == Walk::kStore && Info(args.tensor->shape.dtype).bytes != args.tiles[1]->ElementBytes();
}

Fixpipe::Fixpipe(pto_context* ctx, const OpInfo& op, const Args& args, DType to, int32_t row, int32_t col, int32_t cols)
    : ctx_(ctx),
      op_(op),
      args_(args),
      src_(*args.tiles[op.Outputs()]),
      to_(to),
      row_(row),
      col_(col),
      cols_(cols),
      relu_(ModeOf(op, args, kReluMode) != 0),
      scales_(op.ScalarIndex() >= 0 || op.Has(Extent::kRow)),
      shifts_(scales_ && to == DType::kI16),
      saturates_(!scales_ && ctx->saturates) {
  if (op.Has(Extent::kRow)) fp_ = args.tiles[op.Find(Extent::kRow)];
}

int32_t Fixpipe::Strip() const {
  const int64_t line = int64_t{cols_} * (src_.ElementBytes() + Info(to_).bytes);
  return static_cast<int32_t>(std::max<int64_t>(1, kNear / line));
}

Status Fixpipe::Prepare(int64_t rows) {
  const int64_t columns = scales_ ? RoundUp(cols_, kColumnsAtOnce) : 0;
  const int64_t sources = RoundUp(std::min<int64_t>(rows, Strip()) * cols_ * src_.ElementBytes(), 64);
  const int64_t results = RoundUp(rows * cols_ * Info(to_).bytes, 64);
  uint8_t* scratch = nullptr;
  const Status status = TakeScratch(ctx_, op_, columns * 16 + sources + results, &scratch);
  if (status != Status::kOk) return status;
  scale_ = reinterpret_cast<double*>(scratch);
  offset_ = reinterpret_cast<int32_t*>(scale_ + columns);
  low_ = offset_ + columns;
  rows_ = scratch + columns * 16;
  results_ = rows_ + sources;
  if (scales_) ReadWords();
  return Status::kOk;
}

uint64_t Fixpipe::WordAt(int32_t col) const {
  uint64_t word = 0;
  if (fp_ == nullptr) {
    ScalarBits(*args_.scalar, DType::kU64, &word);
  } else {
    const int64_t at = IsColumnVector(*fp_) ? fp_->layout.Offset(col, 0) : fp_->layout.Offset(0, col);
    std::memcpy(&word, fp_->data + at * 8, sizeof word);
  }
  return word;
}

void Fixpipe::ReadWords() {
  const DefaultFpEnv fp_env;  // subnormal scales count
  for (int32_t c = 0; c < cols_; ++c) {
    const uint64_t word = WordAt(col_ + c);
    scale_[c] = static_cast<double>(ScaleOf(word, fp_ != nullptr));
    offset_[c] = shifts_ ? ShiftOf(word) : OffsetOf(word);
    low_[c] = LowOf(word);
  }
  const auto columns = RoundUp(cols_, kColumnsAtOnce);
  std::fill(scale_ + cols_, scale_ + columns, 0.0);
  std::fill(offset_ + cols_, offset_ + columns, 0);
  std::fill(low_ + cols_, low_ + columns, 0);
}

// A piece of a line; its words begin with the word of column `col`.
void Fixpipe::ConvertLine(const uint8_t* from, uint8_t* to, int32_t count, int32_t col) {
  alignas(64) uint8_t sums[kColumnsAtOnce * 4] = {};
  alignas(64) double products[kColumnsAtOnce];
  alignas(64) uint8_t narrow[kColumnsAtOnce * 4];
  const auto whole = static_cast<size_t>(RoundUp(count, kQuantiseUnit));
  const DType type = src_.dtype();
  if (relu_) {
    Grid grid{};
    grid.dst = sums;
    grid.a = grid.b = from;
    grid.a_step = grid.b_step = 1;
    grid.lines = 1;
    grid.count = static_cast<size_t>(count);
    Call(ctx_->kernels->at[static_cast<int>(Lane::kRelu)][static_cast<int>(type)], grid);
  } else {
    std::memcpy(sums, from, static_cast<size_t>(count * src_.ElementBytes()));
  }
  const Quantisers& steps = *ctx_->kernels->quantisers;
  const uint8_t* last = sums;
  DType last_type = type;
  if (shifts_) {
    auto* out = reinterpret_cast<int32_t*>(narrow);
    const auto* in = reinterpret_cast<const int32_t*>(sums);
    for (int32_t k = 0; k < count; ++k) out[k] = in[k] >> offset_[col + k];
    last = narrow;
  } else if (scales_) {
    if (type == DType::kF32) {
      steps.scale_f32(products, reinterpret_cast<const float*>(sums), scale_ + col, whole);
    } else {
      steps.scale_i32(products, reinterpret_cast<const int32_t*>(sums), scale_ + col, whole);
    }
    if (IsByte(to_)) {
      steps.to_bytes(reinterpret_cast<int32_t*>(narrow), products, offset_ + col, low_ + col, whole);
    } else {
      (to_ == DType::kF32 ? steps.to_f32 : steps.to_odd_f32)(reinterpret_cast<float*>(narrow), products, whole);
    }
    last = narrow;
    last_type = IsByte(to_) ? DType::kI32 : DType::kF32;
  }
  if (last_type == to_) {
    std::memcpy(to, last, static_cast<size_t>(count) * 4);
    return;
  }
  if (saturates_) {
    auto* const in = reinterpret_cast<float*>(sums);
    for (int32_t k = 0; k < count; ++k) in[k] = std::isnan(in[k]) ? 0.0F : in[k];
  }
  // Bytes are in range already, and of whichever sign.
  const bool saturates = saturates_ || (scales_ && !IsByte(to_));
  Call(ctx_->conversions.Of(ctx_->target, last_type, to_, Round::kRint, saturates),
       ConvertGrid{to, last, 0, 0, 1, static_cast<size_t>(count)});
}

void Fixpipe::Convert(int32_t row, int32_t rows) {
  const DefaultFpEnv fp_env;
  const int64_t size = Info(to_).bytes;
  const int32_t strip = Strip();
  const Mover mover(*ctx_, src_.ElementBytes());
  for (int32_t r = 0; r < rows; r += strip) {
    const int32_t n = std::min(strip, rows - r);
    mover.Areas({rows_, Layout::RowMajor(cols_)}, {src_.data, src_.layout, row_ + row + r, col_}, n, cols_);
    for (int32_t i = 0; i < n; ++i) {
      for (int32_t c = 0; c < cols_; c += kColumnsAtOnce) {
        const int64_t in = int64_t{i} * cols_ + c;
        ConvertLine(rows_ + in * src_.ElementBytes(), results_ + (int64_t{r + i} * cols_ + c) * size,
                    std::min(kColumnsAtOnce, cols_ - c), c);
      }
    }
  }
}

}  // namespace pto
