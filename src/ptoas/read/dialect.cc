// The names of the dialect, each once, and look-up in them.
#include "src/ptoas/read/dialect.h"

#include <algorithm>
#include <iterator>

#include "src/ops/table.h"

namespace pto::ptoas {
namespace {

using P = Production;

// In order of names with `.` as `_`. Instructions that the op table does not have are
// {name, production, fewest and most ins, fewest and most outs}.
constexpr DialectOp kDialect[] = {
    {"addptr", P::kAddPtr},
    {"aic_initialize_pipe", P::kPipe},
    {"aiv_initialize_pipe", P::kPipe},
    {"alloc_tile", P::kAllocTile},
    {"barrier", P::kSync},
    {"barrier_sync", P::kSync},
    {"bind_tile", P::kRetype},
    {"bitcast", P::kRetype},
    {"build_async_session", P::kAsync},
    {"declare_eventid_array", P::kEventArray},
    {"declare_tile", P::kAllocTile},
    {"declare_tile_memref", P::kAllocTile},
    {"eventid_array_get", P::kEventArray},
    {"eventid_array_set", P::kEventArray},
    {"get_block_idx", P::kBlockQuery},
    {"get_block_num", P::kBlockQuery},
    {"get_buf", P::kSync},
    {"get_scale_addr", P::kScaleAddr, 1, 1, 1, 1},
    {"get_subblock_idx", P::kBlockQuery},
    {"get_subblock_num", P::kBlockQuery},
    {"get_tensor_view_dim", P::kTensorViewDim},
    {"get_tensor_view_stride", P::kTensorViewDim},
    {"import_reserved_buffer", P::kPipe},
    {"initialize_l2g2l_pipe", P::kPipe},
    {"initialize_l2l_pipe", P::kPipe},
    {"load_scalar", P::kLoadScalar},
    {"make_tensor_view", P::kMakeTensorView},
    {"partition_view", P::kPartitionView},
    {"pointer_cast", P::kAllocTile},
    {"print", P::kPrint},
    {"record_event", P::kSync},
    {"reserve_buffer", P::kPipe},
    {"rls_buf", P::kSync},
    {"section.cube", P::kSection},
    {"section.vector", P::kSection},
    {"set_ffts", P::kSync},
    {"set_flag", P::kSync},
    {"set_flag_dyn", P::kSync},
    {"set_img2col_padding", P::kInsOuts, 1, 1, 0, 0},
    {"set_img2col_rpt", P::kInsOuts, 1, 1, 0, 0},
    {"set_validshape", P::kSetValidShape},
    {"setfmatrix", P::kInsOuts, 1, 1, 0, 0},
    {"sethf32mode", P::kMadMode},
    {"settf32mode", P::kMadMode},
    {"store_scalar", P::kStoreScalar},
    {"subset", P::kSubset},
    {"subview", P::kSubview},
    {"sync.set", P::kCoreSync},
    {"sync.wait", P::kCoreSync},
    {"talias", P::kInsOuts, 1, 1, 1, 1},
    {"talloc", P::kPipe},
    {"tassign", P::kTassign},
    {"tensor_view_addr", P::kAddressOf},
    {"test_async_event", P::kAsync},
    {"tfree", P::kPipe},
    {"tfree_from_aic", P::kPipe},
    {"tfree_from_aiv", P::kPipe},

    {"tget_async", P::kAsync},
    {"tget_scale_addr", P::kScaleAddr, 1, 1, 1, 1},
    {"tgetval", P::kTGetVal},
    {"tile_buf_addr", P::kAddressOf},
    {"tmatmul_mx_hif4", P::kInsOuts, 2, 6, 1, 1},
    {"tpop", P::kPipe},
    {"tpop_from_aic", P::kPipe},
    {"tpop_from_aiv", P::kPipe},
    {"tprefetch_async", P::kAsync},
    {"tprint", P::kTPrint},
    {"tpush", P::kPipe},
    {"tpush_to_aic", P::kPipe},
    {"tpush_to_aiv", P::kPipe},
    {"tput_async", P::kAsync},
    {"tquant_hif4", P::kInsOuts, 1, 3, 1, 4},
    {"trap", P::kTrap},
    {"treshape", P::kRetype},
    {"tsetval", P::kTSetVal},
    {"tsubview", P::kSubview},
    {"tsync", P::kSync},
    {"wait_async_event", P::kAsync},
    {"wait_event", P::kSync},
    {"wait_flag", P::kSync},
    {"wait_flag_dyn", P::kSync},
};

constexpr char Fold(char c) { return c == '.' ? '_' : c; }

constexpr int Compare(std::string_view a, std::string_view b) {
  const size_t n = std::min(a.size(), b.size());
  for (size_t i = 0; i < n; ++i) {
    if (Fold(a[i]) != Fold(b[i])) return Fold(a[i]) < Fold(b[i]) ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

constexpr bool Ordered() {
  for (size_t i = 1; i < std::size(kDialect); ++i) {
    if (Compare(kDialect[i - 1].name, kDialect[i].name) >= 0) return false;
  }
  return true;
}
static_assert(Ordered());

// What the table says is said there only. In few steps, which compilers count while they compile.
constexpr bool ApartFromTable() {
  for (const DialectOp& op : kDialect) {
    for (const OpInfo* record : kOps) {
      const char* a = op.name;
      const char* b = record->mnemonic;
      while (*a != 0 && *a == *b) ++a, ++b;
      if (*a == *b) return false;
    }
  }
  return true;
}
static_assert(ApartFromTable());

// Where each first letter begins, so that a look-up compares few names.
struct LetterIndex {
  constexpr LetterIndex() {
    for (int letter = 0; letter < 27; ++letter) {
      int i = 0;
      while (i < static_cast<int>(std::size(kDialect)) && kDialect[i].name[0] < 'a' + letter) ++i;
      first[letter] = i;
    }
  }
  int first[27] = {};
};
constexpr LetterIndex kLetters;

constexpr ArithInfo kArith[] = {
    {"", ArithClass::kIntBinary},
    {"addi", ArithClass::kIntBinary},
    {"subi", ArithClass::kIntBinary},
    {"muli", ArithClass::kIntBinary},
    {"divsi", ArithClass::kIntBinary},
    {"divui", ArithClass::kIntBinary},
    {"remsi", ArithClass::kIntBinary},
    {"remui", ArithClass::kIntBinary},
    {"ceildivsi", ArithClass::kIntBinary},
    {"ceildivui", ArithClass::kIntBinary},
    {"floordivsi", ArithClass::kIntBinary},
    {"andi", ArithClass::kIntBinary},
    {"ori", ArithClass::kIntBinary},
    {"xori", ArithClass::kIntBinary},
    {"shli", ArithClass::kIntBinary},
    {"shrsi", ArithClass::kIntBinary},
    {"shrui", ArithClass::kIntBinary},
    {"minsi", ArithClass::kIntBinary},
    {"maxsi", ArithClass::kIntBinary},
    {"minui", ArithClass::kIntBinary},
    {"maxui", ArithClass::kIntBinary},
    {"addf", ArithClass::kFloatBinary},
    {"subf", ArithClass::kFloatBinary},
    {"mulf", ArithClass::kFloatBinary},
    {"divf", ArithClass::kFloatBinary},
    {"remf", ArithClass::kFloatBinary},
    {"maximumf", ArithClass::kFloatBinary},
    {"minimumf", ArithClass::kFloatBinary},
    {"maxnumf", ArithClass::kFloatBinary},
    {"minnumf", ArithClass::kFloatBinary},
    {"negf", ArithClass::kFloatUnary},
    {"cmpi", ArithClass::kCompare},
    {"cmpf", ArithClass::kCompare},
    {"select", ArithClass::kSelect},
    {"index_cast", ArithClass::kCast},
    {"index_castui", ArithClass::kCast},
    {"extsi", ArithClass::kCast},
    {"extui", ArithClass::kCast},
    {"trunci", ArithClass::kCast},
    {"extf", ArithClass::kCast},
    {"truncf", ArithClass::kCast},
    {"sitofp", ArithClass::kCast},
    {"uitofp", ArithClass::kCast},
    {"fptosi", ArithClass::kCast},
    {"fptoui", ArithClass::kCast},
    {"bitcast", ArithClass::kCast},
    {"addui_extended", ArithClass::kIntExtended},
    {"mulsi_extended", ArithClass::kIntExtended},
    {"mului_extended", ArithClass::kIntExtended},
    {"absi", ArithClass::kIntUnary},
    {"ctlz", ArithClass::kIntUnary},
    {"cttz", ArithClass::kIntUnary},
    {"ctpop", ArithClass::kIntUnary},
    {"absf", ArithClass::kFloatUnary},
    {"ceil", ArithClass::kFloatUnary},
    {"floor", ArithClass::kFloatUnary},
    {"trunc", ArithClass::kFloatUnary},
    {"round", ArithClass::kFloatUnary},
    {"roundeven", ArithClass::kFloatUnary},
    {"sqrt", ArithClass::kFloatUnary},
    {"copysign", ArithClass::kFloatBinary},
    {"fma", ArithClass::kFloatTernary},
    {"isfinite", ArithClass::kFloatTest},
    {"isinf", ArithClass::kFloatTest},
    {"isnan", ArithClass::kFloatTest},
    {"isnormal", ArithClass::kFloatTest},
    {"ipowi", ArithClass::kIntBinary},
    {"fpowi", ArithClass::kFloatIntPower},
    {"sincos", ArithClass::kFloatTwo},
    {"sin", ArithClass::kFloatUnary},
    {"cos", ArithClass::kFloatUnary},
    {"tan", ArithClass::kFloatUnary},
    {"asin", ArithClass::kFloatUnary},
    {"acos", ArithClass::kFloatUnary},
    {"atan", ArithClass::kFloatUnary},
    {"atan2", ArithClass::kFloatBinary},
    {"sinh", ArithClass::kFloatUnary},
    {"cosh", ArithClass::kFloatUnary},
    {"tanh", ArithClass::kFloatUnary},
    {"asinh", ArithClass::kFloatUnary},
    {"acosh", ArithClass::kFloatUnary},
    {"atanh", ArithClass::kFloatUnary},
    {"expm1", ArithClass::kFloatUnary},
    {"log1p", ArithClass::kFloatUnary},
    {"log2", ArithClass::kFloatUnary},
    {"log10", ArithClass::kFloatUnary},
    {"cbrt", ArithClass::kFloatUnary},
    {"erf", ArithClass::kFloatUnary},
    {"erfc", ArithClass::kFloatUnary},
    {"exp", ArithClass::kFloatUnary},
    {"exp2", ArithClass::kFloatUnary},
    {"log", ArithClass::kFloatUnary},
    {"rsqrt", ArithClass::kFloatUnary},
    {"powf", ArithClass::kFloatBinary},
};
static_assert(std::size(kArith) == static_cast<size_t>(kLastArith) + 1);

constexpr const char* kPredicates[] = {
    "",    "eq",  "ne",  "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "false", "oeq",  "ogt",
    "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",   "true",
};
static_assert(std::size(kPredicates) == static_cast<size_t>(CmpPredicate::kTrue) + 1);

}  // namespace

const DialectOp* FindDialectOp(std::string_view mnemonic) {
  if (mnemonic.empty() || mnemonic[0] < 'a' || mnemonic[0] > 'z') return nullptr;
  int low = kLetters.first[mnemonic[0] - 'a'];
  int high = kLetters.first[mnemonic[0] - 'a' + 1];
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order = Compare(kDialect[middle].name, mnemonic);
    if (order == 0) return &kDialect[middle];
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

int DialectOpCount() { return static_cast<int>(std::size(kDialect)); }
const DialectOp& DialectOpAt(int index) { return kDialect[index]; }

std::span<const OpInfo* const> FindInstruction(std::string_view mnemonic) {
  char folded[64];
  if (mnemonic.size() > sizeof folded) return {};
  std::transform(mnemonic.begin(), mnemonic.end(), folded, Fold);
  return FormsOf(std::string_view(folded, mnemonic.size()));
}

const ArithInfo& Info(ArithOp op) { return kArith[static_cast<int>(op)]; }

int OperandsOf(ArithClass kind) {
  switch (kind) {
    case ArithClass::kSelect:
    case ArithClass::kFloatTernary:
      return 3;
    case ArithClass::kIntUnary:
    case ArithClass::kFloatUnary:
    case ArithClass::kFloatTest:
    case ArithClass::kFloatTwo:
    case ArithClass::kCast:
      return 1;
    default:
      return 2;
  }
}

ArithOp FindArith(std::string_view dialect, std::string_view name) {
  const bool math = dialect == "math";
  const auto split = static_cast<size_t>(kFirstMath);
  for (size_t i = math ? split : 1; i < (math ? std::size(kArith) : split); ++i) {
    if (name == kArith[i].name) return static_cast<ArithOp>(i);
  }
  return ArithOp::kNone;
}

const char* NameOf(CmpPredicate predicate) { return kPredicates[static_cast<int>(predicate)]; }

CmpPredicate FindPredicate(std::string_view name, bool floats) {
  const size_t split = static_cast<size_t>(CmpPredicate::kFalse);
  const size_t begin = floats ? split : 1;
  const size_t end = floats ? std::size(kPredicates) : split;
  for (size_t i = begin; i < end; ++i) {
    if (name == kPredicates[i]) return static_cast<CmpPredicate>(i);
  }
  return CmpPredicate::kNone;
}

}  // namespace pto::ptoas
