/* between_pages.c: see between_pages.h. */
#define _POSIX_C_SOURCE 200809L
#include "between_pages.h"

#include <signal.h>
#include <unistd.h>

#include "tensor_help.h"

void pages_create(between_pages *p, pto_profile profile, int64_t room) {
  memset(p, 0, sizeof *p);
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    assert_true(p->targets < k_most_targets);
    p->ctx[p->targets] = pto_context_create_for(profile, pto_target_name(t));
    assert_non_null(p->ctx[p->targets++]);
  }
  p->room = room;
  p->arena = guards_memory(3 * (size_t)room);
  p->before = p->arena + room;
  p->after = p->before + room;
}

void pages_release(between_pages *p) {
  for (int t = 0; t < p->targets; ++t) pto_context_release(p->ctx[t]);
  free(p->arena);
}

void pages_begin(between_pages *p) { p->guards.count = 0, p->bytes = 0; }

int64_t pages_place(between_pages *p, int64_t bytes, int at_end) {
  return guards_place(&p->guards, p->arena, &p->bytes, bytes, at_end);
}

void pages_fill(between_pages *p, uint32_t seed) {
  pages_place(p, 0, 0);
  assert_true(p->bytes <= p->room);
  fill(p->before, (size_t)p->bytes, seed);
  memcpy(p->after, p->before, (size_t)p->bytes);
}

pto_tile *pages_tile(const between_pages *p, const laid_tile *tile) { return laid_tile_of(p->ctx[0], tile, p->arena); }

pto_tensor *pages_tensor(const between_pages *p, const pto_tensor_desc *desc, int64_t at, int64_t bytes) {
  pto_tensor *tensor = pto_tensor_wrap(p->ctx[0], desc, p->arena + at, bytes);
  if (tensor == NULL) fail_msg("%s", pto_context_error_message(p->ctx[0]));
  return tensor;
}

/* What runs now, told where it touches a page. */
static const char *g_what, *g_target;

static void tell(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }
static void on_fault(int number) {
  (void)number;
  tell("touched memory beside the operands: ");
  tell(g_what);
  tell(" on ");
  tell(g_target);
  tell("\n");
  _exit(1);
}

void pages_run(const between_pages *p, pages_call *run, void *call, const char *rule, const char *what) {
  for (int t = 0; t < p->targets; ++t) {
    memcpy(p->arena, p->before, (size_t)p->bytes);
    g_what = what;
    g_target = pto_context_target(p->ctx[t]);
    void (*const before)(int) = signal(SIGSEGV, on_fault);
    guards_up(&p->guards);
    const pto_status status = run(p->ctx[t], call);
    guards_down(&p->guards);
    signal(SIGSEGV, before);
    const char *broken = status == PTO_OK ? "none" : pto_context_error_rule(p->ctx[t]);
    if (strcmp(broken, rule == NULL ? "none" : rule) != 0) {
      fail_msg("%s on %s: %s instead of %s", what, g_target, broken, rule == NULL ? "none" : rule);
    }
    if (memcmp(p->arena, p->after, (size_t)p->bytes) == 0) continue;
    int64_t at = 0;
    while (p->arena[at] == p->after[at]) ++at;
    fail_msg("%s on %s: byte %lld is %#x, not %#x", what, g_target, (long long)at, p->arena[at], p->after[at]);
  }
}
