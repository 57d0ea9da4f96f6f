/* Random straight-line programs, run as text and call by call through the C API: every
 * tile and all global memory hold the same bytes at the end. Tiles are of all element
 * types, layouts and pads, valid in part, and share storage by treshape, bitcast, subset
 * and addresses. What a direct call refuses is not written into the text, so that each
 * profile shapes its own programs; that nothing is left out by this is counted. */
#include <stdarg.h>
#include <stdio.h>

#include "../common/profiles.h"
#include "../tensor/tensor_help.h"

enum {
  kArguments = 4,
  kMostTiles = 20,
  kStatements = 40,
  kAttempts = 600,
  kPrograms = 1000,
  kElements = 2048, /* of global memory */
  kConstants = 40,  /* %k0 to %k39 */
  kLeast = 100,     /* times that each kind of statement, type and layout has occurred */
};

static const struct {
  pto_dtype dtype;
  const char *name;
} k_elems[] = {{PTO_DTYPE_F32, "f32"}, {PTO_DTYPE_F16, "f16"}, {PTO_DTYPE_BF16, "bf16"}, {PTO_DTYPE_I32, "i32"},
               {PTO_DTYPE_I16, "i16"}, {PTO_DTYPE_I8, "i8"},   {PTO_DTYPE_U32, "ui32"},  {PTO_DTYPE_U16, "ui16"},
               {PTO_DTYPE_U8, "ui8"},  {PTO_DTYPE_I64, "i64"}, {PTO_DTYPE_U64, "ui64"}};
enum { kElems = sizeof k_elems / sizeof *k_elems };

static const struct {
  pto_blayout blayout;
  pto_slayout slayout;
} k_layouts[] = {{PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_NONE_BOX},  {PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_NONE_BOX},
                 {PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_ROW_MAJOR}, {PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_COL_MAJOR},
                 {PTO_BLAYOUT_ROW_MAJOR, PTO_SLAYOUT_ROW_MAJOR}, {PTO_BLAYOUT_COL_MAJOR, PTO_SLAYOUT_COL_MAJOR}};
enum { kLayouts = sizeof k_layouts / sizeof *k_layouts };

enum kind {
  kPow,
  kSqrt,
  kRelu,
  kAdd,
  kMul,
  kDiv,
  kMove,
  kLoad,
  kStore, /* k_ops, in this order */
  kReshape,
  kBitcast,
  kSubset,
  kAddress,
  kAssign,
  kValid,
  kElement, /* of a tile's storage, by its address */
  kFresh,
  kIndexed,
  kPrecise,
  kGeneric, /* MLIR's generic form */
  kKinds
};
static const struct {
  const char *name;
  int sources;
  int tmp; /* may be given */
} k_ops[] = {{"tpow", 2, 1},          {"trsqrt", 1, 1},        {"tprelu", 2, 1}, {"tpartadd", 2, 0},
             {"tcolexpandmul", 2, 0}, {"tcolexpanddiv", 2, 0}, {"tmov", 1, 0}};

static int g_kinds[kKinds], g_elems[kElems], g_layouts[kLayouts], g_profiles[k_profiles];

struct named {
  char name[8];
  char type[128];
  pto_tile *tile; /* of the direct calls */
  int dynamic;    /* valid=?x? */
  int manual;
};

static struct {
  uint32_t random;
  pto_context *ctx; /* of the direct calls: its on-chip memory is not the program's */
  char text[1 << 16];
  size_t at;
  int64_t steps;  /* that the run will have taken */
  int64_t values; /* of the function */
  struct named tiles[kMostTiles];
  int count;
  size_t elem; /* of global memory */
  pto_tensor *global;
  int views;
} g;

static uint32_t below(uint32_t n) {
  g.random = g.random * 1664525u + 1013904223u;
  return (g.random >> 8) % n;
}
static int chance(uint32_t percent) { return below(100) < percent; }

static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  g.at += (size_t)vsnprintf(g.text + g.at, sizeof g.text - g.at, format, args);
  va_end(args);
  assert_true(g.at < sizeof g.text);
}

/* A statement, and what it works on: docs/ptoas.md, "Steps". */
static void works(int64_t elements) { g.steps += 1 + elements / 64; }

static int64_t valid_of(const pto_tile *tile) {
  return tile == NULL ? 0 : (int64_t)pto_tile_valid_rows(tile) * pto_tile_valid_cols(tile);
}
static int64_t whole_of(const pto_tile *tile) { return (int64_t)pto_tile_rows(tile) * pto_tile_cols(tile); }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* A number as an immediate, or as the constant that holds it. */
static const char *number(int64_t n) {
  static char texts[16][24];
  static int next;
  char *text = texts[next++ % 16];
  snprintf(text, sizeof texts[0], n < kConstants && chance(50) ? "%%k%d" : "%d", (int)n);
  return text;
}

static size_t elem_of(const pto_tile *tile) {
  size_t e = 0;
  while (k_elems[e].dtype != pto_tile_dtype(tile)) ++e;
  return e;
}

static void write_type(struct named *named) {
  const pto_tile *t = named->tile;
  char valid[32] = "?x?";
  if (!named->dynamic) snprintf(valid, sizeof valid, "%dx%d", pto_tile_valid_rows(t), pto_tile_valid_cols(t));
  snprintf(named->type, sizeof named->type,
           "!pto.tile_buf<vec, %dx%dx%s, valid=%s, blayout=%s, slayout=%s, fractal=%d, pad=%d>", pto_tile_rows(t),
           pto_tile_cols(t), k_elems[elem_of(t)].name, valid,
           pto_tile_blayout(t) == PTO_BLAYOUT_ROW_MAJOR ? "row_major" : "col_major",
           pto_tile_slayout(t) == PTO_SLAYOUT_NONE_BOX    ? "none_box"
           : pto_tile_slayout(t) == PTO_SLAYOUT_ROW_MAJOR ? "row_major"
                                                          : "col_major",
           pto_tile_fractal(t), (int)pto_tile_pad(t));
}

/* Takes over the tile and returns its name and type; NULL if it is not a tile, or there are enough. */
static struct named *keep(pto_tile *tile, const char *letter, int dynamic) {
  if (tile == NULL || g.count == kMostTiles) {
    pto_tile_release(tile);
    return NULL;
  }
  struct named *named = &g.tiles[g.count];
  snprintf(named->name, sizeof named->name, "%s%d", letter, g.count++);
  named->tile = tile;
  named->dynamic = dynamic;
  named->manual = 0;
  write_type(named);
  ++g_elems[elem_of(tile)];
  for (int l = 0; l < kLayouts; ++l) {
    g_layouts[l] += k_layouts[l].blayout == pto_tile_blayout(tile) && k_layouts[l].slayout == pto_tile_slayout(tile);
  }
  return named;
}

static pto_tile_desc random_desc(size_t elem) {
  pto_tile_desc desc = tile_desc(k_elems[elem].dtype, (int32_t)(1 + below(9)), (int32_t)(1 + below(40)));
  /* Hardware accepts whole lines and boxes of 32 bytes. */
  if (chance(60)) desc.cols = 32 / pto_dtype_bytes(desc.dtype) * (int32_t)(1 + below(2));
  if (chance(60)) desc.rows = 16;
  const uint32_t l = chance(50) ? 0 : below(kLayouts);
  desc.blayout = k_layouts[l].blayout;
  desc.slayout = k_layouts[l].slayout;
  desc.pad = (pto_pad)below(4);
  if (chance(30)) desc.valid_rows = 1 + (int32_t)below((uint32_t)desc.rows);
  if (chance(30)) desc.valid_cols = 1 + (int32_t)below((uint32_t)desc.cols);
  return desc;
}

static struct named *any(void) { return &g.tiles[below((uint32_t)g.count)]; }

/* Rather one that fits the other. */
static struct named *like(const struct named *other) {
  struct named *found = any();
  for (int i = 0; i < 20; ++i, found = any()) {
    if (pto_tile_dtype(found->tile) == pto_tile_dtype(other->tile) &&
        pto_tile_valid_rows(found->tile) == pto_tile_valid_rows(other->tile) &&
        pto_tile_valid_cols(found->tile) == pto_tile_valid_cols(other->tile)) {
      break;
    }
  }
  return found;
}

static pto_status direct(int op, pto_tile *d, pto_tile *a, pto_tile *b, pto_tile *tmp, uint32_t flags) {
  switch (op) {
    case kPow:
      return pto_tpow(g.ctx, d, a, b, tmp, flags);
    case kSqrt:
      return pto_trsqrt(g.ctx, d, a, tmp, flags);
    case kRelu:
      return pto_tprelu(g.ctx, d, a, b, tmp, flags);
    case kAdd:
      return pto_tpartadd(g.ctx, d, a, b, flags);
    case kMul:
      return pto_tcolexpandmul(g.ctx, d, a, b, flags);
    case kDiv:
      return pto_tcolexpanddiv(g.ctx, d, a, b, flags);
    default:
      return pto_tmov(g.ctx, d, a, flags);
  }
}

/* An instruction in one of its spellings, into a tile that exists or a new one. */
static int instruction(int op) {
  struct named *a = any();
  struct named *b = like(a);
  struct named *tmp = k_ops[op].tmp && chance(40) ? any() : NULL;
  const int precise = (op == kPow || op == kDiv) && chance(30);
  const int fresh = chance(15) && g.count < kMostTiles;
  pto_tile *made = NULL;
  if (fresh) {
    /* The program's new tile is like its first source. */
    pto_tile_desc desc = tile_desc(pto_tile_dtype(a->tile), pto_tile_rows(a->tile), pto_tile_cols(a->tile));
    desc.valid_rows = pto_tile_valid_rows(a->tile);
    desc.valid_cols = pto_tile_valid_cols(a->tile);
    desc.blayout = pto_tile_blayout(a->tile);
    desc.slayout = pto_tile_slayout(a->tile);
    desc.fractal = pto_tile_fractal(a->tile);
    desc.pad = pto_tile_pad(a->tile);
    desc = asked(&desc);
    made = pto_tile_create_from(g.ctx, &desc);
  }
  struct named *d = fresh ? NULL : like(a);
  const pto_status status = direct(op, fresh ? made : d->tile, a->tile, b->tile, tmp == NULL ? NULL : tmp->tile,
                                   precise ? PTO_HIGH_PRECISION : 0);
  if (status != PTO_OK) {
    pto_tile_release(made);
    return 0;
  }
  if (fresh) {
    d = keep(made, "f", a->dynamic);
    ++g_kinds[kFresh];
  }
  g_kinds[kPrecise] += precise;
  char operands[64];
  snprintf(operands, sizeof operands, "%%%s%s%s%s%s", a->name, k_ops[op].sources > 1 ? ", %" : "",
           k_ops[op].sources > 1 ? b->name : "", tmp == NULL ? "" : ", %", tmp == NULL ? "" : tmp->name);
  const char *attribute = precise ? " {precision_mode = #pto<precision_mode HIGH_PRECISION>}" : "";
  const uint32_t form = fresh ? 1 + below(2) : below(4);
  if (form == 3) {
    /* With sources first, then the destination, and a type for each. */
    const struct named *all[] = {a, k_ops[op].sources > 1 ? b : NULL, tmp, d};
    const char *comma = "";
    say(" \"pto.%s\"(%s, %%%s)%s : (", k_ops[op].name, operands, d->name, attribute);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
      if (all[i] != NULL) say("%s%s", comma, all[i]->type), comma = ", ";
    }
    say(") -> ()\n");
    ++g_kinds[kGeneric];
  } else if (form == 0) {
    say(" pto.%s ins(%s) outs(%%%s)%s\n", k_ops[op].name, operands, d->name, attribute);
  } else {
    say(" %%%s = %s%s %s%s\n", d->name, form == 1 ? "" : "pto.", k_ops[op].name, operands, attribute);
  }
  works(larger(larger(valid_of(d->tile), valid_of(a->tile)),
               larger(k_ops[op].sources > 1 ? valid_of(b->tile) : 0, valid_of(tmp == NULL ? NULL : tmp->tile))));
  if (fresh) g.steps += whole_of(d->tile) / 64;
  return 1;
}

/* A load or store of a tile's valid region through a view of any strides, by a partition or by indices. */
static int transfer(int store) {
  struct named *t = any();
  const int64_t rows = pto_tile_valid_rows(t->tile);
  const int64_t cols = pto_tile_valid_cols(t->tile);
  const int dn = chance(40);
  const int indexed = chance(40);
  /* Rows may be two dimensions. */
  const int deep = !indexed && !dn && rows % 2 == 0 && chance(40);
  const int rank = deep ? 3 : 2;
  int64_t sizes[3] = {rows, cols, 0}, offsets[3] = {0}, dims[3], strides[3] = {0};
  if (deep) sizes[0] = 2, sizes[1] = rows / 2, sizes[2] = cols;
  for (int i = 0; i < rank; ++i) {
    offsets[i] = below(3);
    dims[i] = offsets[i] + sizes[i] + below(2);
  }
  int64_t step = 1 + below(2);
  for (int k = 0; k < rank; ++k) {
    const int i = dn ? k : rank - 1 - k;
    strides[i] = step;
    step = step * dims[i] + below(3);
  }
  if (!store && chance(10)) strides[0] = 0;
  int64_t at = below(8), inner = 0;
  for (int i = 0; i < rank; ++i) inner += offsets[i] * strides[i];
  pto_tensor_desc desc = matrix_desc(k_elems[g.elem].dtype, dims[0], dims[1]);
  desc.layout = dn ? PTO_LAYOUT_DN : PTO_LAYOUT_ND;
  desc.rank = rank;
  desc.strided = 1;
  desc.dim2 = dims[2];
  desc.stride0 = strides[0], desc.stride1 = strides[1], desc.stride2 = strides[2];
  pto_tensor *view = pto_tensor_view(g.ctx, g.global, &desc, at);
  desc.dim0 = sizes[0], desc.dim1 = sizes[1], desc.dim2 = sizes[2];
  pto_tensor *part = view == NULL ? NULL : pto_tensor_view(g.ctx, view, &desc, inner);
  const int done =
      part != NULL && (store ? pto_tstore(g.ctx, part, t->tile, 0) : pto_tload(g.ctx, t->tile, part, 0)) == PTO_OK;
  pto_tensor_release(part);
  pto_tensor_release(view);
  if (!done) return 0;
  const int v = g.views++;
  const char *elem = k_elems[g.elem].name;
  const char *any_dims = rank == 2 ? "?x?" : "?x?x?";
#define LIST(values) \
  number((values)[0]), number((values)[1]), rank == 2 ? "" : ", ", rank == 2 ? "" : number((values)[2])
  say(" %%p%d = pto.addptr %%global, %s : !pto.ptr<%s> -> !pto.ptr<%s>\n", v, number(at), elem, elem);
  say(" %%v%d = pto.make_tensor_view %%p%d, shape = [%s, %s%s%s], strides = [%s, %s%s%s] {layout = #pto.layout<%s>} : "
      "!pto.tensor_view<%sx%s>\n",
      v, v, LIST(dims), LIST(strides), dn ? "dn" : "nd", any_dims, elem);
  g.values += 2;
  works(0), works(0), works(rows * cols);
  char of[64];
  if (indexed) {
    snprintf(of, sizeof of, "%%v%d[%s, %s]", v, number(offsets[0]), number(offsets[1]));
    ++g_kinds[kIndexed];
  } else {
    char fixed[64] = "";
    snprintf(fixed, sizeof fixed, rank == 2 ? "%dx%d" : "%dx%dx%d", (int)sizes[0], (int)sizes[1], (int)sizes[2]);
    say(" %%w%d = pto.partition_view %%v%d, offsets = [%s, %s%s%s], sizes = [%s, %s%s%s] : !pto.tensor_view<%sx%s> -> "
        "!pto.partition_tensor_view<%sx%s>\n",
        v, v, LIST(offsets), LIST(sizes), any_dims, elem, chance(50) ? fixed : any_dims, elem);
    snprintf(of, sizeof of, "%%w%d", v);
    ++g.values;
    works(0);
  }
  if (!indexed && chance(50)) {
    const char *tile = t->name;
    if (store) say(" pto.tstore ins(%%%s) outs(%s)\n", tile, of);
    if (!store) say(" pto.tload ins(%s) outs(%%%s)\n", of, tile);
  } else {
    say(store ? " tstore %%%s, %s\n" : " %%%s = tload %s\n", t->name, of);
  }
  return 1;
}

/* Another tile over the bytes of one. */
static int share(int kind) {
  struct named *from = any();
  pto_tile *made = NULL;
  if (kind == kSubset) {
    const int32_t rows = pto_tile_rows(from->tile), cols = pto_tile_cols(from->tile);
    const int boxed = pto_tile_slayout(from->tile) != PTO_SLAYOUT_NONE_BOX;
    const int keeps_rows = boxed && pto_tile_blayout(from->tile) == PTO_BLAYOUT_COL_MAJOR;
    const int keeps_cols = boxed && !keeps_rows;
    /* Boxed tiles are cut at boxes, and across the order of these only. */
    const int32_t line = 32 / pto_dtype_bytes(pto_tile_dtype(from->tile));
    const int by_rows = pto_tile_slayout(from->tile) == PTO_SLAYOUT_ROW_MAJOR;
    const int32_t box_rows = !boxed ? 1 : by_rows ? 16 : line, box_cols = !boxed ? 1 : by_rows ? line : 16;
    if (rows % box_rows != 0 || cols % box_cols != 0) return 0;
    const int32_t row = keeps_rows ? 0 : box_rows * (int32_t)below((uint32_t)(rows / box_rows));
    const int32_t col = keeps_cols ? 0 : box_cols * (int32_t)below((uint32_t)(cols / box_cols));
    const int32_t r = keeps_rows ? rows : box_rows * (1 + (int32_t)below((uint32_t)((rows - row) / box_rows)));
    const int32_t c = keeps_cols ? cols : box_cols * (1 + (int32_t)below((uint32_t)((cols - col) / box_cols)));
    made = pto_tile_view(g.ctx, from->tile, row, col, r, c);
    if (made == NULL || pto_tile_valid_rows(made) == 0 || pto_tile_valid_cols(made) == 0) {
      pto_tile_release(made);
      return 0;
    }
    const char *type = from->type;
    struct named *named = keep(made, "s", from->dynamic);
    if (named == NULL) return 0;
    say(" %%%s = pto.subset %%%s[%s, %s] sizes [%d, %d] : %s\n", named->name, from->name, number(row), number(col), r,
        c, type);
  } else {
    const size_t elem = below(kElems);
    pto_tile_desc desc = random_desc(elem);
    if (kind == kBitcast || chance(70)) {
      desc.rows = pto_tile_rows(from->tile);
      desc.cols = pto_tile_cols(from->tile);
    }
    const int32_t was = pto_dtype_bytes(pto_tile_dtype(from->tile));
    const int32_t is = pto_dtype_bytes(desc.dtype);
    if (kind == kReshape) {
      if ((int64_t)desc.rows * desc.cols != (int64_t)pto_tile_rows(from->tile) * pto_tile_cols(from->tile)) return 0;
      if (desc.cols * was % is != 0) return 0;
      desc.cols = desc.cols * was / is; /* the same number of bytes */
      desc.blayout = chance(50) ? pto_tile_blayout(from->tile) : desc.blayout;
      desc.slayout = pto_tile_slayout(from->tile);
      desc.valid_rows = desc.valid_cols = PTO_VALID_ALL;
    } else {
      if (desc.dtype == pto_tile_dtype(from->tile) || is > was) return 0;
      desc.blayout = pto_tile_blayout(from->tile);
      desc.slayout = pto_tile_slayout(from->tile);
      desc.fractal = pto_tile_fractal(from->tile);
      desc.pad = pto_tile_pad(from->tile);
      desc.valid_rows = pto_tile_valid_rows(from->tile);
      desc.valid_cols = pto_tile_valid_cols(from->tile);
      if (desc.slayout != PTO_SLAYOUT_NONE_BOX && is != was) return 0; /* boxes of other columns */
    }
    desc = asked(&desc);
    made = pto_tile_reshape(g.ctx, from->tile, &desc);
    if (made == NULL) return 0;
    struct named *named = keep(made, "r", kind == kBitcast && from->dynamic);
    if (named == NULL) return 0;
    say(" %%%s = pto.%s %%%s : %s -> %s\n", named->name, kind == kReshape ? "treshape" : "bitcast", from->name,
        chance(50) ? from->type : "!pto.tile_buf<...>", named->type);
  }
  works(0);
  return 1;
}

static int address(void) {
  pto_tile_desc desc = random_desc(chance(70) ? g.elem : below(kElems));
  desc.storage = PTO_STORAGE_MANUAL;
  const int64_t at = 512 * (int64_t)below(4);
  pto_tile *made = pto_tile_create_from(g.ctx, &desc);
  if (made == NULL || pto_tassign(g.ctx, made, at) != PTO_OK) {
    pto_tile_release(made);
    return 0;
  }
  const int dynamic = chance(50);
  struct named *named = keep(made, "m", dynamic);
  if (named == NULL) return 0;
  named->manual = 1;
  say(" %%%s = pto.alloc_tile addr = %s", named->name, number(at));
  if (dynamic)
    say(" valid_row = %s valid_col = %s", number(pto_tile_valid_rows(made)), number(pto_tile_valid_cols(made)));
  say(" : %s\n", named->type);
  works(whole_of(made));
  return 1;
}

static int assign(void) {
  struct named *t = any();
  const int64_t at = 512 * (int64_t)below(4);
  if (!t->manual || pto_tassign(g.ctx, t->tile, at) != PTO_OK) return 0;
  say(" pto.tassign %%%s, %s\n", t->name, chance(50) ? number(at) : at == 0 ? "@tile(0)" : number(at));
  works(0);
  return 1;
}

/* An element by its place, through the address of the tile. Integers: of a NaN only that it is one is kept. */
static int element(void) {
  struct named *t = any();
  const size_t elem = elem_of(t->tile);
  const size_t bytes = (size_t)pto_dtype_bytes(pto_tile_dtype(t->tile));
  char *data = pto_tile_data(t->tile);
  if (data == NULL || strchr(k_elems[elem].name, 'f') != NULL) return 0;
  const uint32_t count = (uint32_t)((size_t)pto_tile_bytes(t->tile) / bytes);
  const uint32_t skipped = below(count), from = skipped + below(count - skipped), to = below(count);
  memcpy(data + to * bytes, data + from * bytes, bytes);
  const char *name = k_elems[elem].name;
  const int v = g.views++;
  say(" %%a%d = pto.tile_buf_addr %%%s : %s -> !pto.ptr<%s, vec>\n", v, t->name, t->type, name);
  say(" %%b%d = pto.addptr %%a%d, %s : !pto.ptr<%s, vec> -> !pto.ptr<%s, vec>\n", v, v, number(skipped), name, name);
  say(" %%x%d = pto.load_scalar %%b%d[%s] : !pto.ptr<%s, vec> -> %s\n", v, v, number(from - skipped), name, name);
  say(" pto.store_scalar %%x%d, %%a%d[%s] : !pto.ptr<%s, vec>, %s\n", v, v, number(to), name, name);
  g.values += 3;
  works(0), works(0), works(0), works(0);
  return 1;
}

static int valid(void) {
  struct named *t = any();
  const int32_t rows = 1 + (int32_t)below((uint32_t)pto_tile_rows(t->tile));
  const int32_t cols = 1 + (int32_t)below((uint32_t)pto_tile_cols(t->tile));
  if (!t->dynamic || t->name[0] != 'm') return 0;
  assert_ok(g.ctx, pto_tile_set_valid(g.ctx, t->tile, rows, cols));
  say(" pto.set_validshape %%%s, %s, %s\n", t->name, number(rows), number(cols));
  works(0);
  return 1;
}

static int statement(int kind) {
  if (kind < kLoad) return instruction(kind);
  if (kind == kLoad || kind == kStore) return transfer(kind == kStore);
  if (kind <= kSubset) return share(kind);
  return kind == kAddress ? address() : kind == kAssign ? assign() : kind == kElement ? element() : valid();
}

static void compare(uint32_t seed, const struct named *named, pto_tile *ran) {
  const int32_t rows = pto_tile_valid_rows(named->tile), cols = pto_tile_valid_cols(named->tile);
  const int64_t bytes = pto_tile_valid_bytes(named->tile);
  char *want = malloc((size_t)bytes + 1), *got = malloc((size_t)bytes + 1);
  if (pto_tile_valid_rows(ran) != rows || pto_tile_valid_cols(ran) != cols) {
    fail_msg("seed %u: %%%s is valid in %dx%d, not %dx%d\n%s", seed, named->name, pto_tile_valid_rows(ran),
             pto_tile_valid_cols(ran), rows, cols, g.text);
  }
  assert_ok(g.ctx, pto_tile_read(g.ctx, named->tile, want, bytes));
  assert_ok(g.ctx, pto_tile_read(g.ctx, ran, got, bytes));
  if (memcmp(want, got, (size_t)bytes) != 0) fail_msg("seed %u: %%%s differs\n%s", seed, named->name, g.text);
  free(want);
  free(got);
}

static void one_program(uint32_t seed) {
  memset(&g, 0, sizeof g);
  g.random = seed * 7919u + 1;
  const pto_profile profile = chance(60) ? PTO_PROFILE_CPU : (pto_profile)below(k_profiles);
  ++g_profiles[profile];
  g.ctx = context(profile);
  pto_context *ctx = context(profile); /* of the run */
  g.elem = below(kElems);
  const size_t bytes = kElements * (size_t)pto_dtype_bytes(k_elems[g.elem].dtype);
  char *memory = malloc(2 * bytes);
  fill(memory, bytes, seed);
  memcpy(memory + bytes, memory, bytes);
  pto_tensor_desc all = matrix_desc(k_elems[g.elem].dtype, 1, kElements);
  g.global = pto_tensor_wrap(g.ctx, &all, memory, (int64_t)bytes);
  pto_tensor *global = pto_tensor_wrap(ctx, &all, memory + bytes, (int64_t)bytes);
  assert_non_null(global);

  say("func.func @main(%%global: !pto.ptr<%s>", k_elems[g.elem].name);
  pto_tile *bound[kArguments];
  const pto_tile_desc first = random_desc(g.elem);
  for (int t = 0; t < kArguments; ++t) {
    /* Mostly of one shape, so that many instructions take them. */
    pto_tile_desc desc = random_desc(g.elem);
    if (t < 3) desc.rows = first.rows, desc.cols = first.cols;
    if (t < 3) desc.valid_rows = first.valid_rows, desc.valid_cols = first.valid_cols;
    struct named *named = keep(pto_tile_create_from(g.ctx, &desc), "t", 0);
    if (named == NULL) {
      desc = tile_desc(k_elems[g.elem].dtype, 4, 32);
      named = keep(make_tile(g.ctx, &desc), "t", 0);
    }
    bound[t] = make_tile(ctx, &desc);
    fill(pto_tile_data(named->tile), (size_t)pto_tile_bytes(named->tile), seed * 16 + (uint32_t)t);
    memcpy(pto_tile_data(bound[t]), pto_tile_data(named->tile), (size_t)pto_tile_bytes(bound[t]));
    say(", %%%s: %s", named->name, named->type);
  }
  say(") {\n");
  for (int k = 0; k < kConstants; ++k) say(" %%k%d = arith.constant %d : index\n", k, k);
  g.steps = kConstants;
  g.values = 1 + kConstants; /* and the tiles */
  for (int done = 0, i = 0; done < kStatements && i < kAttempts; ++i) {
    const int kind = (int)below(kFresh);
    const int good = statement(kind);
    done += good;
    g_kinds[kind] += good;
  }
  say(" return\n}\n");

  pto_program *program = pto_program_parse(ctx, g.text, (int64_t)g.at, "random.pto");
  assert_non_null(program);
  assert_ok(ctx, pto_program_bind_tensor(ctx, program, "global", global));
  for (int t = 0; t < kArguments; ++t) {
    assert_ok(ctx, pto_program_bind_tile(ctx, program, g.tiles[t].name, bound[t]));
  }
  if (pto_program_run(ctx, program, NULL) != PTO_OK) {
    fail_msg("seed %u: %s\n%s", seed, pto_program_diagnostic_text(program, 0), g.text);
  }
  /* The block with its values, and `return`. */
  works(g.values + g.count), works(0);
  if (pto_program_steps(program) != g.steps) {
    fail_msg("seed %u: %lld steps, not %lld\n%s", seed, (long long)pto_program_steps(program), (long long)g.steps,
             g.text);
  }
  for (int t = 0; t < g.count; ++t) {
    pto_tile *ran = pto_program_tile(ctx, program, g.tiles[t].name);
    assert_non_null(ran);
    compare(seed, &g.tiles[t], ran);
    pto_tile_release(ran);
  }
  /* Of arguments all bytes, so that nothing is written beside the valid region. */
  for (int t = 0; t < kArguments; ++t) {
    if (memcmp(pto_tile_data(bound[t]), pto_tile_data(g.tiles[t].tile), (size_t)pto_tile_bytes(bound[t])) != 0) {
      fail_msg("seed %u: the storage of %%t%d differs\n%s", seed, t, g.text);
    }
    pto_tile_release(bound[t]);
  }
  if (memcmp(memory, memory + bytes, bytes) != 0) fail_msg("seed %u: global memory differs\n%s", seed, g.text);
  for (int t = 0; t < g.count; ++t) pto_tile_release(g.tiles[t].tile);
  pto_tensor_release(g.global);
  pto_tensor_release(global);
  pto_program_release(program);
  pto_context_release(ctx);
  pto_context_release(g.ctx);
  free(memory);
}

static void random_programs_give_the_bytes_of_direct_calls(void **state) {
  (void)state;
  const int64_t before = pto_live_handles();
  for (uint32_t seed = 0; seed < kPrograms; ++seed) one_program(seed);
  assert_int_equal(pto_live_handles(), before);
}

static void every_kind_type_layout_and_profile_occurred(void **state) {
  (void)state;
  for (int i = 0; i < kKinds; ++i) {
    if (g_kinds[i] < kLeast) fail_msg("statements of kind %d: %d", i, g_kinds[i]);
  }
  for (int i = 0; i < kElems; ++i) {
    if (g_elems[i] < kLeast) fail_msg("tiles of %s: %d", k_elems[i].name, g_elems[i]);
  }
  for (int i = 0; i < kLayouts; ++i) {
    if (g_layouts[i] < kLeast) fail_msg("tiles of layout %d: %d", i, g_layouts[i]);
  }
  for (int i = 0; i < 3; ++i) {
    if (g_profiles[i] < kLeast) fail_msg("programs under profile %d: %d", i, g_profiles[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs_give_the_bytes_of_direct_calls),
                                     cmocka_unit_test(every_kind_type_layout_and_profile_occurred)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
