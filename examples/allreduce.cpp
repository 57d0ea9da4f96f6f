// Each of four ranks has a part of 1024 numbers; at the end all have their sum, the same bits on every rank.
//
// Rank r sums the r-th quarter of all parts and hands it to all others, so that each rank adds a quarter of the
// numbers. It is the root for its quarter: its own part is first, then the others in ascending order. So the result
// does not depend on which rank is early.
#include <cstdio>
#include <vector>

#include "pto/pto-comm.hpp"
#include "pto/pto-inst.hpp"
#include "pto/pto-launch.hpp"

using namespace pto;

namespace {

constexpr int kRanks = 4;
constexpr int kQuarter = 256;
constexpr int64_t kResult = 4096;   // bytes into the window: the place of the sum
constexpr int64_t kSignals = 8192;  // parts that are there, quarters that have come

using Quarter = GlobalTensor<float, Shape<1, 1, 1, 1, kQuarter>, Stride<kQuarter, kQuarter, kQuarter, kQuarter, 1>>;
using Stage = Tile<TileType::Vec, float, 1, kQuarter>;

AICORE void AllReduce(comm::CommContext* context, float* part, float* result, int32_t* signals) {
  const int rank = static_cast<int>(context->rankId);
  const int ranks = static_cast<int>(context->rankNum);
  Stage acc;
  Stage recv;
  comm::Signal there(signals);
  comm::Signal come(signals + 1);
  // All parts are there.
  for (int peer = 0; peer < ranks; ++peer) {
    comm::Signal of_peer(comm::domain::RemotePtr(context, signals, peer));
    comm::TNOTIFY(of_peer, 1, comm::NotifyOp::AtomicAdd);
  }
  comm::TWAIT(there, ranks, comm::WaitCmp::GE);
  // The own quarter of each, and their sum to all.
  std::vector<Quarter> parts;
  std::vector<Quarter> results;
  for (int peer = 0; peer < ranks; ++peer) {
    parts.emplace_back(comm::domain::RemotePtr(context, part, peer) + rank * kQuarter);
    results.emplace_back(comm::domain::RemotePtr(context, result, peer) + rank * kQuarter);
  }
  auto sources = comm::ParallelGroup<Quarter>::Create(parts.data(), ranks, rank);
  auto targets = comm::ParallelGroup<Quarter>::Create(results.data(), ranks, rank);
  Quarter sum(result + rank * kQuarter);
  comm::TREDUCE(sources, sum, acc, recv, comm::ReduceOp::Sum);
  comm::TBROADCAST(targets, sum, recv);
  for (int peer = 0; peer < ranks; ++peer) {
    comm::Signal of_peer(comm::domain::RemotePtr(context, signals, peer) + 1);
    comm::TNOTIFY(of_peer, 1, comm::NotifyOp::AtomicAdd);
  }
  comm::TWAIT(come, ranks, comm::WaitCmp::GE);
}

}  // namespace

int main() {
  World world(kRanks, 16384);
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int i = 0; i < kRanks * kQuarter; ++i)
      world.Window<float>(rank)[i] = static_cast<float>(i % 100) + 0.25F * static_cast<float>(rank);
  }
  LaunchRanks(
      kRanks, AllReduce, [&](int rank) { return world.Context(rank); },
      [&](int rank) { return world.Window<float>(rank); }, [&](int rank) { return world.Window<float>(rank, kResult); },
      [&](int rank) { return world.Window<int32_t>(rank, kSignals); });
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int i = 0; i < kRanks * kQuarter; ++i) {
      const float want = 4.0F * static_cast<float>(i % 100) + 1.5F;
      if (world.Window<float>(rank, kResult)[i] == want) continue;
      std::printf("rank %d, element %d: %g where %g is the sum\n", rank, i,
                  static_cast<double>(world.Window<float>(rank, kResult)[i]), static_cast<double>(want));
      return 1;
    }
  }
  std::printf("%d ranks have the same sum of %d numbers\n", kRanks, kRanks * kQuarter);
  return 0;
}
