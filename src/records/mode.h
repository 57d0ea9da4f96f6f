// The modes that instructions take beside their operands: each an enum of the C header,
// printed from here. Values are stable, never reused.
#ifndef PTO_SRC_RECORDS_MODE_H_
#define PTO_SRC_RECORDS_MODE_H_

#include <cstdint>

namespace pto {

struct ModeValue {
  const char* name;  // the name in programs, and after the prefix in C
  const char* brief;
};

inline constexpr int kMaxModeValues = 8;

// A value is its index.
struct ModeInfo {
  const char* name;    // pto_<name> in C
  const char* prefix;  // PTO_<prefix>_<value> in C
  const char* attr;    // the key of the attribute in programs
  const char* kind;    // of #pto<kind value> there
  const char* cpp;     // the type in C++; of bool the values are false and true in programs, too
  const char* brief;
  ModeValue values[kMaxModeValues];
  int usual = 0;                    // what programs mean without the attribute
  const char* spelled = "";         // what programs and C++ may write before a value
  bool cpp_parameter = false;       // C++ has it as a template parameter, too
  const char* other_key = nullptr;  // of the attribute, as some programs have it
  int cpp_first = 0;                // the first value in C++
  bool cpp_camel = false;           // C++ writes `Row` for ROW
  const char* cpp_state = nullptr;  // in C++ no parameter, but this state of the calling core

  constexpr int Count() const {
    int n = 0;
    while (n < kMaxModeValues && values[n].name != nullptr) ++n;
    return n;
  }
};

inline constexpr ModeInfo kCmpMode = {
    "cmp",
    "CMP",
    "cmpMode",
    "cmp",
    "CmpMode",
    "How two elements are compared.",
    {{"EQ", "Equal; the two zeros are equal."},
     {"NE", "Not equal; true if an operand is a NaN."},
     {"LT", "Less."},
     {"LE", "Less or equal."},
     {"GT", "Greater."},
     {"GE", "Greater or equal."}},
};

inline constexpr ModeInfo kRoundMode = {
    "round",
    "ROUND",
    "rmode",
    "round_mode",
    "RoundMode",
    "How a conversion rounds.",
    {{"NONE", "The default of the pair of types: TRUNC from floats to integers, ROUND to hif8, else RINT."},
     {"RINT", "To nearest, ties to even."},
     {"ROUND", "To nearest, ties away from zero."},
     {"FLOOR", "Towards minus infinity."},
     {"CEIL", "Towards plus infinity."},
     {"TRUNC", "Towards zero."},
     {"ODD", "Von Neumann rounding: an inexact result gets an odd last bit."}},
    1,
    "CAST_",
};

inline constexpr ModeInfo kSaturationMode = {
    "sat",
    "SAT",
    "sat_mode",
    "saturation_mode",
    "SaturationMode",
    "How a conversion treats values that the type cannot represent.",
    {{"ON", "It gives the nearest value of the type; NaN becomes the integer 0."},
     {"OFF", "Integers keep the low bits of the rounded value, floats overflow to infinity."},
     {"DEFAULT", "The default of the pair of types."}},
    2,
};

inline constexpr ModeInfo kOrderMode = {
    "order",
    "ORDER",
    "isBinary",
    "",
    "bool",
    "The order of additions in a sum.",
    {{"SEQUENTIAL", "One after another."}, {"TREE", "Neighbours in pairs, then their sums in pairs, and so on."}},
};

inline constexpr ModeInfo kDirectionMode = {
    "direction",
    "DIRECTION",
    "descending",
    "",
    "bool",
    "The direction in which numbers count.",
    {{"UP", "Upwards."}, {"DOWN", "Downwards."}},
    0,
    "",
    true,
};

inline constexpr ModeInfo kTriangleMode = {
    "triangle",
    "TRIANGLE",
    "isUpperOrLower",
    "",
    "bool",
    "The triangle that is filled.",
    {{"LOWER", "The triangle below the diagonal, including the diagonal."},
     {"UPPER", "The triangle above the diagonal, including the diagonal."}},
    0,
    "",
    true,
    "upperOrLower",
};

inline constexpr ModeInfo kInsertMode = {
    "insert",
    "INSERT",
    "insertMode",
    "insert_mode",
    "TInsertMode",
    "The number of transfers that insert a tile.",
    {{"SPLIT2", "Two."}, {"SPLIT4", "Four."}},
    0,
    "",
    false,
    nullptr,
    2,
};

inline constexpr ModeInfo kMaskMode = {
    "mask",
    "MASK",
    "maskPattern",
    "mask_pattern",
    "MaskPattern",
    "The selected elements of every four neighbours; the last digit of a pattern is the first neighbour.",
    {{"P0101", "The even ones."},
     {"P1010", "The odd ones."},
     {"P0001", "The first."},
     {"P0010", "The second."},
     {"P0100", "The third."},
     {"P1000", "The fourth."},
     {"P1111", "All."}},
    6,
    "",
    false,
    nullptr,
    1,
};

// The elements that a value of kMaskMode selects: one of every 2 or 4 neighbours.
struct Pattern {
  int32_t first;
  int32_t every;

  // How many of the first `count`.
  constexpr int32_t Count(int32_t count) const { return count > first ? (count - first + every - 1) / every : 0; }
};
inline constexpr Pattern kPatterns[] = {{0, 2}, {1, 2}, {0, 4}, {1, 4}, {2, 4}, {3, 4}, {0, 1}};

inline constexpr ModeInfo kGatherAxisMode = {
    "gather_axis",
    "GATHER_AXIS",
    "gatherAxis",
    "gather_axis",
    "GatherAxis",
    "What a pattern selects.",
    {{"ROW", "Elements of each row."}, {"COL", "Whole rows: elements of each column."}},
    0,
    "GATHER_",
};

inline constexpr ModeInfo kScatterAxisMode = {
    "scatter_axis",
    "SCATTER_AXIS",
    "scatterAxis",
    "scatter_axis",
    "ScatterAxis",
    "What a pattern distributes.",
    {{"ROW", "Elements of each row."}, {"COL", "Whole rows: elements of each column."}},
    0,
    "SCATTER_",
};

inline constexpr ModeInfo kAtomicMode = {
    "atomic",
    "ATOMIC",
    "atomicType",
    "atomic_type",
    "AtomicType",
    "How elements are combined with elements of global memory.",
    {{"NONE", "They replace the elements."}, {"ADD", "They are added; each addition is atomic."}},
    0,
    "ATOMIC_",
    true,
};

inline constexpr int32_t kAtomicAdd = 1;  // the second value of kAtomicMode

inline constexpr ModeInfo kMergeEndMode = {
    "merge_end",
    "MERGE_END",
    "exhausted",
    "",
    "bool",
    "When a merge of lists ends.",
    {{"ALL", "When all lists are exhausted."}, {"FIRST", "When one list is exhausted."}},
};

inline constexpr ModeInfo kHistMode = {
    "hist",
    "HIST",
    "byte",
    "hist_byte",
    "HistByte",
    "The byte of each element to count; 0 is the lowest.",
    {{"BYTE_0", "The lowest."},
     {"BYTE_1", "The second."},
     {"BYTE_2", "The third."},
     {"BYTE_3", "The highest of four."}},
};

inline constexpr ModeInfo kRoundsMode = {
    "rounds",
    "ROUNDS",
    "rounds",
    "rounds",
    "uint16_t",
    "The number of rounds of a random generator.",
    {{"R10", "Ten."}, {"R7", "Seven."}},
};

inline constexpr ModeInfo kCoalesceMode = {
    "coalesce",
    "COALESCE",
    "coalesce",
    "coalesce",
    "Coalesce",
    "What an index of a table selects.",
    {{"ROW", "A row."}, {"ELEM", "An element, counted row by row."}},
    0,
    "",
    false,
    nullptr,
    0,
    true,
};

inline constexpr ModeInfo kGatherOobMode = {
    "gather_oob",
    "GATHER_OOB",
    "gatherOob",
    "gather_oob",
    "GatherOOB",
    "The result of an index that is out of range.",
    {{"UNDEFINED", "An error; nothing is written."},
     {"CLAMP", "The last one in the table."},
     {"WRAP", "The index modulo the size of the table."},
     {"ZERO", "Zeros."}},
    0,
    "",
    false,
    nullptr,
    0,
    true,
};

inline constexpr ModeInfo kScatterAtomicMode = {
    "scatter_atomic",
    "SCATTER_ATOMIC",
    "scatterAtomicOp",
    "scatter_atomic_op",
    "ScatterAtomicOp",
    "How elements are combined with elements of a table.",
    {{"NONE", "They replace the elements."},
     {"ADD", "They are added; each addition is atomic."},
     {"MAX", "The larger one stays; each update is atomic."},
     {"MIN", "The smaller one stays; each update is atomic."}},
    0,
    "",
    false,
    nullptr,
    0,
    true,
};

inline constexpr ModeInfo kScatterOobMode = {
    "scatter_oob",
    "SCATTER_OOB",
    "scatterOob",
    "scatter_oob",
    "ScatterOOB",
    "What happens to elements whose index is out of range.",
    {{"UNDEFINED", "An error; nothing is written."},
     {"SKIP", "Nowhere."},
     {"CLAMP", "They are written to the last one in the table."},
     {"WRAP", "They are written to the index modulo the size of the table."}},
    0,
    "",
    false,
    nullptr,
    0,
    true,
};

inline constexpr ModeInfo kScatterConflictMode = {
    "scatter_conflict",
    "SCATTER_CONFLICT",
    "scatterConflict",
    "scatter_conflict",
    "ScatterConflict",
    "The element that stays if several have the same index.",
    {{"LAST", "The last in row order."}, {"DEFAULT", "Any according to the ISA; here also the last in row order."}},
    1,
    "",
    false,
    nullptr,
    0,
    true,
};

inline constexpr ModeInfo kReluMode = {
    "relu",
    "RELU",
    "reluPreMode",
    "relu_pre_mode",
    "ReluPreMode",
    "How negative sums leave an accumulator.",
    {{"NO_RELU", "Unchanged."}, {"NORMAL_RELU", "As zero; a NaN stays NaN."}},
};

inline constexpr ModeInfo kAccToVecMode = {
    "acc_to_vec",
    "ACC_TO_VEC",
    "accToVecMode",
    "acc_to_vec_mode",
    "AccToVecMode",
    "The vector cores of hardware that receive sums; the values are the same.",
    {{"SINGLE_MODE_VEC0", "The first core."},
     {"SINGLE_MODE_VEC1", "The second core."},
     {"DUAL_MODE_SPLIT_M", "Both cores, half of the rows each."},
     {"DUAL_MODE_SPLIT_N", "Both cores, half of the columns each."}},
};

// Values of kAccToVecMode.
inline constexpr int32_t kAccToSecond = 1;
inline constexpr int32_t kAccSplitRows = 2;
inline constexpr int32_t kAccSplitCols = 3;

// The values of kMadMode, as wide as the numbers of a call: no wrong one becomes kNone.
enum class Mad : int32_t { kNone = 0, kHf32Rint = 1, kHf32Round = 2, kTf32Rint = 3, kTf32Round = 4 };
constexpr bool IsHf32(Mad mad) { return mad == Mad::kHf32Rint || mad == Mad::kHf32Round; }
constexpr bool RoundsAway(Mad mad) { return mad == Mad::kHf32Round || mad == Mad::kTf32Round; }
// Bits of the fraction of f32 that become zero.
constexpr int DroppedBits(Mad mad) { return mad == Mad::kNone ? 0 : IsHf32(mad) ? 12 : 13; }
inline constexpr ModeInfo kMadMode = {
    "mad",
    "MAD",
    "madMode",
    "mad_mode",
    "MadMode",
    "The precision to which a matrix product first rounds f32 factors; other types are not rounded.",
    {{"NONE", "No rounding."},
     {"HF32_RINT", "To 11 bits of the fraction; ties to even."},
     {"HF32_ROUND", "To 11 bits of the fraction; ties away from zero."},
     {"TF32_RINT", "To 10 bits of the fraction; ties to even."},
     {"TF32_ROUND", "To 10 bits of the fraction; ties away from zero."}},
    0,
    "",
    false,
    nullptr,
    0,
    false,
    "pto_detail::MadOfCore()",
};

inline constexpr ModeInfo kScaleAlgMode = {
    "scale_alg",
    "SCALE_ALG",
    "scaleAlg",
    "quant_scale_alg",
    "QuantScaleAlg",
    "How the exponent of a group is computed from its largest magnitude.",
    {{"OCP", "Its exponent minus the exponent of the largest number of the type."},
     {"NV", "The exponent of the smallest power of two that brings it into the range of the type."}},
};

// Every mode, in the order in which the header lists them.
inline constexpr const ModeInfo* kModes[] = {
    &kCmpMode,       &kRoundMode,         &kSaturationMode, &kOrderMode,           &kDirectionMode,
    &kTriangleMode,  &kInsertMode,        &kMaskMode,       &kGatherAxisMode,      &kScatterAxisMode,
    &kAtomicMode,    &kMergeEndMode,      &kHistMode,       &kRoundsMode,          &kCoalesceMode,
    &kGatherOobMode, &kScatterAtomicMode, &kScatterOobMode, &kScatterConflictMode, &kReluMode,
    &kAccToVecMode,  &kMadMode,           &kScaleAlgMode};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_MODE_H_
