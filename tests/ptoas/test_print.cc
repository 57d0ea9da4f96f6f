// Printing: what is printed parses to the same program, in each spelling, and
// printing that gives the same text. Over the corpus and over random programs. printed.txt holds how the programs of
// valid/ are printed, to the last blank; with --write as the last argument it is written instead of compared.
// test_print FOLDER --hunt SEED COUNT tries other changed programs than every run does.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "cmocka_cpp.h"
#include "corpus.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/check/verifier.h"
#include "tests/ptoas/same_program.h"

namespace pto::ptoas {
namespace {

std::string golden_path;
bool write_golden = false;
uint64_t hunt_seed = 1;
size_t hunt_count = 60000 / Sparse();

void TestGoldenPrints(void**) {
  std::string text;
  for (const CorpusFile& file : Corpus("valid", 20)) {
    Diagnostics diagnostics;
    const Program program = Parse(file.text, &diagnostics);
    text += "==== " + file.name + "\n" + Print(program);
    for (int form = 0; form < 3; ++form) {
      const std::string printed = Print(program, static_cast<Spelling>(form));
      if (printed != Print(program)) text += "---- " + std::to_string(form) + "\n" + printed;
    }
  }
  if (write_golden) std::ofstream(golden_path, std::ios::binary) << text;
  std::ifstream golden(golden_path, std::ios::binary);
  std::istringstream found(text);
  std::string want;
  std::string got;
  int line = 1;
  for (; std::getline(golden, want) && std::getline(found, got); ++line) {
    if (want != got)
      fail_msg("printed.txt:%d: %s\nis now: %s\nIf that is meant, run this test with --write.", line, want.c_str(),
               got.c_str());
  }
  golden.clear();
  golden.seekg(0);
  assert_true(text == std::string(std::istreambuf_iterator<char>(golden), std::istreambuf_iterator<char>()));
}

void TestCorpus(void**) {
  size_t printed = 0;
  for (const CorpusFile& file : WholeCorpus()) {
    Diagnostics diagnostics;
    const Program program = Parse(file.text, &diagnostics);
    if (diagnostics.errors() != 0) continue;
    ++printed;
    AssertRoundTrip(program, file.name);
  }
  assert_true(printed >= 35);  // the invalid ones break rules of the verifier, most of them
}

void TestRandomPrograms(void**) {
  for (uint64_t seed = 1; seed <= 3000 / Sparse(); ++seed) {
    Random random(seed);
    const std::string text = RandomProgram(&random);
    Checked checked;
    Check(text, &checked);
    const std::string name = "random program " + std::to_string(seed);
    if (checked.diagnostics.errors() != 0) {
      fail_msg("%s\n%s", checked.diagnostics.Render(checked.diagnostics.list()[0], name).c_str(), text.c_str());
    }
    AssertRoundTrip(checked.program, name);
  }
}

std::string Formatted(const char* text, Spelling form) {
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  assert_int_equal(diagnostics.errors(), 0);
  return Print(program, form);
}

void TestThreeSpellingsAreOneProgram(void**) {
  const char* texts[] = {
      "%d = tpow %a, %b, %t : !pto.tile<...>",
      "%d = pto.tpow %a, %b, %t : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
      ("pto.tpow ins(%a, %b, %t : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%d : "
       "!pto.tile_buf<...>)"),
  };
  for (const char* from : texts) {
    Diagnostics diagnostics;
    const Program program = Parse(from, &diagnostics);
    assert_int_equal(diagnostics.errors(), 0);
    for (const char* to : texts) {
      Diagnostics more;
      assert_true(SameProgram(program, Parse(to, &more)));
    }
    for (int form = 0; form < 3; ++form) {
      assert_string_equal(Print(program, static_cast<Spelling>(form)).c_str(),
                          (std::string(texts[form]) + "\n").c_str());
    }
  }
}

void TestDifferentProgramsDiffer(void**) {
  // Each differs from the first in one respect.
  const char* texts[] = {
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 2 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : i64\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%e = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %a, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tprelu %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%a = tpow %a, %b, %t {m = 1} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 2} : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t : !pto.tile<...>",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1}",
      "%c = arith.constant 1 : index\n%d = tpow %a, %b, %t {m = 1} : !pto.tile<f32, 16, 16>",
      "%c = arith.constant 1 : index",
  };
  for (size_t i = 0; i < std::size(texts); ++i) {
    for (size_t k = 0; k < std::size(texts); ++k) {
      Diagnostics a;
      Diagnostics b;
      const bool same = SameProgram(Parse(texts[i], &a), Parse(texts[k], &b));
      assert_int_equal(a.errors() + b.errors(), 0);
      if (same != (i == k)) fail_msg("programs %zu and %zu compare %s", i, k, same ? "equal" : "different");
    }
  }
}

void TestComments(void**) {
  const char* text =
      "// first\nfunc.func @f() {  // after the brace\n  # second\n      %c   =   arith.constant 1:index  // third\n"
      "  // fourth\n}\n// fifth\n";
  assert_string_equal(Formatted(text, Spelling::kDps).c_str(),
                      "// first\nfunc.func @f() {\n  // after the brace\n  # second\n"
                      "  %c = arith.constant 1 : index  // third\n  // fourth\n}\n// fifth\n");
  // A type that is written again is read again where it has a comment in it.
  assert_string_equal(Formatted("func.func @f(%a: !pto.tile_buf<vec, // one\n8x8xf32>, %b: !pto.tile_buf<vec, // one\n"
                                "8x8xf32>) {\n}\n",
                                Spelling::kDps)
                          .c_str(),
                      "func.func @f(%a: !pto.tile_buf<vec, 8x8xf32>, %b: !pto.tile_buf<vec, 8x8xf32>) {\n"
                      "  // one\n  // one\n}\n");
}

// ---- changed programs -------------------------------------------------------

// With the blanks before them: what belongs together, as `->` or `1.5e+00`, stays so.
std::vector<std::string> Tokens(std::string_view text) {
  std::vector<std::string> tokens;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  std::string blanks;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
    } else if (c == '\n' || std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (c == '"') end = std::min(text.find('"', at + 1), text.size() - 1) + 1;
      while (end < text.size() && (word(c) || std::strchr("%@^!#", c) != nullptr) && word(text[end])) ++end;
      tokens.push_back(std::exchange(blanks, {}).append(text.substr(at, end - at)));
    } else {
      blanks += c;
    }
    at = end;
  }
  return tokens;
}

std::string Joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

std::string FaultOfText(const std::vector<std::string>& tokens) {
  const std::string text = Joined(tokens);
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  return diagnostics.errors() != 0 ? std::string() : FaultOfPrints(program);
}

// Lines of the corpus with tokens removed, doubled, exchanged, or replaced by tokens of any other line:
// what is still read is printed and read again. The same programs in every run; `hunt` is for other ones.
void Hunt(uint64_t seed, size_t count) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> pool;
  for (const CorpusFile& file : WholeCorpus()) {
    std::vector<std::string> line;
    for (std::string& token : Tokens(file.text)) {
      if (token.back() != '\n') {
        line.push_back(token);
        pool.push_back(std::move(token));
      } else if (!line.empty()) {
        lines.push_back(std::exchange(line, {}));
      }
    }
  }
  Random random(seed);
  size_t read = 0;
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::string> tokens;
    for (size_t line = random.Below(lines.size()), end = std::min(lines.size(), line + 1 + random.Below(3)); line < end;
         ++line) {
      tokens.insert(tokens.end(), lines[line].begin(), lines[line].end());
      tokens.emplace_back("\n");
    }
    for (size_t changes = random.Below(5); changes > 0 && tokens.size() > 1; --changes) {
      const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(random.Below(tokens.size() - 1));
      switch (random.Below(5)) {
        case 0:
          tokens.erase(at);
          break;
        case 1:
          tokens.insert(at, std::string(*at));
          break;
        case 2:
          std::swap(*at, tokens[random.Below(tokens.size())]);
          break;
        case 3:
          *at = pool[random.Below(pool.size())];
          break;
        default:
          tokens.insert(at, pool[random.Below(pool.size())]);
      }
    }
    Diagnostics diagnostics;
    Parse(Joined(tokens), &diagnostics);
    read += diagnostics.errors() == 0;
    if (diagnostics.errors() != 0 || FaultOfText(tokens).empty()) continue;
    // As short as it can be.
    for (size_t k = tokens.size(); k-- > 0;) {
      std::vector<std::string> fewer = tokens;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (FaultOfText(fewer).empty()) continue;
      tokens = fewer;
      k = tokens.size();
    }
    fail_msg("seed %llu:\n%s\n%s", static_cast<unsigned long long>(seed), Joined(tokens).c_str(),
             FaultOfText(tokens).c_str());
  }
  assert_true(read >= count / 20);  // most changes are errors, and not all
}

void TestChangedPrograms(void**) { Hunt(hunt_seed, hunt_count); }

// Whole programs, in which one word is another, or gone, or there twice: a name then is used that nothing defined
// before.
void TestOneWordChanged(void**) {
  size_t read = 0;
  for (const CorpusFile& file : Corpus("valid", 20)) {
    const std::vector<std::string> tokens = Tokens(file.text);
    for (size_t i = 0; i < tokens.size(); i += Sparse()) {
      if (std::isalnum(static_cast<unsigned char>(tokens[i].back())) == 0) continue;
      for (int change = 0; change < 3; ++change) {
        std::vector<std::string> changed = tokens;
        if (change == 0) changed[i] += "x";
        if (change == 1) changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
        if (change == 2) changed[i] += " " + tokens[i];
        Diagnostics diagnostics;
        const Program program = Parse(Joined(changed), &diagnostics);
        if (diagnostics.errors() != 0) continue;
        ++read;
        AssertRoundTrip(program, file.name + ", word " + std::to_string(i) + " " + tokens[i]);
      }
    }
  }
  assert_true(read >= 1000 / Sparse());
}

// What generated programs found: each was accepted, and its print was not, or printed otherwise.
void TestPrintsAreReadAgain(void**) {
  const char* texts[] = {
      "#pto",  // no comment, though the text ends after it
      // What the other form has no place for: a type, attributes of a name alone.
      ("%a = pto.declare_eventid_array -> !pto.eventid_array<4>\n%i = arith.constant 1 : index\n"
       "%e = \"pto.eventid_array_get\"(%a, %i) : (!pto.eventid_array<4>, index) -> i32"),
      "%i = \"pto.get_block_idx\"() : () -> index",
      "%i = \"pto.get_block_idx\"() <{a = 1}> : () -> i64",
      "\"pto.trap\"() <{a = 1}> : () -> ()",
      // Neither of the two types is a pointer.
      "pto.stg %v, %p[%i] l1cache(cache) : !pto.ptrx<f32>, f32",
      // An attribute's name for what is not an operand.
      "#n = 3 : i32\npto.tadds ins(%a, #n : !pto.tile_buf<...>, f32) outs(%b : !pto.tile_buf<...>)",
      "#n = affine_map<(a, b) -> (a * 16 + b)>\npto.trowsum ins(#n : !pto.tile_buf<...>) outs(%b : !pto.tile_buf<...>)",
  };
  for (const char* text : texts) {
    Diagnostics diagnostics;
    const Program program = Parse(text, &diagnostics);
    if (diagnostics.errors() == 0) AssertRoundTrip(program, text);  // refused is as good
  }
}

void TestTypes(void**) {
  // Every spelling of a tile prints as the compact one, with what differs from the defaults.
  const struct {
    const char* written;
    const char* printed;
  } kTypes[] = {
      {"!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, "
       "fractal=512, pad=0>",
       "!pto.tile_buf<vec, 16x16xf32>"},
      {"!pto.tile_buf<loc=mat, dtype=bf16, rows=16, cols=32, v_row=?, v_col=8, blayout=col_major, slayout=row_major, "
       "fractal=1024, pad=3, compact=2>",
       "!pto.tile_buf<mat, 16x32xbf16, valid=?x8, blayout=col_major, slayout=row_major, fractal=1024, pad=3, "
       "compact=2>"},
      {"!pto.tile_buf< vec ,16x16xf32 , pad = 1, valid = 0x? >", "!pto.tile_buf<vec, 16x16xf32, valid=0x?, pad=1>"},
      {"!pto.tile<loc=vec, half, 16, 16, ColMajor, RowMajor, NZ, Zero>",
       "!pto.tile_buf<vec, 16x16xf16, blayout=col_major, slayout=row_major, pad=1>"},
      {"!pto.tile<f32,16,16>", "!pto.tile_buf<vec, 16x16xf32>"},
      {"!pto.tile<16x32xui8>", "!pto.tile_buf<vec, 16x32xui8>"},
      {"!pto.ptr<f32, gm>", "!pto.ptr<f32>"},
      {"!pto.tensor_view<?x?x16xbf16>", "!pto.tensor_view<?x?x16xbf16>"},
      {"!pto.tile_view<1x0x10xf32>", "!pto.partition_tensor_view<1x0x10xf32>"},
      {"vector<4xi16>", "vector<4xi16>"},
      {"!pto.eventid_array<4>", "!pto.eventid_array<4>"},
      {"!pto.ptr<f32, ub>", "!pto.ptr<f32, vec>"},
      {"memref<4x4xf32, #pto.address_space<vec>>", "!pto.tile_buf<vec, 4x4xf32>"},
      {"memref<4x8xf32, strided<[1, 4]>, #pto.address_space<left>>", "!pto.tile_buf<left, 4x8xf32, blayout=col_major>"},
      {"memref<4x8xf32, affine_map<(d0, d1) -> (d1 + d0 * 8)>, #pto<address_space acc>>",
       "!pto.tile_buf<acc, 4x8xf32>"},
      {"memref<?x8xf32>", "!pto.tensor_view<?x8xf32>"},
      {"memref<?x8xf32, strided<[8, 1]>, #pto.address_space<gm>>", "!pto.tensor_view<?x8xf32>"},
      {"memref<?x8xf32, affine_map<(a, b) -> (a * 16 + b)>>",
       "memref<?x8xf32, strided<[16, 1]>, #pto.address_space<gm>>"},
      {"memref<?x8xf32, strided<[16, 1]>, #pto.address_space<gm>>",
       "memref<?x8xf32, strided<[16, 1]>, #pto.address_space<gm>>"},
      {"memref<4x8xf32, strided<[16, 1]>, #pto.address_space<vec>>",
       "memref<4x8xf32, strided<[16, 1]>, #pto.address_space<vec>>"},
      {"memref<4x8xf32, affine_map<(a, b) -> (a mod 2 + b)>>", "memref<4x8xf32, affine_map<(a, b) -> (a mod 2 + b)>>"},
  };
  for (const auto& type : kTypes) {
    Diagnostics diagnostics;
    const Program program = Parse(std::string("func.func private @f(") + type.written + ")", &diagnostics);
    if (diagnostics.errors() != 0) fail_msg("%s", diagnostics.Render(diagnostics.list()[0], type.written).c_str());
    assert_string_equal(ToString(program.modules[0]->funcs[0]->args[0]->type).c_str(), type.printed);
  }
}

// ---- statements as their rows say -------------------------------------------

std::string TypeFor(Takes takes) {
  switch (takes) {
    case Takes::kTile:
      return "!pto.tile_buf<vec, 8x8xf32>";
    case Takes::kView:
      return "!pto.tensor_view<8x8xf32>";
    case Takes::kPointer:
    case Takes::kGlobal:
      return "!pto.ptr<f32>";
    case Takes::kMemref:
      return "memref<8x8xf32>";
    case Takes::kVector:
      return "vector<4xf32>";
    case Takes::kEvents:
      return "!pto.eventid_array<4>";
    case Takes::kElement:
      return "f32";
    default:
      return "index";
  }
}

std::string TypeFor(TypeKind kind) {
  return kind == TypeKind::kTile         ? TypeFor(Takes::kTile)
         : kind == TypeKind::kPtr        ? TypeFor(Takes::kPointer)
         : kind == TypeKind::kTensorView ? TypeFor(Takes::kView)
         : kind == TypeKind::kVector     ? TypeFor(Takes::kVector)
                                         : "index";
}

const OperandInfo& OperandOf(const StmtInfo& info, std::string_view name) {
  return *std::find_if(info.operands.begin(), info.operands.end(),
                       [&](const OperandInfo& one) { return one.name == name; });
}

// A statement of a row, as its form is documented in statements.h: bits of `choices` say what may be left out is there.
std::string StatementOf(const StmtInfo& info, unsigned choices) {
  std::string text = info.makes == Makes::kNothing ? "" : "%r = ";
  text += (info.Foreign() ? "" : "pto.") + std::string(info.name);
  const auto choose = [&choices] { return ((choices >>= 1) & 1) != 0; };
  size_t operands = 0;
  bool counted = false;
  bool comma = false;
  std::istringstream words{std::string(info.form)};
  for (std::string word; words >> word;) {
    const std::string_view name = std::string_view(word).substr(1);
    if (word == "(?" && !choose()) {
      for (int depth = 1; depth > 0 && words >> word;) depth += word == "(?" ? 1 : word == "?)" ? -1 : 0;
    } else if (word == "(?" || word == "?)") {
      continue;
    } else if (word == "<" || word == ">") {
      counted = word == "<";
      comma = false;
    } else if (word[0] == '%' || word[0] == '$') {
      if (counted && comma) text += ',';
      comma = true;
      ++operands;
      const bool literal =
          word[0] == '$' && choose() && OperandOf(info, name.substr(0, name.find('*'))).takes != Takes::kTile;
      text += literal ? " 3" : " %a" + std::to_string(operands);
      if (word.back() != '*') continue;
      text += choose() ? ", %b" : ", 7";
      ++operands;
    } else if (word == "{}" || word == "{-}") {
      if (choose()) text += " {key" + std::to_string(text.size()) + " = 1}";
    } else if (word[0] == '@') {
      text += ' ' + (word.size() == 1 ? TypeFor(info.result) : TypeFor(OperandOf(info, name).takes));
    } else if (word == "types") {
      for (size_t i = 0; i < operands; ++i) text += i == 0 ? " index" : ", index";
    } else if (word == "region") {
      text += " {\n  }";
    } else if (word == ",?" || word == ",-") {
      text += word == ",?" || choose() ? "," : "";
    } else {
      text += ' ' + word;
    }
  }
  return text;
}

// Each statement that has a form is read in it, and its prints are the same program.
void TestForms(void**) {
  size_t forms = 0;
  for (size_t id = 0; id < kStmtCount; ++id) {
    const StmtInfo& info = kStmts[id];
    if (!info.form.empty()) ++forms;
    for (unsigned choices = 0; choices < 64 && !info.form.empty(); ++choices) {
      const std::string text = "func.func @f() {\n  " + StatementOf(info, choices << 1) + "\n  return\n}\n";
      Diagnostics diagnostics;
      const Program program = Parse(text, &diagnostics);
      if (diagnostics.errors() != 0) fail_msg("%s", diagnostics.Render(diagnostics.list()[0], text).c_str());
      const Stmt& stmt = *program.modules[0]->funcs[0]->body->stmts[0];
      if (stmt.info->name != (info.as.empty() ? info.name : info.as)) fail_msg("another statement: %s", text.c_str());
      for (const OperandInfo& operand : info.operands) {
        if (operand.count == Count::kOne && stmt.operands.empty()) fail_msg("no operands: %s", text.c_str());
      }
      const std::string fault = FaultOfPrints(program);
      if (!fault.empty()) fail_msg("%s", fault.c_str());
    }
  }
  assert_true(forms > 40);
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  using namespace pto::ptoas;
  if (argc < 2) return 2;
  SetCorpusFolder(argv[1]);
  golden_path = std::string(argv[1]) + "/printed.txt";
  write_golden = std::strcmp(argv[argc - 1], "--write") == 0;
  if (argc == 5 && std::strcmp(argv[2], "--hunt") == 0) {
    hunt_seed = std::strtoull(argv[3], nullptr, 10);
    hunt_count = std::strtoull(argv[4], nullptr, 10);
    const CMUnitTest hunt[] = {cmocka_unit_test(TestChangedPrograms)};
    return cmocka_run_group_tests_name("hunt", hunt, nullptr, nullptr);
  }
  const CMUnitTest tests[] = {
      cmocka_unit_test(TestGoldenPrints),
      cmocka_unit_test(TestCorpus),
      cmocka_unit_test(TestRandomPrograms),
      cmocka_unit_test(TestThreeSpellingsAreOneProgram),
      cmocka_unit_test(TestDifferentProgramsDiffer),
      cmocka_unit_test(TestComments),
      cmocka_unit_test(TestPrintsAreReadAgain),
      cmocka_unit_test(TestChangedPrograms),
      cmocka_unit_test(TestOneWordChanged),
      cmocka_unit_test(TestTypes),
      cmocka_unit_test(TestForms),
  };
  return cmocka_run_group_tests_name("print", tests, nullptr, nullptr);
}
