// Launches of work items.
//
// All work items execute a statement before any executes the next one, in the order of their numbers: x fastest, then
// y, then z. So the work items of a group are in lock step, as on the device. For different groups this is one of the
// orders that a device allows. Each work item has a frame of values; the scalar machine executes its statements.
//
//   scf.if       splits the active work items in two, which execute one branch after the other
//   scf.for      keeps those that have rounds left
//   a vote ..    needs all of its group among the active ones, and pto.syncthreads all of the launch; with some missing
//                the run ends with simt-divergence: no work item ever waits
#include "src/ptoas/vector/simt.h"

#include <numeric>
#include <utility>

#include "src/ptoas/vector/simt_limits.h"
#include "src/ptoas/vector/step.h"

namespace pto::ptoas::vec {
namespace {

using Items = std::vector<uint16_t>;  // in ascending order

class SimtWalk {
 public:
  SimtWalk(Machine* m, Launch* launch) : m_(*m), launch_(*launch) {}

  // `takes`: what a yield of the block assigns, but for the first `skips`.
  void Run(Code& code, const Items& active, const Slots* takes = nullptr, size_t skips = 0) {
    if (active.empty() || code.nodes.empty()) return;
    constexpr int kDeepest = 200;
    if (depth_ == kDeepest) m_.Fail(*code.nodes[0].stmt, Rule::kCallDepth, "loops and branches %d deep", depth_);
    ++depth_;
    for (Node& node : code.nodes) {
      switch (node.kind) {
        case StmtKind::kIf:
          If(node, active);
          break;
        case StmtKind::kFor:
          For(node, active);
          break;
        case StmtKind::kWhile:
          While(node, active);
          break;
        case StmtKind::kYield:
          for (const int item : active) Pass(node, 0, item, *takes, skips);
          break;
        case StmtKind::kCondition:
        case StmtKind::kReturn:
          break;
        default:
          Statement(node, active);
      }
    }
    --depth_;
  }

 private:
  Frame FrameOf(int item) { return launch_.FrameOf(item); }

  void Statement(Node& node, const Items& active) {
    if (node.step != nullptr && node.step->strip != nullptr) return;  // a plan for a loop of registers
    const Stmt& stmt = *node.stmt;
    if (stmt.vector != nullptr && stmt.vector->group) return Meet(node, active);
    for (const int item : active) {
      m_.Step(stmt);
      launch_.item = item;
      ++launch_.clock;
      node.run(m_, node, FrameOf(item));
    }
  }

  void Pass(const Node& node, size_t first, int item, const Slots& slots, size_t skips) {
    launch_.item = item;
    m_.Step(*node.stmt);
    m_.Gather(node, first, FrameOf(item));
    m_.Assign(*node.stmt, slots, skips, FrameOf(item));
  }

  void If(Node& node, const Items& active) {
    const Stmt& stmt = *node.stmt;
    Items ways[2];
    for (const int item : active) {
      launch_.item = item;
      m_.Step(stmt);
      ways[m_.IntOf(stmt, *stmt["condition"], FrameOf(item)) != 0 ? 0 : 1].push_back(static_cast<uint16_t>(item));
    }
    for (size_t i = 0; i < node.blocks.size(); ++i) Run(node.blocks[i], ways[i], &node.results);
  }

  void For(Node& node, const Items& active) {
    const Stmt& stmt = *node.stmt;
    const Slots& args = node.blocks[0].args;
    struct Round {
      int64_t next, upper, step;
    };
    std::vector<Round> rounds;
    Items live;
    for (const int item : active) {
      launch_.item = item;
      const Frame frame = FrameOf(item);
      const Round round{m_.IntOf(stmt, *stmt["lower"], frame), m_.IntOf(stmt, *stmt["upper"], frame),
                        m_.IntOf(stmt, *stmt["step"], frame)};
      if (round.step < 1) m_.Fail(stmt, Rule::kLoopStep, "the step is %lld", static_cast<long long>(round.step));
      m_.Step(stmt);
      m_.Gather(node, 3, frame);
      m_.Assign(stmt, args, 1, frame);
      if (round.next >= round.upper) continue;
      live.push_back(static_cast<uint16_t>(item));
      rounds.push_back(round);
    }
    while (!live.empty()) {
      for (size_t i = 0; i < live.size(); ++i) {
        m_.Step(stmt);
        FrameOf(live[i])[args[0]].SetInt(rounds[i].next);
      }
      Run(node.blocks[0], live, &args, 1);
      size_t left = 0;
      for (size_t i = 0; i < live.size(); ++i) {
        Round round = rounds[i];
        if (static_cast<uint64_t>(round.upper) - static_cast<uint64_t>(round.next) <=
            static_cast<uint64_t>(round.step)) {
          continue;
        }
        round.next += round.step;
        rounds[left] = round;
        live[left++] = live[i];
      }
      live.resize(left);
      rounds.resize(left);
    }
    for (const int item : active) Machine::EndFor(node, FrameOf(item));
  }

  void While(Node& node, const Items& active) {
    const Stmt& stmt = *node.stmt;
    Code& before = node.blocks[0];
    Code& after = node.blocks[1];
    for (const int item : active) Pass(node, 0, item, before.args, 0);
    Items live = active;
    while (!live.empty()) {
      Run(before, live);
      const Node& condition = before.nodes.back();
      Items on;
      for (const int item : live) {
        const bool holds = m_.IntOf(*condition.stmt, *(*condition.stmt)["condition"], FrameOf(item)) != 0;
        Pass(condition, 1, item, holds ? after.args : node.results, 0);
        if (holds) on.push_back(static_cast<uint16_t>(item));
        m_.Step(stmt);
      }
      live = std::move(on);
      Run(after, live, &before.args);
    }
  }

  // A statement at which a group is together.
  void Meet(const Node& node, const Items& active) {
    const Stmt& stmt = *node.stmt;
    m_.Work(stmt, static_cast<int64_t>(active.size()) * 64);
    launch_.clock += static_cast<int64_t>(active.size());
    launch_.item = -1;  // a group, not one of them
    if (node.step->group == nullptr) return Need(stmt, active, 0, active.size(), 0, launch_.count);
    for (size_t first = 0; first < active.size();) {
      const int begin = active[first] / kGroup * kGroup;
      size_t end = first + 1;
      while (end < active.size() && active[end] < begin + kGroup) ++end;
      const int count = std::min(kGroup, launch_.count - begin);
      Need(stmt, active, first, end, begin, count);
      node.step->group(m_, node, launch_, begin, count);
      first = end;
    }
  }

  void Need(const Stmt& stmt, const Items& active, size_t first, size_t end, int begin, int count) {
    if (end - first == static_cast<size_t>(count)) return;
    int missing = begin;
    while (first < end && active[first] == missing) {
      ++first;
      ++missing;
    }
    m_.Fail(stmt, Rule::kSimtDivergence, "%.*s is reached by a part of the work items %d to %d; %d is not among them",
            static_cast<int>(stmt.name.size()), stmt.name.data(), begin, begin + count - 1, missing);
  }

  Machine& m_;
  Launch& launch_;
  int depth_ = 0;
};

// Sets the launch of a core while it is under way, however it ends.
class UnderWay {
 public:
  UnderWay(SimtState* state, Launch* launch) : state_(*state) { state_.launch = launch; }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() { state_.launch = nullptr; }

 private:
  SimtState& state_;
};

// Operands from `first` on are the arguments.
Flow LaunchItems(Machine& m, Node& node, Frame frame, const int64_t (&extents)[3], size_t first) {
  const Stmt& stmt = *node.stmt;
  if (node.callee == nullptr) {
    if (stmt.callee == nullptr || stmt.callee->body == nullptr) {
      m.Fail(stmt, Rule::kUnknownEntry, "@%.*s has no body", static_cast<int>(stmt.symbol.size()), stmt.symbol.data());
    }
    node.callee = &m.CodeOf(*stmt.callee);
  }
  FuncCode& code = *node.callee;
  const Func& func = *code.func;
  if (!m.core().Runs(func.core)) return Flow::kNext;  // the other core of the block launches it
  if (const std::string fault = LaunchFault(extents, func); !fault.empty()) {
    m.Fail(stmt, Rule::kSimtLaunch, "%s", fault.c_str());
  }
  Launch launch;
  launch.stmt = &stmt;
  std::copy(std::begin(extents), std::end(extents), launch.extents);
  launch.count = static_cast<int>(extents[0] * extents[1] * extents[2]);
  launch.width = func.value_count;
  const size_t values = static_cast<size_t>(launch.count) * launch.width;
  // Counts the frames while they are there.
  const RunValue room = m.MakeBox(stmt, ValueKind::kArray, static_cast<int64_t>(values * sizeof(RunValue)));
  m.Work(stmt, static_cast<int64_t>(values));
  launch.values.resize(values);
  for (int item = 0; item < launch.count; ++item) {
    for (size_t i = 0; i < code.args.size(); ++i) {
      launch.FrameOf(item)[code.args[i]] = frame[node.operands[first + i]];
    }
  }
  const int64_t begins = m.LaunchBegins();
  SimtState& state = m.vector().simt;
  {
    const UnderWay under_way(&state, &launch);
    state.now.slots.clear();
    std::copy(std::begin(extents), std::end(extents), state.now.extents);
    Items all(static_cast<size_t>(launch.count));
    std::iota(all.begin(), all.end(), uint16_t{0});
    SimtWalk(&m, &launch).Run(code.blocks[0], all);
  }
  state.before = std::exchange(state.now, Kept());
  if (begins >= 0) m.RecordLaunch(stmt, begins, launch.count);
  return Flow::kNext;
}

}  // namespace

Flow RunLaunch(Machine& m, Node& node, Frame frame) {
  int64_t extents[3] = {};
  for (size_t i = 0; i < 3; ++i) extents[i] = m.IntOf(*node.stmt, node.stmt->operands[i], frame);
  return LaunchItems(m, node, frame, extents, 3);
}

Flow RunSimtCall(Machine& m, Node& node, Frame frame) {
  const SimtState& state = m.vector().simt;
  if (!state.set) {
    m.Fail(*node.stmt, Rule::kSimtLaunch, "no pto.store_vfsimt_info before this call of @%.*s",
           static_cast<int>(node.stmt->symbol.size()), node.stmt->symbol.data());
  }
  return LaunchItems(m, node, frame, state.extents, 0);
}

}  // namespace pto::ptoas::vec
