// Chains of a function: see plan.h.
#include "src/ptoas/plan/plan.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "src/ptoas/plan/chain.h"
#include "src/ptoas/read/ast.h"

namespace pto::ptoas::plan {

namespace {

// How a function uses the tile of a slot.
struct Uses {
  int32_t allocs = 0;  // by alloc_tile without an address
  int32_t links = 0;   // operands of instructions
  int32_t others = 0;
};
using UsesOf = std::unordered_map<uint32_t, Uses>;

void CountOperand(const Operand& operand, UsesOf* uses) {
  if (operand.value != nullptr) ++(*uses)[operand.value->slot].others;
  for (const Operand& index : operand.indices) CountOperand(index, uses);
}

void CountUses(const Code& code, UsesOf* uses) {
  for (const uint32_t slot : code.args) ++(*uses)[slot].others;
  for (const Node& node : code.nodes) {
    const Stmt& stmt = *node.stmt;
    if (node.kind == StmtKind::kInst && node.site != nullptr) {
      for (const SiteArg& arg : node.site->args) ++(*uses)[arg.slot].links;
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

bool IsLink(const Node& node) {
  if (node.kind != StmtKind::kInst || node.site == nullptr || node.stmt->op == nullptr) return false;
  const Site& site = *node.site;
  if (site.adds || site.counts >= 0 || site.first_column >= 0) return false;
  for (const SiteArg& arg : site.args) {
    if (arg.makes || arg.own != StandIn::kNone || !arg.operand->indices.empty()) return false;
    if (arg.operand->value == nullptr || arg.operand->value->origin == ValueOrigin::kImplicit) return false;
  }
  return IsLinkWalk(*node.stmt->op);
}

// What may stand between two links.
bool IsPure(const Node& node) {
  return node.kind == StmtKind::kArith || node.kind == StmtKind::kConstant || node.kind == StmtKind::kPartitionView ||
         node.kind == StmtKind::kMakeTensorView;
}

// The value of the environment variable.
std::string_view Mode() {
  const char* mode = std::getenv("PTO_PLAN");
  return mode == nullptr ? "" : mode;
}

class Finder {
 public:
  explicit Finder(FuncCode* code) : code_(code) {
    for (const Code& block : code->blocks) CountUses(block, &uses_);
    print_ = Mode() == "print";
    all_ = Mode() == "all";
  }

  void Block(Code* block, bool loops) {
    UsesOf inside;
    bool counted = false;
    std::vector<Node*> links;
    const auto end = [&] {
      if (links.size() >= 2) {
        if (loops && !counted) CountUses(*block, &inside);
        counted = loops;
        Make(links, loops, inside);
      }
      links.clear();
    };
    for (Node& node : block->nodes) {
      if (IsLink(node)) {
        links.push_back(&node);
      } else if (!IsPure(node)) {
        end();
      }
      for (Code& inner : node.blocks) Block(&inner, node.kind == StmtKind::kFor);
    }
    end();
  }

 private:
  void Make(const std::vector<Node*>& links, bool loops, const UsesOf& inside) {
    auto chain = std::make_shared<Chain>();
    chain->loops = loops;
    chain->print = print_;
    if (all_) chain->least_bytes = 0;
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
      const auto all = uses_.find(slot);
      const auto body = inside.find(slot);
      const bool alone = all->second.others == 0 && all->second.allocs == 1;
      if (loops && alone && body != inside.end() && body->second.links == count) chain->private_slots.push_back(slot);
    }
    code_->chains.push_back(std::move(chain));
  }

  FuncCode* code_;
  UsesOf uses_;
  bool print_ = false;
  bool all_ = false;
};

}  // namespace

void Attach(FuncCode* code) {
  if (Mode() == "off") return;
  Finder finder(code);
  for (Code& block : code->blocks) finder.Block(&block, false);
}

}  // namespace pto::ptoas::plan
