// Who says that a call breaks a rule. Every page in docs/ops names it for each rule and profile: what the
// instruction's record says, and where it says nothing the usual source of the rule.
#ifndef PTO_SRC_OPS_SOURCE_H_
#define PTO_SRC_OPS_SOURCE_H_

#include "src/ops/profile.h"
#include "src/ops/rule.h"

namespace pto {

// A set of sources, one bit each.
using SourceSet = uint8_t;
namespace sources {
inline constexpr SourceSet kDocument = 1;
inline constexpr SourceSet kModel = 2;
inline constexpr SourceSet kImplementation = 4;
inline constexpr SourceSet kDialect = 8;
inline constexpr SourceSet kLibrary = 16;
}  // namespace sources

struct SourceInfo {
  const char* name;
  const char* meaning;
};
inline constexpr SourceInfo kSources[] = {
    {"document", "the instruction's own document states it for the profile, or for all"},
    {"tile model", "the ISA's general part: which memory a unit of the hardware sees, what a tile is"},
    {"implementation", "the implementation for the profile asserts it, or computes something else without it"},
    {"PTO-AS", "the assembly dialect's verifier refuses it"},
    {"libpto", "libpto alone: without it a call would have no meaning, or reach where no operand holds data"},
};

// What a record says of a rule.
struct SourceUse {
  Rule rule = Rule::kNull;
  ProfileSet profiles = 0;
  SourceSet sources = 0;
};

// Where a record says nothing. 0: each record has to say it.
constexpr SourceSet UsualSources(Rule rule, Profile profile) {
  const bool cpu = profile == Profile::kCpu;
  switch (rule) {
    case Rule::kLocationVec:
    case Rule::kMatrixLayout:
      return sources::kModel;
    case Rule::kLocationAcc:
    case Rule::kAccToVec:
      return sources::kDocument;
    case Rule::kLocationLeft:
    case Rule::kImageLayout:
      return sources::kImplementation;
    case Rule::kLocationMatrix:
      return sources::kModel | sources::kImplementation;
    case Rule::kScalarRange:
    case Rule::kMode:
    case Rule::kValidCovers:
    case Rule::kIndexRange:
    case Rule::kTableRange:
    case Rule::kImageRange:
    case Rule::kTensorOverlap:
      return sources::kLibrary;
    case Rule::kRowMajor:
    case Rule::kSameDType:
    case Rule::kOperandDType:
    case Rule::kPrecisionFloat:
    case Rule::kValidEqual:
    case Rule::kColVector:
    case Rule::kRowVector:
    case Rule::kColsCovered:
    case Rule::kRowsCovered:
    case Rule::kRepeatValid:
    case Rule::kBitsCovered:
    case Rule::kRowResults:
    case Rule::kColResults:
    case Rule::kFirstElement:
    case Rule::kPartialValid:
    case Rule::kPairValid:
    case Rule::kBlocksCovered:
    case Rule::kFullRows:
    case Rule::kPickRoom:
    case Rule::kSpreadSource:
    case Rule::kRecordsCovered:
    case Rule::kIndexRows:
    case Rule::kBlockLength:
    case Rule::kOneList:
    case Rule::kListRows:
    case Rule::kListLength:
    case Rule::kHistByte:
    case Rule::kBinsCovered:
    case Rule::kFilterCovered:
    case Rule::kTableIndex:
    case Rule::kTableCovers:
    case Rule::kTableLayout:
    case Rule::kAtomicDType:
    case Rule::kFindMode:
    case Rule::kWordsCovered:
    case Rule::kTmpRequired:
    case Rule::kTmpLayout:
    case Rule::kTmpValidEqual:
    case Rule::kTmpCols:
    case Rule::kTmpSpareRow:
    case Rule::kTmpTransposed:
    case Rule::kTmpApart:
    case Rule::kNoOverlap:
    case Rule::kDstApart:
    case Rule::kTransposedValid:
    case Rule::kWindowRange:
    case Rule::kWindowPlace:
    case Rule::kJoinedValid:
    case Rule::kPadShape:
    case Rule::kDoubleCols:
    case Rule::kMatrixValid:
    case Rule::kMatrixSize:
    case Rule::kOneRow:
    case Rule::kMadMode:
    case Rule::kScaleValid:
    case Rule::kScalePairs:
    case Rule::kGroupsCovered:
    case Rule::kTablePlace:
    case Rule::kVectorEqual:
      return cpu ? sources::kLibrary : sources::kImplementation;
    default:
      return 0;
  }
}

}  // namespace pto

#endif  // PTO_SRC_OPS_SOURCE_H_
