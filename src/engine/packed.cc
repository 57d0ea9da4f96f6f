#include "src/engine/packed.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "src/engine/rearrange.h"

namespace pto {

namespace {

int64_t Even(int64_t count) { return RoundUp(count, 2); }
int32_t EvenBefore(int32_t at) { return at & ~1; }

// Element `at` of what begins at `packed`.
uint8_t Code(const uint8_t* packed, int64_t at) { return (packed[at / 2] >> (at % 2 * 4)) & 15; }
void SetCode(uint8_t* packed, int64_t at, uint8_t code) {
  uint8_t& both = packed[at / 2];
  const int shift = static_cast<int>(at % 2 * 4);
  both = static_cast<uint8_t>((both & ~(15 << shift)) | (code & 15) << shift);
}

// A rectangle of a tile.
struct PackedPart {
  int32_t row;
  int32_t col;
  int32_t rows;
  int32_t cols;
};

PackedPart WholeOf(const pto_tile& tile) { return {0, 0, tile.StoredRows(), tile.geometry.cols}; }
PackedPart ValidOf(const pto_tile& tile) { return {0, 0, tile.ValidRows(), tile.ValidCols()}; }

// visit(element, elements) for the lines of a part of a tile, in whole bytes; two lines that follow each other are one.
// Lines of the tile begin and end with a byte: boxes are whole in storage.
template <class Visit>
void ForEachLine(const pto_tile& tile, const PackedPart& part, Visit visit) {
  const Layout& layout = tile.layout;
  const bool by_rows = layout.RowsContiguous();
  ForEachPanel(layout, by_rows ? part.row : EvenBefore(part.row), by_rows ? EvenBefore(part.col) : part.col,
               part.row + part.rows, part.col + part.cols, [&](int32_t row, int32_t col, int32_t rows, int32_t cols) {
                 int64_t lines = by_rows ? rows : cols;
                 int64_t count = Even(by_rows ? cols : rows);
                 if (layout.LineStep() == count) {
                   count *= lines;
                   lines = 1;
                 }
                 for (int64_t i = 0; i < lines; ++i) visit(layout.Offset(row, col) + i * layout.LineStep(), count);
               });
}

int64_t CodesOf(const pto_tile& tile) { return RoundUp(tile.bytes * 2, 64); }

// A tile of the same elements in the same places, which begin at `codes`.
void Describe(const pto_tile& tile, uint8_t* codes, pto_tile* out) {
  out->kind = tile.kind & ~kKindPacked;
  out->valid = tile.valid;
  out->data = codes;
  out->bytes = tile.bytes * 2;
  out->line = tile.line;
  out->ready = out->legal = tile.legal;
  out->geometry = tile.geometry;
  out->layout = tile.layout;
}

void UnpackTile(const Nibbles& nibbles, const pto_tile& tile, const PackedPart& part, uint8_t* codes) {
  ForEachLine(tile, part, [&](int64_t at, int64_t count) {
    nibbles.unpack(tile.data + at / 2, static_cast<size_t>(count / 2), codes + at);
  });
}

void PackTile(const Nibbles& nibbles, const pto_tile& unpacked, const PackedPart& part, const pto_tile& tile) {
  ForEachLine(tile, part, [&](int64_t at, int64_t count) {
    nibbles.pack(unpacked.data + at, static_cast<size_t>(count / 2), tile.data + at / 2);
  });
}

// visit(part) for what a call reads or writes of an operand: a small call on a large tile costs what it moves.
template <class Visit>
void ForEachPart(const OpInfo& op, const Args& args, int operand, Visit visit) {
  const pto_tile& tile = *args.tiles[operand];
  const Extent extent = op.operands[operand].extent;
  const bool fills = op.walk == Walk::kLoad || Info(extent).whole;
  if (IsWritten(op.operands[operand].role) && fills) return visit(WholeOf(tile));
  if (extent != Extent::kWindow) return visit(ValidOf(tile));
  // Each output has a window of an input, the lead a window of an output.
  const bool into = operand < op.Outputs();
  for (int i = 0; i < (into ? 1 : op.Outputs()); ++i) {
    PackedPart part = ValidOf(*args.tiles[into ? op.lead : i]);
    part.row = args.numbers[2 * i];
    part.col = args.numbers[2 * i + 1];
    visit(part);
  }
}

// What a transfer moves of a tensor: rows x cols of its matrix, as codes line by line. Lines are rows, or columns where
// these are what has neighbours.
struct Window {
  Window(const pto_tensor& given, int64_t rows, int64_t cols)
      : tensor(given),
        turned(given.view.rows.stride[0] == 1 && given.view.rows.extent != 1),
        lines(turned ? cols : rows),
        count(turned ? rows : cols) {}

  // visit(element of the tensor, code, elements) for runs of neighbours, which begin with a byte.
  template <class Visit>
  void ForEachRun(Visit visit) const {
    const MatrixAxis& outer = turned ? tensor.view.cols : tensor.view.rows;
    const MatrixAxis& inner = turned ? tensor.view.rows : tensor.view.cols;
    for (int64_t i = 0; i < lines; ++i) {
      for (int64_t k = 0; k < count;) {
        const int64_t run = inner.stride[0] == 1 ? std::min(count - k, inner.dim[0] - k % inner.dim[0]) : 1;
        visit(outer.Offset(i) + inner.Offset(k), i * count + k, run);
        k += run;
      }
    }
  }

  void Unpack(const Nibbles& nibbles, uint8_t* codes) const {
    ForEachRun([&](int64_t at, int64_t code, int64_t run) {
      nibbles.unpack(tensor.data + at / 2, static_cast<size_t>(run / 2), codes + code);
      if (run % 2 != 0) codes[code + run - 1] = Code(tensor.data, at + run - 1);
    });
  }
  void Pack(const Nibbles& nibbles, const uint8_t* codes) const {
    ForEachRun([&](int64_t at, int64_t code, int64_t run) {
      nibbles.pack(codes + code, static_cast<size_t>(run / 2), tensor.data + at / 2);
      if (run % 2 != 0) SetCode(tensor.data, at + run - 1, codes[code + run - 1]);
    });
  }

  int64_t Codes() const { return lines * count; }
  void Describe(uint8_t* codes, pto_tensor* out) const {
    const MatrixAxis outer{.extent = lines, .dim = {lines}, .stride = {count}};
    const MatrixAxis inner{.extent = count, .dim = {count}, .stride = {1}};
    out->shape = tensor.shape;
    out->view = {.rows = turned ? inner : outer, .cols = turned ? outer : inner, .injective = true};
    out->data = codes;
    out->bytes = Codes();
  }

  const pto_tensor& tensor;
  bool turned;
  int64_t lines;
  int64_t count;
};

// A transfer whose bytes go as they are: between rows of an unboxed tile and rows of a tensor, both of whole bytes and
// without pads. Moves as elements of one byte, half of the number.
struct ByteTransfer {
  static bool Fits(const OpInfo& op, const Args& args) {
    const pto_tile& tile = *args.tiles[1 - op.TensorIndex()];
    return IsPacked(tile.dtype()) && tile.geometry.slayout == SLayout::kNoneBox && tile.layout.RowsContiguous() &&
           tile.ValidCols() % 2 == 0 && (op.walk == Walk::kStore || PadBits(tile.geometry) == 0) &&
           args.tensor->view.cols.stride[0] == 1;
  }

  // Transfers that pass CutByTile and CutByTensor have rows and strides of whole bytes.
  ByteTransfer(const pto_tile& of_tile, const pto_tensor& of_tensor) {
    tile.kind = of_tile.kind & ~kKindPacked;
    tile.valid = PackValid(of_tile.ValidRows(), of_tile.ValidCols() / 2);
    tile.data = of_tile.data;
    tile.bytes = of_tile.bytes;
    tile.line = of_tile.line / 2;
    tile.geometry = of_tile.geometry;
    tile.geometry.cols /= 2;
    tile.layout = Layout::RowMajor(of_tile.layout.row_step / 2);
    tensor.shape = of_tensor.shape;
    tensor.view = of_tensor.view;
    MatrixAxis& cols = tensor.view.cols;
    cols.extent /= 2;
    cols.dim[0] /= 2;
    for (int i = 1; i < cols.count; ++i) cols.stride[i] /= 2;
    for (int i = 0; i < tensor.view.rows.count; ++i) tensor.view.rows.stride[i] /= 2;
    tensor.data = of_tensor.data;
    tensor.bytes = of_tensor.bytes;
  }

  pto_tile tile;
  pto_tensor tensor;
};

}  // namespace

HalfByte CutByTile(const Geometry& g) {
  if (!IsPacked(g.dtype) || g.slayout != SLayout::kNoneBox) return {};
  const bool by_rows = g.blayout == BLayout::kRowMajor;
  const int32_t line = by_rows ? g.cols : g.rows;
  return line % 2 == 0 ? HalfByte{} : HalfByte{by_rows ? "cols" : "rows", line};
}

HalfByte CutByTensor(const TensorShape& shape) {
  static constexpr const char* kDims[] = {"dim0", "dim1", "dim2", "dim3", "dim4"};
  static constexpr const char* kStrides[] = {"stride0", "stride1", "stride2", "stride3", "stride4"};
  if (!IsPacked(shape.dtype) || shape.Count() == 0) return {};
  const int before = kMaxRank - shape.rank;
  int line = -1;
  for (int i = before; i < kMaxRank && line < 0; ++i) {
    if (shape.dim[i] != 1 && shape.stride[i] == 1) line = i;
  }
  // Elements without neighbours are half bytes.
  if (line < 0) return {kDims[shape.rank - 1], shape.dim[kMaxRank - 1]};
  if (shape.dim[line] % 2 != 0) return {kDims[line - before], shape.dim[line]};
  for (int i = before; i < kMaxRank; ++i) {
    if (i != line && shape.dim[i] != 1 && shape.stride[i] % 2 != 0) return {kStrides[i - before], shape.stride[i]};
  }
  return {};
}

const pto_tile* Unpacked(pto_context* ctx, const pto_tile& tile, pto_tile* out) {
  if (!IsPacked(tile.dtype())) return &tile;
  uint8_t* codes = ctx->unpacked.Take(CodesOf(tile));
  if (codes == nullptr) return nullptr;
  Describe(tile, codes, out);
  UnpackTile(ctx->kernels->nibbles, tile, ValidOf(tile), codes);
  return out;
}

int64_t DataBytes(const pto_tile& tile) { return tile.ValidRows() * BytesOf(tile.dtype(), tile.ValidCols()); }

int64_t DataBytes(const TensorShape& s) {
  return s.dim[0] * s.dim[1] * s.dim[2] * s.dim[3] * BytesOf(s.dtype, s.dim[4]);
}

bool ReadTile(pto_context* ctx, const pto_tile& tile, void* data) {
  if (!IsPacked(tile.dtype())) {
    PackRows(*ctx, tile, data);
    return true;
  }
  const int64_t line = Even(tile.ValidCols());
  const int64_t codes = tile.ValidRows() * line;
  uint8_t* rows = ctx->scratch.Take(codes);
  pto_tile unpacked;
  if (rows == nullptr || Unpacked(ctx, tile, &unpacked) == nullptr) return false;
  std::fill_n(rows, codes, uint8_t{0});
  Mover(*ctx, 1).Areas({rows, Layout::RowMajor(line)}, {unpacked.data, tile.layout}, tile.ValidRows(),
                       tile.ValidCols());
  ctx->kernels->nibbles.pack(rows, static_cast<size_t>(codes / 2), static_cast<uint8_t*>(data));
  return true;
}

bool WriteTile(pto_context* ctx, const void* data, const pto_tile& tile) {
  if (!IsPacked(tile.dtype())) {
    UnpackRows(*ctx, data, tile);
    return true;
  }
  const Nibbles& nibbles = ctx->kernels->nibbles;
  const int64_t line = Even(tile.ValidCols());
  const int64_t codes = tile.ValidRows() * line;
  uint8_t* rows = ctx->scratch.Take(codes);
  pto_tile unpacked;
  if (rows == nullptr || Unpacked(ctx, tile, &unpacked) == nullptr) return false;
  nibbles.unpack(static_cast<const uint8_t*>(data), static_cast<size_t>(codes / 2), rows);
  Mover(*ctx, 1).Areas({unpacked.data, tile.layout}, {rows, Layout::RowMajor(line)}, tile.ValidRows(),
                       tile.ValidCols());
  PackTile(nibbles, unpacked, ValidOf(tile), tile);
  return true;
}

void MoveElements(const pto_tensor& tensor, uint8_t* data, bool write) {
  const TensorShape& s = tensor.shape;
  const int64_t rows = s.dim[0] * s.dim[1] * s.dim[2] * s.dim[3];
  const int64_t row_bytes = BytesOf(s.dtype, s.dim[4]);
  // Then rows begin and end with a byte: CutByTensor.
  const bool neighbours = s.dim[4] > 1 && s.stride[4] == 1;
  for (int64_t i = 0; i < rows; ++i, data += row_bytes) {
    const int64_t row = s.RowOffset(i);
    if (neighbours) {
      uint8_t* const at = tensor.data + row / 2;
      std::memcpy(write ? at : data, write ? data : at, static_cast<size_t>(row_bytes));
      continue;
    }
    if (!write) std::fill_n(data, row_bytes, uint8_t{0});
    for (int64_t k = 0; k < s.dim[4]; ++k) {
      const int64_t at = row + k * s.stride[4];
      write ? SetCode(tensor.data, at, Code(data, k)) : SetCode(data, k, Code(tensor.data, at));
    }
  }
}

bool AnyPacked(const OpInfo& op, const Args& args) {
  bool packed = args.tensor != nullptr && IsPacked(args.tensor->shape.dtype);
  for (int i = 0; i < op.Tiles(); ++i) packed |= args.tiles[i] != nullptr && IsPacked(args.tiles[i]->dtype());
  return packed;
}

Status RunUnpacked(pto_context* ctx, const OpInfo& op, const Args& args,
                   Status (*run)(pto_context*, const OpInfo&, const Args&)) {
  if (op.Transfers() && IsPacked(args.tensor->shape.dtype) && ByteTransfer::Fits(op, args)) {
    ByteTransfer bytes(*args.tiles[1 - op.TensorIndex()], *args.tensor);
    pto_tile* tiles[] = {&bytes.tile, &bytes.tile};
    Args call = args;
    call.tiles = tiles;
    call.tensor = &bytes.tensor;
    return run(ctx, op, call);
  }
  const Nibbles& nibbles = ctx->kernels->nibbles;
  const auto packed = [&](int i) { return args.tiles[i] != nullptr && IsPacked(args.tiles[i]->dtype()); };
  int64_t need = 0;
  for (int i = 0; i < op.Tiles(); ++i) need += packed(i) ? CodesOf(*args.tiles[i]) : 0;
  // Transfers alone have a tensor of packed elements, and one tile beside it.
  std::optional<Window> window;
  if (op.Transfers() && IsPacked(args.tensor->shape.dtype)) {
    const pto_tile& tile = *args.tiles[1 - op.TensorIndex()];
    window.emplace(*args.tensor, tile.ValidRows(), tile.ValidCols());
    need += window->Codes();
  }
  uint8_t* codes = ctx->unpacked.Take(need);
  if (codes == nullptr) {
    return ctx->error.Set(Rule::kMemory, op.name, "", "no memory for %lld bytes of scratch",
                          static_cast<long long>(need));
  }
  pto_tile unpacked[kMaxTiles];
  pto_tile* tiles[kMaxTiles] = {};
  pto_tensor tensor;
  Args call = args;
  call.tiles = tiles;
  for (int i = 0; i < op.Tiles(); ++i) {
    tiles[i] = args.tiles[i];
    if (!packed(i)) continue;
    Describe(*args.tiles[i], codes, &unpacked[i]);
    ForEachPart(op, args, i, [&](const PackedPart& part) { UnpackTile(nibbles, *args.tiles[i], part, codes); });
    tiles[i] = &unpacked[i];
    codes += CodesOf(*args.tiles[i]);
  }
  if (window) {
    window->Unpack(nibbles, codes);
    window->Describe(codes, &tensor);
    call.tensor = &tensor;
  }
  const Status status = run(ctx, op, call);
  if (status != Status::kOk) return status;
  for (int i = 0; i < op.Tiles(); ++i) {
    if (!packed(i) || !IsWritten(op.operands[i].role)) continue;
    ForEachPart(op, args, i, [&](const PackedPart& part) { PackTile(nibbles, unpacked[i], part, *args.tiles[i]); });
  }
  if (window && op.walk == Walk::kStore) window->Pack(nibbles, codes);
  return Status::kOk;
}

}  // namespace pto
