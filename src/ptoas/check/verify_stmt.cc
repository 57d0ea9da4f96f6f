// Each statement by its row: what its operands are, and then what else holds for it, by its name.
#include <algorithm>

#include "src/ptoas/check/verify_impl.h"

namespace pto::ptoas {

bool Verifier::Need(const Stmt& stmt, const Operand& operand, Takes takes) {
  const Type* type = TypeOf(operand);
  const auto is = [&](TypeKind kind) { return type != nullptr && type->kind == kind; };
  switch (takes) {
    case Takes::kTile:
      return NeedTile(stmt, operand);
    case Takes::kView:
      return NeedView(stmt, operand);
    case Takes::kPlace:
      return operand.kind == OperandKind::kAddress || NeedIndex(stmt, operand);
    case Takes::kIndex:
    case Takes::kAddress:
    case Takes::kDimension:
      return NeedIndex(stmt, operand);
    case Takes::kPointer:
      return NeedKind(stmt, operand, "a pointer", type == nullptr || is(TypeKind::kPtr));
    case Takes::kGlobal:
      return NeedKind(stmt, operand, "a pointer to global memory",
                      type == nullptr || (is(TypeKind::kPtr) && !type->local));
    case Takes::kArray:
      return NeedKind(stmt, operand, "a local array", is(TypeKind::kLocalArray));
    case Takes::kTiles:
      return NeedKind(stmt, operand, "a multi_tile_buf", is(TypeKind::kMultiTile));
    case Takes::kPrefetch: {
      // A context gives its session; a prefetch takes either.
      const bool gives = stmt["context"] != nullptr;
      return NeedKind(stmt, operand, gives ? "a prefetch context" : "a session or a prefetch context",
                      is(TypeKind::kPrefetch) || (!gives && is(TypeKind::kAsyncSession)));
    }
    case Takes::kEvent:
      return NeedKind(stmt, operand, "an event", is(TypeKind::kAsyncEvent));
    case Takes::kSession:
      return NeedKind(stmt, operand, "a session", is(TypeKind::kAsyncSession));
    default:
      return true;
  }
}

// False: further errors would repeat this one. Each operand of a list, and each that may be left out, is judged.
bool Verifier::CheckOperands(const Stmt& stmt) {
  const StmtInfo& info = *stmt.info;
  size_t next = 0;
  for (size_t i = 0; i < info.operands.size(); ++i) {
    const OperandInfo& one = info.operands[i];
    if (one.out) {
      if (!Need(stmt, stmt.outs[0], one.takes)) return false;
      continue;
    }
    const size_t end = stmt.ends.empty() ? std::min(next + 1, stmt.operands.size()) : stmt.ends[i];
    for (; next < end; ++next) {
      if (!Need(stmt, stmt.operands[next], one.takes) && one.count == Count::kOne) return false;
    }
  }
  return true;
}

void Verifier::CheckPto(const Stmt& stmt) {
  using Check = void (Verifier::*)(const Stmt&);
  struct Named {
    StmtName name;
    Check check;
  };
  using V = Verifier;
  // In the order of the rows, though that is for readers only.
  static constexpr Named kNamed[] = {
      {"addptr", &V::CheckAddPtr},
      {"aic_initialize_pipe", &V::CheckMakePipe},
      {"aiv_initialize_pipe", &V::CheckMakePipe},
      {"alloc_multi_tile", &V::CheckAllocTiles},
      {"alloc_tile", &V::CheckAllocTile},
      {"bind_tile", &V::CheckBindTile},
      {"bitcast", &V::CheckBitcast},
      {"build_async_session", &V::CheckAsync},
      {"cmo.cacheinvalid", &V::CheckCacheInvalid},
      {"declare_global", &V::CheckDeclareGlobal},
      {"declare_local_array", &V::CheckLocalArray},
      {"declare_tile", &V::CheckAllocTile},
      {"declare_tile_memref", &V::CheckAllocTile},
      {"fence.barrier_all", &V::CheckFence},
      {"get_prefetch_async_session", &V::CheckAsync},
      {"get_scale_addr", &V::CheckScaleAddr},
      {"get_tensor_view_dim", &V::CheckViewNumber},
      {"get_tensor_view_stride", &V::CheckViewNumber},
      {"import_reserved_buffer", &V::CheckBuffer},
      {"initialize_l2g2l_pipe", &V::CheckMakePipe},
      {"initialize_l2l_pipe", &V::CheckMakePipe},
      {"load_scalar", &V::CheckScalarAccess},
      {"local_array_get", &V::CheckLocalArray},
      {"local_array_set", &V::CheckLocalArray},
      {"make_prefetch_async_context", &V::CheckAsync},
      {"make_tensor_view", &V::CheckMakeTensorView},
      {"materialize_tile", &V::CheckBindTile},
      {"memref.dealloc", &V::CheckDealloc},
      {"memref.reinterpret_cast", &V::CheckMakeTensorView},
      {"memref.load", &V::CheckMemref},
      {"memref.store", &V::CheckMemref},
      {"multi_tile_get", &V::CheckMultiTileGet},
      {"partition_view", &V::CheckPartitionView},
      {"pointer_cast", &V::CheckAllocTile},
      {"reserve_buffer", &V::CheckBuffer},
      {"set_validshape", &V::CheckSetValidShape},
      {"store_scalar", &V::CheckScalarAccess},
      {"subset", &V::CheckSubset},
      {"subview", &V::CheckSubview},
      {"syncall", &V::CheckSyncAll},
      {"talloc", &V::CheckAllocSlot},
      {"talloc_to_aic", &V::CheckAllocSlot},
      {"talloc_to_aiv", &V::CheckAllocSlot},
      {"tensor_view_addr", &V::CheckAddressOf},
      {"test_async_event", &V::CheckAsync},
      {"tfree", &V::CheckFree},
      {"tfree_from_aic", &V::CheckFree},
      {"tfree_from_aiv", &V::CheckFree},
      {"tget_async", &V::CheckAsync},
      {"tget_scale_addr", &V::CheckScaleAddr},
      {"tgetval", &V::CheckElement},
      {"tile_buf_addr", &V::CheckAddressOf},
      {"tile_valid_cols", &V::CheckIndexMade},
      {"tile_valid_rows", &V::CheckIndexMade},
      {"tpop", &V::CheckPop},
      {"tpop_from_aic", &V::CheckPop},
      {"tpop_from_aiv", &V::CheckPop},
      {"tprefetch_async", &V::CheckAsync},
      {"tpush", &V::CheckPush},
      {"tpush_to_aic", &V::CheckPush},
      {"tpush_to_aiv", &V::CheckPush},
      {"tput_async", &V::CheckAsync},
      {"treshape", &V::CheckReshape},
      {"tsetval", &V::CheckElement},
      {"vector.broadcast", &V::CheckVector},
      {"vector.extract", &V::CheckVector},
      {"vector.insert", &V::CheckVector},
      {"vector.splat", &V::CheckVector},
      {"wait_async_event", &V::CheckAsync},
  };
  struct Table {
    constexpr Table() {
      for (size_t id = 0; id < kStmtCount; ++id) {
        if (rows::kRows[id].kind == StmtKind::kInst) of[id] = &V::CheckInstruction;
        if (rows::kRows[id].kind == StmtKind::kComm) of[id] = &V::CheckComm;
      }
      for (const Named& one : kNamed) of[one.name.id] = one.check;
    }
    Check of[kStmtCount] = {};
  };
  static constexpr Table kChecks;
  CheckAttributes(stmt);
  // A pipe's operands are counted by its own check.
  // So far the run alone judges indices of events, and extents that bind_tile takes.
  const bool later = stmt.kind == StmtKind::kBindTile || stmt.Is("eventid_array_get") || stmt.Is("eventid_array_set");
  if (!MakesView(stmt) || (!IsPipe(stmt.kind) && !later && !CheckOperands(stmt))) return;
  if (const Check check = kChecks.of[stmt.info->id]; check != nullptr) (this->*check)(stmt);
}

}  // namespace pto::ptoas
