// A tile kernel in C++: column-wise normalisation with a power curve, over a matrix of any size.
//
//   y[r,c] = (x[r,c] / peak[c]) ** gamma
//
// The kernel is what a PTO author writes for the NPU; only main() knows that it runs on a CPU.
#include <pto/pto-inst.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace pto;

namespace {

constexpr int kRows = 16;
constexpr int kCols = 32;

AICORE void Normalise(__gm__ float* y, __gm__ const float* x, __gm__ const float* peak, __gm__ const float* gamma,
                      int rows, int cols) {
  using TileT = Tile<TileType::Vec, float, kRows, kCols, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  using RowT = Tile<TileType::Vec, float, 1, kCols, BLayout::RowMajor, 1, DYNAMIC>;
  using ShapeT = Shape<1, 1, 1, DYNAMIC, DYNAMIC>;
  using StrideT = Stride<1, 1, 1, DYNAMIC, 1>;
  using In = GlobalTensor<const float, ShapeT, StrideT>;
  using Out = GlobalTensor<float, ShapeT, StrideT>;

  for (int c = 0; c < cols; c += kCols) {
    const int valid_cols = cols - c < kCols ? cols - c : kCols;
    RowT scale(valid_cols);
    TASSIGN(scale, 0x0000);
    In peaks(peak + c, ShapeT(1, valid_cols), StrideT(cols));
    TLOAD(scale, peaks);
    for (int r = 0; r < rows; r += kRows) {
      const int valid_rows = rows - r < kRows ? rows - r : kRows;
      TileT data(valid_rows, valid_cols), power(valid_rows, valid_cols), tmp(valid_rows, valid_cols);
      TASSIGN(data, 0x1000);
      TASSIGN(power, 0x2000);
      TASSIGN(tmp, 0x3000);
      In from(x + r * cols + c, ShapeT(valid_rows, valid_cols), StrideT(cols));
      In exponents(gamma, ShapeT(valid_rows, valid_cols), StrideT(kCols));
      Out to(y + r * cols + c, ShapeT(valid_rows, valid_cols), StrideT(cols));

      Event<Op::TLOAD, Op::TCOLEXPANDDIV> loaded;
      Event<Op::TPOW, Op::TSTORE> computed;
      TLOAD(power, exponents);
      loaded = TLOAD(data, from);
      TCOLEXPANDDIV(data, data, scale, loaded);
      computed = TPOW<PowAlgorithm::HIGH_PRECISION>(data, data, power, tmp);
      TSTORE(to, data, computed);
    }
  }
}

}  // namespace

int main() {
  constexpr int kX = 37;  // neither divides into tiles
  constexpr int kY = 45;
  std::vector<float> x(kX * kY), y(kX * kY), peak(kY), gamma(kRows * kCols, 0.45F);
  for (int k = 0; k < kX * kY; ++k) x[static_cast<size_t>(k)] = static_cast<float>(k % 256);
  for (int c = 0; c < kY; ++c) peak[static_cast<size_t>(c)] = 255.0F + static_cast<float>(c);

  SetProfile(PTO_PROFILE_A5);  // what A5 refuses is an error here too
  try {
    Normalise(y.data(), x.data(), peak.data(), gamma.data(), kX, kY);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  int wrong = 0;
  for (int k = 0; k < kX * kY; ++k) {
    const auto at = static_cast<size_t>(k);
    const double ratio = static_cast<double>(x[at] / peak[at % kY]);
    wrong += y[at] != static_cast<float>(std::pow(ratio, static_cast<double>(gamma[0])));
  }
  std::printf("y[2][10] = (%g / %g) ** %g = %.7g; %d of %d results are not pow()'s\n", x[2 * kY + 10], peak[10],
              gamma[0], y[2 * kY + 10], wrong, kX * kY);

  try {  // an error, and its message
    Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, DYNAMIC, DYNAMIC> dst(16, 9), src(16, 8);
    TRSQRT(dst, src);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
  }
  return wrong == 0 ? 0 : 1;
}
