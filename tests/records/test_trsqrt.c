/* test_trsqrt.c: signed zeros, infinities, negative numbers, subnormals. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"trsqrt", REF_RSQRT, OP_WALK_TILE, OP_TMP_LIKE_DST};

static const known_float k_floats[] = {
    {0, 0, INFINITY}, {-0.0F, 0, -INFINITY}, {INFINITY, 0, 0},    {-INFINITY, 0, NAN},   {NAN, 0, NAN},
    {-1, 0, NAN},     {-0x1p-14F, 0, NAN},   {1, 0, 1},           {4, 0, 0.5F},          {0.25F, 0, 2},
    {16, 0, 0.25F},   {0x1p-14F, 0, 128},    {0x1p-24F, 0, 4096}, {0x1p14F, 0, 0x1p-7F},
};

static const known_bits k_bits[] = {
    {PTO_DTYPE_F32, 0x40000000, 0, 0x3f3504f3},          /* 2 */
    {PTO_DTYPE_F32, 0x00000001, 0, 0x64b504f3},          /* the smallest subnormal */
    {PTO_DTYPE_F32, (int32_t)0x80000001, 0, 0x7fc00000}, /* a negative subnormal */
    {PTO_DTYPE_F32, 0x7f7fffff, 0, 0x1f800000},          /* the largest number */
    {PTO_DTYPE_F16, 0x4000, 0, 0x39a8},
    {PTO_DTYPE_F16, 0x8001, 0, 0x7e00},
    {PTO_DTYPE_F16, 0x7bff, 0, 0x1c00},
    {PTO_DTYPE_BF16, 0x4000, 0, 0x3f35},
    {PTO_DTYPE_BF16, 0x8001, 0, 0x7fc0},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
