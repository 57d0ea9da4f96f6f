/*
 * op_rules.h: what the tests of the rules of instructions share. Which instructions a rule is applied to is
 * read from their pages (has_rule()); what the operands are from the library.
 */
#ifndef PTO_TESTS_RULES_OP_RULES_H_
#define PTO_TESTS_RULES_OP_RULES_H_

#include "fixture.h"
#include "typed_calls.h"

/* Transfers have rules of their own: test_rules_tensors.c. */
int transfers(int32_t op);

/* Every instruction over tiles; its tiles go away with the pass. */
#define FOR_OPS(op)                                                            \
  for (int32_t op##_at = 0, op; op##_at < pto_op_count(); ++op##_at, forget()) \
    if (op = pto_op_at(op##_at), !transfers(op) && !has_own_shapes(op) && !is_fixpipe(op))

#define FOR_NEEDED(op, k)                                \
  for (int32_t k = 0; k < pto_op_operand_count(op); ++k) \
    if (is_needed(op, k))

/* The profiles that take an element type of the lead operand. */
#define FOR_PROFILES(p, op, dtype)     \
  for (int p = 0; p < k_profiles; ++p) \
    if (pto_op_supports(op, (pto_profile)p, dtype, 0))

#define FOR_TYPES(d) for (pto_dtype d = PTO_DTYPE_I8; pto_dtype_bytes(d) != 0; d = (pto_dtype)(d + 1))

/* The first of the sources that are valid in a part; -1 if there is no such source. */
int32_t parts_of(int32_t op);
/* The first operand of an extent; -1 when an instruction has none. */
int32_t extent_at(int32_t op, int32_t extent);
/* All of dst is meant: what is valid does not matter. */
int is_whole(int32_t op);
const char *lead_name(int32_t op);

/* operands_of() the element type that most profiles accept, which is returned. */
pto_dtype usual(int32_t op, pto_tile *tiles[k_operands]);
void set_valid(pto_tile *tile, int32_t rows, int32_t cols);
/* One tile at the start of a block of memory and another at an offset. */
void lay_over(pto_tile **first, pto_tile **second, int64_t offset);

/* The call is refused under the profiles that have the rule, accepted under the others. Returns how many refused. */
int judge(int32_t op, pto_tile *const *tiles, pto_status status, const char *rule, const char *operand,
          const char *texts);
void accept_all(int32_t op, pto_tile *const *tiles);

/* A region of one operand beside a lead operand that is valid in 16x16. */
typedef struct region_case {
  int layout; /* ND of 24x32, or DN of one column */
  int32_t rows, cols;
  const char *texts; /* NULL: legal under every profile */
} region_case;

/* Every operand of an extent in these regions; all profiles have the rule. */
void regions(const char *rule, int32_t extent, const region_case *cases, int count);
#define REGIONS(rule, extent, cases) regions(rule, extent, cases, (int)(sizeof(cases) / sizeof *(cases)))

#endif /* PTO_TESTS_RULES_OP_RULES_H_ */
