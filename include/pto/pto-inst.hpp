// pto-inst.hpp: PTO tile kernels in C++ on any CPU, over the C interface of libpto.
//
// A kernel includes this file, has `using namespace pto;`, declares Tiles and GlobalTensors and calls
// intrinsics such as TPOW(dst, base, exp, tmp). Errors that the compiler can see are static_asserts.
// Others throw pto::Error, or call a handler under PTO_NO_EXCEPTIONS. See docs/cpp.md.
// C++17 or later; link with libpto.
#ifndef PTO_PTO_INST_HPP_
#define PTO_PTO_INST_HPP_

#if __cplusplus < 201703L
#error "libpto needs C++17 or later: compile with -std=c++17"
#endif

#include <array>  // with std::min and std::max, which kernels use without a header of their own
#if defined(__CPU_SIM)
#include <string>  // as the headers of the common simulator have it
#endif

#include "pto/pto-async.hpp"
#include "pto/pto-base.hpp"
#include "pto/pto-builtins.hpp"
#include "pto/pto-context.hpp"
#include "pto/pto-conv.hpp"
#include "pto/pto-enums.hpp"
#include "pto/pto-float8.hpp"
#include "pto/pto-foreign.hpp"
#include "pto/pto-forms.hpp"
#include "pto/pto-global.hpp"
#include "pto/pto-inst-ops.hpp"
#include "pto/pto-issue.hpp"
#include "pto/pto-packed.hpp"
#include "pto/pto-pipe.hpp"
#include "pto/pto-simulator.hpp"
#include "pto/pto-sync.hpp"
#include "pto/pto-tensor.hpp"
#include "pto/pto-text.hpp"
#include "pto/pto-tile-ops.hpp"
#include "pto/pto-tile.hpp"

#endif  // PTO_PTO_INST_HPP_
