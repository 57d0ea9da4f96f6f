// Goldens of programs that are nearly right: thousands of changed ones for each program of the tests and examples
// (near_programs.h), and for some that a grammar makes. near_misses.txt has two numbers for each file. One is a hash of
// what reading, checking, lint and printing report of its changed programs. The other is a hash of the runs of the
// accepted ones: steps, memory, tiles, missing synchronisation, trace and report (tests/common/golden.h). The argument
// is the folder of programs.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "tests/common/golden.h"
#include "tests/common/profiles.h"
#include "tests/fuzz/grammar.h"
#include "tests/program/bind_all.h"
#include "tests/program/near_programs.h"

namespace {

using pto_test::Answers;
using pto_test::BindAll;
using pto_test::g_memory;

// Runs with what BindAll() bound; i1 takes the last bit of it.
pto_status Run(pto_context* ctx, pto_program* program) {
  pto_status status = pto_program_run(ctx, program, nullptr);
  for (int32_t i = 0; i < pto_program_arg_count(program, nullptr) && status != PTO_OK; ++i) {
    const char* name = pto_program_arg_name(program, nullptr, i);
    if (std::strcmp(pto_context_error_rule(ctx), "argument-range") != 0) break;
    if (std::strcmp(pto_context_error_operand(ctx), name) != 0) continue;
    pto_program_bind_int(ctx, program, name, i % 3 & 1);
    status = pto_program_run(ctx, program, nullptr);
  }
  return status;
}

// All that a run did, except for when.
void AddRun(pto_context* ctx, pto_program* program, Answers* answers) {
  const auto number = [&](int64_t n) { answers->Add(std::to_string(n)); };
  number(Run(ctx, program));
  answers->Add(pto_context_error_message(ctx));
  number(pto_program_steps(program));
  answers->Add(pto_program_output(program));
  uint64_t sum = 0;
  for (const uint64_t word : g_memory) sum = (sum ^ word) * 0x9E3779B97F4A7C15U + (sum >> 29);
  number(static_cast<int64_t>(sum));
  constexpr int32_t kFields = 32;
  for (const pto_event_part part : {PTO_EVENT_PART_EVENTS, PTO_EVENT_PART_TILES}) {
    const int64_t rows = std::min<int64_t>(pto_program_event_count(program, part), 400);
    std::vector<int64_t> table(static_cast<size_t>(rows * kFields));
    if (rows != 0) {
      pto_program_read_events(ctx, program, part, 0, kFields, table.data(), rows * kFields * int64_t{sizeof(int64_t)});
    }
    for (size_t i = 0; i < table.size(); ++i) {
      const bool time = part == PTO_EVENT_PART_EVENTS && i % kFields <= PTO_EVENT_END;
      if (!time) number(table[i]);
    }
  }
  std::string elements(static_cast<size_t>(pto_program_event_count(program, PTO_EVENT_PART_ELEMENTS)), '\0');
  if (!elements.empty()) {
    pto_program_read_events(ctx, program, PTO_EVENT_PART_ELEMENTS, 0, 1, elements.data(),
                            static_cast<int64_t>(elements.size()));
  }
  answers->Add(elements);
  number(pto_program_events_lost(program));
}

// The start of a run.
void Prepare(pto_context* ctx, pto_program* program) {
  for (size_t i = 0; i < std::size(g_memory); ++i) g_memory[i] = 0x3FC0408040203E80U + i * 0x0001000300050007U;
  BindAll(ctx, program);
  pto_program_limit_steps(ctx, program, 3000);
  pto_program_limit_bytes(ctx, program, 1 << 20);
  pto_program_set_blocks(ctx, program, 2);
  pto_program_set_sync(ctx, program, 1);
}

// The options of a run, and its result.
void AddEnd(pto_context* ctx, pto_program* program, Answers* answers) {
  const pto_status status = pto_program_run(ctx, program, nullptr);
  answers->Add(std::to_string(status) + " " + std::to_string(pto_program_steps(program)));
  answers->Add(pto_context_error_message(ctx));
  answers->Add(pto_program_output(program));
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i)
    answers->Add(pto_program_diagnostic_text(program, i));
}

void Run(pto_context* ctx, pto_program* program, int64_t record_bytes, Answers* answers) {
  Prepare(ctx, program);
  pto_program_record(ctx, program, PTO_RECORD_TILES, record_bytes);
  const int32_t before = pto_program_diagnostic_count(program);
  AddRun(ctx, program, answers);
  for (int32_t i = before; i < pto_program_diagnostic_count(program); ++i)
    answers->Add(pto_program_diagnostic_text(program, i));
}

// The output without times: the numbers that follow certain words.
std::string Timeless(std::string_view text, std::initializer_list<std::string_view> words) {
  std::string left;
  while (!text.empty()) {
    size_t at = text.size();
    for (const std::string_view word : words)
      at = std::min(at, std::min(text.find(word), text.size() - word.size()) + word.size());
    left.append(text.substr(0, at));
    text.remove_prefix(at);
    text.remove_prefix(std::min(text.find_first_not_of("0123456789."), text.size()));
  }
  return left;
}

// The data of a report's page, without the first two columns of its events, which say when.
std::string Data(std::string_view page) {
  constexpr std::string_view kEvents = ",\"events\":{\"rows\":";
  const size_t events = page.find(kEvents);
  if (events == page.npos) return "no data";
  const size_t begin = page.rfind("{\"name\":", events);
  size_t at = page.find("[", events);
  const std::string head(page.substr(begin, at - begin));
  for (int column = 0; column < 2; ++column) at = page.find(',', at + 1);
  return head + std::string(page.substr(at, page.find("</script>", at) - at));
}

// Other properties of a program: limits that it reaches, its recording, its arguments
// and tiles. Not on several threads: blocks of programs that are nearly right write over each other's memory.
void AskMore(pto_context* ctx, pto_program* program, bool placed, Answers* answers) {
  const auto number = [&](int64_t n) { answers->Add(std::to_string(n)); };
  const auto text = [&](const char* words) { answers->Add(words == nullptr ? "(none)" : words); };
  text(pto_program_entry(program));
  number(pto_program_profile(program));
  for (int32_t i = 0; i < pto_program_arg_count(program, nullptr); ++i) {
    text(pto_program_arg_name(program, nullptr, i));
    number(pto_program_arg_kind(program, nullptr, i));
    number(pto_program_arg_dtype(program, nullptr, i));
    number(pto_program_arg_optional(program, nullptr, i));
  }
  Prepare(ctx, program);
  pto_program_record(ctx, program, PTO_RECORD_TILES, 1 << 17);
  pto_program_run(ctx, program, nullptr);
  const int64_t steps = pto_program_steps(program);
  const bool whole = steps < 3000;
  for (int32_t i = 0; i < pto_program_tile_count(program); ++i) {
    text(pto_program_tile_name(program, i));
    pto_tile* tile = pto_program_tile(ctx, program, pto_program_tile_name(program, i));
    number(pto_tile_rows(tile) * int64_t{1 << 20} + pto_tile_cols(tile));
    number(pto_tile_valid_rows(tile) * int64_t{1 << 20} + pto_tile_valid_cols(tile));
    number(pto_tile_location(tile) * 256 + pto_tile_dtype(tile));
    pto_tile_release(tile);
  }
  pto_program_mark(ctx, program, pto_program_event_count(program, PTO_EVENT_PART_EVENTS) / 2, "here");
  const char* trace = pto_program_trace(ctx, program);
  answers->Add(trace == nullptr ? "(none)" : Timeless(trace, {"\"ts\": ", "\"dur\": ", "\"GB/s\": "}));
  const char* page = pto_program_report(ctx, program);
  answers->Add(page == nullptr ? "(none)" : Data(page));
  // The bytes in use where there are too many. With --sync they depend on which tiles get the memory of
  // others, if the program does not specify it.
  for (const pto_record what : {PTO_RECORD_OFF, PTO_RECORD_TIMES, PTO_RECORD_TILES}) {
    for (int64_t limit = 200; limit < 1 << 18; limit += limit / 3) {
      Prepare(ctx, program);
      pto_program_set_sync(ctx, program, placed && what == PTO_RECORD_OFF);
      pto_program_record(ctx, program, what, 1 << 14);
      pto_program_limit_bytes(ctx, program, limit);
      AddEnd(ctx, program, answers);
      if (std::strcmp(pto_context_error_rule(ctx), "byte-limit") != 0) break;
    }
  }
  for (const int64_t part : {1, 2, 3, 5, 8}) {
    Prepare(ctx, program);
    pto_program_limit_steps(ctx, program, std::max<int64_t>(whole ? steps * part / 8 - (part == 8) : 300 * part, 1));
    AddEnd(ctx, program, answers);
  }
  pto_program_record(ctx, program, PTO_RECORD_OFF, 1);
  for (const int32_t blocks : {1, 3, 5}) {
    Prepare(ctx, program);
    pto_program_set_sync(ctx, program, blocks != 3);
    pto_program_set_blocks(ctx, program, blocks);
    AddEnd(ctx, program, answers);
  }
}

// One for each profile: programs run under the first.
struct Contexts {
  bool placed;  // tiles have addresses
  pto_context* of[k_profiles];
  explicit Contexts(bool with_addresses) : placed(with_addresses) {
    for (const pto_profile profile : ALL_PROFILES) of[profile] = pto_context_create(profile);
  }
  ~Contexts() {
    for (pto_context* ctx : of) pto_context_release(ctx);
  }
};

// One of this many accepted programs is checked for everything.
constexpr int64_t kMore = 16;

void Ask(const Contexts& contexts, std::string_view text, int64_t* accepted, Answers* answers, Answers* runs) {
  answers->Case();
  runs->Case();
  pto_context* ctx = contexts.of[0];
  pto_program* program = pto_program_parse(ctx, text.data(), static_cast<int64_t>(text.size()), "near.pto");
  if (program == nullptr) return answers->Add(pto_context_error_message(ctx));
  const auto add = [&] {
    for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i)
      answers->Add(pto_program_diagnostic_text(program, i));
  };
  add();
  if (pto_program_check(ctx, program) != PTO_OK) {
    add();
  } else {
    for (const pto_form form : {PTO_FORM_KEEP, PTO_FORM_ASM, PTO_FORM_DPS, PTO_FORM_SSA})
      answers->Add(pto_program_print(ctx, program, form));
    for (pto_context* profile : contexts.of) {
      pto_program_lint(profile, program, nullptr);
      add();
    }
    // Little memory for what is recorded: some is thinned out.
    for (const int64_t bytes : {1 << 17, 1 << 12}) Run(ctx, program, bytes, runs);
    if ((*accepted)++ % kMore == 0) AskMore(ctx, program, contexts.placed, runs);
  }
  pto_program_release(program);
}

// Lint has two, one after the other.
size_t Programs(const Contexts& contexts, std::string_view text, Answers* answers, Answers* runs) {
  size_t count = 0;
  int64_t accepted = 0;
  constexpr std::string_view kMark = "// ---- and without ----";
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(kMark, begin), text.size());
    near_programs::Each(text.substr(begin, end - begin), [&](const std::string& program) {
      Ask(contexts, program, &accepted, answers, runs);
      ++count;
    });
    begin = end + (end < text.size() ? kMark.size() : 0);
  }
  return count;
}

// The size of a group of programs from the grammar of the fuzzers.
constexpr size_t kMade = 100;
constexpr int kMadeGroups = 20;
constexpr std::string_view kGrammar = "grammar ";

size_t Made(const Contexts& contexts, uint32_t seed, Answers* answers, Answers* runs) {
  std::mt19937 dice(seed);
  int64_t accepted = 0;
  for (size_t i = 0; i < kMade; ++i) {
    std::string bytes(500 + dice() % 1500, '\0');
    for (char& byte : bytes) byte = static_cast<char>(dice());
    Dice choices(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    Ask(contexts, Grammar(&choices, i % 2 == 0).Program(), &accepted, answers, runs);
  }
  return kMade;
}

// Each byte by itself, in a name, in a number, in a string and in a comment.
constexpr std::string_view kBytes = "bytes";

size_t OfBytes(const Contexts& contexts, Answers* answers, Answers* runs) {
  size_t count = 0;
  int64_t accepted = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string c(1, static_cast<char>(byte));
    for (const std::string& text :
         {c, c + c, "%a" + c + " = arith.constant 1 : i32\n", "%a = arith.constant 1" + c + " : i32\n",
          "module @\"m" + c + "\" {}\n", "// " + c + "\nmodule {}\n"}) {
      Ask(contexts, text, &accepted, answers, runs);
      ++count;
    }
  }
  return count;
}

// The order in which a compiler evaluates arguments decides what the grammar makes of the same bytes.
#ifdef __clang__
constexpr bool kOtherOrder = true;
#else
constexpr bool kOtherOrder = false;
#endif

std::string Line(const std::filesystem::path& folder, const std::string& name, const pto_test::Window* print) {
  const Contexts contexts(name.starts_with("sync/"));
  Answers answers(print);
  Answers runs(print);
  const size_t count =
      name.starts_with(kGrammar)
          ? Made(contexts, static_cast<uint32_t>(std::stoul(name.substr(kGrammar.size()))), &answers, &runs)
      : name == kBytes ? OfBytes(contexts, &answers, &runs)
                       : Programs(contexts, pto_test::TextOf(folder / name), &answers, &runs);
  char line[96];
  std::snprintf(line, sizeof line, " %zu %016llx %016llx", count, static_cast<unsigned long long>(answers.sum()),
                static_cast<unsigned long long>(runs.sum()));
  return name + line + " " + answers.marks() + " " + runs.marks();
}

std::vector<std::string> Files(const std::filesystem::path& folder) {
  std::vector<std::string> files = pto_test::CorpusFiles(folder);
  for (int i = 0; i < kMadeGroups; ++i) files.push_back(std::string(kGrammar) + std::to_string(i));
  files.emplace_back(kBytes);
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::filesystem::path folder = argv[1];
  return pto_test::Golden(
      argc, argv, (folder / "near_misses.txt").string(), Files(folder),
      [&](const std::string& name, const pto_test::Window* print) { return Line(folder, name, print); },
      [](const std::string& name) { return !kOtherOrder || !name.starts_with(kGrammar); });
}
