// pto-gen: prints everything that is derived from the op table and the rules.
// `./dev gen` writes the files into the tree, where they are checked in; a test
// runs the same program and fails when one of them is stale.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "src/gen/gen_cpp.h"
#include "src/gen/gen_text.h"
#include "src/ops/attributes.h"
#include "src/ops/table.h"

namespace pto {
namespace {

namespace fs = std::filesystem;

// ---- the public header -----------------------------------------------------

void Prototype(std::ostream& out, const OpInfo& op, const std::string& prefix) {
  const std::string head = prefix + "pto_status pto_" + op.name + "(";
  std::vector<std::string> parameters = {"pto_context *ctx"};
  for (int i = 0; i < op.OperandCount(); ++i) {
    const Operand& operand = op.operands[i];
    const std::string name = operand.name;
    switch (operand.role) {
      case Role::kIn:
        parameters.push_back("const pto_tile *" + name);
        break;
      case Role::kTensorIn:
        parameters.push_back("const pto_tensor *" + name);
        break;
      case Role::kTensorOut:
        parameters.push_back("pto_tensor *" + name);
        break;
      case Role::kFlags:
        parameters.push_back("uint32_t " + name);
        break;
      case Role::kScalar:
        parameters.push_back("pto_scalar " + name);
        break;
      case Role::kInt:
        parameters.push_back("int32_t " + name);
        break;
      case Role::kMode:
        parameters.push_back("pto_" + std::string(operand.mode->name) + " " + name);
        break;
      default:
        parameters.push_back("pto_tile *" + name);
    }
  }
  out << head << Join(parameters, ", ") << ")";
}

// "rules: null, flags, ..." in the order in which they are looked at.
std::vector<std::string> RuleIds(const OpInfo& op) {
  std::vector<std::string> ids = {Info(Rule::kNull).id, Info(Rule::kFlags).id, Info(Rule::kDType).id,
                                  Info(Rule::kStorage).id};
  for (const RuleUse& use : op.all) ids.emplace_back(Info(use.rule).id);
  if (op.Count(Role::kScalar) != 0) ids.emplace_back(Info(Rule::kScalarKind).id);
  ids.emplace_back(Info(Rule::kMemory).id);
  return ids;
}

std::string DTypeLine(const OpInfo& op) {
  std::vector<std::string> parts;
  for (int p = 0; p < kProfileCount; ++p) {
    parts.push_back(std::string(kProfileNames[p]) + ": " + Names(op.dtypes[p]));
  }
  return Join(parts, ". ") + ".";
}

// What the extents of the operands say of valid regions, and what the record adds.
std::string Shapes(const OpInfo& op) {
  const std::string lead = op.operands[op.lead].name;
  std::vector<std::string> sentences;
  std::vector<std::string> same;
  std::vector<std::string> repeat;
  for (int i = 0; i < op.Needed() && !op.Transfers(); ++i) {
    const Operand& operand = op.operands[i];
    const std::string name = operand.name;
    switch (operand.extent) {
      case Extent::kSame:
        if (i != op.lead) same.push_back(name);
        break;
      case Extent::kRow:
        sentences.push_back(name + " has a valid row and covers the valid columns of " + lead + ".");
        break;
      case Extent::kColumn:
        sentences.push_back(name + " has a valid column and covers the valid rows of " + lead + ".");
        break;
      case Extent::kRepeat:
        repeat.push_back(name);
        break;
      case Extent::kBits:
        sentences.push_back(name + " holds a bit for each element of " + lead +
                            ": row i of bits is row i of the tile, the lowest bit of its first byte is column 0.");
        break;
      case Extent::kRowResults:
        sentences.push_back(name + " has the valid rows of " + lead + "; its column 0 receives the results.");
        break;
      case Extent::kColResults:
        sentences.push_back(name + " has the valid columns of " + lead + "; its row 0 receives the results.");
        break;
      case Extent::kFirst:
        sentences.push_back(name + " gives its element (0, 0).");
        break;
      default:
        break;
    }
  }
  if (!same.empty()) {
    sentences.insert(sentences.begin(), "A2A3 and A5: the valid region of " + Join(same, " and of ") +
                                            " equals that of " + lead + "; CPU: sources may be valid in more.");
  }
  if (!repeat.empty()) {
    sentences.push_back("One of " + Join(repeat, " and ") + " has the valid region of " + lead +
                        "; the other may have one valid column, the scalars of the rows, or 32 bytes of columns "
                        "(CPU: any number), which repeat along each row.");
  }
  if (op.shapes[0] != '\0') sentences.emplace_back(op.shapes);
  return Join(sentences, " ");
}

// An enum of the header for each mode.
void Modes(std::ostream& out) {
  for (const ModeInfo* mode : kModes) {
    out << "\n/** " << mode->brief << " */\ntypedef enum pto_" << mode->name << " {\n";
    for (int i = 0; i < mode->Count(); ++i) {
      out << "  PTO_" << mode->prefix << "_" << mode->values[i].name << " = " << i
          << (i + 1 < mode->Count() ? ",  " : "  ") << "/**< " << mode->values[i].brief << " */\n";
    }
    out << "} pto_" << mode->name << ";\n";
  }
}

void Contract(std::ostream& out, const OpInfo& op) {
  out << "/**\n";
  Wrap(out, " * ", op.brief);
  out << " *\n";
  Wrap(out, " *     ", op.formula);
  out << " *\n";
  Wrap(out, " * ", "Shapes: " + Shapes(op) + " " + op.outside);
  out << " *\n";
  Wrap(out, " * ", std::string("Element types of ") + op.operands[op.lead].name + ". " + DTypeLine(op));
  out << " *\n";
  Wrap(out, " * ", std::string("Values: ") + op.specials);
  out << " *\n";
  Wrap(out, " * ",
       std::string("Accuracy: ") + op.accuracy +
           " The same bits on every CPU, SIMD target and profile, whatever rounding mode the caller has set.");
  out << " *\n";
  Wrap(out, " * ", std::string("Aliasing: ") + op.aliasing);
  out << " *\n";
  Wrap(out, " * ", "@param ctx the context: its profile applies and it keeps the error");
  for (int i = 0; i < op.OperandCount(); ++i) {
    Wrap(out, " * ", std::string("@param ") + op.operands[i].name + " " + op.operands[i].brief, " *        ");
  }
  Wrap(out, " * ", "@return PTO_OK, or the class of the broken rule: " + Join(RuleIds(op), ", "), " *         ");
  out << " * @since " << op.since << "\n";
  Wrap(out, " * ", std::string("@see ") + op.source);
  out << " */\n";
}

std::string Header() {
  std::ostringstream out;
  out << "/* Generated by src/gen/gen.cc from the op table in src/ops/; change that and run ./dev gen.\n"
         " *\n"
         " * pto_c_ops.h: the instructions. Include pto_c.h, which includes this file.\n"
         " */\n"
         "#ifndef PTO_C_OPS_H_\n#define PTO_C_OPS_H_\n\n#include \"pto_c.h\"\n\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
         "/** Ids of instructions: stable, never reused. */\ntypedef enum pto_op {\n";
  for (int i = 0; i < kOpCount; ++i) {
    out << "  PTO_OP_" << Upper(kOps[i]->name) << " = " << kOps[i]->id << (i + 1 < kOpCount ? ",  " : "  ") << "/**< "
        << kOps[i]->brief << " */\n";
  }
  out << "} pto_op;\n";
  Modes(out);
  for (const OpInfo* op : kOps) {
    out << "\n";
    Contract(out, *op);
    Prototype(out, *op, "PTO_API ");
    out << ";\n";
  }
  out << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* PTO_C_OPS_H_ */\n";
  return out.str();
}

// ---- entry points and the version map --------------------------------------

std::string EntryPoints() {
  std::ostringstream out;
  out << "// Generated by src/gen/gen.cc from the op table in src/ops/; change that and run ./dev gen.\n"
         "// extern \"C\": one entry point an instruction, all through Execute().\n"
         "#include \"src/api/api_abi.h\"\n#include \"src/core/execute.h\"\n#include \"src/ops/table.h\"\n\n"
         "using pto::Abi;\nusing pto::Execute;\nusing pto::Op;\nusing pto::Ours;\nusing pto::RawEnum;\nusing "
         "pto::Source;\n\nextern \"C\" {\n";
  for (const OpInfo* op : kOps) {
    std::vector<std::string> tiles;
    std::vector<std::string> numbers;
    std::string rest;
    for (int i = 0; i < op->OperandCount(); ++i) {
      const Operand& operand = op->operands[i];
      const bool source = operand.role == Role::kIn || operand.role == Role::kTensorIn;
      const std::string name = source ? std::string("Source(").append(operand.name).append(")") : operand.name;
      if (IsTile(operand.role)) tiles.push_back(name);
      if (IsTensor(operand.role)) {
        tiles.emplace_back("nullptr");
        rest += ", .tensor = " + name;
      }
      if (operand.role == Role::kInt) numbers.push_back(name);
      if (operand.role == Role::kMode) numbers.push_back("RawEnum(" + name + ")");
    }
    if (op->ScalarIndex() >= 0) rest += ", .scalar = &value";
    if (!numbers.empty()) rest += ", .numbers = numbers";
    out << "\n";
    Prototype(out, *op, "");
    out << " {\n  pto_tile* const tiles[] = {" << Join(tiles, ", ") << "};\n";
    if (op->ScalarIndex() >= 0) {
      out << "  const pto::Scalar value = Ours(" << op->operands[op->ScalarIndex()].name << ");\n";
    }
    if (!numbers.empty()) out << "  const int32_t numbers[] = {" << Join(numbers, ", ") << "};\n";
    out << "  return Abi(Execute(ctx, Op(\"" << op->name << "\"), {.tiles = tiles, .flags = flags" << rest
        << "}));\n}\n";
  }
  out << "\n}  // extern \"C\"\n";
  return out.str();
}

// Tests call any instruction through one function.
std::string TypedCalls() {
  std::ostringstream out;
  out << "/* Generated by src/gen/gen.cc from the op table in src/ops/; change that and run ./dev gen.\n"
         " * typed_calls.c: the typed function of each instruction, by its id.\n"
         " */\n"
         "#include \"typed_calls.h\"\n\n"
         "pto_status typed_call(pto_context *ctx, int32_t op, const typed_operands *t) {\n  switch (op) {\n";
  for (const OpInfo* op : kOps) {
    std::vector<std::string> values = {"ctx"};
    for (int i = 0; i < op->OperandCount(); ++i) {
      const Operand& operand = op->operands[i];
      const std::string number = "t->numbers[" + std::to_string(op->NumberOf(i)) + "]";
      switch (operand.role) {
        case Role::kTensorIn:
        case Role::kTensorOut:
          values.emplace_back("t->tensor");
          break;
        case Role::kFlags:
          values.emplace_back("t->flags");
          break;
        case Role::kScalar:
          values.emplace_back("t->scalar");
          break;
        case Role::kInt:
          values.push_back(number);
          break;
        case Role::kMode:
          values.push_back("(pto_" + std::string(operand.mode->name) + ")" + number);
          break;
        default:
          values.push_back("t->tiles[" + std::to_string(i) + "]");
      }
    }
    out << "    case PTO_OP_" << Upper(op->name) << ":\n";
    Wrap(out, "      ", "return pto_" + std::string(op->name) + "(" + Join(values, ", ") + ");", "          ");
  }
  out << "    default:\n      return PTO_ERROR_UNKNOWN;\n  }\n}\n";
  return out.str();
}

// Names declared with PTO_API in the part of the header that people write.
std::set<std::string> DeclaredNames(const fs::path& header) {
  std::set<std::string> names;
  std::ifstream in(header);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("PTO_API ", 0) != 0) continue;
    const size_t end = line.find('(');
    size_t begin = end;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 || line[begin - 1] == '_')) {
      --begin;
    }
    names.insert(line.substr(begin, end - begin));
  }
  return names;
}

std::string VersionMap(const fs::path& root) {
  std::set<std::string> names = DeclaredNames(root / "include" / "pto_c.h");
  for (const OpInfo* op : kOps) names.insert(std::string("pto_") + op->name);
  std::ostringstream out;
  out << "/* Generated by src/gen/gen.cc from include/pto_c.h and the op table; change these and run ./dev gen. */\n"
         "PTO_0.1 {\n  global:\n";
  for (const std::string& name : names) out << "    " << name << ";\n";
  out << "  local:\n    *;\n};\n";
  return out.str();
}

// ---- documentation ---------------------------------------------------------

constexpr char kMarkdownHead[] =
    "<!-- Generated by src/gen/gen.cc from the op table in src/ops/; change that and run ./dev gen. -->\n\n";

std::string RulesPage() {
  std::ostringstream out;
  out << kMarkdownHead
      << "# Rules\n\nEvery refused call names one of these ids in `pto_context_error_rule()`. A rule that begins with "
         "a\n"
         "profile applies under that profile only; the instructions' pages in [ops/](ops/README.md) say which "
         "apply.\n\n"
         "| id | status | rule | remedy |\n|---|---|---|---|\n";
  for (const RuleInfo& rule : kRules) {
    out << "| `" << rule.id << "` | `" << kStatusNames[static_cast<int>(rule.status)] << "` | " << rule.sentence
        << " | " << rule.remedy << " |\n";
  }
  return out.str();
}

// How the one-line spellings of an instruction's document write types, T for each.
struct Signature {
  const char* op;
  const char* plain;  // tadd ...
  const char* ssa;    // pto.tadd ...
  bool tmp = false;   // tmp is among the operands
};
constexpr Signature kSignatures[] = {
    {"tcolexpanddiv", "T, T -> T", "T, T -> T"},
    {"tcolexpandmul", "T, T -> T", "T, T -> T"},
    {"tmov", "T -> T", "T -> T"},
    {"tpartadd", "T -> T", "(T, T) -> T"},
    {"tpow", "T", "(T, T, T) -> T", true},
    {"tprelu", "T", "(T, T) -> T"},
    {"trsqrt", "T", "T -> T"},
};

std::string WithTypes(const char* signature, const char* type) {
  std::string text;
  for (const char* c = signature; *c != '\0'; ++c) text += *c == 'T' ? std::string(type) : std::string(1, *c);
  return text;
}

void AssemblyAttributes(std::ostream& out, const OpInfo& op) {
  for (const ptoas::AttributeInfo& info : ptoas::kAttributes) {
    if (info.op != std::string_view(op.name)) continue;
    std::vector<std::string> values;
    for (const ptoas::AttributeValue& value : info.values) {
      if (value.name != nullptr && value.obeyed) values.push_back(std::string("`") + value.name + "`");
    }
    std::vector<std::string> also;
    for (const char* alias : info.aliases) {
      if (alias != nullptr) also.push_back(std::string("`") + alias + "`");
    }
    out << "\nAttribute `" << info.key << "`" << (also.empty() ? "" : ", also " + Join(also, ", ")) << ": "
        << Join(values, " or ") << "; other values are errors.";
    if (info.kind == std::string_view("PowAlgorithm")) {
      out << " `{PrecisionType = HIGH_PRECISION}`, `{PrecisionType = PowAlgorithm::HIGH_PRECISION}` and\n"
             "`{precision_mode = #pto<precision_mode HIGH_PRECISION>}` set PTO_HIGH_PRECISION.";
    }
    out << "\n";
  }
}

// The three spellings, as the document of the instruction has them where there is one. An instruction that
// writes a tensor has no result: it names the tensor last.
void Assembly(std::ostream& out, const OpInfo& op) {
  static constexpr char kView[] = "!pto.partition_tensor_view<...>";
  const auto* signature = std::find_if(std::begin(kSignatures), std::end(kSignatures),
                                       [&](const Signature& s) { return s.op == std::string_view(op.name); });
  const bool known = signature != std::end(kSignatures);
  const int operands = op.Tiles() - (known && !signature->tmp && op.TmpIndex() > 0 ? 1 : 0);
  std::vector<std::string> names;
  std::vector<std::string> tiles;  // types as the one-line spellings write them
  std::vector<std::string> bufs;   // and as ins and outs do
  for (int i = 0; i < operands; ++i) {
    const bool tensor = IsTensor(op.operands[i].role);
    names.push_back(std::string("%").append(op.operands[i].name));
    tiles.emplace_back(tensor ? kView : "!pto.tile<...>");
    bufs.emplace_back(tensor ? kView : "!pto.tile_buf<...>");
  }
  const auto tail = [](const std::vector<std::string>& list) { return Join({list.begin() + 1, list.end()}, ", "); };
  out << "```\n";
  if (op.walk == Walk::kStore) {
    const std::string both = names[1] + ", " + names[0];
    out << op.name << " " << both << " : " << tiles[1] << ", " << tiles[0] << "\npto." << op.name << " " << both
        << " : (" << tiles[1] << ", " << tiles[0] << ") -> ()\n";
  } else {
    const std::string plain = known ? WithTypes(signature->plain, "!pto.tile<...>")
                                    : tiles[op.Transfers() ? 1 : 0] + (op.Transfers() ? " -> " + tiles[0] : "");
    const std::string ssa =
        known ? WithTypes(signature->ssa, "!pto.tile<...>") : "(" + tail(tiles) + ") -> " + tiles[0];
    out << names[0] << " = " << op.name << " " << tail(names) << " : " << plain << "\n"
        << names[0] << " = pto." << op.name << " " << tail(names) << " : " << ssa << "\n";
  }
  out << "pto." << op.name << " ins(" << tail(names) << " : " << tail(bufs) << ") outs(" << names[0] << " : " << bufs[0]
      << ")\n```\n";
  if (op.TmpIndex() > 0) {
    out << "\n`%tmp` may stand behind the sources or be left out: a run makes one where the profile needs it.\n";
  }
  AssemblyAttributes(out, op);
}

std::string OpPage(const OpInfo& op) {
  std::ostringstream out;
  out << kMarkdownHead << "# " << Upper(op.name) << "\n\n" << op.brief << "\n\n    " << op.formula << "\n\n";
  out << "```c\n";
  Prototype(out, op, "");
  out << ";\n```\n\n| operand | role | meaning |\n|---|---|---|\n";
  for (int i = 0; i < op.OperandCount(); ++i) {
    out << "| `" << op.operands[i].name << "` | " << RoleName(op.operands[i].role) << " | " << op.operands[i].brief
        << " |\n";
  }
  out << "\n**Shapes.** " << Shapes(op) << " " << op.outside << "\n\n**Values.** " << op.specials
      << "\n\n**Accuracy.** " << op.accuracy
      << " The same bits on every CPU, SIMD target and profile.\n\n**Aliasing.** " << op.aliasing << "\n\n";
  out << "## Element types\n\n| profile |";
  for (const DTypeInfo& dtype : kDTypes) out << " " << dtype.name << " |";
  out << "\n|---|" << Repeat("---|", kDTypeCount) << "\n";
  for (int p = 0; p < kProfileCount; ++p) {
    out << "| " << kProfileNames[p] << " |";
    for (int d = 0; d < kDTypeCount; ++d) {
      const auto dtype = static_cast<DType>(d);
      const bool takes = (op.dtypes[p] & Bit(dtype)) != 0;
      const bool precise =
          op.Precise(static_cast<Profile>(p)) && !op.Applies(Rule::kPrecisionFloat, static_cast<Profile>(p), dtype);
      out << " " << (!takes ? "" : precise ? "yes, precise" : "yes") << " |";
    }
    out << "\n";
  }
  out << "\n## Rules\n\nBesides `null`, `flags`, `dtype`, `storage` and `memory`, which every instruction has:\n\n"
         "| id | profiles | element types | rule |\n|---|---|---|---|\n";
  for (const RuleUse& use : op.all) {
    out << "| [`" << Info(use.rule).id << "`](../rules.md) | " << ProfileNames(use.profiles) << " | "
        << ((use.dtypes & dtypes::kBits) == dtypes::kBits ? "all" : Names(use.dtypes)) << " | "
        << Info(use.rule).sentence << " |\n";
  }
  out << "\n## Assembly\n\n";
  Assembly(out, op);
  out << "\nSince " << op.since << ". Defined by: " << op.source << ".\n";
  return out.str();
}

std::string OpIndex() {
  std::ostringstream out;
  out << kMarkdownHead << "# Instructions\n\n| instruction | what it does | CPU | A2A3 | A5 |\n|---|---|---|---|---|\n";
  for (const OpInfo* op : kOps) {
    out << "| [" << Upper(op->name) << "](" << op->name << ".md) | " << op->brief;
    for (const DTypeSet set : op->dtypes) out << " | " << Names(set);
    out << " |\n";
  }
  return out.str();
}

std::string Json() {
  std::ostringstream out;
  out << "[\n";
  for (int i = 0; i < kOpCount; ++i) {
    const OpInfo& op = *kOps[i];
    out << "  {\"name\": " << Quote(op.name) << ", \"id\": " << op.id << ", \"brief\": " << Quote(op.brief)
        << ",\n   \"formula\": " << Quote(op.formula) << ",\n   \"operands\": [";
    for (int k = 0; k < op.OperandCount(); ++k) {
      out << (k == 0 ? "" : ", ") << "{\"name\": " << Quote(op.operands[k].name)
          << ", \"role\": " << Quote(RoleName(op.operands[k].role)) << "}";
    }
    out << "],\n   \"dtypes\": {";
    for (int p = 0; p < kProfileCount; ++p) {
      out << (p == 0 ? "" : ", ") << Quote(kProfileNames[p]) << ": [" << QuotedNames(op.dtypes[p]) << "]";
    }
    out << "},\n   \"flags\": [" << ((op.flags & kHighPrecision) != 0 ? Quote("PTO_HIGH_PRECISION") : "")
        << "],\n   \"rules\": [";
    bool first = true;
    for (const RuleUse& use : op.all) {
      out << (first ? "" : ", ") << "{\"id\": " << Quote(Info(use.rule).id)
          << ", \"profiles\": " << Quote(ProfileNames(use.profiles)) << "}";
      first = false;
    }
    out << "],\n   \"shapes\": " << Quote(Shapes(op)) << ",\n   \"values\": " << Quote(op.specials)
        << ",\n   \"accuracy\": " << Quote(op.accuracy) << ",\n   \"aliasing\": " << Quote(op.aliasing)
        << ",\n   \"since\": " << Quote(op.since) << ", \"source\": " << Quote(op.source) << "}"
        << (i + 1 < kOpCount ? "," : "") << "\n";
  }
  out << "]\n";
  return out.str();
}

std::map<fs::path, std::string> Outputs(const fs::path& root) {
  std::map<fs::path, std::string> files = {
      {"include/pto_c_ops.h", Header()},        {"src/api/api_ops.cc", EntryPoints()},
      {"src/api/libpto.map", VersionMap(root)}, {"tests/common/typed_calls.c", TypedCalls()},
      {"docs/rules.md", RulesPage()},           {"include/pto/pto-inst-ops.hpp", CppHeader().Text()},
      {"docs/ops/README.md", OpIndex()},        {"docs/ops/ops.json", Json()},
  };
  for (const OpInfo* op : kOps) files["docs/ops/" + std::string(op->name) + ".md"] = OpPage(*op);
  return files;
}

int Usage(std::ostream& out, int code) {
  out << "usage: pto-gen --write ROOT   writes the generated files into the tree at ROOT\n"
         "       pto-gen --check ROOT   names the files that are stale; exit code 1 if any\n"
         "       pto-gen --list ROOT    names the generated files\n";
  return code;
}

}  // namespace

int Main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "--help") return Usage(std::cout, 0);
  if (argc != 3 || (mode != "--write" && mode != "--check" && mode != "--list")) return Usage(std::cerr, 2);
  const fs::path root = argv[2];
  int stale = 0;
  for (const auto& [path, text] : Outputs(root)) {
    if (mode == "--list") {
      std::cout << path.string() << "\n";
      continue;
    }
    std::ifstream in(root / path, std::ios::binary);
    const std::string old{std::istreambuf_iterator<char>(in), {}};
    if (old == text) continue;
    if (mode == "--check") {
      std::cerr << "stale: " << path.string() << " (run ./dev gen)\n";
      ++stale;
    } else {
      fs::create_directories((root / path).parent_path());
      std::ofstream file(root / path, std::ios::binary);
      if (!(file << text)) {
        std::cerr << "pto-gen: cannot write " << path.string() << "\n";
        return 2;
      }
      std::cout << "wrote " << path.string() << "\n";
    }
  }
  return stale == 0 ? 0 : 1;
}

}  // namespace pto

int main(int argc, char** argv) { return pto::Main(argc, argv); }
