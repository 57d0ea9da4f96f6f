// Reading a program and showing what is wrong with it.
#include "src/cli/program.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "src/cli/cli.h"
#include "src/cli/files.h"
#include "src/records/profile.h"

namespace pto::cli {

namespace {

// The part that the library parses; a longer file need not be read to its end.
constexpr size_t kMaxProgramBytes = size_t{64} << 20;

}  // namespace

Loaded LoadProgram(const std::string& path, const std::string& profile, const std::string& target) {
  return ReadProgram(ReadFile(path, kMaxProgramBytes, Reads::kProgram), path == "-" ? "stdin" : path, profile, target);
}

const std::vector<std::string>& ProfileWords() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const ProfileInfo& profile : kProfiles) all.emplace_back(profile.name);
    for (std::string& word : all) {
      for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return all;
  }();
  return words;
}

Loaded ReadProgram(const std::string& text, const std::string& name, const std::string& profile,
                   const std::string& target) {
  Loaded loaded;
  const char* simd = target.empty() ? nullptr : target.c_str();
  loaded.ctx.reset(pto_context_create_for(PTO_PROFILE_CPU, simd));
  if (loaded.ctx == nullptr && simd != nullptr) Fail("%s: this machine has no such target; see pto info", simd);
  if (loaded.ctx == nullptr) Fail("memory is out");
  loaded.text = text;
  const auto bytes = static_cast<int64_t>(text.size());
  loaded.program.reset(pto_program_parse(loaded.ctx.get(), text.data(), bytes, name.c_str()));
  if (loaded.program == nullptr) Fail("%s: %s", name.c_str(), Reason(loaded.ctx.get()).c_str());
  int wanted = pto_program_profile(loaded.program.get());
  if (!profile.empty())
    wanted =
        static_cast<int>(std::find(ProfileWords().begin(), ProfileWords().end(), profile) - ProfileWords().begin());
  if (wanted >= 0 && wanted != pto_context_profile(loaded.ctx.get()))
    loaded.ctx.reset(pto_context_create_for(static_cast<pto_profile>(wanted), simd));
  if (loaded.ctx == nullptr) Fail("memory is out");
  return loaded;
}

bool IsCorrect(const Loaded& loaded, bool werror) {
  const pto_status status = pto_program_check(loaded.ctx.get(), loaded.program.get());
  if (status != PTO_OK && status != PTO_ERROR_PROGRAM) Fail("%s", Reason(loaded.ctx.get()).c_str());
  return status == PTO_OK && !(werror && pto_program_diagnostic_count(loaded.program.get()) > 0);
}

std::string Reason(const pto_context* ctx) {
  const std::string text = pto_context_error_message(ctx);
  const size_t colon = text.find(": ");
  return text.rfind("pto_", 0) == 0 && colon != std::string::npos ? text.substr(colon + 2) : text;
}

bool PrintDiagnostics(const pto_program* program) {
  const Colours& colour = StderrColours();
  bool errors = false;
  for (int32_t i = 0; i < pto_program_diagnostic_count(program); ++i) {
    const bool error = pto_program_diagnostic_error(program, i) != 0;
    errors |= error;
    std::string text = pto_program_diagnostic_text(program, i);
    const char* word = error ? " error: " : " warning: ";
    const size_t at = text.find(word);
    if (at != std::string::npos) {
      const size_t end = at + std::strlen(word) - 1;
      text.insert(end, colour.off);
      text.insert(at + 1, colour.error);
    }
    std::fprintf(stderr, "%s%s", text.c_str(), text.empty() || text.back() != '\n' ? "\n" : "");
  }
  return errors;
}

}  // namespace pto::cli
