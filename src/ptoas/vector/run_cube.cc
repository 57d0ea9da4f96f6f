// The cube: matrices to L1 and from there to L0A and L0B, and products into L0C.
//
//   global --mte_gm_l1_frac--> L1 --mte_l1_l0a--> L0A --+
//                               |--mte_l1_l0b--> L0B --+--mad--> L0C --mte_l0c_*--> global, L1, UB (run_out.cc)
//                               |--mte_l1_bt---> bias -+
//
// All but the accumulator have boxes of 512 bytes: 16 lines (rows of the left matrix, columns of the right one) of 32
// bytes along k. In L0A and L0B a group of boxes has all lines at 32 bytes of k; the next group follows.
#include <algorithm>

#include "src/engine/cube_product.h"
#include "src/ptoas/run/scalar.h"
#include "src/ptoas/vector/cube.h"

namespace pto::ptoas::vec {
namespace {

// Elements of an f32, bf16 or f16 as saturation wants them: NaN becomes 0, an infinity the largest finite value.
void Saturate(Elem elem, int size, uint8_t* data, int64_t count) {
  const double largest = FloatFromBits(elem, elem == Elem::kF32 ? 0x7F7FFFFF : elem == Elem::kF16 ? 0x7BFF : 0x7F7F);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, data + i * size, static_cast<size_t>(size));
    const double value = FloatFromBits(elem, bits);
    const double kept = std::isnan(value) ? 0.0 : std::clamp(value, -largest, largest);
    if (kept == value) continue;
    bits = BitsFromFloat(elem, kept);
    std::memcpy(data + i * size, &bits, static_cast<size_t>(size));
  }
}

// ---- matrices to L1 ------------------------------------------------------------------------

// Row i of a matrix has its elements j at 32 bytes a group, groups `groups` blocks apart; blocks are 32 bytes.
template <class Word>
void ToBoxes(uint8_t* to, const uint8_t* from, int64_t rows, int64_t cols, int64_t row_step, int64_t col_step,
             int64_t row_blocks, int64_t group_blocks) {
  constexpr auto kGroup = kBlockBytes / static_cast<int64_t>(sizeof(Word));
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; j += kGroup) {
      Word block[static_cast<size_t>(kGroup)] = {};
      const uint8_t* at = from + i * row_step + j * col_step;
      for (int64_t k = 0; k < std::min(kGroup, cols - j); ++k) std::memcpy(block + k, at + k * col_step, sizeof(Word));
      std::memcpy(to + kBlockBytes * (j / kGroup * group_blocks + i * row_blocks), block, kBlockBytes);
    }
  }
}

Flow RunBoxes(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const CubeAccess access(m, node, frame);
  const bool rows_first = GivenClause(stmt, "nd2nz") != nullptr;
  const auto number = [&](std::string_view word, int at) -> int64_t {
    const Clause& clause = *GivenClause(stmt, word);
    const int operand = clause.begin + at;
    return operand < clause.end ? access.Count(static_cast<size_t>(operand)) : 0;
  };
  const int64_t rows = number("shape", 0);
  const int64_t cols = number("shape", 1);
  const int64_t size = node.step->unit;
  const int64_t line = number("src_layout", 0);
  const int64_t outer = number("src_layout", 1);
  const int64_t matrices = number("dst_group", 0);
  const int64_t row_blocks = number("dst_group", 1);
  const int64_t group_blocks = number("dst_group", 2);
  const int64_t matrix_blocks = number("dst_group", 3);
  if (number("ctrl", 1) != 0) m.Fail(stmt, Rule::kRunUnsupported, "the packing of few channels is not documented");
  if (rows == 0 || cols == 0) return Flow::kNext;
  const RunValue src = access.Pointer(0);
  const RunValue dst = access.Pointer(1);
  const int64_t groups = (cols * size + kBlockBytes - 1) / kBlockBytes;
  const int64_t bytes = rows_first ? (rows - 1) * line + cols * size : (cols - 1) * line + rows * size;
  const int64_t written = kBlockBytes * ((groups - 1) * group_blocks + (rows - 1) * row_blocks + 1);
  for (int64_t q = 0; q < matrices; ++q) {
    m.Work(stmt, rows * cols);
    const auto* from = reinterpret_cast<const uint8_t*>(m.Source(stmt, src, q * outer, bytes));
    uint8_t* to = access.Reach(dst, kBlockBytes * q * matrix_blocks, written);
    access.Watch({{&src, q * outer, bytes, false}, {&dst, kBlockBytes * q * matrix_blocks, written, true}});
    ForWord(static_cast<int>(size), [&](auto word) {
      ToBoxes<decltype(word)>(to, from, rows, cols, rows_first ? line : size, rows_first ? size : line, row_blocks,
                              group_blocks);
    });
  }
  return Flow::kNext;
}

// ---- from L1 to L0A and L0B ----------------------------------------------------------------

constexpr int64_t kLines = 16;  // of a box
constexpr int64_t kCubeBox = 512;

int64_t Whole(int64_t count, int64_t unit) { return (count + unit - 1) / unit; }

// L1 has lines along k (as boxes are in L0): the same bytes. Transposed, it has rows along the lines. A program may
// give an odd address.
template <class Word>
void TurnBoxes(uint8_t* to, const uint8_t* from, int64_t lines, int64_t depth, int64_t rows, int64_t group) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(Word));
  constexpr int64_t kDeep = kBlockBytes / kSize;
  for (int64_t k = 0; k < depth; ++k) {
    for (int64_t n = 0; n < lines; ++n) {
      const int64_t box = k / kDeep * (lines / kLines) + n / kLines;
      const int64_t out = box * kLines * kDeep + n % kLines * kDeep + k % kDeep;
      const int64_t in = n / group * rows * group + k * group + n % group;
      std::memcpy(to + out * kSize, from + in * kSize, sizeof(Word));
    }
  }
}

template <bool left>
Flow RunFactor(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const CubeAccess access(m, node, frame);
  const int64_t lines = Whole(access.Count(left ? 2 : 3), kLines) * kLines;
  const int64_t asked = access.Count(left ? 3 : 2);
  for (const size_t start : {size_t{4}, size_t{5}}) {
    if (!stmt.operands[start].implied && access.Count(start) != 0) {
      m.Fail(stmt, Rule::kRunUnsupported, "a start other than 0: documents do not agree on its unit");
    }
  }
  const int64_t size = node.step->unit;
  const int64_t deep = kBlockBytes / size;
  const int64_t depth = Whole(asked, deep) * deep;
  const int64_t bytes = lines / kLines * (depth / deep) * kCubeBox;
  if (bytes == 0) return Flow::kNext;
  m.Work(stmt, bytes / size);
  const RunValue src = access.Pointer(0);
  const RunValue dst = access.Pointer(1);
  // Groups of 8-bit matrices of up to 16 columns have 16 of them.
  const int64_t group = size == 1 && lines == kLines ? kLines : deep;
  const int64_t rows = Whole(asked, std::max(kLines, deep)) * std::max(kLines, deep);
  const bool turns = node.step->code != 0;
  const int64_t read = turns ? Whole(lines, group) * rows * group * size : bytes;
  const uint8_t* from = access.Reach(src, 0, read);
  uint8_t* to = access.Reach(dst, 0, bytes);
  access.Watch({{&src, 0, read, false}, {&dst, 0, bytes, true}});
  if (!turns) {
    std::memmove(to, from, static_cast<size_t>(bytes));
  } else {
    ForWord(static_cast<int>(size), [&](auto word) { TurnBoxes<decltype(word)>(to, from, lines, depth, rows, group); });
  }
  return Flow::kNext;
}

// Boxes as they are: first row and group, how many, and the distance of groups in L1 and L0.
Flow RunOldFactor(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.step->code != 0) {
    m.Fail(stmt, Rule::kRunUnsupported, "transpose of %.*s is not documented; use mte_l1_l0a or mte_l1_l0b",
           PTO_NAME(stmt.name));
  }
  const CubeAccess access(m, node, frame);
  const int64_t row = access.Count(2), group = access.Count(3), rows = access.Count(4), groups = access.Count(5);
  const int64_t from_step = access.Count(6), to_step = access.Count(7);
  const RunValue src = access.Pointer(0);
  const RunValue dst = access.Pointer(1);
  const int64_t bytes = rows * kCubeBox;
  for (int64_t g = 0; g < groups && rows > 0; ++g) {
    m.Work(stmt, bytes / 4);
    const int64_t from = ((group + g) * from_step + row) * kCubeBox;
    const int64_t to = g * to_step * kCubeBox;
    std::memmove(access.Reach(dst, to, bytes), access.Reach(src, from, bytes), static_cast<size_t>(bytes));
    access.Watch({{&src, from, bytes, false}, {&dst, to, bytes, true}});
  }
  return Flow::kNext;
}

// ---- scales and bias -----------------------------------------------------------------------

// Scales of a factor lie in a memory of their own, at a sixteenth of its address: boxes of 16 lines by 2 scales.
RunValue ScalesOf(Machine& m, const Stmt& stmt, bool left, const RunValue& factor) {
  return m.MemoryAt(stmt, left ? Loc::kScaleLeft : Loc::kScaleRight, factor.integer() / 16);
}
int64_t ScaleBytes(int64_t lines, int64_t scales) { return Whole(lines, kLines) * kLines * Whole(scales, 2) * 2; }

template <bool left>
Flow RunScales(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const CubeAccess access(m, node, frame);
  const int64_t lines = access.Count(left ? 2 : 3);
  const int64_t scales = Whole(access.Count(left ? 3 : 2), 32);
  const RunValue src = access.Pointer(0);
  const RunValue dst = ScalesOf(m, stmt, left, access.Pointer(1));
  const int64_t bytes = lines * scales;
  if (bytes == 0) return Flow::kNext;
  const uint8_t* from = access.Reach(src, 0, bytes);
  uint8_t* to = access.Reach(dst, 0, ScaleBytes(lines, scales));
  access.Watch({{&src, 0, bytes, false}, {&dst, 0, ScaleBytes(lines, scales), true}});
  for (int64_t i = 0; i < lines; ++i) {
    for (int64_t j = 0; j < scales; ++j) {
      to[i / kLines * kLines * Whole(scales, 2) * 2 + j / 2 * 2 * kLines + i % kLines * 2 + j % 2] =
          from[i * scales + j];
    }
  }
  return Flow::kNext;
}

// Bursts of 32-byte blocks of L1, one after another in the table, which takes what it has room for.
Flow RunBias(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const CubeAccess access(m, node, frame);
  const Clause& bursts = *GivenClause(stmt, "nburst");
  const int64_t length = kBlockBytes * access.Count(2);
  const int64_t count = access.Count(bursts.begin);
  const int64_t gap = kBlockBytes * access.Count(bursts.begin + 1U);
  const int64_t gap_to = kBlockBytes * access.Count(bursts.begin + 2U);
  const RunValue src = access.Pointer(0);
  const RunValue dst = access.Pointer(1);
  const Elem elem = stmt.operands[0].value->type->elem;
  const int64_t size = node.step->unit;
  const int64_t grown = 4 * length / BytesOf(elem);
  for (int64_t b = 0; b < count && length > 0; ++b) {
    const int64_t at = b * (grown + gap_to);
    const int64_t room = std::min(grown, dst.box()->extent - dst.integer() - at);
    if (room <= 0) break;
    const uint8_t* from = access.Reach(src, b * (length + gap), length);
    uint8_t* to = access.Reach(dst, at, room);
    access.Watch({{&src, b * (length + gap), length, false}, {&dst, at, room, true}});
    m.Work(stmt, room / size);
    if (BytesOf(elem) == 4) {
      std::memcpy(to, from, static_cast<size_t>(room));
      continue;
    }
    for (int64_t i = 0; i < room / 4; ++i) {
      const auto value = static_cast<float>(FloatFromBits(elem, Get<uint16_t>(from, static_cast<int>(i))));
      std::memcpy(to + 4 * i, &value, sizeof value);
    }
  }
  return Flow::kNext;
}

// ---- products ------------------------------------------------------------------------------

bool IsFactorFloat(DType dtype) { return (Bit(dtype) & (dtypes::kF16 | dtypes::kBF16 | dtypes::kF32)) != 0; }

void UseProduct(const Stmt& stmt, Step* step) {
  step->t = ElementOf(stmt, 0);
  step->u = ElementOf(stmt, 1);
  step->result = ElementOf(stmt, 2);
  const std::string_view rounding = OptionOf(GivenClause(stmt, "tf32_mode"));
  step->code = rounding.empty() ? PTO_MAD_NONE : rounding == "round_away" ? PTO_MAD_TF32_ROUND : PTO_MAD_TF32_RINT;
  step->out_way.saturates = SaturationOf(stmt);
  step->there[kMostParams - 1] = GivenClause(stmt, "disable_gemv") != nullptr;
  step->lanes = [](uint8_t*, const uint8_t*, const uint8_t*) {};
}

template <bool adds, bool bias, bool scaled>
Flow RunMad(Machine& m, Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Step& s = *node.step;
  const CubeAccess access(m, node, frame);
  constexpr size_t kSizes = bias ? 4 : 3;
  const int64_t rows = access.Count(kSizes);
  const int64_t cols = access.Count(kSizes + 1);
  const int64_t depth = access.Count(kSizes + 2);
  if (scaled && depth % 64 != 0) {
    m.Fail(stmt, Rule::kRunUnsupported, "k of %.*s is a multiple of 64, not %lld", PTO_NAME(stmt.name),
           static_cast<long long>(depth));
  }
  if (rows == 0 || cols == 0) return Flow::kNext;
  const int size = Info(s.t).bytes;
  const RunValue left = access.Pointer(0), right = access.Pointer(1), sums = access.Pointer(2);
  OnChipProduct p;
  p.m = static_cast<int32_t>(rows);
  p.n = static_cast<int32_t>(cols);
  p.k = static_cast<int32_t>(depth);
  p.left_type = static_cast<int>(s.t);
  p.right_type = static_cast<int>(s.u);
  p.sum_type = static_cast<int>(s.result);
  p.adds = adds;
  p.row = rows == 1 && !s.there[kMostParams - 1];
  p.mad = s.code;
  const int64_t groups = Whole(depth * size, kBlockBytes);
  const int64_t left_bytes = p.row ? depth * size : groups * Whole(rows, kLines) * kCubeBox;
  const int64_t right_bytes = groups * Whole(cols, kLines) * kCubeBox;
  const int64_t sum_bytes = Whole(rows, kLines) * Whole(cols, kLines) * 2 * kCubeBox;
  p.left = access.Reach(left, 0, left_bytes);
  p.right = access.Reach(right, 0, right_bytes);
  p.sums = access.Reach(sums, 0, sum_bytes);
  Machine::BytesUsed used[5] = {{&left, 0, left_bytes, false, 1, 0, stmt.operands[0].name},
                                {&right, 0, right_bytes, false, 1, 0, stmt.operands[1].name},
                                {&sums, 0, sum_bytes, true, 1, 0, stmt.operands[2].name}};
  size_t count = 3;
  if (adds) used[count++] = {&sums, 0, sum_bytes, false, 1, 0, stmt.operands[2].name};
  RunValue row;
  if (bias) {
    row = access.Pointer(3);
    p.bias = access.Reach(row, 0, 4 * cols);
    used[count++] = {&row, 0, 4 * cols, false, 1, 0, stmt.operands[3].name};
  }
  if (scaled) {
    p.left_scales = access.Reach(ScalesOf(m, stmt, true, left), 0, ScaleBytes(rows, depth / 32));
    p.right_scales = access.Reach(ScalesOf(m, stmt, false, right), 0, ScaleBytes(cols, depth / 32));
  }
  if (m.watched()) m.WatchBytes(stmt, std::span(used, count));
  m.Work(stmt, rows * cols * (depth / 16 + 1));
  const bool saturates = Saturates(m, s.out_way.saturates) && s.result == DType::kF32;
  std::vector<uint8_t> kept;
  if (saturates && IsFactorFloat(s.t)) {
    // The factors stay what they are.
    kept.resize(static_cast<size_t>(left_bytes + right_bytes));
    std::memcpy(kept.data(), p.left, static_cast<size_t>(left_bytes));
    std::memcpy(kept.data() + left_bytes, p.right, static_cast<size_t>(right_bytes));
    const Elem elem = ElemOf(static_cast<pto_dtype>(s.t));
    Saturate(elem, size, kept.data(), (left_bytes + right_bytes) / size);
    p.left = kept.data();
    p.right = kept.data() + left_bytes;
  }
  if (!Multiply(m.ctx(), p)) m.FailCall(stmt);
  if (saturates) Saturate(Elem::kF32, 4, p.sums, sum_bytes / 4);
  return Flow::kNext;
}

constexpr OpRun kCubeRows[] = {
    {"load_cbuf_to_ca", RunOldFactor},
    {"load_cbuf_to_cb", RunOldFactor},
    {"mad", RunMad<false, false, false>, UseProduct},
    {"mad_acc", RunMad<true, false, false>, UseProduct},
    {"mad_bias", RunMad<false, true, false>, UseProduct},
    {"mad_mx", RunMad<false, false, true>, UseProduct},
    {"mad_mx_acc", RunMad<true, false, true>, UseProduct},
    {"mad_mx_bias", RunMad<false, true, true>, UseProduct},
    {"mte_gm_l1_frac", RunBoxes},
    {"mte_l1_bt", RunBias},
    {"mte_l1_l0a", RunFactor<true>},
    {"mte_l1_l0a_mx", RunScales<true>},
    {"mte_l1_l0b", RunFactor<false>},
    {"mte_l1_l0b_mx", RunScales<false>},
};

}  // namespace

const OpRuns kCubeRuns = kCubeRows;

}  // namespace pto::ptoas::vec
