// The modes that instructions take beside their operands: each an enum of the C header,
// printed from here. Values are stable, never reused.
#ifndef PTO_SRC_RECORDS_MODE_H_
#define PTO_SRC_RECORDS_MODE_H_

#include <cstdint>

namespace pto {

struct ModeValue {
  const char* name;  // as programs spell it, and behind the prefix in C
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
  const char* cpp_state = nullptr;  // in C++ no parameter, but what this says of the calling core

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
    {{"EQ", "Equal; the two zeros are."},
     {"NE", "Not equal; true when an operand is a NaN."},
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
    {{"NONE", "The default of the pair of types: TRUNC from floats to integers, else RINT."},
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
    "What a conversion does with values that the type does not have.",
    {{"ON", "The nearest value of the type; NaN becomes the integer 0."},
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
    "In which order a sum adds.",
    {{"SEQUENTIAL", "One after another."}, {"TREE", "Neighbours in pairs, then their sums likewise."}},
};

inline constexpr ModeInfo kDirectionMode = {
    "direction",
    "DIRECTION",
    "descending",
    "",
    "bool",
    "Which way numbers count.",
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
    "Which triangle is meant.",
    {{"LOWER", "That below the diagonal, with it."}, {"UPPER", "That above the diagonal, with it."}},
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
    "In how many transfers a tile is inserted.",
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
    "Which of four neighbours are meant; the last digit of a pattern is the first of them.",
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

// What a value of kMaskMode picks: one of every so many neighbours.
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
    "What a pattern picks.",
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
    "What a pattern spreads.",
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
    "What elements do to those of global memory.",
    {{"NONE", "They take their place."}, {"ADD", "They are added, each in a step that other threads see whole."}},
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
    {{"ALL", "When all lists have ended."}, {"FIRST", "When one list has ended."}},
};

inline constexpr ModeInfo kHistMode = {
    "hist",
    "HIST",
    "byte",
    "hist_byte",
    "HistByte",
    "Which byte of an element is counted; 0 is the lowest.",
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
    "How many rounds a random generator makes.",
    {{"R10", "Ten."}, {"R7", "Seven."}},
};

inline constexpr ModeInfo kCoalesceMode = {
    "coalesce",
    "COALESCE",
    "coalesce",
    "coalesce",
    "Coalesce",
    "What an index of a table names.",
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
    "What an index that a table does not have gives.",
    {{"UNDEFINED", "It is refused before anything is written."},
     {"CLAMP", "The last that the table has."},
     {"WRAP", "The index modulo as many as the table has."},
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
    "What elements do to those of a table.",
    {{"NONE", "They take their place."},
     {"ADD", "They are added, each in a step that other threads see whole."},
     {"MAX", "The larger stays, likewise."},
     {"MIN", "The smaller stays, likewise."}},
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
    "Where what has an index that a table does not have goes.",
    {{"UNDEFINED", "It is refused before anything is written."},
     {"SKIP", "Nowhere."},
     {"CLAMP", "To the last that the table has."},
     {"WRAP", "To the index modulo as many as the table has."}},
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
    "Which of several elements for one place stays.",
    {{"LAST", "The last in row order."}, {"DEFAULT", "Any, says the ISA; here the last in row order, too."}},
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
    "What becomes of negative sums on their way out of an accumulator.",
    {{"NO_RELU", "They stay."}, {"NORMAL_RELU", "They become zero; a NaN stays one."}},
};

inline constexpr ModeInfo kAccToVecMode = {
    "acc_to_vec",
    "ACC_TO_VEC",
    "accToVecMode",
    "acc_to_vec_mode",
    "AccToVecMode",
    "To which vector cores of hardware sums go; the result is the same.",
    {{"SINGLE_MODE_VEC0", "To the first."},
     {"SINGLE_MODE_VEC1", "To the second."},
     {"DUAL_MODE_SPLIT_M", "Half of the rows to each."},
     {"DUAL_MODE_SPLIT_N", "Half of the columns to each."}},
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
    "To how many bits a product of matrices of f32 rounds these first; others have no more bits.",
    {{"NONE", "To none."},
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
    "How the exponent of a group follows from its largest magnitude.",
    {{"OCP", "Its exponent less that of the largest number of the type."},
     {"NV", "That of the least power of two that brings it into the range of the type."}},
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
