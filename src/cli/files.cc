// Reading and writing whole files through the system calls, for their error codes.
#include "src/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "src/cli/cli.h"

namespace pto::cli {

namespace {

// A larger file is a mistake, not a tensor for this machine.
constexpr size_t kMaxFileBytes = size_t{8} << 30;

[[noreturn]] void FailOn(const std::string& path, int error) { Fail("%s: %s", path.c_str(), std::strerror(error)); }

bool WriteAll(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = write(file, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

std::string ReadFile(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const int file = standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) FailOn(name, errno);
  std::string content;
  struct stat info {};
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) content.reserve(static_cast<size_t>(info.st_size) + 1);
  char buffer[1 << 16];
  int error = 0;
  while (true) {
    const ssize_t n = read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error = errno;
    if (n <= 0) break;
    content.append(buffer, static_cast<size_t>(n));
    if (content.size() > kMaxFileBytes) error = EFBIG;
    if (error != 0) break;
  }
  if (!standard) close(file);
  if (error != 0) FailOn(name, error);
  return content;
}

void WriteFile(const std::string& path, std::string_view content) {
  if (path == "-") {
    std::fflush(stdout);
    if (!WriteAll(STDOUT_FILENO, content)) FailOn("standard output", errno);
    return;
  }
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) FailOn(path, errno);
    const int error = WriteAll(file, content) ? 0 : errno;
    close(file);
    if (error != 0) FailOn(path, error);
    return;
  }
  std::string temporary = path + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) FailOn(path, errno);
  int error = WriteAll(file, content) ? 0 : errno;
  // mkstemp makes private files; this one gets the usual rights.
  const mode_t mask = umask(0);
  umask(mask);
  if (error == 0 && fchmod(file, 0666 & ~mask) != 0) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    FailOn(path, error);
  }
}

bool HasSuffix(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace pto::cli
