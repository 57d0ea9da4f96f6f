/*
 * exhaustive.h: what the runner of sweeps and its reports share.
 */
#ifndef PTO_TESTS_ACCURACY_EXHAUSTIVE_H_
#define PTO_TESTS_ACCURACY_EXHAUSTIVE_H_

#include <stdint.h>
#include <stdio.h>

#include "sweep.h"

enum { k_max_sweeps = 64, k_max_chunks = 256, k_max_targets = 32 };

typedef struct options {
  int quick;
  int threads;
  int fresh;
  const char *only;       /* part of a sweep's name, or NULL */
  const char *target;     /* one SIMD target, or NULL for all */
  const char *state_path; /* NULL in quick runs */
  const char *docs_path;  /* NULL to leave the documents alone */
  char command[512];      /* for the report */
} options;

/* The state of one sweep; chunks are runs of the same number of blocks. */
typedef struct progress {
  const sweep *which;
  int chunk_count;
  uint64_t chunk_blocks;
  int chunks_done;
  unsigned char done[k_max_chunks];
  sweep_stats stats;
  double seconds; /* of all threads together */
} progress;

/* Adds a finished chunk to what is known. */
void progress_add(progress *all, int chunk, const sweep_stats *stats, double seconds);

/* ---- the state file: one line a finished chunk ---- */

/*
 * Opens the state file for appending; reads back what an earlier run of the same
 * library on the same targets has finished, unless opt->fresh. NULL after a
 * message. *resumed counts the chunks that need not run again.
 */
FILE *state_open(const options *opt, const char *targets, progress *all, size_t count, int *resumed);
void state_append(FILE *state, const progress *one, int chunk, const sweep_stats *stats, double seconds);

/* ---- reports ---- */

/* Shows how far a sweep is: a bar on a terminal, else a line each tenth. */
void report_progress(const progress *one);
void report_table(FILE *out, const progress *all, size_t count, const char *targets, const options *opt,
                  double elapsed);

/* Puts the table between the two marker lines of a document; 0 on failure. */
int report_docs(const progress *all, size_t count, const char *targets, const options *opt, double elapsed);

#endif /* PTO_TESTS_ACCURACY_EXHAUSTIVE_H_ */
