// Records of what leaves an accumulator converted: rectified, scaled, narrowed.
#ifndef PTO_SRC_RECORDS_FIXPIPE_H_
#define PTO_SRC_RECORDS_FIXPIPE_H_

#include "src/records/op_info.h"

namespace pto {

// To which types sums are converted, by the type of the sums.
struct ConvertedTypes {
  ByProfile<DTypeSet> i32;
  ByProfile<DTypeSet> f32;

  // Beside the sums.
  constexpr TypeMap FromSums() const {
    TypeMap map;
    for (int p = 0; p < kProfileCount; ++p) {
      map.of[p][static_cast<int>(DType::kI32)] = i32[p];
      map.of[p][static_cast<int>(DType::kF32)] = f32[p];
    }
    return map;
  }
  // The types of the sums, beside the results.
  constexpr TypeMap ToResults() const {
    TypeMap map;
    for (int p = 0; p < kProfileCount; ++p) {
      for (int d = 0; d < kDTypeCount; ++d) {
        if ((i32[p] >> d & 1U) != 0) map.of[p][d] |= dtypes::kI32;
        if ((f32[p] >> d & 1U) != 0) map.of[p][d] |= dtypes::kF32;
      }
    }
    return map;
  }
  constexpr DTypeSet Results(int p) const { return i32[p] | f32[p]; }
};

namespace fixpipe {

inline constexpr DTypeSet kBytes = dtypes::kI8 | dtypes::kU8;
inline constexpr DTypeSet kHalves = dtypes::kF16 | dtypes::kBF16;
inline constexpr DTypeSet kScaled = kBytes | kHalves;
inline constexpr DTypeSet kSums = dtypes::kI32 | dtypes::kF32;

inline constexpr ConvertedTypes kPlain = {
    .i32 = {.cpu = dtypes::kI32, .a2a3 = dtypes::kI32, .a5 = dtypes::kI32},
    .f32 = {.cpu = dtypes::kFloats, .a2a3 = dtypes::kFloats, .a5 = dtypes::kFloats}};
// Between tiles and to tensors.
inline constexpr ConvertedTypes kMoved = {
    .i32 = {.cpu = kScaled | dtypes::kI16, .a2a3 = kBytes | dtypes::kF16 | dtypes::kI16, .a5 = kScaled},
    .f32 = {.cpu = kScaled | dtypes::kF32, .a2a3 = dtypes::kI8, .a5 = kScaled}};
inline constexpr ConvertedTypes kStored = {
    .i32 = {.cpu = kScaled | dtypes::kI16, .a2a3 = kBytes | dtypes::kF16, .a5 = kScaled},
    .f32 = {.cpu = kScaled | dtypes::kF32, .a2a3 = kBytes, .a5 = kScaled | dtypes::kF32}};

inline constexpr TypeMap kPlainFrom = kPlain.FromSums(), kPlainTo = kPlain.ToResults();
inline constexpr TypeMap kMovedFrom = kMoved.FromSums(), kMovedTo = kMoved.ToResults();
inline constexpr TypeMap kStoredFrom = kStored.FromSums();
inline constexpr TypeMap kWord = TypeMap::Any(dtypes::kU64);
inline constexpr TypeMap kWords = TypeMap::Any(dtypes::kI64 | dtypes::kU64);

// The destination of the converted elements.
enum class Way : uint8_t { kMove, kExtract, kInsert, kStore };
// By what it is scaled: nothing, one word, a word for each column.
enum class Scale : uint8_t { kNone, kOne, kColumns };

inline constexpr char kWordText[] =
    "A quantisation word has the scale in bits 31..0 (an f32), the shift minus 1 in bits 35..32, a signed offset in "
    "bits 45..37, and the signedness of bytes in bit 46. To bytes: src * scale is rounded to an integer, ties to "
    "even, and clamped to -256..255; NaN gives 0. Then the offset is added, and the sum is clamped to -128..127 or "
    "0..255. Bit 46 decides which, for both i8 and u8. To f16 and bf16: src * scale, rounded once and limited to the "
    "largest finite number. To f32: without that limit. A NaN becomes canonical. To i16: src is shifted right with "
    "its sign and clamped. Relu first replaces negative elements with zero; a NaN stays NaN.";
inline constexpr char kWordsText[] =
    "A quantisation word has the scale in bits 31..13 (an f32 whose lower bits are 0), the shift minus 1 in bits "
    "35..32, a signed offset in bits 45..37, and the signedness of bytes in bit 46. To bytes: src * scale is rounded "
    "to an integer, ties to even, and clamped to -256..255; NaN gives 0. Then the offset is added, and the sum is "
    "clamped to -128..127 or 0..255. Bit 46 decides which, for both i8 and u8. To f16 and bf16: src * scale, rounded "
    "once and limited to the largest finite number. To f32: without that limit. A NaN becomes canonical. To i16: src "
    "is shifted right with its sign and clamped. Relu first replaces negative elements with zero; a NaN stays NaN.";
inline constexpr char kPlainText[] =
    "f32 to f16 and bf16: rounded to nearest, ties to even. Overflow becomes infinity; a NaN becomes canonical. After "
    "pto_context_saturate(), overflow and infinity become the largest finite number with their sign, and NaN becomes "
    "0. Relu first replaces negative elements and -0 with +0; a NaN stays NaN. Without a conversion, other elements "
    "keep their bits.";

constexpr const char* FormulaOf(Way way, Scale scale) {
  constexpr const char* kFormulas[4][3] = {
      {"dst[i,j] = convert(relu(src[i,j]))", "dst[i,j] = quantise(relu(src[i,j]), pre_quant_scalar)",
       "dst[i,j] = quantise(relu(src[i,j]), fp[0,j])"},
      {"dst[i,j] = convert(relu(src[index_row + i, index_col + j]))",
       "dst[i,j] = quantise(relu(src[index_row + i, index_col + j]), pre_quant_scalar)",
       "dst[i,j] = quantise(relu(src[index_row + i, index_col + j]), fp[0, index_col + j])"},
      {"dst[index_row + i, index_col + j] = convert(relu(src[i,j]))",
       "dst[index_row + i, index_col + j] = quantise(relu(src[i,j]), pre_quant_scalar)",
       "dst[index_row + i, index_col + j] = quantise(relu(src[i,j]), fp[0,j])"},
      {"dst[i,j] = convert(relu(src[i,j])), where dst is seen as a matrix; or that is added",
       "dst[i,j] = quantise(relu(src[i,j]), pre_quant_scalar), where dst is seen as a matrix; or that is added",
       "dst[i,j] = quantise(relu(src[i,j]), fp[0,j]), where dst is seen as a matrix; or that is added"}};
  return kFormulas[static_cast<int>(way)][static_cast<int>(scale)];
}

constexpr const char* TemplateOf(Way way, Scale scale) {
  constexpr const char* kTemplates[4][3] = {
      {"dst src relu | phase dst src relu | dst src acc_to_vec relu= | phase dst src acc_to_vec relu=",
       "dst src relu= | phase dst src relu= | dst src acc_to_vec relu= | phase dst src acc_to_vec relu=",
       // In parentheses: clang would report two adjacent strings in a list as a missing comma.
       ("TMOV_FP: dst src fp relu= | TMOV_FP: phase dst src fp relu= | TMOV: dst src fp acc_to_vec relu= | "
        "TMOV: phase dst src fp acc_to_vec relu=")},
      {"dst src relu | dst src acc_to_vec relu=", "dst src relu= | dst src acc_to_vec relu=",
       "TEXTRACT_FP: dst src fp relu= | TEXTRACT: dst src fp acc_to_vec relu="},
      {"dst src relu | dst src acc_to_vec relu=", "dst src relu= | dst src acc_to_vec relu=",
       "TINSERT_FP: dst src fp relu= | TINSERT: dst src fp acc_to_vec relu="},
      {"src dst atomic relu | phase src dst atomic relu", "src dst atomic= relu= | phase src dst atomic= relu=",
       "TSTORE_FP: src dst fp atomic= relu= | TSTORE_FP: phase src dst fp atomic= relu="}};
  return kTemplates[static_cast<int>(way)][static_cast<int>(scale)];
}

// The operands of a form, in their order.
constexpr Operand OperandOf(Way way, Scale scale, int at) {
  const bool store = way == Way::kStore;
  const bool insert = way == Way::kInsert;
  const bool window = way == Way::kExtract || insert;
  // The sums lead where dst has another region, or none.
  const bool sums_lead = store || insert;
  const TypeMap* results = store ? (scale == Scale::kNone ? &kPlainFrom : &kStoredFrom)
                                 : (scale == Scale::kNone ? &kPlainFrom : &kMovedFrom);
  const TypeMap* sums = sums_lead ? &kAsLead : scale == Scale::kNone ? &kPlainTo : &kMovedTo;
  Operand dst = store    ? TensorOut("dst", "receives the results, or is added to: a tensor, or a window of one")
                : insert ? Operand{"dst", Role::kInOut, "has the window", Extent::kWindow}
                         : Out("dst", "receives the results");
  if (sums_lead) dst.types = results;
  const Operand all[] = {dst,
                         In("src", way == Way::kExtract ? Extent::kWindow : Extent::kSame, "the sums", sums),
                         In("fp", Extent::kRow, "a word for each column of src", &kWords),
                         ScalarIn("pre_quant_scalar", "the word for all columns", &kWord),
                         Int("index_row", "the first row of the window"),
                         Int("index_col", "the first column of the window"),
                         Mode("atomic", &kAtomicMode, "whether results are added"),
                         Mode("relu", &kReluMode, "what becomes of negative sums"),
                         Mode("acc_to_vec", &kAccToVecMode, "where hardware has the vector memory that dst is in"),
                         Flags()};
  const bool has[] = {true,   true, scale == Scale::kColumns, scale == Scale::kOne, window, window, store, true,
                      !store, true};
  for (int i = 0; i < 10; ++i) {
    if (has[i] && at-- == 0) return all[i];
  }
  return Operand();
}

constexpr OpInfo Record(int32_t id, const char* name, const char* mnemonic, const char* brief, Way way, Scale scale,
                        const char* source) {
  const bool store = way == Way::kStore;
  const bool insert = way == Way::kInsert;
  const bool plain = scale == Scale::kNone;
  const ConvertedTypes& types = plain ? kPlain : store ? kStored : kMoved;
  const bool sums_lead = store || insert;
  constexpr const char* kOthers[] = {
      "Hardware saturates by bit 48 of its control register. The common simulator does not split.",
      ("The common simulator adds an offset without sign before it rounds, rectifies the result, and lets infinities "
       "pass; its TMOV ignores the word."),
      ("The common simulator adds an offset without sign before it rounds, and rectifies the result. The common "
       "simulator stores by the word of the row; pto-spec allows no subnormal, infinite or NaN scale.")};
  return OpInfo{
      .id = id,
      .name = name,
      .mnemonic = mnemonic,
      .own_mnemonic = scale == Scale::kColumns,
      .brief = brief,
      .formula = FormulaOf(way, scale),
      .operands = {OperandOf(way, scale, 0), OperandOf(way, scale, 1), OperandOf(way, scale, 2),
                   OperandOf(way, scale, 3), OperandOf(way, scale, 4), OperandOf(way, scale, 5),
                   OperandOf(way, scale, 6), OperandOf(way, scale, 7), OperandOf(way, scale, 8)},
      .cpp_template = TemplateOf(way, scale),
      .lead = sums_lead ? 1 : 0,
      .walk = store ? Walk::kStore : Walk::kMove,
      .lane = store ? Lane::kAdd : Lane::kCopy,
      .dtypes = {.cpu = sums_lead ? kSums : types.Results(0),
                 .a2a3 = sums_lead ? kSums : types.Results(1),
                 .a5 = sums_lead ? kSums : types.Results(2)},
      .in_vec = profiles::kNone,
      .row_major = profiles::kNone,
      .rules = {store ? RuleUse{Rule::kOperandDType} : RuleUse{Rule::kLocationMove, profiles::kHardware},
                store && scale == Scale::kOne ? RuleUse{Rule::kScalarRange} : RuleUse{},
                store && scale == Scale::kColumns ? RuleUse{Rule::kColsCovered} : RuleUse{},
                {Rule::kLocationAcc, profiles::kHardware},
                store ? RuleUse{Rule::kTransferCovers} : RuleUse{Rule::kAccToVec, profiles::kHardware},
                store ? RuleUse{Rule::kTensorOverlap} : RuleUse{},
                store ? RuleUse{Rule::kTransferLayout, profiles::kHardware} : RuleUse{},
                way == Way::kExtract && scale == Scale::kColumns ? RuleUse{Rule::kWordsCovered} : RuleUse{}},
      .sources = {{store ? Rule::kTransferCovers : Rule::kLocationMove, profiles::kHardware, sources::kDocument},
                  {store ? Rule::kTransferCovers : Rule::kNull, profiles::kCpu, sources::kLibrary},
                  {store ? Rule::kTransferLayout : Rule::kNull, profiles::kHardware, sources::kImplementation}},
      .shapes = store ? "As for TSTORE." : "",
      .outside =
          store ? "Only the window of dst is written. With an empty valid region the call succeeds and does nothing. "
                  "If strides give two elements of the window the same position, both are added, in row order. "
                  "Without addition such strides are an error."
          : way == Way::kMove && plain
              ? "Nothing outside the valid region of dst is written. If it is empty, the call succeeds and does "
                "nothing. With a split, dst has half of the valid rows or columns of src and receives the half of "
                "vector core 0; only programs have vector cores. CPU: a dst as large as src receives all."
          : insert ? "Only the window of dst is written. With an empty src the call succeeds and does nothing."
                   : "Nothing outside the valid region of dst is written. If it is empty, the call succeeds and "
                     "does nothing.",
      .specials = plain                  ? kPlainText
                  : scale == Scale::kOne ? kWordText
                                         : kWordsText,
      .accuracy = plain ? "One rounding." : "One rounding of the exact product; offset, shift and clamps are exact.",
      .aliasing = "dst may overlap the sources in any way: the result is as if all sources were read first.",
      .others = kOthers[static_cast<int>(scale)],
      .family = store ? Family::kMemory : Family::kRearrange,
      .source = source,
  };
}

}  // namespace fixpipe

inline constexpr OpInfo kTMovAcc =
    fixpipe::Record(340, "tmov_acc", "tmov", "Copies sums, optionally rectified and converted.", fixpipe::Way::kMove,
                    fixpipe::Scale::kNone, "TMOV with ReluPreMode, AccToVecMode");
inline constexpr OpInfo kTMovQuant =
    fixpipe::Record(341, "tmov_quant", "tmov", "Copies sums, quantised by one word.", fixpipe::Way::kMove,
                    fixpipe::Scale::kOne, "TMOV with preQuantScalar");
inline constexpr OpInfo kTMovFp =
    fixpipe::Record(342, "tmov_fp", "tmov", "Copies sums, quantised by one word per column.", fixpipe::Way::kMove,
                    fixpipe::Scale::kColumns, "TMOV_FP");
inline constexpr OpInfo kTExtractAcc =
    fixpipe::Record(343, "textract_acc", "textract", "Copies a window of sums, optionally rectified and converted.",
                    fixpipe::Way::kExtract, fixpipe::Scale::kNone, "TEXTRACT with ReluPreMode, AccToVecMode");
inline constexpr OpInfo kTExtractQuant =
    fixpipe::Record(344, "textract_quant", "textract", "Copies a window of sums, quantised by one word.",
                    fixpipe::Way::kExtract, fixpipe::Scale::kOne, "TEXTRACT with preQuantScalar");
inline constexpr OpInfo kTExtractFp =
    fixpipe::Record(345, "textract_fp", "textract", "Copies a window of sums, quantised by one word per column.",
                    fixpipe::Way::kExtract, fixpipe::Scale::kColumns, "TEXTRACT_FP");
inline constexpr OpInfo kTInsertAcc =
    fixpipe::Record(346, "tinsert_acc", "tinsert", "Writes sums into a window, optionally rectified and converted.",
                    fixpipe::Way::kInsert, fixpipe::Scale::kNone, "TINSERT with ReluPreMode, AccToVecMode");
inline constexpr OpInfo kTInsertQuant =
    fixpipe::Record(347, "tinsert_quant", "tinsert", "Writes sums into a window, quantised by one word.",
                    fixpipe::Way::kInsert, fixpipe::Scale::kOne, "TINSERT with preQuantScalar");
inline constexpr OpInfo kTInsertFp =
    fixpipe::Record(348, "tinsert_fp", "tinsert", "Writes sums into a window, quantised by one word per column.",
                    fixpipe::Way::kInsert, fixpipe::Scale::kColumns, "TINSERT_FP");
inline constexpr OpInfo kTStoreAcc =
    fixpipe::Record(349, "tstore_acc", "tstore", "Copies sums into a tensor, optionally rectified, converted or added.",
                    fixpipe::Way::kStore, fixpipe::Scale::kNone, "TSTORE with ReluPreMode");
inline constexpr OpInfo kTStoreQuant =
    fixpipe::Record(350, "tstore_quant", "tstore", "Copies sums into a tensor, quantised by one word.",
                    fixpipe::Way::kStore, fixpipe::Scale::kOne, "TSTORE with preQuantScalar");
inline constexpr OpInfo kTStoreFp =
    fixpipe::Record(351, "tstore_fp", "tstore", "Copies sums into a tensor, quantised by one word per column.",
                    fixpipe::Way::kStore, fixpipe::Scale::kColumns, "TSTORE_FP");

}  // namespace pto

#endif  // PTO_SRC_RECORDS_FIXPIPE_H_
