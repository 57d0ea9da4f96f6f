// A kernel with its cube and its vector half in one source, as NPU compilers take it: y = max(a b, 0), in f16 with f32
// sums.
//
// The source is compiled three times. With -D__DAV_CUBE__ and with -D__DAV_VEC__ it has the kernel of one kind of core,
// which only the name of the entry point tells apart. Without either it has the program that launches both.
#if defined(__DAV_CUBE__) || defined(__DAV_VEC__)

#include <pto/pto-inst.hpp>

using namespace pto;

namespace {

constexpr int kSide = 64;

// Sums leave the cube core through a pipe; each of the two vector cores gets half of their rows.
using Sums = TPipe<0, Direction::DIR_C2V, kSide * kSide * sizeof(float), 2>;
using Row = Stride<1, 1, 1, kSide, 1>;

}  // namespace

extern "C" AICORE void ENTRY(__gm__ float* y, __gm__ const half* a, __gm__ const half* b) {
  Sums sums;
#if defined(__DAV_CUBE__)
  using Matrix = Tile<TileType::Mat, half, kSide, kSide, BLayout::ColMajor, kSide, kSide, SLayout::RowMajor>;
  GlobalTensor<const half, Shape<1, 1, 1, kSide, kSide>, Row> from_a(a), from_b(b);
  Matrix a_mat, b_mat;
  TileLeft<half, kSide, kSide> left;
  TileRight<half, kSide, kSide> right;
  TileAcc<float, kSide, kSide> acc;
  TASSIGN(a_mat, 0x0000);
  TASSIGN(b_mat, 0x4000);
  TASSIGN(left, 0x0000);
  TASSIGN(right, 0x0000);
  TASSIGN(acc, 0x0000);
  TLOAD(a_mat, from_a);
  TLOAD(b_mat, from_b);
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  TMOV(left, a_mat);
  TMOV(right, b_mat);
  set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  TMATMUL(acc, left, right);
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  TPUSH<Sums, decltype(acc), TileSplitAxis::TILE_UP_DOWN>(sums, acc);
  (void)y;
#else
  constexpr int kRows = kSide / 2;
  Tile<TileType::Vec, float, kRows, kSide> half_of;
  TASSIGN(half_of, 0x0000);
  TPOP<Sums, decltype(half_of), TileSplitAxis::TILE_UP_DOWN>(sums, half_of);
  TRELU(half_of, half_of);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  GlobalTensor<float, Shape<1, 1, 1, kRows, kSide>, Row> to(y + get_subblockid() * kRows * kSide);
  TSTORE(to, half_of);
  TFREE<Sums, TileSplitAxis::TILE_UP_DOWN>(sums);
  (void)a, (void)b;
#endif
}

#else

#include <cstdio>
#include <pto/pto-launch.hpp>
#include <vector>

extern "C" void relu_cube(float* y, const pto::half* a, const pto::half* b);
extern "C" void relu_vector(float* y, const pto::half* a, const pto::half* b);

int main() {
  constexpr size_t kSide = 64;
  std::vector<pto::half> a(kSide * kSide), b(kSide * kSide);
  std::vector<float> y(kSide * kSide, -1);
  for (size_t at = 0; at < a.size(); ++at) {
    a[at] = pto::half(static_cast<float>(at * 7 % 31) - 15);
    b[at] = pto::half(static_cast<float>(at * 5 % 29) - 14);
  }
  try {
    pto::LaunchCores(1, 2, relu_cube, relu_vector, y.data(), a.data(), b.data());
  } catch (const pto::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  int wrong = 0, positive = 0;
  for (size_t r = 0; r < kSide; ++r) {
    for (size_t c = 0; c < kSide; ++c) {
      float sum = 0;  // integers: exact in any order
      for (size_t k = 0; k < kSide; ++k)
        sum += static_cast<float>(a[r * kSide + k]) * static_cast<float>(b[k * kSide + c]);
      wrong += y[r * kSide + c] != (sum > 0 ? sum : 0);
      positive += sum > 0;
    }
  }
  std::printf("%zu elements by a cube core and two vector cores, %d of them positive, %d wrong\n", y.size(), positive,
              wrong);
  return wrong == 0 && positive > 0 ? 0 : 1;
}

#endif
