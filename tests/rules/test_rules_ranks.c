/*
 * test_rules_ranks.c: the rules of worlds and of communication between ranks, each broken through the C interface.
 * tests/ranks/test_ranks.c breaks them by programs.
 */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "rules_tests.h"

/* A copy that does not begin. */
#define EXPECT_NO_EVENT(ctx, call, status, rule, operand, said)             \
  do {                                                                      \
    assert_true((call) == 0);                                               \
    expect_error(ctx, pto_context_error(ctx), status, rule, operand, said); \
  } while (0)

typedef struct world_of_two {
  pto_world *world;
  pto_context *ctx[2];
  pto_tensor *part[2]; /* 4x8 of f32 in the window of each rank */
} world_of_two;

static pto_tensor *part_of(world_of_two *w, int32_t rank, pto_dtype dtype, int64_t rows, int64_t cols) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = dtype;
  desc.rank = 2;
  desc.dim0 = rows;
  desc.dim1 = cols;
  pto_tensor *tensor = pto_world_tensor(CPU, w->world, rank, &desc, 0);
  assert_non_null(tensor);
  return tensor;
}

static world_of_two begin(void) {
  world_of_two w;
  w.world = pto_world_create(CPU, 2, 4096);
  assert_non_null(w.world);
  for (int32_t rank = 0; rank < 2; ++rank) {
    w.ctx[rank] = pto_world_context(CPU, w.world, rank);
    w.part[rank] = part_of(&w, rank, PTO_DTYPE_F32, 4, 8);
  }
  return w;
}

static void end(world_of_two *w) {
  for (int32_t rank = 0; rank < 2; ++rank) {
    pto_tensor_release(w->part[rank]);
    pto_context_release(w->ctx[rank]);
  }
  pto_world_release(w->world);
}

static void test_rule_ranks(void **state) {
  (void)state;
  const int32_t bad[] = {0, -1, 65, 1000000, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    EXPECT_NO_HANDLE(CPU, pto_world_create(CPU, bad[i], 64), PTO_ERROR_ARGUMENT, "ranks", "ranks", "ranks is");
  }
}

static void test_rule_window_bytes(void **state) {
  (void)state;
  EXPECT_NO_HANDLE(CPU, pto_world_create(CPU, 1, -1), PTO_ERROR_ARGUMENT, "window-bytes", "window_bytes", "-1");
  EXPECT_NO_HANDLE(CPU, pto_world_create(CPU, 2, (int64_t)1 << 40), PTO_ERROR_ARGUMENT, "window-bytes", "window_bytes",
                   "2 ranks");
  pto_world *empty = pto_world_create(CPU, 1, 0);
  assert_non_null(empty);
  pto_world_release(empty);
}

static void test_rule_rank(void **state) {
  (void)state;
  world_of_two w = begin();
  EXPECT_NO_HANDLE(CPU, pto_world_context(CPU, w.world, 2), PTO_ERROR_ARGUMENT, "rank", "rank", "2 in a world of 2");
  EXPECT_NO_HANDLE(CPU, pto_world_context(CPU, w.world, -1), PTO_ERROR_ARGUMENT, "rank", "rank", "-1");
  end(&w);
}

static void test_rule_world_offset(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_I32;
  desc.rank = 1;
  desc.dim0 = 1;
  EXPECT_NO_HANDLE(CPU, pto_world_tensor(CPU, w.world, 1, &desc, -4), PTO_ERROR_ARGUMENT, "world-offset", "offset",
                   "-4");
  EXPECT_NO_HANDLE(CPU, pto_world_tensor(CPU, w.world, 1, &desc, 4100), PTO_ERROR_ARGUMENT, "world-offset", "offset",
                   "4096");
  EXPECT_NO_HANDLE(CPU, pto_world_tensor(CPU, w.world, 1, &desc, 4096), PTO_ERROR_ADDRESS, "tensor-range", "desc",
                   "4 bytes");
  EXPECT_NO_HANDLE(CPU, pto_world_tensor(CPU, w.world, 1, &desc, 2), PTO_ERROR_ADDRESS, "data-alignment", "data",
                   "i32");
  end(&w);
}

static void test_rule_comm_dtype(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_tensor *other = part_of(&w, 1, PTO_DTYPE_I32, 4, 8);
  expect_error(w.ctx[0], pto_comm_tput(w.ctx[0], other, w.part[0], NULL, NULL, PTO_ATOMIC_NONE), PTO_ERROR_DTYPE,
               "comm-dtype", "dst", "i32|f32");
  pto_tile *ping = keep(pto_tile_create(w.ctx[0], PTO_DTYPE_F16, 4, 8));
  expect_error(w.ctx[0], pto_comm_tget(w.ctx[0], w.part[0], w.part[1], ping, NULL), PTO_ERROR_DTYPE, "comm-dtype",
               "ping", "f16");
  pto_tensor_release(other);
  end(&w);
}

static void test_rule_comm_shape(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_tensor *other = part_of(&w, 1, PTO_DTYPE_F32, 8, 4);
  expect_error(w.ctx[0], pto_comm_tput(w.ctx[0], other, w.part[0], NULL, NULL, PTO_ATOMIC_NONE), PTO_ERROR_SHAPE,
               "comm-shape", "dst", "8x4|4x8");
  pto_tensor_release(other);
  end(&w);
}

static void test_rule_staging(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_tile *ping = keep(pto_tile_create(w.ctx[0], PTO_DTYPE_F32, 4, 8));
  pto_tile *pong = keep(pto_tile_create(w.ctx[0], PTO_DTYPE_F32, 2, 8));
  expect_error(w.ctx[0], pto_comm_tget(w.ctx[0], w.part[0], w.part[1], ping, pong), PTO_ERROR_SHAPE, "staging", "pong",
               "4x8|2x8");
  expect_error(w.ctx[0], pto_comm_tget(w.ctx[0], w.part[0], w.part[1], ping, ping), PTO_ERROR_SHAPE, "staging", "pong",
               "share");
  pto_tile *mat = tile_at(PTO_LOCATION_MAT, PTO_DTYPE_F32);
  expect_error(w.ctx[0], pto_comm_tget(w.ctx[0], w.part[0], w.part[1], mat, NULL), PTO_ERROR_SHAPE, "staging", "ping",
               "mat");
  end(&w);
}

static void test_rule_signal(void **state) {
  (void)state;
  world_of_two w = begin();
  expect_error(w.ctx[0], pto_comm_tnotify(w.ctx[0], w.part[1], 1, PTO_NOTIFY_SET), PTO_ERROR_DTYPE, "signal", "signal",
               "f32");
  pto_tensor *many = part_of(&w, 0, PTO_DTYPE_I32, 2, 2);
  expect_error(w.ctx[0], pto_comm_tnotify(w.ctx[0], many, 1, PTO_NOTIFY_SET), PTO_ERROR_DTYPE, "signal", "signal", "4");
  pto_tensor *none = part_of(&w, 0, PTO_DTYPE_I32, 0, 2);
  expect_error(w.ctx[0], pto_comm_twait(w.ctx[0], none, 1, PTO_WAIT_CMP_EQ), PTO_ERROR_DTYPE, "signal", "signal", "0");
  pto_tensor_release(none);
  pto_tensor_release(many);
  end(&w);
}

static void test_rule_signal_own(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_tensor *theirs = part_of(&w, 1, PTO_DTYPE_I32, 1, 1);
  expect_error(w.ctx[0], pto_comm_twait(w.ctx[0], theirs, 0, PTO_WAIT_CMP_EQ), PTO_ERROR_ARGUMENT, "signal-own",
               "signal", "rank 0|rank 1");
  assert_int_equal(pto_context_ttest(w.ctx[0], theirs, 0, PTO_WAIT_CMP_EQ), -1);
  assert_int_equal(pto_context_ttest(w.ctx[1], theirs, 0, PTO_WAIT_CMP_EQ), 1);
  pto_tensor_release(theirs);
  end(&w);
}

static void test_rule_group(void **state) {
  (void)state;
  world_of_two w = begin();
  EXPECT_NO_HANDLE(CPU, pto_group_create(CPU, -1), PTO_ERROR_SHAPE, "group", "root", "-1");
  EXPECT_NO_HANDLE(CPU, pto_group_create(CPU, 64), PTO_ERROR_SHAPE, "group", "root", "64");
  pto_group *group = pto_group_create(CPU, 1);
  pto_tensor *other = part_of(&w, 1, PTO_DTYPE_F32, 8, 4);
  assert_int_equal(pto_group_add(CPU, group, w.part[0]), PTO_OK);
  expect_error(CPU, pto_group_add(CPU, group, other), PTO_ERROR_SHAPE, "group", "tensor", "member 1|8x4|4x8");
  expect_error(CPU, pto_comm_tbroadcast(CPU, group, w.part[0], NULL, NULL), PTO_ERROR_SHAPE, "group", "group",
               "member 1 of 1");
  for (int i = 1; i < 64; ++i) assert_int_equal(pto_group_add(CPU, group, w.part[0]), PTO_OK);
  expect_error(CPU, pto_group_add(CPU, group, w.part[0]), PTO_ERROR_SHAPE, "group", "group", "64");
  pto_tensor_release(other);
  pto_group_release(group);
  end(&w);
}

static void test_rule_group_root(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_group *group = pto_group_create(CPU, 1);
  for (int i = 0; i < 2; ++i) assert_int_equal(pto_group_add(CPU, group, w.part[i]), PTO_OK);
  expect_error(w.ctx[0], pto_comm_tbroadcast(w.ctx[0], group, w.part[0], NULL, NULL), PTO_ERROR_ARGUMENT, "group-root",
               "group", "rank 0|rank 1");
  assert_int_equal(pto_comm_tbroadcast(w.ctx[1], group, w.part[0], NULL, NULL), PTO_OK);
  pto_group_release(group);
  end(&w);
}

static void test_rule_group_rows(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_group *group = pto_group_create(CPU, 0);
  for (int i = 0; i < 2; ++i) assert_int_equal(pto_group_add(CPU, group, w.part[i]), PTO_OK);
  pto_tensor *few = part_of(&w, 0, PTO_DTYPE_F32, 7, 8);
  expect_error(w.ctx[0], pto_comm_tgather(w.ctx[0], few, group, NULL, NULL), PTO_ERROR_SHAPE, "group-rows", "dst",
               "7x8|8 rows");
  expect_error(w.ctx[0], pto_comm_tscatter(w.ctx[0], group, few, NULL, NULL), PTO_ERROR_SHAPE, "group-rows", "src",
               "7x8|8 rows");
  pto_tensor_release(few);
  pto_group_release(group);
  end(&w);
}

static void test_rule_group_member(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_group *group = pto_group_create(CPU, 0);
  assert_int_equal(pto_group_add(CPU, group, w.part[0]), PTO_OK);
  expect_error(w.ctx[1], pto_comm_allreduce_segment(w.ctx[1], group, NULL, NULL, NULL, PTO_REDUCE_SUM),
               PTO_ERROR_ARGUMENT, "group-member", "group", "rank 1|1 members");
  assert_int_equal(pto_comm_allreduce_segment(CPU, group, NULL, NULL, NULL, PTO_REDUCE_SUM), PTO_OK);
  assert_int_equal(pto_comm_allreduce_segment(w.ctx[0], group, NULL, NULL, NULL, PTO_REDUCE_SUM), PTO_OK);
  pto_group_release(group);
  end(&w);
}

/* 4x4 of every other element. */
static pto_tensor *with_gaps(world_of_two *w, int32_t rank) {
  pto_tensor_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 2;
  desc.dim0 = desc.dim1 = 4;
  desc.strided = 1;
  desc.stride0 = 8;
  desc.stride1 = 2;
  pto_tensor *tensor = pto_world_tensor(CPU, w->world, rank, &desc, 0);
  assert_non_null(tensor);
  return tensor;
}

static void test_rule_comm_flat(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_tensor *gaps[2] = {with_gaps(&w, 0), with_gaps(&w, 1)};
  EXPECT_NO_EVENT(w.ctx[0], pto_context_tput_async(w.ctx[0], gaps[1], w.part[0], 0), PTO_ERROR_SHAPE, "comm-flat",
                  "dst", "4x4|gaps");
  EXPECT_NO_EVENT(w.ctx[0], pto_context_tget_async(w.ctx[0], w.part[0], gaps[1], 0), PTO_ERROR_SHAPE, "comm-flat",
                  "src", "4x4|gaps");
  pto_group *group = pto_group_create(CPU, 0);
  for (int i = 0; i < 2; ++i) assert_int_equal(pto_group_add(CPU, group, gaps[i]), PTO_OK);
  expect_error(w.ctx[0], pto_comm_allreduce_segment(w.ctx[0], group, NULL, NULL, NULL, PTO_REDUCE_SUM), PTO_ERROR_SHAPE,
               "comm-flat", "group", "4x4|gaps");
  pto_group_release(group);
  for (int i = 0; i < 2; ++i) pto_tensor_release(gaps[i]);
  end(&w);
}

static void test_rule_async_event(void **state) {
  (void)state;
  world_of_two w = begin();
  pto_context *ctx = w.ctx[0];
  EXPECT_NO_EVENT(ctx, pto_context_tput_async(ctx, w.part[1], w.part[0], 8), PTO_ERROR_ARGUMENT, "async-event",
                  "session", "8");
  expect_error(ctx, pto_comm_wait_async_event(ctx, 1, 0), PTO_ERROR_ARGUMENT, "async-event", "event", "session 0|1");
  assert_true(pto_context_tput_async(ctx, w.part[1], w.part[0], 7) == 1);
  assert_true(pto_context_tget_async(ctx, w.part[0], w.part[1], 7) == 2);
  assert_int_equal(pto_context_test_async_event(ctx, 2, 7), 1);
  assert_int_equal(pto_comm_wait_async_event(ctx, 1, 7), PTO_OK);
  const int64_t bad[] = {INT64_MIN, -1, 0, 3, INT64_MAX};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_int_equal(pto_context_test_async_event(ctx, bad[i], 7), -1);
    expect_error(ctx, pto_comm_wait_async_event(ctx, bad[i], 7), PTO_ERROR_ARGUMENT, "async-event", "event",
                 "session 7");
  }
  assert_int_equal(pto_context_test_async_event(ctx, 1, -1), -1);
  end(&w);
}

static void test_rule_transport(void **state) {
  (void)state;
  setenv("PTO_TRANSPORT", "pigeon", 1);
  EXPECT_NO_HANDLE(CPU, pto_world_create(CPU, 2, 64), PTO_ERROR_ARGUMENT, "transport", "PTO_TRANSPORT", "'pigeon'");
  unsetenv("PTO_TRANSPORT");
}

const struct CMUnitTest k_rank_rules[] = {
    RULE_TEST(test_rule_ranks),        RULE_TEST(test_rule_window_bytes), RULE_TEST(test_rule_rank),
    RULE_TEST(test_rule_world_offset), RULE_TEST(test_rule_comm_dtype),   RULE_TEST(test_rule_comm_shape),
    RULE_TEST(test_rule_staging),      RULE_TEST(test_rule_signal),       RULE_TEST(test_rule_signal_own),
    RULE_TEST(test_rule_group),        RULE_TEST(test_rule_group_root),   RULE_TEST(test_rule_group_rows),
    RULE_TEST(test_rule_group_member), RULE_TEST(test_rule_comm_flat),    RULE_TEST(test_rule_async_event),
    RULE_TEST(test_rule_transport),
};
const int k_rank_rule_count = (int)(sizeof k_rank_rules / sizeof *k_rank_rules);
