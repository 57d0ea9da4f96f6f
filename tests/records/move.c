/* move.c: bits that move. Transfers between tiles and tensors have tests of their own. */
#include <stddef.h>

#include "op_table.h"

static uint64_t moved(const op_element *e) { return op_narrow(e->to, e->src_dtype, e->src[0]); }

static const op_bits k_copy[] = {{PTO_DTYPE_F32, {0x7f800001}, 0x7f800001},
                                 {PTO_DTYPE_F16, {0xfc01}, 0xfc01},
                                 {PTO_DTYPE_I64, {-3}, -3},
                                 {PTO_DTYPE_F16, {0x7f800001}, 0x7e00, {0}, PTO_DTYPE_F32 + 1},
                                 {PTO_DTYPE_F16, {0x47889000}, 0x7c00, {0}, PTO_DTYPE_F32 + 1},
                                 {PTO_DTYPE_BF16, {0x3f818000}, 0x3f82, {0}, PTO_DTYPE_F32 + 1},
                                 {PTO_DTYPE_F32, {0x3c01}, 0x3f802000, {0}, PTO_DTYPE_F16 + 1},
                                 {PTO_DTYPE_F32, {0x8001}, 0xb3800000, {0}, PTO_DTYPE_F16 + 1},
                                 {PTO_DTYPE_F32, {0xffc1}, 0x7fc00000, {0}, PTO_DTYPE_BF16 + 1}};

static int inside(op_region region, int32_t row, int32_t col) { return row < region.rows && col < region.cols; }

static int transposed(const op_move *m, int32_t *row, int32_t *col) {
  *row = m->col;
  *col = m->row;
  return inside(m->outputs[0], m->row, m->col) ? 0 : OP_KEPT;
}

int op_extracted(const op_move *m, int32_t *row, int32_t *col) {
  *row = m->numbers[2 * m->output] + m->row;
  *col = m->numbers[2 * m->output + 1] + m->col;
  return inside(m->outputs[m->output], m->row, m->col) ? 0 : OP_KEPT;
}

int op_inserted(const op_move *m, int32_t *row, int32_t *col) {
  *row = m->row - m->numbers[0];
  *col = m->col - m->numbers[1];
  return *row >= 0 && *col >= 0 && inside(m->inputs[0], *row, *col) ? 0 : OP_KEPT;
}

static int joined(const op_move *m, int32_t *row, int32_t *col) {
  if (!inside(m->outputs[0], m->row, m->col)) return OP_KEPT;
  const int right = m->col >= m->inputs[0].cols;
  *row = m->row;
  *col = m->col - (right ? m->inputs[0].cols : 0);
  return right;
}

static int padded(const op_move *m, int32_t *row, int32_t *col) {
  *row = m->row;
  *col = m->col;
  return inside(m->inputs[0], m->row, m->col) ? 0 : OP_PADDED;
}

/* The columns of dst0 and dst1 side by side are src0 and src1 in turn. */
static int zipped(const op_move *m, int32_t *row, int32_t *col) {
  if (!inside(m->outputs[m->output], m->row, m->col)) return OP_KEPT;
  const int32_t place = m->output * m->outputs[0].cols + m->col;
  *row = m->row;
  *col = place / 2;
  return place % 2;
}

static int unzipped(const op_move *m, int32_t *row, int32_t *col) {
  if (!inside(m->outputs[m->output], m->row, m->col)) return OP_KEPT;
  const int32_t place = 2 * m->col + m->output;
  *row = m->row;
  *col = place % m->outputs[0].cols;
  return place / m->outputs[0].cols;
}

static int parted(const op_move *m, int32_t *row, int32_t *col) {
  *row = m->row;
  *col = 2 * m->col + m->output;
  return inside(m->outputs[m->output], m->row, m->col) ? 0 : OP_KEPT;
}

/* How many columns of a source fill a row, if `left` are left. */
static int32_t counted(const op_move *m, int source, int32_t left) {
  const uint64_t asked = m->held(source + 2, m->row, 0) / (uint64_t)m->bytes(source + 2);
  const int32_t there = m->inputs[source].cols < left ? m->inputs[source].cols : left;
  return asked < (uint64_t)there ? (int32_t)asked : there;
}

static int joined_by_counts(const op_move *m, int32_t *row, int32_t *col) {
  const op_region dst = m->outputs[0];
  if (m->row >= dst.rows || dst.cols == 0) return OP_KEPT;
  const int32_t left = counted(m, 0, dst.cols);
  const int32_t all = left + counted(m, 1, dst.cols - left);
  *m->value = (uint64_t)all * (uint64_t)m->bytes(2);
  if (m->output == 1) return m->col == 0 ? OP_VALUE : OP_KEPT;
  *row = m->row;
  *col = m->col < left ? m->col : m->col - left;
  return m->col >= all ? OP_KEPT : m->col >= left;
}

static uint64_t packed(const op_element *e) { return e->src[0] & ref_mask(e->dtype); }

static const op_bits k_packed[] = {{PTO_DTYPE_U8, {-1}, 255, {0}, PTO_DTYPE_U16 + 1},
                                   {PTO_DTYPE_I8, {0x1234}, 0x34, {0}, PTO_DTYPE_I16 + 1},
                                   {PTO_DTYPE_U8, {0x12345678}, 0x78, {0}, PTO_DTYPE_I32 + 1},
                                   {PTO_DTYPE_I16, {0x1234ABCD}, 0xABCD, {0}, PTO_DTYPE_U32 + 1},
                                   {PTO_DTYPE_U16, {INT32_MIN}, 0, {0}, PTO_DTYPE_I32 + 1}};

static const op_entry k_entries[] = {
    {.name = "tmov", .element = moved, OP_BITS(k_copy)},
    {.name = "ttrans", .place = transposed},
    {.name = "textract", .place = op_extracted, .element = moved},
    {.name = "textract_two", .place = op_extracted},
    {.name = "tinsert", .place = op_inserted, .element = moved},
    {.name = "tinsert_split", .place = op_inserted},
    {.name = "tconcat", .place = joined},
    {.name = "tconcat_counts", .place = joined_by_counts},
    {.name = "tconcat_counts_out", .place = joined_by_counts},
    {.name = "tfillpad", .place = padded},
    {.name = "tfillpad_inplace", .place = padded},
    {.name = "tfillpad_expand", .place = padded},
    {.name = "tinterleave", .place = zipped},
    {.name = "tdeinterleave", .place = unzipped},
    {.name = "tdeinterleave_one", .place = parted},
    {.name = "tpack", .element = packed, OP_BITS(k_packed)},
    {.name = "mgather", .elsewhere = "tests/tensor"},
    {.name = "mscatter", .elsewhere = "tests/tensor"},
    {.name = "timg2col", .elsewhere = "tests/tensor"},
    {.name = "tload", .elsewhere = "tests/tensor"},
    {.name = "tstore", .elsewhere = "tests/tensor"},
    {.name = "tstore_atomic", .elsewhere = "tests/tensor"},
    {.name = "tprefetch", .elsewhere = "tests/tensor"},
};
OP_FAMILY(k_family_move);
