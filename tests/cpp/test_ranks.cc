// Kernels of several ranks in C++: data, signals, collectives, and what a launch reports of ranks that cannot go on.
#include <cstring>
#include <string>
#include <vector>

#include "check.h"
#include "pto/pto-comm.hpp"
#include "pto/pto-launch.hpp"
#include "pto/pto-inst.hpp"
#include "rule_of.h"

using namespace pto;

namespace {

constexpr int kCols = 64;
using Row = GlobalTensor<float, Shape<1, 1, 1, 1, kCols>, Stride<kCols, kCols, kCols, kCols, 1>>;
using Stage = Tile<TileType::Vec, float, 1, kCols>;
constexpr int64_t kSignal = 1024;

// A token travels once around, and each rank adds its number.
AICORE void Ring(comm::CommContext* context, float* own, int32_t* signal) {
  const int rank = static_cast<int>(context->rankId);
  const int next = (rank + 1) % static_cast<int>(context->rankNum);
  comm::Signal mine(signal);
  comm::Signal theirs(comm::domain::RemotePtr(context, signal, next));
  Row from(own);
  Row to(comm::domain::RemotePtr(context, own, next));
  Stage ping;
  Stage pong;
  if (rank != 0) comm::TWAIT(mine, 1, comm::WaitCmp::GE);
  Stage sum;
  TLOAD(sum, from);
  TADDS(sum, sum, static_cast<float>(rank + 1));
  TSTORE(from, sum);
  comm::TPUT(to, from, ping, pong);
  comm::NOTIFY(theirs, 1, comm::NotifyOp::AtomicAdd);
  if (rank == 0) comm::WAIT(mine, 1, comm::WaitCmp::EQ);
}

void TestRing() {
  for (const int threads : {1, 2}) {
    SetThreads(threads);
    for (const int ranks : {1, 2, 7, 64}) {
      World world(ranks, 2048);
      LaunchRanks(
          ranks, Ring, [&](int rank) { return world.Context(rank); },
          [&](int rank) { return world.Window<float>(rank); },
          [&](int rank) { return world.Window<int32_t>(rank, kSignal); });
      for (int i = 0; i < kCols; ++i) CHECK(world.Window<float>(0)[i] == static_cast<float>(ranks * (ranks + 1) / 2));
    }
  }
  SetThreads(1);
}

// Each rank notifies the root, which reduces, broadcasts and notifies all.
AICORE void AllReduce(comm::CommContext* context, float* own, int32_t* signal, int root, bool at_once) {
  const int rank = static_cast<int>(context->rankId);
  const int ranks = static_cast<int>(context->rankNum);
  std::vector<Row> parts;
  for (int i = 0; i < ranks; ++i) parts.emplace_back(comm::domain::RemotePtr(context, own, i));
  auto group = comm::ParallelGroup<Row>::Create(parts.data(), ranks, root);
  comm::Signal mine(signal);
  comm::Signal of_root(comm::domain::RemotePtr(context, signal, root));
  if (rank != root) {
    comm::TNOTIFY(of_root, 1, comm::NotifyOp::AtomicAdd);
    comm::TWAIT(mine, 1, comm::WaitCmp::GE);
    return;
  }
  if (ranks > 1) comm::TWAIT(mine, ranks - 1, comm::WaitCmp::EQ);
  Stage acc;
  Stage recv;
  Row result(own);
  if (at_once) {
    comm::ALLREDUCE(group, acc, recv, comm::ReduceOp::Sum);
  } else {
    comm::TREDUCE(group, result, acc, recv, comm::ReduceOp::Sum);
    comm::TBROADCAST(group, result, recv);
  }
  for (int i = 0; i < ranks; ++i) {
    if (i == root) continue;
    comm::Signal done(comm::domain::RemotePtr(context, signal, i));
    comm::TNOTIFY(done, 1, comm::NotifyOp::Set);
  }
}

// The bits are the same on every rank, in one instruction or two, and for every number of threads.
void TestAllReduce(bool at_once, int threads) {
  SetThreads(threads);
  for (const int ranks : {1, 3, 8}) {
    for (int root = 0; root < ranks; ++root) {
      World world(ranks, 2048);
      std::vector<float> want(kCols);
      const auto part = [](int rank, int i) { return 0.1F * static_cast<float>((rank * 31 + i * i) % 97); };
      for (int i = 0; i < kCols; ++i) {
        for (int rank = 0; rank < ranks; ++rank) world.Window<float>(rank)[i] = part(rank, i);
        want[static_cast<size_t>(i)] = part(root, i);
        for (int rank = 0; rank < ranks; ++rank) {
          if (rank != root) want[static_cast<size_t>(i)] += part(rank, i);
        }
      }
      LaunchRanks(
          ranks, AllReduce, [&](int rank) { return world.Context(rank); },
          [&](int rank) { return world.Window<float>(rank); },
          [&](int rank) { return world.Window<int32_t>(rank, kSignal); }, root, at_once);
      for (int rank = 0; rank < ranks; ++rank) {
        CHECK(std::memcmp(world.Window<float>(rank), want.data(), sizeof(float) * kCols) == 0);
      }
    }
  }
  SetThreads(1);
}

// Each rank reduces its segment once all have their data.
AICORE void Segments(comm::CommContext* context, float* own, int32_t* signal, int root) {
  const int rank = static_cast<int>(context->rankId);
  const int ranks = static_cast<int>(context->rankNum);
  std::vector<Row> parts;
  for (int i = 0; i < ranks; ++i) parts.emplace_back(comm::domain::RemotePtr(context, own, i));
  auto group = comm::ParallelGroup<Row>::Create(parts.data(), ranks, root);
  comm::Signal mine(signal);
  const auto meet = [&](int times) {
    for (int i = 0; i < ranks; ++i) {
      comm::Signal theirs(comm::domain::RemotePtr(context, signal, i));
      if (i != rank) comm::TNOTIFY(theirs, 1, comm::NotifyOp::AtomicAdd);
    }
    if (ranks > 1) comm::TWAIT(mine, times * (ranks - 1), comm::WaitCmp::GE);
  };
  Stage acc;
  Stage recv;
  TLOAD(acc, parts[static_cast<size_t>(rank)]);
  TMULS(acc, acc, 0.3F);
  TSTORE(parts[static_cast<size_t>(rank)], acc);
  meet(1);
  comm::TALLREDUCE_SEGMENT(group, acc, recv, comm::ReduceOp::Sum);
  meet(2);
}

void TestSegments() {
  for (const int threads : {1, 2}) {
    SetThreads(threads);
    for (const int ranks : {1, 3, 8}) {
      const int root = ranks / 2;
      World world(ranks, 2048);
      for (int rank = 0; rank < ranks; ++rank) {
        for (int i = 0; i < kCols; ++i) world.Window<float>(rank)[i] = static_cast<float>((rank * 31 + i * i) % 97);
      }
      float want[kCols];
      for (int i = 0; i < kCols; ++i) {
        want[i] = world.Window<float>(root)[i] * 0.3F;
        for (int rank = 0; rank < ranks; ++rank) {
          if (rank != root) want[i] += world.Window<float>(rank)[i] * 0.3F;
        }
      }
      LaunchRanks(
          ranks, Segments, [&](int rank) { return world.Context(rank); },
          [&](int rank) { return world.Window<float>(rank); },
          [&](int rank) { return world.Window<int32_t>(rank, kSignal); }, root);
      for (int rank = 0; rank < ranks; ++rank) CHECK(std::memcmp(world.Window<float>(rank), want, sizeof want) == 0);
    }
  }
  SetThreads(1);
}

// The rule of the error that a launch ends with, and what is said.
template <typename Kernel>
std::string RuleOfLaunch(World& world, const Kernel& kernel, std::string* said = nullptr) {
  try {
    LaunchRanks(world.ranks(), kernel, [&](int rank) { return world.Context(rank); });
  } catch (const Error& error) {
    if (said != nullptr) *said = error.message();
    return error.rule();
  }
  return "";
}

// Errors of ranks that a kernel alone cannot show: the library knows which rank calls.
void TestWrongRanks() {
  World world(3, 2048);
  using Two = GlobalTensor<float, Shape<1, 1, 1, 1, DYNAMIC>, Stride<1, 1, 1, 1, 1>>;
  const auto broadcast = [&](comm::CommContext* context, int first, int root, int caller) {
    if (static_cast<int>(context->rankId) != caller) return;
    std::vector<Row> parts;
    for (int i = first; i < 3; ++i) parts.emplace_back(world.Window<float>(i));
    auto group = comm::ParallelGroup<Row>::Create(parts.data(), 3 - first, root);
    Stage ping;
    comm::TBROADCAST(group, parts[0], ping);
  };
  std::string said;
  CHECK(RuleOfLaunch(
            world, [&](comm::CommContext* c) { broadcast(c, 0, 1, 2); }, &said) == "group-root");
  CHECK(said.find("rank 2 calls it where rank 1 is the root") != std::string::npos);
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) { broadcast(c, 0, 1, 1); }) == "");
  // Of a part of the ranks: member 1 is rank 2.
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) { broadcast(c, 1, 1, 2); }) == "");
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) { broadcast(c, 1, 1, 1); }) == "group-root");
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) {
          if (c->rankId != 0) return;
          Two parts[] = {Two(world.Window<float>(0), Shape<1, 1, 1, 1, DYNAMIC>(8)),
                         Two(world.Window<float>(1), Shape<1, 1, 1, 1, DYNAMIC>(4))};
          auto group = comm::ParallelGroup<Two>::Create(parts, 2, 0);
          Tile<TileType::Vec, float, 1, kCols, BLayout::RowMajor, 1, DYNAMIC> ping(8);
          comm::TBROADCAST(group, parts[0], ping);
        }) == "group");
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) {
          comm::Signal theirs(world.Window<int32_t>((static_cast<int>(c->rankId) + 1) % 3, kSignal));
          comm::TWAIT(theirs, 0, comm::WaitCmp::EQ);
        }) == "signal-own");
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) {
          if (c->rankId != 2) return;
          std::vector<Row> parts{Row(world.Window<float>(0)), Row(world.Window<float>(1))};
          auto group = comm::ParallelGroup<Row>::Create(parts.data(), 2, 0);
          Stage ping;
          comm::TALLREDUCE_SEGMENT(group, ping, ping, comm::ReduceOp::Sum);
        }) == "group-member");
  // A rank that throws, or ends early, while others wait for it.
  CHECK(RuleOfLaunch(world, [&](comm::CommContext* c) {
          if (c->rankId == 1) throw Error(PTO_ERROR_ARGUMENT, "mine", "", "this rank gives up", "");
          comm::Signal mine(world.Window<int32_t>(static_cast<int>(c->rankId), kSignal));
          comm::TWAIT(mine, 1, comm::WaitCmp::EQ);
        }) == "mine");
  CHECK(RuleOfLaunch(
            world,
            [&](comm::CommContext* c) {
              if (c->rankId == 1) return;
              comm::Signal mine(world.Window<int32_t>(static_cast<int>(c->rankId), kSignal));
              comm::TWAIT(mine, 1, comm::WaitCmp::EQ);
            },
            &said) == "deadlock");
  CHECK(said.find("1 of 3 ranks have come to their end") != std::string::npos);
}

void TestAsync() {
  World world(2, 2048);
  Row one(world.Window<float>(0));
  Row other(world.Window<float>(1));
  comm::AsyncSession session;
  Stage scratch;
  uint8_t workspace[64];
  CHECK(comm::BuildAsyncSession(scratch, workspace, session));
  one.SetElement(3, 7);
  const comm::AsyncEvent event = comm::TPUT_ASYNC(other, one, session);
  CHECK(event.valid() && event.Wait(session) && event.Test(session));
  CHECK(other.GetElement(3) == 7);
  other.SetElement(3, 9);
  CHECK(comm::GET_ASYNC(one, other, session, 1).Wait(session));
  CHECK(one.GetElement(3) == 9);
  using Gaps = GlobalTensor<float, Shape<1, 1, 1, 1, 8>, Stride<16, 16, 16, 16, 2>>;
  Gaps gaps(world.Window<float>(0));
  CHECK(RuleOf([&] { comm::TPUT_ASYNC(gaps, gaps, session); }) == "comm-flat");
}

// A rank that asks in a loop lets the others run.
void TestPolling() {
  World world(2, 2048);
  int asked = 0;
  LaunchRanks(
      2,
      [&](comm::CommContext* context, int32_t* signal) {
        comm::Signal mine(signal);
        comm::Signal theirs(comm::domain::RemotePtr(context, signal, 1 - static_cast<int>(context->rankId)));
        if (context->rankId == 1) {
          comm::TNOTIFY(theirs, 3, comm::NotifyOp::Set);
          return;
        }
        while (!comm::TTEST(mine, 3, comm::WaitCmp::EQ)) ++asked;
      },
      [&](int rank) { return world.Context(rank); }, [&](int rank) { return world.Window<int32_t>(rank, kSignal); });
  CHECK(asked <= 1);
}

void TestDeadlock() {
  World world(3, 2048);
  std::string message;
  const auto wait = [&](int32_t* signal) {
    comm::Signal mine(signal);
    comm::TWAIT(mine, 1, comm::WaitCmp::GE);
  };
  try {
    LaunchRanks(3, wait, [&](int rank) { return world.Window<int32_t>(rank, kSignal); });
  } catch (const Error& error) {
    CHECK(error.rule() == "deadlock");
    message = error.message();
  }
  CHECK(message.find("rank 0: it waits for a signal >= 1, which is 0") != std::string::npos);
  CHECK(message.find("rank 2") != std::string::npos);
}

void TestRules() {
  World world(2, 2048);
  Row one(world.Window<float>(0));
  Row other(world.Window<float>(1));
  using Half = GlobalTensor<float, Shape<1, 1, 1, 1, kCols / 2>, Stride<kCols, kCols, kCols, kCols, 1>>;
  Half half(world.Window<float>(1));
  Tile<TileType::Vec, float, 1, 48> odd;
  Stage ping;
  CHECK(RuleOf([&] { comm::TPUT(half, one, ping); }) == "comm-shape");
  CHECK(RuleOf([&] { comm::TPUT(other, one, odd); }) == "staging");
  CHECK(RuleOf([&] { comm::TPUT(other, one, ping, ping); }) == "staging");
  CHECK(RuleOf([&] { World(65, 64); }) == "ranks");
  one.SetElement(0, 2);
  other.SetElement(0, 5);
  comm::TPUT<AtomicType::AtomicAdd>(other, one, ping);
  CHECK(other.GetElement(0) == 7);
  comm::PUT<AtomicType::AtomicAdd>(other, one, ping);
  CHECK(other.GetElement(0) == 9);
  comm::TPUT(other, one, ping, AtomicType::AtomicAdd);
  CHECK(other.GetElement(0) == 11);
  comm::GET(other, one, ping);
  CHECK(other.GetElement(0) == 2);
}

}  // namespace

int main() {
  TestRing();
  for (const int threads : {1, 2}) {
    TestAllReduce(false, threads);
    TestAllReduce(true, threads);
  }
  TestSegments();
  TestWrongRanks();
  TestAsync();
  TestPolling();
  TestDeadlock();
  TestRules();
  return check::Report("ranks");
}
