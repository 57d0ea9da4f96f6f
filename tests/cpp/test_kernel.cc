// Kernels as their authors write them: load from global memory, compute, store, with tails, strides, both
// orders of the matrix, padding, and events; and what transfers refuse.
#include <pto/pto-inst.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

// y = x > 0 ? x : x * slope[column], over a matrix of any size, cut in tiles of 32 x 64.
template <typename T>
AICORE void PreluKernel(__gm__ T* y, __gm__ const T* x, __gm__ const T* slope, int rows, int cols) {
  constexpr int kRows = 32;
  constexpr int kCols = 64;
  using TileT = Tile<TileType::Vec, T, kRows, kCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  using ShapeT = Shape<1, 1, 1, DYNAMIC, DYNAMIC>;
  using StrideT = Stride<1, 1, 1, DYNAMIC, 1>;
  using In = GlobalTensor<const T, ShapeT, StrideT>;
  using Out = GlobalTensor<T, ShapeT, StrideT>;
  // Blocks take turns in the rows of tiles.
  const int first = static_cast<int>(get_block_idx()) * kRows;
  const int step = static_cast<int>(get_block_num()) * kRows;
  for (int r = first; r < rows; r += step) {
    for (int c = 0; c < cols; c += kCols) {
      const int valid_rows = rows - r < kRows ? rows - r : kRows;
      const int valid_cols = cols - c < kCols ? cols - c : kCols;
      TileT in(valid_rows, valid_cols), factor(valid_rows, valid_cols), out(valid_rows, valid_cols);
      TileT tmp(valid_rows, valid_cols);
      TASSIGN(in, 0x0);
      TASSIGN(factor, 0x4000);
      TASSIGN(out, 0x8000);
      TASSIGN(tmp, 0xc000);
      In x_part(x + r * cols + c, ShapeT(valid_rows, valid_cols), StrideT(cols));
      // A stride of 0 gives each row the same slopes.
      In slopes(slope + c, ShapeT(valid_rows, valid_cols), StrideT(0));
      Out y_part(y + r * cols + c, ShapeT(valid_rows, valid_cols), StrideT(cols));
      Event<Op::TLOAD, Op::TPRELU> loaded;
      Event<Op::TPRELU, Op::TSTORE> computed;
      TLOAD(in, x_part);
      loaded = TLOAD(factor, slopes);
      computed = TPRELU(out, in, factor, tmp, loaded);
      TSTORE(y_part, out, computed);
    }
  }
}

template <typename T>
void TestPrelu(int rows, int cols, int blocks) {
  const auto count = static_cast<size_t>(rows) * static_cast<size_t>(cols);
  std::vector<T> x(count), slope(static_cast<size_t>(cols)), y(count + 1, T(-99));
  for (size_t k = 0; k < count; ++k) x[k] = T(static_cast<int>(k * 7 % 41) - 20);
  for (size_t k = 0; k < slope.size(); ++k) slope[k] = T(static_cast<float>(k % 5) * 0.25F);
  std::vector<std::thread> cores;
  for (int block = 0; block < blocks; ++block) {
    cores.emplace_back([&, block] {
      SetBlock(block, blocks);
      PreluKernel<T>(y.data(), x.data(), slope.data(), rows, cols);
    });
  }
  for (std::thread& core : cores) core.join();
  for (size_t k = 0; k < count; ++k) {
    const T expected = x[k] > 0 ? x[k] : T(x[k] * slope[k % slope.size()]);
    CHECK(y[k] == expected);
  }
  CHECK(y[count] == T(-99));
}

// Dimensions of a tensor, static and dynamic, and what each form of it gives.
void TestShapes() {
  const Shape<1, DYNAMIC, 3, DYNAMIC, 5> some(7, 9);
  CHECK(some[0] == 1 && some[1] == 7 && some[2] == 3 && some[3] == 9 && some[4] == 5);
  const Shape<1, DYNAMIC, 3, DYNAMIC, 5> fewer(7);
  CHECK(fewer[1] == 7 && fewer[3] == 1);
  const Shape<> all(1, 2, 3, 4, 5);
  CHECK(all[0] == 1 && all[1] == 2 && all[2] == 3 && all[3] == 4 && all[4] == 5);
  const Shape<1, 1, 1, DYNAMIC, DYNAMIC> five(1, 1, 1, 8, 6);
  CHECK(five[3] == 8 && five[4] == 6);
  const BaseShape2D<float, 8, 6> nd;
  const BaseShape2D<float, DYNAMIC, DYNAMIC, Layout::DN> dn(8, 6);
  CHECK(nd[0] == 48 && nd[3] == 6 && nd[4] == 1 && dn[2] == 48 && dn[3] == 1 && dn[4] == 8);
  float data[48] = {};
  GlobalTensor<float, TileShape2D<float, 8, 6>, BaseShape2D<float, 8, 6>> tensor(data);
  CHECK(tensor.GetShape(3) == 8 && tensor.GetShape<4>() == 6 && tensor.GetStride(3) == 6 && tensor.GetStride<4>() == 1);
  CHECK(tensor.data() == data && decltype(tensor)::kCount == 48);
}

// Dense matrices of 32 x 64 elements, with sizes known and not.
template <typename T, Layout L>
bool MatrixIs(const int64_t (&shape)[5], const int64_t (&stride)[5]) {
  const TileShape2D<T, 32, 64, L> shapes;
  const BaseShape2D<T, 32, 64, L> strides;
  const TileShape2D<T, DYNAMIC, DYNAMIC, L> some_shapes(32, 64);
  const BaseShape2D<T, DYNAMIC, DYNAMIC, L> some_strides(32, 64);
  const TileShape2D<T, 32, DYNAMIC, L> half_shapes(64);
  const BaseShape2D<T, DYNAMIC, 64, L> half_strides(32);
  bool good = true;
  for (int d = 0; d < 5; ++d) {
    good &= shapes[d] == shape[d] && some_shapes[d] == shape[d] && half_shapes[d] == shape[d];
    good &= strides[d] == stride[d] && some_strides[d] == stride[d] && half_strides[d] == stride[d];
  }
  return good;
}

void TestMatrices() {
  CHECK((MatrixIs<float, Layout::ND>({1, 1, 1, 32, 64}, {2048, 2048, 2048, 64, 1})));
  CHECK((MatrixIs<float, Layout::DN>({1, 1, 1, 32, 64}, {2048, 2048, 2048, 1, 32})));
  CHECK((MatrixIs<float, Layout::NZ>({1, 8, 2, 16, 8}, {2048, 256, 128, 8, 1})));
  CHECK((MatrixIs<half, Layout::NZ>({1, 4, 2, 16, 16}, {2048, 512, 256, 16, 1})));
  CHECK((MatrixIs<uint8_t, Layout::MX_A_ND>({1, 1, 32, 32, 2}, {2048, 2048, 64, 2, 1})));
  CHECK((MatrixIs<uint8_t, Layout::MX_A_DN>({1, 1, 32, 32, 2}, {2048, 2048, 64, 2, 1})));
  CHECK((MatrixIs<uint8_t, Layout::MX_A_ZZ>({1, 2, 32, 16, 2}, {2048, 1024, 32, 2, 1})));
  CHECK((MatrixIs<uint8_t, Layout::MX_B_ND>({1, 1, 16, 64, 2}, {2048, 2048, 128, 2, 1})));
  CHECK((MatrixIs<uint8_t, Layout::MX_B_DN>({1, 1, 64, 16, 2}, {2048, 2048, 32, 2, 1})));
  CHECK((MatrixIs<uint8_t, Layout::MX_B_NN>({1, 4, 16, 16, 2}, {2048, 512, 32, 2, 1})));
  CHECK((MatrixIs<uint8_t, Layout::HIF4_A_ZZ>({1, 2, 64, 16, 4}, {8192, 4096, 64, 4, 1})));
  CHECK((MatrixIs<uint8_t, Layout::HIF4_B_NN>({1, 4, 32, 16, 4}, {8192, 2048, 64, 4, 1})));
  using Boxes =
      GlobalTensor<float, TileShape2D<float, 32, 16, Layout::NZ>, BaseShape2D<float, 32, 16, Layout::NZ>, Layout::NZ>;
  static_assert(Boxes::kMatrixRows == 32 && Boxes::kMatrixCols == 16);
  float boxes[32 * 16], back[32 * 16] = {};
  for (int i = 0; i < 32 * 16; ++i) boxes[i] = static_cast<float>(i);
  Boxes from(boxes), to(back);
  Tile<TileType::Vec, float, 32, 16> tile;
  TLOAD(tile, from);
  for (int r = 0; r < 32; ++r) {
    for (int c = 0; c < 16; ++c) CHECK(tile(r, c) == static_cast<float>(c / 8 * 256 + r * 8 + c % 8));
  }
  TSTORE(to, tile);
  CHECK(std::memcmp(boxes, back, sizeof(boxes)) == 0);
  TSTORE<decltype(tile), Boxes, AtomicType::AtomicAdd>(to, tile);
  TSTORE(to, tile, AtomicType::AtomicAdd);
  for (int i = 0; i < 32 * 16; ++i) CHECK(back[i] == 3 * boxes[i]);
  TSTORE<decltype(tile), Boxes, AtomicType::AtomicNone>(to, tile);
  CHECK(std::memcmp(boxes, back, sizeof(boxes)) == 0);
  Tile<TileType::Vec, float, 32, 16> staged;
  TPREFETCH(staged, from);
  CHECK(staged(31, 15) == tile(31, 15));
}

// Rows and columns of a tensor of 2 x 3 x 5 x 7 x 11 elements, by the letters of its dimensions.
template <Layout L>
constexpr bool SeenAs(const char* dims) {
  using Tensor = GlobalTensor<float, Shape<2, 3, 5, 7, 11>, Stride<>, L>;
  constexpr int64_t kDims[] = {2, 3, 5, 7, 11};
  int64_t rows = 1;
  for (int d = 0; d < 5; ++d) rows *= dims[d] == 'r' ? kDims[d] : 1;
  return Tensor::kMatrixRows == rows && Tensor::kMatrixCols == 2310 / rows;
}
static_assert(SeenAs<Layout::ND>("rrrrc") && SeenAs<Layout::DN>("cccrc") && SeenAs<Layout::NZ>("ccrrc"));
static_assert(SeenAs<Layout::MX_A_ND>("rrrcc") && SeenAs<Layout::MX_A_DN>("cccrc") && SeenAs<Layout::MX_A_ZZ>("rrcrc"));
static_assert(SeenAs<Layout::MX_B_ND>("rrrcr") && SeenAs<Layout::MX_B_DN>("cccrr") && SeenAs<Layout::MX_B_NN>("ccrcr"));
static_assert(SeenAs<Layout::HIF4_A_ZZ>("rrcrc") && SeenAs<Layout::HIF4_B_NN>("ccrcr"));
static_assert(SeenAs<Layout::NC1HWC0>("rcrrc") && SeenAs<Layout::GNC1HWC0>("rcrrc"));
static_assert(SeenAs<Layout::NCHW>("rrcrr") && SeenAs<Layout::GNCHW>("rrcrr") && SeenAs<Layout::NHWC>("rrrrc"));
static_assert(SeenAs<Layout::NCDHW>("rcrrr") && SeenAs<Layout::FRACTAL_Z>("ccrrc"));
static_assert(SeenAs<Layout::FRACTAL_Z_S16S8>("ccrrc") && SeenAs<Layout::FRACTAL_Z_3D>("ccrrc"));

// Both orders of the matrix, through a tile that pads; the tensors are copies of one another.
void TestOrders() {
  CurrentContext();  // counts as a handle
  float nd[3 * 10], dn[3 * 10], back[3 * 10] = {};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 10; ++c) nd[r * 10 + c] = dn[c * 3 + r] = static_cast<float>(10 * r + c);
  }
  using Nd = GlobalTensor<float, TileShape2D<float, 3, 10>, BaseShape2D<float, 3, 10>>;
  using Dn = GlobalTensor<float, TileShape2D<float, 3, 10>, BaseShape2D<float, 3, 10, Layout::DN>, Layout::DN>;
  Tile<TileType::Vec, float, 4, 16, BLayout::RowMajor, 3, 10, SLayout::NoneBox, 512, PadValue::Max> tile, other;
  const int64_t handles = pto_live_handles();
  {
    Nd from(nd);
    TLOAD(tile, from);
    Nd copy(from);
    TLOAD(other, copy);
    copy = Nd(back);
    TSTORE(copy, other);
    TASSIGN(from, back);
    CHECK(from.data() == back);
    Dn turned(dn);
    TLOAD(other, turned);
  }
  CHECK(pto_live_handles() == handles + 2);  // the tiles
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 16; ++c) {
      const float expected = r < 3 && c < 10 ? static_cast<float>(10 * r + c) : HUGE_VALF;
      CHECK(tile(r, c) == expected && other(r, c) == expected);
    }
  }
  CHECK(std::memcmp(nd, back, sizeof(nd)) == 0);
}

template <typename Call>
void Refused(const char* rule, Call call) {
  std::string seen = "nothing";
  try {
    call();
  } catch (const Error& error) {
    seen = error.rule();
  }
  if (seen != rule) std::fprintf(stderr, "%s expected, %s seen\n", rule, seen.c_str());
  CHECK(seen == rule);
}

void TestRefusals() {
  using Any = GlobalTensor<float, Shape<>, Stride<>>;
  float data[64] = {};
  Tile<TileType::Vec, float, 8, 8> tile;
  Any count(data, Shape<>(1, 1, 1, 8, 7), Stride<>(64, 64, 64, 8, 1));
  Refused("transfer-covers", [&] { TLOAD(tile, count); });
  Refused("transfer-covers", [&] { TSTORE(count, tile); });
  Any none(nullptr, Shape<>(1, 1, 1, 8, 8), Stride<>(64, 64, 64, 8, 1));
  Refused("null", [&] { TLOAD(tile, none); });
  Any backwards(data, Shape<>(1, 1, 1, 8, 8), Stride<>(64, 64, 64, -8, 1));
  Refused("tensor-stride", [&] { TLOAD(tile, backwards); });
  Any negative(data, Shape<>(1, 1, 1, -8, 8), Stride<>(64, 64, 64, 8, 1));
  Refused("tensor-dim", [&] { TLOAD(tile, negative); });
  Any huge(data, Shape<>(1, 1, 1, 1 << 30, 1 << 30), Stride<>(1, 1, 1, 1 << 30, 1));
  Refused("tensor-size", [&] { TLOAD(tile, huge); });
  Any odd(reinterpret_cast<float*>(reinterpret_cast<char*>(data) + 1), Shape<>(1, 1, 1, 1, 8), Stride<>(8, 8, 8, 8, 1));
  Refused("data-alignment", [&] { TLOAD(tile, odd); });
  SetProfile(PTO_PROFILE_A5);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<64, 64, 64, 1, 8>, Layout::DN> turned(data);
  Refused("transfer-layout", [&] { TLOAD(tile, turned); });
  Tile<TileType::Acc, float, 16, 8> acc;
  GlobalTensor<float, Shape<1, 1, 1, 16, 8>, Stride<128, 128, 128, 8, 1>> part(data);
  Refused("location-load", [&] { TLOAD(acc, part); });
  SetProfile(PTO_PROFILE_CPU);
  TLOAD(tile, turned);
}

}  // namespace

int main() {
  TestPrelu<float>(64, 128, 1);
  TestPrelu<float>(75, 201, 3);
  TestPrelu<half>(33, 65, 2);
  TestPrelu<bfloat16_t>(1, 1, 1);
  TestShapes();
  TestMatrices();
  TestOrders();
  TestRefusals();
  return check::Report("kernel");
}
