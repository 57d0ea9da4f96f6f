// SYNCALL: blocks and cores of a launch that wait for each other.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <pto/pto-record.hpp>

#include <atomic>
#include <string>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

using Counter = GlobalTensor<int32_t, Shape<1, 1, 1, 1, 16>, Stride<1, 1, 1, 16, 1>>;
using Line = Tile<TileType::Vec, float, 1, 8>;
using Global = GlobalTensor<float, Shape<1, 1, 1, 1, 8>, Stride<1, 1, 1, 8, 1>>;

// Each block writes its line, then adds the next block's line to its own: wrong unless all have written, and unless
// all have read before the next round writes.
template <typename Meet>
void Rounds(int64_t blocks, int threads, Meet&& meet) {
  constexpr int kRounds = 5;
  std::vector<float> lines(static_cast<size_t>(blocks) * 8), sums(lines.size());
  std::atomic<int> most{0}, now{0};
  SetThreads(threads);
  Launch(blocks, [&] {
    const int64_t block = get_block_idx();
    Global own(lines.data() + block * 8), other(lines.data() + (block + 1) % blocks * 8), sum(sums.data() + block * 8);
    for (int round = 0; round < kRounds; ++round) {
      const int at_a_time = ++now;
      for (int before = most; at_a_time > before && !most.compare_exchange_weak(before, at_a_time);) {
      }
      Line x, y;
      TEXPANDS(x, static_cast<float>(block * 100 + round));
      TSTORE(own, x);
      --now;
      meet();
      TLOAD(x, other);
      TLOAD(y, sum);
      TADD(x, x, y);
      TSTORE(sum, x);
      meet();
      CHECK(get_block_idx() == block && get_block_num() == blocks);
    }
  });
  SetThreads(1);
  CHECK(most <= threads);
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t other = (block + 1) % blocks;
    CHECK(sums[static_cast<size_t>(block) * 8] ==
          static_cast<float>(kRounds * other * 100 + kRounds * (kRounds - 1) / 2));
  }
}

// Cube cores and vector cores meet their own kind, and all of them.
void TestCores(int64_t blocks, int vectors, int threads) {
  using Pipe = TPipe<0, DIR_V2C, 1024, 2>;
  std::atomic<int> cubes{0}, lanes{0}, all{0};
  const auto total = static_cast<int>(blocks);
  SetThreads(threads);
  LaunchCores(
      blocks, vectors,
      [&] {
        ++cubes;
        SYNCALL<SyncCoreType::AICOnly>();
        CHECK(cubes == total);
        // A push of a vector core after its own meeting.
        Pipe pipe;
        Line x;
        TPOP(x, pipe);
        TFREE(pipe);
        CHECK(x(0, 3) == static_cast<float>(total * vectors));
        ++all;
        SYNCALL<SyncCoreType::Mix>();
        CHECK(all == total * (1 + vectors));
      },
      [&] {
        ++lanes;
        SYNCALL();
        CHECK(lanes == total * vectors);
        Pipe pipe;
        Line x;
        TEXPANDS(x, static_cast<float>(lanes));
        TPUSH(x, pipe);
        ++all;
        SYNCALL<SyncCoreType::Mix>();
        CHECK(all == total * (1 + vectors));
      });
  SetThreads(1);
}

#if !defined(PTO_NO_EXCEPTIONS)
template <typename Call>
std::string Message(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.status() == PTO_ERROR_PROGRAM || error.status() == PTO_ERROR_ARGUMENT ||
          error.status() == PTO_ERROR_SHAPE);
    return error.rule() + ": " + error.message();
  }
  return "";
}

void TestErrors() {
  for (int threads = 1; threads < 4; ++threads) {
    SetThreads(threads);
    CHECK(
        Message([] {
          Launch(3, [] {
            if (get_block_idx() != 1) SYNCALL();
          });
        }) ==
        "deadlock: block 0: it waits at SYNCALL for all 3 cores; block 2: it waits at SYNCALL for all 3 cores; 1 of 3 "
        "blocks have come to their end");
    // The block that they wait for fails: that is the error.
    CHECK(Message([] {
            Launch(3, [] {
              if (get_block_idx() != 2) SYNCALL();
              Line x;
              Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, DYNAMIC> y(4);
              if (get_block_idx() == 2) TADD(x, x, y);
            });
          }).find("valid-covers: ") == 0);
    CHECK(Message([] {
            LaunchCores(
                2, 1, [] { SYNCALL<SyncCoreType::Mix>(); },
                [] {
                  TPipe<0, DIR_C2V, 64, 1> pipe;
                  Line x;
                  if (get_block_idx() == 1) TPOP(x, pipe);
                });
          }) ==
          "deadlock: block 0: the cube core waits at SYNCALL for all 4 cores; block 1: the cube core waits at SYNCALL "
          "for "
          "all 4 cores; vector core 0 waits for a push of pipe 0");
  }
  // Of many blocks some are named.
  SetThreads(2);
  const std::string many = Message([] {
    Launch(30, [] {
      if (get_block_idx() != 29) SYNCALL();
    });
  });
  CHECK(many.find("; and 21 more; 1 of 30 blocks have") != std::string::npos);
  SetThreads(1);
  CHECK(Message([] {
          LaunchCores(
              2, 2, [] { SYNCALL(); }, [] {});
        }).find("core-kind: a core of another kind") == 0);
  CHECK(Message([] {
          LaunchCores(
              2, 2, [] {}, [] { SYNCALL<SyncCoreType::AICOnly>(); });
        }).find("core-kind: ") == 0);
  CHECK(Message([] { Record([] { Launch(2, [] { SYNCALL(); }); }); }).find("recording: blocks that wait") == 0);
  Record([] { Launch(1, [] { SYNCALL(); }); });

  // A thread that a launch knows nothing of.
  int32_t words[16] = {};
  Counter counter(words);
  SYNCALL();
  SYNCALL<SyncAllMode::Soft>(counter);
  CHECK(words[0] == 1);
  SetBlock(1, 4);
  CHECK(Message([] { SYNCALL(); }) == "deadlock: one of 4 cores, outside of a launch");
  SetBlock(0, 1);
  CHECK(Message([&] { SYNCALL<SyncAllMode::Soft>(counter, 2); }).find("deadlock: one of 2 cores") == 0);
  CHECK(words[0] == 1);
}
#endif

}  // namespace

int main() {
  for (int threads = 1; threads < 4; ++threads) {
    for (const int64_t blocks : {1, 2, 7, 40}) {
      Rounds(blocks, threads, [] { SYNCALL(); });
      int32_t words[16] = {};
      Counter counter(words);
      Rounds(blocks, threads, [&] { SYNCALL<SyncAllMode::Soft, SyncCoreType::Mix>(counter); });
      CHECK(words[0] == 10 * blocks);
    }
    TestCores(1, 1, threads);
    TestCores(3, 1, threads);
    TestCores(5, 2, threads);
    // Some of the blocks only.
    std::atomic<int> came{0};
    int32_t words[16] = {};
    Counter counter(words);
    SetThreads(threads);
    Launch(6, [&] {
      if (get_block_idx() % 2 == 0) return;
      ++came;
      SYNCALL<SyncAllMode::Soft>(counter, 3);
      CHECK(came == 3);
    });
    // A launch within a block meets by itself.
    Launch(2, [] {
      Launch(3, [] { SYNCALL(); });
      SYNCALL();
    });
    LaunchCores(
        2, 1, [] { Launch(3, [] { SYNCALL(); }); }, [] { SYNCALL(); });
    SetThreads(1);
  }
#if !defined(PTO_NO_EXCEPTIONS)
  TestErrors();
#endif
  return check::Report("meetings");
}
