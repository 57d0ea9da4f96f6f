// Chains of a function: see plan.h.
#include "src/ptoas/plan/plan.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "src/ptoas/plan/chain.h"
#include "src/ptoas/plan/detours.h"
#include "src/ptoas/plan/uses.h"
#include "src/ptoas/read/ast.h"
#include "src/ptoas/run/machine.h"

namespace pto::ptoas::plan {

namespace {

void CountOperand(const Operand& operand, UsesOf* uses) {
  if (operand.value != nullptr) ++(*uses)[operand.value->slot].others;
  for (const Operand& index : operand.indices) CountOperand(index, uses);
}

bool IsLinkWalk(const OpInfo& op) {
  switch (op.walk) {
    case Walk::kMap:
    case Walk::kPartial:
    case Walk::kConvert:
    case Walk::kFold:
    case Walk::kArgFold:
    case Walk::kCompare:
    case Walk::kSelect:
    case Walk::kChain:
      return true;
    case Walk::kMove:
      return op.MovesWhole() && op.operands[0].extent == Extent::kSame;
    default:
      return op.MovesTensor();
  }
}

bool IsLink(const Node& node) { return IsPlainInst(node) && IsLinkWalk(*node.stmt->op); }

// The statements that may be between two links.
bool IsPure(const Node& node) {
  return node.kind == StmtKind::kArith || node.kind == StmtKind::kConstant || node.kind == StmtKind::kPartitionView ||
         node.kind == StmtKind::kMakeTensorView;
}

// Whether the environment variable has the word.
bool Asks(std::string_view word) {
  const char* mode = std::getenv("PTO_PLAN");
  return mode != nullptr && std::string_view(mode).find(word) != std::string_view::npos;
}

// Whether a block, or one in it, defines a value.
bool Defines(const Code& code, uint32_t slot) {
  const auto has = [slot](const Slots& slots) { return std::find(slots.begin(), slots.end(), slot) != slots.end(); };
  if (has(code.args)) return true;
  for (const Node& node : code.nodes) {
    if (has(node.results)) return true;
    for (const Code& block : node.blocks) {
      if (Defines(block, slot)) return true;
    }
  }
  return false;
}

// A chain of fewer bytes costs less than its plan.
constexpr int64_t kLeastBytes = int64_t{48} << 10;
constexpr int64_t kLeastMatrix = int64_t{4} << 10;

class Finder {
 public:
  explicit Finder(FuncCode* code) : code_(code) {
    for (const Code& block : code->blocks) CountUses(block, &uses_);
  }

  void Block(Code* block, Loops* loops) {
    // First the inner blocks: a statement has one detour.
    for (Node& node : block->nodes) {
      for (Code& inner : node.blocks) {
        if (node.kind == StmtKind::kFor) {
          Push(node, inner, loops);
          Block(&inner, loops);
          loops->erase(loops->begin());
        } else {
          Loops none;
          Block(&inner, &none);
        }
      }
    }
    const DetourOptions options{Asks("print"), Asks("all") ? 0 : kLeastMatrix};
    if (!loops->empty()) FindDetours(block, uses_, *loops, options, code_);
    std::vector<Node*> links;
    const auto end = [&] {
      if (links.size() >= 2) Make(links, *loops);
      links.clear();
    };
    for (Node& node : block->nodes) {
      if (node.detour == nullptr && IsLink(node)) {
        links.push_back(&node);
      } else if (!IsPure(node)) {
        end();
      }
    }
    end();
  }

 private:
  static void Push(const Node& node, const Code& body, Loops* loops) {
    auto loop = std::make_unique<Loop>();
    loop->steady = !loops->empty();
    for (size_t i = 0; i < 3 && !loops->empty(); ++i) {
      const Value* const value = node.stmt->operands[i].value;
      if (value != nullptr && Defines(*loops->front()->body, value->slot)) loop->steady = false;
    }
    loop->body = &body;
    CountUses(body, &loop->uses);
    loops->insert(loops->begin(), std::move(loop));
  }

  void Make(const std::vector<Node*>& links, const Loops& loops) {
    int64_t bytes = 0;
    for (const Node* node : links) {
      for (const SiteArg& arg : node->site->args) bytes += BytesOfTile(arg);
    }
    if (bytes < kLeastBytes && !Asks("all")) return;
    auto chain = std::make_shared<Chain>();
    chain->print = Asks("print");
    chain->least_bytes = Asks("all") ? 0 : kLeastBytes;
    chain->links.resize(links.size());
    std::unordered_map<uint32_t, int32_t> here;
    for (size_t i = 0; i < links.size(); ++i) {
      Node& node = *links[i];
      chain->links[i].node = &node;
      node.chain = chain.get();
      node.link = static_cast<uint32_t>(i);
      node.run = RunLink;
      for (const SiteArg& arg : node.site->args) ++here[arg.slot];
    }
    for (const auto& [slot, count] : here) {
      const uint32_t reach = uses_[slot].Alone() ? ReachOf(slot, count, loops) : 0;
      if (reach == 0) continue;
      chain->private_slots.push_back(slot);
      chain->reach = chain->reach == 0 ? reach : std::min(chain->reach, reach);
    }
    code_->chains.push_back(std::move(chain));
  }

  FuncCode* code_;
  UsesOf uses_;
};

}  // namespace

void Attach(FuncCode* code) {
  if (Asks("off")) return;
  Finder finder(code);
  for (Code& block : code->blocks) {
    Loops none;
    finder.Block(&block, &none);
  }
}

void CountUses(const Code& code, UsesOf* uses) {
  for (const uint32_t slot : code.args) ++(*uses)[slot].others;
  for (const Node& node : code.nodes) {
    const Stmt& stmt = *node.stmt;
    if (node.kind == StmtKind::kInst && node.site != nullptr) {
      for (const SiteArg& arg : node.site->args) ++(*uses)[arg.slot].insts;
      for (const SiteNumber& number : node.site->numbers) CountOperand(*number.operand, uses);
    } else {
      for (const Operand& operand : stmt.operands) CountOperand(operand, uses);
      for (const Operand& operand : stmt.outs) CountOperand(operand, uses);
      const bool alloc = node.kind == StmtKind::kAllocTile && stmt["addr"] == nullptr;
      for (const uint32_t slot : node.results) ++(alloc ? (*uses)[slot].allocs : (*uses)[slot].others);
    }
    for (const Code& block : node.blocks) CountUses(block, uses);
  }
}

bool IsPlainInst(const Node& node) {
  if (node.kind != StmtKind::kInst || node.site == nullptr || node.stmt->op == nullptr) return false;
  const Site& site = *node.site;
  if (site.adds || site.counts >= 0 || site.first_column >= 0) return false;
  return std::all_of(site.args.begin(), site.args.end(), [](const SiteArg& arg) {
    return !arg.makes && arg.own == StandIn::kNone && arg.operand->indices.empty() && arg.operand->value != nullptr &&
           arg.operand->value->origin != ValueOrigin::kImplicit;
  });
}

void Ready(Machine& machine, Node& node, bool* checked, Frame frame) {
  if (machine.MakeReady(node, frame) && *checked) return;
  *checked = false;
  const pto_inst& inst = *node.site->inst;
  machine.Called(*node.stmt, static_cast<pto_status>(Check(machine.ctx(), *inst.op, inst.Call())));
  *checked = true;
}

int64_t BytesOfTile(const SiteArg& arg) {
  constexpr int64_t kUnknown = int64_t{1} << 30;
  if (arg.tensor) return 0;
  const Type* const type = arg.operand->value == nullptr ? nullptr : arg.operand->value->type;
  if (type == nullptr || type->kind != TypeKind::kTile) return kUnknown;
  return type->rows() * type->cols() * Info(type->elem).bits / 8;
}

uint32_t ReachOf(uint32_t slot, int32_t count, const Loops& loops) {
  uint32_t reach = 0;
  for (const auto& loop : loops) {
    const auto found = loop->uses.find(slot);
    if (found == loop->uses.end() || found->second.insts != count) break;
    ++reach;
    if (!loop->steady) break;
  }
  return reach;
}

bool Leaves(Machine& machine, uint32_t reach) {
  for (uint32_t out = 0; out < reach; ++out) {
    const Machine::Level& level = machine.level(out);
    const uint64_t left = static_cast<uint64_t>(level.upper) - static_cast<uint64_t>(level.next);
    if (left > static_cast<uint64_t>(level.step)) return true;
  }
  return false;
}

}  // namespace pto::ptoas::plan
