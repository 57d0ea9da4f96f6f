/* test_tprelu.c: which values take the slope, signed zeros, NaN, wrapping products. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"tprelu", REF_PRELU, OP_WALK_TILE, OP_TMP_MASK};

static const known_float k_floats[] = {
    {3, -1, 3},
    {3, NAN, 3},
    {INFINITY, -1, INFINITY},
    {0x1p-24F, 0, 0x1p-24F},
    {-2, 0.5F, -1},
    {-2, -3, 6},
    {-1, 0, -0.0F},
    {-1, -0.0F, 0},
    {-INFINITY, 2, -INFINITY},
    {-INFINITY, -1, INFINITY},
    {-INFINITY, 0, NAN},
    {-2, NAN, NAN},
    {-1, INFINITY, -INFINITY},
    /* a zero is not positive */
    {0, 5, 0},
    {0, -5, -0.0F},
    {-0.0F, 2, -0.0F},
    {-0.0F, -5, 0},
    {0, INFINITY, NAN},
    {0, NAN, NAN},
    {-0.0F, INFINITY, NAN},
    /* nor is NaN */
    {NAN, 2, NAN},
    {NAN, 0, NAN},
    {NAN, NAN, NAN},
};

static const known_bits k_bits[] = {
    {PTO_DTYPE_F32, (int32_t)0xff7fffff, 0x40000000, (int32_t)0xff800000}, /* the product overflows */
    {PTO_DTYPE_F32, (int32_t)0x80000001, 0x3f000000, (int32_t)0x80000000}, /* half the smallest: a tie, to even */
    {PTO_DTYPE_F32, 0x00000001, 0, 0x00000001},                            /* a subnormal is positive */
    {PTO_DTYPE_F16, 0x8001, 0x3800, 0x8000},
    {PTO_DTYPE_F16, 0x8003, 0x3800, 0x8002},
    {PTO_DTYPE_F16, 0xfbff, 0x4000, 0xfc00},
    {PTO_DTYPE_I8, 5, 9, 5},
    {PTO_DTYPE_I8, -100, 2, 56},
    {PTO_DTYPE_I8, -128, -1, -128},
    {PTO_DTYPE_I8, 0, 7, 0},
    {PTO_DTYPE_U8, 200, 3, 200},
    {PTO_DTYPE_U8, 0, 7, 0},
    {PTO_DTYPE_U8, 255, 255, 255},
    {PTO_DTYPE_I16, -20000, 2, 25536},
    {PTO_DTYPE_I16, -32768, -1, -32768},
    {PTO_DTYPE_I16, 7, -7, 7},
    {PTO_DTYPE_U16, 65535, 2, 65535},
    {PTO_DTYPE_U16, 0, 2, 0},
    {PTO_DTYPE_I32, INT32_MIN, -1, INT32_MIN},
    {PTO_DTYPE_I32, -3, 1000000000, 1294967296},
    {PTO_DTYPE_I32, 3, 0, 3},
    {PTO_DTYPE_U32, 0xffffffff, 2, 0xffffffff},
    {PTO_DTYPE_U32, 0, 9, 0},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
