// Bytes of UB below tiles: read and never written, written and never read, and lanes beyond the data.
//
// The bytes of a statement follow from constant addresses and from loops with constant bounds. A statement whose bytes
// the text does not show may write, or read, all of them. The order of statements does not count. So a finding holds
// for every run: no statement of the function writes, or reads, one of the bytes.
#include <algorithm>
#include <optional>

#include "src/ptoas/lint/checks.h"
#include "src/ptoas/read/views.h"
#include "src/ptoas/run/spans.h"
#include "src/ptoas/vector/choices.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {

namespace {

constexpr int64_t kFarAway = int64_t{1} << 40;
constexpr int kDeepest = 64;

// The numbers that a value has in the course of a run.
struct Interval {
  int64_t least = 0, most = 0;
};
// The bytes of an access: of the first execution, and of all of them.
struct UbBytes {
  int64_t first = 0, least = 0, most = 0, bytes = 0;
  int64_t end() const { return most + bytes; }
};

class UbUse {
 public:
  UbUse(const Lint& lint, const FuncFacts& facts) : facts_(facts) {
    bool known = !lint.IsCalled(facts.func()) && !facts.branches();
    for (size_t i = 0; i < facts.sites().size() && known; ++i) known = Note(*facts.sites()[i].stmt);
    if (!known) writes_known_ = reads_known_ = false;
  }

  bool writes_known() const { return writes_known_; }
  bool reads_known() const { return reads_known_; }
  bool Written(int64_t begin, int64_t end) const { return written_.Any(begin, end); }
  bool Read(int64_t begin, int64_t end) const { return read_.Any(begin, end); }
  // The bytes after `begin` up to the first one that no statement writes.
  int64_t WrittenFrom(int64_t begin, int64_t end) const { return written_.FirstOutside(begin, end) - begin; }

  // The bytes that a load of the vector level or of a scalar reads, if the text shows them.
  std::optional<UbBytes> ReadOf(const Stmt& stmt) const {
    if (stmt.kind == StmtKind::kLoadScalar) return BytesAt(*stmt["ptr"], stmt["offset"], ElementBytes(*stmt["ptr"]));
    if (stmt.vector == nullptr) return {};
    const vec::Op& op = *stmt.vector;
    const bool posts = op.family == vec::Family::kLoad && stmt.types.size() > (op.name == "vldsx2" ? 2U : 1U);
    if (posts) return BytesAt(stmt.operands[0], nullptr, vec::kRegisterBytes);  // the index belongs to the next one
    if (op.name == "vlds") {
      const int32_t code = vec::CodeOf(stmt, vec::kLoadDist, vec::DistCode(vec::Dist::kNorm, 0));
      const Type* made = stmt.types[0];
      const int width = vec::DistBytes(code) != 0 ? vec::DistBytes(code) : static_cast<int>(BytesOf(made->elem));
      return BytesAt(stmt.operands[0], &stmt.operands[1], vec::LoadBytes(vec::DistOf(code), width));
    }
    if (op.name == "vldsx2") return BytesAt(stmt.operands[0], &stmt.operands[1], 2 * int64_t{vec::kRegisterBytes});
    if (op.name == "mte_ub_gm" || op.name == "mte_ub_ub") return Bursts(stmt, 0, false);
    return {};
  }
  // The bytes that a store or a copy may write.
  std::optional<UbBytes> WriteOf(const Stmt& stmt) const {
    if (stmt.kind == StmtKind::kStoreScalar) return BytesAt(*stmt["ptr"], stmt["offset"], ElementBytes(*stmt["ptr"]));
    if (stmt.vector == nullptr) return {};
    const vec::Op& op = *stmt.vector;
    if (op.name == "vsts" && stmt.types.empty())
      return BytesAt(stmt.operands[1], &stmt.operands[2], vec::kRegisterBytes);
    if (op.name == "vstsx2") return BytesAt(stmt.operands[2], &stmt.operands[3], 2 * int64_t{vec::kRegisterBytes});
    if (op.name == "psts" || op.name == "psti") return BytesAt(stmt.operands[1], &stmt.operands[2], 32);
    if (op.name == "mte_gm_ub" || op.name == "mte_ub_ub") return Bursts(stmt, 1, true);
    return {};
  }

 private:
  static bool IsUb(const Operand& operand) {
    const Type* type = TypeOf(operand);
    return type != nullptr && type->kind == TypeKind::kPtr && type->local && type->loc == Loc::kVec;
  }
  static int64_t ElementBytes(const Operand& pointer) { return BytesOf(TypeOf(pointer)->elem); }

  // False: nothing is known of the function.
  bool Note(const Stmt& stmt) {
    const bool unknown = stmt.kind == StmtKind::kInst || stmt.kind == StmtKind::kCall || stmt.kind == StmtKind::kComm ||
                         stmt.kind == StmtKind::kAsync || IsPipe(stmt.kind);
    if (unknown) return false;
    const bool names = std::any_of(stmt.operands.begin(), stmt.operands.end(), IsUb);
    if (!names) return true;
    const bool derives = stmt.Is("addptr") || (stmt.vector != nullptr && stmt.vector->family == vec::Family::kPointer);
    if (derives) return true;
    const bool loads = stmt.kind == StmtKind::kLoadScalar || Family(stmt, vec::Family::kLoad);
    const bool stores = stmt.kind == StmtKind::kStoreScalar || Family(stmt, vec::Family::kStore);
    const bool copies = Family(stmt, vec::Family::kCopy);
    if (loads || (copies && IsUb(stmt.operands[0]))) Add(ReadOf(stmt), &read_, &reads_known_);
    if (stores || (copies && IsUb(stmt.operands[1]))) Add(WriteOf(stmt), &written_, &writes_known_);
    if (loads || stores || copies) return true;
    const bool masks = Family(stmt, vec::Family::kMask);
    if (masks && stmt.results.empty()) Add(WriteOf(stmt), &written_, &writes_known_);
    if (masks && !stmt.results.empty()) reads_known_ = false;
    if (masks) return true;
    if (Family(stmt, vec::Family::kStream) || Family(stmt, vec::Family::kGather) || Family(stmt, vec::Family::kSort) ||
        Family(stmt, vec::Family::kCube)) {
      reads_known_ = writes_known_ = false;
      return true;
    }
    return false;
  }
  static bool Family(const Stmt& stmt, vec::Family family) {
    return stmt.vector != nullptr && stmt.vector->family == family;
  }
  static void Add(const std::optional<UbBytes>& bytes, Spans* to, bool* known) {
    if (bytes) {
      to->Add(bytes->least, bytes->end());
    } else {
      *known = false;
    }
  }

  std::optional<UbBytes> BytesAt(const Operand& pointer, const Operand* index, int64_t bytes) const {
    int64_t at = 0;
    Interval steps;
    if (!IsUb(pointer) || !AddressOf(pointer, &at)) return {};
    const bool indexed = index != nullptr && !index->implied;
    if (indexed && !NumbersOf(*index, &steps, 0)) return {};
    const int64_t unit = ElementBytes(pointer);
    return UbBytes{at + steps.least * unit, at + steps.least * unit, at + steps.most * unit, bytes};
  }

  // nburst(count, source stride, destination stride) of a length, with loops around it.
  std::optional<UbBytes> Bursts(const Stmt& stmt, size_t pointer, bool destination) const {
    int64_t at = 0;
    Interval length;
    const bool in = stmt.vector->name == "mte_gm_ub";
    if (!AddressOf(stmt.operands[pointer], &at)) return {};
    if (!NumbersOf(stmt.operands[in ? 3 : 2], &length, 0) || length.least != length.most || length.most < 0) return {};
    if (stmt.vector->name == "mte_ub_ub") return {};  // its strides are gaps
    UbBytes all{at, at, at, length.most};
    for (const Clause& clause : stmt.clauses) {
      if (clause.info->word == "pad") {
        all.bytes = (all.bytes + 63) / 32 * 32;  // with what is to the left
        continue;
      }
      const std::span<const Operand> given = stmt.operands.subspan(clause.begin, clause.end - clause.begin);
      Interval count;
      Interval stride;
      if (given.size() != 3 || !NumbersOf(given[0], &count, 0) || !NumbersOf(given[destination ? 2 : 1], &stride, 0))
        return {};
      if (count.least != count.most || stride.least != stride.most || stride.least < 0) return {};
      if (count.most > 1) all.most += (count.most - 1) * stride.most;
      if (all.most > kFarAway) return {};
    }
    return all;
  }

  // A byte of UB whose address the text shows.
  static bool AddressOf(const Operand& pointer, int64_t* at) {
    return UbAddressOf(pointer, at) && *at >= 0 && *at < kFarAway;
  }

  // Constants, the variables of loops with constant bounds, and sums and products of these.
  bool NumbersOf(const Operand& operand, Interval* out, int depth) const {
    if (ConstantOf(operand, &out->least)) {
      out->most = out->least;
      return std::abs(out->least) < kFarAway;
    }
    const Value* value = Named(operand);
    if (value == nullptr || depth > kDeepest) return false;
    if (value->origin == ValueOrigin::kBlockArgument) return LoopNumbers(*value, out);
    const Stmt* def = value->def;
    if (def == nullptr || def->kind != StmtKind::kArith || def->operands.size() > 2) return false;
    Interval a;
    Interval b;
    if (def->arith == ArithOp::kIndexCast) return NumbersOf(def->operands[0], out, depth + 1);
    if (def->operands.size() != 2 || !NumbersOf(def->operands[0], &a, depth + 1) ||
        !NumbersOf(def->operands[1], &b, depth + 1))
      return false;
    if (def->arith == ArithOp::kAddI) {
      *out = {a.least + b.least, a.most + b.most};
    } else if (def->arith == ArithOp::kMulI && a.least >= 0 && b.least >= 0 && a.most < (1 << 20) &&
               b.most < (1 << 20)) {
      *out = {a.least * b.least, a.most * b.most};
    } else {
      return false;
    }
    return std::abs(out->least) < kFarAway && std::abs(out->most) < kFarAway;
  }
  bool LoopNumbers(const Value& value, Interval* out) const {
    const int site = facts_.SiteOf(value);
    if (site == kNowhere) return false;
    const Stmt& loop = *facts_.at(site).stmt;
    int64_t lower = 0;
    int64_t upper = 0;
    int64_t step = 0;
    if (loop.kind != StmtKind::kFor || loop.blocks[0]->args.empty() || loop.blocks[0]->args[0] != &value) return false;
    if (!ConstantOf(*loop["lower"], &lower) || !ConstantOf(*loop["upper"], &upper) || !ConstantOf(*loop["step"], &step))
      return false;
    if (step <= 0 || upper <= lower || lower < 0 || upper > kFarAway) return false;
    *out = {lower, lower + (upper - lower - 1) / step * step};
    return true;
  }

  const FuncFacts& facts_;
  Spans written_, read_;
  bool writes_known_ = true, reads_known_ = true;
};

// The mask of all lanes.
bool IsAllLanes(const Operand& mask) {
  const Value* value = Named(mask);
  if (value == nullptr || value->def == nullptr || value->def->vector == nullptr) return false;
  const vec::Op& op = *value->def->vector;
  return (op.name.starts_with("pset_") || op.name.starts_with("pge_")) && vec::WordOf(*value->def, 0) == vec::kPatAll;
}

// The load with lanes beyond the data that a register comes from, by operations on all lanes.
const Stmt* PartialLoad(const UbUse& use, const Value* value, int64_t* bytes, int depth) {
  const Stmt* def = value == nullptr ? nullptr : value->def;
  if (def == nullptr || def->vector == nullptr || depth > 8) return nullptr;
  const vec::Op& op = *def->vector;
  if (op.name == "vlds" && def->types.size() == 1 && !vec::Has(*def, vec::kLoadDist)) {
    const std::optional<UbBytes> read = use.ReadOf(*def);
    if (!read) return nullptr;
    *bytes = use.WrittenFrom(read->most, read->end());
    return *bytes > 0 && *bytes < read->bytes ? def : nullptr;
  }
  const bool lanewise = op.family == vec::Family::kUnary || op.family == vec::Family::kScalar;
  if (!lanewise || !IsAllLanes(def->operands[op.in.count - 1])) return nullptr;
  return PartialLoad(use, def->operands[0].value, bytes, depth + 1);
}

}  // namespace

void UbUnwritten(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    const UbUse use(lint, facts);
    if (!use.writes_known()) continue;
    for (const StmtSite& site : facts.sites()) {
      const std::optional<UbBytes> read = use.ReadOf(*site.stmt);
      if (!read || read->bytes == 0 || use.Written(read->least, read->end())) continue;
      lint.Find(*site.stmt, "%.*s reads bytes %lld to %lld of UB, which nothing writes", PTO_NAME(site.stmt->name),
                static_cast<long long>(read->least), static_cast<long long>(read->end() - 1));
    }
  }
}

void UbUnread(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    const UbUse use(lint, facts);
    if (!use.reads_known()) continue;
    for (const StmtSite& site : facts.sites()) {
      const std::optional<UbBytes> written = use.WriteOf(*site.stmt);
      if (!written || written->bytes == 0 || use.Read(written->least, written->end())) continue;
      lint.Find(*site.stmt, "%.*s writes bytes %lld to %lld of UB, which nothing reads", PTO_NAME(site.stmt->name),
                static_cast<long long>(written->least), static_cast<long long>(written->end() - 1));
    }
  }
}

// Sums and extremes over lanes of a register that nothing filled.
void MaskWide(Lint& lint) {
  for (const FuncFacts& facts : lint.funcs()) {
    const UbUse use(lint, facts);
    if (!use.writes_known()) continue;
    for (const StmtSite& site : facts.sites()) {
      const Stmt& stmt = *site.stmt;
      if (stmt.vector == nullptr || stmt.vector->family != vec::Family::kReduce || !IsAllLanes(stmt.operands[1]))
        continue;
      int64_t bytes = 0;
      const Stmt* load = PartialLoad(use, stmt.operands[0].value, &bytes, 0);
      if (load == nullptr) continue;
      const int64_t lane = BytesOf(load->types[0]->elem);
      lint.Find(stmt.operands[1], "%%%.*s has all %lld lanes, and %%%.*s has data in the first %lld",
                PTO_NAME(stmt.operands[1].name), static_cast<long long>(vec::kRegisterBytes / lane),
                PTO_NAME(load->results[0]->name), static_cast<long long>(bytes / lane));
    }
  }
}

}  // namespace pto::ptoas
