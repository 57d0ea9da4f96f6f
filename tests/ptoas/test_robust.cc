// Any bytes give a tree and diagnostics: truncated, mutated, deep, huge and
// hostile programs. What matters is that it ends, in memory of its own (the asan
// suite runs this too), and that what parses without error also prints.
#include <cstring>

#include "cmocka_cpp.h"
#include "corpus.h"
#include "src/ptoas/read/statements.h"
#include "src/ptoas/read/lexer.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/check/verifier.h"

namespace pto::ptoas {
namespace {

// Runs the front end as `pto check` and `pto fmt` would.
void Exercise(std::string_view text) {
  Checked checked;
  Check(text, &checked);
  assert_true(checked.diagnostics.list().size() <= 2 * Diagnostics::kDefaultLimit + 1);
  for (const Diagnostic& d : checked.diagnostics.list()) {
    assert_true(d.line >= 1 && d.column >= 1 && d.offset + d.length <= text.size());
    assert_false(checked.diagnostics.Excerpt(d).empty());
  }
  if (checked.parse_errors == 0) {
    for (int form = 0; form < 3; ++form) Print(checked.program, static_cast<Spelling>(form));
  }
}

void TestTruncated(void**) {
  for (const CorpusFile& file : WholeCorpus()) {
    // Long files are cut at every seventh byte, which also falls on all places in time.
    const size_t step = (file.text.size() > 3000 ? 7 : 1) * (Sparse() + (Sparse() > 1));  // 11: prime, as 7 is
    for (size_t end = 0; end < file.text.size(); end += step) Exercise(std::string_view(file.text).substr(0, end));
  }
}

void TestMutated(void**) {
  static const char* const kPieces[] = {
      "{",    "}",  "(",   ")",  "[",    "]",       "<",      ">",    ",",     "=",   "->",    "%",
      "%x",   "#1", ":",   "\"", "//",   "#",       "-",      "0x",   "1e9",   "?",   "\n",    "\t",
      "\xFF", "@f", "...", "^a", "pto.", "scf.for", "module", "func", "!pto.", "i32", "index", "999999999999999999999"};
  std::vector<CorpusFile> corpus = WholeCorpus();
  Random random(2026);
  for (int round = 0; round < 20000 / static_cast<int>(Sparse()); ++round) {
    std::string text = corpus[random.Below(corpus.size())].text;
    if (text.size() > 4000) text = text.substr(random.Below(text.size() - 2000), 2000);
    for (size_t edits = 1 + random.Below(6); edits > 0 && !text.empty(); --edits) {
      const size_t at = random.Below(text.size());
      const size_t length = std::min(random.Below(20), text.size() - at);
      switch (random.Below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, kPieces[random.Below(std::size(kPieces))]);
          break;
        case 2:
          text[at] = static_cast<char>(random.Below(256));
          break;
        default:
          text.insert(random.Below(text.size()), text.substr(at, length));
      }
    }
    Exercise(text);
  }
}

// Every token of every correct program is left out, doubled, and replaced by some that belong elsewhere.
void TestEveryToken(void**) {
  static const char* const kOthers[] = {"%x", "(",    ")",   ",",  ":",     "=", "->", "{",      "}",   "1",
                                        "-",  "0x1F", "f32", "@f", "\"s\"", "<", ">",  "[",      "]",   "?",
                                        "#a", "none", "ins", "to", "1.5",   "%", "\n", "!pto.x", "^bb", "%x#1"};
  for (const CorpusFile& file : Corpus("valid", 20)) {
    const std::string_view text = file.text;
    const auto word = [](char c) { return Is(c, kLetterBit | kDigitBit) || c == '_' || c == '.'; };
    size_t other = 0;
    size_t place = 0;
    for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
      end = begin + 1;
      while (word(text[begin]) && end < text.size() && word(text[end])) ++end;
      if (text[begin] == ' ' || text[begin] == '\n' || place++ % Sparse() != 0) continue;
      const std::string before(text.substr(0, begin));
      const std::string token(text.substr(begin, end - begin));
      const std::string after(text.substr(end));
      Exercise(before + after);
      Exercise(before + token + ' ' + token + after);
      for (int i = 0; i < 4; ++i) Exercise(before + ' ' + kOthers[other++ % std::size(kOthers)] + ' ' + after);
    }
  }
}

void TestRandomBytes(void**) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random.Below(200), ' ');
    for (char& c : text) c = static_cast<char>(1 + random.Below(255));  // a program with a NUL is not read
    Exercise(text);
  }
}

std::string Repeat(const char* piece, size_t count) {
  std::string text;
  text.reserve(std::strlen(piece) * count);
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

void TestDeepNesting(void**) {
  constexpr size_t kDeep = 200000;
  const char* const kPieces[] = {
      "scf.if %c {\n", "module {\n", "func.func @f() {\n", "pto.section.cube {", "{", "(", "[", "<"};
  for (const char* piece : kPieces) {
    Exercise(Repeat(piece, kDeep));
    Exercise("func.func @f() {\n" + Repeat(piece, kDeep));
  }
  Exercise("module attributes {a = " + Repeat("[", kDeep));
  Exercise("module attributes " + Repeat("{a = ", kDeep));
  Exercise("func.func @f(%a: memref" + Repeat("<", kDeep));
  Exercise("%d = tpow " + Repeat("%a[", kDeep));
  Exercise(Repeat("}", kDeep));
}

// What is nested as deep as the limit allows is read and printed.
void TestDeepestAllowed(void**) {
  std::string text = "func.func @f(%c: i1) {\n";
  for (int i = 1; i < kMaxNesting; ++i) text += "scf.if %c {\n";
  for (int i = 1; i < kMaxNesting; ++i) text += "}\n";
  text += "return\n}\n";
  Checked checked;
  Check(text, &checked);
  assert_int_equal(checked.diagnostics.errors(), 0);
  AssertRoundTrip(checked.program, "deepest");
}

void TestLongLists(void**) {
  constexpr size_t kMany = 100000;
  Exercise(Repeat("%a, ", kMany) + "%a = tpow %a, %b");
  Exercise("%d = tpow " + Repeat("%a, ", kMany) + "%b : " + Repeat("f32, ", kMany) + "f32");
  Exercise("module attributes {" + Repeat("a, ", kMany) + "}");
  Exercise("func.func @f(" + Repeat("%a: index, ", kMany) + ") {}");
  Exercise(Repeat("func.func @f() {\n}\n", kMany / 10));
  Exercise("%c = arith.constant " + Repeat("1", kMany) + " : i64");
  Exercise("%c = arith.constant 0x" + Repeat("F", kMany) + " : i64");
  Exercise("%c = arith.constant 1." + Repeat("1", kMany) + "e-" + Repeat("9", kMany) + " : f32");
  Exercise("%" + Repeat("x", kMany) + " = tadd %" + Repeat("y", kMany));
  Exercise("%c = pto.alloc_tile : !pto.tile_buf<vec, " + Repeat("1x", kMany) + "f32>");
  Exercise(Repeat("// c\n", kMany));
  Exercise(Repeat("!pto.tile_buf<", kMany));
  Exercise("%x:4294967295 = tadd %a");
  Exercise("%x#99999999999999999999 = tadd %a#99999999999999999999");
}

// A call graph as long as it gets: the search for recursion does not recurse itself.
void TestLongCallChain(void**) {
  std::string text;
  constexpr int kLong = 20000;
  for (int i = 0; i < kLong; ++i) {
    text += "func.func @f" + std::to_string(i) + "() {\ncall @f" + std::to_string(i + 1) + "() : () -> ()\nreturn\n}\n";
  }
  Checked open;
  Check(text + "func.func @f" + std::to_string(kLong) + "() {\nreturn\n}\n", &open);
  assert_int_equal(open.diagnostics.errors(), 0);
  Checked closed;
  Check(text + "func.func @f" + std::to_string(kLong) + "() {\ncall @f0() : () -> ()\nreturn\n}\n", &closed);
  assert_int_equal(closed.diagnostics.errors(), 1);
  assert_string_equal(closed.diagnostics.list()[0].rule, "recursion");
}

// Every name in MLIR's generic form, with operands, properties, regions, successors and results that it does not have
// too.
void TestEveryGenericName(void**) {
  static const char* const kProperties[] = {"",
                                            " <{operandSegmentSizes = array<i32: 1, 1, 1>}>",
                                            " <{operandSegmentSizes = array<i32: 1, 2, 2>, value = 1 : i32}>",
                                            " {operandSegmentSizes = array<i32: 1, 1, 1, 0>, value = 2.0 : f32}",
                                            "[^bb1]",
                                            "[^bb1, ^bb1]"};
  static const char* const kRegions[] = {"", " ({\n})", " ({\n}, {\n})",
                                         " ({\n^bb0(%k: index):\n\"scf.yield\"(%k) : (index) -> ()\n})"};
  std::vector<std::string> names = {
      "arith.addi", "arith.constant", "arith.cmpi", "arith.select",   "math.exp",    "scf.for",
      "scf.if",     "scf.while",      "scf.yield",  "scf.condition",  "func.return", "func.call",
      "func.func",  "cf.br",          "cf.cond_br", "builtin.module", "memref.cast", ""};
  for (const StmtInfo& info : PtoStmts()) names.push_back("pto." + std::string(info.name));
  for (const std::string& name : names) {
    for (size_t operands = 0; operands < 5; ++operands) {
      const std::string uses = std::string("%a, %t, %b, %t").substr(0, operands == 0 ? 0 : 4 * operands - 2);
      static const char* const kTypes[] = {"", "index", "index, !pto.tile_buf<vec, 8x8xf32>",
                                           "index, !pto.tile_buf<vec, 8x8xf32>, index",
                                           "index, !pto.tile_buf<vec, 8x8xf32>, index, !pto.tile_buf<vec, 8x8xf32>"};
      for (const char* properties : kProperties) {
        for (const char* regions : kRegions) {
          for (size_t results = 0; results < 3; ++results) {
            static const char* const kHeads[] = {"", "%r = ", "%r:2 = "};
            static const char* const kMade[] = {"()", "!pto.tile_buf<vec, 8x8xf32>", "(index, f32)"};
            Exercise("func.func @f(%a: index, %b: index, %t: !pto.tile_buf<vec, 8x8xf32>) {\n" +
                     std::string(kHeads[results]) + '"' + name + "\"(" + uses + ")" + properties + regions + " : (" +
                     kTypes[operands] + ") -> " + kMade[results] + "\n^bb1:\n  return\n}\n");
          }
        }
      }
    }
  }
}

// Every name of the dialect, in every spelling, with and without operands.
void TestEveryName(void**) {
  static const char* const kTails[] = {"",
                                       " %a",
                                       " %a, %b",
                                       " %a, %b, %c : index",
                                       " ins(%a : f32)",
                                       " ins(%a, %b : f32, f32) outs(%c : f32)",
                                       " outs(%c)",
                                       "(%a : f32) {k = 1} -> f32",
                                       " -> f32",
                                       " [%a, %b]",
                                       " %a[%b] : f32",
                                       " {x = 1} : f32",
                                       " %a, shape = [], strides = [] : !pto.tensor_view<f32>",
                                       " %a, offsets = [], sizes = [] : f32 -> f32",
                                       " ins() outs()"};
  static const char* const kHeads[] = {"", "%r = ", "%r:2 = ", "%r, %s = "};
  std::vector<std::string> names;
  for (const StmtInfo& info : PtoStmts()) {
    names.emplace_back(info.name);
    names.push_back("pto." + names.back());
  }
  for (const char* other : {"arith.addi", "arith.constant", "arith.cmpi", "scf.for", "scf.if", "scf.while", "scf.yield",
                            "scf.condition", "return", "call", "func.func", "module", "pto.", "arith.", "scf."}) {
    names.push_back(other);
  }
  for (const std::string& name : names) {
    for (const char* head : kHeads) {
      for (const char* tail : kTails) {
        const std::string statement = head + name + tail + "\n";
        Exercise(statement);
        Exercise("func.func @f(%a: index, %b: index) {\n" + statement + statement + "}\n");
      }
    }
  }
}

// `.` and `_` are equal, the names are found and each once.
void TestNames(void**) {
  for (const StmtInfo& info : PtoStmts()) {
    std::string name(info.name);
    assert_ptr_equal(FindStmt(name), &info);
    for (char& c : name) c = c == '.' ? '_' : c == '_' ? '.' : c;
    assert_ptr_equal(FindStmt(name), &info);
  }
  assert_null(FindStmt(""));
  assert_null(FindStmt("tadd_"));
  assert_null(FindStmt("TADD"));
  assert_true(FindInstruction(std::string(100, 'a')).empty());
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  using namespace pto::ptoas;
  if (argc != 2) return 2;
  SetCorpusFolder(argv[1]);
  const CMUnitTest tests[] = {
      cmocka_unit_test(TestTruncated),        cmocka_unit_test(TestMutated),       cmocka_unit_test(TestEveryToken),
      cmocka_unit_test(TestRandomBytes),      cmocka_unit_test(TestDeepNesting),   cmocka_unit_test(TestDeepestAllowed),
      cmocka_unit_test(TestLongLists),        cmocka_unit_test(TestLongCallChain), cmocka_unit_test(TestEveryName),
      cmocka_unit_test(TestEveryGenericName), cmocka_unit_test(TestNames),
  };
  return cmocka_run_group_tests_name("robust", tests, nullptr, nullptr);
}
