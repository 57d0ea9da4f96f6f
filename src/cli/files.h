// Whole files in and out. What cannot be read or written ends in Failure, with
// the file's name and the reason.
#ifndef PTO_SRC_CLI_FILES_H_
#define PTO_SRC_CLI_FILES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pto::cli {

// A larger file is a mistake, not a tensor for this machine.
inline constexpr size_t kMaxFileBytes = size_t{8} << 30;

// "-" is standard input.
std::string ReadFile(const std::string& path, size_t max_bytes = kMaxFileBytes);

// Files that appear together, or not at all: each is written under a temporary name beside
// its own, and Commit() renames them, so that nobody ever sees half a file. "-" is standard
// output; it, devices and pipes are written as they are, before anything is renamed.
class Outputs {
 public:
  Outputs() = default;
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;
  ~Outputs();  // removes what was not committed

  void Add(const std::string& path, std::string content);
  void Commit();

 private:
  struct File {
    std::string path;
    std::string temporary;  // empty: `content` goes to the path as it is
    std::string content;
  };
  std::vector<File> files_;
};

// One file.
void WriteFile(const std::string& path, std::string content);

bool HasSuffix(std::string_view text, std::string_view suffix);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_FILES_H_
