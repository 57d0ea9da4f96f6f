// Pushes that convert sums: SET_QUANT_SCALAR, SET_QUANT_VECTOR and the configuration of TPUSH.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../common/profiles.h"
#include "check.h"

using namespace pto;

namespace {

constexpr int kN = 16;
using Pipe = TPipe<0, DIR_C2V, kN * kN * 4, 2>;
template <typename T, int R = kN, int C = kN>
using Vec = Tile<TileType::Vec, T, R, C>;
using Words = Tile<TileType::Scaling, uint64_t, 1, kN>;

template <QuantMode_t Mode, bool Relu = false, TileSplitAxis Axis = TILE_NO_SPLIT, int Lane = 0>
struct Config {
  static constexpr LayoutMode_t LayoutMode = LayoutMode_t::NZ2ND;
  static constexpr QuantMode_t QuantMode = Mode;
  static constexpr pto::ReluPreMode ReluPreMode = Relu ? pto::ReluPreMode::NormalRelu : pto::ReluPreMode::NoRelu;
  static constexpr TileSplitAxis Split = Axis;
  static constexpr int SubBlockId = Lane;
};
struct Plain {
  static constexpr QuantMode_t QuantMode = NoQuant;
};  // all other settings are left out

// Sums with ties, both signs and what does not fit.
template <typename Sum>
Sum SumAt(int r, int c) {
  return static_cast<Sum>((r - 7) * 37 + (c - 8) * 6 + 1);
}
float ScaleAt(int c) { return static_cast<float>(c + 1) / 8; }

// What one push delivers, by one core or the halves of two.
template <typename Out, typename Settings, typename Sum, int R = kN, int C = kN, typename Prepare>
std::vector<Out> Push(int vectors, const Prepare& prepare) {
  std::vector<Out> seen(kN * kN, Out(99));
  LaunchCores(
      1, vectors,
      [&] {
        Pipe pipe;
        TileAcc<Sum, kN, kN> sums;
        for (int r = 0; r < kN; ++r) {
          for (int c = 0; c < kN; ++c) sums.SetElement(r, c, SumAt<Sum>(r, c));
        }
        prepare();
        TPUSH<Pipe, decltype(sums), Settings>(pipe, sums);
      },
      [&] {
        Pipe pipe;
        constexpr bool kRows = R < kN;
        constexpr bool kSplit = R < kN || C < kN;
        constexpr TileSplitAxis kAxis = !kSplit ? TILE_NO_SPLIT : kRows ? TILE_UP_DOWN : TILE_LEFT_RIGHT;
        const int lane = static_cast<int>(get_subblockid());
        if (!kSplit && lane != vectors - 1) return;
        // Rows of any length: of bytes they are shorter than the hardware's.
        Tile<TileType::Vec, Out, R, 32, BLayout::RowMajor, R, C> part;
        if constexpr (kSplit) {
          TPOP<Pipe, decltype(part), kAxis>(pipe, part);
        } else {
          TPOP<Pipe, decltype(part), kAxis>(pipe, part, lane);
        }
        for (int r = 0; r < R; ++r) {
          for (int c = 0; c < C; ++c) {
            seen[static_cast<size_t>((r + (kRows ? lane * R : 0)) * kN + c + (kRows ? 0 : kSplit * lane * C))] =
                part(r, c);
          }
        }
      });
  return seen;
}

// Compares with a number for each element.
template <typename Out, typename Expect>
void Compare(const std::vector<Out>& seen, const Expect& expect) {
  for (int r = 0; r < kN; ++r) {
    for (int c = 0; c < kN; ++c) CHECK(seen[static_cast<size_t>(r * kN + c)] == Out(expect(r, c)));
  }
}

double Clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
double ToByte(double x) { return Clamp(std::nearbyint(x), -128, 127); }
double Rectified(double x) { return x < 0 ? 0 : x; }

void SetWords() {
  Words words;
  for (int c = 0; c < kN; ++c) {
    const float scale = ScaleAt(c);
    uint32_t bits = 0;
    std::memcpy(&bits, &scale, sizeof bits);
    words.SetElement(0, c, bits | uint64_t{1} << 46 | uint64_t{3} << 32);
  }
  SET_QUANT_VECTOR(words);  // the words outlive the tile
}

void TestModes() {
  const auto nothing = [] {};
  const auto f = [](int r, int c) { return SumAt<float>(r, c); };
  Compare(Push<float, Plain, float>(1, nothing), f);
  Compare(Push<float, Config<NoQuant, true>, float>(1, nothing), [&](int r, int c) { return Rectified(f(r, c)); });
  Compare(Push<int32_t, Config<NoQuant>, int32_t>(1, nothing), f);
  Compare(Push<half, Config<F322F16>, float>(1, nothing), [&](int r, int c) { return f(r, c); });
  Compare(Push<bfloat16_t, Config<F322BF16, true>, float>(1, nothing),
          [&](int r, int c) { return Rectified(f(r, c)); });
  const auto half_of = [&](int r, int c) { return f(r, c) / 2; };
  Compare(Push<half, Config<DEQF16>, int32_t>(1, [] { SET_QUANT_SCALAR<half>(0.5F); }), half_of);
  Compare(Push<half, Config<QF322F16_PRE>, float>(1, [] { SET_QUANT_SCALAR<half>(0.5F); }), half_of);
  Compare(Push<bfloat16_t, Config<QF322BF16_PRE>, float>(1, [] { SET_QUANT_SCALAR<bfloat16_t>(0.5F); }), half_of);
  Compare(Push<bfloat16_t, Config<QS322BF16_PRE>, int32_t>(1, [] { SET_QUANT_SCALAR<bfloat16_t>(0.5F); }), half_of);
  Compare(Push<half, Config<DEQF16>, int32_t>(1, nothing), f);  // by 1 where nothing was set
  Compare(Push<int8_t, Config<QF322B8_PRE>, float>(1, [] { SET_QUANT_SCALAR<int8_t>(0.5F); }),
          [&](int r, int c) { return ToByte(half_of(r, c)); });
  Compare(Push<int8_t, Config<REQ8, true>, int32_t>(1, [] { SET_QUANT_SCALAR<int8_t>(0.5F); }),
          [&](int r, int c) { return ToByte(Rectified(half_of(r, c))); });
  Compare(Push<uint8_t, Config<REQ8>, int32_t>(1, [] { SET_QUANT_SCALAR<uint8_t>(0.5F); }),
          [&](int r, int c) { return Clamp(std::nearbyint(half_of(r, c)), 0, 255); });
  Compare(Push<int16_t, Config<SHIFTS322S16>, int32_t>(1, [] { SET_QUANT_SCALAR<int16_t>(1.0F); }),
          [&](int r, int c) { return SumAt<int32_t>(r, c) >> 1; });

  const auto scaled = [&](int r, int c) { return f(r, c) * ScaleAt(c); };
  Compare(Push<half, Config<VDEQF16>, int32_t>(1, SetWords), scaled);
  Compare(Push<bfloat16_t, Config<VQS322BF16_PRE>, int32_t>(1, SetWords), scaled);
  Compare(Push<int8_t, Config<VQF322B8_PRE>, float>(1, SetWords), [&](int r, int c) { return ToByte(scaled(r, c)); });
  Compare(Push<int8_t, Config<VREQ8, true>, int32_t>(1, SetWords),
          [&](int r, int c) { return ToByte(Rectified(scaled(r, c))); });
  Compare(Push<int16_t, Config<VSHIFTS322S16>, int32_t>(1, SetWords),
          [&](int r, int c) { return SumAt<int32_t>(r, c) >> 4; });
}

void TestSplit() {
  const auto scaled = [](int r, int c) { return SumAt<float>(r, c) * ScaleAt(c); };
  Compare(Push<half, Config<VDEQF16, false, TILE_UP_DOWN>, int32_t, 8, 16>(2, SetWords), scaled);
  Compare(Push<half, Config<VDEQF16, false, TILE_LEFT_RIGHT>, int32_t, 16, 8>(2, SetWords), scaled);
  Compare(Push<half, Config<VDEQF16, false, TILE_NO_SPLIT, 1>, int32_t>(2, SetWords), scaled);
}

// Words belong to the core: blocks begin without, and the thread that launches keeps its own.
void TestWords() {
  SET_QUANT_SCALAR<half>(4.0F);
  std::vector<float> seen;
  const auto cube = [] {
    Pipe pipe;
    TileAcc<int32_t, kN, kN> sums;
    for (int i = 0; i < 2; ++i) {
      sums.SetElement(0, 0, 3);
      TPUSH<Pipe, decltype(sums), Config<DEQF16>>(pipe, sums);
      SET_QUANT_SCALAR<half>(0.0F);
    }
  };
  LaunchCores(2, 1, cube, [&] {
    Pipe pipe;
    for (int i = 0; i < 2; ++i) {
      Vec<half> out;
      TPOP(out, pipe);
      TFREE(pipe);
      seen.push_back(static_cast<float>(out(0, 0)));
    }
  });
  CHECK((seen == std::vector<float>{3, 0, 3, 0}));
  CHECK(pto_detail::quant_words.scalar == 0x40800000);
}

#if !defined(PTO_NO_EXCEPTIONS)
void TestErrors() {
  std::string message;
  try {
    Push<half, Config<VDEQF16>, int32_t>(1, [] {});
  } catch (const Error& error) {
    message = error.rule() + ": " + error.message();
  }
  CHECK(message == "null: a push by words of columns that were not set");
  // The slot is the slot of what is sent.
  message.clear();
  using Small = TPipe<2, DIR_C2V, kN * kN * 2, 2>;
  const auto small = [](auto settings) {
    return [=] {
      Small pipe;
      TileAcc<float, kN, kN> sums;
      TPUSH<Small, decltype(sums), decltype(settings)>(pipe, sums);
    };
  };
  LaunchCores(1, 1, small(Config<F322F16>()), [] {});
  try {
    LaunchCores(1, 1, small(Plain()), [] {});
  } catch (const Error& error) {
    message = error.rule();
  }
  CHECK(message == "pipe-slot");
}
#endif

}  // namespace

int main() {
  TestModes();
  for (const pto_profile profile : ALL_PROFILES) {
    SetProfile(profile);
    TestSplit();
  }
  SetProfile(PTO_PROFILE_CPU);
  TestWords();
#if !defined(PTO_NO_EXCEPTIONS)
  TestErrors();
#endif
  return check::Report("fixpipe");
}
