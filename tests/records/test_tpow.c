/* test_tpow.c: the C99 table of pow, borders of each float format, wrapping integers. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"tpow", REF_POW, OP_WALK_TILE, OP_TMP_LIKE_DST};

static const known_float k_floats[] = {
    /* x ** 0 and 1 ** y, also for NaN */
    {NAN, 0, 1},
    {NAN, -0.0F, 1},
    {INFINITY, 0, 1},
    {-INFINITY, -0.0F, 1},
    {0, 0, 1},
    {-0.0F, 0, 1},
    {-3, 0, 1},
    {1, NAN, 1},
    {1, INFINITY, 1},
    {1, -INFINITY, 1},
    {1, 3.5F, 1},
    {1, -128, 1},
    /* -1 ** infinity */
    {-1, INFINITY, 1},
    {-1, -INFINITY, 1},
    /* 0 ** negative */
    {0, -1, INFINITY},
    {-0.0F, -1, -INFINITY},
    {0, -3, INFINITY},
    {-0.0F, -3, -INFINITY},
    {0, -2, INFINITY},
    {-0.0F, -2, INFINITY},
    {0, -0.5F, INFINITY},
    {-0.0F, -0.5F, INFINITY},
    {0, -INFINITY, INFINITY},
    {-0.0F, -INFINITY, INFINITY},
    /* 0 ** positive */
    {0, 1, 0},
    {-0.0F, 1, -0.0F},
    {0, 3, 0},
    {-0.0F, 3, -0.0F},
    {-0.0F, 2, 0},
    {-0.0F, 0.5F, 0},
    {0, INFINITY, 0},
    {-0.0F, INFINITY, 0},
    /* x ** infinity */
    {0.5F, INFINITY, 0},
    {-0.5F, INFINITY, 0},
    {0.5F, -INFINITY, INFINITY},
    {-0.5F, -INFINITY, INFINITY},
    {2, INFINITY, INFINITY},
    {-2, INFINITY, INFINITY},
    {2, -INFINITY, 0},
    {-2, -INFINITY, 0},
    {INFINITY, INFINITY, INFINITY},
    {-INFINITY, -INFINITY, 0},
    /* infinity ** y */
    {-INFINITY, -3, -0.0F},
    {-INFINITY, -2, 0},
    {-INFINITY, -0.5F, 0},
    {-INFINITY, 3, -INFINITY},
    {-INFINITY, 2, INFINITY},
    {-INFINITY, 0.5F, INFINITY},
    {INFINITY, -1, 0},
    {INFINITY, 0.5F, INFINITY},
    /* not a number */
    {-2, 0.5F, NAN},
    {-1, 1.5F, NAN},
    {-0.25F, -0.5F, NAN},
    {NAN, 1, NAN},
    {NAN, INFINITY, NAN},
    {2, NAN, NAN},
    {0, NAN, NAN},
    {NAN, NAN, NAN},
    {-1, NAN, NAN},
    {INFINITY, NAN, NAN},
    /* numbers */
    {2, 10, 1024},
    {2, -1, 0.5F},
    {-2, 3, -8},
    {-2, 2, 4},
    {-2, -1, -0.5F},
    {4, 0.5F, 2},
    {9, 1.5F, 27},
    {3, 4, 81},
    {1.5F, 2, 2.25F},
    {2, -14, 0x1p-14F},
    {2, -24, 0x1p-24F},
    {0.25F, -1.5F, 8},
    {-1, 127, -1},
    {-1, 128, 1},
    {-1, -127, -1},
    {16, 0.25F, 2},
    {100, 1, 100},
    /* beyond the range */
    {128, 127, INFINITY},
    {-128, 127, -INFINITY},
    {-128, 126, INFINITY},
    {128, -127, 0},
    {-128, -127, -0.0F},
    {0.125F, 128, 0},
    {0.125F, -128, INFINITY},
};

static const known_bits k_bits[] = {
    /* f32: the smallest and the largest results, odd and even exponents at the end of the odd numbers */
    {PTO_DTYPE_F32, 0x40000000, (int32_t)0xc3150000, 1},                   /* 2 ** -149 */
    {PTO_DTYPE_F32, 0x40000000, (int32_t)0xc3160000, 0},                   /* 2 ** -150: a tie, to even */
    {PTO_DTYPE_F32, 0x40000000, 0x42fe0000, 0x7f000000},                   /* 2 ** 127 */
    {PTO_DTYPE_F32, 0x40000000, 0x43000000, 0x7f800000},                   /* 2 ** 128 */
    {PTO_DTYPE_F32, 0x00000001, 0x3f000000, 0x1a3504f3},                   /* the smallest subnormal ** 0.5 */
    {PTO_DTYPE_F32, 0x00000001, (int32_t)0xbf800000, 0x7f800000},          /* its reciprocal overflows */
    {PTO_DTYPE_F32, (int32_t)0xbf800000, 0x4b7fffff, (int32_t)0xbf800000}, /* -1 ** 16777215 */
    {PTO_DTYPE_F32, (int32_t)0xbf800000, 0x4b800000, 0x3f800000},          /* -1 ** 16777216 */
    {PTO_DTYPE_F32, 0x7f800001, 0, 0x3f800000},                            /* a signalling NaN ** 0 */
    /* f16: -1 ** 2047 and 2048; the smallest and the largest powers of two; a tie to even below the smallest */
    {PTO_DTYPE_F16, 0xbc00, 0x67ff, 0xbc00},
    {PTO_DTYPE_F16, 0xbc00, 0x6800, 0x3c00},
    {PTO_DTYPE_F16, 0x4000, 0x4b80, 0x7800},
    {PTO_DTYPE_F16, 0x4000, 0x4c00, 0x7c00},
    {PTO_DTYPE_F16, 0x4000, 0xce40, 0x0000},
    {PTO_DTYPE_F16, 0x4000, 0xce00, 0x0001},
    {PTO_DTYPE_F16, 0x4000, 0x3800, 0x3da8}, /* 2 ** 0.5 */
    /* bf16: -1 ** 255 and 256, 2 ** 0.5 */
    {PTO_DTYPE_BF16, 0xbf80, 0x437f, 0xbf80},
    {PTO_DTYPE_BF16, 0xbf80, 0x4380, 0x3f80},
    {PTO_DTYPE_BF16, 0x4000, 0x3f00, 0x3fb5},
    {PTO_DTYPE_I8, 2, 7, -128},
    {PTO_DTYPE_I8, 3, 5, -13},
    {PTO_DTYPE_I8, -2, 7, -128},
    {PTO_DTYPE_I8, -2, 8, 0},
    {PTO_DTYPE_I8, -1, -3, -1},
    {PTO_DTYPE_I8, -1, -2, 1},
    {PTO_DTYPE_I8, 1, -5, 1},
    {PTO_DTYPE_I8, 2, -1, 0},
    {PTO_DTYPE_I8, 0, -1, 0},
    {PTO_DTYPE_I8, 0, 0, 1},
    {PTO_DTYPE_I8, -128, 1, -128},
    {PTO_DTYPE_I8, -1, -128, 1},
    {PTO_DTYPE_I8, -1, 127, -1},
    {PTO_DTYPE_I8, -128, 0, 1},
    {PTO_DTYPE_U8, 2, 8, 0},
    {PTO_DTYPE_U8, 255, 255, 255},
    {PTO_DTYPE_U8, 3, 255, 171},
    {PTO_DTYPE_U8, 0, 0, 1},
    {PTO_DTYPE_U8, 0, 255, 0},
    {PTO_DTYPE_U8, 255, 128, 1},
    {PTO_DTYPE_I16, 3, 10, -6487},
    {PTO_DTYPE_I16, -1, -32768, 1},
    {PTO_DTYPE_I16, -1, 32767, -1},
    {PTO_DTYPE_I16, 7, -1, 0},
    {PTO_DTYPE_I16, 0, -32768, 0},
    {PTO_DTYPE_I16, 2, 15, -32768},
    {PTO_DTYPE_U16, 3, 65535, 43691},
    {PTO_DTYPE_U16, 65535, 65535, 65535},
    {PTO_DTYPE_U16, 2, 16, 0},
    {PTO_DTYPE_I32, 3, 20, -808182895},
    {PTO_DTYPE_I32, -1, INT32_MIN, 1},
    {PTO_DTYPE_I32, 7, -1, 0},
    {PTO_DTYPE_I32, INT32_MIN, 1, INT32_MIN},
    {PTO_DTYPE_I32, INT32_MIN, 2, 0},
    {PTO_DTYPE_I32, -1, INT32_MAX, -1},
    {PTO_DTYPE_U32, 3, 0xffffffff, 2863311531},
    {PTO_DTYPE_U32, 2, 31, 2147483648},
    {PTO_DTYPE_U32, 2, 32, 0},
    {PTO_DTYPE_U32, 0, 0, 1},
    {PTO_DTYPE_U32, 0, 0xffffffff, 0},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
