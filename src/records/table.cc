// Look-up in the op table, and what must hold of it: an error here names the record in its list of template arguments.
#include "src/records/table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "src/records/text_form.h"

namespace pto {

namespace {

template <const OpInfo* record, Fault fault>
constexpr bool HoldsTogether() {
  static_assert(fault == Fault::kNone, "a record does not hold together: its name and what is wrong are the arguments");
  return true;
}

template <const OpInfo* record, const OpInfo* before>
constexpr bool InOrder() {
  static_assert(std::string_view(before->name) < record->name, "the table is in the order of names");
  static_assert(
      std::string_view(record->mnemonic) == record->name || std::string_view(record->mnemonic) == before->mnemonic,
      "a form follows the record that has the name of its mnemonic");
  return true;
}

template <const OpInfo* record, const OpInfo* same_id, int next_free_id>
constexpr bool HasItsId() {
  static_assert(record == same_id, "two records have one id; the last argument is the next free one");
  return true;
}

constexpr int kNextFreeId = [] {
  int id = 0;
  for (const OpInfo* op : kOps) id = std::max(id, op->id + 1);
  return id;
}();

constexpr const OpInfo* FirstOfId(int32_t id) {
  for (const OpInfo* op : kOps) {
    if (op->id == id) return op;
  }
  return nullptr;
}

template <size_t... i>
constexpr bool TableHolds(std::index_sequence<0, i...>) {
  return HoldsTogether<kOps[0], kOps[0]->FindFault()>() && (HoldsTogether<kOps[i], kOps[i]->FindFault()>() && ...) &&
         (InOrder<kOps[i], kOps[i - 1]>() && ...) && (HasItsId<kOps[i], FirstOfId(kOps[i]->id), kNextFreeId>() && ...);
}
static_assert(TableHolds(std::make_index_sequence<kOpCount>()));

constexpr TextOrder FindOrder(const OpInfo& op, bool with_tmp, int without) {
  TextOrder order;
  const auto add = [&](int operand) {
    if (operand != without) order.Add(operand);
  };
  // A tmp follows the scalar, unless the record has another place for the scalar.
  int left = op.ScalarIndex() < 0 ? -1 : op.scalar_at < 0 ? op.Inputs() : op.scalar_at;
  for (int i = op.Outputs(); i <= op.Tiles(); ++i) {
    if (left-- == 0) add(op.ScalarIndex());
    const bool written = i < op.Tiles() && (with_tmp || op.operands[i].role != Role::kTmp);
    if (written) add(i);
  }
  for (int i = op.Tiles(); i < op.OperandCount(); ++i) {
    if (op.operands[i].role == Role::kInt) add(i);
  }
  return order;
}

// By id.
constexpr auto kOrders = [] {
  std::array<TextOrders, kNextFreeId> all{};
  for (const OpInfo* op : kOps) {
    all[static_cast<size_t>(op->id)] = {FindOrder(*op, true, -1), FindOrder(*op, false, -1),
                                        FindOrder(*op, true, AccumulatorOf(*op))};
  }
  return all;
}();

// Places in kOps, from 1, by id.
constexpr auto kPlaces = [] {
  std::array<uint8_t, kNextFreeId> all{};
  static_assert(kOpCount < 256);
  for (int i = 0; i < kOpCount; ++i) all[static_cast<size_t>(kOps[i]->id)] = static_cast<uint8_t>(i + 1);
  return all;
}();

const OpInfo* const* FirstFrom(std::string_view name) {
  return std::lower_bound(kOps, kOps + kOpCount, name,
                          [](const OpInfo* op, std::string_view key) { return op->name < key; });
}

}  // namespace

const TextOrders& OrdersOf(const OpInfo& op) { return kOrders[static_cast<size_t>(op.id)]; }

const OpInfo* FindOp(std::string_view name) {
  const auto* end = kOps + kOpCount;
  const auto* it = FirstFrom(name);
  return it != end && (*it)->name == name ? *it : nullptr;
}

std::span<const OpInfo* const> FormsOf(std::string_view mnemonic) {
  const auto* end = kOps + kOpCount;
  const auto* first = FirstFrom(mnemonic);
  const auto* last = first;
  while (last != end && (*last)->mnemonic == mnemonic) ++last;
  if (first == last && last != end && (*last)->name == mnemonic && (*last)->own_mnemonic) ++last;
  return {first, last};
}

const OpInfo* FindOp(int32_t id) {
  const size_t place = id >= 0 && id < kNextFreeId ? kPlaces[static_cast<size_t>(id)] : 0;
  return place == 0 ? nullptr : kOps[place - 1];
}

}  // namespace pto
