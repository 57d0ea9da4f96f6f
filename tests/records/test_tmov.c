/* test_tmov.c: every bit moves, also the bits of a signalling NaN. */
#include <math.h>

#include "op_tests.h"

static const op_under_test k_op = {"tmov", REF_FN_COUNT, OP_WALK_COPY, OP_TMP_NONE};

static const known_float k_floats[] = {{1, 0, 1}, {-0.0F, 0, -0.0F}, {INFINITY, 0, INFINITY}};

static const known_bits k_bits[] = {
    {PTO_DTYPE_F32, 0x7f800001, 0, 0x7f800001},
    {PTO_DTYPE_F16, 0xfc01, 0, 0xfc01},
    {PTO_DTYPE_BF16, 0x7fff, 0, 0x7fff},
    {PTO_DTYPE_I8, -128, 0, -128},
    {PTO_DTYPE_U8, 255, 0, 255},
    {PTO_DTYPE_I16, -32768, 0, -32768},
    {PTO_DTYPE_U16, 65535, 0, 65535},
    {PTO_DTYPE_I32, INT32_MIN, 0, INT32_MIN},
    {PTO_DTYPE_U32, 0xffffffff, 0, 0xffffffff},
    {PTO_DTYPE_I64, INT64_MIN, 0, INT64_MIN},
    {PTO_DTYPE_U64, -1, 0, -1},
    {PTO_DTYPE_E4M3, 0x7f, 0, 0x7f},
    {PTO_DTYPE_E5M2, 0xfd, 0, 0xfd},
    {PTO_DTYPE_HIF8, 0x80, 0, 0x80},
    {PTO_DTYPE_E8M0, 0xff, 0, 0xff},
};

int main(void) { return op_tests_main(&k_op, KNOWN(k_floats), KNOWN(k_bits)); }
