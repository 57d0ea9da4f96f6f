// libFuzzer target: the bytes are a sequence of calls of the C API, right and wrong
// ones, and a model foretells each answer and every byte of every tile's memory, of
// what views, windows and on-chip addresses share, and of the caller's own memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "include/pto_c.h"
#include "tests/common/layouts.c"  // where elements lie, independently of src/objects
#include "tests/fuzz/api_groups.h"
#include "tests/fuzz/api_model.h"

namespace {

using api::BytesOf;
using api::Dice;
using api::GetBits;
using api::IsPacked;
using api::Memory;
using api::SetBits;
using api::Tile;

constexpr int kSlots = 6;
constexpr int64_t kArena = 1 << 13;     // the caller's memory
constexpr int64_t kOnChip = 256 << 10;  // vector memory: its limit
constexpr pto_dtype kDTypes[] = {PTO_DTYPE_I8,   PTO_DTYPE_U8,   PTO_DTYPE_I16,  PTO_DTYPE_U16,  PTO_DTYPE_I32,
                                 PTO_DTYPE_U32,  PTO_DTYPE_I64,  PTO_DTYPE_U64,  PTO_DTYPE_F16,  PTO_DTYPE_BF16,
                                 PTO_DTYPE_F32,  PTO_DTYPE_E4M3, PTO_DTYPE_E5M2, PTO_DTYPE_HIF8, PTO_DTYPE_E8M0,
                                 PTO_DTYPE_E2M1, PTO_DTYPE_E1M2, PTO_DTYPE_I4};
bool IsSigned(pto_dtype dtype) { return dtype == PTO_DTYPE_I8 || dtype == PTO_DTYPE_I16 || dtype == PTO_DTYPE_I32; }
bool Computes(pto_dtype dtype) { return dtype <= PTO_DTYPE_U32; }

class World {
 public:
  World(const uint8_t* data, size_t size) : dice_(data, size), handles_(pto_live_handles()) {
    ctx_ = pto_context_create(PTO_PROFILE_CPU);
    pto_context_limit_on_chip(ctx_, kOnChip);
    arena_.resize(kArena / 8);
    user_ = std::make_shared<Memory>(
        Memory{std::vector<uint8_t>(kArena, 0), reinterpret_cast<const uint8_t*>(arena_.data())});
    chip_ = std::make_shared<Memory>(Memory{std::vector<uint8_t>(kOnChip, 0), nullptr});
  }

  void Run() {
    for (calls_ = 0; !dice_.Empty() && calls_ < 400; ++calls_) {
      Step();
      Compare();
    }
    for (Tile& tile : tiles_) {
      while (tile.handle != nullptr) Release(&tile);
    }
    pto_context_release(ctx_);
    if (pto_live_handles() != handles_) api::Broken("handles are left", calls_);
  }

 private:
  void Require(bool good, const char* what) const {
    if (!good) api::Broken(what, calls_);
  }
  // The call fails by this rule, and reports it.
  void Refused(bool failed, const char* rule) const {
    if (!failed || std::strcmp(pto_context_error_rule(ctx_), rule) != 0) {
      std::fprintf(stderr, "%s where %s was foretold: %s\n", failed ? pto_context_error_rule(ctx_) : "no error", rule,
                   pto_context_error_message(ctx_));
      api::Broken("another rule", calls_);
    }
  }
  // OK when there is no rule to break.
  void Answer(pto_status status, const char* rule) const {
    if (rule != nullptr) return Refused(status != PTO_OK, rule);
    if (status != PTO_OK) api::Broken(pto_context_error_message(ctx_), calls_);
  }

  Tile& Any() { return tiles_[dice_.Below(kSlots)]; }
  Tile* Live() {
    Tile& tile = Any();
    return tile.handle == nullptr ? nullptr : &tile;
  }
  // One of the same type and valid region as often as not.
  Tile* Like(const Tile& model) {
    const uint32_t start = dice_.Below(kSlots);
    for (uint32_t i = 0; i < kSlots; ++i) {
      Tile& tile = tiles_[(start + i) % kSlots];
      if (tile.handle != nullptr && tile.dtype == model.dtype && tile.valid_rows == model.valid_rows &&
          tile.valid_cols == model.valid_cols && tile.memory != nullptr) {
        return &tile;
      }
    }
    return Live();
  }

  void Release(Tile* tile) {
    pto_tile_release(tile->handle);
    if (--tile->references == 0) *tile = Tile();
  }

  void Step() {
    switch (dice_.Below(16)) {
      case 0:
      case 1:
        return Create();
      case 2:
        return View();
      case 3:
        return Reshape();
      case 4:
        if (Tile* tile = Live()) Release(tile);
        return;
      case 5:
        if (Tile* tile = Live()) {
          Require(pto_tile_retain(tile->handle) == tile->handle, "retain returns the handle");
          ++tile->references;
        }
        return;
      case 6:
        return SetValid();
      case 7:
        return Write();
      case 8:
        return Read();
      case 9:
        return Assign();
      case 10:
        return Move();
      case 11:
        return Compute();
      case 12:
        return api::Groups(ctx_, &dice_, calls_).Product();
      case 13:
        return api::Groups(ctx_, &dice_, calls_).Quantise();
      case 14:
        return api::Groups(ctx_, &dice_, calls_).Dequantise();
      default:
        return Transfer();
    }
  }

  void Create() {
    Tile& tile = Any();
    if (tile.handle != nullptr) return;
    tile.dtype = kDTypes[dice_.Below(std::size(kDTypes))];
    const uint32_t layout = dice_.Below(k_layout_usual);
    tile.rows = static_cast<int32_t>(1 + dice_.Below(40));
    tile.cols = static_cast<int32_t>(1 + dice_.Below(70));
    tile.boxed = layout >= 2;
    tile.by_rows = layout != 1;
    // Lines that end inside of a byte.
    int32_t& line = tile.by_rows ? tile.cols : tile.rows;
    const bool cut = IsPacked(tile.dtype) && !tile.boxed && line % 2 != 0 && dice_.Below(4) == 0;
    if (IsPacked(tile.dtype) && !cut) line += line % 2;
    pto_tile_desc desc = layout_desc(&k_layouts[layout], tile.dtype, tile.rows, tile.cols);
    tile.map.resize(static_cast<size_t>(tile.rows) * static_cast<size_t>(tile.cols));
    const int64_t bytes = BytesOf(tile.dtype, layout_map(&desc, tile.map.data()));
    tile.valid_rows = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(tile.rows) + 1));
    tile.valid_cols = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(tile.cols) + 1));
    desc.valid_rows = tile.valid_rows;
    desc.valid_cols = tile.valid_cols;
    desc = layout_asked(&desc);
    const char* rule = nullptr;
    switch (cut ? 8 : dice_.Below(8)) {
      case 8:
        rule = "half-byte";
        break;
      case 0:  // one wrong field
        tile.rows = desc.rows = 0;
        rule = "tile-shape";
        break;
      case 1:
        desc.valid_cols = tile.cols + 1;
        rule = "valid-range";
        break;
      case 2:
      case 3: {
        const int64_t offset = dice_.Below(64) * 8;
        const int64_t room = kArena - offset - (dice_.Below(8) == 0 ? bytes : 0);
        if (room < bytes) rule = "wrap-bytes";
        tile.handle = pto_tile_wrap(ctx_, &desc, reinterpret_cast<uint8_t*>(arena_.data()) + offset, room);
        tile.memory = user_;
        tile.first = offset;
        break;
      }
      case 4:
      case 5:
        desc.storage = PTO_STORAGE_MANUAL;
        tile.manual = true;
        tile.handle = pto_tile_create_from(ctx_, &desc);
        break;
      default:
        tile.handle = pto_tile_create_from(ctx_, &desc);
        tile.memory = std::make_shared<Memory>();
        tile.memory->want.resize(static_cast<size_t>(bytes));
        tile.memory->real = static_cast<const uint8_t*>(pto_tile_data(tile.handle));
    }
    if (rule != nullptr) {
      if (tile.handle == nullptr && tile.memory == nullptr) tile.handle = pto_tile_create_from(ctx_, &desc);
      Refused(tile.handle == nullptr, rule);
      tile = Tile();
      return;
    }
    Require(tile.handle != nullptr, "a tile is made");
    Require(pto_tile_bytes(tile.handle) == bytes, "its storage has the size");
  }

  void View() {
    Tile* of = Live();
    Tile& view = Any();
    if (of == nullptr || view.handle != nullptr || of->boxed) return;
    const auto row = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(of->rows)));
    const auto col = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(of->cols)));
    const auto rows = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(of->rows) + 1));
    const auto cols = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(of->cols) + 1));
    pto_tile* made = pto_tile_view(ctx_, of->handle, row, col, rows, cols);
    if (of->memory == nullptr) return Refused(made == nullptr, "storage");
    if (rows < 1 || cols < 1 || row + rows > of->rows || col + cols > of->cols)
      return Refused(made == nullptr, "view-range");
    if (IsPacked(of->dtype) && (of->by_rows ? col | cols : row | rows) % 2 != 0)
      return Refused(made == nullptr, "half-byte");
    Require(made != nullptr, "a view is made");
    const Tile& root = *of;
    view.handle = made;
    view.memory = root.memory;
    view.first = root.first + root.Place(row, col) * root.Bits() / 8;
    view.dtype = root.dtype;
    view.by_rows = root.by_rows;
    view.rows = rows;
    view.cols = cols;
    view.valid_rows = std::max(0, std::min(rows, root.valid_rows - row));
    view.valid_cols = std::max(0, std::min(cols, root.valid_cols - col));
    // A view is valid where the tile is; without rows it keeps its columns, without columns its rows.
    view.manual = false;
    view.map.resize(static_cast<size_t>(rows) * static_cast<size_t>(cols));
    const int64_t base = root.map[static_cast<size_t>(row * root.cols + col)];
    for (int32_t r = 0; r < rows; ++r) {
      for (int32_t c = 0; c < cols; ++c) {
        view.map[static_cast<size_t>(r * cols + c)] =
            root.map[static_cast<size_t>((row + r) * root.cols + col + c)] - base;
      }
    }
    Require(pto_tile_valid_rows(made) == view.valid_rows && pto_tile_valid_cols(made) == view.valid_cols,
            "a view is valid where its tile is");
  }

  // The same bytes as one row of another type.
  void Reshape() {
    Tile* of = Live();
    Tile& other = Any();
    if (of == nullptr || other.handle != nullptr || of->memory == nullptr) return;
    const pto_dtype dtype = kDTypes[dice_.Below(std::size(kDTypes))];
    const int64_t bytes = pto_tile_bytes(of->handle);
    const int64_t size = pto_dtype_bytes(dtype);
    const bool dense = of->first % size == 0 && bytes == BytesOf(of->dtype, int64_t{of->rows} * of->cols) && !of->boxed;
    if (!dense || bytes % size != 0) return;
    const int64_t count = bytes * 8 / pto_dtype_bits(dtype);
    pto_tile_desc desc = layout_desc(&k_layouts[0], dtype, 1, static_cast<int32_t>(count));
    Tile made;
    made.handle = pto_tile_reshape(ctx_, of->handle, &desc);
    Require(made.handle != nullptr, pto_context_error_message(ctx_));
    made.memory = of->memory;
    made.first = of->first;
    made.dtype = dtype;
    made.rows = made.valid_rows = 1;
    made.cols = made.valid_cols = desc.cols;
    for (int64_t c = 0; c < desc.cols; ++c) made.map.push_back(c);
    other = std::move(made);
  }

  void SetValid() {
    Tile* tile = Live();
    if (tile == nullptr) return;
    const auto rows = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(tile->rows) + 3)) - 1;
    const auto cols = static_cast<int32_t>(dice_.Below(static_cast<uint32_t>(tile->cols) + 3)) - 1;
    const bool good = rows <= tile->rows && cols <= tile->cols;  // -1 is PTO_VALID_ALL
    Answer(pto_tile_set_valid(ctx_, tile->handle, rows, cols), good ? nullptr : "valid-range");
    if (!good) return;
    tile->valid_rows = rows < 0 ? tile->rows : rows;
    tile->valid_cols = cols < 0 ? tile->cols : cols;
  }

  // The rule that a copy of `bytes` breaks.
  static const char* CopyRule(const Tile& tile, int64_t bytes) {
    if (bytes != tile.ValidBytes()) return "byte-count";
    return tile.memory == nullptr && bytes != 0 ? "storage" : nullptr;
  }

  void Write() {
    Tile* tile = Live();
    if (tile == nullptr) return;
    const int64_t bytes = tile->ValidBytes() + (dice_.Below(8) == 0 ? static_cast<int64_t>(dice_.Below(3)) - 1 : 0);
    if (bytes < 0) return;
    std::vector<uint8_t> packed(static_cast<size_t>(bytes) + 1);
    uint32_t seed = dice_.Below(1 << 16);
    for (uint8_t& byte : packed) byte = static_cast<uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
    const char* rule = CopyRule(*tile, bytes);
    Answer(pto_tile_write(ctx_, tile->handle, packed.data(), bytes), rule);
    if (rule != nullptr) return;
    for (int32_t r = 0; r < tile->valid_rows; ++r) {
      for (int32_t c = 0; c < tile->valid_cols; ++c) {
        tile->Set(r, c, GetBits(packed.data() + r * tile->LineBytes(), c, tile->Bits()));
      }
    }
  }

  void Read() {
    Tile* tile = Live();
    if (tile == nullptr) return;
    const int64_t bytes = tile->ValidBytes() + (dice_.Below(8) == 0 ? 1 : 0);
    std::vector<uint8_t> packed(static_cast<size_t>(bytes) + 1, 0xA5);
    const char* rule = CopyRule(*tile, bytes);
    Answer(pto_tile_read(ctx_, tile->handle, packed.data(), bytes), rule);
    std::vector<uint8_t> want(packed.size(), 0xA5);
    for (int32_t r = 0; rule == nullptr && r < tile->valid_rows; ++r) {
      uint8_t* const line = want.data() + r * tile->LineBytes();
      if (tile->valid_cols % 2 != 0 && IsPacked(tile->dtype)) line[tile->valid_cols / 2] = 0;
      for (int32_t c = 0; c < tile->valid_cols; ++c) SetBits(line, c, tile->Bits(), tile->Get(r, c));
    }
    Require(packed == want, "what is read");
  }

  void Assign() {
    Tile* tile = Live();
    if (tile == nullptr || !tile->manual) return;
    const int64_t bytes = pto_tile_bytes(tile->handle);
    int64_t address = int64_t{dice_.Below(128)} * 32;
    const char* rule = nullptr;
    const uint32_t way = dice_.Below(8);
    if (way == 0) address += 1 + static_cast<int64_t>(dice_.Below(31)), rule = "address-alignment";
    if (way == 1)
      address = kOnChip - (bytes - 1) / 32 * 32, rule = address + bytes > kOnChip ? "address-range" : nullptr;
    Answer(pto_tassign(ctx_, tile->handle, address), rule);
    if (rule != nullptr) return;
    tile->memory = chip_;
    tile->first = address;
    chip_->real = static_cast<const uint8_t*>(pto_tile_data(tile->handle)) - address;
  }

  // The elements of a source in the valid region of dst, row by row.
  static std::vector<uint64_t> Elements(const Tile& src, const Tile& dst) {
    std::vector<uint64_t> words;
    for (int32_t r = 0; r < dst.valid_rows; ++r) {
      for (int32_t c = 0; c < dst.valid_cols; ++c) words.push_back(src.Get(r, c));
    }
    return words;
  }
  static void Store(const Tile& tile, const std::vector<uint64_t>& words) {
    size_t i = 0;
    for (int32_t r = 0; r < tile.valid_rows; ++r) {
      for (int32_t c = 0; c < tile.valid_cols; ++c) tile.Set(r, c, words[i++]);
    }
  }
  // The conditions of every instruction on tiles, where the rule is known beyond doubt.
  static bool Fit(const Tile& dst, const Tile& src) {
    return dst.memory != nullptr && src.memory != nullptr && dst.dtype == src.dtype &&
           dst.valid_rows <= src.valid_rows && dst.valid_cols <= src.valid_cols;
  }
  static bool Equal(const Tile& dst, const Tile& src) {
    return Fit(dst, src) && dst.valid_rows == src.valid_rows && dst.valid_cols == src.valid_cols;
  }

  void Move() {
    Tile* dst = Live();
    Tile* src = dst == nullptr ? nullptr : Like(*dst);
    if (src == nullptr) return;
    const pto_status status = pto_tmov(ctx_, dst->handle, src->handle, 0);
    if (!Fit(*dst, *src)) return Require(status != PTO_OK, "tiles that do not fit are refused");
    Answer(status, nullptr);
    Store(*dst, Elements(*src, *dst));
  }

  void Compute() {
    Tile* dst = Live();
    Tile* a = dst == nullptr ? nullptr : Like(*dst);
    Tile* b = a == nullptr ? nullptr : Like(*dst);
    if (b == nullptr) return;
    const bool adds = dice_.Below(2) == 0;
    if (adds && !(Equal(*dst, *a) && Equal(*dst, *b))) return;  // a smaller source may be right
    const pto_status status = adds ? pto_tpartadd(ctx_, dst->handle, a->handle, b->handle, 0)
                                   : pto_tprelu(ctx_, dst->handle, a->handle, b->handle, nullptr, 0);
    const bool wide = dst->dtype == PTO_DTYPE_I64 || dst->dtype == PTO_DTYPE_U64;
    const bool stored = dst->dtype > PTO_DTYPE_F32 || (wide && !adds);
    if (!Fit(*dst, *a) || !Fit(*dst, *b) || stored)
      return Require(status != PTO_OK, "tiles that do not fit are refused");
    Answer(status, nullptr);
    if (!Computes(dst->dtype)) {  // floats: the bits are judged by other tests, what lies around them here
      Copy(*dst);
      return;
    }
    const std::vector<uint64_t> x = Elements(*a, *dst);
    const std::vector<uint64_t> y = Elements(*b, *dst);
    std::vector<uint64_t> result;
    for (size_t i = 0; i < x.size(); ++i) {
      const bool negative = IsSigned(dst->dtype) && (x[i] >> (dst->Bits() - 1)) != 0;
      const bool positive = x[i] != 0 && !negative;
      result.push_back(adds ? x[i] + y[i] : positive ? x[i] : x[i] * y[i]);
    }
    Store(*dst, result);
  }

  // Takes over the valid region as it is.
  static void Copy(const Tile& tile) {
    for (int32_t r = 0; r < tile.valid_rows; ++r) {
      for (int32_t c = 0; c < tile.valid_cols; ++c) {
        tile.Set(r, c, GetBits(tile.memory->real + tile.first, tile.Place(r, c), tile.Bits()));
      }
    }
  }

  // A window of the caller's memory, with gaps between its rows, to or from a tile.
  void Transfer() {
    Tile* tile = Live();
    if (tile == nullptr || tile->memory == nullptr || tile->memory == user_ || tile->ValidBytes() == 0) return;
    pto_tensor_desc desc{};
    desc.struct_size = sizeof desc;
    desc.dtype = tile->dtype;
    desc.rank = 2;
    desc.strided = 1;
    desc.dim0 = tile->valid_rows;
    desc.dim1 = tile->valid_cols;
    desc.stride1 = 1;
    desc.stride0 = desc.dim1 + dice_.Below(4);
    const int64_t offset = dice_.Below(64) * 8;
    const int64_t need = BytesOf(tile->dtype, (desc.dim0 - 1) * desc.stride0 + desc.dim1);
    // A column may be what has neighbours.
    const int64_t line = desc.dim0 != 1 && desc.stride0 == 1 ? desc.dim0 : desc.dim1;
    const bool lines = desc.dim0 != 1 && desc.stride0 != 1;
    const bool cut = IsPacked(tile->dtype) && (line % 2 != 0 || (lines && desc.stride0 % 2 != 0));
    const bool load = dice_.Below(2) == 0;
    pto_tensor* tensor =
        pto_tensor_wrap(ctx_, &desc, reinterpret_cast<uint8_t*>(arena_.data()) + offset, kArena - offset);
    if (cut) return Refused(tensor == nullptr, "half-byte");
    if (need > kArena - offset) return Require(tensor == nullptr, "a tensor needs its memory");
    Require(tensor != nullptr, pto_context_error_message(ctx_));
    Answer(load ? pto_tload(ctx_, tile->handle, tensor, 0) : pto_tstore(ctx_, tensor, tile->handle, 0), nullptr);
    pto_tensor_release(tensor);
    for (int32_t r = 0; r < tile->rows; ++r) {
      for (int32_t c = 0; c < tile->cols; ++c) {
        if (r >= tile->valid_rows || c >= tile->valid_cols) {
          if (load) tile->Set(r, c, 0);  // the pad value
          continue;
        }
        uint8_t* const outside = user_->want.data() + offset;
        const int64_t place = r * desc.stride0 + c;
        if (load) {
          tile->Set(r, c, GetBits(outside, place, tile->Bits()));
        } else {
          SetBits(outside, place, tile->Bits(), tile->Get(r, c));
        }
      }
    }
  }

  void Compare() const {
    const auto same = [&](const Memory& memory) {
      return memory.real == nullptr || std::memcmp(memory.real, memory.want.data(), memory.want.size()) == 0;
    };
    Require(same(*user_), "the caller's memory");
    Require(same(*chip_), "on-chip memory");
    int live = 0;
    for (const Tile& tile : tiles_) {
      if (tile.handle == nullptr) continue;
      ++live;
      if (tile.memory != nullptr) Require(same(*tile.memory), "a tile's memory");
      Require(pto_tile_valid_rows(tile.handle) == tile.valid_rows &&
                  pto_tile_valid_cols(tile.handle) == tile.valid_cols && pto_tile_dtype(tile.handle) == tile.dtype &&
                  pto_tile_rows(tile.handle) == tile.rows && pto_tile_cols(tile.handle) == tile.cols &&
                  pto_tile_valid_bytes(tile.handle) == tile.ValidBytes(),
              "what a tile returns");
      Require((pto_tile_data(tile.handle) == nullptr) == (tile.memory == nullptr), "a tile has storage or not");
    }
    Require(pto_live_handles() == handles_ + 1 + live, "the count of handles");
  }

  Dice dice_;
  int64_t handles_;
  int calls_ = 0;
  pto_context* ctx_;
  std::vector<uint64_t> arena_;
  std::shared_ptr<Memory> user_;
  std::shared_ptr<Memory> chip_;
  Tile tiles_[kSlots];
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  World(data, size).Run();
  return 0;
}
