/*
 * test_records.c: instructions that sort, merge and count, against the ISA's rule for one element at a time; every
 * order of eight elements; and random words against the vectors that were published with them.
 */
#include <string.h>

#include "irregular_case.h"
#include "op_table.h"
#include "reference.h"
#include "testing.h"
#include "values.h"

/* ---- records ---- */

static int size_of(const tile_case *t) { return pto_dtype_bytes(t->dtype); }
static int32_t records(const tile_case *t) { return t->valid_cols * size_of(t) / 8; }

typedef struct record {
  uint64_t value, index;
  uint64_t between; /* of elements of two bytes: 0 where they were sorted */
} record;

/* Record k of row r, whose index is two elements of two bytes or one of four. */
static record get_record(const tile_case *t, int32_t r, int32_t k) {
  const int32_t at = k * 8 / size_of(t);
  record x = {case_get(t, r, at), case_get(t, r, at + 4 / size_of(t)), 0};
  if (size_of(t) == 2) {
    x.index |= case_get(t, r, at + 3) << 16;
    x.between = case_get(t, r, at + 1);
  }
  return x;
}
static void put_record(void (*put)(const tile_case *, int32_t, int32_t, uint64_t), const tile_case *t, int32_t r,
                       int32_t k, record x) {
  const int32_t at = k * 8 / size_of(t);
  put(t, r, at, x.value);
  if (size_of(t) == 4) {
    put(t, r, at + 1, x.index);
  } else {
    put(t, r, at + 1, x.between);
    put(t, r, at + 2, x.index & 0xffff);
    put(t, r, at + 3, x.index >> 16);
  }
}

/* 1 when a is larger than b, as sorting has it: every number is larger than a NaN. */
static int larger(pto_dtype dtype, uint64_t a, uint64_t b) {
  const int a_nan = op_order(dtype, a, a) == 2;
  const int b_nan = op_order(dtype, b, b) == 2;
  return a_nan || b_nan ? !a_nan && b_nan : op_order(dtype, a, b) == 1;
}
static int before(pto_dtype dtype, record a, record b) {
  if (larger(dtype, a.value, b.value) || larger(dtype, b.value, a.value)) return larger(dtype, a.value, b.value);
  return a.index < b.index;
}

/* Zeros of both signs, NaN, and numbers that are there more than once. */
static void fill_elements(const irregular_case *c, const tile_case *t) {
  uint64_t pool[k_pool];
  values_pool(t->dtype, pool);
  for (int32_t r = 0; r < t->valid_rows; ++r) {
    const int plain = case_one_in(2); /* numbers other than NaN and -0 have a path of their own */
    for (int32_t k = 0; k < t->valid_cols; ++k) {
      uint64_t bits = pool[case_draw(case_one_in(3) ? 8 : k_pool)];
      if (plain && (op_order(t->dtype, bits, bits) == 2 || bits == op_sign_bit(t->dtype))) bits = 1;
      case_set(t, r, k, bits);
    }
  }
  (void)c;
}

static void shape_sort(irregular_case *c) {
  tile_case *dst = &c->tile[0], *src = &c->tile[1], *idx = &c->tile[2];
  draw_region(src, c->n);
  if (case_one_in(2)) src->valid_cols = 32 * (1 + (int32_t)case_draw(3));
  dst->valid_rows = src->valid_rows + (int32_t)case_draw(2);
  dst->valid_cols = (src->valid_cols + (int32_t)case_draw(2)) * 8 / size_of(dst);
  idx->valid_rows = case_one_in(3) ? 1 : src->valid_rows;
  idx->valid_cols = src->valid_cols + (int32_t)case_draw(3);
}
static void fill_sort(irregular_case *c) {
  const tile_case *idx = &c->tile[2];
  fill_elements(c, &c->tile[1]);
  for (int32_t r = 0; r < idx->valid_rows; ++r) {
    for (int32_t k = 0; k < idx->valid_cols; ++k) {
      case_set(idx, r, k, case_one_in(2) ? (uint64_t)k : case_one_in(2) ? case_draw(5) : case_draw(UINT32_MAX));
    }
  }
}
static void want_sort(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1], *idx = &c->tile[2];
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int32_t first = 0; first < src->valid_cols; first += 32) {
      record group[32];
      int32_t n = 0;
      for (; n < 32 && first + n < src->valid_cols; ++n) {
        const record x = {case_get(src, r, first + n), case_get(idx, idx->valid_rows == 1 ? 0 : r, first + n), 0};
        int32_t at = n;
        for (; at > 0 && before(src->dtype, x, group[at - 1]); --at) group[at] = group[at - 1];
        group[at] = x;
      }
      for (int32_t k = 0; k < n; ++k) put_record(case_want, dst, r, first + k, group[k]);
    }
  }
}

/* Records of a list, in order except for some lists. */
static void fill_list(const tile_case *t, int32_t first, int32_t count) {
  uint64_t pool[k_pool];
  values_pool(t->dtype, pool);
  for (int32_t r = 0; r < t->valid_rows; ++r) {
    const int sorted = !case_one_in(4);
    for (int32_t k = 0; k < count; ++k) {
      const record x = {pool[case_draw(k_pool)], case_draw(9), 0};
      int32_t at = first + k;
      for (; sorted && at > first && larger(t->dtype, x.value, get_record(t, r, at - 1).value); --at) {
        put_record(case_set, t, r, at, get_record(t, r, at - 1));
      }
      put_record(case_set, t, r, at, x);
    }
  }
}

/* Merges lists of a row, each from a first record on; returns how many were written. */
static int32_t merge(const tile_case *dst, int32_t at, int32_t r, const tile_case *const *lists, const int32_t *first,
                     const int32_t *length, int count, int32_t most, int exhausted, int32_t *taken) {
  int32_t n = 0;
  int ended = 0;
  memset(taken, 0, 4 * sizeof *taken);
  for (int i = 0; i < count; ++i) ended |= length[i] == 0;
  while (n < most && !(exhausted && ended)) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
      if (taken[i] == length[i]) continue;
      const record x = get_record(lists[i], r, first[i] + taken[i]);
      if (best < 0 || larger(dst->dtype, x.value, get_record(lists[best], r, first[best] + taken[best]).value)) {
        best = i;
      }
    }
    if (best < 0) break;
    put_record(case_want, dst, r, at + n++, get_record(lists[best], r, first[best] + taken[best]));
    ended |= ++taken[best] == length[best];
  }
  return n;
}

static void shape_blocks(irregular_case *c) {
  tile_case *dst = &c->tile[0], *src = &c->tile[1];
  const int32_t record_cols = 8 / size_of(dst);
  const int32_t block = c->hardware ? 64 : record_cols * (1 + (int32_t)case_draw(9));
  c->numbers[0] = block;
  dst->valid_rows = c->profile == PTO_PROFILE_CPU ? (int32_t)case_draw(4) : 1;
  dst->valid_cols = 4 * block * (1 + (int32_t)case_draw(2)) + (c->hardware ? 0 : (int32_t)case_draw(20));
  if (!c->hardware && case_one_in(9)) c->numbers[0] = 0;
  if (!c->hardware && case_one_in(9)) c->numbers[0] = -block;
  if (!c->hardware && case_one_in(9)) c->numbers[0] = block + 1;
  const int wrong = c->numbers[0] <= 0 || c->numbers[0] % record_cols != 0;
  if (wrong) c->refused = "block-length";
  like(src, dst, 0);
  if (!c->hardware) src->valid_cols += (int32_t)case_draw(3);
}
static void fill_blocks(irregular_case *c) {
  const tile_case *src = &c->tile[1];
  const int32_t block = c->numbers[0] / (8 / size_of(src));
  for (int32_t at = 0; block > 0 && at + block <= records(src); at += block) fill_list(src, at, block);
}
static void want_blocks(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1];
  const int32_t block = c->numbers[0] / (8 / size_of(src));
  int32_t taken[4];
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    for (int32_t at = 0; at + 4 * block <= records(dst); at += 4 * block) {
      const tile_case *const lists[] = {src, src, src, src};
      const int32_t first[] = {at, at + block, at + 2 * block, at + 3 * block};
      const int32_t length[] = {block, block, block, block};
      merge(dst, at, r, lists, first, length, 4, 4 * block, 0, taken);
    }
  }
}

static int lists_of(const irregular_case *c) {
  int n = 0;
  for (int i = 0; i < c->count; ++i) n += c->tile[i].role == PTO_ROLE_IN;
  return n;
}
static void shape_lists(irregular_case *c) {
  tile_case *dst = &c->tile[0], *executed = &c->tile[1];
  const int32_t rows = c->profile == PTO_PROFILE_CPU ? (int32_t)case_draw(4) : 1;
  c->numbers[0] = c->n / 3 % 2;
  int32_t all = 0;
  const int even = case_one_in(2);
  const int32_t some = (int32_t)case_draw(40);
  for (int i = 0; i < lists_of(c); ++i) {
    tile_case *list = &c->tile[2 + i];
    list->valid_rows = rows;
    list->valid_cols = 8 / size_of(list) * (even ? some : (int32_t)case_draw(40));
    if (!c->hardware && case_one_in(3)) list->valid_cols += 1;
    all += records(list);
  }
  dst->valid_rows = rows;
  dst->valid_cols = 8 / size_of(dst) * (case_one_in(2) ? all : (int32_t)case_draw((uint32_t)all + 9));
  executed->valid_rows = rows;
  executed->valid_cols = 4 + (int32_t)case_draw(2);
}
static void fill_lists(irregular_case *c) {
  for (int i = 0; i < lists_of(c); ++i) fill_list(&c->tile[2 + i], 0, records(&c->tile[2 + i]));
}
static void want_lists(irregular_case *c) {
  const tile_case *dst = &c->tile[0];
  const int count = lists_of(c);
  for (int32_t r = 0; r < dst->valid_rows; ++r) {
    const tile_case *lists[4];
    int32_t first[4] = {0}, length[4] = {0}, taken[4];
    for (int i = 0; i < count; ++i) {
      lists[i] = &c->tile[2 + i];
      length[i] = records(lists[i]);
    }
    merge(dst, 0, r, lists, first, length, count, records(dst), c->numbers[0] == PTO_MERGE_END_FIRST, taken);
    for (int i = 0; i < 4; ++i) case_want(&c->tile[1], r, i, (uint64_t)taken[i]);
  }
}

/* ---- counts ---- */

static void shape_histogram(irregular_case *c) {
  tile_case *dst = &c->tile[0], *src = &c->tile[1], *idx = &c->tile[2];
  draw_region(src, c->n);
  c->numbers[0] = c->n % size_of(src);
  dst->valid_rows = src->valid_rows + (c->n % 5 == 0 ? 1 : 0);
  dst->valid_cols = 256;
  idx->tall = size_of(src) == 2 && case_one_in(2);
  const int32_t above = size_of(src) - 1 - c->numbers[0];
  idx->valid_rows = size_of(src) == 2 ? src->valid_rows : above + (int32_t)case_draw(2);
  idx->valid_cols = 1;
}
/* Few values of each byte, so that filters let some pass. */
static void fill_histogram(irregular_case *c) {
  const tile_case *src = &c->tile[1], *idx = &c->tile[2];
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int32_t k = 0; k < src->valid_cols; ++k) {
      uint64_t bits = 0;
      for (int b = 0; b < size_of(src); ++b)
        bits = bits << 8 | (b + 1 == size_of(src) ? case_draw(256) : case_draw(2) * 255);
      case_set(src, r, k, bits);
    }
  }
  for (int32_t r = 0; r < idx->valid_rows; ++r) case_set(idx, r, 0, case_draw(2) * 255);
}
static void want_histogram(irregular_case *c) {
  const tile_case *dst = &c->tile[0], *src = &c->tile[1], *idx = &c->tile[2];
  const int byte = c->numbers[0];
  if (src->valid_rows == 0 || src->valid_cols == 0) return;
  for (int32_t r = 0; r < src->valid_rows; ++r) {
    for (int b = 0; b < 256; ++b) {
      uint64_t n = 0;
      for (int32_t k = 0; k < src->valid_cols; ++k) {
        const uint64_t bits = case_get(src, r, k);
        int passes = (int)(bits >> (8 * byte) & 255) <= b;
        for (int higher = size_of(src) - 1, row = 0; higher > byte; --higher, ++row) {
          passes &= (bits >> (8 * higher) & 255) == case_get(idx, size_of(src) == 2 ? r : row, 0);
        }
        n += (uint64_t)passes;
      }
      case_want(dst, r, b, n);
    }
  }
}

static const irregular_op k_ops[] = {
    {"tsort32", shape_sort, fill_sort, want_sort},
    {"tmrgsort", shape_blocks, fill_blocks, want_blocks},
    {"tmrgsort_two", shape_lists, fill_lists, want_lists},
    {"tmrgsort_three", shape_lists, fill_lists, want_lists},
    {"tmrgsort_four", shape_lists, fill_lists, want_lists},
    {"thistogram", shape_histogram, fill_histogram, want_histogram},
};

/* ---- proofs ---- */

/* Every order of eight elements, in the places 0 to 7 and in others of 32 and of 31, between smaller ones that are
   alike. */
static void test_permutations(void **state) {
  (void)state;
  enum { k_all = 40320 };
  static float src[k_all][32];
  static uint32_t idx[k_all][32];
  static struct {
    float value;
    uint32_t index;
  } dst[k_all][32];
  for (int32_t t = 0; t < pto_target_count(); ++t) {
    if (!pto_target_supported(t)) continue;
    pto_context *ctx = pto_context_create_for(PTO_PROFILE_CPU, pto_target_name(t));
    for (int spread = 0; spread < 4; ++spread) {
      const int cols = spread == 0 ? 8 : spread == 3 ? 31 : 32;
      int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
      for (int n = 0; n < k_all; ++n) {
        for (int k = 0; k < cols; ++k) {
          src[n][k] = -1;
          idx[n][k] = (uint32_t)k + 100;
        }
        int rest = n;
        int left[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        for (int k = 0; k < 8; ++k) {
          const int at = rest % (8 - k);
          rest /= 8 - k;
          order[k] = left[at];
          memmove(left + at, left + at + 1, (size_t)(7 - k - at) * sizeof *left);
          const int place = spread >= 2 ? (11 * k + n) % cols : k;
          src[n][place] = (float)order[k];
          idx[n][place] = (uint32_t)order[k];
        }
      }
      pto_tile_desc desc = layout_desc(&k_layouts[k_layout_nd], PTO_DTYPE_F32, k_all, 32);
      desc.valid_rows = k_all;
      desc.valid_cols = cols;
      pto_tile *from = pto_tile_wrap(ctx, &desc, src, sizeof src);
      desc.dtype = PTO_DTYPE_U32;
      pto_tile *indices = pto_tile_wrap(ctx, &desc, idx, sizeof idx);
      desc.dtype = PTO_DTYPE_F32;
      desc.cols = desc.valid_cols = 64;
      pto_tile *to = pto_tile_wrap(ctx, &desc, dst, sizeof dst);
      memset(dst, 0xff, sizeof dst);
      assert_int_equal(pto_tsort32(ctx, to, from, indices, NULL, 0), PTO_OK);
      for (int n = 0; n < k_all; ++n) {
        for (int k = 0; k < cols; ++k) {
          const float want = k < 8 ? (float)(7 - k) : -1;
          const int fits =
              k < 8 ? dst[n][k].index == (uint32_t)(7 - k) : k == 8 || dst[n][k].index > dst[n][k - 1].index;
          if (dst[n][k].value != want || !fits) fail_msg("permutation %d, record %d", n, k);
        }
      }
      pto_tile_release(from), pto_tile_release(indices), pto_tile_release(to);
    }
    pto_context_release(ctx);
  }
}

/* The vectors of the paper on Philox: counter, key, block. */
static void test_philox(void **state) {
  (void)state;
  static const struct {
    pto_rounds rounds;
    uint32_t counter[4], key[2], block[4];
  } k_vectors[] = {
      {PTO_ROUNDS_R10, {0}, {0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {PTO_ROUNDS_R10,
       {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {PTO_ROUNDS_R10,
       {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
      {PTO_ROUNDS_R7, {0}, {0}, {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
      {PTO_ROUNDS_R7,
       {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
      {PTO_ROUNDS_R7,
       {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}},
  };
  pto_context *ctx = pto_context_create(PTO_PROFILE_CPU);
  pto_tile *dst = pto_tile_create(ctx, PTO_DTYPE_U32, 1, 4);
  for (size_t i = 0; i < sizeof k_vectors / sizeof *k_vectors; ++i) {
    const int32_t *key = (const int32_t *)k_vectors[i].key;
    const int32_t *counter = (const int32_t *)k_vectors[i].counter;
    assert_int_equal(
        pto_trandom(ctx, dst, key[0], key[1], counter[0], counter[1], counter[2], counter[3], k_vectors[i].rounds, 0),
        PTO_OK);
    assert_memory_equal(pto_tile_data(dst), k_vectors[i].block, sizeof k_vectors[i].block);
  }
  pto_tile_release(dst);
  pto_context_release(ctx);
}

int main(void) {
  int failed = irregular_all(k_ops, sizeof k_ops / sizeof *k_ops);
  const struct CMUnitTest proofs[] = {cmocka_unit_test(test_permutations), cmocka_unit_test(test_philox)};
  failed += cmocka_run_group_tests_name("proofs", proofs, NULL, NULL);
  return failed == 0 && pto_live_handles() == 0 ? 0 : 1;
}
