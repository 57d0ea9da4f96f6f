// Kernels of a cube core and vector cores, and the pipes between them.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <pto/pto-record.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "check.h"

using namespace pto;

namespace {

constexpr int kN = 16;
template <typename T, int R, int C>
using Vec = Tile<TileType::Vec, T, R, C>;
template <typename T, int R, int C>
using Global = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>>;
using Acc = TileAcc<float, kN, kN>;
using Mat = Tile<TileType::Mat, half, kN, kN, BLayout::ColMajor, kN, kN, SLayout::RowMajor>;

// dst = exp(a b) b, of each block: the product to the vector cores, what they make of it back to the cube core.
template <TileSplitAxis Split, int R, int C, int Slots>
void Chain(int vectors, int rounds) {
  using ToVector = TPipe<0, DIR_C2V, kN * kN * 4, Slots>;
  using ToCube = TPipe<2, DIR_V2C, kN * kN * 2, Slots>;
  constexpr int64_t kBlocks = 3;
  std::vector<half> a(kBlocks * kN * kN), b(kN * kN);
  std::vector<float> out(a.size() * static_cast<size_t>(rounds)), expected(out.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = half(static_cast<float>(i % 7) / 16);
  for (size_t i = 0; i < b.size(); ++i) b[i] = half(static_cast<float>(i % 5) / 8 - 0.25F);

  const auto multiply = [](Acc& acc, Mat& x, Mat& y) {
    TileLeft<half, kN, kN> left;
    TileRight<half, kN, kN> right;
    TMOV(left, x);
    TMOV(right, y);
    TMATMUL(acc, left, right);
  };
  const auto cube = [&](int count) {
    ToVector to;
    ToCube from(nullptr, 0U, 0x1000U);
    Mat x, y;
    Acc acc;
    const int64_t block = get_block_idx();
    CHECK(get_subblockid() == 0 && get_subblockdim() == vectors);
    Global<half, kN, kN> at(a.data() + block * kN * kN), bt(b.data());
    TLOAD(x, at);
    TLOAD(y, bt);
    multiply(acc, x, y);
    // As many ahead as the ring has slots.
    for (int i = 0; i < count + Slots; ++i) {
      if (i < count) TPUSH<ToVector, Acc, Split>(to, acc);
      if (i < Slots) continue;
      Mat z;
      Acc sum;
      TPOP<ToCube, Mat, Split>(from, z);
      TFREE<ToCube, Split>(from);
      multiply(sum, z, y);
      Global<float, kN, kN> dst(out.data() + (block * count + i - Slots) * kN * kN);
      TSTORE(dst, sum);
    }
  };
  const auto vector = [&](int count) {
    ToVector from;
    ToCube to;
    CHECK(get_subblockid() < vectors && get_subblockdim() == vectors);
    for (int i = 0; i < count; ++i) {
      Vec<float, R, C> x;
      Vec<half, R, C> y;
      TPOP<ToVector, Vec<float, R, C>, Split>(from, x);
      if (Split == TILE_NO_SPLIT && get_subblockid() == 1) CHECK(x(1, 1) == 0);
      TADDS(x, x, static_cast<float>(i));
      TFREE<ToVector, Split>(from);
      TEXP(x, x);
      TCVT(y, x, RoundMode::CAST_RINT);
      TPUSH<ToCube, Vec<half, R, C>, Split>(to, y);
    }
  };
  // The same on one core.
  for (int64_t block = 0; block < kBlocks; ++block) {
    for (int i = 0; i < rounds; ++i) {
      Mat x, y, z;
      Acc acc;
      Vec<float, kN, kN> sums;
      Vec<half, kN, kN> small;
      Global<half, kN, kN> at(a.data() + block * kN * kN), bt(b.data());
      Global<float, kN, kN> dst(expected.data() + (block * rounds + i) * kN * kN);
      TLOAD(x, at);
      TLOAD(y, bt);
      multiply(acc, x, y);
      TMOV(sums, acc);
      TADDS(sums, sums, static_cast<float>(i));
      TEXP(sums, sums);
      TCVT(small, sums, RoundMode::CAST_RINT);
      TMOV(z, small);
      multiply(acc, z, y);
      TSTORE(dst, acc);
    }
  }
  for (int threads = 1; threads < 4; ++threads) {
    SetThreads(threads);
    std::fill(out.begin(), out.end(), -1.0F);
    LaunchCores(kBlocks, vectors, cube, vector, rounds);
    CHECK(out == expected);
  }
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
  using Pipe = TPipe<4, DIR_C2V, 8 * 8 * 4, 2>;
  using Both = TPipe<6, DIR_BOTH, 8 * 8 * 4, 2>;
  using T = Vec<float, 8, 8>;
  using Odd = Vec<float, 5, 8>;
  const auto nothing = [] {};
  const auto push = [] {
    Pipe pipe;
    T tile;
    TPUSH(tile, pipe);
  };
  const auto pop = [] {
    Pipe pipe;
    T tile;
    TPOP(tile, pipe);
    TFREE(pipe);
  };
  LaunchCores(1, 1, push, pop);
  CHECK(Message([&] { LaunchCores(1, 1, nothing, pop); }) == "deadlock: vector core 0 waits for a push of pipe 4");
  CHECK(Message([&] {
          LaunchCores(
              2, 2, [&] { push(), push(), push(); }, [] {});
        }) == "deadlock: the cube core waits for a free slot of pipe 4");
  const auto pop_both = [] {
    Both pipe;
    T tile;
    TPOP(tile, pipe);
  };
  CHECK(Message([&] { LaunchCores(1, 1, pop_both, pop_both); }) ==
        "deadlock: the cube core waits for a push of pipe 6; vector core 0 waits for a push of pipe 6");
  // What the other one waits for fails: that is the error.
  const auto fails = [] {
    T tile;
    Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> small(4, 4);
    TADD(tile, tile, small);
  };
  CHECK(Message([&] { LaunchCores(1, 2, fails, pop); }).find("valid-covers: ") == 0);
  CHECK(Message([&] { LaunchCores(1, 1, pop_both, fails); }).find("valid-covers: ") == 0);
  CHECK(Message([&] { LaunchCores(1, 2, push, fails); }).find("valid-covers: ") == 0);
  bool caught = false;
  try {
    LaunchCores(
        1, 2, [] { throw 7; }, pop);
  } catch (int) {
    caught = true;
  }
  CHECK(caught);

  CHECK(Message(push).find("core-kind: ") == 0 && Message(pop).find("core-kind: ") == 0);
  CHECK(Message([&] { LaunchCores(1, 1, pop, push); }).find("pipe-sides: a pipe that goes the other way") == 0);
  const auto split = [] {
    Pipe pipe;
    T tile;
    TPUSH<Pipe, T, TILE_UP_DOWN>(pipe, tile);
  };
  CHECK(Message([&] { LaunchCores(1, 1, split, pop); }).find("pipe-sides: a split where") == 0);
  CHECK(Message([&] { LaunchCores(1, 2, split, pop); }).find("pipe-sides: a tile that was pushed with") == 0);
  const auto odd = [] {
    Pipe pipe;
    Odd tile;
    TPUSH<Pipe, Odd, TILE_UP_DOWN>(pipe, tile);
  };
  CHECK(Message([&] { LaunchCores(1, 2, odd, pop); }).find("pipe-slot: 5 rows in two halves") == 0);
  const auto large = [] {
    Pipe pipe;
    Vec<float, 8, 16> tile;
    TPUSH(tile, pipe);
  };
  CHECK(Message([&] { LaunchCores(1, 2, large, pop); }) == "pipe-slot: a tile of 512 bytes for slots of 256");
  const auto other = [] {
    Pipe pipe;
    Vec<int32_t, 8, 8> tile;
    TPOP(tile, pipe);
  };
  CHECK(Message([&] { LaunchCores(1, 1, push, other); }) == "pipe-tile: element 0, 0 of i32 where 8x8 of f32 came");
  const auto more = [] {
    Pipe pipe;
    Vec<float, 9, 8> tile;
    TPOP(tile, pipe);
  };
  CHECK(Message([&] { LaunchCores(1, 1, push, more); }) == "pipe-tile: element 8, 0 of f32 where 8x8 of f32 came");
  const auto twice = [] {
    Pipe pipe;
    T tile;
    TPOP(tile, pipe);
    TFREE(pipe);
    TFREE(pipe);
  };
  CHECK(Message([&] { LaunchCores(1, 1, push, twice); }).find("pipe-order: ") == 0);
  CHECK(Message([&] { LaunchCores(1, 3, push, pop); }) == "operand-value: 3 vector cores");
  CHECK(Message([&] { Record([&] { LaunchCores(1, 1, push, pop); }); }).find("recording: ") == 0);

  // Odd halves: five rows become three and two; the second half of a short tile is empty.
  std::string seen;
  const auto push_odd = [] {
    Pipe pipe;
    Odd tile;
    for (int r = 0; r < 5; ++r) tile.SetElement(r, 7, static_cast<float>(r + 1));
    TPUSH<Pipe, Odd, TILE_UP_DOWN_ODD>(pipe, tile);
    Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 3, 8> some;
    TPUSH<Pipe, decltype(some), TILE_UP_DOWN>(pipe, some);
  };
  LaunchCores(1, 2, push_odd, [&] {
    Pipe pipe;
    using Part = Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, DYNAMIC, 8>;
    Part part(get_subblockid() == 0 ? 3 : 2);
    TPOP<Pipe, Part, TILE_UP_DOWN_ODD>(pipe, part);
    seen += std::to_string(static_cast<int>(part(0, 7))) + " ";
    TFREE<Pipe, TILE_UP_DOWN_ODD>(pipe);
    Part rest(get_subblockid() == 0 ? 3 : 0);
    TPOP<Pipe, Part, TILE_UP_DOWN>(pipe, rest);
    TPRINT(rest);
  });
  CHECK(seen == "1 4 ");
  CHECK(Output().find("TPRINT 3x8") != std::string::npos && Output().find("TPRINT 0x8") > Output().find("TPRINT 3x8"));
}
#endif

}  // namespace

int main() {
  Chain<TILE_NO_SPLIT, 16, 16, 1>(1, 1);
  Chain<TILE_NO_SPLIT, 16, 16, 3>(2, 7);
  Chain<TILE_UP_DOWN, 8, 16, 2>(2, 6);
  Chain<TILE_LEFT_RIGHT, 16, 8, 4>(2, 9);
#if !defined(PTO_NO_EXCEPTIONS)
  TestErrors();
#endif
  return check::Report("pipes");
}
