// How commands speak: messages, colours, and how they end.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "src/cli/cli.h"
#include "src/records/plain_text.h"

namespace pto::cli {

std::string FormatV(const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int n = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(static_cast<size_t>(n > 0 ? n : 0), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, args);
  return text;
}

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : Plain(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string NotNan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "Value " + text + " is not a number" : "";
}

std::string Format(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string text = FormatV(format, args);
  va_end(args);
  return text;
}

void Fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string text = FormatV(format, args);
  va_end(args);
  throw Failure(text);
}

namespace {

Colours ColoursOf(int descriptor) {
  const bool plain = isatty(descriptor) == 0 || std::getenv("NO_COLOR") != nullptr;
  return plain ? Colours{"", "", "", ""} : Colours{"\033[1;31m", "\033[32m", "\033[2m", "\033[0m"};
}

}  // namespace

void Tell(std::string_view text) {
  std::fprintf(stderr, "%spto:%s %s\n", StderrColours().error, StderrColours().off, Plain(text).c_str());
}

const Colours& StdoutColours() {
  static const Colours colours = ColoursOf(STDOUT_FILENO);
  return colours;
}

const Colours& StderrColours() {
  static const Colours colours = ColoursOf(STDERR_FILENO);
  return colours;
}

}  // namespace pto::cli
