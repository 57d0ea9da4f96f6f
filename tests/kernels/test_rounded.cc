// The last resort of powers, exponentials and logarithms, called directly: kernels need it once in millions of
// elements. Correct rounding is MPFR's.
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <random>

#include "src/kernels/pow_round.h"

namespace {

int g_failed = 0;
long g_asked = 0;

float FromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

enum class Function { kPow, kExp, kLog };

// Rounded once to the 24 bits of f32 or, below its normal numbers, to those that are left there.
float Exactly(Function function, float x, float y) {
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_t a, b, r;
  mpfr_inits2(24, a, b, r, nullptr);
  mpfr_set_flt(a, x, MPFR_RNDN);
  mpfr_set_flt(b, y, MPFR_RNDN);
  const int inexact = function == Function::kPow   ? mpfr_pow(r, a, b, MPFR_RNDN)
                      : function == Function::kExp ? mpfr_exp(r, a, MPFR_RNDN)
                                                   : mpfr_log(r, a, MPFR_RNDN);
  mpfr_subnormalize(r, inexact, MPFR_RNDN);
  const float result = mpfr_get_flt(r, MPFR_RNDN);
  mpfr_clears(a, b, r, nullptr);
  return result;
}

void Ask(Function function, float x, float y = 0) {
  const float want = Exactly(function, x, y);
  const float got = function == Function::kPow   ? pto::PowRounded(x, y)
                    : function == Function::kExp ? pto::ExpRounded(x)
                                                 : pto::LogRounded(x);
  ++g_asked;
  if (std::memcmp(&got, &want, sizeof got) == 0) return;
  if (++g_failed <= 20) std::printf("function %d of %a, %a: %a, not %a\n", static_cast<int>(function), x, y, got, want);
}

// Dyadic results: they have no digits that decide, and 25 bits of them are a tie.
void ExactPowers() {
  for (const float root : {2.0F, 3.0F, 5.0F, 7.0F, 4097.0F, 4099.0F, 5793.0F, 0.5F, 0.75F, 1.25F, 257.0F}) {
    for (const float exponent :
         {1.0F,   2.0F,   3.0F, 4.0F, 5.0F,  7.0F,   8.0F, 15.0F, 16.0F, 17.0F,    100.0F, 256.0F,
          511.0F, 512.0F, 1e6F, 0.5F, 0.25F, 0.125F, 1.5F, 2.5F,  0.75F, 0x1p-24F, 3.75F}) {
      const float square = root * root;
      for (const float base : {root, square, square * square}) {
        Ask(Function::kPow, base, exponent);
        Ask(Function::kPow, base, -exponent);
      }
    }
  }
  // Powers of two to the smallest number and the largest; roots of odd ones.
  for (int e = -149; e <= 127; ++e) {
    if (e == 0) continue;
    for (const float exponent : {1.0F, -1.0F, 0.5F, -0.5F, 2.0F, 4.5F, -3.25F})
      Ask(Function::kPow, std::ldexp(1.0F, e), exponent);
  }
}

// Far outside of f32, and around where it ends: half of the smallest number rounds to 0, what is above to that number.
void Ends() {
  const float near_one[] = {FromBits(0x3f800001), FromBits(0x3f7fffff)};
  for (const float base : {near_one[0], near_one[1], 3.0F, 0.3F, 1e38F, 1e-38F, 1e-45F}) {
    for (const float exponent :
         {1e3F, 1e9F, 3e9F, 1e13F, 3e38F, 88.0F, 95.0F, 103.5F, 104.0F, 200.0F, 1e-30F, 1e-45F}) {
      Ask(Function::kPow, base, exponent);
      Ask(Function::kPow, base, -exponent);
    }
  }
  for (const float x :
       {88.0F, 88.7F, 88.8F, 90.0F, 149.0F, 87.0F, 87.4F, 103.0F, 103.9F, 104.0F, 104.1F, 1e-3F, 1e-10F, 1e-45F}) {
    Ask(Function::kExp, x);
    Ask(Function::kExp, -x);
  }
  for (const uint32_t bits :
       {1U, 2U, 0x7fffffU, 0x800000U, 0x3f7fffffU, 0x3f800001U, 0x3f000000U, 0x40000000U, 0x7f7fffffU}) {
    Ask(Function::kLog, FromBits(bits));
  }
}

void AtRandom() {
  std::mt19937 engine(1);
  const auto dice = [&] { return static_cast<uint32_t>(engine()); };
  for (int i = 0; i < 4000; ++i) {
    const float positive = FromBits(1 + dice() % 0x7f7fffffU);
    if (positive != 1) Ask(Function::kLog, positive);
    // Powers within f32, mostly.
    const auto spread = static_cast<float>(static_cast<int32_t>(dice())) * 0x1p-31F;
    const float exponent = spread * 150 / std::log2(positive);
    if (positive != 1 && exponent != 0 && std::isfinite(exponent)) Ask(Function::kPow, positive, exponent);
    if (spread != 0) Ask(Function::kExp, spread * 149);
  }
}

}  // namespace

int main() {
  ExactPowers();
  Ends();
  AtRandom();
  std::printf("%ld asked, %d wrong\n", g_asked, g_failed);
  return g_failed == 0 ? 0 : 1;
}
