// Sources for the NPU include this name; all of it is in pto-inst.hpp.
#ifndef PTO_COMMON_TYPE_HPP_
#define PTO_COMMON_TYPE_HPP_

#include "pto/pto-inst.hpp"

#endif  // PTO_COMMON_TYPE_HPP_
