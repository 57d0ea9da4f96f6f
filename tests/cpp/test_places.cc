// Findings of a recording name the places in the kernel that they are about.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <pto/pto-record.hpp>

#include <string>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

constexpr size_t kCount = 8 * 16;
using TileT = Tile<TileType::Vec, float, 8, 16>;
using GlobalT = GlobalTensor<float, Shape<1, 1, 1, 8, 16>, Stride<1, 1, 1, 16, 1>>;

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Blocks and rounds of a loop are one finding, with its place if the compiler and addr2line know it.
void TestPlaces() {
  std::vector<float> in(4 * kCount);
  int line = 0;
  const auto kernel = [&](bool first_only) {
    const auto block = static_cast<size_t>(get_block_idx());
    GlobalT from(in.data() + block * kCount);
    TileT x, y;
    TASSIGN(x, 0x400);
    TASSIGN(y, 0x800);
    for (int i = 0; i < 3; ++i) {
      line = __LINE__ + 1;
      TLOAD(x, from);
      // Only what the second round waits for is needed.
      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0), wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
      if (!first_only || i == 0) TMULS(y, x, 1.5F);
      if (first_only) set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1), wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
    }
  };
  std::vector<Finding> found = CheckSync([&] { Launch(4, [&] { kernel(false); }); });
  CHECK(found.size() == 1 && found[0].rule == "sync-race" && found[0].times == 8 && found[0].blocks == 4);
  CHECK(Contains(found[0].message, "TLOAD (MTE2) writes bytes 0 to 511 of the Vec tile of 8x16 f32 at 0x400"));
  CHECK(Contains(found[0].message, "(8 times in 4 blocks)"));
#if defined(TEST_PLACES)
  const std::string place = "test_places.cc:" + std::to_string(line);
  CHECK(Contains(found[0].place, place) && found[0].text.find(found[0].place + ": error: ") == 0);
  CHECK(Contains(found[0].message, "after " + found[0].place.substr(0, found[0].place.rfind(':'))));
#endif
  // A flag is superfluous only if no round needs it: the first round needs both flags here, the others one or none.
  found = CheckSync([&] { kernel(true); });
  for (const Finding& finding : found) CHECK(finding.rule != "sync-useless");
}

}  // namespace

int main() {
  TestPlaces();
  return check::Report("places");
}
