/* Tensors as handles: geometry, memory, copies in and out, views, refusals. */
#include "profiles.h"
#include "tensor_help.h"

static void packed_strides_of_nd_and_dn(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 3, 5);
  pto_tensor *nd = make_tensor(ctx, &desc);
  desc.layout = PTO_LAYOUT_DN;
  pto_tensor *dn = make_tensor(ctx, &desc);
  assert_int_equal(pto_tensor_stride(nd, 0), 5);
  assert_int_equal(pto_tensor_stride(nd, 1), 1);
  assert_int_equal(pto_tensor_stride(dn, 0), 1);
  assert_int_equal(pto_tensor_stride(dn, 1), 3);
  assert_int_equal(pto_tensor_layout(dn), PTO_LAYOUT_DN);
  assert_int_equal(pto_tensor_rank(nd), 2);
  assert_int_equal(pto_tensor_dim(nd, 1), 5);
  assert_int_equal(pto_tensor_dim(nd, 2), 0);
  assert_int_equal(pto_tensor_bytes(nd), 60);
  pto_tensor_release(nd);
  pto_tensor_release(dn);
  pto_context_release(ctx);
}

static void write_and_read_follow_strides(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  uint16_t memory[64];
  memset(memory, 0xee, sizeof memory);
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_U16, 2, 2);
  desc.rank = 3;
  desc.dim2 = 3;
  desc.strided = 1;
  desc.stride0 = 30;
  desc.stride1 = 1;
  desc.stride2 = 4;
  pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
  assert_non_null(tensor);
  uint16_t in[12];
  uint16_t out[12];
  for (uint16_t i = 0; i < 12; ++i) in[i] = (uint16_t)(100 + i);
  assert_ok(ctx, pto_tensor_write(ctx, tensor, in, sizeof in));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 3; ++k) assert_int_equal(memory[i * 30 + j + k * 4], in[(i * 2 + j) * 3 + k]);
    }
  }
  assert_int_equal(memory[2], 0xeeee);
  assert_ok(ctx, pto_tensor_read(ctx, tensor, out, sizeof out));
  assert_memory_equal(in, out, sizeof in);
  assert_int_equal(pto_tensor_write(ctx, tensor, in, 23), PTO_ERROR_ARGUMENT);
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "byte-count", "bytes");
  pto_tensor_release(tensor);
  pto_context_release(ctx);
}

/* Windows that slide, one row for all, one place for all, and rows that interleave: what is stored has places of its
 * own or is refused, all of what is added counts. */
static void elements_may_share_a_place(void **state) {
  (void)state;
  enum { kRows = 5, kCols = 8, kRoom = 70 };
  static const int64_t kStrides[][2] = {{1, 1}, {3, 1}, {0, 1}, {1, 0}, {0, 0}, {2, 3}, {1, 4}, {7, 5}, {5, 7}, {4, 6}};
  for (int profile = 0; profile < k_profiles; ++profile) {
    pto_context *ctx = context((pto_profile)profile);
    for (size_t s = 0; s < sizeof kStrides / sizeof *kStrides; ++s) {
      const int64_t row = kStrides[s][0], col = kStrides[s][1];
      int32_t memory[kRoom] = {0}, want[kRoom] = {0}, data[kRows * kCols], back[kRows * kCols];
      pto_tensor_desc desc = matrix_desc(PTO_DTYPE_I32, kRows, kCols);
      desc.strided = 1;
      desc.stride0 = row;
      desc.stride1 = col;
      pto_tensor *tensor = pto_tensor_wrap(ctx, &desc, memory, sizeof memory);
      assert_non_null(tensor);
      const pto_tile_desc shape = tile_desc(PTO_DTYPE_I32, kRows, kCols);
      pto_tile *tile = make_tile(ctx, &shape);
      fill(data, sizeof data, (uint32_t)s);
      for (int i = 0; i < kRows * kCols; ++i) data[i] &= 0xffffff;
      assert_ok(ctx, pto_tile_write(ctx, tile, data, sizeof data));

      int64_t at[kRows * kCols];
      for (int i = 0; i < kRows * kCols; ++i) at[i] = i / kCols * row + i % kCols * col;
      const int shared = overlaps(ctx, pto_tstore(ctx, tensor, tile, 0), "tstore", (elements){at, kRows, kCols});
      assert_int_equal(shared, s < 7 || s == 9);
      for (int i = 0; i < kRows * kCols && !shared; ++i) want[at[i]] = data[i];
      assert_memory_equal(memory, want, sizeof want);
      for (int i = 0; i < kRows * kCols; ++i) want[i / kCols * row + i % kCols * col] += data[i];
      assert_ok(ctx, pto_tstore_atomic(ctx, tensor, tile, PTO_ATOMIC_ADD, 0));
      assert_memory_equal(memory, want, sizeof want);
      assert_ok(ctx, pto_tload(ctx, tile, tensor, 0));
      assert_ok(ctx, pto_tile_read(ctx, tile, back, sizeof back));
      for (int i = 0; i < kRows * kCols; ++i) assert_int_equal(back[i], want[i / kCols * row + i % kCols * col]);

      for (int i = 0; i < kRows * kCols; ++i) want[i / kCols * row + i % kCols * col] = data[i];
      assert_ok(ctx, pto_tensor_write(ctx, tensor, data, sizeof data));
      assert_memory_equal(memory, want, sizeof want);
      pto_tile_release(tile), pto_tensor_release(tensor);
    }
    pto_context_release(ctx);
  }
}

static void a_view_shares_memory_and_outlives_its_tensor(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const int64_t before = pto_live_handles();
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_I32, 4, 8);
  pto_tensor *tensor = make_tensor(ctx, &desc);
  int32_t in[32];
  for (int32_t i = 0; i < 32; ++i) in[i] = i;
  assert_ok(ctx, pto_tensor_write(ctx, tensor, in, sizeof in));
  desc = matrix_desc(PTO_DTYPE_I32, 2, 3);
  desc.strided = 1;
  desc.stride0 = 8;
  desc.stride1 = 1;
  pto_tensor *view = pto_tensor_view(ctx, tensor, &desc, 8 + 2);
  assert_non_null(view);
  pto_tensor_release(tensor);
  int32_t out[6];
  assert_ok(ctx, pto_tensor_read(ctx, view, out, sizeof out));
  const int32_t want[6] = {10, 11, 12, 18, 19, 20};
  assert_memory_equal(out, want, sizeof want);
  /* The last window that fits, and one element more. */
  desc = matrix_desc(PTO_DTYPE_I32, 1, 4);
  pto_tensor *last = pto_tensor_view(ctx, view, &desc, 18);
  assert_non_null(last);
  assert_null(pto_tensor_view(ctx, view, &desc, 19));
  assert_rule(ctx, PTO_ERROR_ADDRESS, "tensor-range", "desc");
  assert_null(pto_tensor_view(ctx, view, &desc, 1000));
  assert_rule(ctx, PTO_ERROR_ADDRESS, "tensor-range", "offset");
  assert_null(pto_tensor_view(ctx, view, &desc, -1));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-stride", "offset");
  pto_tensor_release(last);
  pto_tensor_release(view);
  assert_int_equal(pto_live_handles(), before);
  pto_context_release(ctx);
}

static void refusals_of_descriptors(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  const pto_tensor_desc good = matrix_desc(PTO_DTYPE_F32, 2, 2);
  pto_tensor_desc desc = good;
  assert_null(pto_tensor_create(ctx, NULL));
  assert_rule(ctx, PTO_ERROR_NULL, "null", "desc");
  desc.struct_size = 3;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "struct-size", "desc");
  desc = good;
  desc.dtype = (pto_dtype)77;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "dtype-known", "dtype");
  desc = good;
  desc.layout = (pto_layout)22;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-layout", "layout");
  desc = good;
  desc.rank = 0;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-rank", "rank");
  desc.rank = 6;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-rank", "rank");
  desc = good;
  desc.dim1 = -1;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-dim", "dim1");
  desc = good;
  desc.strided = 1;
  desc.stride0 = -2;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-stride", "stride0");
  desc = good;
  desc.dim0 = INT64_MAX;
  desc.dim1 = INT64_MAX;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-size", "dim0");
  desc = good;
  desc.strided = 1;
  desc.stride0 = INT64_MAX;
  assert_null(pto_tensor_create(ctx, &desc));
  assert_rule(ctx, PTO_ERROR_ARGUMENT, "tensor-size", "dim0");
  float memory[5];
  assert_null(pto_tensor_wrap(ctx, &good, NULL, 16));
  assert_rule(ctx, PTO_ERROR_NULL, "null", "data");
  assert_null(pto_tensor_wrap(ctx, &good, memory, 15));
  assert_rule(ctx, PTO_ERROR_ADDRESS, "tensor-range", "desc");
  assert_null(pto_tensor_wrap(ctx, &good, (char *)memory + 1, 19));
  assert_rule(ctx, PTO_ERROR_ADDRESS, "data-alignment", "data");
  pto_context_release(ctx);
}

static void an_empty_tensor_is_legal(void **state) {
  (void)state;
  pto_context *ctx = context(PTO_PROFILE_CPU);
  pto_tensor_desc desc = matrix_desc(PTO_DTYPE_F32, 0, 7);
  desc.strided = 1;
  desc.stride0 = INT64_MAX;
  desc.stride1 = INT64_MAX;
  desc.dim1 = 1;
  pto_tensor *tensor = make_tensor(ctx, &desc);
  assert_int_equal(pto_tensor_bytes(tensor), 0);
  assert_ok(ctx, pto_tensor_write(ctx, tensor, NULL, 0));
  pto_tensor_release(tensor);
  pto_context_release(ctx);
}

static void null_handles_answer_their_defaults(void **state) {
  (void)state;
  assert_null(pto_tensor_data(NULL));
  assert_null(pto_tensor_retain(NULL));
  pto_tensor_release(NULL);
  assert_int_equal(pto_tensor_bytes(NULL), 0);
  assert_int_equal(pto_tensor_rank(NULL), 0);
  assert_int_equal(pto_tensor_dim(NULL, 0), 0);
  assert_int_equal(pto_tensor_stride(NULL, 0), 0);
  assert_int_equal(pto_tensor_dtype(NULL), PTO_DTYPE_I8);
  assert_int_equal(pto_tensor_layout(NULL), PTO_LAYOUT_ND);
  assert_null(pto_tensor_create(NULL, NULL));
  assert_int_equal(pto_tensor_read(NULL, NULL, NULL, 0), PTO_ERROR_NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packed_strides_of_nd_and_dn),
      cmocka_unit_test(write_and_read_follow_strides),
      cmocka_unit_test(elements_may_share_a_place),
      cmocka_unit_test(a_view_shares_memory_and_outlives_its_tensor),
      cmocka_unit_test(refusals_of_descriptors),
      cmocka_unit_test(an_empty_tensor_is_legal),
      cmocka_unit_test(null_handles_answer_their_defaults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
