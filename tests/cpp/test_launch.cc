// pto::Launch(): a kernel once for each block, on the given number of threads, with the results of one.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

constexpr int kRows = 4;
constexpr int kCols = 32;

using TileT = Tile<TileType::Vec, float, kRows, kCols>;
using ShapeT = Shape<1, 1, 1, kRows, kCols>;
using StrideT = Stride<1, 1, 1, kCols, 1>;
using GlobalT = GlobalTensor<float, ShapeT, StrideT>;

// A block adds its number and what its on-chip memory holds before it is written: nothing.
void Kernel(float* out, const std::vector<float>& in, float scale) {
  const int64_t block = get_block_idx();
  CHECK(get_block_num() == 13 && get_subblockid() == 0 && get_subblockdim() == 1);
  GlobalT from(const_cast<float*>(in.data()) + block * kRows * kCols);
  GlobalT to(out + block * kRows * kCols);
  TileT before, tile;
  TASSIGN(before, 0x1000);
  TASSIGN(tile, 0x2000);
  TLOAD(tile, from);
  TADD(tile, tile, before);
  TMULS(tile, tile, scale);
  TADDS(tile, tile, static_cast<float>(block));
  TLOAD(before, from);
  TSTORE(to, tile);
}

// Blocks print to the thread that launched them, in their order, however many threads ran them.
void TestOutput() {
  std::string one;
  for (int threads = 1; threads < 5; ++threads) {
    SetThreads(threads);
    ClearOutput();
    Launch(7, [] {
      Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, 1, 2> tile;
      TEXPANDS(tile, static_cast<int32_t>(get_block_idx()));
      TPRINT<PrintFormat::Width10_Precision6>(tile);
    });
    if (threads == 1) one = Output();
    CHECK(Output() == one);
  }
  CHECK(one.find("TPRINT 1x2\n         0          0\nTPRINT 1x2\n         1          1\n") == 0);
  CHECK(one.size() == 7 * 33);
#if !defined(PTO_NO_EXCEPTIONS)
  // The failed block has printed, and so have the earlier ones.
  ClearOutput();
  try {
    Launch(5, [] {
      Tile<TileType::Vec, int32_t, 1, 8> tile;
      TPRINT(tile);
      if (get_block_idx() == 2) tile.SetElement(1, 0, 0);
    });
  } catch (const Error&) {
  }
  CHECK(Output().size() == 3 * (11 + 8 * 9));
#endif
  SetThreads(1);
  ClearOutput();
}

void TestResults() {
  std::vector<float> in(13 * kRows * kCols);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 17) / 3;
  std::vector<float> one(in.size());
  SetBlock(3, 9);
  pto_context* const own = CurrentContext();
  const int64_t handles = pto_live_handles();
  Launch(13, Kernel, one.data(), in, 0.5F);
  CHECK(one[0] == in[0] * 0.5F && one[12 * kRows * kCols + 1] == in[12 * kRows * kCols + 1] * 0.5F + 12);
  for (int threads = 2; threads < 20; ++threads) {
    SetThreads(threads);
    std::vector<float> many(in.size());
    Launch(13, Kernel, many.data(), in, 0.5F);
    CHECK(many == one);
  }
  Launch(0, Kernel, one.data(), in, 0.5F);
  Launch(-3, Kernel, one.data(), in, 0.5F);
  // The thread is what it was.
  CHECK(CurrentContext() == own && pto_live_handles() == handles);
  CHECK(get_block_idx() == 3 && get_block_num() == 9);
  SetBlock(0, 1);
}

// Blocks have the profile and the mode of the thread that launches, and no more threads than it asks for.
void TestSettings() {
  SetThreads(3);
  SetProfile(PTO_PROFILE_A5);
  SetMode(Mode::Manual);
  std::atomic<int> under_way{0};
  std::atomic<int> most{0};
  Launch(200, [&] {
    const int now = ++under_way;
    int seen = most.load();
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    CHECK(pto_context_profile(CurrentContext()) == PTO_PROFILE_A5);
    TileT tile;
    bool refused = false;
    try {
      TEXPANDS(tile, 1.0F);
    } catch (const Error&) {
      refused = true;
    }
    CHECK(refused);
    --under_way;
  });
  CHECK(most.load() <= 3);
  SetMode(Mode::Auto);
  SetProfile(PTO_PROFILE_CPU);
}

// The first by block, whatever came first.
void TestErrors() {
  for (int threads = 1; threads < 6; ++threads) {
    SetThreads(threads);
    for (int round = 0; round < 20; ++round) {
      std::string said;
      try {
        Launch(40, [] {
          const int64_t block = get_block_idx();
          if (block == 11) std::this_thread::yield();
          if (block == 11 || block >= 13) throw Error(PTO_ERROR_ARGUMENT, "mine", "", std::to_string(block), "");
        });
        CHECK(false);
      } catch (const Error& error) {
        said = error.message();
      }
      CHECK(said == "11");
    }
  }
}

// A kernel that launches.
void TestNested() {
  SetThreads(3);
  std::atomic<int> calls{0};
  Launch(5, [&] {
    SetThreads(2);
    const int64_t outer = get_block_idx();
    Launch(4, [&] { calls += get_block_num() == 4 ? 1 : 100; });
    CHECK(get_block_idx() == outer && get_block_num() == 5);
  });
  CHECK(calls.load() == 20);
}

}  // namespace

int main() {
  TestOutput();
  TestResults();
  TestSettings();
  TestErrors();
  TestNested();
  return check::Report("launch");
}
