#include "src/ptoas/plan/detours.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>

#include "src/engine/execute.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas::plan {

namespace {

Flow RunDetour(Machine& machine, Node& node, Frame frame);

bool Plain(const Node& node) {
  if (node.kind != StmtKind::kInst || node.site == nullptr || node.stmt->op == nullptr) return false;
  const Site& site = *node.site;
  if (site.adds || site.counts >= 0 || site.first_column >= 0) return false;
  for (const SiteArg& arg : site.args) {
    if (arg.makes || arg.scratch || arg.own != StandIn::kNone || !arg.operand->indices.empty()) return false;
    if (arg.operand->value == nullptr || arg.operand->value->origin == ValueOrigin::kImplicit) return false;
  }
  return true;
}

bool IsMove(const OpInfo& op) { return op.MovesWhole() && op.operands[0].extent == Extent::kSame; }

// An operand in the body of a loop.
struct Mention {
  Node* node;
  const SiteArg* arg;
  uint32_t at;  // the statement of the body that it is in, or is
  bool top;     // is
};

class DetourFinder {
 public:
  DetourFinder(Code* body, const UsesOf& all, const Loops& loops, const DetourOptions& options, FuncCode* code)
      : all_(all), loops_(loops), options_(options), code_(code) {
    for (uint32_t i = 0; i < body->nodes.size(); ++i) {
      quiet_.push_back(true);
      Visit(&body->nodes[i], i, true);
    }
  }

  void Find() {
    FindCopies();
    FindResults();
    for (auto& [node, detour] : made_) {
      node->run = RunDetour;
      node->detour = detour.get();
      detour->print = options_.print;
      code_->detours.push_back(detour);
    }
  }

 private:
  void Visit(Node* node, uint32_t at, bool top) {
    switch (node->kind) {
      case StmtKind::kInst:
        if (node->site == nullptr || node->stmt->op == nullptr || node->stmt->op->Stores()) quiet_[at] = false;
        if (node->site == nullptr) break;
        for (const SiteArg& arg : node->site->args) {
          mentions_[arg.slot].push_back({node, &arg, at, top});
          if (arg.makes) quiet_[at] = false;
        }
        break;
      case StmtKind::kArith:
      case StmtKind::kConstant:
      case StmtKind::kPartitionView:
      case StmtKind::kMakeTensorView:
      case StmtKind::kAllocTile:
      case StmtKind::kFor:
      case StmtKind::kIf:
      case StmtKind::kYield:
        break;
      default:
        quiet_[at] = false;
    }
    for (Code& block : node->blocks) {
      for (Node& inner : block.nodes) Visit(&inner, at, false);
    }
  }

  bool Alone(uint32_t slot) const {
    const auto found = all_.find(slot);
    return found != all_.end() && found->second.Alone();
  }
  static bool Writes(const Mention& m) { return IsWritten(m.node->stmt->op->operands[m.arg->index].role); }
  static const SiteArg& ArgOf(const Node& node, int index) {
    const auto& args = node.site->args;
    return *std::find_if(args.begin(), args.end(), [index](const SiteArg& arg) { return arg.index == index; });
  }
  static bool IsFactor(const Mention& m) {
    const OpInfo& op = *m.node->stmt->op;
    const Extent extent = op.operands[m.arg->index].extent;
    return op.walk == Walk::kMatMul && (extent == Extent::kLeft || extent == Extent::kRight) && Plain(*m.node);
  }
  bool Quiet(uint32_t from, uint32_t to) const {
    return std::all_of(quiet_.begin() + from, quiet_.begin() + to + 1, [](bool quiet) { return quiet; });
  }

  // A load or move whose tile this body alone has, and reads after it.
  struct Copy {
    uint32_t at = 0;
    uint32_t slot = 0;
    uint32_t reach = 0;
    bool loads = false;
    uint32_t source = 0;
    uint32_t last = 0;  // statement with the last product of it
  };

  void FindCopies() {
    std::map<uint32_t, Copy> copies;  // by the slot of the tile
    std::map<Node*, uint32_t> slots;
    for (const auto& [slot, mentions] : mentions_) {
      const Mention& first = mentions.front();
      const OpInfo& op = *first.node->stmt->op;
      if (!Alone(slot) || !first.top || !Writes(first) || !Plain(*first.node) || first.arg->index != 0) continue;
      const bool loads = op.walk == Walk::kLoad && op.MovesTensor();
      if (!loads && !IsMove(op)) continue;
      if (BytesOfTile(*first.arg) < options_.least_bytes) continue;
      const uint32_t reach = ReachOf(slot, static_cast<int32_t>(mentions.size()), loops_);
      const auto later = [&](const Mention& m) { return !Writes(m) && m.at > first.at; };
      if (reach == 0 || mentions.size() < 2 || !std::all_of(mentions.begin() + 1, mentions.end(), later)) continue;
      copies[slot] = {first.at, slot, reach, loads, ArgOf(*first.node, 1).slot, 0};
      slots[first.node] = slot;
    }
    // What another statement reads is copied; then what only such copies read.
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = copies.begin(); at != copies.end();) {
        Copy& copy = at->second;
        bool good = true;
        uint32_t last = copy.at;
        for (const Mention& m : mentions_[copy.slot]) {
          if (Writes(m)) continue;
          const auto next = slots.find(m.node);
          if (next != slots.end() && copies.contains(next->second)) {
            last = std::max({last, m.at, copies[next->second].last});
          } else {
            good &= IsFactor(m);
            last = std::max(last, m.at);
          }
        }
        good = good && Quiet(copy.at, last);
        // The tile of a move, which has its bytes until then.
        if (good && !copy.loads && !copies.contains(copy.source)) {
          good = Alone(copy.source);
          for (const Mention& m : mentions_[copy.source]) good &= !Writes(m) || m.at < copy.at || m.at > last;
        }
        changed |= last != copy.last || !good;
        copy.last = last;
        at = good ? std::next(at) : copies.erase(at);
      }
    }
    for (const auto& [slot, copy] : copies) {
      Node* const node = mentions_[slot].front().node;
      Make(node, Detour::What::kCopy)->reach = copy.reach;
    }
    for (const auto& [slot, copy] : copies) {
      Detour* const from = made_[mentions_[slot].front().node].get();
      for (const Mention& m : mentions_[slot]) {
        if (Writes(m)) continue;
        // A product of a loop further in may have one already.
        Detour* to = made_.contains(m.node) ? made_[m.node].get() : m.node->detour;
        if (to == nullptr) to = Make(m.node, Detour::What::kProduct);
        to->takes.push_back({static_cast<int8_t>(m.arg->index), from});
      }
    }
  }

  // A product, and the move that is all that its result is for.
  void FindResults() {
    for (const auto& [slot, mentions] : mentions_) {
      if (mentions.size() != 2 || !Alone(slot)) continue;
      const Mention &product = mentions[0], &move = mentions[1];
      if (!product.top || !move.top || product.at >= move.at || !Writes(product) || Writes(move)) continue;
      if (product.node->stmt->op->walk != Walk::kMatMul || product.arg->index != 0 || !Plain(*product.node)) continue;
      if (!IsMove(*move.node->stmt->op) || !Plain(*move.node) || made_.contains(move.node)) continue;
      if (BytesOfTile(*product.arg) < options_.least_bytes) continue;
      const uint32_t reach = ReachOf(slot, 2, loops_);
      const uint32_t to = ArgOf(*move.node, 0).slot;
      bool good = reach != 0 && Alone(to) && Quiet(product.at, move.at);
      for (const Mention& m : mentions_[to]) good &= m.at < product.at || m.at >= move.at;
      if (!good) continue;
      Detour* const result = Make(move.node, Detour::What::kResult);
      result->reach = reach;
      Detour* const of =
          made_.contains(product.node) ? made_[product.node].get() : Make(product.node, Detour::What::kProduct);
      of->result = result;
    }
  }

  Detour* Make(Node* node, Detour::What what) {
    auto& detour = made_[node];
    detour = std::make_shared<Detour>();
    detour->node = node;
    detour->what = what;
    return detour.get();
  }

  const UsesOf& all_;
  const Loops& loops_;
  const DetourOptions& options_;
  FuncCode* code_;
  std::vector<bool> quiet_;  // statements of the body
  std::map<uint32_t, std::vector<Mention>> mentions_;
  std::map<Node*, std::shared_ptr<Detour>> made_;
};

// ---- running
// ---------------------------------------------------------------------------------------------------------

void Ready(Machine& machine, Detour& detour, Frame frame) {
  Node& node = *detour.node;
  const bool same = machine.MakeReady(node, frame);
  if (same && detour.checked) return;
  const pto_inst& inst = *node.site->inst;
  detour.checked = false;
  machine.Called(*node.stmt, static_cast<pto_status>(Check(machine.ctx(), *inst.op, inst.Call())));
  detour.checked = true;
}

// With other tiles than it has, which are as correct as those.
void RunAs(Machine& machine, const Node& node, pto_tile* const* tiles) {
  const pto_inst& inst = *node.site->inst;
  Args args = inst.Call();
  args.tiles = tiles;
  Status status = Status::kOk;
  machine.MayHalt(*node.site, [&](pto_context* ctx) {
    ctx->passed = true;
    status = inst.run(ctx, args, nullptr, false);
    ctx->passed = false;
  });
  if (status != Status::kOk) machine.Called(*node.stmt, static_cast<pto_status>(status));
}

// The tile as a view of other memory. False: products cannot read it.
bool SetView(const pto_tile& tile, uint8_t* data, const Layout& layout, int64_t bytes, pto_tile* view) {
  view->kind = (tile.kind & (kKindDTypeMask | kKindLocationMask));
  view->geometry = tile.geometry;
  view->geometry.slayout = pto::SLayout::kNoneBox;
  view->geometry.blayout = layout.col_step == 1 ? pto::BLayout::kRowMajor : pto::BLayout::kColMajor;
  view->valid = tile.valid;
  view->data = data;
  view->layout = layout;
  view->line = layout.LineStep();
  view->bytes = bytes;
  view->ready = view->legal = profiles::kEvery;
  return true;
}

bool ViewTensor(const pto_tile& tile, const pto_tensor& tensor, pto_tile* view) {
  const MatrixAxis &rows = tensor.view.rows, &cols = tensor.view.cols;
  if ((tile.kind & kKindPacked) != 0 || Info(tensor.shape.dtype).bits != tile.ElementBytes() * 8) return false;
  if (rows.dim[0] < tile.ValidRows() || cols.dim[0] < tile.ValidCols()) return false;
  if (cols.stride[0] != 1 && rows.stride[0] != 1) return false;
  Layout layout;
  layout.row_step = rows.stride[0];
  layout.col_step = cols.stride[0];
  return SetView(tile, tensor.data, layout, tensor.bytes, view);
}

bool RunCopy(Machine& machine, Detour& detour, Frame frame) {
  const Detour* const from = detour.takes.empty() ? nullptr : detour.takes[0].copy;
  const bool leaves = machine.plans() && Leaves(machine, detour.reach);
  const bool taken = from != nullptr && from->on;
  detour.on = false;
  if (!leaves && !taken) return false;
  Ready(machine, detour, frame);
  const pto_inst& inst = *detour.node->site->inst;
  const pto_tile& tile = *inst.tiles[0];
  if (leaves && tile.ValidRows() != 0 && tile.ValidCols() != 0) {
    if (inst.tensor != nullptr) {
      detour.on = ViewTensor(tile, *inst.tensor, &detour.view);
    } else {
      const pto_tile& source = taken ? from->view : *inst.tiles[1];
      const bool same = inst.tiles[1]->dtype() == tile.dtype() && inst.tiles[1]->valid == tile.valid &&
                        ((source.kind | tile.kind) & kKindPacked) == 0;
      detour.on = same && SetView(tile, source.data, source.layout, source.bytes, &detour.view);
    }
  }
  if (detour.on) return true;
  if (!taken) {
    machine.RunSite(*detour.node, frame);
    return true;
  }
  pto_tile* tiles[kMaxTiles];
  std::copy_n(inst.tiles, kMaxTiles, tiles);
  tiles[1] = const_cast<pto_tile*>(&from->view);
  RunAs(machine, *detour.node, tiles);
  return true;
}

void Print(Detour& detour) {
  detour.print = false;
  const Stmt& stmt = *detour.node->stmt;
  std::fprintf(stderr, "plan: %.*s", static_cast<int>(stmt.name.size()), stmt.name.data());
  const auto say = [](const char* what, const Detour& of) {
    const std::string_view tile = of.node->stmt->outs[0].name;
    std::fprintf(stderr, "%s%%%.*s", what, static_cast<int>(tile.size()), tile.data());
  };
  for (const Detour::Take& take : detour.takes) {
    if (take.copy->on) say(", no copy to ", *take.copy);
  }
  if (detour.result != nullptr && detour.result->on) say(", no copy of its result to ", *detour.result);
  std::fprintf(stderr, "\n");
}

bool RunProductOf(Machine& machine, Detour& detour, Frame frame) {
  Detour* const result = detour.result;
  if (result != nullptr) result->on = false;
  bool any = result != nullptr && machine.plans() && Leaves(machine, result->reach);
  const bool gives = any;
  for (const Detour::Take& take : detour.takes) any |= take.copy->on;
  if (!any) return false;
  Ready(machine, detour, frame);
  const pto_inst& inst = *detour.node->site->inst;
  pto_tile* tiles[kMaxTiles];
  std::copy_n(inst.tiles, kMaxTiles, tiles);
  for (const Detour::Take& take : detour.takes) {
    if (take.copy->on) tiles[take.index] = &take.copy->view;
  }
  if (gives) {
    const auto& args = result->node->site->args;
    const auto to = std::find_if(args.begin(), args.end(), [](const SiteArg& arg) { return arg.index == 0; });
    const RunValue& value = frame[to->slot];
    pto_tile* const tile = value.Is(ValueKind::kTile) ? value.box()->tile : nullptr;
    bool fits = tile != nullptr && tile->data != nullptr && tile->dtype() == tiles[0]->dtype() &&
                tile->valid == tiles[0]->valid && tile->layout.RowsContiguous() && (tile->kind & kKindPacked) == 0;
    for (int i = 1; i < inst.op->Needed() && fits; ++i) fits = Apart(*tile, *tiles[i]);
    if (fits) tiles[0] = tile;
    result->on = fits;
  }
  if (detour.print) Print(detour);
  RunAs(machine, *detour.node, tiles);
  return true;
}

Flow RunDetour(Machine& machine, Node& node, Frame frame) {
  Detour& detour = *node.detour;
  bool done = false;
  switch (detour.what) {
    case Detour::What::kCopy:
      done = RunCopy(machine, detour, frame);
      break;
    case Detour::What::kProduct:
      done = RunProductOf(machine, detour, frame);
      break;
    case Detour::What::kResult:
      done = detour.on;
      if (done) Ready(machine, detour, frame);
      break;
  }
  if (!done) machine.Inst(node, frame);
  return Flow::kNext;
}

}  // namespace

void FindDetours(Code* body, const UsesOf& all, const Loops& loops, const DetourOptions& options, FuncCode* code) {
  DetourFinder(body, all, loops, options, code).Find();
}

}  // namespace pto::ptoas::plan
