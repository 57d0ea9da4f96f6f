/* case.h: one case of the vectors: a call with its operands. It is filled with elements, made, run and written. */
#ifndef PTO_TESTS_CONFORMANCE_CASE_H_
#define PTO_TESTS_CONFORMANCE_CASE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pto_c.h"

enum { kMaxOperands = 17, kMaxBytes = 4096, kDTypes = PTO_DTYPE_I4 + 1, kOwned = -1, kNoAddress = -2 };

typedef struct Operand {
  const char *name;
  int32_t role;
  int32_t index; /* among all operands of the instruction */
  int32_t extent;
  pto_scalar scalar;
  int32_t value; /* of an integer or a mode */
  bool none;     /* NULL is passed */
  int32_t same;  /* the tile of this operand is passed instead; -1: its own */
  pto_dtype dtype;
  int32_t rows, cols, valid_rows, valid_cols;
  pto_blayout blayout;
  pto_slayout slayout;
  int32_t fractal;
  pto_location location;
  int32_t address; /* kOwned, kNoAddress or an on-chip address */
  bool tensor;     /* a tensor of rows x cols in row order instead of a tile */
  uint8_t data[kMaxBytes];
} Operand;

/* The object of an operand: one of the two, or neither. */
typedef struct Thing {
  pto_tile *tile;
  pto_tensor *tensor;
} Thing;

typedef struct Case {
  char name[96];
  pto_profile profile;
  int32_t op;
  uint32_t flags;
  int32_t count;
  Operand operands[kMaxOperands];
} Case;

extern const char *const kProfiles[]; /* names */

bool IsTensor(int32_t role);
bool IsNumber(int32_t role);
bool IsPacked(pto_dtype dtype);

/* Sets the elements of all operands. They follow from the name of the case. */
void FillAll(Case *c);

/* The tile or tensor of an operand; no tile if none of that geometry can exist. */
Thing Make(pto_context *ctx, const Operand *x);
void Release(Thing thing);

/* Runs a case through pto_inst, which accepts any instruction by name. */
pto_status Call(pto_context *ctx, const Case *c, const Thing *things);

/* Begins the vectors: writes what their lines mean. Write() adds a case with its results. */
void WriteTo(FILE *file);
void Write(const Case *c);

#endif /* PTO_TESTS_CONFORMANCE_CASE_H_ */
