// The checks of lint, by their subject, and their helpers for findings.
#ifndef PTO_SRC_PTOAS_LINT_CHECKS_H_
#define PTO_SRC_PTOAS_LINT_CHECKS_H_

#include <cstdarg>
#include <set>
#include <vector>

#include "src/ptoas/check/verify_impl.h"
#include "src/ptoas/lint/lint.h"
#include "src/ptoas/read/facts.h"

namespace pto::ptoas {

class Lint {
 public:
  Lint(const Program& program, pto_context* ctx, Diagnostics* found);

  const Program& program() const { return program_; }
  pto_context* ctx() const { return ctx_; }
  const std::vector<FuncFacts>& funcs() const { return funcs_; }
  // Whether a statement of the program calls it.
  bool IsCalled(const Func& func) const { return called_.contains(&func); }
  void Run(const LintCheck& check);

  // At a statement, an operand, a value, a function: whatever has a place.
  template <class At>
  [[gnu::format(printf, 3, 4)]] void Find(const At& at, const char* format, ...) {
    va_list args;
    va_start(args, format);
    Add(at.offset, at.length, format, args);
    va_end(args);
  }
  [[gnu::format(printf, 4, 5)]] void FindAt(uint32_t offset, uint32_t length, const char* format, ...);

  // visit(facts, site, stmt) for every statement.
  template <class Visit>
  void EachStatement(Visit visit) const {
    for (const FuncFacts& facts : funcs_) {
      for (size_t i = 0; i < facts.sites().size(); ++i) visit(facts, static_cast<int>(i), *facts.sites()[i].stmt);
    }
  }
  // visit(facts, tile) for tiles whose every use is known; not where the text is not the order of execution.
  template <class Visit>
  void EachOwnTile(Visit visit) {
    for (const FuncFacts& facts : funcs_) {
      if (facts.branches()) continue;
      for (const Value* tile : facts.own_tiles()) visit(facts, *tile);
    }
  }

 private:
  [[gnu::format(printf, 4, 0)]] void Add(uint32_t offset, uint32_t length, const char* format, va_list args);

  const Program& program_;
  pto_context* ctx_;
  Diagnostics* found_;
  const LintCheck* check_ = nullptr;
  std::vector<FuncFacts> funcs_;
  std::set<const Func*> called_;
};

// The number that an operand is known to be.
bool NumberOf(const Operand& operand, double* out);

// checks_unused.cc: what is there for nothing
void UnusedArgument(Lint&);
void UnusedConstant(Lint&);
void UnusedValue(Lint&);
void UnusedView(Lint&);
void UnusedTile(Lint&);
void UnusedFunction(Lint&);
void RepeatedConstant(Lint&);
void DefaultWritten(Lint&);
void OtherSpelling(Lint&);
void NoEffect(Lint&);

// checks_flow.cc: loops, branches, synchronisation
void DeadLoop(Lint&);
void SingleRound(Lint&);
void LoopStep(Lint&);
void LoopOverrun(Lint&);
void EmptyBody(Lint&);
void ConstantCondition(Lint&);
void SameTarget(Lint&);
void InvariantView(Lint&);
void InvariantArith(Lint&);
void RepeatedBarrier(Lint&);
void FlagPair(Lint&);
void CopyNotAwaited(Lint&);

// checks_pipes.cc: between the cores of a block
void PushNotPopped(Lint&);
void PopNotPushed(Lint&);
void PopNotFreed(Lint&);
void FreeNotPopped(Lint&);
void UnusedPipe(Lint&);
void OneWayPipe(Lint&);
void SlotNotPushed(Lint&);
void SlotAfterFree(Lint&);
void CoreFlagPair(Lint&);

// checks_data.cc: what tiles hold
void ReadUnwritten(Lint&);
void ReadPadding(Lint&);
void SourceCut(Lint&);
void WriteUnread(Lint&);
void WriteLost(Lint&);
void StoreLost(Lint&);
void RepeatedLoad(Lint&);
void InvariantLoad(Lint&);
void MemoryReused(Lint&);

// checks_numbers.cc: arithmetic
void SelfMove(Lint&);
void EqualOperands(Lint&);
void NoOperation(Lint&);
void NanCompare(Lint&);
void ZeroDivisor(Lint&);
void ShiftRange(Lint&);
void SmallPower(Lint&);
void DivideByPowerOfTwo(Lint&);
void ExpandedScalar(Lint&);
void HalfSum(Lint&);
void NarrowSum(Lint&);
void RepeatedOperation(Lint&);
void ConvertedBack(Lint&);

// checks_space.cc: memory, layouts, profiles
void TmpUnneeded(Lint&);
void TileTooLarge(Lint&);
void Capacity(Lint&);
void BankStride(Lint&);
void RaggedVector(Lint&);
void SameBytes(Lint&);
void MaskLanes(Lint&);

// checks_ub.cc: bytes of UB
void UbUnwritten(Lint&);
void UbUnread(Lint&);
void MaskWide(Lint&);

// checks_ranks.cc: between ranks
void AtomicOrder(Lint&);
void SignalNever(Lint&);

// checks_portability.cc: what devices do otherwise
void Portability(Lint&);
void TargetArch(Lint&);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_LINT_CHECKS_H_
