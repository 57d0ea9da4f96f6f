// Look-up in the op table.
#include "src/ops/table.h"

#include <algorithm>

namespace pto {

const OpInfo* FindOp(std::string_view name) {
  const auto* end = kOps + kOpCount;
  const auto* it =
      std::lower_bound(kOps, end, name, [](const OpInfo* op, std::string_view key) { return op->name < key; });
  return it != end && (*it)->name == name ? *it : nullptr;
}

std::span<const OpInfo* const> FormsOf(std::string_view mnemonic) {
  const auto* end = kOps + kOpCount;
  const auto* first =
      std::lower_bound(kOps, end, mnemonic, [](const OpInfo* op, std::string_view key) { return op->name < key; });
  const auto* last = first;
  while (last != end && (*last)->mnemonic == mnemonic) ++last;
  if (first == last && last != end && (*last)->name == mnemonic && (*last)->own_mnemonic) ++last;
  return {first, last};
}

const OpInfo* FindOp(int32_t id) {
  for (const OpInfo* op : kOps) {
    if (op->id == id) return op;
  }
  return nullptr;
}

}  // namespace pto
