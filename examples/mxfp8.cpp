// A product of matrices in block-scaled floats, as low-precision kernels make it: 32 elements along k become e4m3 or
// e2m1 beside one power of two, and products are summed in f32. Prints what each format loses, beside the bytes that it
// takes.
//
//   c++ -std=c++17 -O2 mxfp8.cpp -o mxfp8 $(pkg-config --cflags --libs pto) && ./mxfp8
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <pto/pto-inst.hpp>
#include <vector>

using namespace pto;

namespace {

constexpr int kSide = 64;    // of a tile
constexpr int kRows = 128;   // of a, and columns of b
constexpr int kDepth = 512;  // of the sums

template <typename Element>
using Plane = Tile<TileType::Vec, Element, kSide, kSide>;
using Exponents = Tile<TileType::Vec, float8_e8m0_t, kSide, 32, BLayout::RowMajor, kSide, kSide / 32>;
using Groups = Tile<TileType::Vec, float, kSide, 8, BLayout::RowMajor, kSide, kSide / 32>;
using ColumnExponents = Tile<TileType::Vec, float8_e8m0_t, kSide / 32, kSide>;
using ColumnGroups = Tile<TileType::Vec, float, kSide / 32, kSide>;
using Matrix = GlobalTensor<float, Shape<1, 1, 1, kSide, kSide>, Stride<1, 1, 1, DYNAMIC, 1>>;

// A window of a matrix whose rows are `pitch` elements apart.
Matrix Window(float* data, int row, int col, int pitch) {
  return Matrix(data + row * pitch + col, Shape<1, 1, 1, kSide, kSide>(), Stride<1, 1, 1, DYNAMIC, 1>(pitch));
}

// c = a b: a by its rows and b by its columns.
template <MxQuantAlg kAlg>
void Multiply(float* c, float* a, float* b) {
  for (int i = 0; i < kRows; i += kSide) {
    for (int j = 0; j < kRows; j += kSide) {
      TileAcc<float, kSide, kSide> sum;
      for (int k = 0; k < kDepth; k += kSide) {
        Plane<float> numbers;
        Plane<float8_e4m3_t> codes;
        TileLeft<float8_e4m3_t, kSide, kSide> left;
        TileLeftScale<float8_e8m0_t, kSide, kSide / 32> left_scales;
        TileRight<float8_e4m3_t, kSide, kSide> right;
        TileRightScale<float8_e8m0_t, kSide / 32, kSide> right_scales;

        Exponents exponents;
        Groups most, by;
        Matrix from_a = Window(a, i, k, kDepth);
        TLOAD(numbers, from_a);
        TQUANT<1, kAlg>(codes, numbers, &exponents, &most, &by);
        TMOV(left, codes);
        TMOV(left_scales, exponents);

        ColumnExponents column_exponents;
        ColumnGroups column_most, column_by;
        Matrix from_b = Window(b, k, j, kRows);
        TLOAD(numbers, from_b);
        TQUANT<0, kAlg>(codes, numbers, &column_exponents, &column_most, &column_by);
        TMOV(right, codes);
        TMOV(right_scales, column_exponents);

        if (k == 0) {
          TMATMUL_MX(sum, left, left_scales, right, right_scales);
        } else {
          TMATMUL_MX(sum, sum, left, left_scales, right, right_scales);
        }
      }
      Matrix to = Window(c, i, j, kRows);
      TSTORE(to, sum);
    }
  }
}

// The root mean square of the errors, as a share of the root mean square of the product.
double Share(const std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b) {
  double wrong = 0, all = 0;
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kRows; ++j) {
      double right = 0;
      for (size_t k = 0; k < kDepth; ++k) right += double{a[i * kDepth + k]} * b[k * kRows + j];
      const double error = c[i * kRows + j] - right;
      wrong += error * error;
      all += right * right;
    }
  }
  return std::sqrt(wrong / all);
}

}  // namespace

int main() {
  std::vector<float> a(size_t{kRows} * kDepth), b(a.size()), c(size_t{kRows} * kRows);
  std::srand(1);
  for (auto* matrix : {&a, &b}) {
    for (float& x : *matrix) x = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) * 2 - 1;
  }
  double shares[2];
  try {
    Multiply<MxQuantAlg::OcpMxFp8E4M3>(c.data(), a.data(), b.data());
    shares[0] = Share(c, a, b);
    Multiply<MxQuantAlg::NvMxFp8E4M3>(c.data(), a.data(), b.data());
    shares[1] = Share(c, a, b);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::printf("MXFP8, sums of %d products, 8.25 bits an element instead of 32: %.2f %% off by OCP, %.2f %% by NV\n",
              kDepth, 100 * shares[0], 100 * shares[1]);
  return shares[1] > 0.01 && shares[1] < shares[0] && shares[0] < 0.1 ? 0 : 1;
}
