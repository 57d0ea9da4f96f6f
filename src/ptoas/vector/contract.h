// What the pages of docs/vector/ state about operations besides their rows: names of operands, inactive lanes, special
// values. Only the generator of these pages (src/gen/gen_vector.h) includes it, so the library does not hold it. The
// special values are run by tests/docs/test_vector_pages.py.
#ifndef PTO_SRC_PTOAS_VECTOR_CONTRACT_H_
#define PTO_SRC_PTOAS_VECTOR_CONTRACT_H_

#include <string_view>

#include "src/ptoas/vector/op.h"

namespace pto::ptoas::vec {

// A page: the operations of a family. The example is examples/vector/FILE.pto.
struct FamilyPage {
  Family family;
  std::string_view file, title;
  std::string_view about;     // of the page
  std::string_view inactive;  // of operations that say nothing else
};

inline constexpr std::string_view kZeroLanes = "Inactive lanes of the result are 0.";
inline constexpr std::string_view kNoLanes = "There is no mask.";

inline constexpr FamilyPage kFamilyPages[] = {
    {Family::kUnary, "unary", "One register",
     "Operations on the lanes of one register. Their results have the same bits as the tile instructions give.",
     kZeroLanes},
    {Family::kBinary, "binary", "Two registers",
     "Operations on the lanes of two registers. Their results have the same bits as the tile instructions give.",
     kZeroLanes},
    {Family::kScalar, "scalar", "A register and a scalar",
     "Operations on each lane and one number. The number has the type of the lanes, or the signless integer of their "
     "width; "
     "counts of shifts are i16.",
     kZeroLanes},
    {Family::kConvert, "convert", "Conversions",
     "Operations that make other elements: `vcvt` converts values, `vtrc` rounds, `vbitcast` keeps the bits.",
     kZeroLanes},
    {Family::kCompare, "compare", "Compares",
     "Operations that compare lanes and make a mask. The mask operand is a seed: only its lanes can be set.",
     "The bits of inactive lanes are 0."},
    {Family::kReduce, "reduce", "Sums and extremes",
     "Operations across the lanes of a register. The order of sums is fixed, so the bits are the same everywhere.",
     "Inactive lanes do not count. Lanes without a result are 0."},
    {Family::kMove, "move", "Moves",
     "Operations that place lanes elsewhere, repeat them or select them. They copy bits.", kNoLanes},
    {Family::kMask, "mask", "Masks",
     "Operations that make, combine, load and store masks. A mask has 256 bits, one for each byte of a register. A "
     "lane of W "
     "bits owns W / 8 of them, and its lowest one counts. `PAT_ALL` sets all lanes, `PAT_ALLF` none, `PAT_VL3` the "
     "first three. `PAT_H` "
     "sets the low half, `PAT_Q` the low quarter, `PAT_M3` every third lane and `PAT_M4` every fourth, from lane 0 on.",
     kNoLanes},
    {Family::kLoad, "load", "Loads",
     "Operations that fill registers from UB. Offsets count elements of the pointer's type; a distribution works on "
     "bytes, "
     "and its suffix gives the width of the elements in memory ([table](../vector.md#memory)).",
     kNoLanes},
    {Family::kStore, "store", "Stores",
     "Operations that write registers to UB. Offsets count elements of the pointer's type. [A "
     "table](../vector.md#memory) has the "
     "distributions.",
     "Memory under inactive lanes is not written."},
    {Family::kStream, "stream", "Unaligned streams",
     "Operations that load and store at any address. A `!pto.align` is the state between one address and the next.",
     kNoLanes},
    {Family::kGather, "gather", "Gather and scatter",
     "Operations that access UB at addresses from a register. Indices count elements from the pointer.",
     "Inactive lanes of the result are 0; their addresses are not accessed."},
    {Family::kCopy, "copy", "Copies",
     "Operations that copy bytes between global memory and UB, in bursts. Lengths and strides are bytes, from start to "
     "start.",
     "There are no lanes."},
    {Family::kPointer, "pointer", "Pointers",
     "`pto.castptr` makes pointers into on-chip memories. `pto.addptr`, `pto.load_scalar` and `pto.store_scalar` use "
     "them "
     "([PTO-AS](../ptoas.md)).",
     "There are no lanes."},
    {Family::kState, "state", "Special registers and order",
     "Operations on the control word of the core, on the registers of older copies, and the barrier between accesses "
     "to UB.",
     "There are no lanes."},
    {Family::kSort, "sort", "Sorting",
     "Operations that sort and merge records in UB. A record has 8 bytes: the score in the low word, an index in the "
     "high word.",
     "There are no lanes."},
    {Family::kCube, "cube", "The cube",
     "Products of matrices, and the copies from and to the memories of the cube core. [The cube below "
     "tiles](../vector-cube.md) "
     "describes the memories, the boxes and the clauses.",
     "There are no lanes."},
    {Family::kSimt, "simt", "SIMT",
     "Statements that work items execute, side by side. [SIMT](../simt.md) describes functions of work items, their "
     "groups and launches.",
     "There are no lanes."},
};

// Special values: "inf 1 = inf; ..." are the numbers of the first operands and, after "=", of the result, in f32.
struct Contract {
  std::string_view name;
  std::string_view special = {};
  std::string_view inactive = {};
  std::string_view names = {};  // of its operands
  std::string_view more = {};   // further sentences
};

inline constexpr std::string_view kSumSpecial = "inf -inf = nan; nan 1 = nan; -0 -0 = -0; 0 -0 = 0; 3e38 3e38 = inf";
inline constexpr std::string_view kDifferenceSpecial = "inf inf = nan; nan 1 = nan; -0 0 = -0; 1 1 = 0";
inline constexpr std::string_view kProductSpecial = "0 inf = nan; -0 1 = -0; nan 0 = nan; 3e38 -10 = -inf";
inline constexpr std::string_view kLargerSpecial = "nan 1 = nan; 1 nan = nan; 0 -0 = 0; -0 0 = 0; -inf 1 = 1";
inline constexpr std::string_view kSmallerSpecial = "nan 1 = nan; 1 nan = nan; 0 -0 = -0; -0 0 = -0; inf 1 = 1";
inline constexpr std::string_view kSlopeSpecial = "nan 2 = nan; -inf 2 = -inf; -0 2 = -0; inf 2 = inf; -1 nan = nan";
inline constexpr std::string_view kEndOfStream =
    "The address is the end of the last step. Hardware writes the bytes that are left over; libpto wrote them with the "
    "step.";
inline constexpr std::string_view kMaskLoads =
    "`NORM` reads 32 bytes. `US` reads 16 and doubles each bit; `DS` reads 64 and takes every second bit.";
inline constexpr std::string_view kMaskStores = "`NORM` writes 32 bytes. `PK` writes 16: every second bit.";
inline constexpr std::string_view kLongPattern = "A pattern with more lanes than the mask has sets all of them.";
inline constexpr std::string_view kCarryLanes = "Inactive lanes of the result are 0, and so are their carries.";
inline constexpr std::string_view kUnordered = "NaN makes every relation false except `ne`. -0 equals 0.";
inline constexpr std::string_view kKeepsLanes = "Every lane has a count, active or not.";
inline constexpr std::string_view kPlaces =
    "With `width = 16` a group has two parts, in which places count from 0. Where no work item is, the own number is "
    "the "
    "result.";
inline constexpr std::string_view kOneBlock = "A block whose bit is not set is 0; its address is not accessed.";

// In the order of names.
inline constexpr Contract kContracts[] = {
    {.name = "atomic_add", .names = "p a"},
    {.name = "atomic_and", .names = "p a"},
    {.name = "atomic_cas", .names = "p old new", .more = "Of vectors all elements have to agree."},
    {.name = "atomic_exch", .names = "p a"},
    {.name = "atomic_max", .names = "p a", .more = "A number wins against NaN."},
    {.name = "atomic_min", .names = "p a", .more = "A number wins against NaN."},
    {.name = "atomic_or", .names = "p a"},
    {.name = "atomic_sub", .names = "p a"},
    {.name = "atomic_xor", .names = "p a"},
    {.name = "convert",
     .more = "S and T are one of `f16`, `bf16`, `f32` and one of `i32`, `i64`; or two of these floats; or "
             "`vector<2xf32>` and a vector of two halves; or from `vector<2xf32>` to `vector<2xf8E4M3FN>` or "
             "`vector<2xf8E5M2>`. [SIMT](../simt.md#numbers) describes the words."},
    {.name = "copy_cbuf_to_fbuf", .names = "src dst count length src_gap dst_gap"},
    {.name = "copy_cbuf_to_ubuf", .names = "src dst core count length src_gap dst_gap"},
    {.name = "copy_gm_to_cbuf", .names = "src dst count length src_stride dst_stride"},
    {.name = "copy_gm_to_ubuf",
     .names = "src dst id count length left right select cache src_stride dst_stride",
     .more = "Padding takes no value here. `set_loop*_outtoub` sets the loops."},
    {.name = "copy_ubuf_to_cbuf", .names = "src dst id count length src_gap dst_gap"},
    {.name = "copy_ubuf_to_gm",
     .names = "src dst id count length reserved dst_stride src_stride",
     .more = "The stride of the destination is first. `set_loop*_ubtoout` sets the loops."},
    {.name = "copy_ubuf_to_ubuf", .names = "src dst id count length src_gap dst_gap"},
    {.name = "init_align", .more = "Every chain of `vstus`, `vstur` or `pstu` begins with it."},
    {.name = "keep", .more = "Numbers of 64 bits take two slots."},
    {.name = "mad", .names = "left right acc m n k"},
    {.name = "mad_acc", .names = "left right acc m n k"},
    {.name = "mad_bias", .names = "left right acc bias m n k"},
    {.name = "mad_mx", .names = "left right acc m n k"},
    {.name = "mad_mx_acc", .names = "left right acc m n k"},
    {.name = "mad_mx_bias", .names = "left right acc bias m n k"},
    {.name = "mem_bar",
     .more = "Words are `WHAT_WHAT`: accesses before it, then accesses after it. `V` are vector "
             "accesses, `S` scalar ones. `pto run --sync` reports a barrier that is missing."},
    {.name = "mte_gm_l1", .names = "src dst bytes"},
    {.name = "mte_gm_l1_frac", .names = "src dst"},
    {.name = "mte_gm_ub",
     .names = "src dst cache bytes",
     .more =
         "The third operand is a cache hint and has no effect. `pad(value, left, right)` fills `left` elements before "
         "the data, `right` elements after it, and the rest of the last block of 32 bytes. `loop` repeats the bursts; "
         "the "
         "first one is the inner one."},
    {.name = "mte_l0c_gm", .names = "acc dst m n acc_rows stride id cache"},
    {.name = "mte_l0c_l1", .names = "acc dst m n acc_rows stride"},
    {.name = "mte_l0c_ub", .names = "acc dst m n acc_rows stride"},
    {.name = "mte_l1_bt", .names = "src dst length"},
    {.name = "mte_l1_fb", .names = "src dst length"},
    {.name = "mte_l1_l0a", .names = "src dst m k"},
    {.name = "mte_l1_l0a_mx", .names = "src dst m k"},
    {.name = "mte_l1_l0b", .names = "src dst k n"},
    {.name = "mte_l1_l0b_mx", .names = "src dst k n"},
    {.name = "mte_l1_ub", .names = "src dst length"},
    {.name = "mte_ub_gm", .names = "src dst bytes"},
    {.name = "mte_ub_l1", .names = "src dst length"},
    {.name = "mte_ub_ub", .names = "src dst blocks"},
    {.name = "pand", .inactive = "Bits outside the mask are 0.", .names = "a b mask"},
    {.name = "pldi", .more = kMaskLoads},
    {.name = "plds", .more = kMaskLoads},
    {.name = "plt_b16", .more = "The number is read as unsigned 32 bits."},
    {.name = "plt_b32", .more = "The number is read as unsigned 32 bits."},
    {.name = "plt_b8", .more = "The number is read as unsigned 32 bits."},
    {.name = "pnot", .inactive = "Bits outside the mask are 0.", .names = "a mask"},
    {.name = "por", .inactive = "Bits outside the mask are 0.", .names = "a b mask"},
    {.name = "psel", .inactive = "Bits outside the mask come from the second operand.", .names = "a b mask"},
    {.name = "pset_b16", .more = kLongPattern},
    {.name = "pset_b32", .more = kLongPattern},
    {.name = "psti", .more = kMaskStores},
    {.name = "psts", .more = kMaskStores},
    {.name = "pstu", .more = "8 bytes of a b32 mask, 16 of a b16 mask. End the stream with `vstas`."},
    {.name = "pxor", .inactive = "Bits outside the mask are 0.", .names = "a b mask"},
    {.name = "redux_add", .more = "Floats round after each number."},
    {.name = "redux_max", .more = "A number wins against NaN."},
    {.name = "redux_min", .more = "A number wins against NaN."},
    {.name = "resume", .more = "Numbers of 64 bits take two slots."},
    {.name = "shuffle_bfly", .names = "a place", .more = kPlaces},
    {.name = "shuffle_down", .names = "a places", .more = kPlaces},
    {.name = "shuffle_idx", .names = "a place", .more = kPlaces},
    {.name = "shuffle_up", .names = "a places", .more = kPlaces},
    {.name = "store_vfsimt_info", .names = "z y x"},
    {.name = "threadfence", .more = "It has no effect: memory is in order."},
    {.name = "threadfence_block", .more = "It has no effect: memory is in order."},
    {.name = "vabs", .special = "-0 = 0; -inf = inf; nan = nan"},
    {.name = "vadd", .special = kSumSpecial},
    {.name = "vaddc", .inactive = kCarryLanes},
    {.name = "vaddcs", .inactive = kCarryLanes, .names = "a b carry mask"},
    {.name = "vaddrelu", .special = "inf -inf = nan; -1 -1 = 0; -0 -0 = 0"},
    {.name = "vadds", .special = kSumSpecial},
    {.name = "vaxpy", .inactive = "Inactive lanes keep the second register.", .names = "a b s mask"},
    {.name = "vcadd",
     .more = "Integers of 8 and 16 bits make a sum of twice their width. Without an active lane the sum is 0."},
    {.name = "vcmax", .more = "The number is the one of the first such lane."},
    {.name = "vcmin", .more = "The number is the one of the first such lane."},
    {.name = "vcmp", .names = "a b seed", .more = kUnordered},
    {.name = "vcmps", .names = "a s seed", .more = kUnordered},
    {.name = "vcvt",
     .inactive = "The mask belongs to the lanes of the source. An inactive lane makes a 0.",
     .more = "With `part`, registers have lanes of other widths. To narrower elements, lane i is written to lane k * i "
             "+ part, "
             "where k is the ratio of the widths, and the others are 0. To wider elements, lane i is read from lane k "
             "* i + "
             "part."},
    {.name = "vdiv", .special = "0 0 = nan; 1 0 = inf; 1 -0 = -inf; 1 inf = 0; inf inf = nan; nan 1 = nan"},
    {.name = "vdup",
     .inactive = "Inactive lanes of the result are 0.",
     .more = "Of a register it repeats lane 0, or the last lane with `position = \"HIGHEST\"`."},
    {.name = "vexp", .special = "-inf = 0; inf = inf; nan = nan; 0 = 1; -0 = 1; 89 = inf"},
    {.name = "vexpdif", .special = "1 1 = 1; inf inf = nan; -inf 0 = 0; nan 0 = nan"},
    {.name = "vln", .special = "0 = -inf; -0 = -inf; -1 = nan; 1 = 0; inf = inf; nan = nan"},
    {.name = "vlrelu", .special = "nan 2 = nan; -inf 2 = -inf; -0 2 = -0; inf 2 = inf"},
    {.name = "vmax", .special = kLargerSpecial},
    {.name = "vmaxs", .special = kLargerSpecial},
    {.name = "vmin", .special = kSmallerSpecial},
    {.name = "vmins", .special = kSmallerSpecial},
    {.name = "vmul", .special = kProductSpecial},
    {.name = "vmula", .inactive = "Inactive lanes keep the first register.", .names = "c a b mask"},
    {.name = "vmuls", .special = kProductSpecial},
    {.name = "vneg", .special = "0 = -0; -inf = inf; nan = nan"},
    {.name = "vprelu", .special = kSlopeSpecial},
    {.name = "vrec", .special = "0 = inf; -0 = -inf; inf = 0; -inf = -0; nan = nan"},
    {.name = "vrelu", .special = "nan = nan; -0 = 0; -inf = 0; inf = inf"},
    {.name = "vrsqrt", .special = "0 = inf; -0 = -inf; -1 = nan; inf = 0; nan = nan"},
    {.name = "vscatter",
     .inactive = "Nothing is written for inactive lanes.",
     .more = "Of equal indices the highest lane wins."},
    {.name = "vsel", .inactive = "Inactive lanes come from the second register."},
    {.name = "vsldb",
     .inactive = kOneBlock,
     .names = "ptr stride start mask",
     .more = "Block b is at 32 * (start + b * stride) bytes. Lane b of a b32 mask belongs to it."},
    {.name = "vsqrt", .special = "0 = 0; -0 = -0; -1 = nan; inf = inf; nan = nan"},
    {.name = "vsqz", .inactive = "Inactive lanes are left out; the rest of the result is 0."},
    {.name = "vsstb",
     .inactive = "A block whose bit is not set is not written.",
     .names = "v ptr stride start mask",
     .more =
         "Block b is written to 32 * (start + b * stride) bytes. Lane b of a b32 mask belongs to it. With a result the "
         "blocks "
         "begin at the pointer, which advances by 32 * start bytes."},
    {.name = "vstar", .more = kEndOfStream},
    {.name = "vstas", .more = kEndOfStream},
    {.name = "vstsx2", .inactive = "The mask has no effect: all 512 bytes are written."},
    {.name = "vstur", .more = "Address register AR counts the bytes; `pto.sprclr \"AR\"` clears it."},
    {.name = "vstus", .names = "align count v ptr", .more = "The number is how far the stream advances, in lanes."},
    {.name = "vsub", .special = kDifferenceSpecial},
    {.name = "vsubc", .inactive = kCarryLanes},
    {.name = "vsubcs", .inactive = kCarryLanes, .names = "a b carry mask"},
    {.name = "vsubrelu", .special = "inf inf = nan; 1 2 = 0; -0 0 = 0"},
    {.name = "vsubs", .special = kDifferenceSpecial},
    {.name = "vtrc", .special = "2.5 = 2; -0.25 = -0; inf = inf; nan = nan", .more = "The table shows mode `R`."},
    {.name = "vusqz", .inactive = kKeepsLanes, .more = "The lanes of the source have no effect."},
};

}  // namespace pto::ptoas::vec

#endif  // PTO_SRC_PTOAS_VECTOR_CONTRACT_H_
