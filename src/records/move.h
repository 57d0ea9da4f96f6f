// Records of the instructions that move bits: between tiles, and between a tile
// and global memory.
#ifndef PTO_SRC_RECORDS_MOVE_H_
#define PTO_SRC_RECORDS_MOVE_H_

#include "src/records/op_info.h"

namespace pto {

inline constexpr OpInfo kTLoad = {
    .id = 7,
    .name = "tload",
    .brief = "Copies a tensor into a tile and fills the rest of the tile with its pad value.",
    .formula = "dst[i,j] = src[i,j] of the matrix that src is seen as; dst[i,j] = pad outside the valid region",
    .operands = {Out("dst", "receives the elements"), TensorIn("src", "the tensor, or a window of one"), Flags("0")},
    .walk = Walk::kLoad,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kComputed, .a5 = dtypes::kMoved | dtypes::kFloat4},
    .rules = {{Rule::kLocationLoad, profiles::kHardware},
              Rule::kSameWidth,
              Rule::kTransferCovers,
              {Rule::kTransferLayout, profiles::kHardware}},
    .sources = {{Rule::kLocationLoad, profiles::kHardware, sources::kDocument | sources::kImplementation},
                {Rule::kSameWidth, profiles::kEvery, sources::kDocument},
                {Rule::kTransferCovers, profiles::kHardware, sources::kDocument},
                {Rule::kTransferCovers, profiles::kCpu, sources::kLibrary},
                {Rule::kTransferLayout, profiles::kHardware, sources::kImplementation}},
    .shapes =
        "src is seen as a matrix: ND has its last dimension as columns and the others as rows; DN has its last but one "
        "as rows and the others, the last fastest, as columns; see pto_layout for the others. The matrix has at least "
        "the valid rows and the valid "
        "columns of dst; of a larger one the window at its origin is loaded.",
    .outside =
        "All of dst that lies outside its valid region is filled with its pad value, PTO_PAD_NULL with zeros; with an "
        "empty valid region that is the whole tile.",
    .specials =
        "Every bit is kept, those of a NaN too; types of one width are not converted. A pad of PTO_PAD_MAX is "
        "+inf and of PTO_PAD_MIN is -inf for floats, the limits of the type for integers. Floats of a byte or less are "
        "padded with zeros.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap that of src: the result is as if src had been read first.",
    .family = Family::kMemory,
    .source = "TLOAD",
};

inline constexpr OpInfo kTStore = {
    .id = 8,
    .name = "tstore",
    .brief = "Copies the valid region of a tile into a tensor.",
    .formula = "dst[i,j] = src[i,j], where dst is seen as a matrix",
    .operands = {TensorOut("dst", "receives the elements: a tensor, or a window of one"), In("src", "the tile"),
                 Flags("0")},
    .cpp_template = "src dst | phase src dst",
    .walk = Walk::kStore,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kComputed, .a5 = dtypes::kMoved | dtypes::kFloat4},
    .rules = {{Rule::kLocationLoad, profiles::kHardware},
              Rule::kSameWidth,
              {Rule::kAccDType, profiles::kHardware},
              Rule::kTransferCovers,
              Rule::kTensorOverlap,
              {Rule::kTransferLayout, profiles::kHardware}},
    .sources = {{Rule::kLocationLoad, profiles::kHardware, sources::kDocument | sources::kImplementation},
                {Rule::kSameWidth, profiles::kEvery, sources::kDocument},
                {Rule::kAccDType, profiles::kHardware, sources::kDocument},
                {Rule::kTransferCovers, profiles::kHardware, sources::kDocument},
                {Rule::kTransferCovers, profiles::kCpu, sources::kLibrary},
                {Rule::kTransferLayout, profiles::kHardware, sources::kImplementation}},
    .shapes =
        "dst is seen as a matrix as TLOAD sees its source. The matrix has at least the valid rows and the valid "
        "columns "
        "of src; into a larger one the window at its origin is stored.",
    .outside =
        "Nothing but that window of dst is written; an empty valid region is a no-op that succeeds. Strides that give "
        "two elements of the window one place are refused; elsewhere in dst they may.",
    .specials =
        "Every bit is kept, those of a NaN too; types of one width are not converted. f32 becomes f16 or bf16 where "
        "dst "
        "holds that: rounded to nearest, ties to even; what is too large becomes infinity, a NaN is canonical.",
    .accuracy = "Exact, or one rounding.",
    .aliasing = "The memory of dst may overlap that of src: the result is as if src had been read first.",
    .family = Family::kMemory,
    .source = "TSTORE",
};

inline constexpr DTypeSet kAtomicTypes =
    dtypes::kI8 | dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32;

inline constexpr OpInfo kTStoreAtomic = {
    .id = 260,
    .name = "tstore_atomic",
    .mnemonic = "tstore",
    .brief = "Copies the valid region of a tile into a tensor, or adds it to what is there.",
    .formula = "dst[i,j] = src[i,j], or dst[i,j] + src[i,j], where dst is seen as a matrix",
    .operands = {TensorOut("dst", "receives the elements, or is added to: a tensor, or a window of one"),
                 In("src", "the tile"), Mode("atomic", &kAtomicMode, "whether elements are added"), Flags("0")},
    .walk = Walk::kStore,
    .lane = Lane::kAdd,
    .dtypes = {.cpu = dtypes::kComputed, .a2a3 = kAtomicTypes, .a5 = kAtomicTypes},
    .rules = {{Rule::kLocationLoad, profiles::kHardware},
              Rule::kSameDType,
              {Rule::kAccDType, profiles::kHardware},
              Rule::kTransferCovers,
              Rule::kTensorOverlap,
              {Rule::kTransferLayout, profiles::kHardware}},
    .sources = {{Rule::kLocationLoad, profiles::kHardware, sources::kDocument | sources::kImplementation},
                {Rule::kSameDType, profiles::kEvery, sources::kDocument},
                {Rule::kAccDType, profiles::kHardware, sources::kDocument},
                {Rule::kTransferCovers, profiles::kHardware, sources::kDocument},
                {Rule::kTransferCovers, profiles::kCpu, sources::kLibrary},
                {Rule::kTransferLayout, profiles::kHardware, sources::kImplementation}},
    .shapes = "As of TSTORE.",
    .outside =
        "Nothing but that window of dst is written; an empty valid region is a no-op that succeeds. Where strides "
        "give two elements of the window one place, both are added, in row order; without addition they are refused.",
    .specials =
        "PTO_ATOMIC_ADD: each sum is that of TADD, and no addition of another thread that adds to the same element at "
        "the same time is lost; in which order threads add is open, and with floats so are the last bits then. "
        "PTO_ATOMIC_NONE: as TSTORE.",
    .accuracy = "Correctly rounded sums; integers are exact modulo 2^W.",
    .aliasing = "The memory of dst may overlap that of src: src is read first.",
    .family = Family::kMemory,
    .source = "TSTORE with AtomicType",
};

inline constexpr OpInfo kTPrefetch = {
    .id = 261,
    .name = "tprefetch",
    .brief = "Says that a tensor will be needed, and stages it in a tile.",
    .formula = "dst[i,j] = src[i,j] of the matrix that src is seen as",
    .operands = {Out("dst", "is overwritten"), TensorIn("src", "the tensor, or a window of one"), Flags("0")},
    .walk = Walk::kLoad,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kComputed, .a5 = dtypes::kMoved | dtypes::kFloat4},
    .rules = {{Rule::kLocationLoad, profiles::kHardware}, Rule::kSameWidth, Rule::kTransferCovers},
    .sources = {{Rule::kLocationLoad, profiles::kHardware, sources::kDocument},
                {Rule::kSameWidth, profiles::kEvery, sources::kDocument},
                {Rule::kTransferCovers, profiles::kEvery, sources::kLibrary}},
    .shapes = "As of TLOAD.",
    .outside = "As TLOAD, here; the ISA promises nothing of dst.",
    .specials =
        "The ISA calls this a hint whose tile holds nothing to rely on. Here it is a TLOAD of any layout, so that "
        "results "
        "are the same everywhere, and later loads find the tensor in the caches.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap that of src: the result is as if src had been read first.",
    .others = "The common simulator copies flat, without regard to strides and layouts.",
    .family = Family::kMemory,
    .source = "TPREFETCH",
};

inline constexpr OpInfo kTMov = {
    .id = 9,
    .name = "tmov",
    .brief = "Copies a tile into another one, whatever the layouts of the two, also to another on-chip memory.",
    .formula = "dst[i,j] = src[i,j]",
    .operands = {Out("dst", "receives the elements"), In("src", Extent::kSame, "the elements", &kMovedWholeTypes),
                 Flags("0")},
    .cpp_template = "dst src | phase dst src",
    .walk = Walk::kMove,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kComputed, .a5 = dtypes::kMoved | dtypes::kFloat4},
    .in_vec = profiles::kNone,
    .row_major = profiles::kNone,
    .rules = {{Rule::kLocationMove, profiles::kHardware},
              {Rule::kScaleBoxes, profiles::kA5, dtypes::kU8 | dtypes::kE8M0}},
    .sources = {{Rule::kLocationMove, profiles::kHardware, sources::kDocument},
                {Rule::kScaleBoxes, profiles::kA5, sources::kDocument},
                {Rule::kOperandDType, profiles::kHardware, sources::kDocument},
                {Rule::kValidEqual, profiles::kHardware, sources::kDocument}},
    .specials =
        "Every bit is kept, those of a NaN too. f32 becomes f16 or bf16 where dst holds that: rounded to nearest, ties "
        "to even; what is too large becomes infinity, a NaN is canonical. f16 and bf16 become f32, as bias is.",
    .accuracy = "Exact, or one rounding.",
    .others =
        "The ISA's TMOV with scratch orders exponents of groups for products with block scales. It is a TMOV to a Zz "
        "tile with a fractal of 32: rows of 16, in these columns of 2, in these rows, in these columns. That is the "
        "order of its text and of exp_zz in the common simulator's TQUANT; the formula beside the text has two ranges "
        "swapped. Out of columns A5 may want 64 rows.",
    .family = Family::kRearrange,
    .source = "TMOV",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_MOVE_H_
