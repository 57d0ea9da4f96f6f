// The names that kernels use without `pto::`, whether or not they say `using namespace pto;`. A program that has a type
// or a function of such a name itself defines PTO_NO_GLOBAL_NAMES before it includes pto-inst.hpp. Include
// pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_GLOBAL_HPP_
#define PTO_PTO_GLOBAL_HPP_

#include "pto/pto-builtins.hpp"
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
using pto::__cce_get_tile_ptr;
using pto::aclFloat16;
using pto::bfloat16_t;
using pto::block_idx;
using pto::block_num;
using pto::cache_line_t;
using pto::CACHELINE_OUT;
using pto::copy_cbuf_to_gm;
using pto::copy_cbuf_to_ubuf;
using pto::copy_gm_to_cbuf;
using pto::copy_gm_to_ubuf;
using pto::copy_gm_to_ubuf_align_b16;
using pto::copy_gm_to_ubuf_align_b32;
using pto::copy_gm_to_ubuf_align_b8;
using pto::copy_ubuf_to_cbuf;
using pto::copy_ubuf_to_gm;
using pto::copy_ubuf_to_gm_align_b16;
using pto::copy_ubuf_to_gm_align_b32;
using pto::copy_ubuf_to_gm_align_b8;
using pto::copy_ubuf_to_ubuf;
using pto::dcci;
using pto::dcci_dst_t;
using pto::dsb;
using pto::DSB_ALL;
using pto::DSB_DDR;
using pto::DSB_SEQ;
using pto::DSB_UB;
using pto::ENTIRE_DATA_CACHE;
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
using pto::get_sys_cnt;
using pto::half;
using pto::hifloat8_t;
using pto::mem_dsb_t;
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
using pto::preload;
using pto::sbitset0;
using pto::sbitset1;
using pto::set_ctrl;
using pto::set_ffts_base_addr;
using pto::set_flag;
using pto::set_intra_block;
using pto::set_mask_norm;
using pto::set_vector_mask;
using pto::SINGLE_CACHE_LINE;
using pto::wait_flag;
using pto::wait_intra_block;
#endif

#endif  // PTO_PTO_GLOBAL_HPP_
