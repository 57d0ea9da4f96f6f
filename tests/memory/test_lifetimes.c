/*
 * test_lifetimes.c: handles released in every order, references counted, tiles
 * that outlive contexts and share on-chip memory, and tiles read by many threads.
 */
#include <pthread.h>
#include <string.h>

#include "layouts.h"
#include "profiles.h"
#include "pto_c.h"
#include "testing.h"

static pto_tile *filled(pto_context *ctx, float value) {
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
  float data[256];
  for (int i = 0; i < 256; ++i) data[i] = value;
  assert_int_equal(pto_tile_write(ctx, tile, data, sizeof data), PTO_OK);
  return tile;
}

static float first(pto_tile *tile) {
  float value = 0;
  memcpy(&value, pto_tile_data(tile), sizeof value);
  return value;
}

enum { k_handles = 6 };

/* Releases the handles in the order of the digits of `order`; what is left still works. */
static void release_in_order(const int *order) {
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *tile = filled(ctx, 3);
  pto_tile *view = pto_tile_view(ctx, tile, 0, 0, 4, 4);
  pto_tile_desc desc = layout_desc(&k_layouts[0], PTO_DTYPE_F32, 16, 16);
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile *manual = pto_tile_create_from(ctx, &desc);
  assert_int_equal(pto_tassign(ctx, manual, 1024), PTO_OK);
  pto_tensor_desc t;
  memset(&t, 0, sizeof t);
  t.struct_size = (uint32_t)sizeof t;
  t.dtype = PTO_DTYPE_F32;
  t.rank = 2;
  t.dim0 = 16;
  t.dim1 = 16;
  pto_tensor *tensor = pto_tensor_create(ctx, &t);
  pto_inst *inst = pto_inst_create(ctx, "tload");
  assert_int_equal(pto_inst_set_tile(ctx, inst, 0, tile), PTO_OK);
  assert_int_equal(pto_inst_set_tensor(ctx, inst, 1, tensor), PTO_OK);
  assert_int_equal(pto_live_handles(), k_handles);
  pto_context *other = pto_context_create(PTO_PROFILE_CPU);
  for (int i = 0; i < k_handles; ++i) {
    switch (order[i]) {
      case 0:
        pto_context_release(ctx);
        break;
      case 1:
        pto_tile_release(tile);
        break;
      case 2:
        pto_tile_release(view);
        view = NULL;
        break;
      case 3:
        pto_tile_release(manual);
        manual = NULL;
        break;
      case 4:
        pto_tensor_release(tensor);
        break;
      default:
        pto_inst_release(inst);
        inst = NULL;
        break;
    }
    if (view != NULL) assert_true(first(view) == 3);
    if (manual != NULL) assert_int_equal(pto_trsqrt(other, manual, manual, NULL, 0), PTO_OK);
    if (inst != NULL) assert_int_equal(pto_inst_check(other, inst), PTO_OK);
  }
  pto_context_release(other);
  assert_int_equal(pto_live_handles(), 0);
}

static void permute(int *order, int n) {
  if (n == k_handles) {
    release_in_order(order);
    return;
  }
  for (int i = n; i < k_handles; ++i) {
    const int swap = order[n];
    order[n] = order[i];
    order[i] = swap;
    permute(order, n + 1);
    order[i] = order[n];
    order[n] = swap;
  }
}

static void test_release_in_any_order(void **state) {
  (void)state;
  int order[k_handles];
  for (int i = 0; i < k_handles; ++i) order[i] = i;
  permute(order, 0);
}

static void test_references_are_counted(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *tile = filled(ctx, 2);
  pto_inst *inst = pto_inst_create(ctx, "trsqrt");
  assert_ptr_equal(pto_context_retain(ctx), ctx);
  assert_ptr_equal(pto_tile_retain(tile), tile);
  assert_ptr_equal(pto_inst_retain(inst), inst);
  assert_int_equal(pto_live_handles(), 3); /* handles, not references */
  pto_context_release(ctx);
  pto_tile_release(tile);
  pto_inst_release(inst);
  assert_int_equal(pto_live_handles(), 3);
  /* The instruction counts each of its operands, and releases what it had. */
  assert_int_equal(pto_inst_set_tile(ctx, inst, 0, tile), PTO_OK);
  assert_int_equal(pto_inst_set_tile(ctx, inst, 1, tile), PTO_OK);
  assert_int_equal(pto_inst_set_tile(ctx, inst, 1, tile), PTO_OK);
  pto_tile_release(tile);
  assert_int_equal(pto_live_handles(), 3);
  assert_int_equal(pto_inst_set_tile(ctx, inst, 0, NULL), PTO_OK);
  assert_int_equal(pto_live_handles(), 3);
  assert_int_equal(pto_inst_set_tile(ctx, inst, 1, NULL), PTO_OK);
  assert_int_equal(pto_live_handles(), 2);
  pto_inst_release(inst);
  pto_context_release(ctx);
  assert_int_equal(pto_live_handles(), 0);
}

static pto_tile *manual_at(pto_context *ctx, pto_location location, int64_t address) {
  pto_tile_desc desc = layout_desc(&k_layouts[0], PTO_DTYPE_F32, 16, 16);
  desc.storage = PTO_STORAGE_MANUAL;
  desc.location = location;
  pto_tile *tile = pto_tile_create_from(ctx, &desc);
  assert_int_equal(pto_tassign(ctx, tile, address), PTO_OK);
  return tile;
}

static void test_on_chip_memory_is_shared(void **state) {
  (void)state;
  for (int p = 0; p < k_profiles; ++p) {
    pto_context *ctx = pto_context_create((pto_profile)p);
    pto_tile *a = manual_at(ctx, PTO_LOCATION_VEC, 512);
    pto_tile *same = manual_at(ctx, PTO_LOCATION_VEC, 512);
    pto_tile *overlap = manual_at(ctx, PTO_LOCATION_VEC, 512 + 32);
    pto_tile *other = manual_at(ctx, PTO_LOCATION_MAT, 512);
    float data[256];
    assert_int_equal(pto_tile_read(ctx, a, data, sizeof data), PTO_OK);
    for (int i = 0; i < 256; ++i) assert_true(data[i] == 0);
    for (int i = 0; i < 256; ++i) data[i] = (float)i;
    assert_int_equal(pto_tile_write(ctx, a, data, sizeof data), PTO_OK);
    assert_ptr_equal(pto_tile_data(a), pto_tile_data(same));
    assert_true(first(overlap) == 8);
    assert_true(first(other) == 0);
    /* A sum over overlapping tiles is as if both had been read first. */
    assert_int_equal(pto_tpartadd(ctx, a, same, overlap, 0), PTO_OK);
    float sums[256];
    assert_int_equal(pto_tile_read(ctx, same, sums, sizeof sums), PTO_OK);
    for (int i = 0; i < 248; ++i) assert_true(sums[i] == (float)(2 * i + 8));
    /* A new address: the old memory is left, the new one is there. */
    assert_int_equal(pto_tassign(ctx, same, 4096), PTO_OK);
    assert_true(first(same) == 0);
    /* The memory lives as long as a tile that is in it. */
    pto_context_release(ctx);
    pto_tile_release(a);
    assert_true(first(overlap) == sums[8]);
    pto_tile_release(overlap);
    pto_tile_release(other);
    pto_tile_release(same);
    assert_int_equal(pto_live_handles(), 0);
  }
}

static void test_tassign_leaves_other_storage(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  static float memory[256];
  memory[0] = 7;
  const pto_tile_desc desc = layout_desc(&k_layouts[0], PTO_DTYPE_F32, 16, 16);
  pto_tile *wrapped = pto_tile_wrap(ctx, &desc, memory, sizeof memory);
  pto_tile *owned = filled(ctx, 5);
  pto_tile *view = pto_tile_view(ctx, owned, 0, 0, 16, 16);
  assert_int_equal(pto_tassign(ctx, wrapped, 0), PTO_OK);
  assert_int_equal(pto_tassign(ctx, owned, 0), PTO_OK);
  assert_ptr_equal(pto_tile_data(wrapped), pto_tile_data(owned));
  assert_true(first(view) == 5);
  assert_true(memory[0] == 7);
  pto_tile_release(owned);
  pto_tile_release(wrapped);
  pto_tile_release(view);
  pto_context_release(ctx);
  assert_int_equal(pto_live_handles(), 0);
}

enum { k_threads = 4, k_rounds = 200 };
static pto_tile *g_base;
static pto_tile *g_exp;

static void *raise_often(void *unused) {
  (void)unused;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *dst = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
  int bad = 0;
  for (int i = 0; i < k_rounds; ++i) {
    pto_tile *base = pto_tile_retain(g_base);
    bad |= pto_tpow(ctx, dst, base, g_exp, NULL, 0) != PTO_OK;
    bad |= pto_tcolexpandmul(ctx, dst, dst, g_exp, 0) != PTO_OK;
    float value = 0;
    memcpy(&value, pto_tile_data(dst), sizeof value);
    bad |= value != 8 * 3;
    pto_tile_release(base);
  }
  pto_tile_release(dst);
  pto_context_release(ctx);
  return bad ? (void *)&g_base : NULL;
}

/* One thread a context; sources are read by all. */
static void test_tiles_are_read_by_many(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  g_base = filled(ctx, 2);
  g_exp = filled(ctx, 3);
  pthread_t threads[k_threads];
  for (int i = 0; i < k_threads; ++i) assert_int_equal(pthread_create(&threads[i], NULL, raise_often, NULL), 0);
  for (int i = 0; i < k_threads; ++i) {
    void *bad = NULL;
    assert_int_equal(pthread_join(threads[i], &bad), 0);
    assert_null(bad);
  }
  pto_tile_release(g_base);
  pto_tile_release(g_exp);
  pto_context_release(ctx);
  assert_int_equal(pto_live_handles(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_release_in_any_order),     cmocka_unit_test(test_references_are_counted),
      cmocka_unit_test(test_on_chip_memory_is_shared), cmocka_unit_test(test_tassign_leaves_other_storage),
      cmocka_unit_test(test_tiles_are_read_by_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
