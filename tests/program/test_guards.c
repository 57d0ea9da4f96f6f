/* Statements of the vector level on arrays between pages that fault: copies, their padding and slack, loads and stores
 * of scalars and work items. An access of one byte too many ends the test. */
#define _DEFAULT_SOURCE /* of sys/mman.h under -std=c99 */
#define _POSIX_C_SOURCE 200809L
#include <sys/mman.h>
#include <unistd.h>

#include "program_help.h"

enum { k_count = 250, k_bytes = 4 * k_count };

#define GM "!pto.ptr<i32, gm>"
#define UB "!pto.ptr<i32, ub>"
#define LONGS(n) "i64, i64, i64" n
/* %x and %y have 250 elements. %len bytes are copied, %far bytes apart, twice. */
#define COPIES \
  "func.func @main(%x: " GM ", %y: " GM                                                                               \
  ") {\n %z = arith.constant 0 : i64\n %one = arith.constant 1 : i64\n %two = arith.constant 2 : i64\n"               \
  " %len = arith.constant 500 : i64\n %far = arith.constant 512 : i64\n %k = arith.constant 7 : i32\n"                \
  " %p = pto.castptr %z : i64 -> " UB "\n pto.mte_gm_ub %x, %p, %z, %len nburst(%two, %len, %far) pad(%k, %z, %one) " \
  ": " GM ", " UB ", i64, " LONGS(", i64") ", pad i32, i64, i64\n pto.mte_ub_gm %p, %y, %len nburst(%two, %far, "     \
  "%len) : " UB ", " GM ", " LONGS(", i64") "\n return\n}\n"
/* The last element by scalars and by work items. */
#define SCALARS                                                                                      \
  "func.func @f(%x: " GM ", %y: " GM                                                                 \
  ") attributes {pto.simt_entry} {\n %t = pto.get_tid_x : i32\n %first = arith.constant 218 : i32\n" \
  " %at = arith.addi %t, %first : i32\n %i = arith.index_cast %at : i32 to index\n"                  \
  " %v = pto.ldg %x[%i] : " GM " -> i32\n pto.stg %v, %y[%i] : " GM                                  \
  ", i32\n return\n}\n"                                                                              \
  "func.func @main(%x: " GM ", %y: " GM                                                              \
  ") attributes {pto.aicore} {\n %n = arith.constant 32 : i32\n %one = arith.constant 1 : i32\n"     \
  " %last = arith.constant 249 : index\n %c0 = arith.constant 0 : index\n"                           \
  " pto.simt_launch @f<<<%n, %one, %one>>>(%x, %y) : (" GM ", " GM                                   \
  ") -> ()\n"                                                                                        \
  " %v = pto.load_scalar %x[%c0] : " GM " -> i32\n pto.store_scalar %v, %y[%c0] : " GM               \
  ", i32\n"                                                                                          \
  " %w = pto.load_scalar %x[%last] : " GM " -> i32\n pto.store_scalar %w, %y[%last] : " GM ", i32\n return\n}\n"

typedef struct {
  uint8_t *pages;
  size_t page;
  int32_t *data; /* at the end of a page, or at its begin */
} array;

static array between_pages(int at_end) {
  array a = {NULL, (size_t)sysconf(_SC_PAGESIZE), NULL};
  a.pages = mmap(NULL, 3 * a.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(a.pages != MAP_FAILED);
  assert_int_equal(mprotect(a.pages, a.page, PROT_NONE), 0);
  assert_int_equal(mprotect(a.pages + 2 * a.page, a.page, PROT_NONE), 0);
  a.data = (int32_t *)(void *)(a.pages + (at_end ? 2 * a.page - k_bytes : a.page));
  return a;
}

/* Runs with x at one side of a page and y at the other; 0: as it is to. */
static void run(const char *text, int at_end, int64_t slack, const char *rule, int first) {
  array x = between_pages(at_end), y = between_pages(!at_end);
  for (int i = 0; i < k_count; ++i) x.data[i] = i + 1;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  pto_tensor_desc desc = {.struct_size = sizeof desc, .dtype = PTO_DTYPE_I32, .rank = 1, .dim0 = k_count};
  pto_tensor *tx = pto_tensor_wrap(ctx, &desc, x.data, k_bytes), *ty = pto_tensor_wrap(ctx, &desc, y.data, k_bytes);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "x", tx));
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "y", ty));
  assert_ok(ctx, pto_program_set_slack(ctx, program, slack));
  const pto_status status = pto_program_run(ctx, program, NULL);
  if (rule == NULL) {
    if (status != PTO_OK) explain(ctx, program, text);
    for (int i = 0; i < k_count; ++i) assert_int_equal(y.data[i], i == 0 || i >= first ? i + 1 : 0);
  } else {
    assert_string_equal(pto_context_error_rule(ctx), rule);
  }
  pto_tensor_release(tx);
  pto_tensor_release(ty);
  pto_program_release(program);
  pto_context_release(ctx);
  munmap(x.pages, 3 * x.page);
  munmap(y.pages, 3 * y.page);
}

static void copies(void **state) {
  (void)state;
  char longer[sizeof COPIES];
  memcpy(longer, COPIES, sizeof longer);
  memcpy(strstr(longer, "constant 500"), "constant 504", strlen("constant 504"));
  for (int at_end = 0; at_end < 2; ++at_end) {
    run(COPIES, at_end, 0, NULL, 1);
    run(longer, at_end, 0, "memory-range", 0); /* 8 bytes too many */
    run(longer, at_end, 8, NULL, 1);           /* which are not the caller's */
  }
}

static void scalars(void **state) {
  (void)state;
  char later[sizeof SCALARS];
  memcpy(later, SCALARS, sizeof later);
  memcpy(strstr(later, "constant 218"), "constant 219", strlen("constant 219"));
  for (int at_end = 0; at_end < 2; ++at_end) {
    run(SCALARS, at_end, 0, NULL, 218);
    run(later, at_end, 64, "memory-range", 0); /* slack is for copies */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(scalars)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
