// FlashAttention in C++ tiles: out = softmax(q k' / 8) v for n rows of 64 numbers, in f16 with f32 accumulators,
// without ever holding the n x n scores.
//
// Strips of 128 rows of q meet k and v, 128 rows at a time. Of each row the kernel keeps the largest score so far, the
// sum of the exponentials and the weighted sum of v, and scales the last two down at each larger score. It keeps
// A5's rules and capacities: it is A5 that moves tiles between vec and the memories of the matrix unit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <pto/pto-inst.hpp>
#include <vector>

using namespace pto;

namespace {

constexpr int kDepth = 64;        // numbers a row of q, k, v and out
constexpr int kRows = 128;        // rows of q at a time
constexpr int kKeys = 128;        // rows of k and v at a time
constexpr float kScale = 0.125F;  // 1 / sqrt(kDepth)

template <TileType location, typename T, int rows, int cols>
using Nz = Tile<location, T, rows, cols, BLayout::ColMajor, rows, cols, SLayout::RowMajor>;
template <typename T, int rows, int cols>
using Vec = Tile<TileType::Vec, T, rows, cols>;
// One number per row: a column where instructions work by rows, a row in the same memory where they work by elements.
using Column = Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor>;
using Row = Vec<float, 1, kRows>;

// n is a multiple of kKeys. Strips of kRows rows are dealt out to the blocks.
AICORE void Attention(__gm__ half* out, __gm__ const half* q, __gm__ const half* k, __gm__ const half* v, int n) {
  using ByRows = Stride<1, 1, 1, kDepth, 1>;
  using Rows = GlobalTensor<const half, Shape<1, 1, 1, kRows, kDepth>, ByRows>;
  using Values = GlobalTensor<const half, Shape<1, 1, 1, kKeys, kDepth>, ByRows>;
  using KeysAcross = GlobalTensor<const half, Shape<1, 1, 1, kDepth, kKeys>, Stride<1, 1, 1, 1, kDepth>, Layout::DN>;
  using Results = GlobalTensor<half, Shape<1, 1, 1, kRows, kDepth>, ByRows>;

  // The matrix unit.
  Nz<TileType::Mat, half, kRows, kDepth> q_mat;
  Tile<TileType::Mat, half, kDepth, kKeys, BLayout::RowMajor, kDepth, kKeys, SLayout::ColMajor> k_mat;
  Nz<TileType::Mat, half, kKeys, kDepth> v_mat;
  Nz<TileType::Mat, half, kRows, kKeys> weights_mat;
  TileLeft<half, kRows, kDepth> q_left;
  TileLeft<half, kRows, kKeys> weights_left;
  TileRight<half, kDepth, kKeys> k_right;
  TileRight<half, kKeys, kDepth> v_right;
  TileAcc<float, kRows, kKeys> scores_acc;
  TileAcc<float, kRows, kDepth> part_acc;
  TASSIGN(q_mat, 0x0000), TASSIGN(k_mat, 0x4000), TASSIGN(v_mat, 0x8000), TASSIGN(weights_mat, 0xc000);
  TASSIGN(q_left, 0x0000), TASSIGN(weights_left, 0x4000);
  TASSIGN(k_right, 0x0000), TASSIGN(v_right, 0x4000);
  TASSIGN(scores_acc, 0x0000), TASSIGN(part_acc, 0x10000);

  // The vector unit.
  Vec<float, kRows, kKeys> scores, tmp;
  Vec<half, kRows, kKeys> weights;
  Vec<float, kRows, kDepth> part, sum;
  Vec<half, kRows, kDepth> result;
  TASSIGN(scores, 0x0000), TASSIGN(tmp, 0x10000), TASSIGN(weights, 0x20000);
  TASSIGN(part, 0x28000), TASSIGN(sum, 0x30000), TASSIGN(result, 0x38000);
  Column highest, higher, down, total, more;
  Row highest_row, higher_row, down_row, total_row, more_row;
  TASSIGN(highest, 0x3c000), TASSIGN(highest_row, 0x3c000);
  TASSIGN(higher, 0x3c200), TASSIGN(higher_row, 0x3c200);
  TASSIGN(down, 0x3c400), TASSIGN(down_row, 0x3c400);
  TASSIGN(total, 0x3c600), TASSIGN(total_row, 0x3c600);
  TASSIGN(more, 0x3c800), TASSIGN(more_row, 0x3c800);

  const int first = static_cast<int>(get_block_idx()) * kRows;
  const int stride = static_cast<int>(get_block_num()) * kRows;
  for (int i = first; i < n; i += stride) {
    Rows q_part(q + i * kDepth);
    TLOAD(q_mat, q_part);
    TMOV(q_left, q_mat);
    TEXPANDS(highest_row, -std::numeric_limits<float>::infinity());
    TEXPANDS(total_row, 0.0F);
    TEXPANDS(sum, 0.0F);
    for (int j = 0; j < n; j += kKeys) {
      KeysAcross k_part(k + j * kDepth);
      TLOAD(k_mat, k_part);
      TMOV(k_right, k_mat);
      TMATMUL(scores_acc, q_left, k_right);
      TMOV(scores, scores_acc);
      TMULS(scores, scores, kScale);

      // The largest score, and by how much what is there is scaled down.
      TROWMAX(higher, scores, tmp);
      TMAX(higher_row, highest_row, higher_row);
      TSUB(down_row, highest_row, higher_row);
      TEXP(down_row, down_row);
      TMOV(highest_row, higher_row);

      // The weights and their sum.
      TROWEXPANDEXPDIF(scores, scores, highest);
      TROWSUM(more, scores, tmp);
      TMUL(total_row, total_row, down_row);
      TADD(total_row, total_row, more_row);

      // The rows of v by their weights.
      TCVT(weights, scores, RoundMode::CAST_RINT);
      TMOV(weights_mat, weights);
      TMOV(weights_left, weights_mat);
      Values v_part(v + j * kDepth);
      TLOAD(v_mat, v_part);
      TMOV(v_right, v_mat);
      TMATMUL(part_acc, weights_left, v_right);
      TMOV(part, part_acc);
      TROWEXPANDMUL(sum, sum, down);
      TADD(sum, sum, part);
    }
    TROWEXPANDDIV(sum, sum, total);
    TCVT(result, sum, RoundMode::CAST_RINT);
    Results to(out + i * kDepth);
    TSTORE(to, result);
  }
}

// The largest error of a row of out, as a share of the error that the arithmetic allows, which
// tests/cli/test_attention.py derives.
double ShareOfBound(const half* out, const half* q, const std::vector<half>& k, const std::vector<half>& v, int n) {
  constexpr double kF32 = 0x1p-24, kF16 = 0x1p-11,
                   kTiny = 0x1p-25;  // errors of one rounding: relative, and of subnormals
  std::vector<double> weights(static_cast<size_t>(n));
  double low = INFINITY, high = -INFINITY, magnitude = 0, total = 0;
  for (int j = 0; j < n; ++j) {
    double score = 0, size = 0;
    for (int d = 0; d < kDepth; ++d) {
      const double product =
          static_cast<double>(q[d]) * static_cast<double>(k[static_cast<size_t>(j * kDepth + d)]) * kScale;
      score += product, size += std::fabs(product);
    }
    weights[static_cast<size_t>(j)] = score;
    low = std::min(low, score), high = std::max(high, score), magnitude = std::max(magnitude, size);
  }
  for (double& weight : weights) total += weight = std::exp(weight - high);
  const double f = kF32 * (kDepth * magnitude + 2 * (high - low) + 2 + 4 * (n / kKeys) + kKeys);
  double share = 0;
  for (int d = 0; d < kDepth; ++d) {
    double want = 0, size = 0, all = 0;
    for (int j = 0; j < n; ++j) {
      const double value = static_cast<double>(v[static_cast<size_t>(j * kDepth + d)]);
      const double part = weights[static_cast<size_t>(j)] / total * value;
      want += part, size += std::fabs(part), all += std::fabs(value);
    }
    const double bound = 1.01 * ((kF16 + 2 * f) * size + kTiny * all + kF16 * std::fabs(want)) + kTiny;
    share = std::max(share, std::fabs(static_cast<double>(out[d]) - want) / bound);
  }
  return share;
}

}  // namespace

int main() {
  constexpr int kN = 1024;
  constexpr int kBlocks = 8;
  std::vector<half> q(kN * kDepth), k(kN * kDepth), v(kN * kDepth), out(kN * kDepth);
  uint32_t state = 1;
  const auto random = [&state] {  // -1 to 1
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(state >> 8) * 0x1p-23F - 1.0F;
  };
  for (size_t at = 0; at < out.size(); ++at) {
    q[at] = half(3 * random());
    k[at] =
        half(3 * random() * (1 + static_cast<float>(at) / static_cast<float>(out.size())));  // later scores are larger
    v[at] = half(random());
  }

  SetProfile(PTO_PROFILE_A5);  // what A5 refuses is an error here too
  try {
    for (int block = 0; block < kBlocks; ++block) {  // one after another; on the NPU each has a core of its own
      SetBlock(block, kBlocks);
      Attention(out.data(), q.data(), k.data(), v.data(), kN);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }

  double share = 0;
  for (int i = 0; i < kN; i += 17) {
    const size_t row = static_cast<size_t>(i * kDepth);
    share = std::max(share, ShareOfBound(&out[row], &q[row], k, v, kN));
  }
  std::printf("%d x %d: out[0][0] = %g; the largest error is %.2f of what the arithmetic allows\n", kN, kDepth,
              static_cast<double>(out[0]), share);
  return share <= 1 ? 0 : 1;
}
