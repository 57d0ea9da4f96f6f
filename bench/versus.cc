// versus.cc: two builds of the library against each other, in one process: the same calls on the same memory, in turn.
//
//   versus OLD.so NEW.so [SIZE,SIZE...] [INSTRUCTION]
//
// One line a case: nanoseconds of a call, and old / new: above 1 the new build is faster.
#include <dlfcn.h>
#include <pto_c.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bench/harness.h"

namespace {

constexpr int64_t kStride = int64_t{4096} * 4096 * 4 + 21 * 64;

struct Library {
  explicit Library(const char* path) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)) {
    if (handle == nullptr) {
      std::fprintf(stderr, "versus: %s\n", dlerror());
      std::exit(2);
    }
    ctx = Get<decltype(&pto_context_create)>("pto_context_create")(PTO_PROFILE_CPU);
  }
  template <class F>
  F Get(const std::string& name) const {
    F f = reinterpret_cast<F>(dlsym(handle, name.c_str()));
    if (f == nullptr) {
      std::fprintf(stderr, "versus: %s is missing\n", name.c_str());
      std::exit(2);
    }
    return f;
  }
  // An old library knows the beginning of a description.
  template <class Wrap, class Desc>
  auto Wrapped(Wrap wrap, Desc* desc, void* data, int64_t bytes) const {
    for (size_t size = sizeof *desc; size >= 16; size -= 4) {
      desc->struct_size = static_cast<uint32_t>(size);
      if (auto* made = wrap(ctx, desc, data, bytes)) return made;
    }
    Stop("a tile or tensor is refused");
  }
  [[noreturn]] void Stop(const char* what) const {
    std::fprintf(stderr, "versus: %s: %s\n", what,
                 Get<decltype(&pto_context_error_message)>("pto_context_error_message")(ctx));
    std::exit(2);
  }
  pto_tile* Tile(pto_dtype t, int rows, int cols, void* data, int64_t bytes) const {
    pto_tile_desc desc{};
    desc.dtype = t;
    desc.rows = desc.valid_rows = rows;
    desc.cols = desc.valid_cols = cols;
    return Wrapped(Get<decltype(&pto_tile_wrap)>("pto_tile_wrap"), &desc, data, bytes);
  }
  pto_tensor* Tensor(pto_dtype t, int rows, int cols, void* data, int64_t bytes) const {
    pto_tensor_desc desc{};
    desc.dtype = t;
    desc.rank = 2;
    desc.dim0 = rows;
    desc.dim1 = cols;
    return Wrapped(Get<decltype(&pto_tensor_wrap)>("pto_tensor_wrap"), &desc, data, bytes);
  }
  void* handle;
  pto_context* ctx;
};

struct Arena {
  Arena() : at(static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (at == MAP_FAILED) std::abort();
    madvise(at, kBytes, MADV_HUGEPAGE);
  }
  void Fill(pto_dtype t, int64_t count) const {
    std::mt19937 random(7);
    for (int64_t i = 0; i < count; ++i) {
      // Positive numbers near 1, exponents of a few bits.
      const auto bits = static_cast<uint32_t>(random());
      for (int operand = 0; operand < 2; ++operand) {
        char* to = at + operand * kStride +
                   i * (t == PTO_DTYPE_F32 || t == PTO_DTYPE_I32 ? 4
                        : t == PTO_DTYPE_I8                      ? 1
                                                                 : 2);
        const float number = 0.5F + static_cast<float>((operand == 0 ? bits : bits >> 16) & 0x3ff) / 512.0F;
        const int32_t whole = 1 + static_cast<int32_t>((operand == 0 ? bits : bits >> 16) & 7);
        uint32_t f;
        std::memcpy(&f, &number, 4);
        const auto half = static_cast<_Float16>(number);
        const auto top = static_cast<uint16_t>(f >> 16);
        if (t == PTO_DTYPE_F32) std::memcpy(to, &f, 4);
        if (t == PTO_DTYPE_F16) std::memcpy(to, &half, 2);
        if (t == PTO_DTYPE_BF16) std::memcpy(to, &top, 2);
        if (t == PTO_DTYPE_I32) std::memcpy(to, &whole, 4);
        if (t == PTO_DTYPE_I16 || t == PTO_DTYPE_I8) std::memcpy(to, &whole, t == PTO_DTYPE_I8 ? 1 : 2);
      }
    }
  }
  static constexpr int64_t kBytes = 3 * kStride;
  char* at;
};

using Binary = decltype(&pto_tcolexpanddiv);
using WithTmp = decltype(&pto_tpow);
using Unary = decltype(&pto_trsqrt);

std::function<pto_status()> CallOf(const Library& lib, const Arena& arena, const std::string& op, pto_dtype t,
                                   int bytes, int n) {
  const int64_t size = int64_t{n} * n * bytes;
  const bool row = op.rfind("tcolexpand", 0) == 0;
  pto_context* ctx = lib.ctx;
  pto_tile* a = lib.Tile(t, n, n, arena.at, size);
  pto_tile* b = lib.Tile(t, row ? 1 : n, n, arena.at + kStride, row ? n * bytes : size);
  pto_tile* dst = lib.Tile(t, n, n, arena.at + 2 * kStride, size);
  const std::string name = "pto_" + op;
  if (op == "tpow" || op == "tprelu") return [=, f = lib.Get<WithTmp>(name)] { return f(ctx, dst, a, b, nullptr, 0); };
  if (op == "trsqrt") return [=, f = lib.Get<Unary>(name)] { return f(ctx, dst, a, nullptr, 0); };
  if (op == "tmov") return [=, f = lib.Get<decltype(&pto_tmov)>(name)] { return f(ctx, dst, a, 0); };
  if (op == "tload") {
    pto_tensor* from = lib.Tensor(t, n, n, arena.at, size);
    return [=, f = lib.Get<decltype(&pto_tload)>(name)] { return f(ctx, dst, from, 0); };
  }
  if (op == "tstore") {
    pto_tensor* to = lib.Tensor(t, n, n, arena.at + 2 * kStride, size);
    return [=, f = lib.Get<decltype(&pto_tstore)>(name)] { return f(ctx, to, a, 0); };
  }
  return [=, f = lib.Get<Binary>(name)] { return f(ctx, dst, a, b, 0); };
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: versus OLD.so NEW.so [SIZE,SIZE...] [INSTRUCTION]\n");
    return 2;
  }
  const Library libs[2] = {Library(argv[1]), Library(argv[2])};
  const Arena arena;
  std::vector<int> sizes;
  for (const char* at = argc > 3 ? argv[3] : "16,64,4096"; at != nullptr; at = std::strchr(at, ',')) {
    sizes.push_back(std::atoi(at += *at == ','));
  }
  const struct {
    const char* name;
    pto_dtype dtype;
    int bytes;
  } types[] = {{"f32", PTO_DTYPE_F32, 4}, {"f16", PTO_DTYPE_F16, 2}, {"bf16", PTO_DTYPE_BF16, 2},
               {"i32", PTO_DTYPE_I32, 4}, {"i16", PTO_DTYPE_I16, 2}, {"i8", PTO_DTYPE_I8, 1}};
  const char* ops[] = {"tpow",     "trsqrt", "tprelu", "tcolexpanddiv", "tcolexpandmul",
                       "tpartadd", "tload",  "tstore", "tmov"};
  std::printf("| instruction | type | size | old, ns | new, ns | old / new |\n|---|---|---|---|---|---|\n");
  std::map<int, std::pair<double, int>> means;
  for (const char* op : ops) {
    if (argc > 4 && std::strcmp(op, argv[4]) != 0) continue;
    for (const auto& t : types) {
      if (std::strcmp(op, "trsqrt") == 0 && t.dtype != PTO_DTYPE_F32 && t.dtype != PTO_DTYPE_F16 &&
          t.dtype != PTO_DTYPE_BF16)
        continue;
      for (const int n : sizes) {
        arena.Fill(t.dtype, int64_t{n} * n);
        std::vector<bench::Contestant> all;
        for (const Library& lib : libs) {
          const auto call = CallOf(lib, arena, op, t.dtype, t.bytes, n);
          // A refused call takes no time.
          if (call() != PTO_OK) lib.Stop(op);
          all.push_back({"", bench::Timed(call), "", 1, {}});
        }
        bench::Race(all, n == 4096 ? 5 : 15, 3e5);
        const double ratio = bench::Slower(all[0], all[1]).median;
        auto& [sum, count] = means[n];
        sum += std::log(ratio);
        ++count;
        std::printf("| %s | %s | %d | %.1f | %.1f | %.2f |\n", op, t.name, n, bench::Median(all[0].ns),
                    bench::Median(all[1].ns), ratio);
        std::fflush(stdout);
      }
    }
  }
  for (const auto& [n, mean] : means)
    std::printf("geometric mean at %dx%d: %.3f\n", n, n, std::exp(mean.first / mean.second));
}
