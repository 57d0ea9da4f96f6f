/* Writes vectors.txt: calls with their inputs and what the library returns, bit by
 * bit. Tests of every language replay them, so that a binding is judged by the data
 * it moves and the errors it reports, not by numerics of its own. The cases are derived
 * from the library's own list of instructions: a new one needs nothing here.
 *
 * case.c makes and writes one case. The vectors are made in the build directory. vector_digests.txt has a line for each
 * instruction: digests.c. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/extents.h"
#include "case.h"
#include "digests.h"
#include "pto_c.h"

static Operand Tile(const char *name, int32_t role, pto_dtype dtype, int32_t rows, int32_t cols) {
  Operand x;
  memset(&x, 0, sizeof x);
  x.name = name;
  x.role = role;
  x.same = -1;
  x.dtype = dtype;
  x.rows = x.valid_rows = rows;
  x.cols = x.valid_cols = cols;
  x.address = kOwned;
  return x;
}

/* The element type of an operand beside a lead operand: the choice-th that the library names, the
 * lead's own where that is one and choice is 0. */
static pto_dtype DTypeOf(int32_t op, int32_t index, pto_profile profile, pto_dtype lead, int32_t choice) {
  const uint32_t known = pto_op_operand_dtypes(op, index, profile, lead);
  if (known == 0 || (choice == 0 && (known >> lead & 1) != 0)) return lead;
  int32_t count = 0;
  for (int32_t d = 0; d < kDTypes; ++d) count += (int32_t)(known >> d & 1);
  choice %= count;
  for (int32_t d = 0;; ++d) {
    if ((known >> d & 1) != 0 && choice-- == 0) return (pto_dtype)d;
  }
}

static bool IsFloat(pto_dtype dtype) {
  return dtype == PTO_DTYPE_F16 || dtype == PTO_DTYPE_BF16 || dtype == PTO_DTYPE_F32;
}

/* Of an operand with a value for each group of elements. */
enum { kGroup = 32 };
static int32_t Groups(int32_t elements) { return (elements + kGroup - 1) / kGroup; }

/* Makes a tile hold what fits rows x cols of the lead operand. */
static void Extend(Operand *x, int32_t extent, int32_t cols) {
  const int32_t size = pto_dtype_bytes(x->dtype);
  switch (extent) {
    case PTO_EXTENT_ROW:
    case PTO_EXTENT_COL_RESULTS:
    case PTO_EXTENT_TABLE_INDEX:
      x->rows = x->valid_rows = 1;
      break;
    case PTO_EXTENT_COLUMN:
    case PTO_EXTENT_ROW_RESULTS:
      x->cols = x->valid_cols = 1;
      break;
    case PTO_EXTENT_BITS:
      x->cols = x->valid_cols = ((cols + 7) / 8 + size - 1) / size;
      break;
    case PTO_EXTENT_FIRST:
      x->rows = x->valid_rows = x->cols = x->valid_cols = 1;
      break;
    case PTO_EXTENT_RIGHT: /* of a square matrix */
      x->rows = x->valid_rows = cols;
      break;
    case PTO_EXTENT_LEFT_SCALES:
    case PTO_EXTENT_ROW_GROUPS:
      x->cols = x->valid_cols = Groups(cols);
      break;
    case PTO_EXTENT_RIGHT_SCALES: /* of the columns of the square */
      x->rows = x->valid_rows = Groups(cols);
      break;
    case PTO_EXTENT_COL_GROUPS:
      x->rows = x->valid_rows = Groups(x->rows);
      break;
    case PTO_EXTENT_RECORDS:
      if (x->role == PTO_ROLE_OUT) x->cols = x->valid_cols = cols * 8 / size;
      break;
    case PTO_EXTENT_BINS:
      x->cols = x->valid_cols = 256;
      break;
    default:
      break;
  }
}

/* Profiles of machines want rows of whole 32 bytes. */
static void Align(Operand *x) {
  const int32_t size = pto_dtype_bytes(x->dtype);
  x->cols = (x->cols * size + 31) / 32 * 32 / size;
}

/* A call with a lead operand of dtype and rows x cols, and all others as the library needs them beside it. */
static Case Base(const char *what, int32_t op, pto_profile profile, pto_dtype dtype, uint32_t flags, int32_t rows,
                 int32_t cols, int32_t choice) {
  Case c;
  memset(&c, 0, sizeof c);
  c.op = op;
  c.profile = profile;
  c.flags = flags;
  snprintf(c.name, sizeof c.name, "%s-%s-%s-%s%s", pto_op_name(op), kProfiles[profile], pto_dtype_name(dtype), what,
           flags != 0 ? "-flags" : "");
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t role = pto_op_operand_role(op, i);
    if (role == PTO_ROLE_FLAGS) continue;
    Operand x = Tile(pto_op_operand_name(op, i), role, dtype, rows, cols);
    x.index = i;
    x.extent = pto_op_operand_extent(op, i);
    x.tensor = IsTensor(role);
    x.scalar = IsFloat(dtype) ? pto_float(1.5) : pto_int(3);
    if (!IsNumber(role) && i != pto_op_lead(op)) x.dtype = DTypeOf(op, i, profile, dtype, choice);
    Extend(&x, pto_op_operand_extent(op, i), cols);
    extent_of_move(op, i, &x.rows, &x.cols);
    x.valid_rows = x.rows;
    x.valid_cols = x.cols;
    if (profile != PTO_PROFILE_CPU && !x.tensor) Align(&x);
    if (c.count == kMaxOperands) Die("an instruction has too many operands");
    c.operands[c.count++] = x;
  }
  return c;
}

/* Whether all operands can be made: a layout may not go with a size. */
static bool CanBe(const Case *c) {
  pto_context *ctx = pto_context_create(c->profile);
  bool can = true;
  for (int32_t i = 0; i < c->count; ++i) {
    const Operand *x = &c->operands[i];
    const Thing thing = Make(ctx, x);
    can = can && (x->tensor || IsNumber(x->role) || thing.tile != NULL);
    Release(thing);
  }
  pto_context_release(ctx);
  return can;
}

static void Finish(Case *c) {
  FillAll(c);
  if (CanBe(c)) Write(c);
}

/* Asks the library until it has no complaint about tmp: profiles differ in the scratch they need. */
static void MendTmp(Case *c) {
  for (int32_t turn = 0; turn < 4; ++turn) {
    pto_context *ctx = pto_context_create(c->profile);
    Thing things[kMaxOperands] = {{NULL, NULL}};
    Operand *tmp = NULL;
    for (int32_t i = 0; i < c->count; ++i) {
      things[i] = Make(ctx, &c->operands[i]);
      if (c->operands[i].role == PTO_ROLE_TMP) tmp = &c->operands[i];
    }
    const pto_status status = Call(ctx, c, things);
    const char *rule = pto_context_error_rule(ctx);
    if (tmp != NULL && status != PTO_OK && strcmp(rule, "tmp-dtype") == 0) {
      tmp->dtype = PTO_DTYPE_U8;
      tmp->cols = tmp->valid_cols = 32;
    } else if (tmp != NULL && status != PTO_OK && strcmp(rule, "tmp-spare-row") == 0) {
      tmp->valid_rows = ++tmp->rows;
    } else if (tmp != NULL && status != PTO_OK && strcmp(rule, "tmp-transposed") == 0) {
      tmp->cols = tmp->valid_cols *= 32; /* a column of one square for each element of a row */
    } else {
      turn = 4;
    }
    for (int32_t i = 0; i < c->count; ++i) Release(things[i]);
    pto_context_release(ctx);
  }
}

/* A call under the CPU profile with a margin that must stay as it was, and more than one group of what has groups. */
static Case Margin(const char *what, int32_t op, pto_dtype dtype, uint32_t flags, int32_t choice) {
  int32_t rows = 2;
  int32_t cols = 12;
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const int32_t extent = pto_op_operand_extent(op, i);
    if (extent == PTO_EXTENT_LEFT_SCALES || extent == PTO_EXTENT_ROW_GROUPS) cols = kGroup + 6;
    if (extent == PTO_EXTENT_COL_GROUPS) rows = kGroup + 2;
  }
  Case c = Base(what, op, PTO_PROFILE_CPU, dtype, flags, rows, cols, choice);
  for (int32_t i = 0; i < c.count; ++i) {
    if (!c.operands[i].tensor) c.operands[i].cols += IsPacked(c.operands[i].dtype) ? 2 : 1;
    c.operands[i].none = c.operands[i].role == PTO_ROLE_TMP;
  }
  return c;
}

/* Every element type with and without each flag, and beside it each type that another operand may have. */
static void Values(int32_t op) {
  for (int32_t d = 0; d < kDTypes; ++d) {
    const pto_dtype dtype = (pto_dtype)d;
    const uint32_t known = (uint32_t)pto_op_flags(op);
    int32_t choices = 1;
    for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
      const uint32_t types = i == pto_op_lead(op) ? 1 : pto_op_operand_dtypes(op, i, PTO_PROFILE_CPU, dtype);
      int32_t count = 0;
      for (int32_t t = 0; t < kDTypes; ++t) count += (int32_t)(types >> t & 1);
      if (count > choices) choices = count;
    }
    for (uint32_t flag = 0; flag <= known; flag = flag == 0 ? 1 : flag << 1) {
      if (flag != 0 && (known & flag) == 0) continue;
      if (!pto_op_supports(op, PTO_PROFILE_CPU, dtype, flag)) continue;
      for (int32_t choice = 0; choice < choices; ++choice) {
        char what[32];
        snprintf(what, sizeof what, choices == 1 ? "values" : "values%d", (int)choice);
        Case c = Margin(what, op, dtype, flag, choice);
        Finish(&c);
      }
    }
  }
}

/* Whether each profile takes each element type, on one line of 32 bytes. */
static void Profiles(int32_t op) {
  for (int32_t p = PTO_PROFILE_CPU; p <= PTO_PROFILE_A5; ++p) {
    for (int32_t d = 0; d < kDTypes; ++d) {
      const pto_dtype dtype = (pto_dtype)d;
      if (d > PTO_DTYPE_E4M3 && !pto_op_supports(op, PTO_PROFILE_CPU, dtype, 0)) continue; /* refused as E4M3 is */
      /* Numbers do not depend on the profile: one that has the type is replayed once more, under A2A3. */
      if (p != PTO_PROFILE_A2A3 && pto_op_supports(op, (pto_profile)p, dtype, 0)) continue;
      Case c = Base("profile", op, (pto_profile)p, dtype, 0, 1, 32 / pto_dtype_bytes(dtype), 0);
      MendTmp(&c);
      Finish(&c);
    }
  }
}

static pto_dtype FirstDType(int32_t op, pto_profile profile) {
  for (int32_t d = 0; d < kDTypes; ++d) {
    const pto_dtype dtype = (pto_dtype)((d + PTO_DTYPE_F16) % kDTypes); /* floats first */
    if (pto_op_supports(op, profile, dtype, 0)) return dtype;
  }
  return (pto_dtype)kDTypes; /* none */
}

/* Scalars of every kind, in range and out of it, exact and not. */
static void Scalars(int32_t op, int32_t at) {
  const pto_scalar numbers[] = {pto_int(-1),          pto_int(((int64_t)1 << 53) + 1),
                                pto_int(INT64_MIN),   pto_uint(7),
                                pto_uint(UINT64_MAX), pto_float(2.0),
                                pto_float(2.5),       pto_float(-0.0),
                                pto_float(1e300),     pto_bits(1),
                                pto_bits(0x7fc1),     pto_bits(UINT64_MAX)};
  const pto_dtype dtypes[] = {FirstDType(op, PTO_PROFILE_CPU), PTO_DTYPE_I32, PTO_DTYPE_I64, PTO_DTYPE_U64};
  for (int32_t d = 0; d < 4; ++d) {
    if (!pto_op_supports(op, PTO_PROFILE_CPU, dtypes[d], 0) || (d > 0 && dtypes[d] == dtypes[0])) continue;
    for (int32_t n = 0; n < (int32_t)(sizeof numbers / sizeof *numbers); ++n) {
      char what[32];
      snprintf(what, sizeof what, "scalar%d", (int)n);
      Case c = Margin(what, op, dtypes[d], 0, 0);
      c.operands[at].scalar = numbers[n];
      Finish(&c);
    }
  }
}

/* Every number operand through its values. */
static void Numbers(int32_t op, bool first_of_shape) {
  const Case plain = Margin("", op, FirstDType(op, PTO_PROFILE_CPU), 0, 0);
  for (int32_t i = 0; i < plain.count; ++i) {
    const Operand *x = &plain.operands[i];
    if (x->role == PTO_ROLE_SCALAR && first_of_shape) Scalars(op, i);
    if (x->role != PTO_ROLE_INT && x->role != PTO_ROLE_MODE) continue;
    /* -1 is not a value of any mode: each language has a way to say an enum's value that it does not know. */
    for (int32_t value = -1; value < 16; ++value) {
      if (x->role == PTO_ROLE_MODE && value >= 0 && pto_op_operand_mode_value(op, x->index, value) == NULL) continue;
      if (x->role == PTO_ROLE_INT && value > 2) continue;
      char what[64];
      snprintf(what, sizeof what, "%s%d", x->name, (int)value);
      Case c = Margin(what, op, FirstDType(op, PTO_PROFILE_CPU), 0, 0);
      c.operands[i].value = value;
      Finish(&c);
    }
  }
}

/* Another type of the same size. */
static pto_dtype Other(pto_dtype dtype) {
  switch (pto_dtype_bytes(dtype)) {
    case 1:
      return dtype == PTO_DTYPE_I8 ? PTO_DTYPE_U8 : PTO_DTYPE_I8;
    case 2:
      return dtype == PTO_DTYPE_I16 ? PTO_DTYPE_F16 : PTO_DTYPE_I16;
    case 4:
      return dtype == PTO_DTYPE_I32 ? PTO_DTYPE_F32 : PTO_DTYPE_I32;
    default:
      return dtype == PTO_DTYPE_I64 ? PTO_DTYPE_U64 : PTO_DTYPE_I64;
  }
}

/* One thing wrong, or odd but legal, at one operand at a time. */
static void Faults(int32_t op, pto_profile profile) {
  static const char *const kWhat[] = {"none",  "dtype", "fewer-cols", "no-rows", "col-major",
                                      "boxed", "mat",   "no-address", "on-chip", "same"};
  enum { kNone, kDType, kFewer, kNoRows, kColMajor, kBoxed, kMat, kManual, kOnChip, kSame, kKinds };
  const pto_dtype dtype = FirstDType(op, profile);
  if ((int)dtype == kDTypes) return; /* the profile does not have the instruction */
  const int32_t cols = profile == PTO_PROFILE_CPU ? 5 : 32 / pto_dtype_bytes(dtype);
  for (int32_t kind = 0; kind < kKinds; ++kind) {
    const int32_t operands = Base("", op, profile, dtype, 0, 1, cols, 0).count;
    for (int32_t i = 0; i < operands; ++i) {
      char what[64];
      Case c = Base("", op, profile, dtype, 0, 1, cols, 0);
      snprintf(what, sizeof what, "%s-%s", kWhat[kind], c.operands[i].name);
      c = Base(what, op, profile, dtype, 0, 1, cols, 0);
      MendTmp(&c);
      Operand *x = &c.operands[i];
      if (IsNumber(x->role)) continue;
      /* The rest is judged alike under every profile, and the file is kept short. */
      const bool differs = x->role == PTO_ROLE_TMP || kind == kFewer || kind == kColMajor || kind == kSame;
      if (profile != PTO_PROFILE_CPU && !differs) continue;
      if (x->tensor && kind > kFewer) continue; /* a tensor has no location, layout or address */
      switch (kind) {
        case kNone:
          x->none = true;
          break;
        case kDType:
          x->dtype = Other(x->dtype);
          break;
        case kFewer:
          x->valid_cols = x->valid_cols - 1;
          if (x->tensor) x->cols = x->valid_cols;
          break;
        case kNoRows:
          x->valid_rows = 0;
          break;
        case kColMajor:
          x->blayout = PTO_BLAYOUT_COL_MAJOR;
          if (profile == PTO_PROFILE_CPU) break;
          x->rows = 32 / pto_dtype_bytes(x->dtype); /* a whole column of 32 bytes */
          x->cols = x->valid_cols = 1;
          break;
        case kBoxed:
          x->slayout = PTO_SLAYOUT_ROW_MAJOR;
          if (x->rows < 2) x->rows = 2;
          break;
        case kMat:
          x->location = PTO_LOCATION_MAT;
          break;
        case kManual:
          x->address = kNoAddress;
          break;
        case kOnChip:
          x->address = 64;
          break;
        default:
          if (i == 0 || c.operands[0].tensor) continue;
          x->same = 0;
      }
      Finish(&c);
    }
  }
  static const uint32_t kFlags[] = {2, 0x80000000};
  for (int32_t f = 0; f < 2; ++f) {
    Case c = Base(f == 0 ? "unknown" : "unknown-high", op, profile, dtype, kFlags[f], 1, cols, 0);
    Finish(&c);
  }
}

/* Instructions with the same checks: operands of the same roles and extents in the same order. */
static void Shape(int32_t op, char *text, size_t size) {
  size_t at = 0;
  for (int32_t i = 0; i < pto_op_operand_count(op) && at < size; ++i) {
    const char *mode = pto_op_operand_mode(op, i);
    at += (size_t)snprintf(text + at, size - at, "%d %d %s,", (int)pto_op_operand_role(op, i),
                           (int)pto_op_operand_extent(op, i), mode == NULL ? "" : mode);
  }
}

static bool FirstOfShape(int32_t index) {
  char ours[256], theirs[256];
  Shape(pto_op_at(index), ours, sizeof ours);
  for (int32_t i = 0; i < index; ++i) {
    Shape(pto_op_at(i), theirs, sizeof theirs);
    if (strcmp(ours, theirs) == 0) return false;
  }
  return true;
}

/* Elements that are written are read again, for every element type and layout. */
static void Copies(void) {
  static const struct {
    const char *name;
    pto_blayout blayout;
    pto_slayout slayout;
    int32_t fractal;
  } kLayouts[] = {{"nd", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_NONE_BOX, 512},
                  {"dn", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_NONE_BOX, 512},
                  {"nz", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 512},
                  {"zn", PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_COL_MAJOR, 512},
                  {"nz32", PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR, 32}};
  for (int32_t d = 0; d < kDTypes; ++d) {
    for (int32_t l = 0; l < 5; ++l) {
      Case c;
      memset(&c, 0, sizeof c);
      c.op = -1;
      c.profile = PTO_PROFILE_CPU;
      c.count = 1;
      Operand *x = &c.operands[0];
      *x = IsPacked((pto_dtype)d) ? Tile("x", PTO_ROLE_OUT, (pto_dtype)d, 4, 6)
                                  : Tile("x", PTO_ROLE_OUT, (pto_dtype)d, 3, 5);
      x->valid_rows = 2;
      x->valid_cols = IsPacked((pto_dtype)d) ? 3 : 4;
      x->blayout = kLayouts[l].blayout;
      x->slayout = kLayouts[l].slayout;
      x->fractal = kLayouts[l].fractal;
      snprintf(c.name, sizeof c.name, "copy-CPU-%s-%s", pto_dtype_name((pto_dtype)d), kLayouts[l].name);
      Finish(&c);
    }
  }
}

int main(int argc, char **argv) {
  FILE *out = Vectors(argc, argv);
  WriteTo(out);
  Copies();
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    /* Tensors have two dimensions here, images five: of these there are the faults, which are of other operands. */
    const bool image = strcmp(pto_op_name(op), "timg2col") == 0;
    if (!image) {
      Values(op);
      Profiles(op);
      Numbers(op, FirstOfShape(i));
    }
    if (!FirstOfShape(i)) continue; /* Faults are of the shape; values and types are of the instruction. */
    Faults(op, PTO_PROFILE_CPU);
    Faults(op, PTO_PROFILE_A2A3);
  }
  return Ended(argc, argv, out);
}
