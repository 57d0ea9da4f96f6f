// Golden diagnostics: each program in invalid/ names the rules that it breaks and
// where, and golden.txt holds all that is printed for it; programs in valid/ break
// none; each rule has a program and a line in the documentation. With --write as the
// last argument golden.txt is written instead of compared. C++, because the front end has no C interface of its own.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "cmocka_cpp.h"
#include "corpus.h"
#include "src/records/attributes.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/check/verifier.h"
#include "src/ptoas/read/wording.h"

namespace pto::ptoas {
namespace {

const char* docs_page = nullptr;
std::string golden_path;
bool write_golden = false;

std::string FileText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string Key(const Diagnostic& d) { return std::to_string(d.line) + ":" + std::to_string(d.column) + " " + d.rule; }

std::vector<std::string> Marked(const std::string& text, const std::string& mark) {
  std::vector<std::string> expected;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, mark.size(), mark) == 0) expected.push_back(line.substr(mark.size()));
  }
  return expected;
}
std::vector<std::string> Expected(const std::string& text) { return Marked(text, "// expect: "); }

void TestInvalidPrograms(void**) {
  std::string all;
  for (const CorpusFile& file : Corpus("invalid", 40)) {
    Checked checked;
    Check(file.text, &checked);
    std::vector<std::string> found;
    for (const Diagnostic& d : checked.diagnostics.list()) found.push_back(Key(d));
    const std::vector<std::string> expected = Expected(file.text);
    if (expected.empty()) fail_msg("%s expects nothing", file.name.c_str());
    std::string difference;
    for (const std::string& key : expected) {
      if (std::count(found.begin(), found.end(), key) != std::count(expected.begin(), expected.end(), key)) {
        difference.append("\n  expected ").append(key);
      }
    }
    for (const Diagnostic& d : checked.diagnostics.list()) {
      if (std::find(expected.begin(), expected.end(), Key(d)) == expected.end()) {
        difference.append("\n").append(checked.diagnostics.Render(d, file.name));
      }
    }
    // A line with more than one error is marked: "// several: 12".
    std::map<int, int> on_line;
    for (const Diagnostic& d : checked.diagnostics.list()) on_line[d.line] += d.error ? 1 : 0;
    std::set<int> several;
    for (const auto& [line, count] : on_line) {
      if (count > 1) several.insert(line);
    }
    for (const std::string& line : Marked(file.text, "// several: ")) {
      if (several.erase(std::stoi(line)) == 0) difference.append("\n  one error at line ").append(line);
    }
    for (const int line : several) difference.append("\n  several errors at line ").append(std::to_string(line));
    if (!difference.empty()) all.append("\n").append(file.name).append(":").append(difference);
  }
  if (!all.empty()) fail_msg("%s", all.c_str());
}

void TestGoldenText(void**) {
  std::string text;
  for (const CorpusFile& file : Corpus("invalid", 40)) {
    Checked checked;
    Check(file.text, &checked);
    for (const Diagnostic& d : checked.diagnostics.list()) text += checked.diagnostics.Render(d, file.name);
  }
  if (write_golden) std::ofstream(golden_path, std::ios::binary) << text;
  std::istringstream found(text);
  std::istringstream golden(FileText(golden_path));
  std::string want;
  std::string got;
  for (int line = 1; std::getline(golden, want) && std::getline(found, got); ++line) {
    if (want != got)
      fail_msg("golden.txt:%d: %s\nis now: %s\nIf that is meant, run this test with --write.", line, want.c_str(),
               got.c_str());
  }
  assert_true(text == FileText(golden_path));
}

void TestValidPrograms(void**) {
  for (const CorpusFile& file : Corpus("valid", 15)) {
    Checked checked;
    Check(file.text, &checked);
    if (!checked.diagnostics.list().empty()) {
      fail_msg("%s", checked.diagnostics.Render(checked.diagnostics.list()[0], file.name).c_str());
    }
  }
}

// A wrong type that a statement writes is one error, wherever its values are used.
void TestWrongTypesAreOneError(void**) {
  constexpr const char* kTypes[] = {"i1", "!pto.ptr<i16>", "!pto.tile_buf<mat, 32x16xi16>", "vector<4xi16>"};
  int changed = 0;
  int refused = 0;
  std::string several;
  for (const CorpusFile& file : Corpus("valid", 15)) {
    for (size_t begin = 0; begin < file.text.size(); begin = file.text.find('\n', begin) + 1) {
      const size_t end = file.text.find('\n', begin);
      if (end == std::string::npos) break;
      const std::string line = file.text.substr(begin, end - begin);
      const size_t first = line.find_first_not_of(' ');
      const size_t type = std::max(line.rfind(" -> ") + 4, line.rfind(" : ") + 3);
      if (first == std::string::npos || line[first] != '%' || line.find(" = ") == std::string::npos || type < 5 ||
          line.find_first_of("{(/;", type) != std::string::npos) {
        continue;
      }
      for (const char* wrong : kTypes) {
        Checked checked;
        Check(file.text.substr(0, begin + type) + wrong + file.text.substr(end), &checked);
        ++changed;
        const int errors = checked.diagnostics.errors();
        refused += errors == 1;
        if (errors <= 1) continue;
        for (const Diagnostic& d : checked.diagnostics.list()) several += checked.diagnostics.Render(d, file.name);
        several += "\n";
      }
    }
  }
  if (!several.empty()) fail_msg("several errors of one wrong type:\n%s", several.c_str());
  assert_true(changed > 500);
  assert_true(refused > changed / 2);
}

void TestEachRuleHasAProgram(void**) {
  std::set<std::string> covered = {"source-size"};  // 64 MiB: TestSourceSize
  for (const CorpusFile& file : Corpus("invalid", 40)) {
    for (const std::string& key : Expected(file.text)) covered.insert(key.substr(key.find(' ') + 1));
  }
  for (const RuleInfo& rule : kRules) {
    const bool programs = covered.erase(rule.id) != 0;
    if (rule.group == RuleGroup::kText && !programs) fail_msg("no program in invalid/ breaks rule %s", rule.id);
  }
  if (!covered.empty()) fail_msg("%s is expected and no rule", covered.begin()->c_str());
}

// docs/ptoas.md has a line for each attribute: operation, keys, values, and those that are refused.
void TestEachAttributeIsDocumented(void**) {
  const std::string page = FileText(docs_page);
  std::set<std::string> wanted;  // forms of one mnemonic have one line
  for (const AttributeInfo& info : kAttributes) {
    std::string keys = std::string("`") + info.key + "`";
    for (const char* alias : info.aliases) {
      if (alias != nullptr) keys += std::string(", `") + alias + "`";
    }
    if (IsPrecision(info)) keys += ", `" + AlgorithmOf(*info.record) + "`";
    std::string obeyed;
    std::string refused;
    for (const AttributeValue& value : info.values) {
      if (value.name == nullptr) continue;
      std::string& list = value.obeyed ? obeyed : refused;
      const bool usual = info.usual >= 0 && &value == &info.values[info.usual];
      list += std::string(list.empty() ? "" : ", ") + (usual && info.usual != 0 ? "**`" : "`") + value.name +
              (usual && info.usual != 0 ? "`**" : "`");
    }
    const std::string line = std::string("| `") + info.op + "` | " + keys + " | " + obeyed + " | " + refused + " |\n";
    if (page.find(line) == page.npos) fail_msg("docs/ptoas.md lacks the line\n%s", line.c_str());
    wanted.insert(line);
  }
  size_t lines = 0;
  const size_t end = page.find("\n## ", page.find("## Attributes") + 1);
  for (size_t at = page.find("\n| `", page.find("## Attributes")); at < end; at = page.find("\n| `", at + 1)) ++lines;
  assert_int_equal(lines, wanted.size());
}

// Who reads a diagnostic of a program wrote no C.
void TestWordingIsOfPrograms(void**) {
  for (const RuleInfo& rule : kRules) {
    std::string remedy = RemedyInText(rule.id);
    // A variable of the environment, which all languages have.
    constexpr std::string_view kVariable = "PTO_TRANSPORT";
    if (const size_t at = remedy.find(kVariable); at != remedy.npos) remedy.erase(at, kVariable.size());
    if (remedy.size() < 10) fail_msg("%s has no remedy", rule.id);
    for (const char* word : {"pto_", "PTO_", "sizeof", "NULL"}) {
      if (remedy.find(word) != remedy.npos) fail_msg("%s: %s", rule.id, remedy.c_str());
    }
  }
  assert_string_equal(MessageInText("alloc_tile", "pto_tile_create_from: the tile has rows of 8 bytes").c_str(),
                      "alloc_tile: the tile has rows of 8 bytes");
  assert_string_equal(MessageInText("tpow", "tpow: PTO_HIGH_PRECISION with i8 under A5").c_str(),
                      "tpow: HIGH_PRECISION with i8 under A5");
  assert_string_equal(MessageInText("tpow", "tpow: tmp at 0x40a0 shares memory with dst at 0xbeef, it does").c_str(),
                      "tpow: tmp shares memory with dst, it does");
}

void TestSourceSize(void**) {
  const std::string text(kMaxSourceBytes + 1, ' ');
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  assert_int_equal(diagnostics.errors(), 1);
  assert_string_equal(diagnostics.list()[0].rule, "source-size");
  assert_string_equal(diagnostics.Excerpt(diagnostics.list()[0]).c_str(), "\n^\n");  // nothing of the text is kept
  assert_int_equal(program.modules.size(), 0);
  Diagnostics none;
  Parse(std::string_view(text).substr(1), &none);
  assert_int_equal(none.errors(), 0);
}

// The first rule that a program with an attribute breaks, else "". What parses is printed.
std::string RuleOf(const std::string& before, const std::string& attribute) {
  const std::string text = before + "func.func @f() attributes {a = " + attribute + "} {\n  return\n}\n";
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  if (diagnostics.errors() != 0) return diagnostics.list()[0].rule;
  Print(program);
  return "";
}

// The meaning of a name is as long and as deep as if it were written out.
void TestAliases(void**) {
  std::string chain = "#a0 = 1\n";
  for (int deep = 1; deep < 200; ++deep) {
    const std::string name = "#a" + std::to_string(deep);
    chain += name + " = [#a" + std::to_string(deep - 1) + "]\n";
    const auto brackets = [deep](char c) { return std::string(static_cast<size_t>(deep), c); };
    const std::string direct = RuleOf("", brackets('[') + "1" + brackets(']'));
    // Names beyond the limit are errors of their own.
    if (deep > kMaxNesting) continue;
    assert_string_equal(RuleOf(chain, name).c_str(), direct.c_str());
  }
  for (int i = 200; i < 100000; ++i) chain += "#a" + std::to_string(i) + " = [#a" + std::to_string(i - 1) + "]\n";
  assert_string_equal(RuleOf(chain, "#a99999").c_str(), "nesting");
  std::string doubled = "#a0 = \"sixteen letters!\"\n";
  for (int i = 1; i < 64; ++i) {
    const std::string before = "#a" + std::to_string(i - 1);
    doubled += "#a" + std::to_string(i) + " = [" + before + ", " + before + "]\n";
  }
  assert_string_equal(RuleOf(doubled, "#a63").c_str(), "source-size");
  assert_string_equal(RuleOf(doubled.substr(0, doubled.find("#a10 =")), "#a9").c_str(), "");
}

// Columns count characters, on any side of where their counts are kept.
void TestPlaces(void**) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += i % 7 == 3 ? "\xC3\xA4" : i % 701 == 5 ? "\n" : i % 5 == 0 ? "\xF0\x9F\x98\x80" : "x";
  for (const size_t size : {size_t{0}, size_t{255}, size_t{256}, size_t{257}, size_t{512}, text.size()}) {
    const std::string part = text.substr(0, size);
    const Places places(part);
    int line = 1;
    int column = 1;
    for (size_t at = 0; at <= size; ++at) {
      const TextPlace place = places.At(static_cast<uint32_t>(at));
      assert_int_equal(place.line, line);
      assert_int_equal(place.column, column);
      if (at == size) break;
      if (part[at] == '\n') {
        ++line;
        column = 1;
      } else if ((static_cast<unsigned char>(part[at]) & 0xC0) != 0x80) {
        ++column;
      }
    }
  }
}

void TestExcerpts(void**) {
  // Tabs stay tabs; a caret is below each character, not each byte.
  const std::string text = "\t%d\xC3\xA4\xC3\xA4 = x\n";
  const Diagnostics diagnostics(text);
  Diagnostic d;
  d.offset = 3;
  d.length = 4;
  assert_string_equal(diagnostics.Excerpt(d).c_str(), "\t%d\xC3\xA4\xC3\xA4 = x\n\t  ^^\n");
  d.offset = static_cast<uint32_t>(text.size() - 1);
  d.length = 0;
  assert_string_equal(diagnostics.Excerpt(d).c_str(), "\t%d\xC3\xA4\xC3\xA4 = x\n\t        ^\n");

  Diagnostics located(text);
  located.Error(TextRule::kSyntax, 5, 2, "%s", "one\nline");
  assert_int_equal(located.list()[0].line, 1);
  assert_int_equal(located.list()[0].column, 5);
  assert_string_equal(located.list()[0].message.c_str(), "one\\x0Aline");
  assert_string_equal(located.Render(located.list()[0], "f.pto").c_str(),
                      "f.pto:1:5: error: one\\x0Aline [syntax]\n\t%d\xC3\xA4\xC3\xA4 = x\n\t   ^\n"
                      "help: Write what the message expects.\n");

  // Long lines are cut around the place, control bytes escaped.
  const std::string wide = std::string(1000, 'a') + '\x01' + std::string(1000, 'b');
  const Diagnostics cut(wide);
  d.offset = 1000;
  d.length = 1;
  const std::string excerpt = cut.Excerpt(d);
  assert_int_equal(excerpt.find('\n'), 160 + 3);
  assert_int_equal(excerpt.find("\\x01"), 80);
  assert_int_equal(excerpt.find("^^^^\n"), 163 + 1 + 80);

  // ESC, C1 as UTF-8 and as a byte, the end of a line in Unicode, a mark that turns text around, half a character.
  const struct {
    const char* source;
    const char* shown;
  } kControls[] = {
      {"\x1B[31m", "\\x1B[31m"},
      {"\xC2\x9B", "\\xC2\\x9B"},
      {"\x9B[", "\\x9B["},
      {"\x7F", "\\x7F"},
      {"\xE2\x80\xA8", "\\xE2\\x80\\xA8"},
      {"\xE2\x80\xAE", "\\xE2\\x80\\xAE"},
      {"\xE2\x80", "\\xE2\\x80"},
      {"\xC0\x8A", "\\xC0\\x8A"},
      {"\xED\xA0\x80", "\\xED\\xA0\\x80"},
      {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
      {"\xC2\xA0", "\xC2\xA0"},
      {"\\x1B", "\\x1B"},
      {"\r.", "\\x0D."},
  };
  for (const auto& control : kControls) {
    Diagnostics bytes(control.source);
    bytes.Error(TextRule::kSyntax, 0, 1, "%s", control.source);
    assert_string_equal(bytes.list()[0].message.c_str(), control.shown);
    const std::string quoted = bytes.Excerpt(bytes.list()[0]);
    assert_string_equal(quoted.substr(0, quoted.find('\n')).c_str(), control.shown);
  }
}

// A program with a NUL is not read, wherever the NUL is.
void TestNul(void**) {
  const std::string text = "// c\n%d = trsqrt %s : !pto.tile<1x1xf32> {a = \"s\"}\nfunc.func @\"n\"()\n";
  for (size_t at = 0; at <= text.size(); ++at) {
    std::string broken = text;
    broken.insert(at, 1, '\0');
    Checked checked;
    Check(broken, &checked);
    assert_int_equal(checked.diagnostics.errors(), 1);
    assert_string_equal(checked.diagnostics.list()[0].rule, "character");
    assert_int_equal(checked.diagnostics.list()[0].offset, at);
  }
}

struct Seen {
  int count = 0;
  std::string names;
};

void TestHook(void**) {
  const char* text =
      "func.func @f(%t: !pto.tile_buf<vec, 16x16xf32>) {\n"
      "  pto.trsqrt ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)\n"
      "  pto.tmatmul_mx_hif4 ins(%t, %t, %t, %t : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>, "
      "!pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%t : "
      "!pto.tile_buf<vec, 16x16xf32>)\n"
      "  pto.trsqrt ins(%u : !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)\n"
      "  return\n}\n";
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  Seen seen;
  VerifyHooks hooks;
  hooks.user = &seen;
  hooks.instruction = [](void* user, const Func& func, const Stmt& stmt, Diagnostics* added) {
    Seen* s = static_cast<Seen*>(user);
    ++s->count;
    s->names += std::string(func.name) + " " + std::string(stmt.name);
    added->Add("valid-equal", "Fix it.", stmt.offset, stmt.length, "from the hook");
  };
  // Only the instruction that is right by itself and has a record is asked about.
  assert_false(Verify(program, &diagnostics, hooks));
  assert_int_equal(seen.count, 1);
  assert_string_equal(seen.names.c_str(), "f trsqrt");
  assert_string_equal(diagnostics.list()[0].rule, "valid-equal");
  assert_int_equal(diagnostics.list()[0].line, 2);
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  using namespace pto::ptoas;
  if (argc < 3) return 2;
  SetCorpusFolder(argv[1]);
  docs_page = argv[2];
  golden_path = std::string(argv[1]) + "/golden.txt";
  write_golden = argc > 3 && std::string(argv[3]) == "--write";
  const CMUnitTest tests[] = {
      cmocka_unit_test(TestInvalidPrograms),
      cmocka_unit_test(TestGoldenText),
      cmocka_unit_test(TestValidPrograms),
      cmocka_unit_test(TestWrongTypesAreOneError),
      cmocka_unit_test(TestEachRuleHasAProgram),
      cmocka_unit_test(TestEachAttributeIsDocumented),
      cmocka_unit_test(TestWordingIsOfPrograms),
      cmocka_unit_test(TestSourceSize),
      cmocka_unit_test(TestAliases),
      cmocka_unit_test(TestPlaces),
      cmocka_unit_test(TestExcerpts),
      cmocka_unit_test(TestNul),
      cmocka_unit_test(TestHook),
  };
  return cmocka_run_group_tests_name("diagnostics", tests, nullptr, nullptr);
}
