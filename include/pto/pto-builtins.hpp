// Names of the NPU compilers and of the ISA's common simulator that kernels use beside the intrinsics: where a thread
// is, copies between memories by bursts, pointers of tiles. Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_BUILTINS_HPP_
#define PTO_PTO_BUILTINS_HPP_

#include <cstdint>
#include <cstring>

#include "pto/pto-sync.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// get_block_idx() and get_block_num() as objects.
struct BlockIndex {
  operator int64_t() const { return get_block_idx(); }
};
struct BlockCount {
  operator int64_t() const { return get_block_num(); }
};
inline constexpr BlockIndex block_idx{};
inline constexpr BlockCount block_num{};

// The pointer of a tile's data(): it is one already.
template <typename Element>
constexpr Element* __cce_get_tile_ptr(Element* data) noexcept {
  return data;
}

namespace pto_detail {
// The argument of a device built-in for an address of on-chip memory: a pointer, such as data() of a tile, or the
// number of a byte, as TASSIGN takes it. No pointer is below 1 MiB, and no on-chip memory of a device is larger.
template <pto_location kLocation>
inline void* OnChip(void* address) {
  const auto byte = reinterpret_cast<uintptr_t>(address);
  if (byte >= uintptr_t{1} << 20) return address;
  pto_context* const ctx = CurrentContext();
  if (ctx == nullptr) return nullptr;
  pto_tile_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.dtype = PTO_DTYPE_U8;
  desc.location = kLocation;
  desc.rows = 1;
  desc.cols = 32;
  pto_tile* const tile = pto_tile_create_from(ctx, &desc);
  const bool placed = tile != nullptr && pto_tassign(ctx, tile, static_cast<int64_t>(byte / 32 * 32)) == PTO_OK;
  char* const block = placed ? static_cast<char*>(pto_tile_data(tile)) : nullptr;
  if (block == nullptr) RaiseFrom(ctx);
  pto_tile_release(tile);
  return block == nullptr ? nullptr : block + byte % 32;
}
template <pto_location kLocation>
inline const void* OnChip(const void* address) {
  return OnChip<kLocation>(const_cast<void*>(address));
}
inline constexpr pto_location kUb = PTO_LOCATION_VEC;
inline constexpr pto_location kCbuf = PTO_LOCATION_MAT;

// `count` bursts of `bytes`, the gaps between two of them in bytes.
inline void CopyBursts(void* dst, const void* src, int64_t count, int64_t bytes, int64_t src_gap, int64_t dst_gap) {
  if (dst == nullptr || src == nullptr) return;  // an error handler knows why
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  for (int64_t i = 0; i < count; ++i) {
    std::memmove(to, from, static_cast<size_t>(bytes));
    to += bytes + dst_gap;
    from += bytes + src_gap;
  }
}
}  // namespace pto_detail

// Copies between memories: bursts and gaps count blocks of 32 bytes. What follows `dstGap` chooses a way of hardware.
#define PTO_IN_GM(pointer) pointer
#define PTO_BURST_COPY(Name, To, From)                                                                                \
  template <typename... More>                                                                                         \
  inline void Name(void* dst, const void* src, int64_t /*sid*/, int64_t nBurst, int64_t lenBurst, int64_t srcGap = 0, \
                   int64_t dstGap = 0, const More&... /*more*/) {                                                     \
    pto_detail::CopyBursts(To(dst), From(src), nBurst, lenBurst * 32, srcGap * 32, dstGap * 32);                      \
  }
PTO_BURST_COPY(copy_gm_to_ubuf, pto_detail::OnChip<pto_detail::kUb>, PTO_IN_GM)
PTO_BURST_COPY(copy_ubuf_to_gm, PTO_IN_GM, pto_detail::OnChip<pto_detail::kUb>)
PTO_BURST_COPY(copy_ubuf_to_ubuf, pto_detail::OnChip<pto_detail::kUb>, pto_detail::OnChip<pto_detail::kUb>)
PTO_BURST_COPY(copy_gm_to_cbuf, pto_detail::OnChip<pto_detail::kCbuf>, PTO_IN_GM)
PTO_BURST_COPY(copy_cbuf_to_gm, PTO_IN_GM, pto_detail::OnChip<pto_detail::kCbuf>)
PTO_BURST_COPY(copy_ubuf_to_cbuf, pto_detail::OnChip<pto_detail::kCbuf>, pto_detail::OnChip<pto_detail::kUb>)
PTO_BURST_COPY(copy_cbuf_to_ubuf, pto_detail::OnChip<pto_detail::kUb>, pto_detail::OnChip<pto_detail::kCbuf>)
#undef PTO_BURST_COPY
#undef PTO_IN_GM

// The same with bursts of any number of bytes. In on-chip memory each burst begins at a block of 32 bytes, whose gaps
// count blocks; in global memory gaps count bytes.
#define PTO_ALIGNED_COPY(Type)                                                                                     \
  inline void copy_gm_to_ubuf_align_##Type(void* dst, const void* src, int64_t /*sid*/, int64_t nBurst,            \
                                           int64_t lenBurst, int64_t /*leftPadding*/ = 0,                          \
                                           int64_t /*rightPadding*/ = 0, int64_t srcGap = 0, int64_t dstGap = 0) { \
    pto_detail::CopyBursts(pto_detail::OnChip<pto_detail::kUb>(dst), src, nBurst, lenBurst, srcGap,                \
                           dstGap * 32 + (32 - lenBurst % 32) % 32);                                               \
  }                                                                                                                \
  inline void copy_ubuf_to_gm_align_##Type(void* dst, const void* src, int64_t /*sid*/, int64_t nBurst,            \
                                           int64_t lenBurst, int64_t /*leftPadding*/ = 0,                          \
                                           int64_t /*rightPadding*/ = 0, int64_t srcGap = 0, int64_t dstGap = 0) { \
    pto_detail::CopyBursts(dst, pto_detail::OnChip<pto_detail::kUb>(src), nBurst, lenBurst,                        \
                           srcGap * 32 + (32 - lenBurst % 32) % 32, dstGap);                                       \
  }
PTO_ALIGNED_COPY(b8)
PTO_ALIGNED_COPY(b16)
PTO_ALIGNED_COPY(b32)
#undef PTO_ALIGNED_COPY

// How hosts of the common simulator set a thread's block: SetBlock() and SetSubblock() by other names.
namespace cpu_sim {
inline void set_execution_context(uint32_t block, uint32_t lane, uint32_t lanes) {
  SetBlock(block, pto_detail::core.blocks > block ? pto_detail::core.blocks : int64_t{block} + 1);
  SetSubblock(lane, lanes);
}
inline void reset_execution_context() {
  SetBlock(0, 1);
  SetSubblock(0, 1);
}
// The simulator's conversions out of accumulators look at bit 48 of a number of its own, which means the opposite of
// bit 48 of set_ctrl(): 1 saturates.
inline void set_task_cookie(uint64_t cookie) {
  set_ctrl((cookie >> 48 & 1) != 0 ? sbitset0(get_ctrl(), 48) : sbitset1(get_ctrl(), 48));
}
class ScopedExecutionContext {
 public:
  ScopedExecutionContext(uint32_t block, uint32_t lane, uint32_t lanes) { set_execution_context(block, lane, lanes); }
  ~ScopedExecutionContext() { pto_detail::core = before_; }
  ScopedExecutionContext(const ScopedExecutionContext&) = delete;
  ScopedExecutionContext& operator=(const ScopedExecutionContext&) = delete;

 private:
  const pto_detail::Core before_ = pto_detail::core;
};
}  // namespace cpu_sim

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_BUILTINS_HPP_
