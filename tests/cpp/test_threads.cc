// Threads: each has a context, on-chip memory, mode and errors of its own, and releases all of it. The
// second translation unit of this program, threads_partner.cc, includes the header too.
#include <pto/pto-inst.hpp>

#include <string>
#include <thread>
#include <vector>

#include "check.h"

// In threads_partner.cc.
pto_context* PartnerContext();
float PartnerRsqrt(float value, int64_t address);

using namespace pto;

namespace {

using TileT = Tile<TileType::Vec, float, 16, 16>;

void Work(int index) {
  SetProfile(index % 2 == 0 ? PTO_PROFILE_CPU : PTO_PROFILE_A5);
  TileT base, exp, dst, tmp;
  TASSIGN(base, 0x1000);
  TASSIGN(exp, 0x2000);
  TASSIGN(dst, 0x3000);
  for (int round = 0; round < 200; ++round) {
    for (int k = 0; k < 256; ++k) {
      base.SetValue(k, static_cast<float>(index + 1));
      exp.SetValue(k, static_cast<float>(round % 7));
    }
    TPOW(dst, base, exp, tmp);
    float expected = 1.0F;
    for (int k = 0; k < round % 7; ++k) expected *= static_cast<float>(index + 1);
    for (int k = 0; k < 256; ++k) CHECK(dst.GetValue(k) == expected);
    try {
      TASSIGN(tmp, 32 * index + 1);
      CHECK(false);
    } catch (const Error& error) {
      CHECK(error.message().find(std::to_string(32 * index + 1)) != std::string::npos);
    }
  }
}

void TestThreads() {
  TileT mine;
  TASSIGN(mine, 0x1000);
  mine(0, 0) = -1.0F;
  pto_context* const own = CurrentContext();
  const int64_t handles = pto_live_handles();
  std::vector<std::thread> threads;
  for (int index = 0; index < 8; ++index) threads.emplace_back(Work, index);
  for (std::thread& thread : threads) thread.join();
  CHECK(pto_live_handles() == handles);
  CHECK(CurrentContext() == own);
  CHECK(mine(0, 0) == -1.0F);
}

// A tile may outlive the thread and the context it was made in.
void TestOutlive() {
  TileT tile;
  std::thread([&] {
    TASSIGN(tile, 0x1000);
    tile(0, 0) = 16.0F;
  }).join();
  TRSQRT(tile, tile);
  CHECK(tile(0, 0) == 0.25F);
}

// Two translation units of one program share the thread's context.
void TestPartner() {
  CHECK(PartnerContext() == CurrentContext());
  TileT same;
  CHECK(PartnerRsqrt(64.0F, 0x5000) == 0.125F);
  TASSIGN(same, 0x5000);
  CHECK(same(0, 0) == 0.125F);
}

}  // namespace

int main() {
  TestThreads();
  TestOutlive();
  TestPartner();
  return check::Report("threads");
}
