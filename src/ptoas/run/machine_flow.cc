// Control flow: where blocks are entered and left, loops go round and functions are called.
#include <algorithm>
#include <utility>

#include "src/ptoas/plan/plan.h"
#include "src/ptoas/run/machine.h"
#include "src/ptoas/vector/simt.h"

namespace pto::ptoas {

namespace {

constexpr size_t kMaxCalls = 64;
constexpr size_t kMaxLevels = 400;  // blocks that are entered and not left

}  // namespace

// To the end of the entry, or to a statement that waits: false.
bool Machine::GoOn() {
  if (waits_) {
    Level& level = levels_[depth_ - 1];
    if (level.at->run(*this, *level.at, level.frame) == Flow::kWait) return false;
    waits_ = false;
    moved_ = true;
    ++level.at;
  }
  while (depth_ > 0) {
    Level& level = levels_[depth_ - 1];
    const Frame frame = level.frame;
    Node* const end = level.end;
    Node* at = level.at;
    Flow flow = Flow::kNext;
    do {
      while (at != end) {
        Node& node = *at++;
        Step(*node.stmt);
        flow = node.run(*this, node, frame);
        if (flow != Flow::kNext) break;
      }
      if (level.step == 0 || flow > Flow::kYield || !NextRound(&level)) break;
      // Rounds of a loop are not left and entered.
      at = level.begin;
      flow = Flow::kNext;
    } while (true);
    if (flow <= Flow::kYield) {
      Leave(flow);
    } else if (flow == Flow::kEnter) {
      level.at = at;
    } else if (flow == Flow::kWait) {
      level.at = at - 1;
      waits_ = true;
      return false;
    } else {
      LeaveBlock(flow);
    }
  }
  return true;
}

void Machine::SetCode(Level* level, Code* code) {
  level->begin = level->at = code->nodes.data();
  level->end = level->begin + code->nodes.size();
}

Machine::Level* Machine::Enter(Node* owner, Code* code, Frame frame) {
  if (depth_ >= kMaxLevels && !code->nodes.empty()) {
    Fail(*code->nodes[0].stmt, Rule::kCallDepth, "loops, branches and calls are entered %zu deep", depth_);
  }
  if (levels_ == nullptr) levels_ = std::make_unique_for_overwrite<Level[]>(kMaxLevels + 1);
  Level* level = &levels_[depth_++];
  *level = {};
  level->owner = owner;
  level->frame = frame;
  SetCode(level, code);
  return level;
}

// A block of a statement has reached its end, or a function to its own.
void Machine::Leave(Flow flow) {
  Level* level = &levels_[depth_ - 1];
  if (flow == Flow::kNext) yielded_.clear();
  if (level->owner == nullptr) return Return();
  Node& owner = *level->owner;
  if (owner.kind == StmtKind::kWhile && NextRegion(level)) return;
  --depth_;
  if (owner.kind == StmtKind::kFor) {
    EndFor(owner, level->frame);
  } else if (owner.kind != StmtKind::kSection) {
    Assign(*owner.stmt, owner.results, 0, level->frame);
  }
}

// A block of the function itself ends: no other one returns or branches.
void Machine::LeaveBlock(Flow flow) {
  if (flow == Flow::kReturn) return Return();
  SetCode(&levels_[depth_ - 1], &calls_.back().code->blocks[target_]);
}

// ---- branches --------------------------------------------------------------

// Each is a statement, so that the limit of steps holds for every way around.
Flow Machine::Branch(const Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const Operand* decides = stmt["decides"];
  size_t first = decides == nullptr ? 0 : 1;
  size_t which = 0;
  if (stmt.Is("cf.switch")) {
    Work(stmt, static_cast<int64_t>(stmt.sizes.size()));
    const auto found = std::find(stmt.sizes.begin(), stmt.sizes.end(), IntOf(stmt, *decides, frame));
    if (found != stmt.sizes.end()) which = static_cast<size_t>(found - stmt.sizes.begin()) + 1;
  } else if (decides != nullptr) {
    which = IntOf(stmt, *decides, frame) != 0 ? 0 : 1;
  }
  for (size_t i = 0; i < which; ++i) first += stmt.successors[i].count;
  const Successor& to = stmt.successors[which];
  Gather(node, first, first + to.count, frame);
  target_ = node.targets[which];
  Assign(stmt, calls_.back().code->blocks[target_].args, 0, frame);
  return Flow::kBranch;
}

Flow Machine::If(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const size_t which = IntOf(stmt, *stmt["condition"], frame) != 0 ? 0 : 1;
  yielded_.clear();
  if (which < node.blocks.size()) {
    Enter(&node, &node.blocks[which], frame);
    return Flow::kEnter;
  }
  Assign(stmt, node.results, 0, frame);
  return Flow::kNext;
}

// ---- loops -----------------------------------------------------------------

Flow Machine::For(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  const int64_t lower = IntOf(stmt, *stmt["lower"], frame);
  const int64_t upper = IntOf(stmt, *stmt["upper"], frame);
  const int64_t step = IntOf(stmt, *stmt["step"], frame);
  if (step < 1) Fail(stmt, Rule::kLoopStep, "the step is %lld", static_cast<long long>(step));
  const Slots& args = node.blocks[0].args;
  Gather(node, 3, frame);
  Assign(stmt, args, 1, frame);
  if (lower >= upper) {
    EndFor(node, frame);
    return Flow::kNext;
  }
  Step(stmt);
  frame[args[0]].SetInt(lower);
  Level* level = Enter(&node, &node.blocks[0], frame);
  level->next = lower;
  level->upper = upper;
  level->step = step;
  level->variable = args[0];
  level->carries = args.size() > 1;
  return Flow::kEnter;
}

// False: that was the last one.
bool Machine::NextRound(Level* level) {
  const Stmt& stmt = *level->owner->stmt;
  if (level->carries) Assign(stmt, level->owner->blocks[0].args, 1, level->frame);
  const uint64_t left = static_cast<uint64_t>(level->upper) - static_cast<uint64_t>(level->next);
  if (left <= static_cast<uint64_t>(level->step)) return false;
  level->next += level->step;
  Step(stmt);
  level->frame[level->variable].SetInt(level->next);
  return true;
}

void Machine::EndFor(const Node& node, Frame frame) {
  const Slots& args = node.blocks[0].args;
  for (size_t i = 0; i < node.results.size() && i + 1 < args.size(); ++i) frame[node.results[i]] = frame[args[i + 1]];
}

Flow Machine::While(Node& node, Frame frame) {
  Gather(node, 0, frame);
  BeginWhile(node, frame);
  Enter(&node, &node.blocks[0], frame);
  return Flow::kEnter;
}

void Machine::BeginWhile(const Node& node, Frame frame) {
  Step(*node.stmt);
  Assign(*node.stmt, node.blocks[0].args, 0, frame);
  condition_ = false;
  yielded_.clear();
}

// From the condition to the body and back. False: the condition does not hold.
bool Machine::NextRegion(Level* level) {
  const Node& node = *level->owner;
  if (level->region == 1) {
    BeginWhile(node, level->frame);
  } else {
    if (!condition_) return false;
    Assign(*node.stmt, node.blocks[1].args, 0, level->frame);
    yielded_.clear();
  }
  level->region ^= 1;
  SetCode(level, &level->owner->blocks[level->region]);
  return true;
}

// ---- calls -----------------------------------------------------------------

Flow Machine::Call(Node& node, Frame frame) {
  const Stmt& stmt = *node.stmt;
  if (node.callee == nullptr) {
    if (stmt.callee == nullptr || stmt.callee->body == nullptr) {
      Fail(stmt, Rule::kUnknownEntry, "@%.*s has no body", static_cast<int>(stmt.symbol.size()), stmt.symbol.data());
    }
    node.callee = &CodeOf(*stmt.callee);
  }
  FuncCode& code = *node.callee;
  const Func& func = *code.func;
  if (func.simt) return vec::RunSimtCall(*this, node, frame);
  // The other cores run it.
  if (!core_.Runs(func.core)) return Flow::kNext;
  Gather(node, 0, frame);
  // The entry is one of them.
  if (calls_.size() > kMaxCalls) {
    Fail(stmt, Rule::kCallDepth, "@%.*s is called %zu deep", static_cast<int>(func.name.size()), func.name.data(),
         calls_.size() - 1);
  }
  const int64_t bytes = func.value_count * kValueBytes;
  Charge(stmt, bytes);
  Work(stmt, func.value_count);
  std::vector<RunValue> values(func.value_count);
  Assign(stmt, code.args, 0, values.data());
  state_->bytes += bytes;
  calls_.push_back({&code, &node, frame, std::move(values), bytes});
  Enter(nullptr, &code.blocks[0], calls_.back().values.data());
  return Flow::kEnter;
}

// To the statement that called, or out of the entry.
void Machine::Return() {
  --depth_;
  const Node* call = calls_.back().call;
  const Frame frame = calls_.back().frame;
  state_->bytes -= calls_.back().bytes;
  calls_.pop_back();
  if (call != nullptr) Assign(*call->stmt, call->results, 0, frame);
}

FuncCode& Machine::CodeOf(const Func& func) {
  auto& code = code_[&func];
  if (code == nullptr) {
    code = Resolve(func, pto_context_target(ctx_));
    plan::Attach(code.get());
    if (options_.record != PTO_RECORD_OFF) {
      for (Code& block : code->blocks) Trace(&block);
    }
  }
  return *code;
}

// ---- what ends a block ------------------------------------------------------

Flow Machine::Section(Node& node, Frame frame) {
  if (!core_.Runs(node.stmt->info->core)) return Flow::kNext;
  if (!vector_.stored.empty()) PassBar();  // what a scope stored, the next one may load
  if (!node.operands.empty()) {
    Gather(node, 0, frame);
    Assign(*node.stmt, node.blocks[0].args, 0, frame);
  }
  Enter(&node, &node.blocks[0], frame);
  return Flow::kEnter;
}

Flow Machine::Yield(Node& node, Frame frame) {
  Gather(node, 0, frame);
  return Flow::kYield;
}

Flow Machine::Condition(Node& node, Frame frame) {
  condition_ = IntOf(*node.stmt, *(*node.stmt)["condition"], frame) != 0;
  Gather(node, 1, frame);
  return Flow::kYield;
}

Flow Machine::EndFunction(Node& node, Frame frame) {
  Gather(node, 0, frame);
  return Flow::kReturn;
}

static constexpr RunRow kFlowRows[] = {
    {"cf.br", Do<&Machine::Branch>},         {"cf.cond_br", Do<&Machine::Branch>},
    {"cf.switch", Do<&Machine::Branch>},     {"func.call", Do<&Machine::Call>},
    {"return", Do<&Machine::EndFunction>},   {"scf.condition", Do<&Machine::Condition>},
    {"scf.for", Do<&Machine::For>},          {"scf.if", Do<&Machine::If>},
    {"scf.while", Do<&Machine::While>},      {"scf.yield", Do<&Machine::Yield>},
    {"section.cube", Do<&Machine::Section>}, {"section.vector", Do<&Machine::Section>},
    {"simt_launch", vec::RunLaunch},         {"strict_vecscope", Do<&Machine::Section>},
    {"vecscope", Do<&Machine::Section>},
};
const RunRows kFlowRuns = kFlowRows;

}  // namespace pto::ptoas
