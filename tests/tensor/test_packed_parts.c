/* A call on a part of a large tile of a packed type touches that part only: the pages of all other elements are closed.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "layouts.h"
#include "tensor_help.h"

enum { kLarge = 1024, kCornerRow = 37, kCornerCol = 51, kCorner = 16 };

/* Pages of a large tile that have elements of a window are open, the others closed. */
static void open_window(uint8_t *memory, int64_t bytes, const int64_t *map, int row, int col) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  int open = 0;
  assert_int_equal(mprotect(memory, (size_t)bytes, PROT_NONE), 0);
  for (int64_t first = 0; first < bytes; first += page) {
    int any = 0;
    for (int i = 0; i < kCorner * kCorner; ++i) {
      const int64_t at = map[(row + i / kCorner) * kLarge + col + i % kCorner] / 2;
      any |= at >= first && at < first + page;
    }
    if (any) assert_int_equal(mprotect(memory + first, (size_t)page, PROT_READ | PROT_WRITE), 0);
    open += any;
  }
  assert_true(open > 0 && open < bytes / page);
}

static void small_calls_leave_the_rest_of_a_large_tile_alone(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  int64_t *map = malloc(sizeof(int64_t) * kLarge * kLarge);
  for (int layout = 0; layout < k_layout_plain; ++layout) {
    const pto_tile_desc desc = layout_desc(&k_layouts[layout], PTO_DTYPE_I4, kLarge, kLarge);
    const int64_t bytes = layout_map(&desc, map) / 2;
    uint8_t *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    pto_tile *large = pto_tile_wrap(ctx, &desc, memory, bytes), *large_too = pto_tile_wrap(ctx, &desc, memory, bytes),
             *part = pto_tile_create(ctx, PTO_DTYPE_I4, kCorner, kCorner),
             *numbers = pto_tile_create(ctx, PTO_DTYPE_F16, kCorner, kCorner);
    uint8_t data[kCorner * kCorner / 2], back[sizeof data];
    fill(data, sizeof data, (uint32_t)layout);
    open_window(memory, bytes, map, kCornerRow, kCornerCol);
    assert_ok(ctx, pto_tile_write(ctx, part, data, sizeof data));
    assert_ok(ctx, pto_tinsert(ctx, large, part, kCornerRow, kCornerCol, 0));
    assert_ok(ctx, pto_textract(ctx, part, large, kCornerRow, kCornerCol, 0));
    assert_ok(ctx, pto_tile_read(ctx, part, back, sizeof back));
    assert_memory_equal(back, data, sizeof data);
    open_window(memory, bytes, map, 0, 0);
    assert_ok(ctx, pto_tile_set_valid(ctx, large, kCorner, kCorner));
    assert_ok(ctx, pto_tile_set_valid(ctx, large_too, kCorner, kCorner));
    assert_ok(ctx, pto_tile_write(ctx, large, data, sizeof data));
    assert_ok(ctx, pto_tcvt(ctx, numbers, large, NULL, PTO_ROUND_NONE, PTO_SAT_ON, 0));
    assert_ok(ctx, pto_tcvt(ctx, large, numbers, NULL, PTO_ROUND_RINT, PTO_SAT_ON, 0));
    assert_ok(ctx, pto_ttrans(ctx, large_too, large, NULL, 0));
    assert_ok(ctx, pto_ttrans(ctx, large, large_too, NULL, 0));
    assert_ok(ctx, pto_tile_read(ctx, large, back, sizeof back));
    assert_memory_equal(back, data, sizeof data);
    pto_tile_release(large), pto_tile_release(large_too), pto_tile_release(part), pto_tile_release(numbers);
    assert_int_equal(munmap(memory, (size_t)bytes), 0);
  }
  free(map);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_calls_leave_the_rest_of_a_large_tile_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
