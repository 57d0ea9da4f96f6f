#include "src/ptoas/plan/fuse.h"

#include <algorithm>
#include <span>

#include "src/objects/scalar.h"
#include "src/ptoas/read/ast.h"

namespace pto::ptoas::plan {

namespace {

// A row costs as much as some hundred elements: shorter ones are fused for tests alone.
constexpr int32_t kLeastColumns = 1024;

const pto_tile& TileOf(const Link& link, const Part& part) { return *InstOf(link).tiles[part.index]; }

bool SameWidth(const Link& x, const Link& y) { return LeadOf(x).ValidCols() == LeadOf(y).ValidCols(); }

bool IsFold(const Link& link) { return OpOf(link).walk == Walk::kFold; }

// False: the link has no legs.
bool Make(const Group& group, const Link& link, LinkLegs* made) {
  const OpInfo& op = OpOf(link);
  const pto_inst& inst = InstOf(link);
  if (link.parts.empty() || inst.flags != 0 || LeadOf(link).ValidCols() % kRelayUnit != 0) return false;
  made->out = link.parts.data();
  if (IsFold(link)) {
    if (op.operands[0].extent != Extent::kRowResults || link.parts.size() != 2) return false;
    if (op.lane != Lane::kAdd) return false;
    made->legs.first = Leg::kSum;
    made->folds = true;
    made->count = 1;
    made->sources[0] = &link.parts[1];
  } else {
    const QuickForm& form = op.form;
    if ((op.walk != Walk::kMap && op.walk != Walk::kPartial) || form.sources < 1) return false;
    made->legs = LegsOf(op.lane);
    made->count = form.sources + (form.scalar >= 0 ? 1 : 0);
    const int sources = made->legs.second == Leg::kEnd ? 1 : 2;
    if (made->legs.first == Leg::kEnd || made->count != sources || !made->out->whole) return false;
    if (link.parts.size() != static_cast<size_t>(form.sources) + 1) return false;
    for (int i = 0; i < form.sources; ++i) made->sources[form.at[i]] = &link.parts[static_cast<size_t>(i) + 1];
    if (form.scalar >= 0) made->along[form.scalar] = Along::kElement;
  }
  for (const Part& part : link.parts) {
    const pto_tile& tile = TileOf(link, part);
    const Place& place = group.places[part.place];
    if (tile.dtype() != DType::kF32 || part.turned) return false;
    const bool element = tile.ValidCols() == 1;
    const bool full = tile.ValidCols() == LeadOf(link).ValidCols() && tile.layout.col_step == 1;
    const bool row = !place.moves && tile.ValidCols() >= LeadOf(link).ValidCols() && tile.layout.col_step == 1;
    if (!element && !full && !row) return false;
    if (element ? !place.moves : place.shares) return false;
    for (int i = 0; i < made->count; ++i) {
      if (made->sources[i] == &part) made->along[i] = element ? Along::kElement : Along::kRow;
    }
  }
  return made->folds ? made->along[0] == Along::kRow && TileOf(link, *made->out).ValidCols() == 1 : true;
}

// Each has at most five steps, and a few steps fetch.
constexpr size_t kMostLinks = (kMostSteps - kMostFetched) / 5;

// What a link of a run computes.
struct OfRun {
  uint32_t link = 0;
  const LinkLegs* made = nullptr;
  int kept = -1;  // the source that is in the registers
  bool stored = false;
};

// One run: decides what is stored, then lists the steps.
class Run {
 public:
  Run(Chain* chain, Group* group, bool leaves, uint32_t begin)
      : chain_(*chain), group_(*group), leaves_(leaves), begin_(begin) {}

  // Returns the first link after it.
  uint32_t Make() {
    uint32_t end = begin_;
    for (bool open = true; end < group_.end && open; ++end) {
      const Link& link = chain_.links[end];
      if (link.passes && OpOf(link).Stores()) continue;
      if (!link.fused || !SameWidth(link, chain_.links[begin_]) || count_ == kMostLinks) break;
      open = !IsFold(link);
      Add(end);
    }
    for (OfRun& value : Values()) {
      if (!value.made->folds && !value.stored) value.stored = IsLast(value) && IsLive(value);
    }
    // To read once less gains nothing; to store once less does.
    const auto vanishes = [](const OfRun& value) { return !value.stored && !value.made->folds; };
    if (chain_.least_bytes != 0 && Count(vanishes) == 0) return end;
    const auto first = static_cast<uint32_t>(group_.steps.size());
    for (const OfRun& value : Values()) List(value);
    const auto run = static_cast<int32_t>(group_.runs.size());
    for (const OfRun& value : Values()) chain_.links[value.link].run = run;
    group_.runs.push_back({begin_, first, static_cast<uint32_t>(group_.steps.size()) - first});
    return end;
  }

 private:
  static bool Same(const Part& x, const Part& y) { return x.place == y.place && x.data == y.data && x.step == y.step; }

  void Add(uint32_t at) {
    OfRun value;
    value.link = at;
    value.made = &chain_.links[at].legs;
    const LinkLegs& made = *value.made;
    for (int i = made.count - 1; i >= 0 && state_ != nullptr; --i) {
      if (made.along[i] == Along::kRow && Same(*made.sources[i], *state_)) value.kept = i;
    }
    for (int i = 0; i < made.count; ++i) {
      if (i == value.kept || made.sources[i] == nullptr) continue;
      const uint32_t place = made.sources[i]->place;
      const auto writes = [place](const OfRun& v) { return v.made->out->place == place; };
      const auto values = Values();
      const auto writer = std::find_if(values.rbegin(), values.rend(), writes);
      if (writer != values.rend()) writer->stored = true;
    }
    state_ = made.out;
    values_[count_++] = value;
  }

  // Whether no later link of the run writes the place.
  bool IsLast(const OfRun& value) const {
    const auto writes = [&value](const OfRun& v) {
      return v.link > value.link && v.made->out->place == value.made->out->place;
    };
    return Count(writes) == 0;
  }

  // Whether something after the run reads what it left in the place.
  bool IsLive(const OfRun& value) const {
    const uint32_t place = value.made->out->place;
    const auto in_run = [this](uint32_t at) { return Count([at](const OfRun& v) { return v.link == at; }) != 0; };
    for (uint32_t i = value.link + 1; i < group_.end; ++i) {
      if (in_run(i)) continue;
      bool writes = false;
      for (const Part& part : chain_.links[i].parts) {
        if (part.place != place) continue;
        if (!part.out || !part.whole) return true;
        writes = true;
      }
      if (writes) return false;
    }
    return !leaves_ || !group_.places[place].is_private;
  }

  void List(const OfRun& value) {
    const LinkLegs& made = *value.made;
    const Link& link = chain_.links[value.link];
    const auto source = [&](Leg leg, int i) {
      FusedStep step{leg, made.along[i], made.sources[i], 0};
      uint64_t bits = 0;
      if (step.part == nullptr) ScalarBits(InstOf(link).scalar, DType::kF32, &bits);
      step.bits = static_cast<uint32_t>(bits);
      Put(step);
    };
    if (value.kept < 0) {
      source(Leg::kLoad, 0);
      any_nan_ = false;
    }
    const Leg leg = value.kept == 1 ? made.legs.second : made.legs.first;
    if (made.folds) return Put({leg, Along::kElement, made.out, 0});
    if (made.count == 2) {
      source(leg, value.kept == 1 ? 0 : 1);
    } else {
      Put({leg, Along::kNone, nullptr, 0});
    }
    any_nan_ = MakesNaN(leg);
    if (made.legs.then != Leg::kEnd) {
      Put({made.legs.then, Along::kNone, nullptr, 0});
      any_nan_ = MakesNaN(made.legs.then);
    }
    if (!value.stored) return;
    if (any_nan_) Put({Leg::kNaN, Along::kNone, nullptr, 0});
    any_nan_ = false;
    // Elements of such a row may be computed twice.
    const auto stores = [](const OfRun& v) { return v.stored || v.made->folds; };
    const bool past = link.past_caches && Count(stores) == 1;
    Put({past ? Leg::kPast : Leg::kStore, Along::kRow, made.out, 0});
  }

  std::span<OfRun> Values() { return {values_, count_}; }
  std::span<const OfRun> Values() const { return {values_, count_}; }
  template <class Is>
  ptrdiff_t Count(Is is) const {
    return std::count_if(values_, values_ + count_, is);
  }
  void Put(const FusedStep& step) { group_.steps.push_back(step); }

  Chain& chain_;
  Group& group_;
  const bool leaves_;
  const uint32_t begin_;
  OfRun values_[kMostLinks];
  size_t count_ = 0;
  const Part* state_ = nullptr;  // what is in the registers
  bool any_nan_ = false;         // there, not canonical
};

}  // namespace

void FindFused(Chain* chain, const Group& group) {
  Link* before = nullptr;
  for (uint32_t i = group.begin; i < group.end; ++i) {
    Link& link = chain->links[i];
    link.fused = false;
    if (link.window != kNoPlace) continue;
    LinkLegs& made = link.legs;
    made = LinkLegs();
    const bool worth = chain->least_bytes == 0 || LeadOf(link).ValidCols() >= kLeastColumns;
    if (!worth || !Make(group, link, &made)) {
      before = nullptr;
      continue;
    }
    if (before != nullptr && SameWidth(*before, link)) before->fused = link.fused = true;
    before = made.folds ? nullptr : &link;
  }
}

void Fuse(Chain* chain, Group* group, bool leaves) {
  group->steps.clear();
  group->runs.clear();
  for (uint32_t i = group->begin; i < group->end; ++i) chain->links[i].run = -1;
  for (uint32_t i = group->begin; i < group->end;) {
    const Link& link = chain->links[i];
    i = link.fused && !link.passes ? Run(chain, group, leaves, i).Make() : i + 1;
  }
}

}  // namespace pto::ptoas::plan
