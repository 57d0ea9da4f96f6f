/*
 * between_pages.h: operands of a call in memory of the test's, each between pages that it must not touch,
 * on every SIMD target in turn: what the call leaves in all of that memory is compared, and what it touches beside it
 * ends the test.
 */
#ifndef PTO_TESTS_TENSOR_BETWEEN_PAGES_H_
#define PTO_TESTS_TENSOR_BETWEEN_PAGES_H_

#include "guards.h"
#include "laid_tile.h"

enum { k_most_targets = 32 };

typedef struct between_pages {
  pto_context *ctx[k_most_targets]; /* the first one makes the handles */
  int targets;
  int64_t room, bytes;
  uint8_t *arena;          /* where operands are */
  uint8_t *before, *after; /* what it holds before a call, and what it should hold then */
  guards guards;
} between_pages;

/* With contexts of the profile, and `room` bytes for the operands and pages of one call. */
void pages_create(between_pages *p, pto_profile profile, int64_t room);
void pages_release(between_pages *p);

/* Operands one after another: where the bytes begin, at a page or, mostly, such that they end at one. What is last is
   followed by pages_fill(): other bytes from seed to seed, and the same ones afterwards. */
void pages_begin(between_pages *p);
int64_t pages_place(between_pages *p, int64_t bytes, int at_end);
void pages_fill(between_pages *p, uint32_t seed);

pto_tile *pages_tile(const between_pages *p, const laid_tile *tile);
pto_tensor *pages_tensor(const between_pages *p, const pto_tensor_desc *desc, int64_t at, int64_t bytes);

/* Runs a call on every target; rule: the one that refuses it, or NULL. */
typedef pto_status pages_call(pto_context *ctx, void *call);
void pages_run(const between_pages *p, pages_call *run, void *call, const char *rule, const char *what);

#endif /* PTO_TESTS_TENSOR_BETWEEN_PAGES_H_ */
