/*
 * fixture.h: contexts of every profile, tiles that go away with the test, and
 * calls that must be refused or accepted.
 */
#ifndef PTO_TESTS_RULES_FIXTURE_H_
#define PTO_TESTS_RULES_FIXTURE_H_

#include "expect.h"
#include "layouts.h"
#include "pto_c.h"
#include "testing.h"

/* One context a profile, by PTO_PROFILE_. */
extern pto_context *g_ctx[3];
#define CPU (g_ctx[PTO_PROFILE_CPU])
#define A2A3 (g_ctx[PTO_PROFILE_A2A3])
#define A5 (g_ctx[PTO_PROFILE_A5])

int fixture_set_up(void **state);
/* Releases what the test made; fails when a handle is left. */
int fixture_tear_down(void **state);

/* Keeps a tile until the end of the test and answers it; it must be there. */
pto_tile *keep(pto_tile *tile);

/* Row-major vector tiles of 16x16 unless said otherwise, filled with 1, made under CPU. */
pto_tile *tile_of(pto_dtype dtype);
pto_tile *tile_sized(pto_dtype dtype, int32_t rows, int32_t cols);
pto_tile *tile_laid(int layout, pto_dtype dtype, int32_t rows, int32_t cols);
pto_tile *tile_at(pto_location location, pto_dtype dtype);
pto_tile *tile_manual(pto_dtype dtype);

/* The operands of an instruction, all of one type and 16x16; tmp as A2A3 needs it, for tpow and tprelu. */
void operands_of(const char *op, pto_dtype dtype, pto_tile *tiles[5]);

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
