// Elements that move by indices and by patterns. Every index is looked at before anything is written.
#include "src/kernels/gather.h"

#include <algorithm>
#include <cstring>

#include "src/engine/irregular.h"
#include "src/engine/rearrange.h"
#include "src/kernels/bits.h"
#include "src/records/irregular.h"

namespace pto {

namespace {

constexpr int64_t kPiece = 512;

// Number k of an array of indices.
int64_t IndexAt(const uint8_t* numbers, DType dtype, int64_t k) {
  const uint8_t* at = numbers + k * Info(dtype).bytes;
  int32_t whole = 0;
  int16_t half = 0;
  switch (dtype) {
    case DType::kI16:
      std::memcpy(&half, at, sizeof half);
      return half;
    case DType::kU16:
      std::memcpy(&half, at, sizeof half);
      return static_cast<uint16_t>(half);
    case DType::kI32:
      std::memcpy(&whole, at, sizeof whole);
      return whole;
    default:
      std::memcpy(&whole, at, sizeof whole);
      return static_cast<uint32_t>(whole);
  }
}

// The tile that indices are for, as a plane: an index counts elements row by row over all columns of the tile, and
// names one of those that are valid.
class Target {
 public:
  Target(const Rows& rows, int operand)
      : tile_(rows.Tile(operand)), plane_(rows.At(operand)), cols_(tile_.geometry.cols) {}

  // The place in the plane that an index leads to; -1: none.
  int64_t PlaceOf(int64_t index) const {
    if (index < 0) return -1;
    const int64_t row = index / cols_;
    const int64_t col = index % cols_;
    return row < tile_.ValidRows() && col < tile_.ValidCols() ? row * plane_.line + col : -1;
  }
  // The number of leading indices that are positions; 0: some are not.
  int64_t Direct() const {
    if (tile_.ValidRows() == 1) return tile_.ValidCols();
    const bool whole = tile_.ValidCols() == cols_ && plane_.line == cols_;
    return whole ? int64_t{tile_.ValidRows()} * cols_ : 0;
  }
  const pto_tile& tile() const { return tile_; }
  uint8_t* data() const { return plane_.data; }

 private:
  const pto_tile& tile_;
  const RowPlane& plane_;
  int64_t cols_;
};

Status RefuseIndex(const Rows& rows, const OpInfo& op, int operand, int target, int64_t row, int64_t col,
                   int64_t index) {
  const pto_tile& tile = rows.Tile(target);
  const char* name = op.operands[operand].name;
  const char* of = op.operands[target].name;
  return rows.Context()->error.Set(
      Rule::kIndexRange, op.name, name, "%s has %lld at (%lld, %lld) where %s has %d columns and is valid in %dx%d",
      name, static_cast<long long>(index), static_cast<long long>(row), static_cast<long long>(col), of,
      tile.geometry.cols, tile.ValidRows(), tile.ValidCols());
}

// The indices of a call: `lines` of `count` of them, for the elements of `target`.
class Indices {
 public:
  Indices(const Rows& rows, const OpInfo& op, int operand, int target, int64_t lines, int64_t count)
      : rows_(rows),
        op_(op),
        operand_(operand),
        at_(target),
        target_(rows, target),
        plane_(rows.At(operand)),
        dtype_(rows.Tile(operand).dtype()),
        lines_(lines),
        count_(count) {
    // Places of four bytes need no table of them. One more than the largest index that a number has and may be.
    const int64_t limit = dtype_ == DType::kI32 ? int64_t{1} << 31 : int64_t{1} << 32;
    direct_ = Info(dtype_).bytes == 4 ? std::min(target_.Direct(), limit) : 0;
  }

  const Target& target() const { return target_; }
  int64_t lines() const { return lines_; }
  int64_t count() const { return count_; }
  bool direct() const { return direct_ != 0; }
  const uint32_t* Line(int64_t line) const {
    return reinterpret_cast<const uint32_t*>(plane_.data + line * plane_.line * 4);
  }
  // All lines as one line, if they are as contiguous as the lines of `other`.
  bool OneLine(const RowPlane& other) const { return plane_.line == count_ && other.line == count_; }

  // Every index names an element.
  Status Check() const {
    if (direct() && plane_.line == count_) return CheckLine(0, lines_ * count_);
    for (int64_t line = 0; line < lines_; ++line) {
      const Status status = CheckLine(line, count_);
      if (status != Status::kOk) return status;
    }
    return Status::kOk;
  }

  // Places of elements [first, first + count) of a line.
  void Places(int64_t line, int64_t first, int64_t count, int64_t* places) const {
    const uint8_t* numbers = plane_.data + line * plane_.line * Info(dtype_).bytes;
    for (int64_t k = 0; k < count; ++k) places[k] = target_.PlaceOf(IndexAt(numbers, dtype_, first + k));
  }

 private:
  Status CheckLine(int64_t line, int64_t count) const {
    if (direct() && rows_.Kernels().largest(Line(line), static_cast<size_t>(count)) < direct_) return Status::kOk;
    const uint8_t* numbers = plane_.data + line * plane_.line * Info(dtype_).bytes;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t index = IndexAt(numbers, dtype_, k);
      if (target_.PlaceOf(index) < 0) {
        return RefuseIndex(rows_, op_, operand_, at_, line + k / count_, k % count_, index);
      }
    }
    return Status::kOk;
  }

  const Rows& rows_;
  const OpInfo& op_;
  int operand_;
  int at_;
  Target target_;
  const RowPlane& plane_;
  DType dtype_;
  int64_t lines_;
  int64_t count_;
  int64_t direct_ = 0;
};

// Moves elements between the target and the plane beside the indices, by the kernel for direct places or the other.
template <class Direct, class Placed>
void Move(const Indices& indices, const RowPlane& beside, int64_t size, Direct&& direct, Placed&& placed) {
  const bool one = indices.direct() && indices.OneLine(beside);
  const int64_t lines = one ? 1 : indices.lines();
  const int64_t count = one ? indices.lines() * indices.count() : indices.count();
  for (int64_t line = 0; line < lines; ++line) {
    uint8_t* const at = beside.data + line * beside.line * size;
    if (indices.direct()) {
      direct(at, indices.Line(line), static_cast<size_t>(count));
      continue;
    }
    int64_t places[kPiece];
    for (int64_t first = 0; first < count; first += kPiece) {
      const int64_t some = std::min(kPiece, count - first);
      indices.Places(line, first, some, places);
      placed(at + first * size, places, static_cast<size_t>(some));
    }
  }
}

// Blocks of 32 bytes by their offsets.
Status GatherBlocks(const Rows& rows, const OpInfo& op) {
  const Target target(rows, 1);
  const RowPlane& offsets = rows.At(2);
  const RowPlane& to = rows.At(0);
  const int64_t size = rows.Lead().ElementBytes();
  const int64_t unit = 32 / size;
  const auto lines = static_cast<int64_t>(rows.Lines());
  const auto count = static_cast<int64_t>(rows.Count());
  const PlaceKernels& kernels = rows.Kernels().PlacesOf(rows.Lead().ElementBytes());
  // Twice: to look at all, then to copy.
  for (const bool copies : {false, true}) {
    for (int64_t line = 0; line < lines; ++line) {
      for (int64_t first = 0; first < count; first += unit) {
        const int64_t some = std::min(unit, count - first);
        const int64_t offset = IndexAt(offsets.data + line * offsets.line * 4, DType::kU32, first / unit);
        int64_t places[32];
        bool known = offset % size == 0;
        for (int64_t k = 0; k < some; ++k) {
          places[k] = target.PlaceOf(offset / size + k);
          known &= places[k] >= 0;
        }
        if (!known) return RefuseIndex(rows, op, 2, 1, line, first / unit, offset);
        if (!copies) continue;
        uint8_t* const at = to.data + (line * to.line + first) * size;
        if (places[some - 1] - places[0] == some - 1) {
          std::memcpy(at, target.data() + places[0] * size, static_cast<size_t>(some * size));
        } else {
          kernels.gather64(at, target.data(), places, static_cast<size_t>(some));
        }
      }
    }
  }
  return Status::kOk;
}

// Zeros in all of a tile, also where it is not valid.
void Clear(const pto_context& ctx, const pto_tile& tile, const RowPlane& plane) {
  Mover(ctx, tile.ElementBytes()).Fill({tile.data, tile.layout}, tile.StoredRows(), tile.geometry.cols, 0);
  if (plane.unpack) std::memset(plane.data, 0, static_cast<size_t>(tile.ValidBytes()));
}

}  // namespace

Status RunGather(const Rows& rows, const OpInfo& op) {
  if (op.operands[2].extent == Extent::kBlockIndex) return GatherBlocks(rows, op);
  const Indices indices(rows, op, 2, 1, static_cast<int64_t>(rows.Lines()), static_cast<int64_t>(rows.Count()));
  const Status status = indices.Check();
  if (status != Status::kOk) return status;
  const int64_t size = rows.Lead().ElementBytes();
  const PlaceKernels& kernels = rows.Kernels().PlacesOf(rows.Lead().ElementBytes());
  const uint8_t* const from = indices.target().data();
  Move(
      indices, rows.At(0), size,
      [&](uint8_t* at, const uint32_t* places, size_t count) { kernels.gather32(at, from, places, count); },
      [&](uint8_t* at, const int64_t* places, size_t count) { kernels.gather64(at, from, places, count); });
  return Status::kOk;
}

Status RunScatter(const Rows& rows, const OpInfo& op) {
  const pto_tile& src = rows.Lead();
  const pto_tile& indexes = rows.Tile(2);
  const Indices indices(rows, op, 2, 0, std::min(src.ValidRows(), indexes.ValidRows()),
                        std::min(src.ValidCols(), indexes.ValidCols()));
  if (indices.lines() == 0 || indices.count() == 0) return Status::kOk;
  const Status status = indices.Check();
  if (status != Status::kOk) return status;
  Clear(*rows.Context(), rows.Tile(0), rows.At(0));
  const int64_t size = src.ElementBytes();
  const PlaceKernels& kernels = rows.Kernels().PlacesOf(src.ElementBytes());
  uint8_t* const to = indices.target().data();
  Move(
      indices, rows.At(1), size,
      [&](uint8_t* at, const uint32_t* places, size_t count) { kernels.scatter32(to, at, places, count); },
      [&](uint8_t* at, const int64_t* places, size_t count) { kernels.scatter64(to, at, places, count); });
  return Status::kOk;
}

// The bits of what a row is compared with. Beside integers a number may be none of their type: then `past` is its side
// of them, -1 or 1.
uint64_t ThresholdOf(const uint8_t* at, DType from, DType to, int* past) {
  uint64_t bits = 0;
  *past = 0;
  if (from == to) {
    std::memcpy(&bits, at, static_cast<size_t>(Info(to).bytes));
    return bits;
  }
  const int64_t number = IndexAt(at, from, 0);
  const auto kind = static_cast<int32_t>(from == DType::kI32 ? ScalarKind::kInt : ScalarKind::kUint);
  if (!ScalarBits({static_cast<uint64_t>(number), kind}, to, &bits)) *past = number < 0 ? -1 : 1;
  return bits;
}

// Whether elements compare so with a number that is past all of them.
bool FitsPast(Compare mode, int past) {
  const bool above = past > 0;
  if (mode == Compare::kEq || mode == Compare::kNe) return mode == Compare::kNe;
  return above == (mode == Compare::kLt || mode == Compare::kLe);
}

void RunFind(const Rows& rows) {
  const pto_tile& src = rows.Lead();
  const int64_t size = src.ElementBytes();
  const RowPlane& to = rows.At(0);
  const RowPlane& found = rows.At(1);
  const RowPlane& from = rows.At(2);
  const RowPlane& thresholds = rows.At(kThreshold);
  const DType type = rows.Tile(kThreshold).dtype();
  const int32_t room = rows.Tile(0).ValidCols();
  const auto mode = static_cast<Compare>(rows.Number(kCmpMode));
  const CompareKernel& compare = rows.CompareOf(mode, src.dtype());
  const auto bytes = static_cast<size_t>((int64_t{src.ValidCols()} + 7) / 8);
  for (int32_t r = 0; r < src.ValidRows(); ++r) {
    int past = 0;
    const uint8_t* const at = thresholds.data + r * thresholds.line * Info(type).bytes;
    const uint64_t bits = ThresholdOf(at, type, src.dtype(), &past);
    Grid grid{rows.Room(), from.data + r * from.line * size, &bits, 0, 0, 0, 1, 0, 1, rows.Count()};
    Call(compare, grid);
    if (past != 0) std::memset(rows.Room(), FitsPast(mode, past) ? 0xff : 0, bytes);
    const auto first = static_cast<uint32_t>(rows.Integer() + int64_t{r} * src.geometry.cols);
    uint32_t count = 0;
    for (int32_t c = 0; c < src.ValidCols(); ++c) {
      if ((rows.Room()[c / 8] >> (c % 8) & 1) == 0) continue;
      const uint32_t place = first + static_cast<uint32_t>(c);
      if (static_cast<int64_t>(count) < room) {
        std::memcpy(to.data + (r * to.line + count) * 4, &place, sizeof place);
      }
      ++count;
    }
    std::memcpy(found.data + r * found.step * 4, &count, sizeof count);
  }
}

void RunPick(const Rows& rows) {
  const Pattern pattern = kPatterns[rows.Number(kMaskMode)];
  const RowPlane& from = rows.At(1);
  const RowPlane& to = rows.At(0);
  const int64_t size = rows.Lead().ElementBytes();
  const int32_t lines = rows.Lead().ValidRows();
  const int32_t count = rows.Lead().ValidCols();
  if (rows.Number(kGatherAxisMode) == 1) {
    for (int32_t r = pattern.first, line = 0; r < lines; r += pattern.every, ++line) {
      std::memcpy(to.data + line * to.line * size, from.data + r * from.line * size, static_cast<size_t>(count * size));
    }
    return;
  }
  // Runs that end where a row of src or of dst does.
  const int64_t width = rows.Tile(0).ValidCols();
  int64_t row = 0;
  int64_t col = 0;
  for (int32_t r = 0; r < lines; ++r) {
    const uint8_t* const line = from.data + r * from.line * size;
    const int64_t picks = pattern.Count(count);
    for (int64_t done = 0; done < picks;) {
      const int64_t some = std::min(picks - done, width - col);
      CopySteps(to.data + (row * to.line + col) * size, 1, line + (pattern.first + done * pattern.every) * size,
                pattern.every, static_cast<size_t>(some), static_cast<int>(size));
      done += some;
      col += some;
      row += col == width ? 1 : 0;
      col = col == width ? 0 : col;
    }
  }
}

void RunSpread(const Rows& rows) {
  const Pattern pattern = kPatterns[rows.Number(kMaskMode)];
  const bool by_row = rows.Number(kScatterAxisMode) == 0;
  const RowPlane& to = rows.At(0);
  const RowPlane& from = rows.At(1);
  const int64_t size = rows.Lead().ElementBytes();
  const int32_t lines = rows.Lead().ValidRows();
  const int32_t count = rows.Lead().ValidCols();
  for (int32_t r = 0; r < lines; ++r) {
    uint8_t* const line = to.data + r * to.line * size;
    const bool picked = by_row || r % pattern.every == pattern.first;
    const int64_t row = by_row ? r : r / pattern.every;
    if (!picked || (by_row && pattern.every != 1)) std::memset(line, 0, static_cast<size_t>(count * size));
    if (!picked) continue;
    const uint8_t* const source = from.data + row * from.line * size;
    const int64_t first = by_row ? pattern.first : 0;
    const int64_t every = by_row ? pattern.every : 1;
    const int64_t some = by_row ? pattern.Count(count) : count;
    CopySteps(line + first * size, every, source, 1, static_cast<size_t>(some), static_cast<int>(size));
  }
}

}  // namespace pto
