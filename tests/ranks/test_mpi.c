/*
 * test_mpi.c: ranks that mpirun started, four of them: data, sums, signals, collectives, and a signal that none sets.
 * With an argument the windows of other ranks are far: MPI moves all there is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto_c.h"

enum { k_ranks = 4, k_rounds = 50, k_count = 16 };

static pto_context *g_ctx;
static pto_world *g_world;
static int32_t g_self = -1;

#define CHECK(holds) check((holds), #holds, __LINE__)
static void check(int holds, const char *what, int line) {
  if (holds) return;
  fprintf(stderr, "rank %d, line %d: %s; %s\n", (int)g_self, line, what, pto_context_error_message(g_ctx));
  exit(1);
}

static pto_tensor *window(int32_t rank, pto_dtype dtype, int64_t rows, int64_t cols, int64_t offset) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = rows;
  desc.dim1 = cols;
  pto_tensor *tensor = pto_world_tensor(g_ctx, g_world, rank, &desc, offset);
  CHECK(tensor != NULL);
  return tensor;
}

/* Bytes of each window: where the parts of the test have their memory. */
enum {
  k_meet = 0,
  k_token = 64,
  k_signal = 128,
  k_sums = 192,
  k_ints = 256,
  k_rows = 320,
  k_all = 1024,
  k_bytes = 4096
};

/* All ranks wait for each other, for the n-th time. */
static void meet(int32_t n) {
  for (int32_t i = 1; i <= k_ranks; ++i) {
    const int32_t rank = (g_self + i) % k_ranks;
    pto_tensor *signal = window(rank, PTO_DTYPE_I32, 1, 1, k_meet);
    CHECK((rank == g_self ? pto_comm_twait(g_ctx, signal, n * (k_ranks - 1), PTO_WAIT_CMP_GE)
                          : pto_comm_tnotify(g_ctx, signal, 1, PTO_NOTIFY_ATOMIC_ADD)) == PTO_OK);
    pto_tensor_release(signal);
  }
}

/* A token travels round, and each rank adds its number. */
static void test_ring(void) {
  const int32_t next = (g_self + 1) % k_ranks;
  pto_tensor *mine = window(g_self, PTO_DTYPE_I32, 1, 1, k_token);
  pto_tensor *theirs = window(next, PTO_DTYPE_I32, 1, 1, k_token);
  pto_tensor *signal = window(g_self, PTO_DTYPE_I32, 1, 1, k_signal);
  pto_tensor *notify = window(next, PTO_DTYPE_I32, 1, 1, k_signal);
  for (int32_t round = 0; round < k_rounds; ++round) {
    CHECK(pto_comm_twait(g_ctx, signal, round + (g_self == 0 ? 0 : 1), PTO_WAIT_CMP_GE) == PTO_OK);
    *(int32_t *)pto_tensor_data(mine) += g_self + 1;
    CHECK(pto_comm_tput(g_ctx, theirs, mine, NULL, NULL, PTO_ATOMIC_NONE) == PTO_OK);
    CHECK(pto_comm_tnotify(g_ctx, notify, round + 1, PTO_NOTIFY_SET) == PTO_OK);
  }
  if (g_self == 0) {
    CHECK(pto_comm_twait(g_ctx, signal, k_rounds, PTO_WAIT_CMP_GE) == PTO_OK);
    CHECK(*(int32_t *)pto_tensor_data(mine) == k_rounds * (1 + 2 + 3 + 4));
  }
  pto_tensor_release(mine);
  pto_tensor_release(theirs);
  pto_tensor_release(signal);
  pto_tensor_release(notify);
}

/* All ranks add to rank 2; sums of small integers are exact in any order. */
static void test_sums(void) {
  float parts[k_count];
  int32_t ints[k_count];
  for (int i = 0; i < k_count; ++i) {
    parts[i] = (float)(i * (g_self + 1));
    ints[i] = i - g_self;
  }
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 2;
  desc.dim0 = 1;
  desc.dim1 = k_count;
  pto_tensor *part = pto_tensor_wrap(g_ctx, &desc, parts, sizeof parts);
  desc.dtype = PTO_DTYPE_I32;
  pto_tensor *number = pto_tensor_wrap(g_ctx, &desc, ints, sizeof ints);
  pto_tensor *sums = window(2, PTO_DTYPE_F32, 1, k_count, k_sums);
  pto_tensor *totals = window(2, PTO_DTYPE_I32, 1, k_count, k_ints);
  CHECK(pto_comm_tput(g_ctx, sums, part, NULL, NULL, PTO_ATOMIC_ADD) == PTO_OK);
  CHECK(pto_comm_tput(g_ctx, totals, number, NULL, NULL, PTO_ATOMIC_ADD) == PTO_OK);
  meet(1);
  CHECK(pto_comm_tget(g_ctx, part, sums, NULL, NULL) == PTO_OK);
  CHECK(pto_comm_tget(g_ctx, number, totals, NULL, NULL) == PTO_OK);
  for (int i = 0; i < k_count; ++i) CHECK(parts[i] == (float)(10 * i) && ints[i] == 4 * i - 6);
  pto_tensor_release(part);
  pto_tensor_release(number);
  pto_tensor_release(sums);
  pto_tensor_release(totals);
}

/* The root folds and gathers what all have. */
static void test_collectives(void) {
  pto_tensor *own = window(g_self, PTO_DTYPE_F32, 1, k_count, k_rows);
  float *data = pto_tensor_data(own);
  for (int i = 0; i < k_count; ++i) data[i] = 1.0F / (float)(3 + i + 7 * g_self);
  meet(2);
  if (g_self == 1) {
    pto_group *group = pto_group_create(g_ctx, 1);
    CHECK(group != NULL);
    float want[k_count];
    for (int i = 0; i < k_count; ++i) {
      want[i] = data[i];
      for (int r = 0; r < k_ranks; ++r) {
        if (r != 1) want[i] += 1.0F / (float)(3 + i + 7 * r);
      }
    }
    for (int32_t rank = 0; rank < k_ranks; ++rank) {
      pto_tensor *member = window(rank, PTO_DTYPE_F32, 1, k_count, k_rows);
      CHECK(pto_group_add(g_ctx, group, member) == PTO_OK);
      pto_tensor_release(member);
    }
    pto_tensor *all = window(1, PTO_DTYPE_F32, k_ranks, k_count, k_all);
    CHECK(pto_comm_tgather(g_ctx, all, group, NULL, NULL) == PTO_OK);
    const float *rows = pto_tensor_data(all);
    for (int i = 0; i < k_ranks * k_count; ++i) {
      CHECK(rows[i] == 1.0F / (float)(3 + i % k_count + 7 * (i / k_count)));
    }
    CHECK(pto_comm_allreduce(g_ctx, group, NULL, NULL, NULL, PTO_REDUCE_SUM) == PTO_OK);
    CHECK(memcmp(data, want, sizeof want) == 0);
    pto_tensor_release(all);
    pto_group_release(group);
  }
  meet(3);
  pto_tensor *of_root = window(1, PTO_DTYPE_F32, 1, k_count, k_rows);
  float copy[k_count];
  memcpy(copy, data, sizeof copy);
  CHECK(pto_comm_tget(g_ctx, own, of_root, NULL, NULL) == PTO_OK);
  CHECK(memcmp(data, copy, sizeof copy) == 0);
  pto_tensor_release(own);
  pto_tensor_release(of_root);
}

/* A group of one row of each rank's window. */
static pto_group *group_of(int32_t root, int64_t count, int64_t at) {
  pto_group *group = pto_group_create(g_ctx, root);
  CHECK(group != NULL);
  for (int32_t rank = 0; rank < k_ranks; ++rank) {
    pto_tensor *member = window(rank, PTO_DTYPE_F32, 1, count, at);
    CHECK(pto_group_add(g_ctx, group, member) == PTO_OK);
    pto_tensor_release(member);
  }
  return group;
}

/* Each rank folds its segment: the bits of the root's fold, on all ranks. 14 elements are segments of 4, 4, 3 and 3. */
static void test_segments(void) {
  enum { k_odd = k_count - 2, k_root = 2 };
  pto_tensor *own = window(g_self, PTO_DTYPE_F32, 1, k_odd, k_rows);
  float *data = pto_tensor_data(own);
  meet(4); /* no rank reads what was there */
  for (int i = 0; i < k_odd; ++i) data[i] = 1.0F / (float)(5 + i + 11 * g_self);
  pto_group *group = group_of(k_root, k_odd, k_rows);
  meet(5);
  CHECK(pto_comm_allreduce_segment(g_ctx, group, NULL, NULL, NULL, PTO_REDUCE_SUM) == PTO_OK);
  meet(6);
  for (int i = 0; i < k_odd; ++i) {
    float sum = 1.0F / (float)(5 + i + 11 * k_root);
    for (int r = 0; r < k_ranks; ++r) {
      if (r != k_root) sum += 1.0F / (float)(5 + i + 11 * r);
    }
    CHECK(data[i] == sum);
  }
  pto_group_release(group);
  pto_tensor_release(own);
}

/* Of 3x5 elements in the window of a rank: rows of 12 elements, and each other element of a row. */
enum { k_gap_rows = 3, k_gap_cols = 5, k_pitch = 12, k_apart = 2, k_gap_span = 2 * k_pitch + 4 * k_apart + 1 };
static pto_tensor *with_gaps(int32_t rank, int64_t offset) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 2;
  desc.dim0 = k_gap_rows;
  desc.dim1 = k_gap_cols;
  desc.strided = 1;
  desc.stride0 = k_pitch;
  desc.stride1 = k_apart;
  pto_tensor *tensor = pto_world_tensor(g_ctx, g_world, rank, &desc, offset);
  CHECK(tensor != NULL);
  return tensor;
}
static int in_gap(int i) { return i % k_pitch % k_apart != 0 || i % k_pitch / k_apart >= k_gap_cols; }

/* Elements that are not next to each other, from and to other ranks: what is between them stays. */
enum { k_gaps = 2304, k_gaps_to = 2560, k_gaps_sum = 2816, k_gap_dense = 3072 };
static void test_gaps(void) {
  const int32_t next = (g_self + 1) % k_ranks;
  const int32_t before = (g_self + k_ranks - 1) % k_ranks;
  pto_tensor *own = with_gaps(g_self, k_gaps);
  pto_tensor *to = with_gaps(next, k_gaps_to);
  pto_tensor *box = with_gaps(g_self, k_gaps_to);
  pto_tensor *sums = with_gaps(0, k_gaps_sum);
  pto_tensor *my_sums = with_gaps(g_self, k_gaps_sum);
  pto_tensor *dense = window(g_self, PTO_DTYPE_F32, k_gap_rows, k_gap_cols, k_gap_dense);
  float *mine = pto_tensor_data(own);
  float *boxed = pto_tensor_data(box);
  float *summed = pto_tensor_data(my_sums);
  float *packed = pto_tensor_data(dense);
  for (int i = 0; i < k_gap_span; ++i) {
    mine[i] = (float)(100 * g_self + i);
    boxed[i] = -1;
    summed[i] = in_gap(i) ? -2.0F : 0.0F;
  }
  meet(8);
  CHECK(pto_comm_tput(g_ctx, to, own, NULL, NULL, PTO_ATOMIC_NONE) == PTO_OK);
  CHECK(pto_comm_tput(g_ctx, sums, own, NULL, NULL, PTO_ATOMIC_ADD) == PTO_OK);
  meet(9);
  for (int i = 0; i < k_gap_span; ++i) {
    CHECK(boxed[i] == (in_gap(i) ? -1.0F : (float)(100 * before + i)));
    CHECK(g_self != 0 || summed[i] == (in_gap(i) ? -2.0F : (float)(600 + 4 * i)));
  }
  /* From elements with gaps to elements without. */
  pto_tensor *theirs = with_gaps(next, k_gaps);
  CHECK(pto_comm_tget(g_ctx, dense, theirs, NULL, NULL) == PTO_OK);
  for (int i = 0; i < k_gap_rows * k_gap_cols; ++i) {
    CHECK(packed[i] == (float)(100 * next + i / k_gap_cols * k_pitch + i % k_gap_cols * k_apart));
  }
  meet(10);
  /* Collectives whose members have gaps. */
  if (g_self == 2) {
    pto_group *group = pto_group_create(g_ctx, 2);
    pto_group *boxes = pto_group_create(g_ctx, 2);
    CHECK(group != NULL && boxes != NULL);
    for (int32_t rank = 0; rank < k_ranks; ++rank) {
      pto_tensor *members[] = {with_gaps(rank, k_gaps), with_gaps(rank, k_gaps_to)};
      CHECK(pto_group_add(g_ctx, group, members[0]) == PTO_OK && pto_group_add(g_ctx, boxes, members[1]) == PTO_OK);
      pto_tensor_release(members[0]);
      pto_tensor_release(members[1]);
    }
    pto_tensor *all = window(g_self, PTO_DTYPE_F32, k_ranks * k_gap_rows, k_gap_cols, k_gap_dense);
    CHECK(pto_comm_tgather(g_ctx, all, group, NULL, NULL) == PTO_OK);
    for (int i = 0; i < k_ranks * k_gap_rows * k_gap_cols; ++i) {
      const int row = i / k_gap_cols % k_gap_rows;
      CHECK(packed[i] == (float)(100 * (i / (k_gap_rows * k_gap_cols)) + row * k_pitch + i % k_gap_cols * k_apart));
      packed[i] += 7;
    }
    CHECK(pto_comm_tscatter(g_ctx, boxes, all, NULL, NULL) == PTO_OK);
    CHECK(pto_comm_allreduce(g_ctx, group, NULL, NULL, NULL, PTO_REDUCE_SUM) == PTO_OK);
    pto_tensor_release(all);
    pto_group_release(group);
    pto_group_release(boxes);
  }
  meet(11);
  for (int i = 0; i < k_gap_span; ++i) {
    CHECK(boxed[i] == (in_gap(i) ? -1.0F : (float)(100 * g_self + i + 7)));
    CHECK(mine[i] == (in_gap(i) ? (float)(100 * g_self + i) : (float)(600 + 4 * i)));
  }
  pto_tensor *all[] = {own, to, box, sums, my_sums, dense, theirs};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) pto_tensor_release(all[i]);
}

/* Members of far windows are folded piece by piece, of at most 4 Mi elements for all copies: these have two pieces. */
static void test_pieces(pto_context *maker) {
  enum { k_large = (4 << 20) / (k_ranks + 1) + 3 };
  pto_world *small = g_world;
  pto_context *ctx = g_ctx;
  g_world = pto_world_create(maker, k_ranks, (int64_t)k_large * 4 + 64);
  CHECK(g_world != NULL);
  g_ctx = pto_world_context(maker, g_world, -1);
  CHECK(g_ctx != NULL);
  pto_tensor *own = window(g_self, PTO_DTYPE_F32, 1, k_large, 64);
  float *data = pto_tensor_data(own);
  for (int i = 0; i < k_large; ++i) data[i] = (float)(i % 1000 * (g_self + 1));
  meet(1);
  if (g_self == 1) {
    pto_group *group = group_of(1, k_large, 64);
    CHECK(pto_comm_allreduce(g_ctx, group, NULL, NULL, NULL, PTO_REDUCE_SUM) == PTO_OK);
    pto_group_release(group);
  }
  meet(2);
  for (int i = 0; i < k_large; ++i) CHECK(data[i] == (float)(i % 1000 * 10));
  pto_tensor_release(own);
  pto_context_release(g_ctx);
  pto_world_release(g_world);
  g_world = small;
  g_ctx = ctx;
}

/* More memory than there is: an error on every rank, after which all go on. */
static void test_no_memory(pto_context *maker) {
  CHECK(pto_world_create(maker, k_ranks, (int64_t)1 << 38) == NULL);
  CHECK(strcmp(pto_context_error_rule(maker), "memory") == 0);
  CHECK(strstr(pto_context_error_message(maker), "no memory for 4 windows of 274877906944 bytes") != NULL);
}

/* To the next rank. */
static void test_async(void) {
  pto_tensor *from = window(g_self, PTO_DTYPE_F32, 1, k_count, k_all);
  pto_tensor *to = window((g_self + 1) % k_ranks, PTO_DTYPE_F32, 1, k_count, k_all + 512);
  pto_tensor *box = window(g_self, PTO_DTYPE_F32, 1, k_count, k_all + 512);
  for (int i = 0; i < k_count; ++i) ((float *)pto_tensor_data(from))[i] = (float)(g_self + i);
  const int64_t event = pto_context_tput_async(g_ctx, to, from, 3);
  CHECK(event == 1 && pto_comm_wait_async_event(g_ctx, event, 3) == PTO_OK);
  CHECK(pto_context_test_async_event(g_ctx, event, 3) == 1);
  meet(7);
  for (int i = 0; i < k_count; ++i) {
    CHECK(((float *)pto_tensor_data(box))[i] == (float)((g_self + k_ranks - 1) % k_ranks + i));
  }
  pto_tensor_release(from);
  pto_tensor_release(to);
  pto_tensor_release(box);
}

/* A signal that no rank sets: seen at once where memory is shared, else by the time limit. */
static void test_lost(int far) {
  pto_tensor *signal = window(g_self, PTO_DTYPE_I32, 1, 1, 2048);
  if (far) CHECK(pto_world_limit_wait(g_ctx, g_world, 300) == PTO_OK);
  const pto_status status = pto_comm_twait(g_ctx, signal, 1, PTO_WAIT_CMP_EQ);
  CHECK(status != PTO_OK && strcmp(pto_context_error_rule(g_ctx), far ? "time-limit" : "deadlock") == 0);
  pto_tensor_release(signal);
}

/*
 * The plug-in calls these instead of MPI's own, as a profiler's: while g_breaks is set, operations are for a rank that
 * does not exist, so that MPI reports an error. Handles are integers in MPICH and pointers in OpenMPI; both pass.
 */
static int g_breaks;

static void *real(const char *name) {
  void *const found = dlsym(RTLD_DEFAULT, name);
  CHECK(found != NULL);
  return found;
}
static int to(int rank) { return g_breaks ? 1000 : rank; }

typedef int moves(const void *, int, void *, int, long, int, void *, void *);
typedef int moves_later(const void *, int, void *, int, long, int, void *, void *, void *);
moves MPI_Put, MPI_Get;
moves_later MPI_Rput, MPI_Rget, MPI_Accumulate;
#define MOVES(name)                                                                                          \
  int MPI_##name(const void *data, int count, void *type, int rank, long at, int there, void *of, void *w) { \
    moves *call = NULL;                                                                                      \
    void *const found = real("PMPI_" #name);                                                                 \
    memcpy(&call, &found, sizeof call);                                                                      \
    return call(data, count, type, to(rank), at, there, of, w);                                              \
  }
/* `x` and `y` are a window and a request, or an operation and a window. */
#define MOVES_LATER(name)                                                                                             \
  int MPI_##name(const void *data, int count, void *type, int rank, long at, int there, void *of, void *x, void *y) { \
    moves_later *call = NULL;                                                                                         \
    void *const found = real("PMPI_" #name);                                                                          \
    memcpy(&call, &found, sizeof call);                                                                               \
    return call(data, count, type, to(rank), at, there, of, x, y);                                                    \
  }
MOVES(Put)
MOVES(Get)
MOVES_LATER(Rput)
MOVES_LATER(Rget)
MOVES_LATER(Accumulate)

static void fails(pto_status status, const char *operation) {
  CHECK(status == PTO_ERROR_PROGRAM && strcmp(pto_context_error_rule(g_ctx), "transport-failed") == 0);
  CHECK(strstr(pto_context_error_message(g_ctx), operation) != NULL);
  CHECK(strstr(pto_context_error_message(g_ctx), "for the window of rank") != NULL);
  CHECK(strlen(pto_context_error_remedy(g_ctx)) > 10);
}

/* Errors of MPI are errors of the calls, after which all go on. */
static void test_failing(void) {
  const int32_t next = (g_self + 1) % k_ranks;
  pto_tensor *own = window(g_self, PTO_DTYPE_F32, 1, k_count, k_rows);
  pto_tensor *theirs = window(next, PTO_DTYPE_F32, 1, k_count, k_all);
  pto_tensor *signal = window(next, PTO_DTYPE_I32, 1, 1, k_signal);
  pto_group *group = group_of(g_self, k_count, k_rows);
  for (int i = 0; i < k_count; ++i) ((float *)pto_tensor_data(own))[i] = (float)(g_self * 100 + i);
  g_breaks = 1;
  fails(pto_comm_tput(g_ctx, theirs, own, NULL, NULL, PTO_ATOMIC_NONE), "MPI_Put");
  fails(pto_comm_tput(g_ctx, theirs, own, NULL, NULL, PTO_ATOMIC_ADD), "MPI_Accumulate");
  fails(pto_comm_tget(g_ctx, own, theirs, NULL, NULL), "MPI_Get");
  fails(pto_comm_tnotify(g_ctx, signal, 7, PTO_NOTIFY_SET), "MPI_Accumulate");
  fails(pto_comm_tnotify(g_ctx, signal, 7, PTO_NOTIFY_ATOMIC_ADD), "MPI_Accumulate");
  fails(pto_comm_tbroadcast(g_ctx, group, own, NULL, NULL), "MPI_Put");
  fails(pto_comm_allreduce(g_ctx, group, NULL, NULL, NULL, PTO_REDUCE_SUM), "MPI_Get");
  g_breaks = 0;
  meet(12);
  CHECK(pto_comm_tput(g_ctx, theirs, own, NULL, NULL, PTO_ATOMIC_NONE) == PTO_OK);
  meet(13);
  pto_tensor *box = window(g_self, PTO_DTYPE_F32, 1, k_count, k_all);
  for (int i = 0; i < k_count; ++i) {
    CHECK(((float *)pto_tensor_data(box))[i] == (float)((g_self + k_ranks - 1) % k_ranks * 100 + i));
  }
  pto_tensor *all[] = {own, theirs, signal, box};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) pto_tensor_release(all[i]);
  pto_group_release(group);
}

/* Only instructions between ranks reach a far window. */
static void test_far_window(void) {
  pto_tensor *theirs = window((g_self + 1) % k_ranks, PTO_DTYPE_F32, 1, k_count, k_rows);
  float data[k_count];
  CHECK(pto_tensor_read(g_ctx, theirs, data, sizeof data) != PTO_OK);
  CHECK(strcmp(pto_context_error_rule(g_ctx), "far-window") == 0);
  CHECK(pto_tensor_write(g_ctx, theirs, data, sizeof data) != PTO_OK);
  pto_tile *tile = pto_tile_create(g_ctx, PTO_DTYPE_F32, 1, k_count);
  CHECK(tile != NULL);
  CHECK(pto_tload(g_ctx, tile, theirs, 0) != PTO_OK);
  CHECK(strcmp(pto_context_error_rule(g_ctx), "far-window") == 0);
  CHECK(pto_tstore(g_ctx, theirs, tile, 0) != PTO_OK);
  pto_tile_release(tile);
  pto_tensor_release(theirs);
}

int main(int argc, char **argv) {
  (void)argv;
  const int far = argc > 1;
  pto_context *maker = pto_context_create(PTO_PROFILE_CPU);
  g_ctx = maker;
  /* Every process asks in the same order: to open a window takes all. */
  CHECK(pto_world_create(maker, k_ranks + 1, 64) == NULL);
  CHECK(strcmp(pto_context_error_rule(maker), "transport") == 0);
  test_no_memory(maker);
  g_world = pto_world_create(maker, k_ranks, k_bytes);
  CHECK(g_world != NULL);
  CHECK(strcmp(pto_world_transport(g_world), "mpi") == 0);
  g_ctx = pto_world_context(maker, g_world, -1);
  CHECK(g_ctx != NULL);
  g_self = pto_context_rank(g_ctx);
  CHECK(pto_world_context(maker, g_world, (g_self + 1) % k_ranks) == NULL);
  test_ring();
  test_sums();
  test_collectives();
  test_segments();
  test_async();
  test_gaps();
  test_pieces(maker);
  if (far) test_far_window();
  if (far) test_failing();
  test_lost(far);
  pto_world_release(g_world);
  pto_context_release(g_ctx);
  pto_context_release(maker);
  return pto_live_handles() == 0 ? 0 : 1;
}
