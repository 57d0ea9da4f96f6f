// The verifier over whole families of programs: every cast between every two types, against a table of its own, and
// errors in names that are longer than a message shows.
#include <algorithm>
#include <regex>
#include <set>

#include "cmocka_cpp.h"
#include "corpus.h"

namespace pto::ptoas {
namespace {

struct TypeWord {
  const char* word;
  char kind;  // i, x for index, f, or something else
  int bits;
  int shape = 0;  // of a vector
};
constexpr TypeWord kTypes[] = {{"i1", 'i', 1},
                               {"i8", 'i', 8},
                               {"i32", 'i', 32},
                               {"ui32", 'i', 32},
                               {"i64", 'i', 64},
                               {"index", 'x', 64},
                               {"f16", 'f', 16},
                               {"bf16", 'f', 16},
                               {"f32", 'f', 32},
                               {"f64", 'f', 64},
                               {"vector<4xi16>", 'i', 16, 4},
                               {"vector<4xi32>", 'i', 32, 4},
                               {"vector<2x2xi32>", 'i', 32, 22},
                               {"vector<4xindex>", 'x', 64, 4},
                               {"vector<4xf32>", 'f', 32, 4},
                               {"vector<4xf16>", 'f', 16, 4},
                               {"vector<?xf32>", 'u', 32, 1},
                               {"!pto.ptr<f32>", 'p', 64},
                               {"!pto.tile_buf<vec, 1x8xf32>", 't', 0}};

bool Converts(const std::string& op, const TypeWord& from, const TypeWord& to) {
  const std::string kinds = {from.kind, to.kind};
  if (from.shape != to.shape) return false;
  if (op == "index_cast" || op == "index_castui") return kinds == "ix" || kinds == "xi";
  if (op == "extsi" || op == "extui") return kinds == "ii" && from.bits < to.bits;
  if (op == "trunci") return kinds == "ii" && from.bits > to.bits;
  if (op == "extf") return kinds == "ff" && from.bits < to.bits;
  if (op == "truncf") return kinds == "ff" && from.bits > to.bits;
  if (op == "sitofp" || op == "uitofp") return kinds == "if";
  if (op == "fptosi" || op == "fptoui") return kinds == "fi";
  return (kinds == "ii" || kinds == "ff" || kinds == "if" || kinds == "fi") && from.bits == to.bits;
}

void TestCasts(void**) {
  for (const std::string op : {"index_cast", "index_castui", "extsi", "extui", "trunci", "extf", "truncf", "sitofp",
                               "uitofp", "fptosi", "fptoui", "bitcast"}) {
    for (const TypeWord& from : kTypes) {
      for (const TypeWord& to : kTypes) {
        std::string text = "func.func @f(%a: ";
        text.append(from.word).append(") {\n  %r = arith.").append(op).append(" %a : ");
        text.append(from.word).append(" to ").append(to.word).append("\n  return\n}\n");
        Checked checked;
        Check(text, &checked);
        if ((checked.diagnostics.errors() == 0) != Converts(op, from, to)) fail_msg("%s", text.c_str());
      }
    }
  }
}

void TestArithTakesItsTypes(void**) {
  for (const std::string op : {"addi", "divsi", "shli", "maxui", "addf", "remf", "maxnumf"}) {
    for (const TypeWord& type : kTypes) {
      std::string text = "func.func @f(%a: ";
      text.append(type.word)
          .append(") {\n  %r = arith.")
          .append(op)
          .append(" %a, %a : ")
          .append(type.word)
          .append("\n  return\n}\n");
      Checked checked;
      Check(text, &checked);
      const bool takes = op.back() == 'f' ? type.kind == 'f' : type.kind == 'i' || type.kind == 'x';
      if ((checked.diagnostics.errors() == 0) != takes) fail_msg("%s", text.c_str());
    }
  }
}

std::multiset<std::string> Rules(const std::string& text, size_t longest) {
  Checked checked;
  Check(text, &checked);
  std::multiset<std::string> rules;
  for (const Diagnostic& d : checked.diagnostics.list()) {
    rules.insert(d.rule);
    if (d.message.size() > longest) fail_msg("%zu bytes: %s", d.message.size(), d.message.c_str());
  }
  return rules;
}

// A message cuts a long name, and the rule that is broken stays the same.
void TestLongNames(void**) {
  const std::string tail(90, 'x');
  size_t programs = 0;
  for (const CorpusFile& file : Corpus("invalid", 40)) {
    if (file.name.find("error_limit") != std::string::npos) continue;
    const std::string named = std::regex_replace(file.text, std::regex("([%@](?!tile\\()[A-Za-z_]\\w*)"), "$1" + tail);
    if (named == file.text) continue;
    ++programs;
    if (Rules(named, 400) != Rules(file.text, 400)) fail_msg("%s:\n%s", file.name.c_str(), named.c_str());
  }
  assert_true(programs >= 30);
  for (const char* head :
       {"pto.t", "pto.", "arith.", "scf.", "func.", "%a = t",
        "pto.trsqrt ins(%a : !pto.tile_buf<vec, 1x8xf32>) outs(%a : !pto.tile_buf<vec, 1x8xf32>) {a"}) {
    const std::string text = head + tail + (std::string(head).find('{') == std::string::npos ? " %b\n" : " = 1}\n");
    if (Rules(text, 400).empty()) fail_msg("%s", text.c_str());
  }
}

// Boxes as the ISA has them: 512 bytes, 16 lines of 32 bytes; 1024 bytes of 16x16; 32 bytes of 16x2.
struct Boxes {
  const char* elem;
  const char* options;
  int rows, cols;   // of a box
  bool keeps_cols;  // which extent a part keeps
};
constexpr Boxes kBoxes[] = {
    {"i8", "blayout=col_major, slayout=row_major", 16, 32, false},
    {"f16", "blayout=col_major, slayout=row_major", 16, 16, false},
    {"f32", "blayout=col_major, slayout=row_major", 16, 8, false},
    {"i8", "blayout=row_major, slayout=col_major", 32, 16, true},
    {"f32", "blayout=row_major, slayout=col_major", 8, 16, true},
    {"f32", "blayout=row_major, slayout=row_major", 16, 8, true},
    {"f32", "blayout=col_major, slayout=row_major, fractal=1024", 16, 16, false},
};

void TestSubsetsOfBoxes(void**) {
  size_t accepted = 0;
  for (const Boxes& b : kBoxes) {
    for (int k = 0; k < 400; ++k) {
      // Rows and columns, where they begin and how many, in steps of 8.
      const int row = k % 2 * 16, col = k / 2 % 5 * 8, rows = 8 + k / 10 % 8 * 8, cols = 8 + k / 80 * 16 + k % 3 * 8;
      const std::string type = std::string("!pto.tile_buf<mat, 64x64x") + b.elem + ", " + b.options + ">";
      const std::string text = "func.func @f(%t: " + type + ") {\n  %r = arith.constant " + std::to_string(row) +
                               " : index\n  %c = arith.constant " + std::to_string(col) +
                               " : index\n  %u = pto.subset %t[%r, %c] sizes [" + std::to_string(rows) + ", " +
                               std::to_string(cols) + "] : " + type + "\n  return\n}\n";
      Checked checked;
      Check(text, &checked);
      const bool inside = row + rows <= 64 && col + cols <= 64;
      const bool whole = row % b.rows == 0 && rows % b.rows == 0 && col % b.cols == 0 && cols % b.cols == 0;
      const bool keeps = b.keeps_cols ? col == 0 && cols == 64 : row == 0 && rows == 64;
      if ((checked.diagnostics.errors() == 0) != (inside && whole && keeps)) {
        fail_msg("%s%s", text.c_str(),
                 checked.diagnostics.errors() == 0 ? "" : checked.diagnostics.list()[0].message.c_str());
      }
      accepted += inside && whole && keeps;
    }
  }
  assert_true(accepted > 10);
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  pto::ptoas::SetCorpusFolder(argv[1]);
  const CMUnitTest tests[] = {
      cmocka_unit_test(pto::ptoas::TestCasts), cmocka_unit_test(pto::ptoas::TestArithTakesItsTypes),
      cmocka_unit_test(pto::ptoas::TestLongNames), cmocka_unit_test(pto::ptoas::TestSubsetsOfBoxes)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
