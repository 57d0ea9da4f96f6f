// cases.cc: cases from the table, their operands, their data.
#include "bench/cases.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>

extern "C" {
#include "tests/common/extents.h"
#include "tests/common/typed_calls.h"
}

namespace bench {
namespace {

bool IsFloat(pto_dtype t) { return t == PTO_DTYPE_F32 || t == PTO_DTYPE_F16 || t == PTO_DTYPE_BF16; }

uint16_t ToF16(float f) {
  const _Float16 h = static_cast<_Float16>(f);
  uint16_t bits;
  std::memcpy(&bits, &h, sizeof bits);
  return bits;
}
uint16_t ToBF16(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  if (f != f) return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void Put(void* at, pto_dtype t, int64_t i, double v) {
  const auto whole = static_cast<int64_t>(IsFloat(t) ? 0 : v);
  const auto number = static_cast<float>(v);
  const uint16_t half = t == PTO_DTYPE_F16 ? ToF16(number) : ToBF16(number);
  char* to = static_cast<char*>(at) + i * pto_dtype_bytes(t);
  if (t == PTO_DTYPE_F32) {
    std::memcpy(to, &number, 4);
  } else if (IsFloat(t)) {
    std::memcpy(to, &half, 2);
  } else {
    std::memcpy(to, &whole, static_cast<size_t>(pto_dtype_bytes(t)));
  }
}

// Types that are measured, and pairs of types.
constexpr pto_dtype kTypes[] = {PTO_DTYPE_F32, PTO_DTYPE_F16, PTO_DTYPE_BF16,
                                PTO_DTYPE_I32, PTO_DTYPE_I16, PTO_DTYPE_I8};
constexpr struct {
  pto_dtype src, dst;
} kPairs[] = {{PTO_DTYPE_F32, PTO_DTYPE_F16},  {PTO_DTYPE_F16, PTO_DTYPE_F32},  {PTO_DTYPE_F32, PTO_DTYPE_BF16},
              {PTO_DTYPE_BF16, PTO_DTYPE_F32}, {PTO_DTYPE_F32, PTO_DTYPE_I8},   {PTO_DTYPE_F32, PTO_DTYPE_I32},
              {PTO_DTYPE_I32, PTO_DTYPE_F32},  {PTO_DTYPE_I8, PTO_DTYPE_F32},   {PTO_DTYPE_F32, PTO_DTYPE_E4M3},
              {PTO_DTYPE_E4M3, PTO_DTYPE_F32}, {PTO_DTYPE_F32, PTO_DTYPE_E5M2}, {PTO_DTYPE_E5M2, PTO_DTYPE_F32},
              {PTO_DTYPE_F32, PTO_DTYPE_HIF8}, {PTO_DTYPE_HIF8, PTO_DTYPE_F32}};

int Count(int32_t op, int32_t role) {
  int n = 0;
  for (int i = 0; i < pto_op_operand_count(op); ++i) n += pto_op_operand_role(op, i) == role;
  return n;
}
bool Written(int32_t role) { return role == PTO_ROLE_OUT || role == PTO_ROLE_INOUT || role == PTO_ROLE_TENSOR_OUT; }

// The type of an operand that has its own: the source of a conversion, else the first that works.
pto_dtype TypeOf(const Case& c, int operand) {
  const uint32_t set = pto_op_operand_dtypes(c.op, operand, PTO_PROFILE_CPU, c.lead);
  const int32_t extent = pto_op_operand_extent(c.op, operand);
  if ((extent == PTO_EXTENT_INDEX || extent == PTO_EXTENT_TABLE_INDEX) && (set >> PTO_DTYPE_I32 & 1) != 0)
    return PTO_DTYPE_I32;
  if ((set >> c.lead & 1) != 0 && c.src == c.lead) return c.lead;
  if (c.src != c.lead && operand != pto_op_lead(c.op)) return pto_op_lead(c.op) == 0 ? c.src : c.lead;
  for (int t = 0; t < 32; ++t) {
    if ((set >> t & 1) != 0) return static_cast<pto_dtype>(t);
  }
  return c.lead;
}

// Elements of a sorted block; a merge joins four blocks: all sides are multiples of four.
constexpr int64_t kSortedBlock = 16;

struct Shape {
  int rows, cols, line;
  bool down;
  bool nz = false;
};

// Of an operand beside rows x cols; `repeats`: the sources of this kind before it.
Shape ShapeOf(const Case& c, int operand, pto_dtype t, int rows, int cols, int line, int repeats) {
  switch (pto_op_operand_extent(c.op, operand)) {
    case PTO_EXTENT_ROW:
    case PTO_EXTENT_COL_RESULTS:
      return {1, cols, line, false};
    case PTO_EXTENT_COLUMN:
    case PTO_EXTENT_ROW_RESULTS:
      return {rows, 1, 1, true};
    case PTO_EXTENT_REPEAT:
      if (repeats != 0) return {rows, 1, 1, true};
      return {rows, cols, line, false};
    case PTO_EXTENT_PART:
      if (repeats != 0 && c.variant == "part") return {rows / 2, cols / 2, line, false};
      return {rows, cols, line, false};
    case PTO_EXTENT_BITS: {
      const int unit = 8 * pto_dtype_bytes(t);
      return {rows, (cols + unit - 1) / unit, (line + unit - 1) / unit, false};
    }
    case PTO_EXTENT_FIRST:
      return {1, 1, 1, false};
    case PTO_EXTENT_RIGHT:
      return {cols, cols, line, false};
    case PTO_EXTENT_RECORDS: {
      const int record = 8 / pto_dtype_bytes(t);
      const bool sorts = pto_op_operand_extent(c.op, pto_op_lead(c.op)) == PTO_EXTENT_SAME;
      if (sorts) return {rows, cols * record, line * record, false};
      return {rows, cols, line, false};
    }
    case PTO_EXTENT_BINS:
      return {rows, 256, 256, false};
    case PTO_EXTENT_ROW_GROUPS:
      return {rows, (cols + 31) / 32, (line + 31) / 32, false};
    case PTO_EXTENT_COL_GROUPS:
      return {(rows + 31) / 32, cols, line, false};
    case PTO_EXTENT_BLOCK_INDEX: {
      const int unit = 32 / pto_dtype_bytes(c.lead);
      return {rows, (cols + unit - 1) / unit, (line + unit - 1) / unit, false};
    }
    default: {
      const int wide = line - cols;  // what lies between lines
      extent_of_move(c.op, operand, &rows, &cols);
      return {rows, cols, cols + wide, false};
    }
  }
}

struct Handles {
  ~Handles() {
    for (pto_tile* tile : operands.tiles) pto_tile_release(tile);
    pto_tensor_release(operands.tensor);
  }
  typed_operands operands{};
};

[[noreturn]] void Fail(pto_context* ctx) {
  std::fprintf(stderr, "bench: %s\n", pto_context_error_message(ctx));
  std::exit(1);
}

pto_tile* Wrap(pto_context* ctx, pto_dtype t, const Shape& s, void* data) {
  pto_tile_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = t;
  desc.rows = s.rows;
  desc.cols = s.line;
  desc.valid_rows = s.rows;
  desc.valid_cols = s.cols;
  if (s.down || s.nz) desc.blayout = PTO_BLAYOUT_COL_MAJOR;
  if (s.nz) desc.slayout = PTO_SLAYOUT_ROW_MAJOR;
  pto_tile* tile = pto_tile_wrap(ctx, &desc, data, int64_t{s.rows} * s.line * pto_dtype_bytes(t));
  if (tile == nullptr) Fail(ctx);
  return tile;
}

pto_tensor* WrapTensor(pto_context* ctx, pto_dtype t, const Shape& s, void* data) {
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = t;
  desc.rank = 2;
  desc.strided = 1;
  desc.dim0 = s.rows;
  desc.dim1 = s.cols;
  desc.stride0 = s.line;
  desc.stride1 = 1;
  pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, data, int64_t{s.rows} * s.line * pto_dtype_bytes(t));
  if (tensor == nullptr) Fail(ctx);
  return tensor;
}

int ModeOf(const Case& c, const std::string& operand) {
  const bool narrows = IsFloat(c.src) && !IsFloat(c.lead);
  // Hardware rounds to hif8 away from zero.
  const int32_t mode = c.lead == PTO_DTYPE_HIF8 ? PTO_ROUND_ROUND : PTO_ROUND_RINT;
  if (c.name == "tcvt") return operand == "mode" ? mode : narrows ? PTO_SAT_ON : PTO_SAT_OFF;
  if (operand == "coalesce") return PTO_COALESCE_ELEM;
  return c.name.rfind("tcmp", 0) == 0 || c.name == "tgather_cmp" ? PTO_CMP_GT : 0;
}

// Ranges of the first and the other sources, floats and integers; the first line that fits.
constexpr struct {
  const char* names;
  double a_low, a_high, b_low, b_high;
  int64_t ia_low, ia_high, ib_low, ib_high;
} kRanges[] = {
    {" tpow.mixed ", -5, 5, -4, 4, 0, 0, 0, 0},
    {" tpow.wide ", 0, 0, 0, 0, -127, 127, 0, 127},
    {" tpow tpows ", 0.1, 5, 0, 3, 0, 9, 0, 6},
    {" trsqrt tsqrt tlog trecip ", 0.01, 10, 0.01, 10, 1, 9, 1, 9},
    {" tdiv tdivs_scalar trem tfmod tcolexpanddiv trowexpanddiv tdivs trems tfmods ", 0.5, 10, 0.5, 4, 1, 100, 1, 9},
    {" texp tcolexpandexpdif trowexpandexpdif ", -10, 10, -1, 1, 0, 0, 0, 0},
    {" trowprod tcolprod ", 0.9, 1.1, 0.9, 1.1, -9, 9, -9, 9},
    {" tshl tshr ", 0, 0, 0, 0, -100, 100, 0, 7},
    {"", -1, 1, -1, 1, -100, 100, -100, 100},
};

}  // namespace

Arena::Arena() {
  const auto size = static_cast<size_t>(kSlots * kStride);
  bytes = static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (bytes == MAP_FAILED) std::abort();
  madvise(bytes, size, MADV_HUGEPAGE);
}
Arena::~Arena() { munmap(bytes, static_cast<size_t>(kSlots * kStride)); }

std::vector<Case> AllCases() {
  std::vector<Case> all;
  for (int32_t k = 0; k < pto_op_count(); ++k) {
    Case c;
    c.op = pto_op_at(k);
    c.name = c.peers = pto_op_name(c.op);
    c.results = Count(c.op, PTO_ROLE_OUT) + Count(c.op, PTO_ROLE_INOUT) + Count(c.op, PTO_ROLE_TENSOR_OUT);
    const auto add = [&](pto_dtype lead, pto_dtype src, const char* variant) {
      Case one = c;
      one.lead = lead;
      one.src = src;
      one.variant = variant;
      if (*variant != 0) one.peers += std::string(".") + variant;
      one.dtype = src == lead ? pto_dtype_name(lead) : std::string(pto_dtype_name(src)) + ">" + pto_dtype_name(lead);
      all.push_back(one);
    };
    if (c.name == "tcvt") {
      for (const auto& pair : kPairs) add(pair.dst, pair.src, "");
      continue;
    }
    if (c.name == "tpack") {
      add(PTO_DTYPE_I16, PTO_DTYPE_I32, "");
      add(PTO_DTYPE_I8, PTO_DTYPE_I32, "");
      add(PTO_DTYPE_I8, PTO_DTYPE_I16, "");
      continue;
    }
    for (const pto_dtype t : kTypes) {
      if (pto_op_supports(c.op, PTO_PROFILE_CPU, t, 0) == 0) continue;
      add(t, t, "");
      if (c.name == "tpow" && t == PTO_DTYPE_F32) add(t, t, "mixed");
      if (c.name == "tpow" && !IsFloat(t)) add(t, t, "wide");
      if (c.name == "tpartadd") add(t, t, "part");
      if (c.name == "tmov" || c.name == "tload") add(t, t, "nz");
      if (c.name == "tmov" || c.name == "tstore") add(t, t, "nd");
    }
  }
  return all;
}

std::function<void()> CallIfLegal(pto_context* ctx, const Arena& arena, const Case& c, int rows, int cols, int line,
                                  uint32_t flags) {
  auto handles = std::make_shared<Handles>();
  typed_operands& o = handles->operands;
  int tile = 0;
  int number = 0;
  int source = 0;
  int result = 0;
  int repeats = 0;
  for (int i = 0; i < pto_op_operand_count(c.op); ++i) {
    const int32_t role = pto_op_operand_role(c.op, i);
    if (role == PTO_ROLE_SCALAR) {
      // A quantisation word of scale 1, or a number.
      const bool word =
          pto_op_operand_dtypes(c.op, i, PTO_PROFILE_CPU, c.lead) == 1U << PTO_DTYPE_U64 && c.lead != PTO_DTYPE_U64;
      o.scalar = word ? pto_uint(0x3f800000) : IsFloat(c.lead) ? pto_float(1.5) : pto_int(3);
    }
    if (role == PTO_ROLE_MODE) o.numbers[number] = ModeOf(c, pto_op_operand_name(c.op, i));
    if (c.name == "tmrgsort" && role == PTO_ROLE_INT) o.numbers[number] = kSortedBlock;
    number += role == PTO_ROLE_MODE || role == PTO_ROLE_INT;
    if (role == PTO_ROLE_TMP) ++tile;
    const bool tensor = role == PTO_ROLE_TENSOR_IN || role == PTO_ROLE_TENSOR_OUT;
    if (!Written(role) && role != PTO_ROLE_IN && !tensor) continue;
    const pto_dtype t = TypeOf(c, i);
    Shape shape = ShapeOf(c, i, t, rows, cols, line, repeats);
    shape.nz = c.variant == (Written(role) ? "nz" : "nd");
    const int32_t extent = pto_op_operand_extent(c.op, i);
    repeats += !Written(role) && (extent == PTO_EXTENT_REPEAT || extent == PTO_EXTENT_PART);
    char* data = Written(role) ? arena.Dst(result++) : arena.Source(source++);
    if (tensor) {
      o.tensor = WrapTensor(ctx, t, shape, data);
      ++tile;
    } else {
      o.tiles[tile++] = Wrap(ctx, t, shape, data);
    }
  }
  o.flags = flags;
  if (typed_call(ctx, c.op, &o) != PTO_OK) return nullptr;
  return [ctx, op = c.op, handles] { typed_call(ctx, op, &handles->operands); };
}

std::function<void()> CallOf(pto_context* ctx, const Arena& arena, const Case& c, int rows, int cols, int line,
                             uint32_t flags) {
  auto call = CallIfLegal(ctx, arena, c, rows, cols, line, flags);
  if (call == nullptr) Fail(ctx);
  return call;
}

int64_t ResultBytes(const Case& c, int n) {
  const pto_dtype t = TypeOf(c, 0);
  const Shape s = ShapeOf(c, 0, t, n, n, n, 0);
  return int64_t{s.rows} * s.cols * pto_dtype_bytes(t);
}

void Fill(const Arena& arena, const Case& c, int64_t count) {
  std::mt19937_64 random(7);
  const auto* range = kRanges;
  while (*range->names != 0 && std::strstr(range->names, (" " + c.peers + " ").c_str()) == nullptr) ++range;
  const auto draw = [&](pto_dtype t, bool first) {
    if (IsFloat(t)) {
      // 16-bit powers would overflow.
      const double high = first ? range->a_high : range->b_high;
      const double most = t != PTO_DTYPE_F32 && c.name == "tpow" && first ? 3 : high;
      const double v = std::uniform_real_distribution<double>(first ? range->a_low : range->b_low, most)(random);
      return c.variant == "mixed" && !first ? std::nearbyint(v) : v;
    }
    // Codes of 2^-8 to 2^8: of the largest scales products are computed another way.
    if (t == PTO_DTYPE_E8M0) return static_cast<double>(std::uniform_int_distribution<int>(119, 135)(random));
    const int64_t scale = c.variant == "wide" ? (int64_t{1} << (8 * pto_dtype_bytes(t) - 8)) : 1;
    return static_cast<double>(scale *
                               std::uniform_int_distribution<int64_t>(first ? range->ia_low : range->ib_low,
                                                                      first ? range->ia_high : range->ib_high)(random));
  };
  const int64_t distinct = std::min<int64_t>(count, 1 << 20);
  int slot = 0;
  // Places of any of the elements; the sources and indices of one instruction have the same number of them.
  const auto fill_indices = [&](char* to, pto_dtype t, bool blocks) {
    const int64_t unit = blocks ? pto_dtype_bytes(c.lead) : 1;
    const int64_t most = std::min<int64_t>(distinct, int64_t{1} << (8 * pto_dtype_bytes(t) - 1));
    const int64_t places = blocks ? std::max<int64_t>(most - 32, 1) : most;
    for (int64_t i = 0; i < count; ++i)
      Put(to, t, i, static_cast<double>(static_cast<int64_t>(random() >> 8) % places * unit));
  };
  const auto fill = [&](char* to, pto_dtype t, bool bits, bool first) {
    const auto size = static_cast<size_t>(pto_dtype_bytes(t));
    for (int64_t i = 0; i < distinct; ++i) {
      if (bits) {
        to[i * static_cast<int64_t>(size)] = static_cast<char>(random());
      } else {
        Put(to, t, i, draw(t, first));
      }
    }
    for (int64_t i = distinct; i < count; i += distinct) {
      std::memcpy(to + i * static_cast<int64_t>(size), to, static_cast<size_t>(std::min(distinct, count - i)) * size);
    }
  };
  for (int i = 0; i < pto_op_operand_count(c.op); ++i) {
    const int32_t role = pto_op_operand_role(c.op, i);
    if (role != PTO_ROLE_IN && role != PTO_ROLE_TENSOR_IN) continue;
    const bool bits = pto_op_operand_extent(c.op, i) == PTO_EXTENT_BITS;
    const int32_t extent = pto_op_operand_extent(c.op, i);
    if (extent == PTO_EXTENT_INDEX || extent == PTO_EXTENT_BLOCK_INDEX || extent == PTO_EXTENT_TABLE_INDEX) {
      fill_indices(arena.Source(slot++), TypeOf(c, i), extent == PTO_EXTENT_BLOCK_INDEX);
      continue;
    }
    fill(arena.Source(slot), TypeOf(c, i), bits, slot == 0);
    ++slot;
  }
  // Records are an element and its place: here numbers that fall within each block.
  if (c.name == "tmrgsort") {
    std::vector<double> block(kSortedBlock);
    for (int64_t at = 0; at < count; at += kSortedBlock) {
      for (double& number : block) number = draw(c.lead, true);
      std::sort(block.begin(), block.end(), std::greater<>());
      for (int64_t i = 0; i < kSortedBlock; ++i) {
        Put(arena.Source(0), c.lead, at + i, block[static_cast<size_t>(i)]);
      }
    }
  }
  // Operands that are read and written do not grow: sums of these numbers stay numbers.
  if (Count(c.op, PTO_ROLE_INOUT) != 0) fill(arena.Dst(), c.lead, false, true);
}

namespace {

int64_t Ordered(const char* at, pto_dtype t, int64_t i, bool* nan) {
  if (t == PTO_DTYPE_F32) {
    int32_t bits;
    std::memcpy(&bits, at + 4 * i, 4);
    *nan = (bits & 0x7fffffff) > 0x7f800000;
    return bits < 0 ? -int64_t{bits & 0x7fffffff} : bits;
  }
  int16_t bits;
  std::memcpy(&bits, at + 2 * i, 2);
  *nan = (bits & 0x7fff) > (t == PTO_DTYPE_F16 ? 0x7c00 : 0x7f80);
  return bits < 0 ? -int64_t{bits & 0x7fff} : bits;
}

bool Sums(const Case& c) { return c.name.find("sum") != std::string::npos || c.name.find("prod") != std::string::npos; }

}  // namespace

std::string MarkOf(pto_context* ctx, const Arena& arena, const Case& c,
                   const std::function<void(int rows, int cols)>& run) {
  constexpr int kSide = 64;
  constexpr int64_t kCount = kSide * kSide;
  static const double kSpecial[] = {0.0,   -0.0, 1,    -1,  2,    -2,    3,     -3,       0.5,       -0.5, 1e-40,
                                    1e-30, 1e30, 6e-8, 6e4, 100,  0.999, 1.001, INFINITY, -INFINITY, NAN,  1e-38,
                                    3e38,  7,    -7,   1.5, -1.5, 8,     0.1,   10,       33,        1e-3};
  constexpr int kKinds = sizeof kSpecial / sizeof *kSpecial;
  Fill(arena, c, kCount);
  const bool own_types = c.src != c.lead;
  const pto_dtype first = own_types ? c.src : c.lead;
  const bool masked = pto_op_operand_extent(c.op, 1) == PTO_EXTENT_BITS;
  const int32_t second = pto_op_operand_extent(c.op, 2);
  const bool by_row = pto_op_operand_extent(c.op, 0) == PTO_EXTENT_ROW_RESULTS;
  const bool places = second == PTO_EXTENT_INDEX || second == PTO_EXTENT_TABLE_INDEX;
  if (IsFloat(first) && !Sums(c) && !masked && !places) {
    for (int64_t i = 0; i < kCount; ++i) {
      // Of a row that becomes one element not all are the same: else who drops NaN is right, too.
      const bool ordinary = by_row && i % 7 != 0;
      Put(arena.Source(0), first, i, ordinary ? 0.25 : kSpecial[i / kSide % kKinds]);
      if (!own_types) Put(arena.Source(1), first, i, kSpecial[i % kKinds]);
    }
  }
  const auto bytes = static_cast<size_t>(ResultBytes(c, kSide));
  const std::vector<char> before(arena.Dst(), arena.Dst() + bytes);
  const bool precise = (pto_op_flags(c.op) & PTO_HIGH_PRECISION) != 0 && IsFloat(c.lead);
  const auto call = CallOf(ctx, arena, c, kSide, kSide, kSide, precise ? PTO_HIGH_PRECISION : 0);
  std::memcpy(arena.Dst(), before.data(), bytes);
  call();
  const std::vector<char> want(arena.Dst(), arena.Dst() + bytes);
  std::memcpy(arena.Dst(), before.data(), bytes);
  run(kSide, kSide);
  const pto_dtype t = TypeOf(c, 0);
  if (!IsFloat(t)) return std::memcmp(want.data(), arena.Dst(), bytes) == 0 ? "" : "x";
  int64_t worst = 0;
  for (int64_t i = 0; i < static_cast<int64_t>(bytes) / pto_dtype_bytes(t); ++i) {
    bool nan_want;
    bool nan_got;
    const int64_t w = Ordered(want.data(), t, i, &nan_want);
    const int64_t g = Ordered(arena.Dst(), t, i, &nan_got);
    if (nan_want != nan_got) return "x";
    if (!nan_want) worst = std::max(worst, std::abs(w - g));
  }
  // Sums in another order differ by as much as they cancel.
  return worst > 2 && !Sums(c) ? "x" : worst > 0 ? "~" : "";
}

}  // namespace bench
