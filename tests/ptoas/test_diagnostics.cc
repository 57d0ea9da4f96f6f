// Golden diagnostics: each program in invalid/ says which rules it breaks and
// where, and golden.txt holds all that is printed for it; programs in valid/ break
// none; each rule has a program and a line in the documentation. With --write as the
// last argument golden.txt is written instead of compared. C++, because the front end has no C interface of its own.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "cmocka_cpp.h"
#include "corpus.h"
#include "src/ptoas/parser.h"
#include "src/ptoas/verifier.h"

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

std::vector<std::string> Expected(const std::string& text) {
  std::vector<std::string> expected;
  std::istringstream lines(text);
  const std::string mark = "// expect: ";
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, mark.size(), mark) == 0) expected.push_back(line.substr(mark.size()));
  }
  return expected;
}

void TestInvalidPrograms(void**) {
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
    if (!difference.empty()) fail_msg("%s:%s", file.name.c_str(), difference.c_str());
  }
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

void TestEachRuleHasAProgram(void**) {
  std::set<std::string> covered = {"source-size"};  // 64 MiB: TestSourceSize
  for (const CorpusFile& file : Corpus("invalid", 40)) {
    for (const std::string& key : Expected(file.text)) covered.insert(key.substr(key.find(' ') + 1));
  }
  for (int i = 0; i < static_cast<int>(TextRule::kCount); ++i) {
    const TextRuleInfo& rule = Info(static_cast<TextRule>(i));
    if (covered.count(rule.id) == 0) fail_msg("no program in invalid/ breaks rule %s", rule.id);
    covered.erase(rule.id);
  }
  covered.erase("source-size");
  if (!covered.empty()) fail_msg("%s is expected and no rule", covered.begin()->c_str());
}

// docs/ptoas.md has the line `| id | text | remedy |` of each rule, and no other.
void TestEachRuleIsDocumented(void**) {
  const std::string page = FileText(docs_page);
  assert_true(page.size() > 1000);
  for (int i = 0; i < static_cast<int>(TextRule::kCount); ++i) {
    const TextRuleInfo& rule = Info(static_cast<TextRule>(i));
    const std::string line = std::string("| `") + rule.id + "` | " + rule.text + " | " + rule.remedy + " |\n";
    if (page.find(line) == page.npos) fail_msg("docs/ptoas.md lacks the line\n%s", line.c_str());
  }
  size_t lines = 0;
  for (size_t at = page.find("\n| `", page.find("## Rules")); at != page.npos; at = page.find("\n| `", at + 1)) ++lines;
  assert_int_equal(lines, static_cast<size_t>(TextRule::kCount));
}

void TestSourceSize(void**) {
  const std::string text(kMaxSourceBytes + 1, ' ');
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  assert_int_equal(diagnostics.errors(), 1);
  assert_string_equal(diagnostics.list()[0].rule, "source-size");
  assert_int_equal(program.modules.size(), 0);
  Diagnostics none;
  Parse(std::string_view(text).substr(1), &none);
  assert_int_equal(none.errors(), 0);
}

void TestExcerpts(void**) {
  // Tabs stay tabs; a caret stands below each character, not each byte.
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
  assert_string_equal(located.list()[0].message.c_str(), "one?line");
  assert_string_equal(located.Render(located.list()[0], "f.pto").c_str(),
                      "f.pto:1:5: error: one?line [syntax]\n\t%d\xC3\xA4\xC3\xA4 = x\n\t   ^\n"
                      "help: Write what the message expects.\n");

  // Long lines are cut around the place, control bytes shown as ?.
  const std::string wide = std::string(1000, 'a') + '\x01' + std::string(1000, 'b');
  const Diagnostics cut(wide);
  d.offset = 1000;
  d.length = 1;
  const std::string excerpt = cut.Excerpt(d);
  assert_int_equal(excerpt.find('\n'), 160);
  assert_int_equal(excerpt.find('?'), 80);
  assert_int_equal(excerpt.find('^'), 160 + 1 + 80);
}

struct Seen {
  int count = 0;
  std::string names;
};

void TestHook(void**) {
  const char* text =
      "func.func @f(%t: !pto.tile_buf<vec, 16x16xf32>) {\n"
      "  pto.trsqrt ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)\n"
      "  pto.tmatmul ins(%t, %t : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%t : "
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
    added->Add("valid-equal", "Mend it.", stmt.offset, stmt.length, "from the hook");
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
      cmocka_unit_test(TestEachRuleHasAProgram),
      cmocka_unit_test(TestEachRuleIsDocumented),
      cmocka_unit_test(TestSourceSize),
      cmocka_unit_test(TestExcerpts),
      cmocka_unit_test(TestHook),
  };
  return cmocka_run_group_tests_name("diagnostics", tests, nullptr, nullptr);
}
