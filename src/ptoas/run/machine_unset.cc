// Outputs that are read before they are written.
#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/sync_tile.h"
#include "src/ptoas/run/unset.h"

namespace pto::ptoas {

// A statement reads before it writes. Where it is not known which bytes it reads, it may read any; which it writes, it
// may have written all. An area that has bytes of others is not looked at.
void Machine::NeedData(const Stmt& stmt, std::span<const sync::Access> accesses) {
  for (const sync::Access& access : accesses) {
    const bool reads = sync::IsRead(access.use) || access.use == sync::Use::kAdd || access.updates;
    if (!reads || access.loose) continue;
    const Unset::Missing missing = options_.unset->Find(access.area);
    if (missing.argument.empty()) continue;
    std::string_view name = missing.argument;  // or its number
    for (size_t i = 0; i < bound_.size(); ++i) {
      if (bound_[i] != nullptr && bound_[i]->name == missing.argument) name = entry_->args[i]->name;
    }
    state_->argument_at_fault = name;
    Fail(stmt, Rule::kUnboundArgument, "byte %lld of %%%.*s is read before it is written, and %%%.*s has no data",
         static_cast<long long>(missing.byte), static_cast<int>(name.size()), name.data(),
         static_cast<int>(name.size()), name.data());
  }
  for (const sync::Access& access : accesses) {
    if (!sync::IsRead(access.use)) options_.unset->Write(access.area);
  }
}

void Machine::NeedTile(const Stmt& stmt, std::string_view name, pto_tile* tile) {
  const sync::Access access{.area = sync::AreaOf(tile, sync::ValidOf(tile)), .name = name};
  NeedData(stmt, {&access, 1});
}

}  // namespace pto::ptoas
