// Reports the events of a run to the synchronisation checker.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "src/ptoas/run/machine.h"
#include "src/ptoas/run/sync.h"
#include "src/ptoas/run/sync_tile.h"
#include "src/records/segment.h"

namespace pto::ptoas {

namespace {

// The tile, and all that shares its storage.
const void* RootOf(const Box* box) { return box->root != nullptr ? box->root : box; }

// Scattered rows are chosen by what is in a tile, patches by numbers.
bool IsScattered(const OpInfo& op) { return Info(op.walk).tensor; }

sync::Use UseOf(const Site& site, Role role) {
  if (role == Role::kTensorOut && site.adds) return sync::Use::kAdd;
  return IsWritten(role) || role == Role::kTmp ? sync::Use::kWrite : sync::Use::kRead;
}

// One of the sources has one element for each row, down a column: the form that devices need scratch for. In the other
// form it has a whole block of 32 bytes.
bool ReadsColumn(const Site& site, const OpInfo& op) {
  return std::any_of(site.args.begin(), site.args.end(), [&](const SiteArg& arg) {
    return op.operands[arg.index].extent == Extent::kRepeat && pto_tile_cols(arg.tile) == 1 &&
           pto_tile_blayout(arg.tile) == PTO_BLAYOUT_COL_MAJOR && pto_tile_slayout(arg.tile) == PTO_SLAYOUT_NONE_BOX;
  });
}

// The part of a tile that an instruction touches. By default it is the valid region.
sync::Window WindowOf(const Site& site, const SiteArg& arg, const OpInfo& op, const int64_t (&numbers)[2]) {
  sync::Window window = sync::ValidOf(arg.tile);
  const Extent extent = op.operands[arg.index].extent;
  if (arg.index == op.lead || op.Transfers()) return window;
  const auto lead = std::find_if(site.args.begin(), site.args.end(),
                                 [&](const SiteArg& other) { return other.index == op.lead && !other.tensor; });
  if (lead == site.args.end()) return window;
  const sync::Window valid = sync::ValidOf(lead->tile);
  if (BesideLead(extent)) {
    window.rows = std::min(window.rows, valid.rows);
    window.cols = std::min(window.cols, valid.cols);
  } else if (extent == Extent::kWindow && op.Count(Role::kInt) == 2) {
    window = {numbers[0], numbers[1], valid.rows, valid.cols};
  }
  return window;
}

// EVENT_ID3, 3.
bool IdOf(std::string_view text, int64_t* id) {
  if (text.starts_with("EVENT_ID")) text.remove_prefix(8);
  return std::from_chars(text.data(), text.data() + text.size(), *id).ptr == text.data() + text.size() && !text.empty();
}

}  // namespace

void Machine::WatchInst(const Node& node, Frame frame) {
  const std::span<sync::Access> accesses = AccessesOf(node, frame);
  Touch(*node.stmt, accesses);
  if (options_.checker != nullptr)
    Watch(*node.stmt, PipeOf(*node.site, *node.stmt->op, pto_context_profile(ctx_)), accesses);
}

std::span<sync::Access> Machine::AccessesOf(const Node& node, Frame frame) {
  sync::Seen& seen = node.site->seen;
  if (seen.era != state_->tiles_era) See(node, frame);
  return seen.accesses;
}

// Works out what an instruction touches. Windows of tiles and of memory are other ones each time.
void Machine::See(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const OpInfo& op = *stmt.op;
  const Site& site = *node.site;
  const auto profile = static_cast<Profile>(pto_context_profile(ctx_));
  int64_t numbers[2] = {};
  const bool window = op.Has(Extent::kWindow) && op.Count(Role::kInt) == 2;
  int next = 0;
  for (const SiteNumber& number : site.numbers) {
    if (!window || op.operands[number.index].role != Role::kInt || next == 2) continue;
    numbers[next++] = IntOf(stmt, *number.operand, frame);
  }
  std::vector<sync::Access>& accesses = node.site->seen.accesses;
  accesses.clear();
  const pto_tile* moved = nullptr;  // of a transfer
  bool tensors = false;
  for (const SiteArg& arg : site.args) {
    tensors |= arg.tensor;
    if (arg.tensor || arg.own != StandIn::kNone) continue;
    const Role role = op.operands[arg.index].role;
    if (role == Role::kTmp && !op.TouchesTmp(profile)) continue;
    accesses.push_back({.area = sync::AreaOf(arg.tile, WindowOf(site, arg, op, numbers)),
                        .use = UseOf(site, role),
                        .passing = role == Role::kTmp,
                        .updates = role == Role::kInOut,
                        .name = arg.operand->name,
                        .data = pto_tile_data(arg.tile),
                        .tile = RootOf(frame[arg.slot].box())});
    moved = arg.tile;
  }
  if ((op.hidden_scratch & Bit(profile)) != 0 && site.lacks_tmp && vec_ != nullptr && ReadsColumn(site, op)) {
    accesses.push_back({.area = sync::Area::Of(vec_ + kHiddenScratchBegin, kHiddenScratchBytes, 1, 0),
                        .use = sync::Use::kWrite,
                        .passing = true,
                        .name = sync::kHiddenScratch,
                        .data = vec_});
  }
  node.site->seen.era = tensors || window ? 0 : state_->tiles_era;
  for (const SiteArg& arg : site.args) {
    if (!arg.tensor || moved == nullptr) continue;
    RunValue view = ValueOf(stmt, *arg.operand, frame, ValueKind::kTensor);
    if (!arg.operand->indices.empty()) view = Window(stmt, *arg.operand, view, node, frame);
    const Role role = op.operands[arg.index].role;
    const bool scattered = IsScattered(op);
    const bool known = sync::AreasOf(view.box()->tensor, scattered ? INT64_MAX : pto_tile_valid_rows(moved),
                                     scattered ? INT64_MAX : pto_tile_valid_cols(moved), &areas_);
    const sync::Use may = IsWritten(role) ? sync::Use::kMayWrite : sync::Use::kMayRead;
    const sync::Use use = known && !scattered ? UseOf(site, role) : may;
    for (const sync::Area& area : areas_) {
      accesses.push_back({.area = area,
                          .use = use,
                          .global = true,
                          .updates = IsWritten(role) && site.adds,
                          .loose = !known,
                          .name = arg.operand->name,
                          .data = pto_tensor_data(view.box()->tensor)});
    }
  }
}

// Reports accesses to the checker; their cost in time and memory counts for the run.
void Machine::Watch(const Stmt& stmt, pto_pipe pipe, std::span<sync::Access> accesses, const Stmt* part) {
  sync::Checker& checker = *options_.checker;
  const int64_t bytes = checker.bytes();
  const int64_t work = checker.work();
  checker.Instruction(CheckedCore(), pipe, part == nullptr ? &stmt : checker.Part(&stmt, part), accesses);
  Work(stmt, checker.work() - work);
  ChargeChecker(stmt, bytes);
}

void Machine::ChargeChecker(const Stmt& stmt, int64_t before) {
  const int64_t more = options_.checker->bytes() - before;
  if (more <= 0) return;
  Charge(stmt, more);
  state_->bytes += more;
}

// An element that the scalar unit reads or writes.
void Machine::WatchElement(const Stmt& stmt, const Operand& operand, const Box* box, const void* at, int64_t bytes,
                           bool writes) {
  sync::Access access{.area = sync::Area::Of(at, bytes, 1, 0),
                      .use = writes ? sync::Use::kWrite : sync::Use::kRead,
                      .global = box->tensor != nullptr,
                      .shares = box->tile == nullptr,
                      .name = operand.name,
                      .data = box->tile == nullptr ? box->data : pto_tile_data(box->tile),
                      .tile = RootOf(box)};
  Touch(stmt, {&access, 1});
  if (options_.checker != nullptr) Watch(stmt, PTO_PIPE_S, {&access, 1});
}

// The scalar unit starts a copy; the time at which it happens is unknown.
void Machine::WatchCopy(const Stmt& stmt, pto_tensor* dst, pto_tensor* src) {
  std::vector<sync::Access> accesses;
  for (pto_tensor* tensor : {dst, src}) {
    const bool known = sync::AreasOf(tensor, INT64_MAX, INT64_MAX, &areas_);
    for (const sync::Area& area : areas_) {
      accesses.push_back({.area = area,
                          .use = tensor == dst ? sync::Use::kMayWrite : sync::Use::kMayRead,
                          .global = true,
                          .loose = !known,
                          .name = stmt[tensor == dst ? OperandName("dst") : OperandName("src")]->name,
                          .data = pto_tensor_data(tensor)});
    }
  }
  Touch(stmt, accesses);
  if (options_.checker != nullptr) Watch(stmt, PTO_PIPE_S, accesses);
}

// Data is copied from global memory to a staging tile, and from there to global memory.
// The part that this rank reduces of a member's area without gaps.
void Machine::KeepSegment(std::span<const Operand> members, Frame frame, int64_t size) {
  const auto count = static_cast<int32_t>(members.size());
  int32_t own = options_.rank;
  for (int32_t i = 0; i < count; ++i) {
    if (RankOf(frame[members[static_cast<size_t>(i)].value->slot].box()->tensor) == options_.rank) own = i;
  }
  if (areas_.size() != 1 || areas_[0].rows != 1 || own < 0 || own >= count) return;
  const Segment segment = SegmentOf(areas_[0].bytes / size, count, own);
  areas_[0].begin += static_cast<uintptr_t>(segment.begin * size);
  areas_[0].bytes = (segment.end - segment.begin) * size;
}

void Machine::WatchComm(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  std::vector<sync::Access> moved[2];  // read, written
  const bool sums = stmt.Is("comm.tput") && node.choice == PTO_ATOMIC_ADD;
  const bool outwards = stmt.Is("comm.tbroadcast") || stmt.Is("comm.tscatter");
  const bool segment = stmt.Is("comm.allreduce_segment");
  const auto add = [&](std::span<const Operand> operands, bool written) {
    for (const Operand& operand : operands) {
      pto_tensor* tensor = frame[operand.value->slot].box()->tensor;
      const bool known = sync::AreasOf(tensor, INT64_MAX, INT64_MAX, &areas_);
      if (segment) KeepSegment(operands, frame, pto_dtype_bytes(pto_tensor_dtype(tensor)));
      const bool adds = written && sums;
      for (const sync::Area& area : areas_) {
        moved[written ? 1 : 0].push_back({.area = area,
                                          .use = !written ? sync::Use::kRead
                                                 : adds   ? sync::Use::kAdd
                                                          : sync::Use::kWrite,
                                          .global = true,
                                          .updates = adds,
                                          .loose = !known,
                                          .done = true,
                                          .name = operand.name,
                                          .data = pto_tensor_data(tensor)});
      }
    }
  };
  add(stmt.All("src"), false);
  add(stmt.All("dst"), true);
  if (!outwards) add(stmt.All("group"), false);
  if (outwards || segment || stmt.Is("comm.allreduce")) add(stmt.All("group"), true);
  for (const auto& accesses : moved) Touch(stmt, accesses);
  if (options_.checker == nullptr) return;
  Watch(stmt, PTO_PIPE_MTE2, moved[0]);
  Watch(stmt, PTO_PIPE_MTE3, moved[1]);
  // Its reads are done when it returns; its writes may not be visible yet to a rank that sees a signal.
  options_.checker->Settle(CheckedCore(), 1U << PTO_PIPE_MTE2);
}

void Machine::WatchNotify(const Stmt& stmt, pto_tensor* signal, int32_t value, bool set) {
  if (!ChecksRanks()) return;
  int32_t was = 0;
  std::memcpy(&was, pto_tensor_data(signal), sizeof was);
  // Only a rank's own signals can be asked for.
  const bool own = pto_context_ttest(ctx_, signal, 0, PTO_WAIT_CMP_EQ) >= 0;
  const int64_t bytes = options_.checker->bytes();
  options_.checker->Notify(CheckedCore(), pto_tensor_data(signal), was, value, set, own, &stmt);
  ChargeChecker(stmt, bytes);
}

// For each element of the signal.
void Machine::WatchAwait(const Stmt& stmt, pto_tensor* signal, int32_t value, pto_wait_cmp cmp) {
  if (!ChecksRanks()) return;
  const auto holds = [&](int32_t is) {
    switch (cmp) {
      case PTO_WAIT_CMP_EQ:
        return is == value;
      case PTO_WAIT_CMP_NE:
        return is != value;
      case PTO_WAIT_CMP_GT:
        return is > value;
      case PTO_WAIT_CMP_GE:
        return is >= value;
      case PTO_WAIT_CMP_LT:
        return is < value;
      case PTO_WAIT_CMP_LE:
        return is <= value;
    }
    return false;
  };
  int64_t at[5] = {};
  const int32_t rank = pto_tensor_rank(signal);
  const auto* const first = static_cast<const int32_t*>(pto_tensor_data(signal));
  for (bool more = true; more;) {
    int64_t offset = 0;
    for (int32_t i = 0; i < rank; ++i) offset += at[i] * pto_tensor_stride(signal, i);
    options_.checker->Await(CheckedCore(), first + offset, first[offset], holds, &stmt);
    more = false;
    for (int32_t i = rank; i-- > 0 && !more;) {
      more = ++at[i] < pto_tensor_dim(signal, i);
      if (!more) at[i] = 0;
    }
  }
}

// A new tile holds nothing, and a tile without an address has untouched memory.
void Machine::WatchTile(const Box* box, bool manual) {
  pto_tile* tile = box->tile;
  ++state_->tiles_era;
  options_.checker->Made(RootOf(box),
                         manual ? sync::Area() : sync::Area::Of(pto_tile_data(tile), pto_tile_bytes(tile), 1, 0));
}

// ---- between cores ---------------------------------------------------------

// A tile that is pushed or popped. A pop into the tile's own memory is an untouched slot.
void Machine::WatchPassed(const Stmt& stmt, std::string_view name, const Box* box, pto_pipe pipe, sync::Use use) {
  pto_tile* tile = box->tile;
  if (use == sync::Use::kWrite && box->bytes > kBoxBytes) {
    options_.checker->Made(RootOf(box), sync::Area::Of(pto_tile_data(tile), pto_tile_bytes(tile), 1, 0));
  }
  sync::Access access{.area = sync::AreaOf(tile, sync::ValidOf(tile)), .use = use, .name = name, .tile = RootOf(box)};
  Watch(stmt, pipe, {&access, 1});
}

void Machine::Tell(const Stmt& stmt, const void* line, unsigned pipes) {
  if (options_.checker == nullptr) return;
  const int64_t bytes = options_.checker->bytes();
  options_.checker->Tell(line, CheckedCore(), pipes);
  ChargeChecker(stmt, bytes);
}

// ---- flags -----------------------------------------------------------------

int Machine::PipeAt(const Stmt& stmt, const Operand* operand) {
  const Attr* literal = operand == nullptr ? nullptr : operand->literal;
  const std::string_view name = literal == nullptr ? "" : literal->text;
  const int pipe = FindPipe(name);
  if (pipe == kNoPipe) {
    // A run that continues would report accesses that the flag does not order.
    Fail(stmt, Rule::kSyncPipe, "%.*s is not a pipe", static_cast<int>(name.size()), name.data());
  }
  return pipe;
}

SyncSite Machine::ReadSync(const Stmt& stmt) {
  SyncSite site;
  const StmtInfo& info = *stmt.info;
  if (info.operands.size() == 0 || info.places[OperandName("pipe").id] == kNoPlace) {
    site.orders = info.orders;
    return site;
  }
  site.from = PipeAt(stmt, stmt["pipe"]);
  if (info.orders == Orders::kBarrier) {
    site.orders = site.from == kAllPipes ? Orders::kBarrier : Orders::kPipeBarrier;
    return site;
  }
  const bool flag = info.orders == Orders::kSet || info.orders == Orders::kWait;
  if (flag) site.to = PipeAt(stmt, stmt["to"]);
  if (flag && (site.from == kAllPipes || site.to == kAllPipes)) {
    Fail(stmt, Rule::kSyncPipe, "a flag is for one pipe, not for all");
  }
  if (const Operand* at = stmt["id"]; at != nullptr) {
    if (at->kind != OperandKind::kLiteral || at->literal->kind == AttrKind::kInt) {
      site.number = at;
    } else if (!IdOf(at->literal->text, &site.id)) {
      site.id = -1;
    }
  }
  if (!flag || site.from != site.to || !info.events) {
    site.orders = info.orders;
  } else if (info.orders == Orders::kWait &&
             (OverlappingPipes(static_cast<Profile>(pto_context_profile(ctx_))) >> site.from & 1U) != 0) {
    // An event between instructions of one pipe is a barrier of it, where devices have one.
    site.orders = Orders::kPipeBarrier;
  }
  return site;
}

// Whether the data that the pipe of stores has sent is there for the statements after it.
bool Machine::DrainsData(const SyncSite& site) {
  return site.orders == Orders::kBarrier ||
         ((site.orders == Orders::kPipeBarrier || site.orders == Orders::kWait) && site.from == PTO_PIPE_MTE3);
}

// To an in-order machine synchronisation is nothing.
void Machine::WatchSync(Node& node, Frame frame) {
  if (options_.checker == nullptr && !options_.late) return;
  const Stmt& stmt = *node.stmt;
  if (node.sync == nullptr) node.sync = std::make_unique<SyncSite>(ReadSync(stmt));
  const SyncSite& site = *node.sync;
  if (DrainsData(site)) Arrive();
  if (options_.checker == nullptr) return;
  const int64_t id = site.number == nullptr ? site.id : IntOf(stmt, *site.number, frame);
  sync::Checker& checker = *options_.checker;
  const int64_t bytes = checker.bytes();
  switch (site.orders) {
    case Orders::kNothing:
      break;
    case Orders::kBarrier:
      checker.Barrier(CheckedCore(), &stmt);
      break;
    case Orders::kPipeBarrier:
      checker.PipeBarrier(CheckedCore(), site.from, &stmt);
      break;
    case Orders::kGet:
      checker.GetBuffer(CheckedCore(), site.from, id, &stmt);
      break;
    case Orders::kRelease:
      checker.ReleaseBuffer(CheckedCore(), site.from, id, &stmt);
      break;
    case Orders::kSet:
      checker.SetFlag(CheckedCore(), site.from, site.to, id, &stmt);
      break;
    case Orders::kWait:
      checker.WaitFlag(CheckedCore(), site.from, site.to, id, &stmt);
      break;
  }
  ChargeChecker(stmt, bytes);
}

}  // namespace pto::ptoas
