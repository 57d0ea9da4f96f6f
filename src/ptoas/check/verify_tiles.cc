// Structural rules of instructions, tiles and views.
#include <algorithm>
#include <iterator>

#include "src/core/layout.h"
#include "src/ops/attributes.h"
#include "src/ops/nearest.h"
#include "src/ops/table.h"
#include "src/ops/text_form.h"
#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/read/wording.h"

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
  if (!executed || stmt.kind == StmtKind::kSync || stmt.kind == StmtKind::kAsync) return;
  if (stmt.kind == StmtKind::kPipe || stmt.kind == StmtKind::kCoreSync) return;  // by lists of their own
  std::vector<std::pair<const AttributeInfo*, std::string_view>> given;          // and the key that did
  for (const NamedAttr& entry : stmt.attrs) {
    const auto length = static_cast<uint32_t>(entry.name.size());
    const AttributeInfo* info = FindAttribute(stmt, entry.name);
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
}

void Verifier::CheckPto(const Stmt& stmt) {
  CheckAttributes(stmt);
  switch (stmt.kind) {
    case StmtKind::kInst:
      return CheckInstruction(stmt);
    case StmtKind::kMakeTensorView:
      return CheckMakeTensorView(stmt);
    case StmtKind::kPartitionView:
      return CheckPartitionView(stmt);
    case StmtKind::kTensorViewDim: {
      const Type* type = ViewOf(stmt.operands[0]);
      if (!NeedView(stmt, stmt.operands[0])) return;
      if (!NeedIndex(stmt, stmt.operands[1])) return;
      int64_t dim = 0;
      if (type != nullptr && ConstantOf(stmt.operands[1], &dim) && (dim < 0 || dim >= type->rank)) {
        Error(TextRule::kViewRank, stmt, "dimension %lld of a view of rank %d", static_cast<long long>(dim),
              type->rank);
      }
      return;
    }
    case StmtKind::kAddressOf:
      return CheckAddressOf(stmt);
    case StmtKind::kAllocTile:
      return CheckAllocTile(stmt);
    case StmtKind::kBindTile:
      CheckReshape(stmt);
      return CheckValid(stmt, 1);
    case StmtKind::kSetValidShape:
      return CheckSetValidShape(stmt);
    case StmtKind::kTreshape:
      return CheckReshape(stmt);
    case StmtKind::kBitcast:
      return CheckBitcast(stmt);
    case StmtKind::kSubset:
      return CheckSubset(stmt);
    case StmtKind::kTassign:
      if (NeedTile(stmt, stmt.operands[0]) && stmt.operands[1].kind != OperandKind::kAddress) {
        NeedIndex(stmt, stmt.operands[1]);
      }
      return;
    case StmtKind::kScaleAddr:
      return CheckScaleAddr(stmt);
    case StmtKind::kAddPtr:
    case StmtKind::kLoadScalar:
    case StmtKind::kStoreScalar:
      return CheckPointer(stmt);
    case StmtKind::kVector:
      return CheckVector(stmt);
    case StmtKind::kMemrefLoad:
    case StmtKind::kMemrefStore:
      return CheckMemref(stmt);
    case StmtKind::kTGetVal:
    case StmtKind::kTSetVal: {
      const bool get = stmt.kind == StmtKind::kTGetVal;
      const Operand& tile = get ? stmt.operands[0] : stmt.outs[0];
      if (!NeedTile(stmt, tile) || !NeedIndex(stmt, stmt.operands[get ? 1 : 0])) return;
      const Type* type = TypeOf(tile);
      const Type* value = get ? (stmt.types.empty() ? nullptr : stmt.types[0]) : TypeOf(stmt.operands[1]);
      if (type == nullptr || value == nullptr || type->kind != TypeKind::kTile || value->IsScalar(type->elem)) return;
      return Error(TextRule::kOperandType, stmt, "an element of %s is not %s", Describe(type).c_str(),
                   Describe(value).c_str());
    }
    case StmtKind::kAsync:
      return CheckAsync(stmt);
    case StmtKind::kPipe:
      return CheckPipe(stmt);
    case StmtKind::kCoreSync:
      return CheckCoreSync(stmt);
    case StmtKind::kTPrint:
      NeedTile(stmt, stmt.operands[0]);
      return;
    default:
      return;
  }
}

// Scales of the left matrix belong to it, those of the right one to that.
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
  const auto code = static_cast<AsyncCode>(stmt.code);
  const auto takes = [&](size_t index, const char* what, TypeKind kind) {
    const Type* type = TypeOf(stmt.operands[index]);
    return NeedKind(stmt, stmt.operands[index], what, type != nullptr && type->kind == kind);
  };
  const TypeKind kinds[] = {TypeKind::kAsyncSession, TypeKind::kAsyncEvent, TypeKind::kScalar, TypeKind::kAsyncEvent};
  const Type& result = *stmt.types[0];
  if (result.kind != kinds[stmt.code] || (code == AsyncCode::kDone && result.elem != Elem::kI1)) {
    return Error(TextRule::kTypeMismatch, stmt, "%.*s does not make %s", PTO_NAME(stmt.name),
                 Describe(&result).c_str());
  }
  if (code == AsyncCode::kSession) return;
  if (code == AsyncCode::kDone) {
    if (takes(0, "an event", TypeKind::kAsyncEvent)) takes(1, "a session", TypeKind::kAsyncSession);
    return;
  }
  if (code == AsyncCode::kPrefetch) {
    if (NeedView(stmt, stmt.operands[0])) takes(1, "a session", TypeKind::kAsyncSession);
    return;
  }
  if (!NeedView(stmt, stmt.operands[0]) || !NeedView(stmt, stmt.operands[1]) ||
      !takes(2, "a session", TypeKind::kAsyncSession)) {
    return;
  }
  if (stmt.operands.size() > 3 && !NeedIndex(stmt, stmt.operands[3])) return;
  const Type* dst = ViewOf(stmt.operands[0]);
  const Type* src = ViewOf(stmt.operands[1]);
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
    if (stmt.dialect != nullptr) {
      return Error(TextRule::kUnsupportedInstruction, stmt, "this library has no %.*s yet", PTO_NAME(stmt.name));
    }
    Nearest nearest(stmt.name);
    for (const OpInfo* op : kOps) nearest.Offer(op->mnemonic);
    return Error(TextRule::kUnknownInstruction, stmt, "no instruction is called %.*s%s", PTO_NAME(stmt.name),
                 nearest.Question().c_str());
  }
  const OpInfo& op = *stmt.op;
  const TextOrder order = SourcesOf(op, stmt.operands.size());
  int dtypes[kMaxOperands];
  std::fill(std::begin(dtypes), std::end(dtypes), kDTypeCount);
  const auto need = [&](const Operand& operand, int index) {
    const Role role = op.operands[index].role;
    const Type* type = TypeOf(operand);
    pto_dtype dtype = PTO_DTYPE_I8;
    if (type != nullptr && type->kind == TypeKind::kTile && DTypeOf(type->elem, &dtype)) dtypes[index] = dtype;
    if (IsTile(role)) NeedTile(stmt, operand);
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
    if (op.operands[order.at[i]].role != Role::kScalar) continue;
    NeedElement(stmt, stmt.operands[i], known ? ElemOf(static_cast<pto_dtype>(element)) : Elem::kNone);
  }
}

// A scalar stands for an element of a type, kNone where that is not known: integers are for integers, floats for
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
  const Type* view = ViewOf(memory);
  const Type* tile = TypeOf(moved);
  if (view == nullptr || tile == nullptr || tile->kind != TypeKind::kTile) return;
  for (int i = 0; i < view->rank; ++i) {
    if (view->dims[i] != 0) continue;
    return Error(TextRule::kStaticDims, stmt, "dimension %d of %s is 0", i, Describe(view).c_str());
  }
  const bool plain = tile->loc == Loc::kVec || tile->loc == Loc::kMat;
  // What is converted on its way is judged by the rules of the instruction.
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

void Verifier::CheckMakeTensorView(const Stmt& stmt) {
  const Type* type = stmt.types[0];
  if (type->kind != TypeKind::kTensorView) {
    return Error(TextRule::kOperandType, stmt, "make_tensor_view makes a tensor_view, not %s", Describe(type).c_str());
  }
  const Type* pointer = TypeOf(stmt.operands[0]);
  const bool global = pointer == nullptr || (pointer->kind == TypeKind::kPtr && !pointer->local);
  if (!NeedKind(stmt, stmt.operands[0], "a pointer to global memory", global)) return;
  for (const Operand& operand : stmt.operands.subspan(1)) NeedIndex(stmt, operand);
  if (type->rank < 1 || type->rank > 5 || stmt.split != type->rank) {
    return Error(TextRule::kViewRank, stmt, "%u size%s for a view of rank %d", stmt.split, Plural(stmt.split),
                 type->rank);
  }
  if (pointer != nullptr && pointer->elem != type->elem) {
    Error(TextRule::kViewElement, stmt, "a view of %s over %s", Info(type->elem).name, Describe(pointer).c_str());
  }
  for (int i = 0; i < type->rank; ++i) {
    int64_t size = 0;
    if (!ConstantOf(stmt.operands[static_cast<size_t>(i) + 1], &size)) continue;
    if (size < 1 || (type->dims[i] != kDynamic && type->dims[i] != size)) {
      Error(TextRule::kViewRange, stmt, "size %lld in dimension %d of %s", static_cast<long long>(size), i,
            Describe(type).c_str());
    }
  }
}

void Verifier::CheckPartitionView(const Stmt& stmt) {
  const Type* to = stmt.types[0];
  const Type* from = ViewOf(stmt.operands[0]);
  if (!to->IsView()) {
    return Error(TextRule::kOperandType, stmt, "partition_view makes a view, not %s", Describe(to).c_str());
  }
  if (!NeedView(stmt, stmt.operands[0])) return;
  for (const Operand& operand : stmt.operands.subspan(1)) NeedIndex(stmt, operand);
  const int rank = from == nullptr ? to->rank : from->rank;
  if (rank < 1 || rank > 5 || stmt.split != rank || to->rank != rank) {
    return Error(TextRule::kViewRank, stmt, "%u offset%s and a result of rank %d for a view of rank %d", stmt.split,
                 Plural(stmt.split), to->rank, rank);
  }
  if (from != nullptr && from->elem != to->elem) {
    Error(TextRule::kViewElement, stmt, "a part of %s with elements of %s", Describe(from).c_str(),
          Info(to->elem).name);
  }
  const std::span<const Operand> offsets = stmt.operands.subspan(1, stmt.split);
  const std::span<const Operand> sizes = stmt.operands.subspan(size_t{stmt.split} + 1);
  for (size_t i = 0; i < offsets.size() && i < sizes.size(); ++i) {
    int64_t offset = 0;
    int64_t size = 0;
    const bool has_offset = ConstantOf(offsets[i], &offset);
    const bool has_size = ConstantOf(sizes[i], &size);
    const int64_t extent = from == nullptr ? kDynamic : from->dims[i];
    if (has_offset && offset < 0) {
      Error(TextRule::kViewRange, stmt, "offset %lld in dimension %zu", static_cast<long long>(offset), i);
    } else if (has_size && size < 1) {
      Error(TextRule::kViewRange, stmt, "size %lld in dimension %zu", static_cast<long long>(size), i);
    } else if (has_size && to->dims[i] != kDynamic && to->dims[i] != size) {
      Error(TextRule::kViewRange, stmt, "size %lld in dimension %zu of %s", static_cast<long long>(size), i,
            Describe(to).c_str());
    } else if (extent != kDynamic && has_size && (size > extent || (has_offset && offset > extent - size))) {
      Error(TextRule::kViewRange, stmt, "offset %lld and size %lld exceed extent %lld of dimension %zu",
            static_cast<long long>(offset), static_cast<long long>(size), static_cast<long long>(extent), i);
    }
  }
}

// ---- tiles ------------------------------------------------------------------

void Verifier::CheckAddressOf(const Stmt& stmt) {
  const bool tile = stmt.name == "tile_buf_addr";
  if (tile ? !NeedTile(stmt, stmt.operands[0]) : !NeedView(stmt, stmt.operands[0])) return;
  const Type* of = TypeOf(stmt.operands[0]);
  const Type* to = stmt.types[0];
  const bool pointer = to->kind == TypeKind::kPtr && to->local == tile;
  if (!pointer || (tile && of != nullptr && of->kind == TypeKind::kTile && of->loc != to->loc)) {
    return Error(TextRule::kOperandType, stmt, "%.*s makes a pointer into the memory of %s, not %s",
                 PTO_NAME(stmt.name), of == nullptr ? "its operand" : Describe(of).c_str(), Describe(to).c_str());
  }
  if (of != nullptr && of->elem != Elem::kNone && of->elem != to->elem) {
    Error(TextRule::kViewElement, stmt, "%s to %s", Describe(to).c_str(), Describe(of).c_str());
  }
}

void Verifier::CheckAllocTile(const Stmt& stmt) {
  for (const Operand& operand : stmt.operands) NeedIndex(stmt, operand);
  const Type* type = stmt.types[0];
  if (type->kind != TypeKind::kTile) {
    return Error(TextRule::kOperandType, stmt, "%.*s makes a tile of known shape, not %s", PTO_NAME(stmt.name),
                 Describe(type).c_str());
  }
  if (stmt.code != static_cast<uint8_t>(AllocCode::kDeclare)) CheckValid(stmt, stmt.has_addr ? 1 : 0);
}

// valid_row and valid_col, as far as they are given, from an operand on.
void Verifier::CheckValid(const Stmt& stmt, size_t next) {
  const Type* type = stmt.types[0];
  if (type->kind != TypeKind::kTile) return;
  const auto check = [&](const char* name, int64_t valid, bool given) {
    if ((valid == kDynamic) == given) return;
    Error(TextRule::kAllocValid, stmt, "%s is %s in the type", name,
          given ? "given, but static" : "missing, but dynamic");
  };
  check("valid_row", type->valid_row, stmt.has_valid_row);
  check("valid_col", type->valid_col, stmt.has_valid_col);
  for (int i = 0; i < 2; ++i) {
    if (i == 0 ? !stmt.has_valid_row : !stmt.has_valid_col) continue;
    int64_t value = 0;
    const bool known = ConstantOf(stmt.operands[next++], &value);
    if (known && (value < 0 || value > type->dims[i])) {
      Error(TextRule::kTileValid, stmt, "%s is %lld of %lld", i == 0 ? "valid_row" : "valid_col",
            static_cast<long long>(value), static_cast<long long>(type->dims[i]));
    }
  }
}

void Verifier::CheckSetValidShape(const Stmt& stmt) {
  const Operand& tile = stmt.operands[0];
  if (!NeedTile(stmt, tile) || !NeedIndex(stmt, stmt.operands[1]) || !NeedIndex(stmt, stmt.operands[2])) return;
  if (tile.value != nullptr && tile.value->origin == ValueOrigin::kArgument) {
    return Error(TextRule::kValidShape, stmt, "%%%.*s is an argument of the function", PTO_NAME(tile.name));
  }
  const Type* type = TypeOf(tile);
  if (type == nullptr || type->kind != TypeKind::kTile) return;
  if (type->valid_row != kDynamic || type->valid_col != kDynamic) {
    return Error(TextRule::kValidShape, stmt, "%%%.*s has static valid extents: %s", PTO_NAME(tile.name),
                 Describe(type).c_str());
  }
  for (int i = 0; i < 2; ++i) {
    int64_t value = 0;
    if (!ConstantOf(stmt.operands[static_cast<size_t>(i) + 1], &value)) continue;
    if (value >= 0 && value <= type->dims[i]) continue;
    Error(TextRule::kValidShape, stmt, "%lld valid %s of %lld", static_cast<long long>(value),
          i == 0 ? "rows" : "columns", static_cast<long long>(type->dims[i]));
  }
}

void Verifier::CheckReshape(const Stmt& stmt) {
  if (!NeedTile(stmt, stmt.operands[0])) return;
  const Type* from = TypeOf(stmt.operands[0]);
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
  if (!NeedTile(stmt, stmt.operands[0])) return;
  const Type* from = TypeOf(stmt.operands[0]);
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
  if (!NeedTile(stmt, stmt.operands[0]) || !NeedIndex(stmt, stmt.operands[1]) || !NeedIndex(stmt, stmt.operands[2]))
    return;
  const Type* from = TypeOf(stmt.operands[0]);
  const bool rest = stmt.name == "subview";  // a run knows how much that is
  if (from == nullptr || from->kind != TypeKind::kTile || rest) return;
  const pto::SLayout slayout = static_cast<pto::SLayout>(from->slayout);
  const pto::Box sides =
      Boxed(*from) ? BoxOf(slayout, from->fractal, std::max(BytesOf(from->elem), 1)) : pto::Box{1, 1};
  const int64_t box[2] = {sides.rows, sides.cols};
  const int full = from->blayout == BLayout::kRowMajor ? 1 : 0;  // the extent a boxed subset keeps
  for (int i = 0; i < 2; ++i) {
    const char* what = i == 0 ? "rows" : "columns";
    const int64_t size = stmt.sizes[static_cast<size_t>(i)];
    int64_t offset = 0;
    const bool known = ConstantOf(stmt.operands[static_cast<size_t>(i) + 1], &offset);
    if (size < 1 || size > from->dims[i]) {
      Error(TextRule::kSubset, stmt, "%lld %s of %lld", static_cast<long long>(size), what,
            static_cast<long long>(from->dims[i]));
    } else if (known && (offset < 0 || offset > from->dims[i] - size)) {
      Error(TextRule::kSubset, stmt, "offset %lld and %lld %s exceed %lld", static_cast<long long>(offset),
            static_cast<long long>(size), what, static_cast<long long>(from->dims[i]));
    } else if (size % box[i] != 0 || (known && offset % box[i] != 0)) {
      Error(TextRule::kSubset, stmt, "offset %lld and %lld %s are not multiples of the box's %lld",
            static_cast<long long>(offset), static_cast<long long>(size), what, static_cast<long long>(box[i]));
    } else if (Boxed(*from) && i == full && (size != from->dims[i] || !known || offset != 0)) {
      Error(TextRule::kSubset, stmt, "a boxed tile keeps all of its %lld %s, from 0",
            static_cast<long long>(from->dims[i]), what);
    }
  }
}

void Verifier::CheckPointer(const Stmt& stmt) {
  const bool store = stmt.kind == StmtKind::kStoreScalar;
  const Operand& pointer = stmt.operands[store ? 1 : 0];
  const Type* type = TypeOf(pointer);
  if (!NeedKind(stmt, pointer, "a pointer", type == nullptr || type->kind == TypeKind::kPtr)) return;
  if (!NeedIndex(stmt, stmt.operands[store ? 2 : 1]) || type == nullptr) return;
  if (stmt.kind == StmtKind::kAddPtr) {
    if (!TypesAgree(type, stmt.types[0])) {
      Error(TextRule::kViewElement, stmt, "%s from %s", Describe(stmt.types[0]).c_str(), Describe(type).c_str());
    }
    return;
  }
  const Type* value = store ? TypeOf(stmt.operands[0]) : stmt.types[0];
  if (value != nullptr && !value->IsScalar(type->elem)) {
    Error(TextRule::kViewElement, stmt, "%s through %s", Describe(value).c_str(), Describe(type).c_str());
  }
}

}  // namespace pto::ptoas
