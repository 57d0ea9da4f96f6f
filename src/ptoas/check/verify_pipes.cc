// Pipes and flags between cores: where they stand, and what they say.
#include <algorithm>

#include "src/ptoas/check/pipe_facts.h"
#include "src/ptoas/check/verify_impl.h"

namespace pto::ptoas {

namespace {

enum class Takes : uint8_t { kInt, kBool, kName, kWord };

// The attributes of pipes, by statement; the least and the most of integers. Other tools add their own.
struct PipeAttribute {
  PipeCode code;
  const char* name;
  Takes takes;
  bool needed = false;
  int64_t least = 0;
  int64_t most = 0;
};
constexpr int64_t kMany = int64_t{1} << 31;
constexpr int64_t kFlagIds = 16;  // of a core, for its pipes
constexpr PipeAttribute kPipeAttributes[] = {
    {PipeCode::kReserve, "name", Takes::kName, true},
    {PipeCode::kReserve, "size", Takes::kInt, true, 1, kMany},
    {PipeCode::kReserve, "location", Takes::kWord, true},
    {PipeCode::kReserve, "auto", Takes::kBool},
    {PipeCode::kReserve, "base", Takes::kInt, false, 0, kMany},
    {PipeCode::kImport, "name", Takes::kName, true},
    {PipeCode::kImport, "peer_func", Takes::kWord, true},
    {PipeCode::kInitAic, "id", Takes::kInt, false, 0, 1023},
    {PipeCode::kInitAic, "dir_mask", Takes::kInt, true, 1, 3},
    {PipeCode::kInitAic, "slot_size", Takes::kInt, true, 1, kMany},
    {PipeCode::kInitAic, "slot_num", Takes::kInt, false, 1, 1024},
    {PipeCode::kInitAic, "local_slot_num", Takes::kInt, false, 1, 1024},
    {PipeCode::kInitAic, "flag_base", Takes::kInt, false, 0, 14},
    {PipeCode::kInitAic, "nosplit", Takes::kBool},
    {PipeCode::kPush, "id", Takes::kInt, false, 0, 1023},
    {PipeCode::kPush, "split", Takes::kInt, false, 0, 4},
};

// The statements that share a list.
PipeCode ListOf(PipeCode code) {
  switch (code) {
    case PipeCode::kInitAiv:
    case PipeCode::kInit:
      return PipeCode::kInitAic;
    case PipeCode::kPop:
    case PipeCode::kFree:
    case PipeCode::kAlloc:
      return PipeCode::kPush;
    default:
      return code;
  }
}

const char* NameOf(CoreKind kind) { return kind == CoreKind::kCube ? "cube" : "vector"; }

}  // namespace

void Verifier::CheckPipeAttributes(const Stmt& stmt) {
  const PipeCode list = ListOf(static_cast<PipeCode>(stmt.code));
  for (const PipeAttribute& one : kPipeAttributes) {
    if (one.code != list || !one.needed || FindAttr(stmt.attrs, one.name) != nullptr) continue;
    Error(TextRule::kAttributeValue, stmt, "%.*s has no %s", PTO_NAME(stmt.name), one.name);
  }
  for (const NamedAttr& entry : stmt.attrs) {
    const PipeAttribute* known = nullptr;
    for (const PipeAttribute& one : kPipeAttributes) {
      if (one.code == list && one.name == entry.name) known = &one;
    }
    const auto length = static_cast<uint32_t>(entry.name.size());
    if (known == nullptr) {
      diagnostics_->Warn(TextRule::kUnknownAttribute, entry.offset, length, "%.*s has no attribute '%.*s'",
                         PTO_NAME(stmt.name), PTO_NAME(entry.name));
      continue;
    }
    const Attr& value = ValueOf(entry);
    const bool word = !value.text.empty() && value.kind != AttrKind::kInt && value.kind != AttrKind::kFloat;
    const bool good = known->takes == Takes::kInt ? value.kind == AttrKind::kInt && value.integer >= known->least &&
                                                        value.integer <= known->most
                      : known->takes == Takes::kBool ? value.kind == AttrKind::kBool
                                                     : word;
    if (good) continue;
    if (known->takes == Takes::kInt) {
      diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length, "%s of %.*s is a number from %lld to %lld",
                          known->name, PTO_NAME(stmt.name), static_cast<long long>(known->least),
                          static_cast<long long>(known->most));
    } else {
      diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length, "%s of %.*s is %s", known->name,
                          PTO_NAME(stmt.name), known->takes == Takes::kBool ? "true or false" : "a name");
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

// On which core a statement stands is known where a section or a function says so; else the run sees.
void Verifier::CheckCore(const Stmt& stmt, CoreKind side) {
  if (side == CoreKind::kAny || core_ == CoreKind::kAny || side == core_) return;
  Error(TextRule::kCoreKind, stmt, "%.*s in code of the %s core", PTO_NAME(stmt.name), NameOf(core_));
}

void Verifier::CheckPipe(const Stmt& stmt) {
  const std::string_view name = stmt.name;
  const auto code = static_cast<PipeCode>(stmt.code);
  const bool inits = code == PipeCode::kInitAic || code == PipeCode::kInitAiv || code == PipeCode::kInit;
  CheckPipeAttributes(stmt);
  if (inits) CheckPipeShape(stmt);
  CheckCore(stmt, SideOf(stmt));
  const size_t count = stmt.operands.size();
  const bool handle = name == "tpush" || name == "tpop" || name == "tfree" || name == "talloc";
  const auto takes = [&](size_t least, size_t most) {
    if (count >= least && count <= most) return true;
    const std::string range = std::to_string(least) + (least == most ? "" : " or " + std::to_string(most));
    Error(TextRule::kOperandCount, stmt, "%.*s takes %s operand%s, not %zu", PTO_NAME(stmt.name), range.c_str(),
          Plural(most), count);
    return false;
  };
  const auto needs = [&](const Operand& operand, const char* what, bool (*good)(const Type&)) {
    const Type* type = TypeOf(operand);
    return NeedKind(stmt, operand, what,
                    operand.kind == OperandKind::kValue && operand.value != nullptr && type != nullptr && good(*type));
  };
  const auto moves = [](const Type& type) { return type.IsTile() || type.IsView(); };
  const auto pipe = [](const Type& type) { return type.kind == TypeKind::kPipe; };
  const auto pointer = [](const Type& type) { return type.kind == TypeKind::kPtr && !type.local; };
  const Type* made = stmt.results.empty() ? nullptr : stmt.results[0]->type;
  const auto makes = [&](const char* what, bool good) {
    if (good) return;
    Error(TextRule::kResultCount, stmt, "%.*s makes %s", PTO_NAME(stmt.name), what);
  };
  const bool slot = made != nullptr && made->IsView() &&
                    std::all_of(made->dims, made->dims + made->rank, [](int64_t d) { return d > 0; });
  const bool tile = made != nullptr && made->kind == TypeKind::kTile;
  switch (code) {
    case PipeCode::kReserve:
    case PipeCode::kImport: {
      const Attr* named = FindAttr(stmt.attrs, "name");
      if (!takes(0, 0)) return;
      makes("an integer", made != nullptr && made->kind == TypeKind::kScalar && IsInteger(made->elem));
      if (code == PipeCode::kReserve || FindAttr(stmt.attrs, "peer_func") == nullptr || named == nullptr) return;
      int64_t address = 0;
      if (stmt.callee == nullptr || !FindBuffer(*stmt.callee, named->text, &address)) {
        Error(TextRule::kUnknownSymbol, stmt, "@%.*s reserves no buffer \"%.*s\"", PTO_NAME(stmt.symbol),
              PTO_NAME(named->text));
      }
      return;
    }
    case PipeCode::kInitAic:
    case PipeCode::kInitAiv:
      makes("no value", made == nullptr);
      for (size_t i = 0; i < count; ++i) {
        if (i == 0 && stmt.has_addr) {
          needs(stmt.operands[i], "a pointer", pointer);
        } else {
          NeedIndex(stmt, stmt.operands[i]);
        }
      }
      return;
    case PipeCode::kInit: {
      const bool memory = name == "initialize_l2g2l_pipe";
      makes("a pipe", made != nullptr && made->kind == TypeKind::kPipe);
      if (!takes(memory ? 2 : 1, memory ? 3 : 2)) return;
      for (size_t i = 0; i < count; ++i) {
        if (i == 0 && memory) {
          needs(stmt.operands[i], "a pointer", pointer);
        } else {
          NeedIndex(stmt, stmt.operands[i]);
        }
      }
      return;
    }
    case PipeCode::kPush:
      makes("no value", made == nullptr);
      if (!takes(handle ? 2 : 1, handle ? 2 : 1)) return;
      if (needs(stmt.operands[0], "a tile or a view", moves) && handle) needs(stmt.operands[1], "a pipe", pipe);
      return;
    case PipeCode::kPop:
      if (handle && made == nullptr) {
        if (takes(2, 2) && NeedTile(stmt, stmt.operands[0])) needs(stmt.operands[1], "a pipe", pipe);
        return;
      }
      makes("a tile, or a view of constant extents", tile || slot);
      if (handle) {
        if (takes(1, 1)) needs(stmt.operands[0], "a pipe", pipe);
        return;
      }
      if (count == 0 || !takes(2, 2)) return;
      NeedIndex(stmt, stmt.operands[0]);
      NeedIndex(stmt, stmt.operands[1]);
      return;
    case PipeCode::kFree:
      makes("no value", made == nullptr);
      if (takes(handle ? 1 : 0, handle ? 2 : 0) && handle) needs(stmt.operands[count - 1], "a pipe", pipe);
      return;
    case PipeCode::kAlloc:
      makes("a view of constant extents", slot);
      if (takes(1, 1)) needs(stmt.operands[0], "a pipe", pipe);
      return;
  }
}

void Verifier::CheckCoreSync(const Stmt& stmt) {
  NeedIndex(stmt, stmt.operands[1]);
  for (const NamedAttr& entry : stmt.attrs) {
    const auto length = static_cast<uint32_t>(entry.name.size());
    if (entry.name != "ffts_mode") {
      diagnostics_->Warn(TextRule::kUnknownAttribute, entry.offset, length, "%.*s has no attribute '%.*s'",
                         PTO_NAME(stmt.name), PTO_NAME(entry.name));
    } else if (static_cast<CoreSyncCode>(stmt.code) == CoreSyncCode::kWait) {
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
