// RunRows(): instructions whose operands are rows of different kinds: elements, bits, results. Once each
// operand is a plane of rows one call of a kernel does the work.
#include "src/engine/rows.h"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "src/engine/irregular.h"
#include "src/engine/sum.h"
#include "src/kernels/bits.h"
#include "src/kernels/convert.h"
#include "src/kernels/fold.h"
#include "src/objects/fp_env.h"

namespace pto {

namespace {

void RunCompare(const Rows& rows) {
  const pto_tile& bits = rows.Tile(0);
  Grid grid{};
  grid.dst = rows.At(0).data;
  grid.dst_line = rows.At(0).line * bits.ElementBytes();
  grid.a = rows.Source(1, &grid.a_line, &grid.a_step);
  grid.b = rows.Source(2, &grid.b_line, &grid.b_step);
  grid.lines = rows.Lines();
  grid.count = rows.Count();
  Call(rows.CompareOf(static_cast<Compare>(rows.Number(kCmpMode)), rows.Lead().dtype()), grid);
}

void RunSelect(const Rows& rows) {
  SelectGrid grid{};
  int32_t step = 0;
  grid.dst = rows.At(0).data;
  grid.dst_line = rows.At(0).line;
  grid.mask = rows.At(1).data;
  grid.mask_line = rows.At(1).line * rows.Tile(1).ElementBytes();
  grid.a = rows.Source(2, &grid.a_line, &step);
  grid.b = rows.Source(3, &grid.b_line, &grid.b_step);
  grid.lines = rows.Lines();
  grid.count = rows.Count();
  Call(rows.SelectOf(rows.Lead().ElementBytes()), grid);
}

// Pieces of lines stay in the buffer from step to step.
void RunChain(const Rows& rows, const OpInfo& op) {
  constexpr size_t kPiece = 512;
  alignas(64) uint8_t buffer[kPiece * 8];
  const auto piece = [&](int operand, size_t line, size_t at) {
    const RowPlane& plane = rows.At(operand);
    return plane.data +
           (static_cast<int64_t>(line) * plane.line + static_cast<int64_t>(at)) * rows.Tile(operand).ElementBytes();
  };
  for (size_t line = 0; line < rows.Lines(); ++line) {
    for (size_t at = 0; at < rows.Count(); at += kPiece) {
      const size_t count = std::min(kPiece, rows.Count() - at);
      const uint8_t* value = piece(1, line, at);
      DType dtype = rows.Tile(1).dtype();
      for (const Step& step : op.steps) {
        if (step.lane == kNoLane) {
          const bool last = step.operand == 0;
          const DType to = last ? rows.Tile(0).dtype() : step.to;
          uint8_t* out = last ? piece(0, line, at) : buffer;
          if (to != dtype) {
            Call(rows.Context()->conversions.Of(rows.Target(), dtype, to, Round::kRint, true),
                 ConvertGrid{out, value, 0, 0, 1, count});
          } else if (last) {
            CopyBytes(out, value, static_cast<int64_t>(count) * Info(to).bytes);
          } else {
            continue;  // the value stays where it is
          }
          if (last) break;
          dtype = to;
        } else {
          Grid grid{};
          grid.dst = buffer;
          grid.a = grid.b = value;
          grid.a_step = grid.b_step = 1;
          if (step.operand >= op.Needed()) {
            ptrdiff_t one = 0;
            grid.b = rows.Source(step.operand, &one, &grid.b_step);
          } else if (step.operand > 0) {
            // One a row, or one an element.
            const bool column = op.operands[step.operand].extent == Extent::kColumn;
            grid.b = piece(step.operand, line, column ? 0 : at);
            grid.b_step = column ? 0 : 1;
          }
          grid.lines = 1;
          grid.count = count;
          Call(rows.KernelOf(step.lane, dtype), grid);
        }
        value = buffer;
      }
    }
  }
}

// One output is the index, of two the first is the value.
void RunArgFold(const Rows& rows, const OpInfo& op) {
  const bool by_row = op.operands[0].extent == Extent::kRowResults;
  const int src = op.lead;
  const int index = op.Outputs() - 1;
  ArgGrid grid{};
  grid.index = rows.At(index).data;
  grid.index_step = by_row ? rows.At(index).step : 1;
  grid.index_bytes = rows.Tile(index).ElementBytes();
  if (index == 1) {
    grid.value = rows.At(0).data;
    grid.value_step = by_row ? rows.At(0).step : 1;
  }
  grid.src = rows.At(src).data;
  grid.src_line = rows.At(src).line;
  grid.lines = rows.Lines();
  grid.count = rows.Count();
  Call(rows.Kernels().arg_folds[by_row][op.lane == Lane::kMin][static_cast<int>(rows.Lead().dtype())], grid);
}

void RunPairSum(const Rows& rows) {
  Grid grid{};
  grid.dst = rows.At(0).data;
  grid.dst_line = rows.At(0).line;
  grid.a = rows.Source(1, &grid.a_line, &grid.a_step);
  grid.lines = rows.Lines();
  grid.count = rows.Count();
  Call(rows.Kernels().pair_sums[static_cast<int>(rows.Lead().dtype())], grid);
}

// The sum of a float and an integer, rounded once: f64 has more than twice the digits.
uint64_t FloatSum(double start, double k, DType dtype) {
  uint64_t out = 0;
  ScalarBits({std::bit_cast<uint64_t>(SumToOdd(start, k)), static_cast<int32_t>(ScalarKind::kFloat)}, dtype, &out);
  return out;
}

void PutElement(uint8_t* at, uint64_t bits, int32_t size) {
  std::memcpy(at, &bits, static_cast<size_t>(size));  // the low bytes come first
}

// Row 0 counts from the scalar on, or a triangle of ones and zeros.
void RunFill(const Rows& rows, const OpInfo& op) {
  const DType dtype = rows.Lead().dtype();
  const int32_t size = Info(dtype).bytes;
  const RowPlane& to = rows.At(0);
  const auto cols = static_cast<int64_t>(rows.Count());
  const bool floats = (Bit(dtype) & dtypes::kFloats) != 0;
  if (op.ScalarIndex() >= 0) {
    const bool down = rows.Number(kDirectionMode) == 1;
    const double start = floats ? ValueOf(PartsOf(rows.ScalarValue(), dtype)) : 0;
    for (int64_t k = 0; k < cols; ++k) {
      const int64_t step = down ? -k : k;
      const uint64_t bits =
          floats ? FloatSum(start, static_cast<double>(step), dtype) : rows.ScalarValue() + static_cast<uint64_t>(step);
      PutElement(to.data + k * size, bits, size);
    }
    return;
  }
  uint64_t one = 0;
  ScalarBits({1, static_cast<int32_t>(ScalarKind::kInt)}, dtype, &one);
  const bool upper = rows.Number(kTriangleMode) == 1;
  for (int64_t r = 0; r < static_cast<int64_t>(rows.Lines()); ++r) {
    // Where the ones end, or begin.
    const int64_t border = std::clamp<int64_t>(r + rows.Integer() + (upper ? 0 : 1), 0, cols);
    for (int64_t c = 0; c < cols; ++c) {
      PutElement(to.data + (r * to.line + c) * size, (c < border) != upper ? one : 0, size);
    }
  }
}

// Values and indices of two tiles, by the larger or smaller value where both are valid: src0 wins where it is
// strictly larger, or a NaN that src1 is not.
void RunPartialArg(const Rows& rows, const OpInfo& op) {
  const pto_tile& dst = rows.Tile(0);
  const int wide = rows.Tile(2).valid == dst.valid ? 2 : 3;
  const pto_tile& narrow = rows.Tile(5 - wide);
  const auto lines = static_cast<size_t>(narrow.ValidRows());
  const auto count = static_cast<size_t>(narrow.ValidCols());
  const auto line = static_cast<ptrdiff_t>((count + 7) / 8);
  if (lines != 0 && count != 0) {
    uint8_t* mask = rows.Room();
    uint8_t* number = mask + static_cast<ptrdiff_t>(lines) * line;
    Grid grid{mask, rows.At(2).data, rows.At(3).data, line, rows.At(2).line, rows.At(3).line, 1, 1, lines, count};
    const DType dtype = rows.Lead().dtype();
    Call(rows.CompareOf(op.lane == Lane::kMax ? Compare::kLe : Compare::kGe, dtype), grid);
    grid.dst = number;
    grid.a = grid.b;
    grid.a_line = grid.b_line;
    Call(rows.CompareOf(Compare::kEq, dtype), grid);
    for (ptrdiff_t i = 0; i < static_cast<ptrdiff_t>(lines) * line; ++i) {
      mask[i] = static_cast<uint8_t>(~mask[i] & number[i]);
    }
    for (int part = 0; part < 2; ++part) {
      const RowPlane& to = rows.At(part);
      const RowPlane& a = rows.At(2 + 2 * part);
      const RowPlane& b = rows.At(3 + 2 * part);
      const SelectGrid select{to.data, mask, a.data, b.data, to.line, line, a.line, b.line, 1, lines, count};
      Call(rows.SelectOf(rows.Tile(part).ElementBytes()), select);
    }
  }
  for (int part = 0; part < 2; ++part) {
    const RowPlane& to = rows.At(part);
    const RowPlane& from = rows.At(wide + 2 * part);
    const int64_t size = rows.Tile(part).ElementBytes();
    for (int64_t r = 0; r < dst.ValidRows(); ++r) {
      const int64_t first = r < narrow.ValidRows() ? narrow.ValidCols() : 0;
      CopyBytes(to.data + (r * to.line + first) * size, from.data + (r * from.line + first) * size,
                (dst.ValidCols() - first) * size);
    }
  }
}

// Halves of rows, in the order of their tiles, beside pairs of elements.
void RunZip(const Rows& rows, const OpInfo& op) {
  const bool zip = op.walk == Walk::kZip;
  const int64_t size = rows.Lead().ElementBytes();
  const Shuffles& shuffles = rows.ShufflesOf(static_cast<int>(size));
  // Tiles of whole rows; the other tiles have their even and odd elements.
  const int wholes = op.Inputs() == 1 ? 1 : 2;
  const int first = zip ? 0 : 2;
  const int parts = zip ? 2 : 0;
  const size_t pairs = wholes == 1 ? rows.Count() : rows.Count() / 2;
  const RowPlane& even = rows.At(parts);
  const RowPlane& odd = rows.At(parts + 1);
  // Both halves of some lines, then of the next: memory is gone through once.
  constexpr size_t kTogether = 16384;
  const size_t bytes = rows.Count() * static_cast<size_t>(size);
  const size_t step = bytes * rows.Lines() <= kTogether ? rows.Lines() : std::max<size_t>(kTogether / bytes, 1);
  for (size_t line = 0; line < rows.Lines(); line += step) {
    for (int half = 0; half < wholes; ++half) {
      const RowPlane& whole = rows.At(first + half);
      const auto part = half * static_cast<int64_t>(pairs);
      const auto at = [&](const RowPlane& plane, int64_t from) {
        return plane.data + (static_cast<int64_t>(line) * plane.line + from) * size;
      };
      const ZipGrid grid{at(whole, 0),
                         at(even, part),
                         at(odd, part),
                         whole.line,
                         even.line,
                         odd.line,
                         std::min(step, rows.Lines() - line),
                         pairs};
      zip ? shuffles.zip(grid) : shuffles.unzip(grid);
    }
  }
}

void RunByRow(const Rows& rows) { rows.RunWalk(); }

int64_t MaskBytes(const pto_tile& lead) { return (int64_t{lead.ValidCols()} + 7) / 8; }
int64_t FindRoom(const OpInfo& op, const Args& args) { return MaskBytes(*args.tiles[op.lead]); }
int64_t PartialArgRoom(const OpInfo& op, const Args& args) {
  const pto_tile& lead = *args.tiles[op.lead];
  return 2 * lead.ValidRows() * MaskBytes(lead);
}

// Engines take what they need of a call.
template <auto run>
Status Engine(const Rows& rows, const OpInfo& op) {
  const auto call = [&] {
    if constexpr (std::is_invocable_v<decltype(run), const Rows&>) {
      return run(rows);
    } else {
      return run(rows, op);
    }
  };
  if constexpr (std::is_same_v<decltype(call()), Status>) {
    return call();
  } else {
    call();
    return Status::kOk;
  }
}

// The engine of a walk by rows, and the bytes of scratch that it wants; nullptr: none.
struct RowEngine {
  Status (*run)(const Rows& rows, const OpInfo& op) = nullptr;
  int64_t (*room)(const OpInfo& op, const Args& args) = nullptr;
};

constexpr auto kEngines = [] {
  std::array<RowEngine, kWalkCount> engines;
  const auto set = [&](Walk walk, RowEngine engine) { engines[static_cast<size_t>(walk)] = engine; };
  set(Walk::kCompare, {Engine<RunCompare>});
  set(Walk::kSelect, {Engine<RunSelect>});
  set(Walk::kConvert, {Engine<RunByRow>});
  set(Walk::kFold, {Engine<RunByRow>});
  set(Walk::kArgFold, {Engine<RunArgFold>});
  set(Walk::kPairSum, {Engine<RunPairSum>});
  set(Walk::kFill, {Engine<RunFill>});
  set(Walk::kPartialArg, {Engine<RunPartialArg>, PartialArgRoom});
  set(Walk::kChain, {Engine<RunChain>});
  set(Walk::kZip, {Engine<RunZip>});
  set(Walk::kUnzip, {Engine<RunZip>});
  set(Walk::kGather, {Engine<RunGather>});
  set(Walk::kScatter, {Engine<RunScatter>});
  set(Walk::kPick, {Engine<RunPick>});
  set(Walk::kSpread, {Engine<RunSpread>});
  set(Walk::kSort, {Engine<RunSort>});
  set(Walk::kMergeBlocks, {Engine<RunMergeBlocks>, MergeRoom});
  set(Walk::kMergeLists, {Engine<RunMergeLists>, MergeRoom});
  set(Walk::kHistogram, {Engine<RunHistogram>});
  set(Walk::kRandom, {Engine<RunRandom>});
  set(Walk::kTableGather, {Engine<RunTableGather>});
  set(Walk::kTableScatter, {Engine<RunTableScatter>});
  set(Walk::kFind, {Engine<RunFind>, FindRoom});
  set(Walk::kQuantise, {Engine<RunQuantise>, QuantiseRoom});
  return engines;
}();

}  // namespace

Status RunRows(pto_context* ctx, const OpInfo& op, const Args& args, bool direct) {
  const pto_tile& lead = *args.tiles[op.lead];
  // The first of several lists may be empty.
  const bool lists = op.walk == Walk::kMergeLists;
  if (lead.ValidRows() == 0 || (lead.ValidCols() == 0 && !lists)) return Status::kOk;
  const RowEngine& engine = kEngines[static_cast<size_t>(op.walk)];
  Rows rows(ctx, op, args);
  Status status = rows.Place(engine.room == nullptr ? 0 : engine.room(op, args), direct);
  if (status != Status::kOk) return status;
  const DefaultFpEnv fp_env;
  status = engine.run(rows, op);
  if (status == Status::kOk && !direct) rows.Finish();
  return status;
}

}  // namespace pto
