// Static application of the instruction rules.
#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/ptoas/check.h"
#include "src/ptoas/code.h"
#include "src/ptoas/tile_desc.h"

namespace pto::ptoas {

namespace {

// A check looks at where operands lie and never at what they hold, so the tiles it
// sees lie at addresses that no memory has: each value in a room of its own, above
// what user space maps, and views in that of what they show.
constexpr uint64_t kFirstRoom = uint64_t{1} << 58;
constexpr uint64_t kRoom = uint64_t{1} << 41;
constexpr uint64_t kRooms = (uint64_t{1} << 62) / kRoom;

class Checker {
 public:
  Checker(const Program& program, pto_context* ctx, Diagnostics* diagnostics)
      : program_(program), ctx_(ctx), diagnostics_(diagnostics) {}
  ~Checker() {
    for (const auto& [op, inst] : insts_) pto_inst_release(inst);
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  void Run() {
    for (const Module* module : program_.modules) {
      for (const Func* func : module->funcs) moves_ |= func->body != nullptr && Moves(*func->body);
    }
    for (const Module* module : program_.modules) {
      for (const Func* func : module->funcs) {
        places_.clear();
        if (func->body != nullptr) CheckBlock(*func->body);
      }
    }
  }

 private:
  static bool Moves(const Block& block) {
    return std::any_of(block.stmts.begin(), block.stmts.end(), [](const Stmt* stmt) {
      return stmt->kind == StmtKind::kTassign ||
             std::any_of(stmt->blocks.begin(), stmt->blocks.end(), [](const Block* inner) { return Moves(*inner); });
    });
  }

  void CheckBlock(const Block& block) {
    for (const Stmt* stmt : block.stmts) {
      if (diagnostics_->Full()) return;
      if (stmt->kind == StmtKind::kInst && stmt->op != nullptr) CheckInst(*stmt);
      if (stmt->kind == StmtKind::kAllocTile || stmt->kind == StmtKind::kTreshape || stmt->kind == StmtKind::kBitcast) {
        CheckGeometry(*stmt);
      }
      for (const Block* inner : stmt->blocks) CheckBlock(*inner);
    }
  }

  void Report(const Stmt& stmt) {
    diagnostics_->Add(pto_context_error_rule(ctx_), pto_context_error_remedy(ctx_), stmt.offset, stmt.length,
                      pto_context_error_message(ctx_));
  }

  void CheckGeometry(const Stmt& stmt) {
    const Type* type = stmt.results.empty() ? nullptr : stmt.results[0]->type;
    if (type == nullptr || type->kind != TypeKind::kTile) return;
    pto_tile_desc desc{};
    if (!TileDesc(*type, pto_context_profile(ctx_), Extent(type->valid_row), Extent(type->valid_col), &desc)) {
      const RuleInfo& rule = pto::Info(Rule::kRunUnsupported);
      diagnostics_->Add(rule.id, rule.remedy, stmt.offset, stmt.length,
                        std::string("tiles of ") + Info(type->elem).name + " are not supported");
      return;
    }
    desc.storage = PTO_STORAGE_MANUAL;
    pto_tile* tile = Made(pto_tile_create_from(ctx_, &desc));
    if (tile == nullptr) Report(stmt);
    pto_tile_release(tile);
  }

  static int64_t Extent(int64_t valid) { return valid == kDynamic ? PTO_VALID_ALL : valid; }

  // Where a value's tile lies, as far as the text says: nothing, once tiles are moved.
  uint64_t PlaceOf(const Value& value) {
    const auto known = places_.find(&value);
    if (known != places_.end()) return known->second;
    const Stmt* def = value.origin == ValueOrigin::kResult && !moves_ ? value.def : nullptr;
    uint64_t place = 0;
    int64_t address = 0;
    if (def != nullptr && (def->kind == StmtKind::kTreshape || def->kind == StmtKind::kBitcast) &&
        def->operands[0].value != nullptr) {
      place = PlaceOf(*def->operands[0].value);
    } else if (def != nullptr && def->kind == StmtKind::kAllocTile && def->has_addr &&
               ConstantOf(def->operands[0].value, &address) && address >= 0 && address < (int64_t{1} << 40) &&
               value.type != nullptr) {
      place = kFirstRoom / 2 + static_cast<uint64_t>(value.type->loc) * kRoom + static_cast<uint64_t>(address);
    } else {
      place = kFirstRoom + next_room_++ % kRooms * kRoom;
    }
    places_[&value] = place;
    return place;
  }

  // nullptr: the type is not known, or is none that tiles have.
  pto_tile* TileOf(const Operand& operand, bool* dynamic) {
    const Value* value = operand.value;
    const Type* type = value == nullptr ? nullptr : value->type;
    if (type == nullptr || type->kind != TypeKind::kTile) return nullptr;
    *dynamic |= type->valid_row == kDynamic || type->valid_col == kDynamic;
    pto_tile_desc desc{};
    if (!TileDesc(*type, pto_context_profile(ctx_), Extent(type->valid_row), Extent(type->valid_col), &desc)) {
      return nullptr;
    }
    // No integer made it a pointer that anyone reads.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return Made(pto_tile_wrap(ctx_, &desc, reinterpret_cast<void*>(PlaceOf(*value)), static_cast<int64_t>(kRoom)));
  }

  pto_tensor* TensorOf(const Operand& operand, bool* dynamic, bool* layout_known) {
    const Value* value = operand.value;
    const Type* type = value == nullptr ? nullptr : value->type;
    if (type == nullptr || !type->IsView() || type->rank < 1 || type->rank > 5) return nullptr;
    if (!operand.indices.empty()) *dynamic = true;
    pto_dtype dtype = PTO_DTYPE_I8;
    if (!DTypeOf(type->elem, &dtype)) return nullptr;
    int64_t dims[5] = {};
    for (int i = 0; i < type->rank; ++i) {
      dims[i] = type->dims[i] == kDynamic ? 1 : type->dims[i];
      *dynamic |= type->dims[i] == kDynamic;
    }
    // The view's making may say its layout.
    const Value* made = value;
    while (made->origin == ValueOrigin::kResult && made->def != nullptr &&
           made->def->kind == StmtKind::kPartitionView && made->def->operands[0].value != nullptr) {
      made = made->def->operands[0].value;
    }
    pto_layout layout = PTO_LAYOUT_ND;
    *layout_known = false;
    if (made->origin == ValueOrigin::kResult && made->def != nullptr && made->def->kind == StmtKind::kMakeTensorView) {
      const Attr* attr = FindAttr(made->def->attrs, "layout");
      *layout_known = attr != nullptr && (SameWord(attr->text, "nd") || SameWord(attr->text, "dn"));
      if (*layout_known && SameWord(attr->text, "dn")) layout = PTO_LAYOUT_DN;
    }
    const pto_tensor_desc desc = TensorDesc(dtype, layout, type->rank, dims, nullptr);
    const uint64_t place = kFirstRoom + next_room_++ % kRooms * kRoom;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return Made(pto_tensor_wrap(ctx_, &desc, reinterpret_cast<void*>(place), static_cast<int64_t>(kRoom)));
  }

  void CheckInst(const Stmt& stmt) {
    pto_inst*& inst = insts_[stmt.op];
    if (inst == nullptr) inst = Made(pto_inst_create(ctx_, stmt.op->name));
    if (inst == nullptr) return;
    std::span<Operand> sources = stmt.operands;
    std::span<Operand> outs = stmt.outs;
    if (outs.empty() && stmt.op->walk == Walk::kStore && sources.size() == 2) {
      outs = sources.subspan(1);
      sources = sources.first(1);
    }
    bool dynamic = false;
    bool layout_known = true;
    bool complete = !outs.empty();
    const auto set = [&](int32_t index, const Operand& operand) {
      if (IsTensor(stmt.op->operands[index].role)) {
        pto_tensor* tensor = TensorOf(operand, &dynamic, &layout_known);
        complete &= tensor != nullptr && pto_inst_set_tensor(ctx_, inst, index, tensor) == PTO_OK;
        pto_tensor_release(tensor);
      } else {
        pto_tile* tile = TileOf(operand, &dynamic);
        complete &= tile != nullptr && pto_inst_set_tile(ctx_, inst, index, tile) == PTO_OK;
        pto_tile_release(tile);
      }
    };
    for (int32_t i = 1; i < stmt.op->Tiles(); ++i) {
      const auto k = static_cast<size_t>(i) - 1;
      if (k < sources.size()) {
        set(i, sources[k]);
      } else if (stmt.op->operands[i].role == Role::kTmp) {
        pto_inst_set_tile(ctx_, inst, i, nullptr);
      } else {
        complete = false;
      }
    }
    if (!outs.empty()) set(0, outs[0]);
    pto_inst_set_int(ctx_, inst, stmt.op->OperandCount() - 1, FlagsOf(stmt));
    if (!complete) return;
    const pto_status status = pto_inst_check(ctx_, inst);
    if (status == PTO_OK || (dynamic && status == PTO_ERROR_SHAPE)) return;
    if (!layout_known && std::strcmp(pto_context_error_rule(ctx_), pto::Info(Rule::kTransferLayout).id) == 0) return;
    if (status == PTO_ERROR_MEMORY) throw std::bad_alloc();
    Report(stmt);
  }

  // A handle that only memory was missing for says nothing about the program.
  template <class T>
  T* Made(T* handle) const {
    if (handle == nullptr && pto_context_error(ctx_) == PTO_ERROR_MEMORY) throw std::bad_alloc();
    return handle;
  }

  const Program& program_;
  pto_context* ctx_;
  Diagnostics* diagnostics_;
  uint64_t next_room_ = 0;
  bool moves_ = false;  // there is a tassign, so that a place depends on the way that led to its use
  std::unordered_map<const Value*, uint64_t> places_;
  std::unordered_map<const OpInfo*, pto_inst*> insts_;
};

}  // namespace

void CheckInstructions(const Program& program, pto_context* ctx, Diagnostics* diagnostics) {
  Checker(program, ctx, diagnostics).Run();
}

}  // namespace pto::ptoas
