// Reading and writing whole files through the system calls, for their error codes.
#include "src/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "src/cli/cli.h"

namespace pto::cli {

namespace {

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

std::string ReadFile(const std::string& path, size_t max_bytes) {
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
    if (content.size() > max_bytes) error = EFBIG;
    if (error != 0) break;
  }
  if (!standard) close(file);
  if (error != 0) FailOn(name, error);
  return content;
}

Outputs::~Outputs() {
  for (const File& file : files_) {
    if (!file.temporary.empty()) unlink(file.temporary.c_str());
  }
}

void Outputs::Add(const std::string& path, std::string content) {
  struct stat info {};
  const bool exists = path != "-" && stat(path.c_str(), &info) == 0;
  if (path == "-" || (exists && !S_ISREG(info.st_mode))) {
    files_.push_back({path, "", std::move(content)});
    return;
  }
  // A file that is there keeps its rights, and a link to it stays a link.
  if (exists && access(path.c_str(), W_OK) != 0) FailOn(path, errno);
  std::string target = path;
  if (char* real = exists ? realpath(path.c_str(), nullptr) : nullptr) {
    target = real;
    std::free(real);
  }
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t mode = exists ? info.st_mode & 07777 : 0666 & ~mask;
  std::string temporary = target + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) FailOn(path, errno);
  files_.push_back({target, temporary, ""});
  int error = WriteAll(file, content) && fchmod(file, mode) == 0 ? 0 : errno;
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) FailOn(path, error);
}

void Outputs::Commit() {
  for (const File& file : files_) {
    if (!file.temporary.empty()) continue;
    const bool standard = file.path == "-";
    if (standard) std::fflush(stdout);
    const int descriptor = standard ? STDOUT_FILENO : open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor >= 0 && WriteAll(descriptor, file.content) ? 0 : errno;
    if (!standard && descriptor >= 0) close(descriptor);
    if (error != 0) FailOn(standard ? "standard output" : file.path, error);
  }
  for (File& file : files_) {
    if (file.temporary.empty()) continue;
    if (rename(file.temporary.c_str(), file.path.c_str()) != 0) FailOn(file.path, errno);
    file.temporary.clear();
  }
}

void WriteFile(const std::string& path, std::string content) {
  Outputs output;
  output.Add(path, std::move(content));
  output.Commit();
}

bool HasSuffix(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace pto::cli
