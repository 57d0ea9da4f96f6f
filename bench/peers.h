/*
 * peers.h: what the benchmark compares libpto with. A peer is a function over dense matrices; each peers_*
 * file lists its own in a table that ends with a NULL name.
 */
#ifndef PTO_BENCH_PEERS_H_
#define PTO_BENCH_PEERS_H_

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Tiles of rows x cols elements, one row after another. a, b, c: what the instruction reads, in the order of its
 * operands. Operands with one element per row or column are contiguous, and a mask has cols / 8 bytes a
 * row. Scalars are PEER_FLOAT or PEER_INT. Operands that are read and written are dst. A second result is PEER_STRIDE
 * bytes after dst.
 */
typedef void (*peer_fn)(void *dst, const void *a, const void *b, const void *c, int rows, int cols);

/* Bytes from one result to the next: room for 4096 x 4096 of f32, and not a whole number of pages, since loads wait for
   stores whose addresses differ by such. */
#define PEER_STRIDE (4096L * 4096 * 4 + 21 * 64)

#define PEER_FLOAT 1.5F
#define PEER_INT 3

typedef struct peer {
  const char *name;
  const char *op;    /* the instruction's name; a variant follows a dot: tpartadd.part */
  const char *dtype; /* as pto_dtype_name(), of conversions f32>f16 */
  peer_fn run;
  int (*has)(void); /* NULL, or whether this machine can do it */
} peer;

extern const peer peers_generic[]; /* gcc -O3 */
extern const peer peers_native[];  /* gcc -O3 for the machine */
extern const peer peers_fast[];    /* gcc -Ofast for the machine, which calls libmvec */
extern const peer peers_sleef[];
extern const peer peers_eigen[];
extern const peer peers_std[];
extern const peer peers_simd[]; /* intrinsics without special cases, the style of inference libraries */
extern const peer peers_dnnl[];
extern const peer peers_xnnpack[];
extern const peer peers_xsmm[];

#ifdef __cplusplus
}
#endif

#endif /* PTO_BENCH_PEERS_H_ */
