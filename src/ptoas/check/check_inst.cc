// Static application of the instruction rules.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/objects/on_chip.h"
#include "src/ptoas/check/check.h"
#include "src/ptoas/check/model.h"
#include "src/ptoas/read/views.h"
#include "src/ptoas/read/wording.h"
#include "src/ptoas/run/code.h"
#include "src/ptoas/run/tile_desc.h"
#include "src/ptoas/vector/choices.h"
#include "src/ptoas/vector/op.h"
#include "src/records/attributes.h"
#include "src/records/text_form.h"

namespace pto::ptoas {

namespace {

class Checker {
 public:
  Checker(const Program& program, pto_context* ctx, const FuncSet* wanted, Diagnostics* diagnostics)
      : ctx_(ctx), diagnostics_(diagnostics), model_(ctx) {
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
      if (stmt->kind == StmtKind::kTassign || stmt->kind == StmtKind::kScaleAddr) model_.SetMoves();
      if (stmt->Is("set_validshape")) model_.SetShapes();
      if (stmt->callee != nullptr) called_.insert(stmt->callee);
      for (const Block* inner : stmt->blocks) Survey(*inner);
    }
  }

  // The caller of a run makes the arguments of a function that the program does not call itself.
  void Begin(const Func& func) {
    model_.Forget();
    if (called_.contains(&func)) return;
    for (const Value* arg : func.args) {
      const bool placed = arg->length != 0;  // a bare statement's argument is nowhere by itself
      Judge(arg->type, "%" + std::string(arg->name), placed ? arg->offset : func.offset,
            placed ? arg->length : func.length);
    }
  }

  void Check(const Stmt& stmt) {
    if (diagnostics_->Full()) return;
    switch (stmt.kind) {
      case StmtKind::kInst:
        if (stmt.op != nullptr) CheckInst(stmt);
        return;
      case StmtKind::kVectorOp:
        CheckLevel(stmt);
        if (HasLevel() && IsHardware(static_cast<Profile>(pto_context_profile(ctx_)))) CheckAligned(stmt);
        return;
      case StmtKind::kDeclareTile:
      case StmtKind::kScaleAddr:
        JudgeMade(stmt);
        return;
      case StmtKind::kAllocTile:
      case StmtKind::kTassign:
        return CheckPlace(stmt);
      case StmtKind::kTreshape:
      case StmtKind::kBitcast:
      case StmtKind::kBindTile:
        return CheckRetype(stmt);
      case StmtKind::kSubset:
        return CheckSubset(stmt);
      case StmtKind::kMakeTensorView:
        return CheckView(stmt);
      case StmtKind::kPartitionView:
        return CheckPart(stmt);
      case StmtKind::kTSetVal:
        return CheckElement(stmt);
      default:
        if (stmt.Is("tgetval")) CheckElement(stmt);
        if (stmt.Is("alloc_multi_tile")) Judge(stmt.results[0]->type, stmt.name, stmt.offset, stmt.length);
        return;
    }
  }

  bool HasLevel() const { return kProfiles[pto_context_profile(ctx_)].vector_level; }

  // Not every profile has the vector level.
  void CheckLevel(const Stmt& stmt) {
    const bool pointers = stmt.vector->family == vec::Family::kPointer;
    if (HasLevel() || pointers || level_) return;
    level_ = true;  // it is said once
    const RuleInfo& rule = pto::Info(Rule::kProfileLevel);
    char text[160];
    std::snprintf(text, sizeof text, "%.*s is of the vector level, which %s does not have", PTO_NAME(stmt.name),
                  kProfiles[pto_context_profile(ctx_)].name);
    diagnostics_->Add(rule.id, RemedyInText(rule.rule), stmt.offset, stmt.length, text);
  }

  // Under A5: loads, stores and copies with constant addresses.
  [[gnu::cold, gnu::noinline]] void CheckAligned(const Stmt& stmt) {
    const vec::Op& op = *stmt.vector;
    const bool loads = op.family == vec::Family::kLoad;
    if (!loads && op.family != vec::Family::kStore && op.family != vec::Family::kCopy) return;
    const int32_t code = vec::CodeOf(stmt, loads ? vec::kLoadDist : vec::kStoreDist, 0);
    int width = vec::DistBytes(code);
    if (width == 0 && loads) width = BytesOf(stmt.types[0]->elem);
    const int64_t alignment = vec::UbAlignment(vec::DistOf(code), width);
    const bool posts = !stmt.types.empty() && stmt.types.back()->kind == TypeKind::kPtr;
    for (size_t i = 0; i < op.in.count && i < stmt.operands.size(); ++i) {
      const Operand& pointer = stmt.operands[i];
      const Type* type = pointer.value == nullptr ? nullptr : pointer.value->type;
      if (op.in.all[i].kind != vec::Kind::kPointer || type == nullptr || type->kind != TypeKind::kPtr) continue;
      int64_t at = 0, index = 0;
      if (!type->local || type->loc != Loc::kVec || !UbAddressOf(pointer, &at)) continue;
      const bool indexed = i + 1 < op.in.count && op.in.all[i + 1].kind == vec::Kind::kPlaceIndex && !posts;
      if (indexed && !stmt.operands[i + 1].implied && !ConstantOf(stmt.operands[i + 1], &index)) continue;
      if (__builtin_mul_overflow(index, BytesOf(type->elem), &index) || __builtin_add_overflow(at, index, &at))
        continue;
      if (at % alignment == 0) continue;
      Say(Rule::kVectorAlign, stmt,
          "the address " + std::to_string(at) + " is not a multiple of " + std::to_string(alignment));
    }
  }

  // ---- tiles and views: what a run would create, as far as the text specifies it

  // A tile that is allocated is one of the profile's, and lies in the memory of its location where it is placed.
  void CheckPlace(const Stmt& stmt) {
    const bool alloc = stmt.kind == StmtKind::kAllocTile;
    const Value* value = alloc ? stmt.results[0] : stmt["tile"]->value;
    if (alloc && !Judge(value->type, stmt.name, stmt.offset, stmt.length)) return;
    int64_t address = 0;
    const Operand* at = stmt["addr"];
    if (at == nullptr || value == nullptr) return;
    if (at->kind == OperandKind::kAddress) address = at->address;
    if (at->kind != OperandKind::kAddress && !ConstantOf(*at, &address)) return;
    Known known;
    const OwnTile tile = model_.TileOf(*value, &known);
    if (tile != nullptr && !MayLieAt(ctx_, tile.get(), address)) Report(stmt, stmt);
  }

  void CheckRetype(const Stmt& stmt) {
    const Type* type = stmt.results[0]->type;
    if (!Judge(type, stmt.name, stmt.offset, stmt.length)) return;
    const Value* from = stmt["tile"]->value;
    Known known;
    const OwnTile tile = from == nullptr ? nullptr : model_.TileOf(*from, &known);
    if (tile == nullptr || type == nullptr || type->kind != TypeKind::kTile) return;
    int64_t valid[2] = {};
    SharedValid(*type, tile.get(), &valid[0], &valid[1]);
    if (stmt["valid_row"] != nullptr &&
        (!ConstantOf(*stmt["valid_row"], &valid[0]) || !ConstantOf(*stmt["valid_col"], &valid[1])))
      return;
    pto_tile_desc desc{};
    if (valid[0] < 0 || valid[1] < 0) return;
    if (!TileDesc(*type, pto_context_profile(ctx_), valid[0], valid[1], &desc)) return;
    desc = Asked(desc);
    const OwnTile made(model_.Made(pto_tile_reshape(ctx_, tile.get(), &desc)));
    if (made == nullptr) ReportUnlessOpen(known, stmt);
  }

  void CheckSubset(const Stmt& stmt) {
    const Value* from = stmt["tile"]->value;
    int64_t offsets[2] = {};
    if (from == nullptr || !ConstantOf(*stmt["row"], &offsets[0]) || !ConstantOf(*stmt["col"], &offsets[1])) return;
    Known known;
    const OwnTile tile = model_.TileOf(*from, &known);
    if (tile == nullptr) return;
    const OwnTile part = model_.PartOf(stmt, tile.get(), offsets, &known);
    if (part == nullptr) Report(stmt, stmt);
  }

  // Only a run knows the size of the memory that a pointer points to.
  void CheckView(const Stmt& stmt) {
    Known known;
    const OwnTensor view = model_.TensorOf(*stmt.results[0], &known);
    if (view != nullptr || !known.refused || !known.extents) return;
    const RuleInfo& bytes = pto::Info(Rule::kTensorRange);
    if (std::strcmp(pto_context_error_rule(ctx_), bytes.id) != 0) Report(stmt, stmt);
  }

  void CheckPart(const Stmt& stmt) {
    const Value* from = stmt["view"]->value;
    const size_t rank = stmt.All("offsets").size();
    int64_t offsets[5] = {};
    int64_t sizes[5] = {};
    if (from == nullptr || rank > 5 || stmt.All("sizes").size() != rank) return;
    if (!Model::Constants(stmt.All("offsets"), offsets)) return;
    if (!Model::Constants(stmt.All("sizes"), sizes)) return;
    Known known;
    const OwnTensor whole = model_.TensorOf(*from, &known);
    if (whole == nullptr || !known.extents || static_cast<size_t>(pto_tensor_rank(whole.get())) != rank) return;
    ViewPart part{};
    std::string why;
    if (!ViewPartOf(whole.get(), offsets, sizes, &part, &why)) return Say(Rule::kWindow, stmt, why);
    const OwnTensor made(model_.Made(pto_tensor_view(ctx_, whole.get(), &part.desc, part.offset)));
    if (made == nullptr && known.layout) Report(stmt, stmt);
  }

  // tgetval and tsetval
  void CheckElement(const Stmt& stmt) {
    const Value* value = stmt["tile"]->value;
    int64_t at = 0;
    if (value == nullptr || !ConstantOf(*stmt["offset"], &at)) return;
    Known known;
    const OwnTile tile = model_.TileOf(*value, &known);
    const int64_t count = tile == nullptr ? 0 : ElementsOf(tile.get());
    if (tile != nullptr && (at < 0 || at >= count)) Say(Rule::kViewRange, stmt, OutsideOf(at, count));
  }

  void Say(Rule rule, const Stmt& stmt, const std::string& message) {
    diagnostics_->Add(pto::Info(rule).id, RemedyInText(rule), stmt.offset, stmt.length, message);
  }

  // If extents are open, shapes are not checked.
  void ReportUnlessOpen(const Known& known, const Stmt& stmt) {
    if (known.extents || pto_context_error(ctx_) != PTO_ERROR_SHAPE) Report(stmt, stmt);
  }

  // At a statement, or at an operand of it.
  template <class At>
  void Report(const At& at, const Stmt& stmt) {
    const char* rule = pto_context_error_rule(ctx_);
    diagnostics_->Add(rule, RemedyInText(rule), at.offset, at.length,
                      MessageInText(stmt.name, pto_context_error_message(ctx_)));
  }

  // Whether the profile has tiles of such a type; reports the reason if not.
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
    desc = Asked(desc);
    desc.storage = PTO_STORAGE_MANUAL;
    const OwnTile tile(model_.Made(pto_tile_create_from(ctx_, &desc)));
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

  // `%view[%i, %j]` is a part beside the tile of its statement. nullptr: the program does not show which, or it lies
  // outside, which was reported.
  OwnTensor WindowAt(const Stmt& stmt, const Operand& operand, pto_tensor* whole, Known* known) {
    int64_t indices[5] = {};
    const bool rank = operand.indices.size() == static_cast<size_t>(pto_tensor_rank(whole));
    if (rank && known->extents) {
      bool constant = true;
      for (size_t i = 0; i < operand.indices.size(); ++i) constant &= ConstantOf(operand.indices[i], &indices[i]);
      // The last of several tiles counts, as in a run; one that the statement makes is as large as what is left.
      OwnTile tile;
      const auto take = [&](const Operand& other) {
        if (other.value == nullptr || other.value->def == &stmt) return;
        OwnTile taken = model_.TileOf(*other.value, known);
        if (taken != nullptr) tile = std::move(taken);
      };
      for (const Operand& other : stmt.operands) take(other);
      for (const Operand& other : stmt.outs) take(other);
      ViewPart part{};
      std::string why;
      if (constant && known->extents) {
        if (!WindowOf(whole, indices, tile.get(), &part, &why)) {
          Say(Rule::kWindow, stmt, why);
          return nullptr;
        }
        OwnTensor window(model_.Made(pto_tensor_view(ctx_, whole, &part.desc, part.offset)));
        if (window == nullptr) Report(stmt, stmt);
        return window;
      }
    }
    known->extents = false;
    return nullptr;
  }

  // A tile as a run makes it for a vector of counts, or for a number.
  OwnTile StandInFor(StandIn own, const OpInfo& op, const Stmt& stmt, const Operand& operand, Known* known) {
    pto_tile_desc desc{};
    if (own == StandIn::kCounts) {
      CountsDesc(pto_context_profile(ctx_), &desc);
      return model_.Scratch(desc);
    }
    const Operand& lead = stmt.operands[static_cast<size_t>(op.lead - op.Outputs())];
    const OwnTile rows = lead.value == nullptr ? nullptr : model_.TileOf(*lead.value, known);
    if (rows == nullptr) return nullptr;
    const Elem elem = IsFloatNumber(operand) ? ElemOf(pto_tile_dtype(rows.get())) : Elem::kI32;
    ColumnDesc(pto_context_profile(ctx_), rows.get(), elem, &desc);
    return model_.Scratch(desc);
  }

  // The scratch that a run makes where the text leaves it out.
  void SupplyTmp(const OpInfo& op, pto_inst* inst, const pto_tile* dst) {
    pto_tile_desc desc{};
    OwnTile tmp;
    if (dst != nullptr && TmpDesc(op, pto_context_profile(ctx_), dst, &desc)) tmp = model_.Scratch(desc);
    pto_inst_set_tile(ctx_, inst, op.TmpIndex(), tmp.get());
  }

  void CheckInst(const Stmt& stmt) {
    pto_inst*& inst = insts_[stmt.op];
    if (inst == nullptr) inst = model_.Made(pto_inst_create(ctx_, stmt.op->name));
    if (inst == nullptr) return;
    const OpInfo& op = *stmt.op;
    const TextOrder& order = SourcesOf(op, stmt.operands.size());
    const size_t outs = static_cast<size_t>(op.Outputs());
    if (stmt.operands.size() != static_cast<size_t>(order.count) || stmt.outs.size() != outs) return;
    Known known;
    bool complete = true;
    if (!JudgeMade(stmt)) return;
    const int before = diagnostics_->errors();
    const int first_column = FirstColumnOperand(stmt);
    const bool lacks_tmp = op.TmpIndex() >= 0 && !order.Has(op.TmpIndex());
    int dtypes[kMaxOperands];
    std::fill(std::begin(dtypes), std::end(dtypes), kDTypeCount);
    const auto set = [&](int32_t index, const Operand& operand) {
      const bool is_tensor = IsTensor(op.operands[index].role);
      if (const StandIn own = StandInOf(op, index, operand); own != StandIn::kNone) {
        const OwnTile tile = StandInFor(own, op, stmt, operand, &known);
        complete &= tile != nullptr && pto_inst_set_tile(ctx_, inst, index, tile.get()) == PTO_OK;
      } else if (operand.value == nullptr) {
        complete &= !is_tensor && !IsTile(op.operands[index].role);
      } else if (is_tensor) {
        OwnTensor tensor = model_.TensorOf(*operand.value, &known);
        if (tensor != nullptr && !operand.indices.empty()) {
          OwnTensor window = WindowAt(stmt, operand, tensor.get(), &known);
          if (window != nullptr) tensor = std::move(window);
        }
        complete &= tensor != nullptr && pto_inst_set_tensor(ctx_, inst, index, tensor.get()) == PTO_OK;
      } else if (IsTile(op.operands[index].role)) {
        // Its scratch may find no memory.
        OwnTile tile = model_.TileOf(*operand.value, &known);
        if (index == first_column && tile != nullptr && pto_tile_valid_cols(tile.get()) > 0) {
          pto_tile_desc desc{};
          ColumnDesc(pto_context_profile(ctx_), tile.get(), ElemOf(pto_tile_dtype(tile.get())), &desc);
          tile = model_.Scratch(desc);
        }
        complete &= tile != nullptr && pto_inst_set_tile(ctx_, inst, index, tile.get()) == PTO_OK;
        if (tile != nullptr) dtypes[index] = pto_tile_dtype(tile.get());
        if (index == 0 && lacks_tmp) SupplyTmp(op, inst, tile.get());
      }
    };
    for (size_t i = 0; i < outs; ++i) set(static_cast<int32_t>(i), stmt.outs[i]);
    for (size_t i = 0; i < stmt.operands.size(); ++i) set(order.at[i], stmt.operands[i]);
    const int accumulator = AccumulatorOf(op);
    if (accumulator >= 0 && !order.Has(accumulator)) set(accumulator, stmt.outs[0]);
    if (!complete || diagnostics_->errors() != before) return;
    SetAttributes(ctx_, inst, stmt);
    const Operand* number = nullptr;
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      if (!IsNumber(op.operands[order.at[i]].role)) continue;
      number = &stmt.operands[i];
      if (SetNumber(op, inst, order.at[i], *number, dtypes)) continue;
      return Report(*number, stmt);
    }
    const pto_status status = pto_inst_check(ctx_, inst);
    if (status == PTO_OK || (!known.extents && status == PTO_ERROR_SHAPE)) return;
    if (!known.layout && std::strcmp(pto_context_error_rule(ctx_), pto::Info(Rule::kTransferLayout).id) == 0) return;
    if (status == PTO_ERROR_MEMORY) throw std::bad_alloc();
    const bool scalar = std::strcmp(pto_context_error_rule(ctx_), pto::Info(Rule::kScalarRange).id) == 0;
    if (scalar && number != nullptr) return Report(*number, stmt);
    Report(stmt, stmt);
  }

  // A number if the text specifies it, otherwise one that every element type has. False: the instruction rejects it.
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

  pto_context* ctx_;
  Diagnostics* diagnostics_;
  Model model_;
  FuncSet called_;      // functions that others of the program call
  bool level_ = false;  // that the vector level is refused was said
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
