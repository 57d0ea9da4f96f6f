/*
 * ranks_mpi.c: what ranks over MPI cost, as ratios to calls of the same library of MPI measured in turn with them.
 * ./dev bench ranks mpi runs it with mpirun on four ranks; rank 0 measures, and the others make progress.
 */
#include <mpi.h>
#include <pto_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_rounds = 15, k_mib = 1 << 20 };

static pto_context *g_ctx;
static pto_world *g_world;
static int g_rank;

static void must(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "ranks-mpi: %s: %s\n", what, pto_context_error_message(g_ctx));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static pto_tensor *floats(int32_t rank, int64_t count, int64_t offset, pto_dtype dtype) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 1;
  desc.dim0 = count;
  pto_tensor *tensor = pto_world_tensor(g_ctx, g_world, rank, &desc, offset);
  must(tensor != NULL, "a tensor");
  return tensor;
}

/* The measurements. */
static pto_tensor *g_from, *g_to, *g_signal;
static pto_group *g_group;
static MPI_Win g_win;
static float *g_data, *g_sum;
static int64_t g_count;

static void our_put(void) { must(pto_comm_tput(g_ctx, g_to, g_from, NULL, NULL, PTO_ATOMIC_NONE) == PTO_OK, "tput"); }
static void raw_put(void) {
  MPI_Put(g_data, (int)g_count, MPI_FLOAT, 1, 0, (int)g_count, MPI_FLOAT, g_win);
  MPI_Win_flush(1, g_win);
}
static void our_notify(void) { must(pto_comm_tnotify(g_ctx, g_signal, 1, PTO_NOTIFY_ATOMIC_ADD) == PTO_OK, "tnotify"); }
static void raw_notify(void) {
  const int32_t one = 1;
  MPI_Accumulate(&one, 1, MPI_INT32_T, 1, 0, 1, MPI_INT32_T, MPI_SUM, g_win);
  MPI_Win_flush(1, g_win);
}
static void our_sum(void) {
  if (g_rank == 0) {
    must(pto_comm_allreduce(g_ctx, g_group, NULL, NULL, NULL, PTO_REDUCE_SUM) == PTO_OK, "allreduce");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
/* The ranks meet before and after it. */
static void our_segments(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  must(pto_comm_allreduce_segment(g_ctx, g_group, NULL, NULL, NULL, PTO_REDUCE_SUM) == PTO_OK, "allreduce_segment");
  MPI_Barrier(MPI_COMM_WORLD);
}
static void raw_sum(void) {
  MPI_Allreduce(g_data, g_sum, (int)g_count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Medians of rounds in turn. `all`: every rank takes part; otherwise they wait for rank 0. */
static void race(const char *name, void (*ours)(void), void (*raw)(void), int times, int all, const char *wanted) {
  double us[2][k_rounds];
  void (*const calls[2])(void) = {ours, raw};
  for (int round = 0; round < k_rounds; ++round) {
    for (int which = 0; which < 2; ++which) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      for (int i = 0; (all || g_rank == 0) && i < times; ++i) calls[which]();
      us[which][round] = (MPI_Wtime() - begin) * 1e6 / times;
    }
  }
  if (g_rank != 0) return;
  for (int which = 0; which < 2; ++which) qsort(us[which], k_rounds, sizeof us[which][0], ascending);
  const double a = us[0][k_rounds / 2], b = us[1][k_rounds / 2];
  printf("%-44s %10.2f us   MPI %10.2f us   ratio %5.2f   wanted: %s\n", name, a, b, a / b, wanted);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pto_context *maker = pto_context_create(PTO_PROFILE_CPU);
  g_ctx = maker;
  g_world = pto_world_create(maker, ranks, 2 * k_mib + 64);
  must(g_world != NULL && ranks > 1, "a world");
  g_ctx = pto_world_context(maker, g_world, -1);
  must(g_ctx != NULL, "a context");
  const int far = getenv("PTO_MPI_SHARED") != NULL && strcmp(getenv("PTO_MPI_SHARED"), "0") == 0;
  MPI_Win_allocate(k_mib, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &g_data, &g_win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, g_win);
  g_sum = malloc(k_mib);
  must(g_sum != NULL, "memory");
  memset(g_data, 0, k_mib);
  memset(g_sum, 0, k_mib);
  g_signal = floats(1, 1, 2 * k_mib, PTO_DTYPE_I32);
  const int pair = far && ranks == 2;
  if (pair) race("TNOTIFY", our_notify, raw_notify, 2000, 0, "<= 1.1");
  for (int64_t bytes = 65536; pair && bytes <= k_mib; bytes *= 16) {
    g_count = bytes / 4;
    g_from = floats(g_rank, g_count, 0, PTO_DTYPE_F32);
    g_to = floats(1, g_count, k_mib, PTO_DTYPE_F32);
    race(bytes == 65536 ? "TPUT of 64 KiB" : "TPUT of 1 MiB", our_put, raw_put, bytes == 65536 ? 200 : 20, 0, "<= 1.1");
    pto_tensor_release(g_from);
    pto_tensor_release(g_to);
  }
  g_count = k_mib / 4;
  g_group = pto_group_create(g_ctx, 0);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    pto_tensor *member = floats(rank, g_count, 0, PTO_DTYPE_F32);
    must(pto_group_add(g_ctx, g_group, member) == PTO_OK, "a group");
    pto_tensor_release(member);
  }
  if (!pair) {
    race("allreduce of 1 MiB f32 by the root", our_sum, raw_sum, 5, 1, "<= 1.2");
    race("allreduce of 1 MiB f32 by segments", our_segments, raw_sum, 5, 1, "<= 1.2");
  }
  pto_group_release(g_group);
  pto_tensor_release(g_signal);
  pto_context_release(g_ctx);
  pto_world_release(g_world);
  pto_context_release(maker);
  free(g_sum);
  MPI_Win_unlock_all(g_win);
  MPI_Win_free(&g_win);
  MPI_Finalize();
  return 0;
}
