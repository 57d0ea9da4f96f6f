/*
 * A plug-in for one library of MPI: src/objects/mpi_plugin.h specifies it. Memory that a window lacks is an error on
 * every rank. It has a communicator of its own, on which MPI returns errors, as on its windows: the job continues.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */
#include <limits.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/objects/mpi_plugin.h"

enum { k_line = 64, k_page = 4096, k_requests = 64, k_polls = 1000 };

typedef struct window {
  MPI_Win win;
  MPI_Aint *begin; /* for each rank, the position of offset 0 in its part of the window */
  struct window *next;
} window;

static window *first_window;           /* of all that are open, the newest first */
static MPI_Comm world = MPI_COMM_NULL; /* all ranks */

/* MPI calls this at the beginning of MPI_Finalize(), when all ranks are there to free windows. */
static int free_windows(MPI_Comm comm, int key, void *value, void *more) {
  (void)comm;
  (void)key;
  (void)value;
  (void)more;
  while (first_window != NULL) {
    window *one = first_window;
    first_window = one->next;
    MPI_Win_unlock_all(one->win);
    MPI_Win_free(&one->win);
    free(one->begin);
    free(one);
  }
  if (world != MPI_COMM_NULL) MPI_Comm_free(&world);
  return MPI_SUCCESS;
}

static void finish(void) {
  int done = 0;
  MPI_Finalized(&done);
  if (!done) MPI_Finalize();
}

static int join(int32_t *rank, int32_t *ranks) {
  int started = 0;
  int given = 0;
  MPI_Initialized(&started);
  if (!started) {
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &given) != MPI_SUCCESS) return 0;
    atexit(finish);
  }
  if (world == MPI_COMM_NULL) {
    int key = MPI_KEYVAL_INVALID;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &world) != MPI_SUCCESS) return 0;
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_windows, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
  }
  int of = 0;
  int all = 0;
  MPI_Comm_rank(world, &of);
  MPI_Comm_size(world, &all);
  *rank = of;
  *ranks = all;
  return 1;
}

static MPI_Aint up(int64_t bytes, int64_t unit) { return (MPI_Aint)((bytes + unit - 1) / unit * unit); }

static unsigned char *aligned(void *memory) {
  unsigned char *first = memory;
  return first + (k_line - (uintptr_t)first % k_line) % k_line;
}

/* Whether something is true on every rank; not if MPI cannot ask them. */
static int on_all(int mine) {
  int all = 0;
  return MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, world) == MPI_SUCCESS && all;
}

/* Memory of this machine, in bytes, that may be taken. */
static double available(void) {
  double kib = 1e300;
  char line[256];
  FILE *info = fopen("/proc/meminfo", "r");
  while (info != NULL && fgets(line, sizeof line, info) != NULL) {
    if (sscanf(line, "MemAvailable: %lf", &kib) == 1) break;
  }
  if (info != NULL) fclose(info);
  return kib * 1024;
}

/* Makes the window, on all ranks or on none: MPI reports an error only where it happens, and zeros take the pages. */
static unsigned char *allocate(MPI_Aint size, int one_machine, int here, window *made) {
  if (made != NULL && (made->begin == NULL || (double)size * here > available())) made = NULL;
  if (!on_all(made != NULL)) return NULL;
  unsigned char *memory = NULL;
  made->win = MPI_WIN_NULL;
  const int error = one_machine ? MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, world, &memory, &made->win)
                                : MPI_Win_allocate(size, 1, MPI_INFO_NULL, world, &memory, &made->win);
  if (error == MPI_SUCCESS) MPI_Win_set_errhandler(made->win, MPI_ERRORS_RETURN);
  /* To free a window takes all ranks: where some have none, the others stay. */
  return on_all(error == MPI_SUCCESS) ? memory : NULL;
}

static void *open_window(int64_t bytes, int64_t table_bytes, int shared, void **data, void **table) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  MPI_Comm near = MPI_COMM_NULL;
  int here = 0;
  if (MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near) == MPI_SUCCESS) {
    MPI_Comm_size(near, &here);
    MPI_Comm_free(&near);
  }
  if (!on_all(here > 0)) return NULL;
  const int one_machine = shared && on_all(here == ranks);
  window *made = malloc(sizeof *made);
  if (made != NULL) made->begin = malloc((size_t)ranks * sizeof *made->begin);
  const MPI_Aint own = up(bytes, k_page) + k_page;
  const MPI_Aint size = own + (one_machine && rank == 0 ? up(table_bytes, k_page) + k_page : 0);
  *table = NULL;
  for (int of = 0; of < ranks; ++of) data[of] = NULL;
  unsigned char *memory = allocate(size, one_machine, here, made);
  if (memory == NULL) {
    if (made != NULL) free(made->begin);
    free(made);
    return NULL;
  }
  MPI_Aint *begin = made->begin;
  made->next = first_window;
  first_window = made;
  memset(memory, 0, (size_t)size);
  MPI_Aint first = aligned(memory) - memory;
  int done = MPI_Win_lock_all(MPI_MODE_NOCHECK, made->win) == MPI_SUCCESS;
  done &= MPI_Allgather(&first, 1, MPI_AINT, begin, 1, MPI_AINT, world) == MPI_SUCCESS;
  data[rank] = memory + first;
  for (int of = 0; one_machine && done && of < ranks; ++of) {
    MPI_Aint part = 0;
    int unit = 0;
    void *at = NULL;
    done &= MPI_Win_shared_query(made->win, of, &part, &unit, (void *)&at) == MPI_SUCCESS;
    data[of] = (unsigned char *)at + begin[of];
    if (of == 0) *table = (unsigned char *)at + begin[0] + own - k_page + k_line;
  }
  MPI_Win_sync(made->win);
  return on_all(done) ? made : NULL; /* all ranks have come so far */
}

/* A count of MPI is an int. */
static int piece(int64_t left) { return left > INT_MAX ? INT_MAX / k_page * k_page : (int)left; }

/* Stores the first error; `rank` has the window of the first part. A message of MPI becomes one line. */
static void note(int code, const char *operation, int32_t rank, pto_mpi_error *error) {
  if (code == MPI_SUCCESS || error->operation != NULL) return;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  for (char *at = text; *at != '\0'; ++at) {
    if (*at == '\n') *at = ' ';
  }
  error->operation = operation;
  error->rank = rank;
  snprintf(error->text, sizeof error->text, "%s", text);
}

/*
 * A rank that only polls keeps processors from those that it waits for, where there are more ranks than processors. So
 * after some polls it sleeps between them.
 */
static void await(int count, MPI_Request *requests, int32_t rank, pto_mpi_error *error) {
  const struct timespec nap = {0, 20000};
  int polls = 0;
  for (int i = 0; i < count;) {
    int done = 0;
    const int code = MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    note(code, "MPI_Test", rank, error);
    if (done || code != MPI_SUCCESS) {
      ++i;
    } else if (++polls > k_polls) {
      nanosleep(&nap, NULL);
    }
  }
}

/* Two functions of MPI for each direction: without a request it is faster. */
static void begin(const window *w, int32_t rank, int64_t offset, unsigned char *data, int bytes, int puts,
                  MPI_Request *request, pto_mpi_error *error) {
  const MPI_Aint there = w->begin[rank] + (MPI_Aint)offset;
  int code = MPI_SUCCESS;
  if (request != NULL && puts) {
    code = MPI_Rput(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win, request);
  } else if (request != NULL) {
    code = MPI_Rget(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win, request);
  } else if (puts) {
    code = MPI_Put(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win);
  } else {
    code = MPI_Get(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win);
  }
  if (request != NULL && code != MPI_SUCCESS) *request = MPI_REQUEST_NULL;
  note(code, puts ? "MPI_Put" : "MPI_Get", rank, error);
}

/*
 * One part waits for its flush. Several have requests: MPI_Win_flush_all of MPICH 4.0 over UCX has returned before data
 * of a put was read. After an error nothing more begins, and what has begun is waited for.
 */
static void copy(const window *w, const pto_mpi_part *parts, int32_t count, int puts, pto_mpi_error *error) {
  MPI_Request requests[k_requests];
  int open = 0;
  for (int32_t i = 0; i < count; ++i) {
    for (int64_t done = 0; done < parts[i].bytes && error->operation == NULL;) {
      const int bytes = piece(parts[i].bytes - done);
      if (open == k_requests) {
        await(open, requests, parts[0].rank, error);
        open = 0;
      }
      begin(w, parts[i].rank, parts[i].offset + done, (unsigned char *)parts[i].data + done, bytes, puts,
            count == 1 ? NULL : &requests[open++], error);
      done += bytes;
    }
  }
  await(open, requests, parts[0].rank, error);
  for (int32_t i = 0; (puts || count == 1) && i < count; ++i) {
    note(MPI_Win_flush(parts[i].rank, w->win), "MPI_Win_flush", parts[i].rank, error);
  }
}

static void put(void *at, const pto_mpi_part *parts, int32_t count, pto_mpi_error *error) {
  copy(at, parts, count, 1, error);
}
static void get(void *at, const pto_mpi_part *parts, int32_t count, pto_mpi_error *error) {
  copy(at, parts, count, 0, error);
}

static void sum(void *at, int32_t rank, int64_t offset, const void *from, int64_t count, pto_mpi_sum type,
                pto_mpi_error *error) {
  const window *w = at;
  const MPI_Datatype types[] = {MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_FLOAT};
  const int sizes[] = {1, 2, 4, 4};
  const unsigned char *data = from;
  for (int64_t done = 0; done < count && error->operation == NULL;) {
    const int part = piece(count - done);
    const int64_t skip = done * sizes[type];
    note(MPI_Accumulate(data + skip, part, types[type], rank, w->begin[rank] + (MPI_Aint)(offset + skip), part,
                        types[type], MPI_SUM, w->win),
         "MPI_Accumulate", rank, error);
    done += part;
  }
  note(MPI_Win_flush(rank, w->win), "MPI_Win_flush", rank, error);
}

static void set(void *at, int32_t rank, int64_t offset, int32_t value, pto_mpi_error *error) {
  const window *w = at;
  const MPI_Aint there = w->begin[rank] + (MPI_Aint)offset;
  note(MPI_Accumulate(&value, 1, MPI_INT32_T, rank, there, 1, MPI_INT32_T, MPI_REPLACE, w->win), "MPI_Accumulate", rank,
       error);
  note(MPI_Win_flush(rank, w->win), "MPI_Win_flush", rank, error);
}

static void progress(void *at) {
  const window *w = at;
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &there, MPI_STATUS_IGNORE);
  MPI_Win_sync(w->win);
}

extern const pto_mpi_plugin pto_mpi_plugin_table;
__attribute__((visibility("default")))
const pto_mpi_plugin pto_mpi_plugin_table = {PTO_MPI_PLUGIN_VERSION, join, open_window, put, get, sum, set, progress};
