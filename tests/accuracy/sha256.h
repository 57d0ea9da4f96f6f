/* SHA-256 (FIPS 180-4), so that digests need no library on any machine. */
#ifndef PTO_TESTS_ACCURACY_SHA256_H_
#define PTO_TESTS_ACCURACY_SHA256_H_

#include <stddef.h>
#include <stdint.h>

enum { k_sha256_hex = 64 };

typedef struct sha256 {
  uint32_t state[8];
  uint64_t bytes;
  unsigned char block[64];
  int instructions; /* 1 if the processor has instructions for it. */
} sha256;

void sha256_init(sha256 *sha);
void sha256_update(sha256 *sha, const void *data, size_t bytes);
/* Writes k_sha256_hex digits and a 0. */
void sha256_final(sha256 *sha, char *hex);

#endif /* PTO_TESTS_ACCURACY_SHA256_H_ */
