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
  const auto scratch = [](const SiteArg& arg) { return arg.scratch; };
  return IsPlainInst(node) && std::none_of(node.site->args.begin(), node.site->args.end(), scratch);
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
      quiet_ = true;
      Visit(&body->nodes[i], i, true);
      loud_.push_back(loud_.back() + (quiet_ ? 0 : 1));
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
        if (node->site == nullptr || node->stmt->op == nullptr || node->stmt->op->Stores()) quiet_ = false;
        if (node->site == nullptr) break;
        for (const SiteArg& arg : node->site->args) {
          mentions_[arg.slot].push_back({node, &arg, at, top});
          if (arg.makes) quiet_ = false;
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
        quiet_ = false;
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
  bool Quiet(uint32_t from, uint32_t to) const { return loud_[from] == loud_[to + 1]; }

  // A load or move whose tile this body alone has, and reads after it.
  struct Copy {
    uint32_t at = 0;
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
      copies[slot] = {first.at, reach, loads, ArgOf(*first.node, 1).slot, 0};
      slots[first.node] = slot;
    }
    // The last one first, so that each knows which of its readers are such copies.
    std::vector<uint32_t> order;
    for (const auto& [slot, copy] : copies) order.push_back(slot);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return copies[a].at > copies[b].at; });
    for (const uint32_t slot : order) {
      Copy& copy = copies[slot];
      bool good = true;
      copy.last = copy.at;
      for (const Mention& m : mentions_[slot]) {
        if (Writes(m)) continue;
        copy.last = std::max(copy.last, m.at);
        const auto next = slots.find(m.node);
        const auto reader = next == slots.end() ? copies.end() : copies.find(next->second);
        if (reader == copies.end()) {
          good &= IsFactor(m);
        } else {
          copy.last = std::max(copy.last, reader->second.last);
        }
      }
      good = good && Quiet(copy.at, copy.last);
      // The tile of a move has its bytes until then. One that a load or move of these wrote is written once.
      if (good && !copy.loads && !copies.contains(copy.source)) {
        good = Alone(copy.source);
        for (const Mention& m : mentions_[copy.source]) good &= !Writes(m) || m.at < copy.at || m.at > copy.last;
      }
      if (!good) copies.erase(slot);
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
  bool quiet_ = true;              // the statement of the body under way
  std::vector<uint32_t> loud_{0};  // statements before one that are not quiet
  std::map<uint32_t, std::vector<Mention>> mentions_;
  std::map<Node*, std::shared_ptr<Detour>> made_;
};

// ---- running ----------------------------------------------------------------

// With other tiles than it has, which are as correct as those.
void RunAs(Machine& machine, const Node& node, pto_tile* const* tiles) {
  const pto_inst& inst = *node.site->inst;
  Args args = inst.Call();
  args.tiles = tiles;
  Status status = Status::kOk;
  machine.MayHalt(*node.site, [&](pto_context* ctx) {
    const ChecksPassed passed(ctx);
    status = inst.run(ctx, args, nullptr, false);
  });
  if (status != Status::kOk) machine.Called(*node.stmt, static_cast<pto_status>(status));
}

// The tile as a view of other memory.
void SetView(const pto_tile& tile, uint8_t* data, const Layout& layout, int64_t bytes, pto_tile* view) {
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
}

// False: products cannot read it there.
bool ViewTensor(const pto_tile& tile, const pto_tensor& tensor, pto_tile* view) {
  const MatrixAxis &rows = tensor.view.rows, &cols = tensor.view.cols;
  if ((tile.kind & kKindPacked) != 0 || Info(tensor.shape.dtype).bits != tile.ElementBytes() * 8) return false;
  if (rows.dim[0] < tile.ValidRows() || cols.dim[0] < tile.ValidCols()) return false;
  if (cols.stride[0] != 1 && rows.stride[0] != 1) return false;
  Layout layout;
  layout.row_step = rows.stride[0];
  layout.col_step = cols.stride[0];
  SetView(tile, tensor.data, layout, tensor.bytes, view);
  return true;
}

bool RunCopy(Machine& machine, Detour& detour, Frame frame) {
  const Detour* const from = detour.takes.empty() ? nullptr : detour.takes[0].copy;
  const bool leaves = machine.plans() && Leaves(machine, detour.reach);
  const bool taken = from != nullptr && from->on;
  detour.on = false;
  if (!leaves && !taken) return false;
  Ready(machine, *detour.node, &detour.checked, frame);
  const pto_inst& inst = *detour.node->site->inst;
  const pto_tile& tile = *inst.tiles[0];
  if (leaves && tile.ValidRows() != 0 && tile.ValidCols() != 0) {
    if (inst.tensor != nullptr) {
      detour.on = ViewTensor(tile, *inst.tensor, &detour.view);
    } else {
      const pto_tile& source = taken ? from->view : *inst.tiles[1];
      const bool same = inst.tiles[1]->dtype() == tile.dtype() && inst.tiles[1]->valid == tile.valid &&
                        ((source.kind | tile.kind) & kKindPacked) == 0;
      if (same) SetView(tile, source.data, source.layout, source.bytes, &detour.view);
      detour.on = same;
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
  Ready(machine, *detour.node, &detour.checked, frame);
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
      if (done) Ready(machine, *detour.node, &detour.checked, frame);
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
