// Statements of the cube: element types of products, modes of the way out, clauses that exclude each other.
#include <algorithm>

#include "src/ptoas/check/vector_check.h"
#include "src/ptoas/vector/way_out.h"
#include "src/records/nearest.h"

namespace pto::ptoas {
namespace {

// The operand types of a product. Its sums are f32, of i8 i32.
struct FactorTypes {
  DType factor, sum;
  bool scaled;
};
constexpr FactorTypes kFactors[] = {
    {DType::kF16, DType::kF32, false}, {DType::kBF16, DType::kF32, false}, {DType::kF32, DType::kF32, false},
    {DType::kI8, DType::kI32, false},  {DType::kHiF8, DType::kF32, false}, {DType::kE4M3, DType::kF32, true},
};

class CubeCheck : VectorCheck {
 public:
  CubeCheck(const Stmt& stmt, Diagnostics* diagnostics) : VectorCheck(stmt, diagnostics) {}

  void Run() {
    for (const Clause& clause : stmt_.clauses) {
      if (!Options(clause)) return;
    }
    if (!Apart({"sat", "nosat"}) || !Apart({"nz2nd", "nz2dn", "nz2nz"}) || !Apart({"nd2nz", "dn2nz"})) return;
    const std::string_view name = op_.name;
    if (name.starts_with("mad")) {
      Product(name.starts_with("mad_mx"), name.ends_with("bias"));
    } else if (name.starts_with("mte_l0c_")) {
      WayOut();
    } else if (name == "mte_gm_l1_frac") {
      if (Given("nd2nz") == nullptr && Given("dn2nz") == nullptr) {
        Refuse(TextRule::kVectorMode, "mte_gm_l1_frac takes nd2nz or dn2nz");
      }
      SameWidth();
    } else if (name == "mte_l1_bt") {
      const bool widens = ElemAt(1) == Elem::kF32 && (ElemAt(0) == Elem::kF16 || ElemAt(0) == Elem::kBF16);
      if (!widens) SameWidth();
    } else if (name != "mte_l1_fb" && name != "copy_cbuf_to_fbuf" && !name.ends_with("_mx")) {
      SameWidth();
    }
  }

 private:
  Elem ElemAt(size_t operand) const { return TypeOf(stmt_.operands[operand])->elem; }

  static bool Is(Elem elem, DType dtype) {
    pto_dtype own = PTO_DTYPE_F32;
    return DTypeOf(elem, &own) && static_cast<DType>(own) == dtype;
  }

  bool Options(const Clause& clause) {
    for (const NamedAttr& option : clause.options) {
      const auto& known = clause.info->options;
      if (std::find(known.begin(), known.end(), option.name) != known.end()) continue;
      Nearest nearest(option.name);
      std::string words;
      for (const std::string_view one : known) {
        nearest.Offer(one);
        words.append(words.empty() ? "" : ", ").append(one);
      }
      diagnostics_->Error(TextRule::kVectorMode, option.offset, static_cast<uint32_t>(option.name.size()),
                          "%.*s takes %s, not '%.*s'%s", PTO_NAME(clause.info->word),
                          words.empty() ? "no word" : words.c_str(), PTO_NAME(option.name), nearest.Question().c_str());
      return false;
    }
    return true;
  }

  bool Apart(std::initializer_list<std::string_view> words) {
    std::string_view first;
    for (const std::string_view word : words) {
      if (Given(word) == nullptr) continue;
      if (!first.empty()) {
        return Refuse(TextRule::kVectorMode, "%.*s and %.*s exclude each other", PTO_NAME(first), PTO_NAME(word));
      }
      first = word;
    }
    return true;
  }

  bool SameWidth() {
    const Type* from = TypeOf(stmt_.operands[0]);
    const Type* to = TypeOf(stmt_.operands[1]);
    if (Info(from->elem).bits == Info(to->elem).bits) return true;
    return Refuse(TextRule::kOperandType, "%.*s copies between elements of one width, not from %s to %s",
                  PTO_NAME(op_.name), Describe(from).c_str(), Describe(to).c_str());
  }

  void Product(bool scaled, bool bias) {
    const Elem left = ElemAt(0), right = ElemAt(1), sum = ElemAt(2);
    const bool known = std::any_of(std::begin(kFactors), std::end(kFactors), [&](const FactorTypes& one) {
      return Is(left, one.factor) && Is(right, one.factor) && Is(sum, one.sum) && one.scaled == scaled;
    });
    if (!known) {
      Refuse(TextRule::kVectorElement, "%.*s does not multiply %s by %s into %s; it takes %s", PTO_NAME(op_.name),
             Info(left).name, Info(right).name, Info(sum).name,
             scaled ? "f8E4M3FN into f32" : "two of f16, bf16, f32 or hif8 into f32, and i8 into i32");
      return;
    }
    if (bias && ElemAt(3) != sum) {
      Refuse(TextRule::kVectorElement, "the bias of %.*s has elements of %s, as the sums, not %s", PTO_NAME(op_.name),
             Info(sum).name, Info(ElemAt(3)).name);
    } else if (Given("tf32_mode") != nullptr && left != Elem::kF32) {
      Refuse(TextRule::kVectorMode, "tf32_mode rounds f32, not %s", Info(left).name);
    } else if (IsInteger(sum) && vec::GivenClause(stmt_, "sat") != nullptr) {
      Refuse(TextRule::kVectorMode, "sums of integers do not saturate");
    }
  }

  bool Quant(const Clause& clause, Elem from, Elem to) {
    const std::string_view word = vec::OptionOf(&clause, "mode");
    const vec::QuantWord quant = vec::FindQuant(word);
    if (quant.open) {
      return Refuse(TextRule::kVectorMode,
                    "the mode %.*s is not executed: no document settles it and no program uses it", PTO_NAME(word));
    }
    if (quant.mode == nullptr) {
      Nearest nearest(word);
      for (const vec::QuantMode& mode : vec::kQuantModes) nearest.Offer(mode.word);
      return Refuse(TextRule::kVectorMode, "pre_quant has no mode '%.*s'%s", PTO_NAME(word),
                    nearest.Question().c_str());
    }
    pto_dtype source = PTO_DTYPE_F32, target = PTO_DTYPE_F32;
    const bool fits = DTypeOf(from, &source) && DTypeOf(to, &target) &&
                      static_cast<DType>(source) == quant.mode->from &&
                      (Bit(static_cast<DType>(target)) & quant.mode->to) != 0;
    if (!fits) {
      return Refuse(TextRule::kVectorElement, "pre_quant with %.*s does not make %s of %s", PTO_NAME(word),
                    Info(to).name, Info(from).name);
    }
    const Type* number = TypeOf(stmt_.operands[clause.begin]);
    const bool table = number != nullptr && number->kind == TypeKind::kPtr;
    if (quant.mode->scales && table != quant.each) {
      return Refuse(TextRule::kOperandType, "pre_quant with %.*s takes a %s", PTO_NAME(word),
                    quant.each ? "pointer into the fixpipe buffer" : "scalar");
    }
    return !table || InScaling(*number, "pre_quant");
  }

  bool InScaling(const Type& type, const char* what) {
    if (type.local && type.loc == Loc::kScaling) return true;
    return Refuse(TextRule::kOperandType, "%s takes a pointer into the fixpipe buffer, not %s", what,
                  Describe(&type).c_str());
  }

  bool Relu(const Clause& clause, Elem to) {
    const std::string_view word = vec::OptionOf(&clause, "mode");
    const int relu = vec::FindRelu(word);
    if (relu < 0) {
      return Refuse(TextRule::kVectorMode,
                    "the mode of pre_relu is no_relu, normal_relu, scalar_relu or vector_relu, "
                    "not '%.*s'",
                    PTO_NAME(word));
    }
    const bool clips = std::any_of(clause.options.begin(), clause.options.end(),
                                   [](const NamedAttr& option) { return option.name == "clip"; });
    const int slopes = clause.end - clause.begin - (clips ? 1 : 0);
    if (slopes != (relu >= 2 ? 1 : 0)) {
      return Refuse(TextRule::kOperandCount, "pre_relu with %.*s takes %s", PTO_NAME(word),
                    relu >= 2 ? "a slope" : "no slope");
    }
    if (clips && to != Elem::kF16 && !IsInteger(to)) {
      return Refuse(TextRule::kVectorMode, "clip is for f16 and integers, not %s", Info(to).name);
    }
    if (slopes == 0) return true;
    const Type* number = TypeOf(stmt_.operands[clause.begin]);
    const bool table = number != nullptr && number->kind == TypeKind::kPtr;
    if (table != (relu == 3)) {
      return Refuse(TextRule::kOperandType, "pre_relu with %.*s takes a %s", PTO_NAME(word),
                    relu == 3 ? "pointer into the fixpipe buffer" : "scalar");
    }
    return !table || InScaling(*number, "pre_relu");
  }

  void WayOut() {
    const Elem from = ElemAt(0), to = ElemAt(1);
    if (Info(from).bits != 32 || (from != Elem::kF32 && !IsInteger(from))) {
      Refuse(TextRule::kVectorElement, "sums are f32 or i32, not %s", Info(from).name);
      return;
    }
    const Clause* quant = Given("pre_quant");
    if (quant == nullptr && from != to) {
      Refuse(TextRule::kVectorElement, "%.*s does not make %s of %s without pre_quant", PTO_NAME(op_.name),
             Info(to).name, Info(from).name);
      return;
    }
    if (quant != nullptr && !Quant(*quant, from, to)) return;
    const Clause* relu = Given("pre_relu");
    if (relu != nullptr && !Relu(*relu, to)) return;
    if (Given("nz2nz") != nullptr) {
      Refuse(TextRule::kVectorMode, "nz2nz is not executed: its layout is not documented; use nz2nd");
      return;
    }
    const Clause* target = Given("dst_mode");
    const std::string_view split = vec::OptionOf(target);
    if (target != nullptr && (target->begin == target->end) == split.empty()) {
      Refuse(TextRule::kOperandCount, "dst_mode takes a vector core, split_m or split_n");
    } else if (!split.empty() && (quant != nullptr || relu != nullptr || Given("nz2dn") != nullptr)) {
      Refuse(TextRule::kVectorMode, "%.*s excludes pre_quant, pre_relu and nz2dn", PTO_NAME(split));
    } else if (const Clause* atomic = Given("atomic"); atomic != nullptr) {
      Atomic(*atomic, to);
    }
  }

  void Atomic(const Clause& clause, Elem to) {
    const std::string_view op = vec::OptionOf(&clause, "op");
    const std::string_view type = vec::OptionOf(&clause, "type");
    if (op != "add" && op != "max" && op != "min") {
      Refuse(TextRule::kVectorMode, "the op of atomic is add, max or min, not '%.*s'", PTO_NAME(op));
      return;
    }
    struct Named {
      std::string_view word;
      Elem elem;
    };
    constexpr Named kTypes[] = {{"f32", Elem::kF32}, {"f16", Elem::kF16}, {"bf16", Elem::kBF16},
                                {"s32", Elem::kI32}, {"s16", Elem::kI16}, {"s8", Elem::kI8}};
    const bool fits = std::any_of(std::begin(kTypes), std::end(kTypes),
                                  [&](const Named& one) { return one.word == type && one.elem == to; });
    if (!fits) {
      Refuse(TextRule::kVectorMode, "atomic of %.*s does not fit elements of %s", PTO_NAME(type), Info(to).name);
    }
  }
};

}  // namespace

void CheckCubeOp(const Stmt& stmt, Diagnostics* diagnostics) { CubeCheck(stmt, diagnostics).Run(); }

}  // namespace pto::ptoas
