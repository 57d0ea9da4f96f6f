/* digests.h: what the repository has of vectors.txt and ranks.txt: a line of digests for each instruction. */
#ifndef PTO_TESTS_CONFORMANCE_DIGESTS_H_
#define PTO_TESTS_CONFORMANCE_DIGESTS_H_

#include <stdio.h>

/* Ends the program. */
void Die(const char *what);
/* Where a generator writes its vectors: `NAME VECTORS`, `NAME --check DIGESTS` or `NAME --digests DIGESTS`. */
FILE *Vectors(int argc, char **argv);
/* The end of a generator: writes digests, or compares them and prints the first case that differs. The exit status. */
int Ended(int argc, char **argv, FILE *vectors);

#endif /* PTO_TESTS_CONFORMANCE_DIGESTS_H_ */
