// functions.cc: functions of 64 x 64 numbers against MKL's vector mathematics (VML), in one process, in turn, one
// thread.
// ./dev bench functions runs it.
//
//   functions [LIBMKL_RT.so]
//
// VML computes f32 only. Its HA is within an ulp and not correctly rounded, its LA errs by up to 4 ulp; its own
// treatment of subnormal numbers as zeros is off. libpto is correctly rounded where a row has `exact`, within an ulp
// elsewhere. For f16 and bf16, which are correctly rounded, the peer is VML's function of f32.
#include <dlfcn.h>
#include <pto_c.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "bench/harness.h"

namespace {

constexpr int32_t kSize = 64;
constexpr int kCount = kSize * kSize;
// VML_LA and VML_HA, with VML_FTZDAZ_OFF and VML_ERRMODE_IGNORE.
constexpr int64_t kLow = 0x140101;
constexpr int64_t kHigh = 0x140102;

using One = void (*)(int n, const float* a, float* r, int64_t mode);
using Two = void (*)(int n, const float* a, const float* b, float* r, int64_t mode);

struct Case {
  const char* op;
  const char* vml;
  bool exact_is_usual;  // correctly rounded without a flag
  float least, most;
};
constexpr Case kCases[] = {
    {"tsqrt", "vmsSqrt", true, 0.05F, 8}, {"trsqrt", "vmsInvSqrt", true, 0.05F, 8}, {"tdiv", "vmsDiv", true, 0.05F, 8},
    {"texp", "vmsExp", false, -4, 4},     {"tlog", "vmsLn", false, 0.05F, 4},       {"tpow", "vmsPow", false, 0.05F, 4},
};

[[noreturn]] void Stop(pto_context* ctx, const char* what) {
  std::fprintf(stderr, "functions: %s: %s\n", what, pto_context_error_message(ctx));
  std::exit(1);
}

pto_tile* Tile(pto_context* ctx, pto_dtype dtype, const std::vector<float>& numbers) {
  pto_tile* wide = pto_tile_create(ctx, PTO_DTYPE_F32, kSize, kSize);
  if (pto_tile_write(ctx, wide, numbers.data(), kCount * int64_t{4}) != PTO_OK) Stop(ctx, "write");
  if (dtype == PTO_DTYPE_F32) return wide;
  pto_tile* tile = pto_tile_create(ctx, dtype, kSize, kSize);
  if (pto_tcvt(ctx, tile, wide, nullptr, PTO_ROUND_RINT, PTO_SAT_OFF, 0) != PTO_OK) Stop(ctx, "tcvt");
  pto_tile_release(wide);
  return tile;
}

void Measure(pto_context* ctx, void* mkl, const Case& c, pto_dtype dtype, bool precise) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> draw(c.least, c.most);
  std::vector<float> a(kCount), b(kCount), r(kCount);
  for (int i = 0; i < kCount; ++i) a[static_cast<size_t>(i)] = draw(random), b[static_cast<size_t>(i)] = draw(random);
  pto_inst* inst = pto_inst_create(ctx, c.op);
  const int32_t op = pto_op_find(c.op);
  std::vector<pto_tile*> tiles;
  int32_t sources = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role == PTO_ROLE_FLAGS) pto_inst_set_int(ctx, inst, i, precise ? PTO_HIGH_PRECISION : 0);
    if (role != PTO_ROLE_IN && role != PTO_ROLE_OUT) continue;
    sources += role == PTO_ROLE_IN;
    tiles.push_back(Tile(ctx, dtype, sources == 2 ? b : a));
    pto_inst_set_tile(ctx, inst, i, tiles.back());
  }
  if (pto_inst_check(ctx, inst) != PTO_OK) Stop(ctx, c.op);
  std::vector<bench::Contestant> all{{"libpto", bench::Timed([&] { pto_inst_run(ctx, inst); }), ""}};
  void* peer = mkl == nullptr ? nullptr : dlsym(mkl, c.vml);
  for (const int64_t mode : {kHigh, kLow}) {
    if (peer == nullptr) break;
    all.push_back({"VML", bench::Timed([&, mode] {
                     if (sources == 1) reinterpret_cast<One>(peer)(kCount, a.data(), r.data(), mode);
                     if (sources == 2) reinterpret_cast<Two>(peer)(kCount, a.data(), b.data(), r.data(), mode);
                   }),
                   ""});
  }
  bench::Race(all, 21, 3e5);
  std::printf("| %s %s%s | %.2f |", c.op, pto_dtype_name(dtype), precise || c.exact_is_usual ? ", exact" : "",
              kCount / bench::Median(all[0].ns));
  for (size_t i = 1; i < 3; ++i) {
    if (i < all.size()) {
      const double ratio = bench::Slower(all[i], all[0]).median;
      std::printf(ratio < 1 ? " **%.2f** |" : " %.2f |", ratio);
    } else {
      std::printf(" |");
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  pto_inst_release(inst);
  for (pto_tile* tile : tiles) pto_tile_release(tile);
}

}  // namespace

int main(int argc, char** argv) {
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  void* mkl = argc < 2 ? nullptr : dlopen(argv[1], RTLD_NOW);
  if (mkl == nullptr) std::printf("VML is left out: ./dev setup bench installs MKL.\n\n");
  std::printf(
      "%s, 64x64: elements per ns, and how many times as long VML takes.\n\n| | libpto | VML HA | VML LA "
      "|\n|---|---|---|---|\n",
      pto_context_target(ctx));
  for (const Case& c : kCases) {
    for (const pto_dtype dtype : {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16}) {
      Measure(ctx, mkl, c, dtype, false);
      if (dtype == PTO_DTYPE_F32 && !c.exact_is_usual) Measure(ctx, mkl, c, dtype, true);
    }
  }
  pto_context_release(ctx);
}
