// Tables of 8 and 16 f32, which x86 keeps in registers.
#if defined(PTO_SRC_KERNELS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PTO_SRC_KERNELS_TABLE_INL_H_
#undef PTO_SRC_KERNELS_TABLE_INL_H_
#else
#define PTO_SRC_KERNELS_TABLE_INL_H_
#endif

#include "src/kernels/convert-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pto {
namespace HWY_NAMESPACE {

// Entry i of a table of 8, by the lower bits of i.
struct Table8 {
#if PTO_AVX512
  explicit HWY_INLINE Table8(const float* table)
      : values(_mm512_broadcast_f32x8(_mm256_loadu_ps(table))) {}
  HWY_INLINE VF operator[](VI i) const { return VF{_mm512_permutexvar_ps(i.raw, values)}; }
  __m512 values;
#elif HWY_TARGET == HWY_AVX2
  explicit HWY_INLINE Table8(const float* table) : values(_mm256_loadu_ps(table)) {}
  HWY_INLINE VF operator[](VI i) const { return VF{_mm256_permutevar8x32_ps(values, i.raw)}; }
  __m256 values;
#else
  explicit HWY_INLINE Table8(const float* t) : table(t) {}
  HWY_INLINE VF operator[](VI i) const {
    return hn::GatherIndex(DF(), table, hn::And(i, hn::Set(DI(), 7)));
  }
  const float* table;
#endif
};

// Entry i of a table of 16.
struct Table16 {
#if PTO_AVX512
  explicit HWY_INLINE Table16(const float* table) : values(_mm512_loadu_ps(table)) {}
  HWY_INLINE VF operator[](VI i) const { return VF{_mm512_permutexvar_ps(i.raw, values)}; }
  __m512 values;
#elif HWY_TARGET == HWY_AVX2
  // A blend takes three operations on recent processors of Intel.
  explicit HWY_INLINE Table16(const float* table)
      : low(_mm256_loadu_ps(table)), differ(_mm256_xor_ps(low, _mm256_loadu_ps(table + 8))) {}
  HWY_INLINE VF operator[](VI i) const {
    const __m256 upper = _mm256_castsi256_ps(_mm256_srai_epi32(_mm256_slli_epi32(i.raw, 28), 31));
    const __m256 other = _mm256_and_ps(_mm256_permutevar8x32_ps(differ, i.raw), upper);
    return VF{_mm256_xor_ps(_mm256_permutevar8x32_ps(low, i.raw), other)};
  }
  __m256 low, differ;
#else
  explicit HWY_INLINE Table16(const float* t) : table(t) {}
  HWY_INLINE VF operator[](VI i) const {
    return hn::GatherIndex(DF(), table, hn::And(i, hn::Set(DI(), 15)));
  }
  const float* table;
#endif
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace pto
HWY_AFTER_NAMESPACE();

#endif  // PTO_SRC_KERNELS_TABLE_INL_H_
