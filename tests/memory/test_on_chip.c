/*
 * test_on_chip.c: the on-chip memory of the CPU profile is as large as asked, and costs what is touched of it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "expect.h"
#include "testing.h"

enum { k_locations = PTO_LOCATION_SCALE_RIGHT + 1, k_tile = 16 * 16 * 4 };

/* Bytes of the process that are in memory. */
static int64_t resident(void) {
  long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%*d %lld", &pages), 1);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static pto_tile *manual_tile(pto_context *ctx, int location) {
  pto_tile_desc desc;
  memset(&desc, 0, sizeof desc);
  desc.struct_size = (uint32_t)sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rows = 16;
  desc.cols = 16;
  desc.valid_rows = PTO_VALID_ALL;
  desc.valid_cols = PTO_VALID_ALL;
  desc.location = (pto_location)location;
  desc.storage = PTO_STORAGE_MANUAL;
  pto_tile *tile = pto_tile_create_from(ctx, &desc);
  assert_non_null(tile);
  return tile;
}

/* Each location, from the first to the last byte of 1 GiB: zero at first, of its own, and no more taken than touched.
 */
static void test_as_large_as_asked(void **state) {
  (void)state;
  static const int64_t addresses[] = {0, 4 << 10, 64 << 10, 256 << 10, 512 << 10, (1 << 20) + 32, (1 << 30) - k_tile};
  enum { k_addresses = sizeof addresses / sizeof *addresses };
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *tiles[k_locations][k_addresses];
  const int64_t before = resident();
  for (int location = 0; location < k_locations; ++location) {
    for (int i = 0; i < k_addresses; ++i) {
      float values[256];
      tiles[location][i] = manual_tile(ctx, location);
      assert_int_equal(pto_tassign(ctx, tiles[location][i], addresses[i]), PTO_OK);
      assert_int_equal(pto_tile_read(ctx, tiles[location][i], values, sizeof values), PTO_OK);
      for (int k = 0; k < 256; ++k) {
        assert_true(values[k] == 0);
        values[k] = (float)(1000 * location + 10 * i + k);
      }
      assert_int_equal(pto_tile_write(ctx, tiles[location][i], values, sizeof values), PTO_OK);
    }
  }
  assert_true(resident() - before < 16 << 20);
  for (int location = 0; location < k_locations; ++location) {
    for (int i = 0; i < k_addresses; ++i) {
      float values[256];
      assert_int_equal(pto_tile_read(ctx, tiles[location][i], values, sizeof values), PTO_OK);
      for (int k = 0; k < 256; ++k) assert_true(values[k] == (float)(1000 * location + 10 * i + k));
    }
  }
  pto_context_release(ctx); /* the tiles keep what they lie in */
  for (int location = 0; location < k_locations; ++location) {
    for (int i = 0; i < k_addresses; ++i) {
      ((char *)pto_tile_data(tiles[location][i]))[k_tile - 1] = 1;
      pto_tile_release(tiles[location][i]);
    }
  }
  assert_int_equal(pto_live_handles(), 0);
}

static const char k_program[] =
    "func.func @far(%x: !pto.tile_buf<vec, 16x16xf32>, %at: i64) {\n"
    "  %t = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 16x16xf32>\n"
    "  %zero = arith.constant 0 : i64\n"
    "  %u = pto.alloc_tile addr = %zero : !pto.tile_buf<vec, 16x16xf32>\n"
    "  pto.trsqrt ins(%x : !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)\n"
    "  pto.trsqrt ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%x : !pto.tile_buf<vec, 16x16xf32>)\n"
    "  return\n"
    "}\n";

/* Runs it with a tile of ones. */
static pto_status run_at(pto_context *ctx, pto_program *program, int64_t address) {
  pto_tile *x = pto_tile_create(ctx, PTO_DTYPE_F32, 16, 16);
  float values[256];
  for (int k = 0; k < 256; ++k) values[k] = 16;
  assert_int_equal(pto_tile_write(ctx, x, values, sizeof values), PTO_OK);
  assert_int_equal(pto_program_bind_tile(ctx, program, "x", x), PTO_OK);
  assert_int_equal(pto_program_bind_int(ctx, program, "at", address), PTO_OK);
  const pto_status status = pto_program_run(ctx, program, NULL);
  assert_int_equal(pto_tile_read(ctx, x, values, sizeof values), PTO_OK);
  if (status == PTO_OK) assert_true(values[255] == 2);
  assert_int_equal(pto_program_bind_tile(ctx, program, "x", NULL), PTO_OK);
  pto_tile_release(x);
  return status;
}

/* Programs reach as far, and what they put there counts as theirs, once. */
static void test_programs(void **state) {
  (void)state;
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_program *program = pto_program_parse(ctx, k_program, (int64_t)strlen(k_program), "far.pto");
  assert_non_null(program);
  assert_int_equal(run_at(ctx, program, 1 << 18), PTO_OK);
  assert_int_equal(run_at(ctx, program, (1 << 30) - k_tile), PTO_OK);
  expect_error(ctx, run_at(ctx, program, 1 << 30), PTO_ERROR_ADDRESS, "address-range", "", "1073741824");
  /* The least that suffices for tiles in one place, then in two. */
  int64_t least[3];
  const int64_t places[] = {0, k_tile / 2, k_tile};
  for (int i = 0; i < 3; ++i) {
    least[i] = 0;
    for (int64_t step = 1 << 20; step > 0; step /= 2) {
      assert_int_equal(pto_program_limit_bytes(ctx, program, least[i] + step), PTO_OK);
      if (run_at(ctx, program, places[i]) == PTO_OK) continue;
      assert_string_equal(pto_context_error_rule(ctx), "byte-limit");
      least[i] += step;
    }
  }
  assert_int_equal(least[1] - least[0], k_tile / 2);
  assert_int_equal(least[2] - least[0], k_tile);
  pto_program_release(program);
  pto_context_release(ctx);
}

/* Where the address space is not given: `on-chip-memory`, with the size; a lower limit helps, as the remedy advises. */
static void test_no_address_space(void **state) {
  (void)state;
#if !defined(PTO_TEST_SANITIZED)
  struct rlimit old;
  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  const struct rlimit narrow = {(rlim_t)(512 << 20), old.rlim_max};
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *tile = manual_tile(ctx, PTO_LOCATION_VEC);
  assert_int_equal(setrlimit(RLIMIT_AS, &narrow), 0);
  expect_error(ctx, pto_tassign(ctx, tile, 0), PTO_ERROR_MEMORY, "on-chip-memory", "", "memory|1073741824|vec");
  assert_non_null(strstr(pto_context_error_remedy(ctx), "pto_context_limit_on_chip"));
  assert_int_equal(pto_context_limit_on_chip(ctx, 1 << 20), PTO_OK);
  assert_int_equal(pto_tassign(ctx, tile, 0), PTO_OK);
  assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
  pto_tile_release(tile);
  pto_context_release(ctx);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_as_large_as_asked),
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_no_address_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
