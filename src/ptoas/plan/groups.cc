// Makes the groups of a chain: see plan.h.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "src/ptoas/plan/chain.h"
#include "src/ptoas/plan/fuse.h"

namespace pto::ptoas::plan {

Meet MeetingOf(const Place& x, const Place& y, int32_t rows) {
  const auto end = [rows](const Place& p) { return p.own.data + (p.moves ? (rows - 1) * p.own.pitch : 0) + p.bytes; };
  if (x.own.data >= end(y) || y.own.data >= end(x)) return Meet::kApart;
  if (!x.written && !y.written) return Meet::kByRows;
  if (!x.moves || !y.moves || x.own.pitch != y.own.pitch) return Meet::kAcross;
  const uint8_t* const first = std::min(x.own.data, y.own.data);
  const bool inside = x.own.data - first + x.bytes <= x.own.pitch && y.own.data - first + y.bytes <= x.own.pitch;
  return inside ? Meet::kByRows : Meet::kAcross;
}

namespace {

class Maker {
 public:
  Maker(Chain* chain, bool relay) : chain_(*chain), relay_(relay) {}

  void Make() {
    chain_.groups.clear();
    for (uint32_t i = 0; i < chain_.links.size(); ++i) {
      for (const SiteArg& arg : chain_.links[i].node->site->args) {
        if (arg.tile != nullptr) links_of_.try_emplace(arg.tile, i, i).first->second.second = i;
      }
    }
    int64_t bytes = 0;
    const auto count = static_cast<uint32_t>(chain_.links.size());
    for (uint32_t i = 0; i < count;) {
      group_ = Group();
      group_.begin = group_.end = i;
      group_.rows = LeadOf(chain_.links[i]).ValidRows();
      while (group_.end < count && group_.rows >= 2 && Add(group_.end)) ++group_.end;
      if (group_.end == i) group_.end = i + 1;
      if (group_.end - i >= 2) Finish();
      for (const Place& place : group_.places) bytes += place.moves ? place.bytes * group_.rows : 0;
      i = group_.end;
      chain_.groups.push_back(std::move(group_));
    }
    chain_.small = bytes < chain_.least_bytes;
  }

 private:
  // False: the link is not one of the group, which stays as it was.
  bool Add(uint32_t at) {
    Link& link = chain_.links[at];
    const OpInfo& op = OpOf(link);
    const pto_inst& inst = InstOf(link);
    const pto_tile& lead = LeadOf(link);
    const std::vector<Place> before = group_.places;
    const std::vector<uint32_t> windows = group_.windows;
    link.parts.clear();
    link.window = kNoPlace;
    // One row with an element for each row of the group: elements move as rows do.
    const bool turns = lead.ValidRows() == 1 && lead.ValidCols() == group_.rows &&
                       (op.walk == Walk::kMap || op.walk == Walk::kPartial || op.walk == Walk::kMove);
    bool fits = lead.ValidRows() == group_.rows || turns;
    for (int i = 0; i < op.Needed() && fits; ++i) {
      if (IsTensor(op.operands[i].role)) {
        link.window = static_cast<uint32_t>(group_.places.size());
        Place& place = group_.places.emplace_back();
        place.bytes = int64_t{lead.ValidCols()} * lead.ElementBytes();
        place.last = at;
        place.moves = true;
        place.written = op.Stores();
        group_.windows.push_back(link.window);
      } else {
        fits = AddTile(at, i, *inst.tiles[i], turns);
      }
    }
    fits = fits && group_.places.size() <= kMostPlaces;
    for (size_t i = 0; i < group_.places.size() && fits; ++i) {
      for (size_t j = 0; j < i && fits; ++j) {
        const Place &x = group_.places[i], &y = group_.places[j];
        if (x.tile != nullptr && y.tile != nullptr) fits = MeetingOf(x, y, group_.rows) != Meet::kAcross;
      }
    }
    link.fused = false;
    if (fits) return true;
    group_.places = before;
    group_.windows = windows;
    link.parts.clear();
    link.window = kNoPlace;
    return false;
  }

  bool AddTile(uint32_t at, int index, const pto_tile& tile, bool turns) {
    const Link& link = chain_.links[at];
    const OpInfo& op = OpOf(link);
    const pto::Operand& operand = op.operands[index];
    const pto_tile& lead = LeadOf(link);
    const int64_t size = tile.ElementBytes();
    if ((tile.kind & kKindPacked) != 0 || !tile.layout.Seamless() || tile.geometry.compact != Compact::kNull) {
      return false;
    }
    Place place;
    place.tile = &tile;
    place.moves = true;
    place.own = {tile.data, tile.layout.row_step * size};
    bool whole = IsWritten(operand.role) && operand.role == Role::kOut;
    const bool rows = tile.layout.col_step == 1 || tile.ValidCols() == 1;
    switch (operand.extent) {
      case Extent::kSame:
      case Extent::kPart:
      case Extent::kRepeat:
        if (operand.extent == Extent::kRepeat ? tile.ValidRows() != lead.ValidRows() : tile.valid != lead.valid) {
          return false;
        }
        if (!rows || (turns && tile.valid != lead.valid)) return false;
        place.bytes = tile.ValidCols() * size;
        break;
      case Extent::kColumn:
      case Extent::kRowResults:
        if (turns || tile.ValidRows() < group_.rows) return false;
        place.bytes = size;
        whole &= tile.ValidCols() == 1 && tile.ValidRows() == group_.rows;
        break;
      case Extent::kBits:
        if (turns || !rows || tile.ValidRows() != group_.rows) return false;
        place.bytes = (int64_t{lead.ValidCols()} + 7) / 8;
        whole = false;
        break;
      case Extent::kRow:
        if (turns) return false;
        place.moves = false;
        place.own.pitch = 0;
        place.bytes = tile.bytes;
        break;
      default:
        return false;
    }
    if (turns) {
      if (tile.layout.col_step != 1) return false;
      place.own.pitch = place.bytes = size;
    }
    Part part;
    part.index = static_cast<int8_t>(index);
    part.out = IsWritten(operand.role);
    part.whole = whole;
    part.turned = turns;
    auto& places = group_.places;
    const auto found = std::find_if(places.begin(), places.end(), [&](const Place& p) { return p.tile == &tile; });
    part.place = static_cast<uint32_t>(found - places.begin());
    if (found == places.end()) {
      const bool reads = ReadsTile(link, &tile);
      place.begins_written = whole && !reads;
      place.written = part.out;
      place.is_private = IsPrivate(link, tile);
      place.last = at;
      places.push_back(place);
    } else {
      if (found->moves != place.moves || found->own.pitch != place.own.pitch) return false;
      found->bytes = std::max(found->bytes, place.bytes);
      found->written |= part.out;
      found->last = at;
    }
    chain_.links[at].parts.push_back(part);
    return true;
  }

  static bool ReadsTile(const Link& link, const pto_tile* tile) {
    const OpInfo& op = OpOf(link);
    for (int i = 0; i < op.Needed(); ++i) {
      if (InstOf(link).tiles[i] == tile && op.operands[i].role != Role::kOut) return true;
    }
    return false;
  }

  bool IsPrivate(const Link& link, const pto_tile& tile) const {
    for (const SiteArg& arg : link.node->site->args) {
      if (arg.tile != &tile) continue;
      const auto& slots = chain_.private_slots;
      return std::find(slots.begin(), slots.end(), arg.slot) != slots.end();
    }
    return false;
  }

  // What the group's links do to its places, one after the other.
  void Finish() {
    auto& places = group_.places;
    for (Place& place : places) {
      if (place.tile == nullptr) continue;
      for (const Place& other : places) {
        if (&other == &place || other.tile == nullptr) continue;
        place.shares |= MeetingOf(place, other, group_.rows) != Meet::kApart;
      }
      const auto [first, last] = links_of_.at(place.tile);
      const bool alone = first >= group_.begin && last < group_.end;
      place.is_private &= alone && place.begins_written && !place.shares;
    }
    for (uint32_t i = group_.begin; i < group_.end; ++i) {
      Link& link = chain_.links[i];
      if (link.window == kNoPlace) continue;
      Place& tile = places[link.parts[0].place];
      if (OpOf(link).Stores()) {
        tile.store = tile.last == i && tile.store == kNoPlace ? link.window : kNoPlace;
        continue;
      }
      link.last_word = link.part_first = false;
      for (uint32_t j = i + 1; j < group_.end && !link.last_word && !link.part_first; ++j) {
        for (const Part& part : chain_.links[j].parts) {
          if (part.place != link.parts[0].place || !part.out) continue;
          (part.whole ? link.last_word : link.part_first) = true;
        }
      }
    }
    if (relay_) FindFused(&chain_, group_);
    for (uint32_t i = group_.begin; i < group_.end; ++i) {
      const Walk walk = OpOf(chain_.links[i]).walk;
      group_.folds |= (walk == Walk::kFold || walk == Walk::kArgFold) && !chain_.links[i].fused;
    }
    MakeViews();
  }

  void MakeViews() {
    chain_.views.resize(chain_.links.size());
    for (uint32_t i = group_.begin; i < group_.end; ++i) {
      Link& link = chain_.links[i];
      auto& views = chain_.views[i];
      views = std::vector<pto_tile>(link.parts.size());
      link.tiles.assign(std::begin(InstOf(link).tiles), std::end(InstOf(link).tiles));
      for (size_t k = 0; k < link.parts.size(); ++k) {
        const pto_tile& tile = *InstOf(link).tiles[link.parts[k].index];
        pto_tile& view = views[k];
        view.kind = tile.kind;
        view.valid = tile.valid;
        view.data = tile.data;
        view.bytes = tile.bytes;
        view.line = tile.line;
        view.ready = view.legal = profiles::kEvery;
        view.geometry = tile.geometry;
        view.layout = tile.layout;
        link.tiles[static_cast<size_t>(link.parts[k].index)] = &view;
      }
    }
  }

  Chain& chain_;
  const bool relay_;  // the target has them
  Group group_;
  std::unordered_map<const pto_tile*, std::pair<uint32_t, uint32_t>> links_of_;  // the first and the last link
};

}  // namespace

void MakeGroups(Chain* chain, bool relay) { Maker(chain, relay).Make(); }

}  // namespace pto::ptoas::plan
