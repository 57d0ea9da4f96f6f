// The pages in docs/: the rules, the instructions one by one and by family, and what `pto ops --json` shows.
#ifndef PTO_SRC_GEN_GEN_DOCS_H_
#define PTO_SRC_GEN_GEN_DOCS_H_

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/gen/gen_text.h"
#include "src/records/attributes.h"
#include "src/records/table.h"
#include "src/records/text_form.h"

namespace pto {

inline void Prototype(std::ostream& out, const OpInfo& op, const std::string& prefix) {
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

// The types of an operand under a profile: sets of types, each with the types of the lead operand that it belongs to.
inline std::string TypesBeside(const OpInfo& op, const TypeMap& types, int profile) {
  std::vector<std::string> parts;
  DTypeSet left = op.dtypes[profile];
  for (int d = 0; d < kDTypeCount; ++d) {
    const DTypeSet set = types.of[profile][d];
    DTypeSet leads = 0;
    for (int k = d; k < kDTypeCount; ++k) {
      if ((left >> k & 1U) != 0 && types.of[profile][k] == set) leads |= DTypeSet{1} << k;
    }
    if ((left >> d & 1U) == 0) continue;
    left &= ~leads;
    parts.push_back(Names(set) + If(leads != op.dtypes[profile], " beside " + Names(leads)));
  }
  return Either(parts.empty(), "none", Join(parts, ", "));
}

// Whether the types of an operand depend on the type of the lead operand under some profile.
inline bool TypesVary(const OpInfo& op, const TypeMap& types) {
  for (int p = 0; p < kProfileCount; ++p) {
    if (TypesBeside(op, types, p).find(" beside ") != std::string::npos) return true;
  }
  return false;
}

// The types of an operand as a table: one row per type of the lead operand, one column per profile.
inline std::string TypesTable(const OpInfo& op, const TypeMap& types) {
  std::ostringstream out;
  out << "| " << op.operands[op.lead].name << " |";
  for (const ProfileInfo& profile : kProfiles) out << " " << profile.name << " |";
  out << "\n|---|" << Repeat("---|", kProfileCount);
  for (int d = 0; d < kDTypeCount; ++d) {
    std::string row;
    bool any = false;
    for (int p = 0; p < kProfileCount; ++p) {
      const bool takes = (op.dtypes[p] >> d & 1U) != 0 && types.of[p][d] != 0;
      any |= takes;
      const bool all = types.of[p][d] == (DTypeSet{1} << kDTypeCount) - 1;
      row += " " + If(takes, Either(all, "any", Names(types.of[p][d]))) + " |";
    }
    if (any) out << "\n| " << kDTypes[d].name << " |" << row;
  }
  return out.str();
}

// For each set of types of their own, its operands and its types. A page of Markdown has a table instead of
// sentences if they depend on the lead operand.
inline std::vector<std::string> OwnTypes(const OpInfo& op, bool tables = false) {
  std::vector<std::string> sentences;
  for (int i = 0; i < op.OperandCount(); ++i) {
    const TypeMap* types = op.operands[i].types;
    if (!op.operands[i].Typed() || op.like.at[i] != i) continue;
    std::vector<std::string> names;
    for (const Operand& operand : op.operands) {
      if (operand.types == types) names.emplace_back(operand.name);
    }
    std::string sentence = "Element types of " + Join(names, " and ") + (names.size() > 1 ? ", the same" : "");
    for (const DTypeSet mixed : types->mixed) sentence += If(mixed != 0, " or any of " + Names(mixed));
    if (tables && TypesVary(op, *types)) {
      sentences.push_back(sentence + ", for each type of " + op.operands[op.lead].name + ":\n\n" +
                          TypesTable(op, *types));
      continue;
    }
    sentence += ".";
    ProfileSet left = profiles::kEvery;
    for (int p = 0; p < kProfileCount; ++p) {
      if ((left >> p & 1U) == 0) continue;
      const std::string text = TypesBeside(op, *types, p);
      ProfileSet alike = 0;
      for (int k = p; k < kProfileCount; ++k) {
        if (TypesBeside(op, *types, k) == text) alike |= static_cast<ProfileSet>(1U << k);
      }
      left &= static_cast<ProfileSet>(~alike);
      sentence += " " + ProfileNames(alike) + ": " + text + ".";
    }
    sentences.push_back(sentence);
  }
  return sentences;
}

// A sentence of an extent, with the names of operands for $ and @.
inline std::string Filled(const char* sentence, const std::string& operand, const std::string& lead) {
  std::string text;
  for (const char* c = sentence; *c != '\0'; ++c) {
    text += *c == '$' ? operand : *c == '@' ? lead : std::string(1, *c);
  }
  return text;
}

// The conditions on valid regions from the extents of the operands, and those that the record adds.
inline std::string Shapes(const OpInfo& op) {
  const std::string lead = op.operands[op.lead].name;
  std::vector<std::string> sentences;
  // The order of operands that share a sentence: first those beside the lead operand, last the others.
  std::vector<std::pair<const ExtentInfo*, std::vector<std::string>>> shared;
  for (int i = 0; i < op.Needed() && !op.Transfers(); ++i) {
    const ExtentInfo& extent = Info(op.operands[i].extent);
    const std::string name = op.operands[i].name;
    if (extent.sentence == nullptr || (extent.beside && i == op.lead)) continue;
    if (extent.together == nullptr) {
      sentences.push_back(Filled(extent.sentence, name, lead));
      continue;
    }
    const auto alike = [&](const auto& group) { return group.first->sentence == extent.sentence; };
    auto group = std::find_if(shared.begin(), shared.end(), alike);
    if (group == shared.end()) group = shared.insert(group, {&extent, {}});
    group->second.push_back(name);
  }
  for (const auto& [extent, names] : shared) {
    const std::string sentence = Filled(extent->sentence, Join(names, extent->together), lead);
    sentences.insert(extent->beside ? sentences.begin() : sentences.end(), sentence);
  }
  if (op.shapes[0] != '\0') sentences.emplace_back(op.shapes);
  return Join(sentences, " ");
}

inline constexpr char kMarkdownHead[] =
    "<!-- Generated by src/gen/gen.cc from the op table in src/records/; change that and run ./dev gen. -->\n\n";

inline std::string RulesPage() {
  std::ostringstream out;
  out << kMarkdownHead
      << "# Rules\n\nEvery refused call names one of these ids in `pto_context_error_rule()`. A rule that begins with "
         "a\n"
         "profile applies under that profile only. The instructions' pages in [ops/](ops/README.md) list the rules "
         "that\napply, with their sources. [Troubleshooting](troubleshooting.md) has examples. The sources are:\n\n";
  for (const SourceInfo& source : kSources) out << "- *" << source.name << "*: " << source.meaning << "\n";
  const RuleInfo* last = nullptr;
  for (const RuleInfo& rule : kRules) {
    if (last == nullptr || rule.group != last->group) {
      out << "\n## " << kRuleGroups[static_cast<int>(rule.group)]
          << "\n\n| id | status | rule | remedy |\n|---|---|---|---|\n";
    }
    last = &rule;
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
inline constexpr Signature kSignatures[] = {
    {"tcolexpanddiv", "T, T -> T", "T, T -> T"},
    {"tcolexpandmul", "T, T -> T", "T, T -> T"},
    {"tmov", "T -> T", "T -> T"},
    {"tpartadd", "T -> T", "(T, T) -> T"},
    {"tpow", "T", "(T, T, T) -> T", true},
    {"tprelu", "T", "(T, T) -> T"},
    {"trsqrt", "T", "T -> T"},
};

inline std::string WithTypes(const char* signature, const char* type) {
  std::string text;
  for (const char* c = signature; *c != '\0'; ++c) text += Either(*c == 'T', type, std::string(1, *c));
  return text;
}

// The attributes of an instruction, and how programs spell them.
inline void AssemblyAttributes(std::ostream& out, const OpInfo& op) {
  const auto code = [](const std::string& text) { return "`" + text + "`"; };
  for (const ptoas::AttributeInfo& info : ptoas::kAttributes) {
    if (info.record != nullptr ? info.record != &op : info.op != std::string_view(op.mnemonic)) continue;
    std::vector<std::string> values;
    for (const ptoas::AttributeValue& value : info.values) {
      if (value.name != nullptr && value.obeyed) values.push_back(code(value.name));
    }
    std::vector<std::string> also;
    for (const char* alias : info.aliases) {
      if (alias != nullptr) also.push_back(code(alias));
    }
    const bool precision = ptoas::IsPrecision(info);
    if (precision) also.push_back(code(ptoas::AlgorithmOf(op)));
    out << "\nAttribute `" << info.key << "`" << If(!also.empty(), ", also " + Join(also, ", ")) << ": "
        << Join(values, " or ") << ". Other values are errors.";
    if (info.usual >= 0) out << " The default is " << values[static_cast<size_t>(info.usual)] << ".";
    if (info.spelled[0] != '\0') out << " `" << info.spelled << "` is allowed before a value.";
    if (precision) {
      out << " `{PrecisionType = HIGH_PRECISION}`, `{PrecisionType = " << ptoas::AlgorithmOf(op)
          << "::HIGH_PRECISION}` and\n`{precision_mode = #pto<precision_mode HIGH_PRECISION>}` set PTO_HIGH_PRECISION.";
    }
    out << "\n";
  }
}

// The first mode as programs write it: " {cmpMode = #pto<cmp EQ>}".
inline std::string FirstMode(const OpInfo& op) {
  for (const ptoas::AttributeInfo& info : ptoas::kAttributes) {
    if (info.record != &op || info.operand < 0) continue;
    const std::string value = info.values[info.usual].name;
    const std::string kind = info.kind;
    return std::string(" {") + info.key + " = " + Either(kind.empty(), value, "#pto<" + kind + " " + value + ">") + "}";
  }
  return "";
}

// Whether with tmp, or without it, the instruction has the operands of another form: a merge of one list more or less.
inline bool LooksOther(const OpInfo& op, bool with_tmp) {
  const auto sources = static_cast<size_t>(SourcesOf(op, with_tmp).count);
  return op.TmpIndex() > 0 && std::any_of(std::begin(kOps), std::end(kOps), [&](const OpInfo* other) {
           return other != &op && other->mnemonic == std::string_view(op.mnemonic) && DifferByTmp(op, *other, sources);
         });
}

// The three spellings, as the document of the instruction has them where there is one. An instruction that
// writes a tensor has no result: it names the tensor last.
inline void Assembly(std::ostream& out, const OpInfo& op) {
  const auto* signature = std::find_if(std::begin(kSignatures), std::end(kSignatures),
                                       [&](const Signature& s) { return s.op == std::string_view(op.name); });
  const bool known = signature != std::end(kSignatures);
  struct Side {
    std::vector<std::string> names, tiles, bufs;  // types as the one-line spellings write them, and as ins and outs do
  } ins, outs;
  const auto add = [&](Side* side, const Operand& operand) {
    static constexpr char kView[] = "!pto.partition_tensor_view<...>";
    const char* other = IsTensor(operand.role)          ? kView
                        : operand.role == Role::kScalar ? "dtype"
                        : operand.role == Role::kInt    ? "i32"
                                                        : nullptr;
    side->names.push_back(std::string("%").append(operand.name));
    side->tiles.emplace_back(other != nullptr ? other : "!pto.tile<...>");
    side->bufs.emplace_back(other != nullptr ? other : "!pto.tile_buf<...>");
  };
  // One-line forms where they are clear: without tmp if only that is so, and none at all if neither is.
  const bool clear_with = !LooksOther(op, true);
  const bool clear_without = !LooksOther(op, false);
  const bool with_tmp = known ? signature->tmp : clear_with || !clear_without;
  const TextOrder order = SourcesOf(op, with_tmp);
  bool numbers = false;
  for (int i = 0; i < op.Outputs(); ++i) add(&outs, op.operands[i]);
  for (int i = 0; i < order.count; ++i) {
    add(&ins, op.operands[order.at[i]]);
    numbers |= IsNumber(op.operands[order.at[i]].role);
  }
  const std::string to = Join(outs.names, ", ");
  const std::string from = Join(ins.names, ", ");
  const std::string mode = FirstMode(op);
  const std::string name = op.mnemonic;
  out << "```\n";
  if (!clear_with && !clear_without) {
    // Only ins and outs show what the last tile is.
  } else if (op.Stores()) {
    const std::string types = Join(ins.tiles, ", ") + ", " + outs.tiles[0];
    out << name << " " << from << ", " << to << mode << " : " << types << "\npto." << name << " " << from << ", " << to
        << mode << " : (" << types << ") -> ()\n";
  } else {
    const std::string types = Join(ins.tiles, ", ");
    const std::string made = Join(outs.tiles, ", ");
    const std::string plain = known                              ? WithTypes(signature->plain, "!pto.tile<...>")
                              : op.TensorIndex() >= 0 || numbers ? types + " -> " + made
                                                                 : made.substr(0, made.find(','));
    const std::string ssa = known ? WithTypes(signature->ssa, "!pto.tile<...>")
                                  : "(" + types + ") -> " + Either(op.Outputs() > 1, "(" + made + ")", made);
    out << to << " = " << name << " " << from << mode << " : " << plain << "\n"
        << to << " = pto." << name << " " << from << mode << " : " << ssa << "\n";
  }
  out << "pto." << name << " ins(" << from << mode << " : " << Join(ins.bufs, ", ") << ") outs(" << to << " : "
      << Join(outs.bufs, ", ") << ")";
  if (const ptoas::AttributeInfo* needed = ptoas::NeededAttribute(op); needed != nullptr) {
    out << " {" << ptoas::NeededText(*needed) << "}";
  }
  out << "\n```\n";
  if (!clear_with && !clear_without) {
    out << "\nThe last tile is `%tmp`. The one-line forms are refused, because the last tile could be one more "
           "source.\n";
  } else if (!clear_with) {
    out << "\n`%tmp` is left out in the one-line forms, which cannot distinguish it from one more source; with ins and "
           "outs it "
           "may be the last. A run makes one if the profile needs it.\n";
  } else if (!clear_without) {
    out << "\n`%tmp` is the last tile. Without it, the last source would be treated as tmp.\n";
  } else if (op.TmpIndex() > 0) {
    out << "\nYou can leave out `%tmp`. A run makes one if the profile needs it.\n";
  }
  if (op.ScalarIndex() > 0) {
    const std::string scalar = op.operands[op.ScalarIndex()].name;
    out << "\n`%" << scalar
        << "` is a number of any type of its class, integers or floats, or an immediate. `dtype` is any of "
        << "these types.\n";
  }
  AssemblyAttributes(out, op);
}

inline std::vector<std::string> SourceNames(SourceSet set) {
  std::vector<std::string> names;
  for (size_t i = 0; i < std::size(kSources); ++i) {
    if ((set >> i & 1U) != 0) names.emplace_back(kSources[i].name);
  }
  return names;
}

// "A2A3 A5: document; CPU: libpto", or only the names where all profiles have the same.
inline std::string Sources(const RuleUse& use) {
  std::vector<std::string> parts;
  ProfileSet told = 0;
  for (int p = 0; p < kProfileCount; ++p) {
    const auto bit = Bit(static_cast<Profile>(p));
    if ((use.profiles & bit) == 0 || (told & bit) != 0) continue;
    ProfileSet same = 0;
    for (int q = p; q < kProfileCount; ++q) {
      if ((use.profiles >> q & 1U) != 0 && use.sources[q] == use.sources[p]) same |= Bit(static_cast<Profile>(q));
    }
    told |= same;
    const std::string names = Join(SourceNames(use.sources[p]), ", ");
    parts.push_back(If(same != use.profiles, ProfileNames(same) + ": ") + names);
  }
  return Join(parts, "; ");
}

// The ISA's family of an instruction, and where in the ISA it is defined.
inline std::string FamilyOf(const OpInfo& op) { return kFamilyNames[static_cast<int>(op.family)]; }
inline std::string DefinedBy(const OpInfo& op) { return "PTO ISA, " + FamilyOf(op) + ": " + op.source; }

// The path of an instruction's page in docs/ops: one folder per family.
inline std::string PageOf(const OpInfo& op) {
  std::string folder = FamilyOf(op);
  if (const size_t word = folder.find(" instructions"); word != std::string::npos) folder.erase(word);
  std::replace(folder.begin(), folder.end(), ' ', '-');
  return folder + "/" + op.name + ".md";
}

// Forms of the same instruction, and instructions that continue its name.
inline void SeeAlso(std::ostream& out, const OpInfo& op) {
  const auto begins = [](std::string_view longer, std::string_view name) {
    return longer.size() > name.size() && longer.substr(0, name.size()) == name;
  };
  std::vector<std::string> links;
  for (const OpInfo* other : kOps) {
    const bool form = other->mnemonic == std::string_view(op.mnemonic);
    if (other == &op || !(form || begins(other->name, op.name) || begins(op.name, other->name))) continue;
    links.push_back("[" + Upper(other->name) + "](../" + PageOf(*other) + ")");
  }
  links.emplace_back("[all instructions](../README.md)");
  out << "\n## See also\n\n" << Join(links, ", ") << "\n";
}

// The part of a page that tools/op_examples/write.py wrote, which needs the library to run: an example and a table of
// special values. It stays as it is, a test runs it. Empty if the page has none yet.
inline std::string ExampleOf(const std::string& page) {
  const size_t begin = page.find("<!-- Written by tools/op_examples/write.py");
  constexpr std::string_view kEnd = "<!-- End of the example. -->\n\n";
  const size_t end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return page.substr(begin, end + kEnd.size() - begin);
}

// `example` is ExampleOf() the page as it was.
inline std::string OpPage(const OpInfo& op, const std::string& example) {
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
  out << "**Differences from hardware and other simulators.** "
      << Either(*op.others == '\0', "None is known.", op.others) << "\n\n"
      << example << "## Element types\n\n";
  if (!OwnTypes(op).empty()) out << "Of `" << op.operands[op.lead].name << "`:\n\n";
  // Floats of a byte are in the table of those that take one.
  const bool small = (op.dtypes[0] & dtypes::kSmall) != 0;
  const int columns = small ? kDTypeCount : static_cast<int>(DType::kE4M3);
  out << "| profile |";
  for (int d = 0; d < columns; ++d) out << " " << kDTypes[d].name << " |";
  out << "\n|---|" << Repeat("---|", columns) << "\n";
  for (int p = 0; p < kProfileCount; ++p) {
    out << "| " << kProfiles[p].name << " |";
    for (int d = 0; d < columns; ++d) {
      const auto dtype = static_cast<DType>(d);
      const bool takes = (op.dtypes[p] & Bit(dtype)) != 0;
      const bool precise =
          op.Precise(static_cast<Profile>(p)) && !op.Applies(Rule::kPrecisionFloat, static_cast<Profile>(p), dtype);
      out << " " << (!takes ? "" : precise ? "yes, precise" : "yes") << " |";
    }
    out << "\n";
  }
  for (const std::string& sentence : OwnTypes(op, true)) out << "\n" << sentence << "\n";
  out << "\n## Rules\n\nBesides `null`, `flags`, `dtype`, `storage` and `memory`, which every instruction has:\n\n"
         "| id | profiles | element types | rule | source |\n|---|---|---|---|---|\n";
  for (const RuleUse& use : op.all) {
    out << "| [`" << Info(use.rule).id << "`](../../troubleshooting.md#" << Info(use.rule).id << ") | "
        << ProfileNames(use.profiles) << " | "
        << Either((use.dtypes & dtypes::kComputed) == dtypes::kComputed, "all", Names(use.dtypes)) << " | "
        << Info(use.rule).sentence << " | " << Sources(use) << " |\n";
  }
  out << "\nThe [rules](../../rules.md) define the sources.\n\n## Assembly\n\n";
  Assembly(out, op);
  SeeAlso(out, op);
  out << "\nSince " << op.since << ". Defined by: " << DefinedBy(op) << ".\n";
  return out.str();
}

struct FamilyInfo {
  std::string name;
  std::vector<const OpInfo*> ops;
};

inline std::vector<FamilyInfo> Families() {
  std::vector<FamilyInfo> families;
  for (const char* name : kFamilyNames) families.push_back({name, {}});
  for (const OpInfo* op : kOps) families[static_cast<size_t>(op->family)].ops.push_back(op);
  return families;
}

inline std::string Capital(std::string text) {
  text[0] = Upper(text.substr(0, 1))[0];
  return text;
}

inline std::string OpIndex() {
  std::ostringstream out;
  out << kMarkdownHead << "# Instructions\n\n" << kOpCount << " instructions by family";
  const std::vector<FamilyInfo> families = Families();
  for (const FamilyInfo& family : families) {
    std::string anchor = family.name;
    std::replace(anchor.begin(), anchor.end(), ' ', '-');
    out << (&family == families.data() ? ": " : ", ") << "[" << family.name << "](#" << anchor << ") ("
        << family.ops.size() << ")";
  }
  out << ".\nEach page has operands, shapes, element types, rules and the forms in PTO-AS. It also has an example with "
         "numbers in C,\nC++, PTO-AS and Python, which the tests run.\n\nThe last columns below are the element types "
         "of the operand that leads, by profile.\n";
  for (const FamilyInfo& family : families) {
    out << "\n## " << Capital(family.name) << "\n\n| instruction | what it does |";
    for (const ProfileInfo& profile : kProfiles) out << " " << profile.name << " |";
    out << "\n|---|---|" << Repeat("---|", kProfileCount) << "\n";
    for (const OpInfo* op : family.ops) {
      out << "| [" << Upper(op->name) << "](" << PageOf(*op) << ") | " << op->brief;
      for (int p = 0; p < kProfileCount; ++p) out << " | " << Names(op->dtypes[p]);
      out << " |\n";
    }
  }
  return out.str();
}

inline std::string Json() {
  std::ostringstream out;
  out << "[\n";
  for (int i = 0; i < kOpCount; ++i) {
    const OpInfo& op = *kOps[i];
    out << "  {\"name\": " << Quote(op.name) << ", \"id\": " << op.id << ", \"brief\": " << Quote(op.brief)
        << ",\n   \"formula\": " << Quote(op.formula) << ",\n   \"operands\": [";
    for (int k = 0; k < op.OperandCount(); ++k) {
      out << (k == 0 ? "" : ", ") << "{\"name\": " << Quote(op.operands[k].name)
          << ", \"role\": " << Quote(RoleName(op.operands[k].role));
      const ModeInfo* mode = op.operands[k].mode;
      for (int v = 0; mode != nullptr && v < mode->Count(); ++v) {
        out << (v == 0 ? ", \"values\": [" : ", ") << Quote(mode->values[v].name) << (v + 1 < mode->Count() ? "" : "]");
      }
      out << "}";
    }
    out << "],\n   \"dtypes\": {";
    for (int p = 0; p < kProfileCount; ++p) {
      out << (p == 0 ? "" : ", ") << Quote(kProfiles[p].name) << ": [" << QuotedNames(op.dtypes[p]) << "]";
    }
    out << "},\n   \"flags\": [" << If((op.flags & kHighPrecision) != 0, Quote("PTO_HIGH_PRECISION"))
        << "],\n   \"rules\": [";
    bool first = true;
    for (const RuleUse& use : op.all) {
      out << (first ? "" : ", ") << "{\"id\": " << Quote(Info(use.rule).id)
          << ", \"profiles\": " << Quote(ProfileNames(use.profiles)) << ", \"sources\": " << Quote(Sources(use)) << "}";
      first = false;
    }
    out << "],\n   \"shapes\": " << Quote(Shapes(op)) << ",\n   \"values\": " << Quote(op.specials)
        << ",\n   \"accuracy\": " << Quote(op.accuracy) << ",\n   \"aliasing\": " << Quote(op.aliasing)
        << ",\n   \"elsewhere\": " << Quote(op.others) << ",\n   \"since\": " << Quote(op.since)
        << ", \"source\": " << Quote(DefinedBy(op)) << "}" << (i + 1 < kOpCount ? "," : "") << "\n";
  }
  out << "]\n";
  return out.str();
}

}  // namespace pto

#endif  // PTO_SRC_GEN_GEN_DOCS_H_
