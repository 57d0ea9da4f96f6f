// Instructions as the documents' C++ has them, one of each kind of operand: scalars, modes, template parameters,
// bits, several outputs, types of their own. What they compute is held to the reference by tests/ops.
#include <pto/pto-inst.hpp>

#include <limits>
#include <string>

#include "check.h"
#include "rule_of.h"

using namespace pto;

namespace {

template <typename T, int kRows = 4, int kCols = 32>
using Vec = Tile<TileType::Vec, T, kRows, kCols>;

// Element (r, c) is first + 32 r + c.
template <typename T>
void Number(Vec<T>& tile, int first) {
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 32; ++c) tile(r, c) = static_cast<T>(static_cast<float>(first + 32 * r + c));
  }
}

void TestNumbersThatCount() {
  Vec<float, 1> row;
  TCI<decltype(row), float, 0>(row, 2.5F);
  CHECK(row(0, 0) == 2.5F && row(0, 31) == 33.5F);
  TCI<decltype(row), int, 1>(row, 7);
  CHECK(row(0, 0) == 7 && row(0, 31) == -24);
  TCI(row, 1.0F, false);
  CHECK(row(0, 31) == 32);
  // With the scratch tile that A2A3's vector form takes.
  Vec<float, 1> scratch;
  TCI<decltype(row), decltype(scratch), int, 1>(row, 9, scratch);
  CHECK(row(0, 0) == 9 && row(0, 31) == -22);
  TCI(row, 3.0F, scratch, false);
  CHECK(row(0, 31) == 34);
  Vec<int32_t> triangle;
  TTRI<decltype(triangle), 0>(triangle, 1);
  CHECK(triangle(0, 1) == 1 && triangle(0, 2) == 0 && triangle(3, 4) == 1);
  TTRI<decltype(triangle), 1>(triangle, 1);
  CHECK(triangle(0, 0) == 0 && triangle(0, 1) == 1 && triangle(3, 3) == 0 && triangle(3, 31) == 1);
  TTRI(triangle, 0, false);
  CHECK(triangle(2, 2) == 1 && triangle(2, 3) == 0);
}

// Moves out of an accumulator: narrowed, rectified, through a word, through one for each column.
void TestSums() {
  TileAcc<float, 16, 16> sums;
  Tile<TileType::Mat, half, 16, 16, BLayout::ColMajor, 16, 16, SLayout::RowMajor> halves;
  Tile<TileType::Mat, int8_t, 16, 32, BLayout::ColMajor, 16, 16, SLayout::RowMajor> bytes;
  Tile<TileType::Vec, half, 16, 16> vec;
  Tile<TileType::Scaling, uint64_t, 1, 16> words;
  using Sums = decltype(sums);
  using Halves = decltype(halves);
  using Bytes = decltype(bytes);
  using Words = decltype(words);
  constexpr uint64_t kSigned = uint64_t{1} << 46;
  constexpr uint64_t kHalf = 0x3F000000 | kSigned;
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 16; ++c) sums(r, c) = static_cast<float>(r - c);
  }
  for (int c = 0; c < 16; ++c) words(0, c) = c == 5 ? (0x40000000 | kSigned) : kHalf;
  const auto at = [](auto& tile, int r, int c) { return static_cast<float>(tile(r, c)); };
  TMOV(halves, sums);
  CHECK(at(halves, 0, 15) == -15);
  TMOV<STPhase::Final>(halves, sums);
  TMOV<Halves, Sums, ReluPreMode::NormalRelu>(halves, sums);
  CHECK(at(halves, 0, 15) == 0 && at(halves, 15, 0) == 15);
  TMOV<STPhase::Partial, Halves, Sums, ReluPreMode::NoRelu>(halves, sums);
  TMOV<decltype(vec), Sums, AccToVecMode::DualModeSplitM, ReluPreMode::NormalRelu>(vec, sums);
  CHECK(at(vec, 1, 15) == 0 && at(vec, 15, 1) == 14);
  TMOV(bytes, sums, kHalf);
  CHECK(bytes(0, 15) == -8 && bytes(15, 0) == 8 && bytes(0, 13) == -6 && bytes(0, 1) == 0);
  TMOV<Bytes, Sums, ReluPreMode::NormalRelu>(bytes, sums, kHalf);
  CHECK(bytes(0, 15) == 0 && bytes(15, 0) == 8);
  TMOV_FP(bytes, sums, words);
  CHECK(bytes(15, 5) == 20 && bytes(15, 7) == 4);
  TMOV<Bytes, Sums, Words, AccToVecMode::SingleModeVec0>(bytes, sums, words);
  TEXTRACT(halves, sums, 0, 0);
  TEXTRACT<Halves, Sums, ReluPreMode::NormalRelu>(halves, sums, 0, 0);
  CHECK(at(halves, 0, 15) == 0);
  TEXTRACT(bytes, sums, kHalf, 0, 0);
  CHECK(bytes(0, 15) == -8);
  TEXTRACT_FP<Bytes, Sums, Words, ReluPreMode::NormalRelu>(bytes, sums, words, 0, 0);
  CHECK(bytes(0, 15) == 0 && bytes(15, 5) == 20);
  TINSERT(halves, sums, 0, 0);
  CHECK(at(halves, 0, 15) == -15);
  TINSERT<Bytes, Sums, ReluPreMode::NormalRelu>(bytes, sums, kHalf, 0, 0);
  TINSERT_FP(bytes, sums, words, 0, 0);
  CHECK(bytes(0, 15) == -8 && bytes(15, 5) == 20);
  half memory[256] = {};
  int8_t stored[256] = {};
  using Whole = Shape<1, 1, 1, 16, 16>;
  using Rows = pto::Stride<256, 256, 256, 16, 1>;
  GlobalTensor<half, Whole, Rows> to(memory);
  GlobalTensor<int8_t, Whole, Rows> small(stored);
  TSTORE(to, sums);
  CHECK(static_cast<float>(memory[15]) == -15);
  TSTORE<Sums, decltype(to), AtomicType::AtomicAdd, ReluPreMode::NormalRelu>(to, sums);
  CHECK(static_cast<float>(memory[15]) == -15 && static_cast<float>(memory[240]) == 30);
  TSTORE<STPhase::Final>(to, sums);
  CHECK(static_cast<float>(memory[240]) == 15);
  TSTORE(small, sums, kHalf);
  CHECK(stored[15] == -8);
  TSTORE_FP<Sums, decltype(small), Words, AtomicType::AtomicNone, ReluPreMode::NormalRelu>(small, sums, words);
  CHECK(stored[15] == 0 && stored[245] == 20);
}

void TestScalars() {
  Vec<float> x, y;
  Number(x, 0);
  TADDS(y, x, 0.5F);
  CHECK(y(3, 31) == 127.5F);
  TDIVS(y, x, 4.0F);
  CHECK(y(0, 2) == 0.5F);
  TDIVS(y, 64.0F, x);
  CHECK(y(1, 0) == 2.0F);
  TEXPANDS(y, -1.0F);
  CHECK(y(2, 2) == -1.0F);
  Vec<half> factors;
  TEXPANDS(factors, half(300.0F));
  TAXPY(y, factors, half(300.0F));
  CHECK(y(0, 0) == 89999.0F);
}

void TestTypes() {
  Vec<float> x, y;
  Vec<half> narrow;
  Number(x, -64);
  TEXPANDS(y, 0.25F);
  TCVT(narrow, x, RoundMode::CAST_RINT);
  CHECK(float(narrow(0, 0)) == -64.0F);
  TADDRELUCONV(narrow, x, y);
  CHECK(float(narrow(0, 0)) == 0 && float(narrow(2, 1)) == 1.25F);
  TSUBRELUCONV(narrow, x, y);
  CHECK(float(narrow(2, 1)) == 0.75F);
  Vec<int32_t> a, b, tmp;
  TEXPANDS(a, 6);
  TEXPANDS(b, -2);
  TADDDEQRELU(narrow, a, b, 0.125F, tmp);
  CHECK(float(narrow(3, 31)) == 0.5F);
}

// To bytes, by a scale and an offset for each row; with the type in the template as the ISA has it, and without.
void TestQuantised() {
  Vec<float> x, tmp;
  Number(x, 0);
  Tile<TileType::Vec, float, 4, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> scale(4, 1), offset(4, 1);
  for (int r = 0; r < 4; ++r) {
    scale(r, 0) = 0.5F;
    offset(r, 0) = 100.0F;
  }
  Vec<int8_t> bytes;
  Vec<uint8_t> codes;
  TQUANT<QuantType::INT8_SYM>(bytes, x, scale);
  CHECK(bytes(0, 5) == 2 && bytes(0, 7) == 4 && bytes(3, 31) == 64);
  TQUANT<QuantType::INT8_ASYM>(codes, x, scale, &offset);
  CHECK(codes(0, 5) == 102 && codes(3, 31) == 164);
  TQUANT<QuantType::INT8_ASYM>(codes, x, scale, tmp, &offset);
  CHECK(codes(1, 0) == 116);
  CHECK(RuleOf([&] { TQUANT<QuantType::INT8_ASYM>(codes, x, scale); }) == "null");
}

void TestBits() {
  Vec<float> x, y, z;
  Vec<uint8_t> mask, tmp;
  Number(x, 0);
  TEXPANDS(y, 40.0F);
  TCMP(mask, x, y, CmpMode::LT);
  CHECK(mask(0, 0) == 0xff && mask(1, 0) == 0xff && mask(1, 1) == 0 && mask(2, 0) == 0);
  TSEL(z, mask, x, y, tmp);
  CHECK(z(1, 7) == 39.0F && z(1, 8) == 40.0F && z(3, 0) == 40.0F);
}

void TestRows() {
  Vec<float> x, tmp;
  Number(x, 0);
  Tile<TileType::Vec, float, 4, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> sum(4, 1), value(4, 1);
  Tile<TileType::Vec, uint32_t, 4, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC> place(4, 1);
  TROWSUM(sum, x, tmp);
  CHECK(sum(0, 0) == 496.0F && sum(1, 0) == 496.0F + 1024.0F);
  TROWARGMAX(place, x, tmp);
  CHECK(place(0, 0) == 31 && place(3, 0) == 31);
  TROWARGMIN(value, place, x, tmp);
  CHECK(place(2, 0) == 0 && value(2, 0) == 64.0F);
}

// The mode of a core that rounds factors of f32: 1 + 2^-11 is a tie of ten bits, and is one of eleven.
void TestMadMode() {
  using Left = TileLeft<float, 16, 16>;
  using Right = TileRight<float, 16, 16>;
  constexpr float kTie = 1 + 0x1p-11F;
  const auto product = [](int profile) {
    SetProfile(static_cast<pto_profile>(profile));
    Left left;
    Right right;
    TileAcc<float, 16, 16> sum;
    for (int i = 0; i < 16; ++i) {
      for (int k = 0; k < 16; ++k) {
        left(i, k) = i == k ? kTie : 0.0F;
        right(i, k) = i == k ? 1.0F : 0.0F;
      }
    }
    TMATMUL(sum, left, right);
    return sum(7, 7);
  };
  constexpr uint64_t kAtStart = uint64_t{1} << 48;  // sums do not saturate
  for (const int profile : {PTO_PROFILE_CPU, PTO_PROFILE_A5, PTO_PROFILE_A2A3}) {
    const bool short_one = profile != PTO_PROFILE_A2A3;
    CHECK(product(profile) == kTie);
    Left::SetMadTF32Mode();
    CHECK(product(profile) == (short_one ? 1 + 0x1p-10F : kTie));
    Right().SetMadTF32Mode(RoundMode::CAST_RINT);
    CHECK(product(profile) == (short_one ? 1.0F : kTie));
    CHECK(get_ctrl() == (kAtStart | uint64_t{1} << 46));
    Left::ResetMadMode();
    CHECK(product(profile) == kTie && get_ctrl() == kAtStart);
  }
  SetProfile(PTO_PROFILE_CPU);
}

// Products of matrices in the tiles of their memories, with a phase and without, the accumulator named once or twice.
void TestProducts() {
  TileLeft<half, 16, 16> left;
  TileRight<half, 16, 32> right;
  TileAcc<float, 16, 32> sum, from;
  Tile<TileType::Bias, float, 1, 32> bias;
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 16; ++k) left(i, k) = half(i == k ? 2.0F : 0.0F);
    for (int j = 0; j < 32; ++j) right(i, j) = half(static_cast<float>(32 * i + j));
  }
  for (int j = 0; j < 32; ++j) bias(0, j) = static_cast<float>(j);
  TMATMUL(sum, left, right);
  CHECK(sum(0, 0) == 0 && sum(15, 31) == 1022.0F);
  TMATMUL<AccPhase::Final>(from, left, right);
  CHECK(from(3, 4) == 200.0F);
  TMATMUL_ACC(sum, from, left, right);
  CHECK(sum(3, 4) == 400.0F);
  TMATMUL_ACC<AccPhase::Partial>(sum, from, left, right);
  CHECK(sum(3, 4) == 400.0F);
  TMATMUL_ACC(sum, left, right);
  CHECK(sum(3, 4) == 600.0F);
  TMATMUL_ACC<AccPhase::Final>(sum, left, right);
  CHECK(sum(3, 4) == 800.0F);
  TMATMUL_BIAS(sum, left, right, bias);
  CHECK(sum(3, 4) == 204.0F);
  TMATMUL_BIAS<AccPhase::Final>(sum, left, right, bias);
  CHECK(sum(15, 31) == 1053.0F);
  TileLeft<half, 16, 16, 1, 16> row;
  TileAcc<float, 16, 32, 1, 32> out;
  for (int k = 0; k < 16; ++k) row(0, k) = half(1.0F);
  TGEMV(out, row, right);
  CHECK(out(0, 0) == 3840.0F);
  TGEMV_ACC<AccPhase::Final>(out, out, row, right);
  CHECK(out(0, 0) == 7680.0F);
  TGEMV_BIAS(out, row, right, bias);
  CHECK(out(0, 1) == 3857.0F);
}

// Forms of one name, patterns and axes as parameters of the template.
void TestPlaces() {
  Vec<float> x, y, tmp;
  Vec<int32_t> indices;
  Number(x, 0);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 32; ++c) indices(r, c) = 127 - (32 * r + c);
  }
  TGATHER(y, x, indices, tmp);
  CHECK(y(0, 0) == 127 && y(3, 31) == 0);
  TSCATTER(y, x, indices);
  CHECK(y(0, 0) == 127 && y(1, 0) == 95);
  Vec<float, 2> half;
  TGATHER<decltype(half), decltype(x), MaskPattern::P1010>(half, x);
  CHECK(half(0, 0) == 1 && half(0, 16) == 33 && half(1, 31) == 127);
  TGATHER<decltype(half), decltype(x), MaskPattern::P0101, GatherAxis::GATHER_COL>(half, x);
  CHECK(half(0, 5) == 5 && half(1, 5) == 69);
  TSCATTER<MaskPattern::P1010, ScatterAxis::SCATTER_COL>(y, half);
  CHECK(y(0, 5) == 0 && y(1, 5) == 5 && y(3, 5) == 69);
  TGATHER(y, x);
  CHECK(y(3, 31) == 127);
  TSCATTER(y, x);
  CHECK(y(3, 30) == 126);
  Vec<uint32_t, 4, 8> offsets;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) offsets(r, c) = static_cast<uint32_t>(4 * (32 * r + 8 * (3 - c)));
  }
  Vec<float, 2, 8> corner, below;
  TEXTRACT(corner, x);
  CHECK(corner(1, 7) == 39);
  TEXTRACT(corner, below, x);
  CHECK(below(1, 7) == 39);
  TEXTRACT(corner, x, 2);
  CHECK(corner(1, 7) == 103);
  TEXTRACT(corner, x, 2, 24);
  CHECK(corner(1, 7) == 127);
  TGATHERB(y, x, offsets);
  CHECK(y(0, 0) == 24 && y(0, 31) == 7 && y(2, 8) == 80);
}

// Into boxes of L1, by indices in global memory: a row of them, a column, one for each element.
void TestTablesToMat() {
  using Table = GlobalTensor<float, Shape<1, 1, 1, 8, 32>, Stride<1, 1, 1, 32, 1>>;
  using Nz = Tile<TileType::Mat, float, 16, 32, BLayout::ColMajor, 4, 32, SLayout::RowMajor>;
  using Scratch = GlobalTensor<float, Shape<1, 1, 1, 16, 32>, Stride<1, 1, 1, 32, 1>>;
  float memory[8 * 32];
  float room[16 * 32] = {};
  int32_t rows[4] = {7, 5, 9, 1};
  uint32_t places[4 * 32];
  for (int i = 0; i < 8 * 32; ++i) memory[i] = static_cast<float>(i);
  for (int i = 0; i < 4 * 32; ++i) places[i] = static_cast<uint32_t>(255 - i);
  Table table(memory);
  Scratch scratch(room);
  Nz nz;
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 4>, Stride<1, 1, 1, 4, 1>> row(rows);
  MGATHER<Coalesce::Row, GatherOOB::Clamp>(nz, table, row, scratch);
  CHECK(nz(0, 0) == 224 && nz(1, 31) == 191 && nz(2, 0) == 224 && nz(3, 5) == 37);
  MGATHER<Coalesce::Row, GatherOOB::Wrap, GatherExec::SIMT>(nz, table, row, scratch);
  CHECK(nz(0, 0) == 224 && nz(1, 31) == 191 && nz(2, 0) == 32 && nz(3, 5) == 37);
  MGATHER<Coalesce::Row, GatherOOB::Zero, GatherExec::Default>(nz, table, row, scratch);
  CHECK(nz(1, 31) == 191 && nz(2, 0) == 0 && nz(3, 5) == 37);
  rows[2] = 0;
  GlobalTensor<int32_t, Shape<1, 1, 1, DYNAMIC, 1>, Stride<1, 1, 1, 1, 1>> column(rows, {4});
  MGATHER<Coalesce::Row>(nz, table, column, scratch);
  CHECK(nz(0, 1) == 225 && nz(2, 3) == 3 && nz(3, 0) == 32);
  GlobalTensor<uint32_t, Shape<1, 1, 1, 4, 32>, Stride<1, 1, 1, 32, 1>> each(places);
  MGATHER<Coalesce::Elem>(nz, table, each, scratch);
  for (int i = 0; i < 4 * 32; ++i) CHECK(nz(i / 32, i % 32) == static_cast<float>(255 - i));
  GlobalTensor<int32_t, Shape<1, 1, 1, 1, 3>, Stride<1, 1, 1, 3, 1>> few(rows);
  std::string rule;
  try {
    MGATHER<Coalesce::Row>(nz, table, few, scratch);
  } catch (const pto::Error& error) {
    rule = error.rule();
  }
  CHECK(rule == "table-index");
}

// Exponents of groups in the order of boxes: rows of 16, in these columns of 2.
void TestBoxesOfExponents() {
  Tile<TileType::Vec, uint8_t, 32, 32, BLayout::RowMajor, 32, 4> exponents;
  Tile<TileType::Vec, uint8_t, 32, 4, BLayout::RowMajor, 32, 4, SLayout::RowMajor, 32> boxes;
  Tile<TileType::Vec, uint8_t, 32, 32> tmp;
  for (int r = 0; r < 32; ++r) {
    for (int c = 0; c < 4; ++c) exponents(r, c) = static_cast<uint8_t>(4 * r + c);
  }
  const auto ordered = [&] {
    int at = 0;
    for (int block_row = 0; block_row < 2; ++block_row) {
      for (int block_col = 0; block_col < 2; ++block_col) {
        for (int r = 0; r < 16; ++r) {
          for (int c = 0; c < 2; ++c) CHECK(boxes.data()[at++] == 4 * (16 * block_row + r) + 2 * block_col + c);
        }
      }
    }
  };
  TMOV(boxes, exponents, tmp);
  ordered();
  // Of columns of groups, as TQUANT along them has them.
  Tile<TileType::Vec, uint8_t, 4, 32> columns;
  for (int r = 0; r < 32; ++r) {
    for (int c = 0; c < 4; ++c) columns(c, r) = static_cast<uint8_t>(4 * r + c);
  }
  boxes(0, 0) = 1;
  TMOV<0>(boxes, columns, tmp);
  ordered();
  boxes(31, 3) = 0;
  TMOV<1>(boxes, exponents, tmp);
  ordered();
}

// Rows and elements of global memory by indices, and the places of elements.
void TestTables() {
  using Table = GlobalTensor<float, Shape<1, 1, 1, 8, 32>, Stride<1, 1, 1, 32, 1>>;
  float memory[8 * 32];
  for (int i = 0; i < 8 * 32; ++i) memory[i] = static_cast<float>(i);
  Table table(memory);
  Vec<float> x;
  Tile<TileType::Vec, int32_t, 1, 8> rows;
  for (int r = 0; r < 4; ++r) rows(0, r) = 7 - 2 * r;
  MGATHER(x, table, rows);
  CHECK(x(0, 0) == 224 && x(3, 31) == 63);
  rows(0, 1) = 9;
  MGATHER<Coalesce::Row, GatherOOB::Wrap>(x, table, rows);
  CHECK(x(1, 3) == 35);
  MGATHER<Coalesce::Row, GatherOOB::Zero, decltype(x), Table, decltype(rows)>(x, table, rows);
  CHECK(x(0, 1) == 225 && x(1, 3) == 0);
  MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Skip>(table, x, rows);
  CHECK(memory[224] == 448 && memory[32] == 64 && memory[0] == 0);
  Vec<uint32_t> places;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 32; ++c) places(r, c) = static_cast<uint32_t>(c / 2);
  }
  Number(x, 1000);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Undefined, ScatterConflict::Last>(table, x, places);
  CHECK(memory[0] == 1097 && memory[15] == 1127 && memory[16] == 16);
  MSCATTER<Coalesce::Elem, ScatterAtomicOp::Max>(table, x, places);
  MGATHER<Coalesce::Elem>(x, table, places);
  CHECK(x(3, 31) == 1127);
  Number(x, 0);
  Tile<TileType::Vec, int32_t, 8, 1, BLayout::ColMajor, 4, 1> limits;
  Tile<TileType::Vec, uint32_t, 8, 1, BLayout::ColMajor, 4, 1> counts;
  for (int r = 0; r < 4; ++r) limits(r, 0) = 40;
  Vec<float> tmp;
  TGATHER<decltype(places), decltype(x), decltype(limits), decltype(counts), decltype(tmp), CmpMode::GT>(
      places, x, limits, counts, tmp, 100);
  CHECK(counts(0, 0) == 0 && counts(1, 0) == 23 && counts(3, 0) == 32 && places(1, 0) == 141 && places(3, 31) == 227);
}

// Outputs that are not tiles in C++, arrays and counts as parameters.
void TestRecords() {
  Vec<float, 1> values;
  Vec<uint32_t, 1> indices;
  Vec<float, 1, 64> sorted[2], tmp;
  Vec<float, 1, 128> merged;
  for (int k = 0; k < 32; ++k) {
    values(0, k) = static_cast<float>(k * 7 % 32);
    indices(0, k) = static_cast<uint32_t>(k);
  }
  TSORT32(sorted[0], values, indices);
  CHECK(sorted[0](0, 0) == 31 && sorted[0](0, 62) == 0);
  TADDS(values, values, 0.5F);
  TSORT32(sorted[1], values, indices, values);
  MrgSortExecutedNumList executed = {9, 9, 9, 9};
  TMRGSORT<decltype(merged), decltype(tmp), decltype(tmp), decltype(tmp), false>(merged, executed, tmp, sorted[0],
                                                                                 sorted[1]);
  CHECK(merged(0, 0) == 31.5F && merged(0, 2) == 31 && merged(0, 126) == 0);
  CHECK(executed.mrgSortList0 == 32 && executed.mrgSortList1 == 32 && executed.mrgSortList2 == 0);
  TMRGSORT<decltype(merged), decltype(tmp), decltype(tmp), decltype(tmp), true>(merged, executed, tmp, sorted[0],
                                                                                sorted[1]);
  CHECK(executed.mrgSortList0 == 31 && executed.mrgSortList1 == 32);
  Vec<float, 1, 256> blocks, whole;
  for (int k = 0; k < 128; ++k) {
    blocks(0, 2 * k) = static_cast<float>(-(k % 32));
    blocks(0, 2 * k + 1) = 0;
  }
  TMRGSORT(whole, blocks, 64);
  CHECK(whole(0, 0) == 0 && whole(0, 6) == 0 && whole(0, 8) == -1 && whole(0, 254) == -31);
  Vec<uint16_t> elements;
  Vec<uint8_t> filter;
  Tile<TileType::Vec, uint32_t, 4, 256> counts;
  for (int c = 0; c < 32; ++c) elements(2, c) = static_cast<uint16_t>(256 * c);
  THISTOGRAM<HistByte::BYTE_1>(counts, elements, filter);
  CHECK(counts(2, 0) == 1 && counts(2, 31) == 32 && counts(2, 255) == 32);
  Vec<uint32_t, 1, 8> words;
  TRandomKey key = {1, 2};
  TRandomCounter counter = {};
  TRANDOM(words, key, counter);
  CHECK(words(0, 0) == 0x0598DE3A && words(0, 3) == 0xEAB709D3);
  TRandomKey zero = {};
  TRANDOM<7>(words, zero, counter);
  CHECK(words(0, 0) == 0x5F6FB709);
}

// An image in on-chip memory, whose patches become rows: the filter is the image's.
void TestImages() {
  using Image = ConvTile<TileType::Mat, float, 256, Layout::NC1HWC0, ConvTileShape<1, DYNAMIC, 3, 4, 8>>;
  static_assert(is_conv_tile_v<Image> && !is_global_data_v<Image> && !is_tile_data_v<Image>);
  static_assert(Image::totalDimCount == 5 && Image::dynamicDimCount == 1 && Image::isDynamicDim[1]);
  Image image(2);
  CHECK(image.GetShape(1) == 2 && image.GetShape(4) == 8);
  for (int i = 0; i < 2 * 3 * 4 * 8; ++i) image.data()[i] = static_cast<float>(i);
  image.SetFilterH(2);
  image.SetFilterW(3);
  image.SetStrideW(2);
  image.SetPadList(0, 1);
  image.SetPadValue(-5);
  SETFMATRIX(image);
  SET_IMG2COL_RPT(image);
  SET_IMG2COL_PADDING(image);
  // Two places down, two across; the channels of 2 x 3 points, of two blocks.
  Tile<TileType::Left, float, 16, 96, BLayout::ColMajor, 4, 96, SLayout::RowMajor> left;
  TIMG2COL(left, image);
  const auto at = [](int c1, int y, int x, int c0) { return static_cast<float>(((c1 * 3 + y) * 4 + x) * 8 + c0); };
  CHECK(left(0, 0) == -5 && left(0, 8) == at(0, 0, 0, 0) && left(0, 23) == at(0, 0, 1, 7));
  CHECK(left(1, 0) == at(0, 0, 1, 0) && left(2, 8) == at(0, 1, 0, 0) && left(3, 95) == at(1, 2, 3, 7));
  // From a place and a channel on; and of another number of blocks.
  TIMG2COL<decltype(left), Image, SetFmatrixMode::FMATRIX_B_MANUAL>(left, image, 1, 8);
  CHECK(left(0, 0) == at(0, 0, 2, 0) && left(2, 87) == at(1, 2, 3, 7) && left(3, 0) == -5 && left(2, 88) == -5);
  image.SetChannelSize(9);
  TIMG2COL(left, image);
  CHECK(left(0, 56) == at(1, 0, 0, 0) && left(0, 57) == -5);
  image.SetDynamicShape(1);
  TIMG2COL(left, image);
  CHECK(left(0, 8) == 0 && left(0, 56) == -5);
  // At an address it has the elements of what else is there.
  TASSIGN(image, 1024);
  Tile<TileType::Mat, float, 1, 256> there;
  TASSIGN<1024>(there);
  there(0, 7) = 70;
  TIMG2COL(left, image);
  CHECK(image.data()[7] == 70 && left(0, 15) == 70);
  TASSIGN<1056>(image);
  there(0, 15) = 71;
  TIMG2COL(left, image);
  CHECK(image.data()[7] == 71 && left(0, 15) == 71);
}

// Images to and from global memory: a tensor has all of their elements.
void TestImageTransfers() {
  using Image = ConvTile<TileType::Mat, float, 512, Layout::NC1HWC0, ConvTileShape<DYNAMIC, 2, 3, DYNAMIC, 8>>;
  using Global = GlobalTensor<float, Shape<DYNAMIC, 2, DYNAMIC, DYNAMIC, 8>, Stride<DYNAMIC, DYNAMIC, DYNAMIC, 16, 1>,
                              Layout::NC1HWC0>;
  static float memory[2 * 2 * 3 * 4 * 16], back[2 * 2 * 3 * 4 * 16];
  for (int i = 0; i < 768; ++i) memory[i] = static_cast<float>(i);
  const auto at = [](int n, int c1, int y, int x, int c0) { return (((n * 2 + c1) * 3 + y) * 4 + x) * 16 + c0; };
  Global global(memory, {2, 3, 4}, {384, 192, 64});
  Global out(back, {2, 3, 4}, {384, 192, 64});
  Image image(2, 4);
  TLOAD(image, global);
  RecordEvent event;
  TSTORE(out, image, event);
  for (int i = 0; i < 768; ++i) CHECK(back[i] == (i % 16 < 8 ? static_cast<float>(i) : 0));
  // A tensor that lacks elements of the image is refused, and nothing is copied.
  Global part(memory, {1, 2, 3}, {384, 192, 64});
  for (int i = 0; i < 384; ++i) image.data()[i] = -1;
  CHECK(RuleOf([&] { TLOAD(image, part); }) == "transfer-covers");
  CHECK(RuleOf([&] { TSTORE(part, image); }) == "transfer-covers");
  for (int i = 0; i < 384; ++i) CHECK(image.data()[i] == -1 && memory[2 * i] == static_cast<float>(2 * i));
  // A tensor of more of them gives what the image has; more than its memory holds is refused.
  Image small(1, 2);
  TLOAD(small, global);
  CHECK(small.data()[((1 * 3 + 2) * 2 + 1) * 8 + 3] == static_cast<float>(at(0, 1, 2, 1, 3)));
  Image large(3, 4);
  CHECK(RuleOf([&] { TLOAD(large, global); }) == "tensor-range");
}

// Other dimensions with the same number of elements: filters have four or five. And six dimensions: a tensor has five.
void TestImageDimensions() {
  static float memory[768], back[768];
  for (int i = 0; i < 768; ++i) memory[i] = static_cast<float>(i);
  using Filter = GlobalTensor<float, Shape<1, 6, 1, 16, 8>, Stride<768, 128, 128, 8, 1>, Layout::FRACTAL_Z>;
  Filter filter(memory);
  Filter to(back);
  ConvTile<TileType::Mat, float, 768, Layout::FRACTAL_Z, ConvTileShape<6, 1, 16, 8>> four;
  ConvTile<TileType::Mat, float, 768, Layout::FRACTAL_Z, ConvTileShape<2, 3, 16, 8>> other;
  ConvTile<TileType::Mat, float, 768, Layout::FRACTAL_Z, ConvTileShape<5, 1, 16, 8>> fewer;
  ConvTile<TileType::Mat, float, 896, Layout::FRACTAL_Z, ConvTileShape<7, 1, 16, 8>> more;
  TLOAD(four, filter);
  TLOAD(other, filter);
  TSTORE(to, other);
  for (int i = 0; i < 768; ++i)
    CHECK(four.data()[i] == memory[i] && other.data()[i] == memory[i] && back[i] == memory[i]);
  TLOAD(fewer, filter);  // a window of the tensor
  CHECK(fewer.data()[639] == 639.0F);
  CHECK(RuleOf([&] { TLOAD(more, filter); }) == "transfer-covers");
  // n, d, c1, h, w with gaps between images; c0 is the tile's.
  using Deep = GlobalTensor<float, Shape<2, 2, 1, 3, 4>, Stride<384, 96, 96, 32, 8>, Layout::NDC1HWC0>;
  using Image = ConvTile<TileType::Mat, float, 384, Layout::NDC1HWC0, ConvTileShape<2, 2, 1, 3, 4, 8>>;
  Deep deep(memory);
  Image image;
  TLOAD(image, deep);
  for (int i = 0; i < 384; ++i) CHECK(image.data()[i] == memory[i / 192 * 384 + i % 192]);
  Deep out(back);
  for (float& value : back) value = -1;
  TSTORE(out, image);
  for (int i = 0; i < 768; ++i) CHECK(back[i] == (i % 384 < 192 ? memory[i] : -1));
  // From n, c, d, h, w: 5 channels in a block of 8.
  using Plain = GlobalTensor<float, Shape<2, 5, 2, 3, 4>, Stride<120, 24, 12, 4, 1>, Layout::NCDHW>;
  Plain plain(memory);
  TLOAD(image, plain);
  for (int n = 0; n < 2; ++n) {
    for (int i = 0; i < 192; ++i) {
      const int c = i % 8;
      const float want = c < 5 ? memory[n * 120 + c * 24 + i / 8] : 0;
      CHECK(image.data()[n * 192 + i] == want);
    }
  }
  TEXPANDS(image, 2.5F);
  for (int i = 0; i < 384; ++i) CHECK(image.data()[i] == 2.5F);
  const Image same = image;
  CHECK(same.data() == image.data());
}

// One tile's elements under another type; a window of a tile, at its border, too.
void TestViews() {
  Vec<float> a;
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 32; ++c) a(r, c) = static_cast<float>(100 * r + c);
  }
  Tile<TileType::Vec, int32_t, 8, 16, BLayout::RowMajor, 7, DYNAMIC> bits(5);
  bits(0, 0) = 3;
  TRESHAPE(bits, a);
  CHECK(bits(1, 1) == 0x41880000 && bits.GetValidCol() == 5 && bits(7, 15) == 0x43A58000);
  bits(0, 1) = 0x3F800000;
  CHECK(a(0, 1) == 1.0F);
  // The same shape at another place; only a corner of it is there. Both have the same pitch.
  Tile<TileType::Vec, float, 4, 32, BLayout::RowMajor, DYNAMIC, DYNAMIC> window(2, 8);
  TSUBVIEW(window, a, 2, 24);
  CHECK(window(0, 0) == 224 && window(1, 7) == 331);
  TADDS(window, window, 1.0F);
  CHECK(a(2, 24) == 225 && a(3, 31) == 332 && a(1, 31) == 131 && a(2, 23) == 223);
  CHECK(RuleOf([&] { window(2, 0) = 1; }) == "element-range");
  CHECK(RuleOf([&] { window.SetValidShape(3, 8); }) == "valid-range");
  window.SetValidShape(1, 8);
  CHECK(RuleOf([&] { TSUBVIEW(window, a, 4, 0); }) == "view-range");
  CHECK(RuleOf([&] { TSUBVIEW(window, a, 0, 25); }) == "view-range");
  CHECK(window(0, 0) == 225);
  // A line of any pitch, a column, and a window of nothing.
  Vec<float, 1, 8> line;
  TSUBVIEW(line, a, 1, 16);
  CHECK(line(0, 7) == 123);
  Tile<TileType::Vec, float, 8, 4, BLayout::ColMajor> columns;
  Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor> column;
  columns(5, 3) = 53;
  TSUBVIEW(column, columns, 0, 3);
  CHECK(column(5, 0) == 53);
  window.SetValidShape(0, 0);
  TSUBVIEW(window, a, 3, 0);
  CHECK(window(0, 3) == 303);
  // At an address of its own it is a whole tile again.
  TASSIGN(window, 4096);
  window(3, 31) = 5;
  CHECK(a(3, 31) == 332);
  Tile<TileType::Vec, float, 4, 32, BLayout::RowMajor, DYNAMIC, 32> unset;
  CHECK(RuleOf([&] { TRESHAPE(unset, a); }) == "valid-range");
  CHECK(RuleOf([&] { TSUBVIEW(unset, a, 0, 0); }) == "valid-range");
}

// The mode of TFILLPAD as a parameter, and the padding of a Mat tile.
void TestPads() {
  using Part = Tile<TileType::Vec, float, 4, 32, BLayout::RowMajor, 2, 3>;
  using Padded = Tile<TileType::Vec, float, 4, 32, BLayout::RowMajor, 2, 3, SLayout::NoneBox, 512, PadValue::Min>;
  Part src;
  Padded dst;
  src(1, 2) = 12;
  constexpr float kMin = -std::numeric_limits<float>::infinity();
  TFILLPAD<TFillPadMode::Normal>(dst, src);
  CHECK(dst(1, 2) == 12 && dst(1, 3) == kMin && dst(3, 31) == kMin);
  dst(1, 3) = 1;
  TFILLPAD<TFillPadMode::InPlace, Padded, Padded>(dst, dst);
  CHECK(dst(1, 2) == 12 && dst(1, 3) == kMin);
  Tile<TileType::Vec, float, 8, 64, BLayout::RowMajor, 8, 64, SLayout::NoneBox, 512, PadValue::Max> wide;
  TFILLPAD<TFillPadMode::Expand>(wide, src);
  CHECK(wide(1, 2) == 12 && wide(7, 63) == -kMin);
  using Plain = Tile<TileType::Mat, float, 32, 16, BLayout::ColMajor, 3, DYNAMIC, SLayout::RowMajor>;
  using Most = Tile<TileType::Mat, float, 32, 16, BLayout::ColMajor, 3, DYNAMIC, SLayout::RowMajor, 512, PadValue::Max>;
  const auto check = [](auto& tile) {
    tile(2, 1) = 21;
    tile(2, 2) = tile(3, 1) = tile(31, 15) = 5;
    return [](auto& padded) {
      return padded(2, 1) == 21 && padded(2, 2) == 0 && padded(3, 1) == 0 && padded(31, 15) == 0;
    };
  };
  Plain plain(2);
  Most most(2);
  const auto good = check(plain);
  TFILLPAD(plain, plain);
  CHECK(good(plain));
  check(most);
  TFILLPAD<Most>(most, most);
  CHECK(good(most));
  check(plain);
  TFILLPAD<Plain, PadValue::Zero>(plain, plain);
  CHECK(good(plain));
  Tile<TileType::Mat, float, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor> large;
  TINSERT<TInsertMode::SPLIT2>(large, plain, 16, 8);
  CHECK(large(18, 9) == 21 && large(2, 1) == 0);
}

}  // namespace

int main() {
  TestNumbersThatCount();
  TestSums();
  TestScalars();
  TestTypes();
  TestQuantised();
  TestBits();
  TestRows();
  TestProducts();
  TestMadMode();
  TestPlaces();
  TestTables();
  TestTablesToMat();
  TestBoxesOfExponents();
  TestRecords();
  TestImages();
  TestImageTransfers();
  for (const pto_profile profile : {PTO_PROFILE_A2A3, PTO_PROFILE_CPU}) {
    SetProfile(profile);
    TestImageDimensions();
  }
  TestViews();
  TestPads();
  return check::Report("forms");
}
