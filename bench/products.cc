// products: TMATMUL and TGEMV against the products of other libraries, in turn in one process. `sum` marks results with
// the bits of libpto's: of f32 a chain of fused multiply-adds along k. bf16 has an order of its own, the one of AMX,
// and no contestant here; i8 is exact, so other bits are `WRONG`. `products [ROUNDS]`.
#include <pto_c.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "bench/harness.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if PTO_HAS_OPENBLAS
#include <cblas.h>
#endif
#if PTO_HAS_DNNL
#include <oneapi/dnnl/dnnl.h>
#endif
#if PTO_HAS_XSMM
#include <libxsmm.h>
#endif
#if PTO_HAS_BLIS
#include <blis.h>
#endif
#if PTO_HAS_EIGEN
#include "bench/products_eigen.h"
#endif

namespace {

using bench::Contestant;

// Memory of a matrix, aligned.
std::shared_ptr<void> Memory(int64_t bytes) {
  return {std::aligned_alloc(64, static_cast<size_t>((bytes + 63) / 64 * 64)), std::free};
}

// Numbers of few digits, which each type has.
void Fill(pto_dtype dtype, void* to, int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  for (int64_t i = 0; i < count; ++i) {
    const int k = static_cast<int>(random() % 255) - 127;
    const float value = static_cast<float>(k) / 64.0F;
    uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    if (dtype == PTO_DTYPE_I8) static_cast<int8_t*>(to)[i] = static_cast<int8_t>(k);
    if (dtype == PTO_DTYPE_F32) static_cast<float*>(to)[i] = value * (1.0F + 0x1p-20F * static_cast<float>(i % 99));
    if (dtype == PTO_DTYPE_BF16) static_cast<uint16_t*>(to)[i] = static_cast<uint16_t>(bits >> 16);
    if (dtype != PTO_DTYPE_F16) continue;
    const uint32_t half = bits << 1 == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits & 0x7fffffff) - (112U << 23)) >> 13;
    static_cast<uint16_t*>(to)[i] = static_cast<uint16_t>(half);
  }
}

pto_tile* Wrapped(pto_context* ctx, pto_dtype dtype, int rows, int cols, void* data) {
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rows = desc.valid_rows = rows;
  desc.cols = desc.valid_cols = cols;
  return pto_tile_wrap(ctx, &desc, data, int64_t{rows} * cols * pto_dtype_bytes(dtype));
}

// The layouts of the matrix unit's memories.
pto_tile* Boxed(pto_context* ctx, pto_dtype dtype, int rows, int cols, pto_blayout b, pto_slayout s, int fractal,
                const void* rows_of) {
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = dtype;
  desc.rows = desc.valid_rows = rows;
  desc.cols = desc.valid_cols = cols;
  desc.blayout = b;
  desc.slayout = s;
  desc.fractal = fractal;
  pto_tile* tile = pto_tile_create_from(ctx, &desc);
  if (rows_of != nullptr) pto_tile_write(ctx, tile, rows_of, pto_tile_valid_bytes(tile));
  return tile;
}

struct Sizes {
  int m, n, k;
};

// Reads memory and does nothing else: what bounds a vector by a matrix. Several streams, as a single one waits for
// memory.
#if defined(__x86_64__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
uint64_t
Read(const void* memory, int64_t bytes) {
  using Line [[gnu::vector_size(64), gnu::may_alias]] = uint64_t;
  constexpr int64_t kStreams = 8;
  const auto* at = static_cast<const Line*>(memory);
  const int64_t length = bytes / 64 / kStreams;
  Line sum[kStreams] = {};
  for (int64_t i = 0; i < length; ++i) {
#pragma GCC unroll 8
    for (int64_t k = 0; k < kStreams; ++k) sum[k] ^= at[k * length + i];
  }
  for (int64_t k = 1; k < kStreams; ++k) sum[0] ^= sum[k];
  return sum[0][0] ^ sum[0][7];
}

#if defined(__x86_64__)
// Twelve sums, more than a multiply-add has to wait for, in registers: what bounds every product of f32.
constexpr int kSums = 12;
[[gnu::target("avx512f")]] void MultiplyAdd512(int64_t steps) {
  __m512 sum[kSums] = {};
  for (__m512& one : sum) asm volatile("" : "+v"(one));  // the compiler must not see that they are alike
  const __m512 x = _mm512_set1_ps(0.5F);
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (__m512& one : sum) one = _mm512_fmadd_ps(x, one, x);
  }
  for (const __m512& one : sum) asm volatile("" ::"v"(one));
}
[[gnu::target("avx2,fma")]] void MultiplyAdd256(int64_t steps) {
  __m256 sum[kSums] = {};
  for (__m256& one : sum) asm volatile("" : "+x"(one));
  const __m256 x = _mm256_set1_ps(0.5F);
  for (int64_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (__m256& one : sum) one = _mm256_fmadd_ps(x, one, x);
  }
  for (const __m256& one : sum) asm volatile("" ::"x"(one));
}
#endif

// Gop/s; 0: of no other target.
double Peak(const char* target, int rounds) {
  double best = 0;
#if defined(__x86_64__)
  constexpr int64_t kSteps = 100000;
  const bool wide = std::strncmp(target, "AVX3", 4) == 0;
  if (!wide && std::strcmp(target, "AVX2") != 0) return 0;
  for (int i = 0; i < rounds; ++i) {
    const double start = bench::ThreadNs();
    (wide ? MultiplyAdd512 : MultiplyAdd256)(kSteps);
    best = std::max(best, 2.0 * kSums * kSteps * (wide ? 16 : 8) / (bench::ThreadNs() - start));
  }
#endif
  return best;
}

void Print(const char* what, const Sizes& s, const std::vector<Contestant>& all) {
  const double work = 2.0 * s.m * s.n * s.k;
  const double ours = bench::Median(all[0].ns);
  std::printf("%-5s %4dx%4dx%4d", what, s.m, s.n, s.k);
  for (const Contestant& c : all) {
    if (c.ns.empty()) continue;
    const double ns = bench::Median(c.ns);
    std::printf(" | %s %.1f (%.2f)%s", c.name.c_str(), work / ns, ns / ours, c.mark.c_str());
  }
  std::printf("\n");
}

bool SameBits(const std::shared_ptr<void>& a, const std::shared_ptr<void>& b, int64_t count) {
  return std::memcmp(a.get(), b.get(), static_cast<size_t>(count) * 4) == 0;
}

void Products(pto_context* ctx, pto_dtype dtype, const Sizes& s, int rounds) {
  const pto_dtype sum = dtype == PTO_DTYPE_I8 ? PTO_DTYPE_I32 : PTO_DTYPE_F32;
  const int64_t size = pto_dtype_bytes(dtype);
  const auto a = Memory(size * s.m * s.k), b = Memory(size * s.k * s.n);
  const auto c = Memory(int64_t{4} * s.m * s.n), theirs = Memory(int64_t{4} * s.m * s.n);
  Fill(dtype, a.get(), int64_t{s.m} * s.k, 1);
  Fill(dtype, b.get(), int64_t{s.k} * s.n, 2);
  pto_tile* const left = Wrapped(ctx, dtype, s.m, s.k, a.get());
  pto_tile* const right = Wrapped(ctx, dtype, s.k, s.n, b.get());
  pto_tile* const out = Wrapped(ctx, sum, s.m, s.n, c.get());
  pto_tile* const boxed_left = Boxed(ctx, dtype, s.m, s.k, PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512, a.get());
  pto_tile* const boxed_right = Boxed(ctx, dtype, s.k, s.n, PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_COL_MAJOR, 512, b.get());
  pto_tile* const boxed_out = Boxed(ctx, sum, s.m, s.n, PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 1024, nullptr);
  std::vector<Contestant> all;
  const auto add = [&](const char* name, std::function<void()> call) {
    Contestant contestant;
    contestant.name = name;
    contestant.run = bench::Timed(std::move(call));
    all.push_back(std::move(contestant));
  };
  if (pto_tmatmul(ctx, out, left, right, PTO_MAD_NONE, 0) != PTO_OK) std::exit(1);
  const auto judge = [&] {
    const bool same = SameBits(c, theirs, int64_t{s.m} * s.n);
    all.back().mark = same ? " sum" : dtype == PTO_DTYPE_I8 ? " WRONG" : "";
  };
  add("libpto", [=] { pto_tmatmul(ctx, out, left, right, PTO_MAD_NONE, 0); });
  add("libpto boxed", [=] { pto_tmatmul(ctx, boxed_out, boxed_left, boxed_right, PTO_MAD_NONE, 0); });
  [[maybe_unused]] const auto* fa = static_cast<const float*>(a.get());
  [[maybe_unused]] const auto* fb = static_cast<const float*>(b.get());
  [[maybe_unused]] auto* fc = static_cast<float*>(theirs.get());
#if PTO_HAS_OPENBLAS
  const auto blas = [=](const float* x, const float* y) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s.m, s.n, s.k, 1, x, s.k, y, s.n, 0, fc, s.n);
  };
  const auto wide_a = Memory(int64_t{4} * s.m * s.k), wide_b = Memory(int64_t{4} * s.k * s.n);
  if (dtype == PTO_DTYPE_F32) {
    add("OpenBLAS", [=] { blas(fa, fb); });
    blas(fa, fb);
    judge();
  } else if (dtype == PTO_DTYPE_I8) {
    // Exact while sums are below 2^24.
    add("widen + OpenBLAS", [=] {
      auto* x = static_cast<float*>(wide_a.get());
      auto* y = static_cast<float*>(wide_b.get());
      for (int i = 0; i < s.m * s.k; ++i) x[i] = static_cast<const int8_t*>(a.get())[i];
      for (int i = 0; i < s.k * s.n; ++i) y[i] = static_cast<const int8_t*>(b.get())[i];
      blas(x, y);
      for (int i = 0; i < s.m * s.n; ++i) reinterpret_cast<int32_t*>(fc)[i] = static_cast<int32_t>(fc[i]);
    });
  }
#endif
#if PTO_HAS_DNNL
  if (dtype == PTO_DTYPE_F32) {
    const auto call = [=] { dnnl_sgemm('N', 'N', s.m, s.n, s.k, 1, fa, s.k, fb, s.n, 0, fc, s.n); };
    add("oneDNN", call);
    call();
    judge();
  } else if (dtype == PTO_DTYPE_I8) {
    const auto call = [=] {
      const int32_t zero = 0;
      dnnl_gemm_s8s8s32('N', 'N', 'F', s.m, s.n, s.k, 1, static_cast<const int8_t*>(a.get()), s.k, 0,
                        static_cast<const int8_t*>(b.get()), s.n, 0, 0, reinterpret_cast<int32_t*>(fc), s.n, &zero);
    };
    add("oneDNN", call);
    call();
    judge();
  }
#endif
#if PTO_HAS_BLIS
  if (dtype == PTO_DTYPE_F32) {
    const auto call = [=] {
      float one = 1, zero = 0;
      bli_sgemm(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, s.m, s.n, s.k, &one, const_cast<float*>(fa), s.k, 1,
                const_cast<float*>(fb), s.n, 1, &zero, fc, s.n, 1);
    };
    add("BLIS", call);
    call();
    judge();
  }
#endif
#if PTO_HAS_EIGEN
  // It has the machine's own instructions: no yardstick of a target that was asked for.
  if (dtype == PTO_DTYPE_F32 && std::getenv("PTO_TARGET") == nullptr) {
    const auto call = [=] { EigenProduct(s.m, s.n, s.k, fa, fb, fc); };
    add("Eigen", call);
    call();
    judge();
  }
#endif
#if PTO_HAS_XSMM
  if (dtype == PTO_DTYPE_F32 && s.m > 1 && int64_t{s.m} * s.n * s.k <= 128 * 128 * 128) {
    // Column-major: the transposed matrices change places.
    const float zero = 0, one = 1;
    const int flags = LIBXSMM_GEMM_FLAG_NONE;
    const auto made = libxsmm_smmdispatch(s.n, s.m, s.k, nullptr, nullptr, nullptr, &one, &zero, &flags, nullptr);
    if (made != nullptr) {
      add("LIBXSMM", [=] { made(fb, fa, fc); });
      made(fb, fa, fc);
      judge();
    }
  }
#endif
  // At two operations for each four bytes.
  if (s.m == 1) add("plain read", [=] { asm volatile("" ::"r"(Read(b.get(), size * s.k * s.n))); });
  bench::Race(all, rounds, 2e6);
  Print(pto_dtype_name(dtype), s, all);
  for (pto_tile* tile : {left, right, out, boxed_left, boxed_right, boxed_out}) pto_tile_release(tile);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  std::printf("%s, %d rounds; Gop/s, and how many times as long as libpto's row-major call\n", pto_context_target(ctx),
              rounds);
  if (const double peak = Peak(pto_context_target(ctx), rounds); peak != 0) {
    std::printf("f32   multiply-adds in registers | %.1f\n", peak);
  }
  for (const pto_dtype dtype : {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_I8}) {
    for (const int n : {16, 64, 128, 256}) Products(ctx, dtype, {n, n, n}, rounds);
  }
  Products(ctx, PTO_DTYPE_F32, {1, 1024, 1024}, rounds);
  pto_context_release(ctx);
  return 0;
}
