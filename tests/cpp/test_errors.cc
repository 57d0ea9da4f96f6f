// Errors at run time throw pto::Error, with the rule; tiles are as they were. Profiles and
// contexts decide what is wrong.
#include <pto/pto-inst.hpp>
// Kernels do not pay for the compilation of these.
#if defined(_GLIBCXX_STRING) || defined(_GLIBCXX_STDEXCEPT) || defined(_GLIBCXX_MAP) || defined(_GLIBCXX_MUTEX)
#error pto-inst.hpp includes a header that is dear to compile
#endif

#include <sstream>
#include <string>
#include <string_view>

#include "check.h"

using namespace pto;

namespace {

using TileT = Tile<TileType::Vec, float, 16, 16>;
using Dynamic = Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, DYNAMIC, DYNAMIC>;

// Runs what must throw and looks at all parts of the error.
template <typename Call>
void Expect(pto_status status, const std::string& rule, const std::string& operand, const std::string& part,
            Call call) {
  bool thrown = false;
  try {
    call();
  } catch (const Error& error) {
    thrown = true;
    const std::string what = error.what();
    const bool right = error.status() == status && error.rule() == rule && error.operand() == operand &&
                       error.message().find(part) != std::string::npos && !error.remedy().empty() &&
                       what == error.message() + " [" + rule + "] " + error.remedy() &&
                       what.find('\n') == std::string::npos &&
                       // In the names of this interface.
                       what.find("pto_") == std::string::npos && what.find("PTO_LOCATION") == std::string::npos;
    if (!right) {
      std::fprintf(stderr, "expected %s of %s with '%s'; got %d %s\n", rule.c_str(), operand.c_str(), part.c_str(),
                   static_cast<int>(error.status()), what.c_str());
    }
    CHECK(right);
  }
  if (!thrown) std::fprintf(stderr, "expected %s\n", rule.c_str());
  CHECK(thrown);
}

void TestValidRegions() {
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidRow", "17 where the tile has 16", [] { Dynamic tile(17, 3); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidCol", "-2", [] { Dynamic tile(3, -2); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidRow", "4294967299", [] { Dynamic tile(4294967299, 3); });
  Expect(PTO_ERROR_ARGUMENT, "mode", "mode", "mode is 3", [] { TileT::SetMadTF32Mode(RoundMode::CAST_FLOOR); });
  Dynamic tile(3, 4);
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidCol", "17", [&] { tile.SetValidCol(17); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidCol", "99", [&] { tile.SetValidShape(5, 99); });
  CHECK(tile.GetValidRow() == 3 && tile.GetValidCol() == 4);
  Dynamic unset, half_set;
  half_set.SetValidRow(3);
  TileT other;
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidRow", "16x16 tile is not set", [&] { TRSQRT(unset, other); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidCol", "is not set", [&] { TRSQRT(half_set, other); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidRow", "is not set", [&] { (void)unset.GetValidRow(); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidCol", "is not set", [&] { (void)half_set.GetValidCol(); });
  Expect(PTO_ERROR_SHAPE, "valid-range", "ValidRow", "is not set", [&] { TASSIGN(unset, 0); });
}

void TestInstructions() {
  Dynamic dst(8, 9), src(8, 8);
  TileT full, tmp;
  dst(0, 0) = 77.0F;
  Expect(PTO_ERROR_SHAPE, "valid-covers", "src", "src is valid in 8x8 where dst is in 8x9", [&] { TRSQRT(dst, src); });
  Expect(PTO_ERROR_SHAPE, "valid-covers", "exp", "tpow", [&] { TPOW(dst, dst, src, tmp); });
  Expect(PTO_ERROR_SHAPE, "valid-covers", "src1", "tprelu", [&] { TPRELU(dst, dst, src, tmp); });
  Expect(PTO_ERROR_SHAPE, "cols-covered", "src1", "8 scalars", [&] { TCOLEXPANDDIV(dst, dst, src); });
  Expect(PTO_ERROR_SHAPE, "partial-valid", "src0", "tpartadd", [&] { TPARTADD(dst, src, src); });
  CHECK(dst(0, 0) == 77.0F);
  src.SetValidCol(9);
  dst.SetValidRow(8);
  TRSQRT(dst, src);
  CHECK(dst(0, 0) > 1e38F);
}

void TestElements() {
  TileT tile;
  const TileT constant;
  Expect(PTO_ERROR_ARGUMENT, "element-range", "", "element (16, 0) of a 16x16 tile", [&] { tile(16, 0) = 1; });
  Expect(PTO_ERROR_ARGUMENT, "element-range", "", "(0, -1)", [&] { (void)constant(0, -1); });
  Expect(PTO_ERROR_ARGUMENT, "element-range", "", "(16, 0)", [&] { (void)tile.GetValue(256); });
  Expect(PTO_ERROR_ARGUMENT, "element-range", "", "element", [&] { tile.SetValue(-1, 0); });
}

void TestAddresses() {
  TileT tile;
  Expect(PTO_ERROR_ADDRESS, "address-alignment", "address", "33", [&] { TASSIGN(tile, 33); });
  Expect(PTO_ERROR_ADDRESS, "address-range", "address", "address 1073741824 end after",
         [&] { TASSIGN(tile, 0x40000000); });
  TASSIGN(tile, 0x40000);  // after the memory of A5
  Expect(PTO_ERROR_ARGUMENT, "on-chip-limit", "bytes", "addresses already", [] { SetOnChipLimit(4096); });
  SetProfile(PTO_PROFILE_CPU);
  SetOnChipLimit(4096);
  Expect(PTO_ERROR_ADDRESS, "address-range", "address", "the 4096 bytes of vec", [&] { TASSIGN(tile, 0x1000); });
  SetProfile(PTO_PROFILE_CPU);
  Expect(PTO_ERROR_ADDRESS, "address-range", "address", "address -32 start before", [&] { TASSIGN(tile, -32); });
  SetMode(Mode::Manual);
  TileT base, exp, dst, tmp;
  TASSIGN(base, 0x1000);
  TASSIGN(dst, 0x2000);
  Expect(PTO_ERROR_ADDRESS, "storage", "exp", "exp is a manual tile without an address",
         [&] { TPOW(dst, base, exp, tmp); });
  Expect(PTO_ERROR_ADDRESS, "storage", "tile", "no address", [&] { (void)exp.data(); });
  Expect(PTO_ERROR_ADDRESS, "storage", "tile", "no address", [&] { exp(0, 0) = 1; });
  TASSIGN(exp, 0x3000);
  TPOW(dst, base, exp, tmp);  // tmp is not touched under this profile
  CHECK(dst(3, 3) == 1.0F);
  SetMode(Mode::Auto);
}

void TestProfiles() {
  SetProfile(PTO_PROFILE_A2A3);
  CHECK(pto_context_profile(CurrentContext()) == PTO_PROFILE_A2A3);
  Tile<TileType::Vec, bfloat16_t, 16, 16> wide;
  Expect(PTO_ERROR_DTYPE, "dtype", "dst", "holds bf16", [&] { TRSQRT(wide, wide); });
  TileT x, slope, out, tmp;
  Expect(PTO_ERROR_SHAPE, "tmp-spare-row", "tmp", "tmp has 16", [&] { TPRELU(out, x, slope, tmp); });
  Tile<TileType::Vec, uint8_t, 17, 32> mask;
  TPRELU(out, x, slope, mask);
  Expect(PTO_ERROR_ALIAS, "no-overlap", "src0", "shares memory", [&] { TPRELU(out, out, slope, mask); });
  Expect(PTO_ERROR_ALIAS, "tmp-apart", "tmp", "shares memory", [&] { TPOW(out, x, slope, out); });
  Tile<TileType::Vec, float, 16, 16, BLayout::ColMajor> down;
  Expect(PTO_ERROR_LAYOUT, "row-major", "dst", "col-major", [&] { TRSQRT(down, x); });
  Expect(PTO_ERROR_LAYOUT, "capacity", "rows", "262144 bytes where A2A3 has 196608",
         [&] { Tile<TileType::Vec, float, 256, 256>().data(); });
  Expect(PTO_ERROR_LAYOUT, "location", "location", "scale_left",
         [&] { Tile<TileType::ScaleLeft, uint8_t, 32, 32>().data(); });
  SetProfile(PTO_PROFILE_A5);
  Tile<TileType::Vec, int32_t, 16, 16> ints, scratch;
  TPOW(ints, ints, ints, scratch);
  Expect(PTO_ERROR_DTYPE, "precision-float", "flags", "i32 under A5",
         [&] { TPOW<PowAlgorithm::HIGH_PRECISION>(ints, ints, ints, scratch); });
  Expect(PTO_ERROR_ARGUMENT, "operand-value", "profile", "profile 3", [] { SetProfile(static_cast<pto_profile>(3)); });
  CHECK(pto_context_profile(CurrentContext()) == PTO_PROFILE_A5);
  SetProfile(PTO_PROFILE_CPU);
  TPOW<PowAlgorithm::HIGH_PRECISION>(ints, ints, ints, scratch);
  CHECK(ints(1, 1) == 1);
}

// A tile is judged by the profile, as in C: all lines, boxes and sizes are right for the CPU.
void TestGeometry() {
  using Odd = Tile<TileType::Vec, float, 16, 10>;
  using Down = Tile<TileType::Vec, half, 15, 16, BLayout::ColMajor>;
  using Boxes = Tile<TileType::Mat, half, 24, 24, BLayout::ColMajor, 24, 24, SLayout::RowMajor>;
  using Rows = Tile<TileType::Mat, half, 24, 32, BLayout::ColMajor, 24, 32, SLayout::ColMajor>;
  for (const pto_profile profile : {PTO_PROFILE_A2A3, PTO_PROFILE_A5}) {
    SetProfile(profile);
    Expect(PTO_ERROR_LAYOUT, "row-bytes", "cols", "rows of 40 bytes", [] { Odd().data(); });
    Expect(PTO_ERROR_LAYOUT, "row-bytes", "rows", "columns of 30 bytes", [] { Down().data(); });
    Expect(PTO_ERROR_LAYOUT, "box-shape", "cols", "24 where", [] { Boxes().data(); });
    Expect(PTO_ERROR_LAYOUT, "box-shape", "rows", "24 where", [] { Rows().data(); });
    Odd far;
    Expect(PTO_ERROR_LAYOUT, "row-bytes", "cols", "40", [&] { TASSIGN<0x1000>(far); });
  }
  SetProfile(PTO_PROFILE_A5);
  TileT outside;
  Expect(PTO_ERROR_ADDRESS, "address-range", "address", "end after", [&] { TASSIGN<0x3fc20>(outside); });
  SetProfile(PTO_PROFILE_CPU);
  Odd odd;
  odd(15, 9) = 4.0F;
  TRSQRT(odd, odd);
  CHECK(odd(15, 9) == 0.5F);
}

void TestContexts() {
  pto_context* const mine = pto_context_create(PTO_PROFILE_A5);
  TileT tile, seen;
  TASSIGN(tile, 0x1000);
  tile(0, 0) = 3.0F;
  pto_context* const own = CurrentContext();
  UseContext(mine);
  pto_context_release(mine);  // the thread counts a reference
  CHECK(CurrentContext() == mine && pto_context_profile(CurrentContext()) == PTO_PROFILE_A5);
  TASSIGN(seen, 0x1000);
  CHECK(seen(0, 0) == 0.0F && tile(0, 0) == 3.0F);
  UseContext(nullptr);
  CHECK(CurrentContext() == own);
  TASSIGN(seen, 0x1000);
  CHECK(seen(0, 0) == 3.0F);
  // A new context has memory of its own; what a tile holds stays.
  SetProfile(PTO_PROFILE_CPU);
  TASSIGN(seen, 0x1000);
  CHECK(seen(0, 0) == 0.0F && tile(0, 0) == 3.0F);
}

// Messages of errors become strings of their user.
void TestTexts() {
  const Text text = Text("valid") + "-" + Text(std::string("range"));
  const std::string copied = text;
  std::string assigned;
  assigned = text;
  const std::string_view seen = text;
  std::ostringstream out;
  out << text << '.';
  CHECK(copied == "valid-range" && std::string(text) == assigned && seen == copied && out.str() == "valid-range.");
  CHECK(text == copied && copied == text && text != "valid" && text.find("range") == 6 && text.find("x") == Text::npos);
  CHECK(text.size() == 11 && !text.empty() && Text().empty() && Text() == "" && *Text().c_str() == '\0');
  Text moved = text;
  Text empty;
  moved.swap(empty);
  CHECK(moved.empty() && empty == text);
  moved += "ab";
  moved.resize(4);
  CHECK(moved.size() == 4 && moved.find("ab") == 0 && moved.data()[3] == '\0' && (moved = empty) == text);
}

// Remedies are in terms of C++, and the values to write are in the message.
template <typename Call>
std::string WhatOf(pto_profile profile, Call call) {
  SetProfile(profile);
  std::string what;
  try {
    call();
  } catch (const Error& error) {
    what = error.what();
  }
  SetProfile(PTO_PROFILE_CPU);
  return what;
}

void TestRemedies() {
  const auto has = [](const std::string& what, const char* part) {
    if (what.find(part) == std::string::npos) std::fprintf(stderr, "'%s' lacks '%s'\n", what.c_str(), part);
    return what.find(part) != std::string::npos;
  };
  using Small = Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, 4, 8>;
  std::string what = WhatOf(PTO_PROFILE_A2A3, [] {
    Small dst;
    TileT a;
    TADD(dst, a, a);
  });
  CHECK(has(what, "[valid-equal]") && has(what, "ValidRow and ValidCol of the type, or SetValidShape() if these are"));
  what = WhatOf(PTO_PROFILE_A2A3, [] {
    Tile<TileType::Vec, float, 8, 6> narrow;
    TEXPANDS(narrow, 1.0F);
  });
  CHECK(has(what, "rows of 24 bytes where A2A3 needs a multiple of 32: allocate 8 columns [row-bytes]"));
  CHECK(has(what, "make a part of it valid: ValidRow and ValidCol of the type"));
  what = WhatOf(PTO_PROFILE_A2A3, [] {
    Tile<TileType::Vec, float, 16, 16, BLayout::ColMajor> a;
    TABS(a, a);
  });
  CHECK(has(what, "[row-major]") && has(what, "BLayout::RowMajor") && has(what, "with TRESHAPE"));
  what = WhatOf(PTO_PROFILE_A2A3, [] {
    TileAcc<float, 16, 16> sums;
    TileT dst;
    TMOV(dst, sums);
  });
  CHECK(has(what, "[location-move] Store the tile to global memory and load it from there"));
  what = WhatOf(PTO_PROFILE_CPU, [] {
    TileT a, tmp;
    Small sums;
    TROWSUM(sums, a, tmp);
  });
  CHECK(has(what, "it needs 16 valid rows [row-results]"));
  what = WhatOf(PTO_PROFILE_CPU, [] {
    TileT a;
    Small window;
    TSUBVIEW(window, a, 14, 0);
  });
  CHECK(has(what, "row 14 + 4 rows is outside the 16 rows of the tile [view-range] Reduce the offset or the size."));
}

}  // namespace

int main() {
  TestRemedies();
  TestTexts();
  TestValidRegions();
  TestInstructions();
  TestElements();
  TestAddresses();
  TestProfiles();
  TestGeometry();
  TestContexts();
  return check::Report("errors");
}
