/*
 * peers_sleef.c: SLEEF's vector functions at 512 bits, or at 256 where the machine has no AVX-512. 16-bit floats
 * go through f32 with the processor's conversions; the remainder of a length is not computed, all lengths are whole.
 */
#include <immintrin.h>
#include <sleef.h>
#include <stdint.h>

#include "peers.h"

#if defined(__AVX512F__) && defined(__AVX512BW__)
#define NAME "sleef avx512"
#define LANES 16
typedef __m512 vec;
#define POW Sleef_powf16_u10avx512f
#define SQRT Sleef_sqrtf16_u05avx512f
#define EXP Sleef_expf16_u10avx512f
#define LOG Sleef_logf16_u10avx512f
#define FMOD Sleef_fmodf16_avx512f
#define SET1 _mm512_set1_ps
#define DIV _mm512_div_ps
static vec load_f32(const float *p) { return _mm512_loadu_ps(p); }
static void store_f32(float *p, vec v) { _mm512_storeu_ps(p, v); }
static vec load_f16(const uint16_t *p) { return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p)); }
static void store_f16(uint16_t *p, vec v) { _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph(v, 0)); }
static vec load_bf16(const uint16_t *p) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)), 16));
}
static void store_bf16(uint16_t *p, vec v) {
  const __m512i u = _mm512_castps_si512(v);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
  const __m512i r = _mm512_add_epi32(u, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
  const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
  const __m512i quiet = _mm512_mask_mov_epi32(r, nan, _mm512_set1_epi32(0x7fc00000));
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16(_mm512_srli_epi32(quiet, 16)));
}
#else
#define NAME "sleef avx2"
#define LANES 8
typedef __m256 vec;
#define POW Sleef_powf8_u10avx2
#define SQRT Sleef_sqrtf8_u05avx2
#define EXP Sleef_expf8_u10avx2
#define LOG Sleef_logf8_u10avx2
#define FMOD Sleef_fmodf8_avx2
#define SET1 _mm256_set1_ps
#define DIV _mm256_div_ps
static vec load_f32(const float *p) { return _mm256_loadu_ps(p); }
static void store_f32(float *p, vec v) { _mm256_storeu_ps(p, v); }
static vec load_f16(const uint16_t *p) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p)); }
static void store_f16(uint16_t *p, vec v) { _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(v, 0)); }
static vec load_bf16(const uint16_t *p) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)), 16));
}
static void store_bf16(uint16_t *p, vec v) {
  const __m256i u = _mm256_castps_si256(v);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
  const __m256i r = _mm256_srli_epi32(_mm256_add_epi32(u, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
  _mm_storeu_si128((__m128i *)p, _mm_packus_epi32(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1)));
}
#endif

#define OP(T, t, op, result)                                                                       \
  static void op##_##t(void *d, const void *a, const void *b, const void *c, int rows, int cols) { \
    T *dst = d;                                                                                    \
    const T *p = a, *q = b ? b : a;                                                                \
    (void)q, (void)c;                                                                              \
    for (int i = 0; i < rows * cols; i += LANES) {                                                 \
      const vec x = load_##t(p + i);                                                               \
      store_##t(dst + i, result);                                                                  \
    }                                                                                              \
  }
#define OPS(T, t)                            \
  OP(T, t, tpow, POW(x, load_##t(q + i)))    \
  OP(T, t, tfmod, FMOD(x, load_##t(q + i)))  \
  OP(T, t, trsqrt, DIV(SET1(1.0F), SQRT(x))) \
  OP(T, t, tsqrt, SQRT(x))                   \
  OP(T, t, texp, EXP(x))                     \
  OP(T, t, tlog, LOG(x))
OPS(float, f32)
OPS(uint16_t, f16)
OPS(uint16_t, bf16)

#define ROWS(t)                                                                             \
  {NAME " u10", "tpow", #t, tpow_##t, 0}, {NAME, "tfmod", #t, tfmod_##t, 0},                \
      {NAME " u05", "trsqrt", #t, trsqrt_##t, 0}, {NAME " u05", "tsqrt", #t, tsqrt_##t, 0}, \
      {NAME " u10", "texp", #t, texp_##t, 0}, {                                             \
    NAME " u10", "tlog", #t, tlog_##t, 0                                                    \
  }
const peer peers_sleef[] = {
    ROWS(f32), ROWS(f16), ROWS(bf16), {NAME " u10", "tpow.mixed", "f32", tpow_f32, 0}, {0},
};
