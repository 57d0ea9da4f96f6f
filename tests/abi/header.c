/* header.c: the public header alone must compile, by every standard, without a warning. */
#include "pto_c.h"

int header_compiles(void);
int header_compiles(void) { return (int)PTO_OK; }
