/*
 * pow_filter.h: powers, exponentials and logarithms fast, with a proven error bound.
 *
 * Sweeps of billions of pairs need a reference of some ten nanoseconds. The
 * filter returns x ** y as a double whose relative error is below
 * POW_FILTER_ERROR; when rounding both ends of that interval gives one result,
 * the result is proven, and only the other cases go to MPFR. Plain double
 * arithmetic, no fused operations; the tables come from MPFR.
 */
#ifndef PTO_TESTS_ACCURACY_POW_FILTER_H_
#define PTO_TESTS_ACCURACY_POW_FILTER_H_

/* Below 2^-51.6 by the proof in pow_filter.c; the rest is margin. */
#define POW_FILTER_ERROR 0x1p-50

/* log2(x) = high + low; high has at most 29 significant bits. */
typedef struct pow_log {
  double high;
  double low;
} pow_log;

/* Fills the tables. Call once, before any thread uses the filter. */
void pow_filter_init(void);

/* log2 of a positive, finite, nonzero float to 2^-61 of its value. */
pow_log pow_filter_log2(float x);

/* The same for one double, by MPFR: slow, for tables. */
pow_log pow_filter_log2_slow(double x);

/*
 * 2 ** (y * log) for y of at most 24 significant bits. Results past 2^1000 and
 * below 2^-1000 are returned as those.
 */
double pow_filter_exp2(pow_log log, double y);

/*
 * e ** (x + rest), |rest| below 2^-16 and far smaller than a unit of 24 bits of x. As pow_filter_exp2();
 * its error bound holds, too.
 */
double pow_filter_exp(float x, double rest);

/* The natural logarithm of a positive, finite, nonzero float; the same error bound. */
double pow_filter_log(float x);

#endif /* PTO_TESTS_ACCURACY_POW_FILTER_H_ */
