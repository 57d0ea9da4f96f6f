// Softmax of each row in C++ tiles, of rows longer than on-chip memory, by blocks on several threads.
//
// A block takes strips of 16 rows and reads them twice, 512 columns at a time: for the largest number and the sum of
// the exponentials, which a larger number scales down, and then for the quotients. The kernel keeps A5's rules and
// capacities.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <vector>

using namespace pto;

namespace {

constexpr int kRows = 16;
constexpr int kCols = 512;

using Window = GlobalTensor<const float, Shape<1, 1, 1, kRows, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
using Target = GlobalTensor<float, Shape<1, 1, 1, kRows, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
using Strip = Tile<TileType::Vec, float, kRows, kCols, BLayout::RowMajor, kRows, DYNAMIC>;
// One number per row: a column for what works by rows, and the same memory as a row for the rest.
using Column = Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor>;
using Line = Tile<TileType::Vec, float, 1, kRows>;

// rows is a multiple of 16, cols any number.
AICORE void Softmax(__gm__ float* y, __gm__ const float* x, int rows, int cols) {
  Column top, higher, sum, part;
  Line top_row, higher_row, sum_row, part_row, down_row;
  TASSIGN(top, 0x0000);
  TASSIGN(top_row, 0x0000);
  TASSIGN(higher, 0x0040);
  TASSIGN(higher_row, 0x0040);
  TASSIGN(sum, 0x0080);
  TASSIGN(sum_row, 0x0080);
  TASSIGN(part, 0x00C0);
  TASSIGN(part_row, 0x00C0);
  TASSIGN(down_row, 0x0100);

  const int first = static_cast<int>(get_block_idx()) * kRows;
  const int stride = static_cast<int>(get_block_num()) * kRows;
  for (int i = first; i < rows; i += stride) {
    TEXPANDS(top_row, -INFINITY);
    TEXPANDS(sum_row, 0.0F);
    for (int j = 0; j < cols; j += kCols) {
      const int count = std::min(cols - j, kCols);
      Strip strip(static_cast<unsigned>(count));
      TASSIGN(strip, 0x0200);
      Window window(x + i * cols + j, {count}, {cols});
      TLOAD(strip, window);
      TROWMAX(higher, strip, strip);
      TMAX(higher_row, top_row, higher_row);
      TSUB(down_row, top_row, higher_row);
      TEXP(down_row, down_row);
      TMOV(top_row, higher_row);
      TROWEXPANDEXPDIF(strip, strip, top);
      TROWSUM(part, strip, strip);
      TMUL(sum_row, sum_row, down_row);
      TADD(sum_row, sum_row, part_row);
    }
    for (int j = 0; j < cols; j += kCols) {
      const int count = std::min(cols - j, kCols);
      Strip strip(static_cast<unsigned>(count));
      TASSIGN(strip, 0x0200);
      Window window(x + i * cols + j, {count}, {cols});
      Target target(y + i * cols + j, {count}, {cols});
      TLOAD(strip, window);
      TROWEXPANDEXPDIF(strip, strip, top);
      TROWEXPANDDIV(strip, strip, sum);
      TSTORE(target, strip);
    }
  }
}

}  // namespace

int main() {
  constexpr int kHeight = 256;
  constexpr int kWidth = 5000;
  std::vector<float> x(kHeight * kWidth), y(x.size());
  for (size_t at = 0; at < x.size(); ++at) x[at] = static_cast<float>(at * 37 % 2039) / 256.0F;

  SetProfile(PTO_PROFILE_A5);  // what A5 refuses is an error here too
  SetThreads(2);
  try {
    Launch(8, Softmax, y.data(), x.data(), kHeight, kWidth);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  // In doubles; exponents reach 8, so that a weight is off by 10 roundings, and the sum of 5000 by 5000 more.
  double worst = 0;
  for (int row = 0; row < kHeight; ++row) {
    const float* from = &x[static_cast<size_t>(row * kWidth)];
    const double top = *std::max_element(from, from + kWidth);
    double sum = 0;
    for (int col = 0; col < kWidth; ++col) sum += std::exp(from[col] - top);
    for (int col = 0; col < kWidth; ++col) {
      const double right = std::exp(from[col] - top) / sum;
      worst = std::max(worst, std::fabs(y[static_cast<size_t>(row * kWidth + col)] / right - 1));
    }
  }
  const double bound = (2 * (8 + 2) + 5000 / kCols + kCols + 4) * std::ldexp(1.0, -24);
  std::printf("%d rows of %d: y[1][2] = %.9g, wrong by at most %.2g of itself, where %.2g may be\n", kHeight, kWidth,
              y[kWidth + 2], worst, bound);
  return worst <= bound ? 0 : 1;
}
