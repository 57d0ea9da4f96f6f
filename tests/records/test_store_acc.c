/* TSTORE of sums that are converted on their way: every pair of types by every form, rectified or not, added or not,
 * from tiles of every layout to tensors with and without gaps, in columns and in boxes, against exact integers. */
#include <math.h>

#include "op_table.h"
#include "reference.h"
#include "../tensor/tensor_help.h"
#include "values.h"
#include "profiles.h"

enum { kRows = 21, kCols = 39, kForms = 3 };

/* 16 rows of boxes of 8 columns of f32, which 16 of the accumulator's become: a channel split. */
static const int64_t k_boxes[5] = {1, 5, 2, 16, 8};

static uint64_t bits_at(const void *data, int64_t index, int64_t size) {
  uint64_t bits = 0;
  memcpy(&bits, (const uint8_t *)data + index * size, (size_t)size);
  return bits;
}

typedef struct store {
  int form; /* 0: plain, 1: by a word, 2: by words */
  pto_dtype from, to;
  pto_relu relu;
  pto_atomic atomic;
  int saturates; /* of the context */
  uint64_t words[kCols + 3];
} store;

static uint64_t result(const store *s, uint64_t sum, int col) {
  const uint64_t x = op_rectified(s->from, sum, (int32_t)s->relu);
  if (s->form == 0) return op_left(s->to, s->from, x, s->saturates);
  return op_quantised(s->to, s->from, x, s->words[s->form == 1 ? 0 : col], s->form == 2);
}

static pto_status call(pto_context *ctx, const store *s, pto_tensor *tensor, pto_tile *tile, pto_tile *fp) {
  if (s->form == 0) return pto_tstore_acc(ctx, tensor, tile, s->atomic, s->relu, 0);
  if (s->form == 1) return pto_tstore_quant(ctx, tensor, tile, pto_uint(s->words[0]), s->atomic, s->relu, 0);
  return pto_tstore_fp(ctx, tensor, tile, fp, s->atomic, s->relu, 0);
}

/* Where element (r, c) of the matrix of a tensor is. */
static int64_t place_of(const pto_tensor_desc *d, int r, int c) {
  if (d->layout == PTO_LAYOUT_NZ) return ((int64_t)(c / 8) * k_boxes[2] + r / 16) * 128 + r % 16 * 8 + c % 8;
  return r * d->stride0 + c * d->stride1;
}

static void check(pto_context *ctx, const store *s, const pto_tensor_desc *desc, int64_t span, int layout,
                  uint64_t *seed) {
  const int64_t size = pto_dtype_bytes(s->to);
  uint8_t *memory = malloc((size_t)(span * size)), *want = malloc((size_t)(span * size));
  uint8_t sums[kRows * kCols * 4];
  for (int64_t i = 0; i < span * size; ++i) memory[i] = (uint8_t)(values_random(seed) >> 20);
  values_fill(s->from, sums, kRows * kCols, values_random(seed));
  for (int i = 0; i < kRows * kCols; i += 2) {
    values_set(s->from, sums + 4 * i,
               s->from == PTO_DTYPE_F32 ? 0x3f000000 + (uint64_t)i * 0x31234 : (uint64_t)(i - 300));
  }
  memcpy(want, memory, (size_t)(span * size));
  int64_t places[kRows * kCols], earlier = 0;
  for (int i = 0; i < kRows * kCols; ++i) places[i] = place_of(desc, i / kCols, i % kCols);
  const elements stored = {places, kRows, kCols};
  const int refused = s->atomic == PTO_ATOMIC_NONE && first_shared(stored, &earlier) >= 0;
  for (int i = 0; i < kRows * kCols && !refused; ++i) {
    const int64_t at = places[i];
    uint64_t bits = result(s, bits_at(sums, i, 4), i % kCols);
    if (s->atomic == PTO_ATOMIC_ADD) bits = ref_apply(REF_ADD, s->to, bits_at(want, at, size), bits);
    memcpy(want + at * size, &bits, (size_t)size);
  }
  pto_tensor *tensor = pto_tensor_wrap(ctx, desc, memory, span * size);
  assert_non_null(tensor);
  pto_tile_desc shape = tile_desc(s->from, kRows + 4, kCols + 3);
  shape.blayout = (pto_blayout)(layout & 1);
  shape.slayout = (pto_slayout)(layout / 2);
  shape.fractal = layout > 1 ? 1024 : 512;
  shape.valid_rows = kRows;
  shape.valid_cols = kCols;
  pto_tile *tile = make_tile(ctx, &shape);
  const pto_tile_desc row = tile_desc(PTO_DTYPE_I64, 1, kCols + 3);
  pto_tile *fp = make_tile(ctx, &row);
  assert_int_equal(pto_tile_write(ctx, fp, s->words, sizeof s->words), PTO_OK);
  assert_int_equal(pto_tile_write(ctx, tile, sums, sizeof sums), PTO_OK);
  static const char *const names[kForms] = {"tstore_acc", "tstore_quant", "tstore_fp"};
  const pto_status status = call(ctx, s, tensor, tile, fp);
  if (s->atomic == PTO_ATOMIC_NONE) {
    overlaps(ctx, status, names[s->form], stored);
  } else {
    assert_ok(ctx, status);
  }
  for (int64_t i = 0; i < span; ++i) {
    if (bits_at(memory, i, size) == bits_at(want, i, size)) continue;
    fail_msg("form %d, %s to %s, relu %d, atomic %d: element %lld is %#llx, not %#llx", s->form,
             pto_dtype_name(s->from), pto_dtype_name(s->to), (int)s->relu, (int)s->atomic, (long long)i,
             (unsigned long long)bits_at(memory, i, size), (unsigned long long)bits_at(want, i, size));
  }
  pto_tile_release(fp);
  pto_tile_release(tile);
  pto_tensor_release(tensor);
  free(memory);
  free(want);
}

static void stores_every_pair(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  uint64_t seed = 15;
  int pairs = 0;
  for (int form = 0; form < kForms; ++form) {
    const int32_t op = pto_op_find(form == 0 ? "tstore_acc" : form == 1 ? "tstore_quant" : "tstore_fp");
    for (int pair = 0; pair < 2 * (PTO_DTYPE_F32 + 1); ++pair) {
      store s = {form,
                 pair % 2 == 0 ? PTO_DTYPE_F32 : PTO_DTYPE_I32,
                 (pto_dtype)(pair / 2),
                 PTO_RELU_NO_RELU,
                 PTO_ATOMIC_NONE,
                 0,
                 {0}};
      if ((pto_op_operand_dtypes(op, 0, PTO_PROFILE_CPU, s.from) >> s.to & 1) == 0) continue;
      ++pairs;
      for (int how = 0; how < 28; ++how) {
        s.relu = (pto_relu)(how & 1);
        s.atomic = (pto_atomic)(how >> 1 & 1);
        s.saturates = how / 3 & 1;
        assert_ok(ctx, pto_context_saturate(ctx, s.saturates));
        for (int k = 0; k < kCols + 3; ++k) {
          /* Scales around 1/2, exact and not, beside fields of any bits. */
          const uint64_t any = values_random(&seed);
          s.words[k] = (any & UINT64_C(0xffff00000000)) | (any % 3 == 0 ? 0x3f000000 : 0x3e000000 + (any & 0x1ffffff));
        }
        pto_tensor_desc desc = matrix_desc(s.to, kRows, kCols);
        desc.strided = 1;
        desc.stride0 = how >> 2 & 1 ? 1 : kCols + how;
        desc.stride1 = how >> 2 & 1 ? kRows + how : 1;
        /* Elements share their places: they are added, or refused. */
        if (how >= 24) desc.stride0 = 3, desc.stride1 = 2;
        int64_t span = (kRows - 1) * desc.stride0 + (kCols - 1) * desc.stride1 + 1;
        if (how < 24 && how % 6 == 5 && pto_dtype_bytes(s.to) == 4) {
          desc = matrix_desc(s.to, 0, 0);
          desc.layout = PTO_LAYOUT_NZ;
          desc.rank = 5;
          desc.dim0 = k_boxes[0], desc.dim1 = k_boxes[1], desc.dim2 = k_boxes[2], desc.dim3 = 16, desc.dim4 = 8;
          span = 5 * 2 * 128;
        }
        check(ctx, &s, &desc, span, how % 6, &seed);
      }
    }
  }
  assert_int_equal(pairs, 4 + 2 * 10);
  pto_context_release(ctx);
}

/* Without a form of its own: f32 as f16 and bf16, from every profile's accumulator, and as before as anything of its
 * width. */
static void stores_narrow(void **state) {
  (void)state;
  for (int p = 0; p < k_profiles; ++p) {
    pto_context *ctx = context((pto_profile)p);
    pto_tile_desc shape = tile_desc(PTO_DTYPE_F32, 16, 16);
    shape.location = PTO_LOCATION_ACC;
    shape.blayout = PTO_BLAYOUT_COL_MAJOR;
    shape.slayout = PTO_SLAYOUT_ROW_MAJOR;
    shape.fractal = 1024;
    pto_tile *tile = make_tile(ctx, &shape);
    shape.location = PTO_LOCATION_VEC;
    shape.blayout = PTO_BLAYOUT_ROW_MAJOR;
    shape.slayout = PTO_SLAYOUT_NONE_BOX;
    shape.fractal = 512;
    pto_tile *vec = make_tile(ctx, &shape);
    float sums[256];
    for (int i = 0; i < 256; ++i) sums[i] = (float)(i * i - 9000) * 1.37F;
    sums[7] = 70000;
    sums[8] = -INFINITY;
    sums[9] = NAN;
    assert_int_equal(pto_tile_write(ctx, tile, sums, sizeof sums), PTO_OK);
    assert_int_equal(pto_tile_write(ctx, vec, sums, sizeof sums), PTO_OK);
    for (int t = PTO_DTYPE_F16; t <= PTO_DTYPE_BF16; ++t) {
      uint16_t memory[256];
      memset(memory, 0, sizeof memory);
      const pto_tensor_desc desc = matrix_desc((pto_dtype)t, 16, 16);
      pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
      if (p == PTO_PROFILE_CPU) {
        assert_int_equal(pto_tstore(ctx, tensor, vec, 0), PTO_OK);
      } else {
        assert_int_equal(pto_tstore(ctx, tensor, vec, 0), PTO_ERROR_DTYPE);
        assert_rule(ctx, PTO_ERROR_DTYPE, "same-width", "dst");
        for (int i = 0; i < 256; ++i) assert_int_equal(memory[i], 0);
      }
      for (int saturates = 1; saturates >= 0; --saturates) {
        assert_ok(ctx, pto_context_saturate(ctx, saturates));
        assert_ok(ctx, pto_tstore(ctx, tensor, tile, 0));
        for (int i = 0; i < 256; ++i) {
          uint32_t bits = 0;
          memcpy(&bits, &sums[i], sizeof bits);
          assert_int_equal(memory[i], op_left((pto_dtype)t, PTO_DTYPE_F32, bits, saturates));
        }
      }
      pto_tensor_release(tensor);
    }
    pto_tile_release(tile);
    pto_tile_release(vec);
    pto_context_release(ctx);
  }
}

/* The tile's own memory, and the words' memory, as the tensor: both are read first. */
static void stores_into_its_sources(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  uint64_t memory[4] = {0x3f80000000000000 >> 32 | UINT64_C(1) << 46, 0x40000000, 0, 0};
  float sums[2] = {3, 5};
  memcpy(&memory[2], sums, sizeof sums);
  const pto_tile_desc row = tile_desc(PTO_DTYPE_U64, 1, 2), two = tile_desc(PTO_DTYPE_F32, 1, 2);
  const pto_tensor_desc bytes = matrix_desc(PTO_DTYPE_I8, 1, 2);
  pto_tile *fp = pto_tile_wrap(ctx, &row, memory, 16);
  pto_tile *tile = pto_tile_wrap(ctx, &two, &memory[2], 8);
  for (int over = 0; over < 2; ++over) {
    memcpy(&memory[2], sums, sizeof sums);
    int8_t *at = (int8_t *)(over == 0 ? (void *)&memory[1] : (void *)&memory[2]);
    pto_tensor *tensor = pto_tensor_wrap(ctx, &bytes, at, 2);
    memory[1] = 0x40000000;
    assert_int_equal(pto_tstore_fp(ctx, tensor, tile, fp, PTO_ATOMIC_NONE, PTO_RELU_NO_RELU, 0), PTO_OK);
    assert_int_equal(at[0], 3);
    assert_int_equal(at[1], 10);
    pto_tensor_release(tensor);
  }
  pto_tile_release(tile);
  pto_tile_release(fp);
  pto_context_release(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stores_every_pair),
      cmocka_unit_test(stores_narrow),
      cmocka_unit_test(stores_into_its_sources),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
