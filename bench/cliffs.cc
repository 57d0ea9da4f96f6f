// cliffs.cc: what data costs. Runs each float instruction on ordinary numbers and on subnormal, huge, infinite, NaN and
// masked ones, and prints how fast these are relative to the ordinary ones. ./dev bench cliffs runs it.
//
// An instruction is called through pto_inst, with tiles of 64 x 64 elements and of the lines that its operands' extents
// ask for, so that a new instruction is measured without a line here. Those that these tiles do not fit are listed
// last.
#include <pto_c.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness.h"

namespace {

constexpr int32_t kSize = 64;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Kind {
  const char* name;
  double (*at)(int i, double ordinary, pto_dtype dtype);
};

// Numbers below the least normal one of the type.
double Subnormal(int i, pto_dtype dtype) { return (dtype == PTO_DTYPE_F16 ? 1e-6 : 1e-40) * (1 + i % 7); }

constexpr Kind kKinds[] = {
    {"ordinary", [](int, double x, pto_dtype) { return x; }},
    {"1 % subnormal", [](int i, double x, pto_dtype t) { return i % 97 == 0 ? Subnormal(i, t) : x; }},
    {"subnormal", [](int i, double, pto_dtype t) { return Subnormal(i, t); }},
    {"zeros", [](int i, double x, pto_dtype) { return i % 3 == 0 ? 0 : x; }},
    {"huge", [](int i, double, pto_dtype t) { return (t == PTO_DTYPE_F16 ? 6e4 : 3e38) / (1 + i % 5); }},
    {"wide", [](int i, double x, pto_dtype) { return 40 * x * (i % 2 == 0 ? -1 : 1); }},
    {"half -inf", [](int i, double x, pto_dtype) { return i % kSize < kSize / 2 ? -kInfinity : x; }},
    {"half -1e4", [](int i, double x, pto_dtype) { return i % kSize < kSize / 2 ? -1e4 : x; }},
    {"inf", [](int, double, pto_dtype) { return kInfinity; }},
    {"NaN", [](int i, double x, pto_dtype) { return i % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : x; }},
};

bool IsFloat(pto_dtype t) { return t == PTO_DTYPE_F16 || t == PTO_DTYPE_BF16 || t == PTO_DTYPE_F32; }

// A call of an instruction, with its tiles.
class Call {
 public:
  Call(pto_context* ctx, int32_t op, pto_dtype lead, bool precise) : ctx_(ctx) {
    inst_ = pto_inst_create(ctx, pto_op_name(op));
    const int32_t count = pto_op_operand_count(op);
    for (int32_t i = 0; i < count; ++i) {
      const int32_t role = pto_op_operand_role(op, i);
      if (role == PTO_ROLE_FLAGS) pto_inst_set_int(ctx, inst_, i, precise ? PTO_HIGH_PRECISION : 0);
      if (role == PTO_ROLE_SCALAR) pto_inst_set_float(ctx, inst_, i, 1.5);
      if (role == PTO_ROLE_INT) pto_inst_set_int(ctx, inst_, i, 1);
      if (role != PTO_ROLE_IN && role != PTO_ROLE_OUT && role != PTO_ROLE_INOUT) continue;
      const int32_t extent = pto_op_operand_extent(op, i);
      const bool one_row = extent == PTO_EXTENT_ROW || extent == PTO_EXTENT_COL_RESULTS;
      const bool one_col = extent == PTO_EXTENT_COLUMN || extent == PTO_EXTENT_ROW_RESULTS ||
                           (extent == PTO_EXTENT_REPEAT && sources_ != 0);
      const uint32_t types = pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, lead);
      auto dtype = lead;
      if ((types >> lead & 1) == 0) {
        int first = 0;
        while (first < 31 && (types >> first & 1) == 0) ++first;
        dtype = static_cast<pto_dtype>(first);
      }
      pto_tile* tile = pto_tile_create(ctx, dtype, one_row ? 1 : kSize, one_col ? 1 : kSize);
      if (tile == nullptr) continue;
      pto_inst_set_tile(ctx, inst_, i, tile);
      tiles_.push_back({tile, role != PTO_ROLE_OUT});
      sources_ += role == PTO_ROLE_IN;
    }
    fits_ = pto_inst_check(ctx, inst_) == PTO_OK && sources_ != 0;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    pto_inst_release(inst_);
    for (const Operand& t : tiles_) pto_tile_release(t.tile);
  }

  bool Fits() const { return fits_; }
  bool Run() const { return pto_inst_run(ctx_, inst_) == PTO_OK; }

  // The first source gets such numbers, or all; positive ones as ordinary, since logarithms and roots want them.
  void Fill(pto_context* ctx, const Kind& kind) {
    for (size_t n = 0; n < tiles_.size(); ++n) {
      const auto dtype = static_cast<pto_dtype>(pto_tile_dtype(tiles_[n].tile));
      if (!tiles_[n].read || !IsFloat(dtype)) continue;
      const int32_t rows = pto_tile_rows(tiles_[n].tile), cols = pto_tile_cols(tiles_[n].tile);
      pto_tile* wide = pto_tile_create(ctx, PTO_DTYPE_F32, rows, cols);
      auto* data = static_cast<float*>(pto_tile_data(wide));
      for (int i = 0; i < rows * cols; ++i) {
        const double ordinary = 0.5 + 0.001 * ((i * 37 + static_cast<int>(n) * 11) % 3000);
        data[i] = static_cast<float>(kind.at(i, ordinary, dtype));
      }
      pto_tcvt(ctx, tiles_[n].tile, wide, nullptr, PTO_ROUND_RINT, PTO_SAT_OFF, 0);
      // f32 to itself becomes integral.
      if (dtype == PTO_DTYPE_F32)
        std::memcpy(pto_tile_data(tiles_[n].tile), data, sizeof(float) * static_cast<size_t>(rows * cols));
      pto_tile_release(wide);
    }
  }

 private:
  struct Operand {
    pto_tile* tile;
    bool read;
  };
  pto_context* ctx_;
  pto_inst* inst_;
  std::vector<Operand> tiles_;
  int sources_ = 0;
  bool fits_ = false;
};

bool Listed(const std::string& list, const std::string& name) {
  return list.empty() || ("," + list + ",").find("," + name + ",") != std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  std::string only, types;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
    if (std::strcmp(argv[i], "--types") == 0) types = argv[i + 1];
  }
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  std::printf("Speed on such data relative to ordinary data, %s, %dx%d; below 0.4 in bold.\n\n| instruction | type |",
              pto_context_target(ctx), kSize, kSize);
  for (size_t k = 1; k < std::size(kKinds); ++k) std::printf(" %s |", kKinds[k].name);
  std::printf("\n|---|---|");
  for (size_t k = 1; k < std::size(kKinds); ++k) std::printf("---|");
  std::printf("\n");
  std::string left_out;
  int slow = 0;
  for (int32_t at = 0; at < pto_op_count(); ++at) {
    const int32_t op = pto_op_at(at);
    const std::string name = pto_op_name(op);
    if (!Listed(only, name)) continue;
    bool any = false, floats = false;
    for (const pto_dtype dtype : {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16}) {
      for (const bool precise : {false, true}) {
        if (!Listed(types, pto_dtype_name(dtype))) continue;
        const uint32_t flags = precise ? PTO_HIGH_PRECISION : 0;
        if (pto_op_supports(op, PTO_PROFILE_CPU, dtype, flags) == 0) continue;
        floats = true;
        std::vector<bench::Contestant> all;
        std::vector<std::unique_ptr<Call>> calls;
        for (const Kind& kind : kKinds) {
          calls.push_back(std::make_unique<Call>(ctx, op, dtype, precise));
          Call& call = *calls.back();
          if (!call.Fits()) break;
          call.Fill(ctx, kind);
          if (!call.Run()) break;
          all.push_back({kind.name, bench::Timed([&call] { call.Run(); }), ""});
        }
        if (all.size() != std::size(kKinds)) continue;
        any = true;
        bench::Race(all, 7, 5e4);
        std::printf("| %s | %s%s |", name.c_str(), pto_dtype_name(dtype), precise ? ", precise" : "");
        for (size_t k = 1; k < all.size(); ++k) {
          const double ratio = bench::Median(all[0].ns) / bench::Median(all[k].ns);
          slow += ratio < 0.4;
          std::printf(ratio < 0.4 ? " **%.2f** |" : " %.2f |", ratio);
        }
        std::printf("\n");
        std::fflush(stdout);
      }
    }
    if (floats && !any) left_out += " " + name;
  }
  std::printf("\n%d below 0.4. Left out, as these tiles do not fit them:%s\n", slow, left_out.c_str());
  pto_context_release(ctx);
}
