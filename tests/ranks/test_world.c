/*
 * test_world.c: worlds, windows, and the instructions that communicate, through the C interface: on one thread, and
 * with a thread for each rank.
 */
#include <pthread.h>
#include <stdlib.h>

#include "expect.h"
#include "ranks_help.h"

static pto_context *g_ctx;

static int set_up(void **state) {
  (void)state;
  g_ctx = pto_context_create(PTO_PROFILE_CPU);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  pto_context_release(g_ctx);
  return pto_live_handles() == 0 ? 0 : -1;
}

/* Windows are zeroed, apart, and of one size; tensors and contexts outlive the handle of the world. */
static void test_windows(void **state) {
  (void)state;
  pto_world *world = pto_world_create(g_ctx, 3, 1024);
  assert_non_null(world);
  assert_int_equal(pto_world_ranks(world), 3);
  assert_int_equal(pto_world_window_bytes(world), 1024);
  assert_string_equal(pto_world_transport(world), "local");
  pto_context *second = pto_world_context(g_ctx, world, 1);
  assert_int_equal(pto_context_rank(second), 1);
  assert_int_equal(pto_context_rank(g_ctx), -1);
  assert_string_equal(pto_context_target(second), pto_context_target(g_ctx));
  pto_tensor *all[3];
  for (int32_t rank = 0; rank < 3; ++rank) {
    all[rank] = window(g_ctx, world, rank, PTO_DTYPE_I32, 16, 16, 0);
    for (int i = 0; i < 256; ++i) assert_int_equal(((int32_t *)pto_tensor_data(all[rank]))[i], 0);
  }
  pto_world_release(world);
  for (int32_t rank = 0; rank < 3; ++rank) memset(pto_tensor_data(all[rank]), rank + 1, 1024);
  for (int32_t rank = 0; rank < 3; ++rank) {
    assert_int_equal(*(int32_t *)pto_tensor_data(all[rank]), 0x01010101 * (rank + 1));
    pto_tensor_release(all[rank]);
  }
  pto_context_release(second);
}

/* An instruction of tiles reads and writes the window of another rank. */
static void test_remote_load_and_store(void **state) {
  (void)state;
  pto_world *world = pto_world_create(g_ctx, 2, 4096);
  pto_context *first = pto_world_context(g_ctx, world, 0);
  pto_tensor *remote = window(first, world, 1, PTO_DTYPE_F32, 4, 8, 256);
  pto_tile *tile = pto_tile_create(first, PTO_DTYPE_F32, 4, 8);
  float data[32];
  for (int i = 0; i < 32; ++i) data[i] = (float)i;
  ok(first, pto_tile_write(first, tile, data, sizeof data));
  ok(first, pto_tstore(first, remote, tile, 0));
  pto_tensor *own = window(g_ctx, world, 1, PTO_DTYPE_F32, 1, 32, 256);
  assert_memory_equal(pto_tensor_data(own), data, sizeof data);
  ok(first, pto_tadds(first, tile, tile, pto_float(1), 0));
  ok(first, pto_tload(first, tile, remote, 0));
  float back[32];
  ok(first, pto_tile_read(first, tile, back, sizeof back));
  assert_memory_equal(back, data, sizeof data);
  pto_tensor_release(own);
  pto_tile_release(tile);
  pto_tensor_release(remote);
  pto_context_release(first);
  pto_world_release(world);
}

/* Copies and additions of every element type, dense and with strides; against loops over elements. */
static void test_put_and_get(void **state) {
  (void)state;
  const pto_dtype types[] = {PTO_DTYPE_I8,  PTO_DTYPE_U8,  PTO_DTYPE_I16,  PTO_DTYPE_U16, PTO_DTYPE_I32,
                             PTO_DTYPE_U32, PTO_DTYPE_F16, PTO_DTYPE_BF16, PTO_DTYPE_F32};
  pto_world *world = pto_world_create(g_ctx, 2, 1 << 16);
  for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
    for (int strided = 0; strided < 2; ++strided) {
      const int32_t size = pto_dtype_bytes(types[t]);
      pto_tensor_desc desc = dense(types[t], 5, 7);
      desc.strided = strided;
      desc.stride0 = 20;
      desc.stride1 = 2;
      pto_tensor *src = pto_world_tensor(g_ctx, world, 0, &desc, 64);
      pto_tensor *dst = pto_world_tensor(g_ctx, world, 1, &desc, 128);
      assert_non_null(src);
      assert_non_null(dst);
      uint8_t from[140], before[140], after[140];
      for (int i = 0; i < 140; ++i) from[i] = (uint8_t)(i * 37 % 113), before[i] = (uint8_t)(i * 11 % 101);
      ok(g_ctx, pto_tensor_write(g_ctx, src, from, 35 * size));
      ok(g_ctx, pto_tensor_write(g_ctx, dst, before, 35 * size));
      ok(g_ctx, pto_comm_tput(g_ctx, dst, src, NULL, NULL, PTO_ATOMIC_NONE));
      ok(g_ctx, pto_tensor_read(g_ctx, dst, after, 35 * size));
      assert_memory_equal(after, from, (size_t)(35 * size));
      memset(from, 0, sizeof from);
      ok(g_ctx, pto_tensor_write(g_ctx, src, before, 35 * size));
      ok(g_ctx, pto_comm_tget(g_ctx, dst, src, NULL, NULL));
      ok(g_ctx, pto_tensor_read(g_ctx, dst, after, 35 * size));
      assert_memory_equal(after, before, (size_t)(35 * size));
      const int adds = types[t] != PTO_DTYPE_U8 && types[t] != PTO_DTYPE_U16 && types[t] != PTO_DTYPE_U32;
      if (!adds) {
        expect_error(g_ctx, pto_comm_tput(g_ctx, dst, src, NULL, NULL, PTO_ATOMIC_ADD), PTO_ERROR_DTYPE, "comm-dtype",
                     "dst", "added");
      } else {
        /* The same sum by TADD. */
        pto_tile *a = pto_tile_create(g_ctx, types[t], 5, 7);
        pto_tile *b = pto_tile_create(g_ctx, types[t], 5, 7);
        ok(g_ctx, pto_tload(g_ctx, a, dst, 0));
        ok(g_ctx, pto_tload(g_ctx, b, src, 0));
        ok(g_ctx, pto_tadd(g_ctx, a, a, b, 0));
        uint8_t want[140];
        ok(g_ctx, pto_tile_read(g_ctx, a, want, 35 * size));
        ok(g_ctx, pto_comm_tput(g_ctx, dst, src, NULL, NULL, PTO_ATOMIC_ADD));
        ok(g_ctx, pto_tensor_read(g_ctx, dst, after, 35 * size));
        assert_memory_equal(after, want, (size_t)(35 * size));
        pto_tile_release(b);
        pto_tile_release(a);
      }
      pto_tensor_release(dst);
      pto_tensor_release(src);
    }
  }
  pto_world_release(world);
}

/* Broadcast, scatter, gather and reduce on 1 to 7 ranks, from every root. */
static void test_collectives(void **state) {
  (void)state;
  for (int32_t ranks = 1; ranks <= 7; ++ranks) {
    pto_world *world = pto_world_create(g_ctx, ranks, 1 << 12);
    for (int32_t root = 0; root < ranks; ++root) {
      pto_context *ctx = pto_world_context(g_ctx, world, root);
      pto_group *group = pto_group_create(ctx, root);
      for (int32_t rank = 0; rank < ranks; ++rank) {
        pto_tensor *member = window(ctx, world, rank, PTO_DTYPE_F32, 2, 8, 64);
        ok(ctx, pto_group_add(ctx, group, member));
        pto_tensor_release(member);
      }
      assert_int_equal(pto_group_size(group), ranks);
      assert_int_equal(pto_group_root(group), root);
      const pto_tensor_desc one = dense(PTO_DTYPE_F32, 2, 8);
      const pto_tensor_desc all = dense(PTO_DTYPE_F32, 2 * ranks + 1, 8);
      pto_tensor *part = pto_tensor_create(ctx, &one);
      pto_tensor *whole = pto_tensor_create(ctx, &all);
      float *const elements = pto_tensor_data(whole);
      const int count = 16 * ranks + 8;
      for (int i = 0; i < count; ++i) elements[i] = 0.1F * (float)(i * i % 71) - 1;
      ok(ctx, pto_comm_tscatter(ctx, group, whole, NULL, NULL));
      /* The order is the root's part, then the others. */
      float want[16];
      for (int i = 0; i < 16; ++i) {
        want[i] = elements[16 * root + i];
        for (int32_t rank = 0; rank < ranks; ++rank) {
          if (rank != root) want[i] += elements[16 * rank + i];
        }
      }
      ok(ctx, pto_comm_treduce(ctx, part, group, NULL, NULL, NULL, PTO_REDUCE_SUM));
      assert_memory_equal(pto_tensor_data(part), want, sizeof want);
      ok(ctx, pto_comm_allreduce(ctx, group, NULL, NULL, NULL, PTO_REDUCE_SUM));
      for (int32_t rank = 0; rank < ranks; ++rank) {
        pto_tensor *member = window(ctx, world, rank, PTO_DTYPE_F32, 2, 8, 64);
        assert_memory_equal(pto_tensor_data(member), want, sizeof want);
        pto_tensor_release(member);
      }
      if (ranks > 1) {
        pto_context *other = pto_world_context(g_ctx, world, (root + 1) % ranks);
        expect_error(other, pto_comm_allreduce(other, group, NULL, NULL, NULL, PTO_REDUCE_SUM), PTO_ERROR_ARGUMENT,
                     "group-root", "group", "is the root");
        pto_context_release(other);
      }
      ok(ctx, pto_comm_tscatter(ctx, group, whole, NULL, NULL));
      ok(ctx, pto_comm_treduce(ctx, part, group, NULL, NULL, NULL, PTO_REDUCE_MAX));
      for (int i = 0; i < 16; ++i) {
        want[i] = elements[i];
        for (int32_t rank = 1; rank < ranks; ++rank) {
          if (elements[16 * rank + i] > want[i]) want[i] = elements[16 * rank + i];
        }
      }
      assert_memory_equal(pto_tensor_data(part), want, sizeof want);
      pto_tensor *copy = pto_tensor_create(ctx, &all);
      memset(pto_tensor_data(copy), 0x55, (size_t)count * 4);
      ok(ctx, pto_comm_tgather(ctx, copy, group, NULL, NULL));
      assert_memory_equal(pto_tensor_data(copy), elements, (size_t)(64 * ranks));
      assert_int_equal(((uint8_t *)pto_tensor_data(copy))[64 * ranks], 0x55); /* rows after the last member */
      ok(ctx, pto_comm_tbroadcast(ctx, group, part, NULL, NULL));
      for (int32_t rank = 0; rank < ranks; ++rank) {
        pto_tensor *member = window(ctx, world, rank, PTO_DTYPE_F32, 2, 8, 64);
        assert_memory_equal(pto_tensor_data(member), want, sizeof want);
        pto_tensor_release(member);
      }
      pto_tensor_release(copy);
      pto_tensor_release(whole);
      pto_tensor_release(part);
      pto_group_release(group);
      pto_context_release(ctx);
    }
    pto_world_release(world);
  }
}

/* Each rank reduces its segment, in any order of ranks: the bits are as in the root's fold, for every root, number of
 * ranks and length, also where there are fewer elements than ranks. */
static void test_segments(void **state) {
  (void)state;
  const struct {
    int32_t ranks;
    int64_t count;
    pto_dtype dtype;
  } k_cases[] = {{1, 5, PTO_DTYPE_F32},    {2, 7, PTO_DTYPE_F32},  {3, 4099, PTO_DTYPE_F32}, {5, 3, PTO_DTYPE_F32},
                 {7, 6000, PTO_DTYPE_F16}, {8, 9, PTO_DTYPE_BF16}, {64, 1000, PTO_DTYPE_I32}};
  for (size_t n = 0; n < sizeof k_cases / sizeof *k_cases; ++n) {
    const int32_t ranks = k_cases[n].ranks;
    const int64_t count = k_cases[n].count;
    const pto_dtype dtype = k_cases[n].dtype;
    const int64_t bytes = count * pto_dtype_bytes(dtype);
    const int64_t second = (bytes + 63) / 64 * 64;
    pto_world *world = pto_world_create(g_ctx, ranks, 2 * second);
    for (int32_t root = 0; root < ranks; root += 3) {
      /* Twice the same parts, one for each way. Finite numbers of any type have a clear second bit from the top. */
      pto_group *groups[2] = {pto_group_create(g_ctx, root), pto_group_create(g_ctx, root)};
      uint32_t seed = (uint32_t)(root + 1);
      for (int32_t rank = 0; rank < ranks; ++rank) {
        pto_tensor *parts[2];
        for (int i = 0; i < 2; ++i) {
          parts[i] = window(g_ctx, world, rank, dtype, 1, count, i * second);
          ok(g_ctx, pto_group_add(g_ctx, groups[i], parts[i]));
        }
        uint8_t *data = pto_tensor_data(parts[0]);
        for (int64_t i = 0; i < bytes; ++i) {
          seed = seed * 1103515245U + 12345U;
          data[i] = (uint8_t)((seed >> 16) & 0xBFU);
        }
        memcpy(pto_tensor_data(parts[1]), data, (size_t)bytes);
        for (int i = 0; i < 2; ++i) pto_tensor_release(parts[i]);
      }
      pto_context *ctx = pto_world_context(g_ctx, world, root);
      ok(ctx, pto_comm_allreduce(ctx, groups[0], NULL, NULL, NULL, PTO_REDUCE_SUM));
      pto_context_release(ctx);
      for (int32_t i = 0; i < ranks; ++i) {
        ctx = pto_world_context(g_ctx, world, (i * 11 + root) % ranks);
        ok(ctx, pto_comm_allreduce_segment(ctx, groups[1], NULL, NULL, NULL, PTO_REDUCE_SUM));
        pto_context_release(ctx);
      }
      for (int32_t rank = 0; rank < ranks; ++rank) {
        pto_tensor *both = window(g_ctx, world, rank, PTO_DTYPE_U8, 1, 2 * second, 0);
        const uint8_t *data = pto_tensor_data(both);
        assert_memory_equal(data, data + second, (size_t)bytes);
        pto_tensor_release(both);
      }
      pto_group_release(groups[0]);
      pto_group_release(groups[1]);
    }
    pto_world_release(world);
  }
}

static void test_signals(void **state) {
  (void)state;
  pto_world *world = pto_world_create(g_ctx, 2, 256);
  pto_context *ctx = pto_world_context(g_ctx, world, 0);
  pto_tensor *one = window(ctx, world, 0, PTO_DTYPE_I32, 1, 1, 0);
  pto_tensor *two = window(ctx, world, 0, PTO_DTYPE_I32, 1, 2, 0);
  ok(ctx, pto_comm_tnotify(ctx, one, 5, PTO_NOTIFY_SET));
  ok(ctx, pto_comm_tnotify(ctx, one, -2, PTO_NOTIFY_ATOMIC_ADD));
  const int holds[] = {1, 0, 0, 1, 0, 1}; /* 3 compared with 3, by pto_wait_cmp */
  const int less[] = {0, 1, 0, 0, 1, 1};  /* with 4 */
  const int more[] = {0, 1, 1, 1, 0, 0};  /* with 2 */
  for (int cmp = 0; cmp < 6; ++cmp) {
    assert_int_equal(pto_context_ttest(ctx, one, 3, (pto_wait_cmp)cmp), holds[cmp]);
    assert_int_equal(pto_context_ttest(ctx, one, 4, (pto_wait_cmp)cmp), less[cmp]);
    assert_int_equal(pto_context_ttest(ctx, one, 2, (pto_wait_cmp)cmp), more[cmp]);
  }
  /* All elements of a signal have to compare true. */
  assert_int_equal(pto_context_ttest(ctx, two, 1, PTO_WAIT_CMP_GE), 0);
  assert_int_equal(pto_context_ttest(ctx, two, 0, PTO_WAIT_CMP_GE), 1);
  ok(ctx, pto_comm_twait(ctx, two, 0, PTO_WAIT_CMP_GE));
  /* No rank notifies: the limit of time ends the wait, for rank 1 has had no context. */
  ok(ctx, pto_world_limit_wait(ctx, world, 20));
  expect_error(ctx, pto_comm_twait(ctx, one, 4, PTO_WAIT_CMP_EQ), PTO_ERROR_PROGRAM, "time-limit", "signal",
               "rank 0|== 4|is 3");
  pto_tensor_release(two);
  pto_tensor_release(one);
  pto_context_release(ctx);
  pto_world_release(world);
}

/* ---- a thread for each rank ---- */

enum { k_rounds = 200 };
typedef struct rank_thread {
  pthread_t id;
  pto_world *world;
  pto_context *ctx;
  int32_t rank;
  int64_t sum;
  pto_status status;
} rank_thread;

/* A token travels round, and each rank adds its number. */
static void *ring(void *data) {
  rank_thread *self = data;
  pto_context *ctx = self->ctx;
  const int32_t ranks = pto_world_ranks(self->world);
  const int32_t next = (self->rank + 1) % ranks;
  pto_tensor *mine = window(ctx, self->world, self->rank, PTO_DTYPE_I32, 1, 16, 0);
  pto_tensor *theirs = window(ctx, self->world, next, PTO_DTYPE_I32, 1, 16, 0);
  pto_tensor *signal = window(ctx, self->world, self->rank, PTO_DTYPE_I32, 1, 1, 128);
  pto_tensor *notify = window(ctx, self->world, next, PTO_DTYPE_I32, 1, 1, 128);
  pto_status status = PTO_OK;
  for (int32_t round = 0; round < k_rounds && status == PTO_OK; ++round) {
    const int first = self->rank == 0;
    if (!first || round > 0) status = pto_comm_twait(ctx, signal, round + (first ? 0 : 1), PTO_WAIT_CMP_GE);
    if (status != PTO_OK) break;
    ((int32_t *)pto_tensor_data(mine))[5] += self->rank + 1;
    status = pto_comm_tput(ctx, theirs, mine, NULL, NULL, PTO_ATOMIC_NONE);
    if (status == PTO_OK) status = pto_comm_tnotify(ctx, notify, 1, PTO_NOTIFY_ATOMIC_ADD);
  }
  if (status == PTO_OK && self->rank == 0) {
    status = pto_comm_twait(ctx, signal, k_rounds, PTO_WAIT_CMP_GE);
    self->sum = ((int32_t *)pto_tensor_data(mine))[5];
  }
  self->status = status;
  pto_tensor_release(mine);
  pto_tensor_release(theirs);
  pto_tensor_release(signal);
  pto_tensor_release(notify);
  return NULL;
}

/* Each rank waits for a signal that no rank sets. */
static void *lost(void *data) {
  rank_thread *self = data;
  pto_tensor *signal = window(self->ctx, self->world, self->rank, PTO_DTYPE_I32, 1, 1, 128);
  self->status = self->rank == 0 ? PTO_OK : pto_comm_twait(self->ctx, signal, 1, PTO_WAIT_CMP_EQ);
  pto_tensor_release(signal);
  if (self->rank == 0) {
    pto_context_release(self->ctx);
    self->ctx = NULL;
  }
  return NULL;
}

static void run_threads(int32_t ranks, void *(*work)(void *), rank_thread *threads) {
  pto_world *world = pto_world_create(g_ctx, ranks, 256);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    threads[rank] = (rank_thread){.world = world, .ctx = pto_world_context(g_ctx, world, rank), .rank = rank};
  }
  for (int32_t rank = 0; rank < ranks; ++rank) {
    assert_int_equal(pthread_create(&threads[rank].id, NULL, work, &threads[rank]), 0);
  }
  for (int32_t rank = 0; rank < ranks; ++rank) pthread_join(threads[rank].id, NULL);
  pto_world_release(world);
}

static void test_ring_of_threads(void **state) {
  (void)state;
  static rank_thread threads[k_most_ranks];
  for (int32_t ranks = 2; ranks <= 16; ranks *= 8) {
    run_threads(ranks, ring, threads);
    for (int32_t rank = 0; rank < ranks; ++rank) {
      if (threads[rank].status != PTO_OK) fail_msg("%s", pto_context_error_message(threads[rank].ctx));
      pto_context_release(threads[rank].ctx);
    }
    assert_int_equal(threads[0].sum, k_rounds * (ranks * (ranks + 1) / 2));
  }
}

static void test_deadlock_of_threads(void **state) {
  (void)state;
  static rank_thread threads[k_most_ranks];
  run_threads(3, lost, threads);
  assert_int_equal(threads[0].status, PTO_OK);
  for (int32_t rank = 1; rank < 3; ++rank) {
    expect_error(threads[rank].ctx, threads[rank].status, PTO_ERROR_PROGRAM, "deadlock", "signal", "== 1|is 0");
    pto_context_release(threads[rank].ctx);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_windows, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_remote_load_and_store, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_put_and_get, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_collectives, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_segments, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_signals, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_ring_of_threads, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_deadlock_of_threads, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("worlds", tests, NULL, NULL);
}
