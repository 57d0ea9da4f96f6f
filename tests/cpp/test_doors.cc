// One tile, four doors: a descriptor of the C interface, a Tile of C++, an argument of a program and pto.alloc_tile
// get the same result under each profile, the result of the formulas below.
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "../common/profiles.h"
#include "check.h"

using namespace pto;

namespace {

struct Order {
  BLayout blayout;
  SLayout slayout;
  int fractal;
};
constexpr Order kOrders[] = {
    {BLayout::RowMajor, SLayout::NoneBox, 512},   {BLayout::ColMajor, SLayout::NoneBox, 512},
    {BLayout::ColMajor, SLayout::RowMajor, 512},  {BLayout::RowMajor, SLayout::ColMajor, 512},
    {BLayout::RowMajor, SLayout::RowMajor, 512},  {BLayout::ColMajor, SLayout::ColMajor, 512},
    {BLayout::ColMajor, SLayout::RowMajor, 1024}, {BLayout::RowMajor, SLayout::RowMajor, 32},
};
constexpr TileType kLocations[] = {TileType::Vec, TileType::Mat, TileType::Left, TileType::Acc};
constexpr const char* kLocationNames[] = {"vec", "mat", "left", "acc"};
constexpr int kShapes[][2] = {{16, 16}, {3, 3}, {17, 32}, {1, 64}, {512, 512}};
constexpr int kOrderCount = sizeof(kOrders) / sizeof(*kOrders);
constexpr int kLocationCount = sizeof(kLocations) / sizeof(*kLocations);
constexpr int kShapeCount = sizeof(kShapes) / sizeof(*kShapes);

// The result of the tile model: the rule that the profile breaks, or "".
std::string Expected(pto_profile profile, int location, const Order& order, int bytes, int rows, int cols) {
  if (profile == PTO_PROFILE_CPU) return "";
  if (order.slayout == SLayout::NoneBox) {
    if ((order.blayout == BLayout::RowMajor ? cols : rows) * bytes % 32 != 0) return "row-bytes";
  } else {
    const int length = order.fractal == 1024 ? 16 : order.fractal == 32 ? 2 : 32 / bytes;
    const bool by_rows = order.slayout == SLayout::RowMajor;
    if (cols % (by_rows ? length : 16) != 0) return "box-shape";
    const bool free = location == 0 || order.fractal == 32 || rows == 1;
    if (!free && rows % (by_rows ? 16 : length) != 0) return "box-shape";
  }
  const int kib[2][4] = {{192, 512, 64, 128}, {256, 512, 64, 256}};
  return rows * cols * bytes > kib[profile == PTO_PROFILE_A5][location] * 1024 ? "capacity" : "";
}

void Same(const std::string& seen, const std::string& expected, const std::string& what) {
  if (!CHECK(seen == expected)) {
    std::fprintf(stderr, "%s: '%s' where '%s' is expected\n", what.c_str(), seen.c_str(), expected.c_str());
  }
}

std::string RuleOf(const pto_program* program) {
  return pto_program_diagnostic_count(program) == 0 ? "" : pto_program_diagnostic_rule(program, 0);
}

// The answer to a program when it is read, and when it is run with the tile as its argument.
void AskProgram(const std::string& text, pto_tile* argument, const std::string& expected, const std::string& what) {
  pto_context* const ctx = CurrentContext();
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "doors.pto");
  CHECK(program != nullptr);
  const bool correct = pto_program_check(ctx, program) == PTO_OK;
  Same(correct ? "" : RuleOf(program), expected, what + ": check");
  CHECK(pto_program_diagnostic_count(program) == (expected.empty() ? 0 : 1));
  if (argument != nullptr) CHECK(pto_program_bind_tile(ctx, program, "t", argument) == PTO_OK);
  if (argument != nullptr || text.find("%t:") == text.npos) {
    const bool good = pto_program_run(ctx, program, nullptr) == PTO_OK;
    Same(good ? "" : RuleOf(program), expected, what + ": run");
  }
  pto_program_release(program);
}

using Make = std::string (*)();

void Ask(int location, const Order& order, const char* element, pto_dtype dtype, int bytes, int rows, int cols,
         Make make) {
  std::string type = std::string("!pto.tile_buf<") + kLocationNames[location] + ", " + std::to_string(rows) + "x" +
                     std::to_string(cols) + "x" + element;
  if (order.blayout == BLayout::ColMajor) type += ", blayout=col_major";
  if (order.slayout != SLayout::NoneBox) {
    type += order.slayout == SLayout::RowMajor ? ", slayout=row_major" : ", slayout=col_major";
  }
  type += ", fractal=" + std::to_string(order.fractal) + ">";
  for (const pto_profile profile : ALL_PROFILES) {
    SetProfile(profile);
    const std::string expected = Expected(profile, location, order, bytes, rows, cols);
    const std::string what = type + " under profile " + std::to_string(profile);
    pto_tile_desc desc{};
    desc.struct_size = sizeof(desc);
    desc.dtype = dtype;
    desc.rows = rows;
    desc.cols = cols;
    desc.valid_rows = PTO_VALID_ALL;
    desc.valid_cols = PTO_VALID_ALL;
    desc.location = static_cast<pto_location>(kLocations[location]);
    desc.blayout = static_cast<pto_blayout>(order.blayout);
    desc.slayout = static_cast<pto_slayout>(order.slayout);
    desc.fractal = order.fractal;
    pto_tile* tile = pto_tile_create_from(CurrentContext(), &desc);
    Same(tile != nullptr ? "" : pto_context_error_rule(CurrentContext()), expected, what + ": C");
    Same(make(), expected, what + ": C++");
    AskProgram("func.func @f(%t: " + type + ") {\n  return\n}\n", tile, expected, what + ": argument");
    AskProgram("func.func @f() {\n  %t = pto.alloc_tile : " + type + "\n  return\n}\n", nullptr, expected,
               what + ": alloc_tile");
    pto_tile_release(tile);
  }
}

template <typename Element, int kCase>
std::string MakeTile() {
  constexpr Order kOrder = kOrders[kCase % kOrderCount];
  constexpr const int(&kShape)[2] = kShapes[kCase / kOrderCount % kShapeCount];
  Tile<kLocations[kCase / kOrderCount / kShapeCount], Element, kShape[0], kShape[1], kOrder.blayout, kShape[0],
       kShape[1], kOrder.slayout, kOrder.fractal>
      tile;
  try {
    (void)tile.handle();
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

template <typename Element, int... kCases>
void AskAll(const char* element, pto_dtype dtype, std::integer_sequence<int, kCases...> /*cases*/) {
  constexpr Make kMakes[] = {&MakeTile<Element, kCases>...};
  int at = 0;
  for (const Make make : kMakes) {
    const int(&shape)[2] = kShapes[at / kOrderCount % kShapeCount];
    Ask(at / kOrderCount / kShapeCount, kOrders[at % kOrderCount], element, dtype, sizeof(Element), shape[0], shape[1],
        make);
    ++at;
  }
}

}  // namespace

int main() {
  const std::make_integer_sequence<int, kOrderCount * kShapeCount * kLocationCount> cases;
  AskAll<float>("f32", PTO_DTYPE_F32, cases);
  AskAll<int8_t>("i8", PTO_DTYPE_I8, cases);
  return check::Report("doors");
}
