// Integers of the command line: decimal, or hexadecimal after 0x. A leading zero changes nothing: 010 is ten.
#ifndef PTO_SRC_CLI_NUMBERS_H_
#define PTO_SRC_CLI_NUMBERS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace pto::cli {

// False: the text is not an integer of the type.
bool ParseInteger(std::string_view text, int64_t* out);
bool ParseInteger(std::string_view text, uint64_t* out);

// An option that takes an integer from `low` to `high`.
CLI::Option* AddInteger(CLI::App* command, const std::string& name, int32_t* value, int32_t low, int32_t high,
                        const std::string& what);
CLI::Option* AddInteger(CLI::App* command, const std::string& name, int64_t* value, int64_t low,
                        const std::string& what);
CLI::Option* AddInteger(CLI::App* command, const std::string& name, uint64_t* value, const std::string& what);

}  // namespace pto::cli

#endif  // PTO_SRC_CLI_NUMBERS_H_
