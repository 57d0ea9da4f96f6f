// libFuzzer target: the bytes choose among the productions of a grammar, so that deep,
// typed programs result; some are mutated. A program as made is accepted. What is
// accepted prints in every spelling to text that prints the same, and that runs to the
// same status, output and memory. Plain programs run to what the second executor (second.h) makes of them, byte by
// byte.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "include/pto_c.h"
#include "tests/fuzz/grammar.h"
#include "tests/fuzz/second.h"

namespace {

std::string program_text;  // of the case under way, for messages

[[noreturn]] void Broken(const std::string& what, const std::string& more = "") {
  std::fprintf(stderr, "broken: %s\n%s\n---- the program:\n%s\n", what.c_str(), more.c_str(), program_text.c_str());
  std::abort();
}

void Mutate(Dice* dice, std::string* text) {
  static constexpr const char* kPieces[] = {"%v1",  "%",         "^head",  "<{", "({", "\"pto.tadd\"",
                                            "f32",  "i64",       "index",  "(",  ")",  "{",
                                            "}",    "[",         "]",      "<",  ">",  ",",
                                            ":",    "=",         "->",     "\"", "\n", "//",
                                            "0",    "-1",        "1e9",    "?",  "x",  "!pto.ptr<f32>",
                                            "pto.", "scf.yield", "{a = 1}"};
  for (uint32_t edits = 1 + dice->Below(4); edits > 0; --edits) {
    const auto place = [&] { return (dice->Below(256) << 8 | dice->Below(256)) % (text->size() + 1); };
    const size_t at = place();
    const size_t length = dice->Below(16);
    switch (dice->Below(4)) {
      case 0:
        text->erase(at, length);
        break;
      case 1:
        text->insert(at, dice->Of(kPieces));
        break;
      case 2:
        text->insert(place(), text->substr(at, 4 * length));
        break;
      default:
        text->replace(at, std::min(length, text->size() - at), dice->Of(kPieces));
    }
  }
}

// The results of a run.
struct Outcome {
  pto_status status = PTO_OK;
  std::string rule;
  std::string output;
  std::vector<float> memory;
  bool operator==(const Outcome& other) const {
    return status == other.status && rule == other.rule && output == other.output &&
           std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(float)) == 0;
  }
};

pto_program* Parse(pto_context* ctx, const std::string& text) {
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "grammar");
  if (program == nullptr) Broken("parsing returns a program");
  return program;
}

Outcome Run(pto_context* ctx, pto_program* program) {
  Outcome outcome;
  outcome.memory.resize(256);
  for (int i = 0; i < 128; ++i) outcome.memory[static_cast<size_t>(i)] = static_cast<float>(i - 40) / 8;
  pto_tensor_desc desc{};
  desc.struct_size = sizeof desc;
  desc.dtype = PTO_DTYPE_F32;
  desc.rank = 1;
  desc.dim0 = 128;
  for (int i = 0; i < 2; ++i) {
    pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, outcome.memory.data() + 128 * i, 512);
    pto_program_bind_tensor(ctx, program, i == 0 ? "p" : "q", tensor);
    pto_tensor_release(tensor);
  }
  pto_program_bind_int(ctx, program, "n", 5);
  pto_program_bind_int(ctx, program, "x", -3);
  pto_program_bind_float(ctx, program, "s", 0.75);
  pto_program_limit_steps(ctx, program, 2000);
  pto_program_limit_bytes(ctx, program, 1 << 20);
  outcome.status = pto_program_run(ctx, program, nullptr);
  if (outcome.status != PTO_OK) outcome.rule = pto_context_error_rule(ctx);
  outcome.output = pto_program_output(program);
  return outcome;
}

// The rules of what lies outside of memory are several.
bool SameRule(const std::string& second, const std::string& rule) {
  if (second != "outside") return second == rule;
  return rule == "view-range" || rule == "tensor-stride" || rule == "tensor-range";
}

// Runs a program in long spelling on the second executor. There, limits end a run elsewhere. It does not know which
// operands may share their memory under A2A3 and A5.
void Compare(const std::string& text, const Outcome& outcome, uint32_t profile) {
  if (outcome.rule.ends_with("-limit") || (profile != PTO_PROFILE_CPU && outcome.rule == "no-overlap")) return;
  const auto memory = [](int first) {
    auto made = std::make_shared<second::Memory>();
    made->elem = second::ElemOf("f32");
    for (int i = 0; i < 128; ++i) {
      made->at.push_back(second::BitsOf(first == 0 ? static_cast<double>(i - 40) / 8 : 0, made->elem));
    }
    return made;
  };
  second::Values args(5);
  args[0].memory = memory(0);
  args[1].memory = memory(128);
  args[2].bits = 5;
  args[3].bits = static_cast<uint64_t>(-3);
  args[4].number = 0.75;
  std::string wrong;
  try {
    const second::Outcome other = second::Executor(text, 100000).Run("main", args);
    if (!SameRule(other.rule, outcome.rule))
      wrong = "ends by '" + other.rule + "' where the library ends by '" + outcome.rule + "'";
    if (wrong.empty() && other.output != outcome.output)
      wrong = "prints\n" + other.output + "where the library prints\n" + outcome.output;
  } catch (const second::Strange& strange) {
    wrong = "does not know " + strange.what;
  }
  for (size_t i = 0; i < 256 && wrong.empty(); ++i) {
    const uint64_t bits = args[i / 128].memory->at[i % 128];
    if (bits == std::bit_cast<uint32_t>(outcome.memory[i])) continue;
    wrong = "has " + std::to_string(bits) + " in memory at " + std::to_string(i);
  }
  if (!wrong.empty()) Broken("the second executor " + wrong, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int64_t handles = pto_live_handles();
  Dice dice(data, size);
  const bool mutated = dice.Below(4) == 0;
  const uint32_t profile = dice.Below(3);
  const bool plain = dice.Below(2) == 0;
  program_text = Grammar(&dice, plain).Program();
  if (mutated) Mutate(&dice, &program_text);
  pto_context* ctx = pto_context_create(static_cast<pto_profile>(profile));
  pto_program* program = Parse(ctx, program_text);
  const pto_status checked = pto_program_check(ctx, program);
  // Under A2A3 some instructions want operands that the grammar does not give them.
  if (checked != PTO_OK && !mutated && profile == PTO_PROFILE_CPU) {
    Broken("a program of the grammar is refused", pto_program_diagnostic_text(program, 0));
  }
  if (pto_program_lint(ctx, program, nullptr) != checked) Broken("advice changes no answer");
  if (checked == PTO_OK) {
    static constexpr pto_form kForms[] = {PTO_FORM_KEEP, PTO_FORM_ASM, PTO_FORM_SSA, PTO_FORM_DPS};
    std::string printed[std::size(kForms)];
    for (size_t f = 0; f < std::size(kForms); ++f) {
      const char* text = pto_program_print(ctx, program, kForms[f]);
      if (text == nullptr) Broken("what is accepted prints", pto_context_error_message(ctx));
      printed[f] = text;
    }
    const Outcome outcome = Run(ctx, program);
    if (plain && !mutated) Compare(printed[std::size(kForms) - 1], outcome, profile);
    for (size_t f = 0; f < std::size(kForms); ++f) {
      pto_program* again = Parse(ctx, printed[f]);
      if (pto_program_check(ctx, again) != PTO_OK)
        Broken("what is printed is accepted: " + printed[f], pto_context_error_message(ctx));
      if (pto_program_print(ctx, again, kForms[f]) != printed[f]) Broken("printing is stable: " + printed[f]);
      const Outcome other = Run(ctx, again);
      if (!(other == outcome))
        Broken("what is printed runs as the program: " + printed[f], outcome.rule + " and " + other.rule);
      pto_program_release(again);
    }
  }
  pto_program_release(program);
  pto_context_release(ctx);
  if (pto_live_handles() != handles) Broken("handles are left");
  return 0;
}
