// Decimal strings against MPFR: a literal must be rounded once to each format. Strings that a double
// puts on a tie of a narrower format, or takes off one, are constructed for every format.
#include "src/ptoas/read/decimal.h"

#include <mpfr.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cmocka_cpp.h"

namespace {

using pto::ptoas::Decimal;
using pto::ptoas::Elem;
using pto::ptoas::ReadDecimal;

struct Format {
  const char* name;
  Elem elem;
  int digits, least, most;  // bits of the significand, exponents of the least normal number and of infinity
};
constexpr Format kFormats[] = {{"f64", Elem::kF64, 53, -1022, 1024},
                               {"f32", Elem::kF32, 24, -126, 128},
                               {"bf16", Elem::kBF16, 8, -126, 128},
                               {"f16", Elem::kF16, 11, -14, 16}};

std::mt19937_64 random_bits(1);
int Below(int n) { return static_cast<int>(random_bits() % static_cast<uint64_t>(n)); }

class Number {
 public:
  explicit Number(int digits) { mpfr_init2(value, digits); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value); }
  mpfr_t value;
};

// What `set` rounds into a number of a format.
template <class Set>
double Rounded(const Format& f, Set set) {
  Number number(f.digits);
  const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  mpfr_set_emin(f.least - f.digits + 2);
  mpfr_set_emax(f.most);
  mpfr_subnormalize(number.value, set(number.value), MPFR_RNDN);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  return mpfr_get_d(number.value, MPFR_RNDN);
}

void Check(const std::string& text) {
  Decimal decimal;
  if (!ReadDecimal(text, &decimal)) fail_msg("%s is not read", text.c_str());
  for (const Format& f : kFormats) {
    const double want = Rounded(f, [&](mpfr_t to) { return mpfr_strtofr(to, text.c_str(), nullptr, 10, MPFR_RNDN); });
    const double is = Rounded(f, [&](mpfr_t to) { return mpfr_set_d(to, decimal.For(f.elem), MPFR_RNDN); });
    if (is != want) fail_msg("%s as %s: %a, not %a", text.substr(0, 100).c_str(), f.name, is, want);
  }
}

std::string Text(mpfr_t value, int digits) {
  char* made = nullptr;
  mpfr_asprintf(&made, "%.*Re", digits, value);
  std::string text = made;
  mpfr_free_str(made);
  return text;
}

// The middle between two numbers that follow each other, and strings just above and below it.
void NearMiddles(void**) {
  for (const Format& f : kFormats) {
    for (int i = 0; i < 100; ++i) {
      const int exponent = f.least - f.digits + Below(f.most - f.least + f.digits + 1);
      Number middle(2000);
      // An odd number of halves of the last bit; subnormal numbers have fewer bits.
      const int bits = std::min(f.digits, exponent - (f.least - f.digits)) + 1;
      if (bits < 1) continue;
      const uint64_t top = uint64_t{1} << (bits - 1);
      const uint64_t halves = (Below(8) == 0 ? 2 * top - 1 : top | (random_bits() & (top - 1))) | 1;
      mpfr_set_ui_2exp(middle.value, halves, exponent - bits + 1, MPFR_RNDN);
      const std::string exact = Text(middle.value, 1100);
      Check(exact);
      const size_t e = exact.find('e');
      // Digits long after the last one that counts, and as soon as the middle has ended.
      Check(exact.substr(0, e) + "1" + exact.substr(e));
      for (const int off : {60, 110, 300}) {
        Number near(2000);
        mpfr_set_ui_2exp(near.value, 1, -off, MPFR_RNDN);
        mpfr_add_si(near.value, near.value, 1, MPFR_RNDN);
        mpfr_mul(near.value, near.value, middle.value, MPFR_RNDN);
        Check(Text(near.value, 200));
        mpfr_div(near.value, middle.value, near.value, MPFR_RNDN);
        mpfr_mul(near.value, near.value, middle.value, MPFR_RNDN);
        Check(Text(near.value, 200));
      }
    }
  }
}

void AnyDigits(void**) {
  for (int i = 0; i < 3000; ++i) {
    const int length = 1 + Below(Below(10) == 0 ? 900 : 25);
    std::string text;
    for (int k = 0; k < length; ++k) text += static_cast<char>('0' + (Below(4) == 0 ? 0 : Below(10)));
    if (Below(2) == 0) text.insert(static_cast<size_t>(Below(length + 1)), ".");
    if (Below(4) != 0) text += (Below(2) == 0 ? "e" : "E-") + std::to_string(Below(Below(2) == 0 ? 400 : 40));
    Check(text);
  }
}

void Borders(void**) {
  for (const char* text : {"0",
                           "0.0",
                           "000.000e999",
                           ".5",
                           "5.",
                           "1e0",
                           "1e+5",
                           "1E-5",
                           "3.4028235677973366e38",
                           "3.4028235677973365e38",
                           "3.402823567797337e38",
                           "65519.99999999999999999999",
                           "65520",
                           "65520.0000000000000000001",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "1e310",
                           "1e99999999999999999999999",
                           "1e-99999999999999999999999",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "4.9e-324",
                           "1e-325",
                           "2.2250738585072011e-308",
                           "1.00000000000000000000000000000000000000001",
                           "1.00048828125",
                           "1.000488281250000000000000000000000000001"}) {
    Check(text);
  }
  // More zeros than any format has digits.
  Check("0." + std::string(5000, '0') + "1e5001");
  Check("1" + std::string(5000, '0') + "e-5000");
  Check("1" + std::string(5000, '0') + "1e-5001");
}

void Refused(void**) {
  Decimal decimal;
  for (const char* text :
       {"", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "inf", "nan", "1 ", " 1", "+1", "-1", "1e5.0", "1f"}) {
    if (ReadDecimal(text, &decimal)) fail_msg("'%s' is read", text);
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(NearMiddles), cmocka_unit_test(AnyDigits), cmocka_unit_test(Borders),
                              cmocka_unit_test(Refused)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
