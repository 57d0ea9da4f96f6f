/* test_tcolexpanddiv.c: division by zero, infinities, truncation, the one quotient that overflows. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"tcolexpanddiv", REF_DIV, OP_WALK_COL_EXPAND, OP_TMP_NONE};

static const known_float k_floats[] = {
    {6, 3, 2},
    {-6, 3, -2},
    {1, 4, 0.25F},
    {1, 0, INFINITY},
    {-1, 0, -INFINITY},
    {1, -0.0F, -INFINITY},
    {0, 0, NAN},
    {-0.0F, 0, NAN},
    {INFINITY, INFINITY, NAN},
    {INFINITY, -INFINITY, NAN},
    {1, INFINITY, 0},
    {-1, INFINITY, -0.0F},
    {INFINITY, 2, INFINITY},
    {INFINITY, 0, INFINITY},
    {0, -3, -0.0F},
    {0, INFINITY, 0},
    {NAN, 1, NAN},
    {1, NAN, NAN},
};

static const known_bits k_bits[] = {
    {PTO_DTYPE_F32, 0x3f800000, 0x40400000, 0x3eaaaaab}, /* 1 / 3 */
    {PTO_DTYPE_F32, 0x7f7fffff, 0x3f000000, 0x7f800000}, /* overflow */
    {PTO_DTYPE_F32, 0x00000001, 0x40000000, 0x00000000}, /* a tie, to even */
    {PTO_DTYPE_F32, 0x00000003, 0x40000000, 0x00000002}, /* a tie, to even */
    {PTO_DTYPE_F16, 0x3c00, 0x4200, 0x3555},
    {PTO_DTYPE_F16, 0x0001, 0x4000, 0x0000},
    {PTO_DTYPE_F16, 0x7bff, 0x3800, 0x7c00},
    {PTO_DTYPE_BF16, 0x3f80, 0x4040, 0x3eab},
    {PTO_DTYPE_I8, 7, 2, 3},
    {PTO_DTYPE_I8, -7, 2, -3},
    {PTO_DTYPE_I8, 7, -2, -3},
    {PTO_DTYPE_I8, -128, -1, -128},
    {PTO_DTYPE_I8, -128, 1, -128},
    {PTO_DTYPE_I8, 5, 0, 0},
    {PTO_DTYPE_I8, 0, 0, 0},
    {PTO_DTYPE_I8, -128, 0, 0},
    {PTO_DTYPE_U8, 255, 2, 127},
    {PTO_DTYPE_U8, 255, 0, 0},
    {PTO_DTYPE_U8, 3, 255, 0},
    {PTO_DTYPE_U8, 255, 255, 1},
    {PTO_DTYPE_I16, -32768, -1, -32768},
    {PTO_DTYPE_I16, -32767, 2, -16383},
    {PTO_DTYPE_I16, 9, 0, 0},
    {PTO_DTYPE_U16, 65535, 256, 255},
    {PTO_DTYPE_U16, 65535, 0, 0},
    {PTO_DTYPE_U16, 65535, 65534, 1},
    {PTO_DTYPE_I32, INT32_MIN, -1, INT32_MIN},
    {PTO_DTYPE_I32, INT32_MAX, 3, 715827882},
    {PTO_DTYPE_I32, INT32_MIN, 0, 0},
    {PTO_DTYPE_I32, INT32_MIN, INT32_MAX, -1},
    {PTO_DTYPE_I32, 16777217, 1, 16777217},
    {PTO_DTYPE_U32, 0xffffffff, 1, 0xffffffff},
    {PTO_DTYPE_U32, 0xffffffff, 0x80000000, 1},
    {PTO_DTYPE_U32, 7, 0, 0},
    {PTO_DTYPE_U32, 0xfffffffe, 0xffffffff, 0},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
