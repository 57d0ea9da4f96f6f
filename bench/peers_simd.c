/*
 * peers_simd.c: the tightest loops we can write with intrinsics when only ordinary numbers matter, in the style of the
 * micro-kernels of inference libraries: no special cases, whole vectors. At 512 bits, or 256 where there is no AVX-512.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "peers.h"

#define PEER(name) static void name(void *d, const void *a, const void *b, const void *c, int rows, int cols)
#define LOOP(T, STEP, ...)                      \
  T *dst = d;                                   \
  const T *x = a, *y = b;                       \
  (void)y, (void)c;                             \
  const size_t n = (size_t)rows * (size_t)cols; \
  for (size_t i = 0; i < n; i += (STEP)) {      \
    __VA_ARGS__                                 \
  }

#if defined(__AVX512F__) && defined(__AVX512BW__)
#define NAME "simd loop avx512"
#define N 16
#define F __m512
#define I __m512i
#define PS(op) _mm512_##op##_ps
#define EPI(op) _mm512_##op
#define LOADI(at) _mm512_loadu_si512(at)
#define STOREI(at, v) _mm512_storeu_si512(at, v)
#define FROM_F16(at) _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(at)))
#define TO_F16(at, v) _mm256_storeu_si256((__m256i *)(at), _mm512_cvtps_ph(v, 0))
#define FROM_BF16(at) \
  _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(at))), 16))
#define BITS(v) _mm512_castps_si512(v)
#define NARROW(at, v) _mm256_storeu_si256((__m256i *)(at), _mm512_cvtepi32_epi16(v))
#define PRELU(v, s) _mm512_mask_mul_ps(v, _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_NGT_UQ), v, s)
#define ROUGH_RSQRT _mm512_rsqrt14_ps
#define SUM(v) _mm512_reduce_add_ps(v)
#else
#define NAME "simd loop avx2"
#define N 8
#define F __m256
#define I __m256i
#define PS(op) _mm256_##op##_ps
#define EPI(op) _mm256_##op
#define LOADI(at) _mm256_loadu_si256((const __m256i *)(at))
#define STOREI(at, v) _mm256_storeu_si256((__m256i *)(at), v)
#define FROM_F16(at) _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(at)))
#define TO_F16(at, v) _mm_storeu_si128((__m128i *)(at), _mm256_cvtps_ph(v, 0))
#define FROM_BF16(at) \
  _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(at))), 16))
#define BITS(v) _mm256_castps_si256(v)
#define NARROW(at, v) \
  _mm_storeu_si128((__m128i *)(at), _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)))
#define PRELU(v, s) _mm256_blendv_ps(_mm256_mul_ps(v, s), v, _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_GT_OQ))
#define ROUGH_RSQRT _mm256_rsqrt_ps
static float SUM(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_shuffle_ps(s, s, 1)));
}
#endif
#define LOAD PS(loadu)
#define STORE PS(storeu)
#define ONE PS(set1)(1.0F)

PEER(add_f32) { LOOP(float, N, STORE(dst + i, PS(add)(LOAD(x + i), LOAD(y + i)));) }
PEER(mul_f32) { LOOP(float, N, STORE(dst + i, PS(mul)(LOAD(x + i), LOAD(y + i)));) }
PEER(max_f32) { LOOP(float, N, STORE(dst + i, PS(max)(LOAD(x + i), LOAD(y + i)));) }
PEER(div_f32) { LOOP(float, N, STORE(dst + i, PS(div)(LOAD(x + i), LOAD(y + i)));) }
PEER(sqrt_f32) { LOOP(float, N, STORE(dst + i, PS(sqrt)(LOAD(x + i)));) }
PEER(recip_f32) { LOOP(float, N, STORE(dst + i, PS(div)(ONE, LOAD(x + i)));) }
PEER(add_i32) { LOOP(int32_t, N, STOREI(dst + i, EPI(add_epi32)(LOADI(x + i), LOADI(y + i)));) }
PEER(add_i16) { LOOP(int16_t, 2 * N, STOREI(dst + i, EPI(add_epi16)(LOADI(x + i), LOADI(y + i)));) }
PEER(add_i8) { LOOP(int8_t, 4 * N, STOREI(dst + i, EPI(add_epi8)(LOADI(x + i), LOADI(y + i)));) }
PEER(add_f16) { LOOP(uint16_t, N, TO_F16(dst + i, PS(add)(FROM_F16(x + i), FROM_F16(y + i)));) }
PEER(mul_f16) { LOOP(uint16_t, N, TO_F16(dst + i, PS(mul)(FROM_F16(x + i), FROM_F16(y + i)));) }
PEER(prelu_f32) { LOOP(float, N, const F v = LOAD(x + i); STORE(dst + i, PRELU(v, LOAD(y + i)));) }
PEER(prelu_f16) { LOOP(uint16_t, N, const F v = FROM_F16(x + i); TO_F16(dst + i, PRELU(v, FROM_F16(y + i)));) }
/* One Newton step: NaN at 0 and infinity, up to 1 ulp off elsewhere (AVX-512). */
PEER(rsqrt_f32) {
  LOOP(float, N, const F v = LOAD(x + i); const F r = ROUGH_RSQRT(v); const F e = PS(fnmadd)(PS(mul)(v, r), r, ONE);
       STORE(dst + i, PS(fmadd)(PS(mul)(r, PS(set1)(0.5F)), e, r));)
}
/* The processor's own square root and quotient. */
PEER(rsqrt_div_f32) { LOOP(float, N, STORE(dst + i, PS(div)(ONE, PS(sqrt)(LOAD(x + i))));) }
PEER(coldiv_f32) {
  float *dst = d;
  const float *x = a, *s = b;
  (void)c;
  for (int r = 0; r < rows; ++r, dst += cols, x += cols)
    for (int k = 0; k < cols; k += N) STORE(dst + k, PS(div)(LOAD(x + k), LOAD(s + k)));
}
PEER(f32_f16) {
  uint16_t *dst = d;
  const float *x = a;
  (void)b, (void)c;
  for (int i = 0; i < rows * cols; i += 2 * N) {
    TO_F16(dst + i, LOAD(x + i));
    TO_F16(dst + i + N, LOAD(x + i + N));
  }
}
PEER(f16_f32) {
  float *dst = d;
  const uint16_t *x = a;
  (void)b, (void)c;
  for (int i = 0; i < rows * cols; i += 2 * N) {
    STORE(dst + i, FROM_F16(x + i));
    STORE(dst + i + N, FROM_F16(x + i + N));
  }
}
PEER(bf16_f32) {
  float *dst = d;
  const uint16_t *x = a;
  (void)b, (void)c;
  for (int i = 0; i < rows * cols; i += N) STORE(dst + i, FROM_BF16(x + i));
}
/* NaN are not kept. */
PEER(f32_bf16) {
  uint16_t *dst = d;
  const float *x = a;
  (void)b, (void)c;
  for (int i = 0; i < rows * cols; i += N) {
    const I u = BITS(LOAD(x + i));
    const I odd = EPI(srli_epi32)(EPI(slli_epi32)(u, 15), 31);
    NARROW(dst + i, EPI(srli_epi32)(EPI(add_epi32)(u, EPI(add_epi32)(odd, EPI(set1_epi32)(0x7fff))), 16));
  }
}
PEER(rowsum_f32) {
  float *dst = d;
  const float *x = a;
  (void)b, (void)c;
  for (int r = 0; r < rows; ++r, x += cols) {
    F s = LOAD(x);
    for (int k = N; k < cols; k += N) s = PS(add)(s, LOAD(x + k));
    dst[r] = SUM(s);
  }
}
PEER(colsum_f32) {
  float *dst = d;
  const float *x = a;
  (void)b, (void)c;
  int k = 0;
  for (; k + 4 * N <= cols; k += 4 * N) {
    F s[4];
    for (int i = 0; i < 4; ++i) s[i] = LOAD(x + k + i * N);
    for (int r = 1; r < rows; ++r)
      for (int i = 0; i < 4; ++i) s[i] = PS(add)(s[i], LOAD(x + (size_t)r * (size_t)cols + k + i * N));
    for (int i = 0; i < 4; ++i) STORE(dst + k + i * N, s[i]);
  }
  for (; k < cols; k += N) {
    F s = LOAD(x + k);
    for (int r = 1; r < rows; ++r) s = PS(add)(s, LOAD(x + (size_t)r * (size_t)cols + k));
    STORE(dst + k, s);
  }
}
PEER(copy_f32) {
  (void)b, (void)c;
  memcpy(d, a, (size_t)rows * (size_t)cols * 4);
}

#define AS(op, type, function) \
  { NAME, op, type, function, 0 }
const peer peers_simd[] = {
    AS("tadd", "f32", add_f32),
    AS("tadd", "f16", add_f16),
    AS("tadd", "i32", add_i32),
    AS("tadd", "i16", add_i16),
    AS("tadd", "i8", add_i8),
    AS("tpartadd", "f32", add_f32),
    AS("tpartadd", "f16", add_f16),
    AS("tpartadd", "i32", add_i32),
    AS("tpartadd", "i16", add_i16),
    AS("tpartadd", "i8", add_i8),
    AS("tmul", "f32", mul_f32),
    AS("tmul", "f16", mul_f16),
    AS("tmax", "f32", max_f32),
    AS("tdiv", "f32", div_f32),
    AS("tsqrt", "f32", sqrt_f32),
    AS("trecip", "f32", recip_f32),
    AS("tprelu", "f32", prelu_f32),
    AS("tprelu", "f16", prelu_f16),
    AS("trsqrt", "f32", rsqrt_f32),
    {NAME ", sqrt and div", "trsqrt", "f32", rsqrt_div_f32, 0},
    AS("tcolexpanddiv", "f32", coldiv_f32),
    AS("tcvt", "f32>f16", f32_f16),
    AS("tcvt", "f16>f32", f16_f32),
    AS("tcvt", "f32>bf16", f32_bf16),
    AS("tcvt", "bf16>f32", bf16_f32),
    AS("trowsum", "f32", rowsum_f32),
    AS("tcolsum", "f32", colsum_f32),
    {"memcpy", "tmov", "f32", copy_f32, 0},
    {0},
};
