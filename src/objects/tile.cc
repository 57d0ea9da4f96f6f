// Making tiles.
#include "src/objects/tile.h"

#include <cstdio>
#include <cstring>
#include <new>

#include "src/objects/error.h"

namespace pto {

namespace {

constexpr int64_t kLineBytes = 32;

Layout LayoutOf(const Geometry& g, int32_t valid_rows, int64_t* count) {
  return MakeLayout(g.blayout, g.slayout, g.fractal, Info(g.dtype).bytes, g.rows, g.cols, count, g.compact, valid_rows);
}

}  // namespace

GeometryFault CheckGeometry(const Geometry& g, Profile profile) {
  if (!IsHardware(profile)) return {};
  const int64_t size = Info(g.dtype).bytes;  // the ISA counts one byte per element of packed types here
  const int64_t capacity = Info(g.location).capacity[static_cast<int>(profile)];
  if (capacity == 0) return {true, Rule::kLocation, static_cast<int64_t>(g.location), 0, "location"};
  if (g.slayout == SLayout::kNoneBox) {
    const bool by_rows = g.blayout == BLayout::kRowMajor;
    const int64_t line = size * (by_rows ? g.cols : g.rows);
    if (line % kLineBytes != 0) return {true, Rule::kRowBytes, line, kLineBytes, by_rows ? "cols" : "rows"};
  } else {
    const Box box = BoxOf(g.slayout, g.fractal, static_cast<int32_t>(size));
    const bool rows_free = g.location == Location::kVec || g.fractal == 32 || g.rows == 1;
    if (g.cols % box.cols != 0) return {true, Rule::kBoxShape, g.cols, box.cols, "cols"};
    if (!rows_free && g.rows % box.rows != 0) return {true, Rule::kBoxShape, g.rows, box.rows, "rows"};
  }
  // The ISA counts the elements that the tile names, not those that fill its boxes.
  const int64_t bytes = BytesOf(g.dtype, int64_t{g.rows} * g.cols);
  if (bytes > capacity) return {true, Rule::kCapacity, bytes, capacity, "rows"};
  return {};
}

Status RefuseGeometry(Error& error, const GeometryFault& fault, const Geometry& g, Profile profile, const char* call,
                      const char* operand) {
  const char* at = operand == nullptr ? fault.field : operand;
  const char* who = Info(profile).name;
  const char* location = Info(g.location).name;
  const auto value = static_cast<long long>(fault.value);
  const auto limit = static_cast<long long>(fault.limit);
  char tile[96];
  if (operand == nullptr) {
    std::snprintf(tile, sizeof tile, "the %dx%d tile of %s", g.rows, g.cols, Info(g.dtype).name);
  } else {
    std::snprintf(tile, sizeof tile, "%s, a %dx%d tile of %s,", operand, g.rows, g.cols, Info(g.dtype).name);
  }
  switch (fault.rule) {
    case Rule::kRowBytes:
      return error.Set(fault.rule, call, at,
                       "%s has %s of %lld bytes where %s needs a multiple of %lld: allocate %lld %s", tile,
                       g.blayout == BLayout::kRowMajor ? "rows" : "columns", value, who, limit,
                       (value + limit - 1) / limit * limit / Info(g.dtype).bytes,
                       g.blayout == BLayout::kRowMajor ? "columns" : "rows");
    case Rule::kBoxShape:
      return error.Set(fault.rule, call, at,
                       "%s has %s that do not divide into boxes: %lld where %s needs a multiple of %lld", tile,
                       fault.field[0] == 'r' ? "rows" : "columns", value, who, limit);
    case Rule::kCapacity:
      return error.Set(fault.rule, call, at, "%s has %lld bytes where %s has %lld in %s", tile, value, who, limit,
                       location);
    default:
      return error.Set(fault.rule, call, at, "%s lives in %s, which %s does not have", tile, location, who);
  }
}

int64_t StorageElements(const Geometry& g) {
  int64_t count = 0;
  LayoutOf(g, g.rows, &count);  // whatever becomes valid
  return count;
}

int64_t StorageBytes(const Geometry& g) { return BytesOf(g.dtype, StorageElements(g)); }

pto_tile* NewTile(const Geometry& g, int32_t valid_rows, int32_t valid_cols) {
  auto* tile = new (std::nothrow) pto_tile;
  if (tile == nullptr) return nullptr;
  g_live_handles.fetch_add(1, std::memory_order_relaxed);
  int64_t count = 0;
  tile->geometry = g;
  tile->layout = LayoutOf(g, valid_rows, &count);
  tile->line = tile->layout.LineStep();
  tile->kind = PackKind(g.dtype, g.location, g.blayout, g.slayout) | (IsPacked(g.dtype) ? kKindPacked : 0);
  tile->valid = PackValid(valid_rows, valid_cols);
  tile->bytes = StorageBytes(g);
  for (int p = 0; p < kProfileCount; ++p) {
    const auto profile = static_cast<Profile>(p);
    if (!CheckGeometry(g, profile).broken) tile->legal |= Bit(profile);
  }
  return tile;
}

pto_tile* NewView(const pto_tile& tile, int32_t row, int32_t col, int32_t rows, int32_t cols) {
  Geometry g = tile.geometry;
  g.rows = rows;
  g.cols = cols;
  g.compact = Compact::kNull;
  pto_tile* view = NewTile(g, std::clamp(tile.ValidRows() - row, 0, rows), std::clamp(tile.ValidCols() - col, 0, cols));
  if (view == nullptr) return nullptr;
  // The steps are the tile's, not the steps of a tile as narrow as the view. The last
  // element is the farthest one in every layout.
  view->layout = tile.layout;
  view->line = tile.line;
  view->bytes = BytesOf(g.dtype, tile.layout.Offset(rows - 1, cols - 1) + 1);
  tile.storage->refs.Retain();
  view->SetStorage(tile.storage, tile.data + BytesOf(g.dtype, tile.layout.Offset(row, col)));
  return view;
}

pto_tile* NewReshape(const pto_tile& tile, const Geometry& g, int32_t valid_rows, int32_t valid_cols) {
  pto_tile* view = NewTile(g, valid_rows, valid_cols);
  if (view == nullptr) return nullptr;
  tile.storage->refs.Retain();
  view->SetStorage(tile.storage, tile.data);
  return view;
}

bool Dense(const pto_tile& tile) {
  const Geometry& g = tile.geometry;
  if (g.slayout == SLayout::kNoneBox) {
    const bool by_rows = g.blayout == BLayout::kRowMajor;
    return by_rows ? g.rows == 1 || tile.layout.row_step == g.cols : g.cols == 1 || tile.layout.col_step == g.rows;
  }
  int64_t count = 0;
  return tile.layout == LayoutOf(g, tile.ValidRows(), &count);
}

void SetValid(pto_tile* tile, int32_t rows, int32_t cols) {
  tile->version = NewVersion();
  tile->valid = PackValid(rows, cols);
  if (tile->geometry.compact != Compact::kNormal) return;
  int64_t count = 0;
  tile->layout = LayoutOf(tile->geometry, rows, &count);
  tile->line = tile->layout.LineStep();
}

void RetainTile(const pto_tile* tile) {
  if (tile != nullptr) const_cast<pto_tile*>(tile)->refs.Retain();
}

void ReleaseTile(pto_tile* tile) {
  if (tile == nullptr || !tile->refs.Release()) return;
  Storage::Release(tile->storage);
  g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  delete tile;
}

}  // namespace pto
