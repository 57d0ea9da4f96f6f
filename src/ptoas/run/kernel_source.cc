// Writes the source that the command `ptoas` prints: one kernel per public function, with its name and parameters. The
// kernel binds its arguments and runs the embedded text through libpto, which it finds by dlopen().
//
// Compilers that call an assembler rewrite its output before they compile it: they delete lines that include some
// headers, rename words such as AICORE, and replace the words before a kernel's name. So the source
//   - is right with and without the lines that include the ISA's header,
//   - has `AICORE void NAME(` in one line for each kernel, and nothing else that looks so,
//   - breaks the words that are renamed where they occur in the embedded text: "Ten" "sor".
//
// The text may be compiled once for the cube core and once for vector cores, into two libraries whose threads know
// nothing of each other. One thread then runs all cores of the block, as `pto run` does: the cube core's thread if the
// kernel has both kinds. The other compilation has an empty kernel.
#include "src/ptoas/run/kernel_source.h"

#include <cstdio>
#include <string>

#include "src/ptoas/run/cores.h"
#include "src/records/plain_text.h"

namespace pto::ptoas {

namespace {

// What the rewriting looks for.
constexpr std::string_view kRewritten[] = {"AICORE",   "Tensor",     "pto-inst",           "cstdint",
                                           "tensor.h", "__global__", "set_ffts_base_addr", "using namespace"};

// In quotes; newlines end one literal and begin the next.
std::string Literal(std::string_view text) {
  std::string out = "    \"";
  for (size_t at = 0; at < text.size(); ++at) {
    for (const std::string_view word : kRewritten) {
      // After its first letter: the source then lacks the word.
      if (at > 0 && text.substr(at - 1).starts_with(word)) out += "\" \"";
    }
    const char c = text[at];
    if (c == '\n') {
      out += "\\n\"\n    \"";
    } else if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (c < ' ' || c > '~') {
      char code[8];
      std::snprintf(code, sizeof code, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// FNV-1a: two sources may become one unit.
uint64_t HashOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

const char* CppName(Elem elem) {
  switch (elem) {
    case Elem::kI1:
      return "bool";
    case Elem::kI8:
    case Elem::kSI8:
      return "int8_t";
    case Elem::kI16:
    case Elem::kSI16:
      return "int16_t";
    case Elem::kI32:
    case Elem::kSI32:
    case Elem::kIndex:
      return "int32_t";
    case Elem::kI64:
    case Elem::kSI64:
      return "int64_t";
    case Elem::kUI8:
      return "uint8_t";
    case Elem::kUI16:
      return "uint16_t";
    case Elem::kUI32:
      return "uint32_t";
    case Elem::kUI64:
      return "uint64_t";
    case Elem::kF16:
      return "half";
    case Elem::kBF16:
      return "bfloat16_t";
    case Elem::kF32:
      return "float";
    case Elem::kF64:
      return "double";
    default:
      return nullptr;
  }
}

// The type of a kernel's parameter; empty: a kernel cannot have it. Elements that C++ has no number for are bytes.
std::string ParameterType(const Value& argument) {
  if (argument.type == nullptr || argument.type->IsOpen()) return "";
  const char* name = CppName(argument.type->elem);
  switch (Machine::KindOf(argument.type)) {
    case ValueKind::kPtr:
    case ValueKind::kTensor:
      return std::string("__gm__ ") + (name == nullptr ? "uint8_t" : name) + "*";
    case ValueKind::kInt:
    case ValueKind::kFloat:
      return name == nullptr ? "" : name;
    default:
      return "";
  }
}

// Names of PTO-AS may hold what C++ has not in its names.
bool IsCppName(std::string_view name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == name.npos &&
         !name.empty() && (name[0] < '0' || name[0] > '9');
}

bool CanBeKernel(const Func& func) {
  if (!IsCppName(func.name)) return false;
  if (func.body == nullptr || func.bare || func.visibility == Visibility::kPrivate || !func.result_types.empty())
    return false;
  for (const Value* argument : func.args) {
    if (ParameterType(*argument).empty()) return false;
  }
  return true;
}

// Where the kernel runs its program; empty: in every compilation.
const char* ConditionOf(const Func& func) {
  const Crew crew = CrewOf(func);
  if (crew.Several()) {
    return func.core == CoreKind::kVector ? "!defined(__DAV_CUBE__) && !defined(__DAV_VEC__)" : "!defined(__DAV_VEC__)";
  }
  return crew.cube ? "!defined(__DAV_VEC__)" : crew.vector ? "!defined(__DAV_CUBE__)" : "";
}

void AddKernel(const Func& func, bool entry, const std::string& space, std::string* out) {
  *out += entry ? "\n__global__ AICORE void " : "\nAICORE void ";
  *out += func.name;
  *out += '(';
  std::string values;
  for (size_t i = 0; i < func.args.size(); ++i) {
    const std::string name = "arg" + std::to_string(i);
    if (i != 0) *out += ", ";
    *out += ParameterType(*func.args[i]) + " " + name;
    values += space + "::Of(" + name + "), ";
  }
  *out += ") {\n";
  const std::string condition = ConditionOf(func);
  if (!condition.empty()) *out += "#if " + condition + "\n";
  *out += "  const " + space + "::Value values[] = {" + values + "{}};\n  " + space + "::Run(\"" +
          std::string(func.name) + "\", values, " + std::to_string(func.args.size()) + ");\n";
  if (!condition.empty()) {
    *out += "#else\n  // The other core's thread runs this kernel for the whole block.\n";
    for (size_t i = 0; i < func.args.size(); ++i) *out += "  (void)arg" + std::to_string(i) + ";\n";
    *out += "#endif\n";
  }
  *out += "}\n";
}

constexpr const char* kBefore =
    "#include <dlfcn.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "\n"
    "#include <map>\n"
    "#include <string>\n"
    "#include <type_traits>\n"
    "\n"
    "#include \"pto/pto-inst.hpp\"\n"
    "\n"
    "using namespace pto;\n"
    "\n";

constexpr const char* kRunner = R"(
// An argument: an address, an integer or a float.
struct Value {
  int kind;
  int64_t integer;
  double number;
};
template <typename T>
Value Of(T* pointer) {
  return {0, static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer)), 0};
}
template <typename T>
Value Of(T value) {
  if constexpr (std::is_integral<T>::value) {
    return {1, static_cast<int64_t>(value), 0};
  } else {
    return {2, 0, static_cast<double>(value)};
  }
}

[[noreturn]] inline void Stop() {
  fflush(stdout);
  _Exit(70);
}

inline void* Find(const char* name) {
  static void* const library = [] {
    const char* const given = getenv("PTO_LIBRARY");
    void* opened = given != nullptr ? dlopen(given, RTLD_NOW | RTLD_LOCAL) : nullptr;
    for (const char* const path : kLibraries) {
      if (opened == nullptr) opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return opened;
  }();
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found != nullptr) return found;
  fprintf(stderr, "%s: error: there is no %s in libpto: %s. Set PTO_LIBRARY to the path of libpto.so.\n", kName, name, dlerror());
  Stop();
}
template <typename Function>
Function* Call(const char* name) {
  return reinterpret_cast<Function*>(Find(name));
}

// One for each thread and kernel: a kernel does not have the arguments of another one.
class Program {
 public:
  Program() {
    context = Call<void*(int)>("pto_context_create")(kProfile);
    if (context != nullptr)
      handle = Call<void*(void*, const char*, int64_t, const char*)>("pto_program_parse")(context, kText, sizeof kText - 1, kName);
    if (handle != nullptr) Call<int(void*, void*, int64_t)>("pto_program_limit_steps")(context, handle, INT64_MAX);
  }
  ~Program() {
    Call<void(void*)>("pto_program_release")(handle);
    Call<void(void*)>("pto_context_release")(context);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void* context = nullptr;
  void* handle = nullptr;
};

inline void Run(const char* entry, const Value* values, int count) {
  static thread_local std::map<std::string, Program> programs;
  Program& program = programs[entry];
  void* const context = program.context;
  void* const handle = program.handle;
  bool good = handle != nullptr;
  for (int i = 0; i < count && good; ++i) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    const int status =
        values[i].kind == 2 ? Call<int(void*, void*, const char*, double)>("pto_program_bind_float")(context, handle, name, values[i].number)
                            : Call<int(void*, void*, const char*, int64_t)>(values[i].kind == 0 ? "pto_program_bind_address" : "pto_program_bind_int")(
                                  context, handle, name, values[i].integer);
    good = status == 0;
  }
  // The header knows launches of libpto and the hooks of other runtimes.
  const int block = static_cast<int>(get_block_idx());
  const int blocks = static_cast<int>(get_block_num());
  good = good && Call<int(void*, void*, int, int, int)>("pto_program_set_core")(context, handle, block, block < blocks ? blocks : block + 1,
                                                                              static_cast<int>(get_subblockid())) == 0;
  good = good && Call<int(void*, void*, const char*)>("pto_program_run")(context, handle, entry) == 0;
  const char* const printed = Call<const char*(const void*)>("pto_program_output")(handle);
  if (printed != nullptr) fputs(printed, stdout);
  if (good) return;
  const int found = handle == nullptr ? 0 : Call<int(const void*)>("pto_program_diagnostic_count")(handle);
  for (int i = 0; i < found; ++i) fprintf(stderr, "%s\n", Call<const char*(const void*, int)>("pto_program_diagnostic_text")(handle, i));
  if (found == 0) {
    const char* const why = context == nullptr ? "there is no memory" : Call<const char*(const void*)>("pto_context_error_message")(context);
    fprintf(stderr, "%s: error: %s\n", kName, why);
  }
  // A kernel cannot report an error to its caller.
  const char* const goes_on = getenv("PTO_ON_ERROR");
  if (goes_on == nullptr || strcmp(goes_on, "return") != 0) Stop();
}

)";

}  // namespace

[[gnu::cold]] std::string KernelSource(const Program& program, std::string_view name, pto_profile profile,
                                       std::string_view library) {
  char hash[24];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(HashOf(program.source)));
  const std::string space = std::string("pto_kernels_") + hash;
  int kernels = 0;
  for (const Module* module : program.modules) {
    for (const Func* func : module->funcs) kernels += CanBeKernel(*func);
  }
  if (kernels == 0) return "";
  const int version = pto_version();
  // The ABI may change with the minor version before 1.0, and with the major one after it.
  const std::string abi = version < 10000 ? "0." + std::to_string(version / 100) : std::to_string(version / 10000);
  std::string out = "// Written by ptoas of libpto " + std::to_string(version / 10000) + "." +
                    std::to_string(version / 100 % 100) + "." + std::to_string(version % 100) + " from " +
                    Plain(std::string(name)) + ", whose text is below. libpto runs it.\n";
  out += kBefore;
  out += "namespace " + space + " {\n\nconst char kText[] =\n" + Literal(program.source) + ";\nconst char kName[] =\n" +
         Literal(name) + ";\nconst char* const kLibraries[] = {\n    \"libpto.so." + abi + "\",\n";
  if (!library.empty()) out += Literal(library) + ",\n";
  out += "};\nconstexpr int kProfile = " + std::to_string(profile) + ";\n";
  out += kRunner;
  out += "}  // namespace " + space + "\n";
  for (const Module* module : program.modules) {
    for (const Func* func : module->funcs) {
      if (CanBeKernel(*func)) AddKernel(*func, func->entry || kernels == 1, space, &out);
    }
  }
  return out;
}

}  // namespace pto::ptoas
