// `pto ops` and `pto info`: what the library knows of itself.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/cli.h"
#include "src/cli/program.h"
#include "src/records/dtype.h"
#include "src/records/nearest.h"
#include "src/records/profile.h"

namespace pto::cli {

namespace {

constexpr const char* kRoles[] = {"out",       "in",    "tmp",    "flags", "tensor out",
                                  "tensor in", "inout", "scalar", "int",   "mode"};

std::string RoleText(int32_t op, int32_t index) {
  const int32_t role = pto_op_operand_role(op, index);
  return role >= 0 && role < static_cast<int32_t>(std::size(kRoles)) ? kRoles[role] : "?";
}

std::vector<std::string> DTypesOf(int32_t op, int profile) {
  std::vector<std::string> names;
  for (int d = 0; d < kDTypeCount; ++d) {
    const auto dtype = static_cast<pto_dtype>(d);
    if (pto_op_supports(op, static_cast<pto_profile>(profile), dtype, 0) != 0)
      names.emplace_back(pto_dtype_name(dtype));
  }
  return names;
}

std::vector<std::string> ValuesOf(int32_t op, int32_t index) {
  std::vector<std::string> names;
  for (int32_t v = 0; pto_op_operand_mode_value(op, index, v) != nullptr; ++v)
    names.emplace_back(pto_op_operand_mode_value(op, index, v));
  return names;
}

std::string Join(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : separator) + parts[i];
  return text;
}

std::string Json(int32_t op) {
  std::string out = "{\"name\": " + Quote(pto_op_name(op)) + ", \"id\": " + std::to_string(op) +
                    ", \"brief\": " + Quote(pto_op_brief(op)) + ", \"formula\": " + Quote(pto_op_formula(op)) +
                    ", \"operands\": [";
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    out += (i == 0 ? "" : ", ") + std::string("{\"name\": ") + Quote(pto_op_operand_name(op, i)) +
           ", \"role\": " + Quote(RoleText(op, i));
    const std::vector<std::string> values = ValuesOf(op, i);
    if (!values.empty()) out += ", \"values\": [\"" + Join(values, "\", \"") + "\"]";
    out += "}";
  }
  out += "], \"flags\": [";
  if ((pto_op_flags(op) & PTO_HIGH_PRECISION) != 0) out += "\"PTO_HIGH_PRECISION\"";
  out += "], \"dtypes\": {";
  for (int p = 0; p < kProfileCount; ++p) {
    const std::vector<std::string> names = DTypesOf(op, p);
    out += (p == 0 ? "" : ", ") + Quote(kProfiles[p].name) + ": [" +
           (names.empty() ? "" : "\"" + Join(names, "\", \"") + "\"") + "]";
  }
  return out + "}}";
}

void Show(int32_t op) {
  std::printf("%s: %s\n\n    %s\n\n", pto_op_name(op), pto_op_brief(op), pto_op_formula(op));
  for (int32_t i = 0; i < pto_op_operand_count(op); ++i) {
    const std::vector<std::string> values = ValuesOf(op, i);
    std::printf("  %-8s %s%s%s\n", pto_op_operand_name(op, i), RoleText(op, i).c_str(), values.empty() ? "" : ": ",
                Join(values, " ").c_str());
  }
  std::printf("\n");
  for (int p = 0; p < kProfileCount; ++p)
    std::printf("  %-8s %s\n", kProfiles[p].name, Join(DTypesOf(op, p), " ").c_str());
  if ((pto_op_flags(op) & PTO_HIGH_PRECISION) != 0) std::printf("\n  takes PTO_HIGH_PRECISION\n");
}

// TADD and pto.tadd as well as tadd.
std::string PlainName(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name.substr(name.starts_with("pto.") ? 4 : 0);
}

// What programs have besides instructions: statements, and operations of the vector level.
struct Statement {
  std::string_view name, form, does, page;
};
constexpr Statement kStatements[] = {
#include "src/cli/statements.inc"
};

// nullptr for an unknown name. Functions of arith and math have one row.
const Statement* FindStatement(std::string_view name) {
  if (name != "arith.constant" && (name.starts_with("arith.") || name.starts_with("math."))) name = "arith";
  const auto* const found = std::find_if(std::begin(kStatements), std::end(kStatements),
                                         [&](const Statement& statement) { return statement.name == name; });
  return found == std::end(kStatements) ? nullptr : found;
}

void Show(const Statement& statement) {
  std::printf("%s: %s\n\n    %s\n\n  described in %s\n", statement.name.data(), statement.does.data(),
              statement.form.data(), statement.page.data());
  const std::string instruction = "t" + std::string(statement.name);
  if (pto_op_find(instruction.c_str()) >= 0) std::printf("  not the instruction %s\n", instruction.c_str());
}

std::string Json(const Statement& statement) {
  return "{\"name\": " + Quote(std::string(statement.name)) + ", \"brief\": " + Quote(std::string(statement.does)) +
         ", \"form\": " + Quote(std::string(statement.form)) + ", \"page\": " + Quote(std::string(statement.page)) +
         "}";
}

// What a name is that nothing has, or which name was meant.
std::string NotAnInstruction(const std::string& given) {
  const std::string name = PlainName(given);
  pto_dtype dtype = PTO_DTYPE_I8;
  if (FindDType(name, &dtype)) {
    return given + " is an element type, not an instruction; `pto info` lists the types, and this one as " +
           pto_dtype_name(dtype);
  }
  for (const char* prefix : {"t", "comm.", "comm.t"}) {
    const std::string longer = prefix + name;
    if (pto_op_find(longer.c_str()) >= 0 || FindStatement(longer) != nullptr)
      return "no instruction is called " + given + "; did you mean " + longer + "?";
  }
  Nearest nearest(name);
  for (int32_t i = 0; i < pto_op_count(); ++i) nearest.Offer(pto_op_name(pto_op_at(i)));
  for (const Statement& statement : kStatements) nearest.Offer(statement.name.data());
  const std::string meant = nearest.Question();
  return "no instruction is called " + given + (meant.empty() ? "; `pto ops` lists them" : meant);
}

int RunOps(const std::string& name, bool json) {
  if (!name.empty()) {
    const int32_t op = pto_op_find(PlainName(name).c_str());
    if (op < 0) {
      const Statement* const statement = FindStatement(PlainName(name));
      if (statement == nullptr) {
        Tell(NotAnInstruction(name));
        return kFound;
      }
      if (json) {
        std::printf("%s\n", Json(*statement).c_str());
      } else {
        Show(*statement);
      }
      return kOk;
    }
    if (json) {
      std::printf("%s\n", Json(op).c_str());
    } else {
      Show(op);
    }
    return kOk;
  }
  if (json) std::printf("[\n");
  for (int32_t i = 0; i < pto_op_count(); ++i) {
    const int32_t op = pto_op_at(i);
    if (json) {
      std::printf("  %s%s\n", Json(op).c_str(), i + 1 < pto_op_count() ? "," : "");
    } else {
      std::printf("%-14s %s\n", pto_op_name(op), pto_op_brief(op));
    }
  }
  if (json) std::printf("]\n");
  return kOk;
}

// A folder of commands that other tools call by their names: of the installed tree, or of the build directory.
int RunFolder(const char* name) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::canonical("/proc/self/exe", error).parent_path();
  for (const char* folders : {PTO_DROP_INS, "../toolchain"}) {
    const auto found = std::filesystem::canonical(here / folders / name, error);
    if (error) continue;
    std::printf("%s\n", found.c_str());
    return kOk;
  }
  Fail("%s is not installed beside this command", name);
}

int RunInfo() {
  const int version = pto_version();
  std::printf("libpto      %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
  pto_context* ctx = pto_context_create(PTO_PROFILE_CPU);
  std::printf("target      %s\n", ctx == nullptr ? "none" : pto_context_target(ctx));
  pto_context_release(ctx);
  std::printf("targets    ");
  for (int32_t i = 0; i < pto_target_count(); ++i) {
    std::printf(" %s%s", pto_target_name(i), pto_target_supported(i) != 0 ? "" : "(not on this machine)");
  }
  std::printf("\ninstructions %d\ntypes      ", pto_op_count());
  for (int d = 0; d < kDTypeCount; ++d) std::printf(" %s", pto_dtype_name(static_cast<pto_dtype>(d)));
  std::printf("\nprofiles   ");
  for (const std::string& word : ProfileWords()) std::printf(" %s", word.c_str());
  std::printf("\n");
  return kOk;
}

}  // namespace

void AddOps(CLI::App& app, int* code) {
  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("ops", "Lists the instructions, or shows one, or a statement of PTO-AS.");
  command->add_option("NAME", options->name,
                      "An instruction, a statement or an operation of the vector level, such as tpow");
  command->add_flag("--json", options->json, "Prints JSON");
  command->callback([options, code] { *code = RunOps(options->name, options->json); });
}

void AddInfo(CLI::App& app, int* code) {
  auto simulator = std::make_shared<bool>(false);
  auto assembler = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("info", "Shows the library's version, its SIMD targets and its types.");
  // By pointer: to look for a name needs memory, in a function that may not throw.
  CLI::Option* const toolchain = command->add_flag(
      "--simulator-toolchain", *simulator,
      "Prints the folder of compilers for a runtime's simulation platform, with which PATH is to begin");
  command->add_flag("--assembler-folder", *assembler, "Prints the folder of the assembler's command, ptoas")
      ->excludes(toolchain);
  command->callback([code, simulator, assembler] {
    *code = *simulator ? RunFolder("simulator") : *assembler ? RunFolder("assembler") : RunInfo();
  });
}

}  // namespace pto::cli
