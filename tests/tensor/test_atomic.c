/* TSTORE with AtomicType: every element type and layout against the reference, places that elements share, what is
 * refused, and additions of many threads at once; none is lost. */
#include <pthread.h>

#include "reference.h"
#include "tensor_help.h"
#include "values.h"

enum { kRows = 19, kCols = 37, kPlaces = 64, kThreads = 8, kRounds = 501, kAddRows = 16 };

static uint64_t bits_at(const void *data, int64_t index, int64_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const uint8_t *)data + index * size, (size_t)size);
  return bits;
}

/* Into a dense matrix, one of gaps, one of columns, one whose rows share their places, and one of a single place. */
static void adds_elements_of_every_type(void **state) {
  (void)state;
  static const int64_t strides[][2] = {{kCols, 1}, {kCols + 5, 1}, {1, kRows}, {0, 1}, {0, 0}, {2, 3}};
  pto_context *ctx = context(PTO_PROFILE_CPU);
  for (int t = PTO_DTYPE_I8; t <= PTO_DTYPE_F32; ++t) {
    for (int which = 0; which < 6; ++which) {
      for (size_t s = 0; s < sizeof strides / sizeof strides[0]; ++s) {
        const pto_dtype dtype = (pto_dtype)t;
        const int64_t size = pto_dtype_bytes(dtype);
        pto_tensor_desc desc = matrix_desc(dtype, kRows, kCols);
        desc.strided = 1;
        desc.stride0 = strides[s][0];
        desc.stride1 = strides[s][1];
        const int64_t span = (kRows - 1) * desc.stride0 + (kCols - 1) * desc.stride1 + 1;
        uint8_t *memory = malloc((size_t)(span * size)), *want = malloc((size_t)(span * size));
        uint8_t packed[kRows * kCols * 8];
        fill(memory, (size_t)(span * size), (uint32_t)(t + which));
        fill(packed, sizeof packed, (uint32_t)(s + 99));
        memcpy(want, memory, (size_t)(span * size));
        for (int i = 0; i < kRows * kCols; ++i) {
          const int64_t at = i / kCols * desc.stride0 + i % kCols * desc.stride1;
          const uint64_t sum = ref_apply(REF_ADD, dtype, bits_at(want, at, size), bits_at(packed, i, size));
          memcpy(want + at * size, &sum, (size_t)size);
        }
        pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, span * size);
        pto_tile_desc shape = tile_desc(dtype, kRows + 4, kCols + 3);
        shape.blayout = (pto_blayout)(which & 1);
        shape.slayout = (pto_slayout)(which / 2);
        shape.valid_rows = kRows;
        shape.valid_cols = kCols;
        pto_tile *tile = make_tile(ctx, &shape);
        assert_ok(ctx, pto_tile_write(ctx, tile, packed, kRows * kCols * size));
        assert_ok(ctx, pto_tstore_atomic(ctx, tensor, tile, PTO_ATOMIC_ADD, 0));
        assert_memory_equal(memory, want, (size_t)(span * size));
        /* Not added: as TSTORE. */
        int64_t places[kRows * kCols];
        for (int i = 0; i < kRows * kCols; ++i) places[i] = i / kCols * desc.stride0 + i % kCols * desc.stride1;
        const int refused = overlaps(ctx, pto_tstore_atomic(ctx, tensor, tile, PTO_ATOMIC_NONE, 0), "tstore_atomic",
                                     (elements){places, kRows, kCols});
        assert_int_equal(refused, s > 2);
        for (int i = 0; i < kRows * kCols && !refused; ++i) {
          memcpy(want + places[i] * size, packed + i * size, (size_t)size);
        }
        assert_memory_equal(memory, want, (size_t)(span * size));
        pto_tile_release(tile);
        pto_tensor_release(tensor);
        free(memory);
        free(want);
      }
    }
  }
  pto_context_release(ctx);
}

/* The tile's own memory as the tensor: it is read first. */
static void adds_to_its_own_memory(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  float memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const pto_tile_desc desc = tile_desc(PTO_DTYPE_F32, 1, 4);
  const pto_tensor_desc row = matrix_desc(PTO_DTYPE_F32, 1, 4);
  pto_tile *tile = pto_tile_wrap(ctx, &desc, memory, sizeof memory);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &row, memory + 1, sizeof memory - sizeof *memory);
  assert_ok(ctx, pto_tstore_atomic(ctx, tensor, tile, PTO_ATOMIC_ADD, 0));
  const float want[8] = {1, 3, 5, 7, 9, 6, 7, 8};
  assert_memory_equal(memory, want, sizeof want);
  pto_tensor_release(tensor);
  pto_tile_release(tile);
  pto_context_release(ctx);
}

static void refused(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_A2A3);
  float memory[64] = {0};
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 8, 8);
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
  desc.dtype = PTO_DTYPE_U32;
  pto_tensor *of_u32 = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
  pto_tile *tile = pto_tile_create(ctx, PTO_DTYPE_F32, 8, 8);
  pto_tile *of_i32 = pto_tile_create(ctx, PTO_DTYPE_I32, 8, 8);
  const float ones[64] = {1, 1, 1};
  assert_ok(ctx, pto_tile_write(ctx, tile, ones, sizeof ones));
  assert_int_equal(pto_tstore_atomic(ctx, tensor, tile, (pto_atomic)2, 0), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "mode", "atomic");
  assert_int_equal(pto_tstore_atomic(ctx, of_u32, tile, PTO_ATOMIC_ADD, 0), PTO_ERROR_DTYPE);
  assert_rule(ctx, PTO_ERROR_DTYPE, "dtype", "dst");
  assert_int_equal(pto_tstore_atomic(ctx, tensor, of_i32, PTO_ATOMIC_ADD, 0), PTO_ERROR_DTYPE);
  assert_rule(ctx, PTO_ERROR_DTYPE, "same-dtype", "src");
  for (int i = 0; i < 64; ++i) assert_true(memory[i] == 0);
  assert_ok(ctx, pto_tstore_atomic(ctx, tensor, tile, PTO_ATOMIC_ADD, 0));
  assert_memory_equal(memory, ones, sizeof ones);
  pto_tile_release(tile);
  pto_tile_release(of_i32);
  pto_tensor_release(tensor);
  pto_tensor_release(of_u32);
  pto_context_release(ctx);
}

struct adder {
  pthread_t thread;
  pto_dtype dtype;
  int dense;
  void *memory;
};

/* 1 is added to every place and taken from it again and again: sums stay so small that all types hold them. */
static void *add_ones(void *argument) {
  const struct adder *a = argument;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  const int64_t size = pto_dtype_bytes(a->dtype);
  /* Each row of the tile is added to places of its own, or all to the same few. */
  pto_tensor_desc desc = matrix_desc(a->dtype, kAddRows, kPlaces);
  desc.strided = !a->dense;
  desc.stride1 = 1;
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, a->memory, (a->dense ? kAddRows : 1) * kPlaces * size);
  pto_tile *tiles[2];
  int bad = 0;
  for (int t = 0; t < 2; ++t) {
    static const float one[] = {1, -1};
    uint8_t ones[kAddRows * kPlaces * 8];
    const uint64_t bits = values_is_float(a->dtype) ? values_of_float(a->dtype, one[t]) : t == 0 ? 1 : ~UINT64_C(0);
    for (int64_t i = 0; i < kAddRows * kPlaces; ++i) values_set(a->dtype, ones + i * size, bits);
    tiles[t] = pto_tile_create(ctx, a->dtype, kAddRows, kPlaces);
    bad |= pto_tile_write(ctx, tiles[t], ones, kAddRows * kPlaces * size) != PTO_OK;
  }
  for (int round = 0; round < kRounds; ++round)
    bad |= pto_tstore_atomic(ctx, tensor, tiles[round % 2], PTO_ATOMIC_ADD, 0) != PTO_OK;
  for (int t = 0; t < 2; ++t) pto_tile_release(tiles[t]);
  pto_tensor_release(tensor);
  pto_context_release(ctx);
  return bad ? argument : NULL;
}

/* Eight threads, a million additions into 64 places, and into places that a tensor has once each. */
static void loses_no_addition(void **state) {
  (void)state;
  static const pto_dtype dtypes[] = {PTO_DTYPE_I8,  PTO_DTYPE_U16, PTO_DTYPE_I32, PTO_DTYPE_F32,
                                     PTO_DTYPE_U64, PTO_DTYPE_F16, PTO_DTYPE_BF16};
  for (size_t t = 0; t < 2 * sizeof dtypes / sizeof dtypes[0]; ++t) {
    const pto_dtype dtype = dtypes[t / 2];
    const int dense = (int)(t % 2);
    uint64_t memory[kAddRows * kPlaces] = {0};
    struct adder adders[kThreads];
    for (int i = 0; i < kThreads; ++i) {
      adders[i].dtype = dtype;
      adders[i].dense = dense;
      adders[i].memory = memory;
      assert_int_equal(pthread_create(&adders[i].thread, NULL, add_ones, &adders[i]), 0);
    }
    for (int i = 0; i < kThreads; ++i) {
      void *bad = NULL;
      pthread_join(adders[i].thread, &bad);
      assert_null(bad);
    }
    /* The last round added. */
    const uint64_t count = (uint64_t)kThreads * (dense ? 1 : kAddRows);
    const uint64_t want = values_is_float(dtype) ? values_of_float(dtype, (float)count) : count & ref_mask(dtype);
    for (int i = 0; i < (dense ? kAddRows : 1) * kPlaces; ++i) {
      const uint64_t got = bits_at(memory, i, pto_dtype_bytes(dtype));
      if (got != want) {
        fail_msg("%s%s: place %d holds %llx, not %llx", pto_dtype_name(dtype), dense ? " (dense)" : "", i,
                 (unsigned long long)got, (unsigned long long)want);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(adds_elements_of_every_type),
      cmocka_unit_test(adds_to_its_own_memory),
      cmocka_unit_test(refused),
      cmocka_unit_test(loses_no_addition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
