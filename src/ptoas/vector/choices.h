// Words with a fixed meaning: modes of operations, with their older spellings.
#ifndef PTO_SRC_PTOAS_VECTOR_CHOICES_H_
#define PTO_SRC_PTOAS_VECTOR_CHOICES_H_

#include "src/ptoas/vector/op.h"

namespace pto::ptoas::vec {

enum class Cmp : int32_t { kEq, kNe, kLt, kLe, kGt, kGe };
inline constexpr ChoiceValue kCmpValues[] = {{"eq", 0}, {"ne", 1}, {"lt", 2}, {"le", 3}, {"gt", 4}, {"ge", 5}};
inline constexpr Choice kCmp = {"cmp_mode", kCmpValues, {}};

// Codes are values of pto_round.
inline constexpr int32_t kOdd = 6;
inline constexpr ChoiceValue kRoundValues[] = {{"R", 1},       {"A", 2},       {"F", 3},       {"C", 4},
                                               {"Z", 5},       {"O", 6},       {"ROUND_R", 1}, {"ROUND_A", 2},
                                               {"ROUND_F", 3}, {"ROUND_C", 4}, {"ROUND_Z", 5}, {"ROUND_O", 6}};
inline constexpr Choice kRnd = {"rnd", kRoundValues, "round_mode"};
inline constexpr ChoiceValue kWholeValues[] = {{"R", 1},       {"A", 2},       {"F", 3},       {"C", 4},
                                               {"Z", 5},       {"ROUND_R", 1}, {"ROUND_A", 2}, {"ROUND_F", 3},
                                               {"ROUND_C", 4}, {"ROUND_Z", 5}};
inline constexpr Choice kWhole = {"round_mode", kWholeValues, "rnd"};
inline constexpr ChoiceValue kSatValues[] = {{"SAT", 1}, {"NOSAT", 0}, {"RS_ENABLE", 1}, {"RS_DISABLE", 0}};
inline constexpr Choice kSat = {"sat", kSatValues, {}};
inline constexpr ChoiceValue kPartValues[] = {{"EVEN", 0},     {"ODD", 1},      {"P0", 16},       {"P1", 17},
                                              {"P2", 18},      {"P3", 19},      {"PART_EVEN", 0}, {"PART_ODD", 1},
                                              {"PART_P0", 16}, {"PART_P1", 17}, {"PART_P2", 18},  {"PART_P3", 19}};
inline constexpr int32_t kQuarter = 16;  // P0 and up
inline constexpr Choice kPart = {"part", kPartValues, {}};
inline constexpr ChoiceValue kParityValues[] = {{"EVEN", 0}, {"ODD", 1}, {"PART_EVEN", 0}, {"PART_ODD", 1}};
inline constexpr Choice kParity = {"part", kParityValues, {}};
inline constexpr ChoiceValue kHalfValues[] = {{"LOWER", 0}, {"HIGHER", 1}};
inline constexpr Choice kHalf = {"part", kHalfValues, {}};
inline constexpr ChoiceValue kPositionValues[] = {{"LOWEST", 0}, {"HIGHEST", 1}, {"POS_LOWEST", 0}, {"POS_HIGHEST", 1}};
inline constexpr Choice kPosition = {"position", kPositionValues, {}};
inline constexpr ChoiceValue kOrderValues[] = {{"ASC", 0}, {"DESC", 1}, {"INC_ORDER", 0}, {"DEC_ORDER", 1}};
inline constexpr Choice kOrder = {"order", kOrderValues, {}};

// Negative codes: minus the number of active lanes.
enum : int32_t { kPatAll = 0, kPatNone, kPatHalf, kPatQuarter, kPatM3, kPatM4 };
inline constexpr ChoiceValue kPatternValues[] = {
    {"PAT_ALL", kPatAll}, {"PAT_ALLF", kPatNone}, {"PAT_H", kPatHalf}, {"PAT_Q", kPatQuarter}, {"PAT_M3", kPatM3},
    {"PAT_M4", kPatM4},   {"PAT_VL1", -1},        {"PAT_VL2", -2},     {"PAT_VL3", -3},        {"PAT_VL4", -4},
    {"PAT_VL8", -8},      {"PAT_VL16", -16},      {"PAT_VL32", -32},   {"PAT_VL64", -64},      {"PAT_VL128", -128}};
inline constexpr Choice kPattern = {"pattern", kPatternValues, {}};

inline constexpr ChoiceValue kRegisterValues[] = {{"AR", 0}};
inline constexpr Choice kSpecial = {"spr", kRegisterValues, {}};

// ---- distributions: what * 16 + the bytes of an element of memory; 0 bytes: the width of T
// ---------------------------
enum class Dist : int32_t {
  kNorm,
  kBrc,
  kBlock,
  kUs,
  kDs,
  kUnpack,
  kUnpack4,
  kSpread,
  kOne,
  kPack,
  kPack4,
  kPair,
  kBlocks,
  kBits,
  kRefused
};
constexpr int32_t DistCode(Dist what, int bytes) { return static_cast<int32_t>(what) * 16 + bytes; }
constexpr Dist DistOf(int32_t code) { return static_cast<Dist>(code / 16); }
constexpr int DistBytes(int32_t code) { return code % 16; }
// Bytes of memory that a load reads.
constexpr int64_t LoadBytes(Dist dist, int width) {
  switch (dist) {
    case Dist::kBrc:
      return width;
    case Dist::kBlock:
      return 32;
    case Dist::kUs:
    case Dist::kUnpack:
      return 128;
    case Dist::kDs:
      return 512;
    case Dist::kUnpack4:
      return 64;
    case Dist::kSpread:
      return 8 * width;
    default:
      return kRegisterBytes;
  }
}

// What the address of a load, store or copy in UB is a multiple of under A5.
constexpr int64_t UbAlignment(Dist dist, int width) {
  return dist == Dist::kBrc || dist == Dist::kOne ? width : dist == Dist::kSpread ? 8 * width : 32;
}

inline constexpr ChoiceValue kLoadValues[] = {{"NORM", DistCode(Dist::kNorm, 0)},
                                              {"BRC_B8", DistCode(Dist::kBrc, 1)},
                                              {"BRC_B16", DistCode(Dist::kBrc, 2)},
                                              {"BRC_B32", DistCode(Dist::kBrc, 4)},
                                              {"BRC", DistCode(Dist::kBrc, 0)},
                                              {"BRC_BLK", DistCode(Dist::kBlock, 0)},
                                              {"BLK", DistCode(Dist::kBlock, 0)},
                                              {"US_B8", DistCode(Dist::kUs, 1)},
                                              {"US_B16", DistCode(Dist::kUs, 2)},
                                              {"US", DistCode(Dist::kUs, 0)},
                                              {"DS_B8", DistCode(Dist::kDs, 1)},
                                              {"DS_B16", DistCode(Dist::kDs, 2)},
                                              {"DS", DistCode(Dist::kDs, 0)},
                                              {"UNPK_B8", DistCode(Dist::kUnpack, 1)},
                                              {"UNPK_B16", DistCode(Dist::kUnpack, 2)},
                                              {"UNPK_B32", DistCode(Dist::kUnpack, 4)},
                                              {"UNPK4", DistCode(Dist::kUnpack4, 1)},
                                              {"UNPK4_B8", DistCode(Dist::kUnpack4, 1)},
                                              {"E2B_B16", DistCode(Dist::kSpread, 2)},
                                              {"E2B_B32", DistCode(Dist::kSpread, 4)},
                                              {"SPLT4CHN", DistCode(Dist::kRefused, 1)},
                                              {"SPLT4CHN_B8", DistCode(Dist::kRefused, 1)},
                                              {"SPLT2CHN_B8", DistCode(Dist::kRefused, 1)},
                                              {"SPLT2CHN_B16", DistCode(Dist::kRefused, 2)}};
inline constexpr Choice kLoadDist = {"dist", kLoadValues, {}};
inline constexpr ChoiceValue kStoreValues[] = {
    {"NORM", DistCode(Dist::kNorm, 0)},          {"NORM_B8", DistCode(Dist::kNorm, 1)},
    {"NORM_B16", DistCode(Dist::kNorm, 2)},      {"NORM_B32", DistCode(Dist::kNorm, 4)},
    {"1PT_B8", DistCode(Dist::kOne, 1)},         {"1PT_B16", DistCode(Dist::kOne, 2)},
    {"1PT_B32", DistCode(Dist::kOne, 4)},        {"ONEPT_B8", DistCode(Dist::kOne, 1)},
    {"ONEPT_B16", DistCode(Dist::kOne, 2)},      {"ONEPT_B32", DistCode(Dist::kOne, 4)},
    {"PK_B16", DistCode(Dist::kPack, 2)},        {"PK_B32", DistCode(Dist::kPack, 4)},
    {"PK_B64", DistCode(Dist::kPack, 8)},        {"PK4_B32", DistCode(Dist::kPack4, 4)},
    {"MRG4CHN_B8", DistCode(Dist::kRefused, 1)}, {"MRG2CHN_B8", DistCode(Dist::kRefused, 1)},
    {"MRG2CHN_B16", DistCode(Dist::kRefused, 2)}};
inline constexpr Choice kStoreDist = {"dist", kStoreValues, {}};
inline constexpr ChoiceValue kSplitValues[] = {{"DINTLV_B8", DistCode(Dist::kPair, 1)},
                                               {"DINTLV_B16", DistCode(Dist::kPair, 2)},
                                               {"DINTLV_B32", DistCode(Dist::kPair, 4)},
                                               {"DINTLV", DistCode(Dist::kPair, 0)},
                                               {"BDINTLV", DistCode(Dist::kBlocks, 0)}};
inline constexpr Choice kSplit = {"dist", kSplitValues, {}};
inline constexpr ChoiceValue kJoinValues[] = {{"INTLV_B8", DistCode(Dist::kPair, 1)},
                                              {"INTLV_B16", DistCode(Dist::kPair, 2)},
                                              {"INTLV_B32", DistCode(Dist::kPair, 4)},
                                              {"INTLV", DistCode(Dist::kPair, 0)}};
inline constexpr Choice kJoin = {"dist", kJoinValues, {}};
inline constexpr ChoiceValue kMaskLoadValues[] = {{"NORM", 0}, {"US", 1}, {"DS", 2}};
inline constexpr Choice kMaskLoad = {"dist", kMaskLoadValues, {}};
inline constexpr ChoiceValue kMaskStoreValues[] = {{"NORM", 0}, {"PK", 1}};
inline constexpr Choice kMaskStore = {"dist", kMaskStoreValues, {}};
inline constexpr ChoiceValue kStreamValues[] = {{"POST_UPDATE", 1}, {"NO_POST_UPDATE", 0}};
inline constexpr Choice kStream = {"mode", kStreamValues, {}};

inline constexpr ChoiceValue kTransposeValues[] = {{"false", 0}, {"true", 1}};
inline constexpr Choice kTranspose = {"transpose", kTransposeValues, {}};

inline constexpr ChoiceValue kBarValues[] = {{"VV_ALL", 0},  {"VST_VLD", 1}, {"VLD_VST", 2}, {"VST_VST", 3},
                                             {"VS_ALL", 4},  {"VST_LD", 5},  {"VLD_ST", 6},  {"VST_ST", 7},
                                             {"SV_ALL", 8},  {"ST_VLD", 9},  {"LD_VST", 10}, {"ST_VST", 11},
                                             {"SS_ALL", 12}, {"ST_LD", 13},  {"LD_ST", 14},  {"ST_ST", 15}};
inline constexpr Choice kBar = {"kind", kBarValues, {}};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_CHOICES_H_
