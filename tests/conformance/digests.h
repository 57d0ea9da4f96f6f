/* digests.h: what vector_digests.txt has of vectors.txt, a line for each instruction. */
#ifndef PTO_TESTS_CONFORMANCE_DIGESTS_H_
#define PTO_TESTS_CONFORMANCE_DIGESTS_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Ends the program. */
void Die(const char *what);
/* Writes the digests of vectors. */
void Digest(FILE *vectors, FILE *to);
/* Compares digests with a file and prints the first case that differs. */
bool Same(FILE *vectors, FILE *made, const char *path);

#endif /* PTO_TESTS_CONFORMANCE_DIGESTS_H_ */
