#include "tests/ptoas/same_program.h"

#include <algorithm>

#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"

namespace pto::ptoas {
namespace {

bool Same(Dict a, Dict b);

bool Same(const Type* a, const Type* b) { return a == b || (a != nullptr && b != nullptr && SameType(*a, *b)); }

bool Same(std::span<const Type* const> a, std::span<const Type* const> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Type* x, const Type* y) { return Same(x, y); });
}

bool Same(const Attr* a, const Attr* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  return a->kind == b->kind && a->name == b->name && a->text == b->text && a->integer == b->integer &&
         Same(a->type, b->type) && Same(a->dict, b->dict) &&
         std::equal(a->items.begin(), a->items.end(), b->items.begin(), b->items.end(),
                    [](const Attr* x, const Attr* y) { return Same(x, y); });
}

bool Same(Dict a, Dict b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const NamedAttr& x, const NamedAttr& y) { return x.name == y.name && Same(x.value, y.value); });
}

// Slots number the values of a function in the order they are defined.
bool Same(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->slot == b->slot && a->name == b->name && a->index == b->index && a->origin == b->origin &&
         a->written_first == b->written_first && Same(a->type, b->type) && Same(a->attrs, b->attrs);
}

bool Same(std::span<Value* const> a, std::span<Value* const> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Value* x, const Value* y) { return Same(x, y); });
}

bool Same(std::span<const Operand> a, std::span<const Operand> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Operand& x, const Operand& y) {
    return x.kind == y.kind && x.name == y.name && x.index == y.index && Same(x.value, y.value) &&
           Same(x.type, y.type) && Same(x.literal, y.literal) && x.address == y.address && Same(x.indices, y.indices);
  });
}

bool Same(const Block* a, const Block* b);

bool Same(std::span<const Clause> a, std::span<const Clause> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Clause& x, const Clause& y) {
    return x.info == y.info && x.begin == y.begin && x.end == y.end && Same(x.options, y.options);
  });
}

bool Same(const Stmt* a, const Stmt* b) {
  return a->info == b->info && a->arith == b->arith && a->predicate == b->predicate && a->around == b->around &&
         std::ranges::equal(a->ends, b->ends) && a->name == b->name && a->op == b->op &&
         Same(a->operands, b->operands) && Same(a->outs, b->outs) && Same(a->results, b->results) &&
         Same(a->types, b->types) && Same(a->clauses, b->clauses) && std::ranges::equal(a->sizes, b->sizes) &&
         Same(a->attrs, b->attrs) && Same(a->literal, b->literal) && a->symbol == b->symbol &&
         std::equal(a->successors.begin(), a->successors.end(), b->successors.begin(), b->successors.end(),
                    [](const Successor& x, const Successor& y) {
                      return x.label == y.label && x.count == y.count && (x.block == nullptr) == (y.block == nullptr);
                    }) &&
         std::equal(a->blocks.begin(), a->blocks.end(), b->blocks.begin(), b->blocks.end(),
                    [](const Block* x, const Block* y) { return Same(x, y); });
}

bool Same(const Block* a, const Block* b) {
  if (a == nullptr || b == nullptr) return a == b;
  for (; a != nullptr && b != nullptr; a = a->next, b = b->next) {
    if (!Same(a->args, b->args) || !std::equal(a->stmts.begin(), a->stmts.end(), b->stmts.begin(), b->stmts.end(),
                                               [](const Stmt* x, const Stmt* y) { return Same(x, y); })) {
      return false;
    }
  }
  return a == b;
}

bool Same(const Func* a, const Func* b) {
  return a->name == b->name && a->bare == b->bare && a->entry == b->entry && a->visibility == b->visibility &&
         a->value_count == b->value_count && Same(a->args, b->args) && Same(a->result_types, b->result_types) &&
         Same(a->attrs, b->attrs) && Same(a->body, b->body);
}

bool Same(const Module* a, const Module* b) {
  return a->implicit == b->implicit && a->name == b->name && Same(a->attrs, b->attrs) &&
         std::equal(a->funcs.begin(), a->funcs.end(), b->funcs.begin(), b->funcs.end(),
                    [](const Func* x, const Func* y) { return Same(x, y); });
}

}  // namespace

bool SameProgram(const Program& a, const Program& b) {
  return a.arch == b.arch && std::equal(a.modules.begin(), a.modules.end(), b.modules.begin(), b.modules.end(),
                                        [](const Module* x, const Module* y) { return Same(x, y); });
}

std::string FaultOfPrints(const Program& program) {
  for (int form = 0; form < 4; ++form) {
    const auto print = [form](const Program& p) {
      return form == 3 ? Print(p) : Print(p, static_cast<Spelling>(form));
    };
    const std::string text = print(program);
    const std::string where = "form " + std::to_string(form) + ", printed:\n" + text;
    Diagnostics diagnostics;
    const Program again = Parse(text, &diagnostics);
    if (diagnostics.errors() != 0) {
      return where + "does not parse:\n" + diagnostics.Render(diagnostics.list()[0], "printed");
    }
    if (!SameProgram(program, again)) return where + "is another program";
    if (const std::string now = print(again); now != text) return where + "prints otherwise:\n" + now;
  }
  return {};
}

}  // namespace pto::ptoas
