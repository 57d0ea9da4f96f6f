// A program as a C++ source whose functions are kernels: it embeds the text and runs it through libpto.
#ifndef PTO_SRC_PTOAS_KERNEL_SOURCE_H_
#define PTO_SRC_PTOAS_KERNEL_SOURCE_H_

#include <string>
#include <string_view>

#include "src/ptoas/read/ast.h"

namespace pto::ptoas {

// `name` is what diagnostics call the program, `library` a path of libpto that kernels try after the loader's own
// search. Empty: no function of the program can be a kernel.
std::string KernelSource(const Program& program, std::string_view name, pto_profile profile, std::string_view library);

}  // namespace pto::ptoas

#endif  // PTO_SRC_PTOAS_KERNEL_SOURCE_H_
