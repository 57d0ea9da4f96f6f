// Statements of the vector level, resolved: by name to what executes them, by type to kernels.
#include <algorithm>

#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

struct Runs {
  Runs() {
    for (const OpRuns rows : {kComputeRuns, kConvertRuns, kMoveRuns, kMaskRuns, kMemoryRuns, kCopyRuns, kStateRuns,
                              kSortRuns, kCubeRuns, kOutRuns, kSimtRuns}) {
      for (const OpRun& row : rows) of[row.name.id] = &row;
    }
  }
  const OpRun* of[kOpCount] = {};
};

DType DTypeOfElem(Elem elem) {
  pto_dtype dtype = PTO_DTYPE_F32;
  return DTypeOf(elem, &dtype) ? static_cast<DType>(dtype) : DType::kF32;
}

const Type* OperandType(const Operand& operand) {
  return operand.value != nullptr && operand.value->type != nullptr ? operand.value->type : operand.type;
}

}  // namespace

void ClearInactive(Register* dst, const Register& mask, int width, bool poison) {
  uint8_t inactive[kRegisterBytes];
  std::memset(inactive, poison ? kPoison : 0, sizeof inactive);
  Blend(dst->bytes, dst->bytes, inactive, mask, width);
}

void Broadcast(uint8_t* dst, uint64_t bits, int width) {
  ForWord(width, [&](auto zero) {
    using Word = decltype(zero);
    const auto word = static_cast<Word>(bits);
    for (int i = 0; i < kRegisterBytes / static_cast<int>(sizeof(Word)); ++i) Put<Word>(dst, i, word);
  });
}

namespace {

void CopyWords(void* dst, const void* a, const void*, ptrdiff_t, ptrdiff_t, ptrdiff_t, size_t, size_t count,
               const void*, ptrdiff_t) {
  std::memcpy(dst, a, count * 4);
}

}  // namespace

RunStmt Resolve(const Stmt& stmt, int target, Step* step) {
  static const Runs runs;
  const Op& op = *stmt.vector;
  step->target = target;
  const Kernel copy = PickKernel(target, pto::Lane::kCopy, DType::kU32);
  step->copy = copy.block != nullptr && copy.least <= kRegisterBytes / 4 ? copy.block : CopyWords;
  const auto takes = [&](const Param& param, const Type* type) {
    if (type == nullptr) return;
    if (type->kind == TypeKind::kPtr) {
      step->unit = static_cast<uint8_t>(BytesOf(type->elem));
    } else if (type->kind == TypeKind::kVreg && param.kind == Kind::kVreg) {
      step->t = DTypeOfElem(type->elem);
      step->elem = type->elem;
    } else if (type->kind == TypeKind::kVreg) {
      step->u = DTypeOfElem(type->elem);
    }
  };
  for (size_t i = 0; i < op.in.count && i < stmt.operands.size(); ++i) {
    const Operand& operand = stmt.operands[i];
    step->there[i] = operand.kind == OperandKind::kValue && operand.value != nullptr;
    if (step->there[i]) step->in[i] = operand.value->slot;
    takes(op.in.all[i], OperandType(operand));
  }
  for (size_t i = 0; i < stmt.results.size() && i < 4; ++i) {
    step->out[i] = stmt.results[i]->slot;
    takes(op.out.all[i], stmt.types[i]);
  }
  step->width = Info(step->t).bytes;
  step->other = Info(step->u).bytes;
  for (const Choice* choice : op.attrs) {
    if (choice != nullptr && Has(stmt, *choice)) step->code = CodeOf(stmt, *choice, 0);
  }
  if (op.words[0] != nullptr) step->code = WordOf(stmt, 0);
  const OpRun* run = runs.of[static_cast<size_t>(Find(op.name) - AllOps().data())];
  if (run == nullptr) return nullptr;
  step->shape = run->shape;
  step->prefix_width = run->prefix_width;
  if (run->lower != nullptr) run->lower(stmt, step);
  // The check lets no element type through that has no kernel.
  const bool registers = op.family != Family::kSimt;
  if (registers && run->lower != nullptr && !step->kernel && !step->convert && step->lanes == nullptr) return nullptr;
  return run->run;
}

}  // namespace pto::ptoas::vec
