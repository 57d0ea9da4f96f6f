/*
 * exhaustive.c: runs sweeps on several threads and every SIMD target, after
 * `./dev test --exhaustive`. Interrupted runs go on where they stopped.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime, posix_memalign */
#endif
#include "exhaustive.h"

#include <mpfr.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run_op.h"
#include "special_inputs.h"

static const char k_usage[] =
    "usage: exhaustive [options]\n"
    "\n"
    "Proves the accuracy of every float instruction, on every SIMD target of this\n"
    "machine, over all inputs where that is possible (see docs/accuracy.md).\n"
    "\n"
    "  --quick            a small sample of each sweep, in seconds\n"
    "  --only NAME        only sweeps whose name contains NAME\n"
    "  --target NAME      only one SIMD target\n"
    "  --threads N        threads; by default the number of processors\n"
    "  --state FILE       where finished work is kept (next to this program)\n"
    "  --fresh            forgets the state file\n"
    "  --write-docs FILE  puts the results into the document, after a whole run\n"
    "  --list             names the sweeps\n"
    "\n"
    "Returns 0 if every result is right.\n";

/* The targets that are run; the first is judged, the others must equal it. */
static const char *g_targets[k_max_targets];
static int g_target_count;

typedef struct job {
  progress *progress;
  FILE *state;
  int quiet;
  int failed;
  int next_chunk;
  pthread_mutex_t lock;
} job;

typedef struct runner {
  sweep_block block;
  sweep_stats stats;
  void *out;
  int count; /* of the instructions: flags times targets */
  pto_inst *insts[2 * k_max_targets];
  pto_context *contexts[2 * k_max_targets];
} runner;

static double seconds_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_add(progress *all, int chunk, const sweep_stats *stats, double seconds) {
  all->done[chunk] = 1;
  ++all->chunks_done;
  all->stats.cases += stats->cases;
  all->stats.wrong += stats->wrong;
  all->stats.misrounded += stats->misrounded;
  all->stats.decided += stats->decided;
  if (stats->max_ulp > all->stats.max_ulp) all->stats.max_ulp = stats->max_ulp;
  all->seconds += seconds;
}

/* ---- one thread ---- */

static void *aligned_block(size_t bytes) {
  void *data = NULL;
  if (posix_memalign(&data, 64, bytes) != 0) return NULL;
  memset(data, 0, bytes);
  return data;
}

static int runner_open(runner *r, const sweep *which) {
  const size_t bytes = (size_t)k_sweep_block * (size_t)pto_dtype_bytes(which->dtype);
  memset(r, 0, sizeof *r);
  r->block.stats = &r->stats;
  r->block.a = aligned_block(bytes);
  r->block.b = aligned_block(bytes);
  r->block.want = aligned_block(bytes);
  r->out = aligned_block(bytes);
  if (!r->block.a || !r->block.b || !r->block.want || !r->out) return 0;
  for (int f = 0; f < which->flag_count; ++f) {
    for (int t = 0; t < g_target_count; ++t) {
      pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, g_targets[t]);
      if (ctx == NULL) return 0;
      r->contexts[r->count] = ctx;
      r->insts[r->count] =
          run_op_prepare(ctx, pto_op_find(which->op), which->dtype, which->flags[f], k_sweep_rows, k_sweep_cols,
                         which->b_is_row ? 1 : k_sweep_rows, r->block.a, r->block.b, r->out);
      if (r->insts[r->count++] == NULL) return 0;
    }
  }
  return 1;
}

static void runner_close(runner *r) {
  for (int i = 0; i < r->count; ++i) {
    pto_inst_release(r->insts[i]);
    pto_context_release(r->contexts[i]);
  }
  free(r->block.a);
  free(r->block.b);
  free(r->block.want);
  free(r->out);
}

static uint64_t element(const sweep *which, const void *data, size_t i) {
  uint16_t u16;
  uint32_t u32;
  if (pto_dtype_bytes(which->dtype) == 2) {
    memcpy(&u16, (const char *)data + 2 * i, 2);
    return u16;
  }
  memcpy(&u32, (const char *)data + 4 * i, 4);
  return u32;
}

static void compare(const sweep *which, runner *r, const char *target) {
  const size_t bytes = (size_t)pto_dtype_bytes(which->dtype);
  if (memcmp(r->out, r->block.want, k_sweep_block * bytes) == 0) return;
  for (size_t i = 0; i < k_sweep_block; ++i) {
    const uint64_t want = element(which, r->block.want, i);
    const uint64_t got = element(which, r->out, i);
    if (want == got || ref_matches(which->dtype, want, got)) continue;
    const size_t b = which->b_is_row ? i % k_sweep_cols : i;
    sweep_wrong(which, &r->block, target, element(which, r->block.a, i), element(which, r->block.b, b), got, want);
  }
}

/*
 * A few elements of each block are held against MPFR, so that a slip in a fast
 * judge cannot hide for the length of a sweep.
 */
static int audit(const sweep *which, const runner *r) {
  enum { k_audited = 8 };
  uint64_t seed = r->block.index;
  for (int k = 0; k < k_audited; ++k) {
    const size_t i = special_random(&seed) % k_sweep_block;
    const uint64_t a = element(which, r->block.a, i);
    const uint64_t b = element(which, r->block.b, which->b_is_row ? i % k_sweep_cols : i);
    const uint64_t accepted = element(which, r->block.want, i);
    const uint64_t nearest = ref_apply(which->fn, which->dtype, a, b);
    if (ref_matches(which->dtype, nearest, accepted) || r->stats.wrong != 0) continue;
    if (which->within_one_ulp && ref_ulp_error(which->dtype, accepted, which->fn, a, b) <= 1) continue;
    fprintf(stderr, "%s: the sweep itself is wrong: a %#llx b %#llx accepts %#llx, the reference has %#llx\n",
            which->name, (unsigned long long)a, (unsigned long long)b, (unsigned long long)accepted,
            (unsigned long long)nearest);
    return 0;
  }
  return 1;
}

static int run_block(const sweep *which, runner *r, uint64_t index) {
  const size_t bytes = (size_t)pto_dtype_bytes(which->dtype);
  r->block.index = index;
  which->fill(which, &r->block);
  if (which->expect != NULL) which->expect(which, &r->block);
  for (int i = 0; i < r->count; ++i) {
    /* A kernel that writes nothing must not pass with old results. */
    memset(r->out, 0x5a, k_sweep_block * bytes);
    if (pto_inst_run(r->contexts[i], r->insts[i]) != PTO_OK) {
      fprintf(stderr, "%s: %s\n", which->name, pto_context_error_message(r->contexts[i]));
      return 0;
    }
    if (which->judge != NULL && i == 0) {
      which->judge(which, &r->block, r->out);
      memcpy(r->block.want, r->out, k_sweep_block * bytes);
    } else {
      compare(which, r, pto_context_target(r->contexts[i]));
    }
  }
  r->stats.cases += k_sweep_block;
  return audit(which, r);
}

static void *run_chunks(void *argument) {
  job *j = argument;
  progress *p = j->progress;
  const sweep *which = p->which;
  runner r;
  int ok = runner_open(&r, which);
  for (;;) {
    pthread_mutex_lock(&j->lock);
    if (!ok) j->failed = 1;
    while (j->next_chunk < p->chunk_count && p->done[j->next_chunk]) ++j->next_chunk;
    const int chunk = j->failed ? p->chunk_count : j->next_chunk++;
    pthread_mutex_unlock(&j->lock);
    if (chunk >= p->chunk_count) break;

    const double start = seconds_now(CLOCK_THREAD_CPUTIME_ID);
    memset(&r.stats, 0, sizeof r.stats);
    for (uint64_t i = 0; ok && i < p->chunk_blocks; ++i) {
      /* An odd factor permutes a power of two: samples spread over all blocks. */
      const uint64_t serial = (uint64_t)chunk * p->chunk_blocks + i;
      ok = run_block(which, &r, serial * UINT64_C(2654435761) & (which->blocks - 1));
    }
    if (!ok) continue;
    const double seconds = seconds_now(CLOCK_THREAD_CPUTIME_ID) - start;
    pthread_mutex_lock(&j->lock);
    progress_add(p, chunk, &r.stats, seconds);
    if (j->state != NULL) state_append(j->state, p, chunk, &r.stats, seconds);
    if (!j->quiet) report_progress(p);
    pthread_mutex_unlock(&j->lock);
  }
  runner_close(&r);
  mpfr_free_cache();
  return NULL;
}

static int run_sweep(progress *p, const options *opt, FILE *state) {
  job j = {.progress = p, .state = state, .quiet = opt->quick, .lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t *threads = calloc((size_t)opt->threads, sizeof *threads);
  int started = 0;
  if (threads == NULL) return 0;
  while (started < opt->threads && pthread_create(&threads[started], NULL, run_chunks, &j) == 0) ++started;
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  free(threads);
  return started > 0 && !j.failed;
}

/* ---- the whole run ---- */

static int select_targets(const char *only, char *names, size_t size) {
  names[0] = '\0';
  for (int32_t i = 0; i < pto_target_count() && g_target_count < k_max_targets; ++i) {
    const char *name = pto_target_name(i);
    if (!pto_target_supported(i) || (only != NULL && strcmp(only, name) != 0)) continue;
    g_targets[g_target_count++] = name;
    snprintf(names + strlen(names), size - strlen(names), "%s%s", names[0] ? " " : "", name);
  }
  if (g_target_count == 0) fprintf(stderr, "exhaustive: this machine has no target %s\n", only ? only : "at all");
  return g_target_count != 0;
}

static size_t select_sweeps(const options *opt, progress *all) {
  size_t n = 0;
  for (size_t i = 0; i < sweep_count() && n < k_max_sweeps; ++i) {
    const sweep *which = sweep_at(i);
    if (opt->only != NULL && strstr(which->name, opt->only) == NULL) continue;
    const uint64_t blocks = opt->quick ? which->quick_blocks : which->blocks;
    progress *p = &all[n++];
    memset(p, 0, sizeof *p);
    p->which = which;
    p->chunk_count = blocks < k_max_chunks ? (int)blocks : k_max_chunks;
    p->chunk_blocks = blocks / (uint64_t)p->chunk_count;
  }
  if (n == 0) fprintf(stderr, "exhaustive: no sweep is called %s; see --list\n", opt->only);
  return n;
}

static int parse(int argc, char **argv, options *opt) {
  static char default_state[1024];
  memset(opt, 0, sizeof *opt);
  opt->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(default_state, sizeof default_state, "%s.state", argv[0]);
  opt->state_path = default_state;
  snprintf(opt->command, sizeof opt->command, "exhaustive");
  for (int i = 1; i < argc; ++i) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    int takes_value = 1;
    if (strcmp(argv[i], "--only") == 0 && value) {
      opt->only = value;
    } else if (strcmp(argv[i], "--target") == 0 && value) {
      opt->target = value;
    } else if (strcmp(argv[i], "--threads") == 0 && value) {
      opt->threads = atoi(value);
    } else if (strcmp(argv[i], "--state") == 0 && value) {
      opt->state_path = value;
    } else if (strcmp(argv[i], "--write-docs") == 0 && value) {
      opt->docs_path = value;
    } else {
      takes_value = 0;
      if (strcmp(argv[i], "--quick") == 0) {
        opt->quick = 1;
      } else if (strcmp(argv[i], "--fresh") == 0) {
        opt->fresh = 1;
      } else if (strcmp(argv[i], "--list") == 0) {
        for (size_t k = 0; k < sweep_count(); ++k) {
          printf("%-26s %s\n", sweep_at(k)->name, sweep_at(k)->inputs);
        }
        exit(0);
      } else if (strcmp(argv[i], "--help") == 0) {
        fputs(k_usage, stdout);
        exit(0);
      } else {
        return 0;
      }
    }
    i += takes_value;
  }
  /* Only what names the work belongs into the report, no paths. */
  const size_t used = strlen(opt->command);
  snprintf(opt->command + used, sizeof opt->command - used, "%s%s%s%s%s", opt->quick ? " --quick" : "",
           opt->only ? " --only " : "", opt->only ? opt->only : "", opt->target ? " --target " : "",
           opt->target ? opt->target : "");
  if (opt->quick) opt->state_path = NULL;
  return opt->threads >= 1 && opt->threads <= 1024;
}

int main(int argc, char **argv) {
  static progress all[k_max_sweeps];
  options opt;
  char targets[512];
  FILE *state = NULL;
  int resumed = 0;
  sweep_init();
  if (!parse(argc, argv, &opt)) {
    fputs(k_usage, stderr);
    return 2;
  }
  if (!mpfr_buildopt_tls_p()) opt.threads = 1; /* MPFR keeps state a thread */
  const size_t count = select_sweeps(&opt, all);
  if (count == 0 || !select_targets(opt.target, targets, sizeof targets)) return 2;
  if (opt.state_path != NULL) {
    state = state_open(&opt, targets, all, count, &resumed);
    if (state == NULL) return 2;
    if (resumed != 0) printf("going on from %s: %d chunks are done (--fresh starts over)\n", opt.state_path, resumed);
  }
  printf("targets: %s; %d threads\n", targets, opt.threads);
  fflush(stdout);
  const double start = seconds_now(CLOCK_MONOTONIC);
  uint64_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    if (all[i].chunks_done != all[i].chunk_count && !run_sweep(&all[i], &opt, state)) {
      fprintf(stderr, "%s could not be run\n", all[i].which->name);
      return 2;
    }
    wrong += all[i].stats.wrong;
  }
  const double elapsed = seconds_now(CLOCK_MONOTONIC) - start;
  if (state != NULL) fclose(state);
  report_table(stdout, all, count, targets, &opt, elapsed);
  if (opt.docs_path != NULL && (opt.quick || opt.only || opt.target)) {
    printf("documents left alone: this was not a whole run\n");
  } else if (opt.docs_path != NULL && !report_docs(all, count, targets, &opt, elapsed)) {
    fprintf(stderr, "cannot write %s\n", opt.docs_path);
    return 2;
  }
  if (wrong != 0) printf("%llu results are wrong\n", (unsigned long long)wrong);
  return wrong == 0 ? 0 : 1;
}
