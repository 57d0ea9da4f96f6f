// Runs the links of a chain by rows: see plan.h.
#include <algorithm>
#include <cstdio>

#include "src/engine/execute.h"
#include "src/engine/rearrange.h"
#include "src/kernels/stream.h"
#include "src/objects/fp_env.h"
#include "src/ptoas/plan/chain.h"
#include "src/ptoas/plan/fuse.h"
#include "src/ptoas/plan/uses.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas::plan {

namespace {

// The bytes of rows that are worked on together, of all places: they stay in the second cache.
constexpr int64_t kStripBytes = 128 << 10;
constexpr int64_t kLine = 64;
// The lines that are fetched ahead together: more than the processor waits for at once would keep it from working.
constexpr int64_t kMostAhead = 64;
// Relays write shorter rows that are not aligned into strips: to compute their ends twice costs more.
constexpr int64_t kLongRow = 4096;
// Kernels that fold rows take this number at a time, and as long for fewer.
constexpr int64_t kFoldRows = 8;
// Rounds that a chain runs the plain way after one without a gain: 1, 3, 7 and so on, in which windows may have moved.
constexpr int32_t kMostIdle = 255;

// Runs one group.
class Runner {
 public:
  Runner(Machine& machine, Chain& chain, Group& group, bool leaves)
      : machine_(machine), ctx_(machine.ctx()), chain_(chain), group_(group), leaves_(leaves) {}

  // False: it must run the plain way, and nothing was done.
  bool Run() {
    for (uint32_t i = group_.begin; i < group_.end; ++i) {
      Link& link = chain_.links[i];
      if (link.window == kNoPlace) continue;
      if (!FindWindow(link)) return false;
      const auto same = [&](uint32_t w) { return group_.places[w].storage == InstOf(link).tensor->storage; };
      const auto here = std::find(group_.windows.begin(), group_.windows.end(), link.window);
      if (std::none_of(group_.windows.begin(), here, same)) tensors_ += BytesOf(link);
    }
    for (const uint32_t w : group_.windows) group_.places[w].shares = false;
    for (const uint32_t w : group_.windows) {
      Place& window = group_.places[w];
      for (Place& other : group_.places) {
        if (&other == &window) continue;
        const Meet meet = MeetingOf(window, other, group_.rows);
        if (meet == Meet::kAcross) return false;
        // Both are only read.
        if (!window.written && !other.written) continue;
        if (meet == Meet::kByRows && other.tile != nullptr) return false;
        window.shares |= meet == Meet::kByRows && !(other.written && ReadsFirst(window, other));
      }
    }
    const int32_t height = PlaceAll();
    if (height == 0) return false;
    Fuse(&chain_, &group_, leaves_);
    if (chain_.print && (chain_.printed >> group_.begin % 64 & 1) == 0) Print(height);
    Strips(height);
    return true;
  }

 private:
  bool FindWindow(Link& link) {
    const pto_tensor& tensor = *InstOf(link).tensor;
    const pto_tile& tile = LeadOf(link);
    const MatrixView& view = tensor.view;
    const int64_t size = tile.ElementBytes();
    if (Info(tensor.shape.dtype).bits != size * 8) return false;
    if (view.rows.extent < tile.ValidRows() || view.cols.extent < tile.ValidCols()) return false;
    if (view.rows.dim[0] < tile.ValidRows() || view.cols.dim[0] < tile.ValidCols()) return false;
    if (view.cols.stride[0] != 1 && tile.ValidCols() != 1) return false;
    Place& place = group_.places[link.window];
    place.own = {tensor.data, view.rows.stride[0] * size};
    place.storage = tensor.storage;
    const auto now = reinterpret_cast<uintptr_t>(tensor.data);
    link.stride = link.before == 0 ? 0 : now - link.before;
    link.before = now;
    // Rows that overlap are the plain way's.
    return !place.written || place.own.pitch >= place.bytes;
  }

  // Whether the rows of a window that is only read are not needed after these are written, as where a tensor is updated
  // in place.
  bool ReadsFirst(const Place& window, const Place& to) const {
    return !window.written && group_.places[chain_.links[window.last].parts[0].place].last <= to.last;
  }

  // Where each link finds its operands. Returns the rows of a strip, 0: the plain way is as good, or there is no
  // memory.
  int32_t PlaceAll() {
    int64_t scratch = 0;
    for (Place& place : group_.places) {
      place.now = place.own;
      const bool strip = leaves_ && place.is_private && place.bytes >= kLine;
      if (strip) scratch += RoundUp(place.bytes, kLine);
    }
    int64_t bytes = 0;
    for (const Place& place : group_.places) bytes += place.moves ? place.bytes : 0;
    const bool fused = std::any_of(chain_.links.begin() + group_.begin, chain_.links.begin() + group_.end,
                                   [](const Link& link) { return link.fused; });
    // Most places of a fused run are in no memory.
    const auto height = static_cast<int32_t>(std::min<int64_t>(
        RoundUp(std::max<int64_t>((fused ? 3 : 1) * kStripBytes / bytes, 1), group_.folds ? kFoldRows : 1),
        group_.rows));
    uint8_t* room = scratch == 0 ? nullptr : chain_.scratch.Take(scratch * height);
    if (scratch != 0 && room == nullptr) return 0;
    int64_t saved = 0;  // bytes that are not copied
    for (Place& place : group_.places) {
      place.now = place.own;
      if (!leaves_ || !place.is_private || place.bytes < kLine) continue;
      strips_[&place - group_.places.data()] = room;
      room += RoundUp(place.bytes, kLine) * height;
    }
    for (uint32_t i = group_.begin; i < group_.end; ++i) {
      Link& link = chain_.links[i];
      link.passes = link.past_caches = false;
      if (link.window != kNoPlace && !OpOf(link).Stores()) {
        Place& tile = group_.places[link.parts[0].place];
        const Place& window = group_.places[link.window];
        const bool unseen = leaves_ && tile.is_private;
        link.passes = !tile.shares && !window.shares && !link.part_first && (link.last_word || unseen);
        if (link.passes) {
          if (!unseen)
            FillOutside(Mover(*ctx_, LeadOf(link).ElementBytes()), LeadOf(link), LeadOf(link).ValidRows(),
                        LeadOf(link).ValidCols(), LeadOf(link).StoredRows());
          tile.now = window.own;
        } else {
          Target(link.parts[0], nullptr);
        }
        saved += link.passes ? window.bytes * group_.rows : 0;
        Set(link, 0);
        continue;
      }
      if (link.window != kNoPlace) {
        Set(link, 0);
        const Place& window = group_.places[link.window];
        link.passes = link.parts[0].data == window.own.data;
        saved += link.passes ? window.bytes * group_.rows : 0;
        continue;
      }
      for (size_t k = 0; k < link.parts.size(); ++k) {
        if (!link.parts[k].out) Set(link, k);
      }
      for (size_t k = 0; k < link.parts.size(); ++k) {
        if (!link.parts[k].out) continue;
        if (link.parts[k].whole) Target(link.parts[k], &link);
        Set(link, k);
      }
    }
    return height < group_.rows || fused || (saved > 0 && saved >= chain_.least_bytes / 2) ? height : 0;
  }

  // Whether a tensor that is written, or all tensors of the group with it, are more than the caches hold, though a
  // chain touches only a part of them at a time. Then the last link writes it past the caches, if it is a map. Else a
  // strip of scratch stays in the cache, and a store copies it past the caches: to write the tensor as usual reads its
  // lines first.
  static bool IsLarge(const Link& link) { return BytesOf(link) >= tuning.stream_bytes; }
  bool IsLargeTogether(const Link& link) const {
    return tensors_ >= tuning.stream_bytes && BytesOf(link) >= tuning.stream_bytes / 4;
  }
  static uint64_t BytesOf(const Link& link) { return static_cast<uint64_t>(InstOf(link).tensor->storage->bytes); }

  // Where a link writes all of a tile; nullptr: a load.
  void Target(const Part& part, Link* link) {
    Place& place = group_.places[part.place];
    place.now = place.own;
    if (!leaves_ || !place.is_private) return;
    const bool stores = place.store != kNoPlace;
    // The link before the store, if it writes what is stored.
    const Link* const writer = stores && place.last > group_.begin ? &chain_.links[place.last - 1] : nullptr;
    const bool streams = writer != nullptr && Streams(*writer, part.place);
    const Link& store = chain_.links[place.last];
    const bool large = stores && (streams ? IsLargeTogether(store) : IsLarge(store));
    if (place.store != kNoPlace && !group_.places[place.store].shares && (!large || (streams && link == writer))) {
      place.now = group_.places[place.store].own;
      if (large) link->past_caches = true;
    } else if (place.bytes >= kLine) {
      place.now = {strips_[part.place], RoundUp(place.bytes, kLine)};
    }
  }

  // Whether a link writes all of a place, and its kernel writes past the caches as fast as into them. With an element
  // for each row kernels prepare what depends on it, except for those past the caches. Fused ones compute the ends of
  // rows twice.
  bool Streams(const Link& link, uint32_t at) const {
    bool writes = false;
    for (const Part& part : link.parts) {
      writes |= part.place == at && part.whole;
      if (!link.fused && InstOf(link).tiles[part.index]->ValidCols() == 1) return false;
    }
    const RowMemory& to = group_.places[group_.places[at].store].own;
    const bool ends = (reinterpret_cast<uintptr_t>(to.data) | static_cast<uintptr_t>(to.pitch)) % kLine != 0;
    return writes && (link.fused ? !ends || group_.places[at].bytes >= kLongRow : OpOf(link).walk == Walk::kMap);
  }

  void Set(Link& link, size_t k) {
    Part& part = link.parts[k];
    const Place& place = group_.places[part.place];
    part.data = place.now.data;
    part.strip = place.now.data == strips_[part.place];
    part.step = place.now.pitch;
    pto_tile& view = chain_.views[Index(link)][k];
    if (!place.moves || part.turned) return;
    const int64_t size = view.ElementBytes();
    view.layout.row_step = place.now.pitch / size;
    view.line = view.layout.LineStep();
  }
  size_t Index(const Link& link) const { return static_cast<size_t>(&link - chain_.links.data()); }

  void Strips(int32_t height) {
    // Calls that fail before anything is written are the only ones that fail: memory is out, or the run is stopped.
    const ChecksPassed passed(ctx_);
    for (int32_t row = 0; row < group_.rows; row += height) {
      const int32_t rows = std::min(height, group_.rows - row);
      strip_row_ = row;
      Ahead ahead(*this, row + rows, height);
      for (uint32_t i = group_.begin; i < group_.end; ++i) {
        const Link& link = chain_.links[i];
        if (link.passes) continue;
        if (link.run < 0) {
          RunLinkRows(i, row, rows);
        } else if (const FusedRun& run = group_.runs[static_cast<size_t>(link.run)]; run.link == i) {
          RunFused(run, row, rows, ahead);
        } else {
          continue;
        }
        ahead.Fetch();
      }
    }
  }

  // What the next strip reads from tensors, fetched a part after each link of this one. After the last strip it is what
  // the next round reads, which is expected to be as far from this round as this one is from the one before.
  class Ahead {
   public:
    Ahead(const Runner& runner, int32_t row, int32_t height) {
      const Group& group = runner.group_;
      const bool here = row < group.rows;
      const int32_t from = here ? row : 0;
      int64_t works = 0;
      int64_t lines = 0;
      for (uint32_t i = group.begin; i < group.end; ++i) {
        const Link& link = runner.chain_.links[i];
        works += link.passes || (link.run >= 0 && group.runs[static_cast<size_t>(link.run)].link != i) ? 0 : 1;
        if (link.window == kNoPlace || OpOf(link).Stores() || count_ == kMostFetched) continue;
        const Place& window = group.places[link.window];
        const int32_t rows = std::min(height, group.rows - from);
        const auto offset = static_cast<uintptr_t>(from * window.own.pitch) + (here ? 0 : link.stride);
        windows_[count_++] = {reinterpret_cast<uintptr_t>(window.own.data) + offset, window.own.pitch, window.bytes,
                              rows};
        lines += rows * ((window.bytes + kLine - 1) / kLine);
      }
      part_ = works == 0 ? 0 : (lines + works - 1) / works;
      if (!group.runs.empty()) part_ = 0;
      if (part_ > kMostAhead) count_ = 0;
    }
    // The same as steps of a fused run.
    int List(RelayStep* steps) const {
      for (int i = 0; i < count_; ++i) {
        steps[i] = {Leg::kFetch, Along::kRow, reinterpret_cast<uint8_t*>(windows_[i].data), windows_[i].pitch};
      }
      return count_;
    }
    void Fetch() {
      for (int64_t left = part_; left > 0 && now_ < count_; --left) {
        Window& window = windows_[now_];
        __builtin_prefetch(reinterpret_cast<const void*>(window.data + static_cast<uintptr_t>(done_)));
        done_ += kLine;
        if (done_ < window.bytes) continue;
        done_ = 0;
        window.data += static_cast<uintptr_t>(window.pitch);
        if (--window.rows == 0) ++now_;
      }
    }

   private:
    struct Window {
      uintptr_t data;
      int64_t pitch, bytes;
      int32_t rows;
    };
    Window windows_[kMostFetched];
    int count_ = 0, now_ = 0;
    int64_t part_ = 0, done_ = 0;
  };

  void RunLinkRows(uint32_t at, int32_t row, int32_t rows) {
    Link& link = chain_.links[at];
    auto& views = chain_.views[at];
    if (link.window != kNoPlace) return Transfer(link, views[0], row, rows);
    for (size_t k = 0; k < link.parts.size(); ++k) View(link.parts[k], &views[k], row, rows);
    const pto_inst& inst = InstOf(link);
    Args args = inst.Call();
    args.tiles = link.tiles.data();
    ctx_->past_caches = link.past_caches;
    const Status status = link.past_caches ? CheckAndRun(ctx_, OpOf(link), args) : inst.run(ctx_, args, nullptr, false);
    ctx_->past_caches = false;
    if (status != Status::kOk) machine_.Called(*link.node->stmt, static_cast<pto_status>(status));
  }

  // The last run fetches what the next strip reads.
  void RunFused(const FusedRun& run, int32_t row, int32_t rows, const Ahead& ahead) const {
    RelayStep steps[kMostSteps];
    int count = &run == &group_.runs.back() ? ahead.List(steps) : 0;
    for (uint32_t i = 0; i < run.count; ++i) {
      FusedStep& step = group_.steps[run.first + i];
      RelayStep& to = steps[count++];
      to = {step.leg, step.along, reinterpret_cast<uint8_t*>(&step.bits), 0};
      if (step.part == nullptr) continue;
      to.data = RowAt(*step.part, row);
      to.line = step.part->step;
    }
    const DefaultFpEnv fp_env;
    const auto columns = static_cast<size_t>(LeadOf(chain_.links[run.link]).ValidCols());
    ctx_->kernels->relay(steps, count, static_cast<size_t>(rows), columns);
  }

  uint8_t* RowAt(const Part& part, int32_t row) const {
    return part.data + (part.strip ? row - strip_row_ : row) * part.step;
  }

  void View(const Part& part, pto_tile* view, int32_t row, int32_t rows) const {
    const Place& place = group_.places[part.place];
    view->data = RowAt(part, row);
    if (!place.moves) return;
    if (part.turned) {
      view->valid = PackValid(1, rows);
      view->bytes = rows * place.bytes;
      return;
    }
    view->valid = PackValid(rows, view->ValidCols());
    view->bytes = (rows - 1) * view->layout.row_step * view->ElementBytes() + place.bytes;
  }

  void Transfer(const Link& link, const pto_tile& view, int32_t row, int32_t rows) const {
    const Place& window = group_.places[link.window];
    const Part& part = link.parts[0];
    const int64_t size = view.ElementBytes();
    const pto_tile& tile = LeadOf(link);
    const Plane on_tile{RowAt(part, row), view.layout.row_step, 1};
    const Plane on_tensor{window.own.data + row * window.own.pitch, window.own.pitch / size, 1};
    const Mover mover(*ctx_, static_cast<int>(size));
    if (OpOf(link).Stores() && IsLargeTogether(link)) {
      const auto bytes = static_cast<size_t>(tile.ValidCols() * size);
      const Kernel& copy = ctx_->kernels->at[static_cast<int>(Lane::kCopy)][static_cast<int>(DType::kU8)];
      const ptrdiff_t from = part.step, to = window.own.pitch;
      return CallPastCaches(
          copy, {on_tensor.data, on_tile.data, on_tile.data, to, from, from, 1, 1, static_cast<size_t>(rows), bytes});
    }
    if (OpOf(link).Stores()) return mover.Planes(on_tensor, on_tile, rows, tile.ValidCols());
    if (row == 0) FillOutside(mover, tile, tile.ValidRows(), tile.ValidCols(), tile.StoredRows());
    mover.Planes(on_tile, on_tensor, rows, tile.ValidCols());
  }

  void Print(int32_t height) {
    chain_.printed |= uint64_t{1} << group_.begin % 64;
    const auto name = [](const Stmt& stmt) { return static_cast<int>(stmt.name.size()); };
    std::fprintf(stderr, "plan: %u instructions by %d of %d rows:", group_.end - group_.begin, height, group_.rows);
    for (uint32_t i = group_.begin; i < group_.end; ++i) {
      const Link& link = chain_.links[i];
      const Stmt& stmt = *link.node->stmt;
      const auto in_run = [&](const Link& other) { return other.run == link.run; };
      const auto first = chain_.links.begin() + group_.begin, last = chain_.links.begin() + group_.end;
      const bool fused = link.run >= 0 && std::count_if(first, last, in_run) > 1;
      const bool begins = fused && group_.runs[static_cast<size_t>(link.run)].link == i;
      const bool goes_on = fused && std::any_of(first + (i - group_.begin) + 1, last, in_run);
      std::fprintf(stderr, " %s%.*s%s%s", begins ? "[" : "", name(stmt), stmt.name.data(), fused && !goes_on ? "]" : "",
                   link.passes ? " (no copy)" : "");
    }
    std::fprintf(stderr, "\n");
  }

  Machine& machine_;
  pto_context* const ctx_;
  Chain& chain_;
  Group& group_;
  const bool leaves_;  // what a round leaves in private tiles does not matter
  uint8_t* strips_[kMostPlaces] = {};
  int32_t strip_row_ = 0;  // of the group, that scratch begins with
  uint64_t tensors_ = 0;   // the bytes of all tensors of the group
};

// Those that the groups were made of; notes what they are.
bool SameTiles(Chain& chain) {
  bool same = true;
  size_t i = 0;
  for (const Link& link : chain.links) {
    for (const SiteArg& arg : link.node->site->args) {
      if (i == chain.tiles.size()) chain.tiles.push_back(nullptr);
      same &= chain.tiles[i] == arg.tile;
      chain.tiles[i++] = arg.tile;
    }
  }
  return same;
}

}  // namespace

Flow RunLink(Machine& machine, Node& node, Frame frame) {
  Chain& chain = *node.chain;
  if (node.link == 0) {
    const bool rests = chain.era == machine.tiles_era() && (chain.small || chain.rest > 0);
    if (chain.rest > 0) --chain.rest;
    chain.on = machine.plans() && !rests;
  }
  if (!chain.on) {
    machine.Inst(node, frame);
    return Flow::kNext;
  }
  Ready(machine, node, &chain.links[node.link].checked, frame);
  if (node.link + 1 != chain.links.size()) return Flow::kNext;
  if (!SameTiles(chain) || chain.era != machine.tiles_era()) {
    MakeGroups(&chain, machine.ctx()->kernels->relay != nullptr);
    chain.era = machine.tiles_era();
  }
  const bool leaves = Leaves(machine, chain.reach);
  bool gains = false;
  for (Group& group : chain.groups) {
    if (!chain.small && group.end - group.begin >= 2 && Runner(machine, chain, group, leaves).Run()) {
      gains = true;
      continue;
    }
    for (uint32_t i = group.begin; i < group.end; ++i) machine.RunSite(*chain.links[i].node, frame);
  }
  chain.idle = gains || chain.least_bytes == 0 ? 0 : std::min(2 * chain.idle + 1, kMostIdle);
  chain.rest = chain.idle;
  return Flow::kNext;
}

}  // namespace pto::ptoas::plan
