// Replaces Highway's own library: reports the SIMD targets that this processor can run. It is all
// that the headers need of that library, so libpto needs it neither built nor installed.
#include "src/kernels/targets.h"
// After targets.h.
#include "hwy/targets.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#elif HWY_ARCH_ARM && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <array>

namespace hwy {
namespace {

// The target that runs wherever the library was compiled to run.
constexpr int64_t kAlways = HWY_STATIC_TARGET | HWY_SCALAR | HWY_EMU128;

#if HWY_ARCH_X86

// The words of CPUID, and of XGETBV: the registers that the system saves.
enum Word { k1Ecx, k1Edx, k7Ebx, k7Ecx, k7Edx, k7Sub1Eax, kExtendedEcx, kSaved, kWords };
using Words = std::array<uint32_t, kWords>;

Words AskProcessor() {
  Words words{};
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) words[k1Ecx] = c, words[k1Edx] = d;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) {
    words[k7Ebx] = b, words[k7Ecx] = c, words[k7Edx] = d;
    const bool has_sub1 = a >= 1;
    if (has_sub1 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) words[k7Sub1Eax] = a;
  }
  if (__get_cpuid(0x80000001, &a, &b, &c, &d) != 0) words[kExtendedEcx] = c;
  if ((words[k1Ecx] >> 27 & 1) != 0) asm("xgetbv" : "=a"(words[kSaved]) : "c"(0) : "edx");
  return words;
}

struct Need {
  Word word;
  uint32_t bits;
};

template <class... Bits>
constexpr Need Has(Word word, Bits... bits) {
  return {word, ((1u << bits) | ...)};
}

struct Target {
  int64_t bit;
  std::array<Need, 4> needs;  // the rest of an entry asks for nothing
};

// From plainest to best: each target needs what those before it do. It is what Highway asks for,
// except that AVX3_ZEN4, which only avoids what is slow on Zen 4, is not kept from others.
constexpr Target kTargets[] = {
#ifdef HWY_SSE2
    {HWY_SSE2, {Has(k1Edx, 25, 26)}},  // SSE, SSE2
#endif
    {HWY_SSSE3, {Has(k1Edx, 25, 26), Has(k1Ecx, 0, 9)}},  // SSE3, SSSE3
    {HWY_SSE4, {Has(k1Ecx, 1, 19, 20, 25)}},              // PCLMULQDQ, SSE4.1, SSE4.2, AES
    {HWY_AVX2,
     {Has(k1Ecx, 12, 28, 29), Has(k7Ebx, 3, 5, 8),  // FMA, AVX, F16C; BMI1, AVX2, BMI2
      Has(kExtendedEcx, 5), Has(kSaved, 1, 2)}},    // LZCNT; XMM, YMM
    {HWY_AVX3,
     {Has(k7Ebx, 16, 17, 28, 30, 31),  // AVX512F, DQ, CD, BW, VL
      Has(kSaved, 5, 6, 7)}},          // masks and both halves of ZMM
    {HWY_AVX3_DL,
     {Has(k7Ecx, 1, 6, 8, 9, 10, 11, 12,
          14)}},  // VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNTDQ
#ifdef HWY_AVX3_ZEN4
    {HWY_AVX3_ZEN4, {Has(k7Sub1Eax, 5)}},  // AVX512_BF16
#endif
#ifdef HWY_AVX3_SPR
    {HWY_AVX3_SPR, {Has(k7Edx, 23)}},  // AVX512_FP16
#endif
};

int64_t Detect() {
  const Words words = AskProcessor();
  int64_t found = kAlways;
  for (const Target& target : kTargets) {
    for (const Need& need : target.needs) {
      if ((words[need.word] & need.bits) != need.bits) return found;
    }
    found |= target.bit;
  }
  return found;
}

#elif HWY_ARCH_ARM && defined(__linux__) && defined(HWCAP_AES)

// NEON is compiled with AES, which not every processor has.
int64_t Detect() { return kAlways | ((getauxval(AT_HWCAP) & HWCAP_AES) != 0 ? HWY_NEON : 0); }

#else

int64_t Detect() { return kAlways; }

#endif

}  // namespace

int64_t SupportedTargets() {
  // Asking the processor costs microseconds, in a virtual machine tens of them.
  static const int64_t supported = Detect();
  return supported;
}

// The headers' tables name it; libpto chooses by context and not by process (pickers.h).
ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
