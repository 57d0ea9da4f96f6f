// Files in and out. What cannot be read or written ends in Failure, with the file's
// name and the reason.
#ifndef PTO_SRC_CLI_FILES_H_
#define PTO_SRC_CLI_FILES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pto::cli {

// A larger file is an error, not a tensor for this machine.
inline constexpr size_t kMaxFileBytes = size_t{8} << 30;

// Records files that were read, so that no output replaces them unasked: data that --force may replace, or programs,
// which nothing replaces. Files are known by device and inode, whatever they are called.
enum class Reads : uint8_t { kData, kProgram };

// --force, of the whole command.
void AllowReplacing();
// A file that the command reads later, after it has written.
void WillRead(const std::string& path, Reads what = Reads::kData);

// A file that is read from its begin, as far as its reader wants. "-" is standard input.
class Input {
 public:
  explicit Input(const std::string& path, Reads what = Reads::kData);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  const std::string& name() const { return name_; }  // for messages
  // Appends up to `bytes` bytes; returns their number. Fewer: the file has ended.
  size_t Read(size_t bytes, std::string* content);
  // Whether it is known, without reading, what is to come; and the bytes of it.
  bool sized() const { return sized_; }
  size_t left() const { return left_; }
  // All that is left; Failure when that is more than `max_bytes`.
  std::string ReadAll(size_t max_bytes);

 private:
  int file_;
  std::string name_;
  bool sized_ = false;  // a regular file
  size_t left_ = 0;
};

// The whole of a file.
std::string ReadFile(const std::string& path, size_t max_bytes = kMaxFileBytes, Reads what = Reads::kData);

// Files that are to be written, each once.
class Targets {
 public:
  // The file that a path names or will name, whatever its spelling and the links on the way, also one that leads to no
  // file yet; "" for standard output, devices and pipes, which take any number of outputs. Failure if a path before
  // named it, or if the command reads it.
  std::string Take(const std::string& path);

 private:
  std::map<std::string, std::string> taken_;  // by file: as it was named
};

class Temporary;

// Files that appear together, or not at all: each is written under a temporary name beside
// its own and reaches the disk, then Commit() renames them, so that nothing ever sees half a
// file, and no signal that can be caught leaves a temporary one. "-" is standard output; it,
// devices and pipes are written as they are, before anything is renamed.
class Outputs {
 public:
  Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;
  ~Outputs();  // removes what was not committed

  void Add(const std::string& path, std::string_view content);
  // Content that is made piece by piece, each until the next one is asked for; an empty piece ends it. For a stream
  // that happens in Commit().
  using Pieces = std::function<std::string_view()>;
  void Add(const std::string& path, Pieces pieces);
  void Commit();

 private:
  struct File {
    std::string path;
    std::unique_ptr<Temporary> temporary;  // none: `content` is written to the path directly
    Pieces content;
  };
  Targets targets_;
  std::vector<File> files_;
};

// Makes the signals that end a process remove temporary files first. For main(), once.
void CleanUpOnSignals();

// Changes a file that was read: its owner, rights and links stay. Where a new file in its place would not have them,
// the file itself is written, and a failure of the machine may leave a part of it.
void Rewrite(const std::string& path, std::string_view content);

// One file.
void WriteFile(const std::string& path, std::string_view content);

// Whether a path names standard output, or something other than a regular file: a device, a pipe.
bool IsStream(const std::string& path);

bool HasSuffix(std::string_view text, std::string_view suffix);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_FILES_H_
