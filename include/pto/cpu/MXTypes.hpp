// Sources for the NPU include this name; all of it is in pto-inst.hpp.
#ifndef PTO_CPU_MXTYPES_HPP_
#define PTO_CPU_MXTYPES_HPP_

#include "pto/pto-inst.hpp"

#endif  // PTO_CPU_MXTYPES_HPP_
