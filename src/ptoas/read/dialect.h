// Operations of arith and math, and instructions by their names in programs.
#ifndef PTO_SRC_PTOAS_DIALECT_H_
#define PTO_SRC_PTOAS_DIALECT_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "src/records/op_info.h"

namespace pto::ptoas {

// The records of the op table for a mnemonic as written in a program: the forms that it has.
std::span<const OpInfo* const> FindInstruction(std::string_view mnemonic);

// Whether there are numbers among the sources of a form.
inline bool TakesNumbers(const OpInfo& op) { return op.Count(Role::kScalar) + op.Count(Role::kInt) != 0; }

enum class ArithOp : uint8_t {
  kNone,
  kAddI,
  kSubI,
  kMulI,
  kDivSI,
  kDivUI,
  kRemSI,
  kRemUI,
  kCeilDivSI,
  kCeilDivUI,
  kFloorDivSI,
  kAndI,
  kOrI,
  kXorI,
  kShlI,
  kShrSI,
  kShrUI,
  kMinSI,
  kMaxSI,
  kMinUI,
  kMaxUI,
  kAddF,
  kSubF,
  kMulF,
  kDivF,
  kRemF,
  kMaximumF,
  kMinimumF,
  kMaxNumF,
  kMinNumF,
  kNegF,
  kCmpI,
  kCmpF,
  kSelect,
  kIndexCast,
  kIndexCastUI,
  kExtSI,
  kExtUI,
  kTruncI,
  kExtF,
  kTruncF,
  kSIToFP,
  kUIToFP,
  kFPToSI,
  kFPToUI,
  kBitcast,
  kAddUIExtended,
  kMulSIExtended,
  kMulUIExtended,
  // math: exact, or rounded once by hand ...
  kAbsI,
  kCtLz,
  kCtTz,
  kCtPop,
  kAbsF,
  kCeil,
  kFloor,
  kTrunc,
  kRound,
  kRoundEven,
  kSqrt,
  kCopySign,
  kFma,
  kIsFinite,
  kIsInf,
  kIsNan,
  kIsNormal,
  kIPowI,
  // ... those in twice the digits of a double (precise_math.h) ...
  kFPowI,
  kSinCos,
  kSin,
  kCos,
  kTan,
  kASin,
  kACos,
  kATan,
  kATan2,
  kSinH,
  kCosH,
  kTanH,
  kASinH,
  kACosH,
  kATanH,
  kExpM1,
  kLog1P,
  kLog2,
  kLog10,
  kCbrt,
  kErf,
  kErfC,
  // ... and those that have the kernel of an instruction.
  kExp,
  kExp2,
  kLog,
  kRSqrt,
  kPowF,
};
inline constexpr ArithOp kFirstMath = ArithOp::kAbsI;
inline constexpr ArithOp kFirstPrecise = ArithOp::kFPowI;
inline constexpr ArithOp kFirstKernel = ArithOp::kExp;
inline constexpr ArithOp kLastArith = ArithOp::kPowF;
inline bool HasKernel(ArithOp op) { return op >= kFirstKernel; }
// Functions that have no f64: neither kernels nor pairs of doubles are wide enough.
inline bool IsNarrow(ArithOp op) { return op >= kFirstPrecise; }

enum class ArithClass : uint8_t {
  kIntBinary,
  kFloatBinary,
  kFloatUnary,
  kCompare,
  kSelect,
  kCast,
  kIntUnary,
  kFloatTernary,
  kIntExtended,    // two results: the sum and its carry, the lower and the upper half of a product
  kFloatTest,      // a float gives i1
  kFloatIntPower,  // a float and an integer
  kFloatTwo,       // one float gives two
};

struct ArithInfo {
  const char* name;  // without `arith.` or `math.`
  ArithClass kind;
};
const ArithInfo& Info(ArithOp op);
inline const char* DialectOf(ArithOp op) { return op < kFirstMath ? "arith" : "math"; }
int OperandsOf(ArithClass kind);
inline int ResultsOf(ArithClass kind) {
  return kind == ArithClass::kIntExtended || kind == ArithClass::kFloatTwo ? 2 : 1;
}
ArithOp FindArith(std::string_view dialect, std::string_view name);  // kNone: no such operation

// Predicates of arith.cmpi and, from kFalse on, of arith.cmpf.
enum class CmpPredicate : uint8_t {
  kNone,
  kEq,
  kNe,
  kSlt,
  kSle,
  kSgt,
  kSge,
  kUlt,
  kUle,
  kUgt,
  kUge,
  kFalse,
  kOEq,
  kOGt,
  kOGe,
  kOLt,
  kOLe,
  kONe,
  kOrd,
  kUEq,
  kUGtF,
  kUGeF,
  kULtF,
  kULeF,
  kUNe,
  kUno,
  kTrue,
};
const char* NameOf(CmpPredicate predicate);
CmpPredicate FindPredicate(std::string_view name, bool floats);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_DIALECT_H_
