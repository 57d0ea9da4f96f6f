// Static application of the instruction rules.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/ops/attributes.h"
#include "src/ops/text_form.h"
#include "src/ptoas/check/check.h"
#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/read/wording.h"
#include "src/ptoas/run/code.h"
#include "src/ptoas/run/tile_desc.h"

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
  Checker(const Program& program, pto_context* ctx, const FuncSet* wanted, Diagnostics* diagnostics)
      : ctx_(ctx), diagnostics_(diagnostics) {
    for (const Module* module : program.modules) {
      for (const Func* func : module->funcs) {
        if (wanted != nullptr && !wanted->contains(func)) continue;
        for (const Block* block = func->body; block != nullptr; block = block->next) Survey(*block);
      }
    }
  }
  ~Checker() {
    for (const auto& [op, inst] : insts_) pto_inst_release(inst);
  }
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  static void FunctionHook(void* checker, const Func& func, Diagnostics*) {
    static_cast<Checker*>(checker)->Begin(func);
  }
  static void Hook(void* checker, const Func&, const Stmt& stmt, Diagnostics*) {
    static_cast<Checker*>(checker)->Check(stmt);
  }

 private:
  void Survey(const Block& block) {
    for (const Stmt* stmt : block.stmts) {
      moves_ |= stmt->kind == StmtKind::kTassign || stmt->kind == StmtKind::kScaleAddr;
      if (stmt->callee != nullptr) called_.insert(stmt->callee);
      for (const Block* inner : stmt->blocks) Survey(*inner);
    }
  }

  // The caller of a run makes the arguments of a function that the program does not call itself.
  void Begin(const Func& func) {
    places_.clear();
    roots_.clear();
    if (called_.contains(&func)) return;
    for (const Value* arg : func.args) {
      const bool placed = arg->length != 0;  // a bare statement's argument is nowhere by itself
      Judge(arg->type, "%" + std::string(arg->name), placed ? arg->offset : func.offset,
            placed ? arg->length : func.length);
    }
  }

  void Check(const Stmt& stmt) {
    if (diagnostics_->Full()) return;
    if (stmt.kind == StmtKind::kInst) {
      CheckInst(stmt);
    } else if (stmt.kind == StmtKind::kScaleAddr) {
      JudgeMade(stmt);
    } else if (!stmt.results.empty()) {
      Judge(stmt.results[0]->type, stmt.name, stmt.offset, stmt.length);
    }
  }

  // At a statement, or at an operand of it.
  template <class At>
  void Report(const At& at, const Stmt& stmt) {
    const char* rule = pto_context_error_rule(ctx_);
    diagnostics_->Add(rule, RemedyInText(rule), at.offset, at.length,
                      MessageInText(stmt.name, pto_context_error_message(ctx_)));
  }

  // Whether the profile has tiles of such a type; says why where it has none.
  bool Judge(const Type* type, std::string_view what, uint32_t offset, uint32_t length) {
    if (type != nullptr && type->kind == TypeKind::kMultiTile) {
      const Type slot = SlotOf(*type);
      return Judge(&slot, what, offset, length);
    }
    if (type == nullptr || type->kind != TypeKind::kTile) return true;
    pto_tile_desc desc{};
    if (!TileDesc(*type, pto_context_profile(ctx_), Extent(type->valid_row), Extent(type->valid_col), &desc)) {
      const RuleInfo& rule = pto::Info(Rule::kRunUnsupported);
      diagnostics_->Add(rule.id, RemedyInText(rule.rule), offset, length,
                        std::string("tiles of ") + Info(type->elem).name + " are not supported");
      return false;
    }
    desc.storage = PTO_STORAGE_MANUAL;
    pto_tile* tile = Made(pto_tile_create_from(ctx_, &desc));
    pto_tile_release(tile);
    if (tile != nullptr) return true;
    const char* rule = pto_context_error_rule(ctx_);
    diagnostics_->Add(rule, RemedyInText(rule), offset, length, MessageInText(what, pto_context_error_message(ctx_)));
    return false;
  }

  // Tiles that the statement makes itself, as alloc_tile's are.
  bool JudgeMade(const Stmt& stmt) {
    for (const Operand& out : stmt.outs) {
      const Value* made = out.value;
      if (made != nullptr && made->def == &stmt && !Judge(made->type, stmt.name, stmt.offset, stmt.length))
        return false;
    }
    return true;
  }

  static int64_t Extent(int64_t valid) { return valid == kDynamic ? PTO_VALID_ALL : valid; }

  // The value whose tile a value shares, or whose elements a view shows, as the text says; else itself.
  // Known for every value of the chain once asked, so that a program's chains are walked once each.
  const Value& RootOf(const Value& value) {
    std::vector<const Value*> chain;
    const Value* root = &value;
    while (true) {
      const auto known = roots_.find(root);
      if (known != roots_.end()) {
        root = known->second;
        break;
      }
      const Stmt* def = root->origin == ValueOrigin::kResult ? root->def : nullptr;
      const bool shares = def != nullptr && (def->kind == StmtKind::kTreshape || def->kind == StmtKind::kBitcast ||
                                             def->kind == StmtKind::kBindTile || def->kind == StmtKind::kPartitionView);
      if (!shares || def->operands[0].value == nullptr) break;
      chain.push_back(root);
      root = def->operands[0].value;
    }
    for (const Value* link : chain) roots_[link] = root;
    return *root;
  }

  // Where a value's tile lies, as far as the text says: nothing, once tiles are moved.
  uint64_t PlaceOf(const Value& shown) {
    const Value& value = moves_ ? shown : RootOf(shown);
    const auto known = places_.find(&value);
    if (known != places_.end()) return known->second;
    const Stmt* def = value.origin == ValueOrigin::kResult && !moves_ ? value.def : nullptr;
    uint64_t place = 0;
    int64_t address = 0;
    if (def != nullptr && def->kind == StmtKind::kAllocTile && (*def)["addr"] != nullptr &&
        ConstantOf((*def)["addr"]->value, &address) && address >= 0 && address < (int64_t{1} << 40) &&
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
    if (pto_tile* const window = WindowOf(*value); window != nullptr) return window;
    return WholeOf(*value);
  }

  // A window of a tile as a view of it, for it shares its bytes and its lines; nullptr: the text does not say where it
  // lies, or it lies outside.
  pto_tile* WindowOf(const Value& window) {
    constexpr int kDeepest = 16;  // windows of windows
    const Value* tile = &window;
    int64_t at[2] = {};
    for (int depth = 0; depth < kDeepest && !moves_; ++depth) {
      const Stmt* def = tile->origin == ValueOrigin::kResult ? tile->def : nullptr;
      if (def == nullptr || def->kind != StmtKind::kSubset) break;
      int64_t row = 0;
      int64_t col = 0;
      if (def->operands[0].value == nullptr || !ConstantOf(*(*def)["row"], &row) || !ConstantOf(*(*def)["col"], &col))
        return nullptr;
      tile = def->operands[0].value;
      const Type* type = tile->type;
      if (type == nullptr || type->kind != TypeKind::kTile || row < 0 || col < 0 || row > type->rows() ||
          col > type->cols())
        return nullptr;
      at[0] += row;
      at[1] += col;
    }
    if (tile == &window || window.type->rows() > INT32_MAX || window.type->cols() > INT32_MAX) return nullptr;
    const std::unique_ptr<pto_tile, void (*)(pto_tile*)> whole(WholeOf(*tile), pto_tile_release);
    if (whole == nullptr) return nullptr;
    pto_tile* view =
        Made(pto_tile_view(ctx_, whole.get(), static_cast<int32_t>(at[0]), static_cast<int32_t>(at[1]),
                           static_cast<int32_t>(window.type->rows()), static_cast<int32_t>(window.type->cols())));
    if (view == nullptr) return nullptr;
    const Type& type = *window.type;
    pto_tile_set_valid(ctx_, view, static_cast<int32_t>(Extent(type.valid_row)),
                       static_cast<int32_t>(Extent(type.valid_col)));
    return view;
  }

  pto_tile* WholeOf(const Value& value) {
    const Type* type = value.type;
    pto_tile_desc desc{};
    if (!TileDesc(*type, pto_context_profile(ctx_), Extent(type->valid_row), Extent(type->valid_col), &desc)) {
      return nullptr;
    }
    // No integer made it a pointer that anyone reads.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return Made(pto_tile_wrap(ctx_, &desc, reinterpret_cast<void*>(PlaceOf(value)), static_cast<int64_t>(kRoom)));
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
    const Value* made = &RootOf(*value);
    pto_layout layout = PTO_LAYOUT_ND;
    *layout_known = false;
    if (made->origin == ValueOrigin::kResult && made->def != nullptr && made->def->kind == StmtKind::kMakeTensorView) {
      const std::string_view given = GivenValue(*made->def, "layout");
      *layout_known = !given.empty();
      layout = LayoutOf(given);
    }
    const pto_tensor_desc desc = TensorDesc(dtype, layout, type->rank, dims, nullptr);
    const uint64_t place = kFirstRoom + next_room_++ % kRooms * kRoom;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return Made(pto_tensor_wrap(ctx_, &desc, reinterpret_cast<void*>(place), static_cast<int64_t>(kRoom)));
  }

  // The scratch that a run makes where the text leaves it out.
  void SupplyTmp(const OpInfo& op, pto_inst* inst, const pto_tile* dst) {
    pto_tile_desc desc{};
    pto_tile* tmp = nullptr;
    if (dst != nullptr && TmpDesc(op, pto_context_profile(ctx_), dst, &desc)) {
      const uint64_t place = kFirstRoom + next_room_++ % kRooms * kRoom;
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      tmp = Made(pto_tile_wrap(ctx_, &desc, reinterpret_cast<void*>(place), static_cast<int64_t>(kRoom)));
    }
    pto_inst_set_tile(ctx_, inst, op.TmpIndex(), tmp);
    pto_tile_release(tmp);
  }

  void CheckInst(const Stmt& stmt) {
    pto_inst*& inst = insts_[stmt.op];
    if (inst == nullptr) inst = Made(pto_inst_create(ctx_, stmt.op->name));
    if (inst == nullptr) return;
    const OpInfo& op = *stmt.op;
    const TextOrder order = SourcesOf(op, stmt.operands.size());
    const size_t outs = static_cast<size_t>(op.Outputs());
    if (stmt.operands.size() != static_cast<size_t>(order.count) || stmt.outs.size() != outs) return;
    bool dynamic = false;
    bool layout_known = true;
    bool complete = true;
    if (!JudgeMade(stmt)) return;
    const bool lacks_tmp = op.TmpIndex() >= 0 && !order.Has(op.TmpIndex());
    int dtypes[kMaxOperands];
    std::fill(std::begin(dtypes), std::end(dtypes), kDTypeCount);
    const auto set = [&](int32_t index, const Operand& operand) {
      if (IsTensor(op.operands[index].role)) {
        pto_tensor* tensor = TensorOf(operand, &dynamic, &layout_known);
        complete &= tensor != nullptr && pto_inst_set_tensor(ctx_, inst, index, tensor) == PTO_OK;
        pto_tensor_release(tensor);
      } else if (IsTile(op.operands[index].role)) {
        // Its scratch may find no memory.
        const std::unique_ptr<pto_tile, void (*)(pto_tile*)> tile(TileOf(operand, &dynamic), pto_tile_release);
        complete &= tile != nullptr && pto_inst_set_tile(ctx_, inst, index, tile.get()) == PTO_OK;
        if (tile != nullptr) dtypes[index] = pto_tile_dtype(tile.get());
        if (index == 0 && lacks_tmp) SupplyTmp(op, inst, tile.get());
      }
    };
    for (size_t i = 0; i < outs; ++i) set(static_cast<int32_t>(i), stmt.outs[i]);
    for (size_t i = 0; i < stmt.operands.size(); ++i) set(order.at[i], stmt.operands[i]);
    const int accumulator = AccumulatorOf(op);
    if (accumulator >= 0 && !order.Has(accumulator)) set(accumulator, stmt.outs[0]);
    if (!complete) return;
    SetAttributes(ctx_, inst, stmt);
    const Operand* number = nullptr;
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      if (!IsNumber(op.operands[order.at[i]].role)) continue;
      number = &stmt.operands[i];
      if (SetNumber(op, inst, order.at[i], *number, dtypes)) continue;
      return Report(*number, stmt);
    }
    const pto_status status = pto_inst_check(ctx_, inst);
    if (status == PTO_OK || (dynamic && status == PTO_ERROR_SHAPE)) return;
    if (!layout_known && std::strcmp(pto_context_error_rule(ctx_), pto::Info(Rule::kTransferLayout).id) == 0) return;
    if (status == PTO_ERROR_MEMORY) throw std::bad_alloc();
    const bool scalar = std::strcmp(pto_context_error_rule(ctx_), pto::Info(Rule::kScalarRange).id) == 0;
    if (scalar && number != nullptr) return Report(*number, stmt);
    Report(stmt, stmt);
  }

  // A number as far as the text says it, else one that every element type has. False: the instruction refuses it.
  bool SetNumber(const OpInfo& op, pto_inst* inst, int32_t index, const Operand& operand, const int* dtypes) {
    const Stmt* def = operand.value == nullptr ? nullptr : operand.value->def;
    const bool constant = def != nullptr && def->kind == StmtKind::kConstant && operand.value->type != nullptr;
    if (op.operands[index].role == Role::kInt) {
      int64_t value = 0;
      if (operand.kind == OperandKind::kLiteral) value = operand.literal->integer;
      if (operand.kind == OperandKind::kValue) ConstantOf(operand.value, &value);
      return pto_inst_set_int(ctx_, inst, index, value) == PTO_OK;
    }
    const bool known = constant || operand.kind == OperandKind::kLiteral;
    const RunValue value = constant ? NumberOf(*def->literal, operand.value->type->elem) : RunValue();
    DType element = DType::kF32;
    ScalarTypeOf(op, static_cast<Profile>(pto_context_profile(ctx_)), dtypes, &element);
    const pto_scalar scalar = known ? ScalarOf(operand, value, static_cast<pto_dtype>(element)) : pto_int(0);
    return pto_inst_set_scalar(ctx_, inst, index, scalar) == PTO_OK;
  }

  // A handle that only memory was missing for says nothing about the program.
  template <class T>
  T* Made(T* handle) const {
    if (handle == nullptr && pto_context_error(ctx_) == PTO_ERROR_MEMORY) throw std::bad_alloc();
    return handle;
  }

  pto_context* ctx_;
  Diagnostics* diagnostics_;
  uint64_t next_room_ = 0;
  bool moves_ = false;  // tiles are given other places, so that a place depends on the way that led to its use
  FuncSet called_;      // functions that others of the program call
  std::unordered_map<const Value*, uint64_t> places_;
  std::unordered_map<const Value*, const Value*> roots_;  // of what shares something
  std::unordered_map<const OpInfo*, pto_inst*> insts_;
};

}  // namespace

bool VerifyUnder(const Program& program, pto_context* ctx, const FuncSet* wanted, Diagnostics* diagnostics) {
  Checker checker(program, ctx, wanted, diagnostics);
  VerifyHooks hooks;
  hooks.user = &checker;
  hooks.wanted = wanted;
  hooks.function = &Checker::FunctionHook;
  hooks.instruction = &Checker::Hook;
  return Verify(program, diagnostics, hooks);
}

}  // namespace pto::ptoas
