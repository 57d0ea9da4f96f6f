// Reading and writing files through the system calls, for their error codes.
#include "src/cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "src/cli/cli.h"

namespace pto::cli {

namespace {

[[noreturn]] void FailOn(const std::string& path, int error) { Fail("%s: %s", path.c_str(), std::strerror(error)); }

bool WritePiece(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = write(file, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool WriteAll(int file, const Outputs::Pieces& pieces) {
  for (std::string_view piece = pieces(); !piece.empty(); piece = pieces()) {
    if (!WritePiece(file, piece)) return false;
  }
  return true;
}

// Those that end a process by default and come from outside; a pipe without reader is one.
constexpr int kEndings[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

// While one is alive the endings wait.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : kEndings) sigaddset(&all, signal);
    sigprocmask(SIG_BLOCK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// The identity of a file that was read, or will be.
struct FileId {
  dev_t device;
  ino_t inode;
  Reads what;
  std::string name;
};
std::vector<FileId>& Inputs() {
  static std::vector<FileId> inputs;
  return inputs;
}
bool replacing = false;

void Remember(const struct stat& info, Reads what, const std::string& name) {
  if (S_ISREG(info.st_mode)) Inputs().push_back({info.st_dev, info.st_ino, what, name});
}

void RefuseInput(const struct stat& info, const std::string& path) {
  for (const FileId& input : Inputs()) {
    if (input.device != info.st_dev || input.inode != info.st_ino) continue;
    const std::string same = input.name == path ? "" : ", as " + input.name;
    if (input.what == Reads::kProgram) Fail("%s: is the program%s: name another file", path.c_str(), same.c_str());
    if (!replacing) {
      Fail("%s: is an input of this command%s: name another file, or add --force to replace it", path.c_str(),
           same.c_str());
    }
  }
}

}  // namespace

void AllowReplacing() { replacing = true; }

namespace {

// Handles the replacement of a file that was read.
void WillReplace(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return;
  std::erase_if(Inputs(), [&](const FileId& k) { return k.device == info.st_dev && k.inode == info.st_ino; });
}

}  // namespace

void WillRead(const std::string& path, Reads what) {
  struct stat info {};
  if (path != "-" && stat(path.c_str(), &info) == 0) Remember(info, what, path);
}

// A file beside `target`, until it takes that name. Where the system has files without a name it is one, so that
// nothing is left of it however the process ends. Else it has a name of its own: such files are linked, so that a
// handler of signals finds them; the list changes while signals are held.
class Temporary {
 public:
  // A name may be as long as there are, so that none can be made of it by adding to it.
  explicit Temporary(std::string target)
      : target_(std::move(target)), name_(target_.substr(0, target_.rfind('/') + 1) + ".pto-XXXXXX") {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    const SignalsHeld held;
    if (file_ >= 0) close(file_);
    Remove();
  }

  // The errno of what failed, or 0.
  int Write(const Outputs::Pieces& content, mode_t mode) {
    {
      const SignalsHeld held;
      file_ = OpenUnnamed();
      if (file_ < 0) {
        file_ = mkstemp(name_.data());
        if (file_ < 0) return errno;
        Link();
      }
    }
    // A file that is renamed before it is on the disk may be empty after a power failure. Not all
    // file systems support fsync(); on the others nothing is lost by the call.
    int error = WriteAll(file_, content) && fchmod(file_, mode) == 0 ? 0 : errno;
    if (error == 0 && fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) error = errno;
    // A file without a name exists only while it is open.
    if (linked_ && close(std::exchange(file_, -1)) != 0 && error == 0) error = errno;
    return error;
  }

  // Call with signals held.
  int Rename() {
    if (!linked_) {
      if (Name(target_)) return 0;
      if (errno != EEXIST) return errno;
      for (uint32_t number = static_cast<uint32_t>(getpid()); !Name(name_); ++number) {
        if (errno != EEXIST) return errno;
        name_ = name_.substr(0, name_.size() - 6) + std::to_string(1000000 + number % 1000000).substr(1);
      }
      Link();
    }
    if (rename(name_.c_str(), target_.c_str()) != 0) return errno;
    Unlink();
    return 0;
  }

  // For a handler of signals: calls nothing but unlink(), which is safe there.
  static void RemoveAll() {
    for (const Temporary* file = first_; file != nullptr; file = file->next_) unlink(file->name_.c_str());
  }

 private:
  void Remove() {
    if (linked_) unlink(name_.c_str());
    Unlink();
  }
  // The file has the name `name_` now.
  void Link() {
    next_ = first_;
    first_ = this;
    linked_ = true;
  }
  void Unlink() {
    if (!linked_) return;
    Temporary** at = &first_;
    while (*at != this) at = &(*at)->next_;
    *at = next_;
    linked_ = false;
  }

  int OpenUnnamed() {
#ifdef O_TMPFILE
    // The number of open files is limited.
    if (unnamed_ >= kMostUnnamed || access("/proc/self/fd", X_OK) != 0) return -1;
    const int file = open(name_.substr(0, target_.rfind('/') + 1).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) ++unnamed_;
    return file;
#else
    return -1;
#endif
  }
  // Gives a name to a file without one, if nothing has it.
  bool Name(const std::string& name) const {
    const std::string open = "/proc/self/fd/" + std::to_string(file_);
    return linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  static constexpr int kMostUnnamed = 128;
  static inline int unnamed_ = 0;
  static inline Temporary* first_ = nullptr;

  std::string target_;
  std::string name_;
  int file_ = -1;
  bool linked_ = false;
  Temporary* next_ = nullptr;
};

void CleanUpOnSignals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    Temporary::RemoveAll();
    raise(signal);  // by default now, as soon as the handler has returned
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigfillset(&action.sa_mask);
  for (const int signal : kEndings) {
    struct sigaction before {};
    // The parent process may have set one to be ignored.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

Input::Input(const std::string& path, Reads what)
    : file_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      name_(path == "-" ? "standard input" : path) {
  if (file_ < 0) FailOn(name_, errno);
  struct stat info {};
  if (fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) return;
  Remember(info, what, name_);
  const off_t at = lseek(file_, 0, SEEK_CUR);
  sized_ = at >= 0;
  left_ = sized_ && info.st_size > at ? static_cast<size_t>(info.st_size - at) : 0;
}

Input::~Input() {
  if (file_ != STDIN_FILENO) close(file_);
}

size_t Input::Read(size_t bytes, std::string* content) {
  if (sized_) content->reserve(content->size() + std::min(bytes, left_));
  char buffer[1 << 16];
  size_t count = 0;
  while (count < bytes) {
    const ssize_t n = read(file_, buffer, std::min(bytes - count, sizeof buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) FailOn(name_, errno);
    if (n == 0) break;
    content->append(buffer, static_cast<size_t>(n));
    count += static_cast<size_t>(n);
  }
  left_ -= std::min(left_, count);
  return count;
}

std::string Input::ReadAll(size_t max_bytes) {
  if (sized_ && left_ > max_bytes) FailOn(name_, EFBIG);
  std::string content;
  if (Read(max_bytes + 1, &content) > max_bytes) FailOn(name_, EFBIG);
  return content;
}

std::string ReadFile(const std::string& path, size_t max_bytes, Reads what) {
  return Input(path, what).ReadAll(max_bytes);
}

Outputs::Outputs() = default;
Outputs::~Outputs() = default;

std::string Targets::Take(const std::string& path) {
  if (IsStream(path)) return "";
  struct stat info {};
  if (stat(path.c_str(), &info) == 0) RefuseInput(info, path);
  std::string target = path;
  const auto folder = [&target] { return target.substr(0, target.rfind('/') + 1); };
  // A link may lead to another one; what leads nowhere may go round.
  constexpr int kMostLinks = 40;
  char to[PATH_MAX];
  for (int links = 0;; ++links) {
    const ssize_t length = readlink(target.c_str(), to, sizeof to);
    if (length < 0) break;
    if (links == kMostLinks) FailOn(path, ELOOP);
    target = (to[0] == '/' ? "" : folder()) + std::string(to, static_cast<size_t>(length));
  }
  const std::string in = folder();
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(in.empty() ? "." : in.c_str(), nullptr), std::free);
  if (real == nullptr) FailOn(path, errno);
  target = std::string(real.get()) + "/" + target.substr(in.size());
  const auto [taken, fresh] = taken_.emplace(target, path);
  if (!fresh) Fail("%s: another output already uses this file, as %s", path.c_str(), taken->second.c_str());
  return target;
}

void Outputs::Add(const std::string& path, std::string_view content) {
  // A stream is written later.
  const bool later = IsStream(path);
  Add(path, [kept = std::string(later ? content : ""), content, later, done = false]() mutable {
    if (std::exchange(done, true)) return std::string_view();
    return later ? std::string_view(kept) : content;
  });
}

void Outputs::Add(const std::string& path, Pieces pieces) {
  std::string target = targets_.Take(path);
  if (target.empty()) {
    files_.push_back({path, nullptr, std::move(pieces)});
    return;
  }
  // A file that is there keeps its rights, and a link to it stays a link. What it might
  // do as another user does not pass to new content.
  struct stat info {};
  const bool exists = stat(target.c_str(), &info) == 0;
  if (exists && access(target.c_str(), W_OK) != 0) FailOn(path, errno);
  const mode_t mask = umask(0);
  umask(mask);
  const mode_t mode = exists ? info.st_mode & 0777 : 0666 & ~mask;
  auto temporary = std::make_unique<Temporary>(std::move(target));
  const int error = temporary->Write(pieces, mode);
  if (error != 0) FailOn(path, error);
  files_.push_back({path, std::move(temporary), {}});
}

void Outputs::Commit() {
  for (const File& file : files_) {
    if (file.temporary != nullptr) continue;
    const bool standard = file.path == "-";
    if (standard) std::fflush(stdout);
    const int descriptor = standard ? STDOUT_FILENO : open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor >= 0 && WriteAll(descriptor, file.content) ? 0 : errno;
    if (!standard && descriptor >= 0) close(descriptor);
    if (error != 0) FailOn(standard ? "standard output" : file.path, error);
  }
  const SignalsHeld held;
  for (const File& file : files_) {
    const int error = file.temporary == nullptr ? 0 : file.temporary->Rename();
    if (error != 0) FailOn(file.path, error);
  }
}

void Rewrite(const std::string& path, std::string_view content) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) FailOn(path, errno);
  const std::unique_ptr<const int, void (*)(const int*)> closed(&file, [](const int* opened) { close(*opened); });
  struct stat info {};
  if (fstat(file, &info) != 0) FailOn(path, errno);
  if (S_ISREG(info.st_mode) && info.st_nlink == 1 && info.st_uid == geteuid() && info.st_gid == getegid()) {
    WillReplace(path);
    return WriteFile(path, content);
  }
  const SignalsHeld held;
  // Rights to run as another user do not pass to new content.
  int error = fchmod(file, info.st_mode & 0777) == 0 || (info.st_mode & 07000) == 0 ? 0 : errno;
  if (error == 0 && !WritePiece(file, content)) error = errno;
  if (error == 0 && S_ISREG(info.st_mode) && ftruncate(file, static_cast<off_t>(content.size())) != 0) error = errno;
  if (error == 0 && S_ISREG(info.st_mode) && fsync(file) != 0) error = errno;
  if (error != 0) FailOn(path, error);
}

void WriteFile(const std::string& path, std::string_view content) {
  Outputs output;
  output.Add(path, content);
  output.Commit();
}

bool IsStream(const std::string& path) {
  struct stat info {};
  if (path == "-") return true;
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

bool HasSuffix(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

}  // namespace pto::cli
