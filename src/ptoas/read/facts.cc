// Statements in order, and the uses of values.
#include "src/ptoas/read/facts.h"

#include <algorithm>
#include <tuple>

#include "src/records/text_form.h"

namespace pto::ptoas {

namespace {

// The value whose memory a statement's result is; nullptr: a new one.
const Value* SharedBy(const Stmt& stmt) {
  return stmt.info->uses == Uses::kShares && !stmt.operands.empty() ? stmt.operands[0].value : nullptr;
}

AccessKind KindOf(Uses uses) {
  switch (uses) {
    case Uses::kReads:
      return AccessKind::kRead;
    case Uses::kShares:
      return AccessKind::kAlias;
    case Uses::kShape:
      return AccessKind::kShape;
    case Uses::kChanges:
      return AccessKind::kChange;
    default:
      return AccessKind::kEscape;
  }
}

// Destinations that are written completely: the destination leads, and every element changes. Unused for global memory.
AccessKind KindOfWrite(const OpInfo& op, int index) {
  const pto::Operand& operand = op.operands[index];
  if (operand.role == Role::kInOut) return AccessKind::kChange;
  // A move of one tile that neither windows nor modes change.
  const bool moves = op.walk == Walk::kMove && op.Numbers() == 0 && op.Inputs() == 1;
  const bool all = operand.extent == Extent::kSame && (Info(op.walk).fills || moves);
  return all ? AccessKind::kWrite : AccessKind::kChange;
}

}  // namespace

const Operand* SourceOf(const Stmt& stmt, int index) {
  if (stmt.op == nullptr) return nullptr;
  const TextOrder& order = SourcesOf(*stmt.op, stmt.operands.size());
  for (size_t i = 0; i < stmt.operands.size() && i < static_cast<size_t>(order.count); ++i) {
    if (order.at[i] == index) return &stmt.operands[i];
  }
  return nullptr;
}

FuncFacts::FuncFacts(const Func& func)
    : func_(func),
      branches_(func.body != nullptr && func.body->next != nullptr),
      accesses_(func.value_count),
      shared_(func.value_count),
      tallies_(func.value_count),
      roots_(func.value_count),
      defined_(func.value_count, kNowhere) {
  for (const Value* arg : func.args) Define(*arg, kNowhere, nullptr);
  for (const Block* block = func.body; block != nullptr; block = block->next) {
    for (const Value* arg : block->args) Define(*arg, 0, nullptr);
    Walk(*block, kNowhere, kNowhere, kNowhere);
  }
  const auto known = [this](const Value* value) {
    return Count(*value, {AccessKind::kEscape}, 0, static_cast<int>(sites_.size())) == 0;
  };
  for (const StmtSite& site : sites_) {
    const Stmt& stmt = *site.stmt;
    if (stmt.kind == StmtKind::kAllocTile && stmt["addr"] != nullptr && !stmt.results.empty()) Place(stmt);
    const bool makes = stmt.kind == StmtKind::kAllocTile && stmt["addr"] == nullptr && !stmt.results.empty();
    if (makes && known(stmt.results[0])) own_tiles_.push_back(stmt.results[0]);
  }
  std::sort(placed_tiles_.begin(), placed_tiles_.end(), [](const PlacedTile& a, const PlacedTile& b) {
    return std::tie(a.tile->type->loc, a.first, a.end) < std::tie(b.tile->type->loc, b.first, b.end);
  });
}

void FuncFacts::Place(const Stmt& stmt) {
  constexpr int64_t kMost = int64_t{1} << 40;
  const Value* tile = stmt.results[0];
  if (tile->type == nullptr || tile->type->kind != TypeKind::kTile) return;
  int64_t address = 0;
  const bool known = ConstantOf(*stmt["addr"], &address) && address >= 0 && address <= kMost;
  placed_tiles_.push_back({tile, known ? address : -1, known ? address + tile->type->Bytes() : kMost});
}

const FuncFacts::Tally& FuncFacts::TallyAt(const Value& root, int site) const {
  static constexpr Tally kNone;
  const std::vector<Access>& accesses = shared_[root.slot];
  const auto at = std::partition_point(accesses.begin(), accesses.end(),
                                       [site](const Access& access) { return access.site < site; });
  return at == accesses.begin() ? kNone : tallies_[root.slot][static_cast<size_t>(at - accesses.begin()) - 1];
}

int64_t FuncFacts::Count(const Value& root, std::initializer_list<AccessKind> kinds, int first, int end) const {
  const Tally& before = TallyAt(root, first);
  const Tally& then = TallyAt(root, end);
  int64_t count = 0;
  for (const AccessKind kind : kinds) {
    count += then.count[static_cast<size_t>(kind)] - before.count[static_cast<size_t>(kind)];
  }
  return count;
}

const Access* FuncFacts::LatestChange(const Value& root, int site) const {
  const int32_t at = TallyAt(root, site).change;
  return at < 0 ? nullptr : &shared_[root.slot][static_cast<size_t>(at)];
}

void FuncFacts::Define(const Value& value, int site, const Value* shares) {
  defined_[value.slot] = site;
  const Value* root = shares == nullptr ? nullptr : roots_[shares->slot];
  roots_[value.slot] = root == nullptr ? &value : root;
}

void FuncFacts::Walk(const Block& block, int parent, int loop, int branch) {
  for (const Stmt* stmt : block.stmts) {
    const int site = static_cast<int>(sites_.size());
    sites_.push_back({stmt, &block, parent, loop, branch});
    NoteStatement(site, *stmt);
    for (const Value* result : stmt->results) Define(*result, site, SharedBy(*stmt));
    for (const Operand& out : stmt->outs) {
      if (out.value != nullptr && out.value->def == stmt) Define(*out.value, site, nullptr);
    }
    for (const Block* inner : stmt->blocks) {
      for (const Value* arg : inner->args) Define(*arg, site, nullptr);
      Walk(*inner, site, IsLoop(*stmt) ? site : loop, stmt->kind == StmtKind::kIf ? site : branch);
    }
    sites_[static_cast<size_t>(site)].end = static_cast<int>(sites_.size());
  }
}

void FuncFacts::Note(int site, const Operand& operand, AccessKind kind) {
  if (operand.kind == OperandKind::kValue && operand.value != nullptr) {
    const Value& value = *operand.value;
    accesses_[value.slot].push_back({site, &operand, kind});
    const Value* root = roots_[value.slot];
    if (kind != AccessKind::kAlias) {
      const uint32_t slot = root == nullptr ? value.slot : root->slot;
      Tally tally = tallies_[slot].empty() ? Tally() : tallies_[slot].back();
      ++tally.count[static_cast<size_t>(kind)];
      if (kind != AccessKind::kRead) tally.change = static_cast<int32_t>(shared_[slot].size());
      shared_[slot].push_back({site, &operand, kind});
      tallies_[slot].push_back(tally);
    }
  }
  NoteAll(site, operand.indices, AccessKind::kRead);
}

void FuncFacts::NoteAll(int site, std::span<const Operand> operands, AccessKind kind) {
  for (const Operand& operand : operands) Note(site, operand, kind);
}

void FuncFacts::NoteInstruction(int site, const Stmt& stmt) {
  if (stmt.op == nullptr) {
    NoteAll(site, stmt.operands, AccessKind::kEscape);
    NoteAll(site, stmt.outs, AccessKind::kEscape);
    return;
  }
  const TextOrder& order = SourcesOf(*stmt.op, stmt.operands.size());
  for (size_t i = 0; i < stmt.operands.size(); ++i) {
    const bool tmp = i < static_cast<size_t>(order.count) && stmt.op->operands[order.at[i]].role == Role::kTmp;
    Note(site, stmt.operands[i], tmp ? AccessKind::kScratch : AccessKind::kRead);
  }
  for (size_t i = 0; i < stmt.outs.size(); ++i) {
    // The statement defines its own results.
    const Operand& out = stmt.outs[i];
    if (out.value != nullptr && out.value->def == &stmt) Define(*out.value, site, nullptr);
    Note(site, out, KindOfWrite(*stmt.op, static_cast<int>(i)));
  }
}

void FuncFacts::NoteStatement(int site, const Stmt& stmt) {
  if (stmt.kind == StmtKind::kInst) return NoteInstruction(site, stmt);
  const StmtInfo& info = *stmt.info;
  const AccessKind usual = KindOf(info.uses);
  std::vector<AccessKind> kinds(stmt.operands.size(), usual == AccessKind::kAlias ? AccessKind::kRead : usual);
  if (usual == AccessKind::kAlias && !kinds.empty()) kinds[0] = usual;
  AccessKind out = usual;
  for (size_t i = 0; i < info.operands.size(); ++i) {
    const OperandInfo& one = info.operands[i];
    if (one.uses != Uses::kEscapes) (one.out ? out : kinds[i]) = KindOf(one.uses);
  }
  if (info.uses == Uses::kAsks) return;
  for (size_t i = 0; i < kinds.size(); ++i) Note(site, stmt.operands[i], kinds[i]);
  NoteAll(site, stmt.outs, out);
}

}  // namespace pto::ptoas
