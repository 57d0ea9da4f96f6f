// The rows of the vector level: registers, masks, UB. The cube has rows_cube.h, SIMT rows_simt.h.
#ifndef PTO_SRC_PTOAS_VECTOR_ROWS_H_
#define PTO_SRC_PTOAS_VECTOR_ROWS_H_

#include <array>

#include "src/ptoas/vector/row_makers.h"
#include "src/ptoas/vector/rows_cube.h"
#include "src/ptoas/vector/rows_simt.h"

namespace pto::ptoas::vec::rows {

// In the order of names.
inline constexpr Op kVectorOps[] = {
    Judged(In(Make("castptr", Family::kPointer, "x", "x", kAny,
                   "The same address with other elements; an integer names a byte of the memory."),
              Scope::kAnywhere),
           Also::kCastPtr),
    Copy("copy_gm_to_ubuf", "g p i i i i i i i i i", {}, "mte_gm_ub as it was written before."),
    Copy("copy_ubuf_to_gm", "p g i i i i i i", {}, "mte_ub_gm as it was written before."),
    Copy("copy_ubuf_to_ubuf", "p p i i i i i", {}, "mte_ub_ub as it was written before."),
    State("get_ctrl", "", "i", "The control word of the core; at the start only bit 48 is set."),
    In(Make("get_vms4_sr", Family::kSort, "", "i i i i", kAny,
            "How many records the last vmrgsort4 took of each list."),
       Scope::kAnywhere),
    In(Make("init_align", Family::kStream, "", "a", kAny, "An empty stream, with which unaligned stores begin."),
       Scope::kAnywhere),
    Worded(Make("mem_bar", Family::kState, "\"kind", "", kAny, "Orders accesses of the scope to UB."), &kBar),
    Copy("mte_gm_ub", "g p i i", kBursts, "Copies bursts of bytes from global memory into UB."),
    Copy("mte_ub_gm", "p g i", kWithoutPad, "Copies bursts of bytes from UB into global memory."),
    Copy("mte_ub_ub", "p p i", kBurstOnly, "Copies bursts of 32-byte blocks within UB."),
    Masks("pand", "n n n", "n", "(a & b) & mask, on all 256 bits."),
    Masks("pbitcast", "n", "n", "The same bits as a mask of another granularity."),
    Masks("pdintlv_b16", "m16 m16", "m16 m16", "Even lanes of both masks, then odd ones."),
    Masks("pdintlv_b32", "m32 m32", "m32 m32", "Even lanes of both masks, then odd ones."),
    Masks("pdintlv_b8", "m8 m8", "m8 m8", "Even lanes of both masks, then odd ones."),
    Worded(Masks("pge_b16", "\"pattern", "m16", "A mask of a pattern."), &kPattern),
    Worded(Masks("pge_b32", "\"pattern", "m32", "A mask of a pattern."), &kPattern),
    Worded(Masks("pge_b8", "\"pattern", "m8", "A mask of a pattern."), &kPattern),
    Masks("pintlv_b16", "m16 m16", "m16 m16", "Lanes of both masks in turn."),
    Masks("pintlv_b32", "m32 m32", "m32 m32", "Lanes of both masks in turn."),
    Masks("pintlv_b8", "m8 m8", "m8 m8", "Lanes of both masks in turn."),
    Worded(Masks("pldi", "P: \"dist", "n", "A mask from its 256 bits in UB; the offset is a constant."), &kMaskLoad),
    Worded(Masks("plds", "P: \"dist", "n", "A mask from its 256 bits in UB."), &kMaskLoad),
    Masks("plt_b16", "i", "m16 i", "The first lanes, up to the number; and what is left of the number."),
    Masks("plt_b32", "i", "m32 i", "The first lanes, up to the number; and what is left of the number."),
    Masks("plt_b8", "i", "m8 i", "The first lanes, up to the number; and what is left of the number."),
    Masks("pnot", "n n", "n", "~a & mask, on all 256 bits."),
    Masks("por", "n n n", "n", "(a | b) & mask, on all 256 bits."),
    Judged(Worded(Masks("ppack", "n \"part", "n", "Every second bit, into one half; the other half is 0."), &kHalf),
           Also::kMaskStep),
    Masks("psel", "n n n", "n", "a where the mask is set, else b, on all 256 bits."),
    Worded(Masks("pset_b16", "\"pattern", "m16", "A mask of a pattern."), &kPattern),
    Worded(Masks("pset_b32", "\"pattern", "m32", "A mask of a pattern."), &kPattern),
    Worded(Masks("pset_b8", "\"pattern", "m8", "A mask of a pattern."), &kPattern),
    Worded(Masks("psti", "n P: \"dist", "", "The 256 bits of a mask to UB; the offset is a constant."), &kMaskStore),
    Worded(Masks("psts", "n P: \"dist", "", "The 256 bits of a mask to UB."), &kMaskStore),
    Judged(Make("pstu", Family::kStream, "a n p", "a p", kAny, "One bit for each lane of a mask to UB, densely."),
           Also::kDense),
    Judged(Worded(Masks("punpack", "n \"part", "n", "The bits of one half, each followed by a 0."), &kHalf),
           Also::kMaskStep),
    Masks("pxor", "n n n", "n", "(a ^ b) & mask, on all 256 bits."),
    State("sbitset0", "i i", "i", "An integer with one bit cleared."),
    State("sbitset1", "i i", "i", "An integer with one bit set."),
    State("set_ctrl", "i", "", "Sets the control word of the core."),
    State("set_loop1_stride_outtoub", "i i", "", "Strides of the first loop of copy_gm_to_ubuf."),
    State("set_loop1_stride_ubtoout", "i i", "", "Strides of the first loop of copy_ubuf_to_gm."),
    State("set_loop2_stride_outtoub", "i i", "", "Strides of the second loop of copy_gm_to_ubuf."),
    State("set_loop2_stride_ubtoout", "i i", "", "Strides of the second loop of copy_ubuf_to_gm."),
    State("set_loop_size_outtoub", "i i", "", "Rounds of the second and the first loop of copy_gm_to_ubuf."),
    State("set_loop_size_ubtoout", "i i", "", "Rounds of the second and the first loop of copy_ubuf_to_gm."),
    Worded(Make("sprclr", Family::kState, "\"spr", "", kAny, "Clears a special register."), &kSpecial),
    Unary("vabs", kTo32 | kFloat, "|a|. The least integer stays; of floats the sign bit is cleared."),
    Binary("vadd", kAny, "a + b. Integers wrap; floats round once."),
    Judged(Make("vaddc", Family::kBinary, "v v m32", "v m32", kInt32, "a + b and the carries."), Also::kCarry),
    Judged(Make("vaddcs", Family::kBinary, "v v m32 m32", "v m32", kInt32, "a + b + carry and the carries."),
           Also::kCarry),
    Binary("vaddrelu", kI32 | kFine, "max(a + b, 0)."),
    Refused("vaddreluconv", kNoMeaning),
    WithScalar("vadds", kTo32 | kFloat, "a + s."),
    Binary("vand", kAny, "a & b, of the bits of any elements."),
    WithScalar("vands", kInts, "a & s."),
    Make("vaxpy", Family::kScalar, "v v s m", "v", kFine, "s * a + b, rounded once. Inactive lanes keep b."),
    Unary("vbcnt", kTo32, "The number of bits set."),
    Judged(Make("vbitcast", Family::kConvert, "v", "w", kAny, "The same 256 bytes with other elements."),
           Also::kBitcast),
    In(Make("vbitsort", Family::kSort, "p p p i", "", kAny,
            "Groups of 32 scores, each sorted in descending order with its indices, as records of 8 bytes."),
       Scope::kOutside),
    Judged(Make("vbr", Family::kMove, "s", "v", kTo32 | kFloat, "A scalar in every lane."), Also::kBroadcast),
    Judged(Make("vcadd", Family::kReduce, "v m", "w", kTo32 | kFine,
                "The sum of the active lanes in lane 0; neighbours first, then neighbouring sums."),
           Also::kWiden),
    Reduce("vcgadd", kInt16 | kInt32 | kFine, "The sum of each 32-byte group in lanes 0 to 7."),
    Reduce("vcgmax", kInt16 | kInt32 | kFine, "The largest of each 32-byte group in lanes 0 to 7."),
    Reduce("vcgmin", kInt16 | kInt32 | kFine, "The smallest of each 32-byte group in lanes 0 to 7."),
    Judged(Keyed(Make("vci", Family::kMove, "s", "v", kI8 | kI16 | kI32 | kFine, "s, s + 1, s + 2 ..., or downwards."),
                 &kOrder),
           Also::kBroadcast),
    Refused("vcls", kNoMeaning),
    Reduce("vcmax", kInt16 | kInt32 | kFine, "The largest active lane in lane 0, its number in the bits of lane 1."),
    Reduce("vcmin", kInt16 | kInt32 | kFine, "The smallest active lane in lane 0, its number in the bits of lane 1."),
    Worded(Make("vcmp", Family::kCompare, "v v m \"cmp_mode", "m", kTo32 | kFloat, "seed & (a REL b)."), &kCmp),
    Worded(Make("vcmps", Family::kCompare, "v s m \"cmp_mode", "m", kTo32 | kFloat, "seed & (a REL s)."), &kCmp),
    Reduce("vcpadd", kFine, "Sums of neighbours in the low half, 0 in the high half."),
    Judged(Keyed(Make("vcvt", Family::kConvert, "v m", "w", kAny, "Elements of another type."), &kRnd, &kSat, &kPart),
           Also::kConvert),
    Make("vdintlv", Family::kMove, "v v", "v v", kTo32 | kFloat, "Even lanes of both registers, then odd ones."),
    Refused("vdintlvv2", kNoHardware),
    Binary("vdiv", kFine, "a / b, correctly rounded."),
    Judged(
        Keyed(Make("vdup", Family::kMove, "d m?", "v", kTo32 | kFloat, "A scalar, or one lane, in every active lane."),
              &kPosition),
        Also::kDup),
    Unary("vexp", kFine, "e ** a."),
    Judged(Worded(Make("vexpdif", Family::kBinary, "v v m \"part", "w", kFine,
                       "e ** (a - b) as f32; of f16 the even or the odd lanes."),
                  &kParity),
           Also::kExpDif),
    Judged(Make("vgather2", Family::kGather, "p w c", "v", kInt16 | kInt32 | kFine | kBF16,
                "Elements of UB at the indices of a register."),
           Also::kIndex),
    Judged(Make("vgather2_bc", Family::kGather, "p w m", "v", kInt32 | kF32, "vgather2 by another name."),
           Also::kIndex),
    Judged(Make("vgatherb", Family::kGather, "p w m32", "v", kInt32 | kF32,
                "32-byte blocks of UB at the byte offsets of lanes 0 to 7."),
           Also::kIndex),
    Make("vintlv", Family::kMove, "v v", "v v", kTo32 | kFloat, "Lanes of both registers in turn."),
    Refused("vintlvv2", kNoHardware),
    Make("vldas", Family::kStream, "P?", "a", kAny, "Begins a stream of unaligned loads."),
    Keyed(Make("vlds", Family::kLoad, "P", "v p?", kAny, "A register from UB, spread by the distribution."),
          &kLoadDist),
    Older(Keyed(Make("vlds_post", Family::kLoad, "P", "v p", kAny, "vlds with a second result."), &kLoadDist), "vlds"),
    Worded(Make("vldsx2", Family::kLoad, "P: \"dist", "v v", kAny, "Two registers from 512 bytes of UB, taken apart."),
           &kSplit),
    Make("vldus", Family::kStream, "P? a", "v a p?", kAny, "A register from any address of UB."),
    Make("vln", Family::kUnary, "v m", "v", kFine, "The natural logarithm of a."),
    WithScalar("vlrelu", kFine, "a where a >= 0, else s * a."),
    Binary("vmax", kTo32 | kFloat, "The larger; NaN is larger than all, +0 than -0."),
    WithScalar("vmaxs", kTo32 | kFloat, "The larger of a and s."),
    Binary("vmin", kTo32 | kFloat, "The smaller; NaN is smaller than all, -0 than +0."),
    WithScalar("vmins", kTo32 | kFloat, "The smaller of a and s."),
    Unary("vmov", kAny, "a."),
    Refused("vmrgsort", kNoMeaning),
    In(Make("vmrgsort4", Family::kSort, "p p p p p i i", "", kAny, "Merges up to four sorted lists of records."),
       Scope::kOutside),
    Binary("vmul", kInt16 | kInt32 | kFloat, "a * b. Integers keep the low half."),
    Make("vmula", Family::kBinary, "v v v m", "v", kInt16 | kInt32 | kFloat,
         "c + a * b, rounded once. Inactive lanes keep c."),
    Refused("vmulconv", kNoMeaning),
    Make("vmull", Family::kBinary, "v v m32", "v v", kInt32, "The low and the high half of a * b."),
    WithScalar("vmuls", kInt16 | kInt32 | kFloat, "a * s."),
    Unary("vneg", kTo32 | kFloat, "-a. Integers wrap; of floats the sign bit changes."),
    Unary("vnot", kAny, "~a, of the bits of any elements."),
    Binary("vor", kAny, "a | b, of the bits of any elements."),
    WithScalar("vors", kInts, "a | s."),
    Judged(Worded(Make("vpack", Family::kMove, "v \"part", "w", kInt16 | kInt32,
                       "The low half of each lane, in one half of the register; the other half is 0."),
                  &kHalf),
           Also::kPack),
    Older(Judged(Make("vperm", Family::kMove, "v w", "v", kTo32 | kFloat, "vselr as documents called it before."),
                 Also::kIndex),
          "vselr"),
    Make("vprelu", Family::kBinary, "v v m", "v", kFine, "a where a >= 0, else a * b."),
    Unary("vrec", kFine, "1 / a, correctly rounded."),
    Unary("vrelu", kI32 | kFine, "max(a, 0). NaN stays NaN."),
    Unary("vrsqrt", kFine, "1 / sqrt(a)."),
    Judged(
        Make("vscatter", Family::kGather, "v p w m", "", kInt32 | kF32, "Elements to UB at the indices of a register."),
        Also::kIndex),
    Make("vsel", Family::kMove, "v v m", "v", kAny, "a where the mask is set, else b."),
    Judged(Make("vselr", Family::kMove, "v w", "v", kTo32 | kFloat, "Lane i is lane index[i] of a, modulo the lanes."),
           Also::kIndex),
    Refused("vselrv2", kNoMeaning),
    Refused("vshift", kNoMeaning),
    Binary("vshl", kInts, "a << b, the count modulo the width."),
    WithScalar("vshls", kInts, "a << s, the count modulo the width.", "v h m"),
    Binary("vshr", kInts, "a >> b, the count modulo the width. Signed and signless elements keep their sign."),
    WithScalar("vshrs", kInts, "a >> s, the count modulo the width.", "v h m"),
    Make("vsldb", Family::kLoad, "p i i n", "v", kAny, "Eight 32-byte blocks of UB, a stride apart."),
    Refused("vslide", kNoMeaning),
    Refused("vsort32", kNoMeaning),
    Unary("vsqrt", kFine, "The square root, correctly rounded."),
    Make("vsqz", Family::kMove, "v m", "v", kTo32 | kFloat, "The active lanes, one after another; then 0."),
    Make("vsstb", Family::kStore, "v p i i n", "p?", kAny, "Eight 32-byte blocks to UB, a stride apart."),
    Make("vstar", Family::kStream, "a p", "", kAny, "Ends a stream of vstur."),
    Make("vstas", Family::kStream, "a p i", "", kAny, "Ends a stream of vstus or pstu."),
    Judged(Keyed(Make("vsts", Family::kStore, "v P n", "p?", kAny, "The active lanes to UB, by the distribution."),
                 &kStoreDist),
           Also::kStoreMask),
    Older(Judged(Keyed(Make("vsts_post", Family::kStore, "v P n", "p", kAny, "vsts with a result."), &kStoreDist),
                 Also::kStoreMask),
          "vsts"),
    Worded(Make("vstsx2", Family::kStore, "v v P: \"dist n", "", kAny,
                "Two registers to 512 bytes of UB, element by element."),
           &kJoin),
    Worded(Make("vstur", Family::kStream, "a v p \"mode", "a", kAny, "The bytes that the last vsqz kept, to UB."),
           &kStream),
    Make("vstus", Family::kStream, "a i v p", "a", kAny, "The first lanes of a register to any address of UB."),
    Binary("vsub", kAny, "a - b. Integers wrap; floats round once."),
    Judged(Make("vsubc", Family::kBinary, "v v m32", "v m32", kInt32,
                "a - b; the mask is set where nothing was borrowed."),
           Also::kCarry),
    Judged(Make("vsubcs", Family::kBinary, "v v m32 m32", "v m32", kInt32, "a - b - (1 - carry), and the carries."),
           Also::kCarry),
    Binary("vsubrelu", kI32 | kFine, "max(a - b, 0)."),
    WithScalar("vsubs", kTo32 | kFloat, "a - s."),
    Judged(Make("vsunpack", Family::kMove, "v i", "w", kInt8 | kInt16,
                "One half of the lanes, sign-extended to twice the width."),
           Also::kUnpack),
    Refused("vtranspose", kNoMeaning),
    Worded(Make("vtrc", Family::kConvert, "v m \"round_mode", "v", kFloat,
                "a rounded to an integer; the sign of zero stays."),
           &kWhole),
    Make("vusqz", Family::kMove, "v m", "v", kI8 | kI16 | kI32, "The number of active lanes before each lane."),
    Binary("vxor", kAny, "a ^ b, of the bits of any elements."),
    WithScalar("vxors", kInts, "a ^ s."),
    Judged(Make("vzunpack", Family::kMove, "v i", "w", kInt8 | kInt16,
                "One half of the lanes, zero-extended to twice the width."),
           Also::kUnpack),
};

// All rows, in the order of names: three lists that are in this order, merged.
inline constexpr auto kOps = [] {
  std::array<Op, std::size(kVectorOps) + std::size(kCubeOps) + std::size(kSimtOps)> all;
  const std::span<const Op> lists[] = {kVectorOps, kCubeOps, kSimtOps};
  size_t next[std::size(lists)] = {};
  for (Op& op : all) {
    size_t from = std::size(lists);
    for (size_t i = 0; i < std::size(lists); ++i) {
      if (next[i] == lists[i].size()) continue;
      if (from == std::size(lists) || lists[i][next[i]].name < lists[from][next[from]].name) from = i;
    }
    op = lists[from][next[from]++];
  }
  return all;
}();

}  // namespace pto::ptoas::vec::rows

namespace pto::ptoas::vec {

inline constexpr size_t kOpCount = std::size(rows::kOps);

// An operation by its name, looked up while the program is compiled; a name that no row has does not compile.
struct OpName {
  consteval OpName(const char* name) {  // NOLINT(google-explicit-constructor)
    while (rows::kOps[id].name != name) ++id;
  }
  uint16_t id = 0;
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_ROWS_H_
