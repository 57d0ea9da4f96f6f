#include "src/ptoas/read/views.h"

#include <algorithm>
#include <unordered_map>

#include "src/ptoas/vector/op.h"
#include "src/records/attributes.h"

namespace pto::ptoas {

namespace {

constexpr int kMaxRank = 5;
constexpr int kDeepestPart = 32;  // parts of parts

// The facts about an argument's views so far.
struct Seen {
  bool several = false;  // or not known before a run
  bool any = false;
  std::span<const int64_t> dims;
};

class Finder {
 public:
  explicit Finder(Arena* arena) : arena_(arena) {}

  void Find(const Func& func) {
    for (Value* argument : func.args) {
      const bool pointer = argument->type != nullptr && argument->type->kind == TypeKind::kPtr;
      if (pointer && !argument->type->local) seen_.try_emplace(argument);
    }
    for (const Block* block = func.body; block != nullptr; block = block->next) Walk(*block);
    for (Value* argument : func.args) {
      const auto found = seen_.find(argument);
      if (found == seen_.end()) continue;
      argument->one_view = found->second.any && !found->second.several;
      argument->viewed = found->second.dims;
    }
    seen_.clear();
  }

 private:
  void Walk(const Block& block) {
    for (const Stmt* stmt : block.stmts) {
      for (size_t i = 0; i < stmt->operands.size(); ++i) Use(*stmt, stmt->operands[i], i == 0);
      for (const Operand& out : stmt->outs) Use(*stmt, out, false);
      if (stmt->kind == StmtKind::kInst) Move(*stmt);
      for (const Block* inner : stmt->blocks) Walk(*inner);
    }
  }

  void Use(const Stmt& stmt, const Operand& operand, bool first) {
    if (operand.value == nullptr || operand.value->origin != ValueOrigin::kArgument) return;
    const auto found = seen_.find(operand.value);
    if (found == seen_.end() || stmt.kind == StmtKind::kLoadScalar || stmt.kind == StmtKind::kStoreScalar) return;
    Seen* const seen = &found->second;
    int64_t dims[kMaxRank];
    const size_t rank = stmt.kind == StmtKind::kMakeTensorView && first ? DimsOf(stmt, dims) : 0;
    const std::span<const int64_t> shape = DropOnes({dims, rank});
    if (rank == 0 || (seen->any && !std::equal(shape.begin(), shape.end(), seen->dims.begin(), seen->dims.end()))) {
      seen->several = true;
    } else if (!seen->any) {
      seen->any = true;
      seen->dims = arena_->Copy(shape.data(), shape.size());
    }
  }

  void Move(const Stmt& stmt) {
    if (stmt.op == nullptr || !stmt.op->Transfers()) return;
    const std::span<const Operand> side = stmt.Stores() ? stmt.outs : stmt.operands;
    const Stmt* const made = side.empty() ? nullptr : MakingOf(side[0].value);
    if (made == nullptr || made->results.empty()) return;
    const Stmt*& moved = made->results[0]->moved;
    const bool open = moved == nullptr || GivenValue(*moved, "layout").empty();
    if (moved == nullptr || (open && !GivenValue(stmt, "layout").empty())) moved = &stmt;
  }

  // The sizes of a view, by its type or by constants. 0: one is not known.
  static size_t DimsOf(const Stmt& stmt, int64_t* dims) {
    const std::span<const Operand> shape = stmt.All("shape");
    if (shape.size() > kMaxRank) return 0;
    const Type* type = stmt.types.empty() ? nullptr : stmt.types[0];
    for (size_t i = 0; i < shape.size(); ++i) {
      if (ConstantOf(shape[i].value, &dims[i])) continue;
      const bool typed = type != nullptr && type->kind == TypeKind::kTensorView && type->rank == shape.size();
      if (!typed || type->dims[i] == kDynamic) return 0;
      dims[i] = type->dims[i];
    }
    return shape.size();
  }

  Arena* arena_;
  std::unordered_map<const Value*, Seen> seen_;
};

}  // namespace

std::span<const int64_t> DropOnes(std::span<const int64_t> dims) {
  while (!dims.empty() && dims.front() == 1) dims = dims.subspan(1);
  return dims;
}

const Stmt* MakingOf(const Value* view) {
  for (int depth = 0; depth < kDeepestPart; ++depth) {
    const Stmt* const def = view == nullptr || view->origin != ValueOrigin::kResult ? nullptr : view->def;
    if (def == nullptr || def->kind == StmtKind::kMakeTensorView) return def;
    if (def->kind != StmtKind::kPartitionView || def->operands.empty()) return nullptr;
    view = def->operands[0].value;
  }
  return nullptr;
}

[[gnu::cold]] bool UbAddressOf(const Operand& pointer, int64_t* at) {
  *at = 0;
  const Value* from = pointer.value;
  while (from != nullptr && from->def != nullptr) {
    const Stmt& def = *from->def;
    int64_t more = 0;
    if (def.vector != nullptr && def.vector->family == vec::Family::kPointer) {
      if (ConstantOf(def.operands[0], &more)) return !__builtin_add_overflow(*at, more, at);
      from = def.operands[0].value;
    } else if (def.Is("addptr") && ConstantOf(*def["offset"], &more)) {
      if (__builtin_mul_overflow(more, BytesOf(from->type->elem), &more)) return false;
      if (__builtin_add_overflow(*at, more, at)) return false;
      from = def["ptr"]->value;
    } else {
      return false;
    }
  }
  return false;
}

std::string_view WrittenLayout(const Stmt& view) {
  const std::string_view own = GivenValue(view, "layout");
  const Stmt* const moved = view.results.empty() ? nullptr : view.results[0]->moved;
  return own.empty() && moved != nullptr ? GivenValue(*moved, "layout") : own;
}

void FindViews(Program* program) {
  Finder finder(program->arena.get());
  for (const Module* module : program->modules) {
    for (const Func* func : module->funcs) finder.Find(*func);
  }
}

std::string StagingFault(const Type& tile, int64_t rows, int64_t cols) {
  const auto divides = [](int64_t valid, int64_t extent) {
    return valid == kDynamic || extent == kDynamic || (valid > 0 && extent % valid == 0);
  };
  if (divides(tile.valid_row, rows) && divides(tile.valid_col, cols)) return {};
  return " is valid in " + std::to_string(tile.valid_row) + "x" + std::to_string(tile.valid_col) +
         ", which does not divide " + std::to_string(rows) + "x" + std::to_string(cols);
}

}  // namespace pto::ptoas
