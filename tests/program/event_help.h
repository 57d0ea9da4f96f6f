/* event_help.h: runs that are recorded, and what they recorded as rows of numbers. */
#ifndef PTO_TESTS_PROGRAM_EVENT_HELP_H_
#define PTO_TESTS_PROGRAM_EVENT_HELP_H_

#include "program_help.h"

enum { k_fields = PTO_EVENT_PEER + 1, k_tile_fields = PTO_EVENT_TILE_DATA_BYTES + 1 };

typedef struct {
  pto_context *ctx;
  pto_program *program;
  int64_t *events, *tiles; /* rows of k_fields and k_tile_fields */
  uint8_t *data;
  int64_t event_count, tile_count, data_bytes;
} recorded;

static inline recorded record_of(pto_context *ctx, pto_program *program) {
  recorded r = {.ctx = ctx, .program = program};
  r.event_count = pto_program_event_count(program, PTO_EVENT_PART_EVENTS);
  r.tile_count = pto_program_event_count(program, PTO_EVENT_PART_TILES);
  r.data_bytes = pto_program_event_count(program, PTO_EVENT_PART_ELEMENTS);
  r.events = calloc((size_t)r.event_count + 1, sizeof *r.events * k_fields);
  r.tiles = calloc((size_t)r.tile_count + 1, sizeof *r.tiles * k_tile_fields);
  r.data = calloc((size_t)r.data_bytes + 1, 1);
  assert_ok(ctx, pto_program_read_events(ctx, program, PTO_EVENT_PART_EVENTS, 0, k_fields, r.events,
                                         r.event_count * k_fields * 8));
  assert_ok(ctx, pto_program_read_events(ctx, program, PTO_EVENT_PART_TILES, 0, k_tile_fields, r.tiles,
                                         r.tile_count * k_tile_fields * 8));
  assert_ok(ctx, pto_program_read_events(ctx, program, PTO_EVENT_PART_ELEMENTS, 0, 1, r.data, r.data_bytes));
  return r;
}

static int32_t g_threads = 1;

static inline recorded run_recorded(const char *text, pto_record what, int64_t bytes, int32_t blocks, pto_status want) {
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_program *program = parse(ctx, text);
  assert_ok(ctx, pto_program_record(ctx, program, what, bytes));
  assert_ok(ctx, pto_program_set_blocks(ctx, program, blocks));
  assert_ok(ctx, pto_program_set_threads(ctx, program, g_threads));
  const pto_status status = pto_program_run(ctx, program, NULL);
  if (status != want) explain(ctx, program, text);
  return record_of(ctx, program);
}

static inline void end(recorded *r) {
  free(r->events), free(r->tiles), free(r->data);
  if (r->program != NULL) pto_program_release(r->program), pto_context_release(r->ctx);
}

static inline int64_t event(const recorded *r, int64_t row, pto_event_field field) {
  return r->events[row * k_fields + field];
}
static inline int64_t tile(const recorded *r, int64_t row, pto_event_tile_field field) {
  return r->tiles[row * k_tile_fields + field];
}

#endif /* PTO_TESTS_PROGRAM_EVENT_HELP_H_ */
