// docs/statements.md, and what `pto ops` shows of statements and of operations of the vector level. Both follow from
// the rows in src/ptoas/.
#ifndef PTO_SRC_GEN_GEN_STATEMENTS_H_
#define PTO_SRC_GEN_GEN_STATEMENTS_H_

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "src/gen/gen_text.h"
#include "src/gen/gen_vector.h"
#include "src/ptoas/read/statement_pages.h"
#include "src/records/attributes.h"

namespace pto::statement_pages {

using ptoas::kStmtPages;
using ptoas::StmtInfo;
using ptoas::StmtPage;
using vector_pages::Text;

// nullptr for an unknown name.
constexpr const StmtInfo* RowOf(std::string_view name) {
  for (const StmtInfo& row : ptoas::rows::kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}
constexpr const StmtPage* PageOf(std::string_view name) {
  for (const StmtPage& page : kStmtPages) {
    if (page.name == name) return &page;
  }
  return nullptr;
}
constexpr bool IsInstruction(const StmtInfo& row) {
  return row.kind == ptoas::StmtKind::kInst || row.kind == ptoas::StmtKind::kScaleAddr;
}
// Rows of other dialects begin with arith.
inline bool Foreign(const StmtInfo& row) { return &row >= RowOf("arith"); }
constexpr bool EveryRowHasItsPage() {
  for (const StmtPage& page : kStmtPages) {
    if (!page.name.empty() && RowOf(page.name) == nullptr) return false;
  }
  for (const StmtInfo& row : ptoas::rows::kRows) {
    if (row.name.empty() || row.kind == ptoas::StmtKind::kVectorOp) continue;
    const StmtPage* const page = PageOf(row.name);
    const bool shown = page != nullptr && (!page->form.empty() || !row.form.empty() || IsInstruction(row));
    if (!shown) return false;
  }
  return true;
}
static_assert(EveryRowHasItsPage(), "each row of statements.h has one in statement_pages.h, and these have rows");

// The word for the type of an operand.
inline std::string TypeWord(const ptoas::OperandInfo& operand) {
  using ptoas::Takes;
  switch (operand.takes) {
    case Takes::kTile:
      return "tile";
    case Takes::kView:
      return "view";
    case Takes::kPointer:
    case Takes::kGlobal:
      return "ptr";
    case Takes::kMemref:
      return "memref";
    case Takes::kVector:
      return "vector";
    case Takes::kArray:
      return "!pto.local_array<...>";
    case Takes::kTiles:
      return "!pto.multi_tile_buf<...>";
    case Takes::kIndex:
    case Takes::kDimension:
      return "index";
    default:
      return "type";
  }
}

inline std::string ResultWord(const StmtInfo& row) {
  using ptoas::TypeKind;
  switch (row.result) {
    case TypeKind::kTile:
      return "tile";
    case TypeKind::kPtr:
      return "ptr";
    case TypeKind::kTensorView:
      return "view";
    case TypeKind::kVector:
      return "vector";
    case TypeKind::kMultiTile:
      return "!pto.multi_tile_buf<...>";
    case TypeKind::kLocalArray:
      return "!pto.local_array<...>";
    default:
      return "type";
  }
}

// The form of a row, as a program has it.
inline std::string FormOf(const StmtInfo& row) {
  std::istringstream words{Text(row.form)};
  std::string text;
  std::vector<std::string> types;
  const auto find = [&](const std::string& name) {
    return *std::find_if(row.operands.begin(), row.operands.end(),
                         [&](const ptoas::OperandInfo& one) { return one.name == name; });
  };
  bool list = false;
  bool first = true;
  bool close = false;
  const auto add = [&](const std::string& word) {
    const bool tight =
        close || word == "," || word == ")" || word == "]" || text.empty() || text.back() == '(' || text.back() == '[';
    text += If(!tight || word == ":", " ") + word;
    close = false;
  };
  const auto operand = [&](const ptoas::OperandInfo& one) {
    const bool maybe = one.count == ptoas::Count::kMaybe;
    if (list && !first) text += Either(maybe, " [, ", ", ");
    const std::string word = "%" + Text(one.name) + If(one.count == ptoas::Count::kMany, ", ...");
    if (list && !first) {
      text += word + If(maybe, "]");
    } else {
      add(word);
    }
    first = false;
    types.push_back(TypeWord(one));
  };
  for (std::string word; words >> word;) {
    if (word == "{}" || word == "{-}") continue;
    if (word == "(?") {
      text += " [";
    } else if (word == "?)") {
      text += "]";
    } else if (word == ",?" || word == ",-") {
      if (word == ",?") text += ",";
    } else if (word == "<") {
      list = first = true;
    } else if (word == ">") {
      list = false;
    } else if (word == "types") {
      add(Join(types, ", "));
    } else if (word == "region") {
      add("{ ... }");
    } else if (word == "@") {
      add(ResultWord(row));
    } else if (word[0] == '@') {
      add(TypeWord(find(word.substr(1))));
    } else if (word[0] == '%' || word[0] == '$') {
      operand(find(word.substr(1, word.find('*') - 1)));
    } else {
      // A bracket after a name: an index or a list of operands.
      if ((word == "[" || word == "(") && !text.empty() && text.back() != ',' && text.back() != '=' &&
          text.back() != '[' && text.find(" to ") == std::string::npos) {
        text += word;
      } else {
        add(word);
      }
    }
  }
  const std::string name = If(!Foreign(row), "pto.") + Text(row.name);
  return If(row.makes != ptoas::Makes::kNothing, "%r = ") + name +
         If(!text.empty() && text[0] != '(' && text[0] != ' ', " ") + text;
}

inline std::string Form(const StmtPage& page) {
  const StmtInfo& row = *RowOf(page.name);
  if (!page.form.empty()) return Text(page.form);
  if (IsInstruction(row)) return "pto." + Text(row.name) + " ins(...) outs(...)";
  return FormOf(row);
}

inline void Attributes(std::ostream& out, std::string_view name) {
  for (const ptoas::AttributeInfo& info : ptoas::kAttributes) {
    if (info.record != nullptr || info.op != name) continue;
    std::vector<std::string> values;
    for (const ptoas::AttributeValue& value : info.values) {
      if (value.name != nullptr && value.obeyed) values.push_back("`" + std::string(value.name) + "`");
    }
    out << "\n";
    Wrap(out, "",
         "Attribute `" + std::string(info.key) + "`: " + Join(values, ", ") + "." +
             If(info.usual == 0 && values.size() > 1, " The default is the first."));
  }
}

inline std::string Page() {
  std::ostringstream out;
  out << "<!-- Generated by src/gen/gen_statements.h from src/ptoas/read/statements.h and statement_pages.h; change "
         "these and "
         "run ./dev gen. -->\n\n# Statements of PTO-AS\n\n";
  Wrap(out, "",
       "This page is for authors of programs and of tools that read them. It lists the statements of "
       "[PTO-AS](ptoas.md) besides "
       "the [instructions](ops/README.md) and the [operations of the vector level](vector/README.md). `pto ops NAME` "
       "shows one. "
       "In the forms, `tile`, `view`, `ptr`, `memref`, `vector` and `type` are types; what is in `[...]` is optional.");
  for (const StmtPage& page : kStmtPages) {
    if (page.name.empty()) {
      out << "\n## " << page.form << "\n";
      if (!page.does.empty()) {
        out << "\n";
        Wrap(out, "", Text(page.does));
      }
      continue;
    }
    out << "\n### " << page.name << "\n\n";
    Wrap(out, "", Text(page.does));
    out << "\n```\n" << Form(page) << "\n```\n";
    if (!page.more.empty()) {
      out << "\n";
      Wrap(out, "", Text(page.more));
    }
    Attributes(out, page.name);
  }
  return out.str();
}

inline std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += If(c == '"' || c == '\\', "\\") + c;
  return quoted + "\"";
}

// Rows for src/cli/ops_command.cc, in order of names.
inline std::string CommandRows() {
  std::vector<std::string> rows;
  const auto add = [&](std::string_view name, const std::string& form, std::string_view does, const std::string& page) {
    rows.push_back("    {" + Quoted(name) + ", " + Quoted(form) + ", " + Quoted(does) + ", " + Quoted(page) + "},\n");
  };
  for (const StmtPage& page : kStmtPages) {
    if (!page.name.empty()) add(page.name, Form(page), page.does, "docs/statements.md");
  }
  for (const vector_pages::vec::Op& op : vector_pages::vec::rows::kOps) {
    if (!op.refused.empty()) continue;
    add(op.name, vector_pages::Syntax(op), op.does,
        "docs/vector/" + Text(vector_pages::PageOf(op.family).file) + ".md");
  }
  std::sort(rows.begin(), rows.end());
  return "// Generated by src/gen/gen_statements.h; change that and run ./dev gen.\n" + Join(rows, "");
}

}  // namespace pto::statement_pages

#endif  // PTO_SRC_GEN_GEN_STATEMENTS_H_
