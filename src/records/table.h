// The op table: every instruction, in the order of mnemonics. Adding one is a
// record in a family header and a line here.
#ifndef PTO_SRC_RECORDS_TABLE_H_
#define PTO_SRC_RECORDS_TABLE_H_

#include <span>
#include <string_view>

#include "src/records/compare.h"
#include "src/records/convert.h"
#include "src/records/elementwise.h"
#include "src/records/expand.h"
#include "src/records/fill.h"
#include "src/records/fixpipe.h"
#include "src/records/gather_memory.h"
#include "src/records/image.h"
#include "src/records/irregular.h"
#include "src/records/matrix.h"
#include "src/records/move.h"
#include "src/records/op_info.h"
#include "src/records/partial.h"
#include "src/records/quantise.h"
#include "src/records/reduce.h"
#include "src/records/scalar.h"
#include "src/records/sort.h"
#include "src/records/tile_moves.h"

namespace pto {

inline constexpr const OpInfo* kOps[] = {
    &kMGather,
    &kMScatter,
    &kTAbs,
    &kTAdd,
    &kTAddC,
    &kTAddDeqRelu,
    &kTAddReluConv,
    &kTAddS,
    &kTAddSC,
    &kTAnd,
    &kTAndS,
    &kTAxpy,
    &kTCi,
    &kTCmp,
    &kTCmpS,
    &kTCmpSTile,
    &kTColArgmax,
    &kTColArgmaxValue,
    &kTColArgmin,
    &kTColArgminValue,
    &kTColExpand,
    &kTColExpandAdd,
    &kTColExpandDiv,
    &kTColExpandExpdif,
    &kTColExpandMax,
    &kTColExpandMin,
    &kTColExpandMul,
    &kTColExpandSub,
    &kTColMax,
    &kTColMin,
    &kTColProd,
    &kTColSum,
    &kTColSumOrder,
    &kTConcat,
    &kTConcatCounts,
    &kTConcatCountsOut,
    &kTCvt,
    &kTDeinterleave,
    &kTDeinterleaveOne,
    &kTDequant,
    &kTDiv,
    &kTDivS,
    &kTDivSScalar,
    &kTExp,
    &kTExpandS,
    &kTExtract,
    &kTExtractAcc,
    &kTExtractFp,
    &kTExtractQuant,
    &kTExtractTwo,
    &kTFillPad,
    &kTFillPadExpand,
    &kTFillPadInplace,
    &kTFmod,
    &kTFmodS,
    &kTFusedMulAdd,
    &kTFusedMulAddRelu,
    &kTGather,
    &kTGatherCmp,
    &kTGatherMask,
    &kTGatherB,
    &kTGemv,
    &kTGemvAcc,
    &kTGemvBias,
    &kTGemvMx,
    &kTGemvMxAcc,
    &kTGemvMxBias,
    &kTHistogram,
    &kTImg2Col,
    &kTInsert,
    &kTInsertAcc,
    &kTInsertFp,
    &kTInsertQuant,
    &kTInsertSplit,
    &kTInterleave,
    &kTLoad,
    &kTLog,
    &kTLRelu,
    &kTMatMul,
    &kTMatMulAcc,
    &kTMatMulBias,
    &kTMatMulMx,
    &kTMatMulMxAcc,
    &kTMatMulMxBias,
    &kTMax,
    &kTMaxS,
    &kTMin,
    &kTMinS,
    &kTMov,
    &kTMovAcc,
    &kTMovFp,
    &kTMovQuant,
    &kTMrgSort,
    &kTMrgSortFour,
    &kTMrgSortThree,
    &kTMrgSortTwo,
    &kTMul,
    &kTMulAddDst,
    &kTMulS,
    &kTNeg,
    &kTNot,
    &kTOr,
    &kTOrS,
    &kTPack,
    &kTPairReduceSum,
    &kTPartAdd,
    &kTPartArgmax,
    &kTPartArgmin,
    &kTPartMax,
    &kTPartMin,
    &kTPartMul,
    &kTPow,
    &kTPowS,
    &kTPrefetch,
    &kTPrelu,
    &kTQuant,
    &kTQuantAsym,
    &kTQuantDn,
    &kTQuantMx,
    &kTRandom,
    &kTRecip,
    &kTRelu,
    &kTRem,
    &kTRemS,
    &kTRowArgmax,
    &kTRowArgmaxValue,
    &kTRowArgmin,
    &kTRowArgminValue,
    &kTRowExpand,
    &kTRowExpandAdd,
    &kTRowExpandDiv,
    &kTRowExpandExpdif,
    &kTRowExpandMax,
    &kTRowExpandMin,
    &kTRowExpandMul,
    &kTRowExpandSub,
    &kTRowMax,
    &kTRowMin,
    &kTRowProd,
    &kTRowSum,
    &kTRsqrt,
    &kTScatter,
    &kTScatterMask,
    &kTSel,
    &kTSelS,
    &kTShl,
    &kTShlS,
    &kTShr,
    &kTShrS,
    &kTSort32,
    &kTSqrt,
    &kTStore,
    &kTStoreAcc,
    &kTStoreAtomic,
    &kTStoreFp,
    &kTStoreQuant,
    &kTSub,
    &kTSubC,
    &kTSubRelu,
    &kTSubReluConv,
    &kTSubS,
    &kTSubSC,
    &kTTrans,
    &kTTri,
    &kTXor,
    &kTXorS,
};
inline constexpr int kOpCount = sizeof(kOps) / sizeof(kOps[0]);

// The record with a mnemonic, found by the compiler.
consteval const OpInfo& Op(std::string_view name) {
  int i = 0;
  while (kOps[i]->name != name) ++i;  // running off the table does not compile
  return *kOps[i];
}

// nullptr if there is no such record.
const OpInfo* FindOp(std::string_view name);
const OpInfo* FindOp(int32_t id);
// The forms of an instruction of programs, the one with its name first; empty: the name is unknown.
std::span<const OpInfo* const> FormsOf(std::string_view mnemonic);

}  // namespace pto

#endif  // PTO_SRC_RECORDS_TABLE_H_
