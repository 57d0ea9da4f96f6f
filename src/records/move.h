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
        "src is a matrix. With ND, the last dimension forms the columns and the others form the rows. With DN, the "
        "last dimension but one forms the rows and the others, the last one fastest, form the columns. See "
        "pto_layout for the other layouts. The matrix has at least the valid rows and columns of dst; the "
        "instruction loads the window at its origin.",
    .outside =
        "All of dst that lies outside its valid region is filled with its pad value, PTO_PAD_NULL with zeros; with an "
        "empty valid region that is the whole tile.",
    .specials =
        "All bits are kept, including NaN payloads; types of the same width are not converted. PTO_PAD_MAX and "
        "PTO_PAD_MIN give +inf and -inf for floats, and the limits of the type for integers. Floats of 8 bits or "
        "fewer are padded with zeros.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap the memory of src: the result is as if src was read first.",
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
        "dst is a matrix, with the rows and columns that TLOAD uses. It has at least the valid rows and columns of "
        "src; the instruction stores into the window at its origin.",
    .outside =
        "Only that window of dst is written. With an empty valid region the call succeeds and does nothing. Strides "
        "must not give two elements of that window the same position.",
    .specials =
        "All bits are kept, including NaN payloads; types of the same width are not converted. If dst is f16 or bf16, "
        "f32 is rounded to nearest, ties to even. Overflow becomes infinity; a NaN becomes canonical.",
    .accuracy = "Exact, or one rounding.",
    .aliasing = "The memory of dst may overlap the memory of src: the result is as if src was read first.",
    .family = Family::kMemory,
    .source = "TSTORE",
};

inline constexpr DTypeSet kAtomicTypes =
    dtypes::kI8 | dtypes::kI16 | dtypes::kI32 | dtypes::kF16 | dtypes::kBF16 | dtypes::kF32;

inline constexpr OpInfo kTStoreAtomic = {
    .id = 260,
    .name = "tstore_atomic",
    .mnemonic = "tstore",
    .brief = "Copies the valid region of a tile into a tensor, or adds it to the tensor.",
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
    .shapes = "As for TSTORE.",
    .outside =
        "Only that window of dst is written. With an empty valid region the call succeeds and does nothing. If "
        "strides give two elements of the window the same position, both are added, in row order. Without addition "
        "such strides are an error.",
    .specials =
        "PTO_ATOMIC_ADD: each sum is the result of TADD, and additions of several threads to the same element are "
        "atomic; in which order threads add is open, and with floats so are the last bits then. PTO_ATOMIC_NONE: as "
        "TSTORE.",
    .accuracy = "Correctly rounded sums; integers are exact modulo 2^W.",
    .aliasing = "The memory of dst may overlap the memory of src, which is read first.",
    .family = Family::kMemory,
    .source = "TSTORE with AtomicType",
};

inline constexpr OpInfo kTPrefetch = {
    .id = 261,
    .name = "tprefetch",
    .brief = "Announces that a tensor will be needed, and loads it into a tile.",
    .formula = "dst[i,j] = src[i,j] of the matrix that src is seen as",
    .operands = {Out("dst", "is overwritten"), TensorIn("src", "the tensor, or a window of one"), Flags("0")},
    .walk = Walk::kLoad,
    .lane = Lane::kCopy,
    .dtypes = {.cpu = dtypes::kStored, .a2a3 = dtypes::kComputed, .a5 = dtypes::kMoved | dtypes::kFloat4},
    .rules = {{Rule::kLocationLoad, profiles::kHardware}, Rule::kSameWidth, Rule::kTransferCovers},
    .sources = {{Rule::kLocationLoad, profiles::kHardware, sources::kDocument},
                {Rule::kSameWidth, profiles::kEvery, sources::kDocument},
                {Rule::kTransferCovers, profiles::kEvery, sources::kLibrary}},
    .shapes = "As for TLOAD.",
    .outside = "As TLOAD, here; the ISA promises nothing of dst.",
    .specials =
        "In the ISA, this is a hint that leaves the tile undefined. Here it is a TLOAD in any layout, so results are "
        "the same everywhere, and later loads find the tensor in the caches.",
    .accuracy = "Exact.",
    .aliasing = "The memory of dst may overlap the memory of src: the result is as if src was read first.",
    .others = "The common simulator copies flat and ignores strides and layouts.",
    .family = Family::kMemory,
    .source = "TPREFETCH",
};

inline constexpr OpInfo kTMov = {
    .id = 9,
    .name = "tmov",
    .brief = "Copies a tile into another tile; the layouts and the on-chip memories may differ.",
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
        "All bits are kept, including NaN payloads. If dst is f16 or bf16, f32 is rounded to nearest, ties to even. "
        "Overflow becomes infinity; a NaN becomes canonical. f16 and bf16 become f32 in the bias table.",
    .accuracy = "Exact, or one rounding.",
    .others =
        "The ISA's TMOV with scratch orders group exponents for products with block scales. Here, use a TMOV to a Zz "
        "tile with a fractal of 32: blocks of 16 rows and 2 columns. This is the order of the ISA's text and of "
        "exp_zz in the common simulator's TQUANT; the formula beside the text has two ranges swapped. From columns, "
        "A5 may need 64 rows.",
    .family = Family::kRearrange,
    .source = "TMOV",
};

}  // namespace pto

#endif  // PTO_SRC_RECORDS_MOVE_H_
