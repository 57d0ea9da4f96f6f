/* test_tpartadd.c: opposite infinities, signed zeros, overflow, wrapping sums. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"tpartadd", REF_ADD, OP_WALK_PARTIAL, OP_TMP_NONE};

static const known_float k_floats[] = {
    {1, 2, 3},
    {0.5F, -0.5F, 0},
    {INFINITY, -INFINITY, NAN},
    {INFINITY, 1, INFINITY},
    {-INFINITY, -INFINITY, -INFINITY},
    {0, -0.0F, 0},
    {-0.0F, -0.0F, -0.0F},
    {-0.0F, 0, 0},
    {NAN, 1, NAN},
    {1, NAN, NAN},
    {0x1p-24F, 0x1p-24F, 0x1p-23F},
};

static const known_bits k_bits[] = {
    {PTO_DTYPE_F32, 0x7f7fffff, 0x7f7fffff, 0x7f800000}, /* overflow */
    {PTO_DTYPE_F32, 0x3f800000, 0x33800000, 0x3f800000}, /* 1 + 2 ** -24: a tie, to even */
    {PTO_DTYPE_F32, 0x3f800001, 0x33800000, 0x3f800002}, /* a tie, to even */
    {PTO_DTYPE_F32, 0x00000001, 0x00000001, 0x00000002}, /* subnormals */
    {PTO_DTYPE_F16, 0x7bff, 0x7bff, 0x7c00},
    {PTO_DTYPE_F16, 0x3c00, 0x1000, 0x3c00},
    {PTO_DTYPE_F16, 0x3c01, 0x1000, 0x3c02},
    {PTO_DTYPE_BF16, 0x7f7f, 0x7f7f, 0x7f80},
    {PTO_DTYPE_BF16, 0x3f81, 0x3b80, 0x3f82},
    {PTO_DTYPE_I8, 127, 1, -128},
    {PTO_DTYPE_I8, -128, -1, 127},
    {PTO_DTYPE_I8, -3, 5, 2},
    {PTO_DTYPE_U8, 255, 1, 0},
    {PTO_DTYPE_U8, 200, 100, 44},
    {PTO_DTYPE_I16, 32767, 1, -32768},
    {PTO_DTYPE_I16, -32768, -32768, 0},
    {PTO_DTYPE_U16, 65535, 2, 1},
    {PTO_DTYPE_I32, INT32_MAX, 1, INT32_MIN},
    {PTO_DTYPE_I32, INT32_MIN, -1, INT32_MAX},
    {PTO_DTYPE_U32, 0xffffffff, 1, 0},
    {PTO_DTYPE_U32, 0x80000000, 0x7fffffff, 0xffffffff},
    {PTO_DTYPE_I64, INT64_MAX, 1, INT64_MIN},
    {PTO_DTYPE_I64, INT64_MIN, -1, INT64_MAX},
    {PTO_DTYPE_I64, INT32_MAX, 1, (int64_t)INT32_MAX + 1},
    {PTO_DTYPE_U64, -1, 1, 0},
    {PTO_DTYPE_U64, INT64_MIN, INT64_MAX, -1},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
