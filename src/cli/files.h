// Whole files in and out. What cannot be read or written ends in Failure, with
// the file's name and the reason.
#ifndef PTO_SRC_CLI_FILES_H_
#define PTO_SRC_CLI_FILES_H_

#include <string>
#include <string_view>

namespace pto::cli {

// "-" is standard input.
std::string ReadFile(const std::string& path);

// Writes under a temporary name beside `path` and renames, so that nobody ever
// sees half a file; "-" is standard output. Devices and pipes are written as they are.
void WriteFile(const std::string& path, std::string_view content);

bool HasSuffix(std::string_view text, std::string_view suffix);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_FILES_H_
