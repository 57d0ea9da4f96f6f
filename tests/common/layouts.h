/*
 * layouts.h: every tile layout, and where its elements lie, found by walking the
 * memory in order. Shares nothing with src/objects/layout.h.
 */
#ifndef PTO_TESTS_COMMON_LAYOUTS_H_
#define PTO_TESTS_COMMON_LAYOUTS_H_

#include <stdint.h>

#include "pto_c.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_layout {
  const char *name;
  pto_blayout blayout;
  pto_slayout slayout;
  int32_t fractal;
  pto_compact compact;
} test_layout;

/* ND, DN, the four boxed ones with boxes of 512 bytes; then boxes of 1024 and 32, and compact ones. */
enum {
  k_layout_nd = 0,
  k_layout_dn = 1,
  k_layout_nz = 4,
  k_layout_usual = 6,
  k_layout_plain = 14,
  k_layout_count = 18
};
extern const test_layout k_layouts[k_layout_count];

/* A descriptor of a tile that owns its memory and is valid as a whole. */
pto_tile_desc layout_desc(const test_layout *layout, pto_dtype dtype, int32_t rows, int32_t cols);

/* The same descriptor as pto_tile_create_from() takes it: valid extents of 0 are empty, and not left out. */
pto_tile_desc layout_asked(const pto_tile_desc *desc);

/*
 * Fills map[r * cols + c] with the place of element (r, c), in elements from the
 * start, and returns how many elements the storage holds.
 */
int64_t layout_map(const pto_tile_desc *desc, int64_t *map);

#ifdef __cplusplus
}
#endif

#endif /* PTO_TESTS_COMMON_LAYOUTS_H_ */
