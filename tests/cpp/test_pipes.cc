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
    // Ahead by all slots of the ring.
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

// out = in + 1 through slots in global memory, which both sides see as tensors: the cube core writes whole ones, each
// vector core its half of them back.
template <TileSplitAxis Split, int R, int C, int Slots>
void Pass(int vectors) {
  constexpr int kRounds = 7;
  constexpr bool kColumns = Split == TILE_LEFT_RIGHT;
  using Pipe = TPipe<2, DIR_BOTH_GM, kN * kN * 4, Slots>;
  using Half = GlobalTensor<float, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, kColumns ? 2 * C : C, 1>>;
  using Whole = Global<float, kN, kN>;
  std::vector<float> in(kRounds * kN * kN), out(in.size()), slots(2 * Slots * kN * kN);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  LaunchCores(
      1, vectors,
      [&] {
        Pipe pipe(slots.data(), 0U);
        for (int i = 0; i < kRounds + Slots; ++i) {
          if (i < kRounds) {
            Whole slot(nullptr);
            TALLOC<Pipe, Whole, Split>(pipe, slot);
            CHECK(slot.data() == slots.data() + i % Slots * kN * kN);
            std::copy_n(in.data() + i * kN * kN, kN * kN, slot.data());
            TPUSH<Pipe, Whole, Split>(pipe, slot);
          }
          if (i < Slots) continue;
          Whole back(nullptr);
          TPOP<Pipe, Whole, Split>(pipe, back);
          CHECK(back.data() == slots.data() + (Slots + (i - Slots) % Slots) * kN * kN);
          std::copy_n(back.data(), kN * kN, out.data() + (i - Slots) * kN * kN);
          TFREE<Pipe, Whole, Split>(pipe, back);
        }
      },
      [&] {
        Pipe pipe(slots.data(), 0U);
        for (int i = 0; i < kRounds; ++i) {
          Half from(nullptr), to(nullptr);
          TPOP<Pipe, Half, Split>(pipe, from);
          TALLOC<Pipe, Half, Split>(pipe, to);
          if (from.data() == nullptr) {
            CHECK(Split == TILE_NO_SPLIT && get_subblockid() == 1 && to.data() == nullptr);
          } else {
            Vec<float, R, C> x;
            TLOAD(x, from);
            TADDS(x, x, 1.0F);
            TSTORE(to, x);
          }
          TPUSH<Pipe, Half, Split>(pipe, to);
          TFREE<Pipe, Half, Split>(pipe, from);
        }
      });
  for (float& x : in) x += 1;
  CHECK(out == in);
}

// To one vector core by its number, whole or in parts, and back.
void TestNamed() {
  using Down = TPipe<0, DIR_C2V, 16 * 8 * 4, 2>;
  using Up = TPipe<2, DIR_V2C, 16 * 8 * 4, 2>;
  using Part = Vec<float, 8, 8>;
  std::string seen;
  LaunchCores(
      1, 2,
      [&] {
        Down down;
        Up up;
        for (int i = 0; i < 5; ++i) {
          Part tile;
          for (int lane = 0; lane < 2; ++lane) {
            TEXPANDS(tile, static_cast<float>(10 * lane + i));
            TPUSH<Down, Part, TILE_NO_SPLIT>(down, tile, lane);
            TPUSH<Down, Part, TILE_UP_DOWN>(down, tile, lane);
          }
          Vec<float, 16, 8> both;
          TPOP<Up, Vec<float, 16, 8>, TILE_UP_DOWN>(up, both);
          TFREE<Up, TILE_UP_DOWN>(up);
          for (int lane = 1; lane >= 0; --lane) {
            TPOP<Up, Part, TILE_NO_SPLIT>(up, tile, lane);
            TFREE(up);
            seen += std::to_string(static_cast<int>(both(15 * lane, 7))) + "," +
                    std::to_string(static_cast<int>(tile(7, 7))) + " ";
          }
          TPOP<Up, Part, TILE_LEFT_RIGHT>(up, tile, 1);
          CHECK(tile(0, 0) == static_cast<float>(10 + i));
          TPOP<Up, Part, TILE_LEFT_RIGHT>(up, tile, 0);
          CHECK(tile(0, 0) == static_cast<float>(i));
          TFREE<Up, TILE_LEFT_RIGHT>(up);
        }
      },
      [&] {
        Down down;
        Up up;
        const auto lane = static_cast<int32_t>(get_subblockid());
        for (int i = 0; i < 5; ++i) {
          Part whole, half, none;
          TEXPANDS(none, 9.0F);
          TPOP<Down, Part, TILE_NO_SPLIT>(down, whole, lane);
          TPOP<Down, Part, TILE_UP_DOWN>(down, none, 1 - lane);
          CHECK(none(0, 0) == 0);
          TPOP<Down, Part, TILE_UP_DOWN>(down, half, lane);
          TFREE<Down, TILE_NO_SPLIT>(down);
          TFREE<Down, TILE_UP_DOWN>(down);
          CHECK(whole(3, 3) == static_cast<float>(10 * lane + i) && half(7, 7) == whole(0, 0));
          TPUSH<Up, Part, TILE_UP_DOWN>(up, half);
          TMULS(whole, whole, 2.0F);
          TPUSH<Up, Part, TILE_NO_SPLIT>(up, whole, lane);
          TPUSH<Up, Part, TILE_LEFT_RIGHT>(up, half, lane);
        }
      });
  CHECK(seen == "10,20 0,0 11,22 1,2 12,24 2,4 13,26 3,6 14,28 4,8 ");
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
  // The core that the other one waits for fails: that is the error.
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
  CHECK(Message([&] { LaunchCores(1, 1, pop, push); }).find("pipe-sides: a pipe of the other direction") == 0);
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

  // Slots in global memory.
  using Big = Global<float, 8, 8>;
  using Small = Global<float, 4, 8>;
  static float memory[2 * 64];
  const auto alloc = [](auto slots, int times, bool pushes) {
    return [=] {
      Pipe pipe(slots);
      Big slot(nullptr);
      for (int i = 0; i < times; ++i) TALLOC<Pipe, Big, TILE_NO_SPLIT>(pipe, slot);
      T tile;
      if (pushes) TPUSH(tile, pipe);
    };
  };
  const auto pop_slot = [] {
    Pipe pipe(memory);
    Big slot(nullptr);
    TPOP<Pipe, Big, TILE_NO_SPLIT>(pipe, slot);
  };
  const auto push_slot = [] {
    Pipe pipe(memory);
    Big slot(nullptr);
    TALLOC<Pipe, Big, TILE_NO_SPLIT>(pipe, slot);
    TPUSH<Pipe, Big, TILE_NO_SPLIT>(pipe, slot);
  };
  LaunchCores(1, 1, push_slot, pop_slot);
  CHECK(Message([&] { LaunchCores(1, 1, alloc(static_cast<void*>(nullptr), 1, false), nothing); }) ==
        "pipe-order: the pipe was made without slots in global memory");
  CHECK(Message([&] { LaunchCores(1, 1, alloc(3, 1, false), nothing); }).find("pipe-order: the pipe was made") == 0);
  CHECK(Message([&] { LaunchCores(1, 1, alloc(memory, 3, false), nothing); }) ==
        "deadlock: the cube core waits for a free slot of pipe 4");
  CHECK(Message([&] { LaunchCores(1, 1, alloc(memory, 1, true), nothing); }) ==
        "pipe-order: a slot was allocated and not pushed yet");
  CHECK(Message([&] {
          LaunchCores(
              1, 1,
              [] {
                Pipe pipe(memory);
                Big slot(memory);
                TPUSH<Pipe, Big, TILE_NO_SPLIT>(pipe, slot);
              },
              nothing);
        }) == "pipe-order: no slot was allocated");
  CHECK(Message([&] { LaunchCores(1, 1, push_slot, pop); }) == "pipe-tile: a slot was pushed, and no tile");
  CHECK(Message([&] { LaunchCores(1, 1, push, pop_slot); }) == "pipe-tile: a tile was pushed, and no slot");
  CHECK(Message([&] {
          LaunchCores(
              1, 1,
              [] {
                Pipe pipe(memory);
                Global<float, 9, 8> slot(nullptr);
                TALLOC<Pipe, Global<float, 9, 8>, TILE_NO_SPLIT>(pipe, slot);
              },
              nothing);
        }) == "pipe-slot: 288 bytes in slots of 256");
  // The first core's half fits and the second one's does not.
  const auto push_split = [] {
    Pipe pipe(memory);
    Big slot(nullptr);
    TALLOC<Pipe, Big, TILE_UP_DOWN>(pipe, slot);
    TPUSH<Pipe, Big, TILE_UP_DOWN>(pipe, slot);
  };
  const auto pop_half = [](auto* one) {
    using Half = std::remove_pointer_t<decltype(one)>;
    return [] {
      Pipe pipe(memory);
      Half slot(nullptr);
      TPOP<Pipe, Half, TILE_UP_DOWN>(pipe, slot);
    };
  };
  LaunchCores(1, 2, push_split, pop_half(static_cast<Small*>(nullptr)));
  CHECK(Message([&] { LaunchCores(1, 2, push_split, pop_half(static_cast<Big*>(nullptr))); }) ==
        "pipe-slot: 512 bytes in slots of 256");
  // A vector core that is named.
  const auto push_to = [](int lane) {
    return [=] {
      Pipe pipe;
      T tile;
      TPUSH<Pipe, T, TILE_NO_SPLIT>(pipe, tile, lane);
    };
  };
  CHECK(Message([&] { LaunchCores(1, 1, push_to(1), nothing); }).find("pipe-sides: a second vector core where") == 0);

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
  Pass<TILE_NO_SPLIT, 16, 16, 3>(1);
  Pass<TILE_NO_SPLIT, 16, 16, 1>(2);
  Pass<TILE_UP_DOWN, 8, 16, 2>(2);
  Pass<TILE_LEFT_RIGHT, 16, 8, 4>(2);
  TestNamed();
  float numbers[64] = {};
  Global<float, 8, 8> tensor(numbers);
  PrefetchAsyncContext queue;
  const comm::AsyncEvent event = TPREFETCH_ASYNC(tensor, queue);
  CHECK(!event.valid() && event.Wait(queue) && event.Test());
#if !defined(PTO_NO_EXCEPTIONS)
  TestErrors();
#endif
  return check::Report("pipes");
}
