/*
 * peers.h: what the benchmark compares libpto with. A peer is a function over dense matrices; each peers_*
 * file lists its own in a table that ends with a NULL name.
 */
#ifndef PTO_BENCH_PEERS_H_
#define PTO_BENCH_PEERS_H_

#ifdef __cplusplus
extern "C" {
#endif

/* rows x cols elements, one row after another; for coldiv b is one row; for partadd_part b is valid in the
 * first half of the rows and columns only. */
typedef void (*peer_fn)(void *dst, const void *a, const void *b, int rows, int cols);

typedef struct peer {
  const char *name;
  const char *op;    /* pow, rsqrt, prelu, coldiv, partadd, partadd_part, copy */
  const char *dtype; /* as pto_dtype_name() */
  peer_fn run;
} peer;

extern const peer peers_generic[]; /* gcc -O3 */
extern const peer peers_native[];  /* gcc -O3 -march=native */
extern const peer peers_fast[];    /* gcc -Ofast -march=native, which calls libmvec */
extern const peer peers_sleef[];
extern const peer peers_eigen[];
extern const peer peers_simd[]; /* unrolled intrinsics without special cases, the style of inference libraries */
extern const peer peers_dnnl[];

#ifdef __cplusplus
}
#endif

#endif /* PTO_BENCH_PEERS_H_ */
