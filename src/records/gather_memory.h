// Records of the instructions that move rows and elements of global memory by indices.
#ifndef PTO_SRC_RECORDS_GATHER_MEMORY_H_
#define PTO_SRC_RECORDS_GATHER_MEMORY_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr TypeMap kTableIndexTypes = TypeMap::Any(dtypes::kI32 | dtypes::kU32);
inline constexpr DTypeSet kTableTypes = dtypes::kComputed & ~(dtypes::kI64 | dtypes::kU64);

#define PTO_TABLE_SHAPES                                                                                              \
  "The table is seen as a matrix as TLOAD sees its source. PTO_COALESCE_ROW: idx has one row with an index for each " \
  "valid row of the tile, or (CPU and A5) one column, and the table has at least the valid columns of the tile. "     \
  "PTO_COALESCE_ELEM: idx is valid where the tile is (CPU: or in more), and an index counts the elements of the "     \
  "table row by row. An index is a number without sign: -1 is 4294967295."

inline constexpr OpInfo kMGather = {
    .id = 300,
    .name = "mgather",
    .brief = "Loads the rows, or the elements, of a tensor that indices name.",
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
        "Every bit of an element is kept. PTO_GATHER_OOB_UNDEFINED: an index that table does not have is refused "
        "before "
        "anything is written. CLAMP: it is the last row or element. WRAP: it is taken modulo the number of rows or "
        "elements. ZERO: zeros, and nothing is read.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap that of table and idx: the result is as if these had been read first.",
    .others =
        "The common simulator takes elements where no mode is said, hardware rows. Programs that leave the mode out "
        "get rows here. Into mat hardware gathers by indices in global memory, with scratch there: here idx is a tile "
        "that has been loaded, or over that memory (pto_tile_wrap), and nobody asks for scratch; C++ takes tensors.",
    .family = Family::kMemory,
    .source = "MGATHER, also from global memory to L1",
};

inline constexpr OpInfo kMScatter = {
    .id = 301,
    .name = "mscatter",
    .brief = "Stores rows, or elements, of a tile to those of a tensor that indices name, or combines them.",
    .formula =
        "table[idx[i], j] = op(table[idx[i], j], src[i,j]), or the same of table[idx[i,j] / C, idx[i,j] mod C], C = "
        "the "
        "columns of table",
    .operands = {{"table", Role::kTensorOut, "receives the elements, or is combined with them", Extent::kOwn},
                 In("src", "the elements"),
                 In("idx", Extent::kTableIndex, "to which row or element each goes", &kTableIndexTypes),
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
    .outside = "Nothing but the elements that indices name is written; an empty src is a no-op that succeeds.",
    .specials =
        "PTO_SCATTER_ATOMIC_NONE: every bit is kept, and of several elements for one place the last in row order "
        "stays, "
        "whatever conflict says. ADD, MAX and MIN: each result is that of TADD, TMAX or TMIN, all elements for one "
        "place "
        "are combined in row order, and none of another thread that combines with the same element at the same time "
        "is lost; in which order threads do is open, and with floats so are the last bits of sums then. "
        "PTO_SCATTER_OOB_UNDEFINED: an index that table does not have is refused before anything is written. SKIP: "
        "nothing is written for it. CLAMP: it is the last row or element. WRAP: it is taken modulo their number.",
    .accuracy = "Copies are exact, sums correctly rounded; integers are exact modulo 2^W.",
    .aliasing = "The memory of table may overlap that of src and idx: these are read first.",
    .others =
        "The common simulator takes elements where no mode is said, hardware rows; programs that leave the mode out "
        "get "
        "rows here. The simulator's maxima and minima of rows compare with the wrong element, and it refuses an atomic "
        "mode with PTO_SCATTER_CONFLICT_LAST, where every element counts anyway.",
    .family = Family::kMemory,
    .source = "MSCATTER",
};

#undef PTO_TABLE_SHAPES

}  // namespace pto

#endif  // PTO_SRC_RECORDS_GATHER_MEMORY_H_
