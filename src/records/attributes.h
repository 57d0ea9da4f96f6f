// The attributes that operations take, each once: the verifier obeys or refuses them,
// the machine takes modes and flags from them, docs/ptoas.md and the instructions' pages
// list them. Attributes of modes and of the precision follow from the records.
#ifndef PTO_SRC_RECORDS_ATTRIBUTES_H_
#define PTO_SRC_RECORDS_ATTRIBUTES_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "src/records/table.h"
#include "src/records/tensor_layout.h"

namespace pto::ptoas {

// Most are modes of instructions; the layout of a view has more values.
inline constexpr int kMaxValues = std::max(kMaxModeValues, static_cast<int>(std::size(kMatrixOrders)));

struct AttributeValue {
  const char* name = nullptr;
  bool obeyed = true;  // false: the dialect has the value, this library does not do what it asks for
  uint32_t flags = 0;  // the flags that the value sets
};

// Words are compared without case and underscores: atomicType, atomic_type; AtomicAdd, atomic_add.
struct AttributeInfo {
  const char* op = nullptr;           // mnemonic without `pto.`
  const char* key = nullptr;          // as the dialect prints it
  const char* aliases[2] = {};        // other keys, and kinds, that programs and documents write
  const char* kind = nullptr;         // of #pto<kind value>
  AttributeValue values[kMaxValues];  // the first is the default, unless `usual` names another one
  const OpInfo* record = nullptr;     // the form of the instruction that takes it; nullptr: `op` does
  int8_t operand = -1;                // the mode of the record that it sets
  int8_t usual = 0;                   // -1: none
  const char* spelled = "";           // what may precede a value
  bool needed = false;                // ins(...) outs(...) has it in any case
};

// To the checker of synchronisation and to traces: the pipe of an instruction that is not an instruction of the
// ISA.
constexpr AttributeInfo PartOf(const char* op) {
  return {op, "libpto.pipe", {}, "pipe", {{"OWN"}, {"V"}, {"MTE2"}, {"MTE3"}}, nullptr, -1, 0, "PIPE_"};
}

// The layouts that are orders of a matrix.
constexpr AttributeInfo LayoutOfView(const char* op) {
  AttributeInfo info = {op, "layout", {}, "layout", {}};
  int n = 0;
  for (const MatrixOrder& order : kMatrixOrders) info.values[n++] = {order.name, order.rows != 0};
  info.usual = -1;
  return info;
}

// Only column 0 of the 32 bytes that src1 has in each row is used.
inline constexpr const char* kFirstColumn = "src1Col";
constexpr AttributeInfo FirstColumnOf(const char* op) { return {op, kFirstColumn, {}, "", {{"1"}}, nullptr, -1, -1}; }

// Each form has one of them: it follows from the operands, and is checked against these.
constexpr AttributeInfo QuantTypeOf(const OpInfo& op, const char* type) {
  return {op.mnemonic, "quant_type", {"QuantType"}, "quant_type", {{type}}, &op, -1, 0, "", true};
}

inline constexpr AttributeInfo kOwnAttributes[] = {
    {"comm.allreduce", "reduceOp", {"ReduceOp"}, "reduce_op", {{"sum"}, {"max"}, {"min"}}},
    {"comm.allreduce_segment", "reduceOp", {"ReduceOp"}, "reduce_op", {{"sum"}, {"max"}, {"min"}}},
    {"comm.tnotify", "notifyOp", {"NotifyOp"}, "notify_op", {{"atomic_add"}, {"set"}}},
    {"comm.tput", "atomicType", {"AtomicType"}, "atomic_type", {{"NONE"}, {"ADD"}}, nullptr, -1, 0, "atomic_"},
    {"comm.treduce", "reduceOp", {"ReduceOp"}, "reduce_op", {{"sum"}, {"max"}, {"min"}}},
    {"comm.ttest", "cmp", {"WaitCmp"}, "wait_cmp", {{"eq"}, {"ne"}, {"gt"}, {"ge"}, {"lt"}, {"le"}}},
    {"comm.twait", "cmp", {"WaitCmp"}, "wait_cmp", {{"eq"}, {"ne"}, {"gt"}, {"ge"}, {"lt"}, {"le"}}},
    LayoutOfView("make_tensor_view"),
    {"sethf32mode", "enable", {}, "", {{"false"}, {"true"}}},
    {"sethf32mode", "mode", {}, "", {{"round_to_even"}, {"round_away"}}},
    {"settf32mode", "enable", {}, "", {{"false"}, {"true"}}},
    {"settf32mode", "mode", {}, "", {{"round_to_even"}, {"round_away"}}},
    // These round each result correctly in any case.
    {"tcolexpanddiv",
     "precision_mode",
     {"PrecisionType", "DivAlgorithm"},
     "precision_mode",
     {{"DEFAULT"}, {"HIGH_PRECISION"}}},
    // The bytes of 16 bits.
    {"thistogram", "isMSB", {}, "", {{"false"}, {"true"}}, &kTHistogram, int8_t{kTHistogram.Find(Role::kMode)}},
    LayoutOfView("tload"),
    {"tload", "init_out_buffer", {}, "", {{"false"}, {"true", false}}},
    {"tload", "pad_mode", {}, "pad_mode", {{"PadNull"}, {"PadFirstElem", false}, {"PadValue", false}}},
    PartOf("tload"),
    QuantTypeOf(kTQuant, "INT8_SYM"),
    QuantTypeOf(kTQuantAsym, "INT8_ASYM"),
    FirstColumnOf("trowexpandadd"),
    FirstColumnOf("trowexpanddiv"),
    FirstColumnOf("trowexpandexpdif"),
    FirstColumnOf("trowexpandmax"),
    FirstColumnOf("trowexpandmin"),
    FirstColumnOf("trowexpandmul"),
    FirstColumnOf("trowexpandsub"),
    {"trsqrt",
     "precision_mode",
     {"PrecisionType", "RsqrtAlgorithm"},
     "precision_mode",
     {{"DEFAULT"}, {"HIGH_PRECISION"}}},
    {"tstore", "stPhase", {}, "st_phase", {{"unspecified"}, {"partial"}, {"final"}}},
    PartOf("tstore"),
};

// It is the precision of an instruction that has a choice.
constexpr bool IsPrecision(const AttributeInfo& info) {
  return info.record != nullptr && info.operand < 0 && std::string_view(info.kind) == "precision_mode";
}

constexpr AttributeInfo PrecisionOf(const OpInfo& op) {
  return {op.mnemonic,
          "precision_mode",
          {"PrecisionType"},
          "precision_mode",
          {{"DEFAULT"}, {"HIGH_PRECISION", true, kHighPrecision}},
          &op};
}

constexpr AttributeInfo ModeAttribute(const OpInfo& op, int operand) {
  const ModeInfo& mode = *op.operands[operand].mode;
  const bool two = mode.cpp == std::string_view("bool");
  AttributeInfo info;
  info.op = op.mnemonic;
  info.key = mode.attr;
  info.aliases[0] = mode.other_key;
  const bool count = mode.cpp == std::string_view("uint16_t");
  info.aliases[1] = two || count ? nullptr : mode.cpp;
  info.kind = mode.kind;
  for (int i = 0; i < mode.Count(); ++i) info.values[i].name = !two ? mode.values[i].name : i == 0 ? "false" : "true";
  info.record = &op;
  info.operand = static_cast<int8_t>(operand);
  info.usual = static_cast<int8_t>(mode.usual);
  info.spelled = mode.spelled;
  return info;
}

constexpr size_t CountAttributes() {
  size_t count = std::size(kOwnAttributes);
  for (const OpInfo* op : kOps) count += static_cast<size_t>(op->Count(Role::kMode)) + (op->flags & kHighPrecision);
  return count;
}
static_assert(kHighPrecision == 1);

// In the order of operations.
inline constexpr auto kAttributes = [] {
  std::array<AttributeInfo, CountAttributes()> all;
  size_t n = 0;
  size_t own = 0;
  for (const OpInfo* op : kOps) {
    while (own < std::size(kOwnAttributes) && !(std::string_view(op->mnemonic) < kOwnAttributes[own].op)) {
      all[n++] = kOwnAttributes[own++];
    }
    for (int i = 0; i < op->OperandCount(); ++i) {
      if (op->operands[i].role == Role::kMode) all[n++] = ModeAttribute(*op, i);
    }
    if ((op->flags & kHighPrecision) != 0) all[n++] = PrecisionOf(*op);
  }
  return all;
}();

// "PowAlgorithm" for tpow: the type of the precision in C++.
inline std::string AlgorithmOf(const OpInfo& op) {
  const auto capitalised = [](std::string text) {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
  };
  const std::string name = op.mnemonic;
  if (name.find("div") != name.npos) return "DivAlgorithm";
  if (name == "tpows") return "PowAlgorithm";
  if (name == "trems" || name == "tfmods") return capitalised(name.substr(1, name.size() - 2)) + "SAlgorithm";
  return capitalised(name.substr(1)) + "Algorithm";
}

struct Attr;
struct Stmt;
// nullptr: the operation, in the form of the record, has no such attribute.
const AttributeInfo* FindAttribute(std::string_view op, const OpInfo* record, std::string_view key);
const AttributeInfo* FindAttribute(const Stmt& stmt, std::string_view key);
// The first attribute of a form that has a value of this name, which may begin with its operand's name: atomic_add.
// `value` is then what its dictionary has. nullptr: none has.
const AttributeInfo* FindAttributeByValue(const OpInfo& record, Attr* value);
// The attribute that a form needs in ins(...) outs(...); nullptr: none.
inline const AttributeInfo* NeededAttribute(const OpInfo& op) {
  const auto* const found = std::find_if(std::begin(kOwnAttributes), std::end(kOwnAttributes),
                                         [&](const AttributeInfo& info) { return info.needed && info.record == &op; });
  return found == std::end(kOwnAttributes) ? nullptr : found;
}
// As a dictionary has it: quant_type = #pto<quant_type INT8_SYM>.
inline std::string NeededText(const AttributeInfo& info) {
  return std::string(info.key) + " = #pto<" + info.kind + " " + info.values[0].name + ">";
}
// nullptr: the attribute does not have the value.
const AttributeValue* FindValue(const AttributeInfo& info, const Attr& attr);
// A statement's value of the attribute of this key; "" if it has no known value.
std::string_view GivenValue(const Stmt& stmt, std::string_view key);

}  // namespace pto::ptoas

#endif  // PTO_SRC_RECORDS_ATTRIBUTES_H_
