// Every rule that a call can break: its id, the class of the answer, the rule
// in one sentence and the remedy. docs/rules.md is printed from this list, the
// checks that cite it are in src/core/, and each id stands in a test's name.
#ifndef PTO_SRC_OPS_RULE_H_
#define PTO_SRC_OPS_RULE_H_

#include <cstdint>

namespace pto {

// Same values as pto_status; src/api proves it with static_assert.
enum class Status : int32_t {
  kOk = 0,
  kNull = 1,
  kArgument = 2,
  kDType = 3,
  kLayout = 4,
  kShape = 5,
  kAlias = 6,
  kAddress = 7,
  kMemory = 8,
  kUnknown = 9,
};

inline constexpr const char* kStatusNames[] = {
    "PTO_OK",          "PTO_ERROR_NULL",  "PTO_ERROR_ARGUMENT", "PTO_ERROR_DTYPE",  "PTO_ERROR_LAYOUT",
    "PTO_ERROR_SHAPE", "PTO_ERROR_ALIAS", "PTO_ERROR_ADDRESS",  "PTO_ERROR_MEMORY", "PTO_ERROR_UNKNOWN",
};
inline constexpr int kStatusCount = sizeof(kStatusNames) / sizeof(kStatusNames[0]);

enum class Rule : uint8_t {
  // Of any call.
  kNull,
  kMemory,
  // Of making tiles.
  kStructSize,
  kDTypeKnown,
  kTileShape,
  kTileSize,
  kLocation,
  kLayoutKnown,
  kFractal,
  kPad,
  kStorageKnown,
  kValidRange,
  kRowBytes,
  kBoxShape,
  kCapacity,
  kWrapBytes,
  kDataAlignment,
  // Of views of tiles.
  kViewRange,
  kViewBox,
  kReshapeDense,
  kReshapeBoxes,
  kReshapeBytes,
  // Of making tensors.
  kTensorRank,
  kTensorDim,
  kTensorStride,
  kTensorSize,
  kTensorRange,
  kTensorLayout,
  // Of moving data and giving addresses.
  kByteCount,
  kElementType,
  kAddressAlignment,
  kAddressRange,
  // Of instruction handles.
  kUnknownInstruction,
  kOperandIndex,
  kOperandKind,
  kOperandValue,
  // Of every instruction.
  kFlags,
  kStorage,
  kDType,
  // Of some instructions: records name these.
  kPrecisionFloat,
  kLocationVec,
  kRowMajor,
  kSameDType,
  kValidEqual,
  kColVector,
  kColsCovered,
  kPartialValid,
  kTmpRequired,
  kTmpDType,
  kTmpLayout,
  kTmpValidEqual,
  kTmpSpareRow,
  kTmpApart,
  kNoOverlap,
  kLocationLoad,
  kSameWidth,
  kTransferCount,
  kTransferLayout,
};

struct RuleInfo {
  Rule rule;
  const char* id;
  Status status;
  const char* sentence;
  const char* remedy;
};

inline constexpr RuleInfo kRules[] = {
    {Rule::kNull, "null", Status::kNull,
     "A handle or pointer that the call needs is not NULL.",
     "Pass the handle; only tmp may be NULL, where the profile does not need it."},
    {Rule::kMemory, "memory", Status::kMemory,
     "The system gives the memory that the call needs.",
     "Release tiles or use smaller ones, then call again."},
    {Rule::kStructSize, "struct-size", Status::kArgument,
     "struct_size of a descriptor is the size of the struct in this or an earlier version.",
     "Set struct_size to sizeof(pto_tile_desc) or sizeof(pto_tensor_desc)."},
    {Rule::kDTypeKnown, "dtype-known", Status::kArgument,
     "The element type is a value of pto_dtype.",
     "Use one of the PTO_DTYPE_ values."},
    {Rule::kTileShape, "tile-shape", Status::kArgument,
     "A tile has at least one row and one column.",
     "Give rows and cols of 1 or more; an empty valid region is set with pto_tile_set_valid."},
    {Rule::kTileSize, "tile-size", Status::kArgument,
     "A tile is at most 2^40 bytes.",
     "Use a smaller tile."},
    {Rule::kLocation, "location", Status::kLayout,
     "The location is a value of pto_location that the profile has.",
     "Use one of the PTO_LOCATION_ values; A2A3 has no SCALE_LEFT and no SCALE_RIGHT."},
    {Rule::kLayoutKnown, "layout", Status::kArgument,
     "BLayout and SLayout are values of pto_blayout and pto_slayout.",
     "Use the PTO_BLAYOUT_ and PTO_SLAYOUT_ values."},
    {Rule::kFractal, "fractal", Status::kArgument,
     "A box is 512, 1024 or 32 bytes; 0 stands for 512.",
     "Set fractal to 0, 512, 1024 or 32."},
    {Rule::kPad, "pad", Status::kArgument,
     "The pad value is a value of pto_pad.",
     "Use one of the PTO_PAD_ values."},
    {Rule::kStorageKnown, "storage-kind", Status::kArgument,
     "The storage is a value of pto_storage.",
     "Use PTO_STORAGE_OWNED or PTO_STORAGE_MANUAL."},
    {Rule::kValidRange, "valid-range", Status::kShape,
     "Valid rows and columns lie between 0 and the tile's rows and columns.",
     "Set a valid region inside the tile, or PTO_VALID_ALL."},
    {Rule::kRowBytes, "row-bytes", Status::kLayout,
     "A2A3 and A5: a row of an unboxed row-major tile, or a column of an unboxed column-major one, "
     "is a multiple of 32 bytes.",
     "Allocate wider rows and set a smaller valid region, or use PTO_PROFILE_CPU."},
    {Rule::kBoxShape, "box-shape", Status::kLayout,
     "A2A3 and A5: columns of a boxed tile divide into boxes, and so do its rows unless the location is VEC, "
     "the fractal is 32 or there is one row.",
     "Round rows and columns up to whole boxes, or use PTO_PROFILE_CPU."},
    {Rule::kCapacity, "capacity", Status::kLayout,
     "A2A3 and A5: a tile fits in the memory of its location.",
     "Cut the data into smaller tiles, or use PTO_PROFILE_CPU."},
    {Rule::kWrapBytes, "wrap-bytes", Status::kArgument,
     "Wrapped memory holds the whole tile.",
     "Pass a larger buffer, or a smaller tile."},
    {Rule::kDataAlignment, "data-alignment", Status::kAddress,
     "Memory that is wrapped or shared is aligned to the element.",
     "Align the buffer, or the offset into it, to the size of one element."},
    {Rule::kViewRange, "view-range", Status::kShape,
     "A view of a tile has at least one row and one column and lies inside the tile.",
     "Keep row + rows within the rows of the tile, and columns likewise."},
    {Rule::kViewBox, "view-box", Status::kLayout,
     "A view of a boxed tile begins at the border of a box, and ends at one or at the end of the tile.",
     "Round offsets and sizes to whole boxes of the tile's fractal."},
    {Rule::kReshapeDense, "reshape-dense", Status::kLayout,
     "Elements of a tile that is reshaped follow each other without gaps.",
     "Reshape the tile itself, not a view that is narrower than its tile."},
    {Rule::kReshapeBoxes, "reshape-boxes", Status::kLayout,
     "A reshaped tile keeps its location, and boxed and unboxed tiles do not mix.",
     "Use the location of the tile, and PTO_SLAYOUT_NONE_BOX exactly when the tile has it; tmov converts."},
    {Rule::kReshapeBytes, "reshape-bytes", Status::kShape,
     "A reshaped tile needs no more bytes than the tile has.",
     "Use fewer rows or columns, or a narrower element type."},
    {Rule::kTensorRank, "tensor-rank", Status::kArgument,
     "A tensor has 1 to 5 dimensions.",
     "Merge dimensions until there are 5."},
    {Rule::kTensorDim, "tensor-dim", Status::kArgument,
     "A dimension of a tensor is 0 or more.",
     "Give dimensions of 0 or more; those above rank are not looked at."},
    {Rule::kTensorStride, "tensor-stride", Status::kArgument,
     "A stride of a tensor is 0 or more, and the offset of a view too.",
     "Point the tensor at its lowest element and count strides upwards."},
    {Rule::kTensorSize, "tensor-size", Status::kArgument,
     "A tensor, with the gaps that its strides leave, is at most 2^40 bytes.",
     "Use a smaller tensor."},
    {Rule::kTensorRange, "tensor-range", Status::kAddress,
     "Every element of a tensor lies in its memory.",
     "Pass more memory, or smaller dimensions, strides or offset."},
    {Rule::kTensorLayout, "tensor-layout", Status::kArgument,
     "The layout of a tensor is a value of pto_layout.",
     "Use PTO_LAYOUT_ND or PTO_LAYOUT_DN."},
    {Rule::kByteCount, "byte-count", Status::kArgument,
     "A read or write moves exactly the valid region of a tile, or all elements of a tensor.",
     "Pass pto_tile_valid_bytes(tile) or pto_tensor_bytes(tensor) bytes."},
    {Rule::kElementType, "element-type", Status::kDType,
     "A typed read or write moves elements of the tile's element type.",
     "Pass elements of pto_tile_dtype(tile), or move plain bytes with pto_tile_write and pto_tile_read."},
    {Rule::kAddressAlignment, "address-alignment", Status::kAddress,
     "An on-chip address is a multiple of 32 bytes.",
     "Round the address to a multiple of 32."},
    {Rule::kAddressRange, "address-range", Status::kAddress,
     "A tile at an on-chip address ends inside the memory of its location.",
     "Use a lower address or a smaller tile."},
    {Rule::kUnknownInstruction, "unknown-instruction", Status::kUnknown,
     "The mnemonic is one of an instruction of this library.",
     "List the instructions with pto_op_at and pto_op_name."},
    {Rule::kOperandIndex, "operand-index", Status::kArgument,
     "An operand's index is below pto_op_operand_count.",
     "Count operands in the order of pto_op_operand_name."},
    {Rule::kOperandKind, "operand-kind", Status::kArgument,
     "A tile operand is set to a tile, a tensor operand to a tensor, an integer operand to an integer.",
     "Ask pto_op_operand_role what the operand takes."},
    {Rule::kOperandValue, "operand-value", Status::kArgument,
     "An integer operand is in the range of its type.",
     "Pass a value that fits in an unsigned 32-bit integer."},
    {Rule::kFlags, "flags", Status::kArgument,
     "Flags are those the instruction takes.",
     "Clear the other bits; pto_op_flags answers what the instruction takes."},
    {Rule::kStorage, "storage", Status::kAddress,
     "A tile that a call reads or writes has storage.",
     "Give a manual tile an address with pto_tassign first."},
    {Rule::kDType, "dtype", Status::kDType,
     "The element type of dst is one that the instruction takes under the profile.",
     "Use an element type of the instruction's page, or PTO_PROFILE_CPU, which takes all of them."},
    {Rule::kPrecisionFloat, "precision-float", Status::kDType,
     "A5: PTO_HIGH_PRECISION goes with f16, bf16 and f32 only.",
     "Clear PTO_HIGH_PRECISION for integers: they are exact without it."},
    {Rule::kLocationVec, "location-vec", Status::kLayout,
     "Every operand lives in vector memory.",
     "Make the tile with PTO_LOCATION_VEC."},
    {Rule::kRowMajor, "row-major", Status::kLayout,
     "A2A3 and A5: the operands are unboxed row-major tiles.",
     "Make the tile with PTO_BLAYOUT_ROW_MAJOR and PTO_SLAYOUT_NONE_BOX, or use PTO_PROFILE_CPU."},
    {Rule::kSameDType, "same-dtype", Status::kDType,
     "All operands but tmp have the same element type.",
     "Make the operands with one element type."},
    {Rule::kValidEqual, "valid-equal", Status::kShape,
     "The valid regions of the sources equal that of dst, but for a source of one scalar a column.",
     "Set one valid region on all of them with pto_tile_set_valid."},
    {Rule::kColVector, "col-vector", Status::kLayout,
     "A2A3 and A5: the per-column scalars are row 0 of an unboxed row-major tile, or an unboxed column-major tile "
     "of one column.",
     "Make src1 row-major, or column-major with one column."},
    {Rule::kColsCovered, "cols-covered", Status::kShape,
     "src1 has a valid row and a scalar for each valid column of dst.",
     "Widen the valid region of src1 to the valid columns of dst."},
    {Rule::kPartialValid, "partial-valid", Status::kShape,
     "At least one source has the valid region of dst, and the other exceeds it in neither direction.",
     "Set the valid region of one source to that of dst and keep the other inside it."},
    {Rule::kTmpRequired, "tmp-required", Status::kNull,
     "A2A3: the instruction needs a tmp tile.",
     "Pass a tmp tile."},
    {Rule::kTmpDType, "tmp-dtype", Status::kDType,
     "A2A3: tmp holds u8.",
     "Make tmp with PTO_DTYPE_U8."},
    {Rule::kTmpLayout, "tmp-layout", Status::kLayout,
     "A2A3: tmp is an unboxed row-major tile in vector memory.",
     "Make tmp with PTO_LOCATION_VEC, PTO_BLAYOUT_ROW_MAJOR and PTO_SLAYOUT_NONE_BOX."},
    {Rule::kTmpValidEqual, "tmp-valid-equal", Status::kShape,
     "A2A3: the valid region of tmp equals that of dst.",
     "Set the valid region of tmp to that of dst."},
    {Rule::kTmpSpareRow, "tmp-spare-row", Status::kShape,
     "A2A3: tmp has more valid rows than dst, one mask row a row and one to spare.",
     "Make tmp with at least one valid row more than dst."},
    {Rule::kTmpApart, "tmp-apart", Status::kAlias,
     "A2A3: tmp shares no memory with another operand.",
     "Give tmp memory of its own."},
    {Rule::kNoOverlap, "no-overlap", Status::kAlias,
     "A2A3: no operand shares memory with another, not even dst with a source.",
     "Give each operand memory of its own."},
    {Rule::kLocationLoad, "location-load", Status::kLayout,
     "A2A3 and A5: a tile that is loaded lives in vec or mat, and one that is stored too, but A5 stores none from mat.",
     "Move the tile to vector memory first, or use PTO_PROFILE_CPU."},
    {Rule::kSameWidth, "same-width", Status::kDType,
     "The element types of tile and tensor have the same number of bytes.",
     "Make the tile with the element type of the tensor."},
    {Rule::kTransferCount, "transfer-count", Status::kShape,
     "The tensor has as many elements as the valid region of the tile.",
     "Take a window of the tensor with pto_tensor_view, or set the valid region with pto_tile_set_valid."},
    {Rule::kTransferLayout, "transfer-layout", Status::kLayout,
     "A2A3 and A5: a row-major tile in vector memory goes with an ND tensor, a column-major one with a DN tensor, one "
     "of a single row or column with either, and a boxed one with none.",
     "Make tile and tensor with one order, or use PTO_PROFILE_CPU, which turns them."},
};

inline constexpr int kRuleCount = sizeof(kRules) / sizeof(kRules[0]);

constexpr bool RulesInOrder() {
  for (int i = 0; i < kRuleCount; ++i) {
    if (static_cast<int>(kRules[i].rule) != i) return false;
  }
  return true;
}
static_assert(RulesInOrder(), "kRules lists the rules in the order of the enum");

constexpr const RuleInfo& Info(Rule rule) {
  return kRules[static_cast<int>(rule)];
}

}  // namespace pto

#endif  // PTO_SRC_OPS_RULE_H_
