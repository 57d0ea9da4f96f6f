// Attention over four ranks, a head on each: every rank computes softmax(q k' / 4) v of its head and multiplies it by
// its rows of the output weights. The sum of the four products is the result, which ALLREDUCE gives to every rank.
//
// One rank that computes the heads one after another and adds the products in the same order has the same bits: each
// head is the same work, and ALLREDUCE adds in the order of ranks. A single product over the 64 columns of all heads
// would not: it rounds between the heads at other places.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "pto/pto-comm.hpp"
#include "pto/pto-inst.hpp"
#include "pto/pto-launch.hpp"

using namespace pto;

namespace {

constexpr int kHeads = 4;
constexpr int kRows = 32;   // tokens
constexpr int kDepth = 16;  // numbers of a head's row of q, k and v
constexpr int kModel = 64;  // numbers of a row of the result
constexpr float kScale = 0.25F;

// The operands of a head, and its part of the result.
struct Head {
  half q[kRows * kDepth];
  half k[kRows * kDepth];
  half v[kRows * kDepth];
  half weights[kDepth * kModel];  // rows of the output weights
};
struct Window {
  float result[kRows * kModel];
  Head head;
  int32_t ready;
  int32_t done;
};

template <TileType location, typename T, int rows, int cols>
using Nz = Tile<location, T, rows, cols, BLayout::ColMajor, rows, cols, SLayout::RowMajor>;
template <typename T, int rows, int cols>
using Vec = Tile<TileType::Vec, T, rows, cols>;
template <typename T, int rows, int cols>
using Matrix = GlobalTensor<T, Shape<1, 1, 1, rows, cols>, Stride<rows * cols, rows * cols, rows * cols, cols, 1>>;
using KeysAcross = GlobalTensor<half, Shape<1, 1, 1, kDepth, kRows>, Stride<1, 1, 1, 1, kDepth>, Layout::DN>;
using Product = Vec<float, kRows, kModel>;

// product = softmax(q k' / 4) v weights
AICORE void OneHead(Head* head, Product& product) {
  Matrix<half, kRows, kDepth> q(head->q);
  KeysAcross k(head->k);
  Matrix<half, kRows, kDepth> v(head->v);
  Matrix<half, kDepth, kModel> weights(head->weights);

  Nz<TileType::Mat, half, kRows, kDepth> q_mat;
  Tile<TileType::Mat, half, kDepth, kRows, BLayout::RowMajor, kDepth, kRows, SLayout::ColMajor> k_mat;
  Nz<TileType::Mat, half, kRows, kDepth> v_mat;
  Nz<TileType::Mat, half, kDepth, kModel> weights_mat;
  TileLeft<half, kRows, kDepth> q_left;
  TileRight<half, kDepth, kRows> k_right;
  TileRight<half, kRows, kDepth> v_right;
  TileRight<half, kDepth, kModel> weights_right;
  TileAcc<float, kRows, kRows> scores_acc;
  TLOAD(q_mat, q);
  TLOAD(k_mat, k);
  TMOV(q_left, q_mat);
  TMOV(k_right, k_mat);
  TMATMUL(scores_acc, q_left, k_right);

  // Softmax of each row.
  Vec<float, kRows, kRows> scores;
  Vec<float, kRows, kRows> tmp;
  Tile<TileType::Vec, float, kRows, 1, BLayout::ColMajor> of_row;
  TMOV(scores, scores_acc);
  TMULS(scores, scores, kScale);
  TROWMAX(of_row, scores, tmp);
  TROWEXPANDEXPDIF(scores, scores, of_row);
  TROWSUM(of_row, scores, tmp);
  TROWEXPANDDIV(scores, scores, of_row);

  Vec<half, kRows, kRows> shares;
  Nz<TileType::Mat, half, kRows, kRows> shares_mat;
  TileLeft<half, kRows, kRows> shares_left;
  TileAcc<float, kRows, kDepth> mixed_acc;
  TCVT(shares, scores, RoundMode::CAST_RINT);
  TMOV(shares_mat, shares);
  TMOV(shares_left, shares_mat);
  TLOAD(v_mat, v);
  TMOV(v_right, v_mat);
  TMATMUL(mixed_acc, shares_left, v_right);

  Vec<float, kRows, kDepth> mixed;
  Vec<half, kRows, kDepth> mixed_half;
  Nz<TileType::Mat, half, kRows, kDepth> mixed_mat;
  TileLeft<half, kRows, kDepth> mixed_left;
  TileAcc<float, kRows, kModel> product_acc;
  TMOV(mixed, mixed_acc);
  TCVT(mixed_half, mixed, RoundMode::CAST_RINT);
  TMOV(mixed_mat, mixed_half);
  TMOV(mixed_left, mixed_mat);
  TLOAD(weights_mat, weights);
  TMOV(weights_right, weights_mat);
  TMATMUL(product_acc, mixed_left, weights_right);
  TMOV(product, product_acc);
}

AICORE void OnRank(comm::CommContext* context, Window* own) {
  const int rank = static_cast<int>(context->rankId);
  const int ranks = static_cast<int>(context->rankNum);
  Product product;
  OneHead(&own->head, product);
  Matrix<float, kRows, kModel> result(own->result);
  TSTORE(result, product);

  // The root waits for all parts, adds them, and notifies all.
  comm::Signal ready(comm::domain::RemotePtr(context, &own->ready, 0));
  comm::Signal done(&own->done);
  comm::TNOTIFY(ready, 1, comm::NotifyOp::AtomicAdd);
  if (rank == 0) {
    comm::TWAIT(ready, ranks, comm::WaitCmp::GE);
    std::vector<Matrix<float, kRows, kModel>> parts;
    for (int peer = 0; peer < ranks; ++peer) parts.emplace_back(comm::domain::RemotePtr(context, own->result, peer));
    auto group = comm::ParallelGroup<Matrix<float, kRows, kModel>>::Create(parts.data(), ranks, 0);
    Product recv;
    comm::ALLREDUCE(group, product, recv, comm::ReduceOp::Sum);
    for (int peer = 0; peer < ranks; ++peer) {
      comm::Signal of_peer(comm::domain::RemotePtr(context, &own->done, peer));
      comm::TNOTIFY(of_peer, 1, comm::NotifyOp::Set);
    }
  }
  comm::TWAIT(done, 1, comm::WaitCmp::EQ);
}

// All heads on one rank, one after another.
AICORE void Alone(Window* const* windows, float* out) {
  Product sum;
  OneHead(&windows[0]->head, sum);
  for (int head = 1; head < kHeads; ++head) {
    Product product;
    OneHead(&windows[head]->head, product);
    TADD(sum, sum, product);
  }
  Matrix<float, kRows, kModel> result(out);
  TSTORE(result, sum);
}

}  // namespace

int main() {
  World world(kHeads, sizeof(Window));
  Window* windows[kHeads];
  uint32_t seed = 1;
  const auto random = [&] {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<half>(static_cast<float>(seed >> 16) / 32768.0F - 1.0F);
  };
  for (int rank = 0; rank < kHeads; ++rank) {
    windows[rank] = world.Window<Window>(rank);
    Head& head = windows[rank]->head;
    for (half& x : head.q) x = random();
    for (half& x : head.k) x = random();
    for (half& x : head.v) x = random();
    for (half& x : head.weights) x = random();
  }
  std::vector<float> alone(kRows * kModel);
  Alone(windows, alone.data());
  LaunchRanks(
      kHeads, OnRank, [&](int rank) { return world.Context(rank); },
      [&](int rank) { return world.Window<Window>(rank); });
  for (int rank = 0; rank < kHeads; ++rank) {
    if (std::memcmp(windows[rank]->result, alone.data(), sizeof(float) * alone.size()) == 0) continue;
    std::printf("rank %d has other bits than one rank alone\n", rank);
    return 1;
  }
  std::printf("%d ranks have the bits of one: %g is the first\n", kHeads, static_cast<double>(alone[0]));
  return 0;
}
