// extern "C": what the library knows of its instructions, and instructions as objects.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "src/api/api_abi.h"
#include "src/engine/execute.h"
#include "src/engine/inst.h"
#include "src/records/nearest.h"
#include "src/records/table.h"

using pto::Abi;
using pto::OpInfo;
using pto::Role;
using pto::Rule;
using pto::Status;

namespace {

// pto::Runner, of each record.
template <size_t kIndex>
Status Run(pto_context* ctx, const pto::Args& args, pto::Kept* kept, bool known) {
  return Execute(ctx, *pto::kOps[kIndex], args, kept, known);
}
template <size_t... kIndex>
constexpr std::array<pto::Runner, pto::kOpCount> RunnersOf(std::index_sequence<kIndex...>) {
  return {Run<kIndex>...};
}
constexpr auto kRunners = RunnersOf(std::make_index_sequence<pto::kOpCount>());

}  // namespace

namespace {

enum class Kind { kTile, kTensor, kInteger, kScalar };
constexpr const char* kKinds[] = {"a tile", "a tensor", "an integer", "a scalar"};

Kind KindOf(Role role) {
  if (role == Role::kScalar) return Kind::kScalar;
  if (pto::IsTensor(role)) return Kind::kTensor;
  return pto::IsTile(role) ? Kind::kTile : Kind::kInteger;
}

bool OperandKnown(const pto_inst* inst, int32_t index) {
  return inst != nullptr && index >= 0 && index < inst->op->OperandCount();
}

void SayUnknown(pto_context* ctx, const char* call, const char* name) {
  pto::Nearest nearest(name);
  for (const OpInfo* op : pto::kOps) nearest.Offer(op->name);
  const std::string_view best = nearest.best();
  ctx->error.Set(Rule::kUnknownInstruction, call, "name", "no instruction is called \"%.64s\"%s%.*s%s", name,
                 best.empty() ? "" : "; did you mean ", static_cast<int>(best.size()), best.data(),
                 best.empty() ? "" : "?");
}

// The operand at an index of the right kind, or the error.
Status CheckOperand(pto_context* ctx, const char* call, const pto_inst* inst, int32_t index, Kind want) {
  if (ctx == nullptr) return Status::kNull;
  if (inst == nullptr) return ctx->error.Set(Rule::kNull, call, "inst", "inst is NULL");
  const OpInfo& op = *inst->op;
  if (index < 0 || index >= op.OperandCount()) {
    return ctx->error.Set(Rule::kOperandIndex, call, "index", "index is %d where %s has %d operands", index, op.name,
                          op.OperandCount());
  }
  const pto::Operand& operand = op.operands[index];
  if (KindOf(operand.role) == want) return Status::kOk;
  return ctx->error.Set(Rule::kOperandKind, call, operand.name, "operand %s of %s takes %s", operand.name, op.name,
                        kKinds[static_cast<int>(KindOf(operand.role))]);
}

// nullptr if there is no such operand.
const pto::Operand* OperandAt(int32_t op, int32_t index) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr || index < 0 || index >= info->OperandCount() ? nullptr : &info->operands[index];
}

}  // namespace

extern "C" {

int32_t pto_op_count(void) { return pto::kOpCount; }

int32_t pto_op_at(int32_t index) { return index >= 0 && index < pto::kOpCount ? pto::kOps[index]->id : -1; }

int32_t pto_op_find(const char* name) {
  const OpInfo* op = name == nullptr ? nullptr : pto::FindOp(name);
  return op == nullptr ? -1 : op->id;
}

const char* pto_op_name(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? nullptr : info->name;
}

const char* pto_op_brief(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? nullptr : info->brief;
}

const char* pto_op_formula(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? nullptr : info->formula;
}

int32_t pto_op_operand_count(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? 0 : info->OperandCount();
}

const char* pto_op_operand_name(int32_t op, int32_t index) {
  const pto::Operand* operand = OperandAt(op, index);
  return operand == nullptr ? nullptr : operand->name;
}

int32_t pto_op_operand_role(int32_t op, int32_t index) {
  const pto::Operand* operand = OperandAt(op, index);
  return operand == nullptr ? -1 : static_cast<int32_t>(operand->role);
}

const char* pto_op_operand_mode(int32_t op, int32_t index) {
  const pto::Operand* operand = OperandAt(op, index);
  return operand == nullptr || operand->mode == nullptr ? nullptr : operand->mode->name;
}

const char* pto_op_operand_mode_value(int32_t op, int32_t index, int32_t value) {
  const pto::Operand* operand = OperandAt(op, index);
  if (operand == nullptr || operand->mode == nullptr || value < 0 || value >= operand->mode->Count()) return nullptr;
  return operand->mode->values[value].name;
}

int32_t pto_op_operand_extent(int32_t op, int32_t index) {
  const pto::Operand* operand = OperandAt(op, index);
  if (operand == nullptr || !pto::IsTile(operand->role) || operand->role == Role::kTmp) return -1;
  return static_cast<int32_t>(operand->extent);
}

uint32_t pto_op_operand_dtypes(int32_t op, int32_t index, pto_profile profile, pto_dtype lead) {
  const OpInfo* info = pto::FindOp(op);
  if (info == nullptr || index < 0 || (index >= info->Needed() && index != info->ScalarIndex())) return 0;
  if (!pto::InEnum(profile, pto::kProfileCount) || !pto::InEnum(lead, pto::kDTypeCount)) return 0;
  if ((info->dtypes[profile] & Bit(static_cast<pto::DType>(lead))) == 0) return 0;
  return info->operands[index].types->of[profile][lead];
}

int32_t pto_op_lead(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? -1 : info->lead;
}

const char* pto_op_mnemonic(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? nullptr : info->mnemonic;
}

int32_t pto_op_flags(int32_t op) {
  const OpInfo* info = pto::FindOp(op);
  return info == nullptr ? 0 : static_cast<int32_t>(info->flags);
}

int32_t pto_op_supports(int32_t op, pto_profile profile, pto_dtype dtype, uint32_t flags) {
  const OpInfo* info = pto::FindOp(op);
  if (info == nullptr || !pto::InEnum(profile, pto::kProfileCount) || !pto::InEnum(dtype, pto::kDTypeCount)) return 0;
  const auto type = static_cast<pto::DType>(dtype);
  const bool precise = (flags & pto::kHighPrecision) != 0;
  const bool refused = precise && info->Applies(Rule::kPrecisionFloat, static_cast<pto::Profile>(profile), type);
  return (flags & ~info->flags) == 0 && (info->dtypes[profile] & Bit(type)) != 0 && !refused ? 1 : 0;
}

pto_inst* pto_inst_create(pto_context* ctx, const char* name) {
  static constexpr char kCall[] = "pto_inst_create";
  if (ctx == nullptr) return nullptr;
  if (name == nullptr) {
    ctx->error.Set(Rule::kNull, kCall, "name", "name is NULL");
    return nullptr;
  }
  const OpInfo* op = pto::FindOp(name);
  if (op == nullptr) {
    SayUnknown(ctx, kCall, name);
    return nullptr;
  }
  auto* inst = new (std::nothrow) pto_inst;
  if (inst == nullptr) {
    ctx->error.Set(Rule::kMemory, kCall, "", "no memory for an instruction handle");
    return nullptr;
  }
  pto::g_live_handles.fetch_add(1, std::memory_order_relaxed);
  inst->op = op;
  inst->run = kRunners[static_cast<size_t>(std::find(std::begin(pto::kOps), std::end(pto::kOps), op) - pto::kOps)];
  return inst;
}

pto_inst* pto_inst_retain(pto_inst* inst) {
  if (inst != nullptr) inst->refs.Retain();
  return inst;
}

void pto_inst_release(pto_inst* inst) {
  if (inst == nullptr || !inst->refs.Release()) return;
  for (pto_tile* tile : inst->tiles) pto::ReleaseTile(tile);
  pto::ReleaseTensor(inst->tensor);
  pto::g_live_handles.fetch_sub(1, std::memory_order_relaxed);
  delete inst;
}

int32_t pto_inst_op(const pto_inst* inst) { return inst == nullptr ? -1 : inst->op->id; }

pto_status pto_inst_set_tile(pto_context* ctx, pto_inst* inst, int32_t index, pto_tile* tile) {
  const Status status = CheckOperand(ctx, "pto_inst_set_tile", inst, index, Kind::kTile);
  if (status != Status::kOk) return Abi(status);
  pto::RetainTile(tile);
  pto::ReleaseTile(inst->tiles[index]);
  inst->tiles[index] = tile;
  inst->kept.Forget();
  return PTO_OK;
}

pto_status pto_inst_set_tensor(pto_context* ctx, pto_inst* inst, int32_t index, pto_tensor* tensor) {
  const Status status = CheckOperand(ctx, "pto_inst_set_tensor", inst, index, Kind::kTensor);
  if (status != Status::kOk) return Abi(status);
  pto::RetainTensor(tensor);
  pto::ReleaseTensor(inst->tensor);
  inst->tensor = tensor;
  inst->kept.Forget();
  return PTO_OK;
}

pto_status pto_inst_set_scalar(pto_context* ctx, pto_inst* inst, int32_t index, pto_scalar value) {
  static constexpr char kCall[] = "pto_inst_set_scalar";
  const Status status = CheckOperand(ctx, kCall, inst, index, Kind::kScalar);
  if (status != Status::kOk) return Abi(status);
  if (!KnownScalar(pto::Ours(value))) {
    return Abi(ctx->error.Set(Rule::kScalarKind, kCall, inst->op->operands[index].name,
                              "%s is of kind %d where 0 to %d are known", inst->op->operands[index].name, value.kind,
                              pto::kScalarKindCount - 1));
  }
  inst->scalar = pto::Ours(value);
  inst->kept.Forget();
  return PTO_OK;
}

pto_status pto_inst_set_int(pto_context* ctx, pto_inst* inst, int32_t index, int64_t value) {
  static constexpr char kCall[] = "pto_inst_set_int";
  if (ctx != nullptr && OperandKnown(inst, index) && inst->op->operands[index].role == Role::kScalar) {
    return pto_inst_set_scalar(ctx, inst, index, pto_int(value));
  }
  const Status status = CheckOperand(ctx, kCall, inst, index, Kind::kInteger);
  if (status != Status::kOk) return Abi(status);
  const pto::Operand& operand = inst->op->operands[index];
  const bool flags = operand.role == Role::kFlags;
  const int64_t least = flags ? 0 : std::numeric_limits<int32_t>::min();
  const int64_t most = flags ? int64_t{std::numeric_limits<uint32_t>::max()} : std::numeric_limits<int32_t>::max();
  if (value < least || value > most) {
    return Abi(ctx->error.Set(Rule::kOperandValue, kCall, operand.name,
                              "%s is %" PRId64 " where %" PRId64 " to %" PRId64 " fit", operand.name, value, least,
                              most));
  }
  if (flags) {
    inst->flags = static_cast<uint32_t>(value);
  } else {
    inst->numbers[inst->op->NumberOf(index)] = static_cast<int32_t>(value);
  }
  inst->kept.Forget();
  return PTO_OK;
}

pto_status pto_inst_set_float(pto_context* ctx, pto_inst* inst, int32_t index, double value) {
  static constexpr char kCall[] = "pto_inst_set_float";
  const Status status = CheckOperand(ctx, kCall, inst, index, Kind::kScalar);
  if (status == pto::Info(Rule::kOperandKind).status && OperandKnown(inst, index)) {
    const pto::Operand& operand = inst->op->operands[index];
    return Abi(ctx->error.Set(Rule::kOperandKind, kCall, operand.name, "operand %s of %s takes %s, not %g",
                              operand.name, inst->op->name, kKinds[static_cast<int>(KindOf(operand.role))], value));
  }
  if (status != Status::kOk) return Abi(status);
  inst->scalar = pto::Ours(pto_float(value));
  inst->kept.Forget();
  return PTO_OK;
}

pto_status pto_inst_check(pto_context* ctx, const pto_inst* inst) {
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (inst == nullptr) return Abi(ctx->error.Set(Rule::kNull, "pto_inst_check", "inst", "inst is NULL"));
  return Abi(Check(ctx, *inst->op, inst->Call()));
}

pto_status pto_inst_run(pto_context* ctx, const pto_inst* inst) {
  if (ctx == nullptr) return PTO_ERROR_NULL;
  if (inst == nullptr) return Abi(ctx->error.Set(Rule::kNull, "pto_inst_run", "inst", "inst is NULL"));
  pto::Kept& kept = inst->kept;
  if (!kept.Fits(*ctx)) [[unlikely]] {
    kept.Forget();
    return Abi(inst->run(ctx, inst->Call(), &kept, false));
  }
  if (!kept.has_block()) return Abi(inst->run(ctx, inst->Call(), &kept, true));
  kept.RunBlock();
  return PTO_OK;
}

}  // extern "C"
