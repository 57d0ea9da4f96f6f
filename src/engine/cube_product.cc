// Products of matrices at addresses.
#include "src/engine/cube_product.h"

#include "src/engine/execute.h"
#include "src/records/matrix.h"

namespace pto {

namespace {

enum class BoxOrder : uint8_t { kRow, kLeft, kRight, kSums, kLeftScales, kRightScales };

// A tile that no handle refers to: what engines read of one.
struct CubeOperand {
  CubeOperand(DType type, Location location, BoxOrder order, uint8_t* data, int32_t rows, int32_t cols) {
    Geometry& g = tile.geometry;
    g.dtype = type;
    g.location = location;
    g.rows = rows;
    g.cols = cols;
    if (order != BoxOrder::kRow) {
      const bool by_rows = order == BoxOrder::kLeft || order == BoxOrder::kSums || order == BoxOrder::kLeftScales;
      const bool blocks = order == BoxOrder::kRight || order == BoxOrder::kLeftScales;
      g.slayout = by_rows ? SLayout::kRowMajor : SLayout::kColMajor;
      g.blayout = blocks ? BLayout::kRowMajor : BLayout::kColMajor;
      g.fractal = order == BoxOrder::kSums ? 1024 : order == BoxOrder::kLeft || order == BoxOrder::kRight ? 512 : 32;
      const Box box = BoxOf(g.slayout, g.fractal, Info(type).bytes);
      g.rows = static_cast<int32_t>(RoundUp(rows, box.rows));
      g.cols = static_cast<int32_t>(RoundUp(cols, box.cols));
    }
    int64_t count = 0;
    tile.layout = MakeLayout(g.blayout, g.slayout, g.fractal, Info(type).bytes, g.rows, g.cols, &count);
    tile.line = tile.layout.LineStep();
    tile.kind = PackKind(type, location, g.blayout, g.slayout);
    tile.valid = PackValid(rows, cols);
    tile.bytes = count * Info(type).bytes;
    tile.data = data;
  }
  pto_tile tile;
};

const OpInfo& OpFor(const OnChipProduct& p) {
  const bool scaled = p.left_scales != nullptr;
  if (p.bias != nullptr) return scaled ? kTMatMulMxBias : kTMatMulBias;
  if (p.adds) return scaled ? kTMatMulMxAcc : kTMatMulAcc;
  return scaled ? kTMatMulMx : kTMatMul;
}

}  // namespace

bool Multiply(pto_context* ctx, const OnChipProduct& p) {
  if (p.m == 0 || p.n == 0) return true;
  const auto left_type = static_cast<DType>(p.left_type);
  const auto right_type = static_cast<DType>(p.right_type);
  const auto sum_type = static_cast<DType>(p.sum_type);
  const int32_t blocks = (p.k + 31) / 32;
  CubeOperand sums(sum_type, Location::kAcc, BoxOrder::kSums, p.sums, p.m, p.n);
  CubeOperand left(left_type, Location::kLeft, p.row ? BoxOrder::kRow : BoxOrder::kLeft, p.left, p.m, p.k);
  CubeOperand right(right_type, Location::kRight, BoxOrder::kRight, p.right, p.k, p.n);
  CubeOperand bias(sum_type, Location::kBias, BoxOrder::kRow, p.bias, 1, p.n);
  CubeOperand left_scales(DType::kE8M0, Location::kScaleLeft, BoxOrder::kLeftScales, p.left_scales, p.m, blocks);
  CubeOperand right_scales(DType::kE8M0, Location::kScaleRight, BoxOrder::kRightScales, p.right_scales, blocks, p.n);
  const bool scaled = p.left_scales != nullptr;
  pto_tile* tiles[7] = {&sums.tile};
  int count = 1;
  const auto add = [&](bool there, CubeOperand& operand) {
    if (there) tiles[count++] = &operand.tile;
  };
  add(p.adds, sums);
  add(true, left);
  add(scaled, left_scales);
  add(true, right);
  add(scaled, right_scales);
  add(p.bias != nullptr, bias);
  const int32_t numbers[] = {p.mad};
  const OpInfo& op = OpFor(p);
  return RunMatMul(ctx, op, {.tiles = tiles, .numbers = numbers}) == Status::kOk;
}

}  // namespace pto
