// The attributes that operations take, each once: the verifier obeys or refuses them,
// the machine takes its flags from them, docs/ptoas.md and the instructions' pages list them.
#ifndef PTO_SRC_OPS_ATTRIBUTES_H_
#define PTO_SRC_OPS_ATTRIBUTES_H_

#include <cstdint>
#include <iterator>
#include <string_view>

#include "src/ops/op_info.h"

namespace pto::ptoas {

struct AttributeValue {
  const char* name = nullptr;
  bool obeyed = true;  // false: the dialect has the value, this library does not do what it asks for
  uint32_t flags = 0;  // what the value says to the instruction
};

// Words are compared without case and underscores: atomicType, atomic_type; AtomicAdd, atomic_add.
struct AttributeInfo {
  const char* op;            // mnemonic without `pto.`
  const char* key;           // as the dialect prints it
  const char* aliases[3];    // other keys, and kinds, that programs and documents write
  const char* kind;          // of #pto<kind value>
  AttributeValue values[4];  // the first is what is meant without the attribute
};

inline constexpr AttributeInfo kAttributes[] = {
    {"make_tensor_view", "layout", {}, "layout", {{"nd"}, {"dn"}, {"nz", false}}},
    // These round each result correctly in any case.
    {"tcolexpanddiv", "precision_mode", {}, "precision_mode", {{"DEFAULT"}, {"HIGH_PRECISION"}}},
    {"tload", "init_out_buffer", {}, "", {{"false"}, {"true", false}}},
    {"tload", "pad_mode", {}, "pad_mode", {{"PadNull"}, {"PadFirstElem", false}, {"PadValue", false}}},
    {"tmov",
     "accToVecMode",
     {},
     "acc_to_vec_mode",
     {{"single_mode_vec0"}, {"single_mode_vec1", false}, {"dual_mode_split_m", false}, {"dual_mode_split_n", false}}},
    {"tmov", "reluPreMode", {}, "relu_pre_mode", {{"no_relu"}, {"normal_relu", false}}},
    {"tpow",
     "PrecisionType",
     {"precision_mode", "PowAlgorithm"},
     "PowAlgorithm",
     {{"DEFAULT"}, {"HIGH_PRECISION", true, kHighPrecision}}},
    {"trsqrt", "precision_mode", {}, "precision_mode", {{"DEFAULT"}, {"HIGH_PRECISION"}}},
    {"tstore", "atomicType", {}, "atomic_type", {{"atomic_none"}, {"atomic_add", false}}},
    {"tstore", "reluPreMode", {}, "relu_pre_mode", {{"no_relu"}, {"normal_relu", false}}},
    {"tstore", "stPhase", {}, "st_phase", {{"unspecified"}, {"partial"}, {"final"}}},
};

// nullptr: the operation has no such attribute.
const AttributeInfo* FindAttribute(std::string_view op, std::string_view key);

struct Attr;
struct Stmt;
// nullptr: it is no value of the attribute.
const AttributeValue* FindValue(const AttributeInfo& info, const Attr& attr);
// What a statement gives the attribute of this key; "" when it gives nothing that is known.
std::string_view GivenValue(const Stmt& stmt, std::string_view key);

}  // namespace pto::ptoas

#endif  // PTO_SRC_OPS_ATTRIBUTES_H_
