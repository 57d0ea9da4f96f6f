// What is said of programs that are nearly right: of each program of the tests and examples, thousands of changed ones,
// a token taken out, doubled, exchanged with the next, or a little different. near_misses.txt has a number for each
// file, of all that reading, checking, lint and printing answer to its changed programs, and one of all that runs of
// the accepted ones do and say: steps, memory, tiles, what synchronisation lacks (tests/common/golden.h). The argument
// is the folder of programs.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "include/pto_c.h"
#include "tests/common/golden.h"

namespace {

using pto_test::Answers;

// What a run has of global memory.
uint64_t g_memory[1 << 12];

void BindAll(pto_context* ctx, pto_program* program) {
  const int32_t count = pto_program_arg_count(program, nullptr);
  for (int32_t i = 0; i < count; ++i) {
    const char* name = pto_program_arg_name(program, nullptr, i);
    const int32_t dtype = pto_program_arg_dtype(program, nullptr, i);
    switch (pto_program_arg_kind(program, nullptr, i)) {
      case PTO_ARG_TENSOR: {
        pto_tensor_desc desc{};
        desc.struct_size = sizeof desc;
        desc.dtype = dtype < 0 ? PTO_DTYPE_F32 : static_cast<pto_dtype>(dtype);
        desc.rank = 1;
        desc.dim0 = int64_t{sizeof g_memory} * 8 / pto_dtype_bits(desc.dtype);
        pto_tensor* tensor = pto_tensor_wrap(ctx, &desc, g_memory, sizeof g_memory);
        pto_program_bind_tensor(ctx, program, name, tensor);
        pto_tensor_release(tensor);
        break;
      }
      case PTO_ARG_TILE: {
        pto_tile* tile = pto_program_arg_tile(ctx, program, nullptr, i);
        if (tile == nullptr) tile = pto_tile_create(ctx, PTO_DTYPE_F32, 4, 8);
        if (pto_tile_bytes(tile) <= 1 << 16) pto_program_bind_tile(ctx, program, name, tile);
        pto_tile_release(tile);
        break;
      }
      case PTO_ARG_INT:
        pto_program_bind_int(ctx, program, name, 2 + i % 3);
        break;
      case PTO_ARG_FLOAT:
        pto_program_bind_float(ctx, program, name, 0.5 + i);
        break;
      default:
        break;
    }
  }
}

// All that a run did, but for when.
void AddRun(pto_context* ctx, pto_program* program, Answers* answers) {
  const auto number = [&](int64_t n) { answers->Add(std::to_string(n)); };
  number(pto_program_run(ctx, program, nullptr));
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

void Run(pto_context* ctx, pto_program* program, int64_t record_bytes, Answers* answers) {
  for (size_t i = 0; i < std::size(g_memory); ++i) g_memory[i] = 0x3FC0408040203E80U + i * 0x0001000300050007U;
  pto_program_limit_steps(ctx, program, 3000);
  pto_program_limit_bytes(ctx, program, 1 << 20);
  pto_program_set_blocks(ctx, program, 2);
  pto_program_set_sync(ctx, program, 1);
  pto_program_record(ctx, program, PTO_RECORD_TILES, record_bytes);
  BindAll(ctx, program);
  const int32_t before = pto_program_diagnostic_count(program);
  AddRun(ctx, program, answers);
  for (int32_t i = before; i < pto_program_diagnostic_count(program); ++i)
    answers->Add(pto_program_diagnostic_text(program, i));
}

// One for each profile: programs run under the first.
struct Contexts {
  pto_context* of[3] = {pto_context_create(PTO_PROFILE_CPU), pto_context_create(PTO_PROFILE_A2A3),
                        pto_context_create(PTO_PROFILE_A5)};
  ~Contexts() {
    for (pto_context* ctx : of) pto_context_release(ctx);
  }
};

void Ask(const Contexts& contexts, std::string_view text, Answers* answers, Answers* runs) {
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
  }
  pto_program_release(program);
}

// Words and numbers with what belongs to them, single characters else. Spaces and comments are none.
std::vector<std::string_view> Tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  for (size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    size_t end = at + 1;
    if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      if (word(text[at]) || std::strchr("%@^!#", text[at]) != nullptr) {
        while (end < text.size() && word(text[end])) ++end;
      }
      tokens.push_back(text.substr(at, end - at));
    }
    at = end;
  }
  return tokens;
}

constexpr size_t kWays = 5;

std::string Changed(std::string_view text, const std::vector<std::string_view>& tokens, size_t at, size_t way) {
  const std::string_view token = tokens[at];
  const auto begin = static_cast<size_t>(token.data() - text.data());
  const std::string before(text.substr(0, begin));
  const std::string_view after = text.substr(begin + token.size());
  std::string now;
  switch (way) {
    case 0:
      break;
    case 1:
      now.append(token).append(" ").append(token);
      break;
    case 2: {
      if (at + 1 == tokens.size()) break;
      const std::string_view next = tokens[at + 1];
      const auto gap = static_cast<size_t>(next.data() - token.data()) - token.size();
      return before + std::string(next) + std::string(after.substr(0, gap)) + std::string(token) +
             std::string(after.substr(gap + next.size()));
    }
    case 3:  // another number, name or sign
      now = token;
      if (std::isdigit(static_cast<unsigned char>(now.back())) != 0) {
        now.back() = now.back() == '9' ? '0' : static_cast<char>(now.back() + 1);
      } else {
        now += std::isalpha(static_cast<unsigned char>(now.back())) != 0 ? "x" : ",";
      }
      break;
    default:  // what stands elsewhere in the program
      now = tokens[(at * 31 + 7) % tokens.size()];
  }
  return before + now + std::string(after);
}

// The program itself, and its near misses. Those of lint are two, one behind the other.
size_t Programs(const Contexts& contexts, std::string_view text, Answers* answers, Answers* runs) {
  size_t count = 0;
  constexpr std::string_view kMark = "// ---- and without ----";
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(kMark, begin), text.size());
    const std::string_view program = text.substr(begin, end - begin);
    begin = end + (end < text.size() ? kMark.size() : 0);
    Ask(contexts, program, answers, runs);
    ++count;
    const std::vector<std::string_view> tokens = Tokens(program);
    for (size_t at = 0; at < tokens.size(); ++at) {
      for (const size_t way : {at % kWays, (at + 2) % kWays})
        Ask(contexts, Changed(program, tokens, at, way), answers, runs), ++count;
    }
  }
  return count;
}

std::string Text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream whole;
  whole << in.rdbuf();
  return whole.str();
}

std::string Line(const std::filesystem::path& folder, const std::string& name, std::ostream* print) {
  const Contexts contexts;
  Answers answers(print);
  Answers runs(print);
  const std::string text = Text(folder / name);
  const size_t count = Programs(contexts, text, &answers, &runs);
  char line[96];
  std::snprintf(line, sizeof line, " %zu %016llx %016llx", count, static_cast<unsigned long long>(answers.sum()),
                static_cast<unsigned long long>(runs.sum()));
  return name + line;
}

std::vector<std::string> Files(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const char* of : {"valid", "invalid", "lint", "lint_near", "sync", "../fuzz/seeds", "../../examples"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / of)) {
      if (entry.path().extension() == ".pto") {
        files.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::filesystem::path folder = argv[1];
  return pto_test::Golden(argc, argv, (folder / "near_misses.txt").string(), Files(folder),
                          [&](const std::string& name, std::ostream* print) { return Line(folder, name, print); });
}
