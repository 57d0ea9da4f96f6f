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

// Only of a report, and where one core has all of UB. No byte of the area was written: a part may be, as tails of data
// are shorter than registers.
void Machine::FollowUb(const Stmt& stmt, std::span<const sync::Access> accesses) {
  constexpr std::ptrdiff_t kMostSpans = 1024;
  static constexpr char kUnwritten[] = "ub-unwritten";
  const Box* ub = memories_[static_cast<int>(Loc::kVec)].box();
  const auto first = reinterpret_cast<uintptr_t>(ub == nullptr ? nullptr : ub->data);
  const auto inside = [&](const sync::Area& area) {
    return ub != nullptr && area.begin >= first && area.end() <= first + static_cast<uintptr_t>(ub->extent);
  };
  for (const sync::Access& access : accesses) {
    if (access.use != sync::Use::kRead || access.loose || !inside(access.area)) continue;
    const auto begin = static_cast<int64_t>(access.area.begin);
    const auto end = static_cast<int64_t>(access.area.end());
    if (ub_written_.Any(begin, end) || !warned_.emplace(&stmt, kUnwritten).second) continue;
    const auto at = begin - static_cast<int64_t>(first);
    state_->found.Add(kUnwritten, "Copy or store the data first, or fix the address.", stmt.offset, stmt.length,
                      "bytes " + std::to_string(at) + " to " + std::to_string(at + end - begin - 1) +
                          " of UB are read before they are written",
                      false);
  }
  for (const sync::Access& access : accesses) {
    if (sync::IsRead(access.use) || (access.global && !inside(access.area))) continue;
    ub_written_.Add(static_cast<int64_t>(access.area.begin), static_cast<int64_t>(access.area.end()));
  }
  if (ub_written_.end() - ub_written_.begin() > kMostSpans) follows_ = false;  // which costs time
}

}  // namespace pto::ptoas
