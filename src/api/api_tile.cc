// extern "C": tiles. Every field of a descriptor is looked at once, here.
#include <cstddef>
#include <cstring>

#include "src/api/api_abi.h"
#include "src/engine/packed.h"
#include "src/objects/on_chip.h"

using pto::Abi;
using pto::Geometry;
using pto::Rule;
using pto::Status;

namespace {

constexpr uint32_t kTileDescSize = sizeof(pto_tile_desc);
// The first version of the struct; later ones are longer.
constexpr uint32_t kFirstDescSize = 48;
static_assert(offsetof(pto_tile_desc, pad_bits) == kFirstDescSize);

struct Request {
  Geometry geometry;
  int32_t valid_rows = 0;
  int32_t valid_cols = 0;
  bool manual = false;
};

template <class E>
Status CheckEnum(pto_context* ctx, const char* call, Rule rule, const char* field, const E& value, int count) {
  if (pto::InEnum(value, count)) return Status::kOk;
  return ctx->error.Set(rule, call, field, "%s is %lld where 0 to %d are known", field,
                        static_cast<long long>(pto::RawEnum(value)), count - 1);
}

Status CheckValid(pto_context* ctx, const char* call, const char* field, int32_t* valid, int32_t extent) {
  if (*valid == PTO_VALID_ALL) *valid = extent;
  if (*valid == PTO_VALID_NONE) *valid = 0;
  if (*valid >= 0 && *valid <= extent) return Status::kOk;
  return ctx->error.Set(Rule::kValidRange, call, field, "%s is %d where the tile has %d", field, *valid, extent);
}

// First failure wins; each line returns kOk or has set the error.
#define PTO_TRY(call)                                         \
  do {                                                        \
    const Status pto_try_status = (call);                     \
    if (pto_try_status != Status::kOk) return pto_try_status; \
  } while (false)

Status CheckHalves(pto_context* ctx, const char* call, const Geometry& g) {
  const pto::HalfByte cut = pto::CutByTile(g);
  if (cut.field == nullptr) return Status::kOk;
  return ctx->error.Set(Rule::kHalfByte, call, cut.field, "%s is %lld where lines of %s, two a byte, follow each other",
                        cut.field, static_cast<long long>(cut.value), pto::Info(g.dtype).name);
}

Status Read(pto_context* ctx, const char* call, const pto_tile_desc* given, Request* out) {
  if (given == nullptr) return ctx->error.Set(Rule::kNull, call, "desc", "desc is NULL");
  if (given->struct_size != kTileDescSize && given->struct_size != kFirstDescSize) {
    return ctx->error.Set(Rule::kStructSize, call, "desc", "struct_size is %u where %u and %u are known",
                          given->struct_size, kFirstDescSize, kTileDescSize);
  }
  // Fields that an earlier version does not have are zero.
  pto_tile_desc whole{};
  std::memcpy(&whole, given, given->struct_size);
  const pto_tile_desc* const desc = &whole;
  PTO_TRY(CheckEnum(ctx, call, Rule::kDTypeKnown, "dtype", desc->dtype, pto::kDTypeCount));
  PTO_TRY(CheckEnum(ctx, call, Rule::kLocation, "location", desc->location, pto::kLocationCount));
  PTO_TRY(CheckEnum(ctx, call, Rule::kLayoutKnown, "blayout", desc->blayout, 2));
  PTO_TRY(CheckEnum(ctx, call, Rule::kLayoutKnown, "slayout", desc->slayout, 3));
  PTO_TRY(CheckEnum(ctx, call, Rule::kPad, "pad", desc->pad, PTO_PAD_CUSTOM + 1));
  PTO_TRY(CheckEnum(ctx, call, Rule::kCompact, "compact", desc->compact, PTO_COMPACT_ROW_ALIGNED_PADDING + 1));
  PTO_TRY(CheckEnum(ctx, call, Rule::kStorageKnown, "storage", desc->storage, 2));
  const int32_t fractal = desc->fractal == 0 ? 512 : desc->fractal;
  if (fractal != 512 && fractal != 1024 && fractal != 32) {
    return ctx->error.Set(Rule::kFractal, call, "fractal", "fractal is %d where 512, 1024 and 32 are known", fractal);
  }
  if (desc->rows < 1 || desc->cols < 1) {
    return ctx->error.Set(Rule::kTileShape, call, desc->rows < 1 ? "rows" : "cols",
                          "the tile has %d rows and %d columns", desc->rows, desc->cols);
  }
  Geometry& g = out->geometry;
  g.dtype = static_cast<pto::DType>(desc->dtype);
  g.location = static_cast<pto::Location>(desc->location);
  g.blayout = static_cast<pto::BLayout>(desc->blayout);
  g.slayout = static_cast<pto::SLayout>(desc->slayout);
  g.pad = static_cast<uint8_t>(desc->pad);
  g.pad_bits = desc->pad == PTO_PAD_CUSTOM ? desc->pad_bits : 0;
  g.compact = static_cast<pto::Compact>(desc->compact);
  g.fractal = fractal;
  g.rows = desc->rows;
  g.cols = desc->cols;
  // Whole boxes of 2^31 rows and columns are fewer than 2^63 elements: nothing overflows before the test.
  if (pto::StorageElements(g) > pto::kMaxTileBytes * 8 / pto::Info(g.dtype).bits) {
    return ctx->error.Set(Rule::kTileSize, call, "rows", "%d rows of %d columns of %s are more than %lld bytes", g.rows,
                          g.cols, pto::Info(g.dtype).name, static_cast<long long>(pto::kMaxTileBytes));
  }
  // As in every field, 0 is what was left out.
  out->valid_rows = desc->valid_rows == 0 ? PTO_VALID_ALL : desc->valid_rows;
  out->valid_cols = desc->valid_cols == 0 ? PTO_VALID_ALL : desc->valid_cols;
  out->manual = desc->storage == PTO_STORAGE_MANUAL;
  PTO_TRY(CheckHalves(ctx, call, g));
  PTO_TRY(CheckValid(ctx, call, "valid_rows", &out->valid_rows, g.rows));
  PTO_TRY(CheckValid(ctx, call, "valid_cols", &out->valid_cols, g.cols));
  const pto::GeometryFault fault = CheckGeometry(g, ctx->profile);
  if (!fault.broken) return Status::kOk;
  return RefuseGeometry(ctx->error, fault, g, ctx->profile, call, nullptr);
}

pto_tile* NewOrFail(pto_context* ctx, const char* call, const Request& request) {
  pto_tile* tile = pto::NewTile(request.geometry, request.valid_rows, request.valid_cols);
  if (tile == nullptr) ctx->error.Set(Rule::kMemory, call, "", "no memory for a tile handle");
  return tile;
}

pto_tile* Create(pto_context* ctx, const char* call, const pto_tile_desc* desc) {
  if (ctx == nullptr) return nullptr;
  Request request;
  if (Read(ctx, call, desc, &request) != Status::kOk) return nullptr;
  pto_tile* tile = NewOrFail(ctx, call, request);
  if (tile == nullptr || request.manual) return tile;
  pto::Storage* storage = pto::Storage::Allocate(tile->bytes);
  if (storage == nullptr) {
    ctx->error.Set(Rule::kMemory, call, "", "no memory for a tile of %lld bytes", static_cast<long long>(tile->bytes));
    pto::ReleaseTile(tile);
    return nullptr;
  }
  tile->SetStorage(storage, storage->data);
  return tile;
}

// A tile that others may share the storage of.
Status CheckSource(pto_context* ctx, const char* call, const pto_tile* tile) {
  if (ctx == nullptr) return Status::kNull;
  if (tile == nullptr) return ctx->error.Set(Rule::kNull, call, "tile", "tile is NULL");
  if (tile->data != nullptr) return Status::kOk;
  return ctx->error.Set(Rule::kStorage, call, "tile", "tile is a manual tile without an address");
}

// Both halves of a copy between a tile and packed data.
Status CheckCopy(pto_context* ctx, const char* call, const pto_tile* tile, const void* data, int64_t bytes) {
  if (ctx == nullptr) return Status::kNull;
  if (tile == nullptr) return ctx->error.Set(Rule::kNull, call, "tile", "tile is NULL");
  if (bytes != pto::DataBytes(*tile)) {
    return ctx->error.Set(Rule::kByteCount, call, "bytes", "%lld bytes where the %dx%d valid region of %s has %lld",
                          static_cast<long long>(bytes), tile->ValidRows(), tile->ValidCols(),
                          pto::Info(tile->dtype()).name, static_cast<long long>(pto::DataBytes(*tile)));
  }
  if (bytes == 0) return Status::kOk;
  if (data == nullptr) return ctx->error.Set(Rule::kNull, call, "data", "data is NULL");
  if (tile->data == nullptr) {
    return ctx->error.Set(Rule::kStorage, call, "tile", "tile is a manual tile without an address");
  }
  return Status::kOk;
}

Status NoScratch(pto_context* ctx, const char* call) {
  return ctx->error.Set(Rule::kMemory, call, "", "no memory for scratch");
}

Status Write(pto_context* ctx, const char* call, pto_tile* tile, const void* data, int64_t bytes) {
  const Status status = CheckCopy(ctx, call, tile, data, bytes);
  if (status != Status::kOk || bytes == 0) return status;
  return pto::WriteTile(ctx, data, *tile) ? Status::kOk : NoScratch(ctx, call);
}

Status Read(pto_context* ctx, const char* call, const pto_tile* tile, void* data, int64_t bytes) {
  const Status status = CheckCopy(ctx, call, tile, data, bytes);
  if (status != Status::kOk || bytes == 0) return status;
  return pto::ReadTile(ctx, *tile, data) ? Status::kOk : NoScratch(ctx, call);
}

// Whether a tile may be printed under the context's profile.
Status CheckPrinted(pto_context* ctx, const char* call, const pto_tile& src) {
  if (src.data == nullptr)
    return ctx->error.Set(Rule::kStorage, call, "src", "src is a manual tile without an address");
  const pto::Profile profile = ctx->profile;
  if (!pto::IsHardware(profile)) return Status::kOk;
  const pto::GeometryFault fault = CheckGeometry(src.geometry, profile);
  if (fault.broken) return RefuseGeometry(ctx->error, fault, src.geometry, profile, call, "src");
  const char* const who = pto::Info(profile).name;
  if ((pto::Bit(src.dtype()) & (pto::dtypes::kInts | pto::dtypes::kF16 | pto::dtypes::kF32)) == 0) {
    return ctx->error.Set(Rule::kDType, call, "src", "src holds %s, which %s does not print",
                          pto::Info(src.dtype()).name, who);
  }
  const pto::Location at = src.geometry.location;
  const bool good = at == pto::Location::kVec || at == pto::Location::kAcc ||
                    (at == pto::Location::kMat && pto::Info(profile).stores_mat);
  if (good) return Status::kOk;
  return ctx->error.Set(Rule::kLocationPrint, call, "src", "src lives in %s, where %s does not print",
                        pto::Info(at).name, who);
}

pto::DType TypeOf(const pto_tile* tile) { return tile == nullptr ? pto::DType::kI8 : tile->dtype(); }

}  // namespace

extern "C" {

pto_tile* pto_tile_create(pto_context* ctx, pto_dtype dtype, int32_t rows, int32_t cols) {
  pto_tile_desc desc{};
  desc.struct_size = kTileDescSize;
  std::memcpy(&desc.dtype, &dtype, sizeof dtype);  // any bits: see RawEnum()
  desc.rows = rows;
  desc.cols = cols;
  return Create(ctx, "pto_tile_create", &desc);
}

pto_tile* pto_tile_create_from(pto_context* ctx, const pto_tile_desc* desc) {
  return Create(ctx, "pto_tile_create_from", desc);
}

pto_tile* pto_tile_wrap(pto_context* ctx, const pto_tile_desc* desc, void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_tile_wrap";
  if (ctx == nullptr) return nullptr;
  Request request;
  if (Read(ctx, kCall, desc, &request) != Status::kOk) return nullptr;
  if (data == nullptr) {
    ctx->error.Set(Rule::kNull, kCall, "data", "data is NULL");
    return nullptr;
  }
  const int64_t need = pto::StorageBytes(request.geometry);
  const unsigned size = pto::Info(request.geometry.dtype).bytes;
  if (bytes < need) {
    ctx->error.Set(Rule::kWrapBytes, kCall, "bytes", "%lld bytes where the %dx%d tile of %s needs %lld",
                   static_cast<long long>(bytes), request.geometry.rows, request.geometry.cols,
                   pto::Info(request.geometry.dtype).name, static_cast<long long>(need));
    return nullptr;
  }
  if (reinterpret_cast<uintptr_t>(data) % size != 0) {
    ctx->error.Set(Rule::kDataAlignment, kCall, "data", "data at %p is not aligned to the %u bytes of %s", data, size,
                   pto::Info(request.geometry.dtype).name);
    return nullptr;
  }
  pto_tile* tile = NewOrFail(ctx, kCall, request);
  if (tile == nullptr) return nullptr;
  pto::Storage* storage = pto::Storage::Wrap(data, bytes);
  if (storage == nullptr) {
    ctx->error.Set(Rule::kMemory, kCall, "", "no memory for a tile handle");
    pto::ReleaseTile(tile);
    return nullptr;
  }
  tile->SetStorage(storage, storage->data);
  return tile;
}

pto_tile* pto_tile_view(pto_context* ctx, pto_tile* tile, int32_t row, int32_t col, int32_t rows, int32_t cols) {
  static constexpr char kCall[] = "pto_tile_view";
  if (CheckSource(ctx, kCall, tile) != Status::kOk) return nullptr;
  const Geometry& g = tile->geometry;
  const int32_t stored = tile->StoredRows();
  const bool inside = row >= 0 && rows >= 1 && row <= stored - rows && col >= 0 && cols >= 1 && col <= g.cols - cols;
  if (!inside) {
    const bool by_row = row < 0 || rows < 1 || row > stored - rows;
    const char* const word = by_row ? "row" : "column";
    const int32_t count = by_row ? rows : cols;
    if (count < 1) {
      ctx->error.Set(Rule::kViewRange, kCall, by_row ? "rows" : "cols", "a view has 1 %s or more, not %d", word, count);
    } else {
      ctx->error.Set(Rule::kViewRange, kCall, by_row ? "rows" : "cols",
                     "%s %d + %d %ss is outside the %d %ss of the tile", word, by_row ? row : col, count, word,
                     by_row ? stored : g.cols, word);
    }
    return nullptr;
  }
  if (tile->layout.Boxed()) {
    const int32_t box_rows = tile->layout.box_rows;
    const int32_t box_cols = tile->layout.box_cols;
    const bool whole_rows = row % box_rows == 0 && (rows % box_rows == 0 || row + rows == stored);
    const bool whole_cols = col % box_cols == 0 && (cols % box_cols == 0 || col + cols == g.cols);
    if (!whole_rows || !whole_cols) {
      ctx->error.Set(Rule::kViewBox, kCall, whole_rows ? "cols" : "rows",
                     "%dx%d elements at row %d and column %d cut boxes of %dx%d", rows, cols, row, col, box_rows,
                     box_cols);
      return nullptr;
    }
  } else {
    // Lines of the view begin and end at whole bytes of the tile's lines.
    Geometry part = g;
    part.rows = rows;
    part.cols = cols;
    if (CheckHalves(ctx, kCall, part) != Status::kOk) return nullptr;
    const bool by_rows = g.blayout == pto::BLayout::kRowMajor;
    part.rows = row;
    part.cols = col;
    if (pto::CutByTile(part).field != nullptr) {
      ctx->error.Set(Rule::kHalfByte, kCall, by_rows ? "col" : "row", "%s is %d, in the middle of a byte of %s",
                     by_rows ? "col" : "row", by_rows ? col : row, pto::Info(g.dtype).name);
      return nullptr;
    }
  }
  pto_tile* view = pto::NewView(*tile, row, col, rows, cols);
  if (view == nullptr) ctx->error.Set(Rule::kMemory, kCall, "", "no memory for a tile handle");
  return view;
}

pto_tile* pto_tile_reshape(pto_context* ctx, pto_tile* tile, const pto_tile_desc* desc) {
  static constexpr char kCall[] = "pto_tile_reshape";
  if (CheckSource(ctx, kCall, tile) != Status::kOk) return nullptr;
  Request request;
  if (Read(ctx, kCall, desc, &request) != Status::kOk) return nullptr;
  const Geometry& g = request.geometry;
  if (!pto::Dense(*tile)) {
    ctx->error.Set(Rule::kReshapeDense, kCall, "tile", "tile is a %dx%d view with gaps between its lines",
                   tile->geometry.rows, tile->geometry.cols);
    return nullptr;
  }
  const bool boxed = g.slayout != pto::SLayout::kNoneBox;
  if (g.location != tile->geometry.location || boxed != tile->layout.Boxed()) {
    ctx->error.Set(Rule::kReshapeBoxes, kCall, "desc", "%s tile in %s where tile is %s in %s",
                   boxed ? "a boxed" : "an unboxed", pto::Info(g.location).name,
                   tile->layout.Boxed() ? "boxed" : "unboxed", pto::Info(tile->geometry.location).name);
    return nullptr;
  }
  const int64_t need = pto::StorageBytes(g);
  if (need > tile->bytes) {
    ctx->error.Set(Rule::kReshapeBytes, kCall, "desc", "the %dx%d tile of %s needs %lld bytes where tile has %lld",
                   g.rows, g.cols, pto::Info(g.dtype).name, static_cast<long long>(need),
                   static_cast<long long>(tile->bytes));
    return nullptr;
  }
  if (reinterpret_cast<uintptr_t>(tile->data) % pto::Info(g.dtype).bytes != 0) {
    ctx->error.Set(Rule::kDataAlignment, kCall, "tile", "tile at %p is not aligned to the %d bytes of %s",
                   static_cast<void*>(tile->data), pto::Info(g.dtype).bytes, pto::Info(g.dtype).name);
    return nullptr;
  }
  pto_tile* view = pto::NewReshape(*tile, g, request.valid_rows, request.valid_cols);
  if (view == nullptr) ctx->error.Set(Rule::kMemory, kCall, "", "no memory for a tile handle");
  return view;
}

pto_tile* pto_tile_retain(pto_tile* tile) {
  pto::RetainTile(tile);
  return tile;
}

void pto_tile_release(pto_tile* tile) { pto::ReleaseTile(tile); }

pto_status pto_tile_set_valid(pto_context* ctx, pto_tile* tile, int32_t valid_rows, int32_t valid_cols) {
  static constexpr char kCall[] = "pto_tile_set_valid";
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (tile == nullptr) return Abi(ctx->error.Set(Rule::kNull, kCall, "tile", "tile is NULL"));
  Status status = CheckValid(ctx, kCall, "valid_rows", &valid_rows, tile->geometry.rows);
  if (status == Status::kOk) status = CheckValid(ctx, kCall, "valid_cols", &valid_cols, tile->geometry.cols);
  if (status == Status::kOk) pto::SetValid(tile, valid_rows, valid_cols);
  return Abi(status);
}

pto_status pto_tile_write(pto_context* ctx, pto_tile* tile, const void* data, int64_t bytes) {
  return Abi(Write(ctx, "pto_tile_write", tile, data, bytes));
}

pto_status pto_tile_read(pto_context* ctx, const pto_tile* tile, void* data, int64_t bytes) {
  return Abi(Read(ctx, "pto_tile_read", tile, data, bytes));
}

pto_status pto_tile_write_as(pto_context* ctx, pto_tile* tile, pto_dtype dtype, const void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_tile_write_as";
  const Status status = CheckElement(ctx, kCall, "tile", tile, TypeOf(tile), dtype);
  return Abi(status == Status::kOk ? Write(ctx, kCall, tile, data, bytes) : status);
}

pto_status pto_tile_read_as(pto_context* ctx, const pto_tile* tile, pto_dtype dtype, void* data, int64_t bytes) {
  static constexpr char kCall[] = "pto_tile_read_as";
  const Status status = CheckElement(ctx, kCall, "tile", tile, TypeOf(tile), dtype);
  return Abi(status == Status::kOk ? Read(ctx, kCall, tile, data, bytes) : status);
}

pto_status pto_tassign(pto_context* ctx, pto_tile* tile, int64_t address) {
  static constexpr char kCall[] = "tassign";
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (tile == nullptr) return Abi(ctx->error.Set(Rule::kNull, kCall, "tile", "tile is NULL"));
  if (!pto::MayLieAt(ctx, tile, address)) return Abi(ctx->error.status);
  const pto::Location location = tile->geometry.location;
  bool no_space = false;
  pto::Storage* memory = pto::OnChip(ctx, location, &no_space);
  if (memory == nullptr && !no_space) return Abi(ctx->error.Set(Rule::kMemory, kCall, "", "no memory for a handle"));
  if (memory == nullptr) {
    return Abi(ctx->error.Set(Rule::kOnChipMemory, kCall, "",
                              "there is no address space for the %lld bytes of memory that %s may have",
                              static_cast<long long>(ctx->Capacity(location)), pto::Info(location).name));
  }
  memory->refs.Retain();
  tile->SetStorage(memory, memory->data + address);
  return PTO_OK;
}

pto_status pto_tprint(pto_context* ctx, const pto_tile* src, pto_print_format format) {
  static constexpr char kCall[] = "tprint";
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (src == nullptr) return Abi(ctx->error.Set(Rule::kNull, kCall, "src", "src is NULL"));
  Status status = CheckEnum(ctx, kCall, Rule::kMode, "format", format, pto::kPrintFormatCount);
  if (status == Status::kOk) status = CheckPrinted(ctx, kCall, *src);
  if (status != Status::kOk) return Abi(status);
  pto_tile unpacked;
  src = pto::Unpacked(ctx, *src, &unpacked);
  if (src == nullptr) return Abi(NoScratch(ctx, kCall));
  if (!pto::PrintTile(ctx, *src, static_cast<pto::PrintFormat>(format))) {
    return Abi(ctx->error.Set(Rule::kMemory, kCall, "", "no memory for the text of a tile"));
  }
  return PTO_OK;
}

void* pto_tile_data(pto_tile* tile) { return tile == nullptr ? nullptr : tile->data; }

int64_t pto_tile_bytes(const pto_tile* tile) { return tile == nullptr ? 0 : tile->bytes; }

int64_t pto_tile_valid_bytes(const pto_tile* tile) { return tile == nullptr ? 0 : pto::DataBytes(*tile); }

pto_dtype pto_tile_dtype(const pto_tile* tile) {
  return tile == nullptr ? PTO_DTYPE_I8 : static_cast<pto_dtype>(tile->geometry.dtype);
}

int32_t pto_tile_rows(const pto_tile* tile) { return tile == nullptr ? 0 : tile->geometry.rows; }

int32_t pto_tile_cols(const pto_tile* tile) { return tile == nullptr ? 0 : tile->geometry.cols; }

int32_t pto_tile_valid_rows(const pto_tile* tile) { return tile == nullptr ? 0 : tile->ValidRows(); }

int32_t pto_tile_valid_cols(const pto_tile* tile) { return tile == nullptr ? 0 : tile->ValidCols(); }

pto_location pto_tile_location(const pto_tile* tile) {
  return tile == nullptr ? PTO_LOCATION_VEC : static_cast<pto_location>(tile->geometry.location);
}

pto_blayout pto_tile_blayout(const pto_tile* tile) {
  return tile == nullptr ? PTO_BLAYOUT_ROW_MAJOR : static_cast<pto_blayout>(tile->geometry.blayout);
}

pto_slayout pto_tile_slayout(const pto_tile* tile) {
  return tile == nullptr ? PTO_SLAYOUT_NONE_BOX : static_cast<pto_slayout>(tile->geometry.slayout);
}

int32_t pto_tile_fractal(const pto_tile* tile) { return tile == nullptr ? 0 : tile->geometry.fractal; }

int64_t pto_tile_stride(const pto_tile* tile) {
  if (tile == nullptr) return 0;
  const pto::Layout& layout = tile->layout;
  const bool rows = tile->geometry.blayout == pto::BLayout::kRowMajor;
  const int64_t elements = !layout.Boxed() ? layout.LineStep() : rows ? layout.row_box : layout.col_box;
  return pto::BytesOf(tile->dtype(), elements);
}

pto_pad pto_tile_pad(const pto_tile* tile) {
  return tile == nullptr ? PTO_PAD_NULL : static_cast<pto_pad>(tile->geometry.pad);
}

uint32_t pto_tile_pad_bits(const pto_tile* tile) { return tile == nullptr ? 0 : tile->geometry.pad_bits; }

pto_compact pto_tile_compact(const pto_tile* tile) {
  return tile == nullptr ? PTO_COMPACT_NULL : static_cast<pto_compact>(tile->geometry.compact);
}

}  // extern "C"
