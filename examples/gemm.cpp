// A product of matrices in C++ tiles: c = a b, in f16 with f32 accumulators, 512 x 512 x 512.
//
// Tiles of a and b go from global memory to mat and on to left and right, where the matrix unit reads them; it sums in
// acc, over k in order, in one chain of fused multiply-adds an element. The kernel keeps A5's rules and capacities.
#include <cmath>
#include <cstdio>
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <vector>

using namespace pto;

namespace {

constexpr int kTile = 128;  // rows, columns and products of a tile

// The sides are multiples of kTile. Strips of kTile rows are dealt out to the blocks.
AICORE void Gemm(__gm__ float* c, __gm__ const half* a, __gm__ const half* b, int rows, int cols, int inner) {
  using Square = Shape<1, 1, 1, kTile, kTile>;
  using Rows = Stride<1, 1, 1, DYNAMIC, 1>;
  using Matrix = Tile<TileType::Mat, half, kTile, kTile, BLayout::ColMajor, kTile, kTile, SLayout::RowMajor>;
  Matrix a_mat, b_mat;
  TileLeft<half, kTile, kTile> left;
  TileRight<half, kTile, kTile> right;
  TileAcc<float, kTile, kTile> acc;
  TASSIGN(a_mat, 0x0000);
  TASSIGN(b_mat, 0x8000);
  TASSIGN(left, 0x0000);
  TASSIGN(right, 0x0000);
  TASSIGN(acc, 0x0000);

  const int first = static_cast<int>(get_block_idx()) * kTile;
  const int stride = static_cast<int>(get_block_num()) * kTile;
  for (int i = first; i < rows; i += stride) {
    for (int j = 0; j < cols; j += kTile) {
      for (int k = 0; k < inner; k += kTile) {
        GlobalTensor<const half, Square, Rows> a_part(a + i * inner + k, Square(), Rows(inner));
        GlobalTensor<const half, Square, Rows> b_part(b + k * cols + j, Square(), Rows(cols));
        TLOAD(a_mat, a_part);
        TLOAD(b_mat, b_part);
        TMOV(left, a_mat);
        TMOV(right, b_mat);
        if (k == 0) {
          TMATMUL(acc, left, right);
        } else {
          TMATMUL_ACC(acc, acc, left, right);
        }
      }
      GlobalTensor<float, Square, Rows> c_part(c + i * cols + j, Square(), Rows(cols));
      TSTORE(c_part, acc);
    }
  }
}

}  // namespace

int main() {
  constexpr int kSide = 512;
  constexpr int kBlocks = 4;
  std::vector<half> a(kSide * kSide), b(kSide * kSide);
  std::vector<float> c(kSide * kSide);
  for (int at = 0; at < kSide * kSide; ++at) {
    a[static_cast<size_t>(at)] = half(static_cast<float>(at * 37 % 2039 - 1019) / 1024.0F);
    b[static_cast<size_t>(at)] = half(static_cast<float>(at * 101 % 2027 - 1013) / 1024.0F);
  }

  SetProfile(PTO_PROFILE_A5);  // what A5 refuses is an error here too
  SetThreads(2);               // blocks have memory of their own, as on the NPU a core each
  try {
    Launch(kBlocks, Gemm, c.data(), a.data(), b.data(), kSide, kSide, kSide);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  // The contract of TMATMUL, element by element, for elements of every tile.
  int seen = 0, wrong = 0;
  for (int at = 0; at < kSide * kSide; at += 97, ++seen) {
    float sum = 0;
    for (int k = 0; k < kSide; ++k) {
      const size_t left = static_cast<size_t>(at / kSide * kSide + k),
                   right = static_cast<size_t>(k * kSide + at % kSide);
      sum = std::fmaf(static_cast<float>(a[left]), static_cast<float>(b[right]), sum);
    }
    wrong += c[static_cast<size_t>(at)] != sum;
  }
  std::printf("%d x %d x %d: c[1][2] = %.9g; %d of %d sums are not the chain of fused multiply-adds\n", kSide, kSide,
              kSide, c[kSide + 2], wrong, seen);
  return wrong == 0 ? 0 : 1;
}
