// MGATHER and MSCATTER: rows and elements between a tile and a tensor that is a table for indices. Every index is
// looked at before anything is written.
#include <algorithm>
#include <cstring>

#include "src/engine/combine.h"
#include "src/engine/irregular.h"
#include "src/engine/rearrange.h"
#include "src/kernels/gather.h"

namespace pto {

namespace {

constexpr int64_t kTablePiece = 512;
// No position: reads give zeros, and writes are dropped.
constexpr int64_t kNowhere = -1;

enum class Outside : uint8_t { kRefuse, kNowhere, kClamp, kWrap };
constexpr Outside kOfGather[] = {Outside::kRefuse, Outside::kClamp, Outside::kWrap, Outside::kNowhere};
constexpr Outside kOfScatter[] = {Outside::kRefuse, Outside::kNowhere, Outside::kClamp, Outside::kWrap};

// The indices of a call and what they name. Their tile is the last operand; an index is a number without sign.
class Table {
 public:
  Table(const Rows& rows, const OpInfo& op)
      : rows_(rows), op_(op), view_(rows.Tensor().view), indices_(rows.At(2)), idx_(rows.Tile(2)) {
    by_row_ = rows.Number(kCoalesceMode) == 0;
    outside_ = op.Stores() ? kOfScatter[rows.Number(kScatterOobMode)] : kOfGather[rows.Number(kGatherOobMode)];
    extent_ = by_row_ ? view_.rows.extent : view_.rows.extent * view_.cols.extent;
    if (view_.cols.extent == 0) extent_ = 0;
    const MatrixAxis& r = view_.rows;
    const MatrixAxis& c = view_.cols;
    const bool rows_follow = r.extent == 1 || (r.count == 1 && r.stride[0] == c.extent);
    flat_ = (c.extent == 1 || (c.count == 1 && c.stride[0] == 1)) && rows_follow;
    one_ = !by_row_ && indices_.line == count();
  }

  bool by_row() const { return by_row_; }
  uint8_t* data() const { return rows_.Tensor().data; }
  const MatrixView& view() const { return view_; }

  // Every index is in range, or the mode handles it.
  Status Check() const {
    if (outside_ == Outside::kNowhere || (outside_ != Outside::kRefuse && extent_ != 0)) return Status::kOk;
    if (one_ && InRange(0, lines() * count())) return Status::kOk;
    for (int64_t line = 0; line < lines(); ++line) {
      if (InRange(line, count())) continue;
      for (int64_t k = 0; k < count(); ++k) {
        if (IndexAt(line, k) < extent_) continue;
        return rows_.Context()->error.Set(
            Rule::kTableRange, op_.name, op_.operands[2].name, "%s has %lld at (%lld, %lld) where %s has %lld %s",
            op_.operands[2].name, static_cast<long long>(IndexAt(line, k)),
            static_cast<long long>(upright() ? k : line), static_cast<long long>(upright() ? 0 : k),
            op_.operands[TableOperand()].name, static_cast<long long>(extent_), by_row_ ? "rows" : "elements");
      }
    }
    return Status::kOk;
  }

  // What the k-th index of a line leads to: the place of its element, or of the first of its row, or kNowhere.
  int64_t PlaceOf(int64_t line, int64_t k) const {
    int64_t index = IndexAt(line, k);
    if (index >= extent_) {
      if (outside_ == Outside::kNowhere) return kNowhere;
      index = outside_ == Outside::kClamp ? extent_ - 1 : index % extent_;
    }
    if (by_row_) return view_.rows.Offset(index);
    if (flat_) return index;
    return view_.rows.Offset(index / view_.cols.extent) + view_.cols.Offset(index % view_.cols.extent);
  }

  // The lines of indices follow one another.
  bool one() const { return one_; }

  // `some` indices from a line on, if they are the positions of their elements; otherwise nullptr.
  const uint32_t* Direct(int64_t line, int64_t some) const {
    return flat_ && !by_row_ && (outside_ == Outside::kRefuse || InRange(line, some)) ? Line(line) : nullptr;
  }

 private:
  int TableOperand() const { return op_.TensorIndex(); }
  // Indices of rows that fill a column.
  bool upright() const { return by_row_ && idx_.ValidRows() != 1 && idx_.ValidCols() == 1; }
  int64_t lines() const { return by_row_ ? 1 : rows_.Lead().ValidRows(); }
  int64_t count() const { return by_row_ ? rows_.Lead().ValidRows() : rows_.Lead().ValidCols(); }
  const uint32_t* Line(int64_t line) const {
    return reinterpret_cast<const uint32_t*>(indices_.data) + line * indices_.line;
  }
  int64_t IndexAt(int64_t line, int64_t k) const { return Line(line)[upright() ? k * indices_.line : k]; }
  // `some` indices from a line on: more than a line has if lines are contiguous.
  bool InRange(int64_t line, int64_t some) const {
    return !upright() && rows_.Kernels().largest(Line(line), static_cast<size_t>(some)) < extent_;
  }

  const Rows& rows_;
  const OpInfo& op_;
  const MatrixView& view_;
  const RowPlane& indices_;
  const pto_tile& idx_;
  bool by_row_;
  bool flat_;
  bool one_;
  Outside outside_;
  int64_t extent_;
};

// Rows of the tile beside rows of the table, cut where the columns of the table take another step:
// move(piece of the tile, piece of the table, columns); nullptr for a row that is nowhere.
template <class MovePiece>
void ForEachRow(const Rows& rows, const Table& table, const RowPlane& plane, MovePiece move) {
  const int64_t size = rows.Lead().ElementBytes();
  const MatrixAxis& cols = table.view().cols;
  for (int64_t r = 0; r < rows.Lead().ValidRows(); ++r) {
    const int64_t place = table.PlaceOf(0, r);
    for (int64_t c = 0; c < rows.Lead().ValidCols();) {
      const int64_t n = std::min<int64_t>(rows.Lead().ValidCols() - c, cols.dim[0] - c % cols.dim[0]);
      uint8_t* const at = place < 0 ? nullptr : table.data() + (place + cols.Offset(c)) * size;
      move(Plane{plane.data + (r * plane.line + c) * size, 0, 1}, Plane{at, 0, cols.stride[0]}, n);
      c += n;
    }
  }
}

// Elements of the tile, some of a row at a time, with their places in the table.
template <class Direct, class Placed>
void ForEachElement(const Rows& rows, const Table& table, const RowPlane& plane, Direct direct, Placed placed) {
  const int64_t size = rows.Lead().ElementBytes();
  const int64_t count = rows.Lead().ValidCols();
  const int64_t lines = rows.Lead().ValidRows();
  if (table.one() && plane.line == count) {
    if (const uint32_t* indices = table.Direct(0, lines * count); indices != nullptr) {
      return direct(plane.data, indices, static_cast<size_t>(lines * count));
    }
  }
  for (int64_t r = 0; r < lines; ++r) {
    uint8_t* const line = plane.data + r * plane.line * size;
    if (const uint32_t* indices = table.Direct(r, count); indices != nullptr) {
      direct(line, indices, static_cast<size_t>(count));
      continue;
    }
    int64_t places[kTablePiece];
    for (int64_t first = 0; first < count; first += kTablePiece) {
      const int64_t some = std::min(kTablePiece, count - first);
      for (int64_t k = 0; k < some; ++k) places[k] = table.PlaceOf(r, first + k);
      placed(line + first * size, places, some);
    }
  }
}

}  // namespace

Status RunTableGather(const Rows& rows, const OpInfo& op) {
  const Table table(rows, op);
  const Status status = table.Check();
  if (status != Status::kOk) return status;
  const auto size = static_cast<size_t>(rows.Lead().ElementBytes());
  const Mover mover(*rows.Context(), rows.Lead().ElementBytes());
  const RowPlane& to = rows.At(0);
  if (table.by_row()) {
    ForEachRow(rows, table, to, [&](const Plane& tile, const Plane& row, int64_t count) {
      if (row.data == nullptr) {
        std::memset(tile.data, 0, static_cast<size_t>(count) * size);
      } else {
        mover.Planes(tile, row, 1, count);
      }
    });
    return Status::kOk;
  }
  const PlaceKernels& kernels = rows.Kernels().PlacesOf(rows.Lead().ElementBytes());
  ForEachElement(
      rows, table, to,
      [&](uint8_t* at, const uint32_t* indices, size_t count) { kernels.gather32(at, table.data(), indices, count); },
      [&](uint8_t* at, const int64_t* places, int64_t count) {
        for (int64_t k = 0; k < count; ++k) {
          uint8_t* const element = at + k * static_cast<int64_t>(size);
          if (places[k] < 0) {
            std::memset(element, 0, size);
          } else {
            kernels.gather64(element, table.data(), places + k, 1);
          }
        }
      });
  return Status::kOk;
}

Status RunTableScatter(const Rows& rows, const OpInfo& op) {
  const Table table(rows, op);
  const Status status = table.Check();
  if (status != Status::kOk) return status;
  constexpr Lane kCombined[] = {Lane::kCopy, Lane::kAdd, Lane::kMax, Lane::kMin};
  const Lane lane = kCombined[rows.Number(kScatterAtomicMode)];
  const bool copies = lane == Lane::kCopy;
  const Kernel& kernel = rows.KernelOf(lane, rows.Lead().dtype());
  const auto size = static_cast<size_t>(rows.Lead().ElementBytes());
  const Mover mover(*rows.Context(), rows.Lead().ElementBytes());
  const RowPlane& from = rows.At(1);
  if (table.by_row()) {
    ForEachRow(rows, table, from, [&](const Plane& tile, const Plane& row, int64_t count) {
      if (row.data == nullptr) return;
      if (copies) {
        mover.Planes(row, tile, 1, count);
      } else {
        Combine(kernel, row.data, row.col_step, tile.data, 1, count);
      }
    });
    return Status::kOk;
  }
  const PlaceKernels& kernels = rows.Kernels().PlacesOf(rows.Lead().ElementBytes());
  const auto placed = [&](const uint8_t* at, const int64_t* places, int64_t count) {
    if (!copies) return CombineAt(kernel, table.data(), places, at, count);
    for (int64_t k = 0; k < count; ++k) {
      if (places[k] >= 0) kernels.scatter64(table.data(), at + k * static_cast<int64_t>(size), places + k, 1);
    }
  };
  ForEachElement(
      rows, table, from,
      [&](uint8_t* at, const uint32_t* indices, size_t count) {
        if (copies) return kernels.scatter32(table.data(), at, indices, count);
        int64_t places[kTablePiece];
        for (size_t first = 0; first < count; first += kTablePiece) {
          const size_t some = std::min<size_t>(kTablePiece, count - first);
          std::copy_n(indices + first, some, places);
          placed(at + first * size, places, static_cast<int64_t>(some));
        }
      },
      placed);
  return Status::kOk;
}

}  // namespace pto
