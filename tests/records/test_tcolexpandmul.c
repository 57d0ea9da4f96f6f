/* test_tcolexpandmul.c: zero times infinity, signed zeros, overflow, wrapping products. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"tcolexpandmul", REF_MUL, OP_WALK_COL_EXPAND, OP_TMP_NONE};

static const known_float k_floats[] = {
    {6, 3, 18},
    {-6, 0.5F, -3},
    {0, INFINITY, NAN},
    {-0.0F, INFINITY, NAN},
    {INFINITY, -2, -INFINITY},
    {0, -3, -0.0F},
    {-0.0F, -3, 0},
    {INFINITY, INFINITY, INFINITY},
    {NAN, 0, NAN},
    {0, NAN, NAN},
};

static const known_bits k_bits[] = {
    {PTO_DTYPE_F32, 0x7f7fffff, 0x40000000, 0x7f800000}, /* overflow */
    {PTO_DTYPE_F32, 0x00000001, 0x3f000000, 0x00000000}, /* a tie, to even */
    {PTO_DTYPE_F32, 0x00000003, 0x3f000000, 0x00000002}, /* a tie, to even */
    {PTO_DTYPE_F16, 0x7bff, 0x4000, 0x7c00},
    {PTO_DTYPE_F16, 0x0001, 0x3800, 0x0000},
    {PTO_DTYPE_F16, 0x0003, 0x3800, 0x0002},
    {PTO_DTYPE_BF16, 0x7f7f, 0x4000, 0x7f80},
    {PTO_DTYPE_I8, 100, 3, 44},
    {PTO_DTYPE_I8, -128, -1, -128},
    {PTO_DTYPE_I8, -5, 5, -25},
    {PTO_DTYPE_U8, 255, 255, 1},
    {PTO_DTYPE_U8, 16, 16, 0},
    {PTO_DTYPE_I16, -32768, -1, -32768},
    {PTO_DTYPE_I16, 300, 300, 24464},
    {PTO_DTYPE_U16, 65535, 65535, 1},
    {PTO_DTYPE_U16, 256, 256, 0},
    {PTO_DTYPE_I32, INT32_MIN, -1, INT32_MIN},
    {PTO_DTYPE_I32, 65536, 65536, 0},
    {PTO_DTYPE_I32, 46341, 46341, -2147479015},
    {PTO_DTYPE_U32, 0xffffffff, 0xffffffff, 1},
    {PTO_DTYPE_U32, 65537, 65537, 131073},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
