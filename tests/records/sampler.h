/* sampler.h: calls of an instruction drawn at random, run on every SIMD target and compared byte for byte. */
#ifndef PTO_TESTS_RECORDS_SAMPLER_H_
#define PTO_TESTS_RECORDS_SAMPLER_H_

#include <stdint.h>

#include "op_table.h"

/* Known results, then `cases` calls an element type. Fails the test when a byte of the memory is not what it must be.
 */
void sample_op(const op_entry *entry, int cases);

/* Contexts of every profile and target; made once. */
void sampler_create(void);
void sampler_release(void);
int64_t sampler_calls(void);

#endif /* PTO_TESTS_RECORDS_SAMPLER_H_ */
