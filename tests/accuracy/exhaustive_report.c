/*
 * exhaustive_report.c: the state file, the progress line, the table and the
 * document of a run.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr: which library is under test */
#endif
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "exhaustive.h"

static const char k_begin[] = "<!-- exhaustive: begin -->";
static const char k_end[] = "<!-- exhaustive: end -->";

/* ---- the state file ---- */

/* Size and time of the file that holds a symbol: another build is other work. */
static void stamp_of(const void *symbol, char *out, size_t size) {
  Dl_info info;
  struct stat file;
  snprintf(out, size, "?");
  if (dladdr(symbol, &info) != 0 && stat(info.dli_fname, &file) == 0) {
    snprintf(out, size, "%lld.%lld.%ld", (long long)file.st_size, (long long)file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
  }
}

static void state_header(const char *targets, char *out, size_t size) {
  char library[64], program[64];
  /* C has no cast from functions to void *; POSIX promises the same bits. */
  int32_t (*const in_library)(void) = pto_version;
  size_t (*const in_program)(void) = sweep_count;
  const void *symbol;
  memcpy(&symbol, &in_library, sizeof symbol);
  stamp_of(symbol, library, sizeof library);
  memcpy(&symbol, &in_program, sizeof symbol);
  stamp_of(symbol, program, sizeof program);
  snprintf(out, size, "pto exhaustive 1, library %s, program %s, targets %s", library, program, targets);
}

static int read_line(const char *line, progress *all, size_t count) {
  char name[64];
  int chunk;
  unsigned long long cases, wrong, misrounded, decided;
  double max_ulp, seconds;
  if (sscanf(line, "%63s %d %llu %llu %llu %llu %la %lf", name, &chunk, &cases, &wrong, &misrounded, &decided, &max_ulp,
             &seconds) != 8) {
    return 0;
  }
  for (size_t i = 0; i < count; ++i) {
    progress *p = &all[i];
    if (strcmp(p->which->name, name) != 0) continue;
    /* Chunks with wrong results run again, to show them again. */
    if (wrong != 0 || chunk < 0 || chunk >= p->chunk_count || p->done[chunk]) return 0;
    const sweep_stats stats = {cases, wrong, misrounded, decided, max_ulp};
    progress_add(p, chunk, &stats, seconds);
    return 1;
  }
  return 0;
}

FILE *state_open(const options *opt, const char *targets, progress *all, size_t count, int *resumed) {
  char header[1024];
  char line[1024];
  int same = 0;
  state_header(targets, header, sizeof header);
  FILE *state = opt->fresh ? NULL : fopen(opt->state_path, "r");
  if (state != NULL) {
    if (fgets(line, sizeof line, state) != NULL) {
      line[strcspn(line, "\n")] = '\0';
      same = strcmp(line, header) == 0;
    }
    while (same && fgets(line, sizeof line, state) != NULL) *resumed += read_line(line, all, count);
    fclose(state);
    if (!same) printf("%s is of another build or other targets: starting over\n", opt->state_path);
  }
  state = fopen(opt->state_path, same ? "a" : "w");
  if (state == NULL) {
    fprintf(stderr, "cannot write %s; name another file by --state\n", opt->state_path);
    return NULL;
  }
  if (!same) fprintf(state, "%s\n", header);
  fflush(state);
  return state;
}

void state_append(FILE *state, const progress *one, int chunk, const sweep_stats *stats, double seconds) {
  fprintf(state, "%s %d %llu %llu %llu %llu %a %.3f\n", one->which->name, chunk, (unsigned long long)stats->cases,
          (unsigned long long)stats->wrong, (unsigned long long)stats->misrounded, (unsigned long long)stats->decided,
          stats->max_ulp, seconds);
  fflush(state);
}

/* ---- the progress line ---- */

void report_progress(const progress *one) {
  enum { k_width = 30 };
  const int done = one->chunks_done;
  const int all = one->chunk_count;
  if (isatty(STDOUT_FILENO)) {
    char bar[k_width + 1];
    for (int i = 0; i < k_width; ++i) bar[i] = i * all < done * k_width ? '#' : '.';
    bar[k_width] = '\0';
    printf("\r\033[K%-26s [%s] %3d %%%s", one->which->name, bar, 100 * done / all, done == all ? "\n" : "");
  } else if (done * 10 / all != (done - 1) * 10 / all) {
    printf("%-26s %3d %%\n", one->which->name, 100 * done / all);
  }
  fflush(stdout);
}

/* ---- the table ---- */

static void machine_name(char *out, size_t size) {
  struct utsname system;
  char line[256];
  snprintf(out, size, "unknown");
  if (uname(&system) == 0) snprintf(out, size, "%s", system.machine);
  FILE *cpu = fopen("/proc/cpuinfo", "r");
  while (cpu != NULL && fgets(line, sizeof line, cpu) != NULL) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || colon == NULL) continue;
    line[strcspn(line, "\n")] = '\0';
    const size_t used = strlen(out);
    snprintf(out + used, size - used, ", %s", colon + 2);
    break;
  }
  if (cpu != NULL) fclose(cpu);
}

static void table_row(FILE *out, const progress *p) {
  const sweep_stats *s = &p->stats;
  /* Where only the nearest value will do, every wrong result is misrounded. */
  const uint64_t misrounded = s->misrounded > s->wrong ? s->misrounded : s->wrong;
  char ulp[32] = "-";
  if (s->max_ulp > 0) snprintf(ulp, sizeof ulp, "%.7f", s->max_ulp);
  if (misrounded == 0 && ref_format_of(p->which->dtype) != NULL) snprintf(ulp, sizeof ulp, "0.5");
  fprintf(out, "| %s | %s | %llu | %llu | %llu | %s | %llu | %.0f |\n", p->which->name, p->which->inputs,
          (unsigned long long)s->cases, (unsigned long long)s->wrong, (unsigned long long)misrounded, ulp,
          (unsigned long long)s->decided, p->seconds);
}

void report_table(FILE *out, const progress *all, size_t count, const char *targets, const options *opt,
                  double elapsed) {
  char machine[320];
  char date[32];
  const time_t now = time(NULL);
  double seconds = 0;
  machine_name(machine, sizeof machine);
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  fprintf(out, "Command: `%s`, %s, %s, SIMD targets %s.\n\n", opt->command, date, machine, targets);
  fprintf(out, "| sweep | inputs | cases | wrong | misrounded | max ulp | decided by MPFR | CPU s |\n");
  fprintf(out, "|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < count; ++i) {
    table_row(out, &all[i]);
    seconds += all[i].seconds;
  }
  fprintf(out, "\n%.0f seconds of processor time; the last run took %.0f seconds on %d threads.\n", seconds, elapsed,
          opt->threads);
}

/* ---- the document ---- */

static char *read_all(const char *path) {
  FILE *in = fopen(path, "r");
  if (in == NULL) return NULL;
  char *text = NULL;
  if (fseek(in, 0, SEEK_END) == 0) {
    const long size = ftell(in);
    rewind(in);
    text = size < 0 ? NULL : calloc((size_t)size + 1, 1);
    if (text != NULL && fread(text, 1, (size_t)size, in) != (size_t)size) {
      free(text);
      text = NULL;
    }
  }
  fclose(in);
  return text;
}

int report_docs(const progress *all, size_t count, const char *targets, const options *opt, double elapsed) {
  char *text = read_all(opt->docs_path);
  const char *begin = text ? strstr(text, k_begin) : NULL;
  const char *end = begin ? strstr(begin, k_end) : NULL;
  int ok = 0;
  if (end != NULL) {
    FILE *out = fopen(opt->docs_path, "w");
    if (out != NULL) {
      fprintf(out, "%.*s%s\n", (int)(begin - text), text, k_begin);
      report_table(out, all, count, targets, opt, elapsed);
      fprintf(out, "%s", end);
      ok = fclose(out) == 0;
    }
  } else {
    fprintf(stderr, "%s lacks the lines %s and %s\n", opt->docs_path, k_begin, k_end);
  }
  free(text);
  return ok;
}
