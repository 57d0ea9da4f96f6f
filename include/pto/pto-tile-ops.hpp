// Intrinsics on tiles as such, which no record of the op table describes: TPRINT.
// Include pto-inst.hpp, which includes this file.
#ifndef PTO_PTO_TILE_OPS_HPP_
#define PTO_PTO_TILE_OPS_HPP_

#include "pto/pto-issue.hpp"

namespace pto {
inline namespace PTO_CPP_ABI {

// Prints the valid region of a tile to the output of the thread's context, which Output() answers.
template <PrintFormat Format = PrintFormat::Width8_Precision4, typename TileData>
inline void TPRINT(TileData& src) {
  static_assert(detail::kIsTile<TileData>, "TPRINT: src is a tile [operand-kind]");
  static_assert(Format <= PrintFormat::Width10_Precision6, "TPRINT: the format is a value of PrintFormat [mode]");
  pto_context* const ctx = CurrentContext();
  pto_tile* const tile = ctx == nullptr ? nullptr : src.handle();
  if (tile != nullptr && pto_tprint(ctx, tile, static_cast<pto_print_format>(Format)) != PTO_OK) detail::RaiseFrom(ctx);
}

// The same where hardware needs scratch in global memory, which is not touched here.
template <PrintFormat Format = PrintFormat::Width8_Precision4, typename TileData, typename GlobalData>
inline void TPRINT(TileData& src, GlobalData& tmp) {
  constexpr bool kTensor = detail::kIsTensor<GlobalData>;  // shorter in the message of a compiler
  static_assert(kTensor, "TPRINT: tmp is a GlobalTensor [operand-kind]");
  (void)tmp;
  TPRINT<Format>(src);
}

}  // namespace PTO_CPP_ABI
}  // namespace pto

#endif  // PTO_PTO_TILE_OPS_HPP_
