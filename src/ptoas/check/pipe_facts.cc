#include "src/ptoas/check/pipe_facts.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace pto::ptoas {

namespace {

bool Makes(const Stmt& stmt) { return stmt.kind == StmtKind::kMakePipe; }

// A pipe statement with the core that runs it, as far as its name, section or function shows.
struct Site {
  const Stmt* stmt;
  CoreKind core;
};

// Functions that are one kernel have one root.
class Kernels {
 public:
  const Func* RootOf(const Func* func) {
    while (true) {
      const auto at = root_.find(func);
      if (at == root_.end() || at->second == func) return func;
      func = at->second;
    }
  }
  void Join(const Func* a, const Func* b) {
    if (b != nullptr) root_[RootOf(b)] = RootOf(a);
  }

 private:
  std::unordered_map<const Func*, const Func*> root_;
};

class Collector {
 public:
  explicit Collector(const Program& program) {
    for (const Module* module : program.modules) {
      for (const Func* func : module->funcs) {
        funcs_.push_back(func);
        for (const Block* block = func->body; block != nullptr; block = block->next) Walk(*func, *block, func->core);
      }
    }
  }

  std::vector<KernelPipes> Take() {
    std::map<const Func*, size_t> index;
    std::vector<KernelPipes> kernels;
    std::vector<std::map<std::string, PipeFacts>> pipes;
    for (const Func* func : funcs_) {
      const auto [at, fresh] = index.emplace(kernels_.RootOf(func), kernels.size());
      if (fresh) {
        kernels.emplace_back();
        pipes.emplace_back();
      }
      KernelPipes& kernel = kernels[at->second];
      kernel.funcs.push_back(func);
      for (const Site& site : sites_[func]) {
        const std::string key = KeyOf(site);
        kernel.lost |= key.empty();
        Note(site, &pipes[at->second][key]);
      }
    }
    for (size_t i = 0; i < kernels.size(); ++i) {
      for (const auto& [key, pipe] : pipes[i]) {
        if (!key.empty()) kernels[i].pipes.push_back(pipe);
      }
      const auto place = [](const PipeFacts& pipe) { return pipe.made == nullptr ? 0 : pipe.made->offset; };
      std::stable_sort(kernels[i].pipes.begin(), kernels[i].pipes.end(),
                       [&](const PipeFacts& a, const PipeFacts& b) { return place(a) < place(b); });
    }
    return kernels;
  }

 private:
  void Walk(const Func& func, const Block& block, CoreKind core) {
    for (const Stmt* stmt : block.stmts) {
      if (stmt->kind == StmtKind::kCall) kernels_.Join(&func, stmt->callee);
      if (stmt->kind == StmtKind::kImportBuffer) kernels_.Join(&func, stmt->callee);
      if (IsPipe(stmt->kind) && stmt->kind >= StmtKind::kMakePipe) {
        const CoreKind side = stmt->info->core;
        sites_[&func].push_back({stmt, side != CoreKind::kAny ? side : core});
        if (Makes(*stmt)) core_of_[stmt] = sites_[&func].back().core;
      }
      const CoreKind inner = stmt->kind == StmtKind::kSection ? stmt->info->core : core;
      for (const Block* nested : stmt->blocks) Walk(func, *nested, inner);
    }
  }

  // What both ends know a pipe by: an id, a flag, or the one value that both use. "": the text does not show which pipe
  // it is, one that is made on one core and known by the order in which pipes are made.
  std::string KeyOf(const Site& site) const {
    const Stmt* made = site.stmt;
    if (made->info->core != CoreKind::kAny) return "id " + std::to_string(IntAttr(*made, "id", 0));
    if (!Makes(*made)) {
      const Operand* pipe = (*made)["pipe"];
      const Value* value = pipe == nullptr || pipe->kind != OperandKind::kValue ? nullptr : pipe->value;
      if (value == nullptr || value->def == nullptr || !Makes(*value->def)) return "";
      made = value->def;
    }
    const int64_t flag = PipeShapeOf(*made).flag_base;
    if (flag >= 0) return "flag " + std::to_string(flag);
    return core_of_.at(made) == CoreKind::kAny ? "at " + std::to_string(made->offset) : "";
  }

  static void Note(const Site& site, PipeFacts* pipe) {
    const Stmt& stmt = *site.stmt;
    if (Makes(stmt)) {
      if (pipe->made == nullptr) pipe->made = &stmt;
      if (pipe->nosplit == nullptr && PipeShapeOf(stmt).nosplit) pipe->nosplit = &stmt;
      if (site.core == CoreKind::kAny) {
        pipe->shared = true;
      } else if (const Stmt*& end = pipe->ends[site.core == CoreKind::kCube ? 0 : 1]; end == nullptr) {
        end = &stmt;
      }
      return;
    }
    pipe->known &= site.core != CoreKind::kAny;
    if (pipe->splits == nullptr && IntAttr(stmt, "split", 0) != 0) pipe->splits = &stmt;
    const bool sends = stmt.kind == StmtKind::kPush || stmt.kind == StmtKind::kAllocSlot;
    PipeWay& way = pipe->ways[sends == (site.core == CoreKind::kVector) ? 1 : 0];
    const auto note = [&](const Stmt*& first, const Stmt*& other) {
      if (first == nullptr) first = &stmt;
      if (other == nullptr && IntAttr(*first, "split", 0) != IntAttr(stmt, "split", 0)) other = &stmt;
    };
    if (stmt.kind == StmtKind::kPush) note(way.push, way.other_push);
    if (stmt.kind == StmtKind::kPop) note(way.pop, way.other_pop);
    if (stmt.kind == StmtKind::kFree) note(way.free, way.other_free);
  }

  std::vector<const Func*> funcs_;
  std::unordered_map<const Func*, std::vector<Site>> sites_;
  std::unordered_map<const Stmt*, CoreKind> core_of_;
  Kernels kernels_;
};

}  // namespace

std::vector<KernelPipes> PipesOf(const Program& program) { return Collector(program).Take(); }

}  // namespace pto::ptoas
