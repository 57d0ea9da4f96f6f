/*
 * test_structs.c: the size and the fields of every public struct, as published. A
 * struct grows at its end, and its size shows its version.
 */
#include <stdio.h>

#include "pto_c.h"
#include "testing.h"

#define FIELD(type, field, offset) assert_int_equal(offsetof(type, field), offset)

static void test_tile_desc(void **state) {
  (void)state;
  assert_int_equal(sizeof(pto_tile_desc), 56);
  FIELD(pto_tile_desc, struct_size, 0);
  FIELD(pto_tile_desc, dtype, 4);
  FIELD(pto_tile_desc, rows, 8);
  FIELD(pto_tile_desc, cols, 12);
  FIELD(pto_tile_desc, valid_rows, 16);
  FIELD(pto_tile_desc, valid_cols, 20);
  FIELD(pto_tile_desc, location, 24);
  FIELD(pto_tile_desc, blayout, 28);
  FIELD(pto_tile_desc, slayout, 32);
  FIELD(pto_tile_desc, fractal, 36);
  FIELD(pto_tile_desc, pad, 40);
  FIELD(pto_tile_desc, storage, 44);
  FIELD(pto_tile_desc, pad_bits, 48);
  FIELD(pto_tile_desc, compact, 52);
}

static void test_tensor_desc(void **state) {
  (void)state;
  assert_int_equal(sizeof(pto_tensor_desc), 104);
  FIELD(pto_tensor_desc, struct_size, 0);
  FIELD(pto_tensor_desc, dtype, 4);
  FIELD(pto_tensor_desc, layout, 8);
  FIELD(pto_tensor_desc, rank, 12);
  FIELD(pto_tensor_desc, strided, 16);
  FIELD(pto_tensor_desc, dim0, 24);
  FIELD(pto_tensor_desc, dim4, 56);
  FIELD(pto_tensor_desc, stride0, 64);
  FIELD(pto_tensor_desc, stride4, 96);
}

static void test_version(void **state) {
  (void)state;
  assert_int_equal(pto_version(), PTO_VERSION_MAJOR * 10000 + PTO_VERSION_MINOR * 100 + PTO_VERSION_PATCH);
  assert_int_equal(PTO_VALID_ALL, -1);
  assert_int_equal(sizeof(pto_dtype), 4);
  assert_int_equal(sizeof(pto_status), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tile_desc), cmocka_unit_test(test_tensor_desc),
                                     cmocka_unit_test(test_version)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
