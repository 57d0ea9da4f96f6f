// Records of the instructions that move rows and elements of global memory by indices.
#ifndef PTO_SRC_RECORDS_GATHER_MEMORY_H_
#define PTO_SRC_RECORDS_GATHER_MEMORY_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr TypeMap kTableIndexTypes = TypeMap::Any(dtypes::kI32 | dtypes::kU32);
inline constexpr DTypeSet kTableTypes = dtypes::kComputed & ~(dtypes::kI64 | dtypes::kU64);

#define PTO_TABLE_SHAPES                                                                                               \
  "The table is a matrix, with the rows and columns that TLOAD uses. PTO_COALESCE_ROW: idx has one row with an index " \
  "for each valid row of the tile, or (CPU and A5) one column. The table has at least the valid columns of the tile. " \
  "PTO_COALESCE_ELEM: the valid region of idx equals the valid region of the tile (CPU: or contains it). An index "    \
  "counts the elements of the table row by row. Indices are unsigned: -1 is 4294967295."

inline constexpr OpInfo kMGather = {
    .id = 300,
    .name = "mgather",
    .brief = "Loads the rows or elements of a tensor that indices select.",
    .formula = "dst[i,j] = table[idx[i], j], or table[idx[i,j] / C, idx[i,j] mod C], C = the columns of table",
    .operands = {Out("dst", "receives the elements"),
                 {"table", Role::kTensorIn, "the tensor to choose from", Extent::kOwn},
                 In("idx", Extent::kTableIndex, "which row or element each is", &kTableIndexTypes),
                 Mode("coalesce", &kCoalesceMode, "whether an index names a row or an element"),
                 Mode("oob", &kGatherOobMode, "what an index gives that table does not have"),
                 Flags()},
    .cpp_template = "dst table idx | coalesce dst table idx | coalesce oob dst table idx",
    .walk = Walk::kTableGather,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = kTableTypes, .a5 = kTableTypes | dtypes::kFloat8},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {Rule::kTablePlace, Rule::kTableCovers, {Rule::kTableLayout, profiles::kHardware}, Rule::kTableRange},
    .sources = {{Rule::kTablePlace, profiles::kEvery, sources::kDocument}},
    .shapes = PTO_TABLE_SHAPES,
    .specials =
        "All bits of an element are kept. An index out of range: PTO_GATHER_OOB_UNDEFINED reports an error before "
        "anything is written. CLAMP uses the last row or element. WRAP takes the index modulo the number of rows or "
        "elements. ZERO gives zeros and reads nothing.",
    .accuracy = "Exact.",
    .aliasing =
        "The memory of dst may overlap the memory of table and idx: the result is as if table and idx were read first.",
    .others =
        "The common simulator takes elements where no mode is said, hardware rows. Programs that leave the mode out "
        "get rows here. Into mat hardware gathers by indices in global memory, with scratch there: here idx is a "
        "tile that has been loaded, or over that memory (pto_tile_wrap), and no scratch is needed; C++ takes tensors.",
    .family = Family::kMemory,
    .source = "MGATHER, also from global memory to L1",
};

inline constexpr OpInfo kMScatter = {
    .id = 301,
    .name = "mscatter",
    .brief = "Stores or combines rows or elements of a tile into the rows or elements of a tensor that indices select.",
    .formula =
        "table[idx[i], j] = op(table[idx[i], j], src[i,j]), or the same of table[idx[i,j] / C, idx[i,j] mod C], C = "
        "the "
        "columns of table",
    .operands = {{"table", Role::kTensorOut, "receives the elements, or is combined with them", Extent::kOwn},
                 In("src", "the elements"),
                 In("idx", Extent::kTableIndex, "the row or element to which each is written", &kTableIndexTypes),
                 Mode("coalesce", &kCoalesceMode, "whether an index names a row or an element"),
                 Mode("atomic", &kScatterAtomicMode, "whether elements take their place, or are combined"),
                 Mode("oob", &kScatterOobMode, "what becomes of what has an index that table does not have"),
                 Mode("conflict", &kScatterConflictMode, "which of several elements for one place stays"),
                 Flags()},
    .cpp_template =
        "table src idx | coalesce table src idx | coalesce atomic table src idx | "
        "coalesce atomic oob table src idx | coalesce atomic oob conflict table src idx",
    .lead = 1,
    .walk = Walk::kTableScatter,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kMoved, .a2a3 = kTableTypes, .a5 = kTableTypes | dtypes::kFloat8},
    .rules = {Rule::kTableCovers,
              {Rule::kTableLayout, profiles::kHardware},
              {Rule::kAtomicDType, profiles::kHardware},
              {Rule::kAtomicDType, profiles::kCpu, dtypes::kSmall},
              Rule::kTableRange},
    .shapes = PTO_TABLE_SHAPES,
    .outside =
        "Only the elements that indices select are written. With an empty src the call succeeds and does nothing.",
    .specials =
        "PTO_SCATTER_ATOMIC_NONE: all bits are kept. If several elements have the same index, the last one in row "
        "order stays, for every value of conflict. ADD, MAX and MIN combine elements as TADD, TMAX or TMIN, in row "
        "order. Updates of the same element by several threads are atomic; their order is not defined, so the last "
        "bits of float sums may vary then. An index out of range: PTO_SCATTER_OOB_UNDEFINED reports an error before "
        "anything is written. SKIP writes nothing. CLAMP uses the last row or element. WRAP takes the index modulo "
        "their number.",
    .accuracy = "Copies are exact, sums are correctly rounded. Integers: exact modulo 2^W.",
    .aliasing = "The memory of table may overlap the memory of src and idx, which are read first.",
    .others =
        "The common simulator takes elements where no mode is said, hardware rows; programs that leave the mode out "
        "get "
        "rows here. The simulator's maxima and minima of rows compare with the wrong element. The simulator refuses an "
        "atomic "
        "mode with PTO_SCATTER_CONFLICT_LAST, where every element counts anyway.",
    .family = Family::kMemory,
    .source = "MSCATTER",
};

#undef PTO_TABLE_SHAPES

}  // namespace pto

#endif  // PTO_SRC_RECORDS_GATHER_MEMORY_H_
