/* program_fixture.h: programs that are parsed and run under the profile CPU, and the memory that they are bound to. */
#ifndef PTO_TESTS_RULES_PROGRAM_FIXTURE_H_
#define PTO_TESTS_RULES_PROGRAM_FIXTURE_H_

#include "pto_c.h"

pto_program *parsed(const char *text);

/* The run is refused; if it gave diagnostics, the last one has the same rule. `line` 0: no diagnostic. */
void refuse_run(pto_program *program, const char *entry, pto_status want, const char *rule, const char *operand,
                const char *texts, int line);

/* A program without arguments whose run ends by this rule. */
void ends(const char *text, const char *rule, const char *texts, int line);

extern float g_memory[16];
/* A tensor over g_memory, of 16 elements or of 2 x 8. */
pto_tensor *tensor_over(pto_dtype dtype, int32_t rank);

#endif /* PTO_TESTS_RULES_PROGRAM_FIXTURE_H_ */
