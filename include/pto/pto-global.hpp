// The names that kernels use without `pto::`, whether or not they say `using namespace pto;`. A program that has a type
// or a function of such a name itself defines PTO_NO_GLOBAL_NAMES before it includes pto-inst.hpp. Include
// pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_GLOBAL_HPP_
#define PTO_PTO_GLOBAL_HPP_

#include "pto/pto-packed.hpp"
#include "pto/pto-sync.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {
using float16_t = half;
using float32_t = float;
using aclFloat16 = half;
}  // namespace PTO_CPP_ABI
}  // namespace pto

#if !defined(PTO_NO_GLOBAL_NAMES)
using pto::aclFloat16;
using pto::bfloat16_t;
using pto::dcci;
using pto::dsb;
using pto::EVENT_ID0;
using pto::EVENT_ID1;
using pto::EVENT_ID2;
using pto::EVENT_ID3;
using pto::EVENT_ID4;
using pto::EVENT_ID5;
using pto::EVENT_ID6;
using pto::EVENT_ID7;
using pto::event_t;
using pto::float16_t;
using pto::float32_t;
using pto::float4_e1m2x2_t;
using pto::float4_e2m1x2_t;
using pto::float8_e4m3_t;
using pto::float8_e5m2_t;
using pto::float8_e8m0_t;
using pto::get_block_idx;
using pto::get_block_num;
using pto::get_coreid;
using pto::get_ctrl;
using pto::get_subblockdim;
using pto::get_subblockid;
using pto::half;
using pto::hifloat8_t;
using pto::PIPE_ALL;
using pto::pipe_barrier;
using pto::PIPE_FIX;
using pto::PIPE_M;
using pto::PIPE_MTE1;
using pto::PIPE_MTE2;
using pto::PIPE_MTE3;
using pto::PIPE_S;
using pto::pipe_t;
using pto::PIPE_V;
using pto::sbitset0;
using pto::sbitset1;
using pto::set_ctrl;
using pto::set_flag;
using pto::set_mask_norm;
using pto::set_vector_mask;
using pto::wait_flag;
#endif

#endif  // PTO_PTO_GLOBAL_HPP_
