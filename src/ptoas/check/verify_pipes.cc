// Pipes and flags between cores: their places, and their parameters.
#include <algorithm>

#include "src/ptoas/check/pipe_facts.h"
#include "src/ptoas/check/verify_impl.h"

namespace pto::ptoas {

namespace {

enum class Holds : uint8_t { kInt, kBool, kName, kWord };

// The attributes of pipes, by statement; the least and the most of integers. Other tools add their own.
struct PipeAttribute {
  StmtKind kind;
  const char* name;
  Holds holds;
  bool needed = false;
  int64_t least = 0;
  int64_t most = 0;
};
constexpr int64_t kMany = int64_t{1} << 31;
constexpr int64_t kFlagIds = 16;  // of a core, for its pipes
using K = StmtKind;
constexpr PipeAttribute kPipeAttributes[] = {
    {K::kReserveBuffer, "name", Holds::kName, true},
    {K::kReserveBuffer, "size", Holds::kInt, true, 1, kMany},
    {K::kReserveBuffer, "location", Holds::kWord, true},
    {K::kReserveBuffer, "auto", Holds::kBool},
    {K::kReserveBuffer, "base", Holds::kInt, false, 0, kMany},
    {K::kImportBuffer, "name", Holds::kName, true},
    {K::kImportBuffer, "peer_func", Holds::kWord, true},
    {K::kMakePipe, "id", Holds::kInt, false, 0, 1023},
    {K::kMakePipe, "dir_mask", Holds::kInt, true, 1, 3},
    {K::kMakePipe, "slot_size", Holds::kInt, true, 1, kMany},
    {K::kMakePipe, "slot_num", Holds::kInt, false, 1, 1024},
    {K::kMakePipe, "local_slot_num", Holds::kInt, false, 1, 1024},
    {K::kMakePipe, "flag_base", Holds::kInt, false, 0, 14},
    {K::kMakePipe, "nosplit", Holds::kBool},
    {K::kPush, "id", Holds::kInt, false, 0, 1023},
    {K::kPush, "split", Holds::kInt, false, 0, 4},
};

// All that uses a pipe has one list.
StmtKind ListOf(StmtKind kind) { return std::min(kind, K::kPush); }

bool Moves(const Type& type) { return type.IsTile() || type.IsView(); }
bool IsHandle(const Type& type) { return type.kind == TypeKind::kPipe; }
bool IsGlobal(const Type& type) { return type.kind == TypeKind::kPtr && !type.local; }

const Type* MadeBy(const Stmt& stmt) { return stmt.results.empty() ? nullptr : stmt.results[0]->type; }

// A slot in global memory.
bool IsSlot(const Type* type) {
  return type != nullptr && type->IsView() &&
         std::all_of(type->dims, type->dims + type->rank, [](int64_t d) { return d > 0; });
}

const char* NameOf(CoreKind kind) { return kind == CoreKind::kCube ? "cube" : "vector"; }

}  // namespace

void Verifier::CheckPipeAttributes(const Stmt& stmt) {
  const StmtKind list = ListOf(stmt.kind);
  for (const PipeAttribute& one : kPipeAttributes) {
    if (one.kind != list || !one.needed || FindAttr(stmt.attrs, one.name) != nullptr) continue;
    Error(TextRule::kAttributeValue, stmt, "%.*s has no %s", PTO_NAME(stmt.name), one.name);
  }
  for (const NamedAttr& entry : stmt.attrs) {
    const PipeAttribute* known = nullptr;
    for (const PipeAttribute& one : kPipeAttributes) {
      if (one.kind == list && one.name == entry.name) known = &one;
    }
    const auto length = static_cast<uint32_t>(entry.name.size());
    if (known == nullptr) {
      diagnostics_->Warn(TextRule::kUnknownAttribute, entry.offset, length, "%.*s has no attribute '%.*s'",
                         PTO_NAME(stmt.name), PTO_NAME(entry.name));
      continue;
    }
    const Attr& value = ValueOf(entry);
    const bool word = !value.text.empty() && value.kind != AttrKind::kInt && value.kind != AttrKind::kFloat;
    const bool good = known->holds == Holds::kInt ? value.kind == AttrKind::kInt && value.integer >= known->least &&
                                                        value.integer <= known->most
                      : known->holds == Holds::kBool ? value.kind == AttrKind::kBool
                                                     : word;
    if (good) continue;
    if (known->holds == Holds::kInt) {
      diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length, "%s of %.*s is a number from %lld to %lld",
                          known->name, PTO_NAME(stmt.name), static_cast<long long>(known->least),
                          static_cast<long long>(known->most));
    } else {
      diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length, "%s of %.*s is %s", known->name,
                          PTO_NAME(stmt.name), known->holds == Holds::kBool ? "true or false" : "a name");
    }
  }
}

// What one statement specifies for its pipe.
void Verifier::CheckPipeShape(const Stmt& stmt) {
  const PipeShape shape = PipeShapeOf(stmt);
  if (shape.local_slots > shape.slots) {
    Error(TextRule::kAttributeValue, stmt, "local_slot_num of %.*s is %lld where the pipe has %lld slots",
          PTO_NAME(stmt.name), static_cast<long long>(shape.local_slots), static_cast<long long>(shape.slots));
  }
  if (shape.flag_base < 0) return;
  const int64_t end = shape.flag_base + shape.FlagIds();
  if (shape.flag_base % 2 == 0 && end <= kFlagIds) return;
  Error(TextRule::kPipeFlags, stmt, "flag_base = %lld with %lld flag ids", static_cast<long long>(shape.flag_base),
        static_cast<long long>(shape.FlagIds()));
}

// What the statements of a kernel specify together.
void Verifier::CheckPipes() {
  for (const KernelPipes& kernel : PipesOf(program_)) {
    const bool wanted =
        hooks_.wanted == nullptr || std::any_of(kernel.funcs.begin(), kernel.funcs.end(),
                                                [&](const Func* func) { return hooks_.wanted->contains(func); });
    if (!wanted || kernel.lost) continue;
    int64_t ids[2] = {};
    for (const PipeFacts& pipe : kernel.pipes) {
      if (pipe.made == nullptr) continue;
      CheckSplit(pipe);
      if (!pipe.shared && (pipe.ends[0] == nullptr) != (pipe.ends[1] == nullptr)) {
        const Stmt& end = *(pipe.ends[0] == nullptr ? pipe.ends[1] : pipe.ends[0]);
        Error(TextRule::kPipePeer, end, "the %s core makes no end of this pipe",
              NameOf(pipe.ends[0] == nullptr ? CoreKind::kCube : CoreKind::kVector));
      }
      for (int core = 0; core < 2; ++core) {
        const Stmt* made = pipe.shared ? pipe.made : pipe.ends[core];
        if (made == nullptr) continue;
        const int64_t before = ids[core];
        ids[core] += PipeShapeOf(*made).FlagIds();
        if (before > kFlagIds || ids[core] <= kFlagIds) continue;
        Error(TextRule::kPipeFlags, *made, "with this pipe the %s core takes %lld flag ids",
              NameOf(core == 0 ? CoreKind::kCube : CoreKind::kVector), static_cast<long long>(ids[core]));
        if (pipe.shared) break;
      }
    }
  }
}

// Where the text shows which statements share the pipe.
void Verifier::CheckSplit(const PipeFacts& pipe) {
  if (pipe.nosplit != nullptr && pipe.splits != nullptr) {
    Error(TextRule::kPipeSplit, *pipe.splits, "split is %lld where the pipe has nosplit = true",
          static_cast<long long>(IntAttr(*pipe.splits, "split", 0)));
  }
  if (!pipe.known) return;
  for (const PipeWay& way : pipe.ways) {
    if (way.push == nullptr || way.pop == nullptr || way.other_push != nullptr || way.other_pop != nullptr) continue;
    const auto push = static_cast<long long>(IntAttr(*way.push, "split", 0));
    const auto pop = static_cast<long long>(IntAttr(*way.pop, "split", 0));
    const auto free = way.free == nullptr ? push : static_cast<long long>(IntAttr(*way.free, "split", 0));
    if (push != pop) {
      Error(TextRule::kPipeSplit, *way.pop, "popped with split %lld what is pushed with split %lld", pop, push);
    } else if (push != free && way.other_free == nullptr) {
      Error(TextRule::kPipeSplit, *way.free, "freed with split %lld what is pushed with split %lld", free, push);
    }
  }
}

// The core of a statement is known if a section or a function specifies it; otherwise only the run knows.
void Verifier::CheckCore(const Stmt& stmt) {
  const CoreKind side = stmt.info->core;
  if (side == CoreKind::kAny || core_ == CoreKind::kAny || side == core_) return;
  Error(TextRule::kCoreKind, stmt, "%.*s in code of the %s core", PTO_NAME(stmt.name), NameOf(core_));
}

bool Verifier::TakesOperands(const Stmt& stmt, size_t least, size_t most) {
  const size_t count = stmt.operands.size();
  if (count >= least && count <= most) return true;
  const std::string range = std::to_string(least) + (least == most ? "" : " or " + std::to_string(most));
  Error(TextRule::kOperandCount, stmt, "%.*s takes %s operand%s, not %zu", PTO_NAME(stmt.name), range.c_str(),
        Plural(most), count);
  return false;
}

// The names of the row are enough for the operands.
bool Verifier::TakesOperands(const Stmt& stmt) {
  const OperandList& operands = stmt.info->operands;
  const auto needed = static_cast<size_t>(
      std::count_if(operands.begin(), operands.end(), [](const OperandInfo& one) { return one.count == Count::kOne; }));
  return TakesOperands(stmt, needed, operands.size());
}

bool Verifier::NeedType(const Stmt& stmt, const Operand& operand, const char* what, bool (*good)(const Type&)) {
  const Type* type = TypeOf(operand);
  return NeedKind(stmt, operand, what,
                  operand.kind == OperandKind::kValue && operand.value != nullptr && type != nullptr && good(*type));
}

void Verifier::NeedMade(const Stmt& stmt, const char* what, bool good) {
  if (!good) Error(TextRule::kResultCount, stmt, "%.*s makes %s", PTO_NAME(stmt.name), what);
}

void Verifier::CheckBuffer(const Stmt& stmt) {
  CheckCore(stmt);
  const Type* made = MadeBy(stmt);
  const Attr* named = FindAttr(stmt.attrs, "name");
  if (!TakesOperands(stmt)) return;
  NeedMade(stmt, "an integer", made != nullptr && made->kind == TypeKind::kScalar && IsInteger(made->elem));
  if (stmt.kind == StmtKind::kReserveBuffer || FindAttr(stmt.attrs, "peer_func") == nullptr || named == nullptr) return;
  int64_t address = 0;
  if (stmt.callee == nullptr || !FindBuffer(*stmt.callee, named->text, &address)) {
    Error(TextRule::kUnknownSymbol, stmt, "@%.*s reserves no buffer \"%.*s\"", PTO_NAME(stmt.symbol),
          PTO_NAME(named->text));
  }
}

void Verifier::CheckMakePipe(const Stmt& stmt) {
  CheckPipeShape(stmt);
  CheckCore(stmt);
  const Type* made = MadeBy(stmt);
  if (stmt.info->core != CoreKind::kAny) {
    NeedMade(stmt, "no value", made == nullptr);
  } else {
    NeedMade(stmt, "a pipe", made != nullptr && IsHandle(*made));
    if (!TakesOperands(stmt)) return;
  }
  const Operand* memory = stmt["gm_slot_buffer"];
  const Operand* tensor = stmt["gm_slot_tensor"];
  if (tensor != nullptr) {
    if (stmt.operands.size() != 1 || FindAttr(stmt.attrs, "local_slot_num") != nullptr) {
      Error(TextRule::kOperandCount, stmt, "%.*s with gm_slot_tensor has no buffers and no local_slot_num",
            PTO_NAME(stmt.name));
    }
    if (NeedType(stmt, *tensor, "a view", [](const Type& type) { return type.IsView(); }))
      CheckSlotTensor(stmt, *tensor);
  }
  for (const Operand& operand : stmt.operands) {
    if (&operand == tensor) continue;
    if (&operand == memory) {
      const bool pointer = stmt.info->core != CoreKind::kAny;
      const auto global = [](const Type& type) { return IsGlobal(type) || type.IsView(); };
      NeedType(stmt, operand, pointer ? "a pointer" : "a pointer or a view", pointer ? IsGlobal : +global);
      if (const Type* type = TypeOf(operand); type != nullptr && type->IsView()) CheckSlotTensor(stmt, operand);
    } else {
      NeedIndex(stmt, operand);
    }
  }
}

// The view is one slot, or the half of it that each vector core has.
void Verifier::CheckSlotTensor(const Stmt& stmt, const Operand& view) {
  const Type& type = *TypeOf(view);
  const int64_t bits = type.Elements() * Info(type.elem).bits;
  const int64_t bytes = PipeShapeOf(stmt).slot_bytes;
  if (bits == 0 || bits == bytes * 8 || 2 * bits == bytes * 8) return;
  Error(TextRule::kAttributeValue, stmt, "slot_size is %lld where a slot has %lld bytes, or twice that if it is split",
        static_cast<long long>(bytes), static_cast<long long>(bits / 8));
}

void Verifier::CheckPush(const Stmt& stmt) {
  CheckCore(stmt);
  NeedMade(stmt, "no value", MadeBy(stmt) == nullptr);
  if (!TakesOperands(stmt)) return;
  const Operand* pipe = stmt["pipe"];
  if (NeedType(stmt, *stmt["what"], "a tile or a view", Moves) && pipe != nullptr) {
    NeedType(stmt, *pipe, "a pipe", IsHandle);
  }
}

void Verifier::CheckPop(const Stmt& stmt) {
  CheckCore(stmt);
  const Type* made = MadeBy(stmt);
  const bool handle = stmt.info->core == CoreKind::kAny;
  if (handle && made == nullptr) {
    if (TakesOperands(stmt, 2, 2) && NeedType(stmt, *stmt["tile"], "a tile or a view", Moves)) {
      NeedType(stmt, *stmt["pipe"], "a pipe", IsHandle);
      NeedDeclared(stmt, *stmt["tile"]);
    }
    return;
  }
  const bool tile = made != nullptr && made->kind == TypeKind::kTile;
  NeedMade(stmt, "a tile, or a view of constant extents", tile || IsSlot(made));
  if (handle) {
    if (TakesOperands(stmt, 1, 1)) NeedType(stmt, *stmt["pipe"], "a pipe", IsHandle);
    return;
  }
  if (stmt.operands.empty() || !TakesOperands(stmt, 2, 2)) return;
  NeedIndex(stmt, *stmt["valid_row"]);
  NeedIndex(stmt, *stmt["valid_col"]);
}

void Verifier::CheckFree(const Stmt& stmt) {
  CheckCore(stmt);
  NeedMade(stmt, "no value", MadeBy(stmt) == nullptr);
  if (!TakesOperands(stmt)) return;
  const Operand* pipe = stmt["pipe"];
  const Operand* slot = stmt["slot"];
  if (slot != nullptr && !NeedType(stmt, *slot, "a tile or a view", Moves)) return;
  if (pipe != nullptr) NeedType(stmt, *pipe, "a pipe", IsHandle);
}

void Verifier::CheckAllocSlot(const Stmt& stmt) {
  CheckCore(stmt);
  const Operand* slot = stmt["slot"];
  if (slot == nullptr) {
    NeedMade(stmt, "a view of constant extents", IsSlot(MadeBy(stmt)));
  } else {
    NeedMade(stmt, "no value, but fills its first operand", MadeBy(stmt) == nullptr);
    if (NeedType(stmt, *slot, "a view", [](const Type& type) { return type.IsView(); })) NeedDeclared(stmt, *slot);
  }
  const Operand* pipe = stmt["pipe"];
  if (TakesOperands(stmt) && pipe != nullptr) NeedType(stmt, *pipe, "a pipe", IsHandle);
}

// A view that a pipe fills is made by declare_global.
void Verifier::NeedDeclared(const Stmt& stmt, const Operand& view) {
  const Type* type = TypeOf(view);
  if (type == nullptr || !type->IsView()) return;
  const Stmt* def = view.value->def;
  if (def != nullptr && def->Is("declare_global") && IsSlot(type)) return;
  diagnostics_->Error(TextRule::kOperandType, view.offset, view.length,
                      "%.*s fills a view of constant extents that declare_global makes", PTO_NAME(stmt.name));
}

void Verifier::CheckDeclareGlobal(const Stmt& stmt) {
  if (IsSlot(stmt.types[0])) return;
  Error(TextRule::kOperandType, stmt, "declare_global makes a view of constant extents, not %s",
        Describe(stmt.types[0]).c_str());
}

// One of the words of an attribute #pto.KIND<WORD>.
bool Verifier::IsWord(const Stmt& stmt, const Attr* attr, std::string_view kind, const char* what,
                      std::initializer_list<std::string_view> words) {
  const bool good = attr != nullptr && attr->kind == AttrKind::kPto && (attr->name == kind || attr->name.empty()) &&
                    std::any_of(words.begin(), words.end(), [&](auto word) { return SameWord(attr->text, word); });
  if (good) return true;
  std::string known;
  for (const std::string_view word : words) known.append(known.empty() ? "" : ", ").append(word);
  Error(TextRule::kAttributeValue, stmt, "%s of %.*s is one of %s, as #pto.%.*s<%.*s>", what, PTO_NAME(stmt.name),
        known.c_str(), PTO_NAME(kind), PTO_NAME(*words.begin()));
  return false;
}

void Verifier::CheckSyncAll(const Stmt& stmt) {
  const Attr* mode = FindAttr(stmt.attrs, "mode");
  IsWord(stmt, FindAttr(stmt.attrs, "core_type"), "sync_core_type", "core_type", {"aiv_only", "aic_only", "mix"});
  if (!IsWord(stmt, mode, "sync_all_mode", "mode", {"hard", "soft"})) return;
  const bool soft = SameWord(mode->text, "soft");
  const Operand* const workspace = stmt["workspace"];
  if (soft != (workspace != nullptr)) {
    return Error(TextRule::kOperandCount, stmt,
                 soft ? "a soft syncall takes a workspace" : "a hard syncall takes no workspace");
  }
  if (!soft) return;
  const Type* type = TypeOf(*workspace);
  const bool integers = type != nullptr && (type->kind == TypeKind::kPtr || type->IsView()) && type->elem == Elem::kI32;
  if (!NeedKind(stmt, *workspace, "a view of i32", integers)) return;
  if (type->IsView() && type->Elements() > 0 && type->Elements() < 16) {
    Error(TextRule::kViewRange, stmt, "the workspace has %lld elements and needs 16",
          static_cast<long long>(type->Elements()));
  }
  int64_t used = 0;
  const Operand* const count = stmt["used"];
  if (count != nullptr && ConstantOf(*count, &used) && used < 1) {
    Error(TextRule::kConstantValue, stmt, "syncall of %lld cores", static_cast<long long>(used));
  }
}

void Verifier::CheckFence(const Stmt& stmt) {
  const Operand* const scope = stmt["scope"];
  const bool literal = scope != nullptr && scope->kind == OperandKind::kLiteral;
  IsWord(stmt, literal ? scope->literal : nullptr, "fence_scope", "the scope", {"gm"});
}

void Verifier::CheckCacheInvalid(const Stmt& stmt) {
  const Operand* const space = stmt["space"];
  if ((space != nullptr) == (stmt["view"] != nullptr)) {
    return Error(TextRule::kOperandCount, stmt, "cmo.cacheinvalid takes `all` and a memory, or a view");
  }
  if (space == nullptr) return;
  IsWord(stmt, space->kind == OperandKind::kLiteral ? space->literal : nullptr, "address_space", "the memory", {"gm"});
}

void Verifier::CheckFlagAttributes(const Stmt& stmt) {
  for (const NamedAttr& entry : stmt.attrs) {
    const auto length = static_cast<uint32_t>(entry.name.size());
    if (entry.name != "ffts_mode") {
      diagnostics_->Warn(TextRule::kUnknownAttribute, entry.offset, length, "%.*s has no attribute '%.*s'",
                         PTO_NAME(stmt.name), PTO_NAME(entry.name));
    } else if (stmt.kind == StmtKind::kCoreWait) {
      diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length,
                          "%.*s accepts no ffts_mode: the statement that sets the flag has the mode",
                          PTO_NAME(stmt.name));
    } else if (ValueOf(entry).kind != AttrKind::kInt || ValueOf(entry).integer < 0 || ValueOf(entry).integer > 2) {
      diagnostics_->Error(
          TextRule::kAttributeValue, entry.offset, length,
          "ffts_mode is 0, among cores of a kind of all blocks, 1, among the vector cores of a block, or "
          "2, between the cube core and the vector cores of a block");
    }
  }
}

}  // namespace pto::ptoas
