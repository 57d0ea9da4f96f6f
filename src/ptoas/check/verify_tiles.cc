// Structural rules of instructions, tiles and views.
#include <algorithm>
#include <iterator>

#include "src/objects/layout.h"
#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/read/stand_in.h"
#include "src/ptoas/read/views.h"
#include "src/ptoas/read/wording.h"
#include "src/records/attributes.h"
#include "src/records/nearest.h"
#include "src/records/table.h"
#include "src/records/text_form.h"

namespace pto::ptoas {
namespace {

bool Boxed(const Type& type) { return type.slayout != SLayout::kNoneBox; }

bool IsTileOf(const Type* type) { return type == nullptr || type->IsTile(); }

}  // namespace

// Reports an operand that is not what the statement takes there.
bool Verifier::NeedKind(const Stmt& stmt, const Operand& operand, const char* what, bool good) {
  if (good) return true;
  const Type* type = TypeOf(operand);
  const bool value = operand.kind == OperandKind::kValue && type != nullptr;
  std::string is = value ? Describe(type) : "this";
  if (operand.kind == OperandKind::kLiteral && !operand.literal->text.empty()) {
    is = operand.literal->text.substr(0, 60);
  }
  diagnostics_->Error(TextRule::kOperandType, operand.offset, operand.length, "%.*s takes %s here, not %s",
                      PTO_NAME(stmt.name), what, is.c_str());
  if (value) diagnostics_->About(type);
  return false;
}

bool Verifier::NeedTile(const Stmt& stmt, const Operand& operand) {
  return NeedKind(stmt, operand, "a tile", operand.kind == OperandKind::kValue && IsTileOf(TypeOf(operand)));
}

bool Verifier::NeedView(const Stmt& stmt, const Operand& operand) {
  const Type* type = TypeOf(operand);
  return NeedKind(stmt, operand, "a view",
                  operand.kind == OperandKind::kValue && (type == nullptr || type->MayBeView()));
}

// The type of a view whose dimensions are known.
const Type* Verifier::ViewOf(const Operand& operand) {
  const Type* type = TypeOf(operand);
  return type != nullptr && type->IsView() ? type : nullptr;
}

bool Verifier::NeedIndex(const Stmt& stmt, const Operand& operand) {
  const Type* type = TypeOf(operand);
  const bool integer = type == nullptr || (type->kind == TypeKind::kScalar && IsInteger(type->elem));
  const bool literal = operand.kind == OperandKind::kLiteral && operand.literal->kind == AttrKind::kInt;
  return NeedKind(stmt, operand, "an integer", literal || (operand.kind == OperandKind::kValue && integer));
}

// Each is obeyed or refused; nothing that is asked for is left undone in silence.
void Verifier::CheckAttributes(const Stmt& stmt) {
  const bool executed = stmt.kind != StmtKind::kInst || stmt.op != nullptr;
  // Synchronisation and queues of copies do nothing, so that its attributes have nothing to change.
  if (!executed || stmt.kind == StmtKind::kSync || stmt.kind == StmtKind::kAsync || stmt.kind == StmtKind::kSyncAll) {
    return;
  }
  if (IsPipe(stmt.kind)) return CheckPipeAttributes(stmt);
  if (IsCoreSync(stmt.kind)) return CheckFlagAttributes(stmt);
  std::vector<std::pair<const AttributeInfo*, std::string_view>> given;  // and the key that did
  for (const NamedAttr& entry : stmt.attrs) {
    const auto length = static_cast<uint32_t>(entry.name.size());
    const AttributeInfo* info = FindAttribute(stmt, entry.name);
    if (info == nullptr && stmt.kind == StmtKind::kComm && entry.name == "root") continue;
    if (info == nullptr) {
      Nearest nearest(entry.name);
      for (const AttributeInfo& one : kAttributes) {
        if (stmt.name != (one.record != nullptr ? one.record->mnemonic : one.op)) continue;  // of any of its forms
        nearest.Offer(one.key);
        for (const char* alias : one.aliases) {
          if (alias != nullptr) nearest.Offer(alias);
        }
      }
      diagnostics_->Warn(TextRule::kUnknownAttribute, entry.offset, length, "%.*s has no attribute '%.*s'%s",
                         PTO_NAME(stmt.name), PTO_NAME(entry.name), nearest.Question().c_str());
      continue;
    }
    const auto before = std::find_if(given.begin(), given.end(), [&](const auto& one) { return one.first == info; });
    if (before != given.end()) {
      diagnostics_->Error(TextRule::kDuplicateAttribute, entry.offset, length, "'%.*s' is given already, as '%.*s'",
                          PTO_NAME(entry.name), PTO_NAME(before->second));
    }
    given.emplace_back(info, entry.name);
    const AttributeValue* value = FindValue(*info, ValueOf(entry));
    if (value != nullptr && value->obeyed) continue;
    if (value != nullptr) {
      diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length, "%.*s with %s = %s is not executed",
                          PTO_NAME(stmt.name), info->key, value->name);
      continue;
    }
    std::string known;
    for (const AttributeValue& one : info->values) {
      if (one.name != nullptr) known.append(known.empty() ? "" : ", ").append(one.name);
    }
    const std::string_view text = ValueOf(entry).text;
    diagnostics_->Error(TextRule::kAttributeValue, entry.offset, length, "%s of %.*s is one of %s, not %.*s", info->key,
                        PTO_NAME(stmt.name), known.c_str(), PTO_NAME(text.empty() ? std::string_view("this") : text));
  }
  // The documents' one-line forms are without it.
  const AttributeInfo* const needed =
      stmt.op == nullptr || stmt.spelling != Spelling::kDps ? nullptr : NeededAttribute(*stmt.op);
  const bool lacks = needed != nullptr && std::none_of(given.begin(), given.end(), [&](const auto& one) {
                       return std::string_view(one.first->key) == needed->key;
                     });
  if (lacks) {
    diagnostics_->Add(
        Info(TextRule::kAttributeValue).id, "Add the attribute that the message has.", stmt.offset, stmt.length,
        std::string(stmt.name) + " has no " + needed->key + ": these operands need {" + NeededText(*needed) + "}");
  }
}

// A load gives its view's layout.
void Verifier::CheckLayout(const Stmt& stmt, const Operand& view) {
  const std::string_view layout = GivenValue(stmt, "layout");
  if (layout.empty() || view.value == nullptr) return;
  const Stmt* const made = MakingOf(view.value);
  const std::string_view has = made == nullptr ? "ND" : WrittenLayout(*made);
  if (layout == has) return;
  Error(TextRule::kAttributeValue, stmt, "layout of %.*s is %.*s, but %%%.*s has layout %.*s", PTO_NAME(stmt.name),
        PTO_NAME(layout), PTO_NAME(view.name), PTO_NAME(has));
}

// Each matrix has its own scales.
void Verifier::CheckScaleAddr(const Stmt& stmt) {
  if (stmt.operands.size() != 1 || stmt.outs.size() != 1) return;
  const Operand& src = stmt.operands[0];
  const Operand& dst = stmt.outs[0];
  if (!NeedTile(stmt, src) || !NeedTile(stmt, dst)) return;
  const auto known = [](const Type* type) { return type != nullptr && type->kind == TypeKind::kTile; };
  const Type* matrix = TypeOf(src);
  if (!known(matrix)) return;
  const bool left = matrix->loc == Loc::kLeft;
  if (!NeedKind(stmt, src, "a tile of left or right", left || matrix->loc == Loc::kRight)) return;
  const Type* scales = TypeOf(dst);
  const bool good = !known(scales) || scales->loc == (left ? Loc::kScaleLeft : Loc::kScaleRight);
  NeedKind(stmt, dst, left ? "a tile of scale_left" : "a tile of scale_right", good);
}

void Verifier::CheckAsync(const Stmt& stmt) {
  const bool copies = stmt["dst"] != nullptr;
  const TypeKind wanted = copies || stmt["view"] != nullptr        ? TypeKind::kAsyncEvent
                          : stmt["session"] != nullptr             ? TypeKind::kScalar
                          : stmt.Is("make_prefetch_async_context") ? TypeKind::kPrefetch
                                                                   : TypeKind::kAsyncSession;
  const Type& result = *stmt.types[0];
  if (result.kind != wanted || (wanted == TypeKind::kScalar && result.elem != Elem::kI1)) {
    return Error(TextRule::kTypeMismatch, stmt, "%.*s does not make %s", PTO_NAME(stmt.name),
                 Describe(&result).c_str());
  }
  if (!copies) return;
  const Type* dst = ViewOf(*stmt["dst"]);
  const Type* src = ViewOf(*stmt["src"]);
  if (dst == nullptr || src == nullptr) return;
  bool same = dst->elem == src->elem && dst->rank == src->rank;
  for (int i = 0; same && i < dst->rank; ++i) {
    same = dst->dims[i] == src->dims[i] || dst->dims[i] == kDynamic || src->dims[i] == kDynamic;
  }
  if (same) return;
  const std::string message = Describe(src) + " is copied to " + Describe(dst);
  diagnostics_->Add(pto::Info(Rule::kCopyShape).id, RemedyInText(Rule::kCopyShape), stmt.offset, stmt.length, message);
}

// ---- instructions -----------------------------------------------------------

void Verifier::CheckInstruction(const Stmt& stmt) {
  CheckMemory(stmt);
  if (stmt.op == nullptr) {
    if (!stmt.info->name.empty()) {
      return Error(TextRule::kUnsupportedInstruction, stmt, "this library has no %.*s yet", PTO_NAME(stmt.name));
    }
    if (const std::string_view why = vec::WhyRefused(stmt.name); !why.empty()) {
      return Error(TextRule::kUnsupportedInstruction, stmt, "%.*s is not executed: %.*s", PTO_NAME(stmt.name),
                   static_cast<int>(why.size()), why.data());
    }
    return Error(TextRule::kUnknownInstruction, stmt, "%s", UnknownText(stmt).c_str());
  }
  const OpInfo& op = *stmt.op;
  const TextOrder& order = SourcesOf(op, stmt.operands.size());
  int dtypes[kMaxOperands];
  std::fill(std::begin(dtypes), std::end(dtypes), kDTypeCount);
  bool disputed = false;  // a tile has not the elements that the statement writes, which is an error of its own
  const auto need = [&](const Operand& operand, int index) {
    const Role role = op.operands[index].role;
    const Type* type = TypeOf(operand);
    const Type* written = operand.type;
    disputed |= IsTile(role) && type != nullptr && written != nullptr && type->kind == TypeKind::kTile &&
                written->kind == TypeKind::kTile && type->elem != written->elem;
    pto_dtype dtype = PTO_DTYPE_I8;
    if (type != nullptr && type->kind == TypeKind::kTile && DTypeOf(type->elem, &dtype)) dtypes[index] = dtype;
    if (IsTile(role) && StandInOf(op, index, operand) == StandIn::kNone) NeedTile(stmt, operand);
    if (IsTensor(role)) NeedView(stmt, operand);
    if (role == Role::kInt) NeedIndex(stmt, operand);
  };
  for (size_t i = 0; i < std::min(stmt.outs.size(), static_cast<size_t>(op.Outputs())); ++i) {
    need(stmt.outs[i], static_cast<int>(i));
  }
  const size_t sources = std::min(stmt.operands.size(), static_cast<size_t>(order.count));
  for (size_t i = 0; i < sources; ++i) need(stmt.operands[i], order.at[i]);
  DType element = DType::kF32;
  const bool known = op.ScalarIndex() >= 0 && ScalarTypeOf(op, Profile::kCpu, dtypes, &element);
  for (size_t i = 0; i < sources; ++i) {
    if (op.operands[order.at[i]].role != Role::kScalar || disputed) continue;
    NeedElement(stmt, stmt.operands[i], known ? ElemOf(static_cast<pto_dtype>(element)) : Elem::kNone);
  }
}

// A scalar is converted to an element of a type, kNone if the type is unknown: integers to integers, floats to
// floats. An immediate integer is a float, too.
bool Verifier::NeedElement(const Stmt& stmt, const Operand& operand, Elem element) {
  const Type* type = TypeOf(operand);
  const bool literal = operand.kind == OperandKind::kLiteral;
  const bool number = literal ? operand.literal->kind == AttrKind::kInt || operand.literal->kind == AttrKind::kFloat
                              : operand.kind == OperandKind::kValue && (type == nullptr || type->IsNumber());
  if (element == Elem::kNone) return NeedKind(stmt, operand, "a number", number);
  const bool floats = IsFloat(element);
  const bool typed = type != nullptr && type->kind == TypeKind::kScalar;
  bool good = number && (!typed || IsFloat(type->elem) == floats);
  if (literal && !floats) good &= operand.literal->kind == AttrKind::kInt;
  return NeedKind(stmt, operand, floats ? "a float" : "an integer", good);
}

// A8: loads and stores. The tile is the destination of a load, the source of a store.
void Verifier::CheckMemory(const Stmt& stmt) {
  const bool load = stmt.name == "tload";
  const bool store = stmt.name == "tstore";
  if ((!load && !store) || stmt.operands.empty() || stmt.outs.empty()) return;
  const Operand& memory = load ? stmt.operands[0] : stmt.outs[0];
  const Operand& moved = load ? stmt.outs[0] : stmt.operands[0];
  if (load) CheckLayout(stmt, memory);
  const Type* view = ViewOf(memory);
  const Type* tile = TypeOf(moved);
  if (view == nullptr || tile == nullptr || tile->kind != TypeKind::kTile) return;
  for (int i = 0; i < view->rank; ++i) {
    if (view->dims[i] != 0) continue;
    return Error(TextRule::kStaticDims, stmt, "dimension %d of %s is 0", i, Describe(view).c_str());
  }
  const bool plain = tile->loc == Loc::kVec || tile->loc == Loc::kMat;
  // The rules of the instruction check conversions during a move.
  const bool narrows = tile->elem == Elem::kF32 && (view->elem == Elem::kF16 || view->elem == Elem::kBF16);
  const bool converts = store && (narrows || (stmt.op != nullptr && stmt.op->Has(Rule::kLocationAcc)));
  if (plain && !converts && Info(view->elem).bits != Info(tile->elem).bits) {
    if (Info(view->elem).bits < 8 || Info(tile->elem).bits < 8) {
      return Error(TextRule::kElementWidth, stmt, "elements of %d bits in memory and %d in the tile",
                   Info(view->elem).bits, Info(tile->elem).bits);
    }
    return Error(TextRule::kElementWidth, stmt, "elements of %d bytes in memory and %d in the tile",
                 BytesOf(view->elem), BytesOf(tile->elem));
  }
}

// ---- views ------------------------------------------------------------------

// What is made of a view is judged before its operands are.
bool Verifier::MakesView(const Stmt& stmt) {
  const bool whole = stmt.kind == StmtKind::kMakeTensorView;
  if (!whole && stmt.kind != StmtKind::kPartitionView) return true;
  const Type& type = *stmt.types[0];
  if (whole ? type.kind == TypeKind::kTensorView : type.IsView()) return true;
  Error(TextRule::kOperandType, stmt, "%s, not %s",
        whole ? (std::string(stmt.name) + " makes a tensor_view").c_str() : "partition_view makes a view",
        Describe(&type).c_str());
  return false;
}

void Verifier::CheckMakeTensorView(const Stmt& stmt) {
  const Type* type = stmt.types[0];
  const std::span<const Operand> shape = stmt.All("shape");
  if (type->rank < 1 || type->rank > 5 || shape.size() != type->rank) {
    return Error(TextRule::kViewRank, stmt, "%zu size%s for a view of rank %d", shape.size(), Plural(shape.size()),
                 type->rank);
  }
  const Operand& memory = *stmt[stmt["ptr"] != nullptr ? OperandName("ptr") : OperandName("view")];
  const Type* pointer = TypeOf(memory);
  // A name that no statement defines has no definition.
  const Stmt* const def =
      memory.value == nullptr || memory.value->origin != ValueOrigin::kResult ? nullptr : memory.value->def;
  if (def != nullptr && def->kind == StmtKind::kPartitionView) {
    return Error(TextRule::kOperandType, stmt, "%.*s takes the memory itself, and %%%.*s is a part of it",
                 PTO_NAME(stmt.name), PTO_NAME(memory.name));
  }
  if (pointer != nullptr && pointer->elem != type->elem) {
    Error(TextRule::kViewElement, stmt, "a view of %s over %s", Info(type->elem).name, Describe(pointer).c_str());
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t size = 0;
    if (!ConstantOf(shape[i], &size)) continue;
    SizeFits(stmt, i, size, *type);
  }
}

// A size of a view, which its type may give too.
bool Verifier::SizeFits(const Stmt& stmt, size_t dimension, int64_t size, const Type& type) {
  if (size < 1) {
    Error(TextRule::kViewRange, stmt, "dimension %zu has size %lld; sizes are at least 1", dimension,
          static_cast<long long>(size));
    return false;
  }
  const int64_t typed = type.dims[dimension];
  if (typed == kDynamic || typed == size) return true;
  Error(TextRule::kViewRange, stmt, "dimension %zu has size %lld, but %s has %lld there", dimension,
        static_cast<long long>(size), Describe(&type).c_str(), static_cast<long long>(typed));
  return false;
}

void Verifier::CheckPartitionView(const Stmt& stmt) {
  const Type* to = stmt.types[0];
  const Type* from = ViewOf(*stmt["view"]);
  const std::span<const Operand> offsets = stmt.All("offsets");
  const std::span<const Operand> sizes = stmt.All("sizes");
  const int rank = from == nullptr ? to->rank : from->rank;
  if (rank < 1 || rank > 5 || static_cast<int>(offsets.size()) != rank || to->rank != rank) {
    return Error(TextRule::kViewRank, stmt, "%zu offset%s and a result of rank %d for a view of rank %d",
                 offsets.size(), Plural(offsets.size()), to->rank, rank);
  }
  if (from != nullptr && from->elem != to->elem) {
    Error(TextRule::kViewElement, stmt, "a part of %s with elements of %s", Describe(from).c_str(),
          Info(to->elem).name);
  }
  for (size_t i = 0; i < offsets.size() && i < sizes.size(); ++i) {
    int64_t offset = 0;
    int64_t size = 0;
    const bool has_offset = ConstantOf(offsets[i], &offset);
    const bool has_size = ConstantOf(sizes[i], &size);
    const int64_t extent = from == nullptr ? kDynamic : from->dims[i];
    if (has_offset && offset < 0) {
      Error(TextRule::kViewRange, stmt, "offset %lld in dimension %zu is negative", static_cast<long long>(offset), i);
    } else if (has_size && !SizeFits(stmt, i, size, *to)) {
      continue;
    } else if (extent != kDynamic && has_size && (size > extent || (has_offset && offset > extent - size))) {
      Error(TextRule::kViewRange, stmt, "offset %lld and size %lld exceed extent %lld of dimension %zu",
            static_cast<long long>(offset), static_cast<long long>(size), static_cast<long long>(extent), i);
    }
  }
}

void Verifier::CheckViewNumber(const Stmt& stmt) {
  const Type* type = ViewOf(*stmt["view"]);
  int64_t dim = 0;
  if (type == nullptr || !ConstantOf(*stmt["dim"], &dim) || (dim >= 0 && dim < type->rank)) return;
  Error(TextRule::kViewRank, stmt, "dimension %lld of a view of rank %d", static_cast<long long>(dim), type->rank);
}

// ---- tiles ------------------------------------------------------------------

void Verifier::CheckAddressOf(const Stmt& stmt) {
  const bool tile = stmt["tile"] != nullptr;
  const Type* of = TypeOf(stmt.operands[0]);
  const Type* to = stmt.types[0];
  // As a memref the address is the tile once more.
  const bool memref = tile && of != nullptr && of->kind == TypeKind::kTile && to->kind == TypeKind::kTile &&
                      to->dims[0] == of->dims[0] && to->dims[1] == of->dims[1] && to->blayout == of->blayout;
  const bool pointer = memref || (to->kind == TypeKind::kPtr && to->local == tile);
  if (!pointer || (tile && of != nullptr && of->kind == TypeKind::kTile && of->loc != to->loc)) {
    return Error(TextRule::kOperandType, stmt, "%.*s makes a pointer into the memory of %s, not %s",
                 PTO_NAME(stmt.name), of == nullptr ? "its operand" : Describe(of).c_str(), Describe(to).c_str());
  }
  if (of != nullptr && of->elem != Elem::kNone && of->elem != to->elem) {
    Error(TextRule::kViewElement, stmt, "%s to %s", Describe(to).c_str(), Describe(of).c_str());
  }
}

void Verifier::CheckAllocTile(const Stmt& stmt) {
  const Type* type = stmt.types[0];
  if (type->kind != TypeKind::kTile) {
    return Error(TextRule::kOperandType, stmt, "%.*s makes a tile of known shape, not %s", PTO_NAME(stmt.name),
                 Describe(type).c_str());
  }
  if (stmt.kind == StmtKind::kAllocTile) CheckValid(stmt);
}

void Verifier::CheckAllocTiles(const Stmt& stmt) {
  const Type* type = stmt.types[0];
  const bool tiles = type->kind == TypeKind::kMultiTile;
  if (!tiles || (type->loc != Loc::kVec && type->loc != Loc::kMat && type->loc != Loc::kAcc)) {
    return Error(TextRule::kOperandType, stmt, "alloc_multi_tile makes a multi_tile_buf of vec, mat or acc, not %s",
                 Describe(type).c_str());
  }
  CheckValid(stmt);
}

void Verifier::CheckMultiTileGet(const Stmt& stmt) {
  const Type* tiles = TypeOf(*stmt["tiles"]);
  if (tiles == nullptr || tiles->kind != TypeKind::kMultiTile) return;
  const Type slot = SlotOf(*tiles);
  int64_t index = 0;
  if (ConstantOf(*stmt["index"], &index) && (index < 0 || index >= tiles->count)) {
    Error(TextRule::kViewRange, stmt, "tile %lld of %d", static_cast<long long>(index), tiles->count);
  }
  if (TypesAgree(&slot, stmt.types[0])) return;
  Error(TextRule::kTypeMismatch, stmt, "a tile of %s is not %s", Describe(tiles).c_str(),
        Describe(stmt.types[0]).c_str());
}

void Verifier::CheckBindTile(const Stmt& stmt) {
  if (NeedTile(stmt, *stmt["tile"])) CheckReshape(stmt);
  CheckValid(stmt);
}

// valid_row and valid_col, as far as they are given.
void Verifier::CheckValid(const Stmt& stmt) {
  const Type* type = stmt.types[0];
  if (type->kind != TypeKind::kTile && type->kind != TypeKind::kMultiTile) return;
  const Operand* const given[] = {stmt["valid_row"], stmt["valid_col"]};
  const int64_t valid[] = {type->valid_row, type->valid_col};
  const char* const names[] = {"valid_row", "valid_col"};
  for (int i = 0; i < 2; ++i) {
    if ((valid[i] == kDynamic) == (given[i] != nullptr)) continue;
    if (given[i] == nullptr) {
      Error(TextRule::kAllocValid, stmt, "%s is missing: the type has `?` there", names[i]);
    } else {
      Error(TextRule::kAllocValid, stmt, "%s is given, but the type has %lld there", names[i],
            static_cast<long long>(valid[i]));
    }
  }
  for (int i = 0; i < 2; ++i) {
    int64_t value = 0;
    const bool known = given[i] != nullptr && ConstantOf(*given[i], &value);
    if (!known || (value >= 0 && value <= type->dims[i])) continue;
    Error(TextRule::kTileValid, stmt, "%s is %lld of %lld", names[i], static_cast<long long>(value),
          static_cast<long long>(type->dims[i]));
  }
}

void Verifier::CheckSetValidShape(const Stmt& stmt) {
  const Operand& tile = *stmt["tile"];
  if (tile.value != nullptr && tile.value->origin == ValueOrigin::kArgument) {
    return Error(TextRule::kValidShape, stmt, "%%%.*s is an argument of the function", PTO_NAME(tile.name));
  }
  const Type* type = TypeOf(tile);
  if (type == nullptr || type->kind != TypeKind::kTile) return;
  if (type->valid_row != kDynamic || type->valid_col != kDynamic) {
    return Error(TextRule::kValidShape, stmt, "%%%.*s has static valid extents: %s", PTO_NAME(tile.name),
                 Describe(type).c_str());
  }
  const Operand* const extents[] = {stmt["rows"], stmt["cols"]};
  for (int i = 0; i < 2; ++i) {
    int64_t value = 0;
    if (!ConstantOf(*extents[i], &value) || (value >= 0 && value <= type->dims[i])) continue;
    Error(TextRule::kValidShape, stmt, "%lld valid %s of %lld", static_cast<long long>(value),
          i == 0 ? "rows" : "columns", static_cast<long long>(type->dims[i]));
  }
}

void Verifier::CheckReshape(const Stmt& stmt) {
  const Type* from = TypeOf(*stmt["tile"]);
  const Type* to = stmt.types[0];
  if (!to->IsTile()) {
    return Error(TextRule::kOperandType, stmt, "%.*s makes a tile, not %s", PTO_NAME(stmt.name), Describe(to).c_str());
  }
  if (from == nullptr || from->kind != TypeKind::kTile || to->kind != TypeKind::kTile) return;
  if (from->loc != to->loc) {
    return Error(TextRule::kReshape, stmt, "from %s to %s memory", NameOf(from->loc), NameOf(to->loc));
  }
  if (from->Bytes() != to->Bytes()) {
    return Error(TextRule::kReshape, stmt, "from %lld to %lld bytes", static_cast<long long>(from->Bytes()),
                 static_cast<long long>(to->Bytes()));
  }
  if (Boxed(*from) != Boxed(*to)) Error(TextRule::kReshape, stmt, "from a boxed to an unboxed layout, or back");
}

void Verifier::CheckBitcast(const Stmt& stmt) {
  const Type* from = TypeOf(*stmt["tile"]);
  const Type* to = stmt.types[0];
  if (!to->IsTile()) {
    return Error(TextRule::kOperandType, stmt, "bitcast makes a tile, not %s", Describe(to).c_str());
  }
  if (from == nullptr || from->kind != TypeKind::kTile || to->kind != TypeKind::kTile) return;
  if (from->elem == to->elem) {
    return Error(TextRule::kBitcast, stmt, "the element type is %s already", Info(to->elem).name);
  }
  Type copy = *to;
  copy.elem = from->elem;
  if (!TypesAgree(from, &copy)) return Error(TextRule::kBitcast, stmt, "shape, valid extents or layout change");
  if (to->Bytes() > from->Bytes()) {
    Error(TextRule::kBitcast, stmt, "from %lld to %lld bytes", static_cast<long long>(from->Bytes()),
          static_cast<long long>(to->Bytes()));
  }
}

void Verifier::CheckSubset(const Stmt& stmt) {
  const Type* from = TypeOf(*stmt["tile"]);
  if (from != nullptr && from->kind == TypeKind::kTile) CheckWindow(stmt, *from, true);
}

// Its result differs from the tile in the extents; a `?` of a written type is whatever the run makes it.
void Verifier::CheckSubview(const Stmt& stmt) {
  const Type* from = TypeOf(*stmt["tile"]);
  const std::span<const Operand> valid = stmt.All("valid");
  if (stmt.sizes[0] == kDynamic || from == nullptr || from->kind != TypeKind::kTile) return;
  CheckWindow(stmt, *from, false);
  const Type& to = *stmt.types[0];
  Type part = SubviewType(*stmt["tile"], stmt.sizes, valid);
  int64_t* const extents[] = {&part.valid_row, &part.valid_col};
  const int64_t written[] = {to.valid_row, to.valid_col};
  for (size_t i = 0; i < 2; ++i) {
    const int64_t size = stmt.sizes[i];
    int64_t extent = 0;
    if (!valid.empty() && size >= 1 && ConstantOf(valid[i], &extent) && (extent < 1 || extent > size)) {
      Error(TextRule::kTileValid, stmt, "%lld valid %s of %lld", static_cast<long long>(extent),
            i == 0 ? "rows" : "columns", static_cast<long long>(size));
    }
    if (written[i] == kDynamic) *extents[i] = kDynamic;
  }
  if (to.kind != TypeKind::kTile || TypesAgree(&part, &to)) return;
  Error(TextRule::kTypeMismatch, stmt, "the part is %s, not %s", Describe(&part).c_str(), Describe(&to).c_str());
}

// Offsets and sizes in the tile, on whole boxes. keeps_lines: of a boxed tile all of the lines that its boxes follow.
void Verifier::CheckWindow(const Stmt& stmt, const Type& whole, bool keeps_lines) {
  const Type* const from = &whole;
  const Operand* const offsets[] = {stmt["row"], stmt["col"]};
  const pto::SLayout slayout = static_cast<pto::SLayout>(from->slayout);
  const pto::Box sides =
      Boxed(*from) ? BoxOf(slayout, from->fractal, std::max(BytesOf(from->elem), 1)) : pto::Box{1, 1};
  const int64_t box[2] = {sides.rows, sides.cols};
  const int full = !keeps_lines ? -1 : from->blayout == BLayout::kRowMajor ? 1 : 0;
  for (int i = 0; i < 2; ++i) {
    const char* what = i == 0 ? "rows" : "columns";
    const int64_t size = stmt.sizes[static_cast<size_t>(i)];
    int64_t offset = 0;
    const bool known = ConstantOf(*offsets[i], &offset);
    if (size < 1 || size > from->dims[i]) {
      Error(TextRule::kSubset, stmt, "%lld %s of %lld", static_cast<long long>(size), what,
            static_cast<long long>(from->dims[i]));
    } else if (known && (offset < 0 || offset > from->dims[i] - size)) {
      Error(TextRule::kSubset, stmt, "offset %lld and %lld %s exceed %lld", static_cast<long long>(offset),
            static_cast<long long>(size), what, static_cast<long long>(from->dims[i]));
    } else if (size % box[i] != 0 || (known && offset % box[i] != 0)) {
      const std::string at = known ? "offset " + std::to_string(offset) + " and " : "";
      Error(TextRule::kSubset, stmt, "%s%lld %s are not multiples of the box's %lld", at.c_str(),
            static_cast<long long>(size), what, static_cast<long long>(box[i]));
    } else if (Boxed(*from) && i == full && (size != from->dims[i] || !known || offset != 0)) {
      Error(TextRule::kSubset, stmt, "a boxed tile keeps all of its %lld %s, from 0",
            static_cast<long long>(from->dims[i]), what);
    }
  }
}

void Verifier::CheckAddPtr(const Stmt& stmt) {
  const Type* type = TypeOf(*stmt["ptr"]);
  if (TypesAgree(type, stmt.types[0])) return;
  Error(TextRule::kViewElement, stmt, "%s from %s", Describe(stmt.types[0]).c_str(), Describe(type).c_str());
}

void Verifier::CheckScalarAccess(const Stmt& stmt) {
  const Operand* stored = stmt["value"];
  const Type* type = TypeOf(*stmt["ptr"]);
  const Type* value = stored != nullptr ? TypeOf(*stored) : stmt.types[0];
  const int64_t lanes = type == nullptr ? 0 : type->LanesAt();
  if (type == nullptr || value == nullptr || (lanes == 0 && value->IsScalar(type->elem))) return;
  if (lanes != 0 && value->kind == TypeKind::kVector && value->elem == type->elem && value->Lanes() == lanes) return;
  Error(TextRule::kViewElement, stmt, "%s through %s", Describe(value).c_str(), Describe(type).c_str());
}

void Verifier::CheckElement(const Stmt& stmt) {
  const Operand* stored = stmt["value"];
  const Type* type = TypeOf(*stmt["tile"]);
  const Type* value = stored != nullptr ? TypeOf(*stored) : stmt.types.empty() ? nullptr : stmt.types[0];
  if (type == nullptr || value == nullptr || type->kind != TypeKind::kTile || value->IsScalar(type->elem)) return;
  Error(TextRule::kOperandType, stmt, "an element of %s is not %s", Describe(type).c_str(), Describe(value).c_str());
}

}  // namespace pto::ptoas
