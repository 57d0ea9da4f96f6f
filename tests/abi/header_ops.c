/* header_ops.c: and so must the half that it includes. */
#include "pto_c_ops.h"

int header_ops_compiles(void);
int header_ops_compiles(void) { return (int)PTO_OP_TPOW; }
