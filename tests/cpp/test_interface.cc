// The interface as sources for the NPU use it: names at global scope, shapes and tensors, what tiles report of
// themselves, pad values, numbers of blocks and events. The enumerations have a table of their own, enums.tsv.
#include <pto/common/pto_instr.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "check.h"
#include "rule_of.h"

// Without `using namespace pto`, and with it: these must be one and the same.
half g_half = 1.5F;
bfloat16_t g_bfloat = 2.0F;

namespace global {

__tf__ AICORE void Kernel(__gm__ float* __out__ out, __gm__ const float* __in__ in, __biasbuf__ float* bias) {
  set_mask_norm();
  set_vector_mask(static_cast<uint64_t>(-1), static_cast<uint64_t>(-1));
  const event_t id = event_t{3};
  set_flag(PIPE_MTE2, PIPE_V, id);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0 + 3);
  set_flag(PIPE_S, PIPE_M, EVENT_ID7);
  pipe_barrier(PIPE_ALL);
  dcci(out, 0);
  dsb(0);
  *out = *in + *bias + static_cast<float>(get_block_idx());
}

void Test() {
  float out = 0;
  const float in = 2;
  float bias = 1;
  pto::SetBlock(4, 8);
  Kernel(&out, &in, &bias);
  CHECK(out == 7.0F && get_block_num() == 8 && get_coreid() == 4);
  CHECK(get_subblockid() == 0 && get_subblockdim() == 1);
  pto::SetSubblock(1, 2);
  CHECK(get_subblockid() == 1 && get_subblockdim() == 2);
  pto::SetSubblock(0, 1);
  pto::SetBlock(0, 1);
  set_ctrl(sbitset1(uint64_t{1}, 48));
  CHECK(get_ctrl() == (uint64_t{1} << 48 | 1) && sbitset0(get_ctrl(), 0) == uint64_t{1} << 48);
  set_ctrl(0);
  static_assert(std::is_same_v<event_t, int> && EVENT_ID5 == 5);
  static_assert(PIPE_S == 0 && PIPE_V == 1 && PIPE_MTE1 == 2 && PIPE_MTE2 == 3 && PIPE_MTE3 == 4 && PIPE_M == 5 &&
                PIPE_ALL == 6 && PIPE_FIX == 7);
  static_assert(std::is_same_v<float16_t, half> && std::is_same_v<aclFloat16, half> &&
                std::is_same_v<float32_t, float>);
}

}  // namespace global

using namespace pto;

static_assert(std::is_same_v<half, ::half> && std::is_same_v<bfloat16_t, pto::bfloat16_t>);

namespace {

void TestNumbers() {
  static_assert(NUM_1 == 1 && NUM_4 == 4 && NUM_8 == 8 && NUM_12 == 12 && NUM_16 == 16 && NUM_32 == 32 &&
                NUM_64 == 64 && NUM_77 == 77 && NUM_96 == 96 && NUM_128 == 128 && NUM_256 == 256 && NUM_512 == 512);
  static_assert(BLOCK_BYTE_SIZE == 32 && BLOCK_LEN == 16 && C0_SIZE_BYTE == 32 && FRACTAL_NZ_ROW == 16 &&
                CUBE_BLOCK_SIZE == 512 && ACC_C0_SIZE == 16 && REPEAT_BYTE == 256 && REPEAT_MAX == 255);
  static_assert(MX_COL_LEN == 2 && MX_ROW_LEN == 16 && MX_BLOCK_SIZE == 32 && HIF4_COL_LEN == 4 && HIF4_ROW_LEN == 16 &&
                HIF4_BLOCK_SIZE == 64);
  static_assert(GlobalTensorDim::DIM_0 == 0 && GlobalTensorDim::DIM_4 == 4 && GlobalTensorDim::TOTAL_DIM == 5);
  static_assert(TileConfig::alignedSize == 32 && TileConfig::fixedRowSize == 16 && TileConfig::fixedColSize == 16 &&
                TileConfig::fixedMxRowSize == 16 && TileConfig::fixedMxColSize == 2 &&
                TileConfig::fractalABSize == 512 && TileConfig::fractalCSize == 1024 &&
                TileConfig::fractalMxSize == 32);
  static_assert(std::is_same_v<TRandomKey, uint32_t[2]> && std::is_same_v<TRandomCounter, uint32_t[4]>);
  const MrgSortExecutedNumList list{1, 2, 3, 4};
  CHECK(list.mrgSortList0 == 1 && list.mrgSortList3 == 4);
  half h = 2047;
  CHECK(h++ == 2047.0F && h == 2048.0F && ++h == 2048.0F && h-- == 2048.0F && --h == 2046.0F);
  bfloat16_t b = 255;
  CHECK(++b == 256.0F && b++ == 256.0F && b == 256.0F && --b == 255.0F && b-- == 255.0F && b == 254.0F);
}

// Numbers of any integer type, and what converts to one.
void TestShapes(int rows, size_t cols) {
  enum { kSix = 6 };
  Shape s(1, 1, 1, rows, cols);
  Stride t(48, 48, 48, cols, 1);
  static_assert(std::is_same_v<decltype(s), Shape<>> && std::is_same_v<decltype(t), Stride<>>);
  CHECK(s.shape[3] == 8 && s.shape[4] == 6 && t.stride[0] == 48 && t.stride[3] == 6);
  const Shape copy(s);
  static_assert(std::is_same_v<decltype(copy), const Shape<>>);
  CHECK(copy.shape[4] == 6);
  const Shape<1, 1, 1, DYNAMIC, DYNAMIC> some(rows, kSix), same = {rows, kSix};
  CHECK(some.shape[3] == 8 && same.shape[4] == 6 && Shape<>().shape[2] == 1);
  static_assert(decltype(some)::staticShape[2] == 1 && decltype(some)::staticShape[3] == DYNAMIC);
  static_assert(Stride<7, 1, 1, 1, 1>::staticStride[0] == 7 && Stride<7, 1, 1, 1, 1>().stride[0] == 7);
}

using View = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;

// A pointer converts to a tensor.
float Corner(const View& view) { return view.GetElement(0, 0, 0, view.GetShape(3) - 1, view.GetShape(4) - 1); }

void TestTensors() {
  float data[48];
  for (int k = 0; k < 48; ++k) data[k] = static_cast<float>(k);
  CHECK(Corner(data) == 0.0F);
  View view(data, {8, 6}, {6});
  static_assert(std::is_same_v<View::Shape, Shape<1, 1, 1, DYNAMIC, DYNAMIC>> &&
                std::is_same_v<View::Stride, Stride<1, 1, 1, DYNAMIC, 1>> && std::is_same_v<View::RawDType, float>);
  static_assert(View::staticShape[2] == 1 && View::staticShape[3] == DYNAMIC && View::staticStride[4] == 1);
  static_assert(View::layout == Layout::ND && View::GetShape<2>() == 1 && View::GetStride<4>() == 1);
  CHECK(view.GetShape<GlobalTensorDim::DIM_3>() == 8 && view.GetShape(GlobalTensorDim::DIM_4) == 6);
  CHECK(view.GetStride<3>() == 6 && Corner(view) == 47.0F && view.GetElement(13) == 13.0F);
  view.SetElement(13, 5.5F);
  view.AddToElement(13, 1.0F);
  CHECK(data[13] == 6.5F);
  view.SetElement(0, 0, 0, 7, 5, 1.0F);
  view.AddToElement(0, 0, 0, 7, 5, 2.0F);
  CHECK(data[47] == 3.0F);
  GlobalTensor<const half, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>> constant(&g_half);
  CHECK(constant.GetElement(0) == 1.5F);
  // The setting counts for the next transfer.
  Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 2, 3> tile;
  View part(data, {8, 6}, {6});
  part.SetShape<3, 4>(2, 3);
  part.SetStride<3>(12);
  TLOAD(tile, part);
  CHECK(tile(0, 2) == 2.0F && tile(1, 0) == 12.0F);
  part.SetStride<3>(size_t{6});
  TLOAD<decltype(tile), View>(tile, part);
  CHECK(tile(1, 0) == 6.0F);
  tile(1, 0) = -1.0F;
  TSTORE<decltype(tile), View>(part, tile);
  CHECK(data[6] == -1.0F);
  CHECK(RuleOf([] {
          float one[6] = {};
          (void)View(one, {2, 3}, {3}).GetElement(0, 0, 0, 2, 0);
        }) == "element-range");
  CHECK(RuleOf([] {
          float one[6] = {};
          View(one, {2, 3}, {3}).SetElement(0, 0, 0, 0, -1, 1.0F);
        }) == "element-range");
  static_assert(is_global<View>::value && is_global_data_v<const View> && !is_global_data_v<float>);
  static_assert(!is_tile_data_v<View> && !is_tile<float>::value);
}

// The functions that kernels pass pointers through.
template <typename TileData>
void Double(typename TileData::TileDType first) {
  for (int k = 0; k < TileData::Numel; ++k) first[k] *= 2;
}

void TestTiles() {
  using Fixed = Tile<TileType::Vec, int32_t, 8, 16, BLayout::RowMajor, 3, 5>;
  using Dynamic = Tile<TileType::Vec, half, 8, 16, BLayout::RowMajor, DYNAMIC, 5>;
  static_assert(Fixed::GetValidRow() == 3U && Fixed::GetValidCol() == 5U && Dynamic::GetValidCol() == 5U);
  static_assert(std::is_same_v<decltype(Fixed::GetValidRow()), unsigned> && std::is_same_v<Fixed::TileDType, int32_t*>);
  static_assert(Fixed::GetSizeInBytes() == 512 && Fixed::GetSizeInUnits() == 128 && Fixed::InnerNumel == 1);
  static_assert(std::is_same_v<decltype(Fixed::Numel), const int> && Fixed::Numel == 128);
  Dynamic rows = 4;
  const unsigned seen = rows.GetValidRow();
  CHECK(seen == 4);
  static_assert(std::is_same_v<decltype(rows.GetValidRow()), unsigned>);
  Fixed tile;
  tile.SetElement(2, 3, 21);
  tile.AddToElement(2, 3, 2);
  tile.SetElement(1, 1, INT32_MAX);
  tile.AddToElement(1, 1, 1);
  CHECK(tile.GetElement(2, 3) == 23 && tile(1, 1) == INT32_MIN && tile.GetValue(2 * 16 + 3) == 23);
  Double<Fixed>(tile.data());
  CHECK(tile(2, 3) == 46);
  const Fixed& constant = tile;
  CHECK(constant.data() == tile.data() && constant.GetElement(2, 3) == 46);
  // `tile.data() = other.data()` would not move the tile: it does not compile.
  static_assert(std::is_same_v<decltype(tile.data()), Fixed::TileDType>);
  CHECK(!tile.GetKAligned());
  tile.SetKAligned(true);
  CHECK(constant.GetKAligned());
  rows.SetElement(0, 0, 1.5F);
  rows.AddToElement(0, 0, 2);
  CHECK(rows(0, 0) == 3.5F);

  using Acc = TileAcc<float, 32, 16>;
  static_assert(TileLeft<half, 16, 32>::InnerNumel == 256 && TileRight<int8_t, 32, 32>::isInnerColMajor &&
                TileLeft<half, 16, 32>::isInnerRowMajor && Acc::InnerNumel == 256);
  static_assert(TileLeftCompact<half, 16, 32>::Compact == CompactMode::Normal &&
                TileRightCompact<half, 16, 32>::SFractal == SLayout::ColMajor &&
                TileAccCompact<float, 16, 16, 3, 4>::SFractalSize == 1024 &&
                TileAccCompact<float, 16, 16, 3, 4>::ValidCol == 4);
  static_assert(TileLeftScale<uint8_t, 16, 2>::Loc == TileType::ScaleLeft &&
                TileLeftScale<uint8_t, 16, 2>::isRowMajor && TileLeftScale<uint8_t, 16, 2>::InnerNumel == 32 &&
                TileLeftScaleCompact<uint8_t, 16, 2>::Compact == CompactMode::Normal);
  static_assert(TileRightScale<uint8_t, 2, 16>::Loc == TileType::ScaleRight &&
                !TileRightScale<uint8_t, 2, 16>::isRowMajor &&
                TileRightScale<uint8_t, 2, 16>::SFractal == SLayout::ColMajor &&
                TileRightScaleCompact<uint8_t, 2, 16>::SFractalSize == 32);
  TileRightScale<uint8_t, 2, 16> scale;
  scale(1, 15) = 7;
  CHECK(scale.data()[GetTileOffset<decltype(scale)>(1, 15)] == 7 && GetTileElementOffset<Fixed>(2, 3) == 35);
  static_assert(is_tile<Fixed>::value && is_tile_data_v<const Acc> && is_boxed_tile<Acc>::value &&
                is_boxed_data_v<Acc> && !is_boxed_data_v<Fixed> && !is_boxed_data_v<float>);
}

template <typename T, PadValue kPad, BLayout kLayout = BLayout::RowMajor, SLayout kBox = SLayout::NoneBox>
void TestLoad(T pad) {
  T data[6];
  for (int k = 0; k < 6; ++k) data[k] = static_cast<T>(k + 1);
  Tile<TileType::Vec, T, 32, 32, kLayout, DYNAMIC, DYNAMIC, kBox, 512, kPad> tile(2, 3);
  GlobalTensor<T, Shape<1, 1, 1, 2, 3>, Stride<6, 6, 6, 3, 1>> from(data);
  TLOAD(tile, from);
  for (int r = 0; r < 32; ++r) {
    for (int c = 0; c < 32; ++c) CHECK(tile(r, c) == (r < 2 && c < 3 ? data[3 * r + c] : pad));
  }
  tile.SetValidShape(0, 3);
  GlobalTensor<T, Shape<1, 1, 1, 0, 3>, Stride<6, 6, 6, 3, 1>> nothing(data);
  TLOAD(tile, nothing);
  CHECK(tile(0, 0) == pad && tile(1, 2) == pad);
}

void TestPads() {
  static_assert(static_cast<uint64_t>(PadValue::CustomBase) == 0x100000000U);
  static_assert(static_cast<uint64_t>(PadValueCustom(-1.0F)) == 0x1bf800000U);
  static_assert(getCustomPadBits(PadValueCustom(int8_t{-1})) == 0xff &&
                getCustomPadBits(PadValueCustom(-2)) == 0xfffffffe);
  static_assert(getCustomPadBits(PadValueCustom(int16_t{-1})) == 0xffff && getCustomPadBits(PadValueCustom(7U)) == 7);
  static_assert(getCustomPadBits(PadValueCustom(uint8_t{200})) == 200 && getCustomPadBits(PadCustom<-3>) == 0xfffffffd);
  static_assert(PadValueCustom(half(1.0F)) == PadValueCustom16(0x3c00));
  static_assert(isCustomPadValue(PadValueCustom(0)) && !isCustomPadValue(PadValue::Min) &&
                !isCustomPadValue(PadValue::Null));
  TestLoad<float, PadValueCustom(-1.5F)>(-1.5F);
  TestLoad<float, PadValue::Min>(-std::numeric_limits<float>::infinity());
  TestLoad<half, PadValueCustom16(0xc000), BLayout::ColMajor, SLayout::RowMajor>(half(-2));
  TestLoad<bfloat16_t, PadValueCustom16(0x4040)>(bfloat16_t(3));
  TestLoad<int8_t, PadValueCustom(-7), BLayout::ColMajor>(-7);
  TestLoad<uint32_t, PadCustom<-1>>(UINT32_MAX);
  TestLoad<int16_t, PadValueCustom(int16_t{-2}), BLayout::RowMajor, SLayout::ColMajor>(-2);
}

// A pad value of one's own is what every instruction writes that pads.
void TestCustomPads() {
  using Padded =
      Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, 8, 16, SLayout::NoneBox, 512, PadValueCustom(-1.5F)>;
  Tile<TileType::Vec, float, 8, 16, BLayout::RowMajor, 3, 5> src;
  Padded dst, expanded;
  TEXPANDS(src, 2.0F);
  TFILLPAD(dst, src);
  TFILLPAD_EXPAND(expanded, src);
  CHECK(pto_tile_pad(dst.handle()) == PTO_PAD_CUSTOM && pto_tile_pad_bits(dst.handle()) == 0xbfc00000U);
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 16; ++c) {
      const float want = r < 3 && c < 5 ? 2.0F : -1.5F;
      CHECK(dst(r, c) == want && expanded(r, c) == want);
    }
  }
}

// Elements of compact tiles are found where the library has them.
template <typename TileT>
void TestCompact(TileT& tile) {
  Tile<TileType::Vec, half, 48, 32, BLayout::RowMajor, -1, -1> from(20, 32);
  for (int r = 0; r < 20; ++r) {
    for (int c = 0; c < 32; ++c) from(r, c) = half(static_cast<float>(r * 32 + c));
  }
  TMOV(tile, from);
  for (int r = 0; r < 20; ++r) {
    for (int c = 0; c < 32; ++c) CHECK(tile(r, c) == from(r, c));
  }
}
void TestCompacts() {
  TileLeftCompact<half, 48, 32, 20, 32> fixed;
  TestCompact(fixed);
  static_assert(decltype(fixed)::isPacked && decltype(fixed)::Offset(0, 16) == 32 * 16);
  CHECK(pto_tile_compact(fixed.handle()) == PTO_COMPACT_NORMAL && fixed.data()[32 * 16] == half(16.0F));
  TileLeftCompact<half, 48, 32, DYNAMIC, 32> dynamic(20);
  TestCompact(dynamic);
  CHECK(dynamic(1, 17) == half(49.0F));
  dynamic.SetValidRow(48);  // what lies there is another element now
  CHECK(dynamic.data()[48 * 16 + 17] == dynamic(1, 17) && dynamic(1, 17) != half(49.0F));
  using PlusOne = Tile<TileType::Mat, half, 48, 32, BLayout::ColMajor, 20, 32, SLayout::RowMajor, 512, PadValue::Null,
                       CompactMode::RowPlusOne>;
  static_assert(PlusOne::Offset(0, 16) == 49 * 16);
  PlusOne more;
  TestCompact(more);
  // Right operands and scales are row by row of boxes: nothing moves.
  TileRightCompact<half, 48, 32, 20, 32> right;
  TestCompact(right);
  TileAccCompact<float, 48, 32, 20, 32> acc;
  static_assert(decltype(acc)::Offset(0, 16) == 32 * 16 && !decltype(right)::isPacked);
  static_assert(!TileLeftScaleCompact<uint8_t, 16, 2>::isPacked && TileRightScaleCompact<uint8_t, 2, 16>::isPacked);
  // Boxes of 2 x 16 in columns of the valid rows, rounded up to 16.
  static_assert(TileRightScaleCompact<uint8_t, 64, 32, 20, 32>::Offset(0, 16) == 32 * 16);
}

}  // namespace

int main() {
  global::Test();
  TestNumbers();
  TestShapes(8, 6);
  TestTensors();
  TestTiles();
  TestPads();
  TestCustomPads();
  TestCompacts();
  return check::Report("interface");
}
