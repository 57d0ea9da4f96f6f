/*
 * peers_simd.c: the tightest loops we can write with intrinsics when only ordinary numbers matter, in the style of the
 * micro-kernels of inference libraries: no special cases, whole vectors. Also the limits: a copy and an add.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "peers.h"

static void copy_bytes(void *d, const void *a, const void *b, int rows, int cols) {
  (void)b;
  memcpy(d, a, (size_t)rows * (size_t)cols * 4);
}

#if defined(__AVX512F__) && defined(__AVX512BW__)
#define NAME "simd loop avx512"
#define LOOP(T, STEP, BODY)                     \
  T *dst = d;                                   \
  const T *x = a, *y = b;                       \
  (void)y;                                      \
  const size_t n = (size_t)rows * (size_t)cols; \
  for (size_t i = 0; i < n; i += (STEP)) {      \
    BODY                                        \
  }
#define PEER(name) static void name(void *d, const void *a, const void *b, int rows, int cols)

PEER(add_f32) {
  LOOP(float, 16, _mm512_storeu_ps(dst + i, _mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));)
}
PEER(add_i32) {
  LOOP(int32_t, 16,
       _mm512_storeu_si512(dst + i, _mm512_add_epi32(_mm512_loadu_si512(x + i), _mm512_loadu_si512(y + i)));)
}
PEER(add_i16) {
  LOOP(int16_t, 32,
       _mm512_storeu_si512(dst + i, _mm512_add_epi16(_mm512_loadu_si512(x + i), _mm512_loadu_si512(y + i)));)
}
PEER(add_i8) {
  LOOP(int8_t, 64, _mm512_storeu_si512(dst + i, _mm512_add_epi8(_mm512_loadu_si512(x + i), _mm512_loadu_si512(y + i)));)
}
PEER(add_f16) {
  LOOP(uint16_t, 16,
       const __m512 s = _mm512_add_ps(_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(x + i))),
                                      _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(y + i))));
       _mm256_storeu_si256((__m256i *)(dst + i), _mm512_cvtps_ph(s, 0));)
}
PEER(prelu_f32) {
  LOOP(float, 16, const __m512 v = _mm512_loadu_ps(x + i);
       _mm512_storeu_ps(dst + i, _mm512_mask_mul_ps(v, _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_NGT_UQ), v,
                                                    _mm512_loadu_ps(y + i)));)
}
PEER(prelu_f16) {
  LOOP(uint16_t, 16, const __m512 v = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(x + i)));
       const __m512 s = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(y + i)));
       const __m512 r = _mm512_mask_mul_ps(v, _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_NGT_UQ), v, s);
       _mm256_storeu_si256((__m256i *)(dst + i), _mm512_cvtps_ph(r, 0));)
}
PEER(prelu_i32) {
  LOOP(int32_t, 16, const __m512i v = _mm512_loadu_si512(x + i);
       _mm512_storeu_si512(dst + i, _mm512_mask_mullo_epi32(v, _mm512_cmple_epi32_mask(v, _mm512_setzero_si512()), v,
                                                            _mm512_loadu_si512(y + i)));)
}
PEER(prelu_i16) {
  LOOP(int16_t, 32, const __m512i v = _mm512_loadu_si512(x + i);
       _mm512_storeu_si512(dst + i, _mm512_mask_mullo_epi16(v, _mm512_cmple_epi16_mask(v, _mm512_setzero_si512()), v,
                                                            _mm512_loadu_si512(y + i)));)
}
/* One Newton step: NaN at 0 and infinity, up to 1 ulp off elsewhere. */
PEER(rsqrt_f32) {
  LOOP(float, 16, const __m512 v = _mm512_loadu_ps(x + i); const __m512 r = _mm512_rsqrt14_ps(v);
       const __m512 e = _mm512_fnmadd_ps(_mm512_mul_ps(v, r), r, _mm512_set1_ps(1.0F));
       _mm512_storeu_ps(dst + i, _mm512_fmadd_ps(_mm512_mul_ps(r, _mm512_set1_ps(0.5F)), e, r));)
}
PEER(coldiv_f32) {
  float *dst = d;
  const float *x = a, *s = b;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; c += 16)
      _mm512_storeu_ps(dst + (size_t)r * (size_t)cols + c,
                       _mm512_div_ps(_mm512_loadu_ps(x + (size_t)r * (size_t)cols + c), _mm512_loadu_ps(s + c)));
}

const peer peers_simd[] = {
    {NAME, "partadd", "f32", add_f32},   {NAME, "partadd", "i32", add_i32},
    {NAME, "partadd", "i16", add_i16},   {NAME, "partadd", "i8", add_i8},
    {NAME, "partadd", "f16", add_f16},   {NAME, "prelu", "f32", prelu_f32},
    {NAME, "prelu", "f16", prelu_f16},   {NAME, "prelu", "i32", prelu_i32},
    {NAME, "prelu", "i16", prelu_i16},   {NAME, "rsqrt", "f32", rsqrt_f32},
    {NAME, "coldiv", "f32", coldiv_f32}, {"memcpy", "copy", "f32", copy_bytes},
    {"add", "copy", "f32", add_f32},     {0},
};
#else
const peer peers_simd[] = {{"memcpy", "copy", "f32", copy_bytes}, {0}};
#endif
