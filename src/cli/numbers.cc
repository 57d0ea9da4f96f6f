#include "src/cli/numbers.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

namespace pto::cli {

namespace {

// For a number without a sign.
bool ParseMagnitude(std::string_view text, uint64_t* out) {
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hex) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out, hex ? 16 : 10);
  return error == std::errc() && end == text.data() + text.size();
}

template <class T>
CLI::Option* Add(CLI::App* command, const std::string& name, T* value, T low, T high, const std::string& what) {
  const auto set = [=](const std::string& text) {
    T number = 0;
    if constexpr (sizeof(T) == 8) {
      if (ParseInteger(text, &number) && number >= low && number <= high) {
        *value = number;
        return;
      }
    } else {
      int64_t wide = 0;
      if (ParseInteger(text, &wide) && wide >= low && wide <= high) {
        *value = static_cast<T>(wide);
        return;
      }
    }
    throw CLI::ValidationError(name,
                               text + " is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
  };
  return command->add_option_function<std::string>(name, set, what)->type_name("INT")->allow_extra_args(false);
}

}  // namespace

bool ParseInteger(std::string_view text, uint64_t* out) {
  if (text.substr(0, 1) == "+") text.remove_prefix(1);
  return ParseMagnitude(text, out);
}

bool ParseInteger(std::string_view text, int64_t* out) {
  const bool negative = text.substr(0, 1) == "-";
  if (negative || text.substr(0, 1) == "+") text.remove_prefix(1);
  uint64_t magnitude = 0;
  if (!ParseMagnitude(text, &magnitude)) return false;
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (magnitude > kMost + (negative ? 1 : 0)) return false;
  *out = static_cast<int64_t>(negative ? ~magnitude + 1 : magnitude);
  return true;
}

CLI::Option* AddInteger(CLI::App* command, const std::string& name, int32_t* value, int32_t low, int32_t high,
                        const std::string& what) {
  return Add(command, name, value, low, high, what);
}

CLI::Option* AddInteger(CLI::App* command, const std::string& name, int64_t* value, int64_t low,
                        const std::string& what) {
  return Add(command, name, value, low, std::numeric_limits<int64_t>::max(), what);
}

CLI::Option* AddInteger(CLI::App* command, const std::string& name, uint64_t* value, const std::string& what) {
  return Add(command, name, value, uint64_t{0}, std::numeric_limits<uint64_t>::max(), what);
}

}  // namespace pto::cli
