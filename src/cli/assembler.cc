// `ptoas`: the command line of the assembler that compilers of PTO programs call, on libpto. It checks a program and
// writes a C++ source whose kernels run it through libpto. docs/assembler.md describes it.
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/cli/program.h"
#include "src/records/nearest.h"
#include "src/records/plain_text.h"

namespace pto::cli {

namespace {

// How libpto treats an option of the assembler.
enum class Effect : uint8_t { kUsed, kNothing, kRefused };

struct KnownOption {
  const char* name;
  const char* values;  // nullptr: a flag; "": any value; else the values, with | between them
  Effect effect;
  const char* text;  // what it does, why it does nothing, or why it is refused
};

constexpr const char* kDumps = "there is no MLIR to print";
constexpr const char* kVpto = "libpto has no such backend; remove the option to get kernels that run on libpto";
constexpr const char* kOneSync = "the program is run in order, and this mode is not needed";
constexpr KnownOption kOptions[] = {
    {"o", "", Effect::kUsed, "the file for the source; - is standard output, and the default"},
    {"pto-arch", "a3|a5|cpu", Effect::kUsed, "whose rules apply; default: what the module names, else a3"},
    {"pto-level", "level1|level2|level3", Effect::kUsed,
     "level3: the program has addresses; the others refuse addr and tassign; default: level2"},
    {"enable-insert-sync", nullptr, Effect::kUsed, "inserts the flags and barriers that the program lacks"},
    {"emit", "cpp|check", Effect::kUsed, "cpp: a source with kernels (default); check: diagnostics alone"},
    {"emit-pto-ir", nullptr, Effect::kUsed, "writes the program in canonical form instead of a source"},
    {"pto-backend", "emitc|vpto", Effect::kUsed, "emitc is the only one here"},
    {"version", nullptr, Effect::kUsed, "prints the version"},
    {"help", nullptr, Effect::kUsed, "prints the options"},
    {"enable-inject-barrier-all-sync", nullptr, Effect::kNothing, kOneSync},
    {"enable-graph-sync-solver", nullptr, Effect::kNothing, kOneSync},
    {"graph-sync-solver-event-id-max", "", Effect::kNothing, kOneSync},
    {"disable-infer-layout", nullptr, Effect::kNothing, "libpto takes the layout that the strides give"},
    {"emit-addptr-trace", nullptr, Effect::kNothing, "there is no lowering to trace"},
    {"enable-tile-op-expand", nullptr, Effect::kNothing, "it is obsolete"},
    {"mlir-print-ir-after-all", nullptr, Effect::kNothing, kDumps},
    {"mlir-print-ir-after", "", Effect::kNothing, kDumps},
    {"mlir-print-ir-after-change", nullptr, Effect::kNothing, kDumps},
    {"mlir-print-ir-after-failure", nullptr, Effect::kNothing, kDumps},
    {"mlir-print-ir-before", "", Effect::kNothing, kDumps},
    {"mlir-print-ir-before-all", nullptr, Effect::kNothing, kDumps},
    {"mlir-print-ir-module-scope", nullptr, Effect::kNothing, kDumps},
    {"mlir-print-ir-tree-dir", "", Effect::kNothing, kDumps},
    {"emit-vpto", nullptr, Effect::kRefused, kVpto},
    {"vpto-print-ir", nullptr, Effect::kRefused, kVpto},
    {"dump-vpto-ir", nullptr, Effect::kRefused, kVpto},
    {"vpto-lowering-strategy", "", Effect::kRefused, kVpto},
    {"pto-print-seam-ir", nullptr, Effect::kRefused, kVpto},
    {"pto-seam-ir-file", "", Effect::kRefused, kVpto},
    {"tilelang-path", "", Effect::kRefused, kVpto},
    {"tilelang-pkg-path", "", Effect::kRefused, kVpto},
    {"daemon-socket-path", "", Effect::kRefused, kVpto},
};

// Compilers look for lines with "error:".
void Say(const char* kind, const std::string& text) {
  std::fprintf(stderr, "ptoas: %s: %s\n", kind, Plain(text).c_str());
}

void PrintOptions() {
  std::printf(
      "usage: ptoas [FILE] [-o FILE] [options]\n"
      "Checks a PTO-AS program and writes a C++ source whose kernels run it through libpto.\n\n");
  for (const KnownOption& known : kOptions) {
    std::string name = std::string(std::strlen(known.name) == 1 ? "-" : "--") + known.name;
    if (known.values != nullptr) name += std::string(" ") + (*known.values == '\0' ? "VALUE" : known.values);
    const char* effect = known.effect == Effect::kNothing   ? "does nothing: "
                         : known.effect == Effect::kRefused ? "refused: "
                                                            : "";
    std::printf("  %-38s %s%s\n", name.c_str(), effect, known.text);
  }
}

std::string KnownNames() {
  std::string names;
  for (const KnownOption& known : kOptions) names += std::string(names.empty() ? "--" : ", --") + known.name;
  return names;
}

bool HasValue(std::string_view values, std::string_view value) {
  return values.empty() || ("|" + std::string(values) + "|").find("|" + std::string(value) + "|") != std::string::npos;
}

// The options by name, without dashes; the input under "".
using Given = std::map<std::string, std::string>;

Given Read(const std::vector<std::string>& arguments) {
  Given given;
  std::vector<std::string> notes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-') {
      if (!given.emplace("", argument).second)
        Fail("there are two inputs, %s and %s", given[""].c_str(), argument.c_str());
      continue;
    }
    const size_t begin = argument[1] == '-' ? 2 : 1;
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(begin, equals == std::string::npos ? equals : equals - begin);
    const KnownOption* found = nullptr;
    Nearest nearest(name);
    for (const KnownOption& known : kOptions) {
      if (name == known.name) found = &known;
      nearest.Offer(known.name);
    }
    if (found == nullptr) {
      Fail("there is no option --%s%s. The options are %s", name.c_str(), nearest.Question("--").c_str(),
           KnownNames().c_str());
    }
    std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (found->values != nullptr && equals == std::string::npos) {
      if (++i == arguments.size()) Fail("--%s needs a value", found->name);
      value = arguments[i];
    }
    if (found->values == nullptr && equals != std::string::npos && value != "true" && value != "false")
      Fail("--%s takes no value", found->name);
    if (found->values != nullptr && !HasValue(found->values, value))
      Fail("--%s takes %s, not %s", found->name, found->values, value.c_str());
    if (value == "false" && found->values == nullptr) continue;
    if (found->effect == Effect::kRefused) Fail("--%s: %s", found->name, found->text);
    if (found->effect == Effect::kNothing)
      notes.push_back(std::string("--") + found->name + " does nothing: " + found->text);
    given[found->name] = value;
  }
  if (given.count("pto-backend") != 0 && given["pto-backend"] != "emitc") Fail("--pto-backend: %s", kVpto);
  const size_t modes = given.count("enable-insert-sync") + given.count("enable-inject-barrier-all-sync") +
                       given.count("enable-graph-sync-solver");
  if (modes > 1)
    Fail("--enable-insert-sync, --enable-inject-barrier-all-sync and --enable-graph-sync-solver exclude each other");
  for (const std::string& note : notes) Say("note", note);
  return given;
}

// Where this process has libpto from.
std::string LibraryPath() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&pto_version), &info) == 0 || info.dli_fname == nullptr) return "";
  const std::unique_ptr<char, decltype(&std::free)> path(realpath(info.dli_fname, nullptr), &std::free);
  return path == nullptr || std::strstr(path.get(), ".so") == nullptr ? "" : path.get();
}

// Memory of zeros for each pointer, which takes space only where the program writes. The orders that a program needs
// may depend on its numbers, so none are invented: empty text, and the reason.
std::string Synchronised(const Loaded& loaded, std::string* why) {
  constexpr size_t kBytes = size_t{1} << 34;
  pto_program* program = loaded.program.get();
  pto_context* ctx = loaded.ctx.get();
  std::vector<void*> memory;
  const int32_t count = pto_program_arg_count(program, nullptr);
  if (count < 0) *why = "the program has no single entry";
  for (int32_t i = 0; i < count && why->empty(); ++i) {
    const std::string number = std::to_string(i);
    if (pto_program_arg_kind(program, nullptr, i) != PTO_ARG_TENSOR) {
      *why = std::string("%") + pto_program_arg_name(program, nullptr, i) + " has no value";
      break;
    }
    void* const made =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) {
      *why = "there is no memory to run the program on";
      break;
    }
    memory.push_back(made);
    pto_program_bind_address(ctx, program, number.c_str(), static_cast<int64_t>(reinterpret_cast<intptr_t>(made)));
  }
  std::string text;
  if (why->empty()) {
    const char* fixed = pto_program_fix_sync(ctx, program, nullptr);
    if (fixed != nullptr) text = fixed;
    if (fixed == nullptr) *why = Reason(ctx);
  }
  for (void* made : memory) munmap(made, kBytes);
  return text;
}

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

// Calls each(name, offset, rest of the line) for the words of a program that are names of such statements.
template <typename Each>
void EachPlacing(const std::string& text, const Each& each) {
  for (size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    size_t end = i;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (end == i) {
      // The name of a value, a symbol or a type alias.
      const bool marks = text[i] == '%' || text[i] == '@' || text[i] == '!' || text[i] == '#';
      ++i;
      while (marks && i < text.size() && IsWord(text[i])) ++i;
      continue;
    }
    std::string word = text.substr(i, end - i);
    if (word.rfind("pto.", 0) == 0) word.erase(0, 4);
    if (word == "alloc_tile" || word == "alloc_multi_tile" || word == "tassign") {
      each(word, i, text.substr(end, text.find('\n', end) - end));
    }
    i = end;
  }
}

// The assembler takes addresses from the program at level3, and plans memory itself at the others. tassign moves tiles
// under the eyes of its automatic synchronisation, which does not follow them.
bool FitsLevel(Given& given, const Loaded& loaded, const std::string& text, const std::string& name) {
  const std::string level = given.count("pto-level") != 0 ? given["pto-level"] : "level2";
  const bool planned = level != "level3";
  const char* mode = nullptr;
  for (const char* one : {"enable-insert-sync", "enable-inject-barrier-all-sync", "enable-graph-sync-solver"}) {
    if (given.count(one) != 0) mode = one;
  }
  if (!planned && mode == nullptr) return true;
  // The canonical form has one spelling of each statement; the text has the same statements in the same order.
  const char* const printed = pto_program_print(loaded.ctx.get(), loaded.program.get(), PTO_FORM_DPS);
  if (printed == nullptr) return true;
  std::vector<std::string> faults;
  EachPlacing(printed, [&](const std::string& word, size_t, const std::string& rest) {
    if (word == "tassign") {
      faults.push_back(planned ? "tassign is for --pto-level=level3" : "tassign excludes --" + std::string(mode));
    } else {
      faults.push_back(planned && rest.rfind(" addr =", 0) == 0 ? "addr of " + word + " is for --pto-level=level3"
                                                                : "");
    }
  });
  size_t next = 0;
  EachPlacing(text, [&](const std::string&, size_t offset, const std::string&) {
    const std::string fault = next < faults.size() ? faults[next] : "";
    ++next;
    if (fault.empty()) return;
    const size_t line = text.rfind('\n', offset) + 1;
    const std::string at =
        name + ":" + std::to_string(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(offset), '\n') + 1) +
        ":" + std::to_string(offset - line + 1);
    std::fprintf(stderr, "%s: error: %s\nhelp: %s\n", Plain(at).c_str(), fault.c_str(),
                 planned ? "Pass --pto-level=level3, or leave places to the assembler." : "Leave out that option.");
  });
  return std::all_of(faults.begin(), faults.end(), [](const std::string& fault) { return fault.empty(); });
}

int Assemble(Given& given) {
  const std::string input = given.count("") != 0 ? given[""] : "-";
  const std::string output = given.count("o") != 0 ? given["o"] : "-";
  const std::string name = input == "-" ? "stdin" : input;
  std::string text = ReadFile(input, size_t{64} << 20, Reads::kProgram);
  if (text.rfind(std::string("PTOBC\0", 6), 0) == 0)
    Fail("%s is in the assembler's binary form, which libpto does not read. Give the text of the program",
         name.c_str());
  std::string profile;
  if (given.count("pto-arch") != 0) profile = given["pto-arch"] == "a3" ? "a2a3" : given["pto-arch"];
  Loaded loaded = ReadProgram(text, name, profile);
  if (profile.empty() && pto_program_profile(loaded.program.get()) < 0) loaded = ReadProgram(text, name, "a2a3");
  const bool good = IsCorrect(loaded, false);
  PrintDiagnostics(loaded.program.get());
  if (!good || !FitsLevel(given, loaded, text, name)) return kFound;
  if (given.count("emit") != 0 && given["emit"] == "check") return kOk;
  if (given.count("enable-insert-sync") != 0) {
    std::string why;
    const std::string fixed = Synchronised(loaded, &why);
    if (fixed.empty()) {
      Say("note",
          "--enable-insert-sync inserted nothing: " + why +
              ". The kernels run in order without flags; `pto fix --sync` inserts them for values that you give.");
    }
    loaded = ReadProgram(fixed.empty() ? text : fixed, name,
                         ProfileWords()[static_cast<size_t>(pto_context_profile(loaded.ctx.get()))]);
  }
  const std::string library = LibraryPath();
  const char* made =
      given.count("emit-pto-ir") != 0
          ? pto_program_print(loaded.ctx.get(), loaded.program.get(), PTO_FORM_DPS)
          : pto_program_kernels(loaded.ctx.get(), loaded.program.get(), library.empty() ? nullptr : library.c_str());
  if (made == nullptr) {
    Say("error", name + ": " + Reason(loaded.ctx.get()));
    return kFound;
  }
  WriteFile(output, made);
  return kOk;
}

}  // namespace

}  // namespace pto::cli

int main(int argc, char** argv) {
  using namespace pto::cli;
  try {
    CleanUpOnSignals();
    Given given = Read(std::vector<std::string>(argv + 1, argv + argc));
    if (given.count("help") != 0) {
      PrintOptions();
      return kOk;
    }
    if (given.count("version") != 0) {
      const int version = pto_version();
      std::printf("ptoas of libpto %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
      return kOk;
    }
    return Assemble(given);
  } catch (const Failure& e) {
    Say("error", e.what());
  } catch (const std::bad_alloc&) {
    Say("error", "memory is out");
  }
  return kTrouble;
}
