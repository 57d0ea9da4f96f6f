/*
 * fixture.h: contexts of every profile, tiles that go away with the test, and
 * calls that must be refused or accepted.
 */
#ifndef PTO_TESTS_RULES_FIXTURE_H_
#define PTO_TESTS_RULES_FIXTURE_H_

#include "expect.h"
#include "layouts.h"
#include "profiles.h"
#include "pto_c.h"
#include "testing.h"

/* One context per profile, by PTO_PROFILE_. */
extern pto_context *g_ctx[k_profiles];
#define CPU (g_ctx[PTO_PROFILE_CPU])
#define A2A3 (g_ctx[PTO_PROFILE_A2A3])
#define A5 (g_ctx[PTO_PROFILE_A5])

int fixture_set_up(void **state);
/* Releases what the test made; fails when a handle is left. */
int fixture_tear_down(void **state);

/* Keeps a tile until the end of the test and returns it; it must not be NULL. */
pto_tile *keep(pto_tile *tile);

/* Releases the tiles that were kept so far. */
void forget(void);

/* Row-major vector tiles of 16x16 unless said otherwise, filled with 1, made under CPU. */
pto_tile *tile_of(pto_dtype dtype);
pto_tile *tile_sized(pto_dtype dtype, int32_t rows, int32_t cols);
pto_tile *tile_laid(int layout, pto_dtype dtype, int32_t rows, int32_t cols);
pto_tile *tile_at(pto_location location, pto_dtype dtype);
pto_tile *tile_manual(pto_dtype dtype);
/* A tile of any geometry, and the geometry of a tile. */
pto_tile *tile_made(const pto_tile_desc *desc);
pto_tile_desc desc_of(const pto_tile *tile);

enum { k_operands = 17 };

/* What the operand is: a tile of any role, one of the outputs and inputs, which a call must have. */
int is_tile(int32_t op, int32_t index);
int is_needed(int32_t op, int32_t index);
/* The place of the operand of a role; -1 if there is no such operand. */
int32_t operand_of(int32_t op, pto_role role);
/* Does the page of the instruction say that the profile applies the rule? Read from docs/ops/ops.json. */
int has_rule(int32_t op, const char *rule, int profile);
int read_pages(const char *path);

/* Is the instruction a product of matrices? Their operands: 16x16 in whole boxes, where and as every profile takes
 * them; one row of it where a vector is multiplied. */
int is_product(int32_t op);
/* Are sums converted on their way? What they need has tests of its own: test_rules_fixpipe.c. */
int is_fixpipe(int32_t op);
pto_tile *tile_of_product(pto_dtype dtype, int32_t extent, int one_row);

/*
 * Operands that every profile takes which has the element type: the lead operand of `dtype`, the
 * others of the first type that fits it, all 16x16; tmp as A2A3 needs it.
 */
void operands_of(const char *op, pto_dtype dtype, pto_tile *tiles[k_operands]);

/* What refuse() and accept() pass for scalars: 1 unless a test sets it. */
extern pto_scalar g_scalar;
/* What they pass for integers and modes: 0, but g_number for the operand at g_number_at. */
extern int32_t g_number, g_number_at;

/*
 * Runs an instruction that must be refused: by its check, its run, with the same
 * words, and with no byte of any operand changed.
 */
void refuse(pto_context *ctx, const char *op, pto_tile *const *tiles, uint32_t flags, pto_status want, const char *rule,
            const char *operand, const char *texts);
/* Runs an instruction that must succeed. */
void accept(pto_context *ctx, const char *op, pto_tile *const *tiles, uint32_t flags);

/* Makes a tile that must be refused. */
void refuse_tile(pto_context *ctx, const pto_tile_desc *desc, pto_status want, const char *rule, const char *operand,
                 const char *texts);
void accept_tile(pto_context *ctx, const pto_tile_desc *desc);

#endif /* PTO_TESTS_RULES_FIXTURE_H_ */
