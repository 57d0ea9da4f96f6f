// Operations of the vector level: each operand matches the words of its row (vector/op.h), then the other conditions.
#include <algorithm>

#include "src/ptoas/check/vector_check.h"
#include "src/ptoas/vector/choices.h"
#include "src/ptoas/vector/conversions.h"
#include "src/ptoas/vector/op.h"
#include "src/records/nearest.h"

namespace pto::ptoas {
namespace {

using vec::Kind;
using vec::Param;

int64_t Bits(const Type* type) { return type == nullptr ? 0 : Info(type->elem).bits; }
int64_t MaskBits(const Type* type) { return std::min<int64_t>(32, Bits(type)); }
bool KindIs(const Type* type, TypeKind kind) { return type != nullptr && type->kind == kind; }
bool IsInt(const Type* type) { return KindIs(type, TypeKind::kScalar) && IsInteger(type->elem); }

class OpCheck : VectorCheck {
 public:
  OpCheck(const Stmt& stmt, Diagnostics* diagnostics) : VectorCheck(stmt, diagnostics) {}

  void Run() {
    if (!op_.refused.empty()) {
      return Error(TextRule::kUnsupportedInstruction, stmt_.offset, stmt_.length, "%.*s is not executed: %.*s",
                   PTO_NAME(op_.name), static_cast<int>(op_.refused.size()), op_.refused.data());
    }
    if (!Words() || !Attributes()) return;
    element_ = Element();
    if (element_ != nullptr && !Elements(element_)) return;
    for (size_t i = 0; i < op_.in.count; ++i) {
      const Operand& operand = stmt_.operands[i];
      if (!operand.implied && !Takes(op_.in.all[i], TypeOf(operand), &operand)) return;
    }
    for (size_t i = 0; i < stmt_.types.size(); ++i) {
      if (!Takes(op_.out.all[i], stmt_.types[i], nullptr)) return;
    }
    if (!Masks() || !Clauses()) return;
    Further();
  }

 private:
  bool Wants(const Type* type, const Operand* operand, const char* what, bool good) {
    if (good) return true;
    Error(TextRule::kOperandType, operand == nullptr ? stmt_.offset : operand->offset,
          operand == nullptr ? stmt_.length : operand->length, "%.*s %s %s here, not %s", PTO_NAME(op_.name),
          operand == nullptr ? "makes" : "takes", what, type == nullptr ? "this" : Describe(type).c_str());
    if (operand != nullptr) diagnostics_->About(type);
    return false;
  }

  // T: what the first register of the row has.
  const Type* Element() const {
    for (size_t i = 0; i < op_.in.count; ++i) {
      if (op_.in.all[i].kind == Kind::kVreg) return TypeOf(stmt_.operands[i]);
    }
    for (size_t i = 0; i < stmt_.types.size(); ++i) {
      if (op_.out.all[i].kind == Kind::kVreg) return stmt_.types[i];
    }
    return nullptr;
  }

  bool Elements(const Type* type) {
    DType dtype = DType::kF32;
    pto_dtype code = PTO_DTYPE_F32;
    const bool known = type->kind == TypeKind::kVreg && DTypeOf(type->elem, &code);
    dtype = static_cast<DType>(code);
    if (type->kind == TypeKind::kVreg && known && (op_.types & Bit(dtype)) != 0) return true;
    if (type->kind != TypeKind::kVreg) return Wants(type, nullptr, "a register", false);
    std::string names;
    for (int i = 0; i < kComputedCount; ++i) {
      if ((op_.types >> i & 1U) != 0) names += (names.empty() ? "" : ", ") + std::string(kDTypes[i].name);
    }
    return Refuse(TextRule::kVectorElement, "%.*s has no elements of %s; it takes %s", PTO_NAME(op_.name),
                  Info(type->elem).name, names.c_str());
  }

  // The scalar of a lane: its type, or the signless one of its width.
  bool IsLane(const Type* type) const {
    if (!KindIs(type, TypeKind::kScalar) || element_ == nullptr) return false;
    if (type->elem == element_->elem) return true;
    return IsInteger(element_->elem) && Info(type->elem).kind == ElemInfo::kInt && Bits(type) == Bits(element_);
  }

  bool Takes(const Param& param, const Type* type, const Operand* operand) {
    switch (param.kind) {
      case Kind::kVreg:
        if (type == element_ && KindIs(type, TypeKind::kVreg))
          return true;  // no text for a message that is not written
        return Wants(type, operand, element_ == nullptr ? "a register" : Describe(element_).c_str(),
                     KindIs(type, TypeKind::kVreg) && SameType(*type, *element_));
      case Kind::kAnyVreg:
        return Wants(type, operand, "a register", KindIs(type, TypeKind::kVreg));
      case Kind::kVregOrScalar:
        return Wants(type, operand, "a register or a scalar of its lanes",
                     IsLane(type) || (KindIs(type, TypeKind::kVreg) && SameType(*type, *element_)));
      case Kind::kMask: {
        if (!Wants(type, operand, "a mask", KindIs(type, TypeKind::kMask))) return false;
        const int64_t bits = param.bits != 0 ? param.bits : MaskBits(element_);
        if (type->dims[0] == 0 || type->dims[0] == bits) return true;
        Error(TextRule::kMaskWidth, operand == nullptr ? stmt_.offset : operand->offset,
              operand == nullptr ? stmt_.length : operand->length, "%.*s %s !pto.mask<b%lld> here, not %s",
              PTO_NAME(op_.name), operand == nullptr ? "makes" : "takes", static_cast<long long>(bits),
              Describe(type).c_str());
        return false;
      }
      case Kind::kAnyMask:
        return Wants(type, operand, "a mask", KindIs(type, TypeKind::kMask));
      case Kind::kLanes:
        return Wants(type, operand, "a mask or a number of lanes", KindIs(type, TypeKind::kMask) || IsInt(type));
      case Kind::kScalar:
        return Wants(type, operand, element_ == nullptr ? "a scalar" : Info(element_->elem).name,
                     operand->kind == OperandKind::kValue && IsLane(type));
      case Kind::kInt16:
        return Wants(type, operand, "i16", operand->kind == OperandKind::kLiteral || (IsInt(type) && Bits(type) == 16));
      case Kind::kInt:
      case Kind::kPlaceIndex:
        return Wants(type, operand, "an integer",
                     (operand != nullptr && operand->kind == OperandKind::kLiteral) || type == nullptr || IsInt(type));
      case Kind::kAlign:
        return Wants(type, operand, "!pto.align", KindIs(type, TypeKind::kAlign));
      case Kind::kPointer: {
        const bool first = param.bits == vec::kGlobalSpace && op_.family != vec::Family::kSimt;
        if (first && KindIs(type, TypeKind::kTensorView)) return true;  // its first element
        if (!Wants(type, operand, "a pointer", KindIs(type, TypeKind::kPtr))) return false;
        const bool moves = op_.family == vec::Family::kSimt || op_.family == vec::Family::kCopy;
        if (type->LanesAt() != 0 && !moves) return Wants(type, operand, "a pointer to elements", false);
        if (param.bits == vec::kAnySpace) return true;
        if (param.bits == vec::kGlobalSpace) return Wants(type, operand, "a pointer to global memory", !type->local);
        if (type->local && static_cast<uint8_t>(type->loc) == param.bits) return true;
        static constexpr const char* kSpaces[] = {
            "UB", "L1", "L0A", "L0B", "L0C", "the bias table", "the fixpipe buffer"};
        const std::string what = std::string("a pointer into ") + kSpaces[param.bits];
        return Wants(type, operand, what.c_str(), false);
      }
      case Kind::kNumber:
      case Kind::kAnyNumber:
        return Wants(type, operand, "a number", KindIs(type, TypeKind::kScalar) || KindIs(type, TypeKind::kVector));
      case Kind::kIntOf: {
        const std::string what = "i" + std::to_string(param.bits);
        return Wants(type, operand, what.c_str(), IsInt(type) && what == Info(type->elem).name);
      }
      case Kind::kIntOrPointer:
        return Wants(type, operand, "an integer or a pointer", IsInt(type) || KindIs(type, TypeKind::kPtr));
      case Kind::kWord:
        return true;
    }
    return true;
  }

  bool BadWord(const vec::Choice& choice, uint32_t offset, uint32_t length, std::string_view text) {
    Nearest nearest(text);
    std::string known;
    for (const vec::ChoiceValue& value : choice.values) {
      nearest.Offer(value.word);
      if (known.size() < 160) known.append(known.empty() ? "" : ", ").append(value.word);
    }
    Error(TextRule::kVectorMode, offset, length, "%.*s of %.*s is one of %s, not '%.*s'%s", PTO_NAME(choice.key),
          PTO_NAME(op_.name), known.c_str(), PTO_NAME(text), nearest.Question().c_str());
    return false;
  }

  bool Words() {
    size_t word = 0;
    for (size_t i = 0; i < op_.in.count; ++i) {
      if (op_.in.all[i].kind != Kind::kWord) continue;
      const vec::Choice& choice = *op_.words[word++];
      const Operand& operand = stmt_.operands[i];
      const std::string_view text = IsString(operand) ? operand.literal->text : std::string_view();
      const vec::ChoiceValue* value = choice.Find(text);
      if (value == nullptr) return BadWord(choice, operand.offset, operand.length, text);
    }
    return true;
  }

  bool Attributes() {
    for (const NamedAttr& entry : stmt_.attrs) {
      const auto length = static_cast<uint32_t>(entry.name.size());
      const vec::Choice* choice = nullptr;
      for (const vec::Choice* one : op_.attrs) {
        if (one != nullptr && (one->key == entry.name || one->also == entry.name)) choice = one;
      }
      if (choice == nullptr && entry.name == op_.integer) continue;
      if (choice == nullptr) {
        diagnostics_->Warn(TextRule::kUnknownAttribute, entry.offset, length, "%.*s has no attribute '%.*s'",
                           PTO_NAME(op_.name), PTO_NAME(entry.name));
        continue;
      }
      const vec::ChoiceValue* value = choice->Find(ValueOf(entry).text);
      if (value == nullptr) return BadWord(*choice, entry.offset, length, ValueOf(entry).text);
      const bool dist = choice == &vec::kLoadDist || choice == &vec::kStoreDist;
      if (!dist || vec::DistOf(value->code) != vec::Dist::kRefused) continue;
      Error(TextRule::kVectorMode, entry.offset, length, "%.*s with %.*s is not executed: no A5 hardware runs it",
            PTO_NAME(op_.name), PTO_NAME(value->word));
      return false;
    }
    return true;
  }

  // Masks of any granularity: of one operation they have the same.
  bool Masks() {
    if (op_.also == vec::Also::kBitcast || op_.also == vec::Also::kMaskStep || op_.name == "pbitcast") return true;
    const Type* first = nullptr;
    const auto differs = [&](Kind kind, const Type* type) {
      if (kind != Kind::kAnyMask || type == nullptr) return false;
      if (first == nullptr) first = type;
      return !TypesAgree(first, type);
    };
    for (size_t i = 0; i < op_.in.count; ++i) {
      if (differs(op_.in.all[i].kind, TypeOf(stmt_.operands[i]))) {
        return Refuse(TextRule::kMaskWidth, "masks of %.*s are of one granularity", PTO_NAME(op_.name));
      }
    }
    for (size_t i = 0; i < stmt_.types.size(); ++i) {
      if (differs(op_.out.all[i].kind, stmt_.types[i])) {
        return Refuse(TextRule::kMaskWidth, "masks of %.*s are of one granularity", PTO_NAME(op_.name));
      }
    }
    return true;
  }

  bool Clauses() {
    for (const vec::ClauseInfo& info : op_.clauses) {
      size_t count = 0;
      for (const Clause& clause : stmt_.clauses) {
        if (clause.info != &info) continue;
        ++count;
        const int operands = clause.end - clause.begin;
        if (operands < info.least || operands > info.most || (info.most == 3 && info.least == 1 && operands == 2)) {
          Error(TextRule::kOperandCount, clause.offset, clause.length, "%.*s takes %d operand%s, not %d",
                PTO_NAME(info.word), info.least, Plural(info.least), operands);
          return false;
        }
        for (int i = clause.begin; i < clause.end; ++i) {
          const Operand& operand = stmt_.operands[static_cast<size_t>(i)];
          const Type* type = TypeOf(operand);
          const bool number =
              type == nullptr || IsInt(type) || type->kind == TypeKind::kPtr ||
              ((i == clause.begin || op_.also == vec::Also::kCube) && KindIs(type, TypeKind::kScalar)) ||
              operand.kind == OperandKind::kLiteral;
          if (!Wants(type, &operand, "an integer", number)) return false;
        }
      }
      if (info.needed && count == 0) {
        return Refuse(TextRule::kOperandCount, "%.*s takes %.*s(...)", PTO_NAME(op_.name), PTO_NAME(info.word));
      }
      if (!info.repeats && count > 1) {
        return Refuse(TextRule::kOperandCount, "%.*s is given twice", PTO_NAME(info.word));
      }
    }
    return true;
  }

  const Type* In(size_t i) const { return TypeOf(stmt_.operands[i]); }
  const Type* Out(size_t i = 0) const { return stmt_.types[i]; }
  // A register with lanes of this many bits, of integers if `ints`.
  bool MakesWidth(int64_t bits, bool ints) {
    const Type* out = Out();
    const bool good = Bits(out) == bits && (!ints || IsInteger(out->elem));
    if (good) return true;
    return Refuse(TextRule::kVectorElement, "%.*s of %s does not make %s", PTO_NAME(op_.name),
                  Describe(element_).c_str(), Describe(out).c_str());
  }

  bool Convert() {
    pto_dtype from = PTO_DTYPE_F32;
    pto_dtype to = PTO_DTYPE_F32;
    const vec::Conversion* pair = nullptr;
    if (DTypeOf(In(0)->elem, &from) && DTypeOf(Out()->elem, &to)) {
      for (const vec::Conversion& one : vec::kConversions) {
        if (static_cast<int>(one.from) == from && static_cast<int>(one.to) == to) pair = &one;
      }
    }
    if (pair == nullptr) {
      return Refuse(TextRule::kVectorElement, "vcvt has no conversion from %s to %s", Info(In(0)->elem).name,
                    Info(Out()->elem).name);
    }
    const auto needs = [&](const vec::Choice& choice, bool needed) {
      if (Has(stmt_, choice) == needed) return true;
      return Refuse(TextRule::kVectorMode, "vcvt from %s to %s takes %s%.*s", Info(In(0)->elem).name,
                    Info(Out()->elem).name, needed ? "" : "no ", PTO_NAME(choice.key));
    };
    const int64_t wide = std::max(Bits(In(0)), Bits(Out()));
    const int64_t ratio = wide / std::min(Bits(In(0)), Bits(Out()));
    if (!needs(vec::kRnd, pair->rnd) || !needs(vec::kSat, pair->sat) || !needs(vec::kPart, ratio != 1)) return false;
    const int32_t part = CodeOf(stmt_, vec::kPart, 0);
    if (ratio == 1 || (ratio == 2) == (part < vec::kQuarter)) return true;
    return Refuse(TextRule::kVectorMode, "vcvt from %s to %s takes the part %s", Info(In(0)->elem).name,
                  Info(Out()->elem).name, ratio == 2 ? "EVEN or ODD" : "P0, P1, P2 or P3");
  }

  void Further() {
    using vec::Also;
    switch (op_.also) {
      case Also::kConvert:
        Convert();
        return;
      case Also::kWiden: {
        const int64_t bits = Bits(In(0));
        MakesWidth(IsInteger(In(0)->elem) && bits < 32 ? 2 * bits : bits, IsInteger(In(0)->elem));
        return;
      }
      case Also::kIndex: {
        // vselr: lanes of a register; the others: lanes of memory.
        const size_t at = op_.name == "vscatter" ? 2 : 1;
        const Type* index = In(at);
        const bool blocks = op_.name == "vgatherb";
        const Type* element = op_.family == vec::Family::kMove || op_.name == "vscatter" ? element_ : Out();
        if (!IsInteger(index->elem) || Bits(index) != (blocks ? 32 : Bits(element))) {
          Refuse(TextRule::kVectorElement, "the indices of %.*s are integers of %lld bits, not %s", PTO_NAME(op_.name),
                 static_cast<long long>(blocks ? 32 : Bits(element)), Describe(index).c_str());
          return;
        }
        if (op_.in.all[at + 1].kind == Kind::kLanes && KindIs(In(at + 1), TypeKind::kMask) &&
            In(at + 1)->dims[0] != 0 && In(at + 1)->dims[0] != MaskBits(element)) {
          Refuse(TextRule::kMaskWidth, "%.*s takes !pto.mask<b%lld> here, not %s", PTO_NAME(op_.name),
                 static_cast<long long>(MaskBits(element)), Describe(In(at + 1)).c_str());
        }
        return;
      }
      case Also::kPack:
        if (MakesWidth(Bits(element_) / 2, true) && Info(Out()->elem).kind != ElemInfo::kUnsigned) {
          Refuse(TextRule::kVectorElement, "vpack makes unsigned elements, not %s", Describe(Out()).c_str());
        }
        return;
      case Also::kUnpack: {
        int64_t part = 0;
        if (MakesWidth(2 * Bits(element_), true) && ConstantOf(stmt_.operands[1], &part) && part != 0 && part != 1) {
          Refuse(TextRule::kVectorMode, "part %lld of %.*s; there are 0 and 1", static_cast<long long>(part),
                 PTO_NAME(op_.name));
        }
        return;
      }
      case Also::kExpDif:
        if (Out()->elem != Elem::kF32) {
          Refuse(TextRule::kVectorElement, "vexpdif makes !pto.vreg<64xf32>, not %s", Describe(Out()).c_str());
        }
        return;
      case Also::kCastPtr:
        if (IsInt(In(0)) && !KindIs(Out(), TypeKind::kPtr)) {
          Refuse(TextRule::kOperandType, "castptr makes a pointer of an integer, not %s", Describe(Out()).c_str());
        } else if (IsInt(In(0)) && !Out()->local) {
          Refuse(TextRule::kOperandType, "an integer does not name an address in global memory");
        } else if (KindIs(In(0), TypeKind::kPtr) && KindIs(Out(), TypeKind::kPtr) &&
                   (In(0)->local != Out()->local || In(0)->loc != Out()->loc)) {
          Refuse(TextRule::kOperandType, "castptr keeps the memory, and %s is elsewhere than %s",
                 Describe(Out()).c_str(), Describe(In(0)).c_str());
        }
        return;
      case Also::kDup:
        if (Has(stmt_, vec::kPosition) && !KindIs(In(0), TypeKind::kVreg)) {
          Refuse(TextRule::kVectorMode, "a scalar has no position");
        }
        return;
      case Also::kCopy: {
        const Type* from = In(0);
        const Type* to = In(1);
        if (Bits(from) != Bits(to)) {
          Refuse(TextRule::kOperandType, "%.*s copies between elements of one width, not from %s to %s",
                 PTO_NAME(op_.name), Describe(from).c_str(), Describe(to).c_str());
        }
        return;
      }
      case Also::kMaskStep: {
        const int64_t from = In(0)->dims[0];
        const int64_t to = Out()->dims[0];
        const bool packs = op_.name == "ppack";
        if (from == 0 || to == 0 || from == to || (packs ? from == 2 * to : to == 2 * from)) return;
        Refuse(TextRule::kMaskWidth, "%.*s does not make %s of %s", PTO_NAME(op_.name), Describe(Out()).c_str(),
               Describe(In(0)).c_str());
        return;
      }
      case Also::kStoreMask: {
        const int32_t code = CodeOf(stmt_, vec::kStoreDist, 0);
        const vec::Dist dist = vec::DistOf(code);
        if (dist == vec::Dist::kOne) return;  // it ignores its mask
        const int64_t bytes = vec::DistBytes(code) != 0 ? vec::DistBytes(code) : Bits(element_) / 8;
        const int64_t bits = std::min<int64_t>(32, 8 * bytes);
        const Type* mask = In(3);
        if (mask->dims[0] == 0 || mask->dims[0] == bits) return;
        Refuse(TextRule::kMaskWidth, "%.*s takes !pto.mask<b%lld> here, not %s", PTO_NAME(op_.name),
               static_cast<long long>(bits), Describe(mask).c_str());
        return;
      }
      case Also::kCube:
        CheckCubeOp(stmt_, diagnostics_);
        return;
      case Also::kSimt:
        CheckSimtOp(stmt_, diagnostics_);
        return;
      case Also::kDense:
        if (In(1)->dims[0] == 8) Refuse(TextRule::kMaskWidth, "pstu takes a mask of b16 or b32");
        return;
      default:
        return;
    }
  }

  const Type* element_ = nullptr;
};

}  // namespace

void Verifier::CheckVectorOp(const Stmt& stmt) {
  OpCheck(stmt, diagnostics_).Run();
  const vec::Scope scope = stmt.vector->scope;
  if (scope == vec::Scope::kItem && !func_->simt) {
    Error(TextRule::kSimtScope, stmt, "%.*s belongs in a function with pto.simt_entry", PTO_NAME(stmt.name));
  }
  if ((scope == vec::Scope::kOutside || scope == vec::Scope::kHost) && in_scope_) {
    Error(TextRule::kVectorScope, stmt, "%.*s belongs outside pto.vecscope", PTO_NAME(stmt.name));
  }
}

}  // namespace pto::ptoas
