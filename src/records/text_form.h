// How programs write an instruction: the places of a record's operands. Modes and
// flags are attributes (src/records/attributes.h) and have no place here.
#ifndef PTO_SRC_RECORDS_TEXT_FORM_H_
#define PTO_SRC_RECORDS_TEXT_FORM_H_

#include "src/records/op_info.h"

namespace pto {

// Operands of a record, by their number in it, in the order in which programs write them.
struct TextOrder {
  int8_t at[kMaxOperands] = {};
  int8_t count = 0;

  constexpr void Add(int operand) { at[count++] = static_cast<int8_t>(operand); }
  constexpr bool Has(int operand) const {
    for (int i = 0; i < count; ++i) {
      if (at[i] == operand) return true;
    }
    return false;
  }
};

constexpr bool IsNumber(Role role) { return role == Role::kScalar || role == Role::kInt; }

// The accumulator that a product starts from, which programs may leave out: then it is the destination. -1: none.
constexpr int AccumulatorOf(const OpInfo& op) {
  return op.walk == Walk::kMatMul && op.operands[op.Outputs()].extent == Extent::kSame ? op.Outputs() : -1;
}

// The contents of ins(...): what is read, tmp after it, the scalar where the record has it,
// integers last. outs(...) are the first operands of the record, in its order.
struct TextOrders {
  TextOrder all, without_tmp, without_accumulator;
};
// For a record of kOps.
const TextOrders& OrdersOf(const OpInfo& op);

inline const TextOrder& SourcesOf(const OpInfo& op, bool with_tmp) {
  return with_tmp ? OrdersOf(op).all : OrdersOf(op).without_tmp;
}

// The same for a statement with `sources` sources: tmp may be left out, and so may an accumulator. For a number that
// the instruction does not accept, it is the order of all.
inline const TextOrder& SourcesOf(const OpInfo& op, size_t sources) {
  const TextOrders& orders = OrdersOf(op);
  if (sources + 1 != static_cast<size_t>(orders.all.count)) return orders.all;
  return AccumulatorOf(op) >= 0 ? orders.without_accumulator : orders.without_tmp;
}

// Whether a statement of this many sources may be of either form and only the meaning of its last tile differs: scratch
// in one of them, a source like the others in the other.
inline bool DifferByTmp(const OpInfo& a, const OpInfo& b, size_t sources) {
  const TextOrder& left = SourcesOf(a, sources);
  const TextOrder& right = SourcesOf(b, sources);
  const auto count = static_cast<size_t>(left.count);
  if (a.Outputs() != b.Outputs() || count != sources || left.count != right.count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (IsNumber(a.operands[left.at[i]].role) != IsNumber(b.operands[right.at[i]].role)) return false;
  }
  return left.Has(a.TmpIndex()) != right.Has(b.TmpIndex());
}

// The element type that the scalar of a call has, by the types of its tiles; `dtypes` has one
// for each operand, kDTypeCount where it is not known. False: they do not determine it.
constexpr bool ScalarTypeOf(const OpInfo& op, Profile profile, const int* dtypes, DType* out) {
  const int scalar = op.ScalarIndex();
  for (int i = 0; i < op.Needed(); ++i) {
    if (op.like.at[i] != op.like.at[scalar] || dtypes[i] == kDTypeCount) continue;
    *out = static_cast<DType>(dtypes[i]);
    return true;
  }
  if (!op.operands[scalar].Typed()) return false;
  // Without a tile: the first type of the map.
  const int lead = dtypes[op.lead] == kDTypeCount ? 0 : dtypes[op.lead];
  const DTypeSet set = op.operands[scalar].types->of[static_cast<int>(profile)][lead];
  for (int d = 0; d < kDTypeCount; ++d) {
    if ((set >> d & 1) == 0) continue;
    *out = static_cast<DType>(d);
    return true;
  }
  return false;
}

}  // namespace pto

#endif  // PTO_SRC_RECORDS_TEXT_FORM_H_
