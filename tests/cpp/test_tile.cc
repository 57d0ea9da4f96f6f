// Tiles: layouts, valid regions, element access, moves, both storage modes, addresses.
#include <pto/pto-inst.hpp>

#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "rule_of.h"

using namespace pto;

namespace {

// Elements set one by one are those that the library reads out row by row.
template <typename TileT>
void TestLayout() {
  TileT tile;
  using T = typename TileT::DType;
  for (int r = 0; r < TileT::Rows; ++r) {
    for (int c = 0; c < TileT::Cols; ++c) tile(r, c) = static_cast<T>(r * TileT::Cols + c);
  }
  std::vector<T> packed(static_cast<size_t>(TileT::Numel));
  const auto bytes = static_cast<int64_t>(packed.size() * sizeof(T));
  CHECK(pto_tile_read(CurrentContext(), tile.handle(), packed.data(), bytes) == PTO_OK);
  for (size_t k = 0; k < packed.size(); ++k) CHECK(packed[k] == static_cast<T>(k));
  CHECK(&tile(TileT::Rows - 1, 1) == tile.data() + TileT::Offset(TileT::Rows - 1, 1));
}

template <TileType kLoc, typename T, int kRows, int kCols, int kFractal>
void TestBoxes() {
  constexpr auto kRow = BLayout::RowMajor;
  constexpr auto kCol = BLayout::ColMajor;
  TestLayout<Tile<kLoc, T, kRows, kCols, kRow, kRows, kCols, SLayout::RowMajor, kFractal>>();
  TestLayout<Tile<kLoc, T, kRows, kCols, kRow, kRows, kCols, SLayout::ColMajor, kFractal>>();
  TestLayout<Tile<kLoc, T, kRows, kCols, kCol, kRows, kCols, SLayout::RowMajor, kFractal>>();
  TestLayout<Tile<kLoc, T, kRows, kCols, kCol, kRows, kCols, SLayout::ColMajor, kFractal>>();
}

void TestLayouts() {
  TestLayout<Tile<TileType::Vec, float, 16, 8>>();
  TestLayout<Tile<TileType::Vec, float, 3, 24>>();
  TestLayout<Tile<TileType::Vec, float, 8, 5, BLayout::ColMajor>>();
  TestBoxes<TileType::Mat, float, 32, 48, 512>();
  TestBoxes<TileType::Mat, int16_t, 64, 32, 512>();
  TestBoxes<TileType::Mat, int8_t, 64, 96, 512>();
  TestBoxes<TileType::Acc, float, 32, 48, 1024>();
  TestBoxes<TileType::ScaleLeft, uint8_t, 32, 64, 32>();
  // Rows that do not divide into boxes: legal in vector memory.
  TestBoxes<TileType::Vec, float, 21, 32, 512>();
  TestBoxes<TileType::Vec, int32_t, 5, 16, 1024>();
  // Lines and boxes that no hardware takes.
  TestLayout<Tile<TileType::Vec, float, 7, 5>>();
  TestBoxes<TileType::Mat, float, 21, 13, 512>();
  TestBoxes<TileType::Mat, half, 17, 33, 512>();
  TestBoxes<TileType::Acc, float, 15, 17, 1024>();
  TestBoxes<TileType::ScaleLeft, uint8_t, 3, 5, 32>();
  TestLayout<TileLeft<half, 16, 32>>();
  TestLayout<TileRight<half, 32, 16>>();
  TestLayout<TileAcc<float, 16, 16>>();
  using Nz = Tile<TileType::Mat, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor>;
  static_assert(Nz::InnerRows == 16 && Nz::InnerCols == 8 && Nz::isBoxedLayout && !Nz::isRowMajor);
  static_assert(Nz::Offset(0, 7) == 7 && Nz::Offset(1, 0) == 8 && Nz::Offset(15, 7) == 127 && Nz::Offset(0, 8) == 128);
}

void TestValid() {
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, DYNAMIC, DYNAMIC> both(3, 5);
  CHECK(both.GetValidRow() == 3 && both.GetValidCol() == 5);
  CHECK(pto_tile_valid_rows(both.handle()) == 3 && pto_tile_valid_cols(both.handle()) == 5);
  both.SetValidRow(7);
  both.SetValidCol(0);
  CHECK(pto_tile_valid_rows(both.handle()) == 7 && pto_tile_valid_cols(both.handle()) == 0);
  both.SetValidShape(16, 16);
  CHECK(pto_tile_valid_rows(both.handle()) == 16 && pto_tile_valid_cols(both.handle()) == 16);
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, 9> rows(4);
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, 9, -1> cols(4);
  CHECK(rows.GetValidRow() == 4 && rows.GetValidCol() == 9 && cols.GetValidRow() == 9 && cols.GetValidCol() == 4);
  CHECK(pto_tile_valid_rows(rows.handle()) == 4 && pto_tile_valid_cols(rows.handle()) == 9);
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, -1> late;
  late.SetValidRow(2);
  late.SetValidCol(3);
  CHECK(pto_tile_valid_rows(late.handle()) == 2 && pto_tile_valid_cols(late.handle()) == 3);
  Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, 2, 3> fixed;
  CHECK(fixed.GetValidRow() == 2 && pto_tile_valid_cols(fixed.handle()) == 3);
  // An instruction touches the valid region only, and static and dynamic regions go together.
  Tile<TileType::Vec, float, 16, 16> tmp;
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 16; ++c) fixed(r, c) = late(r, c) = 4.0F;
  }
  TRSQRT(late, fixed);
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 16; ++c) CHECK(late(r, c) == (r < 2 && c < 3 ? 0.5F : 4.0F));
  }
}

void TestElements() {
  Tile<TileType::Vec, int32_t, 4, 8, BLayout::RowMajor, 2, 2> tile;
  CHECK(tile.GetValue(31) == 0);
  tile.SetValue(9, 42);
  CHECK(tile(1, 1) == 42 && tile.data()[9] == 42);
  const auto& read = tile;
  CHECK(read(1, 1) == 42 && read.GetValue(9) == 42);
}

void TestMove() {
  const int64_t handles = pto_live_handles();
  {
    Tile<TileType::Vec, float, 16, 16> first;
    first(2, 3) = 5.0F;
    const float* data = first.data();
    Tile<TileType::Vec, float, 16, 16> second(std::move(first));
    CHECK(second.data() == data && second(2, 3) == 5.0F);
    CHECK(pto_live_handles() == handles + 1);
    // A moved-from tile is as new: NOLINTNEXTLINE(bugprone-use-after-move)
    CHECK(first.data() != data && first(2, 3) == 0.0F);
  }
  CHECK(pto_live_handles() == handles);
  // A tile that is never used costs no handle.
  Tile<TileType::Vec, float, 16, 16> unused;
  CHECK(pto_live_handles() == handles);
}

void TestAddresses() {
  using TileT = Tile<TileType::Vec, float, 16, 16>;
  TileT one, same, inside;
  one(0, 0) = 1.0F;  // in memory of its own, which it leaves
  TASSIGN(one, 0x1000);
  TASSIGN<0x1000>(same);
  TASSIGN(inside, 0x1000 + 2 * 64);
  CHECK(one.data() == same.data() && inside.data() == one.data() + 32);
  one(2, 7) = 8.0F;
  CHECK(same(2, 7) == 8.0F && inside(0, 7) == 8.0F);
  // An in-place instruction over another name of the memory.
  for (int c = 0; c < 16; ++c) one(0, c) = 16.0F;
  TRSQRT(same, one);
  CHECK(one(0, 0) == 0.25F);
  // The bytes are what they are: a float's upper half is its second uint16_t.
  Tile<TileType::Vec, uint16_t, 16, 32> raw;
  TASSIGN(raw, 0x1000U);
  one(0, 0) = 1.0F;
  CHECK(raw(0, 1) == 0x3f80 && bfloat16_t::from_bits(raw(0, 1)) == 1.0F);
  // Another location is another memory; another address another place.
  Tile<TileType::Mat, float, 16, 16> mat;
  TASSIGN(mat, 0x1000);
  CHECK(static_cast<void*>(mat.data()) != one.data());
  TASSIGN(one, int64_t{0x2000});
  CHECK(one(2, 7) == 0.0F && same(2, 7) != 0.0F);
}

// Scales lie at a sixteenth of the address of their matrix, in memory of their own.
void TestScaleAddresses() {
  TileLeft<float8_e4m3_t, 16, 64> left;
  TileLeftScale<float8_e8m0_t, 16, 2> scales, there;
  TGET_SCALE_ADDR(scales, left);  // the matrix has no address: nothing happens
  CHECK(scales.Address() == -1 && left.Address() == -1);
  TASSIGN(left, 0x2000);
  TGET_SCALE_ADDR(scales, left);
  CHECK(left.Address() == 0x2000 && scales.Address() == 0x200);
  TASSIGN(there, 0x200);
  there(3, 1) = float8_e8m0_t(4.0F);
  CHECK(scales(3, 1) == 4.0F && static_cast<void*>(scales.data()) != left.data());
  TileRight<float8_e4m3_t, 64, 16> right;
  TileRightScale<float8_e8m0_t, 2, 16> right_scales;
  TASSIGN(right, 0x2020);  // in the middle of what scales are read by
  CHECK(RuleOf([&] { TGET_SCALE_ADDR(right_scales, right); }) == "address-alignment" && right_scales.Address() == -1);
  const auto moved = std::move(left);
  CHECK(moved.Address() == 0x2000);
}

// A copy is a second name of the same elements, with a valid region of its own.
void TestCopies() {
  using TileT = Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  TileT a(3, 4);
  TileT b = a;  // of a tile that has no elements yet
  a(2, 3) = 5;
  CHECK(b(2, 3) == 5 && b.GetValidRow() == 3);
  b.SetValidShape(8, 16);
  CHECK(a.GetValidRow() == 3 && pto_tile_valid_rows(a.handle()) == 3 && pto_tile_valid_rows(b.handle()) == 8);
  TASSIGN(a, 0x200);
  a(0, 0) = 9;
  CHECK(b(0, 0) == 0 && b(2, 3) == 5);  // a has moved, b has not
  b = a;
  CHECK(b(0, 0) == 9 && b.Address() == 0x200 && b.data() == a.data());
  TileT& itself = b;
  b = itself;
  std::vector<TileT> all(3, a);
  all[2](7, 15) = 1;
  CHECK(all[0](7, 15) == 1 && a(7, 15) == 1);
  TileT window(2, 2);
  TSUBVIEW(window, a, 4, 0);
  TileT same = window;
  same(1, 1) = 7;
  CHECK(a(5, 1) == 7 && RuleOf([&] { same(7, 0) = 1; }) == "element-range");
  // Without elements there is nothing to share.
  TileT unset;
  TileT other = unset;
  other.SetValidShape(1, 1);
  CHECK(other(0, 0) == 0);
  SetMode(Mode::Manual);
  TileT nowhere(1, 1);
  TileT neither = nowhere;
  CHECK(RuleOf([&] { neither(0, 0) = 1; }) == "storage");
  SetMode(Mode::Auto);
  using Packed = Tile<TileType::Mat, half, 32, 32, BLayout::ColMajor, DYNAMIC, 32, SLayout::RowMajor, 512,
                      PadValue::Null, CompactMode::Normal>;
  Packed narrow(16);
  Packed twin = narrow;
  narrow(3, 20) = half(2);
  CHECK(twin(3, 20) == 2);
}

// An address of this process inside the on-chip memory of the tile's location means that place.
void TestPointers() {
  using TileT = Tile<TileType::Vec, float, 8, 16>;
  TileT a;
  TileT b;
  TASSIGN(a, 0x200);
  TASSIGN(b, reinterpret_cast<uint64_t>(a.data()) + 0x40);
  CHECK(b.Address() == 0x240 && b.data() == a.data() + 16);
  TileT owned;
  CHECK(RuleOf([&] { TASSIGN(b, reinterpret_cast<uint64_t>(owned.data())); }) == "address-range");
  CHECK(RuleOf([&] { TASSIGN(b, reinterpret_cast<uint64_t>(a.data()) + 4); }) == "address-alignment");
  Tile<TileType::Mat, float, 8, 16> elsewhere;
  CHECK(RuleOf([&] { TASSIGN(elsewhere, reinterpret_cast<uint64_t>(a.data())); }) == "address-range");
  CHECK(b.Address() == 0x240 && b.data() == a.data() + 16);
}

void TestModes() {
  using TileT = Tile<TileType::Vec, float, 16, 16>;
  SetMode(Mode::Manual);
  TileT manual;
  TASSIGN(manual, 0x4000);
  manual(0, 0) = 4.0F;
  TRSQRT(manual, manual);
  CHECK(manual(0, 0) == 0.5F);
  SetMode(Mode::Auto);
  TileT owned;
  CHECK(owned.data() != nullptr && owned.data() != manual.data());
}

void TestPrint() {
  ClearOutput();
  Tile<TileType::Vec, half, 2, 16, BLayout::RowMajor, 2, 2> tile;
  tile(0, 0) = half(1.2345F);
  tile(1, 1) = half(-65504);
  TPRINT(tile);
  TPRINT<PrintFormat::Width8_Precision2>(tile);
  float scratch[32];
  GlobalTensor<float, Shape<1, 1, 1, 2, 16>, Stride<32, 32, 32, 16, 1>> tmp(scratch);
  TPRINT<PrintFormat::Width10_Precision6>(tile, tmp);
  CHECK(Output() ==
        "TPRINT 2x2\n  1.2344   0.0000\n  0.0000 -65504.0000\n"
        "TPRINT 2x2\n    1.23     0.00\n    0.00 -65504.00\n"
        "TPRINT 2x2\n  1.234375   0.000000\n  0.000000 -65504.000000\n");
  ClearOutput();
  CHECK(Output().empty());
}

}  // namespace

int main() {
  TestLayouts();
  TestValid();
  TestElements();
  TestMove();
  TestAddresses();
  TestScaleAddresses();
  TestCopies();
  TestPointers();
  TestModes();
  TestPrint();
  return check::Report("tile");
}
