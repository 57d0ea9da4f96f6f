// The generic form of statements of the vector level: each statement of the corpus and of the examples is written as
// "pto.name"(...) {...} : (...) -> (...), read, and written again. Its own form, printed from what was read, has to
// give the same once more.
//
//   test_generic FOLDER EXAMPLES
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "cmocka_cpp.h"
#include "corpus.h"
#include "src/ptoas/read/parser.h"
#include "src/ptoas/read/printer.h"
#include "src/ptoas/vector/op.h"

namespace pto::ptoas {
namespace {

std::string examples;
std::map<std::string_view, int> written;  // how often each operation was
std::set<std::string_view> clauses_written;

std::string AttrText(const Attr& attr) {
  switch (attr.kind) {
    case AttrKind::kString:
      return "\"" + std::string(attr.text) + "\"";
    case AttrKind::kBool:
      return attr.integer != 0 ? "true" : "false";
    case AttrKind::kType:
      return ToString(attr.type);
    case AttrKind::kInt:
      return std::to_string(attr.integer);
    default:
      return std::string(attr.text);
  }
}

std::string DictText(Dict dict) {
  std::string text;
  for (const NamedAttr& entry : dict) {
    text += (text.empty() ? "" : ", ") + std::string(entry.name);
    if (entry.value != nullptr) text += " = " + AttrText(*entry.value);
  }
  return text;
}

// Empty: an operand is a number, which this form has no place for, or no type is known.
std::string Generic(const Stmt& stmt) {
  const vec::Op& op = *stmt.vector;
  std::string operands;
  std::string types;
  std::string sizes;
  std::string attrs = DictText(stmt.attrs);
  bool good = op.refused.empty();
  const auto add = [&](const Operand& operand) {
    const Type* type = operand.type != nullptr    ? operand.type
                       : operand.value == nullptr ? nullptr
                                                  : operand.value->type;
    good &= operand.kind == OperandKind::kValue && type != nullptr;
    if (!good) return;
    operands += (operands.empty() ? "%" : ", %") + std::string(operand.name);
    if (operand.value->pack > 1) operands += "#" + std::to_string(operand.value->index);
    types += (types.empty() ? "" : ", ") + ToString(type);
  };
  const auto attribute = [&](const std::string& text) { attrs += (attrs.empty() ? "" : ", ") + text; };
  size_t word = 0;
  for (size_t i = 0; i < op.in.count; ++i) {
    const Operand& operand = stmt.operands[i];
    if (op.in.all[i].kind == vec::Kind::kWord) {
      attribute(std::string(op.words[word++]->key) + " = " + AttrText(*operand.literal));
      continue;
    }
    sizes += (sizes.empty() ? "" : ", ") + std::string(operand.implied ? "0" : "1");
    if (!operand.implied) add(operand);
  }
  for (const vec::ClauseInfo& info : op.clauses) {
    int count = 0;
    for (const Clause& clause : stmt.clauses) {
      if (clause.info != &info) continue;
      clauses_written.insert(info.word);
      for (int i = clause.begin; i < clause.end; ++i) add(stmt.operands[static_cast<size_t>(i)]);
      count += clause.end - clause.begin;
      const bool empty = clause.begin == clause.end && clause.options.empty();
      if (empty) attribute(std::string(info.word));
      if (!clause.options.empty()) attribute(std::string(info.word) + " = {" + DictText(clause.options) + "}");
    }
    sizes += ", " + std::to_string(count);
  }
  if (!op.clauses.empty()) attribute("operandSegmentSizes = array<i32: " + sizes + ">");
  if (!good) return {};
  std::string results;
  for (const Type* type : stmt.types) results += (results.empty() ? "" : ", ") + ToString(type);
  ++written[op.name];
  return "\"pto." + std::string(op.name) + "\"(" + operands + ") {" + attrs + "} : (" + types + ") -> (" + results +
         ")";
}

void Statements(const Block* block, std::vector<const Stmt*>* all) {
  for (; block != nullptr; block = block->next) {
    for (const Stmt* stmt : block->stmts) {
      if (stmt->vector != nullptr) all->push_back(stmt);
      for (const Block* inner : stmt->blocks) Statements(inner, all);
    }
  }
}

void OfModule(const Module& module, std::vector<const Stmt*>* all) {
  for (const Func* func : module.funcs) Statements(func->body, all);
}

// The program with its statements of the vector level in the generic form, and these alone.
std::string WithGeneric(const std::string& text, std::string* alone) {
  Diagnostics diagnostics;
  const Program program = Parse(text, &diagnostics);
  if (diagnostics.errors() != 0) {
    fail_msg("%s\n%s", diagnostics.Render(diagnostics.list()[0], "text").c_str(), text.c_str());
  }
  // The printer writes each statement on a line of its own.
  const std::string lines = Print(program);
  Diagnostics more;
  const Program printed = Parse(lines, &more);
  assert_int_equal(more.errors(), 0);
  std::vector<const Stmt*> all;
  for (const Module* module : printed.modules) OfModule(*module, &all);
  std::sort(all.begin(), all.end(), [](const Stmt* a, const Stmt* b) { return a->offset < b->offset; });
  std::string out;
  size_t at = 0;
  for (const Stmt* stmt : all) {
    const std::string generic = Generic(*stmt);
    if (generic.empty()) continue;
    *alone += generic + "\n";
    size_t begin = stmt->offset;
    while (lines.compare(begin, 4, "pto.") != 0 && lines[begin] != '"') --begin;
    out += lines.substr(at, begin - at) + generic;
    at = std::min(lines.find('\n', begin), lines.size());
  }
  return out + lines.substr(at);
}

void Check(const std::string& name, const std::string& text) {
  std::string first;
  std::string second;
  std::string third;
  const std::string generic = WithGeneric(text, &first);
  WithGeneric(generic, &second);
  if (first != second) fail_msg("%s:\n%s\nis read as\n%s", name.c_str(), first.c_str(), second.c_str());
  // What was read from the generic form, in its own form.
  Diagnostics diagnostics;
  const Program program = Parse(generic, &diagnostics);
  WithGeneric(Print(program), &third);
  if (first != third) fail_msg("%s:\n%s\nis printed as\n%s", name.c_str(), first.c_str(), third.c_str());
}

// A program with what the corpus lacks: each product with each clause, and each way out.
std::string CubeProgram() {
  std::string text =
      "func.func @f(%g: !pto.ptr<f32, gm>, %n: i64, %s: f32, %no: i1) {\n"
      "%u = pto.castptr %n : i64 -> !pto.ptr<f32, ub>\n%l1 = pto.castptr %n : i64 -> !pto.ptr<f32, l1>\n"
      "%a = pto.castptr %n : i64 -> !pto.ptr<f32, l0a>\n%b = pto.castptr %n : i64 -> !pto.ptr<f32, l0b>\n"
      "%c = pto.castptr %n : i64 -> !pto.ptr<f32, l0c>\n%t = pto.castptr %n : i64 -> !pto.ptr<f32, bt>\n"
      "%q = pto.castptr %n : i64 -> !pto.ptr<f32, fb>\n%k0, %k1, %k2, %k3 = pto.get_vms4_sr : i16, i16, i16, i16\n";
  const std::map<std::string, std::string> types = {{"%g", "!pto.ptr<f32, gm>"},  {"%u", "!pto.ptr<f32, ub>"},
                                                    {"%l1", "!pto.ptr<f32, l1>"}, {"%a", "!pto.ptr<f32, l0a>"},
                                                    {"%b", "!pto.ptr<f32, l0b>"}, {"%c", "!pto.ptr<f32, l0c>"},
                                                    {"%t", "!pto.ptr<f32, bt>"},  {"%q", "!pto.ptr<f32, fb>"}};
  const auto say = [&](const std::string& name, std::initializer_list<const char*> pointers, int numbers,
                       const std::string& clauses = "", const std::string& more = "") {
    std::string operands;
    std::string kinds;
    for (const char* pointer : pointers) {
      operands += (operands.empty() ? "" : ", ") + std::string(pointer);
      kinds += (kinds.empty() ? "" : ", ") + types.at(pointer);
    }
    for (int i = 0; i < numbers; ++i) {
      operands += ", %n";
      kinds += ", i64";
    }
    text += "pto." + name + " " + operands + clauses + " : " + kinds + more + "\n";
  };
  for (const char* name : {"mad", "mad_acc", "mad_mx", "mad_mx_acc", "mad_bias", "mad_mx_bias"}) {
    const bool bias = std::string_view(name).ends_with("bias");
    for (const char* clauses : {" unit_flag(check_only) disable_gemv sat", " unit_flag(check_and_set) nosat n_dir",
                                " tf32_mode(round_even)", " tf32_mode(round_away)", ""}) {
      bias ? say(name, {"%a", "%b", "%c", "%t"}, 3, clauses) : say(name, {"%a", "%b", "%c"}, 3, clauses);
    }
  }
  const std::pair<const char*, const char*> ways[] = {
      {", unit_flag(check_only), pre_quant(%s, mode = qf322f16_pre_scalar), pre_relu(%s, mode = scalar_relu, clip = "
       "%s), nz2nd, "
       "loop3(%n, %n, %n), sat(preserve_nan)",
       ", f32, f32, f32, i64, i64, i64"},
      {", unit_flag(check_and_clear), pre_relu(mode = normal_relu), nz2dn(%n), nosat", ", i64"},
      {", pre_quant(%q, mode = qf322f32_pre_vec), nz2nz(%n)", ", !pto.ptr<f32, fb>, i64"},
      {", nz2nz", ""}};
  for (const auto& [clauses, kinds] : ways) {
    say("mte_l0c_l1", {"%c", "%l1"}, 4, clauses, kinds);
    say("mte_l0c_gm", {"%c", "%g"}, 6, std::string(clauses) + ", atomic(type = f32, op = add)", kinds);
    say("mte_l0c_ub", {"%c", "%u"}, 4, std::string(", dst_mode(%n)") + clauses, std::string(", i64") + kinds);
    say("mte_l0c_ub", {"%c", "%u"}, 4, std::string(", dst_mode(split_m)") + clauses, kinds);
  }
  const std::string burst = " nburst(%n, %n, %n)";
  const std::string loops = burst + " loop1(%n, %n, %n) loop2(%n, %n, %n)";
  const std::string kinds = ", i64, i64, i64";
  const std::string both = kinds + ", loop1 i64, i64, i64, loop2 i64, i64, i64";
  say("mte_l1_ub", {"%l1", "%u"}, 1, loops, both);
  say("mte_gm_l1", {"%g", "%l1"}, 1, loops, both);
  say("mte_gm_ub", {"%g", "%u"}, 2, loops, both);
  say("mte_ub_gm", {"%u", "%g"}, 1, loops, both);
  say("mte_l1_bt", {"%l1", "%t"}, 1, burst, kinds);
  say("mte_l1_fb", {"%l1", "%q"}, 1, burst, kinds);
  say("mte_ub_l1", {"%u", "%l1"}, 1, burst, kinds);
  say("mte_l1_l0a_mx", {"%l1", "%a"}, 2);
  say("mte_l1_l0b_mx", {"%l1", "%b"}, 2);
  say("mte_l1_l0a", {"%l1", "%a"}, 4, " {transpose = true}");
  say("copy_cbuf_to_fbuf", {"%l1", "%q"}, 4);
  say("copy_cbuf_to_ubuf", {"%l1", "%u"}, 5);
  say("copy_gm_to_cbuf", {"%g", "%l1"}, 4);
  say("copy_ubuf_to_cbuf", {"%u", "%l1"}, 5);
  say("load_cbuf_to_ca", {"%l1", "%a"}, 6);
  say("load_cbuf_to_cb", {"%l1", "%b"}, 6, " {transpose = false}");
  say("vmrgsort4", {"%u", "%u", "%u", "%u", "%u"}, 2);
  text +=
      "pto.mte_gm_l1_frac %g, %l1, dn2nz, shape(%n, %n), src_layout(%n, %n), dst_group(%n, %n, %n, %n), ctrl(%n, %no)"
      " : !pto.ptr<f32, gm>, !pto.ptr<f32, l1>, dn2nz, shape i64, i64, src_layout(i64, i64), dst_group i64, i64, i64, "
      "i64, ctrl i64, i1\n";
  return text + "return\n}\n";
}

// Each SIMT statement, with each of its words.
std::string SimtProgram() {
  std::string text =
      "func.func @f(%g: !pto.ptr<i32, gm>, %k: index, %i: i32, %f: f32, %b: i1) attributes {pto.simt_entry} {\n";
  int count = 0;
  const auto say = [&](const std::string& statement) {
    text += "%r" + std::to_string(count++) + " = pto." + statement + "\n";
  };
  for (const vec::Op& op : vec::AllOps()) {
    const std::string name(op.name);
    if (op.family != vec::Family::kSimt) continue;
    if (name.starts_with("get_")) say(name + (name == "get_clock64" ? " : i64" : " : i32"));
    if (name.starts_with("atomic_") && name != "atomic_cas") {
      say(name + " %g, %i l2cache(nmfv) unsigned : !pto.ptr<i32, gm>, i32 -> i32");
    }
    if (name.starts_with("redux_")) say(name + " %i signed : i32 -> i32");
    if (name.starts_with("shuffle_")) say(name + " %i, %i {width = 16} : i32, i32 -> i32");
    if (name.starts_with("vote_")) say(name + " %b : i1 -> " + (name == "vote_ballot" ? "i32" : "i1"));
    if (op.in.count == 0 && op.out.count == 0) text += "pto." + name + "\n";
    if (op.arith == ArithOp::kNone) continue;
    say(name +
        (op.in.count == 1   ? " %f : f32"
         : op.in.count == 2 ? " %f, %f : f32, f32"
                            : " %f, %f, %f : f32, f32, f32") +
        " -> f32");
  }
  say("atomic_cas %g, %i, %i l2cache(naci) signed : !pto.ptr<i32, gm>, i32, i32 -> i32");
  say("convert %f round(z) sat signed : f32 -> i32");
  say("convert %i round(r) nosat unsigned : i32 -> f32");
  say("ldg %g[%k] l1cache(uncache) l2cache(nmfv) : !pto.ptr<i32, gm> -> i32");
  say("mul_i32toi64 %i, %i signed : i32, i32 -> i64");
  say("mulhi %i, %i unsigned : i32, i32 -> i32");
  say("prmt %i, %i, %i : i32, i32, i32 -> i32");
  say("resume {slot = 3} : i32");
  return text + "pto.stg %i, %g[%k] l1cache(cache) : !pto.ptr<i32, gm>, i32\npto.keep %i {slot = 3} : i32\n" +
         "pto.store_vfsimt_info %i, %i, %i : i32, i32, i32\nreturn\n}\n";
}

void TestGenericVector(void**) {
  Check("the cube", CubeProgram());
  Check("work items", SimtProgram());
  for (const CorpusFile& file : Corpus("valid", 20)) Check(file.name, file.text);
  size_t programs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples)) {
    if (entry.path().extension() != ".pto") continue;
    std::ifstream in(entry.path());
    Check(entry.path().string(), std::string(std::istreambuf_iterator<char>(in), {}));
    ++programs;
  }
  assert_true(programs >= 30);
  // Each operation and each clause was there.
  std::string missing;
  for (const vec::Op& op : vec::AllOps()) {
    if (op.refused.empty() && written[op.name] == 0) missing += " " + std::string(op.name);
    for (const vec::ClauseInfo& info : op.clauses) {
      if (clauses_written.count(info.word) == 0) missing += " " + std::string(info.word) + "()";
    }
  }
  if (!missing.empty()) fail_msg("no program has:%s", missing.c_str());
}

void TestWrongSegments(void**) {
  const char* head =
      "func.func @f(%g: !pto.ptr<f32, gm>, %n: i64) {\n%p = pto.castptr %n : i64 -> !pto.ptr<f32, ub>\n"
      "\"pto.mte_ub_gm\"(%p, %g, %n, %n, %n, %n) ";
  const char* tail = " : (!pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64) -> ()\nreturn\n}\n";
  const struct {
    const char* attrs;
    int errors;
  } kCases[] = {{"", 0},
                {"{operandSegmentSizes = array<i32: 1, 1, 1, 3, 0, 0, 0>}", 0},
                {"{operandSegmentSizes = array<i32: 1, 1, 1, 3>}", 0},
                {"{operandSegmentSizes = array<i32: 1, 1, 1, 2, 0, 0, 0>}", 1},
                {"{operandSegmentSizes = array<i32: 1, 1, 1, 9, 0, 0, 0>}", 1},
                {"{operandSegmentSizes = array<i32: 1, 1, 1, -3, 0, 0, 0>}", 1},
                {"{nburst = 3}", 1}};
  for (const auto& one : kCases) {
    Diagnostics diagnostics;
    const Program program = Parse(std::string(head) + one.attrs + tail, &diagnostics);
    if ((diagnostics.errors() != 0) != (one.errors != 0)) fail_msg("%s: %d errors", one.attrs, diagnostics.errors());
  }
}

}  // namespace
}  // namespace pto::ptoas

int main(int argc, char** argv) {
  using namespace pto::ptoas;
  if (argc != 3) return 2;
  SetCorpusFolder(argv[1]);
  examples = argv[2];
  const CMUnitTest tests[] = {cmocka_unit_test(TestGenericVector), cmocka_unit_test(TestWrongSegments)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
