// The verifier's state and functions, which are spread over verify*.cc.
#ifndef PTO_SRC_PTOAS_VERIFY_IMPL_H_
#define PTO_SRC_PTOAS_VERIFY_IMPL_H_

#include <string>
#include <utility>
#include <vector>

#include "src/ptoas/check/verifier.h"

namespace pto::ptoas {

struct PipeFacts;

class Verifier {
 public:
  Verifier(const Program& program, Diagnostics* diagnostics, const VerifyHooks& hooks)
      : program_(program), diagnostics_(diagnostics), hooks_(hooks) {}
  void Run();

 private:
  // verifier.cc
  void CheckFunc(const Func& func);
  void CheckBlock(const Block& block, const Stmt* parent);
  void CheckStmt(const Stmt& stmt);
  void CheckOwn(const Stmt& stmt);
  bool Settle(const Stmt& stmt, size_t kept);
  void CheckDefinition(const Value& value);
  // `repeats`: a use before it has the same type, and reports a wrong one.
  void CheckUse(const Operand& use, bool repeats = false);
  void CheckStrictScope(const Stmt& stmt);
  void CheckTerminator(const Stmt& stmt, const Block& block, const Stmt* parent, bool last);
  void CheckMissing(const Block& block, const Stmt* parent);
  void CheckPassed(const Stmt& at, TextRule rule, std::span<const Operand> passed, std::span<const Type* const> wanted);
  void CheckConstant(const Stmt& stmt);
  void CheckItems(const Attr& literal, const Type& type);
  void CheckArith(const Stmt& stmt);
  void CheckCast(const Stmt& stmt, const Type& from, const Type& to);
  void CheckCall(const Stmt& stmt);
  void CheckRecursion();
  // verify_blocks.cc
  void CheckBranch(const Stmt& stmt);
  void CheckBlocks(const Func& func);
  // verify_stmt.cc
  void CheckPto(const Stmt& stmt);
  bool CheckOperands(const Stmt& stmt);
  bool Need(const Stmt& stmt, const Operand& operand, Takes takes);
  // verify_op.cc
  void CheckVectorOp(const Stmt& stmt);
  // verify_simt.cc
  void CheckSimtFunc(const Func& func);
  void CheckItemStmt(const Stmt& stmt);
  std::span<const Operand> CheckLaunch(const Stmt& call);
  // verify_tiles.cc
  void CheckAttributes(const Stmt& stmt);
  void CheckInstruction(const Stmt& stmt);
  void CheckLayout(const Stmt& stmt, const Operand& view);
  void CheckScaleAddr(const Stmt& stmt);
  void CheckAsync(const Stmt& stmt);
  void CheckMemory(const Stmt& stmt);
  bool MakesView(const Stmt& stmt);
  void CheckMakeTensorView(const Stmt& stmt);
  void CheckPartitionView(const Stmt& stmt);
  bool SizeFits(const Stmt& stmt, size_t dimension, int64_t size, const Type& type);
  void CheckAddressOf(const Stmt& stmt);
  void CheckAllocTile(const Stmt& stmt);
  void CheckBindTile(const Stmt& stmt);
  void CheckValid(const Stmt& stmt);
  void CheckSetValidShape(const Stmt& stmt);
  void CheckReshape(const Stmt& stmt);
  void CheckBitcast(const Stmt& stmt);
  void CheckAllocTiles(const Stmt& stmt);
  void CheckCacheInvalid(const Stmt& stmt);
  void CheckDealloc(const Stmt& stmt);
  void CheckFence(const Stmt& stmt);
  void CheckIndexMade(const Stmt& stmt);
  void CheckLocalArray(const Stmt& stmt);
  void CheckMultiTileGet(const Stmt& stmt);
  void CheckSyncAll(const Stmt& stmt);
  void CheckDeclareGlobal(const Stmt& stmt);
  void CheckSlotTensor(const Stmt& stmt, const Operand& view);
  void NeedDeclared(const Stmt& stmt, const Operand& view);
  bool IsWord(const Stmt& stmt, const Attr* attr, std::string_view kind, const char* what,
              std::initializer_list<std::string_view> words);
  void CheckSubset(const Stmt& stmt);
  void CheckSubview(const Stmt& stmt);
  void CheckWindow(const Stmt& stmt, const Type& from, bool keeps_lines);
  void CheckAddPtr(const Stmt& stmt);
  void CheckScalarAccess(const Stmt& stmt);
  void CheckElement(const Stmt& stmt);
  void CheckViewNumber(const Stmt& stmt);
  // verify_elements.cc
  void CheckVector(const Stmt& stmt);
  void CheckPlaces(const Stmt& stmt, std::span<const Operand> places, const Type& type);
  void CheckMemref(const Stmt& stmt);
  // verify_comm.cc
  void CheckComm(const Stmt& stmt);
  bool NeedRule(const Stmt& stmt, Rule rule, bool good, const std::string& message);
  bool CheckCommTypes(const Stmt& stmt, const Type& want);
  void CheckSignal(const Stmt& stmt);
  // verify_pipes.cc
  void CheckBuffer(const Stmt& stmt);
  void CheckMakePipe(const Stmt& stmt);
  void CheckPush(const Stmt& stmt);
  void CheckPop(const Stmt& stmt);
  void CheckFree(const Stmt& stmt);
  void CheckAllocSlot(const Stmt& stmt);
  bool TakesOperands(const Stmt& stmt, size_t least, size_t most);
  bool TakesOperands(const Stmt& stmt);
  bool NeedType(const Stmt& stmt, const Operand& operand, const char* what, bool (*good)(const Type&));
  void NeedMade(const Stmt& stmt, const char* what, bool good);
  void CheckPipeAttributes(const Stmt& stmt);
  void CheckPipeShape(const Stmt& stmt);
  void CheckPipes();
  void CheckSplit(const PipeFacts& pipe);
  void CheckCore(const Stmt& stmt);
  void CheckFlagAttributes(const Stmt& stmt);
  bool NeedKind(const Stmt& stmt, const Operand& operand, const char* what, bool good);
  bool NeedTile(const Stmt& stmt, const Operand& operand);
  bool NeedView(const Stmt& stmt, const Operand& operand);
  static const Type* ViewOf(const Operand& operand);
  bool NeedIndex(const Stmt& stmt, const Operand& operand);
  bool NeedElement(const Stmt& stmt, const Operand& operand, Elem element);

  [[gnu::format(printf, 4, 5)]] void Error(TextRule rule, const Stmt& stmt, const char* format, ...);

  struct Edge {
    const Func* caller;
    const Stmt* call;
  };
  const Program& program_;
  Diagnostics* diagnostics_;
  const VerifyHooks& hooks_;
  const Func* func_ = nullptr;
  CoreKind core_ = CoreKind::kAny;                          // of the function or the section
  bool in_scope_ = false;                                   // in a pto.vecscope
  uint32_t outside_ = 0;                                    // slots below it are outside of a pto.strict_vecscope
  std::vector<Edge> calls_;                                 // in the order of callers
  std::vector<const Value*> suspects_;                      // whose types may be wrong, and were reported
  std::vector<std::pair<const Value*, const Type*>> said_;  // values, and types of uses that do not agree
  bool repeated_ = false;                                   // the statement has such a use
  std::vector<int32_t> broken_;                             // lines with errors of the parser
};

// The type of a use: the value's, else what was written; nullptr when unknown.
inline const Type* TypeOf(const Operand& operand) {
  if (operand.kind == OperandKind::kValue && operand.value != nullptr && operand.value->type != nullptr) {
    return operand.value->type;
  }
  return operand.type;
}

std::string Describe(const Type* type);  // for messages: at most 120 characters

// The conditions on a statement of the cube beside the kinds of its operands: verify_cube.cc.
void CheckCubeOp(const Stmt& stmt, Diagnostics* diagnostics);

// The same for a SIMT statement: verify_simt.cc.
void CheckSimtOp(const Stmt& stmt, Diagnostics* diagnostics);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_VERIFY_IMPL_H_
