#include "src/ptoas/run/first_writes.h"

#include <algorithm>
#include <functional>

#include "src/ptoas/read/facts.h"

namespace pto::ptoas {

namespace {

// The type gives no access to on-chip memory.
bool IsElsewhere(const Type* type) {
  if (type == nullptr) return true;
  return type->kind == TypeKind::kScalar || type->IsView() || type->kind == TypeKind::kLocalArray ||
         type->kind == TypeKind::kEventIdArray || (type->kind == TypeKind::kPtr && !type->local);
}

// Statements that use no on-chip memory but their operands. Of them only alloc_tile places tiles.
bool IsPlain(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::kInst:
      return stmt.op != nullptr;
    case StmtKind::kAllocTile:
      return !stmt.results.empty() && stmt.results[0]->type != nullptr &&
             stmt.results[0]->type->kind == TypeKind::kTile;
    case StmtKind::kConstant:
    case StmtKind::kArith:
    case StmtKind::kFor:
    case StmtKind::kIf:
    case StmtKind::kWhile:
    case StmtKind::kYield:
    case StmtKind::kCondition:
    case StmtKind::kReturn:
    case StmtKind::kSection:
    case StmtKind::kMakeTensorView:
    case StmtKind::kPartitionView:
    case StmtKind::kTreshape:
    case StmtKind::kBitcast:
    case StmtKind::kSubset:
    case StmtKind::kLoadScalar:
    case StmtKind::kStoreScalar:
    case StmtKind::kTSetVal:
    case StmtKind::kPrint:
    case StmtKind::kTPrint:
    case StmtKind::kSync:
      return true;
    case StmtKind::kOther:
      return std::all_of(stmt.results.begin(), stmt.results.end(),
                         [](const Value* result) { return IsElsewhere(result->type); });
    default:
      return false;
  }
}

// All elements are valid, and nothing lies between them.
bool IsFull(const Stmt& alloc, const Type& type) {
  const int64_t bits = Info(type.elem).bits;
  return type.loc == Loc::kVec && IsStatic(&type) && alloc["valid_row"] == nullptr && alloc["valid_col"] == nullptr &&
         type.valid_row == type.rows() && type.valid_col == type.cols() && bits % 8 == 0 &&
         type.Bytes() == type.rows() * type.cols() * (bits / 8);
}

// The statement that writes all of a tile before anyone reads it; nullptr if the text does not show that.
const Stmt* WriterOf(const FuncFacts& facts, const Value& tile) {
  if (!IsFull(*tile.def, *tile.type)) return nullptr;
  const std::vector<Access>& accesses = facts.SharedAccesses(tile);
  if (accesses.empty() || accesses[0].kind != AccessKind::kWrite || Named(*accesses[0].operand) != &tile) {
    return nullptr;
  }
  const StmtSite& writer = facts.at(accesses[0].site);
  const int end = writer.parent == kNowhere ? static_cast<int>(facts.sites().size()) : facts.at(writer.parent).end;
  for (const Access& access : accesses) {
    if (access.kind == AccessKind::kShape) return nullptr;
    // A sibling block of the same statement lies before `end`, too.
    int inner = access.site;
    while (inner != kNowhere && facts.at(inner).block != writer.block) inner = facts.at(inner).parent;
    if (access.site >= end || inner == kNowhere) return nullptr;
  }
  return writer.stmt;
}

bool ByWriter(const FirstWrites::Tile& a, const FirstWrites::Tile& b) { return std::less<>()(a.writer, b.writer); }

}  // namespace

std::pair<int64_t, int64_t> FirstWrites::Of(const Stmt& writer) const {
  const auto [first, last] = std::equal_range(tiles.begin(), tiles.end(), Tile{&writer, {}}, ByWriter);
  return {first - tiles.begin(), last - tiles.begin()};
}

FirstWrites FirstWritesOf(const Func& func) {
  FirstWrites found;
  const FuncFacts facts(func);
  if (facts.branches() || facts.placed_tiles().empty()) return found;
  for (const StmtSite& site : facts.sites()) {
    if (!IsPlain(*site.stmt)) return found;
  }
  Spans others;
  for (const PlacedTile& placed : facts.placed_tiles()) {
    const int sites = static_cast<int>(facts.sites().size());
    if (placed.first < 0 || facts.Count(*placed.tile, {AccessKind::kEscape}, 0, sites) != 0) return {};
    if (placed.tile->type->loc != Loc::kVec) continue;
    const Stmt* const writer = WriterOf(facts, *placed.tile);
    if (writer == nullptr) {
      others.Add(placed.first, placed.end);
    } else {
      found.tiles.push_back({writer, {placed.first, placed.end}});
      found.spared.Add(placed.first, placed.end);
    }
  }
  std::sort(found.tiles.begin(), found.tiles.end(), ByWriter);
  for (const Span& span : others) found.spared.Remove(span.begin, span.end);
  return found;
}

}  // namespace pto::ptoas
