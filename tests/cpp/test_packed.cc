// e2m1, e1m2 and i4 in C++: elements of half a byte in tiles, tensors, pipes and recordings, and numbers as the library
// has them. Bytes are counted by hand: element n is in byte n / 2, an even one in the low half.
#include <pto/pto-inst.hpp>
#include <pto/pto-launch.hpp>
#include <pto/pto-record.hpp>

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "check.h"
#include "rule_of.h"

using namespace pto;

namespace {

template <typename T, int R, int C>
using Vec = Tile<TileType::Vec, T, R, C>;
template <typename T, int R, int C>
using Global = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<R * C, R * C, R * C, C, 1>>;
template <typename T>
using One = typename T::Element;

// The code of element n after a pointer.
template <typename T>
unsigned CodeAt(const T* data, int64_t n) {
  unsigned char byte = 0;
  std::memcpy(&byte, data + n / 2, 1);
  return n % 2 == 0 ? byte & 15U : static_cast<unsigned>(byte) >> 4;
}

constexpr float kE2M1[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
constexpr float kE1M2[] = {0, 0.25F, 0.5F, 0.75F, 1, 1.25F, 1.5F, 1.75F};

// Codes by the tables of the formats, and the nearest of them, ties to the even code, for what lies between.
template <typename T>
void TestFloats(const float (&table)[8]) {
  using Float = One<T>;
  for (unsigned code = 0; code < 16; ++code) {
    const float value = float{Float::from_bits(code)};
    CHECK(std::fabs(value) == table[code % 8] && std::signbit(value) == (code > 7));
    CHECK(Float(value).bits() == code && Float(double{value}).bits() == code);
  }
  for (unsigned code = 0; code < 7; ++code) {
    const float middle = (table[code] + table[code + 1]) / 2;
    CHECK(Float(middle).bits() == code + code % 2);
    CHECK(Float(-std::nextafter(middle, 0.0F)).bits() == code + 8);
    CHECK(Float(std::nextafter(double{middle}, HUGE_VAL)).bits() == code + 1);
  }
  CHECK(Float(HUGE_VAL).bits() == 7 && Float(-1000).bits() == 15 && Float(NAN).bits() == 8);
  static_assert(Float(1).bits() == Float(1.0).bits() && float{Float(-1.5F)} == -1.5F, "conversions are constexpr");
}

// The library means the same by each code and by each number: every f32 whose lower half is all the same bit or but
// one.
template <typename T>
void TestLibrary() {
  Vec<T, 2, 32> codes;
  Vec<float, 2, 32> values;
  for (int i = 0; i < 64; ++i) codes(i / 32, i % 32) = One<T>::from_bits(static_cast<unsigned>(i) % 16);
  TCVT(values, codes, RoundMode::CAST_RINT);
  for (int i = 0; i < 64; ++i) {
    const float theirs = values(i / 32, i % 32);
    const float ours = float{One<T>::from_bits(static_cast<unsigned>(i) % 16)};
    CHECK(std::memcmp(&ours, &theirs, sizeof ours) == 0);
  }
  Vec<float, 64, 64> in;
  Vec<T, 64, 64> out;
  for (const uint32_t lower : {0U, 1U, 0xffffU}) {
    for (uint32_t part = 0; part < 16; ++part) {
      for (int k = 0; k < 64 * 64; ++k) {
        const uint32_t bits = (part * 4096 + static_cast<uint32_t>(k)) << 16 | lower;
        std::memcpy(&in(k / 64, k % 64), &bits, sizeof bits);
      }
      TCVT(out, in, RoundMode::CAST_RINT, SaturationMode::OFF);
      for (int k = 0; k < 64 * 64; ++k) CHECK(out(k / 64, k % 64).bits() == One<T>(in(k / 64, k % 64)).bits());
    }
  }
}

void TestInts() {
  for (int i = -40; i < 40; ++i) {
    const One<int4b_t> four(i);
    CHECK(int{four} == ((i + 48) % 16 ^ 8) - 8 && four.bits() == (static_cast<unsigned>(i) & 15));
  }
  Vec<int4b_t, 1, 32> four;
  Vec<half, 1, 32> numbers;
  for (int c = 0; c < 32; ++c) four(0, c) = c;
  TCVT(numbers, four, RoundMode::CAST_RINT);
  for (int c = 0; c < 32; ++c) CHECK(numbers(0, c) == static_cast<float>((c % 16 ^ 8) - 8));
}

void TestTypes() {
  constexpr int4b_t pair(-3, 5);
  static_assert(pair.bits() == 0x5d && int{pair.first()} == -3 && int{pair.second()} == 5, "the first is the low half");
  static_assert(int4b_t::from_bits(0x15d).bits() == 0x5d, "a byte");
  static_assert(float{float4_e2m1x2_t(6, 0.5).second()} == 0.5F && std::is_same_v<::float4_e1m2x2_t, float4_e1m2x2_t>);
  using Rows = Vec<float4_e2m1x2_t, 4, 64>;
  static_assert(Rows::GetSizeInUnits() == 256 && Rows::GetSizeInBytes() == 128 && Rows::RowStride == 64, "halves");
  using Boxes = Tile<TileType::Mat, int4b_t, 16, 64, BLayout::ColMajor, 16, 64, SLayout::RowMajor>;
  static_assert(Boxes::InnerRows == 16 && Boxes::InnerCols == 32, "boxes are the same as for bytes");
  using Lines = TileShape2D<int4b_t, 32, 128, Layout::NZ>;
  static_assert(Lines::staticShape[4] == 64 && Lines::staticShape[1] == 2, "32 bytes are 64 elements");
}

// Elements of tiles of every layout, by their places in memory.
template <typename TileT>
void TestPlaces() {
  TileT tile;
  using T = typename TileT::DType;
  const auto code = [](int r, int c) { return static_cast<unsigned>(5 * r + 3 * c) % 16; };
  for (int r = 0; r < TileT::Rows; ++r) {
    for (int c = 0; c < TileT::Cols; ++c) tile(r, c) = One<T>::from_bits(code(r, c));
  }
  const TileT& read = tile;
  for (int r = 0; r < TileT::Rows; ++r) {
    for (int c = 0; c < TileT::Cols; ++c) {
      CHECK(CodeAt(tile.data(), TileT::Offset(r, c)) == code(r, c));
      CHECK(read(r, c).bits() == code(r, c) && tile.GetElement(r, c).bits() == code(r, c));
    }
  }
  // The library reads what was written: rows, each from a byte.
  std::vector<unsigned char> rows(TileT::Rows * TileT::Cols / 2);
  CHECK(pto_tile_read(CurrentContext(), tile.handle(), rows.data(), static_cast<int64_t>(rows.size())) == PTO_OK);
  for (int i = 0; i < TileT::Numel; ++i) CHECK(CodeAt(rows.data(), i) == code(i / TileT::Cols, i % TileT::Cols));
}

void TestElements() {
  Vec<int4b_t, 2, 32> tile;
  tile.SetElement(0, 1, 7);
  tile.AddToElement(0, 1, 3);  // wraps around
  CHECK(int{tile(0, 1)} == -6 && tile.data()[0].bits() == 0xa0);
  tile(0, 0) = tile(0, 1);  // the element, not its proxy
  CHECK(tile.data()[0].bits() == 0xaa && int{tile.GetElement(0, 0)} == -6);
  tile.SetValue(33, -1);
  CHECK(tile.data()[16].bits() == 0xf0 && int{tile.GetValue(33)} == -1 && int{tile(1, 1)} == -1);
  CHECK(RuleOf([&] { tile(2, 0) = 1; }) == "element-range" && RuleOf([&] { tile.GetValue(64); }) == "element-range");
  Vec<float4_e2m1x2_t, 1, 32> floats;
  floats(0, 3) = 2.5;  // a tie, to the even code
  floats.AddToElement(0, 3, 0.5F);
  CHECK(floats(0, 3).bits() == 4 && floats.data()[1].bits() == 0x40);
  // A window, of whole bytes.
  Tile<TileType::Vec, int4b_t, 2, 32, BLayout::RowMajor, 1, 32> window;
  TSUBVIEW(window, tile, 1, 0);
  tile(1, 31) = 6;
  CHECK(int{window(0, 1)} == -1 && int{window(0, 31)} == 6 && RuleOf([&] { window(1, 0) = 1; }) == "element-range");
  Tile<TileType::Vec, int4b_t, 1, 16> line;
  CHECK(RuleOf([&] { TSUBVIEW(line, tile, 0, 1); }) == "half-byte");
  TSUBVIEW(line, tile, 1, 0);
  CHECK(int{line(0, 1)} == -1);
  Vec<uint8_t, 2, 16> bytes;
  TRESHAPE(bytes, tile);
  CHECK(bytes(1, 0) == 0xf0);
}

void TestTensors() {
  std::vector<float4_e2m1x2_t> in(4 * 32), out(4 * 32, float4_e2m1x2_t(0, 0));
  for (size_t i = 0; i < in.size(); ++i) in[i] = float4_e2m1x2_t::from_bits(static_cast<unsigned>(i * 7));
  Global<const float4_e2m1x2_t, 4, 64> from(in.data());
  Global<float4_e2m1x2_t, 4, 64> to(out.data());
  Vec<float4_e2m1x2_t, 4, 64> tile;
  TLOAD(tile, from);
  for (int i = 0; i < 256; ++i) CHECK(tile(i / 64, i % 64).bits() == CodeAt(in.data(), i));
  CHECK(from.GetElement(77).bits() == CodeAt(in.data(), 77) &&
        from.GetElement(0, 0, 0, 2, 5).bits() == CodeAt(in.data(), 133));
  TSTORE(to, tile);
  CHECK(std::memcmp(in.data(), out.data(), in.size()) == 0);
  to.SetElement(5, 3.0F);
  to.AddToElement(0, 0, 0, 0, 5, 1.0F);
  CHECK(to.GetElement(5) == 4.0F && CodeAt(out.data(), 4) == CodeAt(in.data(), 4));
  to.SetElement(0, 0, 0, 1, 0, -6.0F);
  CHECK(CodeAt(out.data(), 64) == 15);
  CHECK(RuleOf([&] { to.GetElement(0, 0, 0, 4, 0); }) == "element-range");
  // Columns by rows, and boxes.
  Tile<TileType::Mat, float4_e2m1x2_t, 64, 64, BLayout::ColMajor, 64, 64, SLayout::RowMajor> boxes;
  std::vector<float4_e2m1x2_t> nz(64 * 32), dense(64 * 32);
  for (size_t i = 0; i < nz.size(); ++i) nz[i] = float4_e2m1x2_t::from_bits(static_cast<unsigned>(i * 11 + i / 32));
  using NZ = TileShape2D<float4_e2m1x2_t, 64, 64, Layout::NZ>;
  GlobalTensor<float4_e2m1x2_t, NZ, BaseShape2D<float4_e2m1x2_t, 64, 64, Layout::NZ>, Layout::NZ> blocks(nz.data());
  Global<float4_e2m1x2_t, 64, 64> whole(dense.data());
  TLOAD(boxes, blocks);
  TSTORE(whole, boxes);
  CHECK(std::memcmp(nz.data(), dense.data(), nz.size()) == 0);  // one block of 64 columns is rows one after another
  GlobalTensor<int4b_t, Shape<1, 1, 1, 4, 32>, Stride<1, 1, 1, 33, 1>> odd(nullptr);
  Vec<int4b_t, 4, 32> four;
  int4b_t some[70];
  odd.SetAddr(some);
  CHECK(RuleOf([&] { TLOAD(four, odd); }) == "half-byte");
}

// Quantised with block scales and multiplied: exact, as values and sums are small integers and halves.
void TestMx() {
  constexpr int kN = 16, kK = 64;
  Vec<float, kN, kK> a;
  Vec<float4_e2m1x2_t, kN, kK> rows;
  Tile<TileType::Vec, float8_e8m0_t, kN, 32, BLayout::RowMajor, kN, 2> scales;
  Tile<TileType::Vec, float, kN, 8, BLayout::RowMajor, kN, 2> most, scaling;
  for (int i = 0; i < kN * kK; ++i) {
    a(i / kK, i % kK) = i % 32 == 3 ? 6.0F : kE2M1[(i * 5 + i / kK) % 8] * (i % 3 == 0 ? -1.0F : 1.0F);
    if (i % kK >= 32) a(i / kK, i % kK) *= 4;  // the second group has another scale
  }
  TQUANT<QuantType::MXFP4_E2M1>(rows, a, &scales, &most, &scaling);
  for (int r = 0; r < kN; ++r) {
    CHECK(scales(r, 0) == 1.0F && scales(r, 1) == 4.0F);
    for (int c = 0; c < kK; ++c) CHECK(rows(r, c) * scales(r, c / 32) == a(r, c));
  }
  TileLeft<float4_e2m1x2_t, kN, kK> left;
  TileRight<float4_e2m1x2_t, kK, kN> right;
  TileLeftScale<float8_e8m0_t, kN, 2> left_scales;
  TileRightScale<float8_e8m0_t, 2, kN> right_scales;
  TileAcc<float, kN, kN> acc;
  for (int r = 0; r < kN; ++r) {
    for (int k = 0; k < kK; ++k) {
      left(r, k) = rows(r, k);
      right(k, r) = rows(r, kK - 1 - k);
    }
    for (int g = 0; g < 2; ++g) {
      left_scales(r, g) = scales(r, g);
      right_scales(g, r) = scales(r, 1 - g);
    }
  }
  TMATMUL_MX(acc, left, left_scales, right, right_scales);
  for (int r = 0; r < kN; ++r) {
    for (int c = 0; c < kN; ++c) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += double{a(r, k)} * double{a(c, kK - 1 - k)};
      CHECK(acc(r, c) == sum);
    }
  }
}

// Through a pipe in two halves, cut inside of a byte.
void TestPipes() {
  constexpr int kRows = 4, kCols = 32, kValid = 27;
  using Pipe = TPipe<0, DIR_C2V, kRows * kCols / 2, 2>;
  using Whole = Tile<TileType::Mat, int4b_t, kRows, kCols, BLayout::RowMajor, kRows, kValid>;
  using Part = Tile<TileType::Vec, int4b_t, kRows, kCols, BLayout::RowMajor, kRows, DYNAMIC>;
  std::vector<int> seen;
  const auto cube = [] {
    Pipe pipe;
    Whole whole;
    for (int i = 0; i < kRows * kValid; ++i) whole(i / kValid, i % kValid) = i * 5;
    TPUSH<Pipe, Whole, TILE_NO_SPLIT>(pipe, whole);
  };
  const auto vector = [&] {
    Pipe pipe;
    Part part(kValid);
    TPOP<Pipe, Part, TILE_NO_SPLIT>(pipe, part);
    for (int i = 0; i < kRows * kValid; ++i) seen.push_back(part(i / kValid, i % kValid));
    TFREE<Pipe, TILE_NO_SPLIT>(pipe);
  };
  LaunchCores(1, 1, cube, vector);
  CHECK(seen.size() == kRows * kValid);
  for (size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == static_cast<int>((i * 5 % 16 ^ 8)) - 8);
}

// A recording has what was written to halves of bytes between instructions.
void TestRecord() {
  std::vector<int4b_t> in(32, int4b_t(3, -4)), out(32, int4b_t(0, 0));
  Recording recording = Record([&] {
    Global<int4b_t, 2, 32> from(in.data()), to(out.data());
    Vec<int4b_t, 2, 32> x, y;
    TASSIGN(x, 0x100);
    TASSIGN(y, 0x200);
    TLOAD(x, from);
    x(1, 3) = -8;
    TMOV(y, x);
    TSTORE(to, y);
    to.SetElement(7, 5);
    TLOAD(y, to);
    TSTORE(to, y);
  });
  CHECK(recording.Text().find("i4") != std::string::npos && recording.Run() == PTO_OK);
  const void* const there = recording.Replayed(out.data());
  CHECK(CodeAt(out.data(), 35) == 8 && CodeAt(out.data(), 34) == 3 && CodeAt(out.data(), 7) == 5);
  CHECK(there != nullptr && std::memcmp(there, out.data(), out.size()) == 0);
}

}  // namespace

int main() {
  TestFloats<float4_e2m1x2_t>(kE2M1);
  TestFloats<float4_e1m2x2_t>(kE1M2);
  TestLibrary<float4_e2m1x2_t>();
  TestLibrary<float4_e1m2x2_t>();
  TestInts();
  TestTypes();
  TestPlaces<Vec<int4b_t, 3, 32>>();
  TestPlaces<Tile<TileType::Vec, float4_e2m1x2_t, 32, 6, BLayout::ColMajor>>();
  TestPlaces<Tile<TileType::Mat, float4_e1m2x2_t, 32, 64, BLayout::ColMajor, 32, 64, SLayout::RowMajor>>();
  TestPlaces<TileRight<float4_e2m1x2_t, 64, 32>>();
  TestElements();
  TestTensors();
  TestMx();
  TestPipes();
  TestRecord();
  return check::Report("packed");
}
