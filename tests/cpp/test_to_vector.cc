// Sums that the cube core moves to vector memory, and the flags between the cores of a block.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <pto/pto-record.hpp>

#include <string>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

constexpr int kN = 64;
using Sums = TileAcc<float, kN, kN>;
template <typename T, int R = kN, int C = kN>
using Vec = Tile<TileType::Vec, T, R, C>;
constexpr int kAt = 4096;

float SumAt(int r, int c) { return static_cast<float>(r * kN + c - 1000); }
void Fill(Sums& sums) {
  TASSIGN(sums, 0);
  for (int r = 0; r < kN; ++r) {
    for (int c = 0; c < kN; ++c) sums.SetElement(r, c, SumAt(r, c));
  }
}

// The data of vector cores at an address after a move of the cube core; the cube core has none of it there.
template <typename Part, typename Move>
std::vector<Part> Moved(int vectors, const Move& move) {
  std::vector<Part> seen(2);
  LaunchCores(
      1, vectors,
      [&] {
        Sums sums;
        Part part;
        Fill(sums);
        TASSIGN(part, kAt);
        move(part, sums);
        set_intra_block(PIPE_FIX, 0);
        if (vectors == 2) set_intra_block(PIPE_FIX, 16);
        for (int r = 0; r < Part::Rows; ++r) {
          for (int c = 0; c < Part::Cols; ++c) CHECK(part(r, c) == 0);
        }
      },
      [&] {
        wait_intra_block(PIPE_V, 0);
        Part part;
        TASSIGN(part, kAt);
        Part& copy = seen[static_cast<size_t>(get_subblockid())];
        for (int r = 0; r < Part::Rows; ++r) {
          for (int c = 0; c < Part::Cols; ++c) copy.SetElement(r, c, part(r, c));
        }
      });
  return seen;
}

template <typename Part>
bool Has(const Part& part, int row, int col, bool zero = false) {
  for (int r = 0; r < Part::Rows; ++r) {
    for (int c = 0; c < Part::Cols; ++c) {
      const float want = zero ? 0 : SumAt(row + r, col + c);
      if (static_cast<float>(part(r, c)) != want) return false;
    }
  }
  return true;
}

void TestMoves() {
  using Whole = Vec<float>;
  using Upper = Vec<float, kN / 2>;
  using Left = Vec<float, kN, kN / 2>;
  using Window = Vec<float, 16, 32>;
  for (int vectors = 1; vectors < 3; ++vectors) {
    auto seen = Moved<Whole>(vectors, [](Whole& to, Sums& from) { TMOV(to, from); });
    CHECK(Has(seen[0], 0, 0) && Has(seen[1], 0, 0, true));
  }
  auto one = Moved<Whole>(2, [](auto& to, Sums& from) { TMOV<Whole, Sums, AccToVecMode::SingleModeVec1>(to, from); });
  CHECK(Has(one[0], 0, 0, true) && Has(one[1], 0, 0));
  auto rows = Moved<Upper>(2, [](auto& to, Sums& from) { TMOV<Upper, Sums, AccToVecMode::DualModeSplitM>(to, from); });
  CHECK(Has(rows[0], 0, 0) && Has(rows[1], kN / 2, 0));
  auto cols = Moved<Left>(2, [](auto& to, Sums& from) { TMOV<Left, Sums, AccToVecMode::DualModeSplitN>(to, from); });
  CHECK(Has(cols[0], 0, 0) && Has(cols[1], 0, kN / 2));
  auto half = Moved<Vec<pto::half, kN / 2>>(2, [](auto& to, Sums& from) {
    TMOV<std::remove_reference_t<decltype(to)>, Sums, AccToVecMode::DualModeSplitM, ReluPreMode::NormalRelu>(to, from);
  });
  CHECK(static_cast<float>(half[0](31, 63)) == SumAt(31, 63) && static_cast<float>(half[0](0, 0)) == 0);
  CHECK(static_cast<float>(half[1](0, 5)) == SumAt(32, 5));
  auto window = Moved<Window>(
      2, [](auto& to, Sums& from) { TEXTRACT<Window, Sums, AccToVecMode::SingleModeVec1>(to, from, 16, 32); });
  CHECK(Has(window[0], 0, 0, true) && Has(window[1], 16, 32));
  // An insertion leaves the rest alone.
  auto around = Moved<Whole>(2, [](auto& to, Sums& from) {
    TMOV(to, from);
    Tile<TileType::Acc, float, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor, 1024> box;
    TASSIGN(box, 32768);
    TINSERT(to, box, 16, 16);
  });
  CHECK(around[0](16, 16) == 0 && around[0](31, 31) == 0 && around[0](32, 31) == SumAt(32, 31));
}

// Windows and pointers are places in that memory, too; what has no address stays.
void TestPlaces() {
  float low = 0;
  float high = 0;
  float own = 0;
  LaunchCores(
      1, 1,
      [&] {
        Sums sums;
        Fill(sums);
        Vec<float> whole;
        TASSIGN(whole, 0);
        Vec<float, 32> lower;
        TSUBVIEW(lower, whole, 32, 0);
        TMOV(lower, sums);
        Vec<float> there;
        TASSIGN(there, reinterpret_cast<uint64_t>(whole.data()) + 16384);
        TMOV(there, sums);
        Vec<float> here;
        TMOV(here, sums);
        own = here(63, 63);
      },
      [&] {
        Vec<float> whole;
        TASSIGN(whole, 0);
        low = whole(32, 1);
        CHECK(whole(31, 63) == 0 && whole(63, 63) == SumAt(31, 63));
        TASSIGN(whole, 16384);
        high = whole(63, 0);
      });
  CHECK(low == SumAt(0, 1) && high == SumAt(63, 0) && own == SumAt(63, 63));
}

// Two buffers of vector memory that the cube core fills again and again: flags keep it from running ahead.
void TestFlags(int vectors) {
  constexpr int kRounds = 9;
  std::vector<float> seen[2];
  LaunchCores(
      2, vectors,
      [&] {
        Sums sums;
        Fill(sums);
        for (int i = 0; i < kRounds; ++i) {
          const int buffer = i % 2;
          for (int lane = 0; lane < vectors && i > 1; ++lane) wait_intra_block(PIPE_FIX, buffer + 2 + 16 * lane);
          sums.SetElement(0, 0, static_cast<float>(i));
          Vec<float> part;
          TASSIGN(part, buffer * 16384);
          TMOV(part, sums);
          if (vectors == 2) TMOV<Vec<float>, Sums, AccToVecMode::SingleModeVec1>(part, sums);
          for (int lane = 0; lane < vectors; ++lane) set_intra_block(PIPE_FIX, buffer + 16 * lane);
        }
      },
      [&] {
        for (int i = 0; i < kRounds; ++i) {
          const int buffer = i % 2;
          wait_intra_block(PIPE_V, buffer);
          Vec<float> part;
          TASSIGN(part, buffer * 16384);
          if (get_block_idx() == 1) seen[get_subblockid()].push_back(part(0, 0));
          set_intra_block(PIPE_V, buffer + 2);
        }
      });
  for (int lane = 0; lane < vectors; ++lane) {
    CHECK(seen[lane].size() == kRounds);
    for (int i = 0; i < kRounds; ++i) CHECK(seen[lane][static_cast<size_t>(i)] == static_cast<float>(i));
  }
}

// A recording has how sums saturate.
void TestControl() {
  const auto kernel = [](std::vector<uint16_t>* out) {
    using Global = GlobalTensor<half, Shape<1, 1, 1, 16, 16>, Stride<256, 256, 256, 16, 1>>;
    for (int i = 0; i < 3; ++i) {
      if (i > 0) set_ctrl(i == 1 ? sbitset0(get_ctrl(), 48) : sbitset1(get_ctrl(), 48));
      TileAcc<float, 16, 16> sums;
      for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < 16; ++c) sums.SetElement(r, c, 1e6F);
      }
      Global to(reinterpret_cast<half*>(out->data()) + i * 256);
      TSTORE<decltype(sums), Global, AtomicType::AtomicNone, ReluPreMode::NoRelu>(to, sums);
    }
  };
  for (const bool launched : {false, true}) {
    std::vector<uint16_t> out(768);
    if (!launched) set_ctrl(sbitset0(get_ctrl(), 48));  // before the recording begins
    Recording recording = Record([&] { launched ? Launch(1, kernel, &out) : kernel(&out); });
    const std::vector<uint16_t> want = {static_cast<uint16_t>(launched ? 0x7c00 : 0x7bff), 0x7bff, 0x7c00};
    CHECK(recording.Run() == PTO_OK);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(out[i * 256 + 7] == want[i]);
      const void* const again = recording.Replayed(&out[i * 256 + 7]);
      CHECK(again != nullptr && *static_cast<const uint16_t*>(again) == want[i]);
    }
  }
  CHECK((get_ctrl() >> 48 & 1) == 1);
}

#if !defined(PTO_NO_EXCEPTIONS)
template <typename Cube, typename Vector>
std::string Refused(int vectors, const Cube& cube, const Vector& vector) {
  try {
    LaunchCores(1, vectors, cube, vector);
  } catch (const Error& error) {
    return error.rule() + ": " + error.message();
  }
  return "";
}

void TestErrors() {
  const auto nothing = [] {};
  CHECK(Refused(
            1,
            [] {
              Sums sums;
              Fill(sums);
              Vec<float, kN / 2> part;
              TASSIGN(part, 0);
              TMOV<Vec<float, kN / 2>, Sums, AccToVecMode::DualModeSplitM>(part, sums);
            },
            nothing) == "pipe-sides: a second vector core where there is one");
  CHECK(Refused(1, nothing, [] { wait_intra_block(PIPE_V, 3); }) == "deadlock: vector core 0 waits for flag 3");
  CHECK(Refused(
            1, [] { set_intra_block(PIPE_FIX, 16); }, nothing) == "core-flag: flag 16 where there are 0 to 15");
  CHECK(Refused(
            2, [] { set_intra_block(PIPE_FIX, 32); }, nothing) == "core-flag: flag 32 where there are 0 to 31");
  CHECK(Refused(2, nothing, [] { wait_intra_block(PIPE_V, 16); }) == "core-flag: flag 16 where there are 0 to 15");
  CHECK(Refused(2, nothing, [] {
          for (int i = 0; i < 16; ++i) set_intra_block(PIPE_V, 1);
        }) == "core-flag: flag 1 is set 16 times and not waited for");
}
#endif

}  // namespace

int main() {
  for (const pto_profile profile : {PTO_PROFILE_CPU, PTO_PROFILE_A5}) {
    SetProfile(profile);
    TestMoves();
  }
  SetProfile(PTO_PROFILE_CPU);
  TestPlaces();
  TestFlags(1);
  TestFlags(2);
  TestControl();
#if !defined(PTO_NO_EXCEPTIONS)
  TestErrors();
#endif
  // Outside of a launch of cores flags do nothing.
  set_intra_block(PIPE_FIX, 77);
  wait_intra_block(PIPE_FIX, 77);
  return check::Report("to_vector");
}
