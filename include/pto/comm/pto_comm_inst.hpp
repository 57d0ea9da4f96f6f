// Sources for the NPU include this name; all of it is in pto-comm.hpp.
#ifndef PTO_COMM_PTO_COMM_INST_HPP_
#define PTO_COMM_PTO_COMM_INST_HPP_

#include "pto/pto-comm.hpp"

#endif  // PTO_COMM_PTO_COMM_INST_HPP_
