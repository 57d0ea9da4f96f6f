// Sources for the NPU include this name; all of it is in pto-inst.hpp.
#ifndef PTO_NPU_A5_UTILS_HPP_
#define PTO_NPU_A5_UTILS_HPP_

#include "pto/pto-inst.hpp"

#endif  // PTO_NPU_A5_UTILS_HPP_
