/*
 * A plug-in for one library of MPI: src/objects/mpi_plugin.h specifies it. Memory that a window lacks is an error on
 * every rank. An operation on a window that MPI refuses ends the job, as is the default of MPI: the network is lost.
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

static window *first_window; /* of all that are open, the newest first */

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
  int of = 0;
  int all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &of);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  *rank = of;
  *ranks = all;
  return 1;
}

static MPI_Aint up(int64_t bytes, int64_t unit) { return (MPI_Aint)((bytes + unit - 1) / unit * unit); }

static unsigned char *aligned(void *memory) {
  unsigned char *first = memory;
  return first + (k_line - (uintptr_t)first % k_line) % k_line;
}

/* Whether something is true on every rank. */
static int on_all(int mine) {
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all;
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
  MPI_Errhandler before;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  unsigned char *memory = NULL;
  made->win = MPI_WIN_NULL;
  const int error = one_machine ? MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &made->win)
                                : MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &made->win);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);
  /* To free a window takes all ranks: where some have none, the others stay. */
  return on_all(error == MPI_SUCCESS) ? memory : NULL;
}

static void *open_window(int64_t bytes, int64_t table_bytes, int shared, void **data, void **table) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm near;
  int here = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near);
  MPI_Comm_size(near, &here);
  MPI_Comm_free(&near);
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
  if (first_window == NULL) {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_windows, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
  }
  made->next = first_window;
  first_window = made;
  memset(memory, 0, (size_t)size);
  MPI_Aint first = aligned(memory) - memory;
  MPI_Allgather(&first, 1, MPI_AINT, begin, 1, MPI_AINT, MPI_COMM_WORLD);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, made->win);
  data[rank] = memory + first;
  for (int of = 0; one_machine && of < ranks; ++of) {
    MPI_Aint part = 0;
    int unit = 0;
    void *at = NULL;
    MPI_Win_shared_query(made->win, of, &part, &unit, (void *)&at);
    data[of] = (unsigned char *)at + begin[of];
    if (of == 0) *table = (unsigned char *)at + begin[0] + own - k_page + k_line;
  }
  MPI_Win_sync(made->win);
  MPI_Barrier(MPI_COMM_WORLD);
  return made;
}

/* A count of MPI is an int. */
static int piece(int64_t left) { return left > INT_MAX ? INT_MAX / k_page * k_page : (int)left; }

/*
 * A rank that only polls keeps processors from those that it waits for, where there are more ranks than processors. So
 * after some polls it sleeps between them.
 */
static void await(int count, MPI_Request *requests) {
  const struct timespec nap = {0, 20000};
  int polls = 0;
  for (int i = 0; i < count;) {
    int done = 0;
    MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    if (done) {
      ++i;
    } else if (++polls > k_polls) {
      nanosleep(&nap, NULL);
    }
  }
}

/* Two functions of MPI for each direction: without a request it is faster. */
static void begin(const window *w, int32_t rank, int64_t offset, unsigned char *data, int bytes, int puts,
                  MPI_Request *request) {
  const MPI_Aint there = w->begin[rank] + (MPI_Aint)offset;
  if (request != NULL && puts) {
    MPI_Rput(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win, request);
  } else if (request != NULL) {
    MPI_Rget(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win, request);
  } else if (puts) {
    MPI_Put(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win);
  } else {
    MPI_Get(data, bytes, MPI_BYTE, rank, there, bytes, MPI_BYTE, w->win);
  }
}

/*
 * One part waits for its flush. Several have requests: MPI_Win_flush_all of MPICH 4.0 over UCX has returned before data
 * of a put was read.
 */
static void copy(const window *w, const pto_mpi_part *parts, int32_t count, int puts) {
  MPI_Request requests[k_requests];
  int open = 0;
  for (int32_t i = 0; i < count; ++i) {
    for (int64_t done = 0; done < parts[i].bytes;) {
      const int bytes = piece(parts[i].bytes - done);
      if (open == k_requests) {
        await(open, requests);
        open = 0;
      }
      begin(w, parts[i].rank, parts[i].offset + done, (unsigned char *)parts[i].data + done, bytes, puts,
            count == 1 ? NULL : &requests[open++]);
      done += bytes;
    }
  }
  await(open, requests);
  for (int32_t i = 0; (puts || count == 1) && i < count; ++i) MPI_Win_flush(parts[i].rank, w->win);
}

static void put(void *at, const pto_mpi_part *parts, int32_t count) { copy(at, parts, count, 1); }
static void get(void *at, const pto_mpi_part *parts, int32_t count) { copy(at, parts, count, 0); }

static void sum(void *at, int32_t rank, int64_t offset, const void *from, int64_t count, pto_mpi_sum type) {
  const window *w = at;
  const MPI_Datatype types[] = {MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_FLOAT};
  const int sizes[] = {1, 2, 4, 4};
  const unsigned char *data = from;
  for (int64_t done = 0; done < count;) {
    const int part = piece(count - done);
    const int64_t skip = done * sizes[type];
    MPI_Accumulate(data + skip, part, types[type], rank, w->begin[rank] + (MPI_Aint)(offset + skip), part, types[type],
                   MPI_SUM, w->win);
    done += part;
  }
  MPI_Win_flush(rank, w->win);
}

static void set(void *at, int32_t rank, int64_t offset, int32_t value) {
  const window *w = at;
  MPI_Accumulate(&value, 1, MPI_INT32_T, rank, w->begin[rank] + (MPI_Aint)offset, 1, MPI_INT32_T, MPI_REPLACE, w->win);
  MPI_Win_flush(rank, w->win);
}

static void progress(void *at) {
  const window *w = at;
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  MPI_Win_sync(w->win);
}

extern const pto_mpi_plugin pto_mpi_plugin_table;
__attribute__((visibility("default")))
const pto_mpi_plugin pto_mpi_plugin_table = {PTO_MPI_PLUGIN_VERSION, join, open_window, put, get, sum, set, progress};
